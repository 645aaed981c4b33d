/* See example.h. */
#include "judge/example.h"
#include "judge/case_again.h"
#include "judge/case_plan.h"
#include "judge/play.h"
#include "judge/special.h"
#include "judge/values.h"
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Limits for all attempts together. MAX_WORK: elements plus threads; MAX_INSTRUCTIONS: warp-instructions. */
enum { MAX_WORK = 1 << 20, MAX_INSTRUCTIONS = 1 << 23 };
struct spent {
    uint64_t places, instructions;
};
static void spend_on(struct spent *s, const struct grade_case *c) {
    s->places += c->n + (uint64_t)c->block * case_blocks(c, c->n, 0);
}
static bool is_enough(const struct spent *s) { return s->places > MAX_WORK || s->instructions > MAX_INSTRUCTIONS; }

/* ---- simple values -------------------------------------------------------------------------- */
static union value whole(struct variant v, double x) {
    switch (v.type) {
    case REDUCE_TYPE_I32: return (union value){.i32 = (int32_t)x};
    case REDUCE_TYPE_U32: return (union value){.u32 = (uint32_t)x};
    case REDUCE_TYPE_I64: return (union value){.i64 = (int64_t)x};
    case REDUCE_TYPE_F32: return (union value){.f32 = (float)x};
    default: return (union value){.f64 = x};
    }
}
static union value pair(struct variant v, double value, uint32_t index) {
    union value x = whole(v, value);
    x.word[variant_size(v) / 8] = index;
    return x;
}
static union value rising(struct variant v, uint32_t n, uint32_t k) { return (void)n, whole(v, k + 1); }
static union value falling(struct variant v, uint32_t n, uint32_t k) { return whole(v, n - k); }
static union value negative(struct variant v, uint32_t n, uint32_t k) {
    return v.type == REDUCE_TYPE_U32 ? rising(v, n, k) : whole(v, -(double)(k + 1));
}
/* Generates factors of a product. Integers are odd, so the product is never 0; floats are 0.5 and 2, so it does not
 * overflow. */
static union value factors(struct variant v, uint32_t n, uint32_t k) {
    (void)n;
    return variant_is_float(v) ? whole(v, k % 2 ? 0.5 : 2) : whole(v, 2 * k + 3);
}
static union value pairs(struct variant v, uint32_t n, uint32_t k) { return (void)n, pair(v, k + 1, k); }
static union value pairs_falling(struct variant v, uint32_t n, uint32_t k) { return pair(v, n - k, k); }
static union value ties(struct variant v, uint32_t n, uint32_t k) { return (void)n, pair(v, 1, k); }
static union value ties_falling(struct variant v, uint32_t n, uint32_t k) { return pair(v, 1, n - 1 - k); }
/* Generates pairs that tie with identity(). If n is 1, generates an ordinary pair, because an example with two elements
 * shows more. */
static union value worst_pairs(struct variant v, uint32_t n, uint32_t k) {
    return n == 1 ? pairs(v, n, k) : pair(v, reference_double(v, reference_identity(v)), k);
}
static union value nan_last(struct variant v, uint32_t n, uint32_t k) {
    return variant_is_float(v) && k + 1 == n ? pair(v, (double)NAN, k) : pairs(v, n, k);
}
static union value nan_first(struct variant v, uint32_t n, uint32_t k) {
    return variant_is_float(v) && k == 0 ? pair(v, (double)NAN, k) : pairs(v, n, k);
}
static union value maps(struct variant v, uint32_t n, uint32_t k) {
    (void)n;
    return reference_pack(v, v.op == REDUCE_OP_MATRIX ? (union value){.word = {k + 1, 1, 1, 0}}
                                                      : (union value){.word = {2, k + 1}});
}
enum { PATTERNS = 8 };
typedef union value pattern(struct variant v, uint32_t n, uint32_t k);
static pattern *const patterns[REDUCE_OP_COUNT][PATTERNS] = {
    [REDUCE_OP_SUM] = {rising},
    [REDUCE_OP_PRODUCT] = {factors},
    [REDUCE_OP_MIN] = {rising, falling, negative},
    [REDUCE_OP_MAX] = {rising, falling, negative},
    [REDUCE_OP_AFFINE] = {maps},
    [REDUCE_OP_MATRIX] = {maps},
    [REDUCE_OP_ARGMIN] = {pairs, pairs_falling, ties, ties_falling, nan_last, nan_first, worst_pairs},
    [REDUCE_OP_ARGMAX] = {pairs, pairs_falling, ties, ties_falling, nan_last, nan_first, worst_pairs},
};

