/* Serves the page of a watch to browsers on this machine. The server listens on the loopback address. Because other
 * users of the machine can reach that address, too, the page has an unguessable path. A request must name this host
 * in its Host header, which prevents DNS rebinding by other sites. Without libmicrohttpd, serve_open() fails with a
 * message. */
#ifndef WATCH_SERVE_H
#define WATCH_SERVE_H

#include <stdbool.h>
#include <stddef.h>

struct serve;
/* Opens the server; port 0 selects a free port. On failure, returns NULL with a message that says what to do. */
struct serve *serve_open(unsigned port, char *message, size_t size);
/* Returns whether the program was built with libmicrohttpd. */
bool serve_built(void);
const char *serve_address(const struct serve *s); /* URL of the page */
/* Return the conditions for calling serve_run(): the descriptor is readable, or that many milliseconds have passed. */
int serve_descriptor(const struct serve *s);
int serve_timeout(const struct serve *s);
void serve_run(struct serve *s);
/* Replaces the page with version `number`, which open pages then load. Takes ownership of `text`. */
void serve_page(struct serve *s, char *text, size_t length, unsigned number);
/* Makes open pages show whether grading is in progress. */
void serve_grading(struct serve *s, bool grading);
void serve_close(struct serve *s);

#endif
