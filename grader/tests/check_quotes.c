/* Checks that quotations in handouts and notes match the program's output: messages in the tables of mistakes,
 * transcripts, numbers and commands. Makes each mistake of a table in the solution (quotes.def), grades it, and runs
 * each transcript and command. Also checks that all handouts have the same structure. LAB=lab3 selects a lab.
 * QUOTES=write updates the transcripts in the handouts. */
/* run: plain, 9 s */
/* reads: grade labs solutions common */
#include "probes/catalog.h"
#include "tests/effort.h"
#include "tests/mistakes.h"
#include "tests/quick.h"
#include "tests/shell.h"
#include "tests/suite.h"
#include <check.h>

static const struct quote {
    const char *lab, *cell; /* cell: text in the first column of the table */
    const char *name;       /* a row of mistakes*.def; NULL for the edit from `from` to `to` */
    const char *from, *to;
} quotes[] = {
#define QUOTE(lab, cell, name) {#lab, cell, name, NULL, NULL},
#define QUOTE_EDIT(lab, cell, from, to) {#lab, cell, NULL, from, to},
#define NUMBER(lab, said, report, counted)
#include "quotes.def"
#undef QUOTE
#undef QUOTE_EDIT
#undef NUMBER
};
static const struct {
    const char *lab, *said, *report, *counted;
} numbers[] = {
#define QUOTE(lab, cell, name)
#define QUOTE_EDIT(lab, cell, from, to)
#define NUMBER(lab, said, report, counted) {#lab, said, #report, counted},
#include "quotes.def"
};
enum { QUOTES = sizeof quotes / sizeof *quotes, NUMBERS = sizeof numbers / sizeof *numbers, CELL = 500 };
/* `make test` checks every eighth lab: its report, all its commands, and every eighth of its mistakes. It also checks
 * the reports of every fourth lab, a third of them per commit. EVERY=1 checks everything. Lab 2 is quick to grade, so
 * the sample starts with it. */
enum { SAMPLE = 8, REPORTS = 4, FIRST = 2 };
static unsigned every = SAMPLE;
static const struct compiler *compiler;

static bool is_taken(int row) {
    const char *wanted = getenv("LAB");
    return wanted && *wanted ? !strcmp(wanted, lab_rows[row]->id) : every == 1 || row % SAMPLE == FIRST;
}
/* Returns whether to check the report of a lab. QUOTES=write updates all of them. */
static bool is_reported(int row) {
    const char *wanted = getenv("LAB");
    return is_taken(row) || (!(wanted && *wanted) &&
                             (getenv("QUOTES") || (row % REPORTS == FIRST && in_turn((unsigned)(row / REPORTS), 3))));
}
static char *path_of(const struct lab *lab, const char *folder, const char *name) {
    static char path[200];
    snprintf(path, sizeof path, "%s/%s_%s/%s", folder, lab->id, lab->name, name);
    return path;
}
static char *handout_of(const struct lab *lab) { return read_file(path_of(lab, "labs", "README.md")); }
/* Replaces each run of spaces and newlines with one space. Removes leading ones. */
static char *squeezed(char *text) {
    char *out = text;
    for (const char *s = text; *s; s++)
        if (!strchr(" \n", *s) || (out > text && out[-1] != ' ')) *out++ = (char)(*s == '\n' ? ' ' : *s);
    *out = 0;
    return text;
}

