/* Tests `--hardware` from end to end without a GPU. Fake versions of ncu and compute-sanitizer print logs from an
 * H200. In the scripts, $GRADE is the command and $T a temporary folder. $T/bin comes first in PATH, and $H is the
 * folder of logs. */
/* run: plain, 5 s */
/* reads: grade labs solutions */
/* reads: grader/tests/hardware grader/tests/run grader/tests/launch.awk grader/tests/right_kernels */
#include "sandbox/process.h"
#include "tests/effort.h"
#include "tests/suite.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/check-hardware-XXXXXX";

/* Shell functions. `says NAME COMMANDS` creates a program that runs COMMANDS, which may use $log. `ncu LOG` and
 * `sanitizer LOG` create programs that print the log. */
#define TOOLS                                                                                                          \
    "H=grader/tests/hardware; PATH=$T/bin:$PATH; mkdir -p $T/bin $T/d; rm -f $T/bin/*;"                                \
    "says() { printf '#!/bin/sh\\n[ \"$1\" = --version ] && { echo \"Version 7.8.9 (build 1)\"; exit 0; }\\n"          \
    "case $1 in --tool) t=$2 ;; *) t=ncu ;; esac\\n"                                                                   \
    "while [ \"$1\" != --log-file ]; do shift; done; log=$2\\n%s\\n' \"$2\" >$T/bin/$1; chmod +x $T/bin/$1; };"        \
    "ncu() { says ncu \"cp $PWD/$H/$1 \\$log\"; };"                                                                    \
    "sanitizer() { says compute-sanitizer \"cp $PWD/$H/$1_\\$t.log \\$log 2>/dev/null || "                             \
    "cp $PWD/$H/all_lanes_write_one_racecheck.log \\$log\"; };"
#define SUM                                                                                                            \
    "\"$GRADE\" run grader/tests/run/kernels.ptx sum --grid 2 --block 64 --arg 'float[128]:iota' --arg "               \
    "'float[2]:out' --arg 128 --hardware"
/* Compares a record of `make diff-gpu` for the program `sum` with a list of allowed differences. */
#define JUDGE(list)                                                                                                    \
    "; mkdir -p $T/d/launch; rm -f $T/d/launch/*; >$T/d/launch/sum.counts; printf '" list "\\n' >$T/list;"             \
    "$(dirname \"$GRADE\")/diff_gpu $T/d $T/list"
#define RECORD SUM "=ncu --json $T/d/sum.counts.json >/dev/null"
/* Runs a case of lab 3 under a fake tool that saves the elements. ELEMENTS prints them in ascending order. */
#define LAB3(variant)                                                                                                  \
    TOOLS "says compute-sanitizer \"for w; do case \\$w in --arg=*@*) cp \\${w#*@} \\$T/data.bin ;; esac; done; "      \
          "cp $PWD/$H/null_output_racecheck.log \\$log\"; \"$GRADE\" lab3 --solution --hardware=racecheck --case "     \
          "reduce/" variant "/n=1000/block=256/"
