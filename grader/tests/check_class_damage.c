/* Tests what make gradebook does with files that are no programs, with a class's folder that a crash of the machine has
 * damaged or that the user has filled, and in a kit whose path contains spaces. */
/* run: sanitized */
/* reads: grade grader/tests/golden grader/class labs */
#include "class/facts.h"
#include "record/status.h"
#include "tests/class_folder.h"
#include "tests/rows.h"

/* ---- damaged files ----------------------------------------------------------------------------- */
static const char *const damaged[] = {"", "{\"score\": 90", "[]", "garbage\n", "{\"score\": 1} 2"};
/* A damaged record is removed, so that the next run grades the unit again. Other records remain. */
START_TEST(damaged_records_are_removed) {
    begin_class();
    put_file(in, "ada/lab3.cu", "a"), put_file(in, "bob/lab3.cu", "b");
    ck_assert_int_eq(import(NULL, NULL), 0);
    json_t *good = golden("full.json");
    char *text = json_dumps(good, 0);
    put_file(out, "records/ada/lab3.json", damaged[_i]), put_file(out, "records/bob/lab3.json", text);
    ck_assert_int_eq(class_report(&(struct class_options){.out = out}, &place), EXIT_SETUP);
    ck_assert(!there(out, "records/ada/lab3.json") && there(out, "records/bob/lab3.json"));
    char *book = get(out, "gradebook.csv");
    ck_assert_msg(strstr(book, "ada,,,,ungraded"), "%s", book);
    free(book), free(text);
    json_decref(good);
    end();
}
END_TEST
/* The seed of a damaged settings.json is not silently replaced by a new one, which would grade the class anew. */
START_TEST(damaged_settings_keep_the_seed) {
    begin_class();
    put_file(in, "ada/lab3.cu", "a");
    ck_assert_int_eq(import(NULL, NULL), 0);
    put_file(out, "settings.json", damaged[_i]);
    struct class_options o = {.from = in, .out = out};
    ck_assert_int_eq(class_import(&o, &place), EXIT_SETUP);
    char *settings = get(out, "settings.json");
    ck_assert_str_eq(settings, damaged[_i]);
    free(settings);
    o.seed = "7";
    ck_assert_int_eq(class_import(&o, &place), 0);
    settings = get(out, "settings.json");
    ck_assert_msg(strstr(settings, "\"seed\": \"7\""), "%s", settings);
    free(settings);
    end();
}
END_TEST

/* ---- submitted files ---------------------------------------------------------------------------- */
static const struct {
    const char *text, *why; /* why: "" if the file is graded */
} submitted[] = {
    {"<!DOCTYPE html>\n<title>Log in</title>", "is a web page or an XML document, not a CUDA program"},
    {"\xef\xbb\xbf\r\n <html>", "is a web page or an XML document, not a CUDA program"},
    {"<?xml version=\"1.0\"?>", "is a web page or an XML document, not a CUDA program"},
    {"{\n \"cells\": []}", "is a notebook, not a CUDA program"},
    {"{\"nbformat\": 4}", "is a notebook, not a CUDA program"},
    {"%PDF-1.4", "is a PDF document, not a text file"},
    {"\xef\xbb\xbf \n", "is empty"},
    {"<<<<<<< HEAD\n#include \"reduce.h\"\n", ""},
    {"{ \"reduce.h\" }", ""},
    {"// <html>\n", ""},
    {"<", ""},
};
START_TEST(documents_are_not_graded) {
    char path[200], why[200];
    size_t length;
    begin_class();
    put_file(in, "x.cu", submitted[_i].text);
    snprintf(path, sizeof path, "%s/x.cu", in);
    char *text = submitted_text(path, 1 << 20, &length, why, sizeof why);
    ck_assert_str_eq(why, submitted[_i].why);
    ck_assert((text != NULL) == !*why);
    free(text);
    end();
}
END_TEST

/* ---- the folder OUT ---------------------------------------------------------------------------- */
/* Files that are in OUT before the first run, and whether the run is refused: it would remove, for example, the user's
 * own folder `unpacked`. An earlier run leaves `lock`, and users write overrides.csv. */
static const struct {
    const char *files[3];
    bool refused;
} before[] = {
    {{"unpacked/mine"}, true},
    {{"gradebook.csv", "overrides.csv"}, true},
    {{".git/config"}, true},
    {{"overrides.csv", "extensions.csv"}, false},
    {{"lock", "unpacked/x"}, false},
    {{"settings.json", "unpacked/x"}, false},
    {{0}, false},
};
START_TEST(folders_of_the_user_are_refused) {
    char command[1000];
    begin_class();
    put_file(in, "readme.txt", "nothing to grade");
    for (const char *const *file = before[_i].files; *file; file++) put_file(out, *file, "mine");
    /* The run ends in any case, because the import finds no submission. */
    snprintf(command, sizeof command,
             "SUBMISSIONS=%s OUT=%s LAB=lab3 sh grader/class/gradebook.sh $(dirname $(realpath \"$GRADE\")) "
             ">%s/said 2>&1",
             in, out, folder);
    ck_assert_int_ne(system(command), 0);
    char *said = get(folder, "said");
    ck_assert_msg((strstr(said, "did not write") != NULL) == before[_i].refused, "%s", said);
    for (const char *const *file = before[_i].files; *file && before[_i].refused; file++) ck_assert(there(out, *file));
    free(said);
    end();
}
END_TEST

/* ---- a path with spaces ------------------------------------------------------------------------ */
START_TEST(the_path_of_the_kit_may_contain_spaces) {
    char command[2000];
    begin_class();
    put_file(in, "ada/lab3.cu", "no CUDA");
    snprintf(command, sizeof command,
             "mkdir -p '%s/my kit/build' && ln -s $PWD/grader $PWD/common $PWD/labs $PWD/solutions '%s/my kit' && "
             "ln -s $(realpath \"$GRADE\") '%s/my kit/build/grade' && cd '%s/my kit' && NO_SANDBOX=1 LAB=lab3 "
             "SUBMISSIONS='%s' OUT='%s' MAKEFLAGS= sh grader/class/gradebook.sh build >'%s/said' 2>&1",
             folder, folder, folder, folder, in, out, folder);
    const int status = system(command);
    char *said = get(folder, "said"), *book = get(out, "gradebook.csv");
    ck_assert_msg(!status && book && strstr(book, "ada,,0,100,build"), "%s", said);
    free(said), free(book);
    end();
}
END_TEST

int main(void) {
    const struct test_row tests[] = {
        {"records", damaged_records_are_removed, ROWS(damaged)},
        {"settings", damaged_settings_keep_the_seed, ROWS(damaged)},
        {"documents", documents_are_not_graded, ROWS(submitted)},
        {"folders", folders_of_the_user_are_refused, ROWS(before)},
        {"spaces", the_path_of_the_kit_may_contain_spaces, 1},
    };
    return run_rows("class damage", tests, ROWS(tests));
}
