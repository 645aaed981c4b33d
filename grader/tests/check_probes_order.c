/* Compares the race probe with two simple models, on random scripts. Each model has a vector clock per thread and a
 * list of all accesses. The strict model follows the rules of docs/metrics.md. The lenient model adds all exceptions
 * that make the probe more permissive. Every race that the probe reports must be a race in the strict model (no
 * false positives). The probe must report every race in the lenient model (no false negatives). */
/* run: plain */
/* reads: nothing */
#include "base/random.h"
#include "script.h"
#include "tests/suite.h"

enum {
    BLOCKS = 2,
    THREADS = 64,
    ALL = BLOCKS * THREADS,
    CELLS = 192,
    MAX_EVENTS = 4096,
    COMMANDS = 30,
    PROGRAMS = 600,
    CTA = 0,
    GPU = 1
};
enum { CELL_DATA = 64 * BLOCKS }; /* 64 cells of s for each block, followed by 64 cells of data */

typedef uint16_t clocks[ALL];
struct history {
    uint16_t thread, clock, cell, line;
    uint8_t kind;
    bool atomic, block_scope;
};
struct released {
    clocks knows;
    uint16_t cell, block;
    bool device_wide;
};
struct model {
    bool lenient;
    /* near: orders only accesses of the thread's own block; a fence for the whole GPU adds it to `knows` */
    clocks knows[ALL], near[ALL], pending[ALL], fenced[2][ALL], acquired[ALL];
    clocks meeting, meeting_near, meeting_fenced[2], meeting_acquired;
    unsigned released_count;
    struct released released[MAX_EVENTS];
};
static struct model models[2];
static struct history history[MAX_EVENTS];
static unsigned history_count;
static uint16_t own_clock[ALL];
static bool racing[2][COMMANDS + 1][COMMANDS + 1]; /* [m][later line][earlier line]: whether model m has this race; 0:
                                                      strict, 1: lenient */

static uint64_t random_state;
static unsigned draw(unsigned below) { return (unsigned)(random_next(&random_state) % below); }
static void join(clocks to, const clocks from) {
    for (unsigned k = 0; k < ALL; k++)
        if (from[k] > to[k]) to[k] = from[k];
}
static void join_block(clocks to, const clocks from, unsigned block) {
    for (unsigned k = block * THREADS; k < (block + 1) * THREADS; k++)
        if (from[k] > to[k]) to[k] = from[k];
}

/* ---- order ----------------------------------------------------------------------------------------------- */

/* From now on, the releases that the thread has observed order its own block's accesses. */
static void settle(struct model *m, unsigned t) {
    join(m->near[t], m->pending[t]), join_block(m->acquired[t], m->pending[t], t / THREADS);
    memset(m->pending[t], 0, sizeof(clocks));
}
/* Synchronizes the threads of a set: afterward, each knows everything that any of them knew. */
static void meet(struct model *m, const bool set[ALL]) {
    clocks knows = {0}, near = {0}, fenced[2] = {{0}}, acquired = {0};
    for (unsigned t = 0; t < ALL; t++) {
        if (!set[t]) continue;
        settle(m, t);
        join(knows, m->knows[t]), join(near, m->near[t]), join(acquired, m->acquired[t]);
        for (int s = 0; s < 2; s++) join(fenced[s], m->fenced[s][t]);
    }
    for (unsigned t = 0; t < ALL; t++) {
        if (!set[t]) continue;
        join(m->knows[t], knows), join(m->near[t], near), join(m->acquired[t], acquired);
        for (int s = 0; s < 2; s++) join(m->fenced[s][t], fenced[s]);
    }
}
static void arrive(struct model *m, const bool set[ALL]) {
    for (unsigned t = 0; t < ALL; t++) {
        if (!set[t]) continue;
        join(m->meeting, m->knows[t]), join(m->meeting_near, m->near[t]), join(m->meeting_near, m->pending[t]);
        join(m->meeting_acquired, m->acquired[t]), join_block(m->meeting_acquired, m->pending[t], t / THREADS);
        for (int s = 0; s < 2; s++) join(m->meeting_fenced[s], m->fenced[s][t]);
    }
}
static void complete(struct model *m, const bool set[ALL]) {
    for (unsigned t = 0; t < ALL; t++) {
        if (!set[t]) continue;
        join(m->knows[t], m->meeting), join(m->near[t], m->meeting_near), join(m->acquired[t], m->meeting_acquired);
        for (int s = 0; s < 2; s++) join(m->fenced[s][t], m->meeting_fenced[s]);
        memset(m->pending[t], 0, sizeof(clocks));
    }
    memset(m->meeting, 0, sizeof(clocks)), memset(m->meeting_near, 0, sizeof(clocks));
    memset(m->meeting_acquired, 0, sizeof(clocks));
    memset(m->meeting_fenced, 0, sizeof m->meeting_fenced);
}
static void fence(struct model *m, unsigned t, int scope) {
    settle(m, t);
    if (scope == GPU) join(m->knows[t], m->near[t]), join(m->acquired[t], m->near[t]);
    for (int s = 0; s <= scope; s++) join(m->fenced[s][t], m->knows[t]);
}
static bool empty(const clocks c) {
    for (unsigned k = 0; k < ALL; k++)
        if (c[k]) return false;
    return true;
}
static void acquire(struct model *m, unsigned t, unsigned cell, bool at_once) {
    for (unsigned k = 0; k < m->released_count; k++) {
        const struct released *r = &m->released[k];
        if (r->cell != cell || (!r->device_wide && r->block != t / THREADS)) continue;
        if (at_once)
            join(m->knows[t], r->knows), join(m->acquired[t], r->knows);
        else
            join(m->pending[t], r->knows);
    }
}
static void release(struct model *m, unsigned t, unsigned cell) {
    for (int s = 0; s < 2; s++) {
        if (empty(m->fenced[s][t])) continue;
        struct released *r = &m->released[m->released_count++];
        if (m->released_count >= MAX_EVENTS) ck_abort_msg("more than %d releases", MAX_EVENTS);
        *r = (struct released){.cell = (uint16_t)cell, .block = (uint16_t)(t / THREADS), .device_wide = s == GPU};
        memcpy(r->knows, m->fenced[s][t], sizeof(clocks));
        if (m->lenient) join(r->knows, m->acquired[t]);
    }
}

