/* Tests the import of submissions: archives, files that cannot be graded, and how each folder layout identifies a
 * file's student and role. */
/* run: sanitized, 11 s */
/* reads: labs */
#include "record/status.h"
#include "tests/class_folder.h"
#include "tests/rows.h"
#include <fcntl.h>
#include <unistd.h>

/* Files to import, and the expected units and exit status. */
static const struct layout {
    const char *name, *lab;
    const char *files[8][2];
    const char *units;
    int status;
} layouts[] = {
    {"plain",
     NULL,
     {{"ada/lab3.cu", "a"}, {"bob/lab3.cu", "b"}, {"bob/lab4.cu", "c"}, {"eve/x", ""}},
     "ada/lab3\nbob/lab3\nbob/lab4\n",
     0},
    {"one of two labs", "lab4", {{"ada/lab3.cu", "a"}, {"bob/lab4.cu", "c"}}, "bob/lab4\n", 0},
    {"no lab given", NULL, {{"ada/reduce.cu", "a"}}, "", 2},
    {"a given lab", "lab3", {{"ada/reduce.cu", "a"}}, "ada/lab3\n", 0},
    {"no submission of the given lab", "lab5", {{"ada/lab3.cu", "a"}}, "", 2},
    {"an unknown lab", "lab99", {{"ada/lab3.cu", "a"}}, "", 2},
    {"empty", NULL, {{NULL}}, "", 2},
    {"canvas",
     NULL,
     {{"doejane_1_10_lab3.cu", "old"}, {"doejane_LATE_1_11_lab3-1.cu", "new"}, {"doejane_2_12_lab3.cu", "other Jane"}},
     "1/lab3\n2/lab3\n",
     0},
    {"github",
     NULL,
     {{"lab3-ada/labs/lab3_shared_block/reduce.cu", "a"}, {"lab3-bob/labs/lab3_shared_block/reduce.cu", "b"}},
     "ada/lab3\nbob/lab3\n",
     0},
    {"classroom50, with the folder of all repositories",
     NULL,
     {{"c-lab3_submissions_2026_11_22/c-lab3-ada/labs/lab3_x/reduce.cu", "a"},
      {"c-lab3_submissions_2026_11_22/c-lab3-bob/labs/lab3_x/reduce.cu", "b"}},
     "ada/lab3\nbob/lab3\n",
     0},
    {"classroom50, with a file in an unexpected folder",
     NULL,
     {{"c-lab3_submissions_2026_11_22/c-lab3-ada/labs/lab3_x/reduce.cu", "a"},
      {"c-lab3_submissions_2026_11_22/c-lab3-bob/lab3.cu", "b"}},
     "ada/lab3\nbob/lab3\n",
     0},
    {"a class in a subfolder", NULL, {{"class/ada/lab3.cu", "a"}, {"class/bob/lab3.cu", "b"}}, "", 2},
    {"a class in a subfolder, with an archive",
     NULL,
     {{"class/ada/lab3.cu", "a"}, {"class/bob/lab3.cu", "b"}, {"class/cyd/work.zip", "not an archive"}},
     "",
     2},
    {"file names that students choose",
     "lab3",
     {{"ada/Lab3.cu", "a"},
      {"bob/lab 3 (final).cu", "b"},
      {"cyd/main.cu", "c"},
      {"dan/lab3/src/reduce.cu", "d"},
      {"eve/labs/lab3_shared_block/reduce.cu", "e"},
      {"eve/common/own.cu", "not hers"},
      {"fay/lab03.cu", "f"},
      {"gus/lab3.cu.txt", "g"}},
     "ada/lab3\nbob/lab3\ncyd/lab3\ndan/lab3\neve/lab3\nfay/lab3\ngus/lab3\n",
     0},
    {"two candidates for a lab",
     "lab3",
     {{"ada/lab3-old.cu", "a"},
      {"ada/lab3-new.cu", "b"},
      {"bob/one.cu", "c"},
      {"bob/two.cu", "d"},
      {"bob/lab3.cu", "e"}},
     "bob/lab3\n",
     0},
    {"one student's folders do not affect other students",
     NULL,
     {{"ada/labs/lab3_x/reduce.cu", "a"}, {"bob/lab3.cu", "b"}, {"cyd/lab3.cu", "c"}},
     "ada/lab3\nbob/lab3\ncyd/lab3\n",
     0},
    {"a copy of the handout is one student",
     "lab3",
     {{"ada/labs/lab1_x/reduce.cu", "a"},
      {"ada/labs/lab2_x/reduce.cu", "a"},
      {"ada/labs/lab3_x/reduce.cu", "a"},
      {"lab3-bob/lab3.cu", "b"},
      {"lab3-cyd/lab3.cu", "c"}},
     "ada/lab3\nlab3-bob/lab3\nlab3-cyd/lab3\n",
     0},
    {"a repository with a file in an unexpected folder",
     "lab3",
     {{"lab3-ada/labs/lab3_x/reduce.cu", "a"},
      {"lab3-bob/labs/lab3_x/reduce.cu", "b"},
      {"lab3-bob/common/own.cu", "not theirs"},
      {"lab3-cyd/lab3.cu", "c"},
      {"lab3-dan/src/kernel.cu", "d"}},
     "ada/lab3\nbob/lab3\ncyd/lab3\ndan/lab3\n",
     0},
    {"two layouts", "lab3", {{"ada/lab3.cu", "a"}, {"bob/lab3.cu", "b"}, {"doejane_1_10_lab3.cu", "c"}}, "", 2},
    {"moodle",
     "lab3",
     {{"Ada L_17_assignsubmission_file_/lab3.cu", "a"}, {"Bob_18_assignsubmission_file_/kernel.cu", "b"}},
     "17/lab3\n18/lab3\n",
     0},
    {"moodle, and a student without a program",
     "lab3",
     {{"Ada L_17_assignsubmission_file_/lab3.cu", "a"},
      {"Bob_18_assignsubmission_file_/lab3.cu", "b"},
      {"Cyd_19_assignsubmission_file_/lab3.predictions.txt", "M = 1"},
      {"Cyd_19_assignsubmission_file_/predictions.txt", "M = 1"}},
     "17/lab3\n18/lab3\n",
     0},
    {"github, and a student without a program",
     "lab3",
     {{"lab3-ada/labs/lab3_x/reduce.cu", "a"},
      {"lab3-bob/labs/lab3_x/reduce.cu", "b"},
      {"lab3-cyd/lab3.predictions.txt", "M = 1"}},
     "ada/lab3\nbob/lab3\n",
     0},
    {"a folder of another layout",
     "lab3",
     {{"ada/lab3.cu", "a"}, {"bob/lab3.cu", "b"}, {"cyd/lab3.cu", "c"}, {"Dan_17_assignsubmission_file_/lab3.cu", "d"}},
     "",
     2},
    {"two files of the requested name",
     "lab3",
     {{"Ada L_17_assignsubmission_file_/lab3.cu", "a"},
      {"Ada L_17_assignsubmission_file_/old/lab3.cu", "b"},
      {"Bob_18_assignsubmission_file_/lab3.cu", "b"}},
     "18/lab3\n",
     0},
    {"blackboard",
     NULL,
     {{"L_ada_attempt_2026-11-21-10-00-00_lab3.cu", "old"},
      {"L_ada_attempt_2026-11-22-10-00-00_lab3.cu", "new"},
      {"L_ada_attempt_2026-11-22-10-00-00.txt", "a receipt"}},
     "ada/lab3\n",
     0},
    {"hostile names",
     NULL,
     {{"$(touch x)/lab3.cu", "a"}, {"_24/lab3.cu", "b"}},
     "_24_28touch_20x_29/lab3\n_5f24/lab3\n",
     0},
#ifdef HAVE_YAML
    {"gradescope",
     "lab3",
     {{"submission_metadata.yml",
       "---\nsubmission_1:\n  :submitters:\n  - :name: Ada L\n    :sid: '7'\n    :email: ada@x\n"
       "  - :name: Bob\n    :email: bob@x\nsubmission_2:\n  :submitters:\n  - :name: \"=Eve\"\n"
       "    :email: eve@x\n"},
      {"submission_1/reduce.cu", "a"},
      {"submission_2/reduce.cu", "b"}},
     "ada_40x/lab3\neve_40x/lab3\n",
     0},
    {"gradescope, not YAML", "lab3", {{"submission_metadata.yml", "a: [b"}, {"submission_1/reduce.cu", "a"}}, "", 3},
#endif
};
static char *sorted_lines(char *text) {
    char *line[64], *copy = strdup(text ? text : ""), *result = calloc(1, strlen(copy) + 2);
    unsigned n = 0;
    for (char *save = NULL, *l = strtok_r(copy, "\n", &save); l && n < 64; l = strtok_r(NULL, "\n", &save))
        line[n++] = l;
    for (unsigned k = 0; k < n; k++)
        for (unsigned i = k + 1; i < n; i++)
            if (strcmp(line[i], line[k]) < 0) {
                char *swap = line[i];
                line[i] = line[k], line[k] = swap;
            }
    for (unsigned k = 0; k < n; k++) strcat(strcat(result, line[k]), "\n");
    free(copy);
    free(text);
    return result;
}
START_TEST(submissions_are_laid_out) {
    const struct layout *l = &layouts[_i];
    begin_class();
    for (unsigned k = 0; k < 8 && l->files[k][0]; k++) put_file(in, l->files[k][0], l->files[k][1]);
    const int status = import(l->lab, NULL);
    ck_assert_msg(status == l->status, "%s: status %d", l->name, status);
    char *units = sorted_lines(get(out, "units"));
    ck_assert_msg(!strcmp(units, l->units), "%s: %s", l->name, units);
    free(units);
    end();
}
END_TEST
/* All files in an assignment's export were submitted to this assignment, whatever their names. */
START_TEST(the_newest_of_a_students_files_counts) {
    begin_class();
    put_file(in, "doejane_1_10_lab3-1.cu", "new");
    put_file(in, "doejane_1_11_lab3.cu", "old");
    put_file(in, "doejane_1_12_notes.cu", "loose"), put_file(in, "roe_2_11_lab4.cu", "b");
    ck_assert_int_eq(import("lab3", NULL), 0);
    char *text = get(out, "submissions/1/lab3/reduce.cu"), *roster = get(out, "roster.json");
    ck_assert_str_eq(text, "new");
    ck_assert_msg(strstr(roster, "is ignored in favor of doejane_1_10_lab3-1.cu") &&
                      strstr(roster, "roe_2_11_lab4.cu is not the lab's file"),
                  "%s", roster);
    free(text);
    free(roster);
    end();
}
END_TEST

