/* `./grade class`: the submissions of a whole class. GNU Make (gradebook.mk) does the work in parallel and decides what
 * is out of date; this module lays out what it works on, grades one unit of it, and sums up.
 *
 *   class.c     the command line
 *   shapes.c    how submissions come: plain folders, exports of Gradescope, Moodle, Blackboard, Canvas, GitHub
 *   people.c    folder names of students, the roster (JSON), lists of names (CSV, YAML)
 *   listing.c   what was handed in; unpack.c archives in it
 *   import.c    lays out a folder that Make works on     grade.c   grades one unit and tells how far the class is
 *   overrides.c marks that the instructor gives; lateness.c deadlines; sheet.c such tables; facts.c all records in one
 * JSON object; worksheet.c fills tables of course servers; reports.c makes a page a submission; summary.c a lab of it,
 * alike.c, fingerprints.c similar ones; skeleton.c lines; csv.c, attention.c that object as gradebook, as list for the
 * instructor; page.c as page for a browser (page.html, class.css, class.js); report.c writes them all
 *
 * The class's folder OUT, where a unit is FOLDER/LAB:
 *
 *   roster.json, settings.json (device, compiler, sandbox or none, the secret seed), units (a unit a line)
 *   reports/UNIT.html    worksheets/ (tables of course servers, as they came)
 *   export/, unpacked/ (archives that were handed in)
 *   overrides.csv, extensions.csv (the instructor's)    feedback/, feedback-upload/, feedback.csv (for students)
 *   submissions/UNIT/reduce.cu, predictions.txt    records/UNIT.json    faults/UNIT.json (the set-up failed)
 *   progress, tmp/                                 class.json, gradebook*.csv, class.html, attention.txt
 *
 * class.json: labs[] (ends, scores by tens, mean, median, causes[], tests[], findings[] with lines[] of the skeleton,
 * cases[], same_groups, similar); students[] (labs: status, score, max, late, advice, cause, report; by hand override,
 * graded, comment; of late ones lateness, penalty, slip_days; and total); attention[] */
#ifndef CLASS_CLASS_H
#define CLASS_CLASS_H

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

