/* Candidate edits of a student's file. A trial tests each before it is reported. */
#ifndef FIX_EDITS_H
#define FIX_EDITS_H

#include "fix/source.h"

/* The mistake that an edit corrects. causes.def has the texts. */
enum fix_cause {
#define CAUSE(id, symptoms, meaning, idea) FIX_##id,
#include "fix/causes.def"
#undef CAUSE
    FIX_CAUSES
};
struct fix_cause_words {
    const char *key, *meaning, *idea; /* meaning and idea: %s is the original text */
};
extern const struct fix_cause_words fix_causes[FIX_CAUSES];

enum { EDIT_PARTS = 3 };
struct edit_part {
    uint32_t at, removed; /* bytes of the file */
    char *text;           /* its replacement */
};
struct edit {
    enum fix_cause cause;
    struct edit_part part[EDIT_PARTS]; /* in file order */
    unsigned parts;
    unsigned cost;     /* higher for less likely edits; 1 for an obvious first attempt, 0 if the error is evident */
    int32_t function;  /* the function of the source that the edit changes */
    uint32_t line;     /* the file's line where the reported text changes, or the line before the insertion */
    struct range told; /* the quoted tokens */
};
struct edit_list {
    const struct source *source;
    struct edit *item;
    unsigned count, room;
};
/* Adds an edit that replaces the range by a text formatted as by printf(). Equal edits are added once, with the lower
 * cost. */
void edit_replace(struct edit_list *l, enum fix_cause cause, unsigned cost, struct range r, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* Adds an edit that inserts text before token number `before`, which is at most one past the last token of its
 * function. */
void edit_insert(struct edit_list *l, enum fix_cause cause, unsigned cost, int32_t before, struct range told,
                 const char *format, ...) __attribute__((format(printf, 6, 7)));
/* Adds an edit that makes two or three changes at once. The caller's texts are copied. */
void edit_add(struct edit_list *l, enum fix_cause cause, unsigned cost, struct range told,
              const struct edit_part *parts, unsigned count);
/* Returns the edited file, which the caller frees. */
char *edit_apply(const struct source *s, const struct edit *e);
/* "-  old line
 * +  new line
 * " for all changed lines; free() it. */
char *edit_diff(const struct source *s, const struct edit *e);
void edit_list_free(struct edit_list *l);
/* Returns whether the edit requires only terms that a lab has taught (record/terms.h). It may keep other terms that
 * the student's file has, and its meaning may mention those. But the edit must not add other terms, and the idea must
 * not have any. */
bool edit_is_taught(const struct source *s, const struct edit *e, unsigned taught);

/* ---- rules: each adds its edits --------------------------------------------------------------------- */
void rules_expressions(struct edit_list *l, int32_t function);
void rules_initial(struct edit_list *l, int32_t function);
void rules_names(struct edit_list *l, int32_t function);
void rules_pairs(struct edit_list *l, int32_t function);
void rules_types(struct edit_list *l, int32_t function);
void rules_loops(struct edit_list *l, int32_t function);
void rules_statements(struct edit_list *l, int32_t function);
void rules_barriers(struct edit_list *l, int32_t function);
void rules_missing(struct edit_list *l, int32_t function);
void rules_fragments(struct edit_list *l, int32_t function);

#endif
