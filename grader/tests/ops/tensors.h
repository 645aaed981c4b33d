/* Tests bulk copies of tiles. Compares each row, with each rank and word, with loops over coordinates. Part of the tile
 * is outside the tensor. Tensor maps on a GPU have a different format, so these programs run only on the simulator;
 * tests/exec/tensor_map.cu runs on both. */
#ifndef TESTS_OPS_TENSORS_H
#define TESTS_OPS_TENSORS_H

#include "sim/tile.h"
#include "tests/ops/run.h"

enum { TENSOR_AT = 256, TENSOR_WORDS = 288, TILE_WORDS = 64, TENSOR_TYPE = 2 /* .u32 */ };
static const struct {
    unsigned size, stride, box;
    int at;
} tensor_dimension[SIM_TENSOR_RANK] = {{6, 4, 4, 4}, {3, 32, 2, -1}, {3, 96, 2, 1}, {2, 288, 2, 0}, {2, 576, 1, 1}};
struct tensor_test {
    const char *words; /* %s stands for the rank */
    enum { TENSOR_LOADS, TENSOR_STORES, TENSOR_PREFETCHES } kind;
    const char *operands;
};
#define TENSOR_LOAD "cp.async.bulk.tensor.%s.shared::cluster.global%s.mbarrier::complete_tx::bytes"
#define TENSOR_STORE "cp.async.bulk.tensor.%s.global.shared::cta%s.bulk_group"
#define TENSOR_SUM(op)                                                                                                 \
    { "cp.reduce.async.bulk.tensor.%s.global.shared::cta" op "%s.bulk_group", TENSOR_STORES, "[%%y1, %s], [tile]" }
static const struct tensor_test tensor_tests[] = {
    {TENSOR_LOAD, TENSOR_LOADS, "[tile], [%%y1, %s], [full]"},
    {TENSOR_LOAD ".L2::cache_hint", TENSOR_LOADS, "[tile], [%%y1, %s], [full], %%y3"},
    {TENSOR_LOAD ".multicast::cluster", TENSOR_LOADS, "[tile], [%%y1, %s], [full], 1"},
    {TENSOR_LOAD ".multicast::cluster.L2::cache_hint", TENSOR_LOADS, "[tile], [%%y1, %s], [full], %%h1, %%y3"},
    {TENSOR_STORE, TENSOR_STORES, "[%%y1, %s], [tile]"},
    {TENSOR_STORE ".L2::cache_hint", TENSOR_STORES, "[%%y1, %s], [tile], %%y3"},
    {"cp.reduce.async.bulk.tensor.%s.global.shared::cta.add%s.bulk_group.L2::cache_hint", TENSOR_STORES,
     "[%%y1, %s], [tile], %%y3"},
    TENSOR_SUM(".min"),
    TENSOR_SUM(".max"),
    TENSOR_SUM(".inc"),
    TENSOR_SUM(".dec"),
    TENSOR_SUM(".and"),
    TENSOR_SUM(".or"),
    TENSOR_SUM(".xor"),
    {"cp.async.bulk.prefetch.tensor.%s.L2.global%s", TENSOR_PREFETCHES, "[%%y1, %s]"},
    {"cp.async.bulk.prefetch.tensor.%s.L2.global%s.L2::cache_hint", TENSOR_PREFETCHES, "[%%y1, %s], %%y3"},
};
enum { TENSOR_TESTS = SIM_TENSOR_RANK * (int)(sizeof tensor_tests / sizeof *tensor_tests) };

/* Returns the tile's first coordinate. A store must not start at a negative coordinate. Its end is rounded up,
 * because a store writes the last 16 bytes of a row completely. */
