/* A function's code for the look-ahead, with one step per instruction. dropped.c builds the steps, and ahead.c
 * interprets them. */
#ifndef SIM_AHEAD_H
#define SIM_AHEAD_H

#include "sim/machine.h"

enum { SIM_AHEAD_MAX = 10 };
#define SIM_NO_BLOCK UINT32_MAX

enum sim_ahead_kind {
    SIM_AHEAD_BRANCH,
    SIM_AHEAD_TABLE, /* brx.idx */
    SIM_AHEAD_LEAVES,
    SIM_AHEAD_USES, /* makes its sources visible to other threads, or uses them as an address */
    /* The other kinds only write their destinations. The result depends on: */
    SIM_AHEAD_COMPUTES, /* all sources */
    SIM_AHEAD_CHOOSES,  /* the first or the second source, depending on the predicate in the third */
    SIM_AHEAD_AND,      /* each of the two sources, unless the other one is false */
    SIM_AHEAD_OR        /* each of the two sources, unless the other one is true */
};
struct sim_ahead_step {
    /* the handler if a branch or select uses the result and the instruction can run early, otherwise NULL */
    sim_exec *exec;
    uint32_t guard; /* register index, or PTX_NO_REG */
    uint32_t block; /* index of the basic block that begins here, or SIM_NO_BLOCK */
    uint32_t target;
    bool guard_negated;
    uint8_t kind, sources, dests, negated; /* `negated`: a set of SIM_NOT_A, SIM_NOT_B, SIM_NOT_C */
    /* Register indices. For a select, source[0..2] are its operands in order, with PTX_NO_REG for a constant. */
    uint32_t source[SIM_AHEAD_MAX], written[SIM_AHEAD_MAX];
};
struct sim_ahead {
    struct sim_ahead_step *step; /* one per instruction of the function */
    /* sets of registers, one per basic block. must: read on every path from the block; live: on some path */
    uint64_t *must, *live;
    size_t words; /* 64-bit words per set */
};
#endif
