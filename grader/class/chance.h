/* How unlikely it is that two students of this class write the same by chance. This tells a copy from a common way
 * to solve a small lab. */
#ifndef CLASS_CHANCE_H
#define CLASS_CHANCE_H

#include "class/fingerprints.h"

struct chance;
/* Counts the fingerprints of `count` texts, and sets `holders` of each. NULL: out of memory. */
struct chance *chance_new(const struct fingerprint_list *const *texts, unsigned count);
void chance_free(struct chance *c);
/* Minus the logarithm of the probability that a text has by chance all fingerprints that both texts have. */
double chance_evidence(const struct chance *c, const struct fingerprint_list *a, const struct fingerprint_list *b);
/* The evidence that two of the texts, as given to chance_new(), are not expected to reach by chance; 0 if chance makes
 * none of them equal. */
double chance_reach(const struct chance *c, const struct fingerprint_list *const *texts);

#endif
