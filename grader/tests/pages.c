/* Tests pages in a browser, for make test-axe and make bench-pages. A PAGE is a file, or the address of --watch.
 *
 *   pages axe FILE PAGE...   runs axe-core (FILE is axe.min.js) on each page, in light and dark mode, at phone and
 *                            desktop widths, with all sections expanded; exits with status 1 if axe-core reports
 *                            violations
 *   pages speed PAGE...      measures the time to open each page, to follow a slider, and to show a changed launch
 *   pages golden FOLDER      writes the pages of several golden records and of the class */
#include <stdio.h>
#include <stdlib.h>
static void need(int met, const char *format, ...) __attribute__((format(printf, 2, 3)));
#define DRIVER_NEED need
#define DRIVER_FLAGS "--mute-audio" /* instead of the default flags, so that the browser optimizes WebAssembly */
#include "class/class.h"
#include "report/sink.h"
#include "tests/files.h"
#include "webdriver.h"
#include <limits.h>
#include <stdarg.h>
#include <sys/stat.h>

static struct driver driver;
static void need(int met, const char *format, ...) {
    va_list list;
    if (met) return;
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    if (driver.pid > 0) kill(driver.pid, SIGTERM);
    exit(2);
}
static json_t *ask(const char *library, const char *script) {
    char *whole;
    need(asprintf(&whole, "%s\n%s", library, script) > 0, "out of memory");
    json_t *value = driver_script(&driver, whole);
    free(whole);
    return value;
}
static void open_page(const char *path) {
    const bool served = !strncmp(path, "http://", 7);
    char address[PATH_MAX + 10], *full = served ? strdup(path) : realpath(path, NULL);
    need(full != NULL, "%s: no such page", path);
    snprintf(address, sizeof address, "%s%s", served ? "" : "file://", full);
    free(full);
    driver_open(&driver, "about:blank");
    driver_open(&driver, address);
}

/* ---- pages without a run ---------------------------------------------------------------------- */
static void write_golden(const char *folder) {
    static const char *const names[] = {"build", "drawn", "full", "race", "setup", "skeleton", "class"};
    char path[PATH_MAX];
    for (unsigned k = 0; k < sizeof names / sizeof *names; k++) {
        snprintf(path, sizeof path, "grader/tests/golden/%s.json", names[k]);
        json_t *record = json_load_file(path, 0, NULL);
        snprintf(path, sizeof path, "%s/golden-%s.html", folder, names[k]);
        FILE *f = fopen(path, "w");
        need(record && f, "%s: no record, or it cannot be written", path);
        if (strcmp(names[k], "class") != 0)
            sink_write(sink_find("html"), record, f, &(struct sink_options){0});
        else
            class_page(record, f);
        json_decref(record);
        need(!fclose(f), "%s: cannot be written", path);
    }
}

/* ---- axe-core -------------------------------------------------------------------------------- */
/* Expands all sections and scrolls through the page, so that its simulator starts if it has one. */
static const char complete[] =
    "document.querySelectorAll('details').forEach((d) => { d.open = true; });"
    "document.querySelectorAll('.slide').forEach((slide) => slide.classList.add('now'));"
    "const still = () => document.querySelector('[aria-busy]') || (typeof shown === 'object' && shown.find(({state, "
    "node}) => node.offsetParent && !state));"
    "const wait = (ms) => new Promise((done) => setTimeout(done, ms));"
    "for (let y = 0; y < document.body.scrollHeight; y += innerHeight) { scrollTo(0, y); await wait(20); }"
    "for (let k = 0; k < 3000 && still(); k++) await wait(20);"
    "scrollTo(0, 0); return String(Boolean(still()));";
static const char findings[] =
    "const {violations} = await axe.run(document, {resultTypes: ['violations']});"
    "return violations.flatMap(({id, help, nodes}) => nodes.map(({target, html, any}) => `${id} (${help}): "
    "${target.join(' ')}: ${html.slice(0, 120)} ${any.map(({message}) => message).join(' ').slice(0, 160)}`));";
static unsigned print_findings(const char *page, int width, const char *theme) {
    json_t *all = ask("", findings), *one;
    size_t k;
    json_array_foreach(all, k, one) printf("%s, %s, %d pixels: %s\n", page, theme, width, json_string_value(one));
    const unsigned count = (unsigned)json_array_size(all);
    json_decref(all);
    return count;
}
static unsigned check_page(const char *axe, const char *page) {
    static const char *const themes[] = {"light", "dark"};
    static const int widths[] = {390, 1280};
    unsigned count = 0;
    driver_media(&driver, "light", "reduce");
    open_page(page);
    json_t *busy = ask("", complete);
    need(!strcmp(json_string_value(busy), "false"), "%s: the simulator does not finish", page);
    json_decref(busy), json_decref(ask(axe, ""));
    for (unsigned w = 0; w < 2; w++)
        for (unsigned t = 0; t < 2; t++) {
            driver_size(&driver, widths[w], 900), driver_media(&driver, themes[t], "reduce");
            count += print_findings(page, widths[w], themes[t]);
        }
    printf("%s: %u findings\n", page, count), fflush(stdout); /* later pages may hang */
    return count;
}

/* ---- speed ----------------------------------------------------------------------------------- */
static void print_speed(const char *script, const char *page) {
    struct stat s;
    json_t *lines, *one;
    size_t k;
    driver_size(&driver, 1280, 900), driver_media(&driver, "light", "no-preference");
    open_page(page);
    need(!stat(page, &s), "%s: no such page", page);
    printf("%s: %lld bytes\n", page, (long long)s.st_size);
    lines = ask(script, "return speed();");
    json_array_foreach(lines, k, one) printf("  %s\n", json_string_value(one));
    json_decref(lines);
}

int main(int argc, char **argv) {
    unsigned found = 0;
    if (argc == 3 && !strcmp(argv[1], "golden")) return write_golden(argv[2]), 0;
    const bool axe = argc > 3 && !strcmp(argv[1], "axe");
    need(axe || (argc > 2 && !strcmp(argv[1], "speed")), "pages axe FILE PAGE... | speed PAGE... | golden FOLDER");
    need(driver_find(&driver), "chromedriver or chromium not found: sudo apt-get install chromium chromium-driver");
    driver_start(&driver);
    json_decref(driver_post(&driver, "timeouts", json_pack("{s:i}", "script", 600000 /* ms */)));
    char *script = read_file(axe ? argv[2] : "grader/tests/web/speed.js");
    for (int k = axe ? 3 : 2; k < argc; k++)
        if (axe)
            found += check_page(script, argv[k]);
        else
            print_speed(script, argv[k]);
    driver_stop(&driver), free(script);
    if (axe) printf("axe-core: %d pages, %u findings\n", argc - 3, found);
    return found > 0;
}
