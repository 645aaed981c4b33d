/* Tokens of PTX text, the parser's memory, and its table of names. */
#include "ptx/parser.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_MEMORY = 1 << 30 };

/* ---- errors --------------------------------------------------------------------------------- */
void ptx_fail(struct parser *p, uint32_t line, const char *format, ...) {
    struct ptx_error *e = p->error;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(e->message, sizeof e->message, format, arguments);
    va_end(arguments);
    for (char *c = e->message; *c; c++)
        if (iscntrl((unsigned char)*c)) *c = ' ';
    e->text_line = line;
    e->source_line = p->function ? p->loc.line : 0;
    const char *file = p->function && p->loc.file < p->module->file_count ? p->module->files[p->loc.file] : NULL;
    snprintf(e->source_file, sizeof e->source_file, "%s", file ? file : "");
    longjmp(p->failed, 1);
}

/* ---- memory: a list of blocks that hangs on the module -------------------------------------- */
struct block {
    struct block *next;
    max_align_t data[];
};
struct owner {
    struct ptx_module module;
    struct block *blocks;
};

void *ptx_take(struct parser *p, size_t count, size_t size) {
    struct owner *o = (struct owner *)p->module;
    if (size && count > MAX_MEMORY / size) ptx_fail(p, p->line, "the module needs too much memory");
    p->used += count * size;
    struct block *b = p->used > MAX_MEMORY ? NULL : calloc(1, sizeof *b + count * size);
    if (!b) ptx_fail(p, p->line, "the module needs too much memory");
    b->next = o->blocks;
    o->blocks = b;
    return b->data;
}
void *ptx_grow(struct parser *p, void *array, unsigned count, unsigned *capacity, size_t size) {
    if (count < *capacity) return array;
    *capacity = *capacity ? 2 * *capacity : 8;
    void *grown = ptx_take(p, *capacity, size);
    if (count) memcpy(grown, array, count * size);
    return grown;
}
char *ptx_copy(struct parser *p, const char *text, size_t length) {
    char *copy = ptx_take(p, length + 1, 1);
    memcpy(copy, text, length);
    return copy;
}
struct ptx_module *ptx_new_module(void) {
    return calloc(1, sizeof(struct owner));
}
void ptx_free(struct ptx_module *module) {
    struct owner *o = (struct owner *)module;
    while (o && o->blocks) {
        struct block *next = o->blocks->next;
        free(o->blocks);
        o->blocks = next;
    }
    free(o);
}

