/* Students' mistakes, lab by lab: each row changes one text of a solution and says what the grader must find and which
 * points are left. Rows with 100 points are other right ways; so are those of a STYLE, a part of the lab's file in
 * tests/styles that stands for the whole solution. What such a file would predict is its own affair: predictions.txt
 * is the solution's, so its predictions count as right.
 *
 * All rows of a lab are compiled in one run, each in a namespace of its own, for a few variants. */
/* run: plain, 15 s */
/* reads: labs solutions common grader/tests/styles */
#include "tests/files.h"
#include "base/hash.h"
#include "judge/judge.h"
#include "judge/process.h"
#include "tests/quick.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct mistake {
    const char *lab, *name;
    const char *from, *to; /* from NULL: the whole text is part `style` of tests/styles/LAB.cu */
    int points;
    const char *kind; /* a finding; NULL: none at all */
    const char *text; /* in the message of some check; NULL: any */
    unsigned style;
} mistakes[] = {
#define MISTAKE(lab, name, from, to, points, kind, text) {#lab, name, from, to, points, kind, text, 0},
#include "mistakes.def"
#include "mistakes_cases.def"
#include "mistakes_order.def"
#define STYLE(lab, number, name, points, text) {#lab, name, NULL, NULL, points, NULL, text, number},
#include "styles.def"
};
enum { MISTAKES = sizeof mistakes / sizeof *mistakes, MOST_TEXT = 1 << 18 };
/* `make test` takes a sample of the rows, every twentieth; `make test-mistakes` takes all (EVERY=1). */
enum { SAMPLE = 20, SEEDS = 4 };
static unsigned every = SAMPLE;
/* LAB=lab3 takes the rows of one lab. */
static bool is_taken(unsigned row) {
    const char *lab = getenv("LAB");
    return row % every == 0 && (!lab || !*lab || !strcmp(lab, mistakes[row].lab));
}
/* sum_f32: it rounds; min_f32: its identity is not 0; where a lab has them, affine_u32, affine_u16 and matrix_u16,
 * which do not commute, argmin_i32 and argmax_f64. */
static const uint32_t variants = 1u << 3 | 1u << 13 | 1u << SCALAR_VARIANTS | 1u << (SCALAR_VARIANTS + 2) |
                                 1u << (SCALAR_VARIANTS + 7) | VARIANTS_IN_ORDER;

/* `text` with every `from` replaced; nothing, if there is none. */
static char *replaced(const char *text, const char *from, const char *to) {
    char *out = calloc(1, MOST_TEXT), *end = out;
    unsigned changed = 0;
    for (const size_t n = strlen(from); out && *text;) {
        if (!strncmp(text, from, n))
            end += sprintf(end, "%s", to), text += n, changed++;
        else
            *end++ = *text++;
    }
    if (!changed) free(out), out = NULL;
    return out;
}

/* The text of a row, with a first line of its own; NULL: there is none. */
static char *text_of(const struct mistake *m, const char *solution) {
    char path[100], line[100], *out = NULL;
    if (m->from) return replaced(solution, m->from, m->to);
    snprintf(path, sizeof path, "grader/tests/styles/%s.cu", m->lab);
    snprintf(line, sizeof line, "#undef STYLE\n#define STYLE %u\n", m->style);
    char *text = read_file(path);
    if (text && (out = calloc(1, strlen(line) + strlen(text) + 1))) strcat(strcpy(out, line), text);
    free(text);
    return out;
}

/* A lab's solution as it is (namespace m), and broken by row k (namespace mk). */
static struct unit {
    const struct lab *lab;
    struct compiled text;
    struct device_module *module;
    char predictions[300];
} units[16];
static const struct compiler *compiler;

