/* Events that the simulator reports to listeners.
 *
 * A probe (probes/, one file per question) is a struct of callbacks; each may be NULL, and events without listeners are
 * not built. Callbacks run on the simulating thread, in the order of the simulated events. The simulator does not
 * depend on any probe. */
#ifndef SIM_EVENTS_H
#define SIM_EVENTS_H

#include "ptx/ptx.h"

#define SIM_WARP 32
#define SIM_MAX_THREADS 1024 /* per block */
#define SIM_MAX_WARPS 32     /* per block */

/* A contiguous piece of memory that a program can address: a kernel's buffer, a module variable, a block's shared
 * memory, a thread's local memory. Offsets in events are bytes from its start. */
enum sim_object_kind { SIM_BUFFER, SIM_VARIABLE, SIM_SHARED_MEMORY, SIM_LOCAL_MEMORY, SIM_PARAMETERS, SIM_HEAP };
struct sim_object {
    enum sim_object_kind kind;
    enum ptx_space space; /* PTX_GLOBAL, PTX_CONST, PTX_SHARED, PTX_LOCAL, PTX_PARAM */
    const char *name;     /* "in", "partial", "s"; shared memory: "shared memory" */
    uint64_t address;     /* generic address of offset 0 */
    uint64_t size;        /* bytes; 0 for a freed heap block */
    uint64_t freed;       /* size of a freed heap block before it was freed */
    unsigned id; /* a small number, unique among the simulator's live objects; shared memory: the slot of its block */
    uint32_t block;   /* of shared memory: its block, which in a cluster need not be the event's block */
    unsigned index;   /* index among all objects by address, while a launch runs in parts; only for the simulator */
    bool initialized; /* written by the host or by an initializer, so the kernel may read it at once */
    bool read_only;   /* const memory, or a buffer that the kernel must not write */
};

/* A call stack: the call instruction at `pc`, executed in the call stack `caller`. Number 0 is the kernel itself. */
struct sim_call {
    uint32_t pc, caller;
};

/* A shared variable: its name in PTX, its offset in a block's shared memory, and its size. */
struct sim_symbol {
    const char *name;
    uint64_t offset, size;
};

/* The launch. Everything is constant from launch_begin to launch_end, except for the calls. */
struct sim_launch_info {
    const struct ptx_module *module;
    const struct ptx_function *kernel;
    uint32_t grid[3], block[3], cluster[3];
    uint32_t blocks, threads, warps;         /* blocks of the grid; threads and warps of a block */
    uint32_t cluster_blocks;                 /* 1: no clusters */
    bool explicit_cluster;                   /* the kernel or the launch gave the cluster size */
    uint32_t shared_bytes;                   /* static and dynamic shared memory of a block */
    uint32_t slots;                          /* number of blocks that are resident at once: slot < slots */
    const struct sim_object *const *objects; /* the global and const objects when the launch began */
    unsigned object_count;
    const struct sim_symbol *symbols; /* the shared variables that the kernel reaches */
    unsigned symbol_count;
    const struct ptx_insn *const *code; /* by pc, which counts over all functions of the program */
    uint32_t code_count;
    const uint64_t *whole_spans;  /* [code_count + 1] spans of 32 lanes that are only counted: for each pc, the number
                                     that begin there minus the number that end there; NULL if none */
    const struct sim_call *calls; /* the call stacks so far, by number; NULL if there is only number 0 */
    struct sim_run *run;          /* only for the simulator; NULL: nothing runs */
};
/* A listener reports that it allocates that many more bytes of host memory for the launch. If the total exceeds the
 * limit, the launch is stopped. */
void sim_keep(const struct sim_launch_info *launch, uint64_t bytes);
/* The variable at `offset` of a block's shared memory; NULL if there is none. */
const struct sim_symbol *sim_shared_symbol(const struct sim_launch_info *launch, uint64_t offset);

/* A block's rank in its cluster, and the cluster's number. */
uint32_t sim_cluster_rank(const struct sim_launch_info *launch, uint32_t block, uint32_t *cluster);

/* Which warp an event belongs to. */
struct sim_where {
    const struct sim_launch_info *launch;
    uint32_t block; /* linear index in the grid */
    uint32_t slot;  /* slot of the resident block, reused by later blocks; a cluster has adjacent slots, aligned to its
                       size */
    uint32_t warp;  /* index in the block */
    uint32_t launched; /* lanes with which the warp was launched */
    uint32_t live;     /* lanes that have not exited */
    uint32_t call;     /* number of the lanes' call stack; beyond 4096 stacks, that of an outer one */
};

