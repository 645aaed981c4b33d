/* Which lanes drop the value that a load gives them? Compilers and people move loads in front of the condition under
 * which their value is used: then a choice (selp), a guard or the next branch decides. What a lane drops reaches no
 * store, no address and no branch of that lane, so no race can come of it.
 *
 * From the load to the end of its basic block the code is one way for all lanes, so what decides can be known at the
 * load: each such load has a small program of masks (`struct sim_drop_step`), made while the program is decoded. A
 * value of which this cannot be said (it lives on behind the branch, on a side that the lane takes) counts as used. */
#include "sim/machine.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 64, MOST_STEPS = 96, LONGEST_WINDOW = 400, USED = 0, LOADED = 1 };
#define NOT_LOADED UINT8_MAX

/* The look at one load. Values are numbered: those of a register in the order in which it is written. */
struct window {
    const struct sim_program *p;
    const struct sim_function *f;
    const struct ptx_insn *code;
    uint32_t load, at;        /* the load; where the look has come to */
    uint8_t *value;           /* by register: the number of its value, or NOT_LOADED */
    bool always[MOST_VALUES]; /* it comes of the load in every lane */
    unsigned values, steps;
    struct sim_drop_step step[MOST_STEPS];
    uint8_t *early, *seen; /* by instruction: it is among the steps; scratch of is_live() */
    uint32_t *queue;
    bool failed; /* no more can be said: all lanes use the value */
};

/* ---- operands ----------------------------------------------------------------------------------- */

typedef void each_register(struct window *w, uint32_t reg, void *context);
static void each_in(struct window *w, const struct ptx_operand *o, each_register *call, void *context) {
    if ((o->kind == PTX_REGISTER || o->kind == PTX_MEMORY) && o->reg != PTX_NO_REG) call(w, o->reg, context);
    for (unsigned k = 0; o->kind == PTX_VECTOR && k < o->count; k++) each_in(w, &o->elements[k], call, context);
}
static void each_source(struct window *w, const struct ptx_insn *i, each_register *call, void *context) {
    for (unsigned k = ptx_written(i); k < i->count; k++) each_in(w, &i->operand[k], call, context);
    if (i->call) each_in(w, &i->call->pointer, call, context);
}
static void each_written(struct window *w, const struct ptx_insn *i, each_register *call, void *context) {
    if (ptx_written(i)) each_in(w, &i->operand[0], call, context);
    each_in(w, &i->pred_dest, call, context);
}
struct question {
    uint32_t reg;
    bool yes;
};
static void is_it(struct window *w, uint32_t reg, void *context) {
    struct question *q = context;
    (void)w;
    q->yes |= q->reg == reg;
}
static bool reads(struct window *w, const struct ptx_insn *i, uint32_t reg) {
    struct question q = {reg, i->guard == reg};
    each_source(w, i, is_it, &q);
    return q.yes;
}
static bool writes(struct window *w, const struct ptx_insn *i, uint32_t reg) {
    struct question q = {reg, false};
    each_written(w, i, is_it, &q);
    return q.yes;
}

/* Is the register read on some way from `from`, before it is written? */
static bool is_live(struct window *w, uint32_t from, uint32_t reg) {
    const uint32_t count = w->f->source->code_count;
    uint32_t waiting = 0;
    memset(w->seen, 0, count);
    for (uint32_t n = from;; n = w->queue[--waiting]) {
        for (; n < count && !w->seen[n]; n++) {
            const struct ptx_insn *i = &w->code[n];
            w->seen[n] = 1;
            if (reads(w, i, reg)) return true;
            if (i->guard == PTX_NO_REG && writes(w, i, reg)) break;
            for (unsigned k = 0; k < ptx_target_count(i); k++)
                if (!w->seen[ptx_target(i, k)] && waiting < count) w->queue[waiting++] = ptx_target(i, k);
            if (i->guard == PTX_NO_REG && (ptx_target_count(i) || ptx_leaves(i))) break;
        }
        if (!waiting) return false;
    }
}

/* ---- what decides ------------------------------------------------------------------------------- */

