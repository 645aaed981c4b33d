/* Tests that each lab's handout and output use only terms taught in that lab or an earlier one. Compares the table
 * of terms (record/terms.def) with the handouts, and with the output for correct and wrong submissions. */
/* run: plain, 5 s */
/* reads: labs solutions common grader/tests/beginner */
#include "record/terms.h"
#include "probes/catalog.h"
#include "report/sink.h"
#include "report/views.h"
#include "tests/broken.h"
#include "tests/files.h"
#include "tests/quick.h"
#include "tests/replays.h"
#include "tests/suite.h"
#include <check.h>

/* ---- the table ------------------------------------------------------------------------------ */
START_TEST(terms_are_found_at_the_beginning_of_words) {
    static const struct {
        const char *word, *text;
        bool found;
    } rows[] = {{"warp", "two warps", true},
                {"warp", "Warp 3", true},
                {"warp", "__syncwarp()", false},
                {"lane", "explanation of a plane", false},
                {"lane", "all lanes", true},
                {"diverg", "no divergence", true},
                {"mask", "unmasked", false},
                {"__syncwarp", "no __syncwarp() between", true},
                {"shared memory", "shared", false},
                {"atomic", "atomicAdd(total, x)", true},
                {"bank", "", false}};
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++)
        ck_assert_msg((term_in(&(struct term){rows[k].word, 1, NULL}, rows[k].text) != NULL) == rows[k].found,
                      "%s in `%s`", rows[k].word, rows[k].text);
}
END_TEST

START_TEST(labs_use_terms_taught_so_far) {
    ck_assert_uint_eq(terms_taught("lab0"), 0);
    ck_assert_uint_eq(terms_taught("lab10"), 10);
    ck_assert_uint_eq(terms_taught("histogram"), TERMS_ALL);
    ck_assert_uint_eq(terms_taught("lab3b"), TERMS_ALL);
    ck_assert(!terms_known(0, "warp 1 wrote it") && terms_known(1, "warp 1 wrote it"));
    ck_assert(!terms_known(4, "no __syncwarp() between") && terms_known(5, "no __syncwarp() between"));
    ck_assert(terms_known_of(0, "use atomicAdd", "atomicAdd(x, 1);") && !terms_known_of(0, "use atomicAdd", "x += 1;"));
    ck_assert_str_eq(terms_choose(0, "lane", "thread"), "thread");
    ck_assert_str_eq(terms_choose(TERMS_ALL, "fence", ""), "fence");
}
END_TEST

/* Returns what a student reads before the first report: the lab's handout, questions and skeleton. */
static char *handout(const struct lab *lab) {
    static const char *const files[] = {"README.md", "predictions.txt", "reduce.cu"};
    char *all = NULL;
    size_t size;
    FILE *f = open_memstream(&all, &size);
    for (unsigned k = 0; k < sizeof files / sizeof *files; k++) {
        char path[300];
        snprintf(path, sizeof path, "labs/%s_%s/%s", lab->id, lab->name, files[k]);
        char *text = read_file(path);
        fputs(text, f);
        free(text);
    }
    fclose(f);
    return all;
}
START_TEST(handouts_introduce_each_term_by_its_lab) {
    const struct term *t = &terms[_i];
    bool taught = false;
    for (unsigned k = 0; k < lab_row_count; k++) {
        char *text = handout(lab_rows[k]);
        taught |= terms_taught(lab_rows[k]->id) <= t->lab && term_in(t, text);
        free(text);
    }
    ck_assert_msg(taught, "terms.def: no handout up to lab%u has `%s`", t->lab, t->word);
}
END_TEST

