/* Collects the data for pictures in reports, and the cases that readers can change and run (jobs). For the step player,
 * a small case is recorded move by move. For the lane map and the addresses of accesses, the student's first kernel
 * runs on one full block. Pictures of a wrong kernel show what it actually did. docs/result.schema.json defines the
 * format. */
#include "judge/judge.h"
#include "judge/example.h"
#include "judge/job.h"
#include "probes/measured.h"
#include "judge/play.h"
#include <stdlib.h>
#include <string.h>

enum { WARP = 32, FULL_BLOCK = 1024, MAX_SHOWN = 64 /* elements */ };

static struct grade_case case_of(const struct judge *j, uint32_t block, enum data_kind data) {
    const struct lab_kernel *k = &j->lab->kernels[0];
    return case_full(k, variant_at((unsigned)__builtin_ctz(j->lab->variants)), block, data, j->options->seed);
}

/* ---- the player ----------------------------------------------------------------------------- */
/* Returns the small case. For a grid-stride kernel, it has two blocks. A kernel with shared memory for one value per
 * warp gets two warps instead, unless it finishes the reduction itself. */
static struct grade_case small_case(const struct judge *j) {
    enum { WARPS_MEET = 2 };
    const struct lab_kernel *k = &j->lab->kernels[0];
    const bool blocks_meet = k->grid_stride && (!k->shared_warp_values || k->finish == FINISH_ITSELF);
    struct grade_case c = case_of(j, k->shared_warp_values && !blocks_meet ? WARPS_MEET * WARP : WARP, DATA_SMALL);
    if (blocks_meet) c.grid = 2;
    if (k->grid_stride && c.n > MAX_SHOWN) c.n = MAX_SHOWN; /* a grid-stride kernel accepts any n */
    return c;
}
/* Plays a case in the order of execution of a witness's run. Returns NULL if the case does not fail in this order. */
static json_t *play_in_order(const struct judge *j, struct grade_case c, const json_t *run) {
    if (!sim_schedule_parse(&c.schedule, json_string_value(json_object_get(run, "schedule")))) return NULL;
    json_t *played = play_case(j, &c, 0);
    if (!played || json_equal(json_object_get(played, "result"), json_object_get(played, "expected")))
        return json_decref(played), NULL;
    json_object_set(played, "order", json_object_get(run, "order"));
    return played;
}
/* Plays the failing one of the two runs that demonstrate a race. Plays the witness's own case if it is small,
 * otherwise a small case. */
static json_t *play_witness(const struct judge *j, const json_t *finding) {
    const json_t *witness = json_object_get(finding, "witness"),
                 *run = json_array_get(json_object_get(witness, "runs"), 1);
    struct grade_case c;
    void *values = NULL;
    if (!run) return NULL;
    json_t *example = json_pack("{s:O*, s:O*}", "case", json_object_get(finding, "case"), "values",
                                json_object_get(witness, "values")),
           *played = example_read(j, example, &c, &values) ? play_in_order(j, c, run) : NULL;
    free(values);
    json_decref(example);
    return played ? played : play_in_order(j, small_case(j), run);
}
/* Returns the run for the step player: the smallest failing case; otherwise, a race that changes the result; otherwise,
 * the small case. */
static json_t *player(struct judge *j, const json_t *tests) {
    const json_t *t, *f;
    size_t k, n;
    json_array_foreach((json_t *)tests, k, t) {
        struct grade_case c;
        void *values = NULL;
        if (!example_read(j, json_object_get(t, "example"), &c, &values)) continue;
        json_t *failed =
            play_case(j, &c, (unsigned)json_integer_value(json_object_get(json_object_get(t, "example"), "launch")));
        free(values);
        if (failed) return failed;
    }
    json_array_foreach((json_t *)tests, k, t) {
        json_array_foreach(json_object_get(t, "findings"), n, f) {
            json_t *raced = play_witness(j, f);
            if (raced) return raced;
        }
    }
    const struct grade_case c = small_case(j);
    return play_case(j, &c, 0);
}