/* The lanes of `mask` executed instructions begin..end-1 one after the other. The spans of a warp together contain
 * every executed warp-instruction exactly once. An instruction whose guard switches off lanes of a split has a separate
 * span with the other lanes, or no span if there are none. A span ends before its lanes pass a barrier or a warp-wide
 * exchange. If all listeners have `counts_whole`, the spans of 32 lanes are only counted, in
 * sim_launch_info.whole_spans, except in blocks for which a listener asks for them (sim_block_event). */
struct sim_span {
    const struct sim_where *where;
    uint32_t begin, end, mask;
};

/* A divergent branch (or brx, or guarded exit) at `pc`. The lanes `taken` of `mask` took it: at least one lane, but not
 * all. `join` is the pc of its immediate post-dominator, or UINT32_MAX for the end of the function. */
struct sim_branch {
    const struct sim_where *where;
    uint32_t pc, mask, taken, join;
};

/* For memory that is not sequentially consistent (sim_schedule.stale): the old values that a load gets. value[lane] has
 * the current bytes at first. If the lane's load is not ordered after a store, a listener that knows this puts the
 * bytes from before that store into value[lane], and adds the lane to `lanes`. */
#define SIM_ANY_LINE UINT32_MAX
#define SIM_VALUE 32 /* maximum bytes per lane in one access */
struct sim_stale {
    uint32_t lanes, line; /* line: the source line of the selected loads, or SIM_ANY_LINE */
    uint64_t seed;        /* 0: all such loads get old values; otherwise a random selection of them */
    uint8_t value[SIM_WARP][SIM_VALUE];
};

enum sim_access_kind { SIM_LOAD, SIM_STORE, SIM_ATOMIC /* atom and red: reads and writes */ };
/* One warp-wide access to one object. Lanes that access no object are a fault, and not part of the access. Each lane
 * accesses `bytes` bytes from offset[lane]; a vector access is one access of its whole width. If `contiguous`, then
 * offset[lane] == offset[lowest lane] + (lane - lowest lane) * bytes for all lanes of mask. If `step` is not 0, the
 * same holds with `step` in place of `bytes`; 0: it is not known, or one lane, or not so. */
struct sim_access {
    const struct sim_where *where;
    uint32_t pc, mask;
    enum sim_access_kind kind;
    const struct sim_object *object;
    uint16_t bytes;
    bool contiguous;
    bool strong;           /* volatile, relaxed, acquire, release or atomic */
    bool acquire, release; /* by the instruction itself (ld.acquire, st.release, atom.acq_rel) */
    bool is_volatile;
    bool texture;    /* through a texture or surface object, whose cache does not see stores of this launch */
    bool mbarrier;   /* an access to an mbarrier's state, by its instructions or by a copy that arrives there */
    uint32_t silent; /* lanes whose store did not change memory; 0 unless a listener sets `values` */
    uint32_t
        agreeing; /* lanes that stored the value that is in memory after the store; 0 unless a listener sets `values` */
    uint32_t failed;         /* lanes of a compare-and-swap that found another value */
    bool result_unused;      /* an atomic whose result no instruction reads */
    bool compared;           /* a load whose value is only used for a later compare-and-swap at the same location */
    uint32_t dropped;        /* lanes of a load whose value reaches no store, address or branch of that lane; 0 unless
                                a listener sets `drops` */
    bool data;               /* a strong load whose value is computed with or stored, and controls no branch */
    enum ptx_mod scope;      /* PTX_MOD_CTA, _CLUSTER, _GPU (also for .gl), _SYS; PTX_MOD_NONE: not specified */
    int64_t step;            /* bytes from one lane's location to the next lane's */
    const uint64_t *offset;  /* [32] */
    struct sim_stale *stale; /* the old values for a load, if memory is not sequentially consistent; else NULL */
    const uint8_t (*before)[SIM_VALUE]; /* the same for a store or atomic: the previous contents, by lane; else NULL */
    struct sim_warp *unasked;           /* the warp of a load whose `dropped` has not been computed; else NULL */
    const struct sim_insn *insn;
};
/* Computes `dropped` for a listener that rarely needs it and does not set `drops`. May only be called from the callback
 * for the access. */
uint32_t sim_dropped_of(const struct sim_access *e);

/* Lanes of `mask` have synchronized in a warp-wide instruction. Only SIM_SYNCWARP orders memory; all of them end a
 * step. */
enum sim_sync_kind { SIM_SYNCWARP, SIM_SHUFFLE, SIM_VOTE, SIM_MATCH, SIM_REDUX, SIM_MATRIX };
struct sim_sync {
    const struct sim_where *where;
    uint32_t pc, mask;
    enum sim_sync_kind kind;
};

