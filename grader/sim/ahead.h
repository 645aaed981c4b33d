/* A function's code in a form for looking ahead from a load. dropped.c builds it, and ahead.c uses it. */
#ifndef SIM_AHEAD_H
#define SIM_AHEAD_H

#include "sim/machine.h"

enum { SIM_AHEAD_MOST = 10 };
#define SIM_NO_BLOCK UINT32_MAX

enum sim_ahead_kind {
    SIM_AHEAD_BRANCH,
    SIM_AHEAD_TABLE, /* brx.idx */
    SIM_AHEAD_LEAVES,
    SIM_AHEAD_USES, /* other threads may see the sources, or the sources are an address */
    /* The following kinds only write their destinations, whose value depends on: */
    SIM_AHEAD_COMPUTES, /* all sources */
    SIM_AHEAD_CHOOSES,  /* the source that the third source, a predicate, selects */
    SIM_AHEAD_AND,      /* each source, unless the other one is false */
    SIM_AHEAD_OR        /* each source, unless the other one is true */
};
struct sim_ahead_step {
    sim_exec
        *exec; /* executes the instruction early, if a branch or select depends on its result; NULL: not possible */
    uint32_t guard; /* register, or PTX_NO_REG */
    uint32_t block; /* the block that begins here, or SIM_NO_BLOCK */
    uint32_t target;
    bool guard_negated;
    uint8_t kind, sources, dests, negated; /* negated: SIM_NOT_A and so on */
    /* Registers. For selects, `source` has the first three operands in order, with PTX_NO_REG for constants. */
    uint32_t source[SIM_AHEAD_MOST], written[SIM_AHEAD_MOST];
};
struct sim_ahead {
    struct sim_ahead_step *step; /* by instruction of the function */
    uint64_t *must,
        *live;    /* register sets by block: must: used on every path from its start; live: read on some path */
    size_t words; /* in a set */
};
#endif
