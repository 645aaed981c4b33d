/* Tests "Change the launch" on the report's page in a real browser. The page must show the same results as the
 * native simulator, which check_live compares with `./grade run`. The page must stop a launch that does not end. In
 * a browser without WebAssembly, it must still show everything else. */
/* run: plain, 43 s */
/* reads: grader/live grader/tests/styles solutions labs common */
#include "live/live.h"
#include "judge/job.h"
#include "report/sink.h"
#include "tests/effort.h"
#include "tests/mistakes.h"
#include "tests/quick.h"
#include "tests/suite.h"
#include "webdriver.h"
#include <check.h>

/* `make test` tests every 120th mistake, in a fifth of the labs per commit; EVERY=1 tests all mistakes. LAB=lab3
 * selects the mistakes of a lab. */
enum { SAMPLE = 120, MAX_JOBS = 400 };
static unsigned every = SAMPLE;
static struct driver driver;
static char folder[] = "/tmp/check-try-XXXXXX";
static const struct compiler *compiler;

/* ---- pages ---------------------------------------------------------------------------------- */
/* A kernel that a page offers to run. The page of a lab in this test offers the kernels of the solution and of
 * mistakes. */
struct offer {
    const struct lab_kernel *kernel;
    struct variant variant;
    char *symbol;
};
struct page {
    const struct lab *lab;
    struct broken_unit unit;
    struct offer offer[MAX_JOBS];
    unsigned offers;
};
static struct grade_case case_of(const struct offer *o, uint32_t n, uint32_t block, uint32_t grid,
                                 const char *schedule) {
    struct grade_case c = {.kernel = o->kernel,
                           .variant = o->variant,
                           .n = o->kernel->finish == FINISH_LEVELS && !n ? 1 : n,
                           .block = o->kernel->only_block ? o->kernel->only_block : block,
                           .grid = o->kernel->grid_stride ? grid : 0,
                           .seed = 7};
    sim_schedule_parse(&c.schedule, schedule);
    return c;
}
static char *job_of(const struct page *p, const struct offer *o, const struct grade_case *c) {
    char *job = job_print(p->lab->id, c, o->symbol, p->unit.part[0].text.ptx[0]);
    ck_assert(job != NULL);
    return job;
}
static void offer_all(struct page *p, const char *space) {
    struct program program = broken_program(&p->unit, space);
    for (unsigned k = 0; k < p->lab->kernel_count; k++)
        for (unsigned v = 0; v < VARIANT_COUNT; v++) {
            const char *symbol = program.symbol[k * VARIANT_COUNT + v];
            const struct lab_kernel *kernel = &p->lab->kernels[k];
            if (!symbol || kernel->finish == FINISH_ARRAYS || !case_kernel_takes(p->lab, kernel, variant_at(v)))
                continue;
            ck_assert(p->offers < MAX_JOBS);
            p->offer[p->offers++] = (struct offer){kernel, variant_at(v), strdup(symbol)};
        }
    broken_free_symbols(&p->unit, &program);
}
static void write_page(const struct page *p, const char *name) {
    char path[100];
    json_t *jobs = json_array();
    for (unsigned k = 0; k < p->offers; k++) {
        const struct grade_case c = case_of(&p->offer[k], 64, 32, 2, "");
        char *job = job_of(p, &p->offer[k], &c);
        json_array_append_new(jobs, json_string(job));
        free(job);
    }
    json_t *record = json_pack("{s:{s:s, s:s, s:s}, s:i, s:i, s:s, s:[], s:{s:o}}", "lab", "id", p->lab->id, "name",
                               p->lab->name, "title", p->lab->title, "score", 0, "max_score", 100, "end", "partial",
                               "tests", "pictures", "live", jobs);
    snprintf(path, sizeof path, "%s/%s.html", folder, name);
    FILE *f = fopen(path, "w");
    ck_assert(f && sink_write(sink_find("html"), record, f, &(struct sink_options){0}) && !fclose(f));
    json_decref(record);
}
static void open_page(const char *name) {
    char address[200];
    snprintf(address, sizeof address, "file://%s/%s.html", folder, name);
    driver_open(&driver, address);
}
static void free_page(struct page *p) {
    for (unsigned k = 0; k < p->offers; k++) free(p->offer[k].symbol);
    broken_free(&p->unit);
    free(p);
}
/* Makes the page of a lab's solution and mistakes. If `from` is not NULL, makes the page of the solution, in which
 * `to` replaces `from`. */
