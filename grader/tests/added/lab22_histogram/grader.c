/* The declaration of lab 22. */
#include "judge/lab.h"

static void count(const struct lab_question *q) {
    const uint32_t *in = q->inputs[0];
    uint32_t *bins = q->outputs[0];
    for (uint32_t k = 0; k < q->n; k++) bins[in[k] & 255]++;
}
static const struct lab_arrays arrays = {
    .array = {{.name = "in", .role = ARRAY_IN, .length = {COUNT_N}, .is_unsigned = true},
              {.name = "bins", .role = ARRAY_ZEROED, .length = {COUNT_1, .times = 256}, .is_unsigned = true}},
    .launch = {{.parameters = "in bins n", .grid = {{COUNT_BLOCKS}}}},
    .oracle = count,
};
static const struct lab_kernel kernels[] = {
    {.name = "histogram", .elements = 2, .grid_stride = true, .finish = FINISH_ARRAYS, .arrays = &arrays},
};
static const struct lab_check checks[] = {
    {"one-block", "correct on one block: each bin", 30, NULL, check_one_block},
    {"many-blocks", "correct for any number of blocks", 20, "one-block", check_many_blocks},
    {"findings", "no race, no barrier fault, no invalid access", 20, "one-block", check_findings, .explains = true},
    {"steps", "counted in shared memory", 10, "one-block", check_steps},
    {"memory", "no more sectors or bank conflicts than the reference", 10, "one-block", check_memory},
    {"speed", "time vs. reference", 10, "many-blocks", check_speed},
};

const struct lab lab22 = {
    .id = "lab22",
    .name = "histogram",
    .title = "A histogram",
    .learns = "many results, and atomics on shared memory",
    .kernels = kernels,
    .kernel_count = sizeof kernels / sizeof *kernels,
    .variants = 1u << 1, /* sum_u32 */
    .checks = checks,
    .check_count = sizeof checks / sizeof *checks,
    .technique = USES_SHARED | ANY_STEPS,
    .speed_full = 1.10,
    .speed_none = 2.0,
};
