/* Tests that reports depend only on the record. For each golden/NAME.json, the text report must equal
 * golden/NAME.txt, and the JSON report must equal the record. UPDATE_GOLDEN=1 rewrites the text reports; check the
 * changes before you commit them. */
/* run: sanitized, 4 s */
/* reads: grader/tests/golden */
#include "tests/files.h"
#include "judge/lab.h"
#include "probes/catalog.h"
#include "report/page.h"
#include "report/sink.h"
#include "report/views.h"
#include "tests/control.h"
#include "tests/suite.h"
#include <check.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"full", "skeleton", "race", "classes", "build", "setup", "hostile"};

static json_t *record(const char *name) {
    char path[200];
    json_error_t error;
    snprintf(path, sizeof path, "grader/tests/golden/%s.json", name);
    json_t *r = json_load_file(path, 0, &error);
    ck_assert_msg(r != NULL, "%s: %s", path, error.text);
    return r;
}
static char *written(const char *sink, const json_t *r, struct sink_options options) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    ck_assert(f && sink_write(sink_find(sink), r, f, &options));
    fclose(f);
    return text;
}

START_TEST(text_matches_golden_file) {
    char path[200];
    json_t *r = record(names[_i]);
    char *text = written("text", r, (struct sink_options){0});
    snprintf(path, sizeof path, "grader/tests/golden/%s.txt", names[_i]);
    if (getenv("UPDATE_GOLDEN")) {
        FILE *f = fopen(path, "w");
        ck_assert(f && fputs(text, f) >= 0 && fclose(f) == 0);
    }
    char *golden = read_file(path);
    ck_assert_msg(golden && !strcmp(text, golden), "%s differs from the current report; see UPDATE_GOLDEN", path);
    free(golden);
    free(text);
    json_decref(r);
}
END_TEST

/* A report contains no control characters except newlines, whatever the record contains. Its lines have at most 80
 * columns. Exceptions are compiler messages, file names, and commands, which readers copy. */
START_TEST(text_is_safe_and_narrow) {
    json_t *r = record(names[_i]);
    json_object_set_new(r, "submission", json_string("labs/lab1_interleaved_tree/reduce.cu"));
    json_object_set_new(r, "seed", json_string("18446744073709551615"));
    json_object_set_new(r, "course",
                        json_pack("{s:s, s:s, s:s, s:s}", "deadline", "2027-02-19 18:00", "late",
                                  "if late, 10 points off per day or part of a day, at most 50; 3 slip days for "
                                  "all labs",
                                  "attempts", "the best of your attempts counts", "points",
                                  "70 points count instead of 80: 16 h 2 min late, 10 points off; seen in class"));
    char *text = written("text", r, (struct sink_options){0});
    ck_assert_msg(!control_character(text), "control character: %.80s", control_character(text));
    for (const char *line = text; *line;) {
        const size_t n = strcspn(line, "\n");
        const bool whole =
            memmem(line, n, "replay: ", 8) || !strcmp(names[_i], "build") || !strcmp(names[_i], "hostile");
        ck_assert_msg(whole || n <= 80, "%zu columns: %.*s", n, (int)n, line);
        line += n + (line[n] == '\n');
    }
    free(text);
    json_decref(r);
}
END_TEST

START_TEST(json_is_the_record) {
    json_t *r = record(names[_i]);
    char *text = written("json", r, (struct sink_options){0});
    json_t *again = json_loads(text, 0, NULL);
    ck_assert(again && json_equal(r, again));
    json_decref(again);
    free(text);
    json_decref(r);
}
END_TEST

