/* Parses the text of a PTX module into a struct ptx_module.
 *
 * ptx_parse() checks every instruction against the table in ops.def and returns the module. If the text has an error,
 * it returns NULL and describes the first error with its PTX line and, if a .loc directive gives one, its CUDA source
 * line. The module is immutable, so threads may share it. It is not executable; sim/ translates it to a program.
 *
 * Source: PTX ISA 9.0, "Instruction Set". The parser accepts the output of nvcc 11 to 13 and clang 14 to 19. */
#ifndef PTX_PTX_H
#define PTX_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- types: X(name, PTX spelling, bits) ------------------------------------------------------------------------ */
#define PTX_TYPES(X)                                                                                                   \
    X(B8, "b8", 8)                                                                                                     \
    X(B16, "b16", 16)                                                                                                  \
    X(B32, "b32", 32)                                                                                                  \
    X(B64, "b64", 64)                                                                                                  \
    X(U8, "u8", 8)                                                                                                     \
    X(U16, "u16", 16)                                                                                                  \
    X(U32, "u32", 32)                                                                                                  \
    X(U64, "u64", 64)                                                                                                  \
    X(S8, "s8", 8)                                                                                                     \
    X(S16, "s16", 16)                                                                                                  \
    X(S32, "s32", 32)                                                                                                  \
    X(S64, "s64", 64)                                                                                                  \
    X(F16, "f16", 16)                                                                                                  \
    X(F16X2, "f16x2", 32)                                                                                              \
    X(BF16, "bf16", 16)                                                                                                \
    X(BF16X2, "bf16x2", 32)                                                                                            \
    X(F32, "f32", 32)                                                                                                  \
    X(F64, "f64", 64)                                                                                                  \
    X(U16X2, "u16x2", 32)                                                                                              \
    X(S16X2, "s16x2", 32)                                                                                              \
    X(E4M3X2, "e4m3x2", 16)                                                                                            \
    X(E5M2X2, "e5m2x2", 16)                                                                                            \
    X(S4, "s4", 4)                                                                                                     \
    X(U4, "u4", 4)                                                                                                     \
    X(B1, "b1", 1)                                                                                                     \
    X(TF32, "tf32", 32)                                                                                                \
    X(E4M3, "e4m3", 8)                                                                                                 \
    X(E5M2, "e5m2", 8)                                                                                                 \
    X(PRED, "pred", 1)

enum ptx_type {
    PTX_NOTYPE,
#define X(name, text, bits) PTX_##name,
    PTX_TYPES(X)
#undef X
        PTX_TYPE_COUNT
};
unsigned ptx_type_bits(enum ptx_type t);    /* 1, 8, 16, 32 or 64; 0 for PTX_NOTYPE */
const char *ptx_type_name(enum ptx_type t); /* "u32"; "" for PTX_NOTYPE */

/* ---- modifiers: the dotted words after a mnemonic, by class (mods.def) ----------------------------------------- */
enum ptx_mod_class {
#define CLASS(name, doc) PTX_CLASS_##name,
#define MOD(class, name, text)
#include "mods.def"
    PTX_CLASS_COUNT
};
enum ptx_mod {
    PTX_MOD_NONE,
#define CLASS(name, doc)
#define MOD(class, name, text) PTX_MOD_##name,
#include "mods.def"
    PTX_MOD_COUNT
};
#define PTX_ALLOW(name) (1u << PTX_CLASS_##name)

/* ---- instructions: one row each in ops.def --------------------------------------------------------------------- */
enum ptx_op {
#define OP(id, ...) PTX_OP_##id,
#include "ops.def"
    PTX_OP_COUNT
};

