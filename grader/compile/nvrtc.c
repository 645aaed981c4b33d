/* See nvrtc.h, and "NVRTC" in the CUDA Toolkit documentation. */
#include "base/file.h"
#include "base/program.h"
#include "compile/nvrtc.h"
#include "compile/registers.h"
#include "sandbox/process.h"
#include <dlfcn.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- finding the library ----------------------------------------------------------------------- */
/* Returns the newest library in the folders that match a pattern, which is `format` with its arguments `a` and `b`.
 * Returns NULL if there is none. */
static char *library_in(const char *format, const char *a, const char *b) {
    char pattern[2 * PATH_MAX], *found = NULL;
    glob_t all;
    snprintf(pattern, sizeof pattern, format, a, b);
    strncat(pattern, "/libnvrtc.so*", sizeof pattern - strlen(pattern) - 1);
    const char *newest = NULL;
    if (!glob(pattern, GLOB_NOSORT, NULL, &all))
        for (size_t k = 0; k < all.gl_pathc; k++)
            if (!newest || strverscmp(all.gl_pathv[k], newest) > 0) newest = all.gl_pathv[k];
    if (newest) found = realpath(newest, NULL);
    globfree(&all);
    return found;
}
static char *library_of_toolkit(const char *toolkit) {
    char *found = library_in("%s/%s", toolkit, "lib64");
    return found ? found : library_in("%s/%s", toolkit, "lib");
}
static char *library_named(void) {
    const char *const names[] = {"CUDA_HOME", "CUDA_PATH"};
    char *found = NULL;
    for (unsigned k = 0; !found && k < sizeof names / sizeof *names; k++)
        if (getenv(names[k])) found = library_of_toolkit(getenv(names[k]));
    return found;
}
static char *library_beside_nvcc(void) {
    char *nvcc = process_find("nvcc"), path[PATH_MAX], *found = NULL;
    if (nvcc && realpath(nvcc, path)) {
        for (unsigned up = 0; up < 2; up++) {
            char *slash = strrchr(path, '/');
            if (slash) *slash = 0;
        }
        found = library_of_toolkit(path);
    }
    free(nvcc);
    if (!found) found = library_of_toolkit("/usr/local/cuda");
    return found ? found : library_of_toolkit("/usr/local/cuda-*");
}
/* Returns the first library in a list of folders that are separated by newlines or colons, or NULL if there is none. */
static char *library_listed(const char *list) {
    char *found = NULL, folder[PATH_MAX];
    for (; list && *list && !found; list += strcspn(list, ":\n"), list += *list != 0) {
        snprintf(folder, sizeof folder, "%.*s", (int)strcspn(list, ":\n"), list);
        if (*folder == '/') found = library_in("%s%s", folder, "");
    }
    return found;
}
/* Returns the library that the dynamic loader would find (ld.so(8), ldconfig(8)), without loading its 100 MB. */
static char *library_of_loader(void) {
    char *found = library_listed(getenv("LD_LIBRARY_PATH"));
    glob_t all;
    if (!found && !glob("/etc/ld.so.conf.d/*.conf", 0, NULL, &all)) {
        for (size_t k = 0; !found && k < all.gl_pathc; k++) {
            char *text = file_read(all.gl_pathv[k], 0, 64 << 10, NULL);
            found = library_listed(text);
            free(text);
        }
        globfree(&all);
    }
    return found ? found : library_listed("/usr/lib64:/usr/lib");
}
static const char *kit; /* see nvrtc_kit() */
void nvrtc_kit(const char *folder) { kit = folder; }
/* Folders of the library in a Python package: nvidia/cuda_nvrtc/lib or, since CUDA 13, nvidia/cu13/lib. */
static const char parts[] = "nvidia/c*/lib";
/* Returns the library in the folder that the user named: the library's own folder, or that of `pip install --target`.
 */
