/* What the simulator tells those who listen.
 *
 * A probe (probes/, one file a question) is a struct of callbacks; each may be NULL, and an event that nobody listens
 * to is not built. Callbacks run on the thread that simulates, in the order of the simulated events. The simulator
 * knows no probe. */
#ifndef SIM_EVENTS_H
#define SIM_EVENTS_H

#include "ptx/ptx.h"

#define SIM_WARP 32
#define SIM_MAX_THREADS 1024 /* in a block */
#define SIM_MAX_WARPS 32     /* in a block */

/* A contiguous piece of memory that a program may address: a buffer given to the kernel, a module variable, a block's
 * shared memory, a thread's local memory. Offsets in events count bytes from its start. */
enum sim_object_kind { SIM_BUFFER, SIM_VARIABLE, SIM_SHARED_MEMORY, SIM_LOCAL_MEMORY, SIM_PARAMETERS, SIM_HEAP };
struct sim_object {
    enum sim_object_kind kind;
    enum ptx_space space; /* PTX_GLOBAL, PTX_CONST, PTX_SHARED, PTX_LOCAL, PTX_PARAM */
    const char *name;     /* "in", "partial", "s"; shared memory: "shared memory" */
    uint64_t address;     /* generic address of offset 0 */
    uint64_t size;        /* bytes; of a block of the heap that was freed: 0 */
    uint64_t freed;       /* ... and the bytes that it had */
    unsigned id;          /* small, unique among live objects of the simulator; shared: the slot of its block, */
    uint32_t block;       /* and that block: another one than the event's in a cluster */
    unsigned index;   /* among all objects by address, while a launch runs in parts: of use to the simulator alone */
    bool initialized; /* the host wrote it (or it has an initializer): reads before any write are fine */
    bool read_only;   /* const memory, or a buffer that the contract forbids to write */
};

/* A chain of calls: the call instruction at `pc` was executed in the chain `caller`. Chain 0 is the kernel itself. */
struct sim_call {
    uint32_t pc, caller;
};

/* A variable of shared memory: its name in PTX, where it is in a block's shared memory, and its bytes. */
struct sim_symbol {
    const char *name;
    uint64_t offset, size;
};

/* The launch: fixed from launch_begin to launch_end, except for the calls. */
struct sim_launch_info {
    const struct ptx_module *module;
    const struct ptx_function *kernel;
    uint32_t grid[3], block[3], cluster[3];
    uint32_t blocks, threads, warps;         /* in the grid; in a block; in a block */
    uint32_t cluster_blocks;                 /* 1: no clusters */
    bool explicit_cluster;                   /* their size was given */
    uint32_t shared_bytes;                   /* static + dynamic, all of a block's */
    uint32_t slots;                          /* blocks resident at once: slot < slots */
    const struct sim_object *const *objects; /* global and const objects at the launch */
    unsigned object_count;
    const struct sim_symbol *symbols; /* the variables of shared memory that the kernel reaches */
    unsigned symbol_count;
    const struct ptx_insn *const *code; /* by pc: one flat array over all functions of the program */
    uint32_t code_count;
    const struct sim_call *calls; /* chains met so far, by number; NULL while there is none but 0 */
    struct sim_run *run;          /* of use to the simulator alone; NULL: nothing runs */
};
/* A listener takes that many bytes more of the host's memory for what it keeps of the launch. It ends where that comes
 * to more than the launch may take. */
void sim_keep(const struct sim_launch_info *launch, uint64_t bytes);
/* The variable at `offset` of a block's shared memory; NULL: there is none. */
const struct sim_symbol *sim_shared_symbol(const struct sim_launch_info *launch, uint64_t offset);

/* A block's rank in its cluster, and the cluster's number. */
uint32_t sim_cluster_rank(const struct sim_launch_info *launch, uint32_t block, uint32_t *cluster);

