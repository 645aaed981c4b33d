/* A student's file as tokens and statements: as much of CUDA C as edits of it need, and no more. What is not
 * understood is left out: no edit begins there. */
#ifndef FIX_SOURCE_H
#define FIX_SOURCE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum token_kind { TOKEN_NAME, TOKEN_NUMBER, TOKEN_TEXT, TOKEN_SIGN };
struct token {
    enum token_kind kind;
    uint32_t at, length; /* bytes of the file */
    uint32_t line;       /* from 1 */
    int32_t match;       /* of ( [ {: its other end, and the other way round; -1: none */
    int32_t statement;   /* the innermost that holds it; -1: none */
};
/* Tokens first to last, both included; last < first: none. */
struct range {
    int32_t first, last;
};
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
    struct range all;                    /* with its body, else branch and semicolon */
    struct range begin, condition, step; /* of a for's header; condition: also of an if, while, do */
    int32_t parent;                      /* the statement that holds it; -1: it is a function's body */
    int32_t function;
    int32_t body; /* of if, for, while, do; -1 */
};
struct function {
    struct range name, parameters; /* parameters: between the parentheses */
    int32_t body;                  /* a block */
    bool is_kernel;
};
struct source {
    const char *text;
    struct token *token;
    struct statement *statement;
    struct function *function;
    int32_t tokens, statements, functions;
    unsigned room[3];
};
/* Reads `text`, which must stay; with `solution` as if SOLUTION were defined, else not. source_free() it. False: no
 * memory, or brackets that do not match. */
bool source_parse(struct source *s, const char *text, bool solution);
void source_free(struct source *s);
/* Blanks what SOLUTION leaves out, the directives that say so, and those that say how a loop is compiled. */
void source_blank(char *text, bool solution);

/* The token is this text. */
bool source_is(const struct source *s, int32_t token, const char *text);
bool source_same(const struct source *s, int32_t a, int32_t b);
/* Does the range hold a token of this text? */
bool source_has(const struct source *s, struct range r, const char *text);
/* The bytes of the range as the file has them, in `out`, cut to its size; returns out. */
char *source_copy(const struct source *s, struct range r, char *out, size_t size);
/* Is there a __syncthreads() in it, or in a function of the file that it calls? */
bool source_waits(const struct source *s, struct range r);
/* Is the function, or what calls it, called by the kernel of that name, or is it that kernel? */
bool source_reaches(const struct source *s, const char *kernel, int32_t function);
/* The statement, or the next one around it, of that kind; -1: there is none. */
int32_t source_around(const struct source *s, int32_t statement, enum statement_kind kind);
uint32_t source_begin(const struct source *s, struct range r); /* first byte */
uint32_t source_end(const struct source *s, struct range r);   /* behind the last byte */

#endif
