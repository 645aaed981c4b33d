/* Tests the matrix products that matrices.h does not cover: sparse A, four products per instruction (.m8n8k4 of
 * .f16), and sub-byte elements that are loaded from memory. Elements are small integers, whose sums are exact, so
 * results verify the position of each element. */
#ifndef TESTS_OPS_NARROW_H
#define TESTS_OPS_NARROW_H

#include "tests/ops/matrices.h"

/* Writes kernel k. A lane loads `in` words into %a0, %a1, ... and executes the body. It then stores `stored` words:
 * %d0, %d1, ... Each lane has room for `out` words. */
static inline void lane_text(struct text *t, unsigned in, unsigned out, unsigned stored, const char *body) {
    t->length = 0;
    text_add(t,
             HEADER
             ".visible .entry k(.param .u64 to, .param .u64 from) {\n.reg .b32 %%t, %%a<%u>, %%d<%u>;\n.reg .b64 %%to, "
             "%%from, %%at;\n" UNTESTED
             "ld.param.u64 %%to, [to];\nld.param.u64 %%from, [from];\nmov.u32 %%t, %%tid.x;\n"
             "mul.wide.u32 %%at, %%t, %u;\nadd.s64 %%from, %%from, %%at;\nmul.wide.u32 %%at, %%t, %u;\n"
             "add.s64 %%to, %%to, %%at;\n",
             in, out, 4 * in, 4 * out);
    for (unsigned k = 0; k < in; k++) text_add(t, "ld.global.b32 %%a%u, [%%from+%u];\n", k, 4 * k);
    text_add(t, TESTED "%s" UNTESTED, body);
    for (unsigned k = 0; k < stored; k++) text_add(t, "st.global.b32 [%%to+%u], %%d%u;\n", 4 * k, k);
    text_add(t, "ret;\n}\n");
}
/* Writes a list of registers, such as "{%a3, %a4}". */
static inline void lane_registers(struct text *t, char name, unsigned first, unsigned count) {
    for (unsigned k = 0; k < count; k++) text_add(t, "%s%%%c%u", k ? ", " : "{", name, first + k);
    text_add(t, "}");
}
static inline void run_lanes(const char *text, const void *in, size_t in_bytes, void *out, size_t out_bytes) {
    static struct run r;
    r = (struct run){
        .text = text, .isa = instruction_sets[0], .in = in, .in_bytes = in_bytes, .out = out, .out_bytes = out_bytes};
    run(&r);
    ck_assert_msg(r.status == SIM_DONE && !r.faults, "stopped: %s", text);
}

