/* What reports draw, from two runs of the student's first kernel on one block: a small one, move by move, for the step
 * player; a full one for the lane map and the addresses of accesses. The shape is that of docs/result.schema.json.
 * Wrong kernels are drawn as they ran. */
#include "judge/judge.h"
#include "judge/measured.h"
#include <stdlib.h>
#include <string.h>

enum { WARP = 32, FULL_BLOCK = 1024, MOST_SHOWN = 64 /* elements */ };

static struct grade_case case_of(const struct judge *j, uint32_t block, enum data_kind data) {
    const struct lab_kernel *k = &j->lab->kernels[0];
    const uint32_t m = k->only_block ? k->only_block : block;
    return (struct grade_case){.kernel = k,
                               .variant = variant_at((unsigned)__builtin_ctz(j->lab->variants)),
                               .n = (k->elements ? k->elements : 2) * m,
                               .block = m,
                               .data = data,
                               .seed = j->options->seed,
                               .grid = k->grid_stride};
}
static json_t *value_json(struct variant v, union value x) {
    char text[64];
    return json_string(reference_print(v, x, text, sizeof text));
}
static const char *space_name(enum ptx_space s) { return s == PTX_SHARED ? "shared" : "global"; }

/* Lanes of each warp that were launched and came to the step; and those that touched data. */
static void add_masks(json_t *o, const struct step *s, uint32_t warps) {
    json_t *active = json_array(), *busy = json_array();
    for (uint32_t w = 0; w < warps; w++) {
        json_array_append_new(active, json_integer(s->present >> w & 1 ? UINT32_MAX : 0));
        json_array_append_new(busy, json_integer(s->busy[w]));
    }
    json_object_set_new(o, "active", active);
    json_object_set_new(o, "busy", busy);
}
static json_t *step_json(const struct step *s, uint32_t warps) {
    json_t *o = json_pack("{s:s, s:i, s:i, s:i}", "kind", step_kind_names[s->kind], "barrier", (int)s->barrier, "sync",
                          (int)s->sync, "line", (int)s->split_line);
    add_masks(o, s, warps);
    return o;
}

static json_t *split_warps(const struct step *s, uint32_t warps) {
    json_t *split = json_array();
    for (uint32_t w = 0; w < warps; w++) json_array_append_new(split, json_integer(s->split >> w & 1));
    return split;
}

/* ---- the player ----------------------------------------------------------------------------- */
/* [array, index] of each element that was touched; the moves of pieces smaller than an element name it too. */
static void add_places(json_t *to, const struct move_place *t, size_t size) {
    for (uint64_t at = t->offset / size; at <= (t->offset + t->bytes - 1) / size; at++)
        json_array_append_new(to, json_pack("[i, I]", (int)t->array, (json_int_t)at));
}
static json_t *move_json(const struct grade_case *c, const struct move *m) {
    const size_t size = variant_size(c->variant);
    json_t *o = json_pack("{s:i, s:i}", "thread", (int)m->thread, "line", (int)m->line), *reads = json_array();
    if (m->from >= 0) json_object_set_new(o, "from", json_integer(m->from));
    for (unsigned k = 0; k < m->reads; k++) add_places(reads, &m->read[k], size);
    if (json_array_size(reads)) json_object_set(o, "reads", reads);
    json_decref(reads);
    if (m->writes)
        json_object_set_new(o, "write", json_pack("[i, I]", (int)m->write.array, (json_int_t)(m->write.offset / size)));
    if (m->valued && (!m->writes || m->write.bytes == size))
        json_object_set_new(o, "value", value_json(c->variant, (union value){.bits = m->value}));
    return o;
}
/* The arrays that were touched; what the input holds before the first step. */
static json_t *arrays_json(const struct grade_case *c, const struct moves *moves, const void *first_input,
                           const void *second_input) {
    json_t *all = json_array();
    const size_t size = variant_size(c->variant);
    for (unsigned k = 0; k < moves->arrays; k++) {
        const struct move_array *a = &moves->array[k];
        const uint64_t length = a->size / size ? a->size / size : 1;
        const void *holds = a->space != PTX_GLOBAL                                     ? NULL
                            : !strcmp(a->name, c->kernel->input)                       ? first_input
                            : c->kernel->second && !strcmp(a->name, c->kernel->second) ? second_input
                                                                                       : NULL;
        json_t *first = json_array();
        for (uint64_t n = 0; n < length && n < 2 * MOST_SHOWN; n++)
            json_array_append_new(
                first, holds && n < c->n ? value_json(c->variant, reference_load(c->variant, holds, n)) : json_null());
        json_array_append_new(all, json_pack("{s:o, s:s, s:I, s:o}", "name", measured_text(a->name), "space",
                                             space_name(a->space), "length", (json_int_t)json_array_size(first),
                                             "first", first));
    }
    return all;
}
static json_t *player_steps(const struct grade_case *c, const struct measurement *m) {
    json_t *all = json_array();
    for (unsigned k = 0; k < steps_of(m)->count && k < MOST_SHOWN; k++) {
        const struct step *s = &steps_of(m)->item[k];
        json_t *o = step_json(s, steps_of(m)->warps), *moves = json_array();
        unsigned line = s->split_line;
        for (unsigned n = 0; n < moves_of(m)->count; n++) {
            const struct move *move = &moves_of(m)->item[n];
            if (move->barrier != s->barrier || move->sync != s->sync) continue;
            json_array_append_new(moves, move_json(c, move));
            line = move->line;
        }
        json_object_set_new(o, "line", json_integer(line));
        json_object_set_new(o, "divergent", json_boolean(s->divergent));
        json_object_set_new(o, "split", split_warps(s, steps_of(m)->warps));
        json_object_set_new(o, "moves", moves);
        json_array_append_new(all, o);
    }
    return all;
}
static json_t *player(const struct judge *j) {
    /* two warps where they meet: the kernels with a value a warp in shared memory */
    struct grade_case c = case_of(j, j->lab->kernels[0].shared_warp_values ? 2 * WARP : WARP, DATA_SMALL);
    if (c.kernel->grid_stride && c.n > MOST_SHOWN) c.n = MOST_SHOWN; /* it takes any n */
    char name[160];
    struct outcome o;
    const size_t bytes = c.n * variant_size(c.variant);
    const bool one_value = c.kernel->finish != FINISH_ARRAYS;
    char *data = one_value && c.n <= MOST_SHOWN ? calloc(3, bytes) : NULL,
         *inputs = data; /* the elements; their factors */
    if (!data) return NULL;
    case_data(&c, data);
    if (c.kernel->second) inputs += bytes, case_factors(&c, data, inputs, inputs + bytes);
    case_run(j, &j->student, &c, MEASURE_STEPS | MEASURE_MOVES, &o);
    json_t *p =
        json_pack("{s:s, s:s, s:i, s:i, s:s, s:o, s:o, s:o, s:o}", "kernel", c.kernel->name, "case",
                  case_name(&c, name, sizeof name), "block", (int)c.block, "elements", (int)c.n, "variant",
                  variant_name(c.variant), "arrays", arrays_json(&c, moves_of(&o.measurement), inputs, inputs + bytes),
                  "steps", player_steps(&c, &o.measurement), "result",
                  o.unwritten || o.kind >= OUTCOME_STOPPED ? json_string("") : value_json(c.variant, o.got), "expected",
                  value_json(c.variant, reference_reduce(c.variant, data, c.n)));
    outcome_free(&o);
    free(data);
    return p;
}

