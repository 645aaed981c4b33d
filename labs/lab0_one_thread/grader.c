/* Declares the kernels, checks and points of lab 0. */
#include "judge/lab.h"

/* The checks "steps" and "speed" examine the kernel in the first row. */
static const struct lab_kernel kernels[] = {
    {.name = "whole_tree",
     .input = "data",
     .output = "total",
     .in_place = true,
     .one_block = true,
     .max_n = 1 << 17,
     .elements = 2},
    {.name = "one_thread",
     .input = "in",
     .output = "total",
     .one_block = true,
     .max_n = 1 << 17,
     .elements = 2,
     .serial = true,
     .ordered = true},
    {.name = "one_level", .input = "data", .output = "data", .in_place = true, .elements = 2, .finish = FINISH_LEVELS},
};
static const struct lab_check checks[] = {
    {"one-thread", "one_thread: one thread, correct for every n, operator and type", 15, NULL, check_any_n,
     .kernel = "one_thread"},
    {"one-level", "one_level: a launch for each level of the tree, any n", 20, NULL, check_any_n,
     .kernel = "one_level"},
    {"whole-tree", "whole_tree: one launch, the levels in a loop, any n", 20, NULL, check_any_n,
     .kernel = "whole_tree"},
    {"rounding", "sums of floats within the error bound for each summation order", 5, "whole-tree", check_rounding},
    {"findings", "no race, no barrier fault, no invalid or uninitialized access", 20, "one-thread one-level whole-tree",
     check_findings, .explains = true},
    {"steps", "whole_tree: in place, as many tree steps as the reference", 5, "findings", check_steps},
    {"predictions", "predictions.txt agrees with the counts", 10, "findings", check_predictions},
    {"speed", "whole_tree: modeled time vs. reference", 5, "findings", check_speed},
};
static const char *const predictions[] = {"one_thread.global_requests", "one_level.launches", "whole_tree.barriers",
                                          NULL};

const struct lab lab0 = {
    .id = "lab0",
    .name = "one_thread",
    .title = "One thread, one level, one tree",
    .learns = "kernel, thread, block, launch, barrier",
    .kernels = kernels,
    .kernel_count = sizeof kernels / sizeof *kernels,
    .variants = VARIANTS_SCALAR | VARIANTS_IN_ORDER,
    .checks = checks,
    .check_count = sizeof checks / sizeof *checks,
    .technique = IN_PLACE_GLOBAL | NO_ATOMICS | USES_BARRIERS | ANY_LANES,
    .predictions = predictions,
    .own = OWN_COMMUTES,
    .speed_full = 1.10,
    .speed_none = 2.0,
};
