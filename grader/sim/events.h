/* Events that the simulator reports to listeners.
 *
 * A probe is a struct of callbacks, which may be NULL. The simulator only creates events that some probe listens to.
 * Callbacks run on the simulating thread, in the order of the simulated events. */
#ifndef SIM_EVENTS_H
#define SIM_EVENTS_H

#include "ptx/ptx.h"

#define SIM_WARP 32
#define SIM_MAX_THREADS 1024 /* maximum per block */
#define SIM_MAX_WARPS 32     /* maximum per block */

/* Contiguous memory that a program can address: a buffer, a variable of the module, a block's shared memory, a thread's
 * local memory, a launch's parameters, or a heap allocation. Offsets in events are bytes from its beginning. */
enum sim_object_kind { SIM_BUFFER, SIM_VARIABLE, SIM_SHARED_MEMORY, SIM_LOCAL_MEMORY, SIM_PARAMETERS, SIM_HEAP };
struct sim_object {
    enum sim_object_kind kind;
    enum ptx_space space; /* PTX_GLOBAL, PTX_CONST, PTX_SHARED, PTX_LOCAL, PTX_PARAM */
    /* a buffer's or variable's name, such as "in"; otherwise a description, such as "shared memory" */
    const char *name;
    uint64_t address; /* generic address of offset 0 */
    uint64_t size;    /* bytes; 0 for freed memory */
    uint64_t freed;   /* freed memory: its size before, at least 1; otherwise 0 */
    unsigned id;      /* a small number, unique among global and const objects; shared memory: its block's slot */
    uint32_t block;   /* shared memory: its block, which in a cluster may differ from the event's */
    unsigned element; /* size of a buffer's elements in bytes (SIM_ELEMENT()), or 0 */
    unsigned index;   /* index in address order during a launch in parts (internal) */
    bool initialized; /* a kernel may read the object before it writes to it */
    bool read_only;   /* const memory, parameters, or a buffer that kernels must not write to */
};

/* A call stack: the call at `pc`, made in the call stack with index `caller`. Index 0 is the kernel itself. */
struct sim_call {
    uint32_t pc, caller;
};

/* A shared variable: its offset in a block's shared memory, and its size in bytes (UINT64_MAX for an extern array). */
struct sim_symbol {
    const char *name;
    uint64_t offset, size;
};

/* A launch. From launch_begin to launch_end, only `calls` changes. */
struct sim_launch_info {
    const struct ptx_module *module;
    const struct ptx_function *kernel;
    uint32_t grid[3], block[3], cluster[3];
    uint32_t blocks, threads, warps;          /* blocks in the grid; threads and warps per block */
    uint32_t run_blocks;                      /* blocks that run: all of the grid, or a sample of them */
    uint32_t cluster_blocks;                  /* number of blocks per cluster; 1 without clusters */
    bool explicit_cluster;                    /* the kernel or the launch sets the cluster size */
    uint32_t shared_bytes;                    /* bytes of static and dynamic shared memory per block */
    uint32_t reserved_offset, reserved_bytes; /* the part of shared memory that the toolkit's libraries reserve */
    uint32_t slots;                           /* maximum number of resident blocks */
    const struct sim_object *const *objects;  /* the global and const objects at launch_begin */
    unsigned object_count;
    const struct sim_symbol *symbols; /* shared variables that the kernel uses, itself or in called functions */
    unsigned symbol_count;
    const struct ptx_insn *const *code; /* instructions by pc, which counts across all functions */
    uint32_t code_count;
    /* pcs that the launch can execute: those of the kernel or, if it calls functions, of all functions */
    uint32_t code_begin, code_end;
    uint32_t number;  /* 0: a launch by the host; its child launches, at all depths, have numbers from 1 */
    uint32_t earlier; /* in a part of a launch (parts.c): blocks in earlier parts; otherwise 0 */
    /* [code_count + 1] NULL if all spans are reported. Otherwise spans of 32 lanes are only counted: for each pc, the
     * number of spans that begin there minus the number that end there. */
    const uint64_t *whole_spans;
    const struct sim_call *calls; /* call stacks by index; NULL if there were no calls */
    struct sim_run *run;          /* internal state; NULL outside a launch */
};
/* Adds `bytes` to the host memory that listeners use for the launch. Stops the launch if the sum exceeds the limit. */
void sim_charge(const struct sim_launch_info *launch, uint64_t bytes);
/* Returns the shared variable at `offset` of a block's shared memory, or NULL. */
const struct sim_symbol *sim_shared_symbol(const struct sim_launch_info *launch, uint64_t offset);

