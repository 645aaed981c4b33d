/* Reads lines of source files. */
#include "base/file.h"
#include "run/run.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_SOURCE = 16 << 20 };

struct file {
    char *text;
    char **line;
    uint32_t lines;
    bool tried;
};
struct run_sources {
    const struct ptx_module *module;
    struct file *file; /* indexed by .file number in the PTX */
};

struct run_sources *run_sources_new(const struct ptx_module *m) {
    struct run_sources *s = calloc(1, sizeof *s);
    if (s) s->module = m, s->file = calloc(m->file_count + 1, sizeof *s->file);
    return s;
}
void run_sources_free(struct run_sources *s) {
    for (unsigned k = 0; s && s->file && k < s->module->file_count; k++) free(s->file[k].text), free(s->file[k].line);
    if (s) free(s->file);
    free(s);
}
static void load(struct file *f, const char *path) {
    f->tried = true;
    f->text = file_read(path, 0, MAX_SOURCE, NULL);
    if (!f->text) return;
    uint32_t lines = 1;
    for (const char *c = f->text; (c = strchr(c, '\n')); c++) lines++;
    f->line = calloc(lines, sizeof *f->line);
    if (!f->line) return;
    for (char *at = f->text; at;) {
        char *end = strchr(at, '\n');
        f->line[f->lines++] = at;
        if (end)
            *end = 0, at = end + 1;
        else
            at = NULL;
    }
}
const char *run_source_line(struct run_sources *s, const char *file, uint32_t line) {
    for (unsigned k = 1; s && s->file && k < s->module->file_count; k++) {
        const char *path = s->module->files[k], *base = path ? strrchr(path, '/') : NULL;
        if (!path || strcmp(base ? base + 1 : path, file)) continue;
        struct file *f = &s->file[k];
        if (!f->tried) load(f, path);
        if (f->line && line && line <= f->lines) return f->line[line - 1];
    }
    return NULL;
}
