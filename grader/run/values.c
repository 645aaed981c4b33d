/* Parses command-line arguments: numbers, and buffers TYPE[N]:FILL. */
#include "base/file.h"
#include "base/random.h"
#include "run/argument.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Maximum sizes of a buffer and of a file in bytes. A buffer must be smaller than the distance between simulated
 * buffers. */
static const uint64_t most_bytes = UINT64_C(64) << 30, most_file_bytes = 256 << 20;

const struct run_type run_types[] = {
    {"i8", "char", RUN_SIGNED, 1},      {"u8", "uchar", RUN_UNSIGNED, 1},   {"i16", "short", RUN_SIGNED, 2},
    {"u16", "ushort", RUN_UNSIGNED, 2}, {"i32", "int", RUN_SIGNED, 4},      {"u32", "unsigned", RUN_UNSIGNED, 4},
    {"i64", "long", RUN_SIGNED, 8},     {"u64", "size_t", RUN_UNSIGNED, 8}, {"f16", "half", RUN_FLOAT, 2},
    {"f32", "float", RUN_FLOAT, 4},     {"f64", "double", RUN_FLOAT, 8},    {"bf16", "bfloat16", RUN_FLOAT, 2, true},
};
const unsigned run_type_count = sizeof run_types / sizeof *run_types;
/* More names that a parameter's type may have in the source, or in its demangled symbol. */
static const struct {
    const char *name, *type;
} c_types[] = {
    {"signed char", "i8"},    {"int8_t", "i8"},     {"unsigned char", "u8"},   {"uint8_t", "u8"},
    {"bool", "u8"},           {"int16_t", "i16"},   {"uint16_t", "u16"},       {"unsigned short", "u16"},
    {"int32_t", "i32"},       {"uint32_t", "u32"},  {"unsigned int", "u32"},   {"uint", "u32"},
    {"int64_t", "i64"},       {"long long", "i64"}, {"uint64_t", "u64"},       {"unsigned long long", "u64"},
    {"unsigned long", "u64"}, {"__half", "f16"},    {"__nv_bfloat16", "bf16"},
};
static const char type_list[] =
    "i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64 (or int, unsigned, half, float, double, and other types of C)";