/* Returns a block's rank in its cluster. Sets *cluster to the cluster's index. */
uint32_t sim_cluster_rank(const struct sim_launch_info *launch, uint32_t block, uint32_t *cluster);

/* The location of an event. */
struct sim_where {
    const struct sim_launch_info *launch;
    uint32_t block; /* linear index in the grid */
    /* The resident block's slot, which later blocks reuse. A cluster's blocks have adjacent slots, the first of which
     * is a multiple of the cluster size. */
    uint32_t slot;
    uint32_t warp;     /* index in the block */
    uint32_t launched; /* lanes with which the warp started */
    uint32_t live;     /* lanes that have not exited */
    /* Index of the lanes' call stack in the launch's table. Once the table is full, with 4096 call stacks, it may be
     * the index of a caller's stack. */
    uint32_t call;
};

/* The lanes in `mask` have executed instructions begin to end-1 without a break. A warp's spans contain each of its
 * executed warp-instructions once. If a guard masks off some lanes, the instruction has its own span with the other
 * lanes, or no span if there are none. A span ends before its lanes pass a barrier or a warp-level synchronization.
 *
 * If all listeners to spans set `counts_whole`, spans of 32 lanes are only counted (sim_launch_info.whole_spans). A
 * listener can still request a block's spans at block_begin (sim_block_event). */
struct sim_span {
    const struct sim_where *where;
    uint32_t begin, end, mask;
};

/* A divergent branch, brx, call through a pointer, or guarded return or exit at `pc`. `taken` is the set of lanes of
 * `mask` that took it: not empty, and not all. `join` is the pc of the immediate post-dominator, or UINT32_MAX for the
 * function's end. */
struct sim_branch {
    const struct sim_where *where;
    uint32_t pc, mask, taken, join;
};

/* Old values for a load from memory that is not sequentially consistent (sim_schedule.stale). At first, value[lane] has
 * the current bytes. A listener that tracks the order of accesses may find that a store is not ordered before a lane's
 * load. It then sets value[lane] to the bytes before the store, and adds the lane to `lanes`. */
#define SIM_ANY_LINE UINT32_MAX
#define SIM_VALUE 32 /* maximum bytes that a lane accesses at a time */
struct sim_stale {
    uint32_t lanes, line; /* line: source line of the loads that may get old values, or SIM_ANY_LINE */
    /* Seed that selects the loads with an old value at random; 0: all loads that can get one. */
    uint64_t seed;
    uint8_t value[SIM_WARP][SIM_VALUE];
};

enum sim_access_kind { SIM_LOAD, SIM_STORE, SIM_ATOMIC /* read-modify-write: atom and red */ };
/* An access of a warp to one object. Each lane accesses `bytes` bytes at offset[lane]; a vector access counts as one
 * access of its full width. A lane with an address outside all objects causes a fault instead.
 *
 * If `contiguous`, offset[lane] == offset[lowest lane] + (lane - lowest lane) * bytes for all lanes in `mask`. If
 * `step` is not 0, the equation also holds with `step` in place of `bytes`. */
