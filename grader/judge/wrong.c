/* See wrong.h. */
#include "judge/wrong.h"
#include "device/advance.h"
#include "judge/case_large.h"
#include "judge/case_again.h"
#include "judge/case_plan.h"
#include "judge/example.h"
#include "judge/fate_words.h"
#include "judge/values.h"
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- in words ------------------------------------------------------------------------------- */
static const struct finding *endless_finding(const struct outcome *o) {
    for (unsigned n = 0; n < o->measurement.findings.count; n++)
        if (o->measurement.findings.item[n].kind->runs_out) return &o->measurement.findings.item[n];
    return NULL;
}
bool outcome_is_endless(const struct outcome *o) { return endless_finding(o) != NULL; }
/* Describes a large launch that used up its budget. */
static char *endless_text(const struct finding *f, char *out, size_t size) {
    char line[32] = "";
    if (f->at.line) snprintf(line, sizeof line, " at line %u", f->at.line);
    snprintf(out, size,
             "stopped%s: the kernel does not end, or its work grows faster than the input and the number of blocks",
             line);
    return out;
}
/* Returns the word for what runs several times: "launch" for one launch, or "run" for all launches that compute a
 * total. */
static const char *launch_word(const struct grade_case *c) {
    return c->kernel->finish == FINISH_ITSELF ? "launch" : "run";
}
void wrong_describe(const struct grade_case *c, const struct outcome *o, const char *why, char *out, size_t size) {
    char name[300], got[100], expected[100], bound[64] = "";
    case_name(c, name, sizeof name);
    const struct grade_case given = case_launch(c, o->launch ? o->launch - 1 : 0);
    const uint32_t blocks = case_blocks(&given, given.n, 0);
    char cluster[24] = "", place[100] = "";
    if (given.cluster) snprintf(cluster, sizeof cluster, ", cluster=%u", case_cluster(&given, blocks));
    if (given.offset != c->offset) snprintf(place, sizeof place, ", offset=%u", given.offset);
    if (given.moved && !*place) snprintf(place, sizeof place, ", `%s` at a different address", c->kernel->input);
    if (o->launch > 1) /* the launches before were correct */
        snprintf(name + strlen(name), sizeof name - strlen(name), ", %s %u of %u (n=%u, block=%u, grid=%u%s%s)",
                 launch_word(c), o->launch, case_launches(c), given.n, given.block, blocks, cluster, place);
    if (c->wrap && o->launch > ADVANCE_AFTER)
        snprintf(name + strlen(name), sizeof name - strlen(name),
                 c->wrap > ADVANCE_MAX_BITS
                     ? ", with counters advanced as if by earlier launches, until one reaches %u"
                     : ", with counters advanced as if by earlier launches, until one is at least 2^%u",
                 c->wrap);
    if (o->kind != OUTCOME_WRONG) {
        const struct finding *first = finding_first_error(&o->measurement.findings);
        const char *what = first ? catalog_words(first->kind, measure_taught(&o->measurement)).title : o->message;
        char endless[160];
        if (case_is_large(c) && outcome_is_endless(o)) what = endless_text(endless_finding(o), endless, sizeof endless);
        snprintf(out, size, "%s: %.300s", name, what);
        return;
    }
    if (o->fault.array) {
        char where[300];
        snprintf(out, size, "%s: %s", name, array_fault_text(&o->fault, where, sizeof where));
        return;
    }
    if (o->unwritten && o->may_be_old) {
        snprintf(out, size, "%s: got %s", name, OUTCOME_OLD);
        return;
    }
    if (outcome_may_be_copied(o)) { /* the output may be a copy of such memory */
        const bool more = *why && !strstr(why, OUTCOME_COPIED);
        snprintf(out, size, "%s: the result is " OUTCOME_COPIED "%s%s", name, more ? ": " : "", more ? why : "");
        return;
    }
    if (o->unwritten) {
        char fact[80];
        snprintf(fact, sizeof fact, "%s[%u] was never written", c->kernel->output, o->unwritten_at);
        const bool begins = !strncmp(why, fact, strlen(fact)), more = *why && !begins;
        snprintf(out, size, "%s: %s%s%s", name, begins ? why : fact, more ? ": " : "", more ? why : "");
        return;
    }
    if (c->spare && o->place) {
        snprintf(out, size, "%s: block %llu owns no element, but %s[%llu] is %s instead of identity()", name,
                 (unsigned long long)o->place, c->kernel->output, (unsigned long long)o->place,
                 outcome_got(c, o, got, sizeof got));
        return;
    }
    if (c->kernel->finish == FINISH_LEVELS && (o->place || UINT64_C(1) << case_levels(&given) < given.n)) {
        snprintf(out, size, "%s: after the launch with stride %llu, %s[%llu] is %s instead of %s: %s", name,
                 (unsigned long long)(UINT64_C(1) << case_levels(&given) >> 1), c->kernel->output,
                 (unsigned long long)o->place, outcome_got(c, o, got, sizeof got),
                 outcome_expected(c, o, expected, sizeof expected),
                 *why && !o->place ? why
                                   : "each launch must store each pair's result in the pair's left element, and change "
                                     "no other element");
        return;
    }
    if (o->bound > 0) snprintf(bound, sizeof bound, " (tolerance %.3g)", o->bound);
    snprintf(out, size, "%s: got %s, expected %s%s%s%s", name, outcome_got(c, o, got, sizeof got),
             outcome_expected(c, o, expected, sizeof expected), bound, *why ? ": " : "", why);
}

