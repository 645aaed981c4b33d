/* The main program of ./grade: the commands, and the reports of the labs that it grades. */
#include "ahead.h"
#include "base/cores.h"
#include "base/file.h"
#include "choose.h"
#include "class/class.h"
#include "course/history.h"
#include "course/sealing.h"
#include "describe.h"
#include "device/worker.h"
#include "exec/exec.h"
#include "grading.h"
#include "hardware/hardware.h"
#include "compile/nvrtc.h"
#include "ladder/ladder.h"
#include "model/gpus/gpu.h"
#include "release/release.h"
#include "report/files.h"
#include "report/page.h"
#include "run/run.h"
#include "watch/turn.h"
#include "watch/watch.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- report --------------------------------------------------------------------------------- */
static bool takes_standard_output(const struct options *o) {
    for (unsigned k = 0; k < sink_row_count; k++)
        if (o->file[k] && !strcmp(o->file[k], "-")) return true;
    return false;
}
static int write_reports(const struct session *s, const json_t *record) {
    const struct options *o = &s->options;
    const struct sink_options options = {s->color, o->quiet, o->lanes, o->explain, o->beside};
    const int status = exit_status_of(grade_end_of(record));
    if (takes_standard_output(&s->options)) return status;
    if (s->options.compile_only && status == EXIT_FULL) {
        json_t *safe = page_safe_copy(record);
        printf("%s compiles\n", page_string(safe, "submission"));
        page_warnings(&(struct page){stdout, s->color, TERMS_ALL}, safe);
        json_decref(safe);
    } else if (!sink_write(sink_find("text"), record, stdout, &options))
        exit_saying(EXIT_SETUP, "cannot write to standard output");
    return status;
}
/* Writes the report files. Called before the first lab and after each lab, so that the reports are well-formed even if
 * the process is killed. `last` also writes the report for standard output. */
static void write_files(const struct options *o, const json_t *records, bool last) {
    const struct sink_options options = {false, false, o->lanes, o->explain, o->beside};
    const json_t *record = strcmp(o->lab, "all") && json_array_size(records) ? json_array_get(records, 0) : records;
    for (unsigned k = 0; k < sink_row_count; k++) {
        if (!o->file[k] || (!last && !strcmp(o->file[k], "-"))) continue;
        if (!report_write(sink_rows[k], record, o->file[k], &options))
            exit_saying(EXIT_SETUP, "%s: cannot be written: %s", o->file[k], strerror(errno));
    }
}

static int list(struct session *s) {
    session_root(s);
    session_course(s);
    for (unsigned k = 0; k < s->course.count; k++) {
        const struct lab *lab = &s->course.labs[k].lab;
        printf("%-6s %-18s %s\n", lab->id, lab->name, lab->title);
    }
    return EXIT_FULL;
}
/* Implements `./grade LAB --hardware`, which runs a case of the lab under NVIDIA's tools. */
static int look_at_hardware(const struct session *s, const struct course_lab *of) {
    const struct options *o = &s->options;
    const char *json = NULL;
    struct grading g;
    grading_of(s, of, &g);
    for (unsigned k = 0; k < sink_row_count; k++)
        if (o->file[k] && !strcmp(sink_rows[k]->name, "json")) json = o->file[k];
    return hardware_lab(&g.options, o->tools, json, s->color);
}
/* Multiple labs that are graded in parallel on the CPU cores and reported in order. Only one lab at a time can use a
 * GPU, so with a GPU, labs are only compiled ahead, and compile errors are reported when the lab is graded. */
