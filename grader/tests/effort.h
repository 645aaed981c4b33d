/* How much a test does. With LIGHT=1, which `make test` sets for its half under sanitizers (five to ten times slower),
 * tables that the other half covers completely are sampled; `make test-asan` uses all of them. */
#ifndef TESTS_EFFORT_H
#define TESTS_EFFORT_H

#include <stdlib.h>

static inline unsigned effort(unsigned whole, unsigned light) { return getenv("LIGHT") ? light : whole; }

#endif
