/* Comparison, selection, predicate logic, register moves, `testp`, and integer instructions that do not fit into LANE
 * rows. Included by exec.c. */

/* Converts 32 truth values (0 or -1) to a lane mask. */
#if defined(__AVX512DQ__)
#include <immintrin.h>
static inline uint32_t pack(const int32_t t[SIM_WARP]) {
    return (uint32_t)_mm512_movepi32_mask(_mm512_loadu_si512(t)) |
           (uint32_t)_mm512_movepi32_mask(_mm512_loadu_si512(t + 16)) << 16;
}
#elif defined(__AVX2__)
#include <immintrin.h>
static inline uint32_t pack(const int32_t t[SIM_WARP]) {
    uint32_t bits = 0;
    for (int k = 0; k < 4; k++)
        bits |= (uint32_t)_mm256_movemask_ps(
                    _mm256_castsi256_ps(_mm256_loadu_si256((const __m256i *)(const void *)(t + 8 * k))))
                << 8 * k;
    return bits;
}
#elif defined(__SSE2__)
#include <immintrin.h>
static inline uint32_t pack(const int32_t t[SIM_WARP]) {
    uint32_t bits = 0;
    for (int k = 0; k < 8; k++)
        bits |= (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(_mm_loadu_si128((const __m128i *)(const void *)(t + 4 * k))))
                << 4 * k;
    return bits;
}
#else
static inline uint32_t pack(const int32_t t[SIM_WARP]) {
    uint32_t bits = 0;
    for (int l = 0; l < SIM_WARP; l++) bits |= (uint32_t)(t[l] & 1) << l;
    return bits;
}
#endif

/* Returns the lanes where a source predicate is true. `negated` is the predicate's bit in i->negated. */
static inline uint32_t predicate(const struct sim_warp *w, const struct sim_insn *i, uint32_t row, uint8_t negated) {
    const uint32_t bits = *sim_predicate(w, row);
    return i->negated & negated ? ~bits : bits;
}
static inline uint32_t boolean(enum ptx_mod op, uint32_t x, uint32_t y) {
    return op == PTX_MOD_AND ? x & y : op == PTX_MOD_OR ? x | y : op == PTX_MOD_XOR ? x ^ y : x;
}

/* ---- setp: one handler per comparison and type ---------------------------------------------- */
static inline void set_predicates(struct sim_warp *w, const struct sim_insn *i, uint32_t mask, uint32_t truth) {
    uint32_t p = truth, q = ~truth;
    if (i->c != SIM_NO_ROW) {
        enum ptx_mod op = ptx_mod_of(i->source, PTX_CLASS_OPERATION);
        uint32_t other = predicate(w, i, i->c, SIM_NOT_C);
        p = boolean(op, p, other), q = boolean(op, q, other);
    }
    sim_set_predicate(w, i->d, p, mask);
    if (i->p != SIM_NO_ROW) sim_set_predicate(w, i->p, q, mask);
}
#define UNORDERED(a, b) ((a) != (a) || (b) != (b))
/* M(type, name, expression) for each comparison. As in C, a float comparison without `u` is false for NaN. Unlike in C,
 * so is ne, which is a < b || a > b. */
// clang-format off
#define INTEGER_COMPARISONS(M, t)                                                                                      \
    M(t, EQ, a == b) M(t, NE, a != b) M(t, LT, a < b) M(t, LE, a <= b) M(t, GT, a > b) M(t, GE, a >= b)
#define FLOAT_COMPARISONS(M, t)                                                                                        \
    M(t, EQ, a == b) M(t, NE, (a < b) | (a > b)) M(t, LT, a < b) M(t, LE, a <= b) M(t, GT, a > b) M(t, GE, a >= b)     \
    M(t, EQU, !((a < b) | (a > b))) M(t, NEU, a != b) M(t, LTU, !(a >= b)) M(t, LEU, !(a > b)) M(t, GTU, !(a <= b))    \
    M(t, GEU, !(a < b)) M(t, CMP_NUM, !UNORDERED(a, b)) M(t, CMP_NAN, UNORDERED(a, b))
