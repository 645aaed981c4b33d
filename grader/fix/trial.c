/* See trial.h. */
#include "fix/trial.h"
#include "judge/compile.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COMPILES = 4, MEASURED = MEASURE_RACES | MEASURE_MEMORY | MEASURE_BARRIERS };
/* What bounds a trial is work, warp-instructions of the simulator, so that it comes out alike on every machine: of a
 * launch (and more for each element and thread), of the submission as it is, of an edit, of all edits. */
enum {
    LEAST_BUDGET = 1 << 12,
    FEW_TIMES = 4,
    OF_A_WARP = 1 << 9,
    OF_AN_ELEMENT = 1 << 5,
    SMALL_BUDGET = 1 << 16,
    BASELINE_WORK = 1 << 18,
    EDIT_WORK = 1 << 19,
    ALL_WORK = 1 << 20,
    QUICK_FACTOR = 5,
    SURE_TIMES = 4 /* the last look, at few edits, sees more cases */
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
           a->launches == b->launches && a->special == b->special;
}
static void add_case(struct trial *t, const struct grade_case *c) {
    if (strcmp(c->kernel->name, t->kernel) != 0 || (c->special && !c->values)) return;
    for (unsigned k = 0; k < t->count; k++)
        if (same_case(&t->cases[k], c)) return;
    if (t->count < TRIAL_CASES && !case_is_large(c)) t->cases[t->count++] = *c;
}
static int by_size(const void *a, const void *b) {
    const struct grade_case *x = a, *y = b;
    const uint64_t n = (uint64_t)x->n * 4 + x->block, m = (uint64_t)y->n * 4 + y->block;
    return n < m ? -1 : n > m;
}
/* Of many cases some of each size are taken. */
static void add_cases(struct trial *t, const struct lab_check *check) {
    unsigned count;
    t->judge.check = check;
    struct grade_case *all = case_list(&t->judge, check->kind->cases, &count);
    if (all) qsort(all, count, sizeof *all, by_size);
    const unsigned most = TRIAL_CASES / 3, step = count / most + 1;
    for (unsigned k = 0; all && k < count; k += step) add_case(t, &all[k]);
    free(all);
}
void trial_begin(struct trial *t, const struct judge *j, const json_t *tests, const struct grade_case *failed,
                 uint32_t variants, const struct source *source, bool quick) {
    memset(t, 0, sizeof *t);
    t->judge = *j, t->options = *j->options, t->lab = *j->lab;
    t->source = source, t->quick = quick;
    t->lab.variants &= variants;
    t->options.lab = t->judge.lab = &t->lab;
    t->options.gpu = NULL;
    t->judge.options = &t->options;
    t->kernel = failed->kernel->name;
    add_case(t, failed);
    for (unsigned k = 0; k < t->lab.check_count; k++) {
        const struct lab_check *check = &t->lab.checks[k];
        if (check->kind->cases != CASES_NONE && t->count < TRIAL_CASES && fails(tests, check->id)) add_cases(t, check);
    }
    qsort(t->cases, t->count, sizeof *t->cases, by_size);
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
        const char *key; /* a finding's key begins so */
        enum symptom symptom;
    } kinds[] = {{"out-of-bounds", SHOWS_BOUNDS}, {"null", SHOWS_BOUNDS},       {"misaligned", SHOWS_ALIGNMENT},
                 {"uninit", SHOWS_UNINITIALIZED}, {"race", SHOWS_RACE},         {"same-value", SHOWS_RACE},
                 {"barrier", SHOWS_BARRIER},      {"deadlock", SHOWS_BARRIER},  {"sync", SHOWS_LANES},
                 {"shuffle", SHOWS_LANES},        {"active-mask", SHOWS_LANES}, {"runaway", SHOWS_ENDLESS}};
    unsigned shows = 0;
    if (o->kind != OUTCOME_RIGHT && o->unwritten) shows |= SHOWS_UNWRITTEN;
    if (o->kind != OUTCOME_RIGHT && o->launch > 1) shows |= SHOWS_LAUNCH;
    for (unsigned f = 0; f < o->measurement.findings.count; f++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            if (!strncmp(o->measurement.findings.item[f].kind->key, kinds[k].key, strlen(kinds[k].key)))
                shows |= kinds[k].symptom;
    return shows;
}
static bool is_in(const struct finding_list *l, const struct finding *f) {
    for (unsigned k = 0; k < l->count; k++)
        if (l->item[k].kind == f->kind && l->item[k].at.line == f->at.line) return true;
    return false;
}
static bool nothing_new(const struct trial_outcome *before, const struct trial_outcome *now) {
    for (unsigned k = 0; k < now->findings.count; k++) {
        const struct finding *f = &now->findings.item[k];
        if (f->kind->severity == FINDING_ERROR && !is_in(&before->findings, f)) return false;
    }
    return true;
}
bool trial_helps(const struct trial *t, const struct trial_outcome *before, const struct trial_outcome *now) {
    unsigned wrong = t->count - before->right, left = 0;
    for (unsigned k = 0; k < now->run; k++) left += !now->is_right[k];
    return 2 * left <= wrong && nothing_new(before, now);
}
/* Cases from..to of a program, as long as its work lasts, and as it helps (`before` NULL: any). */
struct bounds {
    uint64_t work, launch; /* warp-instructions: of all, of a launch */
    const struct trial_outcome *before;
};
static void run_cases(struct trial *t, const struct program *p, unsigned from, unsigned to, const struct bounds *most,
                      struct trial_outcome *o) {
    struct judge j = t->judge;
    j.budget = most->launch;
    struct outcome out[DEVICE_AT_ONCE];
    for (unsigned k = from; k < to; k += DEVICE_AT_ONCE) {
        const struct grade_case *cases[DEVICE_AT_ONCE];
        struct outcome *outs[DEVICE_AT_ONCE];
        const unsigned n = to - k < DEVICE_AT_ONCE ? to - k : DEVICE_AT_ONCE;
        if (o->work > most->work || (most->before && !trial_helps(t, most->before, o))) return;
        for (unsigned i = 0; i < n; i++) cases[i] = &t->cases[k + i], outs[i] = &out[i];
        cases_run(&j, p, cases, n, MEASURED, outs);
        for (unsigned i = 0; i < n; i++) {
            struct finding_list *l = &out[i].measurement.findings;
            const bool right =
                out[i].kind == OUTCOME_RIGHT && !finding_first_error(l) && !(t->strict && has_warning(l));
            o->is_right[k + i] = right, o->right += right, o->run++;
            o->work += o->work_of[k + i] = out[i].work;
            o->shows |= shown_by(&out[i]);
            for (unsigned f = 0; f < l->count; f++) finding_add(&o->findings, &l->item[f]);
            o->names[k + i] = out[i].measurement.names, out[i].measurement.names = NULL;
            outcome_free(&out[i]);
        }
    }
}
void trial_baseline(struct trial *t, struct trial_outcome *o) {
    memset(o, 0, sizeof *o);
    run_cases(t, &t->judge.student, 0, t->count,
              &(struct bounds){t->quick ? BASELINE_WORK : SURE_TIMES * BASELINE_WORK, SMALL_BUDGET, NULL}, o);
    t->count = o->run;
}
/* ---- compiling ---------------------------------------------------------------------------------------- */
/* The text with comments, and the bodies of other kernels, blank: less to compile, and all lines where they
 * were. */
