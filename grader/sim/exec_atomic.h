/* Handlers for atom and red. Included by exec_memory.h. */
#define FLOAT_ATOM(T, old, x)                                                                                          \
    do {                                                                                                               \
        T a_, b_;                                                                                                      \
        memcpy(&a_, &(old), sizeof(T)), memcpy(&b_, &(x), sizeof(T));                                                  \
        a_ = op == PTX_MOD_ADD ? RESULT(sum(b_, a_)) : op == PTX_MOD_MIN ? float_min(a_, b_) : float_max(a_, b_);      \
        uint64_t r_ = 0;                                                                                               \
        memcpy(&r_, &a_, sizeof(T));                                                                                   \
        return r_;                                                                                                     \
    } while (0)
static uint64_t half_sum(uint64_t a, uint64_t b, enum ptx_type t) {
    const uint16_t x = (uint16_t)a, y = (uint16_t)b;
    return is_brain(t) ? narrowed_bf16(widened_bf16(x) + widened_bf16(y))
                       : narrowed_f16(widened_f16(x) + widened_f16(y));
}
/* Adds two f32 numbers like an atomic on global memory, which flushes subnormal numbers to zero (PTX ISA, atom). */
static uint64_t flushed_sum(uint64_t old, uint64_t x) {
    const uint32_t a = (uint32_t)old, b = (uint32_t)x;
    float f, g;
    memcpy(&f, &a, 4), memcpy(&g, &b, 4);
    f = FLUSHED_RESULT(ftz_(f) + ftz_(g));
    uint64_t sum = 0;
    memcpy(&sum, &f, 4);
    return sum;
}
/* Adds two f64 numbers like an atomic on global memory. If x is a NaN, the result is x; otherwise, if `old` is a NaN,
 * `old`. A signaling NaN does not become quiet (measured on an H200). */
static uint64_t global_double_sum(uint64_t old, uint64_t x) {
    double a, b;
    memcpy(&a, &old, 8), memcpy(&b, &x, 8);
    if (b != b || a != a) return b != b ? x : old;
    a += b;
    memcpy(&x, &a, 8);
    return x;
}
static uint16_t half_extreme(uint16_t x, uint16_t y, enum ptx_type t, bool least) {
    const double a = is_brain(t) ? widened_bf16(x) : widened_f16(x), b = is_brain(t) ? widened_bf16(y) : widened_f16(y);
    const double d = least ? float_min(a, b) : float_max(a, b);
    return is_brain(t) ? narrowed_bf16(d) : narrowed_f16(d);
}
static uint64_t half_result(enum ptx_mod op, uint64_t old, uint64_t x, enum ptx_type t) {
    return op == PTX_MOD_ADD ? half_sum(old, x, t) : half_extreme((uint16_t)old, (uint16_t)x, t, op == PTX_MOD_MIN);
}
/* Returns the new contents of memory. x and y are the instruction's operands; only cas uses y, as the new value. */
static uint64_t combined(enum ptx_mod op, enum ptx_type t, uint64_t old, uint64_t x, uint64_t y) {
    const unsigned bits = ptx_type_bits(t);
    const int64_t so = (int64_t)sign_extend(old, bits), sx = (int64_t)sign_extend(x, bits);
    switch (op) {
    case PTX_MOD_AND: return old & x;
    case PTX_MOD_OR: return old | x;
    case PTX_MOD_XOR: return old ^ x;
    case PTX_MOD_EXCH: return x;
    case PTX_MOD_CAS: return old == x ? y : old;
    case PTX_MOD_INC: return old >= x ? 0 : old + 1;
    case PTX_MOD_DEC: return old == 0 || old > x ? x : old - 1;
    default: break;
    }
    if (t == PTX_F32) FLOAT_ATOM(float, old, x);
    if (t == PTX_F64) FLOAT_ATOM(double, old, x);
    if (is_pair(t)) return half_result(op, old, x, t) | half_result(op, old >> 16, x >> 16, t) << 16;
    if (is_half(t)) return half_result(op, old, x, t);
    if (op == PTX_MOD_ADD) return old + x;
    if (op == PTX_MOD_MIN) return is_signed(t) ? (so < sx ? old : x) : old < x ? old : x;
    return is_signed(t) ? (so > sx ? old : x) : old > x ? old : x;
}
/* Returns the new contents of global memory; see combined() for shared memory. */
static uint64_t combined_in_global(enum ptx_mod op, enum ptx_type t, uint64_t old, uint64_t x, uint64_t y) {
    if (op == PTX_MOD_ADD && t == PTX_F32) return flushed_sum(old, x);
    if (op == PTX_MOD_ADD && t == PTX_F64) return global_double_sum(old, x);
    return combined(op, t, old, x, y);
}
/* Returns the new value of an element in a bulk reduction. */
static uint64_t combined_in_bulk(enum ptx_mod op, enum ptx_type t, uint64_t old, uint64_t x) {
    return combined_in_global(op, t, old, x, 0);
}
/* Updates memory with an atomic operation of the host, because several host threads may run parts of the launch.
 * Returns the old value and stores the new one in *now. */
