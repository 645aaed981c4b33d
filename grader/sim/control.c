/* Handlers for the CONTROL rows: branches, calls, returns, exits, local memory of variable size, traps, fences, sleeps,
 * and waits for earlier grids (griddepcontrol.wait). Also the handler for reads of clocks. */
#include "base/random.h"
#include "sim/builtin.h"
#include "sim/decoding.h"
#include "sim/row.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_FRAME_BYTES = 64 << 20 }; /* maximum bytes of a warp's registers, over all nested calls */

/* Returns the lanes of `mask` that take the branch. */
static uint32_t condition(const struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    if (i->branch.condition == SIM_NO_ROW) return mask;
    uint32_t p = *sim_predicate(w, i->branch.condition);
    return mask & (i->guard_negated ? ~p : p);
}
/* Returns the pc at which the sides of the branch reconverge. SIM_NO_PC is the end of the function. Pcs count across
 * all functions of the program. */
static uint32_t join_of(const struct sim_program *p, uint32_t pc) {
    const struct sim_function *f = &p->functions[p->function_of[pc]];
    uint32_t join = f->source->join ? f->source->join[pc - f->entry] : PTX_NO_REG;
    return join == PTX_NO_REG || join >= f->source->code_count ? SIM_NO_PC : f->entry + join;
}
static void report_branch(struct sim_warp *w, uint32_t pc, uint32_t mask, uint32_t taken) {
    struct sim_branch e = {&w->where, pc, mask, taken, join_of(w->block->run->program, pc)};
    SIM_EMIT(w->block->run, branch, &e);
}

/* Executes a divergent branch. warp.c handles branches that all lanes take, or none. */
static void exec_bra(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const uint32_t taken = condition(w, i, mask);
    const uint32_t pc = sim_pc(w, i);
    report_branch(w, pc, mask, taken);
    struct sim_split *other = sim_split_off(w, taken, i->branch.target), *stay = sim_current(w);
    /* The seed selects which side of a forward branch runs first. That side waits at the join until the other side
     * arrives. */
    const uint32_t join = join_of(w->block->run->program, pc);
    if (sim_is_random(w->block->run) && join != SIM_NO_PC && i->branch.target > pc && stay->hold == SIM_NO_PC &&
        random_next(&w->block->random) & 1 && other->pc < join)
        other->hold = join;
    /* If the branch jumps backward to its own join, the lanes that jump wait there for those still in the loop's
     * body. */
    if (join != SIM_NO_PC && i->branch.target == join && join < pc && stay->hold == SIM_NO_PC) stay->hold = join;
}

/* Marks each branch that jumps to its own join and skips only code without control flow. run_split() executes this code
 * with the other lanes, without another split. */
void sim_find_skips(struct sim_program *p) {
    for (uint32_t pc = 0; pc < p->code_count; pc++) {
        struct sim_insn *i = &p->code[pc];
        uint32_t end = pc + 1;
        if (!(i->flags & SIM_BRANCH) || i->branch.target <= end || join_of(p, pc) != i->branch.target) continue;
        while (end < i->branch.target && !(p->code[end].flags & (SIM_CONTROL | SIM_BRANCH))) end++;
        if (end == i->branch.target) i->flags |= SIM_SKIPS;
    }
}
void sim_skip_code(struct sim_warp *w, const struct sim_insn *i, uint32_t mask, uint32_t taken) {
    report_branch(w, sim_pc(w, i), mask, taken);
    if (sim_is_random(w->block->run)) random_next(&w->block->random); /* draws a number, as exec_bra() does */
}

