/* Races: races.c detects them, and race.c writes their messages. */
#ifndef PROBES_RACE_H
#define PROBES_RACE_H

#include "probes/probe.h"

enum { RACE_SHARED, RACE_GLOBAL, RACE_WARP, RACE_BLOCKS, RACE_CLUSTER, RACE_SAME_VALUE, RACE_LEFT, RACE_EARLY };
extern const struct finding_kind race_kinds[];

/* One side of a race: an access with its racing lanes. */
struct side {
    struct sim_where where;
    uint32_t pc, lanes;
    uint8_t kind;
    bool strong; /* a strong load of data */
};
struct race {
    const struct finding_kind *kind;
    struct side at, other;
    bool same_instruction, read_first; /* read_first: a read came before the write */
    /* 1 + the index of the block that observed a signal through an atomic, but has executed no fence since. 0: this is
     * not the race's cause. */
    uint32_t unfenced;
    struct sim_object object;
    uint64_t first, last; /* in the object, in bytes: start of the first cell, end of the last */
    uint32_t bytes;       /* size of the racing cells */
    uint64_t count;
};
struct visitor;
/* Reports lanes of a warp that may use another block's shared memory after it has exited (RACE_LEFT) or before it has
 * started (RACE_EARLY). */
void race_report_visit(int kind, const struct visitor *x, uint32_t lanes, struct measurement *m);
/* Returns the finding for a race, with its message. The launch's module must be loaded. */
struct finding race_word(const struct race *r, const struct sim_launch_info *launch, unsigned taught);

#endif
