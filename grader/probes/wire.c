/* Sender and receiver are processes of the same program. Only the members in the tables of fields (fields.h) are sent,
 * one after another, as they are in memory, but without pointers and padding:
 *
 *     the number of dropped occurrences of findings
 *     the findings and the lines: their number, then each item
 *     for each probe: a byte that is 1 if it measured something, followed by its result; otherwise 0
 *
 * A text is sent as its length and its characters. A name is sent in the same way, or as NO_NAME if it is NULL. A kind
 * of finding is sent as its number, and a list as its number of items and each item. The receiver checks each member
 * against its row of the table. */
#include "probes/probe.h"
#include "probes/wire.h"

enum { NO_NAME = 0xffff, MAX_NAME = 4096 };

/* The fields that all measurements have. */
static const struct field common[] = {
    NUMBERS(struct measurement, findings.dropped),
    LIST(struct measurement, findings.item, findings.count, 64, finding_fields),
    LIST(struct measurement, lines, line_count, 1 << 16, line_fields),
    END_OF_FIELDS,
};

static const void *at(const void *base, size_t offset) { return (const char *)base + offset; }
static void *into(void *base, size_t offset) { return (char *)base + offset; }
/* Returns the size in bytes of one number in a field. */
static size_t bytes_of(enum field_type type) {
    static const size_t bytes[] = {[FIELD_NUMBERS] = sizeof(uint64_t),
                                   [FIELD_WORDS] = sizeof(uint32_t),
                                   [FIELD_SHORTS] = sizeof(uint16_t),
                                   [FIELD_BOOLS] = sizeof(bool)};
    return bytes[type];
}

/* ---- packing -------------------------------------------------------------------------------- */
struct bytes {
    uint8_t *data;
    size_t length;
    unsigned room;
    bool failed;
};
static void wire_put(struct bytes *b, const void *from, size_t size) {
    uint8_t *more =
        !b->failed && b->length + size <= WIRE_MAX ? array_room(b->data, b->length + size, &b->room, 1) : NULL;
    b->failed = !more;
    if (more) b->data = more;
    if (b->failed || !size) return;
    memcpy(b->data + b->length, from, size);
    b->length += size;
}
static void wire_put_text(struct bytes *b, const char *text) {
    const size_t n = text ? strnlen(text, MAX_NAME) : 0;
    const uint16_t length = text ? (uint16_t)n : NO_NAME;
    wire_put(b, &length, sizeof length);
    wire_put(b, text, n);
}
static void put_fields(struct bytes *b, const struct field *fields, const void *item);
static void put_list(struct bytes *b, const struct field *f, const void *item) {
    const char *items = *(const char *const *)at(item, f->offset);
    unsigned count = *(const unsigned *)at(item, f->counter);
    if (count > f->count) count = f->count;
    wire_put(b, &count, sizeof count);
    for (unsigned k = 0; k < count && !b->failed; k++) put_fields(b, f->items, items + k * f->size);
}
static void put_fields(struct bytes *b, const struct field *fields, const void *item) {
    for (const struct field *f = fields; f->type != FIELD_END; f++) {
        uint32_t number;
        switch (f->type) {
        case FIELD_TEXT: wire_put_text(b, at(item, f->offset)); break;
        case FIELD_NAME: wire_put_text(b, *(const char *const *)at(item, f->offset)); break;
        case FIELD_KIND:
            number = catalog_number(*(const struct finding_kind *const *)at(item, f->offset));
            wire_put(b, &number, sizeof number);
            break;
        case FIELD_LIST: put_list(b, f, item); break;
        default: wire_put(b, at(item, f->offset), f->count * bytes_of(f->type));
        }
    }
}
uint8_t *wire_pack(const struct measurement *m, size_t *length) {
    struct bytes b = {0};
    put_fields(&b, common, m);
    for (unsigned k = 0; k < PROBE_COUNT; k++) {
        const bool measured = m->result[k];
        wire_put(&b, &measured, sizeof measured);
        if (measured) put_fields(&b, probe_rows[k]->fields, m->result[k]);
    }
    *length = b.length;
    if (!b.failed) return b.data;
    free(b.data);
    return NULL;
}

