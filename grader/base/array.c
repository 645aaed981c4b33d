/* See array.h. */
#include "base/array.h"
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

void *array_longer(void *items, size_t least, unsigned *room, size_t size) {
    enum { FIRST = 8 };
    size_t count = 2 * (size_t)*room;
    if (count < least) count = least;
    if (count < FIRST) count = FIRST;
    void *more = count <= UINT_MAX && count <= PTRDIFF_MAX / size ? realloc(items, count * size) : NULL;
    if (more) *room = (unsigned)count;
    return more;
}
