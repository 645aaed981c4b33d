/* The layout of shared variables. A module has many kernels, because a student's file is compiled once for all
 * operators and types. Each kernel needs space only for the variables that it reaches.
 *
 * Variables that several kernels reach come first, for example those of a common function. They have the same offset in
 * all these kernels. Then come the variables of a single kernel, and the reserved shared memory if the kernel names it.
 * Dynamic shared memory begins after the static part of all kernels that use it. */
#include "model/gpus/gpu.h"
#include "sim/decoding.h"
#include <stdlib.h>
#include <string.h>

enum { SHARED_ALIGN = 16 };

/* A shared variable of the module or of a function, and how many kernels reach it. */
struct place {
    const struct ptx_variable *variable;
    uint32_t *offset;
    unsigned kernels;
};
struct layout {
    struct sim_program *program;
    struct place *places;
    unsigned count;
    uint8_t *reached; /* indexed by function: 1 if this kernel reaches it; 2 if it has also been visited */
    uint8_t *uses;    /* the kernel uses the variable, at [kernel * count + place] */
};

static uint32_t align_up(uint32_t x, uint32_t a) { return a ? (x + a - 1) / a * a : x; }

static bool collect(struct layout *l) {
    const struct ptx_module *m = l->program->module;
    unsigned most = m->variable_count;
    for (unsigned k = 0; k < m->function_count; k++) most += m->functions[k]->local_count;
    l->places = calloc(most + 1, sizeof *l->places);
    l->reached = malloc(m->function_count + 1);
    if (!l->places || !l->reached) return false;
    l->program->shared_offset = calloc(m->variable_count + 1, sizeof *l->program->shared_offset);
    if (!l->program->shared_offset) return false;
    for (unsigned k = 0; k < m->variable_count; k++)
        if (m->variables[k]->space == PTX_SHARED)
            l->places[l->count++] = (struct place){m->variables[k], &l->program->shared_offset[k], 0};
    for (unsigned k = 0; k < m->function_count; k++)
        for (unsigned n = 0; n < m->functions[k]->local_count; n++)
            if (m->functions[k]->locals[n]->space == PTX_SHARED)
                l->places[l->count++] =
                    (struct place){m->functions[k]->locals[n], &l->program->functions[k].local_offset[n], 0};
    l->uses = calloc((size_t)l->count * m->function_count + 1, 1);
    return l->uses != NULL;
}

static void use_variable(struct layout *l, unsigned kernel, const struct ptx_variable *v) {
    for (unsigned k = 0; k < l->count; k++)
        if (l->places[k].variable == v) l->uses[(size_t)kernel * l->count + k] = 1;
}
static void use_operand(struct layout *l, unsigned kernel, const struct ptx_operand *o, bool *more) {
    if (o->symbol && o->symbol->space == PTX_SHARED) use_variable(l, kernel, o->symbol);
    if (o->kind == PTX_SPECIAL && o->special >= PTX_RESERVED_SMEM_BEGIN && o->special <= PTX_RESERVED_SMEM_1)
        l->program->functions[kernel].reserved_bytes = gpu_default->reserved_shared_bytes;
    if (o->function && !l->reached[o->function->index]) l->reached[o->function->index] = 1, *more = true;
    for (unsigned k = 0; o->kind == PTX_VECTOR && k < o->count; k++) use_operand(l, kernel, &o->elements[k], more);
}
/* Marks all variables that `kernel` reaches, through calls or addresses of functions. */
static void reach(struct layout *l, unsigned kernel) {
    const struct ptx_module *m = l->program->module;
    memset(l->reached, 0, m->function_count);
    l->reached[kernel] = 1;
    for (bool more = true; more;) {
        more = false;
        for (unsigned k = 0; k < m->function_count; k++) {
            if (l->reached[k] != 1) continue;
            l->reached[k] = 2;
            const struct ptx_function *f = m->functions[k];
            for (unsigned n = 0; n < f->code_count; n++) {
                const struct ptx_insn *i = &f->code[n];
                for (unsigned o = 0; o < i->count; o++) use_operand(l, kernel, &i->operand[o], &more);
                if (i->call && i->call->callee && !l->reached[i->call->callee->index])
                    l->reached[i->call->callee->index] = 1, more = true;
            }
        }
    }
}

