/* Reports shuffles, votes, match.all, redux and warp barriers whose mask comes from __activemask(). This function
 * returns only the lanes that happen to execute together, perhaps not all that took the branch.
 *
 * A shuffle with this mask is correct if its source lane is computed from the mask, for example as its lowest lane. It
 * is wrong if the source lane has a fixed index or distance. A vote, match.all, redux or barrier covers only the lanes
 * in the mask. Whether these suffice depends on the use of the result. */
#include "probes/probe.h"

#include <stdio.h>

static const struct finding_kind kinds[] = {
    {.key = "active-mask",
     .title = "shuffle among the lanes that happen to be active",
     .explanation =
         "__activemask() returns the lanes that execute this instruction together at this moment. Lanes that took "
         "the same branch may not be among them, because the compiler and the hardware may separate and rejoin lanes "
         "at "
         "any time. A shuffle by distance, or from a fixed lane, needs particular lanes, but with this mask, the "
         "shuffle does not wait for them. Compute the mask from the lanes that the algorithm needs.",
     .rank = 370,
     .error_if_shown = true,
     .drawing = DRAW_LANES},
    {.key = "active-mask-set",
     .title = "result depends on which lanes happen to be active",
     .explanation =
         "__activemask() returns the lanes that execute this instruction together at this moment. With this mask, a "
         "vote, a __match_all_sync(), a warp reduction or a warp barrier omits lanes that took the same branch "
         "but execute the call at another time. The call is correct if any set of lanes will do, for example if "
         "a leader reserves space with one atomic for the lanes that are present. The call is wrong if it must "
         "count all lanes, or if all lanes must have written values that are read next. Grading also runs the "
         "kernel with one lane of each warp ahead of the others. If this changes the result, the warning becomes an "
         "error.",
     .rank = 380,
     .severity = FINDING_WARNING,
     .error_if_shown = true,
     .drawing = DRAW_LANES},
    {NULL},
};

