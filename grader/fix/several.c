/* Files with several mistakes. If no single edit is a fix, finds an edit that is a first step. After a fix, finds what
 * is still wrong. */
#include "fix/search.h"
#include "judge/case_large.h"
#include "judge/example.h"
#include "judge/special.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_COST = 2, SEVERAL_WORK = 1 << 24 };
/* Returns whether the text alone shows the mistake, or the edit only replaces `<=` with `<` or a number with
 * identity(). */
static bool is_evident(const struct source *s, const struct edit *e) {
    const char *old = s->text + e->part->at, *sign = memmem(old, e->part->removed, "<=", 2);
    static const enum fix_cause evident[] = {FIX_PRECEDENCE, FIX_NO_BRACES, FIX_ASSIGNED,
                                             FIX_NOT_KEPT,   FIX_WIDTH,     FIX_BARRIER_TOO_LATE};
    for (size_t k = 0; k < sizeof evident / sizeof *evident; k++)
        if (e->cause == evident[k] && !e->cost) return true;
    if (e->parts == 1 && e->cause == FIX_IDENTITY && !strcmp(e->part->text, "identity()") && isdigit(*old)) return true;
    if (e->parts != 1 || !sign || strlen(e->part->text) + 1 != e->part->removed) return false;
    const size_t n = (size_t)(sign - old) + 1;
    return !strncmp(old, e->part->text, n) && !strncmp(sign + 2, e->part->text + n, e->part->removed - n - 1);
}
static bool helps(const struct trial *t, const struct edit *e, const struct trial_outcome *before,
                  const struct trial_outcome *now) {
    return edit_makes_progress(t, e, before, now) ||
           (cause_orders(e->cause) && edit_removes_finding(e, before, now) && now->right > before->right);
}
/* Inserts an edit into a list of `count` edits, which begins with the best one. */
static void insert(struct helpful list[], unsigned count, struct helpful one) {
    for (; count > 0 && helpful_is_better(&one, &list[count - 1], true); count--) list[count] = list[count - 1];
    list[count] = one;
}
/* Checks the best edits again, compiled like a graded submission. Returns the best one's report, or NULL. */
static json_t *confirmed(struct search *x, const struct helpful list[], unsigned count) {
    enum { MOST = 3 };
    struct edit *e[MOST];
    struct trial_outcome now[MOST];
    bool compiled[MOST] = {false};
    uint64_t left = SEVERAL_WORK;
    json_t *fix = NULL;
    if (!count || !search_begin_looks(x)) return NULL;
    struct look *l = x->of_one;
    const unsigned probe = search_first_wrong(&l->trial, &l->before);
    if (count > MOST) count = MOST;
    for (unsigned k = 0; k < count; k++) e[k] = list[k].edit;
    if (probe >= l->trial.count) return NULL;
    l->trial.every = true;
    trial_run(&l->trial, &l->before, e, count, probe, search_alone(x), now, compiled, &left);
    l->trial.every = false;
    /* Another value may correct some results by chance, so it is no evidence of a mistake in this line. */
    for (unsigned k = 0; k < count && !fix; k++)
        if (compiled[k] && e[k]->cause != FIX_VALUE && helps(&l->trial, e[k], &l->before, &now[k]))
            fix = fix_record(x, &l->trial, e[k], &l->before, &now[k]);
    for (unsigned k = 0; k < count; k++) trial_outcome_free(&now[k]);
    return fix;
}
/* Collects at most `most` edits with a low cost and one of the two causes. Returns their number. */
static unsigned cheap_edits(const struct search *x, enum fix_cause one, enum fix_cause other, unsigned most,
                            struct edit *edit[]) {
    unsigned count = 0;
    for (unsigned k = 0; k < x->edits.count && count < most; k++) {
        struct edit *e = &x->edits.item[k];
        if ((e->cause == one || e->cause == other) && e->cost <= 1) edit[count++] = e;
    }
    return count;
}
unsigned search_candidates(const struct search *x, struct edit *edit[MAX_CANDIDATES], unsigned *evident) {
    const unsigned taught = judge_taught(x->judge);
    const struct finding *worst = finding_gravest(&x->before.findings);
    unsigned count = 0, orders = 0;
    for (unsigned k = 0; k < x->edits.count && count < MAX_EVIDENT; k++)
        if (is_evident(&x->source, &x->edits.item[k]) && edit_is_taught(&x->source, &x->edits.item[k], taught))
            edit[count++] = &x->edits.item[k];
    *evident = count;
    /* Until the ticket is reset, later launches stay wrong and hide other mistakes. */
    if (x->before.shows & SHOWS_LAUNCH) count += cheap_edits(x, FIX_RESET, FIX_RESET, MAX_RESETS, edit + count);
    /* A kernel with two mistakes in the order of its operands is right for no operator that depends on the order. */
    if (!variant_commutes(x->failed.variant))
        count += cheap_edits(x, FIX_ORDER, FIX_NEIGHBORS, MAX_REORDER, edit + count);
    /* If no block is the last one, other mistakes of the last block do not show. */
    if (x->before.shows & SHOWS_UNWRITTEN) count += cheap_edits(x, FIX_TICKET, FIX_TICKET, MAX_TICKETS, edit + count);
    for (unsigned k = 0; k < x->nears; k++)
        if (x->near[k].cost <= MAX_COST) edit[count++] = &x->edits.item[x->near[k].edit];
    for (unsigned far = 0; worst && far <= ORDERS_NEAR; far++)
        for (unsigned k = 0; k < x->edits.count && orders < MAX_ORDERS; k++) {
            struct edit *e = &x->edits.item[k];
            const uint32_t line = worst->at.line, distance = e->line < line ? line - e->line : e->line - line;
            if (distance != far || e->cost > 1 || !cause_orders(e->cause) || !edit_is_taught(&x->source, e, taught))
                continue;
            edit[count++] = e, orders++;
        }
    return count;
}
/* Returns whether the edit has a low cost, and moves code in which threads wait or shuffle out of a branch. */
static bool frees(const struct edit *e) {
    static const enum fix_cause causes[] = {FIX_BARRIER_IN_BRANCH, FIX_WARP_SYNC_IN_BRANCH, FIX_CALL_IN_BRANCH,
                                            FIX_SHUFFLE_IN_BRANCH};
    for (size_t k = 0; k < sizeof causes / sizeof *causes; k++)
        if (e->cause == causes[k]) return e->cost <= 1;
    return false;
}
/* Returns whether the finding says that threads do not wait together, on a line that the edit changes. */
static bool is_about(const struct source *s, const struct finding *f, const struct edit *e) {
    static const char *const kinds[] = {"barrier", "deadlock", "sync", "shuffle", "active-mask"};
    const uint32_t first = s->token[e->quoted.first].line, last = s->token[e->quoted.last].line;
    for (size_t k = 0; f && k < sizeof kinds / sizeof *kinds; k++)
        if (!strncmp(f->kind->key, kinds[k], strlen(kinds[k])) && f->at.line >= first && f->at.line <= last)
            return true;
    return false;
}
/* Searches for a second edit after each of a few first edits: one of `list` that resets the ticket, the best ones of
 * `list`, and those of `edit` that only remove the most severe finding. now[k] is the outcome of edit[k]. Returns the
 * record's fix, or NULL. */
