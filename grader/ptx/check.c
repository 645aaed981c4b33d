/* Checks the operands of an instruction against its row in ops.def: their kind, type and width. The simulator relies on
 * these checks. Types are compared as described in the PTX ISA, "Type Information for Instructions and Operands": a bit
 * type matches any type of the same width, an integer type matches any integer type of the same width, and .f32 and
 * .f64 match only themselves and bit types. In memory accesses and in cvt, a register may be wider than the value.
 * operand.c checks the number of operands. */
#include "ptx/parser.h"
#include <string.h>

unsigned ptx_signature(enum ptx_op op, unsigned count, const char *letters[PTX_MAX_OPERANDS]) {
    unsigned all = 0, optional = PTX_MAX_OPERANDS;
    const char *next = *ptx_ops[op].operands ? ptx_ops[op].operands : NULL;
    for (; next && all < PTX_MAX_OPERANDS; all++) {
        letters[all] = next;
        if (next[1] == '?') optional = all;
        next = strchr(next, ',');
        if (next) next += 2;
    }
    if (optional == PTX_MAX_OPERANDS || count >= all) return all;
    for (unsigned k = optional; k + 1 < all; k++) letters[k] = letters[k + 1];
    return all - 1;
}

static enum ptx_type register_type(const struct parser *p, const struct ptx_operand *o) {
    return ((const struct ptx_register *)p->registers.items)[o->reg].type;
}
static const char *register_name(const struct parser *p, const struct ptx_operand *o) {
    return ((const struct ptx_register *)p->registers.items)[o->reg].name;
}
static _Noreturn void wrong_operand(struct parser *p, const struct ptx_insn *i, unsigned k, const char *wanted) {
    ptx_refuse(p, i->text_line, "operand %u of `%.*s` must be %s", k + 1, SHOW(p->mnemonic), wanted);
}

/* ---- types ----------------------------------------------------------------------------------------------------- */
static bool is_bits(enum ptx_type t) { return t >= PTX_B8 && t <= PTX_B64; }
static bool is_integer(enum ptx_type t) { return t >= PTX_U8 && t <= PTX_S64; }
static bool is_wide_float(enum ptx_type t) { return t == PTX_F32 || t == PTX_F64; }
static bool agrees(enum ptx_type have, enum ptx_type want, bool may_be_wider) {
    const unsigned have_bits = ptx_type_bits(have), want_bits = ptx_type_bits(want);
    if (have == want) return true;
    if (have == PTX_PRED || want == PTX_PRED) return false;
    if (is_wide_float(want)) return have_bits == want_bits && is_bits(have);
    if (is_wide_float(have)) return have_bits == want_bits && is_bits(want);
    /* Any register of that width may hold a 16-bit float or a pair of them. */
    if (!is_bits(want) && !is_integer(want)) return have_bits == want_bits;
    return may_be_wider ? have_bits >= want_bits : have_bits == want_bits;
}
static void check_register(struct parser *p, const struct ptx_insn *i, unsigned k, const struct ptx_operand *o,
                           enum ptx_type want, bool wider) {
    if (o->kind == PTX_SPECIAL && ptx_type_bits(want) != ptx_special_bits(o->special) &&
        !(o->special == PTX_GRIDID && ptx_type_bits(want) == 32))
        ptx_fail(p, i->text_line, "operand %u of `%.*s`: %s has %u bits, not %u", k + 1, SHOW(p->mnemonic),
                 ptx_special_name(o->special), ptx_special_bits(o->special), ptx_type_bits(want));
    if (o->kind != PTX_REGISTER || agrees(register_type(p, o), want, wider)) return;
    ptx_fail(p, i->text_line, "operand %u of `%.*s`: register %s is .%s where .%s is expected", k + 1,
             SHOW(p->mnemonic), register_name(p, o), ptx_type_name(register_type(p, o)), ptx_type_name(want));
}

/* ---- kinds of operands ----------------------------------------------------------------------------------------- */
static bool is_own_parameter(const struct ptx_variable *v) {
    return v->owner && v->index < v->owner->param_count && v->owner->params[v->index] == v;
}
/* Checks an operand that is the address of a variable. An address has 64 bits; in mov, an address in shared or local
 * memory may have 32. */
