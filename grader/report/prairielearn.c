/* Writes PrairieLearn's results.json (format: PrairieLearn documentation, "External grading"). A submission that does
 * not build is not gradable, so that the student may submit again. After a fault of the setup, it is not gradable
 * either, and the message says that the setup is at fault. PrairieLearn shows all tests together, so tests that the
 * course hides are omitted, but their points are included. */
#include "report/hidden.h"
#include "report/page.h"
#include "report/sink.h"
#include <stdlib.h>

static json_t *test_row(const json_t *record, const json_t *test) {
    char name[400];
    char *text = page_test(record, test);
    snprintf(name, sizeof name, "%s: %s", page_lab(record), page_string(test, "title"));
    json_t *row = json_pack("{s:o, s:o, s:I, s:I, s:o, s:o}", "name", page_text(name), "description",
                            page_text(page_string(test, "id")), "points", page_integer(test, "points"), "max_points",
                            page_integer(test, "max_points"), "message", page_text(page_string(test, "message")),
                            "output", page_text(text));
    free(text);
    return row;
}
static json_t *results(const json_t *record) {
    json_t *tests = json_array(), *errors = json_array();
    char *message = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&message, &size);
    double score = 0, most = 0;
    for (size_t n = 0; n < page_count(record); n++) {
        const json_t *r = page_record(record, n);
        char *text = page_end_text(r);
        size_t k;
        json_t *t;
        fprintf(out, "%s: %lld of %lld points\n%s\n", page_lab(r), page_integer(r, "score"),
                page_integer(r, "max_score"), text ? text : "");
        if (grade_end_of(r) == END_SETUP || grade_end_of(r) == END_BUILD)
            json_array_append_new(errors, page_text(text));
        free(text);
        score += (double)page_integer(r, "score"), most += (double)page_integer(r, "max_score");
        json_array_foreach(json_object_get(r, "tests"), k, t) json_array_append_new(tests, test_row(r, t));
    }
    fclose(out);
    json_t *all =
        json_pack("{s:b, s:f, s:o, s:o, s:o}", "gradable", json_array_size(errors) == 0, "score",
                  most > 0 ? score / most : 0, "message", page_text(message), "format_errors", errors, "tests", tests);
    free(message);
    return all;
}
static bool write_prairielearn(const json_t *record, FILE *out, const struct sink_options *options) {
    (void)options;
    for (size_t k = 0; k < page_count(record); k++) hidden_remove((json_t *)page_record(record, k), VISIBLE);
    return page_json(results(record), out);
}
extern const struct sink sink_prairielearn;
const struct sink sink_prairielearn = {"prairielearn", "Write PrairieLearn's results.json", write_prairielearn};