/* ---- accesses -------------------------------------------------------------------------------------------- */

static bool comes_before(const struct model *m, const struct history *h, unsigned t) {
    const bool near = h->thread / THREADS == t / THREADS && h->clock <= m->near[t][h->thread];
    return h->thread == t || near || h->clock <= m->knows[t][h->thread];
}

/* Returns whether access `index` is ordered before thread t's access. If access `index` is atomic, a later atomic
 * access of another instruction to the same cell may be ordered in its place. */
static bool ordered(const struct model *m, unsigned index, unsigned t) {
    const struct history *h = &history[index];
    if (comes_before(m, h, t)) return true;
    if (h->block_scope && h->thread / THREADS != t / THREADS) return false;
    for (unsigned k = index + 1; h->atomic && k < history_count; k++)
        if (history[k].cell == h->cell && history[k].line != h->line && history[k].atomic &&
            history[k].kind != SIM_LOAD &&
            (!history[k].block_scope || history[k].thread / THREADS == h->thread / THREADS) &&
            comes_before(m, &history[k], t))
            return true;
    return false;
}
/* Returns whether a later atomic access hides this one. Two atomic accesses may race only because of their scope. If
 * another atomic access lies between them, the probe may not see the first one. */
static bool hidden_by_atomic(unsigned index, bool atomic) {
    for (unsigned k = index + 1; atomic && history[index].atomic && k < history_count; k++)
        if (history[k].cell == history[index].cell && history[k].atomic && history[k].kind != SIM_LOAD) return true;
    return false;
}
static void look_for_races(unsigned t, unsigned cell, unsigned kind, bool atomic, bool block_scope, unsigned line) {
    for (unsigned k = 0; k < history_count; k++) {
        const struct history *h = &history[k];
        if (h->cell != cell || h->thread == t || (kind == SIM_LOAD && h->kind == SIM_LOAD)) continue;
        if (atomic && h->atomic && (h->thread / THREADS == t / THREADS || !(block_scope || h->block_scope))) continue;
        for (int m = 0; m < 2; m++)
            if (!ordered(&models[m], k, t) && !(m == 1 && hidden_by_atomic(k, atomic))) racing[m][line][h->line] = true;
    }
}

/* ---- random commands ------------------------------------------------------------------------------------- */

static char script[4000];
static size_t used;
#define SAY(...) used += (size_t)snprintf(script + used, sizeof script - used, __VA_ARGS__)

static void lanes_of(bool set[ALL], unsigned block, unsigned warp, unsigned low, unsigned high) {
    memset(set, 0, ALL * sizeof *set);
    for (unsigned l = low; l <= high; l++) set[block * THREADS + warp * 32 + l] = true;
}
static void random_lanes(unsigned *low, unsigned *high) {
    *low = 0, *high = 31;
    if (draw(3) == 0)
        *low = draw(32), *high = *low + draw(32 - *low);
    else if (draw(2))
        *low = *high = draw(4) * draw(9); /* lane 0 is drawn most often */
}
struct access {
    unsigned block, warp, low, high, kind, pattern, add;
    bool shared, vol, rel, acq, cta;
};

