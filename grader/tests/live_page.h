/* A part of check_web.c: tests the live page of `./grade LAB --watch --html FILE` in a browser while files are
 * saved. */
#ifndef TESTS_LIVE_PAGE_H
#define TESTS_LIVE_PAGE_H

#include "base/clock.h"
#include "watch/serve.h"
#include <signal.h>

/* Starts a watch of FOLDER/live/reduce.cu. Sets *out to a file descriptor for its output. */
static pid_t live_start(int *out) {
    char file[200], page[200];
    int ends[2];
    snprintf(file, sizeof file, "%s/live/reduce.cu", folder);
    snprintf(page, sizeof page, "%s/live/page.html", folder);
    ck_assert(!pipe2(ends, O_CLOEXEC));
    const pid_t pid = fork();
    if (!pid) {
        const char *grade = getenv("GRADE") ? getenv("GRADE") : "./grade";
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        dup2(ends[1], STDOUT_FILENO);
        execlp(grade, grade, "lab1", "--watch", "--html", page, "--submission", file, "--no-sandbox", "--device", "sim",
               "--seed", "7", (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    *out = ends[0];
    return pid;
}
static void live_save(const char *text, const char *more) {
    char path[200], *whole;
    snprintf(path, sizeof path, "%s/live", folder);
    mkdir(path, 0777);
    strcat(path, "/reduce.cu");
    ck_assert(asprintf(&whole, "#define SOLUTION\n%s%s", text, more) > 0);
    write_file(path, whole, strlen(whole));
    free(whole);
}
static void live_address(int out, char address[200]) {
    char text[1 << 14];
    size_t length = 0;
    const char *at;
    do {
        const ssize_t n = read(out, text + length, sizeof text - 1 - length);
        ck_assert_msg(n > 0, "no address: %.*s", (int)length, text);
        text[length += (size_t)n] = 0;
    } while (!(at = strstr(text, "http://")) || !strchr(at, '\n'));
    snprintf(address, 200, "%.*s", (int)strcspn(at, "\n"), at);
}
/* Waits until the page has been loaded again (window.marked is not set) and shows a status that starts with
 * `saying`. */
static void live_wait(const char *saying) {
    char script[300];
    bool there = false;
    snprintf(script, sizeof script,
             "return !window.marked && document.querySelector('.live') && "
             "document.querySelector('.live').textContent.startsWith('%s');",
             saying);
    for (const double end = clock_seconds() + 100; !there; usleep(20000)) {
        json_t *value = driver_script(&driver, script);
        there = json_is_true(value);
        json_decref(value);
        ck_assert_msg(clock_seconds() < end, "the page does not show `%s`", saying);
    }
}
START_TEST(live_page_keeps_its_place) {
    static const char place[] =
        "return JSON.stringify([document.querySelector('.player input').value, "
        "[...document.querySelectorAll('details')]"
        ".map((d) => d.open), Math.round(document.getElementById('lab1-source').getBoundingClientRect().top)]);";
    char address[200], *text = read_file("solutions/lab1_interleaved_tree/reduce.cu"), *before;
    int out, status;
    if (!serve_built()) return;
    live_save(text, "");
    const pid_t watch = live_start(&out);
    live_address(out, address);
    set_width(WIDE);
    driver_open(&driver, address);
    live_wait("Live");
    expect_true("return !document.querySelector('#lab1-source').textContent.includes('saved again');");
    json_decref(ask("const slider = document.querySelector('.player input'); slider.value = 5; "
                    "slider.dispatchEvent(new Event('input')); document.querySelector('details').open = true; "
                    "scrollTo({top: document.getElementById('lab1-source').offsetTop - 333, behavior: 'instant'}); "
                    "window.marked = true;"));
    json_t *value = ask(place);
    before = strdup(json_string_value(value));
    ck_assert_msg(!strncmp(before, "[\"5\",[true,false", 15), "%s", before);
    json_decref(value);
    live_save(text, "// saved again\n");
    live_wait("Live");
    expect_true("return document.querySelector('#lab1-source').textContent.includes('saved again');");
    expect_text(place, before);
    expect_none("return wide();", "live");
    expect_good_looks("live");
    expect_quiet_console("live");
    kill(watch, SIGTERM);
    ck_assert(waitpid(watch, &status, 0) == watch && WIFEXITED(status));
    live_wait("./grade --watch does not respond");
    driver_open(&driver, "about:blank");  /* so that the page no longer tries to connect */
    json_decref(driver_console(&driver)); /* drops messages about the lost connection */
    close(out), free(text), free(before);
}
END_TEST

#endif
