/* Detection of uninitialized variables. In compiled code, they are registers that are read before they are written
 * (registers.c). A value computed from an undefined value is itself undefined, in the same lane. An undefined value is
 * reported where it matters: when it is stored to memory that other threads can access, used as an address, or decides
 * a branch.
 *
 * Only registers that an undefined value can reach are tracked, each with a mask of the lanes where it is undefined.
 * Instructions on these registers get a handler that updates the masks and calls the original handler, so other
 * programs run at full speed. Values that pass through memory, votes or call parameters count as defined. The result of
 * a select (selp, or `and` and `or` of predicates) is undefined only if the selected operand is, because compilers
 * compute both operands.
 *
 * What a shuffle reads from an absent lane is undefined as well. If its mask does not name all lanes, some lanes
 * usually read an absent one and drop the value. The shuffle is then reported only where the value matters. */
#include "sim/decoding.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_SOURCES = 28, MAX_DESTS = 9, MAX_PASSES = 100 };
#define UNTRACKED UINT32_MAX

/* The registers of an instruction. During analysis, these are register numbers. At run time, they are offsets of the
 * registers' masks in the frame: `source` and `dest` then list only tracked registers, and the others may be
 * UNTRACKED. */
struct touched {
    unsigned sources, dests;
    uint32_t address;
    uint32_t dest[MAX_DESTS], source[MAX_SOURCES];
    uint32_t operand[PTX_MAX_OPERANDS]; /* indexed by operand: the register of a plain register operand */
};
struct sim_tracked {
    sim_exec *exec;
    enum ptx_undefined rule;
    bool partial; /* a shuffle whose mask may not name all lanes */
    struct touched at;
};

/* ---- classification of instructions ------------------------------------------------------------ */

/* Returns the rule of the instruction's row in ops.def, with exceptions for this instruction. */
static enum ptx_undefined rule_of(const struct ptx_insn *i) {
    const enum ptx_undefined rule = ptx_traits_of(i)->undefined;
    if (rule == PTX_UNDEFINED_STORED && (i->space == PTX_LOCAL || i->space == PTX_PARAM)) return PTX_UNDEFINED_DEFINED;
    if (rule == PTX_UNDEFINED_COMPARISON && i->count <= 3) return PTX_UNDEFINED_SPREADS;
    return rule;
}

static void add_source(struct touched *t, uint32_t reg) {
    if (reg != PTX_NO_REG && t->sources < MAX_SOURCES) t->source[t->sources++] = reg;
}
static void add_dest(struct touched *t, const struct ptx_operand *o) {
    for (unsigned k = 0; o->kind == PTX_VECTOR && k < o->count; k++) add_dest(t, &o->elements[k]);
    if (o->kind == PTX_REGISTER && t->dests < MAX_DESTS) t->dest[t->dests++] = o->reg;
}
static struct touched touched_by(const struct ptx_insn *i) {
    struct touched t = {.address = PTX_NO_REG};
    const unsigned written = ptx_written(i);
    for (unsigned k = 0; k < PTX_MAX_OPERANDS; k++) t.operand[k] = PTX_NO_REG;
    if (written) add_dest(&t, &i->operand[0]);
    add_dest(&t, &i->pred_dest);
    for (unsigned k = written; k < i->count; k++) {
        const struct ptx_operand *o = &i->operand[k];
        if (o->kind == PTX_MEMORY) t.address = o->reg;
        if (o->kind == PTX_REGISTER) add_source(&t, t.operand[k] = o->reg);
        for (unsigned n = 0; o->kind == PTX_VECTOR && n < o->count; n++)
            if (o->elements[n].kind == PTX_REGISTER) add_source(&t, o->elements[n].reg);
    }
    add_source(&t, i->guard);
    return t;
}

/* ---- at run time ------------------------------------------------------------------------------- */

