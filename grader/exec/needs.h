/* Determines which libraries and calls a program requires. */
#ifndef EXEC_NEEDS_H
#define EXEC_NEEDS_H

#include <stdbool.h>

struct needs {
    bool shared_runtime, static_runtime, driver, device_code;
    char library[160]; /* a required library that the simulator does not provide, or "" */
    char unknown[160]; /* a CUDA call that the simulator's libraries do not define, or "" */
    char why[120];
};
/* Examines the program at `path`. `libraries` are the simulator's libraries, at most two, terminated by NULL. If the
 * file cannot be read or is not a 64-bit ELF file, returns false and sets n->why. */
bool exec_needs(const char *path, const char *const libraries[], struct needs *n);

#endif
