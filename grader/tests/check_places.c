/* Tests what students need around the labs: the handout's files for editors, containers and CI servers; --changed;
 * the manual page and the completions; make install. Scripts run in a shell in the kit's folder. $GRADE is the
 * command, $T a temporary folder, and $H a handout in $T, which has no figures and whose command is $GRADE. */
/* run: plain, 6 s */
#include "describe.h"
#include "sandbox/process.h"
#include "report/sink.h"
#include "tests/effort.h"
#include "tests/files.h"
#include "tests/suite.h"
#include <check.h>
#include <glob.h>
#include <jansson.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef HAVE_YAML
#include <yaml.h>
#endif

static char folder[] = "/tmp/check-places-XXXXXX";

/* ---- running ----------------------------------------------------------------------------------------------------- */
static char *shell(const char *script, int *status) {
    const char *const argv[] = {"sh", "-ec", script, NULL};
    const struct process_limits limits = {.wall_seconds = 300, .output_bytes = 1 << 21};
    const struct process_result p = process_run(argv, &limits);
    *status = p.end == PROCESS_EXITED ? p.status : -1;
    return p.output;
}
static const struct {
    const char *what, *script;
} runs[] = {
    {"a handout's files for editors, containers and CI",
     "cd $H; ls .vscode/tasks.json .devcontainer/devcontainer.json Containerfile .gitattributes .gitlab-ci.yml "
     ".github/workflows/grade.yml labs/handed-out.sha256; (sha256sum --quiet --check labs/handed-out.sha256)"},
    {"containers start with the first lab",
     "cd $H; first=$(\"$GRADE\" --list | head -1 | cut -d' ' -f1); grep -q \"grade $first;\" Containerfile; "
     "grep -o 'labs/[^\"]*' .devcontainer/devcontainer.json | while read -r file; do test -f $file; done; "
     "grep -q \"grade $first \" .devcontainer/devcontainer.json; ! grep -r @LAB@ .devcontainer Containerfile"},
    {"every environment installs the packages of setup.sh, except that CI omits the live page's",
     "for p in $(sed -n 's/^packages=\"\\(.*\\)\"/\\1/p' grader/setup.sh); do for f in Containerfile .gitlab-ci.yml "
     ".github/workflows/grade.yml; do case $f:$p in .*:libmicrohttpd-dev) ;; *) grep -q \" $p\\( \\|$\\)\" $H/$f || "
     "{ echo \"$f: no $p\"; exit 1; } ;; esac; done; done"},
    {"the CI files use existing options", "grep -oh -e '--[a-z]*' docs/ci/github-students.yml docs/ci/gitlab-ci.yml "
                                          "grader/release/places/tasks.json | sort -u | "
                                          "grep -v -e --force | while read -r option; do \"$GRADE\" --help | grep -q "
                                          "-e \"$option\\b\" || { echo $option; exit 1; }; done"},
    {"an unchanged handout: no lab is graded, every report is complete",
     "cd $H; ./grade all --changed | grep -qx 'No lab has been started: .*'; ./grade lab1 --changed -q | grep -q '^No "
     "lab'; "
     "for f in json junit tap gradescope prairielearn html findings sarif github gitlab markdown badge text; do "
     "./grade all --changed --$f $T/empty.$f >/dev/null || { echo $f; exit 1; }; done; "
     "grep -qx '\\[\\]' $T/empty.json; grep -q '</testsuites>' $T/empty.junit; grep -q '1..0' $T/empty.tap; "
     "grep -q '\"runs\": \\[\\]' $T/empty.sarif; grep -q 'not begun' $T/empty.badge; test ! -s $T/empty.findings"},
    /* the fake nvcc rejects every file */
    {"changes of predictions, code and new labs are detected, carriage returns are ignored",
     "mkdir $T/bin; printf '#!/bin/sh\\necho no; exit 1\\n' >$T/bin/nvcc; chmod +x $T/bin/nvcc; cd $H; "
     "sed -i 's/$/\\r/' labs/lab1_*/reduce.cu; echo '# mine' >>labs/lab2_compacted_tree/predictions.txt; "
     "echo '// TODO more' >>labs/lab3_shared_block/reduce.cu; sed -i /lab4_.*reduce/d labs/handed-out.sha256; "
     "PATH=$T/bin:$PATH ./grade all --changed --compiler nvcc -q --json $T/changed >/dev/null && exit 1; "
     "test \"$(grep -o '\"id\": \"lab[0-9]*\"' $T/changed | tr -dc '0-9\\n' | tr '\\n' ' ')\" = '2 3 4 '"},
    {"--changed needs a handout", "\"$GRADE\" all --changed 2>$T/said || test $? = 3; "
                                  "grep -q '^grade: --changed: labs/handed-out.sha256: No such file' $T/said"},
    {"a lab is named by its folder, by a file, or from inside the folder",
     "cd $H; for lab in lab1_interleaved_tree labs/lab1_interleaved_tree labs/lab1_interleaved_tree/README.md; do "
     "./grade $lab --compile-only | grep -q labs/lab1_; done; cd labs/lab2_*; ../../grade . --compile-only | grep -q "
     "labs/lab2_; "
     "\"$GRADE\" lab1 --compile-only >/dev/null"},
    {"a folder outside the kit is not a lab",
     "mkdir -p $T/labs/lab1_interleaved_tree; for lab in $T/labs/lab1_interleaved_tree lab1_ $H/labs $H; do "
     "$H/grade $lab 2>&1 | grep -q '^grade: no lab' || exit 1; done"},
    {"the manual page",
     "\"$GRADE\" --man >$T/grade.1; if command -v mandoc >/dev/null; then ! mandoc -Tlint -W warning $T/grade.1 | "
     "grep -v 'missing date'; fi; ! command -v man >/dev/null || test -z \"$(man --warnings -l $T/grade.1 2>&1 "
     ">/dev/null)\""},
    {"shells accept the completions",
     "for s in bash zsh fish; do \"$GRADE\" --completions $s >$T/$s; ! command -v $s >/dev/null || $s -n $T/$s; done; "
     "\"$GRADE\" --completions csh 2>&1 | grep -q 'bash, zsh or fish'"},
    {"bash offers labs, options, values and files",
     "cat >$T/try <<'END'\n. $T/bash\n"
     "try() { COMP_WORDS=($GRADE $2); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMPREPLY=(); _grade 2>/dev/null; "
     "[[ \" ${COMPREPLY[*]} \" == *\" $1 \"* ]] || { echo \"$2: no $1 in ${COMPREPLY[*]}\"; exit 1; }; }\n"
     "try lab3 la; try ladder la; try --compiler= 'lab3 --comp'; try sim 'lab3 --device = s'; try cuda 'lab3 -d c'; "
     "try --grid= 'run --gr'; try h200 'ladder --gpu h'; try README.md 'lab3 --html = READ'; try labs 'run lab'; "
     "try zsh '--completions z'; try -fmad=false 'run -f'; try exec ex; "
     "try --write= 'exec --wr'; try canvas 'class import --shape c'\nEND\n"
     "\"$GRADE\" --completions bash >$T/bash; ! command -v bash >/dev/null || T=$T bash $T/try"},
    {"fish offers files that name a lab",
     "\"$GRADE\" --completions fish >$T/fish; grep -q \"= 1' -F -a 'all run\" $T/fish; cd $H; ! command -v fish "
     ">/dev/null || HOME=$T fish -c \"source $T/fish; complete -C './grade labs/lab1_'\" | grep -q interleaved"},
    {"installation, use in another folder, and complete removal",
     "unset GRADE_CACHE; mkdir -p $T/b $H/grader/figures; ln \"$GRADE\" $T/b/grade 2>/dev/null || cp \"$GRADE\" "
     "$T/b/grade; echo '{}' "
     ">$H/grader/figures/x.json; "
     "i='sh grader/release/install.sh'; $i man $T/b; $i completions $T/b; $i install $T/b $T/d/usr $H >/dev/null; "
     "cd $T; ! find d -name reduce.cu | grep .; ! grep -rl 'def SOLUTION' d/usr/share; test \"$(d/usr/bin/grade "
     "--list)\" = "
     "\"$(\"$GRADE\" --list)\"; "
     "HOME=$T/home d/usr/bin/grade lab1 2>&1 | grep -q 'contains no labs'; "
     "HOME=$T/home d/usr/bin/grade lab1 --compile-only --no-sandbox --submission $H/labs/lab1_*/reduce.cu >/dev/null; "
     "test -d home/.cache/reduction-labs; test ! -e d/usr/share/reduction-labs/build; "
     "(cd $H/labs/lab2_*; $T/d/usr/bin/grade lab2 --compile-only | grep -q ^labs/lab2_); cd - >/dev/null; "
     "$i uninstall $T/d/usr; ! find $T/d -type f | grep ."},
    {"libraries in a folder are found and linked",
     "mkdir -p $T/deps/include/nettle $T/deps/lib; ! DEPS=$T/deps sh grader/setup.sh $T/done >$T/said; grep -q 'make "
     "deps' $T/said; "
     "touch $T/deps/include/jansson.h $T/deps/include/check.h $T/deps/include/nettle/sha2.h $T/deps/lib/libjansson.a; "
     "unset MAKEFLAGS MAKELEVEL; make -n BUILD=$T/bb DEPS=$T/deps $T/bb/grade >$T/said 2>/dev/null || true; "
     "grep -q -e \"-idirafter $T/deps/include.* -c .*main.c\" $T/said; grep -q -e \"-L$T/deps/lib .*-Bstatic "
     ".*-ljansson\" $T/said; ! grep -e '-l *crypt' $T/said"},
    {"an archive with a prebuilt command",
     "mkdir -p $H/grader/figures; echo '{}' >$H/grader/figures/x.json; for k in 1 2; do "
     "sh grader/release/handout.sh prebuilt $T/p$k \"$GRADE\" $T/labs$k.tar.gz $H >/dev/null; mkdir $T/u$k; "
     "tar xzf $T/labs$k.tar.gz -C $T/u$k --strip-components 1; done; diff -r $T/u1 $T/u2; cd $T/u1; "
     "! find grader -type f | grep -v ^grader/figures/; test -f labs/lab1_interleaved_tree/reduce.cu; test -f "
     ".vscode/tasks.json; "
     "./grade --list | grep -q ^lab10; unset MAKEFLAGS MAKELEVEL; make -s; make -s lab1 | grep -q compiles; ! grep -q "
     "make .vscode/tasks.json"},
};
START_TEST(complete_runs_work) {
    int status;
    char *output = shell(runs[_i].script, &status);
    ck_assert_msg(status == 0, "%s: exit %d\n%s", runs[_i].what, status, output);
    free(output);
}
END_TEST

