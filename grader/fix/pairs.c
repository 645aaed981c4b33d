/* Files with two mistakes: tries pairs of edits. The pairs are compiled together and selected at run time. */
#include "fix/search.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    EASY = 3,                                     /* wrong cases on which edits run alone */
    MAX_UNIT = MAX_CANDIDATES + NEAR + LIKELIEST, /* edits that are compiled together */
    FIRSTS = 8,                                   /* edits that are paired with each of the likeliest edits */
    MAX_PAIRS = MAX_OWN * MAX_OWN / 2 + FIRSTS * LIKELIEST,
    MAX_COSTS = 4,       /* maximum sum of the costs of a pair */
    PAIRS_WORK = 1 << 22 /* warp-instructions for each half of the pairs */
};
struct pairs {
    struct edit *edit[MAX_UNIT];
    unsigned edits;
    struct edit_pair pair[MAX_PAIRS];
    unsigned count;
};
/* Returns whether both edits can be made: their changes do not overlap and fit into one edit. */
static bool merges(const struct edit *a, const struct edit *b) {
    if (a->parts + b->parts > EDIT_PARTS) return false;
    for (unsigned k = 0; k < a->parts; k++)
        for (unsigned n = 0; n < b->parts; n++) {
            const struct edit_part *x = &a->part[k], *y = &b->part[n];
            if (x->at < y->at + y->removed + !y->removed && y->at < x->at + x->removed + !x->removed) return false;
        }
    return true;
}
static void add_pair(struct pairs *p, unsigned first, unsigned second, unsigned costs) {
    const struct edit *a = p->edit[first], *b = p->edit[second];
    if (p->count < MAX_PAIRS && a != b && a->cost + b->cost == costs && merges(a, b))
        p->pair[p->count++] = (struct edit_pair){first, second};
}
/* Adds an edit, unless the list already has it. Returns its index. */
static unsigned add_edit(struct pairs *p, struct edit *e) {
    for (unsigned k = 0; k < p->edits; k++)
        if (p->edit[k] == e) return k;
    p->edit[p->edits] = e;
    return p->edits++;
}
/* Returns whether the edit alone corrects all cases of the quick trial. The final check has then refuted it. */
static bool is_refuted(const struct search *x, const struct edit *e) {
    for (unsigned k = 0; k < x->nears; k++)
        if (&x->edits.item[x->near[k].edit] == e) return x->near[k].right == x->trial.count;
    return false;
}
/* An edit that improves cases without a second edit: its index, its cost, and how many cases it improves. */
struct useful {
    unsigned edit, cost, right;
};
static int by_use(const void *a, const void *b) {
    const struct useful *x = a, *y = b;
    if (x->cost != y->cost) return x->cost < y->cost ? -1 : 1;
    if (x->right != y->right) return x->right > y->right ? -1 : 1;
    return x->edit < y->edit ? -1 : x->edit > y->edit;
}
/* A case of the trial: its index, and its size, by which cases are sorted. */
struct sized {
    unsigned index;
    uint64_t size;
};
static int by_case_size(const void *a, const void *b) {
    const struct sized *x = a, *y = b;
    if (x->size != y->size) return x->size < y->size ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}
/* Limits the trial to the wrong cases with the fewest elements, where the other mistake may not matter. */
static void keep_easy(struct trial *t, struct trial_outcome *before) {
    struct sized sorted[TRIAL_CASES];
    unsigned chosen[EASY], count = 0;
    for (unsigned k = 0; k < t->count; k++)
        if (trial_is_of_kernel(t, k) && !before->is_right[k]) sorted[count++] = (struct sized){k, t->cases[k].n};
    qsort(sorted, count, sizeof *sorted, by_case_size);
    if (count > EASY) count = EASY;
    for (unsigned k = 0; k < count; k++) chosen[k] = sorted[k].index;
    trial_select(t, before, chosen, count);
}
/* Sorts the cases of the trial: wrong ones first, and those with few elements and threads before others. Most pairs
 * fail in the first cases. */
static void sort_cases(struct trial *t, struct trial_outcome *before) {
    enum { OF_A_THREAD = 4, RIGHT = 1 << 30 };
    struct sized sorted[TRIAL_CASES];
    unsigned chosen[TRIAL_CASES];
    for (unsigned k = 0; k < t->count; k++) {
        const uint64_t blocks = t->cases[k].grid ? t->cases[k].grid : 1, threads = blocks * t->cases[k].block;
        sorted[k] = (struct sized){k, t->cases[k].launches * (t->cases[k].n + OF_A_THREAD * threads)};
        if (before->is_right[k]) sorted[k].size += RIGHT;
    }
    qsort(sorted, t->count, sizeof *sorted, by_case_size);
    for (unsigned k = 0; k < t->count; k++) chosen[k] = sorted[k].index;
    trial_select(t, before, chosen, t->count);
}
/* Runs each edit alone on the easy cases. Stores the edits that correct a result or remove errors, the cheapest first.
 * Returns their number. */
