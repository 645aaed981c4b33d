/* Internals of the simulator: the decoded program and the state of grid, block and warp. Only files in sim/ include
 * this. */
#ifndef SIM_MACHINE_H
#define SIM_MACHINE_H

#include "sim/sim.h"

#define SIM_FULL UINT32_MAX /* mask of all 32 lanes */
#define SIM_NO_PC UINT32_MAX
#define SIM_MAX_CALL_DEPTH 512
#define SIM_LOCAL_LIMIT (1u << 18) /* bytes of local memory per thread */

/* The generic address space has a window for each space that is private to a block or a thread; the rest is global. */
#define SIM_SHARED_WINDOW UINT64_C(0x010000000000)
#define SIM_LOCAL_WINDOW UINT64_C(0x020000000000)
#define SIM_PARAM_WINDOW UINT64_C(0x030000000000)
#define SIM_WINDOW_SIZE UINT64_C(0x000001000000)
/* A block sees its own shared memory in the first window of this size. In window r + 1 it sees the shared memory of
 * rank r in its cluster, which may be itself. */
#define SIM_CLUSTER_WINDOWS (256 * SIM_WINDOW_SIZE)
#define SIM_GLOBAL_BASE UINT64_C(0x700000000000)

struct sim_warp;
struct sim_insn;
struct sim_ahead;

/* An instruction's handler. Executes the instruction for the lanes of `mask`, which is never 0. */
typedef void sim_exec(struct sim_warp *w, const struct sim_insn *i, uint32_t mask);
/* Sets the handler of a decoded instruction. */
typedef void sim_form(struct sim_insn *i);

#define SIM_NO_ROW UINT32_MAX /* the operand is absent */
enum {
    SIM_CONTROL = 1, /* may change pc, mask or readiness, so it ends a span */
    SIM_GUARDED = 2, /* has a guard */
    SIM_BRANCH = 4,  /* bra */
    SIM_TRACKED = 8, /* a shuffle or redux that undefined.c tracks */
};
enum { SIM_NOT_A = 1, SIM_NOT_B = 2, SIM_NOT_C = 4 }; /* the source is a predicate with `!` */
enum {
    SIM_USE_COMPARED = 1,
    SIM_USE_DATA = 2,
    SIM_USE_DROPPED = 4
}; /* how a load's value is used: found by uses.c and dropped.c */

/* What an access may touch: the object that its address must have been computed from. */
enum sim_origin {
    SIM_OF_SHARED,    /* bytes [begin, end) of the block's shared memory */
    SIM_OF_PARAMETER, /* the object that the kernel's 8-byte parameter at offset `begin` points to, or just past */
    SIM_OF_VARIABLE   /* variable number `begin` of the module, in global or const memory */
};
struct sim_bounds {
    uint32_t begin, end;
    enum sim_origin of;
};

/* A decoded instruction: 64 bytes, one cache line. Rows are byte offsets into the warp's frame; a predicate's row is a
 * 32-bit lane mask. The instruction's decoder in ops.def determines which part of the union is used. */
