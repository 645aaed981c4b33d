/* Reports barriers in divergent code or after some threads have exited, warps that wait at different barriers, and
 * deadlocks. Also reports blocks that wait for others that have not started, warp-wide calls with a wrong mask or
 * source lane, and launches that the simulator stops. */
#include "probes/probe.h"

#include <stdarg.h>
#include <stdio.h>

/* ---- findings ------------------------------------------------------------------------------------------------- */

enum {
    DEADLOCK,
    BUDGET,
    RESIDENCY,
    TRAP,
    STACK,
    BARRIER_DIVERGENCE,
    BARRIER_EXITED,
    BARRIER_MISMATCH,
    SYNC_MISSING_LANE,
    SYNC_MASK,
    SHUFFLE_LANE
};
static const struct finding_kind kinds[] = {
    [DEADLOCK] = {.key = "deadlock",
                  .title = "deadlock",
                  .explanation =
                      "No thread passes a barrier before all live threads of the block have reached it. In this run, "
                      "some threads wait at a barrier that other threads never reach. The others took another branch, "
                      "wait at another barrier, or wait in a loop for a value that one of the waiting threads would "
                      "write. Follow the branches from the reported line: every thread of the block must reach the "
                      "same barriers, even a thread without an element.",
                  .rank = 0},
    [BUDGET] =
        {.key = "runaway",
         .title = "kernel does not end, or does too much work",
         .explanation =
             "There are two cases. In the first, the threads wait for values that no thread will write, or repeat the "
             "same accesses forever. In the second, the launch used up its instruction budget, which is far more than "
             "a "
             "correct solution needs: a loop does not end, or every thread does the work of all threads. Usually the "
             "loop variable does "
             "not change (stride *= 2 from 0 stays 0) or changes in the wrong direction. It may also be unsigned and "
             "compared with >= 0, which is always true: an unsigned stride of 0 stays 0 when it is halved.",
         .rank = 110, /* after out-of-bounds accesses, which may cause this finding */
         .runs_out = true},
    [RESIDENCY] =
        {.key = "residency",
         .title = "block waits for another block",
         .explanation =
             "The blocks of an ordinary launch start in any order, and nothing guarantees that two of them "
             "ever run at the same time, because a block may have to wait until another one has ended. A block "
             "that waits in a loop for another block (at a flag, a counter, or a barrier across all blocks) may "
             "wait forever with more blocks, on a smaller GPU, or while another kernel runs. Only a "
             "cooperative launch (cudaLaunchCooperativeKernel) runs all blocks at the same time, and it fails if "
             "they do not fit. Waiting for a lock is fine, because the block that holds it is running.",
         .rank = 390},
    [TRAP] = {.key = "trap",
              .title = "kernel aborted",
              .explanation =
                  "A thread executed __trap(), failed an assert, named an invalid barrier, or called an invalid "
                  "function pointer. On a GPU, the launch ends without a result, and every later call fails, too.",
              .rank = 10},
    [STACK] = {.key = "stack-overflow",
               .title = "call stack exhausted",
               .explanation = "Each nested call takes stack memory for each thread, and a GPU has little stack memory. "
                              "A loop over strides computes the same result without recursion.",
               .rank = 20},
    [BARRIER_DIVERGENCE] = {.key = "barrier-divergence",
                            .title = "barrier that only some threads reach",
                            .explanation =
                                "Threads took different branches, and only some of them reached __syncthreads(). The "
                                "result is undefined: GPUs have hung, continued too early, or counted threads "
                                "twice. Put only the work, not the barrier, into the branch.",
                            .rank = 130,
                            .drawing = DRAW_BARRIER},
    [BARRIER_EXITED] =
        {.key = "barrier-after-exit",
         .title = "barrier after some threads have left the kernel",
         .explanation = "Some threads left the kernel without reaching __syncthreads(), because of a return or of a "
                        "branch around it. Since compute capability 7.0, a barrier waits only for threads that "
                        "have not exited, so the barrier completes, and the finding costs no points. But the "
                        "barrier now depends on all code that follows the branch, and may hang on older GPUs: let "
                        "all threads reach each barrier.",
         .rank = 385,
         .severity = FINDING_NOTE,
         .drawing = DRAW_BARRIER},
    [BARRIER_MISMATCH] = {.key = "barrier-mismatch",
                          .title = "threads meet at different barriers",
                          .explanation =
                              "Threads that wait at different lines completed one barrier together. The hardware "
                              "counts arrivals and ignores the line, so it releases all waiting threads, although some "
                              "have not executed the code before the other line. All threads must execute "
                              "the same barriers, in the same order and the same number of times.",
                          .rank = 150},
    [SYNC_MISSING_LANE] =
        {.key = "sync-missing-lane",
         .title = "lanes named by the mask do not arrive",
         .explanation = "A call with a mask of lanes waits for every lane that the mask names, except exited ones. "
                        "A lane that took another branch does not arrive. The mask only states which lanes will "
                        "arrive; it does not make them arrive. 0xffffffff is right only where all 32 lanes execute the "
                        "line.",
         .rank = 160,
         .drawing = DRAW_BARRIER},
    [SYNC_MASK] = {.key = "sync-mask",
                   .title = "mask without the calling lane",
                   .explanation = "If a call has a mask of lanes, the mask must include the calling lane; "
                                  "otherwise the result is undefined. Compute the mask from the condition that "
                                  "determines which lanes arrive, or let all lanes execute the call with 0xffffffff.",
                   .rank = 190},
    [SHUFFLE_LANE] =
        {.key = "shuffle-inactive-lane",
         .title = "shuffle reads a lane that does not execute it",
         .explanation =
             "A shuffle reads another lane's register. If that lane does not execute the same shuffle, it supplies no "
             "value, and the result is undefined. Usually the shuffle is in a branch that only the receiving lanes "
             "take. Move it out of the branch: the other lanes then compute a value that is never used.",
         .rank = 200},
    [SHUFFLE_LANE + 1] = {NULL},
};

