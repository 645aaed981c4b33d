/* Finds out during decoding how loaded values are used. The race probe needs two properties.
 *
 * Compared: before a compare-and-swap at the same location, the program computes only the comparand and the new value
 * from the loaded value. An old value then only causes another iteration, so the probe treats the load like an atomic
 * one. An example is the load before the loop of the programming guide's atomicAdd(double *).
 *
 * Data: as far as the analysis can follow it, the value of a strong load is stored or used in computations, but does
 * not decide a branch. A flag or a lock decides what its thread does next, and may be read at any time. Data may be
 * read only after a synchronization.
 *
 * Also finds the shuffles that may exchange values computed from memory. */
#include "sim/decoding.h"
#include "sim/flat.h"
#include "sim/places.h"
#include <stdlib.h>
#include <string.h>

/* The analysis of one load. tainted, by register: it depends on the loaded value. condition, by register: it is the
 * result of a comparison of a tainted value. inside, by instruction: a path from the load leads to it without a
 * compare-and-swap. */
struct look {
    const struct ptx_function *f;
    const struct ptx_insn *load;
    uint32_t *definition; /* see sim_find_definitions() */
    uint8_t *tainted, *condition, *inside;
    uint32_t *queue;
};

static bool reads_address(const struct ptx_insn *i, const uint8_t *set) {
    const struct ptx_operand *m = sim_memory_operand(i);
    return m && m->reg != PTX_NO_REG && set[m->reg];
}
static bool is_swap(const struct ptx_insn *i) {
    return ptx_traits_of(i)->memory == PTX_MEMORY_ATOMIC && ptx_mod_of(i, PTX_CLASS_OPERATION) == PTX_MOD_CAS;
}
/* Returns whether other threads may see the instruction's effect, or whether it makes threads wait. */
static bool has_effect(const struct ptx_insn *i) {
    const struct ptx_traits *t = ptx_traits_of(i);
    if (t->memory == PTX_MEMORY_STORE) return i->space != PTX_LOCAL;
    const bool orders = t->memory == PTX_MEMORY_FENCE || t->memory == PTX_MEMORY_BARRIER;
    return t->memory == PTX_MEMORY_ATOMIC || orders || t->crosses != PTX_CROSSES_NOTHING || i->call;
}

static bool same_place(const struct look *l, const struct ptx_insn *a, const struct ptx_insn *b) {
    const struct sim_place p = sim_place_of(l->f, l->definition, sim_memory_operand(a));
    const struct sim_place q = sim_place_of(l->f, l->definition, sim_memory_operand(b));
    return p.symbol == q.symbol && p.reg == q.reg && p.offset == q.offset &&
           ptx_type_bits(a->type) == ptx_type_bits(b->type);
}

/* ---- compared --------------------------------------------------------------------------------- */

static bool is_final(const struct look *l, uint32_t at) {
    return is_swap(&l->f->code[at]) && same_place(l, l->load, &l->f->code[at]);
}
/* Marks in `set` the instructions on all paths from `from` to `end`; stops at the compare-and-swap. Returns false if a
 * path does not lead to `end`. */
static bool reach(const struct look *l, uint32_t from, uint32_t end, uint8_t *set) {
    uint32_t count = 0;
    bool arrives = true;
#define VISIT(n)                                                                                                       \
    do {                                                                                                               \
        const uint32_t n_ = (n);                                                                                       \
        if (n_ >= l->f->code_count || (n_ != end && is_final(l, n_)))                                                  \
            arrives = false;                                                                                           \
        else if (n_ != end && !set[n_])                                                                                \
            set[n_] = 1, l->queue[count++] = n_;                                                                       \
    } while (0)
    VISIT(from);
    while (count) {
        const uint32_t n = l->queue[--count];
        const struct ptx_insn *i = &l->f->code[n];
        for (unsigned k = 0; k < ptx_target_count(i); k++) VISIT(ptx_target(i, k));
        const bool goes = ptx_target_count(i) || ptx_leaves(i);
        if (ptx_leaves(i)) arrives = false;
        if (!goes || i->guard != PTX_NO_REG) VISIT(n + 1);
    }
#undef VISIT
    return arrives;
}
/* Returns whether a branch on the loaded value is harmless: both sides join before the compare-and-swap and only change
 * registers. Marks these registers as tainted. */
