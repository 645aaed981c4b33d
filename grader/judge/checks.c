/* Judges the outcomes of the checks for results and findings. */
#include "base/clock.h"
#include "judge/batch.h"
#include "judge/case_large.h"
#include "judge/classes.h"
#include "judge/clean.h"
#include "judge/example.h"
#include "judge/wrong.h"
#include "probes/catalog.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_GPU_SECONDS = 20 };

/* Orders findings by rank, the most severe kind first. */
static int by_rank(const void *a, const void *b) {
    const json_int_t x = json_integer_value(json_object_get(*(json_t *const *)a, "rank")),
                     y = json_integer_value(json_object_get(*(json_t *const *)b, "rank"));
    return x < y ? -1 : x > y;
}
/* Removes warnings that threads store the same value, if another case has a race at the same line: there, the values
 * differ. */
static void drop_same_values(json_t *findings) {
    size_t k = json_array_size(findings), n;
    json_t *race;
    while (k--) {
        json_t *f = json_array_get(findings, k);
        bool differ = false;
        if (strcmp(json_string_value(json_object_get(f, "kind")), "same-value") != 0) continue;
        json_array_foreach(findings, n, race) {
            const struct finding_kind *kind = catalog_finding(json_string_value(json_object_get(race, "kind")));
            const json_t *at = json_object_get(race, "at"), *here = json_object_get(f, "at");
            differ |= kind && kind->is_race && json_equal(json_object_get(at, "line"), json_object_get(here, "line")) &&
                      json_equal(json_object_get(at, "file"), json_object_get(here, "file"));
        }
        if (differ) json_array_remove(findings, k);
    }
}
/* Collects the findings of all cases, at most 20. If several cases have the same finding, prefers one with at least
 * two elements, because its replay shows more. */
static json_t *collect_findings(const struct batch *b) {
    enum { LITTLE = 2 };
    json_t *all = json_array(), *sorted = json_array();
    for (unsigned k = 0; k < 2 * b->count; k++) { /* first the cases with n >= LITTLE, then the others */
        const unsigned at = k % b->count;
        const struct finding_list *l = &b->outcomes[at].measurement.findings;
        if ((b->cases[at].n >= LITTLE) != (k < b->count)) continue;
        json_t *own = json_array();
        for (unsigned n = 0; n < l->count; n++)
            /* a kernel that exceeds its budget only in large cases is slow, but terminates */
            if (!l->item[n].kind->runs_out || !case_is_large(&b->cases[at]))
                json_array_append_new(own, finding_json(b->j, &l->item[n], &b->cases[at]));
        findings_merge(all, own);
        json_decref(own);
    }
    drop_same_values(all);
    const size_t n = json_array_size(all);
    json_t **order = calloc(n + 1, sizeof(json_t *));
    for (size_t k = 0; order && k < n; k++) order[k] = json_array_get(all, k);
    if (order) qsort(order, n, sizeof *order, by_rank);
    for (size_t k = 0; order && k < n && k < 20; k++) json_array_append(sorted, order[k]);
    free(order);
    json_decref(all);
    return sorted;
}

/* Demonstrates the races among the findings: on the smallest launches that have them or, if that fails, on the cases
 * of the batch. */
static void show_races(const struct batch *b, json_t *findings, const struct example *small, unsigned count) {
    struct grade_case *cases = calloc(count + b->count + 1, sizeof *cases);
    struct outcome *outcomes = calloc(count + b->count + 1, sizeof *outcomes);
    for (unsigned k = 0; cases && outcomes && k < count + b->count; k++) {
        cases[k] = k < count ? small[k].c : b->cases[k - count];
        outcomes[k] = k < count ? small[k].o : b->outcomes[k - count];
    }
    if (cases && outcomes) judge_witness(b->j, &(struct witness_cases){cases, outcomes, count + b->count}, findings);
    free(cases), free(outcomes);
}
/* Returns the findings, each with the smallest launch that has it, if one is found. Does not search for launches if a
 * kernel does not terminate, or if there is only one case. */
