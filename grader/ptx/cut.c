/* Removes debug sections from PTX text, and the functions and variables that a given kernel does not use, with the
 * comments and white space before them. Leaves the rest unchanged. */
#include "ptx/items.h"
#include "ptx/ptx.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ITEMS = 4096 /* limits the time, which is quadratic in the number of items */ };
static void keep(const struct items *all, struct item *i);
/* Keeps all items with this name. A function that is declared before it is defined has several items. Returns whether
 * any item has the name. */
static bool keep_named(const struct items *all, const char *name, size_t length) {
    bool found = false;
    for (size_t k = 0; k < all->count; k++)
        if (all->item[k].name && all->item[k].name_length == length && !memcmp(all->item[k].name, name, length))
            keep(all, &all->item[k]), found = true;
    return found;
}
/* Keeps an item and all items that it refers to, directly or indirectly. */
static void keep(const struct items *all, struct item *i) {
    if (i->kept) return;
    i->kept = true;
    for (const char *s = i->begin; s < i->end;) {
        const char *aside = items_past_aside(s), *name = s;
        if (aside != s) {
            s = aside;
            continue;
        }
        if (!items_begins_name(*s)) {
            for (s++; (s[-1] == '.' || s[-1] == '%') && items_in_name(*s);) s++;
            continue;
        }
        while (items_in_name(*s)) s++;
        keep_named(all, name, (size_t)(s - name));
    }
}
static bool is_removed(const struct item *i) { return i->name ? !i->kept : items_is_section(i->begin); }
static bool is_text(const struct item *i) {
    return isspace((unsigned char)*i->begin) || items_past_aside(i->begin) != i->begin;
}
char *ptx_cut(const char *text, const char *kernel) {
    struct items all = {0};
    char *out = NULL;
    size_t length;
    const bool found = items_split(&all, text, MAX_ITEMS) && keep_named(&all, kernel, strlen(kernel));
    FILE *f = found ? open_memstream(&out, &length) : NULL;
    if (f) {
        for (size_t k = 0, end; k < all.count; k = end + 1) {
            for (end = k; end + 1 < all.count && is_text(&all.item[end]);) end++;
            if (!is_removed(&all.item[end]))
                fwrite(all.item[k].begin, 1, (size_t)(all.item[end].end - all.item[k].begin), f);
        }
        if (fclose(f)) free(out), out = NULL;
    }
    free(all.item);
    return out;
}
