/* Parses the text of a PTX module into a struct ptx_module.
 *
 * ptx_parse() checks every instruction against the table in ops.def. If the text contains an error, it returns NULL and
 * describes the first error: a message, the PTX line and, if a .loc directive gives one, the CUDA source line. A module
 * is immutable, so threads may share it. sim/ translates modules to executable programs.
 *
 * Reference: PTX ISA 9.0, "Instruction Set". The parser accepts the output of nvcc 11 to 13 and of clang 14 to 19. */
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
unsigned ptx_type_bits(enum ptx_type t);    /* 1, 4, 8, 16, 32 or 64; 0 for PTX_NOTYPE */
const char *ptx_type_name(enum ptx_type t); /* name, such as "u32"; "" for PTX_NOTYPE */

/* ---- modifiers: dotted words after a mnemonic, by class (mods.def) --------------------------------------------- */
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

/* ---- instructions: the rows of ops.def ------------------------------------------------------------------------- */
enum ptx_op {
#define OP(id, ...) PTX_OP_##id,
#include "ops.def"
    PTX_OP_COUNT
};

/* Traits of instructions. The first value of each enum is the default. Operands are numbered from 0, which is the
 * destination if there is one. */
enum ptx_memory {
    PTX_MEMORY_NONE,
    PTX_MEMORY_LOAD,
    PTX_MEMORY_STORE,
    PTX_MEMORY_ATOMIC,
    PTX_MEMORY_FENCE,   /* orders the accesses of its thread */
    PTX_MEMORY_BARRIER, /* makes threads wait for each other and orders their accesses */
    PTX_MEMORY_TEXTURE  /* accesses or queries a texture or surface object */
};
enum ptx_crosses { PTX_CROSSES_NOTHING, PTX_CROSSES_LANES, PTX_CROSSES_WARPS, PTX_CROSSES_BLOCKS };
enum ptx_flow {
    PTX_FLOW_NEXT,
    PTX_FLOW_BRANCH, /* continues at the label in the first operand */
    PTX_FLOW_TABLE,  /* continues at the label that an index selects from a list */
    PTX_FLOW_CALL,
    PTX_FLOW_RETURN,
    PTX_FLOW_EXIT,
    PTX_FLOW_ABORT
};
/* The effect of an undefined source in a lane that executes the instruction. */
enum ptx_undefined {
    PTX_UNDEFINED_SPREADS,    /* the destinations become undefined */
    PTX_UNDEFINED_DEFINED,    /* the destinations are defined anyway */
    PTX_UNDEFINED_CHOICE,     /* the destinations become undefined if operand 3 selects this source */
    PTX_UNDEFINED_AND,        /* like SPREADS, unless the other source, a predicate, is false */
    PTX_UNDEFINED_OR,         /* like SPREADS, unless the other source, a predicate, is true */
    PTX_UNDEFINED_MASK,       /* like SPREADS, unless the other source is 0 */
    PTX_UNDEFINED_COMPARISON, /* like SPREADS, unless operand 3, a predicate, determines the result */
    PTX_UNDEFINED_EXCHANGED,  /* the destinations become undefined in the lanes that receive the source */
    PTX_UNDEFINED_STORED,     /* reported, because other threads may read the source */
    PTX_UNDEFINED_DECIDES     /* reported, because the source determines control flow */
};
/* The sources whose bits an instruction copies. All other sources are used in a computation. */
enum ptx_carries {
    PTX_CARRIES_NONE,
    PTX_CARRIES_FIRST, /* operand 1 */
    PTX_CARRIES_BOTH,  /* operands 1 and 2; the instruction selects one of them or packs both */
    PTX_CARRIES_WHOLE, /* operand 1, in a conversion between integer types */
    PTX_CARRIES_MASKED /* operand 1, if operand 2 is a constant */
};
/* The relation between the destination and sources that contain the address of a variable. */
enum ptx_address {
    PTX_ADDRESS_LOST, /* no known relation */
    PTX_ADDRESS_SAME, /* the destination is operand 1, an address */
    PTX_ADDRESS_BITS, /* the destination is operand 1, an address, in a register of a different width or in another lane
                       */
    PTX_ADDRESS_EITHER,     /* the destination is operand 1 or operand 2, an address */
    PTX_ADDRESS_SUM,        /* the destination is operand 1, an address, plus operand 2, an index */
    PTX_ADDRESS_DIFFERENCE, /* the destination is operand 1, an address, minus operand 2, an index or an address */
    PTX_ADDRESS_INDEXED     /* the destination is operand 3, an address, plus a product */
};
/* Cost classes for model/costs.c, where the other traits do not determine the cost. */
enum ptx_price {
    PTX_PRICE_ARITHMETIC,
    PTX_PRICE_BRANCH,
    PTX_PRICE_FENCE,
    PTX_PRICE_SHUFFLE,
    PTX_PRICE_DIVISION,
    PTX_PRICE_FLOAT_DIVISION,
    PTX_PRICE_COUNT
};
/* The bulk copy that an instruction starts. LOAD: from global to shared memory. PASS: from shared memory to another
 * block's shared memory. STORE: from shared to global memory. SEND: from registers to another block's shared memory. */
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
    unsigned char more_types; /* number of types after the second */
    bool names_space;         /* whether the instruction has a state space but no memory operand, like cvta and mapa */
    bool tensor;              /* whether the instruction copies a tile of a tensor, which a tensor map describes */
};

