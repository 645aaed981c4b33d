/* The SIMT simulator. It runs the kernels of a PTX module on the host, warp by warp.
 *
 *   struct sim_program *p = sim_program_new(module, &error);      immutable; threads may share it
 *   struct sim *s = sim_new(p, NULL);                             a device memory; for one thread at a time
 *   uint64_t in = sim_alloc(s, "in", bytes, SIM_INITIALIZED);     ... sim_write, sim_launch, sim_read ... sim_free
 *
 * A program must not be used after ptx_free() has freed its module. docs/simulator.md describes the execution model. */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include "sim/events.h"

struct sim_program;
struct sim;

struct sim_error {
    char message[512];
};

/* Decodes a module, which must exist as long as the program. Returns NULL, with a message in *error, if an instruction
 * is invalid or the host is out of memory. */
struct sim_program *sim_program_new(const struct ptx_module *module, struct sim_error *error);
/* Does the same as sim_program_new() with the handlers for one host instruction set: "baseline", "avx2" or "avx512";
 * NULL selects the best. Also fails if the host or this build lacks the set. All sets compute bitwise identical
 * results. */
struct sim_program *sim_program_new_isa(const struct ptx_module *module, const char *isa, struct sim_error *error);
/* Does the same as sim_program_new(), but places variables at addresses from `base` on, so that several programs fit
 * into one memory. 0 selects the default address. */
struct sim_program *sim_program_new_at(const struct ptx_module *module, uint64_t base, struct sim_error *error);
void sim_program_free(struct sim_program *p);
const struct ptx_module *sim_program_module(const struct sim_program *p);
/* Gets the kernel's static shared memory per block, and the size of its local variables per thread, both in bytes. */
void sim_kernel_bytes(const struct sim_program *p, const struct ptx_function *kernel, uint32_t *shared,
                      uint32_t *local);

/* An order of execution. Its text consists of parts joined by commas, such as "warp=1" or "block=2,stale=17". By
 * default, blocks, warps and lanes run in ascending order. The parts state exceptions:
 *
 *   rising      no exceptions
 *   falling     blocks and warps run in descending order
 *   block=K     block K starts first
 *   warp=K      in each block, warp K runs first whenever it can
 *   lane=K      in each warp, lane K runs first whenever it can
 *   turn=N      warps and blocks take turns of N warp-instructions; up to 64 blocks run together
 *   stale=LINE  a load on source line LINE returns the value from before a store if nothing orders the load after the
 *               store, once for each warp and store (needs a listener that tracks the order)  */
#define SIM_SCHEDULE_FORM "rising, falling, or parts such as block=2,warp=1,lane=5,stale=17 (a source line)"
enum { SIM_NONE = UINT32_MAX, SIM_SCHEDULE_TEXT = 64 };
struct sim_schedule {
    bool chosen, falling;       /* an order was chosen; otherwise, it is ascending, or the seed decides */
    uint32_t block, warp, lane; /* SIM_NONE if not chosen */
    uint32_t stale;             /* source line; 0 for no line; SIM_ANY_LINE (events.h) for all lines */
    uint32_t turn;              /* warp-instructions; 0 for long turns */
};
/* Parses a schedule. NULL and "" select the default order. Returns false, and leaves *schedule unchanged, if the text
 * is invalid. */
bool sim_schedule_parse(struct sim_schedule *schedule, const char *text);
/* Writes the text of a chosen schedule to the `size` bytes at `out`; SIM_SCHEDULE_TEXT bytes suffice. Returns `out`. */
char *sim_schedule_print(const struct sim_schedule *schedule, char *out, size_t size);

/* Which terms of a matrix product are computed. WHOLE: all. NONE: none, so the result is the added matrix. MOST: those
 * for which sim_leaves_out() is false. ADDING: all, unless the product only copies elements: the element of the added
 * matrix is 0, at most three terms are not 0, and the factors of these terms have at most eight significant bits.
 * Comparing the results of runs shows what the matrix products contribute. */
enum sim_products { SIM_PRODUCTS_WHOLE, SIM_PRODUCTS_NONE, SIM_PRODUCTS_MOST, SIM_PRODUCTS_ADDING };
/* Returns whether SIM_PRODUCTS_MOST omits terms with this value. The leading 11 bits of the significand decide, and
 * about one in 16 values is omitted. */
