/* A small client of the W3C WebDriver protocol. It starts chromedriver on a free local port and uses HTTP and JSON,
 * with a connection per request. If a request fails, the test fails. Outside of Check, define DRIVER_NEED first.
 *
 *  if (!driver_find(&d)) skip;             are chromedriver and chromium installed?
 *  driver_start(&d);                       a browser without a window
 *  driver_open(&d, "file:///tmp/x.html");
 *  json_t *v = driver_script(&d, "return document.title;");
 *  driver_stop(&d); */
#ifndef TESTS_WEBDRIVER_H
#define TESTS_WEBDRIVER_H

#include "base/array.h"
#include <fcntl.h>
#include <jansson.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* DRIVER_NEED(condition, format, ...) */
#ifndef DRIVER_NEED
#include <check.h>
#define DRIVER_NEED ck_assert_msg
#endif

struct driver {
    char driver_path[300], browser_path[300];
    pid_t pid;
    int port;
    char session[100];
};

/* ---- programs ------------------------------------------------------------------------------- */
static inline bool driver_program(const char *const *names, char *path, size_t size) {
    for (; *names; names++) {
        char *paths = strdup(getenv("PATH") ? getenv("PATH") : "");
        for (char *save = NULL, *p = strtok_r(paths, ":", &save); p; p = strtok_r(NULL, ":", &save)) {
            snprintf(path, size, "%s/%s", p, *names);
            if (!access(path, X_OK)) return free(paths), true;
        }
        free(paths);
    }
    return false;
}
static inline bool driver_find(struct driver *d) {
    return driver_program((const char *const[]){"chromedriver", NULL}, d->driver_path, sizeof d->driver_path) &&
           driver_program((const char *const[]){"chromium", "google-chrome", "chromium-browser", NULL}, d->browser_path,
                          sizeof d->browser_path);
}

/* ---- HTTP ----------------------------------------------------------------------------------- */
/* Reads a response and returns its body; free() it. The header gives the body's length. */
static inline char *driver_read(int fd) {
    size_t size = 0, whole = SIZE_MAX;
    unsigned room = 0;
    char *text = array_room(NULL, 1 << 16, &room, 1);
    for (ssize_t n; text && size < whole && (n = read(fd, text + size, room - size - 1)) > 0;) {
        size += (size_t)n;
        text[size] = 0;
        const char *content = strstr(text, "\r\n\r\n"), *length = strcasestr(text, "Content-Length:");
        if (content && length && length < content)
            whole = (size_t)(content + 4 - text) + strtoul(length + 15, NULL, 10);
        text = array_room(text, size + 2, &room, 1);
    }
    DRIVER_NEED(text && size, "chromedriver sent no response");
    return text;
}
/* Sends a request. Takes ownership of `body`, which may be NULL. Returns the member `value` of the response; free it
 * with json_decref(). */
static inline json_t *driver_ask(const struct driver *d, const char *method, const char *path, json_t *body) {
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)d->port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    DRIVER_NEED(fd >= 0 && !connect(fd, (const struct sockaddr *)&address, sizeof address), "chromedriver is gone");
    char *sent = body ? json_dumps(body, JSON_COMPACT) : strdup("");
    dprintf(fd, "%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: %zu\r\n\r\n%s", method, path,
            strlen(sent), sent);
    char *answer = driver_read(fd), *content = strstr(answer, "\r\n\r\n");
    close(fd);
    json_error_t error;
    json_t *all = content ? json_loads(content + 4, 0, &error) : NULL, *value = json_object_get(all, "value");
    const char *fault = json_string_value(json_object_get(value, "error"));
    DRIVER_NEED(all && !fault, "%s %s: %.300s\n%.600s", method, path, sent,
                fault ? json_string_value(json_object_get(value, "message")) : answer);
    json_incref(value);
    json_decref(all);
    json_decref(body);
    free(sent);
    free(answer);
    return value;
}
static inline json_t *driver_post(const struct driver *d, const char *path, json_t *body) {
    char full[300];
    snprintf(full, sizeof full, "/session/%s/%s", d->session, path);
    return driver_ask(d, "POST", full, body);
}

