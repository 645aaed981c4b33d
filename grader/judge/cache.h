/* The cache of compiled kernels: a folder with a file for each text that was compiled.
 *
 * A key is everything that the PTX depends on. Files are named by its SHA-256, and an entry begins with the key's
 * digest and length and those of what it holds, all checked at each hit: no submission can be prepared so that its
 * entry is taken for another's, and what was cut off or damaged is compiled again. SHA-256: FIPS 180-4, by Nettle. */
#ifndef JUDGE_CACHE_H
#define JUDGE_CACHE_H

#include <stdbool.h>
#include <stddef.h>

/* A key of `length` bytes in a folder, which need not be there. */
struct cache_key {
    const char *folder, *data;
    size_t length;
};
/* The PTX that was kept under the key, a byte 0 behind it, and what was kept as said by the compiler; free() both.
 * NULL: there is none, and `said` is as it was. */
char *cache_find(const struct cache_key *key, size_t *length, char **said);
/* Keeps a PTX text and what the compiler said of the file ("" for nothing), and removes the oldest entries of a folder
 * that has grown past 512 files or 256 MiB. A folder that cannot be written is no error. */
void cache_keep(const struct cache_key *key, const char *ptx, size_t length, const char *said);

#endif
