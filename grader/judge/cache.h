/* The cache of compiled kernels is a folder with a file for each compiled text.
 *
 * A key is everything that the PTX depends on. Its SHA-256 is the file's name. An entry begins with the digests and
 * lengths of its key and its contents, which are checked at each hit. So no submission can be crafted to match the
 * entry of another one, and truncated or damaged entries are compiled again. SHA-256: FIPS 180-4, from Nettle. */
#ifndef JUDGE_CACHE_H
#define JUDGE_CACHE_H

#include <stdbool.h>
#include <stddef.h>

/* A key of `length` bytes, and the cache's folder, which need not exist yet. */
struct cache_key {
    const char *folder, *data;
    size_t length;
};
/* The PTX stored under the key, NUL-terminated, and the compiler's stored messages; free() both. If there is no entry,
 * returns NULL and leaves `said` unchanged. */
char *cache_find(const struct cache_key *key, size_t *length, char **said);
/* Stores a PTX text and the compiler's messages ("" for none), and removes the oldest entries of a folder with more
 * than 512 files or 256 MiB. A folder that is not writable is not an error. */
void cache_keep(const struct cache_key *key, const char *ptx, size_t length, const char *said);

#endif
