/* Converts a kernel's mangled name in PTX to its C++ name with template arguments.
 *
 * The grammar is defined in the Itanium C++ ABI, section "Mangling". This file decodes only names, types, literals and
 * substitutions. */
#include "run/run.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SEEN = 48, MAX_TEXT = 200, MAX_DEPTH = 32 };
struct reader {
    const char *at;
    unsigned depth, seen_count;
    bool failed;
    char (*seen)[MAX_TEXT]; /* components that S_, S0_, ... refer to */
    /* The last template arguments outside a type, which T_, T0_, ... refer to. */
    char (*argument)[MAX_TEXT];
    unsigned arguments;
};
struct words {
    char text[MAX_TEXT];
};

static bool accept(struct reader *r, const char *text) {
    const size_t n = strlen(text);
    if (strncmp(r->at, text, n)) return false;
    r->at += n;
    return true;
}
static void add_text(struct reader *r, struct words *w, const char *text) {
    const size_t used = strlen(w->text), n = strlen(text);
    if (used + n < sizeof w->text)
        memcpy(w->text + used, text, n + 1);
    else
        r->failed = true;
}
static void remember(struct reader *r, const struct words *w) {
    if (r->seen_count == MAX_SEEN)
        r->failed = true;
    else
        memcpy(r->seen[r->seen_count++], w->text, sizeof w->text);
}
static unsigned read_length(struct reader *r) {
    unsigned n = 0;
    while (isdigit((unsigned char)*r->at) && n < MAX_TEXT) n = 10 * n + (unsigned)(*r->at++ - '0');
    return n;
}
/* Reads a length and an identifier: "4tmpl". */
static void source_name(struct reader *r, struct words *w) {
    char name[MAX_TEXT] = "";
    const unsigned n = read_length(r);
    if (!n || n >= sizeof name || strnlen(r->at, n) < n) {
        r->failed = true;
        return;
    }
    memcpy(name, r->at, n);
    r->at += n;
    add_text(r, w,
             strncmp(name, "_GLOBAL__N_", 11) && strncmp(name, "_INTERNAL_", 10) ? name : "(anonymous namespace)");
}
/* Reads the rest of a reference after its S or T: "_", "0_", "1_", and so on in base 36. Adds that text of the list. */
static void refer(struct reader *r, struct words *w, char (*list)[MAX_TEXT], const unsigned *count) {
    unsigned k = 0;
    if (!accept(r, "_")) {
        for (; isdigit((unsigned char)*r->at) || isupper((unsigned char)*r->at); r->at++)
            k = k < MAX_SEEN ? 36 * k + (unsigned)(isdigit((unsigned char)*r->at) ? *r->at - '0' : *r->at - 'A' + 10)
                             : k;
        k++;
        if (!accept(r, "_")) r->failed = true;
    }
    if (k < *count)
        add_text(r, w, list[k]);
    else
        r->failed = true;
}
static void substitution(struct reader *r, struct words *w) { refer(r, w, r->seen, &r->seen_count); }

