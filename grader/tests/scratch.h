/* A copy of the kit in a temporary folder, to be changed and built: what does adding a thing touch?
 *
 *   tcase_add_unchecked_fixture(tcase, scratch_make, scratch_free);       $S in scripts
 *   scratch_add("grader/sinks/x.c", text);            a file, or over one
 *   scratch_row("grader/sinks/sinks.def", "ROW(x)");  a line before the file's last
 *   ck_assert_int_eq(scratch_edits(), 2);             files that differ from the kit's
 *   scratch_build();                                  $S/build/grade: takes the objects that the change leaves alone
 *
 * Each aborts the test where it does not succeed. */
#ifndef TESTS_SCRATCH_H
#define TESTS_SCRATCH_H

#include "judge/process.h"
#include "tests/files.h"

#include <check.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char scratch[] = "/tmp/check-scratch-XXXXXX";

/* Runs a script by sh; its output, free() it. Aborts if it does not end as it should: `right` means with 0. */
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
/* The folder of $GRADE under the kit's, "build" as a rule: make's dependency files name it. */
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
static inline void scratch_row(const char *name, const char *row) {
    free(scratch_shell(true, "sed -i '$i\\%s' $S/%s", row, name));
}
static inline unsigned scratch_edits(void) {
    char *said = scratch_shell(false, "for f in Makefile common grader labs solutions; do "
                                      "[ ! -e $f ] || diff -rq $f $S/$f; done | tee $S/edits | wc -l");
    const unsigned count = (unsigned)strtoul(said, NULL, 10);
    free(said);
    return count;
}
static inline void scratch_build(void) {
    const char *cc = getenv("CC");
    free(scratch_shell(true, "cd $S && env -u MAKEFLAGS -u MAKELEVEL make -j2 BUILD=%s CC='%s' CFLAGS=-O0 %s/grade",
                       scratch_objects(), cc ? cc : "gcc", scratch_objects()));
    if (strcmp(scratch_objects(), "build") != 0) free(scratch_shell(true, "ln -sfn $S/%s $S/build", scratch_objects()));
}
static inline void scratch_free(void) { free(scratch_shell(true, "rm -rf $S")); }

#endif
