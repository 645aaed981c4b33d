/* Room for an array of which most is never touched: zeroed, aligned to a page, and only pages that are touched take
 * memory. NULL: there is no room. */
#ifndef BASE_RESERVE_H
#define BASE_RESERVE_H

#include <stdint.h>

void *reserve(uint64_t bytes);
void reserve_free(void *p, uint64_t bytes); /* as many as were reserved; p may be NULL */

#endif
