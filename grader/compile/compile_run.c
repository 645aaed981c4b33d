/* See compile_run.h. */
#include "compile/compile_run.h"
#include "base/clock.h"
#include "base/file.h"
#include "compile/cache.h"
#include "compile/diagnostics.h"
#include "sandbox/process.h"
#include "sandbox/ended.h"
#include "sandbox/sandbox.h"
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define PTX_FILE "unit.ptx"
enum {
    MAX_HEADER = 1 << 20,
    MAX_PTX = 64 << 20,
    MAX_ARGUMENTS = 40,
    MAX_CPU_SECONDS = 60,   /* limit for all variants together */
    LITTLE_ROOM = 32 << 20, /* minimum free disk space in bytes */
    FEW_FILES = 256
};

/* ---- limits per run ----------------------------------------------------------------------- */
static const struct process_limits limits = {
    .wall_seconds = 150,
    .cpu_seconds = 30,
    .memory_bytes = (size_t)2 << 30,
    .file_bytes = MAX_PTX,
    .output_bytes = 64 << 10,
    .processes = 4096, /* RLIMIT_NPROC counts all processes of the user, who may be running many others */
    .files = 256};
/* If the machine's limits on a process are lower, a compiler's failure may be the machine's fault. `least_stopped` is
 * for a compiler that was stopped, and `least` for any other failure. */
static const struct process_limits least_stopped = {.cpu_seconds = 30, .memory_bytes = (size_t)2 << 30},
                                   least = {.memory_bytes = (size_t)512 << 20, .file_bytes = 16 << 20, .files = 64};

/* ---- one run of a compiler ---------------------------------------------------------------------- */
static struct text replaced(const char *in, const char *from, const char *to) {
    const size_t n = strlen(from);
    struct text text = {0};
    FILE *t = open_text(&text);
    for (const char *hit; n && (hit = strstr(in, from)); in = hit + n)
        fwrite(in, 1, (size_t)(hit - in), t), fputs(to, t);
    fputs(in, t);
    close_text(t);
    return text;
}
/* Overwrites with zeros the hashes that compilers put into names of internal variables and namespaces, because they
 * differ from run to run. */
void compile_clear_hashes(char *ptx) {
    static const char *const before[] = {"_INTERNAL_", "_GLOBAL__N__"};
    for (unsigned k = 0; k < 2; k++)
        for (char *s = ptx; (s = strstr(s, before[k]));) {
            s += strlen(before[k]);
            if (strspn(s, "0123456789abcdef") == 8 && s[8] == '_') memset(s, '0', 8);
        }
}
/* Renames files in the PTX so that reports do not show folders of the machine: the submission becomes reduce.cu, and
 * headers of the course become common/... */
static void clean_ptx(struct product *p, const char *folder, const char *root) {
    char source[64], headers[PATH_MAX + 16];
    snprintf(source, sizeof source, "%s/", folder); /* prefix of reduce.cu and operator.h */
    snprintf(headers, sizeof headers, "\"%s/common/", root);
    const struct text own = replaced(p->ptx, source, ""), text = replaced(own.data, headers, "\"common/");
    free(p->ptx), free(own.data);
    p->ptx = text.data, p->length = text.length;
    compile_clear_hashes(p->ptx);
}
/* If the compiler does not support the requested compute capability, the PTX is for an earlier one. In this case,
 * changes the target of the PTX to the requested capability. */
static void raise_target(struct product *p, const struct compiler *c) {
    char from[64], to[64];
    const unsigned known = compiler_supported_arch(c, c->arch);
    if (known == c->arch) return;
    snprintf(from, sizeof from, ".version 7.0\n.target sm_%u", known);
    snprintf(to, sizeof to, ".version 7.8\n.target sm_%u", c->arch);
    const struct text text = replaced(p->ptx, from, to);
    free(p->ptx);
    p->ptx = text.data, p->length = text.length;
}
static void compile_fault(struct product *p, enum compile_status status, const char *format, const char *a,
                          const char *b) {
    p->status = status;
    if (asprintf(&p->log, format, a, b) < 0) p->log = NULL;
}
/* Reports that the compiler exceeded a limit on CPU time or memory, which is the same on every machine. */
static void was_stopped(struct product *p, const struct job *j) {
    p->stopped = true;
    compile_fault(p, COMPILE_SUBMISSION, "%s: %s was stopped because it took too long or used too much memory\n",
                  j->request->shown, compiler_name(j->compiler));
}
/* The sandbox and nvcc exit with a status above 128 if a signal killed their program. Converts such a status to
 * PROCESS_KILLED and the signal's number. */