/* ---- the structure of a handout ------------------------------------------------------------- */
START_TEST(handouts_have_one_shape) {
    static const char *const headings[] = {"What you will learn",
                                           "The picture",
                                           "The idea",
                                           "A worked example",
                                           "The contract",
                                           "What to do",
                                           "What is graded",
                                           "What goes wrong, and what the grader says",
                                           "A passing transcript",
                                           "Questions to think about",
                                           "Further reading"};
    const struct lab *lab = lab_rows[_i];
    char *text = handout_of(lab), line[100];
    const char *at = text;
    for (unsigned k = 0; k < sizeof headings / sizeof *headings; k++) {
        snprintf(line, sizeof line, "\n## %s\n", headings[k]);
        const char *next = strstr(at, line);
        ck_assert_msg(next != NULL, "%s: `## %s` is missing or out of order", lab->id, headings[k]);
        at = next + 1;
    }
    ck_assert_msg(strstr(text, "\n**In your report.**"), "%s: no paragraph **In your report.**", lab->id);
    for (unsigned k = 0; lab->predictions[k]; k++) { /* the handout must not answer the questions */
        snprintf(line, sizeof line, "%s@", lab->predictions[k]);
        ck_assert_msg(!strstr(text, line), "%s: the handout answers `%s`", lab->id, line);
    }
    free(text);
}
END_TEST
/* The table of points lists the lab's checks in their order. */
START_TEST(table_of_points_matches_the_lab) {
    const struct lab *lab = lab_rows[_i];
    char *text = handout_of(lab);
    const char *at = strstr(text, "| points | |\n|---|---|\n");
    ck_assert_msg(at != NULL, "%s: no table of points", lab->id);
    at = strchr(strchr(at, '\n') + 1, '\n') + 1;
    for (unsigned k = 0; k < lab->check_count; k++, at = strchr(at, '\n') + 1)
        ck_assert_msg(*at == '|' && atoi(at + 1) == (int)lab->checks[k].points, "%s: `%s` has %u points: %.60s",
                      lab->id, lab->checks[k].id, lab->checks[k].points, at);
    ck_assert_msg(*at != '|', "%s: more points than checks", lab->id);
    free(text);
}
END_TEST
/* Each term is in bold where it is explained, in one lab. */
static const struct {
    const char *term, *lab;
} taught[] = {{"**Latency**", "lab0"},        {"**reconverge**", "lab1"},    {"**Coalescing.**", "lab2"},
              {"**wavefront**", "lab3"},      {"**Throughput**", "lab4"},    {"**Occupancy**", "lab4"},
              {"**Bandwidth**", "lab7"},      {"**The roofline.**", "lab7"}, {"**Little's law**", "lab9"},
              {"**bytes in flight**", "lab9"}};
START_TEST(terms_are_explained_once) {
    for (unsigned k = 0; k < lab_row_count; k++) {
        char *text = handout_of(lab_rows[k]), *idea = strstr(text, "\n## The picture");
        const bool here = !strcmp(lab_rows[k]->id, taught[_i].lab);
        const char *at = strstr(strcmp(taught[_i].term, "**bytes in flight**") ? idea : text, taught[_i].term);
        ck_assert_msg((at != NULL) == here, "%s %s %s", lab_rows[k]->id, here ? "does not explain" : "also explains",
                      taught[_i].term);
        free(text);
    }
}
END_TEST

/* ---- messages ------------------------------------------------------------------------------- */
/* Writes all strings of a record, one per line, and the titles of its findings. If `only` is not NULL, writes only
 * strings with this key. */
