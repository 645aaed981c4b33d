/* Tests functions of class/ that need no files (paths, names, cells, rosters, lines), the correction of dates in the
 * future, and the output for golden/class.json. UPDATE_GOLDEN=1 rewrites golden/class.{own,canvas,gradescope}.csv
 * and class.txt; check the changes before you commit them. */
/* run: sanitized */
/* reads: grader/tests/golden */
#include "class/facts.h"
#include "tests/class_folder.h"
#include "tests/rows.h"
#include <fcntl.h>
#include <unistd.h>

/* ---- paths in each folder layout ------------------------------------------------------------- */
static const struct {
    const char *shape, *prefix, *path;
    const char *student, *lab; /* student: NULL if the path does not belong to a submission */
    bool predictions, late;
    unsigned long version;
    enum class_rank rank;
} paths[] = {
    {"plain", "", "ada/lab3.cu", "ada", "lab3"},
    {"plain", "", "ada/lab12.cu", "ada", "lab12"},
    {"plain", "", "ada/lab3.predictions.txt", "ada", "lab3", true},
    {"plain", "", "ada/lab3/reduce.cu", "ada", "lab3"},
    {"plain", "", "ada/lab3_shared_block/reduce.cu", "ada", "lab3"},
    {"plain", "", "ada/lab3_shared_block/predictions.txt", "ada", "lab3", true},
    {"plain", "", "ada/reduce.cu", "ada", "wanted"},
    {"plain", "", "=cmd()/lab3.cu", "=cmd()", "lab3"},
    {"plain", "", "lab3.cu", NULL, ""},
    {"plain", "", "ada/notes/lab3.cu", "ada", "lab3", .rank = RANK_DEEP},
    {"plain", "", "ada/Lab3.cu", "ada", "lab3", .rank = RANK_LAB},
    {"plain", "", "ada/lab_3.cu", "ada", "lab3", .rank = RANK_LAB},
    {"plain", "", "ada/lab03.cu", "ada", "lab3"},
    {"plain", "", "ada/lab10.cu", "ada", "lab10"},
    {"plain", "", "ada/lab0.cu", "ada", "lab0"},
    {"plain", "", "ada/LAB-00.CU", "ada", "lab0", .rank = RANK_LAB},
    {"plain", "", "ada/lab3.cu.txt", "ada", "lab3", .rank = RANK_LAB},
    {"plain", "", "ada/lab 3 (final).cu", "ada", "lab3", .rank = RANK_LAB},
    {"plain", "", "ada/lab3/src/reduce.cu", "ada", "lab3", .rank = RANK_LAB},
    {"plain", "", "ada/lab4/lab3.cu", "ada", "lab3", .rank = RANK_DEEP},
    {"plain", "", "ada/reduction-labs/labs/lab3_shared_block/reduce.cu", "ada", "lab3", .rank = RANK_DEEP},
    {"plain", "", "ada/hand/predictions.txt", "ada", "wanted", true, .rank = RANK_DEEP},
    {"plain", "", "ada/hand/labs/lab3_x/predictions.txt", "ada", "lab3", true, .rank = RANK_DEEP},
    {"plain", "", "ada/main.cu", "ada", "wanted", .rank = RANK_ANY},
    {"plain", "", "ada/lab3.cu.bak", "ada", "wanted", .rank = RANK_OTHER},
    {"plain", "", "ada/lab.cu", "ada", "wanted", .rank = RANK_ANY},
    {"plain", "", "lab3-ada/lab3.cu", "lab3-ada", "lab3"},
    {"gradescope", "", "submission_17/reduce.cu", "17", "wanted"},
    {"gradescope", "", "submission_17/predictions.txt", "17", "wanted", true},
    {"gradescope", "", "submission_17/lab3.cu", "17", "lab3"},
    {"gradescope", "", "submission_17/labs/lab3_shared_block/reduce.cu", "17", "lab3"},
    {"gradescope", "", "submission_17/my kernel.cu", "17", "wanted", .rank = RANK_ANY},
    {"gradescope", "", "submission_17/lab3/src/reduce.cu", "17", "wanted"},
    {"gradescope", "", "submission_17/src/Lab 3.cu", "17", "lab3", .rank = RANK_LAB},
    {"moodle", "", "Ada Lovelace_123_assignsubmission_file_/lab3.cu", "123", "lab3"},
    {"moodle", "", "Ada_Lovelace_123_assignsubmission_file/lab 3.cu", "123", "lab3", .rank = RANK_LAB},
    {"moodle", "", "Ada_Lovelace_123_assignsubmission_file_/labs/lab3_x/reduce.cu", "123", "lab3"},
    {"moodle", "", "Ada L_123_assignsubmission_onlinetext_/onlinetext.html", "123", "wanted", .rank = RANK_OTHER},
    {"blackboard", "", "Lab 3_ada01_attempt_2026-11-22-10-11-12_lab3.cu", "ada01", "lab3", .version = 20261122101112},
    {"blackboard", "", "Lab 3_ada01_attempt_2026-11-22-10-11-12_my.cu", "ada01", "wanted", .version = 20261122101112,
     .rank = RANK_ANY},
    /* A file's name cannot name another student. */
    {"blackboard", "", "Lab 3_gus_attempt_2026-11-22-10-11-12_x_bob_attempt_2027-01-01-00-00-00_lab3.cu", "gus", "lab3",
     .version = 20261122101112, .rank = RANK_LAB},
    {"blackboard", "", "An_attempt_2_gus_attempt_2026-11-22-10-11-12_lab3.cu", "gus", "lab3",
     .version = 20261122101112},
    {"blackboard", "", "Lab 3_ada01_attempt_2026-11-22-10-11-12.txt", "ada01", "wanted", .version = 20261122101112,
     .rank = RANK_OTHER},
    {"canvas, anonymous", "", "anon_x7Gh2_98765_lab3.cu", "x7Gh2", "lab3"},
    {"canvas, anonymous", "", "LATE_anon_x7Gh2_98765_lab3-1.cu", "x7Gh2", "lab3", false, true, 1},
    {"canvas, anonymous", "", "anon_x7Gh2_98765_mine.cu", "x7Gh2", "wanted", .rank = RANK_ANY},
    {"canvas, anonymous", "", "LATE_anon_x7Gh2_text.html", "x7Gh2", "wanted", false, true, .rank = RANK_OTHER},
    {"gradescope", "", "submission_x/reduce.cu", NULL, ""},
    {"gradescope", "", "submission_metadata.yml", NULL, ""},
    {"canvas", "", "lovelaceada_1234_98765_lab3.cu", "1234", "lab3"},
    {"canvas", "", "lovelaceada_LATE_1234_98765_lab3.cu", "1234", "lab3", false, true},
    {"canvas", "", "lovelaceada_1234_98765_lab3-2.cu", "1234", "lab3", false, false, 2},
    {"canvas", "", "lovelaceada_1234_98765_reduce-11.cu", "1234", "wanted", false, false, 11},
    {"canvas", "", "lovelaceada_1234_98765_predictions.txt", "1234", "wanted", true},
    {"canvas", "", "lovelaceada_1234_98765_lab3.predictions.txt", "1234", "lab3", true},
    {"canvas", "", "lovelaceada_LATE_1234_98765_final version.cu", "1234", "wanted", false, true, .rank = RANK_ANY},
    {"canvas", "", "de_la_cruz_LATE_1234_98765_lab3.cu", "1234", "lab3", false, true},
    {"canvas", "", "ada_l2_1234_98765_my_5_6_lab3.cu", "1234", "lab3", .rank = RANK_LAB},
    {"canvas", "", "lovelaceada_LATE_1234_text.html", "1234", "wanted", false, true, .rank = RANK_OTHER},
    {"github", "", "cs101-lab3-ada/labs/lab3_shared_block/reduce.cu", "ada", "lab3"},
    {"canvas", "", "lovelaceada_lab3.cu", NULL, ""},
    {"canvas", "", "studenttest_1234_98765_lab3.cu", NULL, ""},
    {"canvas", "", "lovelaceada_1234_98765_lab3.pdf", "1234", "wanted", .rank = RANK_OTHER},
    {"github", "lab3-", "lab3-ada/labs/lab3_shared_block/reduce.cu", "ada", "lab3"},
    {"github", "reductions-", "reductions-ada-l/labs/lab3_shared_block/reduce.cu", "ada-l", "lab3"},
    {"github", "", "lab3-ada/labs/lab3_shared_block/predictions.txt", "ada", "lab3", true},
    {"github", "", "labor-ada/labs/lab3_shared_block/reduce.cu", "labor-ada", "lab3"},
    {"github", "", "lab3-/labs/lab3_shared_block/reduce.cu", "lab3-", "lab3"},
    {"github", "", "lab3-ada/lab3.cu", "ada", "lab3", .rank = RANK_DEEP},
    {"github", "", "lab3-ada/src/my kernel.cu", "ada", "wanted", .rank = RANK_ANY},
    {"github", "", "lab3-ada/common/timing.cu", "ada", "wanted", .rank = RANK_OTHER},
    {"github", "", "lab3-ada/README.md", "ada", "wanted", .rank = RANK_OTHER},
    {"plain", "", "ada/kit/common/own.cu", "ada", "wanted", .rank = RANK_OTHER},
    {"plain", "", "ada/common/lab3.cu", "ada", "lab3", .rank = RANK_DEEP},
};
START_TEST(paths_identify_student_and_lab) {
    struct class_file f;
    const struct class_shape *s = shape_choose(paths[_i].shape, "", NULL, 0);
    const bool known = shape_file(s, paths[_i].path, paths[_i].prefix, "wanted", &f);
    ck_assert_msg(known == (paths[_i].student != NULL), "%s: %s", paths[_i].shape, paths[_i].path);
    if (known) {
        ck_assert_str_eq(f.student, paths[_i].student);
        ck_assert_str_eq(f.lab, paths[_i].lab);
        ck_assert_int_eq(f.predictions, paths[_i].predictions);
        ck_assert_int_eq(f.late, paths[_i].late);
        ck_assert_uint_eq(f.version, paths[_i].version);
        ck_assert_msg(f.rank == paths[_i].rank, "%s: rank %u", paths[_i].path, f.rank);
    }
}
END_TEST
static const struct {
    const char *path, *shape;
} guesses[] = {{"submission_1/reduce.cu", "gradescope"},
               {"doejane_1_2_lab3.cu", "canvas"},
               {"lab3-ada/labs/lab3_x/reduce.cu", "github"},
               {"ada/lab3.cu", "plain"},
               {"ada/main.cu", "plain"},
               {"anon_abc_17_lab3.cu", "canvas, anonymous"},
               {"Ada L_17_assignsubmission_file_/lab3.cu", "moodle"},
               {"Lab_ada_attempt_2026-11-22-10-11-12_lab3.cu", "blackboard"},
               {"README.md", NULL}};