/* Places a variable after the variables of all kernels that reach it. A kernel's shared_bytes is the end of its
 * variables so far. */
static void place_variable(struct layout *l, unsigned place) {
    const struct place *v = &l->places[place];
    const unsigned functions = l->program->module->function_count;
    const uint8_t *uses = &l->uses[place];
    uint32_t at = 0;
    for (unsigned f = 0; f < functions; f++)
        if (uses[(size_t)f * l->count] && l->program->functions[f].shared_bytes > at)
            at = l->program->functions[f].shared_bytes;
    *v->offset = align_up(at, v->variable->align);
    for (unsigned f = 0; f < functions; f++)
        if (uses[(size_t)f * l->count])
            l->program->functions[f].shared_bytes = *v->offset + (uint32_t)v->variable->size;
}
static void place_static(struct layout *l) {
    for (unsigned several = 2; several-- > 0;)
        for (unsigned k = 0; k < l->count; k++)
            if (!l->places[k].variable->external && l->places[k].kernels && (l->places[k].kernels > 1) == several)
                place_variable(l, k);
}

bool sim_lay_out_shared(struct sim_program *p) {
    const struct ptx_module *m = p->module;
    struct layout l = {.program = p};
    bool ok = collect(&l);
    for (unsigned k = 0; ok && k < m->function_count; k++)
        if (m->functions[k]->entry) reach(&l, k);
    for (unsigned k = 0; ok && k < l.count; k++)
        for (unsigned f = 0; f < m->function_count; f++) l.places[k].kernels += l.uses[(size_t)f * l.count + k];
    if (ok) place_static(&l);
    for (unsigned f = 0; ok && f < m->function_count; f++) {
        p->functions[f].reserved_offset = align_up(p->functions[f].shared_bytes, SHARED_ALIGN);
        p->functions[f].shared_bytes = p->functions[f].reserved_offset + p->functions[f].reserved_bytes;
    }
    for (unsigned k = 0; ok && k < l.count; k++) { /* dynamic shared memory */
        if (!l.places[k].variable->external) continue;
        for (unsigned f = 0; f < m->function_count; f++)
            if (l.uses[(size_t)f * l.count + k] && p->functions[f].shared_bytes > *l.places[k].offset)
                *l.places[k].offset = p->functions[f].shared_bytes;
    }
    for (unsigned f = 0; ok && f < m->function_count; f++) {
        struct sim_function *to = &p->functions[f];
        to->symbols = calloc(l.count + 1, sizeof *to->symbols);
        ok = to->symbols != NULL;
        for (unsigned k = 0; ok && k < l.count; k++) {
            const struct ptx_variable *v = l.places[k].variable;
            if (!l.uses[(size_t)f * l.count + k]) continue;
            if (v->external && *l.places[k].offset > to->shared_bytes) to->shared_bytes = *l.places[k].offset;
            to->symbols[to->symbol_count++] =
                (struct sim_symbol){v->name, *l.places[k].offset, v->external ? UINT64_MAX : v->size};
        }
    }
    for (unsigned f = 0; ok && f < m->function_count; f++)
        if (p->functions[f].reserved_bytes)
            p->functions[f].symbols[p->functions[f].symbol_count++] = (struct sim_symbol){
                "%reserved_smem", p->functions[f].reserved_offset, gpu_default->reserved_shared_bytes};
    free(l.places);
    free(l.reached);
    free(l.uses);
    return ok;
}

const struct sim_symbol *sim_shared_symbol(const struct sim_launch_info *launch, uint64_t offset) {
    for (unsigned k = 0; k < launch->symbol_count; k++) {
        const struct sim_symbol *s = &launch->symbols[k];
        if (offset >= s->offset && offset - s->offset < s->size) return s;
    }
    return NULL;
}
