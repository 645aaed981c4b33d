/* Declares the kernels, checks and points of lab 10. */
#include "judge/lab.h"

static const struct lab_kernel kernels[] = {
    {.name = "reduce",
     .input = "in",
     .scratch = "partial",
     .output = "total",
     .elements = 2,
     .shared_warp_values = 1,
     .grid_stride = true,
     .finish = FINISH_ITSELF,
     .technique = SHUFFLES | REGISTERS},
};
static const struct lab_check checks[] = {
    {"one-block", "correct on one block, three launches back to back", 25, NULL, check_one_block},
    {"many-blocks", "correct for any number of blocks, three launches back to back", 25, "one-block",
     check_many_blocks},
    {"findings", "no race between or inside blocks, no barrier fault", 15, "many-blocks", check_findings,
     .explains = true},
    {"steps", "one atomic per block; at most the reference's divergent steps", 10, "findings", check_steps},
    {"technique", "pairs are exchanged with shuffles", 5, "findings", check_technique},
    {"memory", "no more sectors or bank conflicts than the reference", 5, "findings", check_memory},
    {"predictions", "predictions.txt agrees with the counts", 10, "findings", check_predictions},
    {"speed", "modeled time vs. reference", 5, "findings", check_speed},
};
static const char *const predictions[] = {"shuffles", "global_sectors", NULL};

const struct lab lab10 = {
    .id = "lab10",
    .name = "argmax",
    .title = "The index of the largest value",
    .learns = "pairs, ties, NaN, a struct through shuffles",
    .kernels = kernels,
    .kernel_count = sizeof kernels / sizeof *kernels,
    .variants = 63u << (SCALAR_VARIANTS + 2),
    .checks = checks,
    .check_count = sizeof checks / sizeof *checks,
    .technique = ONE_ATOMIC_A_BLOCK | ANY_STEPS,
    .predictions = predictions,
    .speed_full = 1.18, /* a margin: the model overestimates the time of a combine() with branches */
    .speed_none = 2.0,
};
