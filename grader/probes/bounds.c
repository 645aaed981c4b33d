/* Reports the memory faults of the simulator. An access may be out of bounds, null, misaligned, or in the wrong space.
 * It may be to the shared memory of a block that the cluster lacks, or a store to read-only memory. */
#include "probes/probe.h"
#include "sim/sim.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- findings ------------------------------------------------------------------------------------------------- */

enum { NULL_ACCESS, OUT_OF_BOUNDS, READ_ONLY, MISALIGNED, WRONG_SPACE };
static const struct finding_kind kinds[] = {
    [NULL_ACCESS] =
        {.key = "null-access",
         .title = "null pointer",
         .explanation =
             "The address is 0 or close to 0, where there is no memory. Either the pointer was never set, or an index "
             "became very large and wrapped around. On a GPU, the launch fails without naming the line.",
         .rank = 30},
    [OUT_OF_BOUNDS] = {.key = "out-of-bounds",
                       .title = "access out of bounds",
                       .explanation =
                           "The access is outside the array to which its address belongs. A GPU often does not detect "
                           "such an access, because other data happen to be there. The result is then wrong or changes "
                           "from run to run. Which thread has the largest index at the reported line, for the smallest "
                           "n and for the largest? n may be any number, so check every index before you use it.",
                       .rank = 40},
    [READ_ONLY] =
        {.key = "read-only",
         .title = "write to read-only memory",
         .explanation =
             "The contract says that the kernel must not change this buffer, because other threads read "
             "it or the host uses it again. Work in shared memory, in registers, or in the buffer that the contract "
             "provides for intermediate values.",
         .plain = {.explanation =
                       "The contract says that the kernel must not change this buffer, because other threads read it "
                       "or the host uses it again. Work in the buffer that the contract provides for "
                       "intermediate values."},
         .rank = 80},
    [MISALIGNED] = {.key = "misaligned",
                    .title = "misaligned access",
                    .explanation =
                        "An access of 2, 4, 8 or 16 bytes must be aligned to its size; otherwise, the hardware "
                        "stops the launch. Casting a pointer to a wider type does not align its address. "
                        "Process the elements before the next aligned address one by one.",
                    .rank = 90},
    [WRONG_SPACE] = {.key = "wrong-space",
                     .title = "address of another memory space",
                     .explanation =
                         "Shared, global and local memory are separate. The kernel used an address in one "
                         "of these spaces as an address in another, usually because of a cast or inline PTX.",
                     .rank = 100},
    [WRONG_SPACE + 1] = {NULL},
};

/* Beyond this distance in bytes, a message gives the address instead of the nearest object. */
static const int64_t most_distance = (int64_t)(SIM_OBJECT_GAP / 2);

static const char *const verbs[] = {[SIM_LOAD] = "read", [SIM_STORE] = "wrote", [SIM_ATOMIC] = "updated"};

static void *create(struct measurement *m) { return m; }

/* Writes a distance such as "4 bytes past the end of", "right past the end of" or "16 bytes before the start of". */
static void distance(char *out, size_t size, int64_t end, int64_t at) {
    if (at < 0)
        snprintf(out, size, "%" PRId64 " byte%s before the start of", -at, at == -1 ? "" : "s");
    else if (at == end)
        snprintf(out, size, "right past the end of");
    else if (at > end)
        snprintf(out, size, "%" PRId64 " byte%s past the end of", at - end, at - end == 1 ? "" : "s");
    else
        snprintf(out, size, "across the end of");
}

/* Writes the size of an object, such as "1000 elements of 4 bytes". */
static void extent(char *out, size_t size, uint64_t bytes, unsigned element) {
    if (element && bytes % element == 0)
        snprintf(out, size, "%" PRIu64 " element%s of %u bytes", bytes / element, bytes / element == 1 ? "" : "s",
                 element);
    else
        snprintf(out, size, "%" PRIu64 " byte%s", bytes, bytes == 1 ? "" : "s");
}

/* Returns the object nearest to the address. Sets *offset to the address's offset in it. The simulator reports the
 * object below the address, but after a negative index, the one above is nearest. */
