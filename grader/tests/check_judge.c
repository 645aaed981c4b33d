/* Tests parts of the judge: case names, launch configurations, predictions, the generated translation unit, limits
 * of processes, quoting for a shell, the history, findings with a common cause, and steps in words. */
/* run: sanitized, 3 s */
/* reads: nothing */
#include "compile/source.h"
#include "course/history.h"
#include "judge/case_again.h"
#include "judge/judge.h"
#include "judge/play.h"
#include "sandbox/process.h"
#include "tests/suite.h"
#include <check.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* ---- case names ------------------------------------------------------------------------- */
static const struct {
    const char *lab, *name;
    bool right;
} names[] = {
    {"lab1", "reduce/sum_i32/n=33/block=64", true},
    {"lab3", "reduce_one_block/max_f64/n=0/block=1024", true},
    {"lab3", "reduce/sum_f32/n=100/block=32/rounded", true},
    {"lab4", "reduce/sum_i32/n=33/block=64/grid=5", true},
    {"lab4", "reduce:host/min_f64/n=0/block=32/grid=1", true},
    {"lab4", "reduce:levels/sum_f32/n=100/block=32/rounded", true},
    {"lab4", "reduce_atomic/sum_f32/n=100/block=32/grid=40/rounded", true},
    {"lab5", "reduce_padded/max_i64/n=7/block=32", true},
    {"lab0", "one_level/sum_i32/n=1/block=64", true},
    {"lab9", "reduce/sum_i32/n=33/block=64/grid=5/offset=3", true},
    {"lab9", "reduce/sum_i32/n=33/block=64/grid=5/offset=31", true},
    {"lab9", "reduce/sum_f32/n=33/block=64/grid=5/rounded", true},
    {"lab9", "reduce/sum_f64/n=4096/block=256/grid=1/ordinary", true},
    {"lab1", "reduce/sum_i32/n=999999999/block=32", true},
    {"lab7", "reduce/sum_i32/n=33/block=64/grid=5/launches=9", true},
    {"lab7", "reduce/sum_i32/n=0/block=32/grid=1/launches=3990", true},
    {"lab1", "reduce/sum_i32/n=33/block=64/launches=9", true},
    {"lab0", "one_level/sum_i32/n=33/block=64/launches=2", true},
    {"lab9", "reduce/sum_i32/n=33/block=64/grid=5/launches=9/offset=3", true},
    {"lab3", "reduce/min_f32/n=33/block=64/special=7", true},
    {"lab9", "reduce/sum_i32/n=4096/block=64/grid=5/launches=9/offset=3/special=400", true},
    {"lab7", "reduce/sum_i32/n=33/block=64/grid=5/launches=0", false},
    {"lab7", "reduce/sum_i32/n=33/block=64/grid=5/launches=3991", false},
    {"lab7", "reduce/sum_i32/n=33/block=64/launches=9/grid=5", false},
    {"lab9", "reduce/sum_i32/n=33/block=64/grid=5/offset=3/launches=9", false},
    {"lab3", "reduce/min_f32/n=33/block=64/special=0", false},
    {"lab3", "reduce/min_f32/n=33/block=64/special=401", false},
    {"lab3", "reduce/min_f32/n=4097/block=64/special=1", false},
    {"lab3", "reduce/min_f32/n=33/block=64/special=", false},
    {"lab0", "one_level/sum_i32/n=0/block=64", false},
    {"lab4", "reduce/sum_f32/n=8388608/block=256/grid=5/rounded", true},
    {"lab4", "reduce/sum_f32/n=10000000/block=256/grid=5/rounded", false}, /* too large for an error bound */
    {"lab3", "reduce/sum_f32/n=+33/block=64", false},
    {"lab3", "reduce/sum_f32/n=33/block= 64", false},
    {"lab1", "reduce/sum_i32/n=33/block=64/spare=-1", false},
    {"lab9", "reduce/sum_i32/n=33/block=64/grid=5/offset=0", false},
    {"lab9", "reduce/sum_i32/n=33/block=64/grid=5/offset=32", false},
    {"lab9", "reduce/sum_i32/n=33/block=64/grid=5/offset=", false},
    {"lab7", "reduce/sum_i32/n=33/block=64/grid=5/offset=1", false},
    {"lab4", "reduce/sum_i32/n=33/block=64", false},
    {"lab4", "reduce/sum_i32/n=33/block=64/grid=0", false},
    {"lab4", "reduce/sum_i32/n=33/block=64/grid=2097153", false},
    {"lab4", "reduce/sum_i32/n=33/block=1024/grid=524288", true},
    {"lab4", "reduce/sum_i32/n=33/block=1024/grid=524289", false},
    {"lab4", "reduce/sum_i32/n=33/block=64/grid=5/", false},
    {"lab4", "reduce/sum_i32/n=33/block=64/rounded/grid=5", false},
    {"lab4", "reduce:other/sum_i32/n=33/block=64/grid=5", false},
    {"lab4", "reduce_atomic/product_i32/n=33/block=64/grid=5", false},
    {"lab3", "reduce/sum_i32/n=33/block=64/grid=5", false},
    {"lab5", "reduce_padded/max_i64/n=7/block=64", false},
    {"lab1", "reduce_one_block/sum_i32/n=33/block=64", false},
    {"lab1", "reduce/sum_i16/n=33/block=64", false},
    {"lab1", "reduce/sum_i32/n=33/block=48", false},
    {"lab1", "reduce/sum_i32/n=33/block=2048", false},
    {"lab1", "reduce/sum_i32/n=33/block=0", false},
    {"lab1", "reduce/sum_i32/n=-1/block=32", false},
    {"lab1", "reduce/sum_i32/n=4294967297/block=32", false},
    {"lab1", "reduce/sum_i32/n=9999999999/block=32", false},
    {"lab1", "reduce/sum_i32/n=33/block=64/", false},
    {"lab1", "reduce/sum_i32/n=33/block=64/other", false},
    {"lab1", "reduce/sum_i32/n=33", false},
    {"lab1", "reduce/sum_i32", false},
    {"lab1", "reduce", false},
    {"lab1", "///", false},
    {"lab1", "", false},
};
/* The launch configuration of a tuning file: one thread per 16 bytes, but at most as many blocks as can be resident.
 * If one block suffices, it gets only a quarter of `block_size` threads, but at least 32. */
