/* Tests the parsers for the output of ncu and compute-sanitizer. The logs are from an H200 (grader/tests/hardware).
 * Logs that the test damages may give any result, but must not crash the parsers. */
/* run: sanitized */
/* reads: grader/tests/hardware */
#include "tests/files.h"
#include "hardware/hardware.h"
#include "tests/suite.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER "grader/tests/hardware/"
static char *text_of(const char *name) {
    char path[200];
    snprintf(path, sizeof path, FOLDER "%s", name);
    return read_file(path);
}

/* ---- ncu ------------------------------------------------------------------------------------ */
static const struct {
    const char *log;
    double value[COUNTERS]; /* the expected value of each counter */
} tables[] = {
    {"shared_tree.csv", {128256, 2851328, 2048, 128, 0, 8192, 128, 0, 9856, 9856, 0, 10240, 0, 12.03}},
    {"conflicts.csv", {57738, 1551735, 2049, 18, 16, 8194, 18, 16, 6669, 10374, 1785, 5336, 17, 12.49}},
};
START_TEST(tables_are_parsed) {
    struct counters c;
    char message[200], *text = text_of(tables[_i].log);
    ck_assert_msg(ncu_parse(text, &c, message, sizeof message), "%s", message);
    ck_assert_uint_eq(c.kernels, 1);
    ck_assert_str_eq(c.gpu, "NVIDIA H200");
    ck_assert_str_eq(c.compute_capability, "9.0");
    for (unsigned k = 0; k < COUNTERS; k++)
        ck_assert_msg(c.known[k] && c.value[k] == tables[_i].value[k], "%s: counter %u is %f, not %f", tables[_i].log,
                      k, c.value[k], tables[_i].value[k]);
    free(text);
}
END_TEST
#define HEAD "\"ID\",\"CC\",\"smsp__inst_executed.sum\",\"sm__warps_active.avg.pct_of_peak_sustained_active\"\n"
static const struct {
    const char *text, *message; /* NULL if the log can be parsed */
    double instructions;        /* negative: unknown */
} odd[] = {
    {"", "ncu printed no table", 0},
    {"==ERROR== nothing\n", "ncu printed no table", 0},
    {"\"ID\",", "ncu profiled no kernel", 0},
    {HEAD, "ncu profiled no kernel", 0},
    {HEAD "\"\",\"\",\"inst\",\"%\"\n", "ncu profiled no kernel", 0},
    {HEAD "\"0\",\"9.0\",\"1,234\",\"50\"\n", NULL, 1234},
    {HEAD "\"0\",\"9.0\",\"1,234\",\"50\"", NULL, 1234},
    {HEAD "\"0\",\"9.0\",\"1,234\",\"50\"\r\n", NULL, 1234},
    {"==PROF== hello\n" HEAD "\"\",\"\",\"inst\",\"%\"\n==WARNING== x\n\"0\",\"9.0\",\"7\",\"50\"\n", NULL, 7},
    {HEAD "\"0\",\"9.0\",\"7\",\"50\"\n\"1\",\"9.0\",\"8\",\"50\"\n", NULL, 7},
    {HEAD "\"0\",\"9,\"\"0\",\"7\",\"50\"\n", NULL, 7},
    {HEAD "\"0\",\"9.0\",\"n/a\",\"50\"\n", NULL, -1},
    {HEAD "\"0\",\"9.0\",\"\",\"50\"\n", NULL, -1},
    {HEAD "\"0\",\"9.0\",\"-4\",\"50\"\n", NULL, -1},
    {HEAD "\"0\",\"9.0\",\"nan\",\"50\"\n", NULL, -1},
    {HEAD "\"0\",\"9.0\",\"1e30\",\"50\"\n", NULL, -1},
    {HEAD "\"0\",\"9.0\",\"7\"\n", "ncu's table is truncated", 0},
    {HEAD "\"0\",\"9.0\",\"7\"\n\"1\",\"9.0\",\"8\",\"50\"\n", "ncu's table is truncated", 0},
    {HEAD "\"0\",\"9.0\",\"7\",\"50\",\"9\"\n", "ncu's table is truncated", 0},
    {HEAD "\"0\",\"9.0\",\"7", "ncu's table is truncated", 0},
};
START_TEST(damaged_tables_are_reported) {
    struct counters c;
    char message[200];
    const bool read = ncu_parse(odd[_i].text, &c, message, sizeof message);
    ck_assert_msg(read == !odd[_i].message, "`%s`: %s", odd[_i].text, message);
    if (!read) ck_assert_str_eq(message, odd[_i].message);
    if (!read) return;
    ck_assert_int_eq(c.known[COUNTER_INSTRUCTIONS], odd[_i].instructions >= 0);
    if (odd[_i].instructions >= 0) ck_assert(c.value[COUNTER_INSTRUCTIONS] == odd[_i].instructions);
}
END_TEST
START_TEST(requested_counters_are_unique) {
    const char *all = ncu_metrics();
    ck_assert_ptr_eq(all, ncu_metrics());
    ck_assert(!strncmp(all, "smsp__inst_executed.sum,", 24) && all[strlen(all) - 1] != ',');
    for (const char *s = all; s; s = strchr(s, ','), s += s != NULL) {
        char word[100];
        snprintf(word, sizeof word, "%.*s", (int)strcspn(s, ","), s);
        const char *again = strstr(s + 1, word);
        ck_assert_msg(!again || again[strlen(word)] != ',', "%s twice", word);
    }
}
END_TEST

