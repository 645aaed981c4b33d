/* See wire.h. Both ends are the same program, so structures travel as they lie in memory, but for pointers; a table
 * says of each what the receiver checks.
 *
 *     fixed parts, in the order of the table
 *     each list: its count, its items, then the names in them: length and characters of each
 *     the warps of each step */
#include "base/array.h"
#include "probes/wire.h"
#include <stdlib.h>
#include <string.h>

#define MOST_NUMBER (UINT64_C(1) << 62) /* JSON integers have a sign */
enum {
    NO_NAME = 0xffff,
    MOST_NAME = 4096,
    MOST_THREAD = 32 * SIM_WARP,
    MOST_TOUCHED = 64 /* bytes of a move's place */
};

/* ---- what is checked ------------------------------------------------------------------------ */
enum check_kind { CHECK_NUMBERS, CHECK_WORDS, CHECK_SHORTS, CHECK_BOOLS, CHECK_TEXT, CHECK_NAME, CHECK_POINTER };
struct check {
    enum check_kind kind;
    size_t offset;
    unsigned count; /* of them one after the other; of a text: its bytes */
    uint64_t most;
};
#define COUNT_OF(type, field, unit) (unsigned)(sizeof(((type *)0)->field) / sizeof(unit))
#define NUMBERS(type, field)                                                                                           \
    { CHECK_NUMBERS, offsetof(type, field), COUNT_OF(type, field, uint64_t), MOST_NUMBER }
#define WORD(type, field, most)                                                                                        \
    { CHECK_WORDS, offsetof(type, field), 1, most }
#define SHORT(type, field, most)                                                                                       \
    { CHECK_SHORTS, offsetof(type, field), 1, most }
#define BOOL(type, field)                                                                                              \
    { CHECK_BOOLS, offsetof(type, field), 1, 1 }
#define TEXT(type, field)                                                                                              \
    { CHECK_TEXT, offsetof(type, field), sizeof(((type *)0)->field), 0 }
#define NAME(type, field)                                                                                              \
    { CHECK_NAME, offsetof(type, field), 1, 0 }
#define POINTER(type, field)                                                                                           \
    { CHECK_POINTER, offsetof(type, field), 1, 0 }
#define END                                                                                                            \
    { CHECK_BOOLS, 0, 0, 0 }
#define SITE(field)                                                                                                    \
    NAME(struct finding, field.file), WORD(struct finding, field.line, INT32_MAX),                                     \
        WORD(struct finding, field.column, INT32_MAX), WORD(struct finding, field.block, INT32_MAX),                   \
        WORD(struct finding, field.warp, INT32_MAX)
#define PLACE(type, field)                                                                                             \
    SHORT(type, field.array, MOVE_ARRAYS - 1), SHORT(type, field.bytes, MOST_TOUCHED), NUMBERS(type, field.offset)
#define FROM(type, first, last)                                                                                        \
    {                                                                                                                  \
        CHECK_NUMBERS, offsetof(type, first),                                                                          \
            (unsigned)((offsetof(type, last) - offsetof(type, first)) / sizeof(uint64_t) + 1), MOST_NUMBER             \
    }

static const struct check counts_checks[] = {FROM(struct counts, launches, divergent_tree_steps), END};
static const struct check opcode_checks[] = {{CHECK_NUMBERS, 0, PTX_OP_COUNT, MOST_NUMBER}, END};
static const struct check dropped_checks[] = {{CHECK_NUMBERS, 0, 1, MOST_NUMBER}, END};
static const struct check arrays_checks[] = {{CHECK_WORDS, 0, 1, MOVE_ARRAYS}, END};
static const struct check array_checks[] = {TEXT(struct move_array, name), WORD(struct move_array, space, PTX_REG),
                                            NUMBERS(struct move_array, size), END};
