/* Helpers for exec_load.h, exec_store.h and exec_atomic.h, and handlers of mapa, getctarank, `createpolicy` and
 * isspacep. Included by exec.c.
 *
 * A warp's access has one part for each object that it touches. Most accesses have one part. A contiguous load or store
 * of 4 or 8 bytes per lane, or of vectors of such elements, takes a fast path. Other parts are processed lane by lane.
 * A lane with an address outside all objects causes a fault: its load returns 0, and its store does nothing. */

/* The part of an access that touches one object. */
struct part {
    uint8_t *data;
    uint8_t **lane; /* the lanes' addresses in a sparse object, otherwise NULL */
    const struct sim_object *object;
    uint32_t lanes;
    bool contiguous;
    bool clean;                /* all 32 offsets may be accessed, also those of inactive lanes */
    uint32_t silent, agreeing; /* of a store: see events.h */
    uint32_t atomic_reads;     /* see events.h */
    struct sim_stale *stale;   /* of a load: see events.h */
    const uint8_t (*before)[SIM_VALUE];
};

static inline uint8_t *place(const struct part *p, const uint64_t offset[SIM_WARP], uint32_t l) {
    return p->lane ? p->lane[l] : p->data + offset[l];
}

/* Computes all lanes' generic addresses, with the instruction's offset. For a .shared, .local or .param space, they are
 * in that space's window. */
static inline void lane_addresses(const struct sim_warp *w, const struct sim_insn *i, uint64_t address[SIM_WARP]) {
    uint64_t add = (uint64_t)i->memory.offset;
    if (i->memory.in_frame) add += w->split[w->current].frame->local_base;
    if (!i->memory.address_bits) {
        for (int l = 0; l < SIM_WARP; l++) address[l] = add;
    } else if (i->memory.address_bits == 32) { /* addresses wrap within their window */
        const uint64_t window = i->memory.space == PTX_SHARED ? SIM_SHARED_WINDOW : SIM_LOCAL_WINDOW;
        const uint32_t *a = sim_row(w, i->a);
        for (int l = 0; l < SIM_WARP; l++) address[l] = window + (uint32_t)(a[l] + (uint32_t)add);
    } else {
        const uint64_t *a = sim_row(w, i->a);
        for (int l = 0; l < SIM_WARP; l++) address[l] = a[l] + add;
    }
}

/* Ends the launch: the data that it writes exceeds the host's memory or the memory limit. */
static __attribute__((noinline)) void out_of_memory(const struct sim_warp *w) {
    w->block->run->stopped = w->block->run->no_memory = true;
}
/* Finds the lanes' addresses in a sparse object. The bytes of each lane are in one page, and most accesses of a warp
 * are within a single page. Returns false if out of memory. */
static bool find_lanes(const struct sim_warp *w, struct sim_memory *m, bool writes, struct part *p,
                       const uint64_t offset[SIM_WARP], uint8_t *lane[SIM_WARP]) {
    struct sim_sparse *sparse = sim_sparse_of(w->block->run, m);
    const struct sim_period *same = sim_sparse_period(sparse);
    const uint64_t end = writes ? 0 : same->end;
    uint64_t begin = 1; /* start of the page found last; 1 if none */
    uint8_t *page = NULL;
    /* If all offsets are valid and below `end`, find all lanes in one loop without branches. */
    uint64_t beyond = !p->clean;
    for (unsigned l = 0; l < SIM_WARP; l++) beyond |= (end - 1 - offset[l]) >> 63;
    p->lane = lane, p->clean = false;
    if (!beyond) {
        const struct sim_period period = *same;
        for (unsigned l = 0; l < SIM_WARP; l++) lane[l] = period.bytes + sim_in_period(&period, offset[l]);
        return true;
    }
    SIM_EACH_LANE (l, p->lanes) {
        if (offset[l] < end) {
            lane[l] = same->bytes + sim_in_period(same, offset[l]);
            continue;
        }
        const uint64_t in_page = offset[l] % SIM_PAGE;
        if (offset[l] - in_page != begin) {
            begin = offset[l] - in_page;
            if (!(page = sim_sparse_at(w->block->run->sim, sparse, begin, writes))) return out_of_memory(w), false;
        }
        lane[l] = page + in_page;
    }
    return true;
}