/* Which warp: first part of every event. */
struct sim_where {
    const struct sim_launch_info *launch;
    uint32_t block;    /* linear index in the grid */
    uint32_t slot;     /* resident slot, reused by later blocks; a cluster has neighbors, from a multiple of its size */
    uint32_t warp;     /* index in the block */
    uint32_t launched; /* lanes that the warp was launched with */
    uint32_t live;     /* lanes that have not exited */
    uint32_t call;     /* the chain of calls that the event's lanes are in; past 4096 of them, an outer one */
};

/* Instructions begin..end-1 were executed one after the other by the lanes of `mask`. Together the spans of a warp give
 * every executed warp-instruction exactly once. An instruction whose guard switches off some lanes of a split has a
 * span of its own, with the lanes that did execute it (none: no span). A span ends before its lanes continue past a
 * barrier or a warp-wide exchange. */
struct sim_span {
    const struct sim_where *where;
    uint32_t begin, end, mask;
};

/* A branch (or brx, or guarded exit) at `pc` sent some lanes of `mask` elsewhere: `taken`, neither empty nor all of
 * mask. `join` is the pc of its immediate post-dominator, or UINT32_MAX for the end of the function. */
struct sim_branch {
    const struct sim_where *where;
    uint32_t pc, mask, taken, join;
};

/* Memory that is not sequentially consistent (sim_schedule.stale): what a load may be given instead of what memory
 * holds now. A listener that knows that a lane's load is not ordered behind a store puts the bytes from before that
 * store into value[lane], which has the bytes of now, and the lane into `lanes`. */
#define SIM_ANY_LINE UINT32_MAX
#define SIM_VALUE 32 /* bytes of a lane in one access, at most */
struct sim_stale {
    uint32_t lanes, line; /* line: of the loads that are meant, or SIM_ANY_LINE */
    uint64_t seed;        /* 0: each such load is given it; else some, drawn by it */
    uint8_t value[SIM_WARP][SIM_VALUE];
};

enum sim_access_kind { SIM_LOAD, SIM_STORE, SIM_ATOMIC /* atom and red: reads and writes */ };
/* One warp-wide access to one object. Lanes that fell outside every object are not in it (they are a fault). All lanes
 * access `bytes` bytes each, from offset[lane]; a vector access is one access of its whole width. If `contiguous`, then
 * offset[lane] == offset[lowest lane] + (lane - lowest lane) * bytes for all lanes of mask. */
struct sim_access {
    const struct sim_where *where;
    uint32_t pc, mask;
    enum sim_access_kind kind;
    const struct sim_object *object;
    uint16_t bytes;
    bool contiguous;
    bool strong;           /* volatile, relaxed, acquire, release or atomic */
    bool acquire, release; /* by its own semantics (ld.acquire, st.release, atom.acq_rel) */
    bool is_volatile;
    bool texture;            /* by way of a texture or surface object: its cache sees no store of this launch */
    uint32_t silent;         /* lanes whose store did not change memory; where nobody wants `values`: 0 */
    uint32_t agreeing;       /* lanes whose value is in memory after the store, whichever lane was last; the same */
    bool result_unused;      /* an atomic whose result no instruction reads */
    bool compared;           /* a load whose value only feeds a later compare-and-swap at its place */
    uint32_t dropped;        /* lanes of a load whose value reaches no store, address or branch of that lane */
    bool data;               /* a strong load whose value is computed with or stored, and decides no branch */
    enum ptx_mod scope;      /* PTX_MOD_CTA, _CLUSTER, _GPU (also for .gl), _SYS; PTX_MOD_NONE: not given */
    const uint64_t *offset;  /* [32] */
    struct sim_stale *stale; /* a load where memory is not sequentially consistent; else NULL */
    const uint8_t (*before)[SIM_VALUE]; /* a store or atomic there: what memory held before it, by lane; else NULL */
};

