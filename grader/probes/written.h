/* Marks parts of a buffer that the host writes between launches, while the rest stays uninitialized. */
#ifndef PROBES_WRITTEN_H
#define PROBES_WRITTEN_H

#include "probes/probes.h"

/* Marks `bytes` bytes from `offset` as written. They are in the buffer of `size` bytes at `address`, which the
 * simulator treats as uninitialized. Does nothing unless a probe checks for uninitialized memory. */
void measure_written(struct measurement *m, uint64_t address, uint64_t size, uint64_t offset, uint64_t bytes);

#endif
