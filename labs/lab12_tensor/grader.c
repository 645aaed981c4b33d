/* Declares the kernels, checks and points of lab 12. */
#include "judge/lab.h"

static const struct lab_kernel kernels[] = {
    {.name = "reduce",
     .input = "in",
     .scratch = "partial",
     .output = "total",
     .elements = 16,
     .halves = true,
     .shared_warp_values = 1,
     .grid_stride = true,
     .finish = FINISH_ITSELF},
};
static const struct lab_check checks[] = {
    {"one-block", "correct on one block, three launches back to back", 20, NULL, check_one_block},
    {"many-blocks", "correct for any number of blocks", 20, "one-block", check_many_blocks},
    {"rounding", "arbitrary halves: as accurate as a sum of floats", 10, "one-block", check_rounding},
    {"findings", "no race, no barrier fault, no invalid access", 20, "many-blocks", check_findings, .explains = true},
    {"steps", "matrix products add the elements", 10, "findings", check_steps},
    {"memory", "no more sectors or bank conflicts than the reference", 5, "findings", check_memory},
    {"predictions", "predictions.txt agrees with the counts", 10, "findings", check_predictions},
    {"speed", "modeled time vs. reference", 5, "findings", check_speed},
};
static const char *const predictions[] = {"products", "shuffles", "global_sectors", NULL};

const struct lab lab12 = {
    .id = "lab12",
    .name = "tensor",
    .title = "Sums by matrix products",
    .learns = "tensor cores, fragments, precision",
    .kernels = kernels,
    .kernel_count = sizeof kernels / sizeof *kernels,
    .variants = VARIANTS_SUM_OF_FLOATS,
    .checks = checks,
    .check_count = sizeof checks / sizeof *checks,
    .technique = TENSOR_CORES | ANY_STEPS,
    .predictions = predictions,
    .speed_full = 1.10,
    .speed_none = 2.0,
    .arch = 80, /* an mma instruction multiplies 16 x 8 x 16 halves */
};
