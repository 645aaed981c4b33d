/* The device heap: malloc() and free() in kernels, which new and delete call. Each allocation is an object of its own,
 * so that accesses past its end are found. A freed object keeps its address but has no memory, so that later accesses
 * to it are found, too. */
#include "sim/builtin.h"
#include <stdlib.h>

enum { HEAP_BYTES = 8 << 20 /* the default of cudaLimitMallocHeapSize */, HEAP_ALIGN = 16 };

static void report(struct sim_warp *w, const struct sim_insn *i, uint32_t lane, const struct sim_object *o,
                   bool begins) {
    const struct sim_heap_event e = {&w->where, sim_pc(w, i), 1u << lane, o, begins};
    SIM_EMIT(w->block->run, heap, &e);
}
uint64_t sim_heap_take(struct sim_warp *w, const struct sim_insn *i, uint32_t lane, uint64_t bytes) {
    struct sim *s = w->block->run->sim;
    const uint64_t room = (bytes + HEAP_ALIGN - 1) / HEAP_ALIGN * HEAP_ALIGN;
    if (bytes > HEAP_BYTES || s->heap_used + room > HEAP_BYTES) return 0;
    struct sim_memory *m = sim_heap_object(s, bytes);
    if (!m) return 0;
    s->heap_used += room;
    report(w, i, lane, &m->object, true);
    return m->object.address;
}
void sim_heap_free(struct sim *s, uint64_t address) {
    bool inside;
    struct sim_memory *m = sim_find(s, address, &inside);
    s->used -= m->object.size;
    m->object.freed = m->object.size ? m->object.size : 1;
    m->object.size = 0;
    free(m->data);
    m->data = NULL;
}
void sim_heap_give_back(struct sim_warp *w, const struct sim_insn *i, uint32_t lane, uint64_t address) {
    struct sim *s = w->block->run->sim;
    bool inside;
    struct sim_memory *m = sim_find(s, address, &inside);
    struct sim_fault f = {.kind = SIM_FAULT_HEAP, .pc = sim_pc(w, i), .lanes = 1u << lane, .other_pc = SIM_NO_PC};
    if (!address) return;
    if (!m || m->object.address != address || m->object.kind != SIM_HEAP)
        f.text = "freed an address that malloc() or new did not return";
    else if (m->object.freed)
        f.text = "freed memory that was already freed", f.object = &m->object;
    if (f.text) {
        sim_fault(w, &f);
        return;
    }
    s->heap_used -= (m->object.size + HEAP_ALIGN - 1) / HEAP_ALIGN * HEAP_ALIGN;
    report(w, i, lane, &m->object, false);
    sim_heap_free(s, address);
}
/* Allocates for the lanes in ascending order. */
void sim_builtin_allocate(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    w->block->run->changes++;
    SIM_EACH_LANE (l, mask)
        if (i->source->call->result) sim_answer(w, i, l, sim_heap_take(w, i, l, sim_wide_argument(w, i, 0, l)));
}
void sim_builtin_release(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    w->block->run->changes++;
    SIM_EACH_LANE (l, mask) sim_heap_give_back(w, i, l, sim_wide_argument(w, i, 0, l));
}
