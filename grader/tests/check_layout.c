/* Tests imports of exports whose folders and file names differ from those that an LMS usually writes. The instructor
 * must be told how they differ. */
/* run: sanitized */
/* reads: labs */
#include "record/status.h"
#include "tests/class_folder.h"
#include "tests/rows.h"

/* Files to import for lab 3, the roster or NULL, the expected units, a line of the attention list, and the exit
 * status. */
static const struct export_row {
    const char *name;
    const char *files[6][2];
    const char *roster, *units, *said;
    int status;
} export_rows[] = {
    {"folders of labs instead of students",
     {{"lab3/ada/reduce.cu", "a"}, {"lab3/bob/reduce.cu", "b"}, {"Lab 4/ada/reduce.cu", "c"}},
     .units = "",
     .status = EXIT_USAGE},
    {"the folder of a lab", {{"lab3_shared_block/ada/lab3.cu", "a"}}, .units = "", .status = EXIT_USAGE},
    {"a student with the name of a lab",
     {{"lab3/lab3.cu", "a"}, {"bob/lab3.cu", "b"}},
     .units = "bob/lab3\nlab3/lab3\n"},
    {"a number that is no lab of the course", {{"lab77/lab3.cu", "a"}}, .units = "lab77/lab3\n"},
    {"attributes that macOS stores", {{"ada/lab3.cu", "a"}, {"__MACOSX/ada/._lab3.cu", "x"}}, .units = "ada/lab3\n"},
    {"Moodle, without folders",
     {{"Jane_X Doe_77_assignsubmission_file_lab3.cu", "a"},
      {"Jane_X Doe_77_assignsubmission_file_lab3.predictions.txt", "M = 1"},
      {"Bob_12_assignsubmission_file_my lab3.cu", "b"},
      {"Cyd_13_assignsubmission_onlinetext_onlinetext.html", "text"}},
     .units = "12/lab3\n77/lab3\n",
     .said = "13 (Cyd): Cyd_13_assignsubmission_onlinetext_onlinetext.html is not a .cu file"},
    {"Blackboard, logins and a title with underscores",
     {{"Lab_3_j_doe_2_attempt_2026-11-22-10-11-12_lab3.cu", "a"},
      {"Lab_3_ann_2_attempt_2026-11-22-10-11-12_lab3.cu", "b"},
      {"Lab_3_ann_attempt_2026-11-22-10-11-12_lab3.cu", "c"}},
     .units = "ann/lab3\nann_5f2/lab3\nj_5fdoe_5f2/lab3\n"},
    {"Blackboard, one student",
     {{"Lab_3_ann_attempt_2026-11-22-10-11-12_lab3.cu", "b"}, {"Lab_3_ann_attempt_2026-11-23-10-11-12_lab3.cu", "c"}},
     .units = "ann/lab3\n"},
    {"students whom the roster does not name",
     {{"ada/lab3.cu", "a"}, {"bob /lab3.cu", "b"}},
     "id,name\nada,Ada\nbob,Bob\n",
     "ada/lab3\nbob_20/lab3\n",
     "Not in the roster (1): "},
    {"the letters and accents of names, together or separate",
     {{"Zo\u00eb/lab3.cu", "a"}, {"Jose\u0301/lab3.cu", "b"}},
     "id,name\nZoe\u0308,Zoe K\nJos\u00e9,Jose M\n",
     "Jos_c3_a9/lab3\nZo_c3_ab/lab3\n",
     "Jos\u00e9 (Jose M)\n  lab3   Zo\u00eb (Zoe K)\n"},
    {"two folders whose names differ only in separate accents",
     {{"Zo\u00eb/lab3.cu", "a"}, {"Zoe\u0308/lab3.cu", "b"}, {"bob/lab3.cu", "b"}},
     .units = "bob/lab3\n",
     .said = "cannot tell which of Zoe\u0308/lab3.cu and Zo\u00eb/lab3.cu should be graded"},
    {"GitHub Classroom's roster, which has no names",
     {{"lab3-submissions/lab3-Ada/labs/lab3_x/reduce.cu", "a"}},
     "identifier,github_username,github_id,name\n\"Lovelace, A\",ada,17,\n",
     "ada/lab3\n",
     "ada (Lovelace, A)"},
    {"headers in another case",
     {{"ada/lab3.cu", "a"}},
     "\"Email Address\",FULL NAME\nada,Ada L\n",
     "ada/lab3\n",
     "ada (Ada L)"},
    {"headers that differ in case",
     {{"17/lab3.cu", "a"}},
     "identifier,Identifier,name\nx,Participant 17,Ada L\n",
     "17/lab3\n",
     "17 (Ada L)"},
#ifdef HAVE_YAML
    {"Gradescope, in a folder",
     {{"assignment_1_export/submission_metadata.yml",
       "submission_1:\n  :submitters:\n  - :name: Ada\n    :email: ada@x\n"},
      {"assignment_1_export/submission_1/reduce.cu", "a"}},
     .units = "ada_40x/lab3\n"},
    {"Gradescope, a student alone and later in a group",
     {{"submission_metadata.yml",
       "submission_1:\n  :submitters:\n  - :email: j%s@x\n  :created_at: 2026-11-20 10:00:00 Z\n"
       "submission_2:\n  :submitters:\n  - :email: j%s@x\n  - :email: b@x\n  :created_at: 2026-11-21 10:00:00 Z\n"},
      {"submission_1/reduce.cu", "a"},
      {"submission_2/reduce.cu", "b"}},
     .units = "b_40x/lab3\n",
     .said = "b@x: j%s@x is also in submission_1, which is ignored in favor of submission_2\n"},
    {"Gradescope, a student in a group and later alone",
     {{"submission_metadata.yml",
       "submission_1:\n  :submitters:\n  - :email: j@x\n  - :email: b@x\n  :created_at: 2026-11-22 10:00:00 Z\n"
       "submission_2:\n  :submitters:\n  - :email: b@x\n  :created_at: 2026-11-21 10:00:00 Z\n"},
      {"submission_1/reduce.cu", "a"},
      {"submission_2/reduce.cu", "b"}},
     .units = "j_40x/lab3\n",
     .said = "b@x is also in submission_2, which is ignored in favor of submission_1\n"},
#endif
};
static int compare_lines(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
static void sort_lines(char *text, char *result) {
    char *lines[16];
    unsigned n = 0;
    for (char *line; text && (line = strsep(&text, "\n")) && *line;) lines[n++] = line;
    qsort(lines, n, sizeof *lines, compare_lines);
    *result = 0;
    for (unsigned k = 0; k < n; k++) sprintf(result + strlen(result), "%s\n", lines[k]);
}
START_TEST(an_export_is_read_or_rejected) {
    const struct export_row *r = &export_rows[_i];
    char list[PATH_MAX] = "", units[1000] = "";
    begin_class();
    for (unsigned k = 0; k < 6 && r->files[k][0]; k++) put_file(in, r->files[k][0], r->files[k][1]);
    if (r->roster) {
        put_file(folder, "list.csv", r->roster);
        snprintf(list, sizeof list, "%s/list.csv", folder);
    }
    ck_assert_msg(import("lab3", *list ? list : NULL) == r->status, "%s", r->name);
    char *text = get(out, "units");
    sort_lines(text, units);
    ck_assert_msg(!strcmp(units, r->units), "%s: %s", r->name, units);
    free(text);
    if (!r->status) {
        /* fails because nothing is graded */
        ck_assert_int_eq(class_report(&(struct class_options){.out = out}, &place), EXIT_SETUP);
        text = get(out, "attention.txt");
        ck_assert_msg(!r->said || strstr(text, r->said), "%s: %s", r->name, text);
        ck_assert_msg(r->roster || !strstr(text, "Not in the roster"), "%s: %s", r->name, text);
        free(text);
    }
    end();
}
END_TEST
/* In this layout, the students' folders have names of labs. The instructor can select the layout. */
START_TEST(a_chosen_layout_is_used) {
    begin_class();
    put_file(in, "lab3/reduce.cu", "a");
    const struct class_options o = {.from = in, .out = out, .lab = "lab3", .seed = "7", .shape = "plain"};
    ck_assert_int_eq(class_import(&o, &place), 0);
    char *units = get(out, "units");
    ck_assert_str_eq(units, "lab3/lab3\n");
    free(units);
    end();
}
END_TEST

int main(void) {
    const struct test_row tests[] = {
        {"exports", an_export_is_read_or_rejected, ROWS(export_rows)},
        {"chosen", a_chosen_layout_is_used, 1},
    };
    return run_rows("layout", tests, ROWS(tests));
}