static json_t *explained_findings(const struct batch *b) {
    enum { MAX_SMALL = 8 };
    struct example small[MAX_SMALL];
    json_t *findings = collect_findings(b);
    bool endless = b->count == 1;
    for (unsigned k = 0; k < b->count; k++) endless |= outcome_is_endless(&b->outcomes[k]);
    const unsigned count = endless ? 0 : example_of_findings(b->j, findings, b->what, small, MAX_SMALL);
    if (b->what & MEASURE_RACES && json_array_size(findings)) show_races(b, findings, small, count);
    for (unsigned k = 0; k < count; k++) example_free(&small[k]);
    return findings;
}

/* Prints a message such as "; 12 more not run, ..." and returns the number of cases that were not run. */
static unsigned not_run(const struct batch *b, char *out, size_t size) {
    unsigned late = 0, skipped = 0, wrong = 0;
    for (unsigned k = 0; k < b->count; k++)
        late += b->outcomes[k].kind == OUTCOME_NOT_RUN, skipped += b->outcomes[k].kind == OUTCOME_SKIPPED,
            wrong += batch_is_wrong(&b->outcomes[k]);
    out[0] = 0;
    enum { MILLION = 1000000 };
    const uint64_t limit = batch_most_work(b, wrong);
    const bool large = limit >= 10 * MILLION;
    if (late)
        snprintf(out, size,
                 "; %u more not run, because the earlier cases had already executed more than "
                 "%llu%s %s",
                 late, (unsigned long long)(large ? limit / MILLION : limit), large ? " million" : "",
                 terms_choose(judge_taught(b->j), "warp-instructions", "instructions, each for 32 threads"));
    else if (skipped)
        snprintf(out, size, "; %u more not run, because the kernel does not end", skipped);
    return late + skipped;
}
/* ---- results -------------------------------------------------------------------------------- */
/* Returns a kernel's output as a printable string, because it may contain any bytes. */
static json_t *printable(const char *text) {
    char copy[OUTCOME_PRINTED];
    size_t n = 0;
    for (; text[n]; n++)
        copy[n] = (text[n] >= ' ' && text[n] < 127) || text[n] == '\n' || text[n] == '\t' ? text[n] : '?';
    return json_stringn(copy, n);
}
/* ---- on a GPU, too -------------------------------------------------------------------------- */
/* Prints the GPU's result for a case that is wrong on the simulator. */
static void wrong_on_gpu(struct batch *b, const struct grade_case *c, bool endless, char *out, size_t size) {
    struct outcome o;
    char got[100];
    out[0] = 0;
    if (!b->j->options->gpu || endless) return;
    case_run_on_gpu(b->j, c, &o);
    if (o.kind == OUTCOME_RIGHT)
        snprintf(out, size, "; on the GPU, the result of this run was right");
    else if (o.kind != OUTCOME_WRONG)
        snprintf(out, size, "; on the GPU: %.140s", o.message);
    else
        snprintf(out, size, "; on the GPU: got %s", o.unwritten ? "nothing" : outcome_got(c, &o, got, sizeof got));
    outcome_free(&o);
}
/* Reports a case that is wrong only on the GPU, with the simulator's findings in this case. */
static void only_gpu_wrong(struct batch *b, unsigned k, struct outcome *gpu, unsigned right, json_t *result) {
    struct batch one = {.j = b->j, .cases = &b->cases[k], .count = 1};
    struct outcome sim;
    char message[400], replay[PATH_MAX + 256], said[160] = "the simulator found nothing wrong in this case";
    wrong_describe(&b->cases[k], gpu, "", message, sizeof message);
    case_run(b->j, &b->j->student, &b->cases[k], MEASURE_RACES | MEASURE_MEMORY | MEASURE_BARRIERS, &sim);
    one.outcomes = &sim;
    json_t *findings = collect_findings(&one), *f = json_array_get(findings, 0);
    if (f)
        snprintf(said, sizeof said, "the simulator found: %.80s, line %lld",
                 json_string_value(json_object_get(f, "title")),
                 (long long)json_integer_value(json_object_get(json_object_get(f, "at"), "line")));
    outcome_free(&sim);
    result_fail(result, "wrong on the GPU after %u right cases; %s; %s", right, message, said);
    json_object_set_new(result, "wrong", json_integer(1));
    json_object_set_new(result, "replay", json_string(replay_command(b->j, &b->cases[k], replay, sizeof replay)));
    json_object_set_new(result, "findings", findings);
}
/* Runs the cases, which are all correct on the simulator, on the GPU. Stops at the first wrong one, because the
 * process cannot use the GPU after a kernel fault. On failure, returns false and stores the reason in `result`. */