/* ---- the lane map and the accesses ---------------------------------------------------------- */
static json_t *map_json(const struct grade_case *c, const struct measurement *m) {
    char name[160];
    json_t *steps = json_array();
    for (unsigned k = 0; k < steps_of(m)->count && k < 2 * MOST_SHOWN; k++) {
        const struct step *s = &steps_of(m)->item[k];
        json_t *o = step_json(s, steps_of(m)->warps);
        json_object_set_new(o, "divergent", split_warps(s, steps_of(m)->warps));
        json_array_append_new(steps, o);
    }
    return json_pack("{s:s, s:s, s:i, s:i, s:i, s:o}", "kernel", c->kernel->name, "case",
                     case_name(c, name, sizeof name), "block", (int)c->block, "elements", (int)c->n, "warps",
                     (int)steps_of(m)->warps, "steps", steps);
}
static json_t *accesses_json(const struct accesses *list) {
    static const char *const kinds[] = {[SIM_LOAD] = "load", [SIM_STORE] = "store", [SIM_ATOMIC] = "atomic"};
    json_t *all = json_array();
    for (unsigned k = 0; k < list->count; k++) {
        const struct access_row *a = &list->item[k];
        json_t *addresses = json_array();
        for (unsigned l = 0; l < SIM_WARP; l++)
            json_array_append_new(addresses, a->mask >> l & 1 ? json_integer((json_int_t)a->offset[l]) : json_null());
        json_array_append_new(all, json_pack("{s:i, s:s, s:s, s:o, s:i, s:i, s:o, s:i, s:i, s:i}", "line", (int)a->line,
                                             "space", space_name(a->space), "kind", kinds[a->kind], "object",
                                             measured_text(a->object), "warp", (int)a->warp, "bytes", (int)a->bytes,
                                             "addresses", addresses, "sectors", (int)a->sectors, "passes",
                                             (int)a->passes, "ideal", (int)a->ideal));
    }
    return all;
}

void pictures(struct judge *j, json_t *result) {
    const struct grade_case c = case_of(j, FULL_BLOCK, DATA_EXACT);
    struct outcome o;
    json_t *small = player(j);
    if (small) json_object_set_new(result, "player", small);
    case_run(j, &j->student, &c, MEASURE_STEPS | MEASURE_ACCESSES, &o);
    json_object_set_new(result, "lane_map", map_json(&c, &o.measurement));
    json_object_set_new(result, "accesses", accesses_json(accesses_of(&o.measurement)));
    outcome_free(&o);
}

void previous_counts(struct judge *j, json_t *result) {
    const struct grade_case c = case_of(j, FULL_BLOCK, DATA_EXACT);
    struct outcome o;
    case_run(j, &j->reference, &c, MEASURE_COUNTS | MEASURE_STEPS, &o);
    json_object_set_new(result, "block", json_integer(c.block));
    json_object_set_new(result, "elements", json_integer(c.n));
    if (o.kind == OUTCOME_RIGHT) json_object_set_new(result, "counts", measured_counts(&o.measurement));
    outcome_free(&o);
}
