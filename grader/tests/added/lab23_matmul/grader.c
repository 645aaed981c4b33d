/* The declaration of lab 23. */
#include "judge/lab.h"

static void multiply(const struct lab_question *q) {
    /* unsigned, because signed and unsigned integers wrap in the same way */
    const uint32_t *a = q->inputs[0], *b = q->inputs[1];
    uint32_t *c = q->outputs[0];
    for (uint32_t row = 0; row < q->side; row++)
        for (uint32_t k = 0; k < q->side; k++)
            for (uint32_t column = 0; column < q->side; column++)
                c[row * q->side + column] += a[row * q->side + k] * b[k * q->side + column];
}
static const struct lab_arrays arrays = {
    .array = {{.name = "a", .role = ARRAY_IN, .length = {COUNT_AREA}},
              {.name = "b", .role = ARRAY_IN, .length = {COUNT_AREA}},
              {.name = "c", .role = ARRAY_OUT, .length = {COUNT_AREA}}},
    .launch = {{.parameters = "a b c side",
                .grid = {{COUNT_SIDE, .per = 16}, {COUNT_SIDE, .per = 16}},
                .block = {{COUNT_1, .times = 16}, {COUNT_1, .times = 16}}}},
    .oracle = multiply,
    .large_n = 1 << 16,
};
static const struct lab_kernel kernels[] = {
    {.name = "matmul",
     .elements = 1,
     .shared_values = 2,
     .only_block = 256,
     .finish = FINISH_ARRAYS,
     .arrays = &arrays},
};
static const struct lab_check checks[] = {
    {"one-block", "correct on one block: each element of the product", 30, NULL, check_one_block},
    {"many-blocks", "correct for any number of blocks", 20, "one-block", check_many_blocks},
    {"findings", "no race, no barrier fault, no invalid access", 20, "one-block", check_findings, .explains = true},
    {"steps", "tiles in shared memory", 10, "one-block", check_steps},
    {"memory", "no more sectors or bank conflicts than the reference", 10, "one-block", check_memory},
    {"speed", "time vs. reference", 10, "many-blocks", check_speed},
};

const struct lab lab23 = {
    .id = "lab23",
    .name = "matmul",
    .title = "The tiled matrix product",
    .learns = "two-dimensional blocks, and reuse of what was loaded",
    .kernels = kernels,
    .kernel_count = sizeof kernels / sizeof *kernels,
    .variants = 1u << 0 | 1u << 1, /* sum_i32, sum_u32 */
    .checks = checks,
    .check_count = sizeof checks / sizeof *checks,
    .technique = USES_SHARED | ANY_STEPS,
    .speed_full = 1.10,
    .speed_none = 2.0,
};
