/* Checks how a kernel computes its result, from the instructions that it executed: the lab's technique, the steps of
 * the tree, and memory traffic. Each check examines one fixed launch and several random ones (observed.h), some of them
 * larger (scaled.h). */
#include "probes/measured.h"
#include "judge/case_large.h"
#include "judge/observed.h"
#include "record/terms.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef unsigned long long number;

/* ---- technique ------------------------------------------------------------------------------ */
struct look {
    const struct measurement *m;
    const struct grade_case *c;
};
static uint64_t warps(const struct look *l) { return (counts_of(l->m)->threads + 31) / 32; }
static uint64_t at_most(uint64_t a, uint64_t b) { return a < b ? a : b; }
/* Returns the number of groups of `size` threads that have elements, in all launches together. In a launch on partials,
 * at least one group has elements. In a sample, only the sampled blocks have elements. */
static uint64_t busy(const struct look *l, uint32_t size) {
    const struct grade_case *c = l->c;
    const uint64_t launches = counts_of(l->m)->launches, blocks = case_blocks_with_elements(c),
                   first = at_most(blocks * ((c->block + size - 1) / size), ((uint64_t)c->n + size - 1) / size);
    return c->kernel->finish == FINISH_ITSELF ? launches * first : first + launches - 1;
}
/* Returns the number of updates by atomics in global memory. Does not count a failed compare-and-swap, a loop that
 * waits until an atomic returns a certain value, or an exchange whose result is not used. */
static uint64_t atomics_global(const struct look *l) {
    return sectors_of(l->m)->atomics_global - sectors_of(l->m)->plain_atomics;
}
/* Atomics in shared memory by which a block's threads wait for each other, as in cuda::barrier, do not count. */
static uint64_t atomics(const struct look *l) {
    return atomics_global(l) + banks_of(l->m)->atomics_shared - banks_of(l->m)->counting_shared;
}
static bool one_warp(const struct look *l) { return l->c->block == 32; }
static bool no_shared(const struct look *l) { return banks_of(l->m)->shared_requests == 0; }
/* A block of one warp needs no shared memory and no barriers, whatever its tree is. */
static bool uses_shared(const struct look *l) { return !no_shared(l) || one_warp(l); }
static bool uses_barriers(const struct look *l) { return counts_of(l->m)->barriers > 0 || one_warp(l); }
static bool no_atomics(const struct look *l) { return atomics(l) == 0; }
/* Returns whether each block uses at most one atomic. Each launch may use another one to reset a ticket, and a few more
 * if blocks first draw tickets in groups. If the kernel keeps operands in order, a block may use a second atomic to
 * pass its turn to the next block. A single block, or one with nothing to add, needs none. */
static bool one_atomic_a_block(const struct look *l) {
    const struct counts *n = counts_of(l->m);
    const uint64_t each = l->c->kernel->ordered && l->c->kernel->finish == FINISH_ITSELF ? 2 : 1;
    return atomics(l) <= each * n->blocks + n->blocks / 8 + n->launches;
}
/* Returns whether there is an atomic for every two blocks that have elements. A launch of one block needs none. */
static bool enough_atomics(const struct look *l) {
    const struct counts *n = counts_of(l->m);
    return n->blocks <= n->launches || 2 * atomics(l) >= busy(l, l->c->block);
}
bool judge_has_extra_atomics(const struct grade_case *c, const struct outcome *o) {
    const struct look l = {&o->measurement, c};
    return c->kernel->technique & ONE_ATOMIC_A_BLOCK && !one_atomic_a_block(&l);
}
static uint64_t cluster(const struct look *l) { return case_cluster(l->c, l->c->grid); }
/* Returns whether the blocks of each cluster exchange results through shared memory. Each block with elements, except
 * for one per cluster, must write its result to another block's shared memory, or another block must read it. */
static bool cluster_memory(const struct look *l) {
    const uint64_t blocks = busy(l, l->c->block), most = cluster(l) ? cluster(l) : 1;
    return banks_of(l->m)->cluster_requests >= blocks - (blocks + most - 1) / most;
}
static bool some_cluster_memory(const struct look *l) {
    return banks_of(l->m)->cluster_requests > 0 || cluster_memory(l);
}
/* Returns whether the kernel stores about one partial and one ticket per cluster, and one total per launch, in global
 * memory. With more stores, it could exchange results there instead of in shared memory. */
