/* Converts values and buffer contents to JSON. */
#include "run/run.h"
#include <math.h>

json_t *run_value_json(const struct run_type *t, const void *value) {
    char text[40];
    if (t->kind == RUN_FLOAT && isfinite(run_value_real(t, value))) return json_real(run_value_real(t, value));
    run_value_text(t, value, text, sizeof text);
    if (t->kind == RUN_SIGNED || (t->kind == RUN_UNSIGNED && (t->bytes < 8 || run_value_whole(t, value) >= 0)))
        return json_integer(
            run_value_whole(t, value) &
            (t->kind == RUN_UNSIGNED && t->bytes < 8 ? (int64_t)((UINT64_C(1) << (8 * t->bytes)) - 1) : -1));
    return json_string(text);
}
json_t *run_buffer_value(const struct run_argument *a, uint64_t k) {
    uint8_t scratch[8];
    const uint8_t *value = run_buffer_element(a, k, scratch);
    return value ? run_value_json(a->type, value) : json_null();
}
static uint64_t number_of_next(const struct run_argument *a, uint64_t skip) {
    uint64_t k = run_buffer_next_written(a, 0);
    while (skip--) k = run_buffer_next_written(a, k + 1);
    return k;
}
json_t *run_buffer_spans(const struct run_argument *a, uint64_t skip, uint64_t most) {
    json_t *spans = json_array(), *values = NULL;
    uint64_t k = number_of_next(a, skip), behind = a->count; /* index after the last reported element */
    for (; most && k < a->count; most--, behind = k + 1, k = run_buffer_next_written(a, k + 1)) {
        if (k != behind || !values) {
            values = json_array();
            json_array_append_new(spans, json_pack("{s:I, s:o}", "at", (json_int_t)k, "values", values));
        }
        json_array_append_new(values, run_buffer_value(a, k));
    }
    return spans;
}
