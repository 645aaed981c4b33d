/* A class: how submissions are recognised, laid out and summed up. Nothing is graded here; records are those of golden/
 * (make test-class grades). UPDATE_GOLDEN=1 writes golden/class.* anew: look at the difference before committing it. */
#include "class/class.h"
#include "options.h"
#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct class_place place = {.root = "."};

/* ---- paths of each shape --------------------------------------------------------------------- */
static const struct {
    const char *shape, *prefix, *path;
    const char *student, *lab; /* student NULL: no file of a submission */
    bool predictions, late;
    unsigned long version;
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
    {"plain", "", "ada/notes/lab3.cu", NULL, ""},
    {"plain", "", "ada/lab3.cu.bak", NULL, ""},
    {"plain", "", "ada/lab.cu", NULL, ""},
    {"plain", "", "lab3-ada/lab3.cu", "lab3-ada", "lab3"},
    {"gradescope", "", "submission_17/reduce.cu", "17", "wanted"},
    {"gradescope", "", "submission_17/predictions.txt", "17", "wanted", true},
    {"gradescope", "", "submission_17/lab3.cu", "17", "lab3"},
    {"gradescope", "", "submission_17/labs/lab3_shared_block/reduce.cu", "17", "lab3"},
    {"gradescope", "", "submission_17/my kernel.cu", "17", "wanted"},
    {"gradescope", "", "submission_x/reduce.cu", NULL, ""},
    {"gradescope", "", "submission_metadata.yml", NULL, ""},
    {"canvas", "", "lovelaceada_1234_98765_lab3.cu", "1234", "lab3"},
    {"canvas", "", "lovelaceada_LATE_1234_98765_lab3.cu", "1234", "lab3", false, true},
    {"canvas", "", "lovelaceada_1234_98765_lab3-2.cu", "1234", "lab3", false, false, 2},
    {"canvas", "", "lovelaceada_1234_98765_reduce-11.cu", "1234", "wanted", false, false, 11},
    {"canvas", "", "lovelaceada_1234_98765_predictions.txt", "1234", "wanted", true},
    {"canvas", "", "lovelaceada_1234_98765_lab3.predictions.txt", "1234", "lab3", true},
    {"canvas", "", "lovelaceada_LATE_1234_98765_final version.cu", "1234", "wanted", false, true},
    {"canvas", "", "lovelaceada_lab3.cu", NULL, ""},
    {"canvas", "", "lovelaceada_1234_98765_lab3.pdf", NULL, ""},
    {"github", "lab3-", "lab3-ada/labs/lab3_shared_block/reduce.cu", "ada", "lab3"},
    {"github", "reductions-", "reductions-ada-l/labs/lab3_shared_block/reduce.cu", "ada-l", "lab3"},
    {"github", "", "lab3-ada/labs/lab3_shared_block/predictions.txt", "ada", "lab3", true},
    {"github", "", "labour-ada/labs/lab3_shared_block/reduce.cu", "labour-ada", "lab3"},
    {"github", "", "lab3-/labs/lab3_shared_block/reduce.cu", "lab3-", "lab3"},
    {"github", "", "lab3-ada/solutions/lab3_shared_block/reduce.cu", NULL, ""},
};
START_TEST(a_path_tells_whose_and_which) {
    struct class_file f;
    struct class_shape *s = shape_new(paths[_i].shape, NULL, 0);
    const bool known = shape_file(s, paths[_i].path, paths[_i].prefix, "wanted", &f);
    ck_assert_msg(known == (paths[_i].student != NULL), "%s: %s", paths[_i].shape, paths[_i].path);
    if (known) {
        ck_assert_str_eq(f.student, paths[_i].student);
        ck_assert_str_eq(f.lab, paths[_i].lab);
        ck_assert_int_eq(f.predictions, paths[_i].predictions);
        ck_assert_int_eq(f.late, paths[_i].late);
        ck_assert_uint_eq(f.version, paths[_i].version);
    }
    shape_free(s);
}
END_TEST
static const struct {
    const char *path, *shape;
} guesses[] = {{"submission_1/reduce.cu", "gradescope"},
               {"doejane_1_2_lab3.cu", "canvas"},
               {"lab3-ada/labs/lab3_x/reduce.cu", "github"},
               {"ada/lab3.cu", "plain"},
               {"README.md", NULL}};
