/* Assigns each register a row in its function's frame. Finds the registers that may be read before they are written:
 * those that are live at the function's entry, according to backward liveness analysis. A new frame clears only these.
 *
 * An unoptimized function may have thousands of registers, most of which it needs for a few instructions only. In a
 * large frame, registers share a row if no instruction needs both values, so that the frame fits into the cache. Lanes
 * at different pcs do not interfere, because each lane has its own column of a row. */
#include "sim/decoding.h"
#include <stdlib.h>
#include <string.h>

struct liveness {
    const struct ptx_function *source;
    size_t words;   /* 64-bit words per set of registers */
    uint32_t *slot; /* indexed by instruction: index of the live set of a branch target */
    uint64_t *at;   /* the live sets */
    uint64_t *live; /* registers that are live at this instruction */
};
static bool holds(const uint64_t *set, uint32_t reg) { return set[reg / 64] >> reg % 64 & 1; }

static void add_uses(const struct ptx_operand *o, uint64_t *live) {
    if ((o->kind == PTX_REGISTER || o->kind == PTX_MEMORY) && o->reg != PTX_NO_REG)
        live[o->reg / 64] |= UINT64_C(1) << o->reg % 64;
    for (unsigned k = 0; o->kind == PTX_VECTOR && k < o->count; k++) add_uses(&o->elements[k], live);
}
static void step_back(const struct ptx_insn *i, uint64_t *live) {
    const unsigned written = ptx_written(i);
    if (i->guard == PTX_NO_REG && written) { /* a write with a guard keeps some lanes' old value */
        const struct ptx_operand *o = &i->operand[0];
        unsigned n = o->kind == PTX_VECTOR ? o->count : 1;
        for (unsigned k = 0; k < n; k++) {
            const struct ptx_operand *e = o->kind == PTX_VECTOR ? &o->elements[k] : o;
            if (e->kind == PTX_REGISTER) live[e->reg / 64] &= ~(UINT64_C(1) << e->reg % 64);
        }
        if (i->pred_dest.kind == PTX_REGISTER) live[i->pred_dest.reg / 64] &= ~(UINT64_C(1) << i->pred_dest.reg % 64);
    }
    if (i->guard != PTX_NO_REG) live[i->guard / 64] |= UINT64_C(1) << i->guard % 64;
    for (unsigned k = written; k < i->count; k++) add_uses(&i->operand[k], live);
    if (i->call) add_uses(&i->call->pointer, live);
}

static bool make_sets(struct liveness *l) {
    const struct ptx_function *s = l->source;
    uint32_t slots = 0;
    l->words = s->register_count / 64 + 1;
    l->live = calloc(l->words, sizeof *l->live);
    l->slot = malloc((s->code_count + 1) * sizeof *l->slot);
    if (!l->live || !l->slot) return false;
    for (uint32_t k = 0; k <= s->code_count; k++) l->slot[k] = UINT32_MAX;
    for (uint32_t k = 0; k < s->code_count; k++)
        for (unsigned t = 0; t < ptx_target_count(&s->code[k]); t++)
            if (l->slot[ptx_target(&s->code[k], t)] == UINT32_MAX) l->slot[ptx_target(&s->code[k], t)] = slots++;
    l->at = calloc(slots * l->words + 1, sizeof *l->at);
    return l->at != NULL;
}
/* Computes the registers that are live after instruction k from those that are live before its successors. */
static void meet(struct liveness *l, uint32_t k) {
    const struct ptx_insn *i = &l->source->code[k];
    if ((ptx_target_count(i) || ptx_leaves(i)) && i->guard == PTX_NO_REG)
        memset(l->live, 0, l->words * sizeof *l->live);
    for (unsigned t = 0; t < ptx_target_count(i); t++)
        for (size_t n = 0; n < l->words; n++) l->live[n] |= l->at[l->slot[ptx_target(i, t)] * l->words + n];
}
/* Goes backward over the code until the live sets at branch targets do not grow any more. Leaves the entry's set in
 * l->live. */
