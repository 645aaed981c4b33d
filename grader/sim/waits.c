/* Reports threads that wait in loops: forever, or for a block that has not started. */
#include "sim/waits.h"
#include "sim/places.h"
#include <stdlib.h>

/* ---- whether a loop waits for other blocks ------------------------------------------------------------------------
 */

/* A loop. forward, by instruction: a path leads from the loop's first instruction to it. backward, by instruction: a
 * path leads from it to the loop's first instruction. The loop consists of the instructions for which both are true, so
 * it includes any outer loops. depends, by register: its value may depend on another block. stored: such a value is in
 * shared or local memory. */
struct loop {
    const struct ptx_function *f;
    const struct sim_insn *decoded; /* the function's first one */
    uint8_t *forward, *backward, *depends;
    bool stored;
};
static bool may_fall_through(const struct ptx_function *f, uint32_t n) {
    const struct ptx_insn *i = &f->code[n];
    return n + 1 < f->code_count && (i->guard != PTX_NO_REG || !(ptx_target_count(i) || ptx_leaves(i)));
}
static void find_loop(const struct loop *l, uint32_t first) {
    l->forward[first] = l->backward[first] = 1;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t n = 0; n < l->f->code_count; n++) {
            const struct ptx_insn *i = &l->f->code[n];
            const unsigned targets = ptx_target_count(i);
            for (unsigned k = 0; k < targets + may_fall_through(l->f, n); k++) {
                const uint32_t next = k < targets ? ptx_target(i, k) : n + 1;
                if (l->backward[next] && !l->backward[n]) l->backward[n] = 1, more = true;
                if (l->forward[n] && !l->forward[next]) l->forward[next] = 1, more = true;
            }
        }
    }
}
/* Returns whether the result of instruction n depends on another block: it reads global memory, or a value that does.
 */
static bool depends_on_others(const struct loop *l, uint32_t n) {
    const struct ptx_insn *i = &l->f->code[n];
    const enum ptx_memory memory = ptx_traits_of(i)->memory;
    const bool reads = memory == PTX_MEMORY_LOAD || memory == PTX_MEMORY_ATOMIC;
    const struct sim_bounds *bounds = reads ? l->decoded[n].bounds : NULL;
    const bool shared = i->space == PTX_SHARED || (bounds && bounds->of == SIM_OF_SHARED);
    const bool open = !shared && (i->space == PTX_GENERIC || i->space == PTX_GLOBAL);
    return (reads && (open || l->stored)) || sim_reads(i, l->depends) ||
           (i->guard != PTX_NO_REG && l->depends[i->guard]);
}
/* Returns whether a value that another block may write decides when the loop ends. A call counts as such a value. */
static bool ends_by_others(struct loop *l) {
    for (bool more = true; more;) {
        more = false;
        for (uint32_t n = 0; n < l->f->code_count; n++) {
            const struct ptx_insn *i = &l->f->code[n];
            if (!l->forward[n] || !l->backward[n]) continue;
            if (i->call) return true;
            if (!depends_on_others(l, n)) continue;
            if (ptx_target_count(i) || ptx_leaves(i)) return true;
            more |= sim_add_written(i, l->depends);
            if (ptx_traits_of(i)->memory == PTX_MEMORY_STORE && !l->stored) l->stored = more = true;
        }
    }
    return false;
}
/* Returns whether a split that spins at `pc` may wait for another block. If out of memory, returns true. */
static bool waits_for_others(const struct sim_program *p, uint32_t pc) {
    const struct sim_function *own = &p->functions[p->function_of[pc]];
    const struct ptx_function *f = own->source;
    uint8_t *memory = calloc(2 * (size_t)f->code_count + f->register_count + 1, 1);
    if (!memory) return true;
    struct loop l = {f,    p->code + own->entry, memory, memory + f->code_count, memory + 2 * (size_t)f->code_count,
                     false};
    find_loop(&l, pc - own->entry);
    const bool waits = ends_by_others(&l);
    free(memory);
    return waits;
}

/* ---- all threads wait ------------------------------------------------------------------------------------------- */