bool sim_leaves_out(double term);
struct ptx_insn;
/* Returns the number of elements in the larger factor of a matrix product, or 0 for any other instruction. */
unsigned sim_matrix_elements(const struct ptx_insn *p);

/* Options of sim_new(). NULL selects the defaults. */
struct sim_options {
    uint64_t seed; /* any value */
    bool shuffle;  /* the seed decides the order of blocks, warps and sides of branches, the gaps between buffers, and
                      the values of clocks, SM numbers and warp ids; otherwise, the order is ascending */
    struct sim_schedule schedule; /* a chosen order of execution replaces `shuffle`. With a chosen order or `stale`,
                                     launches run on one core */
    enum sim_products products;
    bool no_exchange; /* each lane gets its own value from shfl and redux, as if no lane had sent one, if the values may
                         be computed from memory */
    uint64_t budget;  /* limit on warp-instructions per launch and its child launches; a fault or matrix product costs
                         32 more; 0: 2^32 */
    uint64_t memory_limit; /* limit on global memory in bytes; 0: 4 GiB */
    uint32_t sm_count;     /* number of SMs, for %nsmid and the number of resident blocks; 0: that of gpu_default */
    unsigned cores;        /* host cores per launch; 0: 1. Results, counts and findings do not depend on it */
    /* Receives the output of device printf. NULL discards it. */
    void (*print)(void *context, const char *text, size_t length);
    void *print_context;
    /* limit on printf output per launch in bytes; 0: 1 MiB. A note replaces output beyond the limit */
    size_t print_limit;
    uint64_t heap_base;            /* lowest address of allocations; 0: after the module's variables */
    const volatile int *interrupt; /* a nonzero value stops the launch; NULL if not used */
};
/* Creates a device memory with the program's variables, or with none if `p` is NULL. Copies the options. Returns NULL
 * if out of memory or above the memory limit. */
struct sim *sim_new(const struct sim_program *p, const struct sim_options *options);
/* Adds a program's variables to the memory; sim_new() has added those of its program. Returns false if out of memory or
 * above the memory limit. */
bool sim_add_program(struct sim *s, const struct sim_program *p);
void sim_free(struct sim *s);
/* Sets the limit on printf output per launch in bytes (sim_options.print_limit). */
void sim_limit_print(struct sim *s, size_t bytes);

enum { SIM_UNINITIALIZED = 0, SIM_INITIALIZED = 1, SIM_READ_ONLY = 2, SIM_REPEATS = 4 };
/* A flag that gives the size of the buffer's elements in bytes, for messages. */
#define SIM_ELEMENT(bytes) ((unsigned)(bytes) << 3)
/* Allocates `bytes` bytes of global memory (may be 0), aligned to 256 bytes, with unmapped space around them. Addresses
 * are never reused. Copies `name`. Returns the generic address, or 0 if the limit is exceeded or the host is out of
 * memory.
 *
 * Each byte is 0xA5 until it is written. For a large object, with SIM_LARGE bytes or more, only pages that were written
 * count toward the memory limit. SIM_REPEATS makes an object large that sim_fill() will fill with a repeated pattern,
 * which is then stored once. */
enum { SIM_LARGE = 64 << 20, SIM_LARGE_ZEROED = 64 << 10 /* the same for variables without an initial value */ };
uint64_t sim_alloc(struct sim *s, const char *name, uint64_t bytes, unsigned flags);
/* Bytes between objects. A wrong 32-bit index of 16-byte elements cannot cross the gap, so it never reaches another
 * object. */
#define SIM_OBJECT_GAP (UINT64_C(0x2000000000) + 0x10000)
/* Returns the lowest address at which an object may follow one of `bytes` bytes at `address`. */
uint64_t sim_after(uint64_t address, uint64_t bytes);
/* Allocates memory like sim_alloc(), but at an unused address that the caller chooses. `data` is the caller's memory,
 * which must exist until the object is released. If it is NULL, the simulator allocates memory. Returns false if the
 * limit is exceeded or the host is out of memory. */
bool sim_place(struct sim *s, const char *name, uint64_t address, uint64_t bytes, unsigned flags, void *data);
/* Frees the object that sim_alloc() or sim_place() created at this address. Does nothing if none starts there. */
void sim_release(struct sim *s, uint64_t address);
/* Frees an object like sim_release(), but reserves its address, and reports later accesses as use after free. */
void sim_retire(struct sim *s, uint64_t address);
/* Moves a variable of the module with its contents to `data`, the caller's memory, which must exist until sim_free().
 * Returns false if no object starts at `address`, or if it is large or already in the caller's memory. */
