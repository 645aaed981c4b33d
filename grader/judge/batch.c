/* See batch.h. */
#include "judge/batch.h"
#include "base/cores.h"
#include "judge/case_large.h"
#include "judge/case_plan.h"
#include "judge/clean.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_THREADS = 16 };

/* Limit on warp-instructions for all cases of a check together: several times what correct kernels execute. After a
 * wrong case, the limit is divided by OF_WRONG, because the check has already failed. */
static const uint64_t most_case_work = UINT64_C(1) << 30;
enum { OF_WRONG = 32 };
bool batch_was_run(const struct outcome *o) { return o->kind != OUTCOME_NOT_RUN && o->kind != OUTCOME_SKIPPED; }
bool batch_is_wrong(const struct outcome *o) { return o->kind == OUTCOME_WRONG || o->kind == OUTCOME_STOPPED; }

uint64_t batch_most_work(const struct batch *b, bool wrong) { return wrong ? b->most / OF_WRONG : b->most; }
static bool is_late(const struct batch *b, uint64_t done, bool wrong) { return done > batch_most_work(b, wrong); }
/* Returns whether the sample has an error that blocks with n = 0 cannot cause. They may leave out their partials. */
static bool has_error(const struct finding_list *l) {
    for (unsigned k = 0; k < l->count; k++)
        if (l->item[k].kind->severity == FINDING_ERROR && strcmp(l->item[k].kind->key, "uninitialized-global") != 0)
            return true;
    return false;
}
/* Returns whether case k is wrong as a sample, but only a run of all its blocks can decide. If the sample of a
 * grid-stride kernel writes no total, the reason may be that blocks with n = 0 do not take part. An error such as an
 * out-of-bounds access needs no such run, because it does not depend on how blocks divide the input. */
static bool is_open(const struct batch *b, unsigned k) {
    const struct grade_case *c = &b->cases[k];
    const struct outcome *o = &b->outcomes[k];
    return o->kind == OUTCOME_WRONG && o->launch < 2 &&
           (case_may_share_otherwise(c) || (o->unwritten && c->kernel->grid_stride)) &&
           !has_error(&o->measurement.findings);
}
/* Returns whether the outcome proves that the kernel is wrong. An open sample proves nothing. */
static bool proves_wrong(const struct batch *b, unsigned k) {
    return batch_is_wrong(&b->outcomes[k]) && !(case_is_sampled(&b->cases[k]) && is_open(b, k));
}
/* Takes the next case to run. Returns false if there is none. Reads `done` before it takes the case, so `done`
 * counts only earlier cases. A case that forget_late() would keep is therefore never skipped. */
static bool next_case(struct batch *b, unsigned *k) {
    for (;;) {
        const bool late = is_late(b, atomic_load(&b->done), atomic_load(&b->wrong));
        *k = atomic_fetch_add(&b->next, 1);
        if (*k >= b->count) return false;
        if (b->outcomes[*k].kind == OUTCOME_NOT_RUN && !late && (!b->second || b->elsewhere[*k])) return true;
    }
}
/* Returns how many cases a thread takes next: a share of the remaining cases (guided self-scheduling). After a wrong
 * case, threads take one case at a time: little work is left within the limit, and a thread runs every case that it has
 * taken. */
static unsigned share(struct batch *b) {
    const unsigned taken = atomic_load(&b->next), left = taken < b->count ? b->count - taken : 0,
                   fair = left / (2 * b->threads) + 1;
    return atomic_load(&b->wrong) ? 1 : fair < b->at_once ? fair : b->at_once;
}
/* ---- what is measured --------------------------------------------------------------------------
 *
 * The report shows the findings of a check of results only if a result is wrong. While all results are correct, cases
 * run with few probes (b->brief). A wrong case runs again with all probes. Once the check has failed, the correct cases
 * run again with all probes, too. */
