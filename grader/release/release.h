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
/* Writes folder/grader/figures/LAB.COMPILER.json (judge/figures.h) for each available compiler, and prints the names of
 * the files. Returns RELEASE_GOOD, RELEASE_USAGE (no such lab) or RELEASE_SETUP (a solution cannot be measured, or its
 * file not written). */
int release_figures(const struct release_place *place, const char *lab, const char *folder);

/* ---- check.c -------------------------------------------------------------------------------- */
/* Checks the declaration of a lab: its points; the ids, needs and speed thresholds of its checks; the names of its
 * kernels; and whether a kernel with two inputs can be launched as declared. Appends errors to `faults`, as strings
 * "place: error", often with a remedy. */
void release_check_declared(const struct lab *lab, json_t *faults);
/* Checks predictions.txt of the skeleton and of the solution, and appends errors likewise. Both must contain exactly
 * the questions of the lab, unanswered in the skeleton and answered in the solution. */
void release_check_predictions(const struct lab *lab, const char *root, json_t *faults);
/* Checks the course: its deadlines, all labs (declaration, predictions, points of the skeleton and the solution), and
 * the links of all documents. Prints a table of the labs, the state of the sandbox, and the errors. Returns
 * RELEASE_GOOD or RELEASE_FAULTS. */
int release_check(const struct release_place *place);

/* Checks only the links: those of README.md, docs/, the solutions' notes, and the labs' handouts. Returns RELEASE_GOOD
 * or RELEASE_FAULTS. */
int release_links(const struct release_place *place);

/* ---- links.c -------------------------------------------------------------------------------- */
/* Checks each relative link outside code in the Markdown file root/name. The file that it names must exist and, if the
 * file is Markdown, contain the heading. Appends errors to `faults`. Returns the number of these links. */
unsigned release_check_links(const char *root, const char *name, json_t *faults);

/* ---- page.c --------------------------------------------------------------------------------- */
/* Writes the page of a lab's solution from its result record and its notes (HTML). `gradebook` is a folder of `make
 * gradebook` with the class's results, or NULL. Returns RELEASE_GOOD or, with a message, RELEASE_SETUP. */
int release_page(const struct lab *lab, const char *record_path, const char *notes_path, const char *out_path,
                 const char *gradebook);

enum { RELEASE_TEXT = 4 << 20 }; /* maximum size of a text file in bytes */

#endif
