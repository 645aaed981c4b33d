/* Reports reads of memory that has not been written. Shared memory is uninitialized when a block starts, a buffer when
 * it is allocated, and local memory when a thread starts.
 *
 * A bit per byte (in local memory, per byte and lane) says whether the byte was written. An access of several elements,
 * such as ld.v4.f32, is checked element by element, except in local memory. An element is reported only if none of its
 * bytes was written, because a copy of a struct also reads the padding between members. */
#include "base/reserve.h"
#include "probes/probe.h"
#include "probes/written.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- findings ------------------------------------------------------------------------------------------------- */

enum { UNINITIALIZED_SHARED, UNINITIALIZED_GLOBAL, UNINITIALIZED_LOCAL };
static const struct finding_kind kinds[] = {
    [UNINITIALIZED_SHARED] =
        {.key = "uninitialized-shared",
         .title = "shared memory read before it was written",
         .explanation = "When a block starts, its shared memory contains whatever an earlier block left there. The "
                        "kernel read the location before any thread of this block had written it. A thread without an "
                        "element must write identity(), and a barrier must come before other threads read it.",
         .rank = 310,
         .yields_to_races = true},
    [UNINITIALIZED_GLOBAL] =
        {.key = "uninitialized-global",
         .title = "global memory read before it was written",
         .explanation =
             "The kernel read the location before any thread had written it. The output and the scratch buffer are "
             "uninitialized at first: write a location before you read it, or wait for the thread that writes it.",
         .rank = 320,
         .yields_to_races = true},
    [UNINITIALIZED_LOCAL] = {.key = "uninitialized-local",
                             .title = "local variable read before it was written",
                             .explanation =
                                 "On the path that the named threads took, the kernel used the variable before it had "
                                 "a value. Start a sum with identity(), even in a thread without elements.",
                             .rank = 330,
                             .yields_to_races = true},
    [UNINITIALIZED_LOCAL + 1] = {NULL},
};

/* The bits of a block's shared memory. The slot's next block clears them. */
struct slot_memory {
    uint64_t *shared;
    uint64_t shared_bytes;
    uint64_t words, whole; /* 64-bit words in `shared`; leading words with all bits set */
    struct {
        uint32_t *lanes; /* indexed by byte of local memory: the lanes that have written it */
        uint64_t bytes, used;
    } local[SIM_MAX_WARPS];
};
/* A buffer, variable or heap allocation that the host did not fill. */
struct buffer_bits {
    uint64_t address, size;
    uint64_t *bits;
};

/* The last access that was reported in a block. A loop can repeat it millions of times, and only the lanes and offsets
 * differ. */
struct reported {
    const struct sim_object *object; /* NULL before the first report */
    uint32_t call;
    struct finding finding;
    struct finding_place place;
};
struct uninitialized_probe {
    struct measurement *m;
    struct reported reported;
    struct probe_slots slots;
    struct buffer_bits *buffers;
    unsigned buffer_count;
};

static void *create(struct measurement *m) {
    struct uninitialized_probe *p = probe_alloc(1, sizeof *p);
    p->m = m;
    return p;
}

static uint64_t bits_bytes(uint64_t bytes) { return (bytes / 64 + 2) * sizeof(uint64_t); }
static uint64_t *new_bits(uint64_t bytes) { return probe_alloc(1, bits_bytes(bytes)); }

/* ---- bits ------------------------------------------------------------------------------------------------ */

/* Returns `count` (1 to 64) bits from bit `at`. The array has an extra word. */
static inline uint64_t get_bits(const uint64_t *bits, uint64_t at, unsigned count) {
    unsigned shift = at & 63;
    uint64_t low = bits[at / 64] >> shift;
    if (shift) low |= bits[at / 64 + 1] << (64 - shift);
    return count == 64 ? low : low & ((UINT64_C(1) << count) - 1);
}
static inline void set_bits(uint64_t *bits, uint64_t at, uint64_t count) {
    uint64_t end = at + count;
    while (at < end) {
        unsigned shift = at & 63;
        uint64_t n = 64 - shift < end - at ? 64 - shift : end - at;
        bits[at / 64] |= (n == 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1) << shift;
        at += n;
    }
}

