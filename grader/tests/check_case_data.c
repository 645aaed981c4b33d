/* Tests properties of the elements that are generated for cases. */
#include "judge/case_plan.h"
#include "tests/suite.h"
#include <check.h>
#include <math.h>
#include <stdlib.h>

/* The float product of each block must be finite, even though the block has only some of the factors. */
START_TEST(products_of_blocks_are_in_range) {
    const struct variant v = {REDUCE_OP_PRODUCT, REDUCE_TYPE_F32};
    const struct grade_case c = {
        .kernel = lab_find("lab9")->kernels, .variant = v, .n = 1838064, .block = 32, .seed = (uint64_t)_i};
    float *data = calloc(c.n, sizeof *data);
    case_data(&c, data);
    for (unsigned grid = 2; grid <= 11; grid++)
        for (unsigned b = 0; b < grid; b++) {
            double product = 1;
            for (size_t from = (size_t)b * c.block; from < c.n; from += (size_t)grid * c.block)
                for (size_t k = from; k < c.n && k < from + c.block; k++) product *= (double)data[k];
            const bool tiny =
                fabs((double)data[0]) < 0x1p-126; /* the first factor is subnormal; the others are 1 or -1 */
            ck_assert_msg(fabs(product) <= 0x1p120 && (tiny || fabs(product) >= 0x1p-120), "block %u of %u: %g", b,
                          grid, product);
        }
    free(data);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("case_data");
    TCase *tcase = tcase_create("case_data");
    tcase_add_loop_test(tcase, products_of_blocks_are_in_range, 1, 9);
    suite_add_tcase(suite, tcase);
    return suite_failures(suite) != 0;
}
