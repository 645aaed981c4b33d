/* Finds the lanes that drop a loaded value, which means that the value affects none of their results.
 *
 * From the load on, the look-ahead interprets the code for the lanes that executed the load, each along its own path.
 * It tracks which registers depend on the loaded value, and which instructions use these registers. It writes only the
 * registers that control branches and selects, and restores them at the end.
 *
 * A lane uses the value if it stores the value, branches on it, uses it as an address, or passes it to other lanes. The
 * look-ahead also assumes a use if the path is unknown (after a branch on a value in memory), or if the look-ahead
 * reaches its limit of instructions. */
#include "sim/ahead.h"
#include <stdlib.h>
#include <string.h>

/* MAX_STEPS: maximum number of instructions per look-ahead. MAX_FAILURES: a warp stops looking ahead after this many
 * attempts that reached the limit. */
enum { MAX_STEPS = 256, MAX_FAILURES = 16 };

/* Properties of a register, as masks of lanes. */
struct known {
    uint32_t loaded;  /* lanes whose value depends on the loaded value */
    uint32_t unknown; /* lanes whose value may differ from that of the real execution */
    bool listed;
};
struct path {
    uint32_t at, lanes;
};
struct saved {
    uint32_t offset, bytes;
    uint8_t row[SIM_WARP * 8];
};
struct sim_look {
    struct sim_warp *w;
    const struct sim_function *f;
    const struct sim_ahead *a;
    struct known *reg;
    uint32_t *list, listed; /* list: the registers with an entry in `reg`; listed: their number */
    uint64_t *holding;      /* bit set: registers that depend on the loaded value in at least one lane */
    uint32_t capacity;      /* size of the three arrays above, in registers */
    uint32_t used;
    struct path path[SIM_WARP];
    unsigned paths, saves;
    struct saved saved[MAX_STEPS];
};

/* ---- registers ---------------------------------------------------------------------------------- */

static struct known *known_of(struct sim_look *l, uint32_t reg) {
    if (!l->reg[reg].listed) l->reg[reg].listed = true, l->list[l->listed++] = reg;
    return &l->reg[reg];
}
static void set_loaded(struct sim_look *l, uint32_t reg, uint32_t lanes) {
    const uint64_t bit = UINT64_C(1) << reg % 64, rest = l->holding[reg / 64] & ~bit;
    l->reg[reg].loaded = lanes;
    l->holding[reg / 64] = rest | (lanes ? bit : 0);
}
static uint32_t loaded(const struct sim_look *l, uint32_t reg) { return reg == PTX_NO_REG ? 0 : l->reg[reg].loaded; }
static uint32_t unknown(const struct sim_look *l, uint32_t reg) { return reg == PTX_NO_REG ? 0 : l->reg[reg].unknown; }
static uint32_t predicate(const struct sim_look *l, uint32_t reg, bool negated) {
    const uint32_t p = *sim_predicate(l->w, l->f->register_offset[reg]);
    return negated ? ~p : p;
}
static bool keep_row(struct sim_look *l, uint32_t reg) {
    if (l->saves == MAX_STEPS) return false;
    struct saved *s = &l->saved[l->saves++];
    const unsigned bits = ptx_type_bits(l->f->source->registers[reg].type);
    s->offset = l->f->register_offset[reg];
    s->bytes =
        l->f->source->registers[reg].type == PTX_PRED ? sizeof(uint32_t) : (bits < 16 ? 16 : bits) / 8 * SIM_WARP;
    memcpy(s->row, l->w->r + s->offset, s->bytes);
    return true;
}
static void put_back(struct sim_look *l) {
    while (l->saves) {
        const struct saved *s = &l->saved[--l->saves];
        memcpy(l->w->r + s->offset, s->row, s->bytes);
    }
}

/* ---- one instruction ---------------------------------------------------------------------------- */

typedef uint32_t lanes_of(const struct sim_look *l, uint32_t reg); /* loaded() or unknown() */

