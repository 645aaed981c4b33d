/* Time that passes. For limits, deadlines and measurements; the hour of the day is time()'s. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <time.h>

/* Seconds since a start of the machine's own, to a nanosecond. Never goes back, whoever sets the clock; of use in
 * differences, and between processes of one machine. */
static inline double clock_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
