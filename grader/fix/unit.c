#include "fix/unit.h"
#include "fix/choices.h"
#include "compile/compile.h"
#include "compile/source.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_COMPILES = 6 };
/* Overwrites the bodies of other kernels with spaces to save compile time. Line numbers do not change. */
static void blank_rest(const struct source *s, char *text, const char *kernel) {
    for (int32_t f = 0; kernel && f < s->functions; f++) {
        if (!s->function[f].is_kernel || source_is(s, s->function[f].name.first, kernel)) continue;
        const struct range body = s->statement[s->function[f].body].all;
        for (uint32_t k = source_begin(s, body) + 1; k + 1 < source_end(s, body); k++)
            if (text[k] != '\n') text[k] = ' ';
    }
}
/* Writes the edited text. Lines after an edit keep their numbers, so that findings without and with the edit can be
 * compared. */
static void write_edited(FILE *f, const char *text, const struct edit *e, unsigned number) {
    uint32_t at = 0;
    for (unsigned k = 0; k <= e->parts; k++) {
        const uint32_t to = k < e->parts ? e->part[k].at : (uint32_t)strlen(text);
        const char *end = k ? memchr(text + at, '\n', to - at) : NULL;
        if (end) {
            fwrite(text + at, 1, (size_t)(end + 1 - text) - at, f);
            at = (uint32_t)(end + 1 - text);
            fprintf(f, "#line %u \"fix%u/reduce.cu\"\n", source_line_at(text, at), number);
        }
        fwrite(text + at, 1, to - at, f);
        if (k < e->parts) fputs(e->part[k].text, f), at = to + e->part[k].removed;
    }
}
static void write_edit(FILE *f, const struct source *s, const struct edit *e, unsigned number, const char *kernel) {
    char *copy = strdup(s->text);
    if (!copy) return;
    blank_rest(s, copy, kernel);
    fprintf(f, "namespace fix%u {\n#line 1 \"fix%u/reduce.cu\"\n", number, number);
    write_edited(f, copy, e, number);
    fprintf(f, "\n}\n");
    source_forget_macros(f, copy);
    free(copy);
}
/* Returns the translation unit: a common text for most edits, which are selected at run time, and a separate text for
 * each other edit. */
static char *unit_of(const struct trial *t, const struct batch *b) {
    char *text = NULL, *copy = strdup(t->source->text);
    bool *together = calloc(b->count + 1, sizeof *together);
    size_t size;
    FILE *f = copy && together ? open_memstream(&text, &size) : NULL;
    memset(b->number, 0, b->count * sizeof *b->number);
    if (f && t->quick) {
        for (unsigned k = 0; k < b->count; k++) together[k] = b->wanted[k] && !b->apart[k];
        blank_rest(t->source, copy, b->kernel);
        source_blank(copy, t->options.solution);
        choices_write(f, t->source, copy, b->edit, b->count, together, t->pairs, b->number);
        source_forget_macros(f, copy);
    }
    for (unsigned k = 0, copies = 0; f && k < b->count; k++) {
        if (!b->wanted[k] || b->number[k]) continue;
        b->wanted[k] = copies++ < MAX_COPIES;
        if (b->wanted[k]) write_edit(f, t->source, b->edit[k], k, b->kernel);
    }
    if (f) fclose(f);
    free(copy), free(together);
    return text;
}
/* Moves the line's edits from the common text to separate texts. Returns false if none of them is in it. */
static bool set_apart(const struct batch *b, unsigned long line) {
    bool any = false;
    for (unsigned k = 0; k < b->count; k++)
        if (b->edit[k]->line == line && b->number[k]) b->apart[k] = any = true;
    return any;
}
/* Drops the edits that the compiler rejects in its log. If edits of one line have values of different types, each
 * compilation reports only one of them. From the second attempt on, or if the error is not in an edit's text, the
 * line's edits therefore move to separate texts. Returns false if nothing changed. */
static bool drop_refused(const struct batch *b, const char *log, bool first) {
    static const char file[] = "reduce.cu(";
    bool any = false;
    for (const char *at = log; at && (at = strstr(at, file)); at += sizeof file - 1) {
        const char *line = at, *end = at + strcspn(at, "\n");
        while (line > log && line[-1] != '\n') line--;
        const unsigned long number = strtoul(at + sizeof file - 1, NULL, 10);
        const unsigned long k = strncmp(line, "fix", 3) != 0 ? b->count : strtoul(line + 3, NULL, 10);
        if (!memmem(at, (size_t)(end - at), "error", 5)) continue;
        if (k < b->count && b->wanted[k] && b->number[k] >> 16) /* one place may need the other's names */
            b->apart[k] = any = true;
        else if (k < b->count && b->wanted[k])
            b->wanted[k] = false, any = true;
        if (!first || k >= b->count) any |= set_apart(b, number);
    }
    return any;
}
bool unit_compile(const struct trial *t, const struct batch *b, struct compiled *out) {
    for (unsigned k = 0; k < b->count; k++) b->wanted[k] = true;
    for (unsigned k = 0; k < MAX_COMPILES; k++) {
        char *unit = unit_of(t, b);
        if (!unit) return false;
        const struct compile_request r = {.shown = "reduce.cu",
                                          .root = t->options.root,
                                          .variants = t->lab.variants,
                                          .solution = t->options.solution,
                                          .sandbox = t->options.sandbox,
                                          .text = unit,
                                          .once = true,
                                          .quick = t->quick && !t->optimized};
        *out = compile(t->options.compiler, &r);
        free(unit);
        if (out->status == COMPILE_OK) return true;
        const bool dropped = out->status == COMPILE_SUBMISSION && out->log && drop_refused(b, out->log, k == 0);
        compiled_free(out);
        if (!dropped) return false;
    }
    return false;
}