/* Lanes of `mask` arrive at barrier `id`. Other `live` lanes of the warp have not arrived (yet). */
struct sim_arrival {
    const struct sim_where *where;
    uint32_t pc, mask;
    unsigned id;
    bool aligned, waits;
};

/* Barrier `id` completes and releases its waiting threads. Arrays are indexed by warp. `whole_block`: the barrier
 * waited for every live thread. */
struct sim_barrier {
    const struct sim_where *where; /* block and slot; warp is that of the last arrival */
    unsigned id;
    bool whole_block;
    bool by_exit;                    /* completed by threads that exited */
    uint32_t arrived[SIM_MAX_WARPS]; /* lanes */
    uint32_t pc[SIM_MAX_WARPS];      /* where the warp's last lanes arrived; UINT32_MAX: none arrived */
    uint32_t call[SIM_MAX_WARPS];    /* the call stack of these lanes */
};

/* The barrier of a cluster: lanes of `mask` arrive at it, or continue after their wait, or all threads of the cluster
 * have arrived. In the last case, `where` is that of the last thread. */
enum sim_cluster_kind { SIM_CLUSTER_ARRIVES, SIM_CLUSTER_COMPLETE, SIM_CLUSTER_PASSES };
struct sim_cluster_event {
    const struct sim_where *where;
    uint32_t pc, mask;
    enum sim_cluster_kind kind;
    bool relaxed, aligned;
};

/* The lanes of `mask` execute a fence. The scope is PTX_MOD_CTA, _CLUSTER, _GPU or _SYS. */
struct sim_fence {
    const struct sim_where *where;
    uint32_t pc, mask;
    enum ptx_mod scope;
};

/* The lanes of `mask` start a copy, or their copies complete. Completion is reported before the store that it causes.
 * Lane l copies `bytes` bytes to offset[l] in shared memory, and reads taken[l] of them from from[l] in `source`. A
 * bulk copy has one event per 128 bytes. If it goes from shared to global memory, an earlier event may report that its
 * source has been read. */
struct sim_copy_event {
    const struct sim_where *where;
    uint32_t pc, mask;
    bool begins, bulk;
    bool combines; /* with the values at its destination */
    bool product;  /* not a copy, but a product of matrices (wgmma) that reads the bytes */
    unsigned bytes;
    uint32_t waits; /* when it completes: the warp that waited for it */
    const struct sim_object *shared,
        *source; /* shared NULL: not to shared memory, or no longer in flight; source NULL: nothing is read */
    const uint64_t *offset, *from;
    const uint8_t *taken;
};
/* An mbarrier is initialized or invalidated at this offset of shared memory. */
struct sim_mbarrier_event {
    const struct sim_where *where;
    uint32_t pc, mask;
    uint64_t offset;
    bool begins;
};

/* A lane has allocated a heap block, or is about to free it. */
struct sim_heap_event {
    const struct sim_where *where;
    uint32_t pc, mask;
    const struct sim_object *object;
    bool begins;
};

struct sim_exit {
    const struct sim_where *where;
    uint32_t pc, mask;
};

/* Operations that the simulator cannot carry out as requested. After a fault that is not `fatal` the run continues: a
 * faulting load returns 0, a faulting store is dropped. */