static void check_symbol(struct parser *p, const struct ptx_insn *i, unsigned k, const struct ptx_operand *o) {
    const unsigned bits = ptx_type_bits(i->type);
    const bool narrow = o->symbol && (o->symbol->space == PTX_SHARED || o->symbol->space == PTX_LOCAL);
    if (i->op != PTX_OP_mov && i->op != PTX_OP_cvta && (i->op != PTX_OP_st || narrow))
        wrong_operand(p, i, k, "a register or a constant: use mov for an address");
    if (bits != 64 && !(bits == 32 && narrow && i->op == PTX_OP_mov))
        wrong_operand(p, i, k, "a constant or a register: an address has 64 bits");
    if (o->symbol && o->symbol->space == PTX_PARAM && !is_own_parameter(o->symbol))
        ptx_refuse(p, i->text_line,
                   "the simulator does not support taking the address of `%s`, an argument or result of a call",
                   o->symbol->name);
}
static void check_source(struct parser *p, const struct ptx_insn *i, unsigned k, const struct ptx_operand *o,
                         enum ptx_type type, bool wider) {
    if (o->kind == PTX_SYMBOL)
        check_symbol(p, i, k, o);
    else if (o->kind != PTX_REGISTER && o->kind != PTX_IMMEDIATE && o->kind != PTX_SPECIAL)
        wrong_operand(p, i, k, "a register or a constant");
    check_register(p, i, k, o, type, wider);
}
static void check_destination(struct parser *p, const struct ptx_insn *i, unsigned k, const struct ptx_operand *o,
                              enum ptx_type type, bool wider) {
    const bool may_sink =
        i->op == PTX_OP_atom || i->op == PTX_OP_elect || !strncmp(ptx_ops[i->op].mnemonic, "mbarrier.arrive", 15);
    if (o->kind == PTX_NONE && may_sink) return;
    if (o->kind != PTX_REGISTER) wrong_operand(p, i, k, "a register");
    check_register(p, i, k, o, type, wider);
}
static void check_predicate(struct parser *p, const struct ptx_insn *i, unsigned k, const struct ptx_operand *o,
                            bool source) {
    if (source && o->kind == PTX_IMMEDIATE) return;
    if (o->kind != PTX_REGISTER || register_type(p, o) != PTX_PRED) wrong_operand(p, i, k, "a predicate register");
}
/* Checks the elements of a vector. A destination may omit elements. A source may contain constants. */
static void check_elements(struct parser *p, const struct ptx_insn *i, unsigned k, enum ptx_type type, bool destination,
                           bool wider) {
    const struct ptx_operand *o = &i->operand[k];
    unsigned bits = 0;
    for (unsigned n = 0; n < o->count; n++) {
        const struct ptx_operand *e = &o->elements[n];
        if (e->negated || (e->kind != PTX_REGISTER && e->kind != (destination ? PTX_NONE : PTX_IMMEDIATE)))
            wrong_operand(p, i, k, "a vector of registers");
        check_register(p, i, k, e, type, wider);
        if (e->kind != PTX_REGISTER) continue;
        const unsigned own = ptx_type_bits(register_type(p, e));
        if (bits && own != bits) wrong_operand(p, i, k, "a vector of registers of one width");
        bits = own;
    }
}
/* Checks the registers that an instruction loads from memory or stores to memory. In the vectors of atomics and texture
 * fetches, a register must be exactly as wide as the value; elsewhere it may be wider. */
