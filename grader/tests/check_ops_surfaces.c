/* Tests surfaces: every row, type and modifier must give the bytes that the PTX ISA specifies. Also tests queries of
 * objects, and error messages about textures and surfaces. */
/* run: 1 s */
/* reads: nothing */
#include "tests/ops/textures.h"

/* ---- surfaces ---------------------------------------------------------------------------------------------------- */
static const char *const surface_types[] = {"b8", "b16", "b32", "b64"};
static const enum sim_shape surface_shapes[] = {SIM_1D,         SIM_2D,   SIM_3D,          SIM_1D_LAYERED,
                                                SIM_2D_LAYERED, SIM_CUBE, SIM_CUBE_LAYERED};
enum { SURFACE_SHAPES = sizeof surface_shapes / sizeof *surface_shapes };
static const char *surface_geometry(enum sim_shape shape) { return shape >= SIM_CUBE ? "a2d" : shapes[shape].geometry; }
/* Registers may be wider than the value. A load must set their upper bits to 0. */
static void surface_text(struct text *t, enum sim_shape shape, unsigned type, unsigned vec, const char *outside,
                         bool store, const char *cache) {
    const char *const registers[] = {"%h", "%h", "%r", "%d"};
    const unsigned first = type == 2 ? 4 : 0;
    const char *geometry = surface_geometry(shape);
    const bool layered = *geometry == 'a';
    head(t);
    for (unsigned k = 0; k < vec; k++)
        text_add(t, "ld.global.%s %s%u, [%%from+%u];\n", surface_types[type], registers[type], first + k, k << type);
    text_add(t, "ld.global.u32 %%r0, [%%from];\n");
    char vector[64];
    int n = sprintf(vector, "{");
    for (unsigned k = 0; k < vec; k++) n += sprintf(vector + n, "%s%s%u", k ? ", " : "", registers[type], first + k);
    sprintf(vector + n, "}");
    text_add(t, TESTED "%s.%s%s%s.%s.%s ", store ? "sust.b" : "suld.b", geometry, cache,
             vec == 2   ? ".v2"
             : vec == 4 ? ".v4"
                        : "",
             surface_types[type], outside);
    if (!store) text_add(t, "%s, ", vector);
    text_add(t, "[%%o, {%s%s%s}]", layered ? "%r0, %r1" : "%r1", strstr(geometry, "2d") ? ", %r2" : "",
             !strcmp(geometry, "a2d")  ? ", %r2"
             : !strcmp(geometry, "3d") ? ", %r2, %r3, %r3"
                                       : "");
    text_add(t, store ? ", %s;\n" UNTESTED : ";\n" UNTESTED, vector);
    for (unsigned k = 0; !store && k < vec; k++)
        text_add(t, "st.global.%s [%%to+%u], %s%u;\n", surface_types[type], k << type, registers[type], first + k);
    text_add(t, "ret;\n}\n");
}
struct spot {
    int64_t x, y, z;
    bool inside;
};
static struct spot surface_spot(const struct image *m, const struct coordinates *q, unsigned bytes, bool clamp) {
    const struct sim_texels *t = &m->texels;
    const bool layered = *surface_geometry(t->shape) == 'a', flat = shapes[t->shape].dimensions < 2;
    struct spot s = {q->n[0], flat ? 0 : q->n[1], layered ? (int32_t)q->layer : t->shape == SIM_3D ? q->n[2] : 0, true};
    const int64_t most[3] = {(int64_t)t->width * texel_bytes(t) - bytes, t->height - 1,
                             (layered ? t->layers : t->depth) - INT64_C(1)};
    int64_t *at[3] = {&s.x, &s.y, &s.z};
    for (unsigned d = 0; d < 3; d++) {
        if (*at[d] >= 0 && *at[d] <= most[d]) continue;
        if (clamp)
            *at[d] = *at[d] < 0 ? 0 : most[d];
        else
            s.inside = false;
    }
    return s;
}
START_TEST(surface_moves_bytes) {
    static struct image m;
    static struct text t;
    static struct launch l;
    static struct coordinates q[THREADS];
    static const char *const outsides[] = {"zero", "clamp"}, *const caches[2][5] = {{"", ".ca", ".cg", ".cs", ".cv"},
                                                                                    {"", ".wb", ".cg", ".cs", ".wt"}};
    const unsigned type = (unsigned)_i % 4, vec = 1u << _i / 4 % 3, bytes = vec << type;
    if (bytes > 16) return;
    uint64_t random = (uint64_t)_i + 5;
    for (unsigned k = 0; k < SURFACE_SHAPES * 4; k++) {
        const enum sim_shape shape = surface_shapes[k / 4];
        const bool store = k & 1, clamp = k & 2;
        make_image(&m, shape, SIM_UNSIGNED, 8u << (type < 3 ? type : 2), type < 3 ? vec : bytes / 4, &random);
        /* each thread stores in its own place, so that the order does not matter */
        for (unsigned n = 0; n < THREADS; n++) {
            q[n].layer = clamp ? (uint32_t)(random_next(&random) >> 40) % 3 : n / 32 % m.texels.layers;
            q[n].n[0] = (int32_t)bytes * (clamp ? (int32_t)(random_next(&random) >> 40) % 9 - 1 : (int32_t)n % 8 - 1);
            q[n].n[1] = (int32_t)n / 8 % 4, q[n].n[2] = (int32_t)n / 32;
            /* all threads store in the same place, which is out of range */
            if (store && clamp) q[n] = (struct coordinates){.layer = 9, .n = {4096, 77, 88}};
        }
        surface_text(&t, shape, type, vec, outsides[clamp], store, caches[store][k / 2 % 5]);
        l = (struct launch){.image = &m, .surface = true, .in = q, .in_bytes = sizeof q};
        launch(t.data, &l);
        ck_assert_msg(!l.seen.faults, "%s in\n%s", l.seen.fault[0].text, t.data);
        uint8_t after[MAX_BYTES];
        memcpy(after, m.bytes, sizeof after);
        for (unsigned n = 0; n < THREADS; n++) {
            const struct spot s = surface_spot(&m, &q[n], bytes, clamp);
            const uint64_t at = (uint64_t)s.z * m.texels.slice + (uint64_t)s.y * m.texels.pitch + (uint64_t)s.x;
            uint8_t none[16] = {0};
            if (store && s.inside)
                memcpy(after + at, &q[n], bytes);
            else if (!store)
                ck_assert_msg(!memcmp(l.out[n], s.inside ? m.bytes + at : none, bytes),
                              "thread %u at (%d, %d, %d), layer %u in\n%s", n, q[n].n[0], q[n].n[1], q[n].n[2],
                              q[n].layer, t.data);
        }
        const bool unique = shape == SIM_3D || shape == SIM_2D_LAYERED || shape >= SIM_CUBE;
        if (!store || unique) ck_assert_msg(!memcmp(after, l.after, sizeof after), "memory after\n%s", t.data);
    }
}
END_TEST

