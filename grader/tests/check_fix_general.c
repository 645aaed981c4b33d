/* Tests the edits that no rule suggests and the edits of integer types that are too narrow. Also tests the parser of
 * expressions, which both use. */
/* run: sanitized */
/* reads: nothing */
#include "fix/expressions.h"
#include "fix/names.h"
#include "tests/suite.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

/* Parses a function whose body ends with `statements`, on line 5. `text` receives the function's text. */
static void parse(struct source *source, char text[600], const char *statements) {
    snprintf(text, 600,
             "__global__ void reduce(const value_t *in, value_t *out, unsigned n) {\nextern __shared__ value_t s[];\n"
             "unsigned t = threadIdx.x, warp = t / 32;\nvalue_t x = in[t];\n%s\n}\n",
             statements);
    ck_assert(source_parse(source, text, false));
}

static const struct parsed {
    const char *statement, *expression; /* the largest expression in the statement, with brackets around each operand */
} parsed[] = {{"n = n - t * 2 + 1;", "[n] = [[[n] - [[t] * [2]]] + [1]]"},
              {"if (t & n == 0) x = s[0];", "[t] & [[n] == [0]]"},
              {"x = (value_t)t + in[t + 1];", "[x] = [[(value_t)t] + [in[t+1]]]"},
              {"n = t < 4 ? n : -t;", "[n] = [[[t] < [4]] ? n : [-t]]"},
              {"n = static_cast<unsigned>(t) << 1;", "[n] = [[static_cast<unsigned>(t)] << [1]]"},
              {"n = blockIdx.x * (t + 1);", "[n] = [[blockIdx.x] * [(t+1)]]"}};
static void put(FILE *f, const struct source *s, const struct expressions *all, int32_t k) {
    const struct expression *e = &all->item[k];
    if (e->sign < 0) {
        for (int32_t t = e->all.first; t <= e->all.last; t++)
            fprintf(f, "%.*s", (int)s->token[t].length, s->text + s->token[t].at);
        return;
    }
    char middle[80];
    source_copy(s, (struct range){e->sign, all->item[e->right].all.first - 1}, middle, sizeof middle);
    fputc('[', f), put(f, s, all, e->left), fprintf(f, "] %s [", middle), put(f, s, all, e->right), fputc(']', f);
}
START_TEST(operators_bind_as_in_c) {
    struct source source;
    char text[600], *out;
    size_t size, longest = 0;
    parse(&source, text, parsed[_i].statement);
    struct expressions *all = malloc(sizeof *all);
    expressions_of(&source, 0, all);
    int32_t whole = 0;
    for (int32_t k = 0; k < all->count; k++) { /* find the largest expression of the statement, which is on line 5 */
        const size_t length = source_end(&source, all->item[k].all) - source_begin(&source, all->item[k].all);
        const bool own = source.token[all->item[k].all.first].line == 5;
        if (own && length > longest) longest = length, whole = k;
    }
    FILE *f = open_memstream(&out, &size);
    put(f, &source, all, whole);
    fclose(f);
    ck_assert_str_eq(out, parsed[_i].expression);
    free(out), free(all), source_free(&source);
}
END_TEST

