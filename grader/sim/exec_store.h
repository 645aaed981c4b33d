/* Handlers for st. Included by exec_memory.h. */
#define STORE_LOOP(T)                                                                                                  \
    SIM_EACH_LANE (l, p.lanes) { *(T *)(void *)(p.data + offset[l]) = ((const T *)rows[0])[l]; }
#define STORE_OWN(T)                                                                                                   \
    SIM_EACH_LANE (l, p.lanes) { *(T *)(void *)lane[l] = ((const T *)rows[0])[l]; }

/* Returns whether x and y are the same value. If `sign` is 0, they are floats, and +0 equals -0. Otherwise, `sign` is
 * 1. */
#define SAME(T, x, y, sign) (((x) == (y)) | !(T)(((x) | (y)) << 1 | (sign)))
static unsigned sign_of(const struct sim_insn *i) { return i->source->type != PTX_F32 && i->source->type != PTX_F64; }
/* Removes from `lanes` the lanes whose store changes the value in memory. */
#define HOLDING(T)                                                                                                     \
    for (unsigned k = 0; k < n; k++) {                                                                                 \
        const T *row = rows[k];                                                                                        \
        const uint8_t *at = p->data + k * sizeof(T);                                                                   \
        uint32_t same = 0;                                                                                             \
        SIM_EACH_LANE (l, lanes)                                                                                       \
            same |= (uint32_t)SAME(T, *(const T *)(const void *)(at + offset[l]), row[l], sign) << l;                  \
        lanes = same;                                                                                                  \
    }
static uint32_t holding(const struct part *p, const struct ptx_operand *value, void *const rows[8], unsigned n,
                        unsigned bytes, unsigned width, unsigned sign, const uint64_t offset[SIM_WARP]) {
    uint32_t lanes = p->lanes;
    bool plain = !p->lane && bytes == width;
    for (unsigned k = 0; k < n; k++) plain &= rows[k] != NULL;
    if (plain && bytes == 4) {
        HOLDING(uint32_t)
        return lanes;
    }
    if (plain && bytes == 8) {
        HOLDING(uint64_t)
        return lanes;
    }
    for (unsigned k = 0; k < n; k++)
        SIM_EACH_LANE (l, lanes) {
            const void *from =
                rows[k] ? (const uint8_t *)rows[k] + l * width : (const uint8_t *)&value->elements[k].imm;
            if (memcmp(place(p, offset, l) + k * bytes, from, bytes)) lanes &= ~(1u << l);
        }
    return lanes;
}
/* Stores the vectors of 32 lanes. Removes the lanes whose vector changes memory from `silent`, or all lanes if no
 * listener sets `values`. */
#define STORE_VECTORS(T, N)                                                                                            \
    for (unsigned k = 0; k < (N); k++) {                                                                               \
        const T *from = rows[k];                                                                                       \
        T *to = (T *)(void *)data + k;                                                                                 \
        uint32_t same = 0;                                                                                             \
        for (int l = 0; values && l < SIM_WARP; l++) same |= (uint32_t)(to[l * (N)] == from[l]) << l;                  \
        _Pragma("GCC ivdep") for (int l = 0; l < SIM_WARP; l++) to[l * (N)] = from[l];                                 \
        silent &= same;                                                                                                \
    }
static uint32_t store_vectors(void *const rows[8], unsigned n, unsigned bytes, uint8_t *data, bool values) {
    uint32_t silent = SIM_FULL;
    if (bytes == 4 && n == 2)
        STORE_VECTORS(uint32_t, 2)
    else if (bytes == 4)
        STORE_VECTORS(uint32_t, 4)
    else if (n == 2)
        STORE_VECTORS(uint64_t, 2)
    else
        STORE_VECTORS(uint64_t, 4)
    return silent;
}
/* Stores vectors whose registers are as wide as their elements. */
#define STORE_ROWS(T)                                                                                                  \
    for (unsigned k = 0; k < n; k++)                                                                                   \
        SIM_EACH_LANE (l, p.lanes)                                                                                     \
            *(T *)(void *)(place(&p, offset, l) + k * sizeof(T)) =                                                     \
                rows[k] ? ((const T *)rows[k])[l] : (T)value->elements[k].imm;
