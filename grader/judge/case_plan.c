/* See case_plan.h. */
#include "base/hash.h"
#include "judge/arrays.h"
#include "judge/case_again.h"
#include "judge/case_large.h"
#include "judge/case_plan.h"
#include <stdio.h>
#include <string.h>

uint32_t case_blocks(const struct grade_case *c, uint32_t n, unsigned level) {
    if (c->kernel->grid_stride) return level ? 1 : c->grid;
    const uint64_t each = (uint64_t)c->kernel->elements * c->block;
    return (c->kernel->one_block || n <= each ? 1 : (uint32_t)((n + each - 1) / each)) + (level ? 0 : c->spare);
}
uint32_t case_cluster(const struct grade_case *c, uint32_t blocks) {
    uint32_t most = c->cluster && c->kernel->cluster ? c->cluster : c->kernel->cluster;
    while (most > 1 && blocks % most) most--;
    return most;
}
struct grade_case case_full(const struct lab_kernel *k, struct variant v, uint32_t block, enum data_kind data,
                            uint64_t seed) {
    const uint32_t m = k->only_block ? k->only_block : block, blocks = k->cluster ? k->cluster : 1;
    return (struct grade_case){.kernel = k,
                               .variant = v,
                               .n = (k->elements ? k->elements : 2) * m * blocks,
                               .block = m,
                               .data = data,
                               .seed = seed,
                               .grid = k->grid_stride ? blocks : 0};
}
uint32_t case_shared_bytes(const struct grade_case *c) {
    const uint32_t values =
        c->kernel->shared_values * c->block + c->kernel->shared_warp_values * ((c->block + 31) / 32);
    return values * (uint32_t)variant_size(c->variant);
}

uint32_t case_input_size(const struct grade_case *c) {
    return c->kernel->halves ? 2 : (uint32_t)variant_size(c->variant);
}

/* ---- buffers -------------------------------------------------------------------------------- */
static uint32_t element_of(const struct grade_case *c) { return (uint32_t)variant_size(c->variant); }
static void set_value(const struct grade_case *c, uint8_t to[PLAN_VALUE], union value x) {
    const size_t size = variant_size(c->variant);
    memcpy(to, &x, size < sizeof x ? size : sizeof x);
}
/* Reserves space for `values` elements that launches write. Returns its place. */
static struct plan_place room(struct plan *p, struct case_launches *l, const char *name, uint64_t values) {
    struct plan_place at = l->space;
    if (at.buffer == PLAN_NO_BUFFER) {
        struct plan_buffer b = {.element = element_of(l->c), .length = values};
        snprintf(b.name, sizeof b.name, "%s", name);
        return (struct plan_place){plan_add_buffer(p, b), 0};
    }
    l->space.offset += (values * element_of(l->c) + CASE_SPACE_ALIGNMENT - 1) & ~(uint64_t)(CASE_SPACE_ALIGNMENT - 1);
    return at;
}
static struct plan_place total_of_atomics(struct plan *p, const struct case_launches *l) {
    struct plan_buffer b = {.element = element_of(l->c), .length = 1, .fill = PLAN_REPEAT};
    if (l->space.buffer != PLAN_NO_BUFFER) return (struct plan_place){l->total, 0};
    snprintf(b.name, sizeof b.name, "%s", l->c->kernel->output);
    set_value(l->c, b.value, reference_identity(l->c->variant));
    return (struct plan_place){plan_add_buffer(p, b), 0};
}
/* Adds an input that begins c->offset elements after a multiple of 256 bytes. `period` is the period of the data, or
 * 0. Successive runs use the `sets` sets of elements in turn. */
static struct plan_place add_input(struct plan *p, const struct grade_case *c, const char *of, uint32_t number,
                                   uint32_t period, unsigned sets) {
    struct plan_buffer b = {.element = case_input_size(c),
                            .length = c->n,
                            .halves = c->kernel->halves,
                            .fill = period ? PLAN_PERIOD : PLAN_INPUT,
                            .input = number,
                            .read_only = !c->kernel->in_place,
                            .lead = c->offset,
                            .period = period,
                            .contents = period || sets == 1 ? 0 : sets};
    snprintf(b.name, sizeof b.name, c->offset ? "(%s-%u)" : "%s", of, c->offset);
    set_value(c, b.before, case_lead(c));
    return (struct plan_place){plan_add_buffer(p, b), 0};
}

