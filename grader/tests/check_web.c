/* Tests the report's page in a real headless browser: Debian's chromium with chromium-driver. If they are not
 * installed, the tests are skipped with a message. For real grades, compares what the browser shows with the record. */
/* run: plain, 26 s */
/* reads: grade labs solutions grader/tests/golden grader/tests/web */
#include "base/file.h"
#include "record/terms.h"
#include "tests/effort.h"
#include "tests/files.h"
#include "tests/replays.h"
#include "tests/suite.h"
#include "class/class.h"
#include "sandbox/process.h"
#include "report/sink.h"
#include "webdriver.h"
#include <check.h>
#include <sys/stat.h>

static struct driver driver;
static char folder[] = "/tmp/check-web-XXXXXX";
static char *look; /* web/look.js */

/* ---- pages ---------------------------------------------------------------------------------- */
static const struct page {
    /* words: the command line. If it is NULL, the record is golden/NAME.json, except that "all" is an array of the
     * records of the labs above it. */
    const char *name, *words;
} pages[] = {{"lab1", "lab1 --solution"},
             {"lab6", "lab6 --solution"},
             {"race", "lab3 --submission FOLDER/race.cu"},
             {"skeleton", "lab1"},
             {"all", NULL},
             {"build", NULL},
             {"setup", NULL},
             {"hostile", NULL}, /* the record of "race" with malicious strings */
             {"full", NULL},    /* a record with times on a GPU */
             {"class", NULL},   /* the page of a class */
             {"lab0", "lab0 --submission FOLDER/unordered.cu"},
             {"lab0-right", "lab0 --solution"},
             {"lab10", "lab10 --solution"}};
/* Pages before RIGHT show correct kernels. */
enum {
    PAGES = sizeof pages / sizeof *pages,
    RIGHT = 2,
    LAB1 = 0,
    LAB6,
    RACE,
    SKELETON,
    ALL,
    HOSTILE = 7,
    FULL,
    CLASS,
    LAB0,
    LAB10 = PAGES - 1,
    PARTS = 3 /* `make test` tests one of PARTS pages */
};
static bool is_needed(int page) {
    return page == LAB1 || in_turn((unsigned)page, PARTS) || (page < SKELETON && in_turn(ALL, PARTS)) ||
           (page == RACE && in_turn(HOSTILE, PARTS));
}

static const char hostile[] = "</script><!-- <img src=x onerror=\"window.harmed=1\"><script>window.harmed=1</script> "
                              "]]> \xe2\x80\xa8 \xe2\x80\xae &amp; "
                              "'\" ${window.harmed=1} \\";
/* Replaces every string, including the keys of `source`, with a malicious string. Keeps names that the page itself
 * uses. */
