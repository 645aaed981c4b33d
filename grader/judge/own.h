/* An operator of the student's own (`--op FILE`, docs/own-operator.md): device code alone. Its elements, what they
 * give, whether two results are the same and whether it keeps the laws is all computed on the simulator, by the kernels
 * of common/own.cu; the host moves bytes. */
#ifndef JUDGE_OWN_H
#define JUDGE_OWN_H

#include "judge/compile.h"
#include "judge/lab.h"

enum {
    OWN_BYTES = 64 /* of an element at most */,
    OWN_ELEMENTS = 16384 /* of a case at most */,
    OWN_SETS = 2,
    OWN_KERNELS = 7
};
struct own {
    char *text; /* the file */
    const char *shown;
    uint32_t bytes;    /* of an element: a multiple of 4 */
    bool commutes;     /* as far as is known */
    char broken[1000]; /* the law that it breaks, with the values that show it; "": none */
    char swapped[500]; /* !commutes: the values that show it */
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
/* Reads and compiles the file, and tries what it holds. Not COMPILE_OK: the message says what is wrong with the file,
 * or with the set-up. own_close() it, whatever it gave. */
enum compile_status own_open(struct own *own, const struct own_request *r, char *message, size_t size);
void own_close(struct own *own);
void own_renew(struct own *own); /* on a new worker, which an open() tells if there is none */

/* The lab as it is graded with such an operator: one variant, its own checks. */
struct lab own_lab(const struct lab *lab);
/* What run `set` of a case is given, OWN_SETS of them in turn, and what its first n elements come to. */
const void *own_elements(const struct own *own, unsigned set);
const void *own_total(const struct own *own, unsigned set, uint32_t n);
/* Whether two elements are the same, as the file has it; false and a message if that cannot be said. */
bool own_same(const struct own *own, const void *a, const void *b, bool *same, char *why, size_t size);
/* n elements combined, left to right. */
bool own_fold(const struct own *own, const void *in, uint32_t n, void *to, char *why, size_t size);
/* As the file prints it, in printable characters; returns out. */
char *own_print(const struct own *own, const void *x, char *out, size_t size);

#endif