START_TEST(paths_determine_the_layout) {
    const char *const seen[] = {"notes.txt", guesses[_i].path};
    const struct class_shape *s = shape_choose(NULL, "", seen, 2);
    ck_assert_msg((s != NULL) == (guesses[_i].shape != NULL), "%s", guesses[_i].path);
    if (s) ck_assert_str_eq(shape_name(s), guesses[_i].shape);
    ck_assert_ptr_null(shape_choose("ftp", "", seen, 2));
}
END_TEST

/* ---- folder names ---------------------------------------------------------------------------- */
#define LONG                                                                                                           \
    "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"             \
    "0123456789012345678901234567890123456789"
static const char *const ids[] = {"ada",  "Ada",      "a_da",     "a da",   "a_20da", "a.da", "..",  ".",
                                  "",     "_",        "-rf",      "$(x)",   "a:b",    "a%b",  "a;b", "a#b",
                                  "a\nb", "\xff\xfe", "\xc3\xa9", "_c3_a9", "a=b",    "~",    "a*b", "a\\b",
                                  "a/b",  LONG "a",   LONG "b",   LONG,     "_5f",    "a__b"};
enum { IDS = sizeof ids / sizeof *ids };
START_TEST(folder_names_are_plain_and_unique) {
    const char *name[IDS];
    json_t *roster = json_pack("{s:{}}", "students");
    for (unsigned k = 0; k < IDS; k++) {
        name[k] = text_of(roster_student(roster, ids[k], true), "folder");
        ck_assert_msg(name[k][0] && name[k][0] != '.' && name[k][0] != '-', "%s: %s", ids[k], name[k]);
        ck_assert_msg(!name[k][strspn(name[k], "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-")],
                      "%s", name[k]);
        for (unsigned n = 0; n < k; n++)
            ck_assert_msg(strcmp(name[k], name[n]) || (!ids[k][0] && !ids[n][0]), "%s and %s: %s", ids[k], ids[n],
                          name[k]);
    }
    ck_assert_str_eq(name[0], "ada");
    json_decref(roster);
}
END_TEST

