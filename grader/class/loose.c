/* Lists the files that belong to no submission, so that none of them disappears silently. */
#include "class/facts.h"
#include <string.h>

enum { MAX_NAMED = 1000 /* maximum number of files of a kind that the attention list names */ };
static const struct {
    const char *noun, *one, *many;
} kinds[LOOSE_KINDS] = {[LOOSE_LAB] = {"file", "belongs to no lab of the course", "belong to no lab of the course"},
                        [LOOSE_STUDENT] = {"file", "belongs to no student", "belong to no student"},
                        [LOOSE_HIDDEN] = {"folder", "is hidden, because its name begins with a dot",
                                          "are hidden, because their names begin with a dot"}};

void loose_add(json_t *loose, enum loose kind, const char *path) {
    json_t *paths = json_object_get(loose, kinds[kind].one);
    if (!paths) json_object_set_new(loose, kinds[kind].one, paths = json_array());
    json_array_append_new(paths, text_json(path));
}
const char *loose_first(const json_t *loose, enum loose kind) {
    return json_string_value(json_array_get(json_object_get(loose, kinds[kind].one), 0));
}
void loose_tell(const json_t *loose) {
    for (unsigned k = 0; k < LOOSE_KINDS; k++) {
        const size_t count = json_array_size(json_object_get(loose, kinds[k].one));
        const char *first = loose_first(loose, k);
        if (count == 1) printf("1 %s %s: %s\n", kinds[k].noun, kinds[k].one, first);
        if (count > 1)
            printf("%zu %ss %s, such as %s; attention.txt lists them\n", count, kinds[k].noun, kinds[k].many, first);
    }
}
void loose_attend(const json_t *loose, const char *lab, json_t *attention) {
    for (unsigned k = 0; k < LOOSE_KINDS; k++) {
        const json_t *paths = json_object_get(loose, kinds[k].one);
        const size_t count = json_array_size(paths), named = count < MAX_NAMED ? count : MAX_NAMED;
        char text[PATH_MAX + 100];
        for (size_t n = 0; n < named; n++) {
            snprintf(text, sizeof text, "%s %s", json_string_value(json_array_get(paths, n)), kinds[k].one);
            attend(attention, ATTENTION_LOOSE, lab, NULL, text);
        }
        if (named == count) continue;
        snprintf(text, sizeof text, "%zu more %ss %s", count - named, kinds[k].noun, kinds[k].many);
        attend(attention, ATTENTION_LOOSE, lab, NULL, text);
    }
}
