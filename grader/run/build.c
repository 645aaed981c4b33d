/* Produces the PTX of FILE. Reads a .ptx file without compiling it. Compiles any other file in place, so that relative
 * #include lines work. */
#include "base/file.h"
#include "sandbox/process.h"
#include "run/run.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_PTX = 64 << 20, MAX_ARGV = 3 * RUN_MAX_FLAGS + 64 };
static const struct process_limits limits = {.wall_seconds = 60,
                                             .cpu_seconds = 60,
                                             .memory_bytes = (size_t)3 << 30,
                                             .file_bytes = MAX_PTX,
                                             .output_bytes = 64 << 10};

bool run_is_ptx(const char *file) {
    const size_t n = strlen(file);
    return n > 4 && !strcmp(file + n - 4, ".ptx");
}
static void fail(struct run_build *b, enum compile_status status, const char *format, const char *a, const char *c) {
    b->status = status;
    if (asprintf(&b->log, format, a, c) < 0) b->log = NULL;
}
static void read_ptx(struct run_build *b, const char *file) {
    b->ptx = file_read(file, 0, MAX_PTX, &b->length);
    if (!b->ptx) fail(b, COMPILE_SETUP, "%s: %s\n", file, file_why(errno));
}
struct command {
    char *argv[MAX_ARGV];
    unsigned count;
};
static void add_argument(struct command *c, const char *prefix, const char *text) {
    if (c->count + 1 < MAX_ARGV && asprintf(&c->argv[c->count], "%s%s", prefix, text) >= 0) c->count++;
}
static void add_flags(struct command *c, const struct run_options *o, const struct compiler *compiler) {
    for (unsigned k = 0; k < o->flags; k++) {
        char words[120];
        const char *becomes = run_flag_of(o->flag[k], compiler);
        snprintf(words, sizeof words, "%s", becomes ? becomes : "");
        for (char *save = NULL, *w = strtok_r(words, " ", &save); w; w = strtok_r(NULL, " ", &save))
            add_argument(c, "", w);
    }
}
static void compile_in(struct run_build *b, const char *folder, const char *path, const struct run_options *o,
                       const struct run_place *place, const struct compiler *compiler) {
    char out[64], temporary[64], common[PATH_MAX + 16];
    struct command c = {.count = 0};
    char *program = compiler_program(compiler);
    snprintf(out, sizeof out, "%s/unit.ptx", folder);
    snprintf(common, sizeof common, "%s/common", place->root);
    snprintf(temporary, sizeof temporary, "TMPDIR=%s", folder);
    const char *words[COMPILER_MAX_WORDS];
    char self[PATH_MAX];
    const unsigned first = compiler_words(compiler, program ? program : compiler_name(compiler), false, words, self);
    for (unsigned k = 0; k < first; k++) add_argument(&c, "", words[k]);
    struct compiler of_arch = compiler_for(compiler, o->arch);
    of_arch.special = o->special;
    const char *flags[COMPILER_MAX_FLAGS];
    char arch[COMPILER_FLAG];
    const unsigned count = compiler_flags(&of_arch, false, flags, arch);
    bool debugs = false; /* -G implies line information */
    for (unsigned k = 0; k < o->flags; k++) debugs |= o->flag[k]->nvcc && !strcmp(o->flag[k]->nvcc, "-G");
    for (unsigned k = 0; k < count; k++)
        if (!debugs || strcmp(flags[k], "-lineinfo")) add_argument(&c, "", flags[k]);
    add_flags(&c, o, compiler);
    for (unsigned k = 0; k < o->includes; k++) add_argument(&c, "-I", o->include[k]);
    for (unsigned k = 0; k < o->defines; k++) add_argument(&c, "-D", o->define[k]);
    add_argument(&c, "-I", common);
    if (!strcmp(compiler_name(compiler), "nvcc")) add_argument(&c, "", "-x"), add_argument(&c, "", "cu");
    add_argument(&c, "", path), add_argument(&c, "", "-o"), add_argument(&c, "", out);
    struct process_limits own = limits;
    own.temporary = temporary;
    const struct process_result r = process_run((const char *const *)c.argv, &own);
    if (r.end == PROCESS_EXITED && r.status == 0)
        read_ptx(b, out);
    else if (r.end == PROCESS_EXITED && r.status != 127)
        fail(b, COMPILE_SUBMISSION, "%s%s", r.output ? r.output : "",
             r.output && strstr(r.output, "host functions are not allowed")
                 ? "nvrtc cannot compile host code: use --compiler nvcc for this file\n"
                 : "");
    else if ((b->stopped = r.end == PROCESS_TIMED_OUT || r.end == PROCESS_KILLED))
        fail(b, COMPILE_SUBMISSION, "%s: %s was stopped because it took too long or used too much memory\n", o->file,
             compiler_name(compiler));
    else
        fail(b, COMPILE_SETUP, "%s did not run: %s\n", compiler_name(compiler), r.output ? r.output : "");
    if (b->status == COMPILE_OK && !b->log && r.output && *r.output)
        b->log = strdup(r.output); /* keep the compiler's warnings */
    for (unsigned k = 0; k < c.count; k++) free(c.argv[k]);
    unlink(out);
    free(program);
    free(r.output);
}
/* Writes a program that includes the file and uses the kernel, which makes the compiler generate the instance. */
static bool write_user(const char *to, const char *path, const char *kernel) {
    FILE *f = fopen(to, "w");
    if (!f) return false;
    fprintf(f, "#include \"%s\"\nauto *grade_run_instance = &%s;\n", path, kernel);
    return fclose(f) == 0;
}
/* Returns whether the file's start contains no NUL: a compiler reports a page of errors for each one. */
static bool is_text(const char *path) {
    char start[4096];
    FILE *f = fopen(path, "r");
    const size_t n = f ? fread(start, 1, sizeof start, f) : 0;
    if (f) fclose(f);
    return !memchr(start, 0, n);
}
static struct run_build build(const struct run_options *o, const struct run_place *place, const struct compiler *c,
                              const char *instance) {
    struct run_build b = {.status = COMPILE_OK};
    struct stat s;
    char path[PATH_MAX], folder[FILE_TEMPORARY], user[FILE_TEMPORARY + 20];
    if (!realpath(o->file, path) || stat(path, &s)) /* the compiler cannot mistake an absolute path for an option */
        fail(&b, COMPILE_SETUP, "%s: %s\n", o->file, strerror(errno));
    else if (!S_ISREG(s.st_mode))
        fail(&b, COMPILE_SETUP, "%s is not a regular file%s\n", o->file, "");
    else if (!is_text(path))
        fail(&b, COMPILE_SUBMISSION, "%s is not a text file in UTF-8%s\n", o->file, "");
    else if (!c)
        read_ptx(&b, o->file);
    else if (!file_temporary(folder))
        fail(&b, COMPILE_SETUP, "cannot create a folder in /tmp%s%s\n", "", "");
    else {
        snprintf(user, sizeof user, "%s/instance.cu", folder);
        if (instance && !write_user(user, path, instance))
            fail(&b, COMPILE_SETUP, "cannot write %s%s\n", user, "");
        else
            compile_in(&b, folder, instance ? user : path, o, place, c), b.by = c;
        /* Another compiler is tried if, for example, the file contains host code. */
        if (b.status != COMPILE_OK && !b.stopped && c->otherwise && !instance) {
            free(b.log);
            b = (struct run_build){.status = COMPILE_OK, .by = c->otherwise};
            compile_in(&b, folder, path, o, place, c->otherwise);
        }
        if (instance) unlink(user);
        rmdir(folder);
    }
    return b;
}
/* Returns whether KERNEL has template arguments, and the file has no such kernel. */
static bool lacks_instance(const struct run_options *o, const struct run_build *b) {
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:<>,. -+*&()";
    struct ptx_error error;
    char *message = NULL;
    if (!o->kernel || !strchr(o->kernel, '<') || o->kernel[strspn(o->kernel, allowed)]) return false;
    if (b->status != COMPILE_OK || !b->by || strpbrk(o->file, "\"\\\n")) return false;
    struct ptx_module *m = ptx_parse_usable(b->ptx, b->length, o->file, &error);
    const bool lacks = m && !run_find_kernel(m, o->kernel, &message);
    if (m) ptx_free(m);
    free(message);
    return lacks;
}
struct run_build run_build(const struct run_options *o, const struct run_place *place, const struct compiler *c) {
    char message[500];
    struct run_build b = build(o, place, c, NULL);
    const struct compiler *nvcc = lacks_instance(o, &b) ? compiler_find("nvcc", message, sizeof message) : NULL;
    if (!nvcc) return b;
    struct run_build made = build(o, place, nvcc, o->kernel);
    if (made.status == COMPILE_OK) {
        free(b.ptx), free(b.log);
        return made;
    }
    free(made.ptx), free(made.log);
    return b;
}