static const struct check warps_checks[] = {{CHECK_WORDS, 0, 1, SIM_MAX_WARPS}, END};
static const struct check truncated_checks[] = {{CHECK_BOOLS, 0, 1, 1}, END};
/* Parts that lie in the measurement itself; `items` of `size` bytes. */
static const struct {
    size_t offset, size;
    unsigned items;
    const struct check *checks;
} parts[] = {
    {offsetof(struct measurement, counts), sizeof(struct counts), 1, counts_checks},
    {offsetof(struct measurement, opcodes), sizeof(((struct measurement *)0)->opcodes), 1, opcode_checks},
    {offsetof(struct measurement, findings.dropped), sizeof(uint64_t), 1, dropped_checks},
    {offsetof(struct measurement, moves.arrays), sizeof(unsigned), 1, arrays_checks},
    {offsetof(struct measurement, moves.array), sizeof(struct move_array), MOVE_ARRAYS, array_checks},
    {offsetof(struct measurement, steps.warps), sizeof(unsigned), 1, warps_checks},
    {offsetof(struct measurement, steps.truncated), sizeof(bool), 1, truncated_checks},
};

static const struct check finding_checks[] = {WORD(struct finding, kind, FINDING_KIND_COUNT - 1),
                                              SITE(at),
                                              SITE(other),
                                              TEXT(struct finding, object),
                                              TEXT(struct finding, message),
                                              NUMBERS(struct finding, count),
                                              END};
static const struct check line_checks[] = {NAME(struct line_counts, file), WORD(struct line_counts, line, INT32_MAX),
                                           FROM(struct line_counts, warp_instructions, divergent_steps), END};
static const struct check step_checks[] = {WORD(struct step, barrier, INT32_MAX),
                                           WORD(struct step, sync, INT32_MAX),
                                           WORD(struct step, kind, STEP_WRITE),
                                           BOOL(struct step, divergent),
                                           WORD(struct step, busy_lanes, INT32_MAX),
                                           WORD(struct step, busy_warps, INT32_MAX),
                                           WORD(struct step, divergent_warps, INT32_MAX),
                                           WORD(struct step, split_line, INT32_MAX),
                                           NAME(struct step, split_file),
                                           NUMBERS(struct step, warp_instructions),
                                           NUMBERS(struct step, lane_instructions),
                                           POINTER(struct step, warps), /* filled in later */
                                           END};
static const struct check pace_checks[] = {FROM(struct pace_launch, cycles, stored_bytes), END};
static const struct check move_checks[] = {WORD(struct move, barrier, INT32_MAX),
                                           WORD(struct move, sync, INT32_MAX),
                                           WORD(struct move, thread, MOST_THREAD - 1),
                                           WORD(struct move, line, INT32_MAX),
                                           WORD(struct move, reads, MOVE_READS),
                                           PLACE(struct move, read[0]),
                                           PLACE(struct move, read[1]),
                                           PLACE(struct move, read[2]),
                                           PLACE(struct move, read[3]),
                                           PLACE(struct move, write),
                                           BOOL(struct move, writes),
                                           BOOL(struct move, valued),
                                           END};
static const struct check access_checks[] = {WORD(struct access_row, line, INT32_MAX),
                                             WORD(struct access_row, warp, SIM_MAX_WARPS - 1),
                                             WORD(struct access_row, kind, SIM_ATOMIC),
                                             WORD(struct access_row, space, PTX_REG),
                                             TEXT(struct access_row, object),
                                             WORD(struct access_row, bytes, INT32_MAX),
                                             WORD(struct access_row, sectors, INT32_MAX),
                                             WORD(struct access_row, passes, INT32_MAX),
                                             WORD(struct access_row, ideal, INT32_MAX),
                                             NUMBERS(struct access_row, offset),
                                             END};
#define LIST(items, number, type, most, checks)                                                                        \
    { offsetof(struct measurement, items), offsetof(struct measurement, number), sizeof(type), most, checks }
