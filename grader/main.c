/* The main program of ./grade: parses the options, finds the course and its tools, grades, and reports. */
#include "ahead.h"
#include "base/cores.h"
#include "base/file.h"
#include "base/hash.h"
#include "choose.h"
#include "class/class.h"
#include "course/course.h"
#include "course/history.h"
#include "fix/fix.h"
#include "course/sealing.h"
#include "course/secret.h"
#include "describe.h"
#include "device/worker.h"
#include "exec/exec.h"
#include "hardware/hardware.h"
#include "judge/judge.h"
#include "ladder/ladder.h"
#include "model/gpus/gpu.h"
#include "options.h"
#include "release/release.h"
#include "replay.h"
#include "root.h"
#include "report/files.h"
#include "report/page.h"
#include "run/run.h"
#include "sandbox/sandbox.h"
#include "record/status.h"
#include "watch/turn.h"
#include "watch/watch.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>

/* State that all labs share. */
struct session {
    struct options options;
    char root[PATH_MAX], cache[PATH_MAX + 16];
    const struct device *device, *gpu;
    unsigned gpu_arch; /* compute capability of the GPU; 0 if unknown */
    const struct compiler *compiler;
    struct course course;
    struct secret secret;
    uint64_t seed[COURSE_MOST_LABS]; /* seed of each lab */
    uint64_t draw[COURSE_MOST_LABS]; /* selects M in predictions for --student; does not depend on a random seed */
    char chosen[16];
    bool color, sandbox;
    FILE *screen; /* where a turn of --watch shows its progress, or NULL */
    bool live;    /* whether --watch serves a page */
};

/* ---- discover ------------------------------------------------------------------------------- */
static void find_root(struct session *s) {
    if (!root_find(s->root, sizeof s->root))
        exit_saying(EXIT_SETUP, "common/reduce.h is neither in this command's folder, nor in the working folder, nor "
                                "above them: run the command from the kit's folder");
    root_cache(s->root, s->cache, sizeof s->cache);
}
static void find_course(struct session *s) {
    char path[PATH_MAX + 32], message[700];
    snprintf(path, sizeof path, "%s/labs/course.conf", s->root);
    if (!course_read(path, &s->course, message, sizeof message))
        exit_saying(EXIT_SETUP, "%s", message + (strncmp(message, s->root, strlen(s->root)) ? 0 : strlen(s->root) + 1));
}
/* Selects the devices. The simulator counts and explains; a GPU, if there is one, also checks the results. */
static void find_device(struct session *s) {
    struct device_error e = {""};
    const bool automatic = !strcmp(s->options.device, "auto");
    const struct device *wanted = device_find(automatic ? "cuda" : s->options.device);
    if (!wanted) {
        fprintf(stderr, "grade: no device `%s`: %s\n", s->options.device, device_names);
        exit(EXIT_USAGE);
    }
    s->device = wanted->measures ? wanted : device_find("sim");
    if (wanted->measures) return;
    const enum device_status status = device_probe(wanted, &s->gpu_arch, &e);
    if (status == DEVICE_OK)
        s->gpu = wanted;
    else if (!automatic)
        exit_saying(EXIT_SETUP, "%s", e.message);
    else if (status != DEVICE_ABSENT)
        fprintf(stderr, "grade: grading only on the simulator: %s\n", e.message);
}
/* Returns the compiler that --compiler names. Without this option, returns the compiler that the variable CUDA names
 * or, if it is not set, that of the last `make labN`. */
