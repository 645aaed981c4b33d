/* Runs cases: makes a plan for each, submits the plans to a device, and compares the results. See judge.h. */
#include "base/cores.h"
#include "base/hash.h"
#include "device/advance.h"
#include "judge/case_again.h"
#include "judge/case_large.h"
#include "judge/case_plan.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    ON_ALL_CORES = 1 << 17 /* a case with at least this many elements runs on all cores; smaller cases run in parallel,
                              one per core */
};
static const uint64_t launch_budget =
    UINT64_C(1) << 22; /* in warp-instructions, without budget_for(); far more than a correct small case executes */
/* Budget of the additional runs for the report's pictures. It is small, because the checks have already reported
 * whether the kernel terminates. */
static const uint64_t drawing_budget = UINT64_C(1) << 18;

/* A case in progress, with its inputs and its result. */
struct running {
    const struct grade_case *c;
    struct outcome *o;
    const struct own *own; /* the student's own operator, if it is the case's variant; otherwise NULL */
    const char *symbol,
        *symbols[LAB_STEPS]; /* symbol: PTX name of the case's kernel; symbols: of all kernels that its launches use */
    size_t size;             /* of an element, in bytes */
    struct sim_schedule schedule;
    unsigned what, repeats;    /* repeats: as in struct case_launches */
    bool sampled;              /* only sampled blocks run (case_large.h) */
    void *data, *factor[2];    /* data: all sets of elements; factor: if the kernel has two inputs, the factors of these
                                  elements */
    unsigned sets;             /* number of sets in `data` (case_sets()) */
    struct case_arrays arrays; /* FINISH_ARRAYS */
    const void *inputs[2];
    void *outputs;
    struct plan plan;
};

/* ---- outcomes --------------------------------------------------------------------------------- */
/* Sets the outcome's message to the device's. Replaces the kernel's PTX name in it with the name in the source. */
static void say_failure(struct running *r, enum device_status s, const char *message) {
    const char *at = r->symbol ? strstr(message, r->symbol) : NULL;
    r->o->kind = s == DEVICE_SUBMISSION ? OUTCOME_STOPPED : OUTCOME_SETUP;
    snprintf(r->o->message, sizeof r->o->message, "%.*s%s%s", at ? (int)(at - message) : (int)strlen(message), message,
             at ? r->c->kernel->name : "", at ? at + strlen(r->symbol) : "");
}
/* Returns an upper bound for the number of additions between an element and the total: those in a thread's loop and in
 * a sequential sum of the partials, plus twice the height of a tree over all elements. */
static uint64_t depth_of(const struct grade_case *c) {
    uint64_t depth = 1;
    if (c->kernel->one_block) depth += c->n / (c->kernel->serial ? 1 : c->block);
    if (c->kernel->grid_stride) depth += c->n / c->block / c->grid + c->grid;
    for (uint64_t n = c->n; n > 1; n = (n + 1) / 2) depth += 2;
    return depth + 8;
}
/* Returns the set of elements that run k uses. */
static const char *set_of(const struct running *r, unsigned k) {
    return (const char *)r->data + (size_t)(k % r->sets) * case_given(r->c) * r->size;
}
/* Compares the outcome's value with the reduction of the first n elements on the host. */
static void compare(const struct grade_case *c, const void *data, uint32_t n, struct outcome *o) {
    o->expected = case_repeats(c) ? case_range(c, data, 0, n) : reference_reduce(c->variant, data, n);
    o->bound = data_kinds[c->data].bounded ? tolerance_bound(c->variant, data, n, depth_of(c)) : 0;
    const bool near = data_kinds[c->data].bounded && fabs(reference_double(c->variant, o->got) -
                                                          reference_double(c->variant, o->expected)) <= o->bound;
    o->kind =
        !o->unwritten && (near || reference_equal(c->variant, o->got, o->expected)) ? OUTCOME_RIGHT : OUTCOME_WRONG;
}

