/* Tests video instructions: every row, type and modifier runs with random operands. The expected result follows the
 * PTX ISA's pseudocode ("Video Instructions", "Scalar ..." and "SIMD Video Instructions"). This file implements the
 * pseudocode independently, on arrays of bytes. */
/* run: 2 s */
/* reads: nothing */
#include "base/random.h"
#include "tests/ops/run.h"

enum { THREADS = 32, FORMS = 8 /* per kernel */, MAX_PARTS = 4 };
static const enum ptx_op scalars[] = {PTX_OP_vadd, PTX_OP_vsub, PTX_OP_vabsdiff, PTX_OP_vmin,    PTX_OP_vmax,
                                      PTX_OP_vshl, PTX_OP_vshr, PTX_OP_vmad,     PTX_OP_vmad_po, PTX_OP_vset},
                         packs[] = {PTX_OP_vadd2,     PTX_OP_vsub2, PTX_OP_vavrg2, PTX_OP_vabsdiff2, PTX_OP_vmin2,
                                    PTX_OP_vmax2,     PTX_OP_vset2, PTX_OP_vadd4,  PTX_OP_vsub4,     PTX_OP_vavrg4,
                                    PTX_OP_vabsdiff4, PTX_OP_vmin4, PTX_OP_vmax4,  PTX_OP_vset4};
enum { SCALARS = sizeof scalars / sizeof *scalars, PACKS = sizeof packs / sizeof *packs };
struct part {
    /* size: in bytes; which: the selected parts; count: their number, 0 for the whole register */
    unsigned size, count, which[MAX_PARTS];
};
struct form {
    enum ptx_op op;
    bool d_signed, a_signed, b_signed, saturates;
    const char *then, *mode; /* then: "", ".add"; mode: "", ".clamp", ".shr7", ".lt" */
    struct part d, a, b;
    unsigned lanes;
    char text[160];
};
static bool is(const struct form *f, const char *name) { return !strncmp(ptx_ops[f->op].mnemonic, name, strlen(name)); }
static unsigned draw(uint64_t *random, unsigned most) { return (unsigned)(random_next(random) >> 33) % most; }

/* ---- forms ------------------------------------------------------------------------------------- */
static void name_part(char *text, const struct part *p) {
    if (p->count) sprintf(text + strlen(text), ".%c", p->size == 1 ? 'b' : 'h');
    for (unsigned k = p->count; k-- > 0;) sprintf(text + strlen(text), "%u", p->which[k]);
}
static struct part one_part(uint64_t *random) {
    struct part p = {.size = 1 + draw(random, 2), .count = draw(random, 3) > 0};
    p.which[0] = draw(random, 4 / p.size);
    return p;
}
static struct part packed_part(uint64_t *random, unsigned lanes) {
    struct part p = {.size = 4 / lanes, .count = draw(random, 2) ? lanes : 0};
    for (unsigned k = 0; k < lanes; k++) p.which[k] = draw(random, 2 * lanes);
    return p;
}
static struct part mask_part(uint64_t *random, unsigned lanes) {
    struct part p = {.size = 4 / lanes};
    for (unsigned k = 0; k < lanes; k++)
        if (draw(random, 2)) p.which[p.count++] = k;
    return p;
}
static const char *const thens[] = {"", ".add", ".min", ".max"}, *const compares[] = {".eq", ".ne", ".lt",
                                                                                      ".le", ".gt", ".ge"};
