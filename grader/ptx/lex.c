/* The lexer: tokens and numbers in PTX text. Also reports errors. */
#include "ptx/parser.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- errors ---------------------------------------------------------------------------------------------------- */
/* Finds the name in `.file N "name"`. This directive often comes at the end of the text, after the line with the
 * error. */
static void find_file(const struct parser *p, unsigned number, char *out, size_t size) {
    char line[sizeof((struct ptx_error *)0)->source_file + 64], name[sizeof line];
    for (const char *at = p->text; at < p->end;) {
        const char *newline = memchr(at, '\n', (size_t)(p->end - at)), *end = newline ? newline : p->end;
        while (at < end && (*at == ' ' || *at == '\t')) at++;
        const size_t length = (size_t)(end - at) < sizeof line ? (size_t)(end - at) : sizeof line - 1;
        unsigned found;
        if (length > 5 && !memcmp(at, ".file", 5)) {
            memcpy(line, at, length);
            line[length] = 0;
            if (sscanf(line, ".file %5u \"%[^\"]", &found, name) == 2 && found == number)
                snprintf(out, size, "%s", name);
        }
        at = newline ? newline + 1 : p->end;
    }
}
void ptx_fail(struct parser *p, uint32_t line, const char *format, ...) {
    struct ptx_error *e = p->error;
    if (p->in_body && p->function->reasons)
        longjmp(p->leave, LEAVE_BODY); /* the error is a consequence of a statement that was skipped */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(e->message, sizeof e->message, format, arguments);
    va_end(arguments);
    for (char *c = e->message; *c; c++)
        if (!isprint((unsigned char)*c)) *c = '?';
    e->text_line = line;
    if (p->function && p->loc.line) {
        e->source_line = p->loc.line;
        find_file(p, p->loc.file, e->source_file, sizeof e->source_file);
    }
    longjmp(p->failed, 1);
}

