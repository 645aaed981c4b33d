/* See points.h. */
#include "judge/points.h"
#include "probes/measured.h"
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Returns eight times the share of the input that the check's kernel has read, but at most 1. If the check is for all
 * kernels, uses the lab's first kernel. Returns 1 if the lab has no kernels. */
static double work_of_check(const struct judge *j, const struct lab_check *c, const json_t *work) {
    if (!j->lab->kernel_count) return 1;
    const json_t *w = json_object_get(work, c->kernel ? c->kernel : case_label(&j->lab->kernels[0]));
    /* A kernel that takes only one element of eight by mistake still counts as having done its work. Vectors have at
     * most eight elements, and clusters at most eight blocks. */
    return fmin(1, 8 * json_real_value(json_object_get(w, "read")));
}
bool judge_has_work(const struct judge *j, const struct lab_check *c, const json_t *work) {
    return work_of_check(j, c, work) > 0;
}

/* Returns the share of check k, multiplied by the shares of the checks that it needs. */
static double share_with_needs(const struct lab *lab, const json_t *tests, unsigned k) {
    double share = json_real_value(json_object_get(json_array_get(tests, k), "share"));
    for (unsigned n = 0; n < k; n++)
        if (lab_check_needs(&lab->checks[k], lab->checks[n].id) &&
            check_status_of(json_array_get(tests, n)) != STATUS_SKIPPED)
            share *= share_with_needs(lab, tests, n);
    return share;
}
json_t *judge_open_need(const struct lab_check *c, const json_t *tests) {
    size_t k;
    json_t *t;
    json_array_foreach(tests, k, t) {
        const enum check_status s = check_status_of(t);
        const bool needed = lab_check_needs(c, json_string_value(json_object_get(t, "id")));
        if (needed && s != STATUS_PASS && s != STATUS_SKIPPED && !json_real_value(json_object_get(t, "share")))
            return t;
    }
    return NULL;
}
/* Returns how far the kernel avoids the lab's technique, 0 to 1. Sets *by to the number of the check that measured
 * this. */
static double evasion(const json_t *tests, size_t *by) {
    double most = 0;
    size_t k;
    json_t *t;
    json_array_foreach(tests, k, t) {
        const double evades = json_real_value(json_object_get(t, "evades"));
        if (evades > most) most = evades, *by = k;
    }
    return most;
}
/* If a check passed without all points, appends the reason to its message: the check whose technique failed or, if it
 * is NULL, an earlier check. A kernel with another mistake may use the technique, so the message does not deny this. */
static void explain(json_t *test, const struct lab_check *failed) {
    char message[1000], reason[300] = "an earlier check lost points";
    if (check_status_of(test) != STATUS_PASS) return;
    if (failed) snprintf(reason, sizeof reason, "the check \"%s\" failed", failed->title);
    snprintf(message, sizeof message, "%s; fewer points, because %s",
             json_string_value(json_object_get(test, "message")), reason);
    json_object_set_new(test, "message", json_string(message));
}
/* Returns the last check of results that judges the kernel of case `name` with exact data. Returns NULL if any check of
 * results has failed, because then the cause is probably the same. */
static json_t *passed_results(const struct lab *lab, json_t *tests, const char *name) {
    const unsigned exact = 1u << CASES_ONE_BLOCK | 1u << CASES_MANY_BLOCKS | 1u << CASES_ANY_N,
                   all = exact | 1u << CASES_UNALIGNED | 1u << CASES_ROUNDED;
    json_t *last = NULL;
    for (unsigned k = 0; k < lab->check_count; k++) {
        const struct lab_check *c = &lab->checks[k];
        json_t *t = json_array_get(tests, k);
        if (all >> c->kind->cases & 1 && check_status_of(t) != STATUS_PASS) return NULL;
        if (exact >> c->kind->cases & 1 && (!c->kernel || !strncmp(name, c->kernel, strlen(c->kernel)))) last = t;
    }
    return last;
}
/* A launch that a check of time or technique runs may be the only one with a wrong result. It then costs as much as a
 * wrong case of a check of results. */
