/* The kinds of races, and the message for each race. */
#include "probes/race.h"
#include "probes/remote.h"
#include "record/terms.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- findings ------------------------------------------------------------------------------------------------- */

const struct finding_kind race_kinds[] = {
    [RACE_SHARED] =
        {.key = "race-shared",
         .title = "data race in shared memory",
         .explanation =
             "Two threads access the same location in shared memory, at least one of them writes, and nothing orders "
             "the accesses. Threads run at their own pace, so an order that gives the right result is only one of "
             "many. A "
             "__syncthreads() between the two accesses orders them: no thread of the block continues before all "
             "threads "
             "have arrived. Each step of a tree needs a barrier before threads read what other threads wrote in the "
             "previous step. If a step reuses locations, it needs a second barrier between the reads and the writes, "
             "so "
             "that no thread overwrites a value that another thread has yet to read.",
         .rank = 220,
         .drawing = DRAW_ACCESSES,
         .between = "no __syncthreads() between",
         .is_race = true},
    [RACE_GLOBAL] =
        {.key = "race-global",
         .title = "data race in global memory",
         .explanation = "Two threads of the same block access the same location in global memory, at least one of them "
                        "writes, and no barrier separates the accesses. __syncthreads() also orders accesses to "
                        "global memory, but only among the threads of its own block.",
         .rank = 280,
         .drawing = DRAW_ACCESSES,
         .between = "no __syncthreads() between",
         .is_race = true},
    [RACE_WARP] =
        {.key = "race-warp",
         .title = "data race inside a warp",
         .explanation =
             "Two lanes of the same warp access the same location, at least one of them writes, and nothing orders the "
             "accesses. "
             "Since compute capability 7.0, the lanes of a warp need not execute in lockstep, so older code that "
             "relied "
             "on lockstep (and on volatile) is wrong today. For the lanes in its mask, accesses before __syncwarp() "
             "precede those after it. A shuffle exchanges registers and does not order memory accesses. Lanes "
             "that store to the same location in one instruction cannot be ordered: let only one of them store.",
         .plain =
             {.title = "data race between threads",
              .explanation =
                  "Two threads access the same location, at least one of them writes, and nothing orders the accesses: "
                  "an order that gives the right result is only one of many. For all threads of the block, "
                  "accesses before __syncthreads() precede those after it. Threads that store to the same location "
                  "at the same line cannot be ordered: let only one of them store.",
              .between = "no __syncthreads() between"},
         .rank = 290,
         .drawing = DRAW_ACCESSES,
         .between = "no __syncwarp() between",
         .is_race = true},
    [RACE_BLOCKS] =
        {.key = "race-blocks",
         .title = "data race between blocks",
         .explanation =
             "Two blocks access the same location, at least one of them writes, and nothing orders the accesses, "
             "because "
             "blocks run in any order and concurrently. An atomic makes a single update indivisible. To pass more "
             "data, a block writes it, executes __threadfence(), and only then draws its ticket with an atomic. The "
             "block whose ticket shows that all have written must also execute __threadfence() before it reads. "
             "Alternatively, read the data in a second launch, which starts after the first one has ended.",
         .plain =
             {.explanation =
                  "Two blocks access the same location, at least one of them writes, and nothing orders the accesses: "
                  "blocks run in any order, and concurrently. Let each block write its own locations. A second "
                  "launch can read the results, because it starts after the first has ended."},
         .rank = 300,
         .drawing = DRAW_ACCESSES,
         .between = "nothing orders the two blocks",
         .is_race = true},
    [RACE_CLUSTER] =
        {.key = "race-cluster",
         .title = "data race between blocks of a cluster",
         .explanation =
             "Two blocks of a cluster access the same location in shared memory, at least one of them writes, and "
             "nothing orders the accesses. __syncthreads() orders only the threads of its own block. "
             "cluster.sync() orders all accesses before it, in all threads of the cluster, before all accesses after "
             "it. You can split cluster.sync() into barrier_arrive(), which covers the accesses before it, and "
             "barrier_wait(), after which the accesses of the other threads are visible.",
         .plain = {.explanation = "Two blocks of a cluster access the same location, at least one of them writes, and "
                                  "nothing orders the accesses. cluster.sync() orders all accesses before it, in all "
                                  "threads of the cluster, before all accesses after it."},
         .rank = 230,
         .drawing = DRAW_ACCESSES,
         .between = "no cluster.sync() between",
         .is_race = true},
    [RACE_SAME_VALUE] =
        {.key = "same-value",
         .title = "multiple threads store the same value",
         .explanation =
             "Multiple threads store to the same location, and nothing orders the stores. In this run, all of them "
             "stored "
             "the same value, so the result is the same in any order, on every GPU. Formally, this is still a race. "
             "All stores but one are wasted, and if the values ever differ, it is undefined which one remains.",
         .rank = 350,
         .severity = FINDING_WARNING,
         .drawing = DRAW_LANES,
         .yields_to_races = true},
    [RACE_LEFT] =
        {.key = "cluster-left",
         .title = "block may end while another one uses its shared memory",
         .explanation =
             "The shared memory of a block exists only while the block runs. At the reported line, another block of "
             "the cluster accesses this memory, and nothing makes the owner wait for the access. The owner may have "
             "ended, and its memory may belong to another block. Let all threads of the cluster pass a cluster.sync() "
             "after the last such access, including the threads of blocks that have nothing left to do.",
         .plain = {.title = "block may end while another one uses its memory",
                   .explanation = "The memory of a block exists only while the block runs. Another block of its "
                                  "cluster uses this memory here, and nothing makes the owner wait for the access. Let "
                                  "all threads of the cluster pass a cluster.sync() after the last such access."},
         .rank = 260},
    [RACE_EARLY] = {.key = "cluster-early",
                    .title = "block may not have started when another one uses its shared memory",
                    .explanation =
                        "The blocks of a cluster run at the same time but do not start at the same moment, and the "
                        "shared memory of a block exists only once the block has started. At the reported line, "
                        "another block of the cluster uses this memory, and nothing ensures that the owner has "
                        "started. Let all threads of the cluster pass a cluster.sync() before the first such access.",
                    .plain = {.title = "block may not have started when another one uses its memory",
                              .explanation =
                                  "The memory of a block exists only once the block has started. Another block of its "
                                  "cluster uses this memory here, and nothing ensures that the owner has started. Let "
                                  "all threads of the cluster pass a cluster.sync() before the first such access."},
                    .rank = 270,
                    .yields_to_races = true},
    [RACE_EARLY + 1] = {NULL},
};