struct sim_access {
    const struct sim_where *where;
    uint32_t pc, mask;
    enum sim_access_kind kind;
    const struct sim_object *object;
    uint16_t bytes;
    bool contiguous;
    bool strong;           /* .volatile, .relaxed, .acquire, .release, or an atomic */
    bool acquire, release; /* of the instruction itself, such as ld.acquire */
    bool is_volatile;
    bool texture;  /* by a texture or surface object, whose cache is not coherent with stores of this launch */
    bool mbarrier; /* to an mbarrier: by an mbarrier instruction, or by a copy that signals it */
    /* For an access to an mbarrier: the number of completed phases. An arrival belongs to the next phase; a successful
     * wait was for the last completed one. */
    uint64_t phase;
    /* Lanes whose store did not change the value in memory, and lanes whose value is in memory after the store. For
     * floats, +0 and -0 are the same value. Needs a listener with `values`. */
    uint32_t silent, agreeing;
    uint32_t atomic_reads; /* lanes whose atomic only reads: a failed compare-and-swap, or atom.add of the constant 0 */
    bool result_unused;    /* an atomic whose result no instruction reads */
    bool overwrites;       /* an exchange whose result no instruction reads: the old value affects nothing */
    bool compared;         /* a load whose value only serves a later compare-and-swap at the same address */
    /* Lanes whose loaded value reaches no store, address or branch. 0 unless a listener sets `drops`. */
    uint32_t dropped;
    bool data;              /* a strong load whose value is stored or used in a computation, but controls no branch */
    enum ptx_mod scope;     /* PTX_MOD_CTA, _CLUSTER, _GPU (also for .gl), _SYS; PTX_MOD_NONE: not specified */
    int64_t step;           /* bytes between adjacent lanes' offsets; 0: not constant, not computed, or only one lane */
    const uint64_t *offset; /* [SIM_WARP] */
    struct sim_stale *stale; /* old values for a load; NULL if memory is sequentially consistent */
    /* Memory before a store or atomic, by lane; NULL if memory is sequentially consistent. */
    const uint8_t (*before)[SIM_VALUE];
    struct sim_warp *on_demand;  /* the load's warp if `dropped` is computed on demand, otherwise NULL */
    const struct sim_insn *insn; /* the load, if `on_demand` is not NULL */
};
/* Computes `dropped`, for listeners that seldom need it and therefore do not set `drops`. Only this access's callbacks
 * may call this function. */
uint32_t sim_dropped_of(const struct sim_access *e);

/* The lanes in `mask` have synchronized in a warp-wide instruction. Each kind ends a step, but only SIM_SYNCWARP orders
 * memory accesses. */
enum sim_sync_kind { SIM_SYNCWARP, SIM_SHUFFLE, SIM_VOTE, SIM_MATCH, SIM_REDUX, SIM_MATRIX };
struct sim_sync {
    const struct sim_where *where;
    uint32_t pc, mask;
    enum sim_sync_kind kind;
};

/* The lanes in `mask` arrive at barrier `id`. Other lanes of the warp may arrive separately. */
struct sim_arrival {
    const struct sim_where *where;
    uint32_t pc, mask;
    unsigned id;
    bool aligned, waits;
};

/* Barrier `id` completes and releases the threads that wait. Arrays are indexed by warp. `whole_block`: all live
 * threads of the block had to arrive. */
struct sim_barrier {
    const struct sim_where *where; /* the barrier's block and slot; the warp that arrived last, or 0 if by_exit */
    unsigned id;
    bool whole_block;
    bool by_exit;                    /* it completed because other threads exited */
    uint32_t arrived[SIM_MAX_WARPS]; /* lanes that arrived */
    uint32_t pc[SIM_MAX_WARPS];      /* pc of the warp's latest arrival; UINT32_MAX if none */
    uint32_t call[SIM_MAX_WARPS];    /* call stack of these lanes */
};

/* An event of the cluster barrier. ARRIVES: the lanes in `mask` arrive. COMPLETE: all live threads of the cluster have
 * arrived; `where` is the warp that arrived or exited last. PASSES: the lanes in `mask` continue after their wait. */
enum sim_cluster_kind { SIM_CLUSTER_ARRIVES, SIM_CLUSTER_COMPLETE, SIM_CLUSTER_PASSES };
struct sim_cluster_event {
    const struct sim_where *where;
    uint32_t pc, mask;
    enum sim_cluster_kind kind;
    bool relaxed, aligned;
};

/* The lanes in `mask` execute a fence. `scope` is PTX_MOD_CTA, _CLUSTER, _GPU or _SYS. */
struct sim_fence {
    const struct sim_where *where;
    uint32_t pc, mask;
    enum ptx_mod scope;
};

/* The lanes in `mask` start a copy, or their copies complete. Completion is reported before the store. Lane l copies
 * `bytes` bytes to offset[l] in shared memory: taken[l] bytes from from[l] in `source`, then zeros. A bulk copy has one
 * event per 128 bytes. A bulk copy from shared to global memory may have an earlier event when its source is read. */
struct sim_copy_event {
    const struct sim_where *where;
    uint32_t pc, mask;
    bool begins, bulk;
    bool combines; /* a reduction into the destination */
    bool product;  /* the bytes are read by a matrix product (wgmma), not by a copy */
    unsigned bytes;
    uint32_t waits; /* at completion: index of the warp whose wait completes the copy */
    /* shared: the destination, or NULL if it is not shared memory; source: NULL if nothing is read */
    const struct sim_object *shared, *source;
    const uint64_t *offset, *from;
    const uint8_t *taken;
};
/* An mbarrier is initialized (`begins`) or invalidated at `offset` in shared memory. */
struct sim_mbarrier_event {
    const struct sim_where *where;
    uint32_t pc, mask;
    uint64_t offset;
    bool begins;
};