#define ELEMENTS "od -An -v -td4 -w4 $T/data.bin | sort -n | "
static const struct {
    const char *script;
    int status;
    const char *text, *second;
} rows[] = {
    {SUM "=nvprof", 2, "no tool `nvprof`: the tools are result, ncu, memcheck,", NULL},
    {SUM "=", 2, "no tool ``", NULL},
    {"\"$GRADE\" all --hardware", 2, "--hardware takes one lab", NULL},
    {"\"$GRADE\" lab1 --hardware --html x.html", 2, "--hardware writes its record only with --json", NULL},
    {SUM " --step", 2, "--hardware cannot be combined with --trace or --step", NULL},
    {"\"$GRADE\" lab1 --hardware --op x.h", 2, "--hardware takes one lab", NULL},
    {"\"$GRADE\" run nowhere.ptx sum --hardware", 3, "nowhere.ptx: No such file", NULL},
    {"\"$GRADE\" run grader/tests/run/kernels.ptx none --hardware", 2, "no kernel `none`", NULL},
    {TOOLS "ncu shared_tree.csv; " SUM "=ncu", 0, "NVIDIA H200, compute capability 9.0\nncu 7.8.9\n",
     "divergent branches"},
    {TOOLS "ncu shared_tree.csv; sanitizer none; " SUM "=ncu,memcheck,racecheck,synccheck,initcheck", 0,
     "racecheck: nothing", "simulator: nothing"},
    /* elements of the case special=1, and elements given with --values */
    {LAB3("sum_i32") "special=1 >/dev/null; " ELEMENTS "sed -n '1p;$p'", 0, "-2147483648\n", " 2147483647\n"},
    {LAB3("sum_i32") "special=1 --values 5..1004 >/dev/null; " ELEMENTS "sed -n '1p;$p'", 0, "          5\n",
     "       1004\n"},
    /* more than 300 elements are within 8 of the limit of i32, where all of them are the same float */
    {LAB3("min_i32") "special=5 >/dev/null; " ELEMENTS "awk '$1 <= -2147483640 { n++ } END { print (n > 300) }'", 0,
     "1\n", NULL},
    {LAB3("sum_i32") "special=399", 2, "name a case from a report on this file", NULL},
    {"\"$GRADE\" lab3 --solution --hardware=racecheck --case reduce/sum_i32/n=99999999/block=256", 2,
     "--hardware takes cases of at most 256 MiB: choose a smaller one with --size", NULL},
    {TOOLS "sanitizer tree_no_barrier_in_loop; " SUM "=racecheck", 1,
     "Error: Race reported: Read and Write, tree_no_barrier_in_loop.cu:12 (128\n      times)",
     "It detects races in shared"},
    {TOOLS "says ncu 'echo \"==ERROR== ERR_NVGPUCTRPERM - no permission\" >$log'; " SUM "=ncu", 3,
     "NVreg_RestrictProfilingToAdminUsers=0", "--cap-add=SYS_ADMIN"},
    {TOOLS "says ncu 'echo \"==ERROR== ERR_NVGPUCTRPERM - no permission\"'; " SUM "=ncu", 3,
     "NVreg_RestrictProfilingToAdminUsers=0", NULL},
    {TOOLS "says ncu 'echo \"==ERROR== no such metric\" >$log'; " SUM "=ncu", 3, "no such metric", NULL},
    {TOOLS "says ncu true; " SUM "=ncu", 3, "ended without printing a summary", NULL},
    {TOOLS "says ncu \"case \\\" \\$* \\\" in *' --cooperative '*) cp $PWD/$H/shared_tree.csv \\$log ;; esac\"; " SUM
           "=ncu --cooperative",
     0, "NVIDIA H200, compute capability 9.0", NULL},
    {"awk -f grader/tests/launch.awk grader/tests/right_kernels/grid_sync_two_stages.cu", 0, "\n--cooperative\n", NULL},
    {TOOLS "says compute-sanitizer 'echo \"grade run: there is no NVIDIA driver\"; "
           "echo \"========= ERROR SUMMARY: 0 errors\" >$log'; " SUM "=memcheck,initcheck",
     3, "memcheck:\n      there is no NVIDIA driver", "initcheck: the same"},
    {TOOLS "says compute-sanitizer 'echo \"kernel k cannot be launched: invalid argument\"; "
           "echo \"========= ERROR SUMMARY: 0 errors\" >$log'; " SUM "=memcheck",
     3, "memcheck:\n      invalid argument", NULL},
    {TOOLS "says compute-sanitizer 'echo \"========= Error: Device not supported\" >$log'; " SUM "=memcheck", 3,
     "Device not supported", NULL},
    {TOOLS "ncu shared_tree.csv; " SUM "=ncu --json - | grep -c '\"warp_instructions\": 128256'", 0, "1\n", NULL},
    {TOOLS "ncu shared_tree.csv; " SUM "=ncu --json /nowhere/r.json", 3, "/nowhere/r.json: cannot be written", NULL},
    {TOOLS "ncu shared_tree.csv; \"$GRADE\" lab3 --solution --hardware=ncu --seed 1", 0,
     "lab3 reduce/sum_i32/n=65536/block=256: the first launch", "accesses to global memory            2176"},
    {TOOLS "ncu conflicts.csv; \"$GRADE\" lab9 --solution --hardware=ncu --case "
           "reduce/sum_f64/n=99/block=64/grid=4/offset=1",
     0, "lab9 reduce/sum_f64/n=99/block=64/grid=4/offset=1", "1785"},
    {TOOLS "ncu conflicts.csv; \"$GRADE\" lab8 --solution --hardware=ncu --case "
           "reduce/matrix_u32/n=999/block=64/grid=4",
     0, "lab8 reduce/matrix_u32/n=999/block=64/grid=4", NULL},
    {TOOLS "ncu conflicts.csv; \"$GRADE\" lab4 --solution --hardware=ncu --case "
           "reduce_atomic/min_i32/n=999/block=64/grid=4",
     0, "lab4 reduce_atomic/min_i32/n=999/block=64/grid=4", NULL},
    {TOOLS "ncu conflicts.csv; \"$GRADE\" lab0 --solution --hardware=ncu --case one_level/sum_i32/n=999/block=64", 0,
     "lab0 one_level/sum_i32/n=999/block=64", "grid 8, block 64"},
    {TOOLS "mkdir -p $T/d; ncu conflicts.csv; " RECORD JUDGE(""), 1,
     "sum: requests differ: 6 on the simulator, 2083 by", "0 agree, 0 differ as listed in"},
    {TOOLS "ncu conflicts.csv; " RECORD JUDGE("## What differs\n| `s*` | requests |\n| `sum` | sectors |"), 1,
     "sum: sectors differ, as listed: 18", "0 agree, 2 differ as listed in"},
    {TOOLS "ncu conflicts.csv; " RECORD JUDGE("## What differs\n| `sum` | requests |\n| `sum` | sectors |\n"
                                              "| `sum` | wavefronts |\n| `x` | bits |"),
     0, "0 agree, 3 differ as listed", "x: bits are listed as different, but are equal"},
    {TOOLS "ncu conflicts.csv; " RECORD JUDGE("| `*` | requests |\n| `*` | sectors |\n| `*` | passes |"), 1,
     "3 differ otherwise", NULL},
    {TOOLS "mkdir -p $T/d; rm -f $T/d/*.json; true" JUDGE(""), 1, "sum.counts: not run: see", "1 were not run"},
    {TOOLS "echo nonsense >$T/r.cu; \"$GRADE\" run $T/r.cu k --hardware", 4, "nonsense", NULL},
};
START_TEST(scripts_have_expected_output) {
    const char *const argv[] = {"sh", "-c", rows[_i].script, NULL};
    const struct process_limits limits = {.wall_seconds = 60};
    const struct process_result p = process_run(argv, &limits);
    ck_assert_msg(p.end == PROCESS_EXITED && p.status == rows[_i].status, "%s: exit %d, expected %d\n%.2000s",
                  rows[_i].script, p.status, rows[_i].status, p.output);
    ck_assert_msg(strstr(p.output, rows[_i].text), "%s: no `%s` in\n%.2000s", rows[_i].script, rows[_i].text, p.output);
    ck_assert_msg(!rows[_i].second || strstr(p.output, rows[_i].second), "%s: no `%s` in\n%.2000s", rows[_i].script,
                  rows[_i].second, p.output);
    free(p.output);
}
END_TEST
/* If tools are missing, the message names their packages. */
START_TEST(missing_tools_are_reported) {
    char *found = process_find("ncu");
    if (found || !access("/usr/local/cuda/bin/ncu", X_OK)) return free(found);
    const char *const argv[] = {"sh", "-c", SUM, NULL};
    const struct process_limits limits = {.wall_seconds = 60};
    const struct process_result p = process_run(argv, &limits);
    ck_assert_int_eq(p.status, 3);
    ck_assert_msg(strstr(p.output, "cuda-nsight-compute-13-0") && strstr(p.output, "cuda-sanitizer-13-0"), "%s",
                  p.output);
    free(p.output);
}
END_TEST

int main(void) {
    if (!getenv("GRADE")) return puts("SKIP check_hardware_run: run it through make test"), 0;
    setenv("T", mkdtemp(folder), 1);
    Suite *suite = suite_create("hardware_run");
    TCase *t = tcase_create("hardware_run");
    tcase_set_timeout(t, 60);
    add_rows(t, scripts_have_expected_output, sizeof rows / sizeof *rows, 3);
    tcase_add_test(t, missing_tools_are_reported);
    suite_add_tcase(suite, t);
    const int failed = suite_failures(suite);
    if (system("rm -rf \"$T\"")) return 1;
    return failed != 0;
}