static const struct sim_object *nearest_object(const struct sim_fault *e, int64_t *offset) {
    const struct sim_object *nearest = e->object;
    *offset = e->offset;
    if (nearest && nearest->space != PTX_GLOBAL && nearest->space != PTX_CONST) return nearest;
    uint64_t best = nearest && e->offset >= (int64_t)nearest->size ? (uint64_t)e->offset - nearest->size : 0;
    if (nearest && e->offset < (int64_t)nearest->size) return nearest;
    for (unsigned k = 0; k < e->where->launch->object_count; k++) {
        const struct sim_object *o = e->where->launch->objects[k];
        if (o->address <= e->address || (nearest && o->address - e->address >= best)) continue;
        nearest = o, best = o->address - e->address;
        *offset = -(int64_t)best;
    }
    return nearest;
}

/* The object near an out-of-bounds access. `object` is NULL if no object is near. */
struct missed {
    const struct sim_object *object;
    struct finding_place place;
    uint64_t size;
};
static struct missed what_it_missed(struct finding *f, const struct sim_fault *e) {
    int64_t offset;
    struct missed m = {.object = nearest_object(e, &offset)};
    if (e->meant) m.object = e->object, offset = e->offset;
    if (m.object && !e->meant && (offset < -most_distance || offset > (int64_t)m.object->size + most_distance))
        m.object = NULL;
    if (!m.object) {
        snprintf(f->object, sizeof f->object, "memory outside every buffer");
        return m;
    }
    const uint64_t begin = m.object == e->object ? e->begin : 0,
                   end = m.object == e->object && e->end ? e->end : m.object->size;
    uint64_t inside = offset < (int64_t)begin ? begin
                      : offset < (int64_t)end ? (uint64_t)offset
                      : end > begin           ? end - 1
                                              : begin;
    m.place = finding_place(e->where->launch, m.object, inside);
    m.size = m.place.size < m.object->size - m.place.start ? m.place.size : m.object->size - m.place.start;
    finding_object(m.object, &m.place, f->object, sizeof f->object);
    f->offset = offset - (int64_t)m.place.start;
    return m;
}
/* Returns the index of the element that contains the byte. */
static int64_t index_of(int64_t byte, unsigned element) {
    return byte < 0 ? (byte + 1) / (int64_t)element - 1 : byte / (int64_t)element;
}
static void report_missed(struct finding *f, const struct sim_fault *e, const struct missed *m, const char *who,
                          unsigned taught) {
    if (!m->object) {
        snprintf(f->message, sizeof f->message,
                 "%s %s %u bytes at address 0x%" PRIx64 ", which belongs to no buffer or variable", who,
                 verbs[e->access], e->bytes, e->address);
        return;
    }
    const unsigned known = m->place.element,
                   element = known ? known : finding_element_bytes(e->where->launch, e->pc, e->bytes);
    char far[64], big[64], what[96], subject[160], whose[96];
    distance(far, sizeof far, (int64_t)m->size, f->offset);
    extent(big, sizeof big, m->size, element);
    const bool named = strchr(f->object, '`'), indexed = named && element && (known || f->offset % element == 0);
    const int64_t first = indexed ? index_of(f->offset, element) : 0,
                  last = indexed ? index_of(f->offset + e->bytes - 1, element) : 0;
    if (known && indexed && last > first)
        snprintf(what, sizeof what, "%s[%" PRId64 "..%" PRId64 "]", m->place.name, first, last);
    else if (indexed)
        snprintf(what, sizeof what, "%s[%" PRId64 "]", m->place.name, first);
    else
        snprintf(what, sizeof what, "%u bytes", e->bytes);
    if (e->lanes & (e->lanes - 1))
        snprintf(subject, sizeof subject, "%s went out of bounds: %s %u", who, terms_choose(taught, "lane", "thread"),
                 terms_known(taught, "lane") ? e->lane : e->where->warp * SIM_WARP + e->lane);
    else
        snprintf(subject, sizeof subject, "%s", who);
    snprintf(whose, sizeof whose, "%s", f->object);
    finding_name_owner(m->object, e->where, whose, sizeof whose);
    snprintf(f->message, sizeof f->message, "%s %s %s, %s %s, which has %s", subject, verbs[e->access], what, far,
             whose, big);
}

static void name_object(struct finding *f, const struct sim_fault *e) {
    if (!e->object) return;
    uint64_t inside = e->offset < 0 ? 0 : (uint64_t)e->offset;
    struct finding_place place = finding_place(e->where->launch, e->object, inside);
    finding_object(e->object, &place, f->object, sizeof f->object);
    f->offset = e->offset - (int64_t)place.start;
}

