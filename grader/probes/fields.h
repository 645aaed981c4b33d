/* Tables that describe structs: a probe's result, the items in its lists, a finding, and a line's counts. The functions
 * that serialize, check, free and merge these structs use them. */
#ifndef PROBES_FIELDS_H
#define PROBES_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAX_NUMBER (UINT64_C(1) << 62) /* JSON integers are signed */

enum field_type {
    FIELD_END,
    FIELD_NUMBERS, /* uint64_t, int64_t */
    FIELD_WORDS,   /* uint32_t, unsigned, int32_t, an enum */
    FIELD_SHORTS,  /* uint16_t */
    FIELD_BOOLS,
    FIELD_TEXT, /* char[], NUL-terminated */
    FIELD_NAME, /* const char *: NULL, or a string owned elsewhere */
    FIELD_KIND, /* const struct finding_kind * */
    FIELD_LIST, /* a pointer to items from malloc(), and an unsigned with their number */
};
/* How numbers (FIELD_NUMBERS) are merged if a launch was measured in parts. JOIN_ADD adds the parts. JOIN_ONCE takes
 * one, because each part counted the whole launch. JOIN_MAX takes the largest. The probe's `join` merges all other
 * members. */
enum field_join { JOIN_ADD, JOIN_ONCE, JOIN_MAX };
struct field {
    enum field_type type;
    size_t offset;
    unsigned count; /* length of an array; size of a text in bytes; maximum items of a list */
    uint64_t most;  /* maximum of each number */
    enum field_join join;
    const struct field *items; /* members of an item of a list */
    size_t size, counter;      /* bytes of a list's item; offset of the number of items */
};
#define FIELD_COUNT_OF(type, member, unit) (unsigned)(sizeof(((type *)0)->member) / sizeof(unit))
/* A member: an array or a single number. */
#define NUMBERS(type, member)                                                                                          \
    { FIELD_NUMBERS, offsetof(type, member), FIELD_COUNT_OF(type, member, uint64_t), MAX_NUMBER }
#define ANY_NUMBERS(type, member)                                                                                      \
    { FIELD_NUMBERS, offsetof(type, member), FIELD_COUNT_OF(type, member, uint64_t), UINT64_MAX }
#define NUMBERS_ONCE(type, member)                                                                                     \
    { FIELD_NUMBERS, offsetof(type, member), FIELD_COUNT_OF(type, member, uint64_t), MAX_NUMBER, JOIN_ONCE }
#define NUMBERS_MAX(type, member)                                                                                      \
    { FIELD_NUMBERS, offsetof(type, member), FIELD_COUNT_OF(type, member, uint64_t), MAX_NUMBER, JOIN_MAX }
/* Consecutive members that are all numbers. */
#define NUMBERS_TO(type, first, last)                                                                                  \
    {                                                                                                                  \
        FIELD_NUMBERS, offsetof(type, first),                                                                          \
            (unsigned)((offsetof(type, last) - offsetof(type, first)) / sizeof(uint64_t) + 1), MAX_NUMBER              \
    }
#define WORDS(type, member, most)                                                                                      \
    { FIELD_WORDS, offsetof(type, member), FIELD_COUNT_OF(type, member, uint32_t), most }
#define SHORTS(type, member, most)                                                                                     \
    { FIELD_SHORTS, offsetof(type, member), FIELD_COUNT_OF(type, member, uint16_t), most }
#define BOOLS(type, member)                                                                                            \
    { FIELD_BOOLS, offsetof(type, member), FIELD_COUNT_OF(type, member, bool), 1 }
#define TEXT(type, member)                                                                                             \
    { FIELD_TEXT, offsetof(type, member), sizeof(((type *)0)->member) }
#define NAME(type, member)                                                                                             \
    { FIELD_NAME, offsetof(type, member), 1 }
#define KIND(type, member)                                                                                             \
    { FIELD_KIND, offsetof(type, member), 1 }
#define LIST(type, member, number, most, item_fields)                                                                  \
    {                                                                                                                  \
        FIELD_LIST, offsetof(type, member), most, 0, JOIN_ADD, item_fields, sizeof *((type *)0)->member,               \
            offsetof(type, number)                                                                                     \
    }
#define END_OF_FIELDS                                                                                                  \
    { FIELD_END }

/* Merges a part's fields of type FIELD_NUMBERS into those of the whole. `first`: the launch's first part. */
void fields_join(const struct field *fields, void *whole, const void *part, bool first);
/* Frees the item's lists. */
void fields_free(const struct field *fields, void *item);

#endif
