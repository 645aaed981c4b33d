/* Tests the site's interactive figures in a real browser. The launches of a figure must give the same results as
 * `./grade run`. A figure must work with the keyboard and when it is shown alone, and must look right on a phone and
 * on a desktop. SITE=FOLDER also tests the pages in a folder that `make site` has written. EVERY=1 tests every value
 * of every control. */
/* run: plain, 16 s */
/* reads: grade grader/site grader/live grader/report/html grader/tests/web labs/course.conf docs/figures */
#include "sandbox/process.h"
#include "live/live.h"
#include "record/terms.h"
#include "tests/files.h"
#include "tests/effort.h"
#include "tests/suite.h"
#include "webdriver.h"
#include <check.h>
#include <dirent.h>

static struct driver driver;
static char folder[] = "/tmp/check-site-XXXXXX";
static char *look; /* web/look.js */

/* ---- the texts ----------------------------------------------------------------------------- */
/* In `says`, each # stands for one of `figures`, which are taken from the records of `./grade run`. Examples:
 * "0.counts.tree_steps" is a count of launch 0, "0.lines.7.shared_wavefronts" a count of a source line, and
 * "0.arguments.2.0" a value of an argument. "rate.32768" is 32768 bytes divided by the difference of the modeled
 * cycles of launches 1 and 0. */
static const struct saying {
    const char *name, *set, *says, *figures[6];
} sayings[] = {
    {"trees",
     "{block: 256, n: 512, step: 2}",
     "In total, # of # steps diverge in the interleaved tree, # of # in the compacted one.",
     {"0.counts.divergent_tree_steps", "0.counts.tree_steps", "1.counts.divergent_tree_steps", "1.counts.tree_steps"}},
    {"trees",
     "{block: 1024, n: 2048, step: 10}",
     "In total, # of # steps diverge in the interleaved tree, # of # in the compacted one.",
     {"0.counts.divergent_tree_steps", "0.counts.tree_steps", "1.counts.divergent_tree_steps", "1.counts.tree_steps"}},
    {"banks", "{stride: 8, pad: 0}", "The access takes # wavefronts.", {"0.lines.8.shared_wavefronts"}},
    {"banks",
     "{stride: 32, pad: 1}",
     "The access takes # wavefront. No bank conflict",
     {"0.lines.8.shared_wavefronts"}},
    {"banks", "{stride: 0, pad: 0}", "The access takes # wavefront. No bank conflict", {"0.lines.8.shared_wavefronts"}},
    {"race", "{order: 'warp=1', barrier: false}", "The total is #, not #.", {"0.arguments.2.0", "1.arguments.2.0"}},
    {"race",
     "{order: 'warp=2', barrier: false}",
     "The total is #, as it should be, but only because",
     {"0.arguments.2.0"}},
    {"waits",
     "{who: '3', length: 24, barrier: true}",
     "1 of 8 warps diverges. The warps execute # instructions.",
     {"0.counts.warp_instructions"}},
    {"waits",
     "{who: '0', length: 6, barrier: true}",
     "8 of 8 warps diverge. The warps execute # instructions. A divergent warp executes both paths",
     {"0.counts.warp_instructions"}},
    {"waits",
     "{who: '2', length: 6, barrier: false}",
     "no warp diverges. The warps execute # instructions. Without barriers no warp waits",
     {"0.counts.warp_instructions"}},
    {"trap",
     "{order: 'lane=8', lanes: '16', wait: false}",
     "Lane 8 has written # to word 8 before lane 0 reads it: lane 0 gets #, not 10. The simulator finds: data race "
     "inside a warp.",
     {"0.arguments.2.0", "0.arguments.3.0"}},
    {"trap", "{order: 'lane=15', lanes: '16', wait: true}", "lane 0 gets #. Every lane reads", {"0.arguments.3.0"}},
    {"trap", "{order: 'lane=15', lanes: '8', wait: false}", "lane 0 gets #. Lanes 8 to 15 do not", {"0.arguments.3.0"}},
    {"race",
     "{order: 'rising', barrier: true}",
     "The total is #, as it should be: a barrier separates the steps in every",
     {"0.arguments.2.0"}},
    {"lastblock",
     "{blocks: 5, first: 4, fence: false, stale: true}",
     "The total is #. 4 old values were read; the correct total is 150. The simulator finds: data race between blocks.",
     {"0.arguments.3.0"}},
    {"lastblock",
     "{blocks: 8, first: 0, fence: true, stale: true}",
     "The total is #. With fences",
     {"0.arguments.3.0"}},
    {"lastblock",
     "{blocks: 2, first: 0, fence: false, stale: false}",
     "The total is #. This is right only by luck: ",
     {"0.arguments.3.0"}},
    {"order",
     "{first: '4', join: true}",
     "lane 0 holds 1, then #, #, #. All digits are present, but not in order.",
     {"0.arguments.0.0", "0.arguments.0.8", "0.arguments.0.16"}},
    {"order",
     "{first: '1', join: true}",
     "lane 0 holds 1, then #, #, #. The order is kept",
     {"0.arguments.0.0", "0.arguments.0.8", "0.arguments.0.16"}},
    {"error", "{n: 2048}", "n = 2048: one after the other, #, ", {"0.arguments.2.0"}},
    {"error", "{n: 4096}", "; interleaved tree, #, ", {"1.arguments.2.0"}},
    {"error", "{n: 16}", "; compacted tree, #, ", {"2.arguments.2.0"}},
    {"inflight",
     "{loads: 4, block: 512}",
     "8192 bytes in flight. Modeled throughput: # bytes per cycle",
     {"rate.32768"}},
    {"roof", "{power: 20, scale: 'time'}",
     "n = 2^20: memory alone takes 0.911 us. The fastest is C8, 16-byte loads, four in flight: "},
    {"roof", "{power: 26, scale: 'share'}", "Memory determines the time: no kernel can be much faster."},
    {"sectors", "{stride: 3, offset: 5}", "The load moves # sectors,", {"0.sectors.in"}},
    {"sectors",
     "{stride: 1, offset: 0}",
     "The load moves # sectors, 128 bytes, and uses 128 of them: 100",
     {"0.sectors.in"}},
};
enum { SAYINGS = sizeof sayings / sizeof *sayings, MAX_LAUNCHES = 4 };

