/* PTX text as a list of module-level statements, for edits that leave the other statements unchanged. The text of
 * compilers is split correctly; other text may be split in the wrong places. */
#ifndef PTX_ITEMS_H
#define PTX_ITEMS_H

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>

/* A function, a variable, or text between them. Only functions and variables have names. */
struct item {
    const char *begin, *end, *name;
    size_t name_length;
    bool kept; /* for use by the caller */
};
struct items {
    struct item *item;
    size_t count, room;
};
/* Appends the text's items. Returns false if out of memory, or if there would be more than `most` items. The caller
 * frees all->item. */
bool items_split(struct items *all, const char *text, size_t most);

static inline bool items_begins_name(char c) { return isalpha((unsigned char)c) || c == '_' || c == '$'; }
static inline bool items_in_name(char c) { return items_begins_name(c) || isdigit((unsigned char)c); }
/* Returns the position after the comment or quoted string that begins at s, or s if none begins there. */
const char *items_past_aside(const char *s);
/* Returns whether a debug section begins at s. The names in such a section contain a hash of nvcc's temporary folder,
 * so they differ in each run. */
bool items_is_section(const char *s);
/* Returns whether s begins a line of the module's header: .version, .target or .address_size. */
bool items_is_header(const char *s);

#endif
