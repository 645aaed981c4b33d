/* Runs a Check suite for the main() of a test program. */
#ifndef TESTS_SUITE_H
#define TESTS_SUITE_H

#include <check.h>

/* Runs all tests of the suite, prints a summary, and frees the suite. CK_VERBOSITY determines the length of the
 * summary. Returns the number of tests that failed. */
static inline int suite_failures(Suite *suite) {
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed;
}

#endif
