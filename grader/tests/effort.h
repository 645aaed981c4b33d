/* Determines how much work a test does. `make test` sets LIGHT=1 for its half under sanitizers, which runs five to
 * ten times slower. Tests then sample the tables that the other half covers completely. `make test-asan` uses whole
 * tables. */
#ifndef TESTS_EFFORT_H
#define TESTS_EFFORT_H

#include <stdlib.h>

static inline unsigned effort(unsigned whole, unsigned light) { return getenv("LIGHT") ? light : whole; }

#endif
