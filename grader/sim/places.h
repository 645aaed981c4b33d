/* Which place does an address name? As far as registers have one definition; for uses.c and flat.c. */
#ifndef SIM_PLACES_H
#define SIM_PLACES_H

#include "sim/machine.h"

/* The address is that of a symbol, or what a register holds, and an offset. Neither: it is absolute. */
struct sim_place {
    const struct ptx_variable *symbol;
    uint32_t reg;
    uint64_t offset;
};
const struct ptx_operand *sim_memory_operand(const struct ptx_insn *i); /* NULL: it has none */
/* By register, the one instruction that writes it; code_count: none; PTX_NO_REG: several. */
void sim_find_definitions(const struct ptx_function *f, uint32_t *definition);
/* Follows moves, conversions between generic and other addresses, and constants added. */
struct sim_place sim_place_of(const struct ptx_function *f, const uint32_t *definition, const struct ptx_operand *m);

#endif