/* ---- the problem matcher ----------------------------------------------------------------------------------------- */
static const char *text_at(const json_t *task, const char *key) {
    const json_t *pattern = json_object_get(json_object_get(task, "problemMatcher"), "pattern");
    const char *text = json_string_value(json_object_get(pattern, key));
    return text ? text : "";
}
static unsigned check_lines(const regex_t *r, const char *path) {
    unsigned lines = 0;
    char *text = read_file(path), *rest = text;
    for (char *line; (line = strsep(&rest, "\n")) && *line; lines++) {
        regmatch_t part[6];
        if (!strncmp(line, "grade: error: ", 14)) continue; /* a setup failure, which has no line */
        ck_assert_msg(regexec(r, line, 6, part, 0) == 0, "%s: %s", path, line);
        ck_assert_msg(atoi(line + part[2].rm_so) > 0 && atoi(line + part[3].rm_so) > 0, "%s: %s", path, line);
        ck_assert_msg(part[5].rm_eo > part[5].rm_so + 5, "%s: %s", path, line);
    }
    free(text);
    return lines;
}
START_TEST(an_editor_understands_every_finding) {
    static const char *const own_lines[] = {"reduce.cu:8:12: error: unknown type name 'vod'",
                                            "reduce.cu:9:7: warning: unused variable 't' [-Wunused-variable]"};
    char path[100];
    snprintf(path, sizeof path, "%s/h/.vscode/tasks.json", folder);
    json_error_t error;
    json_t *all = json_load_file(path, 0, &error), *task;
    ck_assert_msg(all != NULL, "%s", error.text);
    size_t k;
    unsigned matchers = 0, lines = 0;
    json_array_foreach(json_object_get(all, "tasks"), k, task) {
        regex_t r;
        glob_t found;
        const char *text = text_at(task, "regexp");
        if (!*text) continue;
        ck_assert_int_eq(regcomp(&r, text, REG_EXTENDED), 0);
        ck_assert_int_eq(glob("grader/tests/golden/*.findings", 0, NULL, &found), 0);
        for (size_t f = 0; f < found.gl_pathc; f++) lines += check_lines(&r, found.gl_pathv[f]);
        globfree(&found);
        /* The report also contains the compiler's messages. If the pattern matched them, each error would be listed
         * twice. */
        for (unsigned n = 0; n < 2; n++)
            ck_assert_msg(regexec(&r, own_lines[n], 0, NULL, 0) == REG_NOMATCH, "%s", own_lines[n]);
        regfree(&r);
        matchers++;
    }
    ck_assert_uint_ge(matchers, 2);
    ck_assert_uint_ge(lines, 20);
    json_decref(all);
}
END_TEST

