/* A kernel with inlined calls, and with registers for parameters and local variables. It makes unoptimized code look
 * like optimized code for the analysis in uses.c. It is never run. */
#ifndef SIM_FLAT_H
#define SIM_FLAT_H

#include "base/arena.h"
#include "sim/machine.h"

struct sim_flat {
    struct arena arena;    /* owns all its memory */
    struct ptx_function f; /* code, registers and joins; only the kernel's own registers have names */
    uint32_t *origin;      /* by instruction: its pc in the program; generated ones: PTX_NO_REG */
};
/* NULL: out of memory, or too large. Free with sim_flat_free(). */
struct sim_flat *sim_flatten(const struct sim_program *p, const struct sim_function *kernel);
void sim_flat_free(struct sim_flat *f);

#endif
