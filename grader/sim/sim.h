/* The SIMT simulator: runs the kernels of a PTX module on the host, warp by warp.
 *
 *   struct sim_program *p = sim_program_new(module, &error);      decoded once; immutable; shared by threads
 *   struct sim *s = sim_new(p, NULL);                             one memory; one thread at a time
 *   uint64_t in = sim_alloc(s, "in", bytes, SIM_INITIALIZED);     ... sim_write, sim_launch, sim_read ... sim_free_all
 *
 * A program is invalid after ptx_free() of its module. See docs/simulator.md for the execution model. */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include "sim/events.h"

struct sim_program;
struct sim;

struct sim_error {
    char message[512];
};

struct sim_program *sim_program_new(const struct ptx_module *module, struct sim_error *error);
/* The same with the handlers for one instruction set of the host: "baseline", "avx2", "avx512"; NULL: the best one. The
 * results are bitwise identical. */
struct sim_program *sim_program_new_isa(const struct ptx_module *module, const char *isa, struct sim_error *error);
/* The same with variables from address `base` on, so that several programs fit into one memory; 0: the default address.
 */
struct sim_program *sim_program_new_at(const struct ptx_module *module, uint64_t base, struct sim_error *error);
void sim_program_free(struct sim_program *p);
const struct ptx_module *sim_program_module(const struct sim_program *p);
/* Gets the kernel's static shared memory per block and local memory per thread, in bytes. */
void sim_kernel_bytes(const struct sim_program *p, const struct ptx_function *kernel, uint32_t *shared,
                      uint32_t *local);

/* A chosen order of execution as text: parts joined by commas, such as "warp=1" or "block=2,stale=17". Blocks, warps
 * and lanes go in ascending order, except as the parts say:
 *
 *   rising      no exception: the text of the plain ascending order
 *   falling     blocks and warps go in descending order
 *   block=K     block K is the first to start
 *   warp=K      warp K of each block runs whenever it can; the others run only when it cannot
 *   lane=K      lane K of each warp runs whenever it can; the warp's other lanes run only when it cannot
 *   stale=LINE  if a load of that source line is not ordered after a store, it gets what memory held before the store,
 *               the first time that its warp meets the store (needs a listener that knows what is ordered) */
#define SIM_SCHEDULE_FORM "rising, falling, or parts such as block=2,warp=1,lane=5,stale=17 (a source line)"
enum { SIM_NOBODY = UINT32_MAX, SIM_SCHEDULE_TEXT = 64 };
struct sim_schedule {
    bool chosen, falling;       /* chosen false: ascending order, or the seed's */
    uint32_t block, warp, lane; /* SIM_NOBODY: none */
    uint32_t stale;             /* source line; 0: none; SIM_ANY_LINE (events.h): all loads */
};
/* Parses a schedule; NULL or "": none is chosen. If the text is invalid, returns false and leaves *schedule unchanged.
 */
bool sim_schedule_parse(struct sim_schedule *schedule, const char *text);
/* Writes the schedule's text, at most SIM_SCHEDULE_TEXT bytes including the NUL. Returns out. */
char *sim_schedule_print(const struct sim_schedule *schedule, char *out, size_t size);

/* Which terms matrix products have: all, none (only the added matrix is left), or about half of them. Comparing results
 * shows how much of a result comes from matrix products. */
enum sim_products { SIM_PRODUCTS_WHOLE, SIM_PRODUCTS_NONE, SIM_PRODUCTS_HALF };
/* The number of elements of the larger of the two matrices that an instruction multiplies; 0 for other instructions. */
struct ptx_insn;
unsigned sim_matrix_elements(const struct ptx_insn *p);

/* Options of sim_new(); NULL: all defaults. */
struct sim_options {
    uint64_t seed;                /* determines the order of blocks, warps and sides of a branch; 0 is a valid seed */
    bool shuffle;                 /* false: blocks, warps and sides of branches go in ascending order */
    struct sim_schedule schedule; /* replaces the seed's order, if one is chosen */
    enum sim_products products;
    uint64_t budget;       /* warp-instructions per launch; a fault and a matrix product count as 32; 0: 2^32 */
    uint64_t memory_limit; /* bytes of global memory; 0: 4 GiB */
    uint32_t sm_count;     /* for %nsmid and the number of resident blocks; 0: the count of gpu_default */
    unsigned cores; /* host cores that a launch may use; 0: 1. Results, counts and findings do not depend on it */
    void (*print)(void *context, const char *text,
                  size_t length); /* gets the output of device printf; NULL: the output is dropped */
    void *print_context;
    size_t print_limit; /* bytes of printf output per launch, 0: 1 MiB; more is cut off, and a line says so */
    uint64_t heap_base; /* start address of heap allocations; 0: after everything else */
    const volatile int *interrupt; /* a launch is stopped soon after it becomes nonzero; NULL: never */
};
struct sim *sim_new(const struct sim_program *p, const struct sim_options *options);
/* Adds another program's variables to the memory; after sim_new(NULL, ...), those of the first program. False: out of
 * memory. */