static char *library_in_folder(const char *folder) {
    char *found = library_in("%s%s", folder, "");
    return found ? found : library_in("%s/%s", folder, parts);
}
/* Returns the library of a Python package. */
static char *library_of_python(void) {
    const char *const environment = getenv("VIRTUAL_ENV"), *const home = getenv("HOME");
    char self[PATH_MAX], *found = NULL;
    program_path(self, sizeof self);
    char *slash = strrchr(self, '/');
    if (slash) {
        *slash = 0;
        found = library_in("%s/build/nvrtc/%s", self, parts);
        if (!found) found = library_in("%s/nvrtc/%s", self, parts);
    }
    if (!found && kit) found = library_in("%s/build/nvrtc/%s", kit, parts);
    if (!found && environment) found = library_in("%s/lib*/python3*/site-packages/%s", environment, parts);
    if (!found && home) found = library_in("%s/.local/lib/python3*/site-packages/%s", home, parts);
    if (!found) found = library_in("%s/python3*/*-packages/%s", "/usr/local/lib", parts);
    return found ? found : library_in("%s/python3*/*-packages/%s", "/usr/lib", parts);
}
char *nvrtc_library(void) {
    static char *(*const places[])(void) = {library_named, library_beside_nvcc, library_of_loader, library_of_python};
    const char *only = getenv("NVRTC");
    char *found = NULL;
    if (only && *only) return library_in_folder(only);
    for (unsigned k = 0; !found && k < sizeof places / sizeof *places; k++) found = places[k]();
    return found;
}
/* Whether the program can serve --nvrtc, because its main() has called nvrtc_called(). A test program cannot: as a
 * compiler, it would run its tests again, which would start it again, without end. */
static bool serves;
bool nvrtc_program(char out[PATH_MAX]) {
    char own[PATH_MAX];
    if (serves) return program_file(out);
    program_path(own, sizeof own);
    const char *slash = strrchr(own, '/');
    return slash && snprintf(out, PATH_MAX, "%.*s/grade", (int)(slash - own), own) < PATH_MAX && !access(out, X_OK);
}
/* Folders of headers, relative to the library's folder. A folder is used only if it contains the header. */
static const struct {
    const char *folder, *header;
} includes[] = {{"../include", "cuda_fp16.h"},
                {"../include/cccl", "cuda/std/type_traits"},
                {"../../cuda_runtime/include", "cuda_fp16.h"}, /* headers in a separate Python package */
                {"../../cuda_cccl/include", "cuda/std/type_traits"},
                {"../../include",
                 "cuda_fp16.h"}}; /* headers of the system's package, whose library is in /usr/lib/x86_64-linux-gnu */
unsigned nvrtc_includes(const char *library, char out[NVRTC_INCLUDES][PATH_MAX]) {
    unsigned count = 0;
    for (unsigned k = 0; k < sizeof includes / sizeof *includes && count < NVRTC_INCLUDES; k++) {
        char folder[2 * PATH_MAX], header[2 * PATH_MAX + 32];
        const char *slash = strrchr(library, '/');
        snprintf(folder, sizeof folder, "%.*s/%s", slash ? (int)(slash - library) : 0, library, includes[k].folder);
        snprintf(header, sizeof header, "%s/%s", folder, includes[k].header);
        if (!access(header, R_OK) && realpath(folder, out[count])) count++;
    }
    return count;
}

/* ---- the compiler ---------------------------------------------------------------------------- */
enum {
    MAX_SOURCE = 64 << 20,
    NVRTC_OPTION = 5 /* values of enum nvrtcResult */,
    NVRTC_COMPILATION,
    REFUSED = 1,
    FAILED = 127
};
typedef struct unit *program; /* nvrtcProgram */
static struct {
    int (*create)(program *, const char *text, const char *name, int headers, const char *const *, const char *const *);
    int (*compile)(program, int options, const char *const *);
    int (*ptx_size)(program, size_t *);
    int (*ptx)(program, char *);
    int (*code_size)(program, size_t *);
    int (*code)(program, char *);
    int (*log_size)(program, size_t *);
    int (*log)(program, char *);
    const char *(*error)(int result);
} api;
static const struct {
    const char *name;
    void *function; /* address of the member of `api` that holds the function */
} symbols[] = {
    {"nvrtcCreateProgram", &api.create}, {"nvrtcCompileProgram", &api.compile},     {"nvrtcGetPTXSize", &api.ptx_size},
    {"nvrtcGetPTX", &api.ptx},           {"nvrtcGetProgramLogSize", &api.log_size}, {"nvrtcGetProgramLog", &api.log},
    {"nvrtcGetErrorString", &api.error}, {"nvrtcGetCUBINSize", &api.code_size},     {"nvrtcGetCUBIN", &api.code}};