static struct page *new_page(const struct lab *lab, const char *from, const char *to) {
    char *solution = broken_solution(lab), why[2000];
    struct broken_text texts[MISTAKES + 1] = {{"m", from ? broken_replaced(solution, from, to, true) : solution}};
    struct page *p = calloc(1, sizeof *p);
    unsigned count = 1;
    ck_assert(p && texts[0].source);
    p->lab = lab;
    for (unsigned k = 0; !from && k < MISTAKES; k++) {
        if (!broken_is_taken(k, every, mistakes[k].lab, mistakes[k].name) || strcmp(mistakes[k].lab, lab->id)) continue;
        snprintf(texts[count].space, sizeof texts[count].space, "m%u", k);
        texts[count++].source = text_of(&mistakes[k], solution);
    }
    ck_assert_msg(broken_load(&p->unit, lab, LIVE_VARIANTS, compiler, texts, count, why, sizeof why), "%s", why);
    for (unsigned k = 0; k < count; k++) {
        offer_all(p, texts[k].space);
        if (texts[k].source != solution) free(texts[k].source);
    }
    free(solution);
    return p;
}

/* ---- the page's output ----------------------------------------------------------------------- */
/* A script that fills in the form, waits for the launch to end, and returns the result. */
static const char steps[] =
    "const form = document.querySelector('form.try'), outcome = document.querySelector('.outcome-of-try');"
    "form.scrollIntoView();"
    "const done = () => new Promise((tell) => { const look = () => outcome.textContent && "
    "!outcome.hasAttribute('aria-busy') ? tell() : setTimeout(look, 2); look(); });"
    "const set = async (values) => { await done(); const all = [...form.querySelectorAll('label')]; let last = null;"
    "  for (const [name, value] of Object.entries(values)) { last = all.find((l) => l.firstChild.data === "
    "name).lastChild;"
    "    last.value = value; if (name !== 'Order of execution') last.dispatchEvent(new Event('input', {bubbles: "
    "true})); }"
    "  last.dispatchEvent(new Event('input', {bubbles: true})); await done(); };"
    "const plain = (text) => text.replace(/\\u202f/g, '');"
    "const said = () => ({text: plain(outcome.textContent), figures: Object.fromEntries([...outcome.querySelectorAll("
    "'tbody tr')].map((row) => [...row.children].slice(0, 2).map((cell) => plain(cell.textContent))))});";
static json_t *ask(const char *script) {
    char *all = NULL;
    ck_assert(asprintf(&all, "%s %s", steps, script) > 0);
    json_t *value = driver_script(&driver, all);
    free(all);
    return value;
}
static json_t *set_and_ask(unsigned kernel, const struct grade_case *c, uint32_t grid, const char *schedule) {
    char script[400];
    snprintf(script, sizeof script,
             "await set({'Kernel': '%u', 'Elements (n)': %u, 'Threads per block': '%u', 'Blocks': %u, 'Values': '%s', "
             "'Order of execution': '%s'}); return said();",
             kernel, c->n, c->block, grid, c->data == DATA_ROUNDED ? "/rounded" : "", schedule);
    return ask(script);
}
static void expect_text(const char *shown, const char *wanted, const char *where) {
    ck_assert_msg(strstr(shown, wanted), "%s: the page does not say `%s` but: %.1500s", where, wanted, shown);
}
/* Asserts that the page shows the same result, findings, modeled time and figures as `answer`, which live_run()
 * returned. */
