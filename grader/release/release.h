/* `./grade release`: builds and checks what an instructor hands out.
 *
 *   command.c   the command line                figures.c   costs of the solutions, for a handout
 *   check.c     checks the course               links.c     checks the links of documents
 *   page.c      writes a solution's page */
#ifndef RELEASE_RELEASE_H
#define RELEASE_RELEASE_H

#include "course/course.h"
#include "judge/judge.h"

enum { RELEASE_GOOD = 0, RELEASE_FAULTS = 1, RELEASE_USAGE = 2, RELEASE_SETUP = 3 }; /* exit statuses */

/* The kit's folder and cache, the course, and the compiler. */
struct release_place {
    const char *root, *cache;
    const struct course *course;
    const struct compiler *compiler;
};
/* Runs the command; argv[0] is "release". Returns the exit status. */
int release_command(int argc, char **argv, const struct release_place *place);

/* ---- figures.c ------------------------------------------------------------------------------ */
/* Writes folder/grader/figures/LAB.COMPILER.json (judge/figures.h) for each available compiler, and prints the names
 * of the files. */
int release_figures(const struct release_place *place, const char *lab, const char *folder);

/* ---- check.c -------------------------------------------------------------------------------- */
/* These functions append errors to `faults`, as strings of the form "place: error: remedy". */
/* Checks the declaration of a lab: ids, points, needs and thresholds. */
void release_check_declared(const struct lab *lab, json_t *faults);
/* Checks predictions.txt of the skeleton and of the solution. Both must contain exactly the questions of the lab,
 * unanswered in the skeleton and answered in the solution. */
void release_check_predictions(const struct lab *lab, const char *root, json_t *faults);
/* Checks all labs, and prints a table of the labs and their errors. */
int release_check(const struct release_place *place);

/* Checks the links of all documents, and nothing else. */
int release_links(const struct release_place *place);

/* ---- links.c -------------------------------------------------------------------------------- */
/* Checks each link in the Markdown file root/name: the file must exist, and the heading, if the file is Markdown.
 * Returns the number of links. */
unsigned release_check_links(const char *root, const char *name, json_t *faults);

/* ---- page.c --------------------------------------------------------------------------------- */
/* Writes the page of a lab's solution from its result record and its notes (HTML). `gradebook` is a folder of `make
 * gradebook` with the class's results, or NULL. */
int release_page(const struct lab *lab, const char *record_path, const char *notes_path, const char *out_path,
                 const char *gradebook);

enum { RELEASE_TEXT = 4 << 20 }; /* maximum size of a text file in bytes */

#endif
