/* Runs the instruction tests for warps and blocks in the page's simulator. To run the other instruction tests there,
 * use LIVE=1 CK_FORK=no build/check_ops_lanes (or _convert, _memory). */
/* run: plain, 2 s */
/* reads: grader/live grader/tests/web */
#include "tests/ops/programs.h"

#define PROGRAM(name, module, body, expression)                                                                        \
    static uint64_t expected_##name(uint32_t t) { return (void)t, (uint32_t)(expression); }
#include "tests/ops/warps.def"
static const struct program programs[] = {
#define PROGRAM(name, module, body, expression) {#name, module, body, expected_##name},
#include "tests/ops/warps.def"
};
START_TEST(program_is_right) {
    static struct text t;
    uint64_t in[PROGRAM_THREADS], out[PROGRAM_THREADS];
    for (unsigned n = 0; n < sizeof programs / sizeof *programs; n++) {
        const struct program *p = &programs[n];
        for (unsigned k = 0; k < PROGRAM_THREADS; k++) in[k] = 1000 + k;
        memset(out, 0x5a, sizeof out);
        program_text(&t, p);
        char *why = live_asks_launch(t.data, 1, PROGRAM_THREADS, 4096, in, sizeof in, out, sizeof out);
        ck_assert_msg(!*why, "%s: %s", p->name, why);
        for (uint32_t k = 0; k < PROGRAM_THREADS; k++)
            ck_assert_msg(out[k] == p->expected(k), "%s, thread %u: got %llx, expected %llx", p->name, k,
                          (unsigned long long)out[k], (unsigned long long)p->expected(k));
        free(why);
    }
}
END_TEST
/* The page rejects a kernel that uses an unsupported rounding mode. The message names the instruction with its mode. */
START_TEST(unsupported_rounding_is_rejected) {
    static const struct program p = {"rounded", "", ".reg .f32 %f; mov.f32 %f, 0f3f800001; add.rz.f32 %f, %f, %f;",
                                     NULL};
    static struct text t;
    uint64_t none[PROGRAM_THREADS] = {0};
    program_text(&t, &p);
    char *why = live_asks_launch(t.data, 1, PROGRAM_THREADS, 0, none, sizeof none, none, sizeof none);
    ck_assert_msg(strstr(why, "add.rz.f32") && strstr(why, "supports only rounding to nearest"), "%s", why);
    free(why);
}
END_TEST

int main(void) {
    if (!live_start()) {
        puts("SKIP check_live_ops: node not found (Debian: nodejs)");
        return 0;
    }
    TCase *t = tcase_create("page");
    tcase_add_test(t, program_is_right);
    tcase_add_test(t, unsupported_rounding_is_rejected);
    const int failed = run_suite("live_ops", t);
    live_stop();
    return failed;
}
