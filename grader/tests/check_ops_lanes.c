/* Tests all instructions (rows of ops.def) that lanes execute independently, on every instruction set of the host,
 * against independent references (ops/references.h). Covers every type, every modifier that affects the value, edge
 * values and random values. Each instruction runs in whole warps, under a guard, and on one side of a branch. It also
 * runs with its destination among its sources, and with a constant. PARTS=N PART=K tests only rows K, K+N, K+2N, ...,
 * so that N processes can share the work. */
/* run: 10 s, gpu in 4 parts */
/* reads: nothing */
#include "ptx/parser.h"
#include "tests/effort.h"
#include "tests/ops/edges.h"
#include "tests/ops/references.h"
#include "tests/ops/run.h"

enum { BLOCKS = 2, THREADS = 1024, VALUES = BLOCKS * THREADS, SOURCES = 5, WAYS = 10 };

/* How closely a result must match. */
enum closeness { EXACTLY, LAST_DIGIT };
static const struct {
    reference *of;
    enum closeness closeness;
} references[PTX_OP_COUNT] = {
#define ROW(id) [PTX_OP_##id] = {ref_##id, EXACTLY}
#define ROW_AS(id, name) [PTX_OP_##id] = {ref_##name, EXACTLY}
#define ROW_NEAR(id) [PTX_OP_##id] = {ref_##id, LAST_DIGIT}
    ROW(add_int),
    ROW(sub_int),
    ROW(mul_lo),
    ROW(mul_hi),
    ROW(mul_wide),
    ROW(mad_lo),
    ROW(mad_hi),
    ROW(mad_wide),
    ROW(mul24_lo),
    ROW(mul24_hi),
    ROW(mad24_lo),
    ROW(mad24_hi),
    ROW(div_int),
    ROW(rem_int),
    ROW(abs_int),
    ROW(neg_int),
    ROW(min_int),
    ROW(max_int),
    ROW(sad),
    ROW(add_pair),
    ROW(min_pair),
    ROW(max_pair),
    ROW_AS(dp4a, dot),
    ROW_AS(dp2a_lo, dot),
    ROW_AS(dp2a_hi, dot),
    ROW(fns),
    ROW(popc),
    ROW(clz),
    ROW(bfind),
    ROW_AS(bfind_shiftamt, bfind),
    ROW(brev),
    ROW(mbarrier_pending),
    ROW_AS(bmsk_clamp, bmsk),
    ROW_AS(bmsk_wrap, bmsk),
    ROW_AS(szext_clamp, szext),
    ROW_AS(szext_wrap, szext),
    ROW(bfe),
    ROW(bfi),
    ROW(addc),
    ROW(addc_in),
    ROW(subc),
    ROW(subc_in),
    ROW(madc_lo),
    ROW(madc_lo_in),
    ROW(madc_hi),
    ROW(madc_hi_in),
    ROW(add_flt),
    ROW(sub_flt),
    ROW(mul_flt),
    ROW(fma_flt),
    ROW_AS(mad_flt, fma_flt),
    ROW(div_flt),
    ROW_AS(abs_flt, sign),
    ROW_AS(neg_flt, sign),
    ROW_AS(copysign, sign),
    ROW_AS(min_flt, extreme),
    ROW_AS(max_flt, extreme),
    ROW_AS(min_nan, extreme),
    ROW_AS(max_nan, extreme),
    ROW(rcp),
    ROW(sqrt),
    ROW_NEAR(rsqrt),
    ROW_NEAR(sin),
    ROW_NEAR(cos),
    ROW_NEAR(lg2),
    ROW_NEAR(ex2),
    ROW_NEAR(tanh),
    ROW(testp),
    ROW(add_half),
    ROW(sub_half),
    ROW(mul_half),
    ROW(fma_half),
    ROW_AS(abs_half, sign_half),
    ROW_AS(neg_half, sign_half),
    ROW_AS(min_half, extreme_half),
    ROW_AS(max_half, extreme_half),
    ROW_AS(min_nan_half, extreme_half),
    ROW_AS(max_nan_half, extreme_half),
    ROW_NEAR(ex2_half),
    ROW_NEAR(tanh_half),
    ROW(cvt_pair),
    ROW(cvt_fp8),
    ROW(cvt_fp8_halves),
    ROW(cvt_halves_fp8),
    ROW(cvt_tf32),
    ROW_AS(and_pred, and),
    ROW_AS(or_pred, or),
    ROW_AS(xor_pred, xor),
    ROW_AS(not_pred, not ),
    ROW(and),
    ROW(or),
    ROW(xor),
    ROW(not ),
    ROW(cnot),
    ROW(shl),
    ROW(shr),
    ROW_AS(shf_l_clamp, shf),
    ROW_AS(shf_l_wrap, shf),
    ROW_AS(shf_r_clamp, shf),
    ROW_AS(shf_r_wrap, shf),
    ROW(lop3),
    ROW(prmt),
    ROW(setp),
    ROW(set),
    ROW(selp),
    ROW(slct)};

