/* Parses the command line of `./grade class`. */
#include "class/class.h"
#include "record/status.h"
#include <getopt.h>
#include <stdarg.h>
#include <string.h>

static const char *const usage =
    "Usage: grade class import FOLDER OUT [--lab lab3] [--shape NAME] [--roster CSV] [--seed N] [--device NAME]\n    "
    "               [--compiler NAME] [--no-sandbox] [--fixes]   lay out the submissions of a class in OUT\n     "
    "  grade class begin OUT --count N   set the number of units to grade now\n       grade class grade OUT UNIT "
    "       grade one unit, such as ada/lab3\n       grade class progress OUT          show the progress\n       "
    "grade class report OUT            write gradebook.csv, class.html, attention.txt\n       grade class "
    "feedback OUT          write the reports to return to each student\n`make gradebook SUBMISSIONS=FOLDER` does "
    "all of this, on all cores; see docs/instructor.md.\n";

/* ---- the actions: a row each ------------------------------------------------------------------- */
static int import(const struct class_options *o, const struct class_place *place) { return class_import(o, place); }
static int begin_command(const struct class_options *o, const struct class_place *place) {
    (void)place;
    return class_begin(o);
}
static int progress(const struct class_options *o, const struct class_place *place) {
    (void)place;
    return class_progress(o);
}
static int grade_command(const struct class_options *o, const struct class_place *place) {
    (void)place;
    return class_grade(o);
}
static int report_command(const struct class_options *o, const struct class_place *place) {
    return class_report(o, place);
}
static int feedback(const struct class_options *o, const struct class_place *place) {
    (void)place;
    return class_feedback(o);
}
enum word { WORD_OUT, WORD_FROM, WORD_UNIT, WORDS };
static const struct command {
    const char *name;
    int (*run)(const struct class_options *o, const struct class_place *place);
    size_t words; /* number of non-option arguments, and a description of each */
    enum word word[2];
} commands[] = {{"import", import, 2, {WORD_FROM, WORD_OUT}},       {"begin", begin_command, 1, {WORD_OUT}},
                {"grade", grade_command, 2, {WORD_OUT, WORD_UNIT}}, {"progress", progress, 1, {WORD_OUT}},
                {"report", report_command, 1, {WORD_OUT}},          {"feedback", feedback, 1, {WORD_OUT}}};

static const struct option options[] = {{"lab", 1, 0, 'l'},
                                        {"shape", 1, 0, 's'},
                                        {"roster", 1, 0, 'r'},
                                        {"seed", 1, 0, 'S'},
                                        {"device", 1, 0, 'd'},
                                        {"compiler", 1, 0, 'c'},
                                        {"count", 1, 0, 'n'},
                                        {"no-sandbox", 0, 0, 't'},
                                        {"fixes", 0, 0, 'f'},
                                        {"help", 0, 0, 'h'},
                                        {0}};
/* Sets an option. Ignores an empty value, which Make passes for an unset variable. */
static bool set_option(struct class_options *o, int key, const char *value) {
    const char **const members[] = {['l'] = &o->lab,    ['s'] = &o->shape,    ['r'] = &o->roster, ['S'] = &o->seed,
                                    ['d'] = &o->device, ['c'] = &o->compiler, ['n'] = &o->count};
    if (key == '?') return false;
    if (value && *value) *members[key] = value;
    return true;
}
int class_command(int argc, char **argv, const struct class_place *place) {
    struct class_options o = {0};
    const char *name = argc > 1 ? argv[1] : "";
    int key;
    bool good = true;
    optind = 2;
    while ((key = getopt_long(argc, argv, "", options, NULL)) >= 0) {
        if (key == 'h') return fputs(usage, stdout), 0;
        if (key == 't')
            o.trusted = true;
        else if (key == 'f')
            o.fixes = true;
        else
            good &= set_option(&o, key, optarg);
    }
    if (!strcmp(name, "--help")) return fputs(usage, stdout), 0;
    for (size_t k = 0; good && k < sizeof commands / sizeof *commands; k++) {
        if (strcmp(name, commands[k].name) || (size_t)(argc - optind) != commands[k].words) continue;
        const char **const of_word[WORDS] = {[WORD_OUT] = &o.out, [WORD_FROM] = &o.from, [WORD_UNIT] = &o.unit};
        for (size_t n = 0; n < commands[k].words; n++) *of_word[commands[k].word[n]] = argv[optind + n];
        return commands[k].run(&o, place);
    }
    fputs(usage, stderr);
    return EXIT_USAGE;
}