/* ---- launches and values to try, in order ----------------------------------------------------- */
/* Blocks and threads per block. 0 stands for the number in the failing case. */
static const struct launch {
    uint32_t grid, block;
} launches[] = {{1, 32}, {2, 32}, {3, 32}, {5, 32}, {1, 64}, {2, 64}, {1, 256}, {2, 256}, {0, 0}};
enum { LAUNCHES = sizeof launches / sizeof *launches, SMALL = 34, SIZES = SMALL + 14, VARIANTS = 2 };
/* Returns the k-th size to try. Sizes up to a warp plus two come first, then those at block boundaries. */
static uint32_t size_of(unsigned k, uint32_t block, uint32_t like) {
    const uint32_t edges[] = {block - 1,     block,     block + 1,     2 * block - 1, 2 * block,
                              2 * block + 1, 3 * block, 3 * block + 1, 4 * block - 1, 4 * block,
                              4 * block + 1, 5 * block, 6 * block + 1, like};
    return k < SMALL ? k + 1 : edges[k - SMALL];
}
struct walk {
    const struct judge *j;
    const struct grade_case *like;
    bool one_variant;
    unsigned launch, size, variant, pattern;
    struct spent spent;
};
static struct grade_case tried(const struct walk *w) {
    const struct launch *l = &launches[w->launch];
    struct grade_case c = *w->like;
    const struct lab_kernel *k = c.kernel;
    c.values = NULL, c.data = DATA_EXACT, c.special = 0;
    c.block = k->only_block ? k->only_block : l->block ? l->block : c.block;
    if (k->grid_stride) c.grid = l->grid ? l->grid : c.grid;
    if (l->block) c.offset = 0;
    if (w->variant == 0 && !variant_is_own(c.variant) && !data_kinds[w->like->data].bounded) {
        const struct variant first = variant_at((unsigned)__builtin_ctz(w->j->lab->variants));
        if (case_kernel_takes(w->j->lab, k, first) && program_symbol(w->j, &w->j->student, k->name, first))
            c.variant = first;
    }
    c.n = size_of(w->size, c.block, w->like->n);
    return c;
}
/* Returns whether an earlier row is the same launch for this kernel. */
static bool is_repeated(const struct walk *w) {
    const struct lab_kernel *k = w->like->kernel;
    const struct launch *l = &launches[w->launch];
    return w->launch && l->block && ((k->only_block && !k->grid_stride) || (!k->grid_stride && l->grid != 1));
}
static bool step(struct walk *w) {
    const struct grade_case c = tried(w);
    if (++w->pattern < PATTERNS && patterns[c.variant.op][w->pattern]) return true;
    w->pattern = 0;
    if (!w->one_variant && ++w->variant < VARIANTS) return true;
    w->variant = 0;
    if (++w->size < SIZES) return true;
    w->size = 0;
    while (++w->launch < LAUNCHES && is_repeated(w)) continue;
    return w->launch < LAUNCHES;
}
/* Returns whether the failing case's variant has been tried. */
static bool is_same_variant(const struct walk *w) {
    struct walk first = *w;
    first.variant = 0;
    return w->variant && variant_index(tried(&first).variant) == variant_index(w->like->variant);
}
/* Makes the next case and its elements. Returns false if there is none, or if a limit is reached. */
static bool next_case(struct walk *w, struct example *e) {
    struct grade_case *c = &e->c;
    for (bool more = w->launch < LAUNCHES; more; more = step(w)) {
        *c = tried(w);
        if (is_same_variant(w) || c->n > VALUES_MAX || case_is_large(c)) continue;
        spend_on(&w->spent, c);
        if (is_enough(&w->spent)) return false;
        pattern *const p = patterns[c->variant.op][w->pattern];
        if (!p || !(e->values = calloc(c->n + 1, variant_size(c->variant)))) return false;
        for (uint32_t k = 0; k < c->n; k++) reference_store(c->variant, e->values, k, p(c->variant, c->n, k));
        c->values = e->values, e->pattern = p;
        step(w);
        return true;
    }
    return false;
}
/* Runs the next cases together. Returns their number. */
static unsigned run_next(struct walk *w, unsigned what, struct example all[DEVICE_AT_ONCE]) {
    const struct grade_case *cases[DEVICE_AT_ONCE];
    struct outcome *outcomes[DEVICE_AT_ONCE];
    unsigned count = 0;
    while (count < DEVICE_AT_ONCE && next_case(w, &all[count])) {
        cases[count] = &all[count].c, outcomes[count] = &all[count].o;
        count++;
    }
    if (count) cases_run(w->j, &w->j->student, cases, count, what, false, outcomes);
    for (unsigned k = 0; k < count; k++) w->spent.instructions += outcomes[k]->effort;
    return count;
}
static bool is_searched(const struct grade_case *like) {
    return like->kernel->finish != FINISH_ARRAYS && !variant_is_own(like->variant);
}