static void block_begin(void *self, const struct sim_block_event *e) {
    struct uninitialized_probe *p = self;
    struct slot_memory *s = probe_slot_make(&p->slots, e->where->slot, sizeof *s);
    uint64_t bytes = e->where->launch->shared_bytes;
    p->reported.object = NULL;
    if (bytes > s->shared_bytes || !s->shared) {
        free(s->shared);
        s->shared = new_bits(bytes);
        s->shared_bytes = bytes;
    } else
        memset(s->shared, 0, (bytes / 64 + 2) * sizeof *s->shared);
    /* Reserved shared memory is initialized from the start. */
    for (unsigned k = 0; k < e->where->launch->symbol_count; k++) {
        const struct sim_symbol *v = &e->where->launch->symbols[k];
        if (v->name[0] == '%') set_bits(s->shared, v->offset, v->size);
    }
    s->words = (bytes + 63) / 64, s->whole = 0;
    set_bits(s->shared, bytes, s->words * 64 - bytes); /* bits past the end of shared memory */
    for (unsigned w = 0; w < SIM_MAX_WARPS; w++)
        if (s->local[w].used)
            memset(s->local[w].lanes, 0, s->local[w].used * sizeof *s->local[w].lanes), s->local[w].used = 0;
}
static inline bool all_set(const uint64_t *bits, uint64_t at, uint64_t count) {
    for (uint64_t n; count; at += n, count -= n) {
        n = count < 64 ? count : 64;
        if (get_bits(bits, at, (unsigned)n) != (n == 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1)) return false;
    }
    return true;
}
static inline bool any_set(const uint64_t *bits, uint64_t at, uint64_t count) {
    for (uint64_t n; count; at += n, count -= n)
        if (get_bits(bits, at, (unsigned)(n = count < 64 ? count : 64))) return true;
    return false;
}

/* ---- accesses -------------------------------------------------------------------------------------------- */

enum { REPORT_LOOKS = 64 }; /* cost of a report, which looks at each lane */
/* Returns an access's finding and place, with the object's name for the message. */
static const struct reported *name_access(struct uninitialized_probe *p, const struct sim_access *e, uint64_t first) {
    static const struct finding_kind *const of_object[] = {[SIM_BUFFER] = &kinds[UNINITIALIZED_GLOBAL],
                                                           [SIM_VARIABLE] = &kinds[UNINITIALIZED_GLOBAL],
                                                           [SIM_HEAP] = &kinds[UNINITIALIZED_GLOBAL],
                                                           [SIM_SHARED_MEMORY] = &kinds[UNINITIALIZED_SHARED],
                                                           [SIM_LOCAL_MEMORY] = &kinds[UNINITIALIZED_LOCAL]};
    struct reported *t = &p->reported;
    const bool same = t->object == e->object && t->finding.at.pc == e->pc && t->call == e->where->call &&
                      first - t->place.start < t->place.size;
    if (same) return t;
    t->object = e->object, t->call = e->where->call;
    t->place = finding_place(e->where->launch, e->object, first);
    t->finding = (struct finding){.kind = of_object[e->object->kind],
                                  .at = finding_site(e->where, e->pc, 0),
                                  .other.pc = UINT32_MAX,
                                  .bytes = e->bytes};
    finding_object(e->object, &t->place, t->finding.object, sizeof t->finding.object);
    return t;
}
static void report(struct uninitialized_probe *p, const struct sim_access *e, uint32_t lanes, unsigned element) {
    uint64_t first = e->offset[lowest_lane(lanes)], last = first;
    EACH_LANE (l, lanes) {
        if (e->offset[l] < first) first = e->offset[l];
        if (e->offset[l] > last) last = e->offset[l];
    }
    const struct reported *t = name_access(p, e, first);
    const struct finding_place place = t->place;
    struct finding f = t->finding;
    f.at.block = e->where->block, f.at.warp = e->where->warp, f.at.lanes = lanes;
    f.offset = (int64_t)(first - place.start);
    p->m->looks += REPORT_LOOKS;
    if (finding_recurs(&p->m->findings, &f)) return;
    char who[96];
    finding_who(measure_taught(p->m), e->where->warp, lanes, e->where->launched, who, sizeof who);
    if (place.element) element = place.element;
    uint64_t low = (first - place.start) / element, high = (last - place.start) / element;
    const char *since = e->object->kind == SIM_SHARED_MEMORY ? "in this block" : "";
    if (e->object->kind == SIM_LOCAL_MEMORY)
        snprintf(f.message, sizeof f.message, "%s read a local variable before it was written", who);
    else if (low == high)
        snprintf(f.message, sizeof f.message, "%s read %s[%" PRIu64 "], which was never written%s%s", who, place.name,
                 low, *since ? " " : "", since);
    else if (high - low >= lanes_in(lanes) * ((e->bytes + element - 1) / element)) /* some of them were not read */
        snprintf(f.message, sizeof f.message,
                 "%s read elements of %s[%" PRIu64 "..%" PRIu64 "] that were never written%s%s", who, place.name, low,
                 high, *since ? " " : "", since);
    else
        snprintf(f.message, sizeof f.message,
                 "%s read %s[%" PRIu64 "] to %s[%" PRIu64 "], which were never written%s%s", who, place.name, low,
                 place.name, high, *since ? " " : "", since);
    finding_add(&p->m->findings, &f);
}

