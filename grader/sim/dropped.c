/* Finds the loads whose value some lanes may drop. Compilers and programmers hoist loads above the condition under
 * which the value is needed. A later select (selp), guard, branch or loop exit then decides whether a lane uses the
 * value. A lane drops a value that reaches none of its stores, addresses or branches, and the load then cannot cause a
 * race.
 *
 * Most values are used on every path from the load to the end of the kernel. These loads are found here, during
 * decoding, and cost nothing at run time. For each execution of other loads, ahead.c finds the lanes that drop the
 * value; this file prepares their functions for it. */
#include "sim/ahead.h"
#include "sim/decoding.h"
#include <stdlib.h>
#include <string.h>

/* ---- registers that an instruction reads and writes --------------------------------------------- */

typedef void each_register(uint32_t reg, void *context);
static void each_in(const struct ptx_operand *o, each_register *call, void *context) {
    if ((o->kind == PTX_REGISTER || o->kind == PTX_MEMORY) && o->reg != PTX_NO_REG) call(o->reg, context);
    for (unsigned k = 0; o->kind == PTX_VECTOR && k < o->count; k++) each_in(&o->elements[k], call, context);
}
static void each_source(const struct ptx_insn *i, each_register *call, void *context) {
    for (unsigned k = ptx_written(i); k < i->count; k++) each_in(&i->operand[k], call, context);
    if (i->call) each_in(&i->call->pointer, call, context);
}
static void each_written(const struct ptx_insn *i, each_register *call, void *context) {
    if (ptx_written(i)) each_in(&i->operand[0], call, context);
    each_in(&i->pred_dest, call, context);
}

static enum sim_ahead_kind kind_of(const struct ptx_insn *i) {
    const struct ptx_traits *t = ptx_traits_of(i);
    if (t->flow == PTX_FLOW_BRANCH) return SIM_AHEAD_BRANCH;
    if (ptx_leaves(i)) return SIM_AHEAD_LEAVES;
    if (t->flow == PTX_FLOW_TABLE) return SIM_AHEAD_TABLE;
    if (t->memory != PTX_MEMORY_NONE || t->flow != PTX_FLOW_NEXT || t->crosses != PTX_CROSSES_NOTHING ||
        t->undefined == PTX_UNDEFINED_STORED || t->undefined == PTX_UNDEFINED_DECIDES)
        return SIM_AHEAD_USES;
    const bool registers = i->count > 2 && i->operand[1].kind == PTX_REGISTER && i->operand[2].kind == PTX_REGISTER;
    switch (t->undefined) {
    case PTX_UNDEFINED_CHOICE:
        return i->count > 3 && i->operand[3].kind == PTX_REGISTER ? SIM_AHEAD_CHOOSES : SIM_AHEAD_COMPUTES;
    case PTX_UNDEFINED_AND: return registers ? SIM_AHEAD_AND : SIM_AHEAD_COMPUTES;
    case PTX_UNDEFINED_OR: return registers ? SIM_AHEAD_OR : SIM_AHEAD_COMPUTES;
    default: return SIM_AHEAD_COMPUTES;
    }
}

/* ---- register sets at the start of basic blocks ------------------------------------------------- */

struct sets {
    const struct ptx_function *f;
    const enum sim_ahead_kind *kind;
    const uint32_t *leader; /* indexed by instruction: the basic block that begins there, or SIM_NO_BLOCK */
    size_t words;
    uint64_t *at, *set; /* at: the set at each block's start; set: the set at walk()'s current position */
    bool must;          /* find registers used on every path, instead of registers read on some path */
};
static bool holds(const uint64_t *set, uint32_t reg) { return set[reg / 64] >> reg % 64 & 1; }
static void add(uint32_t reg, void *set) { ((uint64_t *)set)[reg / 64] |= UINT64_C(1) << reg % 64; }
static void discard(uint32_t reg, void *set) { ((uint64_t *)set)[reg / 64] &= ~(UINT64_C(1) << reg % 64); }
struct membership {
    const uint64_t *set;
    bool any, all;
};
static void test(uint32_t reg, void *context) {
    struct membership *q = context;
    const bool yes = holds(q->set, reg);
    q->any |= yes, q->all &= yes;
}
/* Transfer function. Turns the set of registers that are used on every path after the instruction into the set before
 * it. */