/* Compares the result, whose bytes are at `got`, with the total that the student's own operator computes. */
static void compare_own(struct running *r, const void *got, unsigned launch, uint32_t n) {
    const void *expected = own_total(r->own, launch % r->sets, n);
    bool same = !memcmp(got, expected, r->size);
    char why[200];
    r->o->unwritten = device_is_poison(got, r->size);
    if (!same && !own_same(r->own, got, expected, &same, why, sizeof why)) same = false;
    r->o->kind = same && !r->o->unwritten ? OUTCOME_RIGHT : OUTCOME_WRONG;
    if (same || r->o->unwritten) return;
    own_print(r->own, got, r->o->got_text, sizeof r->o->got_text);
    own_print(r->own, expected, r->o->expected_text, sizeof r->o->expected_text);
}
bool outcome_may_be_copied(const struct outcome *o) {
    const struct finding_list *l = &o->measurement.findings;
    for (unsigned k = 0; k < l->count; k++)
        if (!strncmp(l->item[k].kind->key, "uninitialized", strlen("uninitialized"))) return o->unwritten;
    return false;
}
const char *outcome_got(const struct grade_case *c, const struct outcome *o, char *out, size_t size) {
    if (!variant_is_own(c->variant)) return reference_print(c->variant, o->got, out, size);
    snprintf(out, size, "%s", o->got_text);
    return out;
}
const char *outcome_expected(const struct grade_case *c, const struct outcome *o, char *out, size_t size) {
    if (!variant_is_own(c->variant)) return reference_print(c->variant, o->expected, out, size);
    snprintf(out, size, "%s", o->expected_text);
    return out;
}

/* Checks value k that the sample's plan reads. If blocks may divide the input in any way, only the total of the
 * partials can be checked. */
static void judge_sample(struct running *r, unsigned k, const void *got) {
    const struct grade_case *c = r->c;
    struct outcome *o = r->o;
    const bool total = c->kernel->grid_stride;
    const union value x = reference_load(c->variant, got, 0);
    o->got = total && k ? reference_combine(c->variant, o->got, x) : x;
    o->unwritten = device_is_poison(got, r->size), o->kind = OUTCOME_RIGHT;
    const bool of_blocks = case_runs_sample_alone(c) || case_has_segments(c->kernel);
    if (o->unwritten && of_blocks && c->kernel->finish != FINISH_ATOMIC && r->plan.read[k].shape == PLAN_ONE_VALUE) {
        uint32_t blocks[CASE_SAMPLE];
        case_sample(c, blocks);
        o->unwritten_at = blocks[k];
    }
    if (total && !o->unwritten && c->kernel->finish != FINISH_ITSELF && k + 1 < r->plan.reads) return;
    const bool right = case_sample_fits(c, r->data, k, o->got, &o->expected, &o->place);
    o->kind = right && !o->unwritten ? OUTCOME_RIGHT : OUTCOME_WRONG;
}
/* Checks the combination of the partials that the sampled blocks wrote, if there are any. Skips min and max, for which
 * two different shares of the elements often have the same result. */
static void judge_sampled_partials(struct running *r, const struct device_run *run) {
    const struct grade_case *c = r->c;
    struct outcome *o = r->o;
    bool written = false;
    o->got = reference_identity(c->variant), o->launch = 1;
    for (unsigned k = 0; k < run->reads; k++) {
        const char *got = (const char *)r->outputs + plan_read_at(&r->plan, k);
        if (device_is_poison(got, r->size)) continue;
        written = true, o->got = reference_combine(c->variant, o->got, reference_load(c->variant, got, 0));
    }
    const bool known = written && !variant_chooses(c->variant);
    const bool right = !known || case_sample_fits(c, r->data, 0, o->got, &o->expected, &o->place);
    o->kind = right ? OUTCOME_RIGHT : OUTCOME_WRONG;
}
/* Checks the total of the first n elements of run `launch`. */
static void judge_total(struct running *r, const void *got, unsigned launch, uint32_t n) {
    if (r->own) {
        compare_own(r, got, launch, n);
        return;
    }
    memcpy(&r->o->got, got, r->size);
    r->o->unwritten = device_is_poison(got, r->size);
    compare(r->c, set_of(r, launch), n, r->o);
}
/* FINISH_LEVELS: checks data[0] and, if it is right, the other elements that the plan reads. For these, performs the
 * launches on the first `count` elements. Later elements affect only data[0]. */
