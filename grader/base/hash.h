/* 64-bit FNV-1a hashes (Fowler, Noll, Vo), for seeds and tables. They do not resist an adversary, who can find
 * collisions.
 *
 * Start with `h` = HASH_START and chain calls: hash_text(hash_text(HASH_START, "ab"), "c") is the hash of "abc". The
 * seeds of courses depend on this hash, so do not change it. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_START UINT64_C(0xcbf29ce484222325)

static inline uint64_t hash_byte(uint64_t h, uint8_t byte) { return (h ^ byte) * UINT64_C(0x100000001b3); }

static inline uint64_t hash_bytes(uint64_t h, const void *bytes, size_t length) {
    for (size_t k = 0; k < length; k++) h = hash_byte(h, ((const uint8_t *)bytes)[k]);
    return h;
}
/* Hashes the text without its terminating NUL. */
static inline uint64_t hash_text(uint64_t h, const char *text) {
    while (*text) h = hash_byte(h, (uint8_t)*text++);
    return h;
}

#endif