static void must_before(const struct sets *s, const struct ptx_insn *i, enum sim_ahead_kind kind) {
    const bool guarded = i->guard != PTX_NO_REG;
    struct membership result = {s->set, false, true};
    each_written(i, test, &result);
    each_written(i, discard, s->set);
    const bool uses = kind == SIM_AHEAD_USES || kind == SIM_AHEAD_TABLE, computes = kind >= SIM_AHEAD_COMPUTES;
    if (guarded && (!computes || result.any)) add(i->guard, s->set);
    if (guarded || !(uses || (computes && result.any))) return;
    if (kind == SIM_AHEAD_CHOOSES)
        add(i->operand[3].reg, s->set);
    else if (uses || kind == SIM_AHEAD_COMPUTES)
        each_source(i, add, s->set);
}
static void may_before(const struct sets *s, const struct ptx_insn *i) {
    if (i->guard == PTX_NO_REG)
        each_written(i, discard, s->set);
    else
        add(i->guard, s->set);
    each_source(i, add, s->set);
}
/* Joins the set after instruction n with the sets of its other successors. */
static void meet(struct sets *s, uint32_t n) {
    const struct ptx_insn *i = &s->f->code[n];
    const unsigned targets = ptx_target_count(i);
    const bool next = i->guard != PTX_NO_REG || !(targets || ptx_leaves(i));
    if (!next) memset(s->set, s->must && targets ? 0xff : 0, s->words * sizeof *s->set);
    if (next && ptx_leaves(i) && s->must) memset(s->set, 0, s->words * sizeof *s->set);
    for (unsigned k = 0; k < targets; k++) {
        const uint64_t *there = &s->at[s->leader[ptx_target(i, k)] * s->words];
        for (size_t m = 0; m < s->words; m++) s->set[m] = s->must ? s->set[m] & there[m] : s->set[m] | there[m];
    }
}
/* Walks backward over the code once. Unless `visit` is NULL, calls it for each load, with the set after the load.
 * Returns whether any block's set has changed. */
static bool walk(struct sets *s, void (*visit)(struct sets *s, uint32_t n, void *context), void *context) {
    bool changed = false;
    memset(s->set, 0, s->words * sizeof *s->set);
    for (uint32_t n = s->f->code_count; n-- > 0;) {
        const struct ptx_insn *i = &s->f->code[n];
        meet(s, n);
        if (visit && ptx_traits_of(i)->memory == PTX_MEMORY_LOAD) visit(s, n, context);
        if (s->must)
            must_before(s, i, s->kind[n]);
        else
            may_before(s, i);
        if (s->leader[n] == SIM_NO_BLOCK) continue;
        uint64_t *at = &s->at[s->leader[n] * s->words];
        changed |= memcmp(at, s->set, s->words * sizeof *at) != 0;
        memcpy(at, s->set, s->words * sizeof *at);
    }
    return changed;
}

/* ---- loads whose value may be unused on some path ------------------------------------------------ */

struct candidates {
    struct sim_program *p;
    const struct sim_function *f;
    bool any;
};
static void look_at_load(struct sets *s, uint32_t n, void *context) {
    struct candidates *c = context;
    const struct ptx_insn *i = &s->f->code[n];
    struct membership q = {s->set, false, true};
    each_written(i, test, &q);
    if (q.any || (i->space != PTX_GENERIC && i->space != PTX_GLOBAL && i->space != PTX_SHARED)) return;
    c->p->code[c->f->entry + n].memory.uses |= SIM_USE_DROPPED;
    c->any = true;
}

/* ---- code for the look-ahead --------------------------------------------------------------------- */

/* Finds the registers that a branch, guard or select depends on. ahead.c computes them. */
static void find_deciding(const struct ptx_function *f, const enum sim_ahead_kind *kind, uint64_t *deciding) {
    for (uint32_t n = 0; n < f->code_count; n++) {
        const struct ptx_insn *i = &f->code[n];
        if (i->guard != PTX_NO_REG) add(i->guard, deciding);
        if (kind[n] == SIM_AHEAD_CHOOSES) add(i->operand[3].reg, deciding);
        if (kind[n] == SIM_AHEAD_AND || kind[n] == SIM_AHEAD_OR) each_source(i, add, deciding);
    }
    for (bool more = true; more;) {
        more = false;
        for (uint32_t n = f->code_count; n-- > 0;) {
            struct membership result = {deciding, false, true}, sources = {deciding, false, true};
            each_written(&f->code[n], test, &result);
            each_source(&f->code[n], test, &sources);
            if (kind[n] < SIM_AHEAD_COMPUTES || !result.any || sources.all) continue;
            each_source(&f->code[n], add, deciding);
            more = true;
        }
    }
}
static bool carries(enum ptx_op op) {
    return op == PTX_OP_addc || op == PTX_OP_addc_in || op == PTX_OP_subc || op == PTX_OP_subc_in ||
           op == PTX_OP_madc_lo || op == PTX_OP_madc_lo_in || op == PTX_OP_madc_hi || op == PTX_OP_madc_hi_in;
}
/* Returns whether the instruction can be executed early: it has no side effects, and its result does not depend on when
 * it runs. */