static const struct {
    struct tuning t;
    const char *variant;
    uint32_t n, multiprocessors, grid, block;
} tunings[] = {
    {{256, 2}, "sum_f32", 0, 132, 1, 64},          {{256, 2}, "sum_f32", 1024, 132, 1, 64},
    {{256, 2}, "sum_f32", 1025, 132, 2, 256},      {{256, 2}, "sum_f64", 1024, 132, 2, 256},
    {{256, 2}, "sum_f32", 1 << 20, 132, 264, 256}, {{1024, 2}, "sum_f32", 1 << 20, 132, 256, 1024},
    {{32, 32}, "max_i64", 4294967295, 3, 96, 32},  {{32, 1}, "min_u32", 130, 3, 2, 32},
    {{64, 1}, "min_u32", 130, 132, 1, 32},         {{1024, 1}, "sum_f64", 2048, 132, 1, 256},
};
START_TEST(tuning_determines_the_launch) {
    uint32_t block, grid;
    struct variant v;
    ck_assert(variant_find(tunings[_i].variant, strlen(tunings[_i].variant), &v));
    tuning_launch(&tunings[_i].t, v, tunings[_i].n, tunings[_i].multiprocessors, &block, &grid);
    ck_assert_uint_eq(grid, tunings[_i].grid);
    ck_assert_uint_eq(block, tunings[_i].block);
}
END_TEST
/* case_lead() is the element before the input. If a kernel includes it in the reduction, the total must be wrong. */
START_TEST(reads_before_the_input_change_results) {
    struct grade_case c = {
        .kernel = lab_find("lab9")->kernels, .variant = variant_at((unsigned)_i), .n = 9, .block = 32};
    union value data[9];
    for (c.seed = 1; c.seed < 20; c.seed++) {
        case_data(&c, data);
        const union value total = reference_reduce(c.variant, data, c.n);
        const bool last = !variant_chooses(c.variant) &&
                          reference_equal(c.variant, total, reference_combine(c.variant, total, total));
        if (last || reference_equal(c.variant, total, case_lead(&c)))
            continue; /* no element could change this total: it is an infinity, NaN, or 0 */
        ck_assert(!reference_equal(c.variant, reference_combine(c.variant, total, case_lead(&c)), total));
    }
}
END_TEST
START_TEST(case_names_are_parsed_and_printed) {
    struct grade_case c;
    char again[128];
    ck_assert_msg(case_parse(lab_find(names[_i].lab), names[_i].name, &c) == names[_i].right, "%s", names[_i].name);
    if (names[_i].right) ck_assert_str_eq(case_name(&c, again, sizeof again), names[_i].name);
}
END_TEST