static inline bool within(const struct sim_bounds *b, uint64_t offset, uint64_t bytes) {
    return offset >= b->begin && offset + bytes <= b->end;
}

/* Returns the bounds of an access to a block's shared memory. Returns NULL if it has none, or if `m` is not shared
 * memory. */
static inline const struct sim_bounds *own_bounds(const struct sim_insn *i, const struct sim_memory *m) {
    return i->bounds && i->bounds->of == SIM_OF_SHARED && m->object.kind == SIM_SHARED_MEMORY ? i->bounds : NULL;
}

/* Returns the object that contains `bytes` bytes at the address. The instruction's space or the address's window
 * selects private objects; others are looked up. Returns NULL if no object contains the bytes, or if the instruction's
 * bounds exclude them. *nearest is then the object to which the bounds limit the access, the closest object below the
 * address, or NULL. */
static struct sim_memory *object_of(struct sim_warp *w, const struct sim_insn *i, uint64_t address, unsigned bytes,
                                    struct sim_memory **nearest) {
    struct sim_block *b = w->block;
    const enum ptx_space space = i->source->space;
    *nearest = NULL;
    if (space == PTX_LOCAL)
        *nearest = &w->local_memory;
    else if (space == PTX_SHARED || address - SIM_SHARED_WINDOW < SIM_CLUSTER_WINDOWS)
        *nearest = sim_shared_at(b, address);
    else if (address >= SIM_LOCAL_WINDOW && address < SIM_LOCAL_WINDOW + SIM_WINDOW_SIZE)
        *nearest = &w->local_memory;
    else if (address >= SIM_PARAM_WINDOW && address < SIM_PARAM_WINDOW + SIM_WINDOW_SIZE)
        *nearest = b->params;
    else {
        struct sim_memory *last = w->last;
        bool inside = last && address - last->object.address < last->object.size;
        if (!inside) last = sim_find(b->run->sim, address, &inside);
        *nearest = last;
        if (inside) w->last = last;
        struct sim_memory *meant = i->bounds ? sim_bounding_object(b->run, i->bounds) : NULL;
        if (meant && meant != last) return *nearest = meant, NULL;
    }
    if (!*nearest) return NULL;
    const struct sim_object *o = &(*nearest)->object;
    const uint64_t offset = address - o->address;
    if (address < o->address || o->size < bytes || offset > o->size - bytes) return NULL;
    const struct sim_bounds *own = own_bounds(i, *nearest);
    return own && !within(own, offset, bytes) ? NULL : *nearest;
}

/* Returns whether the instruction's state space permits access to the object. .param also permits access to local
 * memory, which has a function's parameter if the program takes its address. */
static bool space_allows(const struct sim_warp *w, const struct ptx_insn *i, const struct sim_object *o) {
    /* .shared::cta accesses the shared memory of the thread's own block. */
    if (i->space == PTX_SHARED && !i->cluster && o->block != w->block->index) return false;
    return i->space == PTX_GENERIC || i->space == o->space || (i->space == PTX_PARAM && o->space == PTX_LOCAL);
}

