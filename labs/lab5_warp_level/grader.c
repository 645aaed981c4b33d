/* Declares the kernels, checks and points of lab 5. */
#include "judge/lab.h"

#define ONE_WARP(kernel, ...)                                                                                          \
    {                                                                                                                  \
        .name = kernel, .input = "in", .output = "out", .one_block = true, .max_n = 1 << 25, .shared_values = 1,       \
        .shared_warp_values = 16, .only_block = 32, .technique = WARP_SYNC | FEW_BARRIERS, __VA_ARGS__                 \
    }
static const struct lab_kernel kernels[] = {
    {.name = "reduce",
     .input = "in",
     .output = "partial",
     .elements = 2,
     .shared_values = 1,
     .shared_warp_values = 1,
     .grid_stride = true,
     .technique = USES_SHARED | WARP_SYNC | FEW_BARRIERS},
    ONE_WARP("reduce_one_guard"),
    ONE_WARP("reduce_padded"),
    ONE_WARP("reduce_ordered", .ordered = true),
};
static const struct lab_check checks[] = {
    {"one-block", "correct on one block: exact for every operator and type", 20, NULL, check_one_block},
    {"many-blocks", "correct for any n and any number of blocks", 10, "one-block", check_many_blocks},
    {"rounding", "sums of floats within the error bound", 5, "one-block", check_rounding},
    {"findings", "no race, no barrier fault, no invalid or uninitialized access", 30, "many-blocks", check_findings,
     .explains = true},
    {"technique", "warp-level synchronization: __syncwarp(), few barriers", 10, "findings", check_technique},
    {"steps", "no more divergent steps than the reference", 5, "findings", check_steps},
    {"memory", "no more sectors or bank conflicts than the reference", 5, "findings", check_memory},
    {"predictions", "predictions.txt agrees with the counts", 10, "findings", check_predictions},
    {"speed", "modeled time vs. reference", 5, "findings", check_speed},
};
static const char *const predictions[] = {"warp_syncs", "shared_requests", NULL};

const struct lab lab5 = {
    .id = "lab5",
    .name = "warp_level",
    .title = "Warps reduce by themselves",
    .learns = "__syncwarp, two levels, the last 32",
    .kernels = kernels,
    .kernel_count = sizeof kernels / sizeof *kernels,
    .variants = VARIANTS_SCALAR | VARIANTS_IN_ORDER,
    .checks = checks,
    .check_count = sizeof checks / sizeof *checks,
    .technique = USES_SHARED | NO_ATOMICS | ANY_STEPS,
    .predictions = predictions,
    .own = OWN_COMMUTES,
    .speed_full = 1.10,
    .speed_none = 2.0,
};