#define MAX_WAITING 64

/* An instruction and its call stack. */
struct place {
    uint32_t pc, call;
};
static const struct place nowhere = {UINT32_MAX, 0};

/* A barrier for whole warps at which only some lanes of a warp have arrived. */
struct partial {
    struct place place;
    uint32_t arrived, live, id;
    bool aligned, reported;
};
struct slot_barriers {
    struct partial warp[SIM_MAX_WARPS];
    uint32_t parts;                        /* mask of warps of which only some lanes have arrived */
    uint32_t parted[SIM_MAX_WARPS];        /* lanes of divergent branches that join only at the kernel's end */
    uint32_t excused[SIM_MAX_WARPS];       /* lanes of `parted` without which a barrier completed */
    struct partial without[SIM_MAX_WARPS]; /* the barrier that did not wait for the excused lanes */
    uint32_t left[SIM_MAX_WARPS];          /* lanes that have exited */
    struct place from[SIM_MAX_WARPS];      /* the first divergent branch that added lanes to `parted` */
};

/* Lanes of a warp that wait forever. */
struct waiting {
    struct place place;
    uint32_t warp, lanes;
};

struct barriers_probe {
    struct measurement *m;
    struct probe_slots slots;
    struct waiting waiting[MAX_WAITING];
    unsigned waiting_count;
    struct sim_where stuck; /* the block in a deadlock */
};

static void *create(struct measurement *m) {
    struct barriers_probe *p = probe_alloc(1, sizeof *p);
    p->m = m;
    return p;
}

static void clear(struct slot_barriers *s, uint32_t warp) {
    s->warp[warp] = (struct partial){.place = nowhere};
    s->parts &= ~(1u << warp);
}

static void block_begin(void *self, const struct sim_block_event *e) {
    struct barriers_probe *p = self;
    struct slot_barriers *s = probe_slot_make(&p->slots, e->where->slot, sizeof *s);
    for (unsigned w = 0; w < SIM_MAX_WARPS; w++) {
        clear(s, w);
        s->parted[w] = s->excused[w] = s->left[w] = 0, s->from[w] = nowhere;
    }
}

static bool ends_threads(const struct ptx_insn *i) {
    const enum ptx_flow flow = ptx_traits_of(i)->flow;
    return flow == PTX_FLOW_RETURN || flow == PTX_FLOW_EXIT;
}
/* Records the lanes of a divergent branch, such as an early return, that joins only at the kernel's end. The lanes that
 * return may exit only after the others have continued. */