// clang-format on
#define COMPARE(type, cmp, expr) COMPARE_(type, cmp, C_##type, AS_IS, expr, )
#define COMPARE_FTZ(type, cmp, expr) COMPARE_(type, cmp, C_##type, ftz_, expr, _ftz)
#define COMPARE_(type, cmp, T, IN, expr, suffix)                                                                       \
    static inline uint32_t truth_##type##_##cmp##suffix(const T *row_a, const T *row_b) {                              \
        int32_t truth[SIM_WARP];                                                                                       \
        for (int l = 0; l < SIM_WARP; l++) {                                                                           \
            const T a = IN(row_a[l]), b = IN(row_b[l]);                                                                \
            truth[l] = (expr) ? -1 : 0;                                                                                \
        }                                                                                                              \
        return pack(truth);                                                                                            \
    }                                                                                                                  \
    static void setp_##type##_##cmp##suffix(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {             \
        set_predicates(w, i, mask, truth_##type##_##cmp##suffix(sim_row(w, i->a), sim_row(w, i->b)));                  \
    }
#define INTEGERS(M) M(U16) M(S16) M(U32) M(S32) M(U64) M(S64)
#define MAKE_INTEGER_SETP(t) INTEGER_COMPARISONS(COMPARE, t)
INTEGERS(MAKE_INTEGER_SETP)
FLOAT_COMPARISONS(COMPARE, F32)
FLOAT_COMPARISONS(COMPARE, F64)
FLOAT_COMPARISONS(COMPARE_FTZ, F32)

#define SETP_ENTRY(t, cmp, expr) [PTX_##t][PTX_MOD_##cmp] = setp_##t##_##cmp,
#define SETP_ENTRY_FTZ(t, cmp, expr) [PTX_MOD_##cmp] = setp_##t##_##cmp##_ftz,
#define SETP_INTEGER_ENTRY(t) INTEGER_COMPARISONS(SETP_ENTRY, t)
static sim_exec *const setp_handlers[PTX_TYPE_COUNT][PTX_MOD_COUNT] = {
    INTEGERS(SETP_INTEGER_ENTRY) FLOAT_COMPARISONS(SETP_ENTRY, F32) FLOAT_COMPARISONS(SETP_ENTRY, F64)};
static sim_exec *const setp_ftz_handlers[PTX_MOD_COUNT] = {FLOAT_COMPARISONS(SETP_ENTRY_FTZ, F32)};

/* Returns the type that compares like t. Untyped bits compare like unsigned integers. */
static enum ptx_type compared_as(enum ptx_type t) {
    return t == PTX_B16 ? PTX_U16 : t == PTX_B32 ? PTX_U32 : t == PTX_B64 ? PTX_U64 : t;
}
static sim_exec *setp_handler(enum ptx_type type, enum ptx_mod cmp, bool ftz) {
    static const struct {
        enum ptx_mod from, to;
    } unsigned_names[] = {
        {PTX_MOD_CMP_LO, PTX_MOD_LT}, {PTX_MOD_LS, PTX_MOD_LE}, {PTX_MOD_CMP_HI, PTX_MOD_GT}, {PTX_MOD_HS, PTX_MOD_GE}};
    for (unsigned k = 0; k < 4; k++)
        if (cmp == unsigned_names[k].from) cmp = unsigned_names[k].to;
    return ftz && type == PTX_F32 ? setp_ftz_handlers[cmp] : setp_handlers[compared_as(type)][cmp];
}

