/* Checks README.md, docs/, handouts and notes. The commands in them must exist, with their options, variables and
 * targets. Files that they name in code must exist. In README.md and docs/, each fenced block must match its row in
 * docs.def. DOCS=write replaces the blocks with the current output of the commands. check_quotes checks quotations
 * in handouts and notes. */
/* run: plain, 23 s */
#include "compile/compiler.h"
#include "tests/files.h"
#include "tests/quick.h"
#include "tests/shell.h"
#include "tests/suite.h"
#include <check.h>
#include <glob.h>
#include <regex.h>
#include <string.h>
#include <unistd.h>

enum use { FILE_OF, PRINTED_BY, RARELY_PRINTED_BY, COMMAND_LINES, TESTED_BY, SHOWN_ONLY };
static const struct block_row {
    enum use use;
    const char *page, *first, *what, *varies;
} rows[] = {
#define FILE_(page, first, name) {FILE_OF, page, first, name, NULL},
#define PRINTED(page, first, command, varies) {PRINTED_BY, page, first, command, varies},
#define RARELY_PRINTED(page, first, command, varies) {RARELY_PRINTED_BY, page, first, command, varies},
#define COMMANDS(page, first) {COMMAND_LINES, page, first, NULL, NULL},
#define TESTED(page, first, test) {TESTED_BY, page, first, test, NULL},
#define SHOWN(page, first, why) {SHOWN_ONLY, page, first, why, NULL},
#include "docs.def"
};
enum { ROWS = sizeof rows / sizeof *rows, PAGES = 100, WORD = 400 };

static char kit[4096], folder[] = "/tmp/check_docs.XXXXXX";
static char *help;                /* output of --help of all commands */
static char *targets, *variables; /* of make: each name ends with a newline */
static glob_t pages;              /* README.md, docs/, handouts, and notes */

static bool matches(const char *pattern, const char *text, regmatch_t m[3]) {
    regex_t r;
    ck_assert_int_eq(regcomp(&r, pattern, REG_EXTENDED), 0);
    const bool found = regexec(&r, text, m ? 3 : 0, m, 0) == 0;
    regfree(&r);
    return found;
}

/* ---- blocks --------------------------------------------------------------------------------- */
/* Finds the first block that begins at or after `at`. Sets *begin to the start of its text. Returns the end of the
 * text, or NULL if there is no block. */
static const char *next_block(const char *at, const char **begin) {
    for (const char *fence = at; (fence = strstr(fence, "```")); fence += 3)
        if ((fence == at || fence[-1] == '\n') && strchr(fence, '\n')) {
            *begin = strchr(fence, '\n') + 1;
            return strstr(*begin - 1, "\n```") + 1;
        }
    return NULL;
}
static const struct block_row *row_of(const char *page, const char *text) {
    for (unsigned k = 0; k < ROWS; k++)
        if (!strcmp(rows[k].page, page) && !strncmp(text, rows[k].first, strlen(rows[k].first))) return &rows[k];
    return NULL;
}
START_TEST(each_block_has_a_row) {
    bool used[ROWS] = {false};
    for (size_t p = 0; p < pages.gl_pathc; p++) {
        if (strchr(pages.gl_pathv[p], '/') && strncmp(pages.gl_pathv[p], "docs/", 5)) continue;
        char *text = read_file(pages.gl_pathv[p]);
        for (const char *begin, *end = text; (end = next_block(end, &begin)); end += 3) {
            const struct block_row *r = row_of(pages.gl_pathv[p], begin);
            ck_assert_msg(r, "%s: docs.def has no row for the block `%.60s`", pages.gl_pathv[p], begin);
            used[r - rows] = true;
        }
        free(text);
    }
    for (unsigned k = 0; k < ROWS; k++) {
        ck_assert_msg(used[k], "docs.def: %s has no block `%s`", rows[k].page, rows[k].first);
        char source[100];
        snprintf(source, sizeof source, "grader/tests/%s.c", rows[k].what);
        if (rows[k].use == TESTED_BY) ck_assert_msg(!access(source, R_OK), "docs.def: no %s", source);
    }
}
END_TEST

