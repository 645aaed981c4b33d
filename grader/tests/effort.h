/* How much a test does. Under LIGHT=1, which `make test` sets for its half under sanitizers (there all takes five to
 * ten times as long), tables that the other half goes through whole are sampled; `make test-asan` takes all of them. */
#ifndef TESTS_EFFORT_H
#define TESTS_EFFORT_H

#include <stdlib.h>

static inline unsigned effort(unsigned whole, unsigned light) { return getenv("LIGHT") ? light : whole; }

#endif
