/* Plays a small case of the submission: what every thread of a few blocks read, combined and wrote, step by step. */
#ifndef JUDGE_PLAY_H
#define JUDGE_PLAY_H

#include "judge/judge.h"

/* The schema's `player`: at most four blocks of two warps, on at most 264 elements; otherwise NULL. `launch`: for
 * FINISH_ITSELF the wrong one, or 0. */
json_t *play_case(const struct judge *j, const struct grade_case *c, unsigned launch);
/* The same as at most `most` lines of text: an array of strings. */
json_t *play_lines(const json_t *player, unsigned most);

/* ---- parts of pictures, of one step ---------------------------------------------------------- */
json_t *play_step(const struct step *s, uint32_t warps);
json_t *play_split(const struct step *s, uint32_t warps); /* which warps diverged: 0 or 1 each */
const char *play_space(enum ptx_space s);

#endif
