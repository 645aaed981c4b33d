/* Orders of execution: waits for blocks that another order shows (docs/run.md, "Blocks that wait for each other"), and
 * orders that the launch cannot have. */
#include "run/run.h"
#include <string.h>

/* Returns whether the instruction may read what another thread wrote in order to be seen: a strong load or an atomic.
 */
static bool reads_others(const struct ptx_insn *i) {
    const enum ptx_memory memory = ptx_traits_of(i)->memory;
    const enum ptx_mod order = ptx_mod_of(i, PTX_CLASS_SEM);
    return (memory == PTX_MEMORY_ATOMIC && ptx_written(i)) ||
           (memory == PTX_MEMORY_LOAD && order != PTX_MOD_NONE && order != PTX_MOD_WEAK);
}
static bool may_poll(const struct ptx_function *f, bool shared) {
    for (uint32_t n = 0; n < f->code_count; n++)
        for (unsigned k = 0; k < ptx_target_count(&f->code[n]); k++)
            for (uint32_t at = ptx_target(&f->code[n], k); at <= n; at++)
                if (reads_others(&f->code[at]) && (f->code[at].space == PTX_SHARED) == shared) return true;
    return false;
}
bool run_order_matters(const struct run *r, enum run_order order) {
    const struct run_options *o = r->options;
    const uint64_t blocks = (uint64_t)o->grid[0] * o->grid[1] * o->grid[2];
    const uint64_t threads = (uint64_t)o->block[0] * o->block[1] * o->block[2];
    const bool turns = order == RUN_TURNS;
    bool polls = false;
    if (o->block_count || o->schedule.chosen || (blocks == 1 && (!turns || threads <= SIM_WARP))) return false;
    if (o->cooperative && !turns) return false;
    for (unsigned k = 0; k < r->module->function_count && !polls; k++) {
        const struct ptx_function *f = r->module->functions[k];
        polls = f->defined && (f == r->kernel || !f->entry) && (may_poll(f, false) || (turns && may_poll(f, true)));
    }
    return polls;
}
const char *const run_orders[RUN_ORDERS] = {[RUN_FALLING] = "falling", [RUN_TURNS] = "turn=16"};
static bool is_wait(const struct finding *f) { return !strcmp(f->kind->key, "residency"); }
void run_add_findings(struct finding_list *to, const struct finding_list *from, enum run_order order) {
    if (order == RUN_TURNS && finding_first_error(to)) return;
    for (unsigned k = 0; k < to->count; k++)
        if (is_wait(&to->item[k])) return;
    for (unsigned k = 0; k < from->count; k++) {
        struct finding f = from->item[k];
        const size_t used = strlen(f.message);
        if (is_wait(&f) != (order == RUN_FALLING) || f.kind->severity != FINDING_ERROR || f.kind->runs_out) continue;
        snprintf(f.message + used, sizeof f.message - used, " (with --schedule %s)", run_orders[order]);
        finding_add(to, &f);
        for (unsigned n = to->count - 1; n && to->item[n - 1].kind->rank > to->item[n].kind->rank; n--) {
            const struct finding last = to->item[n];
            to->item[n] = to->item[n - 1], to->item[n - 1] = last;
        }
    }
}

/* ---- schedules that the launch does not have -------------------------------------------------------------------- */
static bool has_load(const struct ptx_module *m, uint32_t line) {
    for (unsigned k = 0; k < m->function_count; k++)
        for (uint32_t n = 0; n < m->functions[k]->code_count; n++) {
            const struct ptx_insn *i = &m->functions[k]->code[n];
            if (i->loc.line == line && ptx_traits_of(i)->memory == PTX_MEMORY_LOAD) return true;
        }
    return false;
}
bool run_schedule_exists(const struct run *r, char *message, size_t size) {
    const struct run_options *o = r->options;
    const struct sim_schedule *s = &o->schedule;
    const uint64_t blocks = (uint64_t)o->grid[0] * o->grid[1] * o->grid[2];
    const uint32_t threads = o->block[0] * o->block[1] * o->block[2], warps = (threads + SIM_WARP - 1) / SIM_WARP;
    const struct {
        const char *name;
        uint32_t number;
        uint64_t count;
    } parts[] = {{"block", s->block, blocks}, {"warp", s->warp, warps}, {"lane", s->lane, threads}};
    for (unsigned k = 0; k < sizeof parts / sizeof *parts && s->chosen; k++)
        if (parts[k].number != SIM_NONE && parts[k].number >= parts[k].count) {
            snprintf(message, size, "--schedule: there is no %s %u; the last one is %llu", parts[k].name,
                     parts[k].number, (unsigned long long)parts[k].count - 1);
            return false;
        }
    if (!s->stale || has_load(r->module, s->stale)) return true;
    snprintf(message, size, "--schedule stale=%u: no instruction on that line loads from memory", s->stale);
    return false;
}