static void check_moved(struct parser *p, const struct ptx_insn *i, unsigned k, bool destination) {
    const struct ptx_operand *o = &i->operand[k];
    if ((o->kind == PTX_VECTOR ? o->count : 1) != i->vec)
        ptx_fail(p, i->text_line, "operand %u of `%.*s` must hold %u element%s", k + 1, SHOW(p->mnemonic), i->vec,
                 i->vec > 1 ? "s in { }" : "");
    const enum ptx_memory memory = ptx_traits_of(i)->memory;
    const bool fetched = memory == PTX_MEMORY_TEXTURE && i->type2;
    if (o->kind == PTX_VECTOR)
        check_elements(p, i, k, i->type, destination, memory != PTX_MEMORY_ATOMIC && !fetched);
    else if (destination)
        check_destination(p, i, k, o, i->type, true);
    else
        check_source(p, i, k, o, i->type, true);
}
static void check_parameter_access(struct parser *p, const struct ptx_insn *i, const struct ptx_operand *o) {
    const struct ptx_variable *v = o->symbol;
    const uint64_t bytes = (uint64_t)i->vec * ptx_type_bits(i->type) / 8;
    if (o->imm > v->size || bytes > v->size - o->imm)
        ptx_fail(p, i->text_line, "`%.*s` accesses memory past the %llu bytes of `%s`", SHOW(p->mnemonic),
                 (unsigned long long)v->size, v->name);
    if (i->op != PTX_OP_ld && i->op != PTX_OP_st) ptx_fail(p, i->text_line, "`%.*s` of a parameter", SHOW(p->mnemonic));
    if (i->op == PTX_OP_st && is_own_parameter(v) && v->owner->entry)
        ptx_fail(p, i->text_line, "`%s`, a parameter of the kernel, cannot be written", v->name);
}
/* Returns the state space of operand k. The two addresses of a copy have different spaces. */
static enum ptx_space space_of(const struct ptx_insn *i, unsigned k) {
    const enum ptx_bulk bulk = ptx_traits_of(i)->bulk;
    if (i->op == PTX_OP_cp_async) return k ? PTX_GLOBAL : i->space;
    if (i->op == PTX_OP_map_copy) return k ? PTX_SHARED : i->space;
    if (bulk == PTX_BULK_LOAD) return k == 1 ? PTX_GLOBAL : i->space;
    if (bulk == PTX_BULK_STORE) return k ? PTX_SHARED : i->space;
    return i->space;
}
static void check_address(struct parser *p, const struct ptx_insn *i, unsigned k) {
    const struct ptx_operand *o = &i->operand[k];
    const enum ptx_space space = space_of(i, k);
    if (o->kind != PTX_MEMORY) wrong_operand(p, i, k, "an address in [ ]");
    if (o->symbol) {
        const enum ptx_space s = o->symbol->space;
        if (s != space && !(space == PTX_GENERIC && s == PTX_GLOBAL))
            ptx_fail(p, i->text_line, "`%.*s`: `%s` is in .%s memory", SHOW(p->mnemonic), o->symbol->name,
                     ptx_space_name(s));
        if (s == PTX_PARAM) check_parameter_access(p, i, o);
    } else if (o->reg != PTX_NO_REG) {
        const enum ptx_type t = register_type(p, o);
        const bool narrow = space == PTX_SHARED || space == PTX_LOCAL;
        if ((!is_bits(t) && !is_integer(t)) || (ptx_type_bits(t) != 64 && !(ptx_type_bits(t) == 32 && narrow)))
            wrong_operand(p, i, k,
                          narrow ? "addressed by a 32-bit or 64-bit integer register"
                                 : "addressed by a 64-bit integer register");
        if (i->space == PTX_PARAM && i->op != PTX_OP_ld)
            ptx_fail(p, i->text_line, "`%.*s` through a register cannot write a parameter", SHOW(p->mnemonic));
    }
}
/* Checks mov. An operand is a single value, or a vector whose elements together are as large as the other operand. */
static void check_mov(struct parser *p, const struct ptx_insn *i) {
    const struct ptx_operand *to = &i->operand[0], *from = &i->operand[1];
    const unsigned bits = ptx_type_bits(i->type);
    for (unsigned k = 0; k < 2; k++) {
        const struct ptx_operand *o = &i->operand[k];
        if (o->kind != PTX_VECTOR) continue;
        const unsigned part = bits / o->count;
        const enum ptx_type type = part == 8 ? PTX_B8 : part == 16 ? PTX_B16 : part == 32 ? PTX_B32 : PTX_NOTYPE;
        if (!type || bits % o->count || !is_bits(i->type))
            wrong_operand(p, i, k, "a vector of 8-, 16- or 32-bit elements of the same total size");
        check_elements(p, i, k, type, k == 0, false);
    }
    if (to->kind == PTX_VECTOR && from->kind != PTX_REGISTER) wrong_operand(p, i, 1, "a register");
    if (to->kind != PTX_VECTOR) check_destination(p, i, 0, to, i->type, false);
    if (from->kind != PTX_VECTOR) check_source(p, i, 1, from, i->type, false);
}
static void check_cvta(struct parser *p, const struct ptx_insn *i) {
    const struct ptx_operand *from = &i->operand[1];
    if (from->kind == PTX_SYMBOL) {
        if (!from->symbol || from->symbol->space != i->space || ptx_mod_of(i, PTX_CLASS_TO))
            wrong_operand(p, i, 1, "an address in the named state space");
    } else if (from->kind != PTX_REGISTER)
        wrong_operand(p, i, 1, "an address");
    check_source(p, i, 1, from, i->type, false);
}
/* Checks mapa and getctarank. Their source is an address in shared memory; without a state space, it is a generic
 * address. */
static void check_rank(struct parser *p, const struct ptx_insn *i) {
    const struct ptx_operand *from = &i->operand[1];
    if (from->kind == PTX_SYMBOL ? !i->cluster || !from->symbol || from->symbol->space != PTX_SHARED
                                 : from->kind != PTX_REGISTER)
        wrong_operand(p, i, 1, "an address in the named state space");
    check_register(p, i, 1, from, i->type, false);
}

