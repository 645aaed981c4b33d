/* What does an address refer to? This is known only if the registers have a single definition. For uses.c and flat.c.
 */
#ifndef SIM_PLACES_H
#define SIM_PLACES_H

#include "sim/machine.h"

/* The address of a symbol, or the value of a register, plus an offset. With neither, the offset is an absolute address.
 */
struct sim_place {
    const struct ptx_variable *symbol;
    uint32_t reg;
    uint64_t offset;
};
const struct ptx_operand *sim_memory_operand(const struct ptx_insn *i); /* NULL: no such operand */
/* Finds for each register the only instruction that writes it; code_count: none; PTX_NO_REG: several. */
void sim_find_definitions(const struct ptx_function *f, uint32_t *definition);
/* Finds the place by following moves, conversions between generic and other addresses, and added constants. */
struct sim_place sim_place_of(const struct ptx_function *f, const uint32_t *definition, const struct ptx_operand *m);

#endif
