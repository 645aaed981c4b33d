/* Sets the module's variables to the values that a large number of identical launches would give them. A counter that
 * becomes inexact or wraps around after thousands or billions of launches then does so within a few launches. */
#ifndef DEVICE_ADVANCE_H
#define DEVICE_ADVANCE_H

#include "ptx/ptx.h"
#include "sim/sim.h"

/* A counter is an integer, or a float that is a multiple of 2^-10. Each of the last ADVANCE_AFTER - 1 launches changed
 * the counter by the same amount. After ADVANCE_AFTER launches, and then after every ADVANCE_BETWEEN launches, the
 * simulator skips launches: it gives each counter the value that the counter would have after them. Their number is
 * such that one counter reaches its next target after two more launches and before the next skip. Other variables keep
 * their values.
 *
 * `code` selects the targets. If it is at most ADVANCE_MAX_BITS, they are the powers of two from 2^code to
 * 2^(code + ADVANCE_RANGE), but at most 2^ADVANCE_MAX_BITS. They apply to a float, to the low bits of an integer, and
 * to the upper half of a 64-bit integer. A larger code is itself the target. The low bits of an integer that counts
 * down have the target 0; a float that counts down has the negated targets. */
enum {
    ADVANCE_AFTER = 3,
    ADVANCE_BETWEEN = 8,
    ADVANCE_STOPS = 16, /* maximum number of targets that a run reaches */
    ADVANCE_RANGE = 8,
    ADVANCE_MAX_BITS = 32
};
struct advance {
    /* Contents of all global variables after each of the last launches, the oldest first. */
    uint8_t *value[ADVANCE_AFTER];
    uint64_t launches, skipped;
    uint64_t stop[ADVANCE_STOPS]; /* in ascending order: the numbers of launches, including skipped ones, from which to
                                     continue */
    unsigned stops;
};
/* Must be called after each successful launch. Returns false if out of memory. */
bool advance_after_launch(struct advance *a, struct sim *s, const struct ptx_module *m, uint32_t code);
void advance_free(struct advance *a);
#endif
