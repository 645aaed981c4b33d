/* Compiler options that `./grade run` passes on. Apart from -I, -D and -arch, the user can pass only options from this
 * table. */
#include "run/run.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EACH, LEVEL, STANDARD };
/* In nvcc and nvrtc, only -G turns off the optimization of device code. nvrtc has no option for other levels. */
#define STANDARD_ROW(year)                                                                                             \
    { "-std=c++" year, "--std=c++" year, STANDARD, "-std=c++" year, "-std=c++" year, "-std=c++" year }
#define LEVEL_ROW(n)                                                                                                   \
    { "-O" n, NULL, LEVEL, "-O" n, "-O" n, "" }
const struct run_flag run_flags[] = {
    {"-G", "--device-debug", LEVEL, "-G", "-O0", "-G"},
    {"-O0", NULL, LEVEL, "-G", "-O0", "-G"},
    LEVEL_ROW("1"),
    LEVEL_ROW("2"),
    LEVEL_ROW("3"),
    STANDARD_ROW("11"),
    STANDARD_ROW("14"),
    STANDARD_ROW("17"),
    STANDARD_ROW("20"),
    {"--use_fast_math", "-use_fast_math", EACH, "--use_fast_math", "-ffast-math -fcuda-flush-denormals-to-zero",
     "--use_fast_math"},
    {"-fmad=false", "--fmad=false", EACH, "-fmad=false", "-ffp-contract=off", "-fmad=false"},
    {"-ftz=true", "--ftz=true", EACH, "-ftz=true", "-fcuda-flush-denormals-to-zero", "-ftz=true"},
    {"-prec-div=false", "--prec-div=false", EACH, "-prec-div=false", NULL, "-prec-div=false"},
    {"-prec-sqrt=false", "--prec-sqrt=false", EACH, "-prec-sqrt=false", NULL, "-prec-sqrt=false"},
    {"-rdc=true", "--relocatable-device-code=true", EACH, "-rdc=true", "-fgpu-rdc", "-rdc=true"},
    {"-dc", "--device-c", EACH, "-rdc=true", "-fgpu-rdc", "-rdc=true"},
    {"--extended-lambda", "-extended-lambda", EACH, "--extended-lambda", "", NULL},
    {"--expt-relaxed-constexpr", "-expt-relaxed-constexpr", EACH, "--expt-relaxed-constexpr", "", NULL},
    {"-lineinfo", "--generate-line-info", EACH, "", "", ""}, /* line information is always generated */
};
const unsigned run_flag_count = sizeof run_flags / sizeof *run_flags;

const char *run_flag_of(const struct run_flag *f, const struct compiler *c) {
    const char *name = compiler_name(c);
    return !strcmp(name, "nvcc") ? f->nvcc : !strcmp(name, "clang") ? f->clang : f->nvrtc;
}
static const struct run_flag *find(const char *text) {
    for (unsigned k = 0; k < run_flag_count; k++)
        if (!strcmp(run_flags[k].text, text) || (run_flags[k].also && !strcmp(run_flags[k].also, text)))
            return &run_flags[k];
    return NULL;
}
/* Returns whether the word looks like a compiler option that this command does not have. */
static bool looks_like_one(const char *text) {
    static const char *const begins[] = {"-std",   "--std",      "-rdc",    "-O",   "-fmad=",        "-ftz=",   "-arch",
                                         "-prec-", "-Xcompiler", "-Xptxas", "-Wl,", "-maxrregcount", "-gencode"};
    for (unsigned k = 0; k < sizeof begins / sizeof *begins; k++)
        if (!strncmp(text, begins[k], strlen(begins[k]))) return true;
    return false;
}
static void add(struct run_options *o, const struct run_flag *f) {
    unsigned kept = 0;
    for (unsigned k = 0; k < o->flags; k++)
        if (o->flag[k] != f && (!f->group || o->flag[k]->group != f->group)) o->flag[kept++] = o->flag[k];
    o->flag[kept++] = f; /* this is within bounds, because `flag` has more slots than run_flags has rows */
    o->flags = kept;
}
/* Parses a compute capability: "80", or "90a", which adds the instructions specific to 9.0. */
bool run_arch(struct run_options *o, const char *text) {
    char number[8];
    uint64_t arch;
    const size_t n = strlen(text), digits = n && text[n - 1] == 'a' ? n - 1 : n;
    if (n >= sizeof number) return false;
    snprintf(number, sizeof number, "%.*s", (int)digits, text);
    if (!run_number(number, 999, &arch) || arch < 30) return false;
    o->arch = (unsigned)arch, o->special = digits < n;
    return true;
}
static const char *const arch_heads[] = {"-arch=sm_", "--gpu-architecture=sm_", "-arch=compute_", "--arch=sm_"};
enum { ARCH_HEADS = sizeof arch_heads / sizeof *arch_heads };
/* Parses -arch=sm_80 and its synonyms. */
static bool take_arch(struct run_options *o, const char *text) {
    for (unsigned k = 0; k < ARCH_HEADS; k++)
        if (!strncmp(text, arch_heads[k], strlen(arch_heads[k])) && run_arch(o, text + strlen(arch_heads[k])))
            return true;
    return false;
}
static bool is_before_equals(const char *name, const char *option) {
    const size_t n = strlen(name);
    return option && !strncmp(name, option, n) && option[n] == '=';
}
/* Returns whether the word is a compiler option without its value. Like nvcc, the command accepts the value as the next
 * word: -std c++17. */
