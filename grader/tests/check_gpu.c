/* Device cuda on a real GPU: memory, variables, launches, and whose fault a failure is. Each test opens the driver in a
 * process of its own, since some of them break it. Skipped by name where there is no GPU. */
#include "device/device.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n.global .align 4 .u32 count = 5;\n"
    ".visible .entry k(.param .u64 out, .param .u32 what) {\n"
    ".reg .pred %p; .reg .b32 %t, %w, %x; .reg .b64 %o, %a;\n"
    "ld.param.u64 %o, [out]; ld.param.u32 %w, [what]; mov.u32 %t, %tid.x;\n"
    "mul.wide.u32 %a, %t, 4; add.s64 %a, %o, %a;\n"
    "setp.eq.u32 %p, %w, 1; @%p bra PAST; setp.eq.u32 %p, %w, 2; @%p bra NULL; setp.eq.u32 %p, %w, 3; @%p bra ODD;\n"
    "setp.eq.u32 %p, %w, 4; @%p bra ENDLESS; setp.eq.u32 %p, %w, 5; @%p bra BEFORE; setp.eq.u32 %p, %w, 6; @%p trap;\n"
    "atom.global.add.u32 %x, [count], 1; st.global.u32 [%a], %t; ret;\n"
    "PAST: st.global.u32 [%a+128], %t; ret;\nBEFORE: st.global.u32 [%o+-4], %t; ret;\n"
    "NULL: mov.u64 %a, 16; st.global.u32 [%a], %t; ret;\nODD: st.global.u32 [%a+1], %t; ret;\n"
    "ENDLESS: ld.volatile.global.u32 %x, [%o]; setp.ne.u32 %p, %x, 12345; @%p bra ENDLESS; ret;\n}\n";

static const struct {
    uint32_t what;
    enum device_status status;
    const char *text;
} launches[] = {
    {0, DEVICE_OK, ""},
    {1, DEVICE_SUBMISSION, "the kernel wrote past the end of buffer `out`"},
    {5, DEVICE_SUBMISSION, "the kernel wrote before the start of buffer `out`"},
    {2, DEVICE_SUBMISSION, "the kernel used an illegal address"},
    {3, DEVICE_SUBMISSION, "the kernel used a misaligned address"},
    {4, DEVICE_SUBMISSION, "the kernel does not end"},
    {6, DEVICE_SUBMISSION, "the kernel"},
};
START_TEST(a_launch_ends_as_it_should) {
    const struct device *gpu = device_find("cuda");
    struct device_module *m;
    struct device_session *s;
    struct device_error e = {""};
    const struct device_options options = {.seed = 0};
    uint64_t out, variable, bytes;
    uint32_t values[32], count = 0;
    ck_assert_msg(gpu->load(ptx, sizeof ptx - 1, "k.ptx", &m, &e) == DEVICE_OK, "%s", e.message);
    for (unsigned again = 0; again < 2; again++) { /* each session has its variables anew */
        ck_assert_msg(gpu->open(m, &options, &s, &e) == DEVICE_OK, "%s", e.message);
        ck_assert_msg(gpu->alloc(s, "out", sizeof values, 0, &out, &e) == DEVICE_OK, "%s", e.message);
        const struct device_launch l = {.kernel = "k",
                                        .grid = 1,
                                        .block = 32,
                                        .params = (const void *const[]){&out, &launches[_i].what},
                                        .param_count = 2};
        double nanoseconds = -1;
        const enum device_status status = gpu->launch(s, &l, &nanoseconds, &e);
        ck_assert_msg(status == launches[_i].status && strstr(e.message, launches[_i].text), "%u: %d, %s",
                      launches[_i].what, status, e.message);
        if (launches[_i].what) break;
        ck_assert(nanoseconds > 0 && nanoseconds < 1e9);
        ck_assert_int_eq(gpu->read(s, out, values, sizeof values, &e), DEVICE_OK);
        for (uint32_t k = 0; k < 32; k++) ck_assert_uint_eq(values[k], k);
        ck_assert_int_eq(gpu->variable(s, "count", &variable, &bytes, &e), DEVICE_OK);
        ck_assert_int_eq(gpu->read(s, variable, &count, 4, &e), DEVICE_OK);
        ck_assert(count == 37 && bytes == 4);
        ck_assert_int_eq(gpu->variable(s, "nothing", &variable, &bytes, &e), DEVICE_SUBMISSION);
        gpu->close(s);
    }
}
END_TEST
START_TEST(what_cannot_be_is_refused) {
    const struct device *gpu = device_find("cuda");
    struct device_module *m;
    struct device_session *s;
    struct device_error e = {""};
    const struct device_options options = {.seed = 0};
    static const char wrong[] = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() { nonsense; }\n";
    gpu->load(wrong, sizeof wrong - 1, "wrong.ptx", &m, &e);
    ck_assert_int_eq(gpu->open(m, &options, &s, &e), DEVICE_SUBMISSION);
    ck_assert_msg(strstr(e.message, "wrong.ptx: the driver does not take this PTX"), "%s", e.message);
    gpu->unload(m);
    static const char of_tomorrow[] = ".version 99.0\n.target sm_70\n.address_size 64\n";
    gpu->load(of_tomorrow, sizeof of_tomorrow - 1, "new.ptx", &m, &e);
    ck_assert_msg(gpu->open(m, &options, &s, &e) == DEVICE_SETUP, "%s", e.message);
    ck_assert_msg(strstr(e.message, "too old for this PTX"), "%s", e.message);
    gpu->unload(m);
    gpu->load(ptx, sizeof ptx - 1, "k.ptx", &m, &e);
    ck_assert_int_eq(gpu->open(m, &options, &s, &e), DEVICE_OK);
    uint64_t out;
    ck_assert_int_eq(gpu->alloc(s, "out", UINT64_C(1) << 46, 0, &out, &e), DEVICE_SETUP);
    ck_assert_msg(strstr(e.message, "no room for a buffer on the GPU"), "%s", e.message);
    struct device_launch l = {.kernel = "none", .grid = 1, .block = 32};
    ck_assert_int_eq(gpu->launch(s, &l, NULL, &e), DEVICE_SUBMISSION);
    ck_assert_str_eq(e.message, "no kernel `none`");
    uint32_t what = 0;
    l = (struct device_launch){.kernel = "k", .grid = 1, .block = 2048, .params = (const void *const[]){&out, &what}};
    ck_assert_int_eq(gpu->launch(s, &l, NULL, &e), DEVICE_SUBMISSION);
    ck_assert_msg(strstr(e.message, "kernel `k` cannot be launched"), "%s", e.message);
    gpu->close(s);
    gpu->unload(m);
}
END_TEST
START_TEST(no_gpu_is_said) {
    struct device_error e = {""};
    ck_assert_int_eq(device_find("cuda")->present(&e), DEVICE_ABSENT);
    ck_assert_msg(strstr(e.message, "NVIDIA driver"), "%s", e.message);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("gpu");
    TCase *tcase = tcase_create("gpu");
    tcase_set_timeout(tcase, 300);
    if (getenv("GPU") && atoi(getenv("GPU"))) {
        tcase_add_loop_test(tcase, a_launch_ends_as_it_should, 0, sizeof launches / sizeof *launches);
        tcase_add_test(tcase, what_cannot_be_is_refused);
    } else {
        printf("SKIP check_gpu: needs a GPU and GPU=1 (make test-gpu)\n");
        fflush(stdout);
        if (system("ldconfig -p 2>/dev/null | grep -q libcuda.so.1")) tcase_add_test(tcase, no_gpu_is_said);
    }
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
