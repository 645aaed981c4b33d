/* Tests whole programs with `./grade exec`. Each file in grader/tests/exec/ contains its expected results:
 *
 *  //= TEXT      the next line of its output
 *  //$ N         the exit status of ./grade exec; default 0
 *  //> NN        compute capability to compile for
 *  //+ WORD      an option of nvcc
 *  //! KEY ...   the kinds of findings at this line; no others are allowed
 *
 * `make test` runs half of the programs in `sample` per commit, and `make test-exec` (EVERY=1) runs all programs.
 * PROGRAM=name runs a single program. */
/* run: plain, 17 s */
/* reads: grade grader/exec grader/tests/exec */
#include "base/file.h"
#include "exec/exec.h"
#include "sandbox/process.h"
#include "tests/effort.h"
#include "tests/suite.h"
#include <check.h>
#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char programs[] = "grader/tests/exec", *const sample[] = {"children_race", "host_too_early", "kernel_race",
                                                                       "missing"};
enum { MAX_PROGRAMS = 200 };
static char *names[MAX_PROGRAMS];
static int count;
static char folder[] = "/tmp/check-exec-XXXXXX";

/* ---- a program's expectations ----------------------------------------------------------------- */
struct expected {
    char output[4096], findings[4096]; /* output: the program's lines; findings: lines "KEY LINE", sorted */
    int status;
    char arch[20], flag[60]; /* "--arch=90", "--flag=-O3", or "" */
};
static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
static void sort_lines(char *text) {
    char *line[200], copy[4096];
    unsigned n = 0;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *save = NULL, *l = strtok_r(copy, "\n", &save); l && n < 200; l = strtok_r(NULL, "\n", &save))
        line[n++] = l;
    qsort(line, n, sizeof *line, by_text);
    *text = 0;
    for (unsigned k = 0; k < n; k++) strcat(strcat(text, line[k]), "\n");
}
static void read_line(struct expected *e, char *line, unsigned number) {
    char *finds = strstr(line, "//! "), *prints = strstr(line, "//= "), *status = strstr(line, "//$ "),
         *arch = strstr(line, "//> "), *flag = strstr(line, "//+ ");
    if (arch) snprintf(e->arch, sizeof e->arch, "--arch=%d", atoi(arch + 4));
    if (flag) snprintf(e->flag, sizeof e->flag, "--flag=%.50s", flag + 4);
    if (status) e->status = atoi(status + 4);
    for (char *save = NULL, *key = finds ? strtok_r(finds + 4, " ", &save) : NULL; key;
         key = strtok_r(NULL, " ", &save))
        sprintf(e->findings + strlen(e->findings), "%s %u\n", key, number);
    if (!prints) return;
    if (finds > prints) *finds = 0;
    size_t n = strlen(prints);
    while (n > 4 && prints[n - 1] == ' ') prints[--n] = 0;
    sprintf(e->output + strlen(e->output), "%s\n", prints + 4);
}
static void read_program(const char *path, struct expected *e) {
    char *text = file_read(path, 0, 1 << 20, NULL);
    unsigned number = 1;
    ck_assert_ptr_nonnull(text);
    memset(e, 0, sizeof *e);
    for (char *line = text; line; number++) {
        char *end = strchr(line, '\n');
        if (end) *end = 0;
        read_line(e, line, number);
        line = end ? end + 1 : NULL;
    }
    free(text);
    sort_lines(e->findings);
}

