/* Measures how efficient accesses to global memory are. Counts the 32-byte sectors that each warp-wide access touches,
 * and those that its bytes would need if they were contiguous. Source: CUDA C++ Programming Guide, "Device Memory
 * Accesses": global memory is accessed in aligned 32-byte segments. */
#include "probes/probe.h"

#define SECTOR 32

struct pc_sectors {
    uint64_t requests, sectors, ideal;
};
struct sectors_probe {
    struct measurement *m;
    struct pc_sectors *at;
    unsigned capacity;
    uint64_t load_bytes, store_bytes, loads, atomics, plain_atomics, straddled;
};

static void *create(struct measurement *m) {
    struct sectors_probe *p = probe_alloc(1, sizeof *p);
    p->m = m;
    return p;
}

static void launch_begin(void *self, const struct sim_launch_info *launch) {
    struct sectors_probe *p = self;
    p->at = probe_by_pc(p->at, launch, &p->capacity, sizeof *p->at);
}

/* Copies the lanes' addresses in ascending order, which most accesses have. Returns their number. */
static unsigned sorted_addresses(const struct sim_access *e, uint64_t address[SIM_WARP]) {
    unsigned n = 0;
    EACH_LANE (l, e->mask) {
        uint64_t a = e->object->address + e->offset[l];
        unsigned k = n++;
        for (; k > 0 && address[k - 1] > a; k--) address[k] = address[k - 1];
        address[k] = a;
    }
    return n;
}

/* Counts the sectors of any access. Returns whether the bytes are contiguous, in any order of lanes. */
static bool count_any(const struct sim_access *e, unsigned *sectors, unsigned *ideal) {
    uint64_t address[SIM_WARP], next_sector = 0, next_byte = 0, bytes = 0;
    unsigned n = sorted_addresses(e, address), count = 0;
    for (unsigned k = 0; k < n; k++) {
        uint64_t first = address[k] / SECTOR, last = (address[k] + e->bytes - 1) / SECTOR;
        if (first < next_sector) first = next_sector; /* already counted */
        if (last >= first) count += (unsigned)(last - first + 1), next_sector = last + 1;
        uint64_t begin = address[k] < next_byte ? next_byte : address[k], end = address[k] + e->bytes;
        if (end > begin) bytes += end - begin, next_byte = end;
    }
    *sectors = count;
    *ideal = (unsigned)((bytes + SECTOR - 1) / SECTOR);
    return next_byte - address[0] == bytes;
}

/* Counts the sectors of lanes with a constant step. The step must divide the sector size or be a multiple of it, and no
 * lane may access two sectors. Returns false for other accesses. All divisors are powers of two, so no division is
 * needed. */
static bool count_steps(const struct sim_access *e, unsigned *sectors, unsigned *ideal) {
    const uint64_t step = (uint64_t)e->step, grain = step < SECTOR ? step : SECTOR;
    const uint64_t address = e->object->address + e->offset[lowest_lane(e->mask)];
    if (e->step < e->bytes || !e->step || grain & (grain - 1) || step & (grain - 1) ||
        (address & (grain - 1)) + e->bytes > grain)
        return false;
    const unsigned shift = (unsigned)__builtin_ctzll(grain), each = SECTOR >> shift,
                   before = (unsigned)(address % SECTOR >> shift);
    /* Bit 0 of each group of `each` bits becomes the OR of the group's bits. */
    uint64_t m = (uint64_t)(e->mask >> lowest_lane(e->mask)) << before;
    for (unsigned k = 1; k < each; k *= 2) m |= m >> k;
    m &= UINT64_MAX / ((UINT64_C(1) << each) - 1);
    *sectors = lanes_in((uint32_t)m) + lanes_in((uint32_t)(m >> 32));
    *ideal = (lanes_in(e->mask) * e->bytes + SECTOR - 1) / SECTOR;
    return true;
}
bool probe_sectors_of(const struct sim_access *e, unsigned *sectors, unsigned *ideal) {
    if (e->contiguous && is_run(e->mask)) {
        uint64_t first = e->object->address + e->offset[lowest_lane(e->mask)], bytes = lanes_in(e->mask) * e->bytes;
        *sectors = (unsigned)((first + bytes - 1) / SECTOR - first / SECTOR + 1);
        *ideal = (unsigned)((bytes + SECTOR - 1) / SECTOR);
        return true;
    }
    return count_steps(e, sectors, ideal) ? false : count_any(e, sectors, ideal);
}

