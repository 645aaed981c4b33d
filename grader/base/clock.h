/* Elapsed time, for limits, deadlines and measurements. For the time of day use time(). */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <time.h>

/* Seconds since an arbitrary start, with nanosecond resolution. Monotonic even if the clock is set; differences are
 * meaningful even between processes on one machine. */
static inline double clock_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
