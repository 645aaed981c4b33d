/* Inside the parser. Only files of ptx/ include this.
 *
 *   memory.c    what a module owns        lex.c     tokens and numbers       names.c     scopes, what names mean
 *   parse.c     module, directives        declare.c variables                function.c  functions and their bodies
 *   location.c  .file and .loc            operand.c operands and calls       select.c    from a mnemonic to its row
 *   rules.c     words that a row takes    check.c   operands against a row   cfg.c       joins of branches
 *   reasons.c   functions that cannot run
 *
 * An error leaves through ptx_fail(), which jumps back to ptx_parse(); whatever was allocated hangs on the module or on
 * the parser, so nothing is lost on the way. What is PTX but not supported by the simulator leaves through
 * ptx_refuse(): in a body that continues behind the statement, and the function gets a reason. Every limit below is
 * there for hostile text, far above what compilers write. */
#ifndef PTX_PARSER_H
#define PTX_PARSER_H

#include "base/map.h"
#include "ptx/ptx.h"
#include <setjmp.h>

enum {
    MAX_CODE = 1 << 18,      /* instructions of a module */
    MAX_REGISTERS = 1 << 20, /* declared by one %r<N> */
    MAX_SCOPES = 64,         /* nested { } of a body */
    MAX_WORDS = 16,          /* dotted words of a mnemonic */
    MAX_VECTOR = 8,          /* elements of a vector operand */
    MAX_DIMENSIONS = 8,      /* of an array */
    MAX_FILES = 4096,        /* highest number of a .file */
    MAX_INIT = 1 << 24,      /* bytes of an initialized variable */
    MAX_INLINED = 128,       /* inlined call sites remembered */
    MAX_REASONS = 8,         /* of one function that cannot run */
    BODY_DEPTH = 2,          /* scope of a body; 1: of the parameters, 0: of the module */
};

/* ---- tokens ---------------------------------------------------------------------------------------------------- */
/* A word is a name, a directive, a mnemonic with all its dotted words, or a number; anything else is one character. */
enum token_kind { TOKEN_END, TOKEN_WORD, TOKEN_STRING, TOKEN_CHARACTER };
struct token {
    enum token_kind kind;
    const char *text;
    size_t length;
    uint32_t line;
};
/* For "%.*s" in messages: at most 60 characters of a token. */
#define SHOW(t) (int)((t).length > 60 ? 60 : (t).length), (t).text

/* A literal as it is written, before its context says what it means. */
enum literal_kind { LITERAL_NONE, LITERAL_INTEGER, LITERAL_FLOAT, LITERAL_DOUBLE };
struct literal {
    enum literal_kind kind;
    bool negative; /* an integer below zero: bits hold the two's complement */
    bool exact;    /* written as its bits (0f..., 0d...) */
    uint64_t bits; /* of the integer, the float or the double */
};

/* ---- names ----------------------------------------------------------------------------------------------------- */
enum name_kind { NAME_REGISTER, NAME_RANGE, NAME_VARIABLE, NAME_FUNCTION, NAME_LABEL, NAME_TARGETS, NAME_PROTOTYPE };
struct name {
    const char *text;
    size_t length;
    enum name_kind kind;
    unsigned depth;                /* of the scope; 0: module */
    uint64_t hash;                 /* never 0 */
    uint32_t index;                /* register; count of a range; instruction of a label */
    enum ptx_type type;            /* of a range's registers */
    void *object;                  /* variable, function, struct targets, struct prototype */
    struct name *alike, *in_scope; /* the next of the same hash, scope */
};
/* A use of a label or of a table of labels; known for good when the scope that declares it ends. */
struct reference {
    const char *text;
    size_t length;
    uint32_t line, insn; /* whose operand it is; or PTX_NO_REG: */
    uint32_t *slot;      /* an entry of a table of labels */
};
struct targets {
    uint32_t *labels, count;
    const char *name;
};
struct prototype {
    const struct ptx_function *shape;
    const char *name;
};
struct scope {
    struct name *names;
    unsigned first_reference, deepest_range;
};

/* ---- the parser ------------------------------------------------------------------------------------------------ */
struct position {
    uint16_t file;
    uint32_t line, column;
};
struct inlined {
    struct position at, from;
};
struct vector_of {
    unsigned count, capacity;
    void *items;
};
/* A place in the text, to go back to. */
struct mark {
    const char *at;
    uint32_t line;
    struct token token;
};
/* How a statement of a body is left in its middle. */
enum { LEAVE_STATEMENT = 1, LEAVE_BODY };

struct parser {
    const char *text, *at, *end;
    uint32_t line; /* of the text, at `at` */
    struct token token;
    struct ptx_module *module;
    struct ptx_function *function; /* whose head or body is being read; NULL outside */

    struct map names; /* by hash -> the name declared last */
    struct scope scopes[MAX_SCOPES];
    unsigned depth;

    struct vector_of code, registers, labels, references; /* of the function being read */
    struct vector_of relocations;                         /* of the variable being read */
    uint32_t code_total;
    uint32_t last_target; /* highest instruction that a branch of the function names */
    struct vector_of variables, functions, files,
        locals; /* lists whose items the module owns; locals: of the function */

