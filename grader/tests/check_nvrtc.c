/* Tests where the kit searches for NVRTC, whether NVRTC's constants equal the host's, and how compilations end. Also
 * tests for which kernels the PTX states the number of registers. */
/* run: sanitized */
/* reads: common */
#include "base/file.h"
#include "compile/compiler.h"
#include "ptx/ptx.h"
#include "sandbox/process.h"
#include "tests/suite.h"
#include <check.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/check-nvrtc-XXXXXX", *library;

/* ---- places to search ------------------------------------------------------------------- */
/* Each row creates `files` in a folder of its own and sets the variable `name` to `value`. The kit must select `found`.
 * Paths are relative to the row's folder, even a `value` that starts with /. PATH is the row's folder bin. */
static const struct {
    const char *files[4], *name, *value, *found;
} places[] = {
    {{"a/libnvrtc.so.12"}, "NVRTC", "/a", "a/libnvrtc.so.12"},
    {{"a/libnvrtc.so.9", "a/libnvrtc.so.13", "a/libnvrtc-builtins.so.14", "a/libnvrtc.alt.so.15"},
     "NVRTC",
     "/a",
     "a/libnvrtc.so.13"},
    {{"p/nvidia/cu13/lib/libnvrtc.so.13"},
     "NVRTC",
     "/p",
     "p/nvidia/cu13/lib/libnvrtc.so.13"}, /* pip install --target */
    {{"p/nvidia/cuda_nvrtc/lib/libnvrtc.so.12"}, "NVRTC", "/p", "p/nvidia/cuda_nvrtc/lib/libnvrtc.so.12"},
    {{"bin/nvcc", "lib/libnvrtc.so"}, "NVRTC", "none", NULL}, /* no library must be used, not even that of nvcc */
    /* only this folder must be searched, and it does not exist */
    {{"bin/nvcc", "lib/libnvrtc.so"}, "NVRTC", "/none", NULL},
    {{"t/lib64/libnvrtc.so.12", "t/lib/libnvrtc.so.11"}, "CUDA_HOME", "/t", "t/lib64/libnvrtc.so.12"},
    {{"t/lib/libnvrtc.so.11"}, "CUDA_PATH", "/t", "t/lib/libnvrtc.so.11"},
    {{"bin/nvcc", "lib64/libnvrtc.so.12"}, "PATH", "/bin", "lib64/libnvrtc.so.12"},
};
static void make_file(const char *base, const char *name) {
    char path[300];
    snprintf(path, sizeof path, "%s/%s", base, name);
    file_make_folders(path, 0755);
    ck_assert(file_write(path, "", 0) && !chmod(path, 0755));
}
START_TEST(library_is_found_where_variables_point) {
    char base[100], value[200], path[200], expected[300], real[PATH_MAX];
    snprintf(base, sizeof base, "%s/%d", folder, _i);
    for (unsigned k = 0; k < 4 && places[_i].files[k]; k++) make_file(base, places[_i].files[k]);
    snprintf(value, sizeof value, "%s%s", *places[_i].value == '/' ? base : "", places[_i].value);
    snprintf(path, sizeof path, "%s/bin", base);
    snprintf(expected, sizeof expected, "%s/%s", base, places[_i].found ? places[_i].found : "");
    unsetenv("NVRTC"), unsetenv("CUDA_HOME"), unsetenv("CUDA_PATH");
    setenv("PATH", path, 1);
    setenv(places[_i].name, value, 1);
    char *found = nvrtc_library();
    ck_assert_msg(!places[_i].found == !found, "%s=%s: %s", places[_i].name, value, found ? found : "none");
    if (found) ck_assert_str_eq(found, realpath(expected, real));
    free(found);
}
END_TEST
/* Folder layouts. `folders` are those whose headers belong to the library. */
static const struct {
    const char *library, *headers[4], *folders[NVRTC_INCLUDES];
} layouts[] = {
    {"lib/libnvrtc.so.13", {"include/cuda_fp16.h", "include/cccl/cuda/std/type_traits"}, {"include", "include/cccl"}},
    {"targets/x86_64-linux/lib/libnvrtc.so.12",
     {"targets/x86_64-linux/include/cuda_fp16.h"},
     {"targets/x86_64-linux/include"}},
    {"nvidia/cuda_nvrtc/lib/libnvrtc.so.12",
     {"nvidia/cuda_runtime/include/cuda_fp16.h", "nvidia/cuda_cccl/include/cuda/std/type_traits"},
     {"nvidia/cuda_runtime/include", "nvidia/cuda_cccl/include"}},
    {"usr/lib/x/libnvrtc.so.11", {"usr/include/cuda_fp16.h"}, {"usr/include"}},
    {"alone/libnvrtc.so.12", {NULL}, {NULL}},
};
START_TEST(headers_are_those_of_the_library) {
    char base[100], path[300], real[PATH_MAX], found[NVRTC_INCLUDES][PATH_MAX];
    snprintf(base, sizeof base, "%s/layout%d", folder, _i);
    make_file(base, layouts[_i].library);
    for (unsigned k = 0; layouts[_i].headers[k]; k++) make_file(base, layouts[_i].headers[k]);
    snprintf(path, sizeof path, "%s/%s", base, layouts[_i].library);
    const unsigned count = nvrtc_includes(path, found);
    for (unsigned k = 0; k < count; k++) {
        ck_assert_msg(layouts[_i].folders[k] != NULL, "%s: too many: %s", layouts[_i].library, found[k]);
        snprintf(path, sizeof path, "%s/%s", base, layouts[_i].folders[k]);
        ck_assert_str_eq(found[k], realpath(path, real));
    }
    ck_assert(count == NVRTC_INCLUDES || !layouts[_i].folders[count]);
}
END_TEST