static bool few_partials(const struct look *l) {
    const struct counts *n = counts_of(l->m);
    const uint64_t clusters = n->blocks / (cluster(l) ? cluster(l) : 1);
    return sectors_of(l->m)->global_store_bytes <=
           2 * (clusters + n->launches) * (variant_size(l->c->variant) + sizeof(uint32_t));
}
/* Returns whether each cluster uses at most one atomic in global memory. Each launch may use another one. */
static bool one_atomic_a_cluster(const struct look *l) {
    const struct counts *n = counts_of(l->m);
    return atomics_global(l) <= n->blocks / (cluster(l) ? cluster(l) : 1) + n->launches;
}
/* Returns whether the matrix products can include all elements (in a sample, those that its blocks load), except for
 * fewer than TENSOR_REST. observed_products_add() tests whether they actually add the elements. */
static bool tensor_cores(const struct look *l) {
    const uint64_t blocks = case_blocks(l->c, l->c->n, 0), with = case_blocks_with_elements(l->c),
                   loaded = sectors_of(l->m)->global_load_bytes / case_input_size(l->c),
                   elements = with < blocks ? at_most(l->c->n / blocks * with, loaded) : l->c->n;
    return counts_of(l->m)->matrix_elements + TENSOR_REST > elements;
}
static bool warp_sync(const struct look *l) { return counts_of(l->m)->warp_syncs > 0; }
static bool few_barriers(const struct look *l) { return counts_of(l->m)->barriers <= 3 * counts_of(l->m)->blocks; }
static bool no_barriers(const struct look *l) { return counts_of(l->m)->barriers == 0; }
static bool shuffles(const struct look *l) { return counts_of(l->m)->shuffles >= 5 * busy(l, SIM_WARP); }
/* Returns whether shared memory receives only one value per warp, one per block, and a flag. The block that finishes a
 * launch reduces twice. */
static bool registers(const struct look *l) {
    const struct counts *n = counts_of(l->m);
    const uint64_t again = l->c->kernel->finish == FINISH_ITSELF ? n->launches * ((l->c->block + 31) / 32 + 1) : 0;
    return banks_of(l->m)->shared_store_bytes <=
           (warps(l) + n->blocks + again) * variant_size(l->c->variant) + 4 * n->blocks;
}
/* Returns whether loads are at least 15 bytes wide per lane on average. A few loads at the ends of the input, and the
 * loads of partials, do not count. */
static bool vector_loads(const struct look *l) {
    const struct sectors *s = sectors_of(l->m);
    const uint64_t few = 8 + counts_of(l->m)->blocks, loads = s->global_loads > few ? s->global_loads - few : 0;
    return s->global_load_bytes >= 15 * 32 * loads;
}
/* The message for ONE_ATOMIC_A_BLOCK if the kernel itself finds the last block. */
static const char one_ticket[] = "each block must use one atomic: one of its threads draws a ticket";
static const struct {
    unsigned bit;
    bool (*holds)(const struct look *);
    const char *missing;
} techniques[] = {
    {USES_SHARED, uses_shared, "the kernel does not use shared memory, which this lab requires"},
    {NO_ATOMICS, no_atomics, "the kernel uses atomics, which this lab does not allow"},
    {USES_BARRIERS, uses_barriers, "no thread executes __syncthreads(), so nothing orders the steps"},
    {IN_PLACE_GLOBAL, no_shared, "the kernel uses shared memory: this lab works in place in global memory"},
    {ONE_ATOMIC_A_BLOCK, one_atomic_a_block,
     "a block must end with one atomic: one of its threads combines the block's result into the output"},
    {ONE_ATOMIC_A_BLOCK, enough_atomics,
     "fewer atomics than blocks update the output: in each block, one thread must combine the block's result into "
     "the output"},
    {CLUSTER_MEMORY, some_cluster_memory,
     "no block makes a valid access to another block's shared memory, which this lab requires"},
    {CLUSTER_MEMORY, cluster_memory,
     "some blocks do not pass their results to their cluster through shared memory, which this lab requires"},
    {ONE_ATOMIC_A_CLUSTER, one_atomic_a_cluster,
     "more than one atomic per cluster: only one thread of a cluster may draw a ticket"},
    /* atomics count as stores, so too many atomics could also fail this test; the row above reports them first */
    {CLUSTER_MEMORY, few_partials,
     "the blocks of a cluster exchange results through global memory: in this lab, they use each other's shared "
     "memory"},
    {TENSOR_CORES, tensor_cores,
     "the matrix products contain fewer elements than the input: in this lab, tensor cores must add all elements"},
    {WARP_SYNC, warp_sync, "no warp executes __syncwarp(), which this lab requires"},
    {FEW_BARRIERS, few_barriers, "more than 3 barriers per block: each warp must reduce on its own and then wait once"},
    {NO_BARRIERS, no_barriers, "the kernel executes __syncthreads(): in this lab, one warp needs only __syncwarp()"},
    {SHUFFLES, shuffles, "fewer than 5 shuffles per warp: in this lab, a warp exchanges values through registers"},
    {VECTOR_LOADS, vector_loads,
     "loads are less than 15 bytes wide on average: in this lab, nearly all loads are 16 bytes wide"},
    {REGISTERS, registers,
     "a warp stores more than its one result in shared memory: all other values must stay in "
     "registers"},
};
static const char *technique_missing(unsigned wanted, const struct grade_case *c, const struct outcome *o) {
    const struct look l = {&o->measurement, c};
    const bool ran = o->kind == OUTCOME_RIGHT || o->kind == OUTCOME_WRONG;
    for (unsigned k = 0; ran && k < sizeof techniques / sizeof *techniques; k++)
        if (wanted & techniques[k].bit && !techniques[k].holds(&l))
            return techniques[k].bit == ONE_ATOMIC_A_BLOCK && c->kernel->finish == FINISH_ITSELF
                       ? one_ticket
                       : techniques[k].missing;
    return NULL;
}
/* Reports in `result` the first launch that lacks a wanted technique. The message begins with `kernel`, which is
 * "reduce: " or "". Returns false if all launches use the techniques. */
