/* A measurement on its way from one process of this program to another that does not trust it. */
#ifndef PROBES_WIRE_H
#define PROBES_WIRE_H

#include "probes/probes.h"

enum { WIRE_MOST = 64 << 20 /* bytes of a packed measurement */ };
/* A measurement that has been ended, as bytes; free() them. NULL: out of memory, or more than WIRE_MOST. */
uint8_t *wire_pack(const struct measurement *m, size_t *length);
/* Fills m, which measure_begin(m, 0) has made, from such bytes, whatever they are: false where they are none that
 * wire_pack() gives, and m is as before. Every count, index, enumerator and text in m is then within its bounds; what
 * it says may still be a lie. The names of files belong to m. */
bool wire_unpack(struct measurement *m, const uint8_t *data, size_t length);

#endif