static json_t *poisoned(const json_t *value, const char *key) {
    static const char *const kept[] = {"schema", "status", "end", "kind", "space", "id", "seed"};
    const char *name;
    size_t k;
    json_t *item, *out;
    for (k = 0; json_is_string(value) && k < sizeof kept / sizeof *kept; k++)
        if (!strcmp(key, kept[k])) return json_deep_copy(value);
    if (json_is_string(value)) return json_string(hostile);
    if (json_is_array(value)) {
        out = json_array();
        json_array_foreach(value, k, item) json_array_append_new(out, poisoned(item, key));
        return out;
    }
    if (!json_is_object(value)) return json_deep_copy(value);
    out = json_object();
    json_object_foreach((json_t *)value, name, item)
        json_object_set_new(out, strcmp(key, "source") ? name : hostile, poisoned(item, name));
    return out;
}
static json_t *record_of(const struct page *p) {
    char path[200];
    if (p == &pages[HOSTILE]) {
        json_t *record = record_of(&pages[RACE]), *bad = poisoned(record, "");
        json_decref(record);
        return bad;
    }
    if (p == &pages[ALL]) {
        json_t *records = json_array();
        for (unsigned k = 0; k < ALL; k++)
            if (k != SKELETON) json_array_append_new(records, record_of(&pages[k])); /* lab1's page exists */
        return records;
    }
    if (p->words)
        snprintf(path, sizeof path, "%s/%s.json", folder, p->name);
    else
        snprintf(path, sizeof path, "grader/tests/golden/%s.json", p->name);
    json_t *record = json_load_file(path, 0, NULL);
    ck_assert_msg(record != NULL, "%s: no record", path);
    if (p == &pages[FULL])
        json_object_set_new(record, "course", json_pack("{s:s}", "points", "70 points count instead of 100"));
    return record;
}
static bool write_page(const json_t *record, const char *name) {
    char path[200];
    snprintf(path, sizeof path, "%s/%s.html", folder, name);
    FILE *f = fopen(path, "w");
    if (f && !strcmp(name, "class")) return class_page(record, f), !fclose(f);
    return f && sink_write(sink_find("html"), record, f, &(struct sink_options){0}) && !fclose(f);
}
/* Writes a solution, in which `to` replaces `from`, to FOLDER/NAME. */
static bool write_broken(const char *solution, const char *from, const char *to, const char *name) {
    char path[300];
    snprintf(path, sizeof path, "solutions/%s/reduce.cu", solution);
    char *text = read_file(path), *at = strstr(text, from);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    const bool ok =
        at && f && fprintf(f, "#define SOLUTION\n%.*s%s%s", (int)(at - text), text, to, at + strlen(from)) > 0;
    free(text);
    return (!f || !fclose(f)) && ok;
}
static bool grade_page(const struct page *p) {
    char command[1024], *slot;
    const char *argv[32] = {getenv("GRADE") ? getenv("GRADE") : "./grade"};
    const int n = snprintf(command, sizeof command, "%s --seed 7 --html %s/%s.html --json %s/%s.json", p->words, folder,
                           p->name, folder, p->name);
    /* the buffer has room for the folder's name, which is longer than FOLDER */
    while ((slot = strstr(command, "FOLDER"))) {
        char rest[1024];
        snprintf(rest, sizeof rest, "%s", slot + 6);
        snprintf(slot, sizeof command - (size_t)(slot - command), "%s%s", folder, rest);
    }
    unsigned words = 1;
    for (char *save = NULL, *w = strtok_r(command, " ", &save); n > 0 && w && words < 31;
         w = strtok_r(NULL, " ", &save))
        argv[words++] = w;
    const struct process_limits limits = {.wall_seconds = 300, .output_bytes = 1 << 20};
    struct process_result r = process_run(argv, &limits);
    const bool ok = r.end == PROCESS_EXITED && r.status <= 1;
    if (!ok) fprintf(stderr, "grade %s: %.600s\n", p->words, r.output ? r.output : "");
    free(r.output);
    return ok;
}
static bool write_pages(void) {
    bool ok =
        write_broken("lab3_shared_block", "s[t + stride]);\n        __syncthreads();", "s[t + stride]);", "race.cu");
    ok = ok && write_broken("lab0_one_thread", "        __syncthreads(); // ", "        // ", "unordered.cu");
    for (int k = 0; ok && k < PAGES; k++) {
        if (!is_needed(k)) continue;
        json_t *record = pages[k].words ? NULL : record_of(&pages[k]);
        ok = pages[k].words ? grade_page(&pages[k]) : write_page(record, pages[k].name);
        json_decref(record);
    }
    return ok;
}

/* ---- queries to the browser ----------------------------------------------------------------- */
static json_t *ask(const char *script) {
    char *all = NULL;
    ck_assert(asprintf(&all, "%s\n%s", look, script) > 0);
    json_t *value = driver_script(&driver, all);
    free(all);
    return value;
}
static void expect_none(const char *script, const char *where) {
    json_t *value = ask(script);
    ck_assert_msg(json_is_string(value) && !*json_string_value(value), "%s, %s: %s", where, script,
                  json_string_value(value));
    json_decref(value);
}
static void expect_text(const char *script, const char *text) {
    json_t *value = ask(script);
    ck_assert_msg(json_is_string(value) && !strcmp(json_string_value(value), text), "%s: `%s`, not `%s`", script,
                  json_is_string(value) ? json_string_value(value) : "no text", text);
    json_decref(value);
}
static void expect_true(const char *script) {
    json_t *value = ask(script);
    ck_assert_msg(json_is_true(value), "not so: %s", script);
    json_decref(value);
}
static void expect_quiet_console(const char *where) {
    json_t *lines = driver_console(&driver);
    ck_assert_msg(json_array_size(lines) == 0, "%s: the console says: %s", where,
                  json_string_value(json_object_get(json_array_get(lines, 0), "message")));
    json_decref(lines);
}
enum { NARROW = 360, WIDE = 1920 };
static void set_width(int width) { driver_size(&driver, width, 900); }
static void address_of(const char *name, char *out, size_t size) {
    snprintf(out, size, "file://%s/%s.html", folder, name);
}
/* Loads a page afresh. The address has no fragment, because to show a fragment of the current page, the browser may
 * only scroll. */
