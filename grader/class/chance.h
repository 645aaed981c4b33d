/* Estimates how unlikely it is that two students of a class wrote the same code by chance. In a lab with short
 * solutions, the estimate distinguishes a copy from a common solution. */
#ifndef CLASS_CHANCE_H
#define CLASS_CHANCE_H

#include "class/fingerprints.h"

struct chance;
/* Counts the fingerprints of `count` files and sets their `holders`. Returns NULL if out of memory. */
struct chance *chance_new(const struct fingerprint_list *const *texts, unsigned count);
void chance_free(struct chance *c);
/* Estimates -log of the probability that a file contains by chance all fingerprints that a and b share. Returns 0 if
 * out of memory. */
double chance_evidence(const struct chance *c, const struct fingerprint_list *a, const struct fingerprint_list *b);
/* Returns the evidence above which fewer than one pair is expected by chance. Returns INFINITY if chance explains any
 * pair, as in a lab of a few lines, or if out of memory. `texts` must be the argument of chance_new(). */
double chance_reach(const struct chance *c, const struct fingerprint_list *const *texts);
/* Estimates, from the class's pairs, the evidence that hardly any pair of honest students reaches. Returns INFINITY if
 * out of memory. */
double chance_tail(const struct chance *c, const struct fingerprint_list *const *texts);

#endif
