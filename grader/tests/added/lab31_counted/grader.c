/* A lab whose kernel needs a launch shape that the kit lacks: an argument that is the number of blocks.
 * check_additions adds the lab and the launch shape. */
#include "judge/lab.h"

static const struct lab_kernel kernels[] = {
    {.name = "total",
     .input = "in",
     .output = "partial",
     .elements = 1,
     .shared_values = 1,
     .grid_stride = true,
     .finish = FINISH_COUNTED},
};
static const struct lab_check checks[] = {
    {"many-blocks", "correct for any number of blocks", 60, NULL, check_many_blocks},
    {"findings", "no race, no invalid access", 40, "many-blocks", check_findings},
};
const struct lab lab31 = {.id = "lab31",
                          .name = "counted",
                          .title = "A sum of counted blocks",
                          .kernels = kernels,
                          .kernel_count = sizeof kernels / sizeof *kernels,
                          .variants = 1u << 0, /* sum_i32 */
                          .checks = checks,
                          .check_count = sizeof checks / sizeof *checks};