static void open_anew(const char *name) {
    char address[200];
    address_of(name, address, sizeof address);
    driver_open(&driver, address);
}
/* Opens a page if it is not open. Loading takes a third of a second. Tests of the same page therefore follow each
 * other in the suite, and each first resets the state that it depends on. */
static void open_page(const char *name) {
    char address[200];
    address_of(name, address, sizeof address);
    json_t *shown = driver_script(&driver, "return location.href.split('#')[0];");
    if (!json_is_string(shown) || strcmp(json_string_value(shown), address) != 0) open_anew(name);
    json_decref(shown);
}
static void press(const char *key) { driver_key(&driver, key); }
#define KEY_TAB "\xee\x80\x84"
#define KEY_ENTER "\xee\x80\x87"
#define KEY_END "\xee\x80\x90"
#define KEY_HOME "\xee\x80\x91"
#define KEY_LEFT "\xee\x80\x92"
#define KEY_RIGHT "\xee\x80\x94"

/* ---- every page ----------------------------------------------------------------------------- */
static void expect_good_looks(const char *name) {
    expect_none("return nameless();", name);
    driver_media(&driver, "light", "reduce");
    expect_none("return pale();", name);
    driver_media(&driver, "dark", "reduce");
    expect_none("return pale();", name);
}
START_TEST(page_is_sound) {
    const struct page *p = &pages[_i];
    char path[200];
    struct stat s;
    snprintf(path, sizeof path, "%s/%s.html", folder, p->name);
    ck_assert_msg(!stat(path, &s) && s.st_size < 1 << 20, "%s: %lld bytes", path, (long long)s.st_size);
    /* the last width of the previous page comes first, so that the window need not change */
    const int widths[] = {_i % 2 ? WIDE : NARROW, _i % 2 ? NARROW : WIDE};
    set_width(widths[0]);
    open_page(p->name);
    for (unsigned k = 0; k < 2; k++) {
        set_width(widths[k]);
        expect_none("return wide();", p->name);
        if (widths[k] == WIDE) expect_good_looks(p->name);
    }
    expect_quiet_console(p->name);
}
END_TEST

