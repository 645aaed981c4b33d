/* Tests edge cases of the command: folders, terminals, unusual files, and whether replay commands reproduce the
 * failure. check_grade.c tests which mistakes are found. In the scripts, $GRADE is the command and $T a temporary
 * folder. */
/* run: plain, 42 s */
#include "tests/effort.h"
#include "tests/files.h"
#include "compile/compiler.h"
#include "sandbox/process.h"
#include "tests/quick.h"
#include "tests/suite.h"
#include <check.h>
#include <fcntl.h>
#include <glob.h>
#include <jansson.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/check-cli-XXXXXX";
static const struct process_limits limits = {.wall_seconds = 300, .output_bytes = 1 << 21};

/* ---- running -------------------------------------------------------------------------------- */
struct run {
    int status;
    char *output;
};
static struct run run_shell(const char *script) {
    const char *const argv[] = {"sh", "-c", script, NULL};
    const struct process_result p = process_run(argv, &limits);
    ck_assert_msg(p.end == PROCESS_EXITED, "%s: did not exit", script);
    return (struct run){p.status, p.output};
}
static unsigned occurrences(const char *text, const char *of) {
    unsigned count = 0;
    for (; (text = strstr(text, of)); text += strlen(of)) count++;
    return count;
}
/* Writes $T/NAME: a solution in which `to` replaces the first `from`. Returns the line number of the replacement. */
static unsigned hand_in(const char *name, const char *lab, const char *from, const char *to, char *path, size_t size) {
    char *whole = NULL, pattern[100];
    glob_t found;
    snprintf(pattern, sizeof pattern, "solutions/%s_*/reduce.cu", lab);
    ck_assert_int_eq(glob(pattern, 0, NULL, &found), 0);
    char *text = read_file(found.gl_pathv[0]), *at = strstr(text, from);
    globfree(&found);
    ck_assert_msg(at != NULL, "%s: no `%s` in the solution of %s", name, from, lab);
    const int length = asprintf(&whole, "#define SOLUTION\n%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    ck_assert_int_gt(length, 0);
    snprintf(path, size, "%s/%s", folder, name);
    write_file(path, whole, (size_t)length);
    unsigned line = 2; /* line 1 is #define SOLUTION */
    for (const char *s = text; s < at; s++) line += *s == '\n';
    free(text);
    free(whole);
    return line;
}

/* ---- files read and written --------------------------------------------------------------- */
/* Two fast runs: ONE runs a few cases of one size. CASE runs a single case, and compiles only its variant. */
#define ONE "lab3 --solution --size 33 --block 64"
#define CASE "lab3 --solution --case reduce/sum_i32/n=33/block=64"
#define FULL(kib)                                                                                                      \
    "command -v bwrap >/dev/null || { echo cannot write to /tmp, less than 32 MiB; exit 3; }; GRADE_CACHE=/proc/none " \
    "bwrap --dev-bind / / --size 2000000 --tmpfs /tmp --bind \"$PWD\" \"$PWD\" sh -c 'head -c $((2000000 - 1024 "      \
    "* " kib ")) /dev/zero >/tmp/full; "                                                                               \
    "\"$0\" \"$@\"' \"$GRADE\" "
#define RIGHT "lab3: the selected cases are correct; there is no grade, because only these cases were run\n"
static const struct {
    const char *script;
    int status;
    const char *text, *not ;
} edges[] = {
    /* A kit in another folder has its own cache. A single case adds no entry, because the cached PTX of all variants
     * contains its variant. A damaged entry is not used. */
    {"mkdir -p $T/kit; cp \"$GRADE\" $T/kit/grade; ln -sfn $PWD/common $PWD/labs $PWD/solutions $T/kit; cd /; "
     "unset GRADE_CACHE; C=$T/kit/build/cache; $T/kit/grade " ONE " --quiet; N=$(ls $C | wc -l); $T/kit/grade " CASE
     " --quiet; "
     "echo $(($(ls $C | wc -l) - N)); for f in $C/*; do echo x >$f; done; $T/kit/grade " CASE " --quiet",
     0, RIGHT RIGHT "0\n" RIGHT, NULL},
    /* If there is no file to grade, the reference is not compiled. */
    {"GRADE_CACHE=$T/unused \"$GRADE\" lab3 --submission labs --quiet >/dev/null; ls $T/unused", 0, "history\n",
     ".ptx"},
    /* A full disk is a setup failure, both before the compiler starts and while it runs. */
    {FULL("0") ONE " --quiet", 3, "cannot write to /tmp", NULL},
    {FULL("60") ONE " --quiet", 3, "less than 32 MiB", NULL},
    /* Inline assembly with a branch is rejected. */
    {"sed 's/unsigned t = threadIdx.x;/&\\n asm volatile(\"L%=: @p bra L%=;\");/' labs/lab3*/reduce.cu >$T/asm.cu; "
     "\"$GRADE\" "
     "lab3 --submission $T/asm.cu --no-sandbox --quiet",
     4, "asm.cu:12: inline assembly with `", NULL},
    {"mkdir -p $T/alone; cp \"$GRADE\" $T/alone/grade; cd / && $T/alone/grade " ONE "", 3,
     "run the command from the kit's folder", NULL},
    {"\"$GRADE\" " ONE " >/dev/full", 3, "cannot write to standard output", NULL},
    {"\"$GRADE\" " ONE " --json - >/dev/full", 3, "cannot be written", NULL},
    {"\"$GRADE\" " ONE " --json /dev/full", 3, "/dev/full: cannot be written", NULL},
    {"\"$GRADE\" " ONE " --json /nowhere/r.json", 3, "/nowhere/r.json: cannot be written", NULL},
    {"trap '' CHLD; CK_INCLUDE_TAGS=x CK_LOG_FILE_NAME=- exec \"$GRADE\" " ONE " --quiet", 0, RIGHT, "Checks"},
    {"\"$GRADE\" " ONE " --quiet <&-", 0, "are correct; there is no grade", NULL},
    {"GRADE_CACHE=/proc/none \"$GRADE\" " CASE " --quiet", 0, RIGHT, NULL},
    {"CUDA=tcc \"$GRADE\" lab1", 2, "no compiler `tcc`", NULL},
    {"CUDA= \"$GRADE\" " ONE " --quiet", 0, "are correct; there is no grade", NULL},
    {"\"$GRADE\" lab1 --seed 18446744073709551616", 2, "--seed must be a number", NULL},
    {"\"$GRADE\" lab1 --seed -1", 2, "--seed must be a number", NULL},
    {"echo 18446744073709551616 | \"$GRADE\" lab1 --seed -", 2, "--seed must be a number", NULL},
    {"\"$GRADE\" lab1 --seed - </dev/null", 2, "standard input contains no seed", NULL},
    {"\"$GRADE\" lab1 --size 99999999999", 2, "--size must be a number", NULL},
    {"\"$GRADE\" lab1 --block 0", 2, "--block must be a power of two", NULL},
    /* Options that cannot be combined with --watch. check_watch.c tests --watch itself. */
    {"\"$GRADE\" all --watch", 2, "--watch takes one lab", NULL},
    {"\"$GRADE\" lab1 --watch --hardware", 2, "cannot be combined with --hardware", NULL},
    {"\"$GRADE\" lab1 --watch --hint", 2, "--hint cannot be combined with --watch", NULL},
    {"\"$GRADE\" lab1 --watch --json -", 2, "pass --json a file, which is then written on every save", NULL},
    {"\"$GRADE\" lab1 --watch --port 8000", 2, "--port requires --html", NULL},
    {"\"$GRADE\" lab1 --html $T/w.html --port 8000", 2, "--port requires --watch", NULL},
    {"\"$GRADE\" lab1 --watch --html $T/w.html --port 0", 2, "--port must be a number from 1 to 65535", NULL},
    {"\"$GRADE\" lab99 --watch", 2, "no lab `lab99`", NULL},
    {"\"$GRADE\" lab1 --watch --submission $T/nowhere.cu", 3, "this file does not exist", NULL},
    {"\"$GRADE\" lab1 --watch --html /nowhere/w.html", 3, "/nowhere/w.html: cannot be written", NULL},
    {"\"$GRADE\" lab1 --watch --case nothing", 2, "no case `nothing` in lab1", NULL},
    {"GRADE_SECRET=of-the-course \"$GRADE\" lab1 --watch", 2, "does not work with a course's secret", NULL},
    {"\"$GRADE\" lab1 --case", 2, "requires an argument", NULL},
    {"\"$GRADE\" ''", 2, "no lab ``", NULL},
    /* --values gives the elements of a case. */
    {"\"$GRADE\" lab3 --solution --quiet --case reduce/sum_i32/n=3/block=32 --values 3,1,4", 0, RIGHT, NULL},
    {"\"$GRADE\" lab8 --solution --case reduce/affine_u32/n=2/block=32/grid=2 --values 2:1,3:0", 0, "the case is right",
     NULL},
    {"\"$GRADE\" lab3 --values 3,1,4", 2, "--values requires --case", NULL},
    {"\"$GRADE\" lab3 --solution --case reduce/sum_i32/n=3/block=32 --values 3,1", 2, "2 elements for a case with n=3",
     NULL},
    {"\"$GRADE\" lab3 --solution --case reduce/sum_u32/n=1/block=32 --values -1", 2,
     "not a list of elements for the sum of unsigned", NULL},
    {"\"$GRADE\" lab3 --solution --quiet --case reduce/sum_i32/n=3/block=32 --size 2 --values 3,1,4", 0, RIGHT, NULL},
    {"\"$GRADE\" lab3 --case reduce/sum_i32/n=3/block=32 --size 4 --values 3,1,4", 2, "3 elements for a case with n=4",
     NULL},
    /* --size changes the size of a case. A message names a size that no case has. */
    {"\"$GRADE\" lab3 --case reduce/sum_i32/n=33/block=64 --size 7 --block 128", 1, "reduce/sum_i32/n=7/block=128",
     "n=33"},
    {"\"$GRADE\" lab3 --case reduce/sum_i32/n=5/block=32 --size 2 --values 3,1,4,1,5", 1, "n=2/block=32 --values 3,1",
     "3,1,4"},
    {"\"$GRADE\" lab3 --case reduce/sum_i32/n=500/block=32 --size 65 --schedule block=1", 1,
     "n=65/block=32 --schedule block=1", "n=500"},
    {"\"$GRADE\" lab7 --case reduce/sum_i32/n=2147483647/block=32/grid=900 --size 100 --grid 2", 1,
     "n=100/block=32/grid=2", "n=2147483647"},
    {"\"$GRADE\" lab7 --case reduce/sum_i32/n=2147483647/block=32/grid=900 --size 2147480000", 1, "n=2147480000/",
     "n=2147483647"},
    {"\"$GRADE\" lab3 --solution --quiet --size 2147483647 --block 512", 0, RIGHT, NULL},
    {"\"$GRADE\" lab6 --solution --quiet --size 77 --block 32 --grid 3", 0, "correct; there is no grade", NULL},
    {"\"$GRADE\" lab3 --grid 3", 2, "--grid 3: lab3 has as many blocks as the elements need: leave out --grid\n",
     "lab3: "},
    {"\"$GRADE\" lab3 --grid 3 --size 33", 2, "leave out --grid\n", "lab3: "},
    {"\"$GRADE\" lab3 --case reduce/sum_i32/n=33/block=64 --grid 3", 2, "leave out --grid\n", "lab3: "},
    {"\"$GRADE\" lab8 --case reduce_one_warp/sum_i32/n=33/block=32 --block 64", 2, "32 threads per block: leave out",
     "lab8: "},
    {"\"$GRADE\" lab3 --case reduce/sum_f32/n=33/block=64 --size 2147483647", 2, "has at most 67108864 elements",
     "lab3: "},
    {"\"$GRADE\" lab3 --case reduce/sum_i32/n=500/block=32 --size 65 --schedule block=7", 2, "has a block above 1",
     "lab3: "},
    {"\"$GRADE\" lab3 --case reduce/sum_i32/n=65/block=32 --schedule warp=1", 2, "has a warp above 0", "lab3: "},
    /* This block exists only in later launches of the case, which have larger grids. */
    {"\"$GRADE\" lab11 --solution --quiet --case reduce/sum_i32/n=33/block=32/grid=1 --schedule block=5", 0,
     "correct; there is no grade", NULL},
    {"\"$GRADE\" lab3 --case reduce/sum_i32/n=2147483649/block=64", 2, "no case `reduce/sum_i32/n=2147483649",
     "replay"},
    {"\"$GRADE\" lab3 --case nothing", 2, "no case `nothing` in lab3: a case is KERNEL/OPERATOR_TYPE", "replay"},
    {"\"$GRADE\" lab3 --size 2147483649", 2, "--size must be a number", NULL},
    {"\"$GRADE\" lab7 --grid 0", 2, "--grid must be a number", NULL},
    {"\"$GRADE\" lab6 --solution --quiet --grid 4096 --size 33 --block 64", 0, "correct; there is no grade", NULL},
    {"\"$GRADE\" " ONE " --quiet --seed 18446744073709551615", 0, "are correct; there is no grade", NULL},
    {"\"$GRADE\" lab3 --solution --quiet --size 0 --block 1024", 0, "correct; there is no grade", NULL},
    {"\"$GRADE\" " ONE " --seed 5", 0, "seed 5", "replay:"},
    {"\"$GRADE\" run grader/tests/run/kernels.ptx places --block 4 --arg 'const u32[4]:zero'", 1,
     "write to read-only memory", "[0] 0 1 2 3"},
    {"\"$GRADE\" run grader/tests/run/kernels.ptx places --block 2 --arg 'u32[4]+8:zero'", 0, "[0] 0 0 0 1", NULL},
    {"\"$GRADE\" run grader/tests/run/kernels.ptx places --block 2 --arg 'u32[4]+2:zero'", 1, "misaligned access",
     NULL},
};
START_TEST(edge_cases_have_expected_output) {
    struct run r = run_shell(edges[_i].script);
    ck_assert_msg(r.status == edges[_i].status, "%s: exit %d, expected %d\n%.1500s", edges[_i].script, r.status,
                  edges[_i].status, r.output);
    ck_assert_msg(strstr(r.output, edges[_i].text), "%s: no `%s` in\n%.1500s", edges[_i].script, edges[_i].text,
                  r.output);
    ck_assert_msg(!edges[_i].not || !strstr(r.output, edges[_i].not ), "%s: `%s` in\n%.1500s", edges[_i].script,
                  edges[_i].not, r.output);
    free(r.output);
}
END_TEST
START_TEST(list_matches_the_folders) {
    struct run r = run_shell("\"$GRADE\" --list | awk '{print $1 \"_\" $2}'"),
               folders = run_shell("cd labs && ls -vd lab*");
    ck_assert_str_eq(r.output, folders.output);
    free(r.output);
    free(folders.output);
}
END_TEST
/* --quiet prints the score and one piece of advice: a sentence, which may continue on indented lines. */
START_TEST(quiet_prints_score_and_one_advice) {
    struct run r = run_shell("\"$GRADE\" lab3 --quiet --seed 1");
    char *line = strtok(r.output, "\n");
    ck_assert_str_eq(line, "lab3: 0 of 100 points");
    line = strtok(NULL, "\n");
    ck_assert(line && !strncmp(line, "First: ", 7));
    while ((line = strtok(NULL, "\n"))) ck_assert_msg(!strncmp(line, "       ", 7), "%s", line);
    free(r.output);
}
END_TEST

/* ---- the record ----------------------------------------------------------------------------- */
static json_t *record_of(const char *script) {
    json_error_t error;
    struct run r = run_shell(script);
    json_t *record = json_loads(r.output, 0, &error);
    ck_assert_msg(record != NULL, "%s: %s\n%.1500s", script, error.text, r.output);
    free(r.output);
    return record;
}
START_TEST(record_files_equal_standard_output) {
    json_t *a = record_of("\"$GRADE\" lab3 --seed 3 --size 33 --json -"),
           *b = record_of("\"$GRADE\" lab3 --seed 3 --size 33 --json $T/r.json >/dev/null; cat $T/r.json"),
           *c = record_of("\"$GRADE\" lab3 --seed 3 --size 33 --json - --quiet");
    ck_assert(json_equal(a, b) && json_equal(a, c));
    ck_assert_str_eq(json_string_value(json_object_get(a, "schema")), "reduction-labs/result/3");
    ck_assert_str_eq(json_string_value(json_object_get(a, "end")), "partial");
    json_decref(a);
    json_decref(b);
    json_decref(c);
    a = record_of(
        "\"$GRADE\" all --submission labs --quiet --json -"); /* nothing is compiled, because there is no file */
    glob_t labs;
    ck_assert_int_eq(glob("labs/lab*_*", 0, NULL, &labs), 0);
    ck_assert(json_is_array(a) && json_array_size(a) == labs.gl_pathc);
    ck_assert_str_eq(json_string_value(json_object_get(json_array_get(a, labs.gl_pathc - 1), "end")), "build");
    globfree(&labs);
    json_decref(a);
}
END_TEST

/* ---- terminals ------------------------------------------------------------------------------ */
static char *on_terminal(const char *script) {
    const int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) || unlockpt(master)) return NULL;
    const pid_t child = fork();
    if (child == 0) {
        setsid();
        const int slave = open(ptsname(master), O_RDWR);
        dup2(slave, 0), dup2(slave, 1), dup2(slave, 2);
        execl("/bin/sh", "sh", "-c", script, (char *)NULL);
        _exit(127);
    }
    char *text = calloc(1, 1 << 18);
    size_t length = 0;
    for (ssize_t n; length < (1 << 18) - 1 && (n = read(master, text + length, (1 << 18) - 1 - length)) > 0;)
        length += (size_t)n;
    waitpid(child, NULL, 0);
    close(master);
    return text;
}
static const struct {
    const char *script;
    bool color;
} terminals[] = {
    {"\"$GRADE\" " ONE " 2>/dev/null", true},
    {"NO_COLOR= \"$GRADE\" " ONE " 2>/dev/null", true},
    {"NO_COLOR=1 \"$GRADE\" " ONE " 2>/dev/null", false},
    {"\"$GRADE\" " ONE " --no-color 2>/dev/null", false},
    {"\"$GRADE\" " ONE " 2>/dev/null | cat", false},
    {"\"$GRADE\" " ONE " --json - 2>/dev/null", false},
    {"\"$GRADE\" " ONE " --no-color --quiet",
     false}, /* standard error is a terminal here, so the row fails if --quiet shows the progress display */
};
START_TEST(color_is_for_terminals) {
    char *text = on_terminal(terminals[_i].script);
    ck_assert_msg(text != NULL, "no pseudo-terminal");
    ck_assert_msg(strstr(text, "lab3"), "%s: %s", terminals[_i].script, text);
    ck_assert_msg((strchr(text, '\033') != NULL) == terminals[_i].color, "%s: %.300s", terminals[_i].script, text);
    free(text);
}
END_TEST