/* Traits of an instruction. The first value of each is the default. */
enum ptx_memory {
    PTX_MEMORY_NONE,
    PTX_MEMORY_LOAD,
    PTX_MEMORY_STORE,
    PTX_MEMORY_ATOMIC,
    PTX_MEMORY_FENCE,   /* orders accesses of its own thread */
    PTX_MEMORY_BARRIER, /* threads wait for each other, and their accesses are ordered */
    PTX_MEMORY_TEXTURE  /* accesses memory through a texture or surface object, or queries one */
};
enum ptx_crosses { PTX_CROSSES_NOTHING, PTX_CROSSES_LANES, PTX_CROSSES_WARPS, PTX_CROSSES_BLOCKS };
enum ptx_flow {
    PTX_FLOW_NEXT,
    PTX_FLOW_BRANCH, /* to the label in its first operand */
    PTX_FLOW_TABLE,  /* to one of its list of labels */
    PTX_FLOW_CALL,
    PTX_FLOW_RETURN,
    PTX_FLOW_EXIT,
    PTX_FLOW_ABORT
};
/* The effect of an undefined source in a lane. */
enum ptx_undefined {
    PTX_UNDEFINED_SPREADS,    /* the destinations are undefined */
    PTX_UNDEFINED_DEFINED,    /* the destinations are defined */
    PTX_UNDEFINED_CHOICE,     /* the destinations are undefined if operand 3 selects this source */
    PTX_UNDEFINED_AND,        /* for predicates: as SPREADS, unless the other source is false */
    PTX_UNDEFINED_OR,         /* for predicates: as SPREADS, unless the other source is true */
    PTX_UNDEFINED_MASK,       /* as SPREADS, unless the other source is 0 */
    PTX_UNDEFINED_COMPARISON, /* as SPREADS, unless operand 3, a predicate, decides alone */
    PTX_UNDEFINED_EXCHANGED,  /* the destinations are undefined in lanes that receive the source */
    PTX_UNDEFINED_STORED,     /* reported, because other threads may see the source */
    PTX_UNDEFINED_DECIDES     /* reported, because control flow depends on the source */
};
/* The sources that an instruction copies unchanged. It computes with all others. */
enum ptx_carries {
    PTX_CARRIES_NONE,
    PTX_CARRIES_FIRST, /* operand 1 */
    PTX_CARRIES_BOTH,  /* operands 1 and 2: one is selected, or they are packed together */
    PTX_CARRIES_WHOLE, /* operand 1, between integer types */
    PTX_CARRIES_MASKED /* operand 1, where operand 2 is a constant */
};
/* How the destination depends on sources that hold the address of a variable. */
enum ptx_address {
    PTX_ADDRESS_LOST,       /* unknown */
    PTX_ADDRESS_SAME,       /* the address in operand 1 */
    PTX_ADDRESS_BITS,       /* the address in operand 1, in a register of another width or lane */
    PTX_ADDRESS_EITHER,     /* the address in operand 1 or 2 */
    PTX_ADDRESS_SUM,        /* operands 1 and 2 added: an address and an index */
    PTX_ADDRESS_DIFFERENCE, /* operand 1 minus operand 2: an index, or the distance between two addresses */
    PTX_ADDRESS_INDEXED     /* a product added to operand 3 */
};
/* Cost classes for model/pace.c that do not follow from the traits above. */
enum ptx_price {
    PTX_PRICE_ARITHMETIC,
    PTX_PRICE_BRANCH,
    PTX_PRICE_FENCE,
    PTX_PRICE_SHUFFLE,
    PTX_PRICE_DIVISION,
    PTX_PRICE_FLOAT_DIVISION,
    PTX_PRICE_COUNT
};
/* The direction of the bulk copy that an instruction starts. LOAD: from global to shared memory. PASS: from shared
 * memory to that of another block. STORE: from shared to global memory. SEND: from registers to the shared memory of
 * another block. */
enum ptx_bulk { PTX_BULK_NONE, PTX_BULK_LOAD, PTX_BULK_PASS, PTX_BULK_STORE, PTX_BULK_SEND };
struct ptx_traits {
    enum ptx_memory memory;
    enum ptx_crosses crosses;
    enum ptx_flow flow;
    enum ptx_undefined undefined;
    enum ptx_carries carries;
    enum ptx_address address;
    enum ptx_price price;
    enum ptx_bulk bulk;
    unsigned char more_types; /* number of types beyond two, for a third and a fourth operand */
    bool names_space;         /* has a state space although it has no memory operand (cvta, isspacep) */
    bool tensor;              /* copies a tile that a tensor map describes */
};

