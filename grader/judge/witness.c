/* Demonstrates a race: two orders of execution of the same case that give different results.
 *
 * Tries the orders that the two sides of the race suggest: one of the two warps (blocks, lanes) first, or a reader that
 * gets the value from before the write. The best witness has a correct and a wrong result, but two different wrong
 * results also suffice. */
#include "judge/judge.h"
#include "probes/measured.h"
#include "judge/values.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RUNS = 12, TEXT = 160 };
/* Limits for all findings of a grade together, in runs and in warp-instructions. A limit in seconds would make the
 * record depend on the machine's load. */
enum { MAX_TRIALS = 64, MAX_TRIAL_WORK = 1 << 24 };
struct allowance {
    unsigned trials;
    uint64_t work;
};
static bool is_spent(const struct allowance *a) { return !a->trials || !a->work; }

struct trial {
    struct sim_schedule schedule;
    enum outcome_kind kind;
    unsigned launch;
    bool unwritten; /* no value was stored, or one that was never computed: two such results do not differ */
    char got[TEXT], expected[TEXT];
    char stale[TEXT]; /* the thread that read a stale value, and the thread that had written the newer one; "" if
                         unknown or if there is none */
};
struct witness {
    const struct judge *j;
    struct grade_case c;
    struct trial trial[MAX_RUNS];
    unsigned count;
};

/* ---- orders ----------------------------------------------------------------------------------- */
static const struct sim_schedule rising = {true, false, SIM_NONE, SIM_NONE, SIM_NONE, 0};
static const struct sim_schedule falling = {true, true, SIM_NONE, SIM_NONE, SIM_NONE, 0};
static char *order_in_words(const struct sim_schedule *s, unsigned taught, char *out, size_t size) {
    const bool plain = !terms_known(taught, "lane of a warp");
    size_t used = 0;
    const char *comma = "";
    out[0] = 0;
#define SAY(...) used += (size_t)snprintf(out + used, used < size ? size - used : 0, __VA_ARGS__), comma = ", "
    if (!s->chosen) return snprintf(out, size, "in the seed's order"), out;
    if (s->falling) SAY("in descending order");
    if (s->block != SIM_NONE) SAY("%sblock %u ahead", comma, s->block);
    if (s->warp != SIM_NONE && plain) SAY("%sthreads %u-%u ahead", comma, 32 * s->warp, 32 * s->warp + 31);
    if (s->warp != SIM_NONE && !plain) SAY("%swarp %u ahead", comma, s->warp);
    if (s->lane != SIM_NONE && plain) SAY("%sthread %u of every 32 ahead", comma, s->lane);
    if (s->lane != SIM_NONE && !plain) SAY("%slane %u of each warp ahead", comma, s->lane);
    if (s->stale) SAY("%swith the old values at line %u", comma, s->stale);
#undef SAY
    if (!used) snprintf(out, size, "in ascending order");
    return out;
}
static void describe(const struct grade_case *c, struct outcome *o, struct trial *t) {
    t->kind = o->kind, t->launch = o->launch, t->unwritten = o->unwritten;
    if (o->kind == OUTCOME_STOPPED)
        snprintf(t->got, sizeof t->got, "stopped: %.120s", o->message);
    else if (o->fault.array)
        array_fault_text(&o->fault, t->got, sizeof t->got);
    else if (o->unwritten)
        snprintf(t->got, sizeof t->got, o->may_be_old ? OUTCOME_OLD : OUTCOME_COPIED);
    else if (c->kernel->finish == FINISH_ARRAYS)
        snprintf(t->got, sizeof t->got, "as expected");
    else
        outcome_got(c, o, t->got, sizeof t->got);
    snprintf(t->expected, sizeof t->expected, "as expected");
    if (o->kind == OUTCOME_WRONG && c->kernel->finish != FINISH_ARRAYS)
        outcome_expected(c, o, t->expected, sizeof t->expected);
}
static void name_side(const struct finding_site *s, bool same_block, unsigned taught, char *out, size_t size) {
    if (same_block)
        finding_who(taught, s->warp, s->lanes, 0, out, size);
    else
        snprintf(out, size, "block %u", s->block);
}
/* Describes the load that read a stale value. This is known if all races of the load's line in this run have the same
 * other line: the load races with a write there. */