/* Writes the names of the racing elements: "s", "s[3]", "s[16..31]", or "elements of s[0..62]" if there are gaps. */
static void name_elements(char *out, size_t size, const struct race *r, const struct finding_place *place,
                          unsigned element) {
    uint64_t low = (r->first - place->start) / element, high = (r->last - 1 - place->start) / element;
    const bool gaps = high > low && (r->last - r->first) > (uint64_t)r->bytes;
    if (place->size == element && low == 0)
        snprintf(out, size, "%s", place->name);
    else if (low == high)
        snprintf(out, size, "%s[%" PRIu64 "]", place->name, low);
    else if (gaps)
        snprintf(out, size, "elements of %s[%" PRIu64 "..%" PRIu64 "]", place->name, low, high);
    else
        snprintf(out, size, "%s[%" PRIu64 "..%" PRIu64 "]", place->name, low, high);
}

/* Returns the function that contains the instruction, or NULL. */
static const struct ptx_function *function_of(const struct sim_launch_info *launch, const struct ptx_insn *i) {
    for (unsigned k = 0; i && k < launch->module->function_count; k++) {
        const struct ptx_function *f = launch->module->functions[k];
        if (f->defined && i >= f->code && i < f->code + f->code_count) return f;
    }
    return NULL;
}
/* Returns whether a thread may reach the instruction again in its function. */
static bool in_loop(const struct sim_launch_info *launch, uint32_t pc) {
    const struct ptx_insn *i = launch->code[pc];
    const struct ptx_function *f = function_of(launch, i);
    if (!f) return false;
    if (!f->entry) return true; /* the function may be called again */
    const uint32_t at = (uint32_t)(i - f->code);
    for (uint32_t n = at; n < f->code_count; n++)
        for (unsigned t = 0; t < ptx_target_count(&f->code[n]); t++)
            if (ptx_target(&f->code[n], t) <= at) return true;
    return false;
}
/* Returns the line of a barrier that is between the accesses in the source, or 0. */
static uint32_t barrier_between(const struct race *r, const struct sim_launch_info *launch) {
    const struct ptx_insn *a = launch->code[r->at.pc], *b = launch->code[r->other.pc];
    const struct ptx_function *f = function_of(launch, a);
    const enum ptx_crosses reach = r->kind == &race_kinds[RACE_WARP]      ? PTX_CROSSES_LANES
                                   : r->kind == &race_kinds[RACE_CLUSTER] ? PTX_CROSSES_BLOCKS
                                                                          : PTX_CROSSES_WARPS;
    if (!f || f != function_of(launch, b) || a->loc.file != b->loc.file || r->kind == &race_kinds[RACE_BLOCKS])
        return 0;
    const uint32_t low = a->loc.line < b->loc.line ? a->loc.line : b->loc.line, high = a->loc.line + b->loc.line - low;
    bool arrives = false; /* cluster.sync() arrives and waits, and both must be between the accesses */
    for (const struct ptx_insn *i = f->code; i < f->code + f->code_count; i++) {
        const struct ptx_traits *t = ptx_traits_of(i);
        if (i->loc.file != a->loc.file || i->loc.line <= low || i->loc.line >= high) continue;
        /* a relaxed arrival does not order accesses */
        arrives |= i->op == PTX_OP_cluster_arrive && ptx_mod_of(i, PTX_CLASS_SEM) != PTX_MOD_RELAXED;
        if (i->op == PTX_OP_cluster_arrive || (i->op == PTX_OP_cluster_wait && !arrives)) continue;
        if (t->memory == PTX_MEMORY_BARRIER && t->crosses >= reach) return i->loc.line;
    }
    return 0;
}
/* Returns the narrower scope of two racing atomics in different blocks, or NULL if one access is not an atomic. */
static const char *narrow_scope(const struct race *r, const struct sim_launch_info *launch) {
    const struct ptx_insn *a = launch->code[r->at.pc], *b = launch->code[r->other.pc];
    const bool blocks = r->kind == &race_kinds[RACE_BLOCKS] || r->kind == &race_kinds[RACE_CLUSTER];
    if (!blocks || r->at.kind != SIM_ATOMIC || r->other.kind != SIM_ATOMIC || !a || !b) return NULL;
    const bool block = ptx_mod_of(a, PTX_CLASS_SCOPE) == PTX_MOD_CTA || ptx_mod_of(b, PTX_CLASS_SCOPE) == PTX_MOD_CTA;
    return block ? "block" : "cluster";
}
/* Writes what to do about stores to the same location: let only one `storer`, such as "block", store. In an array, each
 * of them may have its own element. */