/* One row of the instruction table. */
struct ptx_op_row {
    const char *id;       /* "mul_hi": unique, names the handler */
    const char *mnemonic; /* "mul.hi": the first word is the base; the others must be among the instruction's
                             modifiers */
    const char *operands; /* operand signature, see ops.def */
    uint32_t types;       /* bit (1 << enum ptx_type): types allowed as (first) type; 0: no type */
    uint32_t types2;      /* types allowed as second type (cvt, set, slct); 0: none */
    uint32_t allow;       /* PTX_ALLOW(class) mask of optional modifiers beyond those in the mnemonic */
    const char *summary;  /* one line for docs/ptx.md */
    struct ptx_traits traits;
};
extern const struct ptx_op_row ptx_ops[PTX_OP_COUNT];

enum ptx_space { PTX_GENERIC, PTX_GLOBAL, PTX_SHARED, PTX_LOCAL, PTX_CONST, PTX_PARAM, PTX_REG };
const char *ptx_space_name(enum ptx_space s); /* "generic", "global", ... */

enum ptx_operand_kind {
    PTX_NONE,
    PTX_REGISTER,  /* .reg: index into function->registers; negated: !%p */
    PTX_IMMEDIATE, /* .imm: the bits, in the width and format of the instruction's type, also for floats */
    PTX_SPECIAL,   /* .special: %tid.x and so on */
    PTX_SYMBOL,    /* .symbol + .imm: the address of a variable or function (mov, operand of call) */
    PTX_MEMORY,    /* [base + imm]. The base is a variable (.symbol) or a register (.reg), or it is missing (.reg is
                      PTX_NO_REG) */
    PTX_LABEL,     /* .target: instruction index in function */
    PTX_VECTOR,    /* {a, b, ...}: .count elements in .elements (registers or immediates; PTX_NONE for `_`) */
};
#define PTX_NO_REG UINT32_MAX

/* Special registers: X(name, PTX spelling, bits, kind). The %reserved_smem_offset registers are used by libraries of
 * the toolkit. %envreg1 and %envreg2 hold the high and low half of the address of the workspace for grid-wide
 * synchronization. */