/* The one instruction between the load and `end` that writes the register; `end`: none; PTX_NO_REG: several. */
static uint32_t writer(struct window *w, uint32_t reg, uint32_t end) {
    uint32_t found = end;
    for (uint32_t n = w->load + 1; n < end; n++)
        if (writes(w, &w->code[n], reg)) found = found == end ? n : PTX_NO_REG;
    return found;
}
static bool carries(enum ptx_op op) {
    return op == PTX_OP_addc || op == PTX_OP_addc_in || op == PTX_OP_subc || op == PTX_OP_subc_in ||
           op == PTX_OP_madc_lo || op == PTX_OP_madc_lo_in || op == PTX_OP_madc_hi || op == PTX_OP_madc_hi_in;
}
static void add_step(struct window *w, struct sim_drop_step step) {
    if (w->steps == MOST_STEPS)
        w->failed = true;
    else
        w->step[w->steps++] = step;
}
static void compute_early(struct window *w, uint32_t n);
static void source_early(struct window *w, uint32_t reg, void *context) {
    const uint32_t n = *(const uint32_t *)context, from = writer(w, reg, n);
    if (from == PTX_NO_REG || writes(w, &w->code[w->load], reg))
        w->failed = true;
    else if (from != n)
        compute_early(w, from);
}
static void only_here(struct window *w, uint32_t reg, void *context) {
    const uint32_t n = *(const uint32_t *)context;
    if (writer(w, reg, w->at) != n) w->failed = true;
    for (uint32_t k = w->load; k <= n; k++) /* n itself, too: what counts up by itself would do so twice */
        if (reads(w, &w->code[k], reg)) w->failed = true;
}
/* Instruction n, behind the load, is executed with it, and once more in its own place: it must come to the same, and
 * nobody may miss what was in its destinations before. */
static void compute_early(struct window *w, uint32_t n) {
    const struct ptx_insn *i = &w->code[n];
    const struct ptx_traits *t = ptx_traits_of(i);
    if (w->early[n] || w->failed) return;
    w->failed |= t->memory != PTX_MEMORY_NONE || t->flow != PTX_FLOW_NEXT || t->crosses != PTX_CROSSES_NOTHING ||
                 i->guard != PTX_NO_REG || carries(i->op) || w->p->code[w->f->entry + n].flags;
    for (unsigned k = 1; k < i->count; k++)
        w->failed |= i->operand[k].kind != PTX_REGISTER && i->operand[k].kind != PTX_IMMEDIATE;
    if (!w->failed) each_written(w, i, only_here, &n);
    if (!w->failed) each_source(w, i, source_early, &n);
    w->early[n] = 1;
    add_step(w, (struct sim_drop_step){.early = &w->p->code[w->f->entry + n], .row = SIM_NO_ROW});
}
static uint32_t known_predicate(struct window *w, uint32_t reg) {
    const uint32_t n = writer(w, reg, w->at);
    if (n == PTX_NO_REG || w->value[reg] != NOT_LOADED)
        w->failed = true;
    else if (n != w->at)
        compute_early(w, n);
    return w->f->register_offset[reg];
}

/* ---- where the value goes ----------------------------------------------------------------------- */