/* ---- launches ------------------------------------------------------------------------------- */
static void pass(struct plan *p, struct plan_place at) { plan_pass_address(p, at.buffer, at.offset); }
static void begin(struct plan *p, const struct case_launches *l, uint32_t blocks) {
    plan_add_launch(p, l->module, l->symbols[0], blocks, l->c->block);
    struct plan_launch *last = plan_last(p);
    if (!last) return;
    last->dynamic_shared = case_shared_bytes(l->c), last->mode = l->mode;
    const uint32_t cluster = case_cluster(l->c, blocks);
    if (cluster) memcpy(last->cluster, (uint32_t[]){cluster, 1, 1}, sizeof last->cluster);
}
/* Adds the launch NAME(in, [second,] [scratch,] out, n). */
static void add_launch(struct plan *p, const struct case_launches *l, uint32_t blocks, struct plan_place in,
                       struct plan_place scratch, struct plan_place out, uint32_t n) {
    begin(p, l, blocks);
    pass(p, in);
    if (l->c->kernel->second) pass(p, l->second);
    if (scratch.buffer != PLAN_NO_BUFFER) pass(p, scratch);
    pass(p, out);
    plan_pass_u32(p, n);
}
static void read_values(struct plan *p, const struct case_launches *l, struct plan_place at, uint64_t count,
                        enum plan_shape shape) {
    plan_add_read(p, at.buffer, at.offset / element_of(l->c), count, shape);
}
static const struct plan_place none = {PLAN_NO_BUFFER, 0};

/* Adds launches until a single value is left. */
static void launch_again(struct plan *p, struct case_launches *l) {
    const struct grade_case *c = l->c;
    struct plan_place in = l->in, out = none;
    uint32_t n = c->n, blocks = 0;
    for (unsigned level = 0; blocks != 1; level++) {
        blocks = case_blocks(c, n, level);
        const uint32_t values = c->kernel->leaves && blocks > 1 ? c->kernel->leaves : 1;
        out = room(p, l, c->kernel->output, (uint64_t)blocks * values);
        add_launch(p, l, blocks, in, none, out, n);
        if (c->kernel->leaves) plan_pass_u32(p, values);
        if (c->spare) { /* the total would not show whether spare blocks write identity() */
            read_values(p, l, out, blocks, PLAN_ONE_A_BLOCK);
            return;
        }
        n = blocks * values, in = out;
    }
    read_values(p, l, out, 1, PLAN_ONE_VALUE);
}
static void launch_for_host(struct plan *p, struct case_launches *l) {
    const uint32_t blocks = case_blocks(l->c, l->c->n, 0);
    const struct plan_place out = room(p, l, l->c->kernel->output, blocks);
    add_launch(p, l, blocks, l->in, none, out, l->c->n);
    read_values(p, l, out, blocks, PLAN_ONE_A_BLOCK);
}
static void launch_with_atomics(struct plan *p, struct case_launches *l) {
    const struct plan_place out = total_of_atomics(p, l);
    add_launch(p, l, case_blocks(l->c, l->c->n, 0), l->in, none, out, l->c->n);
    read_values(p, l, out, 1, PLAN_ONE_VALUE);
}
/* Before a launch, restores the inputs or replaces them with those of the next run. */
static void renew_inputs(struct plan *p, const struct case_launches *l, uint32_t launch) {
    const struct lab_kernel *k = l->c->kernel;
    if (p->failed || launch >= p->launches || (!k->in_place && !p->buffer[l->in.buffer].contents)) return;
    p->launch[launch].refill |= UINT64_C(1) << l->in.buffer | (k->second ? UINT64_C(1) << l->second.buffer : 0);
    if (!l->moves) return;
    p->launch[launch].refill |=
        UINT64_C(1) << l->other_in.buffer | (k->second ? UINT64_C(1) << l->other_second.buffer : 0);
}
/* Returns the launches of the run `given`, with its inputs. */
static struct case_launches one_run(const struct case_launches *l, const struct grade_case *given) {
    struct case_launches one = *l;
    one.c = given;
    if (l->moves && given->moved) one.in = l->other_in, one.second = l->other_second;
    return one;
}
/* Adds launches of the same kernel, so that state in the module's variables or among the partials affects the next
 * launch. */
