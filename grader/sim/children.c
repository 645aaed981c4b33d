/* Kernel launches from device code (dynamic parallelism). nvcc translates <<<...>>> in device code into two calls. The
 * first returns a buffer, where the thread stores the kernel's parameters. The second launches the kernel with the
 * buffer and a stream. See "CUDA Dynamic Parallelism" in the CUDA C++ Programming Guide. This file also has the device
 * runtime's functions for errors, streams, events, devices, copies, fills and allocations.
 *
 * A grid's child grids run after it has ended, in launch order. The children of a child run right after the child, and
 * tail launches run last. A GPU may start children earlier (except tail launches), so a program must also work in other
 * orders. */
#include "sim/builtin.h"
#include "sim/report.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { /* values of cudaError_t */
       GOOD = 0,
       BAD_VALUE = 1,
       BAD_MEMORY = 2,
       BAD_SHAPE = 9,
       TOO_DEEP = 65,
       TOO_MANY = 69,
       BAD_FUNCTION = 98
};
/* A copy or fill of `height` rows of `width` bytes. */
struct sim_rows {
    uint64_t to, from, to_pitch, from_pitch, width, height; /* from: 0 for a fill */
    uint8_t value;
};
enum { MAX_PIECE = 16 /* maximum size of a reported access in bytes */ };
enum { MAX_DEPTH = 24, MAX_PENDING = 2048 /* the default of cudaLimitDevRuntimePendingLaunchCount */ };

static const struct sim_function *kernel_at(const struct sim_program *p, uint64_t address) {
    if (!address || address > p->module->function_count) return NULL;
    const struct sim_function *f = &p->functions[address - 1];
    return f->source->entry && f->source->defined ? f : NULL;
}

/* ---- launches ------------------------------------------------------------------------------------------------ */
/* GetParameterBufferV2(kernel, grid, block, dynamic shared memory). Returns the address of the buffer for the
 * parameters, or 0. */
