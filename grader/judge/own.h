/* A student's own operator (`--op FILE`, docs/own-operator.md), which is device code only. Its elements, results,
 * comparison and laws are all evaluated on the simulator, by the kernels in common/own.cu. The host only moves bytes.
 */
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
    uint32_t bytes;    /* size of an element, a multiple of 4 */
    bool commutes;     /* no trial showed otherwise */
    char broken[1000]; /* the law that the operator violates, with example values; "": none */
    char swapped[500]; /* if it does not commute: example values */
    uint8_t *element;  /* [OWN_SETS][OWN_ELEMENTS] */
    uint8_t *prefix;   /* [OWN_SETS][OWN_ELEMENTS + 1]: the first k elements combined, left to right */
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
/* Reads, compiles and tests the file. If the result is not COMPILE_OK, the message says what is wrong with the file or
 * with the setup. Call own_close() in any case. */
enum compile_status own_open(struct own *own, const struct own_request *r, char *message, size_t size);
void own_close(struct own *own);
void own_renew(struct own *own); /* moves the operator to a new worker; own_open() reports if there is none */

/* The lab as it is graded with such an operator: with one variant, and checks for it. */
struct lab own_lab(const struct lab *lab);
/* The elements for run `set` of a case, modulo OWN_SETS, and the combination of the first n of them. */
const void *own_elements(const struct own *own, unsigned set);
const void *own_total(const struct own *own, unsigned set, uint32_t n);
/* Sets *same to whether two elements are equal according to the file. False with a message if that cannot be
 * determined. */
bool own_same(const struct own *own, const void *a, const void *b, bool *same, char *why, size_t size);
/* Combines n elements, left to right. */
bool own_fold(const struct own *own, const void *in, uint32_t n, void *to, char *why, size_t size);
/* Writes the element as the file's print() does, in printable characters; returns out. */
char *own_print(const struct own *own, const void *x, char *out, size_t size);

#endif
