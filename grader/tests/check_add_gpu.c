/* Tests that one file with a table adds a GPU to the cost model. A copy of the kit with such a file must list the
 * GPU, model its time, and include it in the documentation. A table without one of the constants must not compile. */
/* run: plain, apart, 10 s */
#include "tests/quick.h"
#include "tests/scratch.h"
#include "tests/suite.h"
#include <jansson.h>

#define TABLES "$S/grader/model/gpus/gpus.def"

/* Adds the table of an RTX 4090 with half the DRAM throughput. */
static void add_table(void) {
    free(scratch_shell(true, "sed -n '/^GPU(rtx4090/,/^END(rtx4090)/p' " TABLES
                             " | sed 's/rtx4090/slow4090/; s/dram_throughput, 365/dram_throughput, 182/' > $S/table && "
                             "grep -q '_throughput, 182' $S/table && sed -i '/^END(rtx4090)/r '$S/table " TABLES));
}
static double modeled_us(const char *gpu) {
    char *text = scratch_shell(true,
                               "cd $S && CUDA=%s build/grade ladder --gpu %s --rows C5 -n 4194304 --device sim "
                               "--json $S/ladder.json >/dev/null && cat $S/ladder.json",
                               quick_compiler(), gpu);
    json_t *record = json_loads(text, 0, NULL), *row = json_array_get(json_object_get(record, "rows"), 0);
    const double us = json_number_value(json_object_get(row, "modeled_us"));
    ck_assert_msg(us > 0, "%.3000s", text);
    json_decref(record);
    free(text);
    return us;
}
static void expect(char *text, const char *said) {
    ck_assert_msg(strstr(text, said), "no `%s` in %.3000s", said, text);
    free(text);
}
START_TEST(gpus_are_tables) {
    add_table();
    scratch_touched("a GPU of the cost model");
    scratch_build("CFLAGS=-O0");
    expect(scratch_shell(true, "$S/build/grade lab1 --gpu help"), "  slow4090   NVIDIA GeForce RTX 4090, ");
    expect(scratch_shell(true, "$S/build/grade ladder --gpu help"), "  h200       NVIDIA H200 SXM, ");
    expect(scratch_shell(false, "$S/build/grade lab1 --gpu rtx 2>&1; echo status $?"), "has no GPU `rtx`");
    expect(scratch_shell(false, "$S/build/grade lab1 --gpu rtx 2>&1; echo status $?"), "\nstatus 2\n");
    expect(scratch_shell(true, "$S/build/grade --gpus-doc"), "\n## `--gpu slow4090`: ");
    /* At 920 GB/s, reading 16 MiB takes 18 us; at half the throughput, twice as long. */
    const double fast = modeled_us("rtx4090"), slow = modeled_us("slow4090"), h200 = modeled_us("h200");
    ck_assert_double_gt(fast, 18);
    ck_assert_double_gt(slow, fast + 16);
    ck_assert_double_lt(slow, fast + 20);
    ck_assert_double_lt(h200, fast);
}
END_TEST
START_TEST(a_table_has_every_constant) {
    static const char compile[] = "cd $S && gcc -std=gnu11 -fsyntax-only -Igrader grader/model/gpus/gpu.c 2>&1";
    free(scratch_shell(true, "%s", compile));
    free(scratch_shell(true, "sed -i '0,/^VALUE(l2_latency.*/s///' " TABLES));
    expect(scratch_shell(false, "%s", compile), "gpus.def: h200 lacks a constant");
}
END_TEST
/* --gpu must not affect points. Only figures that the grader displays, but does not grade, may differ. */
START_TEST(points_use_the_default_gpu) {
    char *text = scratch_shell(true,
                               "for gpu in h200 rtx4090; do CUDA=%s ${GRADE:-build/grade} lab4 --solution --seed 7 "
                               "--device sim --quiet --gpu $gpu --json $S/$gpu.json >/dev/null; done; "
                               "cat $S/h200.json; printf '\\n\\f'; cat $S/rtx4090.json",
                               quick_compiler());
    char *second = strchr(text, '\f');
    json_t *plain = json_loads(text, JSON_DISABLE_EOF_CHECK, NULL), *named = json_loads(second + 1, 0, NULL);
    ck_assert(plain && named);
    size_t k;
    json_t *t;
    unsigned shown = 0;
    json_array_foreach(json_object_get(named, "tests"), k, t) {
        const json_t *on = json_object_get(t, "modeled_on");
        if (on) ck_assert_str_eq(json_string_value(json_object_get(on, "gpu")), "NVIDIA GeForce RTX 4090");
        shown += on != NULL;
        json_object_del(t, "modeled_on");
        json_object_del(t, "seconds");
        json_object_del(json_array_get(json_object_get(plain, "tests"), k), "seconds");
    }
    ck_assert_uint_eq(shown, 1);
    ck_assert(json_equal(json_object_get(plain, "tests"), json_object_get(named, "tests")));
    ck_assert(json_equal(json_object_get(plain, "score"), json_object_get(named, "score")));
    json_decref(plain), json_decref(named);
    free(text);
}
END_TEST

int main(void) {
    char why[300];
    if (!compiler_find("auto", why, sizeof why)) return printf("SKIP check_add_gpu: neither nvcc nor clang\n"), 0;
    if (access("solutions", R_OK)) return printf("SKIP check_add_gpu: no solutions in this tree\n"), 0;
    Suite *suite = suite_create("add_gpu");
    TCase *tcase = tcase_create("add_gpu");
    tcase_set_timeout(tcase, 300);
    tcase_add_unchecked_fixture(tcase, scratch_make, scratch_free);
    tcase_add_test(tcase, gpus_are_tables);
    tcase_add_test(tcase, a_table_has_every_constant);
    tcase_add_test(tcase, points_use_the_default_gpu);
    suite_add_tcase(suite, tcase);
    return suite_failures(suite) != 0;
}
