/* For each kind of extension, compares the files that it touches with the table in docs/architecture.md. Adds all
 * extensions to one copy of the kit, builds it, and tests that each extension works. check_add_gpu tests an
 * additional GPU, and check_add_arrays tests labs whose results are arrays. */
/* run: plain, apart, 28 s */
#include "sandbox/sandbox.h"
#include "tests/quick.h"
#include "tests/scratch.h"
#include "tests/suite.h"
#include <jansson.h>

#define ADDED "grader/tests/added/"
enum { MAX_PIECES = 4, MAX_TOUCHED = 2 };
struct piece {
    const char *file;   /* the file or folder that is changed or added */
    const char *before; /* the text before which `text` is inserted; NULL: insert at the end */
    const char *text;
    const char *from; /* the file or folder to copy from tests/added/ instead of inserting text */
};
static const struct addition {
    const char *what; /* the row in docs/architecture.md */
    struct piece pieces[MAX_PIECES];
    /* `shown_by` is a script that runs in the copy's folder, and `expected` a part of its output. Both are NULL if a
     * separate test shows the extension. */
    const char *shown_by, *expected;
} additions[] = {
    {"a lab",
     {{"labs/lab31_counted", .from = "lab31_counted/grader.c"},
      {"solutions/lab31_counted", .from = "lab31_counted/reduce.cu"}},
     "build/grade --list",
     "lab31  counted            A sum of counted blocks\n"},
    {"a launch shape",
     {{"grader/judge/lab.h", "    FINISH_ARRAYS ",
       "    FINISH_COUNTED, /* as FINISH_HOST, of NAME(in, out, n, blocks) */\n"},
      {"grader/judge/case_plan.c", "    case FINISH_ARRAYS:",
       "    case FINISH_COUNTED: launch_for_host(p, l), plan_pass_u32(p, case_blocks(l->c, l->c->n, 0)); break;\n"}},
     "build/grade lab31 --solution --seed 7 --device sim",
     "\nlab31: 100 of 100 points\n"},
    {"an instruction of each lane (`LANE`)",
     {{"grader/ptx/ops.def", "LANE(popc,",
       "LANE(maj, \"maj\", D_A_B_C, BITS32_64, 0, (a & b) | (a & c) | (b & c), \"majority of three, bit by bit\")\n"}},
     "build/grade run " ADDED "rows.ptx lane --arg u32[32]:out",
     "[0] 8 8 10 10 12 12 14 14\n"},
    {"an instruction that accesses memory (`FORM`)",
     {{"grader/ptx/ops.def", "FORM(ldu,",
       "FORM(ldn, \"ldn\", \"d, m\", B32ONLY, NONE, 0, memory, ldn, \"load of the complement\", MEMORY(LOAD), "
       "UNDEFINED(DEFINED))\n"},
      {"grader/sim/exec_memory.h", "ONE_HANDLER(atom)",
       "static void exec_ldn(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {\n"
       "    uint32_t *d = sim_row(w, i->d);\n"
       "    load_any(w, i, mask);\n"
       "    SIM_EACH_LANE(l, mask) d[l] = ~d[l];\n"
       "}\n"
       "ONE_HANDLER(ldn)\n"}},
     "build/grade run " ADDED "rows.ptx memory --arg u32[32]:iota",
     "[0] 4294967295 4294967294 4294967293 "},
    {"an instruction that synchronizes lanes or warps (`CONTROL`)",
     {{"grader/ptx/ops.def", "CONTROL(redux,",
       "CONTROL(lowest, \"lowest.sync\", \"d, a, u\", B32ONLY, NONE, 0, exchange, lowest, \"value of the lowest "
       "lane\", "
       "CROSSES(LANES), UNDEFINED(EXCHANGED), PRICE(SHUFFLE))\n"},
      {"grader/sim/sync.c", "static void do_elect(",
       "static void do_lowest(struct sim_warp *w, const struct sim_insn *i, uint32_t present) {\n"
       "    const uint32_t lowest = ((const uint32_t *)sim_row(w, i->a))[__builtin_ctz(present)];\n"
       "    SIM_EACH_LANE(l, present)((uint32_t *)sim_row(w, i->d))[l] = lowest;\n"
       "    if (i->flags & SIM_TRACKED) sim_track_exchange(w, i, present, NULL);\n"
       "}\n"},
      {"grader/sim/sync.c", "EXCHANGE(elect,", "EXCHANGE(lowest, do_lowest, SIM_REDUX)\n"}},
     "build/grade run " ADDED "rows.ptx meeting --arg u32[32]:out",
     "[0] 5 5 5 5 5 5 5 5\n"},
    {"an instruction of control flow (`CONTROL`)",
     {{"grader/ptx/ops.def", "CONTROL(brx_idx,",
       "CONTROL(jmp_any, \"jmp.any\", \"l\", NONE, NONE, 0, branch, jmp_any, \"branch of all lanes if the predicate of "
       "any lane is true\", "
       "FLOW(BRANCH), UNDEFINED(DECIDES), PRICE(BRANCH))\n"},
      {"grader/sim/control.c", "static void exec_brx_idx(",
       "static void exec_jmp_any(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {\n"
       "    if (condition(w, i, mask)) sim_current(w)->pc = i->branch.target, w->changed = true;\n"
       "}\n"},
      {"grader/sim/control.c", "FORM(brx_idx)", "FORM(jmp_any)\n"}},
     "build/grade run " ADDED "rows.ptx flow --arg u32[32]:out",
     "[0] 2 2 2 2 2 2 2 2\n"},
    {"a kind of finding",
     {{"grader/probes/banks.c", "static void access(",
       "static const struct finding_kind kinds[] = {\n"
       "    {.key = \"one-bank\", .title = \"all lanes wait for one bank\",\n"
       "     .explanation = \"A bank gives one word at a time.\", .rank = 405, .severity = FINDING_NOTE},\n"
       "    {NULL},\n"
       "};\n"},
      {"grader/probes/banks.c", "    at->requests++, at->passes",
       "    if (n.wavefronts == SIM_WARP)\n"
       "        finding_add(&p->m->findings,\n"
       "                    &(struct finding){.kind = &kinds[0], .at = finding_site(e->where, e->pc, e->mask),\n"
       "                                      .other.pc = UINT32_MAX, .message = \"32 passes\"});\n"},
      {"grader/probes/banks.c", "    .fields = fields,", "    .findings = kinds,\n"}},
     "build/grade run " ADDED "rows.ptx conflict --arg u32[32]:out",
     "all lanes wait for one bank\n"},
    {"a probe",
     {{"grader/probes/shuffle_rate.c", .from = "shuffle_rate.c"},
      {"grader/probes/probes.def", NULL, "PROBE(shuffle_rate)\n"}},
     NULL, /* see added_probes_appear_in_every_report */
     NULL},
    {"a report format",
     {{"grader/report/score.c", .from = "score.c"}, {"grader/report/sinks.def", NULL, "SINK(score)\n"}},
     "build/grade lab31 --solution --seed 7 --device sim --score -",
     "lab31 100/100\n"},
    {"an option of `./grade` that is a flag",
     {{"grader/options.def", "ALONE(gpus_doc,", "ALONE(folder, 0, \"folder\", 5, \"Print the kit's folder\")\n"},
      {"grader/main.c", "    session_discover(&s);\n",
       "    if (s.options.folder) return session_root(&s), puts(s.root), EXIT_FULL;\n"}},
     "build/grade --folder",
     "/tmp/check-scratch-"},
    {"a device",
     {{"grader/device/mirror.c", .from = "mirror.c"},
      {"grader/device/devices.def", NULL, "DEVICE(mirror, \"the simulator, counting launches\")\n"}},
     "build/grade run " ADDED "rows.ptx lane --device mirror --arg u32[32]:out 2>&1 | grep -q '^mirror: 1 launches' && "
     "build/grade lab31 --solution --seed 7 --device mirror 2>/dev/null",
     "run on mirror, seed 7\n"},
};
enum { ADDITIONS = sizeof additions / sizeof *additions };

