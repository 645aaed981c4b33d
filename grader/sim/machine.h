/* Internals of the simulator, only for files in sim/: the decoded program, and the state of grids, blocks and warps. */
#ifndef SIM_MACHINE_H
#define SIM_MACHINE_H

#include "sim/children.h"
#include "sim/sim.h"

#define SIM_FULL UINT32_MAX /* mask of all 32 lanes */
#define SIM_NO_PC UINT32_MAX
#define SIM_MAX_CALL_DEPTH 512

/* The generic address space has a window for each space that is private to a block or thread. All else is global
 * memory. */
#define SIM_SHARED_WINDOW UINT64_C(0x010000000000)
#define SIM_LOCAL_WINDOW UINT64_C(0x020000000000)
#define SIM_PARAM_WINDOW UINT64_C(0x030000000000)
#define SIM_WINDOW_SIZE UINT64_C(0x000001000000)
/* The first window of SIM_WINDOW_SIZE bytes is a block's own shared memory. Window r + 1 is the shared memory of the
 * block with rank r in the cluster, perhaps the same block. */
#define SIM_CLUSTER_WINDOWS (256 * SIM_WINDOW_SIZE)
#define SIM_GLOBAL_BASE UINT64_C(0x700000000000)

struct sim_warp;
struct sim_insn;
struct sim_ahead;

/* A handler. Executes the instruction for the lanes in `mask`, which is not 0. */
typedef void sim_exec(struct sim_warp *w, const struct sim_insn *i, uint32_t mask);
/* Sets the handler of a decoded instruction. */
typedef void sim_form(struct sim_insn *i);

#define SIM_NO_ROW UINT32_MAX /* an absent operand */
enum {
    SIM_CONTROL = 1,  /* may change the pc, the mask or the state of splits, and ends a span */
    SIM_GUARDED = 2,  /* has a guard */
    SIM_BRANCH = 4,   /* bra */
    SIM_TRACKED = 8,  /* a shuffle or redux with undefined values that undefined.c tracks */
    SIM_CARRIES = 32, /* a shuffle or redux that may exchange values computed from memory (uses.c) */
    SIM_SKIPS = 16,   /* bra to its own reconvergence point, over instructions without control flow */
};
enum { SIM_NOT_A = 1, SIM_NOT_B = 2, SIM_NOT_C = 4 }; /* which sources are negated predicates (`!`) */
/* How the program uses a loaded value (uses.c, dropped.c). */
enum { SIM_USE_COMPARED = 1, SIM_USE_DATA = 2, SIM_USE_DROPPED = 4 };

/* The only object that an access may touch, because its address was computed from the object's address. */
enum sim_origin {
    SIM_OF_SHARED,    /* bytes [begin, end) of the block's shared memory */
    SIM_OF_PARAMETER, /* the object that contains, or ends at, the address in the 8-byte parameter at offset `begin` */
    SIM_OF_VARIABLE   /* the module's variable with index `begin`, in global or const memory */
};
struct sim_bounds {
    uint32_t begin, end;
    enum sim_origin of;
};

/* A decoded instruction. A row is a byte offset in the warp's frame. A predicate's row is a 32-bit lane mask. The
 * decoder that ops.def names decides which member of the union is valid. */
