/* See compiler.h. */
#include "compile/compiler.h"
#include "sandbox/process.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the table of compilers -------------------------------------------------------------------- */
/* If a flag ends in `_`, compiler_flags() appends the architecture to it. */
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
                                          "-Wno-tautological-compare", /* x != x is a test for NaN */
                                          NULL};
/* -Ofc=min would halve the time of NVRTC's optimizer, but changes the instruction counts. */
static const char *const nvrtc_flags[] = {"-arch=compute_", "-lineinfo",
                                          "-diag-suppress=177,550,47" /* cuda/std redefines some limits */,
                                          "--pre-include=cuda_nvrtc.h", NULL};
static const char *const nvcc_quick[] = {"-Xcicc", "-O0", NULL}, *const clang_quick[] = {"-O0", NULL},
                         *const nvrtc_quick[] = {NVRTC_QUICK, NULL};
/* Sorted by speed, fastest first. */
enum { NVRTC, NVCC, CLANG };
static const struct compiler compilers[] = {[NVRTC] = {"nvrtc", nvrtc_flags, nvrtc_quick, COMPILER_ARCH, NULL, false},
                                            [NVCC] = {"nvcc", nvcc_flags, nvcc_quick, COMPILER_ARCH, NULL, false},
                                            [CLANG] = {"clang", clang_flags, clang_quick, COMPILER_ARCH, NULL, false}};
static const struct compiler nvrtc_else_nvcc = {"nvrtc",       nvrtc_flags,      nvrtc_quick,
                                                COMPILER_ARCH, &compilers[NVCC], false};
static bool is_nvrtc(const struct compiler *c) { return c->flags == nvrtc_flags; }

/* ---- where they are -------------------------------------------------------------------------- */
char *compiler_program(const struct compiler *c) {
    if (is_nvrtc(c)) return nvrtc_library();
    char *path = process_find(c->name);
    if (!path && !strcmp(c->name, "nvcc") && access("/usr/local/cuda/bin/nvcc", X_OK) == 0)
        path = strdup("/usr/local/cuda/bin/nvcc");
    return path;
}
static bool is_there(const struct compiler *c) {
    char *path = compiler_program(c);
    free(path);
    return path != NULL;
}
const struct compiler *compiler_find(const char *wanted, char *message, size_t size) {
    static const char fetch[] = "to install only NVIDIA's run-time compiler, run `python3 -m pip install --target "
                                "build/nvrtc nvidia-cuda-nvrtc` in the kit's folder, or choose another folder and set "
                                "NVRTC to it";
    const bool any = !strcmp(wanted, "auto");
    const char *folder = getenv("NVRTC");
    for (unsigned k = 0; k < sizeof compilers / sizeof *compilers; k++) {
        if ((!any && strcmp(wanted, compilers[k].name)) || !is_there(&compilers[k])) continue;
        return any && k == NVRTC && is_there(&compilers[NVCC]) ? &nvrtc_else_nvcc : &compilers[k];
    }
    if (!strcmp(wanted, "nvrtc"))
        snprintf(message, size, "no libnvrtc found%s%s: install the CUDA Toolkit; %s", folder ? " with NVRTC=" : "",
                 folder ? folder : "", fetch);
    else
        snprintf(message, size,
                 "no %s found in PATH or /usr/local/cuda/bin: install the CUDA Toolkit, or clang with `apt-get install "
                 "clang`%s%s",
                 any ? COMPILER_NAMES : wanted, any ? "; " : "", any ? fetch : "");
    return NULL;
}
bool compiler_known(const char *wanted) {
    bool known = !strcmp(wanted, "auto");
    for (unsigned k = 0; k < sizeof compilers / sizeof *compilers; k++) known |= !strcmp(wanted, compilers[k].name);
    return known;
}
const char *compiler_name(const struct compiler *c) { return c->name; }
struct compiler compiler_for(const struct compiler *c, unsigned arch) {
    struct compiler out = *c;
    if (arch) out.arch = arch;
    return out;
}
bool compiler_waits(const struct compiler *c) { return is_nvrtc(c); }
bool compiler_is_light(const struct compiler *c) { return is_nvrtc(c); }
unsigned compiler_words(const struct compiler *c, const char *path, bool waits, const char *argv[],
                        char own[PATH_MAX]) {
    unsigned n = 0;
    if (is_nvrtc(c)) argv[n++] = nvrtc_program(own) ? own : "grade", argv[n++] = waits ? NVRTC_WAITS : NVRTC_WORD;
    argv[n++] = path;
    return n;
}
unsigned compiler_supported_arch(const struct compiler *c, unsigned arch) {
    enum {
        CLANG_MAX = 80
    }; /* the latest compute capability that both clang 11 and the PTX version in clang_flags support */
    return c->flags == clang_flags && arch > CLANG_MAX ? CLANG_MAX : arch;
}
unsigned compiler_flags(const struct compiler *c, bool quick, const char *argv[], char arch[COMPILER_FLAG]) {
    unsigned n = 0;
    for (const char *const *f = c->flags; *f; f++) {
        argv[n++] = *f;
        if ((*f)[strlen(*f) - 1] != '_') continue;
        const unsigned known = compiler_supported_arch(c, c->arch);
        snprintf(arch, COMPILER_FLAG, "%s%u%s", *f, known, c->special && known == c->arch ? "a" : "");
        argv[n - 1] = arch;
    }
    for (const char *const *f = c->quick; quick && *f; f++) argv[n++] = *f;
    return n;
}

/* ---- a compiler behind a script ---------------------------------------------------------------- */
static bool is_script(const char *path) {
    char mark[2] = "";
    FILE *f = fopen(path, "re");
    if (!f) return false;
    const bool yes = fread(mark, 1, sizeof mark, f) == sizeof mark && mark[0] == '#' && mark[1] == '!';
    fclose(f);
    return yes;
}
/* Finds the toolkit's folder: the parent of nvcc's own folder, which a dry run of nvcc prints as
 * "#$ _HERE_=/usr/local/cuda/bin". */
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
/* ---- in a sandbox ---------------------------------------------------------------------------- */
/* Makes visible in the sandbox what NVRTC needs: this program, the library, and CUDA's headers. NVRTC needs no other
 * programs and no system headers. */
static void show_nvrtc(struct compiler_shown *shown, struct sandbox *s) {
    const char *library = s->command[2], *slash = strrchr(library, '/');
    snprintf(shown->folder[0], PATH_MAX, "%.*s", slash ? (int)(slash - library) : 0, library);
    const unsigned count = 1 + nvrtc_includes(library, shown->folder + 1);
    s->shown[1].from = s->shown[1].to = s->command[0];
    for (unsigned k = 0; k < count; k++) s->shown[2 + k].from = s->shown[2 + k].to = shown->folder[k];
}
void compiler_show(const struct compiler *c, struct compiler_shown *shown, struct sandbox *s) {
    shown->toolkit = NULL;
    s->compiler = !is_nvrtc(c);
    if (is_nvrtc(c))
        show_nvrtc(shown, s);
    else
        s->toolkit = shown->toolkit = compiler_toolkit(c, s->command[0]);
}
void compiler_hide(struct compiler_shown *shown) { free(shown->toolkit); }