/* ---- textures and surfaces ------------------------------------------------------------------------------------- */
static unsigned coordinates_of(const struct ptx_insn *i, unsigned k) {
    const bool differences = k > 2;
    const enum ptx_mod in = ptx_mod_of(i, PTX_CLASS_GEOMETRY);
    if (ptx_traits_of(i)->tensor)
        return in == PTX_MOD_IN_1D   ? 1
               : in == PTX_MOD_IN_2D ? 2
               : in == PTX_MOD_IN_3D ? 3
               : in == PTX_MOD_IN_4D ? 4
                                     : 5;
    switch (in) {
    case PTX_MOD_IN_1D: return 1;
    case PTX_MOD_IN_A1D: return differences ? 1 : 2;
    case PTX_MOD_IN_2D: return 2;
    case PTX_MOD_IN_A2D: return differences ? 2 : 4;
    default: return 4;
    }
}
/* Checks coordinates, which have 32 bits. The index of a layer is an integer. All other coordinates have the second
 * type. Three coordinates are written as a vector of four, whose last element is unused. */
static void check_coordinates(struct parser *p, const struct ptx_insn *i, unsigned k) {
    const struct ptx_operand *o = &i->operand[k];
    const unsigned wanted = coordinates_of(i, k), count = o->kind == PTX_VECTOR ? o->count : 1;
    const enum ptx_mod in = ptx_mod_of(i, PTX_CLASS_GEOMETRY);
    const bool layered = k <= 2 && (in == PTX_MOD_IN_A1D || in == PTX_MOD_IN_A2D || in == PTX_MOD_IN_ACUBE);
    const enum ptx_type type = i->type2 ? i->type2 : PTX_S32;
    if (count != wanted)
        ptx_refuse(p, i->text_line, "operand %u of `%.*s` must hold %u coordinate%s", k + 1, SHOW(p->mnemonic), wanted,
                   wanted == 1 ? "" : "s");
    for (unsigned n = 0; n < count; n++) {
        const struct ptx_operand *e = o->kind == PTX_VECTOR ? &o->elements[n] : o;
        if (e->negated || (e->kind != PTX_REGISTER && e->kind != PTX_IMMEDIATE))
            wrong_operand(p, i, k, "of registers and constants");
        check_register(p, i, k, e, layered && !n ? PTX_U32 : type, false);
    }
}