/* ---- compilers' messages -------------------------------------------------------------------- */
static const struct {
    const char *from, *to, *text; /* the first nonempty line of `to` is wrong */
    bool variant;                 /* whether the kernel is wrong for some variants only */
} errors[] = {
    {"unsigned t = threadIdx.x;", "unsigned t = undeclared_thing 3;", "undeclared_thing", false}, /* two errors */
    {"if (t == 0)", "static_assert(value_t(-1) < 0, \"\");\n    if (t == 0)", "compiled for the sum of unsigned)",
     true},
    {"unsigned t = threadIdx.x;", "\n#error \033[31mred\n", "red", false},
};
static const char *const compilers[] = {"nvcc", "nvrtc", "clang"};
enum { COMPILERS = sizeof compilers / sizeof *compilers };
static bool have(const char *compiler) {
    char why[400];
    return compiler_find(compiler, why, sizeof why) != NULL;
}
START_TEST(compiler_errors_name_the_students_line) {
    const unsigned row = (unsigned)_i / COMPILERS;
    const char *compiler = compilers[_i % COMPILERS];
    char name[100], path[PATH_MAX], script[PATH_MAX + 200], at[2][PATH_MAX + 40];
    if (!have(compiler)) return;
    snprintf(name, sizeof name, "my reduce %d.cu", _i);
    unsigned line = hand_in(name, "lab1", errors[row].from, errors[row].to, path, sizeof path);
    line += errors[row].to[0] == '\n';
    snprintf(script, sizeof script, "\"$GRADE\" lab1 --compiler %s --submission '%s'", compiler, path);
    struct run r = run_shell(script);
    snprintf(at[0], sizeof at[0], "%s(%u)", path, line);
    snprintf(at[1], sizeof at[1], "%s:%u:", path, line);
    ck_assert_msg(r.status == 4, "%s: exit %d\n%.1500s", script, r.status, r.output);
    /* The message is in the style of nvcc, of nvcc's preprocessor, or of clang. */
    const char *told = strstr(r.output, at[0]) ? at[0] : at[1];
    ck_assert_msg(strstr(r.output, told), "no %s in\n%.1500s", told, r.output);
    ck_assert_msg(strstr(r.output, errors[row].text), "no `%s` in\n%.1500s", errors[row].text, r.output);
    ck_assert_msg((strstr(r.output, "(compiled for the ") != NULL) == errors[row].variant, "%.1500s", r.output);
    static const char *const inside[] = {"unit.cu", "namespace", "/tmp/grade-", "sum_i32", "\033"};
    for (unsigned k = 0; k < sizeof inside / sizeof *inside; k++)
        ck_assert_msg(!strstr(r.output, inside[k]), "`%s` appears in\n%.1500s", inside[k], r.output);
    char *first = strstr(r.output, "\nFirst: "); /* the text after "First:" repeats the first message */
    if (first) *first = 0;
    ck_assert_msg(occurrences(r.output, told) <= 2, "more than two messages:\n%.1500s", r.output);
    free(r.output);
}
END_TEST