/* ---- cells ----------------------------------------------------------------------------------- */
static const struct {
    const char *text, *cell;
} cells[] = {{"ada", "ada"},
             {"", ""},
             {"\xef\xbb\xbf=1+1", "\"'\xef\xbb\xbf=1+1\""},
             {"\xef\xbc\x9d"
              "1",
              "\"'\xef\xbc\x9d"
              "1\""},
             {"\xc2\xa0\xe2\x80\x8b+1", "\"'\xc2\xa0\xe2\x80\x8b+1\""},
             {"\xc3\x89va", "\xc3\x89va"},
             {"a,b", "\"a,b\""},
             {"a\"b", "\"a\"\"b\""},
             {"=1+1", "\"'=1+1\""},
             {"+1", "\"'+1\""},
             {"-1", "\"'-1\""},
             {"@x", "\"'@x\""},
             {"  =x", "\"'  =x\""},
             {"\t=x", "\"' =x\""},
             {"|calc", "\"'|calc\""},
             {"a\nb", "\"a b\""},
             {"a;b", "\"a;b\""},
             {"O'Hara", "\"O'Hara\""},
             {"\xc3\xa9", "\xc3\xa9"}};
START_TEST(cells_are_never_formulas) {
    char *text = NULL, *parts[4], *at;
    size_t size;
    unsigned line = 1;
    FILE *f = open_memstream(&text, &size);
    csv_cell(cells[_i].text, f);
    fputs(",next\n", f);
    fclose(f);
    ck_assert_msg(!strncmp(text, cells[_i].cell, strlen(cells[_i].cell)), "%s: %s", cells[_i].text, text);
    at = text;
    ck_assert_uint_eq(csv_split(&at, ',', parts, 4, &line), 2);
    ck_assert_str_eq(parts[1], "next");
    free(text);
}
END_TEST
START_TEST(csv_is_split) {
    char text[] = "a,\"b,\"\"c\"\"\nd\",,e\r\nx,\ry\r\"f\nlast,";
    char *at = text, *c[8];
    unsigned line = 1;
    ck_assert_uint_eq(csv_split(&at, ',', c, 8, &line), 4);
    ck_assert_uint_eq(line, 3);
    ck_assert_str_eq(c[1], "b,\"c\"\nd");
    ck_assert_str_eq(c[2], "");
    ck_assert_str_eq(c[3], "e");
    ck_assert_uint_eq(csv_split(&at, ',', c, 8, &line), 2);
    ck_assert_str_eq(c[1], "");
    ck_assert_uint_eq(csv_split(&at, ',', c, 8, &line), 1);
    ck_assert_str_eq(c[0], "y");
    ck_assert_uint_eq(csv_split(&at, ',', c, 8, &line), 0); /* the quotation mark is never closed */
    ck_assert_str_eq(at, "");
    ck_assert_uint_eq(line, 5);
    char full[] = "a,b,c\nd,e,f,lost\ng";
    at = full, c[3] = NULL;
    for (unsigned k = 0; k < 3; k++) {
        ck_assert_uint_eq(csv_split(&at, ',', c, 3, &line), k < 2 ? 3 : 1);
        ck_assert_str_eq(c[0], ((const char *[]){"a", "d", "g"})[k]);
        ck_assert(k == 2 || !strcmp(c[2], k ? "f" : "c"));
    }
    ck_assert(!c[3] && !*at); /* no cell is written past the end of the array */
    char wide[] = "\xef\xbb\xbf a\t,\xc2\xa0\xc3\xa9 b\xe2\x80\x8b, ,\" c \"";
    at = wide;
    ck_assert(csv_begin(&at, sizeof wide - 1, &line) && at == wide + 3 && !csv_begin(&at, sizeof wide - 3, &line));
    ck_assert_uint_eq(csv_words(&at, ',', c, 8, &line), 4);
    for (unsigned k = 0; k < 4; k++) ck_assert_str_eq(c[k], ((const char *[]){"a", "\xc3\xa9 b", "", "c"})[k]);
}
END_TEST