static void access(void *self, const struct sim_access *e) {
    struct sectors_probe *p = self;
    if (e->object->space != PTX_GLOBAL) return;
    unsigned lanes = lanes_in(e->mask), sectors, ideal;
    const bool run = probe_sectors_of(e, &sectors, &ideal);
    struct pc_sectors *at = &p->at[e->pc];
    at->requests++, at->sectors += sectors, at->ideal += ideal;
    if (e->kind != SIM_STORE) p->load_bytes += lanes * e->bytes;
    if (e->kind != SIM_LOAD) p->store_bytes += lanes * e->bytes;
    if (e->kind == SIM_LOAD) p->loads++;
    if (e->kind == SIM_LOAD && run) p->straddled += sectors - ideal;
    if (e->kind == SIM_ATOMIC) p->atomics += lanes, p->plain_atomics += probe_plain_lanes(e);
}

static void launch_end(void *self, const struct sim_launch_info *launch) {
    struct sectors_probe *p = self;
    struct sectors *total = p->m->result[PROBE_sectors];
    for (uint32_t pc = launch->code_begin; pc < launch->code_end; pc++) {
        const struct pc_sectors *at = &p->at[pc];
        if (!at->requests) continue;
        total->global_requests += at->requests;
        total->global_sectors += at->sectors;
        total->global_ideal_sectors += at->ideal;
        struct line_counts *line = probe_line(p->m, launch, pc);
        if (!line) continue;
        line->global_requests += at->requests;
        line->global_sectors += at->sectors;
        line->global_ideal_sectors += at->ideal;
    }
}

static void finish(void *self, struct measurement *m) {
    struct sectors_probe *p = self;
    struct sectors *total = m->result[PROBE_sectors];
    total->global_load_bytes += p->load_bytes;
    total->global_store_bytes += p->store_bytes;
    total->global_loads += p->loads;
    total->atomics_global += p->atomics;
    total->plain_atomics += p->plain_atomics;
    total->straddled += p->straddled;
    free(p->at);
    free(p);
}

static const struct field fields[] = {NUMBERS_TO(struct sectors, atomics_global, straddled), END_OF_FIELDS};
static const struct figure figures[] = {
    {"atomics", "atomics", NULL, FIGURE_COUNT, BETTER_NEITHER, 15, 6, offsetof(struct sectors, atomics_global)},
    {"global_requests", "accesses to global memory", NULL, FIGURE_COUNT, BETTER_NEITHER, 6, 9,
     offsetof(struct sectors, global_requests)},
    {"global_sectors", "  sectors", "sectors of global memory", FIGURE_COUNT, BETTER_LESS, 7, 10,
     offsetof(struct sectors, global_sectors)},
    {"global_ideal_sectors", "  sectors if packed", NULL, FIGURE_COUNT, BETTER_NEITHER, 8, 11,
     offsetof(struct sectors, global_ideal_sectors)},
    {NULL},
};

static const struct sim_probe callbacks = {
    .name = "sectors", .launch_begin = launch_begin, .launch_end = launch_end, .access = access, .global_only = true};
const struct probe_row probe_sectors = {
    .name = "sectors",
    .question = "how many 32-byte sectors does each access to global memory touch?",
    .part_of = MEASURE_COUNTS,
    .callbacks = &callbacks,
    .create = create,
    .finish = finish,
    .bytes = sizeof(struct sectors),
    .fields = fields,
    .figures = figures,
};
