/* Tests the command in docs/where.md that checks a student's file on macOS. With only the kit's headers, clang must
 * emit the same PTX for a Mac as for this machine. */
/* run: plain */
/* reads: docs/where.md labs solutions common */
#include "tests/files.h"
#include "tests/shell.h"
#include "tests/suite.h"
#include <check.h>
#include <string.h>
#include <unistd.h>

static const char *const labs_tried[] = {"lab0_one_thread", "lab7_last_block", "lab12_tensor"};
static const char *const targets[] = {"arm64-apple-macosx13", "x86_64-apple-macosx13"};

/* Returns the arguments that docs/where.md gives to clang, from -x up to -fsyntax-only. */
static char *arguments(void) {
    char *text = read_file("docs/where.md"), *at = strstr(text, "/bin/clang -x cuda"), *end;
    ck_assert_msg(at && (end = strstr(at, " -fsyntax-only")), "docs/where.md has no command for macOS");
    at += strlen("/bin/clang ");
    char *out = strndup(at, (size_t)(end - at));
    free(text);
    return out;
}
static char *ptx(const char *target, const char *flags, const char *lab) {
    return shell(0, "clang %s %s -stdlib=libc++ -S -O2 -DSOLUTION solutions/%s/reduce.cu -o - 2>&1", target, flags,
                 lab);
}
START_TEST(mac_targets_emit_the_same_ptx) {
    char target[60], *flags = arguments(), *here = ptx("", flags, labs_tried[_i]);
    ck_assert(strstr(here, ".visible .entry"));
    for (unsigned k = 0; k < sizeof targets / sizeof *targets; k++) {
        snprintf(target, sizeof target, "--target=%s", targets[k]);
        char *there = ptx(target, flags, labs_tried[_i]);
        ck_assert_msg(!strcmp(here, there), "%s, %s: %.300s", labs_tried[_i], targets[k], there);
        free(there);
    }
    free(here), free(flags);
}
END_TEST

int main(void) {
    if (access("solutions", R_OK)) return printf("SKIP check_hosts: no solutions\n"), 0;
    if (system("clang --version >/dev/null 2>&1")) return printf("SKIP check_hosts: no clang\n"), 0;
    Suite *suite = suite_create("hosts");
    TCase *tcase = tcase_create("hosts");
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, mac_targets_emit_the_same_ptx, 0, sizeof labs_tried / sizeof *labs_tried);
    suite_add_tcase(suite, tcase);
    return suite_failures(suite) != 0;
}
