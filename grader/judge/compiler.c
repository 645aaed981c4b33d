/* See compiler.h. */
#include "judge/compiler.h"
#include "judge/process.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- compilers: a row each ------------------------------------------------------------------ */
/* A flag that ends in `_` gets the architecture behind it. */
static const char *const nvcc_flags[] = {"-ptx", "-arch=compute_", "-lineinfo", "-diag-suppress=177,550", NULL};
static const char *const clang_flags[] = {"-x",
                                          "cuda",
                                          "--cuda-device-only",
                                          "-nocudainc",
                                          "-nocudalib",
                                          "--cuda-gpu-arch=sm_",
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
                                          "-Wno-tautological-compare", /* x != x finds NaN */
                                          NULL};
static const char *const nvcc_quick[] = {"-Xcicc", "-O0", NULL}, *const clang_quick[] = {"-O0", NULL};
static const struct compiler compilers[] = {{"nvcc", nvcc_flags, nvcc_quick, COMPILER_ARCH},
                                            {"clang", clang_flags, clang_quick, COMPILER_ARCH}};

/* ---- where they are -------------------------------------------------------------------------- */
char *compiler_program(const struct compiler *c) {
    char *path = process_find(c->name);
    if (!path && !strcmp(c->name, "nvcc") && access("/usr/local/cuda/bin/nvcc", X_OK) == 0)
        path = strdup("/usr/local/cuda/bin/nvcc");
    return path;
}
const struct compiler *compiler_find(const char *wanted, char *message, size_t size) {
    const bool any = !strcmp(wanted, "auto");
    for (unsigned k = 0; k < sizeof compilers / sizeof *compilers; k++) {
        if (!any && strcmp(wanted, compilers[k].name)) continue;
        char *path = compiler_program(&compilers[k]);
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
struct compiler compiler_for(const struct compiler *c, unsigned arch) {
    struct compiler out = *c;
    if (arch) out.arch = arch;
    return out;
}
unsigned compiler_flags(const struct compiler *c, bool quick, const char *argv[], char arch[COMPILER_FLAG]) {
    unsigned n = 0;
    for (const char *const *f = c->flags; *f; f++) {
        argv[n++] = *f;
        if ((*f)[strlen(*f) - 1] != '_') continue;
        snprintf(arch, COMPILER_FLAG, "%s%u", *f, c->arch);
        argv[n - 1] = arch;
    }
    for (const char *const *f = c->quick; quick && *f; f++) argv[n++] = *f;
    return n;
}

/* ---- behind a wrapper ------------------------------------------------------------------------ */
static bool is_script(const char *path) {
    char mark[2] = "";
    FILE *f = fopen(path, "re");
    if (!f) return false;
    const bool yes = fread(mark, 1, sizeof mark, f) == sizeof mark && mark[0] == '#' && mark[1] == '!';
    fclose(f);
    return yes;
}
/* nvcc tells its own folder among what it would do: "#$ _HERE_=/usr/local/cuda/bin". */
char *compiler_toolkit(const struct compiler *c, const char *program) {
    static const char mark[] = "#$ _HERE_=";
    const char *const argv[] = {program, "--dryrun", "-ptx", "-x", "cu", "/dev/null", NULL};
    if (strcmp(c->name, "nvcc") != 0 || !is_script(program)) return NULL;
    struct process_result r = process_run(argv, &(struct process_limits){.wall_seconds = 10, .output_bytes = 64 << 10});
    char *here = r.output ? strstr(r.output, mark) : NULL, *folder = NULL;
    if (here) {
        here += sizeof mark - 1;
        here[strcspn(here, "\n")] = 0;
        char *slash = strrchr(here, '/');
        if (*here == '/' && slash > here) *slash = 0, folder = strdup(here);
    }
    free(r.output);
    return folder;
}