static bool is_brief(const struct batch *b, const struct outcome *o) {
    return batch_was_run(o) && b->brief != b->what && o->measurement.what & b->brief;
}
static void run_in_full(struct batch *b, unsigned k) {
    if (!is_brief(b, &b->outcomes[k])) return;
    outcome_free(&b->outcomes[k]);
    case_run(b->j, &b->j->student, &b->cases[k], b->what, &b->outcomes[k]);
}
static void *run_rest_in_full(void *context) {
    struct batch *b = context;
    for (unsigned k; (k = atomic_fetch_add(&b->next, 1)) < b->count;) run_in_full(b, k);
    return NULL;
}
/* Returns the warp-instructions by which the case increases the check's work. If checks share a correct case, the
 * number must not depend on which of them runs the case. */
static uint64_t effort_of(const struct batch *b, unsigned k) {
    const struct outcome *o = &b->outcomes[k];
    const bool shared = b->cases[k].measured && !(b->what & MEASURE_RACES) && o->kind == OUTCOME_RIGHT;
    return shared ? o->work : o->effort;
}
static void run_ended(struct batch *b, unsigned k) {
    atomic_fetch_add(&b->done, effort_of(b, k));
    if (proves_wrong(b, k)) atomic_store(&b->wrong, true);
}
/* Cases that a thread submits together. */
struct load {
    unsigned at[DEVICE_AT_ONCE], count;
};
static void run_load(struct batch *b, const struct load *l, unsigned what, bool doubted) {
    const struct grade_case *cases[DEVICE_AT_ONCE];
    struct outcome *outcomes[DEVICE_AT_ONCE];
    for (unsigned k = 0; k < l->count; k++) cases[k] = &b->cases[l->at[k]], outcomes[k] = &b->outcomes[l->at[k]];
    if (l->count) cases_run(b->j, &b->j->student, cases, l->count, what, doubted, outcomes);
}
/* Runs cases that several checks share, with CLEAN_PROBES. If this check needs other probes, adds the cases that are
 * not clean to `own`, so that it runs them again. */
static void run_for_all(struct batch *b, const struct load *shared, struct load *own) {
    run_load(b, shared, CLEAN_PROBES, false);
    for (unsigned k = 0; k < shared->count; k++) {
        const unsigned at = shared->at[k];
        struct outcome *o = &b->outcomes[at];
        if (clean_set(b->j, &b->cases[at], o) || b->what == CLEAN_PROBES) {
            if (b->what != CLEAN_PROBES) o->measurement.what = b->what;
            run_ended(b, at);
        } else
            outcome_free(o), own->at[own->count++] = at;
    }
}
/* Takes case k: adds it to a load, uses another check's outcome, or leaves it for the second pass. */
static void take(struct batch *b, unsigned k, struct load *shared, struct load *own) {
    struct clean_case known;
    switch ((b->second ? clean_wait : clean_take)(b->j, &b->cases[k], &known)) {
    case CLEAN_OURS: shared->at[shared->count++] = k; break;
    case CLEAN_UNSHARED: own->at[own->count++] = k; break;
    case CLEAN_ELSEWHERE: b->elsewhere[k] = true; break;
    case CLEAN_KNOWN:
        b->outcomes[k] = (struct outcome){.work = known.work, .effort = known.effort, .measurement.what = b->what};
        run_ended(b, k);
    }
}
static void *work(void *context) {
    struct batch *b = context;
    for (bool doubted = false;;) {
        struct load own = {.count = 0}, shared = {.count = 0};
        const unsigned wanted = share(b);
        unsigned k;
        while (own.count + shared.count < wanted && next_case(b, &k)) take(b, k, &shared, &own);
        if (!own.count && !shared.count) return NULL;
        run_for_all(b, &shared, &own);
        run_load(b, &own, atomic_load(&b->wrong) ? b->what : b->brief, doubted);
        for (k = 0; k < own.count; k++) {
            const unsigned at = own.at[k];
            doubted = b->outcomes[at].kind == OUTCOME_WRONG;
            if (batch_is_wrong(&b->outcomes[at])) run_in_full(b, at);
            run_ended(b, at);
        }
    }
}
/* Runs the first, middle and last case of a kernel. If two of them do not terminate, skips all other cases, because
 * each would exhaust its budget. Also skips them if an earlier check found that the kernel does not terminate. */