/* ---- tokens --------------------------------------------------------------------------------- */
static bool word_character(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%' || c == '.'; }

static void skip_blanks(struct parser *p) {
    while (p->at < p->end) {
        if (*p->at == '\n') p->line++;
        if (isspace((unsigned char)*p->at) || !*p->at)
            p->at++;
        else if (p->end - p->at > 1 && p->at[0] == '/' && p->at[1] == '/')
            while (p->at < p->end && *p->at != '\n') p->at++;
        else if (p->end - p->at > 1 && p->at[0] == '/' && p->at[1] == '*') {
            for (p->at += 2; p->at < p->end && !(p->at[-1] == '*' && p->at[0] == '/'); p->at++)
                p->line += *p->at == '\n';
            if (p->at < p->end) p->at++;
        } else
            break;
    }
}
void ptx_next(struct parser *p) {
    skip_blanks(p);
    struct token *t = &p->token;
    *t = (struct token){TOKEN_END, p->at, 0, p->line};
    if (p->at == p->end) return;
    if (word_character(*p->at)) {
        t->kind = TOKEN_WORD;
        while (p->at < p->end && (word_character(*p->at) ||
                                  (*p->at == ':' && p->end - p->at > 2 && p->at[1] == ':' && *t->text != '$'))) {
            if (*p->at == ':') p->at++;
            p->at++;
        }
        /* the signs of a decimal exponent belong to a number */
    } else if (*p->at == '"') {
        t->kind = TOKEN_STRING;
        do p->at++;
        while (p->at < p->end && *p->at != '"' && *p->at != '\n');
        if (p->at == p->end || *p->at != '"') ptx_fail(p, p->line, "a string that does not end");
        p->at++;
    } else
        t->kind = TOKEN_CHARACTER, p->at++;
    t->length = (size_t)(p->at - t->text);
}
bool ptx_is(const struct parser *p, const char *text) {
    return p->token.kind != TOKEN_END && p->token.length == strlen(text) &&
           !memcmp(p->token.text, text, p->token.length);
}
bool ptx_accept(struct parser *p, const char *text) {
    if (!ptx_is(p, text)) return false;
    ptx_next(p);
    return true;
}
void ptx_expect(struct parser *p, const char *text) {
    if (ptx_accept(p, text)) return;
    if (p->token.kind == TOKEN_END) ptx_fail(p, p->line, "the text ends where `%s` was expected", text);
    ptx_fail(p, p->token.line, "`%s` expected, `%.*s` found", text, (int)(p->token.length > 40 ? 40 : p->token.length),
             p->token.text);
}

/* ---- numbers -------------------------------------------------------------------------------- */
static bool float_bits(const char *text, size_t length,
                       uint64_t *value) { /* 0f and 8, or 0d and 16 hexadecimal digits */
    if (length < 3 || text[0] != '0' || !strchr("fFdD", text[1])) return false;
    const size_t digits = tolower((unsigned char)text[1]) == 'f' ? 8 : 16;
    if (length != digits + 2) return false;
    *value = 0;
    for (size_t k = 2; k < length; k++) {
        if (!isxdigit((unsigned char)text[k])) return false;
        *value = *value << 4 | (uint64_t)(isdigit((unsigned char)text[k]) ? text[k] - '0'
                                                                          : tolower((unsigned char)text[k]) - 'a' + 10);
    }
    return true;
}
bool ptx_number(const struct token *t, bool negative, unsigned bits, bool is_float, uint64_t *value) {
    char text[72], *end;
    if (t->kind != TOKEN_WORD || !isdigit((unsigned char)t->text[0]) || t->length >= sizeof text) return false;
    memcpy(text, t->text, t->length);
    text[t->length] = 0;
    if (float_bits(text, t->length, value)) {
        const bool wide = tolower((unsigned char)text[1]) == 'd';
        if (wide && bits == 32 && is_float) { /* a double where a float is asked for */
            double d;
            memcpy(&d, value, 8);
            float f = (float)d;
            uint32_t b;
            memcpy(&b, &f, 4);
            *value = b;
        }
        if (negative) *value ^= UINT64_C(1) << (wide && bits != 32 ? 63 : 31);
        return true;
    }
    if (strchr(text, '.') || (is_float && strpbrk(text, "eE") && strncasecmp(text, "0x", 2))) {
        double d = strtod(text, &end);
        if (*end) return false;
        if (negative) d = -d;
        float f = (float)d;
        uint32_t b;
        memcpy(&b, &f, 4);
        if (bits == 32)
            *value = b;
        else
            memcpy(value, &d, 8);
        return true;
    }
    size_t n = t->length;
    if (n > 1 && tolower((unsigned char)text[n - 1]) == 'u') text[--n] = 0;
    const bool binary = n > 2 && text[0] == '0' && tolower((unsigned char)text[1]) == 'b';
    *value = strtoull(binary ? text + 2 : text, &end, binary ? 2 : 0);
    if (*end || end == text) return false;
    if (negative) *value = 0 - *value;
    if (is_float) { /* an integer where a float is asked for */
        double d = (double)(int64_t)*value;
        float f = (float)d;
        uint32_t b;
        memcpy(&b, &f, 4);
        if (bits == 32)
            *value = b;
        else
            memcpy(value, &d, 8);
    }
    return true;
}
uint64_t ptx_integer(struct parser *p) {
    uint64_t v;
    const bool negative = ptx_accept(p, "-");
    if (!ptx_number(&p->token, negative, 64, false, &v))
        ptx_fail(p, p->token.line, "a number expected, `%.*s` found",
                 (int)(p->token.length > 40 ? 40 : p->token.length), p->token.text);
    ptx_next(p);
    return v;
}

/* ---- names ---------------------------------------------------------------------------------- */
static uint32_t hash(const char *text, size_t length) { /* FNV-1a */
    uint32_t h = 2166136261u;
    for (size_t k = 0; k < length; k++) h = (h ^ (unsigned char)text[k]) * 16777619u;
    return (h ^ h >> 15) % NAME_BUCKETS;
}
struct name *ptx_lookup(struct parser *p, const char *text, size_t length) {
    for (struct name *n = p->buckets[hash(text, length)]; n; n = n->next_in_bucket)
        if (n->length == length && !memcmp(n->text, text, length)) return n;
    return NULL;
}
void ptx_declare(struct parser *p, const char *text, size_t length, enum name_kind kind, void *object, uint32_t index) {
    struct name *n = ptx_take(p, 1, sizeof *n);
    const uint32_t b = hash(text, length);
    *n = (struct name){text, length, kind, object, index, p->buckets[b], p->newest, b};
    p->buckets[b] = p->newest = n;
}
void ptx_leave(struct parser *p, struct name *mark) {
    for (; p->newest != mark; p->newest = p->newest->previous)
        p->buckets[p->newest->bucket] = p->newest->next_in_bucket;
}
