/* Measures the work of every block of a launch. To save time, the model follows a sample of the blocks and only counts
 * the work of the others. If the sample does not represent the other blocks, the launches run again, and the model
 * follows blocks that are selected by their work. Thus, the model does not miss blocks with unusual work by chance. */
#ifndef MODEL_BALANCE_H
#define MODEL_BALANCE_H

#include "model/gpus/gpu.h"
#include "sim/events.h"

/* The work of a block: machine instructions, plus, for each access, the lines of global memory or the wavefronts of
 * shared memory beyond the first. Loops that poll have no work. */
struct block_work {
    uint64_t all, most; /* work of all warps of the block; work of the busiest warp */
    uint64_t together; /* work of all warps before the block's last atomic on global memory that returns a value, or all
                          work if there is none. After this atomic, the last block works alone */
    uint32_t block, unit /* unit: index of the block's cluster or, without clusters, of the block */;
    bool followed;
};
struct launch_work {
    struct block_work *block; /* the blocks, in arbitrary order */
    unsigned count, room, code_count;
    uint64_t *ran[2]; /* indexed by pc: executions by all warps, and by the warps of the followed blocks */
};
/* The blocks that a second run of a launch follows. If `chosen` is NULL, they are the sample of the first run. */
struct launch_choice {
    uint8_t *chosen; /* one bit per unit */
    uint32_t units;
};
static inline bool is_chosen(const struct launch_choice *c, uint32_t unit) {
    return unit < c->units && c->chosen[unit / 8] >> unit % 8 & 1;
}

struct work_sums {
    unsigned blocks;
    uint64_t work, most_of_block,
        most_of_warp; /* work of the blocks together, of the busiest block, and of the busiest warp */
};
/* Returns the work of all blocks, or of the followed blocks only. */
struct work_sums work_sum(const struct launch_work *w, bool only_followed);
/* Returns whether the followed blocks represent all blocks. */
bool work_is_represented(const struct launch_work *w);
/* Selects at most 2048 blocks, with the other blocks of their clusters: every k-th block in descending order of work,
 * beginning with the busiest. `units` is the number of clusters or, without clusters, of blocks. free() `chosen`. */
struct launch_choice work_choose(const struct launch_work *w, uint32_t units);
/* Returns the work of the busiest SM before the blocks' last atomics that return a value. Assumes that the first
 * `resident` blocks are distributed round-robin over the SMs, and that later blocks even out the work. Sets *together
 * to the work of all SMs. */
uint64_t work_of_busiest_sm(const struct launch_work *w, uint32_t resident, uint32_t sms, uint64_t *together);

#endif
