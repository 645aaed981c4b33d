/* Tests the command as a user types it: its output and its exit status. */
/* run: plain, 66 s */
/* reads: grade labs solutions common */
#include "tests/effort.h"
#include "tests/files.h"
#include "compile/compiler.h"
#include "sandbox/process.h"
#include "tests/quick.h"
#include "tests/suite.h"
#include <check.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *grade_path;
static char folder[] = "/tmp/check-grade-XXXXXX";
static const struct process_limits limits = {.wall_seconds = 300, .output_bytes = 1 << 20};

/* ---- running ----------------------------------------------------------------------------------------------------- */
struct run {
    int status;
    char *output;
};
static struct run grade(const char *words) {
    const char *argv[32] = {grade_path};
    char copy[1024];
    snprintf(copy, sizeof copy, "%s", words);
    unsigned n = 1;
    for (char *save = NULL, *w = strtok_r(copy, " ", &save); w && n < 31; w = strtok_r(NULL, " ", &save)) argv[n++] = w;
    struct process_result p = process_run(argv, &limits);
    ck_assert_msg(p.end == PROCESS_EXITED, "grade %s did not exit", words);
    return (struct run){p.status, p.output};
}
/* Replaces each run of spaces and newlines with one space, because a sentence may be wrapped anywhere. */
static char *unbroken(const char *text) {
    char *out = calloc(1, strlen(text) + 1), *end = out;
    for (; *text; text++) {
        const bool blank = *text == ' ' || *text == '\n';
        if (!blank || (end > out && end[-1] != ' ')) *end++ = blank ? ' ' : *text;
    }
    return out;
}
/* Asserts the exit status and that the output contains `text`, regardless of line breaks. */
static void expect_grade(const struct run *r, const char *words, int status, const char *text) {
    char *have = unbroken(r->output), *want = unbroken(text ? text : "");
    ck_assert_msg(r->status == status, "grade %s: exit %d, expected %d\n%.1500s", words, r->status, status, r->output);
    ck_assert_msg(strstr(have, want), "grade %s: no `%s` in\n%.1500s", words, text, r->output);
    free(have);
    free(want);
}

/* ---- the command line -------------------------------------------------------------------------------------------- */
static const struct {
    const char *words;
    int status;
    const char *text;
} commands[] = {
    {"--help", 0, "Exit status 0: full credit"},
    {"--version", 0, "grade 1.0"},
    {"--list", 0, "lab2   compacted_tree"},
    {"--ptx-doc", 0, "| `shfl.sync` |"},
    {"--findings-doc", 0, "| [`race-warp`](#race-warp) |"},
    {"", 2, "no lab given"},
    {"lab1 lab2", 2, "unexpected `lab2`"},
    {"lab77", 2, "no lab `lab77`"},
    {"lab1 --nonsense", 2, "unrecognized option"},
    {"lab1 --seed abc", 2, "--seed must be a number"},
    {"lab1 --block 48", 2, "--block must be a power of two"},
    {"lab1 --device toaster", 2, "no device `toaster`"},
    {"lab1 --compiler tcc", 2, "no compiler `tcc`"},
    {"lab1 --case reduce/sum_i32", 2, "a case is KERNEL/OPERATOR_TYPE/n=N/block=M"},
    {"lab1 --case reduce/sum_f16/n=3/block=32", 2, "no case"},
    {"lab1 --solution --submission x.cu", 2, "cannot be combined"},
    {"lab1 --device cuda", 3, "there is no NVIDIA driver on this machine"},
    {"lab1 --submission /nowhere/reduce.cu", 3, "this file does not exist"},
    {"lab1", 1, "TODO 1"},
    {"lab2", 1, "0 of 100 points"},
    {"lab3 --quiet", 1, "lab3: 0 of 100 points\nFirst: labs/lab3_shared_block/reduce.cu, line 14: TODO 1"},
    {"lab1 --compile-only", 0, "labs/lab1_interleaved_tree/reduce.cu compiles"},
    {"lab1 --solution", 0, "10 of 11 tree steps diverge"},
    {"lab2 --solution", 0, "5 of 11 tree steps diverge"},
    {"all --quiet --size 65", 1, "First: labs/lab11_cluster/reduce.cu, line "},
    {"lab2 --solution --quiet --size 65", 0,
     "lab2: the selected cases are correct; there is no grade, because only these cases were run"},
    {"lab7 --solution --grid 3 --size 65", 0, "the selected cases are correct; there is no grade"},
    {"lab4 --grid 5000", 2, "--grid must be a number from 1 to 4096"},
    {"lab4 --case reduce/sum_i32/n=3/block=32", 2, "such as reduce/sum_i32/n=33/block=64/grid=5"},
    {"lab3 --solution --size 777 --block 64", 0, "the selected cases are correct; there is no grade"},
};
START_TEST(commands_have_expected_status_and_output) {
    if (!strstr(commands[_i].words, "--solution")) setenv("CUDA", quick_compiler(), 1);
    struct run r = grade(commands[_i].words);
    expect_grade(&r, commands[_i].words, commands[_i].status, commands[_i].text);
    ck_assert_msg(!strchr(r.output, '\033'), "color in output that is not a terminal");
    free(r.output);
}
END_TEST

