/* See course.h. */
#include "course/course.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- values as read --------------------------------------------------------------------------- */
enum {
    SET_WEIGHT,
    SET_DEADLINE,
    SET_PENALTY,
    SET_PENALTY_CAP,
    SET_GRACE,
    SET_ATTEMPTS,
    SET_PASS,
    SET_SPEED_FULL,
    SET_SPEED_NONE,
    SET_SPEED_BY,
    SET_ARCH,
    SET_ASM,
    SET_HINTS,
    SET_COLUMN,
    SET_MARK, /* first of LAB_MARKS settings, one for each mark */
    SETTINGS = SET_MARK + LAB_MARKS,
    MAX_LINE = 1000,
    MAX_VALUE = sizeof((struct course_lab *)0)->column,
    LONGEST_NUMBER = 20, /* size of a short value, such as a date */
    MAX_CHECK_LINES = 600
};
/* A line `points.CHECK = N` or `visible.CHECK = WORD`, for one lab or for all labs. */
enum of_check { CHECK_POINTS, CHECK_VISIBLE, CHECK_SETTINGS };
static const char *const check_settings[CHECK_SETTINGS] = {"points", "visible"};
struct check_line {
    enum of_check what;
    int lab; /* index of the lab, or -1 for all labs */
    char check[40];
    unsigned number, line;
};
/* A value and its line in the file. */
struct given {
    char text[MAX_VALUE];
    double number;
    unsigned line; /* 0 if not set */
};
struct reader {
    const char *path;
    unsigned line, title_line, labs_line, slip_line, check_count;
    struct check_line checks[MAX_CHECK_LINES];
    struct course *course;
    struct given values[1 + COURSE_MAX_LABS][SETTINGS]; /* row 0: for all labs; then a row per lab */
    char *message;
    size_t size;
};
static bool course_wrong(struct reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool course_wrong(struct reader *r, const char *format, ...) {
    char what[500];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    char where[16] = "";
    if (r->line) snprintf(where, sizeof where, ":%u", r->line); /* a fault of the whole file has no line */
    snprintf(r->message, r->size, "%s%s: %s", r->path, where, what);
    return false;
}

/* ---- values --------------------------------------------------------------------------------- */
static bool number_within(const char *text, double least, double most, double *out) {
    char *end;
    if (!isdigit((unsigned char)*text) && *text != '.') return false;
    *out = strtod(text, &end);
    return end != text && !*end && isfinite(*out) && *out >= least && *out <= most &&
           strspn(text, "0123456789.") == strlen(text);
}
/* Parses a date and time. Rejects dates that do not exist, such as 2027-02-30. */
static bool date(const char *text, double least, double most, double *out) {
    time_t when;
    (void)least, (void)most;
    return deadline_read(text, &when) && (*out = (double)when, true);
}
static bool penalty_taken(const char *text, double least, double most, double *out) {
    struct deadline_rules rules;
    (void)least, (void)most;
    return deadline_read_penalty(text, &rules) && (*out = rules.penalty, true);
}
static bool whole_number(const char *text, double least, double most, double *out) {
    return number_within(text, least, most, out) && !strchr(text, '.');
}
/* Parses "measured" as 1 and "modeled" as 0. */
static bool time_taken(const char *text, double least, double most, double *out) {
    (void)least, (void)most;
    *out = !strcmp(text, "measured");
    return *out == 1 || !strcmp(text, "modeled");
}
/* Parses the word for a value of enum assembly. */
static bool assembly_taken(const char *text, double least, double most, double *out) {
    static const char *const words[] = {[ASSEMBLY_SOME] = "single", [ASSEMBLY_NO] = "no", [ASSEMBLY_YES] = "yes"};
    (void)least, (void)most;
    for (unsigned k = 0; k < sizeof words / sizeof *words; k++)
        if (!strcmp(text, words[k])) return *out = k, true;
    return false;
}
static bool attempts_taken(const char *text, double least, double most, double *out) {
    (void)least, (void)most;
    *out = !strcmp(text, "best") ? ATTEMPTS_BEST : ATTEMPTS_LAST;
    return *out == ATTEMPTS_BEST || !strcmp(text, "last");
}
static bool level_taken(const char *text, double least, double most, double *out) {
    return number_within(text, least, most, out) && !text[1];
}
static bool text_taken(const char *text, double least, double most, double *out) {
    (void)least, (void)most;
    json_t *valid = json_string(text);
    json_decref(valid);
    return *out = 0, valid;
}
static const struct setting {
    const char *name;
    bool (*take)(const char *text, double least, double most, double *out);
    double least, most;
    const char *remedy;
} settings[SETTINGS] = {
    [SET_WEIGHT] = {"weight", number_within, 0, 1000, "a number from 0 to 1000, such as 1.5"},
    [SET_DEADLINE] = {"deadline", date, 0, 0, "a date and a time, such as 2027-02-19 18:00"},
    [SET_PENALTY] = {"penalty", penalty_taken, 0, 0,
                     "points from 0 to 100 per day or hour, or part of one, such as 10/day or 2/hour"},
    [SET_PENALTY_CAP] = {"penalty_cap", whole_number, 0, 100, "a whole number of points from 0 to 100"},
    [SET_GRACE] = {"grace", whole_number, 0, 10080, "a whole number of minutes from 0 to 10080, which is a week"},
    [SET_ATTEMPTS] = {"attempts", attempts_taken, 0, 0, "best or last"},
    [SET_PASS] = {"pass", whole_number, 0, 100, "a whole number of points from 0 to 100"},
    [SET_SPEED_FULL] = {"speed_full", number_within, 0.01, 1000, "a ratio from 0.01 to 1000, such as 1.1"},
    [SET_SPEED_NONE] = {"speed_none", number_within, 0.01, 1000, "a ratio from 0.01 to 1000, such as 2"},
    [SET_ARCH] = {"arch", whole_number, 75, 90, "a compute capability from 75 to 90, such as 80 for 8.0"},
    [SET_ASM] = {"asm", assembly_taken, 0, 0, "no, yes or single (single instructions)"},
    [SET_HINTS] = {"hints", level_taken, 0, 3, "0, 1, 2 or 3"},
    [SET_COLUMN] = {"column", text_taken, 0, 0, "a title of at most 99 bytes in UTF-8, or a number"},
    [SET_SPEED_BY] = {"speed_by", time_taken, 0, 0, "modeled or measured"},
    [SET_MARK + MARK_WORK] = {"work", number_within, 0, 0.9, "a share from 0 to 0.9, such as 0.6"},
    [SET_MARK + MARK_WRONG] = {"wrong", number_within, 0, 0.95, "a share from 0 to 0.95, such as 0.6"},
    [SET_MARK + MARK_TECHNIQUE] = {"technique", number_within, 0, 0.95, "a share from 0 to 0.95, such as 0.6"},
    [SET_MARK +
        MARK_WAITING_FULL] = {"waiting_full", number_within, 0.01, 1000, "a ratio from 0.01 to 1000, such as 1.5"},
    [SET_MARK +
        MARK_WAITING_NONE] = {"waiting_none", number_within, 0.01, 1000, "a ratio from 0.01 to 1000, such as 3"},
    [SET_MARK + MARK_SECTORS] = {"sectors", number_within, 1, 1000, "a ratio from 1 to 1000, such as 1.1"},
    [SET_MARK + MARK_WARPS] = {"warps", number_within, 1, 1000, "a ratio from 1 to 1000, such as 2.5"},
    [SET_MARK + MARK_UNSEALED] = {"unsealed", number_within, 0, 1, "a share from 0 to 1, such as 0.5"},
};

/* ---- lines ---------------------------------------------------------------------------------- */
static int lab_index(const char *id, size_t length) {
    for (unsigned k = 0; k < lab_row_count && k < COURSE_MAX_LABS; k++)
        if (strlen(lab_rows[k]->id) == length && !memcmp(lab_rows[k]->id, id, length)) return (int)k;
    return -1;
}
static bool title(struct reader *r, const char *value) {
    if (r->title_line)
        return course_wrong(r, "`title` is already set on line %u: keep one of the two lines", r->title_line);
    if (strlen(value) >= sizeof r->course->title)
        return course_wrong(r, "the title is longer than %zu bytes: shorten it", sizeof r->course->title - 1);
    json_t *text = json_string(value);
    json_decref(text);
    if (!text) return course_wrong(r, "the title is not UTF-8: save the file as UTF-8");
    r->title_line = r->line;
    strcpy(r->course->title, value);
    return true;
}
static bool slip_days(struct reader *r, const char *value) {
    double days;
    if (r->slip_line)
        return course_wrong(r, "`slip_days` is already set on line %u: keep one of the two lines", r->slip_line);
    if (!whole_number(value, 0, 365, &days))
        return course_wrong(r, "`slip_days` must be a whole number of days from 0 to 365, not `%.60s`", value);
    r->slip_line = r->line;
    r->course->slip_days = (unsigned)days;
    return true;
}
static bool list_of_labs(struct reader *r, const char *value) {
    if (r->labs_line)
        return course_wrong(r, "`labs` is already set on line %u: keep one of the two lines", r->labs_line);
    r->labs_line = r->line;
    for (const char *s = value; *s;) {
        const size_t n = strcspn(s, " \t,");
        const int k = lab_index(s, n);
        if (k < 0)
            return course_wrong(r, "there is no lab `%.*s`: `./grade --list` lists all labs once this line is removed",
                                (int)(n > 40 ? 40 : n), s);
        if (course_find(r->course, lab_rows[k]->id))
            return course_wrong(r, "`%s` is named twice: remove one", lab_rows[k]->id);
        r->course->labs[r->course->count++].lab = *lab_rows[k];
        s += n;
        s += strspn(s, " \t,");
    }
    return r->course->count
               ? true
               : course_wrong(
                     r, "no lab is named: write names, such as lab1 lab2, or leave out `labs` to include all labs");
}
/* ---- points --------------------------------------------------------------------------------- */
static bool has_check(const struct lab *lab, const char *id) {
    for (unsigned k = 0; k < lab->check_count; k++)
        if (!strcmp(lab->checks[k].id, id)) return true;
    return false;
}
static bool some_lab_has_check(int lab, const char *id) {
    for (int k = 0; k < (int)lab_row_count; k++)
        if ((lab < 0 || lab == k) && has_check(lab_rows[k], id)) return true;
    return false;
}
/* Reports an unknown check, and lists the checks of the lab, or of the first lab for a line about all labs. */
static bool no_such_check(struct reader *r, int lab, const char *check) {
    const struct lab *shown = lab_rows[lab < 0 ? 0 : lab];
    char ids[300] = "";
    for (unsigned k = 0; k < shown->check_count; k++)
        snprintf(ids + strlen(ids), sizeof ids - strlen(ids), "%s%s", k ? ", " : "", shown->checks[k].id);
    return course_wrong(r,
                        lab < 0 ? "no lab has a check `%.40s`: the checks of %s are %s"
                                : "there is no check `%.40s`: the checks of %s are %s",
                        check, shown->id, ids);
}
static bool check_value(struct reader *r, enum of_check what, const char *name, const char *value, unsigned *out) {
    double number;
    if (what == CHECK_VISIBLE) {
        *out = visibility_of_word(!strcmp(value, "yes") ? "visible" : !strcmp(value, "no") ? "hidden" : value);
        return *out < VISIBILITIES ||
               course_wrong(r, "`%s` must be yes, no, after_due_date or after_published, not `%.60s`", name, value);
    }
    if (!number_within(value, 0, COURSE_POINTS, &number) || number != (unsigned)number)
        return course_wrong(r, "`%s` must be a whole number from 0 to %d, not `%.60s`", name, COURSE_POINTS, value);
    return *out = (unsigned)number, true;
}
/* Applies the line `name = value` to a check of the lab (-1: of every lab that has the check). */
static bool of_check(struct reader *r, enum of_check what, int lab, const char *check, const char *name,
                     const char *value) {
    unsigned number = 0;
    if (!some_lab_has_check(lab, check)) return no_such_check(r, lab, check);
    if (!check_value(r, what, name, value, &number)) return false;
    for (unsigned k = 0; k < r->check_count; k++)
        if (r->checks[k].what == what && r->checks[k].lab == lab && !strcmp(r->checks[k].check, check))
            return course_wrong(r, "`%s` is already set on line %u: keep one of the two lines", name,
                                r->checks[k].line);
    if (r->check_count == MAX_CHECK_LINES)
        return course_wrong(r, "more than %d lines set the points or the visibility of checks", MAX_CHECK_LINES);
    struct check_line *p = &r->checks[r->check_count++];
    *p = (struct check_line){.what = what, .lab = lab, .number = number, .line = r->line};
    snprintf(p->check, sizeof p->check, "%s", check);
    return true;
}
/* Returns the line that sets the check's value for the lab or, failing that, for all labs. Returns NULL if there is no
 * such line. */
static const struct check_line *check_line(const struct reader *r, enum of_check what, int lab, const char *check) {
    const struct check_line *all = NULL;
    for (unsigned k = 0; k < r->check_count; k++) {
        const struct check_line *p = &r->checks[k];
        if (p->what != what || strcmp(p->check, check)) continue;
        if (p->lab == lab) return p;
        if (p->lab < 0) all = p;
    }
    return all;
}
static bool settle_points(struct reader *r, struct course_lab *c) {
    const int row = lab_index(c->lab.id, strlen(c->lab.id));
    unsigned sum = 0;
    r->line = 0;
    for (unsigned k = 0; k < c->lab.check_count && k < COURSE_MAX_CHECKS; k++) {
        const struct check_line *p = check_line(r, CHECK_POINTS, row, c->lab.checks[k].id),
                                *shown = check_line(r, CHECK_VISIBLE, row, c->lab.checks[k].id);
        c->checks[k] = c->lab.checks[k];
        if (shown) c->checks[k].visibility = shown->number;
        if (p) c->checks[k].points = p->number;
        if (p && p->line > r->line) r->line = p->line;
        sum += c->checks[k].points;
    }
    c->lab.checks = c->checks;
    if (!r->line || sum == COURSE_POINTS) return true;
    return course_wrong(r, "the points of %s's checks sum to %u, but must sum to %d", c->lab.id, sum, COURSE_POINTS);
}

/* ---- settings ------------------------------------------------------------------------------- */
/* Returns CHECK of a name "points.CHECK" or "visible.CHECK", and sets *what. Returns NULL for any other name. */
static const char *check_of(const char *name, enum of_check *what) {
    for (unsigned k = 0; k < CHECK_SETTINGS; k++) {
        const size_t n = strlen(check_settings[k]);
        if (!strncmp(name, check_settings[k], n) && name[n] == '.') return *what = k, name + n + 1;
    }
    return NULL;
}
static bool of_labs(struct reader *r, const char *name, const char *value) {
    enum of_check what;
    const char *dot = strchr(name, '.'), *check = check_of(name, &what);
    if (check) return of_check(r, what, -1, check, name, value);
    const int lab = dot ? lab_index(name, (size_t)(dot - name)) : -1;
    if (dot && lab < 0)
        return course_wrong(r, "there is no lab `%.*s`: write a lab's setting as in lab3.weight",
                            (int)(dot - name > 40 ? 40 : dot - name), name);
    const char *own = dot ? dot + 1 : name;
    if ((check = check_of(own, &what))) return of_check(r, what, lab, check, name, value);
    for (unsigned k = 0; k < SETTINGS; k++) {
        struct given *v = &r->values[lab + 1][k];
        if (strcmp(settings[k].name, own)) continue;
        if (lab < 0 && k == SET_COLUMN)
            return course_wrong(r, "`column` is a setting of one lab: write `%s.column = %.60s`", lab_rows[0]->id,
                                value);
        if (v->line) return course_wrong(r, "`%s` is already set on line %u: keep one of the two lines", name, v->line);
        if (!settings[k].take(value, settings[k].least, settings[k].most, &v->number) ||
            strlen(value) >= (k == SET_COLUMN ? MAX_VALUE : LONGEST_NUMBER))
            return course_wrong(r, "`%s` must be %s, not `%.60s`", name, settings[k].remedy, value);
        strcpy(v->text, value);
        v->line = r->line;
        return true;
    }
    if (!strcmp(own, "title") || !strcmp(own, "labs") || !strcmp(own, "slip_days"))
        return course_wrong(r, "`%s` is a setting of the whole course: write it without `%.*s.`", own,
                            (int)(dot - name), name);
    return course_wrong(
        r,
        "there is no setting `%.60s`; the settings are title, labs, slip_days, weight, deadline, penalty, penalty_cap, "
        "grace, attempts, pass, points.CHECK, visible.CHECK, column, hints, speed_full, speed_none, speed_by, arch, "
        "asm, work, wrong, "
        "technique, waiting_full, waiting_none, sectors, warps and unsealed",
        name);
}
/* Trims leading and trailing whitespace in place. */
static char *trim(char *s) {
    while (isspace((unsigned char)*s)) s++;
    for (size_t n = strlen(s); n && isspace((unsigned char)s[n - 1]);) s[--n] = 0;
    return s;
}
static bool one_line(struct reader *r, char *line, size_t length) {
    if (memchr(line, 0, length)) return course_wrong(r, "the line contains a NUL byte, so this is not a text file");
    if (length > MAX_LINE) return course_wrong(r, "the line is longer than %d bytes: shorten it", MAX_LINE);
    for (size_t k = 0; k < length; k++)
        if (((unsigned char)line[k] < ' ' && !isspace((unsigned char)line[k])) || line[k] == 127)
            return course_wrong(r, "the line contains a control character: remove it");
    line[strcspn(line, "#")] = 0;
    char *name = trim(line), *equals = strchr(name, '=');
    if (!*name) return true;
    if (!equals)
        return course_wrong(r, "no `=` in `%.60s`: a setting has the form `name = value`, and a comment starts with #",
                            name);
    *equals = 0;
    const char *value = trim(equals + 1);
    name = trim(name);
    if (!*value) return course_wrong(r, "`%.60s` has no value: give it one, or put # before the line", name);
    if (!strcmp(name, "title")) return title(r, value);
    if (!strcmp(name, "slip_days")) return slip_days(r, value);
    return !strcmp(name, "labs") ? list_of_labs(r, value) : of_labs(r, name, value);
}

/* ---- all together --------------------------------------------------------------------------- */
/* Returns the value set for the lab or, failing that, the value set for all labs. Returns NULL if neither is set. */
static const struct given *value_of(struct reader *r, unsigned row, unsigned setting) {
    struct given *own = &r->values[row + 1][setting], *all = &r->values[0][setting];
    return own->line ? own : all->line ? all : NULL;
}
static bool settle_marks(struct reader *r, unsigned row, struct course_lab *c) {
    r->line = 0;
    for (unsigned k = 0; k < LAB_MARKS; k++) {
        const struct given *v = value_of(r, row, SET_MARK + k);
        c->marks[k] = v ? v->number : lab_mark(&c->lab, k);
        if (v && (k == MARK_WAITING_FULL || k == MARK_WAITING_NONE)) r->line = v->line;
    }
    c->lab.marks = c->marks;
    const double full = c->marks[MARK_WAITING_FULL], none = c->marks[MARK_WAITING_NONE];
    if (full < none) return true;
    return course_wrong(r, "%s: waiting_full (%g) must be smaller than waiting_none (%g)", c->lab.id, full, none);
}
/* Rejects a lab's own rules for late submissions if the lab has no deadline, because they would have no effect. */
static bool settle_deadline(struct reader *r, unsigned row, const struct course_lab *c) {
    static const unsigned rules[] = {SET_PENALTY, SET_PENALTY_CAP, SET_GRACE};
    for (unsigned k = 0; k < sizeof rules / sizeof *rules && !c->deadline[0]; k++) {
        r->line = r->values[row + 1][rules[k]].line;
        if (r->line)
            return course_wrong(r, "`%s.%s` has no effect without a deadline: set `%s.deadline`, or remove this line",
                                c->lab.id, settings[rules[k]].name, c->lab.id);
    }
    return true;
}
static bool settle_lab(struct reader *r, struct course_lab *c) {
    const unsigned row = (unsigned)lab_index(c->lab.id, strlen(c->lab.id));
    const struct given *v;
    r->line = 0;
    c->weight = (v = value_of(r, row, SET_WEIGHT)) ? v->number : 1;
    c->pass = (v = value_of(r, row, SET_PASS)) ? (unsigned)v->number : 50;
    c->hints = (v = value_of(r, row, SET_HINTS)) ? (unsigned)v->number : 1;
    if ((v = value_of(r, row, SET_COLUMN))) snprintf(c->column, sizeof c->column, "%s", v->text);
    if ((v = value_of(r, row, SET_DEADLINE))) snprintf(c->deadline, sizeof c->deadline, "%.19s", v->text);
    c->late.penalty_cap = (v = value_of(r, row, SET_PENALTY_CAP)) ? (unsigned)v->number : COURSE_POINTS;
    c->late.grace = (v = value_of(r, row, SET_GRACE)) ? (unsigned)v->number : 0;
    if ((v = value_of(r, row, SET_ATTEMPTS))) c->attempts = (enum attempts)v->number, c->attempts_set = true;
    c->late.unit = DEADLINE_DAY;
    c->late.slip_days = r->course->slip_days;
    if ((v = value_of(r, row, SET_PENALTY))) deadline_read_penalty(v->text, &c->late);
    if (!settle_deadline(r, row, c)) return false;
    r->line = 0;
    if ((v = value_of(r, row, SET_ARCH))) c->lab.arch = (unsigned)v->number;
    if ((v = value_of(r, row, SET_ASM))) c->lab.assembly = (enum assembly)v->number;
    if ((v = value_of(r, row, SET_SPEED_BY))) c->lab.speed_measured = v->number == 1;
    if ((v = value_of(r, row, SET_SPEED_FULL))) c->lab.speed_full = v->number, r->line = v->line;
    if ((v = value_of(r, row, SET_SPEED_NONE))) c->lab.speed_none = v->number, r->line = v->line;
    if (r->line && c->lab.speed_full >= c->lab.speed_none)
        return course_wrong(r, "%s: speed_full (%g) must be smaller than speed_none (%g)", c->lab.id, c->lab.speed_full,
                            c->lab.speed_none);
    return settle_marks(r, row, c) && settle_points(r, c);
}
/* Rejects a column of an LMS export that two labs name, because the second lab's points would replace those
 * of the first. */
static bool settle_columns(struct reader *r) {
    for (unsigned k = 0; k < COURSE_MAX_LABS && k < lab_row_count; k++)
        for (unsigned n = 0; n < k; n++) {
            const struct given *a = &r->values[n + 1][SET_COLUMN], *b = &r->values[k + 1][SET_COLUMN];
            if (!a->line || !b->line || strcmp(a->text, b->text) != 0) continue;
            r->line = a->line > b->line ? a->line : b->line;
            return course_wrong(r, "`%s.column` and `%s.column` name the same column: correct one of them",
                                lab_rows[n]->id, lab_rows[k]->id);
        }
    return true;
}
static bool read_lines(struct reader *r, FILE *f) {
    char *line = NULL;
    size_t room = 0;
    bool ok = true;
    for (ssize_t n; ok && (n = getline(&line, &room, f)) >= 0;) {
        const size_t mark = !r->line++ && !strncmp(line, "\xef\xbb\xbf", 3) ? 3 : 0; /* byte order mark */
        ok = one_line(r, line + mark, (size_t)n - mark);
    }
    free(line);
    if (ok && ferror(f)) ok = course_wrong(r, "cannot be read: %s", strerror(errno));
    return ok;
}
bool course_read(const char *path, struct course *out, char *message, size_t size) {
    struct reader r = {.path = path, .course = out, .message = message, .size = size};
    struct stat s;
    *out = (struct course){0};
    FILE *f = fopen(path, "re");
    if (!f && errno != ENOENT) return snprintf(message, size, "%s: cannot be read: %s", path, strerror(errno)), false;
    bool ok = true;
    if (f && (fstat(fileno(f), &s) || !S_ISREG(s.st_mode) || s.st_size > 1 << 20))
        ok = course_wrong(&r, "is not a regular file, or is larger than 1 MiB: replace or remove it");
    ok = ok && (!f || read_lines(&r, f));
    if (f) fclose(f);
    for (unsigned k = 0; ok && !r.labs_line && k < lab_row_count && k < COURSE_MAX_LABS; k++)
        out->labs[out->count++].lab = *lab_rows[k];
    for (unsigned k = 0; ok && k < out->count; k++) ok = settle_lab(&r, &out->labs[k]);
    ok = ok && settle_columns(&r);
    return ok;
}
bool course_deadlines_exist(const struct course *course, char *message, size_t size) {
    for (unsigned k = 0; k < course->count; k++)
        if (deadline_is_skipped(course->labs[k].deadline))
            return snprintf(message, size, "labs/course.conf: %s: " DEADLINE_SKIPPED, course->labs[k].lab.id,
                            course->labs[k].deadline),
                   false;
    return true;
}
const struct course_lab *course_find(const struct course *course, const char *id) {
    for (unsigned k = 0; k < course->count; k++)
        if (!strcmp(course->labs[k].lab.id, id) || !strcmp(course->labs[k].lab.name, id)) return &course->labs[k];
    return NULL;
}
json_t *course_rules(const struct course_lab *c) {
    json_t *rules = json_object();
    char late[160];
    if (c->deadline[0]) json_object_set_new(rules, "deadline", json_string(c->deadline));
    if (c->deadline[0] && deadline_rules_text(&c->late, late, sizeof late)[0])
        json_object_set_new(rules, "late", json_string(late));
    if (c->attempts_set)
        json_object_set_new(rules, "attempts",
                            json_string(c->attempts == ATTEMPTS_BEST ? "the best of your attempts counts"
                                                                     : "the last of your attempts counts"));
    return rules;
}
