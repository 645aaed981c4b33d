/* Fingerprints of a CUDA C++ text are hashes of its passages: texts that share passages share hashes. Blanks, line
 * breaks and #include are ignored. */
#ifndef CLASS_FINGERPRINTS_H
#define CLASS_FINGERPRINTS_H

#include <stddef.h>
#include <stdint.h>

enum look {
    WITH_NAMES, /* whole statements and parts of loops' heads, independent of position, and runs of words in comments */
    WITHOUT_NAMES, /* runs of tokens, with all names treated as one except keywords, CUDA's names and those of the labs'
                      contract */
    LOOKS
};
struct fingerprint {
    uint64_t hash;        /* not 0 */
    unsigned first, last; /* lines of the text, from 1 */
    double weight;        /* set by alike.c */
    unsigned holders;     /* how many texts of the class have it; set by chance.c */
};
struct fingerprint_list {
    struct fingerprint *item; /* sorted by hash, without duplicates */
    unsigned count;
};
/* The fingerprints of `length` arbitrary bytes, sorted by hash, without duplicates; free() them. NULL when out of
   memory; then *count is 0. Runs are selected by winnowing: texts that share GRAM + WINDOW - 1 consecutive tokens share
   a fingerprint. Source: S. Schleimer, D. Wilkerson, A. Aiken, "Winnowing: Local Algorithms for Document
   Fingerprinting", SIGMOD 2003. */
struct fingerprint *fingerprints(const char *text, size_t length, enum look look, unsigned *count);

#endif
