/* Tracks the order of work in streams, events and the host.
 *
 * Work is numbered within each stream. A vector clock contains, for each stream, the number up to which work is
 * known to be complete. Each stream has the clock of its next work; each event and the host have clocks, too. Work
 * that the host does not know to be complete is kept with the memory that it accessed. New work is concurrent with
 * kept work that its clock does not include. A finding is reported if one of the two writes memory that the other
 * accesses. The simulator itself executes all work synchronously. */
#include "base/array.h"
#include "base/reserve.h"
#include "exec/serve.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STREAMS = 256, MAX_KEPT = 4096, MAX_TOUCHED = 48, NON_BLOCKING = 1, DISABLE_TIMING = 2 };
enum { STREAM_BASE = 0x10000, EVENT_BASE = 0x8000000, STEP = 16, LEGACY = 1, PER_THREAD = 2 };
struct clock {
    uint64_t over[MAX_STREAMS];
};
struct stream {
    bool live, blocking, branch; /* branch: whether the stream is for a branch of a graph */
    uint64_t count;
    struct clock clock; /* clock of the stream's next work */
    double ends;        /* modeled end of the stream's work, in nanoseconds */
};
struct event {
    bool live, recorded, untimed;
    struct clock clock;
    double at;
};
struct piece {
    unsigned stream;
    bool branch;
    uint64_t number;
    char what[128];
    struct exec_site at;
    struct exec_access touched[MAX_TOUCHED];
    unsigned count;
};
struct exec_order {
    struct stream stream[MAX_STREAMS];
    unsigned streams;
    struct event **event;
    unsigned events, events_room;
    struct clock host;
    double now; /* modeled time of the host, in nanoseconds */
    struct piece *kept;
    unsigned kept_count, kept_room;
};

struct exec_order *exec_order_new(void) {
    struct exec_order *o = calloc(1, sizeof *o);
    if (o) o->streams = 1, o->stream[0].live = true, o->stream[0].blocking = true;
    return o;
}
static void free_accesses(struct exec_access *a, unsigned count) {
    for (unsigned k = 0; k < count; k++)
        if (a[k].owns) reserve_free(a[k].cells, a[k].cell_count);
}
void exec_order_free(struct exec_order *o) {
    for (unsigned k = 0; o && k < o->events; k++) free(o->event[k]);
    for (unsigned k = 0; o && k < o->kept_count; k++) free_accesses(o->kept[k].touched, o->kept[k].count);
    if (o) free(o->event), free(o->kept);
    free(o);
}

/* ---- handles -------------------------------------------------------------------------------- */
static unsigned stream_number(const struct exec_order *o, uint64_t handle) {
    if (handle <= PER_THREAD) return 0;
    const uint64_t k = (handle - STREAM_BASE) / STEP;
    return handle >= STREAM_BASE && handle % STEP == 0 && k < o->streams && o->stream[k].live ? (unsigned)k
                                                                                              : UINT32_MAX;
}
static struct event *event_of(const struct exec_order *o, uint64_t handle) {
    const uint64_t k = (handle - EVENT_BASE) / STEP;
    return handle >= EVENT_BASE && handle % STEP == 0 && k < o->events && o->event[k]->live ? o->event[k] : NULL;
}
bool exec_stream_known(const struct exec_session *s, uint64_t stream) {
    return stream_number(s->order, stream) != UINT32_MAX;
}
uint64_t exec_stream_new(struct exec_session *s, unsigned flags) {
    struct exec_order *o = s->order;
    unsigned k = 1;
    while (k < o->streams && o->stream[k].live) k++;
    if (k == MAX_STREAMS) return 0;
    if (k == o->streams) o->streams++;
    const uint64_t count = o->stream[k].count; /* continue the numbering of the slot's earlier stream */
    o->stream[k] = (struct stream){.live = true, .blocking = !(flags & NON_BLOCKING), .count = count, .ends = o->now};
    o->stream[k].branch = flags == EXEC_BRANCH;
    o->stream[k].clock = o->host, o->stream[k].clock.over[k] = count;
    return STREAM_BASE + (uint64_t)k * STEP;
}
uint64_t exec_event_new(struct exec_session *s, unsigned flags) {
    struct exec_order *o = s->order;
    struct event **all = array_room(o->event, o->events + 1, &o->events_room, sizeof *all);
    struct event *e = calloc(1, sizeof *e);
    if (all) o->event = all;
    if (!all || !e) return free(e), 0;
    e->live = true, e->untimed = flags & DISABLE_TIMING, o->event[o->events] = e;
    return EVENT_BASE + (uint64_t)o->events++ * STEP;
}
int exec_handle_forget(struct exec_session *s, uint64_t handle) {
    struct event *e = event_of(s->order, handle);
    const unsigned k = stream_number(s->order, handle);
    if (e) return e->live = false, ERROR_NONE;
    if (!k || k == UINT32_MAX) return ERROR_HANDLE;
    return s->order->stream[k].live = false, ERROR_NONE; /* the stream's work continues */
}

