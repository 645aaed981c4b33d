/* Runs shell scripts for tests. */
#ifndef TESTS_SHELL_H
#define TESTS_SHELL_H

#include "sandbox/process.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { SHELL_ANY = -1, SHELL_GRADED = -2 /* exit status 0 or 1 */ };
/* Formats a script with printf(), runs it, and returns its output; free() it. The test fails unless the exit status
 * is `status`. */
static char *shell(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
static char *shell(int status, const char *format, ...) {
    char *script = NULL;
    va_list arguments;
    va_start(arguments, format);
    const int length = vasprintf(&script, format, arguments);
    va_end(arguments);
    if (length < 0) abort();
    const char *const argv[] = {"sh", "-c", script, NULL};
    const struct process_result p =
        process_run(argv, &(struct process_limits){.wall_seconds = 600, .output_bytes = 1 << 24});
    const bool good = status == SHELL_ANY      ? true
                      : status == SHELL_GRADED ? p.status == 0 || p.status == 1
                                               : p.status == status;
    if (p.end != PROCESS_EXITED || !good)
        fprintf(stderr, "%s: status %d\n%.4000s\n", script, p.status, p.output ? p.output : ""), exit(1);
    free(script);
    return p.output;
}

#endif
