/* Takes screenshots of pages in a browser, for docs/gallery. Each line of the input has the form
 *
 *  PAGE FRAGMENT SELECTOR WIDTH THEME PICTURE
 *
 * For each line, opens PAGE#FRAGMENT in a window of WIDTH pixels with THEME ("light" or "dark"). Writes the element
 * that matches SELECTOR to the PNG file PICTURE. SELECTOR "window" selects the top of the page, with a height of 1.5
 * widths. Several fragments, separated by commas, give an animated picture (APNG) with the size of its first frame. */
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
struct bytes {
    uint8_t *at;
    size_t count;
};
static struct bytes from_base64(const char *text) {
    struct bytes b = {malloc(strlen(text) + 1), 0};
    uint32_t bits = 0;
    unsigned have = 0;
    need(b.at != NULL, "out of memory");
    for (; value_of(*text) >= 0; text++) {
        bits = bits << 6 | (uint32_t)value_of(*text);
        have += 6;
        if (have >= 8) b.at[b.count++] = (uint8_t)(bits >> (have -= 8));
    }
    return b;
}

/* ---- animated PNG: the chunks of all pictures, one after another ------------------------------- */
enum { MAX_FRAMES = 32, SIGNATURE = 8, SHOWN = 1400 /* ms per picture */ };
static uint32_t big(const uint8_t *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}
static void put_big(uint8_t *at, uint32_t n) {
    for (unsigned k = 0; k < 4; k++) at[k] = (uint8_t)(n >> (24 - 8 * k));
}
static void put_chunk(FILE *f, const char *type, const uint8_t *data, uint32_t count) {
    uint8_t head[8], tail[4];
    uint32_t sum = UINT32_MAX;
    put_big(head, count), memcpy(head + 4, type, 4);
    for (uint32_t k = 0; k < count + 4; k++) {
        sum ^= k < 4 ? head[4 + k] : data[k - 4];
        for (unsigned bit = 0; bit < 8; bit++) sum = sum >> 1 ^ (sum & 1 ? 0xedb88320 : 0);
    }
    put_big(tail, ~sum);
    fwrite(head, 1, 8, f), fwrite(data, 1, count, f), fwrite(tail, 1, 4, f);
}
/* Writes the signature and the chunks that are common to all frames of an animated picture. */
static void begin_frames(FILE *f, const struct bytes *first, unsigned frames) {
    uint8_t control[8] = {0}; /* number of frames; number of repetitions, 0 for endless */
    put_big(control, frames);
    fwrite(first->at, 1, SIGNATURE, f);
    put_chunk(f, "IHDR", first->at + SIGNATURE + 8, 13);
    put_chunk(f, "acTL", control, sizeof control);
}
static void put_frame(FILE *f, const struct bytes *png, uint32_t *sequence) {
    uint8_t control[26] = {0};
    const bool is_first = !*sequence;
    put_big(control, (*sequence)++), memcpy(control + 4, png->at + SIGNATURE + 8, 8); /* width, height */
    control[20] = SHOWN >> 8, control[21] = SHOWN & 255, control[22] = 1000 >> 8, control[23] = 1000 & 255;
    put_chunk(f, "fcTL", control, sizeof control);
    for (size_t at = SIGNATURE, count; at + 12 <= png->count; at += 12 + count) {
        count = big(png->at + at);
        if (memcmp(png->at + at + 4, "IDAT", 4) != 0) continue;
        uint8_t *data = malloc(count + 4);
        need(data != NULL, "out of memory");
        put_big(data, *sequence), memcpy(data + 4, png->at + at + 8, count);
        if (is_first)
            put_chunk(f, "IDAT", data + 4, (uint32_t)count);
        else
            ++*sequence, put_chunk(f, "fdAT", data, (uint32_t)count + 4);
        free(data);
    }
}
static void write_pictures(const struct bytes *png, unsigned count, const char *path) {
    uint32_t sequence = 0;
    FILE *f = fopen(path, "wb");
    need(f != NULL, "%s: cannot be written", path);
    if (count == 1)
        fwrite(png->at, 1, png->count, f);
    else {
        begin_frames(f, png, count);
        for (unsigned k = 0; k < count; k++) put_frame(f, &png[k], &sequence);
        put_chunk(f, "IEND", png->at, 0);
    }
    need(!fclose(f), "%s: cannot be written", path);
}

/* Waits until the part no longer moves, and returns its position. It may move when the page's simulator writes
 * results above it. */
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
/* Takes a screenshot of the size *size. If *size is NULL, as for the first screenshot, sets *size to the size of the
 * element. */
static struct bytes shot_of(const struct driver *d, const char *full, const char *place, const char *selector,
                            json_t **size) {
    char address[PATH_MAX + 200], script[600];
    snprintf(address, sizeof address, "file://%s#%s", full, place);
    driver_open(d, "about:blank");
    driver_open(d, address);
    snprintf(
        script, sizeof script,
        "const part = '%s', n = document.querySelector(part), r = n ? n.getBoundingClientRect() : {x: 0, y: 0, width: "
        "innerWidth, height: innerHeight}; return !n && part !== 'window' ? null : {x: r.x + (n ? scrollX : 0), y: r.y "
        "+ (n ? scrollY : 0), width: r.width, height: r.height, scale: 1};",
        selector);
    json_t *clip = settled(d, script);
    need(json_is_object(clip), "%s: no %s", full, selector);
    if (!*size)
        *size =
            json_pack("{s:O, s:O}", "width", json_object_get(clip, "width"), "height", json_object_get(clip, "height"));
    json_object_update(clip, *size);
    json_t *shot =
        driver_tools(d, "Page.captureScreenshot",
                     json_pack("{s:o, s:b}", "clip", clip, "captureBeyondViewport", strcmp(selector, "window")));
    const struct bytes png = from_base64(json_string_value(json_object_get(shot, "data")));
    json_decref(shot);
    return png;
}
static void shoot(const struct driver *d, char *const word[6]) {
    struct bytes png[MAX_FRAMES];
    unsigned frames = 0;
    char *full = realpath(word[0], NULL);
    json_t *size = NULL;
    const int width = atoi(word[3]);
    need(full && width > 0, "%s: no such page, or no width", word[0]);
    driver_size(d, width, width * 3 / 2);
    driver_media(d, word[4], "reduce");
    for (char *save = NULL, *place = strtok_r(word[1], ",", &save); place && frames < MAX_FRAMES;
         place = strtok_r(NULL, ",", &save))
        png[frames++] = shot_of(d, full, place, word[2], &size);
    write_pictures(png, frames, word[5]);
    for (unsigned k = 0; k < frames; k++) free(png[k].at);
    json_decref(size), free(full);
}

int main(void) {
    struct driver d = {0};
    char line[1024];
    if (!driver_find(&d)) {
        fputs("chromedriver or chromium not found: sudo apt-get install chromium chromium-driver\n", stderr);
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
