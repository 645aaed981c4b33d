/* Decoding: a PTX module becomes one flat array of records with handlers and register rows resolved. */
#include "base/array.h"
#include "sim/machine.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROW_ALIGN = 64, PARAM_ROW = 4 * SIM_WARP };

static uint32_t align_up(uint32_t x, uint32_t a) { return (x + a - 1) / a * a; }

static void exec_nothing(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) { (void)w, (void)i, (void)mask; }

/* The address of a .local variable: its place in the depot of the running call. */
static void exec_local_address(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    uint64_t value = (uint64_t)i->imm + sim_current(w)->frame->local_base;
    uint64_t *d64 = sim_row(w, i->d);
    uint32_t *d32 = sim_row(w, i->d);
    SIM_EACH_LANE(l, mask) {
        if (i->width == 8)
            d64[l] = value;
        else
            d32[l] = (uint32_t)value;
    }
}
/* The address of a function's parameter, which lies in rows of its own: the parameter is copied to local memory (no
 * compiler writes to one), and what comes out leads there once ld.param or cvta.param has added its window. */
static void exec_param_address(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const uint64_t home = (uint64_t)i->b + sim_current(w)->frame->local_base;
    uint64_t *d = sim_row(w, i->d), offset[SIM_WARP];
    struct sim_access e = {.where = &w->where,
                           .pc = sim_pc(w, i),
                           .mask = mask,
                           .kind = SIM_STORE,
                           .object = &w->local_memory.object,
                           .offset = offset};
    for (uint32_t at = 0; at < i->target; at += e.bytes) {
        e.bytes = i->target - at < 4 ? 1 : 4;
        for (unsigned l = 0; l < SIM_WARP; l++) offset[l] = home + at;
        const uint8_t *from = (const uint8_t *)sim_row(w, i->a) + at / 4 * PARAM_ROW + at % 4;
        SIM_EACH_LANE(k, mask)
        memcpy(w->local + (uint64_t)k * w->local_bytes + home + at, from + 4 * k, e.bytes);
        SIM_EMIT(w->block->run, access, &e);
    }
    SIM_EACH_LANE(n, mask) d[n] = SIM_LOCAL_WINDOW - SIM_PARAM_WINDOW + home + (uint64_t)i->imm;
}
static uint64_t window_of(enum ptx_space s) {
    return s == PTX_SHARED  ? SIM_SHARED_WINDOW
           : s == PTX_LOCAL ? SIM_LOCAL_WINDOW
           : s == PTX_PARAM ? SIM_PARAM_WINDOW
                            : 0;
}
static void exec_isspacep(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const uint64_t *a = sim_row(w, i->a);
    const enum ptx_space space = i->source->space;
    const uint64_t window = window_of(space);
    uint32_t bits = 0;
    SIM_EACH_LANE(l, mask) {
        bool in = window && a[l] - window < SIM_WINDOW_SIZE, known = false;
        if (!window && a[l] >= SIM_GLOBAL_BASE) { /* constants lie among the global objects, and are none */
            const struct sim_memory *m = sim_find(w->block->run->sim, a[l], &known);
            in = (space == PTX_CONST) == (known && m->object.space == PTX_CONST);
        }
        if (space == PTX_GLOBAL)
            in |= a[l] - SIM_PARAM_WINDOW < SIM_WINDOW_SIZE; /* a kernel's parameters are (PTX ISA) */
        bits |= (uint32_t)in << l;
    }
    sim_set_predicate(w, i->d, bits, mask);
}