/* ---- clocks --------------------------------------------------------------------------------- */
static void join(struct clock *to, const struct clock *from) {
    for (unsigned k = 0; k < MAX_STREAMS; k++)
        if (from->over[k] > to->over[k]) to->over[k] = from->over[k];
}
static bool includes(const struct clock *have, const struct clock *all) {
    for (unsigned k = 0; k < MAX_STREAMS; k++)
        if (have->over[k] < all->over[k]) return false;
    return true;
}
/* Returns the clock at the end of all work that has been added to the stream. */
static struct clock whole(const struct exec_order *o, unsigned k) {
    struct clock c = o->stream[k].clock;
    c.over[k] = o->stream[k].count;
    return c;
}
/* Starts the stream's next work. It follows the work that the host knows to be complete and, unless the stream is
 * non-blocking, the default stream's work. Work in the default stream follows that of all blocking streams. */
static void begin(struct exec_order *o, unsigned k) {
    struct stream *t = &o->stream[k];
    join(&t->clock, &o->host);
    t->clock.over[k] = t->count;
    if (t->ends < o->now) t->ends = o->now;
    for (unsigned n = 0; t->blocking && n < o->streams; n++) {
        if (n == k || !o->stream[n].blocking || (k && n)) continue;
        const struct clock c = whole(o, n);
        join(&t->clock, &c);
        if (t->ends < o->stream[n].ends) t->ends = o->stream[n].ends;
    }
}
static void forget_over(struct exec_order *o) {
    unsigned left = 0;
    for (unsigned k = 0; k < o->kept_count; k++)
        if (o->kept[k].number > o->host.over[o->kept[k].stream]) {
            if (left != k) o->kept[left] = o->kept[k];
            left++;
        } else
            free_accesses(o->kept[k].touched, o->kept[k].count);
    o->kept_count = left;
}

