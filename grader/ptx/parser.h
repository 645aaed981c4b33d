/* Internals of the parser. Only files in ptx/ include this.
 *
 *   memory.c    a module's memory        lex.c     tokens and numbers       names.c     scopes, name lookup
 *   parse.c     module, directives        declare.c variables                function.c  functions and their bodies
 *   location.c  .file and .loc            operand.c operands and calls       select.c    from a mnemonic to its row
 *   rules.c     modifiers per row    check.c   operands against a row   cfg.c       joins of branches
 *   reasons.c   functions that cannot run
 *
 * On an error, ptx_fail() jumps back to ptx_parse(). Nothing leaks, because the module or the parser owns all memory.
 * Valid PTX that the simulator does not support is handled by ptx_refuse(). If it is in a body, the function gets a
 * reason, and parsing continues after the statement. The limits below protect against hostile text and are far above
 * the needs of compilers. */
#ifndef PTX_PARSER_H
#define PTX_PARSER_H

#include "base/map.h"
#include "ptx/ptx.h"
#include <setjmp.h>

enum {
    MAX_CODE = 1 << 18,      /* instructions per module */
    MAX_REGISTERS = 1 << 20, /* declared by one %r<N> */
    MAX_SCOPES = 64,         /* nested { } in a body */
    MAX_WORDS = 16,          /* dotted words in a mnemonic */
    MAX_VECTOR = 128,        /* elements in a vector operand */
    MAX_DIMENSIONS = 8,      /* of an array */
    MAX_FILES = 4096,        /* largest number of a .file */
    MAX_INIT = 1 << 24,      /* size of an initialized variable in bytes */
    MAX_INLINED = 128,       /* inlined call sites that are remembered */
    MAX_REASONS = 8,         /* reasons kept for a function that cannot run */
    BODY_DEPTH = 2,          /* depth of a body's scope; 1: of the parameters, 0: of the module */
};

/* ---- tokens ---------------------------------------------------------------------------------------------------- */
/* A word is a name, a directive, a mnemonic with all its modifiers, or a number; anything else is a single
 * character. */
enum token_kind { TOKEN_END, TOKEN_WORD, TOKEN_STRING, TOKEN_CHARACTER };
struct token {
    enum token_kind kind;
    const char *text;
    size_t length;
    uint32_t line;
};
/* The arguments of "%.*s" in messages, for at most 60 characters of a token. */
#define SHOW(t) (int)((t).length > 60 ? 60 : (t).length), (t).text

/* A literal as written, before its context determines its type. */
enum literal_kind { LITERAL_NONE, LITERAL_INTEGER, LITERAL_FLOAT, LITERAL_DOUBLE };
struct literal {
    enum literal_kind kind;
    bool negative; /* a negative integer: bits hold the two's complement */
    bool exact;    /* written as bits (0f..., 0d...) */
    uint64_t bits; /* of the integer, the float or the double */
};

/* ---- names ----------------------------------------------------------------------------------------------------- */
enum name_kind { NAME_REGISTER, NAME_RANGE, NAME_VARIABLE, NAME_FUNCTION, NAME_LABEL, NAME_TARGETS, NAME_PROTOTYPE };
struct name {
    const char *text;
    size_t length;
    enum name_kind kind;
    unsigned depth;                /* depth of the scope; 0: the module */
    uint64_t hash;                 /* never 0 */
    uint32_t index;                /* of a register: index; of a range: count; of a label: instruction */
    enum ptx_type type;            /* of a range's registers */
    void *object;                  /* variable, function, struct targets, struct prototype */
    struct name *alike, *in_scope; /* the next name with the same hash, and the next one in the same scope */
};
/* A use of a label or of a table of labels, which is resolved at the end of the scope. */
struct reference {
    const char *text;
    size_t length;
    uint32_t line, insn; /* line and instruction with this operand; PTX_NO_REG: in `slot` */
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
/* A position in the text to return to. */
struct mark {
    const char *at;
    uint32_t line;
    struct token token;
};
/* The value with which the parser jumps out of an unsupported statement: it skips the statement or the whole body. */
enum { LEAVE_STATEMENT = 1, LEAVE_BODY };

struct parser {
    const char *text, *at, *end;
    uint32_t line; /* line in the text, at `at` */
    struct token token;
    struct ptx_module *module;
    struct ptx_function *function; /* the function that is being parsed; NULL outside of functions */

    struct map names; /* by hash -> the most recent declaration */
    struct scope scopes[MAX_SCOPES];
    unsigned depth;

    struct vector_of code, registers, labels, references; /* lists for the function that is being parsed */
    struct vector_of relocations; /* elements: struct relocation, for the variable that is being parsed */
    uint32_t code_total;
    uint32_t last_target; /* highest index of an instruction that the function branches to */
    struct vector_of variables, functions, files,
        locals; /* lists whose items the module owns; locals: those of the function */