static uint32_t *mask_at(const struct sim_warp *w, uint32_t offset) { return (uint32_t *)(void *)(w->r + offset); }
static uint32_t undefined(const struct sim_warp *w, uint32_t offset) {
    return offset == UNTRACKED ? 0 : *mask_at(w, offset);
}
static uint32_t predicate(const struct sim_warp *w, uint32_t offset, bool negated) {
    const uint32_t p = *sim_predicate(w, offset);
    return negated ? ~p : p;
}
/* Returns the lanes with a nonzero value at row `offset`. There, the result of `and` depends on the other operand. */
static uint32_t not_zero(const struct sim_warp *w, uint32_t offset, const struct sim_insn *i) {
    const unsigned bytes = ptx_type_bits(i->source->type) / 8;
    uint32_t lanes = 0;
    for (unsigned l = 0; l < SIM_WARP; l++) {
        uint64_t v = 0;
        memcpy(&v, w->r + offset + l * bytes, bytes);
        lanes |= (uint32_t)(v != 0) << l;
    }
    return lanes;
}
static uint32_t any_source(const struct sim_warp *w, const struct touched *t) {
    uint32_t u = 0;
    for (unsigned k = 0; k < t->sources; k++) u |= *mask_at(w, t->source[k]);
    return u;
}
static void set_dests(struct sim_warp *w, const struct touched *t, uint32_t u, uint32_t mask) {
    for (unsigned k = 0; k < t->dests; k++) {
        uint32_t *m = mask_at(w, t->dest[k]);
        *m = (*m & ~mask) | (u & mask);
    }
}
static void report(struct sim_warp *w, const struct sim_insn *i, uint32_t lanes, const char *what) {
    if (!lanes) return;
    struct sim_fault f = {
        .kind = SIM_FAULT_UNDEFINED, .pc = sim_pc(w, i), .lanes = lanes, .other_pc = SIM_NO_PC, .text = what};
    if (w->unsent_lanes)
        f = (struct sim_fault){.kind = SIM_FAULT_SHUFFLE_LANE,
                               .pc = w->unsent_pc,
                               .lanes = w->unsent_lanes,
                               .other_pc = SIM_NO_PC,
                               .other_lanes = w->unsent_from};
    sim_fault(w, &f);
}
/* Returns the lanes in which the instruction's result will be undefined; called before it executes. */
static uint32_t result_of(const struct sim_warp *w, const struct sim_insn *i, const struct sim_tracked *t) {
    const struct ptx_operand *o = i->source->operand;
    const uint32_t a = undefined(w, t->at.operand[1]), b = undefined(w, t->at.operand[2]),
                   c = undefined(w, t->at.operand[3]);
    switch (t->rule) {
    case PTX_UNDEFINED_SPREADS: return any_source(w, &t->at);
    case PTX_UNDEFINED_CHOICE: {
        const uint32_t p = predicate(w, i->c, o[3].negated);
        return c | (a & p) | (b & ~p);
    }
    case PTX_UNDEFINED_AND:
        return (a & b) | (a & predicate(w, i->b, o[2].negated)) | (b & predicate(w, i->a, o[1].negated));
    case PTX_UNDEFINED_OR:
        return (a & b) | (a & ~predicate(w, i->b, o[2].negated)) | (b & ~predicate(w, i->a, o[1].negated));
    case PTX_UNDEFINED_MASK: return (a & b) | (a & not_zero(w, i->b, i)) | (b & not_zero(w, i->a, i));
    default: return 0;
    }
}
/* Returns the lanes in which the result of a comparison combined with a predicate is undefined, which excludes lanes
 * where the predicate alone decides the result. */
static uint32_t comparison(const struct sim_warp *w, const struct sim_insn *i, const struct sim_tracked *t) {
    const uint32_t u = undefined(w, t->at.operand[1]) | undefined(w, t->at.operand[2]);
    const uint32_t p = predicate(w, i->c, i->source->operand[3].negated);
    switch (ptx_mod_of(i->source, PTX_CLASS_OPERATION)) {
    case PTX_MOD_AND: return u & p;
    case PTX_MOD_OR: return u & ~p;
    default: return u;
    }
}
static const struct sim_tracked *tracked_of(const struct sim_warp *w, const struct sim_insn *i) {
    const struct sim_program *p = w->block->run->program;
    return &p->tracked[p->tracked_of[i - p->code]];
}
/* Returns the lanes whose generic address points to their own local memory. */
static uint32_t in_local_memory(const struct sim_warp *w, const struct sim_insn *i) {
    const struct ptx_insn *p = i->source;
    if (p->space != PTX_GENERIC || i->memory.address_bits != 64) return 0;
    const uint64_t *address = sim_row(w, i->a);
    uint32_t lanes = 0;
    for (unsigned l = 0; l < SIM_WARP; l++)
        lanes |= (uint32_t)(address[l] + (uint64_t)i->memory.offset - SIM_LOCAL_WINDOW < SIM_WINDOW_SIZE) << l;
    return lanes;
}
/* Executes an instruction with a source that is undefined in some lane. */
static __attribute__((noinline)) void exec_undefined(struct sim_warp *w, const struct sim_insn *i, uint32_t mask,
                                                     const struct sim_tracked *t) {
    report(w, i, undefined(w, t->at.address) & mask, "used as an address");
    if (t->rule == PTX_UNDEFINED_STORED) report(w, i, any_source(w, &t->at) & mask & ~in_local_memory(w, i), "stored");
    const uint32_t u = t->rule == PTX_UNDEFINED_COMPARISON ? comparison(w, i, t) : result_of(w, i, t);
    set_dests(w, &t->at, u, mask);
    t->exec(w, i, mask);
}
static void exec_tracked(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const struct sim_tracked *t = tracked_of(w, i);
    if (any_source(w, &t->at) | undefined(w, t->at.address)) return exec_undefined(w, i, mask, t);
    for (unsigned k = 0; k < t->at.dests; k++) *mask_at(w, t->at.dest[k]) &= ~mask;
    t->exec(w, i, mask);
}
/* Executes a branch on a tracked register, which warp.c leaves to this handler. */
static void exec_tracked_branch(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const struct sim_tracked *t = tracked_of(w, i);
    report(w, i, any_source(w, &t->at) & mask, "branched on");
    if (ptx_traits_of(i->source)->flow == PTX_FLOW_BRANCH) {
        const uint32_t taken = mask & predicate(w, i->branch.condition, i->guard_negated);
        if (!taken) return;
        if (taken == mask) {
            struct sim_split *s = sim_current(w);
            if (i->branch.target < s->pc) s->rest++;
            s->pc = i->branch.target;
            w->changed = true;
            return;
        }
    }
    t->exec(w, i, mask);
}
bool sim_sends_undefined(const struct sim_warp *w, const struct sim_insn *i, uint32_t present) {
    return undefined(w, tracked_of(w, i)->at.operand[1]) & present;
}
/* An exchange is complete: lane l of `present` has the value of lane from[l] or, if `from` is NULL, a value computed
 * from all lanes. */
