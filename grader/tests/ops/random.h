/* Generates random PTX programs from the instruction table, with branches, loops, local and shared memory, exchanges
 * between lanes, and reductions in memory. Their results have the same bits on all machines, except for the bits of
 * NaNs. For this reason, floats are never read as words, nothing depends on the order of threads, and sums and
 * products specify a rounding mode (otherwise, a compiler might fuse them).
 *
 * To draw an instruction, the generator draws a row, its types, its words and its operands. The kit's parser decides
 * whether the instruction is valid. */
#ifndef TESTS_OPS_RANDOM_H
#define TESTS_OPS_RANDOM_H

#include "tests/ops/edges.h"

enum { RANDOM_GRID = 2, RANDOM_BLOCK = 64, RANDOM_THREADS = RANDOM_GRID * RANDOM_BLOCK };
/* Registers by class. At the start, each thread loads all of them; at the end, it stores all of them, with 8 bytes
 * for each. */
static const struct {
    /* prefix of the names, declared type, and type of loads and stores, such as "%r", ".b32" and "u32" */
    const char *prefix, *reg, *move;
    unsigned count;
    enum ptx_type edges;
    bool real;
} random_classes[] = {
    {"%h", ".b16", "u16", 4, PTX_B16, false}, {"%r", ".b32", "u32", 6, PTX_B32, false},
    {"%d", ".b64", "u64", 4, PTX_B64, false}, {"%f", ".f32", "f32", 5, PTX_F32, true},
    {"%e", ".f64", "f64", 4, PTX_F64, true},
};
enum { RANDOM_H, RANDOM_R, RANDOM_D, RANDOM_F, RANDOM_E, RANDOM_CLASSES, RANDOM_PREDICATES = 4 };
/* A thread's output is its values and a word with all its predicates. The counters follow the outputs of all
 * threads. */
enum { RANDOM_VALUES = 4 + 6 + 4 + 5 + 4, RANDOM_COUNTERS = 8 };
enum { RANDOM_OUT = RANDOM_THREADS * (RANDOM_VALUES + 1) + RANDOM_COUNTERS };

struct random_program {
    struct text *t;
    uint64_t state;
    unsigned labels, depth, loops;
};
static inline unsigned any(struct random_program *p, unsigned below) {
    return (unsigned)(random_next(&p->state) % below);
}

/* ---- operands ---------------------------------------------------------------------------------------------------- */
static inline int random_class(enum ptx_type type, bool wide) {
    if (type == PTX_F32) return RANDOM_F;
    if (type == PTX_F64) return RANDOM_E;
    const unsigned bits = ptx_type_bits(type) << wide;
    return bits <= 16 ? RANDOM_H : bits == 32 ? RANDOM_R : RANDOM_D;
}
static inline void random_register(struct random_program *p, int class, struct text *to) {
    text_add(to, "%s%u", random_classes[class].prefix, any(p, random_classes[class].count));
}
static inline void random_source(struct random_program *p, enum ptx_type type, bool wide, struct text *to) {
    const int class = random_class(type, wide);
    const bool pair = type == PTX_U16X2 || type == PTX_S16X2; /* an operand of these types must be a register */
    if (pair || any(p, 4)) {
        random_register(p, class, to);
        return;
    }
    const struct edges e = edges_of(class == random_class(type, false) ? type : random_classes[class].edges);
    const unsigned long long v = e.values[any(p, e.count)];
    if (class == RANDOM_F)
        text_add(to, "0f%08llx", v);
    else if (class == RANDOM_E)
        text_add(to, "0d%016llx", v);
    else
        text_add(to, "0x%llx", v);
}
static inline void random_operand(struct random_program *p, char kind, bool in_register, enum ptx_type type,
                                  enum ptx_type type2, struct text *to) {
    switch (kind) {
    case 'v': random_register(p, RANDOM_R, to); break;
    case 'd': random_register(p, random_class(type, false), to); break;
    case 'w': random_register(p, random_class(type, true), to); break;
    case 'p': text_add(to, "%%p%u", any(p, RANDOM_PREDICATES)); break;
    case 'q': text_add(to, "%s%%p%u", any(p, 4) ? "" : "!", any(p, RANDOM_PREDICATES)); break;
    case 's': random_source(p, type2, false, to); break;
    case 'c': random_source(p, type, true, to); break;
    case 'u':
        if (in_register || any(p, 2))
            random_register(p, RANDOM_R, to);
        else
            text_add(to, "%u", (unsigned)(edges_amount[any(p, sizeof edges_amount / sizeof *edges_amount)] & 0xff));
        break;
    default: random_source(p, type, false, to); break;
    }
}

