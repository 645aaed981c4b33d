/* Tests device cuda on a GPU: memory, variables, launches, and whether a failure is attributed to the submission or
 * to the setup. Each test opens the driver in a child process, because some tests corrupt the driver's state.
 * Without a GPU, the tests are skipped, and their names are printed. */
/* run: plain, gpu alone */
/* reads: nothing */
#include "device/device.h"
#include "tests/suite.h"
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
/* Launches kernel(out, what) once; out has `words` words. Copies the first 32 of them to `values`. */
static struct device_run launched(struct device_module *m, const char *kernel, uint64_t words, uint32_t block,
                                  uint32_t what, uint32_t *values, double *nanoseconds) {
    struct plan p = {0};
    plan_add_buffer(&p, (struct plan_buffer){.name = "out", .element = 4, .length = words});
    plan_add_launch(&p, 0, kernel, 1, block);
    plan_last(&p)->mode = nanoseconds ? PLAN_TIMED : PLAN_WAITS;
    plan_pass_address(&p, 0, 0), plan_pass_u32(&p, what);
    plan_add_read(&p, 0, 0, 32, PLAN_ARRAY);
    struct device_run r = {.plan = &p, .module = {m}, .outputs = values, .nanoseconds = nanoseconds};
    device_find("cuda")->run(&r, 1);
    plan_free(&p);
    return r;
}
START_TEST(launches_have_expected_status) {
    const struct device *gpu = device_find("cuda");
    struct device_module *m;
    struct device_error e = {""};
    uint32_t values[32], count = 0;
    uint64_t bytes = 0;
    ck_assert_msg(gpu->load(ptx, sizeof ptx - 1, "k.ptx", &m, &e) == DEVICE_OK, "%s", e.message);
    for (unsigned again = 0; again < 3; again++) { /* each run must start with the variables' initial values */
        double nanoseconds = -1;
        const struct device_run r = launched(m, "k", 32, 32, launches[_i].what, values, again ? &nanoseconds : NULL);
        ck_assert_msg(r.status == launches[_i].status && strstr(r.error.message, launches[_i].text), "%u: %d, %s",
                      launches[_i].what, r.status, r.error.message);
        if (launches[_i].what) break;
        ck_assert(!again || (nanoseconds > 0 && nanoseconds < 1e9 && r.times == 1));
        for (uint32_t k = 0; k < 32; k++) ck_assert_uint_eq(values[k], k);
        ck_assert_int_eq(gpu->variable(m, "count", &count, sizeof count, &bytes, &e), DEVICE_OK);
        ck_assert(count == 5 && bytes == 4);
        ck_assert_int_eq(gpu->variable(m, "nothing", &count, sizeof count, &bytes, &e), DEVICE_SUBMISSION);
    }
}
END_TEST
/* The launches of a run share the module's variables and memory, so the second launch reads the results of the
 * first. */
START_TEST(launches_of_a_run_follow_each_other) {
    static const char adds[] = ".version 7.0\n.target sm_70\n.address_size 64\n.global .align 4 .u32 count = 5;\n"
                               ".visible .entry k(.param .u64 out) { .reg .b32 %x, %y; .reg .b64 %o;\n"
                               "ld.param.u64 %o, [out]; atom.global.add.u32 %x, [count], 1;\n"
                               "atom.global.add.u32 %y, [%o], %x; ret; }\n";
    const struct device *gpu = device_find("cuda");
    struct device_module *m;
    struct device_error e = {""};
    uint32_t values[3] = {0};
    double nanoseconds[2] = {0};
    struct plan p = {0};
    ck_assert_msg(gpu->load(adds, sizeof adds - 1, "k.ptx", &m, &e) == DEVICE_OK, "%s", e.message);
    plan_add_buffer(&p, (struct plan_buffer){.name = "out", .element = 4, .length = 1, .fill = PLAN_REPEAT});
    for (unsigned k = 0; k < 3; k++) {
        plan_add_launch(&p, 0, "k", 1, 1);
        plan_last(&p)->mode = k ? PLAN_TIMED : PLAN_WAITS, plan_last(&p)->refill = k == 2;
        plan_pass_address(&p, 0, 0);
        if (k != 1) plan_add_read(&p, 0, 0, 1, PLAN_ONE_VALUE);
    }
    struct device_run r = {.plan = &p, .module = {m}, .outputs = values, .nanoseconds = nanoseconds};
    gpu->run(&r, 1);
    ck_assert_msg(r.status == DEVICE_OK, "%s", r.error.message);
    ck_assert(values[0] == 5 && values[1] == 7 && r.times == 1 && nanoseconds[0] > 0);
    plan_free(&p);
}
END_TEST
/* Runs a kernel whose blocks wait for each other: each increments `count` and waits until all have done so. Only a
 * cooperative launch of this kernel terminates. */
