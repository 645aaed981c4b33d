/* Plays a small case of the submission: shows, step by step, what each thread of up to four blocks read, combined and
 * wrote. */
#ifndef JUDGE_PLAY_H
#define JUDGE_PLAY_H

#include "judge/judge.h"

/* Returns the `player` of docs/result.schema.json for a case of at most four blocks, two warps per block, and 264
 * elements; NULL for a larger one. launch: the wrong launch for FINISH_ITSELF, otherwise 0. */
json_t *play_case(const struct judge *j, const struct grade_case *c, unsigned launch);
/* Returns the player as at most `most` lines of text, an array of strings. */
json_t *play_lines(const json_t *player, unsigned most);

/* ---- parts of pictures, of one step ---------------------------------------------------------- */
json_t *play_step(const struct step *s, uint32_t warps);
json_t *play_split(const struct step *s, uint32_t warps); /* for each warp, whether it diverged: 0 or 1 */
const char *play_space(enum ptx_space s);

#endif
