/* Allocates memory for a large, sparsely used array. The memory is zeroed and aligned for any type, and the system
 * commits only the pages that are touched. Returns NULL if out of memory. */
#ifndef BASE_RESERVE_H
#define BASE_RESERVE_H

#include <stdint.h>

void *reserve(uint64_t bytes);
void reserve_free(void *p, uint64_t bytes); /* bytes: the size that was reserved; p may be NULL */

#endif
