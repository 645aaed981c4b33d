/* Launches from kernels (dynamic parallelism). nvcc translates <<<...>>> in device code into two calls: the first
 * returns a buffer, in which the thread stores the parameters, and the second launches with that buffer and a stream.
 * See "CUDA Dynamic Parallelism" in the CUDA C++ Programming Guide.
 *
 * When a grid has ended, its child grids run in the order in which they were launched, each followed by its own
 * children; tail launches come last. A GPU may start children sooner, unless they are tail launches, so this is one of
 * the orders that a program must allow for. */
#include "sim/builtin.h"
#include "sim/told.h"
#include <stdlib.h>
#include <string.h>

enum { /* as cudaError_t */
       GOOD = 0,
       BAD_VALUE = 1,
       BAD_MEMORY = 2,
       BAD_SHAPE = 9,
       TOO_DEEP = 65,
       TOO_MANY = 69,
       BAD_FUNCTION = 98
};
enum { MOST_DEPTH = 24, MOST_PENDING = 2048 /* a GPU's default cudaLimitDevRuntimePendingLaunchCount */ };
enum { TAIL_LAUNCH = 3 /* cudaStreamTailLaunch */, HANDLE = 256 /* the handle of every stream and event */ };

static const struct sim_function *kernel_at(const struct sim_program *p, uint64_t address) {
    if (!address || address > p->module->function_count) return NULL;
    const struct sim_function *f = &p->functions[address - 1];
    return f->source->entry && f->source->defined ? f : NULL;
}

/* ---- the two calls ------------------------------------------------------------------------------------------- */
/* The first call: (kernel, grid, block, dynamic shared memory). Returns the buffer for the parameters, or 0. */
static uint64_t ask_for_buffer(struct sim_warp *w, const struct sim_insn *i, uint32_t lane) {
    struct sim_run *run = w->block->run;
    const struct sim_function *f = kernel_at(run->program, sim_wide_argument(w, i, 0, lane));
    struct sim_child *child = f ? calloc(1, sizeof *child) : NULL;
    struct sim_memory *m = child ? sim_heap_object(run->sim, f->param_bytes + 8) : NULL;
    if (!m) return free(child), 0;
    child->kernel = f->source, child->buffer = m->object.address;
    sim_argument(w, i, 1, lane, child->grid, 3);
    sim_argument(w, i, 2, lane, child->block, 3);
    sim_argument(w, i, 3, lane, &child->shared, 1);
    child->next = run->asked, run->asked = child;
    return child->buffer;
}
static unsigned shape_error(const struct sim_child *child) {
    uint64_t threads = 1;
    for (unsigned k = 0; k < 3; k++) {
        if (!child->grid[k] || !child->block[k] || child->block[k] > SIM_MAX_THREADS) return BAD_SHAPE;
        threads *= child->block[k];
    }
    return threads > SIM_MAX_THREADS ? BAD_SHAPE : GOOD;
}
/* The second call: (buffer, stream). Returns an error, or 0. */
static unsigned hand_in(struct sim_warp *w, const struct sim_insn *i, uint32_t lane) {
    struct sim_run *run = w->block->run;
    const uint64_t buffer = sim_wide_argument(w, i, 0, lane), stream = sim_wide_argument(w, i, 1, lane);
    struct sim_child **at = &run->asked;
    while (*at && (*at)->buffer != buffer) at = &(*at)->next;
    struct sim_child *child = *at;
    if (!child) return BAD_VALUE;
    *at = child->next, child->next = NULL;
    bool inside;
    const struct sim_memory *m = sim_find(run->sim, buffer, &inside);
    const uint64_t bytes = m->object.size;
    unsigned error = run->depth + 1 >= MOST_DEPTH          ? TOO_DEEP
                     : run->children.count >= MOST_PENDING ? TOO_MANY
                                                           : shape_error(child);
    if (!error && !(child->params = malloc(bytes))) error = BAD_MEMORY;
    if (!error) {
        memcpy(child->params, m->data, bytes);
        struct sim_children *list = stream == TAIL_LAUNCH ? &run->tails : &run->children;
        *(list->last ? &list->last->next : &list->first) = child;
        list->last = child, run->children.count++;
    } else
        free(child);
    sim_heap_free(run->sim, buffer);
    return error;
}
void sim_builtin_child_buffer(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    w->block->run->changes++;
    SIM_EACH_LANE (l, mask) sim_answer(w, i, l, ask_for_buffer(w, i, l));
}
void sim_builtin_child_launch(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    SIM_EACH_LANE (l, mask) {
        const unsigned error = hand_in(w, i, l);
        if (error) w->block->run->child_error = error;
        sim_answer(w, i, l, error);
    }
}

