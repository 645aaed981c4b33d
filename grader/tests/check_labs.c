/* Checks that the labs' declarations are complete and match their folders, and that the reference computations are
 * correct. */
/* run: sanitized */
/* reads: labs solutions docs/figures */
#include "tests/files.h"
#include "judge/judge.h"
#include "tests/suite.h"
#include <check.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *lab_file(const char *folder, const struct lab *lab, const char *name) {
    char path[300];
    snprintf(path, sizeof path, "%s/%s_%s/%s", folder, lab->id, lab->name, name);
    return read_file(path);
}

/* ---- declarations --------------------------------------------------------------------------- */
START_TEST(points_and_needs) {
    const struct lab *lab = lab_rows[_i];
    unsigned points = 0;
    ck_assert_ptr_eq(lab_find(lab->id), lab);
    ck_assert_uint_gt(lab->check_count, 0);
    for (unsigned k = 0; k < lab->check_count; k++) {
        const struct lab_check *c = &lab->checks[k];
        if (c->kind->ratio)
            ck_assert_msg(lab->speed_full >= 1 && lab->speed_none > lab->speed_full, "%s: speed", lab->id);
        points += c->points;
        ck_assert(c->id && c->title && c->kind && c->kind->run);
        ck_assert_msg(strlen(c->title) <= 62, "%s: `%s` is too long for a line of 80 columns", lab->id, c->title);
        for (unsigned n = 0; n < lab->check_count; n++) {
            ck_assert_msg(n == k || strcmp(c->id, lab->checks[n].id), "%s: two checks are named `%s`", lab->id, c->id);
        }
        ck_assert_msg(lab_needs_are_before(lab, k, k), "%s: `%s` needs `%s`, which is not an earlier check", lab->id,
                      c->id, c->needs);
    }
    ck_assert_msg(points == 100, "%s: %u points", lab->id, points);
    ck_assert(lab->variants && !(lab->variants >> OWN_VARIANT));
    for (unsigned k = 0; k < (unsigned)_i; k++) ck_assert_str_ne(lab->id, lab_rows[k]->id);
}
END_TEST
START_TEST(only_labs_are_found) {
    static const char *const names[] = {"", "lab", "lab00", "lab999", "LAB1", "lab1 ", "all", "lab1_interleaved_tree"};
    ck_assert_ptr_null(lab_find(names[_i]));
}
END_TEST
/* The skeleton and the solution declare every kernel with the expected parameters. */
START_TEST(kernels_are_in_the_files) {
    const struct lab *lab = lab_rows[_i];
    static const char *const folders[] = {"labs", "solutions"};
    for (unsigned f = 0; f < 2; f++) {
        char *text = lab_file(folders[f], lab, "reduce.cu"), head[100];
        for (unsigned k = 0; k < lab->kernel_count; k++) {
            const struct lab_kernel *n = &lab->kernels[k];
            snprintf(head, sizeof head, "__global__ void %s(", n->name);
            const char *at = strstr(text, head);
            ck_assert_msg(at != NULL, "%s/%s: no `%s`", folders[f], lab->id, head);
            const size_t length = strcspn(at, ")");
            if (n->finish == FINISH_LEVELS)
                snprintf(head, sizeof head, "*%s, unsigned n, unsigned stride", n->input);
            else
                snprintf(head, sizeof head, "*%s, %s%s%s%s%s%svalue_t *%s, unsigned n", n->input,
                         n->second ? "const value_t *" : "", n->second ? n->second : "", n->second ? ", " : "",
                         n->scratch ? "value_t *" : "", n->scratch ? n->scratch : "", n->scratch ? ", " : "",
                         n->output);
            ck_assert_msg(memmem(at, length, head, strlen(head)), "%s/%s: parameters of %s", folders[f], lab->id,
                          n->name);
            ck_assert_msg((memmem(at, length, "const ", 6) != NULL) == !n->in_place,
                          "%s: `const` of %s does not match in_place", lab->id, n->name);
            ck_assert_msg(n->one_block || n->tuned || n->elements == (n->halves ? 16 : 2),
                          "%s: wrong number of elements per thread", lab->id);
        }
        ck_assert_msg((strstr(text, "SOLUTION") != NULL) == (f == 1), "%s/%s: SOLUTION", folders[f], lab->id);
        free(text);
    }
}
END_TEST
/* A handout has sections about mistakes and points, at least one figure, and questions. All its figures exist. For
 * each question, the instructor's notes have an answer with the same number. */
