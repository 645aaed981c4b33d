/* Stores the contents of a launch's buffers before and after the launch. A buffer may take many GiB.
 *
 * The initial contents come from a file, or are a function of the element's index. In the latter case, a buffer of
 * 64 MiB or more stores only the chunks that the launch wrote, and recomputes the others from that function. */
#include "base/file.h"
#include "base/hash.h"
#include "base/random.h"
#include "base/reserve.h"
#include "run/argument.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 12 /* elements */, PIECE = 1 << 20 /* elements read at a time */ };

/* ---- before the launch ---------------------------------------------------------------------- */
static const struct {
    const char *name;
    enum run_fill fill;
} fills[] = {{"random", RUN_FILL_RANDOM},
             {"small", RUN_FILL_SMALL},
             {"iota", RUN_FILL_IOTA},
             {"zero", RUN_FILL_SAME},
             {"out", RUN_FILL_OUT}};
bool run_fill_find(const char *name, enum run_fill *fill) {
    for (unsigned k = 0; k < sizeof fills / sizeof *fills; k++)
        if (!strcmp(name, fills[k].name)) return *fill = fills[k].fill, true;
    return false;
}
/* Draws integers from -100 to 100 (unsigned: 0 to 200) and floats from -1 to 1. */
static void random_value(const struct run_type *t, uint64_t random, void *out) {
    const uint64_t r = random_next(&random);
    const int64_t v = (int64_t)(r % 201) - (t->kind == RUN_SIGNED ? 100 : 0);
    if (t->kind == RUN_FLOAT)
        run_store_float(t, (double)(int64_t)(r >> 40) / (1 << 23) - 1, out);
    else
        memcpy(out, &v, t->bytes);
}
/* Copies one element. For 4 bytes, avoids a call to memcpy(). */
static inline void put(const struct run_type *t, const void *from, void *to) {
    if (t->bytes == 4)
        memcpy(to, from, 4);
    else
        memcpy(to, from, t->bytes);
}
static void whole_value(const struct run_type *t, uint64_t v, void *out) {
    if (t->kind == RUN_FLOAT)
        run_store_float(t, (double)v, out);
    else
        put(t, &v, out); /* host and device are little-endian */
}
/* Computes the initial values of elements first..first+count-1. */
static void fill_values(const struct run_argument *a, uint64_t first, uint64_t count, uint8_t *to) {
    const struct run_type *t = a->type;
    for (uint64_t k = first; k < first + count; k++, to += t->bytes) {
        switch (a->fill) {
        case RUN_FILL_SAME: put(t, a->value, to); break;
        case RUN_FILL_RANDOM: random_value(t, random_skip(a->random, k), to); break;
        case RUN_FILL_IOTA: whole_value(t, k, to); break;
        /* values from 0 to 16 in irregular order: sums of up to 2^20 of them are exact in any order, even in float */
        case RUN_FILL_SMALL: whole_value(t, (k * 2654435761u >> 13) % 17, to); break;
        case RUN_FILL_OUT:
        case RUN_FILL_FILE: memset(to, DEVICE_POISON, t->bytes); break;
        }
    }
}
static void make_bytes(void *context, uint64_t offset, uint64_t bytes, void *to) {
    const struct run_argument *a = context;
    fill_values(a, offset / a->type->bytes, bytes / a->type->bytes, to);
}
struct sim_maker run_buffer_maker(struct run_argument *a) {
    return (struct sim_maker){make_bytes, a};
}

static uint64_t bytes_of(const struct run_argument *a) { return a->count * a->type->bytes; }
static uint64_t chunks_of(const struct run_argument *a) { return a->count / CHUNK + 1; }
bool run_buffer_is_large(const struct run_argument *a) {
    return a->type && a->fill != RUN_FILL_FILE && bytes_of(a) >= SIM_LARGE;
}
bool run_buffer_new(struct run_argument *a) {
    a->buffer = a->reserved = true;
    a->data = reserve(bytes_of(a) + 1);
    a->written = reserve(a->count + 1);
    a->touched = reserve(chunks_of(a));
    if (!a->data || !a->written || !a->touched) return false;
    if (!run_buffer_is_large(a)) fill_values(a, 0, a->count, a->data);
    return true;
}
const char *run_buffer_read_file(struct run_argument *a, const char *path) {
    size_t length;
    char *data = file_read(path, 0, bytes_of(a), &length);
    const char *why = data ? NULL : file_why(errno);
    if (data && length < bytes_of(a)) why = "fewer bytes than the buffer";
    if (data && !why) memcpy(a->data, data, bytes_of(a));
    free(data);
    return why;
}
void run_buffer_free(struct run_argument *a) {
    if (!a->reserved) return;
    reserve_free(a->data, bytes_of(a) + 1);
    reserve_free(a->written, a->count + 1);
    reserve_free(a->touched, chunks_of(a));
    a->data = a->written = a->touched = NULL, a->reserved = false;
}

/* ---- during the launch ---------------------------------------------------------------------- */
/* Multiple threads may record writes at the same time. All of them store the value 1. */
void run_buffer_write(struct run_argument *a, uint64_t first, uint64_t last) {
    for (uint64_t k = first; k <= last && k < a->count; k++) {
        __atomic_store_n(&a->written[k], 1, __ATOMIC_RELAXED);
        __atomic_store_n(&a->touched[k / CHUNK], 1, __ATOMIC_RELAXED);
    }
}
bool run_buffer_is_written(const struct run_argument *a, uint64_t first, uint64_t last) {
    bool all = true;
    for (uint64_t k = first; k <= last && k < a->count; k++) all &= __atomic_load_n(&a->written[k], __ATOMIC_RELAXED);
    return all;
}
/* Returns the number of elements in chunk c. */
static uint64_t chunk_count(const struct run_argument *a, uint64_t c) {
    return a->count - c * CHUNK < CHUNK ? a->count - c * CHUNK : CHUNK;
}
void run_buffer_forget(struct run_argument *a) {
    a->read_unset = false;
    for (uint64_t c = 0; c < chunks_of(a); c++)
        if (a->touched[c]) memset(a->written + c * CHUNK, 0, chunk_count(a, c)), a->touched[c] = 0;
}

