/* See balance.h. */
#include "model/balance.h"
#include "probes/probe.h"
#include <math.h>

enum { MAX_FOLLOWED = 2048 };
static const double
    TOLERANCE = 0.05, /* share of the work that the sample may miss; the model's constants are no more precise */
    EXCESS = 1.5; /* maximum mean work of the sampled blocks, relative to the mean of all blocks; above 1, because the
                     sample includes the last block, which may add all partials */

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

struct work_sums work_sum(const struct launch_work *w, bool only_followed) {
    struct work_sums s = {0};
    for (unsigned k = 0; k < w->count; k++) {
        const struct block_work *b = &w->block[k];
        if (only_followed && !b->followed) continue;
        s.blocks++, s.work += b->all;
        s.most_of_block = larger(s.most_of_block, b->all), s.most_of_warp = larger(s.most_of_warp, b->most);
    }
    return s;
}
bool work_is_represented(const struct launch_work *w) {
    const struct work_sums all = work_sum(w, false), sample = work_sum(w, true);
    if (!sample.blocks || sample.blocks == all.blocks) return true;
    const double mean = (double)all.work / all.blocks, near = 1 + TOLERANCE;
    if ((double)all.most_of_block > near * (double)sample.most_of_block) return false;
    if ((double)all.most_of_warp > near * (double)sample.most_of_warp) return false;
    if ((double)sample.work / sample.blocks > EXCESS * mean) return false;
    double run = 0, missed = 0; /* run: instructions that a block executes on average; missed: those that a sampled
                                   block, on average, does not execute */
    for (unsigned pc = 0; pc < w->code_count; pc++) {
        const double here = (double)w->ran[0][pc] / all.blocks;
        run += here, missed += fmax(0, here - (double)w->ran[1][pc] / sample.blocks);
    }
    return missed <= TOLERANCE * run;
}

static int by_work(const void *a, const void *b) {
    const struct block_work *x = a, *y = b;
    if (x->all != y->all) return x->all > y->all ? -1 : 1;
    return x->block < y->block ? -1 : x->block > y->block;
}
uint64_t work_of_busiest_sm(const struct launch_work *w, uint32_t resident, uint32_t sms, uint64_t *together) {
    uint64_t *sm = probe_alloc(sms, sizeof *sm), most = 0;
    *together = 0;
    for (unsigned k = 0; k < w->count; k++) {
        const struct block_work *b = &w->block[k];
        *together += b->together;
        if (b->block < resident) sm[b->block % sms] += b->together;
    }
    for (uint32_t k = 0; k < sms; k++) most = larger(most, sm[k]);
    free(sm);
    return larger(most, *together / sms);
}
struct launch_choice work_choose(const struct launch_work *w, uint32_t units) {
    struct launch_choice c = {.units = units};
    struct block_work *order = probe_alloc(w->count, sizeof *order);
    const unsigned step = (w->count + MAX_FOLLOWED - 1) / MAX_FOLLOWED;
    c.chosen = probe_alloc(units / 8 + 1, 1);
    memcpy(order, w->block, w->count * sizeof *order);
    qsort(order, w->count, sizeof *order, by_work);
    for (unsigned k = 0; k < w->count; k += step) c.chosen[order[k].unit / 8] |= (uint8_t)(1 << order[k].unit % 8);
    free(order);
    return c;
}