/* ---- the browser ----------------------------------------------------------------------------- */
/* A script that runs after look.js. `shown` is the list of the page's interactive figures. */
static const char steps[] =
    "const plain = (text) => text.replace(/\\u202f/g, '');"
    "const find = (name) => shown.find(({row}) => row.name === name);"
    "const done = async (me) => { while (!me.state || me.node.hasAttribute('aria-busy')) await new Promise((tell) => "
    "setTimeout(tell, 2)); return {said: plain(me.node.querySelector('.saying').textContent), ...me.state, "
    "texts: me.state.texts, launches: me.state.launches.map((launch) => ({...launch, args: "
    "Object.entries(launch.args)}))}; };"
    "const first = (row) => Object.fromEntries(row.controls.map(({key, value}) => [key, value]));"
    "const set = (name, values) => { find(name).set(values); return done(find(name)); };";
static json_t *ask(const char *script) {
    char *whole;
    ck_assert(asprintf(&whole, "%s\n%s\n%s", look, steps, script) > 0);
    json_t *value = driver_script(&driver, whole);
    free(whole);
    return value;
}
static void expect(const char *script, const char *text) {
    json_t *value = ask(script);
    ck_assert_msg(json_is_string(value) && !strcmp(json_string_value(value), text), "%s: `%.600s`, not `%s`", script,
                  json_is_string(value) ? json_string_value(value) : "no text", text);
    json_decref(value);
}
static void expect_quiet_console(const char *where) {
    json_t *lines = driver_console(&driver);
    ck_assert_msg(json_array_size(lines) == 0, "%s: the console says: %s", where,
                  json_string_value(json_object_get(json_array_get(lines, 0), "message")));
    json_decref(lines);
}
static void open_page(const char *path, const char *fragment) {
    char address[600];
    snprintf(address, sizeof address, "file://%s%s", path, fragment);
    driver_open(&driver, "about:blank");
    driver_open(&driver, address);
}
static void open_all(const char *fragment) {
    char path[100];
    snprintf(path, sizeof path, "%s/explorables.html", folder);
    open_page(path, fragment);
}

