/* See items.h. */
#include "ptx/items.h"
#include <stdlib.h>
#include <string.h>

static const char *past(const char *s, const char *what) {
    const char *at = strstr(s, what);
    return at ? at + strlen(what) : s + strlen(s);
}
const char *items_past_aside(const char *s) {
    if (s[0] == '/' && s[1] == '/') return s + strcspn(s, "\n");
    if (s[0] == '/' && s[1] == '*') return past(s + 2, "*/");
    if (*s == '"') return past(s + 1, "\"");
    return s;
}
bool items_is_section(const char *s) { return !strncmp(s, ".section", 8); }
static bool begins_with_any(const char *s, const char *const *words) {
    while (*words && strncmp(s, *words, strlen(*words)) != 0) words++;
    return *words;
}
bool items_is_header(const char *s) {
    return begins_with_any(s, (const char *const[]){".version", ".target", ".address_size", NULL});
}
static bool is_line(const char *s) { return items_is_header(s) || !strncmp(s, ".file", 5); }
/* Returns the statement at s. Its name is the last name that precedes its body, size or value and is not in
 * parentheses. */
static struct item statement(const char *s) {
    struct item i = {.begin = s};
    unsigned round = 0, curly = 0;
    bool head = true;
    while (*s) {
        const char *aside = items_past_aside(s);
        if (aside != s) {
            s = aside;
            continue;
        }
        if (head && !round && items_begins_name(*s)) {
            for (i.name = s; items_in_name(*s);) s++;
            i.name_length = (size_t)(s - i.name);
            continue;
        }
        if (*s == '.' || *s == '%' || items_in_name(*s)) {
            while (*s == '.' || *s == '%' || items_in_name(*s)) s++;
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
static bool add(struct items *all, struct item i, size_t most) {
    if (all->count == most) return false;
    if (all->count == all->room) {
        struct item *more = realloc(all->item, (2 * all->room + 16) * sizeof *more);
        if (!more) return false;
        all->item = more, all->room = 2 * all->room + 16;
    }
    all->item[all->count++] = i;
    return true;
}
bool items_split(struct items *all, const char *s, size_t most) {
    while (*s) {
        struct item i = {.begin = s};
        const char *aside = items_past_aside(s);
        if (aside != s || isspace((unsigned char)*s))
            i.end = aside != s ? aside : s + strspn(s, " \t\r\n\v\f");
        else if (is_line(s))
            i.end = s + strcspn(s, "\n");
        else
            i = statement(s);
        if (!add(all, i, most)) return false;
        s = i.end;
    }
    return true;
}
