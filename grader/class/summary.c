/* Summarizes a lab of the class: scores, checks, causes of lost points, fixes, findings by skeleton line, and the
 * number of submissions that fail each case. */
#include "class/facts.h"
#include "judge/lab.h"
#include "probes/catalog.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_NOTES = 6 /* maximum number of notes from one submission, besides the last one */, BINS = 10 };

/* ---- the lab's texts ------------------------------------------------------------------------- */
/* Sets *name to the name of the line's directive, and *rest to the text after it. Returns the length of the name, or 0
 * if the line is no directive. */
static size_t directive(const char *line, const char **name, const char **rest) {
    line += strspn(line, " \t");
    *name = line + (*line == '#');
    *name += strspn(*name, " \t");
    const size_t n = *line == '#' ? strspn(*name, "abcdefghijklmnopqrstuvwxyz") : 0;
    *rest = *name + n;
    return n;
}
/* Evaluates a directive's condition with SOLUTION defined. Returns 1 if it is true, 0 if it is false, and -1 if the
 * directive has no condition or the condition is not about SOLUTION alone. */
static int with_solution(const char *name, size_t n, const char *rest) {
    char words[80] = "";
    unsigned k = 0;
    for (const char *s = rest; *s && *s != '\n' && strncmp(s, "//", 2) && strncmp(s, "/*", 2) && k + 1 < sizeof words;
         s++)
        if (!strchr(" \t\r()", *s)) words[k++] = *s;
    const bool is_not = *words == '!' || n == strlen("ifndef");
    const char *macro = words + (*words == '!');
    if (n == strlen("if") && strncmp(macro, "defined", 7) != 0) return -1;
    if (n == strlen("if")) macro += 7;
    return strncmp(name, "if", 2) || strcmp(macro, "SOLUTION") ? -1 : !is_not;
}
/* Resolves conditions on SOLUTION in place, as if SOLUTION were defined. */
static void resolve(char *text) {
    char *out = text;
    unsigned depth = 0, ours = 0; /* current nesting depth of #if; depth of the #if for SOLUTION, or 0 outside of it */
    bool keep = true;
    for (const char *s = text; *s;) {
        const size_t n = strcspn(s, "\n") + (s[strcspn(s, "\n")] == '\n');
        const char *name, *rest;
        const size_t word = directive(s, &name, &rest);
        const int holds = word && !ours ? with_solution(name, word, rest) : -1;
        bool line = keep;
        depth += word && !strncmp(name, "if", 2);
        if (holds >= 0) ours = depth, keep = holds, line = false;
        if (word == 4 && !strncmp(name, "else", 4) && ours && depth == ours) keep = !keep, line = false;
        if (word == 5 && !strncmp(name, "endif", 5)) {
            if (ours && depth == ours) ours = 0, keep = true, line = false;
            depth -= depth > 0;
        }
        if (line) memmove(out, s, n), out += n;
        s += n;
    }
    *out = 0;
}
struct class_lab class_lab_new(const struct class_place *place, const struct course_lab *lab, json_t *attention) {
    struct class_lab l = {.lab = lab,
                          .skeleton = skeleton_text(place, "labs", &lab->lab),
                          .solution = skeleton_text(place, "solutions", &lab->lab),
                          .attention = attention,
                          .cases = json_object(),
                          .kinds = json_object(),
                          .causes = json_object(),
                          .fixes = json_object(),
                          .tests = json_array()};
    if (l.solution) resolve(l.solution);
    l.out = json_pack("{s:s, s:s, s:f, s:i, s:s, s:{}}", "id", lab->lab.id, "title", lab->lab.title, "weight",
                      lab->weight, "pass", (int)lab->pass, "deadline", lab->deadline, "ends");
    json_object_set_new(l.out, "rules", course_rules(lab));
    if (*lab->column) json_object_set_new(l.out, "column", text_json(lab->column));
    return l;
}