static unsigned useful_of(const struct search *x, struct pairs *p, struct useful useful[MAX_UNIT]) {
    struct trial *t = malloc(sizeof *t);
    struct trial_outcome *before = malloc(sizeof *before), *now = calloc(MAX_UNIT, sizeof *now);
    bool compiled[MAX_UNIT] = {false};
    uint64_t left = PAIRS_WORK;
    unsigned count = 0;
    if (t && before && now) {
        *t = x->trial, *before = x->before, t->every = true;
        keep_easy(t, before);
        if (t->count) trial_run(t, before, p->edit, p->edits, 0, search_alone(x), now, compiled, &left);
    }
    for (unsigned k = 0; now && k < p->edits; k++) {
        struct useful one = {k, p->edit[k]->cost, 0};
        for (unsigned c = 0; c < now[k].run; c++)
            one.right += (now[k].is_result_right[c] && !before->is_result_right[c]) +
                         (!now[k].has_error[c] && before->has_error[c]);
        if (one.right && compiled[k]) useful[count++] = one;
        trial_outcome_free(&now[k]);
    }
    qsort(useful, count, sizeof *useful, by_use);
    free(t), free(before), free(now);
    return count;
}
/* Collects the edits that are useful alone, then those that may correct one of several mistakes. */
static unsigned own_of(const struct search *x, struct pairs *p, struct edit *own[MAX_OWN]) {
    struct edit *candidate[MAX_CANDIDATES];
    struct useful useful[MAX_UNIT];
    unsigned evident, count = 0;
    const unsigned candidates = search_candidates(x, candidate, &evident);
    for (unsigned k = 0; k < candidates; k++)
        if (!is_refuted(x, candidate[k])) add_edit(p, candidate[k]);
    for (unsigned k = 0; k < x->nears; k++)
        if (x->near[k].cost < MAX_COSTS && x->near[k].right < x->trial.count)
            add_edit(p, &x->edits.item[x->near[k].edit]);
    const unsigned first = p->edits;
    for (unsigned k = 0; k < x->likely; k++) {
        struct edit *e = &x->edits.item[x->likeliest[k]];
        if (!is_refuted(x, e)) add_edit(p, e);
    }
    const unsigned found = useful_of(x, p, useful);
    for (unsigned k = 0; k < found && count < MAX_OWN - MAX_ORDERS; k++) own[count++] = p->edit[useful[k].edit];
    for (unsigned k = first; k-- > 0 && count < MAX_OWN;) {
        bool known = false;
        for (unsigned n = 0; n < found; n++) known |= useful[n].edit == k;
        if (!known) own[count++] = p->edit[k];
    }
    return count;
}
struct half {
    struct trial trial;
    struct trial_outcome before;
    struct search *x;
    struct pairs *pairs;
    struct trial_outcome *outcome;
    bool compiled[MAX_UNIT];
};
static void *run_half(void *context) {
    struct half *h = context;
    uint64_t left = PAIRS_WORK;
    sort_cases(&h->trial, &h->before);
    trial_run(&h->trial, &h->before, h->pairs->edit, h->pairs->edits, search_first_wrong(&h->trial, &h->before),
              search_alone(h->x), h->outcome, h->compiled, &left);
    return NULL;
}
/* Runs the pairs on two threads and compares them with the outcome `before`. */
static void run(struct search *x, struct pairs *p, const struct trial_outcome *before, struct trial_outcome *outcome) {
    struct half *half = calloc(2, sizeof *half);
    pthread_t other;
    if (!half) return;
    for (unsigned k = 0; k < 2; k++) {
        half[k].trial = x->trial, half[k].before = *before, half[k].x = x, half[k].pairs = p;
        half[k].trial.pair = p->pair + k * p->count / 2, half[k].outcome = outcome + k * p->count / 2;
        half[k].trial.pairs = (k + 1) * p->count / 2 - k * p->count / 2;
        half[k].trial.after = before != &x->before;
    }
    const bool two = half[0].trial.pairs && !pthread_create(&other, NULL, run_half, &half[0]);
    run_half(&half[1]);
    if (two)
        pthread_join(other, NULL);
    else if (half[0].trial.pairs)
        run_half(&half[0]);
    free(half);
}
/* Returns an edit with the changes of both and the cause of the first. Its texts belong to the two edits. */
static struct edit merged(const struct edit *a, const struct edit *b) {
    struct edit e = *a;
    for (unsigned k = 0; k < b->parts; k++) {
        unsigned at = e.parts++;
        for (; at > 0 && e.part[at - 1].at > b->part[k].at; at--) e.part[at] = e.part[at - 1];
        e.part[at] = b->part[k];
    }
    e.cost = a->cost + b->cost, e.hash = a->hash ^ b->hash << 1;
    if (b->function != a->function) e.function = -1;
    return e;
}
/* Runs the pairs and compares them with the outcome `before`. Checks the pairs that correct all cases a second
 * time. Returns the record's fix, or NULL. */