    uint64_t bytes[PTX_REG]; /* of variables, by space; .local and .param: of the function */

    struct ptx_loc loc;
    bool located;      /* the function has had a .loc with a line */
    uint16_t own_file; /* of the function's first .loc */
    struct inlined inlined[MAX_INLINED];
    unsigned inlined_count;

    bool wants_workspace;  /* %envreg1 or 2 was read */
    struct token mnemonic; /* of the instruction being read */
    struct ptx_error *error;
    jmp_buf failed;

    bool usable;           /* a function that cannot run does not make the module fail */
    bool in_body;          /* `leave` may be jumped to */
    jmp_buf leave;         /* LEAVE_... */
    struct mark statement; /* where it begins */
    unsigned reason_count; /* of the function */
};

/* memory.c: memory of the module, zeroed; ptx_free() alone frees it */
struct ptx_module *ptx_new_module(void);
void *ptx_take(struct parser *p, size_t count, size_t size);
char *ptx_copy(struct parser *p, const char *text, size_t length);
/* One more item at the end of a growing array of the parser's, zeroed. */
void *ptx_push(struct parser *p, struct vector_of *v, size_t size);
/* The array's items as memory of the module, and the array empty again. */
void *ptx_keep(struct parser *p, struct vector_of *v, size_t size, unsigned *count);

/* lex.c */
_Noreturn void ptx_fail(struct parser *p, uint32_t line, const char *format, ...) __attribute__((format(printf, 3, 4)));
void ptx_next(struct parser *p);
struct mark ptx_mark(const struct parser *p);
void ptx_go_back(struct parser *p, const struct mark *m);
bool ptx_is(const struct parser *p, const char *text);
bool ptx_accept(struct parser *p, const char *text);
void ptx_expect(struct parser *p, const char *text);
struct token ptx_word(struct parser *p, const char *what); /* the token, which must be a name; continues to the next */
bool ptx_spells(const struct token *t, const char *text);
struct literal ptx_literal(const struct token *t, bool negative); /* LITERAL_NONE: the token is no number */
/* A whole number from 0 to `most`; continues to the next token. */
uint64_t ptx_integer(struct parser *p, uint64_t most);
/* The literal's bits as a value of `type`; fails if it does not fit or is of another kind. */
uint64_t ptx_value(struct parser *p, uint32_t line, const struct literal *l, enum ptx_type type);

/* names.c */
struct name *ptx_declare(struct parser *p, const char *text, size_t length, enum name_kind kind, void *object);
struct name *ptx_lookup(struct parser *p, const struct token *t); /* registers of a range come to be here */
void ptx_enter_scope(struct parser *p);
void ptx_leave_scope(struct parser *p); /* settles what refers to the scope's labels */
void ptx_refer(struct parser *p, const struct token *t, uint32_t insn, uint32_t *slot);
void ptx_drop_scope(struct parser *p); /* leaves it, whatever is open in it */

/* reasons.c */
/* It is PTX, and not supported by the simulator. */
_Noreturn void ptx_refuse(struct parser *p, uint32_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same of a whole function, in its head: fails, or returns and the function has a reason. */
void ptx_refuse_function(struct parser *p, struct ptx_function *f, uint32_t line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void ptx_skip_statement(struct parser *p);
/* From anywhere in the body, whose first token is at `begin`, to the } that ends it; scopes deeper than `outer` are
 * left. */
void ptx_skip_body(struct parser *p, const struct mark *begin, unsigned outer);
/* Functions that call one that cannot run cannot either. */
void ptx_spread_reasons(struct parser *p);

/* declare.c, function.c, location.c, operand.c */
struct ptx_variable *ptx_declare_variable(struct parser *p, enum ptx_space space, bool external);
void ptx_variables(struct parser *p, enum ptx_space space, bool external);
enum ptx_type ptx_type_named(const char *text, size_t length);
void ptx_function(struct parser *p, bool entry, bool external);
bool ptx_parameters(struct parser *p, struct ptx_variable ***list, unsigned *count);
void ptx_pragma(struct parser *p);
void ptx_file(struct parser *p);
void ptx_location(struct parser *p);
void ptx_operands(struct parser *p, struct ptx_insn *i);

/* select.c, rules.c, check.c, cfg.c */
void ptx_select(struct parser *p, struct ptx_insn *i);
enum ptx_mod ptx_mod_named(enum ptx_op op, const char *text, size_t length, unsigned *class_found);
const char *ptx_mod_text(enum ptx_mod m);
bool ptx_mod_allowed(enum ptx_op op, enum ptx_type type, enum ptx_type type2, unsigned group, enum ptx_mod m);
void ptx_check_modifiers(struct parser *p, const struct ptx_insn *i);
void ptx_check(struct parser *p, const struct ptx_insn *i);
enum ptx_type ptx_widened(enum ptx_type t); /* twice as wide, of .u16 to .s32 */
unsigned ptx_signature(enum ptx_op op, unsigned count, const char *letters[PTX_MAX_OPERANDS]);
void ptx_cfg(struct parser *p, struct ptx_function *f);

#endif
