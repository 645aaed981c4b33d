/* See edits.h. */
#include "fix/edits.h"
#include "base/array.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const struct fix_cause_words fix_causes[FIX_CAUSES] = {
#define CAUSE(id, symptoms, meaning, idea) {#id, meaning, idea},
#include "fix/causes.def"
#undef CAUSE
};

static bool same(const struct edit *a, const struct edit *b) {
    bool equal = a->parts == b->parts;
    for (unsigned k = 0; equal && k < a->parts; k++)
        equal = a->part[k].at == b->part[k].at && a->part[k].removed == b->part[k].removed &&
                !strcmp(a->part[k].text, b->part[k].text);
    return equal;
}
static bool changes(const struct source *s, const struct edit *e) {
    for (unsigned k = 0; k < e->parts; k++)
        if (strlen(e->part[k].text) != e->part[k].removed ||
            memcmp(s->text + e->part[k].at, e->part[k].text, e->part[k].removed) != 0)
            return true;
    return false;
}
/* ---- scope ---------------------------------------------------------------------------------------- */
static bool is_type(const struct source *s, int32_t token) {
    static const char *const types[] = {"unsigned", "int", "float", "double", "value_t", "bool", "size_t", "vector"};
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (source_is(s, token, types[k])) return true;
    return false;
}
/* Where a local that is declared at this token ends, as a byte of the file; 0: it declares none. */
static uint32_t end_of_scope(const struct source *s, int32_t token) {
    const int32_t self = s->token[token].statement;
    if (self < 0 || token == 0) return 0;
    const struct statement *st = &s->statement[self];
    const int32_t first = st->kind == STATEMENT_FOR ? st->begin.first : st->all.first;
    const bool listed = source_is(s, token - 1, ",") && is_type(s, first);
    if (!is_type(s, token - 1) && !listed) return 0;
    const int32_t around = st->kind == STATEMENT_FOR ? self : st->parent;
    return around < 0 ? 0 : source_end(s, s->statement[around].all);
}
/* The token is a parameter of another function. */
static bool is_parameter(const struct source *s, int32_t token, int32_t function) {
    for (int32_t f = 0; f < s->functions; f++)
        if (f != function && token >= s->function[f].parameters.first && token <= s->function[f].parameters.last)
            return true;
    return false;
}
static bool is_named(const struct source *s, int32_t token, const char *name, size_t length) {
    return s->token[token].length == length && !memcmp(s->text + s->token[token].at, name, length);
}
/* What a file may use that it does not name: it has it of CUDA, of C, or of common/reduce.h. */
static bool is_given(const char *name, size_t length) {
    static const char *const given[] = {
        "threadIdx", "blockIdx",   "blockDim",       "gridDim", "x",      "if",        "for",   "value_t",
        "unsigned",  "identity",   "combine",        "min",     "extern", "atomicAdd", "bool",  "all_read",
        "all_kept",  "__shared__", "atomic_combine", "size_t",  "sizeof", "return",    "break", "before",
        "value",     "index",      "distance"};
    for (size_t k = 0; k < sizeof given / sizeof *given; k++)
        if (strlen(given[k]) == length && !memcmp(given[k], name, length)) return true;
    return length > 2 && name[0] == '_' && name[1] == '_';
}
/* Can `name` be used at this byte? A local in its scope, a parameter, a name of the file and what is given can; a name
 * of another function cannot. */