static struct process_result decode_status(struct process_result r, bool sandbox) {
    if (sandbox && r.output && !sandbox_ran(r.output) && r.end == PROCESS_EXITED && !r.cut) r.status = 127;
    if (r.end == PROCESS_EXITED && r.status > 128) r.end = PROCESS_KILLED, r.status -= 128;
    return r;
}
static bool start(struct process *p, const struct job *j, const char *folder, const char *out, const char *const argv[],
                  const struct process_limits *own) {
    if (!j->request->sandbox) return process_start(p, argv, own);
    char common[PATH_MAX + 16];
    snprintf(common, sizeof common, "%s/common", j->request->root);
    struct compiler_shown shown;
    struct sandbox sandbox = {.hidden = j->request->root,
                              .shown = {{common, common}},
                              .directory = folder,
                              .output = out,
                              .reports_status = true,
                              .command = argv};
    if (!file_write(out, "", 0)) return false;
    compiler_show(j->compiler, &shown, &sandbox);
    char **words = sandbox_words(&sandbox);
    const bool started = words && process_start(p, (const char *const *)words, own);
    sandbox_free(words);
    compiler_hide(&shown);
    return started;
}
/* Returns whether the compiler may have failed because there was too little disk space for its output. This is a guess,
 * because a failing compiler removes its files, which frees the space. */
static bool is_nearly_full(const char *folder) {
    struct statvfs s;
    return !statvfs(folder, &s) &&
           ((uint64_t)s.f_bavail * s.f_frsize < LITTLE_ROOM || (s.f_files && s.f_favail < FEW_FILES));
}
/* Starts the compiler in `folder`, where the submission is named reduce.cu: its original name may contain any
 * characters and must never reach a compiler. The compiler's temporary files are in the same folder. */
static bool start_in(struct process *p, const struct job *j, const char *folder, bool waits) {
    char wrapper[64], out[64], include[PATH_MAX + 16], op[32], type[32], temporary[64], arch[COMPILER_FLAG],
        program[PATH_MAX];
    const char *argv[MAX_ARGUMENTS];
    unsigned n = 0;
    snprintf(wrapper, sizeof wrapper, "%s/%s", folder, j->unit ? "unit.cu" : "reduce.cu");
    snprintf(out, sizeof out, "%s/" PTX_FILE, folder);
    snprintf(include, sizeof include, "-I%s/common", j->request->root);
    snprintf(op, sizeof op, "-DREDUCE_OP=%d", (int)j->variant.op);
    snprintf(type, sizeof type, "-DREDUCE_TYPE=%d", (int)j->variant.type);
    snprintf(temporary, sizeof temporary, "TMPDIR=%s", folder);
    char *path = compiler_program(j->compiler);
    n += compiler_words(j->compiler, path ? path : compiler_name(j->compiler), waits, argv, program);
    n += compiler_flags(j->compiler, j->request->quick, argv + n, arch);
    argv[n++] = include;
    if (j->request->solution) argv[n++] = "-DSOLUTION";
    if (!j->unit) argv[n++] = op, argv[n++] = type;
    argv[n++] = wrapper, argv[n++] = "-o", argv[n++] = out, argv[n] = NULL;
    struct process_limits own = limits;
    own.temporary = temporary, own.waits = waits;
    const bool started = start(p, j, folder, out, argv, &own);
    free(path);
    return started;
}
/* Returns whether the compiler's first line reports that it could not start one of its programs, as happens when
 * processes or memory run out. Messages about a source file begin with the file's name. */
