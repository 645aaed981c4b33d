/* The declaration of lab 21. */
#include "judge/lab.h"

static void scan(const struct lab_question *q) {
    union value sum = reference_identity(q->variant);
    for (uint32_t k = 0; k < q->n; k++) {
        sum = reference_combine(q->variant, sum, reference_load(q->variant, q->inputs[0], k));
        reference_store(q->variant, q->outputs[0], k, sum);
    }
}
static const struct lab_arrays arrays = {
    .array = {{.name = "in", .role = ARRAY_IN, .length = {COUNT_N}},
              {.name = "out", .role = ARRAY_OUT, .length = {COUNT_N}},
              {.name = "sums", .role = ARRAY_SCRATCH, .length = {COUNT_BLOCKS}}},
    .launch = {{.parameters = "in out sums n", .grid = {{COUNT_BLOCKS}}},
               {.parameters = "sums n", .kernel = "scan_sums"},
               {.parameters = "out sums n", .kernel = "add_sums", .grid = {{COUNT_BLOCKS}}}},
    .oracle = scan,
};
static const struct lab_kernel kernels[] = {
    {.name = "scan_blocks",
     .label = "scan",
     .elements = 1,
     .shared_values = 1,
     .finish = FINISH_ARRAYS,
     .arrays = &arrays},
    {.name = "scan_sums", .helper = true},
    {.name = "add_sums", .helper = true},
};
static const struct lab_check checks[] = {
    {"one-block", "correct on one block: each element", 20, NULL, check_one_block},
    {"many-blocks", "correct for any number of blocks", 20, "one-block", check_many_blocks},
    {"findings", "no race, no barrier fault, no invalid access", 20, "one-block", check_findings, .explains = true},
    {"steps", "no more divergent steps than the reference", 10, "one-block", check_steps},
    {"memory", "no more sectors or bank conflicts than the reference", 10, "one-block", check_memory},
    {"speed", "time vs. reference", 20, "many-blocks", check_speed},
};

const struct lab lab21 = {
    .id = "lab21",
    .name = "scan",
    .title = "The inclusive scan",
    .learns = "a result for each element",
    .kernels = kernels,
    .kernel_count = sizeof kernels / sizeof *kernels,
    .variants = 1u << 0 | 1u << 1 | 1u << 3, /* sum_i32, sum_u32, sum_f32 */
    .checks = checks,
    .check_count = sizeof checks / sizeof *checks,
    .technique = USES_SHARED | ANY_STEPS,
    .speed_full = 1.10,
    .speed_none = 2.0,
};
