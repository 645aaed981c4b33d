/* Tests moves, addresses and conversions: the rows mov, cvt, cvta and isspacep. Tests cvt for every pair of types,
 * with every modifier and with registers of every width, against exact arithmetic (ops/exact.h). */
/* run: 5 s, gpu */
/* reads: nothing */
#include "ptx/parser.h"
#include "tests/effort.h"
#include "tests/ops/edges.h"
#include "tests/ops/programs.h"

/* ---- programs ---------------------------------------------------------------------------------------------------- */
#define ADDRESS_SHARED UINT64_C(0x010000000000)
#define ADDRESS_LOCAL UINT64_C(0x020000000000)
#define PROGRAM(name, module, body, expression)                                                                        \
    static uint64_t expected_##name(uint32_t t) { return (void)t, (uint32_t)(expression); }
#define WIDE(name, module, body, expression)                                                                           \
    static uint64_t expected_##name(uint32_t t) { return (void)t, (uint64_t)(expression); }
#include "tests/ops/moves.def"
static const struct program programs[] = {
#define PROGRAM(name, module, body, expression) {#name, module, body, expected_##name},
#define WIDE PROGRAM
#include "tests/ops/moves.def"
};
enum { PROGRAMS = sizeof programs / sizeof *programs };
START_TEST(program_is_right) { check_program(&programs[_i % PROGRAMS], instruction_sets[_i / PROGRAMS]); }
END_TEST

/* ---- cvt --------------------------------------------------------------------------------------------------------- */
enum { VALUES = 1024 };
struct conversion {
    enum ptx_type to, from;
    enum ptx_mod round;
    bool ftz, sat, relu;
};
static const enum ptx_mod none[] = {PTX_MOD_NONE}, to_number[] = {PTX_MOD_RN, PTX_MOD_RZ, PTX_MOD_RM, PTX_MOD_RP},
                          to_whole[] = {PTX_MOD_RNI, PTX_MOD_RZI, PTX_MOD_RMI, PTX_MOD_RPI},
                          to_whole_or_none[] = {PTX_MOD_NONE, PTX_MOD_RNI, PTX_MOD_RZI, PTX_MOD_RMI, PTX_MOD_RPI};
/* Returns the rounding modes that the PTX ISA allows for this pair of types. */
static unsigned roundings(enum ptx_type to, enum ptx_type from, const enum ptx_mod **words) {
#define WORDS(table) (*words = table, (unsigned)(sizeof(table) / sizeof *(table)))
    if (!is_float_type(to)) return is_float_type(from) ? WORDS(to_whole) : WORDS(none);
    if (!is_float_type(from)) return WORDS(to_number);
    if (to == from) return WORDS(to_whole_or_none);
    return ptx_type_bits(to) > ptx_type_bits(from) ? WORDS(none) : WORDS(to_number);
#undef WORDS
}
static uint64_t expected(const struct conversion *c, uint64_t v) {
    const unsigned from_bits = ptx_type_bits(c->from), bits = ptx_type_bits(c->to);
    const bool negative = is_signed_type(c->from) && v >> (from_bits - 1) & 1;
    struct exact x;
    v &= low_bits(from_bits);
    if (is_float_type(c->from))
        x = exact_of(c->ftz && c->from == PTX_F32 ? flushed(v, c->from) : v, c->from);
    else
        x = exact_of_integer(negative ? (int128)v - ((int128)1 << from_bits) : (int128)v);
    if (!is_float_type(c->to)) {
        if (is_float_type(c->from)) return to_integer(x, c->from, c->to, c->round);
        const uint64_t whole = x.negative ? 0 - (uint64_t)x.digits : (uint64_t)x.digits;
        return c->sat ? to_integer(x, c->from, c->to, PTX_MOD_RZI) : whole & low_bits(bits);
    }
    if (c->from == c->to && c->round) x = to_integral(x, c->round);
    uint64_t d = to_bits(x, c->to, c->round);
    if (c->ftz && c->to == PTX_F32) d = flushed(d, c->to);
    if (c->relu && !is_nan_bits(d, c->to) && d & sign_bit(c->to)) return 0;
    if (c->sat && (is_nan_bits(d, c->to) || d & sign_bit(c->to))) return 0;
    return c->sat && d > one_bits(c->to) ? one_bits(c->to) : d;
}