static bool right_on_gpu(struct batch *b, json_t *result) {
    const double deadline = clock_seconds() + MAX_GPU_SECONDS;
    for (unsigned k = 0; b->j->options->gpu && k < b->count; k++) {
        struct outcome o;
        if (clock_seconds() > deadline) {
            json_object_set_new(
                result, "left_out",
                json_sprintf("the last %u case%s on the GPU, because the first %u took more than %d seconds",
                             b->count - k, b->count - k == 1 ? "" : "s", k, MAX_GPU_SECONDS));
            return true;
        }
        case_run_on_gpu(b->j, &b->cases[k], &o);
        const enum outcome_kind kind = o.kind;
        if (kind == OUTCOME_SETUP &&
            case_repeats(&b->cases[k])) { /* other processes leave too little of the GPU's memory for this case */
            char name[200];
            json_object_set_new(
                result, "left_out",
                json_sprintf("%s on the GPU: %.200s", case_name(&b->cases[k], name, sizeof name), o.message));
            outcome_free(&o);
            continue;
        }
        if (kind == OUTCOME_SETUP)
            result_setup(result, "the GPU: %s; --device sim grades without the GPU", o.message);
        else if (kind != OUTCOME_RIGHT)
            only_gpu_wrong(b, k, &o, k, result);
        outcome_free(&o);
        if (kind != OUTCOME_RIGHT) return false;
    }
    return true;
}