/* ---- predictions.txt ------------------------------------------------------------------------ */
static const struct {
    const char *text;
    enum prediction answer;
    double value;
} predictions[] = {
    {"", PREDICTION_MISSING, 0},
    {"steps@512: 7\n", PREDICTION_MISSING, 0},
    {"steps@2560: 7\n", PREDICTION_MISSING, 0},
    {"# steps@256: 7\n", PREDICTION_MISSING, 0},
    {"steps@256 7\n", PREDICTION_MISSING, 0},
    {"steps@256: ?\n", PREDICTION_OPEN, 0},
    {"steps@256: 7\n", PREDICTION_GIVEN, 7},
    {"a\n\n  steps@256 :  7.5  # half\r\nb", PREDICTION_GIVEN, 7.5},
    {"steps@256: 7", PREDICTION_GIVEN, 7},
    {"steps@256: 7\r\n", PREDICTION_GIVEN, 7},
    {"steps@256: 7 of 8\n", PREDICTION_BAD, 0},
    {"steps@256: seven\n", PREDICTION_BAD, 0},
    {"steps@256:\n", PREDICTION_BAD, 0},
    {"steps@256:\n12\n", PREDICTION_BAD, 0},
    {"steps@256:", PREDICTION_BAD, 0},
};
START_TEST(predictions_are_parsed) {
    double value = 0;
    const enum prediction p = prediction_find(predictions[_i].text, "steps", 256, &value);
    ck_assert_msg(p == predictions[_i].answer, "`%s`: %d", predictions[_i].text, (int)p);
    if (p == PREDICTION_GIVEN) ck_assert_double_eq(value, predictions[_i].value);
}
END_TEST

/* ---- launches of a case ------------------------------------------------------------------------ */
static const struct {
    const char *lab, *name;
} repeated[] = {{"lab7", "reduce/sum_i32/n=5/block=64/grid=3"},
                {"lab8", "reduce/affine_u32/n=5/block=64/grid=3/turns"},
                {"lab8", "reduce/affine_u32/n=500/block=64/grid=3/turns"},
                {"lab1", "reduce/sum_i32/n=33/block=64/launches=9"}};
/* The buffers have room for the elements of the case. */
START_TEST(no_launch_has_more_elements_than_the_case) {
    struct grade_case c;
    ck_assert_msg(case_parse(lab_find(repeated[_i].lab), repeated[_i].name, &c), "%s", repeated[_i].name);
    for (c.seed = 0; c.seed < 20; c.seed++)
        for (unsigned k = 0; k < 9; k++) ck_assert_uint_le(case_launch(&c, k).n, c.n);
}
END_TEST

