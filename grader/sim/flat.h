/* A kernel with the functions that it calls put in the place of their calls, and with registers for parameters and
 * local variables: what an optimizer would see of code that is not optimized. Nothing runs it; uses.c looks at it. */
#ifndef SIM_FLAT_H
#define SIM_FLAT_H

#include "base/arena.h"
#include "sim/machine.h"

struct sim_flat {
    struct arena arena;    /* all that hangs on it */
    struct ptx_function f; /* code, registers and joins; no names but those of the kernel's own registers */
    uint32_t *origin;      /* by instruction: the function's in the program, as a pc; those made here: PTX_NO_REG */
};
/* NULL: out of memory, or too large. Free with sim_flat_free(). */
struct sim_flat *sim_flatten(const struct sim_program *p, const struct sim_function *kernel);
void sim_flat_free(struct sim_flat *f);

#endif