static void skip_endless(struct batch *b, const struct lab_kernel *kernel) {
    const bool known = judge_is_endless(b->j, kernel);
    unsigned of_kernel = 0, endless = known ? 2 : 0, seen = 0;
    for (unsigned k = 0; k < b->count; k++) of_kernel += b->cases[k].kernel == kernel;
    for (unsigned k = 0; of_kernel >= 3 && !known && k < b->count; k++) {
        if (b->cases[k].kernel != kernel) continue;
        const bool sample = seen == 0 || seen == of_kernel / 2 || seen == of_kernel - 1;
        seen++;
        if (!sample) continue;
        case_run(b->j, &b->j->student, &b->cases[k], b->what, &b->outcomes[k]);
        endless += outcome_is_endless(&b->outcomes[k]);
    }
    if (endless >= 2) b->endless |= UINT64_C(1) << (kernel - b->j->lab->kernels);
    for (unsigned k = 0; endless >= 2 && k < b->count; k++)
        if (b->cases[k].kernel == kernel && b->outcomes[k].kind == OUTCOME_NOT_RUN)
            b->outcomes[k].kind = OUTCOME_SKIPPED;
}
static void run_on_all_cores(struct batch *b, void *task(void *)) {
    pthread_t threads[MAX_THREADS];
    const unsigned allowed = cores_allowed();
    unsigned wanted = allowed > MAX_THREADS ? MAX_THREADS : allowed, started = 0;
    if (wanted > b->count) wanted = b->count;
    b->threads = wanted ? wanted : 1;
    while (started + 1 < wanted && !pthread_create(&threads[started], NULL, task, b)) started++;
    task(b);
    for (unsigned k = 0; k < started; k++) pthread_join(threads[k], NULL);
}
/* Size classes. LARGE and SAMPLED cases run only if all SMALL cases are correct. A SAMPLED case runs only a sample of
 * its blocks, with a lower limit on its work if a LARGE case is wrong. */
enum size { SMALL, LARGE, SAMPLED, SIZES };
static enum size size_of(const struct grade_case *c) {
    return !case_is_large(c) ? SMALL : case_is_sampled(c) ? SAMPLED : LARGE;
}
/* Sorts the cases by size and sets end[k] to the number of cases of size k or smaller. Returns false if out of
 * memory. */
static bool sort_by_size(struct grade_case *cases, unsigned count, unsigned end[SIZES]) {
    struct grade_case *sorted = calloc(count + 1, sizeof *sorted);
    unsigned at = 0;
    for (enum size size = SMALL; sorted && size < SIZES; end[size++] = at)
        for (unsigned k = 0; k < count; k++)
            if (size_of(&cases[k]) == size) sorted[at++] = cases[k];
    if (sorted) memcpy(cases, sorted, count * sizeof *sorted);
    free(sorted);
    return sorted != NULL;
}
/* If no sample can show how a kernel's blocks divide their elements, runs of all blocks ("whole runs") decide. Small
 * ones come first, because they are faster and show most mistakes. The whole runs of a check together may take MAX_WORK
 * warp-instructions, which is a few seconds, and a third more for each further kernel. A limit in seconds would make
 * the verdict depend on the machine's load. A case that would exceed the limit counts as correct. */
#define MAX_WORK (UINT64_C(3) << 27)
enum { ROUND = 1 << 13 }; /* elements that 32 threads load in one round with the widest vectors */
/* Returns whether the kernel takes no elements at all. If the sampled blocks took none, runs all blocks. If all
 * blocks take none, the result is wrong, and the run is short. */
