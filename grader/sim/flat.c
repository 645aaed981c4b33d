/* Inlines a kernel's calls. The called functions' registers get new numbers. Parameters and results, which are .param
 * variables of the caller, become registers. Calls through pointers, guarded calls, recursive calls, calls of built-in
 * functions, and calls at depth DEEPEST are not inlined.
 *
 * Then a local variable becomes registers if every access to it names the variable. A function's local memory is opaque
 * if the function indexes it, or if its address escapes: all of it then stays in memory. */
#include "sim/flat.h"
#include "sim/places.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_CODE = 8000, DEEPEST = 32, MAX_DEPOTS = 256 };

/* An inlined call of a function, or the kernel itself. */
struct instance {
    const struct instance *caller;
    const struct sim_function *f;
    const struct ptx_call *call;
    uint32_t base, depth;        /* base: index of the instance's first register */
    struct ptx_variable **local; /* the function's variables, copied for this call */
    bool *in_registers;          /* indexed by variable: it is a parameter or result of an inlined call */
    uint32_t *at;                /* new position of each instruction */
};
/* A register that replaces bytes of a variable. */
struct cell {
    const struct ptx_variable *v;
    uint64_t offset;
    uint32_t bytes, reg;
};
struct flattening {
    struct sim_flat *to;
    const struct sim_program *p;
    uint32_t code_capacity, register_capacity, cell_capacity, cells;
    struct cell *cell;
    const struct ptx_variable *depot[MAX_DEPOTS], *opaque[MAX_DEPOTS];
    unsigned depots, opaques;
    bool failed;
};

/* ---- construction of the code ------------------------------------------------------------------- */

static void *take(struct flattening *t, size_t bytes) {
    void *taken = arena_take(&t->to->arena, bytes ? bytes : 1);
    if (!taken) t->failed = true;
    return taken;
}
/* Makes room for one more element of an array. Returns false if out of memory. */
static bool grow(struct flattening *t, void *array, uint32_t count, uint32_t *capacity, size_t size) {
    if (count < *capacity) return true;
    const uint32_t more = *capacity ? 2 * *capacity : 256;
    void *grown = take(t, more * size), *old;
    if (!grown) return false;
    memcpy(&old, array, sizeof old);
    if (count) memcpy(grown, old, count * size);
    memcpy(array, &grown, sizeof grown);
    *capacity = more;
    return true;
}
static uint32_t new_register(struct flattening *t, enum ptx_type type, char *name) {
    struct ptx_function *f = &t->to->f;
    if (!grow(t, &f->registers, f->register_count, &t->register_capacity, sizeof *f->registers)) return PTX_NO_REG;
    f->registers[f->register_count] = (struct ptx_register){name, type};
    return f->register_count++;
}
static void emit(struct flattening *t, const struct ptx_insn *i, uint32_t origin) {
    struct ptx_function *f = &t->to->f;
    uint32_t capacity = t->code_capacity;
    if (f->code_count >= MAX_CODE) t->failed = true;
    if (t->failed || !grow(t, &f->code, f->code_count, &capacity, sizeof *f->code) ||
        !grow(t, &t->to->origin, f->code_count, &t->code_capacity, sizeof *t->to->origin))
        return;
    t->to->origin[f->code_count] = origin;
    f->code[f->code_count++] = *i;
}
static bool overlaps(const struct cell *c, uint64_t offset, uint32_t bytes) {
    return offset < c->offset + c->bytes && c->offset < offset + bytes;
}
/* Returns the register that replaces these bytes and perhaps some of the following ones. Returns PTX_NO_REG if they
 * overlap a register that begins elsewhere. */