/* ---- one instruction of the table -------------------------------------------------------------------------------- */
/* Returns whether instructions of the row are drawn. Excludes rows that involve memory, control or other lanes;
 * functions below write many of these. Also excludes rows whose results differ between GPUs, depend on the sign of a
 * NaN, or may be undefined or opaque. */
static inline bool is_drawn(enum ptx_op op) {
    const struct ptx_op_row *row = &ptx_ops[op];
    if (op == PTX_OP_copysign || op == PTX_OP_isspacep) return false;
    if (row_carries(op)) return false; /* the carry passes from one instruction to another */
    if (op == PTX_OP_cvt_pair || op == PTX_OP_rem_int) return false; /* a remainder of a division by 0 is undefined */
    if (op == PTX_OP_mbarrier_pending) return false;                 /* the operand is an opaque state */
    if (!strncmp(row->mnemonic, "createpolicy", 12)) return false;   /* the bits of a policy are opaque */
    if (op == PTX_OP_alloca || op == PTX_OP_stacksave) return false; /* the results are addresses */
    if (op == PTX_OP_fns) return false;                              /* a base above 31 is undefined */
    return strchr("dwpv", *row->operands) && *row->operands && !row->traits.crosses &&
           !strpbrk(row->operands, "xDAmlfTte");
}
static inline bool is_wanted(enum ptx_type t) {
    return t != PTX_F16 && t != PTX_BF16 && t != PTX_F16X2 && t != PTX_BF16X2;
}
static inline enum ptx_type random_type(struct random_program *p, uint32_t set) {
    enum ptx_type all[PTX_TYPE_COUNT];
    unsigned count = 0;
    for (int t = 1; t < PTX_TYPE_COUNT; t++)
        if (set >> t & 1 && is_wanted((enum ptx_type)t)) all[count++] = (enum ptx_type)t;
    return count ? all[any(p, count)] : PTX_NOTYPE;
}
/* Writes an instruction's words in the order that PTX requires: .ftz follows the comparison. */
static inline void random_words(struct random_program *p, enum ptx_op op, enum ptx_type type, enum ptx_type type2,
                                struct text *to) {
    static const unsigned order[] = {PTX_CLASS_ROUND,     PTX_CLASS_SATFINITE, PTX_CLASS_CMP,
                                     PTX_CLASS_OPERATION, PTX_CLASS_MODE,      PTX_CLASS_APPROX,
                                     PTX_CLASS_FTZ,       PTX_CLASS_SAT,       PTX_CLASS_RELU};
    for (unsigned k = 0; k < sizeof order / sizeof *order; k++) {
        enum ptx_mod words[PTX_MOD_COUNT];
        unsigned count = 0;
        const bool needed = order[k] == PTX_CLASS_ROUND || order[k] == PTX_CLASS_SATFINITE ||
                            order[k] == PTX_CLASS_CMP || order[k] == PTX_CLASS_MODE;
        if (!(ptx_ops[op].allow >> order[k] & 1) || (!needed && any(p, 3))) continue;
        for (int m = 1; m < PTX_MOD_COUNT; m++)
            if (takes_word(&ptx_ops[op], (enum ptx_mod)m) &&
                ptx_mod_allowed(op, type, type2, order[k], (enum ptx_mod)m))
                words[count++] = (enum ptx_mod)m;
        if (count) text_add(to, ".%s", ptx_mod_text(words[any(p, count)]));
    }
}
static inline void random_candidate(struct random_program *p, struct text *line) {
    enum ptx_op op;
    do op = (enum ptx_op)any(p, PTX_OP_COUNT);
    while (!is_drawn(op));
    const struct ptx_op_row *row = &ptx_ops[op];
    const enum ptx_type type = random_type(p, row->types), type2 = random_type(p, row->types2);
    line->length = 0;
    if (!any(p, 6) && op != PTX_OP_set && op != PTX_OP_testp)
        text_add(line, "@%s%%p%u ", any(p, 2) ? "!" : "", any(p, RANDOM_PREDICATES));
    text_add(line, "%s", row->mnemonic);
    random_words(p, op, type, type2, line);
    if (type != PTX_NOTYPE) text_add(line, ".%s", ptx_type_name(type));
    if (type2 != PTX_NOTYPE) text_add(line, ".%s", ptx_type_name(type2));
    bool first = true;
    for (const char *s = row->operands; *s; s++) {
        if (*s == ' ' || *s == ',' || *s == '?') continue;
        if (s[1] == '?' && any(p, 2)) break;
        if (*s == '|') {
            s++;
            continue;
        }
        text_add(line, first ? " " : ", ");
        random_operand(p, *s, first, type, type2, line);
        first = false;
    }
    text_add(line, ";\n");
}
static inline void random_declarations(struct text *t) {
    for (unsigned c = 0; c < RANDOM_CLASSES; c++)
        text_add(t, ".reg %s %s<%u>;\n", random_classes[c].reg, random_classes[c].prefix, random_classes[c].count);
    text_add(t, ".reg .pred %%p<%u>;\n.reg .pred %%go;\n.reg .b32 %%t, %%b, %%l, %%i<4>, %%x, %%y;\n",
             RANDOM_PREDICATES);
    text_add(t, ".reg .b16 %%z;\n.reg .b64 %%to, %%from, %%mine, %%at, %%counters;\n");
    text_add(t, ".shared .align 8 .b8 buffer[512];\n.local .align 16 .b8 depot[32];\n");
}
static inline bool is_instruction(const char *line) {
    static struct text t;
    struct ptx_error error;
    t.length = 0;
    text_add(&t, HEADER ".visible .entry k() {\n");
    random_declarations(&t);
    text_add(&t, "%sret;\n}\n", line);
    struct ptx_module *m = ptx_parse(t.data, t.length, "candidate", &error);
    struct sim_error unknown;
    struct sim_program *program = m ? sim_program_new(m, &unknown) : NULL;
    sim_program_free(program);
    ptx_free(m);
    return program != NULL;
}
/* Instructions that a driver's compiler replaces if certain other instructions are near (CUDA 13.0 for sm_90).
 * check_ops_lanes compares each of them alone. */
