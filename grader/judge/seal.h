/* The seal of predictions.txt: a comment in the last line of the file. It has the time, the number of earlier grades,
 * and a digest of the text above it. The digest shows that the text has not changed since. Nothing in a student's own
 * folder can prove the time. A course that gives points for sealing therefore collects the digests
 * (docs/instructor.md). */
#ifndef JUDGE_SEAL_H
#define JUDGE_SEAL_H

#include <jansson.h>
#include <stdio.h>

enum seal_state {
    SEAL_NONE,
    SEAL_FIRST,  /* sealed before the first grade, and unchanged since */
    SEAL_LATE,   /* sealed after one or more grades */
    SEAL_CHANGED /* the text or the seal has changed since it was sealed */
};
enum { SEAL_DIGEST = 16, SEAL_TIME = 24 };
struct seal {
    enum seal_state state;
    char time[SEAL_TIME]; /* such as "2027-02-01 18:00:00 UTC" */
    unsigned grades;      /* number of grades of the lab before the file was sealed */
    char digest[SEAL_DIGEST + 1];
};
/* Reads the seal of a file's text. */
struct seal seal_of(const char *text);
/* Writes the text with this seal, which replaces an earlier one. Sets s->digest. */
void seal_write(FILE *out, const char *text, struct seal *s);
/* Prints the seal in words, such as "sealed ... before the first grade". Returns `out`. */
const char *seal_words(const struct seal *s, char *out, size_t size);
/* Returns the record's `seal`, or NULL if there is none. */
json_t *seal_json(const struct seal *s);

#endif
