/* Removes the functions and variables that one kernel does not use, and debug sections, from PTX text. Correct for the
 * output of compilers; for any other text, it terminates quickly with some result. The rest of the text is unchanged.
 */
#include "ptx/ptx.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A module-level statement: a function, a variable, or a directive, which has no name and is always kept. */
struct item {
    const char *begin, *end, *name;
    size_t name_length;
    bool kept;
};
enum { MOST_ITEMS = 4096 };
struct items {
    struct item *item;
    size_t count, room;
};

static bool begins_name(char c) { return isalpha((unsigned char)c) || c == '_' || c == '$'; }
static bool in_name(char c) { return begins_name(c) || isdigit((unsigned char)c); }
static const char *past(const char *s, const char *what) {
    const char *at = strstr(s, what);
    return at ? at + strlen(what) : s + strlen(s);
}
/* The position after a comment or a quoted string that begins at s; otherwise s. */
static const char *past_aside(const char *s) {
    if (s[0] == '/' && s[1] == '/') return s + strcspn(s, "\n");
    if (s[0] == '/' && s[1] == '*') return past(s + 2, "*/");
    if (*s == '"') return past(s + 1, "\"");
    return s;
}
/* nvcc's holds names with a hash of its temporary folder, so each run has another one. */
static bool is_section(const char *s) { return !strncmp(s, ".section", 8); }
static bool is_line(const char *s) {
    static const char *const lines[] = {".version", ".target", ".address_size", ".file"};
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
        if (!strncmp(s, lines[k], strlen(lines[k]))) return true;
    return false;
}
/* The statement at s. Its name is the last one outside of parentheses before its body, size or value. */
static struct item statement(const char *s) {
    struct item i = {.begin = s};
    unsigned round = 0, curly = 0;
    bool head = true;
    while (*s) {
        const char *aside = past_aside(s);
        if (aside != s) {
            s = aside;
            continue;
        }
        if (head && !round && begins_name(*s)) {
            for (i.name = s; in_name(*s);) s++;
            i.name_length = (size_t)(s - i.name);
            continue;
        }
        if (*s == '.' || *s == '%' || in_name(*s)) {
            while (*s == '.' || *s == '%' || in_name(*s)) s++;
            continue;
        }
        round += *s == '(', round -= *s == ')';
        curly += *s == '{', curly -= *s == '}';
        head = head && (round || !(*s == '{' || *s == '=' || *s == '['));
        const char c = *s++;
        if (!round && !curly && (c == ';' || (c == '}' && s[strspn(s, " \t\r\n")] != ';'))) break;
    }
    i.end = s;
    return i;
}
static bool add(struct items *all, struct item i) {
    if (all->count == MOST_ITEMS) return false;
    if (all->count == all->room) {
        struct item *more = realloc(all->item, (2 * all->room + 16) * sizeof *more);
        if (!more) return false;
        all->item = more, all->room = 2 * all->room + 16;
    }
    all->item[all->count++] = i;
    return true;
}
static bool split(struct items *all, const char *s) {
    while (*s) {
        struct item i = {.begin = s};
        const char *aside = past_aside(s);
        if (aside != s || isspace((unsigned char)*s))
            i.end = aside != s ? aside : s + strspn(s, " \t\r\n\v\f");
        else if (is_line(s))
            i.end = s + strcspn(s, "\n");
        else
            i = statement(s);
        if (!add(all, i)) return false;
        s = i.end;
    }
    return true;
}
static void keep(const struct items *all, struct item *i);
/* A function may be declared before it is defined. False if nothing has that name. */
static bool keep_named(const struct items *all, const char *name, size_t length) {
    bool found = false;
    for (size_t k = 0; k < all->count; k++)
        if (all->item[k].name && all->item[k].name_length == length && !memcmp(all->item[k].name, name, length))
            keep(all, &all->item[k]), found = true;
    return found;
}
/* Keeps an item, and transitively everything that it names. */
static void keep(const struct items *all, struct item *i) {
    if (i->kept) return;
    i->kept = true;
    for (const char *s = i->begin; s < i->end;) {
        const char *aside = past_aside(s), *name = s;
        if (aside != s) {
            s = aside;
            continue;
        }
        if (!begins_name(*s)) {
            for (s++; (s[-1] == '.' || s[-1] == '%') && in_name(*s);) s++;
            continue;
        }
        while (in_name(*s)) s++;
        keep_named(all, name, (size_t)(s - name));
    }
}
char *ptx_cut(const char *text, const char *kernel) {
    struct items all = {0};
    char *out = NULL;
    size_t length;
    const bool found = split(&all, text) && keep_named(&all, kernel, strlen(kernel));
    FILE *f = found ? open_memstream(&out, &length) : NULL;
    if (f) {
        for (size_t k = 0; k < all.count; k++)
            if (all.item[k].kept || (!all.item[k].name && !is_section(all.item[k].begin)))
                fwrite(all.item[k].begin, 1, (size_t)(all.item[k].end - all.item[k].begin), f);
        if (fclose(f)) free(out), out = NULL;
    }
    free(all.item);
    return out;
}