static uint32_t cell_of(struct flattening *t, const struct ptx_variable *v, uint64_t offset, enum ptx_type type) {
    const uint32_t bytes = ptx_type_bits(type) / 8;
    struct cell *same = NULL;
    for (uint32_t k = 0; k < t->cells; k++) {
        struct cell *c = &t->cell[k];
        if (c->v != v || !overlaps(c, offset, bytes)) continue;
        if (c->offset != offset) return PTX_NO_REG;
        same = c;
    }
    if (same && same->bytes < bytes) same->bytes = bytes;
    if (same) return same->reg;
    const uint32_t reg = new_register(t, type, (char *)"");
    if (t->failed || !grow(t, &t->cell, t->cells, &t->cell_capacity, sizeof *t->cell)) return PTX_NO_REG;
    t->cell[t->cells++] = (struct cell){v, offset, bytes, reg};
    return reg;
}

/* ---- accesses that become moves ----------------------------------------------------------------- */

static bool is_plain(const struct ptx_insn *i) {
    const enum ptx_memory m = ptx_traits_of(i)->memory;
    return (m == PTX_MEMORY_LOAD || m == PTX_MEMORY_STORE) && i->count == 2;
}
/* Replaces a load or store of `v` at `offset` with one move per element. Returns false if this is impossible. */
static bool make_moves(struct flattening *t, const struct ptx_insn *i, const struct ptx_variable *v, uint64_t offset,
                       struct ptx_insn move[8], unsigned *count) {
    const bool load = ptx_traits_of(i)->memory == PTX_MEMORY_LOAD;
    const struct ptx_operand *value = &i->operand[load ? 0 : 1];
    *count = value->kind == PTX_VECTOR ? value->count : 1;
    if (*count > 8) return false;
    for (unsigned k = 0; k < *count; k++) {
        const struct ptx_operand *one = value->kind == PTX_VECTOR ? &value->elements[k] : value;
        struct ptx_operand cell = {.kind = PTX_REGISTER};
        cell.reg = cell_of(t, v, offset + k * (ptx_type_bits(i->type) / 8), i->type);
        if (cell.reg == PTX_NO_REG) return false;
        move[k] = (struct ptx_insn){.op = PTX_OP_mov, .type = i->type, .vec = 1, .guard = i->guard, .count = 2};
        move[k].guard_negated = i->guard_negated, move[k].loc = i->loc, move[k].text_line = i->text_line;
        move[k].operand[0] = load ? *one : cell, move[k].operand[1] = load ? cell : *one;
    }
    return true;
}

/* ---- calls -------------------------------------------------------------------------------------- */

