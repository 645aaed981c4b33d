/* See plan.h. */
#include "plan/plan.h"
#include <stdlib.h>
#include <string.h>

/* The structs are sent as raw bytes, so they must have no padding. */
_Static_assert(sizeof(struct plan_buffer) == PLAN_NAME + 8 + 10 * 4 + 2 * PLAN_VALUE, "no padding");
_Static_assert(sizeof(struct plan_launch) == 8 + 18 * 4, "no padding");
_Static_assert(sizeof(struct plan_argument) == 16, "no padding");
_Static_assert(sizeof(struct plan_kernel) == 8, "no padding");
_Static_assert(sizeof(struct plan_read) == 32, "no padding");

/* ---- lists ---------------------------------------------------------------------------------- */
static uint32_t room_for(uint32_t count) {
    uint32_t room = 4;
    while (room < count) room *= 2;
    return count ? room : 0;
}
/* Appends `more` items to a list whose pointer is at `list`. Returns a pointer to them, or NULL. */
static void *add_to_list(struct plan *p, void *list, uint32_t *count, size_t size, uint32_t more) {
    const uint32_t at = *count;
    char *items;
    memcpy(&items, list, sizeof items);
    if (more > PLAN_MAX || at + more > PLAN_MAX) p->failed = true;
    if (!p->failed && (!items || room_for(at + more) > room_for(at))) {
        char *grown = realloc(items, room_for(at + more + !more) * size);
        if (grown)
            memcpy(list, &grown, sizeof grown), items = grown;
        else
            p->failed = true;
    }
    if (p->failed) return NULL;
    *count += more;
    return items + at * size;
}
static void add_one(struct plan *p, void *list, uint32_t *count, size_t size, const void *item) {
    void *to = add_to_list(p, list, count, size, 1);
    if (to) memcpy(to, item, size);
}
static uint32_t keep_bytes(struct plan *p, const void *from, size_t bytes) {
    const uint32_t at = p->byte_count;
    void *to =
        bytes <= PLAN_MAX ? add_to_list(p, &p->bytes, &p->byte_count, 1, (uint32_t)bytes) : (p->failed = true, NULL);
    if (to) memcpy(to, from, bytes);
    return at;
}
enum { SCALAR_ALIGNMENT = 16 };
static unsigned last_of(uint32_t count) { return count ? count - 1 : 0; }

/* ---- building ------------------------------------------------------------------------------- */
unsigned plan_add_buffer(struct plan *p, struct plan_buffer b) {
    add_one(p, &p->buffer, &p->buffers, sizeof b, &b);
    return last_of(p->buffers);
}
unsigned plan_add_variable(struct plan *p, const char *symbol, struct plan_buffer b) {
    b.variable = 1 + keep_bytes(p, symbol, strlen(symbol) + 1);
    return plan_add_buffer(p, b);
}
static uint32_t kernel_of(struct plan *p, unsigned module, const char *symbol) {
    for (uint32_t k = 0; k < p->kernels; k++)
        if (p->kernel[k].module == module && !strcmp((char *)p->bytes + p->kernel[k].symbol, symbol)) return k;
    const struct plan_kernel new = {module, keep_bytes(p, symbol, strlen(symbol) + 1)};
    add_one(p, &p->kernel, &p->kernels, sizeof new, &new);
    return last_of(p->kernels);
}
unsigned plan_add_launch(struct plan *p, unsigned module, const char *symbol, uint32_t grid, uint32_t block) {
    const struct plan_launch l = {
        .kernel = kernel_of(p, module, symbol), .grid = {grid, 1, 1}, .block = {block, 1, 1}, .argument = p->arguments};
    add_one(p, &p->launch, &p->launches, sizeof l, &l);
    return last_of(p->launches);
}
struct plan_launch *plan_last(struct plan *p) {
    return p->failed || !p->launches ? NULL : &p->launch[p->launches - 1];
}
static void pass(struct plan *p, struct plan_argument a) {
    struct plan_launch *l = plan_last(p);
    if (!l) return;
    add_one(p, &p->argument, &p->arguments, sizeof a, &a);
    if (!p->failed) l->arguments++;
}
void plan_pass_address(struct plan *p, unsigned buffer, uint64_t offset) {
    pass(p, (struct plan_argument){.buffer = buffer, .offset = offset});
}
void plan_pass_scalar(struct plan *p, const void *value, uint32_t bytes) {
    static const uint8_t zeros[SCALAR_ALIGNMENT];
    keep_bytes(p, zeros, -p->byte_count % SCALAR_ALIGNMENT);
    pass(p, (struct plan_argument){.buffer = PLAN_NO_BUFFER, .offset = keep_bytes(p, value, bytes), .bytes = bytes});
}
void plan_join(struct plan *p) {
    const struct plan_launch *l = plan_last(p);
    if (l && l->arguments > 1) p->argument[p->arguments - 1].bytes |= PLAN_JOINED;
}
void plan_pass_u32(struct plan *p, uint32_t n) { plan_pass_scalar(p, &n, sizeof n); }
void plan_pass_u64(struct plan *p, uint64_t n) { plan_pass_scalar(p, &n, sizeof n); }
void plan_sample(struct plan *p, unsigned launch, const uint32_t *blocks, uint32_t count, uint32_t idle) {
    const uint32_t at = keep_bytes(p, blocks, count * sizeof *blocks);
    if (p->failed) return;
    struct plan_launch *l = &p->launch[launch];
    l->sample = count, l->sampled = at, l->idle = idle == PLAN_NO_ARGUMENT ? 0 : idle + 1;
}
unsigned plan_add_read(struct plan *p, unsigned buffer, uint64_t offset, uint64_t count, enum plan_shape shape) {
    const struct plan_read r = {
        .offset = offset, .count = count, .buffer = buffer, .launches = p->launches, .shape = shape};
    add_one(p, &p->read, &p->reads, sizeof r, &r);
    return last_of(p->reads);
}
void plan_free(struct plan *p) {
    free(p->buffer), free(p->launch), free(p->argument), free(p->kernel), free(p->read), free(p->bytes);
    *p = (struct plan){.failed = p->failed};
}

