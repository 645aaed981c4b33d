/* The parser: what compilers write is taken and decodes; small texts decode to what they say; wrong ones are refused with
 * the line; mutants never do harm. */
#include "ptx/ptx.h"
#include "sim/sim.h"
#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CORPUS "grader/tests/ptx/corpus"

/* ---- the corpus ----------------------------------------------------------------------------- */
static char *read_corpus(const char *name, size_t *length) {
    char path[512];
    snprintf(path, sizeof path, CORPUS "/%s", name);
    FILE *f = fopen(path, "rb");
    ck_assert_msg(f != NULL, "%s: cannot be read (run the tests from the kit's folder)", path);
    fseek(f, 0, SEEK_END);
    *length = (size_t)ftell(f);
    rewind(f);
    char *text = malloc(*length + 1);
    ck_assert_uint_eq(fread(text, 1, *length, f), *length);
    fclose(f);
    text[*length] = 0;
    return text;
}
/* Parse and decode; "" or the message of the one that refused. */
static void load(const char *text, size_t length, const char *name, char *message, size_t size) {
    struct ptx_error e;
    struct sim_error s;
    struct ptx_module *m = ptx_parse(text, length, name, &e);
    if (!m) {
        snprintf(message, size, "%u: %s", e.text_line, e.message);
        return;
    }
    struct sim_program *p = sim_program_new_isa(m, "baseline", &s);
    snprintf(message, size, "%s", p ? "" : s.message);
    sim_program_free(p);
    ptx_free(m);
}

/* Files that are outside what the simulator runs, and a part of the message that says so. */
static const struct { const char *name, *message; } refused[] = {
    {"half-nvcc-75.ptx", "39: instruction `add.f16` is outside what the simulator runs: it takes no `.f16`"},
    {"half-nvcc-90.ptx", "39: instruction `add.f16` is outside what the simulator runs: it takes no `.f16`"},
    {"by_value-clang-O0.ptx", "`_Z5weigh4pairi_param_0`, a parameter passed by value, is outside what the simulator runs"},
};
START_TEST(corpus_is_taken) {
    DIR *d = opendir(CORPUS);
    ck_assert_ptr_nonnull(d);
    unsigned count = 0, failed = 0;
    for (struct dirent *entry; (entry = readdir(d));) {
        const char *dot = strrchr(entry->d_name, '.'), *wanted = "";
        if (!dot || strcmp(dot, ".ptx")) continue;
        size_t length;
        char *text = read_corpus(entry->d_name, &length), message[640];
        load(text, length, entry->d_name, message, sizeof message);
        free(text);
        for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
            if (!strcmp(refused[k].name, entry->d_name)) wanted = refused[k].message;
        if (*wanted ? !strstr(message, wanted) : *message) fprintf(stderr, "%s: `%s`, wanted `%s`\n", entry->d_name, message, wanted), failed++;
        count++;
    }
    closedir(d);
    ck_assert_uint_eq(failed, 0);
    ck_assert_uint_ge(count, 30);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("ptx");
    TCase *corpus = tcase_create("corpus");
    tcase_add_test(corpus, corpus_is_taken);
    tcase_set_timeout(corpus, 60);
    suite_add_tcase(suite, corpus);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
