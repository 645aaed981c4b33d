/* `./grade class`: grades the submissions of a whole class. GNU Make (gradebook.mk) decides which records are out of
 * date and grades in parallel. This module lays out the files that Make works on, grades one unit at a time, and
 * summarizes the class.
 *
 *   class.c         the command line
 *   shapes.c        layouts of submissions: plain folders, exports of Gradescope, Moodle, Blackboard, Canvas, GitHub
 *   people.c        students' folder names, the roster (JSON), lists of names (CSV, YAML)
 *   compose.c       composes accented letters in names
 *   listing.c       the submitted files; unpack.c unpacks archives among them; layout.c checks their folders
 *   import.c        creates the folder that Make works on; submitted.c reads a submitted text
 *   loose.c         files that belong to no submission
 *   attempts.c      multiple attempts at a lab: uses the newest, or grades all and uses the best
 *   commit.c        the time at which a file was submitted
 *   settings.c      the settings of all grades
 *   future.c        files dated in the future
 *   grade.c         grades a unit and reports progress
 *   facts.c         collects all records in one JSON object; summary.c summarizes each lab
 *   alike.c         similar submissions, with fingerprints.c and chance.c
 *   skeleton.c      maps lines of a submission to the skeleton
 *   overrides.c     the instructor's changes to marks; lateness.c applies deadlines; sheet.c reads the tables of both
 *   report.c        writes the results with csv.c (gradebook), attention.c (list for the instructor), page.c (HTML,
 *                   from page.html, class.css, class.js), reports.c (a page per submission) and worksheet.c (tables
 *                   that an LMS exports)
 *   feedback.c      writes the reports for students
 *
 * The class's folder OUT contains the following files. A UNIT is FOLDER/LAB.
 *
 *   roster.json, units (one per line), settings.json (device, compiler, sandbox, fixes, the secret seed)
 *   overrides.csv, extensions.csv                     written by the instructor
 *   export/, unpacked/                                submitted archives
 *   submissions/UNIT/reduce.cu, predictions.txt
 *   records/UNIT.json, faults/UNIT.json               a grade, or the reason why the setup failed
 *   progress, tmp/, and working files of gradebook.sh and slurm.sh
 *   class.json, gradebook*.csv, fixes.csv, class.html, attention.txt, reports/UNIT.html
 *   worksheets/                                       unchanged tables from an LMS
 *   feedback/, feedback-upload/, feedback.csv         for students
 *
 * class.json has a schema, a title, and three lists:
 *
 *   labs[]        settings of the course, submissions, ends, scores by tens, mean and median of final points, causes[],
 *                 fixes, tests[], findings[] with lines[] of the skeleton, cases[], same_groups, similar
 *   students[]    total, and labs with status, score, max, late, advice, cause and report. An override adds override,
 *                 graded and comment; an extension adds due; a late submission adds lateness, penalty and slip_days;
 *                 multiple attempts add attempt and unit
 *   attention[]   entries for the instructor */
#ifndef CLASS_CLASS_H
#define CLASS_CLASS_H

#include <argp.h>
#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

struct class_place {
    const char *root;
};
/* Runs the command; argv[0] is "class". Returns the exit status: 0, 2 (usage error), or 3 (a submission is ungraded, or
 * the setup failed). */
int class_command(int argc, char **argv, const struct class_place *place);

struct class_options {
    const char *out, *from, *lab, *shape, *roster, *seed, *device, *compiler, *unit, *count;
    bool trusted; /* whether the submissions are trusted, so that no sandbox is used */
    bool fixes;   /* whether to search for a fix of each failing submission */
};

