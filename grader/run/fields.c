/* Parses a struct argument, such as {int[64]:iota, int[64]:out, 64}. */
#include "run/argument.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 8, MAX_FIELDS = 64 };
struct layout {
    struct run_argument *all; /* the struct argument that receives the fields */
    uint64_t at, *random;
    char *message;
    size_t size;
};
static bool say(struct layout *l, const char *what, const char *text) {
    return snprintf(l->message, l->size, "%s `%.60s`", what, text), false;
}
/* Returns the end of the field that begins at `text`, which is the first comma or closing brace at its nesting
 * level. */
static const char *end_of(const char *text) {
    unsigned depth = 0;
    for (; *text; text++) {
        if (*text == '{') depth++;
        if ((*text == ',' && !depth) || (*text == '}' && !depth--)) break;
    }
    return text;
}
/* Returns a PTX variable for a field that is a pointer or a number. A number without a type is an int or a float. */
static struct ptx_variable variable_for(const char *text) {
    static const struct {
        enum run_kind kind;
        unsigned bytes;
        enum ptx_type type;
    } types[] = {{RUN_FLOAT, 4, PTX_F32}, {RUN_FLOAT, 8, PTX_F64}};
    struct ptx_variable v = {.type = PTX_B32};
    const char *bracket = strchr(text, '['), *colon = strchr(text, ':');
    const bool whole =
        strspn(text, "+-") <= 1 && (!strncmp(text + strspn(text, "+-"), "0x", 2) || !strpbrk(text, ".einf"));
    if ((bracket && (!colon || bracket < colon)) || !strcmp(text, "null"))
        v.type = PTX_B64;
    else if (!colon)
        v.type = whole ? PTX_B32 : PTX_F32;
    for (unsigned k = 0; colon && v.type != PTX_B64 && k < run_type_count; k++) {
        const struct run_type *t = &run_types[k];
        const size_t n = (size_t)(colon - text);
        if ((strlen(t->name) != n || strncmp(t->name, text, n)) &&
            (strlen(t->alias) != n || strncmp(t->alias, text, n)))
            continue;
        v.type = t->bytes == 1 ? PTX_B8 : t->bytes == 2 ? PTX_B16 : t->bytes == 4 ? PTX_B32 : PTX_B64;
        for (unsigned f = 0; f < sizeof types / sizeof *types; f++)
            if (types[f].kind == t->kind && types[f].bytes == t->bytes) v.type = types[f].type;
        break;
    }
    v.size = ptx_type_bits(v.type) / 8;
    return v;
}
static bool place(struct layout *l, const char *text, uint64_t *align) {
    const struct ptx_variable v = variable_for(text);
    struct run_argument *a = l->all, *more;
    if (a->fields == MAX_FIELDS) return say(l, "too many fields at", text);
    more = realloc(a->field, (a->fields + 1) * sizeof *more);
    if (!more) return snprintf(l->message, l->size, "out of memory"), false;
    a->field = more, more += a->fields++;
    *more = (struct run_argument){.offset = l->at = (l->at + v.size - 1) / v.size * v.size};
    snprintf(more->name, sizeof more->name, "%.40s.%u", a->name, a->fields - 1);
    char why[300], *copy = strdup(text); /* the field owns its text */
    const bool ok = copy && run_argument_parse(more, copy, &v, l->random, why, sizeof why);
    more->own_text = copy;
    if (!ok)
        return snprintf(l->message, l->size, "field %u, `%.60s`: %s", a->fields, text, copy ? why : "out of memory"),
               false;
    l->at += v.size;
    if (v.size > *align) *align = v.size;
    return true;
}
static bool place_all(struct layout *l, const char **text, unsigned depth, uint64_t *align);
/* Parses one field and places it. A nested struct must be laid out twice, because its alignment depends on its
 * fields. */
static bool place_one(struct layout *l, const char **text, unsigned depth, uint64_t *align) {
    char field[400];
    while (**text == ' ') ++*text;
    const char *end = end_of(*text);
    while (end > *text && end[-1] == ' ') end--;
    if ((size_t)(end - *text) >= sizeof field || end == *text)
        return say(l, "a field is missing or too long at", *text);
    snprintf(field, sizeof field, "%.*s", (int)(end - *text), *text);
    *text = end_of(*text);
    if (*field != '{') return place(l, field, align);
    if (depth == MAX_DEPTH) return say(l, "structs are nested too deep at", field);
    /* the first pass computes the alignment, the second the layout */
    struct run_argument none = {.text = NULL};
    struct layout trial = *l;
    uint64_t random = *l->random, own = 1;
    const char *inner = field + 1;
    trial.all = &none, trial.at = 0, trial.random = &random;
    const bool ok = place_all(&trial, &inner, depth + 1, &own);
    run_argument_free(&none);
    if (!ok) return false;
    l->at = (l->at + own - 1) / own * own;
    if (own > *align) *align = own;
    inner = field + 1, own = 1;
    return place_all(l, &inner, depth + 1, &own);
}
static bool place_all(struct layout *l, const char **text, unsigned depth, uint64_t *align) {
    for (;; ++*text) {
        if (!place_one(l, text, depth, align)) return false;
        if (**text == '}') break;
        if (**text != ',') return say(l, "expected a } or a comma at", *text);
    }
    ++*text;
    l->at = (l->at + *align - 1) / *align * *align;
    return true;
}
bool run_fields_parse(struct run_argument *a, const char *text, const struct ptx_variable *p, uint64_t *random,
                      char *message, size_t size) {
    struct layout l = {.all = a, .random = random, .message = message, .size = size};
    const char *at = text + 1;
    uint64_t align = 1;
    if (!place_all(&l, &at, 1, &align)) return false;
    if (*at) return say(&l, "unexpected text after the }:", at);
    if (l.at == p->size) return true;
    return snprintf(
               message, size,
               "the fields take %llu bytes, but the parameter is %llu bytes long: give types, as in f64:0.5 or u64:7",
               (unsigned long long)l.at, (unsigned long long)p->size),
           false;
}
