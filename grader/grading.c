/* See grading.h. */
#include "grading.h"
#include "course/history.h"
#include "fix/fix.h"
#include "judge/own.h"
#include "model/gpus/gpu.h"
#include "report/sink.h"
#include "watch/turn.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void grading_progress(void *screen, const char *what, unsigned done, unsigned of) {
    if (what)
        fprintf(screen, "\r\033[K[%u/%u] %s", done + 1, of, what);
    else
        fputs("\r\033[K", screen);
    fflush(screen);
}

/* ---- the judge's options ---------------------------------------------------------------------- */
static void wait_for_save(void *context) { (void)context, turn_wait(); }
/* Shows a preliminary verdict and searches for a fix, which may take as long as grading itself. The short verdict
 * omits the figures that the predictions ask for. */
static void show_and_explain(struct judge *j, json_t *record) {
    const struct session *s = j->options->ready_context;
    FILE *early = s->options.quiet && grade_end_of(record) == END_PARTIAL ? turn_early() : NULL;
    if (early) {
        sink_write(sink_find("text"), record, early, &(struct sink_options){.color = s->color, .quiet = true});
        turn_show(early);
    }
    fix_search(j, record);
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
        fprintf(stderr, "grade: with your own operator, a case has at most %d elements\n", OWN_ELEMENTS);
        exit(EXIT_USAGE);
    }
    return own;
}
/* Returns whether there is a GPU that runs code for compute capability `arch`. Assumes so if the GPU does not report
 * its own. */
static bool gpu_runs(const struct session *s, unsigned arch) { return s->gpu && (!s->gpu_arch || s->gpu_arch >= arch); }
/* Appends an option to the command that reproduces a failure. */
__attribute__((format(printf, 2, 3))) static void add_replay(struct grading *g, const char *format, ...) {
    const size_t n = strlen(g->replay), blank = n ? 1 : 0;
    va_list arguments;
    if (n) strcat(g->replay, " ");
    va_start(arguments, format);
    vsnprintf(g->replay + n + blank, sizeof g->replay - n - blank, format, arguments);
    va_end(arguments);
}
/* Finds predictions.txt next to the submission. If the file is missing there, takes the kit's file, except with
 * --student. */
static void find_predictions(const struct session *s, const struct lab *lab, struct grading *g) {
    const struct options *o = &s->options;
    const char *slash = strrchr(o->submission, '/');
    snprintf(g->predictions, sizeof g->predictions, "%.*spredictions.txt", slash ? (int)(slash + 1 - o->submission) : 0,
             o->submission);
    if (access(g->predictions, F_OK) && !o->for_student)
        snprintf(g->predictions, sizeof g->predictions, "%s/labs/%s_%s/predictions.txt", s->root, lab->id, lab->name);
}
static void find_files(const struct session *s, const struct lab *lab, struct grading *g) {
    const struct options *o = &s->options;
    const char *folder = o->solution ? "solutions" : "labs";
    char word[PATH_MAX];
    struct stat st;
    session_file(s, lab, g->submission, sizeof g->submission);
    snprintf(g->history, sizeof g->history, "%s/history", s->cache);
    snprintf(g->shown, sizeof g->shown, "%s/%s_%s/reduce.cu", folder, lab->id, lab->name);
    snprintf(g->predictions, sizeof g->predictions, "%s/%s/%s_%s/predictions.txt", s->root, folder, lab->id, lab->name);
    if (o->submission) {
        if (lstat(o->submission, &st)) exit_saying(EXIT_SETUP, "%s: this file does not exist", o->submission);
        find_predictions(s, lab, g);
    }
    if (o->submission && !o->for_student) {
        snprintf(g->shown, sizeof g->shown, "%s", o->submission);
        add_replay(g, "--submission %s", shell_word(o->submission, word, sizeof word));
    }
    if (o->solution) add_replay(g, "--solution");
    if (o->solution && access(g->submission, F_OK))
        exit_saying(EXIT_SETUP, "%s: this file does not exist, because this kit has no solutions", g->shown);
}
void grading_of(const struct session *s, const struct course_lab *of, struct grading *g) {
    const struct options *o = &s->options;
    const struct lab *lab = &of->lab;
    const ptrdiff_t row = of - s->course.labs;
    char word[PATH_MAX];
    *g->replay = 0;
    find_files(s, lab, g);
    if (o->own) {
        g->with = with_operator(lab, o), lab = &g->with;
        add_replay(g, "--op %s", shell_word(o->own, word, sizeof word));
    }
    if (o->arch) add_replay(g, "--arch %u", o->arch);
    g->compiler = compiler_for(s->compiler, o->arch ? o->arch : lab->arch);
    const char *only_case = replay_case(lab, o, g->only_case);
    FILE *const screen = s->screen ? s->screen : stderr;
    const bool progress = isatty(fileno(screen)) && (!o->quiet || s->screen);
    g->options = (struct judge_options){.lab = lab,
                                        .device = s->device,
                                        .gpu = gpu_runs(s, g->compiler.arch) ? s->gpu : NULL,
                                        .modeled_gpu = o->gpu == gpu_default ? NULL : o->gpu,
                                        .compiler = &g->compiler,
                                        .root = s->root,
                                        .cache = s->cache,
                                        .submission = g->submission,
                                        .shown = g->shown,
                                        .own = o->own,
                                        .own_shown = o->own,
                                        .predictions = g->predictions,
                                        .student = o->student,
                                        .student_draw = s->draw[row],
                                        .no_pictures = o->no_pictures,
                                        .explain = o->no_fix   ? NULL
                                                   : s->screen ? show_and_explain
                                                               : fix_search,
                                        .replay_options = g->replay,
                                        .solution = o->solution,
                                        .sandbox = s->sandbox,
                                        .seed = s->seed[row],
                                        .schedule = o->schedule,
                                        .only_case = only_case,
                                        .values = o->values,
                                        .only_size = only_case ? UINT32_MAX : o->size,
                                        .only_block = only_case ? 0 : o->block,
                                        .only_grid = only_case ? 0 : o->grid,
                                        .progress = progress ? grading_progress : NULL,
                                        .progress_context = screen,
                                        .ready = s->screen ? wait_for_save : NULL,
                                        .ready_context = (void *)s};
}