/* ---- the translation unit and names in PTX --------------------------------------------------- */
START_TEST(wrapper_has_a_namespace_per_variant) {
    static const char source[] =
        "#include <stdio.h>\n  #  include\t<math.h>\n#include \"reduce.h\"\n// include <no.h>\n";
    char *unit = compile_wrapper(source, 1u << 3 | 1u << 17);
    ck_assert_str_eq(unit, "#include <stdio.h>\n  #  include\t<math.h>\n"
                           "#define REDUCE_OP 0\n#define REDUCE_TYPE 0\n"
                           "#undef REDUCE_OP\n#undef REDUCE_TYPE\n#define REDUCE_OP 0\n#define REDUCE_TYPE 3\n"
                           "namespace sum_f32 {\n#include \"reduce.cu\"\n}\n"
                           "#undef REDUCE_OP\n#undef REDUCE_TYPE\n#define REDUCE_OP 3\n#define REDUCE_TYPE 2\n"
                           "namespace max_i64 {\n#include \"reduce.cu\"\n}\n");
    free(unit);
}
END_TEST
static const struct {
    const char *ptx, *symbol;
} symbols[] = {
    {".visible .entry _ZN7sum_i326reduceEPKiPij(\n", "_ZN7sum_i326reduceEPKiPij"},
    {".visible .entry _ZN7sum_i3216reduce_one_blockEPKiPij(\n.visible .entry _ZN7sum_i326reduceEPKiPij(\n",
     "_ZN7sum_i326reduceEPKiPij"},
    {".visible .entry _Z6reducePKiPij(", "_Z6reducePKiPij"},
    {".visible .entry reduce(", "reduce"},
    {".visible .entry reduce_one_block(", NULL},
    {".visible .entry _ZN7sum_u326reduceEPKjPjj(", NULL},
    {".visible .func _ZN7sum_i326reduceEPKiPij(", NULL},
    {"", NULL},
};
START_TEST(kernels_are_found_by_name) {
    char out[64] = "";
    const bool found = compiled_symbol(symbols[_i].ptx, variant_at(0), "reduce", out, sizeof out);
    ck_assert_msg(found == (symbols[_i].symbol != NULL), "%s", symbols[_i].ptx);
    if (found) ck_assert_str_eq(out, symbols[_i].symbol);
}
END_TEST

/* Macros that one variant leaves defined must not change the next one. */
START_TEST(wrapper_forgets_macros) {
    static const char source[] =
        "#ifndef MINE\n # define MINE\n#define add(a, b) a\n//#define NO\n%:define LAST 1\n#endif\n";
    char *unit = compile_wrapper(source, 1);
    ck_assert_str_eq(unit, "#define REDUCE_OP 0\n#define REDUCE_TYPE 0\n"
                           "#ifdef MINE\n#define REDUCE_NOTED_MINE\n#endif\n"
                           "#ifdef add\n#define REDUCE_NOTED_add\n#endif\n"
                           "#ifdef LAST\n#define REDUCE_NOTED_LAST\n#endif\n"
                           "#undef REDUCE_OP\n#undef REDUCE_TYPE\n#define REDUCE_OP 0\n#define REDUCE_TYPE 0\n"
                           "namespace sum_i32 {\n#include \"reduce.cu\"\n}\n"
                           "#ifndef REDUCE_NOTED_MINE\n#undef MINE\n#endif\n"
                           "#ifndef REDUCE_NOTED_add\n#undef add\n#endif\n"
                           "#ifndef REDUCE_NOTED_LAST\n#undef LAST\n#endif\n");
    free(unit);
}
END_TEST
static const struct {
    const char *text, *without;
} once_texts[] = {
    {"#pragma once\nint x;\n", "#pragma     \nint x;\n"},
    {"// #pragma once\n%: pragma\tonce // twice\n", "// #pragma once\n%: pragma\t     // twice\n"},
    {"f(__TIME__, __DATE__[3], __TIMESTAMP__);", "f(\"00:00:00\", \"Jan  1 1970\"[3], \"Thu Jan  1 00:00:00 1970\");"},
    {"x__TIME__ __TIME__x \"a\\\"__TIME__\" '\"' /* don't __DATE__ */ __TIME__ // __DATE__\n__TIME__",
     "x__TIME__ __TIME__x \"a\\\"__TIME__\" '\"' /* don't __DATE__ */ \"00:00:00\" // __DATE__\n\"00:00:00\""},
    {"1'000 __TIME__\n__TIME__ /* __TIME__", "1'000 __TIME__\n\"00:00:00\" /* __TIME__"},
    {"\"\\", "\"\\"},
    {"#pragma unroll\n#pragma once_more\n#once\n", "#pragma unroll\n#pragma once_more\n#once\n"},
};
START_TEST(once_and_the_clock_have_no_effect) {
    char *text = source_to_compile(once_texts[_i].text);
    ck_assert_str_eq(text, once_texts[_i].without);
    free(text);
}
END_TEST