/* ---- output of commands -------------------------------------------------------------------- */
static size_t trimmed(const char *line) {
    size_t n = strcspn(line, "\n");
    while (n && line[n - 1] == ' ') n--;
    return n;
}
static const char *next_line(const char *line) { return line[strcspn(line, "\n")] ? strchr(line, '\n') + 1 : ""; }
static bool same_line(const char *said, const char *printed, const char *varies) {
    char line[1000];
    snprintf(line, sizeof line, "%.*s", (int)trimmed(said), said);
    if (varies && *line && matches(varies, line, NULL)) return true;
    return trimmed(said) == trimmed(printed) && !strncmp(said, printed, trimmed(said));
}
/* Returns whether the output `printed` contains the lines from `said` to `end`. If not, sets *last to the first line
 * that differs. */
static bool lines_agree(const char *said, const char *end, const char *printed, const char *varies, const char **last) {
    for (; said < end; said = next_line(said), printed = next_line(printed)) {
        const char *text = said + strspn(said, " ");
        if (said > *last) *last = said;
        if (!strncmp(text, "...\n", 4)) {
            for (said = next_line(said); *printed; printed = next_line(printed))
                if (said >= end || lines_agree(said, end, printed, varies, last)) return true;
            return false;
        }
        if (!same_line(said, printed, varies)) return false;
    }
    return true;
}
/* Returns the row's command or, if the row has none, the command in the first lines of the block. In the latter
 * case, removes `$ ` and joins continuation lines. Moves *begin past these lines. */
static char *command_of(const struct block_row *r, const char **begin) {
    if (r->what) {
        while (!strncmp(*begin, "./grade", 7) || !strncmp(*begin, "$ ", 2) || !strncmp(*begin, ">   ", 4))
            *begin = next_line(*begin);
        return strdup(r->what);
    }
    char *command = strdup(*begin + 2);
    size_t n = 0;
    for (const char *line = *begin;; line += 2) {
        const char *end = strchr(line, '\n');
        const bool more = end[-1] == '\\';
        for (line += 2; line < end - more; line++) command[n++] = *line;
        *begin = line = end + 1;
        if (!more) break;
        line -= 2;
    }
    return command[n] = 0, command;
}
static void make_files(const char *page) {
    char *text = read_file(page);
    for (const char *begin, *end = text; (end = next_block(end, &begin)); end += 3) {
        const struct block_row *r = row_of(page, begin);
        char path[WORD];
        snprintf(path, sizeof path, "%s/%s", folder, r ? r->what : "");
        if (r && r->use == FILE_OF) write_file(path, begin, (size_t)(end - begin));
    }
    free(text);
}
/* Writes the page with the command's output in place of the text from `begin` to `end`. */
static void rewrite(const char *page, const char *text, const char *begin, const char *end, const char *printed) {
    char *whole = NULL;
    const int n = asprintf(&whole, "%.*s%s%s", (int)(begin - text), text, printed, end);
    ck_assert_int_gt(n, 0);
    write_file(page, whole, (size_t)n);
    free(whole);
}
START_TEST(blocks_match_command_output) {
    const struct block_row *r = &rows[_i];
    const bool rarely = r->use == RARELY_PRINTED_BY && (getenv("EVERY") || getenv("DOCS"));
    if (r->use != PRINTED_BY && !rarely) return;
    char *text = read_file(r->page);
    const char *begin, *end = text;
    while ((end = next_block(end, &begin)) && row_of(r->page, begin) != r) end += 3;
    ck_assert(end != NULL);
    make_files(r->page);
    char *command = command_of(r, &begin);
    char *printed = shell(SHELL_ANY, "cd %s && KIT=%s && { %s; } 2>&1", folder, kit, command);
    const char *last = begin, *line = printed;
    while (*line && !lines_agree(begin, end, line, r->varies, &last)) line = next_line(line);
    const char *dots = strstr(begin, "...\n");
    const bool whole = (!dots || dots > end) && same_line(begin, printed, r->varies);
    if (!*line && whole && getenv("DOCS") && !strcmp(getenv("DOCS"), "write"))
        rewrite(r->page, text, begin, end, printed);
    else
        ck_assert_msg(*line, "%s: `%s` does not print the block's line `%.*s`; its output:\n%.3000s", r->page, command,
                      (int)strcspn(last, "\n"), last, printed);
    free(printed), free(command), free(text);
}
END_TEST

