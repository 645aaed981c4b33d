/* Internals of the parser. For files in ptx/ only.
 *
 *   memory.c    a module's memory        lex.c      tokens and numbers      names.c     scopes, name lookup
 *   parse.c     module, directives       declare.c  variables               function.c  functions, bodies
 *   location.c  .file and .loc           operand.c  operands and calls      select.c    mnemonic to row
 *   rules.c     modifiers by row         check.c    operands by row         cfg.c       joins of branches
 *   contract.c  fused multiply-adds      reasons.c  functions that cannot run
 *
 * On an error, ptx_fail() jumps back to ptx_parse(), or skips the rest of a function that has a reason already. Nothing
 * leaks, because the module or the parser owns all memory. ptx_refuse() handles valid PTX that the simulator does not
 * support. In a function's body, it adds a reason to the function, and parsing continues after the statement. The
 * limits below protect against malicious PTX; compilers stay far below them. */
#ifndef PTX_PARSER_H
#define PTX_PARSER_H

#include "base/map.h"
#include "ptx/ptx.h"
#include <setjmp.h>

enum {
    MAX_CODE = 3 << 18,      /* instructions per module */
    MAX_REGISTERS = 1 << 20, /* registers declared by one %r<N> */
    MAX_SCOPES = 64,         /* nested scopes: the module, the parameters, and the { } of a body */
    MAX_WORDS = 16,          /* dotted words in a mnemonic */
    MAX_VECTOR = 128,        /* elements in a vector operand */
    MAX_DIMENSIONS = 8,      /* of an array */
    MAX_FILES = 4096,        /* largest .file number */
    MAX_INIT = 1 << 24,      /* size of an initialized variable in bytes */
    MAX_INLINED = 128,       /* call sites of inlined functions that are remembered */
    MAX_REASONS = 8,         /* reasons recorded for a function that cannot run */
    BODY_DEPTH = 2,          /* depth of a body's scope; parameters have depth 1, the module 0 */
};

/* ---- tokens ---------------------------------------------------------------------------------------------------- */
/* A word is a name, a directive, a mnemonic with all its modifiers, or a number. Any other token, except for a string,
 * is a single character. */
enum token_kind { TOKEN_END, TOKEN_WORD, TOKEN_STRING, TOKEN_CHARACTER };
struct token {
    enum token_kind kind;
    const char *text;
    size_t length;
    uint32_t line;
};
/* Arguments for "%.*s" that print at most 60 characters of a token. */
#define SHOW(t) (int)((t).length > 60 ? 60 : (t).length), (t).text

/* A literal whose type is not yet determined by the context. */
enum literal_kind { LITERAL_NONE, LITERAL_INTEGER, LITERAL_FLOAT, LITERAL_DOUBLE };
struct literal {
    enum literal_kind kind;
    bool negative; /* negative integer, in two's complement */
    uint64_t bits; /* bits of the integer, float or double */
};

/* ---- names ----------------------------------------------------------------------------------------------------- */
enum name_kind { NAME_REGISTER, NAME_RANGE, NAME_VARIABLE, NAME_FUNCTION, NAME_LABEL, NAME_TARGETS, NAME_PROTOTYPE };
struct name {
    const char *text;
    size_t length;
    enum name_kind kind;
    unsigned depth; /* depth of its scope; 0 for the module */
    uint64_t hash;  /* never 0 */
    uint32_t index; /* index of a register, number of registers of a range, or index of the instruction of a label */
    enum ptx_type type; /* type of the register, or of the range's registers */
    bool wide;          /* whether the register is a .b128, which is two registers of .b64, the low half first */
    void *object;       /* the variable, function, struct targets or struct prototype */
    struct name *alike, *in_scope; /* next name with the same hash, and next name in the same scope */
};
/* A use of a label or of a list of labels, resolved at the end of the scope. */
struct reference {
    const char *text;
    size_t length;
    /* The PTX line of the use, and the index of the instruction that has the label as an operand. The index is
     * PTX_NO_REG if the use is in `slot`. */
    uint32_t line, insn;
    uint32_t *slot; /* an entry of a list of labels */
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
/* A position in the text to which the parser can return. */
struct mark {
    const char *at;
    uint32_t line;
    struct token token;
};
/* Values of the longjmp() out of an unsupported statement: skip the statement, or the whole body. */
enum { LEAVE_STATEMENT = 1, LEAVE_BODY };

/* A mnemonic that occurred before, with the members of struct ptx_insn that it determines, from `op` to `depth`. */
struct selected {
    struct token mnemonic;
    bool allowed; /* whether the rules allow its modifiers */
    uint8_t insn[offsetof(struct ptx_insn, product)];
};
enum { MAX_SELECTED = 256 };

struct parser {
    const char *text, *at, *end;
    uint32_t line; /* line of the text at `at` */
    struct token token;
    struct ptx_module *module;
    struct ptx_function *function; /* the function being parsed, or NULL */

