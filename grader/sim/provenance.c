/* Finds the object from which each address was computed. A thread may use a pointer only within its object. But a wrong
 * index in a shared variable can reach the next variable or dynamic shared memory, and a wrong 64-bit index can reach
 * another buffer. Each access therefore gets its object's bounds, if the code shows the object: a shared variable, a
 * variable of the module, or the target of a kernel parameter.
 *
 * The analysis covers registers, parameters and results of functions, and local variables that hold pointers. It
 * ignores control flow and joins all values that each of these may have anywhere in the program. An address that was
 * loaded from memory, or that may point to several objects, has no bounds: its accesses are only checked against
 * existing objects.
 *
 * A 64-bit parameter may also be a number. Results of operations that do not apply to addresses, such as multiplication
 * and shifts, count as numbers. The sum of two parameters has no bounds. */
#include "sim/decoding.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_PASSES = 64, MAX_SLOTS = 64 };

/* Kinds of origins, in ascending order of precedence. NOWHERE: no value found yet. ELSEWHERE: a number, or an address
 * of unknown origin. VARIABLE: an address in one object. SEVERAL: an address that may be in several objects. */
enum origin_kind { NOWHERE, ELSEWHERE, VARIABLE, SEVERAL };
struct origin {
    enum origin_kind kind;
    struct sim_bounds bounds; /* valid if kind is VARIABLE */
};
/* A local variable at a fixed offset in the function's local memory, the depot. */
struct slot {
    uint64_t offset;
    struct origin origin;
};
struct scope {
    struct origin *registers, *params, *locals, result;
    struct slot slots[MAX_SLOTS];
    unsigned slot_count;
    uint32_t depot[2];  /* registers that hold the depot's address, or PTX_NO_REG */
    uint64_t first_out; /* lowest offset of a local variable with its address taken */
};
struct provenance {
    const struct sim_program *program;
    struct scope *scopes; /* by function */
    bool more;
};

static const struct origin elsewhere = {ELSEWHERE, {0, 0, SIM_OF_SHARED}}, several = {SEVERAL, {0, 0, SIM_OF_SHARED}};

static bool same_bounds(const struct origin *a, const struct origin *b) {
    return a->bounds.of == b->bounds.of && a->bounds.begin == b->bounds.begin && a->bounds.end == b->bounds.end;
}
/* Returns the origin of a value that is `a` or `b`, for example where two paths join. */
static struct origin either(struct origin a, struct origin b) {
    if (a.kind == NOWHERE) return b;
    if (b.kind == NOWHERE) return a;
    if (a.kind != b.kind || (a.kind == VARIABLE && !same_bounds(&a, &b))) return several;
    return a;
}
/* Returns whether the value may be a number, as parameters may. */
static bool may_be_number(const struct origin *o) {
    return o->kind <= ELSEWHERE || (o->kind == VARIABLE && o->bounds.of == SIM_OF_PARAMETER);
}
/* Returns the origin of the sum of an address and an index. */
static struct origin sum(struct origin a, struct origin b) {
    if (a.kind == SEVERAL || b.kind == SEVERAL || (a.kind == VARIABLE && b.kind == VARIABLE)) return several;
    return a.kind > b.kind ? a : b;
}
static void join_origin(struct provenance *p, struct origin *to, struct origin o) {
    const struct origin now = either(*to, o);
    p->more |= now.kind != to->kind;
    *to = now;
}

static struct origin of_variable(const struct provenance *p, const struct ptx_variable *v) {
    if (v->space == PTX_GLOBAL || v->space == PTX_CONST)
        return v->owner ? several : (struct origin){VARIABLE, {v->index, 0, SIM_OF_VARIABLE}};
    if (v->space != PTX_SHARED) return elsewhere;
    const uint32_t at =
        v->owner ? p->program->functions[v->owner->index].local_offset[v->index] : p->program->shared_offset[v->index];
    return (struct origin){VARIABLE, {at, v->external ? UINT32_MAX : at + (uint32_t)v->size, SIM_OF_SHARED}};
}
/* Returns where the origin of a function's parameter, result or .param variable is stored, or NULL if it is not
 * stored. */
static struct origin *home(struct provenance *p, const struct ptx_variable *v) {
    if (!v || v->space != PTX_PARAM || !v->owner) return NULL;
    struct scope *s = &p->scopes[v->owner->index];
    if (v == v->owner->result) return &s->result;
    if (v->index < v->owner->param_count && v->owner->params[v->index] == v)
        return v->owner->entry ? NULL : &s->params[v->index];
    return &s->locals[v->index];
}
static struct origin of_operand(const struct provenance *p, const struct scope *s, const struct ptx_operand *o) {
    switch (o->kind) {
    case PTX_REGISTER: return s->registers[o->reg];
    case PTX_SYMBOL: return o->symbol ? of_variable(p, o->symbol) : elsewhere;
    case PTX_VECTOR: return several;
    default: return elsewhere;
    }
}