static uint64_t new_request(struct sim_warp *w, const struct sim_insn *i, uint32_t lane) {
    struct sim_run *run = w->block->run;
    const struct sim_function *f = kernel_at(run->program, sim_wide_argument(w, i, 0, lane));
    struct sim_child *child = f ? calloc(1, sizeof *child) : NULL;
    struct sim_memory *m = child ? sim_heap_object(run->sim, f->param_bytes + 8) : NULL;
    if (!m) return free(child), 0;
    child->kernel = f->source, child->buffer = m->object.address;
    sim_argument(w, i, 1, lane, child->grid, 3);
    sim_argument(w, i, 2, lane, child->block, 3);
    sim_argument(w, i, 3, lane, &child->shared, 1);
    child->next = run->requests, run->requests = child;
    return child->buffer;
}
/* Queues a child to run after this grid. */
static void append(struct sim_run *run, struct sim_child *child, uint64_t stream) {
    struct sim_children *list = stream == SIM_STREAM_TAIL ? &run->tails : &run->children;
    *(list->last ? &list->last->next : &list->first) = child;
    list->last = child, run->children.count++;
}
static unsigned shape_error(const struct sim_child *child) {
    uint64_t threads = 1;
    for (unsigned k = 0; k < 3; k++) {
        if (!child->grid[k] || !child->block[k] || child->block[k] > SIM_MAX_THREADS) return BAD_SHAPE;
        threads *= child->block[k];
    }
    return threads > SIM_MAX_THREADS ? BAD_SHAPE : GOOD;
}
/* Removes and returns the request with this buffer from run->requests. Returns NULL if there is none. */
static struct sim_child *take_request(struct sim_run *run, uint64_t buffer) {
    struct sim_child **at = &run->requests;
    while (*at && (*at)->buffer != buffer) at = &(*at)->next;
    struct sim_child *child = *at;
    if (child) *at = child->next, child->next = NULL;
    return child;
}
static void tell(struct sim_warp *w, const struct sim_insn *i, uint32_t lane, struct sim_nested_event e) {
    e.where = &w->where, e.pc = sim_pc(w, i), e.mask = 1u << lane;
    SIM_EMIT(w->block->run, nested, &e);
}
static void report(struct sim_warp *w, const struct sim_insn *i, uint32_t lane, const char *text) {
    struct sim_fault f = {
        .kind = SIM_FAULT_NESTED, .pc = sim_pc(w, i), .lanes = 1u << lane, .other_pc = SIM_NO_PC, .text = text};
    sim_fault(w, &f);
}
/* Reports parameters that are addresses of the launching block's shared memory, or of its thread's local memory. */
static void check_parameters(struct sim_warp *w, const struct sim_insn *i, uint32_t lane, const struct sim_child *child,
                             uint64_t bytes) {
    uint64_t value;
    for (uint64_t at = 0; at + sizeof value <= bytes; at += sizeof value) {
        memcpy(&value, child->params + at, sizeof value);
        if (value - SIM_SHARED_WINDOW < SIM_CLUSTER_WINDOWS)
            report(w, i, lane, "passed the address of its shared memory to a kernel, which cannot access it");
        if (value - SIM_LOCAL_WINDOW < SIM_WINDOW_SIZE)
            report(w, i, lane, "passed the address of a local variable to a kernel, which cannot access it");
    }
}
/* Queues the child with the parameters in its buffer, which is freed. Returns a cudaError_t. */
static unsigned queue_launch(struct sim_warp *w, const struct sim_insn *i, uint32_t lane, struct sim_child *child,
                             uint64_t stream) {
    struct sim_run *run = w->block->run;
    if (!child) return BAD_VALUE;
    const uint64_t buffer = child->buffer;
    bool inside;
    const struct sim_memory *m = sim_find(run->sim, buffer, &inside);
    const uint64_t bytes = m->object.size;
    unsigned error = run->depth + 1 >= MAX_DEPTH          ? TOO_DEEP
                     : run->children.count >= MAX_PENDING ? TOO_MANY
                                                          : shape_error(child);
    if (!error && !(child->params = malloc(bytes))) error = BAD_MEMORY;
    if (!error) {
        memcpy(child->params, m->data, bytes);
        check_parameters(w, i, lane, child, bytes);
        child->number = ++run->nest->asked;
        append(run, child, stream);
        tell(w, i, lane, (struct sim_nested_event){.stream = stream, .number = child->number});
    } else
        free(child);
    sim_heap_free(run->sim, buffer);
    return error;
}
/* Sets the call's result to `error`. An error other than 0 also becomes the last error. */
static void fail(struct sim_warp *w, const struct sim_insn *i, uint32_t lane, unsigned error) {
    if (error) w->block->run->child_error = error;
    sim_answer(w, i, lane, error);
}
static const char *text_for(unsigned error);
/* Sets the result of a launch to `error`. */
static void end_launch(struct sim_warp *w, const struct sim_insn *i, uint32_t lane, unsigned error) {
    struct sim_run *run = w->block->run;
    fail(w, i, lane, error);
    if (!error) return;
    run->unseen = (struct sim_waiter){w->where, sim_pc(w, i), 1u << lane};
    run->unseen_text = text_for(error);
}
void sim_report_unseen(struct sim_run *run) {
    char text[200];
    struct sim_fault f = {.where = &run->unseen.where,
                          .kind = SIM_FAULT_NESTED,
                          .pc = run->unseen.pc,
                          .lanes = run->unseen.lanes,
                          .other_pc = SIM_NO_PC,
                          .text = text};
    if (!run->unseen_text) return;
    snprintf(text, sizeof text, "launched a kernel that did not start: %s (nobody called cudaGetLastError())",
             run->unseen_text);
    run->extra += SIM_FAULT_COST;
    SIM_EMIT(run, fault, &f);
}
void sim_builtin_child_buffer(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    w->block->run->changes++;
    SIM_EACH_LANE (l, mask) sim_answer(w, i, l, new_request(w, i, l));
}
void sim_builtin_child_launch(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    struct sim_run *run = w->block->run;
    SIM_EACH_LANE (l, mask) {
        struct sim_child *child = take_request(run, sim_wide_argument(w, i, 0, l));
        end_launch(w, i, l, queue_launch(w, i, l, child, sim_wide_argument(w, i, 1, l)));
    }
}
/* The older calls, which CUB uses: GetParameterBuffer(alignment, bytes) and LaunchDevice(kernel, buffer, grid, block,
 * dynamic shared memory, stream). */
