/* The search for a fix. */
#include "fix/build.h"
#include "fix/fix.h"
#include "fix/loops.h"
#include "fix/near.h"
#include "fix/search.h"
#include "judge/case_large.h"
#include "judge/child.h"
#include "judge/special.h"
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Limits of the search: edits per batch and in total, cases, and simulated work. Counts do not depend on the machine,
 * so the result does not, either. */
enum {
    FIRST_BATCH = 192, /* small, because most fixes are among the likeliest edits */
    BATCH = 384,
    MIN_HALF = 128,       /* with fewer edits, a second compiler would only take longer to start */
    OPTIMIZED_BATCH = 96, /* small, because the optimizer's time grows faster than the text */
    SLOW_BATCH = 64,      /* batch size for edits that are compiled one text at a time */
    MAX_SLOW = 192,
    MAX_OPTIMIZED = 384, /* few, because the compiler copies each edit in the loops that it unrolls */
    /* If at least FEW_HELP edits help, and more than one in eight of all edits do, almost any change hides the error.
     * The trial then proves nothing. */
    SUSPICIOUS = 8,
    FEW_HELP = 4,
    FEW_TRIED = 192,   /* the first edits are the likeliest, so they count as this many */
    MAX_TOKENS = 8000, /* longer files, which no lab needs, get no fix: each edit would be expensive */
    MAX_TRIED = 2048,
    MAX_GENERAL = 1152, /* edits that no rule suggests */
    /* Maximum number of wrong and correct cases. */
    QUICK_WRONG = 12,
    QUICK_RIGHT = 6,
    /* Warp-instructions for each half of the search. */
    HALF_WORK = 1 << 24,
    MORE_WORK = 1 << 20, /* extra work, granted once, for edits that are likelier than the best one */
    NEARLY = 10          /* how many ranks to search beyond an edit that corrects all cases */
};

/* ---- edits and their order ---------------------------------------------------------------------------- */
/* Adds the edits of the rules for the kernel and the functions that it calls. */
static void add_edits(struct edit_list *l, const char *kernel, void rules(struct edit_list *, int32_t)) {
    const struct source *s = l->source;
    for (int32_t f = 0; f < s->functions; f++)
        if (source_reaches(s, kernel, f)) rules(l, f);
}
static int by_rank(const void *a, const void *b) {
    const struct ranked *x = a, *y = b;
    if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
    return x->edit < y->edit ? -1 : x->edit > y->edit;
}
static const unsigned shown_with[FIX_CAUSES] = {
#define CAUSE(id, symptoms, meaning, idea) symptoms,
#include "fix/causes.def"
#undef CAUSE
};
/* Returns whether the edit may correct the error. If only large cases are wrong, this requires an edit for a mistake
 * that only large cases show, or for a block that waits for a block that has not started. */
static bool is_possible(const struct edit *e, unsigned shows) {
    if (shows & SHOWS_LARGE && !(shown_with[e->cause] & shows & (SHOWS_LARGE | SHOWS_RESIDENCY))) return false;
    return !(shown_with[e->cause] & ONLY) || (shown_with[e->cause] & shows);
}
static unsigned rank_of(const struct edit *e, const struct nearness *near, unsigned shows) {
    static const unsigned by_distance[] = {0, 1, 4, 14};
    /* Edits for this cause cannot make the kernel end, so each trial of them takes long. */
    const bool late = shows & SHOWS_ENDLESS & ~shown_with[e->cause];
    const unsigned rank = 10 * (e->cost + late) + (shown_with[e->cause] & shows ? 0 : 10);
    return e->cost ? rank + by_distance[nearness_of(near, e->line)] : 0;
}

/* ---- running the edits on two threads --------------------------------------------------------------------- */
struct half {
    struct trial *trial;
    const struct trial_outcome *before;
    struct edit **edit;
    struct trial_outcome *outcome;
    bool *compiled;
    unsigned count, probe;
    const char *kernel;
    uint64_t *left;
    bool shows; /* the error also occurs in a quick trial */
};
static void *run_half(void *context) {
    struct half *h = context;
    h->shows = trial_run(h->trial, h->before, h->edit, h->count, h->probe, h->kernel, h->outcome, h->compiled, h->left);
    return NULL;
}
/* Returns how many of the edits the first thread tries. */
static unsigned first_half(unsigned count) { return count < 2 * MIN_HALF ? 0 : count / 2; }
/* Tries all edits. Returns false if the quickly compiled code does not show the error. */
static bool run_all(struct trial *t, const struct trial_outcome *before, struct edit **edit, unsigned count,
                    unsigned probe, const char *kernel, struct trial_outcome *outcome, bool *compiled,
                    uint64_t left[2]) {
    const unsigned first = first_half(count);
    struct half a = {t, before, edit, outcome, compiled, first, probe, kernel, &left[0], true},
                b = {t,      before,   edit + first, outcome + first, compiled + first, count - first, probe,
                     kernel, &left[1], true};
    pthread_t other;
    if (!first) left[1] += left[0]; /* one thread has the work of both */
    const bool two = first && !pthread_create(&other, NULL, run_half, &a);
    run_half(&b);
    if (two)
        pthread_join(other, NULL);
    else if (first)
        run_half(&a);
    if (!first) left[0] = left[1] - left[1] / 2, left[1] /= 2;
    return a.shows && b.shows;
}