static const struct proposal {
    void (*rules)(struct edit_list *, int32_t);
    const char *statements, *diff;
    bool proposed;
} proposals[] = {
    {rules_expressions, "s[2 * t] = in[n + t + 32];", "-s[2 * t] = in[n + t + 32];\n+s[t + 32] = in[n + t + 32];\n",
     true},
    {rules_expressions, "bool last = (t = n);", "-bool last = (t = n);\n+bool last = (t == n);\n", true},
    {rules_expressions, "n = (t = warp);", "-n = (t = warp);\n+n == (t = warp);\n", false},
    {rules_values, "out[0] = 0;", "-out[0] = 0;\n+out[0] = identity();\n", true},
    {rules_loops, "for (unsigned h = blockDim.x / 2; h > 0; h >>= 1) if (t < h) s[t] = s[t + h];",
     "-for (unsigned h = blockDim.x / 2; h > 0; h >>= 1) if (t < h) s[t] = s[t + h];\n"
     "+for (unsigned h = blockDim.x; h > 0; h >>= 1) if (t < h) s[t] = s[t + h];\n",
     true},
    {rules_statements, "if (n && t < 32) {\n__syncthreads();\n}", "-if (n && t < 32) {\n+if (n) {\n", true},
    {rules_statements, "if (n && n < 32) {\n__syncthreads();\n}", "-if (n && n < 32) {\n+if (n) {\n", false},
    {rules_initial, "unsigned first = 0, own = blockIdx.x * blockDim.x + t;\nunsigned i = t;",
     "-unsigned i = t;\n+unsigned i = own;\n", true},
    {rules_initial, "unsigned own = blockIdx.x * blockDim.x + t;\nown++;\nunsigned i = t;",
     "-unsigned i = t;\n+unsigned i = own;\n", false},
    {rules_tickets, "if (t == 0) {\nn = atomicAdd(&drawn, 1);\n}\n}\n__device__ unsigned int drawn;\nvoid f() {",
     "-}\n+drawn = 0;\n+}\n", true},
    {rules_general, "s[t] = combine(x, s[t + 1]);",
     "-s[t] = combine(x, s[t + 1]);\n+s[t] = combine(s[t + 1], s[t + 1]);\n", true},
    {rules_general, "value_t *own = &s[warp];", "-value_t *own = &s[warp];\n+value_t *own = &s[warp * 32];\n", true},
    {rules_general, "x = s[t * n + 1];", "-x = s[t * n + 1];\n+x = s[t * (n + 1)];\n", true},
    {rules_general, "x = s[t * (n + 1)];", "-x = s[t * (n + 1)];\n+x = s[t * n + 1];\n", true},
    {rules_general, "x = s[n / 2];", "-x = s[n / 2];\n+x = s[(n + 1) / 2];\n", true},
    {rules_general, "x = s[n % t];", "-x = s[n % t];\n+x = s[t % n];\n", true},
    {rules_general, "if (t < n && n > 4) x = s[t];", "-if (t < n && n > 4) x = s[t];\n+if (t < n) x = s[t];\n", true},
    {rules_general, "if (t < n) s[t] = x;", "-if (t < n) s[t] = x;\n+s[t] = x;\n", true},
    {rules_general, "if (t < n) x = s[t];\ns[t] = x;", "-s[t] = x;\n+if (t < n) s[t] = x;\n", true},
    {rules_general, "n = t;\nif (n) {\nx = s[t];\n}\ns[t] = x;", "-}\n-s[t] = x;\n+s[t] = x;\n+}\n", true},
    {rules_general, "n = t;\nx = s[n];", "-n = t;\n-x = s[n];\n+x = s[n];\n+n = t;\n", true},
    {rules_general, "x = s[n - 1];", "-x = s[n - 1];\n+x = s[n * 1];\n", false},
    {rules_general, "x = s[t];", "-x = s[t];\n+x = s[t * 1];\n", false},
    {rules_general, "pair y;\ny.value = 1;\ny.index = f(y.value);", "-y.index = f(y.value);\n+y.index = f(y.index);\n",
     true},
    {rules_tickets, "__shared__ bool last;\nif (t == n - 1) last = true;",
     "-if (t == n - 1) last = true;\n+last = t == n - 1;\n", true},
    {rules_narrow, "unsigned i = 2 * t * n;\nx = in[i];", "-unsigned i = 2 * t * n;\n+size_t i = (size_t)2 * t * n;\n",
     true},
    {rules_narrow, "for (int i = t; i < (int)n; i++) x = in[i];",
     "-for (int i = t; i < (int)n; i++) x = in[i];\n+for (unsigned i = t; i < n; i++) x = in[i];\n", true},
    {rules_narrow, "if (2 * t < n) x = in[t];", "-if (2 * t < n) x = in[t];\n+if ((size_t)2 * t < n) x = in[t];\n",
     true}};
/* Expressions nested more deeply than any student's are skipped, without deep recursion. */
START_TEST(deep_expressions_are_skipped) {
    enum { DEPTH = 2500, MAX = 450 };
    static const char *const open[] = {"- ", "a = "};
    struct source source;
    struct expressions *all = malloc(sizeof *all);
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    fputs("__global__ void k(int a, int n) {\n    a = ", f);
    for (unsigned k = 0; k < DEPTH; k++) fputs(open[_i], f);
    fputs("n;\n}\n", f), fclose(f);
    ck_assert(source_parse(&source, text, false));
    expressions_of(&source, 0, all);
    ck_assert_int_lt(all->count, MAX);
    free(text), free(all), source_free(&source);
}
END_TEST

START_TEST(edits_are_proposed) {
    struct source source;
    char text[600];
    bool found = false;
    parse(&source, text, proposals[_i].statements);
    struct edit_list list = {.source = &source};
    proposals[_i].rules(&list, 0);
    for (unsigned k = 0; k < list.count; k++) {
        char *diff = edit_diff(&source, &list.item[k]);
        found |= !strcmp(diff, proposals[_i].diff);
        free(diff);
    }
    ck_assert_msg(found == proposals[_i].proposed, "%s", proposals[_i].diff);
    edit_list_free(&list), source_free(&source);
}
END_TEST
int main(void) {
    Suite *suite = suite_create("fix general");
    TCase *tcase = tcase_create("fix general");
    tcase_add_loop_test(tcase, operators_bind_as_in_c, 0, sizeof parsed / sizeof *parsed);
    tcase_add_loop_test(tcase, deep_expressions_are_skipped, 0, 2);
    tcase_add_loop_test(tcase, edits_are_proposed, 0, sizeof proposals / sizeof *proposals);
    suite_add_tcase(suite, tcase);
    return suite_failures(suite) != 0;
}
