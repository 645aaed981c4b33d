/* Tests the kit's advice to beginners. Each row of tests/beginner/ is a mistake that a person might make: a change
 * to the lab's solution or to a correct kernel in another style, its cause (causes.def), and the range of points.
 * The causes were written down before anyone looked at the kit's output.
 *
 * The advice's line `First:` must name the cause of 97% of the graded mistakes. Of the mistakes that a single edit
 * can fix, 85% must get a verified fix; unfixable.def lists the others. With EVERY=1, both percentages apply to each
 * lab.
 *
 * If a fix corrects all cases, it must name a true cause of the row, within 3 lines of the change; also_true.def
 * lists exceptions. Otherwise, the advice must not name a cause. For some rows, the test applies the fix to the file
 * and grades the result. */
/* run: plain, 17 s */
/* reads: labs solutions common grader/tests/beginner */
#include "base/hash.h"
#include "fix/edits.h"
#include "tests/broken.h"
#include "tests/effort.h"
#include "tests/quick.h"
#include "tests/suite.h"
#include <check.h>
#include <regex.h>
#include <sys/mman.h>

enum cause {
#define CAUSE(id, said, truths) CAUSE_##id,
#include "beginner/causes.def"
#undef CAUSE
};
static const struct {
    const char *name, *said, *truths;
} causes[] = {
#define CAUSE(id, said, truths) {#id, said, "^(" truths ")$"},
#include "beginner/causes.def"
};
static const struct beginner {
    const char *folder; /* the row changes beginner/FOLDER/LAB.cu, a correct kernel in another style, or the solution if
                           `folder` is "" */
    const char *lab, *name, *from, *to;
    enum cause cause;
    int low, high; /* points */
} beginners[] = {
#define BEGINNER(lab, name, from, to, cause, low, high) {"", #lab, name, from, to, CAUSE_##cause, low, high},
#define WRITTEN(lab, name, from, to, cause, low, high) {"written", #lab, name, from, to, CAUSE_##cause, low, high},
#define HELPERS(lab, name, from, to, cause, low, high) {"helpers", #lab, name, from, to, CAUSE_##cause, low, high},
#define SIGNED(lab, name, from, to, cause, low, high) {"signed", #lab, name, from, to, CAUSE_##cause, low, high},
#define COURSE(lab, name, from, to, cause, low, high) {"course", #lab, name, from, to, CAUSE_##cause, low, high},
#define SAMPLE_STYLE(lab, name, from, to, cause, low, high) {"sample", #lab, name, from, to, CAUSE_##cause, low, high},
#define VOICES(lab, name, from, to, cause, low, high) {"voices", #lab, name, from, to, CAUSE_##cause, low, high},
#define WHILES(lab, name, from, to, cause, low, high) {"whiles", #lab, name, from, to, CAUSE_##cause, low, high},
#define MEMBERS(lab, name, from, to, cause, low, high) {"members", #lab, name, from, to, CAUSE_##cause, low, high},
#define PLAIN(lab, name, from, to, cause, low, high) {"plain", #lab, name, from, to, CAUSE_##cause, low, high},
#include "beginner/lab0.def"
#include "beginner/lab1.def"
#include "beginner/lab10.def"
#include "beginner/lab11.def"
#include "beginner/lab12.def"
#include "beginner/lab2.def"
#include "beginner/lab3.def"
#include "beginner/lab4.def"
#include "beginner/lab5.def"
#include "beginner/lab6.def"
#include "beginner/lab7.def"
#include "beginner/lab8.def"
#include "beginner/lab9.def"
#include "beginner/styles.def"
#include "beginner/written.def"
#include "beginner/helpers.def"
#include "beginner/signed.def"
#include "beginner/course.def"
#include "beginner/voices.def"
#include "beginner/whiles.def"
#include "beginner/plain.def"
#include "beginner/careless.def"
#include "beginner/rest.def"
#include "beginner/blind.def"
#include "beginner/habits.def"
#include "beginner/members.def"
};
/* `make test` grades every 520th row, and a third of these rows per commit. `make test-beginner` (EVERY=1) grades
 * all. LAB=lab3 selects the rows of a lab, and ROW=text the rows whose names contain the text. SAY=1 prints the
 * advice. */
