/* Candidate edits: what rules make of a text, before anything is run. What comes of them is in check_beginner.c. */
/* run: sanitized */
/* reads: nothing */
#include "fix/edits.h"
#include "record/terms.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

/* A kernel that a beginner may write in any lab. Its comment and one line use terms of later labs. */
static const char kernel[] =
    "/* not yet: atomicAdd, __syncwarp, __threadfence, __shfl_down_sync */\n"
    "__device__ unsigned ticket;\n"
    "extern __shared__ value_t s[];\n"
    "__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {\n"
    "    unsigned t = threadIdx.x, start = 2 * blockIdx.x * blockDim.x;\n"
    "    s[t] = start + t < n ? in[start + t] : identity();\n"
    "    s[t + blockDim.x] = start + t + blockDim.x < n ? in[start + t + blockDim.x] : identity();\n"
    "    for (unsigned stride = blockDim.x; stride > 0; stride /= 2)\n"
    "        if (t < stride) s[t] = combine(s[t], s[t + stride]);\n"
    "    partial[blockIdx.x] = s[0];\n"
    "    if (t == 0) atomic_combine(&total[0], s[0]);\n"
    "    if (t == 0) atomicAdd(&ticket, 1);\n"
    "}\n";

static unsigned occurrences(const struct term *t, const char *text) {
    unsigned count = 0;
    for (const char *at = text; (at = term_in(t, at)); at += strlen(t->word)) count++;
    return count;
}
static void all_rules(struct edit_list *l) {
    for (int32_t f = 0; f < l->source->functions; f++) {
        rules_expressions(l, f), rules_names(l, f), rules_pairs(l, f), rules_loops(l, f);
        rules_statements(l, f), rules_barriers(l, f), rules_missing(l, f);
    }
}
/* No edit that a lab may propose brings a word that it has not taught; what the student wrote may stay. */
START_TEST(an_edit_asks_for_what_is_taught) {
    const unsigned taught = (unsigned)_i;
    struct source source;
    ck_assert(source_parse(&source, kernel, false));
    struct edit_list list = {.source = &source};
    unsigned proposed = 0;
    all_rules(&list);
    for (unsigned k = 0; k < list.count; k++) {
        if (!edit_is_taught(&source, &list.item[k], taught)) continue;
        char *now = edit_apply(&source, &list.item[k]);
        for (const struct term *t = terms; t->word; t++)
            ck_assert_msg(t->lab <= taught || occurrences(t, now) <= occurrences(t, kernel), "lab %u: `%s` in\n%s",
                          taught, t->word, now);
        ck_assert_msg(terms_known(taught, fix_causes[list.item[k].cause].idea), "lab %u: %s", taught,
                      fix_causes[list.item[k].cause].idea);
        free(now);
        proposed++;
    }
    ck_assert_uint_gt(proposed, 50);
    edit_list_free(&list);
    source_free(&source);
}
END_TEST
/* The same rules do propose these words from their labs on. */
static const struct {
    const char *word;
    unsigned lab;
} later[] = {{"__syncwarp", 5}, {"__threadfence", 7}};
START_TEST(it_is_proposed_where_it_is_taught) {
    struct source source;
    ck_assert(source_parse(&source, kernel, false));
    struct edit_list list = {.source = &source};
    all_rules(&list);
    for (unsigned taught = 0; taught < 11; taught++) {
        unsigned with = 0;
        for (unsigned k = 0; k < list.count; k++)
            for (unsigned p = 0; p < list.item[k].parts; p++)
                with +=
                    strstr(list.item[k].part[p].text, later[_i].word) && edit_is_taught(&source, &list.item[k], taught);
        ck_assert_msg((with > 0) == (taught >= later[_i].lab), "lab %u: %u edits with %s", taught, with,
                      later[_i].word);
    }
    edit_list_free(&list);
    source_free(&source);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("fix");
    TCase *tcase = tcase_create("fix");
    tcase_add_loop_test(tcase, an_edit_asks_for_what_is_taught, 0, 11);
    tcase_add_loop_test(tcase, it_is_proposed_where_it_is_taught, 0, sizeof later / sizeof *later);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
