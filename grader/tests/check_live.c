/* Compares the page's simulator with the native one, on solutions and mistakes. Results, figures and findings must
 * be the same to the last character. For each text, one case also runs with `./grade run`, which must report the
 * same counts, steps, and kinds and lines of findings. This is the first case that `./grade run` supports. */
/* run: plain, 12 s */
/* reads: grade grader/live grader/tests/web grader/tests/styles solutions labs common */
#include "live/live.h"
#include "judge/case_plan.h"
#include "judge/job.h"
#include "tests/live.h"
#include "tests/mistakes.h"
#include "tests/quick.h"
#include "tests/effort.h"
#include "tests/suite.h"

/* `make test` tests every 60th row, in half of the labs per commit; EVERY=1 tests all rows. LAB=lab3 selects the rows
 * of a lab. */
enum { SAMPLE = 60 };
static unsigned every = SAMPLE;
static const struct compiler *compiler;

/* Launches of a kernel: with one block, with multiple blocks, without elements, and in different orders of
 * execution. */
static const struct launch {
    uint32_t n, block, grid;
    const char *schedule;
} launches[] = {{64, 32, 1, ""}, {1000, 128, 3, ""}, {0, 64, 2, "falling"}, {257, 64, 2, "warp=1"}};
enum { LAUNCHES = sizeof launches / sizeof *launches };

static char *expect_same(const char *name, const char *job) {
    char *ours = live_run(job), *page = live_asks_run(job);
    ck_assert_msg(!strncmp(ours, "{\"end\":", 7), "%s: %.300s", name, ours);
    /* A page supports only rounding to nearest. For other modes, its answer is this message. */
    const bool same = !strcmp(ours, page) || strstr(page, "this CPU supports only rounding to nearest");
    ck_assert_msg(same, "%s: the page returns\n%.1500s\nand the native simulator\n%.1500s", name, page, ours);
    free(page);
    return ours;
}