/* ---- compilation ------------------------------------------------------------------------ */
static struct process_result compile_text(const char *text, const char *path_of_library, const char *option) {
    char file[100], out[100], self[PATH_MAX];
    snprintf(file, sizeof file, "%s/text.cu", folder);
    snprintf(out, sizeof out, "%s/text.ptx", folder);
    ck_assert(nvrtc_program(self) && file_write(file, text, strlen(text)));
    unlink(out);
    const char *const argv[] = {self,
                                NVRTC_WORD,
                                path_of_library,
                                "-arch=compute_75",
                                "-Icommon",
                                "--pre-include=cuda_nvrtc.h",
                                option,
                                file,
                                "-o",
                                out,
                                NULL};
    return process_run(argv, &(struct process_limits){.wall_seconds = 120});
}
/* Constants of the host, which NVRTC compares with its own at compile time. */
#define SIGNED(name)                                                                                                   \
    { #name, "%s == %lldLL", (long long)name, 0 }
#define UNSIGNED(name)                                                                                                 \
    { #name, "%s == %lluULL", (long long)name, 0 }
#define FLOAT(name)                                                                                                    \
    { #name, "%s == %a", 0, name }
#define SIZE(name)                                                                                                     \
    { "sizeof(" #name ")", "%s == %lluULL", sizeof(name), 0 }
static const struct {
    const char *name, *format;
    long long value;
    double real;
} constants[] = {
    SIGNED(CHAR_BIT),       SIGNED(CHAR_MIN),     SIGNED(CHAR_MAX),      SIGNED(SCHAR_MIN),   SIGNED(SCHAR_MAX),
    SIGNED(UCHAR_MAX),      SIGNED(SHRT_MIN),     SIGNED(SHRT_MAX),      SIGNED(USHRT_MAX),   SIGNED(INT_MIN + 1),
    SIGNED(INT_MAX),        UNSIGNED(UINT_MAX),   SIGNED(LONG_MIN + 1),  SIGNED(LONG_MAX),    UNSIGNED(ULONG_MAX),
    SIGNED(LLONG_MIN + 1),  SIGNED(LLONG_MAX),    UNSIGNED(ULLONG_MAX),  SIGNED(INT8_MIN),    SIGNED(INT8_MAX),
    SIGNED(UINT8_MAX),      SIGNED(INT16_MIN),    SIGNED(INT16_MAX),     SIGNED(UINT16_MAX),  SIGNED(INT32_MIN + 1),
    SIGNED(INT32_MAX),      UNSIGNED(UINT32_MAX), SIGNED(INT64_MIN + 1), SIGNED(INT64_MAX),   UNSIGNED(UINT64_MAX),
    SIGNED(INTPTR_MIN + 1), SIGNED(INTPTR_MAX),   UNSIGNED(UINTPTR_MAX), UNSIGNED(SIZE_MAX),  SIZE(int8_t),
    SIZE(int16_t),          SIZE(int32_t),        SIZE(int64_t),         SIZE(uint8_t),       SIZE(uint16_t),
    SIZE(uint32_t),         SIZE(uint64_t),       SIZE(intptr_t),        SIZE(uintptr_t),     SIZE(intmax_t),
    SIZE(uintmax_t),        SIZE(size_t),         SIZE(ptrdiff_t),       SIZE(long),          SIGNED(FLT_RADIX),
    SIGNED(FLT_MANT_DIG),   SIGNED(FLT_DIG),      SIGNED(FLT_MAX_EXP),   SIGNED(FLT_MIN_EXP), SIGNED(DBL_MANT_DIG),
    SIGNED(DBL_DIG),        SIGNED(DBL_MAX_EXP),  SIGNED(DBL_MIN_EXP),   FLOAT(FLT_MAX),      FLOAT(FLT_MIN),
    FLOAT(FLT_TRUE_MIN),    FLOAT(FLT_EPSILON),   FLOAT(DBL_MAX),        FLOAT(DBL_MIN),      FLOAT(DBL_TRUE_MIN),
    FLOAT(DBL_EPSILON),     FLOAT(M_E),           FLOAT(M_PI),           FLOAT(M_SQRT2)};
static const char begins[] = "#include <float.h>\n#include <stdint.h>\n#include <cfloat>\n#include <cstdint>\n"
                             "#include <limits.h>\n#include <climits>\n#include <math.h>\n#include <stddef.h>\n"
                             "#include <stdio.h>\n#include <cstdio>\n#include <assert.h>\n#include <cassert>\n"
                             "#include <cuda_runtime.h>\n#include <device_launch_parameters.h>\n";
static const char others[] =
    "static_assert(INFINITY > FLT_MAX && -HUGE_VALF < -FLT_MAX && HUGE_VAL > DBL_MAX && NAN != NAN, \"math.h\");\n"
    "static_assert(sizeof INFINITY == 4 && sizeof NAN == 4 && sizeof HUGE_VALF == 4 && sizeof HUGE_VAL == 8, \"\");\n"
    "static_assert(__builtin_inff() == HUGE_VALF && __builtin_inf() == HUGE_VAL && __builtin_nan(\"\") != 0, \"\");\n"
    "__device__ const float least[2] = {-INFINITY, FLT_MIN};\n"
    "__global__ void k(int *p, float *f) {\n"
    "    unsigned w;\n    __builtin_memcpy(&w, f, sizeof w);\n    assert(w != 3);\n    printf(\"%d\\n\", *p);\n"
    "    *p = __builtin_popcount(w) + __builtin_popcountll(w);\n    *f = least[w & 1];\n}\n";
START_TEST(nvrtc_constants_equal_the_hosts) {
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    fputs(begins, f);
    for (unsigned k = 0; k < sizeof constants / sizeof *constants; k++) {
        char claim[200];
        if (constants[k].real)
            snprintf(claim, sizeof claim, constants[k].format, constants[k].name, constants[k].real);
        else
            snprintf(claim, sizeof claim, constants[k].format, constants[k].name, constants[k].value);
        fprintf(f, "static_assert(%s, \"\");\n", claim);
    }
    fputs(others, f);
    fclose(f);
    struct process_result r = compile_text(text, library, "-std=c++17");
    ck_assert_msg(r.end == PROCESS_EXITED && r.status == 0, "%s", r.output);
    free(r.output);
    free(text);
}
END_TEST

/* ---- how compilations end ----------------------------------------------------------------------------- */
static const struct {
    const char *library, *option, *text; /* library: NULL for the installed one */
    int status;
    const char *said;
} ends[] = {
    {NULL, "-lineinfo", "__global__ void k() {}\n", 0, ""},
    {NULL, "-lineinfo", "int x = ;\n", 1, "text.cu(1): error: expected an expression"},
    {NULL, "-lineinfo", "__global__ void k() {}\n// \377\nint x = ;\n", 1, "text.cu(3): error: expected an expression"},
    {NULL, "-lineinfo", "int main() { return 0; }\n", 1, "host functions are not allowed"},
    {NULL, "--no-such-option", "__global__ void k() {}\n", 127, "unrecognized option"},
    {"/nowhere/libnvrtc.so", "-lineinfo", "__global__ void k() {}\n", 127, "/nowhere/libnvrtc.so: cannot open"},
    {"/lib/x86_64-linux-gnu/libm.so.6", "-lineinfo", "__global__ void k() {}\n", 127, "nvrtcCreateProgram"},
};
START_TEST(rejections_differ_from_failures) {
    setenv("NVRTC_APPEND_FLAGS", "--no-such-flag", 1);
    struct process_result r =
        compile_text(ends[_i].text, ends[_i].library ? ends[_i].library : library, ends[_i].option);
    ck_assert_msg(r.end == PROCESS_EXITED && r.status == ends[_i].status, "exit %d: %s", r.status, r.output);
    ck_assert_msg(strstr(r.output, ends[_i].said), "no `%s` in %s", ends[_i].said, r.output);
    free(r.output);
}
END_TEST

/* ---- registers ---------------------------------------------------------------------------------------- */
/* A kernel whose threads keep `values` loaded values across a barrier, so that the assembler cannot postpone the
 * loads. The PTX must state a number of registers above `more`, or none if `more` is UINT32_MAX. */
static const struct {
    unsigned values;
    const char *bounds;
    uint32_t more;
} needs[] = {{100, "", 100}, {100, "__launch_bounds__(1024)", UINT32_MAX}, {20, "", UINT32_MAX}};
START_TEST(ptx_tells_registers_if_a_block_may_not_fit) {
    char text[500], file[100];
    struct ptx_error error;
    size_t length;
    snprintf(text, sizeof text,
             "__global__ void %s k(const float *in, float *out) {\n    float a[%u], sum = 0;\n#pragma unroll\n"
             "    for (int k = 0; k < %u; k++) a[k] = in[32 * k];\n    __syncthreads();\n#pragma unroll\n"
             "    for (int k = 0; k < %u; k++) sum += a[k] * in[k];\n    out[0] = sum;\n}\n",
             needs[_i].bounds, needs[_i].values, needs[_i].values, needs[_i].values);
    struct process_result r = compile_text(text, library, "-lineinfo");
    ck_assert_msg(r.end == PROCESS_EXITED && r.status == 0, "%s", r.output);
    snprintf(file, sizeof file, "%s/text.ptx", folder);
    char *ptx = file_read(file, 0, 1 << 20, &length);
    ck_assert(ptx != NULL);
    struct ptx_module *m = ptx_parse(ptx, length, "text.ptx", &error);
    ck_assert_msg(m != NULL, "%s", error.message);
    if (needs[_i].more == UINT32_MAX)
        ck_assert_uint_eq(m->functions[0]->needs, 0);
    else
        ck_assert_uint_gt(m->functions[0]->needs, needs[_i].more);
    ptx_free(m);
    free(ptx);
    free(r.output);
}
END_TEST

#define ADD_LOOP(test, rows) tcase_add_loop_test(tcase, test, 0, (int)(sizeof rows / sizeof *rows))
int main(void) {
    char *const made = mkdtemp(folder);
    if (!made) return 1;
    library = nvrtc_library();
    Suite *suite = suite_create("nvrtc");
    TCase *tcase = tcase_create("nvrtc");
    tcase_set_timeout(tcase, 150);
    ADD_LOOP(library_is_found_where_variables_point, places);
    ADD_LOOP(headers_are_those_of_the_library, layouts);
    if (library) {
        tcase_add_test(tcase, nvrtc_constants_equal_the_hosts);
        ADD_LOOP(rejections_differ_from_failures, ends);
        ADD_LOOP(ptx_tells_registers_if_a_block_may_not_fit, needs);
    } else
        printf("SKIP check_nvrtc: compilations: no libnvrtc\n");
    suite_add_tcase(suite, tcase);
    const int failed = suite_failures(suite);
    free(library);
    const char *const clean[] = {"rm", "-rf", folder, NULL};
    free(process_run(clean, &(struct process_limits){0}).output);
    return failed != 0;
}
