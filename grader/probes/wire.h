/* Sends a measurement from one process of this program to another. The receiver does not trust the sender. */
#ifndef PROBES_WIRE_H
#define PROBES_WIRE_H

#include "probes/probes.h"

enum { WIRE_MAX = 64 << 20 /* maximum size of a serialized measurement, in bytes */ };
/* Serializes a finished measurement. The caller frees the bytes. Returns NULL if out of memory or if the size exceeds
 * WIRE_MAX. */
uint8_t *wire_pack(const struct measurement *m, size_t *length);
/* Fills `m`, which measure_begin(m, 0) has initialized, from untrusted bytes. If the bytes are not valid output of
 * wire_pack() or the host is out of memory, returns false and leaves `m` unchanged. Otherwise, all values in `m` are
 * within the bounds of their fields, although a malicious sender may have invented them. `m` owns the file names. */
bool wire_unpack(struct measurement *m, const uint8_t *data, size_t length);

#endif
