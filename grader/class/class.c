/* Parses the command line of `./grade class`. */
#include "class/class.h"
#include "compile/compiler.h"
#include "device/device.h"
#include "record/status.h"
#include <argp.h>
#include <string.h>

/* ---- the table of actions ------------------------------------------------------------------- */
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
static const char calls[] = "import FOLDER OUT\nbegin OUT --count=N\ngrade OUT UNIT\nprogress OUT\nreport OUT\n"
                            "feedback OUT";
static const char text[] =
    "Grade the submissions of a class. `make gradebook SUBMISSIONS=FOLDER` and `make feedback` run these actions.\vThe "
    "actions lay out the submissions in OUT (import), set the number of units to grade now (begin), grade one unit, "
    "such as ada/lab3 (grade), show the progress (progress), write gradebook.csv, class.html and attention.txt "
    "(report), and write the reports to return to each student (feedback).\ndocs/instructor.md describes how to grade "
    "a class.";

/* ---- the command line -------------------------------------------------------------------------- */
enum { OPTION_NO_SANDBOX = 256, OPTION_FIXES };
const struct argp_option class_option_rows[] = {
    {"lab", 'l', "LAB", 0, "Import only the submissions of this lab", 1},
    {"shape", 's', "NAME", 0, "Layout of the submissions: " CLASS_SHAPES " (default: detected)", 1},
    {"roster", 'r', "FILE", 0, "Read the course's students from this CSV file", 1},
    {"seed", 'S', "N", 0, "The course's secret seed (default: random, and kept in OUT)", 2},
    {"device", 'd', "NAME", 0, "Device: auto, sim (default) or cuda", 2},
    {"compiler", 'c', "NAME", 0, "Compiler: auto (default), " COMPILER_NAMES, 2},
    {"fixes", OPTION_FIXES, 0, 0, "Search for a fix of each failing submission", 2},
    {"no-sandbox", OPTION_NO_SANDBOX, 0, 0, "Grade without a sandbox: only for submissions that you trust", 2},
    {"count", 'n', "N", 0, "With `begin`: number of units to grade", 3},
    {0}};
struct line {
    struct class_options options;
    const char *word[3];
    size_t words;
};
/* Ignores an empty value, which Make passes for an unset variable. */
static error_t parse(int key, char *value, struct argp_state *state) {
    struct line *l = state->input;
    struct class_options *o = &l->options;
    const char **const members[] = {['l'] = &o->lab,    ['s'] = &o->shape,    ['r'] = &o->roster, ['S'] = &o->seed,
                                    ['d'] = &o->device, ['c'] = &o->compiler, ['n'] = &o->count};
    if (key == OPTION_NO_SANDBOX)
        o->trusted = true;
    else if (key == OPTION_FIXES)
        o->fixes = true;
    else if (key == ARGP_KEY_ARG && l->words < sizeof l->word / sizeof *l->word)
        l->word[l->words++] = value;
    else if (key <= 0 || (size_t)key >= sizeof members / sizeof *members || !members[key])
        return ARGP_ERR_UNKNOWN;
    else if (*value)
        *members[key] = value;
    return 0;
}
int class_command(int argc, char **argv, const struct class_place *place) {
    static char name[] = "grade class";
    struct line l = {.words = 0};
    const struct argp argp = {class_option_rows, parse, calls, text, NULL, NULL, NULL};
    argv[0] = name;
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, NULL, &l);
    for (size_t k = 0; l.words && k < sizeof commands / sizeof *commands; k++) {
        if (strcmp(l.word[0], commands[k].name) || l.words - 1 != commands[k].words) continue;
        struct class_options *o = &l.options;
        const char **const of_word[WORDS] = {[WORD_OUT] = &o->out, [WORD_FROM] = &o->from, [WORD_UNIT] = &o->unit};
        for (size_t n = 0; n < commands[k].words; n++) *of_word[commands[k].word[n]] = l.word[n + 1];
        return commands[k].run(o, place);
    }
    argp_help(&argp, stderr, ARGP_HELP_SHORT_USAGE | ARGP_HELP_SEE, name);
    return EXIT_USAGE;
}
