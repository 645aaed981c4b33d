/* See hidden.h. */
#include "report/hidden.h"

void hidden_remove_advice(json_t *record, enum visibility most) {
    static const char *const revealing[] = {"advice", "fix", "fix_looked_for", "roots"};
    size_t k;
    json_t *test;
    json_array_foreach(json_object_get(record, "tests"), k, test) {
        if (visibility_of(test) <= most || check_status_of(test) == STATUS_PASS) continue;
        for (unsigned n = 1; n < sizeof revealing / sizeof *revealing; n++) json_object_del(record, revealing[n]);
        json_object_set_new(record, revealing[0], json_string(""));
        return;
    }
}
size_t hidden_remove(json_t *record, enum visibility most) {
    json_t *tests = json_object_get(record, "tests");
    size_t removed = 0;
    hidden_remove_advice(record, most);
    for (size_t k = json_array_size(tests); k-- > 0;)
        if (visibility_of(json_array_get(tests, k)) > most) json_array_remove(tests, k), removed++;
    return removed;
}
