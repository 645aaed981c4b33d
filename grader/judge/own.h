/* A student's own operator (`--op FILE`, docs/own-operator.md): device code only. Its elements, results, comparison and
 * laws are all evaluated on the simulator, by the kernels in common/own.cu; the host only moves bytes. */
#ifndef JUDGE_OWN_H
#define JUDGE_OWN_H

#include "judge/compile.h"
#include "judge/lab.h"

enum {
    OWN_BYTES = 64 /* maximum size of an element */,
    OWN_ELEMENTS = 16384 /* maximum per case */,
    OWN_SETS = 2,
    OWN_KERNELS = 7
};
struct own {
    char *text; /* the file */
    const char *shown;
    uint32_t bytes;    /* of an element: a multiple of 4 */
    bool commutes;     /* as far as is known */
    char broken[1000]; /* the law that it violates, with example values; "": none */
    char swapped[500]; /* !commutes: example values */
    uint8_t *element;  /* [OWN_SETS][OWN_ELEMENTS] */
    uint8_t *prefix;   /* [OWN_SETS][OWN_ELEMENTS + 1]: the first k combined, left to right */
    const struct device *sim;
    struct compiled compiled;
    struct device_module *module;
    char symbol[OWN_KERNELS][160];
};
struct own_request {
    const char *path, *shown, *root, *cache;
    const struct compiler *compiler;
    const struct device *sim;
    uint64_t seed;
    bool sandbox;
};
/* Reads, compiles and tests the file. If not COMPILE_OK, the message says what is wrong with the file, or with the
 * setup. Call own_close() in any case. */
enum compile_status own_open(struct own *own, const struct own_request *r, char *message, size_t size);
void own_close(struct own *own);
void own_renew(struct own *own); /* moves it to a new worker; open() reports if there is none */

/* The lab as graded with such an operator: one variant, and its checks. */
struct lab own_lab(const struct lab *lab);
/* The elements for run `set` of a case, cycling through OWN_SETS, and the combination of its first n elements. */
const void *own_elements(const struct own *own, unsigned set);
const void *own_total(const struct own *own, unsigned set, uint32_t n);
/* Whether two elements are equal according to the file; false with a message if that cannot be determined. */
bool own_same(const struct own *own, const void *a, const void *b, bool *same, char *why, size_t size);
/* n elements combined, left to right. */
bool own_fold(const struct own *own, const void *in, uint32_t n, void *to, char *why, size_t size);
/* As printed by the file, in printable characters; returns out. */
char *own_print(const struct own *own, const void *x, char *out, size_t size);

#endif