/* ---- unpacking ------------------------------------------------------------------------------ */
struct reader {
    const uint8_t *from;
    size_t left;
    char *names; /* where the next name goes; names need no more space than the received bytes */
};
static bool wire_take(struct reader *r, void *to, size_t size) {
    if (size > r->left) return false;
    if (size) memcpy(to, r->from, size);
    r->from += size, r->left -= size;
    return true;
}
/* Reads a text of fewer than `size` bytes. */
static bool take_text(struct reader *r, char *to, size_t length, size_t size) {
    if (length >= size || !wire_take(r, to, length) || memchr(to, 0, length)) return false;
    to[length] = 0;
    return true;
}
static bool take_name(struct reader *r, const char **name, size_t length) {
    *name = NULL;
    if (length == NO_NAME) return true;
    if (!take_text(r, r->names, length, MAX_NAME + 1)) return false;
    *name = r->names;
    r->names += length + 1;
    return true;
}
static bool take_kind(struct reader *r, const struct finding_kind **kind) {
    uint32_t number;
    return wire_take(r, &number, sizeof number) && (*kind = catalog_numbered(number)) != NULL;
}
static uint64_t value_of(enum field_type type, const unsigned char *from) {
    uint64_t number;
    uint32_t word;
    uint16_t half;
    switch (type) {
    case FIELD_NUMBERS: return memcpy(&number, from, sizeof number), number;
    case FIELD_WORDS: return memcpy(&word, from, sizeof word), word;
    case FIELD_SHORTS: return memcpy(&half, from, sizeof half), half;
    default: return *from;
    }
}
/* Reads a field's numbers. Checks them before it stores them, because a bool must be 0 or 1. */
static bool take_values(struct reader *r, const struct field *f, void *to) {
    const size_t size = bytes_of(f->type);
    if (f->count * size > r->left) return false;
    for (unsigned k = 0; k < f->count; k++)
        if (value_of(f->type, r->from + k * size) > f->most) return false;
    return wire_take(r, to, f->count * size);
}
static bool take_fields(struct reader *r, const struct field *fields, void *item);
/* Reads a list. Attaches the items before it reads them, so that fields_free() finds them after an error. Each item has
 * at least one byte, so the remaining bytes limit the count. */
static bool take_list(struct reader *r, const struct field *f, void *item) {
    unsigned count;
    if (!wire_take(r, &count, sizeof count) || count > f->count || count > r->left) return false;
    if (!count) return true;
    char *items = calloc(count, f->size);
    if (!items) return false;
    *(char **)into(item, f->offset) = items, *(unsigned *)into(item, f->counter) = count;
    for (unsigned k = 0; k < count; k++)
        if (!take_fields(r, f->items, items + k * f->size)) return false;
    return true;
}
static bool take_fields(struct reader *r, const struct field *fields, void *item) {
    for (const struct field *f = fields; f->type != FIELD_END; f++) {
        void *to = into(item, f->offset);
        uint16_t length;
        bool good;
        if ((f->type == FIELD_TEXT || f->type == FIELD_NAME) && !wire_take(r, &length, sizeof length)) return false;
        switch (f->type) {
        case FIELD_TEXT: good = take_text(r, to, length, f->count); break;
        case FIELD_NAME: good = take_name(r, to, length); break;
        case FIELD_KIND: good = take_kind(r, to); break;
        case FIELD_LIST: good = take_list(r, f, item); break;
        default: good = take_values(r, f, to);
        }
        if (!good) return false;
    }
    return true;
}
static bool take_result(struct reader *r, const struct probe_row *row, void **result) {
    uint8_t measured;
    if (!wire_take(r, &measured, sizeof measured) || measured > (row->bytes != 0)) return false;
    if (!measured) return true;
    if (!(*result = calloc(1, row->bytes))) return false;
    return take_fields(r, row->fields, *result) && (!row->valid || row->valid(*result));
}
bool wire_unpack(struct measurement *m, const uint8_t *data, size_t length) {
    struct measurement got = {.what = m->what, .observed_block = m->observed_block};
    struct reader r = {data, length, malloc(length + 1)};
    bool good = (got.names = r.names) != NULL && take_fields(&r, common, &got);
    for (unsigned k = 0; good && k < PROBE_COUNT; k++) good = take_result(&r, probe_rows[k], &got.result[k]);
    good = good && !r.left;
    if (good) {
        measure_free(m);
        *m = got;
    } else
        measure_free(&got);
    return good;
}