static void launch_repeatedly(struct plan *p, struct case_launches *l) {
    const struct grade_case *c = l->c;
    uint32_t most = 0;
    for (unsigned k = 0; k < l->repeats; k++) {
        const struct grade_case given = case_launch(c, k);
        const uint32_t blocks = case_blocks(&given, given.n, 0);
        if (blocks > most) most = blocks;
    }
    const struct plan_place scratch = l->scratch = c->kernel->scratch ? room(p, l, c->kernel->scratch, most) : none;
    for (unsigned k = 0; k < l->repeats; k++) {
        const struct grade_case given = case_launch(c, k);
        const struct plan_place out = room(p, l, c->kernel->output, 1);
        const struct case_launches one = one_run(l, &given);
        add_launch(p, &one, case_blocks(&given, given.n, 0), one.in, scratch, out, given.n);
        if (k) renew_inputs(p, l, p->launches - 1);
        read_values(p, l, out, 1, PLAN_ONE_VALUE);
    }
}
unsigned case_levels(const struct grade_case *c) {
    enum { MANY = 1 << 16, SELDOM = 4 };
    const uint64_t of[] = {c->seed, c->n, c->block, variant_index(c->variant), c->data},
                   random = hash_bytes(HASH_START, of, sizeof of) >> 8;
    unsigned all = 0;
    while (UINT64_C(1) << all < c->n) all++;
    if (!c->some_levels || c->values || all < 2 || variant_is_own(c->variant)) return all;
    return random % (c->n > MANY ? 2 : SELDOM) ? all : 1 + (unsigned)((random >> 8) % (all - 1));
}
/* Adds a launch for each stride 1, 2, 4, ... of the case's levels. Pair k consists of elements 2 * stride * k and 2 *
 * stride * k + stride. The grid has a thread for each pair whose second element exists (index below n). A launch may
 * change only elements whose index is a multiple of 2 * stride. The final elements therefore show what each launch did.
 */
static void launch_levels(struct plan *p, const struct case_launches *l) {
    const struct grade_case *c = l->c;
    for (uint64_t stride = 1; stride < UINT64_C(1) << case_levels(c); stride *= 2) {
        const uint32_t pairs = (uint32_t)((c->n - stride + 2 * stride - 1) / (2 * stride));
        begin(p, l, (pairs + c->block - 1) / c->block);
        pass(p, l->in);
        plan_pass_u32(p, c->n);
        plan_pass_u32(p, (uint32_t)stride);
    }
    read_values(p, l, l->in, c->n < CASE_LEVELS_READ ? c->n : CASE_LEVELS_READ, PLAN_ARRAY);
}