/* The page of golden/class.json must equal golden/class.html, element by element. UPDATE_GOLDEN=1 rewrites the file. */
START_TEST(class_page_matches_golden_file) {
    static const char path[] = "grader/tests/golden/class.html";
    open_anew("class");
    if (getenv("UPDATE_GOLDEN")) {
        json_t *drawn = ask("return bodyParts();");
        FILE *f = fopen(path, "w");
        ck_assert(f && json_is_string(drawn) && fputs(json_string_value(drawn), f) >= 0 && !fclose(f));
        json_decref(drawn);
    }
    char *golden = read_file(path), *script = NULL;
    json_t *text = json_string(golden);
    char *literal = json_dumps(text, JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
    ck_assert(literal && asprintf(&script, "return unlike(%s);", literal) > 0);
    json_t *fault = ask(script);
    ck_assert_msg(json_is_string(fault) && !*json_string_value(fault), "%.600s", json_string_value(fault));
    json_decref(fault);
    expect_true("return document.title === 'Course <b>& \"title\"';");
    free(golden), free(script), free(literal), json_decref(text);
}
END_TEST

/* The page demonstrates a race by two runs. It shows the result and the command of each. */
START_TEST(page_demonstrates_races_by_two_runs) {
    open_page("race");
    expect_true("const f = document.querySelector('.finding'), said = f.querySelector('.witness').textContent; return "
                "said.startsWith('Shown: ') && said.includes(', as expected; ') && "
                "f.querySelectorAll('.command').length === 2;");
    expect_true("return [...document.querySelectorAll('.finding .command span')].every((w) => "
                "w.getClientRects().length === 1 || w.offsetWidth === w.parentNode.offsetWidth);");
}
END_TEST

/* predictions.txt asks about launches of certain sizes. The page offers to run them only if it shows their counts. */
START_TEST(counts_of_asked_sizes_are_hidden) {
    static const char offers[] = "return [...document.querySelectorAll('.part-try option')].some((o) => "
                                 "o.value === '128');";
    open_page("race"); /* a submission without predictions.txt */
    json_t *race = ask(offers);
    open_page("lab1");
    json_t *right = ask(offers);
    ck_assert(json_is_false(race) && json_is_true(right));
    json_decref(race), json_decref(right);
}
END_TEST

START_TEST(print_has_a_style) {
    open_page("race");
    json_decref(driver_tools(&driver, "Emulation.setEmulatedMedia", json_pack("{s:s}", "media", "print")));
    expect_text("return getComputedStyle(document.getElementById('top')).display;", "none");
    json_decref(driver_tools(&driver, "Emulation.setEmulatedMedia", json_pack("{s:s}", "media", "")));
    driver_media(&driver, "light", "reduce");
}
END_TEST

/* A page uses only terms that its lab has taught. Its player uses only colors that the legend explains. */
START_TEST(page_uses_only_taught_terms) {
    const struct page *p = &pages[_i];
    json_t *record = record_of(p), *shown;
    const unsigned taught = terms_taught(text_of(json_object_get(record, "lab"), "id"));
    open_page(p->name);
    shown = ask("return allTexts();");
    ck_assert_msg(json_string_length(shown) > 2000, "%s: no texts", p->name);
    char *text = strdup(json_string_value(shown));
    blank_schedules(text);
    for (const struct term *t = terms; t->word; t++) {
        const char *at = term_in(t, text);
        ck_assert_msg(t->lab <= taught || !at || term_in(t, text_of(record, "text")), "%s: `%s`: %.100s", p->name,
                      t->word, at);
    }
    expect_none("return undescribed();", p->name);
    free(text), json_decref(shown), json_decref(record);
}
END_TEST

#include "played_page.h"

/* ---- the lane map --------------------------------------------------------------------------- */
static json_t *student(json_t *record) {
    size_t k;
    json_t *t;
    json_array_foreach(json_object_get(record, "tests"), k,
                       t) if (json_object_get(t, "student")) return json_object_get(t, "student");
    return NULL;
}
static long long integer_of(const json_t *o, const char *key) { return json_integer_value(json_object_get(o, key)); }
/* In each step, the map must show as many active lanes as the record counts. A divergent step must have divergent
 * lanes. */
START_TEST(map_shows_the_counts) {
    const struct page *p = &pages[_i];
    json_t *record = record_of(p), *counted = json_object_get(student(record), "steps"), *step;
    size_t k;
    ck_assert_msg(json_array_size(counted) > 2, "%s: no steps counted", p->name);
    open_page(p->name);
    json_t *shown = ask("return shownMap();");
    ck_assert_msg(json_array_size(shown) == json_array_size(counted), "%s: %zu columns for %zu steps", p->name,
                  json_array_size(shown), json_array_size(counted));
    json_array_foreach(counted, k, step) {
        const json_t *looks = json_array_get(shown, k);
        const long long busy = integer_of(looks, "busy"), split = integer_of(looks, "split");
        ck_assert_msg(busy + split == integer_of(step, "active_lanes"),
                      "%s, step %zu: %lld + %lld lanes drawn, %lld counted", p->name, k, busy, split,
                      integer_of(step, "active_lanes"));
        const long long all = busy + split + integer_of(looks, "held") + integer_of(looks, "idle");
        ck_assert_int_eq(all, integer_of(student(record), "block"));
        ck_assert_msg(json_is_true(json_object_get(step, "divergent")) == (split + integer_of(looks, "held") > 0),
                      "%s, step %zu: the drawing and the count disagree about divergence", p->name, k);
    }
    json_decref(shown), json_decref(record);
}
END_TEST
START_TEST(map_describes_a_step) {
    open_page("lab1");
    ask("document.querySelector('.map input').focus();");
    press(KEY_HOME);
    expect_text("return document.querySelector('.enlarged h3').textContent.split(':')[0];", "Step 0");
    press(KEY_RIGHT);
    expect_text("return document.querySelector('.enlarged h3').textContent.split(':')[0];", "Step 1");
    expect_true("return document.querySelector('.enlarged svg').innerHTML.split('M').length === 1025;");
    expect_true("return document.querySelectorAll('.times svg.bars').length === 1;"); /* modeled time */
}
END_TEST

/* ---- findings, source, memory --------------------------------------------------------------- */
START_TEST(finding_leads_to_its_line) {
    char script[300];
    json_t *record = record_of(&pages[RACE]), *finding = NULL, *t;
    size_t k;
    json_array_foreach(json_object_get(record, "tests"), k, t) if (!finding) finding =
        json_array_get(json_object_get(t, "findings"), 0);
    const long long line = integer_of(json_object_get(finding, "at"), "line");
    ck_assert(line > 0);
    open_page("race");
    expect_true("return document.querySelector('.finding .race svg').getAttribute('aria-label').includes('writes');");
    ask("document.querySelector('.finding a.quote').click();");
    snprintf(script, sizeof script, "return location.hash === '#lab3-line-%lld';", line);
    expect_true(script);
    snprintf(
        script, sizeof script,
        "const r = document.getElementById('lab3-line-%lld').getBoundingClientRect(); return r.top >= 0 && r.bottom <= "
        "innerHeight;",
        line);
    expect_true(script);
    snprintf(
        script, sizeof script,
        "const row = document.getElementById('lab3-line-%lld'); return row.querySelector('.code').textContent.trim() "
        "=== document.querySelector('.finding a.quote').lastChild.data && "
        "!!document.querySelector(row.nextSibling.querySelector('a').hash);",
        line);
    expect_true(script);
    json_decref(record);
}
END_TEST
/* Each source line must show its counts in the record. */
START_TEST(source_shows_the_counts) {
    char script[300];
    json_t *record = record_of(&pages[LAB1]), *line, *lines = json_object_get(student(record), "lines");
    size_t k;
    ck_assert(json_array_size(lines) > 3);
    open_page("lab1");
    json_array_foreach(lines, k, line) {
        snprintf(
            script, sizeof script,
            "return document.querySelector('#lab1-line-%lld td.number').textContent.replace(/\\D/g, '') === '%lld';",
            integer_of(line, "line"), integer_of(line, "warp_instructions"));
        expect_true(script);
    }
    json_decref(record);
}
END_TEST
START_TEST(both_times_are_shown) {
    open_page("full");
    expect_true("return document.querySelectorAll('.times svg.bars').length === 2;");
    expect_true(
        "return document.getElementById('main').textContent.replace(/\\u202f/g, '').includes('Measured on NVIDIA "
        "H200: 268435456 elements, 1024 threads per block, 4558 GB/s: 1.00 times the reference');");
}
END_TEST
/* If the gradebook changed the points, the page shows the changed points first. */
START_TEST(final_points_are_shown) {
    open_page("full");
    expect_text("return document.querySelector('.verdict').textContent;", "70 points count instead of 100");
}
END_TEST
/* Each access that the reader can select must be drawn: in global memory with all of its sectors, in shared memory
 * without sectors. */
START_TEST(memory_draws_each_access) {
    const struct page *p = &pages[_i];
    json_t *record = record_of(p), *accesses = json_object_get(json_object_get(record, "pictures"), "accesses"),
           *access, *wanted = json_array();
    char *list, *script;
    size_t k;
    ck_assert(json_array_size(accesses) > 1);
    open_page(p->name);
    json_array_foreach(accesses, k, access) json_array_append_new(
        wanted, json_integer(strcmp(text_of(access, "space"), "shared") ? integer_of(access, "sectors") : 0));
    if (_i == LAB1) json_array_clear(wanted); /* lab 1 has not taught sectors, so its page draws none */
    list = json_dumps(wanted, JSON_COMPACT);
    ck_assert(asprintf(&script,
                       "const choices = document.querySelectorAll('.choice'), list = %s; return !list.length && "
                       "choices.length ? 'it draws memory' : list.map((wanted, k) => { choices[k].click(); "
                       "const got = document.querySelectorAll('.shown .sector').length, chosen = "
                       "document.querySelectorAll('.choice[aria-pressed=true]'); return got === wanted && "
                       "chosen.length === 1 && chosen[0] === choices[k] ? '' : `access ${k}: ${got} sectors, ${wanted} "
                       "counted; `; }).join('');",
                       list) > 0);
    expect_none(script, p->name);
    expect_quiet_console(p->name);
    json_decref(wanted), json_decref(record), free(list), free(script);
}
END_TEST

/* ---- multiple labs --------------------------------------------------------------------------- */
START_TEST(all_labs_in_one_page) {
    char script[300];
    json_t *records = record_of(&pages[ALL]), *record;
    size_t k;
    set_width(NARROW);
    open_page("all");
    expect_text("return document.querySelector('h1').textContent;", "All labs");
    json_array_foreach(records, k, record) {
        const char *id = text_of(json_object_get(record, "lab"), "id");
        snprintf(
            script, sizeof script,
            "document.querySelector('#labs a[href=\"#%s\"]').click(); return new Promise((done) => setTimeout(() => "
            "done(document.querySelector('h1').textContent.startsWith('%s ') && "
            "!!document.getElementById('%s-source')), "
            "30));",
            id, id, id);
        expect_true(script);
        expect_none("return wide();", id);
    }
    expect_quiet_console("all");
    json_decref(records);
}
END_TEST
START_TEST(keyboard_skips_to_the_report) {
    open_anew("skeleton");
    press(KEY_TAB);
    expect_text("return document.activeElement.className;", "skip");
    press(KEY_ENTER);
    expect_text("return document.activeElement.id;", "main");
}
END_TEST

/* ---- malicious text ------------------------------------------------------------------------- */
START_TEST(hostile_text_stays_text) {
    open_page("hostile");
    expect_true(
        "return window.harmed === undefined && document.images.length === 0 && document.scripts.length === 3 && "
        "!document.querySelector('[onerror]');");
    expect_true("return document.body.textContent.split('<img src=x onerror=\"window.harmed=1\">').length > 20;");
    expect_true("return !/[\\u202a-\\u202e]/.test(document.querySelector('main').textContent);");
    expect_quiet_console("hostile text");
}
END_TEST

#include "live_page.h"

static void begin_session(void) {
    ck_assert(write_pages());
    driver_start(&driver);
}
static void end(void) { driver_stop(&driver); }
static Suite *suite(void) {
    const struct {
        int page;
        const TTest *test;
    } of_pages[] = {{LAB1, map_describes_a_step},
                    {CLASS, class_page_matches_golden_file},
                    {RACE, print_has_a_style},
                    {RACE, page_demonstrates_races_by_two_runs},
                    {RACE, counts_of_asked_sizes_are_hidden},
                    {RACE, finding_leads_to_its_line},
                    {LAB1, source_shows_the_counts},
                    {RACE, player_obeys_buttons_and_keys},
                    {RACE, player_moves_values},
                    {SKELETON, keyboard_skips_to_the_report},
                    {ALL, all_labs_in_one_page},
                    {HOSTILE, hostile_text_stays_text},
                    {FULL, both_times_are_shown},
                    {FULL, final_points_are_shown},
                    {FULL, live_page_keeps_its_place}};

    Suite *s = suite_create("web");
    TCase *t = tcase_create("page");
    tcase_set_timeout(t, 300);
    tcase_add_unchecked_fixture(t, begin_session, end);
    for (int page = 0; page < PAGES; page++) {
        if (!in_turn((unsigned)page, PARTS)) continue;
        tcase_add_loop_test(t, page_is_sound, page, page + 1);
        if (page <= RACE || page == LAB10) tcase_add_loop_test(t, player_plays_to_the_result, page, page + 1);
        if (page == LAB1 || (page >= LAB0 && page != LAB10))
            tcase_add_loop_test(t, page_uses_only_taught_terms, page, page + 1);
        if (page < RIGHT) {
            tcase_add_loop_test(t, map_shows_the_counts, page, page + 1);
            tcase_add_loop_test(t, memory_draws_each_access, page, page + 1);
        }
        for (unsigned k = 0; k < sizeof of_pages / sizeof *of_pages; k++)
            if (of_pages[k].page == page) tcase_add_test(t, of_pages[k].test);
    }
    suite_add_tcase(s, t);
    return s;
}
int main(void) {
    if (!driver_find(&driver)) {
        puts("SKIP check_web: chromedriver or chromium not found (Debian: chromium, chromium-driver)");
        return 0;
    }
    if (!mkdtemp(folder) || setenv("TMPDIR", folder, 1)) return 1; /* for the browser's temporary files, too */
    look = read_file("grader/tests/web/look.js");
    const int failed = suite_failures(suite());
    free(look);
    file_remove_folder(folder);
    return failed > 0;
}