static bool write_unit(const struct lab *lab, const char *path, char *why, size_t size) {
    char source[300];
    snprintf(source, sizeof source, "solutions/%s_%s/reduce.cu", lab->id, lab->name);
    char *solution = read_file(source);
    FILE *f = fopen(path, "w");
    bool ok = f && solution;
    if (ok) fprintf(f, "namespace m {\n%s}\n", solution);
    for (unsigned k = 0; ok && k < MISTAKES; k++) {
        if (!is_taken(k) || strcmp(mistakes[k].lab, lab->id)) continue;
        char *broken = text_of(&mistakes[k], solution);
        ok = broken != NULL;
        if (!ok) snprintf(why, size, "%s, %s: nothing to break", lab->id, mistakes[k].name);
        if (ok) fprintf(f, "namespace m%u {\n%s}\n", k, broken);
        free(broken);
    }
    free(solution);
    return (!f || fclose(f) == 0) && ok;
}
static bool load_unit(const struct lab *lab, struct unit *u, char *why, size_t size) {
    char path[] = "/tmp/check-mistakes-XXXXXX";
    struct device_error e;
    const int fd = mkstemp(path);
    u->lab = lab;
    snprintf(u->predictions, sizeof u->predictions, "solutions/%s_%s/predictions.txt", lab->id, lab->name);
    if (fd < 0) return false;
    close(fd);
    bool ok = write_unit(lab, path, why, size);
    const char *cache = getenv("GRADE_CACHE");
    const struct compile_request r = {.source = path,
                                      .shown = "reduce.cu",
                                      .root = ".",
                                      .cache = cache ? cache : "build/cache",
                                      .variants = variants & lab->variants,
                                      .solution = true};
    if (ok) {
        u->text = compile(compiler, &r);
        ok = u->text.status == COMPILE_OK && u->text.count == 1;
        if (!ok) snprintf(why, size, "%s: %.1500s", lab->id, u->text.log ? u->text.log : "");
    }
    if (ok && device_find("sim")->load(u->text.ptx[0], u->text.length[0], "reduce.cu", &u->module, &e) != DEVICE_OK)
        ok = false, snprintf(why, size, "%s: %s", lab->id, e.message);
    unlink(path);
    return ok;
}
static struct program program_of(const struct unit *u, const char *space) {
    struct program p = {.text = u->text,
                        .device = device_find("sim"),
                        .symbol = calloc(u->lab->kernel_count * VARIANT_COUNT, sizeof(char *))};
    for (unsigned k = 0; k < VARIANT_COUNT; k++) p.module[k] = u->module;
    for (unsigned k = 0; p.symbol && k < u->lab->kernel_count; k++)
        for (unsigned v = 0; v < VARIANT_COUNT; v++) {
            char prefix[200];
            const char *name = u->lab->kernels[k].name, *variant = variant_name(variant_at(v));
            snprintf(prefix, sizeof prefix, ".entry _ZN%zu%s%zu%s%zu%sE", strlen(variant), variant, strlen(space),
                     space, strlen(name), name);
            const char *at = (variants & u->lab->variants) >> v & 1 ? strstr(u->text.ptx[0], prefix) : NULL;
            if (at) p.symbol[k * VARIANT_COUNT + v] = strndup(at + 7, strcspn(at + 7, "( \t\n"));
        }
    return p;
}
static void free_symbols(const struct unit *u, struct program *p) {
    for (unsigned k = 0; k < u->lab->kernel_count * VARIANT_COUNT; k++) free(p->symbol[k]);
    free(p->symbol);
}
/* The record of the lab's checks on what stands in a namespace. */
static json_t *grade(const struct unit *u, const char *space, uint64_t seed) {
    struct lab lab = *u->lab;
    lab.variants &= variants;
    const struct judge_options o = {.lab = &lab,
                                    .device = device_find("sim"),
                                    .compiler = compiler,
                                    .root = ".",
                                    .shown = "reduce.cu",
                                    .submission = "reduce.cu",
                                    .predictions = u->predictions,
                                    .replay_options = "",
                                    .solution = true,
                                    .seed = seed,
                                    .only_size = UINT32_MAX};
    struct judge j = {.options = &o, .lab = &lab, .student = program_of(u, space), .reference = program_of(u, "m")};
    json_t *record = json_object();
    judge_checks(&j, record);
    free_symbols(u, &j.student);
    free_symbols(u, &j.reference);
    return record;
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
/* A row's own seed, of its name, which rows before it do not change. */
static uint64_t seed_of(const struct mistake *m) { return hash_text(HASH_START, m->name) >> 32; }
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
        if (!lab || !load_unit(lab, &units[count++], why, sizeof why)) return printf("%s\n", why), 1;
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
    for (unsigned k = 0; k < count; k++) device_find("sim")->unload(units[k].module), compiled_free(&units[k].text);
    return failed != 0;
}
