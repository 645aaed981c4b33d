/* A student's own operator (`--op FILE`, docs/own-operator.md). The file contains only device code. The kernels in
 * common/own.cu call this code to generate elements, to compute and compare results, and to test the operator's laws.
 * All of them run on the simulator; the host only moves bytes. */
#ifndef JUDGE_OWN_H
#define JUDGE_OWN_H

#include "compile/compile.h"
#include "judge/lab.h"

enum {
    OWN_BYTES = 64 /* maximum size of an element in bytes */,
    OWN_ELEMENTS = 16384 /* maximum number of elements per case */,
    OWN_SETS = 2,
    OWN_KERNELS = 7
};
struct own {
    char *text; /* text of the file */
    const char *shown;
    uint32_t bytes;    /* size of an element in bytes, a multiple of 4 */
    bool commutes;     /* the operator commutes in all trials */
    char broken[1000]; /* the law that the operator violates, with example values; "" if there is none */
    char swapped[500]; /* example values for which the operator does not commute */
    uint8_t *element;  /* [OWN_SETS][OWN_ELEMENTS] */
    uint8_t
        *prefix; /* [OWN_SETS][OWN_ELEMENTS + 1]: entry k is the result of the first k elements, from left to right */
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
/* Reads, compiles and tests the file. Unless the result is COMPILE_OK, `message` says what is wrong with the file or
 * the setup. Call own_close() in either case. */
enum compile_status own_open(struct own *own, const struct own_request *r, char *message, size_t size);
void own_close(struct own *own);
void own_renew(struct own *own); /* loads the operator into a new worker */

/* Returns the lab for a student's own operator. It has a single variant, the kernels that support it, and the checks
 * for such an operator, which are the same for each lab. */
struct lab own_lab(const struct lab *lab);
/* own_elements() returns the elements of set `set` (modulo OWN_SETS), and own_total() the result of the first n of
 * them. */
const void *own_elements(const struct own *own, unsigned set);
const void *own_total(const struct own *own, unsigned set, uint32_t n);
/* Sets *same to whether the file's same() considers two elements equal. On failure, returns false with a message. */
bool own_same(const struct own *own, const void *a, const void *b, bool *same, char *why, size_t size);
/* Combines n elements from left to right. On failure, returns false with a message. */
bool own_fold(const struct own *own, const void *in, uint32_t n, void *to, char *why, size_t size);
/* Prints an element with the file's print(), as printable characters. Returns `out`. */
char *own_print(const struct own *own, const void *x, char *out, size_t size);

#endif
