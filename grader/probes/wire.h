/* Sends a measurement from one process of this program to another. The receiver does not trust the sender. */
#ifndef PROBES_WIRE_H
#define PROBES_WIRE_H

#include "probes/probes.h"

enum { WIRE_MAX = 64 << 20 /* maximum size of a serialized measurement, in bytes */ };
/* Serializes a finished measurement. The caller frees the bytes. Returns NULL if out of memory or above WIRE_MAX. */
uint8_t *wire_pack(const struct measurement *m, size_t *length);
/* Fills `m`, which measure_begin(m, 0) has initialized, from untrusted bytes. Returns false, with `m` unchanged, if
 * they are not valid output of wire_pack(), or if out of memory. Otherwise, all values are within their fields' bounds,
 * but a malicious sender may have invented them. `m` owns the file names. */
bool wire_unpack(struct measurement *m, const uint8_t *data, size_t length);

#endif