/* Files that cannot be graded and files with unexpected names are listed. A student without a file has no unit. */
START_TEST(no_submission_is_lost) {
    begin_class();
    put_file(in, "ada/lab3-old.cu", "a"), put_file(in, "ada/lab3-new.cu", "b");
    put_file(in, "bob/essay.pdf", "c"), put_file(in, "gus/lab4.cu", "a");
    put_file(in, "cyd/lab_3.cu", "d");
    put_file(in, "dan/.hidden", "");
    put_file(in, "eve/lab3.cu", "");
    put_file(in, "fay/lab3.cu", " \n"), put_file(in, "cyd/predictions.txt", "");
    char wide[200];
    snprintf(wide, sizeof wide, "%s/eve/lab3.cu", in);
    ck_assert(file_write(wide, "\xff\xfe/\0/\0 \0\xb5\x03\n\0", 12));
    ck_assert_int_eq(import("lab3", NULL), 0);
    /* No submission has been graded. */
    ck_assert_int_eq(class_report(&(struct class_options){.out = out}, &place), EXIT_SETUP);
    char *list = get(out, "attention.txt"), *text = get(out, "submissions/eve/lab3/reduce.cu");
    static const char *const said[] = {"ada: cannot tell which of ada/lab3-new.cu and ada/lab3-old.cu should be graded",
                                       "bob: bob/essay.pdf is not a .cu file",
                                       "cyd: cyd/lab_3.cu",
                                       "lab3   dan\n",
                                       "lab3   gus: only files of other labs, such as gus/lab4.cu\n",
                                       "fay: fay/lab3.cu is empty\n"};
    for (unsigned k = 0; k < sizeof said / sizeof *said; k++)
        ck_assert_msg(strstr(list, said[k]), "%s: %s", said[k], list);
    ck_assert_str_eq(text, "// \xce\xb5\n");
    free(list);
    free(text);
    put_file(in, "cyd/lab_3.cu", ""); /* the file was a valid submission at the first import */
    ck_assert_int_eq(import("lab3", NULL), 0);
    char *roster = get(out, "roster.json");
    ck_assert_msg(strstr(roster, "cyd/lab_3.cu is empty") && !there(out, "submissions/cyd/lab3/reduce.cu"), "%s",
                  roster);
    free(roster);
    end();
}
END_TEST

