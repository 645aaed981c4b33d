/* A kernel with inlined calls, and with registers for parameters and local variables. It makes unoptimized code look
 * like optimized code for the analysis in uses.c. It is never run. */
#ifndef SIM_FLAT_H
#define SIM_FLAT_H

#include "base/arena.h"
#include "sim/machine.h"

struct sim_flat {
    struct arena arena;    /* owns all its memory */
    struct ptx_function f; /* code, registers and joins; only the kernel's own registers have names */
    uint32_t *origin;      /* by instruction: the pc in the program; PTX_NO_REG for generated instructions */
};
/* Makes the flat form of a kernel; sim_flat_free() it. NULL: out of memory, or too large. */
struct sim_flat *sim_flatten(const struct sim_program *p, const struct sim_function *kernel);
void sim_flat_free(struct sim_flat *f);

#endif
