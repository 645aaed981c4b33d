/* Fills points into tables exported from an LMS. Leaves the cells that describe students unchanged, and omits Canvas's
 * and Blackboard's columns for other assignments. The servers recognize students and assignments as follows:
 *
 *   Canvas      see GradebookImporter in its public source. Columns up to "Section" describe the student; ID identifies
 *               the student. A column "TITLE (NUMBER)" is the assignment with that number; any other column is for
 *               the assignment with that title, or for a new assignment. The row "Points Possible" sets the
 *               assignment's points. An empty cell deletes a grade, and EX excuses the student.
 *   Moodle      see mod/assign/feedback/offline in its public source. The table needs the columns Identifier, Grade and
 *               "Last modified (grade)". The number at the end of Identifier identifies the student. Comments are
 *               HTML.
 *   Blackboard  see its help on working offline with grade data. Username identifies the student, and the column
 *               "TITLE [Total Pts: N ...] |ID" is the column with that ID. */
#include "base/file.h"
#include "class/facts.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <iconv.h>
#include <math.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_COLUMNS = CSV_MAX_COLUMNS, MAX_TABLE = 64 << 20, LONGEST_TITLE = 300, NO_COLUMN = -1 };

/* ---- the known tables ------------------------------------------------------------------- */
static const struct form {
    const char *name, *server;
    const char *must[4];     /* columns that identify the table's format */
    const char *student[11]; /* a student's columns to write back; if empty, all columns */
    const char *who;         /* column that identifies a student */
    const char *title;       /* regular expression for a lab's header */
    unsigned title_group, most_group, number_group;
    bool one_lab; /* whether the table covers a single assignment */
} forms[] = {
    {.name = "canvas",
     .server = "Canvas",
     .must = {"Student", "ID", "Section"},
     .student = {"Student", "LastName", "FirstName", "ID", "SIS User ID", "SIS Login ID", "Integration ID",
                 "Root Account", "Section"},
     .who = "ID",
     .title = "^(.*) \\(([0-9]+)\\)$",
     .title_group = 1,
     .number_group = 2},
    {.name = "moodle",
     .server = "Moodle",
     .must = {"Identifier", "Grade", "Last modified (grade)"},
     .who = "Identifier",
     .one_lab = true},
    {.name = "blackboard",
     .server = "Blackboard",
     .must = {"Last Name", "First Name", "Username"},
     .student = {"Last Name", "First Name", "Username", "Student ID", "Last Access", "Availability"},
     .who = "Username",
     .title = "^(.*) \\[[^]0-9]*([0-9.]+)[^]]*\\] *\\|([0-9]+)$",
     .title_group = 1,
     .most_group = 2,
     .number_group = 3},
};
enum { FORMS = sizeof forms / sizeof *forms };

/* ---- a table: its raw cells, including quotes -------------------------------------------------- */
struct cell {
    const char *text;
    size_t length;
};
struct table {
    const struct form *form;
    char *text;
    const char *at; /* start of the next line */
    const char *end_of_line;
    char separator;
    bool wide; /* whether the file was UTF-16LE with a byte order mark */
    struct cell cell[MAX_COLUMNS];
    unsigned count; /* number of cells in the current line */
};
/* Reads the cells of the next line. */
static bool next_line(struct table *t) {
    const char *s = t->at;
    bool quoted = false;
    t->count = 0;
    if (!*s) return false;
    for (const char *begin = s;; s++) {
        quoted ^= *s == '"';
        if (*s && (quoted || (*s != t->separator && *s != '\n'))) continue;
        const bool cut = s > begin && *s == '\n' && s[-1] == '\r';
        if (t->count < MAX_COLUMNS) t->cell[t->count++] = (struct cell){begin, (size_t)(s - begin) - cut};
        begin = s + 1;
        if (!*s || *s == '\n') break;
    }
    t->at = s + (*s == '\n');
    return true;
}
/* Copies the cell's text without its quotation marks. */
static void cell_words(const struct table *t, int k, char *out, size_t size) {
    size_t n = 0;
    bool quoted = false;
    out[0] = 0;
    if (k < 0 || k >= (int)t->count) return;
    const char *s = t->cell[k].text, *const end = s + t->cell[k].length;
    for (; s < end && n + 1 < size; s++) {
        if (*s == '"' && !(quoted && s + 1 < end && s[1] == '"')) {
            quoted = !quoted;
            continue;
        }
        s += *s == '"';
        out[n++] = *s;
    }
    out[n] = 0;
}
static int column_of(const struct table *t, const char *header) {
    char words[LONGEST_TITLE];
    for (unsigned k = 0; header && k < t->count; k++)
        if (cell_words(t, (int)k, words, sizeof words), !strcasecmp(words, header)) return (int)k;
    return NO_COLUMN;
}
/* Reads a file and its header, and finds its format. Returns false if the file cannot be read or has no known
 * format. */