bool sim_lend(struct sim *s, uint64_t address, void *data);
/* Access memory from the host. Return false if no object contains the whole range, if the limit is exceeded, or if the
 * host is out of memory. sim_write(), sim_fill() and sim_make() mark the object as initialized. */
bool sim_write(struct sim *s, uint64_t address, const void *from, uint64_t bytes);
bool sim_read(struct sim *s, uint64_t address, void *to, uint64_t bytes);
/* Fills `bytes` bytes with repetitions of `pattern`, which has `period` bytes (at least 1). If a large object is filled
 * as a whole, the pattern is stored once. */
bool sim_fill(struct sim *s, uint64_t address, uint64_t bytes, const void *pattern, uint64_t period);
/* Makes `bytes` bytes of an object's contents, from byte `offset`. The same range must always get the same bytes. */
struct sim_maker {
    void (*make)(void *context, uint64_t offset, uint64_t bytes, void *to);
    void *context;
};
/* Sets the contents of the whole object at `address`. A large object's pages are made when they are accessed, perhaps
 * several times. */
bool sim_make(struct sim *s, uint64_t address, struct sim_maker maker);
/* Returns a host pointer to a whole object, which the caller can fill. Returns NULL if no object starts at `address`,
 * or if it is large and not in the caller's memory. */
void *sim_host(struct sim *s, uint64_t address);
/* Return the generic address of the module's variable with this PTX name, or 0 if there is none. Set *bytes to its size
 * unless `bytes` is NULL. sim_variable() searches the program of sim_new(). */
uint64_t sim_variable(struct sim *s, const char *name, uint64_t *bytes);
uint64_t sim_variable_of(struct sim *s, const struct sim_program *p, const char *name, uint64_t *bytes);

struct sim_launch {
    const struct sim_program *program; /* NULL for the program of sim_new() */
    const char *kernel;                /* PTX name */
    uint32_t grid[3], block[3];        /* each at least 1; a block has at most 1024 threads */
    uint32_t dynamic_shared;           /* bytes */
    bool default_shared;               /* the kernel's maximum of shared memory is still 48 KiB */
    uint32_t cluster[3];               /* blocks per cluster; 0: as the kernel declares, by default 1 */
    const void *const *params;         /* one pointer per kernel parameter, as for cuLaunchKernel */
    unsigned param_count;
    const uint32_t *param_bytes; /* each parameter's size; NULL: as the kernel declares */
    /* The linear indices, in any order, of the blocks that run with `params`. Other blocks run with `idle_params`, or
     * not at all if it is NULL. */
    const uint32_t *sample;
    uint32_t sample_count; /* number of blocks that run with `params`; 0: all */
    const void *const *idle_params;
    bool cooperative; /* all blocks must be resident at once and may wait for each other */
    const struct sim_listener *listeners;
    unsigned listener_count;
    const struct sim_parts *parts; /* needed to run in parts; if NULL, a launch with listeners runs on one core */
};
/* Maximum number of blocks per cluster. On a GPU, a program must opt in to more than 8. */
enum { SIM_MAX_CLUSTER = 16 };
enum sim_status {
    SIM_DONE,       /* all blocks finished, perhaps with faults that are not fatal */
    SIM_STOPPED,    /* stopped by a fatal fault, an interrupt or a listener */
    SIM_NO_MEMORY,  /* the launch or its listeners needed more memory than the limit, or the host is out of memory: see
                     *error */
    SIM_BAD_LAUNCH, /* the launch is invalid (its kernel's name, parameters or shape, for example), or a copy or fill
                       that a kernel started cannot run: see *error */
};
struct sim_stats {
    uint64_t warp_instructions;
    uint64_t spent;    /* used part of the budget */
    uint64_t products; /* number of matrix products */
    uint64_t launches; /* launches, including child launches */
    unsigned parts;    /* parts that ran in parallel; 1 if the launch did not run in parts */
};
/* Runs a kernel and the kernels that it launches. `stats` and `error` may be NULL. If no block could run, *stats is
 * unchanged. */
enum sim_status sim_launch(struct sim *s, const struct sim_launch *launch, struct sim_stats *stats,
                           struct sim_error *error);

#endif