static bool decides_registers_only(const struct look *l, uint32_t at, uint8_t *side, bool *more) {
    const struct ptx_insn *i = &l->f->code[at];
    const uint32_t join = l->f->join ? l->f->join[at] : PTX_NO_REG;
    if (join >= l->f->code_count || !(l->inside[join] || is_final(l, join))) return false;
    memset(side, 0, l->f->code_count);
    bool arrives = reach(l, at + 1, join, side);
    for (unsigned k = 0; k < ptx_target_count(i); k++) arrives &= reach(l, ptx_target(i, k), join, side);
    if (!arrives || side[at]) return false;
    for (uint32_t n = 0; n < l->f->code_count; n++) {
        if (!side[n]) continue;
        if (has_effect(&l->f->code[n])) return false;
        *more |= sim_add_written(&l->f->code[n], l->tainted);
    }
    return true;
}
static bool only_compared(struct look *l, uint32_t load, uint8_t *side) {
    const struct ptx_function *f = l->f;
    memset(l->inside, 0, f->code_count);
    memset(l->tainted, 0, f->register_count);
    reach(l, load + 1, load, l->inside);
    sim_add_written(l->load, l->tainted);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t n = 0; n < f->code_count; n++) {
            const struct ptx_insn *i = &f->code[n];
            const bool decides = i->guard != PTX_NO_REG && l->tainted[i->guard];
            if (!l->inside[n] || n == load || !(decides || sim_reads(i, l->tainted) || reads_address(i, l->tainted)))
                continue;
            if (has_effect(i) || reads_address(i, l->tainted) || ptx_leaves(i)) return false;
            if (ptx_target_count(i)) {
                if (!decides_registers_only(l, n, side, &more)) return false;
            } else
                more |= sim_add_written(i, l->tainted);
        }
    }
    bool compared = false;
    for (uint32_t n = 0; n < f->code_count; n++) {
        if (!is_final(l, n)) continue;
        const struct ptx_insn *swap = &f->code[n];
        const unsigned first = ptx_written(swap);
        compared |= sim_any_register(&swap->operand[first + 1], l->tainted);
    }
    return compared;
}

/* ---- data ------------------------------------------------------------------------------------- */

/* Returns whether the loaded value itself, not a result, is saved in a local variable, as unoptimized code does with
 * every value. The analysis does not follow the saved value. */