/* ---- with every compiler, a 16-byte load is a single access ------------------------------------ */
static const char wide[] =
    "union bits { int4 raw; struct { float x[4]; } v; __device__ bits() {} };\n"
    "__global__ void wide(const float *in, float *out, unsigned n) {\n"
    "    const unsigned me = threadIdx.x, T = blockDim.x;\n"
    "    float sum = 0;\n"
    "    unsigned head = 0;\n"
    "    while (head < n && ((size_t)(in + head) & 15)) head++;\n"
    "    const unsigned whole = (n - head) / 4;\n"
    "    const int4 *p = (const int4 *)(in + head);\n"
    "    for (unsigned v = me; v < whole; v += 4 * T) {\n"
    "        bits b[4];\n"
    "#pragma unroll\n"
    "        for (unsigned k = 0; k < 4; k++) b[k].raw = k % 2 ? __ldg(p + v + k * T) : __ldcs(p + v + k * T);\n"
    "#pragma unroll\n"
    "        for (int k = 0; k < 16; k++) sum += b[k / 4].v.x[k % 4];\n"
    "    }\n"
    "    out[me] = sum;\n"
    "}\n";
START_TEST(sixteen_byte_loads_are_one_access) {
    if (!have(compilers[_i])) return;
    char script[2000];
    snprintf(script, sizeof script,
             "cat > \"$T/wide.cu\" <<'END'\n%sEND\n\"$GRADE\" run \"$T/wide.cu\" wide --compiler %s --block 32 "
             "--arg 'f32[512]:small' --arg 'f32[32]:out' --arg 512",
             wide, compilers[_i]);
    struct run r = run_shell(script);
    ck_assert_msg(r.status == 0 && strstr(r.output, "sectors of global memory                           68\n"),
                  "%s: exit %d\n%.1500s", compilers[_i], r.status, r.output);
    free(r.output);
}
END_TEST