/* ---- ./grade run ---------------------------------------------------------------------------- */
static char folder[] = "/tmp/check-live-XXXXXX";
static void write_bytes(const char *name, const void *bytes, size_t length, char *path, size_t size) {
    snprintf(path, size, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    ck_assert(f && fwrite(bytes, 1, length, f) == length && !fclose(f));
}
/* Writes an argument of the plan's only launch as `./grade run` expects it. If it is a buffer, writes its contents
 * to a file. */
static void argument_text(const struct plan *p, const struct plan_argument *a, const void *const inputs[], char *out,
                          size_t size) {
    char path[100], name[20];
    uint64_t value = 0;
    if (a->buffer == PLAN_NO_BUFFER) {
        memcpy(&value, p->bytes + a->offset, a->bytes);
        snprintf(out, size, "%llu", (unsigned long long)value);
        return;
    }
    const struct plan_buffer *b = &p->buffer[a->buffer];
    const int at = snprintf(out, size, "%s%s[%llu]:", b->read_only ? "const " : "", b->element == 8 ? "u64" : "u32",
                            (unsigned long long)b->length);
    memcpy(&value, b->value, b->element);
    if (b->fill == PLAN_INPUT) {
        snprintf(name, sizeof name, "in%u", b->input);
        write_bytes(name, inputs[b->input], (size_t)(b->length * b->element), path, sizeof path);
        snprintf(out + at, size - (size_t)at, "@%s", path);
    } else if (b->fill == PLAN_REPEAT)
        snprintf(out + at, size - (size_t)at, "%llu", (unsigned long long)value);
    else
        snprintf(out + at, size - (size_t)at, "out");
}
static json_t *run_by_grade(const struct plan *p, const struct grade_case *c, const char *symbol, const char *ptx,
                            const void *const inputs[]) {
    enum { MAX = 8 };
    const struct plan_launch *l = &p->launch[0];
    char file[100], record[100], text[MAX][200], grid[20], block[20], shared[20], seed[24], budget[40],
        schedule[SIM_SCHEDULE_TEXT];
    const char *argv[32] = {getenv("GRADE") ? getenv("GRADE") : "./grade", "run", file, symbol, "--json", record};
    unsigned n = 6;
    write_bytes("k.ptx", ptx, strlen(ptx), file, sizeof file);
    write_bytes("k.json", "", 0, record, sizeof record);
    snprintf(grid, sizeof grid, "--grid=%u", l->grid[0]), argv[n++] = grid;
    snprintf(block, sizeof block, "--block=%u", l->block[0]), argv[n++] = block;
    snprintf(shared, sizeof shared, "--shared=%u", l->dynamic_shared), argv[n++] = shared;
    snprintf(seed, sizeof seed, "--seed=%llu", (unsigned long long)c->seed), argv[n++] = seed;
    const uint32_t threads = case_blocks(c, c->n, 0) * c->block;
    snprintf(budget, sizeof budget, "--budget=%u", (1u << 22) + 64 * (c->n > threads ? c->n : threads));
    argv[n++] = budget; /* the judge's budget for at most 2^17 elements and threads (judge/run.c) */
    if (c->schedule.chosen) {
        argv[n++] = "--schedule";
        argv[n++] = sim_schedule_print(&c->schedule, schedule, sizeof schedule);
    }
    for (unsigned k = 0; k < l->arguments && k < MAX; k++) {
        argument_text(p, &p->argument[l->argument + k], inputs, text[k], sizeof text[k]);
        argv[n++] = "--arg", argv[n++] = text[k];
    }
    struct process_result r = process_run(argv, &(struct process_limits){.wall_seconds = 300, .output_bytes = 1 << 20});
    json_t *all = r.end == PROCESS_EXITED && r.status <= 1 ? json_load_file(record, 0, NULL) : NULL;
    ck_assert_msg(all != NULL, "./grade run: %.600s", r.output);
    free(r.output);
    return all;
}
/* Returns whether the page and ./grade run report the same steps. ./grade run may report more members of each step. */
static bool same_steps(const json_t *page, const json_t *run) {
    size_t k;
    json_t *step;
    const char *key;
    json_t *value;
    if (json_array_size(page) != json_array_size(run)) return false;
    json_array_foreach((json_t *)page, k, step) {
        json_object_foreach(step, key, value) {
            if (!json_equal(value, json_object_get(json_array_get(run, k), key))) return false;
        }
    }
    return true;
}
/* Compares counts as numbers, because a page writes the real number 2.0 as the integer 2. */
static bool same_counts(const json_t *page, const json_t *run) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)page, key, value) {
        if (json_number_value(value) != json_number_value(json_object_get(run, key))) return false;
    }
    return json_object_size(page) == json_object_size(run) && json_object_size(run) > 10;
}
/* Compares the kind and line of each finding, the counts, and the steps. If the launch exceeds its budget, the
 * counts and steps may differ: the page's cost model tracks individual instructions, so the page may stop earlier. */
static void expect_equal(const char *name, const json_t *page, const json_t *run) {
    const json_t *ours = json_object_get(page, "findings"), *theirs = json_object_get(run, "findings"), *f;
    size_t k;
    const json_t *mine = json_object_get(page, "counts"), *other = json_object_get(run, "counts");
    char *page_text = json_dumps(mine, JSON_SORT_KEYS), *run_text = json_dumps(other, JSON_SORT_KEYS);
    const bool stopped = !strcmp(json_string_value(json_object_get(page, "end")), "stopped");
    ck_assert_msg(stopped || same_counts(mine, other), "%s: the counts differ: page:\n%.800s\n./grade run:\n%.800s",
                  name, page_text, run_text);
    free(page_text), free(run_text);
    ck_assert_msg(stopped || same_steps(json_object_get(page, "steps"), json_object_get(run, "steps")), "%s: steps",
                  name);
    ck_assert_msg(json_array_size(ours) == json_array_size(theirs), "%s: %zu findings, ./grade run %zu", name,
                  json_array_size(ours), json_array_size(theirs));
    json_array_foreach(ours, k, f) {
        const json_t *g = json_array_get(theirs, k), *at = json_object_get(f, "at"), *there = json_object_get(g, "at");
        ck_assert_str_eq(json_string_value(json_object_get(f, "kind")), json_string_value(json_object_get(g, "kind")));
        ck_assert_msg(stopped || json_equal(json_object_get(at, "line"), json_object_get(there, "line")),
                      "%s: line %lld", name, json_integer_value(json_object_get(at, "line")));
        ck_assert(stopped || json_equal(json_object_get(f, "count"), json_object_get(g, "count")));
    }
}
/* Compares the page's answer with that of ./grade run. Returns false if ./grade run does not support the case,
 * because the case has multiple launches or elements of a different type. */
