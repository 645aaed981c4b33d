/* Elapsed time, for limits, deadlines and measurements. Use time() for the time of day. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <time.h>

/* Returns the seconds since an arbitrary start, with nanosecond resolution. The value never decreases, even if the
 * clock is set. Differences between values from two processes of one machine are meaningful. */
static inline double clock_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