/* ---- sparse ------------------------------------------------------------------------------------ */
static const struct sparse {
    const char *shape, *words;
    unsigned k;
    enum ptx_type d, a, b;
} sparses[] = {
    {"m16n8k16", "", 16, PTX_F32, PTX_F16, PTX_F16},         {"m16n8k32", "", 32, PTX_F32, PTX_F16, PTX_F16},
    {"m16n8k16", "", 16, PTX_F16, PTX_F16, PTX_F16},         {"m16n8k32", "", 32, PTX_F16, PTX_F16, PTX_F16},
    {"m16n8k16", "", 16, PTX_F32, PTX_BF16, PTX_BF16},       {"m16n8k32", "", 32, PTX_F32, PTX_BF16, PTX_BF16},
    {"m16n8k8", "", 8, PTX_F32, PTX_TF32, PTX_TF32},         {"m16n8k16", "", 16, PTX_F32, PTX_TF32, PTX_TF32},
    {"m16n8k8", "", 8, PTX_F32, PTX_TF32, PTX_TF32},         {"m16n8k16", "", 16, PTX_F32, PTX_TF32, PTX_TF32},
    {"m16n8k32", "", 32, PTX_S32, PTX_S8, PTX_U8},           {"m16n8k64", "", 64, PTX_S32, PTX_U8, PTX_S8},
    {"m16n8k32", ".satfinite", 32, PTX_S32, PTX_U8, PTX_U8}, {"m16n8k64", ".satfinite", 64, PTX_S32, PTX_S8, PTX_S8},
    {"m16n8k64", "", 64, PTX_S32, PTX_S4, PTX_U4},           {"m16n8k128", "", 128, PTX_S32, PTX_U4, PTX_S4},
    {"m16n8k64", "", 64, PTX_S32, PTX_U4, PTX_U4},           {"m16n8k128", "", 128, PTX_S32, PTX_S4, PTX_S4},
    {"m16n8k64", "", 64, PTX_F32, PTX_E4M3, PTX_E5M2},       {"m16n8k64", "", 64, PTX_F16, PTX_E5M2, PTX_E4M3},
    {"m16n8k64", "", 64, PTX_F32, PTX_E5M2, PTX_E5M2},       {"m16n8k64", "", 64, PTX_F16, PTX_E4M3, PTX_E4M3},
};
enum { SPARSES = sizeof sparses / sizeof *sparses };
struct sparse_case {
    double a[16][128], b[128][8], c[16][8]; /* a contains the zeros, too */
    unsigned column[16][64];                /* column of each stored element */
    uint64_t bits[16];                      /* metadata that selects these columns */
    uint32_t in[32][13], out[32][4];
};
static inline void draw_sparse(const struct sparse *p, struct sparse_case *s, uint64_t *random) {
    const unsigned width = ptx_type_bits(p->a), group = width == 32 ? 2 : 4, each = width == 4 ? 2 : 1;
    memset(s, 0, sizeof *s);
    for (unsigned r = 0; r < 16; r++) {
        for (unsigned g = 0, e = 0; g < p->k / (group * each); g++) {
            unsigned first = (unsigned)(random_next(random) >> 40) % 3,
                     second = first + 1 + (unsigned)(random_next(random) >> 40) % (3 - first);
            if (width == 32) first = (unsigned)(random_next(random) >> 40) % 2, second = 0;
            for (unsigned n = 0; n < group / 2; n++) {
                const unsigned which = n ? second : first;
                if (width == 32)
                    s->bits[r] |= (uint64_t)(which ? 14 : 4) << 4 * g;
                else
                    s->bits[r] |= (uint64_t)which << (4 * g + 2 * n);
                for (unsigned q = 0; q < each; q++) s->column[r][e++] = (g * group + which) * each + q;
            }
        }
        for (unsigned e = 0; e < p->k / 2; e++) s->a[r][s->column[r][e]] = drawn_number(p->a, true, random);
        for (unsigned n = 0; n < 8; n++) s->c[r][n] = drawn_number(p->d, true, random);
    }
    for (unsigned k = 0; k < p->k; k++)
        for (unsigned n = 0; n < 8; n++) s->b[k][n] = drawn_number(p->b, true, random);
}
/* Writes the metadata registers, as the figures of mma.sp in the PTX ISA show them. If elements have at least 16
 * bits, each selected lane of a quad has 16 bits of row r and 16 bits of row r + 8. If elements are narrower, a lane
 * has 32 bits of one row, and lanes alternate between the two rows. */
static inline void put_metadata(const struct sparse *p, struct sparse_case *s, unsigned selected) {
    const unsigned width = ptx_type_bits(p->a), each = width >= 16 ? 16 : 32,
                   count = (width == 32  ? 2 * p->k
                            : width == 4 ? p->k / 2
                                         : p->k) /
                           each,
                   lanes = width >= 16 ? count : 2 * count;
    for (unsigned r = 0; r < 16; r++)
        for (unsigned n = 0; n < count; n++) {
            const unsigned lane = r % 8 * 4 + lanes * selected + (width >= 16 ? n : 2 * n + r / 8);
            const uint64_t bits = s->bits[r] >> n * each & low_bits(each);
            s->in[lane][12] |= (uint32_t)(bits << (width >= 16 && r >= 8 ? 16 : 0));
        }
}
static inline void fill_sparse(const struct sparse *p, struct sparse_case *s) {
    const struct product stored = {p->shape, "", 16, p->k / 2, p->d, p->a, p->a},
                         whole = {p->shape, "", 16, p->k, p->d, p->a, p->b};
    const unsigned bits = ptx_type_bits(p->a), in_word = 32 / bits, of_d = ptx_type_bits(p->d);
    for (unsigned l = 0; l < 32; l++) {
        unsigned row, at;
        for (unsigned i = 0; i < 16 * p->k / 64; i++) {
            place_of_a(&stored, l, i, &row, &at);
            s->in[l][i / in_word] |=
                (uint32_t)(bits_of_number(s->a[row][s->column[row][at]], p->a) << i % in_word * bits);
        }
        for (unsigned i = 0; i < p->k / 4; i++) {
            place_of_b(&whole, l, i, &row, &at);
            s->in[l][4 + i / in_word] |= (uint32_t)(bits_of_number(s->b[row][at], p->b) << i % in_word * bits);
        }
        for (unsigned i = 0; i < 4; i++) {
            place_of_c(l, i, &row, &at);
            s->in[l][8 + i * of_d / 32] |= (uint32_t)(bits_of_number(s->c[row][at], p->d) << i * of_d % 32);
        }
    }
}
static inline void check_sparse(const struct sparse *p, bool ordered) {
    static struct sparse_case s;
    static struct text t, body;
    const unsigned line = p->k * ptx_type_bits(p->a), wide = line == 512, of_d = ptx_type_bits(p->d),
                   selections = ptx_type_bits(p->a) >= 16 ? (wide ? 2 : 4)
                                : wide                    ? 1
                                                          : 2;
    uint64_t random = p->k + p->a;
    for (unsigned selected = 0; selected < selections; selected++) {
        draw_sparse(p, &s, &random), fill_sparse(p, &s), put_metadata(p, &s, selected);
        body.length = 0;
        text_add(&body, "mma.sp%s.sync.aligned.%s.row.col%s.%s.%s.%s.%s ", ordered ? "::ordered_metadata" : "",
                 p->shape, p->words, ptx_type_name(p->d), ptx_type_name(p->a), ptx_type_name(p->b),
                 ptx_type_name(p->d));
        lane_registers(&body, 'd', 0, of_d / 8), text_add(&body, ", "), lane_registers(&body, 'a', 0, wide ? 4 : 2);
        text_add(&body, ", "), lane_registers(&body, 'a', 4, wide ? 4 : 2), text_add(&body, ", ");
        lane_registers(&body, 'a', 8, of_d / 8), text_add(&body, ", %%a12, %u;\n", selected);
        lane_text(&t, 13, 4, of_d / 8, body.data);
        run_lanes(t.data, s.in, sizeof s.in, s.out, sizeof s.out);
        for (unsigned l = 0; l < 32; l++)
            for (unsigned i = 0; i < 4; i++) {
                unsigned row, column;
                place_of_c(l, i, &row, &column);
                double want = s.c[row][column];
                for (unsigned k = 0; k < p->k; k++) want += s.a[row][k] * s.b[k][column];
                const double got = number_of_bits(s.out[l][i * of_d / 32] >> i * of_d % 32 & low_bits(of_d), p->d);
                ck_assert_msg(got == want, "mma.sp %s of %s, lanes %u: [%u][%u] is %g, expected %g", p->shape,
                              ptx_type_name(p->a), selected, row, column, got, want);
            }
    }
}

