/* Makes a copy of the kit in a temporary folder. A test changes and builds the copy, and compares the changed files
 * with docs/architecture.md. Each function aborts the test on failure.
 *
 *  tcase_add_unchecked_fixture(tcase, scratch_make, scratch_free);
 *                                      the folder is $S in scripts
 *  scratch_add("grader/report/x.c", text);
 *                                      writes a file
 *  scratch_insert("grader/main.c", "    case 1", text);
 *                                      inserts text before a unique string, or before the last line if the string
 *                                      is NULL
 *  scratch_touched("a report format"); asserts that the changed files, and their number, are those in that row of
 *                                      docs/architecture.md
 *  scratch_build("CFLAGS=-O0");        builds $S/build/grade from the changed files and the objects of the others */
#ifndef TESTS_SCRATCH_H
#define TESTS_SCRATCH_H

#include "sandbox/process.h"
#include "tests/files.h"

#include <check.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char scratch[] = "/tmp/check-scratch-XXXXXX";

/* Runs a script with sh and returns its output; free() it. Aborts the test if a signal kills the script. If `right`,
 * also aborts the test if the exit status is not 0. */
static inline char *scratch_shell(bool right, const char *format, ...) __attribute__((format(printf, 2, 3)));
static inline char *scratch_shell(bool right, const char *format, ...) {
    char *script;
    va_list args;
    va_start(args, format);
    ck_assert(vasprintf(&script, format, args) > 0);
    va_end(args);
    const char *const argv[] = {"sh", "-c", script, NULL};
    const struct process_result p =
        process_run(argv, &(struct process_limits){.wall_seconds = 300, .output_bytes = 8 << 20});
    ck_assert_msg(p.end == PROCESS_EXITED && (!right || p.status == 0), "%s\n%.3000s", script, p.output);
    free(script);
    return p.output;
}
/* Returns the path of $GRADE's folder in the kit, usually "build". The dependency files of make contain this path. */
static inline const char *scratch_objects(void) {
    static char relative[PATH_MAX];
    char here[PATH_MAX], build[PATH_MAX];
    const char *grade = getenv("GRADE");
    ck_assert(getcwd(here, sizeof here) && realpath(grade ? grade : "build/grade", build));
    *strrchr(build, '/') = 0;
    const size_t n = strlen(here);
    const bool inside = !strncmp(here, build, n) && build[n] == '/';
    snprintf(relative, sizeof relative, "%s", inside ? build + n + 1 : "build");
    return relative;
}
static inline void scratch_make(void) {
    ck_assert(mkdtemp(scratch) != NULL);
    setenv("S", scratch, 1);
    free(scratch_shell(true,
                       "set -e; B=%s; cp -a Makefile common grader labs $S; [ ! -d solutions ] || cp -a solutions $S; "
                       "mkdir -p $S/$B; cp -a $B/grader $B/common $B/labs $B/labs.inc $B/isas $B/setup.done $S/$B; "
                       "rm -rf $S/$B/grader/tests $S/$B/grade",
                       scratch_objects()));
}
static inline void scratch_add(const char *name, const char *text) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", scratch, name);
    write_file(path, text, strlen(text));
}
static inline void scratch_insert(const char *name, const char *before, const char *text) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", scratch, name);
    char *old = read_file(path), *at = before ? strstr(old, before) : old + strlen(old) - 1, *whole;
    ck_assert_msg(at && (!before || !strstr(at + 1, before)), "%s: `%s` does not occur exactly once", name, before);
    while (!before && at > old && at[-1] != '\n') at--;
    ck_assert(asprintf(&whole, "%.*s%s%s", (int)(at - old), old, text, at) > 0);
    write_file(path, whole, strlen(whole));
    free(whole), free(old);
}

/* ---- docs/architecture.md, "Places to touch" ---------------------------------------------------------------- */
/* Returns the row "| what | files | count | ..." of docs/architecture.md. Aborts the test if the row is missing. */
static inline char *scratch_documented(const char *what) {
    char *text = read_file("docs/architecture.md"), *begin = NULL;
    ck_assert(asprintf(&begin, "\n| %s | ", what) > 0);
    char *at = strstr(text, begin);
    ck_assert_msg(at, "docs/architecture.md has no row for %s", what);
    at++;
    char *row = strndup(at, strcspn(at, "\n"));
    free(begin), free(text);
    return row;
}
/* Asserts that the row `row` of the table names this file. A new file appears there as `FOLDER/NAME.c`, a new folder
 * as `FOLDER/NAME/`. */
static inline void scratch_names(const char *what, const char *row, const char *file) {
    char word[PATH_MAX], kit[PATH_MAX];
    const char *short_name = !strncmp(file, "grader/", 7) ? file + 7 : file, *slash = strrchr(short_name, '/'),
               *dot = strrchr(short_name, '.');
    struct stat st;
    snprintf(kit, sizeof kit, "%s/%s", scratch, file);
    const bool folder = !stat(kit, &st) && S_ISDIR(st.st_mode);
    if (!access(file, F_OK))
        snprintf(word, sizeof word, "`%s`", short_name);
    else
        snprintf(word, sizeof word, "`%.*s/NAME%s`", slash ? (int)(slash - short_name) : 0, short_name,
                 folder ? "/" : dot);
    ck_assert_msg(strstr(row, word), "docs/architecture.md, row %s: `%s` does not contain %s", what, row, word);
}
static inline void scratch_counts(const char *what, const char *row, unsigned count) {
    const char *at = row;
    for (unsigned k = 0; at && k < 3; k++) at = strchr(at + (k > 0), '|');
    ck_assert_msg(at && strtoul(at + 1, NULL, 10) == count, "%s touches %u files: %s", what, count, row);
}
/* Returns the files and folders that differ between the copy and the kit, one per line; free() it. */
static inline char *scratch_edits(void) {
    return scratch_shell(false, "for f in Makefile common grader labs solutions; do [ ! -e $f ] || diff -rq $f $S/$f; "
                                "done | sed \"s,^Files \\(.*\\) and .*,\\1,; s,^Only in $S/\\(.*\\): ,\\1/,\" | sort");
}
static inline unsigned scratch_edit_count(void) {
    char *edits = scratch_edits();
    unsigned count = 0;
    for (const char *at = edits; (at = strchr(at, '\n')); at++) count++;
    free(edits);
    return count;
}
static inline void scratch_touched(const char *what) {
    char *edits = scratch_edits(), *row = scratch_documented(what), *rest = edits;
    unsigned count = 0;
    for (char *file; (file = strsep(&rest, "\n")) && *file; count++) scratch_names(what, row, file);
    scratch_counts(what, row, count);
    free(edits), free(row);
}

/* ---- build -------------------------------------------------------------------------------------------------- */
static inline void scratch_build(const char *settings) {
    const char *cc = getenv("CC");
    free(scratch_shell(true, "cd $S && env -u MAKEFLAGS -u MAKELEVEL make -j2 BUILD=%s CC='%s' %s %s/grade",
                       scratch_objects(), cc ? cc : "gcc", settings, scratch_objects()));
    if (strcmp(scratch_objects(), "build") != 0) free(scratch_shell(true, "ln -sfn $S/%s $S/build", scratch_objects()));
}
static inline void scratch_free(void) { free(scratch_shell(true, "rm -rf $S")); }

#endif
