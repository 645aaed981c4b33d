/* `./grade LAB --watch`: grades a file whenever it is saved, until a signal ends the watch. */
#ifndef WATCH_WATCH_H
#define WATCH_WATCH_H

#include <stdbool.h>

struct watch {
    const char *const *files; /* paths; a save of any file starts a grade of the first file, whose folder must exist */
    unsigned file_count;
    const char *shown; /* name that messages use for files[0] */
    bool color;
    bool page;     /* whether to serve the page on the loopback address */
    unsigned port; /* 0 for any free port */
    /* Grades in a child process: prepares, calls turn_wait(), grades, calls turn_keep(), prints the verdict, and
     * writes turn_page() if `page` is set. Returns the exit status (record/status.h). */
    int (*grade)(void *context, unsigned number);
    void *context;
};
/* Watches until SIGINT, SIGTERM or SIGHUP. Returns the status of the last verdict, or EXIT_PARTIAL without a verdict.
 * Exits with EXIT_SETUP if it cannot watch or serve, returns EXIT_SETUP if it cannot print, and returns EXIT_USAGE at
 * once if a grade returned that. Without libmicrohttpd, it serves nothing if `port` is 0. Leaves no processes and no
 * temporary files. */
int watch_run(const struct watch *w);

#endif