/* ---- submissions ------------------------------------------------------------------------------------------------- */
/* Students' mistakes: solutions in which `to` replaces `from`, the exit status, and texts in the report. */
static const struct {
    const char *name, *lab, *from, *to;
    int status;
    const char *texts[4];
} mistakes[] = {
    {"no barrier in the loop",
     "lab3",
     "s[t + stride]);\n        __syncthreads();",
     "s[t + stride]);",
     1,
     {"data race in shared memory", "reduce.cu:20", "no __syncthreads()", "--case reduce/"}},
    {"barrier inside the branch",
     "lab1",
     "        }\n        __syncthreads();",
     "            __syncthreads();\n        }",
     1,
     {"barrier that only some threads reach", "reduce.cu:17: ", "wait at line 17; threads 1, 3, ", NULL}},
    {"identity is 0", "lab3", "identity()", "0", 1, {"identity() is not 0 for this operator", NULL}},
    {"a call without its parentheses",
     "lab1",
     "__syncthreads();",
     "__syncthreads;",
     1,
     {"the compiler warns: expression has no effect", "| __syncthreads;", "a call needs parentheses", NULL}},
    {"two errors, of which one has no fix",
     "lab1",
     "unsigned t = threadIdx.x;",
     "unsigned t = ThreadIdx.x + nothing();",
     4,
     {"did you mean `threadIdx`", "an edit corrects this error; 1 more error remains", NULL}},
    {"a syntax error",
     "lab1",
     "unsigned t = threadIdx.x;",
     "unsigned t = threadIdx.x",
     4,
     {"error", "reduce.cu(", "does not build: 0 of 100 points",
      "there is no semicolon after `unsigned t = threadIdx.x`"}},
};
static void break_solution(unsigned k, char *path, size_t size) {
    static const char *const folders[] = {"lab1_interleaved_tree", "lab2_compacted_tree", "lab3_shared_block"};
    char source[200];
    snprintf(source, sizeof source, "solutions/%s/reduce.cu", folders[mistakes[k].lab[3] - '1']);
    char *text = read_file(source), *broken = calloc(1, 1 << 17), *end = broken;
    end += sprintf(end, "#define SOLUTION\n");
    unsigned changed = 0;
    for (const char *at = text; *at;) {
        const size_t n = strlen(mistakes[k].from);
        if (!strncmp(at, mistakes[k].from, n))
            end += sprintf(end, "%s", mistakes[k].to), at += n, changed++;
        else
            *end++ = *at++;
    }
    ck_assert_msg(changed > 0, "%s: no text to replace in %s", mistakes[k].name, source);
    snprintf(path, size, "%s/mistake%u", folder, k);
    mkdir(path, 0755);
    snprintf(path, size, "%s/mistake%u/reduce.cu", folder, k);
    write_file(path, broken, (size_t)(end - broken));
    free(text);
    free(broken);
}
static void option_of(const char *replay, const char *option, char *out, size_t size) {
    const char *at = strstr(replay, option);
    ck_assert_msg(at != NULL, "no %s in %s", option, replay);
    at += strlen(option) + 1;
    snprintf(out, size, "%.*s", (int)strcspn(at, " \n"), at);
}
/* Tests one mistake for each kind of failure. mistakes.def has the findings and points of all mistakes, and
 * check_beginner tests fixes. A search for a fix takes longer than the grade. The grader therefore searches only in
 * the first row and in files that do not compile. */
