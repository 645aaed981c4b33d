/* See sheet.h. */
#include "class/sheet.h"
#include "base/file.h"
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MAX_CELLS = 64, MAX_FILE = 1 << 24 };

bool sheet_wrong(const struct sheet *s, const char *format, ...) {
    va_list arguments;
    const int n = snprintf(s->message, s->size, "%s:%u: ", s->path, s->line);
    va_start(arguments, format);
    if (n > 0 && (size_t)n < s->size) vsnprintf(s->message + n, s->size - (size_t)n, format, arguments);
    va_end(arguments);
    return false;
}
/* Returns whether the word identifies the student. A student named "Lovelace, Ada" is also "Ada Lovelace". */
static bool is_named(const json_t *student, const char *word, int (*compare)(const char *, const char *)) {
    static const char *const members[] = {"id",           "email",       "sid",    "login",
                                          "sis_login_id", "sis_user_id", "folder", "name"};
    for (unsigned m = 0; m < sizeof members / sizeof *members; m++)
        if (!compare(text_of(student, members[m]), word)) return true;
    char turned[400];
    const char *name = text_of(student, "name"), *comma = strstr(name, ", ");
    if (!comma) return false;
    snprintf(turned, sizeof turned, "%s %.*s", comma + 2, (int)(comma - name), name);
    return !compare(turned, word);
}
/* Returns the student whom `word` identifies. Ignores case if no student matches exactly, then an apostrophe at the
 * start, which csv_cell() puts before a formula. If no student or several match, returns NULL after writing an error
 * message. */
static const json_t *student_named(const struct sheet *s, const char *word) {
    const json_t *found = NULL;
    json_t *one;
    size_t k, count = 0;
    for (unsigned exact = 2; *word && !count && exact--;) json_array_foreach((json_t *)s->students, k, one) {
            if (!is_named(one, word, exact ? strcmp : strcasecmp)) continue;
            found = one, count++;
        }
    if (!count && *word == '\'') return student_named(s, word + 1);
    if (!count) sheet_wrong(s, "no student has the id, e-mail, SID, login or name `%s`", word);
    if (count > 1) sheet_wrong(s, "more than one student is named `%s`: give the id", word);
    return count == 1 ? found : NULL;
}
/* Returns the id of the lab that `word` names, or NULL after writing an error message. */
static const char *lab_named(const struct sheet *s, const char *word) {
    char ids[200] = "";
    size_t k;
    json_t *lab;
    json_array_foreach((json_t *)s->labs, k, lab) {
        if (!strcasecmp(text_of(lab, "id"), word)) return text_of(lab, "id");
        snprintf(ids + strlen(ids), sizeof ids - strlen(ids), "%s%s", k ? ", " : "", text_of(lab, "id"));
    }
    sheet_wrong(s, "there are no submissions for `%s`, only for %s", word, *ids ? ids : "none");
    return NULL;
}
static bool take_header(const struct sheet *s, char **cells, unsigned count, int column[SHEET_COLUMNS]) {
    char all[200] = "";
    for (unsigned k = 0; k < SHEET_COLUMNS && s->headers[k]; k++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", k ? "," : "", s->headers[k]);
    for (unsigned k = 0; k < SHEET_COLUMNS; k++) {
        column[k] = -1;
        for (unsigned n = 0; s->headers[k] && n < count; n++) {
            if (strcasecmp(cells[n], s->headers[k]) != 0) continue;
            if (column[k] >= 0) return sheet_wrong(s, "two columns are named `%s`: keep one", s->headers[k]);
            column[k] = (int)n;
        }
        if (column[k] < 0 && k < s->needed)
            return sheet_wrong(s, "there is no column `%s`: the first line must name the columns %s", s->headers[k],
                               all);
    }
    return true;
}
static bool take_line(struct sheet *s, char **cells, unsigned count, const int column[SHEET_COLUMNS]) {
    const char *cell[SHEET_COLUMNS];
    for (unsigned k = 0; k < SHEET_COLUMNS; k++)
        cell[k] = column[k] >= 0 && column[k] < (int)count ? cells[column[k]] : "";
    unsigned empty = 0;
    while (empty < count && !*cells[empty]) empty++;
    if (empty == count) return true; /* no text, or only separators */
    const json_t *student = student_named(s, cell[SHEET_STUDENT]);
    const char *lab = student ? lab_named(s, cell[SHEET_LAB]) : NULL;
    return lab && s->take(s, student, lab, cell);
}
bool sheet_read(struct sheet *s, const char *out) {
    char *cells[MAX_CELLS];
    int column[SHEET_COLUMNS];
    snprintf(s->path, sizeof s->path, "%s/%s", out, s->name);
    s->line = 1;
    errno = 0;
    size_t length = 0;
    char *text = file_read(s->path, 0, MAX_FILE, &length), *at;
    if (!text) return errno == ENOENT || (snprintf(s->message, s->size, "%s: %s", s->path, file_why(errno)), false);
    text = at = text_utf8(text, &length);
    bool ok = csv_begin(&at, length, &s->line) || sheet_wrong(s, CSV_NO_TEXT);
    const unsigned wrong = ok ? csv_not_utf8(at) : 0;
    if (wrong) s->line += wrong - 1, ok = sheet_wrong(s, CSV_NOT_UTF8);
    text_compose(at);
    const char separator = csv_separator(at);
    for (bool header = true; ok && *at; header = false) {
        unsigned next = s->line;
        const unsigned count = csv_words(&at, separator, cells, MAX_CELLS, &next);
        ok = !count   ? sheet_wrong(s, CSV_OPEN)
             : header ? take_header(s, cells, count, column)
                      : take_line(s, cells, count, column);
        s->line = next;
    }
    free(text);
    return ok;
}