#define PTX_SPECIALS(X)                                                                                                \
    X(TID_X, "%tid.x", 32, FIXED)                                                                                      \
    X(TID_Y, "%tid.y", 32, FIXED)                                                                                      \
    X(TID_Z, "%tid.z", 32, FIXED)                                                                                      \
    X(NTID_X, "%ntid.x", 32, FIXED)                                                                                    \
    X(NTID_Y, "%ntid.y", 32, FIXED)                                                                                    \
    X(NTID_Z, "%ntid.z", 32, FIXED)                                                                                    \
    X(CTAID_X, "%ctaid.x", 32, BLOCK)                                                                                  \
    X(CTAID_Y, "%ctaid.y", 32, BLOCK)                                                                                  \
    X(CTAID_Z, "%ctaid.z", 32, BLOCK)                                                                                  \
    X(NCTAID_X, "%nctaid.x", 32, FIXED)                                                                                \
    X(NCTAID_Y, "%nctaid.y", 32, FIXED)                                                                                \
    X(NCTAID_Z, "%nctaid.z", 32, FIXED)                                                                                \
    X(LANEID, "%laneid", 32, FIXED)                                                                                    \
    X(WARPID, "%warpid", 32, FIXED)                                                                                    \
    X(NWARPID, "%nwarpid", 32, FIXED)                                                                                  \
    X(SMID, "%smid", 32, PLACE)                                                                                        \
    X(NSMID, "%nsmid", 32, FIXED)                                                                                      \
    X(GRIDID, "%gridid", 64, FIXED)                                                                                    \
    X(LANEMASK_EQ, "%lanemask_eq", 32, FIXED)                                                                          \
    X(LANEMASK_LE, "%lanemask_le", 32, FIXED)                                                                          \
    X(LANEMASK_LT, "%lanemask_lt", 32, FIXED)                                                                          \
    X(LANEMASK_GE, "%lanemask_ge", 32, FIXED)                                                                          \
    X(LANEMASK_GT, "%lanemask_gt", 32, FIXED)                                                                          \
    X(CLOCK, "%clock", 32, CLOCK)                                                                                      \
    X(CLOCK_HI, "%clock_hi", 32, CLOCK)                                                                                \
    X(CLOCK64, "%clock64", 64, CLOCK)                                                                                  \
    X(GLOBALTIMER, "%globaltimer", 64, CLOCK)                                                                          \
    X(GLOBALTIMER_LO, "%globaltimer_lo", 32, CLOCK)                                                                    \
    X(GLOBALTIMER_HI, "%globaltimer_hi", 32, CLOCK)                                                                    \
    X(DYNAMIC_SMEM_SIZE, "%dynamic_smem_size", 32, FIXED)                                                              \
    X(TOTAL_SMEM_SIZE, "%total_smem_size", 32, FIXED)                                                                  \
    X(RESERVED_SMEM_BEGIN, "%reserved_smem_offset_begin", 32, FIXED)                                                   \
    X(RESERVED_SMEM_END, "%reserved_smem_offset_end", 32, FIXED)                                                       \
    X(RESERVED_SMEM_CAP, "%reserved_smem_offset_cap", 32, FIXED)                                                       \
    X(RESERVED_SMEM_0, "%reserved_smem_offset_0", 32, FIXED)                                                           \
    X(RESERVED_SMEM_1, "%reserved_smem_offset_1", 32, FIXED)                                                           \
    X(AGGR_SMEM_SIZE, "%aggr_smem_size", 32, FIXED)                                                                    \
    X(ENVREG1, "%envreg1", 32, FIXED)                                                                                  \
    X(ENVREG2, "%envreg2", 32, FIXED)                                                                                  \
    X(CLUSTERID_X, "%clusterid.x", 32, BLOCK)                                                                          \
    X(CLUSTERID_Y, "%clusterid.y", 32, BLOCK)                                                                          \
    X(CLUSTERID_Z, "%clusterid.z", 32, BLOCK)                                                                          \
    X(NCLUSTERID_X, "%nclusterid.x", 32, FIXED)                                                                        \
    X(NCLUSTERID_Y, "%nclusterid.y", 32, FIXED)                                                                        \
    X(NCLUSTERID_Z, "%nclusterid.z", 32, FIXED)                                                                        \
    X(CLUSTER_CTAID_X, "%cluster_ctaid.x", 32, BLOCK)                                                                  \
    X(CLUSTER_CTAID_Y, "%cluster_ctaid.y", 32, BLOCK)                                                                  \
    X(CLUSTER_CTAID_Z, "%cluster_ctaid.z", 32, BLOCK)                                                                  \
    X(CLUSTER_NCTAID_X, "%cluster_nctaid.x", 32, FIXED)                                                                \
    X(CLUSTER_NCTAID_Y, "%cluster_nctaid.y", 32, FIXED)                                                                \
    X(CLUSTER_NCTAID_Z, "%cluster_nctaid.z", 32, FIXED)                                                                \
    X(CLUSTER_CTARANK, "%cluster_ctarank", 32, BLOCK)                                                                  \
    X(CLUSTER_NCTARANK, "%cluster_nctarank", 32, FIXED)                                                                \
    X(IS_EXPLICIT_CLUSTER, "%is_explicit_cluster", 1, FIXED)