static bool tell_missing(const struct observed *o, unsigned wanted, const char *kernel, json_t *result) {
    char place[200];
    for (unsigned n = 0; n < o->count; n++) {
        const char *missing = technique_missing(wanted, &o->launch[n], &o->student[n]);
        if (!missing) continue;
        result_fail(result, "%s%s%s", kernel, missing, observed_where(o, n, place, sizeof place));
        result_evades(result, 1);
        return true;
    }
    return false;
}
/* Returns whether all launches are correct, except for samples and for larger launches (scaled.h) that end. If not,
 * `result` names a wrong one, which does not show how a correct kernel works: a mistake that ends the launch early, or
 * skips expensive work, must not earn points. If a larger launch is wrong, large cases in other checks cost points. A
 * sample proves no mistake, because blocks may divide the input in an unusual way. */
static bool all_right(const struct observed *o, const char *kernel, json_t *result) {
    char place[200];
    for (unsigned n = 0; n < o->count; n++) {
        const bool endless = o->student[n].exhausted, larger = n >= o->recorded;
        if (case_is_sampled(&o->launch[n])) continue;
        if (o->student[n].kind == OUTCOME_WRONG) result_wrong_case(result, &o->launch[n], &o->student[n]);
        if (o->student[n].kind == OUTCOME_RIGHT || (larger && !endless)) continue;
        result_fail(result, "%snot compared: %s%s", kernel,
                    endless ? "the kernel does not end, or its work grows faster than the reference's"
                            : "the result is wrong",
                    observed_where(o, n, place, sizeof place));
        if (endless && larger) result_evades(result, 1);
        return false;
    }
    return true;
}
/* Returns whether the lanes of a warp must share the work. They must in kernels that synchronize warps, and in kernels
 * that use shuffles in a block of one warp. In larger blocks with shuffles, one thread may combine the last few values.
 */
static bool is_about_lanes(const struct lab_kernel *k) {
    return k->technique & WARP_SYNC || (k->technique & SHUFFLES && k->only_block == SIM_WARP);
}
static bool lanes_share(const struct observed *o, const char *kernel, json_t *result) {
    char place[200];
    for (unsigned n = 0; n < o->count; n++) {
        const uint64_t blocks = o->reference[n].blocks, most = spread_of(&o->student[n].measurement)->busiest_bytes,
                       expected = o->reference[n].busiest_bytes;
        const uint64_t warps =
            (o->launch[n].block + SIM_WARP - 1) / SIM_WARP; /* one lane may add the results of all warps */
        if (most <= 2 * expected + (1 + warps) * variant_size(o->launch[n].variant) * blocks) continue;
        result_fail(
            result,
            "%sthe busiest lane loads %llu bytes (%llu in the reference): the lanes of a warp must share the work%s",
            kernel, (number)most, (number)expected, observed_where(o, n, place, sizeof place));
        result_evades(result, 1);
        return false;
    }
    return true;
}
void judge_technique(struct judge *j, json_t *result) {
    result_pass(result, "proven from the executed instructions");
    for (unsigned k = 0; k < j->lab->kernel_count; k++) {
        const struct lab_kernel *kernel = &j->lab->kernels[k];
        char name[100];
        struct observed o;
        if (!kernel->technique) continue;
        snprintf(name, sizeof name, "%s: ", kernel->name);
        const bool lanes = is_about_lanes(kernel);
        const bool ok = observed_run(j, kernel, lanes, &o, result) &&
                        !tell_missing(&o, kernel->technique, name, result) && all_right(&o, name, result) &&
                        (!lanes || lanes_share(&o, name, result)) &&
                        observed_shuffles_add(j, kernel->technique & (SHUFFLES | WARP_SYNC), &o, name, result);
        observed_free(&o);
        if (!ok) return;
    }
}

