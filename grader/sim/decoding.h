/* What is known about a program before it runs. program.c decodes its instructions and calls these functions once. */
#ifndef SIM_DECODING_H
#define SIM_DECODING_H

#include "sim/machine.h"

/* words.c: puts a wrapper around i->exec for the instruction's modifiers; false if the host does not support them */
bool sim_add_words(struct sim_insn *i);
/* decode.c: decodes the instruction `i->source` of function `f`. False: out of memory, or *error says what is wrong. */
bool sim_decode(struct sim_program *p, struct sim_function *f, struct sim_insn *i, const struct sim_handlers *handlers,
                struct sim_error *error);
/* program.c: allocates a row of `bytes` bytes in the function's frame, and returns its offset. */
uint32_t sim_take_row(struct sim_function *f, uint32_t bytes);
/* registers.c: sets f->zero, and allocates the rows of registers; false: out of memory */
bool sim_place_registers(struct sim_function *f);
bool sim_find_unused_results(
    struct sim_program *p,
    const struct sim_function *f); /* registers.c: marks atomics with unused results; false: out of memory */
/* uses.c: marks loads by the use of their values; false: out of memory */
bool sim_find_uses(struct sim_program *p, const struct sim_function *f);
bool sim_find_uses_behind_calls(struct sim_program *p); /* the same in all functions, once they are decoded */
/* dropped.c: marks loads whose value some lanes may drop; false: out of memory */
bool sim_find_dropped(struct sim_program *p, struct sim_function *f);
void sim_ahead_free(struct sim_ahead *a);
/* provenance.c: finds the bounds of accesses; false: out of memory */
bool sim_find_provenance(struct sim_program *p);
/* undefined.c */
bool sim_track_undefined(struct sim_program *p); /* false: out of memory */
/* shared.c */
bool sim_lay_out_shared(struct sim_program *p);

#endif