/* ---- local variables ------------------------------------------------------------------------- */

static bool is_depot(const struct scope *s, uint32_t reg) {
    return reg != PTX_NO_REG && (reg == s->depot[0] || reg == s->depot[1]);
}
/* Finds %SP and %SPL, which unoptimized code uses for the depot, and the lowest offset of a variable with its address
 * taken. Other code may write to variables from this offset on. */
static void find_depot(const struct ptx_function *f, struct scope *s) {
    s->depot[0] = s->depot[1] = PTX_NO_REG, s->first_out = UINT64_MAX;
    for (uint32_t r = 0; r < f->register_count; r++) {
        if (!strcmp(f->registers[r].name, "%SP")) s->depot[0] = r;
        if (!strcmp(f->registers[r].name, "%SPL")) s->depot[1] = r;
    }
    for (uint32_t n = 0; n < f->code_count; n++) {
        const struct ptx_insn *i = &f->code[n];
        for (unsigned k = ptx_written(i); k < i->count; k++) {
            const struct ptx_traits *t = ptx_traits_of(i);
            if (i->operand[k].kind != PTX_REGISTER || !is_depot(s, i->operand[k].reg) || t->names_space) continue;
            const bool known = t->address == PTX_ADDRESS_SUM && i->operand[2].kind == PTX_IMMEDIATE;
            const uint64_t at = known ? i->operand[2].imm : 0;
            if (at < s->first_out) s->first_out = at;
        }
    }
}
static struct origin *slot_of(struct scope *s, const struct ptx_operand *m, bool make) {
    if (m->kind != PTX_MEMORY || m->symbol || !is_depot(s, m->reg) || m->imm >= s->first_out) return NULL;
    for (unsigned k = 0; k < s->slot_count; k++)
        if (s->slots[k].offset == m->imm) return &s->slots[k].origin;
    if (!make || s->slot_count == MAX_SLOTS) return NULL;
    s->slots[s->slot_count] = (struct slot){.offset = m->imm};
    return &s->slots[s->slot_count++].origin;
}

/* ---- instructions ---------------------------------------------------------------------------- */

static struct origin computed(const struct provenance *p, const struct scope *s, const struct ptx_insn *i) {
    struct origin o[PTX_MAX_OPERANDS] = {elsewhere, elsewhere, elsewhere, elsewhere};
    bool address = false;
    for (unsigned k = 1; k < i->count; k++) {
        o[k] = of_operand(p, s, &i->operand[k]);
        if (o[k].kind == NOWHERE) return o[k]; /* unknown until a later pass */
        address |= !may_be_number(&o[k]);
    }
    switch (ptx_traits_of(i)->address) {
    case PTX_ADDRESS_SAME:
    case PTX_ADDRESS_BITS: return o[1];
    case PTX_ADDRESS_EITHER: return either(o[1], o[2]);
    case PTX_ADDRESS_SUM: return sum(o[1], o[2]);
    case PTX_ADDRESS_DIFFERENCE:
        if (o[2].kind <= ELSEWHERE) return o[1];
        return o[1].kind == VARIABLE && o[2].kind == VARIABLE && same_bounds(&o[1], &o[2]) ? elsewhere : several;
    case PTX_ADDRESS_INDEXED: return may_be_number(&o[1]) && may_be_number(&o[2]) ? o[3] : several;
    case PTX_ADDRESS_LOST: break;
    }
    return address ? several : elsewhere;
}
/* Returns the origin of a loaded kernel parameter. */
static struct origin of_parameter(const struct provenance *p, const struct ptx_insn *i, const struct ptx_operand *m) {
    const struct ptx_variable *v = m->symbol;
    const struct ptx_function *f = v->space == PTX_PARAM ? v->owner : NULL;
    const bool whole = i->type == PTX_U64 || i->type == PTX_S64 || i->type == PTX_B64;
    if (!f || !f->entry || v->index >= f->param_count || f->params[v->index] != v || !whole) return elsewhere;
    const uint64_t at = p->program->functions[f->index].param_offset[v->index] + m->imm;
    return at % 8 || m->imm + 8 > v->size ? elsewhere : (struct origin){VARIABLE, {(uint32_t)at, 0, SIM_OF_PARAMETER}};
}
static void pass_arguments(struct provenance *p, const struct ptx_call *c) {
    const struct ptx_function *f = c->callee;
    for (unsigned k = 0; k < c->argument_count; k++) {
        const struct origin *from = home(p, c->arguments[k]);
        if (from && f && k < f->param_count) join_origin(p, &p->scopes[f->index].params[k], *from);
    }
    struct origin *to = home(p, c->result);
    if (to) join_origin(p, to, f && f->defined ? p->scopes[f->index].result : several);
}
static void step(struct provenance *p, struct scope *s, const struct ptx_insn *i) {
    const enum ptx_memory memory = ptx_traits_of(i)->memory;
    const struct ptx_operand *first = &i->operand[0];
    if (i->call) return pass_arguments(p, i->call);
    if (memory == PTX_MEMORY_STORE) {
        struct origin *to = first->symbol ? home(p, first->symbol) : slot_of(s, first, true);
        const struct origin o = of_operand(p, s, &i->operand[1]);
        if (to && o.kind != NOWHERE) join_origin(p, to, first->symbol && first->imm ? several : o);
        return;
    }
    if (!ptx_written(i)) return;
    struct origin o = elsewhere;
    if (memory == PTX_MEMORY_LOAD) {
        const struct ptx_operand *m = &i->operand[1];
        const struct origin *from = m->symbol ? home(p, m->symbol) : slot_of(s, m, false);
        if (from)
            o = *from;
        else if (m->symbol)
            o = of_parameter(p, i, m);
    } else if (memory == PTX_MEMORY_NONE)
        o = computed(p, s, i);
    if (o.kind == NOWHERE) return; /* unknown until a later pass */
    for (unsigned k = 0; first->kind == PTX_VECTOR && k < first->count; k++)
        if (first->elements[k].kind == PTX_REGISTER)
            join_origin(p, &s->registers[first->elements[k].reg], o.kind > ELSEWHERE ? several : o);
    if (first->kind == PTX_REGISTER) join_origin(p, &s->registers[first->reg], o);
}

