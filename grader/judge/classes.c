/* See classes.h. */
#include "judge/classes.h"
#include <stdio.h>
#include <string.h>

/* A case has one shape, but where a kernel is launched several times in a row: those launches are one of their own. */
enum shape { EMPTY, WARP, BLOCK, BLOCKS, TAIL, UNALIGNED, LARGE, AGAIN, SHAPES };
static const char *const shapes[SHAPES] = {
    [EMPTY] = "n = 0",    [WARP] = "one warp",       [BLOCK] = "one block", [BLOCKS] = "many blocks", [TAIL] = "tails",
    [UNALIGNED] = "unaligned", [LARGE] = "large", [AGAIN] = "launched again"};
static enum shape shape_of(const struct grade_case *c) {
    if (!c->n) return EMPTY;
    if (case_is_large(c)) return LARGE;
    if (c->offset) return UNALIGNED;
    if (c->n % c->block) return TAIL;
    if (case_blocks(c, c->n, 0) > 1) return BLOCKS;
    return c->block == 32 ? WARP : BLOCK;
}

struct count {
    unsigned cases, wrong;
};
/* By operator, and by type. */
struct table {
    struct count all[SHAPES], op[SHAPES][REDUCE_OP_COUNT], type[SHAPES][REDUCE_TYPE_COUNT];
};
static void tell(struct table *t, enum shape shape, struct variant v, bool right) {
    struct count *counts[] = {&t->all[shape], &t->op[shape][v.op], &t->type[shape][v.type]};
    for (unsigned k = 0; k < sizeof counts / sizeof *counts; k++) counts[k]->cases++, counts[k]->wrong += !right;
}
static void fill(struct table *t, const struct grade_case *cases, const struct outcome *outcomes, unsigned count) {
    for (unsigned k = 0; k < count; k++) {
        const struct outcome *o = &outcomes[k];
        const bool right = o->kind == OUTCOME_RIGHT,
                   first = right || ((o->kind == OUTCOME_WRONG || o->kind == OUTCOME_STOPPED) && o->launch > 1);
        tell(t, shape_of(&cases[k]), cases[k].variant, first);
        if (cases[k].kernel->finish == FINISH_ITSELF && !case_is_large(&cases[k]))
            tell(t, AGAIN, cases[k].variant, right);
    }
}

/* "sum" of "sum_i32", and "i32". */
static void names_of(struct variant v, char op[16], char type[16]) {
    const char *name = variant_name(v), *last = strrchr(name, '_');
    snprintf(op, 16, "%.*s", last ? (int)(last - name) : 15, name);
    snprintf(type, 16, "%s", last ? last + 1 : "");
}
/* How many hold of those that there are; wrong ones by name into `wrong`. */
static void add_counts(const struct count *counts, unsigned n, const char *const names[], json_t *wrong, unsigned *all,
                       unsigned *hold) {
    for (unsigned k = 0; k < n; k++) {
        *all += counts[k].cases > 0, *hold += counts[k].cases > 0 && !counts[k].wrong;
        if (counts[k].wrong) json_array_append_new(wrong, json_string(names[k]));
    }
}
json_t *classes_of(const struct grade_case *cases, const struct outcome *outcomes, unsigned count, double *share) {
    struct table t;
    char op_names[REDUCE_OP_COUNT][16], type_names[REDUCE_TYPE_COUNT][16];
    const char *ops[REDUCE_OP_COUNT], *types[REDUCE_TYPE_COUNT];
    unsigned all = 0, hold = 0, hold_something = 0;
    json_t *list = json_array();
    memset(&t, 0, sizeof t);
    memset(op_names, 0, sizeof op_names), memset(type_names, 0, sizeof type_names);
    fill(&t, cases, outcomes, count);
    for (unsigned k = 0; k < count; k++)
        names_of(cases[k].variant, op_names[cases[k].variant.op], type_names[cases[k].variant.type]);
    for (unsigned k = 0; k < REDUCE_OP_COUNT; k++) ops[k] = op_names[k];
    for (unsigned k = 0; k < REDUCE_TYPE_COUNT; k++) types[k] = type_names[k];
    for (unsigned s = 0; s < SHAPES; s++) {
        const unsigned before = hold;
        json_t *wrong_ops = json_array(), *wrong_types = json_array();
        if (!t.all[s].cases) {
            json_decref(wrong_ops), json_decref(wrong_types);
            continue;
        }
        add_counts(t.op[s], REDUCE_OP_COUNT, ops, wrong_ops, &all, &hold);
        add_counts(t.type[s], REDUCE_TYPE_COUNT, types, wrong_types, &all, &hold);
        if (s != EMPTY) hold_something += hold - before;
        json_array_append_new(list, json_pack("{s:s, s:i, s:i, s:o, s:o}", "name", shapes[s], "cases", t.all[s].cases,
                                              "wrong", t.all[s].wrong, "operators", wrong_ops, "types", wrong_types));
    }
    *share = hold_something ? (double)hold / all : 0;
    return list;
}