/* ---- tokens ---------------------------------------------------------------------------------------------------- */
static bool word_character(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%' || c == '.'; }

static void skip_blanks(struct parser *p) {
    while (p->at < p->end) {
        const size_t left = (size_t)(p->end - p->at);
        if (*p->at == '\n') p->line++;
        if (isspace((unsigned char)*p->at))
            p->at++;
        else if (left > 1 && p->at[0] == '/' && p->at[1] == '/') {
            const char *newline = memchr(p->at, '\n', left);
            p->at = newline ? newline : p->end;
        } else if (left > 1 && p->at[0] == '/' && p->at[1] == '*') {
            const uint32_t begin = p->line;
            for (p->at += 2; p->end - p->at > 1 && !(p->at[0] == '*' && p->at[1] == '/'); p->at++)
                p->line += *p->at == '\n';
            if (p->end - p->at < 2) ptx_fail(p, begin, "unterminated comment");
            p->at += 2;
        } else
            return;
    }
}
static void read_word(struct parser *p, const struct token *t) {
    const bool number = isdigit((unsigned char)*p->at);
    bool hexadecimal = false;
    for (; p->at < p->end; p->at++) {
        const char c = *p->at, last = p->at[-(p->at > t->text)];
        if (number && p->at == t->text + 1 && isalpha((unsigned char)c) && tolower((unsigned char)c) != 'e')
            hexadecimal = true;
        if (word_character(c)) continue;
        if (c == ':' && p->end - p->at > 2 && p->at[1] == ':' && word_character(p->at[2]) &&
            memchr(t->text, '.', (size_t)(p->at - t->text)))
            p->at++; /* a modifier such as .L1::evict_last */
        else if (!((c == '+' || c == '-') && number && !hexadecimal && tolower((unsigned char)last) == 'e'))
            return; /* this sign ends the word; the sign in 1.5e-3 does not */
    }
}
void ptx_next(struct parser *p) {
    skip_blanks(p);
    struct token *t = &p->token;
    *t = (struct token){TOKEN_END, p->at, 0, p->line};
    if (p->at == p->end) return;
    if (word_character(*p->at)) {
        t->kind = TOKEN_WORD;
        read_word(p, t);
    } else if (*p->at == '"') {
        t->kind = TOKEN_STRING;
        do p->at++;
        while (p->at < p->end && *p->at != '"' && *p->at != '\n');
        if (p->at == p->end || *p->at != '"') ptx_fail(p, p->line, "unterminated string");
        p->at++;
    } else {
        t->kind = TOKEN_CHARACTER;
        p->at++;
    }
    t->length = (size_t)(p->at - t->text);
}
struct mark ptx_mark(const struct parser *p) {
    return (struct mark){p->at, p->line, p->token};
}
void ptx_go_back(struct parser *p, const struct mark *m) { p->at = m->at, p->line = m->line, p->token = m->token; }
bool ptx_spells(const struct token *t, const char *text) {
    return t->kind != TOKEN_END && t->length == strlen(text) && !memcmp(t->text, text, t->length);
}
bool ptx_is(const struct parser *p, const char *text) { return ptx_spells(&p->token, text); }
bool ptx_accept(struct parser *p, const char *text) {
    if (!ptx_is(p, text)) return false;
    ptx_next(p);
    return true;
}
void ptx_expect(struct parser *p, const char *text) {
    if (ptx_accept(p, text)) return;
    if (p->token.kind == TOKEN_END) ptx_fail(p, p->line, "expected `%s`, but the text ends here", text);
    ptx_fail(p, p->token.line, "expected `%s` before `%.*s`", text, SHOW(p->token));
}
struct token ptx_word(struct parser *p, const char *what) {
    const struct token t = p->token;
    if (t.kind == TOKEN_END) ptx_fail(p, p->line, "expected %s, but the text ends here", what);
    if (t.kind != TOKEN_WORD || isdigit((unsigned char)*t.text) || *t.text == '.')
        ptx_fail(p, t.line, "expected %s, not `%.*s`", what, SHOW(t));
    ptx_next(p);
    return t;
}

/* ---- numbers --------------------------------------------------------------------------------------------------- */
static unsigned digit(char c) {
    return isdigit((unsigned char)c)   ? (unsigned)(c - '0')
           : isalpha((unsigned char)c) ? (unsigned)(tolower((unsigned char)c) - 'a' + 10)
                                       : 99;
}
/* Computes the value of a string of digits. Returns false if the string is empty, has an invalid digit, or exceeds 64
 * bits. */
static bool digits(const char *text, size_t length, unsigned base, uint64_t *value) {
    *value = 0;
    for (size_t k = 0; k < length; k++) {
        if (digit(text[k]) >= base || *value > (UINT64_MAX - digit(text[k])) / base) return false;
        *value = *value * base + digit(text[k]);
    }
    return length > 0;
}
static double double_of(uint64_t bits) {
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}
static uint64_t double_bits(double d) {
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}
static float float_of(uint32_t bits) {
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}
static uint32_t float_bits(float f) {
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}
/* Parses a constant (PTX ISA, "Integer constants" and "Floating-point constants"). Integers are written 12, 0x1F, 017
 * or 0b101, optionally followed by U. Floating-point numbers are written 1.5, 1e3, 0f and 8 hexadecimal digits (a
 * float), or 0d and 16 hexadecimal digits (a double). */
struct literal ptx_literal(const struct token *t, bool negative) {
    struct literal l = {LITERAL_NONE, false, 0};
    const char *s = t->text;
    size_t n = t->length;
    if (t->kind != TOKEN_WORD || !isdigit((unsigned char)*s)) return l;
    const char mark = n > 2 && *s == '0' ? (char)tolower((unsigned char)s[1]) : 0;
    if ((mark == 'f' && n == 10) || (mark == 'd' && n == 18)) {
        if (!digits(s + 2, n - 2, 16, &l.bits)) return l;
        l.kind = mark == 'f' ? LITERAL_FLOAT : LITERAL_DOUBLE;
        if (negative) l.bits ^= UINT64_C(1) << (mark == 'f' ? 31 : 63);
        return l;
    }
    if (mark != 'x' && (memchr(s, '.', n) || memchr(s, 'e', n) || memchr(s, 'E', n))) {
        char text[64], *end;
        if (n >= sizeof text) return l;
        memcpy(text, s, n);
        text[n] = 0;
        const double d = strtod(text, &end);
        if (*end) return l;
        l.kind = LITERAL_DOUBLE;
        l.bits = double_bits(negative ? -d : d);
        return l;
    }
    if (n > 1 && tolower((unsigned char)s[n - 1]) == 'u') n--;
    const unsigned base = mark == 'x'          ? 16
                          : mark == 'b'        ? 2
                          : n > 1 && *s == '0' ? 8
                                               : 10,
                   skip = base == 16 || base == 2 ? 2 : 0;
    if (!digits(s + skip, n - skip, base, &l.bits) || (negative && l.bits > UINT64_C(1) << 63)) return l;
    l.kind = LITERAL_INTEGER;
    l.negative = negative && l.bits;
    if (negative) l.bits = 0 - l.bits;
    return l;
}
uint64_t ptx_integer(struct parser *p, uint64_t most) {
    const struct token t = p->token;
    const struct literal l = ptx_literal(&t, false);
    if (t.kind == TOKEN_END) ptx_fail(p, p->line, "expected a number, but the text ends here");
    if (l.kind != LITERAL_INTEGER) ptx_fail(p, t.line, "expected a number, not `%.*s`", SHOW(t));
    if (l.bits > most)
        ptx_fail(p, t.line, "%.*s is too large: the maximum here is %llu", SHOW(t), (unsigned long long)most);
    ptx_next(p);
    return l.bits;
}
/* An integer fits an n-bit type if it is in the range of the signed or of the unsigned n-bit type. A .pred constant
 * becomes all ones or zero. */
uint64_t ptx_value(struct parser *p, uint32_t line, const struct literal *l, enum ptx_type type) {
    const unsigned bits = ptx_type_bits(type);
    const char *name = ptx_type_name(type);
    if (type == PTX_F32 || type == PTX_F64) {
        if (l->kind == LITERAL_INTEGER) ptx_fail(p, line, "expected a constant of type .%s, not an integer", name);
        if (type == PTX_F64)
            return l->kind == LITERAL_DOUBLE ? l->bits : double_bits((double)float_of((uint32_t)l->bits));
        return l->kind == LITERAL_FLOAT ? l->bits : float_bits((float)double_of(l->bits));
    }
    if (l->kind != LITERAL_INTEGER) {
        if (type == PTX_B32 && l->kind == LITERAL_FLOAT) return l->bits;
        if (type == PTX_B64 && l->kind == LITERAL_DOUBLE) return l->bits;
        ptx_fail(p, line, "expected a constant of type .%s, not a float", name);
    }
    if (type == PTX_PRED) return l->bits ? UINT64_MAX : 0;
    if (type == PTX_F16 || type == PTX_BF16 || type == PTX_F16X2 || type == PTX_BF16X2)
        ptx_refuse(p, line, "a constant of type .%s is not supported by the simulator", name);
    if (bits < 64 && (l->negative ? l->bits < 0 - (UINT64_C(1) << (bits - 1)) : l->bits >> bits))
        ptx_fail(p, line, "the constant %s%llu does not fit into type .%s", l->negative ? "-" : "",
                 (unsigned long long)(l->negative ? 0 - l->bits : l->bits), name);
    return bits < 64 ? l->bits & ((UINT64_C(1) << bits) - 1) : l->bits;
}
