/* Fingerprints are hashes of passages of a CUDA C++ file, so files that share passages share fingerprints. Whitespace
 * and #include lines do not affect them, nor do macros without parameters and type aliases. */
#ifndef CLASS_FINGERPRINTS_H
#define CLASS_FINGERPRINTS_H

#include <stddef.h>
#include <stdint.h>

enum look {
    WITH_NAMES,    /* statements and parts of loop heads, wherever they are, and runs of words in comments */
    CODE,          /* runs of tokens, without comments */
    WITHOUT_NAMES, /* runs of tokens in which all names are treated as equal, except keywords, CUDA's names, and names
                      that the labs prescribe */
    LOOKS
};
struct fingerprint {
    uint64_t hash;        /* never 0 */
    unsigned first, last; /* line numbers in the file, from 1 */
    double weight;        /* set by alike.c */
    unsigned holders;     /* number of files in the class that contain the fingerprint; set by chance.c */
};
struct fingerprint_list {
    struct fingerprint *item; /* sorted by hash, without duplicates */
    unsigned count;
};
/* Returns the fingerprints of `length` arbitrary bytes, sorted by hash and without duplicates; free() them. If out
 * of memory, returns NULL and sets *count to 0.
 *
 * Runs are selected by winnowing, which guarantees that files with GRAM + WINDOW - 1 consecutive tokens in common
 * share a fingerprint. Source: S. Schleimer, D. Wilkerson, A. Aiken, "Winnowing: Local Algorithms for Document
 * Fingerprinting", SIGMOD 2003. */
struct fingerprint *fingerprints(const char *text, size_t length, enum look look, unsigned *count);

#endif