static void count_wrong_cases(const struct judge *j, json_t *tests) {
    char replay[PATH_MAX + 256];
    size_t k;
    const json_t *t;
    json_array_foreach(tests, k, t) {
        const json_t *wrong = json_object_get(t, "wrong_case");
        const char *name = json_string_value(json_object_get(wrong, "case"));
        json_t *results = name ? passed_results(j->lab, tests, name) : NULL;
        struct grade_case c;
        if (!results) continue;
        result_fail(results, "%s, but a launch of another check has a wrong result: %s",
                    json_string_value(json_object_get(results, "message")),
                    json_string_value(json_object_get(wrong, "text")));
        result_share(results, lab_mark(j->lab, MARK_WRONG));
        if (case_parse(j->lab, name, &c))
            json_object_set_new(results, "replay", measured_text(replay_command(j, &c, replay, sizeof replay)));
    }
}
/* If a check of findings passed, but cases of other checks have findings, adds their number to its message. */
static void count_other_findings(const struct judge *j, json_t *tests) {
    size_t all = 0, k;
    json_t *t;
    json_array_foreach(tests, k, t) all += judge_count_errors(json_object_get(t, "findings"));
    json_array_foreach(tests, k,
                       t) if (all && j->lab->checks[k].kind == check_findings && check_status_of(t) == STATUS_PASS)
        result_pass(t, "%s; in cases of other checks: %zu", json_string_value(json_object_get(t, "message")), all);
}
void judge_points(const struct judge *j, const json_t *work, json_t *tests) {
    static const char *const taken[] = {"share", "evades", "waits", "wrong_case"};
    size_t by = 0;
    const double work_counts = lab_mark(j->lab, MARK_WORK),
                 technique = 1 - (1 - lab_mark(j->lab, MARK_TECHNIQUE)) * evasion(tests, &by);
    double total = 0; /* points not yet rounded: a fraction carries over to the next check */
    json_int_t given = 0;
    count_wrong_cases(j, tests);
    count_other_findings(j, tests);
    for (unsigned k = 0; k < j->lab->check_count; k++) {
        const struct lab_check *c = &j->lab->checks[k];
        const double base = c->kind->cases != CASES_NONE ? work_counts : 0, needs = share_with_needs(j->lab, tests, k),
                     rest = needs * technique;
        const json_t *t = json_array_get(tests, k);
        const bool waits = check_status_of(t) == STATUS_BLOCKED || json_object_get(t, "waits");
        total += waits ? 0 : c->points * work_of_check(j, c, work) * (base + (1 - base) * rest);
        const json_int_t points = (json_int_t)floor(total + 1e-6) - given;
        given += points;
        if (points < c->points && rest < 1) explain(json_array_get(tests, k), needs < 1 ? NULL : &j->lab->checks[by]);
        json_object_set_new(json_array_get(tests, k), "points", json_integer(points));
        json_object_set_new(json_array_get(tests, k), "max_points", json_integer(c->points));
        if (c->visibility)
            json_object_set_new(json_array_get(tests, k), "visibility", json_string(visibility_word(c->visibility)));
    }
    for (unsigned k = 0; k < j->lab->check_count; k++)
        for (size_t n = 0; n < sizeof taken / sizeof *taken; n++) json_object_del(json_array_get(tests, k), taken[n]);
}
json_t *thresholds_of(const struct lab *lab) {
    static const char *const names_of_marks[LAB_MARKS] = {[MARK_WORK] = "work",
                                                          [MARK_WRONG] = "wrong",
                                                          [MARK_TECHNIQUE] = "technique",
                                                          [MARK_WAITING_FULL] = "waiting_full",
                                                          [MARK_WAITING_NONE] = "waiting_none",
                                                          [MARK_SECTORS] = "sectors",
                                                          [MARK_WARPS] = "warps",
                                                          [MARK_UNSEALED] = "unsealed"};
    json_t *all = json_pack("{s:f, s:f}", "speed_full", lab->speed_full, "speed_none", lab->speed_none);
    for (unsigned k = 0; k < LAB_MARKS; k++) json_object_set_new(all, names_of_marks[k], json_real(lab_mark(lab, k)));
    return all;
}
