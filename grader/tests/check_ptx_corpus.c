/* Tests that the parser and the decoder accept the output of compilers, and do not crash on damaged copies of it. */
/* run: sanitized, 3 s */
/* reads: grader/tests/ptx */
#include "base/file.h"
#include "base/random.h"
#include "ptx/ptx.h"
#include "sim/sim.h"
#include "tests/effort.h"
#include "tests/suite.h"
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
    char *text = file_read(path, 0, 64 << 20, length);
    ck_assert_msg(text != NULL, "%s: cannot be read (run the tests from the kit's folder)", path);
    return text;
}
/* Parses and decodes a text. Sets `message` to the error, or to "" on success. */
static void load_module(const char *text, size_t length, const char *name, char *message, size_t size) {
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

START_TEST(corpus_is_accepted) {
    DIR *d = opendir(CORPUS);
    ck_assert_ptr_nonnull(d);
    unsigned count = 0, failed = 0;
    for (struct dirent *entry; (entry = readdir(d));) {
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".ptx")) continue;
        size_t length;
        char *text = read_corpus(entry->d_name, &length), message[640];
        load_module(text, length, entry->d_name, message, sizeof message);
        free(text);
        if (*message) fprintf(stderr, "%s: `%s`\n", entry->d_name, message), failed++;
        count++;
    }
    closedir(d);
    ck_assert_uint_eq(failed, 0);
    ck_assert_uint_ge(count, 30);
}
END_TEST

/* The test prints the instructions of a file, parses the printed text, and prints again. The second text must equal
 * the first. */
START_TEST(printed_instructions_are_parsed) {
    static const char *const names[] = {"language-nvcc-75.ptx", "warp-nvcc-75.ptx", "functions-nvcc-75.ptx",
                                        "warp-clang-O2.ptx"};
    size_t length;
    char *text = read_corpus(names[_i], &length), *again = calloc(1, 4 * length + 65536), *at = again;
    struct ptx_error e;
    struct ptx_module *m = ptx_parse(text, length, names[_i], &e), *n;
    ck_assert_ptr_nonnull(m);
    /* replace each instruction's line with its printed form, except for calls, which have several lines */
    const char *from = text;
    for (unsigned line = 1; from < text + length; line++) {
        const char *end = strchr(from, '\n');
        end = end ? end + 1 : text + length;
        const struct ptx_insn *found = NULL;
        const struct ptx_function *in = NULL;
        unsigned in_line = 0;
        for (unsigned f = 0; f < m->function_count; f++)
            for (unsigned k = 0; k < m->functions[f]->code_count; k++)
                if (m->functions[f]->code[k].text_line == line) in = m->functions[f], found = &in->code[k], in_line++;
        if (in_line == 1 && found->op != PTX_OP_call && memchr(from, ';', (size_t)(end - from)) && *from == '\t') {
            char printed[400];
            at += sprintf(at, "\t%s;\n", ptx_print(m, in, found, printed, sizeof printed));
        } else {
            memcpy(at, from, (size_t)(end - from));
            at += end - from;
        }
        from = end;
    }
    n = ptx_parse(again, (size_t)(at - again), "printed", &e);
    ck_assert_msg(n != NULL, "line %u: %s", e.text_line, e.message);
    for (unsigned f = 0; f < m->function_count; f++) {
        ck_assert_uint_eq(m->functions[f]->code_count, n->functions[f]->code_count);
        for (unsigned k = 0; k < m->functions[f]->code_count; k++) {
            char first[400], second[400];
            ptx_print(m, m->functions[f], &m->functions[f]->code[k], first, sizeof first);
            ptx_print(n, n->functions[f], &n->functions[f]->code[k], second, sizeof second);
            ck_assert_str_eq(first, second);
            ck_assert_int_eq(m->functions[f]->code[k].op, n->functions[f]->code[k].op);
        }
    }
    ptx_free(m);
    ptx_free(n);
    free(text);
    free(again);
}
END_TEST

/* ---- mutants ----------------------------------------------------------------------------------- */
static size_t line_start(const char *text, size_t at) {
    while (at && text[at - 1] != '\n') at--;
    return at;
}
static size_t line_end(const char *text, size_t length, size_t at) {
    while (at < length && text[at] != '\n') at++;
    return at < length ? at + 1 : at;
}
/* Damages the text in place. Returns its new length. The buffer is twice as long as the text. */
static size_t mutate(char *text, size_t length, uint64_t *state) {
    static const char marks[] = "%.,;:{}[]()<>@!|-+_0123456789abdefrsux\n \"$";
    const size_t at = random_next(state) % length, begin = line_start(text, at), end = line_end(text, length, at);
    switch (random_next(state) % 7) {
    case 0: text[at] = (char)random_next(state); return length;
    case 1: text[at] ^= (char)(1 << random_next(state) % 8); return length;
    case 2: text[at] = marks[random_next(state) % (sizeof marks - 1)]; return length;
    case 3: memmove(text + begin, text + end, length - end); return length - (end - begin);
    case 4: memmove(text + end, text + begin, length - begin); return length + (end - begin);
    case 5: return at;
    default: /* move a line to a different place */
        if (end - begin > 200) return length;
        char line[200];
        const size_t n = end - begin;
        memcpy(line, text + begin, n);
        memmove(text + begin, text + end, length - end);
        const size_t to = line_start(text, random_next(state) % (length - n + 1));
        memmove(text + to + n, text + to, length - n - to);
        memcpy(text + to, line, n);
        return length;
    }
}
static const struct {
    const char *name;
    unsigned mutants;
} mutated[] = {{"lab3-PRODUCT-F32-nvcc.ptx", 2000}, {"language-nvcc-75.ptx", 1000}, {"warp-clang-O2.ptx", 1000}};
START_TEST(mutants_do_no_harm) {
    size_t length;
    char *text = read_corpus(mutated[_i].name, &length), *copy = malloc(2 * length);
    uint64_t state = 20240229 + (uint64_t)_i;
    const unsigned mutants = mutated[_i].mutants / effort(1, 8);
    unsigned refused_count = 0, taken = 0;
    for (unsigned k = 0; k < mutants; k++) {
        memcpy(copy, text, length);
        size_t n = mutate(copy, length, &state);
        if (k % 3 == 0 && n && n < length) n = mutate(copy, n, &state);
        char *exact = malloc(n ? n : 1); /* the sanitizer detects reads past the end */
        memcpy(exact, copy, n);
        struct ptx_error e;
        struct sim_error s;
        struct ptx_module *m = ptx_parse(exact, n, "mutant", &e);
        if (m) {
            struct sim_program *p = sim_program_new_isa(m, "baseline", &s);
            if (!p) ck_assert_str_ne(s.message, "");
            sim_program_free(p);
            ptx_free(m);
            taken++;
        } else {
            ck_assert_str_ne(e.message, "");
            ck_assert_uint_gt(e.text_line, 0);
            refused_count++;
        }
        free(exact);
    }
    ck_assert_uint_gt(taken, mutants / 20);
    ck_assert_uint_gt(refused_count, mutants / 4);
    free(copy);
    free(text);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("ptx corpus");
    TCase *corpus = tcase_create("corpus");
    tcase_add_test(corpus, corpus_is_accepted);
    tcase_add_loop_test(corpus, printed_instructions_are_parsed, 0, 4);
    tcase_add_loop_test(corpus, mutants_do_no_harm, 0, sizeof mutated / sizeof *mutated);
    tcase_set_timeout(corpus, 300);
    suite_add_tcase(suite, corpus);
    const int failed = suite_failures(suite);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
