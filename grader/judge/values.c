/* See values.h. */
#include "judge/values.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a value -------------------------------------------------------------------------------- */
static unsigned words_of(struct variant v) { return v.op == REDUCE_OP_MATRIX ? 4 : v.op == REDUCE_OP_AFFINE ? 2 : 1; }
static bool is_narrow(struct variant v) { return v.type != REDUCE_TYPE_I64 && v.type != REDUCE_TYPE_F64; }
/* The bits of the usual NaN. In a list, any other NaN is followed by its bits, as in "nan@0x7f800001". */
static uint64_t usual_nan(struct variant v) {
    return v.type == REDUCE_TYPE_F32 ? UINT64_C(0x7fc00000) : UINT64_C(0x7ff8000000000000);
}
static const char nan_bits[] = "nan@0x";
static uint64_t bits_of(struct variant v, union value x) { return is_narrow(v) ? x.u32 : x.bits; }
static bool is_special_nan(struct variant v, union value x) {
    return variant_is_float(v) && isnan(reference_double(v, x)) && bits_of(v, x) != usual_nan(v);
}
/* Reads the bits of a NaN. Returns false if they are not those of a NaN. */
static bool read_nan(struct variant v, const char **at, union value *x) {
    const char *begin = *at + sizeof nan_bits - 1;
    char *end;
    const uint64_t bits = strtoull(begin, &end, 16);
    if (end == begin || *begin == '-' || *begin == '+' || (is_narrow(v) && bits > UINT32_MAX)) return false;
    x->bits = bits, *at = end;
    return isnan(reference_double(v, *x));
}
/* Reads a scalar, or the value of a pair. Returns false if the text is not a number of this type. */
static bool read_number(struct variant v, const char **at, union value *x) {
    const char *begin = *at;
    char *end;
    errno = 0;
    if (variant_is_float(v) && !strncmp(begin, nan_bits, sizeof nan_bits - 1)) return read_nan(v, at, x);
    if (variant_is_float(v)) {
        const double value = strtod(begin, &end);
        if (v.type == REDUCE_TYPE_F32)
            x->f32 = (float)value;
        else
            x->f64 = value;
    } else if (*begin == '-') {
        const int64_t value = strtoll(begin, &end, 10);
        if (v.type == REDUCE_TYPE_U32 || (is_narrow(v) && value < INT32_MIN) || errno) return false;
        x->bits = is_narrow(v) ? (uint32_t)value : (uint64_t)value;
    } else {
        const uint64_t value = strtoull(begin, &end, 10), most = v.type == REDUCE_TYPE_U32 ? UINT32_MAX
                                                                 : is_narrow(v)            ? INT32_MAX
                                                                                           : INT64_MAX;
        if (value > most || errno) return false;
        x->bits = value;
    }
    *at = end;
    return end != begin && (*begin > ' ');
}
static bool read_words(struct variant v, const char **at, union value *x) {
    for (unsigned k = 0; k < words_of(v); k++) {
        char *end;
        if (k && *(*at)++ != ':') return false;
        if (**at < '0' || **at > '9') return false;
        const unsigned long long word = strtoull(*at, &end, 10);
        if (word > (v.type == REDUCE_TYPE_U16 ? UINT16_MAX : UINT32_MAX)) return false;
        x->word[k] = (uint32_t)word, *at = end;
    }
    *x = reference_pack(v, *x);
    return true;
}
static bool read_value(struct variant v, const char **at, union value *x) {
    *x = (union value){.word = {0}};
    if (!variant_commutes(v)) return read_words(v, at, x);
    if (!read_number(v, at, x)) return false;
    if (!variant_is_pair(v)) return true;
    char *end;
    if (*(*at)++ != ':' || **at < '0' || **at > '9') return false;
    const unsigned long long index = strtoull(*at, &end, 10);
    if (is_narrow(v) && index > UINT32_MAX) return false;
    if (is_narrow(v))
        x->word[1] = (uint32_t)index;
    else
        x->word[2] = (uint32_t)index, x->word[3] = (uint32_t)(index >> 32);
    *at = end;
    return true;
}
/* Prints one element as it appears in a list. */
static void print_value(struct variant v, union value x, char *out, size_t size) {
    const uint32_t fields[] = {x.word[0] & 0xffff, x.word[0] >> 16, x.word[1] & 0xffff, x.word[1] >> 16},
                   *w = v.type == REDUCE_TYPE_U16 ? fields : x.word;
    char text[120];
    if (v.op == REDUCE_OP_AFFINE)
        snprintf(out, size, "%u:%u", w[0], w[1]);
    else if (v.op == REDUCE_OP_MATRIX)
        snprintf(out, size, "%u:%u:%u:%u", w[0], w[1], w[2], w[3]);
    else {
        reference_print(v, x, text, sizeof text);
        if (is_special_nan(v, x)) snprintf(text, sizeof text, "%s%llx", nan_bits, (unsigned long long)bits_of(v, x));
        if (!variant_is_pair(v))
            snprintf(out, size, "%s", text);
        else
            snprintf(out, size, "%.*s:%llu", (int)strcspn(text, " "), text, (unsigned long long)reference_index(v, x));
    }
}