/* A lane has allocated memory of the device heap (`begins`), or is about to free it. */
struct sim_heap_event {
    const struct sim_where *where;
    uint32_t pc, mask;
    const struct sim_object *object;
    bool begins;
};

/* A lane launches a child grid into a stream, records an event in a stream, or makes a stream wait for an event.
 * `stream` is the kernel's handle. */
enum sim_nested_kind { SIM_NESTED_LAUNCH, SIM_NESTED_RECORD, SIM_NESTED_WAIT };
/* Handles of the tail-launch and the fire-and-forget stream. Handles of created streams start at SIM_STREAM_NAMED. Any
 * other handle is the default stream. */
enum { SIM_STREAM_TAIL = 3, SIM_STREAM_FORGET = 4, SIM_STREAM_NAMED = 256 };
struct sim_nested_event {
    const struct sim_where *where;
    uint32_t pc, mask;
    enum sim_nested_kind kind;
    uint64_t stream, event;
    uint32_t number; /* launch: sim_launch_info.number of the child grid */
};

struct sim_exit {
    const struct sim_where *where;
    uint32_t pc, mask;
};

/* What the simulator cannot do as requested. The run continues after a fault that is not `fatal`: a faulting load
 * returns 0, and a faulting store does nothing. */
enum sim_fault_kind {
    /* The bytes at .address are outside all objects or extend past an object's end. .object: the nearest one at or
     * below .address, or NULL. */
    SIM_FAULT_BOUNDS,
    SIM_FAULT_NULL,       /* address below 4096 */
    SIM_FAULT_MISALIGNED, /* .object, .address, .bytes */
    SIM_FAULT_READ_ONLY,  /* store to const memory or to a read-only buffer */
    SIM_FAULT_SPACE, /* an address of another state space, such as an offset in shared memory used as a global address
                      */
    SIM_FAULT_SHUFFLE_LANE, /* a shuffle of .lanes reads .other_lanes, which do not participate */
    SIM_FAULT_SYNC_MASK,    /* a lane executes a .sync instruction whose mask lacks the lane */
    /* Lanes .other_lanes of the mask cannot arrive: they have exited or wait at .other_pc. */
    SIM_FAULT_SYNC_MISSING,
    SIM_FAULT_UNDEFINED, /* .lanes used an uninitialized register; .text says how, such as "stored" */
    /* Fatal. The barrier's number is above 15, or its thread count is 0, not a multiple of 32, or more than the block's
     * warps times 32. */
    SIM_FAULT_BARRIER_COUNT,
    SIM_FAULT_DEADLOCK, /* fatal: no thread can run; one fault per group of lanes that wait at one .pc */
    /* Fatal: the budget of instructions is used up, or the loop at .pc cannot end. .text says more, unless it is
     * NULL. */
    SIM_FAULT_BUDGET,
    /* All resident blocks waited for a block that had not started. Fatal if that block cannot start. .text says
     * more. */
    SIM_FAULT_RESIDENCY,
    SIM_FAULT_TRAP,     /* fatal: trap, brkpt or a failed assert; .text describes it */
    SIM_FAULT_STACK,    /* fatal: calls are too deep, or need too much local memory */
    SIM_FAULT_CALL,     /* fatal: an indirect call or branch to an invalid target */
    SIM_FAULT_HEAP,     /* invalid free(); .text says why */
    SIM_FAULT_MBARRIER, /* invalid use of an mbarrier, bulk copy, tensor map or wgmma; .text says why */
    SIM_FAULT_CLUSTER,  /* invalid use of the cluster barrier; .text says why */
    SIM_FAULT_TEXTURE,  /* invalid use of a texture or surface object; .text says why */
    SIM_FAULT_SURFACE,  /* coordinates outside the surface .object; .text contains them */
    SIM_FAULT_RANK,     /* shared memory of a block that the cluster lacks; .offset is its rank */
    SIM_FAULT_NESTED,   /* a kernel's launch of a kernel is wrong; .text says why */
};
struct sim_fault {
    const struct sim_where *where;
    enum sim_fault_kind kind;
    bool fatal;
    uint32_t pc, lanes;
    uint32_t other_pc, other_lanes; /* UINT32_MAX and 0 if unused */
    uint32_t other_call;
    const struct sim_object *object;
    uint64_t address;    /* generic address used by lane `lane` */
    int64_t offset;      /* bytes from the start of .object */
    bool meant;          /* .address was computed from a pointer to .object, at any distance */
    uint64_t begin, end; /* offsets in .object that the access may use: the whole object, or one shared variable */
    unsigned lane, bytes;
    enum sim_access_kind access;
    enum ptx_space space; /* the instruction's state space */
    const char *text;
};

