/* Declares the kernels, checks and points of lab 1. */
#include "judge/lab.h"

static const struct lab_kernel kernels[] = {
    {.name = "reduce", .input = "data", .output = "partial", .in_place = true, .elements = 2},
};
static const struct lab_check checks[] = {
    {"one-block", "correct on one block: exact for every operator and type", 20, NULL, check_one_block},
    {"many-blocks", "correct for any n: partials are reduced until one is left", 15, "one-block", check_many_blocks},
    {"rounding", "sums of floats within the error bound for a tree", 10, "one-block", check_rounding},
    {"findings", "no race, no barrier fault, no invalid or uninitialized access", 25, "many-blocks", check_findings,
     .explains = true},
    {"steps", "works in place, no more divergent steps than the reference", 10, "findings", check_steps},
    {"predictions", "predictions.txt agrees with the counts", 10, "findings", check_predictions},
    {"speed", "modeled time vs. reference", 10, "findings", check_speed},
};
static const char *const predictions[] = {"tree_steps", "divergent_tree_steps", "active_lanes_last_step", NULL};

const struct lab lab1 = {
    .id = "lab1",
    .name = "interleaved_tree",
    .title = "The interleaved tree",
    .learns = "stride doubling, barriers, divergence",
    .kernels = kernels,
    .kernel_count = sizeof kernels / sizeof *kernels,
    .variants = VARIANTS_SCALAR,
    .checks = checks,
    .check_count = sizeof checks / sizeof *checks,
    .technique = IN_PLACE_GLOBAL | NO_ATOMICS | USES_BARRIERS,
    .predictions = predictions,
    .own = OWN_IN_ORDER,
    .speed_full = 1.10,
    .speed_none = 2.0,
};