/* ---- ./grade run ----------------------------------------------------------------------------- */
static json_t *run_by_grade(const char *name, const json_t *launch) {
    enum { MAX = 8 };
    char file[200], record[100], grid[20], block[20], text[MAX][60];
    const char *argv[40] = {getenv("GRADE") ? getenv("GRADE") : "./grade",
                            "run",
                            file,
                            json_string_value(json_object_get(launch, "kernel")),
                            "--print=4096",
                            "--json",
                            record,
                            grid,
                            block};
    const char *schedule = json_string_value(json_object_get(launch, "schedule"));
    unsigned n = 9;
    json_t *argument;
    size_t k;
    snprintf(file, sizeof file, "grader/site/explorables/%s.ptx", name);
    snprintf(record, sizeof record, "%s/run.json", folder);
    const json_int_t blocks = json_integer_value(json_object_get(launch, "grid"));
    snprintf(grid, sizeof grid, "--grid=%lld", blocks ? blocks : 1);
    snprintf(block, sizeof block, "--block=%lld", json_integer_value(json_object_get(launch, "block")));
    if (schedule) argv[n++] = "--schedule", argv[n++] = schedule;
    json_array_foreach(json_object_get(launch, "args"), k, argument) {
        const json_t *value = json_array_get(argument, 1);
        ck_assert(k < MAX);
        if (json_is_string(value))
            snprintf(text[k], sizeof text[k], "%s", json_string_value(value));
        else
            snprintf(text[k], sizeof text[k], "%lld", json_integer_value(value));
        argv[n++] = "--arg", argv[n++] = text[k];
    }
    struct process_result r = process_run(argv, &(struct process_limits){.wall_seconds = 300, .output_bytes = 1 << 20});
    json_t *all = r.end == PROCESS_EXITED && r.status <= 1 ? json_load_file(record, 0, NULL) : NULL;
    ck_assert_msg(all != NULL, "./grade run: %.600s", r.output);
    free(r.output);
    return all;
}
static bool same_members(const json_t *page, const json_t *run, const char *const keys[]) {
    for (; *keys; keys++)
        if (!json_equal(json_object_get(page, *keys), json_object_get(run, *keys))) return false;
    return true;
}
static bool same_lists(const json_t *page, const json_t *run, const char *const keys[]) {
    bool same = json_array_size(page) == json_array_size(run);
    for (size_t k = 0; same && k < json_array_size(page); k++)
        same = same_members(json_array_get(page, k), json_array_get(run, k), keys);
    return same;
}
/* Compares elements of a buffer as floats, because one of the texts may have more digits than are significant. */
static bool same_elements(const json_t *a, const json_t *b) {
    bool same = json_array_size(a) == json_array_size(b);
    for (size_t k = 0; same && k < json_array_size(a); k++)
        same = (float)json_number_value(json_array_get(a, k)) == (float)json_number_value(json_array_get(b, k));
    return same;
}
/* Asserts that the page and the record of `./grade run` have the same counts, steps, findings and contents of
 * buffers. */
static void expect_equal(const char *name, const json_t *launch, const json_t *page, const json_t *run) {
    static const char *const step[] = {"kind", "divergent", "active_lanes", "active_warps", "divergent_warps",
                                       "line", NULL};
    static const char *const finding[] = {"kind", "title", "count", NULL};
    const json_t *value;
    const char *key;
    size_t k;
    json_object_foreach(json_object_get(run, "counts"), key, value) {
        const json_t *ours = json_object_get(json_object_get(page, "counts"), key);
        ck_assert_msg(json_number_value(ours) == json_number_value(value), "%s: %s is %g in the page, not %g", name,
                      key, json_number_value(ours), json_number_value(value));
    }
    ck_assert_msg(same_lists(json_object_get(page, "steps"), json_object_get(run, "steps"), step), "%s: steps", name);
    ck_assert_msg(same_lists(json_object_get(page, "findings"), json_object_get(run, "findings"), finding),
                  "%s: findings", name);
    json_array_foreach(json_object_get(run, "arguments"), k, value) {
        /* numbers, and buffers that were not written, have no values */
        const json_t *first = json_object_get(value, "first");
        key = json_string_value(json_array_get(json_array_get(json_object_get(launch, "args"), k), 0));
        ck_assert_msg(!first || same_elements(first, json_object_get(json_object_get(page, "buffers"), key)),
                      "%s: the contents of buffer %s differ", name, key);
    }
}