static void exec_brx_idx(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const struct ptx_insn *p = i->source;
    const struct sim_program *program = w->block->run->program;
    const uint32_t entry = program->functions[program->function_of[sim_pc(w, i)]].entry;
    uint32_t todo = condition(w, i, mask);
    const uint32_t whole = todo, *index = sim_row(w, i->a);
    bool reported = false;
    while (todo) {
        uint32_t first = (uint32_t)__builtin_ctz(todo), same = 0;
        SIM_EACH_LANE (l, todo)
            if (index[l] == index[first]) same |= 1u << l;
        todo &= ~same;
        if (index[first] >= p->target_count) {
            struct sim_fault f = {
                .kind = SIM_FAULT_CALL, .fatal = true, .pc = sim_pc(w, i), .lanes = same, .other_pc = SIM_NO_PC};
            sim_fault(w, &f);
            return;
        }
        if (same == sim_current(w)->mask) {
            sim_current(w)->pc = entry + p->targets[index[first]];
            w->changed = true;
            return;
        }
        if (!reported) report_branch(w, sim_pc(w, i), whole, same);
        reported = true;
        sim_split_off(w, same, entry + p->targets[index[first]]);
    }
}

/* ---- end of threads ------------------------------------------------------------------------- */
/* Ends the lanes in `mask`, which are all in the current split. */
static void exit_lanes(struct sim_warp *w, uint32_t pc, uint32_t mask) {
    struct sim_split *s = sim_current(w);
    const struct sim_exit e = {&w->where, pc, mask};
    SIM_EMIT(w->block->run, exit, &e);
    w->where.live &= ~mask;
    w->block->live -= sim_count(mask);
    sim_cluster_exits(w, pc, mask);
    s->mask &= ~mask;
    w->changed = true;
    if (!s->mask) {
        sim_frame_release(s->frame);
        w->split[w->current] = w->split[--w->splits];
        w->current = 0;
    }
    sim_barrier_exits(w);
}
static void exec_exit(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    uint32_t leave = condition(w, i, mask);
    if (!leave) return;
    if (leave != mask) report_branch(w, sim_pc(w, i), mask, leave);
    exit_lanes(w, sim_pc(w, i), leave);
}

/* ---- calls ---------------------------------------------------------------------------------- */
/* Copies a parameter from the rows of one frame to the rows of another, for the lanes in `mask`. */
static void copy_param(uint8_t *to, const uint8_t *from, uint64_t bytes, uint32_t mask) {
    for (uint64_t word = 0; word < (bytes + 3) / 4; word++)
        SIM_EACH_LANE (l, mask) memcpy(to + word * 4 * SIM_WARP + 4 * l, from + word * 4 * SIM_WARP + 4 * l, 4);
}
uint32_t sim_parameter_row(const struct sim_program *p, const struct ptx_variable *v) {
    const struct sim_function *f = &p->functions[v->owner->index];
    if (v == v->owner->result) return f->result_offset;
    bool param = v->index < v->owner->param_count && v->owner->params[v->index] == v;
    return param ? f->param_offset[v->index] : f->local_offset[v->index];
}
static sim_builtin *builtin(const char *name) {
    static const struct {
        const char *name;
        sim_builtin *call;
    } all[] = {
#define BUILTIN(name, handler) {#name, sim_builtin_##handler},
#include "ptx/builtins.def"
#undef BUILTIN
    };
    unsigned k = 0;
    while (strcmp(all[k].name, name) != 0) k++; /* ends, because the parser rejects other names */
    return all[k].call;
}

/* Returns the index of the call stack that adds the call at `pc` to `caller`. Returns `caller` if the table of call
 * stacks is full or out of memory. */
static uint32_t chain_of(struct sim_run *run, uint32_t caller, uint32_t pc) {
    struct sim_chains *c = run->chains;
    if (!c) {
        c = run->chains = calloc(1, sizeof *c);
        if (!c) return caller;
        c->count = 1;
        run->info.calls = c->call;
    }
    for (uint32_t k = c->first[caller]; k; k = c->next[k])
        if (c->call[k].pc == pc) return k;
    if (c->count == SIM_MAX_CHAINS) return caller;
    const uint32_t fresh = c->count++;
    c->call[fresh] = (struct sim_call){pc, caller};
    c->next[fresh] = c->first[caller];
    c->first[caller] = fresh;
    return fresh;
}
/* Returns the offset of the callee's frame at a call depth, or UINT32_MAX if out of memory.
 *
 * A function has one frame for each depth. The lanes of a warp may be in different functions at the same time, so
 * frames must not overlap. Lanes that reach the function through different calls share a frame, in which each lane has
 * its own column. */
