/* Reads the tables in OUT that the instructor writes: CSV files with a header, and a line for each student and lab.
 * The kit never changes them. */
#ifndef CLASS_SHEET_H
#define CLASS_SHEET_H

#include "class/class.h"

enum { SHEET_COLUMNS = 4, SHEET_STUDENT = 0, SHEET_LAB = 1 };
struct sheet {
    const char *name;                   /* "overrides.csv" */
    const char *headers[SHEET_COLUMNS]; /* "student", "lab", ...; the unused ones are NULL */
    unsigned needed;                    /* number of required columns */
    const json_t *students, *labs;      /* students and labs in the facts, which a line may name */
    void *context;
    bool (*take)(struct sheet *s, const json_t *student, const char *lab, const char *const *cells);
    char *message;
    size_t size;
    char path[PATH_MAX];
    unsigned line;
};
/* Calls `take` for each line. A missing file is treated as empty. If a line is invalid or `take` returns false,
 * returns false with a message that names the file and line. */
bool sheet_read(struct sheet *s, const char *out);
/* Formats an error message with the file and line. Always returns false. */
bool sheet_wrong(const struct sheet *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
