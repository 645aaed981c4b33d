/* Grades malicious and unusual submissions. Each must get a verdict within a time limit. Reports must not contain
 * temporary names. */
/* run: plain, 14 s */
/* reads: grade labs solutions */
#include "compile/compiler.h"
#include "sandbox/process.h"
#include "tests/quick.h"
#include "tests/effort.h"
#include "tests/suite.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/check-submissions-XXXXXX";
#define HEAD "#include \"reduce.h\"\n"
#define REDUCE "__global__ void reduce(const value_t *in, value_t *partial, unsigned n) "
#define ONE "__global__ void reduce_one_block(const value_t *in, value_t *out, unsigned n) { if (n) out[0] = in[0]; }\n"
static const struct {
    const char *path, *source; /* path: relative to the test's folder */
    int status;
    const char *texts[3], *size; /* size: the cases with this n are run and must show the error; NULL: all cases */
} rows[] = {
    {"a \"$(exit)`/'x'.cu", HEAD REDUCE "{ oops; }\n", 4, {"a \"$(exit)`/'x'.cu", "oops", "does not build"}},
    {"quoted'/reduce.cu", HEAD REDUCE "{}\n" ONE, 1, {"--submission '", "'\\''/reduce.cu'", "never written"}, "33"},
    {"nothing.cu", HEAD REDUCE "{}\n" ONE, 1, {"in = 1 partial[0] was never written replay: "}, "0"},
    {"other.cu",
     HEAD REDUCE "{ partial[0] = in[n]; }\n" ONE,
     1,
     {"other.cu:2: access out of bounds", "2 | __global__"},
     "33"},
    {"brace.cu", HEAD REDUCE "{ if (n) {\n", 4, {"brace.cu", "expected", "does not build"}},
    {"empty.cu", "", 1, {"the file has no kernel `reduce`"}},
    {"two.cu",
     HEAD "__global__ void reduce(const value_t *in, value_t *partial) {}\n" ONE,
     1,
     {"kernel `reduce` takes 2 parameters, but 3 were given"},
     "33"},
    {"spin.cu",
     HEAD REDUCE "{ while (1) __syncthreads(); }\n" ONE,
     1,
     {"kernel does not end", "more not run, because the kernel does not end", "spin.cu:2"}},
    {"big.cu",
     HEAD "__device__ int big[1 << 29];\n" REDUCE "{ partial[0] = big[n]; }\n" ONE,
     4,
     {"variables need more than the 64 MiB"}},
    {"zero.cu", "#include \"/dev/zero\"\n", -1, {""}}, /* the result depends on the compiler, but the grade must end */
    {"asm.cu",
     HEAD REDUCE "{ asm volatile(\"frobnicate.u32 %%r1, 5;\"); partial[0] = in[0]; }\n" ONE,
     4,
     {"asm.cu:2: `frobnicate.u32` is not an instruction of the PTX ISA"}},
    {"single.cu",
     HEAD "#if REDUCE_TYPE == REDUCE_U32\n#error no unsigned\n#endif\n" REDUCE "{}\n" ONE,
     4,
     {"no unsigned", "sum of unsigned"}},
    {"flush.cu", /* wrong only for subnormal float products, which occur only in large cases */
     HEAD "static __device__ value_t mine(value_t a, value_t b) {\n"
          "#if REDUCE_OP == REDUCE_PRODUCT && REDUCE_TYPE == REDUCE_F32\n"
          "    asm(\"mul.ftz.f32 %0, %0, %1;\" : \"+f\"(a) : \"f\"(b));\n"
          "    return a;\n"
          "#else\n"
          "    return combine(a, b);\n"
          "#endif\n"
          "}\n"
          "static __device__ void tree(value_t *s, unsigned stride, value_t *out) {\n"
          "    for (__syncthreads(); stride; stride /= 2, __syncthreads())\n"
          "        if (threadIdx.x < stride) s[threadIdx.x] = mine(s[threadIdx.x], s[threadIdx.x + stride]);\n"
          "    if (threadIdx.x == 0) *out = s[0];\n"
          "}\n" REDUCE "{\n"
          "    extern __shared__ value_t s[];\n"
          "    unsigned m = blockDim.x, i = 2 * m * blockIdx.x + threadIdx.x;\n"
          "    s[threadIdx.x] = i < n ? in[i] : identity();\n"
          "    s[threadIdx.x + m] = i + m < n ? in[i + m] : identity();\n"
          "    tree(s, m, partial + blockIdx.x);\n"
          "}\n"
          "__global__ void reduce_one_block(const value_t *in, value_t *out, unsigned n) {\n"
          "    extern __shared__ value_t s[];\n"
          "    value_t x = identity();\n"
          "    for (unsigned i = threadIdx.x; i < n; i += blockDim.x) x = mine(x, in[i]);\n"
          "    s[threadIdx.x] = x;\n"
          "    tree(s, blockDim.x / 2, out);\n"
          "}\n",
     1,
     {"a subnormal result became 0"}},
};
static char *unbroken(char *text) {
    char *end = text;
    for (const char *s = text; *s; s++) {
        const bool blank = *s == ' ' || *s == '\n';
        if (!blank || end == text || end[-1] != ' ') *end++ = blank ? ' ' : *s;
    }
    *end = 0;
    return text;
}
START_TEST(unusual_submissions_get_verdicts) {
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, rows[_i].path);
    char *slash = strrchr(path, '/');
    *slash = 0, mkdir(path, 0755), *slash = '/';
    FILE *f = fopen(path, "w");
    ck_assert(f && fputs(rows[_i].source, f) >= 0 && fclose(f) == 0);
    const char *grade = getenv("GRADE");
    setenv("CUDA", compiler_in_turn((unsigned)_i), 1); /* the compilers take turns */
    const char *const argv[] = {grade ? grade : "./grade",
                                "lab3",
                                "--submission",
                                path,
                                "--no-fix",
                                "--seed",
                                "5",
                                rows[_i].size ? "--size" : NULL,
                                rows[_i].size,
                                NULL};
    struct process_result r = process_run(argv, &(struct process_limits){.wall_seconds = 300, .output_bytes = 1 << 20});
    ck_assert_msg(r.end == PROCESS_EXITED, "%s: did not end", rows[_i].path);
    ck_assert_msg(r.status == rows[_i].status || (rows[_i].status < 0 && (r.status == 1 || r.status == 4)),
                  "%s: exit %d\n%.1500s", rows[_i].path, r.status, r.output);
    ck_assert_msg(!strstr(r.output, "/grade-") && !strstr(r.output, "unit.cu") && !strstr(r.output, "_ZN"),
                  "%s: a temporary name appears in\n%.1500s", rows[_i].path, r.output);
    unbroken(r.output);
    ck_assert_msg(!strstr(r.output, "the check did not finish"), "%s: a check broke\n%.1500s", rows[_i].path, r.output);
    for (unsigned k = 0; k < 3 && rows[_i].texts[k]; k++)
        ck_assert_msg(strstr(r.output, rows[_i].texts[k]), "%s: no `%s` in\n%.1500s", rows[_i].path, rows[_i].texts[k],
                      r.output);
    free(r.output);
}
END_TEST