static uint32_t base_of(struct sim_run *run, const struct sim_function *callee, uint32_t depth) {
    if (!run->bases) run->bases = calloc(run->program->module->function_count, sizeof *run->bases);
    if (!run->bases) return UINT32_MAX;
    struct sim_bases *b = &run->bases[callee->source->index];
    if (depth >= b->count) {
        const uint32_t count = 2 * depth + 2;
        uint32_t *grown = realloc(b->at, count * sizeof *grown);
        if (!grown) return UINT32_MAX;
        memset(grown + b->count, 0, (count - b->count) * sizeof *grown);
        b->at = grown, b->count = count;
    }
    if (!b->at[depth]) {
        if (!run->frames_end) run->frames_end = run->kernel->frame_bytes;
        if (run->frames_end + (uint64_t)callee->frame_bytes > MAX_FRAME_BYTES) return UINT32_MAX;
        b->at[depth] = run->frames_end;
        run->frames_end += callee->frame_bytes;
    }
    return b->at[depth];
}
static void enter(struct sim_warp *w, const struct sim_insn *i, const struct sim_function *callee, uint32_t mask) {
    const struct sim_program *p = w->block->run->program;
    const struct ptx_call *c = i->source->call;
    struct sim_split *s = sim_current(w);
    struct sim_frame *up = s->frame, *frame = NULL;
    const uint32_t base = base_of(w->block->run, callee, up->depth + 1), local = sim_align(up->local_end, 16);
    if (up->depth + 1 < SIM_MAX_CALL_DEPTH && local + callee->local_bytes <= w->local_bytes && base != UINT32_MAX &&
        sim_frame_reserve(w, base + callee->frame_bytes))
        frame = calloc(1, sizeof *frame);
    if (!frame) {
        struct sim_fault f = {
            .kind = SIM_FAULT_STACK, .fatal = true, .pc = sim_pc(w, i), .lanes = mask, .other_pc = SIM_NO_PC};
        sim_fault(w, &f);
        return;
    }
    *frame = (struct sim_frame){.caller = up, /* takes over the split's reference to `up` */
                                .return_pc = s->pc,
                                .base = base,
                                .local_base = local,
                                .local_end = local + callee->local_bytes,
                                .chain = chain_of(w->block->run, up->chain, sim_pc(w, i)),
                                .depth = up->depth + 1,
                                .references = 1,
                                .call = i};
    for (unsigned k = 0; k < c->argument_count && k < callee->source->param_count; k++)
        copy_param(w->registers + base + callee->param_offset[k],
                   w->registers + up->base + sim_parameter_row(p, c->arguments[k]),
                   c->arguments[k]->size < callee->source->params[k]->size ? c->arguments[k]->size
                                                                           : callee->source->params[k]->size,
                   mask);
    sim_frame_enter(w, callee, base, mask, false);
    s->frame = frame;
    s->pc = callee->entry;
    s->hold = SIM_NO_PC;
    w->changed = true;
}
static void exec_call(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const struct ptx_call *c = i->source->call;
    const struct sim_program *p = w->block->run->program;
    uint64_t target[SIM_WARP];
    if (mask != sim_current(w)->mask) { /* lanes whose guard is false skip the call */
        sim_split_off(w, sim_current(w)->mask & ~mask, sim_current(w)->pc);
    }
    if (c->callee && !c->callee->defined) {
        builtin(c->callee->name)(w, i, mask);
        return;
    }
    if (c->callee) {
        enter(w, i, &p->functions[c->callee->index], mask);
        return;
    }
    const struct sim_function *f = &p->functions[p->function_of[sim_pc(w, i)]];
    const uint64_t *pointer = sim_row(w, f->register_offset[c->pointer.reg]);
    SIM_EACH_LANE (l, mask) target[l] = pointer[l];
    const uint64_t first = target[__builtin_ctz(mask)];
    uint32_t same = 0;
    SIM_EACH_LANE (l, mask)
        if (target[l] == first) same |= 1u << l;
    if (!first || first > p->module->function_count || !p->module->functions[first - 1]->defined) {
        struct sim_fault fault = {
            .kind = SIM_FAULT_CALL, .fatal = true, .pc = sim_pc(w, i), .lanes = same, .other_pc = SIM_NO_PC};
        sim_fault(w, &fault);
        return;
    }
    if (same != mask) { /* the other lanes execute the call later */
        report_branch(w, sim_pc(w, i), mask, same);
        sim_split_off(w, mask & ~same, sim_pc(w, i));
    }
    enter(w, i, &p->functions[first - 1], same);
}