static bool is_put_aside(const struct look *l, const struct ptx_insn *i) {
    const struct ptx_operand *to = sim_memory_operand(i), *value = &i->operand[1];
    const char *base = to && to->reg != PTX_NO_REG ? l->f->registers[to->reg].name : "";
    if (ptx_traits_of(i)->memory != PTX_MEMORY_STORE || value->kind != PTX_REGISTER) return false;
    if (i->space != PTX_LOCAL && strcmp(base, "%SP") != 0 && strcmp(base, "%SPL") != 0) return false;
    uint32_t reg = value->reg;
    for (uint32_t at = l->definition[reg]; at < l->f->code_count; at = l->definition[reg]) {
        const struct ptx_insn *d = &l->f->code[at];
        if (d == l->load) return true;
        if (ptx_traits_of(d)->address != PTX_ADDRESS_SAME || d->operand[1].kind != PTX_REGISTER) return false;
        reg = d->operand[1].reg;
    }
    return false;
}
static bool is_data(struct look *l) {
    const struct ptx_function *f = l->f;
    bool data = false;
    memset(l->tainted, 0, f->register_count);
    memset(l->condition, 0, f->register_count);
    sim_add_written(l->load, l->tainted);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t n = 0; n < f->code_count; n++) {
            const struct ptx_insn *i = &f->code[n];
            if (i->guard != PTX_NO_REG && l->condition[i->guard]) return false;
            const bool compares = ptx_written(i) && ptx_ops[i->op].operands[0] == 'p';
            if (compares && (sim_reads(i, l->tainted) || sim_reads(i, l->condition)))
                more |= sim_add_written(i, l->condition);
            const bool passes_on = ptx_written(i) && i->type == PTX_PRED && sim_reads(i, l->condition);
            if (passes_on) more |= sim_add_written(i, l->condition);
            if (compares || !(sim_reads(i, l->tainted) || reads_address(i, l->tainted))) continue;
            if (ptx_traits_of(i)->memory == PTX_MEMORY_STORE && i->space == PTX_PARAM)
                return false; /* the called function may branch on the value */
            if (is_put_aside(l, i)) return false;
            if (i != l->load && (has_effect(i) || reads_address(i, l->tainted))) data = true;
            if (!ptx_accesses_memory(ptx_traits_of(i))) more |= sim_add_written(i, l->tainted);
        }
    }
    return data;
}

/* ---- all loads of a function ------------------------------------------------------------------ */

static bool is_strong(const struct ptx_insn *i) {
    const enum ptx_mod sem = ptx_mod_of(i, PTX_CLASS_SEM);
    return sem != PTX_MOD_NONE && sem != PTX_MOD_WEAK;
}

bool sim_find_uses(struct sim_program *p, const struct sim_function *f) {
    const struct ptx_function *s = f->source;
    const size_t registers = s->register_count + 1, code = s->code_count + 1;
    bool swaps = false, strong = false;
    for (uint32_t n = 0; n < s->code_count; n++) {
        swaps |= is_swap(&s->code[n]);
        strong |= ptx_traits_of(&s->code[n])->memory == PTX_MEMORY_LOAD && is_strong(&s->code[n]);
    }
    if (!swaps && !strong) return true;
    uint8_t *bytes = calloc(2 * registers + 2 * code, 1);
    uint32_t *words = calloc(registers + code, sizeof *words);
    if (bytes && words) {
        struct look l = {s, NULL, words, bytes, bytes + registers, bytes + 2 * registers, words + registers};
        sim_find_definitions(s, words);
        for (uint32_t n = 0; n < s->code_count; n++) {
            const struct ptx_insn *i = l.load = &s->code[n];
            const bool open = i->space == PTX_GENERIC || i->space == PTX_GLOBAL || i->space == PTX_SHARED;
            if (ptx_traits_of(i)->memory != PTX_MEMORY_LOAD || !open) continue;
            uint32_t uses = 0;
            if (swaps && only_compared(&l, n, bytes + 2 * registers + code)) uses |= SIM_USE_COMPARED;
            if (is_strong(i) && is_data(&l)) uses |= SIM_USE_DATA;
            p->code[f->entry + n].memory.uses = (uint8_t)uses;
        }
    }
    const bool ok = bytes && words;
    free(bytes);
    free(words);
    return ok;
}

/* ---- shuffles --------------------------------------------------------------------------------- */

static bool exchanges(const struct ptx_insn *i) {
    return i->op == PTX_OP_shfl || i->op == PTX_OP_shfl_active || i->op == PTX_OP_redux;
}
/* Returns whether the instruction's result may depend on values in memory. The kernel's parameters do not count, nor
 * does an atomic addition, with which cuda::barrier counts arrivals. If the function calls others, their results are in
 * parameters. */