static void type(struct reader *r, struct words *w);
static void name(struct reader *r, struct words *w);
/* Reads a literal after its L: "i4E", "b1E", "4kind2E", "_Z4squareiE". */
static void literal(struct reader *r, struct words *w) {
    struct words of = {""}, value = {""};
    const char letter = *r->at;
    if (accept(r, "_Z")) {
        add_text(r, w, "&"), name(r, w);
        while (*r->at && *r->at != 'E')
            r->at++; /* skip the function's parameter types, which are assumed to contain no E */
    } else {
        type(r, &of);
        if (accept(r, "n")) add_text(r, &value, "-");
        for (; isalnum((unsigned char)*r->at) && *r->at != 'E'; r->at++) add_text(r, &value, (char[]){*r->at, 0});
        if (letter == 'b')
            add_text(r, w, !strcmp(value.text, "0") ? "false" : "true");
        else {
            if (!strchr("ijlmxyst", letter)) add_text(r, w, "("), add_text(r, w, of.text), add_text(r, w, ")");
            add_text(r, w, value.text);
        }
    }
    if (!accept(r, "E")) r->failed = true;
}
static void arguments(struct reader *r, struct words *w, bool first) {
    while (!r->failed && !accept(r, "E")) {
        if (accept(r, "J")) {
            const size_t before = strlen(w->text);
            arguments(r, w, first);
            first = first && strlen(w->text) == before;
            continue;
        }
        if (!first) add_text(r, w, ", ");
        first = false;
        const size_t before = strlen(w->text);
        if (accept(r, "L"))
            literal(r, w);
        else
            type(r, w);
        if (r->depth == 1 && r->arguments < MAX_SEEN)
            snprintf(r->argument[r->arguments++], MAX_TEXT, "%s", w->text + before);
    }
}
static void template_arguments(struct reader *r, struct words *w) {
    if (++r->depth > MAX_DEPTH) r->failed = true;
    if (r->depth == 1) r->arguments = 0;
    add_text(r, w, "<");
    if (!r->failed) arguments(r, w, true);
    add_text(r, w, ">");
    r->depth--;
}
/* Reads a nested name after its N, up to the closing E. Each prefix becomes a substitution candidate. */
static void nested(struct reader *r, struct words *w) {
    struct words all = {""};
    while (*r->at && strchr("rVKRO", *r->at)) r->at++;
    for (bool first = true; !r->failed && !accept(r, "E"); first = false) {
        if (*r->at == 'I')
            r->at++, template_arguments(r, &all);
        else {
            if (!first) add_text(r, &all, "::");
            if (accept(r, "St")) {
                add_text(r, &all, "std");
                continue;
            }
            if (accept(r, "S")) {
                substitution(r, &all);
                continue;
            }
            accept(r, "L");
            source_name(r, &all);
        }
        if (*r->at != 'E') remember(r, &all);
    }
    add_text(r, w, all.text);
}
static void name(struct reader *r, struct words *w) {
    if (accept(r, "N")) {
        nested(r, w);
        return;
    }
    struct words all = {""};
    bool known = false;
    if (accept(r, "St")) add_text(r, &all, "std::");
    if (accept(r, "S"))
        substitution(r, &all), known = true;
    else
        accept(r, "L"), source_name(r, &all);
    if (*r->at == 'I') {
        if (!known) remember(r, &all);
        r->at++, template_arguments(r, &all);
    }
    add_text(r, w, all.text);
}
static void qualified(struct reader *r, struct words *w, const char *mark) {
    struct words all = {""};
    type(r, &all);
    add_text(r, &all, mark);
    remember(r, &all);
    add_text(r, w, all.text);
}
static void type(struct reader *r, struct words *w) {
    static const char *const builtin[] = {['v'] = "void",           ['b'] = "bool",
                                          ['c'] = "char",           ['a'] = "signed char",
                                          ['s'] = "short",          ['h'] = "unsigned char",
                                          ['t'] = "unsigned short", ['i'] = "int",
                                          ['l'] = "long",           ['j'] = "unsigned int",
                                          ['m'] = "unsigned long",  ['x'] = "long long",
                                          ['f'] = "float",          ['y'] = "unsigned long long",
                                          ['d'] = "double",         ['w'] = "wchar_t"};
    static const char *const marks[] = {['P'] = "*", ['R'] = "&", ['O'] = "&&", ['K'] = " const", ['V'] = " volatile"};
    const unsigned char c = (unsigned char)*r->at;
    if (++r->depth > MAX_DEPTH) r->failed = true;
    if (r->failed) return;
    if (c < sizeof builtin / sizeof *builtin && builtin[c])
        r->at++, add_text(r, w, builtin[c]);
    else if (c < sizeof marks / sizeof *marks && marks[c])
        r->at++, qualified(r, w, marks[c]);
    else if (c == 'S' && r->at[1] != 't') {
        r->at++, substitution(r, w);
        if (accept(r, "I")) {
            struct words all = *w;
            template_arguments(r, &all), remember(r, &all);
            *w = all;
        }
    } else if (accept(r, "T")) {
        struct words all = {""};
        refer(r, &all, r->argument, &r->arguments), remember(r, &all);
        add_text(r, w, all.text);
    } else if (c == 'N' || c == 'S' || isdigit(c)) {
        struct words all = {""};
        name(r, &all), remember(r, &all);
        add_text(r, w, all.text);
    } else
        r->failed = true;
    r->depth--;
}
static bool begin(struct reader *r, const char *symbol) {
    *r = (struct reader){.at = symbol, .seen = calloc(2 * MAX_SEEN, sizeof *r->seen)};
    if (r->seen) r->argument = r->seen + MAX_SEEN;
    return r->seen && accept(r, "_Z");
}
char *run_demangle(const char *symbol, char *out, size_t size) {
    struct reader r;
    struct words w = {""};
    if (begin(&r, symbol))
        name(&r, &w);
    else
        r.failed = true;
    free(r.seen);
    snprintf(out, size, "%s", r.failed ? symbol : w.text);
    return out;
}
void run_parameter_types(const char *symbol, unsigned count, char types[][RUN_TYPE]) {
    struct reader r;
    struct words w = {""}, result = {""};
    const bool mangled = begin(&r, symbol);
    if (mangled) name(&r, &w);
    if (r.arguments) type(&r, &result); /* the symbol of a template instance contains the type of the result */
    for (unsigned k = 0; k < count; k++) {
        struct words own = {""};
        if (mangled && !r.failed) type(&r, &own);
        snprintf(types[k], RUN_TYPE, "%s", r.failed || strlen(own.text) >= RUN_TYPE ? "" : own.text);
    }
    free(r.seen);
}
