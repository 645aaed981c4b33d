/* Declares the kernels, checks and points of lab 7. */
#include "judge/lab.h"

static const struct lab_kernel kernels[] = {
    {.name = "reduce",
     .input = "in",
     .scratch = "partial",
     .output = "total",
     .elements = 2,
     .shared_warp_values = 1,
     .grid_stride = true,
     .finish = FINISH_ITSELF},
};
static const struct lab_check checks[] = {
    {"one-block", "correct on one block, three launches back to back", 15, NULL, check_one_block},
    {"many-blocks", "correct for any number of blocks, three launches back to back", 20, "one-block",
     check_many_blocks},
    {"rounding", "sums of floats within the error bound", 5, "one-block", check_rounding},
    {"findings", "no race between or inside blocks, no barrier fault", 30, "many-blocks", check_findings,
     .explains = true},
    {"steps", "one atomic per block; at most the reference's divergent steps", 10, "findings", check_steps},
    {"memory", "no more sectors or bank conflicts than the reference", 5, "findings", check_memory},
    {"predictions", "predictions.txt agrees with the counts", 10, "findings", check_predictions},
    {"speed", "modeled time vs. reference", 5, "findings", check_speed},
};
static const char *const predictions[] = {"barriers", "global_sectors", NULL};

const struct lab lab7 = {
    .id = "lab7",
    .name = "last_block",
    .title = "The last block finishes",
    .learns = "fence, ticket, one launch",
    .kernels = kernels,
    .kernel_count = sizeof kernels / sizeof *kernels,
    .variants = VARIANTS_SCALAR,
    .checks = checks,
    .check_count = sizeof checks / sizeof *checks,
    .technique = ONE_ATOMIC_A_BLOCK | ANY_STEPS,
    .predictions = predictions,
    .own = OWN_COMMUTES,
    .speed_full = 1.10,
    .speed_none = 1.7, /* half of the SMs idle: about 1.73 */
};
