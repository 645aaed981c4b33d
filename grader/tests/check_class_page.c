/* Tests the class page in a browser without WebDriver: chromium runs the page and then this test's script, and
 * prints the result. check_web tests how the page's elements look. Without chromium, the test is skipped with a
 * message. */
/* run: plain */
/* reads: grader/tests/golden */
#include "base/file.h"
#include "class/class.h"
#include "tests/rows.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

/* An action on the page, and the initials of the students that the page shows after it. The actions run one after
 * another. */
static const struct step {
    const char *act, *shown;
} steps[] = {
    {"", "-|=HY|Ada|evi|Joe"},
    {"sort('lab3')", "evi|=HY|Ada|-|Joe"},
    {"sort('lab3')", "Ada|=HY|evi|-|Joe"},
    {"sort('total')", "evi|Joe|=HY|Ada|-"},
    {"ask('LATE race')", "=HY"},
    {"ask('points off')", "=HY"},
    {"ask('no submission')", "evi|Joe|=HY|-"}, /* students who lack a submission for at least one lab */
    {"ask('nobody at all')", ""},
    {"ask('')", "evi|Joe|=HY|Ada|-"},
};
/* Assertions about the page, in JavaScript. */
static const char *const facts[] = {
    "document.querySelector('.sentence').textContent.startsWith('4 of 5 students submitted lab3, half of them have 50 "
    "points or more, 1 has full credit and 1 has fewer than the 50 points that are needed to pass; the most frequent "
    "causes of "
    "lost points are race <b>\"in\"</b> (1) and')",
    "document.querySelector('#lab3 .ends').textContent.startsWith('before lateness and overrides:1 full credit')",
    "document.querySelector('#lab4 .ends').textContent.startsWith('1 full credit')",
    "document.querySelector('#lab3 .people a').getAttribute('href') === 'reports/e1/lab3.html'",
    "document.querySelector('#students td a').getAttribute('href') === 'reports/e2/lab3.html'",
    "document.querySelector('.picture svg').getAttribute('aria-label') === '2 all points, 1 some, 0 none, 0 not "
    "judged'",
    "[...document.querySelectorAll('.picture rect')].every((r) => Number(r.getAttribute('width')) > 0)",
    "document.body.textContent.includes('4 submissions; final points: mean 47.5')",
    "document.querySelector('#similar').textContent.includes('In lab3, equal code is no evidence, because so many "
    "submissions differ only in names. There, copies are recognized by their names and comments: copies without "
    "comments are not listed, and copies with renamed variables may be missing. ')",
    "[...document.querySelectorAll('.students td > .muted')].every((s) => getComputedStyle(s).whiteSpace === 'normal')",
    "!document.querySelector('.lab').textContent.includes('GUARD')", /* the fix's internal key */
    /* If a student's name is known, the page abbreviates the mail address, also in the attention list. */
    "document.body.innerText.includes('ada@…') && "
    "document.querySelector('#look').textContent.includes('ada@… (Ada): as bob@… (Bob)')",
    "![...document.querySelectorAll('section')].some((s) => s.textContent.includes('example.org'))",
    /* on a phone, nothing is wider than the page; a long line of code scrolls */
    "document.documentElement.scrollWidth <= innerWidth",
    "[...document.querySelectorAll('.lab details')].every((d) => { d.open = true; return "
    "d.getBoundingClientRect().right "
    "<= innerWidth; })",
};
/* An edit whose line is wider than a phone. */
static const char long_edit[] =
    "{\"searched\": 2, \"mended\": 1, \"edits\": [{\"cause\": \"GUARD\", \"idea\": \"check the guard: which "
    "elements exist, and which of them does this line access?\", \"students\": 1, \"diff\": [\"-    if (threadIdx.x < "
    "stride && "
    "start "
    "+ threadIdx.x + stride < n) s[threadIdx.x] = combine(s[threadIdx.x], s[threadIdx.x + stride]);\"]}]}";
