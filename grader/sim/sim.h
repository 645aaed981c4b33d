/* The SIMT simulator: runs the kernels of a PTX module on the host, warp by warp.
 *
 *   struct sim_program *p = sim_program_new(module, &error);      decoded once; immutable; shared by threads
 *   struct sim *s = sim_new(p, NULL);                             one memory; one thread at a time
 *   uint64_t in = sim_alloc(s, "in", bytes, SIM_INITIALIZED);     ... sim_write, sim_launch, sim_read ... sim_free_all
 *
 * Do not use a program after ptx_free() of its module. See docs/simulator.md for the rules it runs by. */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include "sim/events.h"

struct sim_program;
struct sim;

struct sim_error {
    char message[512];
};

struct sim_program *sim_program_new(const struct ptx_module *module, struct sim_error *error);
/* With the handlers of one instruction set of the host: "baseline", "avx2", "avx512"; NULL: the best. They give equal
 * bits. */
struct sim_program *sim_program_new_isa(const struct ptx_module *module, const char *isa, struct sim_error *error);
/* Its variables lie from `base` on, so that several programs fit into one memory: 0: where they usually do. */
struct sim_program *sim_program_new_at(const struct ptx_module *module, uint64_t base, struct sim_error *error);
void sim_program_free(struct sim_program *p);
const struct ptx_module *sim_program_module(const struct sim_program *p);
/* What a block of the kernel has of static shared memory, and a thread of local memory, in bytes. */
void sim_kernel_bytes(const struct sim_program *p, const struct ptx_function *kernel, uint32_t *shared,
                      uint32_t *local);

/* An order of execution that someone has chosen, as text: parts joined by commas, such as "warp=1" or
 * "block=2,stale=17". Blocks, warps and lanes go in rising order except for
 *   rising      nothing: the text of the order that has no other part
 *   falling     blocks and warps go in falling order
 *   block=K     block K is the first to start
 *   warp=K      warp K of each block continues whenever it can, the others only when it cannot
 *   lane=K      lane K of each warp does so beside the others of its warp
 *   stale=LINE  each load of that source line that nothing orders behind a store gets what memory held before that
 *               store, when its warp first meets it (the launch needs a listener that knows what is ordered) */
#define SIM_SCHEDULE_FORM "rising, falling, or parts such as block=2,warp=1,lane=5,stale=17 (a source line)"
enum { SIM_NOBODY = UINT32_MAX, SIM_SCHEDULE_TEXT = 64 };
struct sim_schedule {
    bool chosen, falling;       /* not chosen: rising, or by the seed */
    uint32_t block, warp, lane; /* SIM_NOBODY: none */
    uint32_t stale;             /* source line; 0: none; SIM_ANY_LINE (events.h): all loads */
};
/* False: it is no schedule; *schedule is not changed. NULL or "": none is chosen. */
bool sim_schedule_parse(struct sim_schedule *schedule, const char *text);
/* Its text, of at most SIM_SCHEDULE_TEXT bytes with the NUL. Returns out. */
char *sim_schedule_print(const struct sim_schedule *schedule, char *out, size_t size);

/* NULL options: all defaults. */
struct sim_options {
    uint64_t seed;                /* order of blocks, warps and sides of a branch; 0 is a seed like any other */
    bool shuffle;                 /* false: blocks, warps and sides in rising order */
    struct sim_schedule schedule; /* where it is chosen, the seed decides no order */
    uint64_t budget;              /* warp-instructions of one launch, each fault as 32 of them; 0: 2^32 */
    uint64_t memory_limit;        /* bytes of global memory; 0: 4 GiB */
    uint32_t sm_count;            /* %nsmid, and how many blocks are resident; 0: as many as gpu_default has */
    unsigned cores;               /* that a launch may use; 0: 1. Results, counts and findings do not depend on it */
    void (*print)(void *context, const char *text, size_t length); /* device printf; NULL: dropped */
    void *print_context;
    size_t print_limit; /* bytes of printf output of a launch; 0: 1 MiB; more is cut, with one line saying so */
    uint64_t heap_base; /* addresses of what kernels allocate, from here on; 0: behind all others */
    const volatile int *interrupt; /* a launch is stopped soon after it is not 0; NULL: none is */
};
struct sim *sim_new(const struct sim_program *p, const struct sim_options *options);
/* Another program's variables join the memory; with sim_new(NULL, ...) this gives it its first. False: no memory. */
bool sim_add_program(struct sim *s, const struct sim_program *p);
void sim_free(struct sim *s);

