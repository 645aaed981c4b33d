/* An example of a probe, which counts the exchanges of values between the lanes of a warp. check_additions adds it
 * to a copy of the kit. */
#include "probes/probe.h"

#include <stdio.h>

struct shuffle_rate {
    uint64_t warps, shuffles;
};

/* ---- findings and figures ---------------------------------------------------------------------- */

static const struct finding_kind kinds[] = {
    {.key = "lonely-shuffle",
     .title = "shuffle by a single lane",
     .explanation = "A shuffle exchanges values between the participating lanes. Here, only one lane participates, so "
                    "it receives its own value.",
     .rank = 215},
    {NULL},
};
static double rate(const void *result) {
    const struct shuffle_rate *r = result;
    return r->warps ? (double)r->shuffles / (double)r->warps : 0;
}
static const struct figure figures[] = {
    {.key = "shuffle_rate",
     .label = "  shuffles per warp",
     .summary = "shuffles per warp",
     .unit = FIGURE_RATIO,
     .better = BETTER_LESS,
     .row = 16,
     .value = rate},
    {NULL},
};
static const struct field fields[] = {
    NUMBERS_ONCE(struct shuffle_rate, warps),
    NUMBERS(struct shuffle_rate, shuffles),
    END_OF_FIELDS,
};

/* ---- the probe --------------------------------------------------------------------------------- */

static void *create(struct measurement *m) { return m; }
static void finish(void *self, struct measurement *m) { (void)self, (void)m; }

static void launch_begin(void *self, const struct sim_launch_info *launch) {
    struct shuffle_rate *r = ((struct measurement *)self)->result[PROBE_shuffle_rate];
    r->warps += (uint64_t)launch->blocks * launch->warps;
}
static void sync(void *self, const struct sim_sync *e) {
    struct measurement *m = self;
    if (e->kind != SIM_SHUFFLE) return;
    ((struct shuffle_rate *)m->result[PROBE_shuffle_rate])->shuffles++;
    if (e->mask & (e->mask - 1)) return;
    struct finding f = {.kind = &kinds[0], .at = finding_site(e->where, e->pc, e->mask), .other = {.pc = UINT32_MAX}};
    char who[96];
    finding_who(measure_taught(m), e->where->warp, e->mask, e->where->launched, who, sizeof who);
    snprintf(f.message, sizeof f.message, "%s is alone in a shuffle", who);
    finding_add(&m->findings, &f);
}

static const struct sim_probe callbacks = {.name = "shuffle_rate", .launch_begin = launch_begin, .sync = sync};
const struct probe_row probe_shuffle_rate = {
    .name = "shuffle_rate",
    .question = "how often do warps pass values between their lanes?",
    .part_of = MEASURE_COUNTS | MEASURE_BARRIERS,
    .callbacks = &callbacks,
    .create = create,
    .finish = finish,
    .bytes = sizeof(struct shuffle_rate),
    .fields = fields,
    .figures = figures,
    .findings = kinds,
};