/* Fills in an event in place: its structure is large, and copying it would cost more than setting its fields. */
static inline __attribute__((always_inline)) void describe(struct sim_access *e, const struct sim_warp *w,
                                                           const struct sim_insn *i, const struct part *p,
                                                           enum sim_access_kind kind, unsigned bytes,
                                                           const uint64_t offset[SIM_WARP]) {
    e->where = &w->where, e->pc = sim_pc(w, i), e->mask = p->lanes, e->kind = kind;
    e->object = p->object, e->bytes = (uint16_t)bytes, e->contiguous = p->contiguous;
    e->strong = e->acquire = e->release = e->is_volatile = e->texture = e->mbarrier = false;
    e->phase = 0, e->silent = p->silent, e->agreeing = p->agreeing, e->atomic_reads = p->atomic_reads;
    e->result_unused = e->overwrites = e->compared = e->data = false, e->dropped = 0, e->scope = PTX_MOD_NONE;
    e->step = 0, e->offset = offset, e->stale = NULL, e->before = p->before, e->on_demand = NULL, e->insn = NULL;
    if (kind == SIM_LOAD) e->compared = i->memory.uses & SIM_USE_COMPARED, e->data = i->memory.uses & SIM_USE_DATA;
    const enum ptx_mod sem = ptx_mod_of(i->source, PTX_CLASS_SEM);
    const enum ptx_mod scope = ptx_mod_of(i->source, PTX_CLASS_SCOPE);
    if (kind != SIM_ATOMIC && sem == PTX_MOD_NONE && scope == PTX_MOD_NONE) return;
    e->scope = sim_scope(w->block->run, scope);
    e->strong = kind == SIM_ATOMIC || (sem != PTX_MOD_NONE && sem != PTX_MOD_WEAK);
    e->acquire = sem == PTX_MOD_ACQUIRE || sem == PTX_MOD_ACQ_REL;
    e->release = sem == PTX_MOD_RELEASE || sem == PTX_MOD_ACQ_REL;
    e->is_volatile = sem == PTX_MOD_VOLATILE;
    e->result_unused = kind == SIM_ATOMIC && i->memory.result_unused;
    e->overwrites = e->result_unused && ptx_mod_of(i->source, PTX_CLASS_OPERATION) == PTX_MOD_EXCH;
}
/* Returns whether a listener or parts.c needs accesses to this object. */
static inline bool is_heard(const struct sim_warp *w, const struct sim_memory *m) {
    const struct sim_run *run = w->block->run;
    return run->heard && (run->marks || run->accesses[sim_access_channel(&m->object)].count);
}
/* Computes sim_access.step for an access that is not contiguous. */
static int64_t step_of(uint32_t mask, const uint64_t offset[SIM_WARP]) {
    const uint32_t first = (uint32_t)__builtin_ctz(mask), rest = mask & (mask - 1);
    if (!rest) return 0;
    const uint32_t lanes = (uint32_t)__builtin_ctz(rest) - first;
    const int64_t apart = (int64_t)(offset[first + lanes] - offset[first]), step = lanes == 1 ? apart : apart / lanes;
    const uint64_t on = mask;
    uint64_t other = 0, expected = offset[first] - first * (uint64_t)step;
    for (uint64_t l = 0; l < SIM_WARP; l++, expected += (uint64_t)step)
        other |= (offset[l] ^ expected) & -(on >> l & 1);
    return other ? 0 : step;
}
static inline __attribute__((always_inline)) void report_part(struct sim_warp *w, const struct sim_insn *i,
                                                              const struct part *p, enum sim_access_kind kind,
                                                              unsigned bytes, const uint64_t offset[SIM_WARP]) {
    struct sim_run *run = w->block->run;
    if (run->marks)
        sim_mark(run, p->object, kind, kind == SIM_ATOMIC ? sim_combines(i) : 0, p->lanes, p->contiguous, bytes,
                 offset);
    const struct sim_channel *to = &run->accesses[sim_access_channel(p->object)];
    if (!to->count) return;
    struct sim_access e;
    describe(&e, w, i, p, kind, bytes, offset);
    if (kind == SIM_LOAD && i->memory.uses & SIM_USE_DROPPED) {
        if (run->drops)
            e.dropped = sim_dropped(w, i, p->lanes);
        else
            e.on_demand = w, e.insn = i;
    }
    e.stale = p->stale;
    e.step = p->contiguous ? bytes : step_of(p->lanes, offset);
    SIM_EMIT_TO(*to, access, &e);
}
static __attribute__((noinline)) void report_access(struct sim_warp *w, const struct sim_insn *i, const struct part *p,
                                                    enum sim_access_kind kind, unsigned bytes,
                                                    const uint64_t offset[SIM_WARP]) {
    if (w->block->run->heard && p->object->kind != SIM_PARAMETERS) report_part(w, i, p, kind, bytes, offset);
}
/* Copies each lane's bytes from memory to `value`. */
static void copy_values(const struct part *p, unsigned bytes, const uint64_t offset[SIM_WARP],
                        uint8_t value[SIM_WARP][SIM_VALUE]) {
    SIM_EACH_LANE (l, p->lanes) memcpy(value[l], place(p, offset, l), bytes);
}
/* Reports a load from memory that is not sequentially consistent. stale->value then has the bytes that the lanes in
 * stale->lanes get. */
