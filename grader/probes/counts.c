/* Counts executed instructions and lanes: in total, by source line, and by row of the instruction table.
 *
 * An executed span of instructions adds 1 at its first pc and subtracts 1 at its end. At the end of the launch, one
 * pass over these differences gives the counts. */
#include "probes/probe.h"
#include "sim/sim.h"

struct pc_counts {
    uint64_t warp, lane, divergent; /* differences for spans of fewer than 32 lanes */
    uint64_t splits;                /* divergent branches; not a difference */
};
struct counts_probe {
    struct measurement *m;
    struct counts *counts;
    struct pc_counts *at;
    uint64_t *full; /* differences for spans of all 32 lanes, the most common ones */
    unsigned capacity, full_capacity;
};

static void *create(struct measurement *m) {
    struct counts_probe *p = probe_alloc(1, sizeof *p);
    p->m = m, p->counts = m->result[PROBE_counts];
    return p;
}

static void launch_begin(void *self, const struct sim_launch_info *launch) {
    struct counts_probe *p = self;
    p->at = probe_by_pc(p->at, launch, &p->capacity, sizeof *p->at);
    p->full = probe_by_pc(p->full, launch, &p->full_capacity, sizeof *p->full);
    p->counts->launches++;
    p->counts->blocks += launch->run_blocks;
    p->counts->threads += (uint64_t)launch->run_blocks * launch->threads;
}

static void span(void *self, const struct sim_span *e) {
    struct counts_probe *p = self;
    if (e->mask == UINT32_MAX) {
        p->full[e->begin]++, p->full[e->end]--;
        return;
    }
    struct pc_counts *begin = &p->at[e->begin], *end = &p->at[e->end];
    uint64_t lanes = lanes_in(e->mask), divergent = e->mask != e->where->launched;
    begin->warp++, end->warp--;
    begin->lane += lanes, end->lane -= lanes;
    begin->divergent += divergent, end->divergent -= divergent;
}

static void branch(void *self, const struct sim_branch *e) {
    struct counts_probe *p = self;
    p->at[e->pc].splits++;
}

static void barrier(void *self, const struct sim_barrier *e) {
    (void)e;
    ((struct counts_probe *)self)->counts->barriers++;
}

/* Counts one barrier for each block in the cluster. */
static void cluster(void *self, const struct sim_cluster_event *e) {
    if (e->kind == SIM_CLUSTER_COMPLETE)
        ((struct counts_probe *)self)->counts->barriers += e->where->launch->cluster_blocks;
}

static void launch_end(void *self, const struct sim_launch_info *launch) {
    struct counts_probe *p = self;
    uint64_t warp = 0, lane = 0, divergent = 0;
    for (uint32_t pc = launch->code_begin; pc < launch->code_end; pc++) {
        const uint64_t full = p->full[pc] + (launch->whole_spans ? launch->whole_spans[pc] : 0);
        warp += full + p->at[pc].warp, lane += SIM_WARP * full + p->at[pc].lane, divergent += p->at[pc].divergent;
        if (!warp && !p->at[pc].splits) continue;
        p->counts->warp_instructions += warp;
        p->counts->lane_instructions += lane;
        if (launch->code[pc]) {
            const unsigned elements = sim_matrix_elements(launch->code[pc]);
            p->counts->opcodes[launch->code[pc]->op] += warp;
            if (elements) p->counts->products += warp, p->counts->matrix_elements += elements * warp;
        }
        struct line_counts *line = probe_line(p->m, launch, pc);
        if (!line) continue;
        line->warp_instructions += warp;
        line->lane_instructions += lane;
        line->divergent += divergent;
        line->splits += p->at[pc].splits;
    }
}

static void finish(void *self, struct measurement *m) {
    struct counts_probe *p = self;
    (void)m;
    p->counts->warp_syncs = p->counts->opcodes[PTX_OP_bar_warp_sync];
    p->counts->shuffles = p->counts->opcodes[PTX_OP_shfl];
    free(p->at);
    free(p->full);
    free(p);
}

static double simd_efficiency(const void *result) {
    const struct counts *c = result;
    return c->warp_instructions ? (double)c->lane_instructions / (32.0 * (double)c->warp_instructions) : 0;
}
/* Each part of a launch counts the blocks of the whole launch, so these numbers come from one part. */
static const struct field fields[] = {
    NUMBERS_ONCE(struct counts, launches), NUMBERS_ONCE(struct counts, blocks),
    NUMBERS_ONCE(struct counts, threads),  NUMBERS_TO(struct counts, warp_instructions, matrix_elements),
    NUMBERS(struct counts, opcodes),       END_OF_FIELDS,
};
static const struct figure figures[] = {
    {"warp_instructions", "warp-instructions", "warp-instructions", FIGURE_COUNT, BETTER_LESS, 1, 1,
     offsetof(struct counts, warp_instructions)},
    {"lane_instructions", "lane-instructions", NULL, FIGURE_COUNT, BETTER_NEITHER, 2, 2,
     offsetof(struct counts, lane_instructions)},
    {"barriers", "barriers", "barriers", FIGURE_COUNT, BETTER_LESS, 3, 3, offsetof(struct counts, barriers)},
    {"launches", "launches", NULL, FIGURE_COUNT, BETTER_NEITHER, 12, 0, offsetof(struct counts, launches)},
    {"warp_syncs", "__syncwarp()", NULL, FIGURE_COUNT, BETTER_NEITHER, 13, 4, offsetof(struct counts, warp_syncs)},
    {"shuffles", "shuffles", NULL, FIGURE_COUNT, BETTER_NEITHER, 14, 5, offsetof(struct counts, shuffles)},
    {"products", "matrix products", NULL, FIGURE_COUNT, BETTER_NEITHER, 15, 0, offsetof(struct counts, products),
     .rare = true},
    {"simd_efficiency", "SIMD efficiency", "SIMD efficiency", FIGURE_SHARE, BETTER_MORE, 16, 15, 0, simd_efficiency},
    {NULL},
};

static const struct sim_probe callbacks = {.name = "counts",
                                           .launch_begin = launch_begin,
                                           .launch_end = launch_end,
                                           .span = span,
                                           .branch = branch,
                                           .barrier = barrier,
                                           .cluster = cluster,
                                           .counts_whole = true};
const struct probe_row probe_counts = {
    .name = "counts",
    .question = "how many instructions does each line execute, with how many lanes?",
    .part_of = MEASURE_COUNTS,
    .callbacks = &callbacks,
    .create = create,
    .finish = finish,
    .bytes = sizeof(struct counts),
    .fields = fields,
    .figures = figures,
};
