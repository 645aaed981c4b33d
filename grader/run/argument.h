/* Arguments of a launch in the syntax of `./grade run --arg`, and the buffers that they describe. The only header of
 * run/ that others include: pages (grader/live/) read the same syntax. */
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
    bool brain; /* if 2 bytes: bfloat16, the upper half of a float */
};
extern const struct run_type run_types[];
extern const unsigned run_type_count;

/* The initial contents of a buffer: docs/run.md. */
enum run_fill { RUN_FILL_OUT, RUN_FILL_SAME, RUN_FILL_SMALL, RUN_FILL_IOTA, RUN_FILL_RANDOM, RUN_FILL_FILE };
struct run_argument {
    const char *text;
    char name[RUN_NAME];
    const struct run_type *type;
    bool buffer;
    uint64_t count;             /* number of elements in a buffer */
    uint8_t *data;              /* a scalar's bytes; a buffer's contents, of a large one only where it was written */
    enum run_fill fill;         /* of a buffer: its initial contents, */
    uint8_t value[8];           /* the value of each element, */
    uint64_t random;            /* or the seed of random values */
    uint8_t *written, *touched; /* per element and per chunk: written by the kernel */
    bool reserved;              /* these three were allocated with reserve() */
    bool initialized;           /* a buffer other than `out` */
    bool read_only;             /* writing to it is a finding */
    const struct ptx_variable *variable; /* this variable of the module; NULL: an argument */
    bool unset;                          /* of a variable: neither --set nor the module initializes it, */
    bool read_unset;                     /* and the kernel read it before writing it */
    unsigned place; /* of a buffer: run.address[place] is its address. The kernel gets the address `shift` bytes after
                       it */
    uint64_t shift;
    struct run_argument *field; /* of a struct: pointers and numbers, in order */
    unsigned fields;
    uint64_t offset; /* of a field: in the parameter; */
    char *own_text;  /* its text */
};
/* Parses the text for a parameter; on failure returns false, and *message says what is wrong and what is expected.
 * `random` is the state of the random data generator. */
bool run_argument_parse(struct run_argument *a, const char *text, const struct ptx_variable *parameter,
                        uint64_t *random, char *message, size_t size);
/* The same for a variable of the module, whose element type is `type` unless the text names one. */
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
bool run_buffer_is_large(const struct run_argument *a); /* so large that its contents follow a formula */
struct sim_maker run_buffer_maker(struct run_argument *a);
/* Reports that the kernel writes, or has written, elements first..last. Thread-safe. */
void run_buffer_write(struct run_argument *a, uint64_t first, uint64_t last);
bool run_buffer_is_written(const struct run_argument *a, uint64_t first, uint64_t last);
void run_buffer_forget(struct run_argument *a); /* that any were reported */
/* Takes the contents after the launch; if writes were not reported, changed elements count as written. */
void run_buffer_take(struct run_argument *a, uint64_t address, bool told, const struct device_memory *memory);
uint64_t run_buffer_written(const struct run_argument *a); /* elements */
/* An element: in the buffer, or in `scratch`; NULL: never written. */
const uint8_t *run_buffer_element(const struct run_argument *a, uint64_t k, uint8_t scratch[8]);
/* The index of the first written element at or after k; a->count if none. */
uint64_t run_buffer_next_written(const struct run_argument *a, uint64_t k);
/* A hash of all bytes; bytes never written count as poison. */
uint64_t run_buffer_digest(const struct run_argument *a);
/* {FIELD, FIELD, ...}: the fields of a struct parameter, laid out as in C. */
bool run_fields_parse(struct run_argument *a, const char *text, const struct ptx_variable *parameter, uint64_t *random,
                      char *message, size_t size);
/* Stores a number rounded to a type of kind RUN_FLOAT. */
void run_store_float(const struct run_type *t, double v, void *out);
/* A value as text, the shortest that round-trips; as a number. */
char *run_value_text(const struct run_type *t, const void *value, char *out, size_t size);
double run_value_real(const struct run_type *t, const void *value);   /* of RUN_FLOAT */
int64_t run_value_whole(const struct run_type *t, const void *value); /* of other kinds, as signed */

#endif
