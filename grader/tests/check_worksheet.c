/* Tests that points are entered in tables exported from an LMS, and that nothing else in the tables changes. The
 * rows have the formats of Canvas's gradebook, Moodle's offline grading, and Blackboard's Grade Center. */
/* run: sanitized */
/* reads: labs grader/tests/golden */
#include "tests/class_folder.h"
#include "tests/rows.h"

#define TEN(text) text text text text text text text text text text
/* In lab3, ada has 100 points and eve 45; gus submitted nothing. */
static const struct row {
    const char *name, *file; /* LAB3 stands for lab3's title */
    const char *column;      /* value of lab3.column in course.conf, or NULL */
    const char *filled;      /* contents of OUT/gradebook-NAME.csv; NULL if the import reports an error */
    const char *said;
} rows[] = {
    {"canvas",
     "Student,ID,SIS User ID,SIS Login ID,Section,Lab 2 (77),Lab 3: shared memory (4711),Lab 30 (5),Labs Current Score,"
     "Final Score\r\n"
     ",,,,,Manual Posting,,,,\r\n"
     "    Points Possible,,,,,10,20,100,(read only),(read only)\r\n"
     "\"Lovelace, Ada\",1,s1,ada,\"A, B\",9,,1,90,90\r\n"
     "\"O'Eve, \"\"E\"\"\",2,s2,eve,A,8,3,1,80,80\r\n"
     "\"Gus, G\",3,s3,gus,A,7,15,1,70,70\r\n"
     "\"Student, Test\",9,,0a1b,A,,,,,\r\n",
     NULL,
     "Student,ID,SIS User ID,SIS Login ID,Section,Lab 3: shared memory (4711)\r\n"
     ",,,,,\r\n"
     "    Points Possible,,,,,20\r\n"
     "\"Lovelace, Ada\",1,s1,ada,\"A, B\",20\r\n"
     "\"O'Eve, \"\"E\"\"\",2,s2,eve,A,9\r\n"
     "\"Gus, G\",3,s3,gus,A,15\r\n"
     "\"Student, Test\",9,,0a1b,A,\r\n",
     "gradebook-canvas.csv: lab3 is `Lab 3: shared memory (4711)`\n"},
    {"canvas", /* EX (excused) stays; some countries use semicolons as separators */
     "Student;ID;SIS Login ID;Section;lab03 (1)\n    Points Possible;;;;100\nAda;1;ada;A;EX\nEve;2;eve;A;\n", NULL,
     "Student;ID;SIS Login ID;Section;lab03 (1)\n    Points Possible;;;;100\nAda;1;ada;A;EX\nEve;2;eve;A;45\n",
     "lab3 is `lab03 (1)`"},
    {"canvas", /* two columns match, so none is filled in, and the table is not written */
     "Student,ID,SIS Login ID,Section,Lab 3 (1),Lab 3 quiz (2)\nAda,1,ada,A,,\n", NULL, "",
     "lab3 is left out: both `Lab 3 (1)` and `Lab 3 quiz (2)` match; in labs/course.conf, set `lab3.column` to the "
     "title or number of the Canvas column\n"},
    {"canvas", "Student,ID,SIS Login ID,Section,Lab 3 (1),Lab 3 quiz (2)\nAda,1,ada,A,,\n", "2",
     "Student,ID,SIS Login ID,Section,Lab 3 quiz (2)\nAda,1,ada,A,100\n", "lab3 is `Lab 3 quiz (2)`"},
    {"canvas", "Student,ID,SIS Login ID,Section,Trees (8),Lab 3 (9)\nAda,1,ada,A,,\n", "Trees",
     "Student,ID,SIS Login ID,Section,Trees (8)\nAda,1,ada,A,100\n",
     "1 student with points is missing from the table of Canvas"},
    {"canvas", "Student,ID,SIS Login ID,Section,Trees (8)\nAda,1,ada,A,\n", "Shrubs", "",
     "lab3 is left out: no column matches `lab3.column = Shrubs`; in labs/course.conf, set `lab3.column` to"},
    {"canvas", "Student,ID,SIS Login ID,Section,LAB3 (8)\nAda,1,ada,A,\n", NULL,
     "Student,ID,SIS Login ID,Section,LAB3 (8)\nAda,1,ada,A,100\n", ""},
    {"canvas", /* one column for each of 500 quizzes */
     "Student,ID,SIS Login ID,Section" TEN(TEN(",Q,Q,Q,Q,Q")) ",Lab 3 (9)\nAda,1,ada,A" TEN(TEN(",,,,,")) ",\n", NULL,
     "Student,ID,SIS Login ID,Section,Lab 3 (9)\nAda,1,ada,A,100\n", "lab3 is `Lab 3 (9)`"},
    {"canvas", /* the gradebook has no column for the lab */
     "Student,ID,SIS Login ID,Section,Lab 13 (8)\n    Points Possible,,,,5\nAda,1,ada,A,\n", NULL,
     "Student,ID,SIS Login ID,Section,lab3\n    Points Possible,,,,100\nAda,1,ada,A,100\n",
     "no column matches lab3: let Canvas create a column"},
    {"moodle-lab3",
     "\xef\xbb\xbfIdentifier,\"Full name\",\"Email address\",Status,Grade,\"Maximum grade\",\"Grade can be changed\","
     "\"Last modified (submission)\",\"Online text\",\"Last modified (grade)\",\"Feedback comments\"\n"
     "\"Participant 1\",\"Ada, \"\"A\"\" Lovelace\",ada@x,\"Submitted for grading\",,50.00,Yes,\"Sunday, 22 November "
     "2026, "
     "10:11 AM\",,-,\n"
     "\"Participant 2\",\"=Eve\",eve@x,\"Submitted for grading\",1.00,50.00,Yes,-,\"two\nlines\",-,\"see <b>me</b>\"\n"
     "\"Participant 3\",Gus,gus@x,\"No submission\",,50.00,Yes,-,,-,\n"
     "\"Participant 4\",Nobody,no@x,\"No submission\",,50.00,Yes,-,,-,\n",
     NULL,
     "Identifier,\"Full name\",\"Email address\",Status,Grade,\"Maximum grade\",\"Grade can be changed\","
     "\"Last modified (submission)\",\"Online text\",\"Last modified (grade)\",\"Feedback comments\"\n"
     "\"Participant 1\",\"Ada, \"\"A\"\" Lovelace\",ada@x,\"Submitted for grading\",50,50.00,Yes,\"Sunday, 22 November "
     "2026, "
     "10:11 AM\",,-,\"seen &#60;in&#62; class\"\n"
     "\"Participant 2\",\"=Eve\",eve@x,\"Submitted for grading\",22.5,50.00,Yes,-,\"two\nlines\",-,\"see <b>me</b>\"\n"
     "\"Participant 3\",Gus,gus@x,\"No submission\",,50.00,Yes,-,,-,\n"
     "\"Participant 4\",Nobody,no@x,\"No submission\",,50.00,Yes,-,,-,\n",
     ""},
    {"moodle-lab3", /* a grade that cannot be changed stays, and so does its comment */
     "Identifier,Status,Grade,Grade can be changed,Last modified (grade),Feedback comments\n"
     "Participant 1,x,7.00,No,-,mine\n",
     NULL,
     "Identifier,Status,Grade,Grade can be changed,Last modified (grade),Feedback comments\n"
     "Participant 1,x,7.00,No,-,mine\n",
     ""},
    {"moodle-lab3", /* the server's comments stay, and none is added twice */
     "Identifier,Status,Grade,Grade can be changed,Last modified (grade),Feedback comments\n"
     "Participant 1,x,7.00,Yes,-,\"<p>so, so</p>\"\nParticipant 1,x,7.00,Yes,-,mine<br>seen &#60;in&#62; class\n",
     NULL,
     "Identifier,Status,Grade,Grade can be changed,Last modified (grade),Feedback comments\n"
     "Participant 1,x,100,Yes,-,\"<p>so, so</p><br>seen &#60;in&#62; class\"\n"
     "Participant 1,x,100,Yes,-,mine<br>seen &#60;in&#62; class\n",
     ""},
    {"blackboard",
     "\"Last Name\",\"First Name\",\"Username\",\"Student ID\",\"Last Access\",\"Availability\",\"Weighted Total "
     "[Total Pts: up "
     "to 0 Percentage] |11\",\"Lab 3 [Total Pts: 10 Score] |12345\"\n"
     "\"Lovelace\",\"Ada\",\"1\",\"s1\",\"2026-11-22\",\"Yes\",\"90\",\"\"\n"
     "\"E\",\"Eve\",\"2\",\"s2\",\"2026-11-22\",\"Yes\",\"90\",\"5\"\n",
     NULL,
     "\"Last Name\",\"First Name\",\"Username\",\"Student ID\",\"Last Access\",\"Availability\",\"Lab 3 [Total Pts: 10 "
     "Score] "
     "|12345\"\n"
     "\"Lovelace\",\"Ada\",\"1\",\"s1\",\"2026-11-22\",\"Yes\",10\n"
     "\"E\",\"Eve\",\"2\",\"s2\",\"2026-11-22\",\"Yes\",4.5\n",
     "lab3 is `Lab 3 [Total Pts: 10 Score] |12345`"},
};
static char *with_title(const char *text) {
    char *result = NULL;
    size_t size;
    FILE *f = open_memstream(&result, &size);
    for (; *text; text++)
        if (strncmp(text, "LAB3", 4))
            fputc(*text, f);
        else
            fputs("The tree in shared memory", f), text += 3;
    fclose(f);
    return result;
}
/* Imports the class of the rows, with the table as the roster. Sets the points without grading. */
static json_t *class_of(const char *list, const char *lab, const struct class_place *kit) {
    static const struct {
        const char *id;
        int points;
    } graded[] = {{"1", 100}, {"2", 45}};
    char path[PATH_MAX], message[600] = "";
    put_file(in, "1/lab3.cu", "one"), put_file(in, "2/lab3.cu", "two"), put_file(in, "3/.keep", "");
    if (class_import(&(struct class_options){.from = in, .out = out, .lab = lab, .roster = list, .seed = "7"}, kit))
        return NULL;
    for (unsigned k = 0; k < ROWS(graded); k++) {
        json_t *r = json_load_file("grader/tests/golden/full.json", 0, NULL);
        json_object_set_new(r, "lab", json_pack("{s:s, s:s, s:s}", "id", "lab3", "name", "shared_block", "title", "t"));
        json_object_set_new(r, "score", json_integer(graded[k].points));
        char *text = json_dumps(r, 0);
        snprintf(path, sizeof path, "records/%s/lab3.json", graded[k].id);
        put_file(out, path, text);
        free(text), json_decref(r);
    }
    /* semicolons, as a spreadsheet program may write them */
    put_file(out, "overrides.csv", "student;lab;points;comment\n1;lab3;100;seen <in> class\n");
    snprintf(path, sizeof path, "%s/roster.json", out);
    json_t *roster = json_load_file(path, 0, NULL), *facts = class_facts(out, roster, kit, message, sizeof message);
    ck_assert_msg(facts, "%s", message);
    json_object_set_new(facts, "roster", roster);
    return facts;
}
static char *said_of(json_t *facts) {
    char *text = NULL, message[600] = "";
    size_t size;
    FILE *f = open_memstream(&text, &size);
    const bool ok = worksheets_fill(out, facts, json_object_get(facts, "roster"), f, message, sizeof message);
    fclose(f);
    ck_assert_msg(ok, "%s", message);
    return text;
}
START_TEST(lms_tables_get_points) {
    const struct row *r = &rows[_i];
    char path[200], conf[200] = "", *table = with_title(r->file), *expected = with_title(r->filled);
    begin_class();
    if (r->column) snprintf(conf, sizeof conf, "lab3.column = %s\n", r->column);
    put_file(folder, "kit/labs/course.conf", conf), put_file(folder, "list.csv", table);
    snprintf(path, sizeof path, "%s/list.csv", folder);
    char kit[100];
    snprintf(kit, sizeof kit, "%s/kit", folder);
    json_t *facts = class_of(path, "lab3", &(struct class_place){.root = kit});
    ck_assert_msg(facts, "%s", r->name);
    char *said = said_of(facts);
    snprintf(path, sizeof path, "gradebook-%s.csv", r->name);
    char *filled = get(out, path);
    ck_assert_msg(!strcmp(filled ? filled : "", expected), "%s: %s%s", r->name, filled, said);
    ck_assert_msg(strstr(said, r->said), "%s: %s", r->name, said);
    free(said), free(filled), free(table), free(expected);
    json_decref(facts);
    end();
}
END_TEST
/* Blackboard exports UTF-16 with tabs. The filled table must have the same format. */
START_TEST(utf16_tables_stay_utf16) {
    static const char text[] = "\"Last Name\"\t\"First Name\"\t\"Username\"\t\"Lab 3 [Total Pts: 10 Score] |5\"\n"
                               "\"L\"\t\"A\"\t\"1\"\t\"\"\n",
                      filled[] = "\"Last Name\"\t\"First Name\"\t\"Username\"\t\"Lab 3 [Total Pts: 10 Score] |5\"\n"
                                 "\"L\"\t\"A\"\t\"1\"\t10\n";
    char wide[2 * sizeof text + 2] = "\xff\xfe", path[200];
    size_t length;
    begin_class();
    for (size_t k = 0; k < sizeof text - 1; k++) wide[2 + 2 * k] = text[k], wide[3 + 2 * k] = 0;
    snprintf(path, sizeof path, "%s/list.xls", folder);
    ck_assert(file_write(path, wide, 2 * sizeof text));
    json_t *facts = class_of(path, "lab3", &place);
    free(said_of(facts));
    snprintf(path, sizeof path, "%s/gradebook-blackboard.csv", out);
    char *now = file_read(path, 0, 1 << 16, &length);
    ck_assert(now && length == 2 * sizeof filled && !memcmp(now, "\xff\xfe", 2));
    for (size_t k = 0; k < sizeof filled - 1; k++) ck_assert(now[2 + 2 * k] == filled[k] && !now[3 + 2 * k]);
    free(now), json_decref(facts);
    end();
}
END_TEST
/* Moodle's worksheet does not name its lab, so the import must. */
START_TEST(worksheets_need_a_lab) {
    char path[200];
    begin_class();
    put_file(folder, "list.csv", "Identifier,Grade,Last modified (grade)\nParticipant 1,,-\n");
    snprintf(path, sizeof path, "%s/list.csv", folder);
    ck_assert_ptr_null(class_of(path, NULL, &place));
    end();
}
END_TEST

int main(void) {
    const struct test_row tests[] = {
        {"tables", lms_tables_get_points, ROWS(rows)},
        {"16 bits", utf16_tables_stay_utf16, 1},
        {"lab", worksheets_need_a_lab, 1},
    };
    return run_rows("worksheets", tests, ROWS(tests));
}