static void all_strings(FILE *out, const json_t *value, const char *key, const char *only) {
    size_t k;
    const char *name;
    json_t *item;
    if (json_is_string(value) && (!only || !strcmp(key, only))) fprintf(out, "%s\n", json_string_value(value));
    if (json_is_string(value) && !only && !strcmp(key, "kind") && catalog_finding(json_string_value(value)))
        fprintf(out, "%s\n", catalog_finding(json_string_value(value))->title);
    json_array_foreach(value, k, item) all_strings(out, item, "", only);
    if (json_is_object(value)) json_object_foreach((json_t *)value, name, item) all_strings(out, item, name, only);
}
static char *strings_of(const json_t *record, const char *only) {
    char *all;
    size_t size;
    FILE *out = open_memstream(&all, &size);
    all_strings(out, record, "", only);
    fclose(out);
    return all;
}
static void edit_of(const struct quote *q, const char **from, const char **to) {
    *from = q->from, *to = q->to;
    for (unsigned k = 0; q->name && k < MISTAKES; k++)
        if (!strcmp(mistakes[k].lab, q->lab) && !strcmp(mistakes[k].name, q->name))
            *from = mistakes[k].from, *to = mistakes[k].to;
    ck_assert_msg(*from != NULL, "%s: no mistake `%s`", q->lab, q->name);
}
/* Reads the next row of a table with two columns. */
static bool next_row(const char **at, char cell[2][CELL]) {
    while (**at == '\n' || !strncmp(*at, "| mistake |", 11) || !strncmp(*at, "|---", 4))
        *at += strcspn(*at, "\n") + (**at != 0);
    if (strncmp(*at, "| ", 2) != 0) return false;
    const char *middle = strstr(*at, " | "), *end = strchr(*at, '\n');
    ck_assert_msg(middle && middle < end && end - *at < CELL, "no row of two cells: %.80s", *at);
    snprintf(cell[0], CELL, "%.*s", (int)(middle - *at - 2), *at + 2);
    snprintf(cell[1], CELL, "%.*s", (int)(end - middle - 3), middle + 3);
    *at = end + 1;
    return true;
}
/* Checks that the record contains each quotation of more than one word. If the cell says that results are wrong, the
 * record must have a wrong case. Writes to `missing` what the record lacks. */
static void look_for_quoted(FILE *missing, const struct quote *q, const char *cell, const json_t *record) {
    char said[CELL], *all = strings_of(record, NULL), *messages = strings_of(record, "message");
    for (const char *s = cell; (s = strchr(s, '`'));) {
        const char *mark = s[1] == '`' ? "``" : "`";
        const size_t n = strlen(mark);
        const char *end = strstr(s + n, mark);
        ck_assert_msg(end != NULL, "%s: %s", q->lab, cell);
        snprintf(said, sizeof said, "%.*s", (int)(end - s - (int)n), s + n);
        s = end + n;
        if (said[0] && said[strlen(said) - 1] == ' ') said[strlen(said) - 1] = 0;
        if (strchr(said, ' ') && !strstr(all, said))
            fprintf(missing, "%s, %s: no `%s` in\n%.1200s\n", q->lab, q->cell, said, messages);
    }
    const bool is_wrong = !strncmp(cell, "wrong ", 6) || !strncmp(cell, "a wrong ", 8);
    if (is_wrong && !strstr(all, " cases wrong"))
        fprintf(missing, "%s, %s: no wrong case in\n%.1200s\n", q->lab, q->cell, messages);
    free(all), free(messages);
}
START_TEST(tables_quote_actual_messages) {
    const struct lab *lab = lab_rows[_i];
    if (!is_taken(_i)) return;
    char *solution = broken_solution(lab), *text = handout_of(lab), cell[2][CELL], why[2000], space[16];
    struct broken_text broken[QUOTES + 1] = {{"m", solution}};
    unsigned graded = 1;
    struct broken_unit unit;
    unsigned first = 0, count = 0;
    while (first < QUOTES && strcmp(quotes[first].lab, lab->id) != 0) first++;
    while (first + count < QUOTES && !strcmp(quotes[first + count].lab, lab->id)) {
        const char *from, *to;
        edit_of(&quotes[first + count], &from, &to);
        char *source = broken_replaced(solution, from, to, true);
        ck_assert_msg(source != NULL, "%s: no text to replace with `%s`", lab->id, from);
        if ((first + count++) % every) {
            free(source);
            continue;
        }
        snprintf(broken[graded].space, sizeof space, "m%u", count);
        broken[graded++].source = source;
    }
    ck_assert_msg(broken_load(&unit, lab, variants, compiler, broken, graded, why, sizeof why), "%s", why);
    const char *at = strstr(text, "\n## What goes wrong");
    at = strchr(at + 1, '\n');
    char *lines;
    size_t size;
    FILE *missing = open_memstream(&lines, &size);
    for (unsigned k = 0; k < count; k++) {
        const struct quote *q = &quotes[first + k];
        ck_assert_msg(next_row(&at, cell) && strstr(cell[0], q->cell), "%s: expected row `%s` next in the table",
                      lab->id, q->cell);
        if ((first + k) % every) continue;
        snprintf(space, sizeof space, "m%u", k + 1);
        json_t *record = broken_grade(&unit, space, NULL, 7);
        look_for_quoted(missing, q, cell[1], record);
        json_decref(record);
    }
    fclose(missing);
    ck_assert_msg(!*lines, "%s", lines);
    free(lines);
    ck_assert_msg(!next_row(&at, cell), "%s: quotes.def has no row for `%s`", lab->id, cell[0]);
    for (unsigned k = 0; k < graded; k++) free(broken[k].source);
    broken_free(&unit);
    free(text);
}
END_TEST