/* ---- results --------------------------------------------------------------------------------- */
static void add_findings(const json_t *record, const char *key, char *out) {
    size_t k;
    json_t *f;
    json_array_foreach(json_object_get(record, key), k, f)
        sprintf(out + strlen(out), "%s %d\n", json_string_value(json_object_get(f, "kind")),
                (int)json_integer_value(json_object_get(json_object_get(f, "at"), "line")));
}
static struct process_result execute(const char *const words[], const char *json) {
    const char *argv[20] = {getenv("GRADE"), "exec", "--report", "/dev/null", "--json", json};
    unsigned n = 6;
    while (*words) argv[n++] = *words++;
    const struct process_limits limits = {.wall_seconds = 300, .output_bytes = 1 << 16};
    return process_run(argv, &limits);
}
static bool wanted(const char *name) {
    const char *one = getenv("PROGRAM");
    if (one) return !strcmp(one, name);
    bool in = getenv("EVERY");
    for (unsigned k = 0; k < sizeof sample / sizeof *sample; k++)
        in = in || (!strcmp(sample[k], name) && in_turn(k, 2));
    return in;
}
START_TEST(programs_have_expected_output) {
    char path[300], json[300], found[4096] = "";
    struct expected e;
    const char *name = names[_i];
    if (!wanted(name)) return;
    snprintf(path, sizeof path, "%s/%s.cu", programs, name);
    snprintf(json, sizeof json, "%s/%s.json", folder, name);
    read_program(path, &e);
    const char *words[4] = {NULL};
    unsigned n = 0;
    if (e.arch[0]) words[n++] = e.arch;
    if (e.flag[0]) words[n++] = e.flag;
    words[n] = path;
    const struct process_result r = execute(words, json);
    ck_assert_msg(r.end == PROCESS_EXITED, "%s: %.2000s", name, r.output);
    json_t *record = json_load_file(json, 0, NULL);
    ck_assert_msg(record != NULL, "%s: no record, exit %d: %.2000s", name, r.status, r.output);
    add_findings(record, "findings", found), add_findings(record, "host", found);
    sort_lines(found);
    ck_assert_msg(!strcmp(found, e.findings), "%s: found\n%sexpected\n%s", name, found, e.findings);
    ck_assert_msg(!strcmp(r.output, e.output), "%s: printed\n%sexpected\n%s", name, r.output, e.output);
    ck_assert_msg(r.status == e.status, "%s: exit %d, expected %d", name, r.status, e.status);
    json_decref(record);
    free(r.output);
}
END_TEST

/* ---- programs that cannot run ---------------------------------------------------------------- */
static const struct {
    const char *words[4], *said;
    int status;
} refused[] = {
    {{"/bin/true"}, "does not use CUDA's run-time library", EXEC_USAGE},
    {{"/nowhere/program"}, "No such file", EXEC_USAGE},
    {{"grader/exec/calls.def"}, "Permission denied", EXEC_USAGE},
    {{"--report", "x.cu", "x.cu"}, "--report would overwrite `x.cu`, which is input", EXEC_USAGE},
    {{"--checks", "some", "x"}, "none, fast or all", EXEC_USAGE},
};
START_TEST(programs_that_cannot_run_are_rejected) {
    const struct process_result r = execute(refused[_i].words, "/dev/null");
    ck_assert_msg(r.status == refused[_i].status && strstr(r.output, refused[_i].said), "%s: exit %d: %s",
                  refused[_i].words[0], r.status, r.output);
    free(r.output);
}
END_TEST

/* If the compiler is killed, the message does not blame the program. */
START_TEST(stopped_compilers_are_reported) {
    char nvcc[300], path[4000];
    const char *before = getenv("PATH");
    snprintf(nvcc, sizeof nvcc, "%s/nvcc", folder), snprintf(path, sizeof path, "%s:%s", folder, before);
    ck_assert(file_write(nvcc, "#!/bin/sh\nkill -9 $$\n", 21) && !chmod(nvcc, 0755));
    ck_assert(!setenv("PATH", path, 1));
    const struct process_result r = execute((const char *const[]){"grader/tests/exec/vectors.cu", NULL}, "/dev/null");
    ck_assert(!setenv("PATH", strchr(path, ':') + 1, 1) && !remove(nvcc));
    ck_assert_msg(r.status == EXEC_SETUP && strstr(r.output, "nvcc was stopped"), "exit %d: %s", r.status, r.output);
    free(r.output);
}
END_TEST