static void branch(void *self, const struct sim_branch *e) {
    struct barriers_probe *p = self;
    struct slot_barriers *s = probe_slot(&p->slots, e->where->slot);
    const struct ptx_insn *join = e->join < e->where->launch->code_count ? e->where->launch->code[e->join] : NULL;
    if (!s || (join && !(ends_threads(join) && join->guard == PTX_NO_REG))) return;
    s->parted[e->where->warp] |= e->mask;
    if (s->from[e->where->warp].pc == UINT32_MAX) s->from[e->where->warp] = (struct place){e->pc, e->where->call};
}
static void left(void *self, const struct sim_exit *e) {
    struct barriers_probe *p = self;
    struct slot_barriers *s = probe_slot(&p->slots, e->where->slot);
    if (s) s->left[e->where->warp] |= e->mask;
}

/* ---- barriers of the block ------------------------------------------------------------------------------- */

static struct finding_site site_of(const struct sim_where *where, uint32_t warp, struct place at, uint32_t lanes) {
    struct sim_where there = *where;
    there.warp = warp, there.call = at.call;
    return finding_site(&there, at.pc, lanes);
}

static void line_of(const struct sim_where *where, struct place at, char *out, size_t size) {
    struct finding_site site = site_of(where, 0, at, 0);
    if (site.line)
        snprintf(out, size, "line %u", site.line);
    else
        snprintf(out, size, "instruction %u", at.pc);
}

static bool same_line(const struct sim_where *where, struct place a, struct place b) {
    if (a.pc == b.pc && a.call == b.call) return true;
    struct finding_site x = site_of(where, 0, a, 0), y = site_of(where, 0, b, 0);
    return x.line && x.line == y.line && x.file == y.file;
}

