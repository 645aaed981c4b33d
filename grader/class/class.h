/* `./grade class`: the submissions of a whole class. GNU Make (gradebook.mk) decides what is out of date, and runs the
 * work in parallel. This module lays out the files that Make works on, grades one unit at a time, and summarizes the
 * class.
 *
 *   class.c     the command line
 *   shapes.c    layouts of submissions: plain folders, exports of Gradescope, Moodle, Blackboard, Canvas, GitHub
 *   people.c    folder names of students, the roster (JSON), lists of names (CSV, YAML)
 *   listing.c   the submitted files; unpack.c archives among them
 *   import.c    lays out a folder that Make works on     grade.c   grades one unit, reports progress
 *   attempts.c  the attempts of a student at a lab, of which the newest counts, or all are graded and the best counts
 *   future.c    files dated in the future     overrides.c the instructor's changes to marks; lateness.c deadlines;
 * sheet.c their tables; facts.c all records in one JSON object; worksheet.c fills tables of course servers; reports.c
 * writes a page per submission; summary.c summarizes a lab; alike.c, fingerprints.c, chance.c find similar submissions;
 * skeleton.c maps lines to the skeleton; csv.c, attention.c, page.c write that object as gradebook, as list for the
 * instructor, as HTML page (page.html, class.css, class.js); report.c writes them all
 *
 * The class's folder OUT, where a unit is FOLDER/LAB:
 *
 *   roster.json, settings.json (device, compiler, sandbox or none, the secret seed), units (a unit a line)
 *   reports/UNIT.html    worksheets/ (tables of course servers, as they came)
 *   export/, unpacked/ (archives that were handed in)
 *   overrides.csv, extensions.csv (the instructor's)    feedback/, feedback-upload/, feedback.csv (for students)
 *   submissions/UNIT/reduce.cu, predictions.txt    records/UNIT.json    faults/UNIT.json (the setup failed)
 *   progress, tmp/                                 class.json, gradebook*.csv, class.html, attention.txt
 *
 * class.json: labs[] (ends, scores by tens, mean, median, causes[], tests[], findings[] with lines[] of the skeleton,
 * cases[], same_groups, similar); students[] (labs: status, score, max, late, advice, cause, report; by hand override,
 * graded, comment; of late ones lateness, penalty, slip_days; of several attempts attempt, unit; and total);
 * attention[] */
#ifndef CLASS_CLASS_H
#define CLASS_CLASS_H

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

/* argv[0] is "class". Returns the exit status: 0, 2 (usage error), 3 (a submission is ungraded, or the setup
 * failed). */
struct class_place {
    const char *root;
};
int class_command(int argc, char **argv, const struct class_place *place);

struct class_options {
    const char *out, *from, *lab, *shape, *roster, *seed, *device, *compiler, *unit, *count;
    bool trusted; /* no sandbox */
    bool fixes;   /* search for a fix when a check fails */
};

/* ---- shapes.c -------------------------------------------------------------------------------- */
enum class_rank {
    RANK_NAME, /* the requested name at the requested place */
    RANK_DEEP, /* the requested name, in a folder or an archive */
    RANK_LAB,  /* a path that names the lab: lab_3 (final).cu, Lab03/main.cu */
    RANK_ANY,  /* any other .cu file */
    RANK_OTHER /* any other file of a student: reported if there is nothing better */
};
struct class_file {
    char student[NAME_MAX + 1]; /* the shape's identifier: a folder, a login, a number */
    char name[NAME_MAX + 1];    /* for display; "" if the path has no name */
    char lab[16];               /* "lab3" */
    bool predictions;           /* whether it is predictions.txt, not reduce.cu */
    bool late;
    enum class_rank rank;
    time_t handed_in;      /* the submission time in the path; 0 if unknown */
    unsigned long version; /* the attempt's number; the greatest is the newest */
    bool numbered;         /* paths of this kind name the attempt */
};
struct class_shape; /* a row of the table of shapes, with compiled patterns */
/* The shape of that name; without a name, the shape that recognizes most of the paths. NULL if there is no such
 * shape. Paths are relative to the folder of submissions. Free with shape_free(). */