/* ---- files that a student may submit --------------------------------------------------------- */
/* Prints the solution as a Windows editor saves it: a byte order mark and Windows line endings, but none after the
 * last line. Adds system headers and a function. */
#define OF_WINDOWS                                                                                                     \
    "S=$(echo solutions/lab3_*/reduce.cu); printf '\\357\\273\\277'; "                                                 \
    "(printf '#define SOLUTION\n#include <stdio.h>\n # include <math.h>\n'; "                                          \
    "echo '__device__ int twice(int x) { return 2 * x; }'; cat $S) | sed 's/$/\\r/'; printf '// end'"
#define ALL "--size 33 --block 64"
#define I32 "--case reduce/sum_i32/n=33/block=64"
static const struct {
    const char *name, *script; /* `script` creates $T/NAME from the solution in $S */
    const char *cases;
    int status;
    const char *text;
} files[] = {
    {"from Windows", OF_WINDOWS, ALL, 0, "are correct; there is no grade"},
    /* the last line is very long and does not end with a newline */
    {"tabs, form feeds, C linkage, a long line, one variant that does not compile",
     "echo '#define SOLUTION'; sed 's/^    /\t\f/; s/^__global__/extern \"C\" __global__/' $S; "
     "printf '#if REDUCE_TYPE == REDUCE_F64\n#error no doubles\n#endif\n//'; head -c 300000 /dev/zero | tr '\\0' x",
     I32, 0, "are correct; there is no grade"},
    {"a program", "echo 'int main(void) { return 0; }'", I32, 1, "has no kernel"},
    {"an unterminated comment", "echo '#define SOLUTION'; cat $S; echo '/* ...'", I32, 4, "0 of 100 points"},
    {"an extra brace", "echo '#define SOLUTION'; cat $S; echo '}'", I32, 4, "0 of 100 points"},
    {"includes itself", "echo '#include \"reduce.cu\"'", I32, 4, "0 of 100 points"},
    {"includes a missing file", "echo '#include \"nothing.h\"'", I32, 4, "nothing.h"},
    {"not a text file", "head -c 1000 /dev/zero | tr '\\0' '\\377'", I32, 4, "0 of 100 points"},
};
START_TEST(unusual_files_are_graded) {
    char script[1000];
    /* With --compiler auto, nvcc tries again after an error of NVRTC, which takes a second.
     * auto_falls_back_from_nvrtc_to_nvcc tests the second attempt. */
    const bool alone = files[_i].status == 4 && !strcmp(getenv("CUDA"), "auto") && have("nvrtc");
    snprintf(script, sizeof script,
             "S=$(echo solutions/lab3_*/reduce.cu); (%s) >\"$T/%s\"; %s\"$GRADE\" lab3 --submission \"$T/%s\" %s",
             files[_i].script, files[_i].name, alone ? "CUDA=nvrtc " : "", files[_i].name, files[_i].cases);
    struct run r = run_shell(script);
    ck_assert_msg(r.status == files[_i].status, "%s: exit %d, expected %d\n%.1500s", files[_i].name, r.status,
                  files[_i].status, r.output);
    ck_assert_msg(strstr(r.output, files[_i].text), "%s: no `%s` in\n%.1500s", files[_i].name, files[_i].text,
                  r.output);
    for (const char *s = r.output; *s; s++)
        ck_assert_msg(*s == '\n' || (unsigned char)*s >= ' ', "%s: control character %d", files[_i].name, *s);
    free(r.output);
}
END_TEST

