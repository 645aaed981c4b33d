/* Launches that are larger than those of observed.h, for the same checks. A kernel may change its behavior above a
 * certain n, or on few blocks with many elements.
 *
 * For every kernel whose figures can be scaled, up to three such launches are drawn. If its PTX contains large
 * integers, further launches have an n just above one of them, for up to four of these integers. There are also
 * launches of a few rounds. The grids of both are below, between and above the integers that may be numbers of blocks.
 * The last launches have up to 2^31 elements; most of them run only a sample of their blocks.
 *
 * The reference does not run these launches, and a handout has no figures for them. Instead, the reference's figures of
 * a launch with the same variant and M are scaled. This is possible because the reference's tree does not depend on
 * n. */
#ifndef JUDGE_SCALED_H
#define JUDGE_SCALED_H

#include "judge/figures.h"
#include "judge/judge.h"

enum { SCALED_MAX = 24 };
struct scaled {
    struct grade_case launch;
    unsigned from; /* index of the launch whose figures are scaled */
};
/* Draws larger launches from the `count` launches of a kernel. Returns their number. */
unsigned scaled_launches(const struct judge *j, const struct grade_case launch[], unsigned count,
                         struct scaled out[SCALED_MAX]);
/* Returns the figures of launch `from`, scaled to launch `to`. */
struct figures scaled_figures(const struct figures *figures, const struct grade_case *from,
                              const struct grade_case *to);

#endif