static void expect_answer(const json_t *shown, const char *answer, const char *where) {
    static const struct {
        const char *key, *label;
    } figures[] = {{"barriers", "Barriers"},
                   {"global_sectors", "Sectors of global memory"},
                   {"tree_steps", "Tree steps"},
                   {"divergent_tree_steps", "Of which diverge"},
                   {"shared_wavefronts", "Shared-memory wavefronts"}};
    json_t *all = json_loads(answer, 0, NULL), *f;
    const char *text = json_string_value(json_object_get(shown, "text"));
    char wanted[600];
    size_t k;
    ck_assert_msg(text && json_object_get(all, "end"), "%s: the simulator says %.400s", where, answer);
    expect_text(text, json_string_value(json_object_get(all, "end")), where);
    const char *result = json_string_value(json_object_get(all, "result"));
    snprintf(wanted, sizeof wanted, " Result %s, expected %s.", result,
             json_string_value(json_object_get(all, "expected")));
    if (*result) expect_text(text, wanted, where);
    json_array_foreach(json_object_get(all, "findings"), k, f) {
        snprintf(wanted, sizeof wanted, "%s %s:%lld: %s", json_string_value(json_object_get(f, "title")),
                 json_string_value(json_object_get(json_object_get(f, "at"), "file")),
                 json_integer_value(json_object_get(json_object_get(f, "at"), "line")),
                 json_string_value(json_object_get(f, "message")));
        expect_text(text, wanted, where);
    }
    if (!k) expect_text(text, "No findings in this launch", where);
    const json_t *table = json_object_get(shown, "figures");
    snprintf(wanted, sizeof wanted, "%.2f us",
             json_number_value(json_object_get(all, "cycles")) / json_number_value(json_object_get(all, "mhz")));
    ck_assert_str_eq(json_string_value(json_object_get(table, "Modeled time")), wanted);
    for (k = 0; k < sizeof figures / sizeof *figures; k++) {
        /* the page omits figures whose terms have not been taught yet */
        const json_t *cell = json_object_get(table, figures[k].label);
        snprintf(wanted, sizeof wanted, "%lld",
                 json_integer_value(json_object_get(json_object_get(all, "counts"), figures[k].key)));
        ck_assert_msg(!cell || !strcmp(json_string_value(cell), wanted), "%s: %s are %s, not %s", where,
                      figures[k].label, json_string_value(cell), wanted);
    }
    json_decref(all);
}