static bool takes_nothing(const struct batch *b, unsigned k) {
    const uint64_t most = 1 << 22;
    const struct variant v = b->cases[k].variant;
    struct outcome o = {0};
    if (!reference_equal(v, b->outcomes[k].got, reference_identity(v))) return false;
    case_run_whole(b->j, &b->cases[k], most, &o);
    const bool nothing = o.kind == OUTCOME_WRONG && !outcome_is_endless(&o);
    outcome_free(&o);
    return nothing;
}
/* Returns about how many warp-instructions a whole run takes: 16 for 32 elements (32 if they are halves), and 128 for
 * the tree of each warp. */
static uint64_t likely_work(const struct grade_case *c) {
    const uint64_t warps = (uint64_t)case_blocks(c, c->n, 0) * c->block / 32;
    return c->n / (c->kernel->halves ? 1 : 2) + 128 * warps;
}
/* A writable input needs memory for all its elements. */
static bool is_affordable(const struct batch *b, const struct grade_case *c) {
    return likely_work(c) <= b->work && !(c->kernel->in_place && c->n > CASE_MAX_WHOLE);
}
/* Runs all blocks of `c`. If this run or the sample wrote a result, `c` and its outcome replace case `at` and its
 * outcome. Returns whether the result is wrong. */
static bool is_wrong_whole(struct batch *b, unsigned at, const struct grade_case *c) {
    struct outcome o = {0};
    case_run_whole(b->j, c, b->work, &o);
    b->work -= outcome_is_endless(&o) ? b->work : likely_work(c);
    const bool wrong = o.kind == OUTCOME_WRONG || o.kind == OUTCOME_SETUP;
    if (o.unwritten && b->outcomes[at].unwritten) /* keep the sample's outcome, which shows the same failure */
        outcome_free(&o);
    else
        outcome_free(&b->outcomes[at]), b->outcomes[at] = o, b->cases[at] = *c;
    return wrong;
}
static bool wrong_as_a_whole(struct batch *b, unsigned at) {
    enum { BLOCKS = 3, MAX_BLOCKS = 1 << 17 };
    const struct grade_case sampled = b->cases[at];
    const uint32_t blocks = sampled.grid < MAX_BLOCKS ? sampled.grid : MAX_BLOCKS;
    const uint32_t odd = sampled.n % ROUND; /* elements after the last whole round */
    const struct {
        uint32_t n, grid;
    } whole[] = {{(1u << 22) + odd, blocks},
                 {(1u << 25) + odd, blocks},
                 {(1u << 25) + odd % 32, BLOCKS},
                 {(1u << 29) + ROUND + odd - (odd > ROUND / 2 ? ROUND : 0), BLOCKS},
                 {sampled.n, sampled.grid}};
    for (unsigned k = 0; k < sizeof whole / sizeof *whole; k++) {
        struct grade_case c = sampled;
        c.n = whole[k].n, c.grid = c.grid ? whole[k].grid : 0;
        if (c.n <= sampled.n && is_affordable(b, &c) && is_wrong_whole(b, at, &c)) return true;
    }
    return false;
}
enum { DIVISOR = 16 }; /* of the number of elements, and of blocks, in a smaller sample */
/* Returns a smaller n for which the same blocks take the elements after the last whole round. Here, a round is what
 * the grid loads in ROUND / 32 iterations, and `more` is the number of additional rounds. If that n would exceed half
 * of c->n, returns about c->n / DIVISOR or, if the input consists of halves, 0 for no such n. */
static uint32_t fewer_elements(const struct grade_case *c, unsigned more) {
    const uint64_t round = (uint64_t)case_blocks(c, c->n, 0) * c->block * (ROUND / SIM_WARP),
                   n = c->n - (c->n - CASE_MAX_WHOLE - 1) / round * round + more * round;
    if (n <= c->n / 2) return (uint32_t)n;
    return c->kernel->halves ? 0 : c->n / DIVISOR + c->n % ROUND;
}
static bool is_right(const struct batch *b, const struct grade_case *c) {
    struct outcome o = {0};
    case_run(b->j, &b->j->student, c, b->what, &o);
    const bool right = o.kind == OUTCOME_RIGHT;
    outcome_free(&o);
    return right;
}
/* Returns fewer blocks: at least `least`, which is a power of two, and more if the sample would otherwise lose its
 * neighbors. Keeps the remainder by `least`, because a correct kernel may divide the elements in a different way if,
 * for example, the number of blocks is even. */