/* Returns the function that the instruction calls, or NULL if the call cannot be inlined. */
static const struct sim_function *target_of(const struct flattening *t, const struct instance *in,
                                            const struct ptx_insn *i) {
    const struct ptx_function *callee = i->call ? i->call->callee : NULL;
    if (!callee || !callee->defined || i->guard != PTX_NO_REG || in->depth == DEEPEST) return NULL;
    const struct sim_function *f = &t->p->functions[callee->index];
    for (const struct instance *k = in; k; k = k->caller)
        if (k->f == f) return NULL;
    return f;
}
/* Returns the caller's variable for a parameter or result of the function, or NULL if it does not become registers. */
static const struct ptx_variable *home(const struct instance *in, const struct ptx_variable *v) {
    const struct ptx_function *s = in->f->source;
    if (v->owner != s || v->space != PTX_PARAM) return NULL;
    for (unsigned k = 0; k < s->param_count; k++)
        if (s->params[k] == v)
            return in->caller && k < in->call->argument_count ? home(in->caller, in->call->arguments[k]) : NULL;
    if (s->result == v) return in->caller && in->call->result ? home(in->caller, in->call->result) : NULL;
    return v->index < s->local_count && s->locals[v->index] == v && in->in_registers[v->index] ? in->local[v->index]
                                                                                               : NULL;
}
static void use_registers(const struct instance *in, const struct ptx_variable *v) {
    if (v && v->owner == in->f->source && v->index < in->f->source->local_count) in->in_registers[v->index] = true;
}
static bool begin(struct flattening *t, struct instance *in) {
    const struct ptx_function *s = in->f->source;
    in->local = take(t, s->local_count * sizeof *in->local);
    in->in_registers = take(t, s->local_count);
    in->at = take(t, (s->code_count + 1) * sizeof *in->at);
    for (unsigned k = 0; !t->failed && k < s->local_count; k++) {
        struct ptx_variable *copy = in->local[k] = take(t, sizeof *copy);
        if (!copy) return false;
        *copy = *s->locals[k];
        if (copy->space != PTX_LOCAL) continue;
        if (t->depots == MAX_DEPOTS) t->failed = true;
        if (!t->failed) t->depot[t->depots++] = copy;
    }
    in->base = t->to->f.register_count;
    for (unsigned k = 0; !t->failed && k < s->register_count; k++)
        new_register(t, s->registers[k].type, s->registers[k].name);
    for (uint32_t n = 0; !t->failed && n < s->code_count; n++) {
        const struct ptx_insn *i = &s->code[n];
        if (!target_of(t, in, i)) continue;
        for (unsigned k = 0; k < i->call->argument_count; k++) use_registers(in, i->call->arguments[k]);
        use_registers(in, i->call->result);
    }
    return !t->failed;
}
static struct ptx_operand moved(struct flattening *t, const struct instance *in, const struct ptx_operand *o) {
    struct ptx_operand to = *o;
    const bool has_register = o->kind == PTX_REGISTER || o->kind == PTX_MEMORY;
    if (has_register && o->reg != PTX_NO_REG && !(o->kind == PTX_MEMORY && o->symbol)) to.reg += in->base;
    const struct ptx_variable *v = o->symbol;
    if (v && v->owner == in->f->source && v->space == PTX_LOCAL) to.symbol = in->local[v->index];
    if (o->kind != PTX_VECTOR) return to;
    to.elements = take(t, o->count * sizeof *o->elements);
    for (unsigned k = 0; to.elements && k < o->count; k++) to.elements[k] = moved(t, in, &o->elements[k]);
    return to;
}
static void put_in_place(struct flattening *t, struct instance *in);
static void put_call(struct flattening *t, const struct instance *in, const struct sim_function *f,
                     const struct ptx_call *call) {
    struct instance *callee = take(t, sizeof *callee);
    if (!callee) return;
    *callee = (struct instance){.caller = in, .f = f, .call = call, .depth = in->depth + 1};
    put_in_place(t, callee);
}
/* Returns whether the instruction takes the address of a parameter. The parameter then cannot be in registers. */
static bool takes_address(const struct instance *in, const struct ptx_insn *i) {
    for (unsigned k = 0; k < i->count; k++)
        if (i->operand[k].kind == PTX_SYMBOL && i->operand[k].symbol && home(in, i->operand[k].symbol)) return true;
    return false;
}
static void put_instruction(struct flattening *t, struct instance *in, uint32_t n) {
    const struct ptx_insn *from = &in->f->source->code[n];
    const struct sim_function *callee = target_of(t, in, from);
    if (callee) {
        put_call(t, in, callee, from->call);
        return;
    }
    struct ptx_insn i = *from, move[8];
    if (i.guard != PTX_NO_REG) i.guard += in->base;
    for (unsigned k = 0; k < i.count; k++) i.operand[k] = moved(t, in, &from->operand[k]);
    i.pred_dest = moved(t, in, &from->pred_dest);
    if (in->caller && ptx_traits_of(from)->flow == PTX_FLOW_RETURN) /* set_targets() sets the target */
        i = (struct ptx_insn){.op = PTX_OP_bra,
                              .guard = i.guard,
                              .guard_negated = i.guard_negated,
                              .count = 1,
                              .operand = {{.kind = PTX_LABEL, .target = in->f->source->code_count}}};
    const struct ptx_operand *m = sim_memory_operand(from);
    const struct ptx_variable *v = m && m->symbol && is_plain(from) ? home(in, m->symbol) : NULL;
    unsigned moves;
    if (takes_address(in, from) || (v && !make_moves(t, &i, v, m->imm, move, &moves)))
        t->failed = true;
    else if (v)
        for (unsigned k = 0; k < moves; k++) emit(t, &move[k], PTX_NO_REG);
    else
        emit(t, &i, in->f->entry + n);
}
/* If instruction n of the instance has become a branch, sets its targets. A return may also have become a branch. */
static void set_targets(struct flattening *t, const struct instance *in, uint32_t n) {
    const struct ptx_insn *from = &in->f->source->code[n];
    struct ptx_insn *i = &t->to->f.code[in->at[n]];
    if (target_of(t, in, from) || in->at[n] == in->at[n + 1]) return;
    if (ptx_traits_of(i)->flow == PTX_FLOW_BRANCH) i->operand[0].target = in->at[i->operand[0].target];
    if (ptx_traits_of(i)->flow != PTX_FLOW_TABLE) return;
    i->targets = take(t, from->target_count * sizeof *i->targets);
    for (uint32_t k = 0; i->targets && k < from->target_count; k++) i->targets[k] = in->at[from->targets[k]];
}
static void put_in_place(struct flattening *t, struct instance *in) {
    const uint32_t count = in->f->source->code_count;
    if (!begin(t, in)) return;
    for (uint32_t n = 0; !t->failed && n < count; n++) {
        in->at[n] = t->to->f.code_count;
        put_instruction(t, in, n);
    }
    in->at[count] = t->to->f.code_count;
    for (uint32_t n = 0; !t->failed && n < count; n++) set_targets(t, in, n);
}