START_TEST(handout_and_notes) {
    const struct lab *lab = lab_rows[_i];
    char *handout = lab_file("labs", lab, "README.md"), *notes = lab_file("solutions", lab, "notes.md"), path[200];
    const char *figure = strstr(handout, "../../docs/figures/");
    ck_assert_msg(figure != NULL, "%s: no figure", lab->id);
    for (; figure; figure = strstr(figure + 6, "../../docs/figures/")) {
        snprintf(path, sizeof path, "%.*s", (int)strcspn(figure + 6, ")"), figure + 6);
        FILE *f = fopen(path, "r");
        ck_assert_msg(f != NULL, "%s: no %s", lab->id, path);
        fclose(f);
    }
    ck_assert(strstr(handout, "## What goes wrong") && strstr(handout, "## What is graded"));
    char *asked = strstr(handout, "## Questions to think about"), *answered = strstr(notes, "## Answers"), number[16];
    ck_assert_msg(asked && answered, "%s: questions", lab->id);
    for (int k = 1; k <= 9; k++) {
        snprintf(number, sizeof number, "\n%d. ", k);
        ck_assert_msg(!strstr(asked, number) == !strstr(answered, number), "%s: question %d", lab->id, k);
    }
    free(handout);
    free(notes);
}
END_TEST
/* The TODOs of a skeleton are numbered 1, 2, 3, ... */
START_TEST(todos_are_in_order) {
    char *text = lab_file("labs", lab_rows[_i], "reduce.cu");
    int number = 0;
    for (const char *at = text; (at = strstr(at, "TODO ")); at++) ck_assert_int_eq(atoi(at + 5), ++number);
    ck_assert_int_gt(number, 0);
    free(text);
}
END_TEST
/* predictions.txt asks each question for each number of threads in prediction_blocks. The student's file has blanks,
 * and the solution has answers. */
START_TEST(predictions_are_asked) {
    const struct lab *lab = lab_rows[_i];
    char *open = lab_file("labs", lab, "predictions.txt"), *answered = lab_file("solutions", lab, "predictions.txt");
    ck_assert_ptr_nonnull(lab->predictions[0]);
    for (unsigned k = 0; lab->predictions[k]; k++)
        for (unsigned b = 0; b < PREDICTION_BLOCKS; b++) {
            double value;
            const char *name = lab->predictions[k];
            ck_assert_msg(prediction_find(open, name, prediction_blocks[b], &value) == PREDICTION_OPEN, "%s: %s@%u",
                          lab->id, name, prediction_blocks[b]);
            ck_assert_msg(prediction_find(answered, name, prediction_blocks[b], &value) == PREDICTION_GIVEN,
                          "%s: %s@%u", lab->id, name, prediction_blocks[b]);
        }
    free(open);
    free(answered);
}
END_TEST

/* ---- case names: printing and parsing --------------------------------------------------- */
START_TEST(case_names_read_back) {
    struct judge_options o = {.lab = lab_rows[_i], .seed = 99, .only_size = UINT32_MAX};
    struct judge j = {.options = &o, .lab = o.lab};
    for (enum case_set set = CASES_ONE_BLOCK; set <= CASES_UNALIGNED; set++) {
        unsigned count;
        struct grade_case *all = case_list(&j, set, &count), again;
        for (unsigned k = 0; k < count; k++) {
            char name[128], second[128] = "";
            const bool same = case_parse(o.lab, case_name(&all[k], name, sizeof name), &again) &&
                              !strcmp(case_name(&again, second, sizeof second), name) &&
                              again.kernel == all[k].kernel && again.n == all[k].n && again.block == all[k].block &&
                              again.data == all[k].data && again.offset == all[k].offset && again.grid == all[k].grid &&
                              variant_index(again.variant) == variant_index(all[k].variant);
            if (!same) ck_abort_msg("%s reads back as %s", name, second);
        }
        free(all);
    }
}
END_TEST
START_TEST(data_come_from_the_seed) {
    const struct grade_case a = {.variant = variant_at((unsigned)_i), .n = 500, .block = 64, .seed = 1};
    struct grade_case b = a;
    union value first[501], second[501];
    memset(first, 0x5a, sizeof first);
    memset(second, 0x5a, sizeof second);
    case_data(&a, first);
    case_data(&a, second);
    ck_assert_mem_eq(first, second, sizeof first);
    ck_assert_msg(((unsigned char *)first)[a.n * variant_size(a.variant)] == 0x5a, "written past the end");
    b.seed = 2;
    case_data(&b, second);
    ck_assert_mem_ne(first, second, a.n * variant_size(a.variant));
}
END_TEST