    uint64_t bytes[PTX_REG]; /* bytes of variables by space; for .local and .param those of the function */

    struct ptx_loc loc;
    bool located;      /* the function has had a .loc with a line */
    uint16_t own_file; /* file of the function's first .loc */
    struct inlined inlined[MAX_INLINED];
    unsigned inlined_count;

    bool wants_workspace;  /* %envreg1 or 2 was used */
    struct token mnemonic; /* mnemonic of the instruction that is being parsed */
    bool parts;            /* the instruction's registers may have part selectors */
    struct ptx_error *error;
    jmp_buf failed;

    bool usable;           /* a function that cannot run does not make the module fail */
    bool in_body;          /* jumping to `leave` is allowed */
    jmp_buf leave;         /* LEAVE_... */
    struct mark statement; /* its start */
    unsigned reason_count; /* of the function */
};

/* memory.c: zeroed memory owned by the module; only ptx_free() frees it */
struct ptx_module *ptx_new_module(void);
void *ptx_take(struct parser *p, size_t count, size_t size);
char *ptx_copy(struct parser *p, const char *text, size_t length);
/* Appends a zeroed item to one of the parser's growable arrays. */
void *ptx_push(struct parser *p, struct vector_of *v, size_t size);
/* Moves the array's items to the module's memory, and empties the array. */
void *ptx_keep(struct parser *p, struct vector_of *v, size_t size, unsigned *count);

/* lex.c */
_Noreturn void ptx_fail(struct parser *p, uint32_t line, const char *format, ...) __attribute__((format(printf, 3, 4)));
void ptx_next(struct parser *p);
struct mark ptx_mark(const struct parser *p);
void ptx_go_back(struct parser *p, const struct mark *m);
bool ptx_is(const struct parser *p, const char *text);
bool ptx_accept(struct parser *p, const char *text);
void ptx_expect(struct parser *p, const char *text);
struct token ptx_word(struct parser *p, const char *what); /* the token, which must be a name; advances to the next */
bool ptx_spells(const struct token *t, const char *text);
struct literal ptx_literal(const struct token *t, bool negative); /* LITERAL_NONE: the token is not a number */
/* Parses an integer from 0 to `most`, and advances to the next token. */
uint64_t ptx_integer(struct parser *p, uint64_t most);
/* Returns the literal's bits as a value of `type`. Fails if the literal does not fit or has the wrong kind. */
uint64_t ptx_value(struct parser *p, uint32_t line, const struct literal *l, enum ptx_type type);

/* names.c */
struct name *ptx_declare(struct parser *p, const char *text, size_t length, enum name_kind kind, void *object);
struct name *ptx_lookup(struct parser *p, const struct token *t); /* creates registers of a range on first use */
void ptx_enter_scope(struct parser *p);
void ptx_leave_scope(struct parser *p); /* resolves references to the scope's labels */
void ptx_refer(struct parser *p, const struct token *t, uint32_t insn, uint32_t *slot);
void ptx_drop_scope(struct parser *p); /* leaves the scope, and drops its unresolved references */

/* reasons.c */
/* Rejects valid PTX that the simulator does not support. */
_Noreturn void ptx_refuse(struct parser *p, uint32_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Rejects a function because of its head. Fails or, if the module is parsed for its usable functions, adds a reason and
 * returns. */
void ptx_refuse_function(struct parser *p, struct ptx_function *f, uint32_t line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void ptx_skip_statement(struct parser *p);
/* Skips from anywhere in a body to the } that ends it. The body's first token is at `begin`. Leaves scopes deeper than
 * `outer`. */
void ptx_skip_body(struct parser *p, const struct mark *begin, unsigned outer);
/* Marks the callers of functions that cannot run, because they cannot run either. */
void ptx_spread_reasons(struct parser *p);

/* declare.c, function.c, location.c, operand.c */
struct ptx_variable *ptx_declare_variable(struct parser *p, enum ptx_space space, bool external);
void ptx_variables(struct parser *p, enum ptx_space space, bool external);
enum ptx_type ptx_type_named(const char *text, size_t length);
enum ptx_type
ptx_storable(enum ptx_type t); /* the type of a register or variable for `t`; PTX_NOTYPE if it has less than a byte */
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
enum ptx_type ptx_widened(enum ptx_type t); /* twice as wide, for .u16 to .s32 */
/* Moves the last operand to i->policy. */
void ptx_take_policy(struct parser *p, struct ptx_insn *i);
unsigned ptx_signature(enum ptx_op op, unsigned count, const char *letters[PTX_MAX_OPERANDS]);
void ptx_cfg(struct parser *p, struct ptx_function *f);

#endif