enum ptx_special {
#define X(name, text, bits, kind) PTX_##name,
    PTX_SPECIALS(X)
#undef X
        PTX_SPECIAL_COUNT
};
enum ptx_special_kind {
    PTX_SPECIAL_FIXED, /* the same throughout the launch */
    PTX_SPECIAL_BLOCK, /* the block's position in the grid */
    PTX_SPECIAL_CLOCK, /* the time */
    PTX_SPECIAL_PLACE  /* where on the GPU the block runs */
};
unsigned ptx_special_bits(enum ptx_special s); /* 32 or 64; 1 for a predicate */
enum ptx_special_kind ptx_special_kind(enum ptx_special s);
#define PTX_GRID_WORKSPACE "grid workspace"       /* name of the variable whose address %envreg1 and %envreg2 hold */
const char *ptx_special_name(enum ptx_special s); /* "%tid.x" */

/* Selected bytes or halves of one or two registers, as in %r1.b0 and %r1.h32. If count is 0, the whole register. */
struct ptx_part {
    uint8_t bits, count, which[4]; /* bits: 8 or 16; which: numbers of the parts, from the lowest */
};
struct ptx_operand {
    enum ptx_operand_kind kind;
    struct ptx_part part;
    bool negated; /* !%p */
    uint32_t reg; /* register index, or PTX_NO_REG */
    uint64_t imm; /* immediate bits, or signed byte offset of a memory operand or symbol */
    enum ptx_special special;
    uint32_t target;                     /* label: instruction index within the function */
    const struct ptx_variable *symbol;   /* variable (module, function-local or parameter) */
    const struct ptx_function *function; /* symbol that names a function */
    unsigned count;                      /* vector length */
    struct ptx_operand *elements;        /* vector elements */
};

#define PTX_MAX_OPERANDS 6

/* The source location of an instruction. Unknown numbers are 0. `file` is the file of the outermost inlined call, as an
 * index into module->files (1-based, as in .file). `line` is the innermost line of the chain of inlined calls that is
 * in this file, so it is a line of the submission even if the instruction was inlined from a header. `outer_line` is
 * the line of the outermost call. `inner_file` and `inner_line` are the innermost location, which may be in a header.
 */
struct ptx_loc {
    uint16_t file, inner_file;
    uint32_t line, column, inner_line, outer_line;
};

/* Flags of a wgmma. NEGATES: A or B is multiplied by -1. TURNS: A or B is stored transposed, so that the elements of a
 * column of A or of a row of B are adjacent. */
enum { PTX_NEGATES_A = 1, PTX_NEGATES_B = 2, PTX_TURNS_A = 4, PTX_TURNS_B = 8 };
struct ptx_insn {
    enum ptx_op op;
    enum ptx_type type, type2;    /* PTX_NOTYPE if the row has none */
    enum ptx_type more[2];        /* third and fourth type, if the row has them */
    enum ptx_space space;         /* space of ld, st, atom, red, cvta, isspacep; PTX_GENERIC if none is written */
    bool cluster;                 /* .shared::cluster: the memory of any block in the cluster */
    uint8_t mod[PTX_CLASS_COUNT]; /* enum ptx_mod by class; PTX_MOD_NONE if absent */
    uint8_t vec;                  /* 1, 2, 4 (or 8) */
    uint16_t columns, depth;      /* of wgmma: n and k of its shape */
    uint8_t product;              /* of wgmma: bits PTX_NEGATES_A to PTX_TURNS_B */
    uint32_t guard;               /* predicate register, or PTX_NO_REG */
    bool guard_negated;
    unsigned count; /* operands used */
    struct ptx_operand operand[PTX_MAX_OPERANDS];
    struct ptx_operand policy;       /* operand of .L2::cache_hint: PTX_REGISTER or PTX_NONE */
    struct ptx_operand pred_dest;    /* second destination of `d|p`: PTX_REGISTER or PTX_NONE */
    struct ptx_call *call;           /* for PTX_OP_call */
    uint32_t *targets, target_count; /* brx.idx: the .branchtargets list */
    const char *target_list;         /* its name */
    struct ptx_loc loc;
    uint32_t text_line; /* line in the PTX text, 1-based */
};
static inline enum ptx_mod ptx_mod_of(const struct ptx_insn *i, enum ptx_mod_class c) {
    return (enum ptx_mod)i->mod[c];
}

