/* See serve.h. GNU libmicrohttpd runs without threads in the watcher's event loop. A page's EventSource (HTML
 * standard, "Server-sent events") gets a response that never ends and is suspended while there is no news. */
#include "watch/serve.h"
#include <stdio.h>

enum { KEEP_ALIVE = 15 /* seconds between writes to an idle browser; a write fails if the browser has disconnected */ };

#ifndef HAVE_MICROHTTPD
struct serve *serve_open(unsigned port, char *message, size_t size) {
    (void)port;
    snprintf(message, size,
             "cannot serve a live page, because ./grade was built without libmicrohttpd: `sudo apt-get install "
             "libmicrohttpd-dev`, then `make`");
    return NULL;
}
bool serve_built(void) { return false; }
const char *serve_address(const struct serve *s) { return (void)s, ""; }
int serve_descriptor(const struct serve *s) { return (void)s, -1; }
int serve_timeout(const struct serve *s) { return (void)s, KEEP_ALIVE * 1000; }
void serve_run(struct serve *s) { (void)s; }
void serve_page(struct serve *s, char *text, size_t length, unsigned number) {
    (void)s, (void)text, (void)length, (void)number;
}
void serve_grading(struct serve *s, bool grading) { (void)s, (void)grading; }
void serve_close(struct serve *s) { (void)s; }
#else
#include "base/clock.h"
#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SECRET = 16 /* bytes */, MAX_CONNECTIONS = 64, IDLE_SECONDS = 60 };
struct listener {
    struct serve *server;
    struct MHD_Connection *connection;
    unsigned told, beaten; /* values of `states` and `beats` when this page was last written to */
    bool waits;
    struct listener *next;
};
struct serve {
    struct MHD_Daemon *daemon;
    struct MHD_Response *page;
    struct listener *listeners;
    char secret[2 * SECRET + 1], address[80], state[80];
    unsigned number, states, beats;
    double beat;
    bool grading, ending;
};
bool serve_built(void) { return true; }

/* ---- answers ---------------------------------------------------------------------------------- */
static const char *const headers[][2] = {{"Cache-Control", "no-store"},
                                         {"X-Content-Type-Options", "nosniff"},
                                         {"Referrer-Policy", "no-referrer"},
                                         {"Cross-Origin-Resource-Policy", "same-origin"},
                                         {"Content-Security-Policy", "frame-ancestors 'none'"}};
static struct MHD_Response *with_headers(struct MHD_Response *r, const char *type) {
    for (size_t k = 0; r && k < sizeof headers / sizeof *headers; k++)
        MHD_add_response_header(r, headers[k][0], headers[k][1]);
    if (r) MHD_add_response_header(r, "Content-Type", type);
    return r;
}
static enum MHD_Result refuse(struct MHD_Connection *c, unsigned status, const char *why) {
    struct MHD_Response *r = with_headers(
        MHD_create_response_from_buffer(strlen(why), (void *)why, MHD_RESPMEM_PERSISTENT), "text/plain; charset=utf-8");
    if (status == MHD_HTTP_METHOD_NOT_ALLOWED) MHD_add_response_header(r, "Allow", "GET, HEAD");
    const enum MHD_Result done = MHD_queue_response(c, status, r);
    MHD_destroy_response(r);
    return done;
}

/* ---- access control ---------------------------------------------------------------------------- */
/* Returns whether the Host header names this machine. Ignores the port, which an ssh tunnel may change. */
static bool is_here(const char *host) {
    static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};
    for (size_t k = 0; host && k < sizeof names / sizeof *names; k++) {
        const size_t n = strlen(names[k]);
        if (strncasecmp(host, names[k], n)) continue;
        const char *port = host + n;
        if (!*port || (*port == ':' && strspn(port + 1, "0123456789") == strlen(port + 1))) return true;
    }
    return false;
}
/* Returns whether a request's Origin header, if any, names the served page. */
static bool is_own_origin(const char *origin, const char *host) {
    static const char scheme[] = "http://";
    return !origin || (!strncmp(origin, scheme, sizeof scheme - 1) && !strcmp(origin + sizeof scheme - 1, host));
}
static bool is_secret(const struct serve *s, const char *url) { /* compares in constant time */
    unsigned differs = 0;
    if (strlen(url) < 2 * SECRET + 2 || url[0] != '/' || url[2 * SECRET + 1] != '/') return false;
    for (unsigned k = 0; k < 2 * SECRET; k++) differs |= (unsigned)(url[1 + k] ^ s->secret[k]);
    return !differs;
}