/* Lanes of `mask` have met in a warp-wide synchronization. Only SIM_SYNCWARP orders memory; all of them end a step. */
enum sim_sync_kind { SIM_SYNCWARP, SIM_SHUFFLE, SIM_VOTE, SIM_MATCH, SIM_REDUX, SIM_MATRIX };
struct sim_sync {
    const struct sim_where *where;
    uint32_t pc, mask;
    enum sim_sync_kind kind;
};

/* Lanes of `mask` arrive at barrier `id`. `live` lanes of the warp that are not in mask have not come (yet). */
struct sim_arrival {
    const struct sim_where *where;
    uint32_t pc, mask;
    unsigned id;
    bool aligned, waits;
};

/* Barrier `id` is complete and releases its waiting threads. Arrays are by warp. `whole_block`: it waited for every
 * live thread. */
struct sim_barrier {
    const struct sim_where *where; /* block and slot; warp is that of the last arrival */
    unsigned id;
    bool whole_block;
    bool by_exit;                    /* it was completed by threads that exited */
    uint32_t arrived[SIM_MAX_WARPS]; /* lanes */
    uint32_t pc[SIM_MAX_WARPS];      /* where (the last of) the warp's lanes arrived; UINT32_MAX if none */
    uint32_t call[SIM_MAX_WARPS];    /* and in which chain of calls */
};

/* The barrier of a cluster: lanes of `mask` arrive at it, or go on past their wait; or all threads of the cluster have
 * arrived: `where` is then that of the last. */
enum sim_cluster_kind { SIM_CLUSTER_ARRIVES, SIM_CLUSTER_COMPLETE, SIM_CLUSTER_PASSES };
struct sim_cluster_event {
    const struct sim_where *where;
    uint32_t pc, mask;
    enum sim_cluster_kind kind;
    bool relaxed, aligned;
};

/* A membar/fence by the lanes of `mask`; scope PTX_MOD_CTA, _CLUSTER, _GPU or _SYS. */
struct sim_fence {
    const struct sim_where *where;
    uint32_t pc, mask;
    enum ptx_mod scope;
};

/* Lanes of `mask` begin a copy of `bytes` bytes each, from from[lane] in `source`, of which taken[lane] bytes are read,
 * to offset[lane] in shared memory; or it has taken place, which is reported before its store. */