static struct device_run met(struct device_module *m, uint32_t blocks, uint32_t *count) {
    struct plan p = {0};
    plan_add_buffer(&p, (struct plan_buffer){.name = "count", .element = 4, .length = 1, .fill = PLAN_REPEAT});
    plan_add_launch(&p, 0, "meet", blocks, 32);
    plan_pass_address(&p, 0, 0), plan_pass_u32(&p, blocks);
    plan_add_read(&p, 0, 0, 1, PLAN_ONE_VALUE);
    struct device_run r = {.plan = &p, .module = {m}, .outputs = count, .options = {.cooperative = true}};
    device_find("cuda")->run(&r, 1);
    plan_free(&p);
    return r;
}
START_TEST(blocks_of_a_cooperative_launch_meet) {
    static const char meet[] =
        ".version 7.0\n.target sm_70\n.address_size 64\n"
        ".visible .entry meet(.param .u64 count, .param .u32 blocks) {\n"
        ".reg .pred %p; .reg .b32 %t, %x, %n; .reg .b64 %c;\n"
        "ld.param.u64 %c, [count]; ld.param.u32 %n, [blocks]; mov.u32 %t, %tid.x;\n"
        "setp.ne.u32 %p, %t, 0; @%p bra END; atom.global.add.u32 %x, [%c], 1;\n"
        "WAIT: ld.volatile.global.u32 %x, [%c]; setp.lt.u32 %p, %x, %n; @%p bra WAIT;\nEND: ret;\n}\n";
    const struct device *gpu = device_find("cuda");
    struct device_module *m;
    struct device_error e = {""};
    struct device_traits traits;
    uint32_t count = 0;
    ck_assert_msg(gpu->load(meet, sizeof meet - 1, "meet.ptx", &m, &e) == DEVICE_OK, "%s", e.message);
    ck_assert_msg(gpu->describe(&traits, &e) == DEVICE_OK, "%s", e.message);
    struct device_run r = met(m, 2 * traits.multiprocessors, &count);
    ck_assert_msg(r.status == DEVICE_OK, "%s", r.error.message);
    ck_assert_uint_eq(count, 2 * traits.multiprocessors);
    r = met(m, 1 << 20, &count);
    ck_assert_int_eq(r.status, DEVICE_SUBMISSION);
    ck_assert_msg(strstr(r.error.message, "the cooperative launch has 1048576 blocks of 32 threads, but at most"), "%s",
                  r.error.message);
    uint32_t most = 0, of_clusters = 0;
    ck_assert_msg(gpu->resident(m, &(struct device_shape){"meet", 32, 0, 0}, &most, &e) == DEVICE_OK, "%s", e.message);
    r = met(m, most, &count);
    ck_assert_msg(r.status == DEVICE_OK && count == most, "%s", r.error.message);
    ck_assert_int_eq(met(m, most + 1, &count).status, DEVICE_SUBMISSION);
    if (gpu->arch() >= 90) {
        ck_assert_msg(gpu->resident(m, &(struct device_shape){"meet", 32, 0, 8}, &of_clusters, &e) == DEVICE_OK, "%s",
                      e.message);
        ck_assert(of_clusters > 0 && of_clusters % 8 == 0 && of_clusters <= most);
    }
    gpu->unload(m);
}
END_TEST
START_TEST(impossible_requests_are_rejected) {
    const struct device *gpu = device_find("cuda");
    struct device_module *m;
    struct device_error e = {""};
    uint32_t values[32];
    static const char wrong[] = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() { nonsense; }\n";
    gpu->load(wrong, sizeof wrong - 1, "wrong.ptx", &m, &e);
    struct device_run r = launched(m, "k", 32, 32, 0, values, NULL);
    ck_assert(r.status == DEVICE_SUBMISSION && !r.begun);
    ck_assert_msg(strstr(r.error.message, "wrong.ptx: the driver rejects this PTX"), "%s", r.error.message);
    gpu->unload(m);
    static const char of_tomorrow[] = ".version 99.0\n.target sm_70\n.address_size 64\n";
    gpu->load(of_tomorrow, sizeof of_tomorrow - 1, "new.ptx", &m, &e);
    r = launched(m, "k", 32, 32, 0, values, NULL);
    ck_assert_msg(r.status == DEVICE_SETUP && strstr(r.error.message, "too old for this PTX"), "%s", r.error.message);
    gpu->unload(m);
    gpu->load(ptx, sizeof ptx - 1, "k.ptx", &m, &e);
    r = launched(m, "k", UINT64_C(1) << 44, 32, 0, values, NULL);
    ck_assert_int_eq(r.status, DEVICE_SETUP);
    ck_assert_msg(strstr(r.error.message, "not enough memory on the GPU for buffer `out` of 67108864 MiB"), "%s",
                  r.error.message);
    r = launched(m, "none", 32, 32, 0, values, NULL);
    ck_assert_int_eq(r.status, DEVICE_SUBMISSION);
    ck_assert_str_eq(r.error.message, "no kernel `none`");
    r = launched(m, "k", 32, 2048, 0, values, NULL);
    ck_assert_int_eq(r.status, DEVICE_SUBMISSION);
    ck_assert_msg(strstr(r.error.message, "kernel `k` cannot be launched"), "%s", r.error.message);
    gpu->unload(m);
}
END_TEST
START_TEST(missing_gpus_are_reported) {
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
        tcase_add_loop_test(tcase, launches_have_expected_status, 0, sizeof launches / sizeof *launches);
        tcase_add_test(tcase, launches_of_a_run_follow_each_other);
        tcase_add_test(tcase, blocks_of_a_cooperative_launch_meet);
        tcase_add_test(tcase, impossible_requests_are_rejected);
    } else {
        printf("SKIP check_gpu: needs a GPU and GPU=1 (make test-gpu)\n");
        fflush(stdout);
        if (system("ldconfig -p 2>/dev/null | grep -q libcuda.so.1")) tcase_add_test(tcase, missing_gpus_are_reported);
    }
    suite_add_tcase(suite, tcase);
    return suite_failures(suite) != 0;
}