struct message {
    char *out;
    size_t size;
};
static bool say(const struct message *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool say(const struct message *m, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(m->out, m->size, format, arguments);
    va_end(arguments);
    return false;
}
static bool is_word(const char *word, const char *name, size_t length) {
    return strlen(word) == length && !strncmp(word, name, length);
}
const struct run_type *run_type_find(const char *name, size_t length) {
    for (unsigned k = 0; k < run_type_count; k++)
        if (is_word(run_types[k].name, name, length) || is_word(run_types[k].alias, name, length)) return &run_types[k];
    for (unsigned k = 0; k < sizeof c_types / sizeof *c_types; k++)
        if (is_word(c_types[k].name, name, length)) return run_type_find(c_types[k].type, strlen(c_types[k].type));
    return NULL;
}

/* ---- numbers -------------------------------------------------------------------------------- */
static bool whole_number(const char *text, char **end, bool *negative, uint64_t *magnitude) {
    const char *digits = text + (*text == '-' || *text == '+');
    if (*digits < '0' || *digits > '9') return false;
    errno = 0;
    *negative = *text == '-';
    *magnitude = strtoull(digits, end, 0);
    return !errno;
}
/* Rounds to IEEE 754 binary16, ties to even. */
static uint16_t to_half(double v) {
    const uint16_t sign = signbit(v) ? 0x8000 : 0;
    const double a = fabs(v);
    if (isnan(v)) return 0x7fff;
    if (a >= 65520) return sign | 0x7c00;
    if (a < 0x1p-14)
        return sign | (uint16_t)nearbyint(a * 0x1p24); /* subnormal halves; the largest values round up to 2^-14 */
    const int e = ilogb(a);
    /* A carry out of the significand increments the exponent. */
    return sign | (uint16_t)(((e + 14) << 10) + (int)nearbyint(ldexp(a, 10 - e)));
}
static double from_half(uint16_t h) {
    const int e = h >> 10 & 31, m = h & 1023;
    const double a = e == 31 ? (m ? NAN : INFINITY) : e ? ldexp(1024 + m, e - 25) : ldexp(m, -24);
    return h >> 15 ? -a : a;
}
/* Rounds to bfloat16 (8 significand bits), ties to even. */
static uint16_t to_brain(double v) {
    const int e = v != 0 && isfinite(v) && ilogb(v) > -126 ? ilogb(v) : -126;
    const float f = isfinite(v) ? (float)ldexp(nearbyint(ldexp(v, 7 - e)), e - 7) : (float)v;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return isnan(v) ? 0x7fff : (uint16_t)(bits >> 16);
}
static double from_brain(uint16_t h) {
    const uint32_t bits = (uint32_t)h << 16;
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}
void run_store_float(const struct run_type *t, double v, void *out) {
    const float f = (float)v;
    const uint16_t h = t->brain ? to_brain(v) : to_half(v);
    if (t->bytes == 2)
        memcpy(out, &h, 2);
    else if (t->bytes == 4)
        memcpy(out, &f, 4);
    else
        memcpy(out, &v, 8);
}
/* Parses a number of type t and stores it. `either` accepts signed and unsigned values, as for a PTX parameter,
 * which does not record the sign. */
static bool store_number(const struct run_type *t, bool either, const char *text, void *out, const struct message *m) {
    char *end = NULL;
    bool negative = false;
    uint64_t v = 0;
    if (t->kind == RUN_FLOAT) {
        const double d = strtod(text, &end);
        if (end == text || (*end && strcmp(end, "f") && strcmp(end, "F")) || *text == ' ')
            return say(m, "`%s` is not a number", text);
        run_store_float(t, d, out);
        return true;
    }
    const bool truth = !strcmp(text, "true") || !strcmp(text, "false");
    if (truth)
        v = *text == 't';
    else if (!whole_number(text, &end, &negative, &v) || (*end && strcmp(end, "u") && strcmp(end, "U")))
        return say(m, "`%s` is not an integer of at most 64 bits", text);
    const uint64_t top = UINT64_C(1) << (8 * t->bytes - 1);
    const bool fits = negative ? (t->kind == RUN_SIGNED || either) && v <= top
                               : v <= (t->kind == RUN_UNSIGNED || either ? 2 * (top - 1) + 1 : top - 1);
    if (!fits) return say(m, "`%s` does not fit into %s", text, either ? "the parameter" : t->name);
    if (negative) v = -v;
    memcpy(out, &v, t->bytes); /* host and device are little-endian */
    return true;
}

/* ---- fills ---------------------------------------------------------------------------------- */
static bool fill_from_file(struct run_argument *a, const char *path, const struct message *m) {
    const uint64_t bytes = a->count * a->type->bytes;
    if (bytes > most_file_bytes)
        return say(m, "a buffer filled from a file can hold at most %llu MiB: use another fill, such as small",
                   (unsigned long long)most_file_bytes >> 20);
    a->fill = RUN_FILL_FILE;
    if (!run_buffer_new(a)) return say(m, "out of memory");
    const char *why = run_buffer_read_file(a, path);
    return why ? say(m, "%s: %s (%llu)", path, why, (unsigned long long)bytes) : true;
}
static bool fill(struct run_argument *a, const char *how, uint64_t *random, const struct message *m) {
    char inner[200];
    const struct message quiet = {inner, sizeof inner};
    a->initialized = strcmp(how, "out") != 0;
    if (*how == '@') return fill_from_file(a, how + 1, m);
    if (!run_fill_find(how, &a->fill)) {
        a->fill = RUN_FILL_SAME;
        if (!store_number(a->type, false, how, a->value, &quiet))
            return say(m,
                       "`%s` is not a fill: use random, small, iota, zero, out, @FILE, or a number that fits into %s",
                       how, a->type->name);
    }
    a->random = *random;
    if (a->fill == RUN_FILL_RANDOM) *random = random_skip(*random, a->count);
    return run_buffer_new(a) || say(m, "out of memory");
}

/* ---- arguments ------------------------------------------------------------------------------ */
static const char *describe(const struct ptx_variable *p, char *out, size_t size) {
    if (p->size != ptx_type_bits(p->type) / 8)
        snprintf(out, size, "a struct of %llu bytes", (unsigned long long)p->size);
    else if (p->type == PTX_F32 || p->type == PTX_F64)
        snprintf(out, size, "a %s", p->type == PTX_F32 ? "float" : "double");
    else if (p->size == 8)
        snprintf(out, size, "a pointer or an 8-byte integer");
    else
        snprintf(out, size, "a %u-byte integer", (unsigned)p->size);
    return out;
}
/* Returns the type that an untyped number has for the parameter, or NULL for a struct. An integer has the
 * parameter's size and is signed. */
static const struct run_type *parameter_type(const struct ptx_variable *p) {
    if (p->type == PTX_F32) return run_type_find("f32", 3);
    if (p->type == PTX_F64) return run_type_find("f64", 3);
    if (p->size != ptx_type_bits(p->type) / 8) return NULL;
    for (unsigned k = 0; k < run_type_count; k++)
        if (run_types[k].bytes == p->size && run_types[k].kind == RUN_SIGNED) return &run_types[k];
    return NULL;
}
/* Parses the contents of a pointer's buffer or of a variable: TYPE[N]:FILL. */
static bool parse_buffer(struct run_argument *a, const char *text, const char *bracket, const struct ptx_variable *p,
                         uint64_t *random, const struct message *m) {
    char *end, what[80];
    bool negative;
    a->read_only = !strncmp(text, "const ", 6);
    if (a->read_only) text += 6;
    a->type = run_type_find(text, (size_t)(bracket - text));
    if (!a->type) return say(m, "`%.*s` is not a type: %s", (int)(bracket - text), text, type_list);
    if (!whole_number(bracket + 1, &end, &negative, &a->count) || negative || *end != ']' || bracket[1] == '+')
        return say(m, "a buffer is TYPE[N]:FILL, where N is the number of elements");
    if (a->count > most_bytes / a->type->bytes)
        return say(m, "a buffer has at most %llu GiB, which is %llu elements of %s: give it fewer",
                   (unsigned long long)most_bytes >> 30, (unsigned long long)most_bytes / a->type->bytes,
                   a->type->name);
    if (end[1] == '+' && (!whole_number(end + 2, &end, &negative, &a->shift) || negative || *end-- != ':' ||
                          a->shift > a->count * a->type->bytes))
        return say(m, "a pointer into a buffer is TYPE[N]+BYTES:FILL, with BYTES at most the buffer's size");
    if (end[1] != ':' || !end[2])
        return say(m,
                   "the fill is missing: write %.*s:FILL, with FILL random, small, iota, zero, out, a number, or @FILE",
                   (int)(end + 1 - text), text);
    if (a->variable && (a->read_only || a->shift || !strcmp(end + 2, "out")))
        return say(m, "set a variable with TYPE[N]:FILL, without const, +BYTES or out");
    if (a->variable && a->count * a->type->bytes != p->size)
        return say(m, "the variable is %llu bytes long, not %llu", (unsigned long long)p->size,
                   (unsigned long long)(a->count * a->type->bytes));
    if (!a->variable && (p->size != 8 || p->type == PTX_F64 || ptx_type_bits(p->type) != 64))
        return say(m, "the parameter is %s, not a pointer", describe(p, what, sizeof what));
    return fill(a, end + 2, random, m);
}
static bool parse_struct(struct run_argument *a, const char *path, const struct ptx_variable *p,
                         const struct message *m) {
    size_t length;
    a->data = (uint8_t *)file_read(path, 0, p->size, &length);
    if (!a->data) return say(m, "%s: %s (%llu)", path, file_why(errno), (unsigned long long)p->size);
    if (length != p->size)
        return say(m, "%s contains %zu bytes, but %llu are needed", path, length, (unsigned long long)p->size);
    return true;
}
bool run_argument_parse(struct run_argument *a, const char *text, const struct ptx_variable *p, uint64_t *random,
                        char *message, size_t size) {
    const struct message m = {message, size};
    const char *bracket = strchr(text, '['), *colon = strchr(text, ':');
    const struct run_type *wanted = parameter_type(p), *given = NULL;
    char what[80];
    a->text = text;
    if (*text == '@') return parse_struct(a, text + 1, p, &m);
    if (*text == '{') return run_fields_parse(a, text, p, random, message, size);
    if (bracket && (!colon || bracket < colon)) return parse_buffer(a, text, bracket, p, random, &m);
    describe(p, what, sizeof what);
    if (colon && !wanted) { /* a struct of a single value, such as half */
        wanted = run_type_find(text, (size_t)(colon - text));
        if (wanted && wanted->bytes != p->size) wanted = NULL;
    }
    if (!wanted)
        return say(&m, "the parameter is %s: give its fields, {FIELD, FIELD, ...}, or its bytes as @FILE", what);
    a->data = calloc(8, 1);
    if (!a->data) return say(&m, "out of memory");
    a->type = wanted;
    if (!strcmp(text, "null"))
        return p->size == 8 && wanted->kind != RUN_FLOAT ? true : say(&m, "the parameter is %s", what);
    if (colon) {
        given = run_type_find(text, (size_t)(colon - text));
        if (!given) return say(&m, "`%.*s` is not a type: %s", (int)(colon - text), text, type_list);
        if (given->bytes != wanted->bytes || (given->kind == RUN_FLOAT) != (wanted->kind == RUN_FLOAT))
            return say(&m, "the parameter is %s, not %s", what, given->name);
        a->type = given, text = colon + 1;
    }
    if (store_number(a->type, !given, text, a->data, &m)) return true;
    const size_t used = strlen(message);
    snprintf(message + used, size - used, ", and the parameter is %s", what);
    return false;
}
bool run_variable_parse(struct run_argument *a, const char *text, const struct ptx_variable *v,
                        const struct run_type *type, uint64_t *random, char *message, size_t size) {
    const struct message m = {message, size};
    const char *bracket = strchr(text, '['), *colon = strchr(text, ':');
    const bool filled = bracket && *text != '@' && (!colon || bracket < colon);
    a->text = text, a->variable = v, a->initialized = true;
    if (*text == '{') return say(&m, "give the %llu bytes of a struct as @FILE", (unsigned long long)v->size);
    if (filled) return parse_buffer(a, text, bracket, v, random, &m);
    if (*text == '@') {
        a->type = type, a->count = v->size / type->bytes;
        if (!parse_struct(a, text + 1, v, &m)) return false;
    } else if (v->size != ptx_type_bits(v->type) / 8)
        return say(&m, "the variable is %llu bytes long: set it with TYPE[N]:FILL or @FILE",
                   (unsigned long long)v->size);
    else if (!run_argument_parse(a, text, v, random, message, size))
        return false;
    else {
        if (!colon) a->type = type;
        a->count = 1;
    }
    uint8_t *data = a->data;
    a->fill = RUN_FILL_FILE;
    const bool ok = run_buffer_new(a);
    if (ok) memcpy(a->data, data, a->count * a->type->bytes);
    free(data);
    return ok || say(&m, "out of memory");
}
void run_argument_free(struct run_argument *a) {
    run_buffer_free(a);
    free(a->data);
    for (unsigned k = 0; k < a->fields; k++) run_argument_free(&a->field[k]);
    free(a->field), free(a->own_text);
    a->data = NULL, a->field = NULL, a->fields = 0, a->own_text = NULL;
}

/* ---- values --------------------------------------------------------------------------------- */
int64_t run_value_whole(const struct run_type *t, const void *value) {
    uint64_t v = 0;
    memcpy(&v, value, t->bytes);
    return (int64_t)(v << (64 - 8 * t->bytes)) >> (64 - 8 * t->bytes);
}
double run_value_real(const struct run_type *t, const void *value) {
    uint16_t h;
    float f;
    double d;
    if (t->bytes == 2) return memcpy(&h, value, sizeof h), t->brain ? from_brain(h) : from_half(h);
    if (t->bytes == 4) return memcpy(&f, value, sizeof f), f;
    memcpy(&d, value, sizeof d);
    return d;
}
char *run_value_text(const struct run_type *t, const void *value, char *out, size_t size) {
    if (t->kind == RUN_SIGNED)
        snprintf(out, size, "%" PRId64, run_value_whole(t, value));
    else if (t->kind == RUN_UNSIGNED) {
        uint64_t v = 0;
        memcpy(&v, value, t->bytes);
        snprintf(out, size, "%" PRIu64, v);
    } else {
        const double d = run_value_real(t, value);
        /* A value that is printed with this many digits always converts back exactly. */
        const int most = t->brain ? 4 : t->bytes == 2 ? 5 : t->bytes == 4 ? 9 : 17;
        for (int digits = most - 3; digits <= most; digits++) {
            uint8_t back[8];
            snprintf(out, size, "%.*g", digits, d);
            run_store_float(t, strtod(out, NULL), back);
            if (run_value_real(t, back) == d) break;
        }
        if (isnan(d)) snprintf(out, size, "nan");
    }
    return out;
}
