/* See registers.h. */
#include "compile/registers.h"
#include "compile/compile_run.h"
#include "ptx/ptx.h"
#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* Minimum estimate for which a file is assembled. A block of 1024 threads may use at most 64 registers per thread. */
enum { SUSPICIOUS = 56 };
bool registers_may_not_fit(const char *ptx, size_t length) {
    struct ptx_error error;
    struct ptx_module *m = ptx_parse_usable(ptx, length, "unit.ptx", &error);
    bool may = false;
    for (unsigned k = 0; m && !may && k < m->function_count; k++) {
        const struct ptx_function *f = m->functions[k];
        may = f->entry && f->defined && !f->max_threads && ptx_pressure(f) >= SUSPICIOUS;
    }
    ptx_free(m);
    return may;
}

/* ---- machine code ------------------------------------------------------------------------------------------------ */
/* The section ".text.NAME" contains the code of kernel NAME, and its sh_info is the index of the kernel's symbol.
 * Section ".nv.info" is a list of records, each with a format, an attribute, and a 16-bit number. With format SIZED,
 * the number is the size of the data that follow. The data of attribute REGISTERS are the index of a symbol and a
 * number of registers. */
static const char text_prefix[] = ".text.", info_name[] = ".nv.info";
enum { SIZED = 4, REGISTERS = 0x2f, SYMBOL_MASK = 0xffffff };
struct record {
    uint8_t format, attribute;
    uint16_t size;
};
struct cubin {
    const char *names, *info;
    size_t names_length, info_length;
    const Elf64_Shdr *section;
    unsigned count;
};
static const char *name_of(const struct cubin *c, unsigned k) {
    return c->section[k].sh_name < c->names_length ? c->names + c->section[k].sh_name : "";
}
static bool is_inside(const Elf64_Shdr *s, size_t length) {
    return s->sh_offset <= length && s->sh_size <= length - s->sh_offset;
}
static bool read_cubin(const char *data, size_t length, struct cubin *c) {
    Elf64_Ehdr head;
    if (length < sizeof head || memcmp(data, ELFMAG, SELFMAG) != 0) return false;
    memcpy(&head, data, sizeof head);
    if (head.e_shentsize != sizeof *c->section || head.e_shoff % _Alignof(Elf64_Shdr) || head.e_shoff > length ||
        (length - head.e_shoff) / sizeof *c->section < head.e_shnum || head.e_shstrndx >= head.e_shnum)
        return false;
    c->section = (const void *)(data + head.e_shoff), c->count = head.e_shnum;
    const Elf64_Shdr *names = &c->section[head.e_shstrndx];
    if (!is_inside(names, length) || !names->sh_size || data[names->sh_offset + names->sh_size - 1]) return false;
    c->names = data + names->sh_offset, c->names_length = names->sh_size;
    for (unsigned k = 0; k < c->count; k++)
        if (!strcmp(name_of(c, k), info_name) && is_inside(&c->section[k], length))
            c->info = data + c->section[k].sh_offset, c->info_length = c->section[k].sh_size;
    return c->info != NULL;
}
static unsigned registers_of_symbol(const struct cubin *c, uint32_t symbol) {
    struct record r;
    uint32_t pair[2];
    for (size_t at = 0; at + sizeof r <= c->info_length; at += sizeof r + (r.format == SIZED ? r.size : 0)) {
        memcpy(&r, c->info + at, sizeof r);
        if (r.format != SIZED || r.attribute != REGISTERS || at + sizeof r + sizeof pair > c->info_length) continue;
        memcpy(pair, c->info + at + sizeof r, sizeof pair);
        if (pair[0] == symbol) return pair[1];
    }
    return 0;
}
/* Returns the number of registers of the kernel whose name is the first n characters of `kernel`, or 0 if the number is
 * unknown. */
static unsigned registers_of(const struct cubin *c, const char *kernel, size_t n) {
    for (unsigned k = 0; k < c->count; k++) {
        const char *name = name_of(c, k), *own = name + sizeof text_prefix - 1;
        if (!strncmp(name, text_prefix, sizeof text_prefix - 1) && !strncmp(own, kernel, n) && !own[n])
            return registers_of_symbol(c, c->section[k].sh_info & SYMBOL_MASK);
    }
    return 0;
}
char *registers_noted(const char *ptx, const char *cubin, size_t length) {
    struct cubin c = {0};
    struct text text = {0};
    if (!read_cubin(cubin, length, &c)) return NULL;
    FILE *out = open_text(&text);
    for (const char *at; (at = strstr(ptx, ".entry "));) {
        const char *name = at + strlen(".entry "), *body = strstr(name, "\n{");
        if (!body) break;
        const unsigned needs = registers_of(&c, name, strcspn(name, "( \t\n"));
        fwrite(ptx, 1, (size_t)(body + 1 - ptx), out);
        if (needs) fprintf(out, PTX_NEEDS "\n", needs);
        ptx = body + 1;
    }
    fputs(ptx, out);
    close_text(out);
    return text.data;
}