static __attribute__((noinline)) void report_weak_load(struct sim_warp *w, const struct sim_insn *i, struct part *p,
                                                       unsigned bytes, const uint64_t offset[SIM_WARP],
                                                       struct sim_stale *stale) {
    const struct sim_options *o = &w->block->run->sim->options;
    stale->lanes = 0, stale->line = o->schedule.stale, stale->seed = o->schedule.chosen ? 0 : o->seed | 1;
    copy_values(p, bytes, offset, stale->value);
    p->stale = stale;
    report_access(w, i, p, SIM_LOAD, bytes, offset);
}
/* Reports each byte of a misaligned access. The access is not executed, but other threads may access the same bytes. */
static void report_dropped(struct sim_warp *w, const struct sim_insn *i, uint32_t lanes, const struct sim_memory *m,
                           enum sim_access_kind kind, const uint64_t address[SIM_WARP], unsigned bytes) {
    struct sim_run *run = w->block->run;
    const struct part p = {.data = m->data, .object = &m->object, .lanes = lanes};
    uint64_t offset[SIM_WARP] = {0};
    if (!run->heard || m->object.kind == SIM_PARAMETERS) return;
    for (unsigned k = 0; k < bytes; k++) {
        SIM_EACH_LANE (l, lanes) offset[l] = address[l] - m->object.address + k;
        if (run->marks) sim_mark(run, p.object, kind, 0, lanes, false, 1, offset);
        struct sim_access e;
        describe(&e, w, i, &p, kind, 1, offset);
        SIM_EMIT(run, dropped, &e);
    }
}

/* Sets the members of a fault that describe where its address is: in or near the object `nearest`, which may be
 * NULL. */
static void place_fault(const struct sim_warp *w, const struct sim_insn *i, const struct sim_memory *nearest,
                        struct sim_fault *f) {
    const struct sim_bounds *own = nearest ? own_bounds(i, nearest) : NULL;
    if (nearest) {
        f->object = &nearest->object;
        f->offset = (int64_t)(f->address - nearest->object.address), f->end = nearest->object.size;
        f->meant = i->bounds && nearest == sim_bounding_object(w->block->run, i->bounds);
    }
    if (own) {
        f->begin = own->begin;
        if (own->end < f->end) f->end = own->end;
    }
    if (f->kind == SIM_FAULT_RANK)
        f->offset = (int64_t)((f->address - SIM_SHARED_WINDOW) / SIM_WINDOW_SIZE) - 1;
    else if (f->space == PTX_SHARED || f->space == PTX_LOCAL)
        f->offset = (int32_t)f->offset; /* 32-bit addresses wrap */
}
/* Reports the fault of the lowest lane in `todo`. Returns the lanes with the same fault in the same object. */
static __attribute__((noinline)) uint32_t fault_part(struct sim_warp *w, const struct sim_insn *i, uint32_t todo,
                                                     unsigned bytes, enum sim_access_kind kind,
                                                     const uint64_t address[SIM_WARP]) {
    const unsigned first = (unsigned)__builtin_ctz(todo);
    const uint64_t start = address[first], odd = bytes - 1;
    struct sim_memory *nearest, *m = object_of(w, i, start, bytes, &nearest);
    const bool of_cluster = start - SIM_SHARED_WINDOW < SIM_CLUSTER_WINDOWS;
    struct sim_fault f = {.kind = !m && start < 4096                        ? SIM_FAULT_NULL
                                  : !m && !nearest && of_cluster            ? SIM_FAULT_RANK
                                  : !m                                      ? SIM_FAULT_BOUNDS
                                  : !space_allows(w, i->source, &m->object) ? SIM_FAULT_SPACE
                                  : start & odd                             ? SIM_FAULT_MISALIGNED
                                                                            : SIM_FAULT_READ_ONLY,
                          .pc = sim_pc(w, i),
                          .other_pc = SIM_NO_PC,
                          .lane = first,
                          .bytes = bytes,
                          .address = start,
                          .access = kind,
                          .space = i->source->space};
    SIM_EACH_LANE (l, todo) {
        struct sim_memory *near, *other = object_of(w, i, address[l], bytes, &near);
        if (near == nearest && !other == !m && (!m || !(address[l] & odd) == !(start & odd))) f.lanes |= 1u << l;
    }
    place_fault(w, i, nearest, &f);
    sim_fault(w, &f);
    if (f.kind == SIM_FAULT_MISALIGNED) report_dropped(w, i, f.lanes, m, kind, address, bytes);
    return f.lanes;
}
/* Finds the object of the lowest lane in `todo`, and the other lanes that access it. Returns all lanes that are
 * handled: those in p->lanes may access memory. The others have caused a fault or run out of memory, which ends the
 * launch. */