#ifdef HAVE_YAML
/* Each person in Gradescope's list without a file is reported. */
START_TEST(listed_students_without_files_are_reported) {
    begin_class();
    put_file(in, "submission_metadata.yml",
             "submission_1:\n  :submitters:\n  - :name: Ada\n    :email: ada@x\n"
             "submission_2:\n  :submitters:\n  - :name: Fay\n    :email: fay@x\n  - :name: Gus\n  - :name: Hal\n"
             "submission_3:\n  :submitters:\n  - :name: Ivy\n    :email: ivy@x\n");
    put_file(in, "submission_1/reduce.cu", "a");
    put_file(in, "submission_3/.keep", "");
    ck_assert_int_eq(import("lab3", NULL), 0);
    ck_assert_int_eq(class_report(&(struct class_options){.out = out}, &place), EXIT_SETUP);
    char *list = get(out, "attention.txt");
    static const char *const said[] = {
        "fay@x (Fay): submission_2/ is named in submission_metadata.yml, but missing from the export",
        "Gus (Gus): submission_2/ is named", "Hal (Hal): submission_2/ is named",
        "ivy@x (Ivy): submission_3/ is empty"};
    for (unsigned k = 0; k < sizeof said / sizeof *said; k++)
        ck_assert_msg(strstr(list, said[k]), "%s: %s", said[k], list);
    free(list);
    end();
}
END_TEST
#endif
/* Editors write text in various character sets and with various line endings. Each text has two lines, and the first
 * contains an epsilon. */