    struct map names; /* maps a hash to the most recent declaration */
    struct scope scopes[MAX_SCOPES];
    unsigned depth;

    struct vector_of code, registers, labels, references; /* of the function being parsed */
    struct vector_of relocations; /* of the variable being parsed, of type struct ptx_relocation */
    uint32_t code_total;
    uint32_t last_target; /* highest instruction index that the function branches to */
    /* Lists of items that the module owns; `locals` lists the function's variables. */
    struct vector_of variables, functions, files, locals;

    uint64_t bytes[PTX_REG]; /* size of all variables in bytes, by state space; .local and .param count only the current
                              * function */

    struct ptx_loc loc;
    bool located;      /* whether the function has had a .loc with a line */
    uint16_t own_file; /* file of the function's first .loc with a line */
    struct inlined inlined[MAX_INLINED];
    unsigned inlined_count;

    bool wants_workspace;                   /* whether the module uses %envreg1 or %envreg2 */
    struct token mnemonic;                  /* mnemonic of the instruction being parsed */
    struct selected *same;                  /* entry of `selected` for that mnemonic */
    struct selected selected[MAX_SELECTED]; /* indexed by a hash of the mnemonic, to select each one only once */
    bool parts;                             /* whether registers of the instruction may select bytes or halves */
    struct ptx_error *error;
    jmp_buf failed;