struct sim_insn {
    sim_exec *exec;
    union {
        sim_exec *inner; /* called by exec: the handler inside a wrapper (rounding, saturation), the comparison of
                            `set`, or what lanes compute once they have synchronized */
        const struct sim_bounds
            *bounds; /* ld, st, atom, red: bounds of the object that the address was computed from; NULL: unknown */
    };
    const struct ptx_insn *source;
    uint32_t d, a, b, c; /* rows: the destination, and the sources in order */
    uint32_t guard;      /* the predicate's row, or SIM_NO_ROW */
    bool guard_negated;
    uint8_t flags, negated; /* SIM_CONTROL and so on; SIM_NOT_A and so on */
    union {
        struct {        /* for decode_operands(), decode_compare(): */
            uint32_t e; /* row of the fourth source */
            uint32_t p; /* row of the second destination, a predicate, or SIM_NO_ROW */
        };
        struct { /* ld, st, atom, red: a is the row of the address, d of the loaded value, b and c of stored ones */
            int64_t offset;       /* offset that is added to the address */
            uint8_t bytes;        /* bytes of one element */
            uint8_t width;        /* bytes of the loaded or stored register */
            uint8_t address_bits; /* bits of the address registers; 0: there are none, and all lanes use one address */
            uint8_t space;        /* enum ptx_space, as written in PTX */
            bool in_frame;        /* the address is relative to the local memory of the current function */
            bool result_unused;   /* atom, red: no instruction reads the old value */
            uint8_t uses;         /* ld: SIM_USE_COMPARED and so on */
        } memory;
        struct {             /* cvta; mov and cvta of a .local variable */
            uint64_t offset; /* cvta: added to a; mov: the address in the local memory of the current function */
            uint8_t width;   /* size of d's registers */
        } address;
        struct { /* mov of the address of a function's parameter, whose rows begin at a */
            int64_t offset;
            uint32_t home;  /* the parameter's offset in the function's local memory */
            uint32_t bytes; /* its size */
        } parameter;
        struct { /* cvt: widths of the registers in bits */
            uint8_t to_bits, from_bits;
        } convert;
        struct { /* bra, brx.idx, ret, exit: the guard becomes a condition, and all lanes execute the branch */
            uint32_t condition; /* row, or SIM_NO_ROW */
            uint32_t target;    /* pc; bra */
        } branch;
        struct {              /* lanes that synchronize: */
            uint32_t members; /* row of the mask of lanes to wait for */
            uint32_t p;       /* row of the second destination, a predicate, or SIM_NO_ROW */
            uint8_t kind;     /* enum sim_sync_kind */
        } exchange;
        struct { /* barriers: a, b, c are the rows of the number, the thread count and the predicate, or SIM_NO_ROW */
            bool aligned, waits;
            bool plain;    /* a bar.sync of the whole block */
            uint8_t gives; /* sync.c: enum barrier_result */
        } barrier;
    };
};
_Static_assert(sizeof(struct sim_insn) <= 64, "a decoded instruction is at most a cache line");

/* The layout of a function's registers in a frame. Rows are aligned to 64 bytes and have 32 lanes of 2, 4 or 8 bytes; a
 * predicate's row has 4 bytes. */
struct sim_fill {
    uint32_t offset;
    uint8_t bits;
    enum ptx_special special;
    uint64_t value;
    bool is_special, varies; /* varies: the value differs from block to block */
};
/* The first and last instruction of a function between which it needs a register's value. */
struct sim_extent {
    uint32_t first, last;
};
struct sim_function {
    const struct ptx_function *source;
    uint32_t entry, end;  /* pcs */
    uint32_t frame_bytes; /* bytes of registers, constants and parameter rows */
    uint32_t local_bytes;
    bool calls;                /* the function calls others with a body, which need local memory of their own */
    uint32_t *register_offset; /* by register index */
    struct sim_extent *extent; /* by register index, if registers share rows; else NULL */
    uint32_t
        *param_offset; /* by index in source->params: offset in the parameter buffer (kernel) or of rows in the frame */
    uint32_t *local_offset; /* by index in source->locals: the offset, of .local in the depot, of .param rows in the
                               frame, of .shared in shared memory */
    uint32_t result_offset; /* offset of the return value's rows */
    uint32_t param_bytes;   /* bytes of a kernel's parameter buffer */
    struct sim_fill *fills; /* constants and special registers to write when a frame is created */
    unsigned fill_count, fill_capacity;
    uint32_t *zero;
    unsigned zero_count;   /* rows that may be read before they are written: cleared when a frame is created */
    uint32_t *undefined;   /* for each of these: offset of the mask of uninitialized lanes (undefined.c) */
    uint32_t shared_bytes; /* kernels: bytes of static shared memory, after which dynamic shared memory begins */
    uint32_t reserved_offset, reserved_bytes; /* kernels: the part for %reserved_smem_offset_*; 0: not used */
    struct sim_symbol *symbols;
    unsigned symbol_count;   /* kernels: the shared variables that the kernel reaches */
    struct sim_ahead *ahead; /* for loads whose value may be dropped; NULL: no such loads */
};

struct sim_program {
    const struct ptx_module *module;
    struct sim_function *functions; /* functions in the order of module->functions */
    struct sim_insn *code;
    const struct ptx_insn **source; /* by pc */
    uint32_t *function_of;          /* by pc: index of the function */
    uint32_t code_count;
    uint64_t grid_workspace;             /* address of PTX_GRID_WORKSPACE; 0: not needed */
    uint64_t *variable_address;          /* by module variable index: generic address of global and const ones */
    uint32_t *shared_offset;             /* by module variable index: offset of shared ones */
    struct sim_bounds *bounds;           /* bounds of accesses that have them, in the order of pc */
    struct sim_tracked *tracked;         /* undefined.c: the instructions that undefined values may reach */
    uint32_t *tracked_of, tracked_count; /* by pc: index in `tracked`; NULL if there are none */
    const char *isa;
    uint64_t (*combine)(enum ptx_mod op, enum ptx_type t, uint64_t old,
                        uint64_t x); /* combines elements in bulk reductions */
};

