/* Tests jobs that run ahead of time. They must return the same results as if they ran alone, in whatever order the
 * results are requested. A job that is killed returns nothing. */
/* run: sanitized */
/* reads: nothing */
#include "ahead.h"
#include "tests/suite.h"
#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { JOBS = 9, AT_ONCE = 3 };
static struct shared { int now, most, begun; } * shared;

static void wait_a_little(void) { nanosleep(&(struct timespec){0, 3000000}, NULL); }
static json_t *job(void *context, unsigned k) {
    const int now = __atomic_add_fetch(&shared->now, 1, __ATOMIC_SEQ_CST);
    int most = shared->most;
    while (now > most &&
           !__atomic_compare_exchange_n(&shared->most, &most, now, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        continue;
    wait_a_little();
    __atomic_sub_fetch(&shared->now, 1, __ATOMIC_SEQ_CST);
    __atomic_add_fetch(&shared->begun, 1, __ATOMIC_SEQ_CST);
    if (k == 2) kill(getpid(), SIGKILL);
    if (k == 4) exit(0);
    if (k == 5) return NULL;
    if (k == 7 && context) pause();
    return json_pack("{s:i, s:f, s:s%}", "k", k, "share", k / 3.0, "text", "a\0b", (size_t)3);
}
static void setup(void) {
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    *shared = (struct shared){0};
}
static void teardown(void) { munmap(shared, sizeof *shared); }

/* Requests the results in ascending order (_i = 0) or in descending order (_i = 1). */
START_TEST(jobs_return_results_in_any_order) {
    struct ahead *a = ahead_start(job, NULL, JOBS, AT_ONCE);
    ck_assert_ptr_nonnull(a);
    for (unsigned n = 0; n < JOBS; n++) {
        const unsigned k = _i ? JOBS - 1 - n : n;
        json_t *left = ahead_take(a, k), *alone = k == 2 || k == 4 || k == 5 ? NULL : job(NULL, k);
        ck_assert_msg(json_equal(left, alone) || (!left && !alone), "job %u", k);
        json_decref(left), json_decref(alone);
        ck_assert_ptr_null(ahead_take(a, k));
    }
    ahead_end(a);
    ck_assert_int_le(shared->most, AT_ONCE + 1); /* one additional job may run in this process */
}
END_TEST
START_TEST(jobs_may_be_abandoned) {
    struct ahead *a = ahead_start(job, "waits", JOBS, JOBS);
    while (__atomic_load_n(&shared->begun, __ATOMIC_SEQ_CST) < JOBS) wait_a_little();
    json_decref(ahead_take(a, 0));
    ahead_end(a); /* job 7 would wait forever without this call */
    ck_assert_ptr_null(ahead_start(job, NULL, JOBS, 0));
    ahead_end(NULL);
}
END_TEST

int main(void) {
    Suite *s = suite_create("ahead");
    TCase *c = tcase_create("jobs");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_loop_test(c, jobs_return_results_in_any_order, 0, 2);
    tcase_add_test(c, jobs_may_be_abandoned);
    suite_add_tcase(s, c);
    return suite_failures(s) != 0;
}