enum { OPTIONAL = 2 }; /* the last symbols, which old libraries lack */
static bool open_library(const char *path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    for (unsigned k = 0; k < sizeof symbols / sizeof *symbols; k++) {
        void *function = library ? dlsym(library, symbols[k].name) : NULL;
        if (!function && k + OPTIONAL < sizeof symbols / sizeof *symbols)
            return fprintf(stderr, "%s\n", dlerror()), false;
        memcpy(symbols[k].function, &function, sizeof function);
    }
    return true;
}
#define ARCH "-arch=compute_"
#define DEFAULT_ARCH_WORD "90"
enum { ARCH_WORD = 40, DEFAULT_ARCH = 90 }; /* compute capability of the default GPU */
#define PRELUDE "cuda_nvrtc.h"
static const char *const header_names[] = {
#define HEADER(name, wants) name,
#include "compile/nvrtc.def"
};
static const char *const header_texts[] = {
#define HEADER(name, wants) "#define CUDA_NVRTC_" #wants "\n#include \"" PRELUDE "\"\n",
#include "compile/nvrtc.def"
};
/* Gets data from the library with two calls: the first returns the size, the second the data; free() them. */
static char *data_of(program p, int (*size)(program, size_t *), int (*get)(program, char *), size_t *length) {
    if (size(p, length)) return NULL;
    char *data = calloc(1, *length + 1);
    if (data && get(p, data)) free(data), data = NULL;
    return data;
}
static char *text_of(program p, int (*size)(program, size_t *), int (*get)(program, char *), size_t *length) {
    char *text = data_of(p, size, get, length);
    *length = text ? strlen(text) : 0;
    return text;
}
/* Removes environment variables that would change the result, because the cache key does not include them. */
static void forget_settings(void) {
    static const char *const names[] = {"NVRTC_APPEND_FLAGS", "NVRTC_PREPEND_FLAGS", "NV_NVVM_VERSION"};
    for (unsigned k = 0; k < sizeof names / sizeof *names; k++) unsetenv(names[k]);
}
/* Returns the text to compile, and sets its name. The library mistakes byte 255 for the end of a text in memory, but
 * reads files correctly. A text that contains this byte is therefore replaced with one that includes the file. */
static char *text_to_compile(const char *file, const char **name) {
    char *text = file_read(file, 0, MAX_SOURCE, NULL), *instead = NULL;
    *name = file;
    if (!text || !strchr(text, '\377')) return text;
    free(text);
    *name = "nvrtc"; /* the name must differ from the file's name; otherwise, the text would include itself */
    return asprintf(&instead, "#include \"%s\"\n", file) < 0 ? NULL : instead;
}
static bool without_quick(const char **options, int *count) {
    const int before = *count;
    *count = 0;
    for (int k = 0; k < before; k++)
        if (strcmp(options[k], NVRTC_QUICK) != 0) options[(*count)++] = options[k];
    return *count < before;
}
struct options {
    const char **word;
    int count;
};
/* Returns the given options, followed by the folders of CUDA's headers. */
static struct options options_for(const char *library, const char *const *given, int count) {
    static char folder[NVRTC_INCLUDES][PATH_MAX], include[NVRTC_INCLUDES][PATH_MAX + 2];
    struct options o = {calloc((size_t)count + NVRTC_INCLUDES, sizeof *o.word), count};
    const unsigned folders = o.word ? nvrtc_includes(library, folder) : 0;
    for (int k = 0; o.word && k < count; k++) o.word[k] = given[k];
    for (unsigned k = 0; k < folders; k++) {
        snprintf(include[k], sizeof include[k], "-I%s", folder[k]);
        o.word[o.count++] = include[k];
    }
    return o;
}
/* Compiles the text. Returns an enum nvrtcResult; 0 means success. */
static int compile_text(struct options *o, const char *text, const char *name, program *p) {
    int result = api.create(p, text, name, sizeof header_names / sizeof *header_names, header_texts, header_names);
    if (result) return result;
    result = api.compile(*p, o->count, o->word);
    if (result == NVRTC_OPTION && without_quick(o->word, &o->count)) result = api.compile(*p, o->count, o->word);
    return result;
}
/* Returns the option that selects the architecture, or NULL. */
static const char **arch_of(const struct options *o) {
    for (int k = 0; k < o->count; k++)
        if (!strncmp(o->word[k], ARCH, sizeof ARCH - 1)) return &o->word[k];
    return NULL;
}
/* If a kernel may need too many registers for a large block, compiles the text again, this time to machine code, and
 * returns the PTX with the numbers of registers. The machine code is for the default GPU, or for a later one that the
 * options select. If this fails, returns the given PTX. */