/* The traits of the instruction's row. */
static inline const struct ptx_traits *ptx_traits_of(const struct ptx_insn *i) { return &ptx_ops[i->op].traits; }
/* Returns whether the instruction starts a bulk copy. */
static inline bool ptx_copies_bulk(const struct ptx_insn *i) { return ptx_traits_of(i)->bulk != PTX_BULK_NONE; }
/* Returns whether the instruction is a load, store or atomic operation. */
static inline bool ptx_accesses_memory(const struct ptx_traits *t) {
    return t->memory == PTX_MEMORY_LOAD || t->memory == PTX_MEMORY_STORE || t->memory == PTX_MEMORY_ATOMIC;
}
/* Returns the number of operands that the instruction writes: 0, or 1 for the first operand. It reads the others. */
unsigned ptx_written(const struct ptx_insn *i);
/* The number of branch targets other than the next instruction, and the index of the k-th target in the function. */
unsigned ptx_target_count(const struct ptx_insn *i);
uint32_t ptx_target(const struct ptx_insn *i, unsigned k);
/* Returns whether the instruction leaves the function: a return, an exit or an abort, possibly with a guard. */
static inline bool ptx_leaves(const struct ptx_insn *i) {
    const enum ptx_flow flow = ptx_traits_of(i)->flow;
    return flow == PTX_FLOW_RETURN || flow == PTX_FLOW_EXIT || flow == PTX_FLOW_ABORT;
}

/* Returns whether the modifier is .rni, .rzi, .rmi or .rpi, so that the result is an integer value. */
static inline bool ptx_rounds_to_integer(enum ptx_mod m) {
    return m == PTX_MOD_RNI || m == PTX_MOD_RZI || m == PTX_MOD_RMI || m == PTX_MOD_RPI;
}

struct ptx_call {
    const struct ptx_function *callee; /* NULL for an indirect call, through the register `pointer` */
    struct ptx_operand pointer;
    const struct ptx_variable
        *result; /* .param variable in the caller's scope that receives the return value, or NULL */
    unsigned argument_count;
    const struct ptx_variable **arguments; /* .param variables in the caller's scope */
    const char *prototype;                 /* for an indirect call: the name of its .callprototype or .calltargets */
};

/* A relocation, which stores the address of `target` or `function`, plus `addend`, at `offset` of an initializer. */
struct ptx_relocation {
    uint64_t offset;
    const struct ptx_variable *target;
    const struct ptx_function *function;
    uint64_t addend;
    bool generic;
};
struct ptx_variable {
    char *name;
    enum ptx_space space;
    enum ptx_type type; /* element type */
    uint32_t align;     /* bytes */
    uint64_t size;      /* bytes; 0 for `.extern .shared x[]` */
    bool external;      /* .extern */
    uint8_t *init;      /* `size` bytes; NULL: zeros, for global and const memory */
    struct ptx_relocation *relocations;
    unsigned relocation_count;
    unsigned index;                   /* position in its owner's array */
    const struct ptx_function *owner; /* NULL: module scope */
};

struct ptx_register {
    char *name;
    enum ptx_type type;
};

struct ptx_label {
    char *name;
    uint32_t at; /* index of the next instruction */
};

/* A reason why a function cannot run: an instruction, special register or directive that the simulator does not
 * support, or a call to another function that cannot run. */