/* ---- layout of a frame ---------------------------------------------------------------------- */
static uint32_t row_bytes(enum ptx_type t) {
    unsigned bits = ptx_type_bits(t);
    return bits <= 16 ? 2 * SIM_WARP : bits / 8 * SIM_WARP;
}
static uint32_t take_row(struct sim_function *f, uint32_t bytes) {
    uint32_t at = align_up(f->frame_bytes, ROW_ALIGN);
    f->frame_bytes = at + bytes;
    return at;
}
/* Parameters of functions are rows of 4-byte words: word k of all lanes, then word k+1. */
static uint32_t take_param_rows(struct sim_function *f, const struct ptx_variable *v) {
    return take_row(f, align_up((uint32_t)v->size, 4) / 4 * PARAM_ROW);
}
static bool lay_out(struct sim_function *f) {
    const struct ptx_function *s = f->source;
    f->register_offset = calloc(s->register_count + 1, sizeof *f->register_offset);
    f->param_offset = calloc(s->param_count + 1, sizeof *f->param_offset);
    f->local_offset = calloc(s->local_count + 1, sizeof *f->local_offset);
    if (!f->register_offset || !f->param_offset || !f->local_offset) return false;
    f->frame_bytes = 4; /* a scratch predicate */
    for (unsigned k = 0; k < s->register_count; k++)
        if (s->registers[k].type == PTX_PRED) f->register_offset[k] = f->frame_bytes, f->frame_bytes += 4;
    for (unsigned k = 0; k < s->register_count; k++)
        if (s->registers[k].type != PTX_PRED) f->register_offset[k] = take_row(f, row_bytes(s->registers[k].type));
    for (unsigned k = 0; k < s->param_count; k++) {
        const struct ptx_variable *v = s->params[k];
        if (s->entry) {
            f->param_offset[k] = align_up(f->param_bytes, v->align ? v->align : 1);
            f->param_bytes = f->param_offset[k] + (uint32_t)v->size;
        } else
            f->param_offset[k] = take_param_rows(f, v);
    }
    if (s->result) f->result_offset = take_param_rows(f, s->result);
    for (unsigned k = 0; k < s->local_count; k++) {
        const struct ptx_variable *v = s->locals[k];
        if (v->space == PTX_PARAM)
            f->local_offset[k] = take_param_rows(f, v);
        else if (v->space == PTX_LOCAL) {
            f->local_offset[k] = align_up(f->local_bytes, v->align ? v->align : 1);
            f->local_bytes = f->local_offset[k] + (uint32_t)v->size;
        }
    }
    f->local_bytes = align_up(f->local_bytes, 16);
    return true;
}

/* Global and const variables of the module lie where sim_new() will put them. */
static bool lay_out_variables(struct sim_program *p) {
    const struct ptx_module *m = p->module;
    uint64_t at = SIM_GLOBAL_BASE;
    p->variable_address = calloc(m->variable_count + 1, sizeof *p->variable_address);
    for (unsigned k = 0; p->variable_address && k < m->variable_count; k++) {
        const struct ptx_variable *v = m->variables[k];
        if (v->space == PTX_GLOBAL || v->space == PTX_CONST) p->variable_address[k] = at, at = sim_after(at, v->size);
        if (!strcmp(v->name, PTX_GRID_WORKSPACE)) p->grid_workspace = p->variable_address[k];
    }
    return p->variable_address != NULL;
}

/* ---- operands ------------------------------------------------------------------------------- */
struct decoder {
    struct sim_program *program;
    struct sim_function *function;
    struct sim_error *error;
    bool failed;
};

static void fail(struct decoder *d, const struct ptx_insn *i, const char *what) {
    if (d->failed) return;
    d->failed = true;
    char text[160];
    ptx_print(d->program->module, d->function->source, i, text, sizeof text);
    if (i->loc.line)
        snprintf(d->error->message, sizeof d->error->message, "%s:%u: %s: %s",
                 i->loc.file < d->program->module->file_count ? d->program->module->files[i->loc.file] : "?",
                 i->loc.line, text, what);
    else
        snprintf(d->error->message, sizeof d->error->message, "PTX line %u: %s: %s", i->text_line, text, what);
}

