/* Declares the kernels, checks and points of lab 6. */
#include "judge/lab.h"

static const struct lab_kernel kernels[] = {
    {.name = "reduce",
     .input = "in",
     .output = "partial",
     .elements = 2,
     .shared_warp_values = 1,
     .grid_stride = true,
     .technique = SHUFFLES | REGISTERS | FEW_BARRIERS},
    {.name = "reduce_one_warp",
     .input = "in",
     .output = "out",
     .one_block = true,
     .max_n = 1 << 25,
     .ordered = true,
     .only_block = 32,
     .technique = SHUFFLES | REGISTERS},
};
static const struct lab_check checks[] = {
    {"one-block", "correct on one block: exact for every operator and type", 20, NULL, check_one_block},
    {"many-blocks", "correct for any n and any number of blocks", 15, "one-block", check_many_blocks},
    {"rounding", "sums of floats within the error bound", 5, "one-block", check_rounding},
    {"findings", "no race, no barrier fault, no invalid or uninitialized access", 20, "many-blocks", check_findings,
     .explains = true},
    {"technique", "shuffles, no shared memory inside a warp", 15, "findings", check_technique},
    {"steps", "no more divergent steps than the reference", 5, "findings", check_steps},
    {"memory", "no more sectors or bank conflicts than the reference", 5, "findings", check_memory},
    {"predictions", "predictions.txt agrees with the counts", 10, "findings", check_predictions},
    {"speed", "modeled time vs. reference", 5, "findings", check_speed},
};
static const char *const predictions[] = {"shuffles", "shared_requests", NULL};

const struct lab lab6 = {
    .id = "lab6",
    .name = "shuffle",
    .title = "A warp's values in registers",
    .learns = "shuffles, masks, one shared value per warp",
    .kernels = kernels,
    .kernel_count = sizeof kernels / sizeof *kernels,
    .variants = VARIANTS_SCALAR | VARIANTS_IN_ORDER,
    .checks = checks,
    .check_count = sizeof checks / sizeof *checks,
    .technique = NO_ATOMICS | ANY_STEPS,
    .predictions = predictions,
    .own = OWN_COMMUTES,
    .speed_full = 1.10,
    .speed_none = 2.0,
};