/* ---- arrays --------------------------------------------------------------------------------- */
unsigned plan_add_arrays(struct plan *p, struct case_launches *l, unsigned input) {
    const unsigned first = input;
    const struct lab_array *a = l->c->kernel->arrays->array;
    for (unsigned k = 0; k < LAB_ARRAYS && a[k].name; k++) {
        struct plan_buffer b = {.element = (uint32_t)variant_size(case_array_variant(l->c, &a[k])),
                                .length = case_extent(l->c, a[k].length),
                                .fill = a[k].role == ARRAY_IN       ? PLAN_INPUT
                                        : a[k].role == ARRAY_ZEROED ? PLAN_REPEAT
                                                                    : PLAN_UNWRITTEN,
                                .input = a[k].role == ARRAY_IN ? input++ : 0,
                                .read_only = a[k].role == ARRAY_IN};
        snprintf(b.name, sizeof b.name, "%s", a[k].name);
        l->array[k] = plan_add_buffer(p, b);
    }
    return input - first;
}
static void pass_named(struct plan *p, const struct case_launches *l, const char *name, size_t length) {
    const struct lab_array *a = l->c->kernel->arrays->array;
    for (unsigned k = 0; k < LAB_ARRAYS && a[k].name; k++)
        if (strlen(a[k].name) == length && !strncmp(a[k].name, name, length)) {
            plan_pass_address(p, l->array[k], 0);
            return;
        }
    plan_pass_u32(p, length == 1 ? l->c->n : case_side(l->c)); /* the argument n or `side` */
}
static uint32_t at_least_1(uint64_t extent) { return extent ? (uint32_t)extent : 1; }
static void add_step(struct plan *p, const struct case_launches *l, unsigned k) {
    const struct lab_launch *s = &l->c->kernel->arrays->launch[k];
    plan_add_launch(p, l->module, l->symbols[k], 1, l->c->block);
    struct plan_launch *last = plan_last(p);
    if (!last) return;
    const bool shaped = s->block[0].of || s->block[0].times;
    for (unsigned d = 0; d < 3; d++) {
        last->grid[d] = at_least_1(case_extent(l->c, s->grid[d]));
        if (shaped) last->block[d] = at_least_1(case_extent(l->c, s->block[d]));
    }
    last->mode = l->mode;
    if (s->shared.of || s->shared.times)
        last->dynamic_shared = (uint32_t)(case_extent(l->c, s->shared) * variant_size(l->c->variant));
    else if (!s->no_shared)
        last->dynamic_shared = case_shared_bytes(l->c);
    for (const char *word = s->parameters; *word;) {
        const size_t length = strcspn(word, " ");
        if (length) pass_named(p, l, word, length);
        word += length + (word[length] == ' ');
    }
}
static void launch_on_arrays(struct plan *p, const struct case_launches *l) {
    const char *names[LAB_STEPS];
    const struct lab_array *a = l->c->kernel->arrays->array;
    for (unsigned k = 0; k < case_kernels(l->c->kernel, names); k++) add_step(p, l, k);
    for (unsigned k = 0; k < LAB_ARRAYS && a[k].name; k++)
        if (a[k].role == ARRAY_OUT || a[k].role == ARRAY_ZEROED)
            plan_add_read(p, l->array[k], 0, case_extent(l->c, a[k].length), PLAN_ARRAY);
}

/* ---- whole plans ---------------------------------------------------------------------------- */
static void add_run(struct plan *p, struct case_launches *l) {
    switch (l->c->kernel->finish) {
    case FINISH_LAUNCH: launch_again(p, l); break;
    case FINISH_HOST: launch_for_host(p, l); break;
    case FINISH_ATOMIC: launch_with_atomics(p, l); break;
    case FINISH_ITSELF: launch_repeatedly(p, l); break;
    case FINISH_LEVELS: launch_levels(p, l); break;
    case FINISH_ARRAYS: launch_on_arrays(p, l); break;
    }
}
/* Adds all runs of a case in one module, so that state in the module's variables affects the next run. */
void plan_add_case(struct plan *p, struct case_launches *l) {
    add_run(p, l);
    for (unsigned k = 1; k < l->repeats && l->c->kernel->finish != FINISH_ITSELF; k++) {
        const struct grade_case given = case_launch(l->c, k);
        const unsigned first = p->launches;
        struct case_launches one = one_run(l, &given);
        add_run(p, &one);
        l->space = one.space;
        renew_inputs(p, l, first);
    }
}
/* Adds the buffers of a case. Returns a description of the launches that use them. */
static struct case_launches begin_case(struct plan *p, const struct grade_case *c, const char *const *symbols,
                                       unsigned repeats, uint32_t period) {
    struct case_launches l = {.c = c, .symbols = symbols, .space = none, .scratch = none, .repeats = repeats};
    const unsigned sets = case_sets(c, repeats);
    if (c->kernel->finish == FINISH_ARRAYS) {
        plan_add_arrays(p, &l, 0);
    } else {
        l.in = add_input(p, c, c->kernel->input, 0, period, sets);
        if (c->kernel->second) l.second = add_input(p, c, c->kernel->second, 1, period, sets);
        l.moves = repeats > 1 && !period && case_moves(c);
        struct grade_case moved = case_launch(c, 1);
        moved.n = c->n;
        if (l.moves) l.other_in = add_input(p, &moved, c->kernel->input, 0, 0, sets);
        if (l.moves && c->kernel->second) l.other_second = add_input(p, &moved, c->kernel->second, 1, 0, sets);
    }
    return l;
}
void plan_of_case(struct plan *p, const struct grade_case *c, const char *const *symbols, unsigned repeats) {
    struct case_launches l = begin_case(p, c, symbols, repeats, 0);
    plan_add_case(p, &l);
}

