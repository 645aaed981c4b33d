/* See execute.h. */
#include "base/narrow.h"
#include "device/execute.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct execution {
    struct device_run *run;
    const struct plan *plan;
    const struct device_hands *hands;
    void *self;
    uint64_t *address;   /* indexed by buffer: address after the lead; 0 if not allocated yet */
    uint32_t *filled;    /* indexed by buffer: number of fills so far */
    const void **params; /* pointers to the parameters of a launch */
    const void **idle;   /* pointers to the parameters of blocks outside the sample */
    uint64_t *pointers;  /* values of pointer parameters */
    uint32_t *bytes;     /* sizes of the parameters */
    uint32_t param_count;
    uint32_t *sample;    /* indices of the blocks of a launch to run */
    uint8_t *joined;     /* memory for arguments that form one parameter */
    uint64_t output;     /* offset of the next read in the outputs */
    bool queues, timing; /* whether the previous launch is still queued; whether a time is being measured */
    double seconds;      /* sum of all measured times */
};
static bool failed(struct execution *x, enum device_status s) {
    if (s != DEVICE_OK) x->run->status = s;
    return s != DEVICE_OK;
}
static bool no_memory(struct execution *x) {
    snprintf(x->run->error.message, sizeof x->run->error.message, "out of memory");
    return failed(x, DEVICE_SETUP);
}

/* ---- buffers -------------------------------------------------------------------------------- */
static bool repeat(struct execution *x, uint64_t at, const void *pattern, uint64_t period, uint64_t bytes) {
    return !bytes || !failed(x, x->hands->fill(x->self, at, bytes, pattern, period, &x->run->error));
}
static bool write(struct execution *x, uint64_t at, const void *from, uint64_t bytes) {
    return !failed(x, x->hands->write(x->self, at, from, bytes, &x->run->error));
}
/* Writes a buffer's computed contents in pieces, for a device that must store all of them. */
static bool make_pieces(struct execution *x, uint64_t at, uint64_t bytes, const struct sim_maker *maker) {
    enum { PIECE = 1 << 24 };
    char *piece = malloc(PIECE);
    bool ok = piece || !no_memory(x);
    for (uint64_t done = 0, n; ok && done < bytes; done += n) {
        n = bytes - done < PIECE ? bytes - done : PIECE;
        maker->make(maker->context, done, n, piece);
        ok = write(x, at + done, piece, n);
    }
    free(piece);
    return ok;
}
/* Returns the next contents of a buffer that the input provides, or NULL for other buffers. If the buffer stores
 * halves, converts the contents in newly allocated memory, *own. */
static const char *contents(struct execution *x, unsigned k, uint16_t **own) {
    const struct plan_buffer *b = &x->plan->buffer[k];
    const uint64_t all = plan_given(b), sets = b->contents ? b->contents : 1, count = all / sets;
    const char *given = all ? x->run->inputs[b->input] : NULL;
    const uint64_t first = all && b->fill == PLAN_INPUT ? x->filled[k]++ % sets * count : 0;
    if (!all || !b->halves) return given + first * b->element;
    *own = malloc(count * sizeof **own);
    for (uint64_t n = 0; *own && n < count; n++) {
        float f;
        memcpy(&f, given + (first + n) * sizeof f, sizeof f);
        (*own)[n] = narrowed_f16(f);
    }
    if (!*own) no_memory(x);
    return (const char *)*own;
}
static bool fill_with(struct execution *x, unsigned k, const char *given) {
    const struct plan_buffer *b = &x->plan->buffer[k];
    const uint64_t at = x->address[k], bytes = b->length * b->element, period = (uint64_t)b->period * b->element;
    switch ((enum plan_fill)b->fill) {
    case PLAN_UNWRITTEN: break;
    case PLAN_INPUT: return write(x, at, given, bytes);
    case PLAN_REPEAT: return repeat(x, at, b->value, b->element, bytes);
    case PLAN_PERIOD:
        return repeat(x, at, given, period, bytes) &&
               write(x, at + bytes - bytes % period, given + period, bytes % period);
    case PLAN_MADE:
        return x->hands->make ? !failed(x, x->hands->make(x->self, at, x->run->makers[k], &x->run->error))
                              : make_pieces(x, at, bytes, &x->run->makers[k]);
    }
    return true;
}
/* Writes the buffer's first or next contents, without the lead. */
static bool fill(struct execution *x, unsigned k) {
    uint16_t *own = NULL;
    const char *given = contents(x, k, &own);
    const bool ok = x->run->status == DEVICE_OK && fill_with(x, k, given);
    free(own);
    return ok;
}
static bool make(struct execution *x, unsigned k) {
    const struct plan_buffer *b = &x->plan->buffer[k];
    const bool repeats = b->fill == PLAN_PERIOD && b->read_only;
    const unsigned flags = (b->fill == PLAN_UNWRITTEN ? SIM_UNINITIALIZED : SIM_INITIALIZED) |
                           (b->read_only ? SIM_READ_ONLY : 0) | (repeats ? SIM_REPEATS : 0) | SIM_ELEMENT(b->element);
    uint64_t at = 0;
    if (failed(x, x->hands->alloc(x->self, b->name, plan_buffer_bytes(b), flags, &at, &x->run->error))) return false;
    x->address[k] = at + plan_lead_bytes(b);
    if (x->run->address) x->run->address[k] = x->address[k];
    return repeat(x, at, b->before, b->element, plan_lead_bytes(b)) && fill(x, k);
}
/* Looks up the module variables that serve as buffers. They exist before the first launch. */
static bool find_variables(struct execution *x) {
    for (unsigned k = 0; k < x->plan->buffers; k++) {
        const struct plan_buffer *b = &x->plan->buffer[k];
        const char *name = plan_variable(x->plan, b);
        uint64_t at = 0, bytes = 0;
        if (!name) continue;
        if (failed(x, x->hands->variable(x->self, name, &at, &bytes, &x->run->error))) return false;
        if (bytes != plan_buffer_bytes(b)) {
            snprintf(x->run->error.message, sizeof x->run->error.message, "variable `%s` is %llu bytes long, not %llu",
                     name, (unsigned long long)bytes, (unsigned long long)plan_buffer_bytes(b));
            return !failed(x, DEVICE_SUBMISSION);
        }
        x->address[k] = at;
        if (x->run->address) x->run->address[k] = at;
        if (!fill(x, k)) return false;
    }
    return true;
}