static uint32_t fewer_blocks(struct grade_case c, uint32_t least) {
    const uint32_t remainder = c.grid % least;
    for (uint32_t times = c.grid / least / 2; times; times /= 2) {
        struct grade_case fewer = c;
        fewer.grid = times * least + remainder;
        if (case_samples_neighbors(&fewer) != case_samples_neighbors(&c)) break;
        c = fewer;
    }
    return c.grid;
}
/* Returns the case with fewer elements. If these would be less than one round of the grid, also divides the number of
 * blocks by DIVISOR, up to a multiple of `least`: in an incomplete round, different ways to divide the elements give
 * the sampled blocks the same ones. */
static struct grade_case with_fewer(const struct grade_case *c, unsigned more, uint32_t least) {
    struct grade_case fewer = *c;
    fewer.n = fewer_elements(c, more);
    if (c->grid > DIVISOR * least && fewer.n < (uint64_t)c->grid * c->block)
        fewer.grid = c->grid / DIVISOR / least * least + c->grid % least;
    return fewer;
}
/* Returns whether the sample is correct with fewer elements or, if the grid is very large and may shrink, with fewer
 * blocks. Nearly every correct kernel divides the elements in the same way for every n and every number of blocks. A
 * wrong kernel may be correct by chance, for example if it takes three rounds at a time. Several numbers of rounds are
 * therefore tried. */
static bool right_with_fewer(struct batch *b, unsigned at, bool may_shrink) {
    enum { BLOCKS = 1 << 10 };
    uint32_t before = 0;
    bool right = true;
    struct grade_case all = b->cases[at], fewer;
    if (all.grid > BLOCKS && may_shrink) {
        all.grid = fewer_blocks(all, BLOCKS);
        if (is_right(b, &all)) return true;
    }
    for (unsigned more = 0; right && more < 3; more++) {
        fewer = with_fewer(&all, more, BLOCKS);
        if (!case_is_sampled(&fewer)) return false;
        if (fewer.n == before) break; /* n / DIVISOR has already run */
        before = fewer.n, right = is_right(b, &fewer);
    }
    return right;
}
/* Returns whether a whole run of the case takes at most about two seconds. */
static bool is_quick(const struct grade_case *c) { return likely_work(c) <= MAX_WORK / 3; }
/* The open cases of a kernel that decide about all of them. Each is an index, or b->count if there is none. */
struct open_cases {
    unsigned odd;     /* the one with the most elements after the last whole round */
    unsigned largest; /* the one with the most elements */
    unsigned fastest; /* the one with the shortest whole run, among those whose whole run is affordable */
};
/* Finds the kernel's cases for struct open_cases. Returns false if the kernel takes no elements in one of its open
 * cases, which is wrong. */
static bool find_open(const struct batch *b, const struct lab_kernel *kernel, struct open_cases *open) {
    const unsigned none = b->count;
    *open = (struct open_cases){none, none, none};
    for (unsigned k = 0; k < b->count; k++) {
        const struct grade_case *c = &b->cases[k];
        if (c->kernel != kernel || !is_open(b, k)) continue;
        if (takes_nothing(b, k)) return false;
        if (open->odd == none || c->n % ROUND > b->cases[open->odd].n % ROUND) open->odd = k;
        if (open->largest == none || c->n > b->cases[open->largest].n) open->largest = k;
        if (!is_affordable(b, c)) continue;
        if (open->fastest == none || likely_work(c) < likely_work(&b->cases[open->fastest])) open->fastest = k;
    }
    return true;
}
/* Returns whether case `at` has an input of at least 8 GiB, and its sample loads only from the first 4 GiB, as with
 * byte offsets of 32 bits. A whole run of so many elements would take too long. If the number of blocks may be chosen,
 * there are at most MOST_BLOCKS: in larger grids, the last blocks of a correct kernel may have no elements. */