/* ---- why ------------------------------------------------------------------------------------ */
static bool is_right(const struct judge *j, const struct grade_case *c) {
    struct outcome o;
    case_run(j, &j->student, c, 0, &o);
    const bool right = o.kind == OUTCOME_RIGHT;
    outcome_free(&o);
    return right;
}
/* Runs a launch of the case alone, with the same elements, and measures `what`. Call outcome_free() afterward. */
static void run_alone(const struct judge *j, const struct grade_case *c, unsigned launch, uint64_t order, unsigned what,
                      struct outcome *o) {
    struct grade_case alone = case_launch(c, launch - 1);
    void *values = variant_is_own(c->variant) ? NULL : calloc(c->n + 1, variant_size(c->variant));
    if (values) case_set(c, launch - 1, values), alone.values = values;
    alone.order = order;
    case_run(j, &j->student, &alone, what, o);
    free(values);
}
/* Returns whether a wrong launch after a correct one is correct if it runs alone with the same elements. */
static bool is_right_alone(const struct judge *j, const struct grade_case *c, unsigned launch, uint64_t order) {
    struct outcome o;
    run_alone(j, c, launch, order, 0, &o);
    const bool right = o.kind == OUTCOME_RIGHT || (o.kind == OUTCOME_WRONG && o.launch > 1);
    outcome_free(&o);
    return right;
}
/* Returns whether a launch of the case, which runs alone, accesses memory outside its arrays. */
static bool leaves_arrays(const struct judge *j, const struct grade_case *c, unsigned launch) {
    struct outcome o;
    bool leaves = false;
    run_alone(j, c, launch, 0, MEASURE_FAULTS, &o);
    for (unsigned k = 0; k < o.measurement.findings.count; k++)
        leaves |= !strcmp(o.measurement.findings.item[k].kind->key, "out-of-bounds");
    outcome_free(&o);
    return leaves;
}
/* Returns whether the launch's result depends on the earlier launches. The launch must be the first wrong one in other
 * orders of execution and on other SMs, too. It must be right if it runs alone. */
static bool needs_earlier_launches(const struct judge *j, const struct grade_case *c, const struct outcome *wrong) {
    enum { ORDERS = 3 };
    bool same = true;
    for (uint64_t order = 1; same && order <= ORDERS; order++) {
        struct grade_case again = *c;
        struct outcome o;
        again.order = order;
        case_run(j, &j->student, &again, 0, &o);
        same = o.kind == OUTCOME_WRONG && o.launch == wrong->launch && is_right_alone(j, c, wrong->launch, order);
        outcome_free(&o);
    }
    return same;
}
/* Returns whether this value is the result of launch `launch` (from 1), and is not identity(). */
static bool is_result_of(const struct grade_case *c, unsigned launch, union value got, void *values) {
    const uint32_t n = case_launch(c, launch - 1).n;
    case_set(c, launch - 1, values);
    return n && reference_equal(c->variant, reference_reduce(c->variant, values, n), got) &&
           !reference_equal(c->variant, got, reference_identity(c->variant));
}
/* Returns whether the wrong launch has the result of launch `kept` even if the case has other elements. Otherwise, the
 * two results may be equal by chance. */
