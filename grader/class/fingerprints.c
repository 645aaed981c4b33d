/* See fingerprints.h. */
#include "base/array.h"
#include "base/hash.h"
#include "class/fingerprints.h"
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    GRAM = 6,
    WINDOW = 3,
    LEAST = 4 /* minimum number of tokens in a statement; shorter statements are too common */
};

struct token {
    uint64_t hash;
    unsigned line;
};
struct tokens {
    struct token *item;
    unsigned count, room;
};
struct reader {
    const char *at, *begin, *end;
    unsigned line;
};

/* ---- tokens ------------------------------------------------------------------------------------ */
/* Returns whether the name is given, which means that students cannot choose it. Given names stay distinct when all
 * other names are treated as equal. */
static bool is_given(const char *name, size_t length) {
    static const char *const given[] = {
        "alignas",   "auto",     "bool",    "break",     "case",     "char",     "class",  "combine",  "const",
        "constexpr", "continue", "default", "do",        "double",   "else",     "extern", "false",    "float",
        "for",       "gridDim",  "goto",    "identity",  "if",       "inline",   "int",    "long",     "namespace",
        "operator",  "return",   "short",   "signed",    "sizeof",   "static",   "struct", "switch",   "template",
        "true",      "typename", "union",   "unsigned",  "using",    "value_t",  "void",   "volatile", "while",
        "blockIdx",  "blockDim", "size_t",  "threadIdx", "uint32_t", "warpSize",
    };
    if (length > 2 && !strncmp(name, "__", 2)) return true;
    if (length > 6 && !strncmp(name, "atomic", 6)) return true;
    for (unsigned k = 0; k < sizeof given / sizeof *given; k++)
        if (strlen(given[k]) == length && !memcmp(given[k], name, length)) return true;
    return false;
}
static bool begins(const struct reader *r, const char *word) {
    const size_t n = strlen(word);
    return (size_t)(r->end - r->at) >= n && !memcmp(r->at, word, n);
}
static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }
static bool add_token(struct tokens *t, uint64_t hash, unsigned line) {
    struct token *more = array_room(t->item, t->count + 1, &t->room, sizeof *more);
    if (!more) return false;
    t->item = more;
    t->item[t->count++] = (struct token){.hash = hash, .line = line};
    return true;
}
/* Reads a comment up to `end`, and appends its words to `words` unless that is NULL. */
static void read_comment(struct reader *r, const char *end, struct tokens *words) {
    while (r->at < r->end && !begins(r, end)) {
        const char *begin = r->at;
        while (r->at < r->end && is_word(*r->at)) r->at++;
        if (r->at > begin && words) add_token(words, hash_bytes(HASH_START, begin, (size_t)(r->at - begin)), r->line);
        if (r->at > begin) continue;
        r->line += *r->at == '\n';
        r->at++;
    }
}
/* Skips whitespace, comments and #include lines. */
static void skip(struct reader *r, struct tokens *words) {
    for (bool line_begins = r->at == r->begin; r->at < r->end;) {
        if (begins(r, "//"))
            read_comment(r, "\n", words);
        else if (begins(r, "/*")) {
            r->at += 2;
            read_comment(r, "*/", words);
            r->at += begins(r, "*/") ? 2 : 0;
        } else if (begins(r, "#include") && line_begins)
            read_comment(r, "\n", NULL);
        else if (isspace((unsigned char)*r->at) || !*r->at) {
            if (*r->at == '\n') r->line++, line_begins = true;
            r->at++;
        } else
            return;
    }
}
/* Returns the end of the token at r->at: a word, a number, a string or character literal, or a single character. */
static const char *token_end(const struct reader *r) {
    const char *s = r->at + 1;
    if (is_word(*r->at))
        while (s < r->end && is_word(*s)) s++;
    else if (*r->at == '"' || *r->at == '\'') {
        while (s < r->end && *s != *r->at && *s != '\n') s += *s == '\\' && s + 1 < r->end && s[1] != '\n' ? 2 : 1;
        if (s < r->end && *s == *r->at) s++;
    }
    return s;
}
/* Reads a token and returns its hash. If names are omitted, all names that students choose have the same hash. If the
 * token is a word that may be an alias, sets *name to the hash of its spelling, otherwise to 0. */