/* ---- a form of an instruction, and its operands ----------------------------------------------------------------- */
struct source {
    enum ptx_type type;
    bool is_constant; /* lop3's table */
};
struct shape {
    struct form form;
    struct source source[SOURCES];
    unsigned sources;
    enum ptx_type destination;
    bool pair;          /* the instruction has a second destination: p|q */
    bool carries, with; /* carries: uses the carry flag; with: reads the flag */
    bool negated;       /* the predicate source is negated: !q */
};
static bool is_subtraction(int op) { return op == PTX_OP_subc || op == PTX_OP_subc_in; }
static enum ptx_type type_of_letter(const struct form *f, char letter) {
    switch (letter) {
    case 'c':
    case 'w': return ptx_widened(f->type);
    case 's': return f->type2;
    case 'v':
    case 'u': return PTX_U32;
    case 'p':
    case 'q': return PTX_PRED;
    default: return f->type;
    }
}
static struct shape shape_of(const struct form *f) {
    const char *letter = ptx_ops[f->op].operands;
    struct shape s = {.form = *f, .destination = type_of_letter(f, *letter), .pair = letter[1] == '|'};
    while ((letter = strchr(letter, ',')) != NULL) {
        letter += 2;
        if (letter[1] == '?' && !f->word[PTX_CLASS_OPERATION]) break;
        s.source[s.sources++] = (struct source){type_of_letter(f, *letter), f->op == PTX_OP_lop3 && *letter == 'u'};
    }
    s.carries = row_carries(f->op);
    s.with = s.carries && strstr(ptx_ops[f->op].id, "_in");
    if (s.with) s.source[s.sources++] = (struct source){PTX_PRED, false};
    return s;
}

/* Writes the mnemonic, such as "add.rn.ftz.f32". Modifiers are in the order that the PTX ISA specifies. */
static void mnemonic(struct text *t, const struct form *f) {
    static const enum ptx_mod_class order[] = {PTX_CLASS_APPROX,    PTX_CLASS_ROUND, PTX_CLASS_SATFINITE, PTX_CLASS_CMP,
                                               PTX_CLASS_OPERATION, PTX_CLASS_CARRY, PTX_CLASS_FTZ,       PTX_CLASS_SAT,
                                               PTX_CLASS_RELU,      PTX_CLASS_MODE};
    const char *name = ptx_ops[f->op].mnemonic;
    const bool mode_last = f->op == PTX_OP_prmt, nan = strstr(name, ".NaN");
    text_add(t, "%.*s%s", (int)strcspn(name, nan ? "." : ""), name, nan && f->word[PTX_CLASS_FTZ] ? ".ftz" : "");
    if (nan) text_add(t, ".NaN");
    for (unsigned k = 0; k < sizeof order / sizeof *order; k++)
        if (f->word[order[k]] && !(mode_last && order[k] == PTX_CLASS_MODE) && !(nan && order[k] == PTX_CLASS_FTZ))
            text_add(t, ".%s", ptx_mod_text((enum ptx_mod)f->word[order[k]]));
    text_add(t, ".%s", ptx_type_name(f->type));
    if (f->type2) text_add(t, ".%s", ptx_type_name(f->type2));
    if (mode_last && f->word[PTX_CLASS_MODE]) text_add(t, ".%s", ptx_mod_text((enum ptx_mod)f->word[PTX_CLASS_MODE]));
}

/* ---- values ------------------------------------------------------------------------------------------------------ */
struct values {
    uint64_t of[SOURCES][VALUES], old[VALUES], on[VALUES], constant;
    struct result expected[VALUES], with_constant[VALUES];
    uint64_t out[WAYS][2][VALUES], preset[WAYS][2][VALUES];
};
/* Chooses the sources' values. In the first block, threads get as many combinations of edge values as possible; the
 * remaining threads get random values, as does the second block. */