static bool is_kept_again(const struct judge *j, const struct grade_case *c, unsigned wrong, unsigned kept,
                          void *values) {
    struct grade_case other = *c, source = *c;
    void *elements = calloc(c->n + 1, variant_size(c->variant));
    struct outcome o = {.kind = OUTCOME_NOT_RUN};
    source.seed = ~c->seed, source.data = DATA_ORDINARY, source.values = NULL, source.special = 0;
    if (elements) {
        case_data(&source, elements), other.values = elements;
        case_run(j, &j->student, &other, 0, &o);
    }
    const bool again = o.kind == OUTCOME_WRONG && o.launch == wrong && is_result_of(&other, kept, o.got, values);
    outcome_free(&o);
    free(elements);
    return again;
}
/* Returns the number (from 1) of the last earlier launch whose correct result the wrong launch has kept, or 0. */
static unsigned kept_from(const struct judge *j, const struct grade_case *c, const struct outcome *o) {
    void *values = o->unwritten || variant_is_own(c->variant) ? NULL : calloc(c->n + 1, variant_size(c->variant));
    unsigned launch = values ? o->launch - 1 : 0;
    while (launch && !is_result_of(c, launch, o->got, values)) launch--;
    if (launch && !is_kept_again(j, c, o->launch, launch, values)) launch = 0;
    free(values);
    return launch;
}
/* If a launch's elements are derived from given elements, prints them, such as "launch 2 has in = 1,-2". */
static void tell_elements(const struct grade_case *c, unsigned launch, char *out, size_t size) {
    char list[REPLAY_VALUES] = "";
    void *values = c->values && case_sets(c, launch) > 1 ? calloc(c->n + 1, variant_size(c->variant)) : NULL;
    if (values) case_set(c, launch - 1, values);
    if (values && values_print(c->variant, values, case_launch(c, launch - 1).n, list, sizeof list))
        snprintf(out, size, "%s %u has %s = %s", launch_word(c), launch, c->kernel->input, list);
    free(values);
}
static void tell_state(const struct judge *j, const struct grade_case *c, const struct outcome *o,
                       char why[FATE_STATEMENT]) {
    const bool needed = needs_earlier_launches(j, c, o);
    const unsigned kept = needed ? kept_from(j, c, o) : 0;
    if (!needed)
        snprintf(why, FATE_STATEMENT,
                 "whether this %s is right depends on the order of blocks and warps, or on the SMs that run them",
                 launch_word(c));
    else if (kept)
        snprintf(why, FATE_STATEMENT,
                 "this is the result of %s %u: the elements have changed since then, and a launch must not use "
                 "values that an earlier launch left in memory",
                 launch_word(c), kept);
    else if (leaves_arrays(j, c, o->launch))
        snprintf(
            why, FATE_STATEMENT,
            "this %s accesses memory outside its arrays, so the result depends on the values that happen to be there",
            launch_word(c));
    else
        snprintf(
            why, FATE_STATEMENT,
            "the same %s gives the right result if it is the first, so it uses a value that an earlier one left in "
            "memory%s",
            launch_word(c), c->kernel->finish == FINISH_ITSELF ? ", such as a ticket or a partial result" : "");
}
/* Removes statements that are not true of the result of case d. Returns false if nothing is known about this result,
 * for example because it is correct. */
