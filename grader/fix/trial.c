#include "fix/choices.h"
#include "fix/unit.h"
#include "judge/case_large.h"
#include "compile/compile.h"
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MEASURED = MEASURE_RACES | MEASURE_MEMORY | MEASURE_BARRIERS | MEASURE_WORK };
/* Limits of trials. They count simulated warp-instructions, not seconds, so that a trial has the same result on every
 * machine. The limits are for a launch (partly per element and per warp), for the unmodified submission, for an edit,
 * and for a case. */
enum {
    LEAST_BUDGET = 1 << 10,
    FEW_TIMES = 4,
    OF_A_WARP = 1 << 8,
    OF_AN_ELEMENT = 1 << 4,
    SMALL_BUDGET = 1 << 16,
    BASELINE_WORK = 1 << 18,
    EDIT_WORK = 1 << 19,
    CASE_WORK = 1 << 15,
    QUICK_FACTOR = 8,
    MAX_ELEMENTS = 1 << 13, /* elements per case, unless only larger cases fail */
    MAX_LAUNCHES = 40,      /* launches per case: few, because a case runs once for each of hundreds of edits */
    FEW_CASES = 3,          /* cases that run before the trial decides again whether the edit helps */
    OTHER_CASES = 8,        /* correct cases of other kernels that a fix must not break */
    SURE_TIMES = 4,         /* factor for the work limits of the final check: few edits, but more cases */
    /* The smallest numbers for which one block should not process the input alone, even with vector loads. */
    MANY_BLOCKS = 4,
    MANY_ELEMENTS = 16,
    SEVERAL_ELEMENTS = 2,
    WARP = 32,
    SEVERAL_TIMES = 4 /* reads per element: a tree in the input array needs about 3, other kernels 1 */
};

/* ---- cases ------------------------------------------------------------------------------------------ */
static bool fails(const json_t *tests, const char *id) {
    size_t k;
    json_t *t;
    json_array_foreach((json_t *)tests, k, t) {
        const enum check_status s = check_status_of(t);
        if (!strcmp(json_string_value(json_object_get(t, "id")), id)) return s == STATUS_FAIL || s == STATUS_ERROR;
    }
    return false;
}
static bool same_case(const struct grade_case *a, const struct grade_case *b) {
    return a->kernel == b->kernel && variant_index(a->variant) == variant_index(b->variant) && a->n == b->n &&
           a->block == b->block && a->data == b->data && a->grid == b->grid && a->offset == b->offset &&
           a->launches == b->launches && a->special == b->special && a->cluster == b->cluster && a->spare == b->spare &&
           a->wrap == b->wrap;
}
static void add_case(struct trial *t, const struct grade_case *c) {
    if (strcmp(c->kernel->name, t->kernel) != 0 || (c->special && !c->values)) return;
    for (unsigned k = 0; k < t->count; k++)
        if (same_case(&t->cases[k], c)) return;
    if (t->count < TRIAL_CASES && !case_is_large(c) && c->n <= MAX_ELEMENTS) t->cases[t->count++] = *c;
}
static int by_size(const void *a, const void *b) {
    const struct grade_case *x = a, *y = b;
    const uint64_t n = (uint64_t)x->n * 4 + x->block, m = (uint64_t)y->n * 4 + y->block;
    return n < m ? -1 : n > m;
}
/* Adds a check's cases, or a selection of all sizes if there are many. */
static void add_cases(struct trial *t, const struct lab_check *check) {
    unsigned count;
    t->judge.check = check;
    struct grade_case *all = case_list(&t->judge, check->kind->cases, &count);
    if (all) qsort(all, count, sizeof *all, by_size);
    const unsigned most = TRIAL_CASES / 3, step = count / most + 1;
    for (unsigned k = 0; all && k < count; k += step)
        if (all[k].launches <= MAX_LAUNCHES) add_case(t, &all[k]);
    free(all);
}
/* Orders the cases so that the first few cover all sizes. The failed case comes first, then the smallest and the median
 * case, the quarters, the eighths and so on. */
