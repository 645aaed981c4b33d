/* The cache of compiled kernels: a folder with a file for each compiled text.
 *
 * A key is everything that the PTX depends on. Files are named by its SHA-256, and an entry begins with the digests and
 * lengths of the key and the contents, all checked at each hit: no submission can be crafted to match another's entry,
 * and truncated or damaged entries are recompiled. SHA-256: FIPS 180-4, from Nettle. */
#ifndef JUDGE_CACHE_H
#define JUDGE_CACHE_H

#include <stdbool.h>
#include <stddef.h>

/* A key of `length` bytes in a folder, which may not exist yet. */
struct cache_key {
    const char *folder, *data;
    size_t length;
};
/* The PTX stored under the key, NUL-terminated, and the compiler's stored messages; free() both. NULL if there is no
 * entry, and `said` is unchanged. */
char *cache_find(const struct cache_key *key, size_t *length, char **said);
/* Stores a PTX text and the compiler's messages ("" for none), and removes the oldest entries of a folder with more
 * than 512 files or 256 MiB. A folder that is not writable is not an error. */
void cache_keep(const struct cache_key *key, const char *ptx, size_t length, const char *said);

#endif