static struct form draw_form(enum ptx_op op, unsigned number, uint64_t *random) {
    static const char *const shifts[] = {".clamp", ".wrap"}, *const scales[] = {"", ".shr7", ".shr15"};
    struct form f = {
        .op = op, .d_signed = number & 1, .a_signed = number & 2, .b_signed = number & 4, .then = "", .mode = ""};
    const char last = ptx_ops[op].mnemonic[strlen(ptx_ops[op].mnemonic) - 1];
    f.lanes = last == '2' || last == '4' ? (unsigned)(last - '0') : 1;
    const bool sets = is(&f, "vset"), product = is(&f, "vmad"), shift = is(&f, "vsh");
    f.saturates = !sets && draw(random, 2);
    if (sets) f.mode = compares[number % 6];
    if (shift) f.mode = shifts[number / 2 % 2], f.b_signed = false;
    if (product) f.mode = scales[number % 3];
    f.a = f.lanes > 1 ? packed_part(random, f.lanes) : one_part(random);
    f.b = f.lanes > 1 ? packed_part(random, f.lanes) : one_part(random);
    if (f.lanes > 1 && draw(random, 2)) f.then = ".add", f.saturates = false;
    if (f.lanes > 1) f.d = mask_part(random, f.lanes);
    if (f.lanes == 1 && !product) f.then = thens[draw(random, 4)];
    if (f.lanes == 1 && !product && !*f.then) f.d = one_part(random);
    const bool third = f.lanes > 1 || product || *f.then || f.d.count;
    sprintf(f.text, "%s%s.%s.%s%s%s%s %%d", ptx_ops[op].mnemonic,
            sets         ? ""
            : f.d_signed ? ".s32"
                         : ".u32",
            f.a_signed ? "s32" : "u32", f.b_signed ? "s32" : "u32", f.saturates ? ".sat" : "", f.mode, f.then);
    name_part(f.text, &f.d);
    strcat(f.text, ", %a"), name_part(f.text, &f.a);
    strcat(f.text, ", %b"), name_part(f.text, &f.b);
    strcat(f.text, third ? ", %c;" : ";");
    return f;
}

/* ---- the ISA's definition --------------------------------------------------------------------- */
/* Returns the little-endian number in `size` bytes. */
static int64_t number_of(const uint8_t *bytes, unsigned size, bool is_signed) {
    int64_t n = 0;
    for (unsigned k = 0; k < size; k++) n += (int64_t)bytes[k] << 8 * k;
    return is_signed && bytes[size - 1] > 127 ? n - (INT64_C(1) << 8 * size) : n;
}
static int64_t part_select(uint32_t x, const struct part *p, bool is_signed) {
    uint8_t bytes[4];
    memcpy(bytes, &x, 4);
    return p->count ? number_of(bytes + p->which[0] * p->size, p->size, is_signed) : number_of(bytes, 4, is_signed);
}
static __int128 saturate(__int128 x, unsigned bytes, bool is_signed) {
    static const int64_t lowest[] = {0, -128, -32768, 0, INT32_MIN}, highest[] = {0, 127, 32767, 0, INT32_MAX},
                         largest[] = {0, 255, 65535, 0, UINT32_MAX};
    const int64_t least = is_signed ? lowest[bytes] : 0, most = is_signed ? highest[bytes] : largest[bytes];
    return x < least ? least : x > most ? most : x;
}
static __int128 operate(const struct form *f, int64_t ta, int64_t tb) {
    if (is(f, "vadd")) return ta + tb;
    if (is(f, "vsub")) return ta - tb;
    if (is(f, "vabsdiff")) return llabs(ta - tb);
    if (is(f, "vmin")) return ta <= tb ? ta : tb;
    if (is(f, "vmax")) return ta >= tb ? ta : tb;
    if (is(f, "vavrg")) return ta + tb >= 0 ? (ta + tb + 1) / 2 : -((-(ta + tb) + 1) / 2);
    if (is(f, "vset")) {
        const char *c = f->mode + 1;
        return *c == 'e'   ? ta == tb
               : *c == 'n' ? ta != tb
                           : (*c == 'l' && ta < tb) || (*c == 'g' && ta > tb) || (c[1] == 'e' && ta == tb);
    }
    const int64_t count = !strcmp(f->mode, ".wrap") ? tb % 32 : tb > 32 ? 32 : tb;
    __int128 shifted = ta;
    for (int64_t k = 0; k < count; k++) { /* shift one bit at a time, rounding down */
        if (is(f, "vshl"))
            shifted *= 2;
        else
            shifted = shifted < 0 ? (shifted - 1) / 2 : shifted / 2;
    }
    return shifted;
}
static uint32_t expected_product(const struct form *f, uint32_t a, uint32_t b, uint32_t c) {
    const bool is_signed = f->a_signed || f->b_signed;
    uint8_t bytes[4];
    memcpy(bytes, &c, 4);
    __int128 tmp = (__int128)part_select(a, &f->a, f->a_signed) * part_select(b, &f->b, f->b_signed);
    tmp += number_of(bytes, 4, is_signed) + (f->op == PTX_OP_vmad_po);
    for (int k = atoi(f->mode + (*f->mode ? 4 : 0)); k > 0; k--) tmp = tmp < 0 ? (tmp - 1) / 2 : tmp / 2;
    return (uint32_t)(f->saturates ? saturate(tmp, 4, is_signed) : tmp);
}
static uint32_t expected_scalar(const struct form *f, uint32_t a, uint32_t b, uint32_t c) {
    const unsigned size = f->d.count ? f->d.size : 4;
    const bool is_signed = f->d_signed && !is(f, "vset");
    __int128 tmp = operate(f, part_select(a, &f->a, f->a_signed), part_select(b, &f->b, f->b_signed));
    if (f->saturates) tmp = saturate(tmp, size, f->d_signed);
    const uint32_t low = (uint32_t)tmp;
    const int64_t x = is_signed ? (int32_t)low : (int64_t)low, y = is_signed ? (int32_t)c : (int64_t)c;
    if (!strcmp(f->then, ".add")) return low + c;
    if (!strcmp(f->then, ".min")) return x < y ? low : c;
    if (!strcmp(f->then, ".max")) return x > y ? low : c;
    if (f->d.count) memcpy((uint8_t *)&c + f->d.which[0] * size, &low, size);
    return f->d.count ? c : low;
}
static uint32_t expected_packed(const struct form *f, uint32_t a, uint32_t b, uint32_t c) {
    const unsigned size = 4 / f->lanes;
    uint8_t source[8], *out = (uint8_t *)&c;
    uint32_t sum = c;
    memcpy(source, &a, 4), memcpy(source + 4, &b, 4);
    for (unsigned i = 0; i < f->lanes; i++) {
        const unsigned from_a = f->a.count ? f->a.which[i] : i, from_b = f->b.count ? f->b.which[i] : f->lanes + i;
        bool masked = !f->d.count;
        for (unsigned k = 0; k < f->d.count; k++) masked |= f->d.which[k] == i;
        __int128 t = operate(f, number_of(source + from_a * size, size, f->a_signed),
                             number_of(source + from_b * size, size, f->b_signed));
        if (f->saturates) t = saturate(t, size, f->d_signed);
        const uint32_t low = (uint32_t)t;
        if (masked) sum += low;
        if (masked && !*f->then) memcpy(out + i * size, &low, size);
    }
    return *f->then ? sum : c;
}
static uint32_t expected(const struct form *f, const uint32_t in[3]) {
    return is(f, "vmad")  ? expected_product(f, in[0], in[1], in[2])
           : f->lanes > 1 ? expected_packed(f, in[0], in[1], in[2])
                          : expected_scalar(f, in[0], in[1], in[2]);
}

