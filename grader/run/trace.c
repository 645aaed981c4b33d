/* Implements --trace, which prints the executed instructions of each warp below their source lines. */
#include "run/look.h"
#include <string.h>

void run_source_text(FILE *out, const char *text) {
    for (text += strspn(text, " \t"); *text && *text != '\r'; text++) {
        const unsigned char c = (unsigned char)text[0], next = (unsigned char)text[1];
        /* C0 and C1 control characters. */
        const bool control = c < ' ' || c == 127 || (c == 0xc2 && next >= 0x80 && next < 0xa0);
        fputc(c == '\t' ? ' ' : control ? '?' : c, out);
        text += c == 0xc2 && control;
    }
    fputc('\n', out);
}
static bool wanted(const struct run_trace *t, const struct sim_where *w) {
    return !t->options->one_warp || (w->block == t->options->trace_block && w->warp == t->options->trace_warp);
}
/* Prints the warp and the source line if either differs from the last heading. */
static void heading(struct run_trace *t, const struct sim_where *w, uint32_t pc) {
    const struct run_line l = run_line_of(w->launch, t->sources, pc);
    const bool other_warp = !t->shown || t->block != w->block || t->warp != w->warp;
    if (other_warp) fprintf(t->out, "block %u, warp %u\n", w->block, w->warp);
    if ((other_warp || l.line != t->line || strcmp(l.file, t->file)) && l.line) {
        fprintf(t->out, "  %s:%u  ", l.file, l.line);
        run_source_text(t->out, l.text ? l.text : "");
    }
    t->block = w->block, t->warp = w->warp, t->line = l.line, t->file = l.file;
}
static void span(void *self, const struct sim_span *e) {
    struct run_trace *t = self;
    char text[300], picture[SIM_WARP + 1];
    if (!wanted(t, e->where)) return;
    for (uint32_t pc = e->begin; pc < e->end; pc++) {
        if (t->shown == t->options->trace_lines) {
            t->hidden += e->end - pc;
            return;
        }
        heading(t, e->where, pc);
        fprintf(t->out, "    %-32s  %s\n", run_mask_picture(e->mask, e->where->launched, picture),
                run_instruction_text(e->where->launch, pc, text, sizeof text));
        t->shown++;
    }
}
static void barrier(void *self, const struct sim_barrier *e) {
    struct run_trace *t = self;
    if (t->hidden || !t->shown || (t->options->one_warp && e->where->block != t->options->trace_block)) return;
    fprintf(t->out, "block %u: barrier %u is complete\n", e->where->block, e->id);
    t->warp = UINT32_MAX; /* makes the next heading() name the warp again */
}
void run_trace_end(const struct run_trace *t) {
    if (!t->shown) fprintf(t->out, "the traced warps executed no instructions\n");
    if (t->hidden)
        fprintf(t->out,
                "... and %llu more: --trace-lines=N shows more instructions, --trace=BLOCK.WARP only one warp\n",
                (unsigned long long)t->hidden);
    fputc('\n', t->out);
}
const struct sim_probe run_trace_probe = {.name = "trace", .span = span, .barrier = barrier};
