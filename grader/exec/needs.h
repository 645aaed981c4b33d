/* What a program asks of libraries. */
#ifndef EXEC_NEEDS_H
#define EXEC_NEEDS_H

#include <stdbool.h>

struct needs {
    bool shared_runtime, static_runtime, device_code, relocatable;
    char library[160]; /* one that there is no simulator of; "" */
    char unknown[160]; /* a call of CUDA's that the library has no word on; "" */
    char why[120];
};
/* False: it cannot be read: `why`. */
bool exec_needs(const char *path, struct needs *n);

#endif