static const struct written_row {
    const char *name, *command;
} written_rows[] = {
    {"UTF-8", "cat"},
    {"UTF-16 with a byte order mark", "iconv -t UTF-16"},
    {"UTF-16LE", "iconv -t UTF-16LE"},
    {"UTF-16BE", "iconv -t UTF-16BE"},
    {"UTF-32 with a byte order mark", "iconv -t UTF-32"},
    {"UTF-32LE", "iconv -t UTF-32LE"},
    {"UTF-32BE", "iconv -t UTF-32BE"},
    {"lines that end with CR", "tr '\\n' '\\r'"},
    {"UTF-16LE, lines that end with CR", "tr '\\n' '\\r' | iconv -t UTF-16LE"},
};
START_TEST(any_editors_text_is_read) {
    const struct written_row *r = &written_rows[_i];
    static const char plain[] = "// e \xce\xb5\nint x;\n";
    char command[500];
    begin_class();
    put_file(in, "ada/text", plain);
    snprintf(command, sizeof command, "cd %s/ada && export LC_ALL=C.UTF-8 && cat text | %s >lab3.cu && rm text", in,
             r->command);
    ck_assert_msg(!system(command), "%s", command);
    ck_assert_int_eq(import("lab3", NULL), 0);
    char *text = get(out, "submissions/ada/lab3/reduce.cu");
    ck_assert_msg(text && !strcmp(text, plain), "%s: %s", r->name, text);
    free(text);
    end();
}
END_TEST

/* A file that is unreadable or too large is reported, and affects only its own student. Names may contain any bytes.
 * Each row has a command that creates `in`, the resulting units, and a message in the roster. The import does not
 * run as root, because root can read every file. */
static const struct odd_row {
    const char *lab, *command, *units, *said;
} odd_rows[] = {
    {"lab3", "mkdir ada; echo a >ada/lab3.cu; chmod 0 ada", "", "ada/ cannot be read: Permission denied"},
    {"lab3", "mkdir -p ada/src; echo a >ada/lab3.cu; chmod 0 ada/src", "ada/lab3\n",
     "ada/src/ cannot be read: Permission denied"},
    {"lab3", "mkdir ada; echo a >ada/lab3.cu; chmod 0 ada/lab3.cu", "",
     "ada/lab3.cu cannot be read: Permission denied"},
    {NULL, "mkdir ada; echo a >ada/lab3.cu; chmod 0 ada/lab3.cu", "", "ada/lab3.cu cannot be read: Permission denied"},
    {NULL, "mkdir ada; echo a >ada/essay.pdf", "", "ada/essay.pdf is not a .cu file"},
    {"lab3", "mkdir ada; echo a >ada/lab4.cu", "", "\"other_labs\": {\n    \"lab3\": \"ada/lab4.cu\""},
    {"lab3", "mkdir ada bob; echo a >ada/lab33.cu; echo b >bob/lab4.cu", "", "ada/lab33.cu is not the lab's file"},
    {"lab3", "mkdir 'ada l'; echo a >'ada l/essay.pdf'", "", "\"id\": \"ada l\""},
    {"lab3", "d=$(printf 'J\\344ne'); mkdir $d; echo a >$d/lab3.cu", "J_e4ne/lab3\n", "\"id\": \"J_e4ne\""},
    {"lab3", "mkdir ada; echo a >ada/$(printf 'l\\366sung').cu", "ada/lab3\n", "ada/l?sung.cu"},
    {"lab3", "mkdir ada; echo a >ada/lab3.cu; cd ada; for k in $(seq 1100); do echo >x$k.cu; done", "ada/lab3\n",
     "ada/ contains more than 1000 candidate files"},
    {"lab3", "mkdir -p ada/junk; echo a >ada/lab3.cu; cd ada/junk; for k in $(seq 1100); do echo >x$k.cu; done",
     "ada/lab3\n", "\"from\": \"ada/lab3.cu\""},
    {"lab3", "mkdir -p ada/1/2/3/4/5/6/7/8; echo a >ada/1/2/3/4/5/6/7/8/lab3.cu", "",
     "ada/1/2/3/4/5/6/7/8/ is nested in more than 7 folders and was ignored"},
    {"lab3", "mkdir ada; echo a >ada/lab3.cu; ln -s lab3.cu ada/lab3.predictions.txt", "ada/lab3\n",
     "ada/lab3.predictions.txt is not a regular file"},
    {"lab3", "mkdir Ada; echo a >Ada/lab3.cu; mkdir -- -rf; echo a >-rf/lab3.cu", "Ada/lab3\n_2drf/lab3\n", "\"-rf\""},
    {"lab3", "mkdir ada; echo a >ada/.lab3.cu; echo a >ada/.DS_Store", "",
     "ada/.lab3.cu is hidden, because its name begins with a dot"},
    {"lab3", "mkdir -p ada/.src ada/.git; echo a >ada/.src/lab3.cu; echo a >ada/.git/lab3.cu", "",
     "ada/.src/ is hidden, because its name begins with a dot\""},
    {"lab3", "mkdir ada; echo '%PDF-1.7' >ada/lab3.cu", "", "ada/lab3.cu is a PDF document, not a text"},
    {"lab3", "mkdir ada; printf '{\\\\rtf1' >ada/lab3.predictions.txt; echo a >ada/lab3.cu", "ada/lab3\n",
     "ada/lab3.predictions.txt is an RTF document, not a text"},
    {"lab3", "mkdir ada; ln -s ../bob ada/lab3", "", "ada/lab3 is not a regular file"},
    {"lab3", "mkdir ada; printf '\\357\\273\\277 ' >ada/lab3.cu", "", "ada/lab3.cu is empty"},
    {"lab3", "mkdir ada; head -c 99 /dev/zero >ada/lab3.cu", "", "ada/lab3.cu is empty"},
    {"lab3", "mkdir -p ada/tree; echo a >ada/lab3.cu; cd ada/tree; seq -f 'x%.0f.o' 1500 | xargs touch", "ada/lab3\n",
     "\"from\": \"ada/lab3.cu\""},
};
START_TEST(unusual_files_affect_only_their_student) {
    const struct odd_row *r = &odd_rows[_i];
    const uid_t us = geteuid(), nobody = us ? us : 65534;
    char command[3000];
    begin_class();
    snprintf(command, sizeof command,
             "cd %s && mkdir -p bob && echo b >bob/lab3.cu && (%s) && chmod 777 .. && chown -R %u .", in, r->command,
             (unsigned)nobody);
    ck_assert_msg(!system(command), "%s", command);
    ck_assert(!seteuid(nobody));
    const int status = import(r->lab, NULL);
    ck_assert(!seteuid(us));
    ck_assert_msg(!status, "%s: %d", r->command, status);
    char units[100], *lines = sorted_lines(get(out, "units")), *roster = get(out, "roster.json");
    snprintf(units, sizeof units, "%sbob/lab3\n", r->units);
    ck_assert_msg(!strcmp(lines, units), "%s: %s", r->command, lines);
    ck_assert_msg(strstr(roster, r->said), "%s: %s", r->command, roster);
    free(lines), free(roster);
    snprintf(command, sizeof command, "chmod -R u+rwX %s", in);
    ck_assert(!system(command));
    end();
}
END_TEST

