/* Determines how much work a test does. `make test` has two halves, one without and one with sanitizers, which slow
 * programs down five to ten times. It sets LIGHT=1 for the half with sanitizers, in which tests only sample the
 * tables that the other half covers completely. `make test-asan` covers complete tables with sanitizers. */
#ifndef TESTS_EFFORT_H
#define TESTS_EFFORT_H

#include <stdlib.h>

static inline unsigned effort(unsigned whole, unsigned light) { return getenv("LIGHT") ? light : whole; }

#endif
