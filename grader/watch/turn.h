/* One grade of a watch, in a child process that starts before the file is saved. It prepares everything that does
 * not depend on the file, waits for the save, grades, and exits. Whatever the file does to this process, the next
 * one starts fresh. */
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
    int ended;                   /* readable when the child has exited */
    int go;                      /* writes to the child */
    int said, page, early;       /* in-memory files: the child's output, the HTML page, and the preliminary verdict */
    int news;                    /* readable when the child has news: turn_news() */
    char folder[FILE_TEMPORARY]; /* the folder for all temporary files of the turn and its children */
};
/* ---- in the watcher --------------------------------------------------------------------------- */
/* Call once, so that leftover processes of turns can be killed. */
void turn_prepare(void);
/* Returns false with errno if it could not be started. */
bool turn_start(struct turn *t, const struct watch *w, unsigned number);
void turn_go(struct turn *t); /* tells the child that a file was saved */
/* Call when `news` is readable. Returns true if `early` is to be shown, false for a spurious wake-up. */
bool turn_news(struct turn *t);
/* Call when `ended` is readable. Returns the status as from waitpid(). Then call turn_read() for the output, and
 * turn_free(). */
int turn_status(struct turn *t);
char *turn_read(int file, size_t *length); /* free() it */
/* Kills the turn's process with all its children, and frees the turn. */
void turn_cancel(struct turn *t);
void turn_free(struct turn *t);

/* ---- in the child process ---------------------------------------------------------------------------- */
void turn_wait(void); /* returns when a file has been saved */
void turn_keep(void); /* tells the watcher that there is a verdict; the watcher then lets the process exit by itself, so
                         that all files are completed */
FILE *turn_screen(void); /* the watcher's standard error, for progress; the turn's own standard output and error are
                            captured */
FILE *turn_page(void);   /* the file for the HTML page; fclose() it */
/* The file for a preliminary verdict while the search for a fix continues. turn_show() closes and shows it. Call
 * both at most once. */
FILE *turn_early(void);
void turn_show(FILE *early);

#endif
