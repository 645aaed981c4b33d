/* Advances the module's variables as many equal launches would, so that a few launches show a counter that wraps
 * around after thousands or billions of them. */
#ifndef DEVICE_ADVANCE_H
#define DEVICE_ADVANCE_H

#include "ptx/ptx.h"
#include "sim/sim.h"

/* Variables change if launches ADVANCE_AFTER - 1 and ADVANCE_AFTER changed each of their integers by the same amount.
 * Each integer then gets the value that K more such launches would give it. After two further launches, one of the
 * integers is just below 2^bits; the next launch exceeds it. `code` is `bits`, and selects the integer that changes
 * most or, plus ADVANCE_SLOWEST, least. */
enum { ADVANCE_AFTER = 3, ADVANCE_SLOWEST = 256, ADVANCE_MAX_BITS = 32 };
struct advance {
    uint8_t *value[ADVANCE_AFTER]; /* contents of all variables after each launch */
    unsigned launches;
};
/* Must be called after each launch. Returns false if out of memory. */
bool advance_after_launch(struct advance *a, struct sim *s, const struct ptx_module *m, uint32_t code);
void advance_free(struct advance *a);
#endif