/* ---- events ------------------------------------------------------------------------------------- */
static ssize_t tell(void *context, uint64_t position, char *out, size_t most) {
    struct listener *l = context;
    const struct serve *s = l->server;
    (void)position;
    if (s->ending) return MHD_CONTENT_READER_END_OF_STREAM;
    if (l->told == s->states && l->beaten == s->beats) {
        MHD_suspend_connection(l->connection);
        l->waits = true;
        return 0;
    }
    const int n = snprintf(out, most, "%s", l->told != s->states ? s->state : ":\n\n");
    l->told = s->states, l->beaten = s->beats;
    return n;
}
static void forget(void *context) {
    struct listener *l = context, **at = &l->server->listeners;
    while (*at != l) at = &(*at)->next;
    *at = l->next;
    free(l);
}
static enum MHD_Result listen_to(struct serve *s, struct MHD_Connection *c) {
    struct listener *l = calloc(1, sizeof *l);
    struct MHD_Response *r = l ? MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 1024, tell, l, forget) : NULL;
    if (!r) return free(l), MHD_NO;
    *l = (struct listener){s, c, .told = s->states - 1, .beaten = s->beats, .next = s->listeners};
    s->listeners = l;
    with_headers(r, "text/event-stream");
    const enum MHD_Result done = MHD_queue_response(c, MHD_HTTP_OK, r);
    MHD_destroy_response(r);
    return done;
}
static void wake(struct serve *s) {
    for (struct listener *l = s->listeners; l; l = l->next)
        if (l->waits) l->waits = false, MHD_resume_connection(l->connection);
    MHD_run(s->daemon);
}
static void tell_all(struct serve *s) {
    s->states++;
    snprintf(s->state, sizeof s->state, "retry: 1000\ndata: {\"page\": %u, \"grading\": %s}\n\n", s->number,
             s->grading ? "true" : "false");
    wake(s);
}

/* ---- requests ----------------------------------------------------------------------------------- */
static enum MHD_Result answer(void *context, struct MHD_Connection *c, const char *url, const char *method,
                              const char *version, const char *upload, size_t *size, void **state) {
    struct serve *s = context;
    const char *const host = MHD_lookup_connection_value(c, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST),
                      *const origin = MHD_lookup_connection_value(c, MHD_HEADER_KIND, MHD_HTTP_HEADER_ORIGIN);
    (void)version, (void)upload, (void)size, (void)state;
    if (!is_here(host))
        return refuse(c, MHD_HTTP_MISDIRECTED_REQUEST, "only browsers on this machine may read this page\n");
    if (!is_own_origin(origin, host)) return refuse(c, MHD_HTTP_FORBIDDEN, "other sites may not read this page\n");
    if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
        return refuse(c, MHD_HTTP_METHOD_NOT_ALLOWED, "this page is read-only\n");
    if (!is_secret(s, url))
        return refuse(c, MHD_HTTP_NOT_FOUND, "wrong address: ./grade --watch prints the correct address\n");
    const char *const place = url + 2 * SECRET + 2;
    if (!*place) return MHD_queue_response(c, MHD_HTTP_OK, s->page);
    return !strcmp(place, "events") ? listen_to(s, c) : refuse(c, MHD_HTTP_NOT_FOUND, "there is no such page\n");
}