/* Each row has a command that creates a student's archive, and the result of importing it. */
static const struct archive_row {
    const char *path, *command, *units, *said;
} archive_rows[] = {
    {"ada/lab3.zip", "echo a >reduce.cu; bsdtar -a -cf $ARCHIVE reduce.cu", "ada/lab3\n", NULL},
    {"ada/hand in.tar.gz",
     "mkdir -p labs/lab3_x; echo a >labs/lab3_x/reduce.cu; echo >essay.pdf; bsdtar -a -cf \"$ARCHIVE\" labs essay.pdf",
     "ada/lab3\n", NULL},
    {"ada/mac.zip", "mkdir __MACOSX; echo a >__MACOSX/._lab3.cu; echo a >lab3.cu; bsdtar -a -cf $ARCHIVE .",
     "ada/lab3\n", NULL},
    {"ada.zip", "echo a >lab3.cu; bsdtar -a -cf $ARCHIVE lab3.cu", "ada/lab3\n", NULL},
    {"ada/lab3.7z", "echo a >main.cu; bsdtar -a -cf $ARCHIVE main.cu", "ada/lab3\n", NULL},
    {"ada/hand.zip",
     "mkdir d; echo a >d/lab3.cu; echo old >d/Lab3.cu; echo 7 >d/predictions.txt; bsdtar -a -cf $ARCHIVE d",
     "ada/lab3\n", "\"predictions\": \"ada/hand/d/predictions.txt\""},
    {"ada/lab3.zip",
     "export LC_ALL=C.UTF-8; d=$(printf '\\303\\234bung'); mkdir $d; echo a >$d/main.cu; bsdtar -a -cf $ARCHIVE $d",
     "ada/lab3\n", "main.cu\""},
    {"ada/lab3.zip", "echo a >lab3.cu; bsdtar -a -cf x.zip lab3.cu; rm lab3.cu; bsdtar -a -cf $ARCHIVE x.zip", "",
     "ada/lab3.zip contains no .cu file, only x.zip\""},
    {"ada/lab3.zip",
     "echo a >lab3.cu; bsdtar -a -cf x.zip lab3.cu; rm lab3.cu; echo >y; bsdtar -a -cf $ARCHIVE x.zip y", "",
     "ada/lab3.zip contains no .cu file, only x.zip and 1 more\""},
    {"ada/lab3.zip", "mkdir empty; bsdtar -a -cf $ARCHIVE empty", "", "ada/lab3.zip is an empty archive"},
    {"ada/lab3.zip", "echo a >lab3.cu; echo >READ.TXT; echo 7 >Predictions.TXT; bsdtar -a -cf $ARCHIVE .", "ada/lab3\n",
     NULL},
    {"ada/lab3.zip", "echo a >lab3.cu; head -c 3000000 /dev/zero >log.txt; bsdtar -a -cf $ARCHIVE .", "ada/lab3\n",
     NULL},
    {"ada/lab3.tbz2", "echo a >lab3.cu; bsdtar -cjf $ARCHIVE .", "ada/lab3\n", NULL},
    {"ada/lab3.zip", "for k in $(seq 9); do head -c 2000000 /dev/zero >$k.cu; done; bsdtar -a -cf $ARCHIVE .", "",
     "ada/lab3.zip cannot be unpacked: its .cu and .txt files exceed 16 MiB"},
    {"ada/two.zip", "echo a >one.cu; echo b >two.cu; bsdtar -a -cf $ARCHIVE .", "", "cannot tell which of "},
    {"ada/three.zip", "echo a >one.cu; echo b >two.cu; cp two.cu zoo.cu; bsdtar -a -cf $ARCHIVE .", "",
     "cannot tell which of "},
    {"ada/hand.zip", "mkdir d; cp $KIT/labs/lab3_*/reduce.cu lab3.cu; echo a >d/mine.cu; bsdtar -a -cf $ARCHIVE .",
     "ada/lab3\n", "ada/hand/lab3.cu is the unchanged skeleton and is ignored in favor of ada/hand/d/mine.cu"},
    {"ada/hand.zip",
     "mkdir d; sed 's/$/\\r/' $KIT/labs/lab3_*/reduce.cu >lab3.cu; echo a >d/Lab3.cu; cp lab3.cu d/z.cu; bsdtar -a -cf "
     "$ARCHIVE .",
     "ada/lab3\n", "ada/hand/lab3.cu is the unchanged skeleton and is ignored"},
    {"ada/lab3.zip", "echo a >essay.pdf; bsdtar -a -cf $ARCHIVE .", "",
     "ada/lab3.zip contains no .cu file, only essay.pdf\""},
    {"ada/lab3.zip", "seq 999 >passphrase.cu; bsdtar -a -cf - *.cu | head -c 600 >$ARCHIVE", "",
     "ada/lab3.zip cannot be unpacked: Truncated input file"},
    {"ada/lab3.zip", "echo no archive >$ARCHIVE", "",
     "ada/lab3.zip cannot be unpacked: Error opening archive: Unrecognized"},
    {"ada/lab3.zip",
     "echo a >lab3.cu; bsdtar -a --options zip:encryption=aes256 --passphrase secret -cf $ARCHIVE lab3.cu", "",
     "ada/lab3.zip cannot be unpacked: it is password-protected"},
    {"ada/lab3.zip", "for k in $(seq 300); do echo >$k.cu; done; bsdtar -a -cf $ARCHIVE .", "",
     "ada/lab3.zip cannot be unpacked: more than 200 .cu and .txt files"},
    {"ada/lab3.zip", "seq -f %0250.0f 5000 | xargs touch; bsdtar -a -cf $ARCHIVE .", "",
     "ada/lab3.zip cannot be unpacked: it contains too many files"},
    {"ada/lab3.zip", "head -c 3000000 /dev/zero >lab3.cu; bsdtar -a -cf $ARCHIVE lab3.cu", "",
     "ada/lab3.zip cannot be unpacked: it exceeds the limits on time or size"},
    /* no file of a damaged archive is imported; the next archive is */
    {"ada/lab3.zip",
     "head -c 3000000 /dev/zero >lab3.cu; bsdtar -a -cf $ARCHIVE lab3.cu; echo b >b.cu; bsdtar -a -cf ../in/abe.zip "
     "b.cu",
     "abe/lab3\n", "ada/lab3.zip cannot be unpacked: it exceeds"},
    {"ada/lab3.tar", "echo a >lab3.cu; bsdtar -cPf $ARCHIVE -s ',^,/,' lab3.cu", "ada/lab3\n", NULL},
    {"ada/lab3.tar",
     "ln -s /tmp lab3.cu; bsdtar -cf t1.tar lab3.cu; rm lab3.cu; mkdir lab3.cu; echo a >lab3.cu/x.cu; "
     "bsdtar -cf $ARCHIVE @t1.tar lab3.cu/x.cu",
     "", "Cannot extract through symlink"},
    {"ada/lab3.zip", "mkdir x y; echo a >x/lab3.cu; echo a >y/lab3.cu; bsdtar -a -cf $ARCHIVE x y", "ada/lab3\n",
     "is ignored in favor of"},
    {"ada/lab3.tar", "mkdir x; echo a >lab3.cu; ln -s /etc/passwd reduce.cu; bsdtar -cf $ARCHIVE lab3.cu reduce.cu",
     "ada/lab3\n", "ada/lab3/reduce.cu is not a regular file"},
    {"ada/lab3.tar", "mkdir x; echo a >x/lab3.cu; ln -s /etc/passwd lab3.cu; bsdtar -cf $ARCHIVE lab3.cu x",
     "ada/lab3\n", "ada/lab3/lab3.cu is not a regular file"},
    {"ada/lab3.7z", "printf '7z\\274\\257\\047\\034 broken' >$ARCHIVE", "", "ada/lab3.7z cannot be unpacked\""},
    {"ada/lab3.tar", "ln -s /etc/passwd lab3.cu; bsdtar -cf $ARCHIVE lab3.cu", "",
     "ada/lab3/lab3.cu is not a regular file"},
    {"ada/lab3.tar", "echo a >lab3.cu; bsdtar -cPf $ARCHIVE -s ',^.*,../No space left on device.cu,' lab3.cu", "",
     "device.cu: Path contains '..'\""},
    {"ada/lab3.tar", "echo a >lab3.cu; bsdtar -cPf $ARCHIVE -s ',^,../../../../outside/,' lab3.cu", "",
     "ada/lab3.tar cannot be unpacked: ../../../../outside/lab3.cu: Path contains '..'\""},
};
static void make_archive(const char *path, const char *command) {
    char text[3 * PATH_MAX];
    snprintf(
        text, sizeof text,
        "KIT=$PWD; rm -rf %s/stuff && mkdir -p %s/stuff \"$(dirname '%s/%s')\" && cd %s/stuff && ARCHIVE='%s/%s' && { "
        "%s; }",
        folder, folder, in, path, folder, in, path, command);
    ck_assert_msg(!system(text), "%s", command);
}
START_TEST(archives_are_unpacked) {
    const struct archive_row *r = &archive_rows[_i];
    begin_class();
    put_file(in, "bob/lab3.cu", "b");
    make_archive(r->path, r->command);
    ck_assert_int_eq(import("lab3", NULL), 0);
    char units[100], *lines = sorted_lines(get(out, "units")), *roster = get(out, "roster.json");
    snprintf(units, sizeof units, "%sbob/lab3\n", r->units);
    ck_assert_msg(!strcmp(lines, units), "%s: %s", r->command, lines);
    ck_assert_msg(!r->said || strstr(roster, r->said), "%s: %s", r->command, roster);
    ck_assert(!there(folder, "outside/lab3.cu"));
    if (strstr(r->units, "ada")) {
        char *text = get(out, "submissions/ada/lab3/reduce.cu");
        ck_assert_str_eq(text, "a\n");
        free(text);
    }
    free(lines), free(roster);
    end();
}
END_TEST
/* Columns: the folder of all repositories, a repository in it, and the expected unit. If the folder's name gives the
 * assignment, the repository's name is the assignment followed by the student's login. Otherwise, the login follows
 * the lab. */