static uint64_t combined_atomically(uint8_t *at, unsigned bytes, enum ptx_mod op, enum ptx_type t, uint64_t x,
                                    uint64_t *now) {
    if (bytes == 8) {
        uint64_t *place = (uint64_t *)(void *)at, old = __atomic_load_n(place, __ATOMIC_RELAXED);
        do *now = combined(op, t, old, x, 0);
        while (!__atomic_compare_exchange_n(place, &old, *now, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
        return old;
    }
    uint32_t *place = (uint32_t *)(void *)at, old = __atomic_load_n(place, __ATOMIC_RELAXED);
    do *now = (uint32_t)combined(op, t, old, x, 0);
    while (!__atomic_compare_exchange_n(place, &old, (uint32_t)*now, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return old;
}
/* Returns whether a lane's atomic only reads memory: a compare-and-swap that fails, or an `add`, `or` or `xor` with the
 * constant 0 if the atomic returns the old value. Adding a variable that is 0 is an update, and so is a minimum or
 * maximum that changes nothing. */
static bool only_reads(const struct ptx_insn *p, enum ptx_mod op, bool returns, uint64_t old, uint64_t x) {
    if (op == PTX_MOD_CAS) return old != x;
    if ((op != PTX_MOD_ADD && op != PTX_MOD_OR && op != PTX_MOD_XOR) || x || !returns) return false;
    for (unsigned k = 0; k < p->count; k++)
        if (p->operand[k].kind == PTX_IMMEDIATE) return true;
    return false;
}
/* Executes the lanes in ascending order. PTX allows any order; a fixed order makes runs reproducible. */
static void exec_atom(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const struct ptx_insn *p = i->source;
    const enum ptx_mod op = ptx_mod_of(p, PTX_CLASS_OPERATION);
    const unsigned bytes = i->memory.bytes, bits = 8 * bytes;
    const bool returns = ptx_written(p) && p->operand[0].kind == PTX_REGISTER;
    uint64_t address[SIM_WARP], offset[SIM_WARP];
    uint8_t *lane[SIM_WARP];
    lane_addresses(w, i, address);
    for (uint32_t todo = mask; todo && !w->block->run->stopped;) {
        struct part part;
        uint32_t done = next_part(w, i, todo, bytes, SIM_ATOMIC, address, offset, &part, lane);
        todo &= ~done;
        if (returns)
            SIM_EACH_LANE (l, done & ~part.lanes) set_row_bits(sim_row(w, i->d), bits, l, 0);
        if (!part.lanes) continue;
        const bool global = part.object->space == PTX_GLOBAL, at_once = w->block->run->marks && global;
        uint8_t before[SIM_WARP][SIM_VALUE];
        if (w->block->run->weak) part.before = before;
        SIM_EACH_LANE (k, part.lanes) {
            uint8_t *at =
                place(&part, offset, k) + (part.object->kind == SIM_LOCAL_MEMORY ? (uint64_t)k * w->local_bytes : 0);
            uint64_t old = 0, x = row_bits(sim_row(w, i->b), bits, k),
                     y = i->c == SIM_NO_ROW ? 0 : row_bits(sim_row(w, i->c), bits, k);
            uint64_t now;
            if (at_once) {
                old = combined_atomically(at, bytes, op, p->type, x, &now);
            } else {
                memcpy(&old, at, bytes);
                if (part.before) memcpy(before[k], at, bytes);
                now = (global ? combined_in_global : combined)(op, p->type, old, x, y);
                memcpy(at, &now, bytes);
            }
            w->block->run->changes += now != old;
            part.atomic_reads |= (uint32_t)only_reads(p, op, returns, old, x) << k;
            if (returns) set_row_bits(sim_row(w, i->d), bits, k, old);
        }
        report_access(w, i, &part, SIM_ATOMIC, bytes, offset);
    }
}

/* Returns element k of a lane's vector: a register's value, or a constant. */
static uint64_t element_of(const struct ptx_operand *o, void *const row[8], unsigned k, unsigned bits, uint32_t lane) {
    return row[k] ? row_bits(row[k], bits, lane) : o->elements[k].imm;
}
/* Executes vector atomics. Each element of each lane is its own atomic operation. The halves of a 128-bit value,
 * however, are exchanged, or compared and swapped, together. */
static void exec_atom_vector(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const struct ptx_insn *p = i->source;
    const bool swaps = ptx_mod_of(p, PTX_CLASS_OPERATION) == PTX_MOD_CAS;
    const enum ptx_mod op = swaps ? PTX_MOD_EXCH : ptx_mod_of(p, PTX_CLASS_OPERATION);
    const unsigned bytes = i->memory.bytes, bits = 8 * bytes, written = ptx_written(p);
    const struct ptx_operand *compared = &p->operand[written + 1], *given = compared + swaps;
    uint64_t address[SIM_WARP], offset[SIM_WARP];
    uint8_t *lane[SIM_WARP];
    void *with[8], *from[8], *to[8] = {NULL};
    const unsigned n = element_rows(w, i, compared, i->b, with), whole = n * bytes;
    element_rows(w, i, given, swaps ? i->c : i->b, from);
    if (written) element_rows(w, i, &p->operand[0], i->d, to);
    lane_addresses(w, i, address);
    for (uint32_t todo = mask; todo && !w->block->run->stopped;) {
        struct part part;
        uint8_t before[SIM_WARP][SIM_VALUE];
        const uint32_t done = next_part(w, i, todo, whole, SIM_ATOMIC, address, offset, &part, lane);
        todo &= ~done;
        for (unsigned k = 0; k < n; k++)
            if (to[k])
                SIM_EACH_LANE (l, done & ~part.lanes) set_row_bits(to[k], bits, l, 0);
        if (!part.lanes) continue;
        if (w->block->run->weak) copy_values(&part, whole, offset, before), part.before = before;
        SIM_EACH_LANE (l, part.lanes) {
            uint8_t *at = place(&part, offset, l);
            uint64_t old[8] = {0};
            bool fails = false;
            for (unsigned k = 0; k < n; k++) {
                memcpy(&old[k], at + k * bytes, bytes);
                fails |= swaps && old[k] != element_of(compared, with, k, bits, l);
            }
            for (unsigned k = 0; k < n; k++) {
                const uint64_t x = element_of(given, from, k, bits, l);
                const uint64_t now = fails ? old[k] : combined_in_global(op, p->type, old[k], x, 0);
                memcpy(at + k * bytes, &now, bytes);
                w->block->run->changes += now != old[k];
                if (to[k]) set_row_bits(to[k], bits, l, old[k]);
            }
            part.atomic_reads |= (uint32_t)fails << l;
        }
        report_access(w, i, &part, SIM_ATOMIC, whole, offset);
    }
}
