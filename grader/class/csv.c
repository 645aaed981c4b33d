/* Reads CSV files and writes the gradebook as CSV (RFC 4180) in the kit's own format and in those of Canvas and
 * Gradescope. */
#include "class/facts.h"
#include <string.h>
#include <strings.h>

/* ---- cells ----------------------------------------------------------------------------------- */
/* Skips whitespace and zero-width characters, which a spreadsheet ignores or does not show. */
static const char *past_unseen(const char *text) {
    static const char *const unseen[] = {" ",           "\t",           "\r",           "\n",           "\xef\xbb\xbf",
                                         "\xc2\xa0",    "\xe3\x80\x80", "\xe2\x80\x8b", "\xe2\x80\x8e", "\xe2\x80\x8f",
                                         "\xe2\x81\xa0"};
    for (unsigned k = 0; k < sizeof unseen / sizeof *unseen;) {
        const size_t n = strlen(unseen[k]);
        const bool here = !strncmp(text, unseen[k], n);
        text += here ? n : 0;
        k = here ? 0 : k + 1;
    }
    return text;
}
/* Returns whether a spreadsheet would treat the text as a formula. Some spreadsheets also accept full-width signs,
 * such as U+FF1D for =. */
static bool is_formula(const char *start) {
    static const char *const wide[] = {"\xef\xbc\x9d", "\xef\xbc\x8b", "\xef\xbc\x8d",
                                       "\xef\xbc\xa0", "\xef\xbd\x9c", "\xef\xbc\x85"};
    if (*start && strchr("=+-@|%", *start)) return true;
    for (unsigned k = 0; k < sizeof wide / sizeof *wide; k++)
        if (!strncmp(start, wide[k], strlen(wide[k]))) return true;
    return false;
}
void csv_cell(const char *text, FILE *out) {
    const bool formula = is_formula(past_unseen(text));
    const bool quoted = text[strcspn(text, ",\"'\n\r;\t")] || *text == ' ' || formula;
    if (quoted) fputc('"', out);
    if (formula) fputc('\'', out);
    for (const char *s = text; *s; s++) {
        if (*s == '"') fputc('"', out);
        fputc((unsigned char)*s < ' ' || *s == 127 ? ' ' : *s, out);
    }
    if (quoted) fputc('"', out);
}
char csv_separator(const char *text) {
    static const char all[] = ",;\t"; /* separators that spreadsheets use, depending on the locale */
    unsigned count[sizeof all - 1] = {0}, best = 0;
    bool quoted = false;
    for (; *text && (quoted || (*text != '\n' && *text != '\r')); text++) {
        const char *at = quoted ? NULL : strchr(all, *text);
        quoted ^= *text == '"';
        if (at) count[at - all]++;
    }
    for (unsigned k = 1; k < sizeof all - 1; k++)
        if (count[k] > count[best]) best = k;
    return all[best];
}
/* Returns whether a line ends here: at \n, or at a \r without \n, which old programs write. */
static bool ends_line(const char *in) { return *in == '\n' || (*in == '\r' && in[1] != '\n'); }
bool csv_begin(char **at, size_t length, unsigned *line) {
    *line = 1;
    if (memchr(*at, 0, length)) return false;
    *at += strncmp(*at, "\xef\xbb\xbf", 3) ? 0 : 3;
    for (const char *s = *at; *s; ++*line, *at = (char *)s) {
        /* Excel writes `sep=;` as the first line. */
        if (*line == 1 && !strncasecmp(s, "sep=", 4) && s[4]) s += 5;
        s += strspn(s, " ,;\t\"");
        if (*s != '\r' && *s != '\n') break;
        s += *s == '\r' && s[1] == '\n' ? 2 : 1;
    }
    return true;
}
unsigned csv_not_utf8(const char *text) {
    unsigned line = 0;
    for (bool valid = true; valid && *text; text += *text == '\n') {
        const size_t n = strcspn(text, "\n");
        json_t *words = json_stringn(text, n);
        valid = words;
        json_decref(words);
        line++, text += n;
        if (!valid) return line;
    }
    return 0;
}
static char *trimmed(char *cell) {
    char *start = cell + (past_unseen(cell) - cell), *end = start;
    for (char *s = start; *s;) {
        const size_t unseen = (size_t)(past_unseen(s) - s);
        s += unseen ? unseen : 1;
        if (!unseen) end = s;
    }
    *end = 0;
    return start;
}
unsigned csv_split(char **text, char separator, char **cells, unsigned most, unsigned *line) {
    char *in = *text, *out = in;
    unsigned n = 0, lines = 1;
    for (bool more = true; more;) {
        bool quoted = *in == '"';
        if (quoted) in++;
        if (n < most) cells[n++] = out;
        for (; *in && (quoted || (*in != separator && !ends_line(in))); in++) {
            lines += quoted && ends_line(in);
            if (quoted && *in == '"' && *++in != '"') quoted = false;
            if (!quoted && (!*in || *in == separator || ends_line(in))) break;
            if (quoted || *in != '\r') *out++ = *in;
        }
        if (quoted) return *text = in, 0;
        more = *in == separator;
        in += *in != 0;
        /* `in` has already passed the separator, so this store overwrites no unread text. At the end of the text, it
         * overwrites at most the final NUL. */
        *out++ = 0;
    }
    *text = in;
    *line += lines;
    return n;
}
unsigned csv_words(char **text, char separator, char **cells, unsigned most, unsigned *line) {
    const unsigned n = csv_split(text, separator, cells, most, line);
    for (unsigned k = 0; k < n; k++) cells[k] = trimmed(cells[k]);
    return n;
}