/* argv[0] is "class". Prints; returns the exit status: 0, 2 (use), 3 (something is left ungraded, or the set-up). */
struct class_place {
    const char *root;
};
int class_command(int argc, char **argv, const struct class_place *place);
/* Says what is wrong on standard error and gives `status`. */
int class_complain(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

struct class_options {
    const char *out, *from, *lab, *shape, *roster, *seed, *device, *compiler, *unit, *count;
    bool trusted; /* no sandbox */
    bool fixes;   /* a fix is looked for in what fails */
};

/* ---- shapes.c -------------------------------------------------------------------------------- */
enum class_rank {
    RANK_NAME, /* a file of the name that was asked for */
    RANK_LAB,  /* its path tells the lab: lab_3 (final).cu, Lab03/main.cu */
    RANK_ANY,  /* any other .cu file */
    RANK_OTHER /* anything else of a student's: told where there is nothing better */
};
struct class_file {
    char student[NAME_MAX + 1]; /* as the shape tells them apart: a folder, a login, a number */
    char name[NAME_MAX + 1];    /* to show; "" if the path has no name */
    char lab[16];               /* "lab3" */
    bool predictions;           /* predictions.txt, not the kernels */
    bool late;
    enum class_rank rank;
    time_t handed_in;      /* by the path; 0: it does not tell */
    unsigned long version; /* of several submissions the greatest counts */
};
struct class_shape; /* a row of the table, with its patterns compiled */
/* The shape of that name, or the one that knows most of the paths; NULL if none knows any. Paths are relative to the
 * folder of submissions. free with shape_free(). */
struct class_shape *shape_new(const char *name, const char *const *paths, size_t count);
struct class_shape *shape_at(unsigned k); /* shapes 0, 1, ...; NULL after the last, or no memory */
void shape_free(struct class_shape *s);
/* Is the path a submission's, with at most this rank? */
bool shape_knows(const struct class_shape *s, const char *path, enum class_rank most);
const char *shape_name(const struct class_shape *s);
const char *shape_names(void); /* "gradescope, moodle, ..." */
bool shape_folders_are_students(const struct class_shape *s);
/* A folder at the top becomes a student's name: GitHub Classroom's loses `prefix`, or "lab3-", in place. */
void shape_student(const struct class_shape *s, const char *prefix, char *folder);
/* What the file is; false for none of a submission. `lab` is for files that do not tell, "" for none: then *out has no
 * lab. */
bool shape_file(const struct class_shape *s, const char *path, const char *prefix, const char *lab,
                struct class_file *out);

/* ---- unpack.c, listing.c --------------------------------------------------------------------- */
struct unpack {
    const char *archive, *folder; /* absolute; the folder is made */
    bool all, trusted;            /* all: not only what may be a submission, and more of it; trusted: no sandbox */
};
/* Bytes of the path's ending if it is one of an archive (.zip, .tar.gz, ...), else 0. */
size_t unpack_knows(const char *path);
/* False: *message is why, to follow the archive's name; the folder may hold a part. */
bool unpack(const struct unpack *u, char *message, size_t size);

enum { LISTING_UNPACKED = -1 };
struct listing {
    char **path; /* files, and folders at the top, relative to the folder of submissions */
    short *kind; /* FTS_F, FTS_D, ...; LISTING_UNPACKED: an archive whose files are listed, too */
    size_t count;
    unsigned path_room, kind_room;
    bool metadata;                      /* a submission_metadata.yml */
    char root[PATH_MAX], out[PATH_MAX]; /* the folder of submissions, of the class */
    json_t *reasons;                    /* {"ada/lab3.zip": "is locked by a password"} */
};
/* Everything in o->from, a folder or an archive; archives in it are unpacked in o->out. 0, or the exit status, after a
 * complaint. listing_free() it either way. */
int listing_read(struct listing *l, const struct class_options *o);
void listing_place(const struct listing *l, const char *path, char out[PATH_MAX]); /* where the file lies */
void listing_free(struct listing *l);

/* ---- commit.c -------------------------------------------------------------------------------- */
/* When the file of a git repository was last committed, by the committer's clock; 0: it is in none, or git is not here.
 */
time_t commit_time(const char *path, bool trusted);

/* ---- people.c -------------------------------------------------------------------------------- */
enum { FOLDER_SIZE = 160 };
/* A file name for any bytes, of letters, digits, . and _ alone: different bytes give different names. */
void folder_name(const char *bytes, char out[FOLDER_SIZE]);
/* A JSON string of any bytes; what is not UTF-8 shows as ?. */
json_t *text_json(const char *bytes);
/* Text of 16 bits a character, as some programs of Windows write it, becomes UTF-8, behind a mark; anything else stays
 * what it is. Takes `data`, gives what to free. */
char *text_utf8(char *data, size_t *length);
const char *text_of(const json_t *object, const char *key); /* "" if it is not there */
/* The student of that key in roster["students"], an array ordered by key; made if `make`. */
json_t *roster_student(json_t *roster, const char *key, bool make);
/* Adds the people of a list to the roster: a CSV file with a header (Canvas's gradebook, GitHub Classroom's roster,
 * any with a column id or email). False and a message if it cannot be read. */
bool roster_add_csv(json_t *roster, const char *path, char *message, size_t size);
/* Gradescope's submission_metadata.yml: {"submission_12": [{"name", "sid", "email"}, ...], ...}, and under "times"
 * when each was handed in, {"submission_12": seconds since 1970}. */
json_t *gradescope_people(const char *path, char *message, size_t size);
/* "2026-11-22 10:11:12.5 -0800" and its kin; 0: it is none. */
time_t time_of_zone(const char *text);

/* ---- import.c, grade.c, report.c ------------------------------------------------------------- */
int class_import(const struct class_options *o, const struct class_place *place);
int class_begin(const struct class_options *o);
int class_progress(const struct class_options *o);
int class_grade(const struct class_options *o);
int class_feedback(const struct class_options *o); /* feedback.c */
/* The report on a file that was handed in as the server knows it: Moodle's folder, Canvas's file with another ending.
 */
void feedback_name(const char *from, const char *lab, char out[PATH_MAX]);
int class_report(const struct class_options *o, const struct class_place *place);

/* ---- skeleton.c ------------------------------------------------------------------------------ */
/* For each line of `text` (1 to the count, [0] is unused) the line of the skeleton it stands for: itself, or the one it
 * replaces, or the one before it. NULL: out of memory, or too long to compare. free() it. */
unsigned *skeleton_lines(const char *skeleton, const char *text, unsigned *count);

/* ---- facts.c: the class in one object -------------------------------------------------------- */
/* `class` is {"students": [...], "labs": [...], "attention": [...]}, docs/instructor.md says what is in it. */
json_t *class_facts(const char *out, const json_t *roster, const struct class_place *place, char *message, size_t size);

/* reports.c: writes OUT/reports/FOLDER/lab3.html, where a mark's "report" leads; of a very large class takes those. */
bool class_reports(const char *out, json_t *facts);

/* ---- csv.c, attention.c, page.c: pure functions of those facts ------------------------------- */
enum class_csv { CSV_OWN, CSV_CANVAS, CSV_GRADESCOPE };
void class_csv(const json_t *facts, enum class_csv form, FILE *out);
void class_attention(const json_t *facts, FILE *out);
/* The kinds of what to look at, in order; NULL after the last. */
const char *attention_title(unsigned k);
const char *attention_what(unsigned k);
const char *attention_remedy(unsigned k);
void class_page(const json_t *facts, FILE *out);
/* A cell of a CSV file: quoted where need be, and no formula for a spreadsheet. */
void csv_cell(const char *text, FILE *out);
/* What separates the cells of a CSV file, by its first line: a comma, a semicolon or a tab. */
char csv_separator(const char *text);
/* Splits a line of a CSV file in place; gives the number of cells and moves *text behind the line. */
unsigned csv_split(char **text, char separator, char **cells, unsigned most);

/* ---- worksheet.c: tables that a course server gave, filled to be given back ------------------- */
/* Keeps the file in OUT/worksheets if it is such a table; Moodle's is of one lab, "" if none is reported. False, and a
 * message: it cannot be. */
bool worksheet_keep(const char *path, const char *out, const char *lab, char *message, size_t size);
/* Writes OUT/gradebook-NAME.csv for each that was kept, and tells `said` what went where. False, and a message: it
 * could not be written. */
bool worksheets_fill(const char *out, const json_t *facts, json_t *roster, FILE *said, char *message, size_t size);

#endif