static const struct {
    const char *text, *why;
} left_out[] = {
    {"bfe.", "constant positions and lengths beyond the width give other results"},
    {"bfi.", "as above; for 64 bits, more than 8 bits of the position are used"},
    {"abs.", "the next instruction assumes a result of 0 or more, which is wrong for the lowest integer and for NaN"},
    {"neg.s16", "for the lowest number, the next instruction gets a 17-bit result"},
    {"mul.hi", "fused with an addition, which then also adds to the low half, so carries differ"},
    {"mad.hi", "as above"},
    {"bfind", "a shift that follows assumes a result below 64, but for 0 all bits are ones"},
    {"cnot.", "in a loop next to a shift, the result 1 becomes 0"},
    {"slct.", "a constant third operand above 2^31 is treated as positive"},
    {"shl.b64", "by a constant of 64 or more"},
    {"shr.b64", "as above"},
    {"shr.u64", "as above"},
    {"shr.s64", "as above"},
    {".sat.s32", "fused with an addition, which then saturates before it wraps"},
    {"sad.", "as above"},
    {"cvt.rna.satfinite.tf32",
     "keeps bits of a NaN, and the ISA does not specify which NaN the previous operation returns"},
    {"rcp.rn.ftz", "GPUs flush a result that rounds up to the smallest normal number, but the simulator does not"},
    {"rcp.rz.ftz", "as above"},
    {"rcp.rm.ftz", "as above"},
    {"rcp.rp.ftz", "as above"},
};
static inline bool is_compared(const char *line) {
    for (size_t k = 0; k < sizeof left_out / sizeof *left_out; k++)
        if (strstr(line, left_out[k].text)) return false;
    for (size_t k = 0; k < sizeof not_compared / sizeof *not_compared; k++)
        if (strstr(line, not_compared[k].text) && (!not_compared[k].and || strstr(line, not_compared[k].and)))
            return false;
    return true;
}
static inline void random_instruction(struct random_program *p) {
    static struct text line;
    do random_candidate(p, &line);
    while (!is_compared(line.data) || !is_instruction(line.data));
    text_add(p->t, "%s", line.data);
}