static void exec_ret(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    uint32_t leave = condition(w, i, mask);
    if (!leave) return;
    if (leave != mask) report_branch(w, sim_pc(w, i), mask, leave);
    struct sim_frame *frame = sim_current(w)->frame;
    if (!frame->caller) {
        exit_lanes(w, sim_pc(w, i), leave);
        return;
    }
    if (leave != mask) sim_split_off(w, mask & ~leave, sim_current(w)->pc);
    const struct sim_program *p = w->block->run->program;
    const struct sim_function *callee = &p->functions[p->function_of[sim_pc(w, i)]];
    const struct ptx_call *c = frame->call->source->call;
    if (c->result && callee->source->result)
        copy_param(w->registers + frame->caller->base + sim_parameter_row(p, c->result),
                   w->registers + frame->base + callee->result_offset,
                   c->result->size < callee->source->result->size ? c->result->size : callee->source->result->size,
                   leave);
    struct sim_split *s = sim_current(w);
    s->pc = frame->return_pc;
    s->frame = frame->caller;
    s->frame->references++;
    sim_frame_release(frame);
    w->changed = true;
}

/* ---- local memory of a size that is known at run time -------------------------------------- */
static void give_number(struct sim_warp *w, const struct sim_insn *i, uint32_t mask, uint64_t value) {
    SIM_EACH_LANE (l, mask) set_row_bits(sim_row(w, i->d), ptx_type_bits(i->source->type), l, value);
}
/* Allocates memory at the end of the frame's local memory. Each lane of the frame gets as many bytes as the largest
 * request. */
static void exec_alloca(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    enum { DEFAULT_ALIGNMENT = 8 };
    struct sim_frame *f = sim_current(w)->frame;
    const uint32_t align = i->source->count > 2 ? *(const uint32_t *)sim_row(w, i->b) : DEFAULT_ALIGNMENT;
    const uint64_t at = sim_align(f->local_end, align ? align : 1);
    uint64_t bytes = 0;
    SIM_EACH_LANE (l, mask) {
        const uint64_t wanted = row_bits(sim_row(w, i->a), ptx_type_bits(i->source->type), l);
        if (wanted > bytes) bytes = wanted;
    }
    if (bytes > w->local_bytes || at + bytes > w->local_bytes) {
        struct sim_fault fault = {
            .kind = SIM_FAULT_STACK, .fatal = true, .pc = sim_pc(w, i), .lanes = mask, .other_pc = SIM_NO_PC};
        sim_fault(w, &fault);
        return;
    }
    f->local_end = (uint32_t)(at + bytes);
    w->local_memory.object.size = f->local_end;
    give_number(w, i, mask, at);
}
static void exec_stacksave(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    give_number(w, i, mask, sim_current(w)->frame->local_end);
}
/* Frees the memory, unless the frame's lanes have diverged: other lanes may then still use it, and the function's
 * return frees it. */
static void exec_stackrestore(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    struct sim_frame *f = sim_current(w)->frame;
    const unsigned lane = (unsigned)__builtin_ctz(mask);
    const uint64_t end = row_bits(sim_row(w, i->d), ptx_type_bits(i->source->type), lane); /* its only operand */
    const bool diverged = mask != sim_current(w)->mask || f->references > 1u + (f == &w->root);
    if (!diverged && end >= f->local_base && end < f->local_end)
        f->local_end = (uint32_t)end, w->local_memory.object.size = end;
}