/* ---- setp and set for 16-bit floats, one or two per lane ------------------------------------- */
static inline bool is_half(enum ptx_type t) {
    return t == PTX_F16 || t == PTX_BF16 || t == PTX_F16X2 || t == PTX_BF16X2;
}
static inline bool is_pair(enum ptx_type t) { return t == PTX_F16X2 || t == PTX_BF16X2; }
static inline bool is_brain(enum ptx_type t) { return t == PTX_BF16 || t == PTX_BF16X2; }
static inline double value_of_half(uint16_t h, enum ptx_type t, bool ftz) {
    return is_brain(t) ? widened_bf16(ftz ? flushed_bf16(h) : h) : widened_f16(ftz ? flushed_f16(h) : h);
}
/* Returns the outcomes for which the comparison is true: a set of less, equal, greater and unordered. */
static unsigned where_it_holds(enum ptx_mod cmp) {
    enum { LESS = 1, EQUAL = 2, GREATER = 4, UNORDERED_TOO = 8 };
    switch (cmp) {
    case PTX_MOD_EQ: return EQUAL;
    case PTX_MOD_NE: return LESS | GREATER;
    case PTX_MOD_LT: return LESS;
    case PTX_MOD_LE: return LESS | EQUAL;
    case PTX_MOD_GT: return GREATER;
    case PTX_MOD_GE: return GREATER | EQUAL;
    case PTX_MOD_EQU: return EQUAL | UNORDERED_TOO;
    case PTX_MOD_NEU: return LESS | GREATER | UNORDERED_TOO;
    case PTX_MOD_LTU: return LESS | UNORDERED_TOO;
    case PTX_MOD_LEU: return LESS | EQUAL | UNORDERED_TOO;
    case PTX_MOD_GTU: return GREATER | UNORDERED_TOO;
    case PTX_MOD_GEU: return GREATER | EQUAL | UNORDERED_TOO;
    case PTX_MOD_CMP_NUM: return LESS | EQUAL | GREATER;
    default: return UNORDERED_TOO; /* CMP_NAN */
    }
}
/* Returns the lanes where the comparison is true. `part` selects the element of a pair (0 or 1), and is 0 for other
 * types. */
static uint32_t compare_halves(const struct sim_warp *w, const struct sim_insn *i, enum ptx_type t, unsigned part) {
    const unsigned each = is_pair(t) ? 2 : 1, holds = where_it_holds(ptx_mod_of(i->source, PTX_CLASS_CMP));
    const bool ftz = ptx_mod_of(i->source, PTX_CLASS_FTZ) != PTX_MOD_NONE;
    const uint16_t *a = sim_row(w, i->a), *b = sim_row(w, i->b);
    uint32_t truth = 0;
    for (unsigned l = 0; l < SIM_WARP; l++) {
        const double x = value_of_half(a[each * l + part], t, ftz), y = value_of_half(b[each * l + part], t, ftz);
        const unsigned outcome = x < y ? 0 : x == y ? 1 : x > y ? 2 : 3;
        truth |= (holds >> outcome & 1) << l;
    }
    return truth;
}
static uint32_t with_third(const struct sim_warp *w, const struct sim_insn *i, uint32_t truth) {
    if (i->c == SIM_NO_ROW) return truth;
    return boolean(ptx_mod_of(i->source, PTX_CLASS_OPERATION), truth, predicate(w, i, i->c, SIM_NOT_C));
}
static void setp_half(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    set_predicates(w, i, mask, compare_halves(w, i, i->source->type, 0));
}
static void setp_pair(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const uint32_t low = with_third(w, i, compare_halves(w, i, i->source->type, 0)),
                   high = with_third(w, i, compare_halves(w, i, i->source->type, 1));
    sim_set_predicate(w, i->d, low, mask);
    if (i->p != SIM_NO_ROW) sim_set_predicate(w, i->p, high, mask);
}
static void set_half(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const enum ptx_type from = i->source->type2, to = i->source->type;
    const unsigned each = is_pair(from) ? 2 : 1;
    const uint16_t one = to == PTX_F16 || to == PTX_F16X2 ? 0x3c00 : is_brain(to) ? 0x3f80 : 0xffff;
    uint16_t *d16 = sim_row(w, i->d);
    uint32_t *d32 = sim_row(w, i->d), truth[2];
    for (unsigned part = 0; part < each; part++) truth[part] = with_third(w, i, compare_halves(w, i, from, part));
    for (unsigned part = 0; part < each; part++)
        SIM_EACH_LANE (l, mask) {
            const bool on = truth[part] >> l & 1;
            if (is_half(to) || each == 2)
                d16[each * l + part] = on ? one : 0;
            else
                d32[l] = !on ? 0 : to == PTX_F32 ? 0x3f800000u : UINT32_MAX;
        }
}

/* set: runs the comparison with the scratch predicate at offset 0 as its destination. Lanes where it is true get all
 * ones or 1.0; the others get 0. */
