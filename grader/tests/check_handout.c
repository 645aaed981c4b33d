/* Checks that the students' archive contains no parts of solutions. These are parts:
 *
 * - five consecutive tokens of a solution's code, with at least two distinctive names
 * - eight consecutive words of a solution's comments or of the notes
 *
 * They are allowed if they also occur in texts that the course hands out (skeletons, predictions.txt, handouts,
 * common/). HANDOUT=FOLDER tests an unpacked archive. Otherwise, the test builds an archive without the references'
 * figures. */
/* run: plain, 9 s */
#include "base/array.h"
#include "tests/files.h"
#include "tests/shell.h"
#include "base/hash.h"
#include "tests/suite.h"
#include <check.h>
#include <ctype.h>
#include <ftw.h>
#include <glob.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CODE_RUN = 5, WORD_RUN = 8, MAX_TOKEN = 64 };
static char folder[] = "/tmp/check-handout-XXXXXX", kit[300];

/* Exits with a message if `good` is false. Replaces Check's assertions in code that runs before the tests. */
static void must(bool good, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void must(bool good, const char *format, ...) {
    va_list arguments;
    if (good) return;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    exit(1);
}

/* ---- tokens --------------------------------------------------------------------------------- */
/* Tokens of code are names, numbers and operators; brackets, commas and comments are ignored. Tokens of prose are
 * all words, in lowercase. */
enum kind { CODE, WORDS };
static bool token(const char **at, enum kind kind, char out[MAX_TOKEN]) {
    static const char operators[] = "+-*/%<>=&|^~!?:";
    const char *s = *at;
    size_t n = 0;
    for (; *s; s++) {
        if (kind == CODE && s[0] == '/' && s[1] == '/') {
            s += strcspn(s, "\n");
            if (!*s) break;
        } else if (isalnum((unsigned char)*s) || *s == '_' || (kind == CODE && strchr(operators, *s)))
            break;
    }
    const bool name = isalnum((unsigned char)*s) || *s == '_';
    while (*s && n + 1 < MAX_TOKEN &&
           (name ? isalnum((unsigned char)*s) || *s == '_' : strchr(operators, *s) != NULL)) {
        if (!name && n && s[0] == '/' && s[1] == '/') break;
        out[n++] = kind == WORDS ? (char)tolower((unsigned char)*s) : *s;
        s++;
    }
    out[n] = 0;
    *at = s;
    return n;
}
/* Returns whether a name is distinctive: it begins with a letter, has more than one character, and is not a keyword. */
static bool says_something(const char *t) {
    static const char words[] =
        " if else for while do return const static void int unsigned float double bool extern struct true false ";
    char padded[MAX_TOKEN + 2];
    snprintf(padded, sizeof padded, " %s ", t);
    return isalpha((unsigned char)*t) && t[1] && !strstr(words, padded);
}

/* ---- runs of tokens ------------------------------------------------------------------------- */
struct runs {
    uint64_t *item;
    size_t count;
    unsigned room;
};
static int by_value(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}
static bool in_runs(const struct runs *r, uint64_t run) {
    return r->count && bsearch(&run, r->item, r->count, sizeof run, by_value);
}
static void add_run(struct runs *r, uint64_t run) {
    r->item = array_room(r->item, r->count + 1, &r->room, sizeof *r->item);
    must(r->item, "no memory\n");
    r->item[r->count++] = run;
}
/* The latest tokens of a text. over_runs() passes each run of consecutive tokens to `seen`, with its fingerprint, until
 * `seen` returns false. */
struct window {
    char token[WORD_RUN][MAX_TOKEN];
    unsigned length, count;
};
static void over_runs(const char *text, enum kind kind,
                      bool (*seen)(void *context, uint64_t run, const struct window *w), void *context) {
    struct window w = {.length = kind == CODE ? CODE_RUN : WORD_RUN};
    char next[MAX_TOKEN];
    while (token(&text, kind, next)) {
        if (w.count == w.length) memmove(w.token[0], w.token[1], (w.length - 1) * sizeof *w.token), w.count--;
        strcpy(w.token[w.count++], next);
        if (w.count < w.length) continue;
        uint64_t run = HASH_START + kind;
        for (unsigned k = 0; k < w.length; k++) run = hash_bytes(run, w.token[k], strlen(w.token[k]) + 1);
        if (!seen(context, run, &w)) return;
    }
}
static bool collect(void *context, uint64_t run, const struct window *w) {
    return (void)w, add_run(context, run), true;
}
/* Collects a run of code if it contains at least two distinctive names. */
static bool collect_code(void *context, uint64_t run, const struct window *w) {
    unsigned names = 0;
    for (unsigned k = 0; k < w->length; k++) {
        bool again = false;
        for (unsigned n = 0; n < k; n++) again |= !strcmp(w->token[n], w->token[k]);
        names += !again && says_something(w->token[k]);
    }
    return names < 2 || collect(context, run, w);
}
static void collect_files(struct runs *r, enum kind kind, const char *pattern, bool comments) {
    glob_t found = {0};
    must(!glob(pattern, 0, NULL, &found), "%s: no such files", pattern);
    for (size_t k = 0; k < found.gl_pathc; k++) {
        char *text = read_file(found.gl_pathv[k]), *out = text;
        if (comments) { /* of a source file, only comments that begin with // are checked */
            for (char *s = text; *s;) {
                const size_t n = strcspn(s, "\n");
                char *slashes = memmem(s, n, "//", 2);
                char *next = s + n + (s[n] == '\n');
                if (slashes) {
                    const size_t length = (size_t)(next - slashes) - 2;
                    memmove(out, slashes + 2, length), out += length;
                }
                s = next;
            }
            *out = 0;
        }
        over_runs(text, kind, kind == CODE ? collect_code : collect, r);
        free(text);
    }
    globfree(&found);
}
static struct runs secret[2], given[2];
static void collect_texts(void) {
    static const char *const handed_out[] = {"labs/*/reduce.cu", "labs/*/README.md", "labs/*/predictions.txt",
                                             "common/*"};
    collect_files(&secret[CODE], CODE, "solutions/*/reduce.cu", false);
    collect_files(&secret[WORDS], WORDS, "solutions/*/reduce.cu", true);
    collect_files(&secret[WORDS], WORDS, "solutions/*/notes.md", false);
    for (unsigned kind = 0; kind < 2; kind++) {
        for (unsigned k = 0; k < sizeof handed_out / sizeof *handed_out; k++)
            collect_files(&given[kind], kind, handed_out[k], false);
        if (kind == WORDS) collect_files(&given[kind], kind, "labs/*/reduce.cu", true);
        qsort(secret[kind].item, secret[kind].count, sizeof(uint64_t), by_value);
        qsort(given[kind].item, given[kind].count, sizeof(uint64_t), by_value);
    }
}

/* ---- searching ------------------------------------------------------------------------------ */
static struct leak {
    unsigned files, leaks;
    char first[1000];
    const char *path;
    enum kind kind;
} leak;
static bool is_leak(void *context, uint64_t run, const struct window *w) {
    struct leak *l = context;
    if (!in_runs(&secret[l->kind], run) || in_runs(&given[l->kind], run)) return true;
    size_t n = strlen(l->first);
    if (!l->leaks++) n += (size_t)snprintf(l->first, sizeof l->first, "%s:", l->path);
    for (unsigned k = 0; k < w->length && n < sizeof l->first; k++)
        n += (size_t)snprintf(l->first + n, sizeof l->first - n, " %s", w->token[k]);
    return false;
}
static int look_into(const char *path, const struct stat *s, int type, struct FTW *at) {
    (void)at;
    if (type != FTW_F || !S_ISREG(s->st_mode)) return 0;
    char *text = read_file(path);
    leak.files++, leak.path = path;
    for (leak.kind = CODE; leak.kind <= WORDS; leak.kind++) over_runs(text, leak.kind, is_leak, &leak);
    free(text);
    return 0;
}
static unsigned leaks_in(const char *path) {
    leak = (struct leak){0};
    ck_assert_int_eq(nftw(path, look_into, 16, FTW_PHYS), 0);
    return leak.leaks;
}
START_TEST(handout_contains_no_part_of_solutions) {
    ck_assert_uint_gt(secret[CODE].count, 1000);
    ck_assert_uint_gt(secret[WORDS].count, 1000);
    ck_assert_msg(!leaks_in(kit), "%s", leak.first);
    ck_assert_uint_gt(leak.files, 150);
}
END_TEST
/* The search must find planted leaks: reformatted code, code with other comments, and the note on a prediction. */
START_TEST(planted_leaks_are_found) {
    static const char *const planted[] = {
        "if (t < stride)s[ t ]=combine( s[t],s[t+stride] );",
        "/* quoted */ s[t] = start + t < n ? in[start + t] : identity();",
        "sum = // a remark\n combine(sum,\n // and another\n in[i]);\n s[t] = sum;",
        "Threads must stage `identity()` where the input has no element; they must neither store 0 nor skip the store.",
    };
    char path[330];
    for (unsigned k = 0; k < sizeof planted / sizeof *planted; k++) {
        snprintf(path, sizeof path, "%s/planted", folder);
        FILE *f = fopen(path, "w");
        ck_assert(f && fputs(planted[k], f) >= 0 && !fclose(f));
        ck_assert_msg(leaks_in(path) > 0, "not found: %s", planted[k]);
        unlink(path);
    }
}
END_TEST
/* The search for leaks must find each lab's solution and notes. */
START_TEST(leaks_of_every_solution_would_be_found) {
    static const char *const patterns[] = {"solutions/*/reduce.cu", "solutions/*/notes.md"};
    for (unsigned k = 0; k < 2; k++) {
        glob_t found = {0};
        ck_assert(!glob(patterns[k], 0, NULL, &found) && found.gl_pathc);
        for (size_t n = 0; n < found.gl_pathc; n++)
            ck_assert_msg(leaks_in(found.gl_pathv[n]) > 0, "%s would not be found", found.gl_pathv[n]);
        globfree(&found);
    }
}
END_TEST
START_TEST(handout_contains_only_what_students_need) {
    static const char *const absent[] = {"solutions/*/reduce.cu",
                                         "solutions/*/notes.md",
                                         "solutions/*/predictions.txt",
                                         "grader/tests",
                                         "docs/gallery",
                                         "docs/run.md",
                                         "grader/ladder/*.cu",
                                         ".git",
                                         "build",
                                         "grader/release/places",
                                         "grader/release/handout.*",
                                         "grader/release/skeletons.sh",
                                         "grader/release/gradescope.sh"};
    for (unsigned k = 0; k < sizeof absent / sizeof *absent; k++) free(shell(0, "! ls -d %s/%s 2>&1", kit, absent[k]));
    static const char *const there[] = {"Makefile",         "README.md",       "LICENSE",
                                        "labs/course.conf", "common/reduce.h", "grader/main.c"};
    for (unsigned k = 0; k < sizeof there / sizeof *there; k++) free(shell(0, "ls %s/%s", kit, there[k]));
    free(shell(0,
               "for d in labs/*/; do for f in reduce.cu predictions.txt grader.c; do cmp $d$f %s/$d$f || "
               "exit 1; done; done",
               kit));
}
END_TEST
/* make must accept the archive's Makefile and the files that it includes. Each target must have a rule and its
 * sources. */
START_TEST(handout_can_be_built) {
    free(shell(0, "cd %s && env -u MAKEFLAGS -u MAKELEVEL make -n BUILD=none all lab1 test install >/dev/null", kit));
}
END_TEST
/* Packing a handout must fail if the measurements of a lab's reference are missing. */
START_TEST(no_archive_lacks_figures) {
    char *out = shell(SHELL_ANY,
                      "T=%s/unmeasured; mkdir -p $T; "
                      "printf '#!/bin/sh\\n[ \"$1 $2\" = \"release figures\" ] && exit 3\\nexec \"$GRADE\" \"$@\"\\n' "
                      ">$T/grade; chmod +x $T/grade; "
                      "sh grader/release/handout.sh pack $T/kit $T/grade $T/out.tar.gz; echo status $?; ls $T",
                      folder);
    ck_assert_msg(!strstr(out, "status 0") && !strstr(out, "out.tar.gz"), "%s", out);
    free(out);
}
END_TEST
/* Settings for labs that the handout lacks are left out, because they would be errors there. */
START_TEST(handouts_omit_settings_of_missing_labs) {
    char *out =
        shell(0,
              "T=%s/few; mkdir -p $T/kit; cp -r labs $T/kit; "
              "for f in common docs solutions grader Makefile LICENSE .gitignore; do ln -s $PWD/$f $T/kit; done; "
              "cp \"$GRADE\" $T/kit; cd $T/kit; "
              "printf 'labs = lab1 lab10\\nlab3.weight = 2\\nlab1.weight = 3\\nweight = 4\\n' >labs/course.conf; "
              "sh grader/release/handout.sh stage $T/few ./grade; cd $T/few; ls labs; cat labs/course.conf; grep -c . "
              "README.md; grep '^- \\[lab' README.md",
              folder);
    static const char *const said[] = {
        "lab10_argmax\nlab1_interleaved_tree\n", "labs = lab1 lab10\nlab1.weight = 3\nweight = 4\n",
        "- [lab1](labs/lab1_interleaved_tree/README.md) the interleaved tree\n- [lab10]"};
    for (unsigned k = 0; k < sizeof said / sizeof *said; k++) ck_assert_msg(strstr(out, said[k]), "%s", out);
    ck_assert_msg(!strstr(out, "lab3"), "%s", out);
    free(out);
}
END_TEST

int main(void) {
    const char *given_kit = getenv("HANDOUT");
    if (!getenv("GRADE") || access("solutions", R_OK))
        return printf("SKIP check_handout: no solutions in this tree, or no GRADE\n"), 0;
    if (!mkdtemp(folder)) return perror(folder), 1;
    snprintf(kit, sizeof kit, "%s/kit", folder);
    if (given_kit)
        snprintf(kit, sizeof kit, "%s", given_kit);
    else
        free(shell(0, "sh grader/release/handout.sh stage %s \"$GRADE\"", kit));
    collect_texts();
    Suite *suite = suite_create("handout");
    TCase *tcase = tcase_create("handout");
    tcase_set_timeout(tcase, 300);
    tcase_add_test(tcase, handout_contains_no_part_of_solutions);
    tcase_add_test(tcase, planted_leaks_are_found);
    tcase_add_test(tcase, leaks_of_every_solution_would_be_found);
    tcase_add_test(tcase, handout_contains_only_what_students_need);
    tcase_add_test(tcase, handout_can_be_built);
    if (!given_kit) tcase_add_test(tcase, no_archive_lacks_figures);
    if (!given_kit) tcase_add_test(tcase, handouts_omit_settings_of_missing_labs);
    suite_add_tcase(suite, tcase);
    const int failed = suite_failures(suite);
    free(shell(0, "rm -rf %s", folder));
    for (unsigned k = 0; k < 2; k++) free(secret[k].item), free(given[k].item);
    return failed != 0;
}
