/* Tests how `./grade run` launches a kernel: the order of its blocks, and what it says about the arguments. */
/* reads: common grader/tests/run */
#include "tests/effort.h"
#include "tests/run_command.h"
#include "tests/suite.h"

#define CU "grader/tests/run/launches.cu"
#define PTX "grader/tests/run/kernels.ptx"

static const struct {
    const char *words;
    int status;
    const char *there, *missing; /* parts of the output: one that it has, and one that it lacks (NULL: none) */
} rows[] = {
    /* A wait for an earlier block shows only in descending order. */
    {CU " chain --grid 4 --arg int[4]:out", 1, "launches.cu:8: block waits for another block", NULL},
    {CU " chain --grid 4 --arg int[4]:out", 1, "[0] 1 2 3 4", "data race"},
    {CU " chain --grid 4 --arg int[4]:out --seed 3", 1, "launches.cu:8: block waits", NULL},
    {CU " chain --grid 4 --arg int[4]:out --schedule rising", 0, "[0] 1 2 3 4", "waits"},
    {CU " chain --grid 4 --arg int[4]:out --cooperative", 0, "[0] 1 2 3 4", "waits"},
    {CU " chain --grid 1 --arg int[4]:out", 0, "no findings", NULL},
    {CU " turns --grid 5 --arg int[1]:0", 1, "launches.cu:32: block waits for another block", NULL},
    {CU " turns --grid 5 --arg int[1]:0", 1, "--schedule falling)", NULL},
    /* Only short turns divide a queue of tasks among blocks, or among warps. */
    {CU " queue_of_blocks --grid 2 --arg int[40]:out", 1, "--schedule turn=16)", NULL},
    {CU " queue_of_blocks --grid 2 --arg int[40]:out", 1, "data race between blocks", NULL},
    {CU " queue_of_blocks --grid 2 --arg int[40]:out --cooperative", 1, "data race between blocks", NULL},
    {CU " queue_of_blocks --grid 1 --arg int[40]:out", 0, "no findings", NULL},
    {CU " queue_of_warps --block 96 --arg int[40]:out --arg 0", 1, "data race in global memory", NULL},
    {CU " queue_of_warps --block 96 --arg int[40]:out --arg 1", 0, "no findings", NULL},
    {CU " queue_of_warps --block 96 --arg int[40]:out --arg 0 --schedule rising", 0, "no findings", NULL},
    {CU " queue_of_warps --block 32 --arg int[40]:out --arg 0", 0, "no findings", NULL},
    {CU " tickets --grid 4 --arg int[4]:out", 0, "[0] 1 2 3 4", NULL},
    {CU " locked --grid 8 --arg int[1]:0 --arg f32[1]:0", 0, "[0] 8\n", NULL},
    /* The kernel's symbol has the parameters' types, which PTX lacks. */
    {PTX " sum", 2, "0 were given with --arg: in (float const*), partial (float*), n (int)", NULL},
    {PTX " sum --arg double[9]:1 --arg null --arg 9", 2,
     "argument 1 (in) `double[9]:1`: the parameter is float const*, but the buffer has 8-byte floats: give f32[N]:FILL",
     NULL},
    {PTX " sum --arg int[9]:1 --arg null --arg 9", 2, "the buffer has 4-byte integers: give f32[N]:FILL", NULL},
    {PTX " sum --arg 9 --arg null --arg 9", 2, "argument 1 (in) `9`: the parameter is a pointer, float const*", NULL},
    {PTX " sum --block 64 --arg u8[256]:0 --arg float[1]:out --arg 64", 0, "[0] 0\n", NULL},
    {PTX " scaled --arg float[4]:2 --arg 4 --arg 1", 2, "the parameter is double*, but the buffer has 4-byte", NULL},
    {PTX " twice<float> --arg int[4]:21", 2, "the parameter is float*, but the buffer has 4-byte integers", NULL},
    {PTX " twice<int> --block 4 --arg uint32_t[4]:21", 0, "[0] 42 42 42 42", NULL},
    {PTX " places --arg bf16[4]:1", 2, "the parameter is unsigned int*, but the buffer has 2-byte floats", NULL},
    {PTX " widths --block 7 --arg int8_t[9]:0 --arg uint8_t[9]:3 --arg int16_t[7]:out --arg int64_t[7]:out "
         "--arg uint64_t[7]:out",
     0, "[0] 255 254 253 252 251 250 249 3 3", NULL},
    {PTX " numbers --block 1 --arg true --arg false --arg 2 --arg 3 --arg 4 --arg 5 --arg f64[6]:out", 0,
     "[0] 1 0 2 3 4 5", NULL},
    {CU " stores --arg int[32]:out", 1, "  out   int[32]:out   0 of 32 written", NULL},
    {CU " stores --arg int[32]:out", 1, "trap in place of undefined behavior)", NULL},
    {"/bin/sh k", 4, "/bin/sh is not a text file in UTF-8", "error"},
    /* Orders that the launch cannot have. */
    {PTX " nothing --block 64 --schedule warp=1", 0, "no findings", NULL},
    {PTX " nothing --block 64 --schedule warp=2", 2, "--schedule: there is no warp 2; the last one is 1", NULL},
    {PTX " nothing --grid 3x2 --schedule falling,block=6", 2, "there is no block 6; the last one is 5", NULL},
    {PTX " nothing --block 8 --schedule lane=8", 2, "there is no lane 8; the last one is 7", NULL},
    {CU " turns --arg int[1]:0 --schedule stale=34", 0, "[0] 1\n", NULL},
    {CU " turns --arg int[1]:0 --schedule stale=33", 2, "stale=33: no instruction on that line loads", NULL},
    {PTX " numbers --block 1 --arg yes", 2, "c (signed char), u (unsigned short), i (int), w (unsigned long long)",
     NULL},
};
static bool says(const struct result *r, const char *text) { return strstr(r->out, text) || strstr(r->err, text); }
START_TEST(launch_is_judged) {
    struct result r = run(rows[_i].words, "");
    ck_assert_msg(r.status == rows[_i].status && says(&r, rows[_i].there), "%s: status %d, no `%s` in:\n%s%s",
                  rows[_i].words, r.status, rows[_i].there, r.out, r.err);
    ck_assert_msg(!rows[_i].missing || !says(&r, rows[_i].missing), "%s: `%s` in:\n%s%s", rows[_i].words,
                  rows[_i].missing, r.out, r.err);
    release(&r);
}
END_TEST

