/* Adds the lab of docs/add-a-lab.md exactly as shown there. The solution must get all points and the skeleton none. A
 * kernel that reads only one of the two inputs must fail. */
/* run: plain, 6 s */
/* reads: labs solutions common docs */
#include "tests/files.h"
#include "judge/judge.h"
#include "ladder/ladder.h"
#include "model/gpus/gpu.h"
#include "tests/suite.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct lab_kernel kernels[] = {
    {.name = "dot",
     .input = "x",
     .second = "y",
     .output = "partial",
     .elements = 2,
     .shared_values = 1,
     .grid_stride = true,
     .finish = FINISH_HOST},
};
static const struct lab_check checks[] = {
    {"one-block", "correct on one block", 40, NULL, check_one_block},
    {"many-blocks", "correct for any number of blocks", 20, "one-block", check_many_blocks},
    {"rounding", "sums of floats within the error bound", 20, "one-block", check_rounding},
    {"findings", "no race, no invalid access", 10, "one-block", check_findings},
    {"memory", "sectors and bank conflicts", 10, "one-block", check_memory},
};
static const struct lab lab13 = {.id = "lab13",
                                 .name = "dot",
                                 .title = "The dot product",
                                 .kernels = kernels,
                                 .kernel_count = 1,
                                 .variants = 1u << 0 | 1u << 3, /* sum_i32, sum_f32 */
                                 .checks = checks,
                                 .check_count = sizeof checks / sizeof *checks};

static char root[] = "/tmp/check-add-lab-XXXXXX", message[300];
static const struct compiler *compiler;
static char *solution;

static char *first_block(void) {
    static const char begin[] = "```\n// solutions/lab13_dot/reduce.cu\n//\n";
    char *text = read_file("docs/add-a-lab.md"), *at = strstr(text, begin), *end = at ? strstr(at + 4, "```") : NULL;
    char *block = end ? strndup(at + sizeof begin - 1, (size_t)(end - at) - (sizeof begin - 1)) : NULL;
    free(text);
    return block;
}
static bool write_text(const char *name, const char *head, const char *text) {
    char path[300];
    snprintf(path, sizeof path, "%s/%s", root, name);
    FILE *f = fopen(path, "w");
    return f && fprintf(f, "%s%s", head, text) > 0 && !fclose(f);
}
static bool lay_out(void) {
    char path[300], common[4096];
    static const char *const folders[] = {"solutions", "solutions/lab13_dot", "labs"};
    if (!mkdtemp(root) || !realpath("common", common)) return false;
    for (unsigned k = 0; k < 3; k++) snprintf(path, sizeof path, "%s/%s", root, folders[k]), mkdir(path, 0755);
    snprintf(path, sizeof path, "%s/common", root);
    return !symlink(common, path) && write_text("solutions/lab13_dot/reduce.cu", "", solution);
}
/* Grades the document's solution as a solution or as a skeleton. If `from` is not NULL, first replaces the first
 * occurrence of `from` with `to`. Returns the record. */
static json_t *graded(bool as_solution, const char *from, const char *to) {
    char *text = NULL, path[300], cache[300];
    const char *at = from ? strstr(solution, from) : NULL;
    ck_assert_msg(!from || at, "no `%s` in the document's solution", from);
    if (at)
        ck_assert(asprintf(&text, "%.*s%s%s", (int)(at - solution), solution, to, at + strlen(from)) > 0);
    else
        text = strdup(solution);
    ck_assert(write_text("labs/reduce.cu", as_solution ? "#define SOLUTION\n" : "", text));
    free(text);
    snprintf(path, sizeof path, "%s/labs/reduce.cu", root);
    snprintf(cache, sizeof cache, "%s/cache", root);
    const struct judge_options o = {.lab = &lab13,
                                    .device = device_find("sim"),
                                    .compiler = compiler,
                                    .root = root,
                                    .cache = cache,
                                    .submission = path,
                                    .shown = "reduce.cu",
                                    .predictions = path,
                                    .replay_options = "",
                                    .seed = 7,
                                    .only_size = UINT32_MAX};
    return judge_grade(&o);
}
static void expect(json_t *record, int least, int most, const char *said) {
    char *all = json_dumps(json_object_get(record, "tests"), JSON_INDENT(1));
    const int score = (int)json_integer_value(json_object_get(record, "score"));
    ck_assert_msg(all && score >= least && score <= most, "%d points: %.3000s", score, all ? all : "");
    ck_assert_msg(strstr(all, said), "no `%s`: %.3000s", said, all);
    free(all);
}
START_TEST(the_solution_has_all_points) {
    json_t *record = graded(true, NULL, NULL);
    expect(record, 100, 100, "pass");
    size_t k;
    json_t *array;
    unsigned filled = 0;
    json_array_foreach(json_object_get(json_object_get(json_object_get(record, "pictures"), "player"), "arrays"), k,
                       array) {
        const char *name = json_string_value(json_object_get(array, "name"));
        const bool has = json_is_string(json_array_get(json_object_get(array, "first"), 0));
        filled += has && (!strcmp(name, "x") || !strcmp(name, "y"));
    }
    ck_assert_uint_eq(filled, 2);
    json_decref(record);
}
END_TEST
START_TEST(the_ladder_omits_kernels_with_two_inputs) {
    struct ladder_row row;
    ck_assert(!ladder_lab_row(&lab13, (struct variant){REDUCE_OP_SUM, REDUCE_TYPE_I32}, gpu_default, &row));
}
END_TEST
START_TEST(skeletons_get_no_points) {
    json_t *record = graded(false, NULL, NULL);
    expect(record, 0, 0, "fail");
    json_decref(record);
}
END_TEST
START_TEST(one_input_is_not_enough) {
    json_t *record = graded(true, "combine(sum, x[i] * y[i])", "combine(sum, x[i])");
    expect(record, 30, 95, "cases wrong");
    json_decref(record);
}
END_TEST
/* With C linkage, all variants of a kernel have the same name, so each variant is compiled separately. The lab has
 * only two variants. */
START_TEST(c_linkage_gets_all_points) {
    json_t *record = graded(true, "__global__", "extern \"C\" __global__");
    expect(record, 100, 100, "pass");
    json_decref(record);
}
END_TEST

int main(void) {
    compiler = compiler_find("auto", message, sizeof message);
    if (!compiler) return printf("SKIP check_add_lab: neither nvcc nor clang\n"), 0;
    if (!(solution = first_block())) return printf("docs/add-a-lab.md contains no solution\n"), 1;
    if (!lay_out()) return perror(root), 1;
    Suite *suite = suite_create("add_lab");
    TCase *tcase = tcase_create("add_lab");
    tcase_set_timeout(tcase, 300);
    tcase_add_test(tcase, the_solution_has_all_points);
    tcase_add_test(tcase, the_ladder_omits_kernels_with_two_inputs);
    tcase_add_test(tcase, skeletons_get_no_points);
    tcase_add_test(tcase, one_input_is_not_enough);
    tcase_add_test(tcase, c_linkage_gets_all_points);
    suite_add_tcase(suite, tcase);
    const int failed = suite_failures(suite);
    free(solution);
    char script[100];
    snprintf(script, sizeof script, "rm -rf %s", root);
    return system(script) || failed;
}