/* ---- counting -------------------------------------------------------------------------------- */
static void count(json_t *object, const char *key, json_int_t n) {
    json_object_set_new_nocheck(object, key, json_integer(json_integer_value(json_object_get(object, key)) + n));
}
static void count_test(struct class_lab *l, size_t k, const json_t *test) {
    json_t *sum = json_array_get(l->tests, k);
    const json_int_t points = json_integer_value(json_object_get(test, "points")),
                     most = json_integer_value(json_object_get(test, "max_points"));
    if (!sum)
        json_array_append_new(l->tests, sum = json_pack("{s:s, s:s, s:I, s:i, s:i, s:{}}", "id", text_of(test, "id"),
                                                        "title", text_of(test, "title"), "max_points", most, "points",
                                                        0, "some", 0, "status"));
    count(sum, "points", points);
    count(sum, "some", points > 0 && points < most);
    count(json_object_get(sum, "status"), text_of(test, "status"), 1);
    const char *at = strstr(text_of(test, "replay"), "--case ");
    if (!at || check_status_of(test) != STATUS_FAIL) return;
    char name[200];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(at + 7, " "), at + 7);
    count(l->cases, name, 1);
}
/* Adds a finding to two tallies of submissions: those with this kind of finding, and those with this kind of finding on
 * the same line. A submission counts at most once in each. */
static void count_finding(struct class_lab *l, const json_t *f, const unsigned *lines, unsigned line_count,
                          json_t *seen) {
    char key[200];
    const json_int_t at = json_integer_value(json_object_get(json_object_get(f, "at"), "line"));
    const char *kind = text_of(f, "kind");
    json_t *k = json_object_get(l->kinds, kind);
    if (!k)
        json_object_set_new(
            l->kinds, kind,
            k = json_pack("{s:s, s:s, s:i, s:{}}", "kind", kind, "title", text_of(f, "title"), "students", 0, "lines"));
    if (!json_object_get(seen, kind)) count(k, "students", 1);
    json_object_set_new(seen, kind, json_true());
    if (!lines || at < 1 || at > line_count) return;
    snprintf(key, sizeof key, "%s %u", kind, lines[at]);
    if (!json_object_get(seen, key))
        snprintf(key, sizeof key, "%u", lines[at]), count(json_object_get(k, "lines"), key, 1);
    snprintf(key, sizeof key, "%s %u", kind, lines[at]);
    json_object_set_new(seen, key, json_true());
}
static void add_record(struct class_lab *l, const struct class_unit *u) {
    size_t k, n;
    json_t *test, *f, *seen = json_object();
    unsigned line_count = 0;
    unsigned *lines = l->skeleton && u->text ? skeleton_lines(l->skeleton, u->text, &line_count) : NULL;
    json_array_foreach(json_object_get(u->record, "tests"), k, test) {
        count_test(l, k, test);
        json_array_foreach(json_object_get(test, "findings"), n, f) count_finding(l, f, lines, line_count, seen);
    }
    free(lines);
    json_decref(seen);
}
/* Returns why the submission loses points, or NULL: a build error, an unfinished TODO, its most severe error or,
 * without errors, the first failed check. */
static json_t *cause_of(const struct class_unit *u) {
    const json_t *grave = NULL, *failed = NULL;
    const enum grade_end end = grade_end_of(u->record);
    size_t k, n;
    json_t *test, *f;
    if (end == END_BUILD) return json_string("build error");
    if (end == END_FULL) return NULL;
    if (!json_integer_value(json_object_get(u->record, "score")) && strstr(text_of(u->record, "advice"), "TODO "))
        return json_string("unfinished TODO");
    json_array_foreach(json_object_get(u->record, "tests"), k, test) {
        const enum check_status status = check_status_of(test);
        if (!failed && status != STATUS_PASS && status != STATUS_SKIPPED) failed = test;
        json_array_foreach(json_object_get(test, "findings"), n, f) {
            const json_int_t rank = json_integer_value(json_object_get(f, "rank"));
            const bool error = !strcmp(text_of(f, "severity"), finding_severity_word(FINDING_ERROR));
            if (error && (!grave || rank < json_integer_value(json_object_get(grave, "rank")))) grave = f;
        }
    }
    const char *title = text_of(grave ? grave : failed, "title");
    const int length = (int)strcspn(title, ":");
    return !length ? NULL : json_sprintf(grave ? "%.*s" : "the check \"%.*s\"", length, title);
}
static void add_cause(struct class_lab *l, struct class_unit *u) {
    const char *cause = json_string_value(u->cause = cause_of(u));
    json_t *group = cause ? json_object_get(l->causes, cause) : NULL;
    if (!cause) return;
    if (!group)
        json_object_set_new(l->causes, cause,
                            group = json_pack("{s:s, s:i, s:i}", "cause", cause, "students", 0, "points", 0));
    count(group, "students", 1);
    count(group, "points", json_integer_value(json_object_get(u->record, "score")));
}
/* Counts a submission with less than full credit if the grader searched for a fix, and also the edit that it found,
 * unless errors or wrong cases remain after the edit. Edits are grouped by cause, and the first edit of each cause is
 * the example. */