typedef bool split_test(const struct sim_program *p, const struct sim_split *s);
static bool spins(const struct sim_program *p, const struct sim_split *s) {
    (void)p;
    return s->state == SPLIT_READY && s->parked;
}
static bool runs(const struct sim_program *p, const struct sim_split *s) {
    (void)p;
    return s->state == SPLIT_READY && !s->parked;
}
static bool loops_for_others(const struct sim_program *p, const struct sim_split *s) {
    return s->state == SPLIT_READY && waits_for_others(p, s->pc);
}
static bool spins_for_others(const struct sim_program *p, const struct sim_split *s) {
    return spins(p, s) && waits_for_others(p, s->pc);
}
/* Reports the fault at the first split in the blocks that passes the test. Returns false if there is none. */
static bool report_at(const struct sim_run *run, uint32_t opened, split_test *passes, enum sim_fault_kind kind,
                      const char *text) {
    for (uint32_t at = 0; at < opened; at++) {
        struct sim_block *b = run->blocks[at];
        for (unsigned k = 0; b->active && k < b->warp_count; k++)
            for (unsigned n = 0; n < b->warps[k].splits; n++) {
                struct sim_warp *w = &b->warps[k];
                const struct sim_split *s = &w->split[n];
                if (!passes(run->program, s)) continue;
                struct sim_fault f = {
                    .kind = kind, .fatal = true, .pc = s->pc, .lanes = s->mask, .other_pc = SIM_NO_PC, .text = text};
                w->where.call = s->frame->chain;
                sim_fault(w, &f);
                return true;
            }
    }
    return false;
}
static const char could_not_start[] =
    "waited in a loop for a block that could not start: the waiting blocks filled the GPU";
void sim_report_wait(const struct sim_run *run, uint32_t opened, bool others_wait_to_start) {
    if (others_wait_to_start && report_at(run, opened, spins_for_others, SIM_FAULT_RESIDENCY, could_not_start)) return;
    report_at(run, opened, spins, SIM_FAULT_BUDGET,
              others_wait_to_start ? "looped here without changing anything, and no other block can end the loop: its "
                                     "conditions do not depend on global memory"
                                   : "looped here without changing anything, and no other thread can end the loop: all "
                                     "have exited or are waiting");
}
void sim_report_cycle(const struct sim_run *run, uint32_t opened, bool others_wait_to_start) {
    if (others_wait_to_start && report_at(run, opened, loops_for_others, SIM_FAULT_RESIDENCY, could_not_start)) return;
    report_at(run, opened, runs, SIM_FAULT_BUDGET,
              "looped here without end: all registers, and all memory that the kernel writes, have returned to earlier "
              "values, so everything repeats");
}

/* ---- waiting for a block that has not started ------------------------------------------------------------------- */

void sim_note_waiters(struct sim_run *run, const struct sim_block *b) {
    for (unsigned k = 0; k < b->warp_count; k++)
        for (unsigned n = 0; n < b->warps[k].splits; n++) {
            const struct sim_split *s = &b->warps[k].split[n];
            unsigned known = 0;
            if (!spins(run->program, s)) continue;
            while (known < run->waiters && run->waiter[known].pc != s->pc) known++;
            if (known < run->waiters || known == SIM_MAX_WAITERS) continue;
            run->waiter[run->waiters] = (struct sim_waiter){b->warps[k].where, s->pc, s->mask};
            run->waiter[run->waiters++].where.call = s->frame->chain;
        }
}
/* Reports, after the launch, the threads that waited for a block before it had started. The block started later, and
 * wrote the value for which they waited. */
void sim_report_waiters(struct sim_run *run) {
    for (unsigned k = 0; k < run->waiters; k++) {
        struct sim_fault f = {.where = &run->waiter[k].where,
                              .kind = SIM_FAULT_RESIDENCY,
                              .pc = run->waiter[k].pc,
                              .lanes = run->waiter[k].lanes,
                              .other_pc = SIM_NO_PC,
                              .text = "waited in a loop for a block that had not started: nothing guarantees that a "
                                      "block starts before this one ends"};
        run->extra += SIM_FAULT_COST;
        SIM_EMIT(run, fault, &f);
    }
}