/* ---- figures of records ---------------------------------------------------------------------- */
static void put_figure(FILE *out, json_t *const records[], json_t *const ours[], const char *path) {
    const json_t *at = records[*path - '0'];
    char copy[100], *save = NULL;
    if (sscanf(path, "rate.%99s", copy) == 1) {
        const double cycles =
            json_real_value(json_object_get(ours[1], "cycles")) - json_real_value(json_object_get(ours[0], "cycles"));
        fprintf(out, "%.1f", atof(copy) / cycles);
        return;
    }
    snprintf(copy, sizeof copy, "%s", path + 2);
    const char *word = strtok_r(copy, ".", &save);
    /* the count includes 4 sectors that the only warp stores, and the figure does not */
    if (!strcmp(word, "sectors")) {
        at = json_object_get(json_object_get(at, "counts"), "global_sectors");
        fprintf(out, "%lld", json_integer_value(at) - 4);
        return;
    }
    at = json_object_get(at, word);
    if (!strcmp(word, "arguments")) {
        at = json_array_get(at, strtoul(strtok_r(NULL, ".", &save), NULL, 10));
        at = json_array_get(json_object_get(at, "first"), strtoul(save, NULL, 10));
    } else {
        const long line = !strcmp(word, "lines") ? strtol(strtok_r(NULL, ".", &save), NULL, 10) : 0;
        size_t k = 0;
        while (line && json_integer_value(json_object_get(json_array_get(at, k), "line")) != line) {
            ck_assert_msg(k < json_array_size(at), "no line %ld", line);
            k++;
        }
        at = json_object_get(line ? json_array_get(at, k) : at, save);
    }
    ck_assert_msg(json_is_number(at), "no figure %s", path);
    const double value = json_number_value(at);
    char text[40];
    for (int digits = 6; snprintf(text, sizeof text, "%.*g", digits, value), strtof(text, NULL) != (float)value;)
        digits++;
    fputs(text, out);
}
static char *filled(const char *says, const char *const figures[], json_t *const records[], json_t *const ours[]) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (; *says; says++)
        if (*says == '#')
            put_figure(out, records, ours, *figures++);
        else
            fputc(*says, out);
    fclose(out);
    return text;
}
/* Compares numbers by value, because JavaScript has only one type of number. */
static bool same_value(const json_t *a, const json_t *b) {
    bool same = json_typeof(a) == json_typeof(b) && json_object_size(a) == json_object_size(b) &&
                json_array_size(a) == json_array_size(b);
    const char *key;
    json_t *value;
    if (json_is_number(a) && json_is_number(b)) return json_number_value(a) == json_number_value(b);
    json_object_foreach((json_t *)a, key, value) {
        const json_t *other = json_object_get(b, key);
        same = same && other && same_value(value, other);
    }
    for (size_t k = 0; same && k < json_array_size(a); k++)
        same = same_value(json_array_get(a, k), json_array_get(b, k));
    return same && (!json_is_string(a) || !strcmp(json_string_value(a), json_string_value(b)));
}
/* Runs the page's launches with `./grade run`, and with the native build of the page's function live_show(). The
 * caller frees the results with json_decref(). */
static void run_all(const char *name, const json_t *state, json_t *records[], json_t *ours[]) {
    const json_t *launches = json_object_get(state, "launches"), *launch;
    size_t k;
    ck_assert(json_array_size(launches) <= MAX_LAUNCHES);
    json_array_foreach((json_t *)launches, k, launch) {
        const json_t *seen = json_array_get(json_object_get(state, "seen"), k);
        char *answer = live_show(json_string_value(json_array_get(json_object_get(state, "texts"), k)));
        records[k] = run_by_grade(name, launch), ours[k] = json_loads(answer, 0, NULL);
        free(answer);
        expect_equal(name, launch, seen, records[k]);
        ck_assert_msg(ours[k] && same_value(seen, ours[k]), "%s: the page's answer differs from the native one", name);
    }
}
static void expect_saying(const struct saying *s) {
    char script[400];
    json_t *records[MAX_LAUNCHES] = {0}, *ours[MAX_LAUNCHES] = {0};
    snprintf(script, sizeof script, "return set('%s', %s);", s->name, s->set);
    json_t *state = ask(script);
    const char *said = json_string_value(json_object_get(state, "said"));
    run_all(s->name, state, records, ours);
    if (s->says) {
        char *wanted = filled(s->says, s->figures, records, ours);
        ck_assert_msg(strstr(said, wanted), "%s, %s: says `%s`, not `%s`", s->name, s->set, said, wanted);
        free(wanted);
    }
    for (unsigned k = 0; k < MAX_LAUNCHES; k++) json_decref(records[k]), json_decref(ours[k]);
    json_decref(state);
}
START_TEST(figure_texts_match_grade_run) { expect_saying(&sayings[_i]); }
END_TEST
/* Tests every value of each control, while all other controls have their first values. */
START_TEST(every_control_value_matches_grade_run) {
    json_t *all = ask("return explorables.flatMap(({name, controls}) => { const set = Object.fromEntries(controls.map("
                      "({key, value}) => [key, value])); return controls.flatMap((c) => (c.kind === 'switch' ? [false, "
                      "true] : c.kind === 'slide' ? valuesOf(c, set) : optionsOf(c, set).map(([v]) => v)).map((v) => "
                      "[name, JSON.stringify({...set, [c.key]: v})])); });"),
           *one;
    size_t k;
    ck_assert_uint_gt(json_array_size(all), 100);
    json_array_foreach(all, k, one) expect_saying(&(struct saying){
        json_string_value(json_array_get(one, 0)), json_string_value(json_array_get(one, 1)), .says = NULL});
    json_decref(all);
}
END_TEST

