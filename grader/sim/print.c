/* Device printf. Format and arguments are in the program's memory, packed like C's variable arguments: each value has 4
 * or 8 bytes and is aligned to its size. */
#include "sim/machine.h"
#include <stdio.h>
#include <string.h>

enum { MAX_FORMAT = 1024, MAX_TEXT = 512 };

/* Returns the limit on output per launch, in bytes. s->printed exceeds it once output is truncated. */
static size_t limit_of(const struct sim *s) { return s->options.print_limit ? s->options.print_limit : 1 << 20; }
void sim_limit_print(struct sim *s, size_t bytes) { s->options.print_limit = bytes; }
static void out(struct sim_warp *w, const char *text, size_t length) {
    struct sim *s = w->block->run->sim;
    const size_t limit = limit_of(s);
    if (s->printed > limit) return;
    if (length > limit - s->printed) {
        static const char note[] = "\n(printf output truncated here: the launch printed too much)\n";
        s->options.print(s->options.print_context, text, limit - s->printed);
        s->options.print(s->options.print_context, note, sizeof note - 1);
        s->printed = limit + 1;
        return;
    }
    s->printed += length;
    s->options.print(s->options.print_context, text, length);
}

/* Reads the next argument of `bytes` bytes and advances *at. */
static uint64_t argument(struct sim_warp *w, unsigned lane, uint64_t base, uint64_t *at, unsigned bytes) {
    uint64_t v = 0;
    *at = (*at + bytes - 1) / bytes * bytes;
    sim_peek(w, lane, base + *at, &v, bytes);
    *at += bytes;
    return v;
}

/* Reads a string from device memory, truncated to the buffer's size. */
static void read_string(struct sim_warp *w, unsigned lane, uint64_t address, char *text, size_t size) {
    size_t n = 0;
    while (n + 1 < size && sim_peek(w, lane, address + n, &text[n], 1) && text[n]) n++;
    text[n] = 0;
}

/* Copies a width or precision from *f to `spec`, and advances *f. For a `*`, copies the next argument, which may be
 * negative. Limits the absolute value to MAX_TEXT - 1. Returns the number of characters, or 0 if *f begins with neither
 * a digit nor `*`. */
static size_t width(struct sim_warp *w, unsigned lane, const char **f, uint64_t base, uint64_t *at, char *spec,
                    size_t size) {
    int value = 0;
    if (**f == '*') {
        (*f)++;
        value = (int32_t)argument(w, lane, base, at, 4);
        if (value <= -MAX_TEXT) value = 1 - MAX_TEXT;
    } else if (**f < '0' || **f > '9')
        return 0;
    else
        for (; **f >= '0' && **f <= '9'; (*f)++) value = value < MAX_TEXT ? 10 * value + (**f - '0') : value;
    return (size_t)snprintf(spec, size, "%d", value < MAX_TEXT ? value : MAX_TEXT - 1);
}

/* Truncates an integer to 8 or 16 bits. */
static long long narrow(long long value, unsigned bits, bool is_signed) {
    const long long low = value & ((1ll << bits) - 1);
    return is_signed && low >> (bits - 1) ? low - (1ll << bits) : low;
}
/* Formats one conversion, which begins at *f after the '%', and advances *f. The specification gets the host's length
 * modifier. Returns how many values it converted: 0 or 1. */
static unsigned convert(struct sim_warp *w, unsigned lane, const char **f, uint64_t base, uint64_t *at) {
    char spec[40] = "%", text[MAX_TEXT];
    const char *from = *f;
    size_t n = 1;
    while (**f && strchr("-+ #0", **f) && n < 8) spec[n++] = *(*f)++;
    n += width(w, lane, f, base, at, spec + n, sizeof spec - n);
    if (**f == '.') {
        spec[n++] = *(*f)++;
        const size_t digits = width(w, lane, f, base, at, spec + n, sizeof spec - n);
        n = digits && spec[n] == '-' ? n - 1 : n + digits; /* a negative precision is ignored */
    }
    unsigned longs = 0, shorts = 0;
    for (; **f && strchr("lhzjt", **f); (*f)++) **f == 'h' ? shorts++ : longs++;
    const char c = **f;
    if (c) (*f)++;
    int length = 0;
    if (c && strchr("diuxXoc", c)) {
        uint64_t v = argument(w, lane, base, at, longs ? 8 : 4);
        if (c == 'c')
            snprintf(spec + n, sizeof spec - n, "c"), length = snprintf(text, sizeof text, spec, (int)v);
        else {
            snprintf(spec + n, sizeof spec - n, "ll%c", c);
            long long value = !longs && (c == 'd' || c == 'i') ? (int32_t)v : (long long)v;
            if (shorts) value = narrow(value, shorts > 1 ? 8 : 16, c == 'd' || c == 'i');
            length = snprintf(text, sizeof text, spec, value);
        }
    } else if (c && strchr("fFeEgGaA", c)) {
        uint64_t v = argument(w, lane, base, at, 8);
        double x;
        memcpy(&x, &v, 8);
        snprintf(spec + n, sizeof spec - n, "%c", c);
        length = snprintf(text, sizeof text, spec, x);
    } else if (c == 'p' || c == 's') {
        char string[MAX_TEXT] = "(nil)";
        const uint64_t v = argument(w, lane, base, at, 8);
        if (c == 's' && !v)
            strcpy(string, "(null)");
        else if (c == 's')
            read_string(w, lane, v, string, sizeof string);
        else if (v)
            snprintf(string, sizeof string, "0x%llx", (unsigned long long)v);
        snprintf(spec + n, sizeof spec - n, "s");
        length = snprintf(text, sizeof text, spec, string);
    } else {
        /* a GPU prints an unknown conversion unchanged */
        out(w, "%", 1);
        if (c != '%') out(w, from, (size_t)(*f - from));
        return 0;
    }
    if (length > 0) out(w, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
    return 1;
}

void sim_vprintf(struct sim_warp *w, uint32_t mask, const uint64_t format[SIM_WARP], const uint64_t arguments[SIM_WARP],
                 uint32_t converted[SIM_WARP]) {
    const struct sim *s = w->block->run->sim;
    if (!s->options.print) return;
    SIM_EACH_LANE (lane, mask) {
        if (s->printed > limit_of(s)) return;
        char text[MAX_FORMAT];
        uint64_t at = 0;
        read_string(w, lane, format[lane], text, sizeof text);
        for (const char *f = text; *f;) {
            size_t plain = strcspn(f, "%");
            if (plain) out(w, f, plain);
            f += plain;
            if (*f == '%') f++, converted[lane] += convert(w, lane, &f, arguments[lane], &at);
        }
    }
}
