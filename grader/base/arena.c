/* See arena.h. */
#include "base/arena.h"
#include <stdint.h>
#include <stdlib.h>

struct arena_block {
    struct arena_block *next;
    size_t used, size;
    max_align_t data[];
};

/* Adds a block to the list. Allocations are taken from the first block of the list. A block for one large request is
 * full from the start, so it becomes the second block. */
static struct arena_block *add_block(struct arena *a, size_t bytes) {
    enum { FIRST = 4096, LATER = 1 << 16 };
    const size_t usual = a->bytes < FIRST ? FIRST : LATER, size = bytes > usual ? bytes : usual;
    struct arena_block *b = calloc(1, sizeof *b + size), **place = &a->blocks;
    if (!b) return NULL;
    if (a->blocks && bytes > usual) place = &a->blocks->next;
    b->size = size, b->next = *place;
    a->bytes += size;
    return *place = b;
}
void *arena_take(struct arena *a, size_t bytes) {
    const size_t align = _Alignof(max_align_t);
    if (bytes > SIZE_MAX / 2) return NULL;
    bytes = (bytes + align - 1) / align * align;
    struct arena_block *b = a->blocks;
    if (!b || b->size - b->used < bytes) b = add_block(a, bytes);
    if (!b) return NULL;
    void *taken = (char *)b->data + b->used;
    b->used += bytes;
    return taken;
}
void arena_free(struct arena *a) {
    for (struct arena_block *b = a->blocks, *next; b; b = next) next = b->next, free(b);
    *a = (struct arena){0};
}