static uint64_t read_token(struct reader *r, enum look look, uint64_t *name) {
    const char *begin = r->at, *end = token_end(r);
    const bool member = begin > r->begin && begin[-1] == '.'; /* keeps the names of the members .x, .y and .z */
    const bool word = is_word(*begin) && !isdigit((unsigned char)*begin) && !member;
    const size_t n = (size_t)(end - begin);
    const uint64_t hash = hash_bytes(HASH_START, begin, n);
    r->at = end;
    *name = word ? hash : 0;
    return word && look == WITHOUT_NAMES && !is_given(begin, n) ? HASH_START : hash;
}

/* ---- aliases: macros without parameters, and names of types ------------------------------------ */
/* The name stands for the tokens body.item[first] to body.item[end - 1]. */
struct alias {
    uint64_t name;
    unsigned first, end;
};
struct aliases {
    struct alias *item;
    unsigned count, room;
    struct tokens body;
};
/* Adds the token or, if it is an alias, the tokens in its place. */
static bool add_tokens(struct tokens *t, const struct aliases *a, uint64_t name, uint64_t hash, unsigned line) {
    for (unsigned k = 0; name && k < a->count; k++) {
        if (a->item[k].name != name) continue;
        bool ok = true;
        for (unsigned n = a->item[k].first; ok && n < a->item[k].end; n++)
            ok = add_token(t, a->body.item[n].hash, line);
        return ok;
    }
    return add_token(t, hash, line);
}
/* The definitions of aliases: the first word, the character that ends the definition, and how many of its tokens
 * precede those of the body. After `typedef`, the name is the last token. */
static const struct form {
    const char *word;
    char end;
    unsigned head;
} forms[] = {{"#define ", '\n', 1}, {"using ", ';', 2}, {"typedef ", ';', 0}};
/* Returns whether the token at `at`, which is number `read` of the definition, shows that it defines no alias: the
 * parenthesis of a macro's parameters, the body of a struct, or the name of a namespace. */
static bool is_no_alias(const struct form *f, const struct reader *at, unsigned read) {
    if (f->head == 1) return read == 1 && *at->at == '(' && is_word(at->at[-1]);
    return *at->at == '{' || *at->at == '(' || (f->head == 2 && read == 1 && *at->at != '=');
}
/* Reads the definition of an alias. Returns false, and reads nothing, for any other text. */
static bool read_alias(struct reader *r, enum look look, struct aliases *a) {
    const struct form *f = forms, *const none = forms + sizeof forms / sizeof *forms;
    while (f < none && !begins(r, f->word)) f++;
    if (f == none) return false;
    struct alias new = {.first = a->body.count};
    struct reader at = *r;
    at.at += strlen(f->word);
    for (unsigned read = 0; at.at < at.end && *at.at != f->end;) {
        if (begins(&at, "//"))
            read_comment(&at, "\n", NULL);
        else if (isspace((unsigned char)*at.at) || begins(&at, "\\\n"))
            at.line += at.at[*at.at == '\\'] == '\n', at.at += 1 + (*at.at == '\\');
        else if (is_no_alias(f, &at, read))
            return a->body.count = new.first, false;
        else {
            uint64_t name;
            const uint64_t hash = read_token(&at, look, &name);
            if (!read || !f->head) new.name = name;
            if (read++ >= f->head && !add_tokens(&a->body, a, name, hash, at.line)) break;
        }
    }
    if (!f->head && a->body.count > new.first) a->body.count--;
    new.end = a->body.count;
    struct alias *more = array_room(a->item, a->count + 1, &a->room, sizeof *more);
    if (!more) return false;
    a->item = more, a->item[a->count++] = new;
    *r = at;
    if (f->end == ';' && r->at < r->end) r->at++;
    return true;
}
/* Reads the tokens of the code, with aliases replaced. For WITH_NAMES, also reads the words of comments. */
static struct tokens tokens_of(const char *text, size_t length, enum look look, struct tokens *words) {
    struct reader r = {.at = text, .begin = text, .end = text + length, .line = 1};
    struct tokens t = {0};
    struct aliases a = {0};
    for (bool ok = true; ok;) {
        uint64_t name;
        skip(&r, look == WITH_NAMES ? words : NULL);
        if (r.at == r.end) break;
        if (read_alias(&r, look, &a)) continue;
        const unsigned line = r.line;
        const uint64_t hash = read_token(&r, look, &name);
        ok = add_tokens(&t, &a, name, hash, line);
    }
    free(a.item), free(a.body.item);
    return t;
}

