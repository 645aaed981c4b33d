/* Finds the function, instruction text and source line of a pc. */
#include "run/look.h"
#include <stdlib.h>
#include <string.h>

const struct ptx_function *run_function_of(const struct sim_launch_info *launch, uint32_t pc) {
    const struct ptx_insn *i = pc < launch->code_count ? launch->code[pc] : NULL;
    for (unsigned k = 0; i && k < launch->module->function_count; k++) {
        const struct ptx_function *f = launch->module->functions[k];
        if (f->code_count && i >= f->code && i < f->code + f->code_count) return f;
    }
    return NULL;
}
char *run_instruction_text(const struct sim_launch_info *launch, uint32_t pc, char *out, size_t size) {
    const struct ptx_function *f = run_function_of(launch, pc);
    if (f) return ptx_print(launch->module, f, launch->code[pc], out, size);
    snprintf(out, size, "(end of the function)");
    return out;
}
static bool printable(const char *s) {
    for (; *s; s++)
        if ((unsigned char)*s < ' ' || *s == 127 || ((unsigned char)s[0] == 0xc2 && (unsigned char)s[1] < 0xa0))
            return false;
    return true;
}
struct run_line run_line_of(const struct sim_launch_info *launch, struct run_sources *s, uint32_t pc) {
    struct run_line l = {.file = ""};
    const struct ptx_insn *i = pc < launch->code_count ? launch->code[pc] : NULL;
    if (!i || !i->loc.line || i->loc.file >= launch->module->file_count || !launch->module->files[i->loc.file])
        return l;
    const char *path = launch->module->files[i->loc.file], *base = strrchr(path, '/');
    l.file = base ? base + 1 : path, l.line = i->loc.line;
    l.text = run_source_line(s, l.file, l.line);
    if (!printable(l.file)) l.file = "(a name that cannot be shown)";
    return l;
}
char *run_mask_picture(uint32_t mask, uint32_t launched, char out[SIM_WARP + 1]) {
    for (unsigned k = 0; k < SIM_WARP; k++) out[k] = mask >> k & 1 ? '#' : launched >> k & 1 ? '.' : ' ';
    out[SIM_WARP] = 0;
    for (unsigned k = SIM_WARP; k && out[k - 1] == ' ';) out[--k] = 0;
    return out;
}