/* The text of a view must equal golden/NAME.VIEW.txt or, with color, golden/NAME.VIEW.color.txt. */
static const struct {
    const char *record, *view;
    struct sink_options options;
} views[] = {
    {"drawn", "lanes", {.lanes = true}},
    {"drawn", "lanes.color", {.lanes = true, .color = true}},
    {"race", "lanes", {.lanes = true}},
    {"drawn", "beside", {.beside = true}},
    {"drawn", "beside.color", {.beside = true, .color = true}},
    {"race", "beside", {.beside = true}},
    {"race", "explain", {.explain = true}},
    {"race", "explain.color", {.explain = true, .color = true}},
    {"hostile", "explain", {.explain = true, .beside = true, .lanes = true}},
};
START_TEST(views_are_golden) {
    char path[200];
    json_t *r = record(views[_i].record);
    char *text = written("text", r, views[_i].options);
    snprintf(path, sizeof path, "grader/tests/golden/%s.%s.txt", views[_i].record, views[_i].view);
    if (getenv("UPDATE_GOLDEN")) {
        FILE *f = fopen(path, "w");
        ck_assert(f && fputs(text, f) >= 0 && fclose(f) == 0);
    }
    char *golden = read_file(path);
    ck_assert_msg(golden && !strcmp(text, golden), "%s differs from the current report; see UPDATE_GOLDEN", path);
    if (!views[_i].options.color && strcmp(views[_i].record, "hostile") != 0)
        for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
            ck_assert_msg(strcspn(line, "\n") <= 80 || strstr(line, "replay: "), "%.100s", line);
    free(golden);
    free(text);
    json_decref(r);
}
END_TEST
/* Each character of the map represents eight lanes and must match the record. */
START_TEST(the_map_has_the_lanes_of_the_record) {
    json_t *r = record("drawn"), *step;
    char *text = written("text", r, (struct sink_options){.lanes = true});
    const json_t *steps = json_object_get(json_object_get(json_object_get(r, "pictures"), "lane_map"), "steps");
    size_t k;
    for (unsigned warp = 0; warp < 32; warp++) {
        char name[16];
        snprintf(name, sizeof name, "\nwarp %-2u", warp);
        const char *cells = strstr(text, name);
        ck_assert_ptr_nonnull(cells);
        cells += strlen(name);
        json_array_foreach(steps, k, step) {
            const uint32_t active = (uint32_t)json_integer_value(json_array_get(json_object_get(step, "active"), warp));
            for (unsigned group = 0; group < 4; group++) {
                const uint32_t lanes = active >> 8 * group & 0xff;
                ck_assert_int_eq(cells[6 * k + 1 + group], lanes == 0xff ? '#' : lanes ? '+' : '.');
            }
        }
    }
    free(text);
    json_decref(r);
}
END_TEST
/* An example of a later launch shows the size of this launch and whose elements are listed. */
START_TEST(later_launches_have_their_size) {
    json_t *record = json_pack("{s:s}", "lab", "lab3"),
           *test = json_pack("{s:s, s:{s:b, s:s, s:s, s:i, s:i, s:s, s:s, s:i, s:{s:i, s:i, s:i}, s:s}}", "message",
                             "x", "example", "shrunk", 1, "kernel", "reduce", "operator", "sum of int", "elements", 9,
                             "block", 64, "input", "in", "values", "1..9", "launch", 3, "launched", "elements", 7,
                             "block", 128, "grid", 2, "replay", "r");
    char *text = page_test(record, test);
    ck_assert_str_eq(text,
                     "x\nSmallest failing case: reduce, sum of int, n = 9, blockDim.x = 64, launch 3 (n =\n"
                     "7, blockDim.x = 128, gridDim.x = 2), after correct ones\nlaunch 1 has in = 1..9\nreplay: r\n");
    free(text);
    json_decref(record), json_decref(test);
}
END_TEST
START_TEST(source_lines_keep_their_tabs) {
    json_t *record = json_pack("{s:{s:s}, s:s}", "source", "reduce.cu:9", "\tsum = 0;\x1b", "lab", "lab\t3"),
           *safe = page_safe_copy(record);
    ck_assert_str_eq(json_string_value(json_object_get(json_object_get(safe, "source"), "reduce.cu:9")), "\tsum = 0;?");
    ck_assert_str_eq(json_string_value(json_object_get(safe, "lab")), "lab?3");
    json_decref(record), json_decref(safe);
}
END_TEST
/* Every kind of finding and every check of every lab has an explanation. */
START_TEST(everything_is_explained) {
    const struct finding_kind *kind;
    for (unsigned k = 0; (kind = catalog_finding_at(k)); k++)
        ck_assert_msg(view_explanation(kind->key, TERMS_ALL) != NULL, "%s has no explanation", kind->key);
    for (unsigned k = 0; k < lab_row_count; k++)
        for (unsigned c = 0; c < lab_rows[k]->check_count; c++)
            ck_assert_msg(view_explanation(lab_rows[k]->checks[c].id, TERMS_ALL) != NULL,
                          "report/explain.def has no row for %s", lab_rows[k]->checks[c].id);
}
END_TEST