bool sim_add_program(struct sim *s, const struct sim_program *p);
void sim_free(struct sim *s);

enum { SIM_UNINITIALIZED = 0, SIM_INITIALIZED = 1, SIM_READ_ONLY = 2 };
/* Allocates `bytes` bytes of global memory (0 is allowed), aligned to 256 and surrounded by unmapped space. Returns the
 * generic address, or 0 if the limit is exceeded. The contents are 0xA5 bytes until they are written. `name` is copied.
 * In an object of SIM_LARGE bytes or more, only pages that are written take host memory and count toward the limit. */
enum { SIM_LARGE = 64 << 20 };
uint64_t sim_alloc(struct sim *s, const char *name, uint64_t bytes, unsigned flags);
/* Bytes between objects: more than any 32-bit index of 16-byte elements can span, so that a wrong index never reaches
 * another object. */
#define SIM_OBJECT_GAP (UINT64_C(0x2000000000) + 0x10000)
/* The address of the object that follows one of `bytes` bytes at `address`. Addresses only grow. */
uint64_t sim_after(uint64_t address, uint64_t bytes);
/* The same at an unused address that the caller chooses. `data` is memory of the caller, which must exist until the
 * object is released; NULL: the simulator allocates it. */
bool sim_place(struct sim *s, const char *name, uint64_t address, uint64_t bytes, unsigned flags, void *data);
void sim_release(struct sim *s, uint64_t address);
/* Like sim_release(), but the address stays reserved, and later uses are reported as use after free. */
void sim_retire(struct sim *s, uint64_t address);
/* Moves a module variable, with its contents, to `data`, which is memory of the caller. */
bool sim_lend(struct sim *s, uint64_t address, void *data);
/* Access by the host. False if the range is not within an object. sim_write() marks the object as initialized. */
bool sim_write(struct sim *s, uint64_t address, const void *from, uint64_t bytes);
bool sim_read(struct sim *s, uint64_t address, void *to, uint64_t bytes);
/* Repeats `pattern`, of `period` bytes (at least 1), over `bytes` bytes. Filling a whole object takes only `period`
 * bytes of host memory, however large it is. */
bool sim_fill(struct sim *s, uint64_t address, uint64_t bytes, const void *pattern, uint64_t period);
/* A function that makes the contents of an object: `bytes` bytes from `offset` on, the same at each call. */
struct sim_maker {
    void (*make)(void *context, uint64_t offset, uint64_t bytes, void *to);
    void *context;
};
/* Sets the contents of a whole object. The pages of a large object are made when they are first read. */
bool sim_make(struct sim *s, uint64_t address, struct sim_maker maker);
/* A host pointer to a whole object, to fill it in place. NULL if `address` is not an object's start, or if the object
 * has SIM_LARGE bytes or more. */
void *sim_host(struct sim *s, uint64_t address);
/* The generic address and size of the module variable with that PTX name; 0: none. */
uint64_t sim_variable(struct sim *s, const char *name, uint64_t *bytes);
uint64_t sim_variable_of(struct sim *s, const struct sim_program *p, const char *name, uint64_t *bytes);

struct sim_launch {
    const struct sim_program *program; /* NULL: the one of sim_new() */
    const char *kernel;                /* PTX name */
    uint32_t grid[3], block[3];        /* each number is at least 1; a block has at most 1024 threads */
    uint32_t dynamic_shared;           /* bytes */
    uint32_t cluster[3];               /* blocks per cluster; 0: the kernel's, else 1 */
    const void *const *params;         /* one pointer per kernel parameter, as for cuLaunchKernel */
    unsigned param_count;
    const uint32_t *param_bytes; /* the size of each parameter; NULL: as the kernel declares */
    /* With a sample, blocks with these indices (in the grid, in any order) run with `params`. The other blocks run with
     * idle_params or, if that is NULL, do not run. */
    const uint32_t *sample;
    uint32_t sample_count; /* 0: all blocks run alike */
    const void *const *idle_params;
    bool cooperative; /* all blocks must be resident at once, and may wait for each other */
    const struct sim_listener *listeners;
    unsigned listener_count;
    const struct sim_parts *parts; /* NULL: with listeners, the launch runs on one core */
};
enum { SIM_MAX_CLUSTER = 16 }; /* blocks per cluster; a GPU needs the program's permission for more than 8 */
enum sim_status {
    SIM_DONE,       /* all blocks finished (non-fatal faults are in the events) */
    SIM_STOPPED,    /* a fatal fault */
    SIM_NO_MEMORY,  /* the launch wrote more than the memory limit allows */
    SIM_BAD_LAUNCH, /* no such kernel, wrong parameter count, block too large, too much shared memory: see error */
};
struct sim_stats {
    uint64_t warp_instructions;
    uint64_t spent;    /* how much of the budget was used */
    uint64_t products; /* number of matrix products */
    uint64_t launches; /* number of launches, including those by kernels */
    unsigned parts;    /* number of parts that ran in parallel; 1: on one core */
};
enum sim_status sim_launch(struct sim *s, const struct sim_launch *launch, struct sim_stats *stats,
                           struct sim_error *error);

#endif
