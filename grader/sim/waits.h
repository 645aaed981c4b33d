/* Threads that wait in loops, and launches that never end. */
#ifndef SIM_WAITS_H
#define SIM_WAITS_H

#include "sim/machine.h"

/* waits.c */
/* Reports that all threads of the resident blocks wait, if one of them spins. The first `opened` slots are in use.
 * others_wait_to_start: the blocks that have not started need the slots. */
void sim_report_wait(const struct sim_run *run, uint32_t opened, bool others_wait_to_start);
/* Reports that everything repeats, although threads change memory. */
void sim_report_cycle(const struct sim_run *run, uint32_t opened, bool others_wait_to_start);
/* Records that b waits for a block that is about to start. */
void sim_note_waiters(struct sim_run *run, const struct sim_block *b);
void sim_report_waiters(struct sim_run *run);

/* cycle.c */
void sim_watch_for_cycles(struct sim_run *run);
/* Returns whether the launch, in which no further block can start, has returned to an earlier state. Call it after each
 * round of turns in which run->executed is at least run->cycle_at. */
bool sim_find_cycle(struct sim_run *run, uint32_t opened);
void sim_forget_cycle(struct sim_run *run);

#endif