/* ---- transcripts, numbers, commands ---------------------------------------------------------- */
/* The handouts have counts of code compiled with NVRTC. Without NVRTC, only the points are compared. */
static bool has_nvrtc(void) {
    char why[400];
    return compiler_find("nvrtc", why, sizeof why);
}
static char *report_on(const struct lab *lab) {
    char shown[200], first[100], last[60];
    char *reports = shell(0, "\"$GRADE\" %s --solution --seed 7 --device sim --compiler %s --no-color", lab->id,
                          has_nvrtc() ? "nvrtc" : "auto");
    snprintf(shown, sizeof shown, "%s", path_of(lab, "solutions", "reduce.cu"));
    snprintf(first, sizeof first, "%s  %s\n", lab->id, lab->title);
    snprintf(last, sizeof last, "\n%s: 100 of 100 points\n", lab->id);
    const char *at = strstr(reports, first), *end = at ? strstr(at, last) : NULL;
    ck_assert_msg(end != NULL, "%s: no report with all points in\n%s", lab->id, reports);
    char *text = strndup(at, (size_t)(end - at) + strlen(last));
    char *out = broken_replaced(text, shown, path_of(lab, "labs", "reduce.cu"), true);
    ck_assert_msg(out != NULL, "%s: the report does not name %s", lab->id, shown);
    free(text), free(reports);
    return out;
}
/* Returns the report without the block's steps and source lines, which quote the solution. It also lacks the
 * predictions, which students must make themselves. */
