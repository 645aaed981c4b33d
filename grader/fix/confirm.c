/* Checks the best edits of the search again, compiled like a graded submission, with several operators and types and
 * longer launches. */
#include "fix/near.h"
#include "fix/search.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* Limits for each check: wrong cases, correct cases, and warp-instructions. */
    SURE_WRONG = 32,
    SURE_RIGHT = 16,
    SURE_WORK = 1 << 23,
    LOOKS = 3,     /* maximum number of groups of edits to check */
    MAX_LOOKS = 6, /* checks in several variants */
    AT_CALLS = 2   /* edits that are tried as a parameter (edit_as_parameter()) */
};
/* Returns the set of variants for which a fix must work. */
static uint32_t others(const struct judge *j, struct variant v) {
    /* sums of i32, i64 and f32, products of i32, minima of i64, and affine maps, which do not commute */
    static const uint32_t wanted =
        1u << 0 | 1u << 2 | 1u << 3 | 1u << 5 | 1u << 12 | 1u << SCALAR_VARIANTS | 1u << (OWN_VARIANT - 2);
    /* What is right for a minimum may be wrong for a maximum, and only floats have a NaN. */
    struct variant other = v;
    if (v.op == REDUCE_OP_ARGMIN || v.op == REDUCE_OP_ARGMAX) {
        other.op = v.op == REDUCE_OP_ARGMIN ? REDUCE_OP_ARGMAX : REDUCE_OP_ARGMIN;
        other.type = v.type == REDUCE_TYPE_I32 ? REDUCE_TYPE_F32 : REDUCE_TYPE_I32;
    }
    return (j->lab->variants & (wanted | 1u << variant_index(other))) | 1u << variant_index(v);
}
/* Returns whether this kernel and another one both call the function. If `function` is -1, any function of the file
 * counts. */
static bool is_shared(const struct search *x, int32_t function) {
    const struct source *s = &x->source;
    char other[80];
    for (int32_t k = 0; k < s->functions; k++) {
        if (!s->function[k].is_kernel || source_is(s, s->function[k].name.first, x->kernel)) continue;
        source_copy(s, s->function[k].name, other, sizeof other);
        for (int32_t f = 0; f < s->functions; f++)
            if ((function < 0 || f == function) && !s->function[f].is_kernel && source_reaches(s, x->kernel, f) &&
                source_reaches(s, other, f))
                return true;
    }
    return false;
}
static void drop(struct search *x, unsigned at) {
    for (x->found--; at < x->found; at++) x->best[at] = x->best[at + 1];
}
/* Removes the best edits from x->best and returns their number. At first, takes at most two edits per line and three
 * per cause: edits that help by chance often share a place or a cause. */
static unsigned take_best(struct search *x, struct edit *e[BEST]) {
    unsigned count = 0;
    for (unsigned most = 2; most <= BEST; most += BEST - 2)
        for (unsigned k = 0; k < x->found && count < BEST;) {
            unsigned same = 0, alike = 0;
            for (unsigned n = 0; n < count; n++)
                same += e[n]->line == x->best[k].edit->line, alike += e[n]->cause == x->best[k].edit->cause;
            if (same < most && alike <= most)
                e[count++] = x->best[k].edit, drop(x, k);
            else
                k++;
        }
    return count;
}
/* Begins a trial of the variants. Its edits are compiled like a graded submission. Returns NULL if out of memory. */
static struct look *look_begin(struct search *x, uint32_t variants) {
    struct look *l = calloc(1, sizeof *l);
    if (!l) return NULL;
    trial_begin(&l->trial, x->judge, x->tests, &x->failed, x->strict, variants, &x->source, false);
    trial_baseline(&l->trial, &l->before);
    trial_thin(&l->trial, &l->before, SURE_WRONG, SURE_RIGHT);
    trial_extend(&l->trial, &x->failed, &l->before);
    return l;
}
/* Tries the edits with the variants of `l`. Moves the edits that are fixes to the front of `e`, the best one first, and
 * returns their number. Sets *report to the best fix's report, or to NULL. */