static bool keep_common(const struct judge *j, const struct grade_case *d, unsigned launch, struct fate_statements *s) {
    struct fate_statements theirs;
    struct fate fate;
    fate_find(j, d, launch, &fate);
    fate_state(&fate, d, launch, &theirs);
    const bool known = fate_is_known(&fate);
    if (known) fate_common(s, &theirs);
    fate_free(&fate);
    return known;
}
/* Finds the statements that several wrong results have in common: the given one, those of up to three larger cases, and
 * those of the same launch with more elements. A statement that is true only of a small launch says nothing about the
 * kernel. */
static void find_statements(const struct judge *j, const struct wrong_cases *w, const struct fate *own,
                            const struct grade_case *c, unsigned launch, struct fate_statements *s) {
    enum { OTHERS = 3 };
    unsigned others = 0;
    fate_state(own, c, launch, s);
    for (unsigned k = 0; s->count && k < w->count && others < OTHERS; k++) {
        const struct grade_case *d = &w->cases[k];
        const struct outcome *o = &w->outcomes[k];
        if (o->kind != OUTCOME_WRONG || o->unwritten || o->launch > 1 || d->kernel != c->kernel || d->n <= c->n ||
            case_repeats(d))
            continue;
        others += keep_common(j, d, o->launch, s);
    }
    const uint32_t unit = fate_unit(c), sizes[] = {3 * unit + unit / 2 + 3, 5 * unit};
    for (unsigned k = 0; s->count && launch <= 1 && unit && k < sizeof sizes / sizeof *sizes; k++) {
        struct grade_case d = *c;
        d.n = sizes[k], d.special = 0, d.values = NULL;
        if (d.n > c->n) keep_common(j, &d, launch, s);
    }
}
/* Returns whether a subnormal result became 0, as with .ftz instructions. As a test, multiplies each subnormal element
 * by a power of two that makes it normal; then the result must be right. */
static bool is_flushed(const struct judge *j, const struct grade_case *c, const struct outcome *wrong) {
    const struct variant v = c->variant;
    const double least = v.type == REDUCE_TYPE_F32 ? (double)FLT_MIN : DBL_MIN;
    if (!variant_is_float(v) || variant_is_struct(v) || wrong->launch > 1) return false;
    const double expected = fabs(reference_double(v, wrong->expected));
    if (reference_double(v, wrong->got) != 0 || expected == 0 || expected >= least) return false;
    struct grade_case normal = *c;
    void *values = calloc(c->n + 1, variant_size(v));
    bool right = false;
    if (values) {
        case_data(c, values), normal.values = values;
        for (uint32_t k = 0; k < c->n; k++) {
            const double x = reference_double(v, reference_load(v, values, k)), up = fabs(x) < least ? ldexp(x, 60) : x;
            reference_store(v, values, k,
                            v.type == REDUCE_TYPE_F32 ? (union value){.f32 = (float)up} : (union value){.f64 = up});
        }
        right = is_right(j, &normal);
    }
    free(values);
    return right;
}
/* Returns whether the sum of some elements can exceed the largest half. */
static bool exceeds_halves(const struct grade_case *c) {
    const struct variant v = c->variant;
    double sum = 0;
    void *values = calloc(c->n + 1, variant_size(v));
    if (values) case_data(c, values);
    for (uint32_t k = 0; values && k < c->n; k++) sum += fabs(reference_double(v, reference_load(v, values, k)));
    free(values);
    return sum > 65504;
}
/* Returns whether the result is finite if each element is divided by 1024. */
static bool is_finite_if_small(const struct judge *j, const struct grade_case *c) {
    struct grade_case small = *c;
    void *values = calloc(c->n + 1, variant_size(c->variant));
    struct outcome o = {.kind = OUTCOME_NOT_RUN};
    if (values) case_data(c, values), small.values = values;
    for (uint32_t k = 0; values && k < c->n; k++) {
        const double x = reference_double(c->variant, reference_load(c->variant, values, k));
        reference_store(c->variant, values, k, (union value){.f32 = (float)(x / 1024)});
    }
    if (values) case_run(j, &j->student, &small, 0, &o);
    const bool right = o.kind == OUTCOME_RIGHT || o.launch > 1,
               finite = right || (o.kind == OUTCOME_WRONG && isfinite(reference_double(c->variant, o.got)));
    outcome_free(&o);
    free(values);
    return finite;
}
/* Explains a sum of halves that exceeded the precision or the range of a half. Returns "" if this does not apply. */
static const char *lost_in_halves(const struct judge *j, const struct grade_case *c, const struct outcome *o) {
    const double got = reference_double(c->variant, o->got), expected = reference_double(c->variant, o->expected);
    if (!c->kernel->halves || o->unwritten) return "";
    if (!isfinite(got))
        return exceeds_halves(c) && is_finite_if_small(j, c)
                   ? "a half holds at most 65504, so a larger sum becomes infinite"
                   : "";
    return fabs(got - expected) < fabs(expected) / 256 ? "the result is nearly right, as if a sum had been rounded to "
                                                         "a half, which has only 11 significant bits"
                                                       : "";
}
/* An integer that a narrower type cannot hold, and what it becomes there. */
static const struct narrow {
    enum reduce_type type;
    int64_t given, got;
    const char *as;
} narrow_types[] = {
    {REDUCE_TYPE_I32, (1 << 24) + 1, 1 << 24, "rounded to a float"},
    {REDUCE_TYPE_U32, (1 << 24) + 1, 1 << 24, "rounded to a float"},
    {REDUCE_TYPE_F64, (1 << 24) + 1, 1 << 24, "rounded to a float"},
    {REDUCE_TYPE_I64, (1 << 24) + 1, 1 << 24, "rounded to a float"},
    {REDUCE_TYPE_I64, (INT64_C(1) << 53) + 1, INT64_C(1) << 53, "rounded to a double"},
    {REDUCE_TYPE_I64, (INT64_C(1) << 32) + 1, 1, "cut to 32 bits"},
};
static union value integer(struct variant v, int64_t x) {
    return v.type == REDUCE_TYPE_F64   ? (union value){.f64 = (double)x}
           : v.type == REDUCE_TYPE_I64 ? (union value){.bits = (uint64_t)x}
                                       : (union value){.u32 = (uint32_t)x};
}
/* Returns whether the kernel returns the value t->got for an element t->given, while all other elements are
 * identity(). */
