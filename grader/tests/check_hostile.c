/* Grades malicious submissions (hostile.def). A submission must not get undeserved points, read protected files,
 * exceed its limits, or affect the next grade. Its record must be well-formed. EVERY=1 grades all submissions. */
/* run: plain, 8 s */
/* reads: grade labs solutions common docs/result.schema.json grader/tests/hostile */
#include "tests/effort.h"
#include "tests/files.h"
#include "base/clock.h"
#include "compile/compiler.h"
#include "sandbox/process.h"
#include "sandbox/sandbox.h"
#include "tests/quick.h"
#include "tests/schema.h"
#include "tests/suite.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum {
    BUILD = 1,
    WRONG = 2,
    RIGHT = 4,
    RIGHT_SCORE = 90 /* all points except those for predictions */,
    MAX_TEXT = 1 << 20
};
static char folder[] = "/tmp/check-hostile-XXXXXX";
/* trace: a file that a submission's host code would create; secrets: texts in files that submissions must not read */
static const char *const trace = "/tmp/hostile-was-here";
static const char *const secrets[] = {"root:x:", "every stride-th thread works"};
/* Temporary names of the grader, which must not appear in reports. */
static const char *const temporary_names[] = {"/tmp/grade-", "_ZN"};

/* ---- files ---------------------------------------------------------------------------------- */
#define RIGHT_KERNEL                                                                                                   \
    "#include \"reduce.h\"\n"                                                                                          \
    "__global__ void reduce(value_t *data, value_t *partial, unsigned n) {\n"                                          \
    "    unsigned t = threadIdx.x, i = 2 * (blockIdx.x * blockDim.x + t);\n"                                           \
    "    for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {\n"                                             \
    "        if (t % stride == 0 && i + stride < n) data[i] = combine(data[i], data[i + stride]);\n"                   \
    "        __syncthreads();\n    }\n"                                                                                \
    "    if (t == 0) partial[blockIdx.x] = i < n ? data[i] : identity();\n}\n"

static void write_text(const char *path, const char *text) { write_file(path, text, strlen(text)); }
static void write_around(const char *path, const char *before, const char *after) {
    char text[4096];
    snprintf(text, sizeof text, "%s%s%s", before, RIGHT_KERNEL, after);
    write_text(path, text);
}
static void include_kit(char *path) {
    char root[2048], text[4096];
    ck_assert(getcwd(root, sizeof root) != NULL);
    snprintf(text, sizeof text, "#define SOLUTION\n#include \"%s/solutions/lab1_interleaved_tree/reduce.cu\"\n", root);
    write_text(path, text);
}
static void include_grader(char *path) {
    char root[2048], text[4096];
    ck_assert(getcwd(root, sizeof root) != NULL);
    snprintf(text, sizeof text, "#include \"%s/grader/judge/judge.h\"\n", root);
    write_text(path, text);
}
static void repeat(char *path, const char *head, char c) {
    char *text = malloc(MAX_TEXT);
    const size_t n = strlen(head);
    memset(text, c, MAX_TEXT);
    memcpy(text, head, n);
    write_file(path, text, MAX_TEXT - 16);
    free(text);
}
static void parentheses(char *path) { repeat(path, "#include \"reduce.h\"\n__device__ int x = ", '('); }
static void braces(char *path) { repeat(path, "#include \"reduce.h\"\n__global__ void reduce() ", '{'); }
static void link_to_passwd(char *path) { ck_assert_int_eq(symlink("/etc/passwd", path), 0); }
static void link_to_nothing(char *path) { ck_assert_int_eq(symlink("/not/there", path), 0); }
static void fifo(char *path) { ck_assert_int_eq(mkfifo(path, 0644), 0); }
static void folder_itself(char *path) { ck_assert_int_eq(mkdir(path, 0755), 0); }
static void device(char *path) { strcpy(path, "/dev/zero"); }
static void socket_file(char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    ck_assert_int_eq(bind(fd, (const struct sockaddr *)&address, sizeof address), 0);
    close(fd);
}
static void huge(char *path) {
    write_text(path, "x");
    ck_assert_int_eq(truncate(path, 100 << 20), 0);
}
static void large(char *path) {
    write_text(path, RIGHT_KERNEL);
    char *text = malloc(MAX_TEXT);
    memset(text, '\n', MAX_TEXT);
    FILE *f = fopen(path, "a");
    ck_assert(f && fwrite(text, 1, MAX_TEXT, f) == MAX_TEXT && fclose(f) == 0);
    free(text);
}
static void nul_bytes(char *path) { write_file(path, RIGHT_KERNEL "\0 more", sizeof RIGHT_KERNEL + 5); }
static void empty(char *path) { write_text(path, ""); }
static void latin1(char *path) { write_text(path, "#include \"reduce.h\"\n#error \"\xe4\xf6\xff\xfe\"\n"); }
static void latin1_right(char *path) { write_around(path, "// \xe4\xf6\xfc\xff\xfe\n", "// \xc3\n"); }
static void crlf(char *path) {
    char text[2 * sizeof RIGHT_KERNEL];
    size_t n = 0;
    for (const char *s = RIGHT_KERNEL; *s; s++) {
        if (*s == '\n') text[n++] = '\r';
        text[n++] = *s;
    }
    write_file(path, text, n);
}
static void cr_alone(char *path) {
    char text[] = RIGHT_KERNEL;
    for (char *s = text; *s; s++)
        if (*s == '\n') *s = '\r';
    write_text(path, text);
}
static void bom(char *path) { write_around(path, "\xef\xbb\xbf", ""); }
static void long_line(char *path) { repeat(path, RIGHT_KERNEL "//", 'x'); }
static void odd_name(char *path) {
    snprintf(path + strlen(path), 64, "\n\x1b[2J'$(touch hostile)\"\xff --json x.cu");
    write_text(path, "");
}
static void beside(const char *path, char *out, size_t size) {
    snprintf(out, size, "%.*s/predictions.txt", (int)(strrchr(path, '/') - path), path);
    write_text(path, RIGHT_KERNEL);
}
static void predictions_link(char *path) {
    char other[300];
    beside(path, other, sizeof other);
    link_to_passwd(other);
}
static void predictions_fifo(char *path) {
    char other[300];
    beside(path, other, sizeof other);
    fifo(other);
}
static void predictions_huge(char *path) {
    char other[300];
    beside(path, other, sizeof other);
    huge(other);
}