/* ---- the search --------------------------------------------------------------------------------------------- */
bool search_case_of(const struct judge *j, const char *replay, struct grade_case *c) {
    const char *at = replay ? strstr(replay, "--case ") : NULL;
    char name[160];
    if (!at) return false;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(at + 7, " "), at + 7);
    if (strstr(name, "/special=")) /* the message may lack some special values; the case also fails without them */
        *strstr(name, "/special=") = 0;
    if (!case_parse(j->lab, name, c)) return false;
    c->seed = j->options->seed;
    return special_complete(j, c);
}
/* Finds the case whose variant and kernel the search uses. A failed check names it. Prefers a case that runs all of its
 * blocks: if one exists, the mistake is not limited to large inputs. If no check failed, uses the case of a warning,
 * and sets *strict. */
static bool failed_case(const struct judge *j, const json_t *tests, struct grade_case *c, bool *strict) {
    struct grade_case own;
    size_t k;
    json_t *t;
    bool known = false;
    *strict = false;
    json_array_foreach((json_t *)tests, k, t) {
        if (check_status_of(t) != STATUS_FAIL || !search_case_of(j, fix_text(t, "replay"), &own)) continue;
        if (!known || (case_is_sampled(c) && !case_is_sampled(&own))) *c = own;
        known = true;
    }
    if (known) return true;
    *strict = true;
    json_array_foreach((json_t *)tests, k, t) {
        const json_t *f = json_array_get(json_object_get(t, "findings"), 0);
        if (f && search_case_of(j, json_string_value(json_object_get(f, "replay")), c)) return true;
    }
    return false;
}
static bool is_wrong_here(const struct trial *t, const struct trial_outcome *o, unsigned k) {
    return trial_is_of_kernel(t, k) && !o->is_right[k];
}
unsigned search_first_wrong(const struct trial *t, const struct trial_outcome *o) {
    uint64_t least = UINT64_MAX;
    unsigned at = UINT_MAX;
    for (unsigned k = 0; k < t->count; k++)
        if (is_wrong_here(t, o, k) && o->work_of[k] < least) least = o->work_of[k];
    for (unsigned k = 0; k < t->count; k++) {
        const bool little = is_wrong_here(t, o, k) && o->work_of[k] <= least + least / 2;
        if (little && (at == UINT_MAX || t->cases[k].n > t->cases[at].n)) at = k;
    }
    return at;
}
const char *search_alone(const struct search *x) {
    return x->failed.kernel->finish == FINISH_ARRAYS ? NULL : x->kernel;
}
static void keep(struct search *x, struct edit *e, const struct trial_outcome *now) {
    unsigned place = x->found < FOUND ? x->found++ : FOUND;
    const struct helpful one = helpful_of(&x->source, e, now);
    for (; place > 0 && helpful_is_better(&one, &x->best[place - 1], true); place--)
        if (place < FOUND) x->best[place] = x->best[place - 1];
    if (place < FOUND) x->best[place] = one;
}
/* Returns whether an edit that is no fix improves a case: the result becomes correct, or the errors are gone. The file
 * may have several mistakes. */
static bool is_near(const struct search *x, const struct trial_outcome *now) {
    const unsigned k = x->probe;
    return now->run && (now->right || (now->is_result_right[k] && !x->before.is_result_right[k]) ||
                        (!now->has_error[k] && x->before.has_error[k]));
}
/* Keeps an edit that improves a case. Edits that are `proven` come first, then edits with a low cost. */
static void keep_near(struct search *x, const struct edit *e, const struct trial_outcome *now, bool proven) {
    unsigned place = x->nears < NEAR ? x->nears++ : NEAR;
    const unsigned right = now->right, k = x->probe;
    const struct near_edit one = {(unsigned)(e - x->edits.item), proven ? 0 : e->cost, right,
                                  now->is_result_right[k] && !x->before.is_result_right[k] && now->has_error[k]};
    for (const struct near_edit *n; place > 0; place--) {
        n = &x->near[place - 1];
        if (n->cost < one.cost || (n->cost == one.cost && n->right >= right)) break;
        if (place < NEAR) x->near[place] = x->near[place - 1];
    }
    if (place < NEAR) x->near[place] = one;
}
/* Tries `count` edits on two threads, which take turns in the order of rank. `nearer` says whether the edits are
 * similar to one that helps. Returns false if the quickly compiled code does not show the error. */