enum { ROWS = sizeof beginners / sizeof *beginners, SAMPLE = 520, APPLIED = 260 };
static unsigned every = SAMPLE;

static struct broken_units units;
static const struct compiler *compiler;
/* The variants to grade: sum_i32 and sum_f32; product_i32, whose identity is not 0; min_i64, a type that beginners
 * seldom use; affine_u32, which does not commute; argmin_i32 and argmax_f64; and affine_u16, for kernels that support
 * only scalars. */
static const uint32_t variants = 1u << 0 | 1u << 3 | 1u << 5 | 1u << 12 | 1u << SCALAR_VARIANTS |
                                 1u << (SCALAR_VARIANTS + 2) | 1u << (SCALAR_VARIANTS + 7) |
                                 1u << (SCALAR_VARIANTS + 8);

static bool is_taken(unsigned row) {
    return broken_is_taken(row, every, beginners[row].lab, beginners[row].name) && in_turn(row / every, 3);
}
/* Returns the correct text that the row changes; free() it. */
static char *right_text(const struct beginner *b) {
    char path[300];
    snprintf(path, sizeof path, "grader/tests/beginner/%s/%s.cu", b->folder, b->lab);
    return *b->folder ? read_file(path) : broken_solution(lab_find(b->lab));
}
static char *row_text(const struct beginner *b, const char *right) {
    return broken_replaced(right, b->from, b->to, false);
}
/* Compiles a lab's solution (as namespace m) and, for each row k, the changed text (as namespace mk). */
static bool load_lab(const struct lab *lab, struct broken_unit *u, char *why, size_t size) {
    char *solution = broken_solution(lab);
    static struct broken_text texts[ROWS + 1];
    unsigned count = 1;
    bool ok = true;
    texts[0] = (struct broken_text){"m", solution};
    for (unsigned k = 0; ok && k < ROWS; k++) {
        if (!is_taken(k) || strcmp(beginners[k].lab, lab->id) != 0) continue;
        snprintf(texts[count].space, sizeof texts[count].space, "m%u", k);
        char *right = right_text(&beginners[k]);
        ok = (texts[count].source = row_text(&beginners[k], right)) != NULL;
        free(right);
        if (ok) count++;
        if (!ok) snprintf(why, size, "%s, %s: no text to replace", lab->id, beginners[k].name);
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

static const struct {
    const char *lab, *name;
} unfixables[] = {
#define UNFIXABLE(lab, name, reason) {#lab, name},
#include "beginner/unfixable.def"
};
static bool is_unfixable(const struct beginner *b) {
    for (unsigned k = 0; k < sizeof unfixables / sizeof *unfixables; k++)
        if (!strcmp(unfixables[k].lab, b->lab) && !strcmp(unfixables[k].name, b->name)) return true;
    return false;
}

/* Totals per lab, in memory that the test processes share. */
enum { NAMED = 97, FIXED = 85 /* percent */ };
static struct tally {
    unsigned rows, named, fixable, fixed, untrue;
    double slowest; /* seconds of processor time */
    const char *slowest_row;
} * tally;
static void add(struct tally *t, const struct tally *more) {
    t->rows += more->rows, t->named += more->named, t->fixable += more->fixable, t->fixed += more->fixed;
    t->untrue += more->untrue;
    if (more->slowest > t->slowest) t->slowest = more->slowest, t->slowest_row = more->slowest_row;
}
static bool holds(const char *whose, const struct tally *t) {
    const bool holds = 100 * t->named >= NAMED * t->rows && 100 * t->fixed >= FIXED * t->fixable;
    printf("%-5s %3u mistakes: First: names the cause of %u and is false for %u; verified fixes for %u of %u; slowest "
           "%.1f s (%s)%s\n",
           whose, t->rows, t->named, t->untrue, t->fixed, t->fixable, t->slowest,
           t->slowest_row ? t->slowest_row : "none", holds ? "" : "  BELOW THE BARS");
    return holds;
}
static bool bars_hold(void) {
    struct tally all = {0};
    bool hold = true;
    for (unsigned k = 0; k < units.count; k++) {
        add(&all, &tally[k]);
        if (every == 1) hold &= holds(units.item[k].lab->id, &tally[k]);
    }
    hold &= holds("all", &all);
    if (!hold) printf("required: the cause named for %d%%, a verified fix for %d%%\n", NAMED, FIXED);
    return hold;
}

/* ---- true statements ------------------------------------------------------------------------------------------ */
enum { NEAR = 3 /* lines */ };
static unsigned line_of(const char *text, size_t at) {
    unsigned line = 1;
    for (size_t k = 0; k < at; k++) line += text[k] == '\n';
    return line;
}
/* Returns whether the row changes this line or a nearby line. */
static bool is_near(const struct beginner *b, const char *right, const char *source, unsigned line) {
    const size_t at = (size_t)(strstr(right, b->from) - right), from = strlen(b->from), to = strlen(b->to);
    size_t alike = 0, end = 0;
    while (b->from[alike] && b->from[alike] == b->to[alike]) alike++;
    while (end < from - alike && end < to - alike && b->from[from - 1 - end] == b->to[to - 1 - end]) end++;
    return line + NEAR >= line_of(source, at + alike) && line <= line_of(source, at + to - end) + NEAR;
}
static const struct {
    const char *lab, *name, *quoted;
} also_true[] = {
#define ALSO_TRUE(lab, name, quoted, reason) {#lab, name, quoted},
#include "beginner/also_true.def"
};
static bool is_also_true(const struct beginner *b, const char *first) {
    for (unsigned k = 0; k < sizeof also_true / sizeof *also_true; k++)
        if (!strcmp(also_true[k].lab, b->lab) && !strcmp(also_true[k].name, b->name) &&
            strstr(first, also_true[k].quoted))
            return true;
    return false;
}
/* Returns whether the first line of the advice is false for this row. If so, copies the reason to `why`. */
static bool is_false(const struct beginner *b, const json_t *record, const char *right, const char *source, char *why,
                     size_t size) {
    const json_t *fix = json_object_get(record, "fix");
    const char *first = json_string_value(json_object_get(record, "advice")),
               *cause = json_string_value(json_object_get(fix, "cause"));
    const json_int_t line = json_integer_value(json_object_get(fix, "line"));
    const bool whole = fix && !json_integer_value(json_object_get(fix, "left"));
    for (unsigned k = 0; !whole && k < FIX_CAUSES; k++)
        if (strstr(first, fix_causes[k].idea))
            return snprintf(why, size, "the advice names a cause without a tested fix"), true;
    if (!whole) return false;
    if (is_also_true(b, first)) return false;
    if (!matches(causes[b->cause].truths, cause))
        return snprintf(why, size, "the advice names %s for %s", cause, causes[b->cause].name), true;
    return snprintf(why, size, "line %d is far from the mistake", (int)line),
           !is_near(b, right, source, (unsigned)line);
}

/* ---- fixes ----------------------------------------------------------------------------------------- */
/* Applies lines [from, to) of the diff as close to `line` as possible. Returns the new source, or "" if the lines do
 * not apply; free() it. */
static char *with_hunk(const char *source, const json_t *diff, size_t from, size_t to, unsigned line) {
    char *before, *behind, *out;
    size_t n[3];
    FILE *f[2] = {open_memstream(&before, &n[0]), open_memstream(&behind, &n[1])};
    for (size_t k = from; k < to; k++) {
        const char *text = json_string_value(json_array_get(diff, k));
        fprintf(f[*text == '+'], "%s\n", text + 1);
    }
    fclose(f[0]), fclose(f[1]);
    const char *best = NULL;
    unsigned distance = UINT32_MAX;
    for (const char *at = source; *at && (at = strstr(at, before)); at++) {
        const unsigned here = line_of(source, (size_t)(at - source)), far = here > line ? here - line : line - here;
        if ((at == source || at[-1] == '\n') && far < distance) best = at, distance = far;
    }
    FILE *all = open_memstream(&out, &n[2]);
    if (best) fprintf(all, "%.*s%s%s", (int)(best - source), source, behind, best + n[0]);
    fclose(all);
    free(before), free(behind);
    return out;
}
/* Applies the diff, whose first change is near `line`. Returns the new source; free() it. */
static char *with_diff(const char *source, const json_t *diff, unsigned line) {
    char *out = strdup(source);
    const size_t lines = json_array_size(diff);
    for (size_t from = 0, to; from < lines; from = to + 1) {
        for (to = from; to < lines && *json_string_value(json_array_get(diff, to)) != '@';) to++;
        char *now = with_hunk(out, diff, from, to, line);
        free(out), out = now;
        if (to < lines) sscanf(json_string_value(json_array_get(diff, to)), "@@ line %u", &line);
    }
    return out;
}
static bool has_finding(const json_t *record, const json_t *wanted) {
    json_t *t, *f;
    size_t k, n;
    json_array_foreach(json_object_get(record, "tests"), k, t)
        json_array_foreach(json_object_get(t, "findings"), n,
                           f) if (json_equal(json_object_get(f, "kind"), json_object_get(wanted, "kind")) &&
                                  json_equal(json_object_get(json_object_get(f, "at"), "line"),
                                             json_object_get(wanted, "line"))) return true;
    return false;
}
/* Returns whether the record `now` still has the first finding of the record `before`. */
static bool has_warning_of(const json_t *now, const json_t *before) {
    const json_t *t, *f = NULL;
    size_t k;
    json_array_foreach(json_object_get(before, "tests"), k, t) if (!f) f =
        json_array_get(json_object_get(t, "findings"), 0);
    json_t *wanted = json_pack("{s:O, s:O}", "kind", json_object_get(f, "kind"), "line",
                               json_object_get(json_object_get(f, "at"), "line"));
    const bool has = wanted && has_finding(now, wanted);
    json_decref(wanted);
    return has;
}
static unsigned wrong_cases(const json_t *record) {
    unsigned wrong = 0;
    json_t *t, *c;
    size_t k, n;
    json_array_foreach(json_object_get(record, "tests"), k, t) json_array_foreach(json_object_get(t, "classes"), n, c)
        wrong += (unsigned)json_integer_value(json_object_get(c, "wrong"));
    return wrong;
}
/* Grades the fixed file. All findings that the fix claims to remove must be gone. At least half of the wrong cases
 * must be correct. */
static void assert_it_fixes(const struct beginner *b, const struct lab *lab, const json_t *record, const json_t *fix,
                            const char *source) {
    char why[2000] = "", *solution = broken_solution(lab);
    struct broken_unit u;
    json_t *gone;
    size_t k;
    char *fixed =
        with_diff(source, json_object_get(fix, "diff"), (unsigned)json_integer_value(json_object_get(fix, "at")));
    ck_assert_msg(*fixed, "%s, %s: the diff does not apply to the file", b->lab, b->name);
    const struct broken_text texts[] = {{"m", solution}, {"fixed", fixed}};
    ck_assert_msg(broken_load(&u, lab, variants, compiler, texts, 2, why, sizeof why), "%s, %s: %s", b->lab, b->name,
                  why);
    json_t *now = broken_grade(&u, "fixed", NULL, hash_text(HASH_START, b->name) >> 32);
    json_array_foreach(json_object_get(fix, "findings"), k, gone)
        ck_assert_msg(!has_finding(now, gone), "%s, %s: the fix leaves %s", b->lab, b->name,
                      json_string_value(json_object_get(gone, "kind")));
    const unsigned before = wrong_cases(record), left = wrong_cases(now);
    const json_int_t points = json_integer_value(json_object_get(record, "score")),
                     more = json_integer_value(json_object_get(now, "score"));
    const bool helps = before ? 2 * left <= before && more > points : !left && more >= points;
    ck_assert_msg(helps, "%s, %s: with the fix, %u of %u wrong cases remain; %d points, %d without the fix", b->lab,
                  b->name, left, before, (int)more, (int)points);
    if (!before) /* no result was wrong before */
        ck_assert_msg(!has_warning_of(now, record), "%s, %s: the fix does not remove the finding", b->lab, b->name);
    json_decref(now), free(fixed), free(solution);
    broken_free(&u);
}

START_TEST(rows_are_unique) {
    static struct broken_key keys[ROWS];
    char why[500] = "";
    for (unsigned k = 0; k < ROWS; k++) {
        char *right = right_text(&beginners[k]), *text = row_text(&beginners[k], right);
        ck_assert_msg(text != NULL, "%s, %s: no text to replace", beginners[k].lab, beginners[k].name);
        keys[k] = (struct broken_key){beginners[k].lab, beginners[k].name, hash_text(HASH_START, text)};
        free(right), free(text);
    }
    ck_assert_msg(broken_are_unique(keys, ROWS, why, sizeof why), "%s", why);
}
END_TEST
START_TEST(unfixable_rows_exist) {
    bool known = false;
    for (unsigned k = 0; k < ROWS; k++)
        known |= !strcmp(beginners[k].lab, unfixables[_i].lab) && !strcmp(beginners[k].name, unfixables[_i].name);
    ck_assert_msg(known, "%s, %s: no such row", unfixables[_i].lab, unfixables[_i].name);
}
END_TEST
START_TEST(mistakes_are_graded) {
    const unsigned row = broken_row(_i, every);
    if (!is_taken(row)) return;
    const struct beginner *b = &beginners[row];
    const struct broken_unit *u = broken_find(&units, b->lab);
    char space[16];
    snprintf(space, sizeof space, "m%u", row);
    char *right = right_text(b), *source = row_text(b, right);
    const double start = broken_processor_seconds();
    json_t *record = broken_grade(u, space, source, hash_text(HASH_START, b->name) >> 32);
    const double seconds = broken_processor_seconds() - start, search = broken_search_seconds;
    const int score = (int)json_integer_value(json_object_get(record, "score"));
    json_t *fix = json_deep_copy(json_object_get(record, "fix"));
    fix_advise(record, 2);
    const char *first = json_string_value(json_object_get(record, "advice"));
    char why[200] = "";
    const bool untrue = is_false(b, record, right, source, why, sizeof why);
    if (getenv("SAY")) {
        json_t *line;
        size_t k;
        printf("%s, %s: %d points, %.1f s, of which the fix %.1f s, %s (%s, %s%s%s)\n    First: %s\n", b->lab, b->name,
               score, seconds, search, causes[b->cause].name,
               matches(causes[b->cause].said, first) ? "named" : "not named", fix ? "fixed" : "no fix",
               untrue ? ", FALSE: " : "", untrue ? why : "", first);
        json_array_foreach(json_object_get(fix, "diff"), k, line) printf("    %s\n", json_string_value(line));
        fflush(stdout);
    }
    const bool fixable = !is_unfixable(b), fixed = json_object_get(record, "fix") != NULL;
    if (b->cause != CAUSE_ALSO_RIGHT)
        add(&tally[u - units.item], &(struct tally){1, matches(causes[b->cause].said, first), fixable, fixable && fixed,
                                                    untrue, seconds, b->name});
    ck_assert_msg(!untrue, "%s, %s: %s; First: %s", b->lab, b->name, why, first);
    ck_assert_msg(fixable || !fixed, "%s, %s: a fix was found: remove the row from unfixable.def", b->lab, b->name);
    ck_assert_msg(score >= b->low && score <= b->high, "%s, %s: %d points, expected %d to %d; First: %s", b->lab,
                  b->name, score, b->low, b->high, first);
    const json_int_t wrong = json_integer_value(json_object_get(fix, "wrong")),
                     left = json_integer_value(json_object_get(fix, "left"));
    if (fix && 4 * left <= wrong && (row % APPLIED == 0 || getenv("ROW")))
        assert_it_fixes(b, u->lab, record, fix, source);
    json_decref(record), json_decref(fix);
    free(source), free(right);
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
    tally = mmap(NULL, sizeof units.item / sizeof *units.item * sizeof *tally, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    Suite *suite = suite_create("beginner");
    TCase *tcase = tcase_create("beginner");
    tcase_set_timeout(tcase, 300);
    tcase_add_loop_test(tcase, mistakes_are_graded, 0, broken_rows(ROWS, every));
    tcase_add_test(tcase, rows_are_unique);
    tcase_add_loop_test(tcase, unfixable_rows_exist, 0, sizeof unfixables / sizeof *unfixables);
    suite_add_tcase(suite, tcase);
    const int failed = suite_failures(suite) + !bars_hold();
    for (unsigned k = 0; k < units.count; k++) broken_free(&units.item[k]);
    return failed != 0;
}