START_TEST(mistakes_are_found_and_replayed) {
    const unsigned row = (unsigned)_i;
    char path[200], words[500], seed[40], name[100];
    break_solution(row, path, sizeof path);
    snprintf(words, sizeof words, "%s --submission %s%s", mistakes[row].lab, path,
             row && mistakes[row].status == 1 ? " --no-fix" : "");
    struct run r = grade(words);
    expect_grade(&r, mistakes[row].name, mistakes[row].status, NULL);
    ck_assert_msg(!strstr(r.output, "namespace") && !strstr(r.output, "unit.cu"),
                  "%s: the translation unit appears in\n%.1500s", mistakes[row].name, r.output);
    for (unsigned k = 0; k < 4 && mistakes[row].texts[k]; k++)
        expect_grade(&r, mistakes[row].name, mistakes[row].status, mistakes[row].texts[k]);
    ck_assert_msg(!strstr(r.output, "100 of 100"), "%s: full credit", mistakes[row].name);
    const char *replay = strstr(r.output, "replay: ");
    if (replay) { /* the printed command must reproduce the failure */
        option_of(replay, "--seed", seed, sizeof seed);
        option_of(replay, "--case", name, sizeof name);
        snprintf(words, sizeof words, "%s --submission %s --seed %s --case %s", mistakes[row].lab, path, seed, name);
        struct run again = grade(words);
        expect_grade(&again, words, 1, "not all correct");
        free(again.output);
    }
    free(r.output);
}
END_TEST

static bool have(const char *compiler) {
    char why[400];
    return compiler_find(compiler, why, sizeof why) != NULL;
}

/* Each --hint on the same submission shows one more level of the fix. A different file starts at the first level.
 * The test uses a file that does not build, because a search for other fixes takes longer. EVERY=1 uses the first
 * mistake. */
START_TEST(each_hint_on_a_submission_shows_more) {
    static const struct {
        unsigned file;
        const char *hints;
        bool idea, edit;
    } rows[] = {{0, " --hint", true, false},
                {1, " --hint", true, false},
                {0, "", false, false},
                {0, " --hint", true, true},
                {1, " --hint --hint", true, true}}; /* level 2 is the last */
    char path[2][200], cache[200], words[500];
    const unsigned of = getenv("EVERY") ? 0 : sizeof mistakes / sizeof *mistakes - 1;
    if (have("nvrtc")) setenv("CUDA", "nvrtc", 1); /* with `auto`, nvcc would compile the file again, five times */
    break_solution(of, path[0], sizeof path[0]);
    char *text = read_file(path[0]);
    snprintf(path[1], sizeof path[1], "%s/other.cu", folder), write_file(path[1], text, strlen(text));
    snprintf(cache, sizeof cache, "%s/cache", folder), setenv("GRADE_CACHE", cache, 1);
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
        snprintf(words, sizeof words, "%s --quiet --seed 1 --submission %s%s", mistakes[of].lab, path[rows[k].file],
                 rows[k].hints);
        struct run r = grade(words);
        ck_assert_msg((strstr(r.output, "Idea:") != NULL) == rows[k].idea, "row %u: %s", k, r.output);
        ck_assert_msg((strstr(r.output, "\n  + ") != NULL) == rows[k].edit, "row %u: %s", k, r.output);
        free(r.output);
    }
    free(text);
}
END_TEST

/* The grader compiles a file several times in one translation unit. An include guard must not hide the other copies,
 * and a macro at the end of the file must not change them. */
START_TEST(macros_end_with_the_file) {
    char path[200], words[300];
    char *solution = read_file("solutions/lab3_shared_block/reduce.cu"), *text = NULL;
    snprintf(path, sizeof path, "%s/guarded.cu", folder);
    const int length = asprintf(&text,
                                "#pragma once\n#ifndef MINE\n#define MINE\n#define SOLUTION\n%s\n"
                                "#define __syncthreads() __syncwarp()\n#endif\n",
                                solution);
    write_file(path, text, (size_t)length);
    snprintf(words, sizeof words, "lab3 --submission %s --no-fix", path);
    struct run r = grade(words);
    expect_grade(&r, words, 1, "lab3: 90 of 100 points"); /* without predictions */
    free(r.output), free(text), free(solution);
}
END_TEST

/* Only a path to a regular text file is accepted. Otherwise, the message names the reason. */
START_TEST(only_regular_text_files_are_graded) {
    static const char *const kinds[] = {"link", "fifo", "folder", "nul", "large"};
    static const char *const texts[] = {"is a symbolic link", "is a pipe (FIFO)", "is a folder", "contains NUL bytes",
                                        "is larger than 1024 KiB"};
    char path[200], words[300];
    snprintf(path, sizeof path, "%s/%s.cu", folder, kinds[_i]);
    char *big = calloc(1, 2 << 20);
    switch (_i) {
    case 0: ck_assert_int_eq(symlink("/etc/passwd", path), 0); break;
    case 1: ck_assert_int_eq(mkfifo(path, 0644), 0); break;
    case 2: ck_assert_int_eq(mkdir(path, 0755), 0); break;
    case 3: write_file(path, "a\0b", 3); break;
    default: memset(big, ' ', 2 << 20), write_file(path, big, 2 << 20); break;
    }
    free(big);
    snprintf(words, sizeof words, "lab1 --submission %s", path);
    struct run r = grade(words);
    expect_grade(&r, words, 4, texts[_i]);
    free(r.output);
}
END_TEST