/* ---- the smallest wrong result --------------------------------------------------------------- */
void example_free(struct example *e) {
    outcome_free(&e->o);
    free(e->values);
    e->values = NULL; /* callers test this pointer */
}
static bool is_alike(const struct outcome *a, const struct outcome *b) {
    return a->kind == b->kind && a->unwritten == b->unwritten;
}
static bool first_alike(struct walk *w, const struct outcome *o, struct example *e) {
    bool found = false;
    while (!found) {
        struct example all[DEVICE_AT_ONCE];
        const unsigned count = run_next(w, MEASURE_MEMORY | MEASURE_BARRIERS, all);
        if (!count) break;
        for (unsigned k = 0; k < count; k++) {
            const bool this = !found && is_alike(&all[k].o, o);
            if (this)
                *e = all[k], found = true;
            else
                example_free(&all[k]);
        }
    }
    return found;
}
/* Tries fewer elements with the same launch and pattern: from SMALL + 1 or n - MAX_TRIED upward. */
static void shrink(const struct judge *j, const struct outcome *o, struct example *e) {
    enum { MAX_TRIED = 512 };
    const struct grade_case found = e->c;
    const uint32_t first = found.n > MAX_TRIED ? found.n - MAX_TRIED : SMALL + 1;
    struct spent spent = {0};
    for (uint32_t n = first; n < found.n && e->c.n == found.n && !is_enough(&spent); n++) {
        struct example less = {.c = found, .values = calloc(n + 1, variant_size(found.variant))};
        if (!less.values) return;
        less.c.n = n, less.c.values = less.values;
        for (uint32_t k = 0; k < n; k++)
            reference_store(found.variant, less.values, k, e->pattern(found.variant, n, k));
        case_run(j, &j->student, &less.c, MEASURE_MEMORY | MEASURE_BARRIERS, &less.o);
        spent.instructions += less.o.effort;
        if (is_alike(&less.o, o))
            less.pattern = e->pattern, example_free(e), *e = less;
        else
            example_free(&less);
    }
}

/* ---- if simple values do not fail: fewer and simpler values of the case (delta debugging) ------- */
struct search {
    const struct judge *j;
    const struct outcome *o; /* the outcome that an example must have */
    struct spent spent;
};
/* Runs case c with these values. If its outcome is that of *s, replaces *e with it and returns true. Takes ownership of
 * `values`. */