static void describe_stale(const struct witness *w, const struct outcome *o, struct trial *t) {
    const struct finding_list *l = &o->measurement.findings;
    const struct finding *f = NULL;
    unsigned count = 0;
    char reader[64], writer[64], name[64] = "";
    for (unsigned k = 0; k < l->count && t->schedule.stale; k++)
        if (l->item[k].kind->is_race && l->item[k].at.line == t->schedule.stale &&
            strstr(l->item[k].message, " read ") && l->item[k].other.line)
            f = &l->item[k], count++;
    if (count != 1 || l->dropped || !f->bytes || sscanf(f->object, "%*[^`]`%63[^`]", name) != 1) return;
    const bool same_block = f->at.block == f->other.block;
    name_side(&f->at, same_block, judge_taught(w->j), reader, sizeof reader);
    name_side(&f->other, same_block, judge_taught(w->j), writer, sizeof writer);
    snprintf(t->stale, sizeof t->stale, ", because %s read %s[%lld] as it was before %s wrote it at line %u", reader,
             name, (long long)f->offset / f->bytes, writer, f->other.line);
}
static bool same_order(const struct sim_schedule *a, const struct sim_schedule *b) {
    return a->chosen == b->chosen && a->falling == b->falling && a->block == b->block && a->warp == b->warp &&
           a->lane == b->lane && a->stale == b->stale;
}
static void try_order(struct witness *w, struct sim_schedule s, struct allowance *a) {
    struct outcome o;
    for (unsigned k = 0; k < w->count; k++)
        if (same_order(&w->trial[k].schedule, &s)) return;
    if (w->count == MAX_RUNS) return;
    struct grade_case c = w->c;
    c.schedule = s;
    case_run(w->j, &w->j->student, &c, 0, &o);
    a->work -= o.effort < a->work ? o.effort : a->work;
    if (o.kind == OUTCOME_RIGHT || o.kind == OUTCOME_WRONG || o.kind == OUTCOME_STOPPED) {
        struct trial *t = &w->trial[w->count++];
        t->schedule = s;
        describe(&c, &o, t), describe_stale(w, &o, t);
    }
    outcome_free(&o);
}

/* ---- the witness ------------------------------------------------------------------------------ */
/* Finds two trials with different results: one correct and one wrong or, if there is no correct one, two different
 * wrong results of the same launch. */