void sim_builtin_child_plain_buffer(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    struct sim_run *run = w->block->run;
    run->changes++;
    SIM_EACH_LANE (l, mask) {
        struct sim_child *child = calloc(1, sizeof *child);
        struct sim_memory *m = child ? sim_heap_object(run->sim, sim_wide_argument(w, i, 1, l)) : NULL;
        sim_answer(w, i, l, m ? m->object.address : 0);
        if (m)
            child->buffer = m->object.address, child->next = run->requests, run->requests = child;
        else
            free(child);
    }
}
void sim_builtin_child_plain_launch(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    struct sim_run *run = w->block->run;
    SIM_EACH_LANE (l, mask) {
        const struct sim_function *f = kernel_at(run->program, sim_wide_argument(w, i, 0, l));
        bool inside;
        const uint64_t buffer = sim_wide_argument(w, i, 1, l);
        struct sim_child *child = f ? take_request(run, buffer) : NULL;
        if (child && sim_find(run->sim, buffer, &inside)->object.size < f->param_bytes) {
            free(child);
            child = NULL;
        }
        if (child) {
            child->kernel = f->source;
            sim_argument(w, i, 2, l, child->grid, 3);
            sim_argument(w, i, 3, l, child->block, 3);
            sim_argument(w, i, 4, l, &child->shared, 1);
        }
        end_launch(w, i, l, !f ? BAD_FUNCTION : queue_launch(w, i, l, child, sim_wide_argument(w, i, 5, l)));
    }
}