static void exec_set(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    struct sim_insn compare = *i;
    compare.d = 0, compare.p = SIM_NO_ROW;
    i->inner(w, &compare, SIM_FULL);
    const uint32_t truth = *sim_predicate(w, 0);
    uint32_t *d32 = sim_row(w, i->d);
    uint16_t *d16 = sim_row(w, i->d);
    uint64_t *d64 = sim_row(w, i->d);
    enum ptx_type t = i->source->type;
    SIM_EACH_LANE (l, mask) {
        bool on = truth >> l & 1;
        if (t == PTX_F32)
            d32[l] = on ? 0x3f800000u : 0;
        else if (ptx_type_bits(t) == 64)
            d64[l] = on ? t == PTX_F64 ? UINT64_C(0x3ff0000000000000) : UINT64_MAX : 0;
        else if (ptx_type_bits(t) == 32)
            d32[l] = on ? UINT32_MAX : 0;
        else
            d16[l] = on ? UINT16_MAX : 0;
    }
}

/* ---- selection, moves ----------------------------------------------------------------------- */
#define BY_WIDTH(M) M(uint16_t, 16) M(uint32_t, 32) M(uint64_t, 64)
#define WIDTH_HANDLERS(T, bits)                                                                                        \
    static void mov_##bits(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {                              \
        T *d = sim_row(w, i->d);                                                                                       \
        const T *a = sim_row(w, i->a);                                                                                 \
        OVER_LANES(mask, d[l] = a[l], d[l] = ON(mask) ? a[l] : d[l])                                                   \
    }                                                                                                                  \
    static void selp_##bits(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {                             \
        T *d = sim_row(w, i->d);                                                                                       \
        const T *a = sim_row(w, i->a), *b = sim_row(w, i->b);                                                          \
        const uint32_t p = predicate(w, i, i->c, SIM_NOT_C);                                                           \
        OVER_LANES(mask, d[l] = ON(p) ? a[l] : b[l], d[l] = ON(mask) ? ON(p) ? a[l] : b[l] : d[l])                     \
    }                                                                                                                  \
    static void slct_##bits(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {                             \
        T *d = sim_row(w, i->d);                                                                                       \
        const T *a = sim_row(w, i->a), *b = sim_row(w, i->b);                                                          \
        const int32_t *c = sim_row(w, i->c);                                                                           \
        const float *f = sim_row(w, i->c);                                                                             \
        const bool is_float = i->source->type2 == PTX_F32;                                                             \
        /* f >= 0, where .ftz treats subnormal numbers as zeros */                                                     \
        const float below = ptx_mod_of(i->source, PTX_CLASS_FTZ) != PTX_MOD_NONE ? -0x1p-126f : -0x1p-149f;            \
        OVER_LANES(mask, d[l] = (is_float ? f[l] > below : c[l] >= 0) ? a[l] : b[l],                                   \
                   if (ON(mask)) d[l] = (is_float ? f[l] > below : c[l] >= 0) ? a[l] : b[l])                           \
    }
BY_WIDTH(WIDTH_HANDLERS)

static void mov_predicate(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    sim_set_predicate(w, i->d, predicate(w, i, i->a, SIM_NOT_A), mask);
}
/* cvta: adds or subtracts the base of the space's window. */
static void exec_cvta(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    uint64_t *d = sim_row(w, i->d);
    const uint64_t *a = sim_row(w, i->a);
    const uint64_t add = i->address.offset;
    OVER_LANES(mask, d[l] = a[l] + add, d[l] = ON(mask) ? a[l] + add : d[l])
}
/* Combines two predicates, each of which may be negated. */
static inline void logic(struct sim_warp *w, const struct sim_insn *i, uint32_t mask, enum ptx_mod op) {
    sim_set_predicate(w, i->d, boolean(op, predicate(w, i, i->a, SIM_NOT_A), predicate(w, i, i->b, SIM_NOT_B)), mask);
}
static void exec_and_pred(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    logic(w, i, mask, PTX_MOD_AND);
}
static void exec_or_pred(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) { logic(w, i, mask, PTX_MOD_OR); }
static void exec_xor_pred(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    logic(w, i, mask, PTX_MOD_XOR);
}
static void exec_not_pred(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    sim_set_predicate(w, i->d, ~predicate(w, i, i->a, SIM_NOT_A), mask);
}

/* mov of a vector: packs narrow registers into a wide one, or unpacks a wide one. An 8-bit register has a row of 16-bit
 * elements. Parts of 4 bytes have their own branch, where memcpy() has a constant length and is inlined. */
