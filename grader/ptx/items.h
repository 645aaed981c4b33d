/* PTX text as a list of module-level statements, for edits that keep the rest unchanged. The list is correct for the
 * output of compilers; other text may be split anywhere. */
#ifndef PTX_ITEMS_H
#define PTX_ITEMS_H

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>

/* A function, a variable, or anything between them, which has no name. */
struct item {
    const char *begin, *end, *name;
    size_t name_length;
    bool kept; /* for the caller's use */
};
struct items {
    struct item *item;
    size_t count, room;
};
/* Appends the text's items. False: out of memory, or more than `most` items. free() all->item. */
bool items_split(struct items *all, const char *text, size_t most);

static inline bool items_begins_name(char c) { return isalpha((unsigned char)c) || c == '_' || c == '$'; }
static inline bool items_in_name(char c) { return items_begins_name(c) || isdigit((unsigned char)c); }
/* The position after a comment or a quoted string that begins at s; otherwise s. */
const char *items_past_aside(const char *s);
/* Returns whether a debug section begins at s. nvcc puts names with a hash of its temporary folder into it, so it
 * differs in each run. */
bool items_is_section(const char *s);
/* Returns whether s is one of the lines that begin a module: its version, target or size of addresses. */
bool items_is_header(const char *s);

#endif
