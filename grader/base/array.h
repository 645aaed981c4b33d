/* Growable arrays. */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stddef.h>

/* Reallocates for array_room(); do not call it directly. */
void *array_longer(void *items, size_t least, unsigned *room, size_t size);
/* Makes room for at least `least` items of `size` bytes in `items`, which may be NULL. Returns `items` unchanged if
 * *room suffices. Otherwise, reallocates it to at least twice the room and updates *room. New items are uninitialized.
 * free() the result. If out of memory, or if the array would have more than UINT_MAX items, returns NULL and leaves
 * items and *room unchanged.
 *
 *     struct item *more = array_room(list->item, list->count + 1, &list->room, sizeof *more);
 *     if (!more) return false;
 *     list->item = more;
 *     list->item[list->count++] = item; */
static inline void *array_room(void *items, size_t least, unsigned *room, size_t size) {
    return items && least <= *room ? items : array_longer(items, least, room, size);
}

/* Compares two doubles for qsort(), in ascending order. */
static inline int array_by_double(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

#endif