static bool is_narrowed(const struct judge *j, const struct grade_case *c, const struct narrow *t) {
    struct grade_case one = *c;
    const struct variant v = c->variant;
    void *values = calloc(c->n + 1, variant_size(v));
    struct outcome o = {.kind = OUTCOME_NOT_RUN};
    for (uint32_t k = 0; values && k < c->n; k++)
        reference_store(v, values, k, k ? reference_identity(v) : integer(v, t->given));
    one.values = values, one.special = 0, one.data = DATA_EXACT;
    if (values) case_run(j, &j->student, &one, 0, &o);
    const bool narrowed =
        o.kind == OUTCOME_WRONG && !o.unwritten && o.launch <= 1 && reference_equal(v, o.got, integer(v, t->got));
    outcome_free(&o);
    free(values);
    return narrowed;
}
static void tell_narrow(const struct judge *j, const struct grade_case *c, char why[FATE_STATEMENT]) {
    const struct variant v = c->variant;
    if (variant_is_struct(v) || variant_is_own(v) || !variant_commutes(v) || !c->n) return;
    for (const struct narrow *t = narrow_types; !*why && t < narrow_types + sizeof narrow_types / sizeof *t; t++)
        if (t->type == v.type && is_narrowed(j, c, t))
            snprintf(
                why, FATE_STATEMENT,
                "if one element is %lld and all others are identity(), the result is %lld, as if the element were %s",
                (long long)t->given, (long long)t->got, t->as);
}
/* Returns whether n exceeds `most`, and the result is right for `most` and for two smaller n, but wrong for n just
 * above. */