static unsigned look(struct search *x, struct look *l, struct edit *e[], unsigned count, const char *kernel,
                     json_t **report) {
    struct trial *t = &l->trial;
    const unsigned probe = search_first_wrong(t, &l->before);
    struct trial_outcome now[BEST];
    bool compiled[BEST];
    struct helpful best[BEST];
    unsigned fixes = 0, winner = 0;
    uint64_t left = SURE_WORK;
    struct nearness near;
    *report = NULL;
    if (probe == UINT_MAX) return 0;
    nearness_begin(&near, &x->source, &l->before.findings);
    trial_run(t, &l->before, e, count, probe, kernel, now, compiled, &left);
    for (unsigned k = 0; k < count; k++) {
        struct helpful one = helpful_of(&x->source, e[k], &now[k]);
        unsigned place = fixes;
        one.far = nearness_of(&near, e[k]->line);
        one.spares = x->others_right && !is_shared(x, e[k]->function);
        if (!compiled[k] || !edit_is_proven(t, e[k], &l->before, &now[k])) continue;
        for (fixes++; place > 0 && helpful_is_better(&one, &best[place - 1], false); place--)
            best[place] = best[place - 1];
        best[place] = one;
        if (!place) winner = k;
    }
    nearness_end(&near);
    if (fixes) *report = fix_record(x, t, e[winner], &l->before, &now[winner]), x->last = *e[winner];
    for (unsigned k = 0; k < count; k++) trial_outcome_free(&now[k]);
    for (unsigned k = 0; k < fixes; k++) e[k] = best[k].edit;
    return fixes;
}
bool fix_is_partial(const json_t *fix) { return json_integer_value(json_object_get(fix, "left")) > 0; }
json_t *fix_better_of(json_t *fix, json_t *other) {
    const bool better = !fix || (fix_is_partial(fix) && other && !fix_is_partial(other));
    json_decref(better ? fix : other);
    return better ? other : fix;
}
/* One check runs in the variant in which the edits were found, the other in all variants for which a fix must work. An
 * edit that helps only one type or operator is not a fix. */
bool search_begin_looks(struct search *x) {
    if (x->of_all) return true;
    x->of_one = look_begin(x, 1u << variant_index(x->failed.variant));
    x->of_all = look_begin(x, others(x->judge, x->failed.variant));
    if (!x->of_one || !x->of_all) return false;
    const unsigned own = x->of_all->trial.count;
    x->shares = is_shared(x, -1);
    if (x->shares) trial_add_others(&x->of_all->trial, &x->of_all->before);
    x->others_right = x->of_all->trial.count > own;
    return true;
}
/* Tries an edit of a function that other kernels call, too, so that it affects only this kernel's calls. Returns a
 * report if that is a fix, otherwise NULL. */
static json_t *look_at_calls(struct search *x, const struct edit *e) {
    json_t *report = NULL;
    x->passed.source = &x->source;
    if (!is_shared(x, e->function) || !edit_as_parameter(&x->passed, e, x->kernel)) return NULL;
    look(x, x->of_all, (struct edit *[]){&x->passed.item[x->passed.count - 1]}, 1, NULL, &report);
    return report;
}
/* Each variant takes as long to compile as the first, so several edits are compared in one variant. Then the best edit
 * is checked in all variants and, if it fails there, the next one. */
json_t *search_look_again(struct search *x, struct edit *e[], unsigned count) {
    const char *kernel = x->shares ? NULL : search_alone(x);
    json_t *fix = NULL, *report;
    unsigned fixes = count, step = 1;
    if (count > 1 && search_first_wrong(&x->of_one->trial, &x->of_one->before) == UINT_MAX) step = count;
    if (count > 1 && step == 1) fixes = look(x, x->of_one, e, count, search_alone(x), &report), json_decref(report);
    for (unsigned k = 0; k < fixes && x->looks < MAX_LOOKS && (!fix || fix_is_partial(fix)); k += step) {
        x->looks++, look(x, x->of_all, e + k, step, kernel, &report);
        const struct edit last = x->last;
        json_t *better = fix_better_of(fix, report);
        if (better && better == report) x->fixed = last;
        fix = better;
    }
    for (unsigned k = 0; k < count && k < AT_CALLS && !fix; k++)
        if ((fix = look_at_calls(x, e[k]))) x->fixed = x->last;
    return fix;
}
json_t *search_confirm(struct search *x) {
    struct edit *e[BEST];
    json_t *fix = NULL;
    if (!search_begin_looks(x)) return NULL;
    for (unsigned k = 0; k < LOOKS && x->found && (!fix || fix_is_partial(fix)); k++) {
        const struct edit fixed = x->fixed;
        json_t *more = search_look_again(x, e, take_best(x, e)), *better = fix_better_of(fix, more);
        if (better != more) x->fixed = fixed;
        fix = better;
    }
    return fix;
}
