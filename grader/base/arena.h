/* Memory that is freed all at once. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

/* All zero at the beginning. */
struct arena {
    struct arena_block *blocks;
    size_t bytes; /* that it holds, taken or not */
};

/* Zeroed bytes, aligned for any type; NULL: no memory. */
void *arena_take(struct arena *a, size_t bytes);
/* Frees all that was taken; the arena is as at the beginning. */
void arena_free(struct arena *a);

#endif