/* Returns the lanes whose element at byte `from` of the access is uninitialized and is not padding. Padding is
 * adjacent to initialized bytes, and the program only copies it. */
static uint32_t lanes_wrong(const struct sim_access *e, const uint64_t *bits, uint32_t lanes, unsigned from,
                            unsigned element) {
    uint32_t wrong = 0, next = 0;
    EACH_LANE (l, lanes) {
        const uint64_t at = e->offset[l] + from;
        if (get_bits(bits, at, element)) continue;
        wrong |= 1u << l;
        if (get_bits(bits, at & ~UINT64_C(15), 16)) next |= 1u << l;
    }
    return next && probe_only_carried(e->where->launch, e->pc, from / element, false) ? wrong & ~next : wrong;
}

/* Returns a mask with one bit for each byte of an access. */
static uint64_t bits_of(unsigned bytes) { return bytes < 64 ? (UINT64_C(1) << bytes) - 1 : ~UINT64_C(0); }
/* Returns the lanes that may access an uninitialized byte. For an aligned access, one word of bits is enough. */
static uint32_t lanes_unwritten(const struct sim_access *e, const uint64_t *bits) {
    const uint64_t all = bits_of(e->bytes);
    uint32_t lanes = 0;
    EACH_LANE (l, e->mask) {
        const uint64_t at = e->offset[l], shift = at % 64;
        lanes |= (uint32_t)(shift + e->bytes > 64 || (bits[at / 64] >> shift & all) != all) << l;
    }
    return lanes;
}
/* Returns whether all bytes from the first lane's to the last lane's are written, and all lanes access only these
 * bytes. Returns false if the two lanes' offsets differ by 1024 bytes or more. */
static bool all_between(const struct sim_access *e, const uint64_t *bits) {
    enum { MAX = 1024 };
    const uint64_t a = e->offset[lowest_lane(e->mask)], b = e->offset[31 - (unsigned)__builtin_clz(e->mask)],
                   low = a < b ? a : b, high = a < b ? b : a;
    uint64_t outside = 0;
    for (unsigned l = 0; l < SIM_WARP; l++) outside |= (e->offset[l] - low) | (high - e->offset[l]);
    return !(outside >> 63) && high - low < MAX && all_set(bits, low, high - low + e->bytes);
}
static void set_lanes(const struct sim_access *e, uint64_t *bits) {
    const uint64_t all = bits_of(e->bytes);
    EACH_LANE (l, e->mask) {
        const uint64_t at = e->offset[l], shift = at % 64;
        if (shift + e->bytes > 64)
            set_bits(bits, at, e->bytes);
        else
            bits[at / 64] |= all << shift;
    }
}
static void use_bits(struct uninitialized_probe *p, const struct sim_access *e, uint64_t *bits) {
    bool run = e->contiguous && is_run(e->mask);
    uint64_t first = e->offset[lowest_lane(e->mask)], bytes = (uint64_t)lanes_in(e->mask) * e->bytes;
    uint32_t open = 0;
    const uint64_t before = first % 16, around = (before + bytes + 15) / 16 * 16;
    if (e->kind != SIM_STORE && !e->overwrites && !(run ? all_set(bits, first, bytes) : all_between(e, bits))) {
        const bool none = run && !any_set(bits, first - before, around);
        open = none ? e->mask : lanes_unwritten(e, bits);
        if (open) open &= ~sim_dropped_of(e);
        if (open && none) report(p, e, open, finding_element_bytes(e->where->launch, e->pc, e->bytes)), open = 0;
    }
    if (open) {
        unsigned element = finding_element_bytes(e->where->launch, e->pc, e->bytes);
        uint32_t bad = 0;
        for (unsigned k = 0; k + element <= e->bytes; k += element) bad |= lanes_wrong(e, bits, open, k, element);
        if (bad) report(p, e, bad, element);
    }
    if (e->kind == SIM_LOAD) return;
    if (run)
        set_bits(bits, first, bytes);
    else
        set_lanes(e, bits);
}

