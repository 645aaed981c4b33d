/* The race probe against a plain model of what it should know: random scripts, and for each a vector clock of every thread over
 * every thread, and a list of all accesses ever made.
 *
 * The model is kept twice. The strict one has the rules of docs/metrics.md without their leniencies: what the probe tells must
 * be a race there (no false finding). The lenient one has them all: whoever races there must be in a finding (none missed). */
#include "script.h"

enum { BLOCKS = 2, THREADS = 64, ALL = BLOCKS * THREADS, CELLS = 192, MOST_EVENTS = 4096, COMMANDS = 30, PROGRAMS = 2000, CTA = 0, GPU = 1 };
enum { CELL_DATA = 64 * BLOCKS }; /* 64 cells of s for each block, then 64 of data */

typedef uint16_t clocks[ALL];
struct history { uint16_t thread, clock, cell, line; uint8_t kind; bool atomic, block_scope; };
struct released { clocks knows; uint16_t cell, block; bool device_wide; };
struct model {
    bool lenient;
    clocks knows[ALL], pending[ALL], fenced[2][ALL], acquired[ALL];
    clocks meeting, meeting_fenced[2], meeting_acquired;
    unsigned released_count;
    struct released released[MOST_EVENTS];
};
static struct model models[2];
static struct history history[MOST_EVENTS];
static unsigned history_count;
static uint16_t own_clock[ALL];
static bool racing[2][COMMANDS + 1][COMMANDS + 1]; /* strict, lenient: by lines, later first */

static uint64_t random_state;
static unsigned draw(unsigned below) { /* splitmix64 */
    uint64_t z = (random_state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (unsigned)((z ^ (z >> 31)) % below);
}
static void join(clocks to, const clocks from) {
    for (unsigned k = 0; k < ALL; k++)
        if (from[k] > to[k]) to[k] = from[k];
}

/* ---- what orders ---------------------------------------------------------------------------- */

/* The threads of the set meet: all know what each knew. What was acquired takes effect. */
static void meet(struct model *m, const bool set[ALL]) {
    clocks knows = {0}, fenced[2] = {{0}}, acquired = {0};
    for (unsigned t = 0; t < ALL; t++) {
        if (!set[t]) continue;
        join(m->knows[t], m->pending[t]), join(m->acquired[t], m->pending[t]);
        memset(m->pending[t], 0, sizeof(clocks));
        join(knows, m->knows[t]), join(acquired, m->acquired[t]);
        for (int s = 0; s < 2; s++) join(fenced[s], m->fenced[s][t]);
    }
    for (unsigned t = 0; t < ALL; t++) {
        if (!set[t]) continue;
        join(m->knows[t], knows), join(m->acquired[t], acquired);
        for (int s = 0; s < 2; s++) join(m->fenced[s][t], fenced[s]);
    }
}
static void arrive(struct model *m, const bool set[ALL]) {
    for (unsigned t = 0; t < ALL; t++) {
        if (!set[t]) continue;
        join(m->meeting, m->knows[t]), join(m->meeting_acquired, m->acquired[t]);
        join(m->meeting, m->pending[t]), join(m->meeting_acquired, m->pending[t]);
        for (int s = 0; s < 2; s++) join(m->meeting_fenced[s], m->fenced[s][t]);
    }
}
static void complete(struct model *m, const bool set[ALL]) {
    for (unsigned t = 0; t < ALL; t++) {
        if (!set[t]) continue;
        join(m->knows[t], m->meeting), join(m->acquired[t], m->meeting_acquired);
        for (int s = 0; s < 2; s++) join(m->fenced[s][t], m->meeting_fenced[s]);
        memset(m->pending[t], 0, sizeof(clocks));
    }
    memset(m->meeting, 0, sizeof(clocks)), memset(m->meeting_acquired, 0, sizeof(clocks));
    memset(m->meeting_fenced, 0, sizeof m->meeting_fenced);
}
static void fence(struct model *m, unsigned t, int scope) {
    join(m->knows[t], m->pending[t]), join(m->acquired[t], m->pending[t]);
    memset(m->pending[t], 0, sizeof(clocks));
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
        if (at_once) join(m->knows[t], r->knows), join(m->acquired[t], r->knows);
        else join(m->pending[t], r->knows);
    }
}
static void release(struct model *m, unsigned t, unsigned cell) {
    for (int s = 0; s < 2; s++) {
        if (empty(m->fenced[s][t])) continue;
        struct released *r = &m->released[m->released_count++];
        ck_assert_uint_lt(m->released_count, MOST_EVENTS);
        *r = (struct released){.cell = (uint16_t)cell, .block = (uint16_t)(t / THREADS), .device_wide = s == GPU};
        memcpy(r->knows, m->fenced[s][t], sizeof(clocks));
        if (m->lenient) join(r->knows, m->acquired[t]);
    }
}