/* ---- the reference computations, compared with values computed by hand ------------------------------ */
#define I32(a)                                                                                                         \
    { .i32 = a }
#define U32(a)                                                                                                         \
    { .u32 = a }
#define I64(a)                                                                                                         \
    { .i64 = a }
#define F32(a)                                                                                                         \
    { .f32 = a }
#define F64(a)                                                                                                         \
    { .f64 = a }
static const struct {
    const char *variant;
    union value a, b, result;
} combined[] = {
    {"sum_i32", I32(INT32_MAX), I32(1), I32(INT32_MIN)},
    {"sum_u32", U32(UINT32_MAX), U32(2), U32(1)},
    {"sum_i64", I64(INT64_MAX), I64(1), I64(INT64_MIN)},
    {"sum_f32", F32(0x1p24f), F32(1), F32(0x1p24f)},
    {"sum_f64", F64(0x1p53), F64(1), F64(0x1p53)},
    {"product_i32", I32(INT32_MIN), I32(-1), I32(INT32_MIN)},
    {"product_i32", I32(-3), I32(7), I32(-21)},
    {"product_u32", U32(0x10000), U32(0x10001), U32(0x10000)},
    {"product_i64", I64(0x100000000), I64(-0x7fffffff), I64(-0x7fffffff00000000)},
    {"product_f32", F32(0x1p100f), F32(0x1p100f), F32(INFINITY)},
    {"product_f64", F64(-0.5), F64(3), F64(-1.5)},
    {"min_i32", I32(-1), I32(1), I32(-1)},
    {"min_u32", U32(UINT32_MAX), U32(1), U32(1)},
    {"min_i64", I64(INT64_MIN), I64(0), I64(INT64_MIN)},
    {"min_f32", F32(-INFINITY), F32(3), F32(-INFINITY)},
    {"min_f64", F64(1e-300), F64(1e300), F64(1e-300)},
    {"max_i32", I32(-1), I32(INT32_MIN), I32(-1)},
    {"max_u32", U32(0x80000000), U32(0x7fffffff), U32(0x80000000)},
    {"max_i64", I64(-0x100000000), I64(-1), I64(-1)},
    {"max_f32", F32(-2), F32(-1), F32(-1)},
    {"max_f64", F64(INFINITY), F64(1), F64(INFINITY)},
    {"argmin_i32", {.word = {5, 9}}, {.word = {5, 3}}, {.word = {5, 3}}},
    {"argmin_i32", {.word = {UINT32_MAX, 9}}, {.word = {5, 3}}, {.word = {UINT32_MAX, 9}}},
    {"argmax_i32", {.word = {UINT32_MAX, 1}}, {.word = {5, 3}}, {.word = {5, 3}}},
    {"argmax_f32", {.word = {0x7fc00000, 9}}, {.word = {0x7f800000, 3}}, {.word = {0x7fc00000, 9}}},
    {"argmin_f32", {.word = {0x7fc00000, 9}}, {.word = {0xff800000, 3}}, {.word = {0x7fc00000, 9}}},
    {"argmax_f64", {.word = {0, 0x7ff80000, 9}}, {.word = {1, 0xfff80000, 3}}, {.word = {0, 0x7ff80000, 3}}},
    {"argmin_f64", {.word = {0, 0x80000000, 9}}, {.word = {0, 0, 4}}, {.word = {0, 0, 4}}},
};
static const struct {
    const char *variant;
    union value a, b, first_a, first_b;
    const char *printed; /* text of first_a */
} ordered[] = {
    {"affine_u32", {.word = {2, 1}}, {.word = {3, 5}}, {.word = {6, 8}}, {.word = {6, 11}}, "x -> 6*x + 8"},
    {"affine_u32",
     {.word = {1u << 31, 7}},
     {.word = {2, 3}},
     {.word = {0, 17}},
     {.word = {0, 0x80000007}},
     "x -> 0*x + 17"},
    {"matrix_u32",
     {.word = {1, 2, 3, 4}},
     {.word = {5, 6, 7, 8}},
     {.word = {19, 22, 43, 50}},
     {.word = {23, 34, 31, 46}},
     "[19 22; 43 50]"},
    {"affine_u16",
     {.word = {2 | 1 << 16}},
     {.word = {3 | 5 << 16}},
     {.word = {6 | 8 << 16}},
     {.word = {6 | 11 << 16}},
     "x -> 6*x + 8"},
    {"affine_u16",
     {.word = {1 << 15 | 7 << 16}},
     {.word = {2 | 3 << 16}},
     {.word = {17 << 16}},
     {.word = {0x8007u << 16}},
     "x -> 0*x + 17"},
    {"matrix_u16",
     {.word = {1 | 2 << 16, 3 | 4 << 16}},
     {.word = {5 | 6 << 16, 7 | 8 << 16}},
     {.word = {19 | 22 << 16, 43 | 50 << 16}},
     {.word = {23 | 34 << 16, 31 | 46 << 16}},
     "[19 22; 43 50]"},
};
START_TEST(operand_order_matters) {
    struct variant v;
    char text[64];
    ck_assert(variant_find(ordered[_i].variant, strlen(ordered[_i].variant), &v) && !variant_commutes(v));
    const union value x = reference_combine(v, ordered[_i].a, ordered[_i].b),
                      y = reference_combine(v, ordered[_i].b, ordered[_i].a);
    ck_assert_str_eq(reference_print(v, x, text, sizeof text), ordered[_i].printed);
    ck_assert_msg(reference_equal(v, x, ordered[_i].first_a), "%s", text);
    ck_assert_msg(reference_equal(v, y, ordered[_i].first_b), "%s", reference_print(v, y, text, sizeof text));
    ck_assert(!reference_equal(v, x, y) && reference_same_operands(v, x, y));
    ck_assert(!reference_same_operands(v, x, ordered[_i].a));
}
END_TEST
START_TEST(two_values_are_combined) {
    struct variant v;
    ck_assert(variant_find(combined[_i].variant, strlen(combined[_i].variant), &v));
    const union value pair[2] = {combined[_i].a, combined[_i].b};
    union value array[2];
    for (unsigned turn = 0; turn < 2; turn++) {
        ck_assert(reference_equal(v, reference_combine(v, pair[turn], pair[1 - turn]), combined[_i].result));
        reference_store(v, array, 0, pair[turn]);
        reference_store(v, array, 1, pair[1 - turn]);
        ck_assert(reference_equal(v, reference_reduce(v, array, 2), combined[_i].result));
    }
}
END_TEST
static const struct {
    const char *variant, *text;
} identities[] = {
    {"sum_i32", "0"},
    {"sum_u32", "0"},
    {"sum_i64", "0"},
    {"sum_f32", "0"},
    {"sum_f64", "0"},
    {"product_i32", "1"},
    {"product_u32", "1"},
    {"product_i64", "1"},
    {"product_f32", "1"},
    {"product_f64", "1"},
    {"min_i32", "2147483647"},
    {"min_u32", "4294967295"},
    {"min_i64", "9223372036854775807"},
    {"min_f32", "inf"},
    {"min_f64", "inf"},
    {"max_i32", "-2147483648"},
    {"max_u32", "0"},
    {"max_i64", "-9223372036854775808"},
    {"max_f32", "-inf"},
    {"max_f64", "-inf"},
    {"affine_u32", "x -> 1*x + 0"},
    {"matrix_u32", "[1 0; 0 1]"},
    {"argmin_i32", "2147483647 at index 4294967295"},
    {"argmin_f32", "inf at index 4294967295"},
    {"argmin_f64", "inf at index 18446744073709551615"},
    {"argmax_i32", "-2147483648 at index 4294967295"},
    {"argmax_f32", "-inf at index 4294967295"},
    {"argmax_f64", "-inf at index 18446744073709551615"},
    {"affine_u16", "x -> 1*x + 0"},
    {"matrix_u16", "[1 0; 0 1]"},
};
START_TEST(identities_are_printed) {
    char text[64];
    ck_assert_str_eq(variant_name(variant_at((unsigned)_i)), identities[_i].variant);
    ck_assert_str_eq(
        reference_print(variant_at((unsigned)_i), reference_identity(variant_at((unsigned)_i)), text, sizeof text),
        identities[_i].text);
}
END_TEST
/* Parsing a printed float gives the same value. */
START_TEST(printed_floats_are_parsed_exactly) {
    static const double values[] = {0.1, 1.0 / 3, 16777217.0, 1e-45, 5e-324, 1.7976931348623157e308, -123456.789e-20};
    const struct variant f32 = {REDUCE_OP_SUM, REDUCE_TYPE_F32}, f64 = {REDUCE_OP_SUM, REDUCE_TYPE_F64};
    char text[64];
    const union value d = {.f64 = values[_i]};
    ck_assert(strtod(reference_print(f64, d, text, sizeof text), NULL) == values[_i]);
    if (fabs(values[_i]) > 3e38) return;
    const union value x = {.f32 = (float)values[_i]};
    ck_assert(strtof(reference_print(f32, x, text, sizeof text), NULL) == x.f32);
}
END_TEST
START_TEST(equal_is_by_value) {
    const struct variant f32 = {REDUCE_OP_SUM, REDUCE_TYPE_F32}, i32 = {REDUCE_OP_SUM, REDUCE_TYPE_I32},
                         i64 = {REDUCE_OP_SUM, REDUCE_TYPE_I64};
    const union value plus = F32(0.0f), minus = F32(-0.0f), nan_a = {.bits = 0x7fc00000}, nan_b = {.bits = 0xffc00001};
    ck_assert(reference_equal(f32, plus, minus) && !reference_equal(i32, plus, minus));
    ck_assert(reference_equal(f32, nan_a, nan_b) && !reference_equal(f32, nan_a, plus));
    const union value low = {.bits = 1}, high = {.bits = UINT64_C(1) << 32 | 1};
    ck_assert(reference_equal(i32, low, high) && !reference_equal(i64, low, high));
}
END_TEST