/* Link options that are not supported. The rows run only with EVERY=1, because each takes seconds. */
static const struct {
    const char *flags[3], *said;
} linked[] = {
    {{"-cudart", "static"}, "-cudart shared"},
    {{"-cudart", "shared", "-gencode=arch=compute_80,code=sm_80"}, "no PTX"},
};
START_TEST(unsupported_linking_is_reported) {
    char program[300];
    if (!getenv("EVERY")) return;
    snprintf(program, sizeof program, "%s/linked%d", folder, _i);
    const char *const argv[] = {"nvcc",
                                "grader/tests/exec/vectors.cu",
                                "-o",
                                program,
                                linked[_i].flags[0],
                                linked[_i].flags[1],
                                linked[_i].flags[2],
                                NULL};
    struct process_result r = process_run(argv, &(struct process_limits){.wall_seconds = 300});
    ck_assert_msg(r.end == PROCESS_EXITED && r.status == 0, "%s", r.output);
    free(r.output);
    char report[300];
    snprintf(report, sizeof report, "%s.txt", program);
    const char *const words[] = {getenv("GRADE"), "exec", "--report", report, program, NULL};
    r = process_run(words, &(struct process_limits){.wall_seconds = 300});
    char *said = file_read(report, 0, 1 << 20, NULL);
    ck_assert_msg((r.status == EXEC_ABSENT && strstr(r.output, linked[_i].said)) ||
                      (r.status == EXEC_FINDINGS && said && strstr(said, linked[_i].said)),
                  "%s: exit %d: %s%s", linked[_i].said, r.status, r.output, said ? said : "");
    free(said);
    free(r.output);
}
END_TEST
START_TEST(missing_driver_functions_are_named) {
    char file[300];
    if (!getenv("EVERY")) return;
    snprintf(file, sizeof file, "%s/lacks.cu", folder);
    FILE *f = fopen(file, "w");
    ck_assert_ptr_nonnull(f);
    fputs("#include <cuda.h>\nint main() { return cuIpcGetMemHandle(nullptr, 0); }\n", f);
    fclose(f);
    const struct process_result r = execute((const char *const[]){file, NULL}, "/dev/null");
    ck_assert_msg(r.status == EXEC_ABSENT && strstr(r.output, "calls cuIpcGetMemHandle()"), "exit %d: %s", r.status,
                  r.output);
    free(r.output);
}
END_TEST
/* Returns whether the test may call this function with arguments of 0. Excluded are functions that do not return a
 * CUDA error, and cudaDeviceReset(), which frees the program's memory before the next calls. Functions whose names
 * begin with _ do not check their arguments, because only code that nvcc generates calls them. */
