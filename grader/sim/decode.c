/* Decodes a checked instruction. Its row in ops.def names a decoder, which turns the operands into rows of the frame.
 * The last step selects the handler. */
#include "base/array.h"
#include "ptx/parser.h"
#include "sim/decoding.h"
#include <stdio.h>
#include <string.h>

/* ---- operands ------------------------------------------------------------------------------- */
struct decoder {
    struct sim_program *program;
    struct sim_function *function;
    struct sim_error *error;
    bool failed; /* decoding failed: out of memory, or for the reason in *error */
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

/* Returns the row of a constant or special register. A function's equal constants share a row. */
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
    const enum ptx_special_kind kind = ptx_special_kind(which);
    const bool varies = special && (kind == PTX_SPECIAL_BLOCK || kind == PTX_SPECIAL_PLACE);
    uint32_t at = sim_take_row(f, bits / 8 * SIM_WARP);
    f->fills[f->fill_count++] = (struct sim_fill){at, (uint8_t)bits, which, value, special, varies};
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
/* Returns the row of a source operand, which is read as `bits` bits. */
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
    default: fail(d, i, "the simulator does not accept this kind of operand here"); return 0;
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

/* Returns an operand's width in bits for its letter in ops.def. */
static unsigned operand_bits(const struct ptx_insn *i, char letter) {
    unsigned bits = ptx_type_bits(i->type);
    switch (letter) {
    case 'c':
    case 'w': return 2 * bits;
    case 's': return ptx_type_bits(i->type2);
    case 'v':
    case 'r':
    case 'u': return 32;
    case 'h': return 16;
    case 'o':
    case 'g': return 64;
    case 'a': return bits ? bits : 64;
    default: return bits ? bits : 32;
    }
}

/* ---- decoders ------------------------------------------------------------------------------- */
static uint32_t destination_predicate(const struct decoder *d, const struct ptx_operand *o) {
    return o->kind == PTX_REGISTER ? d->function->register_offset[o->reg] : SIM_NO_ROW;
}
static void decode_nothing(struct decoder *d, struct sim_insn *i) { (void)d, (void)i; }
/* Decodes the destination and up to four sources, in order. */
static void decode_operands(struct decoder *d, struct sim_insn *i) {
    const struct ptx_insn *p = i->source;
    uint32_t *const rows[] = {&i->d, &i->a, &i->b, &i->c, &i->e};
    const char *letters = ptx_ops[p->op].operands;
    for (unsigned k = 0; k < p->count && k < sizeof rows / sizeof *rows; k++) {
        *rows[k] = source_row(d, p, &p->operand[k], operand_bits(p, *letters));
        if (k && k < 4) i->negated |= (uint8_t)(p->operand[k].negated << (k - 1));
        while (*letters && *letters != ',') letters++;
        while (*letters == ',' || *letters == ' ') letters++;
    }
    i->p = destination_predicate(d, &p->pred_dest);
}
/* Decodes setp and set. The third source is an optional predicate. */
static void decode_compare(struct decoder *d, struct sim_insn *i) {
    decode_operands(d, i);
    if (i->source->count < 4) i->c = SIM_NO_ROW;
}
/* Decodes a local variable's address as an offset in the current call's local memory. */
static void decode_local_address(struct decoder *d, struct sim_insn *i, const struct ptx_operand *variable) {
    const struct ptx_insn *p = i->source;
    i->exec = sim_exec_local_address;
    i->address.offset += symbol_address(d, variable->symbol) + variable->imm;
    i->address.width = (uint8_t)(ptx_type_bits(p->type) / 8);
    i->d = source_row(d, p, &p->operand[0], 64);
}
static bool is_local_variable(const struct ptx_operand *o) {
    return o->kind == PTX_SYMBOL && o->symbol && o->symbol->space == PTX_LOCAL;
}
static void decode_address(struct decoder *d, struct sim_insn *i) {
    const struct ptx_insn *p = i->source;
    const uint64_t window = sim_window(p->space);
    const bool to = ptx_mod_of(p, PTX_CLASS_TO) != PTX_MOD_NONE;
    i->d = source_row(d, p, &p->operand[0], 64);
    i->a = source_row(d, p, &p->operand[1], 64);
    i->address.offset = to ? 0 - window : window;
    if (is_local_variable(&p->operand[1])) decode_local_address(d, i, &p->operand[1]);
}
/* Decodes mapa and getctarank. The address has 32 or 64 bits. */
static void decode_mapa(struct decoder *d, struct sim_insn *i) {
    const struct ptx_insn *p = i->source;
    i->d = source_row(d, p, &p->operand[0], 32);
    i->a = source_row(d, p, &p->operand[1], ptx_type_bits(p->type));
    if (p->count > 2) i->b = source_row(d, p, &p->operand[2], 32);
    i->address.offset = p->space == PTX_SHARED ? SIM_SHARED_WINDOW : 0;
    i->address.width = (uint8_t)(ptx_type_bits(p->type) / 8);
}
static void decode_parameter_address(struct decoder *d, struct sim_insn *i, const struct ptx_operand *parameter) {
    const struct ptx_insn *p = i->source;
    struct sim_function *f = d->function;
    i->exec = sim_exec_parameter_address;
    i->d = source_row(d, p, &p->operand[0], 64);
    i->a = (uint32_t)symbol_address(d, parameter->symbol);
    i->parameter.home = sim_align(f->local_bytes, 16);
    i->parameter.bytes = (uint32_t)parameter->symbol->size;
    i->parameter.offset = (int64_t)parameter->imm;
    f->local_bytes = sim_align(i->parameter.home + i->parameter.bytes, 16);
}
static void decode_move(struct decoder *d, struct sim_insn *i) {
    const struct ptx_insn *p = i->source;
    const struct ptx_operand *from = &p->operand[1];
    const unsigned bits = ptx_type_bits(p->type);
    if (is_local_variable(from)) {
        decode_local_address(d, i, from);
        return;
    }
    if (from->kind == PTX_SYMBOL && from->symbol && from->symbol->space == PTX_PARAM && !from->symbol->owner->entry) {
        decode_parameter_address(d, i, from);
        return;
    }
    i->d = source_row(d, p, &p->operand[0], bits); /* a vector's elements are resolved at run time */
    if (from->kind == PTX_SPECIAL && ptx_special_kind(from->special) == PTX_SPECIAL_CLOCK)
        i->exec = sim_exec_clock,
        /* Ends the span, so that the count of executed instructions is up to date. */
            i->flags |= SIM_CONTROL;
    else
        i->a = source_row(d, p, from, bits);
    i->negated = from->negated ? SIM_NOT_A : 0;
}
static void decode_convert(struct decoder *d, struct sim_insn *i) {
    const struct ptx_insn *p = i->source;
    i->convert.to_bits = (uint8_t)register_bits(d, &p->operand[0], ptx_type_bits(p->type));
    i->convert.from_bits = (uint8_t)register_bits(d, &p->operand[1], ptx_type_bits(p->type2));
    i->d = d->function->register_offset[p->operand[0].reg];
    i->a = source_row(d, p, &p->operand[1], i->convert.from_bits);
}

static bool is_kernel_parameter(const struct ptx_variable *v) {
    return v->owner && v->owner->entry && v->index < v->owner->param_count && v->owner->params[v->index] == v;
}
/* Decodes the memory operand. The rows of the values must be set. */
static void decode_memory_operand(struct decoder *d, struct sim_insn *i, const struct ptx_operand *m) {
    const struct ptx_insn *p = i->source;
    const struct ptx_variable *v = m->symbol;
    i->memory.offset = (int64_t)(m->imm + sim_window(p->space));
    if (v) {
        i->memory.offset += (int64_t)symbol_address(d, v);
        if (p->space == PTX_GENERIC) i->memory.offset += (int64_t)sim_window(v->space);
        i->memory.in_frame = v->space == PTX_LOCAL;
    } else if (m->reg != PTX_NO_REG) {
        i->a = d->function->register_offset[m->reg];
        i->memory.address_bits = (uint8_t)ptx_type_bits(d->function->source->registers[m->reg].type);
    }
}
/* Decodes ld and st of a function's parameter. Its value is in rows of the frame. */
static void decode_parameter(struct decoder *d, struct sim_insn *i, const struct ptx_operand *m, bool load) {
    const struct ptx_insn *p = i->source;
    i->exec = load ? sim_exec_load_parameter : sim_exec_store_parameter;
    i->a = (uint32_t)symbol_address(d, m->symbol);
    i->memory.offset = (int64_t)m->imm;
    if (m->imm + ptx_type_bits(p->type) / 8 * p->vec > m->symbol->size)
        fail(d, p, "the access extends past the end of the parameter");
}
static void decode_memory(struct decoder *d, struct sim_insn *i) {
    const struct ptx_insn *p = i->source;
    const bool load = ptx_traits_of(p)->memory == PTX_MEMORY_LOAD;
    const unsigned place = ptx_written(p), bits = ptx_type_bits(p->type);
    const struct ptx_operand *m = &p->operand[place], *value = load ? &p->operand[0] : &p->operand[place + 1];
    i->memory.bytes = (uint8_t)(bits / 8);
    i->memory.width = (uint8_t)(register_bits(d, value, bits) / 8);
    i->memory.space = (uint8_t)p->space;
    if (place && p->operand[0].kind == PTX_REGISTER) i->d = d->function->register_offset[p->operand[0].reg];
    if (!load) i->b = source_row(d, p, value, bits);
    i->c = p->count > place + 2 ? source_row(d, p, &p->operand[place + 2], bits) : SIM_NO_ROW;
    if (m->symbol && m->symbol->space == PTX_PARAM && !is_kernel_parameter(m->symbol))
        decode_parameter(d, i, m, load);
    else
        decode_memory_operand(d, i, m);
}

/* Decodes a branch. The guard becomes the branch's condition, so that every lane of the split executes the branch. */
static void decode_branch(struct decoder *d, struct sim_insn *i) {
    const struct ptx_insn *p = i->source;
    const enum ptx_flow flow = ptx_traits_of(p)->flow;
    i->branch.condition = i->guard, i->guard = SIM_NO_ROW;
    if (flow == PTX_FLOW_BRANCH) i->branch.target = d->function->entry + ptx_target(p, 0);
    if (p->op == PTX_OP_bra) i->flags |= SIM_BRANCH; /* all other branches have handlers */
    if (flow == PTX_FLOW_TABLE) i->a = source_row(d, p, &p->operand[0], 32);
}
static void decode_call(struct decoder *d, struct sim_insn *i) {
    const struct ptx_function *callee = i->source->call->callee;
    if (callee && !callee->defined && !ptx_is_builtin(callee->name))
        fail(d, i->source, "calls a function without a body");
}
/* Decodes warp-level synchronization. The last operand is the mask of lanes that must arrive. */
static void decode_exchange(struct decoder *d, struct sim_insn *i) {
    const struct ptx_insn *p = i->source;
    const uint32_t members = source_row(d, p, &p->operand[p->count - 1], 32);
    if (p->count > 1) decode_operands(d, i);
    i->exchange.members = members;
    i->exchange.p = destination_predicate(d, &p->pred_dest);
}
/* Decodes an exchange among the active lanes. */
static void decode_active(struct decoder *d, struct sim_insn *i) {
    decode_operands(d, i);
    i->exchange.members = fill(d, 32, false, 0, UINT32_MAX);
    i->exchange.p = destination_predicate(d, &i->source->pred_dest);
}
/* Decodes bar.sync a{, b} and bar.red d, a{, b}, c. */
static void decode_barrier(struct decoder *d, struct sim_insn *i) {
    const struct ptx_insn *p = i->source;
    const unsigned first = ptx_written(p), sources = p->count - first;
    const bool reduces = first;
    if (reduces) i->d = source_row(d, p, &p->operand[0], 32);
    i->a = source_row(d, p, &p->operand[first], 32);
    i->b = sources - reduces > 1 ? source_row(d, p, &p->operand[first + 1], 32) : SIM_NO_ROW;
    i->c = reduces ? source_row(d, p, &p->operand[p->count - 1], 1) : SIM_NO_ROW;
    i->negated = reduces && p->operand[p->count - 1].negated ? SIM_NOT_C : 0;
}

/* Decodes copies and mbarrier instructions, one operand after the other. An address becomes a constant or its
 * register's row. */
static void decode_async(struct decoder *d, struct sim_insn *i) {
    const struct ptx_insn *p = i->source;
    uint32_t *const rows[] = {&i->d, &i->a, &i->b, &i->c};
    const char *letters[PTX_MAX_OPERANDS];
    ptx_signature(p->op, p->count, letters);
    for (unsigned k = 0; k < p->count && k < sizeof rows / sizeof *rows; k++) {
        const struct ptx_operand *o = &p->operand[k];
        const uint64_t window = o->symbol && p->space == PTX_GENERIC ? sim_window(o->symbol->space) : 0;
        if (o->kind != PTX_MEMORY)
            *rows[k] = source_row(d, p, o, operand_bits(p, *letters[k]));
        else if (!o->symbol && o->reg != PTX_NO_REG)
            *rows[k] = d->function->register_offset[o->reg];
        else
            *rows[k] = fill(d, 64, false, 0, (o->symbol ? symbol_address(d, o->symbol) + window : 0) + o->imm);
    }
}

/* Texture instructions resolve their operands at run time. */
static void decode_texture(struct decoder *d, struct sim_insn *i) {
    (void)d;
    i->exec = sim_exec_texture;
}

static void decode_video(struct decoder *d, struct sim_insn *i) {
    decode_operands(d, i);
    i->exec = sim_exec_video;
}

/* Decodes a matrix instruction, which all lanes of a warp execute together. */
static void decode_matrix(struct decoder *d, struct sim_insn *i) {
    decode_async(d, i);
    i->exchange.members = fill(d, 32, false, 0, UINT32_MAX);
    i->exchange.p = SIM_NO_ROW;
}

/* ---- instructions --------------------------------------------------------------------------- */
/* For each row of ops.def, the decoder of its operands. */
static void (*const decoders[PTX_OP_COUNT])(struct decoder *d, struct sim_insn *i) = {
#define LANE(id, ...) [PTX_OP_##id] = decode_operands,
#define FORM(id, mnemonic, operands, types, types2, allow, decoder, ...) [PTX_OP_##id] = decode_##decoder,
#define CONTROL FORM
#include "ptx/ops.def"
};
/* For CONTROL rows, the function that sets the handler. */
static sim_form *const control[PTX_OP_COUNT] = {
#define CONTROL(id, mnemonic, operands, types, types2, allow, decoder, handler, ...) [PTX_OP_##id] = sim_form_##handler,
#include "ptx/ops.def"
};
static void set_handler(struct sim_insn *i, const struct sim_handlers *handlers) {
    const struct ptx_insn *p = i->source;
    const bool ftz = ptx_mod_of(p, PTX_CLASS_FTZ) != PTX_MOD_NONE;
    if (control[p->op])
        control[p->op](i), i->flags |= SIM_CONTROL;
    else if (handlers->form[p->op])
        handlers->form[p->op](i);
    else if (p->product)
        i->exec = handlers->difference[p->product == PTX_NEGATES_C][ftz][p->type];
    else
        i->exec = handlers->lane[ftz][p->op][p->type] ? handlers->lane[ftz][p->op][p->type]
                                                      : handlers->lane[0][p->op][p->type];
}
bool sim_decode(struct sim_program *p, struct sim_function *f, struct sim_insn *i, const struct sim_handlers *handlers,
                struct sim_error *error) {
    struct decoder d = {p, f, error, false};
    i->guard = i->source->guard == PTX_NO_REG ? SIM_NO_ROW : f->register_offset[i->source->guard];
    i->guard_negated = i->source->guard_negated;
    decoders[i->source->op](&d, i);
    if (!i->exec) set_handler(i, handlers);
    if (!i->exec) fail(&d, i->source, "the simulator has no handler for this instruction and type");
    if (i->guard != SIM_NO_ROW) i->flags |= SIM_GUARDED;
    if (!sim_add_words(i)) fail(&d, i->source, "this CPU supports only rounding to nearest");
    return !d.failed;
}