static void report(struct finding *f, const struct sim_fault *e, const struct missed *missed, unsigned taught) {
    char who[96], several[64] = "";
    finding_who(taught, e->where->warp, e->lanes ? e->lanes : 1u << (e->lane & 31), e->where->launched, who,
                sizeof who);
    const char *verb = verbs[e->access <= SIM_ATOMIC ? e->access : SIM_LOAD];
    switch (e->kind) {
    case SIM_FAULT_BOUNDS: report_missed(f, e, missed, who, taught); break;
    case SIM_FAULT_RANK:
        if (e->lanes & (e->lanes - 1)) /* each lane may have read another rank */
            snprintf(several, sizeof several, "ranks that do not exist: lane %u of ", e->lane);
        snprintf(f->message, sizeof f->message,
                 "%s of block %u %s shared memory of %srank %" PRId64
                 ", but its cluster has %u block%s, and ranks start at 0",
                 who, e->where->block, verb, several, e->offset, e->where->launch->cluster_blocks,
                 e->where->launch->cluster_blocks == 1 ? "" : "s");
        break;
    case SIM_FAULT_NULL:
        if (e->address)
            snprintf(f->message, sizeof f->message,
                     "%s %s %u bytes at address %" PRIu64 ": a null pointer with an index", who, verb, e->bytes,
                     e->address);
        else
            snprintf(f->message, sizeof f->message, "%s %s %u bytes through a null pointer", who, verb, e->bytes);
        break;
    case SIM_FAULT_MISALIGNED:
        snprintf(f->message, sizeof f->message,
                 "%s %s %u bytes in one access at byte %" PRId64 " of %s: its address is not a multiple of %u", who,
                 verb, e->bytes, f->offset, f->object[0] ? f->object : "memory", e->bytes);
        break;
    case SIM_FAULT_READ_ONLY:
        snprintf(f->message, sizeof f->message, "%s %s %s, which is read-only", who, verb,
                 f->object[0] ? f->object : "read-only memory");
        break;
    default:                                           /* SIM_FAULT_SPACE */
        if (e->object && e->object->space == e->space) /* .shared::cta */
            snprintf(f->message, sizeof f->message,
                     "%s used an address in the shared memory of block %u as an address in that of its own block", who,
                     e->object->block);
        else
            snprintf(f->message, sizeof f->message, "%s used an address in %s memory as an address in %s memory", who,
                     e->object ? ptx_space_name(e->object->space) : "other", ptx_space_name(e->space));
    }
}

static void fault(void *self, const struct sim_fault *e) {
    /* cost of a fault in measurement.looks, because each lane's address is looked up */
    enum { FAULT_LOOKS = 512 };
    struct measurement *m = self;
    m->looks += FAULT_LOOKS;
    if (finding_is_freed(e)) return; /* reported by heap.c */
    struct finding f = {
        .at = finding_site(e->where, e->pc, e->lanes), .other.pc = UINT32_MAX, .bytes = e->bytes, .offset = e->offset};
    struct missed missed = {NULL};
    switch (e->kind) {
    case SIM_FAULT_BOUNDS: f.kind = &kinds[OUT_OF_BOUNDS], missed = what_it_missed(&f, e); break;
    case SIM_FAULT_RANK:
        f.kind = &kinds[OUT_OF_BOUNDS], f.offset = 0;
        snprintf(f.object, sizeof f.object, "shared memory");
        break;
    case SIM_FAULT_NULL: f.kind = &kinds[NULL_ACCESS]; break;
    case SIM_FAULT_MISALIGNED: f.kind = &kinds[MISALIGNED], name_object(&f, e); break;
    case SIM_FAULT_READ_ONLY: f.kind = &kinds[READ_ONLY], name_object(&f, e); break;
    case SIM_FAULT_SPACE: f.kind = &kinds[WRONG_SPACE], name_object(&f, e); break;
    default: return;
    }
    if (finding_recurs(&m->findings, &f)) return;
    report(&f, e, &missed, measure_taught(m));
    finding_add(&m->findings, &f);
}

static void finish(void *self, struct measurement *m) { (void)self, (void)m; }

static const struct sim_probe callbacks = {.name = "bounds", .fault = fault};
const struct probe_row probe_bounds = {
    .name = "bounds",
    .question = "is an access out of bounds?",
    .part_of = MEASURE_MEMORY | MEASURE_FAULTS,
    .callbacks = &callbacks,
    .create = create,
    .finish = finish,
    .findings = kinds,
};