struct sim_insn {
    sim_exec *exec;
    union {
        /* What `exec` calls: the handler inside a wrapper (rounding, saturation), the comparison of `set`, or the
         * computation after a warp-level synchronization. */
        sim_exec *inner;
        const struct sim_bounds *bounds; /* ld, st, atom, red: the only object that the access may touch, or NULL */
    };
    const struct ptx_insn *source;
    uint32_t d, a, b, c; /* rows of the destination and, in order, of the sources */
    uint32_t guard;      /* row of the predicate, or SIM_NO_ROW */
    bool guard_negated;
    uint8_t flags, negated; /* SIM_CONTROL and so on; SIM_NOT_A and so on */
    union {
        struct {        /* set by decode_operands() and decode_compare() */
            uint32_t e; /* the fourth source's row */
            uint32_t p; /* row of the predicate that is the second destination, or SIM_NO_ROW */
        };
        struct {                  /* ld, st, atom, red. Rows: a: address; d: result; b and c: stored values */
            int64_t offset;       /* added to the address */
            uint8_t bytes;        /* bytes per element */
            uint8_t width;        /* bytes per lane of the value registers */
            uint8_t address_bits; /* width of the address register; 0: one constant address for all lanes */
            uint8_t space;        /* enum ptx_space, as written in PTX */
            bool in_frame;        /* the address is relative to the current function's local memory */
            bool result_unused;   /* no instruction reads the old value of an atom or red */
            uint8_t uses;         /* ld: SIM_USE_COMPARED and so on */
        } memory;
        struct {             /* cvta, mapa, getctarank; mov of a .local variable's address */
            uint64_t offset; /* added to a; mov: the address in the current function's local memory */
            uint8_t width;   /* bytes per lane of d */
        } address;
        struct { /* mov of the address of a function's parameter, with rows from a */
            int64_t offset;
            uint32_t home;  /* the parameter's offset in the function's local memory */
            uint32_t bytes; /* size of the parameter */
        } parameter;
        struct { /* cvt: widths of the registers */
            uint8_t to_bits, from_bits;
        } convert;
        struct { /* bra, brx.idx, ret, exit: `condition` replaces the guard and selects the lanes that take the branch
                  */
            uint32_t condition; /* row, or SIM_NO_ROW */
            uint32_t target;    /* bra: pc of the target */
        } branch;
        struct {              /* warp-level synchronization */
            uint32_t members; /* row of the mask of lanes that must arrive */
            uint32_t p;       /* row of the predicate that is the second destination, or SIM_NO_ROW */
            uint8_t kind;     /* enum sim_sync_kind */
        } exchange;
        struct { /* barriers. Rows: a: number, b: thread count, c: predicate, or SIM_NO_ROW */
            bool aligned, waits;
            bool plain;    /* a bar.sync for the whole block */
            uint8_t gives; /* enum barrier_result in sync.c */
        } barrier;
    };
};
_Static_assert(sizeof(struct sim_insn) <= 64, "a decoded instruction is at most a cache line");

/* A constant or special register, which is written to each new call's frame. A row has 32 lanes of 2, 4 or 8 bytes,
 * aligned to 64 bytes; a predicate's row has 4 bytes. */
struct sim_fill {
    uint32_t offset;
    uint8_t bits;
    enum ptx_special special;
    uint64_t value;
    bool is_special, varies; /* `varies`: the value differs between blocks */
};
/* The first and last instruction at which a function needs a register's value. */
struct sim_extent {
    uint32_t first, last;
};
struct sim_function {
    const struct ptx_function *source;
    uint32_t entry, end;  /* pc of the first instruction, and pc after the last one */
    uint32_t frame_bytes; /* bytes of registers, constants and parameter rows */
    uint32_t local_bytes;
    bool calls; /* uses alloca or functions that are not built in; a kernel then needs more local memory */
    uint32_t *register_offset; /* indexed by register */
    struct sim_extent *extent; /* indexed by register; NULL if each one has its own row */
    /* indexed like source->params: offset in the parameter buffer or, for a function, of the rows */
    uint32_t *param_offset;
    /* Indexed like source->locals. For a .local variable, the offset in the function's local memory. For .param, the
     * offset of its rows in the frame. For .shared, the offset in shared memory. */
    uint32_t *local_offset;
    uint32_t result_offset; /* offset of the rows of the return value */
    uint32_t param_bytes;   /* bytes of a kernel's parameter buffer */
    struct sim_fill *fills; /* constants and special registers, written when a frame is created */
    unsigned fill_count, fill_capacity;
    uint32_t *zero; /* registers that may be read before they are written; a new frame clears them */
    unsigned zero_count, zero_begin, zero_end; /* zero_begin, zero_end: the part of the frame with these registers */
    uint32_t *undefined;   /* indexed like `zero`: offset of the mask of lanes in which the register is uninitialized
                              (undefined.c) */
    uint32_t shared_bytes; /* kernels: bytes of static shared memory, with the reserved part */
    uint32_t reserved_offset, reserved_bytes; /* kernels: the part that %reserved_smem_offset_* describes, or 0, 0 */
    struct sim_symbol *symbols;
    unsigned symbol_count;   /* kernels: the shared variables that the kernel uses, itself or in called functions */
    struct sim_ahead *ahead; /* code for the look-ahead; NULL if no load's value may be dropped */
};