/* ---- four products per instruction --------------------------------------------------------------------- */
static const char *const quad_layouts[] = {"row.col", "row.row", "col.row", "col.col"};
static inline void check_quads(unsigned layout, bool narrow) {
    static double a[4][8][4], b[4][4][8], c[4][8][8];
    static uint32_t in[32][12], out[32][8];
    static struct text t, body;
    const bool a_rows = layout < 2, b_rows = layout == 1 || layout == 2;
    const enum ptx_type type = narrow ? PTX_F16 : PTX_F32;
    uint64_t random = layout + 1;
    memset(in, 0, sizeof in);
    for (unsigned l = 0; l < 32; l++) {
        const unsigned q = l / 4 % 4, i = l % 4, high = l / 16 * 4;
        for (unsigned e = 0; e < 4; e++) {
            const double x = drawn_number(PTX_F16, true, &random), y = drawn_number(PTX_F16, true, &random);
            a[q][a_rows ? i + high : e + high][a_rows ? e : i] = x;
            b[q][b_rows ? i : e][b_rows ? e + high : i + high] = y;
            in[l][e / 2] |= (uint32_t)(bits_of_number(x, PTX_F16) << e % 2 * 16);
            in[l][2 + e / 2] |= (uint32_t)(bits_of_number(y, PTX_F16) << e % 2 * 16);
        }
        for (unsigned e = 0; e < 8; e++) {
            const double z = drawn_number(type, true, &random);
            c[q][(narrow ? i : i % 2 + e / 2 % 2 * 2) + high][narrow ? e : e / 4 * 4 + i / 2 * 2 + e % 2] = z;
            in[l][4 + (narrow ? e / 2 : e)] |= (uint32_t)(bits_of_number(z, type) << (narrow ? e % 2 * 16 : 0));
        }
    }
    body.length = 0;
    text_add(&body, "mma.sync.aligned.m8n8k4.%s.%s.f16.f16.%s ", quad_layouts[layout], ptx_type_name(type),
             ptx_type_name(type));
    lane_registers(&body, 'd', 0, narrow ? 4 : 8);
    text_add(&body, ", {%%a0, %%a1}, {%%a2, %%a3}, "), lane_registers(&body, 'a', 4, narrow ? 4 : 8),
        text_add(&body, ";\n");
    lane_text(&t, 12, 8, narrow ? 4 : 8, body.data);
    run_lanes(t.data, in, sizeof in, out, sizeof out);
    for (unsigned l = 0; l < 32; l++)
        for (unsigned e = 0; e < 8; e++) {
            const unsigned q = l / 4 % 4, i = l % 4, high = l / 16 * 4,
                           row = (narrow ? i : i % 2 + e / 2 % 2 * 2) + high,
                           column = narrow ? e : e / 4 * 4 + i / 2 * 2 + e % 2;
            double want = c[q][row][column];
            for (unsigned k = 0; k < 4; k++) want += a[q][row][k] * b[q][k][column];
            const double got = number_of_bits(narrow ? out[l][e / 2] >> e % 2 * 16 & 0xffff : out[l][e], type);
            ck_assert_msg(got == want, "m8n8k4.%s.%s: lane %u, element %u is %g, expected %g", quad_layouts[layout],
                          ptx_type_name(type), l, e, got, want);
        }
}