static bool open_table(const char *path, struct table *t) {
    size_t length;
    *t = (struct table){0};
    if (!(t->text = file_read(path, 0, MAX_TABLE, &length))) return false;
    t->wide = length > 1 && (unsigned char)t->text[0] == 0xff;
    t->text = text_utf8(t->text, &length);
    char *at = t->text;
    unsigned line;
    if (!csv_begin(&at, length, &line)) return false;
    t->at = at;
    t->separator = csv_separator(t->at);
    t->end_of_line = strchr(t->at, '\r') ? "\r\n" : "\n";
    if (!next_line(t)) return false;
    for (unsigned k = 0; k < FORMS && !t->form; k++) {
        bool is = true;
        for (unsigned n = 0; forms[k].must[n]; n++) is &= column_of(t, forms[k].must[n]) != NO_COLUMN;
        if (is) t->form = &forms[k];
    }
    return t->form;
}

/* ---- kept at import ---------------------------------------------------------------------------- */
bool worksheet_keep(const char *path, const char *out, const char *lab, char *message, size_t size) {
    char to[PATH_MAX];
    struct table t;
    size_t length = 0;
    const bool is = open_table(path, &t);
    free(t.text);
    if (!is) return true;
    if (t.form->one_lab && !*lab)
        return snprintf(message, size, "%s: a worksheet of %s covers only one assignment: add LAB=lab3", path,
                        t.form->server),
               false;
    snprintf(to, sizeof to, "%s/worksheets/%s%s%s.csv", out, t.form->name, t.form->one_lab ? "-" : "",
             t.form->one_lab ? lab : "");
    char *data = file_read(path, 0, MAX_TABLE, &length);
    const bool ok = data && file_replace(to, data, length, 0600);
    if (!ok) snprintf(message, size, "%s: %s", to, strerror(errno));
    free(data);
    return ok;
}

/* ---- a lab's column ---------------------------------------------------------------------------- */
struct place {
    const json_t *lab;
    int column, comments;
    double most; /* points possible; 0 if unknown */
    unsigned several;
    char title[LONGEST_TITLE], other[LONGEST_TITLE];
};
static bool matches(const char *pattern, const char *text, regmatch_t *m, size_t count, int how) {
    regex_t r;
    if (regcomp(&r, pattern, REG_EXTENDED | how)) return false;
    const bool is = !regexec(&r, text, count, m, 0);
    regfree(&r);
    return is;
}
static void part_of(const char *text, const regmatch_t *m, unsigned k, char *out, size_t size) {
    snprintf(out, size, "%.*s", k ? (int)(m[k].rm_eo - m[k].rm_so) : 0, text + (k ? m[k].rm_so : 0));
}
/* Returns whether Canvas computes the column. */
static bool is_computed(const char *header) {
    return matches("(Current|Final|Override) (Score|Points|Grade|Status)", header, NULL, 0, 0);
}
/* Returns whether the column belongs to the lab. If the course sets the lab's `column`, compares only this setting. */
static bool is_lab_of(const json_t *lab, const char *header, const char *title, const char *number) {
    const char *wanted = text_of(lab, "column"), *id = text_of(lab, "id");
    char pattern[100];
    if (*wanted) return !strcmp(wanted, header) || !strcmp(wanted, title) || (*number && !strcmp(wanted, number));
    if (!strcasecmp(title, text_of(lab, "title"))) return true;
    snprintf(pattern, sizeof pattern, "(^|[^a-z])lab(oratory)?[ #_.-]*0*%.8s([^0-9]|$)", id + 3);
    return matches(pattern, title, NULL, 0, REG_ICASE);
}
/* Finds the lab's column in the header. If several columns match, selects none. */
static struct place place_of(const struct table *t, const json_t *lab) {
    struct place p = {.lab = lab, .column = NO_COLUMN, .comments = NO_COLUMN};
    char header[LONGEST_TITLE], title[LONGEST_TITLE], number[40], most[40];
    if (t->form->one_lab) {
        p.column = column_of(t, "Grade"), p.comments = column_of(t, "Feedback comments");
        snprintf(p.title, sizeof p.title, "Grade");
        return p;
    }
    for (unsigned k = 0; k < t->count; k++) {
        regmatch_t m[4];
        bool student = false;
        cell_words(t, (int)k, header, sizeof header);
        for (unsigned n = 0; t->form->student[n]; n++) student |= !strcmp(header, t->form->student[n]);
        if (student || is_computed(header)) continue;
        snprintf(title, sizeof title, "%s", header);
        number[0] = most[0] = 0;
        if (matches(t->form->title, header, m, 4, 0)) {
            part_of(header, m, t->form->title_group, title, sizeof title);
            part_of(header, m, t->form->number_group, number, sizeof number);
            part_of(header, m, t->form->most_group, most, sizeof most);
        }
        if (!is_lab_of(lab, header, title, number)) continue;
        snprintf(p.several++ ? p.other : p.title, LONGEST_TITLE, "%s", header);
        if (p.several == 1) p.column = (int)k, p.most = atof(most);
    }
    if (p.several > 1) p.column = NO_COLUMN;
    return p;
}

