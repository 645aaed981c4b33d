/* See play.h. A run observes a single block, so each act is a run of its own. The runs differ only in the launch and
 * the block that they observe. */
#include "judge/play.h"
#include "judge/case_again.h"
#include "judge/case_plan.h"
#include "probes/measured.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ELEMENTS = 264, MAX_THREADS = 64, MAX_BLOCKS = 4, MAX_LAUNCHES = 8, MAX_STEPS = 96, MAX_ARRAYS = 64 };

const char *play_space(enum ptx_space s) { return s == PTX_SHARED ? "shared" : "global"; }
static json_t *value_json(struct variant v, union value x) {
    char text[120];
    return json_string(reference_print(v, x, text, sizeof text));
}
/* ---- steps ---------------------------------------------------------------------------------- */
/* Adds two masks of lanes for each warp. present: all lanes if the warp reached the step, otherwise none; active: lanes
 * that accessed data. */
static void add_masks(json_t *o, const struct step *s, uint32_t warps) {
    json_t *present = json_array(), *active = json_array();
    for (uint32_t w = 0; w < warps; w++) {
        json_array_append_new(present, json_integer(s->present >> w & 1 ? UINT32_MAX : 0));
        json_array_append_new(active, json_integer(s->active[w]));
    }
    json_object_set_new(o, "present", present);
    json_object_set_new(o, "active", active);
}
json_t *play_step(const struct step *s, uint32_t warps) {
    json_t *o = json_pack("{s:s, s:i, s:i, s:i}", "kind", step_kind_names[s->kind], "barrier", (int)s->barrier, "sync",
                          (int)s->sync, "line", (int)s->split_line);
    add_masks(o, s, warps);
    return o;
}

json_t *play_split(const struct step *s, uint32_t warps) {
    json_t *split = json_array();
    for (uint32_t w = 0; w < warps; w++) json_array_append_new(split, json_integer(s->split >> w & 1));
    return split;
}

/* ---- acts ----------------------------------------------------------------------------------- */
/* An act is the work of one block in a launch. */
struct act {
    uint32_t launch, block;
    struct outcome o;
};
struct play {
    const struct judge *j;
    const struct grade_case *c;
    struct act act[MAX_BLOCKS + MAX_LAUNCHES];
    unsigned acts, launches; /* launches of the plan that are played */
    const void *first, *second;
    json_t *arrays; /* arrays of all acts; shared memory has an array per act */
    struct {
        unsigned act; /* for shared memory: the act to which the array belongs */
        const struct move_array *a;
    } known[MAX_ARRAYS];
    unsigned known_count;
    bool swapped; /* shuffles exchange the index of a pair before its value */
};
static void add_act(struct play *p, uint32_t launch, uint32_t block) {
    struct act *a = &p->act[p->acts++];
    a->launch = launch, a->block = block;
    case_observe(p->j, p->c, MEASURE_STEPS | MEASURE_MOVES, launch, block, &a->o);
}
/* Orders acts by launch and number of steps. In a FINISH_ITSELF launch, the block that finishes last has the most
 * steps. */