START_TEST(the_shape_is_told_by_the_paths) {
    const char *const seen[] = {"notes.txt", guesses[_i].path};
    struct class_shape *s = shape_new(NULL, seen, 2);
    ck_assert_msg((s != NULL) == (guesses[_i].shape != NULL), "%s", guesses[_i].path);
    if (s) ck_assert_str_eq(shape_name(s), guesses[_i].shape);
    shape_free(s);
    ck_assert_ptr_null(shape_new("moodle", seen, 2));
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
START_TEST(folder_names_are_plain_and_never_meet) {
    char name[IDS][FOLDER_SIZE];
    for (unsigned k = 0; k < IDS; k++) {
        folder_name(ids[k], name[k]);
        ck_assert_msg(name[k][0] && name[k][0] != '.' && name[k][0] != '-', "%s: %s", ids[k], name[k]);
        ck_assert_msg(!name[k][strspn(name[k], "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-")],
                      "%s", name[k]);
        for (unsigned n = 0; n < k; n++)
            ck_assert_msg(strcmp(name[k], name[n]) || (!ids[k][0] && !ids[n][0]), "%s and %s: %s", ids[k], ids[n],
                          name[k]);
    }
    ck_assert_str_eq(name[0], "ada");
}
END_TEST

/* ---- cells ----------------------------------------------------------------------------------- */
static const struct {
    const char *text, *cell;
} cells[] = {{"ada", "ada"},          {"", ""},
             {"a,b", "\"a,b\""},      {"a\"b", "\"a\"\"b\""},
             {"=1+1", "\"'=1+1\""},   {"+1", "\"'+1\""},
             {"-1", "\"'-1\""},       {"@x", "\"'@x\""},
             {"  =x", "\"'  =x\""},   {"\t=x", "\"' =x\""},
             {"|calc", "\"'|calc\""}, {"a\nb", "\"a b\""},
             {"a;b", "\"a;b\""},      {"O'Hara", "\"O'Hara\""},
             {"\xc3\xa9", "\xc3\xa9"}};
START_TEST(a_cell_is_text_and_no_formula) {
    char *text = NULL, *parts[4], *at;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    csv_cell(cells[_i].text, f);
    fputs(",next\n", f);
    fclose(f);
    ck_assert_msg(!strncmp(text, cells[_i].cell, strlen(cells[_i].cell)), "%s: %s", cells[_i].text, text);
    at = text;
    ck_assert_uint_eq(csv_split(&at, parts, 4), 2);
    ck_assert_str_eq(parts[1], "next");
    free(text);
}
END_TEST
START_TEST(csv_is_split) {
    char text[] = "a,\"b,\"\"c\"\"\nd\",,e\r\n\"f\nlast,";
    char *at = text, *c[8];
    ck_assert_uint_eq(csv_split(&at, c, 8), 4);
    ck_assert_str_eq(c[1], "b,\"c\"\nd");
    ck_assert_str_eq(c[2], "");
    ck_assert_str_eq(c[3], "e");
    ck_assert_uint_eq(csv_split(&at, c, 8), 1);
    ck_assert_str_eq(c[0], "f\nlast,");
    ck_assert_str_eq(at, "");
}
END_TEST

/* ---- lines on the skeleton ------------------------------------------------------------------- */
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
START_TEST(a_line_is_found_on_the_skeleton) {
    unsigned count, *lines = skeleton_lines(SKELETON, maps[_i].text, &count);
    ck_assert_ptr_nonnull(lines);
    for (unsigned k = 0; k < count; k++)
        if (maps[_i].lines[k])
            ck_assert_msg(lines[k + 1] == maps[_i].lines[k], "row %d, line %u: %u", _i, k + 1, lines[k + 1]);
    free(lines);
}
END_TEST

/* ---- import ---------------------------------------------------------------------------------- */
static char folder[64], in[80], out[80];
static void begin(void) {
    strcpy(folder, "/tmp/check-class-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(in, sizeof in, "%s/in", folder);
    snprintf(out, sizeof out, "%s/out", folder);
    mkdir(in, 0777);
}
static void end(void) {
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    ck_assert_int_eq(system(command), 0);
}
static void put(const char *where, const char *path, const char *text) {
    char full[PATH_MAX];
    snprintf(full, sizeof full, "%s/%s", where, path);
    ck_assert_msg(file_replace(full, text, strlen(text), 0644), "%s: %s", full, strerror(errno));
}
static char *get(const char *where, const char *path) {
    char full[PATH_MAX];
    size_t length;
    snprintf(full, sizeof full, "%s/%s", where, path);
    return file_read(full, 1 << 22, &length);
}
static bool there(const char *where, const char *path) {
    char *text = get(where, path);
    free(text);
    return text != NULL;
}
static int import(const char *lab, const char *roster) {
    return class_import(&(struct class_options){.from = in, .out = out, .lab = lab, .roster = roster, .seed = "7"},
                        &place);
}
/* Files brought in, the units they give, and how often the import complained. */
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
    {"one lab of two", "lab4", {{"ada/lab3.cu", "a"}, {"bob/lab4.cu", "c"}}, "bob/lab4\n", 0},
    {"no lab told", NULL, {{"ada/reduce.cu", "a"}}, "", 2},
    {"lab wanted", "lab3", {{"ada/reduce.cu", "a"}}, "ada/lab3\n", 0},
    {"nothing of it", "lab5", {{"ada/lab3.cu", "a"}}, "", 2},
    {"no such lab", "lab99", {{"ada/lab3.cu", "a"}}, "", 2},
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
    begin();
    for (unsigned k = 0; k < 8 && l->files[k][0]; k++) put(in, l->files[k][0], l->files[k][1]);
    const int status = import(l->lab, NULL);
    ck_assert_msg(status == l->status, "%s: status %d", l->name, status);
    char *units = sorted_lines(get(out, "units"));
    ck_assert_msg(!strcmp(units, l->units), "%s: %s", l->name, units);
    free(units);
    end();
}
END_TEST
START_TEST(the_newest_of_a_students_files_counts) {
    begin();
    put(in, "doejane_1_10_lab3-1.cu", "new");
    put(in, "doejane_1_11_lab3.cu", "old");
    put(in, "doejane_1_12_notes.cu", "loose");
    ck_assert_int_eq(import("lab3", NULL), 0);
    char *text = get(out, "submissions/1/lab3/reduce.cu"), *roster = get(out, "roster.json");
    ck_assert_str_eq(text, "new");
    ck_assert_msg(strstr(roster, "is left out beside doejane_1_10_lab3-1.cu"), "%s", roster);
    free(text);
    free(roster);
    end();
}
END_TEST

/* Only what differs is touched, and its record goes. */
START_TEST(what_changed_is_to_be_graded_again) {
    struct stat before, after;
    char path[200];
    begin();
    put(in, "ada/lab3.cu", "a"), put(in, "bob/lab3.cu", "b"), put(in, "eve/lab3.cu", "e");
    put(in, "eve/lab3.predictions.txt", "p");
    ck_assert_int_eq(import(NULL, NULL), 0);
    put(out, "records/ada/lab3.json", "{}"), put(out, "records/bob/lab3.json", "{}"),
        put(out, "records/eve/lab3.json", "{}");
    put(out, "faults/bob/lab3.json", "{}");
    snprintf(path, sizeof path, "%s/submissions/ada/lab3/reduce.cu", out);
    ck_assert_int_eq(stat(path, &before), 0);
    put(in, "bob/lab3.cu", "B");
    put(in, "eve/lab3.predictions.txt", "q");
    ck_assert_int_eq(import(NULL, NULL), 0);
    ck_assert_int_eq(stat(path, &after), 0);
    ck_assert(before.st_mtim.tv_nsec == after.st_mtim.tv_nsec && before.st_ino == after.st_ino);
    ck_assert(there(out, "records/ada/lab3.json"));
    ck_assert(!there(out, "records/bob/lab3.json") && !there(out, "faults/bob/lab3.json"));
    ck_assert(!there(out, "records/eve/lab3.json"));
    put(out, "records/eve/lab3.json", "{}");
    snprintf(path, sizeof path, "%s/eve/lab3.predictions.txt", in);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(import(NULL, NULL), 0);
    ck_assert(!there(out, "records/eve/lab3.json") && !there(out, "submissions/eve/lab3/predictions.txt"));
    end();
}
END_TEST
START_TEST(only_plain_files_are_read) {
    char path[200];
    begin();
    put(in, "ada/lab3.cu", "a"), put(in, "bob/x", ""), put(in, "eve/x", "");
    snprintf(path, sizeof path, "%s/bob/lab3.cu", in);
    ck_assert_int_eq(symlink("/etc/passwd", path), 0);
    snprintf(path, sizeof path, "%s/eve/lab3.cu", in);
    ck_assert_int_eq(mkfifo(path, 0666), 0);
    snprintf(path, sizeof path, "%s/folder", in);
    ck_assert_int_eq(symlink("ada", path), 0);
    ck_assert_int_eq(import(NULL, NULL), 0);
    char *units = get(out, "units"), *roster = get(out, "roster.json");
    ck_assert_str_eq(units, "ada/lab3\n");
    ck_assert(!there(out, "submissions/bob/lab3/reduce.cu") && !there(out, "submissions/eve/lab3/reduce.cu"));
    ck_assert_msg(strstr(roster, "bob/lab3.cu is no plain file") && strstr(roster, "eve/lab3.cu is no plain file"),
                  "%s", roster);
    free(units);
    free(roster);
    end();
}
END_TEST
START_TEST(the_seed_stays_and_is_nobodys_to_read) {
    struct stat s;
    char path[200];
    begin();
    put(in, "ada/lab3.cu", "a");
    ck_assert_int_eq(import(NULL, NULL), 0);
    struct class_options o = {.from = in, .out = out};
    ck_assert_int_eq(class_import(&o, &place), 0);
    char *settings = get(out, "settings.json");
    ck_assert_msg(strstr(settings, "\"seed\": \"7\""), "%s", settings);
    free(settings);
    snprintf(path, sizeof path, "%s/settings.json", out);
    ck_assert(stat(path, &s) == 0 && (s.st_mode & 0777) == 0600);
    o.seed = "seven";
    ck_assert_int_eq(class_import(&o, &place), EXIT_USAGE);
    end();
}
END_TEST

/* ---- the roster ------------------------------------------------------------------------------ */
START_TEST(those_on_a_list_are_on_the_roster) {
    char list[200];
    size_t n = 0;
    begin();
    put(in, "doejane_1_10_lab3.cu", "a");
    put(folder, "list.csv",
        "\xef\xbb\xbfStudent,ID,SIS User ID,SIS Login ID,Section,lab3 (99)\r\n    Points Possible,,,,,100\r\n"
        "\"Doe, Jane\",1,s1,jane,A,\r\n\"Roe, \"\"Rick\"\"\",2,s2,rick,A,\r\n");
    snprintf(list, sizeof list, "%s/list.csv", folder);
    ck_assert_int_eq(import("lab3", list), 0);
    json_error_t error;
    snprintf(list, sizeof list, "%s/roster.json", out);
    json_t *roster = json_load_file(list, 0, &error), *students = json_object_get(roster, "students");
    n = json_object_size(students);
    ck_assert_uint_eq(n, 2);
    ck_assert_str_eq(text_of(json_object_get(students, "1"), "name"), "Doe, Jane");
    ck_assert_str_eq(text_of(json_object_get(students, "2"), "name"), "Roe, \"Rick\"");
    ck_assert_str_eq(text_of(json_object_get(students, "2"), "sis_login_id"), "rick");
    json_decref(roster);
    put(folder, "list.csv", "colour,size\nred,3\n");
    snprintf(list, sizeof list, "%s/list.csv", folder);
    ck_assert_int_eq(import("lab3", list), EXIT_USAGE);
    end();
}
END_TEST
START_TEST(labs_of_several_imports_meet) {
    begin();
    put(in, "doejane_1_10_lab3.cu", "a");
    ck_assert_int_eq(import("lab3", NULL), 0);
    char command[300];
    snprintf(command, sizeof command, "rm %s/*", in);
    ck_assert_int_eq(system(command), 0);
    put(in, "doejane_1_20_lab4.cu", "b"), put(in, "roerick_2_21_lab4.cu", "c");
    ck_assert_int_eq(import("lab4", NULL), 0);
    ck_assert_int_eq(class_report(&(struct class_options){.out = out}, &place), EXIT_SETUP); /* none is graded */
    char *book = get(out, "gradebook.csv");
    ck_assert_msg(strstr(book, "1,doejane,,,ungraded,,,,ungraded,,"), "%s", book);
    ck_assert_msg(strstr(book, "2,roerick,,,missing,,,,ungraded,,"), "%s", book);
    free(book);
    end();
}
END_TEST

/* ---- what comes of it ------------------------------------------------------------------------ */
static json_t *golden(const char *name) {
    char path[200];
    snprintf(path, sizeof path, "grader/tests/golden/%s", name);
    json_error_t error;
    json_t *value = json_load_file(path, 0, &error);
    ck_assert_msg(value != NULL, "%s: %s", path, error.text);
    return value;
}
static void own_form(const json_t *facts, FILE *f) { class_csv(facts, CSV_OWN, f); }
static void canvas_form(const json_t *facts, FILE *f) { class_csv(facts, CSV_CANVAS, f); }
static void gradescope_form(const json_t *facts, FILE *f) { class_csv(facts, CSV_GRADESCOPE, f); }
static const struct {
    const char *file;
    void (*write)(const json_t *facts, FILE *out);
} written[] = {{"class.own.csv", own_form},
               {"class.canvas.csv", canvas_form},
               {"class.gradescope.csv", gradescope_form},
               {"class.txt", class_attention},
               {"class.html", class_page}};
static char *write_form(unsigned k) {
    char *text = NULL;
    size_t size;
    json_t *facts = golden("class.json");
    FILE *f = open_memstream(&text, &size);
    written[k].write(facts, f);
    fclose(f);
    json_decref(facts);
    char *style = strstr(text, "<style>"), *rest = strstr(text, "</style>"); /* the report's own: not of this test */
    if (style && rest) memmove(style + 7, rest, strlen(rest) + 1);
    return text;
}
START_TEST(forms_are_golden) {
    char path[200];
    char *text = write_form((unsigned)_i);
    snprintf(path, sizeof path, "grader/tests/golden/%s", written[_i].file);
    if (getenv("UPDATE_GOLDEN")) ck_assert(file_replace(path, text, strlen(text), 0644));
    char *expected = get("grader/tests/golden", written[_i].file);
    ck_assert_msg(expected && !strcmp(text, expected), "%s is not what is written now; see UPDATE_GOLDEN", path);
    free(expected);
    free(text);
}
END_TEST
/* golden/class.json holds markup, formulas and control characters in every name. */
START_TEST(hostile_names_stay_text) {
    char *page = write_form(4), *list = write_form(3), *book = write_form(0);
    static const char *const never[] = {"<script", "<img", "onerror=\"", "javascript:\"", "\x1b", "\x07"};
    for (unsigned k = 0; k < sizeof never / sizeof *never; k++) ck_assert_msg(!strstr(page, never[k]), "%s", never[k]);
    ck_assert(strstr(page, "&#60;script&#62;") && !strchr(list, '\x1b') && !strchr(list, '\x07'));
    for (const char *s = book; (s = strchr(s, '\n')) && s[1]; s++) ck_assert_msg(!strchr("=+-@", s[1]), "%s", s);
    ck_assert(!strstr(book, ",=") && !strstr(book, ",@") && !strstr(book, "\"="));
    free(page);
    free(list);
    free(book);
}
END_TEST

/* A class laid out by hand with records of golden/: one of each end. */
static void with_record(const char *student, const char *text, const char *record) {
    char path[200];
    snprintf(path, sizeof path, "%s/lab3.cu", student);
    put(in, path, text);
    if (!record) return;
    json_t *r = golden(record);
    json_object_set_new(r, "lab", json_pack("{s:s, s:s, s:s}", "id", "lab3", "name", "shared_block", "title", "t"));
    char *json = json_dumps(r, 0);
    snprintf(path, sizeof path, "records/%s/lab3.json", student);
    put(out, path, json);
    free(json);
    json_decref(r);
}
START_TEST(each_end_is_summed_up) {
    begin();
    for (int pass = 0; pass < 2; pass++) { /* an import forgets records of what it has not seen */
        with_record("ada", "kernel one", pass ? "full.json" : NULL);
        with_record("bob", "kernel one", pass ? "race.json" : NULL);
        with_record("cyd", "kernel  one // mine", pass ? "race.json" : NULL);
        with_record("dan", "nothing", pass ? "build.json" : NULL);
        with_record("eve", "something", NULL);
        with_record("fay", "else", NULL);
        put(in, "gus/notes", "");
        if (!pass) ck_assert_int_eq(import(NULL, NULL), 0);
    }
    put(out, "faults/eve/lab3.json",
        "{\"how\": \"the grader ended with status 3\", \"message\": \"no nvcc\", \"status\": 3}");
    ck_assert_int_eq(class_report(&(struct class_options){.out = out}, &place), EXIT_SETUP);
    char *list = get(out, "attention.txt"), *book = get(out, "gradebook.csv");
    static const char *const said[] = {"eve: the grader ended with status 3: no nvcc",
                                       "Not graded yet",
                                       "lab3   fay",
                                       "dan: ",
                                       "ada: as bob",
                                       "bob: as ada",
                                       "cyd: as ada, bob",
                                       "lab3   gus"};
    for (unsigned k = 0; k < sizeof said / sizeof *said; k++)
        ck_assert_msg(strstr(list, said[k]), "%s: %s", said[k], list);
    static const char *const rows[] = {"ada,,100,100,full,,100.0", "dan,,0,100,build,,0.0", "eve,,,,setup,,\r",
                                       "fay,,,,ungraded,,\r", "gus,,,,missing,,0.0"};
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++)
        ck_assert_msg(strstr(book, rows[k]), "%s: %s", rows[k], book);
    free(list);
    free(book);
    end();
}
END_TEST

