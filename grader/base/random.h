/* Random numbers: splitmix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
 *
 * The state is 64 bits and may start at any value; the same start gives the same numbers on every machine. Not for
 * secrets. The course's cases, the simulator's schedules and the pictures of the docs are drawn from the seeds that
 * reports print: changing the generator changes them all. */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdint.h>

/* The state after `count` more numbers. */
#define RANDOM_STEP UINT64_C(0x9e3779b97f4a7c15)
static inline uint64_t random_skip(uint64_t state, uint64_t count) { return state + count * RANDOM_STEP; }
/* Returns 64 uniform bits and advances `*state`. */
static inline uint64_t random_next(uint64_t *state) {
    uint64_t z = (*state += RANDOM_STEP);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

#endif