struct sim_program {
    const struct ptx_module *module;
    struct sim_function *functions; /* indexed like module->functions */
    struct sim_insn *code;
    const struct ptx_insn **source; /* indexed by pc */
    uint32_t *function_of;          /* indexed by pc: index of the function */
    uint32_t code_count;
    uint64_t grid_workspace;     /* address of PTX_GRID_WORKSPACE; 0 if not needed */
    uint64_t *variable_address;  /* indexed by variable of the module: generic address of a global or const one */
    uint32_t *shared_offset;     /* indexed by variable of the module: offset of a shared one */
    struct sim_bounds *bounds;   /* indexed by pc: the bounds of an access */
    struct sim_tracked *tracked; /* undefined.c: the instructions that undefined values may reach */
    /* Indexed by pc: index in `tracked`. Both arrays are NULL if no value can be undefined. */
    uint32_t *tracked_of, tracked_count;
    const char *isa;
    uint64_t (*combine)(enum ptx_mod op, enum ptx_type t, uint64_t old, uint64_t x); /* in bulk reductions */
    bool launches, asynchronous; /* kernels may: launch kernels; copy asynchronously, or use wgmma or an mbarrier */
};

/* The handlers for one host instruction set, compiled from exec.c. LANE rows have handlers, indexed by [has
 * .ftz][op][type]. FORM rows have functions that select a handler. A handler is NULL if its type is invalid or its row
 * is of a different kind. */
struct sim_handlers {
    const char *isa;
    uint64_t (*combine)(enum ptx_mod op, enum ptx_type t, uint64_t old,
                        uint64_t x); /* combines elements in bulk reductions */
    sim_exec *lane[2][PTX_OP_COUNT][PTX_TYPE_COUNT];
    sim_exec *difference[2][2][PTX_TYPE_COUNT]; /* c - a*b, then a*b - c; each without and with .ftz */
    sim_form *form[PTX_OP_COUNT];
};
extern const struct sim_handlers sim_handlers_baseline, sim_handlers_avx2, sim_handlers_avx512;
/* The handlers of CONTROL rows (control.c, sync.c and others), which all instruction sets share. */
#define CONTROL(id, mnemonic, operands, types, types2, allow, decoder, handler, ...) sim_form sim_form_##handler;
#include "ptx/ops.def"
sim_exec sim_exec_clock;   /* mov from a clock register */
sim_exec sim_exec_texture; /* fetch.c: tex, suld and so on */
sim_exec sim_exec_video;   /* video.c */
/* parameters.c: the address of a variable, and loads and stores of a function's parameters. */
sim_exec sim_exec_local_address, sim_exec_parameter_address, sim_exec_load_parameter, sim_exec_store_parameter;
/* A function's parameter has one row per 4-byte word: first word 0 of all lanes, then word 1, and so on. */
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

/* A program whose variables are in the simulator's memory. */
struct sim_loaded {
    const struct sim_program *program;
    struct sim_memory **variable; /* indexed by variable of the module; NULL for shared ones */
};
enum { SIM_ERROR_TEXTS = 8 };
struct sim {
    const struct sim_program *program; /* the program of launches that name none */
    struct sim_loaded *loaded;
    unsigned loaded_count, loaded_capacity;
    struct sim_options options;
    struct sim_memory **objects; /* sorted by address */
    unsigned object_count, object_capacity;
    uint64_t next_address, used;
    uint64_t heap_used;     /* heap.c: bytes of the device heap in use */
    struct sim_view *views; /* texture.c: texture and surface objects; handle h has index h - 1 */
    unsigned view_count, view_capacity;
    unsigned next_id;
    uint64_t error_text[2][SIM_ERROR_TEXTS]; /* children.c: addresses of errors' names and descriptions; 0: none yet */
    size_t printed;
    const struct sim_function *launched; /* the most recent kernel */
    uint32_t frames_end; /* total size in bytes of the frames of the kernel and all functions that it calls */
};
uint64_t sim_memory_limit(const struct sim *s);
/* sparse.c: memory of `bytes` bytes that at first repeats a pattern of `period` bytes. Filling or freeing it releases
 * its pages. sim_sparse_free() returns how many bytes counted toward the memory limit. Out of memory: NULL or false. */
struct sim_sparse *sim_sparse_new(uint64_t bytes, const void *pattern, uint64_t period);
uint64_t sim_sparse_free(struct sim_sparse *x);
bool sim_sparse_fill(struct sim *s, struct sim_sparse *x, const void *pattern, uint64_t period);
bool sim_sparse_make(struct sim *s, struct sim_sparse *x, struct sim_maker maker);
bool sim_sparse_is_made(const struct sim_sparse *x); /* whether a maker generates the contents */
/* Returns a read-only view for one thread; free it with sim_sparse_free(). Returns NULL if no maker generates the
 * contents, if the memory has been written, or if out of memory. */