/* ---- replays -------------------------------------------------------------------------------- */
static const struct {
    const char *name, *lab, *from, *to;
} failures[] = {
    /* This kernel also lacks a barrier, so it has a race. */
    {"off \"by\" one, it's.cu", "lab1",
     "if (i + stride < n) data[i] = combine(data[i], data[i + stride]);\n        }\n        __syncthreads();",
     "if (i + stride <= n) data[i] = combine(data[i], data[i + stride]);\n        }"},
    {"-only $block 0.cu", "lab3", "2 * blockDim.x * blockIdx.x", "0 * blockIdx.x"},
};
/* Returns whether the record contains a finding of this kind at this line. */
static bool has_finding(json_t *record, json_t *wanted) {
    size_t k, n;
    json_t *t, *f;
    json_array_foreach(json_object_get(record, "tests"), k, t)
        json_array_foreach(json_object_get(t, "findings"), n, f) {
        if (json_equal(json_object_get(f, "kind"), json_object_get(wanted, "kind")) &&
            json_equal(json_object_get(json_object_get(f, "at"), "line"),
                       json_object_get(json_object_get(wanted, "at"), "line")))
            return true;
    }
    return false;
}
/* Runs a printed replay command with the additional option --json. Returns the record. */
static json_t *replayed(json_t *replay) {
    char script[2 * PATH_MAX];
    const char *command = json_string_value(replay);
    ck_assert_msg(command && !strncmp(command, "./grade ", 8), "%s", command ? command : "no replay");
    snprintf(script, sizeof script, "\"$GRADE\" %s --json -", command + 8);
    json_t *record = record_of(script);
    ck_assert_str_eq(json_string_value(json_object_get(record, "end")), "partial");
    ck_assert(json_is_true(json_object_get(record, "replay")));
    return record;
}
/* Returns the case and its result from a message such as "wrong; reduce/sum_i32/n=3/block=32: got 1, expected 2". */
static const char *what_it_gave(json_t *test) {
    const char *message = json_string_value(json_object_get(test, "message"));
    const char *from = message ? strstr(message, "wrong; ") : NULL;
    return from ? from + 7 : NULL;
}
START_TEST(replays_give_the_same_result) {
    char path[PATH_MAX], script[PATH_MAX + 200];
    unsigned shown = 0;
    hand_in(failures[_i].name, failures[_i].lab, failures[_i].from, failures[_i].to, path, sizeof path);
    setenv("F", path, 1);
    snprintf(script, sizeof script, "\"$GRADE\" %s --submission \"$F\" --seed 77 --no-fix --json -", failures[_i].lab);
    json_t *record = record_of(script), *again = _i ? json_incref(record) : record_of(script), *t, *f;
    char *a = json_dumps(record, 0), *b = json_dumps(again, 0);
    ck_assert_str_eq(a, b);
    ck_assert_int_lt(json_integer_value(json_object_get(record, "score")), 100);
    size_t k, n;
    json_array_foreach(json_object_get(record, "tests"), k, t) {
        json_array_foreach(json_object_get(t, "findings"), n, f) {
            json_t *r = replayed(json_object_get(f, "replay"));
            ck_assert_msg(has_finding(r, f), "%s", json_string_value(json_object_get(f, "replay")));
            shown++;
            json_decref(r);
            if (n == 1) break;
        }
        const char *gave = what_it_gave(t);
        if (!gave) continue;
        json_t *r = replayed(json_object_get(t, "replay")), *u;
        size_t m;
        bool same = false;
        json_array_foreach(json_object_get(r, "tests"), m, u) {
            const char *now = what_it_gave(u);
            /* The end of the sentence may differ, because it describes all cases of the run. */
            const size_t length = strcspn(gave, ":");
            same |= now && !strncmp(now, gave, length) &&
                    !strncmp(now, gave, strstr(gave, ": got ") ? strcspn(strstr(gave, "expected"), ":") : 0);
        }
        ck_assert_msg(same, "not again: %s", gave);
        shown++;
        json_decref(r);
    }
    ck_assert_uint_gt(shown, 0);
    free(a);
    free(b);
    json_decref(record);
    json_decref(again);
}
END_TEST
START_TEST(races_are_reported_at_their_line) {
    char path[PATH_MAX], script[PATH_MAX + 200], site[PATH_MAX + 40];
    const unsigned line = hand_in("race.cu", failures[0].lab, failures[0].from, failures[0].to, path, sizeof path);
    snprintf(script, sizeof script, "\"$GRADE\" lab1 --submission '%s' --no-fix --size 65 --block 64", path);
    struct run r = run_shell(script);
    snprintf(site, sizeof site, "%s:%u: data race in global memory", path, line);
    ck_assert_msg(strstr(r.output, site), "no `%s` in\n%.2500s", site, r.output);
    free(r.output);
}
END_TEST
/* A report for an LMS contains no path of the server. The same submission in another folder must give the same
 * report, byte for byte. */