/* ---- matrices -------------------------------------------------------------------------------------------------- */
static unsigned part_of_shape(enum ptx_mod shape, char part) {
    const char *at = strchr(ptx_mod_text(shape), part);
    unsigned n = 0;
    for (at = at ? at + 1 : ""; *at >= '0' && *at <= '9'; at++) n = 10 * n + (unsigned)(*at - '0');
    return n;
}
static bool is_wmma(const struct ptx_insn *i) { return !strncmp(ptx_ops[i->op].mnemonic, "wmma", 4); }
/* Returns whether the instruction is a matrix product that names four types. */
static bool has_types(const struct ptx_insn *i) { return ptx_traits_of(i)->more_types == 2; }
static bool is_sparse(const struct ptx_insn *i) {
    return i->op == PTX_OP_mma_sparse || i->op == PTX_OP_mma_sparse_ordered;
}
static bool is_product(const struct ptx_insn *i) { return *ptx_ops[i->op].operands == 'T' && i->count >= 4; }
/* Returns whether the instruction computes four products, one for each group of eight lanes. */
static bool is_quads(const struct ptx_insn *i) {
    return ptx_mod_of(i, PTX_CLASS_SHAPE) == PTX_MOD_M8N8K4 && i->type2 == PTX_F16;
}
/* Returns whether the types of A, B, C and D can be combined for this shape (PTX ISA, mma and wmma.mma). */
static bool types_agree(const struct ptx_insn *i) {
    const enum ptx_type a = i->type2, b = i->more[0];
    const unsigned shared = part_of_shape(ptx_mod_of(i, PTX_CLASS_SHAPE), 'k');
    const bool narrow = (a == PTX_E4M3 || a == PTX_E5M2) && (b == PTX_E4M3 || b == PTX_E5M2);
    if (i->more[1] != i->type) return false;
    if (is_quads(i)) return b == a && (i->type == PTX_F16 || i->type == PTX_F32);
    if (is_sparse(i)) { /* a row of A has 256 or 512 bits */
        const unsigned line = shared * ptx_type_bits(a);
        const bool ints = a == PTX_S8 || a == PTX_U8 || a == PTX_S4 || a == PTX_U4,
                   pair = ptx_type_bits(a) == ptx_type_bits(b);
        if (narrow) return line == 512 && i->type != PTX_S32;
        if (line != 256 && line != 512) return false;
        if (i->type == PTX_S32) return ints && pair;
        return a == b && (a == PTX_F16 || (i->type == PTX_F32 && (a == PTX_BF16 || a == PTX_TF32)));
    }
    if (narrow) return !is_wmma(i) && (i->type == PTX_F16 || i->type == PTX_F32) && shared >= 16;
    switch (i->type) {
    case PTX_F16: return a == PTX_F16 && b == a && !is_wmma(i) && shared <= 16;
    case PTX_F64: return a == PTX_F64 && b == a;
    case PTX_S32: {
        const unsigned bits = ptx_type_bits(a), rows = part_of_shape(ptx_mod_of(i, PTX_CLASS_SHAPE), 'm');
        if (bits == 1) return b == a;
        if (is_wmma(i)) return b == a && (bits == 8 || shared == 32);
        return ptx_type_bits(b) == bits && (bits == 4 ? shared >= 32 : shared <= 2 * rows);
    }
    default:
        if (is_wmma(i)) return a == b && a == (shared == 8 ? PTX_TF32 : PTX_BF16);
        return a == b && (a == PTX_TF32 ? shared <= 8 : (a == PTX_F16 || a == PTX_BF16) && shared >= 8 && shared <= 16);
    }
}
/* Returns the matrix to which operand k belongs: 'a', 'b' or 'c'. Returns 'c' for D too. */
static char matrix_of(const struct ptx_insn *i, unsigned k) {
    if (is_product(i)) return k == 1 ? 'a' : k == 2 ? 'b' : 'c';
    return i->op == PTX_OP_wmma_load_a ? 'a' : i->op == PTX_OP_wmma_load_b ? 'b' : 'c';
}
static enum ptx_type matrix_type(const struct ptx_insn *i, unsigned k) {
    const char m = matrix_of(i, k);
    if (!is_product(i)) return i->type;
    if (!has_types(i)) return m != 'c' ? PTX_F16 : k ? i->type2 : i->type;
    return m == 'a' ? i->type2 : m == 'b' ? i->more[0] : i->type;
}
/* Returns the number of registers in a lane's fragment of a matrix. A register has 64 bits for .f64, otherwise 32. In
 * wmma, fragments of .f16 matrices A and B have 8 registers for every shape. */
static unsigned fragment_registers(const struct ptx_insn *i, unsigned k) {
    const enum ptx_mod shape = ptx_mod_of(i, PTX_CLASS_SHAPE);
    if (i->columns) return i->columns / 2u * ptx_type_bits(i->type) / 32;
    const unsigned m = part_of_shape(shape, 'm'), n = part_of_shape(shape, 'n'), shared = part_of_shape(shape, 'k');
    const char matrix = matrix_of(i, k);
    const unsigned products = is_product(i) && is_quads(i) ? 4 : 1, stored = is_sparse(i) ? shared / 2 : shared,
                   elements = products * (matrix == 'a'   ? m * stored
                                          : matrix == 'b' ? shared * n
                                                          : m * n);
    const enum ptx_type t = matrix_type(i, k);
    if (is_wmma(i) && matrix != 'c' && t == PTX_F16) return 8;
    return !shape ? i->vec : elements * ptx_type_bits(t) / (t == PTX_F64 ? 64 : 32) / 32;
}
static void check_fragment(struct parser *p, const struct ptx_insn *i, unsigned k) {
    const struct ptx_operand *o = &i->operand[k];
    const enum ptx_type t = matrix_type(i, k), type = t == PTX_F64 || t == PTX_F32 ? t : PTX_B32;
    if (has_types(i) && !types_agree(i))
        ptx_refuse(p, i->text_line, "`%.*s`: invalid combination of types and shape", SHOW(p->mnemonic));
    const unsigned wanted = fragment_registers(i, k);
    if ((o->kind == PTX_VECTOR ? o->count : 1) != wanted)
        ptx_fail(p, i->text_line, "operand %u of `%.*s` must hold %u register%s", k + 1, SHOW(p->mnemonic), wanted,
                 wanted == 1 ? "" : "s");
    for (unsigned n = 0; n < wanted; n++) {
        const struct ptx_operand *e = o->kind == PTX_VECTOR ? &o->elements[n] : o;
        if (e->kind != PTX_REGISTER || e->negated) wrong_operand(p, i, k, "of registers");
        check_register(p, i, k, e, type, false);
    }
}

/* Checks operand A or B of wgmma. It is a matrix descriptor in one register; A may instead be a fragment in four
 * registers. */
