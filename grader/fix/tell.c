/* What is told of a fix, by the level of hints. See fix.h. */
#include "fix/fix.h"
#include <string.h>

static json_t *failure(json_t *tests) {
    size_t k;
    json_t *t;
    json_array_foreach(tests, k, t) {
        const enum check_status status = check_status_of(t);
        if (status != STATUS_PASS && status != STATUS_SKIPPED) return t;
    }
    return NULL;
}
void fix_tell(json_t *record, unsigned hints) {
    json_t *fix = json_object_get(record, "fix"), *test = failure(json_object_get(record, "tests"));
    const char *file = json_string_value(json_object_get(record, "submission"));
    char text[1500];
    if (!fix) return;
    const char *message = json_string_value(json_object_get(test, "message"));
    const int left = (int)json_integer_value(json_object_get(fix, "left")),
              wrong = (int)json_integer_value(json_object_get(fix, "wrong"));
    snprintf(text, sizeof text, "%s:%lld: %s%s%s; with an edit of this line alone %d of %d wrong cases are right",
             file ? file : "reduce.cu", (long long)json_integer_value(json_object_get(fix, "line")),
             hints >= 1 ? json_string_value(json_object_get(fix, "meaning"))
             : message  ? message
                        : "",
             hints >= 2 ? "; " : "", hints >= 2 ? json_string_value(json_object_get(fix, "idea")) : "", wrong - left,
             wrong);
    json_object_set_new(record, "advice", json_string(text));
    if (hints < 3) json_object_del(fix, "diff");
    if (hints < 2) json_object_del(fix, "idea");
    if (hints < 1) json_object_del(fix, "meaning");
}