/* ---- local variables ---------------------------------------------------------------------------- */

static bool is_opaque(const struct flattening *t, const struct ptx_variable *v) {
    for (unsigned k = 0; k < t->opaques; k++)
        if (t->opaque[k] == v) return true;
    return false;
}
static void make_opaque(struct flattening *t, const struct ptx_variable *v) {
    if (v && !is_opaque(t, v) && t->opaques < MAX_DEPOTS) t->opaque[t->opaques++] = v;
}
static bool is_local(const struct ptx_variable *v) { return v && v->space == PTX_LOCAL; }

/* Returns the local variable that an instruction accesses. Returns NULL if the access names none, or if the variable is
 * opaque. */
static const struct ptx_variable *local_of(const struct flattening *t, const struct ptx_insn *i,
                                           const uint32_t *definition, uint64_t *offset) {
    if (!is_plain(i) || (i->space != PTX_GENERIC && i->space != PTX_LOCAL)) return NULL;
    const struct sim_place p = sim_place_of(&t->to->f, definition, sim_memory_operand(i));
    *offset = p.offset;
    return is_local(p.symbol) && !is_opaque(t, p.symbol) ? p.symbol : NULL;
}
/* Replaces accesses that name a local variable with moves. Returns whether there were any. All addresses are resolved
 * first, because the moves add registers and definitions. */
static bool convert(struct flattening *t) {
    struct ptx_function *f = &t->to->f;
    bool any = false;
    uint32_t *definition = take(t, f->register_count * sizeof *definition);
    const struct ptx_variable **local = take(t, f->code_count * sizeof *local);
    uint64_t *offset = take(t, f->code_count * sizeof *offset);
    if (t->failed) return false;
    sim_find_definitions(f, definition);
    for (uint32_t n = 0; n < f->code_count; n++) local[n] = local_of(t, &f->code[n], definition, &offset[n]);
    for (uint32_t n = 0; n < f->code_count && !t->failed; n++) {
        struct ptx_insn move[8];
        unsigned moves;
        if (!local[n]) continue;
        if (!make_moves(t, &f->code[n], local[n], offset[n], move, &moves) || moves > 1)
            make_opaque(t, local[n]);
        else
            f->code[n] = move[0], t->to->origin[n] = PTX_NO_REG, any = true;
    }
    return any;
}
/* Records that register `to` may hold the address of `v`. Returns whether this is new. If a register may hold two
 * addresses, both variables become opaque. */