/* Symbols as nvcc mangles them, and the types of their parameters. */
static const char *const symbols[][2] = {
    {"_Z3sumPKfPfi", "float const*|float*|int"},
    {"_ZN2ns1kIfLi3EEEvPKT_PS1_m", "float const*|float*|unsigned long"},
    {"_Z1kI6__halfiEvPT_PVT0_S2_", "__half*|int volatile*|__half*"},
    {"_Z1kPK6__halfP13__nv_bfloat16b", "__half const*|__nv_bfloat16*|bool"},
    {"_Z1kIiEv3BoxIT_EPS2_", "Box<int>|Box<int>*|"},
    {"_Z1kPFviEPi", "||"}, /* a pointer to a function: it and what follows stay unknown */
    {"plain", "||"},
    {"_ZN", "||"},
};
START_TEST(parameter_types_are_known) {
    char types[3][RUN_TYPE], all[3 * RUN_TYPE + 2];
    run_parameter_types(symbols[_i][0], 3, types);
    snprintf(all, sizeof all, "%s|%s|%s", types[0], types[1], types[2]);
    ck_assert_str_eq(all, symbols[_i][1]);
}
END_TEST

static bool have_nvcc(void) {
    char message[500];
    return compiler_find("nvcc", message, sizeof message) != NULL;
}
/* KERNEL names an instance of a template that the file does not use. */
static const struct {
    const char *words;
    int status;
    const char *there;
} instances[] = {
    {CU " fill<3,short> --block 2 --arg short[2]:out", 0, "a     short[2]:out   2 of 2 written\n      [0] 3 3"},
    {CU " fill<3,float> --arg int[2]:out", 2, "the parameter is float*"},
    {CU " fill<3>", 2, "has no kernel `fill<3>`; it has chain, tickets"}, /* the second argument is missing */
    {CU " absent<3>", 2, "has no kernel `absent<3>`; it has chain, tickets"},
    {CU " fill<3,int>;int", 2, "has no kernel `fill<3,int>;int`"},
};
START_TEST(template_is_instantiated) {
    if (!have_nvcc()) return;
    struct result r = run(instances[_i].words, "");
    ck_assert_msg(r.status == instances[_i].status && says(&r, instances[_i].there), "%s: status %d, no `%s` in:\n%s%s",
                  instances[_i].words, r.status, instances[_i].there, r.out, r.err);
    release(&r);
}
END_TEST

int main(void) {
    Suite *s = suite_create("run: launches");
    TCase *t = tcase_create("run: launches");
    tcase_set_timeout(t, 300);
    add_rows(t, launch_is_judged, sizeof rows / sizeof *rows, effort(1, 3));
    tcase_add_loop_test(t, parameter_types_are_known, 0, sizeof symbols / sizeof *symbols);
    tcase_add_loop_test(t, template_is_instantiated, 0, sizeof instances / sizeof *instances);
    suite_add_tcase(s, t);
    const int failed = suite_failures(s);
    if (!have_nvcc()) printf("SKIP template_is_instantiated: no nvcc\n");
    return failed ? 1 : 0;
}
