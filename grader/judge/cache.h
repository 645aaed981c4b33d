/* A cache of compiled kernels: a folder with one file per compiled text.
 *
 * A key contains everything that the PTX depends on, and its SHA-256 is the name of the file. An entry begins with the
 * digests and lengths of its key and its contents, which are checked at each hit. A submission therefore cannot be
 * crafted to match another one's entry, and truncated or damaged entries are compiled again. SHA-256: FIPS 180-4, from
 * Nettle. */
#ifndef JUDGE_CACHE_H
#define JUDGE_CACHE_H

#include <stdbool.h>
#include <stddef.h>

/* A key of `length` bytes, and the folder of the cache, which need not exist yet. */
struct cache_key {
    const char *folder, *data;
    size_t length;
};
/* Looks up a key. Returns the NUL-terminated PTX and stores the compiler's messages in *said; the caller frees both. If
 * there is no entry, returns NULL and leaves *said unchanged. */
char *cache_find(const struct cache_key *key, size_t *length, char **said);
/* Stores a PTX text and the compiler's messages ("" for none). If the folder has more than 512 files or 256 MiB,
 * removes the oldest entries. A folder that is not writable is not an error. */
void cache_keep(const struct cache_key *key, const char *ptx, size_t length, const char *said);

#endif