void sim_track_exchange(struct sim_warp *w, const struct sim_insn *i, uint32_t present, const uint8_t *from) {
    const struct sim_tracked *t = tracked_of(w, i);
    const uint32_t u = undefined(w, t->at.operand[1]) & present;
    uint32_t result = 0;
    if (!from)
        result = u ? present : 0;
    else if (u)
        SIM_EACH_LANE (l, present) result |= (u >> from[l] & 1) << l;
    set_dests(w, &t->at, result, present);
}

/* Some lanes of a shuffle have read the absent lanes `from`. If the shuffle is partial and its mask names none of
 * these, marks the values as undefined and returns true. Remembers the shuffle that concerns the lowest lane, because
 * most trees end there. */
bool sim_track_absent(struct sim_warp *w, const struct sim_insn *i, uint32_t lanes, uint32_t from) {
    const uint32_t *named = sim_row(w, i->exchange.members);
    if (!(i->flags & SIM_TRACKED) || !tracked_of(w, i)->partial || named[__builtin_ctz(lanes)] & from) return false;
    *mask_at(w, tracked_of(w, i)->at.dest[0]) |= lanes;
    if (!w->unsent_lanes || __builtin_ctz(lanes) < __builtin_ctz(w->unsent_lanes))
        w->unsent_pc = sim_pc(w, i), w->unsent_lanes = lanes, w->unsent_from = from;
    return true;
}

/* ---- when a program is decoded ----------------------------------------------------------------- */

static bool is_immediate(const struct ptx_operand *o, uint32_t value) {
    return o->kind == PTX_IMMEDIATE && (uint32_t)o->imm == value;
}
/* Marks shuffles whose mask is not the constant 0xffffffff (partial[n] for instruction n of the function). Compilers
 * move this constant into a register. Returns whether there are any. Marks no broadcasts, whose value no lane drops,
 * and none if values may pass through local memory or calls, as in unoptimized code. */
static bool find_partial(const struct sim_function *f, uint8_t *partial) {
    enum { MASK = 4 };
    uint8_t *varies = calloc(f->source->register_count + 1, 1);
    bool any = false;
    for (uint32_t n = 0; varies && n < f->source->code_count; n++) {
        const struct ptx_insn *i = &f->source->code[n];
        const struct touched t = touched_by(i);
        const bool all = i->op == PTX_OP_mov && is_immediate(&i->operand[1], UINT32_MAX);
        for (unsigned k = 0; !all && k < t.dests; k++) varies[t.dest[k]] = 1;
    }
    for (uint32_t n = 0; varies && n < f->source->code_count; n++) {
        const struct ptx_insn *i = &f->source->code[n];
        const bool broadcasts = ptx_mod_of(i, PTX_CLASS_MODE) == PTX_MOD_IDX;
        if (i->op != PTX_OP_shfl || broadcasts || i->operand[0].kind != PTX_REGISTER) continue;
        const struct ptx_operand *o = &i->operand[MASK];
        partial[n] = o->kind == PTX_REGISTER ? varies[o->reg] : !is_immediate(o, UINT32_MAX);
        any |= partial[n];
    }
    free(varies);
    return any;
}
/* Marks all registers that can be computed from those in f->zero or from values of partial shuffles. The number of
 * passes is limited, so contrived code may be tracked only in part. */