static bool is_ctaid(enum ptx_special s) { return s == PTX_CTAID_X || s == PTX_CTAID_Y || s == PTX_CTAID_Z; }
/* A row that holds the same value in all lanes (or a special register): one for each value of a function. */
static uint32_t fill(struct decoder *d, unsigned bits, bool special, enum ptx_special which, uint64_t value) {
    struct sim_function *f = d->function;
    if (bits < 16) bits = 16;
    for (unsigned k = 0; k < f->fill_count; k++)
        if (f->fills[k].bits == bits && f->fills[k].is_special == special && f->fills[k].special == which &&
            f->fills[k].value == value)
            return f->fills[k].offset;
    struct sim_fill *fills = array_room(f->fills, f->fill_count + 1, &f->fill_capacity, sizeof *fills);
    if (!fills) return d->failed = true, 0;
    f->fills = fills;
    uint32_t at = take_row(f, bits / 8 * SIM_WARP);
    f->fills[f->fill_count++] = (struct sim_fill){at, (uint8_t)bits, which, value, special, special && is_ctaid(which)};
    return at;
}
static uint64_t symbol_address(struct decoder *d, const struct ptx_variable *v) {
    if (v->owner) {
        const struct sim_function *f = &d->program->functions[v->owner->index];
        bool is_param = false;
        for (unsigned k = 0; k < v->owner->param_count; k++) is_param |= v->owner->params[k] == v;
        return is_param                ? f->param_offset[v->index]
               : v == v->owner->result ? f->result_offset
                                       : f->local_offset[v->index];
    }
    return v->space == PTX_SHARED ? d->program->shared_offset[v->index] : d->program->variable_address[v->index];
}
/* The row of a source operand that is read with `bits` bits. */
static uint32_t source_row(struct decoder *d, const struct ptx_insn *i, const struct ptx_operand *o, unsigned bits) {
    switch (o->kind) {
    case PTX_REGISTER: return d->function->register_offset[o->reg];
    case PTX_IMMEDIATE:
        return fill(d, bits, false, 0, bits < 64 ? o->imm & ((UINT64_C(1) << (bits < 16 ? 16 : bits)) - 1) : o->imm);
    case PTX_SPECIAL: return fill(d, bits, true, o->special, 0);
    case PTX_SYMBOL:
        if (o->function) return fill(d, bits, false, 0, o->function->index + 1);
        return fill(d, bits, false, 0, symbol_address(d, o->symbol) + o->imm);
    case PTX_VECTOR:
    case PTX_LABEL:
    case PTX_NONE: return 0;
    default: fail(d, i, "operand of a kind that the simulator does not take here"); return 0;
    }
}
static unsigned register_bits(struct decoder *d, const struct ptx_operand *o, unsigned otherwise) {
    const struct ptx_operand *r = o->kind == PTX_VECTOR ? NULL : o;
    for (unsigned k = 0; o->kind == PTX_VECTOR && !r && k < o->count; k++)
        if (o->elements[k].kind == PTX_REGISTER) r = &o->elements[k];
    unsigned bits =
        r && r->kind == PTX_REGISTER ? ptx_type_bits(d->function->source->registers[r->reg].type) : otherwise;
    return bits < 16 ? 16 : bits;
}

/* Width in bits in which operand k is read, from the row's signature letter. */
static unsigned operand_bits(const struct ptx_insn *i, char letter) {
    unsigned bits = ptx_type_bits(i->type);
    switch (letter) {
    case 'c':
    case 'w': return 2 * bits;
    case 's': return ptx_type_bits(i->type2);
    case 'v':
    case 'u': return 32;
    case 'a': return bits ? bits : 64;
    default: return bits ? bits : 32;
    }
}

/* ---- memory operands ------------------------------------------------------------------------ */
static void exec_ld_rows(struct sim_warp *w, const struct sim_insn *i, uint32_t mask);
static void exec_st_rows(struct sim_warp *w, const struct sim_insn *i, uint32_t mask);

