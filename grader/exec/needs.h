/* What a program requires of libraries. */
#ifndef EXEC_NEEDS_H
#define EXEC_NEEDS_H

#include <stdbool.h>

struct needs {
    bool shared_runtime, static_runtime, driver, device_code;
    char library[160]; /* one that the simulator does not provide, or "" */
    char unknown[160]; /* a CUDA call that the library does not know, or "" */
    char why[120];
};
/* `libraries`: those that the simulator provides, at most two, then NULL. False if the file cannot be read: see `why`.
 */
bool exec_needs(const char *path, const char *const libraries[], struct needs *n);

#endif
