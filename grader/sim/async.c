/* Asynchronous copies by single threads into shared memory (cp.async).
 *
 * The simulator delays each copy as long as the PTX memory model allows: until the thread waits for the copy, or
 * signals an mbarrier that depends on it. A thread that reads the destination too early therefore gets the old data. If
 * a thread changes the source before the wait, the new data are copied. Copies that are still in flight when the block
 * ends are not performed. */
#include "base/array.h"
#include "sim/mbarrier.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COPY_BYTES = 16 };

/* An executed copy instruction, with the lanes whose copies are in flight. */
struct sim_copy {
    uint32_t pc, call, lanes, bytes;
    uint32_t group[SIM_WARP]; /* number of groups that the lane had committed before this copy */
    uint64_t to[SIM_WARP], from[SIM_WARP];
    uint8_t taken[SIM_WARP]; /* bytes to read from the source; the rest of the destination gets zeros */
};
struct sim_copies {
    struct sim_copy *item;
    unsigned count, capacity;
    uint32_t closed[SIM_WARP]; /* number of committed groups, by lane */
};
static void clear_all(struct sim_block *b) {
    for (unsigned k = 0; k < b->warp_count; k++)
        if (b->warps[k].copies) {
            b->warps[k].copies->count = 0;
            memset(b->warps[k].copies->closed, 0, sizeof b->warps[k].copies->closed);
        }
}
static void free_all(struct sim_block *b) {
    for (unsigned k = 0; b->warps && k < b->warp_count; k++) {
        if (b->warps[k].copies) free(b->warps[k].copies->item);
        free(b->warps[k].copies);
    }
}