/* ---- containers and CI: the files are well-formed -------------------------------------------------------------- */
START_TEST(a_dev_container_is_described) {
    char path[100];
    json_error_t error;
    snprintf(path, sizeof path, "%s/h/.devcontainer/devcontainer.json", folder);
    json_t *all = json_load_file(path, 0, &error);
    ck_assert_msg(all != NULL, "%s", error.text);
    const char *file = json_string_value(json_object_get(json_object_get(all, "build"), "dockerfile"));
    ck_assert(file && json_string_value(json_object_get(all, "postCreateCommand")));
    snprintf(path, sizeof path, "%s/h/.devcontainer/%s", folder, file);
    ck_assert_msg(!access(path, R_OK), "%s", path);
    json_decref(all);
}
END_TEST
/* Each line of an image file begins or continues an instruction. The first instruction is FROM. */
static const char *const images[] = {"grader/release/places/Containerfile", "docs/ci/Dockerfile",
                                     "docs/ci/prairielearn/Dockerfile"};
START_TEST(an_image_has_instructions) {
    char *text = read_file(images[_i]), *rest = text, word[20], first[20] = "";
    bool goes_on = false;
    for (char *line; (line = strsep(&rest, "\n"));) {
        const bool blank = !*line || *line == '#', starts = !blank && !goes_on;
        const size_t n = strlen(line);
        if (starts) {
            ck_assert_msg(sscanf(line, "%19s", word) == 1, "%s: %s", images[_i], line);
            ck_assert_msg(strstr(" FROM RUN ENV WORKDIR CMD ADD COPY ENTRYPOINT USER ARG LABEL ", word), "%s", line);
            if (!*first) strcpy(first, word);
        }
        if (!blank) goes_on = line[n - 1] == '\\';
    }
    ck_assert_str_eq(first, "FROM");
    ck_assert(!goes_on);
    free(text);
}
END_TEST
#ifdef HAVE_YAML
static const char *const workflows[] = {"docs/ci/github-kit.yml", "docs/ci/github-students.yml",
                                        "docs/ci/gitlab-ci.yml"};