static bool is_visible(const struct source *s, int32_t function, const char *name, size_t length, uint32_t at) {
    const struct function *own = &s->function[function];
    const struct range body = s->statement[own->body].all;
    bool declared = false, used = false;
    for (int32_t k = body.first; k <= body.last; k++) {
        if (!is_named(s, k, name, length)) continue;
        const uint32_t end = end_of_scope(s, k);
        if (end && s->token[k].at < at && at < end) return true;
        declared |= end != 0, used = true;
    }
    if (used) return !declared;
    for (int32_t k = 0; k < s->tokens; k++) {
        if (!is_named(s, k, name, length)) continue;
        if (s->token[k].statement < 0 && !is_parameter(s, k, function)) return true;
    }
    return is_given(name, length);
}
static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9');
}
static bool has_word(const char *text, size_t length, const char *word, size_t n) {
    for (size_t k = 0; k + n <= length; k++)
        if (!memcmp(text + k, word, n) && (!k || !is_word(text[k - 1])) && (k + n == length || !is_word(text[k + n])))
            return true;
    return false;
}
static bool uses_what_is_visible(const struct source *s, const struct edit *e) {
    for (unsigned k = 0; e->function >= 0 && k < e->parts; k++)
        for (const char *c = e->part[k].text; *c;) {
            size_t n = 0;
            while (is_word(c[n])) n++;
            if (n && !(*c >= '0' && *c <= '9') && !is_visible(s, e->function, c, n, e->part[k].at) &&
                !has_word(s->text + e->part[k].at, e->part[k].removed, c, n)) /* else it stands there already */
                return false;
            c += n ? n : 1;
        }
    return true;
}
static void drop(struct edit *e) {
    for (unsigned k = 0; k < e->parts; k++) free(e->part[k].text);
}
void edit_add(struct edit_list *l, enum fix_cause cause, unsigned cost, struct range told,
              const struct edit_part *parts, unsigned count) {
    const struct source *s = l->source;
    const int32_t statement = s->token[told.first].statement;
    struct edit e = {.cause = cause,
                     .parts = count,
                     .cost = cost,
                     .function = statement < 0 ? -1 : s->statement[statement].function,
                     .line = s->token[told.first].line,
                     .told = told};
    for (unsigned k = 0; k < count; k++) e.part[k] = parts[k], e.part[k].text = strdup(parts[k].text);
    struct edit *more = array_room(l->item, (size_t)l->count + 1, &l->room, sizeof *more);
    if (more) l->item = more;
    bool wanted = more && changes(s, &e) && uses_what_is_visible(s, &e);
    for (unsigned k = 0; wanted && k < l->count; k++) {
        if (!same(&l->item[k], &e)) continue;
        if (cost < l->item[k].cost) l->item[k].cost = cost, l->item[k].cause = cause;
        wanted = false;
    }
    if (wanted)
        l->item[l->count++] = e;
    else
        drop(&e);
}
static char *printed(const char *format, va_list arguments) {
    char *text;
    return vasprintf(&text, format, arguments) < 0 ? strdup("") : text;
}
void edit_replace(struct edit_list *l, enum fix_cause cause, unsigned cost, struct range r, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *text = printed(format, arguments);
    va_end(arguments);
    const uint32_t at = source_begin(l->source, r);
    edit_add(l, cause, cost, r, &(struct edit_part){at, source_end(l->source, r) - at, text}, 1);
    free(text);
}
void edit_insert(struct edit_list *l, enum fix_cause cause, unsigned cost, int32_t before, struct range told,
                 const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *text = printed(format, arguments);
    va_end(arguments);
    edit_add(l, cause, cost, told, &(struct edit_part){l->source->token[before].at, 0, text}, 1);
    free(text);
}
char *edit_apply(const struct source *s, const struct edit *e) {
    char *out;
    size_t size;
    FILE *f = open_memstream(&out, &size);
    if (!f) return NULL;
    uint32_t at = 0;
    for (unsigned k = 0; k < e->parts; k++) {
        fwrite(s->text + at, 1, e->part[k].at - at, f);
        fputs(e->part[k].text, f);
        at = e->part[k].at + e->part[k].removed;
    }
    fputs(s->text + at, f);
    fclose(f);
    return out;
}
static void print_lines(FILE *f, char mark, const char *from, const char *to) {
    while (from < to) {
        const char *end = memchr(from, '\n', (size_t)(to - from));
        if (!end) end = to;
        fprintf(f, "%c%.*s\n", mark, (int)(end - from), from);
        from = end + 1;
    }
}
/* Lines that begin and end alike are left out, from the front and from behind. */
char *edit_diff(const struct source *s, const struct edit *e) {
    char *out = NULL, *now = edit_apply(s, e);
    size_t size, before = 0, behind = 0;
    FILE *f = now ? open_memstream(&out, &size) : NULL;
    if (!f) return free(now), NULL;
    const size_t old = strlen(s->text), fresh = strlen(now);
    for (size_t k = 0; s->text[k] && s->text[k] == now[k]; k++)
        if (s->text[k] == '\n') before = k + 1;
    for (size_t k = 0; k < old - before && k < fresh - before && s->text[old - 1 - k] == now[fresh - 1 - k]; k++)
        if (s->text[old - 1 - k] == '\n') behind = k;
    print_lines(f, '-', s->text + before, s->text + old - behind);
    print_lines(f, '+', now + before, now + fresh - behind);
    fclose(f);
    free(now);
    return out;
}
void edit_list_free(struct edit_list *l) {
    for (unsigned k = 0; k < l->count; k++) drop(&l->item[k]);
    free(l->item);
}