static bool is_tool_failure(const char *output) {
    static const char *const lines[] = {"nvcc fatal ", "gcc: fatal error: cannot execute",
                                        "clang: error: unable to execute"};
    for (unsigned k = 0; output && k < sizeof lines / sizeof *lines; k++)
        if (!strncmp(output, lines[k], strlen(lines[k]))) return true;
    return false;
}
/* Blames the machine for a failure if its limits on processes may make a right submission fail. */
static void blame_limits(struct product *p, const struct job *j) {
    const char *lacks = p->status == COMPILE_SUBMISSION ? process_lacks(p->stopped ? &least_stopped : &least) : NULL;
    if (!lacks) return;
    free(p->log);
    p->stopped = p->again = false;
    compile_fault(p, COMPILE_SETUP, "%s failed, and this machine's limit on %s is too low: raise it\n",
                  compiler_name(j->compiler), lacks);
}
/* Runs the compiler, or resumes the compiler that waits in the folder, and collects its result. */
static void run_in(const char *folder, const struct job *j, struct process *ahead, struct product *p) {
    char out[64];
    struct process own = {.pid = -1}, *process = ahead ? ahead : &own;
    snprintf(out, sizeof out, "%s/" PTX_FILE, folder);
    if (atomic_load(j->used) > 1000 * MAX_CPU_SECONDS) {
        was_stopped(p, j);
        return;
    }
    if (!ahead) start_in(process, j, folder, false);
    const double left = j->deadline - clock_seconds();
    if (left < process->limits.wall_seconds) process->limits.wall_seconds = left > 1 ? (unsigned)left : 1;
    process_go(process);
    const struct process_result r = decode_status(process_finish(process), j->request->sandbox);
    atomic_fetch_add(j->used, (unsigned)(1000 * r.cpu_seconds));
    if (r.end == PROCESS_EXITED && r.status == 0) p->ptx = file_read(out, FILE_NO_LINK, MAX_PTX, &p->length);
    if (p->ptx && !p->length) free(p->ptx), p->ptx = NULL; /* the compiler wrote nothing */
    const struct diagnosed d = {folder, j->request->root, j->request->shown, j->request->own_shown, j->source};
    if (p->ptx)
        clean_ptx(p, folder, j->request->root), raise_target(p, j->compiler),
            p->status = COMPILE_OK, p->log = diagnostics_warnings(r.output ? r.output : "", &d);
    else if (is_nearly_full(folder))
        compile_fault(p, COMPILE_SETUP,
                      "%s failed, and /tmp%s has room for less than 32 MiB or for fewer than 256 "
                      "files\n",
                      compiler_name(j->compiler), "");
    else if (r.end == PROCESS_EXITED && r.status && r.output && strstr(r.output, "CPU time limit exceeded"))
        was_stopped(p, j); /* at the CPU-time limit, gcc prints this message and exits; other programs die of SIGXCPU */
    else if (r.end == PROCESS_EXITED && r.status && is_tool_failure(r.output))
        compile_fault(p, COMPILE_SETUP, "%s could not work: %s\n", compiler_name(j->compiler), r.output);
    else if (r.end == PROCESS_EXITED && r.status && r.status != 127) {
        p->status = COMPILE_SUBMISSION, p->log = diagnostics_errors(r.output ? r.output : "", &d);
        if (p->log && !p->log[strspn(p->log, " \n")]) /* all messages were about the generated translation unit */
            free(p->log), compile_fault(p, COMPILE_SUBMISSION, "%s: %s failed and printed no message\n",
                                        j->request->shown, compiler_name(j->compiler));
        /* gcc, the preprocessor that nvcc calls, was killed, or the file imitates this message */
        p->again = p->log && strstr(p->log, "Killed signal terminated program");
    } else if (r.end == PROCESS_KILLED && ended_by(r.status, r.resident_bytes) == ENDED_OUTSIDE)
        compile_fault(p, COMPILE_SETUP, "%s was killed by the out-of-memory killer or a user%s\n",
                      compiler_name(j->compiler), "");
    else if (r.end == PROCESS_TIMED_OUT) /* the process used less than the CPU-time limit, so the machine is busy */
        compile_fault(p, COMPILE_SETUP, "%s: %s exceeded the wall-clock limit on a busy machine\n", j->request->shown,
                      compiler_name(j->compiler));
    else if (r.end == PROCESS_KILLED)
        was_stopped(p, j);
    else
        compile_fault(p, COMPILE_SETUP, "%s did not run: %s\n", compiler_name(j->compiler), r.output ? r.output : "");
    free(r.output);
    blame_limits(p, j);
}

/* ---- a compiler started ahead of time ---------------------------------------------------------- */
struct compile_ahead {
    char folder[FILE_TEMPORARY];
    struct process process;
    struct compiler compiler;
    struct compile_request request;
    bool used;
};
struct compile_ahead *compile_start(const struct compiler *c, const struct compile_request *r) {
    struct compile_ahead *a = compiler_waits(c) ? calloc(1, sizeof *a) : NULL;
    if (!a || !file_temporary(a->folder)) return free(a), NULL;
    a->compiler = *c, a->request = *r;
    const struct job j = {.compiler = c, .request = r, .unit = ""};
    if (start_in(&a->process, &j, a->folder, true)) return a;
    a->process.pid = -1;
    return compile_ahead_free(a), NULL;
}
/* Returns whether the compiler that was started ahead of time can compile this job. */
static bool suits(const struct compile_ahead *a, const struct job *j) {
    const struct compile_request *have = &a->request, *want = j->request;
    return !a->used && j->unit && a->compiler.flags == j->compiler->flags && a->compiler.arch == j->compiler->arch &&
           !strcmp(have->root, want->root) && have->solution == want->solution && have->sandbox == want->sandbox &&
           have->quick == want->quick;
}
void compile_ahead_free(struct compile_ahead *a) {
    if (!a) return;
    free(process_finish(&a->process).output); /* NULL if compile() has used this compiler */
    file_remove_folder(a->folder);
    free(a);
}

