/* Functions that the simulator provides, by call: ptx/builtins.def. */
#ifndef SIM_BUILTIN_H
#define SIM_BUILTIN_H

#include "sim/machine.h"

/* The lanes of `mask` execute the call `i`. */
typedef void sim_builtin(struct sim_warp *w, const struct sim_insn *i, uint32_t mask);
#define BUILTIN(name, handler) sim_builtin sim_builtin_##handler;
#include "ptx/builtins.def"
#undef BUILTIN

/* Words of argument k for one lane; 0 beyond its size. */
void sim_argument(const struct sim_warp *w, const struct sim_insn *i, unsigned k, uint32_t lane, uint32_t *word,
                  unsigned words);
uint64_t sim_wide_argument(const struct sim_warp *w, const struct sim_insn *i, unsigned k, uint32_t lane);
/* The call's result for one lane, if it has one. */
void sim_answer(struct sim_warp *w, const struct sim_insn *i, uint32_t lane, uint64_t value);

#endif
