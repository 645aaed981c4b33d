/* Edits that may correct a compiler error. */
#ifndef FIX_BUILD_H
#define FIX_BUILD_H

#include "fix/edits.h"
#include "judge/judge.h"

/* The rules of build.def. */
enum build_rule {
#define BUILD(id, make, messages, meaning, idea) BUILD_##id,
#include "fix/build.def"
#undef BUILD
    BUILD_RULES
};
enum { BUILD_EDITS = 16, BUILD_QUOTE = 80 };
struct build_edit {
    char *text; /* the edited file */
    enum build_rule rule;
    uint32_t line;           /* the line that the edit changes or, for an insertion, the line before it */
    char quote[BUILD_QUOTE]; /* the code that reports quote */
};
struct build_edits {
    struct build_edit item[BUILD_EDITS]; /* the likeliest first */
    unsigned count;
};
/* Proposes edits for an error, an element of the result of diagnostics_places(). Uses only the text and the tokens of
 * `s`, so brackets need not match. */
void build_propose(struct build_edits *l, const struct source *s, const json_t *error);
void build_edits_free(struct build_edits *l);
/* Searches for a fix for j->student, which does not compile. A child_work (judge/child.h); `context` is the compiler's
 * errors, an array (json_t). Returns an object with the fix, if there is one, as `fix`. */
json_t *build_search(struct judge *j, const void *context);

#endif
