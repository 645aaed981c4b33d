/* Reads the libraries and calls that a program requires from its ELF file before it runs. Otherwise, the loader
 * would report a missing name, and an NVIDIA library that needs a GPU would fail, both with less helpful messages. */
#include "base/file.h"
#include "exec/needs.h"
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PROGRAM = 1 << 30, MAX_LIBRARIES = 2 };
/* NVIDIA's libraries, by the start of their file names. */
static const struct {
    const char *file, *name, *instead;
} nvidia[] = {{"libcublas", "cuBLAS", ""},
              {"libcufft", "cuFFT", ""},
              {"libcurand", "cuRAND", "; its header-only device API, curand_kernel.h, works"},
              {"libcusolver", "cuSOLVER", ""},
              {"libcusparse", "cuSPARSE", ""},
              {"libcudnn", "cuDNN", ""},
              {"libnpp", "NPP", ""},
              {"libnccl", "NCCL", ""},
              {"libnvJitLink", "nvJitLink", ""},
              {"libcupti", "CUPTI", ""}};

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
/* Returns a name in the string table of a section, or "". */
static const char *name_in(const struct elf *e, const Elf64_Shdr *of, uint64_t offset) {
    const Elf64_Shdr *names = of->sh_link < e->sections ? &e->section[of->sh_link] : NULL;
    const char *all = names ? at(e, names->sh_offset, names->sh_size) : NULL;
    return all && offset < names->sh_size && memchr(all + offset, 0, names->sh_size - offset) ? all + offset : "";
}
static bool is_cuda(const char *name) {
    return !strncmp(name, "cuda", 4) || !strncmp(name, "__cuda", 6) ||
           (!strncmp(name, "cu", 2) && name[2] >= 'A' && name[2] <= 'Z');
}
static void look_at_library(struct needs *n, const char *name) {
    if (!strncmp(name, "libcudart.so", 12)) n->shared_runtime = true;
    if (!strncmp(name, "libcuda.so", 10)) n->driver = true;
    for (size_t k = 0; k < sizeof nvidia / sizeof *nvidia; k++)
        if (!strncmp(name, nvidia[k].file, strlen(nvidia[k].file)) && !n->library[0])
            snprintf(n->library, sizeof n->library, "%s (%.60s)%s", nvidia[k].name, name, nvidia[k].instead);
}
/* Returns the symbol `wanted` if the file defines it, or NULL. If `wanted` is NULL, returns the first CUDA call that
 * the file needs and `others` do not define. */
static const char *dynamic_symbol(const struct elf *e, const char *wanted, const struct elf *others) {
    const Elf64_Shdr *s = find(e, SHT_DYNSYM);
    const Elf64_Sym *all = s ? at(e, s->sh_offset, s->sh_size) : NULL;
    for (uint64_t k = 0; all && k < s->sh_size / sizeof *all; k++) {
        const char *name = name_in(e, s, all[k].st_name);
        const bool defined = all[k].st_shndx != SHN_UNDEF;
        if (wanted && defined && !strcmp(name, wanted)) return name;
        if (wanted || defined || !is_cuda(name)) continue;
        /* Calls that the libraries define but do not support are reported when the program makes them. */
        bool there = false;
        for (const struct elf *o = others; o->bytes; o++) there = there || dynamic_symbol(o, name, NULL);
        if (!there) return name;
    }
    return NULL;
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
static bool read_elf(const char *path, struct elf *e) {
    return (e->bytes = file_read(path, 0, MAX_PROGRAM, &e->length)) != NULL;
}
bool exec_needs(const char *path, const char *const libraries[], struct needs *n) {
    struct elf e = {0}, others[MAX_LIBRARIES + 1] = {0};
    *n = (struct needs){0};
    if (!read_elf(path, &e)) return snprintf(n->why, sizeof n->why, "%s", file_why(errno)), false;
    if (!open_elf(&e)) {
        free((void *)(uintptr_t)e.bytes);
        return snprintf(n->why, sizeof n->why, "not a program for this machine"), false;
    }
    const Elf64_Shdr *dynamic = find(&e, SHT_DYNAMIC);
    const Elf64_Dyn *d = dynamic ? at(&e, dynamic->sh_offset, dynamic->sh_size) : NULL;
    for (uint64_t k = 0; d && k < dynamic->sh_size / sizeof *d; k++)
        if (d[k].d_tag == DT_NEEDED) look_at_library(n, name_in(&e, dynamic, d[k].d_un.d_val));
    /* The program may open the driver library itself. */
    n->driver = n->driver || memmem(e.bytes, e.length, "libcuda.so", 10);
    unsigned count = 0;
    for (unsigned k = 0; k < MAX_LIBRARIES && libraries[k]; k++)
        if (read_elf(libraries[k], &others[count]) && open_elf(&others[count])) count++;
    const char *unknown = dynamic_symbol(&e, NULL, others);
    snprintf(n->unknown, sizeof n->unknown, "%.120s", unknown ? unknown : "");
    n->device_code = has_section(&e, ".nv_fatbin");
    n->static_runtime = !n->shared_runtime && (n->device_code || has_symbol(&e, "cudaMalloc"));
    for (unsigned k = 0; k < count; k++) free((void *)(uintptr_t)others[k].bytes);
    free((void *)(uintptr_t)e.bytes);
    return true;
}
