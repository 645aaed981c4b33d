/* Converts solutions of the labs to rows of the ladder. */
#include "judge/judge.h"
#include "ladder/ladder.h"

enum { THREADS = 256 };

bool ladder_lab_row(const struct lab *lab, struct variant v, const struct gpu *gpu, struct ladder_row *row) {
    const struct lab_kernel *k = lab->kernels;
    *row = (struct ladder_row){
        .id = lab->id, .name = lab->title, .kernel = *k, .threads = THREADS, .waves = gpu->max_threads / THREADS};
    /* A row has one array as input and a single value as result. */
    return !k->second && k->finish != FINISH_ARRAYS && case_kernel_takes(lab, k, v);
}
bool ladder_lab_tuning(const struct lab *lab, const struct ladder_program *p, uint32_t n, struct ladder_row *row,
                       uint32_t *blocks, char *message, size_t size) {
    char symbol[256];
    struct tuning t;
    if (!lab->kernels->tuned) return true;
    const bool there = compiled_symbol(p->ptx, p->v, row->kernel.name, symbol, sizeof symbol);
    if (!tuning_beside(p->device, p->module, there ? symbol : NULL, row->kernel.name, &t, message, size)) return false;
    row->waves = t.blocks;
    tuning_launch(&t, p->v, n, p->gpu->sms, &row->threads, blocks);
    return true;
}
