/* Runs a launch in parts, in parallel on several cores of the host.
 *
 * Independent blocks may run in any order, so the launch's blocks are divided, in order, into parts: at most one per
 * core. Whether they are independent is known only afterward. Each part therefore marks the global memory that it reads
 * and writes. If a part has written what another has accessed, or was stopped, all memory is restored and the launch
 * runs again on one core. Results, counts and findings thus do not depend on the number of cores.
 *
 * A launch never runs in parts if the kernel may observe the order of its blocks: for example through fences, clocks,
 * SM numbers, strong accesses, calls through pointers, functions such as printf() and malloc(), or atomics. Commutative
 * integer atomics with unused results are allowed. */
#include "sim/machine.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PARTS = 16, BLOCKS_A_PART = 16 /* with fewer blocks, a thread costs more time than it saves */, CELL = 4 };
/* Marks of a cell. COMBINED excludes READ and WRITTEN. The bits above it are the kind of atomic (sim_combines()). */
enum { READ = 1, WRITTEN = 2, COMBINED = 4, KIND = 3 /* position of these bits */ };

struct part {
    struct sim_run run;
    const uint32_t *blocks;
    uint32_t count;
    bool ok;
};
struct parts {
    struct sim_run *whole;
    struct part *part;
    unsigned count;
    bool *written;   /* indexed by object: the kernel may write to it */
    uint8_t **saved; /* indexed by object: its contents before the launch, or NULL if the kernel does not write to it */
};

/* ---- which kernels ------------------------------------------------------------------------------------------- */

static bool is_clock_or_place(const struct ptx_operand *o) {
    return o->kind == PTX_SPECIAL &&
           (ptx_special_kind(o->special) == PTX_SPECIAL_PLACE || ptx_special_kind(o->special) == PTX_SPECIAL_CLOCK);
}
unsigned sim_combines(const struct sim_insn *insn) {
    static const enum ptx_mod ops[] = {PTX_MOD_ADD, PTX_MOD_AND, PTX_MOD_OR, PTX_MOD_XOR, PTX_MOD_MIN, PTX_MOD_MAX};
    const struct ptx_insn *i = insn->source;
    const enum ptx_mod op = ptx_mod_of(i, PTX_CLASS_OPERATION), order = ptx_mod_of(i, PTX_CLASS_SEM);
    const unsigned bits = ptx_type_bits(i->type), count = sizeof ops / sizeof *ops;
    const bool is_signed = i->type == PTX_S32 || i->type == PTX_S64;
    const bool whole =
        is_signed || i->type == PTX_U32 || i->type == PTX_U64 || i->type == PTX_B32 || i->type == PTX_B64;
    unsigned k = 0;
    while (k < count && ops[k] != op) k++;
    if (k == count || !whole || !insn->memory.result_unused || (order != PTX_MOD_NONE && order != PTX_MOD_RELAXED))
        return 0;
    /* only min and max differ for signed and unsigned types */
    return 1 + 4 * k + 2 * (is_signed && k >= 4) + (bits == 64);
}
/* Returns whether the order of blocks may change the instruction's effect. */
static bool depends_on_other_blocks(const struct sim_insn *insn, bool no_atomics) {
    const struct ptx_insn *i = insn->source;
    const bool global = i->space == PTX_GLOBAL || i->space == PTX_GENERIC;
    const enum ptx_mod order = ptx_mod_of(i, PTX_CLASS_SEM);
    for (unsigned k = 0; k < i->count; k++)
        if (is_clock_or_place(&i->operand[k])) return true;
    if (i->call) return !i->call->callee || !i->call->callee->defined;
    if (ptx_traits_of(i)->crosses == PTX_CROSSES_BLOCKS) return true;
    switch (ptx_traits_of(i)->memory) {
    case PTX_MEMORY_ATOMIC: return global && (no_atomics || !sim_combines(insn));
    case PTX_MEMORY_LOAD:
    case PTX_MEMORY_STORE: return global && order != PTX_MOD_NONE && order != PTX_MOD_WEAK;
    default: return false;
    }
}
static bool stands_alone(const struct sim_run *run, bool no_atomics) {
    const struct ptx_module *m = run->program->module;
    for (unsigned k = 0; k < m->function_count; k++) {
        const struct ptx_function *f = m->functions[k];
        if (f != run->kernel->source && (f->entry || !run->kernel->calls)) continue;
        const struct sim_insn *code = run->program->code + run->program->functions[k].entry;
        for (uint32_t n = 0; n < f->code_count; n++)
            if (depends_on_other_blocks(&code[n], no_atomics)) return false;
    }
    return true;
}

/* ---- marks and undoing --------------------------------------------------------------------------------------- */

static bool may_be_written(const struct sim_object *o) { return o->space == PTX_GLOBAL && !o->read_only; }
/* Finds the objects that the kernel may write to. A store or atomic without known bounds may write to any object.
 * Returns false if out of memory. */
