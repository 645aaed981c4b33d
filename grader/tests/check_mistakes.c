/* Students' mistakes, lab by lab: each row changes one text of a solution and says what the grader must find and which
 * points are left. Rows with 100 points are other right ways; so are those of a STYLE, a part of the lab's file in
 * tests/styles that stands for the whole solution. What such a file would predict is its own affair: predictions.txt
 * is the solution's, so its predictions count as right.
 *
 * All rows of a lab are compiled in one run, each in a namespace of its own, for a few variants. */
/* run: plain, 15 s */
/* reads: labs solutions common grader/tests/styles */
#include "tests/mistakes.h"
#include "tests/quick.h"
#include <check.h>

/* `make test` takes a sample of the rows, every twentieth; `make test-mistakes` takes all (EVERY=1). */
enum { SAMPLE = 20, SEEDS = 4 };
static unsigned every = SAMPLE;
/* LAB=lab3 takes the rows of one lab. */
static bool is_taken(unsigned row) {
    const char *lab = getenv("LAB");
    return row % every == 0 && (!lab || !*lab || !strcmp(lab, mistakes[row].lab));
}
/* A lab's solution as it is (namespace m), and broken by row k (namespace mk). */
static struct unit units[16];
static bool load_lab(const struct lab *lab, struct unit *u, char *why, size_t size) {
    char *solution = solution_of(lab);
    struct text texts[MISTAKES + 1] = {{"m", solution}};
    unsigned count = 1;
    bool ok = true;
    for (unsigned k = 0; ok && k < MISTAKES; k++) {
        if (!is_taken(k) || strcmp(mistakes[k].lab, lab->id)) continue;
        snprintf(texts[count].space, sizeof texts[count].space, "m%u", k);
        ok = (texts[count].source = text_of(&mistakes[k], solution)) != NULL;
        if (ok) count++;
        if (!ok) snprintf(why, size, "%s, %s: nothing to break", lab->id, mistakes[k].name);
    }
    ok = ok && load_unit(lab, texts, count, u, why, size);
    for (unsigned k = 0; k < count; k++) free(texts[k].source);
    return ok;
}
/* A line for each check, and one for each finding. */
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
static void expect_record(const char *lab, const char *name, json_t *record, int points, const char *kind,
                          const char *text, bool style) {
    json_t *t, *f;
    /* Points of a style are those with nvcc: by another compiler's code it may take another time. */
    const bool timed = style && strcmp(compiler_name(compiler), "nvcc") != 0;
    int open = 0, apart = 0;
    size_t k, n;
    bool found = !kind, said = !text;
    char *all = verdicts(json_object_get(record, "tests"));
    json_array_foreach(json_object_get(record, "tests"), k, t) {
        if (style && !strcmp(json_string_value(json_object_get(t, "id")), "predictions"))
            open = (int)json_integer_value(json_object_get(t, "max_points")) -
                   (int)json_integer_value(json_object_get(t, "points"));
        if (timed && !strcmp(json_string_value(json_object_get(t, "id")), "speed"))
            apart = (int)json_integer_value(json_object_get(t, "max_points"));
        said |= text && strstr(json_string_value(json_object_get(t, "message")), text);
        json_array_foreach(json_object_get(t, "findings"), n, f) {
            found |= kind && !strcmp(json_string_value(json_object_get(f, "kind")), kind);
            ck_assert_msg(kind != NULL, "%s, %s: a finding\n%.3000s", lab, name, all);
        }
    }
    const int score = (int)json_integer_value(json_object_get(record, "score")) + open;
    ck_assert_msg(abs(score - points) <= apart, "%s, %s: %d points, expected %d\n%.3000s", lab, name, score, points,
                  all);
    ck_assert_msg(found, "%s, %s: no finding %s\n%.3000s", lab, name, kind, all);
    ck_assert_msg(said, "%s, %s: no `%s` in\n%.3000s", lab, name, text, all);
    free(all);
    json_decref(record);
}
static const struct unit *unit_of(const char *lab) {
    for (unsigned k = 0; k < 16 && units[k].lab; k++)
        if (!strcmp(units[k].lab->id, lab)) return &units[k];
    return NULL;
}
START_TEST(a_mistake_has_its_finding_and_points) {
    const unsigned row = (unsigned)_i * every;
    const struct mistake *m = &mistakes[row];
    if (!is_taken(row)) return;
    char space[16];
    snprintf(space, sizeof space, "m%u", row);
    const struct unit *u = unit_of(m->lab);
    const unsigned seeds = strstr(m->name, "fence") ? SEEDS : 1; /* a fence is missed under every seed */
    for (unsigned k = 0; k < seeds; k++)
        expect_record(m->lab, m->name, grade(u, space, seed_of(m) + k), m->points, m->kind, m->text, !m->from);
}
END_TEST
START_TEST(a_solution_has_all) {
    const struct unit *u = &units[_i];
    if (every > 1 && _i > 0) return; /* that of the first lab stands for all */
    expect_record(u->lab->id, "solution", grade(u, "m", 3), 100, NULL, NULL, false);
}
END_TEST

int main(void) {
    if (getenv("EVERY") && atoi(getenv("EVERY")) > 0) every = (unsigned)atoi(getenv("EVERY"));
    char why[2000] = "";
    unsigned count = 0;
    const char *wanted = every > 1 ? quick_compiler() : getenv("CUDA");
    compiler = compiler_find(wanted && *wanted ? wanted : "auto", why, sizeof why);
    if (!compiler) return printf("SKIP check_mistakes: neither nvcc nor clang\n"), 0;
    for (unsigned k = 0; k < MISTAKES; k++) {
        if (!is_taken(k) || unit_of(mistakes[k].lab)) continue;
        const struct lab *lab = lab_find(mistakes[k].lab);
        if (!lab || !load_lab(lab, &units[count++], why, sizeof why)) return printf("%s\n", why), 1;
    }
    Suite *suite = suite_create("mistakes");
    TCase *tcase = tcase_create("mistakes");
    tcase_set_timeout(tcase, 300);
    tcase_add_loop_test(tcase, a_mistake_has_its_finding_and_points, 0, (MISTAKES + every - 1) / every);
    tcase_add_loop_test(tcase, a_solution_has_all, 0, (int)count);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    for (unsigned k = 0; k < count; k++) free_unit(&units[k]);
    return failed != 0;
}