/* The handlers for one instruction set of the host, compiled from exec.c. LANE rows have handlers by [with
 * .ftz][op][type], FORM rows have functions that select handlers. NULL: not defined for that type, or a row of another
 * kind. */
struct sim_handlers {
    const char *isa;
    uint64_t (*combine)(enum ptx_mod op, enum ptx_type t, uint64_t old,
                        uint64_t x); /* combines elements in bulk reductions */
    sim_exec *lane[2][PTX_OP_COUNT][PTX_TYPE_COUNT];
    sim_form *form[PTX_OP_COUNT];
};
extern const struct sim_handlers sim_handlers_baseline, sim_handlers_avx2, sim_handlers_avx512;
/* control.c, sync.c: handlers of CONTROL rows, which are the same for all instruction sets. */
#define CONTROL(id, mnemonic, operands, types, types2, allow, decoder, handler, ...) sim_form sim_form_##handler;
#include "ptx/ops.def"
sim_exec sim_exec_clock;   /* mov from a clock register */
sim_exec sim_exec_texture; /* fetch.c: tex, suld and so on */
sim_exec sim_exec_video;   /* video.c */
/* parameters.c: takes addresses of a function's variables, and accesses parameters of functions, which are in rows. */
sim_exec sim_exec_local_address, sim_exec_parameter_address, sim_exec_load_parameter, sim_exec_store_parameter;
/* A function's parameter has a row for each of its 4-byte words: word k of all lanes, then word k + 1. */
enum { SIM_PARAMETER_ROW = 4 * SIM_WARP };

/* ---- memory --------------------------------------------------------------------------------- */
struct sim_sparse;
struct sim_memory {
    struct sim_object object;
    uint8_t *data; /* NULL if the memory is sparse */
    struct sim_sparse *sparse;
    bool borrowed; /* the caller owns `data` */
    char name[64];
};

/* A program loaded into a memory, with its variables. */
struct sim_loaded {
    const struct sim_program *program;
    struct sim_memory **variable; /* by module variable index; NULL for shared variables */
};
struct sim {
    const struct sim_program *program; /* for launches that name no program */
    struct sim_loaded *loaded;
    unsigned loaded_count, loaded_capacity;
    struct sim_options options;
    struct sim_memory **objects;
    unsigned object_count, object_capacity; /* sorted by address */
    uint64_t next_address, used;
    uint64_t heap_used;     /* bytes of the device heap: heap.c */
    struct sim_view *views; /* texture and surface objects, indexed by handle - 1: texture.c */
    unsigned view_count, view_capacity;
    unsigned next_id;
    size_t printed;
    const struct sim_function *launched; /* the last kernel, and the bytes of its frames with those of its calls */
    uint32_t frames_end;
};
uint64_t sim_memory_limit(const struct sim *s);
/* sparse.c: memory of `bytes` bytes, at first a repeated pattern of `period` bytes. NULL or false: out of memory.
 * Freeing or filling releases the pages; sim_sparse_free() returns their size in bytes. */
struct sim_sparse *sim_sparse_new(uint64_t bytes, const void *pattern, uint64_t period);
uint64_t sim_sparse_free(struct sim_sparse *x);
bool sim_sparse_fill(struct sim *s, struct sim_sparse *x, const void *pattern, uint64_t period);
bool sim_sparse_make(struct sim *s, struct sim_sparse *x, struct sim_maker maker);
bool sim_sparse_is_made(
    const struct sim_sparse *x); /* a maker makes the contents, so each thread that reads them needs a view */
/* A read-only view for one thread. NULL: the memory has been written, or out of memory. sim_sparse_free() it. */
struct sim_sparse *sim_sparse_view(const struct sim_sparse *x);
/* A repeated pattern (NULL: none), followed by the beginning of its next copy. `inverse` is 2^64 / length, rounded
 * down, at most UINT64_MAX. Bytes before `end` are in no page that was written. */
