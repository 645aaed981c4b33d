/* A cache of PTX and of the reference's figures (judge/figures.c): a folder with one file per text.
 *
 * A key contains everything that the text depends on, and its SHA-256 digest is the name of the file. A file begins
 * with the lengths and digests of its key and its contents, which are verified on each hit. A submission therefore
 * cannot be crafted to match another submission's entry, and if an entry is truncated or damaged, the text is made
 * again. SHA-256 (FIPS 180-4) comes from Nettle. */
#ifndef COMPILE_CACHE_H
#define COMPILE_CACHE_H

#include <stdbool.h>
#include <stddef.h>

/* A key of `length` bytes, and the cache's folder, which need not exist yet. */
struct cache_key {
    const char *folder, *data;
    size_t length;
};
/* Looks up a key. On a hit, returns the NUL-terminated text and stores the compiler's messages in *said; the caller
 * frees both. On a miss, returns NULL and leaves *said unchanged. */
char *cache_find(const struct cache_key *key, size_t *length, char **said);
/* Stores a text and the compiler's messages ("" for none). Then removes the oldest files while the folder has more than
 * 512 files or 256 MiB. If the folder is not writable, does nothing. */
void cache_keep(const struct cache_key *key, const char *ptx, size_t length, const char *said);

#endif
