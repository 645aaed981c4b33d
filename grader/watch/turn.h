/* One grade of a watch: a child process, started before the file is saved. It prepares everything independent of the
 * file, waits, grades, and exits; whatever the file does to it, the next one starts fresh. */
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
    pid_t pid;       /* 0: none */
    bool begun;
    int ended;                   /* readable when it has exited */
    int go;                      /* to the process */
    int said, page, early;       /* in-memory files: its output; the HTML page; what is shown early */
    int news;                    /* from the process: turn_news() */
    char folder[FILE_TEMPORARY]; /* for all temporary files of the turn and its children */
};
/* ---- in the watcher --------------------------------------------------------------------------- */
/* Call once, so that leftover processes of turns can be killed. */
void turn_prepare(void);
/* Returns false with errno if it could not be started. */
bool turn_start(struct turn *t, const struct watch *w, unsigned number);
void turn_go(struct turn *t); /* a file was saved */
/* When `news` is readable: true if `early` is to be shown; false for a spurious wake-up. */
bool turn_news(struct turn *t);
/* When `ended` is readable: the status as from waitpid(). Call turn_read() for its output, then turn_free(). */
int turn_status(struct turn *t);
char *turn_read(int file, size_t *length); /* free() it */
/* Kills it with all its child processes, and frees it. */
void turn_cancel(struct turn *t);
void turn_free(struct turn *t);

/* ---- in the process ---------------------------------------------------------------------------- */
void turn_wait(void);    /* returns when a file was saved */
void turn_keep(void);    /* there is a verdict: the process will exit by itself, so that no file is left incomplete */
FILE *turn_screen(void); /* the watcher's standard error, for progress; the turn's own standard output and error are
                            captured */
FILE *turn_page(void);   /* where to write the HTML page; fclose() it */
/* Where to write a preliminary verdict while the search for a fix continues; turn_show() closes it and shows it.
 * Once. */
FILE *turn_early(void);
void turn_show(FILE *early);

#endif
