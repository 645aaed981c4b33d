/* Tests wgmma: compares products of every type, layout and swizzle with sums of integers. Elements are small
 * integers, so sums are exact. The matrices' images in shared memory follow the canonical layouts of the PTX ISA
 * ("Shared Memory Matrix Layout"). */
#ifndef TESTS_OPS_GROUPS_H
#define TESTS_OPS_GROUPS_H

#include "base/narrow.h"
#include "tests/ops/run.h"

enum {
    GROUP_M = 64,
    GROUP_K = 32 /* bytes of a matrix row */,
    GROUP_THREADS = 128,
    GROUP_A = 0,
    GROUP_B = 8192,
    GROUP_IMAGE = 8192 + 32768
};
struct group_test {
    enum ptx_type d, a, b;
    unsigned n, swizzle; /* swizzle: log2 of the number of 16-byte pieces per line */
    bool turns_a, turns_b, in_registers, fresh, minus, saturates;
};
static const struct group_test group_tests[] = {
    {PTX_F32, PTX_F16, PTX_F16, 64, 0},
    {PTX_F32, PTX_F16, PTX_F16, 64, 1},
    {PTX_F32, PTX_F16, PTX_F16, 64, 2},
    {PTX_F32, PTX_F16, PTX_F16, 64, 3},
    {PTX_F32, PTX_F16, PTX_F16, 64, 0, true, false},
    {PTX_F32, PTX_F16, PTX_F16, 64, 1, true, false},
    {PTX_F32, PTX_F16, PTX_F16, 64, 2, true, false},
    {PTX_F32, PTX_F16, PTX_F16, 64, 3, true, false},
    {PTX_F32, PTX_F16, PTX_F16, 64, 0, false, true},
    {PTX_F32, PTX_F16, PTX_F16, 64, 1, false, true},
    {PTX_F32, PTX_F16, PTX_F16, 64, 2, false, true},
    {PTX_F32, PTX_F16, PTX_F16, 128, 3, false, true},
    {PTX_F32, PTX_BF16, PTX_BF16, 256, 3, true, true},
    {PTX_F32, PTX_BF16, PTX_BF16, 8, 0, .minus = true},
    {PTX_F32, PTX_F16, PTX_F16, 24, 3, .in_registers = true},
    {PTX_F32, PTX_BF16, PTX_BF16, 32, 2, false, true, .in_registers = true, .fresh = true},
    {PTX_F16, PTX_F16, PTX_F16, 40, 3},
    {PTX_F16, PTX_F16, PTX_F16, 16, 1, .fresh = true},
    {PTX_F32, PTX_TF32, PTX_TF32, 48, 3},
    {PTX_F32, PTX_TF32, PTX_TF32, 16, 0, .in_registers = true, .minus = true},
    {PTX_F32, PTX_E4M3, PTX_E4M3, 64, 3},
    {PTX_F32, PTX_E4M3, PTX_E5M2, 16, 2, .in_registers = true},
    {PTX_F16, PTX_E5M2, PTX_E4M3, 8, 1},
    {PTX_S32, PTX_S8, PTX_S8, 64, 3},
    {PTX_S32, PTX_U8, PTX_S8, 16, 0, .in_registers = true},
    {PTX_S32, PTX_S8, PTX_U8, 256, 3, .saturates = true},
    {PTX_S32, PTX_U8, PTX_U8, 8, 2, .fresh = true},
};
enum { GROUP_TESTS = sizeof group_tests / sizeof *group_tests };

static inline unsigned group_depth(const struct group_test *t) { return GROUP_K * 8 / ptx_type_bits(t->a); }
/* Returns the element of A at (m, k), or of B at (n, k); `line` is m or n. */
static inline int group_element(enum ptx_type t, unsigned line, unsigned k, unsigned salt) {
    const int x = (int)((line * 7 + k * 5 + line * k + salt) % 5);
    return t == PTX_U8 ? x : x - 2;
}
static inline void group_put(uint8_t *at, enum ptx_type t, int x) {
    const float f = (float)x;
    const uint16_t half = narrowed_f16(x), brain = narrowed_bf16(x);
    static const uint8_t e4m3[] = {0x00, 0x38, 0x40, 0x44, 0x48}; /* the numbers 0 to 4 */
    uint8_t byte = t == PTX_E5M2   ? (uint8_t)(half >> 8)
                   : t == PTX_E4M3 ? (uint8_t)(e4m3[abs(x)] | (x < 0 ? 0x80 : 0))
                                   : (uint8_t)x;
    memcpy(at,
           t == PTX_TF32   ? (const void *)&f
           : t == PTX_F16  ? (const void *)&half
           : t == PTX_BF16 ? (const void *)&brain
                           : &byte,
           ptx_type_bits(t) / 8);
}
/* Computes the strides, in bytes, of a matrix with `lines` lines. of[0] is the leading dimension byte offset, and
 * of[1] the stride dimension byte offset. */