struct sim_sparse *sim_sparse_view(const struct sim_sparse *x);
/* A repeated pattern of `length` bytes. `bytes` has the pattern, repeated to length + SIM_PAGE bytes, or is NULL if a
 * maker generates the contents. `inverse` is 2^64 / length, rounded down, at most UINT64_MAX. No page before offset
 * `end` has been written. */
struct sim_period {
    uint8_t *bytes;
    uint64_t length, inverse, end;
};
/* Returns offset % length, faster than a division. The estimated quotient is exact or too small by 1. */
static inline uint64_t sim_in_period(const struct sim_period *p, uint64_t offset) {
    const uint64_t times = (uint64_t)((unsigned __int128)offset * p->inverse >> 64), rest = offset - times * p->length;
    return rest >= p->length ? rest - p->length : rest;
}
const struct sim_period *
sim_sparse_period(const struct sim_sparse *x); /* never NULL; all zero if a maker generates the contents */
enum { SIM_PAGE = 1 << 14 };
/* Returns the address of the byte at `offset`, which is valid to the end of its page. Returns NULL if out of memory or
 * above the limit. */
uint8_t *sim_sparse_at(struct sim *s, struct sim_sparse *x, uint64_t offset, bool writes);
static inline uint8_t *sim_at(struct sim *s, struct sim_memory *m, uint64_t offset, bool writes) {
    return m->sparse ? sim_sparse_at(s, m->sparse, offset, writes) : m->data + offset;
}
/* Returns the object at the address or, with *inside = false, the nearest one below it; NULL if all are above it. */
struct sim_memory *sim_find(const struct sim *s, uint64_t address, bool *inside);

/* ---- warp ----------------------------------------------------------------------------------- */
/* A call. Splits of a warp that made the call together share its frame. */
struct sim_frame {
    struct sim_frame *caller;
    uint32_t return_pc, base, local_base, depth, references;
    uint32_t local_end; /* bytes of local memory in use per thread, with this function's */
    uint32_t chain;     /* index in sim_launch_info.calls */
    const struct sim_insn *call;
};
enum sim_split_state { SPLIT_READY, SPLIT_BARRIER, SPLIT_SYNC, SPLIT_CLUSTER };
/* Lanes with the same pc and the same call stack. */
struct sim_split {
    uint32_t pc, mask;
    struct sim_frame *frame;
    enum sim_split_state state;
    uint32_t members; /* SPLIT_SYNC: mask of the lanes that must arrive */
    uint32_t barrier; /* SPLIT_BARRIER: id of the barrier */
    /* Incremented when the split sleeps or has spun for long. Splits with a lower `rest` run first. */
    uint32_t rest;
    uint32_t back_edges; /* backward jumps since `rest` last changed */
    uint32_t order;      /* splits with a lower `order` run first; different ones do not merge (sim_schedule.lane) */
    uint32_t hold;       /* pc where a branch reconverges; until it arrives there, the split runs before all others */
    bool parked;         /* the split spins without effect, so it need not run until memory changes */
    uint32_t seen_pc;    /* start of the loop whose registers were hashed last */
    uint64_t seen;       /* hash of these registers */
    uint64_t seen_at;    /* run->changes when the registers were hashed */
};
struct sim_warp {
    uint8_t *r;             /* frame of the current split */
    struct sim_where where; /* block, warp, launched, live */
    struct sim_block *block;
    uint8_t *registers, *local;
    unsigned splits, current;
    bool changed;      /* a control handler has changed the pc, mask or state of a split */
    bool polls, waits; /* polls: a block-scope acquire load since the last backward branch; waits: one just before it */
    struct sim_split split[SIM_WARP];
    uint32_t register_bytes;
    uint32_t local_bytes; /* bytes of a thread's local memory; lane l's is at local + l * local_bytes */
    struct sim_memory local_memory;
    uint32_t carry;            /* lanes whose carry flag is set */
    uint32_t failed_looks;     /* ahead.c: attempts to look ahead without a result */
    struct sim_frame root;     /* the call frame of the kernel itself */
    bool prepared;             /* the kernel's registers still have the constants of an earlier block of this launch */
    struct sim_memory *last;   /* global object of the previous access, where the next lookup begins */
    uint64_t executed;         /* number of warp-instructions */
    struct sim_copies *copies; /* async.c: copies in flight; NULL at first */
    uint32_t arrived, passing; /* cluster.c: lanes that have arrived; lanes that need not wait any more */
    uint32_t unsent_pc, unsent_lanes, unsent_from; /* undefined.c: a shuffle, and its lanes that read absent lanes */
};