/* ---- samples -------------------------------------------------------------------------------- */
/* Adds the launch of the sampled level with only its sampled blocks, and reads of some pairs of each block. */
static void sample_level(struct plan *p, const struct case_launches *l) {
    const struct case_level level = case_level(l->c);
    uint32_t blocks[CASE_SAMPLE];
    const unsigned count = case_sample(l->c, blocks);
    begin(p, l, level.blocks);
    pass(p, l->in);
    plan_pass_u32(p, l->c->n);
    plan_pass_u32(p, level.stride);
    plan_sample(p, 0, blocks, count, PLAN_NO_ARGUMENT);
    for (unsigned k = 0; k < count * CASE_PAIRS; k++)
        plan_add_read(p, l->in.buffer, 2 * level.stride * case_sampled_pair(l->c, k), 1, PLAN_ONE_VALUE);
}
/* Adds the first launch, in which only the sampled blocks run. If the kernel combines its partials with atomics,
 * adds a read of the total; otherwise, adds a read of each sampled block's partial. */
static void sample_blocks(struct plan *p, struct case_launches *l) {
    uint32_t blocks[CASE_SAMPLE];
    const unsigned count = case_sample(l->c, blocks);
    const uint32_t of = case_blocks(l->c, l->c->n, 0);
    const bool atomics = l->c->kernel->finish == FINISH_ATOMIC;
    const struct plan_place out = atomics ? total_of_atomics(p, l) : room(p, l, l->c->kernel->output, of);
    add_launch(p, l, of, l->in, none, out, l->c->n);
    plan_sample(p, 0, blocks, count, PLAN_NO_ARGUMENT);
    for (unsigned k = 0; k < (atomics ? 1 : count); k++)
        plan_add_read(p, out.buffer, atomics ? 0 : blocks[k], 1, PLAN_ONE_VALUE);
}
/* Adds all launches. In the first, only the sampled blocks get elements. If the grid has too many threads for that,
 * adds a single run, in whose first launch only the sampled blocks run, and reads of their partials. */
static void sample_grid(struct plan *p, struct case_launches *l) {
    const bool alone = case_shows_partials(l->c);
    uint32_t blocks[CASE_SAMPLE];
    const unsigned count = case_sample(l->c, blocks);
    if (alone) l->repeats = 1;
    plan_add_case(p, l);
    if (p->failed) return;
    const unsigned n = p->launch[0].arguments - (l->c->kernel->leaves ? 2 : 1); /* the argument n */
    plan_sample(p, 0, blocks, count, alone ? PLAN_NO_ARGUMENT : n);
    if (!alone) return;
    p->reads = 0;
    for (unsigned k = 0; k < count && l->scratch.buffer != PLAN_NO_BUFFER; k++)
        plan_add_read(p, l->scratch.buffer, l->scratch.offset / element_of(l->c) + blocks[k], 1, PLAN_ONE_VALUE);
}
void plan_of_judged(struct plan *p, const struct grade_case *c, const char *const *symbols, unsigned repeats,
                    bool sampled) {
    struct case_launches l = begin_case(p, c, symbols, repeats, case_period(c));
    if (!sampled || !case_is_sampled(c))
        plan_add_case(p, &l);
    else if (c->kernel->finish == FINISH_LEVELS)
        sample_level(p, &l);
    else if (c->kernel->grid_stride && !case_runs_sample_alone(c))
        sample_grid(p, &l);
    else
        sample_blocks(p, &l);
}

/* ---- names of kernels ---------------------------------------------------------------------- */
unsigned case_kernels(const struct lab_kernel *k, const char *names[LAB_STEPS]) {
    unsigned count = 0;
    if (k->finish != FINISH_ARRAYS) return names[0] = k->name, 1;
    for (const struct lab_launch *s = k->arrays->launch; count < LAB_STEPS && s[count].parameters; count++)
        names[count] = s[count].kernel ? s[count].kernel : k->name;
    return count;
}
uint64_t case_space(const struct grade_case *c) {
    static const char *const symbols[] = {""};
    struct plan p = {0};
    struct case_launches l = {.c = c, .symbols = symbols, .repeats = 1};
    if (c->kernel->finish != FINISH_ARRAYS) plan_add_case(&p, &l);
    plan_free(&p);
    return l.space.offset;
}
