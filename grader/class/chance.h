/* How unlikely it is that two students write the same by chance, in this class: what tells a copy from a common way to
 * solve a small lab. */
#ifndef CLASS_CHANCE_H
#define CLASS_CHANCE_H

#include "class/fingerprints.h"

struct chance;
/* For `count` texts; sets `holders` of each of their fingerprints. NULL: out of memory. */
struct chance *chance_new(const struct fingerprint_list *const *texts, unsigned count);
void chance_free(struct chance *c);
/* Minus the logarithm of the probability that a text has all fingerprints of both. */
double chance_evidence(const struct chance *c, const struct fingerprint_list *a, const struct fingerprint_list *b);
/* The evidence that one pair of the class may be expected to reach by chance: the logarithm of the number of pairs. */
double chance_expected(const struct chance *c);

#endif
