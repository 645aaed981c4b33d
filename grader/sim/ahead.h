/* A function's code for those who look ahead of a load: made by dropped.c, read by ahead.c. */
#ifndef SIM_AHEAD_H
#define SIM_AHEAD_H

#include "sim/machine.h"

enum { SIM_AHEAD_MOST = 10 };
#define SIM_NO_BLOCK UINT32_MAX

enum sim_ahead_kind {
    SIM_AHEAD_BRANCH,
    SIM_AHEAD_TABLE, /* brx.idx */
    SIM_AHEAD_LEAVES,
    SIM_AHEAD_USES, /* others may see its sources, or they are an address */
    /* The others come to nothing but their destinations, whose value comes of: */
    SIM_AHEAD_COMPUTES, /* all sources */
    SIM_AHEAD_CHOOSES,  /* the one that the third source, a predicate, chooses */
    SIM_AHEAD_AND,      /* a source, unless the other one is false */
    SIM_AHEAD_OR        /* a source, unless the other one is true */
};
struct sim_ahead_step {
    sim_exec *exec; /* executed early, as a branch or a choice depends on its result; NULL: not */
    uint32_t guard; /* register, or PTX_NO_REG */
    uint32_t block; /* that begins here, or SIM_NO_BLOCK */
    uint32_t target;
    bool guard_negated;
    uint8_t kind, sources, dests, negated; /* negated: SIM_NOT_A and so on */
    /* Registers. Where one of two is chosen, the first three operands in order, PTX_NO_REG where it is a constant. */
    uint32_t source[SIM_AHEAD_MOST], written[SIM_AHEAD_MOST];
};
struct sim_ahead {
    struct sim_ahead_step *step; /* by instruction of the function */
    uint64_t *must, *live;       /* sets of registers by block: used on every way from there, read on some */
    size_t words;                /* of a set */
};
#endif
