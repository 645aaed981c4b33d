/* Determines how much work a test does. `make test` has two halves: one without sanitizers, and one with sanitizers,
 * which make programs 5 to 10 times slower. In the second half, it sets LIGHT=1. Tests then only sample the tables
 * that the first half covers completely. `make test-asan` covers complete tables with sanitizers.
 *
 * In both halves, `make test` tests only some rows of long tables. It sets TURN to the first digits of the commit,
 * which select the rows. A commit always tests the same rows, and other commits test others. Without TURN, or with
 * EVERY, all rows are tested, as in `make test-whole` or a test program started by hand. */
#ifndef TESTS_EFFORT_H
#define TESTS_EFFORT_H

#include <check.h>
#include <stdbool.h>
#include <stdlib.h>

static inline unsigned effort(unsigned whole, unsigned light) { return getenv("LIGHT") ? light : whole; }

/* Returns whether to test this row of a table. `make test` tests one in `parts` rows. */
static inline bool in_turn(unsigned row, unsigned parts) {
    const char *turn = getenv("TURN");
    return !turn || getenv("EVERY") || (row + strtoul(turn, NULL, 16)) % parts == 0;
}
/* Adds a loop test of the rows that in_turn() selects. */
static inline void add_rows(TCase *tcase, const TTest *test, size_t rows, unsigned parts) {
    for (unsigned k = 0; k < rows; k++)
        if (in_turn(k, parts)) tcase_add_loop_test(tcase, test, (int)k, (int)k + 1);
}

#endif