/* ---- the lane map and the accesses ---------------------------------------------------------- */
static json_t *map_json(const struct grade_case *c, const struct measurement *m) {
    char name[160];
    json_t *steps = json_array();
    for (unsigned k = 0; k < steps_of(m)->count && k < 2 * MAX_SHOWN; k++) {
        const struct step *s = &steps_of(m)->item[k];
        json_t *o = play_step(s, steps_of(m)->warps);
        json_object_set_new(o, "divergent", play_split(s, steps_of(m)->warps));
        json_array_append_new(steps, o);
    }
    return json_pack("{s:s, s:s, s:i, s:i, s:i, s:o}", "kernel", c->kernel->name, "case",
                     case_name(c, name, sizeof name), "block", (int)c->block, "elements", (int)c->n, "warps",
                     (int)steps_of(m)->warps, "steps", steps);
}
static json_t *accesses_json(const struct accesses *list) {
    static const char *const kinds[] = {[SIM_LOAD] = "load", [SIM_STORE] = "store", [SIM_ATOMIC] = "atomic"};
    json_t *all = json_array();
    for (unsigned k = 0; k < list->count; k++) {
        const struct access_row *a = &list->item[k];
        json_t *addresses = json_array();
        for (unsigned l = 0; l < SIM_WARP; l++)
            json_array_append_new(addresses, a->mask >> l & 1 ? json_integer((json_int_t)a->offset[l]) : json_null());
        json_array_append_new(all, json_pack("{s:i, s:s, s:s, s:o, s:i, s:i, s:o, s:i, s:i, s:i}", "line", (int)a->line,
                                             "space", play_space(a->space), "kind", kinds[a->kind], "object",
                                             measured_text(a->object), "warp", (int)a->warp, "bytes", (int)a->bytes,
                                             "addresses", addresses, "sectors", (int)a->sectors, "wavefronts",
                                             (int)a->wavefronts, "ideal", (int)a->ideal));
    }
    return all;
}

/* ---- jobs for the page's simulator ---------------------------------------------------------- */
/* Returns a job for each kernel that has cases, with a small case for readers to change. Does not parse the PTX,
 * because it is untrusted. */
static json_t *jobs_json(const struct judge *j) {
    enum { MAX_BYTES = 300 << 10 };
    const struct program *p = &j->student;
    json_t *all = json_array();
    size_t bytes = 0;
    for (unsigned k = 0; k < j->lab->kernel_count; k++) {
        const struct lab_kernel *kernel = &j->lab->kernels[k];
        struct grade_case c = small_case(j);
        c.kernel = kernel, c.n = MAX_SHOWN, c.grid = kernel->grid_stride ? 2 : 0;
        if (kernel->only_block) c.block = kernel->only_block;
        const char *symbol = program_symbol(j, p, kernel->name, c.variant);
        const bool runs = kernel->finish != FINISH_ARRAYS && case_kernel_takes(j->lab, kernel, c.variant);
        char *job = symbol && runs
                        ? job_print(j->lab->id, &c, symbol, p->text.ptx[p->text.of_variant[variant_index(c.variant)]])
                        : NULL;
        bytes += job ? strlen(job) : 0;
        if (job && bytes <= MAX_BYTES) json_array_append_new(all, measured_text(job));
        free(job);
    }
    return all;
}

void pictures(struct judge *j, const json_t *tests, json_t *result) {
    const struct grade_case c = case_of(j, FULL_BLOCK, DATA_EXACT);
    struct outcome o;
    json_t *small = player(j, tests);
    if (small) json_object_set_new(result, "player", small);
    case_run(j, &j->student, &c, MEASURE_STEPS | MEASURE_ACCESSES, &o);
    json_object_set_new(result, "lane_map", map_json(&c, &o.measurement));
    json_object_set_new(result, "accesses", accesses_json(accesses_of(&o.measurement)));
    outcome_free(&o);
    json_object_set_new(result, "live", jobs_json(j));
}