static void choose(struct values *v, const struct shape *s, uint64_t *random) {
    struct edges e[SOURCES];
    unsigned take[SOURCES] = {0}, product = 1;
    for (unsigned k = 0; k < s->sources; k++) {
        e[k] =
            s->source[k].type == PTX_U32 && s->form.type != PTX_U32 ? EDGES(edges_amount) : edges_of(s->source[k].type);
        if (s->form.op == PTX_OP_bfe && k > 0) e[k] = EDGES(edges_amount);
        if (s->form.op == PTX_OP_prmt && k == 2 && s->form.word[PTX_CLASS_MODE]) e[k] = EDGES(edges_amount);
        take[k] = e[k].count, product *= take[k];
    }
    while (product > THREADS) {
        unsigned longest = 0;
        for (unsigned k = 1; k < s->sources; k++)
            if (take[k] >= take[longest]) longest = k;
        product = product / take[longest] * (take[longest] - 1), take[longest]--;
    }
    for (unsigned n = 0; n < VALUES; n++) {
        unsigned rest = n;
        for (unsigned k = 0; k < s->sources; rest /= take[k], k++) {
            v->of[k][n] = n < product ? e[k].values[rest % take[k]] : random_value(s->source[k].type, &e[k], random);
            if (s->source[k].is_constant) v->of[k][n] = v->constant;
            /* A base above 31 is undefined. Offsets are limited to -32 to 31, because larger ones seldom find a bit. */
            if (s->form.op == PTX_OP_fns && k == 1) v->of[k][n] &= 31;
            if (s->form.op == PTX_OP_fns && k == 2) v->of[k][n] = (uint32_t)((int32_t)(v->of[k][n] << 26) >> 26);
        }
        v->old[n] = random_next(random) & low_bits(ptx_type_bits(s->destination));
        const unsigned warp = n / 32;
        v->on[n] = warp % 4 == 0 ? n % 32 == 7 : warp % 4 == 1 ? n % 32 != 9 : random_next(random) & 1;
    }
}
static void expect_values(struct values *v, const struct shape *s, unsigned constant_source) {
    for (unsigned n = 0; n < VALUES; n++) {
        uint64_t with[SOURCES] = {0}, without[SOURCES] = {0};
        for (unsigned k = 0; k < s->sources; k++) {
            const bool flip = s->negated && s->source[k].type == PTX_PRED && !s->carries;
            without[k] = with[k] = v->of[k][n] ^ (flip ? 1 : 0);
        }
        with[constant_source] = v->constant;
        v->expected[n] = references[s->form.op].of(&s->form, without);
        v->with_constant[n] = references[s->form.op].of(&s->form, with);
    }
}