/* ---- machine output ---------------------------------------------------------------------------------------------- */
/* The record must not depend on the number of compiler processes. */
START_TEST(json_is_the_same_for_a_seed) {
    setenv("GRADE_CORES", "2", 1);
    struct run a = grade("lab3 --solution --seed 42 --json -");
    setenv("GRADE_CORES", "1", 1);
    struct run b = grade("lab3 --solution --seed 42 --json -");
    ck_assert_int_eq(a.status, 0);
    ck_assert_str_eq(a.output, b.output);
    json_error_t error;
    json_t *record = json_loads(a.output, 0, &error);
    ck_assert_msg(record != NULL, "%s", error.text);
    ck_assert_str_eq(json_string_value(json_object_get(record, "schema")), "reduction-labs/result/3");
    ck_assert_int_eq(json_integer_value(json_object_get(record, "score")), 100);
    json_decref(record);
    free(a.output);
    free(b.output);
}
END_TEST
/* Returns the points and findings of a grade. They must not depend on the compiler. */
static json_t *verdict(const char *words) {
    struct run r = grade(words);
    json_t *record = json_loads(r.output, 0, NULL), *out = json_array(), *t, *f;
    size_t k, n;
    ck_assert_msg(record != NULL, "%s", r.output);
    json_array_foreach(json_object_get(record, "tests"), k, t) {
        json_array_append_new(
            out, json_pack("{s:O, s:O}", "id", json_object_get(t, "id"), "points", json_object_get(t, "points")));
        json_array_foreach(json_object_get(t, "findings"), n, f)
            json_array_append_new(out, json_pack("{s:O, s:O}", "kind", json_object_get(f, "kind"), "line",
                                                 json_object_get(json_object_get(f, "at"), "line")));
    }
    json_decref(record);
    free(r.output);
    return out;
}
static const char *const others[] = {"nvrtc", "clang"}; /* compared with nvcc */
START_TEST(compilers_agree) {
    char path[200], words[300], by[2][400];
    static const int of_mistakes[] = {-6, 0, 1}; /* index in `mistakes`; -6: the solution of lab 6 */
    const int of = of_mistakes[_i / 2];
    const char *const compilers[] = {"nvcc", others[_i % 2]};
    if (!have(compilers[1])) return (void)printf("SKIP check_grade compilers_agree: no %s\n", compilers[1]);
    if (of < 0)
        snprintf(words, sizeof words, "lab%d --solution", -of);
    else {
        break_solution((unsigned)of, path, sizeof path);
        snprintf(words, sizeof words, "%s --submission %s", mistakes[of].lab, path);
    }
    json_t *v[2];
    for (unsigned k = 0; k < 2; k++) {
        snprintf(by[k], sizeof by[k], "%s --seed 9 --no-fix --json - --compiler %s", words, compilers[k]);
        v[k] = verdict(by[k]);
    }
    char *x = json_dumps(v[0], JSON_INDENT(1)), *y = json_dumps(v[1], JSON_INDENT(1));
    ck_assert_msg(json_equal(v[0], v[1]), "nvcc:\n%s\n%s:\n%s", x, compilers[1], y);
    free(x);
    free(y);
    json_decref(v[0]);
    json_decref(v[1]);
}
END_TEST

/* Environment modules and packages put a script into PATH, which calls the compiler in another folder. The sandbox
 * must make this folder visible. */
