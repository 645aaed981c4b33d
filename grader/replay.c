/* See replay.h. */
#include "replay.h"
#include "judge/case_large.h"
#include "judge/values.h"
#include "record/status.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- --case, with a different size ------------------------------------------------------------ */
static void no_such_case(const struct lab *lab, const char *name) {
    const struct lab_kernel *k = lab->kernels;
    const struct grade_case c = {.kernel = k,
                                 .variant = variant_at((unsigned)__builtin_ctz(lab->variants)),
                                 .n = 33,
                                 .block = k->only_block ? k->only_block : 64,
                                 .grid = 5};
    char example[REPLAY_CASE];
    exit_saying(EXIT_USAGE,
                "no case `%s` in %s: a case is KERNEL/OPERATOR_TYPE/n=N/block=M%s, where N is at most %u and M is 32, "
                "64, ... or 1024, such as %s",
                name, lab->id, k->grid_stride ? "/grid=G" : "", CASE_MAX_N, case_name(&c, example, sizeof example));
}
/* If the case cannot have these sizes, exits with a message that says why, and which option to change. */
static void cannot_resize(const struct grade_case *c, const struct options *o) {
    const char *label = case_label(c->kernel);
    if (o->grid && !c->kernel->grid_stride)
        exit_saying(EXIT_USAGE, "--grid %u: `%s` has as many blocks as its elements need: leave out --grid", o->grid,
                    label);
    if (c->kernel->only_block && c->block != c->kernel->only_block)
        exit_saying(EXIT_USAGE, "--block %u: `%s` only runs with %u threads per block: leave out --block", o->block,
                    label, c->kernel->only_block);
    if (c->kernel->finish == FINISH_LEVELS && !c->n)
        exit_saying(EXIT_USAGE, "--size 0: `%s` launches nothing for 0 elements: use --size 1 or more", label);
    if (case_is_sampled(c) && !case_may_be_sampled(c))
        exit_saying(EXIT_USAGE, "--size %u: a case of `%s` with %s has at most %u elements", c->n, label,
                    variant_name(c->variant), CASE_MAX_WHOLE);
}
static void check_values(const struct grade_case *c, const struct options *o) {
    uint32_t count = 0;
    char message[200] = "";
    if (!o->values) return;
    void *values = values_parse(c->variant, o->values, &count, message, sizeof message);
    if (values && c->kernel->finish == FINISH_ARRAYS)
        snprintf(message, sizeof message, "%s has more than one input", case_label(c->kernel));
    else if (values && (o->size == UINT32_MAX ? count != c->n : count < c->n)) /* --size selects the first values */
        snprintf(message, sizeof message, "%u element%s for a case with n=%u", count, count == 1 ? "" : "s", c->n);
    free(values);
    if (*message) exit_saying(EXIT_USAGE, "--values: %s", message);
}
/* Checks --schedule against the largest numbers of blocks and warps that a launch of the case may have. If the case has
 * several launches, the later ones may have twice the blocks and twice the threads of the first (case_launch()). The
 * number of blocks is rounded up to whole clusters, and a grid of one cluster may grow to the largest cluster. */
static void check_schedule(const struct grade_case *c, const struct options *o) {
    const struct sim_schedule *s = &o->schedule;
    const bool again = case_launches(c) > 1;
    const uint32_t more = again ? 2 : 1, warps = more * c->block / 32,
                   blocks = more * case_blocks(c, c->n, 0) + (again ? c->kernel->cluster : 0);
    if (s->chosen && s->block != SIM_NONE && s->block >= blocks)
        exit_saying(EXIT_USAGE, "--schedule block=%u: no launch of the case has a block above %u", s->block,
                    blocks - 1);
    if (s->chosen && s->warp != SIM_NONE && s->warp >= warps)
        exit_saying(EXIT_USAGE, "--schedule warp=%u: no block of the case has a warp above %u", s->warp, warps - 1);
}

/* ---- --size, --block and --grid without --case ---------------------------------------------- */
/* Returns whether the kernel has cases with the block size of --block. */
static bool takes_block(const struct lab_kernel *k, const struct options *o) {
    return !o->block || !k->only_block || o->block == k->only_block;
}
static bool takes_grid(const struct lab_kernel *k, const struct options *o) { return !o->grid || k->grid_stride; }
static bool takes_size(const struct lab *lab, const struct lab_kernel *k, const struct options *o) {
    struct grade_case c = {.kernel = k, .n = o->size, .block = 32};
    if (o->size == UINT32_MAX) return true;
    if (k->finish == FINISH_LEVELS && !c.n) return false;
    bool fits = !case_is_sampled(&c);
    for (unsigned v = 0; v < VARIANT_COUNT && !fits; v++) {
        c.variant = variant_at(v);
        fits = case_kernel_takes(lab, k, c.variant) && case_may_be_sampled(&c);
    }
    return fits;
}
static void check_options(const struct lab *lab, const struct options *o) {
    bool block = false, grid = false, size = false;
    for (const struct lab_kernel *k = lab->kernels; k < lab->kernels + lab->kernel_count; k++) {
        if (k->helper) continue;
        block |= takes_block(k, o), grid |= takes_grid(k, o), size |= takes_size(lab, k, o);
    }
    if (!grid)
        exit_saying(EXIT_USAGE, "--grid %u: %s has as many blocks as the elements need: leave out --grid", o->grid,
                    lab->id);
    if (!block)
        exit_saying(EXIT_USAGE, "--block %u: no kernel of %s runs with that many threads: leave out --block", o->block,
                    lab->id);
    if (!size && !o->size)
        exit_saying(EXIT_USAGE, "--size 0: %s launches nothing for 0 elements: use --size 1 or more", lab->id);
    if (!size)
        exit_saying(EXIT_USAGE, "--size %u: the cases of %s have at most %u elements", o->size, lab->id,
                    CASE_MAX_WHOLE);
}

const char *replay_case(const struct lab *lab, const struct options *o, char *out) {
    struct grade_case c;
    if (!o->only_case) {
        check_options(lab, o);
        return NULL;
    }
    if (!case_parse(lab, o->only_case, &c)) no_such_case(lab, o->only_case);
    if (o->size != UINT32_MAX) c.n = o->size;
    if (o->block) c.block = o->block;
    if (o->grid) c.grid = o->grid;
    cannot_resize(&c, o);
    check_values(&c, o);
    check_schedule(&c, o);
    return case_name(&c, out, REPLAY_CASE);
}

/* ---- afterward ------------------------------------------------------------------------------ */
bool replay_was_empty(const json_t *record, const struct options *o) {
    const json_t *tests = json_object_get(record, "tests"), *t;
    size_t k;
    if (!json_is_true(json_object_get(record, "replay")) || !tests) return false;
    json_array_foreach(tests, k, t) {
        const enum check_status s = check_status_of(t);
        if (s != STATUS_SKIPPED && s != STATUS_BLOCKED) return false;
    }
    fprintf(stderr, "grade: no case of %s was run: %s\n",
            json_string_value(json_object_get(json_object_get(record, "lab"), "id")),
            o->only_case ? "no check uses this case. Leave out --case to run all cases"
                         : "no case has this combination of sizes. Use --size N alone, which works for any N");
    return true;
}