/* ---- processes ------------------------------------------------------------------------------ */
static const struct {
    const char *script;
    struct process_limits limits;
    enum process_end end;
    int status;
    const char *output;
} processes[] = {
    {"echo a; echo b >&2; exit 3", {0}, PROCESS_EXITED, 3, "a\nb\n"},
    {"echo $TMPDIR", {.temporary = "TMPDIR=/else/where"}, PROCESS_EXITED, 0, "/else/where\n"},
    {"kill -9 $$", {0}, PROCESS_KILLED, SIGKILL, ""},
    {"sleep 20", {.wall_seconds = 1}, PROCESS_TIMED_OUT, SIGKILL, ""},
    {"sleep 20 & sleep 20", {.wall_seconds = 1}, PROCESS_TIMED_OUT, SIGKILL, ""},
    {"exec >&- 2>&-; sleep 20", {.wall_seconds = 1}, PROCESS_TIMED_OUT, SIGKILL, ""},
    {"echo 123456789", {.output_bytes = 4}, PROCESS_EXITED, 0, "1234"},
    {"cat", {0}, PROCESS_EXITED, 0, ""},
};
START_TEST(processes_are_limited) {
    const char *const argv[] = {"sh", "-c", processes[_i].script, NULL};
    struct process_result r = process_run(argv, &processes[_i].limits);
    ck_assert_int_eq(r.end, processes[_i].end);
    ck_assert_int_eq(r.status, processes[_i].status);
    ck_assert_str_eq(r.output, processes[_i].output);
    free(r.output);
}
END_TEST

/* ---- quoting for a shell; findings with a common cause ----------------------------------------- */
START_TEST(shell_words_survive_a_shell) {
    static const char *const words[] = {"", "a/b.cu", "a b", "it's", "$(x)`y`\"\\", "''", "*", "a;b\nc"};
    char quoted[64], script[100];
    snprintf(script, sizeof script, "printf %%s %s", shell_word(words[_i], quoted, sizeof quoted));
    const char *const argv[] = {"sh", "-c", script, NULL};
    struct process_result r = process_run(argv, &(struct process_limits){0});
    ck_assert_str_eq(r.output, words[_i]);
    free(r.output);
    char small[12]; /* a word that does not fit is cut and then quoted */
    shell_word("it's a long file name", small, sizeof small);
    ck_assert(strlen(small) < sizeof small && small[strlen(small) - 1] == '\'');
}
END_TEST
START_TEST(findings_are_reported_once) {
    json_t *all = json_loads("[{\"kind\":\"race\",\"at\":{\"file\":\"f\",\"line\":3},\"count\":2}]", 0, NULL);
    json_t *more = json_loads("[{\"kind\":\"race\",\"at\":{\"file\":\"f\",\"line\":3},\"count\":5},"
                              "{\"kind\":\"race\",\"at\":{\"file\":\"f\",\"line\":4},\"count\":1},"
                              "{\"kind\":\"trap\",\"at\":{\"file\":\"f\",\"line\":3},\"count\":1}]",
                              0, NULL);
    findings_merge(all, more);
    ck_assert_int_eq((int)json_array_size(all), 3);
    ck_assert_int_eq(json_integer_value(json_object_get(json_array_get(all, 0), "count")), 7);
    json_decref(all);
    json_decref(more);
}
END_TEST