static void blank_rest(const struct source *s, char *text, const char *kernel) {
    for (int32_t f = 0; kernel && f < s->functions; f++) {
        if (!s->function[f].is_kernel || source_is(s, s->function[f].name.first, kernel)) continue;
        const struct range body = s->statement[s->function[f].body].all;
        for (uint32_t k = source_begin(s, body) + 1; k + 1 < source_end(s, body); k++)
            if (text[k] != '\n') text[k] = ' ';
    }
}
static void write_edit(FILE *f, const struct source *s, const struct edit *e, unsigned number, const char *kernel) {
    char *copy = strdup(s->text);
    if (!copy) return;
    blank_rest(s, copy, kernel);
    struct source blank = *s;
    blank.text = copy;
    char *text = edit_apply(&blank, e);
    if (text) fprintf(f, "namespace fix%u {\n#line 1 \"fix%u/reduce.cu\"\n%s\n}\n", number, number, text);
    free(text), free(copy);
}
static char *unit_of(const struct trial *t, struct edit *const edit[], unsigned count, const bool wanted[],
                     const char *kernel) {
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    for (unsigned k = 0; f && k < count; k++)
        if (wanted[k]) write_edit(f, t->source, edit[k], k, kernel);
    if (f) fclose(f);
    return text;
}
/* The edits that the compiler complains about are not wanted any more; false: it complains about none. */
static bool drop_refused(const char *log, unsigned count, bool wanted[]) {
    bool any = false;
    for (const char *at = log; at && (at = strstr(at, "fix")); at++) {
        char *end;
        const unsigned long k = strtoul(at + 3, &end, 10);
        const char *line = end + strcspn(end, "\n");
        if (end == at + 3 || strncmp(end, "/reduce.cu", 10) != 0 || k >= count) continue;
        if (memmem(end, (size_t)(line - end), "error", 5) && wanted[k]) wanted[k] = false, any = true;
    }
    return any;
}
static bool compile_edits(const struct trial *t, struct edit *const edit[], unsigned count, const char *kernel,
                          bool wanted[], struct compiled *out) {
    for (unsigned k = 0; k < count; k++) wanted[k] = true;
    for (unsigned k = 0; k < MOST_COMPILES; k++) {
        char *unit = unit_of(t, edit, count, wanted, kernel);
        if (!unit) return false;
        const struct compile_request r = {.shown = "reduce.cu",
                                          .root = t->options.root,
                                          .variants = t->lab.variants,
                                          .solution = t->options.solution,
                                          .sandbox = t->options.sandbox,
                                          .text = unit,
                                          .once = true,
                                          .quick = t->quick};
        *out = compile(t->options.compiler, &r);
        free(unit);
        if (out->status == COMPILE_OK) return true;
        const bool dropped = out->status == COMPILE_SUBMISSION && out->log && drop_refused(out->log, count, wanted);
        compiled_free(out);
        if (!dropped) return false;
    }
    return false;
}
/* The kernels of edit `number`. */
static void find_symbols(const struct trial *t, const struct compiled *c, unsigned number, char **symbol) {
    char space[20];
    snprintf(space, sizeof space, "fix%u", number);
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
/* So much work at most is an edit worth in a case; else it is endless. If the submission is itself, its own work says
 * nothing, and what any kernel needs for such a case bounds it: hundreds of edits may be endless, too. */
static uint64_t usual_work(const struct grade_case *c, uint64_t before) {
    const uint64_t any = LEAST_BUDGET + OF_A_WARP * ((uint64_t)c->block / 32 * (c->grid ? c->grid : 1)) +
                         OF_AN_ELEMENT * (uint64_t)c->n,
                   few = FEW_TIMES * before + LEAST_BUDGET;
    return few < any ? few : any;
}
void trial_run(struct trial *t, const struct trial_outcome *before, struct edit *const edit[], unsigned count,
               unsigned probe, const char *kernel, struct trial_outcome outcome[], bool compiled[]) {
    struct program p = {.device = t->judge.student.device};
    struct device_error e;
    memset(outcome, 0, count * sizeof *outcome);
    if (!compile_edits(t, edit, count, kernel, compiled, &p.text)) {
        memset(compiled, 0, count * sizeof *compiled);
        return;
    }
    struct device_module *module = NULL;
    if (p.device->load(p.text.ptx[0], p.text.length[0], "reduce.cu", &module, &e) == DEVICE_OK) {
        const unsigned symbols = t->lab.kernel_count * VARIANT_COUNT;
        for (unsigned v = 0; v < VARIANT_COUNT; v++) p.module[v] = module;
        const uint64_t factor = t->quick ? QUICK_FACTOR : 1, most = t->quick ? factor : SURE_TIMES;
        const struct bounds all = {EDIT_WORK * most, SMALL_BUDGET * factor, before};
        const uint64_t usual = factor * usual_work(&t->cases[probe], before->work_of[probe]);
        const struct bounds first = {EDIT_WORK * factor, usual < all.launch ? usual : all.launch, NULL};
        uint64_t left = ALL_WORK * most;
        unsigned enough = UINT_MAX; /* cost of an edit after which all is right: no other that costs more is better */
        for (unsigned k = 0; k < count && left; k++) {
            if (!compiled[k] || edit[k]->cost > enough || !(p.symbol = calloc(symbols, sizeof *p.symbol))) continue;
            find_symbols(t, &p.text, k, p.symbol);
            struct trial_outcome *o = &outcome[k];
            run_cases(t, &p, probe, probe + 1, &first, o);
            left -= o->work < left ? o->work : left;
            if (o->right) {
                trial_outcome_free(o);
                run_cases(t, &p, 0, t->count, &all, o);
                left -= o->work < left ? o->work : left;
                if (o->right == t->count && edit[k]->cost < enough) enough = edit[k]->cost;
            }
            for (unsigned s = 0; s < symbols; s++) free(p.symbol[s]);
            free(p.symbol);
        }
        p.device->unload(module);
    }
    compiled_free(&p.text);
}