static bool wraps_around(const struct batch *b, unsigned at) {
    enum { MOST_BLOCKS = 1 << 12 };
    struct grade_case c = b->cases[at];
    const uint64_t end = UINT64_C(1) << 32;
    struct outcome o = {0};
    if (c.n * (uint64_t)case_input_size(&c) < 2 * end) return false;
    if (c.kernel->grid_stride && c.grid > MOST_BLOCKS) c.grid = MOST_BLOCKS;
    case_run(b->j, &b->j->student, &c, MEASURE_STEPS, &o);
    const uint64_t farthest = spread_of(&o.measurement)->farthest;
    outcome_free(&o);
    return farthest && farthest <= end;
}
/* Decides open case k of a kernel that divides the elements in a different way. */
static void decide(struct batch *b, unsigned k) {
    struct outcome *o = &b->outcomes[k];
    const bool wraps = !(b->what & MEASURE_RACES) && wraps_around(b, k); /* only checks of results report it */
    o->kind = wraps ? OUTCOME_STOPPED : OUTCOME_RIGHT, o->measurement.findings.count = 0;
    if (wraps)
        snprintf(o->message, sizeof o->message,
                 "no block loads an element beyond the first 4 GiB of the input, as if a byte offset had only 32 bits");
}
/* Decides the kernel's open cases in which the partials of a sample are not those of its blocks. Returns whether they
 * are in a smaller grid of one of these cases. Then the kernel is wrong. A kernel that has other open cases may divide
 * the elements in a different way, so that partials fit only by chance. */
static bool wrong_with_many_threads(struct batch *b, const struct lab_kernel *kernel) {
    bool others = false;
    for (unsigned k = 0; k < b->count; k++)
        others |= b->cases[k].kernel == kernel && is_open(b, k) && !case_shows_partials(&b->cases[k]);
    for (unsigned k = 0; k < b->count; k++) {
        struct grade_case fewer = b->cases[k], half = fewer;
        if (fewer.kernel != kernel || !is_open(b, k) || !case_shows_partials(&fewer)) continue;
        for (; half.grid /= 2, case_shows_partials(&half);) fewer.grid = half.grid;
        if (!others && fewer.grid < b->cases[k].grid && is_right(b, &fewer)) return true;
        decide(b, k);
    }
    return false;
}
/* Decides the kernel's open cases. If all whole runs are correct, the kernel divides the elements in a different way,
 * and its open cases count as correct. The first whole run is that of the fastest open case. If a smaller sample is
 * correct, the kernel is wrong. If that run is quick, it decides instead of a sample with fewer blocks: some correct
 * kernels divide the elements in a different way only for some numbers of blocks. */
static void decide_open(struct batch *b, const struct lab_kernel *kernel) {
    struct open_cases open;
    if (wrong_with_many_threads(b, kernel)) return;
    if (!find_open(b, kernel, &open) || open.odd == b->count) return;
    const bool runs = open.fastest < b->count, quick = runs && is_quick(&b->cases[open.fastest]);
    if (right_with_fewer(b, quick ? open.largest : open.odd, !quick)) return;
    if (runs) {
        const struct grade_case c = b->cases[open.fastest];
        if (is_wrong_whole(b, open.fastest, &c)) return;
    }
    if (wrong_as_a_whole(b, open.odd)) return;
    for (unsigned k = 0; k < b->count; k++)
        if (b->cases[k].kernel == kernel && (k == open.odd || k == open.fastest || is_open(b, k))) decide(b, k);
}
/* Drops the outcomes of cases beyond the limit on work. Keeps an outcome if the cases before it in the list stayed
 * within the limit. The result therefore does not depend on the number and speed of the cores. */