static void flow(struct liveness *l) {
    const struct ptx_function *s = l->source;
    for (bool changed = true; changed;) {
        changed = false;
        memset(l->live, 0, l->words * sizeof *l->live);
        for (uint32_t k = s->code_count; k-- > 0;) {
            const struct ptx_insn *i = &s->code[k];
            meet(l, k);
            step_back(i, l->live);
            uint64_t *set = l->slot[k] == UINT32_MAX ? NULL : &l->at[l->slot[k] * l->words];
            if (set && memcmp(set, l->live, l->words * sizeof *l->live))
                memcpy(set, l->live, l->words * sizeof *l->live), changed = true;
        }
    }
}

/* ---- rows --------------------------------------------------------------------------------------- */
enum { LARGE = 1 << 14 };

static bool is_predicate(const struct ptx_function *s, uint32_t reg) { return s->registers[reg].type == PTX_PRED; }
static uint32_t bytes_of_register(const struct ptx_function *s, uint32_t reg) {
    const unsigned bits = ptx_type_bits(s->registers[reg].type);
    return bits <= 16 ? 2 * SIM_WARP : bits / 8 * SIM_WARP;
}
struct extents {
    const struct ptx_function *source;
    const struct liveness *live;
    struct sim_extent *of;
};
static void touch(const struct extents *x, uint32_t which, uint32_t at) {
    struct sim_extent *e = &x->of[which];
    if (at < e->first) e->first = at;
    if (at > e->last) e->last = at;
}
static void touch_operand(const struct extents *x, const struct ptx_operand *o, uint32_t at) {
    if ((o->kind == PTX_REGISTER || o->kind == PTX_MEMORY) && o->reg != PTX_NO_REG) touch(x, o->reg, at);
    for (unsigned k = 0; o->kind == PTX_VECTOR && k < o->count; k++) touch_operand(x, &o->elements[k], at);
}
static void touch_live(const struct extents *x, uint32_t at) {
    for (size_t word = 0; word < x->live->words; word++)
        for (uint64_t rest = x->live->live[word]; rest; rest &= rest - 1)
            touch(x, (uint32_t)(64 * word) + (uint32_t)__builtin_ctzll(rest), at);
}
/* Sets each register's extent: the first and last instruction, in code order, that need its value. */
static void find_extents(const struct extents *x, struct liveness *l) {
    const struct ptx_function *s = x->source;
    for (uint32_t k = 0; k < s->register_count; k++) x->of[k] = (struct sim_extent){UINT32_MAX, 0};
    memset(l->live, 0, l->words * sizeof *l->live);
    for (uint32_t k = s->code_count; k-- > 0;) {
        const struct ptx_insn *i = &s->code[k];
        meet(l, k);
        if (ptx_target_count(i)) touch_live(x, k);
        for (unsigned n = 0; n < i->count; n++) touch_operand(x, &i->operand[n], k);
        touch_operand(x, &i->pred_dest, k);
        if (i->guard != PTX_NO_REG) touch(x, i->guard, k);
        if (i->call) touch_operand(x, &i->call->pointer, k);
        step_back(i, l->live);
        if (l->slot[k] != UINT32_MAX) touch_live(x, k);
    }
    touch_live(x, 0);
}
struct placed {
    struct sim_extent extent;
    bool zero; /* a new frame clears the row */
    uint32_t bytes, *offset;
};
static int by_first(const void *a, const void *b) {
    const struct placed *x = a, *y = b;
    if (x->zero != y->zero) return x->zero ? -1 : 1;
    if (x->extent.first != y->extent.first) return x->extent.first < y->extent.first ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}
/* Assigns each register the first free row of its size (linear scan). Registers that are live at the function's entry
 * come first, so that their rows are adjacent; no two of them share a row, because all their extents begin at the
 * entry. */