struct sim_period {
    uint8_t *bytes;
    uint64_t length, inverse, end;
};
/* offset % length, in a third of the time of a division. The computed quotient is exact or 1 too small. */
static inline uint64_t sim_in_period(const struct sim_period *p, uint64_t offset) {
    const uint64_t times = (uint64_t)((unsigned __int128)offset * p->inverse >> 64), rest = offset - times * p->length;
    return rest >= p->length ? rest - p->length : rest;
}
const struct sim_period *sim_sparse_period(const struct sim_sparse *x); /* NULL: no pattern */
/* The address of the byte at `offset`, valid to the end of its page. NULL: the memory limit is exceeded, or out of
 * memory. */
enum { SIM_PAGE = 1 << 14 };
uint8_t *sim_sparse_at(struct sim *s, struct sim_sparse *x, uint64_t offset, bool writes);
static inline uint8_t *sim_at(struct sim *s, struct sim_memory *m, uint64_t offset, bool writes) {
    return m->sparse ? sim_sparse_at(s, m->sparse, offset, writes) : m->data + offset;
}
/* The object that contains the address (*inside), or the nearest one below it (not *inside), or NULL. */
struct sim_memory *sim_find(const struct sim *s, uint64_t address, bool *inside);

/* ---- warp ----------------------------------------------------------------------------------- */
/* A call stack. Splits that made the call together share it. */
struct sim_frame {
    struct sim_frame *caller;
    uint32_t return_pc, base, local_base, depth, references;
    uint32_t local_end; /* bytes of local memory in use per thread, including the callee's */
    uint32_t chain;     /* index in sim_launch_info.calls */
    const struct sim_insn *call;
};
enum sim_split_state { SPLIT_READY, SPLIT_BARRIER, SPLIT_SYNC, SPLIT_CLUSTER };
/* Lanes that share a pc and a call stack. */
struct sim_split {
    uint32_t pc, mask;
    struct sim_frame *frame;
    enum sim_split_state state;
    uint32_t members;    /* SPLIT_SYNC: mask of the lanes that it waits for */
    uint32_t barrier;    /* SPLIT_BARRIER: id */
    uint32_t rest;       /* incremented each time that it has spun for long, so that others go first */
    uint32_t back_edges; /* backward jumps since `rest` was incremented */
    uint32_t order; /* splits of lower order go first, and splits of different order do not merge: sim_schedule.lane */
    uint32_t hold;  /* the split runs before others up to this pc, a branch's join; SIM_NO_PC: it does not */
    bool parked;    /* it spins in a loop that changes nothing, so it need not run until memory changes */
    uint32_t seen_pc; /* start of the loop whose registers were last checked */
    uint64_t seen;    /* ... their hash, ... */
    uint64_t seen_at; /* run->changes at that time or, if parked, when it was parked */
};
struct sim_warp {
    uint8_t *r;             /* frame of the current split */
    struct sim_where where; /* block, warp, launched, live */
    struct sim_block *block;
    uint8_t *registers;
    unsigned splits, current;
    bool changed; /* a control handler has changed pc, mask or states */
    struct sim_split split[SIM_WARP];
    uint32_t register_bytes;
    uint8_t *local;
    uint32_t local_bytes; /* per thread; lane l's memory begins at local + l * local_bytes */
    struct sim_memory local_memory;
    uint32_t carry;            /* lanes whose carry flag is set */
    uint32_t looked_in_vain;   /* ahead.c: number of looks without a result */
    struct sim_frame root;     /* the kernel's own frame */
    bool prepared;             /* the root frame still has the constants of an earlier block of the launch */
    struct sim_memory *last;   /* global object of the last access, where the next lookup starts */
    uint64_t executed;         /* warp-instructions */
    struct sim_copies *copies; /* async.c: copies in flight; NULL: none so far */
    uint32_t arrived, passing; /* cluster.c: lanes that have arrived; lanes that need not wait, because all threads have
                                  arrived since then */
};