/* ---- shapes.c -------------------------------------------------------------------------------- */
enum class_rank {
    RANK_NAME, /* requested name at the requested path */
    RANK_DEEP, /* requested name, in a folder or an archive */
    RANK_LAB,  /* path that names the lab: lab_3 (final).cu, Lab03/main.cu */
    RANK_ANY,  /* any other .cu file */
    RANK_OTHER /* any other file of a student, reported only if nothing better exists */
};
struct class_file {
    char student[NAME_MAX + 1]; /* identifier in the path: a folder, a login, or a number */
    char name[NAME_MAX + 1];    /* name to display; "" if the path has none */
    char lab[16];               /* "lab3" */
    bool predictions;           /* whether the file is predictions.txt instead of reduce.cu */
    bool late;
    enum class_rank rank;
    time_t handed_in;      /* submission time in the path; 0 if unknown */
    unsigned long version; /* number of the attempt; the newest attempt has the highest number */
    bool numbered;         /* whether paths of this pattern contain the attempt's number */
};
/* A layout of submitted files, such as Moodle's: a row of the table in shapes.c, with compiled patterns. */
struct class_shape;
/* Returns the shape called `name`. If `name` is NULL, chooses a shape: "github" if `prefix` is not "" and some folder's
 * name begins with it, otherwise the shape that recognizes the most students; a student counts twice if
 * shape_marked() is true for the shape. Returns NULL if no shape has that name or recognizes a student. Paths are
 * relative to the folder of submissions. */
const struct class_shape *shape_choose(const char *name, const char *prefix, const char *const *paths, size_t count);
/* Returns shape k, or NULL if there is none. */
const struct class_shape *shape_at(unsigned k);
/* Returns whether the shape recognizes the path as part of a submission, with rank `most` or better. */
bool shape_knows(const struct class_shape *s, const char *path, enum class_rank most);
const char *shape_name(const struct class_shape *s);
#define CLASS_SHAPES "gradescope, moodle, blackboard, canvas, github or plain"
bool shape_folders_are_students(const struct class_shape *s);
bool shape_marked(const struct class_shape *s); /* whether an LMS's folder names identify the shape */
/* Converts a top-level folder's name to a student's name in place. For GitHub Classroom, removes `prefix`, or all up to
 * "lab3-". */
void shape_student(const struct class_shape *s, const char *prefix, char *folder);
/* Returns the length of the part before "submissions" in the name of a folder of repositories, or 0 for any other name.
 * Such a name is ASSIGNMENT-submissions (GitHub Classroom) or CLASSROOM-ASSIGNMENT_submissions_DATE (classroom50). */
size_t shape_repositories(const char *folder);
/* Writes "ASSIGNMENT_", the start that all of Blackboard's file names share. The login that follows may also contain
 * "_". Leaves `out` unchanged for other shapes, or if there is only one student. */
void shape_assignment(const struct class_shape *s, const char *const *paths, size_t count, char out[NAME_MAX + 1]);
/* Classifies a file. Returns false if it is not part of a submission. If the path does not name a lab, the file is
 * for `lab`, or for no lab if that is "". */
bool shape_file(const struct class_shape *s, const char *path, const char *prefix, const char *lab,
                struct class_file *out);

/* ---- unpack.c, listing.c --------------------------------------------------------------------- */
struct unpack {
    const char *archive, *folder; /* absolute paths; unpack() creates the folder */
    bool all, trusted; /* all: whether to extract everything, with larger limits; trusted: whether to work without the
                          sandbox */
};
/* Returns the length of the path's extension if it is an archive's extension (.zip, .tar.gz, ...), or 0. */
size_t unpack_knows(const char *path);
/* Unpacks the archive. On failure, returns false and sets *message to the reason, to be printed after the archive's
 * name. The folder then does not exist. */
bool unpack(const struct unpack *u, char *message, size_t size);
/* Returns whether the file system of the folder has room for a submission of the maximum unpacked size. */
bool unpack_has_room(const char *folder);

#define LIST_OF_GRADESCOPE "submission_metadata.yml"
enum {
    LISTING_UNPACKED = -1, /* an archive whose files are also listed */
    LISTING_HIDDEN = -2    /* a file or folder whose name begins with a dot */
};
struct listing {
    char **path; /* files, top-level folders, and folders that were not read ("ada/x/"), relative to the folder of
                    submissions */
    short *kind; /* FTS_F, FTS_D, ... or LISTING_... */
    size_t count;
    unsigned path_room, kind_room;
    json_t *loose;                      /* files and folders that belong to no submission (loose.c) */
    bool metadata;                      /* whether the folder contains LIST_OF_GRADESCOPE */
    char root[PATH_MAX], out[PATH_MAX]; /* folder of submissions; class's folder */
    json_t *reasons;                    /* why files could not be read: {"ada/lab3.zip": "is locked by a password"} */
    json_t *archives;                   /* folders of unpacked archives: {"ada/lab3": "ada/lab3.zip"} */
};
/* Lists the files in o->from, which is a folder or an archive, and unpacks the archives in it into o->out. Returns
 * 0, or the exit status after printing an error. Call listing_free() in both cases. */