static void add(const struct piece *p) {
    const char *name = p->from ? strrchr(p->from, '/') : NULL;
    if (!p->from)
        scratch_insert(p->file, p->before, p->text);
    else
        free(scratch_shell(true, name ? "mkdir $S/%s && cp " ADDED "%s $S/%s%s" : "cp -T " ADDED "%.0s%s $S/%s%s",
                           p->file, p->from, p->file, name ? name : ""));
}
static unsigned files_of(const struct addition *a, const char *files[MAX_PIECES]) {
    unsigned count = 0, n;
    for (const struct piece *p = a->pieces; p < a->pieces + MAX_PIECES && p->file; p++) {
        for (n = 0; n < count && strcmp(files[n], p->file) != 0; n++) continue;
        if (n == count) files[count++] = p->file;
    }
    return count;
}
static void add_all(void) {
    scratch_make();
    for (const struct addition *a = additions; a < additions + ADDITIONS; a++)
        for (const struct piece *p = a->pieces; p < a->pieces + MAX_PIECES && p->file; p++) add(p);
    char *edits = scratch_edits();
    scratch_add("edits", edits);
    free(edits);
    scratch_build("CFLAGS=-O0 ISAS=baseline EXEC_OPTIMIZE=-O0");
    free(scratch_shell(true, "cp $S/solutions/lab31_counted/reduce.cu $S/labs/lab31_counted; mkdir -p $S/" ADDED
                             " && cp " ADDED "rows.ptx $S/" ADDED));
}
START_TEST(additions_touch_the_documented_files) {
    const struct addition *a = &additions[_i];
    const char *files[MAX_PIECES];
    const unsigned count = files_of(a, files);
    char *row = scratch_documented(a->what);
    ck_assert_uint_le(count, MAX_TOUCHED);
    for (unsigned k = 0; k < count; k++) scratch_names(a->what, row, files[k]);
    scratch_counts(a->what, row, count);
    free(row);
}
END_TEST
START_TEST(no_other_file_is_touched) {
    char *edits = scratch_shell(true, "cat $S/edits"), *rest = edits;
    for (char *file; (file = strsep(&rest, "\n")) && *file;) {
        bool named = false;
        for (unsigned k = 0; k < ADDITIONS; k++)
            for (unsigned n = 0; n < MAX_PIECES && additions[k].pieces[n].file; n++)
                named |= !strcmp(additions[k].pieces[n].file, file);
        ck_assert_msg(named, "no row touches %s", file);
    }
    free(edits);
}
END_TEST
START_TEST(additions_work) {
    const struct addition *a = &additions[_i];
    if (!a->shown_by) return;
    char *text = scratch_shell(false, "cd $S && export CUDA=%s; { %s; } 2>&1", quick_compiler(), a->shown_by);
    ck_assert_msg(strstr(text, a->expected), "%s: no `%s` in\n%.3000s", a->what, a->expected, text);
    free(text);
}
END_TEST

