/* The steps that prepare a program for execution: once per program, function or instruction. program.c calls most of
 * them. */
#ifndef SIM_DECODING_H
#define SIM_DECODING_H

#include "sim/machine.h"

/* words.c: wraps i->exec in a handler for the instruction's rounding mode, .sat or .relu. Returns false if the host
 * does not have the mode. */
bool sim_add_words(struct sim_insn *i);
/* decode.c: decodes the instruction `i->source` of function `f`. Returns false if out of memory or, with a message in
 * *error, if the instruction is invalid. */
bool sim_decode(struct sim_program *p, struct sim_function *f, struct sim_insn *i, const struct sim_handlers *handlers,
                struct sim_error *error);
/* program.c: allocates a row of `bytes` bytes in the function's frame. Returns its offset. */
uint32_t sim_take_row(struct sim_function *f, uint32_t bytes);
/* registers.c: sets f->zero and allocates rows for the registers. Returns false if out of memory. */
bool sim_place_registers(struct sim_function *f);
/* registers.c: marks the atomics whose result is unused. Returns false if out of memory. */
bool sim_find_unused_results(struct sim_program *p, const struct sim_function *f);
/* uses.c: marks loads according to the use of their values. Returns false if out of memory. */
bool sim_find_uses(struct sim_program *p, const struct sim_function *f);
/* Marks the shuffles that may exchange values computed from memory. Returns false if out of memory. */
bool sim_find_carriers(struct sim_program *p, const struct sim_function *f);
/* Marks loads in kernels that call functions or have local variables. The whole program must be decoded. */
bool sim_find_uses_behind_calls(struct sim_program *p);
/* dropped.c: marks the loads whose value some lanes may drop. Returns false if out of memory. */
bool sim_find_dropped(struct sim_program *p, struct sim_function *f);
void sim_ahead_free(struct sim_ahead *a);
/* provenance.c: finds the bounds of accesses. Returns false if out of memory. */
bool sim_find_provenance(struct sim_program *p);
/* undefined.c: finds the instructions that undefined values may reach. Returns false if out of memory. */
bool sim_track_undefined(struct sim_program *p);
/* control.c: marks the branches that only skip code without control flow. */
void sim_find_skips(struct sim_program *p);
/* shared.c: assigns offsets to shared variables. Returns false if out of memory. */
bool sim_lay_out_shared(struct sim_program *p);

#endif