static void forget_late(struct batch *b) {
    uint64_t before = 0;
    bool wrong = false;
    for (unsigned k = 0; k < b->count; k++) {
        struct outcome *o = &b->outcomes[k];
        const uint64_t own = batch_was_run(o) ? effort_of(b, k) : 0;
        const bool late = is_late(b, before, wrong);
        before += own, wrong |= proves_wrong(b, k);
        if (batch_was_run(o) && late) outcome_free(o), o->kind = OUTCOME_NOT_RUN;
    }
    atomic_store(&b->done, before), atomic_store(&b->wrong, wrong);
}
/* Second pass: runs the cases that another check was running. The limit counts only the work of earlier cases, so
 * this pass counts anew; forget_late() then counts all cases. */
static void run_again(struct batch *b) {
    atomic_store(&b->next, 0), atomic_store(&b->done, 0), atomic_store(&b->wrong, false);
    b->second = true;
    run_on_all_cores(b, work);
    b->second = false;
    memset(b->elsewhere, false, b->count * sizeof *b->elsewhere);
}
/* Runs the cases of one size class. Returns whether they and all smaller cases are correct. */
static bool run_size(struct batch *b, enum size size, const unsigned end[SIZES]) {
    b->count = end[size], b->at_once = size == SMALL ? DEVICE_AT_ONCE : 1;
    b->next = size == SMALL ? 0 : end[size - 1];
    run_on_all_cores(b, work);
    if (memchr(b->elsewhere, true, b->count)) run_again(b);
    forget_late(b);
    for (unsigned k = 0; k < b->count; k++)
        if (b->outcomes[k].kind != OUTCOME_RIGHT) return false;
    return true;
}
static void run_all(struct batch *b, const unsigned end[SIZES]) {
    const struct judge *own = b->j;
    struct judge brief = *own; /* limits a sample after a wrong large case to several times the work of a correct one */
    brief.most = 1 << 24;
    b->work = MAX_WORK, b->most = own->options->case_work ? own->options->case_work : most_case_work;
    for (unsigned k = 0; k < b->count; k++) b->outcomes[k].kind = OUTCOME_NOT_RUN;
    b->count = end[SMALL];
    for (unsigned k = 0; k < own->lab->kernel_count; k++) skip_endless(b, &own->lab->kernels[k]);
    if (!run_size(b, SMALL, end)) return;
    if (!run_size(b, LARGE, end)) b->j = &brief, b->work = MAX_WORK / OF_WRONG;
    run_size(b, SAMPLED, end);
    b->j = own;
    const uint64_t least = b->work / 3;
    for (unsigned k = 0; k < own->lab->kernel_count; k++) {
        decide_open(b, &own->lab->kernels[k]);
        if (b->work < least) b->work = least; /* every kernel gets its first whole run */
    }
}

static void complete(struct batch *b) {
    bool wrong = false;
    for (unsigned k = 0; k < b->count; k++) wrong |= batch_is_wrong(&b->outcomes[k]);
    b->next = 0;
    if (wrong) run_on_all_cores(b, run_rest_in_full);
}

void batch_free(struct batch *b) {
    for (unsigned k = 0; k < b->count; k++)
        if (batch_was_run(&b->outcomes[k])) outcome_free(&b->outcomes[k]);
    free(b->outcomes);
    free(b->elsewhere);
    free(b->cases);
}
bool batch_run(struct batch *b, struct judge *j, unsigned what, json_t *result) {
    *b = (struct batch){.j = j, .what = what, .brief = what == CLEAN_PROBES ? what : MEASURE_FAULTS};
    struct grade_case *cases = case_list(j, j->check->kind->cases, &b->count);
    b->cases = cases;
    b->outcomes = calloc(b->count + 1, sizeof *b->outcomes), b->elsewhere = calloc(b->count + 1, sizeof(bool));
    unsigned end[SIZES];
    if (!b->cases || !b->outcomes || !b->elsewhere || !sort_by_size(cases, b->count, end)) {
        result_setup(result, "out of memory");
        return false;
    }
    run_all(b, end);
    complete(b);
    json_object_set_new(result, "cases", json_integer(b->count));
    json_object_set_new(result, "endless", json_integer((json_int_t)b->endless));
    return true;
}