static bool compare_run(const char *name, const struct grade_case *c, const char *symbol, const char *job,
                        const char *answer) {
    struct plan p = {0};
    const size_t size = variant_size(c->variant);
    plan_of_case(&p, c, &symbol, 1);
    const bool fits = !p.failed && p.launches == 1 && (size == 4 || size == 8) && !c->kernel->halves &&
                      !variant_is_struct(c->variant);
    if (fits) {
        void *data = calloc(c->n + 1, 3 * size), *first = (char *)data + c->n * size,
             *second = (char *)first + c->n * size;
        case_data(c, data);
        if (c->kernel->second) case_factors(c, c->n, data, first, second);
        json_t *page = json_loads(answer, 0, NULL),
               *run = run_by_grade(&p, c, symbol, strstr(job, "\n\n") + 2,
                                   (const void *const[]){c->kernel->second ? first : data, second});
        expect_equal(name, page, run);
        json_decref(page), json_decref(run), free(data);
    }
    plan_free(&p);
    return fits;
}

static bool is_right(const char *answer) {
    static const char right[] = "{\"end\":\"right\"";
    return !strncmp(answer, right, sizeof right - 1);
}

/* ---- labs ----------------------------------------------------------------------------------- */
/* Runs each kernel in each compiled variant in the page. If no earlier case has run with ./grade run, and
 * compare_run() supports the case, compares it and sets *run. */
static void compare_kernels(const struct broken_unit *u, const char *space, const char *name, bool *run) {
    struct program p = broken_program(u, space);
    for (unsigned k = 0; k < u->lab->kernel_count; k++)
        for (unsigned v = 0; v < VARIANT_COUNT; v++) {
            const char *symbol = p.symbol[k * VARIANT_COUNT + v];
            const struct lab_kernel *kernel = &u->lab->kernels[k];
            const struct launch *l = &launches[(k + v + 1) % LAUNCHES];
            const bool takes = case_kernel_takes(u->lab, kernel, variant_at(v)) && kernel->finish != FINISH_ARRAYS;
            struct grade_case c = {.kernel = kernel,
                                   .variant = variant_at(v),
                                   .n = kernel->finish == FINISH_LEVELS && !l->n ? 1 : l->n,
                                   .block = kernel->only_block ? kernel->only_block : l->block,
                                   .grid = kernel->grid_stride ? l->grid : 0,
                                   .seed = 7 + k};
            sim_schedule_parse(&c.schedule, l->schedule);
            char *job = symbol && takes ? job_print(u->lab->id, &c, symbol, p.text.ptx[0]) : NULL;
            ck_assert(job || !symbol || !takes);
            char *answer = job ? expect_same(name, job) : NULL;
            ck_assert_msg(!answer || strcmp(name, "solution") || is_right(answer), "%s, %s: %.300s", u->lab->id, job,
                          answer);
            if (job && !*run) *run = compare_run(name, &c, symbol, job, answer);
            free(job), free(answer);
        }
    broken_free_symbols(u, &p);
}
static bool has_scalars(const struct lab *lab) {
    return lab->variants & LIVE_VARIANTS & VARIANTS_SCALAR && lab->kernels[0].finish != FINISH_ARRAYS &&
           !lab->kernels[0].halves;
}
START_TEST(labs_run_alike) {
    const struct lab *lab = lab_rows[_i];
    if (getenv("LAB") && strcmp(getenv("LAB"), lab->id) != 0) return;
    char *solution = broken_solution(lab), why[2000];
    struct broken_text texts[MISTAKES + 1] = {{"m", solution}};
    const char *names[MISTAKES + 1] = {"solution"};
    struct broken_unit u;
    unsigned count = 1;
    for (unsigned k = 0; k < MISTAKES; k++) {
        if (!broken_is_taken(k, every, mistakes[k].lab, mistakes[k].name) || strcmp(mistakes[k].lab, lab->id)) continue;
        snprintf(texts[count].space, sizeof texts[count].space, "m%u", k);
        names[count] = mistakes[k].name;
        texts[count++].source = text_of(&mistakes[k], solution);
    }
    ck_assert_msg(broken_load(&u, lab, LIVE_VARIANTS, compiler, texts, count, why, sizeof why), "%s", why);
    for (unsigned k = 0; k < count; k++) {
        bool run = false;
        compare_kernels(&u, texts[k].space, names[k], &run);
        ck_assert_msg(run || !has_scalars(lab), "%s, %s: no case has a single launch", lab->id, names[k]);
        free(texts[k].source);
    }
    broken_free(&u);
}
END_TEST
START_TEST(invalid_jobs_are_rejected) {
    static const struct {
        const char *job, *why;
    } rows[] = {{"\n", "a line is missing"},
                {"lab lab1\nnonsense 1\n\n", "an unknown line"},
                {"lab\n\n", "a line has no value"},
                {"lab lab1", "a line has no value"},
                {"lab lab1\nname reduce\nsymbol k\ncase reduce/sum_f32/n=1/block=33\n\n", "an unknown case"},
                {"lab lab1\nschedule sideways\n\n", "an unknown schedule"}};
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
        char *ours = live_run(rows[k].job), *page = live_asks_run(rows[k].job);
        ck_assert_msg(strstr(ours, rows[k].why), "%s", ours);
        ck_assert_str_eq(ours, page);
        free(ours), free(page);
    }
}
END_TEST