struct class_shape *shape_new(const char *name, const char *const *paths, size_t count);
struct class_shape *shape_at(unsigned k); /* shapes 0, 1, ...; NULL after the last, or no memory */
void shape_free(struct class_shape *s);
/* Whether the path is a file of a submission, of at most this rank. */
bool shape_knows(const struct class_shape *s, const char *path, enum class_rank most);
const char *shape_name(const struct class_shape *s);
const char *shape_names(void); /* "gradescope, moodle, ..." */
bool shape_folders_are_students(const struct class_shape *s);
/* Converts a top-level folder's name to a student's name in place. For GitHub Classroom, removes `prefix` or
 * "lab3-". */
void shape_student(const struct class_shape *s, const char *prefix, char *folder);
/* Classifies the file; false if it is not part of a submission. `lab` is for files whose path does not name a lab,
 * "" for none; then *out has no lab. */
bool shape_file(const struct class_shape *s, const char *path, const char *prefix, const char *lab,
                struct class_file *out);

/* ---- unpack.c, listing.c --------------------------------------------------------------------- */
struct unpack {
    const char *archive, *folder; /* absolute; the folder is created */
    bool all, trusted;            /* `all` extracts everything, with larger limits; `trusted` uses no sandbox */
};
/* The length of the path's extension if it is an archive's (.zip, .tar.gz, ...), else 0. */
size_t unpack_knows(const char *path);
/* On failure returns false; then *message holds the reason, to follow the archive's name, and the folder may be
 * incomplete. */
bool unpack(const struct unpack *u, char *message, size_t size);

enum { LISTING_UNPACKED = -1 };
struct listing {
    char **path; /* files and top-level folders, relative to the folder of submissions */
    short *kind; /* FTS_F, FTS_D, ...; LISTING_UNPACKED: an archive whose files are also listed */
    size_t count;
    unsigned path_room, kind_room;
    unsigned hidden;                    /* hidden top-level folders, which are left out; */
    char example[NAME_MAX + 1];         /* one of them */
    bool metadata;                      /* has a submission_metadata.yml */
    char root[PATH_MAX], out[PATH_MAX]; /* the folder of submissions, and the class's folder */
    json_t *reasons;                    /* {"ada/lab3.zip": "is locked by a password"} */
};
/* Lists everything in o->from, a folder or an archive; unpacks archives in it into o->out. Returns 0, or the exit
 * status after an error message. Call listing_free() in either case. */
int listing_read(struct listing *l, const struct class_options *o);
void listing_place(const struct listing *l, const char *path, char out[PATH_MAX]); /* where the file is */
void listing_free(struct listing *l);

/* ---- attempts.c ------------------------------------------------------------------------------ */
/* Returns the attempt of that file, an object {"version", "numbered"} in unit["attempts"], which is created if
 * missing. */
json_t *attempt_of(json_t *unit, const struct class_file *f);
/* Puts the newest attempt's members into the unit, and the unit into `units`, {"ada/lab3": unit}. With `all`, each
 * other attempt becomes a unit of its own in `units` ("ada_v2/lab3"), and "attempts" lists them, oldest first.
 * Otherwise notes name their files. */
void attempts_settle(json_t *unit, const char *lab, bool all, json_t *units);
/* Cuts an attempt's folder, ada_v2, to its student's, in place. */
void attempt_student(char *folder);
void unit_note(json_t *unit, const char *format, const char *a, const char *b);

/* ---- future.c -------------------------------------------------------------------------------- */
/* Moves the times of files in the class's folder that are dated in the future before now, in the same order. */
void future_mend(const char *out);

/* ---- commit.c -------------------------------------------------------------------------------- */
/* The time of the file's last commit, by the committer's clock; 0 if it is in no git repository, or git is missing. */
time_t commit_time(const char *path, bool trusted);

/* ---- people.c -------------------------------------------------------------------------------- */
enum { FOLDER_SIZE = 160 };
/* Turns any bytes into a file name of letters, digits, . and _; different bytes give different names. */
void folder_name(const char *bytes, char out[FOLDER_SIZE]);
/* Makes a JSON string of any bytes; invalid UTF-8 becomes ?. */
json_t *text_json(const char *bytes);
/* Converts UTF-16 text with a byte order mark, as some Windows programs write it, to UTF-8; leaves any other text
 * unchanged. Takes ownership of `data`; free() the result. */