/* ---- rosters ---------------------------------------------------------------------------------- */
static const struct {
    const char *text, *said; /* said: the error message; "" if the roster is accepted */
} rosters[] = {
    {"id,name\n4711,Ada\n4712,Grace\n", ""},
    {"id,name\n4711,Ada\n4711,Ada\n", ""}, /* a student in two sections */
    {"id,name\n4711,Ada\n4711,\n", ""},
    {"id,email\n4711,a@x\n4711,b@x\n", ""},
    {"id,name\n4711,\"Ada\nL.\"\n4712,Jo\n4711,Grace\n",
     ":5: `Grace` has the same id or e-mail address as `Ada\nL.` on line 2: correct one of these lines"},
    {"ID,Email,Student\n1,a@x,Ada\n2,A@X,Grace\n",
     ":3: `Grace` has the same id or e-mail address as `Ada` on line 2: "},
    {"id,name\n1,\"Ada\n", ":2: a quotation mark is not closed"},
    {"id,\"name\n1,Ada\n", ":1: a quotation mark is not closed"},
    {"id,name\n1,Zo\xc3\xab\n2,Zo\xeb\n", ":3: the line is not UTF-8: save the file as CSV in UTF-8"},
    {"\xef\xbb\xbf", ":1: no column is named ID, "},
    {"", ": the file is empty"},
    {"who,name\n1,Ada\n", ":1: no column is named ID, "},
    {"sep=;\r\nid;name\r\n1;Ada, L\r\n", ""},
    {"\xef\xbb\xbf\n ;\t\r\n\"\",,\nid,name\n1,Ada\n1,Bo\n", ":6: `Bo` has the same id"},
    {"\nwho,name\n1,Ada\n", ":2: no column is named ID, "},
    {"SEP=\t\nid\tname\n1\t\xeb\n", ":3: the line is not UTF-8"},
    {"name,id,email,id\nAda,1,a@x,2\n", ":1: two columns are named `id`: keep one"},
    /* one with U+00EB, the other with U+0308 */
    {"id,name\nZo\xc3\xab,Ada\nZoe\xcc\x88,Bo\n", ":3: `Bo` has the same id"},
};
START_TEST(one_id_has_one_name) {
    char path[] = "/tmp/check-roster-XXXXXX", said[1000] = "";
    const int fd = mkstemp(path);
    ck_assert(fd >= 0 && write(fd, rosters[_i].text, strlen(rosters[_i].text)) >= 0 && !close(fd));
    json_t *roster = json_pack("{s:{}, s:{}}", "students", "aliases");
    ck_assert_int_eq(roster_add_csv(roster, path, said, sizeof said), !*rosters[_i].said);
    ck_assert_msg(strstr(said, rosters[_i].said) && (*rosters[_i].said || !*said), "%s", said);
    json_decref(roster);
    unlink(path);
}
END_TEST

