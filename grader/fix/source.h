/* A student's file as tokens and statements. The parser handles only as much of CUDA C++ as the edits need, and skips
 * the rest. */
#ifndef FIX_SOURCE_H
#define FIX_SOURCE_H

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum token_kind { TOKEN_NAME, TOKEN_NUMBER, TOKEN_TEXT, TOKEN_SIGN };
struct token {
    enum token_kind kind;
    uint32_t at, length; /* in bytes of the file */
    uint32_t line;       /* from 1 */
    int32_t match;       /* the matching bracket of a bracket, or -1 */
    int32_t statement;   /* the innermost statement around the token, or -1 */
};
/* The tokens from `first` to `last`, inclusive. The range is empty if last < first. */
struct range {
    int32_t first, last;
};
static inline struct range range_of(int32_t token) { return (struct range){token, token}; }
static inline bool range_is_empty(struct range r) { return r.last < r.first; }
enum statement_kind {
    STATEMENT_BLOCK,
    STATEMENT_IF,
    STATEMENT_FOR,
    STATEMENT_WHILE,
    STATEMENT_DO,
    STATEMENT_RETURN,
    STATEMENT_PLAIN
};
struct statement {
    enum statement_kind kind;
    struct range all;                    /* all tokens of the statement, with its body, else branch and semicolon */
    struct range begin, condition, step; /* parts of a for's header; condition: also that of an if, while or do */
    int32_t parent;                      /* the enclosing statement; -1 for the body of a function */
    int32_t function;
    int32_t body; /* body of an if, for, while or do; otherwise -1 */
};
struct function {
    struct range name, parameters; /* parameters: between the parentheses */
    int32_t body;                  /* a compound statement */
    bool is_kernel;
};
/* A function's names and their roles (roles.h). */
enum { MAX_KNOWN = 48 };
struct known_roles {
    bool is_learned;
    int32_t name[MAX_KNOWN]; /* tokens */
    unsigned roles[MAX_KNOWN], count;
};
struct source {
    const char *text;
    struct token *token;
    struct statement *statement;
    struct function *function;
    struct known_roles *roles; /* of each function; roles.c learns them at the first query */
    int32_t tokens, statements, functions;
    unsigned room[3];
};
/* Parses `text`, which must outlive the result. `solution` specifies whether SOLUTION is defined. Returns false if out
 * of memory or if brackets do not match. The caller frees the result with source_free(), even on failure. */
bool source_parse(struct source *s, const char *text, bool solution);
void source_free(struct source *s);
/* Overwrites with spaces the code that SOLUTION excludes, the directives that test SOLUTION, and pragmas. */
void source_blank(char *text, bool solution);

/* Returns the number, from 1, of the line that contains text[at]. If the text ends before `at`, returns the number of
 * its last line. */
static inline uint32_t source_line_at(const char *text, uint32_t at) {
    uint32_t line = 1;
    for (uint32_t k = 0; k < at && text[k]; k++) line += text[k] == '\n';
    return line;
}
/* Returns whether the token has this text. */
bool source_is(const struct source *s, int32_t token, const char *text);
/* Returns whether the token is the name of an atomic function, such as atomicAdd or atomic_combine. */
bool source_is_atomic(const struct source *s, int32_t token);
/* Returns the first token that begins at this byte of the text or after it, or s->tokens. */
int32_t source_token_at(const struct source *s, uint32_t byte);
/* Returns whether the character may be part of a name or a number. */
static inline bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }
bool source_same(const struct source *s, int32_t a, int32_t b);
/* Returns whether the token is the first one of its line. */
bool source_begins_line(const struct source *s, int32_t token);
/* Returns the number of blanks at the beginning of the token's line. A tab counts as four. */
uint32_t source_indentation(const struct source *s, int32_t token);
/* Returns whether a token of the range has this text. */
bool source_has(const struct source *s, struct range r, const char *text);
/* Copies the range's text to `out`, truncated to `size`. Returns `out`. */
char *source_copy(const struct source *s, struct range r, char *out, size_t size);
/* Returns whether the range contains a call of a shuffle. */
bool source_shuffles(const struct source *s, struct range r);
/* Returns whether the range contains a __syncthreads(), directly or in a function that it calls and that the file
 * defines. */
bool source_waits(const struct source *s, struct range r);
/* Returns whether the function is the kernel with that name, or is called by it, directly or indirectly. */
bool source_reaches(const struct source *s, const char *kernel, int32_t function);
/* Returns the statement itself if it has the given kind, otherwise the nearest enclosing one of this kind, or -1. */
int32_t source_around(const struct source *s, int32_t statement, enum statement_kind kind);
/* Returns whether the statement is directly inside braces. */
bool source_in_block(const struct source *s, int32_t statement);
/* Returns the statement that follows the statement `at` in the same compound statement, or -1. */
int32_t source_next(const struct source *s, int32_t at);
uint32_t source_begin(const struct source *s, struct range r); /* first byte */
uint32_t source_end(const struct source *s, struct range r);   /* one past the last byte */

#endif
