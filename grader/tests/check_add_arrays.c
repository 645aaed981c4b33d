/* Adds three labs whose results are arrays to a copy of the kit: a scan with three kernels, a histogram, and a tiled
 * matrix product. Each needs only two new folders and no change to the kit's files. Solutions must get all points and
 * skeletons none, and mistakes must be reported. */
/* run: plain, apart, 18 s */
#include "sandbox/sandbox.h"
#include "tests/quick.h"
#include "tests/scratch.h"
#include "tests/suite.h"

static const char *const added[] = {"lab21_scan", "lab22_histogram", "lab23_matmul"};
enum { LABS = sizeof added / sizeof *added };
static const char *sandboxed; /* "--no-sandbox" if this machine has no sandbox, otherwise "" */

static void add_labs(void) {
    scratch_make();
    for (unsigned k = 0; k < LABS; k++)
        free(scratch_shell(true,
                           "mkdir $S/labs/%s $S/solutions/%s && cp grader/tests/added/%s/grader.c $S/labs/%s && "
                           "cp grader/tests/added/%s/reduce.cu $S/solutions/%s",
                           added[k], added[k], added[k], added[k], added[k], added[k]));
    ck_assert_uint_eq(scratch_edit_count(), 2 * LABS); /* a folder in labs/ and one in solutions/ */
    scratch_build("CFLAGS=-O0");
    free(scratch_shell(true, "for l in lab21_scan lab22_histogram lab23_matmul; do unifdef -USOLUTION "
                             "$S/solutions/$l/reduce.cu > $S/labs/$l/reduce.cu; [ $? -le 1 ] || exit 1; done"));
}
static void expect(const char *text, const char *said) {
    ck_assert_msg(strstr(text, said), "no `%s` in %.3000s", said, text);
}
START_TEST(the_solution_has_all_points) {
    char *text = scratch_shell(true, "cd $S && CUDA=%s build/grade %.5s --solution --seed 7 --device sim",
                               quick_compiler(), added[_i]);
    expect(text, ": 100 of 100 points");
    expect(text, "ratio 1.00");
    free(text);
}
END_TEST
START_TEST(skeletons_get_no_points) {
    char *text =
        scratch_shell(false, "cd $S && CUDA=%s build/grade %.5s --seed 7 --device sim", quick_compiler(), added[_i]);
    expect(text, ": 0 of 100 points");
    expect(text, "elements wrong");
    expect(text, "TODO 1");
    free(text);
}
END_TEST

/* docs/add-a-lab.md must show these parts of the histogram exactly as they are built here. */
START_TEST(the_document_shows_the_histogram) {
    static const char *const parts[] = {"static void count(", "static const struct lab_arrays arrays",
                                        "static const struct lab_kernel kernels"};
    char *document = read_file("docs/add-a-lab.md"), *file = read_file("grader/tests/added/lab22_histogram/grader.c");
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        const char *from = strstr(file, parts[k]), *end = from ? strstr(from, "\n}") : NULL;
        ck_assert_ptr_nonnull(end);
        char *part = strndup(from, (size_t)(end - from) + 2);
        ck_assert_msg(strstr(document, part), "not in docs/add-a-lab.md:\n%s", part);
        free(part);
    }
    free(document);
    free(file);
}
END_TEST

/* Each row is a sed edit of a solution and the message that the mistake must cause. */
static const struct {
    const char *lab, *change, *said;
} mistakes[] = {
    {"lab21_scan", "s/t >= stride/t > stride/", "out[1]: got "},
    {"lab21_scan", "/before = t/{n;d}", "data race in shared memory"},
    {"lab21_scan", "s/sums\\[blockIdx.x - 1\\], out/out[i], out/", "1 of 33 elements wrong"},
    {"lab21_scan", "s/if (i < n) out\\[i\\] = x/out[i] = x/", "out of bounds"},
    {"lab21_scan", "s/__global__ void add_sums/__global__ void add_some/", "the file has no kernel"},
    {"lab22_histogram", "s/& 255/\\& 127/", "expected 0; 4 of 256 elements wrong"},
    {"lab22_histogram", "s/atomicAdd(&s\\[in\\[i\\] & 255\\], 1u)/s[in[i] \\& 255]++/", "data race"},
    {"lab22_histogram", "s/atomicAdd(&bins\\[b\\], s\\[b\\])/bins[b] = s[b]/", "data race between blocks"},
    {"lab23_matmul", "s/first += TILE/first += 2 * TILE/", "c["},
    {"lab23_matmul", "/sum += /{n;d}", "data race in shared memory"},
    {"lab23_matmul", "s/u\\[y \\* TILE + x\\]/u[x * TILE + y]/;s/u\\[k \\* TILE + x\\]/u[x * TILE + k]/",
     "extra wavefronts from bank conflicts"},
    {"lab23_matmul", "s/row < side \\&\\& column < side/row < side/", "wrong"},
};
START_TEST(mistakes_are_reported) {
    free(scratch_shell(true,
                       "cd $S && { echo '#define SOLUTION'; sed '%s' solutions/%s/reduce.cu; } > reduce.cu && "
                       "! tail -n +2 reduce.cu | cmp -s - solutions/%s/reduce.cu",
                       mistakes[_i].change, mistakes[_i].lab, mistakes[_i].lab));
    char *text = scratch_shell(
        false,
        "cd $S && CUDA=%s build/grade %.5s --submission reduce.cu %s --no-fix --seed 7 --device sim | tr -s '\\n ' ' '",
        quick_compiler(), mistakes[_i].lab, sandboxed);
    expect(text, mistakes[_i].said);
    ck_assert(!strstr(text, ": 100 of 100 points"));
    free(text);
}
END_TEST
START_TEST(cases_can_be_replayed) {
    free(scratch_shell(true,
                       "cd $S && { echo '#define SOLUTION'; sed 's/if (i < n) out.i. = x/if (i < n \\&\\& i != 4) "
                       "out[i] = x/' solutions/lab21_scan/reduce.cu; } > reduce.cu"));
    char *text = scratch_shell(false,
                               "cd $S && CUDA=%s build/grade lab21 --submission reduce.cu %s --seed 7 --device sim "
                               "--case scan/sum_i32/n=65/block=32 | tr -s '\\n ' ' '",
                               quick_compiler(), sandboxed);
    expect(text, "1 of 1 cases wrong; scan/sum_i32/n=65/block=32: out[4]: never written, expected ");
    expect(text, "; 1 of 65 elements wrong");
    free(text);
}
END_TEST

int main(void) {
    char why[300];
    if (!compiler_find("auto", why, sizeof why)) return printf("SKIP check_add_arrays: neither nvcc nor clang\n"), 0;
    if (access("solutions", R_OK)) return printf("SKIP check_add_arrays: no solutions in this tree\n"), 0;
    sandboxed = sandbox_present(why, sizeof why) ? "" : "--no-sandbox";
    Suite *suite = suite_create("add_arrays");
    TCase *tcase = tcase_create("add_arrays");
    tcase_set_timeout(tcase, 300);
    tcase_add_unchecked_fixture(tcase, add_labs, scratch_free);
    tcase_add_loop_test(tcase, the_solution_has_all_points, 0, LABS);
    tcase_add_loop_test(tcase, skeletons_get_no_points, 0, LABS);
    tcase_add_test(tcase, the_document_shows_the_histogram);
    tcase_add_loop_test(tcase, mistakes_are_reported, 0, sizeof mistakes / sizeof *mistakes);
    tcase_add_test(tcase, cases_can_be_replayed);
    suite_add_tcase(suite, tcase);
    return suite_failures(suite) != 0;
}