/* ---- words of commands ---------------------------------------------------------------------- */
static bool is_placeholder(const char *word) {
    return !*word || strchr("[<(.", *word) || matches("^[A-Z]+$|labN|NAME|[$]|[.][.][.]|^[A-Z]*=", word, NULL);
}
static bool is_option(const char *word) {
    char pattern[WORD];
    const size_t n = strcspn(word, "=");
    snprintf(pattern, sizeof pattern, "[ ,]%.*s([^a-z-]|$)", (int)n, word);
    return n < 3 || matches(pattern, help, NULL);
}
/* Returns whether a word after `make` is a target, a file that the Makefile builds, or a variable that the Makefile
 * or a script reads. */
static bool is_target(const char *word) {
    char pattern[WORD];
    const size_t n = strcspn(word, "=");
    if (!word[n] && matches("^(build/.*|-j.*|lab[0-9].*|grade)$", word, NULL)) return true;
    snprintf(pattern, sizeof pattern, "(^|\n)%.*s\n", (int)n, word);
    return matches(pattern, word[n] ? variables : targets, NULL);
}
/* Checks one command. It ends before `;`, `&`, `|`, `#`, a redirection, or two spaces. */
static void check_command(const char *where, const char *command) {
    char word[WORD];
    const bool make = !strncmp(command, "make", 4);
    const char *s = command + strcspn(command, " ");
    for (unsigned k = 0;; k++) {
        if (!strncmp(s, "  ", 2)) break;
        s += *s == ' ';
        size_t n = 0, quoted = 0;
        for (; s[n] && (quoted || !strchr(" ;&|#>", s[n])) && n < WORD - 1; n++)
            if (strchr("'\"", s[n])) quoted = !quoted;
        if (!n) break;
        snprintf(word, sizeof word, "%.*s", (int)n, s);
        s += n;
        if (make && strncmp(word, "--", 2)) {
            if (!is_placeholder(word) || strchr(word, '='))
                ck_assert_msg(is_target(word), "%s: `%s`: make has no target or variable `%s`", where, command, word);
        } else if (!strncmp(word, "--", 2)) {
            ck_assert_msg(is_option(word), "%s: `%s`: there is no option %s", where, command, word);
        } else if (!make && !k && !is_placeholder(word)) {
            ck_assert_msg(matches("^(lab[0-9]+|all|run|exec|ladder|class|release)$|[.]cu$|^-", word, NULL),
                          "%s: `%s`: there is no command %s", where, command, word);
        }
    }
}
#define COMMAND "(`|\n|[$] |&& |; )((\\./grade|grade (class|run|release)|make) [a-zA-Z.[-])"
/* Checks every command that begins with `./grade`, `grade` or `make`, in code or at the start of a line in a block. */
START_TEST(commands_exist) {
    const char *page = pages.gl_pathv[_i];
    char *text = read_file(page), command[1000];
    regmatch_t m[3];
    for (const char *s = text; matches(COMMAND, s, m);) {
        const char *at = s + m[2].rm_so;
        const bool code = s[m[1].rm_so] == '`'; /* a command may continue on the next line */
        const size_t n = strcspn(at, code ? "`" : "`\n");
        snprintf(command, sizeof command, "%.*s", (int)n, at);
        for (char *c = command; *c; c++)
            if (*c == '\n') *c = ' ';
        check_command(page, command);
        s = at + 1;
    }
    free(text);
}
END_TEST