/* The page contains the record as escaped text, which cannot end the <script> element. The page loads no other
 * files, and never inserts text as markup. */
START_TEST(page_holds_the_record) {
    static const char *const never[] = {"innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(",
                                        "src=",      "https:",    "import ",        "fetch(",         "url("};
    json_t *r = record(names[_i]);
    char *page = written("html", r, (struct sink_options){0});
    char *data = strstr(page, "id=\"data\">"), *end = data ? strstr(data, "</script>") : NULL;
    ck_assert(end != NULL && strlen(page) < 1 << 20);
    data += strlen("id=\"data\">");
    for (const char *c = data; c < end; c++)
        if (*c < ' ' || *c >= 127 || strchr("<>&", *c)) ck_abort_msg("character %d in the data", *c);
    json_t *again = json_loadb(data, (size_t)(end - data), 0, NULL);
    ck_assert(again && json_equal(r, again));
    memset(data, ' ', (size_t)(end - data));
    for (size_t k = 0; k < sizeof never / sizeof *never; k++)
        ck_assert_msg(!strstr(page, never[k]), "the page contains %s", never[k]);
    ck_assert(strstr(page, "</html>") && !strstr(page, "@data@") && !strstr(page, "@style@") &&
              !strstr(page, "@scripts@") && !strstr(page, "@catalog@"));
    json_decref(again);
    free(page);
    json_decref(r);
}
END_TEST

START_TEST(color_and_quiet_change_the_report) {
    json_t *r = record("race");
    char *color = written("text", r, (struct sink_options){.color = true}),
         *quiet = written("text", r, (struct sink_options){.quiet = true});
    ck_assert(strstr(color, "\033[31m") && strstr(color, "\033[0m"));
    ck_assert(!strncmp(quiet, "lab3: ", 6));
    free(color);
    free(quiet);
    json_decref(r);
}
END_TEST

/* Only the report itself may change colors: each escape character must begin one of its sequences. */
START_TEST(color_comes_from_the_report) {
    static const char *const own[] = {"\033[31m", "\033[32m", "\033[33m", "\033[1m", "\033[2m", "\033[0m"};
    json_t *r = record(names[_i]);
    char *text = written("text", r, (struct sink_options){.color = true}),
         *plain = written("text", r, (struct sink_options){0}), *rest = calloc(1, strlen(text) + 1), *end = rest;
    for (const char *s = text; *s;) {
        size_t n = 0;
        for (size_t k = 0; k < sizeof own / sizeof *own; k++)
            if (!strncmp(s, own[k], strlen(own[k]))) n = strlen(own[k]);
        if (!n) *end++ = *s;
        s += n ? n : 1;
    }
    ck_assert_str_eq(rest, plain);
    free(rest);
    free(plain);
    free(text);
    json_decref(r);
}
END_TEST

/* The JSON report of a record is always the same, byte for byte: its fields have a fixed order, and each level is
 * indented by two spaces. */
START_TEST(json_is_laid_out) {
    json_t *r = record(names[_i]);
    char *text = written("json", r, (struct sink_options){.color = true, .quiet = true});
    char *again = json_dumps(r, JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(12));
    const size_t n = strlen(again);
    ck_assert_msg(!strncmp(text, again, n) && !strcmp(text + n, "\n"), "%s", names[_i]);
    free(again);
    free(text);
    json_decref(r);
}
END_TEST

