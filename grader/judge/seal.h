/* The seal of predictions.txt: a comment in the file's last line, with a digest of the text above it, the time, and the
 * number of earlier grades. The seal shows that the text has not changed since. Nothing in a student's own folder can
 * prove the time, so a course that gives points for sealing collects the digests (docs/instructor.md). */
#ifndef JUDGE_SEAL_H
#define JUDGE_SEAL_H

#include <jansson.h>
#include <stdio.h>

enum seal_state {
    SEAL_NONE,
    SEAL_FIRST,  /* sealed before the first grade, and unchanged since */
    SEAL_LATE,   /* after grades */
    SEAL_CHANGED /* the text differs from the sealed one */
};
enum { SEAL_DIGEST = 16, SEAL_TIME = 24 };
struct seal {
    enum seal_state state;
    char time[SEAL_TIME]; /* "2027-02-01 18:00:00 UTC" */
    unsigned grades;      /* number of grades of the lab before the file was sealed */
    char digest[SEAL_DIGEST + 1];
};
/* The seal of a file's text. */
struct seal seal_of(const char *text);
/* Writes the text with this seal, replacing any old one; sets s->digest. */
void seal_write(FILE *out, const char *text, struct seal *s);
/* Writes "sealed ... before the first grade"; returns `out`. */
const char *seal_words(const struct seal *s, char *out, size_t size);
/* The record's `seal`; NULL if there is none. */
json_t *seal_json(const struct seal *s);

#endif