static bool lacks_value(const char *text) {
    bool lacks = false;
    for (unsigned k = 0; k < ARCH_HEADS; k++) lacks |= is_before_equals(text, arch_heads[k]);
    for (unsigned k = 0; k < run_flag_count; k++)
        lacks |= is_before_equals(text, run_flags[k].text) || is_before_equals(text, run_flags[k].also);
    return lacks;
}
/* Returns whether the option takes the next word as its value. Such a word is never a compiler option, even if it
 * looks like one. */
static bool wants_value(const char *text) {
    for (const struct argp_option *o = run_option_rows; o->name; o++) {
        if (!o->arg || o->flags & OPTION_ARG_OPTIONAL) continue;
        const char key[] = {'-', (char)o->key, 0};
        if ((!strncmp(text, "--", 2) && !strcmp(text + 2, o->name)) || (o->key < 128 && !strcmp(text, key)))
            return true;
    }
    return false;
}
void run_flags_list(FILE *out) {
    for (unsigned k = 0; k < run_flag_count; k++) fprintf(out, " %s", run_flags[k].text);
    fputs(" -arch=sm_NN", out);
}
/* Takes a compiler option. Returns false if the word is none. If it looks like one, the command ends. */
static bool take(struct run_options *o, const char *text) {
    const struct run_flag *f = find(text);
    if (f) add(o, f);
    if (f || take_arch(o, text)) return true;
    if (!looks_like_one(text)) return false;
    fprintf(stderr, "grade run: `%s` is not an accepted compiler option; the accepted options are", text);
    run_flags_list(stderr);
    fprintf(stderr, ", and -I and -D\n");
    exit(RUN_USAGE);
}
void run_flags_take(int *argc, char **argv, struct run_options *o) {
    int left = 1;
    for (int k = 1; k < *argc; k++) {
        char joined[80] = "";
        if (k + 1 < *argc && lacks_value(argv[k])) snprintf(joined, sizeof joined, "%s=%s", argv[k], argv[k + 1]);
        if (*joined && take(o, joined)) {
            k++;
        } else if (!take(o, argv[k])) {
            const bool value = k + 1 < *argc && wants_value(argv[k]);
            argv[left++] = argv[k];
            if (value) argv[left++] = argv[++k];
        }
    }
    argv[left] = NULL;
    *argc = left;
}
char *run_flags_text(const struct run_options *o, char *out, size_t size) {
    size_t used = 0;
    *out = 0;
    for (unsigned k = 0; k < o->flags && used < size; k++)
        used += (size_t)snprintf(out + used, size - used, "%s%s", k ? " " : "", o->flag[k]->text);
    return out;
}
