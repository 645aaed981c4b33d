/* Barriers in shared memory (mbarrier). PTX makes an mbarrier an opaque object of 8 bytes. The simulator keeps its
 * state in struct sim_block, and only sets the 8 bytes to 0. */
#include "sim/mbarrier.h"
#include "base/array.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_COUNT = (1 << 20) - 1, BARRIER_BYTES = 8 };

struct sim_mbarriers {
    struct sim_mbarrier *item;
    unsigned count, capacity;
};

static void clear_all(struct sim_block *b) {
    if (b->mbarriers) b->mbarriers->count = 0;
}
static void free_all(struct sim_block *b) {
    if (b->mbarriers) free(b->mbarriers->item);
    free(b->mbarriers);
}

/* ---- finding an mbarrier ----------------------------------------------------------------------- */
struct sim_mbarrier *sim_mbarrier_at(const struct sim_block *b, uint64_t offset) {
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
/* Finds the mbarrier at `address`. Reports a fault and returns false if no mbarrier can be there. */
static bool barrier_place(struct sim_warp *w, const struct sim_insn *i, uint64_t address, uint32_t l, bool far,
                          struct sim_mbarrier_place *p) {
    const uint64_t at = address - SIM_SHARED_WINDOW;
    if (at >= SIM_CLUSTER_WINDOWS || !sim_shared_at(w->block, address)) {
        sim_misuse(w, i, 1u << l, "used an address that is not in shared memory as an mbarrier");
        return false;
    }
    p->block = at < SIM_WINDOW_SIZE ? w->block : w->block->cluster[at / SIM_WINDOW_SIZE - 1];
    if (p->block != w->block && !far) {
        sim_misuse(w, i, 1u << l, "used another block's mbarrier for an operation other than an arrival");
        return false;
    }
    const struct sim_memory *m = sim_locate(w, i, l, address, BARRIER_BYTES, SIM_ATOMIC, &p->offset[l]);
    p->object = m ? &m->object : NULL;
    return m;
}
struct sim_mbarrier *sim_mbarrier_in(struct sim_warp *w, const struct sim_insn *i, uint64_t address, uint32_t l,
                                     bool far, struct sim_mbarrier_place *p) {
    if (!barrier_place(w, i, address, l, far, p)) return NULL;
    struct sim_mbarrier *b = sim_mbarrier_at(p->block, p->offset[l]);
    if (!b) sim_misuse(w, i, 1u << l, "used an mbarrier that was not initialized or was invalidated");
    return b;
}
struct sim_mbarrier *sim_mbarrier_of(struct sim_warp *w, const struct sim_insn *i, unsigned k, uint32_t row, uint32_t l,
                                     bool far, struct sim_mbarrier_place *p) {
    return sim_mbarrier_in(w, i, sim_address_of(w, i, k, row, l, i->source->space), l, far, p);
}
/* Returns the instruction's scope. The PTX ISA's default is the block. Existing programs nevertheless use the default
 * to wait for copies and arrivals of other blocks in the cluster, and hardware supports this. With clusters, the
 * default is therefore the cluster. */
static enum ptx_mod scope_of(const struct sim_warp *w, const struct sim_insn *i) {
    const enum ptx_mod said = ptx_mod_of(i->source, PTX_CLASS_SCOPE);
    return sim_scope(w->block->run, said || w->block->run->info.cluster_blocks < 2 ? said : PTX_MOD_CLUSTER);
}
void sim_mbarrier_report(struct sim_warp *w, const struct sim_insn *i, uint32_t mask, enum sim_access_kind kind,
                         bool strong, const struct sim_mbarrier_place *p) {
    const struct sim_mbarrier *b = sim_mbarrier_at(p->block, p->offset[__builtin_ctz(mask)]);
    const bool relaxed = ptx_mod_of(i->source, PTX_CLASS_SEM) == PTX_MOD_RELAXED &&
                         !ptx_copies_bulk(i->source); /* a bulk copy has release semantics when its bytes complete */
    sim_report_access(w, &(struct sim_report){.pc = sim_pc(w, i),
                                              .mask = mask,
                                              .kind = kind,
                                              .object = p->object,
                                              .bytes = BARRIER_BYTES,
                                              .strong = strong,
                                              .mbarrier = true,
                                              .phase = b ? b->phase : 0,
                                              .acquire = strong && kind == SIM_LOAD && !relaxed,
                                              .release = strong && kind == SIM_ATOMIC && !relaxed,
                                              .scope = scope_of(w, i),
                                              .offset = p->offset});
}
static void report_life(struct sim_warp *w, const struct sim_insn *i, uint32_t l, uint64_t offset, bool begins) {
    const struct sim_mbarrier_event e = {&w->where, sim_pc(w, i), 1u << l, offset, begins};
    SIM_EMIT(w->block->run, mbarrier, &e);
}
static void exec_init(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    struct sim_mbarrier_place p;
    SIM_EACH_LANE (l, mask) {
        const uint32_t count = (uint32_t)sim_value_of(w, i->a, 32, l);
        if (!barrier_place(w, i, sim_address_of(w, i, 0, i->d, l, i->source->space), l, false, &p)) continue;
        if (!count || count > MAX_COUNT)
            sim_misuse(w, i, 1u << l, "initialized an mbarrier with a count that is 0 or above 2^20 - 1");
        else if (sim_mbarrier_at(w->block, p.offset[l]))
            sim_misuse(w, i, 1u << l, "initialized an mbarrier that is in use: invalidate it first");
        else {
            if (!add_barrier(w->block, p.offset[l], count)) sim_out_of_memory(w->block->run);
            memset(w->block->shared.data + p.offset[l], 0, BARRIER_BYTES);
            w->block->run->changes++;
            sim_mbarrier_report(w, i, 1u << l, SIM_STORE, false, &p);
            report_life(w, i, l, p.offset[l], true);
        }
    }
}
static void exec_inval(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    struct sim_mbarrier_place p;
    SIM_EACH_LANE (l, mask) {
        struct sim_mbarrier *b = sim_mbarrier_of(w, i, 0, i->d, l, false, &p);
        if (!b) continue;
        *b = w->block->mbarriers->item[--w->block->mbarriers->count];
        report_life(w, i, l, p.offset[l], false);
        sim_mbarrier_report(w, i, 1u << l, SIM_STORE, false, &p);
    }
}
/* Returns an arrival's state token, which is opaque in PTX: the phase and the pending arrivals. */
static uint64_t state_of(const struct sim_mbarrier *b) { return b->phase << 20 | b->pending; }
void sim_mbarrier_arrive(struct sim_warp *w, const struct sim_insn *i, uint32_t l, struct sim_mbarrier *b,
                         uint64_t count) {
    if (!count || count > b->pending) {
        sim_misuse(w, i, 1u << l,
                   count ? "arrived at an mbarrier more times than its count"
                         : "arrived at an mbarrier with a count of 0");
        return;
    }
    b->pending -= (uint32_t)count;
}
void sim_mbarrier_end_phase(struct sim_warp *w, struct sim_mbarrier *b) {
    w->block->run->changes++;
    if (b->pending || b->bytes) return;
    b->phase++, b->pending = b->expected;
}
/* Executes all kinds of arrivals. Operands: d, [a]{, count, or bytes with .expect_tx}. */
static void exec_arrive(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const char *name = ptx_ops[i->source->op].mnemonic;
    const bool expects = strstr(name, "expect_tx"), drops = strstr(name, "drop"), stays = strstr(name, "noComplete");
    const bool gives = i->source->operand[0].kind == PTX_REGISTER;
    struct sim_mbarrier_place p;
    SIM_EACH_LANE (l, mask) {
        struct sim_mbarrier *b = sim_mbarrier_of(w, i, 1, i->a, l, !gives && !stays, &p);
        if (!b) continue;
        const uint64_t given = i->source->count > 2 ? sim_value_of(w, i->b, 32, l) : 1, count = expects ? 1 : given;
        sim_mbarrier_report(w, i, 1u << l, SIM_ATOMIC, true, &p);
        if (gives) ((uint64_t *)sim_row(w, i->d))[l] = state_of(b);
        if (expects) b->bytes += (int64_t)given;
        if (stays && count >= b->pending) {
            sim_misuse(w, i, 1u << l, "completed a phase with an arrival that must not complete one (.noComplete)");
            continue;
        }
        sim_mbarrier_arrive(w, i, l, b, count);
        if (drops) b->expected -= count < b->expected ? (uint32_t)count : b->expected;
        sim_mbarrier_end_phase(w, b);
    }
}
/* Adds to the bytes that copies still have to transfer, or subtracts from them. Operands: [a], bytes. */
static void add_bytes(struct sim_warp *w, const struct sim_insn *i, uint32_t mask, int sign) {
    struct sim_mbarrier_place p;
    SIM_EACH_LANE (l, mask) {
        struct sim_mbarrier *b = sim_mbarrier_of(w, i, 0, i->d, l, true, &p);
        if (!b) continue;
        sim_mbarrier_report(w, i, 1u << l, SIM_ATOMIC, true, &p);
        b->bytes += sign * (int64_t)(uint32_t)sim_value_of(w, i->a, 32, l);
        if (sign < 0) sim_mbarrier_end_phase(w, b);
    }
}
static void exec_expect(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) { add_bytes(w, i, mask, 1); }
static void exec_complete(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) { add_bytes(w, i, mask, -1); }
/* Tests whether a phase has completed. Operands: p, [a], state or parity. Hardware's try_wait may block; here, it never
 * does. */
static void exec_wait(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const bool parity = strstr(ptx_ops[i->source->op].mnemonic, "parity");
    const bool relaxed = ptx_mod_of(i->source, PTX_CLASS_SEM) == PTX_MOD_RELAXED;
    struct sim_mbarrier_place p;
    uint32_t over = 0, looked = 0;
    uint64_t phase[SIM_WARP];
    SIM_EACH_LANE (l, mask) {
        struct sim_mbarrier *b = sim_mbarrier_of(w, i, 1, i->a, l, false, &p);
        if (!b) {
            over |= 1u << l; /* a lane with an invalid mbarrier would wait forever */
            continue;
        }
        sim_bulk_complete(w, p.offset[l], b);
        const uint64_t asked = sim_value_of(w, i->b, parity ? 32 : 64, l);
        const bool ended = parity ? (b->phase & 1) != (asked & 1) : b->phase != asked >> 20;
        if (!parity && (b->phase < asked >> 20 || b->phase > (asked >> 20) + 1))
            sim_misuse(w, i, 1u << l,
                       "waited for a phase of an mbarrier that is neither the current nor the previous one");
        over |= (uint32_t)ended << l, looked |= 1u << l, phase[l] = b->phase;
    }
    for (uint32_t todo = looked; todo;) { /* one report for lanes with the same outcome */
        const uint32_t first = (uint32_t)__builtin_ctz(todo), ended = over >> first & 1;
        uint32_t alike = 0;
        SIM_EACH_LANE (l, todo) alike |= (uint32_t)(phase[l] == phase[first] && (over >> l & 1) == ended) << l;
        todo &= ~alike;
        sim_report_access(w, &(struct sim_report){.pc = sim_pc(w, i),
                                                  .mask = alike,
                                                  .kind = SIM_LOAD,
                                                  .bytes = BARRIER_BYTES,
                                                  .object = &w->block->shared.object,
                                                  .strong = true,
                                                  .mbarrier = true,
                                                  .phase = phase[first],
                                                  .offset = p.offset,
                                                  .scope = scope_of(w, i),
                                                  .acquire = ended && !relaxed});
    }
    sim_set_predicate(w, i->d, over, mask);
}

/* ---- handlers for the rows of ops.def ----------------------------------------------------------- */
#define HANDLER(name)                                                                                                  \
    void sim_form_mbarrier_##name(struct sim_insn *i) { i->exec = exec_##name; }
HANDLER(init)
HANDLER(inval)
HANDLER(arrive)
HANDLER(expect)
HANDLER(complete)
HANDLER(wait)
const struct sim_asynchronous sim_block_mbarriers = {clear_all, NULL, free_all};