    bool usable;           /* whether functions that cannot run are accepted (ptx_parse_usable()) */
    bool in_body;          /* whether longjmp() to `leave` is allowed */
    jmp_buf leave;         /* target of longjmp(LEAVE_STATEMENT or LEAVE_BODY) */
    struct mark statement; /* start of the statement being parsed */
    unsigned reason_count;
};

/* memory.c. ptx_new_module() returns NULL if the host is out of memory. The other functions fail if the host is out of
 * memory, or if the module exceeds its limit. */
struct ptx_module *ptx_new_module(void);
/* Allocates zeroed memory for `count` items, which the module owns until ptx_free(). */
void *ptx_take(struct parser *p, size_t count, size_t size);
char *ptx_copy(struct parser *p, const char *text, size_t length); /* appends a NUL */
/* Appends a zeroed item to an array of the parser. */
void *ptx_push(struct parser *p, struct vector_of *v, size_t size);
/* Moves an array's items to the module's memory and empties the array. */
void *ptx_keep(struct parser *p, struct vector_of *v, size_t size, unsigned *count);

/* lex.c. The current token is p->token. ptx_fail() reports an error and does not return. */
_Noreturn void ptx_fail(struct parser *p, uint32_t line, const char *format, ...) __attribute__((format(printf, 3, 4)));
void ptx_next(struct parser *p);              /* reads the next token */
struct mark ptx_mark(const struct parser *p); /* the position of the current token, for ptx_go_back() */
void ptx_go_back(struct parser *p, const struct mark *m);
bool ptx_is(const struct parser *p, const char *text); /* whether the current token is `text` */
bool ptx_accept(struct parser *p, const char *text);   /* like ptx_is(), but if so, also advances */
void ptx_expect(struct parser *p, const char *text);   /* like ptx_accept(), but if not, fails */
/* Returns the current token, which must be a name, and advances. `what` describes the name in messages. */
struct token ptx_word(struct parser *p, const char *what);
bool ptx_spells(const struct token *t, const char *text);         /* whether the token is `text` */
struct literal ptx_literal(const struct token *t, bool negative); /* LITERAL_NONE: not a number */
/* Parses an integer from 0 to `most` and advances. */
uint64_t ptx_integer(struct parser *p, uint64_t most);
/* Returns the bits of a literal as a value of type `type`. Fails if the literal has the wrong kind or does not fit. */
uint64_t ptx_value(struct parser *p, uint32_t line, const struct literal *l, enum ptx_type type);

/* names.c */
/* Declares a name in the current scope. Fails if the scope already has the name. */
struct name *ptx_declare(struct parser *p, const char *text, size_t length, enum name_kind kind, void *object);
/* Returns the innermost declaration of the name, or NULL. Creates a register of a range on first use. */
struct name *ptx_lookup(struct parser *p, const struct token *t);
void ptx_enter_scope(struct parser *p); /* fails if scopes are nested too deeply */
void ptx_leave_scope(struct parser *p); /* resolves references to the scope's labels */
/* Records a use of a label: as an operand of instruction `insn` or, if that is PTX_NO_REG, in `slot`. */
void ptx_refer(struct parser *p, const struct token *t, uint32_t insn, uint32_t *slot);
void ptx_drop_scope(struct parser *p); /* leaves a scope without resolving references */

/* reasons.c */
/* Rejects PTX that is valid but not supported by the simulator. */
_Noreturn void ptx_refuse(struct parser *p, uint32_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Rejects a function because of its head. During ptx_parse_usable(), adds a reason and returns; during ptx_parse(),
 * fails. */
void ptx_refuse_function(struct parser *p, struct ptx_function *f, uint32_t line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void ptx_skip_statement(struct parser *p); /* skips to the statement's semicolon */
/* Skips to the } that ends the current body, which begins at `begin`. Leaves all scopes deeper than `outer`. */
void ptx_skip_body(struct parser *p, const struct mark *begin, unsigned outer);
/* Adds reasons to all functions that call a function that cannot run, or take its address. */
void ptx_spread_reasons(struct parser *p);

/* declare.c, function.c, location.c, operand.c. Parse what follows a state space, a directive or a mnemonic. */
struct ptx_variable *ptx_declare_variable(struct parser *p, enum ptx_space space, bool external);
void ptx_variables(struct parser *p, enum ptx_space space, bool external);
enum ptx_type ptx_type_named(const char *text, size_t length); /* PTX_NOTYPE if no type has this name */
/* Returns `t` if registers or variables may have this type, or PTX_NOTYPE if it is smaller than a byte and not .pred.
 */
enum ptx_type ptx_storable(enum ptx_type t);
void ptx_function(struct parser *p, bool entry, bool external);
bool ptx_parameters(struct parser *p, struct ptx_variable ***list, unsigned *count);
void ptx_pragma(struct parser *p); /* skips the strings and the semicolon */
void ptx_file(struct parser *p);
void ptx_location(struct parser *p);
void ptx_operands(struct parser *p, struct ptx_insn *i);

/* select.c, rules.c, check.c, cfg.c. ptx_select() finds the row for p->mnemonic. The checks fail with a message. */
void ptx_select(struct parser *p, struct ptx_insn *i);
/* Returns the modifier with this spelling in a class that the row allows, and sets *class_found. Returns PTX_MOD_NONE
 * if the row allows no class with such a modifier. */
enum ptx_mod ptx_mod_named(enum ptx_op op, const char *text, size_t length, unsigned *class_found);
const char *ptx_mod_text(enum ptx_mod m); /* "" for PTX_MOD_NONE */
/* Returns whether the row allows the modifier of class `group` with these types. */
bool ptx_mod_allowed(enum ptx_op op, enum ptx_type type, enum ptx_type type2, unsigned group, enum ptx_mod m);
void ptx_check_modifiers(struct parser *p, const struct ptx_insn *i);
void ptx_check(struct parser *p, const struct ptx_insn *i);
enum ptx_type ptx_widened(
    enum ptx_type t); /* returns the integer type that is twice as wide as t; t itself unless it has 16 or 32 bits */
/* Returns whether the instruction is a 128-bit move, from a pair of registers to another pair. */
bool ptx_moves_halves(const struct ptx_insn *i);
/* Moves the last operand, a cache policy, to i->policy. */
void ptx_take_policy(struct parser *p, struct ptx_insn *i);
/* Sets letters[k] to the signature of operand k, for an instruction that is written with `count` operands. Returns the
 * number of operands that the instruction must have. At most one operand of a row is optional. */
unsigned ptx_signature(enum ptx_op op, unsigned count, const char *letters[PTX_MAX_OPERANDS]);
/* Sets f->join (ptx_find_joins()). */
void ptx_cfg(struct parser *p, struct ptx_function *f);
/* contract.c: turns products and sums into fused multiply-adds. */
void ptx_contract(struct parser *p, struct ptx_function *f);

#endif
