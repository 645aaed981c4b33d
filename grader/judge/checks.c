/* Runs checks of results and of findings, which have many cases. The cases are distributed over the host's cores, but
 * the report does not depend on which core ran which case. */
#include "base/clock.h"
#include "base/cores.h"
#include "judge/case_large.h"
#include "judge/case_plan.h"
#include "judge/classes.h"
#include "judge/example.h"
#include "judge/wrong.h"
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_THREADS = 16, MAX_GPU_SECONDS = 20 };

/* Limit of warp-instructions for all cases of a check together: five times as many as the slowest correct kernel in the
 * tests executes. After a wrong case, the limit falls to a sixteenth, because the check has failed in any case. Nearly
 * all correct kernels would stay below even the reduced limit. */
static const uint64_t most_case_work = UINT64_C(1) << 29;
enum { OF_WRONG = 16 };
static bool was_run(const struct outcome *o) { return o->kind != OUTCOME_NOT_RUN && o->kind != OUTCOME_SKIPPED; }
static bool is_wrong(const struct outcome *o) { return o->kind == OUTCOME_WRONG || o->kind == OUTCOME_STOPPED; }

struct batch {
    const struct judge *j;
    struct grade_case *cases;
    struct outcome *outcomes;
    unsigned count, what, brief,
        at_once; /* count: number of cases; what: what to measure; brief: what to measure as long as cases are correct;
                    at_once: maximum number of cases that a thread submits together */
    unsigned threads;
    atomic_uint next;
    atomic_ullong done; /* warp-instructions of finished cases that precede the next case in the list */
    atomic_bool wrong;  /* whether a finished case was wrong */
    uint64_t most;      /* limit of warp-instructions */
    uint64_t endless;   /* kernels that do not terminate, as in struct judge */
    uint64_t work;      /* remaining warp-instructions for whole runs */
};
static uint64_t most_work(const struct batch *b, bool wrong) { return wrong ? b->most / OF_WRONG : b->most; }
static bool is_late(const struct batch *b, uint64_t done, bool wrong) { return done > most_work(b, wrong); }
static bool has_error(const struct finding_list *l) {
    for (unsigned k = 0; k < l->count; k++)
        if (l->item[k].kind->severity == FINDING_ERROR) return true;
    return false;
}
/* Returns whether a whole run must decide about a wrong sample. If the sample of a grid-stride kernel writes no total,
 * the reason may be that blocks with n = 0 do not take part. An error such as an access out of bounds needs no whole
 * run, because it does not depend on how blocks divide the input. */
static bool is_open(const struct batch *b, unsigned k) {
    const struct grade_case *c = &b->cases[k];
    const struct outcome *o = &b->outcomes[k];
    return o->kind == OUTCOME_WRONG && (case_may_share_otherwise(c) || (o->unwritten && c->kernel->grid_stride)) &&
           !has_error(&o->measurement.findings);
}
/* Returns whether the outcome proves that the kernel is wrong. A sample proves nothing if a whole run must decide. */
static bool proves_wrong(const struct batch *b, unsigned k) {
    return is_wrong(&b->outcomes[k]) && !(case_is_sampled(&b->cases[k]) && is_open(b, k));
}
/* Takes the next case to run. Returns false if there is none. Reads `done` before taking the case, so that `done`
 * includes only earlier cases. This function therefore never skips a case that forget_late() would keep. */
static bool next_case(struct batch *b, unsigned *k) {
    for (;;) {
        const bool late = is_late(b, atomic_load(&b->done), atomic_load(&b->wrong));
        *k = atomic_fetch_add(&b->next, 1);
        if (*k >= b->count) return false;
        if (b->outcomes[*k].kind == OUTCOME_NOT_RUN && !late) return true;
    }
}
/* Returns how many cases a thread takes next, which is a share of the remaining ones (guided self-scheduling). After a
 * wrong case, threads take one case at a time, because little work is left within the limit, and every case that a
 * thread has taken runs. */