struct sim_barrier_state {
    uint32_t count;   /* number of threads to wait for; 0: the whole block */
    uint32_t arrived; /* threads */
    uint32_t lanes[SIM_MAX_WARPS], pc[SIM_MAX_WARPS], call[SIM_MAX_WARPS];
    uint32_t votes; /* threads whose predicate held */
    bool red;       /* a thread waits for the result of bar.red */
};
struct sim_block {
    struct sim_run *run;
    uint32_t index, slot, ctaid[3];
    struct sim_memory *params; /* the run's parameters */
    bool active;
    bool watched;  /* a listener needs the block's instructions one at a time */
    bool spans;    /* ... or its spans of whole warps */
    uint32_t live; /* threads */
    struct sim_warp *warps;
    unsigned warp_count;
    struct sim_memory shared;         /* as the block itself addresses it */
    struct sim_memory shared_by_rank; /* as mapa maps it for the blocks of the cluster */
    uint32_t rank;                    /* in the cluster */
    struct sim_block **cluster;       /* the cluster's blocks, by rank */
    uint32_t arrived;                 /* number of live threads that have arrived at the cluster's barrier */
    bool any_arrived;                 /* a thread has arrived, and may have exited since */
    struct sim_barrier_state barrier[16];
    uint32_t pending;                /* bits: barriers with arrivals */
    struct sim_groups *groups;       /* wgmma.c: products that the block's warps have begun; NULL: none so far */
    struct sim_bulks *bulks;         /* bulk.c: copies that the block's threads have begun; NULL: none so far */
    struct sim_mbarriers *mbarriers; /* mbarrier.c; NULL: none so far */
    uint64_t random;                 /* decides the order of warps and of the sides of branches */
    uint64_t turn;                   /* instructions of this block in its current turn */
    bool progress;                   /* something happened that may let waiting splits continue */
    bool waits; /* all runnable threads spin, and memory has not changed since run->changes was ... */
    uint64_t waits_since;
};

/* ---- launch --------------------------------------------------------------------------------- */
#define SIM_MAX_LISTENERS 20
#define SIM_MAX_CHAINS 4096
/* The offsets of a function's frames, by call depth; 0: none yet. */
struct sim_bases {
    uint32_t *at, count;
};
/* The call stacks of a launch. Each one has a list of the stacks that extend it. */
struct sim_chains {
    struct sim_call call[SIM_MAX_CHAINS];
    uint32_t first[SIM_MAX_CHAINS], next[SIM_MAX_CHAINS]; /* 0: none */
    uint32_t count;
};
struct sim_channel {
    unsigned count;
    struct {
        void (*call)(void);
        void *self;
    } to[SIM_MAX_LISTENERS];
};
enum sim_accesses { SIM_TO_SHARED, SIM_TO_GLOBAL, SIM_TO_FILLED_GLOBAL, SIM_TO_OTHER, SIM_TO_FILLED, SIM_ACCESSES };
/* Threads that waited for a block that had not started. */
struct sim_waiter {
    struct sim_where where;
    uint32_t pc, lanes;
};
enum { SIM_MAX_WAITERS = 8 };
/* children.c: a launch, copy or fill by a kernel, or a request for a parameter buffer. */
struct sim_child {
    const struct ptx_function *kernel;
    struct sim_rows *rows; /* of a copy or fill */
    uint32_t grid[3], block[3], shared;
    uint64_t buffer; /* buffer for parameters, while a thread fills it */
    uint8_t *params;
    struct sim_child *next;
};
struct sim_children {
    struct sim_child *first, *last;
    unsigned count;
};
/* A launch with its child launches: its depth, and the limits and counts for all of them together. */
struct sim_nest {
    unsigned depth;
    uint64_t budget, executed, spent, products, launches;
    unsigned parts;
};
typedef enum sim_status sim_launcher(struct sim *s, const struct sim_launch *launch, struct sim_nest *nest,
                                     struct sim_error *error);
