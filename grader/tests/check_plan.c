/* Tests plans (plan/plan.h). Packing and unpacking must preserve a plan. Damaged plans must be rejected or safe to
 * use. The interpreter must follow plans in order. */
#include "base/random.h"
#include "device/execute.h"
#include "effort.h"
#include "tests/suite.h"
#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns a plan with three buffers, three launches of two kernels, and three reads. */
static struct plan some_plan(void) {
    struct plan p = {0};
    const unsigned in = plan_add_buffer(&p, (struct plan_buffer){.name = "in",
                                                                 .length = 10,
                                                                 .element = 8,
                                                                 .fill = PLAN_INPUT,
                                                                 .read_only = true,
                                                                 .lead = 2,
                                                                 .before = {9}}),
                   out = plan_add_buffer(&p, (struct plan_buffer){.name = "out", .length = 4, .element = 8}),
                   total = plan_add_buffer(
                       &p, (struct plan_buffer){
                               .name = "total", .length = 2, .element = 4, .fill = PLAN_REPEAT, .value = {1, 2, 3, 4}});
    plan_add_launch(&p, 0, "first", 3, 32);
    plan_pass_address(&p, in, 0), plan_pass_address(&p, out, 8), plan_pass_u32(&p, 7);
    plan_add_read(&p, out, 1, 2, PLAN_ARRAY);
    plan_add_launch(&p, 0, "second", 1, 64);
    plan_last(&p)->mode = PLAN_QUEUED;
    plan_add_launch(&p, 0, "first", 2, 32);
    plan_last(&p)->mode = PLAN_TIMED, plan_last(&p)->refill = 1 << total, plan_last(&p)->dynamic_shared = 100;
    plan_pass_address(&p, total, 4), plan_pass_u64(&p, 1ull << 40);
    plan_add_read(&p, total, 0, 1, PLAN_ONE_VALUE);
    plan_add_read(&p, out, 0, 4, PLAN_ONE_A_BLOCK);
    return p;
}

START_TEST(plans_report_their_contents) {
    struct plan p = some_plan();
    ck_assert(!p.failed && p.buffers == 3 && p.launches == 3 && p.kernels == 2 && p.reads == 3 && p.arguments == 5);
    ck_assert_str_eq(plan_symbol(&p, &p.launch[1]), "second");
    ck_assert_uint_eq(plan_buffer_bytes(&p.buffer[0]), 96);
    ck_assert_uint_eq(plan_read_bytes(&p, 0), 16);
    ck_assert_uint_eq(plan_read_results(&p, 0), 1);
    ck_assert_uint_eq(plan_read_results(&p, 1), 1);
    ck_assert_uint_eq(plan_read_results(&p, 2), 4);
    ck_assert_uint_eq(plan_read_at(&p, 2), 20);
    ck_assert_uint_eq(plan_read_at(&p, 3), 52);
    ck_assert(plan_inputs(&p) == 1 && plan_input_bytes(&p, 0) == 80 && plan_input_bytes(&p, 1) == 0);
    ck_assert_uint_eq(plan_times(&p), 1);
    plan_free(&p);
    plan_add_read(&p, 0, 0, 1, PLAN_ONE_VALUE);
    ck_assert(p.reads == 1 && p.read[0].launches == 0); /* no launch precedes the read */
    plan_free(&p);
}
END_TEST
START_TEST(lists_are_bounded) {
    struct plan p = {0};
    for (unsigned k = 0; k < PLAN_MAX; k++) plan_add_buffer(&p, (struct plan_buffer){.name = "b", .element = 1});
    ck_assert(!p.failed && p.buffers == PLAN_MAX);
    plan_add_buffer(&p, (struct plan_buffer){.name = "b", .element = 1});
    ck_assert(p.failed && p.buffers == PLAN_MAX && !plan_last(&p));
    plan_free(&p);
}
END_TEST