static int by_launch_and_steps(const void *x, const void *y) {
    const struct act *a = x, *b = y;
    const unsigned s = steps_of(&a->o.measurement)->count, t = steps_of(&b->o.measurement)->count;
    if (a->launch != b->launch) return a->launch < b->launch ? -1 : 1;
    if (s != t) return s < t ? -1 : 1;
    return a->block < b->block ? -1 : a->block > b->block;
}
/* Returns the number of launches in one run of a case. */
static uint32_t launches_of(const struct grade_case *c) {
    switch (c->kernel->finish) {
    case FINISH_LAUNCH: return case_blocks(c, c->n, 0) > 1 ? 2 : 1; /* MAX_BLOCKS partials need one more launch */
    case FINISH_LEVELS: return case_levels(c);
    default: return 1;
    }
}
/* Runs the blocks to show. If the case has several runs, `run` is the number of one of them, counted from 1. */
static void run_acts(struct play *p, unsigned run) {
    const enum lab_finish finish = p->c->kernel->finish;
    uint32_t first = 0; /* index of the run's first launch in the plan */
    for (unsigned k = 0; k + 1 < run; k++) {
        const struct grade_case earlier = case_launch(p->c, k);
        first += launches_of(&earlier);
    }
    const struct grade_case given = case_launch(p->c, run ? run - 1 : 0);
    const uint32_t blocks = finish == FINISH_LEVELS ? 1 : case_blocks(&given, given.n, 0), all = launches_of(&given);
    p->launches = 1;
    for (uint32_t b = 0; b < blocks && b < MAX_BLOCKS; b++) add_act(p, first, b);
    while (p->launches < all && p->launches < MAX_LAUNCHES) add_act(p, first + p->launches++, 0);
    if (finish == FINISH_ITSELF) qsort(p->act, p->acts, sizeof *p->act, by_launch_and_steps);
}

/* ---- arrays --------------------------------------------------------------------------------- */
static void add_array(struct play *p, const struct act *act, const struct move_array *a) {
    const struct grade_case *c = p->c;
    const size_t size = variant_size(c->variant);
    const uint64_t length = a->size / size ? a->size / size : 1;
    const void *holds = a->space != PTX_GLOBAL                                     ? NULL
                        : !strcmp(a->name, c->kernel->input)                       ? p->first
                        : c->kernel->second && !strcmp(a->name, c->kernel->second) ? p->second
                                                                                   : NULL;
    json_t *first = json_array();
    for (uint64_t n = 0; n < length && n < MAX_ELEMENTS; n++)
        json_array_append_new(first, holds && n < c->n ? value_json(c->variant, reference_load(c->variant, holds, n))
                                                       : json_null());
    json_t *o = json_pack("{s:o, s:s, s:I, s:o}", "name", measured_text(a->name), "space", play_space(a->space),
                          "length", (json_int_t)json_array_size(first), "first", first);
    if (a->space == PTX_SHARED && p->acts > 1) json_object_set_new(o, "block", json_integer(act->block));
    json_array_append_new(p->arrays, o);
}
/* Returns the index of an act's array among the arrays of all acts. */
static unsigned array_of(struct play *p, unsigned act, unsigned array) {
    const struct move_array *a = &moves_of(&p->act[act].o.measurement)->array[array];
    unsigned k = 0;
    for (; k < p->known_count; k++) {
        const struct move_array *b = p->known[k].a;
        if (a->space == b->space && a->size == b->size && !strcmp(a->name, b->name) &&
            (a->space != PTX_SHARED || p->known[k].act == act))
            return k;
    }
    if (k == MAX_ARRAYS) return k - 1;
    p->known[k].act = act, p->known[k].a = a, p->known_count++;
    add_array(p, &p->act[act], a);
    return k;
}

/* ---- moves ---------------------------------------------------------------------------------- */
/* Adds [array, index] for each accessed element. Access to a part of an element counts as access to the element. */
static void add_places(struct play *p, unsigned act, json_t *to, const struct move_place *t) {
    const size_t size = variant_size(p->c->variant);
    for (uint64_t at = t->offset / size; at <= (t->offset + t->bytes - 1) / size; at++)
        json_array_append_new(to, json_pack("[i, I]", (int)array_of(p, act, t->array), (json_int_t)at));
}
/* Orders operands by their index in the array, because compilers load them in any order. operands_swapped() returns
 * whether the thread combined them in the opposite order. */
