/* What a program requires of libraries, read from its ELF file before it runs: a missing name would end it with the
 * loader's message, and an NVIDIA library that needs a GPU with a worse one. */
#include "base/file.h"
#include "exec/needs.h"
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PROGRAM = 1 << 30 };
/* Libraries of the toolkit, by name prefix. */
static const struct {
    const char *file, *name, *instead;
} libraries[] = {{"libcublas", "cuBLAS", ""},
                 {"libcufft", "cuFFT", ""},
                 {"libcurand", "cuRAND", " (its header-only device part, curand_kernel.h, works)"},
                 {"libcusolver", "cuSOLVER", ""},
                 {"libcusparse", "cuSPARSE", ""},
                 {"libcudnn", "cuDNN", ""},
                 {"libnpp", "NPP", ""},
                 {"libnccl", "NCCL", ""},
                 {"libnvrtc", "NVRTC", ""},
                 {"libnvJitLink", "nvJitLink", ""},
                 {"libcupti", "CUPTI", ""},
                 {"libcuda.so", "the CUDA driver API", ""}};
static const struct {
    const char *name;
    bool there;
} calls[] = {
#define CALL(name) {#name, true},
#define MISSING(name, what) {#name, false},
#include "exec/calls.def"
};

struct elf {
    const char *bytes;
    size_t length;
    const Elf64_Shdr *section;
    unsigned sections;
};
static const void *at(const struct elf *e, uint64_t offset, uint64_t bytes) {
    return offset <= e->length && bytes <= e->length - offset ? e->bytes + offset : NULL;
}
static bool open_elf(struct elf *e) {
    const Elf64_Ehdr *h = at(e, 0, sizeof *h);
    if (!h || memcmp(h->e_ident, ELFMAG, SELFMAG) || h->e_ident[EI_CLASS] != ELFCLASS64) return false;
    e->section = at(e, h->e_shoff, (uint64_t)h->e_shnum * sizeof *e->section),
    e->sections = e->section ? h->e_shnum : 0;
    return true;
}
static const Elf64_Shdr *find(const struct elf *e, unsigned type) {
    for (unsigned k = 0; k < e->sections; k++)
        if (e->section[k].sh_type == type) return &e->section[k];
    return NULL;
}
/* The string table of a section, and a name in it. */
static const char *name_in(const struct elf *e, const Elf64_Shdr *of, uint64_t offset) {
    const Elf64_Shdr *names = of->sh_link < e->sections ? &e->section[of->sh_link] : NULL;
    const char *all = names ? at(e, names->sh_offset, names->sh_size) : NULL;
    return all && offset < names->sh_size && memchr(all + offset, 0, names->sh_size - offset) ? all + offset : "";
}
static bool is_cuda(const char *name) { return !strncmp(name, "cuda", 4) || !strncmp(name, "__cuda", 6); }
static void look_at_library(struct needs *n, const char *name) {
    if (!strncmp(name, "libcudart.so", 12)) n->shared_runtime = true;
    for (size_t k = 0; k < sizeof libraries / sizeof *libraries; k++)
        if (!strncmp(name, libraries[k].file, strlen(libraries[k].file)) && !n->library[0])
            snprintf(n->library, sizeof n->library, "%s (%.60s)%s", libraries[k].name, name, libraries[k].instead);
}
static void look_at_call(struct needs *n, const char *name) {
    if (!is_cuda(name)) return;
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++)
        if (!strcmp(calls[k].name, name)) return; /* unsupported calls are reported when they are called */
    if (!n->unknown[0]) snprintf(n->unknown, sizeof n->unknown, "%.120s", name);
}
static bool has_symbol(const struct elf *e, const char *wanted) {
    const Elf64_Shdr *s = find(e, SHT_SYMTAB);
    const Elf64_Sym *all = s ? at(e, s->sh_offset, s->sh_size) : NULL;
    for (uint64_t k = 0; all && k < s->sh_size / sizeof *all; k++)
        if (!strcmp(name_in(e, s, all[k].st_name), wanted)) return true;
    return false;
}
static bool has_section(const struct elf *e, const char *wanted) {
    const Elf64_Ehdr *h = at(e, 0, sizeof *h);
    const Elf64_Shdr *names = h->e_shstrndx < e->sections ? &e->section[h->e_shstrndx] : NULL;
    const char *all = names ? at(e, names->sh_offset, names->sh_size) : NULL;
    for (unsigned k = 0; all && k < e->sections; k++)
        if (e->section[k].sh_name < names->sh_size && !strcmp(all + e->section[k].sh_name, wanted)) return true;
    return false;
}
bool exec_needs(const char *path, struct needs *n) {
    struct elf e = {0};
    *n = (struct needs){0};
    char *bytes = file_read(path, 0, MOST_PROGRAM, &e.length);
    if (!bytes) return snprintf(n->why, sizeof n->why, "%s", file_why(errno)), false;
    e.bytes = bytes;
    if (!open_elf(&e)) {
        free(bytes);
        return snprintf(n->why, sizeof n->why, "is not a program for this machine"), false;
    }
    const Elf64_Shdr *dynamic = find(&e, SHT_DYNAMIC), *symbols = find(&e, SHT_DYNSYM);
    const Elf64_Dyn *d = dynamic ? at(&e, dynamic->sh_offset, dynamic->sh_size) : NULL;
    for (uint64_t k = 0; d && k < dynamic->sh_size / sizeof *d; k++)
        if (d[k].d_tag == DT_NEEDED) look_at_library(n, name_in(&e, dynamic, d[k].d_un.d_val));
    const Elf64_Sym *all = symbols ? at(&e, symbols->sh_offset, symbols->sh_size) : NULL;
    for (uint64_t k = 0; all && k < symbols->sh_size / sizeof *all; k++)
        if (all[k].st_shndx == SHN_UNDEF) look_at_call(n, name_in(&e, symbols, all[k].st_name));
    n->device_code = has_section(&e, ".nv_fatbin");
    n->static_runtime = !n->shared_runtime && (n->device_code || has_symbol(&e, "cudaMalloc"));
    free(bytes);
    return true;
}
