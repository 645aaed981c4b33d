/* Selects the blocks that the simulator runs (all, or those of --blocks), and checks whether the budget suffices for
 * them. */
#include "run/run.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- --blocks ------------------------------------------------------------------------------- */
static int by_number(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}
static bool block_number(const char *text, uint64_t blocks, uint64_t *number) {
    if (strcmp(text, "last") != 0) return run_number(text, blocks - 1, number);
    return *number = blocks - 1, true;
}
static uint64_t blocks_of(const struct run_options *o) { return (uint64_t)o->grid[0] * o->grid[1] * o->grid[2]; }
/* Adds the blocks of "7", "0-3" or "last". */
static bool add_range(struct run_options *o, char *text, char *message, size_t size) {
    const uint64_t blocks = blocks_of(o);
    char *dash = strchr(text, '-');
    uint64_t first, last;
    if (dash) *dash++ = 0;
    if (!block_number(text, blocks, &first) || !block_number(dash ? dash : text, blocks, &last) || last < first)
        return snprintf(message, size,
                        "--blocks takes a list of blocks of the grid from 0 to %" PRIu64
                        ", such as 0-3,7,last, not `%s`",
                        blocks - 1, o->blocks),
               false;
    if (last - first >= RUN_MAX_BLOCKS - o->block_count)
        return snprintf(message, size, "--blocks takes at most %d blocks; without --blocks, all blocks of the grid run",
                        RUN_MAX_BLOCKS),
               false;
    for (uint64_t k = first; k <= last; k++) o->block_list[o->block_count++] = (uint32_t)k;
    return true;
}
bool run_blocks_parse(struct run_options *o, char *message, size_t size) {
    char *copy = strdup(o->blocks);
    bool ok = copy != NULL && blocks_of(o) <= INT32_MAX;
    if (!ok) snprintf(message, size, "--blocks needs a grid of less than 2^31 blocks");
    for (char *part = copy, *comma; ok && part; part = comma) {
        comma = strchr(part, ',');
        if (comma) *comma++ = 0;
        ok = add_range(o, part, message, size);
    }
    free(copy);
    qsort(o->block_list, o->block_count, sizeof *o->block_list, by_number);
    uint32_t kept = 0;
    for (uint32_t k = 0; k < o->block_count; k++)
        if (!kept || o->block_list[kept - 1] != o->block_list[k]) o->block_list[kept++] = o->block_list[k];
    o->block_count = kept;
    return ok;
}

/* ---- the budget ------------------------------------------------------------------------------ */
/* Returns the number of instructions on the shortest path through a kernel, the minimum that every warp executes.
 * Returns 0 if there is no path or no memory for the search. */
static uint32_t shortest_way(const struct ptx_function *f) {
    uint32_t *steps = calloc(f->code_count + 1, sizeof *steps), *queue = malloc((f->code_count + 1) * sizeof *queue);
    uint32_t begin = 0, end = 0, found = 0;
    if (steps && queue && f->code_count) queue[end++] = 0, steps[0] = 1;
    while (begin < end && !found) {
        const uint32_t k = queue[begin++];
        const struct ptx_insn *i = &f->code[k];
        const unsigned targets = ptx_target_count(i);
        if (ptx_leaves(i) || k + 1 == f->code_count) found = steps[k];
        for (unsigned n = 0; n <= targets; n++) {
            const uint32_t next = n < targets ? ptx_target(i, n) : k + 1;
            if ((n == targets && targets && i->guard == PTX_NO_REG) || next >= f->code_count || steps[next]) continue;
            steps[next] = steps[k] + 1, queue[end++] = next;
        }
    }
    free(steps);
    free(queue);
    return found;
}
bool run_fits(const struct run *r, char *message, size_t size) {
    enum { SPEED = 8 << 20 /* estimated warp-instructions per second on one core, with all probes */ };
    const struct run_options *o = r->options;
    const uint64_t blocks = o->block_count ? o->block_count : blocks_of(o),
                   warps = (o->block[0] * o->block[1] * o->block[2] + 31) / 32, each = shortest_way(r->kernel);
    const double least = (double)blocks * (double)warps * (double)each, minutes = least / SPEED / 60;
    if (least <= (double)o->budget || blocks > INT32_MAX)
        return true; /* if there are too many blocks, the launch will report that */
    snprintf(message, size,
             "%" PRIu64 " block%s of %" PRIu64
             " warp%s: at least %.0f warp-instructions, more than the budget of %" PRIu64
             "; the simulator takes about %.0f minute%s for that.\nRun only some of the blocks, for example with "
             "--blocks 0,last; or use a smaller grid, if each thread takes several elements; or give a --budget "
             "above %.0f",
             blocks, blocks == 1 ? "" : "s", warps, warps == 1 ? "" : "s", least, o->budget, minutes < 1 ? 1 : minutes,
             minutes < 1.5 ? "" : "s", least);
    return false;
}
