/* A copy of a kernel in which calls are inlined, and parameters and local variables have become registers. It makes
 * unoptimized code look like optimized code to the analysis in uses.c. It is never executed. */
#ifndef SIM_FLAT_H
#define SIM_FLAT_H

#include "base/arena.h"
#include "sim/machine.h"

struct sim_flat {
    struct arena arena;    /* arena that owns all memory of the copy */
    struct ptx_function f; /* code, registers and joins; registers that replace variables have no names */
    uint32_t *origin;      /* by instruction: the pc of the original, or PTX_NO_REG for a generated instruction */
};
/* Returns a flat copy of a kernel, to be freed with sim_flat_free(), or NULL if out of memory, if the copy would be too
 * large, or if a parameter cannot become registers. */
struct sim_flat *sim_flatten(const struct sim_program *p, const struct sim_function *kernel);
void sim_flat_free(struct sim_flat *f);

#endif