/* ---- looking -------------------------------------------------------------------------------- */
const char *plan_symbol(const struct plan *p, const struct plan_launch *l) {
    return (const char *)p->bytes + p->kernel[l->kernel].symbol;
}
const char *plan_variable(const struct plan *p, const struct plan_buffer *b) {
    return b->variable ? (const char *)p->bytes + b->variable - 1 : NULL;
}
uint64_t plan_lead_bytes(const struct plan_buffer *b) { return (uint64_t)b->lead * b->element; }
uint64_t plan_buffer_bytes(const struct plan_buffer *b) { return plan_lead_bytes(b) + b->length * b->element; }
uint64_t plan_read_bytes(const struct plan *p, unsigned k) {
    return p->read[k].count * p->buffer[p->read[k].buffer].element;
}
uint64_t plan_read_results(const struct plan *p, unsigned k) {
    return p->read[k].shape == PLAN_ONE_A_BLOCK ? p->read[k].count : 1;
}
uint64_t plan_read_at(const struct plan *p, unsigned k) {
    uint64_t at = 0;
    for (unsigned r = 0; r < k; r++) at += plan_read_bytes(p, r);
    return at;
}
static bool takes_input(const struct plan_buffer *b) { return b->fill == PLAN_INPUT || b->fill == PLAN_PERIOD; }
uint64_t plan_given(const struct plan_buffer *b) {
    const uint64_t sets = b->contents ? b->contents : 1;
    return b->fill == PLAN_INPUT ? b->length * sets : b->fill == PLAN_PERIOD ? b->period + b->length % b->period : 0;
}
uint32_t plan_given_size(const struct plan_buffer *b) { return b->halves ? sizeof(float) : b->element; }
uint64_t plan_input_bytes(const struct plan *p, unsigned input) {
    for (unsigned k = 0; k < p->buffers; k++)
        if (takes_input(&p->buffer[k]) && p->buffer[k].input == input)
            return plan_given(&p->buffer[k]) * plan_given_size(&p->buffer[k]);
    return 0;
}
unsigned plan_inputs(const struct plan *p) {
    unsigned inputs = 0;
    for (unsigned k = 0; k < p->buffers; k++)
        if (takes_input(&p->buffer[k]) && p->buffer[k].input >= inputs) inputs = p->buffer[k].input + 1;
    return inputs;
}
unsigned plan_times(const struct plan *p) {
    unsigned times = 0;
    for (unsigned k = 0; k < p->launches; k++)
        times += p->launch[k].mode == PLAN_TIMED && (!k || p->launch[k - 1].mode != PLAN_TIMED);
    return times;
}