/* ---- queries ----------------------------------------------------------------------------------- */
START_TEST(queries_are_answered) {
    static struct image m;
    static struct text t;
    static struct launch l;
    uint64_t random = 3;
    const enum sim_shape shape = (enum sim_shape)(_i / 2);
    const bool surface = _i & 1, cube = shape == SIM_CUBE || shape == SIM_CUBE_LAYERED;
    if (surface && shape == SIM_LINEAR) return;
    make_image(&m, shape, SIM_UNSIGNED, 8, 1, &random);
    m.sampling.normalized = true;
    const struct {
        const char *word;
        uint32_t answer;
        bool both;
    } asked[] = {{"width", m.texels.width, true}, {"height", m.texels.height, true},
                 {"depth", m.texels.depth, true}, {"array_size", m.texels.layers / (cube ? 6 : 1), true},
                 {"normalized_coords", 1, false}, {"num_mipmap_levels", 1, false},
                 {"num_samples", 1, false}};
    for (unsigned k = 0; k < sizeof asked / sizeof *asked; k++) {
        if (surface && !asked[k].both) continue;
        head(&t);
        text_add(&t, TESTED "%s.%s.b32 %%r4, [%%o];\n" UNTESTED "st.global.u32 [%%to], %%r4;\nret;\n}\n",
                 ptx_ops[surface ? PTX_OP_suq : PTX_OP_txq].mnemonic, asked[k].word);
        l = (struct launch){.image = &m, .surface = surface, .in = m.bytes, .in_bytes = THREADS * 16};
        launch(t.data, &l);
        for (unsigned n = 0; n < THREADS; n++)
            ck_assert_msg(l.out[n][0] == asked[k].answer, "%s: %u, not %u", asked[k].word, l.out[n][0],
                          asked[k].answer);
    }
}
END_TEST

