/* `./grade LAB --watch`: grades a file whenever it is saved, until a signal ends it. */
#ifndef WATCH_WATCH_H
#define WATCH_WATCH_H

#include <stdbool.h>

struct watch {
    const char *const *files; /* paths; the first file is graded, and must exist; a save of any file starts a grade */
    unsigned file_count;
    const char *shown; /* the first file's name in messages */
    bool color;
    bool page;     /* whether to serve the page on the loopback address */
    unsigned port; /* 0: a free one */
    /* Grades in a child process: prepares, calls turn_wait(), grades, calls turn_keep(), prints the verdict, and writes
     * turn_page(), if requested. Returns the exit status (record/status.h). */
    int (*grade)(void *context, unsigned number);
    void *context;
};
/* Watches until SIGINT, SIGTERM or SIGHUP. Returns the status of the last verdict, or EXIT_PARTIAL if there was
 * none; EXIT_SETUP if it cannot watch, serve or print; EXIT_USAGE if a grade returned that. Leaves no process and no
 * temporary file. */
int watch_run(const struct watch *w);

#endif
