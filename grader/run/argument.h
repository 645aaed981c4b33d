/* Launch arguments in the syntax of `./grade run --arg`, and the buffers that they describe. This is the only header
 * of run/ that live/ includes, so that web pages accept the same syntax. */
#ifndef RUN_ARGUMENT_H
#define RUN_ARGUMENT_H

#include "device/device.h"

enum { RUN_NAME = 48 }; /* maximum length of a parameter's name, including the terminating NUL */
/* ---- arguments ------------------------------------------------------------------------------ */
enum run_kind { RUN_SIGNED, RUN_UNSIGNED, RUN_FLOAT };
struct run_type {
    const char *name, *alias;
    enum run_kind kind;
    unsigned bytes;
    bool brain; /* whether the type is bfloat16 (the upper half of a float) instead of half */
};
extern const struct run_type run_types[];
extern const unsigned run_type_count;
/* Returns the type with this name: f32, float, unsigned char, ...; or NULL. */
const struct run_type *run_type_find(const char *name, size_t length);

/* The initial contents of a buffer. docs/run.md describes each of them. */
enum run_fill { RUN_FILL_OUT, RUN_FILL_SAME, RUN_FILL_SMALL, RUN_FILL_IOTA, RUN_FILL_RANDOM, RUN_FILL_FILE };
struct run_argument {
    const char *text;
    char name[RUN_NAME];
    const struct run_type *type;
    bool buffer;
    uint64_t count; /* number of elements in a buffer */
    /* The bytes of a scalar, or the contents of a buffer. In a large buffer, only the written chunks are valid. */
    uint8_t *data;
    enum run_fill fill;                  /* kind of a buffer's initial contents */
    uint8_t value[8];                    /* initial value of every element, for RUN_FILL_SAME */
    uint64_t random;                     /* seed, for RUN_FILL_RANDOM */
    uint8_t *written, *touched;          /* flags for each element and each chunk: whether the kernel wrote it */
    bool reserved;                       /* whether data, written and touched were allocated with reserve() */
    bool initialized;                    /* whether the buffer has initial contents (any fill except `out`) */
    bool read_only;                      /* whether a write to the buffer is reported as a finding */
    const struct ptx_variable *variable; /* the module variable whose contents the buffer has; NULL for an argument */
    bool unset;                          /* whether a variable has no initial value and gets none from --set */
    bool read_unset;                     /* whether the kernel read an unset variable before writing it */
    unsigned place; /* index of a buffer's address in run.address[]; the kernel gets that address plus `shift` bytes */
    uint64_t shift;
    struct run_argument *field; /* fields of a struct: its pointers and numbers, in order */
    unsigned fields;
    uint64_t offset; /* offset of a field in the parameter, in bytes */
    char *own_text;  /* text that describes a field */
};
/* Parses the text of an argument for a parameter. On failure, returns false and sets *message to an error that says
 * which text is expected. `random` is the state of the random number generator. */
bool run_argument_parse(struct run_argument *a, const char *text, const struct ptx_variable *parameter,
                        uint64_t *random, char *message, size_t size);
/* Checks a parsed argument against the parameter's type in the source, such as "float const*" ("" if it is unknown). On
 * failure, returns false and sets *message. */
bool run_argument_suits(const struct run_argument *a, const char *type, char *message, size_t size);
/* Parses the value of a module variable. Its element type is `type` unless the text names another. */
bool run_variable_parse(struct run_argument *a, const char *text, const struct ptx_variable *v,
                        const struct run_type *type, uint64_t *random, char *message, size_t size);
void run_argument_free(struct run_argument *a);

/* ---- buffers -------------------------------------------------------------------------------- */
bool run_fill_find(const char *name, enum run_fill *fill);
/* Reserves memory for a->count elements of a->type and, unless the buffer is large, fills it according to a->fill. The
 * system commits pages on first access. Returns false if out of memory. */
bool run_buffer_new(struct run_argument *a);
void run_buffer_free(struct run_argument *a);
/* Reads the buffer's contents from a file. Returns NULL on success, or an error message. */
const char *run_buffer_read_file(struct run_argument *a, const char *path);
/* Returns whether the buffer stores only the chunks that were written. This is true of a buffer of SIM_LARGE bytes or
 * more that is not filled from a file. */
bool run_buffer_is_large(const struct run_argument *a);
struct sim_maker run_buffer_maker(struct run_argument *a);
/* Marks elements first..last as written by the kernel. Thread-safe. */
void run_buffer_write(struct run_argument *a, uint64_t first, uint64_t last);
bool run_buffer_is_written(const struct run_argument *a, uint64_t first, uint64_t last);
/* Clears the marks of written elements, and a->read_unset. */
void run_buffer_forget(struct run_argument *a);
/* Copies the contents of written chunks from the device after the launch. If the device did not record the writes
 * (`recorded` is false), finds them by comparing the contents with those before the launch. */
void run_buffer_take(struct run_argument *a, uint64_t address, bool recorded, const struct device_memory *memory);
/* Returns the number of written elements. */
uint64_t run_buffer_written(const struct run_argument *a);
/* Returns a pointer to element k in the buffer or in `scratch`, or NULL if the element has no value. */
const uint8_t *run_buffer_element(const struct run_argument *a, uint64_t k, uint8_t scratch[8]);
/* Returns the index of the first written element at or after k, or a->count if there is none. */
uint64_t run_buffer_next_written(const struct run_argument *a, uint64_t k);
/* Returns a hash of the buffer's bytes. Bytes without a value are hashed as DEVICE_POISON. For a large buffer, returns
 * a hash of its fill and its changed chunks. */
uint64_t run_buffer_digest(const struct run_argument *a);
/* Parses the argument of a struct parameter, {FIELD, FIELD, ...}, and lays out its fields as C does. */
bool run_fields_parse(struct run_argument *a, const char *text, const struct ptx_variable *parameter, uint64_t *random,
                      char *message, size_t size);
/* Rounds a number to type t, which is of kind RUN_FLOAT, and stores it. */
void run_store_float(const struct run_type *t, double v, void *out);
/* Formats a value with enough digits to convert the text back to it. Returns `out`. */
char *run_value_text(const struct run_type *t, const void *value, char *out, size_t size);
double run_value_real(const struct run_type *t, const void *value);   /* kind RUN_FLOAT only */
int64_t run_value_whole(const struct run_type *t, const void *value); /* the other kinds; sign-extended */

#endif
