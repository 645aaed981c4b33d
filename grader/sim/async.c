/* Asynchronous copies into shared memory (cp.async), and barriers in shared memory (mbarrier).
 *
 * A copy is performed as late as allowed: when its thread waits for it, or makes a barrier wait for it. So an early
 * read finds the old data, and a change of the source before the wait is copied. A barrier's state is kept in the
 * block; its eight bytes of shared memory only mark that it exists (PTX ISA, "mbarrier": the object is opaque). */
#include "base/array.h"
#include "sim/told.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COPY_BYTES = 16, MOST_COUNT = (1 << 20) - 1, BARRIER_BYTES = 8 };

/* A copy instruction, with the lanes whose copies are still outstanding. */
struct sim_copy {
    uint32_t pc, call, lanes, bytes;
    uint32_t group[SIM_WARP]; /* the number of groups that the lane had committed before */
    uint64_t to[SIM_WARP], from[SIM_WARP];
    uint8_t taken[SIM_WARP]; /* bytes read from the source; the rest is zero */
};
struct sim_copies {
    struct sim_copy *item;
    unsigned count, capacity;
    uint32_t closed[SIM_WARP]; /* committed groups per lane */
};
struct sim_mbarrier {
    uint64_t offset;
    uint32_t expected, pending; /* arrivals per phase; those still missing */
    int64_t bytes;              /* that copies still have to transfer */
    uint64_t phase;
};
struct sim_mbarriers {
    struct sim_mbarrier *item;
    unsigned count, capacity;
};

void sim_async_clear(struct sim_block *b) {
    if (b->mbarriers) b->mbarriers->count = 0;
    for (unsigned k = 0; k < b->warp_count; k++)
        if (b->warps[k].copies) {
            b->warps[k].copies->count = 0;
            memset(b->warps[k].copies->closed, 0, sizeof b->warps[k].copies->closed);
        }
}
void sim_async_free(struct sim_block *b) {
    if (b->mbarriers) free(b->mbarriers->item);
    free(b->mbarriers);
    for (unsigned k = 0; b->warps && k < b->warp_count; k++) {
        if (b->warps[k].copies) free(b->warps[k].copies->item);
        free(b->warps[k].copies);
    }
}

/* ---- operands -----------------------------------------------------------------------------------------------------
 */
/* The value of operand k of the instruction, whose row is `row`, in the lane: a number, or a 64-bit address. */
static uint64_t value_of(const struct sim_warp *w, uint32_t row, unsigned bits, uint32_t l) {
    return bits == 64 ? ((const uint64_t *)sim_row(w, row))[l] : ((const uint32_t *)sim_row(w, row))[l];
}
uint64_t sim_address_of(const struct sim_warp *w, const struct sim_insn *i, unsigned k, uint32_t row, uint32_t l,
                        enum ptx_space space) {
    const struct ptx_operand *o = &i->source->operand[k];
    const struct sim_program *p = w->block->run->program;
    const struct sim_function *f = &p->functions[p->function_of[sim_pc(w, i)]];
    const bool in_register = !o->symbol && o->reg != PTX_NO_REG;
    const unsigned bits = in_register ? ptx_type_bits(f->source->registers[o->reg].type) : 64;
    const uint64_t at = value_of(w, row, bits, l) + (in_register ? o->imm : 0);
    return space == PTX_SHARED ? SIM_SHARED_WINDOW + (uint32_t)at : at;
}
static void fault(struct sim_warp *w, const struct sim_insn *i, uint32_t lanes, enum sim_fault_kind kind,
                  const char *text) {
    struct sim_fault f = {.kind = kind, .pc = sim_pc(w, i), .lanes = lanes, .other_pc = SIM_NO_PC, .text = text};
    sim_fault(w, &f);
}
struct sim_memory *sim_locate(struct sim_warp *w, const struct sim_insn *i, uint32_t l, uint64_t address,
                              unsigned bytes, enum sim_access_kind kind, uint64_t *offset) {
    struct sim_memory *m = &w->block->shared;
    bool inside = false;
    if (address - SIM_SHARED_WINDOW < SIM_CLUSTER_WINDOWS)
        m = sim_shared_at(w->block, address);
    else
        m = sim_find(w->block->run->sim, address, &inside);
    *offset = m ? address - m->object.address : 0;
    const bool fits = m && *offset <= m->object.size && bytes <= m->object.size - *offset;
    if (fits && address % bytes == 0) return m;
    struct sim_fault f = {.kind = address < 4096 ? SIM_FAULT_NULL
                                  : fits         ? SIM_FAULT_MISALIGNED
                                                 : SIM_FAULT_BOUNDS,
                          .pc = sim_pc(w, i),
                          .lanes = 1u << l,
                          .other_pc = SIM_NO_PC,
                          .lane = l,
                          .bytes = bytes,
                          .object = m ? &m->object : NULL,
                          .address = address,
                          .offset = (int64_t)*offset,
                          .end = m ? m->object.size : 0,
                          .access = kind,
                          .space = m ? m->object.space : PTX_GLOBAL};
    sim_fault(w, &f);
    return NULL;
}