static int by_place(const void *x, const void *y) {
    const struct move_place *a = x, *b = y;
    if (a->array != b->array) return a->array < b->array ? -1 : 1;
    return a->offset < b->offset ? -1 : a->offset > b->offset;
}
/* Stores the known words of an exchanged value in memory order and returns their number. */
static unsigned words_of(const uint32_t *words, uint32_t mask, union value *x) {
    enum { MAX = sizeof x->word / sizeof *x->word };
    unsigned count = 0;
    *x = (union value){.bits = 0};
    for (unsigned k = 0; k < MOVE_WORDS && count < MAX; k++)
        if (mask >> k & 1) x->word[count++] = words[k];
    return count;
}
/* Swaps the value and the index of a pair. */
static union value swapped(struct variant v, union value x) {
    const unsigned half = (unsigned)variant_size(v) / 8;
    union value y = {.bits = 0};
    for (unsigned k = 0; k < 2 * half; k++) y.word[k] = x.word[(k + half) % (2 * half)];
    return y;
}
/* Returns an exchanged value as JSON. If a shuffle exchanged only the value of a pair, returns this value without an
 * index. Returns NULL if too few words are known. */
static json_t *exchanged(const struct play *p, const uint32_t *words, uint32_t mask) {
    const struct variant v = p->c->variant, plain = {REDUCE_OP_SUM, v.type, 0};
    union value x;
    const unsigned count = words_of(words, mask, &x), size = 4 * count;
    if (size >= variant_size(v)) return value_json(v, p->swapped ? swapped(v, x) : x);
    return variant_is_pair(v) && size == variant_size(plain) ? value_json(plain, x) : NULL;
}
static void set_exchanged(const struct play *p, json_t *o, const char *key, const uint32_t *words, uint32_t mask) {
    json_t *value = exchanged(p, words, mask);
    if (value) json_object_set_new(o, key, value);
}
/* Returns whether these bytes are exactly one value of the case's type, and known. */
static bool holds_value(const struct play *p, const struct move_place *t) {
    const size_t size = variant_size(p->c->variant);
    return t->valued && t->bytes == size && t->offset % size == 0;
}
/* Returns whether only the opposite order of the two operands gives the value that the move writes. */
static bool operands_swapped(const struct play *p, const struct move *m, const struct move_place read[]) {
    const struct variant v = p->c->variant;
    if (!m->writes || !holds_value(p, &m->write)) return false;
    const union value a = {.bits = read[0].value}, b = {.bits = read[1].value}, c = {.bits = m->write.value};
    return holds_value(p, &read[0]) && holds_value(p, &read[1]) && !reference_equal(v, reference_combine(v, a, b), c) &&
           reference_equal(v, reference_combine(v, b, a), c);
}
/* Returns whether these bytes are a variable that differs in size from the elements, such as a flag. */
static bool is_flag(const struct play *p, unsigned act, const struct move_place *t) {
    const struct move_array *of = &moves_of(&p->act[act].o.measurement)->array[t->array];
    return of->size == t->bytes && t->bytes != variant_size(p->c->variant);
}
static void add_reads(struct play *p, unsigned act, const struct move *m, json_t *o) {
    struct move_place read[MOVE_READS];
    json_t *reads = json_array(), *had = json_array();
    unsigned count = 0;
    for (unsigned k = 0; k < m->reads; k++)
        if (!is_flag(p, act, &m->read[k])) read[count++] = m->read[k];
    if (!count) memcpy(read, m->read, sizeof read), count = m->reads; /* a flag is shown only if nothing else is read */
    qsort(read, count, sizeof *read, by_place);
    if (count == 2 && operands_swapped(p, m, read)) {
        const struct move_place first = read[0];
        read[0] = read[1], read[1] = first;
    }
    bool known = false;
    for (unsigned k = 0; k < count; k++) {
        known |= holds_value(p, &read[k]);
        add_places(p, act, reads, &read[k]);
        while (json_array_size(had) < json_array_size(reads))
            json_array_append_new(had, holds_value(p, &read[k])
                                           ? value_json(p->c->variant, (union value){.bits = read[k].value})
                                           : json_null());
    }
    if (json_array_size(reads)) json_object_set(o, "reads", reads);
    if (known) json_object_set(o, "had", had);
    json_decref(reads), json_decref(had);
}
static json_t *move_json(struct play *p, unsigned act, const struct move *m) {
    const size_t size = variant_size(p->c->variant);
    json_t *o = json_pack("{s:i, s:i}", "thread", (int)m->thread, "line", (int)m->line);
    add_reads(p, act, m, o);
    if (m->from >= 0) {
        json_object_set_new(o, "from", json_integer(m->from));
        set_exchanged(p, o, "own", m->sent, m->sent_mask);
        set_exchanged(p, o, "value", m->received, m->received_mask);
    } else if (!m->writes)
        set_exchanged(p, o, "value", m->sent, m->sent_mask);
    if (m->writes)
        json_object_set_new(
            o, "write",
            json_pack("[i, I]", (int)array_of(p, act, m->write.array), (json_int_t)(m->write.offset / size)));
    const struct move_array *to = &moves_of(&p->act[act].o.measurement)->array[m->write.array];
    if (m->writes && m->write.valued && m->write.bytes == size)
        json_object_set_new(o, "value", value_json(p->c->variant, (union value){.bits = m->write.value}));
    else if (m->writes && m->write.valued && to->size == m->write.bytes &&
             m->write.bytes < size) /* a variable that is not an element, such as a flag or a ticket */
        json_object_set_new(o, "value", json_sprintf("%llu", (unsigned long long)m->write.value));
    return o;
}
/* Returns whether x is an element of the input. */
static bool is_element(const struct play *p, union value x) {
    bool found = false;
    for (uint32_t k = 0; k < p->c->n && !found; k++)
        found = reference_equal(p->c->variant, reference_load(p->c->variant, p->first, k), x);
    return found;
}
/* Returns whether shuffles exchange the index of a pair before its value. This is assumed if more of the exchanged
 * pairs are elements of the input when their words are swapped. */