/* Parameters of functions, in rows: imm is the byte offset in the variable, a the first row. */
static uint8_t *param_byte(const struct sim_warp *w, const struct sim_insn *i, uint32_t byte, uint32_t lane) {
    return (uint8_t *)sim_row(w, i->a) + byte / 4 * PARAM_ROW + lane * 4 + byte % 4;
}
static void move_param(struct sim_warp *w, const struct sim_insn *i, uint32_t mask, bool load) {
    const struct ptx_operand *o = &i->source->operand[load ? 0 : 1];
    const struct sim_program *p = w->block->run->program;
    const struct sim_function *f = &p->functions[p->function_of[sim_pc(w, i)]];
    const unsigned n = o->kind == PTX_VECTOR ? o->count : 1;
    const bool extend = i->source->type == PTX_S8 || i->source->type == PTX_S16 || i->source->type == PTX_S32;
    for (unsigned k = 0; k < n; k++) {
        const struct ptx_operand *e = o->kind == PTX_VECTOR ? &o->elements[k] : o;
        if (load && e->kind != PTX_REGISTER) continue;
        uint8_t *row = e->kind == PTX_REGISTER ? sim_row(w, f->register_offset[e->reg]) : sim_row(w, i->d);
        SIM_EACH_LANE(l, mask) {
            uint64_t v = 0;
            if (!load)
                memcpy(&v, e->kind == PTX_REGISTER || n == 1 ? row + l * i->width : (const uint8_t *)&e->imm, i->bytes);
            for (unsigned b = 0; b < i->bytes; b++) {
                uint8_t *at = param_byte(w, i, (uint32_t)i->imm + k * i->bytes + b, l);
                if (load)
                    v |= (uint64_t)*at << 8 * b;
                else
                    *at = (uint8_t)(v >> 8 * b);
            }
            if (load && extend && i->bytes < i->width)
                v = (uint64_t)((int64_t)(v << (64 - 8 * i->bytes)) >> (64 - 8 * i->bytes));
            if (load) memcpy(row + l * i->width, &v, i->width);
        }
    }
}
static void exec_ld_rows(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) { move_param(w, i, mask, true); }
static void exec_st_rows(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) { move_param(w, i, mask, false); }

static void decode_memory(struct decoder *d, struct sim_insn *i) {
    const struct ptx_insn *p = i->source;
    const bool load = p->op == PTX_OP_ld || p->op == PTX_OP_ldu, store = p->op == PTX_OP_st,
               atom = p->op == PTX_OP_atom;
    const unsigned place = load || atom;
    const struct ptx_operand *m = &p->operand[place], *value = load ? &p->operand[0] : &p->operand[place + 1];
    const unsigned bits = ptx_type_bits(p->type);
    i->bytes = (uint8_t)(bits / 8);
    i->width = (uint8_t)(register_bits(d, value, bits) / 8);
    i->imm = (int64_t)(m->imm + window_of(p->space));
    i->d = load || (atom && p->operand[0].kind == PTX_REGISTER) ? source_row(d, p, &p->operand[0], bits) : 0;
    i->b = load ? 0 : source_row(d, p, value, bits);
    i->c = atom && p->count > 3 ? source_row(d, p, &p->operand[3], bits) : SIM_NO_GUARD;
    if (value->kind == PTX_IMMEDIATE) i->width = bits < 16 ? 2 : i->bytes;
    if (m->symbol) {
        const struct ptx_variable *v = m->symbol;
        bool kernel_param = v->space == PTX_PARAM && v->owner && v->owner->entry && v->index < v->owner->param_count &&
                            v->owner->params[v->index] == v;
        if (v->space == PTX_PARAM && !kernel_param) {
            i->a = (uint32_t)symbol_address(d, v);
            i->d = load ? i->d : i->b;
            i->imm = (int64_t)m->imm;
            if (m->imm + bits / 8 * (p->vec ? p->vec : 1) > v->size) fail(d, p, "access past the end of the parameter");
            i->exec = load ? exec_ld_rows : store ? exec_st_rows : NULL;
            return;
        }
        i->imm += (int64_t)symbol_address(d, v);
        if (p->space == PTX_GENERIC) i->imm += (int64_t)window_of(v->space);
    } else if (m->reg != PTX_NO_REG) {
        i->a = d->function->register_offset[m->reg];
        i->e = ptx_type_bits(d->function->source->registers[m->reg].type);
    }
}