static uint32_t next_part(struct sim_warp *w, const struct sim_insn *i, uint32_t todo, unsigned bytes,
                          enum sim_access_kind kind, const uint64_t address[restrict SIM_WARP],
                          uint64_t offset[restrict SIM_WARP], struct part *p, uint8_t *lane[SIM_WARP]) {
    const unsigned first = (unsigned)__builtin_ctz(todo);
    const uint64_t start = address[first];
    struct sim_memory *nearest, *m = object_of(w, i, start, bytes, &nearest);
    const bool writes = kind != SIM_LOAD;
    p->lanes = p->silent = p->agreeing = p->atomic_reads = 0, p->stale = NULL, p->before = NULL, p->lane = NULL;
    if (!m || !space_allows(w, i->source, &m->object) || (start & (bytes - 1)) || (writes && m->object.read_only))
        return fault_part(w, i, todo, bytes, kind, address);
    p->data = m->data;
    p->object = &m->object;
    /* Compute all offsets in one pass without branches, which gcc vectorizes. An inactive lane gets the first active
     * lane's offset. `room` is below 2^63, so an offset beyond it sets the highest bit of `outside`. */
    const struct sim_bounds *own = own_bounds(i, m);
    const uint64_t base = m->object.address, low = own ? own->begin : 0, origin = start - base;
    const uint64_t end = own && own->end < m->object.size ? own->end : m->object.size, room = end - low - bytes;
    const uint64_t lanes = todo;
    uint64_t outside = 0, gaps = 0, low_bits = 0, neighbor = origin - (uint64_t)first * bytes;
    for (uint64_t l = 0; l < SIM_WARP; l++, neighbor += bytes) {
        const uint64_t on = -(lanes >> l & 1), o = origin ^ (((address[l] - base) ^ origin) & on), far = o - low;
        offset[l] = o;
        outside |= far | (room - far);
        low_bits |= o;
        gaps |= (o ^ neighbor) & on;
    }
    if (!(outside >> 63) && !(low_bits & (bytes - 1))) {
        p->lanes = todo, p->contiguous = !gaps, p->clean = true;
        if (m->sparse && !find_lanes(w, m, writes, p, offset, lane)) p->lanes = 0;
        return todo;
    }
    p->contiguous = p->clean = false;
    SIM_EACH_LANE (k, todo)
        if (offset[k] - low <= room && !(offset[k] & (bytes - 1))) p->lanes |= 1u << k;
    const uint32_t done = p->lanes;
    if (m->sparse && !find_lanes(w, m, writes, p, offset, lane)) p->lanes = 0;
    return done;
}

/* Fast path for the most common accesses: all lanes in `mask` access one object, in bounds, aligned and contiguous.
 * Sets *begin to the first lane's offset in *object, and *data to that byte. Returns false if the access needs the
 * general path. */
#define NEIGHBORS(which)                                                                                               \
    gaps = 0;                                                                                                          \
    for (uint32_t l = 0; l < SIM_WARP; l++) gaps |= (which) ? a[l] ^ (start + (T)(l * bytes)) : 0;