static const struct launch {
    uint32_t n, block, grid;
    const char *schedule;
} launches[] = {{64, 32, 1, ""}, {1000, 128, 3, "falling"}, {0, 64, 2, ""}, {257, 128, 2, "rising"}};
enum { LAUNCHES = sizeof launches / sizeof *launches };
START_TEST(page_matches_the_native_simulator) {
    if (getenv("LAB") && strcmp(getenv("LAB"), lab_rows[_i]->id) != 0) return;
    struct page *p = new_page(lab_rows[_i], NULL, NULL);
    write_page(p, p->lab->id);
    unsigned clusters = 0, halves = 0, told = 0, products = 0, rounded = 0;
    for (unsigned k = 0; k < p->lab->kernel_count; k++)
        clusters += p->lab->kernels[k].cluster > 0, halves += p->lab->kernels[k].halves;
    if (p->offers) {
        open_page(p->lab->id); /* on a busy machine, 4 s may be too short for an endless launch to use up its budget */
        json_decref(ask("const real = window.setTimeout; window.setTimeout = (f, ms) => real(f, ms === 4000 ? 100000 : "
                        "ms);"));
    }
    for (unsigned k = 0; k < p->offers; k++) {
        const struct launch *l = &launches[k % LAUNCHES];
        struct grade_case c = case_of(&p->offer[k], l->n, l->block, l->grid, l->schedule);
        const bool rounds = k % 2 || k + 1 == p->offers;
        if (rounds && c.variant.op == REDUCE_OP_SUM && variant_is_float(c.variant)) c.data = DATA_ROUNDED, rounded++;
        char *job = job_of(p, &p->offer[k], &c), *answer = live_run(job), where[100];
        snprintf(where, sizeof where, "%s, %.40s, launch %u", p->lab->id, p->offer[k].symbol, k % LAUNCHES);
        json_t *shown = set_and_ask(k, &c, l->grid, l->schedule);
        expect_answer(shown, answer, where);
        told += json_object_get(json_object_get(shown, "figures"), "To other blocks of the cluster") != NULL;
        products += json_object_get(json_object_get(shown, "figures"), "Matrix products") != NULL;
        json_decref(shown), free(job), free(answer);
    }
    ck_assert_msg(!told == !clusters, "%s: accesses to other blocks are described %u times", p->lab->id, told);
    ck_assert_msg(!products == !halves, "%s: matrix products are described %u times", p->lab->id, products);
    ck_assert_msg(!halves || rounded, "%s: no values whose combination is rounded", p->lab->id);
    free_page(p);
}
END_TEST
/* If the reader touches a warp, it runs ahead of the others. The box and the command show this order. */
START_TEST(touched_warp_runs_ahead) {
    struct page *p = new_page(lab_find("lab3"), "unsigned", "unsigned");
    write_page(p, "touch");
    open_page("touch");
    json_t *value =
        ask("await set({'Elements (n)': 300, 'Threads per block': '128'}); const pills = "
            "document.querySelectorAll('.ahead [data-choice]'); pills[2].scrollIntoView({block: 'center', behavior: "
            "'instant'}); const r = "
            "pills[2].getBoundingClientRect(); "
            "pills[2].dispatchEvent(new PointerEvent('pointerdown', {bubbles: true, buttons: 1, clientX: r.x + r.width "
            "/ 2, clientY: r.y + r.height / 2})); await done(); const command = "
            "document.querySelector('.part-try .command code'); return [...form.querySelectorAll('label')].find((l) => "
            "l.firstChild.data === 'Order of execution').lastChild.value + command.textContent.slice(-18) + "
            "document.querySelector('.ahead .now').textContent;");
    ck_assert_str_eq(json_string_value(value), "warp=2 --schedule warp=2warp 2");
    json_decref(value);
    free_page(p);
}
END_TEST
/* If the reader removes a barrier or a fence, the finding must appear. If the reader puts it back, the finding must
 * disappear. */
static const struct left_out {
    const char *lab, *name, *title;
} left_out[] = {{"lab3", "__syncthreads()", "data race in shared memory"},
                {"lab5", "__syncwarp()", "data race inside a warp"},
                {"lab7", "__threadfence()", "data race between blocks"}};
