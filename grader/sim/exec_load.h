/* Handlers for ld. Included by exec_memory.h. */
/* Reads 1, 2, 4 or 8 bytes. */
static inline uint64_t element_at(const uint8_t *from, unsigned bytes) {
    uint64_t v = 0;
    switch (bytes) {
    case 1: return *from;
    case 2: return *(const uint16_t *)(const void *)from;
    case 4: return *(const uint32_t *)(const void *)from;
    default: memcpy(&v, from, bytes); return v;
    }
}
/* Writes one element to a register of `width` bytes, with sign or zero extension. */
static inline void put(void *row, unsigned l, const uint8_t *from, unsigned bytes, unsigned width,
                       bool is_signed_type) {
    uint64_t v = element_at(from, bytes);
    if (is_signed_type && bytes < width) v = sign_extend(v, 8 * bytes);
    switch (width) {
    case 2: ((uint16_t *)row)[l] = (uint16_t)v; break;
    case 4: ((uint32_t *)row)[l] = (uint32_t)v; break;
    default: memcpy((uint8_t *)row + l * width, &v, width);
    }
}
/* For few lanes, a loop over these is faster than one over all 32. */
#define LOAD_LOOP(T)                                                                                                   \
    {                                                                                                                  \
        T *d = rows[0];                                                                                                \
        if (p.clean && sim_count(p.lanes) > SIM_WARP / 2) {                                                            \
            OVER_LANES(p.lanes, d[l] = *(const T *)(const void *)(p.data + offset[l]),                                 \
                       const T v = *(const T *)(const void *)(p.data + offset[l]);                                     \
                       d[l] = ON(p.lanes) ? v : d[l])                                                                  \
        } else                                                                                                         \
            SIM_EACH_LANE (l, p.lanes) d[l] = *(const T *)(const void *)(p.data + offset[l]);                          \
    }

/* Loads a vector's elements into registers of the same width. `at` is lane l's address. */
#define LOAD_ROWS(T, at)                                                                                               \
    for (unsigned k = 0; k < n; k++) {                                                                                 \
        T *d = rows[k];                                                                                                \
        if (d && p.lanes == SIM_FULL)                                                                                  \
            for (int l = 0; l < SIM_WARP; l++) d[l] = *(const T *)(const void *)((at) + k * sizeof(T));                \
        else if (d)                                                                                                    \
            SIM_EACH_LANE (l, p.lanes) d[l] = *(const T *)(const void *)((at) + k * sizeof(T));                        \
    }
/* Loads vectors that are adjacent in memory, one element of all lanes at a time. */
#define LOAD_VECTORS(T, N)                                                                                             \
    for (unsigned k = 0; k < (N); k++) {                                                                               \
        T *d = rows[k];                                                                                                \
        const T *from = (const T *)(const void *)data + k;                                                             \
        _Pragma("GCC ivdep") for (int l = 0; l < SIM_WARP; l++) d[l] = from[l * (N)];                                  \
    }
static void load_vectors(void *const rows[8], unsigned n, unsigned bytes, const uint8_t *data) {
    if (bytes == 4 && n == 2)
        LOAD_VECTORS(uint32_t, 2)
    else if (bytes == 4)
        LOAD_VECTORS(uint32_t, 4)
    else if (n == 2)
        LOAD_VECTORS(uint64_t, 2)
    else
        LOAD_VECTORS(uint64_t, 4)
}
static __attribute__((noinline)) void load_any(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    uint64_t address[SIM_WARP], offset[SIM_WARP], begin;
    uint8_t *lane[SIM_WARP], *data;
    struct sim_memory *object;
    void *rows[8];
    const unsigned n = element_rows(w, i, &i->source->operand[0], i->d, rows), bytes = i->memory.bytes,
                   whole = bytes * n, width = i->memory.width;
    const bool extend = is_signed(i->source->type);
    struct part p;
    if (vector_neighbors(w, i, mask, rows, n, SIM_LOAD, &object, &begin, &data)) {
        load_vectors(rows, n, bytes, data);
        if (is_heard(w, object)) report_neighbors(w, i, mask, SIM_LOAD, whole, object, begin, 0);
        return;
    }
    lane_addresses(w, i, address);
    for (uint32_t todo = mask; todo && !w->block->run->stopped;) {
        uint32_t done = next_part(w, i, todo, whole, SIM_LOAD, address, offset, &p, lane);
        todo &= ~done;
        for (unsigned k = 0; done & ~p.lanes && k < n; k++)
            if (rows[k])
                SIM_EACH_LANE (l, done & ~p.lanes) memset((uint8_t *)rows[k] + l * width, 0, width);
        if (!p.lanes) continue;
        const bool apart = p.lane || own_lanes(w, &p, offset, lane);
        if (apart && width == 4 && bytes == 4)
            LOAD_ROWS(uint32_t, lane[l])
        else if (apart && width == 8 && bytes == 8)
            LOAD_ROWS(uint64_t, lane[l])
        else if (apart)
            for (unsigned k = 0; k < n; k++) {
                if (rows[k])
                    SIM_EACH_LANE (l, p.lanes) put(rows[k], l, lane[l] + k * bytes, bytes, width, extend);
            }
        else if (n == 1 && width == 4 && bytes == 4)
            LOAD_LOOP(uint32_t)
        else if (n == 1 && width == 8 && bytes == 8)
            LOAD_LOOP(uint64_t)
        else if (width == 4 && bytes == 4)
            LOAD_ROWS(uint32_t, p.data + offset[l])
        else if (width == 8 && bytes == 8)
            LOAD_ROWS(uint64_t, p.data + offset[l])
        else
            for (unsigned k = 0; k < n; k++) {
                if (rows[k])
                    SIM_EACH_LANE (l, p.lanes) put(rows[k], l, p.data + offset[l] + k * bytes, bytes, width, extend);
            }
        if (!w->block->run->weak || p.object->kind == SIM_LOCAL_MEMORY) {
            report_access(w, i, &p, SIM_LOAD, whole, offset);
            continue;
        }
        struct sim_stale stale;
        report_weak_load(w, i, &p, whole, offset, &stale);
        for (unsigned k = 0; stale.lanes && k < n; k++)
            if (rows[k])
                SIM_EACH_LANE (l, stale.lanes) put(rows[k], l, stale.value[l] + k * bytes, bytes, width, extend);
    }
}