/* ---- interaction ----------------------------------------------------------------------------- */
#define KEY_RIGHT "\xee\x80\x94"
#define KEY_ESCAPE "\xee\x80\x8c"
START_TEST(controls_obey_keys) {
    ask("find('banks').set({stride: 2, pad: 0}); await done(find('banks')); "
        "find('banks').node.querySelector('input').focus();");
    driver_key(&driver, KEY_RIGHT);
    expect("return (await done(find('banks'))).said.slice(0, 24);", "Lane t reads word 3·t. T");
    expect("const box = find('banks').node.querySelector('input'); return box.getAttribute('aria-valuetext');", "3");
}
END_TEST
/* Taps the first element that matches this selector. */
static void tap(const char *selector) {
    char script[300];
    snprintf(
        script, sizeof script,
        "const n = document.querySelector('%s'); n.scrollIntoView({block: 'center', behavior: 'instant'}); const r "
        "= n.getBoundingClientRect(); return {x: r.x + r.width / 2, y: r.y + 10};",
        selector);
    json_t *at = ask(script);
    json_decref(
        driver_post(&driver, "actions",
                    json_pack("{s:[{s:s, s:s, s:{s:s}, s:[{s:s, s:i, s:i}, {s:s, s:i}, {s:s, s:i}]}]}", "actions",
                              "type", "pointer", "id", "finger", "parameters", "pointerType", "touch", "actions",
                              "type", "pointerMove", "x", (int)json_number_value(json_object_get(at, "x")), "y",
                              (int)json_number_value(json_object_get(at, "y")), "type", "pointerDown", "button", 0,
                              "type", "pointerUp", "button", 0)));
    json_decref(at);
}
/* A tap on the third element of the picture sets the control to that element's value. */
static const struct touch {
    const char *name, *before, *value, *says;
} touches[] = {{"race", "{order: 'rising', barrier: false}", "warp=2", "Order: warp 2 runs ahead. Th"},
               {"trap", "{order: 'rising', lanes: '16', wait: false}", "lane=2", "Lane 2 ahead. Every lane rea"}};
