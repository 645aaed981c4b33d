/* Tests grades on a fake GPU: the simulator with the behavior that each row selects. check_gpu tests a real GPU. */
/* run: sanitized */
/* reads: labs solutions common */
#include "judge/judge.h"
#include "tests/suite.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum way { WORKS, ADDS_ONE, ZEROES, NO_DRIVER, FAULTS, NO_ROOM, DIES, CRASHES };
static enum way way;
static pid_t parent; /* the process that must not use the GPU; its child processes may */
static const struct device *sim;
static const struct compiler *compiler;

static enum device_status fails(struct device_error *e, enum device_status status, const char *text) {
    snprintf(e->message, sizeof e->message, "%s", text);
    return status;
}
static enum device_status fake_present(struct device_error *e) {
    if (way == DIES) abort();
    return getpid() == parent ? fails(e, DEVICE_SETUP, "asked in the parent")
           : way == NO_DRIVER ? fails(e, DEVICE_ABSENT, "no driver found")
                              : DEVICE_OK;
}
static enum device_status fails_here(struct device_error *e) {
    return way == NO_DRIVER ? fails(e, DEVICE_SETUP, "too old for this PTX")
           : way == FAULTS  ? fails(e, DEVICE_SUBMISSION, "the kernel used an illegal address")
           : way == NO_ROOM ? fails(e, DEVICE_SETUP, "not enough memory for a buffer")
                            : DEVICE_OK;
}
static void fake_run(struct device_run *r, unsigned count) {
    ck_assert(getpid() != parent && count == 1 && !r->measured);
    if (way == CRASHES) abort(); /* as if the driver's compiler crashed */
    if (way == DIES) _exit(0);
    r->reads = 0;
    if ((r->status = fails_here(&r->error)) == DEVICE_OK) sim->run(r, count);
    for (unsigned k = 0; k < r->reads; k++) {
        char *read = (char *)r->outputs + plan_read_at(r->plan, k);
        if (way == ADDS_ONE) ++*read;
        if (way == ZEROES) memset(read, 0, plan_read_bytes(r->plan, k));
    }
}
static unsigned fake_arch(void) { return 80; }
static struct device fake(void) {
    struct device d = *sim;
    d.name = "fake", d.measures = false, d.present = fake_present, d.arch = fake_arch, d.run = fake_run;
    return d;
}

static const struct {
    enum way way;
    bool skeleton;          /* whether to grade the skeleton instead of the solution */
    const char *end, *text; /* end: the record's end; text: part of the check's message */
} rows[] = {
    {WORKS, false, "full", "the case is right, on the GPU too"},
    {ADDS_ONE, false, "partial", "wrong on the GPU after 0 right cases; reduce/sum_i32/n=33/block=64: got "},
    {ADDS_ONE, false, "partial", "; the simulator found nothing wrong in this case"},
    {ZEROES, false, "partial", "got 0, expected -36528; the simulator found nothing wrong in this case"},
    {NO_DRIVER, false, "setup", "the GPU: too old for this PTX; --device sim grades without the GPU"},
    {NO_ROOM, false, "setup", "the GPU: not enough memory for a buffer; --device sim grades without the GPU"},
    {FAULTS, false, "partial", "reduce/sum_i32/n=33/block=64: the kernel used an illegal address; the simulator found"},
    {DIES, false, "partial", "the check did not finish"},
    {CRASHES, false, "setup", "ended the check while it used a GPU"},
    {WORKS, true, "partial", "; on the GPU: got "},
    {FAULTS, true, "partial", "; on the GPU: the kernel used an illegal address"},
};
START_TEST(gpu_results_are_reported) {
    const struct device gpu = fake();
    char root[4096], path[4096];
    const struct lab *lab = lab_find("lab1");
    ck_assert(getcwd(root, sizeof root - 100));
    snprintf(path, sizeof path, "%.4000s/%s/%s_%s/reduce.cu", root, rows[_i].skeleton ? "labs" : "solutions", lab->id,
             lab->name);
    way = rows[_i].way;
    parent = getpid();
    const char *cache = getenv("GRADE_CACHE");
    const struct judge_options o = {.lab = lab,
                                    .device = sim,
                                    .gpu = &gpu,
                                    .compiler = compiler,
                                    .root = root,
                                    .cache = cache ? cache : "build/cache",
                                    .submission = path,
                                    .shown = "reduce.cu",
                                    .predictions = "",
                                    .replay_options = "",
                                    .solution = !rows[_i].skeleton,
                                    .seed = 3,
                                    .only_case = "reduce/sum_i32/n=33/block=64",
                                    .only_size = UINT32_MAX};
    json_t *record = judge_grade(&o), *t;
    bool found = false;
    size_t k;
    ck_assert_str_eq(json_string_value(json_object_get(record, "device")), "sim and fake");
    json_array_foreach(json_object_get(record, "tests"), k, t) found |=
        strstr(json_string_value(json_object_get(t, "message")), rows[_i].text) != NULL;
    char *all = json_dumps(record, JSON_INDENT(1));
    ck_assert_msg(found, "`%s` is not in %s", rows[_i].text, all);
    ck_assert_str_eq(json_string_value(json_object_get(record, "end")), rows[_i].end);
    free(all);
    json_decref(record);
}
END_TEST
START_TEST(devices_are_probed_in_child_processes) {
    const struct device gpu = fake();
    struct device_error e = {""};
    unsigned arch = 1;
    parent = getpid();
    way = WORKS;
    ck_assert_int_eq(device_probe(&gpu, &arch, &e), DEVICE_OK);
    ck_assert_uint_eq(arch, 80);
    way = NO_DRIVER;
    ck_assert_int_eq(device_probe(&gpu, &arch, &e), DEVICE_ABSENT);
    ck_assert_str_eq(e.message, "no driver found");
    way = DIES;
    ck_assert_int_eq(device_probe(&gpu, &arch, &e), DEVICE_SETUP);
    ck_assert_str_eq(e.message, "device fake did not answer");
}
END_TEST

int main(void) {
    char why[300];
    const char *wanted = getenv("CUDA");
    sim = device_find("sim");
    compiler = compiler_find(wanted && *wanted ? wanted : "auto", why, sizeof why);
    if (!compiler) return printf("SKIP check_on_gpu: neither nvcc nor clang\n"), 0;
    Suite *suite = suite_create("on_gpu");
    TCase *tcase = tcase_create("on_gpu");
    tcase_set_timeout(tcase, 300);
    tcase_add_loop_test(tcase, gpu_results_are_reported, 0, sizeof rows / sizeof *rows);
    tcase_add_test(tcase, devices_are_probed_in_child_processes);
    suite_add_tcase(suite, tcase);
    return suite_failures(suite) != 0;
}