START_TEST(a_workflow_is_yaml) {
    yaml_parser_t parser;
    yaml_document_t document;
    char *text = read_file(workflows[_i]);
    ck_assert(yaml_parser_initialize(&parser));
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, strlen(text));
    ck_assert_msg(yaml_parser_load(&parser, &document), "%s:%zu: %s", workflows[_i], parser.problem_mark.line + 1,
                  parser.problem);
    const yaml_node_t *root = yaml_document_get_root_node(&document);
    ck_assert(root && root->type == YAML_MAPPING_NODE);
    yaml_document_delete(&document), yaml_parser_delete(&parser);
    free(text);
}
END_TEST
#endif

/* ---- generated from the option tables ---------------------------------------------------------------------------- */
/* The manual page and each shell's completions contain every option of every command. */
START_TEST(every_option_is_described) {
    struct described all[DESCRIBED];
    static const char *const shells[] = {"bash", "zsh", "fish"};
    char *text[4];
    size_t size;
    for (unsigned k = 0; k < 4; k++) {
        FILE *f = open_memstream(&text[k], &size);
        if (k < 3)
            ck_assert(describe_shell(f, shells[k]));
        else
            describe_man(f);
        fclose(f);
    }
    describe_commands(all);
    unsigned rows = 0;
    for (unsigned c = 0; c < DESCRIBED; c++)
        for (const struct argp_option *row = all[c].rows; row->name; row++, rows++) {
            char as[4][100], hyphens[60] = "";
            for (const char *s = row->name; *s; s++)
                snprintf(hyphens + strlen(hyphens), sizeof hyphens - strlen(hyphens), *s == '-' ? "\\-" : "%c", *s);
            snprintf(as[0], sizeof as[0], "--%s%s", row->name,
                     row->arg && !(row->flags & OPTION_ARG_OPTIONAL) ? "= " : " ");
            snprintf(as[1], sizeof as[1], "'*--%s%s[", row->name,
                     !row->arg                          ? ""
                     : row->flags & OPTION_ARG_OPTIONAL ? "=-"
                                                        : "=");
            snprintf(as[2], sizeof as[2], "__grade_is %s' -l %s ", *all[c].word ? all[c].word : "grade", row->name);
            snprintf(as[3], sizeof as[3], "\\fB\\-\\-%s\\fR", hyphens);
            for (unsigned k = 0; k < 4; k++)
                ck_assert_msg(strstr(text[k], as[k]) != NULL, "%s: no %s", k < 3 ? shells[k] : "man", as[k]);
        }
    ck_assert_uint_gt(rows, 80);
    for (unsigned c = 0; c < DESCRIBED; c++) {
        char synopsis[60];
        snprintf(synopsis, sizeof synopsis, "\n.B grade%s%s\n", *all[c].word ? " " : "", all[c].word);
        ck_assert_msg(strstr(text[3], synopsis), "the manual page has no %s", all[c].word);
        for (unsigned k = 0; k < 3; k++)
            ck_assert_msg(strstr(text[k], all[c].word), "%s: no %s", shells[k], all[c].word);
    }
    for (unsigned k = 0; k < sink_row_count; k++) {
        char option[60];
        snprintf(option, sizeof option, "--%s= ", sink_rows[k]->name);
        ck_assert_msg(strstr(text[0], option) != NULL, "no %s", option);
    }
    for (unsigned k = 0; k < 4; k++) free(text[k]);
}
END_TEST
/* If an option takes one of several names, its completions list these names. */
START_TEST(names_are_offered) {
    struct described all[DESCRIBED];
    static const char *const free_names[] = {"case", "op"};
    describe_commands(all);
    for (unsigned c = 0; c < DESCRIBED; c++)
        for (const struct argp_option *row = all[c].rows; row->name; row++) {
            char values[400];
            bool any = false;
            describe_values(row, values, sizeof values);
            for (unsigned k = 0; k < 2; k++) any |= !strcmp(row->name, free_names[k]);
            if (row->arg && !strcmp(row->arg, "NAME") && !any) ck_assert_msg(*values, "--%s", row->name);
        }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("places");
    TCase *t = tcase_create("places");
    int status;
    if (!mkdtemp(folder)) return 1;
    char h[60];
    snprintf(h, sizeof h, "%s/h", folder);
    setenv("T", folder, 1), setenv("H", h, 1);
    free(shell("sh grader/release/handout.sh stage $H \"$GRADE\"; ln \"$GRADE\" $H/grade 2>/dev/null || cp \"$GRADE\" "
               "$H/grade",
               &status));
    if (status) return printf("check_places: the handout cannot be staged\n"), 1;
    suite_add_tcase(suite, t);
    tcase_set_timeout(t, 300);
    add_rows(t, complete_runs_work, sizeof runs / sizeof *runs, 2);
    tcase_add_test(t, an_editor_understands_every_finding);
    tcase_add_test(t, a_dev_container_is_described);
    tcase_add_loop_test(t, an_image_has_instructions, 0, sizeof images / sizeof *images);
#ifdef HAVE_YAML
    tcase_add_loop_test(t, a_workflow_is_yaml, 0, sizeof workflows / sizeof *workflows);
#endif
    tcase_add_test(t, every_option_is_described);
    tcase_add_test(t, names_are_offered);
    const int failed = suite_failures(suite);
    free(shell("rm -rf $T", &status));
    return failed != 0;
}