/* ---- the others ---------------------------------------------------------------------------------------------- */
void sim_builtin_child_see_error(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    SIM_EACH_LANE (l, mask) sim_answer(w, i, l, w->block->run->child_error);
}
void sim_builtin_child_take_error(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    sim_builtin_child_see_error(w, i, mask);
    w->block->run->child_error = GOOD;
}
void sim_builtin_child_nothing(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    SIM_EACH_LANE (l, mask) sim_answer(w, i, l, GOOD);
}
/* (where to store a new stream or event, flags). All have the same handle. */
void sim_builtin_child_handle(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const uint64_t handle = HANDLE;
    SIM_EACH_LANE (l, mask) {
        const uint64_t address = sim_wide_argument(w, i, 0, l), local = address - SIM_LOCAL_WINDOW;
        uint64_t offset[SIM_WARP] = {0};
        const bool own = local < SIM_WINDOW_SIZE && local + sizeof handle <= w->local_bytes;
        struct sim_memory *m =
            own ? &w->local_memory : sim_locate(w, i, l, address, sizeof handle, SIM_STORE, &offset[l]);
        if (own) offset[l] = local;
        sim_answer(w, i, l, m ? GOOD : BAD_VALUE);
        if (!m) continue;
        memcpy((own ? w->local + (uint64_t)l * w->local_bytes : m->data) + offset[l], &handle, sizeof handle);
        sim_tell(w, &(struct told){.pc = sim_pc(w, i),
                                   .mask = 1u << l,
                                   .kind = SIM_STORE,
                                   .object = &m->object,
                                   .bytes = sizeof handle,
                                   .offset = offset});
    }
}

/* ---- running them -------------------------------------------------------------------------------------------- */
static enum sim_status run_list(const struct sim_run *run, const struct sim_launch *parent, struct sim_children *list,
                                sim_launcher *launch, struct sim_nest *nest, struct sim_error *error) {
    enum sim_status status = SIM_DONE;
    for (struct sim_child *child; (child = list->first); free(child->params), free(child)) {
        const struct sim_function *f = &run->program->functions[child->kernel->index];
        const void **param = status == SIM_DONE ? calloc(f->source->param_count + 1, sizeof *param) : NULL;
        struct sim_launch l = *parent;
        list->first = child->next;
        if (!param) continue;
        for (unsigned k = 0; k < f->source->param_count; k++) param[k] = child->params + f->param_offset[k];
        memcpy(l.grid, child->grid, sizeof l.grid), memcpy(l.block, child->block, sizeof l.block);
        memset(l.cluster, 0, sizeof l.cluster);
        l.kernel = child->kernel->name, l.dynamic_shared = child->shared, l.cooperative = false;
        l.params = param, l.param_count = f->source->param_count, l.param_bytes = NULL;
        status = launch(run->sim, &l, nest, error);
        free(param);
    }
    list->last = NULL;
    return status;
}
static void forget(struct sim_child *list) {
    for (struct sim_child *next; list; list = next) next = list->next, free(list->params), free(list);
}
enum sim_status sim_run_children(struct sim_run *run, const struct sim_launch *parent, sim_launcher *launch,
                                 struct sim_nest *nest, struct sim_error *error) {
    nest->depth++;
    enum sim_status status = run_list(run, parent, &run->children, launch, nest, error);
    if (status == SIM_DONE) status = run_list(run, parent, &run->tails, launch, nest, error);
    nest->depth--;
    return status;
}
void sim_forget_children(struct sim_run *run) {
    forget(run->asked), forget(run->children.first), forget(run->tails.first);
}
