/* Parts of a page for a terminal, made from parts of a record: what several kinds of page share. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "record/status.h"
#include "record/terms.h"
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

enum { PAGE_WIDTH = 80 };

struct page {
    FILE *out;
    bool color;
    unsigned taught; /* the terms that it may use: record/terms.h */
};
enum color { PLAIN, RED, GREEN, YELLOW, BOLD, FAINT };
const char *page_begin(const struct page *p, enum color c); /* "" without color */
const char *page_end(const struct page *p);

/* A member of an object; "" or 0 if it is not there. */
const char *page_string(const json_t *o, const char *key);
long long page_integer(const json_t *o, const char *key);

/* Breaks text into lines of at most PAGE_WIDTH columns, each indented but the first, which continues behind what stands
 * there already. */
void page_hanging(const struct page *p, int indent, const char *text);
void page_wrapped(const struct page *p, int indent, const char *text); /* the first as well; nothing for "" */

/* A copy without control characters in its strings; line ends stay in the members `log` and `printed`, and in a string
 * itself if `lines`; tabs in the member `source`. */
json_t *page_safe_copy(const json_t *value, bool lines);

/* ---- what several formats say (page_test.c) ---- */
/* A report is of one record, or of an array of them, one a lab. */
size_t page_count(const json_t *record);
const json_t *page_record(const json_t *record, size_t k);
const char *page_lab(const json_t *record); /* "lab3" */
/* The smallest case that failed in a test: its elements, what each step did (a few of them, or all), what came out, and
 * what became of the elements. */
void page_example(const struct page *p, int indent, const json_t *record, const json_t *test, bool all);
char *page_test(const json_t *record, const json_t *test); /* plain text of a test: message, findings, replay; free() */
char *page_end_text(const json_t *record);                 /* why there are no tests, or what to do first; free() */

void page_xml(FILE *out, const char *text); /* as the text of an element, or of an attribute without line ends */
json_t *page_text(const char *text); /* a JSON string of it; what is cut inside a character loses that, NULL gives "" */

/* A finding of the record, and below it those of `tests` that have the same cause; `source` holds source lines by
 * "file:line". */
void page_finding(const struct page *p, const json_t *finding, const json_t *tests, const json_t *source);
/* It is listed below another one of these tests. */
bool page_is_listed(const json_t *tests, const json_t *finding);
/* A test before this one has it, too: each finding is shown once. */
bool page_shown_before(const json_t *tests, size_t test, const json_t *finding);
/* The table of steps of a block of that many threads. */
void page_steps(const struct page *p, const json_t *steps, long long threads);
/* The table of source lines, all of `file`. */
void page_lines(const struct page *p, const json_t *lines, const json_t *source, const char *file);

/* What the compiler warned of, if anything, with its lines. */
void page_warnings(const struct page *p, const json_t *record);
/* The edit of a fix that was tried, if the record tells it: a line for each that goes or comes. */
void page_fix(const struct page *p, const json_t *record);

#endif