/* ---- statements -------------------------------------------------------------------------------------------------- */
static inline void random_block(struct random_program *p, unsigned statements);

static inline void random_if(struct random_program *p) {
    const unsigned n = p->labels++;
    text_add(p->t, "@%s%%p%u bra ELSE%u;\n", any(p, 2) ? "!" : "", any(p, RANDOM_PREDICATES), n);
    random_block(p, 1 + any(p, 4));
    if (any(p, 2)) {
        text_add(p->t, "bra DONE%u;\nELSE%u:\n", n, n);
        random_block(p, 1 + any(p, 4));
        text_add(p->t, "DONE%u:\n", n);
    } else
        text_add(p->t, "ELSE%u:\n", n);
}
/* Writes a loop of one to four iterations. The number is the same for all lanes, or differs between lanes. */
static inline void random_loop(struct random_program *p) {
    const unsigned n = p->labels++, i = p->loops++;
    if (any(p, 2))
        text_add(p->t, "and.b32 %%i%u, %%l, %u;\n", i, any(p, 4));
    else
        text_add(p->t, "mov.u32 %%i%u, %u;\n", i, any(p, 4));
    text_add(p->t, "LOOP%u:\n", n);
    random_block(p, 1 + any(p, 3));
    text_add(p->t, "sub.u32 %%i%u, %%i%u, 1;\nsetp.ge.s32 %%go, %%i%u, 0;\n@%%go bra LOOP%u;\n", i, i, i, n);
    p->loops--;
}
static inline void random_local(struct random_program *p) {
    static const char *const ways[] = {
        "st.local.b32 [depot+%u], %%r%u;\nld.local.u8 %%r%u, [depot+%u];\n",
        "st.local.b64 [depot+%u], %%d%u;\nld.local.s8 %%h%u, [depot+%u];\n",
        "st.local.b64 [depot+%u], %%d%u;\nld.local.s16 %%r%u, [depot+%u];\n",
        "st.local.b64 [depot+%u], %%d%u;\nld.local.u32 %%d%u, [depot+%u];\n",
    };
    text_add(p->t, "st.local.v4.u32 [depot], {%%t, %%l, %%t, %%b};\nst.local.v2.u64 [depot+16], {%%d0, %%d1};\n");
    text_add(p->t, ways[any(p, 4)], 8 * any(p, 4), any(p, 4), any(p, 4), 8 * any(p, 4));
    text_add(p->t, "ld.local.v2.u32 {%%r%u, %%x}, [depot+%u];\n", any(p, 6), 8 * any(p, 4));
}
/* Writes code that uses memory from alloca, and 128-bit registers. */
static inline void random_alloca(struct random_program *p) {
    text_add(p->t, "{\n.reg .b128 %%q<2>;\n.reg .b64 %%sp, %%area, %%size;\nmov.u64 %%size, 32;\nstacksave.u64 %%sp;\n"
                   "alloca.u64 %%area, %%size, 16;\n");
    text_add(p->t,
             "mov.b128 %%q0, {%%d%u, %%d%u};\nst.local.b128 [%%area+16], %%q0;\nld.local.u64 %%d%u, [%%area+24];\n",
             any(p, 4), any(p, 4), any(p, 4));
    text_add(p->t, "ld.local.b128 %%q1, [%%area+16];\nmov.b128 {%%d%u, _}, %%q1;\nstackrestore.u64 %%sp;\n}\n",
             any(p, 4));
}
static inline void random_words_of_two(struct random_program *p) {
    if (any(p, 2))
        text_add(p->t, "mov.b64 %%d%u, {%%r%u, %%r%u};\n", any(p, 4), any(p, 6), any(p, 6));
    else
        text_add(p->t, "mov.b64 {%%r%u, %%x}, %%d%u;\nmov.b32 {%%h%u, %%z}, %%r%u;\n", any(p, 6), any(p, 4), any(p, 4),
                 any(p, 6));
}
static inline void random_carry(struct random_program *p) {
    const char *const name = any(p, 2) ? "add" : "sub", *const type = any(p, 2) ? "u32" : "s32";
    const unsigned a = any(p, 6), b = any(p, 6), c = any(p, 6), d = any(p, 6), low = any(p, 6), high = any(p, 6);
    text_add(p->t, "mov.u32 %%x, %%r%u;\nmov.u32 %%y, %%r%u;\n", c, d);
    text_add(p->t, "%s.cc.%s %%r%u, %%r%u, %%r%u;\n%sc.%s %%r%u, %%x, %%y;\n", name, type, low, a, b, name, type, high);
}
/* Writes a reduction in memory whose result does not depend on the order. */
static inline void random_reduction(struct random_program *p) {
    static const char *const ways[] = {"add.u32", "min.s32", "max.u32", "and.b32", "or.b32", "xor.b32"};
    const unsigned way = any(p, 7);
    if (way < 6) /* different operations do not commute, so each counter has only one */
        text_add(p->t, "red.global.%s [%%counters+%u], %%r%u;\n", ways[way], 8 * way, any(p, 6));
    else
        text_add(p->t, "red.global.add.u64 [%%counters+48], %%d%u;\n", any(p, 4));
}
static inline void random_shared(struct random_program *p) {
    const bool wide = any(p, 2);
    const unsigned size = wide ? 8 : 4, offset = any(p, RANDOM_BLOCK);
    const char *const type = wide ? "b64 [%%at], %%d%u" : "b32 [%%at], %%r%u";
    text_add(p->t, "mov.u64 %%at, buffer;\nmul.wide.u32 %%mine, %%b, %u;\nadd.u64 %%at, %%at, %%mine;\nst.shared.",
             size);
    text_add(p->t, type, any(p, 4));
    text_add(p->t, ";\nbar.sync 0;\nadd.u32 %%x, %%b, %u;\nand.b32 %%x, %%x, %u;\nmov.u64 %%at, buffer;\n", offset,
             RANDOM_BLOCK - 1);
    text_add(p->t, "mul.wide.u32 %%mine, %%x, %u;\nadd.u64 %%at, %%at, %%mine;\n", size);
    text_add(p->t, wide ? "ld.shared.b64 %%d%u, [%%at];\nbar.sync 0;\n" : "ld.shared.b32 %%r%u, [%%at];\nbar.sync 0;\n",
             any(p, 4));
}
/* Writes loads and stores of matrix fragments. Each warp stores and loads 16 rows of 16 bytes, in its own half of
 * the buffer. */