struct all_labs {
    const struct session *s;
    const struct chosen *labs;
    struct ahead *ahead; /* NULL if no lab is compiled or graded ahead */
    bool graded;
};
static json_t *lab_ahead(void *context, unsigned k) {
    const struct all_labs *a = context;
    struct grading g;
    if (a->graded) return grading_run(a->s, a->labs->lab[k], judge_grade);
    grading_of(a->s, a->labs->lab[k], &g);
    return judge_build(&g.options);
}
static void start_ahead(struct all_labs *a) {
    enum { MAX_AT_ONCE = 8 };
    const unsigned allowed = cores_allowed(), cores = allowed < MAX_AT_ONCE ? allowed : MAX_AT_ONCE;
    if (a->labs->count < 2 || cores < 2 || a->s->options.compile_only) return;
    a->graded = !a->s->gpu;
    a->ahead = ahead_start(lab_ahead, a, a->labs->count, a->graded ? cores : 1);
}
static json_t *lab_in_turn(const struct all_labs *a, unsigned k) {
    const struct options *o = &a->s->options;
    const struct course_lab *of = a->labs->lab[k];
    const bool shows = a->ahead && a->graded && isatty(STDERR_FILENO) && !o->quiet;
    if (shows) grading_progress(stderr, of->lab.title, k, a->labs->count);
    json_t *record = a->ahead ? ahead_take(a->ahead, k) : NULL;
    if (shows) grading_progress(stderr, NULL, 0, 0);
    if (record && a->graded) return record;
    json_decref(record);
    return grading_run(a->s, of, o->compile_only ? judge_build : judge_grade);
}
/* Implements `./grade LAB --seal`. */
static int seal(const struct session *s, const struct course_lab *of) {
    char shown[PATH_MAX];
    struct grading g;
    grading_of(s, of, &g);
    snprintf(shown, sizeof shown, "labs/%s_%s/predictions.txt", of->lab.id, of->lab.name);
    return seal_predictions(&of->lab, g.predictions, s->options.submission ? g.predictions : shown,
                            history_grades(of->lab.id, g.history, false));
}
/* Grades one lab or several. Reports contain one record or an array of them. Returns the worst status. */
static int grade_labs(const struct session *s) {
    const struct options *o = &s->options;
    struct chosen labs;
    int worst = choose_labs(o, &s->course, s->root, &labs);
    if (worst != EXIT_FULL) return worst;
    if (o->hardware && labs.count) return look_at_hardware(s, labs.lab[0]);
    if (o->seal && labs.count) return seal(s, labs.lab[0]);
    if (!labs.count && !takes_standard_output(o)) puts("No lab has been started: all files are unchanged");
    json_t *records = json_array();
    for (unsigned k = 0; k < labs.count; k++)
        json_array_append_new(records, grading_run(s, labs.lab[k], judge_unfinished));
    write_files(o, records, !labs.count);
    struct all_labs all = {.s = s, .labs = &labs};
    start_ahead(&all);
    for (unsigned k = 0; k < labs.count; k++) {
        json_t *record = lab_in_turn(&all, k);
        const int status = replay_was_empty(record, o) ? EXIT_USAGE : write_reports(s, record);
        if (status > worst) worst = status;
        if (k + 1 < labs.count && !o->quiet && !takes_standard_output(o)) putchar('\n');
        json_array_set_new(records, k, record);
        write_files(o, records, k + 1 == labs.count);
    }
    ahead_end(all.ahead);
    json_decref(records);
    return worst;
}

/* ---- --watch -------------------------------------------------------------------------------- */
/* Writes the record as the page to serve, with its version number. */
static void write_page(const json_t *record, unsigned number) {
    FILE *page = turn_page();
    if (page && sink_write(sink_find("html"), record, page, &(struct sink_options){.live = number})) fclose(page);
}
/* Runs a turn of --watch: grades in a child process, with the same result as without --watch. */
static int grade_turn(void *context, unsigned number) {
    struct session *s = context;
    s->screen = turn_screen();
    session_seeds(s);
    json_t *record =
        grading_run(s, course_find(&s->course, s->options.lab), s->options.compile_only ? judge_build : judge_grade);
    const int status = replay_was_empty(record, &s->options) ? EXIT_USAGE : write_reports(s, record);
    json_t *records = json_pack("[O]", record);
    write_files(&s->options, records, true);
    if (s->live) write_page(record, number);
    json_decref(records);
    json_decref(record);
    return status;
}
/* Watches a lab. A turn prints the short verdict unless options ask for more, and writes report files as usual. */
static int watch_lab(struct session *s) {
    struct options *o = &s->options;
    const struct course_lab *of = course_find(&s->course, o->lab);
    struct grading g;
    char predictions[PATH_MAX + 128];
    if (!of) return grade_labs(s);
    o->quiet |= !(o->lanes || o->explain || o->beside);
    grading_of(s, of, &g);
    json_t *records = json_pack("[o]", judge_unfinished(&g.options));
    write_files(o, records, false); /* fails early if the files cannot be written */
    json_decref(records);
    const char *slash = strrchr(g.submission, '/');
    snprintf(predictions, sizeof predictions, "%.*spredictions.txt", slash ? (int)(slash + 1 - g.submission) : 0,
             g.submission);
    const char *const files[] = {g.submission, predictions, o->own};
    for (unsigned k = 0; k < sink_row_count; k++) s->live |= o->file[k] && !strcmp(sink_rows[k]->name, "html");
    return watch_run(&(struct watch){.files = files,
                                     .file_count = o->own ? 3 : 2,
                                     .shown = g.shown,
                                     .color = s->color,
                                     .page = s->live,
                                     .port = o->port,
                                     .grade = grade_turn,
                                     .context = s});
}

