/* The simulator for pages beside our own, over solutions and mistakes: the same result, figures and findings, to the
 * last character. */
/* run: plain, 5 s */
/* reads: grader/live grader/tests/web grader/tests/styles solutions labs common */
#include "live/live.h"
#include "judge/job.h"
#include "tests/live.h"
#include "tests/mistakes.h"
#include "tests/quick.h"

/* Solutions and mistakes: a sample of the rows in `make test`, all with EVERY=1. */
enum { SAMPLE = 60 };
static const uint32_t some_variants =
    1u << 3 | 1u << 13 | 1u << (SCALAR_VARIANTS + 2) | 1u << (SCALAR_VARIANTS + 7) | VARIANTS_IN_ORDER;
static unsigned every = SAMPLE;
static const struct compiler *compiler;

/* Launches of a kernel: one block, several, no elements, and orders of execution. */
static const struct launch {
    uint32_t n, block, grid;
    const char *schedule;
} launches[] = {{64, 32, 1, ""}, {1000, 128, 3, ""}, {0, 64, 2, "falling"}, {257, 64, 2, "warp=1"}};
enum { LAUNCHES = sizeof launches / sizeof *launches };

static void expect_same(const char *name, const char *job) {
    char *ours = live_run(job), *page = live_asks_run(job);
    ck_assert_msg(!strncmp(ours, "{\"end\":", 7), "%s: %.300s", name, ours);
    ck_assert_msg(!strcmp(ours, page), "%s: a page says\n%.1500s\nand here it is\n%.1500s", name, page, ours);
    free(ours), free(page);
}
static void compare_kernels(const struct broken_unit *u, const char *space, const char *name) {
    struct program p = broken_program(u, space);
    for (unsigned k = 0; k < u->lab->kernel_count; k++)
        for (unsigned v = 0; v < VARIANT_COUNT; v++) {
            const char *symbol = p.symbol[k * VARIANT_COUNT + v];
            const struct lab_kernel *kernel = &u->lab->kernels[k];
            const struct launch *l = &launches[(k + v) % LAUNCHES];
            const bool takes = case_kernel_takes(u->lab, kernel, variant_at(v)) && kernel->finish != FINISH_ARRAYS;
            struct grade_case c = {.kernel = kernel,
                                   .variant = variant_at(v),
                                   .n = kernel->finish == FINISH_LEVELS && !l->n ? 1 : l->n,
                                   .block = kernel->only_block ? kernel->only_block : l->block,
                                   .grid = kernel->grid_stride ? l->grid : 0,
                                   .seed = 7 + k};
            sim_schedule_parse(&c.schedule, l->schedule);
            char *job = symbol && takes ? job_print(u->lab->id, &c, symbol, u->text.ptx[0]) : NULL;
            ck_assert(job || !symbol || !takes);
            if (job) expect_same(name, job);
            free(job);
        }
    broken_free_symbols(u, &p);
}
START_TEST(labs_run_alike) {
    const struct lab *lab = lab_rows[_i];
    char *solution = broken_solution(lab), why[2000];
    struct broken_text texts[MISTAKES + 1] = {{"m", solution}};
    const char *names[MISTAKES + 1] = {"solution"};
    struct broken_unit u;
    unsigned count = 1;
    for (unsigned k = 0; k < MISTAKES; k++) {
        if (!broken_is_taken(k, every, mistakes[k].lab, mistakes[k].name) || strcmp(mistakes[k].lab, lab->id)) continue;
        snprintf(texts[count].space, sizeof texts[count].space, "m%u", k);
        names[count] = mistakes[k].name;
        texts[count++].source = text_of(&mistakes[k], solution);
    }
    ck_assert_msg(broken_load(&u, lab, some_variants, compiler, texts, count, why, sizeof why), "%s", why);
    for (unsigned k = 0; k < count; k++) {
        compare_kernels(&u, texts[k].space, names[k]);
        free(texts[k].source);
    }
    broken_free(&u);
}
END_TEST
START_TEST(jobs_that_are_none_are_refused) {
    static const struct {
        const char *job, *why;
    } rows[] = {{"\n", "a line is missing"},
                {"lab lab1\nnonsense 1\n\n", "a line that nobody knows"},
                {"lab\n\n", "a line without a value"},
                {"lab lab1", "a line without a value"},
                {"lab lab1\nname reduce\nsymbol k\ncase reduce/sum_f32/n=1/block=33\n\n", "there is no such case"},
                {"lab lab1\nschedule sideways\n\n", "no such schedule"}};
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
        char *ours = live_run(rows[k].job), *page = live_asks_run(rows[k].job);
        ck_assert_msg(strstr(ours, rows[k].why), "%s", ours);
        ck_assert_str_eq(ours, page);
        free(ours), free(page);
    }
}
END_TEST

int main(void) {
    char why[500];
    if (!live_start()) {
        puts("SKIP check_live: no node here (Debian: nodejs)");
        return 0;
    }
    if (getenv("EVERY")) every = (unsigned)atoi(getenv("EVERY"));
    compiler = compiler_find(quick_compiler(), why, sizeof why);
    Suite *suite = suite_create("live");
    TCase *t = tcase_create("page");
    tcase_set_timeout(t, 600);
    tcase_add_test(t, jobs_that_are_none_are_refused);
    if (compiler)
        tcase_add_loop_test(t, labs_run_alike, 0, (int)lab_row_count);
    else
        printf("SKIP check_live labs: %s\n", why);
    suite_add_tcase(suite, t);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    live_stop();
    return failed != 0;
}