/* ---- other runtime calls ------------------------------------------------------------------------------------- */
void sim_builtin_child_see_error(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    SIM_EACH_LANE (l, mask) sim_answer(w, i, l, w->block->run->child_error);
    w->block->run->unseen_text = NULL;
}
void sim_builtin_child_take_error(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    sim_builtin_child_see_error(w, i, mask);
    w->block->run->child_error = GOOD;
}
/* The texts of the errors that a kernel can get. */
static const struct {
    unsigned error;
    const char *text[2]; /* name, description */
} errors[] = {
    {GOOD, {"cudaSuccess", "no error"}},
    {BAD_VALUE, {"cudaErrorInvalidValue", "invalid argument"}},
    {BAD_MEMORY, {"cudaErrorMemoryAllocation", "out of memory"}},
    {BAD_SHAPE, {"cudaErrorInvalidConfiguration", "invalid configuration argument"}},
    {TOO_DEEP, {"cudaErrorLaunchMaxDepthExceeded", "launch would exceed maximum depth of nested launches"}},
    {TOO_MANY, {"cudaErrorLaunchPendingCountExceeded", "launch exceeds pending count limit"}},
    {BAD_FUNCTION, {"cudaErrorInvalidDeviceFunction", "invalid device function"}},
    {~0u, {"unrecognized error code", "unrecognized error code"}},
};
_Static_assert(sizeof errors / sizeof *errors == SIM_ERROR_TEXTS, "struct sim has room for the addresses");
static const char *text_for(unsigned error) {
    unsigned k = 0;
    while (errors[k].error != error && errors[k].error != ~0u) k++;
    return errors[k].text[1];
}
/* Returns the address of an error's name or description. The first call for a text stores it in an object. */
static uint64_t text_of(struct sim *s, unsigned error, bool describes) {
    unsigned k = 0;
    while (errors[k].error != error && errors[k].error != ~0u) k++;
    const char *text = errors[k].text[describes];
    uint64_t *at = &s->error_text[describes][k];
    if (!*at && (*at = sim_alloc(s, "error text", strlen(text) + 1, SIM_INITIALIZED | SIM_READ_ONLY)))
        sim_write(s, *at, text, strlen(text) + 1);
    return *at;
}
static void answer_text(struct sim_warp *w, const struct sim_insn *i, uint32_t mask, bool describes) {
    SIM_EACH_LANE (l, mask) {
        const unsigned error = (unsigned)sim_wide_argument(w, i, 0, l);
        sim_answer(w, i, l, text_of(w->block->run->sim, error, describes));
    }
}
void sim_builtin_child_error_name(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    answer_text(w, i, mask, false);
}
void sim_builtin_child_error_text(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    answer_text(w, i, mask, true);
}
void sim_builtin_child_nothing(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    SIM_EACH_LANE (l, mask) sim_answer(w, i, l, GOOD);
}
bool sim_answer_at(struct sim_warp *w, const struct sim_insn *i, uint32_t lane, uint64_t address, uint64_t value,
                   unsigned bytes) {
    const uint64_t local = address - SIM_LOCAL_WINDOW;
    uint64_t offset[SIM_WARP] = {0};
    const bool own = local < SIM_WINDOW_SIZE && local + bytes <= w->local_bytes;
    struct sim_memory *m = own ? &w->local_memory : sim_locate(w, i, lane, address, bytes, SIM_STORE, &offset[lane]);
    if (!m) return false;
    if (own) offset[lane] = local;
    memcpy((own ? w->local + (uint64_t)lane * w->local_bytes : m->data) + offset[lane], &value, bytes);
    sim_report_access(w, &(struct sim_report){.pc = sim_pc(w, i),
                                              .mask = 1u << lane,
                                              .kind = SIM_STORE,
                                              .object = &m->object,
                                              .bytes = bytes,
                                              .offset = offset});
    return true;
}
/* Stores the value at the address in argument 0 and sets the call's result to a cudaError_t. */
static void answer_first(struct sim_warp *w, const struct sim_insn *i, uint32_t mask, uint64_t value, unsigned bytes) {
    SIM_EACH_LANE (l, mask)
        sim_answer(w, i, l, sim_answer_at(w, i, l, sim_wide_argument(w, i, 0, l), value, bytes) ? GOOD : BAD_VALUE);
}
/* Arguments: address for the new stream or event, flags. */
void sim_builtin_child_handle(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    SIM_EACH_LANE (l, mask)
        answer_first(w, i, 1u << l, SIM_STREAM_NAMED + w->block->run->nest->handles++, sizeof(uint64_t));
}
/* Arguments: event, stream. */
void sim_builtin_child_record(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    SIM_EACH_LANE (l, mask) {
        const uint64_t event = sim_wide_argument(w, i, 0, l), stream = sim_wide_argument(w, i, 1, l);
        tell(w, i, l, (struct sim_nested_event){.kind = SIM_NESTED_RECORD, .stream = stream, .event = event});
        sim_answer(w, i, l, GOOD);
    }
}
/* Arguments: stream, event, flags. */
void sim_builtin_child_wait(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    SIM_EACH_LANE (l, mask) {
        const uint64_t stream = sim_wide_argument(w, i, 0, l), event = sim_wide_argument(w, i, 1, l);
        tell(w, i, l, (struct sim_nested_event){.kind = SIM_NESTED_WAIT, .stream = stream, .event = event});
        sim_answer(w, i, l, GOOD);
    }
}
void sim_builtin_child_device(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    answer_first(w, i, mask, 0, sizeof(int));
}
void sim_builtin_child_devices(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    answer_first(w, i, mask, 1, sizeof(int));
}
/* cudaMalloc() and cudaFree() in device code, which use the device heap. As on an H200, a failed cudaMalloc() does not
 * change the pointer. */
