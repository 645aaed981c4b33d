/* Declares the kernels, checks and points of lab 9. */
#include "judge/lab.h"

static const struct lab_kernel kernels[] = {
    {.name = "reduce",
     .input = "in",
     .scratch = "partial",
     .output = "total",
     .elements = 32,
     .shared_warp_values = 1,
     .grid_stride = true,
     .tuned = true,
     .any_start = true,
     .finish = FINISH_ITSELF},
};
static const struct lab_check checks[] = {
    {"one-block", "correct on one block, three launches back to back", 10, NULL, check_one_block},
    {"tuning", "block size and blocks per SM are chosen", 5, "one-block", check_tuning, .explains = true},
    {"many-blocks", "correct for any number of blocks, three launches back to back", 10, "one-block",
     check_many_blocks},
    {"unaligned", "correct for every n and every start of the input", 15, "one-block", check_unaligned},
    {"rounding", "sums of floats within the error bound", 5, "one-block", check_rounding},
    {"findings", "no race between or inside blocks, no invalid access", 15, "many-blocks unaligned", check_findings,
     .explains = true},
    {"steps", "16-byte loads; no more divergent steps than the reference", 10, "findings", check_steps},
    {"memory", "no more sectors or bank conflicts than the reference", 5, "findings", check_memory},
    {"waiting", "several loads in flight: cycles of a block alone", 5, "findings", check_waiting},
    {"predictions", "predictions.txt agrees with the counts", 10, "findings", check_predictions},
    {"speed", "modeled time vs. reference, with your launch", 10, "findings", check_speed},
};
static const char *const predictions[] = {"global_requests", "global_sectors", NULL};

const struct lab lab9 = {
    .id = "lab9",
    .name = "bandwidth",
    .title = "As fast as memory allows",
    .learns = "vector loads, loads in flight, the memory wall",
    .kernels = kernels,
    .kernel_count = sizeof kernels / sizeof *kernels,
    .variants = VARIANTS_SCALAR,
    .checks = checks,
    .check_count = sizeof checks / sizeof *checks,
    .technique = ANY_STEPS | VECTOR_LOADS,
    .predictions = predictions,
    .speed_full = 1.18, /* a margin: the model overestimates some loops that run as fast as the reference on a GPU */
    .speed_none = 1.6,
};
