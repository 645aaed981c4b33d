/* Declares the kernels, checks and points of lab 3. */
#include "judge/lab.h"

static const struct lab_kernel kernels[] = {
    {.name = "reduce", .input = "in", .output = "partial", .elements = 2, .shared_values = 2},
    {.name = "reduce_one_block",
     .input = "in",
     .output = "out",
     .one_block = true,
     .max_n = 1 << 25,
     .shared_values = 1},
};
static const struct lab_check checks[] = {
    {"one-block", "correct on one block: exact for every operator and type", 20, NULL, check_one_block},
    {"many-blocks", "correct for any n: partials are reduced until one is left", 15, "one-block", check_many_blocks},
    {"rounding", "sums of floats within the error bound for a tree", 10, "one-block", check_rounding},
    {"findings", "no race, no barrier fault, no invalid or uninitialized access", 25, "many-blocks", check_findings,
     .explains = true},
    {"steps", "shared tree, no more divergent steps than the reference", 5, "findings", check_steps},
    {"memory", "no more sectors or bank conflicts than the reference", 5, "findings", check_memory},
    {"predictions", "predictions.txt agrees with the counts", 10, "findings", check_predictions},
    {"speed", "modeled time vs. reference", 10, "findings", check_speed},
};
static const char *const predictions[] = {"barriers", "shared_requests", NULL};

const struct lab lab3 = {
    .id = "lab3",
    .name = "shared_block",
    .title = "The tree in shared memory",
    .learns = "staging in shared memory, any n",
    .kernels = kernels,
    .kernel_count = sizeof kernels / sizeof *kernels,
    .variants = VARIANTS_SCALAR,
    .checks = checks,
    .check_count = sizeof checks / sizeof *checks,
    .technique = USES_SHARED | NO_ATOMICS | USES_BARRIERS,
    .predictions = predictions,
    .own = OWN_COMMUTES,
    .speed_full = 1.15, /* two barriers per step: 1.09 on an H200, 1.12 in the model */
    .speed_none = 2.0,
};