static const char *wanted_compiler(struct session *s) {
    if (s->options.compiler) return s->options.compiler;
    char path[PATH_MAX + 32];
    snprintf(path, sizeof path, "%s/../compiler", s->cache);
    FILE *f = fopen(path, "r");
    const bool read = f && fscanf(f, "%15s", s->chosen) == 1;
    if (f) fclose(f);
    return read ? s->chosen : "auto";
}
static void find_compiler(struct session *s) {
    char message[500] = "";
    const char *wanted = wanted_compiler(s);
    if (!compiler_known(wanted)) {
        fprintf(stderr, "grade: no compiler `%s`: use auto, " COMPILER_NAMES "\n", wanted);
        exit(EXIT_USAGE);
    }
    s->compiler = compiler_find(wanted, message, sizeof message);
    if (!s->compiler) exit_saying(EXIT_SETUP, "%s", message);
}
/* Decides whether to grade in a sandbox. A submission at another path is untrusted by default. */
static void find_sandbox(struct session *s) {
    char message[500];
    const struct options *o = &s->options;
    s->sandbox = o->sandbox == SANDBOX_ALWAYS || (o->submission && o->sandbox != SANDBOX_NEVER);
    if (s->sandbox && !sandbox_present(message, sizeof message)) exit_saying(EXIT_SETUP, "%s", message);
}
static void file_to_grade(const struct session *s, const struct lab *lab, char *path, size_t size) {
    const struct options *o = &s->options;
    if (o->submission)
        snprintf(path, size, "%s", o->submission);
    else
        snprintf(path, size, "%s/%s/%s_%s/reduce.cu", s->root, o->solution ? "solutions" : "labs", lab->id, lab->name);
}
/* Sets the seeds. --seed sets all of them. Without this option, a course with a secret derives a seed from each file,
 * and any other course draws one seed for all labs. */
static void find_seeds(struct session *s) {
    char path[PATH_MAX + 300];
    if (!s->options.seeded && getrandom(&s->options.seed, sizeof s->options.seed, 0) != sizeof s->options.seed)
        exit_saying(EXIT_SETUP, "the system returns no random numbers");
    if (!s->options.seeded) s->options.seed %= UINT64_C(1000000000); /* keeps the seed short enough to type */
    for (unsigned k = 0; k < s->course.count; k++) {
        const struct lab *lab = &s->course.labs[k].lab;
        const bool wanted =
            !strcmp(s->options.lab, "all") || course_find(&s->course, s->options.lab) == &s->course.labs[k];
        file_to_grade(s, lab, path, sizeof path);
        const bool secret = wanted && s->secret.text[0] && !s->options.seeded;
        s->seed[k] = secret ? secret_seed(&s->secret, lab->id, path) : s->options.seed;
    }
    for (unsigned k = 0; s->options.student && k < s->course.count; k++) {
        const char *id = s->course.labs[k].lab.id, *student = s->options.student;
        s->draw[k] = s->secret.text[0] ? secret_of_student(&s->secret, id, student)
                                       : hash_text(hash_text(s->options.seeded ? s->seed[k] : HASH_START, id), student);
    }
    secret_forget(&s->secret);
}
static void discover(struct session *s) {
    find_root(s);
    find_course(s);
    s->options.lab = choose_name(&s->course, s->root, s->options.lab);
    if (root_is_installed(s->root) && !s->options.submission)
        exit_saying(EXIT_USAGE,
                    "this folder contains no labs: run the command in the folder of your labs, or name a file with "
                    "--submission");
    find_sandbox(s);
    find_device(s);
    find_compiler(s);
    find_seeds(s);
    const char *no_color = getenv("NO_COLOR");
    s->color = isatty(STDOUT_FILENO) && !s->options.no_color && !(no_color && *no_color);
}

/* ---- one lab -------------------------------------------------------------------------------- */
static void progress(void *context, const char *what, unsigned done, unsigned of) {
    FILE *const screen = context;
    if (what)
        fprintf(screen, "\r\033[K[%u/%u] %s", done + 1, of, what);
    else
        fputs("\r\033[K", screen);
    fflush(screen);
}
static void wait_for_save(void *context) { (void)context, turn_wait(); }
/* Shows a preliminary verdict and searches for a fix, which may take as long as grading itself. The short verdict
 * omits the figures that the predictions ask for. */
