/* For whoever writes a part of a buffer between launches: the rest is still unwritten. */
#ifndef PROBES_WRITTEN_H
#define PROBES_WRITTEN_H

#include "probes/probes.h"

/* Bytes from `offset` on of the buffer of `size` bytes at `address`, which the simulator has as not initialized.
 * Nothing where nobody asks for unwritten memory. */
void measure_written(struct measurement *m, uint64_t address, uint64_t size, uint64_t offset, uint64_t bytes);

#endif