/* ---- from memory ------------------------------------------------------------------------------- */
static const struct narrow {
    enum ptx_type type;
    const char *words;
    unsigned k;
} narrows[] = {{PTX_S4, "", 32}, {PTX_U4, ".satfinite", 32}, {PTX_S4, ".satfinite", 32},
               {PTX_U4, "", 32}, {PTX_B1, ".xor.popc", 128}, {PTX_B1, ".and.popc", 128}};
enum {
    NARROWS = sizeof narrows / sizeof *narrows,
    NARROW_LINE = 40 /* bytes from one row of A, or one column of B, to the next */
};
static inline void check_narrow(const struct narrow *p) {
    static struct {
        uint8_t a[8][NARROW_LINE], b[8][NARROW_LINE];
        int32_t c[8][12];
    } in;
    static int32_t out[8][12];
    static double a[8][128], b[8][128];
    static struct text t, body;
    const unsigned bits = ptx_type_bits(p->type), apart = NARROW_LINE * 8 / bits;
    const char *name = ptx_type_name(p->type);
    char shape[20];
    uint64_t random = p->k + bits;
    memset(&in, 0, sizeof in), memset(out, 0, sizeof out);
    for (unsigned n = 0; n < 8; n++)
        for (unsigned k = 0; k < p->k; k++) {
            a[n][k] = drawn_number(p->type, false, &random), b[n][k] = drawn_number(p->type, false, &random);
            in.a[n][k * bits / 8] |= (uint8_t)(bits_of_number(a[n][k], p->type) << k * bits % 8);
            in.b[n][k * bits / 8] |= (uint8_t)(bits_of_number(b[n][k], p->type) << k * bits % 8);
        }
    for (unsigned n = 0; n < 64; n++) in.c[n / 8][n % 8] = (int32_t)(random_next(&random) >> 33);
    snprintf(shape, sizeof shape, "m8n8k%u", p->k);
    body.length = 0;
    text_add(&body, "wmma.load.a.sync.aligned.row.%s.global.%s {%%a0}, [%%from], %u;\n", shape, name, apart);
    text_add(&body, "wmma.load.b.sync.aligned.col.%s.global.%s {%%a1}, [%%from+%zu], %u;\n", shape, name, sizeof in.a,
             apart);
    text_add(&body, "wmma.load.c.sync.aligned.row.%s.global.s32 {%%a2, %%a3}, [%%from+%zu], 12;\n", shape,
             2 * sizeof in.a);
    text_add(&body, "wmma.mma%s.sync.aligned.row.col.%s.s32.%s.%s.s32%s {%%a4, %%a5}, {%%a0}, {%%a1}, {%%a2, %%a3};\n",
             bits == 1 ? p->words : "", shape, name, name, bits == 1 ? "" : p->words);
    text_add(&body, "wmma.store.d.sync.aligned.row.%s.global.s32 [%%to], {%%a4, %%a5}, 12;\n", shape);
    t.length = 0;
    text_add(
        &t,
        HEADER
        ".visible .entry k(.param .u64 to, .param .u64 from) {\n.reg .b32 %%a<6>;\n.reg .b64 %%to, %%from;\n" UNTESTED
        "ld.param.u64 %%to, [to];\nld.param.u64 %%from, [from];\n" TESTED "%sret;\n}\n",
        body.data);
    run_lanes(t.data, &in, sizeof in, out, sizeof out);
    for (unsigned row = 0; row < 8; row++)
        for (unsigned column = 0; column < 8; column++) {
            double want = in.c[row][column];
            for (unsigned k = 0; k < p->k; k++)
                want += strstr(p->words, "xor") ? a[row][k] != b[column][k] : a[row][k] * b[column][k];
            if (strstr(p->words, "sat")) want = fmin(want, INT32_MAX);
            const int32_t wrapped = (int32_t)(uint32_t)(int64_t)want;
            ck_assert_msg(out[row][column] == wrapped, "wmma %s of %s%s: [%u][%u] is %d, expected %d", shape, name,
                          p->words, row, column, out[row][column], wrapped);
        }
}

#endif