/* Tries all 32 lanes first, without a mask: inactive lanes often have neighboring addresses, too. */
#define ALL_NEIGHBORS(type, row)                                                                                       \
    {                                                                                                                  \
        typedef type T;                                                                                                \
        const T *a = (row), start = a[first] - (T)(first * bytes);                                                     \
        T gaps = 1;                                                                                                    \
        if (a[last] != (T)(start + last * bytes)) return false;                                                        \
        if (a[0] == start && a[SIM_WARP - 1] == (T)(start + (SIM_WARP - 1) * bytes)) { NEIGHBORS(true) }               \
        if (gaps && mask != SIM_FULL) { NEIGHBORS(ON(mask)) }                                                          \
        if (gaps) return false;                                                                                        \
    }
static inline __attribute__((always_inline)) bool neighbors(struct sim_warp *w, const struct sim_insn *i, uint32_t mask,
                                                            unsigned bytes, enum sim_access_kind kind,
                                                            struct sim_memory **object, uint64_t *begin,
                                                            uint8_t **data) {
    const uint32_t first = (uint32_t)__builtin_ctz(mask), last = 31 - (uint32_t)__builtin_clz(mask);
    struct sim_memory *o = &w->block->shared;
    if (i->memory.space == PTX_SHARED && !i->memory.address_bits) {
        if (first != last)
            return false; /* [symbol] is one address for all lanes, so only a single lane's access is contiguous */
        *begin = (uint32_t)i->memory.offset; /* the low 32 bits of the window's base are 0 */
    } else if (i->memory.space == PTX_SHARED && i->memory.address_bits == 32) {
        const uint32_t *row = sim_row(w, i->a);
        ALL_NEIGHBORS(uint32_t, row)
        *begin = (uint32_t)(row[first] + (uint32_t)i->memory.offset);
    } else if ((i->memory.space == PTX_GLOBAL && i->memory.address_bits) ||
               (i->memory.space <= PTX_SHARED && i->memory.address_bits == 64)) { /* a global or generic address */
        const uint64_t *row = sim_row(w, i->a);
        const bool in_shared = i->memory.space != PTX_GLOBAL &&
                               row[first] + (uint64_t)i->memory.offset - SIM_SHARED_WINDOW < SIM_WINDOW_SIZE;
        if (!in_shared && (i->memory.space == PTX_SHARED || !w->last)) return false;
        ALL_NEIGHBORS(uint64_t, row)
        if (!in_shared) o = w->last;
        *begin = row[first] + (uint64_t)i->memory.offset - o->object.address;
    } else
        return false;
    *object = o;
    const uint64_t span = (uint64_t)(last - first + 1) * bytes;
    if (i->bounds && o == &w->block->shared && (i->bounds->of != SIM_OF_SHARED || !within(i->bounds, *begin, span)))
        return false;
    if (i->bounds && o != &w->block->shared && sim_bounding_object(w->block->run, i->bounds) != o) return false;
    if (*begin >= o->object.size || span > o->object.size - *begin || (*begin & (bytes - 1)) ||
        (kind != SIM_LOAD && o->object.read_only))
        return false;
    if (__builtin_expect(!o->sparse, 1)) return *data = o->data + *begin, true;
    if (span > SIM_PAGE - *begin % SIM_PAGE) return false;
    *data = sim_sparse_at(w->block->run->sim, sim_sparse_of(w->block->run, o), *begin, kind != SIM_LOAD);
    return *data;
}

/* The fast path for vectors of two or four registers that are as wide as the elements. */
static inline bool vector_neighbors(struct sim_warp *w, const struct sim_insn *i, uint32_t mask, void *const rows[8],
                                    unsigned n, enum sim_access_kind kind, struct sim_memory **object, uint64_t *begin,
                                    uint8_t **data) {
    if (mask != SIM_FULL || (n != 2 && n != 4) || i->memory.bytes != i->memory.width || w->block->run->weak)
        return false;
    if (i->memory.bytes != 4 && i->memory.bytes != 8) return false;
    for (unsigned k = 0; k < n; k++)
        if (!rows[k]) return false;
    return neighbors(w, i, mask, n * i->memory.bytes, kind, object, begin, data);
}

