/* base/: what everything else is built on. One table for each header: what is given, what must come. */
#include "base/clock.h"
#include "base/hash.h"
#include "base/random.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- random: the authors' numbers ---------------------------------------------------------------------------------
 */
static const struct {
    uint64_t seed, numbers[3];
} random_rows[] = {
    {0, {0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f}},
    {1234567, {6457827717110365317u, 3203168211198807973u, 9817491932198370423u}},
};
START_TEST(random_numbers_are_splitmix64) {
    uint64_t state = random_rows[_i].seed;
    for (unsigned k = 0; k < 3; k++) ck_assert_uint_eq(random_next(&state), random_rows[_i].numbers[k]);
}
END_TEST

/* ---- clock --------------------------------------------------------------------------------------------------------
 */
START_TEST(the_clock_counts_seconds) {
    const double start = clock_seconds();
    for (double before = start, now; (now = clock_seconds()) < start + 0.002; before = now)
        ck_assert_double_ge(now, before);
    usleep(20000);
    ck_assert_double_ge(clock_seconds() - start, 0.022);
}
END_TEST

/* ---- hash: the authors' test vectors ------------------------------------------------------------------------------
 */
static const struct {
    const char *text;
    uint64_t hash;
} hash_rows[] = {
    {"", 0xcbf29ce484222325},
    {"a", 0xaf63dc4c8601ec8c},
    {"foobar", 0x85944171f73967e8},
    {"chongo was here!\n", 0x46810940eff5f915},
};
START_TEST(hashes_are_fnv_1a) {
    const char *text = hash_rows[_i].text;
    const size_t length = strlen(text), half = length / 2;
    ck_assert_uint_eq(hash_text(HASH_START, text), hash_rows[_i].hash);
    ck_assert_uint_eq(hash_bytes(HASH_START, text, length), hash_rows[_i].hash);
    ck_assert_uint_eq(hash_text(hash_bytes(HASH_START, text, half), text + half), hash_rows[_i].hash);
}
END_TEST

#define ROWS(table) (int)(sizeof(table) / sizeof *(table))
int main(void) {
    Suite *suite = suite_create("base");
    TCase *all = tcase_create("base");
    tcase_add_loop_test(all, random_numbers_are_splitmix64, 0, ROWS(random_rows));
    tcase_add_loop_test(all, hashes_are_fnv_1a, 0, ROWS(hash_rows));
    tcase_add_test(all, the_clock_counts_seconds);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
