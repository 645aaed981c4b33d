/* Fingerprints of a text of CUDA C++: hashes of its passages, such that texts that share passages share hashes. Blanks,
 * line breaks and #include never count. */
#ifndef CLASS_FINGERPRINTS_H
#define CLASS_FINGERPRINTS_H

#include <stddef.h>
#include <stdint.h>

enum look {
    WITH_NAMES,    /* statements, each whole and wherever it stands, and runs of words in comments */
    WITHOUT_NAMES, /* runs of tokens, where all names are one but keywords, those of CUDA and of the labs' contract */
    LOOKS
};
struct fingerprint {
    uint64_t hash;        /* not 0 */
    unsigned first, last; /* lines of the text, from 1 */
};
/* The fingerprints of `length` bytes, which may be any, by hash, each once; free() them. NULL: no memory; then *count
 * is 0. Of runs those are kept that winnowing keeps: texts that share GRAM + WINDOW - 1 consecutive tokens share one.
 * Source: S. Schleimer, D. Wilkerson, A. Aiken, "Winnowing: Local Algorithms for Document Fingerprinting", SIGMOD 2003.
 */
struct fingerprint *fingerprints(const char *text, size_t length, enum look look, unsigned *count);

#endif