static inline void copy_parts(uint8_t *to, size_t to_step, const uint8_t *from, size_t from_step, unsigned part,
                              uint32_t mask) {
    if (part == 4)
        SIM_EACH_LANE (l, mask) memcpy(to + l * to_step, from + l * from_step, 4);
    else
        SIM_EACH_LANE (l, mask) memcpy(to + l * to_step, from + l * from_step, part);
}
/* Gets the rows if the vector operand is two 32-bit registers; otherwise returns false. This fast path serves 64-bit
 * shuffles, which split each value into two registers. */
static inline bool halves(const struct sim_warp *w, const struct sim_function *f, const struct ptx_operand *v,
                          unsigned part, uint32_t *rows[2]) {
    if (part != 4 || v->count != 2 || v->elements[0].kind != PTX_REGISTER || v->elements[1].kind != PTX_REGISTER)
        return false;
    for (unsigned k = 0; k < 2; k++) rows[k] = sim_row(w, f->register_offset[v->elements[k].reg]);
    return true;
}
static void mov_pack(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const struct ptx_operand *v = &i->source->operand[1];
    const struct sim_function *f =
        &w->block->run->program->functions[w->block->run->program->function_of[sim_pc(w, i)]];
    unsigned bytes = ptx_type_bits(i->source->type) / 8, part = bytes / v->count;
    uint32_t *half[2];
    if (halves(w, f, v, part, half)) {
        const uint32_t *low = half[0], *high = half[1];
        uint64_t *to = sim_row(w, i->d);
        OVER_LANES(mask, to[l] = low[l] | (uint64_t)high[l] << 32,
                   to[l] = ON(mask) ? low[l] | (uint64_t)high[l] << 32 : to[l])
        return;
    }
    uint8_t *d = sim_row(w, i->d);
    for (unsigned k = 0; k < v->count; k++) {
        uint64_t constant = v->elements[k].imm;
        const uint8_t *a =
            v->elements[k].kind == PTX_REGISTER ? sim_row(w, f->register_offset[v->elements[k].reg]) : NULL;
        const unsigned step = part < 2 ? 2 : part;
        copy_parts(d + k * part, bytes, a ? a : (const uint8_t *)&constant, a ? step : 0, part, mask);
    }
}
static void mov_unpack(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const struct ptx_operand *v = &i->source->operand[0];
    const struct sim_function *f =
        &w->block->run->program->functions[w->block->run->program->function_of[sim_pc(w, i)]];
    unsigned bytes = ptx_type_bits(i->source->type) / 8, part = bytes / v->count;
    uint32_t *half[2];
    if (halves(w, f, v, part, half)) {
        const uint64_t *from = sim_row(w, i->a);
        uint32_t *low = half[0], *high = half[1];
        OVER_LANES(mask, low[l] = (uint32_t)from[l], low[l] = ON(mask) ? (uint32_t)from[l] : low[l])
        OVER_LANES(mask, high[l] = (uint32_t)(from[l] >> 32), high[l] = ON(mask) ? (uint32_t)(from[l] >> 32) : high[l])
        return;
    }
    const uint8_t *source = sim_row(w, i->a);
    uint8_t copy[SIM_WARP * 8]; /* the destination may also be the source */
    memcpy(copy, source, SIM_WARP * bytes);
    for (unsigned k = 0; k < v->count; k++) {
        if (v->elements[k].kind != PTX_REGISTER) continue; /* the sink `_` */
        uint8_t *d = sim_row(w, f->register_offset[v->elements[k].reg]);
        const unsigned step = part < 2 ? 2 : part;
        copy_parts(d, step, copy + k * part, bytes, part, mask);
    }
}

/* ---- bits and bytes ------------------------------------------------------------------------- */
/* lop3: bit k of the table is the result for the bits of a, b and c that form the binary number k, in which a is the
 * highest bit. */
