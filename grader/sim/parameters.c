/* A function's own variables: addresses of .local variables and of parameters, and accesses to parameters, which are in
 * rows of the frame. */
#include "sim/machine.h"
#include <string.h>

/* Computes a .local variable's address in the local memory of the current call. */
void sim_exec_local_address(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    uint64_t value = i->address.offset + sim_current(w)->frame->local_base;
    uint64_t *d64 = sim_row(w, i->d);
    uint32_t *d32 = sim_row(w, i->d);
    SIM_EACH_LANE (l, mask) {
        if (i->address.width == 8)
            d64[l] = value;
        else
            d32[l] = (uint32_t)value;
    }
}
/* Takes the address of a parameter. The frame has no addresses, so the value is copied to local memory. A copy is
 * enough, because compilers never write through the address. The result becomes the copy's generic address when
 * cvta.param or ld.param adds the parameter window. */
void sim_exec_parameter_address(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const uint64_t home = i->parameter.home + sim_current(w)->frame->local_base;
    uint64_t *d = sim_row(w, i->d), offset[SIM_WARP];
    struct sim_access e = {.where = &w->where,
                           .pc = sim_pc(w, i),
                           .mask = mask,
                           .kind = SIM_STORE,
                           .object = &w->local_memory.object,
                           .offset = offset};
    for (uint32_t at = 0; at < i->parameter.bytes; at += e.bytes) {
        e.bytes = i->parameter.bytes - at < 4 ? 1 : 4;
        for (unsigned l = 0; l < SIM_WARP; l++) offset[l] = home + at;
        const uint8_t *from = (const uint8_t *)sim_row(w, i->a) + at / 4 * SIM_PARAMETER_ROW + at % 4;
        SIM_EACH_LANE (k, mask) memcpy(w->local + (uint64_t)k * w->local_bytes + home + at, from + 4 * k, e.bytes);
        SIM_EMIT_TO(w->block->run->accesses[sim_access_channel(e.object)], access, &e);
    }
    SIM_EACH_LANE (n, mask) d[n] = SIM_LOCAL_WINDOW - SIM_PARAM_WINDOW + home + (uint64_t)i->parameter.offset;
}
/* Returns a pointer to byte `byte` of a lane's copy of a parameter. Row i->a has the first 32-bit word of all lanes;
 * the other words follow. */
static uint8_t *param_byte(const struct sim_warp *w, const struct sim_insn *i, uint32_t byte, uint32_t lane) {
    return (uint8_t *)sim_row(w, i->a) + byte / 4 * SIM_PARAMETER_ROW + lane * 4 + byte % 4;
}
/* Moves values between a register of 4 or 8 bytes and the parameter's words from byte `at`. */
static void move_words(struct sim_warp *w, const struct sim_insn *i, uint32_t mask, bool load, void *row, uint32_t at) {
    uint32_t *low = (uint32_t *)(void *)param_byte(w, i, at, 0),
             *high = (uint32_t *)(void *)param_byte(w, i, at + 4, 0);
    uint32_t *narrow = row;
    uint64_t *wide = row;
    if (i->memory.bytes == 4 && load)
        SIM_EACH_LANE (a, mask) narrow[a] = low[a];
    else if (i->memory.bytes == 4)
        SIM_EACH_LANE (b, mask) low[b] = narrow[b];
    else if (load)
        SIM_EACH_LANE (c, mask) wide[c] = low[c] | (uint64_t)high[c] << 32;
    else
        SIM_EACH_LANE (d, mask) low[d] = (uint32_t)wide[d], high[d] = (uint32_t)(wide[d] >> 32);
}
static uint64_t get_lane(const void *row, unsigned width, uint32_t lane) {
    return width == 2   ? ((const uint16_t *)row)[lane]
           : width == 4 ? ((const uint32_t *)row)[lane]
                        : ((const uint64_t *)row)[lane];
}
static void put_lane(void *row, unsigned width, uint32_t lane, uint64_t v) {
    if (width == 2)
        ((uint16_t *)row)[lane] = (uint16_t)v;
    else if (width == 4)
        ((uint32_t *)row)[lane] = (uint32_t)v;
    else
        ((uint64_t *)row)[lane] = v;
}
/* The general case of move_words(): the value may be unaligned, or smaller than a word or its register. If `constant`
 * is not NULL, stores its value instead of the register's. */
static void move_bytes(struct sim_warp *w, const struct sim_insn *i, uint32_t mask, bool load, uint8_t *row,
                       const uint64_t *constant, uint32_t at) {
    const unsigned bytes = i->memory.bytes, width = i->memory.width;
    const bool extend = i->source->type == PTX_S8 || i->source->type == PTX_S16 || i->source->type == PTX_S32;
    if (at % 4 + bytes <= 4) { /* fast path: within a word */
        uint32_t *words = (uint32_t *)(void *)param_byte(w, i, at - at % 4, 0);
        const unsigned shift = 8 * (at % 4), rest = 64 - 8 * bytes;
        const uint64_t all = ~UINT64_C(0) >> rest;
        SIM_EACH_LANE (l, mask) {
            uint64_t v =
                load ? words[l] >> shift & all
                     : get_lane(constant ? (const void *)constant : row, constant ? 8 : width, constant ? 0 : l);
            if (load && extend && bytes < width) v = (uint64_t)((int64_t)(v << rest) >> rest);
            if (load)
                put_lane(row, width, l, v);
            else
                words[l] = (uint32_t)((words[l] & ~(all << shift)) | (v & all) << shift);
        }
        return;
    }
    SIM_EACH_LANE (l, mask) {
        uint64_t v = 0;
        if (!load) memcpy(&v, constant ? (const uint8_t *)constant : row + l * width, bytes);
        for (unsigned b = 0; b < bytes; b++) {
            uint8_t *byte = param_byte(w, i, at + b, l);
            if (load)
                v |= (uint64_t)*byte << 8 * b;
            else
                *byte = (uint8_t)(v >> 8 * b);
        }
        if (load && extend && bytes < width) v = (uint64_t)((int64_t)(v << (64 - 8 * bytes)) >> (64 - 8 * bytes));
        if (load) memcpy(row + l * width, &v, width);
    }
}
/* Copies between a parameter's rows and a register or a vector of registers. */
static void move_param(struct sim_warp *w, const struct sim_insn *i, uint32_t mask, bool load) {
    const struct ptx_operand *o = &i->source->operand[load ? 0 : 1];
    const struct sim_program *p = w->block->run->program;
    const struct sim_function *f = &p->functions[p->function_of[sim_pc(w, i)]];
    const unsigned n = o->kind == PTX_VECTOR ? o->count : 1, bytes = i->memory.bytes;
    for (unsigned k = 0; k < n; k++) {
        const struct ptx_operand *e = o->kind == PTX_VECTOR ? &o->elements[k] : o;
        const bool in_register = e->kind == PTX_REGISTER;
        if (load && !in_register) continue;
        uint8_t *row = sim_row(w, in_register ? f->register_offset[e->reg] : i->b);
        const uint32_t at = (uint32_t)i->memory.offset + k * bytes;
        if (in_register && bytes == i->memory.width && bytes >= 4 && at % 4 == 0)
            move_words(w, i, mask, load, row, at);
        else
            move_bytes(w, i, mask, load, row, in_register || n == 1 ? NULL : &e->imm, at);
    }
}
void sim_exec_load_parameter(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    move_param(w, i, mask, true);
}
void sim_exec_store_parameter(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    move_param(w, i, mask, false);
}