static void name_of(struct text *t, const struct conversion *c) {
    text_add(t, "cvt%s%s%s%s%s.%s.%s", c->round ? "." : "", ptx_mod_text(c->round), c->relu ? ".relu" : "",
             c->ftz ? ".ftz" : "", c->sat ? ".sat" : "", ptx_type_name(c->to), ptx_type_name(c->from));
}
enum way { WHOLE, GUARDED, SAME, WAYS };
struct values {
    uint64_t of[VALUES], old[VALUES];
    uint64_t out[WAYS][VALUES];
};
static void kernel(struct text *t, const struct conversion *c, unsigned to_width, unsigned from_width) {
    t->length = 0;
    text_add(t, HEADER ".visible .entry k(.param .u64 to, .param .u64 from) {\n");
    text_add(t,
             ".reg .pred %%on;\n.reg .b32 %%thread;\n.reg .b64 %%to, %%from, %%at;\n.reg .b%u %%d;\n.reg .b%u %%s;\n",
             to_width, from_width);
    text_add(t, UNTESTED "ld.param.u64 %%to, [to];\nld.param.u64 %%from, [from];\nmov.u32 %%thread, %%tid.x;\n");
    text_add(t, "mul.wide.u32 %%at, %%thread, 8;\nadd.s64 %%to, %%to, %%at;\nadd.s64 %%from, %%from, %%at;\n");
    text_add(t, "and.b32 %%thread, %%thread, 5;\nsetp.eq.u32 %%on, %%thread, 4;\nld.global.b%u %%s, [%%from];\n",
             from_width);
    for (int way = 0; way < WAYS; way++) {
        if (way == SAME && to_width != from_width) continue;
        text_add(t, "ld.global.b%u %%d, [%%from+%zu];\n", to_width, sizeof(uint64_t[VALUES]));
        text_add(t, TESTED "%s", way == GUARDED ? "@%on " : "");
        name_of(t, c);
        text_add(t, way == SAME ? " %%s, %%s;\n" : " %%d, %%s;\n");
        text_add(t, UNTESTED "st.global.b%u [%%to+%zu], %s;\n", to_width, way * sizeof(uint64_t[VALUES]),
                 way == SAME ? "%s" : "%d");
    }
    text_add(t, "ret;\n}\n");
}
static void check_registers(const struct conversion *c, unsigned to_width, unsigned from_width) {
    static struct values v;
    static struct text t;
    struct text name = {.length = 0};
    const struct edges e = edges_of(c->from);
    const unsigned bits = ptx_type_bits(c->to);
    uint64_t random = c->to * 100 + c->from;
    for (unsigned n = 0; n < VALUES; n++) {
        /* the instruction must ignore bits beyond the type's width */
        const uint64_t garbage = random_next(&random) & ~low_bits(ptx_type_bits(c->from));
        v.of[n] = n < e.count ? e.values[n] : random_value(c->from, &e, &random);
        if (is_float_type(c->from) && n % 4 == 1 && n > e.count) /* floats near the limits of integers */
            v.of[n] = to_bits(exact_of_integer((int128)(random_next(&random) >> random_next(&random) % 64)), c->from,
                              PTX_MOD_RN) |
                      (n & 8 ? sign_bit(c->from) : 0);
        v.of[n] |= garbage & low_bits(from_width);
        v.old[n] = random_next(&random) & low_bits(to_width);
    }
    kernel(&t, c, to_width, from_width);
    name_of(&name, c);
    for (unsigned set = 0; set < SETS; set++) {
        static struct run r;
        if (!set_is_tested(set)) continue;
        memset(v.out, 0, sizeof v.out);
        r = (struct run){.text = t.data,
                         .isa = instruction_sets[set],
                         .block = {VALUES},
                         .in = v.of,
                         .in_bytes = offsetof(struct values, out),
                         .out = v.out,
                         .out_bytes = sizeof v.out};
        run(&r);
        ck_assert(r.status == SIM_DONE && !r.faults);
        for (int way = 0; way < (to_width == from_width ? WAYS : SAME); way++)
            for (unsigned n = 0; n < VALUES; n++) {
                uint64_t want = expected(c, v.of[n]), got = v.out[way][n];
                /* the result is sign-extended to the register's width */
                if (is_signed_type(c->to) && want >> (bits - 1) & 1) want |= ~low_bits(bits);
                want &= low_bits(to_width);
                if (way == GUARDED && (n & 5) != 4) want = v.old[n];
                if (is_float_type(c->to) && is_nan_bits(want, c->to) && is_nan_bits(got, c->to)) continue;
                if (got == want) continue;
                ck_abort_msg("%s from %u into %u bits, way %d, %s: %llx gave %llx, expected %llx", name.data,
                             from_width, to_width, way, r.isa, (unsigned long long)v.of[n], (unsigned long long)got,
                             (unsigned long long)want);
            }
    }
}
/* Tests all register widths, but with a modifier only one, because modifiers and widths are independent. A register may
 * be wider than an integer, but not than a float. */