/* ---- the kit's texts ------------------------------------------------------------------------- */
static const struct beginner {
    const char *lab, *name, *from, *to;
} beginners[] = {
#define BEGINNER(lab, name, from, to, cause, low, high) {#lab, name, from, to},
#define PLAIN(...) /* a change of a kernel other than the solution */
#include "beginner/lab0.def"
#include "beginner/lab1.def"
#include "beginner/lab2.def"
#include "beginner/lab3.def"
#include "beginner/lab4.def"
#include "beginner/lab5.def"
#include "beginner/lab6.def"
#undef BEGINNER
#undef PLAIN
};
enum { ROWS = sizeof beginners / sizeof *beginners, SAMPLE = 240 };
static const uint32_t variants = 1u << 0 | 1u << 3 | 1u << 5 | 1u << 12;
static struct broken_units units;
static const struct compiler *compiler;
static unsigned every = SAMPLE;
static bool is_taken(unsigned row) { return broken_is_taken(row, every, beginners[row].lab, beginners[row].name); }

/* Compiles the solution of a lab (as namespace m) and its mistakes (as namespaces mk). */
static bool load_lab(const struct lab *lab, struct broken_unit *u, char *why, size_t size) {
    static struct broken_text texts[ROWS + 1];
    char *solution = broken_solution(lab);
    unsigned count = 1;
    texts[0] = (struct broken_text){"m", solution};
    for (unsigned k = 0; k < ROWS; k++) {
        if (strcmp(beginners[k].lab, lab->id) != 0 || !is_taken(k)) continue;
        snprintf(texts[count].space, sizeof texts[count].space, "m%u", k);
        texts[count++].source = broken_replaced(solution, beginners[k].from, beginners[k].to, false);
    }
    const bool ok = broken_load(u, lab, variants, compiler, texts, count, why, size);
    for (unsigned k = 0; k < count; k++) free(texts[k].source);
    return ok;
}
/* Returns the report as a terminal shows it, with explanations. */
static char *report_of(const json_t *record) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    sink_write(sink_find("text"), record, out, &(struct sink_options){.explain = true});
    fclose(out);
    return text;
}
/* Asserts that a text uses only terms taught up to this lab. Words of the submission are allowed, because reports
 * quote its lines. */
static void expect_taught(const struct lab *lab, const char *name, const char *text, const char *submission) {
    const unsigned number = terms_taught(lab->id);
    for (const struct term *t = terms; t->word; t++) {
        const char *at = term_in(t, text);
        if (t->lab <= number || !at || term_in(t, submission) || (t->code && strstr(submission, t->code))) continue;
        ck_abort_msg("%s, %s: the report has `%s`, which lab%u introduces: ...%.200s", lab->id, name, t->word, t->lab,
                     at - (at - text < 60 ? at - text : 60));
    }
}
static void expect_report_taught(const struct broken_unit *u, const char *name, const char *space, char *source) {
    json_t *record = broken_grade(u, space, source, 7);
    fix_advise(record, FIX_MAX_HINTS);
    json_object_set_new(record, "lab", json_pack("{s:s, s:s}", "id", u->lab->id, "title", u->lab->title));
    char *text = report_of(record);
    if (getenv("SAY")) printf("==== %s, %s\n%s\n", u->lab->id, name, text);
    blank_schedules(text);
    expect_taught(u->lab, name, text, source);
    free(text);
    json_decref(record);
}
START_TEST(reports_of_mistakes_use_only_taught_terms) {
    const unsigned row = (unsigned)_i * every;
    const struct beginner *b = &beginners[row];
    if (!is_taken(row)) return;
    const struct broken_unit *u = broken_find(&units, b->lab);
    char space[16], *solution = broken_solution(u->lab), *source = broken_replaced(solution, b->from, b->to, false);
    snprintf(space, sizeof space, "m%u", row);
    expect_report_taught(u, b->name, space, source);
    free(source), free(solution);
}
END_TEST
START_TEST(reports_of_solutions_use_only_taught_terms) {
    if (_i >= (int)units.count) return;
    char *solution = broken_solution(units.item[_i].lab);
    expect_report_taught(&units.item[_i], "the solution", "m", solution);
    free(solution);
}
END_TEST
/* Even reports of the first lab explain compiler messages. A name that the message suggests may be a term of a later
 * lab, because the student has written a similar name. */