/* ---- compute-sanitizer ---------------------------------------------------------------------- */
static const struct {
    const char *log;
    bool ended;
    unsigned count;                /* number of kinds of findings */
    struct sanitizer_report first; /* all zero if `count` is 0 */
} logs[] = {
    {"all_lanes_write_one_racecheck.log", true, 0, {""}},
    {"deadlock_count_too_high_memcheck.log", false, 0, {""}},
    {"null_output_racecheck.log", true, 0, {""}},
    {"guard_with_less_or_equal_initcheck.log", true, 0, {""}},
    {"tree_no_barrier_in_loop_racecheck.log",
     true,
     1,
     {"Error: Race reported: Read and Write", "tree_no_barrier_in_loop.cu", 12, 12, 128}},
    {"warp_synchronous_racecheck.log",
     true,
     2,
     {"Warning: Race reported: Write and Read", "warp_synchronous.cu", 12, 12, 76}},
    {"guard_with_less_or_equal_memcheck.log",
     true,
     1,
     {"Invalid __global__ read of size 4 bytes", "guard_with_less_or_equal.cu", 10, 0, 1}},
    {"partial_of_no_block_initcheck.log",
     true,
     1,
     {"Uninitialized __global__ memory read of size 4 bytes", "partial_of_no_block.cu", 12, 0, 1}},
    {"syncwarp_mask_without_caller_synccheck.log",
     true,
     1,
     {"Barrier error detected. Invalid arguments", "syncwarp_mask_without_caller.cu", 8, 0, 32}},
    {"local_array_past_its_end_memcheck.log",
     true,
     1,
     {"Invalid __local__ write of size 16 bytes", "local_array_past_its_end.cu", 9, 0, 32}},
};
START_TEST(logs_are_parsed) {
    struct sanitizer_reports r;
    char *text = text_of(logs[_i].log);
    sanitizer_parse(text, &r);
    ck_assert_msg(r.ended == logs[_i].ended && r.count == logs[_i].count, "%s: %u kinds, ended %d", logs[_i].log,
                  r.count, r.ended);
    ck_assert_uint_eq(r.dropped, 0);
    if (r.count) {
        const struct sanitizer_report *a = &r.item[0], *b = &logs[_i].first;
        ck_assert_str_eq(a->title, b->title);
        ck_assert_str_eq(a->file, b->file);
        ck_assert_uint_eq(a->line, b->line);
        ck_assert_uint_eq(a->other, b->other);
        ck_assert_uint_eq(a->count, b->count);
    }
    free(text);
}
END_TEST
#define L "========= "
static const struct {
    const char *text, *title;
    unsigned line;
} strange[] = {
    {L "\n" L "     at kernel in x.cu:7\n" L "Something new.\n", "Something new", 0},
    {L "Odd\n" L "    at kernel()+0x10 in a b/c d.cu:12\n", "Odd", 12},
    {L "Odd\n" L "    at kernel()+0x10 in nowhere\n", "Odd", 0},
    {L "Odd\n" L "    at kernel()+0x10 in x.cu:\n", "Odd", 0},
    {L "Odd\n" L "    at in :\n", "Odd", 0},
    {L "Error: Race reported between\n" L "    and Write access at\n", "Error: Race reported between", 0},
    {L "Program hit CUDA_ERROR_INVALID_VALUE (error 1) on CUDA API call to cuLaunchKernel.\n",
     "Program hit CUDA_ERROR_INVALID_VALUE (error 1) on CUDA API call to cuLaunchKernel", 0},
};
START_TEST(unusual_logs_are_parsed) {
    struct sanitizer_reports r;
    sanitizer_parse(strange[_i].text, &r);
    ck_assert_uint_eq(r.count, 1);
    ck_assert_str_eq(r.item[0].title, strange[_i].title);
    ck_assert_uint_eq(r.item[0].line, strange[_i].line);
}
END_TEST