/* ---- the server ----------------------------------------------------------------------------------- */
static const char first_page[] =
    "<!DOCTYPE html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"color-scheme\" content=\"light dark\">"
    "<title>Grading</title><p>The first grading run is in progress.</p><script>"
    "new EventSource('events').onmessage = (e) => JSON.parse(e.data).page && location.reload();</script></html>\n";
/* Opens a listening socket on the loopback address. On failure, returns -1 and sets errno. */
static int listening(unsigned port) {
    struct sockaddr_in a = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), yes = 1;
    if (fd < 0) return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes); /* connections of an earlier watch may linger */
    if (!bind(fd, (const struct sockaddr *)&a, sizeof a) && !listen(fd, MAX_CONNECTIONS)) return fd;
    const int why = errno;
    close(fd);
    return errno = why, -1;
}
static bool make_address(struct serve *s, int fd) {
    struct sockaddr_in a;
    socklen_t size = sizeof a;
    uint8_t secret[SECRET];
    if (getsockname(fd, (struct sockaddr *)&a, &size) || getrandom(secret, sizeof secret, 0) != sizeof secret)
        return false;
    for (unsigned k = 0; k < SECRET; k++) sprintf(s->secret + 2 * k, "%02x", secret[k]);
    snprintf(s->address, sizeof s->address, "http://127.0.0.1:%u/%s/", ntohs(a.sin_port), s->secret);
    return true;
}
struct serve *serve_open(unsigned port, char *message, size_t size) {
    const int fd = listening(port);
    if (fd < 0) {
        snprintf(message, size, "cannot listen on port %u of 127.0.0.1: %s%s", port, strerror(errno),
                 errno == EADDRINUSE ? ": stop the program that uses it, or leave out --port to use any free port"
                                     : "");
        return NULL;
    }
    struct serve *s = calloc(1, sizeof *s);
    if (s && make_address(s, fd))
        s->daemon =
            MHD_start_daemon(MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, answer, s,
                             MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT, (unsigned)MAX_CONNECTIONS,
                             MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS, MHD_OPTION_END);
    if (!s || !s->daemon) {
        snprintf(message, size, "cannot serve the page: libmicrohttpd failed to start");
        close(fd);
        return free(s), NULL;
    }
    s->beat = clock_seconds();
    serve_page(s, strdup(first_page), sizeof first_page - 1, 0);
    return s;
}
const char *serve_address(const struct serve *s) { return s->address; }
int serve_descriptor(const struct serve *s) {
    return MHD_get_daemon_info(s->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
}
int serve_timeout(const struct serve *s) {
    MHD_UNSIGNED_LONG_LONG left;
    return MHD_get_timeout(s->daemon, &left) == MHD_YES && left < KEEP_ALIVE * 1000 ? (int)left : KEEP_ALIVE * 1000;
}
void serve_run(struct serve *s) {
    MHD_run(s->daemon);
    if (clock_seconds() - s->beat < KEEP_ALIVE) return;
    s->beat = clock_seconds(), s->beats++;
    wake(s);
}
void serve_page(struct serve *s, char *text, size_t length, unsigned number) {
    struct MHD_Response *r = with_headers(
        text ? MHD_create_response_from_buffer(length, text, MHD_RESPMEM_MUST_FREE) : NULL, "text/html; charset=utf-8");
    if (!r) return free(text);
    if (s->page) MHD_destroy_response(s->page); /* requests in progress keep a reference to the old page */
    s->page = r, s->number = number;
    tell_all(s);
}
void serve_grading(struct serve *s, bool grading) {
    if (s->grading == grading) return;
    s->grading = grading;
    tell_all(s);
}
void serve_close(struct serve *s) {
    if (!s) return;
    s->ending = true;
    wake(s); /* MHD_stop_daemon() requires that no connection is suspended */
    MHD_stop_daemon(s->daemon);
    MHD_destroy_response(s->page);
    free(s);
}
#endif