int listing_read(struct listing *l, const struct class_options *o);
/* Returns whether a file of that name may be part of a submission, or an archive that contains one. Checks only the end
 * of the name; shapes.c decides. */
bool listing_likely(const char *path);
/* Writes the path with which a listed file can be opened. */
void listing_place(const struct listing *l, const char *path, char out[PATH_MAX]);
/* Writes the path of the submitted file or, if it is in an archive, of the archive. The times of files in an archive
 * are unreliable, because the student can set them. */
void listing_origin(const struct listing *l, const char *path, char out[PATH_MAX]);
void listing_free(struct listing *l);

/* ---- layout.c -------------------------------------------------------------------------------- */
struct course;
/* If the listed folder contains repositories (shape_repositories()), writes the part of their names before the
 * student's name: ASSIGNMENT- or CLASSROOM-ASSIGNMENT-. Otherwise, leaves `prefix` unchanged. */
void layout_prefix(const struct listing *l, char prefix[NAME_MAX + 1]);
/* Rejects submissions in two layouts, and folders of labs instead of students, unless the user chose a layout. Returns
 * 0, or the exit status after printing an error. */
int layout_check(const struct listing *l, const struct class_shape *s, const struct class_options *o,
                 const struct course *course);
/* Rejects the folder `from` if it seems to contain the class one level deeper. Returns 0, or the exit status after
 * printing an error. */
int layout_check_depth(const struct listing *l, const struct class_shape *s, const char *from);

/* ---- loose.c --------------------------------------------------------------------------------- */
/* Reasons why a file or folder belongs to no submission. */
enum loose {
    LOOSE_LAB,     /* a student's file whose lab is unknown or not part of the course */
    LOOSE_STUDENT, /* a file outside all students' folders */
    LOOSE_HIDDEN,  /* a top-level folder whose name begins with a dot */
    LOOSE_KINDS
};
/* Adds the path to `loose`, {REASON: [path, ...]}. The roster keeps one for each imported lab: {"lab3": loose}. */
void loose_add(json_t *loose, enum loose kind, const char *path);
const char *loose_first(const json_t *loose, enum loose kind); /* the first path of that kind, or NULL */
/* Prints a line for each kind. */
void loose_tell(const json_t *loose);
/* Adds the paths to the attention list. */
void loose_attend(const json_t *loose, const char *lab, json_t *attention);

/* ---- submitted.c ----------------------------------------------------------------------------- */
/* Reads at most `most` bytes of a submitted file. Converts UTF-16 and UTF-32 to UTF-8, and line ends of \r alone to \n.
 * free() the result. If the file is not a text, returns NULL and writes the reason to `why`, to be printed after the
 * file's name. */
char *submitted_text(const char *path, size_t most, size_t *length, char *why, size_t size);

/* ---- attempts.c ------------------------------------------------------------------------------ */
/* Returns the attempt that the file belongs to, an object {"version", ...} in unit["attempts"]. Creates it if it is
 * missing. */
json_t *attempt_of(json_t *unit, const struct class_file *f);
/* Copies the members of the newest attempt to the unit, and adds the unit to `units`, {"ada/lab3": unit}. With `all`,
 * also adds each other attempt as a separate unit ("ada_v2/lab3") and lists these in "attempts", oldest first. Without
 * `all`, adds notes that name their files. */
void attempts_settle(json_t *unit, const char *lab, bool all, json_t *units);
/* Shortens the name of an attempt's folder, such as ada_v2, to that of the student's folder, in place. */
void attempt_student(char *folder);
/* Adds a note for the instructor, which is formatted from two texts, unless the unit has the same note. */
void unit_note(json_t *unit, const char *format, const char *a, const char *b);