/* ---- sending a plan to another process ------------------------------------------------------ */
enum { LISTS = 6 };
struct list {
    void *items; /* address of the list's pointer in the plan */
    uint32_t *count;
    size_t size;
};
static void lists_of(struct plan *p, struct list lists[LISTS]) {
    const struct list all[LISTS] = {{&p->buffer, &p->buffers, sizeof *p->buffer},
                                    {&p->launch, &p->launches, sizeof *p->launch},
                                    {&p->argument, &p->arguments, sizeof *p->argument},
                                    {&p->kernel, &p->kernels, sizeof *p->kernel},
                                    {&p->read, &p->reads, sizeof *p->read},
                                    {&p->bytes, &p->byte_count, 1}};
    memcpy(lists, all, sizeof all);
}
uint8_t *plan_pack(const struct plan *p, size_t *length) {
    struct plan copy = *p;
    struct list lists[LISTS];
    lists_of(&copy, lists);
    *length = LISTS * sizeof(uint32_t);
    for (unsigned k = 0; k < LISTS; k++) *length += *lists[k].count * lists[k].size;
    uint8_t *bytes = malloc(*length), *to = bytes;
    for (unsigned k = 0; bytes && k < LISTS; k++, to += sizeof(uint32_t)) memcpy(to, lists[k].count, sizeof(uint32_t));
    for (unsigned k = 0; bytes && k < LISTS; k++) {
        const size_t size = *lists[k].count * lists[k].size;
        const char *items;
        memcpy(&items, lists[k].items, sizeof items);
        if (size) memcpy(to, items, size);
        to += size;
    }
    return bytes;
}
static bool in_range(uint64_t at, uint64_t count, uint64_t of) { return at <= of && count <= of - at; }
static bool is_text(const struct plan *p, uint32_t at) {
    return at < p->byte_count && memchr(p->bytes + at, 0, p->byte_count - at);
}
static bool buffer_is_good(const struct plan *p, const struct plan_buffer *b) {
    enum { MAX_LEAD = 1 << 30, MAX_ELEMENT = 1 << 16 };
    const uint64_t most_length = UINT64_C(1) << 40; /* in elements; limits a buffer to less than 2^57 bytes */
    return memchr(b->name, 0, sizeof b->name) && b->element && b->element <= MAX_ELEMENT && b->length <= most_length &&
           b->lead <= MAX_LEAD && b->fill <= PLAN_PERIOD && b->input < PLAN_MAX && b->contents <= PLAN_MAX &&
           (b->fill == PLAN_INPUT || !b->contents) && (!b->halves || (takes_input(b) && b->element == 2)) &&
           ((b->fill != PLAN_REPEAT && !b->lead) || b->element <= PLAN_VALUE) &&
           (b->fill == PLAN_PERIOD ? b->period && !b->lead && !b->variable : !b->period) &&
           (!b->variable || (!b->lead && is_text(p, b->variable - 1)));
}
static bool argument_is_good(const struct plan *p, const struct plan_argument *a) {
    return a->buffer == PLAN_NO_BUFFER ? in_range(a->offset, a->bytes & ~PLAN_JOINED, p->byte_count)
                                       : a->buffer < p->buffers;
}
static bool launch_is_good(const struct plan *p, const struct plan_launch *l) {
    return l->kernel < p->kernels && in_range(l->argument, l->arguments, p->arguments) && l->mode <= PLAN_TIMED &&
           in_range(l->sampled, (uint64_t)l->sample * sizeof(uint32_t), p->byte_count) && l->idle <= l->arguments &&
           (!l->idle || p->argument[l->argument + l->idle - 1].buffer == PLAN_NO_BUFFER);
}
static bool read_is_good(const struct plan *p, const struct plan_read *r) {
    return r->buffer < p->buffers && r->launches <= p->launches && r->shape <= PLAN_ARRAY &&
           in_range(r->offset, r->count, p->buffer[r->buffer].length);
}
static bool is_good(const struct plan *p) {
    bool good = true;
    for (unsigned k = 0; k < p->buffers; k++) good = good && buffer_is_good(p, &p->buffer[k]);
    for (unsigned k = 0; k < p->arguments; k++) good = good && argument_is_good(p, &p->argument[k]);
    for (unsigned k = 0; k < p->kernels; k++)
        good = good && p->kernel[k].module < PLAN_MODULES && is_text(p, p->kernel[k].symbol);
    for (unsigned k = 0; k < p->launches; k++) good = good && launch_is_good(p, &p->launch[k]);
    for (unsigned k = 0; k < p->reads; k++)
        good = good && read_is_good(p, &p->read[k]) && (!k || p->read[k - 1].launches <= p->read[k].launches);
    return good;
}
bool plan_unpack(struct plan *p, const uint8_t *bytes, size_t length) {
    struct list lists[LISTS];
    uint32_t counts[LISTS];
    *p = (struct plan){0};
    lists_of(p, lists);
    if (length < sizeof counts) return false;
    memcpy(counts, bytes, sizeof counts);
    size_t at = sizeof counts;
    for (unsigned k = 0; k < LISTS; k++) {
        void *to = counts[k] <= PLAN_MAX && in_range(at, counts[k] * lists[k].size, length)
                       ? add_to_list(p, lists[k].items, lists[k].count, lists[k].size, counts[k])
                       : NULL;
        if (!to) return false;
        memcpy(to, bytes + at, counts[k] * lists[k].size);
        at += counts[k] * lists[k].size;
    }
    return at == length && is_good(p);
}
