/* Compiles kernels for tests. nvcc compiles a unit (a CUDA text) once; the PTX is cached in the folder KERNEL_CACHE
 * (default: `kernels` next to the test program). The key consists of text, seed, compiler and flags.
 *
 *  unit_begin(&u, argv[0], "lab", text, seed, flags);     starts nvcc if necessary
 *  unit_load(&u, "what it is");                           waits, parses, decodes
 *  unit_free(&u);
 *
 * KERNEL_FLAGS in the environment contains additional compiler flags, separated by spaces. */
#ifndef TESTS_UNIT_H
#define TESTS_UNIT_H

#include "tests/files.h"
#include "base/hash.h"
#include "compile/compiler.h"
#include "sim/sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct unit {
    char ptx_path[512];
    pid_t compiler; /* process of the compiler; 0 if the PTX was cached */
    struct ptx_module *module;
    struct sim_program *program;
};
enum { MAX_FLAGS = 12 };

static inline void unit_die(const char *what, const char *which) {
    fprintf(stderr, "%s: %s\n", what, which);
    exit(1);
}

/* Returns nvcc's path, or NULL if nvcc is not installed. */
static inline const char *unit_nvcc(void) {
    static char *found;
    char why[200];
    const struct compiler *nvcc = found ? NULL : compiler_find("nvcc", why, sizeof why);
    if (nvcc) found = compiler_program(nvcc);
    return found;
}

/* Starts nvcc in a child process, so that several units can be compiled in parallel. */
static inline pid_t unit_compile(const struct unit *u, const char *nvcc, const char *const *flags) {
    pid_t child = fork();
    if (child) return child;
    char source[520], part[540];
    snprintf(source, sizeof source, "%s.cu", u->ptx_path);
    snprintf(part, sizeof part, "%s.%d", u->ptx_path, (int)getpid());
    const char *argv[MAX_FLAGS + 8] = {nvcc, "-ptx", "-w", "-o", part, source};
    for (unsigned k = 0; flags[k] && k < MAX_FLAGS; k++) argv[6 + k] = flags[k];
    pid_t compiler = fork();
    if (!compiler) {
        execv(nvcc, (char *const *)(void *)argv);
        _exit(127);
    }
    int status;
    waitpid(compiler, &status, 0);
    _exit(status || rename(part, u->ptx_path) ? 1 : 0);
}

/* Fills `all` with `flags` and then with the words of the variable KERNEL_FLAGS. `words` receives a copy of the
 * variable, and `all` points into it. */
static inline void unit_flags(const char *const *flags, char *words, size_t size, const char *all[MAX_FLAGS + 1]) {
    unsigned count = 0;
    snprintf(words, size, "%s", getenv("KERNEL_FLAGS") ? getenv("KERNEL_FLAGS") : "");
    for (; flags[count]; count++) all[count] = flags[count];
    for (char *save = NULL, *w = strtok_r(words, " ", &save); w && count < MAX_FLAGS; w = strtok_r(NULL, " ", &save))
        all[count++] = w;
    all[count] = NULL;
}

/* Starts a unit. `text` is the CUDA text, and `seed` a hash of the files that it includes. `given` lists flags and
 * ends with NULL. */
static inline void unit_begin(struct unit *u, const char *program, const char *text, uint64_t seed,
                              const char *const *given) {
    char build[400], words[200];
    const char *flags[MAX_FLAGS + 1];
    unit_flags(given, words, sizeof words, flags);
    const char *nvcc = unit_nvcc(), *cache = getenv("KERNEL_CACHE"), *slash = strrchr(program, '/');
    if (!nvcc) unit_die("no nvcc for", program);
    if (cache && *cache)
        snprintf(build, sizeof build, "%.390s", cache);
    else
        snprintf(build, sizeof build, "%.*s/kernels", slash ? (int)(slash - program) : 1, slash ? program : ".");
    mkdir(build, 0777);
    struct stat st;
    char version[64] = "";
    if (!stat(nvcc, &st)) snprintf(version, sizeof version, "%lld %lld", (long long)st.st_mtime, (long long)st.st_size);
    uint64_t hash = hash_text(hash_text(seed ^ HASH_START, text), version);
    for (unsigned k = 0; flags[k]; k++) hash = hash_text(hash, flags[k]);
    snprintf(u->ptx_path, sizeof u->ptx_path, "%s/kernels_%016llx.ptx", build, (unsigned long long)hash);
    u->compiler = 0;
    if (!stat(u->ptx_path, &st) && st.st_size) return;
    char path[520];
    snprintf(path, sizeof path, "%s.cu", u->ptx_path);
    FILE *f = fopen(path, "w");
    if (!f || fwrite(text, 1, strlen(text), f) != strlen(text) || fclose(f)) unit_die("cannot write", path);
    u->compiler = unit_compile(u, nvcc, flags);
}
static inline void unit_load(struct unit *u, const char *name) {
    int status = 0;
    if (u->compiler) waitpid(u->compiler, &status, 0);
    if (status) unit_die("nvcc failed to compile the kernels of", name);
    struct ptx_error ptx_error;
    struct sim_error sim_error;
    char *text = read_file(u->ptx_path);
    u->module = ptx_parse(text, strlen(text), name, &ptx_error);
    if (!u->module) {
        fprintf(stderr, "%s:%u (PTX line %u): %s\n", ptx_error.source_file, ptx_error.source_line, ptx_error.text_line,
                ptx_error.message);
        exit(1);
    }
    u->program = sim_program_new(u->module, &sim_error);
    if (!u->program) unit_die(name, sim_error.message);
    free(text);
}
static inline void unit_free(struct unit *u) {
    sim_program_free(u->program);
    ptx_free(u->module);
}

#endif