/* ---- the other commands --------------------------------------------------------------------- */
/* `./grade run FILE KERNEL ...` */
static int run(struct session *s, int argc, char **argv) {
    const struct run_place place = {.root = s->root, .compiler = session_wanted_compiler(s)};
    for (int k = 1; k < argc; k++)
        if (!strncmp(argv[k], "--ha", 4)) return hardware_run(argc, argv, &place); /* argp accepts abbreviations */
    return run_command(argc, argv, &place);
}
/* `./grade exec PROGRAM ...`, which runs whole programs */
static int exec(struct session *s, int argc, char **argv) { return exec_command(argc, argv, s->root); }
/* `./grade ladder` */
static int ladder(struct session *s, int argc, char **argv) {
    /* OpenMP threads that spin while they wait occupy cores that working threads need. OpenMP reads OMP_WAIT_POLICY
     * only when a program starts, so set it and restart the program. argv[-1] is the command. */
    if (!getenv("OMP_WAIT_POLICY") && !setenv("OMP_WAIT_POLICY", "passive", 1)) execv("/proc/self/exe", argv - 1);
    return ladder_command(
        argc, argv, &(struct ladder_place){.root = s->root, .cache = s->cache, .compiler = session_wanted_compiler(s)});
}
/* `./grade release`, which builds what instructors hand out */
static int release(struct session *s, int argc, char **argv) {
    session_course(s);
    session_compiler(s);
    return release_command(
        argc, argv,
        &(struct release_place){.root = s->root, .cache = s->cache, .course = &s->course, .compiler = s->compiler});
}
/* `./grade class`, which grades the submissions of a class */
static int class(struct session *s, int argc, char **argv) {
    return class_command(argc, argv, &(struct class_place){.root = s->root});
}
static const struct command {
    const char *word;
    int (*run)(struct session *s, int argc, char **argv);
} commands[] = {
#define COMMAND(word, arguments, what, rows) {#word, word},
#include "commands.def"
#undef COMMAND
};

/* Undoes what a parent process may leave to this one: ignored or blocked signals that the waits for children need. */
static void reset_signals(void) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGCHLD, SIG_DFL);
}
int main(int argc, char **argv) {
    struct session s = {0};
    char message[300];
    reset_signals();
    /* Processes that another ./grade starts */
    if (argc == 3 && !strcmp(argv[1], WORKER_WORD)) return worker_main(atoi(argv[2]));
    if (nvrtc_called(argc, argv)) return nvrtc_main(argc, argv);
    if (!secret_take(&s.secret, message, sizeof message)) exit_saying(EXIT_SETUP, "%s", message);
    /* Commands that have their own options */
    for (unsigned k = 0; argc > 1 && k < sizeof commands / sizeof *commands; k++)
        if (!strcmp(argv[1], commands[k].word)) return session_root(&s), commands[k].run(&s, argc - 1, argv + 1);
    options_parse(argc, argv, &s.options);
    /* Options that need no lab */
    if (s.options.list) return list(&s);
    if (s.options.ptx_doc) return ptx_document(stdout), EXIT_FULL;
    if (s.options.man) return describe_man(stdout), EXIT_FULL;
    if (s.options.completions) {
        if (describe_shell(stdout, s.options.completions)) return EXIT_FULL;
        exit_saying(EXIT_USAGE, "no completions for `%s`: " DESCRIBE_SHELLS, s.options.completions);
    }
    if (s.options.gpus_doc) return gpu_document(stdout), EXIT_FULL;
    if (s.options.findings_doc) return catalog_document(stdout), EXIT_FULL;
    /* Grading */
    if (s.options.watch && s.secret.text[0])
        exit_saying(EXIT_USAGE, "--watch draws a new seed on every save, so it does not work with a course's secret");
    file_remove_abandoned("/tmp");
    session_discover(&s);
    return s.options.watch ? watch_lab(&s) : grade_labs(&s);
}