static void spread(const struct sim_function *f, const uint8_t *partial, uint8_t *reached) {
    for (unsigned k = 0; k < f->zero_count; k++) reached[f->zero[k]] = 1;
    for (uint32_t n = 0; n < f->source->code_count; n++)
        if (partial[n]) reached[f->source->code[n].operand[0].reg] = 1;
    bool more = true;
    for (unsigned pass = 0; more && pass < MAX_PASSES; pass++) {
        more = false;
        for (uint32_t n = 0; n < f->source->code_count; n++) {
            const struct ptx_insn *i = &f->source->code[n];
            const enum ptx_undefined rule = rule_of(i);
            if (rule == PTX_UNDEFINED_DEFINED || rule == PTX_UNDEFINED_STORED || rule == PTX_UNDEFINED_DECIDES)
                continue;
            const struct touched t = touched_by(i);
            bool hit = false;
            for (unsigned k = 0; k < t.sources; k++) hit |= reached[t.source[k]];
            for (unsigned k = 0; hit && k < t.dests; k++)
                if (!reached[t.dest[k]]) reached[t.dest[k]] = 1, more = true;
        }
    }
}
/* Replaces a register's number with the offset of its mask. Returns whether the register is tracked. */
static bool settle(uint32_t *reg, const uint32_t *offset) {
    *reg = *reg == PTX_NO_REG ? UNTRACKED : offset[*reg];
    return *reg != UNTRACKED;
}
/* Does the same for a list of registers, from which it removes those that are not tracked. Returns the number of those
 * that remain. */
static unsigned settle_all(uint32_t *list, unsigned count, const uint32_t *offset) {
    unsigned left = 0;
    for (unsigned k = 0; k < count; k++)
        if (settle(&list[k], offset)) list[left++] = list[k];
    return left;
}
static void track(struct sim_program *p, const struct sim_function *f, const uint8_t *partial, const uint32_t *offset) {
    for (uint32_t n = 0; n < f->source->code_count; n++) {
        struct sim_insn *i = &p->code[f->entry + n];
        struct sim_tracked t = {i->exec, rule_of(i->source), partial[n], touched_by(i->source)};
        t.at.sources = settle_all(t.at.source, t.at.sources, offset);
        t.at.dests = settle_all(t.at.dest, t.at.dests, offset);
        for (unsigned k = 0; k < PTX_MAX_OPERANDS; k++) settle(&t.at.operand[k], offset);
        const bool address = settle(&t.at.address, offset);
        const bool sinks = t.at.sources && (t.rule == PTX_UNDEFINED_STORED || t.rule == PTX_UNDEFINED_DECIDES);
        if (!t.at.dests && !sinks && !address) continue;
        p->tracked_of[f->entry + n] = p->tracked_count;
        p->tracked[p->tracked_count++] = t;
        if (t.rule == PTX_UNDEFINED_EXCHANGED)
            i->flags |= SIM_TRACKED;
        else if (t.rule == PTX_UNDEFINED_DECIDES)
            i->exec = exec_tracked_branch, i->flags &= (uint8_t)~SIM_BRANCH;
        else
            i->exec = exec_tracked;
    }
}

/* Tracks the undefined values of one function. Returns false if out of memory. */
static bool track_function(struct sim_program *p, struct sim_function *f, const uint8_t *partial) {
    const unsigned registers = f->source->register_count;
    uint8_t *reached = calloc(registers + 1, 1);
    uint32_t *offset = malloc((registers + 1) * sizeof *offset);
    if (!p->tracked_of) p->tracked_of = calloc(p->code_count + 1, sizeof *p->tracked_of);
    if (!p->tracked) p->tracked = calloc(p->code_count + 1, sizeof *p->tracked);
    f->undefined = malloc((f->zero_count + 1) * sizeof *f->undefined);
    const bool ok = reached && offset && p->tracked_of && p->tracked && f->undefined;
    if (ok) {
        spread(f, partial, reached);
        for (unsigned r = 0; r < registers; r++) {
            offset[r] = reached[r] ? f->frame_bytes : UNTRACKED;
            if (reached[r]) f->frame_bytes += sizeof(uint32_t);
        }
        for (unsigned n = 0; n < f->zero_count; n++) f->undefined[n] = offset[f->zero[n]];
        track(p, f, partial, offset);
    }
    free(reached);
    free(offset);
    return ok;
}
bool sim_track_undefined(struct sim_program *p) {
    bool ok = true;
    for (unsigned k = 0; ok && k < p->module->function_count; k++) {
        struct sim_function *f = &p->functions[k];
        uint8_t *partial = calloc(f->source->code_count + 1, 1);
        ok = partial;
        const bool inlined = f->source->entry && !f->local_bytes;
        const bool shuffles = ok && p->module->has[PTX_OP_shfl] && inlined && find_partial(f, partial);
        if (ok && (shuffles || f->zero_count)) ok = track_function(p, f, partial);
        free(partial);
    }
    return ok;
}