struct sim_run {
    struct sim *sim;
    const struct sim_program *program;
    struct sim_memory **variable; /* the program's variables, by index */
    const struct sim_function *kernel;
    struct sim_launch_info info;
    struct sim_chains *chains;          /* allocated at the first call */
    struct sim_look *look;              /* ahead.c: scratch memory, allocated on first use */
    struct sim_bases *bases;            /* by function: the offsets of its frames */
    uint32_t frames_end, frames_before; /* bytes of frames: in this launch so far; in the last launch of this kernel */
    struct sim_memory params, idle;     /* parameters of blocks in the sample, and of the other blocks */
    const uint32_t *sample;             /* the sampled blocks; NULL: all blocks run alike */
    uint32_t sample_count;
    struct sim_memory **pointed; /* for each 8 bytes of the parameters: the object that they point to, or NULL */
    struct sim_block **blocks;   /* by slot; NULL: not yet allocated */
    struct sim_block **ranked;   /* by slot: the blocks of each cluster, by rank */
    struct sim_waiter waiter[SIM_MAX_WAITERS]; /* waiters at different places */
    unsigned waiters;
    bool cooperative; /* all blocks are resident, and may wait for each other */
    uint32_t slots;
    uint64_t executed, budget, extra; /* warp-instructions; extra: what faults and matrix products cost in addition */
    uint64_t products;                /* matrix products that it executed */
    uint32_t ended;                   /* blocks */
    uint64_t place;                   /* where the numbers of SMs, warps and clocks begin; 0: at 0 */
    uint64_t changes;                 /* incremented when memory changes, a barrier completes, or a thread exits */
    bool stopped;                     /* a fatal fault */
    bool no_memory;                   /* the launch is stopped, because a page could not be allocated */
    bool kept_much;                   /* the launch is stopped, because listeners use too much memory */
    uint64_t kept, may_keep;          /* bytes of host memory used by listeners */
    bool traced;                      /* a listener needs spans */
    bool spans;                       /* ... those of whole warps, too */
    uint64_t *whole_spans;            /* info.whole_spans; NULL: not traced, or out of memory */
    bool heard;                       /* a listener needs accesses, or they are marked for parts.c */
    bool values;                      /* a listener needs sim_access.silent and .agreeing */
    bool drops;                       /* ... or .dropped */
    bool weak;                        /* memory is not sequentially consistent */
    unsigned parts;                   /* number of parts in which the launch ran; 0: not in parts */
    uint8_t **marks; /* of a part of a launch, by object: marks of what it has read and written; NULL: not marked */
    struct sim_sparse **view;    /* of a part, by object: its view of contents that a maker makes; NULL: not needed */
    unsigned depth, child_error; /* depth: 0 for the host's launch; child_error: the last error of a child launch */
    struct sim_child *asked;     /* child launches whose parameters are being stored */
    struct sim_children children, tails;       /* launches that run after this one; the count includes both */
    struct sim_channel accesses[SIM_ACCESSES]; /* access, by sim_access_channel() */
    struct sim_channel launch_begin, launch_end, block_begin, block_end, span, branch, access, dropped, sync, arrival,
        barrier, cluster, fence, proxy_fence, copy, mbarrier, heap, exit, fault, watch;
};
#define SIM_EMIT_TO(channel, event, e)                                                                                 \
    do {                                                                                                               \
        for (unsigned k_ = 0; k_ < (channel).count; k_++)                                                              \
            ((__typeof__(((struct sim_probe *)0)->event))(channel).to[k_].call)((channel).to[k_].self, (e));           \
    } while (0)
#define SIM_EMIT(run, event, e) SIM_EMIT_TO((run)->event, event, e)
/* Which listeners need accesses to the object: a number of enum sim_accesses. */
static inline unsigned sim_access_channel(const struct sim_object *o) {
    return o->space == PTX_SHARED ? SIM_TO_SHARED : SIM_TO_GLOBAL + o->initialized + 2 * (o->space != PTX_GLOBAL);
}

static inline uint32_t sim_align(uint32_t x, uint32_t to) { return (x + to - 1) / to * to; }
/* The start of a space's window in the generic address space; 0: the space has no window. */
static inline uint64_t sim_window(enum ptx_space s) {
    return s == PTX_SHARED  ? SIM_SHARED_WINDOW
           : s == PTX_LOCAL ? SIM_LOCAL_WINDOW
           : s == PTX_PARAM ? SIM_PARAM_WINDOW
                            : 0;
}
/* ahead.c: the lanes in `mask` that drop the value of this load. */
uint32_t sim_dropped(struct sim_warp *w, const struct sim_insn *i, uint32_t mask);
void sim_forget_looks(struct sim_run *run);
/* undefined.c */
void sim_track_exchange(struct sim_warp *w, const struct sim_insn *i, uint32_t present, const uint8_t *from);
/* warp.c */
void sim_warp_start(struct sim_warp *w);
void sim_warp_free(struct sim_warp *w);
void sim_warp_run(struct sim_warp *w,
                  uint64_t quantum); /* runs until no split is ready, or for about `quantum` instructions */