static inline void group_strides(unsigned lines, unsigned swizzle, bool turns, unsigned of[2]) {
    const unsigned line = 16u << swizzle;
    of[0] = of[1] = 16;
    if (!swizzle && !turns)
        of[0] = lines * 16, of[1] = 128; /* distances between halves of rows, and between groups of eight rows */
    if (!swizzle && turns)
        of[0] = lines / 8 * 128, of[1] = 128; /* distances between groups of eight k, and between pieces of a column */
    if (swizzle && !turns) of[1] = 8 * line;  /* distance between groups of eight rows */
    if (swizzle && turns)
        of[0] = 16 * line, of[1] = 8 * line; /* distances between lines of columns, and between groups of eight k */
}
static inline unsigned group_place(unsigned lines, const struct group_test *t, bool turns, unsigned line, unsigned k,
                                   unsigned bytes) {
    unsigned s[2], at;
    group_strides(lines, t->swizzle, turns, s);
    const unsigned width = 16u << t->swizzle, byte = (turns ? line : k) * bytes, row = turns ? k : line;
    if (!t->swizzle && !turns) at = row / 8 * s[1] + row % 8 * 16 + byte / 16 * s[0] + byte % 16;
    if (!t->swizzle && turns) at = row / 8 * s[0] + row % 8 * 16 + byte / 16 * s[1] + byte % 16;
    if (t->swizzle && !turns) at = row / 8 * s[1] + row % 8 * width + byte;
    if (t->swizzle && turns) at = row / 8 * s[1] + row % 8 * width + byte / width * s[0] + byte % width;
    return at ^ (at / 128 % (1u << t->swizzle)) * 16;
}
static inline uint64_t group_descriptor(unsigned lines, const struct group_test *t, bool turns) {
    unsigned s[2];
    group_strides(lines, t->swizzle, turns, s);
    return (uint64_t)(s[0] / 16) << 16 | (uint64_t)(s[1] / 16) << 32 |
           (uint64_t)(t->swizzle ? 4 - t->swizzle : 0) << 62;
}
static inline unsigned group_registers(const struct group_test *t) { return t->n / 2 * ptx_type_bits(t->d) / 32; }