static void spread(struct trial *t, const struct grade_case *first) {
    struct grade_case *to = calloc(TRIAL_CASES, sizeof *to);
    bool taken[TRIAL_CASES] = {false};
    unsigned count = 0;
    for (unsigned k = 0; to && k < t->count && !count; k++)
        if (same_case(&t->cases[k], first)) to[count++] = t->cases[k], taken[k] = true;
    for (unsigned step = TRIAL_CASES; to && step; step /= 2)
        for (unsigned k = 0; k < t->count; k += step)
            if (!taken[k]) to[count++] = t->cases[k], taken[k] = true;
    if (to && count == t->count) memcpy(t->cases, to, count * sizeof *to);
    free(to);
}
void trial_begin(struct trial *t, const struct judge *j, const json_t *tests, const struct grade_case *failed,
                 bool strict, uint32_t variants, const struct source *source, bool quick) {
    memset(t, 0, sizeof *t);
    t->judge = *j, t->options = *j->options, t->lab = *j->lab;
    t->source = source, t->strict = strict, t->quick = quick;
    t->lab.variants &= variants;
    t->options.lab = t->judge.lab = &t->lab, t->options.gpu = NULL, t->judge.options = &t->options;
    t->kernel = failed->kernel->name;
    if (case_is_sampled(failed))
        t->cases[t->count++] = *failed;
    else
        add_case(t, failed);
    for (unsigned k = 0; k < t->lab.check_count; k++) {
        const struct lab_check *check = &t->lab.checks[k];
        const bool wanted = check->kind->cases != CASES_NONE && (strict || fails(tests, check->id));
        if (wanted && t->count < TRIAL_CASES) add_cases(t, check);
    }
    qsort(t->cases, t->count, sizeof *t->cases, by_size);
    spread(t, failed);
}

void trial_outcome_free(struct trial_outcome *o) {
    finding_list_free(&o->findings);
    for (unsigned k = 0; k < TRIAL_CASES; k++) free(o->names[k]);
    memset(o, 0, sizeof *o);
}

