/* See inspect.h. */
#include "sim/inspect.h"
#include "sim/machine.h"
#include <stdlib.h>
#include <string.h>

static int by_pc(const void *a, const void *b) {
    const struct sim_group *x = a, *y = b;
    if (x->pc != y->pc) return x->pc < y->pc ? -1 : 1;
    return x->mask < y->mask ? -1 : x->mask > y->mask;
}
unsigned sim_groups(const struct sim_warp *w, struct sim_group group[SIM_WARP]) {
    for (unsigned k = 0; k < w->splits; k++) {
        const struct sim_split *s = &w->split[k];
        group[k] = (struct sim_group){.pc = s->pc,
                                      .mask = s->mask,
                                      .barrier = s->barrier,
                                      .state = s->state == SPLIT_READY     ? SIM_GROUP_READY
                                               : s->state == SPLIT_BARRIER ? SIM_GROUP_BARRIER
                                                                           : SIM_GROUP_SYNC,
                                      .depth = s->frame->depth};
    }
    qsort(group, w->splits, sizeof *group, by_pc);
    return w->splits;
}
const struct sim_where *sim_warp_where(const struct sim_warp *w) { return &w->where; }
const struct sim_warp *sim_warp_of_block(const struct sim_warp *w, uint32_t index) {
    return index < w->block->warp_count ? &w->block->warps[index] : NULL;
}

static const struct sim_split *split_of(const struct sim_warp *w, unsigned lane) {
    for (unsigned k = 0; k < w->splits; k++)
        if (w->split[k].mask >> lane & 1) return &w->split[k];
    return NULL;
}
/* Returns the function that the lanes execute. Lanes that wait at a function's last instruction have a pc past its end,
 * so the function of the previous pc is returned. */
static const struct sim_function *function_of(const struct sim_warp *w, const struct sim_split *s) {
    const struct sim_program *p = w->block->run->program;
    const uint32_t pc = s->state == SPLIT_READY || !s->pc ? s->pc : s->pc - 1;
    return pc < p->code_count ? &p->functions[p->function_of[pc]] : NULL;
}
const struct ptx_function *sim_lane_function(const struct sim_warp *w, unsigned lane) {
    const struct sim_split *s = split_of(w, lane);
    const struct sim_function *f = s ? function_of(w, s) : NULL;
    return f ? f->source : NULL;
}
/* Returns whether the register's row may have another register's value at `pc`. A value stays in its row at least until
 * the instruction after its last use. */
static bool is_elsewhere(const struct sim_function *f, uint32_t reg, uint32_t pc) {
    const struct sim_extent *x = f->extent ? &f->extent[reg] : NULL;
    return x && (pc < f->entry + x->first || pc > f->entry + x->last + 1);
}
bool sim_lane_register(const struct sim_warp *w, unsigned lane, uint32_t reg, uint64_t *value) {
    const struct sim_split *s = split_of(w, lane);
    const struct sim_function *f = s ? function_of(w, s) : NULL;
    if (!f || reg >= f->source->register_count || is_elsewhere(f, reg, s->pc)) return false;
    const uint8_t *row = w->registers + s->frame->base + f->register_offset[reg];
    const enum ptx_type type = f->source->registers[reg].type;
    unsigned bytes = ptx_type_bits(type) / 8;
    *value = 0;
    if (type == PTX_PRED) {
        memcpy(value, row, 4);
        *value = *value >> lane & 1;
        return true;
    }
    if (bytes < 2) bytes = 2; /* 8-bit registers have rows of 16-bit elements */
    memcpy(value, row + lane * bytes, bytes);
    return true;
}
bool sim_lane_read(const struct sim_warp *w, unsigned lane, uint64_t address, void *to, unsigned bytes) {
    return sim_peek((struct sim_warp *)w, lane, address, to, bytes);
}
uint64_t sim_shared_address(uint64_t offset) { return SIM_SHARED_WINDOW + offset; }