static bool may_run_early(const struct ptx_insn *i, const struct sim_insn *d, enum sim_ahead_kind kind, bool entry) {
    const bool parameter = entry && ptx_traits_of(i)->memory == PTX_MEMORY_LOAD && i->space == PTX_PARAM;
    return (kind >= SIM_AHEAD_COMPUTES || (parameter && i->operand[1].symbol)) && !(d->flags & ~SIM_GUARDED) &&
           d->exec != sim_exec_clock && !carries(i->op);
}
struct list {
    uint32_t *to;
    unsigned count;
};
static void put(uint32_t reg, void *context) {
    struct list *l = context;
    if (l->count < SIM_AHEAD_MAX) l->to[l->count] = reg;
    l->count++;
}
static void put_down(struct sim_ahead *a, const struct sim_program *p, const struct sim_function *f,
                     const enum sim_ahead_kind *kind, const uint32_t *leader, const uint64_t *deciding) {
    a->step[f->source->code_count].block = SIM_NO_BLOCK;
    for (uint32_t n = 0; n < f->source->code_count; n++) {
        const struct ptx_insn *i = &f->source->code[n];
        const struct sim_insn *d = &p->code[f->entry + n];
        struct sim_ahead_step *s = &a->step[n];
        struct membership q = {deciding, false, true};
        struct list sources = {s->source, 0}, written = {s->written, 0};
        each_written(i, test, &q);
        each_source(i, put, &sources);
        each_written(i, put, &written);
        s->sources = (uint8_t)sources.count, s->dests = (uint8_t)written.count;
        s->kind = (uint8_t)kind[n], s->block = leader[n], s->guard = i->guard, s->guard_negated = i->guard_negated;
        for (unsigned k = 0; s->kind > SIM_AHEAD_COMPUTES && k < 3; k++) {
            const struct ptx_operand *o = k + 1 < i->count ? &i->operand[k + 1] : NULL;
            s->source[k] = o && o->kind == PTX_REGISTER ? o->reg : PTX_NO_REG, s->sources = 3;
            s->negated |= o && o->negated ? (uint8_t)(SIM_NOT_A << k) : 0;
        }
        s->target = s->kind == SIM_AHEAD_BRANCH ? ptx_target(i, 0) : 0;
        if (q.any && may_run_early(i, d, kind[n], f->source->entry)) s->exec = d->exec;
    }
}

/* ---- entry points ------------------------------------------------------------------------------- */

static uint32_t find_blocks(const struct ptx_function *s, uint32_t *leader) {
    uint32_t blocks = 0;
    for (uint32_t n = 0; n <= s->code_count; n++) leader[n] = SIM_NO_BLOCK;
    for (uint32_t n = 0; n < s->code_count; n++) {
        const struct ptx_insn *i = &s->code[n];
        if (ptx_target_count(i) || ptx_leaves(i)) leader[n + 1] = 0;
        for (unsigned k = 0; k < ptx_target_count(i); k++) leader[ptx_target(i, k)] = 0;
    }
    for (uint32_t n = 0; n < s->code_count; n++)
        if (leader[n] != SIM_NO_BLOCK) leader[n] = blocks++;
    return blocks;
}
static bool has_open_load(const struct ptx_function *s) {
    for (uint32_t n = 0; n < s->code_count; n++) {
        const struct ptx_insn *i = &s->code[n];
        const bool open = i->space == PTX_GENERIC || i->space == PTX_GLOBAL || i->space == PTX_SHARED;
        if (ptx_traits_of(i)->memory == PTX_MEMORY_LOAD && open) return true;
    }
    return false;
}
void sim_ahead_free(struct sim_ahead *a) {
    if (!a) return;
    free(a->step);
    free(a->must);
    free(a->live);
    free(a);
}
/* Marks the loads whose value may be dropped, and fills in *a. Sets *any if the function has any. Returns false if out
 * of memory. */
static bool find(struct sim_program *p, struct sim_function *f, struct sim_ahead *a, enum sim_ahead_kind *kind,
                 uint32_t *leader, bool *any) {
    const struct ptx_function *s = f->source;
    a->words = s->register_count / 64 + 1;
    const size_t size = (find_blocks(s, leader) + 1) * a->words;
    uint64_t *scratch = calloc(a->words, sizeof *scratch);
    a->must = malloc(size * sizeof *a->must), a->live = calloc(size, sizeof *a->live);
    a->step = calloc(s->code_count + 1, sizeof *a->step);
    const bool ok = scratch && a->must && a->live && a->step;
    if (ok) {
        struct candidates c = {p, f, false};
        struct sets sets = {s, kind, leader, a->words, a->must, scratch, true};
        for (uint32_t n = 0; n < s->code_count; n++) kind[n] = kind_of(&s->code[n]);
        memset(a->must, 0xff, size * sizeof *a->must);
        while (walk(&sets, NULL, NULL)) {}
        walk(&sets, look_at_load, &c);
        *any = c.any;
        sets.must = false, sets.at = a->live;
        while (c.any && walk(&sets, NULL, NULL)) {}
        memset(scratch, 0, a->words * sizeof *scratch);
        if (c.any) find_deciding(s, kind, scratch), put_down(a, p, f, kind, leader, scratch);
    }
    free(scratch);
    return ok;
}
bool sim_find_dropped(struct sim_program *p, struct sim_function *f) {
    const size_t code = f->source->code_count + 1;
    if (!has_open_load(f->source)) return true;
    enum sim_ahead_kind *kind = malloc(code * sizeof *kind);
    uint32_t *leader = malloc(code * sizeof *leader);
    struct sim_ahead *a = calloc(1, sizeof *a);
    bool any = false;
    const bool ok = kind && leader && a && find(p, f, a, kind, leader, &any);
    if (any)
        f->ahead = a;
    else
        sim_ahead_free(a);
    free(kind);
    free(leader);
    return ok;
}