static const char *const prefix_rows[][3] = {
    {"shared-block-submissions", "shared-block-ada", "ada/lab3\n"},
    {"cs101-shared-block_submissions_2026_11_22_T_10_11_12", "cs101-shared-block-ada-l", "ada-l/lab3\n"},
    {"handed-in", "cs101-lab3-ada", "ada/lab3\n"},
};
START_TEST(folder_names_give_the_prefix) {
    char path[200], from[200];
    begin_class();
    snprintf(path, sizeof path, "%s/%s/labs/lab3_x/reduce.cu", prefix_rows[_i][0], prefix_rows[_i][1]);
    put_file(in, path, "a");
    snprintf(path, sizeof path, "%s/scores.csv", prefix_rows[_i][0]);
    put_file(in, path, "owner,score\nada,1\n");
    snprintf(from, sizeof from, "%s/%s", in, prefix_rows[_i][0]);
    ck_assert_int_eq(class_import(&(struct class_options){.from = from, .out = out, .seed = "7"}, &place), 0);
    char *units = get(out, "units");
    ck_assert_str_eq(units, prefix_rows[_i][2]);
    free(units);
    end();
}
END_TEST
START_TEST(exports_may_be_archives) {
    static const char *const tops[] = {"", "handed-in/"};
    char command[1000], path[PATH_MAX];
    begin_class();
    snprintf(
        command, sizeof command,
        "mkdir -p %sada %sbob; echo a >reduce.cu; bsdtar -a -cf %sada/lab3.zip reduce.cu; echo b >%sbob/lab3.cu; rm "
        "reduce.cu; bsdtar -a -cf \"$ARCHIVE\" *",
        tops[_i], tops[_i], tops[_i], tops[_i]);
    make_archive("all of them.zip", command);
    snprintf(path, sizeof path, "%s/all of them.zip", in);
    ck_assert_int_eq(
        class_import(&(struct class_options){.from = path, .out = out, .lab = "lab3", .seed = "7"}, &place), 0);
    char *lines = sorted_lines(get(out, "units")), *text = get(out, "submissions/ada/lab3/reduce.cu");
    ck_assert_str_eq(lines, "ada/lab3\nbob/lab3\n");
    ck_assert_str_eq(text, "a\n");
    free(lines), free(text);
    end();
}
END_TEST

