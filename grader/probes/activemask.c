/* Does a shuffle name its lanes by __activemask()? That tells which lanes happen to run here together; nothing promises
 * that these are all that took the same branch. A shuffle from a lane that was computed from the mask (a leader) is
 * fine with any such set; one that needs a lane by its number, or by its distance, is not. */
#include "probes/probe.h"

#include <stdio.h>

static const struct finding_kind kinds[] = {
    {.key = "active-mask",
     .title = "shuffle among the lanes that happen to be active",
     .cure = "name the lanes that must come: 0xffffffff where all do, or __ballot_sync() of the condition before the "
             "branch",
     .explanation = "__activemask() says which lanes run this instruction together at this moment. Lanes that took the "
                    "same branch need not do so: the compiler and the hardware may part them and join them as they "
                    "like. A shuffle by distance, or from a fixed lane, needs certain lanes, and with this mask nobody "
                    "waits for them. The mask must come from what the algorithm needs.",
     .rank = 23,
     .drawing = DRAW_LANES},
    {NULL},
};

enum { MOST_STEPS = 64, ASKED = 1, TOLD = 2 };
struct activemask_probe {
    struct measurement *m;
    uint8_t *verdict; /* by pc: ASKED, and TOLD if it is one */
    uint32_t count;
};

static void *create(struct measurement *m) {
    struct activemask_probe *p = probe_alloc(1, sizeof *p);
    p->m = m;
    return p;
}
static const struct ptx_function *function_of(const struct ptx_module *m, const struct ptx_insn *i) {
    for (unsigned k = 0; k < m->function_count; k++)
        if (i >= m->functions[k]->code && i < m->functions[k]->code + m->functions[k]->code_count)
            return m->functions[k];
    return NULL;
}
/* Is the register computed from an activemask instruction: only moved (`moved`), or in any way? */
static bool comes_from_activemask(const struct ptx_function *f, uint32_t reg, bool moved, unsigned steps) {
    for (uint32_t n = 0; reg != PTX_NO_REG && steps && n < f->code_count; n++) {
        const struct ptx_insn *i = &f->code[n];
        if (!ptx_written(i) || i->operand[0].kind != PTX_REGISTER || i->operand[0].reg != reg) continue;
        if (i->op == PTX_OP_activemask) return true;
        if (moved && i->op != PTX_OP_mov) continue;
        for (unsigned k = 1; k < i->count; k++)
            if (i->operand[k].kind == PTX_REGISTER && i->operand[k].reg != reg &&
                comes_from_activemask(f, i->operand[k].reg, moved, steps / 2))
                return true;
    }
    return false;
}
static bool needs_lanes_of_activemask(const struct sim_launch_info *launch, uint32_t pc) {
    const struct ptx_insn *i = launch->code[pc];
    const struct ptx_function *f = i && i->op == PTX_OP_shfl ? function_of(launch->module, i) : NULL;
    if (!f) return false;
    const struct ptx_operand *lane = &i->operand[2], *mask = &i->operand[i->count - 1];
    if (mask->kind != PTX_REGISTER || !comes_from_activemask(f, mask->reg, true, MOST_STEPS)) return false;
    return lane->kind != PTX_REGISTER || !comes_from_activemask(f, lane->reg, false, MOST_STEPS);
}
static void launch_begin(void *self, const struct sim_launch_info *launch) {
    struct activemask_probe *p = self;
    free(p->verdict);
    p->verdict = probe_alloc(launch->code_count + 1, 1);
    p->count = launch->code_count;
}
static void sync(void *self, const struct sim_sync *e) {
    struct activemask_probe *p = self;
    if (e->kind != SIM_SHUFFLE || e->pc >= p->count) return;
    if (!p->verdict[e->pc])
        p->verdict[e->pc] = needs_lanes_of_activemask(e->where->launch, e->pc) ? ASKED | TOLD : ASKED;
    if (!(p->verdict[e->pc] & TOLD)) return;
    struct finding f = {.kind = &kinds[0], .at = finding_site(e->where, e->pc, e->mask), .other.pc = UINT32_MAX};
    char who[96];
    finding_who(e->where->warp, e->mask, e->where->launched, who, sizeof who);
    snprintf(f.message, sizeof f.message,
             "%s shuffled with the mask of __activemask(), though each needs a certain lane", who);
    finding_add(&p->m->findings, &f);
}
static void finish(void *self, struct measurement *m) {
    struct activemask_probe *p = self;
    (void)m;
    free(p->verdict);
    free(p);
}

static const struct sim_probe callbacks = {.name = "activemask", .launch_begin = launch_begin, .sync = sync};
const struct probe_row probe_activemask = {
    .name = "activemask",
    .question = "does a shuffle name its lanes by __activemask()?",
    .part_of = MEASURE_BARRIERS,
    .callbacks = &callbacks,
    .create = create,
    .finish = finish,
    .findings = kinds,
};