static void append(char *out, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void append(char *out, size_t size, const char *format, ...) {
    size_t used = strlen(out);
    va_list args;
    va_start(args, format);
    if (used < size) vsnprintf(out + used, size - used, format, args);
    va_end(args);
}

/* A set of threads of a block: the lanes of each warp. */
struct thread_set {
    uint32_t lanes[SIM_MAX_WARPS];
};
static bool is_one(const struct thread_set *c) {
    unsigned count = 0;
    for (unsigned w = 0; w < SIM_MAX_WARPS; w++) count += (unsigned)__builtin_popcount(c->lanes[w]);
    return count == 1;
}
static bool is_empty(const struct thread_set *c) {
    uint32_t any = 0;
    for (unsigned w = 0; w < SIM_MAX_WARPS; w++) any |= c->lanes[w];
    return !any;
}
/* Appends text such as "threads 0-15 wait" or "thread 3 waits". */
static void say(struct finding *f, const struct thread_set *c, const char *verb, const char *verb_of_one) {
    char list[96];
    const bool one = is_one(c);
    append(f->message, sizeof f->message, "%sthread%s %s %s", f->message[0] ? "; " : "", one ? "" : "s",
           finding_threads(c->lanes, SIM_MAX_WARPS, list, sizeof list), one ? verb_of_one : verb);
}
static void say_wait(struct finding *f, const struct sim_where *where, const struct thread_set *c, struct place at) {
    char line[40];
    line_of(where, at, line, sizeof line);
    say(f, c, "wait", "waits");
    append(f->message, sizeof f->message, " at %s", line);
}
/* Appends the threads that never arrive at the barrier: they left the kernel before it, passed it on another path and
 * exited later, or continue elsewhere. */
static void say_missing(struct finding *f, const struct slot_barriers *s, const struct sim_where *where,
                        const struct thread_set *c) {
    struct thread_set ended = {0}, skipped = {0}, others = {0};
    struct place from = nowhere;
    char line[40];
    for (unsigned w = 0; w < SIM_MAX_WARPS; w++) {
        const uint32_t left = c->lanes[w] & s->left[w],
                       past = f->kind == &kinds[BARRIER_DIVERGENCE] ? left & ~s->parted[w] : 0;
        ended.lanes[w] = left & ~past, skipped.lanes[w] = past, others.lanes[w] = c->lanes[w] & ~s->left[w];
        if (ended.lanes[w] && from.pc == UINT32_MAX) from = s->from[w];
    }
    if (!is_empty(&ended)) {
        say(f, &ended, "never arrive: they have exited the kernel", "never arrives: it has exited the kernel");
        if (from.pc != UINT32_MAX) line_of(where, from, line, sizeof line);
        if (from.pc != UINT32_MAX) append(f->message, sizeof f->message, " at %s", line);
    }
    if (!is_empty(&skipped))
        say(f, &skipped, "never arrive: they took a path around the barrier and exited the kernel",
            "never arrives: it took a path around the barrier and exited the kernel");
    if (!is_empty(&others)) say(f, &others, "do not arrive there", "does not arrive there");
}

static struct thread_set crowd_of(uint32_t warp, uint32_t lanes) {
    struct thread_set c = {0};
    c.lanes[warp] = lanes;
    return c;
}
/* Reports that the lanes `others` of a warp wait at a different instruction than those of *part. */
static void report_parts(struct barriers_probe *p, const struct sim_where *where, uint32_t warp, struct partial *part,
                         struct place other, uint32_t others) {
    if (part->reported) return;
    part->reported = true;
    struct finding f = {.kind = &kinds[BARRIER_DIVERGENCE],
                        .at = site_of(where, warp, part->place, part->arrived),
                        .other = site_of(where, warp, other, others)};
    if (finding_recurs(&p->m->findings, &f)) return;
    const struct thread_set here = crowd_of(warp, part->arrived), there = crowd_of(warp, others);
    say_wait(&f, where, &here, part->place);
    say_wait(&f, where, &there, other);
    finding_add(&p->m->findings, &f);
}
static uint32_t launched(const struct sim_launch_info *launch, unsigned warp) {
    const uint32_t left = launch->threads - SIM_WARP * warp;
    return left < SIM_WARP ? (1u << left) - 1 : UINT32_MAX;
}
/* Reports a barrier at `place` that `lanes` of warp `of`, but not all threads of the block, have reached. The message
 * covers all warps of the block. */
static void report_partial(struct barriers_probe *p, const struct finding_kind *kind, const struct slot_barriers *s,
                           const struct sim_barrier *e, unsigned of, struct place place, uint32_t lanes) {
    struct thread_set here = {0}, missing = {0};
    struct finding f = {.kind = kind, .at = site_of(e->where, of, place, lanes), .other.pc = UINT32_MAX};
    if (finding_recurs(&p->m->findings, &f)) return;
    for (unsigned w = 0; w < e->where->launch->warps; w++) {
        const struct place at = {e->pc[w], e->call[w]};
        if (e->arrived[w] && same_line(e->where, at, place)) here.lanes[w] = e->arrived[w];
        if (!e->arrived[w] || here.lanes[w]) missing.lanes[w] = launched(e->where->launch, w) & ~here.lanes[w];
    }
    say_wait(&f, e->where, &here, place);
    say_missing(&f, s, e->where, &missing);
    finding_add(&p->m->findings, &f);
}

/* Returns whether parts of a warp may arrive at different lines. Only unaligned barriers with a thread count allow
 * this. Barriers of cooperative groups are unaligned, too, but all threads must execute the same call. */
static bool takes_parts(const struct sim_arrival *e) {
    const struct ptx_insn *i = e->where->launch->code[e->pc];
    return !e->aligned && !(i && e->waits && i->count == 1);
}
static __attribute__((noinline)) void look_at(struct barriers_probe *p, struct slot_barriers *s,
                                              const struct sim_arrival *e) {
    const uint32_t warp = e->where->warp, late = e->mask & s->excused[warp], live = e->where->live & ~s->excused[warp];
    struct partial *part = &s->warp[warp];
    const struct place here = {e->pc, e->where->call};
    if (takes_parts(e)) return;
    if (late) { /* an earlier barrier did not wait for these lanes, which have not exited */
        report_parts(p, e->where, warp, &s->without[warp], here, e->mask);
        s->excused[warp] &= ~late;
        return;
    }
    if (part->place.pc == UINT32_MAX) {
        if (e->mask == live) return;
        *part = (struct partial){here, e->mask, live, e->id, e->aligned, false};
        s->parts |= 1u << warp;
        return;
    }
    if (!same_line(e->where, part->place, here)) {
        report_parts(p, e->where, warp, part, here, e->mask);
        return;
    }
    part->arrived |= e->mask;
    if ((live & ~part->arrived) == 0) clear(s, warp);
}
static void arrival(void *self, const struct sim_arrival *e) {
    struct barriers_probe *p = self;
    struct slot_barriers *s = probe_slot(&p->slots, e->where->slot);
    if (!s) return;
    /* In nearly all arrivals, all live lanes of the warp arrive together. */
    const uint32_t warp = e->where->warp;
    if (e->mask != e->where->live || s->parts >> warp & 1 || s->excused[warp]) look_at(p, s, e);
}

/* Reports that whole warps wait at two different barriers. */
static void report_mismatch(struct barriers_probe *p, const struct sim_barrier *e, unsigned first, unsigned w) {
    const struct place a = {e->pc[first], e->call[first]}, b = {e->pc[w], e->call[w]};
    struct finding f = {.kind = &kinds[BARRIER_MISMATCH],
                        .at = site_of(e->where, w, b, e->arrived[w]),
                        .other = site_of(e->where, first, a, e->arrived[first])};
    /* Report the later place in the program, so that the order of the warps does not matter. */
    if (a.pc > b.pc || (a.pc == b.pc && f.other.line > f.at.line)) {
        struct finding_site t = f.at;
        f.at = f.other, f.other = t;
    }
    if (finding_recurs(&p->m->findings, &f)) return;
    const struct place place[2] = {f.at.warp == w ? b : a, f.at.warp == w ? a : b};
    for (unsigned k = 0; k < 2; k++) {
        struct thread_set threads = {0};
        for (unsigned n = 0; n < e->where->launch->warps; n++) {
            const struct place at = {e->pc[n], e->call[n]};
            if (e->arrived[n] && same_line(e->where, at, place[k])) threads.lanes[n] = e->arrived[n];
        }
        say_wait(&f, e->where, &threads, place[k]);
    }
    append(f.message, sizeof f.message, ": threads at both lines completed the same barrier");
    finding_add(&p->m->findings, &f);
}
static void barrier(void *self, const struct sim_barrier *e) {
    struct barriers_probe *p = self;
    struct slot_barriers *s = probe_slot(&p->slots, e->where->slot);
    if (!s) return;
    bool told[2] = {false, false}; /* told[true]: the missing lanes exited; told[false]: they did not */
    const unsigned warps = e->where->launch->warps;
    EACH_LANE (w, s->parts) {
        struct partial *part = &s->warp[w];
        if (!e->arrived[w] || part->id != e->id) continue;
        const uint32_t missing = part->live & ~part->arrived;
        const bool exits = !(missing & ~s->parted[w]) && (part->aligned || !e->whole_block);
        if (exits) s->excused[w] |= missing & ~s->left[w], s->without[w] = *part;
        if (exits && !e->whole_block) continue;
        if (!part->reported && !told[exits])
            report_partial(p, &kinds[exits ? BARRIER_EXITED : BARRIER_DIVERGENCE], s, e, w, part->place, part->arrived);
        told[exits] = true;
    }
    EACH_LANE (w, s->parts)
        if (e->arrived[w] && s->warp[w].id == e->id) clear(s, w);
    unsigned first = 0;
    while (first < warps && !e->arrived[first]) first++;
    bool absent = first > 0; /* whole warps have exited without reaching the barrier */
    for (unsigned w = first + 1; w < warps && !told[false] && e->whole_block; w++) {
        absent |= !e->arrived[w];
        if (!e->arrived[w] || (e->pc[w] == e->pc[first] && e->call[w] == e->call[first])) continue;
        const struct place a = {e->pc[first], e->call[first]}, b = {e->pc[w], e->call[w]};
        if (same_line(e->where, a, b)) continue;
        report_mismatch(p, e, first, w);
        return;
    }
    if (absent && e->whole_block && !told[false] && !told[true])
        report_partial(p, &kinds[BARRIER_EXITED], s, e, first, (struct place){e->pc[first], e->call[first]},
                       e->arrived[first]);
}

/* ---- deadlock: one finding that names all threads -------------------------------------------------------- */

static int by_place(const void *a, const void *b) {
    const struct waiting *x = a, *y = b;
    if (x->place.pc != y->place.pc) return x->place.pc < y->place.pc ? -1 : 1;
    if (x->place.call != y->place.call) return x->place.call < y->place.call ? -1 : 1;
    return x->warp < y->warp ? -1 : x->warp > y->warp;
}

/* Reports a deadlock, for example "threads 0-103 wait at line 14; threads 104-127 wait at line 20: no thread can
 * continue". */
static void report_deadlock(struct barriers_probe *p) {
    qsort(p->waiting, p->waiting_count, sizeof *p->waiting, by_place);
    struct finding f = {.kind = &kinds[DEADLOCK], .other.pc = UINT32_MAX};
    const struct sim_where *where = &p->stuck;
    const struct slot_barriers *s = probe_slot(&p->slots, where->slot);
    for (unsigned k = 0, n; k < p->waiting_count; k = n) {
        const struct waiting *w = &p->waiting[k];
        struct thread_set threads = {0};
        for (n = k; n < p->waiting_count && same_line(where, p->waiting[n].place, w->place); n++)
            threads.lanes[p->waiting[n].warp] |= p->waiting[n].lanes;
        const struct finding_site site = site_of(where, w->warp, w->place, w->lanes);
        if (k == 0)
            f.at = site;
        else if (f.other.pc == UINT32_MAX)
            f.other = site;
        say_wait(&f, where, &threads, w->place);
    }
    struct thread_set gone = {0};
    for (unsigned w = 0; s && w < where->launch->warps; w++) gone.lanes[w] = s->left[w];
    if (!is_empty(&gone)) say_missing(&f, s, where, &gone);
    if (where->launch->cluster_blocks > 1) append(f.message, sizeof f.message, ", in block %u", where->block);
    append(f.message, sizeof f.message, ": no thread can continue");
    finding_add(&p->m->findings, &f);
    p->waiting_count = 0;
}

/* Reports a deadlock of the block: all its waiting warps are known now. */
static void block_end(void *self, const struct sim_block_event *e) {
    struct barriers_probe *p = self;
    struct slot_barriers *s = probe_slot(&p->slots, e->where->slot);
    for (unsigned w = 0; s && w < SIM_MAX_WARPS; w++) clear(s, w);
    if (p->waiting_count) report_deadlock(p);
}

static void launch_end(void *self, const struct sim_launch_info *launch) {
    struct barriers_probe *p = self;
    (void)launch;
    if (p->waiting_count) report_deadlock(p);
}

/* ---- faults ---------------------------------------------------------------------------------------------- */

/* The faults that this probe reports: the kind of finding and, if it never varies, what the threads did. */
static const struct {
    const struct finding_kind *kind;
    const char *text;
} faults[] = {
    [SIM_FAULT_BUDGET] = {&kinds[BUDGET], NULL},
    [SIM_FAULT_RESIDENCY] = {&kinds[RESIDENCY], NULL},
    [SIM_FAULT_TRAP] = {&kinds[TRAP], NULL},
    [SIM_FAULT_STACK] = {&kinds[STACK], "exhausted the call stack with nested function calls"},
    [SIM_FAULT_CALL] = {&kinds[TRAP], "called a function through a pointer that does not point to a function, or "
                                      "jumped to a target that is not in the "
                                      "list of targets"},
    [SIM_FAULT_BARRIER_COUNT] = {&kinds[TRAP],
                                 "used a barrier with a number above 15, or with a thread count that is not a positive "
                                 "multiple of 32 or exceeds the block size"},
    [SIM_FAULT_SYNC_MASK] = {&kinds[SYNC_MASK], NULL},
    [SIM_FAULT_SYNC_MISSING] = {&kinds[SYNC_MISSING_LANE], NULL},
    [SIM_FAULT_SHUFFLE_LANE] = {&kinds[SHUFFLE_LANE], NULL},
};
static void waits(struct barriers_probe *p, const struct sim_fault *e) {
    if (p->waiting_count && p->stuck.block != e->where->block)
        report_deadlock(p); /* report the blocks in a cluster separately */
    p->stuck = *e->where;
    if (p->waiting_count < MAX_WAITING)
        p->waiting[p->waiting_count++] = (struct waiting){{e->pc, e->where->call}, e->where->warp, e->lanes};
}
static void report(struct finding *f, const struct sim_fault *e, struct place other, unsigned taught) {
    const struct sim_where *where = e->where;
    const char *plural = e->other_lanes & (e->other_lanes - 1) ? "s" : "";
    char who[96], others[96], line[40] = "", *to = f->message;
    enum { SIZE = sizeof f->message };
    finding_who(taught, where->warp, e->lanes, where->launched, who, sizeof who);
    finding_lanes(e->other_lanes, others, sizeof others);
    switch (e->kind) {
    case SIM_FAULT_BUDGET:
        if (!e->text)
            snprintf(to, SIZE, "%s of block %u still executed this line when the instruction budget was used up", who,
                     where->block);
        else
            snprintf(to, SIZE, "%s of block %u %s", who, where->block, e->text);
        break;
    case SIM_FAULT_RESIDENCY: snprintf(to, SIZE, "%s of block %u %s", who, where->block, e->text); break;
    case SIM_FAULT_TRAP:
        snprintf(to, SIZE, "%s stopped the kernel: %s%s", who, e->text ? e->text : "trap",
                 f->at.line ? "" : " (without a source line: compilers put a trap in place of undefined behavior)");
        break;
    case SIM_FAULT_SYNC_MASK:
        snprintf(to, SIZE, "%s executed a warp-wide call whose mask does not name %s", who,
                 e->lanes & (e->lanes - 1) ? "them" : "it");
        break;
    case SIM_FAULT_SYNC_MISSING:
        if (!e->text && other.pc != UINT32_MAX) line_of(where, other, line, sizeof line);
        if (e->text)
            snprintf(to, SIZE, "%s executed this line without lane%s %s, which exited or never ran: %s", who, plural,
                     others, e->text);
        else
            snprintf(to, SIZE, "%s waited here for lane%s %s of the mask, which %s%s", who, plural, others,
                     *line ? "waited at " : "never arrived", line);
        break;
    case SIM_FAULT_SHUFFLE_LANE:
        snprintf(to, SIZE,
                 "%s read the register of lane%s %s, which did not execute the shuffle: the value is undefined", who,
                 plural, others);
        break;
    default: snprintf(to, SIZE, "%s %s", who, faults[e->kind].text);
    }
}
static void fault(void *self, const struct sim_fault *e) {
    struct barriers_probe *p = self;
    if (e->kind == SIM_FAULT_DEADLOCK) return waits(p, e);
    const struct place other = {e->other_pc, e->other_call};
    if (e->kind >= sizeof faults / sizeof *faults || !faults[e->kind].kind) return; /* another probe reports it */
    struct finding f = {
        .kind = faults[e->kind].kind, .at = finding_site(e->where, e->pc, e->lanes), .other.pc = UINT32_MAX};
    if (e->kind == SIM_FAULT_SYNC_MISSING && other.pc != UINT32_MAX)
        f.other = site_of(e->where, e->where->warp, other, e->other_lanes);
    if (finding_recurs(&p->m->findings, &f)) return;
    report(&f, e, other, measure_taught(p->m));
    finding_add(&p->m->findings, &f);
}

static void finish(void *self, struct measurement *m) {
    struct barriers_probe *p = self;
    (void)m;
    probe_slots_free(&p->slots);
    free(p);
}

static const struct sim_probe callbacks = {.name = "barriers",
                                           .launch_end = launch_end,
                                           .block_begin = block_begin,
                                           .block_end = block_end,
                                           .branch = branch,
                                           .arrival = arrival,
                                           .barrier = barrier,
                                           .exit = left,
                                           .fault = fault};
const struct probe_row probe_barriers = {
    .name = "barriers",
    .question = "do the threads that should synchronize reach the same barrier?",
    .part_of = MEASURE_BARRIERS | MEASURE_FAULTS,
    .callbacks = &callbacks,
    .create = create,
    .finish = finish,
    .findings = kinds,
};
