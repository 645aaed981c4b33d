/* A table that the instructor writes into OUT, and no run of the kit: a CSV file with a header, a line for a student
 * and a lab. Of overrides.c and lateness.c. */
#ifndef CLASS_SHEET_H
#define CLASS_SHEET_H

#include "class/class.h"

enum { SHEET_COLUMNS = 4, SHEET_STUDENT = 0, SHEET_LAB = 1 };
struct sheet {
    const char *name;                   /* "overrides.csv" */
    const char *headers[SHEET_COLUMNS]; /* "student", "lab", ...; NULL: no more */
    unsigned needed;                    /* that many of them must be there */
    const json_t *students, *labs;      /* of the facts: what a line may name */
    void *context;
    bool (*take)(struct sheet *s, const json_t *student, const char *lab, const char *const *cells);
    char *message;
    size_t size;
    char path[PATH_MAX];
    unsigned line;
};
/* Calls `take` for each line; a file that is not there has none. false, and a message with file and line, where it is
 * wrong, or as soon as `take` gives false. */
bool sheet_read(struct sheet *s, const char *out);
/* Sets the message; gives false. */
bool sheet_wrong(const struct sheet *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