/* A row of the instruction table. */
struct ptx_op_row {
    const char *id; /* unique name, such as "mul_hi"; part of the handler's name */
    /* A name such as "mul.hi". An instruction matches if its first word is the same and its modifiers include all other
     * words of the name. */
    const char *mnemonic;
    const char *operands; /* operand signature (see ops.def) */
    uint32_t types;  /* bit mask (1 << enum ptx_type) of the types allowed as the first type suffix; 0 if there is no
                        type suffix */
    uint32_t types2; /* the same for the second type suffix, as in cvt and mma */
    uint32_t allow;  /* bit mask of PTX_ALLOW(class): classes of optional modifiers that are not in the mnemonic */
    const char *summary; /* one line, for docs/ptx.md */
    struct ptx_traits traits;
};
extern const struct ptx_op_row ptx_ops[PTX_OP_COUNT];

enum ptx_space { PTX_GENERIC, PTX_GLOBAL, PTX_SHARED, PTX_LOCAL, PTX_CONST, PTX_PARAM, PTX_REG };
const char *ptx_space_name(enum ptx_space s); /* such as "generic" or "global" */

enum ptx_operand_kind {
    PTX_NONE,
    PTX_REGISTER,  /* .reg: index in function->registers; .negated: written as !%p */
    PTX_IMMEDIATE, /* .imm: the bits, in the format of the instruction's type */
    PTX_SPECIAL,   /* .special: such as %tid.x */
    PTX_SYMBOL,    /* .symbol + .imm: address of a variable or function (mov, arguments of calls) */
    /* [base + .imm], where base is a variable (.symbol), a register (.reg), or absent (.symbol is NULL, .reg is
       PTX_NO_REG). */
    PTX_MEMORY,
    PTX_LABEL,  /* .target: index of an instruction in the function */
    PTX_VECTOR, /* {a, b, ...}: .count registers or immediates in .elements; PTX_NONE for `_` */
};
#define PTX_NO_REG UINT32_MAX

/* Special registers: X(name, PTX spelling, bits, kind). Libraries of the CUDA Toolkit use the %reserved_smem_offset
 * registers. %envreg1 and %envreg2 contain the high and the low half of the address of the workspace for grid-wide
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
    X(GRAPH_EXEC, "%current_graph_exec", 64, FIXED)                                                                    \
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
    PTX_SPECIAL_FIXED, /* constant during a launch */
    PTX_SPECIAL_BLOCK, /* depends on the block's position in the grid */
    PTX_SPECIAL_CLOCK, /* depends on the time */
    PTX_SPECIAL_PLACE  /* depends on the SM that runs the block */
};
unsigned ptx_special_bits(enum ptx_special s); /* 32 or 64; 1 for a predicate */
enum ptx_special_kind ptx_special_kind(enum ptx_special s);
#define PTX_GRID_WORKSPACE "grid workspace"       /* name of the variable to which %envreg1 and %envreg2 point */
const char *ptx_special_name(enum ptx_special s); /* such as "%tid.x" */

