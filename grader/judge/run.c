/* Runs one case by the lab's launch plan and compares the result. See judge.h. */
#include "judge/judge.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ON_ALL_CORES = 1 << 17 /* elements; smaller cases run side by side, one on each core */ };
static const uint64_t launch_budget = UINT64_C(1)
                                      << 22; /* warp-instructions: over fifty times what any graded case needs */
/* Of a run that is only drawn: a kernel that does not end has been judged already. */
static const uint64_t drawing_budget = UINT64_C(1) << 18;

struct started {
    const struct device *device;
    struct device_session *session;
    struct device_error error;
    const struct grade_case *c;
    struct outcome *o;
    const struct own *own; /* the case's operator, or NULL */
    const char *symbol;
    size_t size;         /* of an element */
    void *data;          /* the elements */
    uint64_t in, second; /* addresses of them; of the kernel's second input, or 0 */
    bool last;           /* the next launch is the plan's last */
    unsigned launches;   /* FINISH_ITSELF: how many there are to be */
    uint64_t scratch;    /* FINISH_ITSELF: its buffer, or 0 */
    uint64_t out;        /* what is to be read next: the total, or count partials */
    uint32_t count;
    bool reads; /* there is */
};
/* The device knows a kernel by its name in PTX; the student by that in the source. */
static bool failed(struct started *r, enum device_status s) {
    if (s == DEVICE_OK) return false;
    const char *at = r->symbol ? strstr(r->error.message, r->symbol) : NULL;
    r->o->kind = s == DEVICE_SUBMISSION ? OUTCOME_STOPPED : OUTCOME_SETUP;
    snprintf(r->o->message, sizeof r->o->message, "%.*s%s%s",
             at ? (int)(at - r->error.message) : (int)sizeof r->error.message, r->error.message,
             at ? r->c->kernel->name : "", at ? at + strlen(r->symbol) : "");
    return true;
}
uint32_t case_blocks(const struct grade_case *c, uint32_t n, unsigned level) {
    if (c->kernel->grid_stride) return level ? 1 : c->grid;
    const uint32_t each = c->kernel->elements * c->block;
    return c->kernel->one_block || n <= each ? 1 : (n + each - 1) / each;
}
static bool start(struct started *r, uint32_t count, const void *const *params, const uint32_t *bytes,
                  unsigned param_count) {
    const struct device_launch l = {.kernel = r->symbol,
                                    .grid = count,
                                    .block = r->c->block,
                                    .dynamic_shared = case_shared_bytes(r->c),
                                    .params = params,
                                    .param_count = param_count,
                                    .param_bytes = bytes,
                                    .last = r->last,
                                    .measurement = r->device->measures ? &r->o->measurement : NULL};
    return !failed(r, r->device->launch(r->session, &l, NULL, &r->error));
}
/* One launch of `count` blocks over n elements at `in`; `scratch` is 0 where the kernel has none. */
static bool launch(struct started *r, uint32_t count, uint64_t in, uint64_t scratch, uint64_t out, uint32_t n) {
    const void *params[5] = {&in};
    uint32_t bytes[5] = {sizeof in}, k = 1;
    if (r->second) params[k] = &r->second, bytes[k++] = sizeof r->second;
    if (scratch) params[k] = &scratch, bytes[k++] = sizeof scratch;
    params[k] = &out, bytes[k++] = sizeof out;
    params[k] = &n, bytes[k++] = sizeof n;
    return start(r, count, params, bytes, k);
}
static bool buffer(struct started *r, const char *name, uint32_t values, uint64_t *address) {
    return !failed(r, r->device->alloc(r->session, name, values * r->size, SIM_UNINITIALISED, address, &r->error));
}
/* The longest chain of additions a term may go through: the loop of a thread, then twice the trees of all levels, or
 * the partials one after the other. */