/* ---- events -------------------------------------------------------------------------------------------------------
 */
struct sim_access sim_told_access(const struct sim_warp *w, const struct told *t) {
    struct sim_access e = {.where = &w->where,
                           .pc = t->pc,
                           .mask = t->mask,
                           .kind = t->kind,
                           .object = t->object,
                           .bytes = (uint16_t)t->bytes,
                           .contiguous = true,
                           .strong = t->strong,
                           .acquire = t->acquire,
                           .release = t->release,
                           .texture = t->texture,
                           .silent = t->silent,
                           .agreeing = t->mask,
                           .scope = !t->strong ? PTX_MOD_NONE
                                    : t->scope ? t->scope
                                               : PTX_MOD_CTA,
                           .offset = t->offset,
                           .before = t->before};
    const uint32_t first = (uint32_t)__builtin_ctz(t->mask);
    SIM_EACH_LANE (l, t->mask) e.contiguous &= t->offset[l] == t->offset[first] + (uint64_t)(l - first) * t->bytes;
    return e;
}
void sim_tell(struct sim_warp *w, const struct told *t) {
    struct sim_run *run = w->block->run;
    if (!t->mask || !run->heard) return;
    const struct sim_access e = sim_told_access(w, t);
    if (run->marks) sim_mark(run, t->object, t->kind, 0, t->mask, e.contiguous, t->bytes, t->offset);
    SIM_EMIT(run, access, &e);
}
/* The store of a copy may happen from now on. */
static void tell_pending_store(struct sim_warp *w, const struct told *t) {
    const struct sim_access e = sim_told_access(w, t);
    SIM_EMIT(w->block->run, dropped, &e);
}

/* ---- copies -------------------------------------------------------------------------------------------------------
 */