static void judge_levels(struct running *r, const char *got, uint32_t count, unsigned launch, uint32_t n) {
    const struct variant v = r->c->variant;
    const struct grade_case given = case_launch(r->c, launch);
    const uint64_t end = UINT64_C(1) << case_levels(&given); /* end of the elements that are combined into data[0] */
    struct outcome *o = r->o;
    judge_total(r, got, launch, end < n ? (uint32_t)end : n);
    if (o->kind != OUTCOME_RIGHT || r->own || data_kinds[r->c->data].bounded) return;
    char *levels = malloc(count * r->size);
    if (levels) memcpy(levels, set_of(r, launch), count * r->size);
    for (uint32_t stride = 1; levels && stride < count && stride < end; stride *= 2)
        for (uint32_t k = 0; k + stride < count; k += 2 * stride)
            reference_store(v, levels, k,
                            reference_combine(v, reference_load(v, levels, k), reference_load(v, levels, k + stride)));
    if (!levels) o->kind = OUTCOME_SETUP, snprintf(o->message, sizeof o->message, "out of memory");
    for (uint32_t k = 1; levels && k < count && o->kind == OUTCOME_RIGHT; k++) {
        const union value x = reference_load(v, got, k), expected = reference_load(v, levels, k);
        if (!reference_equal(v, x, expected)) o->kind = OUTCOME_WRONG, o->place = k, o->got = x, o->expected = expected;
    }
    free(levels);
}
/* Combines `count` partials from left to right. Compares the total with the result for the first n elements. */
static void fold_own(struct running *r, const void *partials, uint32_t count, unsigned launch, uint32_t n) {
    uint8_t total[OWN_BYTES];
    if (own_fold(r->own, partials, count, total, r->o->message, sizeof r->o->message))
        compare_own(r, total, launch, n);
    else
        r->o->kind = OUTCOME_STOPPED;
}
static void judge_partials(struct running *r, const char *partials, uint32_t count, unsigned launch, uint32_t n) {
    const struct grade_case *c = r->c;
    for (uint32_t k = count; k-- > 0;)
        if (device_is_poison(partials + k * r->size, r->size)) r->o->unwritten = true, r->o->unwritten_at = k;
    if (r->own && !r->o->unwritten) fold_own(r, partials, count, launch, n);
    r->o->got = reference_identity(c->variant);
    for (uint32_t k = 0; !r->own && k < count; k++)
        r->o->got = reference_combine(c->variant, r->o->got, reference_load(c->variant, partials, k));
    if (r->own) return;
    const union value total = r->o->got;
    if (r->sampled)
        judge_sample(r, 0, &total);
    else
        compare(c, set_of(r, launch), n, r->o);
    for (uint32_t k = count - c->spare; k < count && r->o->kind == OUTCOME_RIGHT; k++) {
        const union value nothing = reference_identity(c->variant), got = reference_load(c->variant, partials, k);
        if (reference_equal(c->variant, got, nothing)) continue;
        r->o->kind = OUTCOME_WRONG, r->o->place = k, r->o->got = got, r->o->expected = nothing;
    }
}
/* Checks output k of FINISH_ARRAYS. */
static void judge_array(struct running *r, unsigned k, const char *got) {
    struct outcome *o = r->o;
    const bool right = case_arrays_compare(&r->arrays, r->c, k, got, &o->fault);
    o->kind = right ? OUTCOME_RIGHT : OUTCOME_WRONG;
    o->got = o->fault.got, o->expected = o->fault.expected, o->unwritten = o->fault.unwritten;
}
/* Checks the reads in order, up to the first wrong value. */
static void judge_all_reads(struct running *r, const struct device_run *run) {
    const bool again = r->c->kernel->finish == FINISH_ITSELF || r->repeats > 1,
               arrays = r->c->kernel->finish == FINISH_ARRAYS;
    const unsigned reads = r->sampled && case_shows_partials(r->c) ? 0 : run->reads;
    r->o->kind = OUTCOME_RIGHT;
    if (reads < run->reads) judge_sampled_partials(r, run);
    for (unsigned k = 0; k < reads && r->o->kind == OUTCOME_RIGHT; k++) {
        const struct plan_read *read = &r->plan.read[k];
        const char *got = (const char *)r->outputs + plan_read_at(&r->plan, k);
        const unsigned launch = again ? k : 0;
        const uint32_t n = case_launch(r->c, launch).n;
        r->o->kind = OUTCOME_WRONG, r->o->launch = again ? k + 1 : 0;
        if (arrays)
            judge_array(r, k, got);
        else if (read->shape == PLAN_ONE_A_BLOCK)
            judge_partials(r, got, (uint32_t)read->count, launch, n);
        else if (r->sampled && launch == 0)
            judge_sample(r, k, got);
        else if (read->shape == PLAN_ARRAY)
            judge_levels(r, got, (uint32_t)read->count, launch, n);
        else
            judge_total(r, got, launch, n);
    }
    if (r->o->kind != OUTCOME_RIGHT || run->status == DEVICE_OK) return;
    if (again) r->o->launch = run->reads + 1;
    say_failure(r, run->status, run->error.message);
}
/* If launches were skipped, no counter can reach its target in the next two launches. If one of these is wrong, the
 * counters do not advance as assumed, so the case proves nothing. */