static bool try_batch(struct search *x, const struct ranked *order, unsigned count, bool nearer) {
    struct edit *dealt[BATCH];
    struct trial_outcome *outcome = calloc(BATCH, sizeof *outcome);
    bool compiled[BATCH] = {false};
    const unsigned half = first_half(count);
    for (unsigned k = 0; k < count; k++) dealt[!half ? k : k % 2 ? k / 2 : half + k / 2] = order[k].edit;
    bool shows =
        !outcome || run_all(&x->trial, &x->before, dealt, count, x->probe, search_alone(x), outcome, compiled, x->left);
    unsigned helpful = 0;
    for (unsigned k = 0; outcome && k < count; k++)
        if (compiled[k] && edit_is_proven(&x->trial, dealt[k], &x->before, &outcome[k]))
            keep(x, dealt[k], &outcome[k]), keep_near(x, dealt[k], &outcome[k], true), helpful++;
        else if (compiled[k] && is_near(x, &outcome[k]))
            keep_near(x, dealt[k], &outcome[k], false);
    /* If too many edits help, the trial proves nothing. Edits similar to a helpful one are expected to help. */
    const unsigned first = x->likely < FEW_TRIED ? x->likely : FEW_TRIED, among = count < first ? first : count;
    if (x->trial.quick && !nearer && helpful >= FEW_HELP && SUSPICIOUS * helpful > among) shows = false, x->found = 0;
    for (unsigned k = 0; outcome && k < count; k++) trial_outcome_free(&outcome[k]);
    free(outcome);
    if (shows) x->tried += count;
    return shows;
}
/* Counts the operators and types in the lab's cases. */
static void count_variants(const struct lab *lab, unsigned *operators, unsigned *types) {
    uint32_t op = 0, type = 0;
    for (unsigned k = 0; k < VARIANT_COUNT; k++)
        if (lab->variants >> k & 1) op |= 1u << variant_at(k).op, type |= 1u << variant_at(k).type;
    *operators = (unsigned)__builtin_popcount(op), *types = (unsigned)__builtin_popcount(type);
}
/* Returns whether results are wrong only for some operators or for some types. */
static bool is_of_some_variants(const struct lab *lab, const json_t *tests) {
    unsigned operators, types;
    size_t k, n, most[2] = {0, 0};
    json_t *t, *c;
    count_variants(lab, &operators, &types);
    json_array_foreach((json_t *)tests, k, t) json_array_foreach(json_object_get(t, "classes"), n, c) {
        const size_t of_operators = json_array_size(json_object_get(c, "operators")),
                     of_types = json_array_size(json_object_get(c, "types"));
        if (of_operators > most[0]) most[0] = of_operators;
        if (of_types > most[1]) most[1] = of_types;
    }
    return most[0] && (most[0] < operators || most[1] < types);
}
/* Moves the edits that may be better than `best` to the front. Returns their number. These are edits up to rank `rank`
 * with a lower cost, smaller edits with at most the same cost, edits that insert the same statement elsewhere, parts of
 * `best`, and edits whose cause is preferred. */