enum { SIM_UNINITIALIZED = 0, SIM_INITIALIZED = 1, SIM_READ_ONLY = 2 };
/* `bytes` of global memory (0 is allowed), aligned to 256, with unmapped space around; its generic address, or 0 when
 * the limit is passed. Contents: 0xA5 bytes until written. `name` is copied. From SIM_LARGE bytes on, only the pages
 * that are written take memory of the host, and count for the limit. */
enum { SIM_LARGE = 64 << 20 };
uint64_t sim_alloc(struct sim *s, const char *name, uint64_t bytes, unsigned flags);
/* Bytes between objects: more than any 32-bit index of 16-byte elements reaches, so that a wrong index never lands in
 * another object. */
#define SIM_OBJECT_GAP (UINT64_C(0x2000000000) + 0x10000)
/* Where the next object is after one of `bytes` at `address`: addresses only grow. */
uint64_t sim_after(uint64_t address, uint64_t bytes);
/* The same at an address of the caller's choice, where nothing lies yet, and in `data`, memory that the caller keeps
 * until it is released; NULL: in memory of the simulator's own. */
bool sim_place(struct sim *s, const char *name, uint64_t address, uint64_t bytes, unsigned flags, void *data);
void sim_release(struct sim *s, uint64_t address);
/* The same, but the address is kept: who still uses it is reported that it was freed. */
void sim_retire(struct sim *s, uint64_t address);
/* A variable of a module is in `data` from now on, memory that the caller keeps; with what it holds. */
bool sim_lend(struct sim *s, uint64_t address, void *data);
/* Host access: false if the range is in no object. sim_write marks the object as initialized. */
bool sim_write(struct sim *s, uint64_t address, const void *from, uint64_t bytes);
bool sim_read(struct sim *s, uint64_t address, void *to, uint64_t bytes);
/* `pattern`, `period` bytes, at least 1, again and again over `bytes` bytes. To fill a whole object takes `period`
 * bytes of the host, however large it is. */
bool sim_fill(struct sim *s, uint64_t address, uint64_t bytes, const void *pattern, uint64_t period);
/* Whoever knows what each byte of an object is: `bytes` of them from `offset` on, the same whenever it is asked. */
struct sim_maker {
    void (*make)(void *context, uint64_t offset, uint64_t bytes, void *to);
    void *context;
};
/* The contents of a whole object: of a large one page by page, when they are first read. */
bool sim_make(struct sim *s, uint64_t address, struct sim_maker maker);
/* Host pointer to a whole object, for filling in place; NULL if `address` is not an object's start, or
 * the object has SIM_LARGE bytes or more. */
void *sim_host(struct sim *s, uint64_t address);
/* Module variable by its PTX name: its generic address and size, or 0. */
uint64_t sim_variable(struct sim *s, const char *name, uint64_t *bytes);
uint64_t sim_variable_of(struct sim *s, const struct sim_program *p, const char *name, uint64_t *bytes);

struct sim_launch {
    const struct sim_program *program; /* NULL: that of sim_new() */
    const char *kernel;                /* PTX name */
    uint32_t grid[3], block[3];        /* each at least 1; block x*y*z at most 1024 */
    uint32_t dynamic_shared;           /* bytes */
    uint32_t cluster[3];               /* blocks of a cluster; 0: as the kernel says, else 1 */
    const void *const *params;         /* one pointer a kernel parameter, as cuLaunchKernel takes them */
    unsigned param_count;
    const uint32_t *param_bytes; /* what each of them points to; NULL: as much as the kernel takes */
    /* With a sample, blocks of these numbers (of the grid, in any order) run with `params`, and the others with
     * idle_params; or, where that is NULL, not at all. */
    const uint32_t *sample;
    uint32_t sample_count; /* 0: all blocks run alike */
    const void *const *idle_params;
    bool cooperative; /* all blocks must be resident at once, and may wait for each other */
    const struct sim_listener *listeners;
    unsigned listener_count;
    const struct sim_parts *parts; /* NULL: with listeners, the launch runs on one core */
};
enum { SIM_MAX_CLUSTER = 16 }; /* blocks of a cluster; over 8 need a program's leave on a GPU */
enum sim_status {
    SIM_DONE,       /* all blocks ran to their end (non-fatal faults are in the events) */
    SIM_STOPPED,    /* a fatal fault */
    SIM_NO_MEMORY,  /* it wrote more than the memory limit allows */
    SIM_BAD_LAUNCH, /* no such kernel, wrong parameter count, block too large, too much shared memory: see error */
};
struct sim_stats {
    uint64_t warp_instructions;
    unsigned parts; /* that it ran in at once; 1: on one core */
};
enum sim_status sim_launch(struct sim *s, const struct sim_launch *launch, struct sim_stats *stats,
                           struct sim_error *error);

#endif