/* ---- steps ------------------------------------------------------------------------------------ */
/* Checks launch n. Returns HOLDS if it passes. Otherwise, stores a failure in `result`, and returns how far the kernel
 * avoids the lab's technique, 0 to 1. */
#define HOLDS (-1.0)
typedef double held(const struct lab *lab, const struct observed *o, unsigned n, json_t *result);
/* Returns how far a kernel avoids the technique. `ratio` is the observed count divided by the allowed count. The result
 * grows linearly from 0 at `none` to 1 at `whole`. */
static double degree(double ratio, double none, double whole) {
    return fmax(0, fmin(1, (ratio - none) / (whole - none)));
}
/* Returns by how much the number of divergent tree steps may exceed the reference's, because correct kernels in another
 * style may need more. */
static uint64_t free_steps(const struct lab *lab, const struct grade_case *c, const struct figures *reference) {
    const uint64_t blocks = reference->blocks, launches = reference->launches;
    uint64_t more = blocks + 2 * (launches - 1);        /* launches on partials seldom fill their blocks */
    if (lab->technique & ANY_STEPS) more += 2 * blocks; /* one thread may add a few partials */
    if (!observed_is_full(c)) more += 2 * launches;     /* lanes may diverge at the end of the input */
    if (lab->technique & ANY_LANES) more += reference->tree_steps / 4;
    return more;
}
/* Returns the number of divergent steps to compare. If values may stay in registers, lanes may skip combine, and the
 * compiler may use a branch or a select for this. Then only divergence in memory accesses and shuffles characterizes
 * the tree. */
static uint64_t divergent_steps(const struct lab *lab, uint64_t in_memory, uint64_t all) {
    return lab->technique & ANY_STEPS ? in_memory : all;
}
/* Returns whether threads load and store at most as many bytes as the reference's. If so, no thread accesses memory
 * only to look active. */
static bool moves_little(const struct spread *s, const struct figures *reference) {
    return s->moved_bytes <= reference->moved_bytes;
}
/* Returns whether the work of the busiest thread is spread over its warp, for example because each lane first combines
 * one value per warp. */
static bool lanes_are_busy(const struct spread *s, const struct figures *reference) {
    return s->busiest_warp >= s->busiest_bytes * SIM_WARP / 3 * 2 && moves_little(s, reference);
}
/* Returns how many bytes a block's busiest thread may load, summed over blocks. If the lab prescribes the steps, this
 * thread loads two values per step, or slightly more if its steps combine more values. In other labs, it may also load
 * one value per warp and a few partials. */
static double most_of_a_thread(const struct lab *lab, const struct grade_case *c, const struct spread *student,
                               const struct figures *reference) {
    const bool prescribed = !(lab->technique & (ANY_STEPS | ANY_LANES));
    const double most = prescribed ? 1.5 : 3;
    const uint64_t warps = lanes_are_busy(student, reference) ? c->block / SIM_WARP : 0,
                   few = (prescribed ? 4 + warps : 2 * SIM_WARP) * variant_size(c->variant) * reference->blocks;
    return most * (double)reference->busiest_bytes + (double)few;
}
static double spread_holds(const struct lab *lab, const struct observed *o, unsigned n, json_t *result) {
    const struct spread *s = spread_of(&o->student[n].measurement);
    const double most = most_of_a_thread(lab, &o->launch[n], s, &o->reference[n]), bytes = (double)s->busiest_bytes;
    char place[200];
    if (bytes <= most) return HOLDS;
    const bool others = 2 * s->moved_bytes >= o->launch[n].block * s->busiest_bytes;
    result_fail(result, "the busiest threads of all %sblocks together load %llu bytes (%llu in the reference): %s%s",
                case_is_sampled(&o->launch[n]) ? "simulated " : "", (number)s->busiest_bytes,
                (number)o->reference[n].busiest_bytes,
                others ? "the other threads load about as much" : "one thread does work that its block should share",
                observed_where(o, n, place, sizeof place));
    return degree(bytes / most, 1, 4);
}
/* Returns HOLDS if one thread loads at least half of the input. The reference's thread loads all of it. */
static double alone_holds(const struct lab *lab, const struct observed *o, unsigned n, json_t *result) {
    const uint64_t bytes = spread_of(&o->student[n].measurement)->busiest_bytes, all = o->reference[n].busiest_bytes;
    char place[200];
    (void)lab;
    if (2 * bytes >= all) return HOLDS;
    result_fail(result, "%s: the busiest thread loads %llu of %llu bytes: thread 0 must combine all elements%s",
                o->launch[n].kernel->name, (number)bytes, (number)all, observed_where(o, n, place, sizeof place));
    return 1;
}
/* Returns the size in bytes of a row, which has one element per thread. */
static uint64_t row_of(const struct grade_case *c) { return (uint64_t)c->block * variant_size(c->variant); }
/* Returns the largest allowed ratio of a block's loaded bytes to those of the reference's busiest block. A block may
 * take several rows of the input where the reference's block takes one. If there are many rows, the difference must be
 * small. */
