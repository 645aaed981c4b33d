/* Takes pictures of pages in a browser, for docs/gallery. Each line of the input says
 *
 *   PAGE PLACE SELECTOR WIDTH THEME PICTURE
 *
 * open the file PAGE at #PLACE in a window WIDTH wide, theme light or dark, and write what SELECTOR covers to the PNG
 * file PICTURE. SELECTOR "window" is the first 1.5 widths of the page. */
#include <stdio.h>
#include <stdlib.h>
static void need(int met, const char *format, ...) __attribute__((format(printf, 2, 3)));
#define DRIVER_NEED need
#include "webdriver.h"
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>

static void need(int met, const char *format, ...) {
    va_list list;
    if (met) return;
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    exit(1);
}

static int value_of(char c) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}
static void write_base64(const char *text, const char *path) {
    FILE *f = fopen(path, "wb");
    need(f != NULL, "%s: cannot be written", path);
    uint32_t bits = 0;
    unsigned have = 0;
    for (; value_of(*text) >= 0; text++) {
        bits = bits << 6 | (uint32_t)value_of(*text);
        have += 6;
        if (have >= 8) fputc((int)(bits >> (have -= 8) & 255), f);
    }
    need(!fclose(f), "%s: cannot be written", path);
}

/* The position of the part, once it no longer moves: the simulator in the page writes its results above it. */
static json_t *settled(const struct driver *d, const char *script) {
    enum { PATIENCE = 40, QUIET = 4, BETWEEN = 250000 /* microseconds */ };
    json_t *clip = driver_script(d, script);
    for (unsigned k = 0, same = 0; k < PATIENCE && same < QUIET; k++) {
        usleep(BETWEEN);
        json_t *now = driver_script(d, script);
        same = json_equal(now, clip) ? same + 1 : 0;
        json_decref(clip);
        clip = now;
    }
    return clip;
}
static void shoot(const struct driver *d, char *const word[6]) {
    char address[PATH_MAX + 200], script[600], *full = realpath(word[0], NULL);
    const int width = atoi(word[3]);
    need(full && width > 0, "%s: no such page, or no width", word[0]);
    snprintf(address, sizeof address, "file://%s#%s", full, word[1]);
    free(full);
    driver_size(d, width, width * 3 / 2);
    driver_media(d, word[4], "reduce");
    driver_open(d, "about:blank");
    driver_open(d, address);
    snprintf(
        script, sizeof script,
        "const n = document.querySelector('%s'), r = n ? n.getBoundingClientRect() : {x: 0, y: 0, width: innerWidth, "
        "height: innerHeight}; return {x: r.x + (n ? scrollX : 0), y: r.y + (n ? scrollY : 0), width: r.width, height: "
        "r.height, scale: 1};",
        word[2]);
    json_t *clip = settled(d, script);
    json_t *shot =
        driver_tools(d, "Page.captureScreenshot",
                     json_pack("{s:o, s:b}", "clip", clip, "captureBeyondViewport", strcmp(word[2], "window")));
    write_base64(json_string_value(json_object_get(shot, "data")), word[5]);
    json_decref(shot);
}

int main(void) {
    struct driver d = {0};
    char line[1024];
    if (!driver_find(&d)) {
        fputs("no chromedriver and chromium here: sudo apt-get install chromium chromium-driver\n", stderr);
        return 1;
    }
    driver_start(&d);
    while (fgets(line, sizeof line, stdin)) {
        char *word[6] = {0};
        unsigned n = 0;
        for (char *save = NULL, *w = strtok_r(line, " \n", &save); w && n < 6; w = strtok_r(NULL, " \n", &save))
            word[n++] = w;
        if (n == 6) shoot(&d, word);
    }
    driver_stop(&d);
    return 0;
}
