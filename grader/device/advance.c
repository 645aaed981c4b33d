/* See advance.h. */
#include "device/advance.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_BYTES = 1 << 16 /* modules with more bytes of variables are not advanced */ };

static bool is_state(const struct ptx_variable *v) { return v->space == PTX_GLOBAL && v->size; }
/* Returns the number of bytes of a variable's integers. Fields of structs and elements of byte arrays, whose sizes the
 * PTX does not say, count as 32-bit integers if they are aligned. */
static unsigned width_of(const struct ptx_variable *v) {
    const unsigned own = ptx_type_bits(v->type) / 8;
    return own == 1 && v->align >= 4 && v->size % 4 == 0 ? 4 : own ? own : 1;
}
static uint64_t bytes_of(const struct ptx_module *m) {
    uint64_t bytes = 0;
    for (unsigned k = 0; k < m->variable_count; k++) bytes += is_state(m->variables[k]) ? m->variables[k]->size : 0;
    return bytes;
}
/* Reads all variables, or writes them if `write`. */
static bool copy(struct sim *s, const struct ptx_module *m, uint8_t *value, bool write) {
    uint64_t bytes;
    bool ok = true;
    for (unsigned k = 0; ok && k < m->variable_count; k++) {
        const struct ptx_variable *v = m->variables[k];
        if (!is_state(v)) continue;
        const uint64_t at = sim_variable(s, v->name, &bytes);
        ok = at && (write ? sim_write(s, at, value, v->size) : sim_read(s, at, value, v->size));
        value += v->size;
    }
    return ok;
}
/* An integer of a variable: its value after the last launch, and by how much each of the last two launches changed
 * it. */
struct integer {
    uint64_t value, step, before, mask;
};
static struct integer integer_at(const struct advance *a, uint64_t at, unsigned width) {
    uint64_t x[ADVANCE_AFTER] = {0};
    for (unsigned k = 0; k < ADVANCE_AFTER; k++) memcpy(&x[k], a->value[k] + at, width);
    const uint64_t mask = width == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * width) - 1;
    return (struct integer){x[2], (x[2] - x[1]) & mask, (x[1] - x[0]) & mask, mask};
}
/* Returns the number of launches to skip, or 0 if launches do not change the integers by equal amounts. */
static uint64_t skipped(const struct advance *a, const struct ptx_module *m, uint32_t code) {
    const uint64_t limit = UINT64_C(1) << code % ADVANCE_SLOWEST;
    struct integer chosen = {0};
    for (unsigned k = 0, at = 0; k < m->variable_count; k++) {
        const struct ptx_variable *v = m->variables[k];
        const unsigned width = width_of(v);
        for (uint64_t n = 0; is_state(v) && n + width <= v->size; n += width, at += width) {
            const struct integer i = integer_at(a, at, width);
            if (i.step != i.before) return 0;
            if (!i.step || i.value >= limit || i.step >= limit / 8) continue; /* a count down has a huge step */
            if (!chosen.step || (code < ADVANCE_SLOWEST ? i.step > chosen.step : i.step < chosen.step)) chosen = i;
        }
        if (is_state(v)) at += v->size % width;
    }
    if (!chosen.step) return 0;
    const uint64_t left = (limit - 1 - chosen.value) / chosen.step;
    return left > 2 ? left - 2 : 0;
}
static void add_steps(const struct advance *a, const struct ptx_module *m, uint64_t launches) {
    for (unsigned k = 0, at = 0; k < m->variable_count; k++) {
        const struct ptx_variable *v = m->variables[k];
        const unsigned width = width_of(v);
        for (uint64_t n = 0; is_state(v) && n + width <= v->size; n += width, at += width) {
            const struct integer i = integer_at(a, at, width);
            const uint64_t value = i.value + launches * i.step;
            memcpy(a->value[ADVANCE_AFTER - 1] + at, &value, width);
        }
        if (is_state(v)) at += v->size % width;
    }
}
bool advance_after_launch(struct advance *a, struct sim *s, const struct ptx_module *m, uint32_t code) {
    const uint64_t bytes = bytes_of(m);
    if (!bytes || bytes > MAX_BYTES || a->launches >= ADVANCE_AFTER) return true;
    uint8_t *value = a->value[a->launches++] = malloc(bytes);
    if (!value || !copy(s, m, value, false)) return false;
    if (a->launches < ADVANCE_AFTER) return true;
    const uint64_t launches = skipped(a, m, code);
    add_steps(a, m, launches);
    return !launches || copy(s, m, value, true);
}
void advance_free(struct advance *a) {
    for (unsigned k = 0; k < ADVANCE_AFTER; k++) free(a->value[k]);
}