static void exec_lop3(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const uint32_t *ra = sim_row(w, i->a), *rb = sim_row(w, i->b), *rc = sim_row(w, i->c);
    const uint32_t table = *(const uint32_t *)sim_row(w, i->e); /* the table is the same in all lanes */
    uint32_t *d = sim_row(w, i->d);
    SIM_EACH_LANE (l, mask) {
        uint32_t a = ra[l], b = rb[l], c = rc[l], out = 0;
        for (unsigned k = 0; k < 8; k++)
            if (table >> k & 1) out |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
        d[l] = out;
    }
}
/* prmt: `mode` selects which of the 8 source bytes becomes byte k of the result (PTX ISA, prmt). */
static uint32_t permute(uint32_t a, uint32_t b, uint32_t selector, enum ptx_mod mode) {
    uint64_t from = (uint64_t)b << 32 | a;
    uint32_t s = selector & 3, out = 0;
    for (uint32_t k = 0; k < 4; k++) {
        uint32_t pick, sign = 0;
        switch (mode) {
        case PTX_MOD_F4E: pick = s + k; break;
        case PTX_MOD_B4E: pick = (s - k) & 7; break;
        case PTX_MOD_RC8: pick = s; break;
        case PTX_MOD_ECL: pick = k > s ? k : s; break;
        case PTX_MOD_ECR: pick = k < s ? k : s; break;
        case PTX_MOD_RC16: pick = (s & 1) * 2 + (k & 1); break;
        default: pick = selector >> 4 * k & 7, sign = selector >> 4 * k & 8; break;
        }
        uint32_t byte = from >> 8 * pick & 0xff;
        out |= (sign ? byte & 0x80 ? 0xff : 0 : byte) << 8 * k;
    }
    return out;
}
static void exec_prmt(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const uint32_t *a = sim_row(w, i->a), *b = sim_row(w, i->b), *c = sim_row(w, i->c);
    uint32_t *d = sim_row(w, i->d);
    SIM_EACH_LANE (l, mask) d[l] = permute(a[l], b[l], c[l], ptx_mod_of(i->source, PTX_CLASS_MODE));
}

static void exec_testp(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const float *f = sim_row(w, i->a);
    const double *g = sim_row(w, i->a);
    uint32_t bits = 0;
    SIM_EACH_LANE (l, mask) {
        bool is_float = i->source->type == PTX_F32, on = false;
        int class = is_float ? fpclassify(f[l]) : fpclassify(g[l]);
        switch (ptx_mod_of(i->source, PTX_CLASS_MODE)) {
        case PTX_MOD_FINITE: on = class != FP_INFINITE && class != FP_NAN; break;
        case PTX_MOD_INFINITE: on = class == FP_INFINITE; break;
        case PTX_MOD_NUMBER: on = class != FP_NAN; break;
        case PTX_MOD_NOTANUMBER: on = class == FP_NAN; break;
        case PTX_MOD_NORMAL:
            on = class == FP_NORMAL || class == FP_ZERO;
            /* Zeros are normal numbers (PTX ISA). */
            break;
        default: on = class == FP_SUBNORMAL; break;
        }
        bits |= (uint32_t)on << l;
    }
    sim_set_predicate(w, i->d, bits, mask);
}

/* ---- dot products of bytes (PTX ISA, dp4a, dp2a) -------------------------------------------- */
static int64_t part_of(uint32_t v, unsigned place, unsigned bits, bool is_signed_type) {
    const uint64_t part = v >> place & ((1u << bits) - 1);
    return is_signed_type && part >> (bits - 1) ? (int64_t)part - (INT64_C(1) << bits) : (int64_t)part;
}
static void exec_dot(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const struct ptx_insn *p = i->source;
    const uint32_t *a = sim_row(w, i->a), *b = sim_row(w, i->b), *c = sim_row(w, i->c);
    const unsigned terms = p->op == PTX_OP_dp4a ? 4 : 2, width = 32 / terms, from = p->op == PTX_OP_dp2a_hi ? 16 : 0;
    uint32_t *d = sim_row(w, i->d);
    SIM_EACH_LANE (l, mask) {
        int64_t sum = c[l];
        for (unsigned k = 0; k < terms; k++)
            sum += part_of(a[l], k * width, width, p->type == PTX_S32) *
                   part_of(b[l], from + 8 * k, 8, p->type2 == PTX_S32);
        d[l] = (uint32_t)sum;
    }
}

