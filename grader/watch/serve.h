/* The page of a watch, for a browser of this machine alone: on the loopback address, below a path that nobody can guess
 * (other users of the machine reach that address, too), and only for a browser that was asked for this very host (a
 * page from elsewhere may have its own name point here). Built without libmicrohttpd, it says so. */
#ifndef WATCH_SERVE_H
#define WATCH_SERVE_H

#include <stdbool.h>
#include <stddef.h>

struct serve;
/* port 0: a free one. NULL and a message with the remedy. */
struct serve *serve_open(unsigned port, char *message, size_t size);
bool serve_built(void); /* with the library */
const char *serve_address(const struct serve *s);
/* Call serve_run() when this can be read, or that many milliseconds have passed. */
int serve_descriptor(const struct serve *s);
int serve_timeout(const struct serve *s);
void serve_run(struct serve *s);
/* The page from now on, the number-th; open ones load it. Takes `text` over. */
void serve_page(struct serve *s, char *text, size_t length, unsigned number);
void serve_grading(struct serve *s, bool grading); /* open ones say so */
void serve_close(struct serve *s);

#endif