static bool all_carried(const struct sim_access *e) {
    unsigned elements = e->bytes / finding_element_bytes(e->where->launch, e->pc, e->bytes);
    for (unsigned k = 0; k < elements; k++)
        if (!probe_only_carried(e->where->launch, e->pc, k, true)) return false;
    return true;
}

/* Returns whether all lanes have one offset, like most accesses to local memory: each lane accesses its own copy of a
 * variable. */
static bool is_one_offset(const struct sim_access *e) {
    uint64_t other = 0;
    for (unsigned l = 0; l < SIM_WARP; l++) other |= e->offset[l] ^ e->offset[0];
    return !other && e->mask;
}
static void use_local(struct uninitialized_probe *p, const struct sim_access *e, struct slot_memory *s) {
    unsigned warp = e->where->warp;
    if (!s->local[warp].lanes || s->local[warp].bytes < e->object->size) {
        s->local[warp].lanes = probe_grow(s->local[warp].lanes, e->object->size, sizeof *s->local[warp].lanes);
        memset(s->local[warp].lanes + s->local[warp].bytes, 0,
               (e->object->size - s->local[warp].bytes) * sizeof *s->local[warp].lanes);
        s->local[warp].bytes = e->object->size;
    }
    uint32_t *written = s->local[warp].lanes, bad = 0;
    if (is_one_offset(e)) {
        uint32_t any = 0, *from = written + e->offset[0];
        for (unsigned k = 0; k < e->bytes; k++) {
            any |= from[k];
            if (e->kind != SIM_LOAD) from[k] |= e->mask;
        }
        bad = e->mask & ~any;
    } else
        EACH_LANE (l, e->mask) {
            uint32_t bit = 1u << l, any = 0;
            for (unsigned k = 0; k < e->bytes; k++) {
                any |= written[e->offset[l] + k];
                if (e->kind != SIM_LOAD) written[e->offset[l] + k] |= bit;
            }
            if (!(any & bit)) bad |= bit;
        }
    EACH_LANE (n, e->kind == SIM_LOAD ? 0 : e->mask)
        if (e->offset[n] + e->bytes > s->local[warp].used) s->local[warp].used = e->offset[n] + e->bytes;
    if (bad && e->kind != SIM_STORE && !all_carried(e)) report(p, e, bad, e->bytes);
}

/* Returns the bits of the buffer at `address`, which is unique in a measurement. */
static uint64_t *bits_of_buffer(struct uninitialized_probe *p, uint64_t address, uint64_t size) {
    for (unsigned k = 0; k < p->buffer_count; k++) {
        struct buffer_bits *b = &p->buffers[k];
        if (b->address == address && b->size == size) return b->bits;
    }
    p->buffers = probe_grow(p->buffers, p->buffer_count + 1, sizeof *p->buffers);
    uint64_t *bits = reserve(bits_bytes(size)); /* most of a large buffer is never accessed */
    if (!bits) probe_no_memory(bits_bytes(size));
    p->buffers[p->buffer_count] = (struct buffer_bits){address, size, bits};
    return p->buffers[p->buffer_count++].bits;
}