static unsigned times_of_a_block(const struct observed *o, unsigned n) {
    enum { MANY_ROWS = 64 };
    return o->reference[n].busiest_block < MANY_ROWS * row_of(&o->launch[n]) ? 8 : 2;
}
static bool is_shared_out(const struct observed *o, unsigned n) {
    const uint64_t few = 16 * row_of(&o->launch[n]);
    return spread_of(&o->student[n].measurement)->busiest_block <=
           times_of_a_block(o, n) * o->reference[n].busiest_block + few;
}
static double divergence_holds(const struct lab *lab, const struct observed *o, unsigned n, json_t *result) {
    const struct steps *s = steps_of(&o->student[n].measurement);
    const struct figures *r = &o->reference[n];
    char place[200];
    const uint64_t diverge = divergent_steps(lab, s->divergent_in_memory, s->divergent_tree_steps),
                   expected = divergent_steps(lab, r->divergent_in_memory, r->divergent_tree_steps),
                   most = expected + free_steps(lab, &o->launch[n], r);
    if (diverge <= most) return HOLDS;
    result_fail(result,
                terms_choose(terms_taught(lab->id), "%llu of %llu tree steps diverge; the reference has %llu of %llu%s",
                             "in %llu of %llu tree steps, only some of 32 neighboring threads work; in the reference, "
                             "in %llu of %llu%s"),
                (number)diverge, (number)s->tree_steps, (number)expected, (number)r->tree_steps,
                observed_where(o, n, place, sizeof place));
    return degree((double)diverge / (double)most, 2, 4);
}
static double warps_hold(const struct lab *lab, const struct observed *o, unsigned n, json_t *result) {
    const struct steps *s = steps_of(&o->student[n].measurement);
    const struct figures *r = &o->reference[n];
    char place[200];
    const double warps = (double)s->tree_warps_in_memory,
                 most = lab_mark(lab, MARK_WARPS) * (double)r->tree_warps; /* a shuffle involves a whole warp */
    if (warps <= most || moves_little(spread_of(&o->student[n].measurement), r)) return HOLDS;
    result_fail(
        result,
        terms_choose(terms_taught(lab->id),
                     "in %llu tree steps, %llu warps access memory (in the reference, %llu steps and %llu warps): "
                     "lanes that have no value to combine keep their warps busy%s",
                     "in %llu tree steps, %llu groups of 32 neighboring threads access memory (in the reference, %llu "
                     "steps and %llu groups): threads that have no value to combine also work%s"),
        (number)s->tree_steps, (number)s->tree_warps_in_memory, (number)r->tree_steps, (number)r->tree_warps,
        observed_where(o, n, place, sizeof place));
    return degree(warps / most, 1, 2);
}
static double step_count_holds(const struct lab *lab, const struct observed *o, unsigned n, json_t *result) {
    const uint64_t steps = steps_of(&o->student[n].measurement)->tree_steps, expected = o->reference[n].tree_steps;
    char place[200];
    if (lab->technique & ANY_STEPS || (steps <= 2 * expected && steps * 4 >= expected)) return HOLDS;
    result_fail(result,
                "%llu tree step%s; the reference has %llu: either the algorithm is not the lab's, or barriers are "
                "missing%s",
                (number)steps, steps == 1 ? "" : "s", (number)expected, observed_where(o, n, place, sizeof place));
    return steps > expected ? degree((double)steps / (double)(2 * expected), 1, 2)
                            : degree((double)expected / (double)(4 * steps), 1, 4);
}
static double blocks_hold(const struct lab *lab, const struct observed *o, unsigned n, json_t *result) {
    char place[200];
    (void)lab;
    if (is_shared_out(o, n)) return HOLDS;
    result_fail(result,
                "the busiest block loads %llu bytes (%llu in the reference): one block does work that all blocks "
                "should share%s",
                (number)spread_of(&o->student[n].measurement)->busiest_block, (number)o->reference[n].busiest_block,
                observed_where(o, n, place, sizeof place));
    return 1;
}
/* Compares the bytes that the busiest thread loads with those of a thread of the reference's busiest block, whatever
 * the number of blocks. The thread may also load FEW values, and twice its share of one value per block if only one
 * warp adds these. */
