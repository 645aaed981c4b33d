/* See template.h. */
#include "report/template.h"
#include <stdlib.h>
#include <string.h>

static bool stands(const char *text, const char *name) { return !strncmp(text, name, strlen(name)); }
static void put_files(const struct template_file *files, size_t count, const char *ending, FILE *out) {
    for (size_t k = 0; k < count; k++)
        if (!strcmp(files[k].path + strlen(files[k].path) - strlen(ending), ending))
            fwrite(files[k].text, 1, (size_t)(files[k].end - files[k].text), out);
}
/* Writes JSON in ASCII without <, > and &, so that it contains neither `</script>` nor `<!--` nor a line end that only
 * JavaScript recognizes. Outside of strings, JSON has none of these characters. */
static bool put_json(const json_t *value, FILE *out) {
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_ENCODE_ANY | JSON_REAL_PRECISION(12));
    if (!text) return false;
    for (const char *s = text; *s; s++)
        if (strchr("<>&", *s))
            fprintf(out, "\\u%04x", (unsigned)*s);
        else
            fputc(*s, out);
    free(text);
    return true;
}
bool template_write(const struct template_file *files, size_t file_count, const struct template_data *data,
                    size_t data_count, FILE *out) {
    static const struct {
        const char *name, *ending;
    } joined[] = {{"@style@", ".css"}, {"@scripts@", ".js"}, {"@module@", ".b64"}};
    bool ok = true;
    for (const char *s = files->text; ok && s < files->end;) {
        size_t n = 0;
        for (size_t k = 0; k < sizeof joined / sizeof *joined; k++)
            if (stands(s, joined[k].name))
                put_files(files, file_count, joined[k].ending, out), n = strlen(joined[k].name);
        for (size_t k = 0; k < data_count; k++)
            if (stands(s, data[k].name)) ok = put_json(data[k].value, out), n = strlen(data[k].name);
        if (!n) fputc(*s, out), n = 1;
        s += n;
    }
    return fflush(out) == 0 && !ferror(out) && ok;
}