struct ptx_reason {
    const struct ptx_reason *next;
    struct ptx_loc loc; /* in the CUDA source, as for an instruction */
    uint32_t text_line; /* in the PTX text */
    const char *message;
};
struct ptx_function {
    char *name;
    bool entry, defined;              /* defined: it has a body, and can run */
    const struct ptx_reason *reasons; /* why the function cannot run, in text order; only from ptx_parse_usable() */
    struct ptx_variable **params;
    unsigned param_count;        /* parameters in order, with natural alignment, as in a kernel's parameter buffer */
    struct ptx_variable *result; /* the return value of a .func, or NULL */
    struct ptx_variable **locals;
    unsigned local_count; /* .local, .shared and .param variables in the body */
    struct ptx_register *registers;
    unsigned register_count;
    struct ptx_insn *code;
    unsigned code_count;
    struct ptx_label *labels; /* in order of `at` */
    unsigned label_count;
    uint32_t *join;       /* by instruction: a branch's immediate post-dominator (code_count: the exit); PTX_NO_REG for
                             others. Set by ptx_find_joins() */
    uint32_t max_threads; /* .maxntid x*y*z, 0: not specified */
    uint32_t cluster[3];  /* .reqnctapercluster: blocks per cluster; 0: not specified */
    uint32_t max_cluster; /* .maxclusterrank: total blocks per cluster; 0: not specified */
    bool explicit_cluster;
    unsigned index;
};

struct arena; /* all memory of a module: ptx/memory.c */
struct ptx_module {
    struct arena *owned;
    char *name;                             /* as given to ptx_parse, for messages */
    unsigned version, target, address_size; /* 90, 75, 64 */
    char **files;
    unsigned file_count; /* files[0] is unused: .file numbers start at 1; names as in .file */
    struct ptx_variable **variables;
    unsigned variable_count; /* module scope */
    struct ptx_function **functions;
    unsigned function_count;
    bool has[PTX_OP_COUNT];      /* instructions that occur in it */
    bool has_mod[PTX_MOD_COUNT]; /* modifiers that occur in it */
};

struct ptx_error {
    unsigned text_line;   /* in the PTX; 0: unknown */
    unsigned source_line; /* in the CUDA source; 0: unknown */
    char source_file[256];
    char message[512]; /* one sentence; no newline */
};

/* Parses `length` bytes at `text`, which need not end with a NUL. `name` is for messages. On failure returns NULL and
 * sets *error. */
struct ptx_module *ptx_parse(const char *text, size_t length, const char *name, struct ptx_error *error);
/* Parses a module as ptx_parse() does, but accepts functions that the simulator cannot run. Such a function has
 * `reasons` instead of a body. Invalid PTX is still an error. */
struct ptx_module *ptx_parse_usable(const char *text, size_t length, const char *name, struct ptx_error *error);
void ptx_free(struct ptx_module *module);
/* Returns the text without the functions and variables that the kernel does not use. The caller frees it. Returns NULL
 * if there is no such kernel, if there are too many functions, or if memory is exhausted. */
char *ptx_cut(const char *text, const char *kernel);
/* Joins the texts of modules that refer to each other (nvcc -rdc=true). The result has the version and target of the
 * first one, and the caller frees it. Returns NULL if memory is exhausted or if there are too many statements. */
char *ptx_link(const char *const *texts, unsigned count);
/* Writes "kernel.cu:41: instruction ... is not supported by the simulator". Returns `out`. */
char *ptx_why(const struct ptx_module *module, const struct ptx_reason *r, char *out, size_t size);
/* Computes `join` (see struct ptx_function) for a function's code. Returns false if memory is exhausted. */
bool ptx_find_joins(const struct ptx_function *f, uint32_t *join);
/* Returns whether `name` is a function of the CUDA device library that the simulator implements. */
bool ptx_is_builtin(const char *name);

/* Return the function or variable with this exact name, or NULL. */
const struct ptx_function *ptx_find_function(const struct ptx_module *module, const char *name);
const struct ptx_variable *ptx_find_variable(const struct ptx_module *module, const char *name);

/* Writes an instruction as text, such as "bra $L__BB0_3", for traces and messages. Returns `out`. */
char *ptx_print(const struct ptx_module *module, const struct ptx_function *f, const struct ptx_insn *i, char *out,
                size_t size);

/* Writes docs/ptx.md: every row of the table and every modifier, as Markdown. */
void ptx_document(FILE *out);

#endif