static void check_matrix(struct parser *p, const struct ptx_insn *i, unsigned k) {
    const struct ptx_operand *o = &i->operand[k];
    const bool fragment = k == 1 && o->kind == PTX_VECTOR && o->count == 4;
    if (!fragment && o->kind != PTX_REGISTER) wrong_operand(p, i, k, "a matrix descriptor in a register");
    for (unsigned n = 0; n < (fragment ? 4 : 1); n++) {
        const struct ptx_operand *e = fragment ? &o->elements[n] : o;
        if (e->kind != PTX_REGISTER || e->negated) wrong_operand(p, i, k, "of registers");
        check_register(p, i, k, e, fragment ? PTX_B32 : PTX_B64, false);
    }
}
/* Checks the types and the shape of wgmma (PTX ISA, wgmma.mma_async). */
static void check_product(struct parser *p, const struct ptx_insn *i) {
    const enum ptx_type a = i->type2, b = i->more[0];
    const bool bytes = a == PTX_S8 || a == PTX_U8, narrow = a == PTX_E4M3 || a == PTX_E5M2;
    const bool pair = a == b || (bytes && (b == PTX_S8 || b == PTX_U8)) || (narrow && (b == PTX_E4M3 || b == PTX_E5M2));
    const bool sums =
        bytes ? i->type == PTX_S32 : i->type == PTX_F32 || (i->type == PTX_F16 && (a == PTX_F16 || narrow));
    const bool shape = i->depth * ptx_type_bits(a) == 256 && i->columns && i->columns % 8 == 0 && i->columns <= 256 &&
                       (!bytes || i->columns <= 24 || i->columns % 16 == 0);
    if (!pair || !sums || !shape)
        ptx_refuse(p, i->text_line, "`%.*s`: invalid combination of types and shape", SHOW(p->mnemonic));
}

/* ---- instructions ---------------------------------------------------------------------------------------------- */
static void check_operand(struct parser *p, const struct ptx_insn *i, unsigned k, char letter) {
    const struct ptx_operand *o = &i->operand[k];
    const bool cvt = i->op == PTX_OP_cvt;
    if (o->negated && letter != 'q') wrong_operand(p, i, k, "without `!`");
    switch (letter) {
    case 'd': check_destination(p, i, k, o, i->type ? i->type : PTX_B32, cvt); break;
    case 'w': check_destination(p, i, k, o, ptx_widened(i->type), false); break;
    case 'a': check_source(p, i, k, o, i->type ? i->type : PTX_B64, false); break;
    case 'c': check_source(p, i, k, o, ptx_widened(i->type), false); break;
    case 's': check_source(p, i, k, o, i->type2, cvt); break;
    case 'v': check_destination(p, i, k, o, PTX_B32, false); break;
    case 'u':
    case 'e': check_source(p, i, k, o, PTX_U32, false); break;
    case 'r': check_source(p, i, k, o, PTX_F32, false); break;
    case 'h': check_source(p, i, k, o, PTX_B16, false); break;
    case 'p':
        if (o->kind != PTX_NONE || i->pred_dest.kind == PTX_NONE) check_predicate(p, i, k, o, false);
        break;
    case 'q': check_predicate(p, i, k, o, true); break;
    case 'D':
        if (i->op != PTX_OP_mov) check_moved(p, i, k, true);
        break;
    case 'A': check_moved(p, i, k, false); break;
    case 'T':
    case 't': check_fragment(p, i, k); break;
    case 'g': check_matrix(p, i, k); break;
    case 'm': check_address(p, i, k); break;
    case 'o':
        if (o->kind != PTX_REGISTER) wrong_operand(p, i, k, "a register that holds an object");
        check_register(p, i, k, o, PTX_B64, false);
        break;
    case 'k': check_coordinates(p, i, k); break;
    /* The rules for operands with letter x, and for operand D of mov, depend on the instruction: ptx_check() applies
     * them. For letter l, the parser accepts only labels. */
    default: break;
    }
}
static bool is_block_barrier(const struct ptx_insn *i) {
    return ptx_traits_of(i)->memory == PTX_MEMORY_BARRIER && ptx_traits_of(i)->crosses == PTX_CROSSES_WARPS;
}
/* Checks the constants of a barrier: its number must be from 0 to 15, and its thread count a positive multiple of the
 * warp size (PTX ISA, bar). */