struct sim_barrier_state {
    uint32_t count;   /* number of threads that must arrive; 0: all threads of the block */
    uint32_t arrived; /* number of threads; with a `count`, an arrival adds 32 */
    uint32_t lanes[SIM_MAX_WARPS], pc[SIM_MAX_WARPS], call[SIM_MAX_WARPS];
    uint32_t votes; /* number of threads whose predicate is true */
    bool red;       /* a thread waits for the result of bar.red */
};
struct sim_block {
    struct sim_run *run;
    uint32_t index, slot, ctaid[3];
    struct sim_memory *params; /* either &run->params or &run->idle */
    bool active;
    bool watched;  /* a listener needs each instruction of the block */
    bool spans;    /* a listener needs the block's spans of 32 lanes */
    uint32_t live; /* number of threads that have not exited */
    struct sim_warp *warps;
    unsigned warp_count;
    struct sim_memory shared;         /* the block's shared memory, as seen by the block itself */
    struct sim_memory shared_by_rank; /* the same memory, as seen through mapa by the blocks of the cluster */
    uint32_t rank;                    /* in the cluster */
    struct sim_block **cluster;       /* the blocks in the cluster, indexed by rank */
    uint32_t arrived;                 /* number of live threads that have arrived at the cluster barrier */
    bool any_arrived;                 /* a thread, which may have exited since, has arrived at the cluster barrier */
    struct sim_barrier_state barrier[16];
    uint32_t pending;                /* set of barriers with arrivals */
    struct sim_groups *groups;       /* wgmma.c: matrix products in flight; NULL at first */
    struct sim_bulks *bulks;         /* bulk.c: bulk copies in flight; NULL at first */
    struct sim_mbarriers *mbarriers; /* mbarrier.c: NULL at first */
    uint64_t random;                 /* state of the generator that orders warps and sides of branches */
    uint64_t turn;                   /* instructions that the block has executed in this turn */
    bool progress;                   /* something has happened that may let waiting splits continue */
    bool waits;                      /* all threads waited or spun when run->changes was waits_since */
    uint64_t waits_since;
};

