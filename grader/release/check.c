/* Finds mistakes in the course's settings, and in the declarations and files of its labs, before students do. */
#include "base/file.h"
#include "judge/judge.h"
#include "record/status.h"
#include "release/release.h"
#include "sandbox/sandbox.h"
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEED = 1 };
static void complain(json_t *faults, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void complain(json_t *faults, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    json_array_append_new(faults, json_vsprintf(format, arguments));
    va_end(arguments);
}

/* ---- declarations ----------------------------------------------------------------------- */
static unsigned points(const struct lab *lab) {
    unsigned sum = 0;
    for (unsigned k = 0; k < lab->check_count; k++) sum += lab->checks[k].points;
    return sum;
}
void release_check_declared(const struct lab *lab, json_t *faults) {
    char where[200];
    snprintf(where, sizeof where, "labs/%s_%s/grader.c", lab->id, lab->name);
    if (points(lab) != 100) complain(faults, "%s: the points sum to %u: make them sum to 100", where, points(lab));
    for (unsigned k = 0; k < lab->check_count; k++) {
        const struct lab_check *c = &lab->checks[k];
        for (unsigned n = 0; n < k; n++)
            if (!strcmp(lab->checks[n].id, c->id))
                complain(faults, "%s: two checks are named `%s`: rename one", where, c->id);
        if (!lab_needs_are_before(lab, k, k))
            complain(faults, "%s: `%s` needs `%s`, which is not an earlier check", where, c->id, c->needs);
        if (c->kind->ratio && !(lab->speed_full > 0 && lab->speed_full < lab->speed_none))
            complain(faults, "%s: speed_full must be more than 0 and less than speed_none", where);
    }
    for (unsigned k = 0; k < lab->kernel_count; k++) {
        const struct lab_kernel *one = &lab->kernels[k];
        if (one->second && ((one->finish == FINISH_LAUNCH && !one->one_block) || one->finish == FINISH_LEVELS))
            complain(faults,
                     "%s: `%s` has two inputs, so it cannot be launched again on its partials: combine the partials "
                     "on the host, with atomics, or in the same launch",
                     where, one->name);
        for (unsigned n = 0; n < k; n++) {
            const struct lab_kernel *a = &lab->kernels[n], *b = &lab->kernels[k];
            if (!strcmp(a->label ? a->label : a->name, b->label ? b->label : b->name))
                complain(faults, "%s: two kernels are named `%s`: give one a label", where,
                         b->label ? b->label : b->name);
        }
    }
}
static void ids(const struct course *course, json_t *faults) {
    for (unsigned k = 0; k < course->count; k++)
        for (unsigned n = 0; n < k; n++) {
            const struct lab *a = &course->labs[n].lab, *b = &course->labs[k].lab;
            if (!strcmp(a->id, b->id))
                complain(faults, "labs/%s_%s: two labs have the id %s: rename one", b->id, b->name, b->id);
            if (!strcmp(a->name, b->name))
                complain(faults, "labs/%s_%s: two labs are named %s: rename one", b->id, b->name, b->name);
        }
}

/* ---- predictions.txt ------------------------------------------------------------------------ */
/* Checks that predictions.txt contains exactly the lab's questions, with answers of the kind `wanted`. */
static void questions(const struct lab *lab, const char *root, const char *folder, enum prediction wanted,
                      json_t *faults) {
    char name[PATH_MAX], path[2 * PATH_MAX];
    unsigned asked = 0, lines = 0;
    double value;
    snprintf(name, sizeof name, "%s/%s_%s/predictions.txt", folder, lab->id, lab->name);
    snprintf(path, sizeof path, "%s/%s", root, name);
    char *text = file_read(path, 0, RELEASE_TEXT, NULL);
    if (!text) return complain(faults, "%s: cannot be read: add it", name);
    for (unsigned k = 0; lab->predictions && lab->predictions[k]; k++)
        for (unsigned n = 0; n < PREDICTION_BLOCKS; n++, asked++) {
            const enum prediction p = prediction_find(text, lab->predictions[k], prediction_blocks[n], &value);
            if (p == wanted) continue;
            complain(faults, "%s: %s@%u: %s", name, lab->predictions[k], prediction_blocks[n],
                     p == PREDICTION_MISSING     ? "the line is missing: add it"
                     : wanted == PREDICTION_OPEN ? "must be `?` in the handout"
                                                 : "must be a number, the correct answer");
        }
    for (const char *s = text; *s; s += strcspn(s, "\n"), s += *s == '\n') {
        const size_t n = strcspn(s, "\n#");
        lines += memchr(s, '@', n) && memchr(s, ':', n);
    }
    if (lines > asked)
        complain(faults, "%s: the file has %u lines with questions, but the lab declares %u: remove the others", name,
                 lines, asked);
    free(text);
}
void release_check_predictions(const struct lab *lab, const char *root, json_t *faults) {
    if (!lab->predictions) return;
    questions(lab, root, "labs", PREDICTION_OPEN, faults);
    questions(lab, root, "solutions", PREDICTION_GIVEN, faults);
}

/* ---- skeleton and solution ------------------------------------------------------------------ */
static json_t *graded_record(const struct release_place *place, const struct lab *lab, bool solution) {
    char path[PATH_MAX + 300], predictions[PATH_MAX + 300];
    const char *folder = solution ? "solutions" : "labs";
    snprintf(path, sizeof path, "%s/%s/%s_%s/reduce.cu", place->root, folder, lab->id, lab->name);
    snprintf(predictions, sizeof predictions, "%s/%s/%s_%s/predictions.txt", place->root, folder, lab->id, lab->name);
    const struct judge_options o = {.lab = lab,
                                    .device = device_find("sim"),
                                    .compiler = place->compiler,
                                    .root = place->root,
                                    .cache = place->cache,
                                    .submission = path,
                                    .shown = path + strlen(place->root) + 1,
                                    .predictions = predictions,
                                    .replay_options = solution ? "--solution" : "",
                                    .solution = solution,
                                    .seed = SEED,
                                    .only_size = UINT32_MAX};
    return judge_grade(&o);
}
/* Grades the reference or the skeleton, and reports unexpected results. Returns its points, or -1 if it cannot be
 * graded. */
static int grade_reference(const struct release_place *place, const struct lab *lab, bool solution, json_t *faults) {
    json_t *record = graded_record(place, lab, solution);
    const char *file = json_string_value(json_object_get(record, "submission"));
    const enum grade_end end = grade_end_of(record);
    const int score = (int)json_integer_value(json_object_get(record, "score"));
    const bool judged = end == END_FULL || end == END_PARTIAL;
    if (!judged) {
        const char *log = json_string_value(json_object_get(json_object_get(record, "build"), "log"));
        const char *message = json_string_value(json_object_get(record, "message"));
        complain(faults, "%s: %s: %s", file, message, end == END_BUILD && log ? log : "see `./grade --compile-only`");
    } else if (solution && end != END_FULL)
        complain(faults, "%s: the solution gets only %d points: `./grade %s --solution --seed %d` shows why", file,
                 score, lab->id, SEED);
    else if (!solution && score != 0)
        complain(faults, "%s: the skeleton gets %d points, not 0: see `needs` in grader.c", file, score);
    json_decref(record);
    return judged ? score : -1;
}

static unsigned lab_links(const char *root, const struct lab *lab, json_t *faults) {
    char readme[300];
    snprintf(readme, sizeof readme, "labs/%s_%s/README.md", lab->id, lab->name);
    return release_check_links(root, readme, faults);
}

/* ---- the table ------------------------------------------------------------------------------ */
static const char *word(const json_t *faults, size_t before) {
    return json_array_size(faults) == before ? "ok" : "FAULT";
}
static void check_row(const struct release_place *place, const struct lab *lab, json_t *faults) {
    char skeleton[20] = "-", solution[20] = "-";
    size_t before = json_array_size(faults);
    release_check_declared(lab, faults);
    printf("%-7s%6u  %-8s", lab->id, points(lab), word(faults, before));
    before = json_array_size(faults);
    release_check_predictions(lab, place->root, faults);
    printf("%-12s", word(faults, before));
    before = json_array_size(faults);
    const unsigned links = lab_links(place->root, lab, faults);
    printf("%2u %-8s", links, word(faults, before));
    fflush(stdout);
    const int none = grade_reference(place, lab, false, faults), all = grade_reference(place, lab, true, faults);
    if (none >= 0) snprintf(skeleton, sizeof skeleton, "%d", none);
    if (all >= 0) snprintf(solution, sizeof solution, "%d", all);
    printf("%8s %9s\n", skeleton, solution);
}
/* Checks the links in the documents outside labs/. Returns the number of links. */
static unsigned documents(const char *root, json_t *faults) {
    static const char *const patterns[] = {"README.md", "docs/*.md", "docs/*/*.md", "solutions/*/notes.md"};
    unsigned links = 0;
    for (unsigned k = 0; k < sizeof patterns / sizeof *patterns; k++) {
        char pattern[PATH_MAX + 32];
        glob_t found = {0};
        snprintf(pattern, sizeof pattern, "%s/%s", root, patterns[k]);
        if (!glob(pattern, 0, NULL, &found))
            for (size_t n = 0; n < found.gl_pathc; n++)
                links += release_check_links(root, found.gl_pathv[n] + strlen(root) + 1, faults);
        globfree(&found);
    }
    return links;
}
static size_t print_faults(const json_t *faults) {
    size_t k;
    json_t *fault;
    json_array_foreach(faults, k, fault) printf("%s%s\n", k ? "" : "\n", json_string_value(fault));
    return json_array_size(faults);
}
int release_links(const struct release_place *place) {
    json_t *faults = json_array();
    unsigned links = documents(place->root, faults);
    for (unsigned n = 0; n < place->course->count; n++)
        links += lab_links(place->root, &place->course->labs[n].lab, faults);
    printf("%u links: %s\n", links, json_array_size(faults) ? "some are broken" : "all valid");
    const size_t wrong = print_faults(faults);
    json_decref(faults);
    return wrong ? RELEASE_FAULTS : RELEASE_GOOD;
}
int release_check(const struct release_place *place) {
    json_t *faults = json_array();
    ids(place->course, faults);
    char message[200];
    if (!course_deadlines_exist(place->course, message, sizeof message)) complain(faults, "%s", message);
    printf("lab    points  declared predictions    links skeleton  solution\n");
    for (unsigned n = 0; n < place->course->count; n++) check_row(place, &place->course->labs[n].lab, faults);
    const size_t before = json_array_size(faults);
    const unsigned links = documents(place->root, faults);
    printf("other documents: %u links %s\n\n", links, word(faults, before));
    sandbox_print(stdout);
    const size_t wrong = print_faults(faults);
    const unsigned labs = place->course->count;
    printf("\n%u lab%s: %s\n", labs, labs == 1 ? "" : "s", wrong ? "the course has errors" : "no errors in the course");
    json_decref(faults);
    return wrong ? RELEASE_FAULTS : RELEASE_GOOD;
}