/* Value `to` comes of value `from`: in the lanes of the predicate, or in all. */
static void goes(struct window *w, unsigned to, unsigned from, uint32_t predicate, bool negated) {
    const uint32_t row = predicate == PTX_NO_REG ? SIM_NO_ROW : known_predicate(w, predicate);
    if (row == SIM_NO_ROW && w->always[from]) w->always[to] = true;
    add_step(w, (struct sim_drop_step){.to = (uint8_t)to, .from = (uint8_t)from, .row = row, .negated = negated});
}
struct flow {
    unsigned to;
    uint32_t predicate;
    bool negated, any;
};
static void flows(struct window *w, uint32_t reg, void *context) {
    struct flow *f = context;
    if (w->value[reg] == NOT_LOADED) return;
    if (f->to != NOT_LOADED) goes(w, f->to, w->value[reg], f->predicate, f->negated);
    f->any = true;
}
static void set_value(struct window *w, uint32_t reg, void *context) { w->value[reg] = *(const uint8_t *)context; }
static void keep_old(struct window *w, uint32_t reg, void *context) {
    const struct flow *f = context;
    if (w->value[reg] != NOT_LOADED) goes(w, f->to, w->value[reg], f->predicate, !f->negated);
}
static bool is_chosen(const struct ptx_insn *i) {
    return ptx_traits_of(i)->undefined == PTX_UNDEFINED_CHOICE && i->count > 3 && i->operand[3].kind == PTX_REGISTER;
}
static void chosen(struct window *w, const struct ptx_insn *i, uint8_t to) {
    const bool negated = i->operand[3].negated;
    struct flow a = {to, i->operand[3].reg, negated, false}, b = {to, i->operand[3].reg, !negated, false};
    each_in(w, &i->operand[1], flows, &a);
    each_in(w, &i->operand[2], flows, &b);
}
static bool computes(const struct ptx_insn *i) {
    const struct ptx_traits *t = ptx_traits_of(i);
    return t->memory == PTX_MEMORY_NONE && t->flow == PTX_FLOW_NEXT && t->crosses == PTX_CROSSES_NOTHING &&
           t->undefined != PTX_UNDEFINED_STORED && t->undefined != PTX_UNDEFINED_DECIDES;
}
static void look_at(struct window *w, const struct ptx_insn *i) {
    const bool guarded = i->guard != PTX_NO_REG;
    struct flow none = {NOT_LOADED, PTX_NO_REG, false, false};
    each_source(w, i, flows, &none);
    if (guarded && w->value[i->guard] != NOT_LOADED) {
        w->failed = true;
    } else if (!computes(i)) {
        struct flow use = {USED, i->guard, i->guard_negated, false};
        if (none.any) each_source(w, i, flows, &use);
        if (guarded) return;
    } else if (none.any) {
        if (w->values == MOST_VALUES || (guarded && is_chosen(i))) {
            w->failed = true;
            return;
        }
        uint8_t to = (uint8_t)w->values++;
        struct flow all = {to, i->guard, i->guard_negated, false};
        if (is_chosen(i) && w->value[i->operand[3].reg] == NOT_LOADED)
            chosen(w, i, to);
        else
            each_source(w, i, flows, &all);
        if (guarded) each_written(w, i, keep_old, &all);
        each_written(w, i, set_value, &to);
        return;
    } else if (guarded)
        return; /* what was there may stay */
    uint8_t nothing = NOT_LOADED;
    each_written(w, i, set_value, &nothing);
}
/* The basic block ends before or with instruction `end`: values that live on are used by the lanes that take them. */
static void leave(struct window *w, uint32_t end, bool label) {
    const struct ptx_insn *i = &w->code[end];
    const bool branch = !label && ptx_traits_of(i)->flow == PTX_FLOW_BRANCH;
    if (!label && !branch && !ptx_leaves(i)) w->failed = true;
    if (!label && i->guard != PTX_NO_REG && w->value[i->guard] != NOT_LOADED) w->failed = true;
    for (uint32_t r = 0; r < w->f->source->register_count && !w->failed; r++) {
        if (w->value[r] == NOT_LOADED) continue;
        const bool goes_on = label || i->guard != PTX_NO_REG;
        const bool next = goes_on && is_live(w, label ? end : end + 1, r);
        const bool there = branch && is_live(w, ptx_target(i, 0), r);
        if (next && (there || label))
            goes(w, USED, w->value[r], PTX_NO_REG, false);
        else if (next || there)
            goes(w, USED, w->value[r], i->guard, next ? !i->guard_negated : i->guard_negated);
    }
}
/* Are there lanes that may drop what the load gives? */
static bool may_drop(struct window *w, const uint8_t *target) {
    const uint32_t count = w->f->source->code_count;
    uint8_t loaded = LOADED;
    memset(w->value, NOT_LOADED, w->f->source->register_count);
    memset(w->early, 0, count);
    memset(w->always, 0, sizeof w->always);
    w->steps = 0, w->values = LOADED + 1, w->always[LOADED] = true, w->failed = false;
    each_written(w, &w->code[w->load], set_value, &loaded);
    for (w->at = w->load + 1; w->at < count && w->at - w->load < LONGEST_WINDOW; w->at++) {
        const struct ptx_insn *i = &w->code[w->at];
        const enum ptx_flow flow = ptx_traits_of(i)->flow;
        const bool ends = flow != PTX_FLOW_NEXT && flow != PTX_FLOW_CALL;
        if (target[w->at] || ends) {
            leave(w, w->at, target[w->at]);
            return !w->failed && !w->always[USED];
        }
        look_at(w, i);
        if (w->failed || w->always[USED]) return false;
    }
    return false;
}