/* ---- packed plans --------------------------------------------------------------------------- */
static bool takes(const uint8_t *bytes, size_t length) {
    struct plan p;
    uint8_t *copy = malloc(length + 1); /* the sanitizer detects reads past the end */
    memcpy(copy, bytes, length);
    const bool good = plan_unpack(&p, copy, length);
    uint64_t sum = 0;
    for (unsigned k = 0; good && k < p.launches; k++)
        sum += strlen(plan_symbol(&p, &p.launch[k])) + p.launch[k].arguments;
    for (unsigned k = 0; good && k < p.reads; k++) sum += plan_read_bytes(&p, k);
    ck_assert(sum < UINT64_MAX);
    plan_free(&p);
    free(copy);
    return good;
}
START_TEST(plans_are_unpacked_completely_or_rejected) {
    struct plan p = some_plan(), q;
    size_t length, again;
    uint64_t random = 5;
    unsigned refused = 0;
    uint8_t *bytes = plan_pack(&p, &length);
    ck_assert(bytes && takes(bytes, length) && plan_unpack(&q, bytes, length));
    uint8_t *copy = plan_pack(&q, &again);
    ck_assert_uint_eq(length, again);
    ck_assert_mem_eq(bytes, copy, length);
    for (size_t k = 0; k < length; k++) ck_assert(!takes(bytes, k));
    for (unsigned k = 0; k < effort(100000, 10000); k++) {
        memcpy(copy, bytes, length);
        const uint64_t r = random_next(&random);
        const size_t at = r % (length - 4);
        copy[at] = (uint8_t)(r >> 40);
        if (r >> 63) memset(copy + at, 0xff, 4);
        refused += !takes(copy, length);
    }
    ck_assert_uint_gt(refused, 1000);
    free(bytes);
    free(copy);
    plan_free(&p);
    plan_free(&q);
}
END_TEST