static void judge_reads(struct running *r, const struct device_run *run) {
    struct outcome *o = r->o;
    judge_all_reads(r, run);
    if (!r->c->wrap || o->kind == OUTCOME_RIGHT || o->kind == OUTCOME_SETUP) return;
    if (o->launch <= ADVANCE_AFTER || (o->launch - 1 - ADVANCE_AFTER) % ADVANCE_BETWEEN >= 2) return;
    o->kind = OUTCOME_RIGHT, o->launch = 0, o->measurement.findings.count = 0;
}

/* ---- running ------------------------------------------------------------------------------------ */
/* Figures of a single run of the plan. */
enum { OF_A_LAUNCH = MEASURE_COUNTS | MEASURE_BLOCK_TIME };
/* Returns the number of times that the plan runs: 1 for figures of a launch, and for a large case without its own
 * number of launches. */
static unsigned launches_of(const struct grade_case *c, unsigned what) {
    return (what & OF_A_LAUNCH) || (case_is_large(c) && !c->launches) ? 1 : case_launches(c);
}
static bool make_data(struct running *r) {
    const struct grade_case *c = r->c;
    if (c->kernel->finish == FINISH_ARRAYS) return case_arrays_draw(&r->arrays, c);
    const uint32_t given = case_given(c);
    const size_t all = (size_t)given * r->sets + 1, bytes = (size_t)given * r->size;
    r->data = calloc(all, r->size);
    for (unsigned k = 0; k < 2 && c->kernel->second; k++)
        if (!(r->factor[k] = calloc(all, r->size))) return false;
    if (!r->data) return false;
    for (unsigned set = 0; set < r->sets; set++) {
        char *to = (char *)r->data + set * bytes;
        if (r->own)
            memcpy(to, own_elements(r->own, set), bytes);
        else if (set)
            case_renew(c, set, to - bytes, to);
        else
            case_draw(c, to, given);
        if (c->kernel->second)
            case_factors(c, given, to, (char *)r->factor[0] + set * bytes, (char *)r->factor[1] + set * bytes);
    }
    r->inputs[0] = c->kernel->second ? r->factor[0] : r->data, r->inputs[1] = r->factor[1];
    return true;
}
static void set_choice(struct plan *p, const struct program *program) {
    struct plan_buffer b = {.element = sizeof program->choice, .length = 1, .fill = PLAN_REPEAT};
    memcpy(b.value, &program->choice, sizeof program->choice);
    plan_add_variable(p, program->variable, b);
}
/* Prepares a case. On failure, returns false and stores the reason in the outcome's message. */
static bool prepare(struct running *r, const struct program *program) {
    const struct grade_case *c = r->c;
    struct outcome *o = r->o;
    o->kind = OUTCOME_SETUP;
    if (r->own && c->n > OWN_ELEMENTS)
        return snprintf(o->message, sizeof o->message, "your own operator supports at most %d elements", OWN_ELEMENTS),
               false;
    if (!r->symbol) {
        o->kind = OUTCOME_STOPPED;
        snprintf(o->message, sizeof o->message,
                 "the file has no kernel `%s`: keep __global__, its name and its parameters as in the skeleton",
                 c->kernel->name);
        return false;
    }
    r->sets = case_sets(c, r->repeats);
    plan_of_judged(&r->plan, c, r->symbols, r->repeats, r->sampled);
    if (program->variable) set_choice(&r->plan, program);
    r->outputs = r->plan.failed ? NULL : calloc(1, plan_read_at(&r->plan, r->plan.reads) + sizeof(union value));
    if (r->outputs && make_data(r)) return true;
    return snprintf(o->message, sizeof o->message, "out of memory"), false;
}
/* Returns the additional budget for `places` elements or threads: enough for one thread to process all of them. The
 * first MANY get a generous share each, and the others what a simple loop needs. */