static inline void random_rows(struct random_program *p) {
    text_add(p->t,
             "and.b32 %%x, %%l, 15;\nshr.u32 %%y, %%b, 5;\nmad.lo.u32 %%x, %%y, 16, %%x;\nmov.u64 %%at, buffer;\n");
    text_add(p->t, "mul.wide.u32 %%mine, %%x, 16;\nadd.u64 %%at, %%at, %%mine;\n");
    text_add(p->t, "stmatrix.sync.aligned.m8n8.x2%s.shared.b16 [%%at], {%%r%u, %%r%u};\nbar.sync 0;\n",
             any(p, 2) ? ".trans" : "", any(p, 6), any(p, 6));
    text_add(p->t, "ldmatrix.sync.aligned.m8n8.x2%s.shared.b16 {%%r%u, %%y}, [%%at];\n", any(p, 2) ? ".trans" : "",
             any(p, 6));
    text_add(p->t, "xor.b32 %%r%u, %%r%u, %%y;\nbar.sync 0;\n", any(p, 6), any(p, 6));
}
/* Writes code in which each thread copies a word of the input, which no thread changes. */
static inline void random_copy(struct random_program *p) {
    text_add(p->t, "mov.u64 %%at, buffer;\nmul.wide.u32 %%mine, %%b, 8;\nadd.u64 %%at, %%at, %%mine;\n");
    text_add(p->t, "add.u64 %%mine, %%from, %%mine;\ncp.async.ca.shared.global [%%at], [%%mine], 8;\n");
    text_add(p->t, any(p, 2) ? "cp.async.wait_all;\n" : "cp.async.commit_group;\ncp.async.wait_group 0;\n");
    text_add(p->t, "ld.shared.b64 %%d%u, [%%at];\nbar.sync 0;\n", any(p, 4));
}
/* Writes a matrix product of integers. */
static inline void random_product(struct random_program *p) {
    static const char *const ways[] = {"m8n8k16.row.col.s32.s8.s8.s32", "m8n8k16.row.col.s32.u8.s8.s32",
                                       "m8n8k16.row.col.satfinite.s32.s8.u8.s32", "m16n8k16.row.col.s32.s8.s8.s32"};
    const unsigned way = any(p, 4), a = any(p, 6), b = any(p, 6), c = any(p, 6), d = any(p, 6);
    text_add(p->t, "mma.sync.aligned.%s ", ways[way]);
    if (way < 3)
        text_add(p->t, "{%%r%u, %%x}, {%%r%u}, {%%r%u}, {%%r%u, %%r%u};\n", d, a, b, c, a);
    else
        text_add(p->t, "{%%r%u, %%x, %%y, %%i3}, {%%r%u, %%r%u}, {%%r%u}, {%%r%u, %%r%u, %%r%u, %%r%u};\n", d, a, b, c,
                 c, a, d, b);
    text_add(p->t, "xor.b32 %%r%u, %%r%u, %%x;\n", any(p, 6), any(p, 6));
}
static inline void random_exchange(struct random_program *p) {
    static const char *const modes[] = {"idx", "down", "bfly", "up"}, *const votes[] = {"all", "any", "uni"},
                             *const sums[] = {"add.s32", "min.u32", "max.s32", "and.b32", "or.b32", "xor.b32"};
    const unsigned mode = any(p, 4), r = any(p, 6), a = any(p, 6), q = any(p, RANDOM_PREDICATES);
    switch (any(p, 8)) {
    case 0:
        text_add(p->t, "and.b32 %%x, %%r%u, 31;\n", any(p, 6));
        text_add(p->t, "shfl.sync.%s.b32 %%r%u|%%p%u, %%r%u, %%x, %u, 0xffffffff;\n", modes[mode], r, q, a,
                 (mode == 3 ? 0 : 31) | (any(p, 2) ? (32 - (8u << any(p, 2))) << 8 : 0));
        break;
    case 1: text_add(p->t, "vote.sync.%s.pred %%p%u, %%p%u, 0xffffffff;\n", votes[any(p, 3)], q, any(p, 4)); break;
    case 2: text_add(p->t, "vote.sync.ballot.b32 %%r%u, %%p%u, 0xffffffff;\n", r, q); break;
    case 3: text_add(p->t, "match.any.sync.b32 %%r%u, %%r%u, 0xffffffff;\n", r, a); break;
    case 4: text_add(p->t, "match.all.sync.b64 %%r%u|%%p%u, %%d%u, 0xffffffff;\n", r, q, any(p, 4)); break;
    case 5: text_add(p->t, "movmatrix.sync.aligned.m8n8.trans.b16 %%r%u, %%r%u;\n", r, a); break;
    case 6: random_product(p); break;
    default: text_add(p->t, "redux.sync.%s %%r%u, %%r%u, 0xffffffff;\n", sums[any(p, 6)], r, a); break;
    }
}
/* Draws a statement. Synchronization of whole warps and blocks occurs only outside all branches and loops. */
static inline void random_statement(struct random_program *p) {
    const unsigned way = any(p, 24);
    const bool outside = p->depth == 1;
    if (way == 0 && p->depth < 4)
        random_if(p);
    else if (way == 1 && p->depth < 4)
        random_loop(p);
    else if (way == 2)
        (any(p, 2) ? random_local : random_alloca)(p);
    else if (way == 3)
        random_words_of_two(p);
    else if (way == 4)
        random_carry(p);
    else if (way == 5)
        random_reduction(p);
    else if (way == 6 && outside)
        (any(p, 2) ? random_shared : any(p, 2) ? random_rows : random_copy)(p);
    else if (way <= 8 && outside)
        random_exchange(p);
    else
        random_instruction(p);
}
static inline void random_block(struct random_program *p, unsigned statements) {
    p->depth++;
    while (statements--) random_statement(p);
    p->depth--;
}

