/* One grade of a watch: a process of its own, which is there before the file is saved. It prepares what does not depend
 * on the file, waits, grades, and ends; whatever the file does to it, the next one begins as the first did. */
#ifndef WATCH_TURN_H
#define WATCH_TURN_H

#include "base/file.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

struct watch;
struct turn {
    unsigned number; /* 1, 2, ... */
    pid_t pid;       /* 0: there is none */
    bool begun;
    int ended;                   /* can be read when it has ended */
    int go;                      /* to the process */
    int said, page, early;       /* files in memory: what it prints; the page for a browser; what is shown before */
    int news;                    /* from the process: turn_news() */
    char folder[FILE_TEMPORARY]; /* of all temporary files of it and its processes */
};
/* ---- in the watcher --------------------------------------------------------------------------- */
/* To be called once: from now on what is left of a turn's processes can be ended. */
void turn_prepare(void);
/* False with errno: it could not be started. */
bool turn_start(struct turn *t, const struct watch *w, unsigned number);
void turn_go(struct turn *t); /* a file was saved */
/* When `news` can be read: `early` is to be shown; false: it was for nothing. */
bool turn_news(struct turn *t);
/* When `ended` can be read: the status as waitpid() has it. turn_read() what it has left, then turn_free(). */
int turn_status(struct turn *t);
char *turn_read(int file, size_t *length); /* free() it */
/* Ends it, with every process that it has started, and frees it. */
void turn_cancel(struct turn *t);
void turn_free(struct turn *t);

/* ---- in the process ---------------------------------------------------------------------------- */
void turn_wait(void);    /* returns when a file was saved */
void turn_keep(void);    /* there is a verdict: the process ends by itself, so that no file is written by half */
FILE *turn_screen(void); /* the watcher's standard error, for progress; standard output and error are kept for it */
FILE *turn_page(void);   /* where the page for a browser is to be written; fclose() it */
/* Where a first word on the verdict is written, while it still works on more; turn_show() closes it, and has it shown.
 * Once. */
FILE *turn_early(void);
void turn_show(FILE *early);

#endif