/* Each row has a command that creates `in`, the resulting submission time of lab3, and the source of this time.
 * Submission times are recorded only for labs with a deadline. */
static const struct time_row {
    const char *command, *member;
    long long at;
    const char *by;
} time_rows[] = {
    {"mkdir ada; echo a >ada/lab3.cu; touch -d @1700000000 ada/lab3.cu", "ada", 1700000000, "file"},
    {"mkdir ada; echo a >lab3.cu; touch -d @1800000000 lab3.cu; bsdtar -a -cf ada/lab3.zip lab3.cu; rm lab3.cu; "
     "touch -d @1700000000 ada/lab3.zip",
     "ada", 1700000000,
     "file"}, /* the time of the archive counts, because a student can set the times of files in the archive */
    {"mkdir lab3-ada; cd lab3-ada; echo a >lab3.cu; bsdtar -a -cf work.tar.gz lab3.cu; rm lab3.cu; git init -q .; "
     "git add .; GIT_COMMITTER_DATE='1700000001 +0000' git -c user.name=a -c user.email=a@x commit -qm a; mkdir -p "
     "../lab3-bob/labs/lab3_x; echo b >../lab3-bob/labs/lab3_x/reduce.cu",
     "ada", 1700000001, "commit"},
    {"mkdir L_17_assignsubmission_file_; cd L*; echo a >lab3.cu; cd ..; printf 'Identifier,Full name,Last modified "
     "(submission)\\nParticipant 17,Ada L,\"Sunday, 22 November 2026, 6:11 PM\"\\n' >../list.csv",
     "17", 1795371060, "server"},
    {"echo a >L_ada_attempt_2026-11-22-10-11-12_lab3.cu", "ada", 1795342272, "server"},
    {"echo a >doejane_LATE_1_10_lab3.cu", "1", 0, ""},
    {"echo a >anon_x7_10_lab3.cu", "x7", 0, ""},
    {"mkdir -p cs101-lab3-ada/labs/lab3_x; cd cs101-lab3-ada; echo a >labs/lab3_x/reduce.cu; touch -d @1600000000 "
     "labs/lab3_x/reduce.cu; git init -q .; git add .; T='-c user.name=a -c user.email=a@x'; "
     "GIT_COMMITTER_DATE='1700000001 +0000' git $T commit -qm a; echo >notes; git add .; "
     "GIT_COMMITTER_DATE='1700009999 +0000' git $T commit -qm b",
     "ada", 1700000001, "commit"},
    {"mkdir ada; echo a >ada/lab3.cu; echo 7 >ada/predictions.txt; touch -d @1700000000 ada/lab3.cu; touch -d "
     "@1700000005 "
     "ada/predictions.txt",
     "ada", 1700000005, "file"}, /* the newer of the two files counts */
    {"mkdir -p lab3-ada/.git lab3-ada/labs/lab3_x; cd lab3-ada; echo a >labs/lab3_x/reduce.cu; touch -d @1600000000 "
     "labs/lab3_x/reduce.cu",
     "ada", 1600000000, "file"}, /* has a folder .git, but is not a repository */
#ifdef HAVE_YAML
    {"mkdir submission_1; echo a >submission_1/reduce.cu; printf -- \"---\\nsubmission_1:\\n  :created_at: 2026-11-22 "
     "10:11:12.5 -08:00\\n  :submitters:\\n  - :name: Ada\\n    :email: ada@x\\n\" >submission_metadata.yml",
     "ada_40x", 1795371072, "server"},
#endif
};
START_TEST(submission_times_name_their_source) {
    const struct time_row *r = &time_rows[_i];
    for (unsigned due = 0; due < 2; due++) {
        char command[2000], path[PATH_MAX];
        begin_class();
        put_file(folder, "kit/labs/course.conf",
                 due ? "lab3.deadline = 2027-02-19 18:00\n" : "lab4.deadline = 2027-02-19 18:00\n");
        snprintf(path, sizeof path, "%s/kit", folder);
        snprintf(command, sizeof command, "export TZ=UTC; cd %s && { %s; }", in, r->command);
        ck_assert_msg(!system(command), "%s", command);
        char list[100];
        snprintf(list, sizeof list, "%s/list.csv", folder);
        const struct class_options o = {
            .from = in, .out = out, .lab = "lab3", .seed = "7", .roster = access(list, 0) ? NULL : list};
        ck_assert_int_eq(class_import(&o, &(struct class_place){.root = path}), 0);
        snprintf(path, sizeof path, "%s/roster.json", out);
        json_t *roster = json_load_file(path, 0, NULL),
               *lab = json_object_get(
                   json_object_get(json_object_get(json_object_get(roster, "students"), r->member), "labs"), "lab3");
        ck_assert_msg(lab, "%s", r->command);
        ck_assert_int_eq(json_integer_value(json_object_get(lab, "handed_in")), due ? r->at : 0);
        ck_assert_str_eq(text_of(lab, "time_of"), due ? r->by : "");
        json_decref(roster);
        end();
    }
}
END_TEST

int main(void) {
    setenv("TZ", "UTC", 1); /* the server has the grader's time zone */
    const struct test_row tests[] = {
        {"layouts", submissions_are_laid_out, ROWS(layouts)},
        {"newest", the_newest_of_a_students_files_counts, 1},
        {"hand-ins", no_submission_is_lost, 1},
        {"editors", any_editors_text_is_read, ROWS(written_rows)},
#ifdef HAVE_YAML
        {"listed", listed_students_without_files_are_reported, 1},
#endif
        {"odd", unusual_files_affect_only_their_student, ROWS(odd_rows)},
        {"archives", archives_are_unpacked, ROWS(archive_rows)},
        {"prefixes", folder_names_give_the_prefix, ROWS(prefix_rows)},
        {"exports", exports_may_be_archives, 2},
        {"times", submission_times_name_their_source, ROWS(time_rows)},
    };
    return run_rows("import", tests, ROWS(tests));
}
