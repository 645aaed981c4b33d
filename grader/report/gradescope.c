/* Writes Gradescope's results.json (format: Gradescope documentation, "Autograder Specifications"). If the setup is at
 * fault, omits the score, so that Gradescope reports a failure of the autograder instead of giving 0 points. */
#include "report/hidden.h"
#include "report/page.h"
#include "report/sink.h"
#include <stdlib.h>

static json_t *test_row(const json_t *record, const json_t *test, size_t lab, size_t k) {
    char name[400], number[32];
    char *text = page_test(record, test);
    const enum check_status status = check_status_of(test);
    snprintf(name, sizeof name, "%s: %s", page_lab(record), page_string(test, "title"));
    snprintf(number, sizeof number, "%zu.%zu", lab + 1, k + 1);
    json_t *row = json_pack("{s:I, s:I, s:s, s:o, s:s, s:o, s:s, s:s}", "score", page_integer(test, "points"),
                            "max_score", page_integer(test, "max_points"), "number", number, "name", page_text(name),
                            "name_format", "text", "output", page_text(text), "output_format", "text", "visibility",
                            visibility_word(visibility_of(test)));
    if (status == STATUS_PASS || status == STATUS_FAIL || status == STATUS_ERROR)
        json_object_set_new(row, "status", json_string(status == STATUS_PASS ? "passed" : "failed"));
    free(text);
    return row;
}
/* Adds the lab's ratios of modeled time to the leaderboard. Lower ratios are better. */
static void add_to_leaderboard(json_t *board, const json_t *record) {
    size_t k;
    json_t *t;
    json_array_foreach(json_object_get(record, "tests"), k, t) {
        const json_t *ratio = json_object_get(json_object_get(t, "modeled"), "ratio");
        char name[80];
        if (!ratio) continue;
        snprintf(name, sizeof name, "%s: modeled time / reference", page_lab(record));
        json_array_append_new(board, json_pack("{s:o, s:f, s:s}", "name", page_text(name), "value",
                                               json_number_value(ratio), "order", "asc"));
    }
}
static json_t *results(const json_t *record) {
    json_t *tests = json_array(), *board = json_array();
    char *output = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&output, &size);
    long long score = 0;
    bool judged = true;
    for (size_t n = 0; n < page_count(record); n++) {
        const json_t *r = page_record(record, n);
        char *text = page_end_text(r);
        size_t k;
        json_t *t;
        fprintf(out, "%s: %lld of %lld points\n%s\n", page_lab(r), page_integer(r, "score"),
                page_integer(r, "max_score"), text ? text : "");
        free(text);
        judged &= grade_end_of(r) != END_SETUP;
        score += page_integer(r, "score");
        json_array_foreach(json_object_get(r, "tests"), k, t) json_array_append_new(tests, test_row(r, t, n, k));
        add_to_leaderboard(board, r);
    }
    fclose(out);
    json_t *all =
        json_pack("{s:o, s:s, s:s, s:s, s:o, s:o}", "output", page_text(output), "output_format", "text", "visibility",
                  "visible", "stdout_visibility", "hidden", "tests", tests, "leaderboard", board);
    if (judged)
        json_object_set_new(all, "score", json_integer(score));
    else
        json_array_clear(tests); /* otherwise, Gradescope would sum the points of the tests */
    free(output);
    return all;
}
static bool write_gradescope(const json_t *record, FILE *out, const struct sink_options *options) {
    (void)options;
    for (size_t k = 0; k < page_count(record); k++) hidden_remove_advice((json_t *)page_record(record, k), VISIBLE);
    return page_json(results(record), out);
}
extern const struct sink sink_gradescope;
const struct sink sink_gradescope = {"gradescope", "Write Gradescope's results.json", write_gradescope};
