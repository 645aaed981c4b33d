/* Sends a measurement from one process of this program to another. The receiver does not trust the sender. */
#ifndef PROBES_WIRE_H
#define PROBES_WIRE_H

#include "probes/probes.h"

enum { WIRE_MOST = 64 << 20 /* maximum size of a packed measurement in bytes */ };
/* Serializes a finished measurement into bytes that the caller frees. Returns NULL if memory is exhausted or if the
 * measurement is larger than WIRE_MOST. */
uint8_t *wire_pack(const struct measurement *m, size_t *length);
/* Fills m, initialized by measure_begin(m, 0), from arbitrary bytes. False if they are not valid output of wire_pack();
 * m is then unchanged. Otherwise every count, index, enumerator and text in m is within its bounds, although a
 * dishonest sender may have made it up. m owns the names of files. */
bool wire_unpack(struct measurement *m, const uint8_t *data, size_t length);

#endif