static uint64_t budget_for(uint64_t places) {
    enum { MANY = 1 << 17, EACH = 64, EACH_OF_MANY = 16 };
    return places <= MANY ? EACH * places : EACH * (uint64_t)MANY + EACH_OF_MANY * (places - MANY);
}
/* Returns the default limit on warp-instructions per launch. */
static uint64_t usual_budget(const struct running *r, uint64_t budget) {
    const struct grade_case *c = r->c;
    uint32_t blocks[CASE_SAMPLE];
    if (r->what & (MEASURE_MOVES | MEASURE_ACCESSES)) return drawing_budget + 64 * (uint64_t)c->n;
    const uint64_t threads = (uint64_t)case_blocks(c, c->n, 0) * c->block;
    if (!r->sampled && c->n > CASE_MAX_WHOLE) return budget;
    if (!r->sampled) return budget + budget_for(c->n > threads ? c->n : threads);
    /* a block's warps share its elements; a right kernel executes less than one warp-instruction for each */
    enum { SHARED_BY = 4 };
    const uint64_t each = c->kernel->grid_stride ? c->n / c->grid / SHARED_BY : 2 * c->block;
    return budget + budget_for(each * case_sample(c, blocks));
}
static uint64_t budget_of(const struct judge *j, const struct running *r) {
    const uint64_t usual = usual_budget(r, j->budget ? j->budget : launch_budget);
    return j->most && j->most < usual ? j->most : usual;
}
const char *program_symbol(const struct judge *j, const struct program *p, const char *name, struct variant v) {
    for (unsigned k = 0; p->symbol && k < j->lab->kernel_count; k++) {
        const char *symbol = p->symbol[k * VARIANT_COUNT + variant_index(v)];
        if (symbol && !strcmp(j->lab->kernels[k].name, name)) return symbol;
    }
    return NULL;
}
const struct named *program_named(const struct judge *j, const char *name, struct variant v) {
    const struct program *p = &j->student;
    for (unsigned k = 0; p->named && k < j->lab->kernel_count; k++) {
        const unsigned at = k * VARIANT_COUNT + variant_index(v);
        if (p->symbol[at] && !strcmp(j->lab->kernels[k].name, name)) return &p->named[at];
    }
    return NULL;
}
/* Finds the PTX names of all kernels that the case launches. Returns the first name, or NULL if the file lacks one of
 * the kernels. */