/* ---- the record ------------------------------------------------------------------------------- */
/* Adds the latest ladder of this machine (`./grade ladder`), if there is one, for the HTML page. Adds nothing with
 * --seed. */
static void add_ladder(const struct session *s, json_t *record) {
    char path[PATH_MAX + 64];
    snprintf(path, sizeof path, "%s/ladder.json", s->cache);
    json_t *ladder = s->options.seeded ? NULL : json_load_file(path, 0, NULL);
    const char *schema = json_string_value(json_object_get(ladder, "schema"));
    if (schema && !strcmp(schema, "reduction-labs/ladder/2")) json_object_set(record, "ladder", ladder);
    json_decref(ladder);
}
/* Adds the settings of the course for the lab. */
static void add_course(const struct session *s, const struct course_lab *of, json_t *record) {
    json_t *course = course_rules(of);
    if (s->course.title[0]) json_object_set_new(course, "title", json_string(s->course.title));
    if (json_object_size(course)) json_object_set(record, "course", course);
    json_decref(course);
}
/* Reveals as much of the fix as the course allows, and one level more for each --hint on the same file. */
static void reveal_fix(const struct options *o, const struct course_lab *of, const char *history, json_t *record) {
    /* without --hint, the record of a submission does not depend on earlier grades */
    const bool counted = !o->solution && (!o->submission || o->hint);
    const unsigned more = counted ? history_hints(record, history, o->submission, o->hint) : 0;
    json_t *fix = json_object_get(record, "fix");
    const enum grade_end of_grade = grade_end_of(record);
    if (o->keep_fix && (fix || of_grade == END_PARTIAL || of_grade == END_BUILD))
        json_object_set_new(record, "fix_found", fix ? json_deep_copy(fix) : json_object());
    fix_advise(record, of->hints + more);
}
json_t *grading_run(const struct session *s, const struct course_lab *of, judging *judge) {
    const struct options *o = &s->options;
    const bool grades = judge == judge_grade;
    struct grading g;
    grading_of(s, of, &g);
    if (s->gpu && !g.options.gpu && grades)
        fprintf(stderr,
                "grade: %s needs compute capability %u.%u, but this GPU has %u.%u: grading only on the simulator\n",
                of->lab.id, g.compiler.arch / 10, g.compiler.arch % 10, s->gpu_arch / 10, s->gpu_arch % 10);
    if (grades && !o->solution && !o->for_student) history_grades(of->lab.id, g.history, true);
    json_t *record = judge(&g.options);
    if (s->screen) turn_keep();
    if (grades) reveal_fix(o, of, g.history, record), predictions_conceal(record, deadline_is_past(of->deadline));
    /* The history contains the student's own runs, but no runs with a given seed, because such a run repeats another
     * run. */
    if (grades && !o->solution && !o->submission && !o->own && !o->seeded &&
        !json_is_true(json_object_get(record, "replay")))
        history_add(record, g.history);
    add_ladder(s, record);
    add_course(s, of, record);
    return record;
}