/* Reports an access for which neighbors() and is_heard() hold. */
static __attribute__((noinline)) void report_neighbors(struct sim_warp *w, const struct sim_insn *i, uint32_t mask,
                                                       enum sim_access_kind kind, unsigned bytes,
                                                       const struct sim_memory *m, uint64_t begin, uint32_t silent) {
    const struct part p = {m->data, NULL, &m->object, mask, true, true, silent, mask, 0, NULL, NULL};
    const uint32_t first = (uint32_t)__builtin_ctz(mask);
    uint64_t offset[SIM_WARP], next = begin;
    uint32_t apart[SIM_WARP]; /* bytes from the first lane's offset; 0 for inactive lanes */
    if (mask == SIM_FULL) {
        for (uint32_t l = 0; l < SIM_WARP; l++, next += bytes) offset[l] = next;
    } else {
        for (uint32_t l = 0; l < SIM_WARP; l++) apart[l] = ON(mask) ? (l - first) * bytes : 0;
        for (uint32_t l = 0; l < SIM_WARP; l++) offset[l] = begin + apart[l];
    }
    report_part(w, i, &p, kind, bytes, offset);
}

/* Gets the rows of a vector operand's elements, or of a single register. An element that is not a register has the row
 * NULL. Returns the number of rows. */
static unsigned element_rows(const struct sim_warp *w, const struct sim_insn *i, const struct ptx_operand *o,
                             uint32_t single, void *rows[8]) {
    if (o->kind != PTX_VECTOR) {
        rows[0] = sim_row(w, single);
        return 1;
    }
    const struct sim_program *program = w->block->run->program;
    const struct sim_function *f = &program->functions[program->function_of[sim_pc(w, i)]];
    for (unsigned k = 0; k < o->count; k++)
        rows[k] = o->elements[k].kind == PTX_REGISTER ? sim_row(w, f->register_offset[o->elements[k].reg]) : NULL;
    return o->count;
}

/* Finds the address in each lane's local memory. Returns false if the object is not local memory. */
static inline bool own_lanes(const struct sim_warp *w, const struct part *p, const uint64_t offset[SIM_WARP],
                             uint8_t *lane[SIM_WARP]) {
    if (p->object->kind != SIM_LOCAL_MEMORY) return false;
    SIM_EACH_LANE (l, p->lanes) lane[l] = p->data + (uint64_t)l * w->local_bytes + offset[l];
    return true;
}

/* Copies the elements of the lanes in `mask`, most often a run of lanes, between a row and neighbors in memory. */
#define COPY_LANES(T, to, from, mask)                                                                                  \
    {                                                                                                                  \
        const uint32_t first_ = (uint32_t)__builtin_ctz(mask), run_ = (mask) >> first_;                                \
        if ((mask) == SIM_FULL)                                                                                        \
            memcpy(to, from, SIM_WARP * sizeof(T));                                                                    \
        else if (!(run_ & (run_ + 1)))                                                                                 \
            memcpy((to) + first_, (from) + first_, sim_count(mask) * sizeof(T));                                       \
        else                                                                                                           \
            SIM_EACH_LANE (l, mask) (to)[l] = (from)[l];                                                               \
    }

#include "sim/exec_load.h"
#include "sim/exec_store.h"
#include "sim/exec_atomic.h"

/* ---- selection of handlers --------------------------------------------------------------------- */
static sim_exec *ld_param_handler(const struct sim_insn *i) {
    const struct ptx_operand *from = &i->source->operand[1];
    const unsigned bytes = i->memory.bytes;
    const bool whole = i->source->operand[0].kind == PTX_REGISTER && bytes == i->memory.width &&
                       from->imm + bytes <= from->symbol->size;
    return whole && bytes == 4 ? ld_param_32 : whole && bytes == 8 ? ld_param_64 : exec_ld_param;
}
/* Returns whether each lane accesses one element in a register of its width. The handlers for these accesses try the
 * fast path first. */