static const char *find_symbols(const struct judge *j, const struct program *program, const struct grade_case *c,
                                const char *symbols[LAB_STEPS]) {
    const char *names[LAB_STEPS];
    const unsigned count = case_kernels(c->kernel, names);
    for (unsigned k = 0; k < count; k++)
        if (!(symbols[k] = program_symbol(j, program, names[k], c->variant))) return NULL;
    return symbols[0];
}
static struct device_run run_of(const struct running *r, const struct device *device, struct device_module *module,
                                uint64_t budget) {
    const struct grade_case *c = r->c;
    return (struct device_run){.plan = &r->plan,
                               .module = {module},
                               .options = {.seed = c->seed ^ c->order,
                                           .shuffle = true,
                                           .schedule = r->schedule,
                                           .products = c->products,
                                           .no_exchange = c->no_exchange,
                                           .advance = c->wrap,
                                           .budget = budget,
                                           .cores = c->n >= ON_ALL_CORES ? cores_allowed() : 1},
                               .inputs = c->kernel->finish == FINISH_ARRAYS ? r->arrays.inputs : r->inputs,
                               .what = r->what,
                               .measured = device->measures ? &r->o->measurement : NULL,
                               .outputs = r->outputs,
                               .printed = r->o->printed,
                               .printed_room = OUTCOME_PRINTED};
}
static void free_running(struct running *r) {
    free(r->data), free(r->factor[0]), free(r->factor[1]), free(r->outputs);
    case_arrays_free(&r->arrays);
    plan_free(&r->plan);
}
/* A program and the device that runs its cases. */
struct bench {
    const struct judge *j;
    const struct program *program;
    const struct device *device;
    struct device_module *const *modules;
    uint32_t block, launch; /* the block and the launch to observe */
    bool whole;             /* run all blocks, even if normally only a sample runs */
};
/* Returns the number of warp-instructions after which another block continues, or 0 for long turns. If a kernel
 * accesses what other blocks change more than once, as in a compare-and-swap loop, half of its small launches have
 * turns so short that other blocks run between these accesses. Observed launches do not, because such a loop then takes
 * more steps. */
static uint32_t turn_of(const struct bench *b, const struct grade_case *c, unsigned what) {
    enum { MOST_THREADS = 1 << 13, LONGEST = 4 };
    const unsigned plain = MEASURE_RACES | MEASURE_MEMORY | MEASURE_BARRIERS | MEASURE_FAULTS;
    const struct named *code =
        b->program == &b->j->student && !b->j->own ? program_named(b->j, c->kernel->name, c->variant) : NULL;
    if (!code || !code->revisits || what & ~plain || c->n > MOST_THREADS || c->grid * c->block > MOST_THREADS) return 0;
    const uint64_t of[] = {c->seed, variant_index(c->variant), c->n, c->block, c->grid};
    const uint64_t random = hash_bytes(HASH_START, of, sizeof of) >> 16;
    return random % 2 ? 1 + random / 2 % LONGEST : 0;
}
/* Runs cases. `repeats` is as in struct case_launches; 0: each case's own number. */
static void run_on(const struct bench *b, const struct grade_case *const cases[], unsigned count, unsigned what,
                   unsigned repeats, struct outcome *const outcomes[]) {
    struct running running[DEVICE_AT_ONCE];
    struct device_run runs[DEVICE_AT_ONCE];
    unsigned ready[DEVICE_AT_ONCE], readies = 0;
    for (unsigned k = 0; k < count; k++) {
        const struct grade_case *c = cases[k];
        const unsigned variant = variant_index(c->variant);
        struct sim_schedule schedule = c->schedule.chosen ? c->schedule : b->j->options->schedule;
        if (!schedule.chosen) schedule.turn = turn_of(b, c, what);
        unsigned listens = schedule.stale
                               ? what | MEASURE_RACES
                               : what; /* the race probe finds loads without order, which may return stale values */
        if (listens) listens |= measure_in_words_of(judge_taught(b->j));
        memset(outcomes[k], 0, sizeof *outcomes[k]);
        outcomes[k]->measurement.what = listens;
        outcomes[k]->may_be_old = schedule.stale;
        if (b->j->options->only_case) outcomes[k]->printed = calloc(1, OUTCOME_PRINTED);
        running[k] = (struct running){.c = c,
                                      .o = outcomes[k],
                                      .own = variant_is_own(c->variant) ? b->j->own : NULL,
                                      .size = variant_size(c->variant),
                                      .what = listens,
                                      .schedule = schedule,
                                      .repeats = repeats ? repeats : launches_of(c, what),
                                      .sampled = case_is_sampled(c) && !b->whole && !(listens & MEASURE_BLOCK_TIME)};
        running[k].symbol = find_symbols(b->j, b->program, c, running[k].symbols);
        if (!prepare(&running[k], b->program)) continue;
        runs[readies] = run_of(&running[k], b->device, b->modules[b->program->text.of_variant[variant]],
                               budget_of(b->j, &running[k]));
        runs[readies].observed_block = b->block, runs[readies].observed_launch = b->launch;
        ready[readies++] = k;
    }
    b->device->run(runs, readies);
    for (unsigned k = 0; k < readies; k++) {
        struct outcome *o = running[ready[k]].o;
        judge_reads(&running[ready[k]], &runs[k]);
        o->work = runs[k].work, o->effort = runs[k].effort, o->exhausted = runs[k].work >= runs[k].options.budget;
    }
    for (unsigned k = 0; k < count; k++) free_running(&running[k]);
}
/* Measures the case again, up to its first wrong launch, because later launches add no information. The output is that
 * of this run. */
