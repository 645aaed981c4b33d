/* Runs a suite of Check as the main() of a test does. */
#ifndef TESTS_SUITE_H
#define TESTS_SUITE_H

#include <check.h>

/* Runs all tests of the suite, prints a summary (more or less of it with CK_VERBOSITY), and frees the suite. Returns
 * the number of tests that failed. */
static inline int suite_failures(Suite *suite) {
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed;
}

#endif
