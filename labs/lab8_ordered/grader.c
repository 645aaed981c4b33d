/* Declares the kernels, checks and points of lab 8. */
#include "judge/lab.h"

static const struct lab_kernel kernels[] = {
    {.name = "reduce",
     .input = "in",
     .scratch = "partial",
     .output = "total",
     .elements = 2,
     .shared_values = 2,
     .grid_stride = true,
     .ordered = true,
     .finish = FINISH_ITSELF},
    {.name = "reduce_one_warp",
     .input = "in",
     .output = "out",
     .elements = 2,
     .one_block = true,
     .max_n = 1 << 25,
     .ordered = true,
     .only_block = 32,
     .shared_values = 1,
     .shared_warp_values = 16,
     .technique = WARP_SYNC | NO_BARRIERS},
};
static const struct lab_check checks[] = {
    {"one-block", "one block: any n, operands in order", 25, NULL, check_one_block},
    {"many-blocks", "any number of blocks, chunks of every length, in order", 25, "one-block", check_many_blocks},
    {"rounding", "sums of floats within the error bound", 5, "one-block", check_rounding},
    {"findings", "no race between or inside blocks, no invalid access", 15, "many-blocks", check_findings,
     .explains = true},
    {"technique", "one warp synchronizes without barriers", 5, "findings", check_technique},
    {"steps", "one atomic per block; at most the reference's divergent steps", 5, "findings", check_steps},
    {"memory", "no more sectors or bank conflicts than the reference", 5, "findings", check_memory},
    {"predictions", "predictions.txt agrees with the counts", 10, "findings", check_predictions},
    {"speed", "modeled time vs. reference", 5, "findings", check_speed},
};
static const char *const predictions[] = {"barriers", "tree_steps", NULL};

const struct lab lab8 = {
    .id = "lab8",
    .name = "ordered",
    .title = "Operands in order",
    .learns = "operators that do not commute",
    .kernels = kernels,
    .kernel_count = sizeof kernels / sizeof *kernels,
    .variants = VARIANTS_SCALAR | 3u << SCALAR_VARIANTS /* affine_u32, matrix_u32 */,
    .checks = checks,
    .check_count = sizeof checks / sizeof *checks,
    .technique = ONE_ATOMIC_A_BLOCK | ANY_STEPS,
    .predictions = predictions,
    .own = OWN_IN_ORDER,
    .speed_full = 2.1, /* attainable without prefetching, a topic of lab 9 */
    .speed_none = 3.0,
};