static inline int tensor_at(const struct tensor_test *test, unsigned d) {
    const int at = tensor_dimension[d].at;
    return test->kind == TENSOR_STORES && at < 0 ? (int)tensor_dimension[d].size - 1 : at;
}
static inline int tensor_end(const struct tensor_test *test, unsigned d) {
    const int size = (int)tensor_dimension[d].size;
    return test->kind == TENSOR_STORES && d == 0 ? (size + 3) / 4 * 4 : size;
}
static inline void tensor_text(struct text *t, const struct tensor_test *test, unsigned rank, unsigned bytes) {
    static const char *const ranks[] = {"1d", "2d", "3d", "4d", "5d"};
    char at[64] = "{";
    for (unsigned d = 0; d < rank; d++)
        snprintf(at + strlen(at), sizeof at - strlen(at), "%s%d", d ? ", " : "", tensor_at(test, d));
    strcat(at, "}");
    t->length = 0;
    text_add(t,
             HEADER
             ".visible .entry k(.param .u64 to, .param .u64 from) .explicitcluster .reqnctapercluster 1, 1, 1 {\n"
             ".reg .pred %%p<4>;\n.reg .b16 %%h<4>;\n.reg .b32 %%t, %%r<4>;\n.reg .b64 %%to, %%from, %%y<5>;\n"
             ".shared .align 128 .b8 tile[256];\n.shared .align 8 .b64 full;\n" UNTESTED
             "ld.param.u64 %%to, [to];\nld.param.u64 %%from, [from];\nmov.u32 %%t, %%tid.x;\nmov.u16 %%h1, 1;\n"
             "mov.u64 %%y1, %%from;\nadd.s64 %%y2, %%from, %u;\nmov.u64 %%y3, 0;\nmov.u32 %%r1, tile;\n"
             "mad.lo.u32 %%r1, %%t, 4, %%r1;\nadd.u32 %%r2, %%t, 500;\nst.shared.u32 [%%r1], %%r2;\n"
             "fence.proxy.async.shared::cta;\nsetp.ne.u32 %%p1, %%t, 0;\n@%%p1 bra W;\n"
             "st.global.u64 [%%from+8], %%y2;\nmbarrier.init.shared.b64 [full], 1;\n"
             "mbarrier.arrive.expect_tx.shared.b64 _, [full], %u;\nW: bar.sync 0;\n@%%p1 bra V;\n" TESTED,
             (unsigned)TENSOR_AT, test->kind == TENSOR_LOADS ? bytes : 0);
    text_add(t, test->words, ranks[rank - 1], rank % 2 ? ".tile" : "");
    text_add(t, " ");
    text_add(t, test->operands, at);
    text_add(
        t,
        ";\n" UNTESTED "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\nfence.proxy.async;\nV: bar.sync 0;\n"
        "X: mbarrier.try_wait.parity.shared.b64 %%p2, [full], 0;\n@!%%p2 bra X;\n"
        "mad.wide.u32 %%y4, %%t, 4, %%to;\nld.shared.u32 %%r2, [%%r1];\nst.global.u32 [%%y4], %%r2;\n"
        "L: mad.wide.u32 %%y3, %%t, 4, %%y2;\nld.global.u32 %%r2, [%%y3];\nmad.wide.u32 %%y4, %%t, 4, %%to;\n"
        "st.global.u32 [%%y4+256], %%r2;\nadd.u32 %%t, %%t, 64;\nsetp.lt.u32 %%p3, %%t, %u;\n@%%p3 bra L;\nret;\n}\n",
        (unsigned)TENSOR_WORDS);
}
/* Returns the index of the tensor's word for element k of the tile, or -1 if the element is outside the tensor. */
static inline int tensor_word(const struct tensor_test *test, unsigned rank, unsigned k) {
    int at = 0;
    bool inside = true;
    for (unsigned d = 0; d < rank; k /= tensor_dimension[d].box, d++) {
        const int c = tensor_at(test, d) + (int)(k % tensor_dimension[d].box);
        inside = inside && c >= 0 && c < tensor_end(test, d);
        at += c * (int)tensor_dimension[d].stride / 4;
    }
    return inside ? at : -1;
}
static inline uint32_t tensor_combined(const char *words, uint32_t a, uint32_t x) {
    if (strstr(words, ".add")) return a + x;
    if (strstr(words, ".min")) return a < x ? a : x;
    if (strstr(words, ".max")) return a > x ? a : x;
    if (strstr(words, ".inc")) return a >= x ? 0 : a + 1;
    if (strstr(words, ".dec")) return !a || a > x ? x : a - 1;
    if (strstr(words, ".and")) return a & x;
    if (strstr(words, ".xor")) return a ^ x;
    return strstr(words, ".or") ? a | x : x;
}
static inline void check_tensor(const struct tensor_test *test, unsigned rank) {
    static struct text t;
    static struct run r;
    uint32_t in[TENSOR_AT / 4 + TENSOR_WORDS] = {0}, out[TILE_WORDS + TENSOR_WORDS], wanted[TILE_WORDS + TENSOR_WORDS];
    struct sim_tensor_map m = {.magic = SIM_TENSOR_MAGIC, .rank = (uint8_t)rank, .type = TENSOR_TYPE};
    unsigned words = 1;
    for (unsigned d = 0; d < rank; d++) {
        m.size[d] = tensor_dimension[d].size, m.stride[d] = tensor_dimension[d].stride, m.step[d] = 1;
        m.box[d] = (uint16_t)tensor_dimension[d].box, words *= tensor_dimension[d].box;
    }
    memcpy(in, &m, sizeof m);
    for (unsigned k = 0; k < TENSOR_WORDS; k++) wanted[TILE_WORDS + k] = in[TENSOR_AT / 4 + k] = 3 * k + 400;
    for (unsigned k = 0; k < TILE_WORDS; k++) {
        const int at = k < words ? tensor_word(test, rank, k) : -1;
        wanted[k] = 500 + k;
        if (test->kind == TENSOR_LOADS && k < words) wanted[k] = at < 0 ? 0 : in[TENSOR_AT / 4 + at];
        if (test->kind == TENSOR_STORES && at >= 0)
            wanted[TILE_WORDS + at] = tensor_combined(test->words, wanted[TILE_WORDS + at], 500 + k);
    }
    tensor_text(&t, test, rank, 4 * words);
    r = (struct run){
        .text = t.data, .block = {64}, .in = in, .in_bytes = sizeof in, .out = out, .out_bytes = sizeof out};
    run(&r);
    ck_assert_msg(r.status == SIM_DONE && !r.faults, "%s in\n%s", r.faults ? r.fault[0].text : "stopped", t.data);
    for (unsigned k = 0; k < TILE_WORDS + TENSOR_WORDS; k++)
        ck_assert_msg(out[k] == wanted[k], "word %u: got %u, expected %u in\n%s", k, out[k], wanted[k], t.data);
}

