/* Makes a suite from a table. Each row is a test case with a single test, which runs `count` times: usually once for
 * each row of another table. */
#ifndef TESTS_ROWS_H
#define TESTS_ROWS_H

#include "tests/suite.h"

#include <check.h>
#include <stddef.h>

#define ROWS(table) (int)(sizeof table / sizeof *table)
struct test_row {
    const char *name;
    const TTest *test;
    int count;
};
/* Runs the suite. Returns the exit status of the program. */
static int run_rows(const char *suite_name, const struct test_row *rows, size_t count) {
    Suite *suite = suite_create(suite_name);
    for (size_t k = 0; k < count; k++) {
        TCase *tcase = tcase_create(rows[k].name);
        tcase_add_loop_test(tcase, rows[k].test, 0, rows[k].count);
        suite_add_tcase(suite, tcase);
    }
    return suite_failures(suite) != 0;
}

#endif