void measure_written(struct measurement *m, uint64_t address, uint64_t size, uint64_t offset, uint64_t bytes) {
    for (unsigned k = 0; k < m->listener_count; k++)
        if (m->listening[k] == PROBE_uninitialized)
            set_bits(bits_of_buffer(m->listeners[k].self, address, size), offset, bytes);
}

static void access(void *self, const struct sim_access *e) {
    struct uninitialized_probe *p = self;
    const struct sim_object *o = e->object;
    if (o->initialized || o->kind == SIM_PARAMETERS) return;
    struct slot_memory *s = p->slots.state[o->kind == SIM_SHARED_MEMORY ? o->id : e->where->slot];
    if (o->kind == SIM_SHARED_MEMORY) {
        if (s->whole == s->words) return; /* fast path: in most blocks, every byte is soon written */
        use_bits(p, e, s->shared);
        while (s->whole < s->words && s->shared[s->whole] == UINT64_MAX) s->whole++;
    } else if (o->kind == SIM_LOCAL_MEMORY)
        use_local(p, e, s);
    else
        use_bits(p, e, bits_of_buffer(p, o->address, o->size));
}

/* Marks a copy's destination as written when the copy starts. copies.c reports reads before the copy completes. */
static void copy(void *self, const struct sim_copy_event *e) {
    struct uninitialized_probe *p = self;
    struct slot_memory *s = e->shared ? p->slots.state[e->shared->id] : NULL; /* NULL: the copy is to global memory */
    if (!s) return;
    EACH_LANE (l, e->mask) set_bits(s->shared, e->offset[l], e->bytes);
}

/* Adds the bits of `from`: buffers keep their contents between launches. */
static void merge(struct uninitialized_probe *to, const struct uninitialized_probe *from) {
    for (unsigned k = 0; k < from->buffer_count; k++) {
        const struct buffer_bits *b = &from->buffers[k];
        uint64_t *bits = bits_of_buffer(to, b->address, b->size);
        for (uint64_t w = 0; w < b->size / 64 + 2; w++)
            if (b->bits[w]) bits[w] |= b->bits[w];
    }
}
static void learn(void *part, const void *whole) { merge(part, whole); }
static void join(void *whole, void *part) { merge(whole, part); }
/* Reports uninitialized variables in registers, which the simulator detects. */
static void fault(void *self, const struct sim_fault *e) {
    struct uninitialized_probe *p = self;
    if (e->kind != SIM_FAULT_UNDEFINED) return;
    struct finding f = {.kind = &kinds[UNINITIALIZED_LOCAL],
                        .at = finding_site(e->where, e->pc, e->lanes),
                        .other.pc = UINT32_MAX,
                        .object = "local variable"};
    if (finding_recurs(&p->m->findings, &f)) return;
    char who[96];
    finding_who(measure_taught(p->m), e->where->warp, e->lanes, e->where->launched, who, sizeof who);
    snprintf(f.message, sizeof f.message, "%s %s a value that comes from an uninitialized variable", who, e->text);
    finding_add(&p->m->findings, &f);
}

static void finish(void *self, struct measurement *m) {
    struct uninitialized_probe *p = self;
    (void)m;
    for (uint32_t k = 0; k < p->slots.count; k++) {
        struct slot_memory *s = p->slots.state[k];
        if (!s) continue;
        free(s->shared);
        for (unsigned w = 0; w < SIM_MAX_WARPS; w++) free(s->local[w].lanes);
    }
    probe_slots_free(&p->slots);
    for (unsigned k = 0; k < p->buffer_count; k++) reserve_free(p->buffers[k].bits, bits_bytes(p->buffers[k].size));
    free(p->buffers);
    free(p);
}

static const struct sim_probe callbacks = {.name = "uninitialized",
                                           .block_begin = block_begin,
                                           .access = access,
                                           .copy = copy,
                                           .fault = fault,
                                           .unfilled_only = true};
const struct probe_row probe_uninitialized = {
    .name = "uninitialized",
    .question = "is memory read before it was written?",
    .part_of = MEASURE_MEMORY,
    .callbacks = &callbacks,
    .create = create,
    .finish = finish,
    .learn = learn,
    .join = join,
    .findings = kinds,
};
