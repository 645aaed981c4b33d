/* See put.h. */
#include "live/put.h"
#include <inttypes.h>
#include <string.h>

void put_text(FILE *out, const char *key, const char *text) {
    fprintf(out, "\"%s\":\"", key);
    for (; *text; text++)
        if (*text == '\n')
            fputs("\\n", out);
        else if (*text == '"' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else
            fputc(*text < ' ' || *text > '~' ? '?' : *text, out);
    fputc('"', out);
}
static const char *base_name(const char *path) {
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path ? path : "";
}
static void put_site(FILE *out, const char *key, const struct finding_site *s) {
    fprintf(out, ",\"%s\":{", key);
    put_text(out, "file", base_name(s->file));
    fprintf(out, ",\"line\":%" PRIu32 ",\"block\":%" PRIu32 ",\"warp\":%" PRIu32 ",\"lanes\":%" PRIu32 "}", s->line,
            s->block, s->warp, s->lanes);
}
void put_findings(FILE *out, const struct finding_list *list, unsigned taught) {
    fputs(",\"findings\":[", out);
    for (unsigned k = 0; k < list->count; k++) {
        const struct finding *f = &list->item[k];
        fprintf(out, k ? ",{" : "{");
        put_text(out, "kind", f->kind->key), fputc(',', out);
        put_text(out, "severity", finding_severity_word(f->kind->severity)), fputc(',', out);
        put_text(out, "title", catalog_words(f->kind, taught).title), fputc(',', out);
        put_text(out, "message", f->message);
        put_site(out, "at", &f->at);
        if (f->other.pc != UINT32_MAX) put_site(out, "other", &f->other);
        fprintf(out, ",\"count\":%" PRIu64 "}", f->count);
    }
    fputc(']', out);
}
void put_counts(FILE *out, const struct measurement *m) {
    const struct figure *figures[CATALOG_MAX];
    const unsigned count = catalog_figures(CATALOG_RECORD, figures);
    const char *between = "";
    fputs(",\"counts\":{", out);
    for (unsigned k = 0; k < count; k++) {
        struct figure_value v;
        if (!figure_value(m, figures[k], &v)) continue;
        fprintf(out, "%s\"%s\":", between, figures[k]->key), between = ",";
        if (figures[k]->unit == FIGURE_COUNT)
            fprintf(out, "%" PRIu64, v.count);
        else
            fprintf(out, "%.17g", v.real);
    }
    fputc('}', out);
}
static const char *comma(unsigned k) { return k ? "," : ""; }
/* Writes for each warp whether it took part, which lanes touched data, whether it diverged, how many instructions it
 * executed, and how many of these were divergent. */
static void put_masks(FILE *out, const struct step *s, unsigned warps) {
    fprintf(out, ",\"barrier\":%u,\"sync\":%u,\"present\":[", s->barrier, s->sync);
    for (unsigned w = 0; w < warps; w++) fprintf(out, "%s%u", comma(w), s->present >> w & 1 ? UINT32_MAX : 0);
    fputs("],\"active\":[", out);
    for (unsigned w = 0; w < warps; w++) fprintf(out, "%s%" PRIu32, comma(w), s->active[w]);
    fputs("],\"split\":[", out);
    for (unsigned w = 0; w < warps; w++) fprintf(out, "%s%u", comma(w), s->split >> w & 1);
    fputs("],\"instructions\":[", out);
    for (unsigned w = 0; w < warps; w++) fprintf(out, "%s%" PRIu32, comma(w), s->instructions[w]);
    fputs("],\"split_instructions\":[", out);
    for (unsigned w = 0; w < warps; w++) fprintf(out, "%s%" PRIu32, comma(w), s->split_instructions[w]);
    fputc(']', out);
}
void put_steps(FILE *out, const struct steps *all, bool masks) {
    fputs(",\"steps\":[", out);
    for (unsigned k = 0; k < all->count; k++) {
        const struct step *s = &all->item[k];
        fprintf(out, "%s{", k ? "," : "");
        put_text(out, "kind", step_kind_names[s->kind]);
        fprintf(out, ",\"divergent\":%s,\"active_lanes\":%u,\"active_warps\":%u,\"divergent_warps\":%u,\"line\":%u",
                s->divergent ? "true" : "false", (unsigned)s->active_lanes, (unsigned)s->active_warps,
                (unsigned)s->divergent_warps, (unsigned)s->split_line);
        if (masks) put_masks(out, s, all->warps);
        fputc('}', out);
    }
    fputc(']', out);
}
void put_fault(FILE *out, const char *why) {
    fputc('{', out);
    put_text(out, "fault", why);
    fputc('}', out);
}
