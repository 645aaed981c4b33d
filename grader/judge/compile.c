/* See compile.h. */
#include "judge/compile.h"
#include "judge/process.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_SOURCE = 1 << 20, MAX_ARGUMENTS = 40 };

/* ---- compilers: a row each ------------------------------------------------------------------ */
struct compiler {
    const char *name;
    const char *const *flags;
};
/* One architecture for every machine: PTX of compute capability 7.5 runs on everything since, and the driver compiles
 * it on. */
static const char *const nvcc_flags[] = {"-ptx", "-arch=compute_75", "-lineinfo", "-diag-suppress=177,550", NULL};
static const char *const clang_flags[] = {"-x",
                                          "cuda",
                                          "--cuda-device-only",
                                          "-nocudainc",
                                          "-nocudalib",
                                          "--cuda-gpu-arch=sm_75",
                                          "-Xclang",
                                          "-target-feature",
                                          "-Xclang",
                                          "+ptx70",
                                          "-S",
                                          "-O2",
                                          "-gline-tables-only",
                                          "-include",
                                          "cuda_clang.h",
                                          "-Wno-unknown-cuda-version",
                                          "-Wno-unused-variable",
                                          "-Wno-cuda-compat",
                                          NULL};
static const struct compiler compilers[] = {{"nvcc", nvcc_flags}, {"clang", clang_flags}};
static const struct process_limits limits = {
    .wall_seconds = 60, .cpu_seconds = 60, .file_bytes = 64 << 20, .output_bytes = 64 << 10};

static char *compiler_path(const char *name) {
    char *path = process_find(name);
    if (!path && !strcmp(name, "nvcc") && access("/usr/local/cuda/bin/nvcc", X_OK) == 0)
        path = strdup("/usr/local/cuda/bin/nvcc");
    return path;
}
const struct compiler *compiler_find(const char *wanted, char *message, size_t size) {
    const bool any = !strcmp(wanted, "auto");
    for (unsigned k = 0; k < sizeof compilers / sizeof *compilers; k++) {
        if (!any && strcmp(wanted, compilers[k].name)) continue;
        char *path = compiler_path(compilers[k].name);
        free(path);
        if (path) return &compilers[k];
    }
    snprintf(
        message, size,
        "no %s found in PATH or /usr/local/cuda/bin: install the CUDA Toolkit, or clang with `apt-get install clang`",
        any ? "nvcc or clang" : wanted);
    return NULL;
}
const char *compiler_name(const struct compiler *c) { return c->name; }