static void check_barrier(struct parser *p, const struct ptx_insn *i) {
    const unsigned reduction = ptx_written(i);
    const struct ptx_operand *id = &i->operand[reduction], *count = &i->operand[reduction + 1];
    const bool counted = i->count == (reduction ? 4 : 2);
    if (id->kind == PTX_IMMEDIATE && id->imm > 15) wrong_operand(p, i, reduction, "a barrier from 0 to 15");
    if (counted && count->kind == PTX_IMMEDIATE && (!count->imm || count->imm % 32))
        wrong_operand(p, i, reduction + 1, "a multiple of 32, because whole warps arrive");
}
/* Moves the last operand of an instruction with .level::cache_hint to `policy`. The operand is a cache policy, which
 * PTX allows for global memory only (PTX ISA, ld). The simulator ignores policies. */
void ptx_take_policy(struct parser *p, struct ptx_insn *i) {
    const struct ptx_operand *o = i->count ? &i->operand[i->count - 1] : NULL;
    if (!o || o->kind != PTX_REGISTER || o->negated)
        ptx_refuse(p, i->text_line, "the last operand of `%.*s` must be a register that holds a cache policy",
                   SHOW(p->mnemonic));
    check_register(p, i, i->count - 1, o, PTX_B64, false);
    if (ptx_traits_of(i)->memory && i->space != PTX_GENERIC && i->space != PTX_GLOBAL)
        ptx_refuse(p, i->text_line, "`%.*s`: a cache policy requires .global", SHOW(p->mnemonic));
    i->policy = *o;
    i->count--;
}
/* Checks that an asynchronous copy goes to shared memory and copies 4, 8 or 16 bytes, or exactly 16 with .cg (PTX ISA,
 * cp.async). */
static void check_copy(struct parser *p, const struct ptx_insn *i) {
    const struct ptx_operand *size = &i->operand[2];
    const bool whole = ptx_mod_of(i, PTX_CLASS_CACHE) == PTX_MOD_CG;
    if (i->space != PTX_SHARED)
        ptx_refuse(p, i->text_line, "`%.*s`: the destination of a copy must be .shared", SHOW(p->mnemonic));
    if (size->kind != PTX_IMMEDIATE || (size->imm != 16 && (whole || (size->imm != 4 && size->imm != 8))))
        wrong_operand(p, i, 2, whole ? "16 bytes, which .cg copies" : "4, 8 or 16 bytes");
}
/* Checks the state space of a bulk copy's destination, and that a constant size is a multiple of 16 bytes (PTX ISA,
 * cp.async.bulk). */
static void check_bulk(struct parser *p, const struct ptx_insn *i) {
    const struct ptx_operand *size = &i->operand[2];
    const enum ptx_space to = ptx_traits_of(i)->bulk == PTX_BULK_STORE ? PTX_GLOBAL : PTX_SHARED;
    const bool tensor = ptx_traits_of(i)->tensor, given = ptx_traits_of(i)->bulk == PTX_BULK_SEND;
    if (i->space != to)
        ptx_refuse(p, i->text_line, "`%.*s`: the destination must be .%s", SHOW(p->mnemonic),
                   to == PTX_SHARED ? "shared::cluster" : "global");
    if (!tensor && !given && size->kind == PTX_IMMEDIATE && size->imm % 16)
        wrong_operand(p, i, 2, "a multiple of 16 bytes");
}
/* Checks tensormap.replace (PTX ISA). Fields that have one value per dimension take an additional operand, the index of
 * the dimension. */