struct sim_copy_event {
    const struct sim_where *where;
    uint32_t pc, mask;
    bool begins;
    unsigned bytes;
    const struct sim_object *shared, *source; /* source: NULL where nothing is read */
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

/* A lane has taken a block of the heap, or is about to give it back. */
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

/* What the simulator itself cannot carry out as the program asks. After a fault that is not `fatal` the run continues:
 * a bad load gives 0, a bad store is dropped. */
enum sim_fault_kind {
    SIM_FAULT_BOUNDS,        /* address in no object, or past its end; .object: the nearest below, or NULL; .address */
    SIM_FAULT_NULL,          /* address in the first 4096 bytes */
    SIM_FAULT_MISALIGNED,    /* .object, .address, .bytes */
    SIM_FAULT_READ_ONLY,     /* store to const or to a read-only buffer */
    SIM_FAULT_SPACE,         /* address of another state space (a shared offset used as global, ...) */
    SIM_FAULT_SHUFFLE_LANE,  /* shuffle reads a lane that does not take part: .lanes read from .other_lanes */
    SIM_FAULT_SYNC_MASK,     /* a lane executes a .sync instruction that its own mask does not name */
    SIM_FAULT_SYNC_MISSING,  /* lanes .other_lanes of the mask can never come: exited, or wait elsewhere (.other_pc) */
    SIM_FAULT_UNDEFINED,     /* .lanes have used a register that nothing was assigned to; .text: "stored", ... */
    SIM_FAULT_BARRIER_COUNT, /* count not a multiple of 32, or more than the block */
    SIM_FAULT_DEADLOCK,      /* fatal: nothing can run; one fault for each waiting warp (.pc, .lanes) */
    SIM_FAULT_BUDGET,        /* fatal: instruction budget used up; .pc in the hottest loop */
    SIM_FAULT_RESIDENCY,     /* all blocks that had started waited for one that had not; .text: how it went on */
    SIM_FAULT_TRAP,          /* fatal: trap, brkpt or a failed assert; .text */
    SIM_FAULT_STACK,         /* fatal: call depth */
    SIM_FAULT_CALL,          /* fatal: indirect call to no function */
    SIM_FAULT_HEAP,          /* .text: what was freed that must not be */
    SIM_FAULT_MBARRIER,      /* .text: what was done with an mbarrier that must not be */
    SIM_FAULT_CLUSTER,       /* .text: what was done with the barrier of the cluster that must not be */
    SIM_FAULT_TEXTURE,       /* .text: what was done with a texture or surface object that must not be */
    SIM_FAULT_SURFACE,       /* .text: coordinates outside of the surface .object */
    SIM_FAULT_RANK,          /* shared memory of a block that the cluster does not have; .address, .offset: its rank */
};
struct sim_fault {
    const struct sim_where *where;
    enum sim_fault_kind kind;
    bool fatal;
    uint32_t pc, lanes;
    uint32_t other_pc, other_lanes; /* UINT32_MAX, 0 where not used */
    uint32_t other_call;
    const struct sim_object *object;
    uint64_t address;    /* generic address that lane `lane` asked for */
    int64_t offset;      /* from the start of .object */
    bool meant;          /* .object is the one that the address was made from, however far it is */
    uint64_t begin, end; /* the part of .object that the access may access: all of it, or one shared variable */
    unsigned lane, bytes;
    enum sim_access_kind access;
    enum ptx_space space; /* of the instruction */
    const char *text;
};

/* A block starts or has ended in a slot. `completed` is false where the launch was cut short. At the start, a listener
 * of `watch` events may clear *watched where it does not need this block's: it is reported of none, and the block runs
 * at full speed. */
struct sim_block_event {
    const struct sim_where *where;
    bool completed;
    bool *watched; /* NULL at the end */
};

/* Before each instruction: the lanes of `mask` are at `pc`, those of `active` are about to execute it (the others are
 * switched off by its guard). What the warp holds is to be read with sim/inspect.h. A launch with such a listener goes
 * one instruction at a time; without one nothing is lost. */
struct sim_watch {
    const struct sim_where *where;
    const struct sim_warp *warp;
    uint32_t pc, mask, active;
    bool *stop; /* set it to end the launch here */
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
    void (*dropped)(void *self,
                    const struct sim_access *e); /* bytes of a misaligned access, one of each lane at a time */
    void (*sync)(void *self, const struct sim_sync *e);
    void (*arrival)(void *self, const struct sim_arrival *e);
    void (*barrier)(void *self, const struct sim_barrier *e);
    void (*cluster)(void *self, const struct sim_cluster_event *e);
    void (*fence)(void *self, const struct sim_fence *e);
    void (*copy)(void *self, const struct sim_copy_event *e);
    void (*mbarrier)(void *self, const struct sim_mbarrier_event *e);
    void (*heap)(void *self, const struct sim_heap_event *e);
    void (*exit)(void *self, const struct sim_exit *e);
    void (*fault)(void *self, const struct sim_fault *e);
    void (*watch)(void *self, const struct sim_watch *e);
    bool values; /* it looks at what stores change: `silent` and `agreeing` of accesses */
};
struct sim_listener {
    const struct sim_probe *probe;
    void *self;
};

/* How a launch is measured in parts, which run at once on several cores. Each part has listeners of its own, which see
 * its blocks as if they were all; joined in their order they must come to what one listener of all blocks would have
 * seen. */
struct sim_parts {
    void *context;
    bool (*begin)(void *context, unsigned parts); /* false: not possible */
    void (*listeners)(void *context, unsigned part, const struct sim_listener **listeners, unsigned *count);
    void (*end)(void *context, bool keep); /* keep: join them; else as if there had been none */
    bool no_atomics; /* they cannot be joined where blocks update the same places of global memory */
};

#endif