static bool find_pair(const struct witness *w, unsigned pair[2]) {
    for (unsigned want = 0; want < 2; want++)
        for (unsigned a = 0; a < w->count; a++)
            for (unsigned b = 0; b < w->count; b++) {
                const struct trial *x = &w->trial[a], *y = &w->trial[b];
                const bool good = x->kind == OUTCOME_RIGHT && y->kind != OUTCOME_RIGHT;
                const bool same = !strcmp(x->got, y->got) || (x->unwritten && y->unwritten);
                if (want ? x->launch != y->launch || same : !good) continue;
                pair[0] = a, pair[1] = b;
                return true;
            }
    return false;
}
static json_t *run_json(const struct witness *w, const struct trial *t, const char *result) {
    char text[SIM_SCHEDULE_TEXT], words[TEXT], replay[PATH_MAX + 256];
    struct grade_case c = w->c;
    c.schedule = t->schedule;
    replay_command(w->j, &c, replay, sizeof replay);
    sim_schedule_print(&t->schedule, text, sizeof text);
    return json_pack("{s:s, s:s, s:o, s:b, s:o}", "schedule", t->schedule.chosen ? text : "", "order",
                     order_in_words(&t->schedule, judge_taught(w->j), words, sizeof words), "result",
                     measured_text(result), "right", t->kind == OUTCOME_RIGHT, "replay", measured_text(replay));
}
static json_t *witness_json(const struct witness *w, unsigned tried, unsigned cases) {
    unsigned pair[2];
    const unsigned taught = judge_taught(w->j);
    char message[6 * TEXT], words[2][TEXT], values[REPLAY_VALUES];
    json_t *o = json_pack("{s:i, s:[]}", "tried", (int)tried, "runs"), *runs = json_object_get(o, "runs");
    if (find_pair(w, pair)) {
        const struct trial *a = &w->trial[pair[0]], *b = &w->trial[pair[1]];
        const char *result = a->kind == OUTCOME_RIGHT && b->kind == OUTCOME_WRONG ? b->expected : a->got;
        json_array_append_new(runs, run_json(w, a, result));
        json_array_append_new(runs, run_json(w, b, b->got));
        snprintf(message, sizeof message, "%s: %s%s; %s: %s%s", order_in_words(&a->schedule, taught, words[0], TEXT),
                 result, a->kind == OUTCOME_RIGHT && strcmp(result, "as expected") ? ", as expected" : "",
                 order_in_words(&b->schedule, taught, words[1], TEXT), b->got, b->stale);
    } else
        snprintf(message, sizeof message, "none of %u execution orders changed the result, in %u case%s", tried, cases,
                 cases == 1 ? "" : "s");
    json_object_set_new(o, "message", measured_text(message));
    if (w->c.values && values_print(w->c.variant, w->c.values, w->c.n, values, sizeof values))
        json_object_set_new(o, "values", json_string(values));
    return o;
}

/* ---- orders suggested by a race ----------------------------------------------------------- */
static uint32_t number(const json_t *site, const char *key) {
    return (uint32_t)json_integer_value(json_object_get(site, key));
}
static struct sim_schedule with(size_t field, uint32_t value) {
    struct sim_schedule s = rising;
    memcpy((char *)&s + field, &value, sizeof value);
    return s;
}
#define WITH(field, value) with(offsetof(struct sim_schedule, field), value)
static bool is_shown(const struct witness *w) {
    unsigned pair[2];
    return find_pair(w, pair) && (w->trial[pair[0]].kind == OUTCOME_RIGHT) != (w->trial[pair[1]].kind == OUTCOME_RIGHT);
}
/* Tries the orders that the two sides of a race suggest, simple ones first. Stops when one demonstrates the race, or
 * when the allowance is used up. */
static void try_orders(struct witness *w, const struct finding *f, struct allowance *allowance) {
    const struct finding_site *at = &f->at, *other = f->other.pc == UINT32_MAX ? at : &f->other;
    const uint32_t block[2] = {at->block, other->block}, warp[2] = {at->warp, other->warp},
                   lanes[2] = {at->lanes, other->lanes}, line[2] = {at->line, other->line};
    struct sim_schedule order[MAX_RUNS];
    unsigned count = 0;
    order[count++] = (struct sim_schedule){0};
    for (unsigned k = 0; k < 2; k++) {
        if (block[0] != block[1])
            order[count++] = WITH(block, block[k]);
        else if (warp[0] != warp[1])
            order[count++] = WITH(warp, warp[k]);
        else if (lanes[k])
            order[count++] = WITH(lane, (uint32_t)__builtin_ctz(lanes[k])),
            order[count++] = WITH(lane, 31 - (uint32_t)__builtin_clz(lanes[k]));
    }
    for (unsigned k = 0; k < 2; k++)
        if (line[k]) order[count++] = WITH(stale, line[k]);
    order[count++] = rising, order[count++] = falling;
    for (unsigned k = 0; k < count && !is_shown(w) && !is_spent(allowance); k++)
        allowance->trials--, try_order(w, order[k], allowance);
}
static const struct finding_kind *kind_of(const json_t *finding) {
    return catalog_finding(json_string_value(json_object_get(finding, "kind")));
}
static bool is_race(const json_t *finding) {
    const struct finding_kind *kind = kind_of(finding);
    return kind && kind->is_race;
}