static json_t *second_after(struct search *x, const struct helpful list[], unsigned helpful, struct edit *edit[],
                            const struct trial_outcome now[], const bool compiled[], unsigned count) {
    enum { OF_LIST = 2, FIRSTS = 4 };
    unsigned first[FIRSTS], firsts = 0;
    json_t *fix = NULL;
    for (unsigned n = 0; n < helpful && !firsts; n++)
        for (unsigned k = 0; k < count && list[n].edit->cause == FIX_RESET; k++)
            if (edit[k] == list[n].edit) first[firsts++] = k, k = count;
    for (unsigned n = 0; n < helpful && firsts < OF_LIST; n++)
        for (unsigned k = 0; k < count; k++)
            if (edit[k] == list[n].edit && !(firsts && first[0] == k)) first[firsts++] = k, k = count;
    for (unsigned k = 0; k < count && firsts < FIRSTS; k++) {
        bool known = !compiled[k] || !edit_removes_finding(edit[k], &x->before, &now[k]);
        for (unsigned n = 0; n < firsts; n++) known |= edit[first[n]] == edit[k];
        if (!known) first[firsts++] = k;
    }
    for (unsigned n = 0; n < firsts && !fix; n++) fix = search_second(x, edit[first[n]], &now[first[n]]);
    return fix;
}
json_t *search_first_of_several(struct search *x) {
    struct edit *edit[MAX_CANDIDATES];
    struct helpful list[MAX_CANDIDATES];
    struct trial_outcome *now = calloc(MAX_CANDIDATES, sizeof *now);
    bool compiled[MAX_CANDIDATES] = {false};
    unsigned evident, helpful = 0, best = MAX_CANDIDATES;
    uint64_t left = SEVERAL_WORK;
    json_t *fix = NULL;
    const unsigned count = now && !x->strict ? search_candidates(x, edit, &evident) : 0;
    x->trial.every = true;
    if (count) trial_run(&x->trial, &x->before, edit, count, x->probe, search_alone(x), now, compiled, &left);
    x->trial.every = false;
    for (unsigned k = 0; k < count; k++) {
        if (!compiled[k]) continue;
        if (helps(&x->trial, edit[k], &x->before, &now[k]))
            insert(list, helpful++, helpful_of(&x->source, edit[k], &now[k]));
        const bool waits = frees(edit[k]) && is_about(&x->source, finding_gravest(&x->before.findings), edit[k]);
        if ((k < evident || waits) && edit_removes_finding(edit[k], &x->before, &now[k]) &&
            (best == MAX_CANDIDATES || edit[k]->cost < edit[best]->cost))
            best = k;
    }
    if (count) fix = second_after(x, list, helpful, edit, now, compiled, count);
    if (!fix && best < MAX_CANDIDATES) fix = fix_record(x, &x->trial, edit[best], &x->before, &now[best]);
    for (unsigned k = 0; k < count; k++) trial_outcome_free(&now[k]);
    free(now);
    return fix ? fix : confirmed(x, list, helpful);
}