/* ---- accesses ------------------------------------------------------------------------------- */

static bool comes_before(const struct model *m, const struct history *h, unsigned t) { return h->thread == t || h->clock <= m->knows[t][h->thread]; }

/* Atomic accesses of one cell come one after the other: the last one stands for those before it, except in one instruction. */
static bool ordered(const struct model *m, unsigned index, unsigned t) {
    const struct history *h = &history[index];
    if (comes_before(m, h, t)) return true;
    if (h->block_scope && h->thread / THREADS != t / THREADS) return false;
    for (unsigned k = index + 1; h->atomic && k < history_count; k++)
        if (history[k].cell == h->cell && history[k].line != h->line && history[k].atomic && history[k].kind != SIM_LOAD &&
            (!history[k].block_scope || history[k].thread / THREADS == h->thread / THREADS) && comes_before(m, &history[k], t)) return true;
    return false;
}
/* Two atomic accesses that race by their scope alone, with another atomic access between them: the last one stands for the first. */
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

/* ---- random commands ------------------------------------------------------------------------ */

static char script[4000];
static size_t used;
#define SAY(...) used += (size_t)snprintf(script + used, sizeof script - used, __VA_ARGS__)

static void lanes_of(bool set[ALL], unsigned block, unsigned warp, unsigned low, unsigned high) {
    memset(set, 0, ALL * sizeof *set);
    for (unsigned l = low; l <= high; l++) set[block * THREADS + warp * 32 + l] = true;
}
static void random_lanes(unsigned *low, unsigned *high) {
    *low = 0, *high = 31;
    if (draw(3) == 0) *low = draw(32), *high = *low + draw(32 - *low);
    else if (draw(2)) *low = *high = draw(4) * draw(9); /* some lanes more often than others */
}
static void random_access(unsigned line) {
    unsigned block = draw(BLOCKS), warp = draw(2), low, high;
    random_lanes(&low, &high);
    bool shared = draw(2), flag = draw(3) == 0; /* flags: two cells that are touched atomically, mostly */
    unsigned kind = draw(3), pattern = draw(5), add = draw(8);
    bool vol = false, rel = false, acq = false, cta = false;
    if (flag) pattern = 1, add = 62 + draw(2), high = low, kind = draw(8) ? draw(2) ? SIM_ATOMIC : draw(2) ? SIM_LOAD : SIM_STORE : kind;
    if (flag && kind != SIM_ATOMIC && draw(8)) vol = !shared || draw(2), rel = !vol && kind == SIM_STORE, acq = !vol && kind == SIM_LOAD;
    if (flag && kind == SIM_ATOMIC) acq = draw(6) == 0, rel = draw(6) == 0, cta = draw(12) == 0;
    static const char *const patterns[] = {"+%u", "=%u", "^%u", "-%u", "*2+%u"}, *const kinds[] = {"ld", "st", "at"};
    if (pattern == 3) add = 31 + add;
    if (pattern == 4) add %= 2;
    char where[16];
    snprintf(where, sizeof where, patterns[pattern], add);
    SAY("%u.%u/%u-%u %s %s %s%s%s%s%s", block, warp, low, high, kinds[kind], shared ? "s" : "data", where, vol ? " vol" : "", rel ? " rel" : "", acq ? " acq" : "", cta ? " cta" : "");
    bool atomic = kind == SIM_ATOMIC || rel || acq || (vol && !shared), release_now = rel;
    unsigned first = history_count;
    for (unsigned l = low; l <= high; l++) {
        unsigned t = block * THREADS + warp * 32 + l, element_of = (unsigned)element(where, l), cell = shared ? block * 64 + element_of : CELL_DATA + element_of;
        /* lanes of one instruction race with each other too */
        look_for_races(t, cell, kind, atomic, cta, line);
        ck_assert_uint_lt(history_count, MOST_EVENTS);
        history[history_count++] = (struct history){(uint16_t)t, ++own_clock[t], (uint16_t)cell, (uint16_t)line, (uint8_t)kind, atomic, cta};
        for (int m = 0; m < 2; m++) models[m].knows[t][t] = own_clock[t];
    }
    for (int m = 0; m < 2 && atomic; m++) { /* all lanes load before one stores */
        for (unsigned k = first; k < history_count && kind != SIM_STORE; k++) acquire(&models[m], history[k].thread, history[k].cell, acq);
        for (unsigned k = first; k < history_count && kind != SIM_LOAD; k++) {
            if (release_now) fence(&models[m], history[k].thread, cta ? CTA : GPU);
            release(&models[m], history[k].thread, history[k].cell);
        }
    }
}
/* bar.arrive or bar.sync by one warp, bar.sync by the other, with room for what the first does in between. */
static int open_block = -1, open_warp; /* a warp has arrived and not waited */
static void random_meeting(void) {
    bool set[ALL], other[ALL];
    unsigned block = draw(BLOCKS), warp = draw(2);
    if (open_block >= 0) { /* the other warp comes, and the barrier completes */
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
/* Returns the commands written. */
static unsigned random_command(unsigned line) {
    bool set[ALL];
    unsigned what = draw(20), block = draw(BLOCKS), warp = draw(2), low, high;
    random_lanes(&low, &high);
    if (used) SAY("; ");
    if (what < 11) random_access(line);
    else if (what < 13) {
        lanes_of(set, block, warp, low, high);
        for (int m = 0; m < 2; m++) meet(&models[m], set);
        SAY("sync %u.%u/%u-%u", block, warp, low, high);
    } else if (what < 16) {
        int scope = draw(4) ? GPU : CTA;
        for (unsigned l = low; l <= high; l++)
            for (int m = 0; m < 2; m++) fence(&models[m], block * THREADS + warp * 32 + l, scope);
        SAY("fence%s %u.%u/%u-%u", scope == CTA ? ".cta" : "", block, warp, low, high);
    } else if (what < 18 && open_block != (int)block) {
        lanes_of(set, block, 0, 0, 31);
        for (unsigned t = block * THREADS; t < (block + 1) * THREADS; t++) set[t] = true;
        for (int m = 0; m < 2; m++) meet(&models[m], set);
        SAY("bar %u", block);
    } else {
        size_t before = used;
        random_meeting();
        unsigned commands = 1;
        for (const char *c = script + before; *c; c++) commands += *c == ';';
        return commands;
    }
    return 1;
}

/* ---- the comparison ------------------------------------------------------------------------- */

static void check_findings(uint64_t seed) {
    bool told[COMMANDS + 1] = {false};
    for (unsigned k = 0; k < stage.m.findings.count; k++) {
        const struct finding *f = &stage.m.findings.item[k];
        unsigned a = f->at.line, b = f->other.pc == UINT32_MAX ? a : f->other.line;
        if (f->kind < FINDING_RACE_SHARED || f->kind > FINDING_RACE_BLOCKS) continue;
        ck_assert_msg(racing[0][a][b] || racing[0][b][a], "seed %lu: no race between %u and %u: %s", (unsigned long)seed, a, b, script);
        told[a > b ? a : b] = true;
    }
    ck_assert_msg(stage.m.findings.dropped == 0, "seed %lu: too many findings for the test", (unsigned long)seed);
    for (unsigned later = 1; later <= COMMANDS; later++)
        for (unsigned earlier = 1; earlier <= COMMANDS; earlier++)
            ck_assert_msg(!racing[1][later][earlier] || told[later], "seed %lu: %u races with %u, not told: %s", (unsigned long)seed, later, earlier, script);
}
START_TEST(random_scripts_against_the_model) {
    const char *more = getenv("SEEDS");
    uint64_t programs = more ? strtoull(more, NULL, 10) : PROGRAMS, races = 0, clean = 0;
    for (uint64_t seed = 0; seed < programs; seed++) {
        random_state = seed;
        for (int m = 0; m < 2; m++) memset(&models[m], 0, offsetof(struct model, released));
        memset(racing, 0, sizeof racing), memset(own_clock, 0, sizeof own_clock);
        models[1].lenient = true;
        history_count = 0, used = 0, open_block = -1;
        unsigned length = 3 + draw(draw(4) ? 10 : COMMANDS - 6);
        for (unsigned line = 1; line <= length;) line += random_command(line);
        play_script(script, MEASURE_RACES, BLOCKS, THREADS);
        check_findings(seed);
        if (stage.m.findings.count) races++;
        else clean++;
        stage_free();
    }
    ck_assert_msg(races > programs / 10 && clean > programs / 10, "%lu with races, %lu without: the scripts test nothing", (unsigned long)races, (unsigned long)clean);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("probes: order");
    TCase *tc = tcase_create("random");
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, random_scripts_against_the_model);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