/* ---- running ---------------------------------------------------------------------------------------- */
static bool has_warning(const struct finding_list *l) {
    for (unsigned k = 0; k < l->count; k++)
        if (l->item[k].kind->severity == FINDING_WARNING) return true;
    return false;
}
static unsigned shown_by(const struct outcome *o) {
    static const struct {
        const char *key; /* the start of a finding's key */
        enum symptom symptom;
    } kinds[] = {{"out-of-bounds", SHOWS_BOUNDS}, {"null", SHOWS_BOUNDS},        {"misaligned", SHOWS_ALIGNMENT},
                 {"uninit", SHOWS_UNINITIALIZED}, {"race", SHOWS_RACE},          {"same-value", SHOWS_RACE},
                 {"barrier", SHOWS_BARRIER},      {"deadlock", SHOWS_BARRIER},   {"sync", SHOWS_LANES},
                 {"shuffle", SHOWS_LANES},        {"active-mask", SHOWS_LANES},  {"runaway", SHOWS_ENDLESS},
                 {"cluster-left", SHOWS_RACE},    {"cluster-early", SHOWS_RACE}, {"cluster", SHOWS_BARRIER},
                 {"residency", SHOWS_RESIDENCY}};
    unsigned shows = 0;
    if (o->kind != OUTCOME_RIGHT && o->unwritten) shows |= SHOWS_UNWRITTEN;
    if (o->kind != OUTCOME_RIGHT && o->launch > 1) shows |= SHOWS_LAUNCH;
    for (unsigned f = 0; f < o->measurement.findings.count; f++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            if (!strncmp(o->measurement.findings.item[f].kind->key, kinds[k].key, strlen(kinds[k].key)))
                shows |= kinds[k].symptom;
    return shows;
}
/* Returns whether an atomic total still has its initial value, because no block has added anything. */
static bool is_as_it_was(const struct grade_case *c, const struct outcome *o) {
    return o->kind == OUTCOME_WRONG && c->kernel->finish == FINISH_ATOMIC && !variant_is_own(c->variant) &&
           reference_equal(c->variant, o->got, reference_identity(c->variant));
}
bool finding_is_in(const struct finding_list *l, const struct finding *f) {
    for (unsigned k = 0; f && k < l->count; k++)
        if (l->item[k].kind == f->kind && l->item[k].at.line == f->at.line) return true;
    return false;
}
const struct finding *finding_gravest(const struct finding_list *l) {
    const struct finding *best = NULL;
    for (unsigned k = 0; k < l->count; k++)
        if (l->item[k].kind->severity == FINDING_ERROR && (!best || l->item[k].kind->rank < best->kind->rank))
            best = &l->item[k];
    return best;
}
bool has_new_error(const struct finding_list *before, const struct finding_list *now) {
    for (unsigned k = 0; k < now->count; k++)
        if (now->item[k].kind->severity == FINDING_ERROR && !finding_is_in(before, &now->item[k])) return true;
    return false;
}
bool trial_helps(const struct trial *t, const struct trial_outcome *before, const struct trial_outcome *now) {
    unsigned wrong = t->count - before->right, left = 0;
    for (unsigned k = 0; k < now->run; k++) left += !now->is_right[k];
    return 2 * left <= wrong && !has_new_error(&before->findings, &now->findings);
}
/* Counts cases with badly shared input: one block or lane reads nearly all of it, or several blocks read all of it.
 * Code that selects edits at run time may load more, so its limits are higher. */
static void count_spread(const struct trial *t, const struct grade_case *c, const struct outcome *out,
                         struct trial_outcome *o) {
    const struct work *w = work_of(&out->measurement);
    const uint64_t loaded = w->loaded_words / case_launches(c);
    const bool once = !t->quick && !c->kernel->in_place;
    if (c->kernel->serial) return;
    if (c->n >= SEVERAL_ELEMENTS * WARP && w->read_words) {
        o->large++;
        o->alone += 4 * w->most_lane_words > 3 * w->input_words || loaded > SEVERAL_TIMES * w->read_words;
    }
    if (c->grid < 2 || c->n < 2 * c->block) return;
    o->several++;
    o->again += once ? 2 * loaded > 3 * w->read_words : loaded > SEVERAL_TIMES * w->read_words;
    const bool chunks = c->kernel->ordered && c->kernel->grid_stride && c->n / c->grid >= SEVERAL_ELEMENTS;
    if (!chunks && (c->grid < MANY_BLOCKS || c->n < MANY_ELEMENTS * c->block)) return;
    o->spread++;
    o->lopsided += 4 * w->most_words > 3 * w->read_words;
}
/* Limits for running cases. If `before` is not NULL, the run also stops when the edit no longer helps compared with
 * `before` (trial_helps()). */
struct bounds {
    uint64_t work, launch; /* limits in warp-instructions: for all cases together, and for each launch */
    const struct trial_outcome *before;
    unsigned wrong;                   /* maximum number of wrong cases; the run stops when there are more */
    const struct finding_list *noise; /* findings to ignore */
    /* The submission's outcome, or NULL. Where it is wrong, a correct result with an edit is accepted despite errors
     * that the submission also had: quickly compiled code may have them in unused loads. */
    const struct trial_outcome *tolerant;
};
static void run_cases(struct trial *t, const struct program *p, unsigned from, unsigned to, const struct bounds *most,
                      struct trial_outcome *o) {
    struct judge j = t->judge;
    j.budget = most->launch;
    struct outcome out[DEVICE_AT_ONCE];
    bool doubted = most->before; /* most edits do not help, so expect a wrong result */
    const unsigned at_once = most->before ? FEW_CASES : DEVICE_AT_ONCE;
    for (unsigned k = from; k < to; k += at_once) {
        const struct grade_case *cases[DEVICE_AT_ONCE];
        struct outcome *outs[DEVICE_AT_ONCE];
        const unsigned n = to - k < at_once ? to - k : at_once;
        if (o->effort > most->work || (most->before && !trial_helps(t, most->before, o))) return;
        if (o->run - o->right > most->wrong) return;
        for (unsigned i = 0; i < n; i++) cases[i] = &t->cases[k + i], outs[i] = &out[i];
        cases_run(&j, p, cases, n, MEASURED, doubted, outs);
        for (unsigned i = 0; i < n; i++) {
            doubted = out[i].kind == OUTCOME_WRONG;
            struct finding_list *l = &out[i].measurement.findings;
            for (unsigned f = 0; f < l->count && most->noise;) {
                if (finding_is_in(most->noise, &l->item[f]))
                    l->item[f] = l->item[--l->count];
                else
                    f++;
            }
            const struct trial_outcome *was = most->tolerant;
            /* A choice between many edits may use up the budget. Such a run shows nothing. */
            const bool unknown = was && outcome_is_endless(&out[i]) && !was->is_endless[k + i];
            if (unknown) finding_list_free(l);
            const bool sound = !finding_first_error(l) ||
                               (was && !was->is_result_right[k + i] && !has_new_error(&was->findings, l)),
                       right = unknown ? was->is_right[k + i]
                                       : out[i].kind == OUTCOME_RIGHT && sound && !(t->strict && has_warning(l));
            o->is_result_right[k + i] = unknown ? was->is_result_right[k + i] : out[i].kind == OUTCOME_RIGHT;
            o->has_error[k + i] = finding_first_error(l);
            o->is_right[k + i] = right, o->right += right, o->run++;
            o->work += o->work_of[k + i] = out[i].work, o->effort += out[i].effort;
            o->is_endless[k + i] = outcome_is_endless(&out[i]);
            if (trial_is_of_kernel(t, k + i)) count_spread(t, cases[i], &out[i], o);
            o->shows |= shown_by(&out[i]) | (is_as_it_was(cases[i], &out[i]) ? SHOWS_UNWRITTEN : 0);
            for (unsigned f = 0; f < l->count; f++) finding_add(&o->findings, &l->item[f]);
            o->names[k + i] = out[i].measurement.names, out[i].measurement.names = NULL;
            outcome_free(&out[i]);
        }
    }
}
bool trial_is_of_kernel(const struct trial *t, unsigned k) { return !strcmp(t->cases[k].kernel->name, t->kernel); }
/* Counts each case's first launch. Sets the memory traffic of these launches together, the lines of the file that
 * access memory, and whether blocks use more atomics than the lab allows. */
static void note_lines(const struct trial *t, const struct program *p, uint64_t budget, struct trial_outcome *o) {
    struct judge j = t->judge;
    j.budget = budget;
    for (unsigned k = 0; k < o->run; k++) {
        struct outcome out;
        case_run(&j, p, &t->cases[k], MEASURE_COUNTS, &out);
        o->crowded |= judge_has_extra_atomics(&t->cases[k], &out);
        for (unsigned n = 0; n < out.measurement.line_count; n++) {
            const struct line_counts *l = &out.measurement.lines[n];
            const size_t length = l->file ? strlen(l->file) : 0;
            const bool header = length < 2 || !strcmp(l->file + length - 2, ".h");
            const bool accessed = l->global_sectors || l->shared_wavefronts;
            o->traffic += l->global_sectors + l->shared_wavefronts;
            if (!header && l->line < TRIAL_LINES && accessed) o->accessed[l->line] = true;
        }
        outcome_free(&out);
    }
}
/* Returns whether only cases with more blocks than threads per block are wrong. At least one of the correct cases must
 * have several blocks. */
static bool needs_many_blocks(const struct trial *t, const struct trial_outcome *o) {
    bool others_right = false;
    for (unsigned k = 0; k < o->run; k++) {
        if (!trial_is_of_kernel(t, k)) continue;
        const bool many = t->cases[k].grid > t->cases[k].block;
        if (!many && !o->is_right[k]) return false;
        others_right |= !many && t->cases[k].grid > 1;
    }
    return others_right && o->right < o->run;
}
void trial_baseline(struct trial *t, struct trial_outcome *o) {
    memset(o, 0, sizeof *o);
    run_cases(t, &t->judge.student, 0, t->count,
              &(struct bounds){t->quick ? BASELINE_WORK : SURE_TIMES * BASELINE_WORK, SMALL_BUDGET, NULL, UINT_MAX,
                               NULL, NULL},
              o);
    t->count = o->run;
    if (needs_many_blocks(t, o)) o->shows |= SHOWS_BLOCKS;
}
/* Returns the maximum work of a case with an edit. A kernel that exceeds it presumably does not end. The limit depends
 * on the case's size and on the submission's work. The work alone may mislead: a submission that skips its loop does
 * too little, and one that does not end does any amount. */
static uint64_t usual_work(const struct grade_case *c, uint64_t before, bool endless) {
    const uint64_t of_size = LEAST_BUDGET + OF_A_WARP * ((uint64_t)c->block / 32 * (c->grid ? c->grid : 1)) +
                             OF_AN_ELEMENT * (uint64_t)c->n,
                   of_submission = FEW_TIMES * before + LEAST_BUDGET;
    return endless || of_submission < of_size ? of_size : of_submission;
}
/* Returns the work of a case without the edit, or an estimate if the case does not end. */
static uint64_t expected_work(const struct trial *t, const struct trial_outcome *o, unsigned k) {
    return o->is_endless[k] ? usual_work(&t->cases[k], 0, true) : o->work_of[k];
}
/* Selects at most `most` of the correct cases (if `right`) or of the wrong cases: mostly cheap ones and a few expensive
 * ones. Returns their number. With a case of more than CASE_WORK warp-instructions, a few edits would exhaust the
 * search's limit on work. Such a case is selected only if there is no cheaper one. */
static unsigned thin(const struct trial *t, const struct trial_outcome *o, bool right, unsigned most,
                     unsigned chosen[TRIAL_CASES]) {
    unsigned all[TRIAL_CASES], count = 0, taken = 0;
    for (unsigned k = 0; k < t->count; k++) {
        unsigned place = count;
        if (o->is_right[k] != right) continue;
        for (; place && expected_work(t, o, all[place - 1]) > expected_work(t, o, k); place--)
            all[place] = all[place - 1];
        all[place] = k, count++;
    }
    while (count > 1 && expected_work(t, o, all[count - 1]) > CASE_WORK) count--;
    for (unsigned k = 0; k < count && k < most; k++)
        chosen[taken++] = all[count <= most ? k : k + (count - most) * k * k / (most * most)];
    return taken;
}
void trial_select(struct trial *t, struct trial_outcome *o, const unsigned chosen[], unsigned count) {
    struct trial_outcome now = *o;
    struct grade_case *cases = malloc(sizeof t->cases);
    if (!cases) return;
    now.right = 0, now.run = count;
    for (unsigned k = 0; k < count; k++) {
        cases[k] = t->cases[chosen[k]];
        now.is_right[k] = o->is_right[chosen[k]], now.is_result_right[k] = o->is_result_right[chosen[k]];
        now.has_error[k] = o->has_error[chosen[k]];
        now.work_of[k] = o->work_of[chosen[k]], now.is_endless[k] = o->is_endless[chosen[k]];
        now.right += now.is_right[k];
    }
    memcpy(t->cases, cases, count * sizeof *cases);
    t->count = count, *o = now;
    free(cases);
}
void trial_thin(struct trial *t, struct trial_outcome *o, unsigned wrong, unsigned right) {
    unsigned chosen[TRIAL_CASES], count = thin(t, o, false, wrong, chosen);
    /* Put expensive cases first: few wrong edits pass them. */
    for (unsigned k = 1; k < FEW_CASES && FEW_CASES < count; k++) {
        const unsigned far = count - 1 - count / 4 * (k - 1), other = chosen[k];
        chosen[k] = chosen[far], chosen[far] = other;
    }
    count += thin(t, o, true, right, chosen + count);
    trial_select(t, o, chosen, count);
}
/* Adds launches that few wrong kernels pass by chance: many elements per thread, many blocks of few threads and, if the
 * last block combines the partials, more partials than one warp has lanes. Checks rarely draw such launches, because
 * they take long. */
void trial_extend(struct trial *t, const struct grade_case *like, struct trial_outcome *o) {
    static const struct {
        uint32_t grid, block, n;
    } launches[] = {{1, WARP, (1 << 14) + 17}, {150, WARP, 3 * 150 * WARP + 5}, {36, 2 * WARP, 36 * 2 * WARP + 5}};
    const bool last_block = like->kernel->finish == FINISH_ITSELF && !like->kernel->only_block;
    const unsigned from = t->count, kinds = sizeof launches / sizeof *launches - !last_block;
    /* Also add each launch as a sum, because a minimum hides elements that are counted twice. */
    const bool sums = t->lab.variants & 1 && variant_index(like->variant);
    for (unsigned k = 0; k < (1 + sums) * kinds && t->count < TRIAL_CASES; k++) {
        struct grade_case c = *like;
        if (k >= kinds) c.variant = variant_at(0);
        c.n = launches[k % kinds].n, c.data = DATA_EXACT, c.special = 0, c.values = NULL;
        c.launches = c.kernel->finish == FINISH_ITSELF;
        if (!c.kernel->only_block) c.block = launches[k % kinds].block;
        if (c.kernel->grid_stride) c.grid = launches[k % kinds].grid * (c.cluster ? c.cluster : 1);
        if (!case_is_large(&c)) t->cases[t->count++] = c;
    }
    const uint64_t most = o->effort + BASELINE_WORK;
    run_cases(t, &t->judge.student, from, t->count, &(struct bounds){most, SMALL_BUDGET, NULL, UINT_MAX, NULL, NULL},
              o);
    t->count = o->run;
    note_lines(t, &t->judge.student, SMALL_BUDGET, o);
}
/* Draws a few cases of other kernels from a check. */
static void add_others(struct trial *t, const struct lab_check *check) {
    unsigned count;
    t->judge.check = check;
    struct grade_case *all = case_list(&t->judge, check->kind->cases, &count);
    if (all) qsort(all, count, sizeof *all, by_size);
    for (unsigned k = 0; all && k < count && t->count < OTHER_CASES; k += count / OTHER_CASES + 1) {
        const bool small = !case_is_large(&all[k]) && all[k].n <= MAX_ELEMENTS && all[k].launches <= MAX_LAUNCHES;
        if (small && !all[k].special && strcmp(all[k].kernel->name, t->kernel) != 0) t->cases[t->count++] = all[k];
    }
    free(all);
}
void trial_add_others(struct trial *t, struct trial_outcome *o) {
    struct trial *others = malloc(sizeof *others);
    struct trial_outcome *now = calloc(1, sizeof *now);
    if (others && now) {
        *others = *t, others->count = 0;
        for (unsigned k = 0; k < t->lab.check_count; k++)
            if (t->lab.checks[k].kind->cases != CASES_NONE) add_others(others, &t->lab.checks[k]);
        const struct bounds few = {BASELINE_WORK, SMALL_BUDGET, NULL, UINT_MAX, NULL, NULL};
        run_cases(others, &t->judge.student, 0, others->count, &few, now);
        for (unsigned k = 0; k < now->run && t->count < TRIAL_CASES; k++) {
            if (!now->is_right[k]) continue;
            t->cases[t->count] = others->cases[k], o->work_of[t->count] = now->work_of[k];
            o->is_right[t->count] = o->is_result_right[t->count] = true;
            o->is_endless[t->count] = o->has_error[t->count] = false;
            t->count++, o->right++, o->run++;
        }
        trial_outcome_free(now);
    }
    free(others), free(now);
}

/* ---- running the edits of a batch ---------------------------------------------------------------------- */
/* Finds the symbols of the kernels in namespace `space`. */
static void find_symbols(const struct trial *t, const struct compiled *c, const char *space, char **symbol) {
    for (unsigned k = 0; k < t->lab.kernel_count; k++)
        for (unsigned v = 0; v < VARIANT_COUNT; v++) {
            char prefix[200];
            const char *name = t->lab.kernels[k].name, *variant = variant_name(variant_at(v));
            if (!(t->lab.variants >> v & 1)) continue;
            snprintf(prefix, sizeof prefix, ".entry _ZN%zu%s%zu%s%zu%sE", strlen(variant), variant, strlen(space),
                     space, strlen(name), name);
            const char *at = strstr(c->ptx[0], prefix);
            if (at) symbol[k * VARIANT_COUNT + v] = strndup(at + 7, strcspn(at + 7, "( \t\n"));
        }
}
/* Returns the budget for a launch of case `at` with an edit, in warp-instructions. */
static uint64_t launch_budget(const struct trial *t, const struct trial_outcome *before, unsigned at) {
    const uint64_t factor = t->quick ? QUICK_FACTOR : 1, most = SMALL_BUDGET * factor,
                   usual = factor * usual_work(&t->cases[at], before->work_of[at], before->is_endless[at]);
    return usual < most ? usual : most;
}
static uint64_t largest_budget(const struct trial *t, const struct trial_outcome *before) {
    uint64_t most = 0;
    for (unsigned k = 0; k < t->count; k++) {
        const uint64_t own = launch_budget(t, before, k);
        if (own > most) most = own;
    }
    return most;
}
/* Collects the findings that the submission has only in a quick trial, for example about unused loads. Returns false if
 * the quick trial does not show the error: case `probe`, which is wrong otherwise, is correct and lacks the most severe
 * finding. */
static bool find_noise(struct trial *t, const struct program *p, const struct trial_outcome *before, unsigned probe,
                       struct finding_list *noise) {
    struct trial_outcome o = {0};
    const struct bounds all = {EDIT_WORK * QUICK_FACTOR, largest_budget(t, before), NULL, UINT_MAX, NULL, NULL};
    run_cases(t, p, 0, t->count, &all, &o);
    for (unsigned k = 0; k < o.findings.count; k++)
        if (!finding_is_in(&before->findings, &o.findings.item[k])) finding_add(noise, &o.findings.item[k]);
    const bool shows = probe >= o.run || !o.is_result_right[probe] || before->is_result_right[probe] ||
                       (!o.is_right[probe] && finding_is_in(&o.findings, finding_gravest(&before->findings)));
    trial_outcome_free(&o);
    return shows;
}
/* Runs an edit on case `probe`. If the result is correct, then runs it on all cases while it helps and at most `wrong`
 * cases are wrong. With t->every, runs it on all cases, whatever the results. Returns the work. */
static uint64_t run_edit(struct trial *t, const struct program *p, const struct trial_outcome *before, unsigned probe,
                         unsigned wrong, const struct finding_list *noise, struct trial_outcome *o) {
    const uint64_t most = EDIT_WORK * (t->quick ? QUICK_FACTOR : SURE_TIMES);
    const struct trial_outcome *tolerant = t->quick ? before : NULL;
    const struct bounds first = {most, launch_budget(t, before, probe), NULL, UINT_MAX, noise, tolerant};
    if (t->every) {
        run_cases(t, p, 0, t->count, &(struct bounds){most, largest_budget(t, before), NULL, UINT_MAX, noise, NULL}, o);
        return o->effort;
    }
    run_cases(t, p, probe, probe + 1, &first, o);
    const uint64_t probe_effort = o->effort;
    if (!o->right) return probe_effort;
    trial_outcome_free(o);
    run_cases(t, p, 0, t->count, &(struct bounds){most, largest_budget(t, before), before, wrong, noise, tolerant}, o);
    return probe_effort + o->effort;
}
static unsigned tries_of(const struct trial *t, unsigned edits) { return t->pairs ? t->pairs : edits; }
/* Runs a batch's edits or pairs of edits. `least` is the number of wrong cases that the best edit so far leaves. */
static bool run_edits(struct trial *t, const struct trial_outcome *before, const struct batch *b, struct program *p,
                      unsigned probe, struct trial_outcome outcome[], unsigned *least, uint64_t *left) {
    const unsigned symbols = t->lab.kernel_count * VARIANT_COUNT;
    const char *variant = variant_name(t->cases[probe].variant);
    char variable[200];
    snprintf(variable, sizeof variable, "_ZN%zu%s%zu%s%zu%sE", strlen(variant), variant, strlen(CHOICES_SPACE),
             CHOICES_SPACE, strlen(CHOICES_VARIABLE), CHOICES_VARIABLE);
    struct finding_list noise = {0};
    bool known = !t->quick, shows = true;
    for (unsigned k = 0; k < tries_of(t, b->count) && *left && shows; k++) {
        struct trial_outcome *o = &outcome[k];
        const unsigned first = t->pairs ? t->pair[k].first : k, second = t->pairs ? t->pair[k].second : k,
                       number = b->number[first];
        char space[20];
        if (!b->wanted[first] || !b->wanted[second]) continue;
        if (t->pairs && (!number || !b->number[second])) continue;
        if (!(p->symbol = calloc(symbols, sizeof *p->symbol))) continue;
        snprintf(space, sizeof space, "fix%u", k);
        find_symbols(t, &p->text, number ? CHOICES_SPACE : space, p->symbol);
        p->variable = number ? variable : NULL, p->choice = t->after ? number : 0;
        if (number && !known) shows = find_noise(t, p, before, probe, &noise), known = true;
        p->choice = t->pairs ? number | b->number[second] << 16 : number;
        const uint64_t work = shows ? run_edit(t, p, before, probe, *least, &noise, o) : 0;
        *left -= work < *left ? work : *left;
        if (!t->quick) note_lines(t, p, largest_budget(t, before), o);
        if (o->run == t->count && o->run - o->right < *least) *least = o->run - o->right;
        for (unsigned s = 0; s < symbols; s++) free(p->symbol[s]);
        free(p->symbol);
    }
    finding_list_free(&noise);
    return shows;
}
/* Edits that are compiled together, as a part of a trial. */
struct part {
    struct trial *trial;
    struct batch batch;
    struct compiled text;
    bool ok;
};
static void *compile_part(void *context) {
    struct part *p = context;
    p->ok = p->batch.apart && p->batch.number && unit_compile(p->trial, &p->batch, &p->text);
    return NULL;
}
/* Loads a compiled part and runs its edits. Returns the result of run_edits(). */
static bool run_part(struct part *part, const struct trial_outcome *before, unsigned probe,
                     struct trial_outcome outcome[], unsigned *least, uint64_t *left) {
    struct program p = {.device = part->trial->judge.student.device, .text = part->text};
    struct device_error e;
    struct device_module *module = NULL;
    bool shows = true;
    if (!part->ok) memset(part->batch.wanted, 0, part->batch.count * sizeof *part->batch.wanted);
    if (part->ok && p.device->load(p.text.ptx[0], p.text.length[0], "reduce.cu", &module, &e) == DEVICE_OK) {
        for (unsigned v = 0; v < VARIANT_COUNT; v++) p.module[v] = module;
        shows = run_edits(part->trial, before, &part->batch, &p, probe, outcome, least, left);
        p.device->unload(module);
    }
    if (part->ok) compiled_free(&part->text);
    free(part->batch.apart), free(part->batch.number);
    return shows;
}
bool trial_run(struct trial *t, const struct trial_outcome *before, struct edit *const edit[], unsigned count,
               unsigned probe, const char *kernel, struct trial_outcome outcome[], bool compiled[], uint64_t *left) {
    /* Without selection at run time, compiling the edits takes much longer than running them. Two compilers therefore
     * work at the same time, except for FEW edits, which compile as fast as a second compiler starts. */
    enum { PARTS = 2, FEW = 4 };
    const unsigned parts = !t->quick && count > FEW && count <= MAX_COPIES ? PARTS : 1;
    /* In a quick trial, an edit that leaves more than a third of the wrong cases wrong is not worth reporting. */
    unsigned least = t->quick ? (t->count - before->right) / 3 : UINT_MAX;
    struct part part[PARTS];
    pthread_t other;
    bool shows = true;
    memset(outcome, 0, tries_of(t, count) * sizeof *outcome);
    for (unsigned k = 0; k < parts; k++) {
        const unsigned from = k * count / parts, n = (k + 1) * count / parts - from;
        part[k] = (struct part){.trial = t,
                                .batch = {edit + from, n, kernel, compiled + from, calloc(n + 1, sizeof(bool)),
                                          calloc(n + 1, sizeof(unsigned))}};
    }
    const bool two = parts == PARTS && !pthread_create(&other, NULL, compile_part, &part[1]);
    for (unsigned k = 0; k < (two ? 1 : parts); k++) compile_part(&part[k]);
    if (two) pthread_join(other, NULL);
    for (unsigned k = 0, at = 0; k < parts; at += part[k++].batch.count)
        shows &= run_part(&part[k], before, probe, outcome + at, &least, left);
    return shows;
}
