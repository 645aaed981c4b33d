/* Candidate edits of a student's file: each is tried, none is believed. */
#ifndef FIX_EDITS_H
#define FIX_EDITS_H

#include "fix/source.h"

/* What is wrong where the edit helps, in the words of causes.def. */
enum fix_cause {
#define CAUSE(id, symptoms, meaning, idea) FIX_##id,
#include "fix/causes.def"
#undef CAUSE
    FIX_CAUSES
};
struct fix_cause_words {
    const char *key, *meaning, *idea; /* meaning and idea: %s is the text as it was */
};
extern const struct fix_cause_words fix_causes[FIX_CAUSES];

enum { EDIT_PARTS = 3 };
struct edit_part {
    uint32_t at, removed; /* bytes of the file */
    char *text;           /* what is there instead */
};
struct edit {
    enum fix_cause cause;
    struct edit_part part[EDIT_PARTS]; /* in the file's order */
    unsigned parts;
    unsigned cost; /* how far-fetched: 1 is what a person would try first; 0: the text itself says that it is wrong */
    int32_t function;  /* of the source, that it changes */
    uint32_t line;     /* of the file: where it changes what is reported, or is behind it */
    struct range told; /* the tokens that are quoted */
};
struct edit_list {
    const struct source *source;
    struct edit *item;
    unsigned count, room;
};
/* Adds one that replaces the range by text, printf-like. Equal ones are added once, with the lower cost. */
void edit_replace(struct edit_list *l, enum fix_cause cause, unsigned cost, struct range r, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* Adds one that puts text before the token `before` (a token number, at most one after the last of its function). */
void edit_insert(struct edit_list *l, enum fix_cause cause, unsigned cost, int32_t before, struct range told,
                 const char *format, ...) __attribute__((format(printf, 6, 7)));
/* The same with two or three changes at once. The caller's texts are copied. */
void edit_add(struct edit_list *l, enum fix_cause cause, unsigned cost, struct range told,
              const struct edit_part *parts, unsigned count);
/* The file with the edit in it; free() it. */
char *edit_apply(const struct source *s, const struct edit *e);
/* "-  old line\n+  new line\n", all lines that change; free() it. */
char *edit_diff(const struct source *s, const struct edit *e);
void edit_list_free(struct edit_list *l);
/* Does it ask for nothing but what a lab has taught (record/terms.h)? It may keep what the student wrote, and its
 * meaning may say that word; the edit adds no other, and the idea none. */
bool edit_is_taught(const struct source *s, const struct edit *e, unsigned taught);

/* ---- rules: each adds the edits that it knows ------------------------------------------------------ */
void rules_expressions(struct edit_list *l, int32_t function);
void rules_names(struct edit_list *l, int32_t function);
void rules_pairs(struct edit_list *l, int32_t function);
void rules_loops(struct edit_list *l, int32_t function);
void rules_statements(struct edit_list *l, int32_t function);
void rules_barriers(struct edit_list *l, int32_t function);
void rules_missing(struct edit_list *l, int32_t function);

#endif