/* ---- what a fix leaves ------------------------------------------------------------------------------------- */
enum { MAX_LEFT = 12, FEW_ELEMENTS = 1 << 10, FEW_LANES = 8 };
/* Cases that failed, with the test or the finding that names each of them. */
struct failures {
    struct grade_case c[MAX_LEFT];
    void *values[MAX_LEFT]; /* free() them */
    const json_t *finding[MAX_LEFT];
    unsigned count;
};
/* Adds a case, unless it is large, or the final checks ran cases of the same kernel and variant. A case without a
 * finding is not added, either, if the list already has a case of the same kernel and variant. Takes ownership of
 * `values`. */
static void add(const struct search *x, struct failures *f, struct grade_case c, void *values, const json_t *finding) {
    const bool tried = !strcmp(c.kernel->name, x->kernel) && !c.special &&
                       x->of_all->trial.lab.variants >> variant_index(c.variant) & 1;
    bool known = tried || case_is_large(&c) || f->count == MAX_LEFT;
    for (unsigned k = 0; k < f->count; k++)
        known |= !finding && f->c[k].kernel == c.kernel && !memcmp(&f->c[k].variant, &c.variant, sizeof c.variant);
    if (known) {
        free(values);
        return;
    }
    f->c[f->count] = c, f->values[f->count] = values, f->finding[f->count++] = finding;
}
/* Adds a case for each operator on structs that the final checks did not run, for example for argmax in a lab with
 * argmin. */
static void add_operators(const struct search *x, struct failures *f) {
    const struct trial *t = &x->of_all->trial;
    unsigned tried = 0, at = 0;
    for (unsigned v = 0; v < VARIANT_COUNT; v++)
        if (t->lab.variants >> v & 1) tried |= 1u << variant_at(v).op;
    for (unsigned k = 0; k < t->count; k++)
        if (trial_is_of_kernel(t, k) && t->cases[k].n <= FEW_ELEMENTS && t->cases[k].n > t->cases[at].n) at = k;
    if (!trial_is_of_kernel(t, at) || t->cases[at].n > FEW_ELEMENTS) return;
    for (unsigned v = 0; v < VARIANT_COUNT; v++) {
        const struct variant own = variant_at(v);
        if (!(x->judge->lab->variants >> v & 1) || tried >> own.op & 1 || !variant_is_struct(own)) continue;
        if (!variant_commutes(own) || !case_kernel_takes(x->judge->lab, t->cases[at].kernel, own)) continue;
        struct grade_case c = t->cases[at];
        c.variant = own, c.values = NULL, c.special = 0;
        tried |= 1u << own.op;
        add(x, f, c, NULL, NULL);
    }
}
static void collect(const struct search *x, struct failures *f) {
    size_t k, n;
    json_t *t, *finding;
    struct grade_case c;
    void *values;
    json_array_foreach((json_t *)x->tests, k, t) {
        if (check_status_of(t) != STATUS_FAIL) continue;
        if (example_read(x->judge, json_object_get(t, "example"), &c, &values)) add(x, f, c, values, NULL);
        json_array_foreach(json_object_get(t, "findings"), n, finding) {
            const char *severity = json_string_value(json_object_get(finding, "severity"));
            if (severity && !strcmp(severity, finding_severity_word(FINDING_ERROR)) &&
                search_case_of(x->judge, json_string_value(json_object_get(finding, "replay")), &c) && !c.special)
                add(x, f, c, NULL, finding);
        }
    }
}
/* Adds other kernels' cases from the checks that failed, because a check names only one wrong case. `commute` says
 * whether the operators of these cases commute. */