/* Asserts that there is a report on the record, without characters that a terminal would interpret. */
static void check_safe(const json_t *root) {
    char *text = written("text", root, (struct sink_options){0});
    ck_assert_msg(!control_character(text), "%.200s", control_character(text));
    free(text);
}
static json_t *strange(unsigned k) {
    switch (k) {
    case 0: return json_null();
    case 1: return json_string("\033]0;x\007\n%s%n");
    case 2: return json_integer(INT64_MIN);
    case 3: return json_integer(INT64_MAX);
    case 4: return json_real(-1e308);
    case 5: return json_pack("[[], {}, s, i]", "x", 7);
    default: return json_pack("{s:{s:s}}", "\033[31m", "id", "x");
    }
}
enum { STRANGE = 7 };
/* Changes the type of each child of a container, one at a time. In long arrays, changes only the first element. */
static void disturb(const json_t *root, json_t *container, unsigned *turn) {
    const unsigned step = 9;
    const char *key;
    void *next;
    json_t *child;
    size_t k;
    if (json_is_object(container)) json_object_foreach_safe(container, next, key, child) {
            json_t *kept = json_incref(child);
            for (unsigned s = (*turn)++ % step; s < STRANGE; s += step)
                json_object_set_new(container, key, strange(s)), check_safe(root);
            json_object_set_new(container, key, kept);
            disturb(root, kept, turn);
        }
    json_array_foreach(container, k, child) {
        if (k == 1 && json_array_size(container) > 8) break;
        json_t *kept = json_incref(child);
        for (unsigned s = (*turn)++ % step; s < STRANGE; s += step)
            json_array_set_new(container, k, strange(s)), check_safe(root);
        json_array_set_new(container, k, kept);
        disturb(root, kept, turn);
    }
}
/* Changes the type of each field of a record, and then removes one field after another. Both violate the schema. */
START_TEST(invalid_records_still_give_reports) {
    static const char *const disturbed[] = {"full", "race", "build"};
    json_t *r = record(disturbed[_i]), *empty = json_object();
    unsigned turn = 0;
    check_safe(empty);
    disturb(r, r, &turn);
    for (const char *key; (key = json_object_iter_key(json_object_iter(r)));) /* remove one field after another */
        json_object_del(r, key), check_safe(r);
    json_decref(empty);
    json_decref(r);
}
END_TEST
START_TEST(write_errors_are_reported) {
    static const char *const sinks[] = {"text", "json"};
    json_t *r = record("full");
    FILE *full = fopen("/dev/full", "w");
    ck_assert(full && !sink_write(sink_find(sinks[_i]), r, full, &(struct sink_options){0}));
    fclose(full);
    ck_assert_ptr_null(sink_find("tex"));
    ck_assert_ptr_null(sink_find(""));
    json_decref(r);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("report");
    TCase *tcase = tcase_create("report");
    const int n = sizeof names / sizeof *names;
    tcase_add_loop_test(tcase, text_matches_golden_file, 0, n);
    tcase_add_loop_test(tcase, text_is_safe_and_narrow, 0, n);
    tcase_add_loop_test(tcase, json_is_the_record, 0, n);
    tcase_add_loop_test(tcase, page_holds_the_record, 0, n);
    tcase_add_loop_test(tcase, json_is_laid_out, 0, n);
    tcase_add_loop_test(tcase, views_are_golden, 0, sizeof views / sizeof *views);
    tcase_add_test(tcase, the_map_has_the_lanes_of_the_record);
    tcase_add_test(tcase, later_launches_have_their_size);
    tcase_add_test(tcase, source_lines_keep_their_tabs);
    tcase_add_test(tcase, everything_is_explained);
    tcase_add_test(tcase, color_and_quiet_change_the_report);
    tcase_add_loop_test(tcase, color_comes_from_the_report, 0, n);
    tcase_add_loop_test(tcase, invalid_records_still_give_reports, 0, 3);
    tcase_add_loop_test(tcase, write_errors_are_reported, 0, 2);
    tcase_set_timeout(tcase, 300);
    suite_add_tcase(suite, tcase);
    return suite_failures(suite) != 0;
}