static unsigned nearer_first(const struct source *s, const struct edit *best, struct ranked *order, unsigned count,
                             unsigned rank) {
    unsigned nearer = 0;
    for (unsigned k = 0; k < count; k++) {
        const struct ranked one = order[k];
        const bool smaller = (one.edit->cost <= best->cost && edit_size(s, one.edit) < edit_size(s, best)) ||
                             edit_is_preferred(one.edit, best) || edit_includes(best, one.edit);
        if ((one.rank > rank || one.edit->cost >= best->cost) && !smaller && !edit_is_moved(best, one.edit)) continue;
        memmove(order + nearer + 1, order + nearer, (k - nearer) * sizeof *order);
        order[nearer++] = one;
    }
    return nearer;
}
unsigned search_rank(struct search *x, unsigned from, const struct trial_outcome *now, struct ranked order[]) {
    struct nearness near;
    const bool some_variants = !variant_commutes(x->failed.variant) || is_of_some_variants(x->judge->lab, x->tests);
    const unsigned shows =
        now->shows | (case_is_sampled(&x->failed) ? SHOWS_LARGE : 0) | (some_variants ? SHOWS_OPERATOR : 0);
    unsigned possible = 0;
    nearness_begin(&near, &x->source, &now->findings);
    for (unsigned k = from; k < x->edits.count; k++)
        if (is_possible(&x->edits.item[k], shows) &&
            /* elsewhere, the order of the operands does not matter */
            (x->failed.kernel->ordered || x->edits.item[k].cause != FIX_NEIGHBORS) &&
            edit_is_taught(&x->source, &x->edits.item[k], judge_taught(x->judge)))
            order[possible++] = (struct ranked){&x->edits.item[k], rank_of(&x->edits.item[k], &near, shows)};
    qsort(order, possible, sizeof *order, by_rank);
    nearness_end(&near);
    return possible;
}
/* Tries at most `most` edits from index `from` on, in the order of their ranks, until one that corrects all cases is
 * confirmed. */
static json_t *try_all(struct search *x, unsigned from, unsigned most) {
    struct ranked *order = calloc(x->edits.count + 1, sizeof *order);
    const unsigned possible = order ? search_rank(x, from, &x->before, order) : 0;
    for (x->likely = from ? x->likely : 0; order && !from && x->likely < possible && x->likely < LIKELIEST; x->likely++)
        x->likeliest[x->likely] = (unsigned)(order[x->likely].edit - x->edits.item);
    const unsigned all = possible < most ? possible : most;
    json_t *fix = NULL;
    unsigned optimized = 0; /* edits that were tried in optimized code */
    bool looked = false;    /* whether an earlier batch had an edit that corrects all cases */
    for (unsigned at = 0, n = 0, nearer = 0, farthest = 0; order && at < all && (!fix || fix_is_partial(fix));
         at += n) {
        n = nearer ? nearer : all - at;
        const unsigned room = !x->trial.quick      ? SLOW_BATCH
                              : x->trial.optimized ? OPTIMIZED_BATCH / (looked ? 3 : 1)
                              : at || from         ? BATCH
                                                   : FIRST_BATCH;
        if (n > room) n = room;
        if (!try_batch(x, order + at, n, nearer > 0)) {
            /* Retry with optimized code. If the error still does not show, retry with separately compiled edits. */
            x->trial.quick = !x->trial.optimized, x->trial.optimized = true, n = 0;
            continue;
        }
        const bool used_up = !x->left[0] || !x->left[1];
        const bool whole = x->found && x->best[0].right == x->trial.count;
        if (whole && !farthest) farthest = order[at + n - 1].rank + NEARLY;
        const bool enough =
            looked &&
            x->trial.optimized; /* one more batch of optimized code has been tried; another would take too long */
        looked = whole;
        nearer =
            whole && !enough ? nearer_first(&x->source, x->best[0].edit, order + at + n, all - at - n, farthest) : 0;
        if (used_up && nearer && !x->extended) x->left[0] = x->left[1] = MORE_WORK, x->extended = true;
        if (x->trial.quick && x->trial.optimized) optimized += n;
        const bool many = optimized >= MAX_OPTIMIZED || (!x->trial.quick && x->tried >= MAX_SLOW),
                   done = at + n == all || !x->left[0] || !x->left[1] || many;
        if (x->found && (done || (whole && !nearer))) fix = fix_better_of(fix, search_confirm(x));
        if (done) break;
    }
    free(order);
    return fix;
}
/* Tries edits that no rule suggests. */
static json_t *try_general(struct search *x) {
    const unsigned from = x->edits.count;
    if (case_is_sampled(&x->failed)) return NULL;
    add_edits(&x->edits, x->kernel, rules_general);
    x->left[0] = x->left[1] = HALF_WORK / 2, x->extended = false, x->found = 0;
    return try_all(x, from, MAX_GENERAL);
}
/* Checks a second time the obvious edits that correct the result in a quick trial but add an error. The error may be in
 * a load whose value is unused, which only quickly compiled code contains. */
