/* Resolves an address to a symbol or register plus a constant offset, through registers with a single definition. */
#ifndef SIM_PLACES_H
#define SIM_PLACES_H

#include "sim/machine.h"

/* The address of a symbol, or the value of a register, plus an offset. Without a symbol and a register, the offset is
 * an absolute address. */
struct sim_place {
    const struct ptx_variable *symbol;
    uint32_t reg;
    uint64_t offset;
};
/* Returns the instruction's memory operand, or NULL. */
const struct ptx_operand *sim_memory_operand(const struct ptx_insn *i);
/* Finds, for each register, the index of the only instruction that writes it: code_count if no instruction does,
 * PTX_NO_REG if several do. */
void sim_find_definitions(const struct ptx_function *f, uint32_t *definition);
/* Resolves the address in memory operand `m`. Follows moves, conversions between generic and other addresses, and
 * additions of constants. */
struct sim_place sim_place_of(const struct ptx_function *f, const uint32_t *definition, const struct ptx_operand *m);

#endif