static double threads_hold(const struct lab *lab, const struct observed *o, unsigned n, json_t *result) {
    enum { FEW = 64 };
    const struct figures *r = &o->reference[n];
    const struct grade_case *c = &o->launch[n];
    const double of_thread = fmax((double)r->busiest_block / c->block, (double)r->busiest_bytes / (double)r->blocks),
                 values = FEW + 2.0 / SIM_WARP * (double)r->blocks,
                 most = times_of_a_block(o, n) * of_thread + values * (double)variant_size(c->variant),
                 bytes = (double)spread_of(&o->student[n].measurement)->busiest_thread;
    char place[200];
    (void)lab;
    if (bytes <= most) return HOLDS;
    result_fail(result,
                "one thread loads %.0f bytes (%.0f in the reference): it does work that its block should share%s",
                bytes, of_thread, observed_where(o, n, place, sizeof place));
    return 0; /* spread_holds() tells whether this happens in all blocks */
}
/* Returns whether warps combine values in a tree, which takes 5 shuffles for each 4 bytes of a value. A lane that gets
 * the other lanes' values one by one takes 31. A kernel may repeat its tree in each round. */
static double shuffles_hold(const struct lab *lab, const struct observed *o, unsigned n, json_t *result) {
    enum { TREE = 6 /* a tree, and a shuffle of its result */, MAX = 16 /* two trees or scans, and a few more */ };
    const struct grade_case *c = &o->launch[n];
    const struct look l = {&o->student[n].measurement, c};
    const struct counts *counts = counts_of(l.m);
    const uint64_t again = c->kernel->finish == FINISH_ITSELF ? c->block / SIM_WARP + 1 : 1,
                   trees = warps(&l) + counts->blocks + again * counts->launches,
                   threads = (uint64_t)case_blocks(c, c->n, 0) * c->block,
                   rounds = c->n / ((threads > counts->threads ? threads : counts->threads) + 1) + 1,
                   words = (variant_size(c->variant) + 3) / 4,
                   most = words * trees * (TREE * rounds > MAX ? TREE * rounds : MAX);
    char place[200];
    /* if the lab prescribes the steps, another check counts them; the shuffles may belong to a barrier */
    if (!(lab->technique & ANY_STEPS) || counts->shuffles <= most) return HOLDS;
    result_fail(result, "%llu shuffles (number of warps: %llu): a tree of 5 steps needs 5 per warp%s%s",
                (number)counts->shuffles, (number)warps(&l), words > 1 ? " for each 4 bytes of a value" : "",
                observed_where(o, n, place, sizeof place));
    return degree((double)counts->shuffles / (double)most, 0.5, 1.5);
}
/* Compares the instructions of launch n with the reference's, relative to the first launch. A kernel may be slower than
 * the reference everywhere; check_speed judges that. A kernel that is slow only in other launches recognizes the launch
 * that check_speed models. */
static double work_holds(const struct lab *lab, const struct observed *o, unsigned n, json_t *result) {
    enum { FEW = 64 /* per warp */ };
    if (n >= o->recorded) return HOLDS;
    const uint64_t all = counts_of(&o->student[n].measurement)->warp_instructions,
                   of_reference = o->reference[n].instructions,
                   warps = counts_of(&o->student[n].measurement)->threads / SIM_WARP;
    const double first = (double)counts_of(&o->student[0].measurement)->warp_instructions /
                         (double)o->reference[0].instructions,
                 most = 2 * fmax(1, first) * (double)of_reference + FEW * (double)warps;
    char place[200];
    if ((double)all <= most) return HOLDS;
    result_fail(result,
                "%llu %s, %llu in the reference: the ratio is more than 2, and more than twice the ratio in a launch "
                "of one block of 1024 threads%s",
                (number)all,
                terms_choose(terms_taught(lab->id), "warp-instructions", "instructions, each for 32 threads"),
                (number)of_reference, observed_where(o, n, place, sizeof place));
    return degree((double)all / most, 1, 4);
}
/* A condition. of_tree: it compares tree steps. In a larger launch (scaled.h), such a condition applies only in labs
 * that prescribe the steps, and costs no points for the technique. In other labs, a kernel may have tree steps in each
 * round. A larger launch shows the same technique as the smaller ones. */
