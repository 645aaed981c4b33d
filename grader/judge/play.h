/* Plays a small case of the submission step by step. Each step shows what each thread of up to four blocks read,
 * combined and wrote. */
#ifndef JUDGE_PLAY_H
#define JUDGE_PLAY_H

#include "judge/judge.h"

/* Returns the `player` of docs/result.schema.json. The case may have at most four blocks, two warps per block, and 264
 * elements. With FINISH_LEVELS, plays only block 0. Returns NULL for a larger case, arrays, halves, and a student's own
 * operator. `launch` is that of the outcome. */
json_t *play_case(const struct judge *j, const struct grade_case *c, unsigned launch);
/* Returns the player's steps as an array of lines of text. Omits steps that move no values. If more than `most`
 * steps are left, returns the first `most`, and then a line with the number of the others. */
json_t *play_lines(const json_t *player, unsigned most);

/* ---- one step, as a part of pictures ---------------------------------------------------------- */
json_t *play_step(const struct step *s, uint32_t warps);
json_t *play_split(const struct step *s, uint32_t warps); /* indexed by warp: 1 if the warp diverged, otherwise 0 */
const char *play_space(enum ptx_space s);

#endif
