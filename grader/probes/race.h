/* A race, detected by races.c and described by race.c. */
#ifndef PROBES_RACE_H
#define PROBES_RACE_H

#include "probes/probe.h"

enum { RACE_SHARED, RACE_GLOBAL, RACE_WARP, RACE_BLOCKS, RACE_CLUSTER, RACE_SAME_VALUE, RACE_LEFT, RACE_EARLY };
extern const struct finding_kind race_kinds[];

/* One side of a race, and its cells in one line. */
struct side {
    struct sim_where where;
    uint32_t pc, lanes;
    uint8_t kind;
    bool strong; /* a strong load of data */
};
struct race {
    const struct finding_kind *kind;
    struct side at, other;
    bool same_instruction;
    uint32_t told; /* the block, + 1, that saw an atomic's signal but has no fence after it; or 0 */
    struct sim_object object;
    uint64_t first, last; /* bytes of the object: first cell, end of the last cell */
    uint32_t bytes;       /* their number */
    uint64_t count;
};
struct visitor;
/* Reports lanes of a warp in another block that may use a block's shared memory after its exit (RACE_LEFT), or before
 * its start (RACE_EARLY). */
void race_tell_visit(int kind, const struct visitor *x, uint32_t lanes, struct measurement *m);
/* The finding with its message, while the launch's module is loaded. */
struct finding race_word(const struct race *r, const struct sim_launch_info *launch, unsigned taught);

#endif