/* A block starts or ends in a slot. At the end, `completed` is false if the launch was stopped. At the start, a
 * listener to `watch` may clear *watched if it does not need the block's `watch` events. The block then runs at full
 * speed. */
struct sim_block_event {
    const struct sim_where *where;
    bool completed;
    bool *watched; /* NULL at the end */
    /* At a block's start, a listener with `counts_whole` may set *spans to receive its spans of 32 lanes. */
    bool *spans;
};

/* An event before each instruction. The lanes in `mask` are at `pc`. Those in `active` are about to execute the
 * instruction; the guard masks off the others. sim/inspect.h reads the warp's state. A listener to this event slows the
 * launch down, because each instruction is then executed separately. */
struct sim_watch {
    const struct sim_where *where;
    const struct sim_warp *warp;
    uint32_t pc, mask, active;
    bool *stop; /* set by a listener to end the launch */
};

struct sim_probe {
    const char *name;
    void (*launch_begin)(void *self, const struct sim_launch_info *launch);
    void (*launch_end)(void *self, const struct sim_launch_info *launch);
    void (*block_begin)(void *self, const struct sim_block_event *e);
    void (*block_end)(void *self, const struct sim_block_event *e);
    void (*span)(void *self, const struct sim_span *e);
    void (*branch)(void *self, const struct sim_branch *e);
    void (*access)(void *self, const struct sim_access *e);
    /* An access that is reported but not executed: a byte of a misaligned access, or the store of a started copy, which
     * may write at any later time. */
    void (*dropped)(void *self, const struct sim_access *e);
    void (*sync)(void *self, const struct sim_sync *e);
    void (*arrival)(void *self, const struct sim_arrival *e);
    void (*barrier)(void *self, const struct sim_barrier *e);
    void (*cluster)(void *self, const struct sim_cluster_event *e);
    void (*fence)(void *self, const struct sim_fence *e);
    /* A fence between the generic and the async proxy; it has no scope. */
    void (*proxy_fence)(void *self, const struct sim_fence *e);
    /* The lanes wait for the end of earlier grids, which may overlap with this one; the event has no scope. */
    void (*grid_wait)(void *self, const struct sim_fence *e);
    void (*copy)(void *self, const struct sim_copy_event *e);
    void (*mbarrier)(void *self, const struct sim_mbarrier_event *e);
    void (*heap)(void *self, const struct sim_heap_event *e);
    void (*nested)(void *self, const struct sim_nested_event *e);
    void (*exit)(void *self, const struct sim_exit *e);
    void (*fault)(void *self, const struct sim_fault *e);
    void (*watch)(void *self, const struct sim_watch *e);
    bool counts_whole; /* the listener counts spans of 32 lanes instead of receiving them */
    bool values;       /* needs sim_access.silent and .agreeing */
    bool drops;        /* needs sim_access.dropped */
    /* Receive only accesses to uninitialized, global or shared memory. */
    bool unfilled_only, global_only, shared_only;
    bool nested_only; /* the listener is only needed if the program's kernels may launch others */
    bool async_only;  /* needs accesses only in programs with asynchronous copies, wgmma or an mbarrier */
};
struct sim_listener {
    const struct sim_probe *probe;
    void *self;
};

/* A launch measured in parts, which run in parallel on host threads. Each part has its own listeners, which see only
 * its blocks. The joined results must equal those of a single listener. */
struct sim_parts {
    void *context;
    bool (*begin)(void *context, unsigned parts); /* returns false if the launch cannot run in parts */
    void (*listeners)(void *context, unsigned part, const struct sim_listener **listeners, unsigned *count);
    void (*end)(void *context, bool keep); /* called at the end; if `keep`, joins the results in the order of the parts,
                                              otherwise discards them */
    bool no_atomics;                       /* the parts cannot be joined if blocks use atomics on global memory */
};

#endif