/* ---- launches ------------------------------------------------------------------------------- */
/* Appends `bytes` bytes to the last parameter, after moving it to x->joined. *used is the number of bytes in use
 * there. */
static void join(struct execution *x, const void *from, uint32_t bytes, size_t *used) {
    const unsigned k = x->param_count - 1;
    if (!*used || (const uint8_t *)x->params[k] + x->bytes[k] != x->joined + *used) {
        memcpy(x->joined + *used, x->params[k], x->bytes[k]);
        x->params[k] = x->joined + *used, *used += x->bytes[k];
    }
    memcpy(x->joined + *used, from, bytes);
    x->bytes[k] += bytes, *used += bytes;
}
static bool collect_params(struct execution *x, const struct plan_launch *l) {
    size_t used = 0;
    x->param_count = 0;
    for (uint32_t k = 0; k < l->arguments; k++) {
        const struct plan_argument *a = &x->plan->argument[l->argument + k];
        const bool scalar = a->buffer == PLAN_NO_BUFFER;
        if (!scalar && !x->address[a->buffer] && !make(x, a->buffer)) return false;
        x->pointers[k] = scalar ? 0 : x->address[a->buffer] + a->offset;
        const void *from = scalar ? (const void *)(x->plan->bytes + a->offset) : &x->pointers[k];
        const uint32_t bytes = scalar ? a->bytes & ~PLAN_JOINED : (uint32_t)sizeof x->pointers[k];
        if (a->bytes & PLAN_JOINED && k)
            join(x, from, bytes, &used);
        else
            x->params[x->param_count] = from, x->bytes[x->param_count++] = bytes;
    }
    for (unsigned k = 0; k < x->plan->buffers && k < 64; k++)
        if (l->refill >> k & 1 && x->address[k] && !fill(x, k)) return false;
    return true;
}
/* Prepares a launch. Before the first of several queued launches, resets persisting cache lines. Before the first
 * launch of a timed group, starts the clock. */