/* ---- choosing a case ------------------------------------------------------------------------ */
/* Returns the outcome's finding of the same kind on the same line, or NULL. */
static const struct finding *find_in(const struct outcome *o, const json_t *f) {
    const char *kind = json_string_value(json_object_get(f, "kind"));
    const uint32_t line = number(json_object_get(f, "at"), "line");
    for (unsigned n = 0; n < o->measurement.findings.count; n++) {
        const struct finding *x = &o->measurement.findings.item[n];
        if (x->at.line == line && !strcmp(x->kind->key, kind)) return x;
    }
    return NULL;
}
/* Ranks a case by how likely it is to demonstrate a race. Prefers, in this order: the smallest launch with the finding,
 * which has given elements; a case that is correct in the seed's order; a sum, because each element affects it;
 * integers, because an infinite float hides the other elements; and as many elements as possible, up to SOON. */
static uint64_t promise_of(const struct grade_case *c, const struct outcome *o) {
    enum { SOON = 4096 };
    if (case_is_large(c) || o->kind == OUTCOME_SETUP) return 0;
    if (c->values) return UINT64_MAX; /* the smallest launch with the finding */
    return (uint64_t)(o->kind == OUTCOME_RIGHT) << 40 | (uint64_t)(c->variant.op == REDUCE_OP_SUM) << 36 |
           (uint64_t)!variant_is_float(c->variant) << 35 | (uint64_t)(c->n <= SOON) << 33 |
           (c->n <= SOON ? c->n : (uint64_t)UINT32_MAX - c->n);
}
static unsigned most_promising(const struct witness_cases *all, const json_t *f, const bool *taken) {
    unsigned best = all->count;
    uint64_t most = 0;
    for (unsigned k = 0; k < all->count; k++) {
        const uint64_t promise = promise_of(&all->cases[k], &all->outcomes[k]);
        if (!taken[k] && promise > most && find_in(&all->outcomes[k], f)) best = k, most = promise;
    }
    return best;
}
static void show(const struct judge *j, const struct witness_cases *all, json_t *f, struct allowance *allowance) {
    enum { CASES = 3 };
    bool *taken = calloc(all->count + 1, sizeof *taken);
    unsigned tried = 0;
    for (unsigned k = 0; taken && k < CASES && !is_spent(allowance); k++) {
        const unsigned at = most_promising(all, f, taken);
        char name[128];
        if (at == all->count) break;
        taken[at] = true;
        struct witness w = {.j = j, .c = all->cases[at]};
        try_orders(&w, find_in(&all->outcomes[at], f), allowance);
        tried += w.count;
        unsigned pair[2];
        const bool shown = find_pair(&w, pair);
        if (shown) json_object_set_new(f, "case", json_string(case_name(&w.c, name, sizeof name)));
        json_object_set_new(f, "witness", witness_json(&w, tried, k + 1));
        if (shown) break;
    }
    json_t *wrong = json_array_get(json_object_get(json_object_get(f, "witness"), "runs"), 1);
    if (wrong) json_object_set(f, "replay", json_object_get(wrong, "replay"));
    free(taken);
}
void judge_witness(const struct judge *j, const struct witness_cases *all, json_t *findings) {
    struct allowance allowance = {MAX_TRIALS, MAX_TRIAL_WORK};
    size_t k;
    json_t *f;
    if (j->options->schedule.chosen) return;
    bool races = false;
    json_array_foreach(findings, k, f) {
        if (is_race(f)) show(j, all, f, &allowance), races = true;
    }
    json_array_foreach(findings, k, f) {
        if (races || !kind_of(f) || !kind_of(f)->error_if_shown)
            continue; /* the races may be the reason for different results */
        show(j, all, f, &allowance);
        if (json_object_get(f, "witness") && json_array_size(json_object_get(json_object_get(f, "witness"), "runs")))
            json_object_set_new(f, "severity", json_string(finding_severity_word(FINDING_ERROR)));
    }
}
