/* See classes.h. */
#include "judge/classes.h"
#include <stdio.h>
#include <string.h>

/* A case has one shape. If it has several launches and is not large, it also counts as AGAIN. */
enum { TYPES = REDUCE_TYPE_U16 + 1, NAME = 24 };
enum shape { EMPTY, WARP, BLOCK, BLOCKS, TAIL, UNALIGNED, LARGE, AGAIN, SHAPES };
static const struct {
    const char *name, *words; /* name: in the record; words: in messages */
} shapes[SHAPES] = {
    [EMPTY] = {"n = 0", "n = 0"},
    [WARP] = {"one warp", "one full warp"},
    [BLOCK] = {"one block", "one full block"},
    [BLOCKS] = {"many blocks", "many full blocks"},
    [TAIL] = {"tails", "n not a multiple of blockDim.x"},
    [UNALIGNED] = {"unaligned", "unaligned input"},
    [LARGE] = {"large", "large n"},
    [AGAIN] = {"launched again", "launched again"},
};
/* Returns the words for a message. Labs that have not introduced the term "warp" avoid it. */
static const char *shape_words(enum shape s, unsigned taught) {
    return terms_choose(taught, shapes[s].words, s == WARP ? "one full block of 32 threads" : shapes[s].words);
}
static enum shape shape_of(const struct grade_case *c) {
    if (!c->n) return EMPTY;
    if (case_is_large(c)) return LARGE;
    if (c->offset) return UNALIGNED;
    if (c->n % c->block) return TAIL;
    if (case_blocks(c, c->n, 0) > 1) return BLOCKS;
    return c->block == 32 ? WARP : BLOCK;
}

struct count {
    unsigned cases, wrong, not_run;
};
static bool passes(const struct count *c) { return c->cases && !c->wrong && !c->not_run; }
/* For each shape: the counts of all cases, of those with each operator, and of those with each type. */
struct table {
    struct count all[SHAPES], op[SHAPES][REDUCE_OP_COUNT], type[SHAPES][TYPES];
};
static void tell(struct table *t, enum shape shape, struct variant v, bool run, bool right) {
    struct count *counts[] = {&t->all[shape], &t->op[shape][v.op], &t->type[shape][v.type]};
    for (unsigned k = 0; k < sizeof counts / sizeof *counts; k++)
        counts[k]->cases++, counts[k]->wrong += run && !right, counts[k]->not_run += !run;
}
static void fill(struct table *t, const struct grade_case *cases, const struct outcome *outcomes, unsigned count) {
    for (unsigned k = 0; k < count; k++) {
        const struct outcome *o = &outcomes[k];
        const bool run = o->kind != OUTCOME_NOT_RUN && o->kind != OUTCOME_SKIPPED, right = o->kind == OUTCOME_RIGHT,
                   first = right || ((o->kind == OUTCOME_WRONG || o->kind == OUTCOME_STOPPED) && o->launch > 1);
        tell(t, shape_of(&cases[k]), cases[k].variant, run, first);
        if (case_launches(&cases[k]) > 1 && !case_is_large(&cases[k])) tell(t, AGAIN, cases[k].variant, run, right);
    }
}

/* ---- names ---------------------------------------------------------------------------------- */
/* The names of operators and types as in a variant's name, such as "sum" and "int" for "sum_i32". */
struct names {
    char op[REDUCE_OP_COUNT][NAME], type[TYPES][NAME];
};
static void name_variant(struct names *n, struct variant v) {
    const char *name = variant_name(v), *last = strrchr(name, '_');
    snprintf(n->op[v.op], sizeof n->op[0], "%.*s", last ? (int)(last - name) : 15, name);
    snprintf(n->type[v.type], sizeof n->type[0], "%s", variant_type(v));
}
static void append(char *text, size_t size, const char *before, const char *word) {
    const size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", before, word);
}

/* ---- classes -------------------------------------------------------------------------------- */
/* The results for one shape, by operator or by type. */
struct part {
    unsigned all, hold;
    json_t *wrong;  /* names of the classes that do not pass */
    char text[100]; /* names of the classes with wrong cases, such as "min, max" */
};
static struct part part_of(const struct count *counts, unsigned n, char names[][NAME]) {
    struct part p = {.wrong = json_array()};
    for (unsigned k = 0; k < n; k++) {
        p.all += counts[k].cases > 0, p.hold += passes(&counts[k]);
        if (counts[k].wrong || counts[k].not_run) json_array_append_new(p.wrong, json_string(names[k]));
        if (!counts[k].wrong) continue;
        append(p.text, sizeof p.text, p.text[0] ? ", " : "", names[k]);
    }
    return p;
}
/* Appends a shape to a list. If only some operators or types of the shape are wrong, appends their names, unless the
 * list would become too long. */
static void add_shape(char *text, size_t size, const char *shape, const struct part *op, const struct part *type) {
    enum { ROOM = 180 }; /* for the names of the shapes that may follow */
    const struct part *few = op->hold ? op : type->hold ? type : NULL;
    append(text, size, text[0] ? ", " : "", shape);
    if (few && few->text[0] && strlen(text) + strlen(few->text) + ROOM < size)
        append(text, size, " (", few->text), append(text, size, ")", "");
}
void classes_of(const struct grade_case *cases, const struct outcome *outcomes, unsigned count, unsigned taught,
                struct classes *out) {
    struct table t = {0};
    struct names names = {0};
    enum { PASS, WRONG, SOME, NOT_RUN, LISTS };
    static const char *const heads[LISTS] = {"all right: ", "wrong in: ", "some wrong in: ", "not run: "};
    char lists[LISTS][CLASSES_TEXT / LISTS - 16] = {{0}}; /* a list and its head take a fourth of the text */
    unsigned all = 0, hold = 0, of_nothing = 0;
    fill(&t, cases, outcomes, count);
    for (unsigned k = 0; k < count; k++) name_variant(&names, cases[k].variant);
    out->list = json_array();
    for (unsigned s = 0; s < SHAPES; s++) {
        if (!t.all[s].cases) continue;
        const struct part op = part_of(t.op[s], REDUCE_OP_COUNT, names.op),
                          type = part_of(t.type[s], TYPES, names.type);
        all += op.all + type.all, hold += op.hold + type.hold;
        if (s == EMPTY) of_nothing = hold;
        const struct count *c = &t.all[s];
        char *const list = lists[c->wrong     ? c->wrong + c->not_run < c->cases ? SOME : WRONG
                                 : c->not_run ? NOT_RUN
                                              : PASS];
        add_shape(list, sizeof *lists, shape_words(s, taught), &op, &type);
        json_array_append_new(out->list,
                              json_pack("{s:s, s:i, s:i, s:o, s:o}", "name", shapes[s].name, "cases",
                                        (int)t.all[s].cases, "wrong", (int)(t.all[s].wrong + t.all[s].not_run),
                                        "operators", op.wrong, "types", type.wrong));
    }
    out->share = hold > of_nothing ? (double)hold / all : 0;
    out->text[0] = 0;
    for (unsigned k = 0; k < LISTS; k++)
        if (lists[k][0])
            append(out->text, sizeof out->text, out->text[0] ? "; " : "", heads[k]),
                append(out->text, sizeof out->text, "", lists[k]);
}