static unsigned share(struct batch *b) {
    const unsigned taken = atomic_load(&b->next), left = taken < b->count ? b->count - taken : 0,
                   fair = left / (2 * b->threads) + 1;
    return atomic_load(&b->wrong) ? 1 : fair < b->at_once ? fair : b->at_once;
}
/* ---- what is measured --------------------------------------------------------------------------
 *
 * The report needs the findings of a check of results only if a result is wrong. As long as all results are correct,
 * cases run with few probes. If one is wrong, its case runs again with all probes, and so do all correct cases once the
 * check has failed. */
static bool is_brief(const struct batch *b, const struct outcome *o) {
    return was_run(o) && b->brief != b->what && o->measurement.what & b->brief;
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
static void *work(void *context) {
    struct batch *b = context;
    for (bool doubted = false;;) {
        const struct grade_case *cases[DEVICE_AT_ONCE];
        struct outcome *outcomes[DEVICE_AT_ONCE];
        const unsigned wanted = share(b);
        unsigned count = 0, k;
        while (count < wanted && next_case(b, &k)) cases[count] = &b->cases[k], outcomes[count++] = &b->outcomes[k];
        if (!count) return NULL;
        cases_run(b->j, &b->j->student, cases, count, atomic_load(&b->wrong) ? b->what : b->brief, doubted, outcomes);
        for (k = 0; k < count; k++) {
            doubted = outcomes[k]->kind == OUTCOME_WRONG;
            if (is_wrong(outcomes[k])) run_in_full(b, (unsigned)(outcomes[k] - b->outcomes));
            atomic_fetch_add(&b->done, outcomes[k]->effort);
            if (proves_wrong(b, (unsigned)(outcomes[k] - b->outcomes))) atomic_store(&b->wrong, true);
        }
    }
}
/* Skips most cases of a kernel that does not terminate, because it would exhaust its budget in every case. Runs only
 * its first, middle and last case. */
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
/* Size classes. Large cases run last, and only if all others are correct. The largest ones run only a sample of their
 * blocks. */
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
/* If a kernel's blocks distribute their elements in a way that no sample can verify, whole runs decide. Small runs come
 * first, because they are faster and show most mistakes. All whole runs of a check together are limited to MAX_WORK
 * warp-instructions, which take a few seconds. Unlike a limit in seconds, this limit keeps the verdict independent of
 * the machine's load. A case that would exceed the limit is treated as correct. */
#define MAX_WORK (UINT64_C(3) << 27)
enum { ROUND = 1 << 13 }; /* number of elements that 32 threads load in a round with the widest vectors */
/* Returns whether the kernel takes no elements at all. If the sampled blocks took none, runs all blocks. If these take
 * none either, the run ends soon with a wrong result. */
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
static bool wrong_as_a_whole(struct batch *b, unsigned at) {
    enum { BLOCKS = 3, MAX_BLOCKS = 1 << 17 };
    const struct grade_case sampled = b->cases[at];
    const uint32_t blocks = sampled.grid < MAX_BLOCKS ? sampled.grid : MAX_BLOCKS;
    const uint32_t odd =
        sampled.n % ROUND; /* number of elements beyond whole rounds, which is the same for all sizes */
    const struct {
        uint32_t n, grid;
    } whole[] = {{(1u << 22) + odd, blocks},
                 {(1u << 25) + odd % 32, BLOCKS},
                 {(1u << 29) + ROUND + odd - (odd > ROUND / 2 ? ROUND : 0), BLOCKS},
                 {sampled.n, sampled.grid}};
    for (unsigned k = 0; k < sizeof whole / sizeof *whole; k++) {
        struct grade_case c = sampled;
        struct outcome o = {0};
        c.n = whole[k].n, c.grid = whole[k].grid;
        /* budget: 16 instructions per 32 elements (more for products), plus a tree per warp */
        const uint64_t warps = (uint64_t)case_blocks(&c, c.n, 0) * sampled.block / 32,
                       likely = whole[k].n / (sampled.kernel->halves ? 1 : 2) + 128 * warps;
        if (whole[k].n > sampled.n || b->work < likely) continue;
        case_run_whole(b->j, &c, b->work, &o);
        b->work -= outcome_is_endless(&o) ? b->work : likely;
        const bool wrong = o.kind == OUTCOME_WRONG || o.kind == OUTCOME_SETUP;
        if (o.unwritten && b->outcomes[at].unwritten) /* keep the outcome of the sample, which shows the same failure */
            outcome_free(&o);
        else
            outcome_free(&b->outcomes[at]), b->outcomes[at] = o, b->cases[at] = c;
        if (wrong) return true;
    }
    return false;
}
/* Returns a smaller n that ends at the same position in a round of the grid, so that the same blocks take the elements
 * after the last whole round. `more` is the number of rounds to add. If a single round is too large, returns about n /
 * 16 or, if the kernel's input consists of halves, 0. */
static uint32_t fewer_elements(const struct grade_case *c, unsigned more) {
    const uint64_t round = (uint64_t)case_blocks(c, c->n, 0) * c->block * (ROUND / SIM_WARP),
                   n = c->n - (c->n - CASE_MAX_WHOLE - 1) / round * round + more * round;
    if (n <= c->n / 2) return (uint32_t)n;
    return c->kernel->halves ? 0 : c->n / 16 + c->n % ROUND;
}
static bool is_right(const struct batch *b, const struct grade_case *c) {
    struct outcome o = {0};
    case_run(b->j, &b->j->student, c, b->what, &o);
    const bool right = o.kind == OUTCOME_RIGHT;
    outcome_free(&o);
    return right;
}
/* Returns whether the sample is correct with fewer blocks, if it has very many, or with fewer elements, since a correct
 * kernel divides the elements in the same way for every n and every number of blocks. Tries several numbers of rounds,
 * because a wrong kernel can be correct with one of them by chance, for example if it takes three rounds at a time. */
static bool right_with_fewer(struct batch *b, unsigned at) {
    enum { BLOCKS = 1 << 10 };
    uint32_t before = 0;
    bool right = true;
    struct grade_case all = b->cases[at], fewer;
    if (all.grid > BLOCKS) {
        all.grid = BLOCKS;
        if (is_right(b, &all)) return true;
    }
    for (unsigned more = 0; right && more < 3; more++) {
        fewer = all, fewer.n = fewer_elements(&all, more);
        if (!case_is_sampled(&fewer)) return false;
        if (fewer.n == before) break; /* fewer.n is n / 16, which has already run */
        before = fewer.n, right = is_right(b, &fewer);
    }
    return right;
}
/* Returns whether all whole runs of the kernel are correct. */
static bool right_as_a_whole(struct batch *b, const struct lab_kernel *kernel) {
    unsigned at = b->count;
    for (unsigned k = 0; k < b->count; k++) {
        if (b->cases[k].kernel != kernel || !is_open(b, k)) continue;
        if (takes_nothing(b, k)) return false;
        if (at == b->count || b->cases[k].n % ROUND > b->cases[at].n % ROUND) at = k;
    }
    if (at == b->count) return true;
    if (right_with_fewer(b, at) || wrong_as_a_whole(b, at)) return false;
    for (unsigned k = 0; k < b->count; k++)
        if (b->cases[k].kernel == kernel && (k == at || is_open(b, k))) b->outcomes[k].kind = OUTCOME_RIGHT;
    return true;
}
/* Drops skipped cases and the cases beyond the limit of work. Keeps a case if the cases before it in the list stayed
 * within the limit, so the number and speed of the cores do not matter. */
static void forget_late(struct batch *b) {
    uint64_t before = 0;
    bool wrong = false;
    for (unsigned k = 0; k < b->count; k++) {
        struct outcome *o = &b->outcomes[k];
        const uint64_t own = was_run(o) ? o->effort : 0;
        const bool late = is_late(b, before, wrong);
        before += own, wrong |= proves_wrong(b, k);
        if (was_run(o) && late) outcome_free(o), o->kind = OUTCOME_NOT_RUN;
    }
}
/* Runs the cases of one size class. Returns whether these and all earlier cases are correct. */
static bool run_size(struct batch *b, enum size size, const unsigned end[SIZES]) {
    b->count = end[size], b->at_once = size == SMALL ? DEVICE_AT_ONCE : 1;
    b->next = size == SMALL ? 0 : end[size - 1];
    run_on_all_cores(b, work);
    forget_late(b);
    for (unsigned k = 0; k < b->count; k++)
        if (b->outcomes[k].kind != OUTCOME_RIGHT) return false;
    return true;
}
static void run_all(struct batch *b, const unsigned end[SIZES]) {
    const struct judge *own = b->j;
    struct judge brief = *own; /* after a wrong large case, limit a sample to several times the work of correct ones */
    brief.most = 1 << 24;
    b->work = MAX_WORK, b->most = own->options->case_work ? own->options->case_work : most_case_work;
    for (unsigned k = 0; k < b->count; k++) b->outcomes[k].kind = OUTCOME_NOT_RUN;
    b->count = end[SMALL];
    for (unsigned k = 0; k < own->lab->kernel_count; k++) skip_endless(b, &own->lab->kernels[k]);
    if (!run_size(b, SMALL, end)) return;
    if (!run_size(b, LARGE, end)) b->j = &brief, b->work = MAX_WORK / OF_WRONG;
    run_size(b, SAMPLED, end);
    b->j = own;
    for (unsigned k = 0; k < own->lab->kernel_count && right_as_a_whole(b, &own->lab->kernels[k]); k++) continue;
}

static void complete(struct batch *b) {
    bool wrong = false;
    for (unsigned k = 0; k < b->count; k++) wrong |= is_wrong(&b->outcomes[k]);
    b->next = 0;
    if (wrong) run_on_all_cores(b, run_rest_in_full);
}

/* Orders findings by rank, the most severe kind first. */
static int by_rank(const void *a, const void *b) {
    const json_int_t x = json_integer_value(json_object_get(*(json_t *const *)a, "rank")),
                     y = json_integer_value(json_object_get(*(json_t *const *)b, "rank"));
    return x < y ? -1 : x > y;
}
/* Collects the findings of all cases. If multiple cases have the same finding, prefers one with a nonempty input,
 * because its replay shows more. */
static json_t *collect_findings(const struct batch *b) {
    enum { LITTLE = 2 };
    json_t *all = json_array(), *sorted = json_array();
    for (unsigned k = 0; k < 2 * b->count; k++) { /* cases with n >= LITTLE come first, then the smaller ones */
        const unsigned at = k % b->count;
        const struct finding_list *l = &b->outcomes[at].measurement.findings;
        if ((b->cases[at].n >= LITTLE) != (k < b->count)) continue;
        json_t *own = json_array();
        for (unsigned n = 0; n < l->count; n++)
            if (!l->item[n].kind->runs_out || !case_is_large(&b->cases[at])) /* the kernel is slow but terminates */
                json_array_append_new(own, finding_json(b->j, &l->item[n], &b->cases[at]));
        findings_merge(all, own);
        json_decref(own);
    }
    const size_t n = json_array_size(all);
    json_t **order = calloc(n + 1, sizeof(json_t *));
    for (size_t k = 0; order && k < n; k++) order[k] = json_array_get(all, k);
    if (order) qsort(order, n, sizeof *order, by_rank);
    for (size_t k = 0; order && k < n && k < 20; k++) json_array_append(sorted, order[k]);
    free(order);
    json_decref(all);
    return sorted;
}

/* Demonstrates the races among the findings, on the smallest launches that have them or, failing that, on the cases of
 * the batch. */
static void show_races(const struct batch *b, json_t *findings, const struct example *small, unsigned count) {
    struct grade_case *cases = calloc(count + b->count + 1, sizeof *cases);
    struct outcome *outcomes = calloc(count + b->count + 1, sizeof *outcomes);
    for (unsigned k = 0; cases && outcomes && k < count + b->count; k++) {
        cases[k] = k < count ? small[k].c : b->cases[k - count];
        outcomes[k] = k < count ? small[k].o : b->outcomes[k - count];
    }
    if (cases && outcomes) judge_witness(b->j, &(struct witness_cases){cases, outcomes, count + b->count}, findings);
    free(cases), free(outcomes);
}
/* Returns the collected findings, each with the smallest launch that has it. */
static json_t *explained_findings(const struct batch *b) {
    enum { MAX_SMALL = 8 };
    struct example small[MAX_SMALL];
    json_t *findings = collect_findings(b);
    bool endless = b->count == 1;
    for (unsigned k = 0; k < b->count; k++) endless |= outcome_is_endless(&b->outcomes[k]);
    const unsigned count = endless ? 0 : example_of_findings(b->j, findings, b->what, small, MAX_SMALL);
    if (b->what & MEASURE_RACES && json_array_size(findings)) show_races(b, findings, small, count);
    for (unsigned k = 0; k < count; k++) example_free(&small[k]);
    return findings;
}

/* Prints a message such as "; 12 more cases were not run, ..." and returns the number of cases that were not run. */
static unsigned not_run(const struct batch *b, char *out, size_t size) {
    unsigned late = 0, skipped = 0, wrong = 0;
    for (unsigned k = 0; k < b->count; k++)
        late += b->outcomes[k].kind == OUTCOME_NOT_RUN, skipped += b->outcomes[k].kind == OUTCOME_SKIPPED,
            wrong += is_wrong(&b->outcomes[k]);
    out[0] = 0;
    enum { MILLION = 1000000 };
    const uint64_t limit = most_work(b, wrong);
    const bool large = limit >= 10 * MILLION;
    if (late)
        snprintf(out, size,
                 "; %u more cases were not run, because the earlier cases had already executed more than "
                 "%llu%s %s",
                 late, (unsigned long long)(large ? limit / MILLION : limit), large ? " million" : "",
                 terms_choose(judge_taught(b->j), "warp-instructions", "instructions, each for 32 threads"));
    else if (skipped)
        snprintf(out, size, "; %u more cases were not run, because the kernel does not end", skipped);
    return late + skipped;
}
static void free_batch(struct batch *b) {
    for (unsigned k = 0; k < b->count; k++)
        if (was_run(&b->outcomes[k])) outcome_free(&b->outcomes[k]);
    free(b->outcomes);
    free(b->cases);
}
/* Runs the cases of the current check. */
static bool start_batch(struct batch *b, struct judge *j, unsigned what, json_t *result) {
    *b = (struct batch){.j = j, .what = what, .brief = what & MEASURE_RACES ? what : MEASURE_FAULTS};
    struct grade_case *cases = case_list(j, j->check->kind->cases, &b->count);
    b->cases = cases;
    b->outcomes = calloc(b->count + 1, sizeof *b->outcomes);
    unsigned end[SIZES];
    if (!b->cases || !b->outcomes || !sort_by_size(cases, b->count, end)) {
        result_setup(result, "out of memory");
        return false;
    }
    run_all(b, end);
    complete(b);
    json_object_set_new(result, "cases", json_integer(b->count));
    json_object_set_new(result, "endless", json_integer((json_int_t)b->endless));
    return true;
}

/* ---- results -------------------------------------------------------------------------------- */
/* Returns a kernel's output as a printable string. The output may contain any bytes. */
static json_t *printable(const char *text) {
    char copy[OUTCOME_PRINTED];
    size_t n = 0;
    for (; text[n]; n++)
        copy[n] = (text[n] >= ' ' && text[n] < 127) || text[n] == '\n' || text[n] == '\t' ? text[n] : '?';
    return json_stringn(copy, n);
}
/* ---- on a GPU, too -------------------------------------------------------------------------- */
/* Prints the GPU's result for a case that the simulator found wrong. */
static void wrong_on_gpu(struct batch *b, const struct grade_case *c, bool endless, char *out, size_t size) {
    struct outcome o;
    char got[100];
    out[0] = 0;
    if (!b->j->options->gpu || endless) return;
    case_run_on_gpu(b->j, c, &o);
    if (o.kind == OUTCOME_RIGHT)
        snprintf(out, size, "; on the GPU, the result of this run was right");
    else if (o.kind != OUTCOME_WRONG)
        snprintf(out, size, "; on the GPU: %.140s", o.message);
    else
        snprintf(out, size, "; on the GPU: got %s", o.unwritten ? "nothing" : outcome_got(c, &o, got, sizeof got));
    outcome_free(&o);
}
/* Reports a case that is wrong only on the GPU, together with the findings of the simulator in this case. */
static void only_gpu_wrong(struct batch *b, unsigned k, struct outcome *gpu, unsigned right, json_t *result) {
    struct batch one = {.j = b->j, .cases = &b->cases[k], .count = 1};
    struct outcome sim;
    char message[400], replay[PATH_MAX + 256], said[160] = "the simulator found nothing wrong in this case";
    wrong_describe(&b->cases[k], gpu, "", message, sizeof message);
    case_run(b->j, &b->j->student, &b->cases[k], MEASURE_RACES | MEASURE_MEMORY | MEASURE_BARRIERS, &sim);
    one.outcomes = &sim;
    json_t *findings = collect_findings(&one), *f = json_array_get(findings, 0);
    if (f)
        snprintf(said, sizeof said, "the simulator found: %.80s, line %lld",
                 json_string_value(json_object_get(f, "title")),
                 (long long)json_integer_value(json_object_get(json_object_get(f, "at"), "line")));
    outcome_free(&sim);
    result_fail(result, "wrong on the GPU after %u right cases; %s; %s", right, message, said);
    json_object_set_new(result, "wrong", json_integer(1));
    json_object_set_new(result, "replay", json_string(replay_command(b->j, &b->cases[k], replay, sizeof replay)));
    json_object_set_new(result, "findings", findings);
}
/* Runs the cases on the GPU, all of which are correct on the simulator. Stops at the first one that is wrong on the
 * GPU, because the process cannot use the GPU after a kernel fault. On failure, returns false and stores the reason in
 * `result`. */
static bool right_on_gpu(struct batch *b, json_t *result) {
    const double deadline = clock_seconds() + MAX_GPU_SECONDS;
    for (unsigned k = 0; b->j->options->gpu && k < b->count; k++) {
        struct outcome o;
        if (clock_seconds() > deadline) {
            json_object_set_new(
                result, "left_out",
                json_sprintf("%u cases on the GPU, because the first %u cases took more than %d seconds", b->count - k,
                             k, MAX_GPU_SECONDS));
            return true;
        }
        case_run_on_gpu(b->j, &b->cases[k], &o);
        const enum outcome_kind kind = o.kind;
        if (kind == OUTCOME_SETUP &&
            case_repeats(&b->cases[k])) { /* other processes use too much of the GPU's memory for this case */
            char name[200];
            json_object_set_new(
                result, "left_out",
                json_sprintf("%s on the GPU: %.200s", case_name(&b->cases[k], name, sizeof name), o.message));
            outcome_free(&o);
            continue;
        }
        if (kind == OUTCOME_SETUP)
            result_setup(result, "the GPU: %s; --device sim grades without the GPU", o.message);
        else if (kind != OUTCOME_RIGHT)
            only_gpu_wrong(b, k, &o, k, result);
        outcome_free(&o);
        if (kind != OUTCOME_RIGHT) return false;
    }
    return true;
}

static void set_classes(const struct batch *b, json_t *result) {
    struct classes c;
    char message[600 + CLASSES_TEXT];
    classes_of(b->cases, b->outcomes, b->count, judge_taught(b->j), &c);
    json_object_set_new(result, "classes", c.list);
    if (check_status_of(result) != STATUS_FAIL) return;
    result_share(result, lab_mark(b->j->lab, MARK_WRONG) * c.share);
    snprintf(message, sizeof message, "%s; %s", json_string_value(json_object_get(result, "message")), c.text);
    json_object_set_new(result, "message", json_string(message));
}
/* Returns whether `a` is the more instructive of two failures: the smaller one, unless its n is 0. */
static bool plainer(const struct grade_case *a, const struct grade_case *b) { return a->n && (!b->n || a->n < b->n); }
static const char *left_out(const json_t *result) {
    const char *text = json_string_value(json_object_get(result, "left_out"));
    return text ? text : "";
}
void judge_results(struct judge *j, json_t *result) {
    struct batch b;
    unsigned wrong = 0, first = 0;
    char message[600], rest[200], there[200];
    const char *where = j->options->gpu ? ", on the GPU too" : "";
    if (!start_batch(&b, j, MEASURE_MEMORY | MEASURE_BARRIERS, result)) return;
    for (unsigned k = 0; k < b.count; k++) {
        if (b.outcomes[k].kind == OUTCOME_SETUP) {
            result_setup(result, "%s", b.outcomes[k].message);
            free_batch(&b);
            return;
        }
        if (b.outcomes[k].kind == OUTCOME_RIGHT || !was_run(&b.outcomes[k])) continue;
        if (!wrong++ || plainer(&b.cases[k], &b.cases[first])) first = k;
    }
    const unsigned more = not_run(&b, rest, sizeof rest);
    if (b.count == 1 && b.outcomes[0].printed && b.outcomes[0].printed[0])
        json_object_set_new(result, "printed", printable(b.outcomes[0].printed));
    if (!b.count)
        result_skip(result, "no case of this check was selected");
    else if (!wrong && !more) {
        if (!right_on_gpu(&b, result)) /* right_on_gpu() has set the result */
            ;
        else if (b.count == 1)
            result_pass(result, "the case is right%s", where);
        else
            result_pass(result, "all %u cases right%s%s%s", b.count, where,
                        json_object_get(result, "left_out") ? "; left out: " : "", left_out(result));
    } else if (!wrong)
        result_fail(result, "%u cases right%s", b.count - more, rest);
    else {
        const struct wrong_cases all = {b.cases, b.outcomes, b.count, first};
        struct grade_case shown;
        void *values;
        wrong_explain(j, &all, result, &shown, &values, message, sizeof message);
        wrong_on_gpu(&b, &shown, outcome_is_endless(&b.outcomes[first]), there, sizeof there);
        result_fail(result, "%u of %u cases wrong%s; %.420s%s", wrong, b.count - more, rest, message, there);
        json_object_set_new(result, "wrong", json_integer(wrong));
        json_object_set_new(result, "findings", explained_findings(&b));
        free(values);
    }
    if (b.count && !judge_is_replay(j)) set_classes(&b, result);
    free_batch(&b);
}
/* ---- findings ------------------------------------------------------------------------------- */
static const struct outcome *first_of(const struct batch *b, enum outcome_kind kind) {
    for (unsigned k = 0; k < b->count; k++)
        if (b->outcomes[k].kind == kind) return &b->outcomes[k];
    return NULL;
}
void judge_findings(struct judge *j, json_t *result) {
    struct batch b;
    if (!start_batch(&b, j, MEASURE_RACES | MEASURE_MEMORY | MEASURE_BARRIERS, result)) return;
    char rest[200];
    json_t *findings = explained_findings(&b);
    const size_t n = judge_count_errors(findings), warnings = json_array_size(findings) - n;
    const unsigned more = not_run(&b, rest, sizeof rest);
    const struct outcome *setup = first_of(&b, OUTCOME_SETUP), *stopped = first_of(&b, OUTCOME_STOPPED);
    if (setup)
        result_setup(result, "%s", setup->message);
    else if (!b.count)
        result_skip(result, "no case of this check was selected");
    else if (!n && stopped)
        result_fail(result, "no finding, but a case did not finish: %.300s", stopped->message);
    else if (!n && more)
        result_fail(result, "none in %u cases%s", b.count - more, rest);
    else if (!n && warnings)
        result_pass(result, "no error in %u case%s, but %zu other finding%s", b.count, b.count == 1 ? "" : "s",
                    warnings, warnings == 1 ? "" : "s");
    else if (!n)
        result_pass(result, "none in %u case%s", b.count, b.count == 1 ? "" : "s");
    else {
        json_t *f = json_array_get(findings, 0), *at = json_object_get(f, "at");
        result_fail(result, "%zu finding%s; first: %s, %s:%lld", n, n == 1 ? "" : "s",
                    json_string_value(json_object_get(f, "title")), json_string_value(json_object_get(at, "file")),
                    (long long)json_integer_value(json_object_get(at, "line")));
        json_object_set(result, "replay", json_object_get(f, "replay"));
    }
    if (b.count && check_status_of(result) == STATUS_FAIL)
        result_share(result, 1.0 / (1 + (double)judge_count_causes(findings)));
    json_object_set_new(result, "findings", findings);
    free_batch(&b);
}