/* ---- work ----------------------------------------------------------------------------------- */
static const char *stream_text(const struct piece *w, char *out, size_t size) {
    if (w->branch)
        snprintf(out, size, "a branch of a graph");
    else if (w->stream)
        snprintf(out, size, "stream %u", w->stream);
    else
        snprintf(out, size, "the default stream");
    return out;
}
static const char *verb(const struct piece *w, unsigned how) {
    const bool call = w->what[0] != '`';
    if (call && strstr(w->what, "Alloc")) return "allocates";
    if (call && strstr(w->what, "Free")) return "frees";
    return how == EXEC_READS ? "reads" : "writes";
}
static void tell_race(struct exec_session *s, const struct piece *a, const struct piece *b, const struct exec_access *x,
                      const struct exec_access *y, uint64_t first_byte, uint64_t bytes) {
    char at[320], first[40], second[40];
    const struct exec_object *o = exec_find(s, first_byte);
    const bool nodes = a->branch && b->branch;
    exec_add_finding(
        s, nodes ? HOST_GRAPH_RACE : HOST_STREAM_RACE, &b->at,
        "%s in %s %s %" PRIu64 " bytes of `%s` that %s%s in %s %s: nothing orders the two. %s", b->what,
        stream_text(b, second, sizeof second), verb(b, y->how), bytes, o ? o->name : "memory", a->what,
        exec_at(&a->at, at, sizeof at), stream_text(a, first, sizeof first), verb(a, x->how),
        nodes ? "Make the first node a predecessor of the other. In a capture, record an event after the first "
                "and make the other stream wait for it."
              : "Put both into the same stream, or record an event after the first and make the other stream wait "
                "for it with cudaStreamWaitEvent().");
}
static void tell_overlap(struct exec_session *s, const struct piece *a, const struct piece *b,
                         const struct exec_access *x, const struct exec_access *y, uint64_t first_byte,
                         uint64_t bytes) {
    char at[320];
    const struct exec_object *o = exec_find(s, first_byte);
    exec_add_finding(
        s, HOST_OVERLAP, &b->at,
        "%s %s %" PRIu64 " bytes of `%s` that %s%s %s: programmaticStreamSerializationAllowed lets the launch start "
        "before the previous kernel of the stream has ended. Call cudaGridDependencySynchronize() in the kernel "
        "before these accesses.",
        b->what, verb(b, y->how), bytes, o ? o->name : "memory", a->what, exec_at(&a->at, at, sizeof at),
        verb(a, x->how));
}
/* early: only accesses before the launch waited for the end of the previous launch */
static bool touches(const struct exec_access *a, uint64_t address, bool early) {
    return !a->cells || (a->cells[(address - a->base) / EXEC_CELL] >> (early ? EXEC_EARLY : 0) & a->how);
}
/* Returns whether two accesses conflict. Two reads do not conflict, nor do two atomics. */
static bool disturb(unsigned x, unsigned y) {
    return (x | y) & EXEC_WRITES || ((x | y) & EXEC_UPDATES && (x | y) & EXEC_READS);
}
/* `overlaps`: b follows a in the same stream, but may start before a has ended. */
static void compare(struct exec_session *s, const struct piece *a, const struct piece *b, bool overlaps) {
    for (unsigned i = 0; i < a->count; i++)
        for (unsigned j = 0; j < b->count; j++) {
            const struct exec_access *x = &a->touched[i], *y = &b->touched[j];
            const uint64_t begin = x->begin > y->begin ? x->begin : y->begin, end = x->end < y->end ? x->end : y->end;
            if (begin >= end || !disturb(x->how, y->how) || (overlaps && !y->cells)) continue;
            uint64_t bytes = x->cells || y->cells ? 0 : end - begin, first = begin;
            for (uint64_t at = begin; (x->cells || y->cells) && at < end; at += EXEC_CELL)
                if (touches(x, at, false) && touches(y, at, overlaps)) first = bytes ? first : at, bytes += EXEC_CELL;
            if (!bytes) continue;
            (overlaps ? tell_overlap : tell_race)(s, a, b, x, y, first, bytes);
            return;
        }
}
bool exec_several_streams(const struct exec_session *s) { return s->order->streams > 1; }
void exec_work(struct exec_session *s, uint64_t stream, const char *what, struct exec_access *a, unsigned count,
               double nanoseconds, bool overlaps) {
    struct exec_order *o = s->order;
    const unsigned k = stream_number(o, stream);
    if (k == UINT32_MAX) return free_accesses(a, count);
    struct stream *t = &o->stream[k];
    struct piece w = {
        .stream = k, .branch = t->branch, .at = *exec_here(s), .count = count < MAX_TOUCHED ? count : MAX_TOUCHED};
    begin(o, k);
    w.number = ++t->count, t->ends += nanoseconds;
    snprintf(w.what, sizeof w.what, "%.110s%s", what, strchr(what, '`') ? "" : "()");
    memcpy(w.touched, a, w.count * sizeof *a);
    free_accesses(a + w.count, count - w.count);
    for (unsigned n = 0; n < o->kept_count; n++) {
        const struct piece *p = &o->kept[n];
        const bool last = p->stream == k && p->number + 1 == w.number && p->what[0] == '`';
        if (last ? overlaps : p->number > t->clock.over[p->stream] && p->stream != k) compare(s, p, &w, last);
    }
    t->clock.over[k] = t->count;
    struct piece *all =
        o->kept_count < MAX_KEPT ? array_room(o->kept, o->kept_count + 1, &o->kept_room, sizeof *all) : NULL;
    if (!all) return free_accesses(w.touched, w.count);
    o->kept = all, o->kept[o->kept_count++] = w;
}
int exec_record(struct exec_session *s, uint64_t event, uint64_t stream) {
    struct event *e = event_of(s->order, event);
    const unsigned k = stream_number(s->order, stream);
    if (!e || k == UINT32_MAX) return ERROR_HANDLE;
    s->timed |= !e->untimed;
    begin(s->order, k);
    e->clock = whole(s->order, k), e->recorded = true, e->at = s->order->stream[k].ends;
    return ERROR_NONE;
}
int exec_wait(struct exec_session *s, uint64_t event, uint64_t stream) {
    const struct event *e = event_of(s->order, event);
    const unsigned k = stream_number(s->order, stream);
    if (!e || k == UINT32_MAX) return ERROR_HANDLE;
    struct stream *t = &s->order->stream[k];
    if (e->recorded) join(&t->clock, &e->clock);
    if (e->recorded && t->ends < e->at) t->ends = e->at;
    return ERROR_NONE;
}
int exec_finish(struct exec_session *s, uint64_t handle, struct exec_reply *r) {
    struct exec_order *o = s->order;
    const struct event *e = event_of(o, handle);
    for (unsigned k = 0; handle == EXEC_ALL && k < o->streams; k++) {
        const struct clock c = whole(o, k);
        join(&o->host, &c);
        if (o->now < o->stream[k].ends) o->now = o->stream[k].ends;
    }
    if (e && e->recorded) join(&o->host, &e->clock), o->now = o->now < e->at ? e->at : o->now;
    if (!e && handle != EXEC_ALL) {
        const unsigned k = stream_number(o, handle);
        if (k == UINT32_MAX) return ERROR_HANDLE;
        begin(o, k);
        const struct clock c = whole(o, k);
        join(&o->host, &c);
        if (o->now < o->stream[k].ends) o->now = o->stream[k].ends;
    }
    forget_over(o);
    exec_pending(s, r, true);
    return ERROR_NONE;
}
int exec_elapsed(struct exec_session *s, uint64_t a, uint64_t b, uint64_t *nanoseconds) {
    const struct event *x = event_of(s->order, a), *y = event_of(s->order, b);
    if (!x || !y || !x->recorded || !y->recorded || x->untimed || y->untimed) return ERROR_HANDLE;
    if (!includes(&s->order->host, &x->clock) || !includes(&s->order->host, &y->clock))
        exec_add_finding(s, HOST_EVENT_EARLY, NULL,
                         "The host asks for the time between two events, but has not waited for the later one. On a "
                         "GPU, the call can return cudaErrorNotReady and set no time. Call cudaEventSynchronize() "
                         "first.");
    *nanoseconds = y->at > x->at ? (uint64_t)(y->at - x->at + 0.5) : 0;
    return ERROR_NONE;
}