static bool find_written(struct parts *p) {
    const struct sim_run *run = p->whole;
    const struct sim *s = run->sim;
    const struct ptx_module *m = run->program->module;
    bool all = false;
    p->written = calloc(s->object_count + 1, sizeof *p->written);
    for (unsigned o = 0; o < s->object_count; o++) s->objects[o]->object.index = o;
    for (unsigned k = 0; p->written && k < m->function_count; k++) {
        const struct ptx_function *f = m->functions[k];
        const struct sim_insn *code = run->program->code + run->program->functions[k].entry;
        if (f != run->kernel->source && (f->entry || !run->kernel->calls)) continue;
        for (uint32_t n = 0; n < f->code_count; n++) {
            const unsigned memory = ptx_traits_of(&f->code[n])->memory;
            /* A surface store may write to any object. */
            all = all || (memory == PTX_MEMORY_TEXTURE && !ptx_written(&f->code[n]));
            const bool global = f->code[n].space == PTX_GLOBAL || f->code[n].space == PTX_GENERIC;
            if (!global || (memory != PTX_MEMORY_STORE && memory != PTX_MEMORY_ATOMIC)) continue;
            const struct sim_bounds *b = code[n].bounds;
            const struct sim_memory *meant = b ? sim_bounding_object(run, b) : NULL;
            if (meant)
                p->written[meant->object.index] = true;
            else
                all = all || !b || b->of != SIM_OF_SHARED;
        }
    }
    for (unsigned o = 0; p->written && o < s->object_count; o++)
        p->written[o] = (all || p->written[o]) && may_be_written(&s->objects[o]->object);
    return p->written;
}
/* Returns whether the launch may write to a sparse object. It then cannot run in parts, because a failed attempt could
 * not be undone: parts share the object's pages, and save() cannot copy them. */
static bool writes_sparse(const struct parts *p) {
    const struct sim *s = p->whole->sim;
    for (unsigned o = 0; o < s->object_count; o++)
        if (s->objects[o]->sparse && p->written[o]) return true;
    return false;
}
static uint64_t cells_of(const struct sim_object *o) { return o->size / CELL + 1; }

static inline void mark_cell(uint8_t *cell, uint8_t mark) {
    if ((*cell | mark) >= COMBINED && *cell && *cell != mark) mark = READ | WRITTEN, *cell = 0;
    *cell |= mark;
}
void sim_mark(const struct sim_run *run, const struct sim_object *object, enum sim_access_kind kind, unsigned combines,
              uint32_t lanes, bool contiguous, unsigned bytes, const uint64_t offset[SIM_WARP]) {
    uint8_t *cells = may_be_written(object) ? run->marks[object->index] : NULL;
    /* An atomic on uninitialized memory also counts as a read, because the order matters: the first one in block order
     * must be reported. */
    const uint8_t mark = kind == SIM_LOAD                  ? READ
                         : kind == SIM_STORE               ? WRITTEN
                         : combines && object->initialized ? (uint8_t)(COMBINED | combines << KIND)
                                                           : READ | WRITTEN;
    if (!cells) return;
    if (contiguous && lanes == SIM_FULL) {
        const uint64_t begin = offset[0] / CELL, end = (offset[0] + SIM_WARP * bytes - 1) / CELL;
        for (uint64_t k = begin; k <= end; k++) mark_cell(&cells[k], mark);
    } else
        SIM_EACH_LANE (l, lanes)
            for (uint64_t k = offset[l] / CELL; k <= (offset[l] + bytes - 1) / CELL; k++) mark_cell(&cells[k], mark);
}

/* Returns whether a part has written what another has accessed. Parts that only read a cell, or combine with the same
 * operation, do not conflict. */
static bool in_conflict(const struct parts *p) {
    const struct sim *s = p->whole->sim;
    for (unsigned o = 0; o < s->object_count; o++) {
        if (!p->saved[o]) continue;
        const uint64_t cells = cells_of(&s->objects[o]->object);
        for (unsigned a = 0; a < p->count; a++)
            for (unsigned b = a + 1; b < p->count; b++) {
                const uint8_t *x = p->part[a].run.marks[o], *y = p->part[b].run.marks[o];
                uint8_t both = 0;
                for (uint64_t k = 0; k < cells; k++)
                    both |= (x[k] != 0) & (y[k] != 0) & ((x[k] | y[k]) != READ) & ((x[k] != y[k]) | (x[k] < COMBINED));
                if (both) return true;
            }
    }
    return false;
}
static bool save(struct parts *p) {
    const struct sim *s = p->whole->sim;
    p->saved = calloc(s->object_count + 1, sizeof *p->saved);
    for (unsigned o = 0; p->saved && o < s->object_count; o++) {
        const struct sim_memory *m = s->objects[o];
        if (!p->written[o]) continue;
        if (!(p->saved[o] = malloc(m->object.size + 1))) return false;
        memcpy(p->saved[o], m->data, m->object.size);
    }
    return p->saved;
}
static void undo(struct parts *p) {
    const struct sim *s = p->whole->sim;
    for (unsigned o = 0; o < s->object_count; o++)
        if (p->saved[o]) memcpy(s->objects[o]->data, p->saved[o], s->objects[o]->object.size);
}

