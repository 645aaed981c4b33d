/* The seal of predictions.txt: a comment in its last line, of what stood above it, when, and after how many grades. It
 * travels with the file. It says that the file is the one that was sealed; nothing in a student's own folder can prove
 * when that was, so a course that pays for it collects the digests (docs/instructor.md). */
#ifndef JUDGE_SEAL_H
#define JUDGE_SEAL_H

#include <jansson.h>
#include <stdio.h>

enum seal_state {
    SEAL_NONE,
    SEAL_FIRST,  /* sealed before the first grade, and not changed since */
    SEAL_LATE,   /* after grades */
    SEAL_CHANGED /* the text is not the one that was sealed */
};
enum { SEAL_DIGEST = 16, SEAL_TIME = 24 };
struct seal {
    enum seal_state state;
    char time[SEAL_TIME]; /* "2027-02-01 18:00:00 UTC" */
    unsigned grades;      /* of the lab, before it was sealed */
    char digest[SEAL_DIGEST + 1];
};
/* The seal of a file's text. */
struct seal seal_of(const char *text);
/* Writes the text with this seal, and without any that it had; fills s->digest. */
void seal_write(FILE *out, const char *text, struct seal *s);
/* "sealed ... before the first grade"; `out` is returned. */
const char *seal_words(const struct seal *s, char *out, size_t size);
/* The record's `seal`; NULL where there is none. */
json_t *seal_json(const struct seal *s);

#endif