/* ---- settings.c ------------------------------------------------------------------------------ */
/* Checks the options of an import that choose settings. Returns 0, or the exit status after printing an error. */
int settings_check(const struct class_options *o);
/* Writes OUT/settings.json. Draws the seed unless one is given or was drawn before. Returns 0, or the exit status after
 * printing an error. */
int settings_write(const struct class_options *o);
/* Writes the file OUT/name, which only its owner can read. */
bool settings_save(const char *out, const char *name, const json_t *value);

/* ---- future.c -------------------------------------------------------------------------------- */
/* Shifts the times of the class's records, submissions and settings.json that lie in the future. The shift is the same
 * for all of them, so that none is later than now and their order is kept. */
void future_mend(const char *out);

/* ---- commit.c -------------------------------------------------------------------------------- */
/* Returns the time of a submitted file and its source: {"handed_in": seconds since 1970, "time_of": "server", "commit"
 * or "file"}. Uses `server` unless it is 0, else the last commit that changed the file, else the file's own time. */
json_t *file_time(time_t server, const char *path, bool trusted);
/* Prints to `said` the number of files whose repositories git could not read, and the first reason. */
void commit_tell(FILE *said);
/* Copies the time of the unit's later file, reduce.cu (unit["time"]) or predictions.txt (unit["predictions_time"]), to
 * the unit. The unit is late if one of its files is marked as late. */
void submission_time(json_t *unit);

/* ---- people.c -------------------------------------------------------------------------------- */
enum { FOLDER_SIZE = 160 };
/* Converts any bytes to a JSON string. If they are not UTF-8, each non-ASCII byte becomes ?. */
json_t *text_json(const char *bytes);
/* Converts UTF-16 or UTF-32, as some Windows programs write it, to UTF-8. A text without a byte order mark is
 * recognized if its first character is ASCII. Returns any other text unchanged. Takes ownership of `data`; free() the
 * result. */
char *text_utf8(char *data, size_t *length);
/* Composes letters and accents in place, so that a name from macOS (e and U+0301) equals one from other systems
 * (U+00E9): Unicode's canonical composition of Latin, modern Greek, Cyrillic, kana and Hangul, for names that have no
 * other marks. The text never becomes longer. */
void text_compose(char *text);
/* Returns the text of a member, or "" if it is missing. */
const char *text_of(const json_t *object, const char *key);
/* Returns the student in roster["students"] with that id or, ignoring case, that alias. If there is none, creates the
 * student if `make` is set, and otherwise returns NULL. */
json_t *roster_student(json_t *roster, const char *id, bool make);
/* Adds the people in a CSV file to the roster. The header must name a column that identifies students, such as `id`,
 * `email` or `github_username` (people.c). On failure, returns false with a message. */
bool roster_add_csv(json_t *roster, const char *path, char *message, size_t size);
/* Reads Gradescope's submission_metadata.yml into {"submission_12": [{"name", "sid", "email"}, ...], ...}. The
 * member "times" contains the submission times in seconds since 1970: {"submission_12": time}. On failure, returns
 * NULL. */
json_t *gradescope_people(const char *path, char *message, size_t size);
/* Parses a time such as "2026-11-22 10:11:12.5 -0800" or Moodle's "Sunday, 22 November 2026, 10:11 AM", which is in the
 * machine's time zone. Returns 0 if it is invalid. */
time_t time_of_zone(const char *text);

/* ---- import.c, grade.c, report.c ------------------------------------------------------------- */
/* Each of these functions runs a subcommand and returns its exit status. */
int class_import(const struct class_options *o, const struct class_place *place);
int class_begin(const struct class_options *o);
int class_progress(const struct class_options *o);
int class_grade(const struct class_options *o);
int class_feedback(const struct class_options *o); /* in feedback.c */
/* Writes the name that the server expects for the report on a submitted file. For Moodle, this is a file in the
 * submission's folder. For Canvas, it is the submitted file's name, with the lab's id appended if missing, and the
 * extension .html. */
void feedback_name(const char *from, const char *lab, char out[PATH_MAX]);
int class_report(const struct class_options *o, const struct class_place *place);
extern const struct argp_option class_option_rows[]; /* terminated by a row without a name */

