/* A launch plan as a value: buffers, launches that use them, and reads of the results. To run kernels, build a plan and
 * pass it to a device; device/execute.c interprets it.
 *
 *   struct plan p = {0};
 *   unsigned in = plan_add_buffer(&p, (struct plan_buffer){"in", .element = 4, .length = n, .fill = PLAN_INPUT});
 *   unsigned out = plan_add_buffer(&p, (struct plan_buffer){"out", .element = 4, .length = 1});
 *   plan_add_launch(&p, 0, symbol, blocks, threads);
 *   plan_pass_address(&p, in, 0), plan_pass_address(&p, out, 0), plan_pass_u32(&p, n);
 *   plan_add_read(&p, out, 0, 1, PLAN_ONE_VALUE);
 *   ... if (!p.failed) device->run(...) ... plan_free(&p);
 *
 * A plan has no addresses, and no pointers except to its own lists, so plan_pack() can send it to another process. */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PLAN_NAME = 64,     /* size of a buffer's name in bytes, including the NUL */
    PLAN_VALUE = 64,    /* maximum size in bytes of a buffer's fill value */
    PLAN_MODULES = 4,   /* maximum number of modules for the launches of one plan */
    PLAN_MAX = 1 << 16, /* maximum length of a list */
    PLAN_NO_BUFFER = 1 << 30,
    PLAN_NO_ARGUMENT = PLAN_NO_BUFFER,
    PLAN_JOINED = 1 << 30
};

/* ---- buffers; each is allocated before the first launch that uses it ---------------------------- */
enum plan_fill {
    PLAN_UNWRITTEN, /* the poison pattern; reading it is a finding */
    PLAN_INPUT, /* inputs[input] of the run: `length` elements from the caller; with `contents`, several sets, one after
                   the other */
    PLAN_REPEAT, /* `value` in each element */
    PLAN_PERIOD, /* `period` elements from the caller, repeated. The last length % period elements of the buffer are
                  * separate, and follow the period in the input. A device need only store the elements that are given
                  * or written */
    PLAN_MADE    /* contents that the run's makers[k] computes for buffer k; has no lead and cannot be sent to another
                    process */
};
/* A buffer: `lead` elements with the value `before`, followed by `length` elements. A kernel gets a pointer to the
 * first element after the lead. Devices add guard zones around both parts. */
struct plan_buffer {
    char name[PLAN_NAME]; /* name of the kernel's parameter, for messages */
    uint64_t length;
    uint32_t element; /* size in bytes */
    uint32_t fill;    /* enum plan_fill */
    uint32_t input;
    uint32_t read_only; /* 1 if a write to the buffer is a finding */
    uint32_t lead;
    uint32_t period;   /* period of PLAN_PERIOD in elements, at least 1; otherwise 0. PLAN_PERIOD permits no lead and no
                          variable */
    uint32_t variable; /* 0 for separate memory. If a variable serves as the buffer (plan_add_variable()): 1 + the
                        * offset of its PTX name in plan.bytes */
    uint32_t contents; /* number of sets for PLAN_INPUT, which successive refills use in turn; 0 for a single set */
    uint32_t halves; /* PLAN_INPUT, PLAN_PERIOD: 1 if the caller provides floats and the elements are the nearest 16-bit
                        floats; otherwise 0 */
    uint32_t unused;
    uint8_t value[PLAN_VALUE], before[PLAN_VALUE];
};

/* ---- launches ------------------------------------------------------------------------------- */
enum plan_mode {
    PLAN_WAITS,  /* synchronous: the next step starts when the launch has finished */
    PLAN_QUEUED, /* asynchronous: starts when the previous launch has finished */
    PLAN_TIMED   /* like PLAN_QUEUED, but timed; adjacent timed launches share one time */
};
struct plan_launch {
    uint64_t refill; /* bit k: before the launch, buffer k (0 to 63) is refilled, with the next set if it has several */
    uint32_t kernel, grid[3], block[3], dynamic_shared /* bytes */;
    uint32_t cluster[3], unused;  /* blocks per cluster; 0 for the compiled value */
    uint32_t mode;                /* enum plan_mode */
    uint32_t argument, arguments; /* index of the first argument, and the number of arguments */
    /* Sampling, for a launch that is too large to run. Only the `sample` blocks listed at `sampled` in plan.bytes run;
     * if `sample` is 0, all blocks run. If `idle` is not 0, the other blocks run as well, with 0 as scalar argument
     * idle - 1. GPUs do not accept such a launch. */
    uint32_t sample, sampled, idle;
};
struct plan_argument {
    uint64_t offset; /* address: offset in bytes after the buffer's lead; scalar: offset of its value in plan.bytes */
    uint32_t buffer; /* PLAN_NO_BUFFER for a scalar */
    uint32_t bytes;  /* size of a scalar, or 0 for an address; plus PLAN_JOINED if the argument continues the parameter
                        of the previous argument */
};
struct plan_kernel {
    uint32_t module; /* index among the run's modules */
    uint32_t symbol; /* offset of the NUL-terminated PTX name in plan.bytes */
};

