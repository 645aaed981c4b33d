/* Simplifies edits, so that students do not copy code that has no effect. */
#ifndef FIX_SIMPLER_H
#define FIX_SIMPLER_H

#include "fix/edits.h"

/* Replaces the parts with simpler ones of the same effect, if it knows any. Removes an operand of && that the edit
 * would repeat, a guard that the edit would repeat, and an if whose only statement the edit moves. Adds a guard to the
 * condition of an if around it. Lets a cluster's barrier replace a block's. Lets a guard replace
 * one that is always true, which also changes *cause and *quoted. Returns the number of parts. Sets *text to a text
 * that a new part uses, which the caller frees, or NULL. */
unsigned edit_simpler(const struct source *s, enum fix_cause *cause, struct range *quoted,
                      struct edit_part part[EDIT_PARTS], unsigned count, char **text);

#endif
