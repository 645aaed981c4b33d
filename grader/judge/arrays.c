/* See arrays.h. */
#include "judge/arrays.h"
#include "judge/judge.h"
#include <stdio.h>
#include <stdlib.h>

uint32_t case_side(const struct grade_case *c) {
    uint32_t side = 0;
    while ((uint64_t)(side + 1) * (side + 1) <= c->n) side++;
    return side;
}
uint64_t case_extent(const struct grade_case *c, struct lab_extent e) {
    uint64_t count = 1;
    switch (e.of) {
    case COUNT_1: break;
    case COUNT_N: count = c->n; break;
    case COUNT_SIDE: count = case_side(c); break;
    case COUNT_AREA: count = (uint64_t)case_side(c) * case_side(c); break;
    case COUNT_M: count = c->block; break;
    case COUNT_BLOCKS: count = case_blocks(c, c->n, 0); break;
    }
    const uint64_t per = e.per ? e.per : 1;
    return (count * (e.times ? e.times : 1) + per - 1) / per;
}
struct variant case_array_variant(const struct grade_case *c, const struct lab_array *a) {
    return a->is_unsigned ? (struct variant){REDUCE_OP_SUM, REDUCE_TYPE_U32, 0} : c->variant;
}

/* ---- drawing -------------------------------------------------------------------------------- */
static bool is_output(const struct lab_array *a) { return a->role == ARRAY_OUT || a->role == ARRAY_ZEROED; }
/* Returns the size of an array in bytes. There is room for n elements even in a shorter array, because draw()
 * generates at least n. */
static uint64_t room_of(const struct grade_case *c, const struct lab_array *a) {
    const uint64_t length = case_extent(c, a->length), most = length > c->n ? length : c->n;
    return (most * variant_size(case_array_variant(c, a)) + 15) / 16 * 16;
}
/* Generates input k. Each input has its own seed. */
static void draw(const struct grade_case *c, const struct lab_array *a, unsigned k, void *to) {
    struct grade_case drawn = *c;
    const uint64_t length = case_extent(c, a->length);
    drawn.variant = case_array_variant(c, a);
    drawn.seed += k * UINT64_C(0x9e3779b97f4a7c15);
    if (length > drawn.n) drawn.n = (uint32_t)length;
    case_data(&drawn, to);
}
bool case_arrays_draw(struct case_arrays *all, const struct grade_case *c) {
    const struct lab_arrays *declared = c->kernel->arrays;
    uint64_t room = 0, at = 0;
    unsigned inputs = 0, outputs = 0;
    *all = (struct case_arrays){NULL};
    for (const struct lab_array *a = declared->array; a < declared->array + LAB_ARRAYS && a->name; a++)
        room += room_of(c, a);
    if (!(all->memory = calloc(1, room + 1))) return false;
    for (const struct lab_array *a = declared->array; a < declared->array + LAB_ARRAYS && a->name; a++) {
        if (a->role == ARRAY_IN) draw(c, a, inputs, all->memory + at), all->inputs[inputs++] = all->memory + at;
        if (is_output(a)) all->expected[outputs++] = all->memory + at;
        at += room_of(c, a);
    }
    declared->oracle(&(struct lab_question){
        .variant = c->variant, .n = c->n, .side = case_side(c), .inputs = all->inputs, .outputs = all->expected});
    return true;
}
void case_arrays_free(struct case_arrays *a) {
    free(a->memory);
    *a = (struct case_arrays){NULL};
}

/* ---- comparing ------------------------------------------------------------------------------ */
bool case_arrays_compare(const struct case_arrays *all, const struct grade_case *c, unsigned k, const void *got,
                         struct array_fault *f) {
    const struct lab_array *a = c->kernel->arrays->array;
    for (unsigned left = k; !is_output(a) || left--;) a++;
    const struct variant v = case_array_variant(c, a);
    *f = (struct array_fault){.of = case_extent(c, a->length), .variant = v};
    for (uint64_t at = 0; at < f->of; at++) {
        const union value x = reference_load(v, got, at), y = reference_load(v, all->expected[k], at);
        if (reference_equal(v, x, y) || f->wrong++) continue;
        f->array = a->name, f->at = at, f->got = x, f->expected = y;
        f->unwritten = device_is_poison((const char *)got + at * variant_size(v), variant_size(v));
    }
    return !f->wrong;
}
char *array_fault_text(const struct array_fault *f, char *out, size_t size) {
    char got[100], expected[100];
    snprintf(out, size, "%s[%llu]: %s%s, expected %s; %llu of %llu elements wrong", f->array, (unsigned long long)f->at,
             f->unwritten ? "never written" : "got ",
             f->unwritten ? "" : reference_print(f->variant, f->got, got, sizeof got),
             reference_print(f->variant, f->expected, expected, sizeof expected), (unsigned long long)f->wrong,
             (unsigned long long)f->of);
    return out;
}