/* ---- columns: a table per format --------------------------------------------------------------- */
enum what { WHO, FIRST, LAST, SCORE, MAX, STATUS, LATE, GRADED, COMMENT, PENALTY, LATENESS, ATTEMPT, TOTAL, END };
struct column {
    enum what what;
    const char *header; /* header of the column or, for a column of a lab, the part after the lab's id */
    const char *member; /* for WHO, FIRST and LAST: the member of the student's object */
    const char *other;  /* member to use if this one is empty; only for WHO */
};
static const struct column own[] = {{WHO, "id", "id", NULL},
                                    {WHO, "name", "name", NULL},
                                    {SCORE, ""},
                                    {MAX, " of"},
                                    {STATUS, " status"},
                                    {LATE, " late"},
                                    {TOTAL, "total percent"},
                                    {GRADED, " graded"},
                                    {COMMENT, " comment"},
                                    {PENALTY, " penalty"},
                                    {LATENESS, " lateness"},
                                    {ATTEMPT, " attempt"},
                                    {END}};
/* Columns of Canvas's gradebook. A lab's column is an assignment with the lab's id as its title. */
static const struct column canvas[] = {{WHO, "Student", "name", "id"},
                                       {WHO, "ID", "id", NULL},
                                       {WHO, "SIS User ID", "sis_user_id", NULL},
                                       {WHO, "SIS Login ID", "sis_login_id", NULL},
                                       {WHO, "Section", "section", NULL},
                                       {SCORE, ""},
                                       {END}};
/* Columns of the grades that Gradescope exports. */
static const struct column gradescope[] = {{FIRST, "First Name", "first_name", NULL},
                                           {LAST, "Last Name", "last_name", NULL},
                                           {WHO, "SID", "sid", NULL},
                                           {WHO, "Email", "email", NULL},
                                           {WHO, "Sections", "section", NULL},
                                           {SCORE, ""},
                                           {MAX, " - Max Points"},
                                           {END}};
static const struct column *const forms[] = {[CSV_OWN] = own, [CSV_CANVAS] = canvas, [CSV_GRADESCOPE] = gradescope};

