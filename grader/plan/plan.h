/* A launch plan as a value: buffers, the launches that work on them, and the reads of what they leave. Whoever wants
 * kernels run builds one; a device interprets it (device/execute.c) and knows nothing else of what is run.
 *
 *   struct plan p = {0};
 *   unsigned in = plan_add_buffer(&p, (struct plan_buffer){"in", .element = 4, .length = n, .fill = PLAN_INPUT});
 *   unsigned out = plan_add_buffer(&p, (struct plan_buffer){"out", .element = 4, .length = 1});
 *   plan_add_launch(&p, 0, symbol, blocks, threads);
 *   plan_pass_address(&p, in, 0), plan_pass_address(&p, out, 0), plan_pass_u32(&p, n);
 *   plan_add_read(&p, out, 0, 1, PLAN_ONE_VALUE);
 *   ... if (!p.failed) device->run(...) ... plan_free(&p);
 *
 * It holds no address, and no pointer but those of its own lists: it crosses to another process by plan_pack(). */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PLAN_NAME = 64,      /* bytes of a buffer's name, its NUL included */
    PLAN_VALUE = 64,     /* bytes of an element that a buffer is filled with, at most */
    PLAN_MODULES = 4,    /* that the launches of one plan may come from */
    PLAN_MOST = 1 << 16, /* items of one list, at most */
    PLAN_NO_BUFFER = 1 << 30,
    PLAN_NO_ARGUMENT = PLAN_NO_BUFFER,
    PLAN_JOINED = 1 << 30
};

/* ---- buffers: each comes to be before the first launch that is given its address ------------- */
enum plan_fill {
    PLAN_UNWRITTEN, /* poison; to read it is a finding */
    PLAN_INPUT,     /* bytes that the caller gives: inputs[input] of the run, length * element of them; of `contents`
                       one set behind the other */
    PLAN_REPEAT,    /* `value` in each element */
    PLAN_PERIOD,    /* likewise given: `period` elements, again and again, except for the last length % period elements,
                       which follow them in the input. A device may hold no more than what is given and written */
    PLAN_MADE       /* without a lead: what the run's maker of that number says; it does not cross to another process */
};
/* `lead` elements of `before`, then `length` elements: a kernel's pointer is to the first of these. Devices put guard
 * zones around it all. */
struct plan_buffer {
    char name[PLAN_NAME]; /* of the kernel's parameter, for messages */
    uint64_t length;
    uint32_t element; /* bytes of one */
    uint32_t fill;    /* enum plan_fill */
    uint32_t input;
    uint32_t read_only; /* 1: to write it is a finding */
    uint32_t lead;
    uint32_t period;   /* PLAN_PERIOD: 1 or more, and there is no lead; else 0 */
    uint32_t variable; /* 0: memory of its own; else 1 + where its PTX name begins in plan.bytes: see below */
    uint32_t contents; /* PLAN_INPUT: each refill takes the next set, after the last the first; 0: there is one */
    uint8_t value[PLAN_VALUE], before[PLAN_VALUE];
};

/* ---- launches ------------------------------------------------------------------------------- */
enum plan_pace {
    PLAN_WAITS,  /* what comes next begins when it has ended */
    PLAN_QUEUED, /* it begins when what came before has ended, and nobody waits for it */
    PLAN_TIMED   /* the same, on the clock; neighbors of this kind make up one time */
};
struct plan_launch {
    uint64_t refill; /* bit k: buffer k (0 to 63) has its first contents again, or its next ones */
    uint32_t kernel, grid[3], block[3], dynamic_shared /* bytes */;
    uint32_t cluster[3], unused;  /* blocks of a cluster; 0: as the kernel was compiled */
    uint32_t pace;                /* enum plan_pace */
    uint32_t argument, arguments; /* the first of its arguments, and how many it has */
    /* Some blocks of a launch that is too large to run: `sample` of them, whose numbers begin in plan.bytes at
     * sampled; 0: all blocks run. The others run with 0 as argument idle - 1, a scalar; or, if idle is 0, not at all.
     * A GPU refuses such a launch. */
    uint32_t sample, sampled, idle;
};
struct plan_argument {
    uint64_t offset; /* of an address: bytes behind the buffer's lead; of a scalar: where it is in plan.bytes */
    uint32_t buffer; /* PLAN_NO_BUFFER: a scalar */
    uint32_t bytes;  /* of a scalar; and PLAN_JOINED: it is behind the argument before it, in one parameter */
};
struct plan_kernel {
    uint32_t module; /* of those that the run is given */
    uint32_t symbol; /* its PTX name: where it begins in plan.bytes; a NUL ends it */
};

