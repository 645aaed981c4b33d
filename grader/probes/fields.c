#include "probes/fields.h"
#include "probes/probe.h"

static void *into(void *base, size_t offset) { return (char *)base + offset; }

void fields_join(const struct field *fields, void *whole, const void *part, bool first) {
    for (const struct field *f = fields; f->type != FIELD_END; f++) {
        if (f->type != FIELD_NUMBERS || (f->join == JOIN_ONCE && !first)) continue;
        uint64_t *to = into(whole, f->offset);
        const uint64_t *from = (const void *)((const char *)part + f->offset);
        for (unsigned k = 0; k < f->count; k++) {
            const uint64_t most = to[k] > from[k] ? to[k] : from[k];
            to[k] = f->join == JOIN_MAX ? most : to[k] + from[k];
        }
    }
}
void fields_free(const struct field *fields, void *item) {
    for (const struct field *f = fields; f->type != FIELD_END; f++) {
        if (f->type != FIELD_LIST) continue;
        char **list = into(item, f->offset);
        free(*list);
        *list = NULL, *(unsigned *)into(item, f->counter) = 0;
    }
}

/* ---- members that all measurements have ------------------------------------------------------------------- */

#define ANYTHING UINT32_MAX
#define SITE(where)                                                                                                    \
    WORDS(struct finding, where.pc, ANYTHING), NAME(struct finding, where.file),                                       \
        WORDS(struct finding, where.line, INT32_MAX), WORDS(struct finding, where.column, INT32_MAX),                  \
        WORDS(struct finding, where.block, INT32_MAX), WORDS(struct finding, where.warp, INT32_MAX),                   \
        WORDS(struct finding, where.lanes, ANYTHING)
const struct field finding_fields[] = {
    KIND(struct finding, kind),
    SITE(at),
    SITE(other),
    TEXT(struct finding, object),
    ANY_NUMBERS(struct finding, offset),
    WORDS(struct finding, bytes, ANYTHING),
    TEXT(struct finding, message),
    NUMBERS(struct finding, count),
    WORDS(struct finding, launch, ANYTHING),
    END_OF_FIELDS,
};
const struct field line_fields[] = {
    NAME(struct line_counts, file),
    WORDS(struct line_counts, line, INT32_MAX),
    NUMBERS_TO(struct line_counts, warp_instructions, divergent_steps),
    END_OF_FIELDS,
};