START_TEST(reports_for_an_lms_are_reproducible) {
    char path[PATH_MAX], script[2 * PATH_MAX + 300];
    hand_in("for.cu", failures[0].lab, failures[0].from, failures[0].to, path, sizeof path);
    snprintf(script, sizeof script,
             "mkdir -p $T/other; cp '%s' $T/other/reduce.cu; cp $T/predictions.txt $T/other; graded() { \"$GRADE\" "
             "lab1 --submission \"$1\" --for-student "
             "--no-fix --seed 5 --json $2.json --junit $2.xml; cat $2.json $2.xml; }; export GRADE_CACHE=$T/cold; "
             "graded '%s' $T/one >$T/a; graded "
             "$T/other/reduce.cu $T/two >$T/b; cmp $T/a $T/b && cat $T/one.json",
             path, path);
    struct run r = run_shell(script);
    ck_assert_int_eq(r.status, 0);
    ck_assert_msg(!strstr(r.output, folder), "names %s: %s", folder, strstr(r.output, folder));
    /* The PTX for pictures contains the path `here`. */
    char headers[PATH_MAX + 20], *here = realpath("common", NULL);
    snprintf(headers, sizeof headers, "%s/", here);
    ck_assert(strstr(r.output, "common/reduce.h") && !strstr(r.output, headers));
    free(here);
    ck_assert(strstr(r.output, "\"replay\": \"./grade lab1 --seed 5 --case "));
    ck_assert(strstr(r.output, "labs/lab1_interleaved_tree/reduce.cu"));
    free(r.output);
}
END_TEST
/* The command reads predictions.txt in the submission's folder. With --for-student, it does not read the kit's
 * predictions.txt, because that may be the instructor's. */