static bool is_smaller(struct search *s, struct example *e, struct grade_case c, void *values) {
    struct example less = {.c = c, .values = values};
    less.c.values = values, less.c.special = 0;
    spend_on(&s->spent, &c);
    if (!values || is_enough(&s->spent)) return free(values), false;
    case_run(s->j, &s->j->student, &less.c, MEASURE_MEMORY | MEASURE_BARRIERS, &less.o);
    s->spent.instructions += less.o.effort;
    if (!is_alike(&less.o, s->o)) return example_free(&less), false;
    example_free(e);
    *e = less;
    return true;
}
static void *copy_without(const struct example *e, uint32_t from, uint32_t count) {
    const size_t size = variant_size(e->c.variant);
    char *values = calloc(e->c.n + 1, size);
    if (!values) return NULL;
    memcpy(values, e->values, from * size);
    memcpy(values + from * size, (char *)e->values + (from + count) * size, (e->c.n - from - count) * size);
    return values;
}
/* Tries to remove pieces of half the elements, then of a quarter, and so on down to single elements. Keeps each removal
 * after which the case still fails. */
static void leave_out(struct search *s, struct example *e) {
    for (uint32_t piece = (e->c.n + 1) / 2; piece && !is_enough(&s->spent); piece /= 2)
        for (uint32_t from = 0; from + piece <= e->c.n && e->c.n > piece;) {
            struct grade_case c = e->c;
            c.n -= piece;
            if (!is_smaller(s, e, c, copy_without(e, from, piece))) from += piece;
        }
}
/* If there are at most SMALL elements, tries to replace each with identity(). Keeps each replacement after which the
 * case still fails. */
static void make_plain(struct search *s, struct example *e) {
    const union value plain = reference_identity(e->c.variant);
    for (uint32_t k = 0; k < e->c.n && e->c.n <= SMALL; k++) {
        void *values = copy_without(e, 0, 0);
        if (values) reference_store(e->c.variant, values, k, plain);
        is_smaller(s, e, e->c, values);
    }
}
static bool shrink_values(const struct judge *j, const struct grade_case *like, const struct outcome *o,
                          struct example *e) {
    struct search s = {.j = j, .o = o};
    struct grade_case one_warp = *like;
    *e = (struct example){.c = *like};
    if (like->n > VALUES_MAX || case_is_large(like) || data_kinds[like->data].bounded) return false;
    const size_t size = variant_size(like->variant);
    void *values = calloc(like->n + 1, size), *again = calloc(like->n + 1, size);
    if (values && again) case_data(like, values), memcpy(again, values, like->n * size);
    if (!like->kernel->only_block) one_warp.block = 32;
    if (like->kernel->grid_stride) one_warp.grid = 1;
    one_warp.offset = 0;
    if (is_smaller(&s, e, one_warp, again) ? (free(values), false) : !is_smaller(&s, e, *like, values)) return false;
    leave_out(&s, e);
    make_plain(&s, e);
    return true;
}
bool example_find(const struct judge *j, const struct grade_case *like, const struct outcome *o, struct example *e) {
    struct walk w = {.j = j, .like = like};
    char list[REPLAY_VALUES];
    if (!is_searched(like)) return false;
    if (first_alike(&w, o, e)) {
        if (e->c.n > SMALL) shrink(j, o, e);
    } else if (!shrink_values(j, like, o, e))
        return false;
    if (values_print(e->c.variant, e->values, e->c.n, list, sizeof list)) return true;
    example_free(e); /* the replay command would be too long to type */
    return false;
}

