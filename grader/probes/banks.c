/* Counts the wavefronts of each access to shared memory. Shared memory has 32 banks of 4 bytes. Different words in a
 * bank are served one after another. All lanes that request a word get it at once. An access of 8 bytes per lane is
 * served by half-warps, one of 16 bytes by quarter-warps.
 *
 * Source: CUDA C++ Programming Guide, "Shared Memory". Banks and broadcasts follow its section on compute capability
 * 5.x. Wide accesses follow its section on 2.x; measurements confirm half-warps and quarter-warps on later GPUs. */
#include "probes/probe.h"

#define BANKS 32
#define WORD 4

struct pc_banks {
    uint64_t requests, wavefronts, ideal, atomics, plain_atomics;
};
struct banks_probe {
    struct measurement *m;
    struct pc_banks *at;
    unsigned capacity;
    uint64_t store_bytes, cluster_requests;
};

static void *create(struct measurement *m) {
    struct banks_probe *p = probe_alloc(1, sizeof *p);
    p->m = m;
    return p;
}

static void launch_begin(void *self, const struct sim_launch_info *launch) {
    struct banks_probe *p = self;
    p->at = probe_by_pc(p->at, launch, &p->capacity, sizeof *p->at);
}

/* Returns the largest number of different words in one bank that the lanes of `mask` access. Each bank has a list of
 * its words. */
static unsigned wavefronts_of(const struct sim_access *e, uint32_t mask) {
    uint64_t word[SIM_WARP * 4];
    int8_t next[SIM_WARP * 4], head[BANKS];
    uint8_t length[BANKS] = {0};
    unsigned n = 0, most = 0, words = e->bytes > WORD ? e->bytes / WORD : 1;
    memset(head, -1, sizeof head);
    EACH_LANE (l, mask) {
        for (unsigned k = 0; k < words; k++) {
            uint64_t w = e->offset[l] / WORD + k;
            unsigned bank = w % BANKS;
            int have = head[bank];
            while (have >= 0 && word[have] != w) have = next[have];
            if (have >= 0) continue;
            word[n] = w, next[n] = head[bank], head[bank] = (int8_t)n++;
            if (++length[bank] > most) most = length[bank];
        }
    }
    return most;
}

/* Returns wavefronts_of() for lanes whose words are `step` words apart, which must not be 0. The number of banks that
 * they access depends only on the highest power of two that divides `step`. */
static unsigned passes_of_step(uint32_t mask, uint64_t step) {
    const unsigned together = step % BANKS ? (unsigned)__builtin_ctzll(step) : 5, banks = BANKS >> together;
    uint32_t same = 1; /* lanes with a word in the bank of lane 0's word */
    unsigned most = 0;
    for (unsigned l = banks; l < SIM_WARP; l *= 2) same |= same << l;
    for (unsigned k = 0; k < banks; k++) {
        const unsigned lanes = lanes_in(mask & same << k);
        if (lanes > most) most = lanes;
    }
    return most;
}

/* Returns how many lanes are served together. They access at most 128 bytes. */
static unsigned group_lanes(unsigned bytes) { return bytes <= 4 ? 32 : bytes <= 8 ? 16 : bytes <= 16 ? 8 : 4; }

struct probe_wavefronts probe_wavefronts(const struct sim_access *e) {
    const unsigned width = group_lanes(e->bytes);
    const bool no_conflict = e->contiguous || (e->mask & (e->mask - 1)) == 0;
    if (!no_conflict && e->bytes == WORD && e->step && e->step % WORD == 0)
        return (struct probe_wavefronts){passes_of_step(e->mask, (uint64_t)e->step / WORD), 1};
    if (width == SIM_WARP) return (struct probe_wavefronts){no_conflict ? 1 : wavefronts_of(e, e->mask), 1};
    struct probe_wavefronts sum = {0};
    const uint32_t group = (1u << width) - 1;
    for (unsigned l = 0; l < SIM_WARP; l += width) {
        const uint32_t lanes = e->mask & group << l;
        if (!lanes) continue;
        sum.ideal++;
        sum.wavefronts += no_conflict ? 1 : wavefronts_of(e, lanes);
    }
    return sum;
}

static void access(void *self, const struct sim_access *e) {
    struct banks_probe *p = self;
    if (e->object->space != PTX_SHARED) return;
    const struct probe_wavefronts n = probe_wavefronts(e);
    struct pc_banks *at = &p->at[e->pc];
    at->requests++, at->wavefronts += n.wavefronts, at->ideal += n.ideal;
    if (e->object->block != e->where->block) p->cluster_requests++;
    if (e->kind == SIM_ATOMIC) at->atomics += lanes_in(e->mask), at->plain_atomics += probe_plain_lanes(e);
    if (e->kind == SIM_STORE) p->store_bytes += lanes_in(e->mask) * e->bytes;
}

static void launch_end(void *self, const struct sim_launch_info *launch) {
    struct banks_probe *p = self;
    struct banks *total = p->m->result[PROBE_banks];
    for (uint32_t pc = launch->code_begin; pc < launch->code_end; pc++) {
        const struct pc_banks *at = &p->at[pc];
        if (!at->requests) continue;
        total->shared_requests += at->requests;
        total->shared_wavefronts += at->wavefronts;
        total->shared_ideal_wavefronts += at->ideal;
        total->atomics_shared += at->atomics;
        total->counting_shared += at->atomics && probe_counts_threads(launch, pc) ? at->atomics : at->plain_atomics;
        struct line_counts *line = probe_line(p->m, launch, pc);
        if (!line) continue;
        line->shared_requests += at->requests;
        line->shared_wavefronts += at->wavefronts;
        line->shared_ideal_wavefronts += at->ideal;
    }
}

static void finish(void *self, struct measurement *m) {
    struct banks_probe *p = self;
    struct banks *total = m->result[PROBE_banks];
    total->shared_store_bytes += p->store_bytes;
    total->cluster_requests += p->cluster_requests;
    free(p->at);
    free(p);
}

static const struct field fields[] = {NUMBERS_TO(struct banks, atomics_shared, cluster_requests), END_OF_FIELDS};
static const struct figure figures[] = {
    /* added to the figure of sectors.c, which counts atomics on global memory */
    {"atomics", .offset = offsetof(struct banks, atomics_shared)},
    {"shared_requests", "accesses to shared memory", NULL, FIGURE_COUNT, BETTER_NEITHER, 9, 12,
     offsetof(struct banks, shared_requests)},
    {"shared_wavefronts", "  wavefronts", "shared-memory wavefronts", FIGURE_COUNT, BETTER_LESS, 10, 13,
     offsetof(struct banks, shared_wavefronts)},
    {"shared_ideal_wavefronts", "  wavefronts without conflicts", "  of which needed without bank conflicts",
     FIGURE_COUNT, BETTER_NEITHER, 11, 14, offsetof(struct banks, shared_ideal_wavefronts)},
    {"cluster_requests", "  to other blocks of the cluster", NULL, FIGURE_COUNT, BETTER_NEITHER, 0, 0,
     offsetof(struct banks, cluster_requests), .rare = true},
    {NULL},
};

static const struct sim_probe callbacks = {
    .name = "banks", .launch_begin = launch_begin, .launch_end = launch_end, .access = access, .shared_only = true};
const struct probe_row probe_banks = {
    .name = "banks",
    .question = "how many wavefronts does each access to shared memory need?",
    .part_of = MEASURE_COUNTS,
    .callbacks = &callbacks,
    .create = create,
    .finish = finish,
    .bytes = sizeof(struct banks),
    .fields = fields,
    .figures = figures,
};