static void show_and_explain(struct judge *j, json_t *record) {
    const struct session *s = j->options->ready_context;
    FILE *early = s->options.quiet && grade_end_of(record) == END_PARTIAL ? turn_early() : NULL;
    if (early) {
        sink_find("text")->write(record, early, &(struct sink_options){.color = s->color, .quiet = true});
        turn_show(early);
    }
    fix_search(j, record);
}
/* Adds the latest ladder of this machine (`./grade ladder`), if there is one, for the HTML page. */
static void add_ladder(const struct session *s, json_t *record) {
    char path[PATH_MAX + 64];
    snprintf(path, sizeof path, "%s/ladder.json", s->cache);
    json_t *ladder = s->options.seeded ? NULL : json_load_file(path, 0, NULL);
    const char *schema = json_string_value(json_object_get(ladder, "schema"));
    if (schema && !strcmp(schema, "reduction-labs/ladder/2")) json_object_set(record, "ladder", ladder);
    json_decref(ladder);
}
/* Adds the settings of the course for the lab. */
static void add_course(const struct session *s, const struct lab *lab, json_t *record) {
    const struct course_lab *c = course_find(&s->course, lab->id);
    json_t *course = course_rules(c);
    if (s->course.title[0]) json_object_set_new(course, "title", json_string(s->course.title));
    if (json_object_size(course)) json_object_set(record, "course", course);
    json_decref(course);
}
/* Returns whether the deadline has passed. Deadlines are compared as texts, which sort by time. "" means that there is
 * no deadline. */
static bool is_past(const char *deadline) {
    char now[20];
    const time_t t = time(NULL);
    struct tm local;
    if (!*deadline || !localtime_r(&t, &local)) return false;
    strftime(now, sizeof now, "%Y-%m-%d %H:%M", &local);
    return strcmp(now, deadline) > 0;
}
/* Returns a copy of the lab with the student's own operator. */
static struct lab with_operator(const struct lab *lab, const struct options *o) {
    struct grade_case c = {0};
    if (lab->own == OWN_REFUSED) {
        fprintf(stderr, "grade: %s does not support your own operator; these labs do:", lab->id);
        for (unsigned k = 0; k < lab_row_count; k++)
            if (lab_rows[k]->own != OWN_REFUSED) fprintf(stderr, " %s", lab_rows[k]->id);
        fputc('\n', stderr);
        exit(EXIT_USAGE);
    }
    if (access(o->own, F_OK)) exit_saying(EXIT_SETUP, "%s: this operator file does not exist", o->own);
    const struct lab own = own_lab(lab);
    if (o->only_case && !case_parse(&own, o->only_case, &c)) c.n = 0; /* replay_case() reports an invalid case */
    if (o->size != UINT32_MAX) c.n = o->size;
    if (c.n > OWN_ELEMENTS) {
        fprintf(stderr, "grade: your own operator takes at most %d elements\n", OWN_ELEMENTS);
        exit(EXIT_USAGE);
    }
    return own;
}
/* Returns whether the GPU runs code for that compute capability. Assumes so if the GPU does not report its own. */
static bool gpu_runs(const struct session *s, unsigned arch) { return s->gpu && (!s->gpu_arch || s->gpu_arch >= arch); }
/* The judge's options for grading one lab. Pointers in `options` refer to the other members, so the struct must not be
 * copied. */