/* The history keeps at most 100 runs. Entries that are not runs are dropped. */
START_TEST(history_keeps_runs) {
    char folder[] = "/tmp/check-history-XXXXXX", path[100];
    ck_assert(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/lab1.json", folder);
    FILE *f = fopen(path, "w");
    ck_assert(
        f &&
        fputs("[{\"time\":1,\"score\":5},{\"time\":\"x\",\"score\":5},7,{\"time\":2,\"score\":6,\"more\":1}]", f) >= 0);
    fclose(f);
    for (int k = 0; k < 102; k++) {
        json_t *record = json_pack("{s:{s:s}, s:i, s:[{s:{s:{s:i}}}, {s:{s:f}}]}", "lab", "id", "lab1", "score", k,
                                   "tests", "student", "counts", "divergent_tree_steps", 4, "modeled", "cycles", 2.5);
        history_add(record, folder);
        const json_t *runs = json_object_get(record, "history");
        const size_t count = json_array_size(runs);
        const json_t *last = json_array_get(runs, count - 1), *first = json_array_get(runs, 0);
        ck_assert_uint_eq(count, k < 98 ? (size_t)k + 2 : 100);
        ck_assert_int_eq(json_integer_value(json_object_get(last, "score")), k);
        ck_assert_int_eq(json_integer_value(json_object_get(last, "divergent")), 4);
        if (k == 0) ck_assert_int_eq(json_integer_value(json_object_get(first, "score")), 5);
        json_decref(record);
    }
    f = fopen(path, "w");
    ck_assert(f && fputs("[[[", f) >= 0);
    fclose(f);
    json_t *record = json_pack("{s:{s:s}, s:i}", "lab", "id", "lab1", "score", 9);
    history_add(record, folder);
    ck_assert_uint_eq(json_array_size(json_object_get(record, "history")), 1);
    json_decref(record);
    unlink(path);
    rmdir(folder);
}
END_TEST

/* Findings, some with a common cause. root: the line of the finding that causes this one, or 0. gone: lines of
 * findings that a fix removes. */
static const struct {
    const char *gone;
    struct {
        const char *kind;
        int line, rank;
        const char *object, *kernel, *severity;
        int root;
    } finding[3];
} rooted[] = {
    {"", {{"race", 9, 14, "s", "a/", "error", 0}, {"bounds", 5, 20, "in", "a/", "error", 0}}},
    {"", {{"race", 9, 14, "s", "a/", "error", 0}, {"race", 12, 14, "s", "a/", "error", 9}}},
    /* the finding with the lowest rank is the root */
    {"", {{"stale", 12, 20, "s", "a/", "error", 9}, {"race", 9, 14, "s", "a/", "error", 0}}},
    {"", {{"race", 9, 14, "s", "a/", "error", 0}, {"race", 12, 14, "s", "b/", "error", 0}}}, /* of another kernel */
    {"", {{"race", 9, 14, "s", "a/", "error", 0}, {"race", 12, 30, "s", "a/", "warning", 0}}},
    {"", {{"barrier", 9, 3, NULL, "a/", "error", 0}, {"barrier", 12, 3, NULL, "a/", "error", 9}}},
    {"", {{"barrier", 9, 3, NULL, "a/", "error", 0}, {"exit", 12, 4, NULL, "a/", "error", 0}}},
    {"9 5", {{"race", 9, 14, "s", "a/", "error", 0}, {"bounds", 5, 20, "in", "a/", "error", 9}}},
    {"9", {{"race", 9, 14, "s", "a/", "error", 0}, {"bounds", 5, 20, "in", "a/", "error", 0}}},
    {"9 5", /* the fix does not remove the finding at line 7, although it is about the same array */
     {{"race", 9, 14, "s", "a/", "error", 0},
      {"bounds", 5, 20, "in", "a/", "error", 9},
      {"bounds", 7, 20, "in", "a/", "error", 0}}},
};
START_TEST(findings_of_one_cause_have_a_root) {
    json_t *record = json_object(), *list = json_array(), *gone = json_array();
    unsigned count = 0;
    for (; count < 3 && rooted[_i].finding[count].kind; count++) {
        const char *object = rooted[_i].finding[count].object;
        json_t *f = json_pack("{s:s, s:s, s:i, s:s, s:{s:i}}", "kind", rooted[_i].finding[count].kind, "severity",
                              rooted[_i].finding[count].severity, "rank", rooted[_i].finding[count].rank, "case",
                              rooted[_i].finding[count].kernel, "at", "line", rooted[_i].finding[count].line);
        if (object) json_object_set_new(f, "object", json_string(object));
        json_array_append_new(list, f);
        char line[10];
        snprintf(line, sizeof line, "%d", rooted[_i].finding[count].line);
        if (strstr(rooted[_i].gone, line))
            json_array_append_new(gone, json_pack("{s:s, s:i}", "kind", rooted[_i].finding[count].kind, "line",
                                                  rooted[_i].finding[count].line));
    }
    json_object_set_new(record, "fix", json_pack("{s:o}", "findings", gone));
    json_object_set_new(record, "tests", json_pack("[{s:o}]", "findings", list));
    judge_group(record);
    for (unsigned k = 0; k < count; k++)
        ck_assert_int_eq(json_integer_value(json_object_get(json_object_get(json_array_get(list, k), "root"), "line")),
                         rooted[_i].finding[k].root);
    json_decref(record);
}
END_TEST

/* A wrong prediction is shown with the right value only when copying this value no longer gains points. */
static const struct {
    int other;           /* points for all checks except the predictions, of 90 */
    bool answered, past; /* answered: whether all questions are answered; past: whether the deadline has passed */
    bool told;
} concealed[] = {{90, true, false, true},
                 {89, true, false, false},
                 {0, true, true, true},
                 {0, false, true, false},
                 {90, false, false, false}};
START_TEST(wrong_predictions_hide_the_answer) {
    json_t *record =
        json_pack("{s:[{s:i, s:i}, {s:i, s:i, s:[{s:b, s:f, s:f}, {s:b, s:f, s:f}, {s:b}]}]}", "tests", "points",
                  concealed[_i].other, "max_points", 90, "points", 3, "max_points", 10, "predictions", "right", 1,
                  "predicted", 1.0, "counted", 1.0, "right", 0, "predicted", 2.0, "counted", 3.0, "right", 0);
    json_t *rows = json_object_get(json_array_get(json_object_get(record, "tests"), 1), "predictions");
    if (concealed[_i].answered) json_array_remove(rows, 2);
    predictions_conceal(record, concealed[_i].past);
    ck_assert(json_object_get(json_array_get(rows, 0), "counted"));
    ck_assert_int_eq(json_object_get(json_array_get(rows, 1), "counted") != NULL, concealed[_i].told);
    json_decref(record);
}
END_TEST

/* ---- steps in words ------------------------------------------------------------------------- */
/* Accesses of one step may be on several lines. */
START_TEST(each_access_has_its_line) {
    json_t *player =
        json_pack("{s:[{s:s, s:[s, s]}], s:[{s:i, s:[{s:i, s:i, s:[i, i], s:s}, {s:i, s:i, s:[i, i], s:s}]}]}",
                  "arrays", "name", "s", "first", "7", "7", "steps", "line", 20, "moves", "thread", 0, "line", 4,
                  "write", 0, 0, "value", "1", "thread", 1, "line", 20, "write", 0, 1, "value", "0");
    json_t *lines = play_lines(player, 9);
    ck_assert_str_eq(json_string_value(json_array_get(lines, 0)),
                     "line 4, thread 0: writes s[0] = 1; line 20, thread 1: writes s[1] = 0");
    json_decref(player), json_decref(lines);
}
END_TEST

#define LOOP(test, rows) tcase_add_loop_test(tcase, test, 0, sizeof rows / sizeof *rows)
int main(void) {
    Suite *suite = suite_create("judge");
    TCase *tcase = tcase_create("judge");
    tcase_set_timeout(tcase, 300);
    LOOP(case_names_are_parsed_and_printed, names);
    LOOP(wrong_predictions_hide_the_answer, concealed);
    LOOP(findings_of_one_cause_have_a_root, rooted);
    LOOP(tuning_determines_the_launch, tunings);
    LOOP(no_launch_has_more_elements_than_the_case, repeated);
    tcase_add_loop_test(tcase, reads_before_the_input_change_results, 0, OWN_VARIANT);
    LOOP(predictions_are_parsed, predictions);
    tcase_add_test(tcase, wrapper_has_a_namespace_per_variant);
    tcase_add_test(tcase, wrapper_forgets_macros);
    LOOP(once_and_the_clock_have_no_effect, once_texts);
    LOOP(kernels_are_found_by_name, symbols);
    LOOP(processes_are_limited, processes);
    tcase_add_loop_test(tcase, shell_words_survive_a_shell, 0, 8);
    tcase_add_test(tcase, findings_are_reported_once);
    tcase_add_test(tcase, history_keeps_runs);
    tcase_add_test(tcase, each_access_has_its_line);
    suite_add_tcase(suite, tcase);
    return suite_failures(suite) != 0;
}