/* ---- extended precision: the carry flag is a lane mask in the warp -------------------------- */
static void exec_carry(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const struct ptx_insn *p = i->source;
    const bool wide = ptx_type_bits(p->type) == 64;
    const bool in =
        p->op == PTX_OP_addc_in || p->op == PTX_OP_subc_in || p->op == PTX_OP_madc_lo_in || p->op == PTX_OP_madc_hi_in;
    const bool out = !in || ptx_mod_of(p, PTX_CLASS_CARRY) != PTX_MOD_NONE;
    SIM_EACH_LANE (l, mask) {
        uint64_t a = wide ? ((uint64_t *)sim_row(w, i->a))[l] : ((uint32_t *)sim_row(w, i->a))[l];
        uint64_t b = wide ? ((uint64_t *)sim_row(w, i->b))[l] : ((uint32_t *)sim_row(w, i->b))[l];
        uint64_t carry = in ? w->carry >> l & 1 : 0;
        bool minus = p->op == PTX_OP_subc || p->op == PTX_OP_subc_in;
        if (p->op != PTX_OP_addc && p->op != PTX_OP_addc_in && !minus) { /* mad: adds c to the product */
            bool high = p->op == PTX_OP_madc_hi || p->op == PTX_OP_madc_hi_in;
            bool is_signed = p->type == PTX_S32 || p->type == PTX_S64;
            unsigned __int128 product = is_signed && !wide ? (unsigned __int128)((__int128)(int32_t)a * (int32_t)b)
                                        : is_signed        ? (unsigned __int128)((__int128)(int64_t)a * (int64_t)b)
                                                           : (unsigned __int128)a * b;
            b = wide ? ((uint64_t *)sim_row(w, i->c))[l] : ((uint32_t *)sim_row(w, i->c))[l];
            a = (uint64_t)(high ? product >> (wide ? 64 : 32) : product);
            if (!wide) a = (uint32_t)a;
        }
        unsigned __int128 sum = minus ? (unsigned __int128)a - b - carry : (unsigned __int128)a + b + carry;
        if (wide)
            ((uint64_t *)sim_row(w, i->d))[l] = (uint64_t)sum;
        else
            ((uint32_t *)sim_row(w, i->d))[l] = (uint32_t)sum;
        if (out) w->carry = (w->carry & ~(1u << l)) | (uint32_t)(sum >> (wide ? 64 : 32) & 1) << l;
    }
}

/* ---- selection of handlers --------------------------------------------------------------------- */
static void exec_nothing(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) { (void)w, (void)i, (void)mask; }
static sim_exec *comparison_handler(const struct ptx_insn *p, enum ptx_type compared) {
    return setp_handler(compared, ptx_mod_of(p, PTX_CLASS_CMP), ptx_mod_of(p, PTX_CLASS_FTZ) != PTX_MOD_NONE);
}
static void form_setp(struct sim_insn *i) {
    const enum ptx_type t = i->source->type;
    i->exec = is_pair(t) ? setp_pair : is_half(t) ? setp_half : comparison_handler(i->source, t);
}
static void form_set(struct sim_insn *i) {
    const enum ptx_type t = i->source->type2;
    i->exec = is_half(t) ? set_half : exec_set;
    if (!is_half(t)) i->inner = comparison_handler(i->source, t);
}
#define FORM_BY_WIDTH(name)                                                                                            \
    static void form_##name(struct sim_insn *i) {                                                                      \
        const unsigned bits = ptx_type_bits(i->source->type);                                                          \
        i->exec = bits == 16 ? name##_16 : bits == 32 ? name##_32 : name##_64;                                         \
    }
FORM_BY_WIDTH(selp)
FORM_BY_WIDTH(slct)
static void form_mov(struct sim_insn *i) {
    const struct ptx_insn *p = i->source;
    const unsigned bits = ptx_type_bits(p->type);
    i->exec = p->operand[0].kind == PTX_VECTOR   ? mov_unpack
              : p->operand[1].kind == PTX_VECTOR ? mov_pack
              : bits == 1                        ? mov_predicate
              : bits == 16                       ? mov_16
              : bits == 32                       ? mov_32
                                                 : mov_64;
}
ONE_HANDLER(and_pred)
ONE_HANDLER(or_pred)
ONE_HANDLER(xor_pred)
ONE_HANDLER(not_pred)
ONE_HANDLER(cvta)
ONE_HANDLER(lop3)
ONE_HANDLER(prmt)
ONE_HANDLER(testp)
ONE_HANDLER(dot)
ONE_HANDLER(carry)
ONE_HANDLER(nothing)