START_TEST(pictures_obey_fingers) {
    const struct touch *t = &touches[_i];
    char text[400];
    ask("for (const {row} of shown) await set(row.name, {});");
    snprintf(text, sizeof text, "await set('%s', %s);", t->name, t->before);
    ask(text);
    snprintf(text, sizeof text, "#explore-%s .finger:nth-child(3 of .finger)", t->name);
    tap(text);
    /* the browser sends a click shortly after the tap */
    snprintf(text, sizeof text,
             "const box = find('%s').node.querySelector('select'); for (let k = 0; k < 500 && box.value !== '%s'; k++) "
             "await new Promise((tell) => setTimeout(tell, 4));",
             t->name, t->value);
    ask(text);
    snprintf(text, sizeof text, "return (await done(find('%s'))).said.slice(0, 28);", t->name);
    expect(text, t->says);
}
END_TEST
/* Drags the mouse from the second element to the third. */
START_TEST(pictures_obey_a_drag) {
    ask("await set('race', {order: 'rising', barrier: false});");
    json_t *at = ask("const n = document.querySelectorAll('#explore-race .finger'); n[0].scrollIntoView({block: "
                     "'center', behavior: 'instant'}); return [1, 2].map((k) => { const r = "
                     "n[k].getBoundingClientRect(); return r.x + r.width / 2; }).concat(n[0].getBoundingClientRect().y "
                     "+ 10);");
    int x[3];
    for (unsigned k = 0; k < 3; k++) x[k] = (int)json_number_value(json_array_get(at, k));
    json_decref(
        driver_post(&driver, "actions",
                    json_pack("{s:[{s:s, s:s, s:[{s:s, s:i, s:i}, {s:s, s:i}, {s:s, s:i, s:i, s:i}, {s:s, s:i}]}]}",
                              "actions", "type", "pointer", "id", "mouse", "actions", "type", "pointerMove", "x", x[0],
                              "y", x[2], "type", "pointerDown", "button", 0, "type", "pointerMove", "x", x[1], "y",
                              x[2], "duration", 50, "type", "pointerUp", "button", 0)));
    expect("return (await done(find('race'))).said.slice(0, 28);", "Order: warp 2 runs ahead. Th");
    json_decref(at);
}
END_TEST
START_TEST(lecture_mode_shows_one_figure) {
    open_all("#lecture=banks");
    expect("await done(find('banks')); return shown.filter(({node}) => node.offsetParent).map(({row}) => "
           "row.name).join();",
           "banks");
    driver_key(&driver, KEY_RIGHT);
    expect("return (await done(find('banks'))).said.slice(0, 24);", "Lane t reads word 3·t. T");
    /* the picture is large, and completely visible */
    expect("const box = find('banks').node.getBoundingClientRect(); return String(box.width > innerWidth * 0.9 && "
           "box.bottom <= innerHeight);",
           "true");
    driver_key(&driver, KEY_ESCAPE);
    expect("await drawn(); return String(shown.filter(({node}) => node.offsetParent).length === shown.length);",
           "true");
}
END_TEST

/* ---- appearance ------------------------------------------------------------------------------- */
/* In print, static figures replace the interactive ones. If a figure has no static version, its picture is printed.
 * Controls are hidden. */
static void expect_printable(void) {
    json_decref(driver_tools(&driver, "Emulation.setEmulatedMedia", json_pack("{s:s}", "media", "print")));
    expect("const seen = (node) => node.getClientRects().length > 0, faults = []; for (const {node, row} of shown) { "
           "const figure = [...document.images].find((image) => image.src.endsWith(`/${row.figure}.svg`)); if "
           "(seen(node) === Boolean(figure) || (figure && !seen(figure)) || [...node.querySelectorAll('.try, "
           "a')].some(seen)) faults.push(row.name); } return faults.join();",
           "");
    json_decref(driver_tools(&driver, "Emulation.setEmulatedMedia", json_pack("{s:s}", "media", "")));
}
static void expect_sound(const char *where) {
    static const int widths[] = {390, 1280};
    for (unsigned k = 0; k < 2; k++) {
        driver_size(&driver, widths[k], 900);
        expect("return wide();", "");
    }
    expect("return nameless();", "");
    expect_printable();
    driver_media(&driver, "dark", "reduce");
    expect("return pale();", "");
    driver_media(&driver, "light", "reduce");
    expect("return pale();", "");
    expect_quiet_console(where);
}
START_TEST(explorables_look_sound) {
    ask("for (const {row} of shown) await set(row.name, {});");
    expect_sound("explorables");
}
END_TEST
/* An interactive figure uses only terms that have been taught before its first lab or in it. */
START_TEST(explorables_use_only_taught_terms) {
    json_t *all = ask("return shown.map(({row, node}) => [row.name, row.lab, node.textContent]);"), *one;
    size_t k;
    json_array_foreach(all, k, one) {
        const char *name = json_string_value(json_array_get(one, 0)), *lab = json_string_value(json_array_get(one, 1)),
                   *text = json_string_value(json_array_get(one, 2));
        for (const struct term *t = terms; t->word; t++)
            ck_assert_msg(t->lab <= terms_taught(lab) || !term_in(t, text), "%s, in %s: `%s`", name, lab, t->word);
    }
    ck_assert_uint_gt(k, 10);
    json_decref(all);
}
END_TEST
/* For some interactive figures, the first drawing is also the static figure. STILLS=write writes these drawings to
 * docs/figures. */
