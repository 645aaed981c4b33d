/* An arena: allocations that are freed together. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

/* Zero-initialize. */
struct arena {
    struct arena_block *blocks;
    size_t bytes; /* total size of all blocks in bytes, whether used or not */
};

/* Allocates zeroed memory, aligned for any type. Returns NULL if out of memory. */
void *arena_take(struct arena *a, size_t bytes);
/* Frees all allocations. The arena can be used again. */
void arena_free(struct arena *a);

#endif