static bool share_rows(struct sim_function *f, struct placed *placed, uint32_t count) {
    struct placed *row = malloc((count + 1) * sizeof *row);
    uint32_t rows = 0;
    if (!row) return false;
    qsort(placed, count, sizeof *placed, by_first);
    for (uint32_t k = 0; k < count; k++) {
        const struct placed *p = &placed[k];
        uint32_t at = 0;
        while (at < rows && (row[at].bytes != p->bytes || row[at].extent.last >= p->extent.first)) at++;
        *p->offset = at < rows ? *row[at].offset : sim_take_row(f, p->bytes);
        if (p->zero) f->zero_end = f->frame_bytes;
        row[at] = *p;
        rows += at == rows;
    }
    free(row);
    return true;
}
static bool place_sharing(struct sim_function *f, struct liveness *l) {
    const struct ptx_function *s = f->source;
    const struct extents x = {s, l, f->extent = malloc((s->register_count + 1) * sizeof *f->extent)};
    struct placed *placed = malloc((s->register_count + 1) * sizeof *placed);
    uint32_t count = 0;
    const bool enough = x.of && placed;
    if (enough) find_extents(&x, l);
    for (uint32_t r = 0; enough && r < s->register_count; r++)
        if (!is_predicate(s, r))
            placed[count++] =
                (struct placed){x.of[r], holds(l->live, r), bytes_of_register(s, r), &f->register_offset[r]};
    const bool ok = enough && share_rows(f, placed, count);
    free(placed);
    return ok;
}
/* place_predicates() and place_others() assign rows to the registers that are live at the function's entry (`zero`), or
 * to those that are not. */
static void place_predicates(struct sim_function *f, const struct liveness *l, bool zero) {
    for (uint32_t r = 0; r < f->source->register_count; r++)
        if (is_predicate(f->source, r) && holds(l->live, r) == zero)
            f->register_offset[r] = f->frame_bytes, f->frame_bytes += 4;
}
static void place_others(struct sim_function *f, const struct liveness *l, bool zero) {
    for (uint32_t r = 0; r < f->source->register_count; r++)
        if (!is_predicate(f->source, r) && holds(l->live, r) == zero)
            f->register_offset[r] = sim_take_row(f, bytes_of_register(f->source, r));
}
/* Places the registers that are live at the function's entry side by side, so that one memset() clears them. */
static bool place(struct sim_function *f, struct liveness *l) {
    const struct ptx_function *s = f->source;
    uint64_t bytes = 0;
    for (uint32_t r = 0; r < s->register_count; r++) bytes += is_predicate(s, r) ? 0 : bytes_of_register(s, r);
    place_predicates(f, l, false);
    f->zero_begin = f->frame_bytes;
    place_predicates(f, l, true);
    f->zero_end = f->frame_bytes;
    if (bytes > LARGE) return place_sharing(f, l);
    place_others(f, l, true);
    f->zero_end = f->frame_bytes;
    place_others(f, l, false);
    return true;
}

bool sim_place_registers(struct sim_function *f) {
    const struct ptx_function *s = f->source;
    struct liveness l = {.source = s};
    f->zero = malloc((s->register_count + 1) * sizeof *f->zero);
    f->register_offset = calloc(s->register_count + 1, sizeof *f->register_offset);
    bool ok = f->zero && f->register_offset && make_sets(&l);
    if (ok) flow(&l);
    for (uint32_t r = 0; ok && r < s->register_count; r++)
        if (holds(l.live, r)) f->zero[f->zero_count++] = r;
    ok = ok && place(f, &l);
    free(l.live);
    free(l.slot);
    free(l.at);
    return ok;
}

static bool is_read(const struct ptx_operand *o, const uint64_t *read) {
    for (unsigned k = 0; o->kind == PTX_VECTOR && k < o->count; k++)
        if (is_read(&o->elements[k], read)) return true;
    return o->kind == PTX_REGISTER && holds(read, o->reg);
}
/* Marks atomics without a result register, or with one that is never read. These atomics tell their thread nothing
 * about other threads. */
bool sim_find_unused_results(struct sim_program *p, const struct sim_function *f) {
    const struct ptx_function *s = f->source;
    uint64_t *read = calloc(s->register_count / 64 + 1, sizeof *read);
    if (!read) return false;
    for (uint32_t k = 0; k < s->code_count; k++) {
        const struct ptx_insn *i = &s->code[k];
        for (unsigned n = ptx_written(i); n < i->count; n++) add_uses(&i->operand[n], read);
        if (i->guard != PTX_NO_REG) read[i->guard / 64] |= UINT64_C(1) << i->guard % 64;
        if (i->call) add_uses(&i->call->pointer, read);
    }
    for (uint32_t k = 0; k < s->code_count; k++) {
        const struct ptx_insn *i = &s->code[k];
        if (ptx_traits_of(i)->memory == PTX_MEMORY_ATOMIC)
            p->code[f->entry + k].memory.result_unused = !ptx_written(i) || !is_read(&i->operand[0], read);
    }
    free(read);
    return true;
}
