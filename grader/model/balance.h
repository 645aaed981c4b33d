/* The work of every block of a launch. Following all blocks would cost a third of a fast grade. So the model follows a
 * sample, and only counts the work of the other blocks. If the sample does not represent them, the launches run again,
 * and the model follows blocks that are selected by their work. So it is not a matter of luck whether work is seen. */
#ifndef MODEL_BALANCE_H
#define MODEL_BALANCE_H

#include "model/gpus/gpu.h"
#include "sim/events.h"

/* The work of a block: machine instructions, plus the lines of global memory and wavefronts of shared memory beyond the
 * first that each access takes. */
struct block_work {
    uint64_t all, most; /* work of all warps of the block; of the busiest warp */
    uint64_t together;  /* work of all warps before the block's last atomic that returns a value; after it, the last
                           block works alone */
    uint32_t block, unit /* unit: the block's cluster; without clusters, the block */;
    bool followed;
};
struct launch_work {
    struct block_work *block; /* in the order in which they ended */
    unsigned count, room, code_count;
    uint64_t *ran[2]; /* by pc: how often warps of all blocks ran it, and how often those of the followed blocks did */
};
/* The blocks that a second run of a launch follows. If `chosen` is NULL, these are the blocks of the first run's
 * sample. */
struct launch_choice {
    uint8_t *chosen; /* bits, by unit */
    uint32_t units;
};
static inline bool is_chosen(const struct launch_choice *c, uint32_t unit) {
    return unit < c->units && c->chosen[unit / 8] >> unit % 8 & 1;
}

struct work_sums {
    unsigned blocks;
    uint64_t work, most_of_block, most_of_warp; /* of all these blocks; of the busiest block; of the busiest warp */
};
/* The work of all blocks, or only of those that were followed. */
struct work_sums work_sum(const struct launch_work *w, bool only_followed);
/* Whether the blocks that were followed represent all blocks. */
bool work_is_represented(const struct launch_work *w);
/* Selects at most a few thousand blocks at equal distances in the order of their work, the busiest among them. free()
 * `chosen`. */
struct launch_choice work_choose(const struct launch_work *w, uint32_t units);
/* The work of the busiest SM before the blocks' last atomics that return a value. Assumes that the first resident
 * blocks go to the SMs in turn, and that each later block goes to an SM that has finished one. *together: the work of
 * all SMs. */
uint64_t work_of_busiest_sm(const struct launch_work *w, uint32_t resident, uint32_t sms, uint64_t *together);

#endif