static uint64_t depth_of(const struct grade_case *c) {
    uint64_t depth = 1;
    if (c->kernel->one_block) depth += c->n / (c->kernel->serial ? 1 : c->block);
    if (c->kernel->grid_stride) depth += c->n / c->block / c->grid + c->grid;
    for (uint64_t n = c->n; n > 1; n = (n + 1) / 2) depth += 2;
    return depth + 8;
}
static void compare(const struct grade_case *c, const void *data, uint32_t n, struct outcome *o) {
    o->expected = reference_reduce(c->variant, data, n);
    o->bound = c->data == DATA_ROUNDED ? tolerance_bound(c->variant, data, n, depth_of(c)) : 0;
    const bool near = c->data == DATA_ROUNDED && fabs(reference_double(c->variant, o->got) -
                                                      reference_double(c->variant, o->expected)) <= o->bound;
    o->kind =
        !o->unwritten && (near || reference_equal(c->variant, o->got, o->expected)) ? OUTCOME_RIGHT : OUTCOME_WRONG;
}

/* The same for an operator of the student's own. `got`: the bytes that came out. */
static void compare_own(struct started *r, const void *got, uint32_t n) {
    const void *expected = r->own->prefix + n * r->size;
    bool same = !memcmp(got, expected, r->size);
    char why[200];
    r->o->unwritten = device_is_poison(got, r->size);
    if (!same && !own_same(r->own, got, expected, &same, why, sizeof why)) same = false;
    r->o->kind = same && !r->o->unwritten ? OUTCOME_RIGHT : OUTCOME_WRONG;
    if (same || r->o->unwritten) return;
    own_print(r->own, got, r->o->got_text, sizeof r->o->got_text);
    own_print(r->own, expected, r->o->expected_text, sizeof r->o->expected_text);
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

/* ---- plans of launches ---------------------------------------------------------------------- */
/* `count` values at `out` are what the case waits for. */
static void expect(struct started *r, uint64_t out, uint32_t count) {
    r->out = out, r->count = count;
    r->reads = !r->device->expect || !failed(r, r->device->expect(r->session, out, count * r->size, &r->error));
}
/* Reads the total and compares it with the host's reduction of the first n elements. */
static void judge_total(struct started *r, uint32_t n) {
    uint8_t got[OWN_BYTES];
    if (r->own) {
        if (!failed(r, r->device->read(r->session, r->out, got, r->size, &r->error))) compare_own(r, got, n);
        return;
    }
    if (failed(r, r->device->read(r->session, r->out, &r->o->got, r->size, &r->error))) return;
    r->o->unwritten = device_is_poison(&r->o->got, r->size);
    compare(r->c, r->data, n, r->o);
}
/* Launch after launch until one value is left. */
static void launch_again(struct started *r) {
    uint64_t in = r->in, out = 0;
    uint32_t n = r->c->n, count = 0;
    for (unsigned level = 0; count != 1; level++) {
        count = case_blocks(r->c, n, level);
        r->last = count == 1;
        if (!buffer(r, r->c->kernel->output, count, &out) || !launch(r, count, in, 0, out, n)) return;
        n = count, in = out;
    }
    expect(r, out, 1);
}
static void finish_on_host(struct started *r) {
    const uint32_t count = case_blocks(r->c, r->c->n, 0);
    uint64_t out = 0;
    r->last = true;
    if (buffer(r, r->c->kernel->output, count, &out) && launch(r, count, r->in, 0, out, r->c->n)) expect(r, out, count);
}
/* The partials, combined left to right, and compared. */
static void fold_own(struct started *r, const void *partials, uint32_t count) {
    uint8_t total[OWN_BYTES];
    if (own_fold(r->own, partials, count, total, r->o->message, sizeof r->o->message))
        compare_own(r, total, r->c->n);
    else
        r->o->kind = OUTCOME_STOPPED;
}
static void judge_partials(struct started *r) {
    const struct grade_case *c = r->c;
    void *partials = calloc(r->count, r->size);
    if (partials && !failed(r, r->device->read(r->session, r->out, partials, r->count * r->size, &r->error))) {
        for (uint32_t k = 0; k < r->count; k++)
            r->o->unwritten |= device_is_poison((char *)partials + k * r->size, r->size);
        if (r->own && !r->o->unwritten) fold_own(r, partials, r->count);
        r->o->got = reference_identity(c->variant);
        for (uint32_t k = 0; !r->own && k < r->count; k++)
            r->o->got = reference_combine(c->variant, r->o->got, reference_load(c->variant, partials, k));
        if (!r->own) compare(c, r->data, c->n, r->o);
    }
    free(partials);
}
static void finish_by_atomics(struct started *r) {
    const union value identity = reference_identity(r->c->variant);
    uint64_t out = 0;
    r->last = true;
    if (buffer(r, r->c->kernel->output, 1, &out) &&
        !failed(r, r->device->write(r->session, out, &identity, r->size, &r->error)) &&
        launch(r, case_blocks(r->c, r->c->n, 0), r->in, 0, out, r->c->n))
        expect(r, out, 1);
}
/* The same kernel several times in a row, once on half of the elements: what a launch leaves behind in the module's
 * variables and in the partials meets the next one. */
static uint32_t of_this_launch(const struct started *r) { return r->o->launch == 2 ? (r->c->n + 1) / 2 : r->c->n; }
static void launch_once_more(struct started *r) {
    uint64_t out = 0;
    r->last = ++r->o->launch == r->launches;
    if (buffer(r, r->c->kernel->output, 1, &out) &&
        launch(r, case_blocks(r->c, r->c->n, 0), r->in, r->scratch, out, of_this_launch(r)))
        expect(r, out, 1);
}
static void finish_itself(struct started *r) {
    if (!r->c->kernel->scratch || buffer(r, r->c->kernel->scratch, case_blocks(r->c, r->c->n, 0), &r->scratch))
        launch_once_more(r);
}
/* Strides 1, 2, 4, ...: of n elements, those at multiples of 2 * stride have a partner if it lies before n. */
static void launch_levels(struct started *r) {
    const struct grade_case *c = r->c;
    for (uint32_t stride = 1; stride < c->n; stride *= 2) {
        const uint32_t pairs = (c->n - stride + 2 * stride - 1) / (2 * stride);
        const void *const params[] = {&r->in, &c->n, &stride};
        static const uint32_t bytes[] = {sizeof r->in, sizeof c->n, sizeof stride};
        r->last = 2 * (uint64_t)stride >= c->n;
        if (!start(r, (pairs + c->block - 1) / c->block, params, bytes, 3)) return;
    }
    expect(r, r->in, 1);
}
/* A buffer that holds the case's elements, `offset` elements behind a multiple of 16 bytes. */
static bool input(struct started *r, const char *of, const void *data, uint64_t *in) {
    const uint64_t lead = r->c->offset * r->size;
    char name[64];
    snprintf(name, sizeof name, r->c->offset ? "(%s-%u)" : "%s", of, r->c->offset);
    if (failed(r, r->device->alloc(r->session, name, lead + r->c->n * r->size,
                                   SIM_INITIALISED | (r->c->kernel->in_place ? 0 : SIM_READ_ONLY), in, &r->error)))
        return false;
    const union value before = case_lead(r->c);
    for (unsigned e = 0; e < r->c->offset; e++, *in += r->size)
        if (failed(r, r->device->write(r->session, *in, &before, r->size, &r->error))) return false;
    return !failed(r, r->device->write(r->session, *in, data, r->c->n * r->size, &r->error));
}
static bool two_inputs(struct started *r, const void *data, uint64_t *in) {
    void *first = calloc(r->c->n + 1, r->size), *second = calloc(r->c->n + 1, r->size);
    bool ok = first && second;
    if (ok) case_factors(r->c, data, first, second);
    ok = ok && input(r, r->c->kernel->input, first, in) && input(r, r->c->kernel->second, second, &r->second);
    free(first);
    free(second);
    return ok;
}
/* Everything up to the first value that is read. */
static void follow_plan(struct started *r) {
    const struct lab_kernel *k = r->c->kernel;
    if (!(k->second ? two_inputs(r, r->data, &r->in) : input(r, k->input, r->data, &r->in))) return;
    switch (k->finish) {
    case FINISH_LAUNCH: launch_again(r); break;
    case FINISH_HOST: finish_on_host(r); break;
    case FINISH_ATOMIC: finish_by_atomics(r); break;
    case FINISH_ITSELF: finish_itself(r); break;
    case FINISH_LEVELS: launch_levels(r); break;
    }
}

static void keep_print(void *context, const char *text, size_t length) {
    struct outcome *o = context;
    const size_t used = strlen(o->printed), room = sizeof o->printed - 1 - used;
    memcpy(o->printed + used, text, length < room ? length : room);
}

static unsigned cores(void) {
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : (unsigned)online;
}
/* What is counted is that of one launch; large cases have but one. */
static unsigned launches_of(const struct grade_case *c, unsigned what) {
    return (what & MEASURE_COUNTS) || case_is_large(c) ? 1 : LAB_LAUNCHES;
}
static struct started *start_on(const struct device *device, struct device_module *const modules[],
                                const struct judge *j, const struct program *program, const struct grade_case *c,
                                unsigned what, struct outcome *o) {
    memset(o, 0, sizeof *o);
    measure_begin(&o->measurement, device->measured ? 0 : what);
    o->measurement.what = what;
    const unsigned variant = variant_index(c->variant), index = program->text.of_variant[variant];
    struct started *r = calloc(1, sizeof *r);
    void *data = calloc(c->n + 1, variant_size(c->variant));
    o->kind = OUTCOME_SETUP;
    if (!r || !data) {
        snprintf(o->message, sizeof o->message, "out of memory");
        return measure_end(&o->measurement), free(r), free(data), NULL;
    }
    *r = (struct started){.device = device,
                          .c = c,
                          .o = o,
                          .symbol = program->symbol[(unsigned)(c->kernel - j->lab->kernels) * VARIANT_COUNT + variant],
                          .own = variant_is_own(c->variant) ? j->own : NULL,
                          .size = variant_size(c->variant),
                          .data = data,
                          .launches = launches_of(c, what)};
    const bool drawn = what & (MEASURE_MOVES | MEASURE_ACCESSES);
    const struct device_options options = {.seed = c->seed,
                                           .shuffle = true,
                                           .budget = (drawn ? drawing_budget : launch_budget) + 64 * (uint64_t)c->n,
                                           .cores = c->n >= ON_ALL_CORES ? cores() : 1,
                                           .print = j->options->only_case ? keep_print : NULL,
                                           .print_context = o};
    if (r->own && c->n > OWN_ELEMENTS)
        snprintf(o->message, sizeof o->message, "with an operator of one's own there are at most %d elements",
                 OWN_ELEMENTS);
    else if (!r->symbol) {
        o->kind = OUTCOME_STOPPED;
        snprintf(o->message, sizeof o->message,
                 "the file has no kernel `%s`: keep its name and parameters as the skeleton has them", c->kernel->name);
    } else if (!failed(r, device->open(modules[index], &options, &r->session, &r->error))) {
        if (r->own)
            memcpy(data, r->own->element, c->n * r->size);
        else
            case_data(c, data);
        o->kind = OUTCOME_WRONG;
        follow_plan(r);
    }
    return r;
}
static void finish(struct started *r) {
    if (r->session && r->device->measured) failed(r, r->device->measured(r->session, &r->o->measurement, &r->error));
    measure_end(&r->o->measurement);
    if (r->session) r->device->close(r->session);
    free(r->data);
    free(r);
}
bool case_go_on(struct started *r) {
    if (r && r->reads) {
        r->reads = false;
        if (r->c->kernel->finish == FINISH_HOST)
            judge_partials(r);
        else
            judge_total(r, of_this_launch(r));
        if (r->c->kernel->finish == FINISH_ITSELF && r->o->kind == OUTCOME_RIGHT && r->o->launch < r->launches)
            launch_once_more(r);
        if (r->reads) return true;
    }
    if (r) finish(r);
    return false;
}
struct started *case_start(const struct judge *j, const struct program *program, const struct grade_case *c,
                           unsigned what, struct outcome *o) {
    return start_on(program->device, program->module, j, program, c, what, o);
}
void case_run(const struct judge *j, const struct program *program, const struct grade_case *c, unsigned what,
              struct outcome *o) {
    struct started *r = case_start(j, program, c, what, o);
    while (case_go_on(r)) continue;
}
void case_run_on_gpu(const struct judge *j, const struct grade_case *c, struct outcome *o) {
    struct started *r = start_on(j->options->gpu, j->student.on_gpu, j, &j->student, c, 0, o);
    while (case_go_on(r)) continue;
}
void outcome_free(struct outcome *o) { measure_free(&o->measurement); }