/* ---- running ------------------------------------------------------------------------------------------------- */

static bool make_part(struct parts *p, unsigned k, const struct sim_launch *launch, const uint32_t *blocks) {
    struct part *part = &p->part[k];
    const struct sim *s = p->whole->sim;
    const uint32_t all = p->whole->info.blocks, begin = (uint32_t)((uint64_t)all * k / p->count),
                   end = (uint32_t)((uint64_t)all * (k + 1) / p->count);
    part->run = *p->whole;
    part->run.info.run = &part->run, part->run.may_keep /= p->count;
    part->run.info.earlier = begin;
    part->blocks = blocks + begin, part->count = end - begin;
    part->run.marks = calloc(s->object_count + 1, sizeof *part->run.marks);
    for (unsigned o = 0; part->run.marks && o < s->object_count; o++)
        if (p->saved[o] && !(part->run.marks[o] = calloc(cells_of(&s->objects[o]->object), 1))) return false;
    part->run.view = calloc(s->object_count + 1, sizeof *part->run.view);
    for (unsigned o = 0; part->run.view && o < s->object_count; o++) {
        const struct sim_sparse *made = s->objects[o]->sparse;
        if (made && sim_sparse_is_made(made) && !(part->run.view[o] = sim_sparse_view(made))) return false;
    }
    const struct sim_listener *listeners = NULL;
    unsigned count = 0;
    if (launch->parts) launch->parts->listeners(launch->parts->context, k, &listeners, &count);
    sim_listen(&part->run, listeners, count);
    part->run.heard = true;
    return part->run.marks && part->run.view;
}
static void free_part(struct parts *p, struct part *part) {
    for (unsigned o = 0; part->run.marks && o < p->whole->sim->object_count; o++) free(part->run.marks[o]);
    free(part->run.marks);
    for (unsigned o = 0; part->run.view && o < p->whole->sim->object_count; o++) sim_sparse_free(part->run.view[o]);
    free(part->run.view);
    free(part->run.whole_spans);
    sim_forget_calls(&part->run);
    sim_forget_looks(&part->run);
}
static void *run_part(void *context) {
    struct part *part = context;
    SIM_EMIT(&part->run, launch_begin, &part->run.info);
    part->ok = sim_run_blocks(&part->run, part->blocks, part->count);
    SIM_EMIT(&part->run, launch_end, &part->run.info);
    return NULL;
}
/* Runs all parts. Returns whether their results are valid. */
static bool run_all(struct parts *p) {
    pthread_t thread[MAX_PARTS];
    bool started[MAX_PARTS] = {false}, good = true;
    uint64_t executed = 0, spent = 0, products = 0;
    for (unsigned k = 1; k < p->count; k++) started[k] = !pthread_create(&thread[k], NULL, run_part, &p->part[k]);
    run_part(&p->part[0]);
    for (unsigned k = 1; k < p->count; k++) {
        if (started[k])
            pthread_join(thread[k], NULL);
        else
            run_part(&p->part[k]);
    }
    for (unsigned k = 0; k < p->count; k++) {
        good &= p->part[k].ok && !p->part[k].run.stopped;
        executed += p->part[k].run.executed, spent += sim_spent(&p->part[k].run);
        products += p->part[k].run.products;
    }
    if (!good || spent > p->whole->budget || in_conflict(p)) return false;
    p->whole->executed = executed, p->whole->extra = spent - executed;
    p->whole->products = products;
    p->whole->parts = p->count;
    return true;
}

bool sim_run_parts(struct sim_run *run, const struct sim_launch *launch, const uint32_t *blocks) {
    struct parts p = {.whole = run, .count = run->sim->options.cores};
    if (p.count > run->info.blocks / BLOCKS_A_PART) p.count = run->info.blocks / BLOCKS_A_PART;
    if (p.count > MAX_PARTS) p.count = MAX_PARTS;
    if (p.count < 2 || (launch->listener_count && !launch->parts)) return false;
    if (!stands_alone(run, launch->parts && launch->parts->no_atomics)) return false;
    bool good = find_written(&p) && !writes_sparse(&p);
    const bool begun = good && (!launch->parts || launch->parts->begin(launch->parts->context, p.count));
    p.part = begun ? calloc(p.count, sizeof *p.part) : NULL;
    good = p.part && save(&p);
    for (unsigned k = 0; good && k < p.count; k++) good = make_part(&p, k, launch, blocks);
    if (good && !(good = run_all(&p))) undo(&p);
    if (begun && launch->parts) launch->parts->end(launch->parts->context, good);
    for (unsigned k = 0; p.part && k < p.count; k++) free_part(&p, &p.part[k]);
    for (unsigned o = 0; p.saved && o < run->sim->object_count; o++) free(p.saved[o]);
    free(p.written);
    free(p.saved);
    free(p.part);
    return good;
}