static bool fails_past(const struct judge *j, const struct grade_case *c, uint32_t most) {
    enum { NEAR = 64, MAX_WORK_EACH = 1 << 25 };
    const uint32_t smaller[] = {most, most / 2 + 1, most - 1000};
    struct judge brief = *j;
    bool right = c->n > most;
    brief.most = MAX_WORK_EACH;
    for (unsigned k = 0; right && k < sizeof smaller / sizeof *smaller; k++) {
        struct grade_case d = *c;
        d.n = smaller[k], right = is_right(&brief, &d);
    }
    struct grade_case above = *c;
    above.n = most + 1;
    return right && (c->n - most <= NEAR || !is_right(&brief, &above));
}
static void tell_large(const struct judge *j, const struct grade_case *c, char why[FATE_STATEMENT]) {
    if (fails_past(j, c, INT_MAX))
        snprintf(why, FATE_STATEMENT,
                 "n is more than the largest int, 2147483647, and smaller n give the right result");
    else if (c->n > 1 << 24 && fails_past(j, c, 1 << 24))
        snprintf(why, FATE_STATEMENT,
                 "n is more than 2^24, up to which a float holds every integer, and smaller n give the right result");
}
/* Makes the launch with the wrong result the only launch of the case. Returns its elements; free() them. */
static void *only_launch(const struct outcome *o, struct grade_case *c) {
    void *values = calloc(c->n + 1, variant_size(c->variant));
    const struct grade_case all = *c;
    if (!values) return NULL;
    case_set(&all, o->launch - 1, values);
    *c = case_launch(&all, o->launch - 1);
    c->values = values, c->special = 0, c->launches = 1, c->wrap = 0;
    return values;
}
/* Explains a wrong result. Prints the explanation for the message to `why`, and the fate of the elements to `fate`. */
static void find_why(const struct judge *j, const struct wrong_cases *w, const struct grade_case *all,
                     const struct outcome *o, char why[FATE_STATEMENT], char *fate, size_t size) {
    struct fate f;
    struct fate_statements s;
    struct grade_case own = *all, *c = &own;
    *why = *fate = 0;
    if (o->kind != OUTCOME_WRONG || o->fault.array) return;
    if (!o->unwritten) tell_large(j, c, why);
    if (case_repeats(c)) return;
    if (o->launch > 1 && is_right_alone(j, c, o->launch, 0)) {
        tell_state(j, c, o, why);
        tell_elements(c, o->launch, fate, size);
        return;
    }
    if (o->unwritten) return;
    void *values = o->launch > 1 && !variant_is_own(c->variant) ? only_launch(o, c) : NULL;
    const unsigned launch = values ? c->kernel->finish == FINISH_ITSELF : o->launch;
    fate_find(j, c, launch, &f);
    fate_print(&f, c, fate, size);
    find_statements(j, w, &f, c, launch, &s);
    snprintf(why, FATE_STATEMENT, "%s", s.count ? s.text[0] : fate);
    if (!*why && is_flushed(j, c, o))
        snprintf(why, FATE_STATEMENT, "a subnormal result became 0, as with .ftz arithmetic");
    if (!*why) snprintf(why, FATE_STATEMENT, "%s", lost_in_halves(j, c, o));
    if (!*why) tell_narrow(j, c, why);
    fate_free(&f);
    free(values);
}

/* ---- the whole explanation ------------------------------------------------------------------ */
void wrong_explain(const struct judge *j, const struct wrong_cases *w, json_t *result, struct grade_case *shown,
                   void **values, char *message, size_t size) {
    struct example small = {0};
    char why[FATE_STATEMENT], fate[400], replay[PATH_MAX + 2 * REPLAY_VALUES];
    const struct outcome *o = &w->outcomes[w->first];
    *shown = w->cases[w->first];
    const bool found = w->count > 1 && !outcome_is_endless(o) && example_find(j, shown, o, &small);
    if (found) *shown = small.c, o = &small.o;
    *values = small.values;
    find_why(j, w, shown, o, why, fate, sizeof fate);
    json_t *example = example_json(j, shown, o, fate, found);
    /* if find_why() did not find the fate, the example's steps may show it */
    const char *seen = json_string_value(json_object_get(example, "fate"));
    wrong_describe(shown, o, *why || !seen ? why : seen, message, size);
    json_object_set_new(result, "replay", json_string(replay_command(j, shown, replay, sizeof replay)));
    json_object_set_new(result, "example", example);
    if (found) outcome_free(&small.o);
}
