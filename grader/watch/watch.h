/* `./grade LAB --watch`: grades a file whenever it is saved, until a signal ends it. */
#ifndef WATCH_WATCH_H
#define WATCH_WATCH_H

#include <stdbool.h>

struct watch {
    const char *const *files; /* paths: the first is graded, and has to be there for it; a save of any is a save */
    unsigned file_count;
    const char *shown; /* what messages call the first */
    bool color;
    bool page;     /* served on the loopback address */
    unsigned port; /* 0: a free one */
    /* A grade, in a process of its own: prepares, calls turn_wait(), grades, calls turn_keep(), prints the verdict, and
     * writes turn_page(), if there is to be one. Gives the exit status (record/status.h). */
    int (*grade)(void *context, unsigned number);
    void *context;
};
/* Ends by SIGINT, SIGTERM or SIGHUP, with the status of the last verdict (EXIT_PARTIAL: there was none); with
 * EXIT_SETUP where it cannot watch, serve or print; with EXIT_USAGE where a grade does. Leaves no process and no
 * temporary file. */
int watch_run(const struct watch *w);

#endif