/* Fields of a tensor map. Each test sets one field of a map in shared memory and copies the map to global memory. */
static const struct map_field {
    const char *field, *type, *ord, *value;
    unsigned at, bytes; /* offset and size in struct sim_tensor_map */
    uint64_t wanted;
} map_fields[] = {
#define FIELD(member) offsetof(struct sim_tensor_map, member), sizeof((struct sim_tensor_map *)0)->member
    {"global_address", "b64", "", "%y3", FIELD(address), 4096},
    {"rank", "b32", "", "2", FIELD(rank), 3},
    {"box_dim", "b32", "1, ", "%r3", FIELD(box[1]), 7},
    {"global_dim", "b32", "2, ", "%r3", FIELD(size[2]), 7},
    {"global_stride", "b64", "1, ", "%y3", FIELD(stride[2]), 4096},
    {"element_stride", "b32", "4, ", "%r3", FIELD(step[4]), 7},
    {"elemtype", "b32", "", "9", FIELD(type), 8}, /* .f64 */
    {"swizzle_mode", "b32", "", "3", FIELD(swizzle), 3},
    {"interleave_layout", "b32", "", "0", FIELD(rank), 2},
    {"fill_mode", "b32", "", "0", FIELD(rank), 2},
};
enum { MAP_FIELDS = sizeof map_fields / sizeof *map_fields };
static inline void check_map_field(const struct map_field *f) {
    static const char *const scopes[] = {"cta", "cluster", "gpu", "sys"};
    static struct text t;
    static struct run r;
    struct sim_tensor_map in = {.magic = SIM_TENSOR_MAGIC, .rank = 2, .type = TENSOR_TYPE}, out = {0}, wanted = in;
    t.length = 0;
    text_add(
        &t, HEADER
        ".visible .entry k(.param .u64 to, .param .u64 from) {\n.reg .b32 %%t, %%r<4>;\n.reg .b64 %%to, %%from, "
        "%%y<5>;\n"
        ".shared .align 128 .b8 map[128];\n" UNTESTED
        "ld.param.u64 %%to, [to];\nld.param.u64 %%from, [from];\nmov.u32 %%t, %%tid.x;\nmov.u32 %%r3, 7;\n"
        "mov.u64 %%y3, 4096;\nmul.wide.u32 %%y1, %%t, 4;\nadd.s64 %%y1, %%y1, %%from;\nld.global.u32 %%r1, [%%y1];\n"
        "mov.u32 %%r2, map;\nmad.lo.u32 %%r2, %%t, 4, %%r2;\nst.shared.u32 [%%r2], %%r1;\nbar.sync 0;\n");
    text_add(&t, TESTED "tensormap.replace.tile.%s.shared::cta.b1024.%s [map], %s%s;\n" UNTESTED "bar.sync 0;\n",
             f->field, f->type, f->ord, f->value);
    text_add(
        &t,
        TESTED
        "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.%s.sync.aligned [%%to], [map], 128;\n"
        "ret;\n}\n",
        scopes[(f - map_fields) % 4]);
    memcpy((uint8_t *)&wanted + f->at, &f->wanted, f->bytes);
    if (!strcmp(f->field, "elemtype")) wanted.stride[0] = 8;
    r = (struct run){.text = t.data,
                     .isa = instruction_sets[0],
                     .in = &in,
                     .in_bytes = sizeof in,
                     .out = &out,
                     .out_bytes = sizeof out};
    run(&r);
    ck_assert_msg(r.status == SIM_DONE && !r.faults && !memcmp(&out, &wanted, sizeof out), "%s: %u faults", f->field,
                  r.faults);
}

#endif