static const struct row {
    const char *name;
    bool sample;
    void (*make)(char *path); /* Creates the file and appends at most 64 characters to its path. NULL: the file is in
                                 hostile/. */
    unsigned ends, seconds;
    const char *said;
} rows[] = {
#define HOSTILE(name, ends, seconds, said) {#name, false, NULL, ends, seconds, said},
#define SAMPLE(name, ends, seconds, said) {#name, true, NULL, ends, seconds, said},
#define MADE(name, make, ends, seconds, said) {#name, false, make, ends, seconds, said},
#define SAMPLE_MADE(name, make, ends, seconds, said) {#name, true, make, ends, seconds, said},
#include "hostile.def"
};
enum { ROWS = sizeof rows / sizeof *rows };

/* ---- one grade ------------------------------------------------------------------------------- */
static unsigned end_of(const json_t *record) {
    const json_int_t score = json_integer_value(json_object_get(record, "score"));
    const char *end = json_string_value(json_object_get(record, "end"));
    if (end && !strcmp(end, "build") && !score) return BUILD;
    if (end && !strcmp(end, "partial")) return score == 0 ? WRONG : score == RIGHT_SCORE ? RIGHT : 0;
    return 0;
}
static void expect_valid(const json_t *record, const char *name) {
    json_t *schema = json_load_file("docs/result.schema.json", 0, NULL);
    struct state s = {schema, ""};
    ck_assert(schema != NULL);
    validate(&s, schema, record, "");
    ck_assert_msg(!s.wrong[0], "%s: the record: %s", name, s.wrong);
    json_decref(schema);
}
static void expect_clean(const char *text, const char *name) {
    for (size_t k = 0; k < sizeof secrets / sizeof *secrets; k++)
        ck_assert_msg(!strstr(text, secrets[k]), "%s: the output contains text of a protected file: `%s`", name,
                      secrets[k]);
}
static void expect_text(const char *text, const char *name) {
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        ck_assert_msg((*c >= ' ' && *c != 0x7f) || *c == '\n' || *c == '\t', "%s: byte 0x%02x in the output", name, *c);
    expect_clean(text, name);
}
/* Grades the submission. Returns the record without the members that quote the submission's text. */
static json_t *grade_hostile(const char *name, const char *path, const char *option, unsigned seconds, int *status) {
    char out[300];
    const char *program = getenv("GRADE");
    snprintf(out, sizeof out, "%s/%s.json", folder, name);
    const char *const argv[] = {program ? program : "./grade",
                                "lab1",
                                option,
                                "--submission",
                                path,
                                "--seed",
                                "5",
                                "--device",
                                "sim",
                                "--json",
                                out,
                                NULL};
    const double begin = clock_seconds();
    struct process_result r = process_run(argv, &(struct process_limits){.wall_seconds = seconds});
    ck_assert_msg(r.end == PROCESS_EXITED, "%s: did not end in %u seconds", name, seconds);
    if (getenv("EVERY")) printf("%-26s %3.0f s\n", name, clock_seconds() - begin), fflush(stdout);
    expect_text(r.output, name);
    *status = r.status;
    json_t *record = json_load_file(out, 0, NULL);
    ck_assert_msg(record != NULL, "%s: no record; %.300s", name, r.output);
    free(r.output);
    expect_valid(record, name);
    json_object_del(record, "text");
    json_object_del(record, "source");
    json_object_del(json_object_get(record, "pictures"), "live"); /* contains the submission's PTX */
    return record;
}
static void make(const struct row *row, char *path, size_t size) {
    if (!row->make) {
        snprintf(path, size, "grader/tests/hostile/%s.cu", row->name);
        return;
    }
    snprintf(path, size - 64, "%s/%s", folder, row->name);
    ck_assert_int_eq(mkdir(path, 0755), 0);
    strcat(path, "/reduce.cu");
    row->make(path);
}
START_TEST(malicious_submissions_do_no_harm) {
    const struct row *row = &rows[_i];
    char path[400];
    int status;
    if (!getenv("EVERY") && !(row->sample && in_turn((unsigned)_i, 2))) return;
    if (!getenv("EVERY")) setenv("CUDA", compiler_in_turn((unsigned)_i), 1); /* the compilers take turns */
    make(row, path, sizeof path);
    json_t *record = grade_hostile(row->name, path, "--sandbox", row->seconds, &status);
    char *text = json_dumps(record, 0);
    const unsigned end = end_of(record);
    ck_assert_msg(end & row->ends, "%s: exit %d, end %s, %lld points\n%.1500s", row->name, status,
                  json_string_value(json_object_get(record, "end")),
                  (long long)json_integer_value(json_object_get(record, "score")), text);
    ck_assert_msg(status == (end == BUILD ? 4 : 1), "%s: exit %d", row->name, status);
    ck_assert_msg(strstr(text, row->said), "%s: no `%s` in\n%.1500s", row->name, row->said, text);
    ck_assert_msg(access(trace, F_OK) != 0, "%s: host code was executed", row->name);
    expect_clean(text, row->name);
    for (size_t k = 0; k < sizeof temporary_names / sizeof *temporary_names; k++)
        ck_assert_msg(!strstr(text, temporary_names[k]), "%s: a temporary name appears in\n%.1500s", row->name, text);
    free(text);
    json_decref(record);
}
END_TEST