/* ---- reads ---------------------------------------------------------------------------------- */
enum plan_shape {
    PLAN_ONE_VALUE,
    PLAN_ONE_A_BLOCK, /* partial results, one per block, which the host combines in order */
    PLAN_ARRAY
};
struct plan_read {
    uint64_t offset, count;    /* offset after the buffer's lead, and number of elements */
    uint32_t buffer, launches; /* launches: number of launches that precede the read */
    uint32_t shape, unused;    /* enum plan_shape */
};

struct plan {
    struct plan_buffer *buffer;
    struct plan_launch *launch;
    struct plan_argument *argument;
    struct plan_kernel *kernel;
    struct plan_read *read;
    uint8_t *bytes; /* scalars and names */
    uint32_t buffers, launches, arguments, kernels, reads, byte_count;
    bool failed; /* whether the plan cannot run, because a list is too long or memory is exhausted */
};

/* The following functions build a plan. The plan_add_...() functions append an item to a list and return its index. If
 * a list is too long or memory is exhausted, all of them set p->failed. */
unsigned plan_add_buffer(struct plan *p, struct plan_buffer b);
/* Adds a buffer whose memory is the variable `symbol` of module 0. The variable must have the buffer's size, and the
 * buffer has no lead. It is filled before the first launch; PLAN_UNWRITTEN keeps the module's initial value. */
unsigned plan_add_variable(struct plan *p, const char *symbol, struct plan_buffer b);
/* Adds a synchronous launch, with grid x 1 x 1 blocks of block x 1 x 1 threads, of a kernel in the run's module
 * `module`. */
unsigned plan_add_launch(struct plan *p, unsigned module, const char *symbol, uint32_t grid, uint32_t block);
/* Adds a read that follows all launches that were added before it. */
unsigned plan_add_read(struct plan *p, unsigned buffer, uint64_t offset, uint64_t count, enum plan_shape shape);
/* Add the next argument of the last launch: the address of a buffer plus `offset` bytes, or a scalar of `bytes` bytes.
 */
void plan_pass_address(struct plan *p, unsigned buffer, uint64_t offset);
void plan_pass_scalar(struct plan *p, const void *value, uint32_t bytes);
/* Makes the last argument continue the parameter of the previous one, like the fields of a struct. */
void plan_join(struct plan *p);
void plan_pass_u32(struct plan *p, uint32_t n);
void plan_pass_u64(struct plan *p, uint64_t n);
/* Restricts a launch to the `count` blocks with the given linear indices. If `idle` is PLAN_NO_ARGUMENT, the other
 * blocks do not run. Otherwise, they run with 0 as the scalar argument with index `idle`. */
void plan_sample(struct plan *p, unsigned launch, const uint32_t *blocks, uint32_t count, uint32_t idle);
/* Returns the last launch, which the caller may change, or NULL if the plan has failed or has no launch. */
struct plan_launch *plan_last(struct plan *p);
void plan_free(struct plan *p);

const char *plan_symbol(const struct plan *p, const struct plan_launch *l); /* PTX name of the launch's kernel */
/* Returns the PTX name of the variable that serves as the buffer, or NULL. */
const char *plan_variable(const struct plan *p, const struct plan_buffer *b);
uint64_t plan_buffer_bytes(const struct plan_buffer *b); /* including the lead */
uint64_t plan_lead_bytes(const struct plan_buffer *b);   /* size of the lead alone */
/* Returns how many elements of read k form the result: one per block, or the first element alone. */
uint64_t plan_read_results(const struct plan *p, unsigned k);
/* The results of reads are stored one after the other in an array. These functions return the size and the offset of
 * read k in bytes; plan_read_at(p, p->reads) is the total size. */
uint64_t plan_read_bytes(const struct plan *p, unsigned k);
uint64_t plan_read_at(const struct plan *p, unsigned k);
/* Returns the number of elements that the caller provides for a buffer (PLAN_INPUT and PLAN_PERIOD), including all its
 * contents. */
uint64_t plan_given(const struct plan_buffer *b);
uint32_t plan_given_size(const struct plan_buffer *b); /* size of an element that the caller provides, in bytes */
/* Returns the size of inputs[input] in bytes, or 0 if no buffer uses it. */
uint64_t plan_input_bytes(const struct plan *p, unsigned input);
unsigned plan_inputs(const struct plan *p); /* number of inputs: 1 + the largest `input` of a buffer, or 0 */
unsigned plan_times(const struct plan *p);  /* number of groups of timed launches */

/* ---- to another process --------------------------------------------------------------------- */
/* Serializes the plan, without pointers or uninitialized bytes; free() it. Returns NULL if out of memory. */
uint8_t *plan_pack(const struct plan *p, size_t *length);
/* Restores a plan. Returns false if the bytes are not a consistent plan, or if out of memory. Call plan_free() in
 * either case. */
bool plan_unpack(struct plan *p, const uint8_t *bytes, size_t length);

#endif