/* ---- the kernel -------------------------------------------------------------------------------------------------- */
static unsigned register_width(enum ptx_type t) {
    return t == PTX_PRED ? 1 : ptx_type_bits(t) < 16 ? 16 : ptx_type_bits(t);
}
static void declare(struct text *t, enum ptx_type type, const char *name) {
    if (type == PTX_PRED)
        text_add(t, ".reg .pred %s;\n", name);
    else
        text_add(t, ".reg .b%u %s;\n", register_width(type), name);
}
/* Writes code that loads the value at %from + offset. */
static void fetch(struct text *t, enum ptx_type type, const char *name, size_t offset) {
    if (type == PTX_PRED)
        text_add(t, "ld.global.b32 %%truth, [%%from+%zu];\nsetp.ne.b32 %s, %%truth, 0;\n", offset, name);
    else
        text_add(t, "ld.global.b%u %s, [%%from+%zu];\n", register_width(type), name, offset);
}
static void keep(struct text *t, enum ptx_type type, const char *name, size_t offset) {
    if (type == PTX_PRED)
        text_add(t, "selp.b32 %%truth, 1, 0, %s;\nst.global.b32 [%%to+%zu], %%truth;\n", name, offset);
    else
        text_add(t, "st.global.b%u [%%to+%zu], %s;\n", register_width(type), offset, name);
}
static void constant(struct text *t, enum ptx_type type, uint64_t value) {
    if (type == PTX_F32 || type == PTX_F64)
        text_add(t, type == PTX_F32 ? "0f%08llX" : "0d%016llX", (unsigned long long)value);
    else
        text_add(t, "0x%llx", (unsigned long long)value);
}
/* Writes the instruction with its sources. Source `constant_source` is v->constant; SOURCES selects none. */
static void instruction(struct text *t, const struct shape *s, const struct values *v, const char *guard,
                        const char *destination, unsigned constant_source) {
    text_add(t, TESTED "%s", guard);
    mnemonic(t, &s->form);
    text_add(t, " %s%s", destination, s->pair ? "|%second" : "");
    for (unsigned k = 0; k < s->sources - s->with; k++) {
        text_add(t, ", ");
        if (k == constant_source || s->source[k].is_constant)
            constant(t, s->source[k].type, v->constant);
        else
            text_add(t, "%s%%s%u", s->negated && s->source[k].type == PTX_PRED ? "!" : "", k);
    }
    text_add(t, ";\n" UNTESTED);
}
/* Writes code that sets the carry flag to the carry input or, if the instruction does not read it, clears the flag. */
static void before(struct text *t, const struct shape *s) {
    if (!s->carries) return;
    if (s->with)
        text_add(t, "selp.b32 %%truth, 1, 0, %%s%u;\n", s->sources - 1);
    else
        text_add(t, "mov.b32 %%truth, 0;\n");
    text_add(t, is_subtraction(s->form.op) ? "sub.cc.u32 %%scrap, 0, %%truth;\n"
                                           : "add.cc.u32 %%scrap, %%truth, 0xffffffff;\n");
}
static void after(struct text *t, const struct shape *s, size_t offset) {
    if (s->carries)
        text_add(t, is_subtraction(s->form.op) ? "subc.u32 %%scrap, 0, 0;\nneg.s32 %%scrap, %%scrap;\n"
                                               : "addc.u32 %%scrap, 0, 0;\n");
    if (s->carries) text_add(t, "setp.ne.b32 %%second, %%scrap, 0;\n");
    if (s->carries || s->pair) keep(t, PTX_PRED, "%second", offset);
}
enum way { WHOLE, GUARDED, GUARDED_NOT, BRANCH, CONSTANT, SAME };
static bool can_be_same(const struct shape *s, unsigned k) {
    return k < s->sources - s->with && !s->source[k].is_constant &&
           register_width(s->source[k].type) == register_width(s->destination);
}
static void way_text(struct text *t, const struct shape *s, const struct values *v, unsigned way,
                     unsigned constant_source) {
    const size_t offset = sizeof v->out[0] * way;
    char same[8];
    snprintf(same, sizeof same, "%%s%u", way - SAME);
    const char *destination = way >= SAME ? same : "%d";
    if (way >= SAME) fetch(t, s->source[way - SAME].type, same, (way - SAME) * sizeof v->of[0]);
    if (way < SAME) fetch(t, s->destination, "%d", SOURCES * sizeof v->of[0]);
    if (s->pair) fetch(t, PTX_PRED, "%second", SOURCES * sizeof v->of[0]);
    before(t, s);
    if (way == BRANCH) text_add(t, "@!%%on bra SKIP;\n");
    instruction(t, s, v,
                way == GUARDED       ? "@%on "
                : way == GUARDED_NOT ? "@!%on "
                                     : "",
                destination, way == CONSTANT ? constant_source : SOURCES);
    if (way == BRANCH) text_add(t, "SKIP:\n");
    keep(t, s->destination, destination, offset);
    after(t, s, offset + sizeof v->out[0][0]);
    if (way >= SAME) fetch(t, s->source[way - SAME].type, same, (way - SAME) * sizeof v->of[0]);
}
static void kernel(struct text *t, const struct shape *s, const struct values *v, unsigned constant_source) {
    t->length = 0;
    text_add(t, HEADER ".visible .entry k(.param .u64 to, .param .u64 from) {\n");
    text_add(
        t,
        ".reg .pred %%on, %%second;\n.reg .b32 %%thread, %%block, %%truth, %%scrap;\n.reg .b64 %%to, %%from, %%at;\n");
    text_add(t, UNTESTED "ld.param.u64 %%to, [to];\nld.param.u64 %%from, [from];\nmov.u32 %%thread, %%tid.x;\n");
    text_add(
        t,
        "mov.u32 %%block, %%ctaid.x;\nmad.lo.u32 %%thread, %%block, %d, %%thread;\nmul.wide.u32 %%at, %%thread, 8;\n",
        THREADS);
    text_add(t, "add.s64 %%to, %%to, %%at;\nadd.s64 %%from, %%from, %%at;\n");
    declare(t, s->destination, "%d");
    for (unsigned k = 0; k < s->sources; k++) {
        char name[8];
        snprintf(name, sizeof name, "%%s%u", k);
        declare(t, s->source[k].type, name);
        fetch(t, s->source[k].type, name, k * sizeof v->of[0]);
    }
    fetch(t, PTX_PRED, "%on", (SOURCES + 1) * sizeof v->of[0]);
    for (unsigned way = 0; way < SAME; way++)
        if (way != CONSTANT || constant_source < SOURCES) way_text(t, s, v, way, constant_source);
    for (unsigned k = 0; k < s->sources; k++)
        if (can_be_same(s, k)) way_text(t, s, v, SAME + k, constant_source);
    text_add(t, "ret;\n}\n");
}