static void decode_mov(struct decoder *d, struct sim_insn *i) {
    const struct ptx_insn *p = i->source;
    const struct ptx_operand *from = &p->operand[1];
    if (from->kind == PTX_SYMBOL && from->symbol && from->symbol->space == PTX_LOCAL) {
        i->exec = exec_local_address;
        i->imm = (int64_t)(symbol_address(d, from->symbol) + from->imm);
        i->width = (uint8_t)(ptx_type_bits(p->type) / 8);
        i->d = source_row(d, p, &p->operand[0], 64);
        return;
    }
    if (from->kind == PTX_SYMBOL && from->symbol && from->symbol->space == PTX_PARAM && !from->symbol->owner->entry) {
        i->exec = exec_param_address;
        i->a = (uint32_t)symbol_address(d, from->symbol);
        i->b = align_up(d->function->local_bytes, 16);
        i->target = (uint32_t)from->symbol->size;
        i->imm = (int64_t)from->imm;
        i->d = source_row(d, p, &p->operand[0], 64);
        d->function->local_bytes = align_up(i->b + i->target, 16);
        return;
    }
    if (from->kind == PTX_SPECIAL && (from->special == PTX_CLOCK || from->special == PTX_CLOCK64 ||
                                      from->special == PTX_CLOCK_HI || from->special == PTX_GLOBALTIMER ||
                                      from->special == PTX_GLOBALTIMER_LO || from->special == PTX_GLOBALTIMER_HI))
        i->exec = sim_control_handler(PTX_OP_mov);
    else
        i->a = from->kind == PTX_VECTOR ? 0 : source_row(d, p, from, ptx_type_bits(p->type));
    i->d = p->operand[0].kind == PTX_VECTOR ? 0 : source_row(d, p, &p->operand[0], ptx_type_bits(p->type));
    i->imm = from->negated;
}

