/* See advance.h. */
#include "device/advance.h"
#include "base/narrow.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_state(const struct ptx_variable *v) { return v->space == PTX_GLOBAL && v->size; }
static uint64_t bytes_of(const struct ptx_module *m) {
    uint64_t bytes = 0;
    for (unsigned k = 0; k < m->variable_count; k++) bytes += is_state(m->variables[k]) ? m->variables[k]->size : 0;
    return bytes;
}
/* Reads all global variables, or writes them if `write`. */
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

/* ---- floats --------------------------------------------------------------------------------- */
struct format {
    unsigned bits, exponent, mantissa;
};
static const struct format formats[] = {{16, 5, 10}, {16, 8, 7}, {32, 8, 23}, {64, 11, 52}};
static double float_of(const struct format *f, uint64_t x) {
    float single;
    double d;
    memcpy(&single, &x, sizeof single), memcpy(&d, &x, sizeof d);
    if (f->bits == 16) return f->exponent == 5 ? widened_f16((uint16_t)x) : widened_bf16((uint16_t)x);
    return f->bits == 32 ? (double)single : d;
}
/* Returns the bits of d in format f, rounded toward 0. */
static uint64_t bits_of(const struct format *f, double d) {
    const uint64_t one = UINT64_C(1) << f->mantissa, most = (1U << f->exponent) - 1;
    int e;
    const double fraction = frexp(fabs(d), &e);
    if (fraction == 0) return 0;
    const uint64_t power = (uint64_t)(e - 1 + (int)(most >> 1)), sign = d < 0;
    return sign << (f->bits - 1) | power << f->mantissa | ((uint64_t)ldexp(fraction, (int)f->mantissa + 1) & (one - 1));
}

/* ---- counters ------------------------------------------------------------------------------- */
/* A number among the variables that the last launches changed by equal amounts. */
struct counter {
    uint64_t at;
    unsigned bits;
    const struct format *format; /* NULL for an integer */
    uint64_t value, step;        /* of an integer, modulo 2^bits */
    double number, distance;     /* a float and its step */
};
static uint64_t mask_of(unsigned bits) { return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1; }
static bool is_integer(const struct advance *a, uint64_t at, unsigned bits, struct counter *c) {
    uint64_t x[ADVANCE_AFTER] = {0};
    for (unsigned k = 0; k < ADVANCE_AFTER; k++) memcpy(&x[k], a->value[k] + at, bits / 8);
    *c = (struct counter){.at = at, .bits = bits, .value = x[2], .step = (x[2] - x[1]) & mask_of(bits)};
    return c->step == ((x[1] - x[0]) & mask_of(bits));
}
/* Returns whether the bits are a float that counts in units of 1 / parts. */
static bool is_float(const struct advance *a, uint64_t at, const struct format *f, double parts, struct counter *c) {
    double d[ADVANCE_AFTER];
    for (unsigned k = 0; k < ADVANCE_AFTER; k++) {
        uint64_t x = 0;
        memcpy(&x, a->value[k] + at, f->bits / 8);
        d[k] = float_of(f, x) * parts;
        if (!isfinite(d[k]) || d[k] != floor(d[k])) return false;
    }
    *c = (struct counter){.at = at, .bits = f->bits, .format = f, .number = d[2] / parts};
    c->distance = (d[2] - d[1]) / parts;
    return c->distance != 0 && d[2] - d[1] == d[1] - d[0];
}
typedef void counter_use(struct counter *c, void *context);
/* Calls `use` for the counter of `bits` bits at `at`. If these bits are not a counter, searches their halves. */
static void each_at(const struct advance *a, uint64_t at, unsigned bits, bool typed, counter_use *use, void *context) {
    struct counter c;
    if (!memcmp(a->value[0] + at, a->value[2] + at, bits / 8)) return;
    enum { FORMATS = sizeof formats / sizeof *formats, PARTS = 1 << 10 };
    for (unsigned k = 0; k < 2 * FORMATS; k++) /* whole numbers first */
        if (formats[k % FORMATS].bits == bits && is_float(a, at, &formats[k % FORMATS], k < FORMATS ? 1 : PARTS, &c))
            return use(&c, context);
    if (is_integer(a, at, bits, &c) && (typed || bits < 64 || !(c.step >> 32))) return use(&c, context);
    if (bits == 8) return;
    each_at(a, at, bits / 2, typed, use, context);
    each_at(a, at + bits / 16, bits / 2, typed, use, context);
}
/* Calls `use` for each counter. PTX does not give the types of a struct's members. 64 bits of a struct are therefore
 * treated as one counter only if the step is less than 2^32. */
