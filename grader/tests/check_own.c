/* Tests students' own operators: the examples of docs/own-operator.md, and invalid files. */
/* run: plain, 10 s */
/* reads: labs solutions common docs */
#include "tests/effort.h"
#include "tests/files.h"
#include "judge/judge.h"
#include "judge/observed.h"
#include "judge/own.h"
#include "tests/quick.h"
#include "tests/schema.h"
#include "tests/suite.h"
#include <ftw.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct compiler *compiler, *quick;
static char folder[] = "/tmp/check_own.XXXXXX", root[4096], cache[4200];

static void write_in_folder(const char *name, const char *before, const char *text, char path[300]) {
    snprintf(path, 300, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    ck_assert(f && fprintf(f, "%s%s", before, text) > 0 && !fclose(f));
}
static char *replaced(char *text, const char *from, const char *to) {
    const char *at = strstr(text, from);
    char *out = NULL;
    ck_assert_msg(at && asprintf(&out, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from)) > 0, "no `%s`", from);
    free(text);
    return out;
}
/* Returns C block `index` of docs/own-operator.md, counted from 0. If `from` is not NULL, `to` replaces it in the
 * block. */
static char *example(unsigned index, const char *from, const char *to) {
    char *page = read_file("docs/own-operator.md"), *at = page;
    for (unsigned k = 0; at && k <= index; k++) at = strstr(at + (k > 0), "\n```c\n");
    ck_assert(at != NULL);
    char *end = strstr(at + 6, "```"), *text = strndup(at + 6, (size_t)(end - at) - 6);
    free(page);
    return from ? replaced(text, from, to) : text;
}
enum { COMPLEX, VARIANCE, AVERAGE };

/* ---- files with operators ---------------------------------------------------------------------- */
static const struct {
    unsigned example;
    const char *from, *to; /* the change */
    enum compile_status status;
    const char *says; /* the error message, or the law that the operator violates; "" if there is neither */
    bool commutes;
} files[] = {
    {COMPLEX, NULL, NULL, COMPILE_OK, "", true},
    {VARIANCE, NULL, NULL, COMPILE_OK, "", true},
    {AVERAGE, NULL, NULL, COMPILE_OK, "combine is not associative: the grouping of operands matters; for a = ", true},
    {AVERAGE, "(a + b) / 2", "a + b - 1", COMPILE_OK,
     "identity() is not an identity: combine(identity(), a) differs from a; for a = ", true},
    {AVERAGE, "(a + b) / 2", "b", COMPILE_OK, "identity() is not an identity: combine(a, identity()) differs from a",
     false},
    {AVERAGE, "a == b", "true", COMPILE_OK, "same(a, b) is true for all 1024 pairs", true},
    {AVERAGE, "a == b", "false", COMPILE_OK, "same(a, a) is false; for a = ", false},
    {AVERAGE, "(a + b) / 2", "b ? b : a", COMPILE_OK, "", false},
    {AVERAGE, "bool same", "bool equal", COMPILE_SUBMISSION,
     "own.h: `same` is missing: add `__device__ bool same(value_t a, value_t b)`", false},
    {AVERAGE, "__device__ void print", "// print\n__device__ void tell", COMPILE_SUBMISSION, "own.h: `print`", false},
    {AVERAGE, "value_t identity()", "value_t identity(int)", COMPILE_SUBMISSION,
     "own.h:3: the grader's call does not compile: `identity` must be `__device__ value_t identity()`", false},
    {AVERAGE, "return 0;", "return 0", COMPILE_SUBMISSION, "error", false},
    {AVERAGE, "return (a", "volatile int k = 1;\n    while (k) k = 1;\n    return (a", COMPILE_SUBMISSION,
     "own.h:2: in `combine`: kernel does not end", false},
    {AVERAGE, "typedef float", "typedef unsigned short", COMPILE_SUBMISSION,
     "own.h: value_t is 2 bytes, but its size must be a multiple of 4 and at most 64", false},
    {VARIANCE, "double count, mean", "int count; double mean", COMPILE_SUBMISSION, "", false},
};
START_TEST(operator_files_are_accepted_or_rejected) {
    struct own own;
    char message[16 << 10] = "", path[300], *text = example(files[_i].example, files[_i].from, files[_i].to);
    write_in_folder("own.h", "", text, path);
    const struct own_request r = {.path = path,
                                  .shown = "own.h",
                                  .root = root,
                                  .cache = cache,
                                  .compiler = _i % 4 ? quick : compiler,
                                  .sim = device_find("sim"),
                                  .seed = (uint64_t)_i};
    const enum compile_status s = own_open(&own, &r, message, sizeof message);
    ck_assert_msg(s == files[_i].status, "status %d: %s", (int)s, message);
    const char *said = s == COMPILE_OK ? own.broken : message;
    ck_assert_msg(strstr(said, files[_i].says) && (files[_i].says[0] || s != COMPILE_OK || !said[0]), "said: %s", said);
    if (s == COMPILE_OK) ck_assert_int_eq(own.commutes, files[_i].commutes);
    own_close(&own);
    free(text);
}
END_TEST
START_TEST(only_regular_files_are_accepted) {
    struct own own;
    char message[2000] = "";
    const struct own_request r = {.path = folder, .shown = "own.h", .root = root, .compiler = compiler};
    ck_assert_int_eq(own_open(&own, &r, message, sizeof message), COMPILE_SUBMISSION);
    ck_assert_msg(strstr(message, "own.h is "), "%s", message);
    own_close(&own);
}
END_TEST