/* ---- names with accents ------------------------------------------------------------------------- */
static const char *const composed[][2] = {
    {"Zoe\u0308", "Zo\u00eb"},
    {"A\u030angstro\u0308m", "\u00c5ngstr\u00f6m"},
    {"Nguye\u0302\u0303n Tha\u0323\u0302n", "Nguy\u1ec5n Th\u1ead"
                                            "n"},
    {"\u0438\u0306", "\u0439"},
    {"\u304b\u3099\u306f\u309a", "\u304c\u3071"},
    {"\u1112\u1161\u11ab\u1100\u1173\u11af\u1100", "\ud55c\uae00\u1100"},
    {"\uac01\u11a8", "\uac01\u11a8"}, /* the syllable already ends in a consonant */
    {"\u0301x\u0301\u0301", "\u0301x\u0301\u0301"},
    {"e\xcc", "e\xcc"},
    {"\xeb\xf0\x9f\x98", "\xeb\xf0\x9f\x98"},
    {"", ""},
};
START_TEST(names_are_composed) {
    char text[80];
    snprintf(text, sizeof text, "%s", composed[_i][0]);
    text_compose(text);
    ck_assert_str_eq(text, composed[_i][1]);
}
END_TEST

/* ---- times -------------------------------------------------------------------------------------- */
START_TEST(unreadable_repositories_are_reported) {
    char path[200], git[200], *said = NULL;
    size_t size;
    begin_class();
    put_file(folder, "ada/lab3.cu", "a");
    snprintf(git, sizeof git, "%s/ada/.git", folder);
    snprintf(path, sizeof path, "%s/ada/lab3.cu", folder);
    ck_assert(!mkdir(git, 0700));
    json_t *time = file_time(0, path, true);
    ck_assert_str_eq(text_of(time, "time_of"), "file");
    FILE *f = open_memstream(&said, &size);
    commit_tell(f);
    fclose(f);
    snprintf(git, sizeof git, "copying may have changed: %s/ada: ", folder);
    ck_assert_msg(strstr(said, "git could not read the repository of 1 file; ") && strstr(said, git), "%s", said);
    json_decref(time);
    free(said);
    end();
}
END_TEST

