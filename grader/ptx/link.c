/* Links modules that nvcc -rdc=true has compiled separately, by concatenating their text. Renames module-private names
 * (string constants, labels), and renumbers source files. If several modules define the same template or inline
 * function, keeps the first definition. */
#include "ptx/items.h"
#include "ptx/ptx.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ITEMS = 1 << 20 };
struct link {
    struct items defined; /* items of the earlier modules, including their weak definitions */
    unsigned unit;        /* index of the current module */
    unsigned long files,
        most; /* files: largest source file number of the earlier modules; most: largest number of all modules so far */
    FILE *out;
};

static bool is_word(const char *at, const char *begin, const char *word) {
    const size_t n = strlen(word);
    return !strncmp(at, word, n) && (at == begin || !items_in_name(at[-1])) && !items_in_name(at[n]);
}
/* Returns whether another module may use the name for something else. */
static bool is_private(const char *s) { return *s == '$' || !strncmp(s, "__unnamed_", 10); }
/* Copies a source file number, offset by the largest number of the earlier modules. */
static const char *file_number(struct link *l, const char *s) {
    char *end;
    while (*s == ' ' || *s == '\t') fputc(*s++, l->out);
    const unsigned long n = strtoul(s, &end, 10) + l->files;
    if (end == s) return s;
    if (n > l->most) l->most = n;
    fprintf(l->out, "%lu", n);
    return end;
}
static void copy_item(struct link *l, const struct item *i) {
    static const char *const before_a_file[] = {".file", ".loc", "inlined_at"};
    for (const char *s = i->begin; s < i->end;) {
        const char *aside = items_past_aside(s);
        const char *word = NULL;
        for (unsigned k = 0; k < sizeof before_a_file / sizeof *before_a_file; k++)
            if (is_word(s, i->begin, before_a_file[k])) word = before_a_file[k];
        if (aside != s)
            fwrite(s, 1, (size_t)(aside - s), l->out), s = aside;
        else if (word)
            fputs(word, l->out), s = file_number(l, s + strlen(word));
        else if (items_begins_name(*s)) {
            if (l->unit && is_private(s)) fprintf(l->out, "$unit%u", l->unit);
            while (items_in_name(*s)) fputc(*s++, l->out);
        } else
            do fputc(*s++, l->out);
            while (s < i->end && (s[-1] == '.' || s[-1] == '%' || items_in_name(s[-1])) && items_in_name(*s));
    }
}
static bool is_weak_definition(const struct item *i) { return i->name && !strncmp(i->begin, ".weak", 5); }
static bool is_defined(const struct link *l, const struct item *i) {
    for (size_t k = 0; k < l->defined.count; k++) {
        const struct item *d = &l->defined.item[k];
        if (is_weak_definition(d) && d->name_length == i->name_length && !memcmp(d->name, i->name, i->name_length))
            return true;
    }
    return false;
}
static bool add_unit(struct link *l, const char *text) {
    struct items all = {0};
    const bool good = items_split(&all, text, MAX_ITEMS);
    for (size_t k = 0; good && k < all.count; k++) {
        const struct item *i = &all.item[k];
        const bool again = l->unit && (items_is_header(i->begin) || (is_weak_definition(i) && is_defined(l, i)));
        if (!again && !items_is_section(i->begin)) copy_item(l, i);
    }
    free(all.item);
    l->files = l->most, l->unit++;
    return good && items_split(&l->defined, text, MAX_ITEMS);
}
char *ptx_link(const char *const *texts, unsigned count) {
    struct link l = {.unit = 0};
    char *out = NULL;
    size_t length;
    bool good = (l.out = open_memstream(&out, &length));
    for (unsigned k = 0; good && k < count; k++) good = add_unit(&l, texts[k]);
    if (l.out && fclose(l.out)) good = false;
    free(l.defined.item);
    if (!good) free(out), out = NULL;
    return out;
}