static bool are_swapped(const struct play *p) {
    const struct variant v = p->c->variant;
    unsigned straight = 0, other = 0;
    if (!variant_is_pair(v)) return false;
    for (unsigned a = 0; a < p->acts; a++) {
        const struct moves *moves = moves_of(&p->act[a].o.measurement);
        for (unsigned k = 0; k < moves->count; k++) {
            union value x;
            if (4 * words_of(moves->item[k].sent, moves->item[k].sent_mask, &x) != variant_size(v)) continue;
            straight += is_element(p, x), other += is_element(p, swapped(v, x));
        }
    }
    return other > straight;
}
static void add_steps(struct play *p, unsigned act, json_t *all) {
    const struct measurement *m = &p->act[act].o.measurement;
    const struct steps *steps = steps_of(m);
    for (unsigned k = 0; k < steps->count && json_array_size(all) < MAX_STEPS; k++) {
        const struct step *s = &steps->item[k];
        json_t *o = play_step(s, steps->warps), *moves = json_array();
        unsigned line = s->split_line;
        for (unsigned n = 0; n < moves_of(m)->count; n++) {
            const struct move *move = &moves_of(m)->item[n];
            if (move->barrier != s->barrier || move->sync != s->sync) continue;
            json_array_append_new(moves, move_json(p, act, move));
            line = move->line;
        }
        json_object_set_new(o, "line", json_integer(line));
        json_object_set_new(o, "divergent", json_boolean(s->divergent));
        json_object_set_new(o, "split", play_split(s, steps->warps));
        json_object_set_new(o, "moves", moves);
        if (p->acts > 1) {
            json_object_set_new(o, "block", json_integer(p->act[act].block));
            json_object_set_new(o, "launch", json_integer(p->act[act].launch));
        }
        json_array_append_new(all, o);
    }
}
/* Returns whether a step writes to the array with this name. */
static bool writes_to(const json_t *steps, const json_t *arrays, const char *name) {
    size_t k, n;
    const json_t *step, *move;
    json_array_foreach((json_t *)steps, k, step) json_array_foreach(json_object_get(step, "moves"), n, move) {
        const json_t *write = json_object_get(move, "write"),
                     *array = json_array_get(arrays, (size_t)json_integer_value(json_array_get(write, 0)));
        if (write && !strcmp(json_string_value(json_object_get(array, "name")), name)) return true;
    }
    return false;
}
json_t *play_case(const struct judge *j, const struct grade_case *c, unsigned launch) {
    struct grade_case once = *c;
    /* If no run is given, the case gets only one, so that the player's result is that of the run that it shows. */
    if (!launch && c->kernel->finish == FINISH_ITSELF) once.launches = 1;
    struct play p = {.j = j, .c = &once, .arrays = json_array()};
    char name[160];
    const size_t bytes = c->n * variant_size(c->variant) + 1;
    const bool fits = c->kernel->finish != FINISH_ARRAYS && !c->kernel->halves && !variant_is_own(c->variant) &&
                      c->n <= MAX_ELEMENTS && c->block <= MAX_THREADS &&
                      (c->kernel->finish == FINISH_LEVELS || case_blocks(c, c->n, 0) <= MAX_BLOCKS);
    char *data = fits ? calloc(3, bytes) : NULL,
         *inputs = data; /* three arrays: the elements and, if the kernel has two inputs, the inputs, whose products are
                            the elements */
    if (!data) return json_decref(p.arrays), NULL;
    case_set(c, launch ? launch - 1 : 0, data);
    if (c->kernel->second) inputs += bytes, case_factors(c, c->n, data, inputs, inputs + bytes);
    p.first = inputs, p.second = inputs + bytes;
    run_acts(&p, launch);
    p.swapped = are_swapped(&p);
    json_t *steps = json_array();
    for (unsigned k = 0; k < p.acts; k++) add_steps(&p, k, steps);
    const struct outcome *o = &p.act[p.acts - 1].o;
    const char *nothing = o->kind >= OUTCOME_STOPPED                      ? ""
                          : !o->unwritten                                 ? NULL
                          : o->may_be_old                                 ? OUTCOME_OLD
                          : writes_to(steps, p.arrays, c->kernel->output) ? OUTCOME_COPIED
                                                                          : "never written";
    const uint32_t n = case_launch(c, launch ? launch - 1 : 0).n;
    json_t *all = json_pack("{s:s, s:s, s:i, s:i, s:s, s:o, s:o, s:o, s:o}", "kernel", c->kernel->name, "case",
                            case_name(c, name, sizeof name), "block", (int)c->block, "elements", (int)c->n, "variant",
                            variant_name(c->variant), "arrays", p.arrays, "steps", steps, "result",
                            nothing ? json_string(nothing) : value_json(c->variant, o->got), "expected",
                            value_json(c->variant, reference_reduce(c->variant, data, n)));
    for (unsigned k = 0; k < p.acts; k++) outcome_free(&p.act[k].o);
    free(data);
    return all;
}