/* ---- errors ------------------------------------------------------------------------------------------------------ */
static const struct {
    const char *what, *instruction;
    enum sim_shape shape;
    enum sim_numbers numbers;
    uint8_t bits;
    bool surface, ended, normalized;
    enum sim_fault_kind kind;
    const char *text; /* NULL if there is no fault */
} wrongs[] = {
    {"shape", "tex.2d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [%o, {%f1, %f2}];", SIM_1D, SIM_FLOATS, 32, 0, 0, 0,
     SIM_FAULT_TEXTURE, "texture object of one dimension"},
    {"linear memory", "tex.1d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [%o, {%f1}];", SIM_LINEAR, SIM_FLOATS, 32, 0, 0, 0,
     SIM_FAULT_TEXTURE, "of linear memory (for tex1Dfetch() with"},
    {"surface as texture", "tex.1d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [%o, {%f1}];", SIM_1D, SIM_FLOATS, 32, 1, 0, 0,
     SIM_FAULT_TEXTURE, "used a surface object as a texture"},
    {"texture as surface", "suld.b.1d.b32.zero {%r4}, [%o, {%r1}];", SIM_1D, SIM_FLOATS, 32, 0, 0, 0, SIM_FAULT_TEXTURE,
     "used a texture object as a surface"},
    {"destroyed", "tex.1d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [%o, {%f1}];", SIM_1D, SIM_FLOATS, 32, 0, 1, 0,
     SIM_FAULT_TEXTURE, "that was destroyed"},
    {"no object", "tex.1d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [%d0, {%f1}];", SIM_1D, SIM_FLOATS, 32, 0, 0, 0,
     SIM_FAULT_TEXTURE, "used a value that is not a texture object as a texture"},
    {"no surface", "sust.b.1d.b32.zero [%d0, {%r1}], {%r4};", SIM_1D, SIM_FLOATS, 32, 0, 0, 0, SIM_FAULT_TEXTURE,
     "used a value that is not a surface object as a surface"},
    {"bytes as floats", "tex.1d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [%o, {%f1}];", SIM_1D, SIM_UNSIGNED, 8, 0, 0, 0,
     SIM_FAULT_TEXTURE, "read floats from a texture that returns integers"},
    {"halves as integers", "tex.1d.v4.u32.f32 {%r4, %r5, %r6, %r7}, [%o, {%f1}];", SIM_1D, SIM_FLOATS, 16, 0, 0, 0,
     SIM_FAULT_TEXTURE, "read integers from a texture that returns floats"},
    {"bits are bits", "tex.1d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [%o, {%f1}];", SIM_1D, SIM_UNSIGNED, 32, 0, 0, 0,
     SIM_FAULT_TEXTURE, NULL},
    {"whole and normalized", "tex.1d.v4.f32.s32 {%f4, %f5, %f6, %f7}, [%o, {%r1}];", SIM_1D, SIM_FLOATS, 32, 0, 0, 1,
     SIM_FAULT_TEXTURE, "integer coordinates for a texture with normalized"},
    {"outside", "suld.b.2d.b32.trap {%r4}, [%o, {%r1, %r2}];", SIM_2D, SIM_FLOATS, 32, 1, 0, 0, SIM_FAULT_SURFACE,
     "4 bytes at x = 4000 bytes, y = 4000, but it is 24 bytes wide"},
    {"outside in depth", "sust.b.3d.b32.trap [%o, {%r1, %r2, %r3, %r3}], {%r4};", SIM_3D, SIM_FLOATS, 32, 1, 0, 0,
     SIM_FAULT_SURFACE, "4 bytes at x = 4000 bytes, y = 4000, z = 4000,"},
    {"not aligned", "suld.b.1d.b32.trap {%r4}, [%o, {1}];", SIM_1D, SIM_FLOATS, 32, 1, 0, 0, SIM_FAULT_TEXTURE,
     "passed a surface function an x coordinate that is not"},
};
START_TEST(invalid_uses_are_reported) {
    static struct image m;
    static struct text t;
    static struct launch l;
    static uint32_t in[THREADS][4];
    uint64_t random = 3;
    for (unsigned n = 0; n < THREADS; n++) in[n][0] = in[n][1] = in[n][2] = in[n][3] = 4000;
    make_image(&m, wrongs[_i].shape, wrongs[_i].numbers, wrongs[_i].bits, 1, &random);
    m.sampling.normalized = wrongs[_i].normalized;
    head(&t);
    text_add(&t,
             "mov.u32 %%r4, -1;\nmov.f32 %%f4, 0fffffffff;\nmov.u64 %%d0, 77;\n" TESTED "%s\n" UNTESTED
             "mov.b32 %%r5, %%f4;\n",
             wrongs[_i].instruction);
    text_add(&t, "st.global.v2.u32 [%%to], {%%r4, %%r5};\nret;\n}\n");
    l = (struct launch){
        .image = &m, .surface = wrongs[_i].surface, .ended = wrongs[_i].ended, .in = in, .in_bytes = sizeof in};
    launch(t.data, &l);
    ck_assert_msg(!l.seen.faults == !wrongs[_i].text, "%s: %u faults", wrongs[_i].what, l.seen.faults);
    if (!wrongs[_i].text) return;
    ck_assert_msg(l.seen.fault[0].kind == wrongs[_i].kind && l.seen.fault[0].lanes == UINT32_MAX, "%s",
                  wrongs[_i].what);
    ck_assert_msg(!strncmp(l.seen.fault[0].text, wrongs[_i].text, strlen(wrongs[_i].text)) ||
                      strstr(l.seen.fault[0].text, wrongs[_i].text),
                  "%s: %s", wrongs[_i].what, l.seen.fault[0].text);
    const bool stores = strstr(wrongs[_i].instruction, "sust") != NULL;
    ck_assert_msg(stores || !l.out[5][0] || !l.out[5][1], "%s: the result is not 0", wrongs[_i].what);
    ck_assert(!memcmp(l.after, m.bytes, sizeof l.after));
}
END_TEST
/* Each lane of a warp may use a different object. The odd lanes use an invalid object: only they fault, and they load
 * 0. */