enum sim_fault_kind {
    SIM_FAULT_BOUNDS, /* address in no object, or past the end of one; .object: the nearest one below, or NULL; .address
                       */
    SIM_FAULT_NULL,   /* address in the first 4096 bytes */
    SIM_FAULT_MISALIGNED,    /* .object, .address, .bytes */
    SIM_FAULT_READ_ONLY,     /* store to const or to a read-only buffer */
    SIM_FAULT_SPACE,         /* address in another state space (a shared offset used as global, ...) */
    SIM_FAULT_SHUFFLE_LANE,  /* a shuffle reads a lane that does not participate: .lanes read from .other_lanes */
    SIM_FAULT_SYNC_MASK,     /* a lane executes a .sync instruction whose mask does not contain it */
    SIM_FAULT_SYNC_MISSING,  /* lanes .other_lanes of the mask can never arrive: exited, or waiting elsewhere
                                (.other_pc) */
    SIM_FAULT_UNDEFINED,     /* .lanes have used an uninitialized register; .text: "stored", ... */
    SIM_FAULT_BARRIER_COUNT, /* thread count not a multiple of 32, or larger than the block */
    SIM_FAULT_DEADLOCK,      /* fatal: nothing can run; one fault for each waiting warp (.pc, .lanes) */
    SIM_FAULT_BUDGET,        /* fatal: instruction budget used up; .pc is in the hottest loop */
    SIM_FAULT_RESIDENCY,     /* all started blocks waited for one that had not started; .text: how it continued */
    SIM_FAULT_TRAP,          /* fatal: trap, brkpt or a failed assert; .text */
    SIM_FAULT_STACK,         /* fatal: call depth exceeded */
    SIM_FAULT_CALL,          /* fatal: indirect call to an address that is not a function's */
    SIM_FAULT_HEAP,          /* invalid free(): .text */
    SIM_FAULT_MBARRIER,      /* invalid use of an mbarrier: .text */
    SIM_FAULT_CLUSTER,       /* invalid use of the cluster's barrier: .text */
    SIM_FAULT_TEXTURE,       /* invalid use of a texture or surface object: .text */
    SIM_FAULT_SURFACE,       /* coordinates outside of the surface .object: .text */
    SIM_FAULT_RANK,          /* shared memory of a block that the cluster does not have; .address, .offset: its rank */
};
struct sim_fault {
    const struct sim_where *where;
    enum sim_fault_kind kind;
    bool fatal;
    uint32_t pc, lanes;
    uint32_t other_pc, other_lanes; /* UINT32_MAX, 0 if unused */
    uint32_t other_call;
    const struct sim_object *object;
    uint64_t address;    /* the generic address that lane `lane` used */
    int64_t offset;      /* from the start of .object */
    bool meant;          /* .object is the one that the address was computed from, even if it is far away */
    uint64_t begin, end; /* the part of .object that the access may touch: all of it, or one shared variable */
    unsigned lane, bytes;
    enum sim_access_kind access;
    enum ptx_space space; /* of the instruction */
    const char *text;
};

/* A block starts or exits in a slot. `completed` is false if the launch was cut short. At the start, a listener of
 * `watch` events may clear *watched if it does not need this block's events: the block then runs at full speed. */
struct sim_block_event {
    const struct sim_where *where;
    bool completed;
    bool *watched; /* NULL at the end */
    bool *spans;   /* the same for spans of 32 lanes: a listener with `counts_whole` may set it */
};

/* Reported before each instruction. The lanes of `mask` are at `pc`, and those of `active` are about to execute it; the
 * guard switches off the others. sim/inspect.h reads the warp's state. With such a listener a launch runs instruction
 * by instruction, which is slower. */
struct sim_watch {
    const struct sim_where *where;
    const struct sim_warp *warp;
    uint32_t pc, mask, active;
    bool *stop; /* a listener sets it to end the launch here */
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
    void (*dropped)(void *self, const struct sim_access *e); /* a misaligned access, reported byte by byte */
    void (*sync)(void *self, const struct sim_sync *e);
    void (*arrival)(void *self, const struct sim_arrival *e);
    void (*barrier)(void *self, const struct sim_barrier *e);
    void (*cluster)(void *self, const struct sim_cluster_event *e);
    void (*fence)(void *self, const struct sim_fence *e);
    void (*proxy_fence)(
        void *self, const struct sim_fence *e); /* a fence between ordinary accesses and bulk copies; it has no scope */
    void (*copy)(void *self, const struct sim_copy_event *e);
    void (*mbarrier)(void *self, const struct sim_mbarrier_event *e);
    void (*heap)(void *self, const struct sim_heap_event *e);
    void (*exit)(void *self, const struct sim_exit *e);
    void (*fault)(void *self, const struct sim_fault *e);
    void (*watch)(void *self, const struct sim_watch *e);
    bool counts_whole; /* the listener only counts spans of 32 lanes */
    bool values;       /* the listener needs `silent` and `agreeing` of accesses */
    bool drops;        /* the listener needs `dropped` of accesses */
    /* Accesses that the listener needs: to memory that is not initialized; to global, or to shared memory. */
    bool unfilled_only, global_only, shared_only;
};
struct sim_listener {
    const struct sim_probe *probe;
    void *self;
};

/* How a launch is measured in parts, which run in parallel on several cores. Each part has its own listeners, which see
 * only the part's blocks. Joined in order, their results must equal those of a single listener. */
struct sim_parts {
    void *context;
    bool (*begin)(void *context, unsigned parts); /* false: not possible */
    void (*listeners)(void *context, unsigned part, const struct sim_listener **listeners, unsigned *count);
    void (*end)(void *context, bool keep); /* keep: join the results; else discard them */
    bool no_atomics; /* results cannot be joined if blocks use atomics on the same locations of global memory */
};

#endif