/* Selected bytes or halves of one or two registers, as in %r1.b0 or %r1.h32. If count is 0, the whole register is
 * selected. */
struct ptx_part {
    uint8_t bits, count, which[4]; /* bits: 8 or 16; which: numbers of the selected bytes or halves, lowest first */
};
struct ptx_operand {
    enum ptx_operand_kind kind;
    struct ptx_part part;
    bool negated; /* written as !%p */
    uint32_t reg; /* register index, or PTX_NO_REG */
    uint64_t imm; /* bits of an immediate, or signed byte offset from a register or symbol */
    enum ptx_special special;
    uint32_t target;                     /* PTX_LABEL: index of an instruction in the function */
    const struct ptx_variable *symbol;   /* variable of the module or function, or parameter */
    const struct ptx_function *function; /* function, if the operand is the name of a function */
    unsigned count;                      /* number of elements */
    struct ptx_operand *elements;
};

#define PTX_MAX_OPERANDS 6

/* The CUDA source location of an instruction. Unknown members are 0. Inlined calls form a chain of locations. `file` is
 * the file of the outermost one, as a 1-based index in module->files. `line` is the innermost line of the chain in that
 * file, so it is a line of the submission even if the instruction comes from a header. `outer_line` is the line of the
 * outermost location. `inner_file` and `inner_line` are the innermost location, which may be in a header. */
struct ptx_loc {
    uint16_t file, inner_file;
    uint32_t line, column, inner_line, outer_line;
};

/* Flags. NEGATES: in wgmma, matrix A or B is multiplied by -1; a fused multiply-add that ptx_contract() made from a
 * difference negates a or c. TURNS: in wgmma, A or B is stored transposed, so that the elements of a column of A, or of
 * a row of B, are adjacent. */
enum { PTX_NEGATES_A = 1, PTX_NEGATES_B = 2, PTX_TURNS_A = 4, PTX_TURNS_B = 8, PTX_NEGATES_C = 16 };
struct ptx_insn {
    enum ptx_op op;
    enum ptx_type type, type2; /* PTX_NOTYPE if the row has no such type */
    enum ptx_type more[2];     /* third and fourth type, or PTX_NOTYPE */
    enum ptx_space space;      /* state space that the mnemonic names; PTX_GENERIC if it names none */
    bool cluster; /* whether the space is .shared::cluster, the shared memory of any block in the cluster */
    uint8_t mod[PTX_CLASS_COUNT]; /* enum ptx_mod, indexed by class; PTX_MOD_NONE if absent */
    uint8_t vec;                  /* elements per lane, or matrices of ldmatrix and stmatrix: 1, 2, 4 or 8 */
    uint16_t columns, depth;      /* n and k of the shape of wgmma */
    uint8_t product;              /* bit mask of PTX_NEGATES_A and so on */
    uint32_t guard;               /* index of the predicate register, or PTX_NO_REG */
    bool guard_negated;
    unsigned count; /* number of operands */
    struct ptx_operand operand[PTX_MAX_OPERANDS];
    struct ptx_operand policy;       /* the operand of .L2::cache_hint: PTX_REGISTER or PTX_NONE */
    struct ptx_operand pred_dest;    /* the second destination in `d|p`: PTX_REGISTER or PTX_NONE */
    struct ptx_call *call;           /* PTX_OP_call only */
    uint32_t *targets, target_count; /* brx.idx: instruction indices from the .branchtargets list */
    const char *target_list;         /* brx.idx: name of that list */
    struct ptx_loc loc;
    uint32_t text_line; /* line of the PTX text, from 1 */
};
static inline enum ptx_mod ptx_mod_of(const struct ptx_insn *i, enum ptx_mod_class c) {
    return (enum ptx_mod)i->mod[c];
}

