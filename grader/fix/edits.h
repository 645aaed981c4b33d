/* Candidate edits of a student's file. Reports show only edits that have been run. */
#ifndef FIX_EDITS_H
#define FIX_EDITS_H

#include "fix/source.h"
#include <jansson.h>

/* Returns the object's string, or "" if it has none. */
static inline const char *fix_text(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* The mistakes that edits correct. Their texts are in causes.def. */
enum fix_cause {
#define CAUSE(id, symptoms, meaning, idea) FIX_##id,
#include "fix/causes.def"
#undef CAUSE
    FIX_CAUSES
};
struct fix_cause_words {
    const char *key, *meaning, *idea; /* meaning, idea: formats in which %s is the original text */
};
extern const struct fix_cause_words fix_causes[FIX_CAUSES];

enum { EDIT_PARTS = 6 };
struct edit_part {
    uint32_t at, removed; /* offset in the file, and number of removed bytes */
    char *text;           /* the replacement */
};
struct edit {
    enum fix_cause cause;
    struct edit_part part[EDIT_PARTS]; /* in file order */
    unsigned parts;
    unsigned cost;       /* 0: the error is evident; 1: an obvious first attempt; higher: less likely */
    int32_t function;    /* index of the function that the edit changes */
    uint32_t line;       /* the reported line: the first one of `quoted` or, if the edit only inserts text after it, the
                            line before that text */
    struct range quoted; /* the tokens to quote in reports */
    uint64_t hash;       /* of the changes */
    const char *rule;    /* the format that edit_replace() was passed, which identifies the rule, or NULL if another
                            function made the edit */
};
struct edit_list {
    const struct source *source;
    struct edit *item;
    unsigned count, room;
};
/* Adds an edit that replaces the range with a text formatted as by printf(). Ignores an edit that would assign a
 * variable to itself or compare two constants. */
void edit_replace(struct edit_list *l, enum fix_cause cause, unsigned cost, struct range r, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* Adds an edit that inserts text before token `before`, which is at most one past the last token of its function. */
void edit_insert(struct edit_list *l, enum fix_cause cause, unsigned cost, int32_t before, struct range quoted,
                 const char *format, ...) __attribute__((format(printf, 6, 7)));
/* Adds an edit that inserts `text` after a statement, or as the first statement of a compound statement. */
void edit_behind(struct edit_list *l, enum fix_cause cause, unsigned cost, int32_t at, const char *text);
/* Adds an edit of up to EDIT_PARTS changes in file order. Copies their texts, with the names that the author gave to
 * the values in them. Of equal edits, keeps the one with the lowest cost. Ignores an edit
 * - whose changes overlap or change nothing,
 * - that uses a name which is not visible at its place,
 * - that removes the declaration of a name in use, or
 * - that changes the width of a shuffle.
 * All functions that add edits call edit_add(). */
void edit_add(struct edit_list *l, enum fix_cause cause, unsigned cost, struct range quoted,
              const struct edit_part *parts, unsigned count);
/* Returns the part that replaces the range with the text. The text must outlive the part. */
struct edit_part edit_part_of(const struct source *s, struct range r, const char *text);
/* Returns the edited file, which the caller frees. Returns NULL if out of memory. */
char *edit_apply(const struct source *s, const struct edit *e);
/* Returns the changed lines as a diff, in which each line begins with - or +. A line `@@ line N @@` separates changes
 * with four or more unchanged lines between them. The caller frees the diff. */
char *edit_diff(const struct source *s, const struct edit *e);
/* Returns the offset of the first byte of the line that contains offset `at`. */
uint32_t edit_line_begin(const char *text, uint32_t at);
/* Returns the diff as an array of lines. */
json_t *edit_diff_lines(const struct source *s, const struct edit *e);
/* Returns the number of the first line that the edit changes. Reports name e->line instead, which may be far away. */
int edit_first_line(const struct source *s, const struct edit *e);
void edit_list_free(struct edit_list *l);
/* Adds to `out` an edit that makes the change of edit `e` only for calls from `kernel`: the changed value becomes a new
 * parameter of the function. Returns false if there is no such edit. */
bool edit_as_parameter(struct edit_list *out, const struct edit *e, const char *kernel);
/* Returns whether a student who knows the lab's terms can understand the edit (record/terms.h). The edit must not add
 * other terms, and its idea must not contain any. Its meaning may contain such a term only if the student's own text
 * does. */
bool edit_is_taught(const struct source *s, const struct edit *e, unsigned taught);

/* ---- rules: each adds its edits to the list -------------------------------------------------------- */
/* Adds the edits of all rules except rules_general() for one of the file's functions. */
void rules_all(struct edit_list *l, int32_t function);
void rules_evident(struct edit_list *l, int32_t function);
void rules_expressions(struct edit_list *l, int32_t function);
void rules_values(struct edit_list *l, int32_t function);
void rules_calls(struct edit_list *l, int32_t function);
void rules_order(struct edit_list *l, int32_t function);
void rules_repeated(struct edit_list *l, int32_t function);
void rules_initial(struct edit_list *l, int32_t function);
void rules_names(struct edit_list *l, int32_t function);
void rules_pairs(struct edit_list *l, int32_t function);
void rules_types(struct edit_list *l, int32_t function);
void rules_narrow(struct edit_list *l, int32_t function);
void rules_loops(struct edit_list *l, int32_t function);
void rules_statements(struct edit_list *l, int32_t function);
void rules_barriers(struct edit_list *l, int32_t function);
void rules_missing(struct edit_list *l, int32_t function);
void rules_tickets(struct edit_list *l, int32_t function);
void rules_steps(struct edit_list *l, int32_t function);
void rules_fragments(struct edit_list *l, int32_t function);
void rules_guards(struct edit_list *l, int32_t function);
void rules_results(struct edit_list *l, int32_t function);
void rules_loads(struct edit_list *l, int32_t function);
void rules_together(struct edit_list *l, int32_t function);
/* Adds edits that let all threads reach statements in the block of an `if`: one moves the statements to before the
 * `if`, others remove a part of its condition. */
void call_out_of_branch(struct edit_list *l, int32_t at);
/* Returns whether the statement has the form `if (t < m) s[t] = x;`, so that only some threads store their element. */
bool stores_own_element(const struct source *s, int32_t at);
/* Turns `x = c ? y : x;`, which accesses x in any case, into `if (c) x = y;`. */
void kept_otherwise(struct edit_list *l, int32_t at);
/* Adds an edit that removes `else break;` or `else continue;` if other threads wait in the loop. */
void leaves_in_else(struct edit_list *l, int32_t at);
/* If the part only removes the head of an `if`, returns a part that also removes the braces and the indentation of its
 * block. *text is the text of that part, which the caller frees. Otherwise returns the part itself and sets *text to
 * NULL. */
struct edit_part without_braces(const struct source *s, const struct edit_part *p, char **text);
/* Adds edits that do not depend on the purpose of the code, unless the list already contains them. */
void rules_general(struct edit_list *l, int32_t function);
/* Joins edits of the function that correct the same mistake in several places. Considers the edits from index `from`
 * on. */
void rules_alike(struct edit_list *l, int32_t function, unsigned from);

#endif