/* ---- traps, fences, clocks ------------------------------------------------------------------ */
static void exec_trap(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    struct sim_fault f = {.kind = SIM_FAULT_TRAP,
                          .fatal = true,
                          .pc = sim_pc(w, i),
                          .lanes = mask,
                          .other_pc = SIM_NO_PC,
                          .text = "trap"};
    sim_fault(w, &f);
}
static void exec_fence(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const struct sim_fence e = {&w->where, sim_pc(w, i), mask,
                                sim_scope(w->block->run, ptx_mod_of(i->source, PTX_CLASS_SCOPE))};
    SIM_EMIT(w->block->run, fence, &e);
}
static void exec_grid_wait(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const struct sim_fence e = {.where = &w->where, .pc = sim_pc(w, i), .mask = mask};
    SIM_EMIT(w->block->run, grid_wait, &e);
}
/* Yields to other threads. */
static void exec_nanosleep(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    (void)i, (void)mask;
    sim_current(w)->rest++;
    w->changed = true;
}
/* Returns the time in warp-instructions. While memory does not change, time is skipped after many reads, in growing
 * steps, so that a loop with a time limit ends soon. After the last step, time stands still. A loop that still waits
 * then has no time limit, and is recognized as one that changes nothing. */
static uint64_t time_of(struct sim_run *run) {
    enum { READS = 1 << 14, FIRST_STEP = 20, LAST_STEP = 40 }; /* reads per step; first and last step, as powers of 2 */
    static const uint64_t MOST = UINT64_C(1) << 43; /* maximum of c->skipped; sim_exec_clock() may shift by 20 bits */
    struct sim_clock *c = &run->clock;
    if (c->changes != run->changes) c->changes = run->changes, c->reads = c->step = 0;
    if (c->step > LAST_STEP - FIRST_STEP) return c->now;
    if (++c->reads % READS == 0) {
        c->skipped += UINT64_C(1) << (FIRST_STEP + ++c->step);
        if (c->skipped > MOST) c->skipped = MOST;
    }
    return c->now = run->executed + run->place + c->skipped;
}
/* Reads a clock. It counts the launch's executed warp-instructions, so that runs are reproducible, and the time that
 * time_of() skips. If the order of execution is random, the seed also decides where the clock starts. In half of these
 * launches, the clock advances by 2^20 at a time, and its low 20 bits are all 0 or all 1. These rare values expose
 * kernels whose result depends on them. */
void sim_exec_clock(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const enum ptx_special s = i->source->operand[1].special;
    enum { LOW = 20, KIND = 46 /* bit of run->place that selects the kind of clock */ };
    struct sim_run *run = w->block->run;
    const uint64_t count = time_of(run), kind = run->place >> KIND & 3, low = (UINT64_C(1) << LOW) - 1;
    uint64_t now = kind == 1 ? count << LOW : kind == 2 ? count << LOW | low : count;
    if (s == PTX_CLOCK_HI || s == PTX_GLOBALTIMER_HI) now >>= 32;
    const bool wide = ptx_type_bits(i->source->type) == 64;
    SIM_EACH_LANE (l, mask) {
        if (wide)
            ((uint64_t *)sim_row(w, i->d))[l] = now;
        else
            ((uint32_t *)sim_row(w, i->d))[l] = (uint32_t)now;
    }
    /* Yields, because the clock advances only then. A loop that polls a clock would otherwise always read the same
     * time, and seem to change nothing. */
    w->changed = true;
}

#define FORM(name)                                                                                                     \
    void sim_form_##name(struct sim_insn *i) { i->exec = exec_##name; }
FORM(bra)
FORM(brx_idx)
FORM(call)
FORM(ret)
FORM(exit)
FORM(trap)
FORM(fence)
FORM(grid_wait)
FORM(nanosleep)
FORM(alloca)
FORM(stacksave)
FORM(stackrestore)
