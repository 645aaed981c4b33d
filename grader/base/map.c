/* See map.h. */
#include "base/map.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Finds the slot that holds the key, or into which it would be inserted. */
static struct map_item *place(const struct map *m, uint64_t key) {
    /* Fibonacci hashing (Knuth): the top log2(room) bits of the product */
    uint32_t at = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> (__builtin_clzll(m->room) + 1));
    while (m->item[at].key && m->item[at].key != key) at = (at + 1) & (m->room - 1);
    return &m->item[at];
}
static int grow(struct map *m) {
    struct map larger = {.count = m->count, .room = m->room ? 2 * m->room : 8};
    larger.item = larger.room ? calloc(larger.room, sizeof *larger.item) : NULL;
    if (!larger.item) return 0;
    for (uint32_t k = 0; k < m->room; k++)
        if (m->item[k].key) *place(&larger, m->item[k].key) = m->item[k];
    free(m->item);
    *m = larger;
    return 1;
}
uint64_t *map_find(const struct map *m, uint64_t key) {
    struct map_item *i = m->room ? place(m, key) : NULL;
    return i && i->key ? &i->value : NULL;
}
uint64_t *map_make(struct map *m, uint64_t key) {
    struct map_item *i = m->room ? place(m, key) : NULL;
    if (i && i->key) return &i->value;
    if (2 * (m->count + 1) > m->room) {
        if (!grow(m)) return NULL;
        i = place(m, key);
    }
    m->count++;
    i->key = key;
    return &i->value;
}
void map_clear(struct map *m) {
    enum { SPARSE = 16 }; /* clear at most this many slots per key */
    if (m->room / SPARSE > m->count)
        map_free(m);
    else if (m->room)
        memset(m->item, 0, m->room * sizeof *m->item);
    m->count = 0;
}
void map_free(struct map *m) {
    free(m->item);
    *m = (struct map){0};
}
