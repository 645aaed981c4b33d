/* What is known of a program before it runs: program.c decodes its instructions and calls these, once. */
#ifndef SIM_DECODING_H
#define SIM_DECODING_H

#include "sim/machine.h"

/* words.c: wraps i->exec according to the instruction's modifiers; false if the host does not support them */
bool sim_add_words(struct sim_insn *i);
/* decode.c: decodes the instruction `i->source` of function `f`. false: out of memory, or *error says what is wrong. */
bool sim_decode(struct sim_program *p, struct sim_function *f, struct sim_insn *i, const struct sim_handlers *handlers,
                struct sim_error *error);
/* program.c: allocates a row of `bytes` bytes in the function's frame: returns its offset. */
uint32_t sim_take_row(struct sim_function *f, uint32_t bytes);
/* registers.c: fills f->zero, and takes the rows of registers; false: out of memory */
bool sim_place_registers(struct sim_function *f);
bool sim_find_unused_results(struct sim_program *p,
                             const struct sim_function *f); /* marks atomics; false: out of memory */
/* uses.c: marks loads by the use of their values; false: out of memory */
bool sim_find_uses(struct sim_program *p, const struct sim_function *f);
bool sim_find_uses_behind_calls(struct sim_program *p); /* of all functions, once they are decoded */
/* dropped.c: marks loads whose value some lanes may drop; false: out of memory */
bool sim_find_dropped(struct sim_program *p, struct sim_function *f);
void sim_ahead_free(struct sim_ahead *a);
/* provenance.c: bounds of accesses to shared memory; false: out of memory */
bool sim_find_provenance(struct sim_program *p);
/* undefined.c */
bool sim_track_undefined(struct sim_program *p); /* false: out of memory */
/* shared.c */
bool sim_lay_out_shared(struct sim_program *p);

#endif