static bool reads_values(const struct ptx_function *f, const struct ptx_insn *i, bool calls) {
    switch (ptx_traits_of(i)->memory) {
    case PTX_MEMORY_LOAD: return i->space != PTX_PARAM || calls || !f->entry;
    case PTX_MEMORY_ATOMIC: {
        const enum ptx_mod op = ptx_mod_of(i, PTX_CLASS_OPERATION);
        return op != PTX_MOD_ADD && op != PTX_MOD_NONE;
    }
    default: return ptx_traits_of(i)->memory == PTX_MEMORY_TEXTURE || i->call;
    }
}
bool sim_find_carriers(struct sim_program *p, const struct sim_function *f) {
    const struct ptx_function *s = f->source;
    bool any = false, calls = false;
    for (uint32_t n = 0; n < s->code_count; n++) any |= exchanges(&s->code[n]), calls |= s->code[n].call != NULL;
    if (!any) return true;
    uint8_t *depends = calloc(s->register_count + 1, 1);
    if (!depends) return false;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t n = 0; n < s->code_count; n++) {
            const struct ptx_insn *i = &s->code[n];
            if (reads_values(s, i, calls) || (!ptx_accesses_memory(ptx_traits_of(i)) && sim_reads(i, depends)))
                more |= sim_add_written(i, depends);
        }
    }
    for (uint32_t n = 0; n < s->code_count; n++)
        if (exchanges(&s->code[n]) && sim_any_register(&s->code[n].operand[1], depends))
            p->code[f->entry + n].flags |= SIM_CARRIES;
    free(depends);
    return true;
}

/* ---- unoptimized code --------------------------------------------------------------------------- */

enum { SEEN = 1, NOT_ONLY_COMPARED = 2 };

/* Records the uses of each load, by pc, in a kernel and in the functions that it calls. */
static bool look_at_kernel(const struct sim_program *p, const struct sim_function *kernel, uint8_t *noted) {
    struct sim_flat *flat = sim_flatten(p, kernel);
    if (!flat) return true; /* there is no flat copy, so the results for the individual functions have to suffice */
    const struct ptx_function *s = &flat->f;
    const size_t registers = s->register_count + 1, code = s->code_count + 1;
    uint8_t *bytes = calloc(2 * registers + 3 * code, 1);
    uint32_t *words = calloc(registers + code, sizeof *words);
    const bool ok = bytes && words;
    if (ok) {
        struct look l = {s, NULL, words, bytes, bytes + registers, bytes + 2 * registers, words + registers};
        sim_find_definitions(s, words);
        for (uint32_t n = 0; n < s->code_count; n++) {
            const struct ptx_insn *i = l.load = &s->code[n];
            const bool open = i->space == PTX_GENERIC || i->space == PTX_GLOBAL || i->space == PTX_SHARED;
            if (ptx_traits_of(i)->memory != PTX_MEMORY_LOAD || !open || flat->origin[n] == PTX_NO_REG) continue;
            noted[flat->origin[n]] |= SEEN;
            if (!only_compared(&l, n, bytes + 2 * registers + code)) noted[flat->origin[n]] |= NOT_ONLY_COMPARED;
        }
    }
    free(bytes);
    free(words);
    sim_flat_free(flat);
    return ok;
}
static bool has_locals(const struct ptx_function *f) {
    for (unsigned k = 0; k < f->local_count; k++)
        if (f->locals[k]->space == PTX_LOCAL) return true;
    return false;
}
bool sim_find_uses_behind_calls(struct sim_program *p) {
    bool swaps = false, ok = true;
    for (uint32_t n = 0; n < p->code_count; n++) swaps |= is_swap(p->source[n]);
    if (!swaps) return true;
    uint8_t *noted = calloc(p->code_count, 1);
    if (!noted) return false;
    for (unsigned k = 0; ok && k < p->module->function_count; k++) {
        const struct sim_function *f = &p->functions[k];
        if (f->source->entry && (f->calls || has_locals(f->source))) ok = look_at_kernel(p, f, noted);
    }
    for (uint32_t n = 0; ok && n < p->code_count; n++)
        if (noted[n] == SEEN) p->code[n].memory.uses |= SIM_USE_COMPARED;
    free(noted);
    return ok;
}