int main(void) {
    const struct {
        const char *name;
        const TTest *test;
        int count;
    } tests[] = {
#define ROWS(table) (int)(sizeof table / sizeof *table)
        {"paths", a_path_tells_whose_and_which, ROWS(paths)},
        {"shapes", the_shape_is_told_by_the_paths, ROWS(guesses)},
        {"folders", folder_names_are_plain_and_never_meet, 1},
        {"cells", a_cell_is_text_and_no_formula, ROWS(cells)},
        {"split", csv_is_split, 1},
        {"skeleton", a_line_is_found_on_the_skeleton, ROWS(maps)},
        {"layouts", submissions_are_laid_out, ROWS(layouts)},
        {"newest", the_newest_of_a_students_files_counts, 1},
        {"changes", what_changed_is_to_be_graded_again, 1},
        {"plain files", only_plain_files_are_read, 1},
        {"seed", the_seed_stays_and_is_nobodys_to_read, 1},
        {"roster", those_on_a_list_are_on_the_roster, 1},
        {"labs", labs_of_several_imports_meet, 1},
        {"forms", forms_are_golden, ROWS(written)},
        {"hostile", hostile_names_stay_text, 1},
        {"ends", each_end_is_summed_up, 1},
    };
    Suite *suite = suite_create("class");
    for (size_t k = 0; k < sizeof tests / sizeof *tests; k++) {
        TCase *tcase = tcase_create(tests[k].name);
        tcase_add_loop_test(tcase, tests[k].test, 0, tests[k].count);
        suite_add_tcase(suite, tcase);
    }
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