/* ---- filling ------------------------------------------------------------------------------------ */
struct filling {
    struct table t;
    struct place places[COURSE_MAX_LABS];
    unsigned place_count;
    bool goes_back[MAX_COLUMNS];
    unsigned columns;     /* number of columns in the header */
    int who, most, fixed; /* columns: the student, and Moodle's "Maximum grade" and "Grade can be changed" */
    const json_t *marks;  /* the students of class.json, by folder */
    json_t *roster, *seen;
    FILE *out;
    bool first;
};
static void put_separator(struct filling *f) {
    if (!f->first) fputc(f->t.separator, f->out);
    f->first = false;
}
static void put_raw(struct filling *f, int k) {
    put_separator(f);
    if (k < (int)f->t.count) fwrite(f->t.cell[k].text, 1, f->t.cell[k].length, f->out);
}
/* Writes points with at most two decimals, without trailing zeros. */
static void put_points(struct filling *f, double points) {
    char text[40];
    snprintf(text, sizeof text, "%.2f", points);
    char *end = text + strlen(text) - 1;
    while (*end == '0') *end-- = 0;
    if (*end == '.') *end = 0;
    put_separator(f);
    fputs(text, f->out);
}
static const json_t *student_of(struct filling *f) {
    char words[LONGEST_TITLE], *id = words;
    cell_words(&f->t, f->who, words, sizeof words);
    size_t n = strlen(words);
    while (f->t.form->one_lab && n && isdigit((unsigned char)words[n - 1])) n--;
    if (f->t.form->one_lab) id += n; /* skip "Participant " */
    const json_t *student = *id ? roster_student(f->roster, id, false) : NULL;
    return student ? json_object_get(f->marks, text_of(student, "folder")) : NULL;
}
/* Returns whether the server will ignore a changed grade in this line. */
static bool is_fixed(const struct filling *f) {
    char fixed[20] = "";
    cell_words(&f->t, f->fixed, fixed, sizeof fixed);
    return !strcasecmp(fixed, "No");
}
/* Writes a lab's cell. Keeps its content if there are no points, the student is excused, or the grade cannot be
 * changed. */
static void put_mark(struct filling *f, const struct place *p, const json_t *student) {
    const json_t *mark = json_object_get(json_object_get(student, "labs"), text_of(p->lab, "id")),
                 *score = json_object_get(mark, "score");
    char now[LONGEST_TITLE], most[40] = "";
    cell_words(&f->t, p->column, now, sizeof now);
    cell_words(&f->t, f->most, most, sizeof most);
    const double of = json_number_value(json_object_get(mark, "max")), possible = atof(most) > 0 ? atof(most)
                                                                                  : p->most > 0  ? p->most
                                                                                                 : COURSE_POINTS;
    if (!score || of <= 0 || !strcasecmp(now, "EX") || is_fixed(f))
        put_raw(f, p->column == NO_COLUMN ? (int)f->t.count : p->column);
    else
        put_points(f, json_number_value(score) * possible / of);
}
/* Writes the comment as HTML, after the comment that the cell contains. Keeps the cell as it is if there is no new
 * comment, or if the grade cannot be changed. */