static void put_mark(const struct column *c, const json_t *mark, FILE *out) {
    const char *status = text_of(mark, "status");
    const json_t *score = json_object_get(mark, "score");
    if (c->what == SCORE && score) fprintf(out, "%lld", (long long)json_integer_value(score));
    if (c->what == MAX && score) fprintf(out, "%lld", (long long)json_integer_value(json_object_get(mark, "max")));
    if (c->what == STATUS) csv_cell(*status ? status : class_mark_word(MARK_MISSING), out);
    if (c->what == GRADED && json_object_get(mark, "graded"))
        fprintf(out, "%lld", (long long)json_integer_value(json_object_get(mark, "graded")));
    if (c->what == PENALTY && json_object_get(mark, "penalty"))
        fprintf(out, "%lld", (long long)json_integer_value(json_object_get(mark, "penalty")));
    if (c->what == LATENESS) csv_cell(text_of(mark, "lateness"), out);
    if (c->what == ATTEMPT) csv_cell(text_of(mark, "attempt"), out);
    if (c->what == COMMENT) csv_cell(text_of(mark, "comment"), out);
    if (c->what == LATE) fputs(json_is_true(json_object_get(mark, "late")) ? "late" : "", out);
}
static bool of_lab(const struct column *c) { return c->what >= SCORE && c->what <= ATTEMPT; }
/* Writes the first or last name from the roster. If the roster does not have it, splits "Lovelace, Ada" or "Ada
 * Lovelace". A name of one word counts as a last name. If a student has no name, the id counts as the last name. */
static void put_name(const struct column *c, const json_t *student, FILE *out) {
    const char *given = text_of(student, c->member), *name = text_of(student, "name"), *comma = strstr(name, ", "),
               *blank = strrchr(name, ' ');
    char part[400] = "";
    const bool first = c->what == FIRST;
    if (*given)
        snprintf(part, sizeof part, "%s", given);
    else if (comma)
        snprintf(part, sizeof part, "%.*s", first ? (int)strlen(comma + 2) : (int)(comma - name),
                 first ? comma + 2 : name);
    else if (blank)
        snprintf(part, sizeof part, "%.*s", first ? (int)(blank - name) : (int)strlen(blank + 1),
                 first ? name : blank + 1);
    else if (!first)
        snprintf(part, sizeof part, "%s", *name ? name : text_of(student, "id"));
    csv_cell(part, out);
}
/* Writes a student's line, or the header line if `student` is NULL. */
static void put_line(const struct column *columns, const json_t *labs, const json_t *student, FILE *out) {
    bool first = true;
    size_t k;
    json_t *lab;
    for (const struct column *c = columns; c->what != END; c++) {
        if (of_lab(c)) { /* columns of a lab are adjacent */
            const struct column *end = c;
            while (of_lab(end)) end++;
            json_array_foreach((json_t *)labs, k, lab) for (const struct column *d = c; d < end; d++) {
                char name[80];
                if (!first) fputc(',', out);
                first = false;
                snprintf(name, sizeof name, "%.40s%s", text_of(lab, "id"), d->header);
                if (!student)
                    csv_cell(name, out);
                else
                    put_mark(d, json_object_get(json_object_get(student, "labs"), text_of(lab, "id")), out);
            }
            c = end - 1;
            continue;
        }
        if (!first) fputc(',', out);
        first = false;
        const json_t *total = json_object_get(student, "total");
        if (!student)
            csv_cell(c->header, out);
        else if (c->what == FIRST || c->what == LAST)
            put_name(c, student, out);
        else if (c->what == TOTAL && total)
            fprintf(out, "%.1f", json_number_value(total));
        else if (c->what == WHO)
            csv_cell(*text_of(student, c->member) || !c->other ? text_of(student, c->member)
                                                               : text_of(student, c->other),
                     out);
    }
    fputs("\r\n", out);
}
/* Writes the second header line, which Canvas requires. It contains the points possible. */
static void put_possible(const json_t *labs, FILE *out) {
    size_t k;
    fputs("\"    Points Possible\",,,,", out);
    for (k = 0; k < json_array_size(labs); k++) fputs(",100", out);
    fputs("\r\n", out);
}
void class_csv(const json_t *facts, enum class_csv form, FILE *out) {
    const json_t *labs = json_object_get(facts, "labs");
    size_t k;
    json_t *student;
    put_line(forms[form], labs, NULL, out);
    if (form == CSV_CANVAS) put_possible(labs, out);
    json_array_foreach(json_object_get(facts, "students"), k, student) put_line(forms[form], labs, student, out);
}