/* If a file uses a feature of a later compute capability, the message says so. With --arch, the file works. */
START_TEST(newer_instructions_are_named) {
    char path[300], why[400];
    static const char *const compilers[] = {"nvcc", "nvrtc"};
    if (!compiler_find(compilers[_i], why, sizeof why))
        return (void)printf("SKIP newer_instructions_are_named: %s\n", why);
    snprintf(path, sizeof path, "%s/newer.cu", folder);
    FILE *f = fopen(path, "w");
    ck_assert(f && fputs(HEAD REDUCE "{ partial[0] = __reduce_add_sync(0xffffffff, n); }\n" ONE, f) >= 0 && !fclose(f));
    static const struct {
        const char *arch, *text;
        int status;
    } tries[] = {{"75", "  = `__reduce_add_sync` needs compute capability 8.0, but the lab is compiled for 7.5", 4},
                 {"80", "--arch 80 --seed 5 --case", 1},
                 {"74", "--arch must be a number from 75 to 90", 2}};
    for (unsigned k = 0; k < sizeof tries / sizeof *tries; k++) {
        const char *grade = getenv("GRADE");
        const char *const argv[] = {grade ? grade : "./grade",
                                    "lab3",
                                    "--submission",
                                    path,
                                    "--compiler",
                                    compilers[_i],
                                    "--arch",
                                    tries[k].arch,
                                    "--seed",
                                    "5",
                                    "--size",
                                    "33",
                                    NULL};
        struct process_result r =
            process_run(argv, &(struct process_limits){.wall_seconds = 300, .output_bytes = 1 << 20});
        ck_assert_msg(r.end == PROCESS_EXITED && r.status == tries[k].status && strstr(r.output, tries[k].text),
                      "--arch %s: exit %d\n%.1500s", tries[k].arch, r.status, r.output);
        free(r.output);
    }
}
END_TEST