/* ---- skeleton.c ------------------------------------------------------------------------------ */
struct lab;
/* Returns the text of the lab's reduce.cu in `folder`, which is "labs" or "solutions", or NULL. free() it. */
char *skeleton_text(const struct class_place *place, const char *folder, const struct lab *lab);
/* Returns whether two strings are equal except for whitespace. */
bool skeleton_unchanged(const char *skeleton, const char *text);
/* Maps each line of `text`, counted from 1, to a line of the skeleton: the line that it equals, the line that it
 * replaces, or the line after which it was inserted. Element 0 is unused. Returns NULL if out of memory or if a text is
 * too long to compare. free() the result. */
unsigned *skeleton_lines(const char *skeleton, const char *text, unsigned *count);

/* ---- facts.c: the class in one object -------------------------------------------------------- */
/* Returns the facts about the class, which become class.json. Returns NULL with a message if labs/course.conf,
 * OUT/extensions.csv or OUT/overrides.csv is invalid. */
json_t *class_facts(const char *out, const json_t *roster, const struct class_place *place, char *message, size_t size);

/* Writes OUT/reports/FOLDER/lab3.html for each record. The member "report" of a mark is the name of this file.
 * Removes "report" from the marks of a very large class (reports.c). */
bool class_reports(const char *out, json_t *facts);

/* ---- csv.c, attention.c, page.c: pure functions of the facts ------------------------------- */
enum class_csv { CSV_OWN, CSV_CANVAS, CSV_GRADESCOPE };
void class_csv(const json_t *facts, enum class_csv form, FILE *out);
void class_attention(const json_t *facts, FILE *out);
/* Return the title, name and remedy of kind k in the attention list. attention_title() is NULL after the last kind. */
const char *attention_title(unsigned k);
const char *attention_what(unsigned k);
const char *attention_remedy(unsigned k);
void class_page(const json_t *facts, FILE *out);
/* Writes a CSV cell. Quotes it if necessary, and prevents a spreadsheet from reading it as a formula. */
void csv_cell(const char *text, FILE *out);
/* Maximum number of columns that are read. Canvas writes one for each assignment and group of assignments. */
enum { CSV_MAX_COLUMNS = 4096 };
/* Skips a byte order mark, the line `sep=;` that some spreadsheets write, and blank lines. Sets *line to the number of
 * the header's line. Returns false if the text contains a NUL byte, at which parsing would stop. */
bool csv_begin(char **at, size_t length, unsigned *line);
#define CSV_NO_TEXT "the file contains a NUL byte, so the rest of the file would be lost: save the file again as CSV"
/* Returns the separator of a CSV file (a comma, semicolon or tab), which it finds in the first line. */
char csv_separator(const char *text);
/* Returns the number of the first line that is not UTF-8, or 0. */
unsigned csv_not_utf8(const char *text);
#define CSV_NOT_UTF8 "the line is not UTF-8: save the file as CSV in UTF-8"
#define CSV_OPEN "a quotation mark is not closed, so the rest of the file would be lost: close it"
/* Splits a row of a CSV file in place. Advances *text past the row, and *line past its lines, because quoted cells may
 * contain line breaks. Returns the number of cells, at most `most`. If a quotation mark is not closed, advances *text
 * to the end, leaves *line unchanged, and returns 0. */
unsigned csv_split(char **text, char separator, char **cells, unsigned most, unsigned *line);
/* Does the same as csv_split(), and strips whitespace and invisible characters around each cell. */
unsigned csv_words(char **text, char separator, char **cells, unsigned most, unsigned *line);

/* ---- worksheet.c: fills in tables exported from an LMS ----------------------------------------- */
/* Copies the file to OUT/worksheets if it is a table exported from an LMS. `lab` is the lab that a Moodle table is for
 * (each covers one lab), or "" if the user named none. On failure, returns false with a message. */
bool worksheet_keep(const char *path, const char *out, const char *lab, char *message, size_t size);
/* Writes OUT/gradebook-NAME.csv for each copied table. Prints to `said` which columns it fills, and the labs and
 * students that it leaves out. On failure, returns false with a message. */
bool worksheets_fill(const char *out, const json_t *facts, json_t *roster, FILE *said, char *message, size_t size);

#endif