static void run_to_the_first_wrong(const struct bench *b, const struct grade_case *c, unsigned what,
                                   struct outcome *o) {
    const unsigned launches = o->launch;
    if (o->kind != OUTCOME_WRONG || !launches || launches >= launches_of(c, what)) return;
    outcome_free(o);
    run_on(b, &c, 1, what, launches, &o);
}
void cases_run(const struct judge *j, const struct program *program, const struct grade_case *const cases[],
               unsigned count, unsigned what, bool doubted, struct outcome *const outcomes[]) {
    const struct bench b = {j, program, program->device, program->module, 0, 0};
    const struct grade_case *rest[DEVICE_AT_ONCE] = {NULL};
    struct outcome *of_rest[DEVICE_AT_ONCE] = {NULL};
    unsigned left = 0;
    if (doubted) run_on(&b, cases, count, what, 1, outcomes);
    for (unsigned k = 0; k < count; k++) {
        if (doubted && (outcomes[k]->kind == OUTCOME_WRONG || launches_of(cases[k], what) == 1)) continue;
        if (doubted) outcome_free(outcomes[k]);
        rest[left] = cases[k], of_rest[left++] = outcomes[k];
    }
    run_on(&b, rest, left, what, 0, of_rest);
    for (unsigned k = 0; k < left; k++) run_to_the_first_wrong(&b, rest[k], what, of_rest[k]);
}
void case_run(const struct judge *j, const struct program *program, const struct grade_case *c, unsigned what,
              struct outcome *o) {
    cases_run(j, program, &c, 1, what, false, &o);
}
void case_run_whole(const struct judge *j, const struct grade_case *c, uint64_t most, struct outcome *o) {
    struct judge longer = *j;
    longer.budget = longer.most = most;
    run_on(&(struct bench){&longer, &j->student, j->student.device, j->student.module, .whole = true}, &c, 1, 0, 0, &o);
}
void case_observe(const struct judge *j, const struct grade_case *c, unsigned what, uint32_t launch, uint32_t block,
                  struct outcome *o) {
    const struct bench b = {j, &j->student, j->student.device, j->student.module, block, launch};
    run_on(&b, &c, 1, what, 0, &o);
    run_to_the_first_wrong(&b, c, what, o);
}
void case_run_on_gpu(const struct judge *j, const struct grade_case *c, struct outcome *o) {
    run_on(&(struct bench){j, &j->student, j->options->gpu, j->student.on_gpu, .whole = true}, &c, 1, 0, 0, &o);
}
_Static_assert(sizeof(struct outcome) <= 2 << 10, "struct outcome is too large: checks keep thousands of outcomes");
void outcome_free(struct outcome *o) {
    measure_free(&o->measurement);
    free(o->printed);
    o->printed = NULL;
}
