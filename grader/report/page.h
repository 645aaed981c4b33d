/* Parts of a page for a terminal, shared by several kinds of pages. */
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
    unsigned taught; /* the terms that the page may use (record/terms.h) */
};
enum color { PLAIN, RED, GREEN, YELLOW, BOLD, FAINT };
const char *page_begin(const struct page *p, enum color c); /* starts a color; "" if the page has none */
const char *page_end(const struct page *p);                 /* ends a color */

/* Return a member of an object, or "" or 0 if it is missing. */
const char *page_string(const json_t *o, const char *key);
long long page_integer(const json_t *o, const char *key);

/* Breaks text into lines of at most PAGE_WIDTH columns. page_hanging() continues the current line and indents the
 * others; page_wrapped() indents all lines. Both print nothing for "". */
void page_hanging(const struct page *p, int indent, const char *text);
void page_wrapped(const struct page *p, int indent, const char *text);

/* Copies a value with the control characters in its strings replaced by '?'. Keeps line ends in the members `log` and
 * `printed`, and tabs in the member `source` and in its members. */
json_t *page_safe_copy(const json_t *value);

/* ---- shared by multiple formats (page_test.c) ---- */
/* A report is made from one record or from an array of records, one per lab. These functions return the number of
 * records, and record k. */
size_t page_count(const json_t *record);
const json_t *page_record(const json_t *record, size_t k);
const char *page_lab(const json_t *record); /* such as "lab3" */
/* Prints the smallest failing case of a test: its elements, the effect of the first steps (of all steps if `all`), the
 * result, and what happened to each element. */
void page_example(const struct page *p, int indent, const json_t *record, const json_t *test, bool all);
char *page_test(const json_t *record, const json_t *test); /* text of a test: message, findings, replay; free() it */
/* Returns the setup error. If the setup is not at fault, returns the compiler's log (if the build failed), the advice
 * and the fix. free() the text. */
char *page_end_text(const json_t *record);

void page_xml(FILE *out, const char *text); /* escapes text for an element, or for an attribute without line ends */
/* Makes a JSON string: "" for NULL, and "?" for text that is not UTF-8. Drops an incomplete character at the end. */
json_t *page_text(const char *text);

/* Writes a JSON document and frees it. Returns false if it is NULL or not fully written. */
bool page_json(json_t *document, FILE *out);

/* Prints a finding of the record, followed by those of `tests` that have the same cause. `source` maps "file:line" to
 * source lines. */
void page_finding(const struct page *p, const json_t *finding, const json_t *tests, const json_t *source);
/* Returns whether the finding is listed below another finding of `tests`. */
bool page_is_listed(const json_t *tests, const json_t *finding);
/* Returns whether an earlier test also has the finding, which is shown only once. */
bool page_shown_before(const json_t *tests, size_t test, const json_t *finding);
/* Prints a table of at most 40 steps of a block with `threads` threads. */
void page_steps(const struct page *p, const json_t *steps, long long threads);
/* Prints the table of source lines, all in `file`. */
void page_lines(const struct page *p, const json_t *lines, const json_t *source, const char *file);

/* Prints the compiler's warnings, if any, with their lines. */
void page_warnings(const struct page *p, const json_t *record);
/* Prints the edit of a tested fix, if the record has one, with one line per removed or added line. */
void page_fix(const struct page *p, const json_t *record);

#endif
