/* Arrays that grow. */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stddef.h>

void *array_longer(void *items, size_t least, unsigned *room, size_t size);
/* `items`, which may be NULL, with room for `least` items of `size` bytes: as it is where *room says so, else in
 * another place, with at least twice the room, and *room of it; what is new is not set. free() it. NULL: no memory;
 * items and *room stay as they are.
 *
 *     struct item *more = array_room(list->item, list->count + 1, &list->room, sizeof *more);
 *     if (!more) return false;
 *     list->item = more;
 *     list->item[list->count++] = item; */
static inline void *array_room(void *items, size_t least, unsigned *room, size_t size) {
    return items && least <= *room ? items : array_longer(items, least, room, size);
}

#endif