/* ---- reads ---------------------------------------------------------------------------------- */
enum plan_shape {
    PLAN_ONE_VALUE,
    PLAN_ONE_A_BLOCK, /* partial results, which the host combines in order */
    PLAN_ARRAY
};
struct plan_read {
    uint64_t offset, count;    /* elements behind the buffer's lead */
    uint32_t buffer, launches; /* that have ended before it */
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
    bool failed; /* out of memory, or a list too long: it cannot be run */
};

/* Each adds to the end of a list and returns its number there; where it cannot, p->failed is set. */
unsigned plan_add_buffer(struct plan *p, struct plan_buffer b);
/* A buffer that is a variable of module 0, of that name in PTX, and of as many bytes, without a lead. It is filled
 * before the first launch; PLAN_UNWRITTEN leaves what the module says. */
unsigned plan_add_variable(struct plan *p, const char *symbol, struct plan_buffer b);
/* Of grid x 1 x 1 blocks of block x 1 x 1 threads, awaited, of a kernel of the run's module `module`. */
unsigned plan_add_launch(struct plan *p, unsigned module, const char *symbol, uint32_t grid, uint32_t block);
/* After the launches so far. */
unsigned plan_add_read(struct plan *p, unsigned buffer, uint64_t offset, uint64_t count, enum plan_shape shape);
/* The next argument of the last launch. `offset`: bytes. */
void plan_pass_address(struct plan *p, unsigned buffer, uint64_t offset);
void plan_pass_scalar(struct plan *p, const void *value, uint32_t bytes);
/* The last argument is no parameter of its own but continues the one before, as the fields of a struct. */
void plan_join(struct plan *p);
void plan_pass_u32(struct plan *p, uint32_t n);
void plan_pass_u64(struct plan *p, uint64_t n);
/* Of a launch only blocks of these numbers run; or the others, too, with 0 for its argument number `idle`, a scalar. */
void plan_sample(struct plan *p, unsigned launch, const uint32_t *blocks, uint32_t count, uint32_t idle);
/* The last launch, to be changed; NULL: the plan has failed, or has none. */
struct plan_launch *plan_last(struct plan *p);
void plan_free(struct plan *p);

const char *plan_symbol(const struct plan *p, const struct plan_launch *l);
const char *plan_variable(const struct plan *p, const struct plan_buffer *b); /* its PTX name; NULL: it is none */
uint64_t plan_buffer_bytes(const struct plan_buffer *b);                      /* its lead included */
uint64_t plan_lead_bytes(const struct plan_buffer *b);
/* What is read lies one after the other in one array: bytes of read k, and where it begins; of all reads, where
 * number p->reads would begin. */
uint64_t plan_read_bytes(const struct plan *p, unsigned k);
uint64_t plan_read_at(const struct plan *p, unsigned k);
/* Elements that the caller gives for a buffer, those of PLAN_INPUT and PLAN_PERIOD: of all its contents. */
uint64_t plan_given(const struct plan_buffer *b);
/* Bytes that it takes as inputs[input]; 0: no buffer takes that. */
uint64_t plan_input_bytes(const struct plan *p, unsigned input);
unsigned plan_inputs(const struct plan *p); /* they have numbers below this */
unsigned plan_times(const struct plan *p);  /* groups of timed launches */

/* ---- to another process --------------------------------------------------------------------- */
/* All of it, without a pointer and without bytes that nobody has set. NULL: out of memory; else free() it. */
uint8_t *plan_pack(const struct plan *p, size_t *length);
/* False: the bytes are no plan whose parts all are within each other. plan_free() it in either case. */
bool plan_unpack(struct plan *p, const uint8_t *bytes, size_t length);

#endif