/* ---- grades -------------------------------------------------------------------------------------- */
static const struct {
    const char *lab, *folder;
    unsigned example;
    const char *own_from, *own_to, *from, *to; /* changes to the operator and to the solution */
    const char *end;
    unsigned points;
    const char *says; /* a text in the message of a check */
} grades[] = {
    {"lab6", "lab6_shuffle", COMPLEX, NULL, NULL, NULL, NULL, "full", 100, "8 bytes long; combine() is associative"},
    {"lab1", "lab1_interleaved_tree", VARIANCE, NULL, NULL, NULL, NULL, "full", 100, "24 bytes"},
    {"lab6", "lab6_shuffle", COMPLEX, NULL, NULL, "offset >= 1; offset /= 2", "offset > 1; offset /= 2", "partial", 55,
     ": got "},
    {"lab6", "lab6_shuffle", AVERAGE, "(a + b) / 2", "b ? b : a", NULL, NULL, "partial", 0,
     "combine is not commutative; for a = "},
};
START_TEST(labs_are_graded_with_own_operators) {
    char own[300], submission[300], solution[200];
    const struct lab lab = own_lab(lab_find(grades[_i].lab));
    snprintf(solution, sizeof solution, "solutions/%s/reduce.cu", grades[_i].folder);
    char *text = example(grades[_i].example, grades[_i].own_from, grades[_i].own_to), *file = read_file(solution);
    if (grades[_i].from) file = replaced(file, grades[_i].from, grades[_i].to);
    write_in_folder("own.h", "", text, own), write_in_folder("reduce.cu", "#define SOLUTION\n", file, submission);
    const struct judge_options o = {.lab = &lab,
                                    .device = device_find("sim"),
                                    .compiler = _i ? quick : compiler,
                                    .root = root,
                                    .cache = cache,
                                    .submission = submission,
                                    .shown = "reduce.cu",
                                    .own = own,
                                    .own_shown = "own.h",
                                    .predictions = "",
                                    .replay_options = "--op own.h",
                                    .seed = 5,
                                    .only_size = UINT32_MAX};
    json_t *record = judge_grade(&o), *schema = json_load_file("docs/result.schema.json", 0, NULL), *t;
    struct state s = {.root = schema};
    validate(&s, schema, record, "");
    ck_assert_msg(!s.wrong[0], "%s", s.wrong);
    char *all = json_dumps(json_object_get(record, "tests"), 0);
    ck_assert_msg(!strcmp(json_string_value(json_object_get(record, "end")), grades[_i].end), "%.800s", all);
    ck_assert_msg(json_integer_value(json_object_get(record, "score")) == grades[_i].points, "%d points: %.800s",
                  (int)json_integer_value(json_object_get(record, "score")), all);
    bool said = false;
    size_t k;
    json_array_foreach(json_object_get(record, "tests"), k, t) said |=
        strstr(json_string_value(json_object_get(t, "message")), grades[_i].says) != NULL;
    ck_assert_msg(said, "no check says `%s`: %.800s", grades[_i].says, all);
    free(all), free(text), free(file);
    json_decref(record), json_decref(schema);
}
END_TEST

/* Launches with a student's operator have no more elements than such an operator supports. */
START_TEST(launches_fit_own_operators) {
    unsigned labs = 0;
    for (unsigned l = 0; l < lab_row_count; l++) {
        if (lab_rows[l]->own == OWN_REFUSED) continue;
        const struct judge_options o = {.lab = lab_rows[l], .seed = (uint64_t)_i};
        const struct lab lab = own_lab(o.lab);
        struct own own = {.bytes = 8};
        struct judge j = {.options = &o, .lab = &lab, .own = &own};
        labs++;
        for (unsigned k = 0; k < lab.kernel_count; k++) {
            struct grade_case launch[OBSERVED_MAX];
            ck_assert(case_kernel_takes(&lab, &lab.kernels[k], variant_at(OWN_VARIANT)));
            const unsigned count = observed_launches(&j, &lab.kernels[k], launch);
            for (unsigned n = 0; n < count; n++)
                ck_assert_msg(launch[n].n <= OWN_ELEMENTS && launch[n].n > 0, "%s: n = %u", lab.id, launch[n].n);
        }
    }
    ck_assert_uint_ge(labs, 8);
}
END_TEST
static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at) {
    (void)st, (void)type, (void)at;
    return remove(path);
}
int main(void) {
    const char *wanted = getenv("CUDA");
    char why[300];
    compiler = compiler_find(wanted && *wanted ? wanted : "auto", why, sizeof why);
    quick = compiler_find(quick_compiler(), why, sizeof why);
    if (!compiler) return printf("SKIP check_own: neither nvcc nor clang\n"), 0;
    if (!mkdtemp(folder) || !getcwd(root, sizeof root)) return 3;
    /* a separate cache, because the test may remove files */
    const char *kernels = getenv("KERNEL_CACHE");
    snprintf(cache, sizeof cache, "%s/own", kernels && *kernels ? kernels : folder);
    Suite *suite = suite_create("own operators");
    TCase *tc = tcase_create("own");
    tcase_set_timeout(tc, 300);
    add_rows(tc, operator_files_are_accepted_or_rejected, sizeof files / sizeof *files, 3);
    tcase_add_test(tc, only_regular_files_are_accepted);
    add_rows(tc, labs_are_graded_with_own_operators, sizeof grades / sizeof *grades, 2);
    tcase_add_loop_test(tc, launches_fit_own_operators, 0, OBSERVED_SETS);
    suite_add_tcase(suite, tc);
    const int failed = suite_failures(suite);
    if (nftw(folder, remove_one, 4, FTW_DEPTH | FTW_PHYS)) perror(folder);
    return failed > 0;
}