/* ---- the reference ------------------------------------------------------------------------------ */
/* References that an instructor may write, with conditions on SOLUTION, and the text that remains for the solution. */
static const char *const references[][2] = {
    {"a\n#ifdef SOLUTION\nright\n#else\nTODO\n#endif\n", "a right"},
    {"#ifndef SOLUTION // the skeleton\nTODO\n#else\nright\n#endif\nb", "right b"},
    {"\t# if defined ( SOLUTION ) /* mine */\nright\n  # else\nTODO\n # endif\n", "right"},
    {"#if !defined(SOLUTION)\r\nTODO\r\n#endif\r\n#if defined SOLUTION\r\nright\r\n#endif\r\n", "right"},
    {"#ifdef SOLUTION\n#if X\nright\n#else\nb\n#endif\n#else\nTODO\n#endif\n", "#if X right #else b #endif"},
    {"#ifdef SOLUTIONS\nx\n#else\ny\n#endif\n", "#ifdef SOLUTIONS x #else y #endif"},
    {"#if SOLUTION\nx\n#endif\n", "#if SOLUTION x #endif"},
};
START_TEST(the_reference_is_recognized) {
    struct course course;
    char said[500];
    begin_class();
    ck_assert_msg(course_read("labs/course.conf", &course, said, sizeof said), "%s", said);
    put_file(folder, "labs/lab3_shared_block/reduce.cu", "TODO");
    put_file(folder, "solutions/lab3_shared_block/reduce.cu", references[_i][0]);
    json_t *attention = json_array(), *students = json_pack("[{s:s}]", "id", "ada");
    struct class_lab l = class_lab_new(&(struct class_place){.root = folder}, course_find(&course, "lab3"), attention);
    char *text = strdup(references[_i][1]);
    alike_add(&l, &(struct class_unit){.students = students, .text = text, .length = strlen(text)});
    json_decref(class_lab_end(&l));
    ck_assert_msg(json_array_size(attention) == 1, "%s", references[_i][0]);
    ck_assert_str_eq(text_of(json_array_get(attention, 0), "what"), "reference");
    json_decref(attention), json_decref(students);
    free(text);
    end();
}
END_TEST

/* ---- mapping lines to the skeleton ----------------------------------------------------------- */
#define SKELETON "void f() {\n    int t;\n\n    // TODO 1\n    // TODO 2\n}\nvoid g() {\n    // TODO 3\n}\n"
static const struct {
    const char *text;
    unsigned lines[12];
} maps[] = {
    {SKELETON, {1, 2, 0, 4, 5, 6, 7, 8, 9}},
    {"// me\nvoid f() {\n    int t;\n}\n", {1, 1, 2, 6}},
    {"void f() {\n    int t;\n    a();\n    b();\n}\nvoid g() {\n    c();\n}\n", {1, 2, 4, 4, 6, 7, 8, 9}},
    {"void f() {\n    int  t;\n    // TODO 1\n    a();\n    // TODO 2\n    b();\n}\nvoid g() {\n    c();\n}\n",
     {1, 2, 4, 4, 5, 5, 6, 7, 8, 9}},
    {"quite\nanother\nfile\n", {1, 1, 1}},
    {"", {0}},
};
START_TEST(lines_map_to_the_skeleton) {
    unsigned count, *lines = skeleton_lines(SKELETON, maps[_i].text, &count);
    ck_assert_ptr_nonnull(lines);
    for (unsigned k = 0; k < count; k++)
        if (maps[_i].lines[k])
            ck_assert_msg(lines[k + 1] == maps[_i].lines[k], "row %d, line %u: %u", _i, k + 1, lines[k + 1]);
    free(lines);
}
END_TEST