static void do_access(struct access a, unsigned line) {
    static const char *const patterns[] = {"+%u", "=%u", "^%u", "-%u", "*2+%u"}, *const kinds[] = {"ld", "st", "at"};
    char where[16];
    snprintf(where, sizeof where, patterns[a.pattern], a.add);
    SAY("%u.%u/%u-%u %s %s %s%s%s%s%s", a.block, a.warp, a.low, a.high, kinds[a.kind], a.shared ? "s" : "data", where,
        a.vol ? " vol" : "", a.rel ? " rel" : "", a.acq ? " acq" : "", a.cta ? " cta" : "");
    bool atomic = a.kind == SIM_ATOMIC || a.rel || a.acq || (a.vol && !a.shared);
    unsigned first = history_count;
    for (unsigned l = a.low; l <= a.high; l++) {
        unsigned t = a.block * THREADS + a.warp * 32 + l, at = (unsigned)element(where, l),
                 cell = a.shared ? a.block * 64 + at : CELL_DATA + at;
        look_for_races(t, cell, a.kind, atomic, a.cta, line); /* lanes of one instruction may race with each other */
        if (history_count >= MAX_EVENTS) ck_abort_msg("more than %d accesses", MAX_EVENTS);
        history[history_count++] = (struct history){(uint16_t)t,     ++own_clock[t], (uint16_t)cell, (uint16_t)line,
                                                    (uint8_t)a.kind, atomic,         a.cta};
        for (int m = 0; m < 2; m++) models[m].knows[t][t] = own_clock[t];
    }
    for (int m = 0; m < 2 && atomic; m++) { /* all lanes load before the first lane stores */
        for (unsigned k = first; k < history_count && a.rel && a.kind != SIM_LOAD; k++)
            fence(&models[m], history[k].thread, a.cta ? CTA : GPU);
        for (unsigned k = first; k < history_count && a.kind != SIM_STORE; k++)
            acquire(&models[m], history[k].thread, history[k].cell, a.acq);
        for (unsigned k = first; k < history_count && a.kind != SIM_LOAD; k++)
            release(&models[m], history[k].thread, history[k].cell);
    }
}
static void random_access(unsigned line) {
    struct access a = {
        .block = draw(BLOCKS), .warp = draw(2), .shared = draw(2), .kind = draw(3), .pattern = draw(5), .add = draw(8)};
    bool flag = draw(3) == 0; /* accesses one of two cells, mostly by atomics */
    random_lanes(&a.low, &a.high);
    if (flag)
        a.pattern = 1, a.add = 62 + draw(2), a.high = a.low,
        a.kind = draw(8) ? draw(2)   ? SIM_ATOMIC
                           : draw(2) ? SIM_LOAD
                                     : SIM_STORE
                         : a.kind;
    if (flag && a.kind != SIM_ATOMIC && draw(8))
        a.vol = !a.shared || draw(2), a.rel = !a.vol && a.kind == SIM_STORE, a.acq = !a.vol && a.kind == SIM_LOAD;
    if (flag && a.kind == SIM_ATOMIC) a.acq = draw(6) == 0, a.rel = draw(6) == 0, a.cta = draw(12) == 0;
    if (a.pattern == 3) a.add += 31;
    if (a.pattern == 4) a.add %= 2;
    do_access(a, line);
}

static void do_sync(unsigned block, unsigned warp, unsigned low, unsigned high) {
    bool set[ALL];
    lanes_of(set, block, warp, low, high);
    for (int m = 0; m < 2; m++) meet(&models[m], set);
    SAY("sync %u.%u/%u-%u", block, warp, low, high);
}
static void do_fence(unsigned block, unsigned warp, unsigned low, unsigned high, int scope) {
    for (unsigned l = low; l <= high; l++)
        for (int m = 0; m < 2; m++) fence(&models[m], block * THREADS + warp * 32 + l, scope);
    SAY("fence%s %u.%u/%u-%u", scope == CTA ? ".cta" : "", block, warp, low, high);
}
static void do_barrier(unsigned block) {
    bool set[ALL] = {false};
    for (unsigned t = block * THREADS; t < (block + 1) * THREADS; t++) set[t] = true;
    for (int m = 0; m < 2; m++) meet(&models[m], set);
    SAY("bar %u", block);
}