static void word_stores(const char *storer, bool is_array, unsigned taught, char *out, size_t size) {
    char each[64] = "";
    if (is_array) snprintf(each, sizeof each, "let each %s store to its own element, or ", storer);
    snprintf(out, size, "the value that remains is undefined; %slet only one %s store%s", each, storer,
             terms_choose(taught, ", or combine the values with an atomic", ""));
}
/* Writes which synchronization is missing. If each thread stores once, at the same line, no barrier can separate the
 * stores. */
static void word_why(const struct race *r, const struct sim_launch_info *launch, bool is_array, unsigned taught,
                     char *out, size_t size) {
    const char *between = catalog_words(r->kind, taught).between;
    const bool stores = r->at.kind == SIM_STORE && r->other.kind == SIM_STORE, strong = r->at.strong || r->other.strong;
    const char *scope = narrow_scope(r, launch);
    if (scope)
        snprintf(out, size, "an atomic with %s scope is atomic only among threads of the same %s", scope, scope);
    else if (stores && r->at.pc == r->other.pc && launch->code[r->at.pc] && !in_loop(launch, r->at.pc))
        word_stores(r->kind == &race_kinds[RACE_BLOCKS] ? "block" : "thread", is_array, taught, out, size);
    else if (barrier_between(r, launch))
        snprintf(out, size,
                 "%s them at run time: a branch bypasses the barrier at line %u, or the accesses are in different "
                 "iterations",
                 between, barrier_between(r, launch));
    else
        snprintf(out, size, "%s%s", between,
                 strong ? "; volatile and relaxed accesses do not order other accesses" : "");
}
struct finding race_word(const struct race *r, const struct sim_launch_info *launch, unsigned taught) {
    static const char *const verbs[] = {
        [SIM_LOAD] = "read", [SIM_STORE] = "wrote", [SIM_ATOMIC] = "updated atomically"};
    char who[96], whose[96], what[96], line[48], why[200];
    unsigned bytes = launch->code[r->at.pc] ? finding_element_bytes(launch, r->at.pc, 16) : 4;
    struct finding_place place = finding_place(launch, &r->object, r->first);
    struct finding f = {.kind = r->kind,
                        .bytes = bytes,
                        .count = r->count,
                        .read_first = r->read_first,
                        .offset = (int64_t)(r->first - place.start),
                        .at = finding_site(&r->at.where, r->at.pc, r->at.lanes),
                        .other = finding_site(&r->other.where, r->other.pc, r->other.lanes)};
    finding_object(&r->object, &place, f.object, sizeof f.object);
    const unsigned element = place.element ? place.element : bytes ? bytes : 4;
    name_elements(what, sizeof what, r, &place, element);
    /* always name the owner: the message has two blocks */
    const bool in_cluster = r->kind == &race_kinds[RACE_CLUSTER];
    finding_name_owner(&r->object, in_cluster ? &(struct sim_where){.block = UINT32_MAX} : &r->at.where, what,
                       sizeof what);
    bool in_warp = r->kind == &race_kinds[RACE_WARP]; /* name lanes, not whole warps */
    finding_who(taught, r->at.where.warp, r->at.lanes, in_warp ? 0 : r->at.where.launched, who, sizeof who);
    finding_who(taught, r->other.where.warp, r->other.lanes, in_warp ? 0 : r->other.where.launched, whose,
                sizeof whose);
    if (f.other.line)
        snprintf(line, sizeof line, " at line %u", f.other.line);
    else
        line[0] = 0;
    if (r->same_instruction) {
        finding_who(taught, r->at.where.warp, r->at.lanes | r->other.lanes, 0, who, sizeof who);
        word_stores(terms_choose(taught, "lane", "thread"), place.size > element, taught, why, sizeof why);
        snprintf(f.message, sizeof f.message, "%s wrote %s in one instruction: %s", who, what,
                 r->kind == &race_kinds[RACE_SAME_VALUE] ? "all wrote the same value" : why);
        return f;
    }
    if (r->kind == &race_kinds[RACE_SAME_VALUE]) {
        snprintf(f.message, sizeof f.message, "%s of block %u wrote %s, and %s of block %u wrote the same value%s", who,
                 r->at.where.block, what, whose, r->other.where.block, line);
        return f;
    }
    const char *verb = verbs[r->at.kind], *other_verb = verbs[r->other.kind];
    const bool between_blocks = r->kind == &race_kinds[RACE_BLOCKS] || r->kind == &race_kinds[RACE_CLUSTER];
    word_why(r, launch, place.size > element, taught, why, sizeof why);
    if (r->kind == &race_kinds[RACE_BLOCKS] && r->unfenced)
        snprintf(f.message, sizeof f.message,
                 "%s of block %u %s %s that %s of block %u %s%s: block %u has no __threadfence() after its atomic", who,
                 r->at.where.block, verb, what, whose, r->other.where.block, other_verb, line, r->unfenced - 1);
    else if (between_blocks)
        snprintf(f.message, sizeof f.message, "%s of block %u %s %s that %s of block %u %s%s: %s", who,
                 r->at.where.block, verb, what, whose, r->other.where.block, other_verb, line, why);
    else
        snprintf(f.message, sizeof f.message, "%s %s %s that %s %s%s: %s", who, verb, what, whose, other_verb, line,
                 why);
    return f;
}
void race_report_visit(int kind, const struct visitor *x, uint32_t lanes, struct measurement *m) {
    static const char *const verbs[] = {[SIM_LOAD] = "reads", [SIM_STORE] = "writes", [SIM_ATOMIC] = "updates"};
    const struct sim_launch_info *launch = x->where.launch;
    struct finding f = {.kind = &race_kinds[kind],
                        .at = finding_site(&x->where, x->pc, lanes),
                        .other.pc = UINT32_MAX,
                        .bytes = x->bytes,
                        .count = 1};
    const struct finding_place place = finding_place(launch, &x->object, x->offset);
    char who[96];
    finding_object(&x->object, &place, f.object, sizeof f.object);
    f.offset = (int64_t)(x->offset - place.start);
    finding_who(measure_taught(m), x->where.warp, lanes, x->where.launched, who, sizeof who);
    snprintf(f.message, sizeof f.message, "%s of block %u %s %s of block %u, which may %s", who, x->where.block,
             verbs[x->kind], place.name, x->object.block,
             kind == RACE_LEFT ? "have ended by then: no cluster.sync() that both blocks call follows this access"
                               : "not have started yet: no cluster.sync() that both blocks call precedes this access");
    finding_add(&m->findings, &f);
}
