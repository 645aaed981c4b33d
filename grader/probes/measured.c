/* See measured.h. */
#include "probes/measured.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

json_t *measured_text(const char *s) {
    char *copy = strdup(s ? s : "");
    for (unsigned char *c = (unsigned char *)copy; copy && *c; c++)
        if (*c >= 0x7f || (*c < ' ' && *c != '\n' && *c != '\t')) *c = '?';
    json_t *j = json_string(copy ? copy : "");
    free(copy);
    return j;
}
static const char *base_name(const char *path) {
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path;
}

json_t *measured_steps(const struct steps *l) {
    json_t *all = json_array();
    for (unsigned k = 0; k < l->count; k++) {
        const struct step *s = &l->item[k];
        json_array_append_new(all,
                              json_pack("{s:s, s:b, s:i, s:i, s:i, s:i, s:I}", "kind", step_kind_names[s->kind],
                                        "divergent", s->divergent, "active_lanes", (int)s->active_lanes, "active_warps",
                                        (int)s->active_warps, "divergent_warps", (int)s->divergent_warps, "line",
                                        (int)s->split_line, "warp_instructions", (json_int_t)s->warp_instructions));
    }
    return all;
}
json_t *measured_counts(const struct measurement *m) {
    const struct figure *figures[CATALOG_MAX];
    const unsigned count = catalog_figures(CATALOG_RECORD, figures);
    json_t *all = json_object();
    for (unsigned k = 0; k < count; k++) {
        struct figure_value v;
        if (!figure_value(m, figures[k], &v)) continue;
        json_object_set_new(all, figures[k]->key,
                            figures[k]->unit == FIGURE_COUNT ? json_integer((json_int_t)v.count) : json_real(v.real));
    }
    return all;
}
json_t *measured_lines(const struct measurement *m, const char *file) {
    json_t *all = json_array();
    for (unsigned k = 0; k < m->line_count; k++) {
        const struct line_counts *l = &m->lines[k];
        const char *base = base_name(l->file);
        if (!l->file || (file && strcmp(base, file))) continue;
        json_array_append_new(
            all,
            json_pack("{s:i, s:I, s:f, s:I, s:I, s:I, s:I, s:I, s:I}", "line", (int)l->line, "warp_instructions",
                      (json_int_t)l->warp_instructions, "simd_efficiency",
                      l->warp_instructions ? (double)l->lane_instructions / (32.0 * (double)l->warp_instructions) : 0.0,
                      "splits", (json_int_t)l->splits, "divergent_steps", (json_int_t)l->divergent_steps,
                      "global_sectors", (json_int_t)l->global_sectors, "global_ideal_sectors",
                      (json_int_t)l->global_ideal_sectors, "shared_wavefronts", (json_int_t)l->shared_wavefronts,
                      "shared_ideal_wavefronts", (json_int_t)l->shared_ideal_wavefronts));
        if (!file) json_object_set_new(json_array_get(all, json_array_size(all) - 1), "file", measured_text(base));
    }
    return all;
}

static json_t *site_json(const struct finding_site *s, const char *file, const char *shown) {
    const char *base = s->file ? base_name(s->file) : "";
    return json_pack("{s:o, s:i, s:i, s:i, s:i, s:I}", "file",
                     measured_text(file && !strcmp(base, file) ? shown : base), "line", (int)s->line, "column",
                     (int)s->column, "block", (int)s->block, "warp", (int)s->warp, "lanes", (json_int_t)s->lanes);
}
json_t *measured_finding(const struct finding *f, unsigned taught, const char *file, const char *shown) {
    const struct finding_kind *row = f->kind;
    json_t *o =
        json_pack("{s:s, s:s, s:s, s:o, s:o, s:I}", "kind", row->key, "severity", finding_severity_word(row->severity),
                  "title", catalog_words(row, taught).title, "message", measured_text(f->message), "at",
                  site_json(&f->at, file, shown), "count", (json_int_t)f->count);
    if (f->other.pc != UINT32_MAX) json_object_set_new(o, "other", site_json(&f->other, file, shown));
    if (f->object[0]) json_object_set_new(o, "object", measured_text(f->object));
    return o;
}
