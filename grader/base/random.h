/* Random numbers: splitmix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014). Not for
 * secrets.
 *
 * The state has 64 bits and may start with any value. The same start gives the same numbers on every machine. The cases
 * of courses, the simulator's schedules and the pictures of the docs are drawn from seeds that reports print, so do not
 * change the generator. */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdint.h>

#define RANDOM_STEP UINT64_C(0x9e3779b97f4a7c15)
/* Returns the state after `count` more numbers. */
static inline uint64_t random_skip(uint64_t state, uint64_t count) { return state + count * RANDOM_STEP; }
/* Returns 64 uniform bits and advances `*state`. */
static inline uint64_t random_next(uint64_t *state) {
    uint64_t z = (*state += RANDOM_STEP);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}
/* Returns a number below `bound`, which must be at least 1, and advances `*state`. The numbers are almost uniform: the
 * bias is less than bound / 2^32. */
static inline uint32_t random_below(uint64_t *state, uint32_t bound) {
    return (uint32_t)(random_next(state) >> 32) % bound;
}

#endif
