/* Serves the page of a watch, only to a browser on this machine. It listens on the loopback address. Other users of
 * the machine can reach that address too, so the page has an unguessable path. Requests must name this host in their
 * Host header, which prevents DNS rebinding by other sites. Without libmicrohttpd, serve_new() fails with a message. */
#ifndef WATCH_SERVE_H
#define WATCH_SERVE_H

#include <stdbool.h>
#include <stddef.h>

struct serve;
/* port 0: any free port. On failure returns NULL with a message that includes the remedy. */
struct serve *serve_open(unsigned port, char *message, size_t size);
bool serve_built(void); /* whether the program was built with the library */
const char *serve_address(const struct serve *s);
/* Call serve_run() when this is readable, or after that many milliseconds. */
int serve_descriptor(const struct serve *s);
int serve_timeout(const struct serve *s);
void serve_run(struct serve *s);
/* Serves a new page, with its version number. Open pages reload it. Takes ownership of `text`. */
void serve_page(struct serve *s, char *text, size_t length, unsigned number);
void serve_grading(struct serve *s, bool grading); /* open pages show it */
void serve_close(struct serve *s);

#endif