START_TEST(stills_are_drawn_at_first) {
    char path[200], *script, *text = read_file("grader/tests/web/still.js"), *css;
    snprintf(path, sizeof path, "%s/site.css", folder);
    css = read_file(path);
    json_t *literal = json_string(css);
    char *quoted = json_dumps(literal, JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
    ck_assert(quoted &&
              asprintf(&script,
                       "%s; return Promise.all(shown.filter(({row}) => row.figure === row.name).map(async (me) => { "
                       "await set(me.row.name, first(me.row)); return [me.row.name, still(me, %s)]; }));",
                       text, quoted) > 0);
    json_t *all = ask(script), *one;
    free(script), free(quoted), free(css), json_decref(literal);
    size_t k;
    ck_assert_uint_ge(json_array_size(all), 2);
    json_array_foreach(all, k, one) {
        const char *drawn = json_string_value(json_array_get(one, 1));
        snprintf(path, sizeof path, "docs/figures/%s.svg", json_string_value(json_array_get(one, 0)));
        if (getenv("STILLS")) write_file(path, drawn, strlen(drawn));
        char *there = read_file(path);
        ck_assert_msg(!strcmp(there, drawn), "%s differs from the drawing: run make stills", path);
        free(there);
    }
    json_decref(all), free(text);
}
END_TEST
/* The pages of SITE are well-formed, and all their links lead to existing pages. */
START_TEST(pages_are_sound) {
    const char *site = getenv("SITE");
    unsigned pages = 0;
    char path[400];
    DIR *d = opendir(site);
    ck_assert_msg(d != NULL, "%s does not exist", site);
    for (const struct dirent *e; (e = readdir(d));) {
        const char *dot = strrchr(e->d_name, '.');
        if (!dot || strcmp(dot, ".html") != 0) continue;
        snprintf(path, sizeof path, "%s/%s", site, e->d_name);
        open_page(path, "");
        expect_sound(e->d_name);
        json_t *links = ask("return [...document.querySelectorAll('a[href]')].map((a) => a.getAttribute('href').split("
                            "'#')[0]).filter((href) => href && !/^[a-z]+:/.test(href));"),
               *link;
        size_t k;
        json_array_foreach(links, k, link) {
            snprintf(path, sizeof path, "%s/%s", site, json_string_value(link));
            ck_assert_msg(!access(path, R_OK), "%s links to %s, which does not exist", e->d_name,
                          json_string_value(link));
        }
        json_decref(links), pages++;
    }
    closedir(d);
    ck_assert_uint_gt(pages, 20);
}
END_TEST

static void begin_session(void) {
    driver_start(&driver);
    /* with smooth scrolling (page.css), the page could move during a tap */
    driver_media(&driver, "light", "reduce");
    open_all("");
}
static void end_session(void) { driver_stop(&driver); }
int main(void) {
    char command[200];
    if (!driver_find(&driver)) {
        puts("SKIP check_site: chromedriver or chromium not found (Debian: chromium, chromium-driver)");
        return 0;
    }
    if (!mkdtemp(folder) || setenv("TMPDIR", folder, 1)) return 1; /* for the browser's temporary files, too */
    snprintf(command, sizeof command, "sh grader/site/site.sh parts %s", folder);
    if (system(command)) return 1;
    look = read_file("grader/tests/web/look.js");
    Suite *suite = suite_create("site");
    TCase *t = tcase_create("explorables");
    tcase_set_timeout(t, 600);
    tcase_add_unchecked_fixture(t, begin_session, end_session);
    add_rows(t, figure_texts_match_grade_run, SAYINGS, 2);
    tcase_add_test(t, explorables_use_only_taught_terms);
    tcase_add_test(t, stills_are_drawn_at_first);
    if (getenv("EVERY")) tcase_add_test(t, every_control_value_matches_grade_run);
    tcase_add_test(t, controls_obey_keys);
    add_rows(t, pictures_obey_fingers, sizeof touches / sizeof *touches, 2);
    tcase_add_test(t, pictures_obey_a_drag);
    tcase_add_test(t, explorables_look_sound);
    tcase_add_test(t, lecture_mode_shows_one_figure);
    if (getenv("SITE")) tcase_add_test(t, pages_are_sound);
    suite_add_tcase(suite, t);
    const int failed = suite_failures(suite);
    free(look);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) || failed > 0;
}