static struct sim_copies *copies_of(struct sim_warp *w) {
    if (!w->copies) w->copies = calloc(1, sizeof *w->copies);
    if (!w->copies) w->block->run->stopped = w->block->run->no_memory = true;
    return w->copies;
}
/* Lanes of `mask` start or complete the copy. */
static void tell_copy(struct sim_warp *w, const struct sim_copy *c, uint32_t mask, bool begins) {
    struct sim_run *run = w->block->run;
    if (!run->copy.count) return;
    for (uint32_t todo = mask; todo;) { /* one source object at a time */
        bool inside = false;
        const struct sim_memory *m = sim_find(run->sim, c->from[__builtin_ctz(todo)], &inside);
        struct sim_copy_event e = {
            .where = &w->where, .pc = c->pc, .begins = begins, .bytes = c->bytes, .shared = &w->block->shared.object};
        uint64_t to[SIM_WARP], from[SIM_WARP] = {0};
        SIM_EACH_LANE (l, todo) {
            if (inside && c->taken[l] && c->from[l] - m->object.address >= m->object.size) continue;
            e.mask |= 1u << l;
            to[l] = c->to[l], from[l] = inside ? c->from[l] - m->object.address : 0;
        }
        e.offset = to, e.from = from, e.taken = c->taken, e.source = inside ? &m->object : NULL;
        SIM_EMIT(run, copy, &e);
        todo &= ~e.mask;
    }
}
/* Reports the loads of the source when the copy starts; unaligned ones byte by byte. */
static void tell_source(struct sim_warp *w, const struct sim_copy *c) {
    for (uint32_t todo = c->lanes; todo;) {
        const uint32_t first = (uint32_t)__builtin_ctz(todo), taken = c->taken[first];
        bool inside;
        const struct sim_memory *m = sim_find(w->block->run->sim, c->from[first], &inside);
        uint64_t offset[SIM_WARP] = {0};
        uint32_t same = 0;
        SIM_EACH_LANE (l, todo)
            if (c->taken[l] == taken && (!taken || c->from[l] - m->object.address < m->object.size)) same |= 1u << l;
        todo &= ~same;
        const unsigned each = taken & (taken - 1) ? 1 : taken;
        for (unsigned k = 0; k < taken; k += each) {
            SIM_EACH_LANE (l, same) offset[l] = c->from[l] - m->object.address + k;
            sim_tell(w, &(struct told){.pc = c->pc,
                                       .mask = same,
                                       .kind = SIM_LOAD,
                                       .object = &m->object,
                                       .bytes = each,
                                       .offset = offset});
        }
    }
}
static void exec_copy(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const struct ptx_insn *p = i->source;
    const uint32_t bytes = (uint32_t)p->operand[2].imm;
    struct sim_copies *all = copies_of(w);
    if (!all) return;
    struct sim_copy *grown = array_room(all->item, all->count + 1, &all->capacity, sizeof *grown);
    if (!grown) {
        w->block->run->stopped = w->block->run->no_memory = true;
        return;
    }
    all->item = grown;
    struct sim_copy *c = &all->item[all->count];
    *c = (struct sim_copy){.pc = sim_pc(w, i), .call = w->where.call, .bytes = bytes};
    SIM_EACH_LANE (l, mask) {
        uint64_t at, to = 0;
        const uint32_t asked = p->count > 3 ? (uint32_t)value_of(w, i->c, 32, l) : bytes;
        const uint64_t from = sim_address_of(w, i, 1, i->a, l, PTX_GLOBAL);
        if (!sim_locate(w, i, l, sim_address_of(w, i, 0, i->d, l, PTX_SHARED), bytes, SIM_STORE, &to)) continue;
        if (asked && !sim_locate(w, i, l, from, bytes, SIM_LOAD, &at)) continue;
        c->lanes |= 1u << l;
        c->to[l] = to, c->from[l] = from, c->taken[l] = (uint8_t)(asked < bytes ? asked : bytes);
        c->group[l] = all->closed[l];
    }
    if (!c->lanes) return;
    all->count++;
    tell_source(w, c);
    tell_copy(w, c, c->lanes, true);
    tell_pending_store(w, &(struct told){.pc = c->pc,
                                         .mask = c->lanes,
                                         .kind = SIM_STORE,
                                         .object = &w->block->shared.object,
                                         .bytes = bytes,
                                         .offset = c->to});
}
/* Performs the copies of these lanes. */
static void carry_out(struct sim_warp *w, struct sim_copy *c, uint32_t lanes) {
    struct sim_run *run = w->block->run;
    const uint32_t call = w->where.call;
    uint8_t before[SIM_WARP][SIM_VALUE];
    uint32_t silent = 0;
    w->where.call = c->call;
    tell_copy(w, c, lanes, false);
    SIM_EACH_LANE (l, lanes) {
        uint8_t value[COPY_BYTES] = {0}, *to = w->block->shared.data + c->to[l];
        bool inside = false;
        struct sim_memory *m = c->taken[l] ? sim_find(run->sim, c->from[l], &inside) : NULL;
        const uint8_t *from = inside ? sim_seen(run, m, c->from[l] - m->object.address) : NULL;
        if (from) memcpy(value, from, c->taken[l]);
        memcpy(before[l], to, c->bytes);
        silent |= (uint32_t)!memcmp(to, value, c->bytes) << l;
        memcpy(to, value, c->bytes);
    }
    run->changes++;
    sim_tell(w, &(struct told){.pc = c->pc,
                               .mask = lanes,
                               .silent = silent,
                               .kind = SIM_STORE,
                               .bytes = c->bytes,
                               .object = &w->block->shared.object,
                               .offset = c->to,
                               .before = run->weak ? before : NULL});
    c->lanes &= ~lanes;
    w->where.call = call;
}
/* For the lanes of `mask`, waits for all groups except the `left` youngest; with `open`, also for copies not yet
 * committed to a group. */