/* ---- output ---------------------------------------------------------------------------------- */
static void own_form(const json_t *facts, FILE *f) { class_csv(facts, CSV_OWN, f); }
static void canvas_form(const json_t *facts, FILE *f) { class_csv(facts, CSV_CANVAS, f); }
static void gradescope_form(const json_t *facts, FILE *f) { class_csv(facts, CSV_GRADESCOPE, f); }
static const struct {
    const char *file;
    void (*write)(const json_t *facts, FILE *out);
} written[] = {{"class.own.csv", own_form},
               {"class.canvas.csv", canvas_form},
               {"class.gradescope.csv", gradescope_form},
               {"class.txt", class_attention}};
static char *write_form(unsigned k) {
    char *text = NULL;
    size_t size;
    json_t *facts = golden("class.json");
    FILE *f = open_memstream(&text, &size);
    written[k].write(facts, f);
    fclose(f);
    json_decref(facts);
    return text;
}
START_TEST(class_files_match_golden_files) {
    char path[200];
    char *text = write_form((unsigned)_i);
    snprintf(path, sizeof path, "grader/tests/golden/%s", written[_i].file);
    if (getenv("UPDATE_GOLDEN")) ck_assert(file_replace(path, text, strlen(text), 0644));
    size_t length;
    char *expected = file_read(path, 0, 1 << 20, &length);
    ck_assert_msg(expected && !strcmp(text, expected), "%s differs from the current output; see UPDATE_GOLDEN", path);
    free(expected);
    free(text);
}
END_TEST
/* The names in golden/class.json contain markup, formulas and control characters. */
START_TEST(hostile_names_stay_text) {
    char *list = write_form(3), *book = write_form(0);
    ck_assert(!strchr(list, '\x1b') && !strchr(list, '\x07'));
    for (const char *s = book; (s = strchr(s, '\n')) && s[1]; s++) ck_assert_msg(!strchr("=+-@", s[1]), "%s", s);
    ck_assert(!strstr(book, ",=") && !strstr(book, ",@") && !strstr(book, "\"="));
    free(list);
    free(book);
}
END_TEST
/* The page contains its data as JSON, without markup. Data about students are included only if the page shows them.
 * check_web tests what the page's script draws. */
START_TEST(page_contains_facts_as_data) {
    static const char *const never[] = {"<img", "onerror=\"", "javascript:\"", "\x1b",
                                        "\x07", "email",      "sis_",          "\"sid\""};
    static const char begin[] = "<script type=\"application/json\" id=\"data\">";
    char *page = NULL;
    size_t size;
    json_t *facts = golden("class.json");
    FILE *f = open_memstream(&page, &size);
    class_page(facts, f);
    fclose(f);
    char *data = strstr(page, begin), *end = data ? strstr(data, "</script>") : NULL;
    ck_assert(data && end);
    json_t *held = json_loadb(data + strlen(begin), (size_t)(end - data) - strlen(begin), 0, NULL);
    for (unsigned k = 0; k < sizeof never / sizeof *never; k++) ck_assert_msg(!strstr(data, never[k]), "%s", never[k]);
    ck_assert(json_equal(json_object_get(held, "labs"), json_object_get(facts, "labs")));
    ck_assert(json_equal(json_object_get(held, "attention"), json_object_get(facts, "attention")));
    ck_assert_uint_eq(json_array_size(json_object_get(held, "students")),
                      json_array_size(json_object_get(facts, "students")));
    free(page);
    json_decref(held);
    json_decref(facts);
}
END_TEST

static void set_date(const char *name, time_t at) {
    char path[200];
    snprintf(path, sizeof path, "%s/%s", out, name);
    ck_assert(!utimensat(AT_FDCWD, path, (struct timespec[]){{.tv_sec = at}, {.tv_sec = at}}, 0));
}
static time_t date_of(const char *name) {
    char path[200];
    struct stat s;
    snprintf(path, sizeof path, "%s/%s", out, name);
    ck_assert(!stat(path, &s));
    return s.st_mtime;
}
/* Files written while the clock was a day fast get earlier dates. They stay in order, and no date is in the future. */
START_TEST(dates_in_the_future_are_repaired) {
    static const char copy[] = "submissions/ada/lab3/reduce.cu", record[] = "records/ada/lab3.json",
                      other[] = "submissions/bob/lab3/reduce.cu";
    const time_t now = time(NULL);
    begin_class();
    put_file(out, copy, "a"), put_file(out, other, "b"), put_file(out, record, "{}");
    set_date(copy, now + 86000), set_date(record, now + 86400), set_date(other, now - 50);
    future_mend(out);
    ck_assert(date_of(record) <= time(NULL) && date_of(record) - date_of(copy) == 400);
    ck_assert_int_eq(date_of(other), now - 50);
    end();
}
END_TEST