void sim_builtin_child_allocate(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    w->block->run->changes++;
    SIM_EACH_LANE (l, mask) {
        const uint64_t address = sim_heap_take(w, i, l, sim_wide_argument(w, i, 1, l));
        const bool stored = !address || sim_answer_at(w, i, l, sim_wide_argument(w, i, 0, l), address, sizeof address);
        fail(w, i, l, !stored ? BAD_VALUE : address ? GOOD : BAD_MEMORY);
    }
}
void sim_builtin_child_release(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    w->block->run->changes++;
    SIM_EACH_LANE (l, mask) sim_heap_give_back(w, i, l, sim_wide_argument(w, i, 0, l)), sim_answer(w, i, l, GOOD);
}

/* ---- copies and fills ---------------------------------------------------------------------------------------- */
/* Reports the accesses to one row at the call. Returns false, with a fault, if no object contains the whole row. */
static bool report_row(struct sim_warp *w, const struct sim_insn *i, uint32_t lane, uint64_t address, uint64_t bytes,
                       enum sim_access_kind kind) {
    uint64_t offset[SIM_WARP] = {0};
    unsigned piece = MAX_PIECE;
    while (address % piece || bytes % piece) piece /= 2;
    struct sim_memory *m = sim_locate(w, i, lane, address + bytes - piece, piece, kind, &offset[lane]);
    if (!m || sim_locate(w, i, lane, address, piece, kind, &offset[lane]) != m) return false;
    for (uint64_t done = 0; done < bytes; done += piece, offset[lane] += piece)
        sim_report_access(w, &(struct sim_report){.pc = sim_pc(w, i),
                                                  .mask = 1u << lane,
                                                  .kind = kind,
                                                  .object = &m->object,
                                                  .bytes = piece,
                                                  .offset = offset});
    return true;
}
/* Queues a copy or fill, which runs after this grid. */
static void queue_rows(struct sim_warp *w, const struct sim_insn *i, uint32_t lane, const struct sim_rows *rows,
                       uint64_t stream) {
    struct sim_run *run = w->block->run;
    unsigned error = run->children.count >= MAX_PENDING ? TOO_MANY : GOOD;
    for (uint64_t y = 0; y < (rows->width ? rows->height : 0) && !error; y++)
        if ((rows->from && !report_row(w, i, lane, rows->from + y * rows->from_pitch, rows->width, SIM_LOAD)) ||
            !report_row(w, i, lane, rows->to + y * rows->to_pitch, rows->width, SIM_STORE))
            error = BAD_VALUE;
    struct sim_child *child = error ? NULL : calloc(1, sizeof *child);
    if (child && (child->rows = malloc(sizeof *rows))) {
        *child->rows = *rows;
        append(run, child, stream);
    } else if (!error) {
        free(child);
        error = BAD_MEMORY;
    }
    fail(w, i, lane, error);
}
/* Arguments: to, from, bytes, kind, stream. */
void sim_builtin_child_copy(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    SIM_EACH_LANE (l, mask) {
        const struct sim_rows rows = {.to = sim_wide_argument(w, i, 0, l),
                                      .from = sim_wide_argument(w, i, 1, l),
                                      .width = sim_wide_argument(w, i, 2, l),
                                      .height = 1};
        queue_rows(w, i, l, &rows, sim_wide_argument(w, i, 4, l));
    }
}
/* Arguments: to, pitch of to, from, pitch of from, width, height, kind, stream. */
void sim_builtin_child_copy_rows(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    SIM_EACH_LANE (l, mask) {
        const struct sim_rows rows = {.to = sim_wide_argument(w, i, 0, l),
                                      .to_pitch = sim_wide_argument(w, i, 1, l),
                                      .from = sim_wide_argument(w, i, 2, l),
                                      .from_pitch = sim_wide_argument(w, i, 3, l),
                                      .width = sim_wide_argument(w, i, 4, l),
                                      .height = sim_wide_argument(w, i, 5, l)};
        queue_rows(w, i, l, &rows, sim_wide_argument(w, i, 7, l));
    }
}
/* Arguments: to, value, bytes, stream. A fill stores the value, as documented. In CUDA 13.0, the device runtime for
 * compute capabilities 7.5 to 9.0 (libcudadevrt.a) ignores the value and stores 0. */
