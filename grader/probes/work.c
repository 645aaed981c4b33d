/* Counts the words of host-filled buffers that lanes loaded and used. The count shows whether a kernel has read its
 * input, not whether its result is correct. */
#include "probes/probe.h"

enum { WORD = 4 };
struct input {
    uint64_t address, size;
    uint8_t *seen; /* one byte per word of the buffer; NULL if the buffer is not an input */
};
struct work_probe {
    struct work *work;
    struct input *inputs; /* indexed by object id */
    uint32_t count;
    uint64_t *of_block; /* number of words that each block of this launch was the first to read */
    uint32_t blocks;
    /* by lane number: number of words that lanes with this number were the first to read */
    uint64_t of_lane[SIM_WARP];
};

static void *create(struct measurement *m) {
    struct work_probe *p = probe_alloc(1, sizeof *p);
    p->work = m->result[PROBE_work];
    return p;
}
static void add_input(struct work_probe *p, const struct sim_object *o) {
    if (o->id >= p->count) {
        p->inputs = probe_grow(p->inputs, o->id + 1, sizeof *p->inputs);
        memset(p->inputs + p->count, 0, (o->id + 1 - p->count) * sizeof *p->inputs);
        p->count = o->id + 1;
    }
    if (p->inputs[o->id].seen) return; /* an earlier launch has counted the input */
    p->inputs[o->id] = (struct input){o->address, o->size, probe_alloc(o->size / WORD + 1, 1)};
    p->work->input_words += o->size / WORD;
}
static void forget_blocks(struct work_probe *p) {
    for (uint32_t k = 0; k < p->blocks; k++) {
        if (p->of_block[k] > p->work->most_words) p->work->most_words = p->of_block[k];
        p->of_block[k] = 0;
    }
}
static void launch_begin(void *self, const struct sim_launch_info *launch) {
    for (unsigned k = 0; k < launch->object_count; k++) {
        const struct sim_object *o = launch->objects[k];
        if (o->kind == SIM_BUFFER && o->initialized) add_input(self, o);
    }
    forget_blocks(self);
}
static void block_begin(void *self, const struct sim_block_event *e) {
    struct work_probe *p = self;
    if (e->where->block < p->blocks) return;
    const uint32_t blocks = e->where->block + e->where->block / 2 + 8;
    p->of_block = probe_grow(p->of_block, blocks, sizeof *p->of_block);
    memset(p->of_block + p->blocks, 0, (blocks - p->blocks) * sizeof *p->of_block);
    p->blocks = blocks;
}
static void access(void *self, const struct sim_access *e) {
    struct work_probe *p = self;
    if (e->kind == SIM_STORE || e->object->id >= p->count) return;
    const struct input *in = &p->inputs[e->object->id];
    if (!in->seen || in->address != e->object->address) return;
    const uint64_t before = p->work->read_words;
    EACH_LANE (l, e->mask & ~e->dropped)
        for (uint64_t w = e->offset[l] / WORD; w * WORD < e->offset[l] + e->bytes && (w + 1) * WORD <= in->size; w++) {
            p->work->loaded_words++;
            if (!in->seen[w]) in->seen[w] = 1, p->work->read_words++, p->of_lane[l]++;
        }
    p->of_block[e->where->block] += p->work->read_words - before;
}
static void finish(void *self, struct measurement *m) {
    struct work_probe *p = self;
    (void)m;
    forget_blocks(p);
    for (unsigned l = 0; l < SIM_WARP; l++)
        if (p->of_lane[l] > p->work->most_lane_words) p->work->most_lane_words = p->of_lane[l];
    for (uint32_t k = 0; k < p->count; k++) free(p->inputs[k].seen);
    free(p->inputs), free(p->of_block);
    free(p);
}

/* If two parts of a launch read a word, both count it. The probe is therefore only used for launches in one part. */
static const struct field fields[] = {NUMBERS_ONCE(struct work, input_words), NUMBERS(struct work, read_words),
                                      NUMBERS(struct work, most_words),       NUMBERS(struct work, most_lane_words),
                                      NUMBERS(struct work, loaded_words),     END_OF_FIELDS};
static const struct sim_probe callbacks = {
    .name = "work", .launch_begin = launch_begin, .block_begin = block_begin, .access = access, .drops = true};
const struct probe_row probe_work = {
    .name = "work",
    .question = "how much of the input was read and used?",
    .part_of = MEASURE_WORK,
    .callbacks = &callbacks,
    .create = create,
    .finish = finish,
    .bytes = sizeof(struct work),
    .fields = fields,
};