struct grading {
    struct judge_options options;
    char submission[PATH_MAX + 128], shown[PATH_MAX + 128], predictions[PATH_MAX + 128], replay[2 * PATH_MAX + 64];
    char only_case[REPLAY_CASE];
    struct lab with;
    struct compiler compiler;
};
static void grading_of(const struct session *s, const struct course_lab *of, struct grading *g) {
    const struct options *o = &s->options;
    const struct lab *lab = &of->lab;
    char *const submission = g->submission, *const shown = g->shown, *const predictions = g->predictions,
                *const replay = g->replay, word[PATH_MAX];
    const char *folder = o->solution ? "solutions" : "labs";
    *replay = 0;
    snprintf(shown, sizeof g->shown, "%s/%s_%s/reduce.cu", folder, lab->id, lab->name);
    file_to_grade(s, lab, submission, sizeof g->submission);
    snprintf(predictions, sizeof g->predictions, "%s/%s/%s_%s/predictions.txt", s->root, folder, lab->id, lab->name);
    if (o->solution) snprintf(replay, sizeof g->replay, "--solution");
    if (o->submission) {
        if (!o->for_student) {
            snprintf(shown, sizeof g->shown, "%s", o->submission);
            snprintf(replay, sizeof g->replay, "--submission %s", shell_word(o->submission, word, sizeof word));
        }
        const char *slash = strrchr(o->submission, '/');
        snprintf(predictions, sizeof g->predictions, "%.*spredictions.txt",
                 slash ? (int)(slash + 1 - o->submission) : 0, o->submission);
        struct stat st;
        if (lstat(o->submission, &st)) exit_saying(EXIT_SETUP, "%s: this file does not exist", o->submission);
        if (access(predictions, F_OK) && !o->for_student) /* predictions in the kit's folder are not a student's */
            snprintf(predictions, sizeof g->predictions, "%s/labs/%s_%s/predictions.txt", s->root, lab->id, lab->name);
    }
    if (o->solution && access(submission, F_OK))
        exit_saying(EXIT_SETUP, "%s: this file does not exist, because this kit has no solutions", shown);
    if (o->own) {
        g->with = with_operator(lab, o), lab = &g->with;
        const size_t n = strlen(replay);
        snprintf(replay + n, sizeof g->replay - n, "%s--op %s", n ? " " : "", shell_word(o->own, word, sizeof word));
    }
    if (o->arch) {
        const size_t n = strlen(replay);
        snprintf(replay + n, sizeof g->replay - n, "%s--arch %u", n ? " " : "", o->arch);
    }
    g->compiler = compiler_for(s->compiler, o->arch ? o->arch : lab->arch);
    const char *only_case = replay_case(lab, o, g->only_case);
    FILE *const screen = s->screen ? s->screen : stderr;
    g->options =
        (struct judge_options){.lab = lab,
                               .device = s->device,
                               .gpu = gpu_runs(s, g->compiler.arch) ? s->gpu : NULL,
                               .modeled_gpu = o->gpu == gpu_default ? NULL : o->gpu,
                               .compiler = &g->compiler,
                               .root = s->root,
                               .cache = s->cache,
                               .submission = submission,
                               .shown = shown,
                               .own = o->own,
                               .own_shown = o->own,
                               .predictions = predictions,
                               .student = o->student,
                               .student_draw = s->draw[of - s->course.labs],
                               .no_pictures = o->no_pictures,
                               .explain = o->no_fix   ? NULL
                                          : s->screen ? show_and_explain
                                                      : fix_search,
                               .replay_options = replay,
                               .solution = o->solution,
                               .sandbox = s->sandbox,
                               .seed = s->seed[of - s->course.labs],
                               .schedule = o->schedule,
                               .only_case = only_case,
                               .values = o->values,
                               .only_size = only_case ? UINT32_MAX : o->size,
                               .only_block = only_case ? 0 : o->block,
                               .only_grid = only_case ? 0 : o->grid,
                               .progress = isatty(fileno(screen)) && (!o->quiet || s->screen) ? progress : NULL,
                               .progress_context = screen,
                               .ready = s->screen ? wait_for_save : NULL,
                               .ready_context = (void *)s};
}
/* Reveals as much of the fix as the course allows, and one level more for each --hint on the same file. */
static void tell(const struct session *s, const struct course_lab *of, json_t *record) {
    char history[PATH_MAX + 32];
    const struct options *o = &s->options;
    snprintf(history, sizeof history, "%s/history", s->cache);
    /* without --hint, the record of a submission does not depend on earlier grades */
    const bool counted = !o->solution && (!o->submission || o->hint);
    const unsigned more = counted ? history_hints(record, history, o->submission, o->hint) : 0;
    json_t *fix = json_object_get(record, "fix");
    if (o->keep_fix && (fix || grade_end_of(record) == END_PARTIAL))
        json_object_set_new(record, "fix_found", fix ? json_deep_copy(fix) : json_object());
    fix_tell(record, of->hints + more);
}
typedef json_t *judging(const struct judge_options *options); /* judges a lab and returns its record */
static json_t *run_lab(const struct session *s, const struct course_lab *of, judging *judge) {
    const struct options *o = &s->options;
    char history[PATH_MAX + 32];
    struct grading g;
    grading_of(s, of, &g);
    if (s->gpu && !g.options.gpu && judge == judge_grade)
        fprintf(stderr,
                "grade: %s needs compute capability %u.%u, but this GPU has %u.%u: grading only on the simulator\n",
                of->lab.id, g.compiler.arch / 10, g.compiler.arch % 10, s->gpu_arch / 10, s->gpu_arch % 10);
    snprintf(history, sizeof history, "%s/history", s->cache);
    if (judge == judge_grade && !o->solution && !o->for_student) history_grades(of->lab.id, history, true);
    json_t *record = judge(&g.options);
    if (s->screen) turn_keep();
    if (judge == judge_grade) tell(s, of, record), predictions_conceal(record, is_past(of->deadline));
    /* The history contains the student's own runs, but no runs with a given seed, because such a run repeats another
     * one. */
    if (judge == judge_grade && !o->solution && !o->submission && !o->own && !o->seeded &&
        !json_is_true(json_object_get(record, "replay")))
        history_add(record, history);
    add_ladder(s, record);
    add_course(s, g.options.lab, record);
    return record;
}

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
        json_t *safe = page_safe_copy(record, false);
        printf("%s compiles\n", page_string(safe, "submission"));
        page_warnings(&(struct page){stdout, s->color, TERMS_ALL}, safe);
        json_decref(safe);
    } else if (!sink_find("text")->write(record, stdout, &options))
        exit_saying(EXIT_SETUP, "cannot write to standard output");
    return status;
}
/* Writes the report files. Called before the first lab, after each lab and at the end, so that the reports are
 * well-formed even if the process is killed. */
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
    find_root(s);
    find_course(s);
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
/* Several labs that are graded in parallel on the CPU cores and reported in order. Only one lab at a time can use a
 * GPU, so with a GPU, labs are only compiled ahead, and compile errors are reported when the lab is graded. */