static void put_comment(struct filling *f, const struct place *p, const json_t *student) {
    const json_t *mark = json_object_get(json_object_get(student, "labs"), text_of(p->lab, "id"));
    const char *const said[] = {text_of(mark, "lateness"), text_of(mark, "comment")};
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    for (unsigned k = 0; out && k < 2; k++) {
        if (k && *said[0] && *said[1]) fputs("; ", out);
        for (const char *s = said[k]; *s; s++)
            if (strchr("<>&", *s))
                fprintf(out, "&#%d;", *s);
            else
                fputc(*s, out);
    }
    if (out) fclose(out);
    const size_t room = p->comments < (int)f->t.count ? f->t.cell[p->comments].length + 1 : 1;
    char *before = malloc(room), *both = NULL;
    if (before) cell_words(&f->t, p->comments, before, room);
    const bool known = !before || !text || !*text || strstr(before, text);
    if (!known && !is_fixed(f) && asprintf(&both, "%s%s%s", before, *before ? "<br>" : "", text) > 0)
        put_separator(f), csv_cell(both, f->out);
    else
        put_raw(f, p->comments);
    free(text), free(before), free(both);
}
static void put_line(struct filling *f, const json_t *student, bool header, bool possible) {
    f->first = true;
    for (unsigned k = 0; k < f->columns; k++) {
        const struct place *p = NULL;
        bool comments = false;
        for (unsigned n = 0; n < f->place_count; n++) {
            if (f->places[n].column == (int)k) p = &f->places[n];
            if (f->places[n].comments == (int)k) p = &f->places[n], comments = true;
        }
        if (!f->goes_back[k] && !p) continue;
        if (!p || header || possible || !student)
            put_raw(f, (int)k);
        else if (comments)
            put_comment(f, p, student);
        else
            put_mark(f, p, student);
    }
    for (unsigned n = 0; n < f->place_count; n++) { /* columns for assignments that the server creates */
        const struct place *p = &f->places[n];
        if (p->column != NO_COLUMN) continue;
        if (!header && !possible && student) {
            put_mark(f, p, student);
            continue;
        }
        put_separator(f);
        if (header) csv_cell(text_of(p->lab, "id"), f->out);
        if (possible) fprintf(f->out, "%d", COURSE_POINTS);
    }
    fputs(f->t.end_of_line, f->out);
}
/* Returns whether the line is Canvas's row "Points Possible". */
static bool is_possible(const struct filling *f) {
    char words[LONGEST_TITLE];
    cell_words(&f->t, 0, words, sizeof words);
    return strstr(words, "Points Possible");
}
static void take_possible(struct filling *f) {
    char words[40];
    for (unsigned n = 0; n < f->place_count; n++) {
        cell_words(&f->t, f->places[n].column, words, sizeof words);
        if (atof(words) > 0) f->places[n].most = atof(words);
    }
}
/* Chooses for each lab the column to fill or to add, or leaves the lab out. Reports ambiguous and missing columns and,
 * if the table covers several labs, the columns to fill. */