START_TEST(nvcc_wrapper_scripts_are_resolved) {
    static const char text[] = "#error in the submission\n";
    char why[200], script[PATH_MAX + 40], path[100], words[300], *old = strdup(getenv("PATH"));
    const struct compiler *nvcc = compiler_find("nvcc", why, sizeof why);
    char *program = compiler_program(nvcc), *toolkit = compiler_toolkit(nvcc, program);
    int length = toolkit ? snprintf(script, sizeof script, "#!/bin/sh\nexec %s/bin/nvcc \"$@\"\n", toolkit)
                         : snprintf(script, sizeof script, "#!/bin/sh\nexec %s \"$@\"\n", program);
    snprintf(path, sizeof path, "%s/bin", folder);
    ck_assert(!mkdir(path, 0777));
    snprintf(path, sizeof path, "%s/bin/nvcc", folder);
    write_file(path, script, (size_t)length);
    ck_assert(!chmod(path, 0755));
    snprintf(path, sizeof path, "%s/bin:/usr/bin:/bin", folder);
    setenv("PATH", path, 1);
    char *found = compiler_toolkit(nvcc, path), *of_script;
    ck_assert_ptr_null(found); /* no such program */
    free(program);
    program = compiler_program(nvcc), of_script = compiler_toolkit(nvcc, program);
    ck_assert_msg(of_script && strstr(script, of_script), "%s tells %s", program, of_script);
    snprintf(path, sizeof path, "%s/scripted.cu", folder);
    write_file(path, text, sizeof text - 1);
    snprintf(words, sizeof words, "lab1 --submission %s", path);
    struct run r = grade(words);
    setenv("PATH", old, 1);
    expect_grade(&r, words, 4, "in the submission");
    free(r.output), free(program), free(toolkit), free(of_script), free(old);
}
END_TEST

/* While the command waits for its seed, `make` replaces or deletes its executable. The compiler and the simulator run
 * as child processes of the command, and must still run the original program. */
START_TEST(command_survives_its_replacement) {
    static const char script[] =
        "cp \"$GRADE\" $T/grade; mkfifo $T/seed; f=labs/lab1_interleaved_tree/reduce.cu; "
        "echo 7 | GRADE_CACHE=$T/c1 $T/grade lab1 --submission $f --seed - --json $T/calm --quiet; "
        "GRADE_CACHE=$T/c2 $T/grade lab1 --submission $f --seed - <$T/seed --json $T/wild --quiet & "
        "exec 3>$T/seed; until [ \"$(readlink /proc/$!/exe)\" = $T/grade ]; do sleep .01; done; rm $T/grade; eval "
        "\"$REPLACE\"; echo 7 >&3; exec 3>&-; wait $!; status=$?; "
        "cmp $T/calm $T/wild || exit 98; ls -d /tmp/grade-$!-* 2>/dev/null && exit 97; exit $status";
    static const char *const replace[] = {"true", "echo 'exit 99' >$T/grade; chmod +x $T/grade"};
    char of[60];
    snprintf(of, sizeof of, "%s/replaced%d", folder, _i);
    ck_assert(!mkdir(of, 0777));
    setenv("T", of, 1), setenv("GRADE", grade_path, 1);
    setenv("REPLACE", replace[_i], 1);
    const char *const argv[] = {"sh", "-c", script, NULL};
    struct process_result r = process_run(argv, &limits);
    ck_assert_msg(r.end == PROCESS_EXITED && r.status == 1, "%d\n%s", r.status, r.output);
    free(r.output);
}
END_TEST

int main(void) {
    grade_path = getenv("GRADE") ? getenv("GRADE") : "./grade";
    if (!have("auto")) return printf("SKIP check_grade: no compiler\n"), 0;
    if (!mkdtemp(folder)) return 1;
    Suite *suite = suite_create("grade");
    TCase *tcase = tcase_create("grade");
    tcase_set_timeout(tcase, 300);
    add_rows(tcase, commands_have_expected_status_and_output, sizeof commands / sizeof *commands, 3);
    add_rows(tcase, mistakes_are_found_and_replayed, sizeof mistakes / sizeof *mistakes, 3);
    tcase_add_test(tcase, each_hint_on_a_submission_shows_more);
    tcase_add_test(tcase, macros_end_with_the_file);
    tcase_add_loop_test(tcase, only_regular_text_files_are_graded, 0, 5);
    tcase_add_test(tcase, json_is_the_same_for_a_seed);
    add_rows(tcase, command_survives_its_replacement, 2, 2);
    if (have("nvcc"))
        tcase_add_test(tcase, nvcc_wrapper_scripts_are_resolved);
    else
        printf("SKIP check_grade nvcc_wrapper_scripts_are_resolved: needs nvcc\n");
    if (have("nvcc"))
        add_rows(tcase, compilers_agree, 3 * sizeof others / sizeof *others, 6);
    else
        printf("SKIP check_grade compilers_agree: needs nvcc\n");
    suite_add_tcase(suite, tcase);
    const int failed = suite_failures(suite);
    const char *const clean[] = {"rm", "-rf", folder, NULL};
    free(process_run(clean, &limits).output);
    return failed != 0;
}