static inline void group_text(struct text *o, const struct group_test *t) {
    const unsigned registers = group_registers(t);
    const char *d = t->d == PTX_F32 ? "f32" : "b32";
    o->length = 0;
    text_add(o,
             ".version 8.6\n.target sm_90a\n.address_size 64\n.file 1 \"tested\"\n.visible .entry k(.param .u64 to, "
             ".param .u64 from) {\n"
             ".reg .pred %%p<3>;\n.reg .b32 %%t, %%x<8>, %%a<4>;\n.reg .%s %%d<%u>;\n.reg .b64 %%to, %%from, %%y<6>;\n"
             ".shared .align 1024 .b8 s[%u];\n" UNTESTED
             "ld.param.u64 %%to, [to];\nld.param.u64 %%from, [from];\nmov.u32 %%t, %%tid.x;\n"
             "mul.lo.u32 %%x0, %%t, 4;\nmov.u32 %%x1, s;\nL: cvt.u64.u32 %%y0, %%x0;\nadd.s64 %%y0, %%y0, %%from;\n"
             "ld.global.u32 %%x2, [%%y0];\nadd.u32 %%x3, %%x0, %%x1;\nst.shared.u32 [%%x3], %%x2;\nadd.u32 %%x0, %%x0, "
             "512;\n"
             "setp.lt.u32 %%p0, %%x0, %u;\n@%%p0 bra L;\nfence.proxy.async.shared::cta;\nbar.sync 0;\n"
             "shr.u32 %%x1, %%x1, 4;\ncvt.u64.u32 %%y1, %%x1;\nadd.u64 %%y2, %%y1, %u;\nor.b64 %%y1, %%y1, %llu;\n"
             "or.b64 %%y2, %%y2, %llu;\nsetp.eq.u32 %%p1, %u, 1;\n",
             d, registers, (unsigned)GROUP_IMAGE, (unsigned)GROUP_IMAGE, (unsigned)GROUP_B / 16,
             (unsigned long long)group_descriptor(GROUP_M, t, t->turns_a),
             (unsigned long long)group_descriptor(t->n, t, t->turns_b), (unsigned)!t->fresh);
    /* after the image: registers of A, then the accumulators */
    text_add(o,
             "mul.wide.u32 %%y3, %%t, 16;\nadd.s64 %%y3, %%y3, %%from;\nld.global.v4.u32 {%%a0, %%a1, %%a2, %%a3}, "
             "[%%y3+%u];\n"
             "mul.wide.u32 %%y3, %%t, %u;\nadd.s64 %%y4, %%y3, %%from;\nadd.s64 %%y5, %%y3, %%to;\n",
             (unsigned)GROUP_IMAGE, 4 * registers);
    for (unsigned k = 0; k < registers; k++)
        text_add(o, "ld.global.%s %%d%u, [%%y4+%u];\n", d, k, (unsigned)GROUP_IMAGE + 16 * GROUP_THREADS + 4 * k);
    text_add(o, TESTED "wgmma.fence.sync.aligned;\nwgmma.mma_async.sync.aligned.m64n%uk%u%s.%s.%s.%s {", t->n,
             group_depth(t), t->saturates ? ".satfinite" : "", ptx_type_name(t->d), ptx_type_name(t->a),
             ptx_type_name(t->b));
    for (unsigned k = 0; k < registers; k++) text_add(o, "%s%%d%u", k ? ", " : "", k);
    text_add(o, t->in_registers ? "}, {%%a0, %%a1, %%a2, %%a3}, %%y2, %%p1" : "}, %%y1, %%y2, %%p1");
    if (t->d != PTX_S32) text_add(o, ", %s, 1", t->minus ? "-1" : "1");
    if (ptx_type_bits(t->a) == 16 && !t->in_registers) text_add(o, ", %u", (unsigned)t->turns_a);
    if (ptx_type_bits(t->a) == 16) text_add(o, ", %u", (unsigned)t->turns_b);
    text_add(o, ";\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n" UNTESTED);
    for (unsigned k = 0; k < registers; k++) text_add(o, "st.global.%s [%%y5+%u], %%d%u;\n", d, 4 * k, k);
    text_add(o, "ret;\n}\n");
}
static inline void group_put_sum(uint8_t *at, enum ptx_type t, int x) {
    const uint16_t half = narrowed_f16(x);
    const float f = (float)x;
    memcpy(at, t == PTX_F16 ? (const void *)&half : t == PTX_F32 ? (const void *)&f : &x, ptx_type_bits(t) / 8);
}
static inline void check_group(const struct group_test *t) {
    enum { MAX_OUT = GROUP_THREADS * 128 * 4 };
    static uint8_t in[GROUP_IMAGE + 16 * GROUP_THREADS + MAX_OUT], out[MAX_OUT], wanted[MAX_OUT];
    static struct text text;
    static struct run r;
    const unsigned depth = group_depth(t), bytes = ptx_type_bits(t->a) / 8, of_d = ptx_type_bits(t->d) / 8;
    const unsigned all = GROUP_THREADS * group_registers(t) * 4;
    memset(in, 0, sizeof in);
    for (unsigned k = 0; k < depth; k++) {
        for (unsigned m = 0; m < GROUP_M; m++) {
            const unsigned warp = m / 16, lane = m % 8 * 4 + k * bytes % 16 / 4,
                           reg = m % 16 / 8 + 2 * (k * bytes / 16);
            uint8_t *fragment = in + GROUP_IMAGE + 16 * (32 * warp + lane) + 4 * reg + k * bytes % 4;
            group_put(in + GROUP_A + group_place(GROUP_M, t, t->turns_a, m, k, bytes), t->a,
                      group_element(t->a, m, k, 1));
            group_put(fragment, t->a, group_element(t->a, m, k, 1));
        }
        for (unsigned n = 0; n < t->n; n++)
            group_put(in + GROUP_B + group_place(t->n, t, t->turns_b, n, k, bytes), t->b, group_element(t->b, n, k, 2));
    }
    for (unsigned m = 0; m < GROUP_M; m++)
        for (unsigned n = 0; n < t->n; n++) {
            const unsigned thread = m / 16 * 32 + m % 8 * 4 + n % 8 / 2, element = n / 8 * 4 + m % 16 / 8 * 2 + n % 2;
            const unsigned at = thread * group_registers(t) * 4 + element * of_d;
            int sum = (int)(m + 3 * n) % 64 - 20;
            group_put_sum(in + GROUP_IMAGE + 16 * GROUP_THREADS + at, t->d, sum);
            if (t->fresh) sum = 0;
            for (unsigned k = 0; k < depth; k++)
                sum += (t->minus ? -1 : 1) * group_element(t->a, m, k, 1) * group_element(t->b, n, k, 2);
            group_put_sum(wanted + at, t->d, sum);
        }
    group_text(&text, t);
    memset(out, 0, sizeof out);
    r = (struct run){.text = text.data,
                     .isa = instruction_sets[0],
                     .block = {GROUP_THREADS},
                     .in = in,
                     .in_bytes = GROUP_IMAGE + 16 * GROUP_THREADS + all,
                     .out = out,
                     .out_bytes = all};
    run(&r);
    ck_assert_msg(r.status == SIM_DONE && !r.faults, "%s in\n%.3000s", r.faults ? r.fault[0].text : "stopped",
                  text.data);
    for (unsigned k = 0; k < all; k += of_d)
        ck_assert_msg(!memcmp(out + k, wanted + k, of_d), "thread %u, byte %u: got %08x, expected %08x",
                      k / (all / GROUP_THREADS), k % (all / GROUP_THREADS), *(uint32_t *)(void *)(out + k / 4 * 4),
                      *(uint32_t *)(void *)(wanted + k / 4 * 4));
}

#endif