/* A pair of commands: warp open_warp of block open_block executes bar.arrive or bar.sync. Later, the block's other
 * warp executes bar.sync, possibly after other commands. open_block is -1 if no pair has begun. */
static int open_block = -1, open_warp;
static void random_meeting(void) {
    bool set[ALL], other[ALL];
    unsigned block = draw(BLOCKS), warp = draw(2);
    if (open_block >= 0) { /* the other warp completes the barrier */
        block = (unsigned)open_block, warp = 1u - (unsigned)open_warp;
        lanes_of(set, block, warp, 0, 31);
        for (int m = 0; m < 2; m++) arrive(&models[m], set), complete(&models[m], set);
        SAY("wait %u.%u 1; meet %u 1", block, warp, block);
        open_block = -1;
        return;
    }
    lanes_of(set, block, warp, 0, 31);
    for (int m = 0; m < 2; m++) arrive(&models[m], set);
    if (draw(2)) {
        SAY("arrive %u.%u 1", block, warp);
        open_block = (int)block, open_warp = (int)warp;
        return;
    }
    lanes_of(other, block, 1 - warp, 0, 31);
    for (int m = 0; m < 2; m++) {
        arrive(&models[m], other);
        for (unsigned t = 0; t < ALL; t++) other[t] |= set[t];
        complete(&models[m], other);
        for (unsigned t = 0; t < ALL; t++) other[t] &= !set[t];
    }
    SAY("wait %u.%u 1; wait %u.%u 1; meet %u 1", block, warp, block, 1 - warp, block);
}
/* Steps by which a thread sends a message to another. The writer stores a value and may synchronize with a second
 * thread, which executes a fence and a release. A third thread acquires. It either executes a fence itself or
 * synchronizes with the reader. Each step may be missing or wrong, and random commands come between the steps. */
enum { WRITE, HAND_ON, FENCE, RELEASE, ACQUIRE, RECEIVE, PASS_ON, READ, STEPS };
static struct {
    unsigned step, block[2], writer, releaser, acquirer, reader, cell, flag;
    bool shared;
} handing = {.step = STEPS};

static void start_handing(void) {
    handing.step = WRITE, handing.cell = draw(8), handing.flag = 62 + draw(2);
    handing.block[0] = draw(BLOCKS), handing.block[1] = draw(4) ? 1 - handing.block[0] : handing.block[0];
    handing.shared = handing.block[0] == handing.block[1] && draw(2);
    handing.writer = draw(4) * 16 + draw(2), handing.releaser = draw(2) ? handing.writer : draw(64);
    handing.acquirer = draw(4) * 16 + draw(2), handing.reader = draw(2) ? handing.acquirer : draw(64);
}
static void do_one(unsigned block, unsigned thread, unsigned kind, unsigned cell, bool strong, unsigned line) {
    struct access a = {.block = block,
                       .warp = thread / 32,
                       .low = thread % 32,
                       .high = thread % 32,
                       .kind = kind,
                       .pattern = 1,
                       .add = cell,
                       .shared = handing.shared};
    if (strong && kind == SIM_STORE) a.vol = !a.shared && draw(2), a.rel = !a.vol;
    if (strong && kind == SIM_LOAD) a.vol = !a.shared && draw(2), a.acq = !a.vol;
    do_access(a, line);
}
/* Synchronizes two threads of a block: by a barrier or, in the same warp, by __syncwarp(). Returns false if neither
 * is possible. */
static bool do_meet(unsigned block, unsigned a, unsigned b) {
    unsigned low = a < b ? a % 32 : b % 32, high = a < b ? b % 32 : a % 32;
    if (a == b && draw(4)) return false;
    if (a / 32 == b / 32 && draw(2))
        do_sync(block, a / 32, draw(2) ? 0 : low, draw(2) ? 31 : high);
    else if (open_block == (int)block)
        return false;
    else
        do_barrier(block);
    return true;
}
/* Adds the next step to the script. Returns false if it is omitted. */
static bool hand(unsigned line) {
    unsigned from = handing.block[0], to = handing.block[1], step = handing.step++;
    if (draw(12) == 0) return false;
    switch (step) {
    case WRITE: do_one(from, handing.writer, draw(4) ? SIM_STORE : SIM_LOAD, handing.cell, false, line); return true;
    case HAND_ON: return do_meet(from, handing.writer, handing.releaser);
    case FENCE: {
        unsigned thread = draw(4) ? handing.releaser : handing.writer;
        do_fence(from, thread / 32, draw(4) ? thread % 32 : 0, draw(4) ? thread % 32 : 31, draw(5) ? GPU : CTA);
        return true;
    }
    case RELEASE:
        if (draw(4) == 0 && do_meet(from, handing.writer, handing.releaser)) return handing.step--, true;
        do_one(from, handing.releaser, draw(2) ? SIM_ATOMIC : SIM_STORE, handing.flag, true, line);
        return true;
    case ACQUIRE: do_one(to, handing.acquirer, draw(2) ? SIM_ATOMIC : SIM_LOAD, handing.flag, true, line); return true;
    case RECEIVE:
        if (draw(3) == 0) return do_meet(to, handing.acquirer, handing.reader);
        do_fence(to, handing.acquirer / 32, handing.acquirer % 32, handing.acquirer % 32, GPU);
        return true;
    case PASS_ON: return do_meet(to, handing.acquirer, handing.reader);
    default: do_one(to, handing.reader, draw(2) ? SIM_STORE : SIM_LOAD, handing.cell, false, line); return true;
    }
}