/* ---- in words ------------------------------------------------------------------------------- */
struct line {
    char text[400];
    size_t used;
};
__attribute__((format(printf, 2, 3))) static void put(struct line *l, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(l->text + l->used, sizeof l->text - l->used, format, arguments);
    va_end(arguments);
    l->used += n < 0 ? 0 : (size_t)n;
    if (l->used >= sizeof l->text) l->used = sizeof l->text - 1;
}
static json_t *cell(json_t *memory, const json_t *place) {
    json_t *array = json_array_get(memory, (size_t)json_integer_value(json_array_get(place, 0)));
    return json_array_get(array, (size_t)json_integer_value(json_array_get(place, 1)));
}
static void put_place(struct line *l, const json_t *player, const json_t *place, const json_t *value) {
    const json_t *array =
        json_array_get(json_object_get(player, "arrays"), (size_t)json_integer_value(json_array_get(place, 0)));
    const char *name = json_string_value(json_object_get(array, "name")), *owner = strstr(name, " of block ");
    put(l, "%.*s[%lld]%s", owner ? (int)(owner - name) : (int)strlen(name), name,
        (long long)json_integer_value(json_array_get(place, 1)), owner ? owner : "");
    if (json_is_string(value)) put(l, " = %s", json_string_value(value));
}
/* Prints a move, such as "thread 0: data[0] = 1, data[1] = 2 -> data[0] = 3". */
static void put_move(struct line *l, const json_t *player, json_t *memory, const json_t *move) {
    const json_t *reads = json_object_get(move, "reads"), *place, *write = json_object_get(move, "write"),
                 *value = json_object_get(move, "value"), *own = json_object_get(move, "own"),
                 *had = json_object_get(move, "had");
    size_t k;
    put(l, "thread %lld: ", (long long)json_integer_value(json_object_get(move, "thread")));
    if (json_object_get(move, "from"))
        put(l, "has %s, gets %s from thread %lld", own ? json_string_value(own) : "a value",
            value ? json_string_value(value) : "the value",
            (long long)json_integer_value(json_object_get(move, "from")));
    json_array_foreach((json_t *)reads, k, place) {
        if (k) put(l, ", ");
        const json_t *known = json_array_get(had, k);
        put_place(l, player, place, json_is_string(known) ? known : cell(memory, place));
    }
    if (!write) return;
    put(l, json_array_size(reads) ? " -> " : "writes ");
    put_place(l, player, write, value);
}
static void keep(json_t *memory, const json_t *move) {
    const json_t *write = json_object_get(move, "write");
    json_t *array = json_array_get(memory, (size_t)json_integer_value(json_array_get(write, 0))),
           *value = json_object_get(move, "value");
    const size_t at = (size_t)json_integer_value(json_array_get(write, 1));
    if (write && at < json_array_size(array)) json_array_set(array, at, value ? value : json_null());
}
static void put_step(struct line *l, const json_t *player, json_t *memory, const json_t *step) {
    enum { MAX_MOVES = 3 };
    const json_t *moves = json_object_get(step, "moves"), *move, *block = json_object_get(step, "block");
    const size_t count = json_array_size(moves);
    size_t k;
    if (json_integer_value(json_object_get(step, "launch")))
        put(l, "launch %lld, ", 1 + (long long)json_integer_value(json_object_get(step, "launch")));
    if (block) put(l, "block %lld, ", (long long)json_integer_value(block));
    long long shown = 0;
    json_array_foreach((json_t *)moves, k, move) {
        const long long line = json_integer_value(json_object_get(move, "line"));
        if (k == MAX_MOVES) break;
        if (k) put(l, "; ");
        if (line != shown) put(l, "line %lld, ", line);
        shown = line;
        put_move(l, player, memory, move);
    }
    if (count > MAX_MOVES) put(l, "; and %zu more", count - MAX_MOVES);
}
json_t *play_lines(const json_t *player, unsigned most) {
    json_t *lines = json_array(), *memory = json_array(), *step, *move, *array;
    size_t k, n, moving = 0;
    json_array_foreach(json_object_get(player, "arrays"), k, array)
        json_array_append_new(memory, json_deep_copy(json_object_get(array, "first")));
    json_array_foreach(json_object_get(player, "steps"), k, step) {
        struct line l = {.used = 0};
        if (!json_array_size(json_object_get(step, "moves"))) continue;
        put_step(&l, player, memory, step);
        if (moving++ < most) json_array_append_new(lines, measured_text(l.text));
        json_array_foreach(json_object_get(step, "moves"), n, move) keep(memory, move);
    }
    if (moving > most) {
        char more[60];
        snprintf(more, sizeof more, "%zu more steps", moving - most);
        json_array_append_new(lines, json_string(more));
    }
    json_decref(memory);
    return lines;
}