struct condition {
    held *holds;
    bool of_tree;
};
static const struct condition of_steps[] = {{divergence_holds, true}, {warps_hold, true},    {step_count_holds, false},
                                            {spread_holds, false},    {threads_hold, false}, {blocks_hold, false},
                                            {shuffles_hold, false},   {work_holds, false},   {NULL, false}},
                              of_levels[] = {{spread_holds, false}, {NULL, false}},
                              of_one_thread[] = {{alone_holds, false}, {NULL, false}};
/* Returns whether the tree steps of this kernel's blocks are compared. This is done once per kernel, because all its
 * plans have the same steps. A kernel of a single warp may work in any way. */
static bool has_tree(const struct lab *lab, const struct lab_kernel *k) {
    if (k->helper || k->serial || k->only_block || k->finish == FINISH_LEVELS) return false;
    for (const struct lab_kernel *before = lab->kernels; before < k; before++)
        if (!strcmp(before->name, k->name)) return false;
    return true;
}
/* Returns whether the kernel has one launch per level, in which each thread combines one pair. */
static bool has_levels(const struct lab *lab, const struct lab_kernel *k) {
    (void)lab;
    return k->finish == FINISH_LEVELS;
}
/* Returns whether one thread of the kernel combines all elements. */
static bool is_serial(const struct lab *lab, const struct lab_kernel *k) {
    (void)lab;
    return k->serial;
}
bool observed_beside(const struct lab *lab, const struct lab_kernel *k) {
    return k == lab->kernels || has_tree(lab, k) || has_levels(lab, k) || is_serial(lab, k) ||
           (k->technique && is_about_lanes(k));
}
/* Returns whether all conditions hold for the first launch and for all other correct launches. If not, `result` reports
 * the failure with the highest degree, or the first of several. */
static bool all_hold(const struct lab *lab, const struct observed *o, const struct condition *conditions,
                     json_t *result) {
    double most = HOLDS;
    unsigned worst = 0;
    held *broken = NULL;
    json_t *unused = json_object();
    for (unsigned n = 0; n < o->count; n++)
        for (const struct condition *c = conditions; c->holds && (!n || o->student[n].kind == OUTCOME_RIGHT); c++) {
            const bool larger_tree = c->of_tree && n >= o->recorded;
            if (larger_tree && lab->technique & (ANY_STEPS | ANY_LANES)) continue;
            const double d = c->holds(lab, o, n, unused), counted = larger_tree ? fmin(d, 0) : d;
            if (counted > most) most = counted, worst = n, broken = c->holds;
        }
    json_decref(unused);
    if (!broken) return true;
    broken(lab, o, worst, result);
    if (most > 0) result_evades(result, most);
    return false;
}
/* In labs that prescribe the steps of the tree, returns whether the kernel avoids techniques of later labs. */
static bool avoids_shuffles(const struct judge *j, const struct observed *o, const struct condition *conditions,
                            const char *kernel, json_t *result) {
    const unsigned technique = j->lab->technique & (IN_PLACE_GLOBAL | USES_SHARED);
    if (conditions != of_steps || j->lab->technique & ANY_STEPS) return true;
    return observed_shuffles_add(j, technique, o, kernel, result);
}
/* Returns whether all conditions hold for each kernel that `takes` selects. Ignores the lab's first kernel, which the
 * caller checks. */
static bool others_hold(struct judge *j, bool takes(const struct lab *, const struct lab_kernel *),
                        const struct condition *conditions, json_t *result) {
    bool ok = true;
    char name[100];
    for (unsigned k = 1; ok && k < j->lab->kernel_count; k++) {
        struct observed o;
        if (!takes(j->lab, &j->lab->kernels[k])) continue;
        snprintf(name, sizeof name, "%s: ", j->lab->kernels[k].name);
        ok = observed_run(j, &j->lab->kernels[k], true, &o, result) && all_hold(j->lab, &o, conditions, result) &&
             avoids_shuffles(j, &o, conditions, name, result);
        observed_free(&o);
    }
    return ok;
}
void judge_steps(struct judge *j, json_t *result) {
    struct observed o;
    if (observed_run(j, &j->lab->kernels[0], true, &o, result)) {
        const struct steps *s = steps_of(&o.student[0].measurement);
        json_t *student = figures_json(&o.launch[0], &o.student[0].measurement), *reference = figures_shown(j);
        json_object_set_new(student, "lines", measured_lines(&o.student[0].measurement, "reduce.cu"));
        json_object_set_new(result, "student", student);
        if (reference) json_object_set_new(result, "reference", reference);
        const bool fewer = s->divergent_tree_steps <= o.reference[0].divergent_tree_steps;
        const char *beside = fewer ? "no more than in the reference" : "about as many as in the reference";
        if (terms_known(judge_taught(j), "diverge"))
            result_pass(result, "%llu of %llu tree steps diverge%s, %s", (number)s->divergent_tree_steps,
                        (number)s->tree_steps, s->divergent_tree_steps == 1 ? "s" : "", beside);
        else
            result_pass(result, "%llu tree steps, work distributed as in the reference", (number)s->tree_steps);
        if (!tell_missing(&o, j->lab->technique, "", result) &&
            (!(j->lab->technique & TENSOR_CORES) || observed_products_add(j, &o, result)) &&
            all_hold(j->lab, &o, of_steps, result) && avoids_shuffles(j, &o, of_steps, "", result) &&
            others_hold(j, has_tree, of_steps, result) && others_hold(j, has_levels, of_levels, result) &&
            others_hold(j, is_serial, of_one_thread, result))
            all_right(&o, "", result);
    }
    observed_free(&o);
}

