/* Arguments of a launch in the syntax of `./grade run --arg`, and the buffers that they describe. live/ includes
 * this header of run/ alone, because pages read the same syntax. */
#ifndef RUN_ARGUMENT_H
#define RUN_ARGUMENT_H

#include "device/device.h"

enum { RUN_NAME = 48 }; /* of a parameter */
/* ---- arguments ------------------------------------------------------------------------------ */
enum run_kind { RUN_SIGNED, RUN_UNSIGNED, RUN_FLOAT };
struct run_type {
    const char *name, *alias;
    enum run_kind kind;
    unsigned bytes;
    bool brain; /* whether a type of 2 bytes is bfloat16, the upper half of a float */
};
extern const struct run_type run_types[];
extern const unsigned run_type_count;

/* The initial contents of a buffer, as docs/run.md describes them. */
enum run_fill { RUN_FILL_OUT, RUN_FILL_SAME, RUN_FILL_SMALL, RUN_FILL_IOTA, RUN_FILL_RANDOM, RUN_FILL_FILE };
struct run_argument {
    const char *text;
    char name[RUN_NAME];
    const struct run_type *type;
    bool buffer;
    uint64_t count; /* the number of elements in a buffer */
    uint8_t *data;  /* a scalar's bytes, or a buffer's contents; a large buffer has only the chunks that were written */
    enum run_fill fill;                  /* for a buffer: its initial contents, */
    uint8_t value[8];                    /* the value of each element, */
    uint64_t random;                     /* or the seed of random values */
    uint8_t *written, *touched;          /* for each element and each chunk, whether the kernel wrote it */
    bool reserved;                       /* these three were allocated with reserve() */
    bool initialized;                    /* a buffer other than `out` */
    bool read_only;                      /* writing to it is a finding */
    const struct ptx_variable *variable; /* the variable of the module that this is; NULL: an argument */
    bool unset;                          /* for a variable: neither --set nor the module initializes it, */
    bool read_unset;                     /* and the kernel read it before writing it */
    unsigned place; /* for a buffer: run.address[place] is its address. The kernel gets the address `shift` bytes after
                       that */
    uint64_t shift;
    struct run_argument *field; /* for a struct: its pointers and numbers, in order */
    unsigned fields;
    uint64_t offset; /* for a field: its offset in the parameter, */
    char *own_text;  /* and its text */
};
/* Parses the text for a parameter. On failure returns false, and *message says what is wrong and what is expected.
 * `random` is the state of the random data generator. */
bool run_argument_parse(struct run_argument *a, const char *text, const struct ptx_variable *parameter,
                        uint64_t *random, char *message, size_t size);
/* Parses the text for a variable of the module, whose element type is `type` unless the text names one. */
bool run_variable_parse(struct run_argument *a, const char *text, const struct ptx_variable *v,
                        const struct run_type *type, uint64_t *random, char *message, size_t size);
void run_argument_free(struct run_argument *a);

/* ---- buffers -------------------------------------------------------------------------------- */
bool run_fill_find(const char *name, enum run_fill *fill);
/* Allocates a->count elements of a->type and fills them according to a->fill. Memory is committed on access. */
bool run_buffer_new(struct run_argument *a);
void run_buffer_free(struct run_argument *a);
/* NULL on success, else an error message. */
const char *run_buffer_read_file(struct run_argument *a, const char *path);
bool run_buffer_is_large(
    const struct run_argument *a); /* whether it is so large that only its written chunks are stored */
struct sim_maker run_buffer_maker(struct run_argument *a);
/* Records that the kernel writes, or has written, elements first..last. Thread-safe. */
void run_buffer_write(struct run_argument *a, uint64_t first, uint64_t last);
bool run_buffer_is_written(const struct run_argument *a, uint64_t first, uint64_t last);
void run_buffer_forget(struct run_argument *a); /* forgets that any writes were recorded */
/* Takes over the contents after the launch. If no writes were recorded, changed elements count as written. */
void run_buffer_take(struct run_argument *a, uint64_t address, bool told, const struct device_memory *memory);
uint64_t run_buffer_written(const struct run_argument *a); /* elements */
/* A pointer to an element, in the buffer or in `scratch`; NULL if it was never written. */
const uint8_t *run_buffer_element(const struct run_argument *a, uint64_t k, uint8_t scratch[8]);
/* The index of the first written element at or after k; a->count if none. */
uint64_t run_buffer_next_written(const struct run_argument *a, uint64_t k);
/* A hash of all bytes. Bytes that were never written count as poison. */
uint64_t run_buffer_digest(const struct run_argument *a);
/* Parses {FIELD, FIELD, ...}, the fields of a struct parameter, and lays them out as in C. */
bool run_fields_parse(struct run_argument *a, const char *text, const struct ptx_variable *parameter, uint64_t *random,
                      char *message, size_t size);
/* Stores a number rounded to a type of kind RUN_FLOAT. */
void run_store_float(const struct run_type *t, double v, void *out);
/* A value as the shortest text that round-trips; then as a number. */
char *run_value_text(const struct run_type *t, const void *value, char *out, size_t size);
double run_value_real(const struct run_type *t, const void *value);   /* for RUN_FLOAT */
int64_t run_value_whole(const struct run_type *t, const void *value); /* for other kinds, as signed */

#endif