static const struct list {
    size_t item, count, size; /* offsets of the pointer and of the number; bytes of an item */
    unsigned most;
    const struct check *checks;
} lists[] = {
    LIST(findings.item, findings.count, struct finding, 64, finding_checks),
    LIST(lines, line_count, struct line_counts, 1 << 16, line_checks),
    LIST(steps.item, steps.count, struct step, 4096, step_checks),
    LIST(pace.launch, pace.count, struct pace_launch, 4096, pace_checks),
    LIST(moves.item, moves.count, struct move, 4096, move_checks),
    LIST(accesses.item, accesses.count, struct access_row, 256, access_checks),
};
enum { PARTS = sizeof parts / sizeof *parts, LISTS = sizeof lists / sizeof *lists };

static const void *at(const void *base, size_t offset) { return (const char *)base + offset; }
static void *into(void *base, size_t offset) { return (char *)base + offset; }
static bool is_end(const struct check *c) { return !c->count; }

/* ---- packing -------------------------------------------------------------------------------- */
struct bytes {
    uint8_t *data;
    size_t length;
    unsigned room;
    bool failed;
};
static void put(struct bytes *b, const void *from, size_t size) {
    uint8_t *more =
        !b->failed && b->length + size <= WIRE_MOST ? array_room(b->data, b->length + size, &b->room, 1) : NULL;
    b->failed = !more;
    if (more) b->data = more;
    if (b->failed || !size) return;
    memcpy(b->data + b->length, from, size);
    b->length += size;
}
static void put_names(struct bytes *b, const struct check *checks, const void *item) {
    for (const struct check *c = checks; !is_end(c); c++) {
        if (c->kind != CHECK_NAME) continue;
        const char *name = *(const char *const *)at(item, c->offset);
        const size_t n = name ? strnlen(name, MOST_NAME) : 0;
        const uint16_t length = name ? (uint16_t)n : NO_NAME;
        put(b, &length, sizeof length);
        put(b, name, n);
    }
}
/* Pointers stay here. */
static void clear_pointers(const struct check *checks, uint8_t *item) {
    for (const struct check *c = checks; !is_end(c); c++)
        if (c->kind == CHECK_NAME || c->kind == CHECK_POINTER) memset(item + c->offset, 0, sizeof(void *));
}
static void put_list(struct bytes *b, const struct measurement *m, const struct list *l) {
    const char *items = *(const char *const *)at(m, l->item);
    unsigned count = *(const unsigned *)at(m, l->count);
    if (count > l->most) count = l->most;
    put(b, &count, sizeof count);
    put(b, items, count * l->size);
    for (unsigned k = 0; !b->failed && k < count; k++)
        clear_pointers(l->checks, b->data + b->length - (count - k) * l->size);
    for (unsigned k = 0; k < count; k++) put_names(b, l->checks, items + k * l->size);
}
uint8_t *wire_pack(const struct measurement *m, size_t *length) {
    struct bytes b = {0};
    for (unsigned k = 0; k < PARTS; k++) put(&b, at(m, parts[k].offset), parts[k].size * parts[k].items);
    for (unsigned k = 0; k < LISTS; k++) put_list(&b, m, &lists[k]);
    for (unsigned k = 0; k < m->steps.count; k++)
        put(&b, m->steps.item[k].warps, m->steps.warps * sizeof *m->steps.item[k].warps);
    *length = b.length;
    if (!b.failed) return b.data;
    free(b.data);
    return NULL;
}