START_TEST(removed_synchronization_is_reported) {
    const struct left_out *l = &left_out[_i];
    struct page *p = new_page(lab_find(l->lab), "unsigned", "unsigned");
    char script[1000], *source = broken_solution(p->lab);
    write_page(p, "out");
    open_page("out");
    snprintf(
        script, sizeof script,
        "const box = () => [...form.querySelectorAll('label')].find((l) => l.firstChild.data === 'Leave "
        "out').lastChild; "
        "await set({'Elements (n)': 300, 'Threads per block': '64', 'Blocks': 4}); const found = [], all = "
        "[...box().options].map((o) => o.value).filter((v) => v.startsWith('%s')); for (const value of all) { await "
        "set({'Leave out': value}); found.push([Number(value.split(' line ')[1]), said().text]); } await set({'Leave "
        "out': ''}); return {found, after: said().text};",
        l->name);
    json_t *all = ask(script), *found = json_object_get(all, "found"), *one;
    size_t k;
    bool missed = false;
    json_array_foreach(found, k, one) {
        /* clang gives no line for code inlined from its own headers */
        const json_t *number = json_array_get(one, 0);
        const char *line = source;
        for (json_int_t n = json_integer_value(number); line && n > 1; n--)
            line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL;
        ck_assert_msg(json_is_null(number) || (line && memmem(line, strcspn(line, "\n"), l->name, strlen(l->name))),
                      "%s: no %s on line %lld", l->lab, l->name, json_integer_value(number));
        missed |= strstr(json_string_value(json_array_get(one, 1)), l->title) != NULL;
    }
    ck_assert_msg(k && missed, "%s: in %zu removals of %s, no finding `%s`", l->lab, k, l->name, l->title);
    expect_text(json_string_value(json_object_get(all, "after")), "No findings in this launch", l->lab);
    json_decref(all), free(source);
    free_page(p);
}
END_TEST
/* The page stops an endless launch after a time limit, here 30 ms. Afterward, it must run launches as before. */
START_TEST(endless_launch_is_stopped) {
    struct page *p = new_page(lab_find("lab3"), "stride /= 2", "stride /= 1");
    write_page(p, "endless");
    open_page("endless");
    json_t *shown =
        ask("const real = window.setTimeout; await set({'Elements (n)': 1}); window.setTimeout = (f, ms) => "
            "real(f, ms === 4000 ? 30 : ms); await set({'Elements (n)': 65536}); window.setTimeout = real; "
            "return said();");
    expect_text(json_string_value(json_object_get(shown, "text")), "did not end within 4 seconds and was stopped",
                "endless");
    json_decref(shown);
    /* this launch exceeds its instruction limit first */
    shown = ask("await set({'Elements (n)': 64}); return said();");
    expect_text(json_string_value(json_object_get(shown, "text")), "stopped", "endless, of few elements");
    json_decref(shown);
    free_page(p);
}
END_TEST
START_TEST(without_webassembly_the_form_is_hidden) {
    struct page *p = new_page(lab_find("lab3"), "stride /= 2", "stride /= 2");
    write_page(p, "without");
    json_t *id = driver_tools(&driver, "Page.addScriptToEvaluateOnNewDocument",
                              json_pack("{s:s}", "source", "delete window.WebAssembly;"));
    open_page("without");
    json_t *value =
        driver_script(&driver, "return !document.querySelector('.part-try') && !!document.querySelector('h1');");
    ck_assert(json_is_true(value));
    json_decref(value), json_decref(id);
    free_page(p);
}
END_TEST

static void begin_session(void) {
    driver_start(&driver);
    json_decref(driver_post(&driver, "timeouts",
                            json_pack("{s:i}", "script", 300000 /* ms: the time that an endless launch may take */)));
}
static void end_session(void) { driver_stop(&driver); }
int main(void) {
    char why[500];
    compiler = compiler_find(quick_compiler(), why, sizeof why);
    if (!driver_find(&driver) || !compiler) {
        printf("SKIP check_try: %s\n",
               compiler ? "chromedriver or chromium not found (Debian: chromium, chromium-driver)" : why);
        return 0;
    }
    if (!mkdtemp(folder) || setenv("TMPDIR", folder, 1)) return 1; /* for the browser's temporary files, too */
    if (getenv("EVERY")) every = (unsigned)atoi(getenv("EVERY"));
    Suite *suite = suite_create("try");
    TCase *t = tcase_create("page");
    tcase_set_timeout(t, 600);
    tcase_add_unchecked_fixture(t, begin_session, end_session);
    add_rows(t, page_matches_the_native_simulator, lab_row_count, 5);
    add_rows(t, removed_synchronization_is_reported, sizeof left_out / sizeof *left_out, 3);
    tcase_add_test(t, touched_warp_runs_ahead);
    tcase_add_test(t, endless_launch_is_stopped);
    tcase_add_test(t, without_webassembly_the_form_is_hidden);
    suite_add_tcase(suite, t);
    const int failed = suite_failures(suite);
    char *const clean[] = {"rm", "-rf", folder, NULL};
    if (!fork()) execvp(*clean, clean);
    wait(NULL);
    return failed > 0;
}