START_TEST(lanes_name_different_objects) {
    static struct image m;
    static struct text t;
    static struct launch l;
    static uint32_t in[THREADS][4];
    uint64_t random = 3;
    for (unsigned n = 0; n < THREADS; n++) in[n][1] = n % 6;
    make_image(&m, SIM_1D, SIM_UNSIGNED, 32, 1, &random);
    head(&t);
    text_add(&t, "and.b32 %%r4, %%t, 1;\ncvt.u64.u32 %%d0, %%r4;\nadd.s64 %%o, %%o, %%d0;\n");
    text_add(&t, "tex.1d.v4.u32.s32 {%%r4, _, _, _}, [%%o, {%%r1}];\nst.global.u32 [%%to], %%r4;\nret;\n}\n");
    l = (struct launch){.image = &m, .in = in, .in_bytes = sizeof in};
    launch(t.data, &l);
    ck_assert_int_eq(l.seen.faults, 2);
    ck_assert_uint_eq(l.seen.fault[0].lanes, 0xaaaaaaaa);
    for (unsigned n = 0; n < THREADS; n++) {
        uint32_t wanted = 0;
        if (n % 2 == 0) memcpy(&wanted, m.bytes + 4 * (n % 6), 4);
        ck_assert_uint_eq(l.out[n][0], wanted);
    }
}
END_TEST
START_TEST(every_row_was_run) { coverage_check(TESTED_BY_SURFACES); }
END_TEST

int main(void) {
    coverage_begin();
    TCase *t = tcase_create("surfaces");
    tcase_add_loop_test(t, surface_moves_bytes, 0, 12);
    tcase_add_loop_test(t, queries_are_answered, 0, 2 * SHAPES);
    tcase_add_loop_test(t, invalid_uses_are_reported, 0, sizeof wrongs / sizeof *wrongs);
    tcase_add_test(t, lanes_name_different_objects);
    tcase_add_test(t, every_row_was_run);
    return run_suite("ops: surfaces", t);
}