/* ---- fingerprints ------------------------------------------------------------------------------ */
static int by_hash(const void *a, const void *b) {
    const struct fingerprint *x = a, *y = b;
    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}
/* Returns the fingerprint of `count` consecutive tokens. */
static struct fingerprint run_of(const struct token *t, unsigned count) {
    uint64_t h = HASH_START;
    for (unsigned k = 0; k < count; k++) h = hash_bytes(h, &t[k].hash, sizeof t[k].hash);
    return (struct fingerprint){.hash = h | 1, .first = t[0].line, .last = t[count - 1].line};
}
/* Sorts the fingerprints and removes duplicates. Returns the new count. */
static unsigned each_once(struct fingerprint *f, unsigned count) {
    unsigned kept = 0;
    qsort(f, count, sizeof *f, by_hash);
    for (unsigned k = 0; k < count; k++)
        if (!kept || f[kept - 1].hash != f[k].hash) f[kept++] = f[k];
    return kept;
}
static unsigned grams_of(const struct tokens *t) { return t->count < GRAM ? 0 : t->count - GRAM + 1; }
/* Selects the rightmost minimum of each window of grams, which gives at most grams_of(t) fingerprints. Returns the end
 * of the output. */
static struct fingerprint *keep_least(const struct tokens *t, struct fingerprint *out) {
    const unsigned grams = grams_of(t);
    for (unsigned k = 0; k < grams; k++) out[k] = run_of(&t->item[k], GRAM);
    for (unsigned k = 0; k < grams; k++) { /* works in place, because an entry is read before it is overwritten */
        const unsigned end = k + WINDOW < grams ? k + WINDOW : grams;
        struct fingerprint least = out[k];
        for (unsigned n = k + 1; n < end; n++)
            if (out[n].hash <= least.hash) least = out[n];
        out[k] = least;
        if (end == grams) return out + k + 1;
    }
    return out;
}
static bool is(const struct token *t, const char *word) {
    return t->hash == hash_bytes(HASH_START, word, strlen(word));
}
/* Writes the fingerprints of the statements, at most one per token, and returns the end of the output. The parts of
 * a loop head are statements, so a `for` loop has the same fingerprints as an equivalent `while` loop. */
static struct fingerprint *statements_of(const struct tokens *t, struct fingerprint *out) {
    unsigned depth = 0; /* nesting depth of parentheses in a loop head */
    for (unsigned begin = 0, k = 0; k < t->count; k++) {
        const struct token *token = &t->item[k];
        const bool head = !depth && k + 1 < t->count && (is(token, "for") || is(token, "while")) && is(&token[1], "(");
        if (head || (depth && is(token, "("))) depth++;
        const bool closed = depth && !head && is(token, ")") && --depth == 0;
        if (!head && !closed && !is(token, ";") && !is(token, "{") && !is(token, "}")) continue;
        if (k >= begin + LEAST) *out++ = run_of(&t->item[begin], k - begin);
        k += head; /* skip the opening parenthesis */
        begin = k + 1;
    }
    return out;
}
struct fingerprint *fingerprints(const char *text, size_t length, enum look look, unsigned *count) {
    struct tokens words = {0}, code = tokens_of(text, length, look, &words);
    struct fingerprint *all = calloc((size_t)code.count + words.count + 1, sizeof *all), *end = all;
    if (all) end = look == WITH_NAMES ? statements_of(&code, end) : keep_least(&code, end);
    if (all) end = keep_least(&words, end);
    *count = all ? each_once(all, (unsigned)(end - all)) : 0;
    free(code.item);
    free(words.item);
    return all;
}