/* ---- comparison -------------------------------------------------------------------------------------------------- */
static bool agrees(uint64_t got, uint64_t expected, enum ptx_type t, enum closeness closeness) {
    if (got == expected) return true;
    if (is_pair_type(t))
        return agrees(got & 0xffff, expected & 0xffff, single_type(t), closeness) &&
               agrees(got >> 16, expected >> 16, single_type(t), closeness);
    if (!is_float_type(t)) return false;
    if (is_nan_bits(expected, t) || is_nan_bits(got, t)) return is_nan_bits(expected, t) && is_nan_bits(got, t);
    const int64_t apart = order_of(got, t) - order_of(expected, t);
    return closeness == LAST_DIGIT && got >> (ptx_type_bits(t) - 1) == expected >> (ptx_type_bits(t) - 1) &&
           apart >= -1 && apart <= 1;
}
static void compare_way(const struct shape *s, const struct values *v, unsigned way, const char *isa,
                        const char *text) {
    static const char *const names[] = {"in whole warps",
                                        "under a guard",
                                        "under a negated guard",
                                        "on one side of a branch",
                                        "with a constant",
                                        "with d = a",
                                        "with d = b",
                                        "with d = c",
                                        "with d = e"};
    const struct result *expected = way == CONSTANT ? v->with_constant : v->expected;
    const bool seconds = s->pair || s->carries;
    for (unsigned n = 0; n < VALUES; n++) {
        const bool off = way == GUARDED_NOT ? v->on[n] : (way == GUARDED || way == BRANCH) && !v->on[n];
        const uint64_t second_off = s->pair ? (v->old[n] != 0) : s->with ? v->of[s->sources - 1][n] : 0;
        const uint64_t first = off ? v->old[n] : expected[n].first, second = off ? second_off : expected[n].second;
        const bool sets_carry = !s->carries || !s->with || s->form.word[PTX_CLASS_CARRY];
        const bool ok = agrees(v->out[way][0][n], first, s->destination, references[s->form.op].closeness) &&
                        (!seconds || !sets_carry || v->out[way][1][n] == second);
        const struct result untouched = {v->old[n], second_off};
        if (off ? v->out[way][0][n] == untouched.first && (!s->pair || v->out[way][1][n] == untouched.second) : ok)
            continue;
        ck_abort_msg("%s %s, %s: sources %llx %llx %llx %llx%s gave %llx %llx, expected %llx %llx", text, names[way],
                     isa, (unsigned long long)v->of[0][n], (unsigned long long)v->of[1][n],
                     (unsigned long long)v->of[2][n], (unsigned long long)v->of[3][n], off ? " (lane off)" : "",
                     (unsigned long long)v->out[way][0][n], (unsigned long long)v->out[way][1][n],
                     (unsigned long long)first, (unsigned long long)second);
    }
}
/* PTX has no constants of narrow floats. */
static bool has_no_constants(enum ptx_type t) { return is_half_type(t) || t == PTX_E4M3X2 || t == PTX_E5M2X2; }
static unsigned forms_met, forms_run; /* number of forms of the current row that exist, and that have run */
static void check_form(const struct form *f, bool negated, uint64_t table) {
    static struct values v;
    static struct text t;
    struct shape s = shape_of(f);
    struct text name = {.length = 0};
    uint64_t random = f->op * 1000003u + f->type * 1009u + f->type2 * 97u + negated;
    s.negated = negated;
    mnemonic(&name, f);
    unsigned constant_source = SOURCES; /* index of the last source that may be a constant */
    for (unsigned k = 0; k < s.sources; k++)
        if ((f->type == PTX_PRED || s.source[k].type != PTX_PRED) && !has_no_constants(s.source[k].type))
            constant_source = k;
    v.constant = 0;
    if (f->op == PTX_OP_lop3)
        v.constant = table, constant_source = SOURCES;
    else if (constant_source < SOURCES) {
        const struct edges e = edges_of(s.source[constant_source].type);
        v.constant = f->op == PTX_OP_fns ? 3 : e.values[random_next(&random) % e.count];
    }
    memset(v.of, 0, sizeof v.of);
    choose(&v, &s, &random);
    expect_values(&v, &s, constant_source < SOURCES ? constant_source : 0);
    kernel(&t, &s, &v, constant_source);
    for (unsigned set = 0; set < SETS; set++) {
        if (!set_is_tested(set)) continue;
        static struct run r;
        memset(v.out, 0, sizeof v.out);
        r = (struct run){.text = t.data,
                         .isa = instruction_sets[set],
                         .grid = {BLOCKS},
                         .block = {THREADS},
                         .in = v.of,
                         .in_bytes = offsetof(struct values, constant),
                         .out = v.out,
                         .out_bytes = sizeof v.out};
        run(&r);
        ck_assert_msg(r.status == SIM_DONE && !r.faults, "%s stopped or faulted", name.data);
        for (unsigned way = 0; way < SAME; way++)
            if (way != CONSTANT || constant_source < SOURCES) compare_way(&s, &v, way, r.isa, name.data);
        for (unsigned k = 0; k < s.sources; k++)
            if (can_be_same(&s, k)) compare_way(&s, &v, SAME + k, r.isa, name.data);
    }
    forms_run++;
}