/* ---- runs ---------------------------------------------------------------------------------------- */
static uint32_t drawn_number(uint64_t *random) {
    static const uint32_t edges[] = {0,          1,  UINT32_MAX, INT32_MAX, 0x80000000, 0x7f80ff01,
                                     0x7fff8000, 31, 32,         33,        0x8080ffff};
    const uint32_t n = (uint32_t)(random_next(random) >> 32);
    return n % 3 ? n : edges[n / 3 % (sizeof edges / sizeof *edges)];
}
START_TEST(instruction_does_what_the_isa_says) {
    static struct text t;
    static struct run r;
    const enum ptx_op op = _i < SCALARS ? scalars[_i] : packs[_i - SCALARS];
    uint64_t random = (uint64_t)_i + 1;
    for (unsigned kernel = 0; kernel < 24; kernel++) {
        struct form forms[FORMS];
        uint32_t in[THREADS][4], out[THREADS][FORMS] = {{0}};
        for (unsigned k = 0; k < THREADS * 4; k++) (&in[0][0])[k] = drawn_number(&random);
        t.length = 0;
        text_add(&t, HEADER
                 ".visible .entry k(.param .u64 to, .param .u64 from) {\n.reg .b32 %%a, %%b, %%c, %%d, %%t;\n.reg .b64 "
                 "%%to, %%from, %%at;\n");
        text_add(&t, UNTESTED "ld.param.u64 %%to, [to];\nld.param.u64 %%from, [from];\nmov.u32 %%t, %%tid.x;\n");
        text_add(&t, "mul.wide.u32 %%at, %%t, 16;\nadd.s64 %%from, %%from, %%at;\nmul.wide.u32 %%at, %%t, %d;\n",
                 4 * FORMS);
        text_add(&t, "add.s64 %%to, %%to, %%at;\nld.global.v4.u32 {%%a, %%b, %%c, %%d}, [%%from];\n");
        for (unsigned k = 0; k < FORMS; k++) {
            forms[k] = draw_form(op, kernel * FORMS + k, &random);
            text_add(&t, TESTED "%s\n" UNTESTED "st.global.u32 [%%to+%u], %%d;\n", forms[k].text, 4 * k);
        }
        text_add(&t, "ret;\n}\n");
        r = (struct run){.text = t.data,
                         .isa = "baseline",
                         .block = {THREADS},
                         .in = in,
                         .in_bytes = sizeof in,
                         .out = out,
                         .out_bytes = sizeof out};
        run(&r);
        for (unsigned n = 0; n < THREADS; n++)
            for (unsigned k = 0; k < FORMS; k++) {
                const uint32_t wanted = expected(&forms[k], in[n]);
                ck_assert_msg(out[n][k] == wanted, "%s of %x, %x, %x: got %x, expected %x", forms[k].text, in[n][0],
                              in[n][1], in[n][2], out[n][k], wanted);
            }
    }
}
END_TEST
static const struct {
    const char *text, *wanted;
} refused[] = {
    {"vadd.s32.s32 %a, %b, %c;", "without its type"},
    {"vadd.s32.s32.s32 %a, %b, %c, %d;", "a fourth operand requires"},
    {"vadd.s32.s32.s32.add %a, %b, %c;", "a fourth operand requires"},
    {"vadd.s32.s32.s32.add %a.b0, %b, %c, %d;", "either combines its result with operand c"},
    {"vadd.s32.s32.s32 %a, %b.b4, %c;", "a part of it"},
    {"vadd.s32.s32.s32 %a, %b.h10, %c;", "a part of it"},
    {"vadd.s32.s32.s32.add %a, %b, %c, %d.b0;", "a part of it"},
    {"vadd2.s32.s32.s32 %a, %b.b3210, %c, %d;", "a part of it"},
    {"vadd4.s32.s32.s32 %a.b01, %b, %c, %d;", "a part of it"},
    {"vadd2.s32.s32.s32.sat.add %a, %b, %c, %d;", "exclude each other"},
    {"vadd2.s32.s32.s32.min %a, %b, %c, %d;", "`.min` is not allowed with .s32 here"},
    {"vshl.u32.u32.s32.clamp %a, %b, %c;", "the third type must be .u32"},
    {"vshl.u32.u32.u32 %a, %b, %c;", "a modifier such as `.clamp` is missing"},
    {"vset.s32.s32.lo %a, %b, %c;", "`.lo` is not allowed with .s32 here"},
    {"vmad.s32.s32.s32 %a.h0, %b, %c, %d;", "a whole register"},
    {"add.s32 %a, %b.b0, %c;", "`%b.b0` is neither declared nor a special register"},
};
START_TEST(invalid_instructions_are_rejected) {
    char text[512];
    struct ptx_error e;
    snprintf(text, sizeof text, HEADER ".visible .entry k() {\n.reg .b32 %%a, %%b, %%c, %%d;\n%s\nret;\n}\n",
             refused[_i].text);
    struct ptx_module *m = ptx_parse(text, strlen(text), "test", &e);
    ck_assert_msg(!m && strstr(e.message, refused[_i].wanted), "%s: %s", refused[_i].text, m ? "accepted" : e.message);
}
END_TEST
START_TEST(every_row_was_run) { coverage_check(TESTED_BY_VIDEO); }
END_TEST

int main(void) {
    coverage_begin();
    TCase *t = tcase_create("video");
    tcase_add_loop_test(t, instruction_does_what_the_isa_says, 0, SCALARS + PACKS);
    tcase_add_loop_test(t, invalid_instructions_are_rejected, 0, sizeof refused / sizeof *refused);
    tcase_add_test(t, every_row_was_run);
    return run_suite("ops: video", t);
}