struct all_labs {
    const struct session *s;
    const struct chosen *labs;
    struct ahead *ahead; /* NULL if only one lab is graded at a time */
    bool graded;
};
static json_t *lab_ahead(void *context, unsigned k) {
    const struct all_labs *a = context;
    struct grading g;
    if (a->graded) return run_lab(a->s, a->labs->lab[k], judge_grade);
    grading_of(a->s, a->labs->lab[k], &g);
    return judge_build(&g.options);
}
static void start_ahead(struct all_labs *a) {
    enum { MOST_AT_ONCE = 8 };
    const unsigned allowed = cores_allowed(), cores = allowed < MOST_AT_ONCE ? allowed : MOST_AT_ONCE;
    if (a->labs->count < 2 || cores < 2 || a->s->options.compile_only) return;
    a->graded = !a->s->gpu;
    a->ahead = ahead_start(lab_ahead, a, a->labs->count, a->graded ? cores : 1);
}
static json_t *lab_in_turn(const struct all_labs *a, unsigned k) {
    const struct options *o = &a->s->options;
    const struct course_lab *of = a->labs->lab[k];
    const bool shows = a->ahead && a->graded && isatty(STDERR_FILENO) && !o->quiet;
    if (shows) progress(stderr, of->lab.title, k, a->labs->count);
    json_t *record = a->ahead ? ahead_take(a->ahead, k) : NULL;
    if (shows) progress(stderr, NULL, 0, 0);
    if (record && a->graded) return record;
    json_decref(record);
    return run_lab(a->s, of, o->compile_only ? judge_build : judge_grade);
}
/* Implements `./grade LAB --seal`. */
static int seal(const struct session *s, const struct course_lab *of) {
    char history[PATH_MAX + 32], shown[PATH_MAX];
    struct grading g;
    grading_of(s, of, &g);
    snprintf(history, sizeof history, "%s/history", s->cache);
    snprintf(shown, sizeof shown, "labs/%s_%s/predictions.txt", of->lab.id, of->lab.name);
    return seal_predictions(&of->lab, g.predictions, s->options.submission ? g.predictions : shown,
                            history_grades(of->lab.id, history, false));
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
    for (unsigned k = 0; k < labs.count; k++) json_array_append_new(records, run_lab(s, labs.lab[k], judge_unfinished));
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
    if (page && sink_find("html")->write(record, page, &(struct sink_options){.live = number})) fclose(page);
}
/* Runs a turn of --watch: grades in a child process, with the same result as without --watch. */
static int grade_turn(void *context, unsigned number) {
    struct session *s = context;
    s->screen = turn_screen();
    find_seeds(s);
    json_t *record =
        run_lab(s, course_find(&s->course, s->options.lab), s->options.compile_only ? judge_build : judge_grade);
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

/* Implements `./grade run FILE KERNEL ...`. */
static int run_main(int argc, char **argv) {
    struct session s = {0};
    const char *compiler = getenv("CUDA");
    s.options.compiler = compiler && *compiler ? compiler : NULL;
    find_root(&s);
    const struct run_place place = {.root = s.root, .compiler = wanted_compiler(&s)};
    for (int k = 1; k < argc; k++)
        if (!strncmp(argv[k], "--ha", 4)) return hardware_run(argc, argv, &place); /* argp accepts abbreviations */
    return run_command(argc, argv, &place);
}

/* Implements `./grade exec PROGRAM ...`, which runs whole programs. */
static int exec_main(int argc, char **argv) {
    struct session s = {0};
    find_root(&s);
    return exec_command(argc, argv, s.root);
}

/* Implements `./grade ladder`. */
static int ladder(int argc, char **argv) {
    struct session s = {0};
    /* OpenMP threads that spin while they wait occupy cores that working threads need. OpenMP reads OMP_WAIT_POLICY
     * only when a program starts, so set it and restart the program. argv[-1] is the command. */
    if (!getenv("OMP_WAIT_POLICY") && !setenv("OMP_WAIT_POLICY", "passive", 1)) execv("/proc/self/exe", argv - 1);
    const char *compiler = getenv("CUDA");
    s.options.compiler = compiler && *compiler ? compiler : NULL;
    find_root(&s);
    return ladder_command(argc, argv,
                          &(struct ladder_place){.root = s.root, .cache = s.cache, .compiler = wanted_compiler(&s)});
}

/* Implements `./grade release`, which builds what instructors hand out. */
static int release_main(int argc, char **argv) {
    struct session s = {0};
    const char *compiler = getenv("CUDA");
    s.options.compiler = compiler && *compiler ? compiler : NULL;
    find_root(&s);
    find_course(&s);
    find_compiler(&s);
    return release_command(
        argc, argv,
        &(struct release_place){.root = s.root, .cache = s.cache, .course = &s.course, .compiler = s.compiler});
}
/* Implements `./grade class`, which grades the submissions of a class. */
static int class(int argc, char **argv) {
    struct session s = {0};
    find_root(&s);
    return class_command(argc, argv, &(struct class_place){.root = s.root});
}

int main(int argc, char **argv) {
    struct session s = {0};
    if (argc == 3 && !strcmp(argv[1], WORKER_WORD)) return worker_main(atoi(argv[2]));
    if (nvrtc_called(argc, argv)) return nvrtc_main(argc, argv);
    char message[300];
    if (!secret_take(&s.secret, message, sizeof message)) exit_saying(EXIT_SETUP, "%s", message);
    if (argc > 1 && !strcmp(argv[1], "ladder")) return ladder(argc - 1, argv + 1);
    if (argc > 1 && !strcmp(argv[1], "class")) return class(argc - 1, argv + 1);
    if (argc > 1 && !strcmp(argv[1], "run")) return run_main(argc - 1, argv + 1);
    if (argc > 1 && !strcmp(argv[1], "exec")) return exec_main(argc - 1, argv + 1);
    if (argc > 1 && !strcmp(argv[1], "release")) return release_main(argc - 1, argv + 1);
    options_parse(argc, argv, &s.options);
    if (s.options.list) return list(&s);
    if (s.options.ptx_doc) return ptx_document(stdout), EXIT_FULL;
    if (s.options.man) return describe_man(stdout), EXIT_FULL;
    if (s.options.completions) {
        if (describe_shell(stdout, s.options.completions)) return EXIT_FULL;
        exit_saying(EXIT_USAGE, "no completions for `%s`: " DESCRIBE_SHELLS, s.options.completions);
    }
    if (s.options.gpus_doc) return gpu_document(stdout), EXIT_FULL;
    if (s.options.findings_doc) return catalog_document(stdout), EXIT_FULL;
    if (s.options.watch && s.secret.text[0])
        exit_saying(EXIT_USAGE, "--watch draws a new seed at each save, so it does not work with a course's secret");
    file_remove_abandoned("/tmp");
    discover(&s);
    return s.options.watch ? watch_lab(&s) : grade_labs(&s);
}