/* ---- the browser ---------------------------------------------------------------------------- */
/* Compiles WebAssembly in one pass, without optimization: optimizing the simulator would take five times as long as
 * its launches. */
#ifndef DRIVER_FLAGS
#define DRIVER_FLAGS "--js-flags=--liftoff-only"
#endif
static inline void driver_start(struct driver *d) {
    int out[2];
    char line[300];
    DRIVER_NEED(!pipe2(out, O_CLOEXEC), "no pipe");
    d->pid = fork();
    if (!d->pid) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        dup2(out[1], STDOUT_FILENO);
        execl(d->driver_path, d->driver_path, "--port=0", (char *)NULL);
        _exit(127);
    }
    close(out[1]);
    FILE *f = fdopen(out[0], "r");
    while (!d->port && fgets(line, sizeof line, f)) {
        const char *said = strstr(line, "on port ");
        if (said && strstr(line, "success")) d->port = atoi(said + 8);
    }
    DRIVER_NEED(d->port, "chromedriver did not start");
    json_t *value = driver_ask(d, "POST", "/session",
                               json_pack("{s:{s:{s:{s:s}, s:{s:s, s:[s,s,s,s,s,s]}}}}", "capabilities", "alwaysMatch",
                                         "goog:loggingPrefs", "browser", "ALL", "goog:chromeOptions", "binary",
                                         d->browser_path, "args", "--headless=new", "--no-sandbox", "--disable-gpu",
                                         "--hide-scrollbars", "--disable-dev-shm-usage", DRIVER_FLAGS));
    snprintf(d->session, sizeof d->session, "%s", json_string_value(json_object_get(value, "sessionId")));
    json_decref(value);
    fclose(f);
}
static inline void driver_stop(struct driver *d) {
    char path[200];
    snprintf(path, sizeof path, "/session/%s", d->session);
    json_decref(driver_ask(d, "DELETE", path, NULL));
    kill(d->pid, SIGTERM);
    waitpid(d->pid, NULL, 0);
}
static inline void driver_open(const struct driver *d, const char *address) {
    json_decref(driver_post(d, "url", json_pack("{s:s}", "url", address)));
}
/* Runs `script` in the page as the body of a function. Returns the function's result. */
static inline json_t *driver_script(const struct driver *d, const char *script) {
    return driver_post(d, "execute/sync", json_pack("{s:s, s:[]}", "script", script, "args"));
}
/* Sends a command of the DevTools protocol. Takes ownership of `parameters`. Returns the response; free it with
 * json_decref(). */
static inline json_t *driver_tools(const struct driver *d, const char *command, json_t *parameters) {
    return driver_post(d, "goog/cdp/execute", json_pack("{s:s, s:o}", "cmd", command, "params", parameters));
}
static inline void driver_size(const struct driver *d, int width, int height) {
    json_decref(driver_tools(
        d, "Emulation.setDeviceMetricsOverride",
        json_pack("{s:i, s:i, s:i, s:b}", "width", width, "height", height, "deviceScaleFactor", 1, "mobile", 0)));
}
/* Sets media features. theme: "light" or "dark"; motion: "reduce" or "no-preference". */
static inline void driver_media(const struct driver *d, const char *theme, const char *motion) {
    json_decref(driver_tools(d, "Emulation.setEmulatedMedia",
                             json_pack("{s:[{s:s, s:s}, {s:s, s:s}]}", "features", "name", "prefers-color-scheme",
                                       "value", theme, "name", "prefers-reduced-motion", "value", motion)));
}
/* Presses and releases a key, given as a character or as one of the protocol's code points (Tab is U+E004). */
static inline void driver_key(const struct driver *d, const char *key) {
    json_decref(
        driver_post(d, "actions",
                    json_pack("{s:[{s:s, s:s, s:[{s:s, s:s}, {s:s, s:s}]}]}", "actions", "type", "key", "id",
                              "keyboard", "actions", "type", "keyDown", "value", key, "type", "keyUp", "value", key)));
}
/* Returns the messages that the page has written to the console since the last call, including errors. */
static inline json_t *driver_console(const struct driver *d) {
    return driver_post(d, "se/log", json_pack("{s:s}", "type", "browser"));
}

#endif