/* Handlers for loads into registers of the element's width. Contiguous accesses take a fast path, unless memory is not
 * sequentially consistent (run->weak). The others use load_any(). */
#define LOAD(name, T)                                                                                                  \
    static void name(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {                                    \
        struct sim_memory *m;                                                                                          \
        uint64_t begin;                                                                                                \
        uint8_t *data;                                                                                                 \
        if (w->block->run->weak || !neighbors(w, i, mask, sizeof(T), SIM_LOAD, &m, &begin, &data))                     \
            return load_any(w, i, mask);                                                                               \
        T *d = sim_row(w, i->d);                                                                                       \
        const T *from = (const T *)(const void *)data - __builtin_ctz(mask);                                           \
        COPY_LANES(T, d, from, mask)                                                                                   \
        if (is_heard(w, m)) report_neighbors(w, i, mask, SIM_LOAD, sizeof(T), m, begin, 0);                            \
    }
LOAD(load_32, uint32_t)
LOAD(load_64, uint64_t)
/* Executes an acquire load with block scope. In a loop, it probably polls for other threads of the block. The next
 * backward branch therefore ends the warp's turn. */
static void load_acquire_cta(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    w->polls = true;
    load_any(w, i, mask);
}

/* A kernel parameter has the same value in all lanes. */
static void ld_param_32(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    uint32_t v, *d = sim_row(w, i->d);
    memcpy(&v, w->block->params->data + (uint32_t)i->memory.offset, 4); /* the low 32 bits of the window's base are 0 */
    OVER_LANES(mask, d[l] = v, d[l] = ON(mask) ? v : d[l])
}
static void ld_param_64(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    uint64_t v, *d = sim_row(w, i->d);
    memcpy(&v, w->block->params->data + (uint32_t)i->memory.offset, 8);
    OVER_LANES(mask, d[l] = v, d[l] = ON(mask) ? v : d[l])
}
static void exec_ld_param(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    void *rows[8];
    const unsigned n = element_rows(w, i, &i->source->operand[0], i->d, rows);
    /* The low 32 bits of the window's base are 0. */
    const uint8_t *from = w->block->params->data + (uint32_t)i->memory.offset;
    const unsigned room = (unsigned)w->block->params->object.size - (uint32_t)i->memory.offset;
    for (unsigned k = 0; k < n; k++) {
        uint64_t v = 0;
        if (!rows[k] || (k + 1) * i->memory.bytes > room) continue;
        if (i->memory.bytes == 8)
            memcpy(&v, from + 8 * k, 8);
        else if (i->memory.bytes == 4)
            memcpy(&v, from + 4 * k, 4);
        else
            memcpy(&v, from + k * i->memory.bytes, i->memory.bytes);
        if (is_signed(i->source->type)) v = sign_extend(v, 8 * i->memory.bytes);
        uint32_t *d32 = rows[k];
        uint64_t *d64 = rows[k];
        if (i->memory.width == 4) {
            OVER_LANES(mask, d32[l] = (uint32_t)v, d32[l] = ON(mask) ? (uint32_t)v : d32[l])
        } else if (i->memory.width == 8) {
            OVER_LANES(mask, d64[l] = v, d64[l] = ON(mask) ? v : d64[l])
        } else
            SIM_EACH_LANE (l, mask) ((uint16_t *)rows[k])[l] = (uint16_t)v;
    }
}