static uint32_t any(const struct sim_look *l, const struct sim_ahead_step *s, lanes_of *of) {
    uint32_t lanes = 0;
    for (unsigned k = 0; k < s->sources; k++) lanes |= of(l, s->source[k]);
    return lanes;
}
/* Returns the lanes in which the result inherits a property (loaded or unknown) from its sources. */
static uint32_t result_of(const struct sim_look *l, const struct sim_ahead_step *s, lanes_of *of) {
    const uint32_t all = any(l, s, of);
    if (!all || s->kind == SIM_AHEAD_COMPUTES) return all;
    const uint32_t ra = s->source[0], rb = s->source[1], rc = s->source[2], a = of(l, ra), b = of(l, rb);
    if (s->kind == SIM_AHEAD_CHOOSES) {
        const uint32_t p = predicate(l, rc, s->negated & SIM_NOT_C), u = unknown(l, rc);
        return of(l, rc) | (a & (p | u)) | (b & (~p | u));
    }
    /* In a lane, the result of `and` depends on a source if the other one is 1; that of `or`, if the other one is 0. */
    const bool or = s->kind == SIM_AHEAD_OR;
    const uint32_t through_a = predicate(l, ra, !(s->negated & SIM_NOT_A) == or) | unknown(l, ra);
    const uint32_t through_b = predicate(l, rb, !(s->negated & SIM_NOT_B) == or) | unknown(l, rb);
    return (a & b) | (a & through_b) | (b & through_a);
}
/* Executes the instruction early if a branch or select depends on its result. Returns the lanes whose result remains
 * unknown. */
static uint32_t run_early(struct sim_look *l, const struct sim_ahead_step *s, uint32_t lanes) {
    if (!s->exec) return SIM_FULL;
    for (unsigned k = 0; k < s->dests; k++)
        if (!keep_row(l, s->written[k])) return SIM_FULL;
    /* A step of kind SIM_AHEAD_USES with a handler loads a parameter. */
    const uint32_t u = s->kind == SIM_AHEAD_USES ? 0 : result_of(l, s, unknown);
    s->exec(l->w, &l->w->block->run->program->code[l->f->entry + (uint32_t)(s - l->a->step)], lanes);
    return u;
}
/* Returns the lanes of *lanes whose guard is true. Removes lanes whose guard depends on the loaded value from *lanes,
 * because they use it. Sets *unsure to the lanes whose guard is unknown. */
static uint32_t pass_guard(struct sim_look *l, const struct sim_ahead_step *s, uint32_t *lanes, uint32_t *unsure) {
    *unsure = 0;
    if (s->guard == PTX_NO_REG) return *lanes;
    l->used |= loaded(l, s->guard) & *lanes;
    *lanes &= ~l->used;
    *unsure = unknown(l, s->guard) & *lanes;
    return *lanes & predicate(l, s->guard, s->guard_negated);
}
static void execute(struct sim_look *l, const struct sim_ahead_step *s, uint32_t *lanes) {
    uint32_t unsure, active = pass_guard(l, s, lanes, &unsure);
    uint32_t result = 0;
    if (s->kind == SIM_AHEAD_USES) {
        l->used |= any(l, s, loaded) & (active | unsure);
        *lanes &= ~l->used;
    } else
        result = result_of(l, s, loaded);
    active &= ~unsure;
    const uint32_t u = active ? run_early(l, s, active) : 0;
    for (unsigned k = 0; k < s->dests; k++) {
        struct known *d = known_of(l, s->written[k]);
        set_loaded(l, s->written[k], (d->loaded & ~active) | (result & (active | unsure)));
        d->unknown = (d->unknown & ~active) | (u & active) | unsure;
    }
}

/* ---- paths -------------------------------------------------------------------------------------- */

/* Returns the lanes in which some path from the start of `block` reads a register that depends on the load. Sets *must
 * to the lanes in which every path does. */
static uint32_t holding(const struct sim_look *l, uint32_t block, uint32_t lanes, uint32_t *must) {
    const uint64_t *always = l->a->must + block * l->a->words, *live = l->a->live + block * l->a->words;
    uint32_t held = *must = 0;
    for (uint32_t word = 0; word < l->a->words; word++)
        for (uint64_t rest = l->holding[word] & live[word]; rest; rest &= rest - 1) {
            const unsigned bit = (unsigned)__builtin_ctzll(rest);
            const uint32_t here = l->reg[64 * word + bit].loaded & lanes;
            held |= here, *must |= always[word] >> bit & 1 ? here : 0;
        }
    return held;
}
/* Moves lanes into a block. Lanes that read the value on every path from there use it. Returns the lanes that do so
 * only on some paths. */
