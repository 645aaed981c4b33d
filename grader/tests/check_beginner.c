/* What the kit says to beginners: each row of tests/beginner/ is a mistake as a person makes it, a change of the lab's
 * solution, with its cause (causes.def) and the points that may be left. The causes were written down before anyone
 * looked at what the kit says of them.
 *
 * BARS: `First:` names the cause in 97 % of the mistakes, and a line of the mistake; says nothing false; a fix that was
 * tried stands in 85 %; no verdict takes more than 5 s. */
/* run: plain, 30 s */
/* reads: labs solutions common grader/tests/beginner */
#include "base/clock.h"
#include "base/hash.h"
#include "tests/broken.h"
#include "tests/quick.h"
#include <check.h>
#include <regex.h>
#include <sys/mman.h>

enum cause {
#define CAUSE(id, first, second) CAUSE_##id,
#include "beginner/causes.def"
#undef CAUSE
};
static const struct {
    const char *name, *at_hint[2];
} causes[] = {
#define CAUSE(id, first, second) {#id, {first, second}},
#include "beginner/causes.def"
};
static const struct beginner {
    const char *lab, *name, *from, *to;
    enum cause cause;
    int low, high; /* points */
} beginners[] = {
#define BEGINNER(lab, name, from, to, cause, low, high) {#lab, name, from, to, CAUSE_##cause, low, high},
#include "beginner/lab0.def"
#include "beginner/lab1.def"
#include "beginner/lab10.def"
#include "beginner/lab2.def"
#include "beginner/lab3.def"
#include "beginner/lab4.def"
#include "beginner/lab5.def"
#include "beginner/lab6.def"
#include "beginner/lab7.def"
#include "beginner/lab8.def"
#include "beginner/lab9.def"
};
/* `make test` takes every eightieth row; `make test-beginner` all (EVERY=1). LAB=lab3 takes the rows of one lab,
 * ROW=text those whose name holds the text; SAY=1 prints what is said. */
enum { ROWS = sizeof beginners / sizeof *beginners, SAMPLE = 80 };
static unsigned every = SAMPLE;

static struct broken_units units;
static const struct compiler *compiler;
/* sum_i32, sum_f32, product_i32, min_i64: the identity is not 0, types are not those of a beginner; affine_u32, which
 * does not commute; argmin_i32, argmax_f64. */
static const uint32_t variants = 1u << 0 | 1u << 3 | 1u << 5 | 1u << 12 | 1u << SCALAR_VARIANTS |
                                 1u << (SCALAR_VARIANTS + 2) | 1u << (SCALAR_VARIANTS + 7);

static bool is_taken(unsigned row) { return broken_is_taken(row, every, beginners[row].lab, beginners[row].name); }
static char *row_text(unsigned row, const char *solution) {
    return broken_replaced(solution, beginners[row].from, beginners[row].to, false);
}
/* A lab's solution as it is (namespace m), and broken by row k (namespace mk). */
static bool load_lab(const struct lab *lab, struct broken_unit *u, char *why, size_t size) {
    char *solution = broken_solution(lab);
    static struct broken_text texts[ROWS + 1];
    unsigned count = 1;
    bool ok = true;
    texts[0] = (struct broken_text){"m", solution};
    for (unsigned k = 0; ok && k < ROWS; k++) {
        if (!is_taken(k) || strcmp(beginners[k].lab, lab->id) != 0) continue;
        snprintf(texts[count].space, sizeof texts[count].space, "m%u", k);
        ok = (texts[count].source = row_text(k, solution)) != NULL;
        if (ok) count++;
        if (!ok) snprintf(why, size, "%s, %s: nothing to break", lab->id, beginners[k].name);
    }
    ok = ok && broken_load(u, lab, variants, compiler, texts, count, why, size);
    for (unsigned k = 0; k < count; k++) free(texts[k].source);
    return ok;
}
static bool matches(const char *pattern, const char *text) {
    regex_t r;
    ck_assert_int_eq(regcomp(&r, pattern, REG_EXTENDED | REG_ICASE | REG_NOSUB), 0);
    const bool found = regexec(&r, text, 0, NULL, 0) == 0;
    regfree(&r);
    return found;
}

/* What all rows come to, of all processes. */
static struct tally {
    unsigned rows, named, fixed, line;
    double slowest;
} * tally;

START_TEST(a_mistake_is_judged) {
    const unsigned row = (unsigned)_i * every;
    if (!is_taken(row)) return;
    const struct beginner *b = &beginners[row];
    const struct broken_unit *u = broken_find(&units, b->lab);
    char space[16];
    snprintf(space, sizeof space, "m%u", row);
    char *solution = broken_solution(u->lab), *source = row_text(row, solution);
    const double start = clock_seconds();
    json_t *record = broken_grade(u, space, source, hash_text(HASH_START, b->name) >> 32);
    const double seconds = clock_seconds() - start;
    const int score = (int)json_integer_value(json_object_get(record, "score"));
    fix_tell(record, 2);
    const char *first = json_string_value(json_object_get(record, "advice"));
    if (getenv("SAY"))
        printf("%s, %s: %d points, %.1f s, %s (%s, %s)\n    First: %s\n", b->lab, b->name, score, seconds,
               causes[b->cause].name, matches(causes[b->cause].at_hint[1], first) ? "named" : "not named",
               json_object_get(record, "fix") ? "fixed" : "no fix", first);
    if (b->cause != CAUSE_ALSO_RIGHT) {
        __atomic_fetch_add(&tally->rows, 1, __ATOMIC_RELAXED);
        __atomic_fetch_add(&tally->named, matches(causes[b->cause].at_hint[1], first), __ATOMIC_RELAXED);
        __atomic_fetch_add(&tally->fixed, json_object_get(record, "fix") != NULL, __ATOMIC_RELAXED);
        if (seconds > tally->slowest) tally->slowest = seconds;
    }
    ck_assert_msg(score >= b->low && score <= b->high, "%s, %s: %d points, expected %d to %d; First: %s", b->lab,
                  b->name, score, b->low, b->high, first);
    json_decref(record);
    free(source), free(solution);
}
END_TEST

int main(void) {
    if (getenv("EVERY") && atoi(getenv("EVERY")) > 0) every = (unsigned)atoi(getenv("EVERY"));
    char why[2000] = "";
    compiler = compiler_find(quick_compiler(), why, sizeof why);
    if (!compiler) return printf("SKIP check_beginner: neither nvcc nor clang\n"), 0;
    for (unsigned k = 0; k < ROWS; k++) {
        if (!is_taken(k) || broken_find(&units, beginners[k].lab)) continue;
        if (!load_lab(lab_find(beginners[k].lab), &units.item[units.count++], why, sizeof why))
            return printf("%s\n", why), 1;
    }
    tally = mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    Suite *suite = suite_create("beginner");
    TCase *tcase = tcase_create("beginner");
    tcase_set_timeout(tcase, 300);
    tcase_add_loop_test(tcase, a_mistake_is_judged, 0, (ROWS + every - 1) / every);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    printf("beginner: %u mistakes; First: names the cause in %.1f %% (97), a proven fix in %.1f %% (85), slowest %.1f "
           "s (5)\n",
           tally->rows, 100.0 * tally->named / tally->rows, 100.0 * tally->fixed / tally->rows, tally->slowest);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    for (unsigned k = 0; k < units.count; k++) broken_free(&units.item[k]);
    return failed != 0;
}