static void check_widths(const struct conversion *c) {
    const unsigned to = ptx_type_bits(c->to) < 16 ? 16 : ptx_type_bits(c->to);
    const unsigned from = ptx_type_bits(c->from) < 16 ? 16 : ptx_type_bits(c->from);
    const bool words = c->ftz || c->sat || c->relu || (c->round && c->round != PTX_MOD_RN && c->round != PTX_MOD_RZI);
    for (unsigned d = to; d <= (is_float_type(c->to) || words ? to : 64); d *= 2)
        for (unsigned s = from; s <= (is_float_type(c->from) || words ? from : 64); s *= 2) check_registers(c, d, s);
}
START_TEST(conversion_is_right) {
    const struct ptx_op_row *row = &ptx_ops[PTX_OP_cvt];
    const enum ptx_type to = (enum ptx_type)_i;
    for (int from = 1; from < PTX_TYPE_COUNT; from++) {
        const enum ptx_mod *words;
        if (!(row->types >> to & 1) || !(row->types2 >> from & 1)) continue;
        const unsigned count = roundings(to, (enum ptx_type)from, &words);
        for (unsigned k = 0; k < 8 * count; k++) {
            const struct conversion c = {to, (enum ptx_type)from, words[k / 8], k & 1, k & 2, k & 4};
            if (c.relu && (c.sat || !is_half_type(to) || from != PTX_F32 ||
                           (c.round && c.round != PTX_MOD_RN && c.round != PTX_MOD_RZ)))
                continue;
            const bool float_pair = is_float_type(to) || is_float_type(c.from);
            if (c.ftz && (!float_pair || (to != PTX_F32 && from != PTX_F32))) continue;
            check_widths(&c);
        }
    }
}
END_TEST
/* Bits of NaNs that an H200 returned (November 2026). */
#define SIGNALING UINT64_C(0x7ff4000000000555)
#define NEGATIVE UINT64_C(0xfff8123456789abc)
#define QUIET UINT64_C(0x7ff8000000000000)
#define SIGNALED UINT64_C(0x7ffc000000000555)
#define ONE_AND_HALF UINT64_C(0x3ff8000000000000)
static const struct {
    const char *text; /* the destination's first letter is its type */
    uint64_t in[3], out;
    const char *first; /* an instruction that runs before `text` */
} nans[] = {
    {"add.rn.f64 %d, %d1, %d2;", {QUIET, SIGNALING}, SIGNALED},
    {"add.rn.f64 %d, %d1, %d2;", {SIGNALING, QUIET}, QUIET},
    {"add.rn.f64 %d, %d1, %d2;", {SIGNALING, ONE_AND_HALF}, SIGNALED},
    {"sub.rn.f64 %d, %d1, %d2;", {QUIET, NEGATIVE}, NEGATIVE},
    {"mul.rn.f64 %d, %d1, %d2;", {QUIET, NEGATIVE}, NEGATIVE},
    {"div.rn.f64 %d, %d1, %d2;", {QUIET, NEGATIVE}, QUIET},
    {"fma.rn.f64 %d, %d1, %d2, %d3;", {QUIET, SIGNALING, NEGATIVE}, SIGNALED},
    {"fma.rn.f64 %d, %d1, %d2, %d3;", {QUIET, ONE_AND_HALF, SIGNALING}, SIGNALED},
    {"fma.rn.f64 %d, %d1, %d2, %d3;", {SIGNALING, ONE_AND_HALF, ONE_AND_HALF}, SIGNALED},
    {"min.f64 %d, %d1, %d2;", {QUIET, SIGNALING}, SIGNALED},
    {"max.f64 %d, %d1, %d2;", {SIGNALING, NEGATIVE}, NEGATIVE},
    {"max.f64 %d, %d1, %d2;", {SIGNALING, ONE_AND_HALF}, ONE_AND_HALF},
    {"neg.f64 %d, %d1;", {NEGATIVE}, NEGATIVE},
    {"neg.f64 %d, %d1;", {SIGNALING}, SIGNALED},
    {"abs.f64 %d, %d1;", {NEGATIVE}, NEGATIVE},
    {"sqrt.rn.f64 %d, %d1;", {SIGNALING}, SIGNALED},
    {"cvt.rni.f64.f64 %d, %d1;", {SIGNALING}, SIGNALED},
    {"cvt.rn.f32.f64 %f, %d1;", {NEGATIVE}, 0xffc091a2},
    {"cvt.rn.f16.f64 %h, %d1;", {NEGATIVE}, 0xfe04},
    {"cvt.rn.bf16.f64 %h, %d1;", {NEGATIVE}, 0xffc0},
    {"cvt.rn.bf16.f64 %h, %d1;", {SIGNALING}, 0x7fe0},
    {"cvt.f32.bf16 %f, %h1;", {0x7fa5}, 0x7fa50000},
    {"cvt.f64.f16 %d, %h1;", {0x7d05}, UINT64_C(0x7ffc140000000000)},
    {"rcp.approx.ftz.f64 %d, %d1;", {NEGATIVE}, UINT64_C(0x7fffffff00000000)},
    {"rcp.approx.ftz.f64 %d, %d1;", {UINT64_C(0x7ff0000000000001)}, 0},
    {"rcp.approx.ftz.f64 %d, %d1;", {ONE_AND_HALF}, UINT64_C(0x3fe5555500000000)},
    {"atom.global.add.f64 %d, [%to], %d1; ld.global.f64 %d, [%to];",
     {SIGNALING, QUIET},
     SIGNALING,
     "st.global.f64 [%to], %d2;"},
    {"atom.global.add.f64 %d, [%to], %d1; ld.global.f64 %d, [%to];",
     {ONE_AND_HALF, SIGNALING},
     SIGNALING,
     "st.global.f64 [%to], %d2;"},
    {"atom.shared.add.f64 %d, [s], %d1; ld.shared.f64 %d, [s];",
     {QUIET, SIGNALING},
     SIGNALED,
     "st.shared.f64 [s], %d2;"},
    {"atom.shared.add.f64 %d, [s], %d1; ld.shared.f64 %d, [s];",
     {SIGNALING, ONE_AND_HALF},
     SIGNALED,
     "st.shared.f64 [s], %d2;"},
    {"atom.global.add.f32 %f, [%to], %f1; ld.global.f32 %f, [%to];",
     {0xffc12345, 0x3fc00000},
     0x7fffffff,
     "st.global.f32 [%to], %f2;"},
    {"atom.shared.add.f32 %f, [s], %f1; ld.shared.f32 %f, [s];",
     {0x3fc00000, 0x7fa00555},
     0x7fffffff,
     "st.shared.f32 [s], %f2;"},
    {"cvt.rn.f16.f64 %h, %d1;", {SIGNALING}, 0x7f00},
    {"cvt.f64.f32 %d, %f1;", {0xffc12345}, UINT64_C(0xfff82468a0000000)},
    {"cvt.rni.f32.f32 %f, %f1;", {0xffc12345}, 0x7fffffff},
    {"cvt.f32.f16 %f, %h1;", {0xfe55}, 0x7fffffff},
    {"cvt.rn.f16.f32 %h, %f1;", {0xffc12345}, 0x7fff},
    {"add.rn.f32 %f, %f1, %f2;", {0xffc12345, 0x7fa00555}, 0x7fffffff},
    {"neg.f32 %f, %f1;", {0xffc12345}, 0x7fffffff},
    {"min.f16 %h, %h1, %h2;", {0xfe55, 0x7d05}, 0x7fff},
};
START_TEST(nan_has_the_bits_of_an_h200) {
    static struct text t;
    const char type = strchr(nans[_i].text, '%')[1];
    const unsigned bits = type == 'd' ? 64 : type == 'f' ? 32 : 16;
    t.length = 0;
    text_add(&t, HEADER ".visible .entry k(.param .u64 out, .param .u64 in) {\n.reg .b64 %%to, %%from, %%d, %%d<4>;\n"
                        ".reg .b32 %%f, %%f<4>;\n.reg .b16 %%h, %%h<4>;\n.shared .b64 s;\n"
                        "ld.param.u64 %%to, [out];\nld.param.u64 %%from, [in];\n");
    for (unsigned k = 0; k < 3; k++)
        for (unsigned b = 16; b <= 64; b *= 2)
            text_add(&t, "ld.global.b%u %%%c%u, [%%from+%u];\n", b, b == 64 ? 'd' : b == 32 ? 'f' : 'h', k + 1, 8 * k);
    text_add(&t, "%s\n%s\nst.global.b%u [%%to], %%%c;\n}\n", nans[_i].first ? nans[_i].first : "", nans[_i].text, bits,
             type);
    for (unsigned set = 0; set < SETS; set++) {
        static struct run r;
        uint64_t out = 0;
        if (!set_is_tested(set)) continue;
        r = (struct run){.text = t.data,
                         .isa = instruction_sets[set],
                         .block = {1},
                         .in = nans[_i].in,
                         .in_bytes = sizeof nans[_i].in,
                         .out = &out,
                         .out_bytes = sizeof out};
        run(&r);
        ck_assert_msg(r.status == SIM_DONE && out == nans[_i].out, "%s, %s: %llx, expected %llx", nans[_i].text, r.isa,
                      (unsigned long long)out, (unsigned long long)nans[_i].out);
    }
}
END_TEST
START_TEST(every_form_was_run) {
    if (effort(1, 0)) coverage_check(TESTED_BY_CONVERT);
}
END_TEST

int main(void) {
    TCase *t = tcase_create("convert");
    coverage_begin();
    add_for_sets(t, program_is_right, PROGRAMS, "check_ops_convert");
    for (int type = 1; type < PTX_TYPE_COUNT; type++)
        if (in_turn((unsigned)type, effort(1, 3))) tcase_add_loop_test(t, conversion_is_right, type, type + 1);
    tcase_add_loop_test(t, nan_has_the_bits_of_an_h200, 0, sizeof nans / sizeof *nans);
    tcase_add_test(t, every_form_was_run);
    return run_suite("ops_convert", t);
}
