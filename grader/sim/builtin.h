/* Device functions that the simulator implements itself. ptx/builtins.def lists them. */
#ifndef SIM_BUILTIN_H
#define SIM_BUILTIN_H

#include "sim/machine.h"

/* Executes the call `i` for the lanes in `mask`. */
typedef void sim_builtin(struct sim_warp *w, const struct sim_insn *i, uint32_t mask);
#define BUILTIN(name, handler) sim_builtin sim_builtin_##handler;
#include "ptx/builtins.def"
#undef BUILTIN

/* Copies the first `words` 32-bit words of a lane's argument k to `word`. Words beyond the argument's size are 0. */
void sim_argument(const struct sim_warp *w, const struct sim_insn *i, unsigned k, uint32_t lane, uint32_t *word,
                  unsigned words);
/* Returns the first 64 bits of argument k for one lane. */
uint64_t sim_wide_argument(const struct sim_warp *w, const struct sim_insn *i, unsigned k, uint32_t lane);
/* Stores the call's result for one lane. Does nothing if the call has no result. */
void sim_answer(struct sim_warp *w, const struct sim_insn *i, uint32_t lane, uint64_t value);
/* Stores the low `bytes` bytes of `value` at an address that the lane passed to the call. The address may be in local
 * memory. If no object contains it, reports a fault and returns false. */
bool sim_answer_at(struct sim_warp *w, const struct sim_insn *i, uint32_t lane, uint64_t address, uint64_t value,
                   unsigned bytes);
/* malloc() and free() for one lane. */
uint64_t sim_heap_take(struct sim_warp *w, const struct sim_insn *i, uint32_t lane, uint64_t bytes);
void sim_heap_give_back(struct sim_warp *w, const struct sim_insn *i, uint32_t lane, uint64_t address);

#endif
