/* Helpers for analyses of PTX: addresses, and sets of registers.
 *
 * Resolves an address to a symbol or register plus a constant, through registers with a single definition. */
#ifndef SIM_PLACES_H
#define SIM_PLACES_H

#include "sim/machine.h"

/* A symbol's address or a register's value, plus an offset. With neither, the offset is an absolute address. */
struct sim_place {
    const struct ptx_variable *symbol;
    uint32_t reg;
    uint64_t offset;
};
/* Returns the instruction's memory operand, or NULL. */
const struct ptx_operand *sim_memory_operand(const struct ptx_insn *i);
/* Finds the only instruction that writes each register: its index, code_count if there is none, or PTX_NO_REG if there
 * are several. */
void sim_find_definitions(const struct ptx_function *f, uint32_t *definition);
/* Resolves the address of memory operand `m`. Follows moves, conversions of addresses, and additions of constants. */
struct sim_place sim_place_of(const struct ptx_function *f, const uint32_t *definition, const struct ptx_operand *m);

/* Sets of registers, indexed by register. Return whether the operand is or has a register of the set, whether the
 * instruction reads one (other than in its address and guard), and whether adding the registers that it writes has
 * enlarged the set. */
bool sim_any_register(const struct ptx_operand *o, const uint8_t *set);
bool sim_reads(const struct ptx_insn *i, const uint8_t *set);
bool sim_add_written(const struct ptx_insn *i, uint8_t *set);

#endif