static bool has_chromium(void) { return !system("command -v chromium >/dev/null"); }
static void write_page(const char *path) {
    json_t *class = json_load_file("grader/tests/golden/class.json", 0, NULL);
    FILE *f = fopen(path, "w");
    ck_assert(f && class);
    json_t *lab = json_array_get(json_object_get(class, "labs"), 0);
    ck_assert(!json_object_set_new(lab, "fixes", json_loads(long_edit, 0, NULL)));
    ck_assert(!json_object_set_new(lab, "similar", json_pack("{s:[], s:b}", "pairs", "renamed", 0)));
    json_object_set_new(json_array_get(json_object_get(class, "students"), 0), "id", json_string("ada@example.org"));
    json_array_append_new(json_object_get(class, "attention"),
                          json_pack("{s:s, s:s, s:s, s:s, s:s}", "what", "missing", "lab", "lab3", "id",
                                    "ada@example.org", "name", "Ada", "text", "as bob@example.org (Bob)"));
    class_page(class, f);
    fputs("<script>(() => { const all = []; const sort = (t) => [...document.querySelectorAll('.sort')].find((b) => "
          "b.textContent === t).click(); const ask = (q) => { const i = document.querySelector('input'); i.value = q; "
          "i.dispatchEvent(new Event('input')); }; const shown = () => [...document.querySelectorAll('#students tbody "
          "th')].map((h) => h.textContent.replace(/[^\\w=-]/g, '').slice(0, 3)).join('|');\n",
          f);
    for (unsigned k = 0; k < ROWS(steps); k++) fprintf(f, "%s; all.push(shown());\n", steps[k].act);
    for (unsigned k = 0; k < ROWS(facts); k++) fprintf(f, "all.push(String(%s));\n", facts[k]);
    fputs("const p = document.createElement('pre'); p.textContent = 'BEGIN' + all.map((a) => '\\n=' + a).join('') + "
          "'\\nEND'; document.body.append(p); })();</script>\n",
          f);
    ck_assert(!fclose(f));
    json_decref(class);
}
START_TEST(class_page_responds_to_queries) {
    char folder[] = "/tmp/check-page-XXXXXX", path[100], command[400];
    if (!has_chromium()) {
        puts("SKIP check_class_page: no chromium: apt-get install chromium");
        return;
    }
    ck_assert(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/class.html", folder);
    write_page(path);
    snprintf(command, sizeof command,
             "timeout 60 chromium --headless=old --window-size=390,844 --no-sandbox --disable-gpu "
             "--user-data-dir=%s/profile --enable-logging=stderr "
             "--dump-dom file://%s >%s/dom 2>%s/said",
             folder, path, folder, folder);
    ck_assert_int_eq(system(command), 0);
    size_t length;
    snprintf(path, sizeof path, "%s/said", folder);
    char *said = file_read(path, FILE_CUT, 1 << 20, &length);
    ck_assert_msg(!strstr(said, "CONSOLE"), "%.600s", strstr(said, "CONSOLE"));
    snprintf(path, sizeof path, "%s/dom", folder);
    char *dom = file_read(path, FILE_CUT, 1 << 22, &length), *at = strstr(dom, "<pre>BEGIN\n"), *save = NULL;
    ck_assert_msg(at, "the script of the page did not finish");
    char *line = strtok_r(at, "\n", &save);
    for (unsigned k = 0; k < ROWS(steps) + ROWS(facts); k++) {
        line = strtok_r(NULL, "\n", &save);
        ck_assert(line);
        const char *const now = line + 1; /* each line begins with a mark, so that strtok() does not skip empty lines */
        if (k < ROWS(steps))
            ck_assert_msg(!strcmp(now, steps[k].shown), "%s: %s, not %s", steps[k].act, now, steps[k].shown);
        else
            ck_assert_msg(!strcmp(now, "true"), "%s", facts[k - ROWS(steps)]);
    }
    free(said), free(dom);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

int main(void) {
    setenv("CK_DEFAULT_TIMEOUT", "90", 0); /* starting a browser takes long */
    const struct test_row tests[] = {{"page", class_page_responds_to_queries, 1}};
    return run_rows("class page", tests, ROWS(tests));
}