enum { MAX_STEPS = 64, CLASSIFIED = 1, SPECIFIC = 2, SET = 4 };
struct activemask_probe {
    struct measurement *m;
    /* Indexed by pc. 0: not classified yet. Then CLASSIFIED, plus SPECIFIC if the call needs specific lanes, or SET if
     * it covers any set of lanes. */
    uint8_t *verdict;
    uint32_t count; /* number of verdicts; 0 if the program has no activemask */
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
/* Returns whether the register's value is computed from an activemask instruction. If `moved`, follows only moves. */
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
static bool has_register(const struct ptx_operand *o, uint32_t reg) {
    for (unsigned k = 0; o->kind == PTX_VECTOR && k < o->count; k++)
        if (has_register(&o->elements[k], reg)) return true;
    return (o->kind == PTX_REGISTER || o->kind == PTX_MEMORY) && o->reg == reg;
}
static bool reads(const struct ptx_insn *i, uint32_t reg) {
    bool found = i->guard == reg;
    for (unsigned k = ptx_written(i) ? 1 : 0; k < i->count; k++) found |= has_register(&i->operand[k], reg);
    return found;
}
static bool is_read(const struct ptx_function *f, uint32_t reg) {
    for (uint32_t n = 0; n < f->code_count; n++)
        if (reads(&f->code[n], reg)) return true;
    return false;
}
/* Returns whether the register is only the mask of warp barriers. Code for any set of lanes would also choose a leader
 * from the mask, or count its lanes. Without such a use, the barrier presumably needs specific lanes. */
static bool only_synchronizes(const struct ptx_function *f, uint32_t reg, unsigned steps) {
    for (uint32_t n = 0; n < f->code_count; n++) {
        const struct ptx_insn *i = &f->code[n];
        const bool moves = i->op == PTX_OP_mov && i->operand[0].kind == PTX_REGISTER && i->operand[0].reg != reg;
        if (reads(i, reg) && i->op != PTX_OP_bar_warp_sync &&
            !(moves && steps && only_synchronizes(f, i->operand[0].reg, steps / 2)))
            return false;
    }
    return true;
}
static bool is_only_for_barriers(const struct ptx_function *f, uint32_t mask, unsigned steps) {
    if (!only_synchronizes(f, mask, steps)) return false;
    for (uint32_t n = 0; steps && n < f->code_count; n++) {
        const struct ptx_insn *i = &f->code[n];
        if (i->op != PTX_OP_mov || i->operand[0].kind != PTX_REGISTER || i->operand[0].reg != mask) continue;
        if (i->operand[1].kind == PTX_REGISTER && !is_only_for_barriers(f, i->operand[1].reg, steps / 2)) return false;
    }
    return true;
}
static uint8_t verdict_of(const struct sim_launch_info *launch, uint32_t pc) {
    const struct ptx_insn *i = launch->code[pc];
    const struct ptx_function *f = i && i->op != PTX_OP_elect ? function_of(launch->module, i) : NULL;
    if (!f || !i->count) return CLASSIFIED;
    const struct ptx_operand *lane = &i->operand[2], *mask = &i->operand[i->count - 1];
    if (mask->kind != PTX_REGISTER || !comes_from_activemask(f, mask->reg, true, MAX_STEPS)) return CLASSIFIED;
    if (i->op == PTX_OP_match_any)
        return CLASSIFIED; /* match.any is correct for any set of lanes, and common in libraries */
    if (i->op == PTX_OP_bar_warp_sync)
        return is_only_for_barriers(f, mask->reg, MAX_STEPS) ? CLASSIFIED | SET : CLASSIFIED;
    if ((i->op == PTX_OP_vote || i->op == PTX_OP_vote_ballot) && i->operand[0].kind == PTX_REGISTER &&
        !is_read(f, i->operand[0].reg))
        return CLASSIFIED; /* labeled_partition() computes its meta_group_rank() this way; most kernels ignore it */
    if (i->op != PTX_OP_shfl) return CLASSIFIED | SET;
    return lane->kind != PTX_REGISTER || !comes_from_activemask(f, lane->reg, false, MAX_STEPS) ? CLASSIFIED | SPECIFIC
                                                                                                : CLASSIFIED;
}
static void launch_begin(void *self, const struct sim_launch_info *launch) {
    struct activemask_probe *p = self;
    free(p->verdict);
    p->count = launch->module->has[PTX_OP_activemask] ? launch->code_count : 0;
    p->verdict = p->count ? probe_alloc(p->count, 1) : NULL;
}
static void sync(void *self, const struct sim_sync *e) {
    struct activemask_probe *p = self;
    if (e->pc >= p->count) return;
    if (!p->verdict[e->pc]) p->verdict[e->pc] = verdict_of(e->where->launch, e->pc);
    if (p->verdict[e->pc] == CLASSIFIED) return;
    static const char *const verbs[] = {
        [SIM_SYNCWARP] = "synchronized", [SIM_VOTE] = "voted", [SIM_MATCH] = "matched", [SIM_REDUX] = "reduced"};
    const bool specific = p->verdict[e->pc] & SPECIFIC;
    struct finding f = {
        .kind = &kinds[!specific], .at = finding_site(e->where, e->pc, e->mask), .other.pc = UINT32_MAX};
    char who[96];
    finding_who(measure_taught(p->m), e->where->warp, e->mask, e->where->launched, who, sizeof who);
    if (specific)
        snprintf(f.message, sizeof f.message,
                 "%s shuffled with the mask from __activemask(), although each lane needs the value of one "
                 "particular lane",
                 who);
    else
        snprintf(f.message, sizeof f.message,
                 "%s %s with the mask from __activemask(): lanes that execute this line at another time are left out",
                 who, verbs[e->kind]);
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
    .question = "does a shuffle, vote, match.all, redux or warp barrier use __activemask() as its mask?",
    .part_of = MEASURE_BARRIERS,
    .callbacks = &callbacks,
    .create = create,
    .finish = finish,
    .findings = kinds,
};