/* ---- the next grade ---------------------------------------------------------------------------- */
START_TEST(next_grade_is_unaffected) {
    int status;
    char path[200];
    snprintf(path, sizeof path, "%s/right.cu", folder);
    write_text(path, RIGHT_KERNEL);
    setenv("CUDA", quick_compiler(), 1);
    json_t *first = grade_hostile("right", path, "--sandbox", 60, &status),
           *second = grade_hostile("right", path, "--no-sandbox", 60, &status);
    ck_assert_uint_eq(end_of(first), RIGHT);
    ck_assert_msg(json_equal(first, second), "not the same without the sandbox");
    json_decref(first);
    json_decref(second);
}
END_TEST
static const struct {
    const char *error, *options; /* what the fake bwrap prints before it fails; "" for no bwrap in PATH; "-" for a bwrap
                                    that is not executable */
    int status;
    const char *said;
} ways[] = {
    {"", "--submission", 3, "sudo apt-get install bubblewrap"},
    {"-", "--submission", 3, "sudo apt-get install bubblewrap"},
    {"", "--size 33 --no-sandbox --submission", 0, "the selected cases are correct"},
    {"Permission denied", "--submission", 3, "bubblewrap is not permitted on this machine (Permission denied)"},
    {"Resource temporarily unavailable", "--submission", 3, "this user has too many processes"},
    {"$(kill -9 $$)", "--submission", 3, "bubblewrap cannot start a process (killed by signal 9)"},
    {"Permission denied", "--solution --sandbox", 3, "--no-sandbox"},
    {"Permission denied", "--size 33 --solution", 0, "the selected cases are correct"},
};
/* Grades without bubblewrap, and with a bwrap that fails, as it does on a system that forbids user namespaces. */
START_TEST(missing_bubblewrap_is_reported) {
    const char *program = getenv("GRADE");
    char script[2000], path[200];
    snprintf(path, sizeof path, "%s/way%d", folder, _i);
    ck_assert_int_eq(mkdir(path, 0755), 0);
    snprintf(script, sizeof script,
             "for p in clang gcc g++ as ld sh; do w=$(command -v $p) && ln -s $w %s/$p; done\n"
             "[ -z '%s' ] || printf '#!/bin/sh\\necho %s\\nexit 1\\n' >%s/bwrap; [ -z '%s' ] || chmod +x %s/bwrap\n"
             "PATH=%s:/usr/local/cuda/bin '%s' lab1 --seed 5 --device sim -q %s%s 2>&1",
             path, ways[_i].error, ways[_i].error, path, strcmp(ways[_i].error, "-") ? ways[_i].error : "", path, path,
             program ? program : "./grade", ways[_i].options,
             strstr(ways[_i].options, "--submission") ? " grader/tests/hostile/host_asm.cu" : "");
    const char *const argv[] = {"/bin/sh", "-c", script, NULL};
    struct process_result r = process_run(argv, &(struct process_limits){.wall_seconds = 300});
    ck_assert_msg(r.status == ways[_i].status && strstr(r.output, ways[_i].said), "exit %d: %s", r.status, r.output);
    free(r.output);
}
END_TEST
/* A compiler that cannot start its own programs, or a limit of the machine that is too low, is a setup failure. Each
 * row has a command that runs before the grade, and a script that replaces nvcc. */
