/* Parses the command line of `./grade release`. */
#include "release/release.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int figures(const struct release_place *place, char **argv) { return release_figures(place, argv[0], argv[1]); }
static int check_command(const struct release_place *place, char **argv) { return (void)argv, release_check(place); }
static int links(const struct release_place *place, char **argv) { return (void)argv, release_links(place); }
static int page(const struct release_place *place, char **argv) {
    const struct course_lab *lab = course_find(place->course, argv[0]);
    if (!lab)
        return fprintf(stderr, "grade: no lab `%s` in this course; ./grade --list prints the labs\n", argv[0]),
               RELEASE_USAGE;
    return release_page(&lab->lab, argv[1], argv[2], argv[3], argv[4]);
}
static const struct action {
    const char *name, *arguments, *what;
    unsigned least, most;
    int (*run)(const struct release_place *place, char **argv);
} actions[] = {
    {"check", "", "check the course: print a table of its labs, and its errors", 0, 0, check_command},
    {"links", "", "check the links of all documents", 0, 0, links},
    {"page", "LAB RECORD NOTES OUT [CLASS]", "write a solution's page (make publish)", 4, 5, page},
    {"figures", "LAB FOLDER", "write a solution's figures into the handout in FOLDER", 2, 2, figures},
};
static int usage(int status) {
    FILE *out = status ? stderr : stdout;
    for (unsigned k = 0; k < sizeof actions / sizeof *actions; k++) {
        char call[60];
        snprintf(call, sizeof call, "%s %s", actions[k].name, actions[k].arguments);
        fprintf(out, "%s ./grade release %-34s %s\n", k ? "      " : "Usage:", call, actions[k].what);
    }
    return status;
}
int release_command(int argc, char **argv, const struct release_place *place) {
    if (argc == 2 && !strcmp(argv[1], "--help")) return usage(RELEASE_GOOD);
    for (unsigned k = 0; argc > 1 && k < sizeof actions / sizeof *actions; k++) {
        const struct action *a = &actions[k];
        const unsigned given = (unsigned)argc - 2;
        if (!strcmp(a->name, argv[1]) && given >= a->least && given <= a->most) return a->run(place, argv + 2);
    }
    return usage(RELEASE_USAGE);
}