static json_t *try_with_errors(struct search *x) {
    enum { MOST = 4 };
    struct edit *e[MOST];
    unsigned count = 0;
    for (unsigned k = 0; k < x->nears && count < MOST; k++)
        if (x->near[k].has_errors && x->near[k].cost == 1) e[count++] = &x->edits.item[x->near[k].edit];
    return x->trial.quick && count && search_begin_looks(x) ? search_look_again(x, e, count) : NULL;
}
/* Returns whether any test has a warning, a finding that costs no points. */
static bool has_warning(const json_t *tests) {
    size_t k, n;
    json_t *t, *f;
    json_array_foreach((json_t *)tests, k, t) json_array_foreach(json_object_get(t, "findings"), n, f) {
        const char *severity = json_string_value(json_object_get(f, "severity"));
        if (severity && !strcmp(severity, finding_severity_word(FINDING_WARNING))) return true;
    }
    return false;
}
/* Prepares the cases of the quick trial. Sets x->probe to UINT_MAX if none of them is wrong. */
static void begin(struct search *x) {
    trial_begin(&x->trial, x->judge, x->tests, &x->failed, x->strict, 1u << variant_index(x->failed.variant),
                &x->source, true);
    trial_baseline(&x->trial, &x->before);
    trial_thin(&x->trial, &x->before, QUICK_WRONG, QUICK_RIGHT);
    x->probe = search_first_wrong(&x->trial, &x->before);
    if (x->probe != UINT_MAX || x->strict) return;
    trial_extend(&x->trial, &x->failed, &x->before); /* larger launches may show the error */
    x->probe = search_first_wrong(&x->trial, &x->before);
}
/* Drops a fix that leaves cases wrong and removes no finding, unless its edit is an obvious one. Another value in an
 * unlikely place often makes many results right by chance. */
static json_t *without_chance(json_t *fix) {
    const bool chance = fix_is_partial(fix) && json_is_true(json_object_get(fix, "unlikely")) &&
                        !json_array_size(json_object_get(fix, "findings"));
    if (!chance) return fix;
    json_decref(fix);
    return NULL;
}
static json_t *search(struct judge *j, const void *context) {
    struct search *x = calloc(1, sizeof *x);
    json_t *result = json_object(), *fix = NULL;
    if (!x) return result;
    x->judge = j, x->tests = context;
    const bool known = failed_case(j, x->tests, &x->failed, &x->strict);
    if (known && source_parse(&x->source, j->student.text.source_text, j->options->solution) &&
        x->source.tokens <= MAX_TOKENS) {
        x->kernel = x->failed.kernel->name, x->edits.source = &x->source;
        begin(x);
        if (x->probe == UINT_MAX && !x->strict &&
            j->lab->variants & 1) /* the case may need special values, or be a product that is always 0 */
            x->failed.variant = variant_at(0), begin(x);
        /* The wrong cases are too large for a trial. A warning may have the same cause as the wrong results. */
        if (x->probe == UINT_MAX && !x->strict && has_warning(x->tests)) x->strict = true, begin(x);
        x->left[0] = x->left[1] = HALF_WORK;
        add_edits(&x->edits, x->kernel, rules_all);
        if (x->probe != UINT_MAX) fix = try_all(x, 0, MAX_TRIED);
        if (x->probe != UINT_MAX && !fix) fix = try_with_errors(x);
        if (x->probe != UINT_MAX && (!fix || fix_is_partial(fix))) fix = fix_better_of(fix, try_general(x));
        fix = without_chance(fix);
        /* Sampled cases take too long for more trials, and few edits are for mistakes that only they show. */
        const bool several = x->probe != UINT_MAX && !case_is_sampled(&x->failed);
        if (several && !fix) fix = search_pairs(x, true);
        if (several && !fix) fix = without_chance(search_first_of_several(x));
        if (several && !fix) fix = without_chance(search_pairs(x, false));
        if (fix && !fix_is_partial(fix) && !x->strict) search_note_remains(x, fix);
    }
    if (fix) json_object_del(fix, "unlikely"), json_object_set_new(result, "fix", fix);
    edit_list_free(&x->edits), edit_list_free(&x->passed);
    source_free(&x->source);
    free(x->of_one), free(x->of_all), free(x);
    return result;
}
void fix_search(struct judge *j, json_t *record) {
    char how[256];
    enum child_end end;
    const json_t *tests = json_object_get(record, "tests"),
                 *errors = json_object_get(json_object_get(record, "build"), "errors");
    const struct compiled *text = &j->student.text;
    const enum grade_end of = grade_end_of(record);
    const bool build = of == END_BUILD && text->source_text && !text->stopped && json_array_size(errors),
               wrong = of == END_PARTIAL || (of == END_FULL && has_warning(tests));
    if ((!build && !wrong) || j->own) return;
    json_t *found = child_run(j, build ? build_search : search, build ? errors : tests, &end, how, sizeof how),
           *fix = json_object_get(found, "fix");
    if (fix) json_object_set(record, "fix", fix);
    json_decref(found);
}
