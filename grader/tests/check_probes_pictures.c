/* Tests the data for pictures with handmade events: moves of threads and accesses of warps. The moved values require
 * a running simulator, so check_schema and check_web test them. */
/* reads: nothing */
#include "stage.h"
#include "tests/suite.h"
#include <stdio.h>

enum { ALL = -1 };

/* Returns a description of move k, whose elements are floats, such as "1.0 t3 line 9: in[0] in[32] -> s[3]". */
static const char *told(unsigned k) {
    static char text[300];
    const struct move *m = &moves_of(&stage.m)->item[k];
    ck_assert_msg(k < moves_of(&stage.m)->count, "no move %u", k);
    int used = snprintf(text, sizeof text, "%u.%u t%u line %u:", m->barrier, m->sync, m->thread, m->line);
    for (unsigned n = 0; n < m->reads; n++)
        used += snprintf(text + used, sizeof text - (size_t)used, " %s[%u]",
                         moves_of(&stage.m)->array[m->read[n].array].name, (unsigned)m->read[n].offset / 4);
    if (m->writes)
        used += snprintf(text + used, sizeof text - (size_t)used, " -> %s[%u]",
                         moves_of(&stage.m)->array[m->write.array].name, (unsigned)m->write.offset / 4);
    if (m->from >= 0) snprintf(text + used, sizeof text - (size_t)used, " from t%d", m->from);
    return text;
}

START_TEST(reads_belong_to_the_write_that_follows) {
    stage_begin(MEASURE_MOVES);
    stage_launch(2, 32);
    stage_touch(0, 0, 8, 1, SIM_LOAD, "in", 4, 0, 1);
    stage_touch(0, 0, 8, 2, SIM_LOAD, "in", 4, 32, 1);
    stage_touch(0, 0, 8, 3, SIM_STORE, "s", 4, 0, 1);
    stage_touch(1, 0, 1, 3, SIM_STORE, "s", 4, 0, 1); /* another block */
    stage_barrier(0, 4);
    stage_touch(0, 0, 1, 5, SIM_LOAD, "s", 4, 7, 1);
    stage_sync(0, 0, 6, (uint32_t)ALL, SIM_SYNCWARP); /* the load belongs to the step before */
    stage_touch(0, 0, 1, 7, SIM_ATOMIC, "out", 4, 0, 1);
    stage_end_launch();
    stage_finish();
    ck_assert_uint_eq(moves_of(&stage.m)->count, 3);
    ck_assert_str_eq(told(0), "0.0 t3 line 4: in[3] in[35] -> s[3]");
    ck_assert_str_eq(told(1), "1.0 t0 line 6: s[7]");
    ck_assert_str_eq(told(2), "1.1 t0 line 8: out[0] -> out[0]");
    ck_assert_uint_eq(moves_of(&stage.m)->arrays, 3);
    ck_assert_uint_eq(moves_of(&stage.m)->array[1].size, 2048);
    stage_free();
}
END_TEST

START_TEST(only_the_first_launch_is_drawn) {
    stage_begin(MEASURE_MOVES | MEASURE_ACCESSES);
    for (unsigned k = 0; k < 2; k++) {
        stage_launch(1, 32);
        stage_touch(0, 0, 1, 1 + k, SIM_STORE, "out", 4, 0, 1);
        stage_end_launch();
    }
    stage_finish();
    ck_assert_uint_eq(moves_of(&stage.m)->count, 1);
    ck_assert_uint_eq(accesses_of(&stage.m)->count, 1);
    ck_assert_uint_eq(accesses_of(&stage.m)->item[0].line, 2);
    stage_free();
}
END_TEST

/* For each line and object, the probe keeps the access of the lowest warp and, if another access is less efficient, the
 * least efficient one. */
START_TEST(first_and_worst_access_of_a_line) {
    stage_begin(MEASURE_ACCESSES);
    stage_launch(1, 96);
    stage_touch(0, 1, (uint32_t)ALL, 9, SIM_LOAD, "in", 4, 32, 1);
    stage_touch(0, 0, (uint32_t)ALL, 9, SIM_LOAD, "in", 4, 0, 1);
    stage_touch(0, 2, (uint32_t)ALL, 9, SIM_LOAD, "in", 4, 0, 8);
    stage_touch(0, 0, 0xff, 5, SIM_STORE, "s", 4, 0, 32);
    stage_touch(0, 0, 0xff, 5, SIM_STORE, "s", 4, 0, 1);
    stage_end_launch();
    stage_finish();
    const struct access_row *a = accesses_of(&stage.m)->item;
    ck_assert_uint_eq(accesses_of(&stage.m)->count, 3);
    ck_assert(a[0].line == 6 && a[0].space == PTX_SHARED && a[0].wavefronts == 8 && a[0].ideal == 1 &&
              a[0].mask == 0xff);
    ck_assert_uint_eq(a[0].offset[3], 3 * 128);
    ck_assert(a[1].line == 10 && a[1].warp == 0 && a[1].sectors == 4 && a[1].ideal == 4);
    ck_assert(a[2].line == 10 && a[2].warp == 2 && a[2].sectors == 32 && a[2].ideal == 4);
    ck_assert_str_eq(a[2].object, "in");
    ck_assert_uint_eq(a[2].offset[31], 31 * 32);
    stage_free();
}
END_TEST

static Suite *suite(void) {
    Suite *s = suite_create("probes_pictures");
    TCase *t = tcase_create("pictures");
    tcase_add_test(t, reads_belong_to_the_write_that_follows);
    tcase_add_test(t, only_the_first_launch_is_drawn);
    tcase_add_test(t, first_and_worst_access_of_a_line);
    suite_add_tcase(s, t);
    return s;
}
int main(void) { return suite_failures(suite()) != 0; }