/* ---- instructions --------------------------------------------------------------------------- */
static void decode_operands(struct decoder *d, struct sim_insn *i) {
    const struct ptx_insn *p = i->source;
    uint32_t *place[] = {&i->d, &i->a, &i->b, &i->c, &i->e};
    const char *letters = ptx_ops[p->op].operands;
    for (unsigned k = 0; k < p->count && k < 5; k++) {
        *place[k] = source_row(d, p, &p->operand[k], operand_bits(p, *letters));
        while (*letters && *letters != ',') letters++;
        while (*letters == ',' || *letters == ' ') letters++;
    }
}
static void decode(struct decoder *d, struct sim_insn *i, const struct sim_handlers *handlers) {
    const struct ptx_insn *p = i->source;
    i->guard = p->guard == PTX_NO_REG ? SIM_NO_GUARD : d->function->register_offset[p->guard];
    i->guard_negated = p->guard_negated;
    i->c = i->e = 0;
    const bool ftz = ptx_mod_of(p, PTX_CLASS_FTZ) != PTX_MOD_NONE;
    i->exec =
        handlers->lane[ftz][p->op][p->type] ? handlers->lane[ftz][p->op][p->type] : handlers->lane[0][p->op][p->type];
    switch (p->op) {
    case PTX_OP_ld:
    case PTX_OP_ldu:
    case PTX_OP_st:
    case PTX_OP_atom:
    case PTX_OP_red: decode_memory(d, i); break;
    case PTX_OP_mov: decode_mov(d, i); break;
    case PTX_OP_setp:
        i->d = p->operand[0].kind == PTX_REGISTER ? d->function->register_offset[p->operand[0].reg] : 0;
        i->a = source_row(d, p, &p->operand[1], ptx_type_bits(p->type));
        i->b = source_row(d, p, &p->operand[2], ptx_type_bits(p->type));
        i->c = p->count > 3 ? source_row(d, p, &p->operand[3], 1) : SIM_NO_GUARD;
        i->e = p->pred_dest.kind == PTX_REGISTER ? d->function->register_offset[p->pred_dest.reg] : SIM_NO_GUARD;
        i->imm = p->count > 3 && p->operand[3].negated;
        break;
    case PTX_OP_set:
        decode_operands(d, i);
        i->c = p->count > 3 ? i->c : SIM_NO_GUARD;
        i->imm = p->count > 3 && p->operand[3].negated;
        break;
    case PTX_OP_cvt:
        i->d = d->function->register_offset[p->operand[0].reg];
        i->bytes = (uint8_t)register_bits(d, &p->operand[0], ptx_type_bits(p->type));
        i->width = (uint8_t)register_bits(d, &p->operand[1], ptx_type_bits(p->type2));
        i->a = source_row(d, p, &p->operand[1], i->width);
        break;
    case PTX_OP_cvta:
        decode_operands(d, i);
        i->imm = (int64_t)window_of(p->space);
        if (p->operand[1].kind == PTX_SYMBOL && p->operand[1].symbol && p->operand[1].symbol->space == PTX_LOCAL) {
            i->imm += (int64_t)(symbol_address(d, p->operand[1].symbol) + p->operand[1].imm);
            i->exec = exec_local_address, i->width = 8;
        }
        break;
    case PTX_OP_isspacep: decode_operands(d, i), i->exec = exec_isspacep; break;
    case PTX_OP_prefetch:
    case PTX_OP_prefetchu:
    case PTX_OP_discard:
    case PTX_OP_applypriority:
    case PTX_OP_grid_wait:
    case PTX_OP_grid_launch:
    case PTX_OP_pmevent: i->exec = exec_nothing; break;
    case PTX_OP_lop3:
        decode_operands(d, i);
        i->imm = (int64_t)p->operand[4].imm;
        break;
    case PTX_OP_bra:
    case PTX_OP_brx_idx:
        i->target = p->op == PTX_OP_bra ? d->function->entry + p->operand[0].target : 0;
        if (p->op == PTX_OP_brx_idx) i->a = source_row(d, p, &p->operand[0], 32);
        break;
    case PTX_OP_call: break;
    default:
        decode_operands(d, i);
        i->imm = (p->count > 1 && p->operand[1].negated) | (p->count > 2 && p->operand[2].negated) << 1;
        for (unsigned k = 3; k < p->count; k++) i->imm |= p->operand[k].negated;
        if (p->op == PTX_OP_selp) i->imm = p->operand[3].negated;
        if (p->pred_dest.kind == PTX_REGISTER)
            i->target = d->function->register_offset[p->pred_dest.reg];
        else
            i->target = SIM_NO_GUARD;
        break;
    }
    if (p->op == PTX_OP_set) i->exec = NULL;
    if (!i->exec) {
        const struct ptx_operand *from = p->count > 1 ? &p->operand[1] : &p->operand[0];
        i->exec = handlers->form(p, register_bits(d, from, ptx_type_bits(p->type2)),
                                 register_bits(d, &p->operand[0], ptx_type_bits(p->type)));
    }
    if (p->op == PTX_OP_set) {
        struct ptx_insn compare = *p;
        compare.op = PTX_OP_setp, compare.type = p->type2;
        i->inner = handlers->form(&compare, 0, 0);
    }
    if (!i->exec && (i->exec = sim_sync_handler(p->op))) i->flags = SIM_CONTROL;
    if (!i->exec && (i->exec = sim_control_handler(p->op))) i->flags = SIM_CONTROL;
    if (!i->exec) fail(d, p, "the simulator has no handler for this instruction and type");
    if (p->op == PTX_OP_bra || p->op == PTX_OP_ret || p->op == PTX_OP_exit || p->op == PTX_OP_brx_idx) {
        i->b = i->guard; /* the guard is the condition: every lane of the split executes the branch */
        i->guard = SIM_NO_GUARD;
    }
    if (i->guard != SIM_NO_GUARD) i->flags |= SIM_GUARDED;
    if (p->op == PTX_OP_bra) i->flags |= SIM_BRANCH;
    sim_add_words(i);
}

/* A call of a function without a body: only what the CUDA C library of device functions gives. */
static bool known_builtin(const char *name) { return !strcmp(name, "vprintf") || !strcmp(name, "__assertfail"); }

/* The handlers that were built, best first. The Makefile says which by SIM_HAVE_...; __builtin_cpu_supports wants
 * literals. */
static bool host_runs(const struct sim_handlers *h) {
#if defined(__x86_64__)
    if (!strcmp(h->isa, "avx512"))
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512cd");
    if (!strcmp(h->isa, "avx2"))
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
#endif
    return !strcmp(h->isa, "baseline");
}
static const struct sim_handlers *const built[] = {
#ifdef SIM_HAVE_avx512
    &sim_handlers_avx512,
#endif
#ifdef SIM_HAVE_avx2
    &sim_handlers_avx2,
#endif
    &sim_handlers_baseline,
};
/* The handlers named, or the best; NULL if they were not built or the host cannot run them. */
static const struct sim_handlers *find_handlers(const char *isa) {
    for (unsigned k = 0; k < sizeof built / sizeof *built; k++)
        if (host_runs(built[k]) && (!isa || !strcmp(isa, built[k]->isa))) return built[k];
    return NULL;
}