/* ---- a program --------------------------------------------------------------------------------- */
/* If `load`, loads each register from its word in the thread's part of `from`. Otherwise, stores each in the
 * thread's part of `to`. */
static inline void random_move(struct text *t, bool load) {
    unsigned at = 0;
    for (unsigned c = 0; c < RANDOM_CLASSES; c++)
        for (unsigned k = 0; k < random_classes[c].count; k++, at += 8)
            if (load)
                text_add(t, "ld.global.%s %s%u, [%%mine+%u];\n", random_classes[c].move, random_classes[c].prefix, k,
                         at);
            else
                text_add(t, "st.global.%s [%%mine+%u], %s%u;\n", random_classes[c].move, at, random_classes[c].prefix,
                         k);
}
/* Writes kernel k<number>(to, from) with at most `most` statements. A smaller `most` with the same seed gives the
 * beginning of the same program. */
static inline void random_kernel(struct text *t, unsigned number, uint64_t seed, unsigned most) {
    struct random_program p = {.t = t, .state = seed};
    text_add(t, ".visible .entry k%u(.param .u64 to, .param .u64 from) {\n", number);
    random_declarations(t);
    text_add(
        t, "ld.param.u64 %%to, [to];\nld.param.u64 %%from, [from];\nmov.u32 %%b, %%tid.x;\nmov.u32 %%t, %%ctaid.x;\n");
    text_add(t, "mad.lo.u32 %%t, %%t, %u, %%b;\nand.b32 %%l, %%b, 31;\nmul.wide.u32 %%mine, %%t, %u;\n", RANDOM_BLOCK,
             8 * RANDOM_VALUES);
    text_add(t, "add.u64 %%mine, %%from, %%mine;\nadd.u64 %%counters, %%to, %u;\n",
             8 * RANDOM_THREADS * (RANDOM_VALUES + 1));
    random_move(t, true);
    for (unsigned k = 0; k < RANDOM_PREDICATES; k++) text_add(t, "setp.lt.s32 %%p%u, %%r%u, %%r%u;\n", k, k, k + 1);
    const unsigned length = 12 + any(&p, 24);
    random_block(&p, length < most ? length : most);
    text_add(t, "mul.wide.u32 %%mine, %%t, %u;\nadd.u64 %%mine, %%to, %%mine;\n", 8 * (RANDOM_VALUES + 1));
    random_move(t, false);
    text_add(t, "mov.u32 %%x, 0;\n");
    for (unsigned k = 0; k < RANDOM_PREDICATES; k++)
        text_add(t, "selp.b32 %%y, %u, 0, %%p%u;\nor.b32 %%x, %%x, %%y;\n", 1u << k, k);
    text_add(t, "cvt.u64.u32 %%at, %%x;\nst.global.u64 [%%mine+%u], %%at;\nret;\n}\n", 8 * RANDOM_VALUES);
}
static inline void random_input(uint64_t *in, uint64_t seed) {
    uint64_t state = seed ^ 0x5eed;
    for (unsigned t = 0, at = 0; t < RANDOM_THREADS; t++)
        for (unsigned c = 0; c < RANDOM_CLASSES; c++)
            for (unsigned k = 0; k < random_classes[c].count; k++) {
                const struct edges e = edges_of(random_classes[c].edges);
                in[at++] = random_next(&state) % 2 ? e.values[random_next(&state) % e.count]
                                                   : random_value(random_classes[c].edges, &e, &state);
            }
}
/* Returns the index of the first word in which two results differ, or -1. All NaNs count as equal. */
static inline int random_difference(const uint64_t *a, const uint64_t *b) {
    for (int k = 0; k < RANDOM_OUT; k++) {
        const int slot = k < RANDOM_THREADS * (RANDOM_VALUES + 1) ? k % (RANDOM_VALUES + 1) : RANDOM_VALUES;
        const bool f32 = slot >= 14 && slot < 19, f64 = slot >= 19 && slot < 23;
        if (a[k] == b[k]) continue;
        if (f32 && (uint32_t)(a[k] << 1) > 0xff000000 && (uint32_t)(b[k] << 1) > 0xff000000) continue;
        if (f64 && a[k] << 1 > UINT64_C(0xffe0000000000000) && b[k] << 1 > UINT64_C(0xffe0000000000000)) continue;
        return k;
    }
    return -1;
}

#endif