static bool is_callable(const char *name) {
    return name[0] != '_' && strcmp(name, "cudaCreateChannelDesc") != 0 && strncmp(name, "cudaGetError", 12) != 0 &&
           strcmp(name, "cudaDeviceReset") != 0;
}
/* Every function must return if its arguments are 0 or NULL. */
START_TEST(calls_with_zero_arguments_return) {
    char file[300], program[300];
    if (!getenv("EVERY")) return;
    snprintf(file, sizeof file, "%s/nulls.c", folder), snprintf(program, sizeof program, "%s/nulls", folder);
    FILE *f = fopen(file, "w");
    ck_assert_ptr_nonnull(f);
    fputs("#include <stdio.h>\n", f);
#define CALL(name)                                                                                                     \
    if (is_callable(#name)) fprintf(f, "long %s();\n", #name);
#define SAME(name, call)
#define MISSING(name, what)
#include "exec/calls.def"
    fputs("int main(void) {\n", f);
#define CALL(name)                                                                                                     \
    if (is_callable(#name))                                                                                            \
        fprintf(f,                                                                                                     \
                "    puts(\"%s\"), fflush(stdout), %s(0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L);\n", \
                #name, #name);
#define SAME(name, call)
#define MISSING(name, what)
#include "exec/calls.def"
    fputs("    return puts(\"the end\") < 0;\n}\n", f), fclose(f);
    const char *const argv[] = {"nvcc", "-w", "-Xcompiler", "-w", "-cudart", "shared", file, "-o", program, NULL};
    struct process_result r = process_run(argv, &(struct process_limits){.wall_seconds = 300});
    ck_assert_msg(r.end == PROCESS_EXITED && r.status == 0, "%s", r.output);
    free(r.output);
    r = execute((const char *const[]){program, NULL}, "/dev/null");
    ck_assert_msg(strstr(r.output, "the end"), "stopped after ...%s",
                  r.output + (strlen(r.output) > 60 ? strlen(r.output) - 60 : 0));
    free(r.output);
}
END_TEST
/* With -rdc=true, a kernel may use a function and a variable of another file. Both files may instantiate the same
 * template. */
START_TEST(files_of_device_code_are_linked) {
    static const char *const text[] = {
        "#include <cstdio>\n"
        "template <typename T> __device__ __noinline__ T square(T x) { return x * x; }\n"
        "__device__ int twice(int x);\nextern __device__ int counter;\nstatic __device__ int own = 100;\n"
        "__global__ void k(int *p) { printf(\"one\\n\"); *p = twice(square(*p)) + counter + own; }\n"
        "int main() {\n    int *d, h = 5;\n    cudaMalloc(&d, 4), cudaMemcpy(d, &h, 4, cudaMemcpyHostToDevice);\n"
        "    k<<<1, 1>>>(d);\n    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost), cudaFree(d);\n"
        "    return printf(\"%d\\n\", h) < 0;\n}\n",
        "#include <cstdio>\n"
        "template <typename T> __device__ __noinline__ T square(T x) { return x * x; }\n"
        "__device__ int counter = 7;\nstatic __device__ int own = 1000;\n"
        "__device__ int twice(int x) { printf(\"two\\n\"); return 2 * x + 0 * square(own); }\n"};
    char file[2][300], program[300];
    if (!getenv("EVERY")) return;
    for (unsigned k = 0; k < 2; k++) {
        snprintf(file[k], sizeof file[k], "%s/file%u.cu", folder, k);
        ck_assert(file_write(file[k], text[k], strlen(text[k])));
    }
    snprintf(program, sizeof program, "%s/files", folder);
    const char *const argv[] = {"nvcc", "-cudart", "shared", "-rdc=true", file[0], file[1], "-o", program, NULL};
    struct process_result r = process_run(argv, &(struct process_limits){.wall_seconds = 300});
    ck_assert_msg(r.end == PROCESS_EXITED && r.status == 0, "%s", r.output);
    free(r.output);
    const char *const words[] = {getenv("GRADE"), "exec", "--report", "/dev/null", program, NULL};
    r = process_run(words, &(struct process_limits){.wall_seconds = 300});
    ck_assert_msg(r.status == EXEC_CLEAN && !strcmp(r.output, "one\ntwo\n157\n"), "%d: %s", r.status, r.output);
    free(r.output);
}
END_TEST
/* If Ctrl-C interrupts an endless launch, the command still reports the results so far. */
START_TEST(an_interrupted_program_is_reported) {
    char program[300], report[300];
    int status = 0;
    if (!getenv("EVERY")) return;
    snprintf(program, sizeof program, "%s/endless.cu", folder);
    snprintf(report, sizeof report, "%s/endless.txt", folder);
    static const char text[] = "__global__ void turn(volatile int *p) { while (*p < 1 << 30) *p = *p + 1 & 255; }\n"
                               "int main() { int *p; cudaMalloc(&p, 8); turn<<<1, 1>>>(p); cudaFree(p); }\n";
    ck_assert(file_write(program, text, sizeof text - 1));
    const pid_t child = fork();
    if (!child) {
        execl(getenv("GRADE"), "grade", "exec", "--report", report, program, (char *)NULL);
        _exit(127);
    }
    sleep(30); /* the command compiles first, and the launch ends only when it is interrupted */
    kill(child, SIGINT);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    char *said = file_read(report, 0, 1 << 20, NULL);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == EXEC_STOPPED && said && strstr(said, "1 launch,"),
                  "status %x: %s", status, said ? said : "no report");
    free(said);
}
END_TEST

static void list_programs(void) {
    DIR *d = opendir(programs);
    for (const struct dirent *e; d && (e = readdir(d)) && count < MAX_PROGRAMS;) {
        const size_t n = strlen(e->d_name);
        if (n > 3 && !strcmp(e->d_name + n - 3, ".cu")) names[count++] = strndup(e->d_name, n - 3);
    }
    if (d) closedir(d);
    qsort(names, (size_t)count, sizeof *names, by_text);
}
int main(void) {
    char library[300];
    const char *grade = getenv("GRADE");
    char *nvcc = process_find("nvcc");
    snprintf(library, sizeof library, "%.*sexec/libcudart-sim.so", grade ? (int)(strrchr(grade, '/') + 1 - grade) : 0,
             grade ? grade : "");
    if (!nvcc || access(library, R_OK)) {
        printf("SKIP check_exec: no nvcc, or no %s\n100%%: Checks: 0, Failures: 0, Errors: 0\n", library);
        return 0;
    }
    free(nvcc);
    list_programs();
    if (!mkdtemp(folder)) return 1;
    Suite *s = suite_create("exec");
    TCase *c = tcase_create("programs"), *r = tcase_create("refused");
    tcase_set_timeout(c, 300), tcase_set_timeout(r, 60);
    tcase_add_loop_test(c, programs_have_expected_output, 0, count);
    tcase_add_loop_test(c, unsupported_linking_is_reported, 0, (int)(sizeof linked / sizeof *linked));
    tcase_add_test(c, calls_with_zero_arguments_return);
    tcase_add_test(r, missing_driver_functions_are_named);
    tcase_add_test(c, files_of_device_code_are_linked);
    tcase_add_test(c, an_interrupted_program_is_reported);
    tcase_add_test(r, stopped_compilers_are_reported);
    add_rows(r, programs_that_cannot_run_are_rejected, sizeof refused / sizeof *refused, 2);
    suite_add_tcase(s, c), suite_add_tcase(s, r);
    const int failed = suite_failures(s);
    for (int k = 0; k < count; k++) free(names[k]);
    file_remove_folder(folder);
    return failed != 0;
}
