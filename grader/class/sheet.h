/* Reads tables in OUT that the instructor writes and the kit never changes: CSV files with a header and a line per
 * student and lab. Used by overrides.c and lateness.c. */
#ifndef CLASS_SHEET_H
#define CLASS_SHEET_H

#include "class/class.h"

enum { SHEET_COLUMNS = 4, SHEET_STUDENT = 0, SHEET_LAB = 1 };
struct sheet {
    const char *name;                   /* "overrides.csv" */
    const char *headers[SHEET_COLUMNS]; /* "student", "lab", ...; terminated by NULL */
    unsigned needed;                    /* the number of required columns */
    const json_t *students, *labs;      /* the students and labs that a line may name, from the facts */
    void *context;
    bool (*take)(struct sheet *s, const json_t *student, const char *lab, const char *const *cells);
    char *message;
    size_t size;
    char path[PATH_MAX];
    unsigned line;
};
/* Calls `take` for each line; a missing file has no lines. If a line is wrong or `take` returns false, returns false
 * with a message that names file and line. */
bool sheet_read(struct sheet *s, const char *out);
/* Sets the message; returns false. */
bool sheet_wrong(const struct sheet *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