static const struct {
    const char *before, *compiler;
    int status;
    const char *said;
} tools[] = {
    {"", "echo \"nvcc fatal   : Failed to preprocess host compiler properties.\"; echo; exit 1", 3,
     "nvcc could not work: nvcc fatal"},
    {"", "echo \"reduce.cu(1): error: no memory\"; exit 1", 4, "error: no memory"},
    {"ulimit -v 400000; ", "echo \"reduce.cu(1): error: no memory\"; exit 1", 3,
     "limit on address space (ulimit -v) is too low"},
    {"ulimit -v 1000000; ", "echo \"reduce.cu(1): error: no memory\"; exit 1", 4, "error: no memory"},
    {"ulimit -f 9000; ", "echo \"reduce.cu(1): error: too large\"; exit 1", 3,
     "limit on file size (ulimit -f) is too low"},
    {"", "kill -XCPU $$", 4, "nvcc was stopped"},
    {"ulimit -t 20; ", "kill -XCPU $$", 3, "limit on CPU time (ulimit -t) is too low"},
};
START_TEST(failed_tools_are_setup_failures) {
    const char *program = getenv("GRADE");
    char script[1000];
    snprintf(script, sizeof script,
             "mkdir -p %s/tools && printf '#!/bin/sh\n%s\n' >%s/tools/nvcc && chmod +x %s/tools/nvcc && %s"
             "GRADE_CACHE=%s/tools CUDA= PATH=%s/tools:$PATH '%s' lab1 --compiler nvcc --no-sandbox --submission "
             "grader/tests/hostile/host_asm.cu -q 2>&1",
             folder, tools[_i].compiler, folder, folder, tools[_i].before, folder, folder,
             program ? program : "./grade");
    const char *const argv[] = {"/bin/sh", "-c", script, NULL};
    struct process_result r = process_run(argv, &(struct process_limits){.wall_seconds = 300});
    ck_assert_msg(r.status == tools[_i].status && strstr(r.output, tools[_i].said) && !strchr(r.output, '?'),
                  "exit %d: %s", r.status, r.output);
    free(r.output);
}
END_TEST

int main(void) {
    char why[500];
    if (!compiler_find("auto", why, sizeof why)) return printf("SKIP check_hostile: %s\n", why), 0;
    if (!sandbox_present(why, sizeof why)) return printf("SKIP check_hostile: %s\n", why), 0;
    if (!mkdtemp(folder)) return 1;
    Suite *suite = suite_create("hostile");
    TCase *tcase = tcase_create("hostile");
    tcase_set_timeout(tcase, 300);
    tcase_add_loop_test(tcase, malicious_submissions_do_no_harm, 0, ROWS);
    tcase_add_test(tcase, next_grade_is_unaffected);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("setup");
    tcase_set_timeout(tcase, 300);
    tcase_add_loop_test(tcase, failed_tools_are_setup_failures, 0, sizeof tools / sizeof *tools);
    tcase_add_loop_test(tcase, missing_bubblewrap_is_reported, 0, sizeof ways / sizeof *ways);
    suite_add_tcase(suite, tcase);
    const int failed = suite_failures(suite);
    const char *const clean[] = {"rm", "-rf", folder, NULL};
    free(process_run(clean, &(struct process_limits){0}).output);
    return failed != 0;
}