START_TEST(predictions_are_next_to_the_submission) {
    struct run r = run_shell("mkdir -p $T/own; (" OF_WINDOWS ") >$T/own/reduce.cu; "
                             "sed 's/: *[0-9?].*/: 123456/' solutions/lab3_*/predictions.txt >$T/own/predictions.txt; "
                             "\"$GRADE\" lab3 --submission $T/own/reduce.cu; rm $T/own/predictions.txt; \"$GRADE\" "
                             "lab3 --submission $T/own/reduce.cu --quiet --for-student");
    ck_assert_int_eq(r.status, 1);
    ck_assert_msg(strstr(r.output, "123456") && strstr(r.output, "lab3: 90 of 100 points") &&
                      strstr(r.output, "First: predictions.txt is missing: put it next to reduce.cu"),
                  "%s", r.output);
    free(r.output);
}
END_TEST

/* The compiler that --compiler auto selects if nvrtc and nvcc are available. */
#define WITH_HOST_CODE "{ cat labs/lab3_*/reduce.cu; echo 'int main() { return 0; }'; } >$T/host.cu; "
#define SKELETON "\"$GRADE\" lab3 --no-sandbox --size 33 --seed 5 --json - --compiler auto --submission "
#define ANY_KERNEL " reduce --block 32 --arg 'float[64]:1' --arg 'float[1]:out' --arg 64 --compiler auto"
static const struct {
    const char *script, *text;
} takers[] = {
    {SKELETON "labs/lab3_*/reduce.cu", "\"compiler\": \"nvrtc\""},
    {WITH_HOST_CODE SKELETON "$T/host.cu", "\"compiler\": \"nvcc\""},
    {"NVRTC=none " SKELETON "labs/lab3_*/reduce.cu", "\"compiler\": \"nvcc\""},
    {"printf 'int x = ;' >$T/bad.cu; " SKELETON "$T/bad.cu", "\"compiler\": \"nvcc\""},
    {"\"$GRADE\" run labs/lab3_*/reduce.cu" ANY_KERNEL, "compiled by nvrtc,"},
    {WITH_HOST_CODE "\"$GRADE\" run $T/host.cu" ANY_KERNEL, "compiled by nvcc,"},
    {"\"$GRADE\" run labs/lab3_*/reduce.cu --extended-lambda -G" ANY_KERNEL, "compiled by nvcc -"},
    {WITH_HOST_CODE "\"$GRADE\" run $T/host.cu reduce --compiler nvrtc", "use --compiler nvcc for this file"},
};
START_TEST(auto_falls_back_from_nvrtc_to_nvcc) {
    if (!have("nvrtc") || !have("nvcc")) return;
    struct run r = run_shell(takers[_i].script);
    ck_assert_msg(strstr(r.output, takers[_i].text), "%s: no `%s` in\n%.1500s", takers[_i].script, takers[_i].text,
                  r.output);
    free(r.output);
}
END_TEST

