/* Tests students' mistakes, lab by lab. Each row changes a part of a solution and states the expected finding and
 * points. Rows with 100 points are correct variants.
 *
 * In a row with a STYLE, a part of the lab's file in tests/styles replaces the whole solution. This part is a correct
 * kernel in another style. If the row's name begins with "evasion", the kernel avoids the lab's technique in a way that
 * a check might miss. The predictions are those of the solution, so for these rows they count as correct.
 *
 * All rows of a lab are compiled together for a few variants, each row in its own namespace.
 *
 * The points of a mistake depend on the cases that the seed draws. With nvcc and nvrtc, they must be within SLACK of
 * the row's points. With clang, whose code fails in other ways, they must be at least 30, and at most 95 or the row's
 * points, whichever is more. POINTS=write writes the current points into the tables. */
/* run: plain, 9 s */
/* reads: labs solutions common grader/tests/styles docs/figures */
#include "tests/effort.h"
#include "tests/mistakes.h"
#include "tests/quick.h"
#include "tests/suite.h"
#include <check.h>

/* `make test` grades every 120th row, and half of these rows per commit. `make test-mistakes` (EVERY=1) grades all. */
enum { SAMPLE = 120, SEEDS = 4, SLACK = 3 };
static unsigned every = SAMPLE;
/* LAB=lab3 selects the rows of a lab, and ROW=fence the rows whose names contain "fence". */
static bool is_taken(unsigned row) {
    return broken_is_taken(row, every, mistakes[row].lab, mistakes[row].name) && in_turn(row / every, 2);
}
/* Returns whether to compile the row. Row 0 is always compiled, because other tests need a row whose first cases
 * fail. */
static bool is_loaded(unsigned row) { return row == 0 || is_taken(row); }
static const struct compiler *compiler;
static struct broken_units units;
/* Compiles a lab's solution (as namespace m) and the text of each row k (as namespace mk). */
static bool load_lab(const struct lab *lab, struct broken_unit *u, char *why, size_t size) {
    char *solution = broken_solution(lab);
    struct broken_text texts[MISTAKES + 1] = {{"m", solution}};
    unsigned count = 1;
    bool ok = true;
    for (unsigned k = 0; ok && k < MISTAKES; k++) {
        if (!is_loaded(k) || strcmp(mistakes[k].lab, lab->id)) continue;
        snprintf(texts[count].space, sizeof texts[count].space, "m%u", k);
        ok = (texts[count].source = text_of(&mistakes[k], solution)) != NULL;
        if (ok) count++;
        if (!ok) snprintf(why, size, "%s, %s: no text to replace", lab->id, mistakes[k].name);
    }
    ok = ok && broken_load(u, lab, variants, compiler, texts, count, why, size);
    for (unsigned k = 0; k < count; k++) free(texts[k].source);
    return ok;
}
static char *verdicts(json_t *tests) {
    json_t *t, *f;
    size_t k, n, size;
    char *text;
    FILE *out = open_memstream(&text, &size);
    json_array_foreach(tests, k, t) {
        fprintf(out, "%-12s %2d of %2d  %s\n", json_string_value(json_object_get(t, "id")),
                (int)json_integer_value(json_object_get(t, "points")),
                (int)json_integer_value(json_object_get(t, "max_points")),
                json_string_value(json_object_get(t, "message")));
        json_array_foreach(json_object_get(t, "findings"), n, f)
            fprintf(out, "    %s: %s\n", json_string_value(json_object_get(f, "kind")),
                    json_string_value(json_object_get(f, "message")));
    }
    fclose(out);
    return text;
}
static bool by_nvidia(void) { return strcmp(compiler_name(compiler), "clang") != 0; }
/* Returns the score. With `style`, all predictions count as correct. */
static int score_of(const json_t *record, bool style) {
    int score = (int)json_integer_value(json_object_get(record, "score"));
    size_t k;
    json_t *t;
    json_array_foreach(json_object_get(record, "tests"), k,
                       t) if (style && !strcmp(json_string_value(json_object_get(t, "id")), "predictions")) score +=
        (int)(json_integer_value(json_object_get(t, "max_points")) - json_integer_value(json_object_get(t, "points")));
    return score;
}
/* Returns whether the score is acceptable. With clang, a file in another style may lose the points for speed. */
static bool has_points(int score, int points, const json_t *record, bool style) {
    size_t k;
    json_t *t;
    int apart = points == 100 ? 0 : SLACK;
    if (by_nvidia()) return abs(score - points) <= apart;
    if (!style && points < 100)
        return score >= 30 && score <= (points > 95 ? points : 95); /* some findings are only warnings */
    json_array_foreach(json_object_get(record, "tests"), k,
                       t) if (!strcmp(json_string_value(json_object_get(t, "id")), "speed")) apart =
        (int)json_integer_value(json_object_get(t, "max_points"));
    return style ? abs(score - points) <= apart + SLACK : score == points;
}
static void expect_record(const char *lab, const char *name, json_t *record, int points, const char *kind,
                          const char *text, bool style) {
    json_t *t, *f;
    size_t k, n;
    bool found = !kind, said = !text;
    char *all = verdicts(json_object_get(record, "tests"));
    json_array_foreach(json_object_get(record, "tests"), k, t) {
        said |= text && strstr(json_string_value(json_object_get(t, "message")), text);
        json_array_foreach(json_object_get(t, "findings"), n, f) {
            found |= kind && !strcmp(json_string_value(json_object_get(f, "kind")), kind);
            ck_assert_msg(kind != NULL, "%s, %s: a finding\n%.3000s", lab, name, all);
        }
    }
    const int score = score_of(record, style);
    ck_assert_msg(has_points(score, points, record, style), "%s, %s: %d points, expected %d\n%.3000s", lab, name, score,
                  points, all);
    ck_assert_msg(found, "%s, %s: no finding %s\n%.3000s", lab, name, kind, all);
    ck_assert_msg(said, "%s, %s: no `%s` in\n%.3000s", lab, name, text, all);
    free(all);
    json_decref(record);
}
START_TEST(mistakes_have_expected_findings_and_points) {
    const unsigned row = broken_row(_i, every);
    const struct mistake *m = &mistakes[row];
    if (!is_taken(row)) return;
    char space[16];
    snprintf(space, sizeof space, "m%u", row);
    const struct broken_unit *u = broken_find(&units, m->lab);
    const unsigned seeds = strstr(m->name, "fence") ? SEEDS : 1; /* a missing fence must be found with every seed */
    for (unsigned k = 0; k < seeds; k++)
        expect_record(m->lab, m->name, broken_grade(u, space, NULL, seed_of(m) + k), m->points, m->kind, m->text,
                      !m->from);
}
END_TEST
START_TEST(rows_are_unique) {
    static struct broken_key keys[MISTAKES];
    char why[500] = "";
    for (unsigned k = 0; k < MISTAKES; k++) {
        char *solution = broken_solution(lab_find(mistakes[k].lab)), *text = text_of(&mistakes[k], solution);
        ck_assert_msg(text != NULL, "%s, %s: no text to replace", mistakes[k].lab, mistakes[k].name);
        keys[k] = (struct broken_key){mistakes[k].lab, mistakes[k].name, hash_text(HASH_START, text)};
        free(solution), free(text);
    }
    ck_assert_msg(broken_are_unique(keys, MISTAKES, why, sizeof why), "%s", why);
}
END_TEST
START_TEST(solutions_get_all_points) {
    const struct broken_unit *u = &units.item[_i];
    if (every > 1 && _i > 0) return; /* one lab is enough */
    expect_record(u->lab->id, "solution", broken_grade(u, "m", NULL, 3), 100, NULL, NULL, false);
}
END_TEST
/* The work limit of a check counts instructions instead of time. Every run must therefore skip the same cases,
 * regardless of the number of cores. */