void sim_frame_enter(struct sim_warp *w, const struct sim_function *f, uint32_t base, uint32_t mask, bool again);
bool sim_frame_reserve(struct sim_warp *w, uint32_t bytes);
void sim_frame_release(struct sim_frame *f);
void sim_split_merge(struct sim_warp *w);
bool sim_waits_for_memory(const struct sim_block *b); /* a split is parked */
static inline struct sim_split *sim_current(struct sim_warp *w) { return &w->split[w->current]; }
/* Divides the current split: lanes of `leave` continue at `pc` in a new split, which is returned. */
struct sim_split *sim_split_off(struct sim_warp *w, uint32_t leave, uint32_t pc);

/* Sets the split for the next events. */
static inline void sim_set_current(struct sim_warp *w, const struct sim_split *s) {
    w->current = (unsigned)(s - w->split);
    w->r = w->registers + s->frame->base;
    w->where.call = s->frame->chain;
    w->local_memory.object.size = s->frame->local_end;
}

/* control.c */
void sim_exit_lanes(struct sim_warp *w, uint32_t pc, uint32_t mask);
/* launch.c */
void sim_listen(struct sim_run *run, const struct sim_listener *listeners, unsigned count);
bool sim_run_blocks(struct sim_run *run, const uint32_t *blocks, uint32_t count); /* false: out of memory */
void sim_forget_calls(struct sim_run *run); /* frees the memory that function calls have allocated */
/* parts.c: runs the launch in parallel parts. If that is not possible, returns false and changes nothing. */
bool sim_run_parts(struct sim_run *run, const struct sim_launch *launch, const uint32_t *blocks);
/* Marks an access for parts.c. `combines`: sim_combines() of an atomic. */
void sim_mark(const struct sim_run *run, const struct sim_object *object, enum sim_access_kind kind, unsigned combines,
              uint32_t lanes, bool contiguous, unsigned bytes, const uint64_t offset[SIM_WARP]);
/* For an atomic whose final result does not depend on the order, and whose returned value is unused: the number of its
 * kind, from 1 to 31. 0: other instructions. */
unsigned sim_combines(const struct sim_insn *i);
/* sync.c */
/* Makes i synchronize its lanes, then execute `computes`. */
void sim_meet(struct sim_insn *i, sim_exec *computes, enum sim_sync_kind kind);
void sim_barrier_exits(
    struct sim_warp *w); /* lanes of w have exited, which may complete barriers that waited for them */
bool sim_resolve_stuck(struct sim_block *b); /* called when nothing can run: releases incomplete warp synchronizations;
                                                false if there are none */
void sim_report_deadlock(struct sim_block *b);
void sim_report_wait(struct sim_block *b,
                     bool others_wait_to_start); /* reports that all threads wait, some in spin loops */
void sim_note_waiters(struct sim_run *run,
                      const struct sim_block *b); /* records that b waits for a block that is about to start */
void sim_report_waiters(struct sim_run *run);
/* cluster.c */
/* Sets the cluster part of the launch's info. On failure returns false with *error. */
bool sim_check_clusters(struct sim_launch_info *l, const struct ptx_function *f, const struct sim_launch *launch,
                        struct sim_error *error);
bool sim_gather_clusters(const struct sim_launch_info *l, uint32_t *order, uint32_t count); /* false: out of memory */
void sim_cluster_clear(struct sim_block *b); /* called before a block starts */
void sim_cluster_exits(struct sim_warp *w, uint32_t pc,
                       uint32_t lanes);                /* the exit may complete barriers that waited for these lanes */