/* ---- memory ----------------------------------------------------------------------------------- */
/* Returns the number of sectors that a kernel's accesses transfer. A coalesced load that begins inside a sector, as at
 * the start of a block's chunk, touches one more sector. It does not count, because the neighboring load has already
 * brought it into L1. */
static uint64_t moved_sectors(const struct outcome *o) {
    return sectors_of(&o->measurement)->global_sectors - sectors_of(&o->measurement)->straddled;
}
/* Returns the number of additional wavefronts that bank conflicts cause. */
static uint64_t lost_wavefronts(const struct outcome *o) {
    return banks_of(&o->measurement)->shared_wavefronts - banks_of(&o->measurement)->shared_ideal_wavefronts;
}
/* Writes the line of the file whose accesses move most of the superfluous sectors, unless there is none. */
static char *scattered_line(const struct measurement *m, char *out, size_t size) {
    const struct line_counts *worst = NULL;
    uint64_t all = 0, most = 0;
    for (unsigned k = 0; k < m->line_count; k++) {
        const struct line_counts *l = &m->lines[k];
        const uint64_t more = l->global_sectors - at_most(l->global_sectors, l->global_ideal_sectors);
        const size_t length = l->file ? strlen(l->file) : 0;
        all += more;
        if (more > most && (length < 2 || strcmp(l->file + length - 2, ".h") != 0)) most = more, worst = l;
    }
    *out = 0;
    if (worst && 2 * most >= all)
        snprintf(out, size,
                 "; at line %u, %llu sectors hold what fits into %llu: let neighboring threads access "
                 "neighboring elements",
                 worst->line, (number)worst->global_sectors, (number)worst->global_ideal_sectors);
    return out;
}
/* The sampled blocks of a kernel whose blocks take tiles in turn may load more than those of the reference. */
static double traffic_holds(const struct lab *lab, const struct observed *o, unsigned n, json_t *result) {
    const struct outcome *student = &o->student[n];
    const struct figures *reference = &o->reference[n];
    const uint64_t s = moved_sectors(student), r = reference->global_sectors, all = reference->shared_wavefronts,
                   s_lost = lost_wavefronts(student),
                   r_lost = reference->shared_wavefronts - reference->shared_ideal_wavefronts,
                   few = n ? 4 * reference->blocks : 0,
                   own = case_is_sampled(&o->launch[n]) ? sectors_of(&student->measurement)->global_load_bytes / 32 : 0;
    char place[200], line[200];
    observed_where(o, n, place, sizeof place);
    if ((double)s > lab_mark(lab, MARK_SECTORS) * (double)(own > r ? own : r) + (double)few)
        result_fail(result, "%llu sectors of global memory moved; the reference moves %llu%s%s", (number)s, (number)r,
                    scattered_line(&student->measurement, line, sizeof line), place);
    else if (s_lost > r_lost + all / 10 + few)
        result_fail(result, "%llu extra wavefronts from bank conflicts; the reference has %llu%s", (number)s_lost,
                    (number)r_lost, place);
    else
        return HOLDS;
    return 0; /* heavy traffic is no sign that the kernel avoids the technique */
}
static const struct condition of_memory[] = {{traffic_holds, false}, {NULL, false}};
void judge_memory(struct judge *j, json_t *result) {
    struct observed o;
    if (observed_run(j, &j->lab->kernels[0], true, &o, result)) {
        result_pass(result, "%llu sectors, %llu wavefronts lost to bank conflicts",
                    (number)sectors_of(&o.student[0].measurement)->global_sectors,
                    (number)lost_wavefronts(&o.student[0]));
        if (all_right(&o, "", result) && all_hold(j->lab, &o, of_memory, result))
            others_hold(j, has_tree, of_memory, result);
    }
    observed_free(&o);
}