#define LOOP(test, rows) tcase_add_loop_test(tcase, test, 0, sizeof rows / sizeof *rows)
int main(void) {
    Suite *suite = suite_create("labs");
    TCase *tcase = tcase_create("labs");
    const int labs = (int)lab_row_count;
    tcase_set_timeout(tcase, 300);
    tcase_add_loop_test(tcase, points_and_needs, 0, labs);
    tcase_add_loop_test(tcase, only_labs_are_found, 0, 8);
    tcase_add_loop_test(tcase, kernels_are_in_the_files, 0, labs);
    tcase_add_loop_test(tcase, handout_and_notes, 0, labs);
    tcase_add_loop_test(tcase, todos_are_in_order, 0, labs);
    tcase_add_loop_test(tcase, predictions_are_asked, 0, labs);
    tcase_add_loop_test(tcase, case_names_read_back, 0, labs);
    tcase_add_loop_test(tcase, data_come_from_the_seed, 0, OWN_VARIANT);
    LOOP(two_values_are_combined, combined);
    LOOP(operand_order_matters, ordered);
    LOOP(identities_are_printed, identities);
    tcase_add_loop_test(tcase, printed_floats_are_parsed_exactly, 0, 7);
    tcase_add_test(tcase, equal_is_by_value);
    suite_add_tcase(suite, tcase);
    return suite_failures(suite) != 0;
}