bool sim_waits_for_cluster(const struct sim_block *b); /* a split waits at the cluster's barrier */
bool sim_cluster_stuck(const struct sim_block *b);     /* all blocks of the cluster wait, and none for memory */
void sim_resolve_cluster(struct sim_block *b);         /* lets a waiting thread continue, or reports a deadlock */
/* The shared memory that an address in a shared window refers to; NULL if the cluster has no such block. */
static inline struct sim_memory *sim_shared_at(struct sim_block *b, uint64_t address) {
    const uint64_t window = (address - SIM_SHARED_WINDOW) / SIM_WINDOW_SIZE;
    return !window                                 ? &b->shared
           : window <= b->run->info.cluster_blocks ? &b->cluster[window - 1]->shared_by_rank
                                                   : NULL;
}
/* The scope of a fence or atomic with cluster scope: without clusters, it is the block. */
static inline enum ptx_mod sim_scope(const struct sim_run *run, enum ptx_mod scope) {
    return scope == PTX_MOD_GL                                         ? PTX_MOD_GPU
           : scope == PTX_MOD_CLUSTER && run->info.cluster_blocks == 1 ? PTX_MOD_CTA
                                                                       : scope;
}
/* Ends the launch for lack of memory. */
static inline void sim_run_out(struct sim_run *run) { run->stopped = run->no_memory = true; }
/* async.c, mbarrier.c, bulk.c */
/* The asynchronous parts of a block: each file has one of them, and launch.c their list. */
struct sim_asynchronous {
    void (*clear)(struct sim_block *b); /* called before a block starts */
    void (*end)(struct sim_block *b);   /* called when all its threads have exited; or NULL */
    void (*free)(struct sim_block *b);
};
extern const struct sim_asynchronous sim_async_copies, sim_block_mbarriers, sim_bulk_copies, sim_group_products;
/* heap.c */
/* Frees a block of the heap. Later accesses to it are reported. */
void sim_heap_free(struct sim *s, uint64_t address);
/* memory.c: allocates a block of the heap; NULL: out of memory */
struct sim_memory *sim_heap_object(struct sim *s, uint64_t bytes);
/* children.c: runs the grids that the kernel has launched, after its own grid has ended */
enum sim_status sim_run_children(struct sim_run *run, const struct sim_launch *parent, sim_launcher *launch,
                                 struct sim_nest *nest, struct sim_error *error);
void sim_forget_children(struct sim_run *run);
/* control.c: the row of a call's parameter in its function's frame */
uint32_t sim_parameter_row(const struct sim_program *p, const struct ptx_variable *v);
/* print.c */
void sim_vprintf(struct sim_warp *w, uint32_t mask, const uint64_t format[SIM_WARP],
                 const uint64_t arguments[SIM_WARP]);
/* launch.c */
/* Reporting a fault, or a matrix product, takes as long as that many instructions, and counts as that many. */
enum { SIM_FAULT_COST = 32, SIM_PRODUCT_COST = 32 };
static inline uint64_t sim_spent(const struct sim_run *run) { return run->executed + run->extra; }
void sim_fault(struct sim_warp *w, struct sim_fault *f); /* reports the fault; a fatal one stops the run */
/* memory.c */
/* Reads `bytes` bytes at a generic address for one lane, for printf and messages. False if they are in no object. */
bool sim_peek(struct sim_warp *w, unsigned lane, uint64_t address, void *to, unsigned bytes);

static inline struct sim_sparse *sim_sparse_of(const struct sim_run *run, const struct sim_memory *m) {
    return run->view && run->view[m->object.index] ? run->view[m->object.index] : m->sparse;
}
/* The address from which the run reads the byte at `offset`, valid to the end of its page. NULL: out of memory. */
static inline const uint8_t *sim_seen(const struct sim_run *run, const struct sim_memory *m, uint64_t offset) {
    return m->sparse ? sim_sparse_at(run->sim, sim_sparse_of(run, m), offset, false) : m->data + offset;
}
/* The object in global or const memory that the bounds name; NULL: any object. */
static inline struct sim_memory *sim_meant(const struct sim_run *run, const struct sim_bounds *b) {
    return b->of == SIM_OF_PARAMETER  ? run->pointed[b->begin / 8]
           : b->of == SIM_OF_VARIABLE ? run->variable[b->begin]
                                      : NULL;
}
static inline uint32_t sim_pc(const struct sim_warp *w, const struct sim_insn *i) {
    return (uint32_t)(i - w->block->run->program->code);
}
static inline void *sim_row(const struct sim_warp *w, uint32_t offset) { return w->r + offset; }
static inline uint32_t *sim_predicate(const struct sim_warp *w, uint32_t offset) {
    return (uint32_t *)(void *)(w->r + offset);
}
static inline void sim_set_predicate(struct sim_warp *w, uint32_t offset, uint32_t bits, uint32_t mask) {
    uint32_t *p = sim_predicate(w, offset);
    *p = (*p & ~mask) | (bits & mask);
}
/* The number of lanes in a mask; most masks are full. */
static inline uint32_t sim_count(uint32_t mask) {
    return mask == SIM_FULL ? SIM_WARP : (uint32_t)__builtin_popcount(mask);
}
#define SIM_EACH_LANE(l, mask)                                                                                         \
    for (uint32_t l, rest_##l = (mask); rest_##l && (l = (uint32_t)__builtin_ctz(rest_##l), 1);                        \
         rest_##l &= rest_##l - 1)
#endif