static json_t *try_pairs(struct search *x, struct pairs *p, const struct trial_outcome *before) {
    struct trial_outcome *outcome = calloc(p->count + 1, sizeof *outcome);
    struct edit best[BEST], *e[BEST], *second[BEST];
    unsigned found = 0;
    json_t *fix = NULL;
    if (!outcome || !p->count) return free(outcome), NULL;
    run(x, p, before, outcome);
    for (unsigned k = 0; k < p->count; k++) {
        if (outcome[k].right == x->trial.count && found < BEST) {
            best[found] = merged(p->edit[p->pair[k].first], p->edit[p->pair[k].second]);
            second[found] = p->edit[p->pair[k].second], e[found] = &best[found], found++;
        }
        trial_outcome_free(&outcome[k]);
    }
    free(outcome);
    if (found && search_begin_looks(x)) fix = search_look_again(x, e, found);
    for (unsigned k = 0; k < found && fix; k++) {
        char meaning[MEANING_SIZE];
        if (best[k].hash == x->fixed.hash)
            json_object_set_new(fix, "second",
                                json_pack("{s:i, s:s}", "line", (int)second[k]->line, "meaning",
                                          fix_meaning(&x->source, second[k], meaning)));
    }
    if (fix_is_partial(fix)) json_decref(fix), fix = NULL;
    return fix;
}
/* Moves the edits that are paired with each of the likeliest ones to the front. Half of them are useful, and half only
 * order threads or memory. Returns their number. */
static unsigned firsts_of(struct search *x) {
    unsigned count = x->owns < FIRSTS / 2 ? x->owns : FIRSTS / 2;
    for (unsigned k = count; k < x->owns && count < FIRSTS; k++) {
        struct edit *e = x->own[k];
        if (!cause_orders(e->cause)) continue;
        x->own[k] = x->own[count], x->own[count++] = e;
    }
    return count;
}
/* Returns whether pairs can be compiled together. With optimization, their compilation would take a minute. */
static bool can_pair(const struct search *x) { return x->trial.quick && !x->trial.optimized; }
json_t *search_pairs(struct search *x, bool useful) {
    struct pairs *p = calloc(1, sizeof *p), *tried = calloc(1, sizeof *tried);
    json_t *fix = NULL;
    if (p && tried && can_pair(x) && !x->strict) {
        if (useful) x->owns = own_of(x, p, x->own);
        const unsigned firsts = useful ? x->owns : firsts_of(x);
        for (unsigned k = 0; k < x->owns; k++) add_edit(tried, x->own[k]);
        for (unsigned k = 0; k < x->likely && firsts && !useful; k++) add_edit(tried, &x->edits.item[x->likeliest[k]]);
        for (unsigned costs = 0; costs <= MAX_COSTS; costs++)
            for (unsigned k = 0; k < firsts; k++)
                for (unsigned n = useful ? k + 1 : x->owns; n < tried->edits; n++) add_pair(tried, k, n, costs);
        fix = try_pairs(x, tried, &x->before);
    }
    free(p), free(tried);
    return fix;
}
json_t *search_second(struct search *x, struct edit *first, const struct trial_outcome *now) {
    struct ranked *order = calloc(x->edits.count + 1, sizeof *order);
    struct pairs *p = calloc(1, sizeof *p);
    json_t *fix = NULL;
    if (order && p && can_pair(x)) {
        const unsigned possible = search_rank(x, 0, now, order), index = add_edit(p, first);
        for (unsigned k = 0; k < possible && p->edits < MAX_UNIT; k++)
            if (order[k].edit != first && merges(first, order[k].edit))
                p->pair[p->count++] = (struct edit_pair){index, add_edit(p, order[k].edit)};
        fix = try_pairs(x, p, now);
    }
    free(order), free(p);
    return fix;
}