/* ---- files ---------------------------------------------------------------------------------- */
/* Returns whether the file is not in the kit, but in a handout or in an example. */
static bool is_elsewhere(const char *path) {
    static const char *const known[] = {"labs/handed-out.sha256", "grader/figures/", "labs/lab13_dot/reduce.cu"};
    for (unsigned k = 0; k < sizeof known / sizeof *known; k++)
        if (!strcmp(path, known[k])) return true;
    return false;
}
/* Checks every path in code that begins with a folder of the kit or of grader/. */
START_TEST(files_exist) {
    const char *page = pages.gl_pathv[_i];
    char *text = read_file(page), path[WORD], inside[WORD + 10];
    for (const char *s = text; (s = strchr(s, '`')); s++) {
        const size_t n = strspn(s + 1, "abcdefghijklmnopqrstuvwxyz0123456789_./*-"),
                     folder_length = strcspn(s + 1, "/");
        if (s[n + 1] != '`' || folder_length >= n || s[1] == '/' || s[1] == '.') continue;
        snprintf(path, sizeof path, "%.*s", (int)folder_length, s + 1);
        snprintf(inside, sizeof inside, "grader/%s", path);
        if (access(path, R_OK) && access(inside, R_OK)) continue; /* a folder of a student or a course */
        if (!strcmp(path, "build")) continue;
        snprintf(path, sizeof path, "%.*s", (int)n, s + 1);
        snprintf(inside, sizeof inside, "grader/%s", path);
        glob_t found = {0};
        const bool there = !glob(path, 0, NULL, &found) || !glob(inside, 0, NULL, &found);
        globfree(&found);
        ck_assert_msg(there || is_elsewhere(path), "%s: there is no %s", page, path);
    }
    free(text);
}
END_TEST

int main(void) {
    char why[2000];
    const struct compiler *compiler = compiler_find(quick_compiler(), why, sizeof why);
    if (!compiler) return printf("SKIP check_docs: %s\n", why), 0;
    if (!getcwd(kit, sizeof kit) || !mkdtemp(folder)) return perror(folder), 1;
    glob("README.md", 0, NULL, &pages);
    static const char *const more[] = {"docs/*.md", "labs/*/README.md", "solutions/*/notes.md"};
    for (unsigned k = 0; k < sizeof more / sizeof *more; k++) glob(more[k], GLOB_APPEND, NULL, &pages);
    free(shell(0, "ln -s \"$GRADE\" %s/grade", folder));
    help = shell(SHELL_ANY, "for c in '' run ladder exec 'class gradebook' release; do \"$GRADE\" $c --help; done");
    targets = shell(0, "grep -rhoE '^[a-z-]+:' Makefile grader --include=Makefile --include='*.mk' | tr -d :");
    variables = shell(0, "find Makefile grader -name Makefile -o -name '*.mk' -o -name '*.sh' -o -name '*.c' | "
                         "LC_ALL=C xargs grep -hoE '\\<[A-Z][A-Z_0-9]*\\>' | sort -u");
    const struct {
        const char *name;
        const TTest *test;
        int count;
    } cases[] = {{"rows", each_block_has_a_row, 1},
                 {"printed", blocks_match_command_output, ROWS},
                 {"commands", commands_exist, (int)pages.gl_pathc},
                 {"files", files_exist, (int)pages.gl_pathc}};
    Suite *suite = suite_create("docs");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        TCase *tcase = tcase_create(cases[k].name);
        tcase_set_timeout(tcase, 300);
        tcase_add_loop_test(tcase, cases[k].test, 0, cases[k].count);
        suite_add_tcase(suite, tcase);
    }
    const int failed = suite_failures(suite);
    free(shell(0, "rm -rf %s", folder));
    return failed != 0;
}