START_TEST(error_explanations_use_no_later_terms) {
    static const char *const sentences[] = {
#define ROW(nvcc, clang, sentence) sentence,
#define NAME(name)
#include "compile/diagnostics.def"
#undef NAME
    };
    for (unsigned k = 0; k < sizeof sentences / sizeof *sentences; k++)
        expect_taught(lab_rows[0], "a message of the compiler", sentences[k], "");
}
END_TEST
/* Tests titles and explanations of all findings, checks and figures, because few of them occur in the reports of the
 * sample. */
START_TEST(every_text_has_words_for_each_lab) {
    const struct lab *lab = lab_rows[_i];
    const unsigned taught = terms_taught(lab->id);
    const struct finding_kind *kind;
    for (unsigned k = 0; k < lab->check_count; k++) {
        expect_taught(lab, lab->checks[k].id, lab->checks[k].title, "");
        expect_taught(lab, lab->checks[k].id, view_explanation(lab->checks[k].id, taught), "");
    }
    for (unsigned k = 0; (kind = catalog_finding_at(k)); k++) {
        /* a submission with such a finding contains one of these words */
        static const char *const brings[] = {"__syncwarp __shfl _sync(", "__shared__", "atomic grid", "volatile"};
        char all[200] = "";
        for (unsigned n = 0; n < sizeof brings / sizeof *brings; n++) strcat(all, brings[n]);
        const struct finding_words w = catalog_words(kind, taught);
        const bool of_lanes = strstr(kind->key, "sync") || strstr(kind->key, "shuffle") || strstr(kind->key, "active");
        const bool is_shared = strstr(kind->key, "shared") || !strcmp(kind->key, "mbarrier");
        const bool is_proxy = !strcmp(kind->key, "proxy-fence");
        const char *code = of_lanes ? all : is_proxy ? "__shared__ __threadfence" : is_shared ? "__shared__" : "";
        if (of_lanes && !taught) continue; /* a student who uses these functions has read about lanes */
        expect_taught(lab, kind->key, w.title, code);
        expect_taught(lab, kind->key, w.explanation, code);
        if (w.between) expect_taught(lab, kind->key, w.between, code);
    }
}
END_TEST

int main(void) {
    if (getenv("EVERY") && atoi(getenv("EVERY")) > 0) every = (unsigned)atoi(getenv("EVERY"));
    char why[2000] = "";
    unsigned count;
    compiler = compiler_find(quick_compiler(), why, sizeof why);
    for (unsigned k = 0; compiler && k < ROWS; k++) {
        if (!is_taken(k) || broken_find(&units, beginners[k].lab)) continue;
        if (!load_lab(lab_find(beginners[k].lab), &units.item[units.count++], why, sizeof why))
            return printf("%s\n", why), 1;
    }
    if (!compiler) printf("SKIP check_terms: reports of kernels: neither nvcc nor clang\n");
    Suite *suite = suite_create("terms");
    TCase *tcase = tcase_create("terms");
    tcase_set_timeout(tcase, 300);
    tcase_add_test(tcase, terms_are_found_at_the_beginning_of_words);
    tcase_add_test(tcase, labs_use_terms_taught_so_far);
    for (count = 0; terms[count].word; count++) continue;
    tcase_add_loop_test(tcase, handouts_introduce_each_term_by_its_lab, 0, (int)count);
    tcase_add_test(tcase, error_explanations_use_no_later_terms);
    tcase_add_loop_test(tcase, every_text_has_words_for_each_lab, 0, (int)lab_row_count);
    if (compiler) tcase_add_loop_test(tcase, reports_of_mistakes_use_only_taught_terms, 0, (ROWS + every - 1) / every);
    if (compiler) tcase_add_loop_test(tcase, reports_of_solutions_use_only_taught_terms, 0, 8);
    suite_add_tcase(suite, tcase);
    const int failed = suite_failures(suite);
    for (unsigned k = 0; k < units.count; k++) broken_free(&units.item[k]);
    return failed != 0;
}