void sim_builtin_child_fill(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    SIM_EACH_LANE (l, mask) {
        const struct sim_rows rows = {.to = sim_wide_argument(w, i, 0, l),
                                      .value = (uint8_t)sim_wide_argument(w, i, 1, l),
                                      .width = sim_wide_argument(w, i, 2, l),
                                      .height = 1};
        queue_rows(w, i, l, &rows, sim_wide_argument(w, i, 3, l));
    }
}
/* Arguments: to, pitch of to, value, width, height, stream. */
void sim_builtin_child_fill_rows(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    SIM_EACH_LANE (l, mask) {
        const struct sim_rows rows = {.to = sim_wide_argument(w, i, 0, l),
                                      .to_pitch = sim_wide_argument(w, i, 1, l),
                                      .value = (uint8_t)sim_wide_argument(w, i, 2, l),
                                      .width = sim_wide_argument(w, i, 3, l),
                                      .height = sim_wide_argument(w, i, 4, l)};
        queue_rows(w, i, l, &rows, sim_wide_argument(w, i, 5, l));
    }
}
/* Performs a queued copy or fill. Returns false if its memory has been freed, or if the host is out of memory. */
static bool carry_out(struct sim *s, const struct sim_rows *r) {
    uint8_t *row = r->from ? malloc(r->width + 1) : NULL;
    bool good = row || !r->from;
    for (uint64_t y = 0; y < r->height && good && r->width; y++) {
        const uint64_t to = r->to + y * r->to_pitch, from = r->from + y * r->from_pitch;
        good = r->from ? sim_read(s, from, row, r->width) && sim_write(s, to, row, r->width)
                       : sim_fill(s, to, r->width, &r->value, 1);
    }
    free(row);
    return good;
}

/* ---- running the children ------------------------------------------------------------------------------------ */
static void drop(struct sim_child *child) { free(child->params), free(child->rows), free(child); }
static enum sim_status copy_failed(struct sim_error *error) {
    snprintf(error->message, sizeof error->message,
             "a copy or fill that a kernel started runs after the kernel's end, but the memory was freed before that");
    return SIM_BAD_LAUNCH;
}
static enum sim_status run_list(const struct sim_run *run, const struct sim_launch *parent, struct sim_children *list,
                                sim_launcher *launch, struct sim_nest *nest, struct sim_error *error) {
    enum sim_status status = SIM_DONE;
    for (struct sim_child *child; (child = list->first); drop(child)) {
        if (child->rows) {
            list->first = child->next;
            if (status == SIM_DONE && !carry_out(run->sim, child->rows)) status = copy_failed(error);
            continue;
        }
        const struct sim_function *f = &run->program->functions[child->kernel->index];
        struct sim_launch l = *parent;
        list->first = child->next;
        if (status != SIM_DONE) continue;
        const void **param = calloc(f->source->param_count + 1, sizeof *param);
        if (!param) {
            snprintf(error->message, sizeof error->message, "out of memory");
            status = SIM_NO_MEMORY;
            continue;
        }
        for (unsigned k = 0; k < f->source->param_count; k++) param[k] = child->params + f->param_offset[k];
        memcpy(l.grid, child->grid, sizeof l.grid), memcpy(l.block, child->block, sizeof l.block);
        memset(l.cluster, 0, sizeof l.cluster);
        l.kernel = child->kernel->name, l.dynamic_shared = child->shared, l.cooperative = false;
        l.params = param, l.param_count = f->source->param_count, l.param_bytes = NULL;
        nest->number = child->number;
        status = launch(run->sim, &l, nest, error);
        free(param);
    }
    list->last = NULL;
    return status;
}
static void forget(struct sim_child *list) {
    for (struct sim_child *next; list; list = next) next = list->next, drop(list);
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
    forget(run->requests), forget(run->children.first), forget(run->tails.first);
}