/* ---- lists ---------------------------------------------------------------------------------- */
static bool is_scalar(struct variant v) { return !variant_is_struct(v); }
/* Converts a scalar to an integer. Returns false if it is not an integer, if it is -0.0, or if it is too large for a
 * range. */
static bool is_whole(struct variant v, union value x, int64_t *whole) {
    const double d = is_scalar(v) ? reference_double(v, x) : NAN;
    if (!(fabs(d) < 0x1p31) || d != floor(d)) return false;
    *whole = (int64_t)d;
    return !(d == 0 && variant_is_float(v) && signbit(d));
}
static union value from_whole(struct variant v, int64_t whole) {
    if (v.type == REDUCE_TYPE_F32) return (union value){.f32 = (float)whole};
    if (v.type == REDUCE_TYPE_F64) return (union value){.f64 = (double)whole};
    return (union value){.bits = is_narrow(v) ? (uint32_t)whole : (uint64_t)whole};
}
/* Reads the rest of a range such as "1..9", whose first number has been read. */
static bool read_range(struct variant v, const char **at, union value first, void *array, uint32_t *count) {
    union value last;
    int64_t from, to;
    *at += 2;
    if (!read_value(v, at, &last) || !is_whole(v, first, &from) || !is_whole(v, last, &to)) return false;
    if (llabs(to - from) >= VALUES_MAX - *count) return false;
    for (int64_t k = from;; k += to < from ? -1 : 1) {
        reference_store(v, array, (*count)++, from_whole(v, k));
        if (k == to) return true;
    }
}
/* Reads an item. "1..3" is a range even in a list of floats, although strtod() would read "1.". */
static bool read_item(struct variant v, const char **at, void *array, uint32_t *count) {
    char item[128];
    const size_t length = strcspn(*at, ",");
    const char *in = item;
    union value x;
    if (!length || length >= sizeof item || *count == VALUES_MAX) return false;
    snprintf(item, sizeof item, "%.*s", (int)length, *at);
    char *dots = strstr(item, "..");
    if (dots) *dots = 0;
    if (!read_value(v, &in, &x) || *in) return false;
    if (dots) {
        *dots = '.', in = dots;
        if (!read_range(v, &in, x, array, count) || *in) return false;
    } else
        reference_store(v, array, (*count)++, x);
    *at += length;
    return true;
}
void *values_parse(struct variant v, const char *list, uint32_t *count, char *message, size_t size) {
    *count = 0;
    if (variant_is_own(v))
        return snprintf(message, size,
                        "your own operator does not support --values, because element() generates the elements"),
               NULL;
    void *array = calloc(VALUES_MAX + 1, sizeof(union value));
    if (!array) return snprintf(message, size, "out of memory"), NULL;
    for (const char *at = list; *at; at += *at == ',') {
        if (read_item(v, &at, array, count) && (!*at || at[1])) continue;
        snprintf(message, size, "`%.40s` is not a list of elements for the %s, such as %s (at most %d elements)", at,
                 variant_words(v),
                 v.op == REDUCE_OP_MATRIX                         ? "1:1:1:0,2:1:1:0"
                 : variant_is_pair(v) || v.op == REDUCE_OP_AFFINE ? "3:0,1:1"
                                                                  : "3,1,4 or 1..9",
                 VALUES_MAX);
        free(array);
        return NULL;
    }
    return array;
}
/* Returns the length of the run of elements from k on that ascend by 1, or descend by 1. */
static uint32_t run_at(struct variant v, const void *array, uint32_t n, uint32_t k) {
    int64_t first, second, next;
    uint32_t length = 1;
    if (k + 2 >= n || !is_whole(v, reference_load(v, array, k), &first) ||
        !is_whole(v, reference_load(v, array, k + 1), &second) || llabs(second - first) != 1)
        return 1;
    while (k + length < n && is_whole(v, reference_load(v, array, k + length), &next) &&
           next == first + (second - first) * (int64_t)length)
        length++;
    return length;
}
bool values_print(struct variant v, const void *array, uint32_t n, char *out, size_t size) {
    size_t used = 0;
    *out = 0;
    for (uint32_t k = 0; k < n && used < size;) {
        char first[160], last[160];
        const uint32_t length = run_at(v, array, n, k), step = length >= 3 ? length : 1;
        print_value(v, reference_load(v, array, k), first, sizeof first);
        print_value(v, reference_load(v, array, k + step - 1), last, sizeof last);
        used += (size_t)snprintf(out + used, size - used, "%s%s%s%s", k ? "," : "", first, step > 1 ? ".." : "",
                                 step > 1 ? last : "");
        k += step;
    }
    return used < size;
}