START_TEST(checks_end_at_their_work_limit) {
    enum { WORK = 20000 };
    const struct broken_unit *u = broken_find(&units, mistakes[0].lab);
    json_t *first = broken_grade_within(u, "m", NULL, 3, WORK), *again = broken_grade_within(u, "m", NULL, 3, WORK);
    const char *said =
        json_string_value(json_object_get(json_array_get(json_object_get(first, "tests"), 0), "message"));
    ck_assert_msg(said && strstr(said, "more not run, because the earlier cases had already executed more than 20000 "
                                       "warp-instructions"),
                  "%s", said);
    ck_assert(json_equal(first, again));
    json_decref(first), json_decref(again);
}
END_TEST
/* After a wrong case, the work limit for the remaining cases is smaller. */
START_TEST(failed_checks_end_sooner) {
    enum { WORK = 40000 };
    json_t *record = broken_grade_within(broken_find(&units, mistakes[0].lab), "m0", NULL, 3, WORK);
    char *all = verdicts(json_object_get(record, "tests"));
    ck_assert_msg(strstr(all, "more not run, because the earlier cases had already executed more than "
                              "1250 "),
                  "%s: %s", mistakes[0].name, all);
    free(all);
    json_decref(record);
}
END_TEST

/* docs/figures/points.svg must show the points in the tables. `make figures` draws it. */
START_TEST(the_figure_shows_the_points) {
    enum { EACH = 5, BINS = 20 };
    int count[BINS] = {0};
    char wanted[200] = "Mistakes:";
    if (every > 1) return;
    for (unsigned k = 0; k < MISTAKES; k++)
        if (mistakes[k].from && mistakes[k].points < 100) count[mistakes[k].points / EACH]++;
    for (unsigned k = 0; k < BINS; k++) snprintf(wanted + strlen(wanted), 8, " %d", count[k]);
    char *figure = read_file("docs/figures/points.svg");
    ck_assert_msg(strstr(figure, wanted), "docs/figures/points.svg is out of date: run make figures");
    free(figure);
}
END_TEST