/* ---- text ----------------------------------------------------------------------------------- */
struct text {
    char *data;
    size_t length, capacity;
};
static void append(struct text *t, const char *data, size_t length) {
    if (t->length + length + 1 > t->capacity) {
        t->capacity = 2 * (t->length + length + 1);
        char *grown = realloc(t->data, t->capacity);
        if (!grown) abort();
        t->data = grown;
    }
    memcpy(t->data + t->length, data, length);
    t->length += length;
    t->data[t->length] = 0;
}
static void appends(struct text *t, const char *s) { append(t, s, strlen(s)); }
static void appendf(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void appendf(struct text *t, const char *format, ...) {
    char *s = NULL;
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    if (vasprintf(&s, format, arguments) < 0) abort();
    __builtin_va_end(arguments);
    appends(t, s);
    free(s);
}
static char *read_whole(int fd, size_t most, size_t *length) {
    char *data = malloc(most + 2);
    *length = 0;
    for (ssize_t n; data && *length <= most && (n = read(fd, data + *length, most + 1 - *length)) > 0;)
        *length += (size_t)n;
    if (data) data[*length] = 0;
    return data;
}

/* A submission is one regular text file of moderate size; anything else is refused by name. */
static char *read_source(const struct compile_request *r, struct compiled *c) {
    struct stat s;
    size_t length = 0;
    char *text = NULL;
    const char *why = NULL;
    const int fd = open(r->source, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        why = errno == ELOOP ? "is a symbolic link, and only a plain file is taken" : strerror(errno);
    else if (fstat(fd, &s) || !S_ISREG(s.st_mode))
        why = "is not a plain file";
    else if (s.st_size > MAX_SOURCE)
        why = "is larger than 1 MiB";
    else if (!(text = read_whole(fd, MAX_SOURCE, &length)))
        why = "cannot be read";
    else if (memchr(text, 0, length))
        why = "holds NUL bytes: it is not a text file";
    if (fd >= 0) close(fd);
    if (!why) return text;
    free(text);
    c->status = COMPILE_SUBMISSION;
    if (asprintf(&c->log, "%s %s\n", r->shown, why) < 0) c->log = NULL;
    return NULL;
}

/* ---- the translation unit ------------------------------------------------------------------- */
/* #include <...> lines of the source: system headers cannot be opened inside a namespace, but are guarded, so they come
 * first. */
static void hoist_includes(struct text *t, const char *source) {
    for (const char *line = source; *line;) {
        const size_t n = strcspn(line, "\n");
        const char *s = line;
        while (s < line + n && isblank((unsigned char)*s)) s++;
        if (*s == '#') {
            for (s++; s < line + n && isblank((unsigned char)*s); s++) continue;
            if (!strncmp(s, "include", 7)) {
                for (s += 7; s < line + n && isblank((unsigned char)*s); s++) continue;
                if (*s == '<') append(t, line, n), appends(t, "\n");
            }
        }
        line += n + (line[n] == '\n');
    }
}
static void define_variant(struct text *t, struct variant v) {
    appendf(t, "#undef REDUCE_OP\n#undef REDUCE_TYPE\n#define REDUCE_OP %d\n#define REDUCE_TYPE %d\n", (int)v.op,
            (int)v.type);
}
char *compile_wrapper(const char *source_path, const char *source_text, uint32_t variants) {
    struct text t = {0};
    hoist_includes(&t, source_text);
    for (unsigned k = 0; k < VARIANT_COUNT; k++) {
        if (!(variants >> k & 1)) continue;
        define_variant(&t, variant_at(k));
        appendf(&t, "namespace %s {\n#include \"%s\"\n}\n", variant_name(variant_at(k)), source_path);
    }
    return t.data;
}
static char *single_wrapper(const char *source_path, struct variant v) {
    struct text t = {0};
    define_variant(&t, v);
    appendf(&t, "#include \"%s\"\n", source_path);
    return t.data;
}

/* ---- one run of the compiler ---------------------------------------------------------------- */
/* What the user should see: paths as they know them, nothing of the wrapper. */
static char *clean_log(const char *output, const char *source, const char *shown, const char *wrapper) {
    struct text t = {0};
    appends(&t, "");
    for (const char *line = output; *line;) {
        const size_t n = strcspn(line, "\n");
        char *copy = strndup(line, n);
        if (copy && !strstr(copy, wrapper)) {
            const char *at = copy;
            for (const char *hit; (hit = strstr(at, source)); at = hit + strlen(source))
                append(&t, at, (size_t)(hit - at)), appends(&t, shown);
            appends(&t, at);
            appends(&t, "\n");
        }
        free(copy);
        line += n + (line[n] == '\n');
    }
    return t.data;
}
static bool write_file(const char *path, const char *data, size_t length) {
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    bool ok = fd >= 0;
    for (size_t done = 0; ok && done < length;) {
        const ssize_t n = write(fd, data + done, length - done);
        ok = n > 0;
        if (ok) done += (size_t)n;
    }
    return (fd < 0 || close(fd) == 0) && ok;
}
/* Compiles `unit`; PTX in *ptx, or NULL and a log. */
static enum compile_status run_compiler(const struct compiler *c, const struct compile_request *r, const char *source,
                                        const char *unit, char **ptx, size_t *length, char **log) {
    char folder[] = "/tmp/grade-XXXXXX", wrapper[64], out[64], include[PATH_MAX];
    const char *argv[MAX_ARGUMENTS];
    unsigned n = 0;
    *ptx = NULL;
    if (!mkdtemp(folder)) return *log = strdup("cannot make a folder in /tmp\n"), COMPILE_SETUP;
    snprintf(wrapper, sizeof wrapper, "%s/unit.cu", folder);
    snprintf(out, sizeof out, "%s/unit.ptx", folder);
    snprintf(include, sizeof include, "-I%s/common", r->root);
    char *path = compiler_path(c->name);
    argv[n++] = path ? path : c->name;
    for (const char *const *f = c->flags; *f; f++) argv[n++] = *f;
    argv[n++] = include;
    if (r->solution) argv[n++] = "-DSOLUTION";
    argv[n++] = wrapper, argv[n++] = "-o", argv[n++] = out, argv[n] = NULL;
    enum compile_status status = COMPILE_SETUP;
    if (!write_file(wrapper, unit, strlen(unit)))
        *log = strdup("cannot write to /tmp\n");
    else {
        struct process_result p = process_run(argv, &limits);
        const int fd = p.end == PROCESS_EXITED && p.status == 0 ? open(out, O_RDONLY | O_CLOEXEC) : -1;
        if (fd >= 0 && (*ptx = read_whole(fd, 64 << 20, length)))
            status = COMPILE_OK, *log = strdup("");
        else if (p.end == PROCESS_EXITED && p.status && p.status != 127)
            status = COMPILE_SUBMISSION, *log = clean_log(p.output, source, r->shown, wrapper);
        else if (p.end == PROCESS_TIMED_OUT || p.end == PROCESS_KILLED) {
            status = COMPILE_SUBMISSION;
            if (asprintf(log, "%s: the compiler needed more than %u seconds or was killed\n", r->shown,
                         limits.wall_seconds) < 0)
                *log = NULL;
        } else if (asprintf(log, "%s did not run: %s\n", c->name, p.output ? p.output : "") < 0)
            *log = NULL;
        if (fd >= 0) close(fd);
        free(p.output);
    }
    free(path);
    unlink(wrapper);
    unlink(out);
    rmdir(folder);
    return status;
}

/* ---- the cache: one file holds the whole key and the PTX, so a hit is certain --------------- */
static uint64_t fingerprint(const char *data, size_t length) { /* FNV-1a */
    uint64_t h = UINT64_C(14695981039346656037);
    for (size_t k = 0; k < length; k++) h = (h ^ (unsigned char)data[k]) * UINT64_C(1099511628211);
    return h;
}
static void add_file(struct text *key, const char *root, const char *name) {
    char path[PATH_MAX];
    size_t length;
    snprintf(path, sizeof path, "%s/common/%s", root, name);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    char *data = fd >= 0 ? read_whole(fd, MAX_SOURCE, &length) : NULL;
    if (data) append(key, data, length);
    free(data);
    if (fd >= 0) close(fd);
}
static struct text cache_key(const struct compiler *c, const struct compile_request *r, const char *path,
                             const char *source) {
    struct text key = {0};
    struct stat s = {0};
    char *compiler = compiler_path(c->name);
    if (compiler) stat(compiler, &s);
    appendf(&key, "%s %lld %lld %s %x %d\n", c->name, (long long)s.st_size, (long long)s.st_mtime, path, r->variants,
            r->solution);
    for (const char *const *f = c->flags; *f; f++) appendf(&key, "%s ", *f);
    add_file(&key, r->root, "reduce.h");
    add_file(&key, r->root, "cuda_clang.h");
    appends(&key, source);
    appends(&key, "\n");
    free(compiler);
    return key;
}
static char *cache_path(const struct compile_request *r, const struct text *key) {
    char *path = NULL;
    if (asprintf(&path, "%s/%016llx.ptx", r->cache, (unsigned long long)fingerprint(key->data, key->length)) < 0)
        return NULL;
    return path;
}
static bool from_cache(const char *path, const struct text *key, char **ptx, size_t *length) {
    size_t whole;
    const int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    char *data = fd >= 0 ? read_whole(fd, 64 << 20, &whole) : NULL;
    if (fd >= 0) close(fd);
    const bool hit = data && whole > key->length && !memcmp(data, key->data, key->length);
    if (hit) {
        *length = whole - key->length;
        memmove(data, data + key->length, *length + 1);
        *ptx = data;
    } else
        free(data);
    return hit;
}
/* Written under another name and renamed, so that a reader never sees half a file. A cache that cannot be written is no
 * error. */
static void to_cache(const struct compile_request *r, const char *path, const struct text *key, const char *ptx,
                     size_t length) {
    char *partial = NULL;
    struct text whole = {0};
    if (!path || asprintf(&partial, "%s.%d", path, (int)getpid()) < 0) return;
    mkdir(r->cache, 0755);
    append(&whole, key->data, key->length);
    append(&whole, ptx, length);
    if (!write_file(partial, whole.data, whole.length) || rename(partial, path)) unlink(partial);
    free(whole.data);
    free(partial);
}

/* ---- all together --------------------------------------------------------------------------- */
/* Every variant alone: finds the one that does not compile, or makes do with many PTX texts. */
static void compile_singly(const struct compiler *c, const struct compile_request *r, const char *path,
                           struct compiled *out) {
    for (unsigned k = 0; k < VARIANT_COUNT; k++) {
        if (!(r->variants >> k & 1)) continue;
        char *unit = single_wrapper(path, variant_at(k)), *log = NULL;
        free(out->log);
        out->log = NULL;
        out->status = run_compiler(c, r, path, unit, &out->ptx[out->count], &out->length[out->count], &log);
        out->log = log;
        free(unit);
        if (out->status != COMPILE_OK) {
            snprintf(out->variant, sizeof out->variant, "%s", variant_name(variant_at(k)));
            return;
        }
        out->of_variant[k] = out->count++;
    }
}
struct compiled compile(const struct compiler *c, const struct compile_request *r) {
    struct compiled out = {.status = COMPILE_OK};
    char path[PATH_MAX];
    out.source_text = read_source(r, &out);
    if (!out.source_text) return out;
    if (!realpath(r->source, path)) snprintf(path, sizeof path, "%s", r->source);
    struct text key = cache_key(c, r, path, out.source_text);
    char *cached = cache_path(r, &key);
    if (!from_cache(cached, &key, &out.ptx[0], &out.length[0])) {
        char *unit = compile_wrapper(path, out.source_text, r->variants);
        out.status = run_compiler(c, r, path, unit, &out.ptx[0], &out.length[0], &out.log);
        free(unit);
        if (out.status == COMPILE_OK) to_cache(r, cached, &key, out.ptx[0], out.length[0]);
    }
    if (out.status == COMPILE_OK)
        out.count = 1;
    else if (out.status == COMPILE_SUBMISSION)
        compile_singly(c, r, path, &out);
    free(cached);
    free(key.data);
    return out;
}
void compiled_free(struct compiled *c) {
    for (unsigned k = 0; k < c->count; k++) free(c->ptx[k]);
    free(c->source_text);
    free(c->log);
    *c = (struct compiled){0};
}

/* A kernel's name in PTX is mangled as the C++ ABI has it: _ZN7sum_i326reduceE..., _Z6reduce..., or plain (extern "C").
 */
bool compiled_symbol(const char *ptx, struct variant v, const char *name, char *out, size_t size) {
    char prefixes[3][160];
    const char *space = variant_name(v);
    snprintf(prefixes[0], sizeof prefixes[0], "_ZN%zu%s%zu%sE", strlen(space), space, strlen(name), name);
    snprintf(prefixes[1], sizeof prefixes[1], "_Z%zu%s", strlen(name), name);
    snprintf(prefixes[2], sizeof prefixes[2], "%s", name);
    for (unsigned k = 0; k < 3; k++)
        for (const char *at = strstr(ptx, ".entry "); at; at = strstr(at + 1, ".entry ")) {
            const char *symbol = at + 7;
            const size_t n = strcspn(symbol, "( \t\n");
            const bool whole = k < 2 ? n >= strlen(prefixes[k]) : n == strlen(prefixes[k]);
            if (!whole || strncmp(symbol, prefixes[k], strlen(prefixes[k])) || n >= size) continue;
            memcpy(out, symbol, n);
            out[n] = 0;
            return true;
        }
    return false;
}