static void choose_places(struct filling *f, const char *name, const json_t *facts, const char *only, FILE *said) {
    json_t *lab;
    size_t k;
    json_array_foreach(json_object_get(facts, "labs"), k, lab) {
        const char *id = text_of(lab, "id");
        if (*only && strcmp(only, id) != 0) continue;
        const struct place p = place_of(&f->t, lab);
        if (p.several > 1 || (p.column == NO_COLUMN && *text_of(lab, "column"))) {
            fprintf(said, "%s: %s is left out: ", name, id);
            if (p.several > 1)
                fprintf(said, "both `%s` and `%s` match; ", p.title, p.other);
            else
                fprintf(said, "no column matches `%s.column = %s`; ", id, text_of(lab, "column"));
            fprintf(said, "in labs/course.conf, set `%s.column` to the title or number of the %s column\n", id,
                    f->t.form->server);
            continue;
        }
        if (p.column == NO_COLUMN && !f->t.form->title) continue;
        if (p.column == NO_COLUMN)
            fprintf(said,
                    "%s: no column matches %s: let %s create a column, or name a column with `%s.column` in "
                    "labs/course.conf\n",
                    name, id, f->t.form->server, id);
        else if (!f->t.form->one_lab)
            fprintf(said, "%s: %s is `%s`\n", name, id, p.title);
        f->places[f->place_count++] = p;
    }
}
static void tell_unseen(const struct filling *f, const char *name, FILE *said) {
    const char *folder, *example = "";
    json_t *student;
    size_t unseen = 0;
    json_object_foreach((json_t *)f->marks, folder, student) {
        bool graded = false;
        for (unsigned n = 0; n < f->place_count; n++)
            graded |=
                json_object_get(json_object_get(json_object_get(student, "labs"), text_of(f->places[n].lab, "id")),
                                "score") != NULL;
        if (!graded || json_object_get(f->seen, folder)) continue;
        if (!unseen++) example = text_of(student, "id");
    }
    if (unseen)
        fprintf(said, "%s: %zu student%s with points %s missing from the table of %s, such as %s\n", name, unseen,
                unseen == 1 ? "" : "s", unseen == 1 ? "is" : "are", f->t.form->server, example);
}
static void fill_lines(struct filling *f) {
    f->columns = f->t.count;
    for (unsigned k = 0; k < f->t.count; k++) {
        char header[LONGEST_TITLE];
        cell_words(&f->t, (int)k, header, sizeof header);
        f->goes_back[k] = !f->t.form->student[0];
        for (unsigned n = 0; f->t.form->student[n]; n++) f->goes_back[k] |= !strcmp(header, f->t.form->student[n]);
    }
    f->who = column_of(&f->t, f->t.form->who);
    /* Some versions write "Maximum Grade". */
    f->most = f->t.form->one_lab ? column_of(&f->t, "Maximum grade") : NO_COLUMN;
    f->fixed = f->t.form->one_lab ? column_of(&f->t, "Grade can be changed") : NO_COLUMN;
    put_line(f, NULL, true, false);
    while (next_line(&f->t)) {
        const bool possible = is_possible(f);
        if (possible) take_possible(f);
        const json_t *student = possible ? NULL : student_of(f);
        if (student) json_object_set_new(f->seen, text_of(student, "folder"), json_true());
        put_line(f, student, false, possible);
    }
}
/* Converts the text back to UTF-16 if the table was in UTF-16. */
static char *as_it_came(const struct table *t, char *text, size_t *length) {
    iconv_t convert = t->wide ? iconv_open("UTF-16LE", "UTF-8") : (iconv_t)-1;
    if (convert == (iconv_t)-1) return text;
    size_t in = *length, left = 2 * *length;
    char *out = malloc(left + 2), *from = text, *to = out + 2;
    if (out) memcpy(out, "\xff\xfe", 2);
    if (out && iconv(convert, &from, &in, &to, &left) != (size_t)-1)
        *length = (size_t)(to - out), free(text), text = out;
    iconv_close(convert);
    return text;
}
static bool fill(const char *out, const char *file, const json_t *facts, const json_t *marks, json_t *roster,
                 FILE *said) {
    char path[PATH_MAX], name[NAME_MAX + 20], *text = NULL;
    const char *lab = strchr(file, '-');
    struct filling *f = calloc(1, sizeof *f);
    size_t length = 0;
    char only[40] = "";
    if (lab) snprintf(only, sizeof only, "%.*s", (int)strcspn(lab + 1, "."), lab + 1);
    snprintf(path, sizeof path, "%s/worksheets/%s", out, file);
    snprintf(name, sizeof name, "gradebook-%s", file);
    bool ok = f && open_table(path, &f->t);
    snprintf(path, sizeof path, "%s/%s", out, name);
    unlink(path);
    if (ok) {
        f->marks = marks, f->roster = roster, f->seen = json_object();
        choose_places(f, name, facts, only, said);
        if ((ok = f->place_count > 0 && (f->out = open_memstream(&text, &length)))) {
            fill_lines(f);
            tell_unseen(f, name, said);
            ok = !fclose(f->out);
            text = as_it_came(&f->t, text, &length);
            ok = ok && file_replace(path, text, length, 0600);
        } else
            ok = true;
        json_decref(f->seen);
    }
    if (f) free(f->t.text);
    free(text);
    free(f);
    return ok;
}
bool worksheets_fill(const char *out, const json_t *facts, json_t *roster, FILE *said, char *message, size_t size) {
    char path[PATH_MAX];
    struct dirent **entries;
    json_t *marks = json_object(), *student;
    size_t k;
    bool ok = true;
    json_array_foreach(json_object_get(facts, "students"), k, student)
        json_object_set(marks, text_of(student, "folder"), student);
    snprintf(path, sizeof path, "%s/worksheets", out);
    const int count = scandir(path, &entries, NULL, alphasort);
    for (int n = 0; n < count; n++) {
        const size_t length = strlen(entries[n]->d_name);
        if (length > 4 && !strcmp(entries[n]->d_name + length - 4, ".csv"))
            ok = ok && fill(out, entries[n]->d_name, facts, marks, roster, said);
        free(entries[n]);
    }
    if (count >= 0) free(entries);
    if (!ok) snprintf(message, size, "%s: %s", path, strerror(errno));
    json_decref(marks);
    return ok;
}