/* ---- the files of a run ------------------------------------------------------------------- */
static bool write_files(const struct job *j, const char *folder) {
    char source[64], unit[64], own[64];
    const char *operator= j->request->own;
    snprintf(source, sizeof source, "%s/reduce.cu", folder);
    snprintf(unit, sizeof unit, "%s/unit.cu", folder);
    snprintf(own, sizeof own, "%s/" COMPILE_OWN, folder);
    return file_write(source, j->source, strlen(j->source)) &&
           (!operator|| file_write(own, operator, strlen(operator))) &&
           (!j->unit || file_write(unit, j->unit, strlen(j->unit)));
}
struct product compile_run_once(const struct job *j) {
    struct product p = {.status = COMPILE_SETUP};
    struct compile_ahead *ahead = j->request->ahead && suits(j->request->ahead, j) ? j->request->ahead : NULL;
    char folder[FILE_TEMPORARY];
    if (ahead)
        ahead->used = true, memcpy(folder, ahead->folder, sizeof folder);
    else if (!file_temporary(folder))
        return compile_fault(&p, COMPILE_SETUP, "cannot create a folder in /tmp%s%s\n", "", ""), p;
    if (write_files(j, folder))
        run_in(folder, j, ahead ? &ahead->process : NULL, &p);
    else
        compile_fault(&p, COMPILE_SETUP, "cannot write to /tmp%s%s\n", "", "");
    file_remove_folder(folder);
    return p;
}

/* Runs the compiler. If it fails for a reason unrelated to the submission, runs it a second time. */
static struct product run_compiler(const struct job *j) {
    struct product p = compile_run_once(j);
    if (p.status != COMPILE_SETUP && !p.again) return p;
    free(p.log);
    return compile_run_once(j);
}

/* ---- the cache ------------------------------------------------------------------------------ */
/* Adds a part to a key, preceded by its length, so that different lists of parts never give the same key. */
static void add_part(FILE *key, const char *text, size_t length) {
    fprintf(key, "%zu:", length);
    fwrite(text, 1, length, key);
}
static void add_text(FILE *key, const char *text) { add_part(key, text ? text : "", text ? strlen(text) : 0); }
static void add_file(FILE *key, const char *root, const char *name) {
    char path[PATH_MAX + 64];
    size_t length;
    snprintf(path, sizeof path, "%s/common/%s", root, name);
    char *data = file_read(path, 0, MAX_HEADER, &length);
    add_part(key, data ? data : "", length);
    free(data);
}
/* Returns the cache key, which contains everything that determines the PTX. */
static struct text key_of(const struct job *j) {
    const struct compile_request *r = j->request;
    const char *flags[COMPILER_MAX_FLAGS];
    char arch[COMPILER_FLAG];
    struct text text = {0};
    FILE *key = open_text(&text);
    struct stat s = {0};
    char *compiler = compiler_program(j->compiler);
    if (compiler) stat(compiler, &s);
    fprintf(key, "4 %s %lld %lld %d %d %s\n", compiler_name(j->compiler), (long long)s.st_size, (long long)s.st_mtime,
            r->solution, r->sandbox, j->unit ? "" : variant_name(j->variant));
    const unsigned count = compiler_flags(j->compiler, r->quick, flags, arch);
    for (unsigned k = 0; k < count; k++) add_text(key, flags[k]);
    fprintf(key, "%u", j->compiler->arch);
    add_file(key, r->root, "reduce.h");
    add_file(key, r->root, "cluster.h");
    add_file(key, r->root, "tensor.h");
    add_file(key, r->root, "cuda_clang.h");
    add_file(key, r->root, "cuda_nvrtc.h");
    if (r->own) add_file(key, r->root, "own.h"), add_text(key, r->own);
    add_text(key, j->unit);
    add_text(key, j->source);
    close_text(key);
    free(compiler);
    return text;
}
struct product compile_run(const struct job *j, bool compiles) {
    struct product p = {.status = COMPILE_SETUP};
    struct text text = key_of(j);
    const struct cache_key key = {.folder = j->request->cache, .data = text.data, .length = text.length};
    if ((p.ptx = cache_find(&key, &p.length, &p.log)))
        p.status = COMPILE_OK;
    else if (compiles) {
        p = run_compiler(j);
        if (p.status == COMPILE_OK) cache_keep(&key, p.ptx, p.length, p.log);
    }
    free(text.data);
    return p;
}
