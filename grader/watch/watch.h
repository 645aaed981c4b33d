/* `./grade LAB --watch`: grades a file whenever it is saved, until a signal ends it. */
#ifndef WATCH_WATCH_H
#define WATCH_WATCH_H

#include <stdbool.h>

struct watch {
    const char *const *files; /* paths: the first one is graded, and must exist; saving any of them counts */
    unsigned file_count;
    const char *shown; /* the name of the first in messages */
    bool color;
    bool page;     /* served on the loopback address */
    unsigned port; /* 0: a free one */
    /* Grades in a child process: prepares, calls turn_wait(), grades, calls turn_keep(), prints the verdict, and writes
     * turn_page(), if requested. Returns the exit status (record/status.h). */
    int (*grade)(void *context, unsigned number);
    void *context;
};
/* Ends on SIGINT, SIGTERM or SIGHUP with the status of the last verdict (EXIT_PARTIAL if there was none); with
 * EXIT_SETUP if it cannot watch, serve or print; with EXIT_USAGE if a grade does. Leaves no process and no temporary
 * file. */
int watch_run(const struct watch *w);

#endif