/* The page accepts launch arguments in the syntax of `./grade run --arg` (run/argument.h). */
START_TEST(arguments_have_the_syntax_of_grade_run) {
    static const char ptx[] =
        ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 a, .param .f32 b)\n"
        "{\n\tret;\n}\n";
    static const struct {
        const char *a, *b, *tells;
    } rows[] = {{"int[3]:iota", "0.5", "\"a\":[0,1,2]"},
                {"f64[2]:0.1", "1", "\"a\":[0.1,0.1]"},
                {"const u8[2]:255", "1", "\"a\":[255,255]"},
                {"i64[1]:-3", "1", "\"a\":[-3]"},
                {"float[1]:inf", "1", "\"a\":[\"inf\"]"},
                {"int[2]:-0x10", "1e3f", "\"a\":[-16,-16]"},
                {"int[2]", "1", "the fill is missing"},
                {"int[2]:many", "1", "`many` is not a fill"},
                {"word[2]:0", "1", "`word` is not a type"},
                {"int[2]:0", "x", "`x` is not a number"},
                {"int[70000]:0", "1", "more than 65536 elements"},
                {"7", NULL, "has 2 parameters, not 1"}};
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
        char text[600], *answer;
        snprintf(text, sizeof text, "kernel k\nblock 32\narg a %s\n%s%s%s\n%s", rows[k].a, rows[k].b ? "arg b " : "",
                 rows[k].b ? rows[k].b : "", rows[k].b ? "\n" : "", ptx);
        answer = live_show(text);
        ck_assert_msg(answer && strstr(answer, rows[k].tells), "%s: %s", rows[k].a, answer);
        free(answer);
    }
}
END_TEST

int main(void) {
    char why[500];
    if (!live_start()) {
        puts("SKIP check_live: node not found (Debian: nodejs)");
        return 0;
    }
    if (getenv("EVERY")) every = (unsigned)atoi(getenv("EVERY"));
    if (!mkdtemp(folder)) return 1;
    compiler = compiler_find(quick_compiler(), why, sizeof why);
    Suite *suite = suite_create("live");
    TCase *t = tcase_create("page");
    tcase_set_timeout(t, 600);
    tcase_add_test(t, invalid_jobs_are_rejected);
    tcase_add_test(t, arguments_have_the_syntax_of_grade_run);
    if (compiler)
        add_rows(t, labs_run_alike, lab_row_count, 2);
    else
        printf("SKIP check_live labs: %s\n", why);
    suite_add_tcase(suite, t);
    const int failed = suite_failures(suite);
    live_stop();
    char *const clean[] = {"rm", "-rf", folder, NULL};
    if (!fork()) execvp(*clean, clean);
    wait(NULL);
    return failed != 0;
}