/* For a submission that does not build, the advice quotes the first error or, if there is none, the first message.
 * Each row has the kinds of two compiler messages. */
static const struct {
    const char *first, *second, *said;
} build_rows[] = {{"warning", "error", "reduce.cu:2: two"},
                  {"error", "warning", "reduce.cu:1: one"},
                  {"warning", "warning", "reduce.cu:1: one"}};
START_TEST(advice_names_the_first_error) {
    json_t *record = json_pack("{s:s, s:{s:s, s:[{s:s, s:i, s:s, s:s}, {s:s, s:i, s:s, s:s}]}}", "submission",
                               "reduce.cu", "build", "log", "In file included from reduce.cu:1,\n", "errors", "file",
                               "reduce.cu", "line", 1, "severity", build_rows[_i].first, "message", "one", "file",
                               "reduce.cu", "line", 2, "severity", build_rows[_i].second, "message", "two"),
           *advice = advice_of(record);
    ck_assert_str_eq(json_string_value(advice), build_rows[_i].said);
    json_decref(record), json_decref(advice);
}
END_TEST

/* File names by which an LMS identifies students, and the name that the report must have. */
static const char *const server_names[][2] = {
    {"doejane_1234_98765_lab3-1.cu", "doejane_1234_98765_lab3-1.html"},
    {"doejane_LATE_1234_98765_lab3.cu", "doejane_LATE_1234_98765_lab3.html"},
    {"Jane Doe_123_assignsubmission_file_/src/lab3.cu", "Jane Doe_123_assignsubmission_file_/lab3.html"},
    {"Jane Doe_123_assignsubmission_file_lab3.cu", "Jane Doe_123_assignsubmission_file_/lab3.html"},
    {"doejane_1234_98765_work/reduce.cu", "doejane_1234_98765_work_lab3.html"},
    {"ada/lab3.cu", "ada_lab3.html"},
};
/* A long name is shortened between characters (here of two bytes), and names that differ only at the end stay distinct.
 */
START_TEST(long_names_fit_and_differ) {
    char from[2][NAME_MAX + 20], name[2][PATH_MAX];
    for (unsigned k = 0; k < 2; k++) {
        for (unsigned n = 0; n < 126; n++) strcpy(from[k] + 2 * n, "\u00e9");
        sprintf(from[k] + 2 * 126, "%u/lab3.cu", k);
        feedback_name(from[k], "lab3", name[k]);
        json_t *text = json_string(name[k]); /* NULL if it is not UTF-8 */
        ck_assert_msg(text && strlen(name[k]) <= 210 && strlen(name[k]) > 207, "%s", name[k]);
        json_decref(text);
    }
    ck_assert_str_ne(name[0], name[1]);
}
END_TEST
START_TEST(lms_file_names_identify_students) {
    char name[PATH_MAX];
    feedback_name(server_names[_i][0], "lab3", name);
    ck_assert_str_eq(name, server_names[_i][1]);
}
END_TEST

int main(void) {
    const struct test_row tests[] = {
        {"paths", paths_identify_student_and_lab, ROWS(paths)},
        {"shapes", paths_determine_the_layout, ROWS(guesses)},
        {"folders", folder_names_are_plain_and_unique, 1},
        {"cells", cells_are_never_formulas, ROWS(cells)},
        {"split", csv_is_split, 1},
        {"rosters", one_id_has_one_name, ROWS(rosters)},
        {"composed", names_are_composed, ROWS(composed)},
        {"repositories", unreadable_repositories_are_reported, 1},
        {"reference", the_reference_is_recognized, ROWS(references)},
        {"skeleton", lines_map_to_the_skeleton, ROWS(maps)},
        {"forms", class_files_match_golden_files, ROWS(written)},
        {"hostile", hostile_names_stay_text, 1},
        {"page", page_contains_facts_as_data, 1},
        {"build", advice_names_the_first_error, ROWS(build_rows)},
        {"server names", lms_file_names_identify_students, ROWS(server_names)},
        {"long names", long_names_fit_and_differ, 1},
        {"dates", dates_in_the_future_are_repaired, 1},
    };
    return run_rows("class parts", tests, ROWS(tests));
}