static void each_counter(const struct advance *a, const struct ptx_module *m, counter_use *use, void *context) {
    uint64_t at = 0;
    for (unsigned k = 0; k < m->variable_count; k++) {
        const struct ptx_variable *v = m->variables[k];
        if (!is_state(v)) continue;
        const unsigned own = ptx_type_bits(v->type) / 8;
        unsigned width = own > 1 ? own : v->align >= 8 ? 8 : v->align ? v->align : 1;
        while (width > 8 || v->size % width) width /= 2;
        enum { CHUNK = 4096 }; /* unchanged chunks of large variables contain no counter */
        for (uint64_t n = 0; n < v->size; n += width) {
            const bool whole = n % CHUNK == 0 && v->size - n >= CHUNK;
            if (whole && !memcmp(a->value[0] + at + n, a->value[2] + at + n, CHUNK))
                n += CHUNK - width;
            else
                each_at(a, at + n, 8 * width, own > 1, use, context);
        }
        at += v->size;
    }
}

/* ---- targets -------------------------------------------------------------------------------- */
/* Stops are rounded down to a multiple of NEAR. The simulator does not skip launches within NEAR launches after a stop.
 */
enum { NEAR = 4 };
static const uint64_t most_launches = UINT64_C(1) << 36; /* more would take days */
static void add_stop(struct advance *a, double distance, double step) {
    const double launches = floor(distance / step) - 2;
    if (!(launches >= 1 && launches <= (double)most_launches)) return;
    /* A variable may alternate between launches. It stays consistent if a multiple of NEAR launches is skipped. */
    const uint64_t stop = a->launches + (uint64_t)launches / NEAR * NEAR;
    unsigned k = a->stops;
    while (k && a->stop[k - 1] > stop) k--;
    if ((k && a->stop[k - 1] == stop) || k == ADVANCE_STOPS) return;
    const unsigned last = a->stops < ADVANCE_STOPS ? a->stops++ : ADVANCE_STOPS - 1;
    memmove(&a->stop[k + 1], &a->stop[k], (last - k) * sizeof *a->stop);
    a->stop[k] = stop;
}
struct search {
    struct advance *a;
    uint32_t code;
};
/* Adds the launch after which the low `bits` bits of an integer exceed their maximum or become negative. */
static void add_carry(struct advance *a, const struct counter *c, unsigned bits) {
    const uint64_t mask = mask_of(bits), x = c->value & mask, up = c->step & mask, down = -up & mask;
    if (!up || bits > c->bits) return;
    if (up <= mask / 2)
        add_stop(a, (double)(mask - x), (double)up);
    else
        add_stop(a, (double)x, (double)down);
}
static void add_target(struct advance *a, const struct counter *c, double target) {
    const uint64_t mask = mask_of(c->bits), down = -c->step & mask;
    double x = c->number, step = c->distance;
    if (!c->format) x = (double)c->value, step = c->step <= mask / 2 ? (double)c->step : -(double)down;
    if (step > 0)
        add_stop(a, target - 1 - x, step);
    else
        add_stop(a, c->format ? target - 1 + x : x - target, -step);
}
static void add_targets(struct counter *c, void *context) {
    const struct search *s = context;
    if (s->code > ADVANCE_MAX_BITS) add_target(s->a, c, s->code);
    for (unsigned bits = s->code; bits <= s->code + ADVANCE_RANGE && bits <= ADVANCE_MAX_BITS; bits++) {
        if (c->format) {
            add_target(s->a, c, ldexp(1, (int)bits));
            continue;
        }
        add_carry(s->a, c, bits);
        add_carry(s->a, c, bits + 32);
    }
}

/* ---- launches ------------------------------------------------------------------------------- */
struct leap {
    uint8_t *value;
    uint64_t launches;
};
static void leap_over(struct counter *c, void *context) {
    const struct leap *l = context;
    const uint64_t x = c->format ? bits_of(c->format, c->number + (double)l->launches * c->distance)
                                 : c->value + l->launches * c->step;
    memcpy(l->value + c->at, &x, c->bits / 8);
}
/* Returns the number of launches to skip before the next stop. Returns 0 if no stop is left, or if the launches after
 * the latest stop may still reach its target. */
static uint64_t to_next_stop(struct advance *a) {
    const uint64_t now = a->launches + a->skipped;
    for (unsigned k = 0; k < a->stops; k++)
        if (a->stop[k] + NEAR >= now) return a->stop[k] > now ? a->stop[k] - now : 0;
    return 0;
}
bool advance_after_launch(struct advance *a, struct sim *s, const struct ptx_module *m, uint32_t code) {
    const uint64_t bytes = bytes_of(m), turn = a->launches++ % ADVANCE_BETWEEN;
    if (!bytes || turn >= ADVANCE_AFTER) return true;
    if (!a->value[turn] && !(a->value[turn] = malloc(bytes))) return false;
    if (!copy(s, m, a->value[turn], false)) return false;
    if (turn < ADVANCE_AFTER - 1) return true;
    if (a->launches == ADVANCE_AFTER) each_counter(a, m, add_targets, &(struct search){a, code});
    const struct leap l = {a->value[turn], to_next_stop(a)};
    if (!l.launches) return true;
    a->skipped += l.launches;
    each_counter(a, m, leap_over, (void *)&l);
    return copy(s, m, l.value, true);
}
void advance_free(struct advance *a) {
    for (unsigned k = 0; k < ADVANCE_AFTER; k++) free(a->value[k]);
}