static void add_fix(struct class_lab *l, const struct class_unit *u) {
    const json_t *fix = json_object_get(u->record, "fix_found");
    const char *cause = text_of(fix, "cause");
    if (!fix || grade_end_of(u->record) == END_FULL) return;
    l->searched++;
    if (!*cause || json_integer_value(json_object_get(fix, "left")) > 0) return;
    json_t *group = json_object_get(l->fixes, cause), *diff = json_object_get(fix, "diff");
    l->mended++;
    if (!group)
        json_object_set_new(l->fixes, cause,
                            group = json_pack("{s:s, s:s, s:i, s:O?}", "cause", cause, "idea", text_of(fix, "idea"),
                                              "students", 0, "diff", diff));
    count(group, "students", 1);
}

/* ---- what needs the instructor's attention --------------------------------------------------- */
static void attend_words(struct class_lab *l, enum attention what, const struct class_unit *u, const char *text) {
    json_t *words = own_words(u->record, text);
    attend(l->attention, what, l->lab->lab.id, json_array_get(u->students, 0), json_string_value(words));
    json_decref(words);
}
static void attend_record(struct class_lab *l, const struct class_unit *u) {
    size_t k, n;
    json_t *test, *f;
    bool stopped = false;
    if (grade_end_of(u->record) == END_BUILD) {
        json_t *advice = advice_of(u->record);
        attend_words(l, ATTENTION_BUILD, u, json_string_value(advice));
        json_decref(advice);
    }
    json_array_foreach(json_object_get(u->record, "tests"), k, test) {
        if (check_status_of(test) == STATUS_ERROR && !stopped)
            attend_words(l, ATTENTION_STOPPED, u, text_of(test, "message")), stopped = true;
        json_array_foreach(json_object_get(test, "findings"), n, f) {
            const struct finding_kind *kind = catalog_finding(text_of(f, "kind"));
            if (!kind || !kind->runs_out || stopped) continue;
            attend_words(l, ATTENTION_STOPPED, u, text_of(f, "message"));
            stopped = true;
        }
    }
}
void class_lab_add(struct class_lab *l, struct class_unit *u) {
    const json_t *who = json_array_get(u->students, 0);
    const char *id = l->lab->lab.id;
    size_t k;
    json_t *note;
    count(json_object_get(l->out, "ends"), class_mark_word(class_mark_of(u)), 1);
    const size_t notes = json_array_size(json_object_get(u->entry, "notes"));
    json_array_foreach(json_object_get(u->entry, "notes"), k, note) if (k < MAX_NOTES || k + 1 == notes) attend(
        l->attention, json_is_true(json_object_get(u->entry, "refused")) ? ATTENTION_REFUSED : ATTENTION_LEFT_OUT, id,
        who, json_string_value(note));
    if (json_is_true(json_object_get(u->entry, "refused"))) {
        if (!json_array_size(json_object_get(u->entry, "notes")))
            attend(l->attention, ATTENTION_REFUSED, id, who, "no .cu file");
        return;
    }
    if (*text_of(u->entry, "named")) attend(l->attention, ATTENTION_NAMED, id, who, text_of(u->entry, "named"));
    alike_add(l, u);
    if (!u->record) {
        char text[600];
        snprintf(text, sizeof text, "%.80s%s%.400s", text_of(u->fault, "how"), u->fault ? ": " : "not yet",
                 text_of(u->fault, "message"));
        attend(l->attention, u->fault ? ATTENTION_SETUP : ATTENTION_UNGRADED, id, who, u->fault ? text : "");
        return;
    }
    add_cause(l, u);
    add_fix(l, u);
    add_record(l, u);
    attend_record(l, u);
}