/* Returns the traits of the instruction's row. */
static inline const struct ptx_traits *ptx_traits_of(const struct ptx_insn *i) { return &ptx_ops[i->op].traits; }
/* Returns whether the instruction starts a bulk copy. */
static inline bool ptx_copies_bulk(const struct ptx_insn *i) { return ptx_traits_of(i)->bulk != PTX_BULK_NONE; }
/* Returns whether the instruction is a load, store or atomic operation. */
static inline bool ptx_accesses_memory(const struct ptx_traits *t) {
    return t->memory == PTX_MEMORY_LOAD || t->memory == PTX_MEMORY_STORE || t->memory == PTX_MEMORY_ATOMIC;
}
/* Returns the number of elements of `operand` that the instruction writes: 1 if it writes the first one, otherwise 0.
 * The instruction reads all others. */
unsigned ptx_written(const struct ptx_insn *i);
/* Return the number of branch targets, not counting the next instruction, and the index of the k-th target in the
 * function's code. */
unsigned ptx_target_count(const struct ptx_insn *i);
uint32_t ptx_target(const struct ptx_insn *i, unsigned k);
/* Returns whether the instruction leaves the function: a return, an exit or an abort, possibly with a guard. */
static inline bool ptx_leaves(const struct ptx_insn *i) {
    const enum ptx_flow flow = ptx_traits_of(i)->flow;
    return flow == PTX_FLOW_RETURN || flow == PTX_FLOW_EXIT || flow == PTX_FLOW_ABORT;
}

/* Returns whether the modifier is .rni, .rzi, .rmi or .rpi, which round to an integer value. */
static inline bool ptx_rounds_to_integer(enum ptx_mod m) {
    return m == PTX_MOD_RNI || m == PTX_MOD_RZI || m == PTX_MOD_RMI || m == PTX_MOD_RPI;
}

struct ptx_call {
    const struct ptx_function *callee; /* function; NULL for an indirect call through the register `pointer` */
    struct ptx_operand pointer;
    /* .param variable in the caller's scope that receives the result, or NULL. */
    const struct ptx_variable *result;
    unsigned argument_count;
    const struct ptx_variable **arguments; /* .param variables in the caller's scope */
    const char *prototype;                 /* indirect calls: name of the .callprototype or .calltargets */
};

/* A relocation: the address of `target` or `function`, plus `addend`, is stored at `offset` in an initializer. The
 * address is a generic address if `generic`, otherwise one in the state space of `target`. */
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
    enum ptx_type type; /* type of the elements */
    uint32_t align;     /* bytes */
    uint64_t size;      /* size in bytes; 0 for `.extern .shared x[]` */
    bool external;      /* .extern */
    uint8_t *init;      /* `size` bytes; NULL without an initializer, which in .global and .const means zeros */
    struct ptx_relocation *relocations;
    unsigned relocation_count;
    unsigned index;                   /* index in the owner's array */
    const struct ptx_function *owner; /* NULL for the module */
};

struct ptx_register {
    char *name;
    enum ptx_type type;
};

struct ptx_label {
    char *name;
    uint32_t at; /* index of the instruction that follows the label */
};

/* A reason why a function cannot run: it contains an instruction, special register or directive that the simulator does
 * not support, or calls a function that cannot run. */
struct ptx_reason {
    const struct ptx_reason *next;
    struct ptx_loc loc; /* location in the CUDA source */
    uint32_t text_line; /* line of the PTX text */
    const char *message;
};
struct ptx_function {
    char *name;
    bool entry, defined;              /* defined: whether the function has a body and can run */
    const struct ptx_reason *reasons; /* reasons why it cannot run, in text order; set by ptx_parse_usable() only */
    struct ptx_variable **params;
    unsigned param_count;
    struct ptx_variable *result; /* the return value of a .func, or NULL */
    struct ptx_variable **locals;
    unsigned local_count; /* number of .local, .shared and .param variables in the body */
    struct ptx_register *registers;
    unsigned register_count;
    struct ptx_insn *code;
    unsigned code_count;
    struct ptx_label *labels; /* in ascending order of `at` */
    unsigned label_count;
    /* Indexed by instruction; set by ptx_find_joins(). For a branch, or an instruction that leaves the function: the
     * index of its immediate post-dominator, or code_count for the function's exit. For other instructions: PTX_NO_REG.
     */
    uint32_t *join;
    uint32_t max_threads; /* product of the numbers in .maxntid or .reqntid, at most 2^16; 0 if not specified */
    uint32_t cluster[3];  /* .reqnctapercluster: blocks per cluster in each dimension; 0 if not specified */
    uint32_t max_cluster; /* .maxclusterrank: maximum number of blocks per cluster; 0 if not specified */
    bool explicit_cluster;
    uint32_t needs; /* PTX_NEEDS: 32-bit registers per thread in machine code; 0 if unknown */
    unsigned index;
    _Atomic(uint8_t *) facts; /* facts about each register (probes/facts.c), or NULL if no probe has needed them yet */
};