char *text_utf8(char *data, size_t *length);
const char *text_of(const json_t *object, const char *key); /* "" if missing */
/* Finds the student with that key in roster["students"], an array ordered by key; creates the student if `make`. */
json_t *roster_student(json_t *roster, const char *key, bool make);
/* Adds the people in a CSV file to the roster. The file has a header, with at least a column `id` or `email`, as in
 * Canvas's gradebook or GitHub Classroom's roster. Returns false with a message if it cannot be read. */
bool roster_add_csv(json_t *roster, const char *path, char *message, size_t size);
/* Reads Gradescope's submission_metadata.yml into {"submission_12": [{"name", "sid", "email"}, ...], ...}. The
 * member "times" has the submission times, {"submission_12": seconds since 1970}. */
json_t *gradescope_people(const char *path, char *message, size_t size);
/* Parses "2026-11-22 10:11:12.5 -0800" and similar formats; 0 if invalid. */
time_t time_of_zone(const char *text);

/* ---- import.c, grade.c, report.c ------------------------------------------------------------- */
int class_import(const struct class_options *o, const struct class_place *place);
int class_begin(const struct class_options *o);
int class_progress(const struct class_options *o);
int class_grade(const struct class_options *o);
int class_feedback(const struct class_options *o); /* feedback.c */
/* Writes the name under which the server expects the report on a submitted file: Moodle's folder, or Canvas's file
 * with another extension. */
void feedback_name(const char *from, const char *lab, char out[PATH_MAX]);
int class_report(const struct class_options *o, const struct class_place *place);

/* ---- skeleton.c ------------------------------------------------------------------------------ */
/* Maps each line of `text`, from 1, to a line of the skeleton: the same line, the one that it replaces, or the one
 * before it. Element 0 is unused. NULL: out of memory, or a text too long to compare. free() the result. */
unsigned *skeleton_lines(const char *skeleton, const char *text, unsigned *count);

/* ---- facts.c: the class in one object -------------------------------------------------------- */
/* `class` is {"students": [...], "labs": [...], "attention": [...]}; docs/instructor.md describes it. */
json_t *class_facts(const char *out, const json_t *roster, const struct class_place *place, char *message, size_t size);

/* reports.c: writes OUT/reports/FOLDER/lab3.html, which a mark's "report" links to; for a very large class removes
 * these links. */
bool class_reports(const char *out, json_t *facts);

/* ---- csv.c, attention.c, page.c: pure functions of the facts ------------------------------- */
enum class_csv { CSV_OWN, CSV_CANVAS, CSV_GRADESCOPE };
void class_csv(const json_t *facts, enum class_csv form, FILE *out);
void class_attention(const json_t *facts, FILE *out);
/* The kinds of entries in the attention list, in order; NULL after the last. */
const char *attention_title(unsigned k);
const char *attention_what(unsigned k);
const char *attention_remedy(unsigned k);
void class_page(const json_t *facts, FILE *out);
/* Writes a CSV cell: quoted if necessary, and never a formula for a spreadsheet. */
void csv_cell(const char *text, FILE *out);
/* Skips a byte order mark. Returns false if the text has a NUL byte, at which reading would stop. */
bool csv_begin(char **at, size_t length);
#define CSV_NO_TEXT "it has a NUL byte, and the rest of the file would be lost: save it again as CSV"
/* The separator of a CSV file, from its first line: a comma, a semicolon or a tab. */
char csv_separator(const char *text);
/* Splits a line of a CSV file in place; returns the number of cells and advances *text past the line. 0: a quotation
 * mark is not closed, and the rest of the text is one cell. */
unsigned csv_split(char **text, char separator, char **cells, unsigned most);
/* Splits a line likewise, and strips blanks and invisible characters around each cell. */
unsigned csv_words(char **text, char separator, char **cells, unsigned most);

/* ---- worksheet.c: fills in tables exported by a course server --------------------------------- */
/* Copies the file to OUT/worksheets if it is such a table. `lab` is for Moodle's table, which is for a single lab;
 * "" if none was named. On failure returns false with a message. */
bool worksheet_keep(const char *path, const char *out, const char *lab, char *message, size_t size);
/* Writes OUT/gradebook-NAME.csv for each table that was copied, and reports to `said` what was filled in. On failure
 * returns false with a message. */
bool worksheets_fill(const char *out, const json_t *facts, json_t *roster, FILE *said, char *message, size_t size);

#endif