static void wait_for_copies(struct sim_warp *w, uint32_t mask, uint32_t left, bool open) {
    struct sim_copies *all = w->copies;
    unsigned kept = 0;
    for (unsigned k = 0; all && k < all->count; k++) {
        struct sim_copy *c = &all->item[k];
        uint32_t due = 0;
        SIM_EACH_LANE (l, c->lanes & mask) {
            const bool closed = c->group[l] < all->closed[l];
            if (closed ? all->closed[l] - c->group[l] > left : open) due |= 1u << l;
        }
        if (due) carry_out(w, c, due);
        if (c->lanes) all->item[kept++] = *c;
    }
    if (all) all->count = kept;
}
static void exec_commit(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    struct sim_copies *all = copies_of(w);
    (void)i;
    if (!all) return;
    SIM_EACH_LANE (l, mask) all->closed[l]++;
}
static void exec_wait_group(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    wait_for_copies(w, mask, (uint32_t)i->source->operand[0].imm, false);
}
static void exec_wait_all(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    (void)i;
    wait_for_copies(w, mask, 0, true);
}

/* ---- barriers in shared memory ------------------------------------------------------------------------------------
 */
static struct sim_mbarrier *barrier_at(const struct sim_block *b, uint64_t offset) {
    for (unsigned k = 0; b->mbarriers && k < b->mbarriers->count; k++)
        if (b->mbarriers->item[k].offset == offset) return &b->mbarriers->item[k];
    return NULL;
}
static bool add_barrier(struct sim_block *b, uint64_t offset, uint32_t count) {
    if (!b->mbarriers && !(b->mbarriers = calloc(1, sizeof *b->mbarriers))) return false;
    struct sim_mbarriers *all = b->mbarriers;
    struct sim_mbarrier *grown = array_room(all->item, all->count + 1, &all->capacity, sizeof *grown);
    if (!grown) return false;
    all->item = grown;
    all->item[all->count++] = (struct sim_mbarrier){offset, count, count, 0, 0};
    return true;
}
/* Location of an mbarrier. Arrivals and expected byte counts may target another block of the cluster. */
struct place {
    struct sim_block *block;
    const struct sim_object *object;
    uint64_t offset[SIM_WARP];
};
/* The mbarrier at operand `k` of the lane. False if there is none there, which is reported. */
static bool barrier_place(struct sim_warp *w, const struct sim_insn *i, unsigned k, uint32_t row, uint32_t l, bool far,
                          struct place *p) {
    const uint64_t address = sim_address_of(w, i, k, row, l, i->source->space), at = address - SIM_SHARED_WINDOW;
    if (at >= SIM_CLUSTER_WINDOWS || !sim_shared_at(w->block, address)) {
        fault(w, i, 1u << l, SIM_FAULT_MBARRIER, "used as an mbarrier an address that is not in shared memory");
        return false;
    }
    p->block = at < SIM_WINDOW_SIZE ? w->block : w->block->cluster[at / SIM_WINDOW_SIZE - 1];
    if (p->block != w->block && !far) {
        fault(w, i, 1u << l, SIM_FAULT_MBARRIER, "used another block's mbarrier for more than an arrival");
        return false;
    }
    const struct sim_memory *m = sim_locate(w, i, l, address, BARRIER_BYTES, SIM_ATOMIC, &p->offset[l]);
    p->object = m ? &m->object : NULL;
    return m;
}
static struct sim_mbarrier *barrier_of(struct sim_warp *w, const struct sim_insn *i, unsigned k, uint32_t row,
                                       uint32_t l, bool far, struct place *p) {
    if (!barrier_place(w, i, k, row, l, far, p)) return NULL;
    struct sim_mbarrier *b = barrier_at(p->block, p->offset[l]);
    if (!b) fault(w, i, 1u << l, SIM_FAULT_MBARRIER, "used an mbarrier that was not initialized, or was invalidated");
    return b;
}
static void tell_barrier(struct sim_warp *w, const struct sim_insn *i, uint32_t mask, enum sim_access_kind kind,
                         bool strong, const struct place *p) {
    const bool relaxed = ptx_mod_of(i->source, PTX_CLASS_SEM) == PTX_MOD_RELAXED;
    sim_tell(w, &(struct told){.pc = sim_pc(w, i),
                               .mask = mask,
                               .kind = kind,
                               .object = p->object,
                               .bytes = BARRIER_BYTES,
                               .strong = strong,
                               .acquire = strong && kind == SIM_LOAD && !relaxed,
                               .release = strong && kind == SIM_ATOMIC && !relaxed,
                               .scope = sim_scope(w->block->run, ptx_mod_of(i->source, PTX_CLASS_SCOPE)),
                               .offset = p->offset});
}
static void tell_life(struct sim_warp *w, const struct sim_insn *i, uint32_t l, uint64_t offset, bool begins) {
    const struct sim_mbarrier_event e = {&w->where, sim_pc(w, i), 1u << l, offset, begins};
    SIM_EMIT(w->block->run, mbarrier, &e);
}
static void exec_init(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    struct place p;
    SIM_EACH_LANE (l, mask) {
        const uint32_t count = (uint32_t)value_of(w, i->a, 32, l);
        if (!barrier_place(w, i, 0, i->d, l, false, &p)) continue;
        if (!count || count > MOST_COUNT)
            fault(w, i, 1u << l, SIM_FAULT_MBARRIER, "initialized an mbarrier with a count that is 0 or above 2^20");
        else if (barrier_at(w->block, p.offset[l]))
            fault(w, i, 1u << l, SIM_FAULT_MBARRIER, "initialized an mbarrier that is in use: invalidate it first");
        else {
            if (!add_barrier(w->block, p.offset[l], count)) w->block->run->stopped = w->block->run->no_memory = true;
            memset(w->block->shared.data + p.offset[l], 0, BARRIER_BYTES);
            w->block->run->changes++;
            tell_barrier(w, i, 1u << l, SIM_STORE, false, &p);
            tell_life(w, i, l, p.offset[l], true);
        }
    }
}
static void exec_inval(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    struct place p;
    SIM_EACH_LANE (l, mask) {
        struct sim_mbarrier *b = barrier_of(w, i, 0, i->d, l, false, &p);
        if (!b) continue;
        *b = w->block->mbarriers->item[--w->block->mbarriers->count];
        tell_life(w, i, l, p.offset[l], false);
        tell_barrier(w, i, 1u << l, SIM_STORE, false, &p);
    }
}
/* Phase and missing arrivals: the return value of an arrival (PTX ISA: opaque). */
static uint64_t state_of(const struct sim_mbarrier *b) { return b->phase << 20 | b->pending; }
static void arrive(struct sim_warp *w, const struct sim_insn *i, uint32_t l, struct sim_mbarrier *b, uint64_t count) {
    if (!count || count > b->pending) {
        fault(w, i, 1u << l, SIM_FAULT_MBARRIER,
              count ? "arrived at an mbarrier more times than its count" : "arrived at an mbarrier 0 times");
        return;
    }
    b->pending -= (uint32_t)count;
}
static void end_phase(struct sim_warp *w, struct sim_mbarrier *b) {
    w->block->run->changes++;
    if (b->pending || b->bytes) return;
    b->phase++, b->pending = b->expected;
}
/* d, [a]{, count}: every kind of arrival. */
static void exec_arrive(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const char *name = ptx_ops[i->source->op].mnemonic;
    const bool expects = strstr(name, "expect_tx"), drops = strstr(name, "drop"), stays = strstr(name, "noComplete");
    const bool gives = i->source->operand[0].kind == PTX_REGISTER;
    struct place p;
    SIM_EACH_LANE (l, mask) {
        struct sim_mbarrier *b = barrier_of(w, i, 1, i->a, l, !gives && !stays, &p);
        if (!b) continue;
        const uint64_t given = i->source->count > 2 ? value_of(w, i->b, 32, l) : 1, count = expects ? 1 : given;
        tell_barrier(w, i, 1u << l, SIM_ATOMIC, true, &p);
        if (gives) ((uint64_t *)sim_row(w, i->d))[l] = state_of(b);
        if (expects) b->bytes += (int64_t)given;
        if (stays && count >= b->pending) {
            fault(w, i, 1u << l, SIM_FAULT_MBARRIER,
                  "completed a phase with an arrival that must not complete it (.noComplete)");
            continue;
        }
        arrive(w, i, l, b, count);
        if (drops) b->expected -= count < b->expected ? (uint32_t)count : b->expected;
        end_phase(w, b);
    }
}
/* [a], bytes: changes the number of bytes that copies have to transfer. */
static void add_bytes(struct sim_warp *w, const struct sim_insn *i, uint32_t mask, int sign) {
    struct place p;
    SIM_EACH_LANE (l, mask) {
        struct sim_mbarrier *b = barrier_of(w, i, 0, i->d, l, true, &p);
        if (!b) continue;
        tell_barrier(w, i, 1u << l, SIM_ATOMIC, true, &p);
        b->bytes += sign * (int64_t)(uint32_t)value_of(w, i->a, 32, l);
        if (sign < 0) end_phase(w, b);
    }
}
static void exec_expect(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) { add_bytes(w, i, mask, 1); }
static void exec_complete(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) { add_bytes(w, i, mask, -1); }
/* p, [a], state or parity: has that phase completed? A potentially blocking wait need not block. */
static void exec_wait(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const bool parity = strstr(ptx_ops[i->source->op].mnemonic, "parity");
    struct place p;
    uint32_t over = 0;
    SIM_EACH_LANE (l, mask) {
        struct sim_mbarrier *b = barrier_of(w, i, 1, i->a, l, false, &p);
        if (!b) {
            over |= 1u << l; /* or it would wait forever */
            continue;
        }
        const uint64_t asked = value_of(w, i->b, parity ? 32 : 64, l);
        const bool ended = parity ? (b->phase & 1) != (asked & 1) : b->phase != asked >> 20;
        if (!parity && (b->phase < asked >> 20 || b->phase > (asked >> 20) + 1))
            fault(w, i, 1u << l, SIM_FAULT_MBARRIER,
                  "waited for a phase of an mbarrier that is long over, or has not started");
        over |= (uint32_t)ended << l;
        sim_tell(w, &(struct told){.pc = sim_pc(w, i),
                                   .mask = 1u << l,
                                   .kind = SIM_LOAD,
                                   .bytes = BARRIER_BYTES,
                                   .object = p.object,
                                   .strong = true,
                                   .offset = p.offset,
                                   .scope = sim_scope(w->block->run, ptx_mod_of(i->source, PTX_CLASS_SCOPE)),
                                   .acquire = ended && ptx_mod_of(i->source, PTX_CLASS_SEM) != PTX_MOD_RELAXED});
    }
    sim_set_predicate(w, i->d, over, mask);
}
/* When all earlier copies of the lane are complete, they count as one arrival. It adds to the barrier's expected count,
 * unless .noinc says that the barrier was initialized with it. */
static void exec_copy_arrive(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const bool counted = strstr(ptx_ops[i->source->op].mnemonic, "noinc");
    struct place p;
    wait_for_copies(w, mask, 0, true);
    SIM_EACH_LANE (l, mask) {
        struct sim_mbarrier *b = barrier_of(w, i, 0, i->d, l, false, &p);
        if (!b) continue;
        tell_barrier(w, i, 1u << l, SIM_ATOMIC, true, &p);
        if (counted) arrive(w, i, l, b, 1), end_phase(w, b);
    }
}

/* ---- handlers of the rows of ops.def ------------------------------------------------------------------------------
 */
#define HANDLER(name)                                                                                                  \
    void sim_form_async_##name(struct sim_insn *i) { i->exec = exec_##name; }
HANDLER(copy)
HANDLER(commit)
HANDLER(wait_group)
HANDLER(wait_all)
HANDLER(copy_arrive)
HANDLER(init)
HANDLER(inval)
HANDLER(arrive)
HANDLER(expect)
HANDLER(complete)
HANDLER(wait)