/* ---- POINTS=write --------------------------------------------------------------------------- */
/* Returns argument `wanted`, counted from 0, of the MISTAKE(...) that begins at `s`. */
static const char *argument_at(const char *s, unsigned wanted) {
    bool quoted = false;
    int depth = 0;
    for (; *s; s++) {
        if (quoted && *s == '\\' && s[1])
            s++;
        else if (*s == '"')
            quoted = !quoted;
        else if (!quoted && *s == '(' && !depth++ && !wanted)
            return s + 1;
        else if (!quoted && *s == ')')
            depth--;
        else if (!quoted && *s == ',' && depth == 1 && !--wanted)
            return s + 1 + strspn(s + 1, " \n");
    }
    return s;
}
/* Writes the current points into the rows of the table that begin with `macro`. Returns the number of rows. */
static unsigned write_table(const char *path, const char *macro, unsigned argument, unsigned first) {
    char *text = read_file(path), *out = NULL;
    size_t size;
    unsigned row = first;
    FILE *f = open_memstream(&out, &size);
    const char *from = text;
    for (const char *s = text; *s; s += strcspn(s, "\n"), s += *s == '\n') {
        if (strncmp(s, macro, strlen(macro))) continue;
        const struct mistake *m = &mistakes[row];
        const char *at = argument_at(s, argument);
        if (is_taken(row)) {
            char space[16];
            snprintf(space, sizeof space, "m%u", row);
            json_t *record = broken_grade(broken_find(&units, m->lab), space, NULL, seed_of(m));
            const int points = score_of(record, !m->from);
            if (abs(points - m->points) > (m->points == 100 || points == 100 ? 0 : 1)) {
                printf("%s, %s: %d, was %d\n", m->lab, m->name, points, m->points);
                fprintf(f, "%.*s%d", (int)(at - from), from, points);
                from = at + strspn(at, "0123456789");
            }
            json_decref(record);
        }
        row++;
    }
    fputs(from, f);
    fclose(f);
    write_file(path, out, size);
    free(out), free(text);
    return row - first;
}
static int write_points(void) {
    setvbuf(stdout, NULL, _IOLBF, 0); /* otherwise, child processes would print the parent's buffered output again */
    static const char *const tables[] = {"mistakes",        "mistakes_cases",  "mistakes_order",    "mistakes_launches",
                                         "mistakes_memory", "mistakes_values", "mistakes_clusters", "mistakes_tensor"};
    char path[100];
    unsigned row = 0;
    for (unsigned k = 0; k < sizeof tables / sizeof *tables; k++) {
        snprintf(path, sizeof path, "grader/tests/%s.def", tables[k]);
        row += write_table(path, "MISTAKE(", 4, row);
    }
    row += write_table("grader/tests/styles.def", "STYLE(", 3, row);
    if (row != MISTAKES) printf("found %u of %d rows\n", row, MISTAKES);
    return row != MISTAKES;
}

int main(void) {
    if (getenv("EVERY") && atoi(getenv("EVERY")) > 0) every = (unsigned)atoi(getenv("EVERY"));
    char why[2000] = "";
    const char *wanted = every > 1 ? quick_compiler() : getenv("CUDA");
    compiler = compiler_find(wanted && *wanted ? wanted : "auto", why, sizeof why);
    if (!compiler) return printf("SKIP check_mistakes: neither nvcc nor clang\n"), 0;
    for (unsigned k = 0; k < MISTAKES; k++) {
        if (!is_loaded(k) || broken_find(&units, mistakes[k].lab)) continue;
        const struct lab *lab = lab_find(mistakes[k].lab);
        if (!lab || !load_lab(lab, &units.item[units.count++], why, sizeof why)) return printf("%s\n", why), 1;
    }
    if (getenv("POINTS")) return write_points();
    Suite *suite = suite_create("mistakes");
    TCase *tcase = tcase_create("mistakes");
    tcase_set_timeout(tcase, 300);
    tcase_add_loop_test(tcase, mistakes_have_expected_findings_and_points, 0, broken_rows(MISTAKES, every));
    tcase_add_test(tcase, rows_are_unique);
    tcase_add_test(tcase, the_figure_shows_the_points);
    tcase_add_test(tcase, checks_end_at_their_work_limit);
    tcase_add_test(tcase, failed_checks_end_sooner);
    tcase_add_loop_test(tcase, solutions_get_all_points, 0, (int)units.count);
    suite_add_tcase(suite, tcase);
    const int failed = suite_failures(suite);
    for (unsigned k = 0; k < units.count; k++) broken_free(&units.item[k]);
    return failed != 0;
}