/* ---- unpacking ------------------------------------------------------------------------------ */
struct reader {
    const uint8_t *data;
    size_t left;
    char *names; /* room for all that can come */
};
static bool take(struct reader *r, void *to, size_t size) {
    if (size > r->left) return false;
    if (size) memcpy(to, r->data, size);
    r->data += size, r->left -= size;
    return true;
}
static bool take_name(struct reader *r, const char **name) {
    uint16_t length;
    *name = NULL;
    if (!take(r, &length, sizeof length)) return false;
    if (length == NO_NAME) return true;
    if (length > MOST_NAME || !take(r, r->names, length) || memchr(r->names, 0, length)) return false;
    *name = r->names;
    r->names[length] = 0;
    r->names += length + 1;
    return true;
}
static uint64_t value_of(enum check_kind kind, const unsigned char *from, unsigned k) {
    uint64_t number;
    uint32_t word;
    uint16_t half;
    switch (kind) {
    case CHECK_NUMBERS: return memcpy(&number, from + k * sizeof number, sizeof number), number;
    case CHECK_WORDS: return memcpy(&word, from + k * sizeof word, sizeof word), word;
    case CHECK_SHORTS: return memcpy(&half, from + k * sizeof half, sizeof half), half;
    default: return from[k];
    }
}
static bool fits(const struct check *checks, void *item) {
    for (const struct check *c = checks; !is_end(c); c++) {
        unsigned char *field = into(item, c->offset);
        if (c->kind == CHECK_TEXT && !memchr(field, 0, c->count)) return false;
        if (c->kind <= CHECK_BOOLS)
            for (unsigned k = 0; k < c->count; k++)
                if (value_of(c->kind, field, k) > c->most) return false;
    }
    return true;
}
static bool take_items(struct reader *r, char *items, unsigned count, size_t size, const struct check *checks) {
    if (!take(r, items, count * size)) return false;
    for (unsigned k = 0; k < count; k++)
        if (!fits(checks, items + k * size)) return false;
    return true;
}
static bool take_list(struct reader *r, struct measurement *m, const struct list *l) {
    unsigned count;
    if (!take(r, &count, sizeof count) || count > l->most || count * l->size > r->left) return false;
    if (!count) return true;
    char *items = calloc(count, l->size);
    if (!items) return false;
    if (!take_items(r, items, count, l->size, l->checks)) return free(items), false;
    for (unsigned k = 0; k < count; k++) clear_pointers(l->checks, (uint8_t *)items + k * l->size);
    *(char **)into(m, l->item) = items, *(unsigned *)into(m, l->count) = count;
    for (unsigned k = 0; k < count; k++)
        for (const struct check *c = l->checks; !is_end(c); c++)
            if (c->kind == CHECK_NAME && !take_name(r, into(items + k * l->size, c->offset))) return false;
    return true;
}
static bool take_warps(struct reader *r, struct measurement *m) {
    static const struct check checks[] = {BOOL(struct step_warp, present), BOOL(struct step_warp, divergent), END};
    const unsigned warps = m->steps.warps;
    for (unsigned k = 0; k < m->steps.count; k++) {
        struct step_warp *w = m->steps.item[k].warps = calloc(warps + 1, sizeof *w);
        if (!w || !take_items(r, (char *)w, warps, sizeof *w, checks)) return false;
    }
    return true;
}
/* What a move touches are bytes of an array of the list. */
static bool places_fit(const struct measurement *m) {
    for (unsigned k = 0; k < m->moves.count; k++) {
        const struct move *move = &m->moves.item[k];
        bool good = move->from >= -1 && move->from < MOST_THREAD;
        for (unsigned n = 0; n < move->reads; n++) good &= move->read[n].bytes && move->read[n].array < m->moves.arrays;
        if (!good || (move->writes && move->write.array >= m->moves.arrays)) return false;
    }
    return true;
}
bool wire_unpack(struct measurement *m, const uint8_t *data, size_t length) {
    struct measurement got = {.what = m->what, .observed_block = m->observed_block};
    struct reader r = {data, length, malloc(length + 1)};
    bool good = (got.names = r.names) != NULL;
    for (unsigned k = 0; good && k < PARTS; k++)
        good = take_items(&r, into(&got, parts[k].offset), parts[k].items, parts[k].size, parts[k].checks);
    for (unsigned k = 0; good && k < LISTS; k++) good = take_list(&r, &got, &lists[k]);
    good = good && take_warps(&r, &got) && places_fit(&got) && !r.left;
    if (good)
        *m = got;
    else
        measure_free(&got);
    return good;
}