/* ---- the smallest launch with a finding ----------------------------------------------------- */
/* Returns the outcome's finding of the same kind on the same line, or NULL. */
static const struct finding *same_finding(const struct outcome *o, const json_t *f) {
    const json_t *at = json_object_get(f, "at");
    for (unsigned k = 0; k < o->measurement.findings.count; k++) {
        const struct finding *g = &o->measurement.findings.item[k];
        if (g->at.line == (uint32_t)json_integer_value(json_object_get(at, "line")) &&
            !strcmp(g->kind->key, json_string_value(json_object_get(f, "kind"))))
            return g;
    }
    return NULL;
}
/* Replaces the description of finding f in the record with that of the small launch; keeps its count. Returns false if
 * the launch lacks the finding. */
static bool take_launch(const struct judge *j, json_t *f, const struct example *e) {
    const struct finding *g = same_finding(&e->o, f);
    if (!g) return false;
    json_t *small = finding_json(j, g, &e->c);
    json_object_del(small, "count");
    json_object_update(f, small);
    json_decref(small);
    return true;
}
/* Searches for the smallest launches with the findings of one kernel. */
static unsigned search_launches(const struct judge *j, json_t *findings, const struct grade_case *like, bool *done,
                                unsigned what, struct example *kept, unsigned most) {
    unsigned kept_count = 0;
    struct walk w = {.j = j, .like = like, .one_variant = true};
    size_t left = 0, k;
    json_t *f;
    json_array_foreach(findings, k, f) left += !done[k];
    while (left) {
        struct example all[DEVICE_AT_ONCE];
        const unsigned count = run_next(&w, what, all);
        if (!count) break;
        for (unsigned n = 0; n < count; n++) {
            const size_t before = left;
            json_array_foreach(findings, k, f) if (!done[k] && take_launch(j, f, &all[n])) done[k] = true, left--;
            if (left < before && kept_count < most)
                kept[kept_count++] = all[n];
            else
                example_free(&all[n]);
        }
    }
    return kept_count;
}
unsigned example_of_findings(const struct judge *j, json_t *findings, unsigned what, struct example *kept,
                             unsigned most) {
    enum { MAX_FINDINGS = 32 };
    unsigned count = 0;
    bool done[MAX_FINDINGS] = {false};
    size_t k;
    json_t *f;
    const struct lab_kernel *searched = NULL;
    json_array_foreach(findings, k, f) {
        struct grade_case like;
        if (k >= MAX_FINDINGS) break;
        if (done[k] || !case_parse(j->lab, json_string_value(json_object_get(f, "case")), &like)) continue;
        if (like.kernel == searched || !is_searched(&like)) continue;
        like.seed = j->options->seed, searched = like.kernel;
        count += search_launches(j, findings, &like, done, what, kept + count, most - count);
    }
    return count;
}