static bool enter(struct execution *x, const struct plan_launch *l) {
    if (l->mode != PLAN_WAITS && !x->queues && x->hands->reset && failed(x, x->hands->reset(x->self, &x->run->error)))
        return false;
    x->queues = l->mode != PLAN_WAITS;
    if (l->mode != PLAN_TIMED || x->timing || !x->hands->start) return true;
    x->timing = true;
    return !failed(x, x->hands->start(x->self, &x->run->error));
}
static bool leave(struct execution *x, unsigned k) {
    const bool goes_on = k + 1 < x->plan->launches && x->plan->launch[k + 1].mode == PLAN_TIMED;
    double nanoseconds = 0;
    if (!x->timing || goes_on) return true;
    x->timing = x->queues = false;
    if (failed(x, x->hands->stop(x->self, &nanoseconds, &x->run->error))) return false;
    if (x->run->nanoseconds) x->run->nanoseconds[x->run->times] = nanoseconds;
    x->run->times++, x->seconds += nanoseconds / 1e9;
    return true;
}
static const void *const *idle_params(struct execution *x, const struct plan_launch *l) {
    static const uint64_t zero[2];
    if (!l->idle) return NULL;
    const void *own = x->plan->bytes + x->plan->argument[l->argument + l->idle - 1].offset;
    for (uint32_t k = 0; k < x->param_count; k++) x->idle[k] = x->params[k] == own ? zero : x->params[k];
    return x->idle;
}
static bool launch(struct execution *x, unsigned k) {
    const struct plan_launch *l = &x->plan->launch[k];
    if (!collect_params(x, l) || !enter(x, l)) return false;
    if (l->sample) memcpy(x->sample, x->plan->bytes + l->sampled, l->sample * sizeof *x->sample);
    const struct device_launch how = {.module = x->plan->kernel[l->kernel].module,
                                      .kernel = plan_symbol(x->plan, l),
                                      .grid = {l->grid[0], l->grid[1], l->grid[2]},
                                      .block = {l->block[0], l->block[1], l->block[2]},
                                      .cluster = {l->cluster[0], l->cluster[1], l->cluster[2]},
                                      .dynamic_shared = l->dynamic_shared,
                                      .params = x->params,
                                      .param_bytes = x->bytes,
                                      .param_count = x->param_count,
                                      .sample = x->sample,
                                      .sample_count = l->sample,
                                      .idle_params = idle_params(x, l),
                                      .queued = l->mode != PLAN_WAITS && x->hands->start};
    return !failed(x, x->hands->launch(x->self, &how, &x->run->error)) && leave(x, k);
}
/* Performs the reads that follow the given number of launches. */
static bool read_after(struct execution *x, unsigned launches) {
    const struct plan *p = x->plan;
    for (unsigned k; (k = x->run->reads) < p->reads && p->read[k].launches == launches; x->run->reads++) {
        const struct plan_read *r = &p->read[k];
        const uint64_t bytes = plan_read_bytes(p, k), offset = r->offset * p->buffer[r->buffer].element;
        if (!x->address[r->buffer] && !make(x, r->buffer)) return false;
        if (failed(x, x->hands->read(x->self, x->address[r->buffer] + offset, (char *)x->run->outputs + x->output,
                                     bytes, &x->run->error)))
            return false;
        x->output += bytes;
    }
    return true;
}
/* Returns whether to skip a group of queued or timed launches, because the time limit of the run has been reached. */
static bool is_over(const struct execution *x, unsigned k) {
    const bool begins = x->plan->launch[k].mode != PLAN_WAITS && !x->queues;
    return begins && x->run->seconds > 0 && x->seconds >= x->run->seconds;
}
static void run_launches(struct execution *x) {
    struct device_run *r = x->run;
    for (bool ok = find_variables(x) && read_after(x, 0); ok && r->launch < x->plan->launches; r->launch++) {
        if (is_over(x, r->launch)) return;
        ok = launch(x, r->launch) && read_after(x, r->launch + 1);
        if (!ok) return;
    }
}
static size_t bytes_of_arguments(const struct plan *p) {
    size_t all = 0;
    for (uint32_t k = 0; k < p->arguments; k++)
        all += p->argument[k].buffer == PLAN_NO_BUFFER ? p->argument[k].bytes & ~PLAN_JOINED : sizeof(uint64_t);
    return all;
}
void device_execute(struct device_run *r, const struct device_hands *hands, void *self) {
    const struct plan *p = r->plan;
    struct execution x = {.run = r, .plan = p, .hands = hands, .self = self};
    r->status = DEVICE_OK, r->error.message[0] = 0, r->launch = r->reads = r->times = 0, r->begun = true;
    x.address = calloc(p->buffers + 1, sizeof *x.address);
    x.filled = calloc(p->buffers + 1, sizeof *x.filled);
    x.params = calloc(p->arguments + 1, sizeof *x.params);
    x.idle = calloc(p->arguments + 1, sizeof *x.idle);
    x.sample = malloc(p->byte_count + 1);
    x.pointers = calloc(p->arguments + 1, sizeof *x.pointers);
    x.bytes = calloc(p->arguments + 1, sizeof *x.bytes);
    x.joined = malloc(bytes_of_arguments(p) + 1);
    if (p->failed || !x.address || !x.filled || !x.params || !x.idle || !x.sample || !x.pointers || !x.bytes ||
        !x.joined)
        no_memory(&x);
    else
        run_launches(&x);
    if (r->look && (r->status == DEVICE_OK || r->status == DEVICE_SUBMISSION))
        r->look(r->look_context, &(struct device_memory){self, hands->read});
    free(x.address);
    free(x.filled);
    free((void *)x.params);
    free((void *)x.idle);
    free(x.sample);
    free(x.pointers);
    free(x.bytes);
    free(x.joined);
}
bool device_is_poison(const void *data, size_t bytes) {
    for (size_t k = 0; k < bytes; k++)
        if (((const unsigned char *)data)[k] != DEVICE_POISON) return false;
    return true;
}