/* ---- the host ------------------------------------------------------------------------------- */
static bool is_shared(const struct exec_access *a) {
    return a->begin >= EXEC_SHARED_BASE && a->begin < EXEC_SHARED_END;
}
void exec_pending(struct exec_session *s, struct exec_reply *r, bool reset) {
    const struct exec_order *o = s->order;
    r->head.reset |= reset;
    /* without `reset`, the library still has the ranges of earlier work */
    const unsigned first = reset || !o->kept_count ? 0 : o->kept_count - 1;
    for (unsigned k = first; k < o->kept_count; k++)
        for (unsigned n = 0; n < o->kept[k].count; n++) {
            const struct exec_access *a = &o->kept[k].touched[n];
            struct exec_range *all =
                is_shared(a) ? array_room(r->range, r->head.ranges + 1, &r->range_room, sizeof *all) : NULL;
            if (!all) continue;
            r->range = all;
            r->range[r->head.ranges++] = (struct exec_range){a->begin, a->end - a->begin, a->how != EXEC_READS};
        }
}
bool exec_host_touches(struct exec_session *s, uint64_t address, bool writes) {
    const struct exec_order *o = s->order;
    char at[320], stream[40];
    for (unsigned k = 0; k < o->kept_count; k++)
        for (unsigned n = 0; n < o->kept[k].count; n++) {
            const struct piece *w = &o->kept[k];
            const struct exec_access *a = &w->touched[n];
            if (address < a->begin || address >= a->end || !touches(a, address, false)) continue;
            if (a->how == EXEC_READS && !writes) continue;
            const struct exec_object *object = exec_find(s, address);
            exec_add_finding(s, HOST_TOO_EARLY, NULL,
                             "The host %s `%s`, byte %" PRIu64
                             ", which %s%s in %s %s, and the host has not waited for this work. Call "
                             "cudaDeviceSynchronize() or cudaStreamSynchronize() first.",
                             writes ? "writes" : "reads", object ? object->name : "memory",
                             object ? address - object->address : 0, w->what, exec_at(&w->at, at, sizeof at),
                             stream_text(w, stream, sizeof stream), verb(w, a->how));
            return true;
        }
    return false;
}