/* ---- all loads of a function -------------------------------------------------------------------- */

static bool keep(struct sim_program *p, const struct window *w) {
    if (!p->drop_of && !(p->drop_of = calloc(p->code_count + 1, sizeof *p->drop_of))) return false;
    struct sim_drop *grown = realloc(p->drops, (p->drop_count + 1) * sizeof *grown);
    if (!grown) return false;
    p->drops = grown;
    struct sim_drop_step *steps = malloc((w->steps + 1) * sizeof *steps);
    if (!steps) return false;
    memcpy(steps, w->step, w->steps * sizeof *steps);
    p->drop_of[w->f->entry + w->load] = p->drop_count;
    p->drops[p->drop_count++] = (struct sim_drop){steps, w->steps, w->values};
    p->code[w->f->entry + w->load].memory.uses |= SIM_USE_DROPPED;
    return true;
}
bool sim_find_dropped(struct sim_program *p, const struct sim_function *f) {
    const struct ptx_function *s = f->source;
    const size_t registers = s->register_count + 1, code = s->code_count + 1;
    uint8_t *bytes = calloc(registers + 3 * code, 1);
    uint32_t *queue = calloc(code, sizeof *queue);
    struct window *w = calloc(1, sizeof *w);
    bool ok = bytes && queue && w;
    if (ok) {
        uint8_t *target = bytes + registers;
        *w = (struct window){.p = p, .f = f, .code = s->code, .value = bytes, .queue = queue};
        w->early = target + code, w->seen = w->early + code;
        for (uint32_t n = 0; n < s->code_count; n++)
            for (unsigned k = 0; k < ptx_target_count(&s->code[n]); k++) target[ptx_target(&s->code[n], k)] = 1;
        for (uint32_t n = w->load = 0; ok && n < s->code_count; w->load = ++n) {
            const struct ptx_insn *i = &s->code[n];
            const bool open = i->space == PTX_GENERIC || i->space == PTX_GLOBAL || i->space == PTX_SHARED;
            if (ptx_traits_of(i)->memory == PTX_MEMORY_LOAD && open && may_drop(w, target)) ok = keep(p, w);
        }
    }
    free(w);
    free(bytes);
    free(queue);
    return ok;
}
void sim_forget_dropped(struct sim_program *p) {
    for (uint32_t k = 0; k < p->drop_count; k++) free(p->drops[k].steps);
    free(p->drops);
    free(p->drop_of);
}

/* ---- while the program runs --------------------------------------------------------------------- */

uint32_t sim_dropped(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const struct sim_program *p = w->block->run->program;
    const struct sim_drop *d = &p->drops[p->drop_of[sim_pc(w, i)]];
    uint32_t lanes[MOST_VALUES] = {[LOADED] = mask};
    for (unsigned k = 0; k < d->count; k++) {
        const struct sim_drop_step *s = &d->steps[k];
        if (s->early) {
            s->early->exec(w, s->early, mask);
            continue;
        }
        const uint32_t which = s->row == SIM_NO_ROW ? SIM_FULL : *sim_predicate(w, s->row);
        lanes[s->to] |= lanes[s->from] & (s->negated ? ~which : which);
    }
    return mask & ~lanes[USED];
}