/* Marks as unknown the parameters of all functions whose address is taken, because these may be called from
 * anywhere. */
static void open_functions(struct provenance *p) {
    const struct ptx_module *m = p->program->module;
    for (unsigned k = 0; k < m->function_count; k++)
        for (uint32_t n = 0; n < m->functions[k]->code_count; n++) {
            const struct ptx_insn *i = &m->functions[k]->code[n];
            for (unsigned o = 0; o < i->count && !i->call; o++) {
                const struct ptx_function *f = i->operand[o].function;
                for (unsigned a = 0; f && a < f->param_count; a++) p->scopes[f->index].params[a] = several;
            }
        }
    for (unsigned k = 0; k < m->variable_count; k++)
        for (unsigned r = 0; r < m->variables[k]->relocation_count; r++) {
            const struct ptx_function *f = m->variables[k]->relocations[r].function;
            for (unsigned a = 0; f && a < f->param_count; a++) p->scopes[f->index].params[a] = several;
        }
}
/* Sets the bounds of each access whose address is known to be in one object. */
static void bound(struct provenance *p, struct sim_program *program, const struct sim_function *f) {
    struct scope *s = &p->scopes[f->source->index];
    for (uint32_t n = 0; n < f->source->code_count; n++) {
        const struct ptx_insn *i = &f->source->code[n];
        if (!ptx_accesses_memory(ptx_traits_of(i)) || i->space == PTX_LOCAL || i->space == PTX_PARAM) continue;
        const struct ptx_operand *m = &i->operand[ptx_written(i)];
        const struct origin o = m->symbol              ? of_variable(p, m->symbol)
                                : m->reg != PTX_NO_REG ? s->registers[m->reg]
                                                       : elsewhere;
        if (o.kind != VARIABLE) continue;
        program->bounds[f->entry + n] = o.bounds;
        program->code[f->entry + n].bounds = &program->bounds[f->entry + n];
    }
}

bool sim_find_provenance(struct sim_program *program) {
    const struct ptx_module *m = program->module;
    struct provenance p = {.program = program};
    p.scopes = calloc(m->function_count + 1, sizeof *p.scopes);
    program->bounds = calloc(program->code_count + 1, sizeof *program->bounds);
    bool ok = p.scopes && program->bounds;
    for (unsigned k = 0; ok && k < m->function_count; k++) {
        const struct ptx_function *f = m->functions[k];
        struct scope *s = &p.scopes[k];
        s->registers = calloc(f->register_count + 1, sizeof *s->registers);
        s->params = calloc(f->param_count + 1, sizeof *s->params);
        s->locals = calloc(f->local_count + 1, sizeof *s->locals);
        ok = s->registers && s->params && s->locals;
        if (ok) find_depot(f, s);
    }
    if (ok) open_functions(&p);
    bool settled = false;
    for (unsigned pass = 0; ok && !settled && pass < MAX_PASSES; pass++) {
        p.more = false;
        for (unsigned k = 0; k < m->function_count; k++)
            for (uint32_t n = 0; n < m->functions[k]->code_count; n++)
                step(&p, &p.scopes[k], &m->functions[k]->code[n]);
        settled = !p.more;
    }
    for (unsigned k = 0; ok && settled && k < m->function_count; k++) bound(&p, program, &program->functions[k]);
    for (unsigned k = 0; p.scopes && k < m->function_count; k++) {
        free(p.scopes[k].registers);
        free(p.scopes[k].params);
        free(p.scopes[k].locals);
    }
    free(p.scopes);
    return ok;
}