#define LOOP(test, rows, times, parts) add_rows(tcase, test, sizeof rows / sizeof *rows * times, parts)
int main(void) {
    char path[PATH_MAX];
    const char *given = getenv("GRADE") ? getenv("GRADE") : "./grade";
    if (!realpath(given, path)) return printf("check_cli: no command %s: set GRADE\n", given), 1;
    if (!have("auto")) return printf("SKIP check_cli: no compiler\n"), 0;
    for (unsigned k = 0; k < COMPILERS; k++)
        if (!have(compilers[k])) printf("SKIP check_cli: messages of %s, which is not installed\n", compilers[k]);
    if (!mkdtemp(folder) || setenv("GRADE", path, 1) || setenv("T", folder, 1) || unsetenv("NO_COLOR")) return 1;
    if (setenv("CUDA", quick_compiler(), 1)) return 1;
    fflush(stdout);
    const char *const right[] = {"sh", "-c", "cp solutions/lab3_*/predictions.txt $T", NULL};
    free(process_run(right, &limits).output);
    Suite *suite = suite_create("cli");
    TCase *tcase = tcase_create("cli");
    tcase_set_timeout(tcase, 300);
    LOOP(edge_cases_have_expected_output, edges, 1, 4);
    tcase_add_test(tcase, list_matches_the_folders);
    tcase_add_test(tcase, quiet_prints_score_and_one_advice);
    tcase_add_test(tcase, record_files_equal_standard_output);
    LOOP(color_is_for_terminals, terminals, 1, 3);
    add_rows(tcase, sixteen_byte_loads_are_one_access, COMPILERS, COMPILERS);
    LOOP(compiler_errors_name_the_students_line, errors, COMPILERS, 4);
    LOOP(unusual_files_are_graded, files, 1, 4);
    LOOP(replays_give_the_same_result, failures, 1, 3);
    tcase_add_test(tcase, races_are_reported_at_their_line);
    tcase_add_test(tcase, reports_for_an_lms_are_reproducible);
    LOOP(auto_falls_back_from_nvrtc_to_nvcc, takers, 1, 4);
    tcase_add_test(tcase, predictions_are_next_to_the_submission);
    suite_add_tcase(suite, tcase);
    const int failed = suite_failures(suite);
    const char *const clean[] = {"rm", "-rf", folder, NULL};
    free(process_run(clean, &limits).output);
    return failed != 0;
}