static char *transcript_of(const struct lab *lab, const char *report) {
    static const char *const left_out[][2] = {{"\n  Steps of one block", "\n  Counts of that block"},
                                              {"\n  Predictions ", "\n  Modeled time for "}};
    char *out = NULL, last[60];
    size_t size;
    FILE *f = open_memstream(&out, &size);
    ck_assert(f && fprintf(f, "```\n$ ./grade %s --seed 7\n", lab->id) > 0);
    snprintf(last, sizeof last, "\n%s: 100 of", lab->id);
    for (unsigned k = 0; k < 2; k++) {
        const char *from = strstr(report, left_out[k][0]), *to = from ? strstr(from, left_out[k][1]) : NULL;
        if (!from) continue; /* the lab does not count steps */
        fprintf(f, "%.*s\n  ...\n", (int)(from - report), report);
        report = to ? to : strstr(from, last);
        ck_assert_msg(report != NULL, "%s: the report ends early", lab->id);
    }
    ck_assert(fprintf(f, "%s```\n", report) > 0 && !fclose(f));
    return out;
}
static void expect_transcript(const struct lab *lab, const char *report) {
    char *wanted = transcript_of(lab, report), *text = handout_of(lab), *at = strstr(text, "```\n$ ./grade ");
    const char *end = at ? strstr(at + 4, "```\n") : NULL;
    ck_assert_msg(end != NULL, "%s: no transcript", lab->id);
    end += 4;
    const char *set = getenv("QUOTES");
    if (set && !strcmp(set, "write")) {
        FILE *f = fopen(path_of(lab, "labs", "README.md"), "w");
        ck_assert(f && fprintf(f, "%.*s%s%s", (int)(at - text), text, wanted, end) > 0 && !fclose(f));
    } else
        ck_assert_msg((size_t)(end - at) == strlen(wanted) && !memcmp(at, wanted, strlen(wanted)),
                      "%s: the transcript differs from the current output (QUOTES=write updates it):\n%s", lab->id,
                      wanted);
    free(wanted), free(text);
}
static void expect_numbers(const struct lab *lab, char *report) {
    squeezed(report);
    for (unsigned k = 0; k < NUMBERS; k++) {
        if (strcmp(numbers[k].report, lab->id) != 0) continue;
        char *text = squeezed(handout_of(lab_find(numbers[k].lab)));
        ck_assert_msg(strstr(text, numbers[k].said), "%s: the handout does not say `%s`", numbers[k].lab,
                      numbers[k].said);
        ck_assert_msg(strstr(report, numbers[k].counted), "%s says `%s`; no `%s` in\n%s", numbers[k].lab,
                      numbers[k].said, numbers[k].counted, report);
        free(text);
    }
}
START_TEST(transcripts_match_reports) {
    const struct lab *lab = lab_rows[_i];
    if (!is_reported(_i)) return;
    char *report = report_on(lab);
    if (has_nvrtc()) expect_transcript(lab, report), expect_numbers(lab, report);
    free(report);
}
END_TEST
/* Runs the `./grade ...` commands of handouts and notes on the solution. */
START_TEST(quoted_commands_run) {
    const struct lab *lab = lab_rows[_i / 2];
    if (!is_taken(_i / 2)) return;
    char *text = read_file(_i % 2 ? path_of(lab, "solutions", "notes.md") : path_of(lab, "labs", "README.md"));
    for (const char *s = text; (s = strstr(s, "`./grade "));) {
        const size_t n = strcspn(s += 9, "`\n");
        char command[300];
        snprintf(command, sizeof command, "%.*s", (int)n, s);
        if (strstr(command, "--hardware")) continue; /* needs a GPU */
        if (strstr(command, "--seal")) continue;     /* writes to the lab's folder; check_predictions runs it */
        if (!strcmp(command, lab->id)) continue;     /* report_on() has run it */
        const bool ladder = !strncmp(command, "ladder", 6);
        char *out = shell(SHELL_GRADED, "\"$GRADE\" %s%s", command,
                          ladder                          ? " --size 4096"
                          : strstr(command, "--solution") ? ""
                                                          : " --solution");
        ck_assert_msg(*out, "%s prints nothing", command);
        free(out);
    }
    free(text);
}
END_TEST

int main(void) {
    char why[2000];
    if (getenv("EVERY") && atoi(getenv("EVERY")) > 0) every = (unsigned)atoi(getenv("EVERY"));
    compiler = compiler_find(quick_compiler(), why, sizeof why);
    if (!compiler) return printf("SKIP check_quotes: %s\n", why), 0;
    const int labs = (int)lab_row_count, taught_count = sizeof taught / sizeof *taught;
    const struct {
        const char *name;
        const TTest *test;
        int count;
    } cases[] = {{"shape", handouts_have_one_shape, labs},          {"points", table_of_points_matches_the_lab, labs},
                 {"terms", terms_are_explained_once, taught_count}, {"messages", tables_quote_actual_messages, labs},
                 {"reports", transcripts_match_reports, labs},      {"commands", quoted_commands_run, 2 * labs}};
    Suite *suite = suite_create("quotes");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        TCase *tcase = tcase_create(cases[k].name);
        tcase_set_timeout(tcase, 900);
        tcase_add_loop_test(tcase, cases[k].test, 0, cases[k].count);
        suite_add_tcase(suite, tcase);
    }
    return suite_failures(suite) != 0;
}