static void set_classes(const struct batch *b, json_t *result) {
    struct classes c;
    char message[600 + CLASSES_TEXT];
    classes_of(b->cases, b->outcomes, b->count, judge_taught(b->j), &c);
    json_object_set_new(result, "classes", c.list);
    if (check_status_of(result) != STATUS_FAIL) return;
    result_share(result, lab_mark(b->j->lab, MARK_WRONG) * c.share);
    snprintf(message, sizeof message, "%s; %s", json_string_value(json_object_get(result, "message")), c.text);
    json_object_set_new(result, "message", json_string(message));
}
/* Returns whether failure `a` is more instructive than `b`: it is not empty, and `b` is larger or empty. */
static bool plainer(const struct grade_case *a, const struct grade_case *b) { return a->n && (!b->n || a->n < b->n); }
static const char *left_out(const json_t *result) {
    const char *text = json_string_value(json_object_get(result, "left_out"));
    return text ? text : "";
}
void judge_results(struct judge *j, json_t *result) {
    struct batch b;
    unsigned wrong = 0, first = 0;
    char message[600], rest[200], there[200];
    const char *where = j->options->gpu ? ", on the GPU too" : "";
    if (!batch_run(&b, j, MEASURE_MEMORY | MEASURE_BARRIERS, result)) return;
    for (unsigned k = 0; k < b.count; k++) {
        if (b.outcomes[k].kind == OUTCOME_SETUP) {
            result_setup(result, "%s", b.outcomes[k].message);
            batch_free(&b);
            return;
        }
        if (b.outcomes[k].kind == OUTCOME_RIGHT || !batch_was_run(&b.outcomes[k])) continue;
        if (!wrong++ || plainer(&b.cases[k], &b.cases[first])) first = k;
    }
    const unsigned more = not_run(&b, rest, sizeof rest);
    if (b.count == 1 && b.outcomes[0].printed && b.outcomes[0].printed[0])
        json_object_set_new(result, "printed", printable(b.outcomes[0].printed));
    if (!b.count)
        result_skip(result, "no case of this check was selected");
    else if (!wrong && !more) {
        if (!right_on_gpu(&b, result)) /* right_on_gpu() has set the result */
            ;
        else if (b.count == 1)
            result_pass(result, "the case is right%s", where);
        else
            result_pass(result, "all %u cases right%s%s%s", b.count, where,
                        json_object_get(result, "left_out") ? "; left out: " : "", left_out(result));
    } else if (!wrong)
        result_fail(result, "%u cases right%s", b.count - more, rest);
    else {
        const struct wrong_cases all = {b.cases, b.outcomes, b.count, first};
        struct grade_case shown;
        void *values;
        wrong_explain(j, &all, result, &shown, &values, message, sizeof message);
        wrong_on_gpu(&b, &shown, outcome_is_endless(&b.outcomes[first]), there, sizeof there);
        result_fail(result, "%u of %u cases wrong%s; %.420s%s", wrong, b.count - more, rest, message, there);
        json_object_set_new(result, "wrong", json_integer(wrong));
        json_object_set_new(result, "findings", explained_findings(&b));
        free(values);
    }
    if (b.count && !judge_is_replay(j)) set_classes(&b, result);
    batch_free(&b);
}
/* ---- findings ------------------------------------------------------------------------------- */
static const struct outcome *first_of(const struct batch *b, enum outcome_kind kind) {
    for (unsigned k = 0; k < b->count; k++)
        if (b->outcomes[k].kind == kind) return &b->outcomes[k];
    return NULL;
}
void judge_findings(struct judge *j, json_t *result) {
    struct batch b;
    if (!batch_run(&b, j, CLEAN_PROBES, result)) return;
    char rest[200];
    json_t *findings = explained_findings(&b);
    const size_t n = judge_count_errors(findings), warnings = json_array_size(findings) - n;
    const unsigned more = not_run(&b, rest, sizeof rest);
    const struct outcome *setup = first_of(&b, OUTCOME_SETUP), *stopped = first_of(&b, OUTCOME_STOPPED);
    if (setup)
        result_setup(result, "%s", setup->message);
    else if (!b.count)
        result_skip(result, "no case of this check was selected");
    else if (!n && stopped)
        result_fail(result, "no finding, but a case did not finish: %.300s", stopped->message);
    else if (!n && more)
        result_fail(result, "none in %u case%s%s", b.count - more, b.count - more == 1 ? "" : "s", rest);
    else if (!n && warnings)
        result_pass(result, "no error in %u case%s, but %zu other finding%s", b.count, b.count == 1 ? "" : "s",
                    warnings, warnings == 1 ? "" : "s");
    else if (!n)
        result_pass(result, "none in %u case%s", b.count, b.count == 1 ? "" : "s");
    else {
        json_t *f = json_array_get(findings, 0), *at = json_object_get(f, "at");
        result_fail(result, "%zu finding%s; first: %s, %s:%lld", n, n == 1 ? "" : "s",
                    json_string_value(json_object_get(f, "title")), json_string_value(json_object_get(at, "file")),
                    (long long)json_integer_value(json_object_get(at, "line")));
        json_object_set(result, "replay", json_object_get(f, "replay"));
    }
    if (b.count && check_status_of(result) == STATUS_FAIL)
        result_share(result, 1.0 / (1 + (double)judge_count_causes(findings)));
    json_object_set_new(result, "findings", findings);
    batch_free(&b);
}
