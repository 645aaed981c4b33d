/* Inside the parser: tokens, memory, names. Only files of ptx/ include this. */
#ifndef PTX_PARSER_H
#define PTX_PARSER_H

#include "ptx/ptx.h"
#include <setjmp.h>

/* A word is a name, directive, mnemonic with its modifiers, or number; anything else is one character. */
enum token_kind { TOKEN_END, TOKEN_WORD, TOKEN_STRING, TOKEN_CHARACTER };
struct token {
    enum token_kind kind;
    const char *text;
    size_t length;
    uint32_t line;
};

/* What a name stands for in the innermost scope that declares it. */
enum name_kind { NAME_REGISTER, NAME_VARIABLE, NAME_FUNCTION, NAME_LABEL, NAME_TARGETS };
struct name {
    const char *text;
    size_t length;
    enum name_kind kind;
    void *object;
    uint32_t index;
    struct name *next_in_bucket, *previous;
    uint32_t bucket;
};

enum { NAME_BUCKETS = 4096, MAX_REGISTERS = 1 << 18, MAX_SCOPES = 64, MAX_WORDS = 16, MAX_VECTOR = 8 };

struct label {
    const char *text;
    size_t length;
    uint32_t at, line;
};
struct target_list {
    uint32_t *labels, count;
};

struct parser {
    const char *at, *end;
    uint32_t line;
    struct token token;
    struct ptx_module *module;
    struct ptx_function *function; /* whose body is being read; NULL outside */
    unsigned register_capacity, code_capacity, variable_capacity, function_capacity, local_capacity, file_capacity;
    struct label *labels;
    unsigned label_count, label_capacity;
    struct name *buckets[NAME_BUCKETS], *newest; /* newest: chain of all names, for leaving a scope */
    struct ptx_loc loc;
    unsigned scopes;
    size_t used; /* bytes given out */
    struct ptx_error *error;
    jmp_buf failed;
};

/* lex.c */
struct ptx_module *ptx_new_module(void);
void ptx_next(struct parser *p);
bool ptx_is(const struct parser *p, const char *text);
bool ptx_accept(struct parser *p, const char *text);
void ptx_expect(struct parser *p, const char *text);
_Noreturn void ptx_fail(struct parser *p, uint32_t line, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Memory of the module, zeroed; freed by ptx_free() alone. */
void *ptx_take(struct parser *p, size_t count, size_t size);
void *ptx_grow(struct parser *p, void *array, unsigned count, unsigned *capacity, size_t size);
char *ptx_copy(struct parser *p, const char *text, size_t length);
void ptx_declare(struct parser *p, const char *text, size_t length, enum name_kind kind, void *object, uint32_t index);
struct name *ptx_lookup(struct parser *p, const char *text, size_t length);
void ptx_leave(struct parser *p, struct name *mark); /* forgets the names declared since `mark` */
/* An integer or float literal: true and its bits. `bits`: of the type it is for (floats are brought to that width). */
bool ptx_number(const struct token *t, bool negative, unsigned bits, bool is_float, uint64_t *value);
uint64_t ptx_integer(struct parser *p); /* the token, which must be an integer; goes on to the next */

/* body.c, select.c, check.c, cfg.c */
void ptx_body(struct parser *p);
void ptx_variable_declaration(struct parser *p, enum ptx_space space, bool external);
void ptx_operand(struct parser *p, struct ptx_operand *o, unsigned bits, bool is_float);
void ptx_select(struct parser *p, struct ptx_insn *i, const struct token *mnemonic);
void ptx_check(struct parser *p, const struct ptx_insn *i);
char ptx_letter(enum ptx_op op, unsigned operand); /* of the row's operand signature; 0 past its end */
void ptx_cfg(struct parser *p, struct ptx_function *f);

#endif