static bool is_single(const struct sim_insn *i, const struct ptx_operand *value) {
    return value->kind != PTX_VECTOR && i->memory.bytes == i->memory.width;
}
static void form_ld(struct sim_insn *i) {
    const struct ptx_insn *p = i->source;
    const bool single = is_single(i, &p->operand[0]);
    const bool polls = ptx_mod_of(p, PTX_CLASS_SEM) == PTX_MOD_ACQUIRE && ptx_mod_of(p, PTX_CLASS_SCOPE) == PTX_MOD_CTA;
    i->exec = p->space == PTX_PARAM && p->operand[1].symbol ? ld_param_handler(i)
              : polls                                       ? load_acquire_cta
              : single && i->memory.bytes == 4              ? load_32
              : single && i->memory.bytes == 8              ? load_64
                                                            : load_any;
}
static void form_st(struct sim_insn *i) {
    const bool single = is_single(i, &i->source->operand[1]);
    i->exec = single && i->memory.bytes == 4 ? store_32 : single && i->memory.bytes == 8 ? store_64 : store_any;
}
ONE_HANDLER(atom)
ONE_HANDLER(atom_vector)

/* ---- mapa, getctarank: see sim_shared_at() ---------------------------------------------------------------------- */
static uint64_t shared_address(const struct sim_warp *w, const struct sim_insn *i, uint32_t l) {
    const uint64_t add = i->address.offset;
    return add +
           (i->address.width == 8 ? ((const uint64_t *)sim_row(w, i->a))[l] : ((const uint32_t *)sim_row(w, i->a))[l]);
}
static void exec_mapa(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const uint32_t *rank = sim_row(w, i->b), most = SIM_CLUSTER_WINDOWS / SIM_WINDOW_SIZE - 2;
    SIM_EACH_LANE (l, mask) {
        const uint64_t window = 1 + (rank[l] < most ? rank[l] : most);
        const uint64_t a = SIM_SHARED_WINDOW + window * SIM_WINDOW_SIZE + shared_address(w, i, l) % SIM_WINDOW_SIZE;
        if (i->address.width == 8)
            ((uint64_t *)sim_row(w, i->d))[l] = a - i->address.offset;
        else
            ((uint32_t *)sim_row(w, i->d))[l] = (uint32_t)(a - i->address.offset);
    }
}
static void exec_getctarank(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    uint32_t *d = sim_row(w, i->d);
    SIM_EACH_LANE (l, mask) {
        const uint32_t window = (uint32_t)((shared_address(w, i, l) - SIM_SHARED_WINDOW) / SIM_WINDOW_SIZE);
        d[l] = window ? window - 1 : w->block->rank;
    }
}
/* The result may be any value: the simulator has no cache policies. */
static void exec_createpolicy(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    SIM_EACH_LANE (l, mask) ((uint64_t *)sim_row(w, i->d))[l] = 0;
}
ONE_HANDLER(mapa)
ONE_HANDLER(createpolicy)
ONE_HANDLER(getctarank)

/* ---- isspacep ---------------------------------------------------------------------------------- */
static void exec_isspacep(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const uint64_t *a = sim_row(w, i->a);
    const enum ptx_space space = i->source->space;
    const uint64_t window = sim_window(space);
    uint32_t bits = 0;
    SIM_EACH_LANE (l, mask) {
        bool in = window && a[l] - window < SIM_WINDOW_SIZE, known = false;
        if (space == PTX_SHARED && a[l] - window < SIM_CLUSTER_WINDOWS) {
            const struct sim_memory *m = sim_shared_at(w->block, a[l]);
            in = m && (i->source->cluster || m->object.block == w->block->index);
        }
        if (!window && a[l] >= SIM_GLOBAL_BASE) { /* const objects are in the global window, but in another space */
            const struct sim_memory *m = sim_find(w->block->run->sim, a[l], &known);
            in = (space == PTX_CONST) == (known && m->object.space == PTX_CONST);
        }
        if (space == PTX_GLOBAL) /* a kernel's parameters belong to the global window (PTX ISA) */
            in |= a[l] - SIM_PARAM_WINDOW < SIM_WINDOW_SIZE;
        bits |= (uint32_t)in << l;
    }
    sim_set_predicate(w, i->d, bits, mask);
}
ONE_HANDLER(isspacep)