/* ---- after the launch ------------------------------------------------------------------------------- */
/* Returns a pointer to the element in the buffer, or to a copy of it in `scratch`. */
static const uint8_t *element(const struct run_argument *a, uint64_t k, uint8_t scratch[8]) {
    if (!run_buffer_is_large(a) || a->touched[k / CHUNK]) return a->data + k * a->type->bytes;
    return fill_values(a, k, 1, scratch), scratch;
}
static bool take(struct run_argument *a, uint64_t first, uint64_t count, uint64_t address,
                 const struct device_memory *memory, void *to) {
    struct device_error e;
    const uint64_t each = a->type->bytes;
    return memory->read(memory->self, address + first * each, to, count * each, &e) == DEVICE_OK;
}
/* Marks the elements that changed as written, and stores the changed chunks. */
static void compare(struct run_argument *a, uint64_t first, uint64_t count, const uint8_t *now, uint8_t *before) {
    const uint64_t each = a->type->bytes;
    const bool is_held = !run_buffer_is_large(a);
    const uint8_t *old = is_held ? a->data + first * each : before;
    if (!is_held) fill_values(a, first, count, before);
    if (!memcmp(old, now, count * each)) return;
    for (uint64_t k = 0; k < count; k++)
        if (memcmp(old + k * each, now + k * each, each) != 0) run_buffer_write(a, first + k, first + k);
    for (uint64_t c = first / CHUNK; c * CHUNK < first + count; c++)
        if (a->touched[c]) {
            const uint64_t at = c * CHUNK;
            memcpy(a->data + at * each, now + (at - first) * each, chunk_count(a, c) * each);
        }
}
static void take_changes(struct run_argument *a, uint64_t address, const struct device_memory *memory) {
    uint8_t *now = malloc((size_t)PIECE * 8), *before = malloc((size_t)PIECE * 8);
    for (uint64_t first = 0, n; now && before && first < a->count; first += n) {
        n = a->count - first < PIECE ? a->count - first : PIECE;
        if (!take(a, first, n, address, memory, now)) break;
        compare(a, first, n, now, before);
    }
    free(now);
    free(before);
}
void run_buffer_take(struct run_argument *a, uint64_t address, bool recorded, const struct device_memory *memory) {
    if (!a->type || !address) return;
    if (!recorded) take_changes(a, address, memory);
    for (uint64_t c = 0; recorded && c < chunks_of(a); c++)
        if (a->touched[c]) take(a, c * CHUNK, chunk_count(a, c), address, memory, a->data + c * CHUNK * a->type->bytes);
}

/* ---- reporting ------------------------------------------------------------------------------------- */
uint64_t run_buffer_written(const struct run_argument *a) {
    uint64_t written = 0;
    for (uint64_t c = 0; c < chunks_of(a); c++)
        for (uint64_t k = 0; a->touched[c] && k < chunk_count(a, c); k++) written += a->written[c * CHUNK + k];
    return written;
}
static bool is_open(const struct run_argument *a, uint64_t k) { return !a->initialized && !a->written[k]; }
const uint8_t *run_buffer_element(const struct run_argument *a, uint64_t k, uint8_t scratch[8]) {
    return is_open(a, k) ? NULL : element(a, k, scratch);
}
static uint64_t hash_chunk(uint64_t hash, const struct run_argument *a, uint64_t c) {
    if (a->initialized)
        return hash_bytes(hash, a->data + c * CHUNK * a->type->bytes, chunk_count(a, c) * a->type->bytes);
    for (uint64_t k = c * CHUNK; k < c * CHUNK + chunk_count(a, c); k++)
        for (unsigned b = 0; b < a->type->bytes; b++)
            hash = hash_byte(hash, is_open(a, k) ? DEVICE_POISON : a->data[k * a->type->bytes + b]);
    return hash;
}
/* Hashes a large buffer: the parameters of its initial contents, then each changed chunk with its index. */
static uint64_t hash_changes(uint64_t hash, const struct run_argument *a) {
    uint8_t before[CHUNK * 8];
    hash = hash_bytes(hash, &(uint64_t[]){a->fill, a->random, a->count}, 3 * sizeof(uint64_t));
    hash = hash_bytes(hash, a->value, sizeof a->value);
    for (uint64_t c = 0; c < chunks_of(a); c++) {
        const uint64_t n = a->touched[c] ? chunk_count(a, c) : 0, each = a->type->bytes;
        if (n) fill_values(a, c * CHUNK, n, before);
        if (n && memcmp(before, a->data + c * CHUNK * each, n * each) != 0)
            hash = hash_chunk(hash_bytes(hash, &c, sizeof c), a, c);
    }
    return hash;
}
uint64_t run_buffer_digest(const struct run_argument *a) {
    uint64_t hash = HASH_START;
    if (run_buffer_is_large(a)) return hash_changes(hash, a);
    for (uint64_t c = 0; c < chunks_of(a); c++) hash = hash_chunk(hash, a, c);
    return hash;
}

uint64_t run_buffer_next_written(const struct run_argument *a, uint64_t k) {
    while (k < a->count && !(a->touched[k / CHUNK] && a->written[k]))
        k = a->touched[k / CHUNK] ? k + 1 : (k / CHUNK + 1) * CHUNK;
    return k < a->count ? k : a->count;
}
