/* Checks arguments against the types of the parameters in the source. PTX gives only the sizes of the parameters, and
 * says nothing about what a pointer points to. */
#include "run/argument.h"
#include <stdio.h>
#include <string.h>

static bool ends_with(const char *text, size_t length, const char *end) {
    return length >= strlen(end) && !strncmp(text + length - strlen(end), end, strlen(end));
}
/* Returns the element type of a pointer or reference, such as "float const*", or NULL if it is not a number. */
static const struct run_type *pointed(const char *type) {
    static const char *const qualifiers[] = {" const", " volatile", " const volatile"};
    size_t n = strlen(type) - 1;
    for (unsigned k = 0; k < sizeof qualifiers / sizeof *qualifiers; k++)
        if (ends_with(type, n, qualifiers[k])) n -= strlen(qualifiers[k]);
    return run_type_find(type, n);
}
/* Bytes may be parts of any type, and unsigned elements the bits of floats. */
bool run_argument_suits(const struct run_argument *a, const char *type, char *message, size_t size) {
    static const char *const kinds[] = {"integers", "integers", "floats"};
    const size_t n = strlen(type);
    if (!n || a->fields) return true;
    if (!ends_with(type, n, "*")) {
        if (!a->buffer || !run_type_find(type, n)) return true;
        snprintf(message, size, "the parameter is %s, not a pointer", type);
        return false;
    }
    if (!a->buffer) {
        if (!strcmp(a->text, "null") || strchr(a->text, ':')) return true;
        snprintf(message, size, "the parameter is a pointer, %s: give a buffer, TYPE[N]:FILL, or null", type);
        return false;
    }
    const struct run_type *of = pointed(type), *given = a->type;
    const bool alike = !of || of->bytes == 1 || given->bytes == 1 ||
                       (of->kind == RUN_FLOAT && given->kind == RUN_UNSIGNED) ||
                       (of->bytes == given->bytes && of->brain == given->brain &&
                        (of->kind == RUN_FLOAT) == (given->kind == RUN_FLOAT));
    if (!alike)
        snprintf(message, size,
                 "the parameter is %s, but the buffer has %u-byte %s: give %s[N]:FILL, or raw bits as an unsigned type",
                 type, given->bytes, kinds[given->kind], of->name);
    return alike;
}