/* ---- all forms of a row ------------------------------------------------------------------------------------------ */
/* Returns whether the row requires a modifier of this class. If so, forms without one are not tested. */
static bool wants(const struct form *f, enum ptx_mod_class group) {
    switch (f->op) {
    case PTX_OP_fma_flt:
    case PTX_OP_fma_half:
    case PTX_OP_cvt_pair:
    case PTX_OP_cvt_halves_fp8:
    case PTX_OP_cvt_tf32:
    case PTX_OP_mad_flt: return group == PTX_CLASS_ROUND;
    case PTX_OP_cvt_fp8:
    case PTX_OP_cvt_fp8_halves: return group == PTX_CLASS_ROUND || group == PTX_CLASS_SATFINITE;
    case PTX_OP_testp: return group == PTX_CLASS_MODE;
    case PTX_OP_setp:
    case PTX_OP_set: return group == PTX_CLASS_CMP;
    case PTX_OP_rsqrt:
    case PTX_OP_sin:
    case PTX_OP_cos:
    case PTX_OP_lg2:
    case PTX_OP_ex2:
    case PTX_OP_tanh:
    case PTX_OP_tanh_half: return group == PTX_CLASS_APPROX;
    case PTX_OP_ex2_half:
        return group == PTX_CLASS_APPROX || (group == PTX_CLASS_FTZ && single_type(f->type) == PTX_BF16);
    default: return false;
    }
}
static bool exists(const struct form *f) {
    const bool round = f->word[PTX_CLASS_ROUND], approximate = f->word[PTX_CLASS_APPROX];
    for (int group = 0; group < PTX_CLASS_COUNT; group++)
        if (!f->word[group] && wants(f, (enum ptx_mod_class)group)) return false;
    if (f->op == PTX_OP_fma_half && f->word[PTX_CLASS_SAT] && f->word[PTX_CLASS_RELU]) return false;
    if (f->op == PTX_OP_cvt_tf32 &&
        (f->word[PTX_CLASS_ROUND] == PTX_MOD_RNA ? f->word[PTX_CLASS_RELU] : f->word[PTX_CLASS_SATFINITE]))
        return false;
    if (f->op == PTX_OP_slct && f->word[PTX_CLASS_FTZ] && f->type2 != PTX_F32) return false;
    if (f->op == PTX_OP_set) { /* a 16-bit float result requires operands of its type; pairs have no f32 result */
        if (is_half_type(f->type) && f->type != f->type2) return false;
        if (is_pair_type(f->type2) && f->type == PTX_F32) return false;
    }
    if ((f->op == PTX_OP_div_flt || f->op == PTX_OP_rcp || f->op == PTX_OP_sqrt) && round == approximate) return false;
    if ((f->op == PTX_OP_rcp || f->op == PTX_OP_rsqrt) && f->type == PTX_F64) /* only .approx.ftz.f64 exists */
        return f->op == PTX_OP_rsqrt || !f->word[PTX_CLASS_FTZ] == !approximate;
    if (f->word[PTX_CLASS_OPERATION]) { /* with a Boolean operation (.and, .or, .xor), three comparisons suffice */
        const uint8_t cmp = f->word[PTX_CLASS_CMP];
        return cmp == PTX_MOD_LT || cmp == PTX_MOD_EQ || cmp == PTX_MOD_NEU;
    }
    return true;
}
/* `set` has a third of all forms, but compares as `setp` does. On the CPU, every fifth form suffices. */
static unsigned step_of(const struct form *f) { return effort(f->op == PTX_OP_set && !getenv("GPU") ? 5 : 1, 9); }
static void forms(struct form *f, unsigned group) {
    if (group == PTX_CLASS_COUNT) {
        if (!exists(f) || forms_met++ % step_of(f)) return;
        if (f->op == PTX_OP_lop3) {
            uint64_t random = 3;
            for (unsigned k = 0; k < 8; k++)
                check_form(f, false, 1u << k), check_form(f, false, random_next(&random) & 255);
            return;
        }
        check_form(f, false, 0);
        if (strchr(ptx_ops[f->op].operands, 'q') && (f->op != PTX_OP_set || f->word[PTX_CLASS_OPERATION]) &&
            (f->op != PTX_OP_setp || f->word[PTX_CLASS_OPERATION]))
            check_form(f, true, 0);
        return;
    }
    f->word[group] = PTX_MOD_NONE;
    forms(f, group + 1);
    if (!(ptx_ops[f->op].allow >> group & 1)) return;
    for (int m = 1; m < PTX_MOD_COUNT; m++) {
        const char *text = ptx_mod_text((enum ptx_mod)m);
        unsigned found;
        if (ptx_mod_named(f->op, text, strlen(text), &found) != (enum ptx_mod)m || found != group) continue;
        if (!ptx_mod_allowed(f->op, f->type, f->type2, group, (enum ptx_mod)m)) continue;
        f->word[group] = (uint8_t)m;
        forms(f, group + 1);
    }
    f->word[group] = PTX_MOD_NONE;
}
static bool is_mine(int row) {
    const char *parts = getenv("PARTS"), *part = getenv("PART");
    if (tester_of((enum ptx_op)row) != TESTED_BY_LANES || !in_turn((unsigned)row, effort(3, 9))) return false;
    return !parts || !part || row % atoi(parts) == atoi(part);
}
START_TEST(row_is_right) {
    const struct ptx_op_row *row = &ptx_ops[_i];
    if (!is_mine(_i)) return;
    ck_assert_msg(references[_i].of != NULL, "row %s (%s) of ops.def has no reference", row->id, row->mnemonic);
    forms_met = forms_run = 0;
    for (int t = 1; t < PTX_TYPE_COUNT; t++)
        for (int t2 = 0; t2 < PTX_TYPE_COUNT; t2++) {
            if (!(row->types >> t & 1) || !(row->types2 ? row->types2 >> t2 & 1 : t2 == 0)) continue;
            struct form f = {.op = (enum ptx_op)_i, .type = (enum ptx_type)t, .type2 = (enum ptx_type)t2};
            forms(&f, 0);
        }
    ck_assert_msg(forms_run > 0, "row %s of ops.def has no form to test", row->id);
}
END_TEST
START_TEST(every_form_was_run) {
    for (int row = 0; row < PTX_OP_COUNT; row++)
        if (effort(1, 0) && is_mine(row)) coverage_check_row((enum ptx_op)row);
}
END_TEST

int main(void) {
    TCase *t = tcase_create("lanes");
    coverage_begin();
    tcase_add_loop_test(t, row_is_right, 0, PTX_OP_COUNT);
    tcase_add_test(t, every_form_was_run);
    return run_suite("ops_lanes", t);
}