static void check_field(struct parser *p, const struct ptx_insn *i) {
    const enum ptx_mod field = ptx_mod_of(i, PTX_CLASS_MODE);
    const bool several = field == PTX_MOD_BOX_DIM || field == PTX_MOD_GLOBAL_DIM || field == PTX_MOD_GLOBAL_STRIDE ||
                         field == PTX_MOD_ELEMENT_STRIDE;
    const unsigned last = field == PTX_MOD_GLOBAL_STRIDE ? 3 : 4;
    if (several != (i->count == 3))
        ptx_fail(p, i->text_line, "`%.*s` takes %d operands", SHOW(p->mnemonic), several ? 3 : 2);
    if (several && (i->operand[1].kind != PTX_IMMEDIATE || i->operand[1].imm > last))
        wrong_operand(p, i, 1, "a constant: the index of a dimension");
}
/* Checks the selected bytes and halves in the operands of video instructions (PTX ISA, "Video Instructions"). */
static void check_parts(struct parser *p, const struct ptx_insn *i) {
    const char last = ptx_ops[i->op].mnemonic[strlen(ptx_ops[i->op].mnemonic) - 1];
    const unsigned lanes = last == '2' || last == '4' ? (unsigned)(last - '0') : 1;
    const struct ptx_part *d = &i->operand[0].part;
    const bool product = i->op == PTX_OP_vmad || i->op == PTX_OP_vmad_po;
    const bool third = ptx_mod_of(i, PTX_CLASS_OPERATION) || d->count;
    for (unsigned k = 0; k < i->count; k++) {
        const struct ptx_part *o = &i->operand[k].part;
        bool good = !o->count || (lanes > 1 ? o->bits == 32 / lanes && (!k || o->count == lanes) : o->count == 1);
        for (unsigned n = 0; n < o->count; n++) {
            good = good && o->which[n] < (lanes > 1 && k ? 2 : 1) * 32u / o->bits;
            good = good && (k || !n || o->which[n] > o->which[n - 1]);
        }
        if (!good || (o->count && k > 2))
            wrong_operand(p, i, k, "a register, or a part of it that the instruction accepts");
    }
    if (product && d->count) wrong_operand(p, i, 0, "a whole register");
    if (lanes == 1 && !product && ptx_mod_of(i, PTX_CLASS_OPERATION) && d->count)
        ptx_refuse(
            p, i->text_line,
            "`%.*s` either combines its result with operand c, or inserts the result into a part of c, but not both",
            SHOW(p->mnemonic));
    if (lanes == 1 && !product && third != (i->count == 4))
        ptx_refuse(p, i->text_line,
                   "`%.*s`: a fourth operand requires .add, .min, .max or a part of the first operand, and vice versa",
                   SHOW(p->mnemonic));
    if (lanes > 1 && ptx_mod_of(i, PTX_CLASS_OPERATION) && ptx_mod_of(i, PTX_CLASS_SAT))
        ptx_refuse(p, i->text_line, "`%.*s`: .add and .sat exclude each other", SHOW(p->mnemonic));
    if ((i->op == PTX_OP_vshl || i->op == PTX_OP_vshr) && i->more[0] != PTX_U32)
        ptx_refuse(p, i->text_line, "`%.*s`: the third type must be .u32", SHOW(p->mnemonic));
}
void ptx_check(struct parser *p, const struct ptx_insn *i) {
    const char *letters[PTX_MAX_OPERANDS];
    if (i->op == PTX_OP_call) return; /* calls are checked by the parser */
    ptx_signature(i->op, i->count, letters);
    if (i->op == PTX_OP_wgmma) check_product(p, i);
    for (unsigned k = 0; k < i->count; k++) check_operand(p, i, k, *letters[k]);
    if (i->pred_dest.kind == PTX_REGISTER) {
        if (ptx_ops[i->op].operands[1] != '|')
            ptx_fail(p, i->text_line, "`%.*s` has one destination", SHOW(p->mnemonic));
        if (i->pred_dest.negated) wrong_operand(p, i, 0, "without `!`");
        check_predicate(p, i, 0, &i->pred_dest, false);
    }
    switch (i->op) {
    case PTX_OP_mov: check_mov(p, i); break;
    case PTX_OP_cvta: check_cvta(p, i); break;
    case PTX_OP_mapa:
    case PTX_OP_getctarank: check_rank(p, i); break;
    case PTX_OP_cp_async: check_copy(p, i); break;
    case PTX_OP_sust:
        if (i->operand[2].kind != PTX_VECTOR && i->operand[2].kind != PTX_REGISTER &&
            i->operand[2].kind != PTX_IMMEDIATE)
            wrong_operand(p, i, 2, "of registers and constants");
        break;
    case PTX_OP_wgmma_wait:
    case PTX_OP_cp_wait_group:
    case PTX_OP_bulk_wait:
    case PTX_OP_bulk_wait_read:
        if (i->operand[0].kind != PTX_IMMEDIATE)
            wrong_operand(p, i, 0, "a constant: how many groups may stay in flight");
        break;
    case PTX_OP_map_replace: check_field(p, i); break;
    case PTX_OP_lop3:
        if (i->operand[4].kind != PTX_IMMEDIATE || i->operand[4].imm > 255)
            wrong_operand(p, i, 4, "a constant from 0 to 255");
        break;
    case PTX_OP_atom:
    case PTX_OP_atom_pair:
        if ((ptx_mod_of(i, PTX_CLASS_OPERATION) == PTX_MOD_CAS) != (i->count == 4))
            ptx_fail(p, i->text_line, "`%.*s`: .cas takes two values, the other operations one", SHOW(p->mnemonic));
        break;
    default: break;
    }
    if (ptx_copies_bulk(i)) check_bulk(p, i);
    if (is_block_barrier(i)) check_barrier(p, i);
    if (p->parts) check_parts(p, i);
}