struct arena; /* arena that owns the parts of a module (ptx/memory.c) */
struct ptx_module {
    struct arena *owned;
    char *name;                             /* name of the module in messages, as passed to ptx_parse() */
    unsigned version, target, address_size; /* numbers such as 90 (version 9.0), 75 (sm_75) and 64 */
    char **files;
    unsigned file_count; /* number of entries; files[0] is unused, because .file numbers start at 1 */
    struct ptx_variable **variables;
    unsigned variable_count; /* variables of module scope */
    struct ptx_function **functions;
    unsigned function_count;
    bool has[PTX_OP_COUNT];      /* instructions that occur in the functions */
    bool has_mod[PTX_MOD_COUNT]; /* modifiers that occur in the functions */
};

struct ptx_error {
    unsigned text_line;   /* line of the PTX text; 0 if unknown */
    unsigned source_line; /* line of the CUDA source; 0 if unknown */
    char source_file[256];
    char message[512]; /* one sentence, without a newline */
};

/* Parses `length` bytes at `text`, which need not be NUL-terminated. `name` is for messages. On failure, returns NULL
 * and sets *error. */
struct ptx_module *ptx_parse(const char *text, size_t length, const char *name, struct ptx_error *error);
/* Like ptx_parse(), but accepts functions that the simulator cannot run. Such a function has `reasons` instead of a
 * body. Invalid PTX is still an error. */
struct ptx_module *ptx_parse_usable(const char *text, size_t length, const char *name, struct ptx_error *error);
void ptx_free(struct ptx_module *module);
/* Estimates how many 32-bit registers a thread needs: the largest number of registers with live values before any
 * instruction. Returns 0 if out of memory. The assembler reorders instructions. Where the estimate was at least 56, the
 * number of registers in machine code was 0.2 to 1.2 times the estimate. */
unsigned ptx_pressure(const struct ptx_function *f);
/* Text of a directive before a kernel's body, with which the compiler passes on the number of 32-bit registers per
 * thread in the kernel's machine code. PTX assemblers ignore it. */
#define PTX_NEEDS ".pragma \"registers %u\";"
/* Returns a copy of the text without debug sections and without the functions and variables that the kernel does not
 * use. The caller frees it. Returns NULL if there is no such kernel, if the text has more than 4096 items (items.h), or
 * if out of memory. */
char *ptx_cut(const char *text, const char *kernel);
/* Returns the concatenated text of modules that refer to each other (nvcc -rdc=true), with the version and target of
 * the first module and without debug sections. The caller frees it. Returns NULL if out of memory or if a text has more
 * than 2^20 items (items.h). */
char *ptx_link(const char *const *texts, unsigned count);
/* Writes a reason, such as "kernel.cu:41: instruction ... is not supported by the simulator". Returns `out`. */
char *ptx_why(const struct ptx_module *module, const struct ptx_reason *r, char *out, size_t size);
/* Computes the elements of `join` (see struct ptx_function) for a function's code. Returns false if out of memory. */
bool ptx_find_joins(const struct ptx_function *f, uint32_t *join);
/* Returns whether `name` is a function of the CUDA device library that the simulator implements itself. */
bool ptx_is_builtin(const char *name);

/* Return the function or variable with this exact name, or NULL. */
const struct ptx_function *ptx_find_function(const struct ptx_module *module, const char *name);
const struct ptx_variable *ptx_find_variable(const struct ptx_module *module, const char *name);

/* Writes an instruction as text, such as "bra $L__BB0_3", truncated to size - 1 bytes. Returns `out`. */
char *ptx_print(const struct ptx_module *module, const struct ptx_function *f, const struct ptx_insn *i, char *out,
                size_t size);

/* Writes docs/ptx.md, which lists every row of the table and every modifier. */
void ptx_document(FILE *out);

#endif