static bool hold(struct flattening *t, const struct ptx_variable **held, const struct ptx_operand *to,
                 const struct ptx_variable *v) {
    if (to->kind != PTX_REGISTER || held[to->reg] == v) return false;
    if (held[to->reg]) make_opaque(t, v), make_opaque(t, held[to->reg]);
    const bool more = !held[to->reg];
    held[to->reg] = v;
    return more;
}
static const struct ptx_variable *held_by(const struct ptx_operand *o, const struct ptx_variable **held) {
    const struct ptx_variable *v = NULL;
    if (o->symbol) v = is_local(o->symbol) ? o->symbol : NULL;
    if (!o->symbol && (o->kind == PTX_REGISTER || o->kind == PTX_MEMORY) && o->reg != PTX_NO_REG) v = held[o->reg];
    for (unsigned k = 0; o->kind == PTX_VECTOR && k < o->count && !v; k++) v = held_by(&o->elements[k], held);
    return v;
}
static bool follow_address(struct flattening *t, const struct ptx_insn *i, const struct ptx_variable **held) {
    const enum ptx_address address = ptx_traits_of(i)->address;
    const bool copies =
        i->guard == PTX_NO_REG &&
        (address == PTX_ADDRESS_SAME || (address == PTX_ADDRESS_SUM && i->operand[2].kind == PTX_IMMEDIATE)) &&
        i->operand[0].kind == PTX_REGISTER;
    const bool compares = ptx_written(i) && ptx_ops[i->op].operands[0] == 'p';
    bool more = false;
    for (unsigned k = ptx_written(i); k < i->count; k++) {
        const struct ptx_variable *v = held_by(&i->operand[k], held);
        if (!v) continue;
        if (copies)
            more |= hold(t, held, &i->operand[0], v);
        else if (!compares)
            make_opaque(t, v);
    }
    return more;
}
/* Finds the opaque variables: follows their addresses through registers. */
static void find_opaque(struct flattening *t, const struct ptx_variable **held) {
    const struct ptx_function *f = &t->to->f;
    memset(held, 0, f->register_count * sizeof *held);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t n = 0; n < f->code_count; n++) more |= follow_address(t, &f->code[n], held);
    }
}
/* Replaces local variables with registers. If one proves to be opaque, restores the code and starts again without it.
 */
static void put_in_registers(struct flattening *t) {
    struct ptx_function *f = &t->to->f;
    const size_t size = f->code_count * sizeof *f->code, origins = f->code_count * sizeof *t->to->origin;
    const uint32_t registers = f->register_count, cells = t->cells;
    struct ptx_insn *code = take(t, size);
    uint32_t *origin = take(t, origins);
    if (t->failed) return;
    memcpy(code, f->code, size), memcpy(origin, t->to->origin, origins);
    for (;;) {
        const unsigned before = t->opaques;
        while (convert(t)) {}
        const struct ptx_variable **held = take(t, f->register_count * sizeof *held);
        if (t->failed) return;
        find_opaque(t, held);
        if (t->opaques == before) return;
        memcpy(f->code, code, size), memcpy(t->to->origin, origin, origins);
        f->register_count = registers, t->cells = cells;
    }
}

struct sim_flat *sim_flatten(const struct sim_program *p, const struct sim_function *kernel) {
    struct sim_flat *to = calloc(1, sizeof *to);
    struct flattening *t = calloc(1, sizeof *t);
    if (t && to) {
        struct instance in = {.f = kernel};
        t->to = to, t->p = p;
        put_in_place(t, &in);
        if (!t->failed) put_in_registers(t);
        to->f.join = take(t, to->f.code_count * sizeof *to->f.join);
        t->failed = t->failed || !ptx_find_joins(&to->f, to->f.join);
    }
    if (!t || !to || t->failed) sim_flat_free(to), to = NULL;
    free(t);
    return to;
}
void sim_flat_free(struct sim_flat *f) {
    if (!f) return;
    arena_free(&f->arena);
    free(f);
}