/* ---- the interpreter, on a device that logs its calls --------------------------------------------- */
struct diary {
    char text[4000];
    const char *fails; /* prefix of the logged line of the call that fails; NULL: none fails */
    uint8_t memory[4096];
    uint64_t next;
    uint32_t *parameters; /* number of arguments, size of argument 1, and values of arguments 1 and 2 */
};
static enum device_status note(struct diary *d, struct device_error *e, const char *format, ...) {
    char line[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    snprintf(d->text + strlen(d->text), sizeof d->text - strlen(d->text), "%s\n", line);
    if (!d->fails || strncmp(line, d->fails, strlen(d->fails)) != 0) return DEVICE_OK;
    return snprintf(e->message, sizeof e->message, "%s failed", line), DEVICE_SUBMISSION;
}
static enum device_status allocs(void *self, const char *name, uint64_t bytes, unsigned flags, uint64_t *address,
                                 struct device_error *e) {
    struct diary *d = self;
    *address = d->next += 256;
    memset(d->memory + *address, DEVICE_POISON, bytes);
    return note(d, e, "alloc %s %u flags %u element %u at %u", name, (unsigned)bytes, flags % SIM_ELEMENT(1),
                flags / SIM_ELEMENT(1), (unsigned)*address);
}
static enum device_status writes(void *self, uint64_t address, const void *from, uint64_t bytes,
                                 struct device_error *e) {
    struct diary *d = self;
    memcpy(d->memory + address, from, bytes);
    return note(d, e, "write %u at %u", (unsigned)bytes, (unsigned)address);
}
static enum device_status reads(void *self, uint64_t address, void *to, uint64_t bytes, struct device_error *e) {
    struct diary *d = self;
    memcpy(to, d->memory + address, bytes);
    return note(d, e, "read %u at %u", (unsigned)bytes, (unsigned)address);
}
static enum device_status launches(void *self, const struct device_launch *l, struct device_error *e) {
    struct diary *d = self;
    uint64_t value[4] = {0};
    if (d->parameters) {
        d->parameters[0] = l->param_count, d->parameters[1] = l->param_bytes[1];
        memcpy(d->parameters + 2, l->params[1], 16), memcpy(d->parameters + 6, l->params[2], 8);
        return DEVICE_OK;
    }
    for (unsigned k = 0; k < l->param_count; k++) memcpy(&value[k], l->params[k], l->param_bytes[k]);
    if (l->param_count) d->memory[value[0] + 4] = 77; /* as if the kernel wrote to memory */
    char sample[60] = "";
    if (l->sample_count)
        snprintf(sample, sizeof sample, " blocks %u %u, others %u", l->sample[0], l->sample[1],
                 *(const uint32_t *)l->idle_params[1]);
    return note(d, e, "launch %s %ux%u shared %u%s%s: %llu %llu %llu", l->kernel, l->grid[0], l->block[0],
                l->dynamic_shared, l->queued ? " queued" : "", sample, (unsigned long long)value[0],
                (unsigned long long)value[1], (unsigned long long)value[2]);
}
static enum device_status resets(void *self, struct device_error *e) { return note(self, e, "reset"); }
static enum device_status starts(void *self, struct device_error *e) { return note(self, e, "start"); }
static enum device_status stops(void *self, double *nanoseconds, struct device_error *e) {
    *nanoseconds = 5e8;
    return note(self, e, "stop");
}
static enum device_status finds(void *self, const char *name, uint64_t *address, uint64_t *bytes,
                                struct device_error *e) {
    *address = 1024, *bytes = 8;
    return note(self, e, "find %s", name);
}
static enum device_status fills(void *self, uint64_t address, uint64_t bytes, const void *pattern, uint64_t period,
                                struct device_error *e) {
    struct diary *d = self;
    for (uint64_t k = 0; k < bytes; k++) d->memory[address + k] = ((const uint8_t *)pattern)[k % period];
    return note(d, e, "fill %u at %u by %u", (unsigned)bytes, (unsigned)address, (unsigned)period);
}
static enum device_status makes(void *self, uint64_t address, struct sim_maker maker, struct device_error *e) {
    struct diary *d = self;
    maker.make(maker.context, 0, 8, d->memory + address);
    return note(d, e, "make at %u", (unsigned)address);
}
static const struct device_hands hands = {allocs, writes, reads, fills, launches, finds, makes, resets, starts, stops},
                                 few_hands = {allocs, writes, reads, fills, launches, finds};
static void looks(void *context, const struct device_memory *memory) {
    struct device_error e;
    uint8_t byte;
    memory->read(memory->self, 256, &byte, 1, &e);
    *(uint8_t *)context = byte;
}
static const uint64_t input[10] = {100, 101, 102, 103, 104, 105, 106, 107, 108, 109};
static struct device_run executed(const struct plan *p, struct diary *d, uint8_t *outputs, double *nanoseconds,
                                  uint8_t *looked, double seconds) {
    struct device_run r = {.plan = p,
                           .inputs = (const void *const[]){input},
                           .outputs = outputs,
                           .nanoseconds = nanoseconds,
                           .look = looked ? looks : NULL,
                           .look_context = looked,
                           .seconds = seconds};
    device_execute(&r, &hands, d);
    return r;
}
START_TEST(plans_execute_in_order) {
    struct plan p = some_plan();
    struct diary d = {.fails = NULL};
    uint8_t outputs[52];
    double nanoseconds = 0;
    const struct device_run r = executed(&p, &d, outputs, &nanoseconds, NULL, 0);
    ck_assert(r.status == DEVICE_OK && r.launch == 3 && r.reads == 3 && r.times == 1 && nanoseconds == 5e8);
    /* the input follows the `lead` elements */
    ck_assert_str_eq(d.text, "alloc in 96 flags 3 element 8 at 256\nfill 16 at 256 by 8\nwrite 80 at 272\n"
                             "alloc out 32 flags 0 element 8 at 512\n"
                             "launch first 3x32 shared 0: 272 520 7\n"
                             "read 16 at 520\n"
                             "reset\nlaunch second 1x64 shared 0 queued: 0 0 0\n"
                             "alloc total 8 flags 1 element 4 at 768\nfill 8 at 768 by 4\nfill 8 at 768 by 4\n"
                             "start\nlaunch first 2x32 shared 100 queued: 772 1099511627776 0\nstop\n"
                             "read 4 at 768\nread 32 at 512\n");
    ck_assert(d.memory[256] == 9 &&
              d.memory[272] == 100); /* the first byte of the `lead` elements, and the first byte of the input */
    ck_assert_mem_eq(outputs + 16, ((uint8_t[]){1, 2, 3, 4}), 4);
    ck_assert(device_is_poison(outputs + 20, 32));
    plan_free(&p);
}
END_TEST
static const struct {
    const char *fails;
    unsigned launch, reads;
} failures[] = {
    {"alloc out", 0, 0}, {"launch first 3", 0, 0}, {"read 16", 0, 0}, {"reset", 1, 1},  {"launch second", 1, 1},
    {"start", 2, 1},     {"launch first 2", 2, 1}, {"stop", 2, 1},    {"read 4", 2, 1},
};
START_TEST(failures_name_their_place) {
    struct plan p = some_plan();
    struct diary d = {.fails = failures[_i].fails};
    uint8_t outputs[52];
    uint8_t looked = 0;
    const struct device_run r = executed(&p, &d, outputs, NULL, &looked, 0);
    ck_assert_int_eq(r.status, DEVICE_SUBMISSION);
    ck_assert_uint_eq(looked, 9); /* after a failure, look() still reads the `lead` elements */
    ck_assert_uint_eq(r.launch, failures[_i].launch);
    ck_assert_uint_eq(r.reads, failures[_i].reads);
    ck_assert_msg(!strncmp(r.error.message, d.fails, strlen(d.fails)), "%s", r.error.message);
    plan_free(&p);
}
END_TEST
/* A maker computes a buffer's contents: page by page if the device supports this, and otherwise in pieces. */
static const char some_maker = 1;
static void sevens(void *context, uint64_t offset, uint64_t bytes, void *to) {
    ck_assert(context == &some_maker && offset + bytes <= 16);
    memset(to, 7, bytes);
}
START_TEST(makers_generate_contents) {
    struct plan p = {0};
    struct diary d = {.fails = NULL};
    const struct sim_maker maker[] = {{sevens, (void *)(uintptr_t)&some_maker}};
    plan_add_launch(&p, 0, "first", 1, 32);
    plan_pass_address(&p, plan_add_buffer(&p, (struct plan_buffer){"in", 2, 8, PLAN_MADE}), 0);
    for (unsigned k = 0; k < 2; k++) {
        struct device_run r = {.plan = &p, .makers = maker};
        d.text[0] = 0, d.next = 0;
        device_execute(&r, k ? &few_hands : &hands, &d);
        ck_assert_str_eq(
            d.text, k ? "alloc in 16 flags 1 element 8 at 256\nwrite 16 at 256\nlaunch first 1x32 shared 0: 256 0 0\n"
                      : "alloc in 16 flags 1 element 8 at 256\nmake at 256\nlaunch first 1x32 shared 0: 256 0 0\n");
        ck_assert(r.status == DEVICE_OK && d.memory[256] == 7);
    }
    size_t length;
    uint8_t *bytes = plan_pack(&p, &length);
    ck_assert(!takes(bytes, length)); /* a plan with a maker cannot be sent */
    free(bytes);
    plan_free(&p);
}
END_TEST
/* A buffer may have several sets of elements. Each refill uses the next set, and after the last set the first. */
START_TEST(refills_use_the_next_contents) {
    struct plan p = {0}, q;
    struct diary d = {.fails = NULL};
    uint64_t outputs[8];
    size_t length;
    const unsigned in = plan_add_buffer(
        &p, (struct plan_buffer){.name = "in", .length = 2, .element = 8, .fill = PLAN_INPUT, .contents = 3});
    for (unsigned k = 0; k < 4; k++) {
        plan_add_launch(&p, 0, "first", 1, 32);
        plan_pass_u32(&p, 1000), plan_pass_address(&p, in, 0);
        if (k) plan_last(&p)->refill = UINT64_C(1) << in;
        plan_add_read(&p, in, 0, 2, PLAN_ARRAY);
    }
    ck_assert(plan_given(&p.buffer[in]) == 6 && plan_input_bytes(&p, 0) == 48);
    uint8_t *bytes = plan_pack(&p, &length);
    ck_assert(plan_unpack(&q, bytes, length));
    ck_assert_int_eq(executed(&q, &d, (uint8_t *)outputs, NULL, NULL, 0).status, DEVICE_OK);
    ck_assert_mem_eq(outputs, ((uint64_t[]){100, 101, 102, 103, 104, 105, 100, 101}), sizeof outputs);
    p.buffer[in].fill = PLAN_REPEAT;
    free(bytes), plan_free(&q);
    bytes = plan_pack(&p, &length);
    ck_assert(!plan_unpack(&q, bytes, length)); /* other buffers must not have several sets */
    free(bytes), plan_free(&q), plan_free(&p);
}
END_TEST
/* Floats may be stored as halves if the buffer has one or several sets of elements, or periodic contents. Other
 * fills and element sizes are rejected. */
START_TEST(floats_become_halves) {
    enum { SETS = 2, N = 3 };
    static const float given[SETS * N] = {1, -2.5f, 65519, 0.1f, 0x1p-24f, 0};
    static const uint16_t halves[SETS * N] = {0x3c00, 0xc100, 0x7bff, 0x2e66, 1, 0};
    for (unsigned periodic = 0; periodic < 2; periodic++) {
        struct plan p = {0}, q;
        struct diary d = {.fails = NULL};
        uint16_t outputs[8] = {0};
        size_t length;
        struct plan_buffer b = {
            .name = "in", .length = N, .element = 2, .fill = PLAN_INPUT, .contents = SETS, .halves = 1};
        if (periodic) b.fill = PLAN_PERIOD, b.contents = 0, b.period = N, b.length = 2 * N + 2;
        const unsigned in = plan_add_buffer(&p, b);
        for (unsigned k = 0; k < SETS - periodic; k++) {
            plan_add_launch(&p, 0, "first", 1, 32);
            plan_pass_u32(&p, 1000), plan_pass_address(&p, in, 0);
            if (k) plan_last(&p)->refill = UINT64_C(1) << in;
            plan_add_read(&p, in, 0, b.length, PLAN_ARRAY);
        }
        ck_assert_uint_eq(plan_input_bytes(&p, 0), (periodic ? N + 2 : SETS * N) * sizeof(float));
        uint8_t *bytes = plan_pack(&p, &length);
        ck_assert(plan_unpack(&q, bytes, length));
        struct device_run r = {.plan = &q, .inputs = (const void *const[]){given}, .outputs = outputs};
        device_execute(&r, &hands, &d);
        ck_assert_int_eq(r.status, DEVICE_OK);
        for (unsigned k = 0; k < (periodic ? 2 * N + 2 : SETS * N); k++)
            ck_assert_uint_eq(outputs[k], halves[periodic ? k < 2 * N ? k % N : k - N : k]);
        free(bytes), plan_free(&q);
        for (unsigned k = 0; k < 2; k++) {
            p.buffer[in].element = k ? 4 : 2, p.buffer[in].fill = k ? b.fill : PLAN_REPEAT;
            p.buffer[in].contents = p.buffer[in].period = 0;
            if (k) p.buffer[in].contents = b.contents, p.buffer[in].period = b.period;
            bytes = plan_pack(&p, &length);
            ck_assert(!takes(bytes, length));
            free(bytes);
        }
        plan_free(&p);
    }
}
END_TEST
/* Before the first launch, the interpreter finds each variable of the plan in the module, checks its size, and fills
 * it. */
START_TEST(variables_come_first) {
    struct plan p = {0}, q;
    struct diary d = {.fails = NULL};
    uint8_t outputs[8];
    size_t length;
    plan_add_launch(&p, 0, "first", 1, 32);
    const unsigned v = plan_add_variable(
        &p, "counter", (struct plan_buffer){.name = "c", .length = 2, .element = 4, .fill = PLAN_REPEAT, .value = {5}});
    plan_add_read(&p, v, 0, 2, PLAN_ARRAY);
    uint8_t *bytes = plan_pack(&p, &length);
    ck_assert(plan_unpack(&q, bytes, length));
    ck_assert_str_eq(plan_variable(&q, &q.buffer[v]), "counter");
    const struct device_run r = executed(&q, &d, outputs, NULL, NULL, 0);
    ck_assert_int_eq(r.status, DEVICE_OK);
    ck_assert_str_eq(d.text, "find counter\nfill 8 at 1024 by 4\nlaunch first 1x32 shared 0: 0 0 0\nread 8 at 1024\n");
    q.buffer[v].length = 3, d.text[0] = 0;
    const struct device_run wrong = executed(&q, &d, outputs, NULL, NULL, 0);
    ck_assert_int_eq(wrong.status, DEVICE_SUBMISSION);
    ck_assert_str_eq(wrong.error.message, "variable `counter` is 8 bytes long, not 12");
    ck_assert_str_eq(d.text, "find counter\n");
    q.buffer[v].variable = q.byte_count + 1, free(bytes), bytes = plan_pack(&q, &length);
    plan_free(&q);
    ck_assert(!plan_unpack(&q, bytes, length)); /* the variable's name would extend past the end */
    plan_free(&q), plan_free(&p), free(bytes);
}
END_TEST
/* plan_join() joins two arguments to one struct parameter. */
START_TEST(arguments_are_joined) {
    struct plan p = {0};
    struct diary d = {.fails = NULL};
    const unsigned b = plan_add_buffer(&p, (struct plan_buffer){.name = "b", .length = 2, .element = 4});
    plan_add_launch(&p, 0, "first", 1, 32);
    plan_pass_address(&p, b, 0), plan_pass_u32(&p, 1), plan_pass_u32(&p, 7), plan_join(&p), plan_pass_address(&p, b, 4);
    plan_join(&p), plan_pass_u32(&p, 5), plan_pass_u32(&p, 9), plan_join(&p);
    uint32_t seen[8];
    d.parameters = seen;
    executed(&p, &d, NULL, NULL, NULL, 0);
    ck_assert_uint_eq(seen[0], 3);
    ck_assert_uint_eq(seen[1], 16); /* 16 bytes: the numbers 1 and 7, and the address 260 */
    ck_assert(seen[2] == 1 && seen[3] == 7 && seen[4] == 260 && !seen[5]);
    ck_assert(seen[6] == 5 && seen[7] == 9);
    plan_free(&p);
}
END_TEST
START_TEST(runs_stop_after_enough_seconds) {
    struct plan p = {0};
    struct diary d = {.fails = NULL};
    double nanoseconds[4];
    plan_add_buffer(&p, (struct plan_buffer){.name = "out", .length = 1, .element = 8});
    for (unsigned k = 0; k < 4; k++) {
        plan_add_launch(&p, 0, "flush", 1, 32);
        plan_last(&p)->mode = PLAN_QUEUED;
        plan_add_launch(&p, 0, "timed", 1, 32);
        plan_last(&p)->mode = PLAN_TIMED;
        plan_add_read(&p, 0, 0, 1, PLAN_ONE_VALUE);
    }
    uint64_t outputs[4];
    const struct device_run r = executed(&p, &d, (uint8_t *)outputs, nanoseconds, NULL, 1);
    ck_assert(plan_times(&p) == 4 && r.status == DEVICE_OK && r.times == 2 && r.reads == 2 && r.launch == 4);
    plan_free(&p);
}
END_TEST

/* A periodic buffer consists of one period and the last elements. A sample is a list of blocks; in all other blocks,
 * an argument has a different value. */
START_TEST(plans_carry_periods_and_samples) {
    struct plan p = {0}, q;
    struct diary d = {.fails = NULL};
    uint64_t outputs[7];
    size_t length;
    plan_add_buffer(&p, (struct plan_buffer){"in", 7, 8, PLAN_PERIOD, .period = 3});
    plan_add_launch(&p, 0, "first", 9, 32);
    plan_pass_address(&p, 0, 0), plan_pass_u64(&p, 7);
    plan_sample(&p, 0, (const uint32_t[]){0, 8}, 2, 1);
    plan_add_read(&p, 0, 0, 7, PLAN_ARRAY);
    ck_assert(plan_given(&p.buffer[0]) == 4 && plan_inputs(&p) == 1 && plan_input_bytes(&p, 0) == 32);
    uint8_t *bytes = plan_pack(&p, &length);
    ck_assert(plan_unpack(&q, bytes, length) && q.launch[0].sample == 2 && q.launch[0].idle == 2);
    executed(&q, &d, (uint8_t *)outputs, NULL, NULL, 0);
    ck_assert_str_eq(d.text, "alloc in 56 flags 1 element 8 at 256\nfill 56 at 256 by 24\nwrite 8 at 304\n"
                             "launch first 9x32 shared 0 blocks 0 8, others 0: 256 7 0\nread 56 at 256\n");
    ck_assert(outputs[5] == 102 && outputs[6] == 103);
    const struct plan_launch good = p.launch[0];
    struct plan_launch bad[] = {good, good, good, good};
    bad[0].idle = 3, bad[1].idle = 1, bad[2].sampled = p.byte_count, bad[3].sample = 1 << 20;
    for (unsigned k = 0; k < 4; k++) {
        p.launch[0] = bad[k];
        free(bytes);
        plan_free(&q);
        bytes = plan_pack(&p, &length);
        ck_assert_msg(!plan_unpack(&q, bytes, length), "%u", k);
    }
    free(bytes);
    plan_free(&p);
    plan_free(&q);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("plan");
    TCase *tcase = tcase_create("plan");
    tcase_add_test(tcase, plans_report_their_contents);
    tcase_add_test(tcase, lists_are_bounded);
    tcase_add_test(tcase, plans_are_unpacked_completely_or_rejected);
    tcase_add_test(tcase, plans_execute_in_order);
    tcase_add_loop_test(tcase, failures_name_their_place, 0, sizeof failures / sizeof *failures);
    tcase_add_test(tcase, runs_stop_after_enough_seconds);
    tcase_add_test(tcase, makers_generate_contents);
    tcase_add_test(tcase, refills_use_the_next_contents);
    tcase_add_test(tcase, floats_become_halves);
    tcase_add_test(tcase, variables_come_first);
    tcase_add_test(tcase, arguments_are_joined);
    tcase_add_test(tcase, plans_carry_periods_and_samples);
    suite_add_tcase(suite, tcase);
    return suite_failures(suite) != 0;
}
