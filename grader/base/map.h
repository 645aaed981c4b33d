/* A hash table from numbers to numbers: open addressing, at most half full. */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stdint.h>

struct map_item {
    uint64_t key, value;
};
/* All zero at the beginning. Goes over: item[0] to item[room - 1], those whose key is not 0, in no order of meaning. */
struct map {
    struct map_item *item;
    uint32_t count, room;
};

/* Where the value of a key, which is not 0, is kept until the next map_make(); NULL: there is no such key. */
uint64_t *map_find(const struct map *m, uint64_t key);
/* The same; a new key has the value 0. NULL: no memory; the map stays as it is. */
uint64_t *map_make(struct map *m, uint64_t key);
/* Without keys again, with the room that it has. */
void map_clear(struct map *m);
void map_free(struct map *m);

#endif