/* ---- effects of a probe: its findings and figures in the record, the text and the page ------------------------ */
static const char *sandboxed; /* "--no-sandbox" if this machine has no sandbox, otherwise "" */
static const char submission[] = "$S/probed.cu";

/* Writes lab 6's solution with an additional shuffle by a single lane of each block. */
static void hand_in(void) {
    free(scratch_shell(true, "{ echo '#define SOLUTION'; sed 's/^    sum = warp_reduce(sum);/    if (t == 0) sum = "
                             "__shfl_sync(1u, sum, 0);\\n&/' solutions/lab6_*/reduce.cu; } > $S/probed.cu; "
                             "grep -q __shfl_sync $S/probed.cu"));
}
/* Grades the submission and returns the report as text. The record and the page are in $S. */
static char *graded(void) {
    return scratch_shell(false,
                         "cd $S && CUDA=%s build/grade lab6 --submission %s %s --no-fix --seed 7 --device sim "
                         "--diff-solution --explain --json $S/probed.json --html $S/probed.html",
                         quick_compiler(), submission, sandboxed);
}
static json_t *test_of(const json_t *record, const char *id) {
    size_t k;
    json_t *t;
    json_array_foreach(json_object_get(record, "tests"), k,
                       t) if (!strcmp(json_string_value(json_object_get(t, "id")), id)) return t;
    ck_abort_msg("no test `%s`", id);
    return NULL;
}
static double rate_of(const json_t *test, const char *whose) {
    return json_number_value(json_object_get(json_object_get(json_object_get(test, whose), "counts"), "shuffle_rate"));
}
static void in_the_record(void) {
    char *text = scratch_shell(false, "cat $S/probed.json");
    json_t *record = json_loads(text, JSON_DISABLE_EOF_CHECK, NULL);
    ck_assert_msg(record != NULL, "%.3000s", text);
    const json_t *steps = test_of(record, "steps"), *found = json_object_get(test_of(record, "findings"), "findings"),
                 *first = json_array_get(found, 0);
    /* The block has 32 warps. Each executes 5 shuffles, and the first warp executes 5 more for the block's result.
     * The student's kernel executes 1 more. */
    ck_assert_double_eq(rate_of(steps, "reference"), (32 * 5 + 5) / 32.0);
    ck_assert_double_eq(rate_of(steps, "student"), (32 * 5 + 5 + 1) / 32.0);
    ck_assert_msg(first && !strcmp(json_string_value(json_object_get(first, "kind")), "lonely-shuffle"), "%.3000s",
                  text);
    ck_assert_str_eq(json_string_value(json_object_get(first, "title")), "shuffle by a single lane");
    json_decref(record);
    free(text);
}
static void expect(const char *text, const char *said) {
    ck_assert_msg(strstr(text, said), "no `%s` in %.3000s", said, text);
}
static void in_the_text(const char *text) {
    expect(text, "shuffle by a single lane");
    expect(text, "lane 0 of warp 0 is alone in a shuffle");
    expect(text, "    A shuffle exchanges values between the participating lanes.");
    expect(text, "    shuffles per warp                                5.19         5.16\n");      /* the report */
    expect(text, "      shuffles per warp                        5.19         5.16        +0.03"); /* --diff-solution */
}
/* Checks the page as the browser renders it or, without a browser, only the page's data. */
static void in_the_page(void) {
    char *page = scratch_shell(false, "cat $S/probed.html");
    expect(page, "{\"key\":\"shuffle_rate\",\"label\":\"shuffles per warp\",\"unit\":\"ratio\",\"better\":\"less\"");
    expect(page, "\"lonely-shuffle\":{\"drawing\":\"lanes\"");
    free(page);
    char *browser = process_find("chromium");
    if (browser) {
        char *drawn = scratch_shell(false,
                                    "timeout 60 %s --headless --no-sandbox --disable-gpu --user-data-dir=$S/chromium "
                                    "--dump-dom file://$S/probed.html 2>/dev/null",
                                    browser);
        expect(drawn, "Shuffles per warp</th>");
        expect(drawn, "<span class=\"worse\">5.19<");
        expect(drawn, "data-kind=\"lonely-shuffle\"");
        free(drawn);
    } else
        puts("SKIP check_additions: the page in a browser: chromium not found");
    free(browser);
}
START_TEST(added_probes_appear_in_every_report) {
    hand_in();
    char *text = graded();
    in_the_text(text), free(text);
    in_the_record();
    in_the_page();
}
END_TEST

int main(void) {
    char why[300];
    if (!compiler_find("auto", why, sizeof why)) return printf("SKIP check_additions: neither nvcc nor clang\n"), 0;
    if (access("solutions", R_OK)) return printf("SKIP check_additions: no solutions in this tree\n"), 0;
    sandboxed = sandbox_present(why, sizeof why) ? "" : "--no-sandbox";
    Suite *suite = suite_create("additions");
    TCase *tcase = tcase_create("additions");
    tcase_set_timeout(tcase, 300);
    tcase_add_unchecked_fixture(tcase, add_all, scratch_free);
    tcase_add_test(tcase, no_other_file_is_touched);
    tcase_add_loop_test(tcase, additions_touch_the_documented_files, 0, ADDITIONS);
    tcase_add_loop_test(tcase, additions_work, 0, ADDITIONS);
    tcase_add_test(tcase, added_probes_appear_in_every_report);
    suite_add_tcase(suite, tcase);
    return suite_failures(suite) != 0;
}