static bool decode_all(struct sim_program *p, const struct sim_handlers *handlers, struct sim_error *error) {
    const struct ptx_module *m = p->module;
    p->isa = handlers->isa;
    for (unsigned k = 0; k < m->function_count; k++) {
        struct sim_function *f = &p->functions[k];
        f->source = m->functions[k];
        f->entry = p->code_count;
        p->code_count += f->source->code_count;
        f->end = p->code_count;
        if (!lay_out(f)) return false;
    }
    if (!sim_lay_out_shared(p)) return false;
    p->code = aligned_alloc(64, (p->code_count + 1) * sizeof *p->code);
    p->source = calloc(p->code_count + 1, sizeof *p->source);
    p->function_of = calloc(p->code_count + 1, sizeof *p->function_of);
    if (!p->code || !p->source || !p->function_of) return false;
    memset(p->code, 0, (p->code_count + 1) * sizeof *p->code);
    for (unsigned k = 0; k < m->function_count; k++) {
        struct sim_function *f = &p->functions[k];
        struct decoder d = {p, f, error, false};
        for (uint32_t n = 0; n < f->source->code_count && !d.failed; n++) {
            const struct ptx_insn *i = &f->source->code[n];
            p->code[f->entry + n].source = p->source[f->entry + n] = i;
            p->function_of[f->entry + n] = k;
            f->calls |= i->call && (!i->call->callee || i->call->callee->defined);
            if (i->call && i->call->callee && !i->call->callee->defined && !known_builtin(i->call->callee->name))
                fail(&d, i, "calls a function that has no body here");
            decode(&d, &p->code[f->entry + n], handlers);
        }
        if (d.failed || !sim_find_uninitialised(f) || !sim_find_blind(p, f) || !sim_find_uses(p, f)) return false;
    }
    if (!sim_find_provenance(p) || !sim_track_undefined(p)) return false;
    for (unsigned k = 0; k < m->function_count; k++)
        p->functions[k].frame_bytes = align_up(p->functions[k].frame_bytes, ROW_ALIGN);
    return true;
}

struct sim_program *sim_program_new(const struct ptx_module *module, struct sim_error *error) {
    return sim_program_new_isa(module, NULL, error);
}
struct sim_program *sim_program_new_isa(const struct ptx_module *module, const char *isa, struct sim_error *error) {
    const struct sim_handlers *handlers = find_handlers(isa);
    if (!handlers) {
        snprintf(error->message, sizeof error->message, "no handlers for the instruction set `%s` on this host", isa);
        return NULL;
    }
    struct sim_program *p = calloc(1, sizeof *p);
    snprintf(error->message, sizeof error->message, "out of memory");
    if (!p) return NULL;
    p->module = module;
    p->functions = calloc(module->function_count + 1, sizeof *p->functions);
    if (!p->functions || !lay_out_variables(p) || !decode_all(p, handlers, error)) {
        sim_program_free(p);
        return NULL;
    }
    error->message[0] = 0;
    return p;
}
void sim_program_free(struct sim_program *p) {
    if (!p) return;
    for (unsigned k = 0; p->functions && k < p->module->function_count; k++) {
        struct sim_function *f = &p->functions[k];
        free(f->register_offset);
        free(f->param_offset);
        free(f->local_offset);
        free(f->fills);
        free(f->zero);
        free(f->undefined);
        free(f->symbols);
    }
    free(p->functions);
    free(p->code);
    free(p->source);
    free(p->function_of);
    free(p->variable_address);
    free(p->shared_offset);
    free(p->bounds);
    free(p->tracked);
    free(p->tracked_of);
    free(p);
}
const struct ptx_module *sim_program_module(const struct sim_program *p) { return p->module; }