/* ---- the end --------------------------------------------------------------------------------- */
/* Sorts by the number of students in descending order, then by line, then by name. */
static int more_first(const void *a, const void *b) {
    const json_t *x = *(json_t *const *)a, *y = *(json_t *const *)b;
    const json_int_t n = json_integer_value(json_object_get(x, "students")),
                     m = json_integer_value(json_object_get(y, "students"));
    if (n != m) return n > m ? -1 : 1;
    const int line =
        (int)(json_integer_value(json_object_get(x, "line")) - json_integer_value(json_object_get(y, "line")));
    return line ? line
                : strcmp(text_of(x, "kind"), text_of(y, "kind")) + strcmp(text_of(x, "case"), text_of(y, "case")) +
                      strcmp(text_of(x, "cause"), text_of(y, "cause"));
}
static json_t *ordered(json_t *items) {
    const size_t n = json_array_size(items);
    json_t **all = calloc(n + 1, sizeof *all), *out = json_array();
    for (size_t k = 0; all && k < n; k++) all[k] = json_array_get(items, k);
    if (all) qsort(all, n, sizeof *all, more_first);
    for (size_t k = 0; all && k < n; k++) json_array_append(out, all[k]);
    free(all);
    json_decref(items);
    return out;
}
static json_t *line_json(const char *skeleton, unsigned line, json_int_t students) {
    char text[160];
    for (unsigned k = 1; k < line && *skeleton; k++) skeleton += strcspn(skeleton, "\n"), skeleton += *skeleton == '\n';
    while (*skeleton == ' ' || *skeleton == '\t') skeleton++;
    snprintf(text, sizeof text, "%.*s", (int)strcspn(skeleton, "\r\n"), skeleton);
    return json_pack("{s:i, s:o, s:I}", "line", (int)line, "text", text_json(text), "students", students);
}
json_t *class_lab_end(struct class_lab *l) {
    const char *key, *line;
    json_t *value, *n, *findings = json_array(), *cases = json_array(), *causes = json_array();
    alike_end(l);
    json_object_foreach(l->kinds, key, value) {
        json_t *lines = json_array();
        json_object_foreach(json_object_get(value, "lines"), line, n)
            json_array_append_new(lines, line_json(l->skeleton, (unsigned)atoi(line), json_integer_value(n)));
        json_object_set_new(value, "lines", ordered(lines));
        json_array_append(findings, value);
    }
    json_object_foreach(l->cases, key, n)
        json_array_append_new(cases, json_pack("{s:s, s:O}", "case", key, "students", n));
    json_object_foreach(l->causes, key, value) json_array_append(causes, value);
    json_object_set_new(l->out, "causes", ordered(causes));
    json_t *fixes = json_array();
    json_object_foreach(l->fixes, key, value) json_array_append(fixes, value);
    if (l->searched)
        json_object_set_new(l->out, "fixes",
                            json_pack("{s:i, s:i, s:o}", "searched", (int)l->searched, "mended", (int)l->mended,
                                      "edits", ordered(fixes)));
    else
        json_decref(fixes);
    json_object_set_new(l->out, "findings", ordered(findings));
    json_object_set_new(l->out, "cases", ordered(cases));
    json_object_set(l->out, "tests", l->tests);
    json_t *const values[] = {l->cases, l->kinds, l->causes, l->fixes, l->tests};
    for (unsigned k = 0; k < sizeof values / sizeof *values; k++) json_decref(values[k]);
    free(l->skeleton);
    free(l->solution);
    return l->out;
}

/* ---- final points ------------------------------------------------------------------------------ */
static int by_number(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
void class_lab_points(json_t *lab, const json_t *marks) {
    int *points = calloc(json_object_size(marks) + 1, sizeof *points), bins[BINS + 1] = {0};
    size_t n = 0;
    double sum = 0;
    const char *folder;
    json_t *labs, *scores = json_array();
    json_object_foreach((json_t *)marks, folder, labs) {
        const json_t *mark = json_object_get(labs, text_of(lab, "id")), *score = json_object_get(mark, "score");
        const int now = (int)json_integer_value(score), of = (int)json_integer_value(json_object_get(mark, "max"));
        if (!score || !points) continue;
        sum += points[n++] = now;
        bins[of > 0 && now >= 0 && now <= of ? now * BINS / of : 0]++;
    }
    if (points) qsort(points, n, sizeof *points, by_number);
    for (unsigned k = 0; k <= BINS; k++) json_array_append_new(scores, json_integer(bins[k]));
    json_object_set_new(lab, "scores", scores);
    json_object_set_new(lab, "mean", json_real(n ? sum / (double)n : 0));
    json_object_set_new(lab, "median", json_real(points && n ? (points[n / 2] + points[(n - 1) / 2]) / 2.0 : 0));
    free(points);
}