static void add_kernels(const struct search *x, struct failures *f, bool commute) {
    struct judge j = *x->judge;
    size_t n;
    json_t *t;
    for (unsigned k = 0; k < j.lab->check_count; k++) {
        bool failed = false;
        unsigned count = 0;
        json_array_foreach((json_t *)x->tests, n, t) failed |=
            !strcmp(fix_text(t, "id"), j.lab->checks[k].id) && check_status_of(t) == STATUS_FAIL;
        j.check = &j.lab->checks[k];
        struct grade_case *all =
            failed && j.check->kind->cases != CASES_NONE ? case_list(&j, j.check->kind->cases, &count) : NULL;
        for (unsigned c = 0; all && c < count; c++)
            if (all[c].n > FEW_LANES && all[c].n <= FEW_ELEMENTS && !all[c].special &&
                variant_commutes(all[c].variant) == commute && strcmp(all[c].kernel->name, x->kernel) != 0)
                add(x, f, all[c], NULL, NULL);
        free(all);
    }
}
/* Selects the failures' cases for the trial. */
static void begin_trial(struct trial *t, const struct failures *f) {
    t->lab.variants = 0, t->count = f->count;
    for (unsigned k = 0; k < f->count; k++)
        t->cases[k] = f->c[k], t->lab.variants |= 1u << variant_index(f->c[k].variant);
}
/* Removes the cases that are correct without the fix. They need no compiler. */
static void drop_right(struct trial *t, struct failures *f) {
    struct trial_outcome *now = calloc(1, sizeof *now);
    unsigned left = 0;
    if (!now) return;
    begin_trial(t, f);
    trial_baseline(t, now);
    for (unsigned k = 0; k < f->count; k++) {
        if (k < now->run && now->is_right[k])
            free(f->values[k]);
        else
            f->c[left] = f->c[k], f->values[left] = f->values[k], f->finding[left++] = f->finding[k];
    }
    f->count = left;
    trial_outcome_free(now), free(now);
}
/* Returns what case k still shows: the finding, or a wrong result of the kernel. Returns NULL if the case is correct
 * now. */
static json_t *left_of(const struct failures *f, unsigned k, const struct trial_outcome *now) {
    const json_t *finding = f->finding[k], *at = json_object_get(finding, "at");
    const char *kind = json_string_value(json_object_get(finding, "kind"));
    if (kind && outcome_has_finding(now, kind))
        return json_sprintf("%s:%d: %s", json_string_value(json_object_get(at, "file")),
                            (int)json_integer_value(json_object_get(at, "line")),
                            json_string_value(json_object_get(finding, "title")));
    return now->is_result_right[k] ? NULL : json_sprintf("%s still gives wrong results", case_label(f->c[k].kernel));
}
void search_note_remains(struct search *x, json_t *fix) {
    struct failures *f = calloc(1, sizeof *f);
    struct trial *t = calloc(1, sizeof *t);
    struct trial_outcome *before = calloc(1, sizeof *before), *now = calloc(1, sizeof *now);
    struct edit *e[] = {&x->fixed};
    bool compiled[1] = {false};
    uint64_t left = SEVERAL_WORK;
    if (f && t && before && now && x->of_all && x->fixed.parts && !json_object_get(fix, "remains"))
        collect(x, f), add_operators(x, f), add_kernels(x, f, false), add_kernels(x, f, true);
    if (f && f->count) {
        *t = x->of_all->trial;
        t->every = true, t->strict = false;
        t->options.lab = t->judge.lab = &t->lab, t->judge.options = &t->options;
        drop_right(t, f);
    }
    if (f && f->count) {
        begin_trial(t, f);
        for (unsigned k = 0; k < f->count; k++) before->is_endless[k] = true;
        trial_run(t, before, e, 1, 0, NULL, now, compiled, &left);
        json_t *rest = NULL;
        for (unsigned k = 0; compiled[0] && k < now->run && !rest; k++) rest = left_of(f, k, now);
        if (rest) json_object_set_new(fix, "remains", rest);
        trial_outcome_free(now);
    }
    for (unsigned k = 0; f && k < f->count; k++) free(f->values[k]);
    free(f), free(t), free(before), free(now);
}