/* ---- as JSON -------------------------------------------------------------------------------- */
enum { MAX_LINES = 96 /* the player shows at most this many lines */ };
/* Appends a text such as "partial[1] was never written" for each block that should have written a value but did not. */
static void add_unwritten(const struct grade_case *c, const json_t *player, char *fate, size_t size) {
    const char *name = c->kernel->scratch ? c->kernel->scratch : c->kernel->output;
    const uint32_t launched = case_blocks(c, c->n, 0), cluster = case_cluster(c, launched),
                   blocks = launched / (cluster ? cluster : 1); /* number of blocks that should have written a value */
    uint32_t written = 0, played = 0;
    size_t k, n;
    json_t *step, *move;
    if (c->kernel->finish == FINISH_ATOMIC || c->kernel->finish == FINISH_LEVELS || blocks < 2 || launched > 31) return;
    json_array_foreach(json_object_get(player, "steps"), k, step) {
        const json_int_t launch = json_integer_value(json_object_get(step, "launch"));
        if (c->kernel->finish == FINISH_LAUNCH && launch) continue;
        played |= 1u << json_integer_value(json_object_get(step, "block"));
        json_array_foreach(json_object_get(step, "moves"), n, move) {
            const json_t *write = json_object_get(move, "write"),
                         *array = json_array_get(json_object_get(player, "arrays"),
                                                 (size_t)json_integer_value(json_array_get(write, 0)));
            const json_int_t at = json_integer_value(json_array_get(write, 1));
            if (write && at < blocks && !strcmp(json_string_value(json_object_get(array, "name")), name))
                written |= 1u << at;
        }
    }
    for (uint32_t b = 0; b < blocks && played + 1 == 1u << launched; b++)
        if (!(written >> b & 1))
            snprintf(fate + strlen(fate), size - strlen(fate), "%s%s[%u] was never written", *fate ? "; " : "", name,
                     b);
}
json_t *example_json(const struct judge *j, const struct grade_case *c, const struct outcome *o, const char *fate,
                     bool shrunk) {
    char name[160], values[REPLAY_VALUES] = "", replay[PATH_MAX + 2 * REPLAY_VALUES], got[100], expected[100];
    json_t *e = json_pack("{s:b, s:s, s:s, s:s, s:I, s:i, s:s, s:s}", "shrunk", shrunk, "kernel", case_label(c->kernel),
                          "operator", variant_words(c->variant), "case", case_name(c, name, sizeof name), "elements",
                          (json_int_t)c->n, "block", (int)c->block, "input", c->kernel->input, "replay",
                          replay_command(j, c, replay, sizeof replay));
    const bool knows_grids = terms_known(judge_taught(j), "gridDim");
    if (c->kernel->grid_stride || (c->spare && knows_grids))
        json_object_set_new(e, "grid", json_integer(c->spare ? case_blocks(c, c->n, 0) : c->grid));
    if (c->values && values_print(c->variant, c->values, c->n, values, sizeof values))
        json_object_set_new(e, "values", json_string(values));
    if (o->launch) json_object_set_new(e, "launch", json_integer(o->launch));
    if (o->launch > 1) {
        const struct grade_case given = case_launch(c, o->launch - 1);
        json_t *launched = json_pack("{s:I, s:i}", "elements", (json_int_t)given.n, "block", (int)given.block);
        if (knows_grids) json_object_set_new(launched, "grid", json_integer(case_blocks(&given, given.n, 0)));
        json_object_set_new(e, "launched", launched);
    }
    if (o->kind == OUTCOME_WRONG && !o->unwritten) {
        json_object_set_new(e, "got", json_string(outcome_got(c, o, got, sizeof got)));
        json_object_set_new(e, "expected", json_string(outcome_expected(c, o, expected, sizeof expected)));
    }
    json_t *player = outcome_is_endless(o) ? NULL : play_case(j, c, o->launch);
    if (player) json_object_set_new(e, "steps", play_lines(player, MAX_LINES));
    char all[600];
    snprintf(all, sizeof all, "%s", fate);
    if (player) add_unwritten(c, player, all, sizeof all);
    char fact[100];
    if (outcome_may_be_copied(o))
        snprintf(fact, sizeof fact, "the result is " OUTCOME_COPIED);
    else
        snprintf(fact, sizeof fact, "%s[%u] was never written", c->kernel->output, o->unwritten_at);
    if (o->unwritten && !o->may_be_old && !*all) snprintf(all, sizeof all, "%s", fact);
    if (*all) json_object_set_new(e, "fate", json_string(all));
    json_decref(player);
    return e;
}
bool example_read(const struct judge *j, const json_t *example, struct grade_case *c, void **values) {
    const char *name = json_string_value(json_object_get(example, "case")),
               *list = json_string_value(json_object_get(example, "values"));
    uint32_t count = 0;
    char message[200];
    *values = NULL;
    if (!name || !case_parse(j->lab, name, c)) return false;
    c->seed = j->options->seed;
    if (list && !(*values = values_parse(c->variant, list, &count, message, sizeof message))) return false;
    c->values = *values;
    if (!list) return special_complete(j, c);
    if (count == c->n) return true;
    free(*values), *values = NULL;
    return false;
}