static uint32_t enter(struct sim_look *l, uint32_t block, uint32_t lanes) {
    uint32_t must;
    const uint32_t held = holding(l, block, lanes, &must);
    l->used |= must;
    return held & ~must;
}
static void add_way(struct sim_look *l, uint32_t at, uint32_t lanes) {
    const uint32_t block = at < l->f->source->code_count ? l->a->step[at].block : SIM_NO_BLOCK;
    if (at >= l->f->source->code_count) return;
    if (block != SIM_NO_BLOCK) lanes = enter(l, block, lanes);
    if (!lanes) return;
    for (unsigned k = 0; k < l->paths; k++)
        if (l->path[k].at == at) {
            l->path[k].lanes |= lanes;
            return;
        }
    l->path[l->paths++] = (struct path){at, lanes};
}
/* Removes and returns the path that is farthest behind. Other paths can then merge with it. */
static struct path next_path(struct sim_look *l) {
    unsigned first = 0;
    for (unsigned k = 1; k < l->paths; k++)
        if (l->path[k].at < l->path[first].at) first = k;
    const struct path w = l->path[first];
    l->path[first] = l->path[--l->paths];
    return w;
}
/* Handles lanes with an unknown path: they use the value if any possible path reads it. */
static void go_anywhere(struct sim_look *l, const struct sim_ahead_step *s, uint32_t lanes) {
    uint32_t must;
    if (s[1].block != SIM_NO_BLOCK) l->used |= holding(l, s[1].block, lanes, &must);
    if (s->kind == SIM_AHEAD_BRANCH) l->used |= holding(l, l->a->step[s->target].block, lanes, &must);
    if (s->kind == SIM_AHEAD_TABLE) l->used |= lanes;
}
/* Follows a path to the end of its basic block. Returns the number of instructions. */
static unsigned follow(struct sim_look *l, struct path w) {
    unsigned steps = 1;
    for (const struct sim_ahead_step *s = &l->a->step[w.at];; s++, steps++) {
        const uint32_t next = (uint32_t)(s - l->a->step) + 1;
        if (s->kind >= SIM_AHEAD_USES) {
            execute(l, s, &w.lanes);
        } else {
            uint32_t unsure, active = pass_guard(l, s, &w.lanes, &unsure);
            if (s->kind == SIM_AHEAD_TABLE) unsure = w.lanes;
            go_anywhere(l, s, unsure);
            w.lanes &= ~unsure, active &= ~unsure;
            if (s->kind == SIM_AHEAD_BRANCH && active) add_way(l, s->target, active);
            w.lanes &= ~active;
        }
        if (!w.lanes) return steps;
        if (next >= l->f->source->code_count || s[1].block != SIM_NO_BLOCK || steps == MAX_STEPS) {
            add_way(l, next, w.lanes);
            return steps;
        }
    }
}

static void free_rows(struct sim_look *l) {
    free(l->reg);
    free(l->list);
    free(l->holding);
}
/* Returns the launch's scratch memory with room for `registers` registers, or NULL if out of memory. */
static struct sim_look *prepare(struct sim_run *run, uint32_t registers) {
    struct sim_look *l = run->look ? run->look : (run->look = calloc(1, sizeof *l));
    if (!l || registers <= l->capacity) return l;
    struct known *reg = calloc(registers, sizeof *reg);
    uint32_t *list = malloc(registers * sizeof *list);
    uint64_t *holding = calloc(registers / 64 + 1, sizeof *holding);
    free_rows(l);
    l->reg = reg, l->list = list, l->holding = holding, l->capacity = reg && list && holding ? registers : 0;
    return l->capacity ? l : NULL;
}
void sim_forget_looks(struct sim_run *run) {
    if (run->look) free_rows(run->look);
    free(run->look);
    run->look = NULL;
}

uint32_t sim_dropped(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const struct sim_program *p = w->block->run->program;
    const uint32_t pc = sim_pc(w, i), carry = w->carry;
    const struct sim_function *f = &p->functions[p->function_of[pc]];
    struct sim_look *l = w->failed_looks < MAX_FAILURES ? prepare(w->block->run, f->source->register_count) : NULL;
    if (!l) return 0;
    const struct sim_ahead_step *s = &f->ahead->step[pc - f->entry];
    unsigned steps = 0;
    l->w = w, l->f = f, l->a = f->ahead, l->listed = l->used = l->paths = l->saves = 0;
    for (unsigned k = 0; k < s->dests; k++) {
        known_of(l, s->written[k])->unknown = mask;
        set_loaded(l, s->written[k], mask);
    }
    add_way(l, pc - f->entry + 1, mask);
    while (l->paths && steps < MAX_STEPS) steps += follow(l, next_path(l));
    for (unsigned k = 0; k < l->paths; k++) l->used |= l->path[k].lanes;
    w->failed_looks += l->paths > 0;
    put_back(l);
    w->carry = carry;
    for (unsigned k = 0; k < l->listed; k++) l->reg[l->list[k]] = (struct known){0}, l->holding[l->list[k] / 64] = 0;
    return mask & ~l->used;
}
uint32_t sim_dropped_of(const struct sim_access *e) {
    return e->on_demand ? sim_dropped(e->on_demand, e->insn, e->mask) : e->dropped;
}
