/* A turn of --watch: a child process that grades the file once. The process starts before the file is saved, prepares
 * everything that does not depend on the file, waits for the save, grades, and exits. Each turn is a fresh process, so
 * a submission cannot affect later turns. */
#ifndef WATCH_TURN_H
#define WATCH_TURN_H

#include "base/file.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

struct watch;
struct turn {
    unsigned number;             /* 1, 2, ... */
    pid_t pid;                   /* process id; 0 if there is no process */
    bool begun;                  /* whether turn_go() has notified the child */
    int ended;                   /* becomes readable when the child exits */
    int go;                      /* pipe to the child */
    int said, page, early;       /* files in memory: the child's output, the HTML page, and the preliminary verdict */
    int news;                    /* becomes readable when turn_news() is to be called */
    char folder[FILE_TEMPORARY]; /* folder for temporary files of the turn and its children */
};
/* ---- in the watcher --------------------------------------------------------------------------- */
/* Enables the watcher to kill leftover processes of turns. Call it once. */
void turn_prepare(void);
/* Starts a turn. On failure, returns false and sets errno. */
bool turn_start(struct turn *t, const struct watch *w, unsigned number);
/* Notifies the child that a file was saved. */
void turn_go(struct turn *t);
/* Handles a readable `news`. Returns whether `early` is to be shown; if not, the child has closed the pipe. */
bool turn_news(struct turn *t);
/* Handles a readable `ended`. Returns the status as waitpid() does. Call turn_read() for the output and turn_free()
 * afterward. */
int turn_status(struct turn *t);
/* Returns the contents of a file of the turn, or NULL if out of memory; free() it. */
char *turn_read(int file, size_t *length);
/* Kills the turn's process and all its children, and frees the turn. */
void turn_cancel(struct turn *t);
void turn_free(struct turn *t);

/* ---- in the child process ---------------------------------------------------------------------------- */
/* Waits until a file has been saved. Exits if the watcher has exited. */
void turn_wait(void);
/* Blocks SIGTERM once there is a verdict, so that turn_cancel() gives the process time to complete its files. */
void turn_keep(void);
/* Returns the watcher's standard error, to which progress is written. The turn's own standard output and standard error
 * are captured. */
FILE *turn_screen(void);
/* Returns the file for the HTML page; fclose() it. */
FILE *turn_page(void);
/* turn_early() returns a file for a preliminary verdict. turn_show() closes the file and shows its text while the
 * search for a fix continues. Each may be called at most once. */
FILE *turn_early(void);
void turn_show(FILE *early);

#endif
