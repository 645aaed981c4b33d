/* Solutions of the labs as rows: what a lab declares of its first kernel says how its launches end in one value. */
#include "judge/judge.h"
#include "ladder/ladder.h"

enum { THREADS = 256 };

static enum ladder_plan plan_of(const struct lab_kernel *k) {
    switch (k->finish) {
    case FINISH_HOST: return PLAN_HOST;
    case FINISH_ATOMIC: return PLAN_ATOMIC;
    case FINISH_ITSELF: return PLAN_LAST_BLOCK;
    case FINISH_LEVELS: return PLAN_LEVELS;
    case FINISH_LAUNCH: break;
    }
    if (k->one_block) return k->in_place ? PLAN_ONE_BLOCK_IN_PLACE : PLAN_ONE_BLOCK;
    if (k->grid_stride) return PLAN_TWO_STAGES;
    return k->in_place ? PLAN_AGAIN_IN_PLACE : PLAN_AGAIN;
}
bool ladder_lab_row(const struct lab *lab, struct variant v, const struct gpu *gpu, struct ladder_row *row) {
    const struct lab_kernel *k = lab->kernels;
    *row = (struct ladder_row){.id = lab->id,
                               .name = lab->title,
                               .kernel = k->name,
                               .plan = plan_of(k),
                               .threads = THREADS,
                               .waves = gpu->max_threads / THREADS,
                               .elements = k->elements,
                               .shared_values = k->shared_values,
                               .shared_warp_values = k->shared_warp_values,
                               .ordered = k->ordered};
    return case_kernel_takes(lab, k, v);
}
bool ladder_lab_tuning(const struct lab *lab, const struct ladder_program *p, uint32_t n, struct ladder_row *row,
                       uint32_t *blocks, char *message, size_t size) {
    char symbol[256];
    struct tuning t;
    if (!lab->kernels->tuned) return true;
    const bool there = compiled_symbol(p->ptx, p->v, row->kernel, symbol, sizeof symbol);
    if (!tuning_beside(p->device, p->module, there ? symbol : NULL, row->kernel, &t, message, size)) return false;
    row->threads = t.block, row->waves = t.blocks;
    *blocks = tuning_grid(&t, p->v, n, p->gpu->sms);
    return true;
}