/* Adds a random command to the script, or several that belong together. Returns their number. */
static unsigned random_command(unsigned line) {
    unsigned what = draw(20), block = draw(BLOCKS), low, high;
    size_t before = used;
    random_lanes(&low, &high);
    if (used) SAY("; ");
    size_t begin = used;
    if (handing.step == STEPS && draw(3) == 0) start_handing();
    if (handing.step < STEPS && draw(6)) {
        if (!hand(line)) script[used = before] = 0;
    } else if (what < 11)
        random_access(line);
    else if (what < 13)
        do_sync(block, draw(2), low, high);
    else if (what < 16)
        do_fence(block, draw(2), low, high, draw(4) ? GPU : CTA);
    else if (what < 18 && open_block != (int)block)
        do_barrier(block);
    else
        random_meeting();
    unsigned commands = used > begin;
    for (const char *c = script + begin; *c && used > begin; c++) commands += *c == ';';
    return commands;
}

/* ---- the comparison -------------------------------------------------------------------------------------- */

static void check_findings(uint64_t seed) {
    bool told[COMMANDS + 1] = {false};
    for (unsigned k = 0; k < stage.m.findings.count; k++) {
        const struct finding *f = &stage.m.findings.item[k];
        unsigned a = f->at.line, b = f->other.pc == UINT32_MAX ? a : f->other.line;
        if (!f->kind->is_race) continue;
        if (!racing[0][a][b] && !racing[0][b][a])
            ck_abort_msg("seed %lu: no race between %u and %u: %s", (unsigned long)seed, a, b, script);
        told[a > b ? a : b] = true;
    }
    ck_assert_msg(stage.m.findings.dropped == 0, "seed %lu: too many findings for the test", (unsigned long)seed);
    for (unsigned later = 1; later <= COMMANDS; later++)
        for (unsigned earlier = 1; earlier <= COMMANDS; earlier++)
            if (racing[1][later][earlier] && !told[later])
                ck_abort_msg("seed %lu: %u races with %u, which is not reported: %s", (unsigned long)seed, later,
                             earlier, script);
}
START_TEST(random_scripts_against_the_model) {
    const char *more = getenv("SEEDS");
    uint64_t programs = more ? strtoull(more, NULL, 10) : PROGRAMS, races = 0, clean = 0;
    for (uint64_t seed = 0; seed < programs; seed++) {
        random_state = seed;
        for (int m = 0; m < 2; m++) memset(&models[m], 0, offsetof(struct model, released));
        memset(racing, 0, sizeof racing), memset(own_clock, 0, sizeof own_clock);
        models[1].lenient = true;
        history_count = 0, used = 0, open_block = -1, handing.step = STEPS, script[0] = 0;
        unsigned length = 3 + draw(draw(4) ? 10 : COMMANDS - 6);
        /* may add several commands, so that the script becomes longer than `length` */
        for (unsigned line = 1; line <= length;) line += random_command(line);
        play_script(script, MEASURE_RACES, BLOCKS, THREADS);
        check_findings(seed);
        if (stage.m.findings.count)
            races++;
        else
            clean++;
        stage_free();
    }
    ck_assert_msg(races > programs / 10 && clean > programs / 10,
                  "%lu with races, %lu without: the scripts test nothing", (unsigned long)races, (unsigned long)clean);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("probes: order");
    TCase *tc = tcase_create("random");
    tcase_set_timeout(tc, 300);
    tcase_add_test(tc, random_scripts_against_the_model);
    suite_add_tcase(suite, tc);
    return suite_failures(suite) != 0;
}