static const char *with_registers(const struct options *o, const char *text, const char *name, const char *ptx,
                                  size_t *length) {
    const char **arch = arch_of(o), *given = arch ? *arch : NULL, *noted = NULL;
    if (!given || !api.code || !registers_may_not_fit(ptx, *length)) return ptx;
    char real[ARCH_WORD];
    struct options again = *o;
    program p = NULL;
    size_t size;
    const char *number = given + sizeof ARCH - 1;
    snprintf(real, sizeof real, "-arch=sm_%s", atoi(number) < DEFAULT_ARCH ? DEFAULT_ARCH_WORD : number);
    *arch = real;
    char *code = !compile_text(&again, text, name, &p) ? data_of(p, api.code_size, api.code, &size) : NULL;
    *arch = given;
    if (code) noted = registers_noted(ptx, code, size);
    free(code);
    if (!noted) return ptx;
    *length = strlen(noted);
    return noted;
}
static bool is_quick(const struct options *o) {
    for (int k = 0; k < o->count; k++)
        if (!strcmp(o->word[k], NVRTC_QUICK)) return true;
    return false;
}
static int compile_file(const char *library, struct options *o, const char *file, const char *out) {
    const char *name;
    char *text = text_to_compile(file, &name);
    program p = NULL;
    size_t length;
    if (!text) return FAILED;
    const bool quick = is_quick(o);
    const int result = compile_text(o, text, name, &p);
    char *log = p ? text_of(p, api.log_size, api.log, &length) : NULL;
    if (log) fputs(log, stderr);
    if (result) {
        if (result != NVRTC_COMPILATION) fprintf(stderr, "%s: %s\n", library, api.error(result));
        return result == NVRTC_COMPILATION ? REFUSED : FAILED;
    }
    const char *ptx = text_of(p, api.ptx_size, api.ptx, &length);
    if (ptx && !quick) ptx = with_registers(o, text, name, ptx, &length);
    if (ptx && file_write(out, ptx, length)) return 0;
    return fprintf(stderr, "cannot write %s\n", out), FAILED;
}
/* Compiles an empty kernel to pay the one-time cost of a first compilation, and waits. Returns false if no file will
 * follow. */
static bool wait_for_file(struct options *o) {
    program p;
    char byte;
    compile_text(o, "__global__ void nothing() {}\n", "nothing.cu", &p);
    return read(STDIN_FILENO, &byte, 1) == 1;
}
bool nvrtc_called(int argc, char **argv) {
    serves = true;
    return argc > 2 && (!strcmp(argv[1], NVRTC_WORD) || !strcmp(argv[1], NVRTC_WAITS));
}
int nvrtc_main(int argc, char **argv) {
    const char *const library = argv[2];
    if (argc < 6 || strcmp(argv[argc - 2], "-o") != 0) return FAILED;
    forget_settings();
    struct options o = options_for(library, (const char *const *)argv + 3, argc - 6);
    int status = FAILED;
    if (o.word && open_library(library))
        status = strcmp(argv[1], NVRTC_WAITS) != 0 || wait_for_file(&o)
                     ? compile_file(library, &o, argv[argc - 3], argv[argc - 1])
                     : 0;
    fflush(NULL);
    _exit(status); /* exits without releasing the library's resources, which would take time */
}