/* ---- damaged logs --------------------------------------------------------------------------- */
static uint32_t next(uint32_t *state) { return *state = *state * 1664525 + 1013904223; }
static void read_both(const char *text) {
    struct counters c;
    struct sanitizer_reports r;
    char message[200];
    ncu_parse(text, &c, message, sizeof message);
    sanitizer_parse(text, &r);
    ck_assert(r.count <= MAX_REPORTS && memchr(message, 0, sizeof message));
}
/* Parses truncated logs, and logs with changed bytes, joined lines, missing quotation marks, or missing brackets. */
START_TEST(damaged_logs_do_not_crash) {
    enum { TABLES = sizeof tables / sizeof *tables, CHANGES = 60 };
    char *text = text_of(_i < TABLES ? tables[_i].log : logs[_i - TABLES].log);
    const size_t n = strlen(text);
    uint32_t random = 1 + (uint32_t)_i;
    for (unsigned k = 0; k < CHANGES; k++) {
        char *copy = strdup(text);
        for (unsigned change = 0; change < 1 + k % 8; change++) {
            static const char put[] = "\",\n=: [A0\x80-";
            copy[next(&random) / 7 % n] = put[next(&random) / 7 % (sizeof put - 1)];
        }
        if (k % 3) copy[next(&random) / 7 % n] = 0;
        read_both(copy);
        free(copy);
    }
    char *long_line = calloc(1, 1 << 16);
    snprintf(long_line, 1 << 16, "========= Error: Race reported between %040000d access at x in y:1\n%.20000s", 1,
             text);
    read_both(long_line);
    free(long_line);
    free(text);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("hardware");
    TCase *t = tcase_create("hardware");
    const int table_count = sizeof tables / sizeof *tables, log_count = sizeof logs / sizeof *logs;
    tcase_add_loop_test(t, tables_are_parsed, 0, table_count);
    tcase_add_loop_test(t, damaged_tables_are_reported, 0, sizeof odd / sizeof *odd);
    tcase_add_test(t, requested_counters_are_unique);
    tcase_add_loop_test(t, logs_are_parsed, 0, log_count);
    tcase_add_loop_test(t, unusual_logs_are_parsed, 0, sizeof strange / sizeof *strange);
    tcase_add_loop_test(t, damaged_logs_do_not_crash, 0, table_count + log_count);
    suite_add_tcase(suite, t);
    return suite_failures(suite) != 0;
}