static __attribute__((noinline)) void store_any(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    uint64_t address[SIM_WARP], offset[SIM_WARP], begin;
    uint8_t *lane[SIM_WARP], *data;
    struct sim_memory *object;
    void *rows[8];
    const struct ptx_operand *value = &i->source->operand[1];
    const unsigned n = element_rows(w, i, value, i->b, rows), bytes = i->memory.bytes, whole = bytes * n,
                   width = i->memory.width;
    struct part p;
    if (vector_neighbors(w, i, mask, rows, n, SIM_STORE, &object, &begin, &data)) {
        w->block->run->changes++;
        const uint32_t silent = store_vectors(rows, n, bytes, data, w->block->run->values);
        if (is_heard(w, object)) report_neighbors(w, i, mask, SIM_STORE, whole, object, begin, silent);
        return;
    }
    lane_addresses(w, i, address);
    for (uint32_t todo = mask; todo && !w->block->run->stopped;) {
        todo &= ~next_part(w, i, todo, whole, SIM_STORE, address, offset, &p, lane);
        if (!p.lanes) continue;
        const bool local = p.object->kind == SIM_LOCAL_MEMORY, reports = !local && w->block->run->heard,
                   compared = reports && w->block->run->values;
        uint8_t before[SIM_WARP][SIM_VALUE];
        w->block->run->changes++;
        if (reports && w->block->run->weak) copy_values(&p, whole, offset, before), p.before = before;
        if (compared) p.silent = holding(&p, value, rows, n, bytes, width, sign_of(i), offset);
        const bool plain = !local && !p.lane, whole_registers = local && width == bytes;
        if (local) own_lanes(w, &p, offset, lane);
        if (plain && n == 1 && width == 4 && bytes == 4)
            STORE_LOOP(uint32_t)
        else if (plain && n == 1 && width == 8 && bytes == 8)
            STORE_LOOP(uint64_t)
        else if (!local && width == 4 && bytes == 4)
            STORE_ROWS(uint32_t)
        else if (!local && width == 8 && bytes == 8)
            STORE_ROWS(uint64_t)
        else if (whole_registers && n == 1 && bytes == 4)
            STORE_OWN(uint32_t)
        else if (whole_registers && n == 1 && bytes == 8)
            STORE_OWN(uint64_t)
        else
            for (unsigned k = 0; k < n; k++)
                SIM_EACH_LANE (l, p.lanes) {
                    uint8_t *to = (local ? lane[l] : place(&p, offset, l)) + k * bytes;
                    if (rows[k])
                        memcpy(to, (uint8_t *)rows[k] + l * width, bytes);
                    else
                        memcpy(to, &value->elements[k].imm, bytes);
                }
        if (compared) /* lanes that store to disjoint bytes do not overwrite each other */
            p.agreeing = !p.lane && (p.contiguous || step_of(p.lanes, offset) >= (int64_t)whole)
                             ? p.lanes
                             : holding(&p, value, rows, n, bytes, width, sign_of(i), offset);
        report_access(w, i, &p, SIM_STORE, whole, offset);
    }
}

#define STORE(name, T)                                                                                                 \
    static void name(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {                                    \
        struct sim_memory *m;                                                                                          \
        uint64_t begin;                                                                                                \
        uint8_t *data;                                                                                                 \
        if (w->block->run->weak || !neighbors(w, i, mask, sizeof(T), SIM_STORE, &m, &begin, &data))                    \
            return store_any(w, i, mask);                                                                              \
        const T *a = sim_row(w, i->b);                                                                                 \
        T *to = (T *)(void *)data - __builtin_ctz(mask);                                                               \
        w->block->run->changes++;                                                                                      \
        uint32_t silent = 0;                                                                                           \
        const bool values = w->block->run->values;                                                                     \
        const unsigned sign = sign_of(i);                                                                              \
        if (mask == SIM_FULL)                                                                                          \
            for (int l = 0; values && l < SIM_WARP; l++) silent |= (uint32_t)SAME(T, to[l], a[l], sign) << l;          \
        else                                                                                                           \
            for (int l = 0; values && l < SIM_WARP; l++)                                                               \
                if (ON(mask)) silent |= (uint32_t)SAME(T, to[l], a[l], sign) << l;                                     \
        COPY_LANES(T, to, a, mask)                                                                                     \
        if (is_heard(w, m)) report_neighbors(w, i, mask, SIM_STORE, sizeof(T), m, begin, silent);                      \
    }
STORE(store_32, uint32_t)
STORE(store_64, uint64_t)
