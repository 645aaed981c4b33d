/* A copy of a kernel in which calls are inlined, and parameters and local variables are registers. Unoptimized code
 * then looks like optimized code to the analysis in uses.c. The copy is never executed. */
#ifndef SIM_FLAT_H
#define SIM_FLAT_H

#include "base/arena.h"
#include "sim/machine.h"

struct sim_flat {
    struct arena arena;    /* owns all memory of the copy */
    struct ptx_function f; /* code, registers and joins; registers in place of variables have no names */
    uint32_t *origin;      /* by instruction: the original's pc, or PTX_NO_REG for a generated instruction */
};
/* Returns a flat copy of a kernel; free it with sim_flat_free(). Returns NULL if out of memory, if the copy would be
 * too large, or if a parameter cannot become registers. */
struct sim_flat *sim_flatten(const struct sim_program *p, const struct sim_function *kernel);
void sim_flat_free(struct sim_flat *f);

#endif
