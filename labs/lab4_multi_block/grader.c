/* Declares the kernels, checks and points of lab 4. */
#include "judge/lab.h"

/* Variants that have an atomic: sums of every type, min and max of integers. Bit k is variant k of variant_index(). */
enum { WITH_ATOMIC = 0x1f | 7 << 10 | 7 << 15 };

static const struct lab_kernel kernels[] = {
    {.name = "reduce", .input = "in", .output = "partial", .elements = 2, .shared_values = 1, .grid_stride = true},
    {.name = "reduce",
     .label = "reduce:levels",
     .input = "in",
     .output = "partial",
     .elements = 2,
     .shared_values = 1,
     .shares = true},
    {.name = "reduce",
     .label = "reduce:host",
     .input = "in",
     .output = "partial",
     .elements = 2,
     .shared_values = 1,
     .grid_stride = true,
     .finish = FINISH_HOST},
    {.name = "reduce_atomic",
     .input = "in",
     .output = "total",
     .elements = 2,
     .shared_values = 1,
     .grid_stride = true,
     .finish = FINISH_ATOMIC,
     .variants = WITH_ATOMIC,
     .technique = ONE_ATOMIC_A_BLOCK},
};
static const struct lab_check checks[] = {
    {"one-block", "correct on one block: exact for every operator and type", 20, NULL, check_one_block},
    {"many-blocks", "correct for any number of blocks, with every way to finish", 20, "one-block", check_many_blocks},
    {"rounding", "sums of floats within the error bound", 5, "one-block", check_rounding},
    {"findings", "no race, no barrier fault, no invalid or uninitialized access", 20, "many-blocks", check_findings,
     .explains = true},
    {"steps", "shared tree, no more divergent steps than the reference", 5, "findings", check_steps},
    {"technique", "reduce_atomic: one atomic per block", 5, "findings", check_technique},
    {"memory", "no more sectors or bank conflicts than the reference", 5, "findings", check_memory},
    {"predictions", "predictions.txt agrees with the counts", 10, "findings", check_predictions},
    {"speed", "modeled time vs. reference", 10, "findings", check_speed},
};
static const char *const predictions[] = {"tree_steps", "barriers", "shared_requests", NULL};

const struct lab lab4 = {
    .id = "lab4",
    .name = "multi_block",
    .title = "Just enough blocks",
    .learns = "grid-stride loops, two launches, atomics",
    .kernels = kernels,
    .kernel_count = sizeof kernels / sizeof *kernels,
    .variants = VARIANTS_SCALAR,
    .checks = checks,
    .check_count = sizeof checks / sizeof *checks,
    .technique = USES_SHARED | NO_ATOMICS | USES_BARRIERS,
    .predictions = predictions,
    .own = OWN_COMMUTES,
    .speed_full = 1.10,
    .speed_none = 2.0,
};