/* ---- launch --------------------------------------------------------------------------------- */
#define SIM_MAX_LISTENERS 20
#define SIM_MAX_CHAINS 4096
/* The offsets of a function's frames by call depth; 0: none. */
struct sim_bases {
    uint32_t *at, count;
};
/* The call stacks of a launch. Each has a list of the stacks that add one call to it. */
struct sim_chains {
    struct sim_call call[SIM_MAX_CHAINS];
    /* first: the first item of a stack's list; next: the next item of the list that contains a stack; 0: none */
    uint32_t first[SIM_MAX_CHAINS], next[SIM_MAX_CHAINS];
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
/* The state of time_of() in control.c. */
struct sim_clock {
    uint64_t changes; /* run->changes when the clock was last read */
    uint64_t now;     /* the value that was read last */
    uint64_t skipped;
    uint32_t reads; /* reads since the last change */
    uint32_t step;  /* steps since the last change */
};
struct sim_run {
    struct sim *sim;
    const struct sim_program *program;
    struct sim_memory **variable; /* variables of the program, by index */
    const struct sim_function *kernel;
    struct sim_launch_info info;
    struct sim_chains *chains;          /* allocated by the first call */
    struct sim_look *look;              /* ahead.c: scratch memory, allocated on first use */
    struct sim_bases *bases;            /* indexed by function: the offsets of its frames */
    uint32_t frames_end, frames_before; /* bytes of frames in this launch and the kernel's previous one */
    struct sim_memory params, idle;     /* parameters of the sampled blocks, and of all others */
    const uint32_t *sample;             /* indices of the sampled blocks; NULL: all blocks use `params` */
    uint32_t sample_count;
    struct sim_memory **pointed;               /* by word of the parameters: the object that it points to, or NULL */
    struct sim_block **blocks;                 /* indexed by slot; NULL if not allocated */
    struct sim_block **ranked;                 /* indexed by the first slot of the cluster + rank */
    struct sim_waiter waiter[SIM_MAX_WAITERS]; /* at most one per pc */
    unsigned waiters;
    bool cooperative; /* all blocks are resident and may wait for each other */
    uint32_t slots;
    uint64_t executed, budget, extra; /* warp-instructions; `extra`: cost of faults and matrix products */
    uint64_t products;                /* number of matrix products */
    uint32_t ended;                   /* number of blocks that have ended */
    uint64_t place;                   /* decides SM numbers, warp ids and clocks (draw_place() in launch.c) */
    struct sim_clock clock;
    struct sim_cycle *cycle;  /* cycle.c; NULL before it is needed */
    uint64_t cycle_at;        /* from this value of `executed` on, cycle.c must be called */
    bool fixed_order, fills;  /* cycle.c: the order is not random, and turns are short; all blocks that fit start now */
    uint64_t changes;         /* incremented when memory may have changed, or a barrier completes */
    bool stopped;             /* a fatal fault, an interrupt, a listener or a lack of memory has stopped the launch */
    bool no_memory;           /* the launch stopped because a page could not be allocated */
    bool kept_too_much;       /* the launch stopped because listeners use too much memory */
    uint64_t kept, may_keep;  /* host memory of listeners in bytes, and its maximum */
    bool traced;              /* a listener needs spans */
    bool spans;               /* a listener needs spans of 32 lanes */
    uint64_t *whole_spans;    /* info.whole_spans; NULL if not traced, or out of memory */
    bool heard;               /* a listener needs accesses, or parts.c needs their marks */
    bool values;              /* a listener needs sim_access.silent and .agreeing */
    bool drops;               /* a listener needs sim_access.dropped */
    bool weak;                /* memory is not sequentially consistent */
    unsigned parts;           /* number of parts in which the launch runs, or 0 */
    uint8_t **marks;          /* in a part, by object: marks of what the part has read and written (parts.c), or NULL */
    struct sim_sparse **view; /* in a part, by object: its view of generated contents, or NULL */
    struct sim_nest *nest;
    unsigned depth, child_error;         /* nesting depth (0: a launch by the host); last error of a child launch */
    struct sim_waiter unseen;            /* the last launch by this grid that failed, */
    const char *unseen_text;             /* and why; NULL: none, or the kernel has asked for the error since */
    struct sim_child *requests;          /* requests with a parameter buffer that the kernel has not submitted yet */
    struct sim_children children, tails; /* launches to run after this one; children.count counts both */
    struct sim_channel accesses[SIM_ACCESSES]; /* listeners to accesses, indexed by sim_access_channel() */
    struct sim_channel launch_begin, launch_end, block_begin, block_end, span, branch, access, dropped, sync, arrival,
        barrier, cluster, fence, proxy_fence, grid_wait, copy, mbarrier, heap, nested, exit, fault, watch;
};
#define SIM_EMIT_TO(channel, event, e)                                                                                 \
    do {                                                                                                               \
        for (unsigned k_ = 0; k_ < (channel).count; k_++)                                                              \
            ((__typeof__(((struct sim_probe *)0)->event))(channel).to[k_].call)((channel).to[k_].self, (e));           \
    } while (0)
#define SIM_EMIT(run, event, e) SIM_EMIT_TO((run)->event, event, e)
/* Returns the element of sim_run.accesses for accesses to the object. */
static inline unsigned sim_access_channel(const struct sim_object *o) {
    return o->space == PTX_SHARED ? SIM_TO_SHARED : SIM_TO_GLOBAL + o->initialized + 2 * (o->space != PTX_GLOBAL);
}

static inline uint32_t sim_align(uint32_t x, uint32_t to) { return (x + to - 1) / to * to; }
/* Returns the base of a space's window in the generic address space, or 0 if the space has no window. */
static inline uint64_t sim_window(enum ptx_space s) {
    return s == PTX_SHARED  ? SIM_SHARED_WINDOW
           : s == PTX_LOCAL ? SIM_LOCAL_WINDOW
           : s == PTX_PARAM ? SIM_PARAM_WINDOW
                            : 0;
}
/* ahead.c: returns the lanes in `mask` that drop the value of this load. */
uint32_t sim_dropped(struct sim_warp *w, const struct sim_insn *i, uint32_t mask);
void sim_forget_looks(struct sim_run *run);
/* undefined.c */
bool sim_sends_undefined(const struct sim_warp *w, const struct sim_insn *i, uint32_t present);
void sim_track_exchange(struct sim_warp *w, const struct sim_insn *i, uint32_t present, const uint8_t *from);
bool sim_track_absent(struct sim_warp *w, const struct sim_insn *i, uint32_t lanes, uint32_t from);
/* warp.c */
void sim_warp_start(struct sim_warp *w);
void sim_warp_free(struct sim_warp *w);
/* Runs the warp for about `quantum` instructions, or until no split is ready or one polls for other threads. */
void sim_warp_run(struct sim_warp *w, uint64_t quantum);
void sim_frame_enter(struct sim_warp *w, const struct sim_function *f, uint32_t base, uint32_t mask, bool again);
bool sim_frame_reserve(struct sim_warp *w, uint32_t bytes);
void sim_frame_release(struct sim_frame *f);
bool sim_waits_for_memory(const struct sim_block *b); /* whether a split is parked */
static inline struct sim_split *sim_current(struct sim_warp *w) { return &w->split[w->current]; }
/* Moves the lanes in `leave` from the current split to a new one, which continues at `pc`. Returns the new split. */
struct sim_split *sim_split_off(struct sim_warp *w, uint32_t leave, uint32_t pc);

/* Makes a split the current one. Later events are reported for this split. */
static inline void sim_set_current(struct sim_warp *w, const struct sim_split *s) {
    w->current = (unsigned)(s - w->split);
    w->r = w->registers + s->frame->base;
    w->where.call = s->frame->chain;
    w->local_memory.object.size = s->frame->local_end;
}

/* control.c */
/* Reports a divergent branch with SIM_SKIPS. The lanes in `taken` skip the code up to its target. */
void sim_skip_code(struct sim_warp *w, const struct sim_insn *i, uint32_t mask, uint32_t taken);
/* launch.c */
void sim_listen(struct sim_run *run, const struct sim_listener *listeners, unsigned count);
bool sim_run_blocks(struct sim_run *run, const uint32_t *blocks, uint32_t count); /* returns false if out of memory */
void sim_forget_calls(struct sim_run *run); /* frees the memory that calls have allocated */
/* parts.c: runs the launch in parallel parts. Returns false, with memory unchanged, if this is impossible or fails. */
bool sim_run_parts(struct sim_run *run, const struct sim_launch *launch, const uint32_t *blocks);
/* Records an access for parts.c. For an atomic, `combines` is the result of sim_combines(). */
void sim_mark(const struct sim_run *run, const struct sim_object *object, enum sim_access_kind kind, unsigned combines,
              uint32_t lanes, bool contiguous, unsigned bytes, const uint64_t offset[SIM_WARP]);
/* Returns a number from 1 to 24 for an atomic with an unused result, whose effect on memory does not depend on the
 * order of execution. Atomics with the same number may be reordered. Returns 0 for other instructions. */
unsigned sim_combines(const struct sim_insn *i);
/* sync.c */
/* Makes instruction `i` synchronize its lanes and then call `computes`. */
void sim_meet(struct sim_insn *i, sim_exec *computes, enum sim_sync_kind kind);
/* Completes the barriers for which only exited lanes of w had not arrived. */
void sim_barrier_exits(struct sim_warp *w);
/* Called if no thread can run. Reports and releases one incomplete warp-level synchronization. Does the same in each
 * other warp whose lanes wait at the same two instructions. Returns false if there is none. */
bool sim_resolve_stuck(struct sim_block *b);
void sim_report_deadlock(struct sim_block *b);
/* cluster.c */
/* Sets the cluster fields of the launch's info. Returns false, with a message in *error, on failure. */
bool sim_check_clusters(struct sim_launch_info *l, const struct ptx_function *f, const struct sim_launch *launch,
                        struct sim_error *error);
bool sim_gather_clusters(const struct sim_launch_info *l, uint32_t *order, uint32_t count); /* false: out of memory */
void sim_cluster_clear(struct sim_block *b); /* called before a block starts */
/* Completes the cluster barrier if only these lanes, which exit, had not arrived. */
void sim_cluster_exits(struct sim_warp *w, uint32_t pc, uint32_t lanes);
bool sim_waits_for_cluster(const struct sim_block *b); /* whether a split waits at the cluster barrier */
/* Returns whether b waits at the cluster barrier and all live blocks of the cluster wait, none of them for memory. */
bool sim_cluster_stuck(const struct sim_block *b);
void sim_resolve_cluster(struct sim_block *b); /* sim_resolve_stuck() for the cluster, or reports a deadlock */
/* Returns the shared memory for an address in a shared window, or NULL if the cluster lacks the block. */
static inline struct sim_memory *sim_shared_at(struct sim_block *b, uint64_t address) {
    const uint64_t window = (address - SIM_SHARED_WINDOW) / SIM_WINDOW_SIZE;
    return !window                                 ? &b->shared
           : window <= b->run->info.cluster_blocks ? &b->cluster[window - 1]->shared_by_rank
                                                   : NULL;
}
/* Returns the scope of a fence or atomic. .gl means .gpu; without clusters, .cluster means .cta. */
static inline enum ptx_mod sim_scope(const struct sim_run *run, enum ptx_mod scope) {
    return scope == PTX_MOD_GL                                         ? PTX_MOD_GPU
           : scope == PTX_MOD_CLUSTER && run->info.cluster_blocks == 1 ? PTX_MOD_CTA
                                                                       : scope;
}
/* Ends the launch for lack of memory. */
static inline void sim_out_of_memory(struct sim_run *run) { run->stopped = run->no_memory = true; }
/* async.c, mbarrier.c, bulk.c, wgmma.c */
/* The asynchronous operations of a block. Each file defines one of these structures; launch.c lists them. */
struct sim_asynchronous {
    void (*clear)(struct sim_block *b); /* called before a block starts */
    void (*end)(struct sim_block *b);   /* called after all threads have exited; may be NULL */
    void (*free)(struct sim_block *b);
};
extern const struct sim_asynchronous sim_async_copies, sim_block_mbarriers, sim_bulk_copies, sim_group_products;
/* heap.c */
/* Frees memory of the device heap. Later accesses are reported. */
void sim_heap_free(struct sim *s, uint64_t address);
/* memory.c: creates an object for the device heap. NULL: above the memory limit, or out of memory. */
struct sim_memory *sim_heap_object(struct sim *s, uint64_t bytes);
/* control.c: returns the row of a call's parameter in the frame of the function that owns it. */
uint32_t sim_parameter_row(const struct sim_program *p, const struct ptx_variable *v);
/* print.c */
void sim_vprintf(struct sim_warp *w, uint32_t mask, const uint64_t format[SIM_WARP], const uint64_t arguments[SIM_WARP],
                 uint32_t converted[SIM_WARP]);
/* launch.c */
/* Costs of reporting a fault and of a matrix product, in instructions that count toward the budget. */
enum { SIM_FAULT_COST = 32, SIM_PRODUCT_COST = 32 };
static inline bool sim_is_random(const struct sim_run *run) { return run->sim->options.shuffle && !run->fixed_order; }
static inline uint64_t sim_spent(const struct sim_run *run) { return run->executed + run->extra; }
void sim_fault(struct sim_warp *w, struct sim_fault *f); /* a fatal fault stops the run */
/* memory.c */
/* Reads `bytes` bytes of shared, local, global or const memory at a lane's generic address. Returns false if no object
 * contains them. */
bool sim_peek(struct sim_warp *w, unsigned lane, uint64_t address, void *to, unsigned bytes);

static inline struct sim_sparse *sim_sparse_of(const struct sim_run *run, const struct sim_memory *m) {
    return run->view && run->view[m->object.index] ? run->view[m->object.index] : m->sparse;
}
/* Returns this run's address of the byte at `offset`, valid to the end of its page, or NULL if out of memory. */
static inline const uint8_t *sim_byte_at(const struct sim_run *run, const struct sim_memory *m, uint64_t offset) {
    return m->sparse ? sim_sparse_at(run->sim, sim_sparse_of(run, m), offset, false) : m->data + offset;
}
/* Returns the global or const object to which the bounds limit an access, or NULL if they do not. */
static inline struct sim_memory *sim_bounding_object(const struct sim_run *run, const struct sim_bounds *b) {
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
/* A full mask is the common case, so it is tested first. */
static inline uint32_t sim_count(uint32_t mask) {
    return mask == SIM_FULL ? SIM_WARP : (uint32_t)__builtin_popcount(mask);
}
#define SIM_EACH_LANE(l, mask)                                                                                         \
    for (uint32_t l, rest_##l = (mask); rest_##l && (l = (uint32_t)__builtin_ctz(rest_##l), 1);                        \
         rest_##l &= rest_##l - 1)
#endif
