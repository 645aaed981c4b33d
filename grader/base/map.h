/* A hash table from integers to integers, with open addressing, at most half full. */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stdint.h>

struct map_item {
    uint64_t key, value;
};
/* Zero-initialize. To iterate, visit item[0] to item[room - 1], in arbitrary order, and skip items whose key is 0. */
struct map {
    struct map_item *item;
    uint32_t count, room;
};

/* Returns a pointer to the value of a nonzero key, or NULL if there is no such key. The pointer is valid until the next
 * map_make() or map_clear(). */
uint64_t *map_find(const struct map *m, uint64_t key);
/* Does the same as map_find(), but inserts a missing key with the value 0. If out of memory, returns NULL and leaves
 * the map unchanged. */
uint64_t *map_make(struct map *m, uint64_t key);
/* Removes all keys. Frees the memory of a nearly empty map, so that the time is proportional to the number of keys and
 * not to the size of the table. */
void map_clear(struct map *m);
void map_free(struct map *m);

#endif