/* ---- operands ---------------------------------------------------------------------------------- */
uint64_t sim_value_of(const struct sim_warp *w, uint32_t row, unsigned bits, uint32_t l) {
    return bits == 64 ? ((const uint64_t *)sim_row(w, row))[l] : ((const uint32_t *)sim_row(w, row))[l];
}
uint64_t sim_address_of(const struct sim_warp *w, const struct sim_insn *i, unsigned k, uint32_t row, uint32_t l,
                        enum ptx_space space) {
    const struct ptx_operand *o = &i->source->operand[k];
    const struct sim_program *p = w->block->run->program;
    const struct sim_function *f = &p->functions[p->function_of[sim_pc(w, i)]];
    const bool in_register = !o->symbol && o->reg != PTX_NO_REG;
    const unsigned bits = in_register ? ptx_type_bits(f->source->registers[o->reg].type) : 64;
    const uint64_t at = sim_value_of(w, row, bits, l) + (in_register ? o->imm : 0);
    return space == PTX_SHARED ? SIM_SHARED_WINDOW + (uint32_t)at : at;
}
void sim_misuse(struct sim_warp *w, const struct sim_insn *i, uint32_t lanes, const char *text) {
    struct sim_fault f = {
        .kind = SIM_FAULT_MBARRIER, .pc = sim_pc(w, i), .lanes = lanes, .other_pc = SIM_NO_PC, .text = text};
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

/* ---- events ------------------------------------------------------------------------------------ */
static struct sim_access access_of(const struct sim_warp *w, const struct sim_report *t) {
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
                           .mbarrier = t->mbarrier,
                           .phase = t->phase,
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
void sim_report_access(struct sim_warp *w, const struct sim_report *t) {
    struct sim_run *run = w->block->run;
    if (!t->mask || !run->heard) return;
    const struct sim_access e = access_of(w, t);
    if (run->marks) sim_mark(run, t->object, t->kind, 0, t->mask, e.contiguous, t->bytes, t->offset);
    SIM_EMIT_TO(run->accesses[sim_access_channel(e.object)], access, &e);
}
/* Reports that the copy may write its destination from now on. */
static void report_pending_store(struct sim_warp *w, const struct sim_report *t) {
    const struct sim_access e = access_of(w, t);
    SIM_EMIT(w->block->run, dropped, &e);
}

/* ---- copies ------------------------------------------------------------------------------------ */
static struct sim_copies *copies_of(struct sim_warp *w) {
    if (!w->copies) w->copies = calloc(1, sizeof *w->copies);
    if (!w->copies) sim_out_of_memory(w->block->run);
    return w->copies;
}
/* Reports that the lanes in `mask` start or complete the copy. */
static void report_copy(struct sim_warp *w, const struct sim_copy *c, uint32_t mask, bool begins) {
    struct sim_run *run = w->block->run;
    if (!run->copy.count) return;
    for (uint32_t todo = mask; todo;) { /* one event per source object */
        bool inside = false;
        const struct sim_memory *m = sim_find(run->sim, c->from[__builtin_ctz(todo)], &inside);
        struct sim_copy_event e = {.where = &w->where,
                                   .pc = c->pc,
                                   .begins = begins,
                                   .bytes = c->bytes,
                                   .waits = w->where.warp,
                                   .shared = &w->block->shared.object};
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
/* Reports the loads from the source when the copy starts. A lane whose number of bytes is not a power of two reports
 * each byte separately. */
static void report_source(struct sim_warp *w, const struct sim_copy *c) {
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
            sim_report_access(w, &(struct sim_report){.pc = c->pc,
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
        sim_out_of_memory(w->block->run);
        return;
    }
    all->item = grown;
    struct sim_copy *c = &all->item[all->count];
    *c = (struct sim_copy){.pc = sim_pc(w, i), .call = w->where.call, .bytes = bytes};
    SIM_EACH_LANE (l, mask) {
        uint64_t at, to = 0;
        const uint32_t asked = p->count > 3 ? (uint32_t)sim_value_of(w, i->c, 32, l) : bytes;
        const uint64_t from = sim_address_of(w, i, 1, i->a, l, PTX_GLOBAL);
        if (!sim_locate(w, i, l, sim_address_of(w, i, 0, i->d, l, PTX_SHARED), bytes, SIM_STORE, &to)) continue;
        if (asked && !sim_locate(w, i, l, from, bytes, SIM_LOAD, &at)) continue;
        c->lanes |= 1u << l;
        c->to[l] = to, c->from[l] = from, c->taken[l] = (uint8_t)(asked < bytes ? asked : bytes);
        c->group[l] = all->closed[l];
    }
    if (!c->lanes) return;
    all->count++;
    report_source(w, c);
    report_copy(w, c, c->lanes, true);
    report_pending_store(w, &(struct sim_report){.pc = c->pc,
                                                 .mask = c->lanes,
                                                 .kind = SIM_STORE,
                                                 .object = &w->block->shared.object,
                                                 .bytes = bytes,
                                                 .offset = c->to});
}
static void carry_out(struct sim_warp *w, struct sim_copy *c, uint32_t lanes) {
    struct sim_run *run = w->block->run;
    const uint32_t call = w->where.call;
    uint8_t before[SIM_WARP][SIM_VALUE];
    uint32_t silent = 0;
    w->where.call = c->call;
    report_copy(w, c, lanes, false);
    SIM_EACH_LANE (l, lanes) {
        uint8_t value[COPY_BYTES] = {0}, *to = w->block->shared.data + c->to[l];
        bool inside = false;
        struct sim_memory *m = c->taken[l] ? sim_find(run->sim, c->from[l], &inside) : NULL;
        const uint8_t *from = inside ? sim_byte_at(run, m, c->from[l] - m->object.address) : NULL;
        if (from) memcpy(value, from, c->taken[l]);
        memcpy(before[l], to, c->bytes);
        silent |= (uint32_t)!memcmp(to, value, c->bytes) << l;
        memcpy(to, value, c->bytes);
    }
    run->changes++;
    sim_report_access(w, &(struct sim_report){.pc = c->pc,
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
/* Completes the lanes' committed groups, except the `left` newest ones. If `open`, also completes copies outside a
 * committed group. */
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

/* Completes the lane's earlier copies, then arrives at the mbarrier. Without .noinc, the instruction first increments
 * the barrier's pending count, so the arrival has no net effect. With .noinc, the barrier's initial count includes the
 * arrival. */
static void exec_copy_arrive(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const bool counted = strstr(ptx_ops[i->source->op].mnemonic, "noinc");
    struct sim_mbarrier_place p;
    wait_for_copies(w, mask, 0, true);
    SIM_EACH_LANE (l, mask) {
        struct sim_mbarrier *b = sim_mbarrier_of(w, i, 0, i->d, l, false, &p);
        if (!b) continue;
        sim_mbarrier_report(w, i, 1u << l, SIM_ATOMIC, true, &p);
        if (counted) sim_mbarrier_arrive(w, i, l, b, 1), sim_mbarrier_end_phase(w, b);
    }
}

/* ---- handlers for the rows of ops.def ----------------------------------------------------------- */
#define HANDLER(name)                                                                                                  \
    void sim_form_async_##name(struct sim_insn *i) { i->exec = exec_##name; }
HANDLER(copy)
HANDLER(commit)
HANDLER(wait_group)
HANDLER(wait_all)
HANDLER(copy_arrive)
const struct sim_asynchronous sim_async_copies = {clear_all, NULL, free_all};