/* Blocks may take their shares in any order. If a sample of the blocks cannot show that the result is correct, a run of
 * all blocks decides. In this case, each thread of a reduced grid would have too many elements for a sample of
 * neighboring blocks. */
START_TEST(shares_may_have_any_order) {
    static const struct {
        const char *block; /* index of the block's share */
        int status;
    } tries[] = {{"gridDim.x % 8 ? b : b % 8 * (gridDim.x / 8) + b / 8", 0},
                 {"gridDim.x % 8 ? b : b % 8 * (gridDim.x / 8) + b / 16", 1}};
    char path[300];
    snprintf(path, sizeof path, "%s/order.cu", folder);
    const char *grade = getenv("GRADE");
    const char *const argv[] = {grade ? grade : "./grade",
                                "lab4",
                                "--submission",
                                path,
                                "--seed",
                                "5",
                                "--no-fix",
                                "--case",
                                "reduce/sum_i32/n=100000000/block=32/grid=4096",
                                NULL};
    FILE *f = fopen(path, "w");
    ck_assert(f);
    fprintf(f,
            HEAD REDUCE "{\n"
                        "    value_t x = identity();\n"
                        "    const unsigned b = blockIdx.x, t = threadIdx.x;\n"
                        "    for (unsigned i = (%s) * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)\n"
                        "        x = combine(x, in[i]);\n"
                        "    for (unsigned k = 16; k; k /= 2) x = combine(x, __shfl_down_sync(0xffffffff, x, k));\n"
                        "    if (t == 0) partial[b] = x;\n"
                        "}\n",
            tries[_i].block);
    ck_assert(!fclose(f));
    struct process_result r = process_run(argv, &(struct process_limits){.wall_seconds = 300, .output_bytes = 1 << 20});
    ck_assert_msg(r.end == PROCESS_EXITED && r.status == tries[_i].status, "exit %d\n%.1500s", r.status, r.output);
    free(r.output);
}
END_TEST

int main(void) {
    char why[300];
    if (!compiler_find("auto", why, sizeof why)) return printf("SKIP check_submissions: %s\n", why), 0;
    if (!mkdtemp(folder)) return 1;
    Suite *suite = suite_create("submissions");
    TCase *tcase = tcase_create("submissions");
    tcase_set_timeout(tcase, 300);
    add_rows(tcase, unusual_submissions_get_verdicts, sizeof rows / sizeof *rows, 2);
    tcase_add_loop_test(tcase, newer_instructions_are_named, 0, 2);
    tcase_add_loop_test(tcase, shares_may_have_any_order, 0, 2);
    suite_add_tcase(suite, tcase);
    const int failed = suite_failures(suite);
    const char *const clean[] = {"rm", "-rf", folder, NULL};
    free(process_run(clean, &(struct process_limits){0}).output);
    return failed != 0;
}
