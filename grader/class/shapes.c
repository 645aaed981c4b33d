/* Defines the layouts of submissions. Each shape has patterns for the paths that it recognizes. */
#include "class/class.h"
#include <regex.h>
#include <stdlib.h>
#include <string.h>

/* A regular expression. For each part of a path, the group that matches it, or 0 if the path does not contain the part.
 * A text file contains predictions if its path matches a pattern of rank RANK_DEEP or better. */
struct pattern {
    const char *regex;
    unsigned student, name, lab, late, version;
    enum class_rank rank;
};
enum { MAX_PATTERNS = 16, MAX_GROUPS = 12 };
struct row {
    const char *name;
    bool folders_are_students; /* whether each top-level folder is a student, even if it is empty */
    bool prefixed;             /* whether a folder's name is ASSIGNMENT-student */
    bool dated;                /* whether the version is the submission time according to the server's clock */
    bool marked;               /* whether the server's folder names, which students do not choose, identify the shape */
    const char *nobody;        /* name that the server gives its test student, who must not be graded; NULL if none */
    struct pattern patterns[MAX_PATTERNS];
};
#define LAB "lab0*([0-9]+)"
#define ANY_LAB "[Ll][Aa][Bb][ _.-]*0*([0-9]+)"
#define ANY_SOURCE "\\.[Cc][Uu](\\.txt)?$"
/* Patterns for the files, to be appended to WHO, which is a pattern with the given number of groups. Candidate files
 * come first, ordered by how clearly the path names the lab. Arbitrary files follow. The handout's own .cu files in
 * common/ are not candidates. */
#define LIKELY(WHO, groups, ...)                                                                                       \
    {WHO "(.*/)?" LAB "\\.cu$", .rank = RANK_DEEP, .lab = (groups) + 2, __VA_ARGS__},                                  \
        {WHO "(.*/)?" LAB "(_[^/]*)?/reduce\\.cu$", .rank = RANK_DEEP, .lab = (groups) + 2, __VA_ARGS__},              \
        {WHO "(.*/)?" LAB "(_[^/]*)?/predictions\\.txt$", .rank = RANK_DEEP, .lab = (groups) + 2, __VA_ARGS__},        \
        {WHO "(.*/)?" LAB "[._-]predictions\\.txt$", .rank = RANK_DEEP, .lab = (groups) + 2, __VA_ARGS__},             \
        {WHO "(.*/)?predictions\\.txt$", .rank = RANK_DEEP, __VA_ARGS__},                                              \
        {WHO "(.*/)?[^/]*" ANY_LAB "[^/]*" ANY_SOURCE, .rank = RANK_LAB, .lab = (groups) + 2, __VA_ARGS__},            \
        {WHO "(.*/)?[^/]*" ANY_LAB "[^/]*/(.*/)?[^/]*" ANY_SOURCE, .rank = RANK_LAB, .lab = (groups) + 2,              \
         __VA_ARGS__},                                                                                                 \
        {WHO "(.*/)?common/(own|timing)\\.cu$", .rank = RANK_OTHER, __VA_ARGS__},                                      \
        {WHO "(.*/)?[^/]*" ANY_SOURCE, .rank = RANK_ANY, __VA_ARGS__}, {                                               \
        WHO, .rank = RANK_OTHER, __VA_ARGS__                                                                           \
    }
#define FOLDER "^([^/]+)/"
/* Canvas writes names in lowercase, keeps their underscores, and leaves no number between two underscores. */
#define CANVAS_WHO "^([^/_]*(_[^/_]*[^/_0-9A-Z][^/_]*)*)_(LATE_)?([0-9]+)_"
#define CANVAS CANVAS_WHO "([0-9]+)_"
#define ANONYMOUS "^(LATE_)?anon_([^/_]+)_([0-9]+_)*"
#define GRADESCOPE "^submission_([0-9]+)/(.*/)?"
/* Moodle exports submissions with or without a folder for each student. */
#define MOODLE_WHO "^([^/]*)_([0-9]+)_assignsubmission_file(_?/|_)"
#define MOODLE MOODLE_WHO "(.*/)?"
#define BLACKBOARD "^([^/]*)_([^/_]+)_attempt_([0-9-]+)_"
#define RECEIPT "^([^/]*)_([^/_]+)_attempt_([0-9-]+)\\.txt$" /* contains the text of a submission without files */
static const struct row rows[] = {
    {.name = "gradescope",
     .marked = true,
     .patterns = {{GRADESCOPE LAB "(_[^/]*)?/reduce\\.cu$", .student = 1, .lab = 3},
                  {GRADESCOPE LAB "(_[^/]*)?/predictions\\.txt$", .student = 1, .lab = 3},
                  {GRADESCOPE LAB "\\.cu$", .student = 1, .lab = 3},
                  {GRADESCOPE LAB "\\.predictions\\.txt$", .student = 1, .lab = 3},
                  {GRADESCOPE "reduce\\.cu$", .student = 1},
                  {GRADESCOPE "predictions\\.txt$", .student = 1},
                  LIKELY("^submission_([0-9]+)/", 1, .student = 1)}},
    {.name = "moodle",
     .marked = true,
     .patterns = {{MOODLE LAB "\\.cu$", .name = 1, .student = 2, .lab = 5},
                  {MOODLE LAB "(_[^/]*)?/reduce\\.cu$", .name = 1, .student = 2, .lab = 5},
                  {MOODLE "reduce\\.cu$", .name = 1, .student = 2},
                  {MOODLE "predictions\\.txt$", .name = 1, .student = 2},
                  {"^([^/]*)_([0-9]+)_assignsubmission_onlinetext[_/]", .name = 1, .student = 2, .rank = RANK_OTHER},
                  LIKELY(MOODLE_WHO, 3, .name = 1, .student = 2)}},
    {.name = "blackboard",
     .dated = true,
     .patterns = {{BLACKBOARD LAB "\\.cu$", .student = 2, .version = 3, .lab = 4},
                  {BLACKBOARD LAB "[._-]predictions\\.txt$", .student = 2, .version = 3, .lab = 4},
                  {BLACKBOARD "reduce\\.cu$", .student = 2, .version = 3},
                  {BLACKBOARD "predictions\\.txt$", .student = 2, .version = 3},
                  {RECEIPT, .student = 2, .version = 3, .rank = RANK_OTHER},
                  LIKELY(BLACKBOARD, 3, .student = 2, .version = 3)}},
    {.name = "canvas",
     .nobody = "studenttest",
     .patterns = {{CANVAS LAB "(-([0-9]+))?\\.cu$", 4, 1, 6, 3, 8},
                  {CANVAS LAB "[._-]predictions(-([0-9]+))?\\.txt$", 4, 1, 6, 3, 8},
                  {CANVAS "reduce(-([0-9]+))?\\.cu$", 4, 1, 0, 3, 7},
                  {CANVAS "predictions(-([0-9]+))?\\.txt$", 4, 1, 0, 3, 7},
                  {CANVAS_WHO "(text|link)\\.html$", .student = 4, .name = 1, .late = 3, .rank = RANK_OTHER},
                  LIKELY(CANVAS, 5, .student = 4, .name = 1, .late = 3)}},
    {.name = "canvas, anonymous",
     .patterns = {{ANONYMOUS LAB "(-([0-9]+))?\\.cu$", 2, 0, 4, 1, 6},
                  {ANONYMOUS LAB "[._-]predictions(-([0-9]+))?\\.txt$", 2, 0, 4, 1, 6},
                  {ANONYMOUS "reduce(-([0-9]+))?\\.cu$", 2, 0, 0, 1, 5},
                  {ANONYMOUS "predictions(-([0-9]+))?\\.txt$", 2, 0, 0, 1, 5},
                  LIKELY(ANONYMOUS, 3, .student = 2, .late = 1)}},
    {.name = "plain",
     .folders_are_students = true,
     .patterns = {{FOLDER LAB "\\.cu$", .student = 1, .lab = 2},
                  {FOLDER LAB "\\.predictions\\.txt$", .student = 1, .lab = 2},
                  {FOLDER LAB "(_[^/]*)?/reduce\\.cu$", .student = 1, .lab = 2},
                  {FOLDER LAB "(_[^/]*)?/predictions\\.txt$", .student = 1, .lab = 2},
                  {FOLDER "reduce\\.cu$", .student = 1},
                  {FOLDER "predictions\\.txt$", .student = 1},
                  LIKELY(FOLDER, 1, .student = 1)}},
    {.name = "github",
     .folders_are_students = true,
     .prefixed = true,
     .patterns = {{FOLDER "labs/" LAB "_[^/]*/reduce\\.cu$", .student = 1, .lab = 2},
                  {FOLDER "labs/" LAB "_[^/]*/predictions\\.txt$", .student = 1, .lab = 2},
                  LIKELY(FOLDER, 1, .student = 1)}},
};
enum { ROWS = sizeof rows / sizeof *rows };

struct class_shape {
    const struct row *row;
    unsigned count;
    regex_t compiled[MAX_PATTERNS];
};
/* Compiles a row's patterns on first use. They last as long as the process. */
const struct class_shape *shape_at(unsigned k) {
    static struct class_shape shapes[ROWS];
    if (k >= ROWS) return NULL;
    struct class_shape *s = &shapes[k];
    const struct row *row = s->row = &rows[k];
    while (s->count < MAX_PATTERNS && row->patterns[s->count].regex &&
           !regcomp(&s->compiled[s->count], row->patterns[s->count].regex, REG_EXTENDED))
        s->count++;
    return s;
}
/* Copies the path to `out` for matching. The student chooses the end of Blackboard's file names, which could contain
 * `_bob_attempt_...` to name another student. So every `_attempt_` after the first date is overwritten. */
static const char *server_part(const struct class_shape *s, const char *path, char out[PATH_MAX]) {
    static const char word[] = "_attempt_", digits[] = "0123456789-";
    bool dated = false;
    if (!s->row->dated) return path;
    snprintf(out, PATH_MAX, "%s", path);
    for (char *at = out; (at = strstr(at, word)); at += sizeof word - 1) {
        if (dated) *at = '-';
        dated = dated || strspn(at + sizeof word - 1, digits) == sizeof "2026-11-22-10-11-12" - 1;
    }
    return out;
}
/* Returns the index of the first pattern of rank `most` or better that matches, or s->count if none does. */
static unsigned pattern_of(const struct class_shape *s, const char *path, enum class_rank most, regmatch_t *m) {
    char own[PATH_MAX];
    const char *text = server_part(s, path, own);
    unsigned k = 0;
    while (k < s->count &&
           (s->row->patterns[k].rank > most || regexec(&s->compiled[k], text, m ? MAX_GROUPS : 0, m, 0)))
        k++;
    return k;
}
bool shape_knows(const struct class_shape *s, const char *path, enum class_rank most) {
    return pattern_of(s, path, most, NULL) < s->count;
}
/* Counts the students whose folders or files the shape recognizes. Exact names break ties between shapes. For a
 * `marked` shape, each student counts twice, because folders with such unusual names rarely occur by chance. Paths of
 * the same folder must be adjacent. */
static size_t votes(const struct class_shape *s, const char *const *paths, size_t count) {
    size_t known = 0, exact = 0;
    for (size_t n = 0; n < count;) {
        const size_t top = strcspn(paths[n], "/") + 1;
        bool any = false, name = false;
        for (const char *first = paths[n]; n < count && !strncmp(first, paths[n], top); n++) {
            name = name || shape_knows(s, paths[n], RANK_NAME);
            any = any || name || shape_knows(s, paths[n], RANK_ANY);
        }
        known += any, exact += name;
    }
    return (s->row->marked ? 2 : 1) * known * (count + 1) + exact;
}
/* Returns whether a path is in a folder that is named like a repository. */
static bool has_repository(const char *prefix, const char *const *paths, size_t count) {
    size_t k = 0;
    while (k < count && (strncmp(paths[k], prefix, strlen(prefix)) != 0 || !strchr(paths[k], '/'))) k++;
    return *prefix && k < count;
}
const struct class_shape *shape_choose(const char *name, const char *prefix, const char *const *paths, size_t count) {
    const struct class_shape *best = NULL;
    size_t most = 0;
    if (!name && has_repository(prefix, paths, count)) name = "github";
    for (unsigned k = 0; k < ROWS; k++) {
        if (name && strcmp(name, rows[k].name) != 0) continue;
        const struct class_shape *s = shape_at(k);
        const size_t known = (name != NULL) + votes(s, paths, count);
        if (known > most) best = s, most = known;
    }
    return best;
}
const char *shape_name(const struct class_shape *s) { return s->row->name; }
bool shape_marked(const struct class_shape *s) { return s->row->marked; }
bool shape_folders_are_students(const struct class_shape *s) { return s->row->folders_are_students; }

/* Returns the length of ASSIGNMENT_LOGIN in the name of a Blackboard file, or 0 for any other name. */
static size_t head_of(const struct class_shape *s, const char *path) {
    regmatch_t m[MAX_GROUPS];
    const unsigned k = pattern_of(s, path, RANK_OTHER, m);
    return k < s->count ? (size_t)m[s->row->patterns[k].student].rm_eo : 0;
}
void shape_assignment(const struct class_shape *s, const char *const *paths, size_t count, char out[NAME_MAX + 1]) {
    const char *first = NULL;
    size_t common = 0;
    bool differ = false;
    for (size_t k = 0; s->row->dated && k < count; k++) {
        const size_t length = head_of(s, paths[k]);
        size_t n = 0;
        if (!length) continue;
        if (!first) first = paths[k], common = length;
        while (n < common && n < length && paths[k][n] == first[n]) n++;
        differ = differ || n < common || n < length;
        common = n;
    }
    while (common && first[common - 1] != '_') common--;
    if (differ) snprintf(out, NAME_MAX + 1, "%.*s", (int)common, first);
}

/* Copies group k of a match, or "" if the group did not match. */
static void group(const char *path, const regmatch_t *m, unsigned k, char *out, size_t size) {
    const size_t n = k && m[k].rm_so >= 0 ? (size_t)(m[k].rm_eo - m[k].rm_so) : 0;
    snprintf(out, size, "%.*s", (int)n, n ? path + m[k].rm_so : "");
}
/* Returns the offset after "lab3-" in a folder's name, at its start or after another "-". Returns 0 if there is
 * none. */
static size_t behind_lab(const char *folder) {
    for (const char *at = folder; (at = strstr(at, "lab")); at++) {
        const size_t n = strspn(at + 3, "0123456789");
        if ((at == folder || at[-1] == '-') && n && at[3 + n] == '-') return (size_t)(at - folder) + n + 4;
    }
    return 0;
}
void shape_student(const struct class_shape *s, const char *prefix, char *folder) {
    if (!s->row->prefixed) return;
    const size_t given = strlen(prefix), n = strncmp(folder, prefix, given) || !given ? behind_lab(folder) : given;
    if (folder[n]) memmove(folder, folder + n, strlen(folder + n) + 1);
}
size_t shape_repositories(const char *folder) {
    const char *tail = strstr(folder, "-submissions");
    if (!tail) tail = strstr(folder, "_submissions_");
    return tail ? (size_t)(tail - folder) : 0;
}
/* Parses a number, or a date of digits and "-" as a number that sorts by time. */
static unsigned long digits(const char *word) {
    unsigned long value = 0;
    for (; *word; word++)
        if (*word >= '0' && *word <= '9') value = 10 * value + (unsigned long)(*word - '0');
    return value;
}
static time_t local_time(const char *word) {
    struct tm t = {.tm_isdst = -1};
    const char *end = strptime(word, "%Y-%m-%d-%H-%M-%S", &t);
    const time_t at = end && !*end ? mktime(&t) : -1;
    return at > 0 ? at : 0;
}
bool shape_file(const struct class_shape *s, const char *path, const char *prefix, const char *lab,
                struct class_file *out) {
    regmatch_t m[MAX_GROUPS];
    char word[32];
    const unsigned k = pattern_of(s, path, RANK_OTHER, m);
    if (k == s->count) return false;
    const struct pattern *p = &s->row->patterns[k];
    *out = (struct class_file){.rank = p->rank};
    const size_t given = s->row->dated ? strlen(prefix) : 0;
    if (given && !strncmp(path, prefix, given)) m[p->student].rm_so = (regoff_t)given;
    group(path, m, p->student, out->student, sizeof out->student);
    group(path, m, p->name, out->name, sizeof out->name);
    if (s->row->nobody && !strcmp(out->name, s->row->nobody)) return false;
    group(path, m, p->lab, word, sizeof word);
    snprintf(out->lab, sizeof out->lab, "lab%.8s", word);
    group(path, m, p->late, word, sizeof word);
    out->late = word[0];
    group(path, m, p->version, word, sizeof word);
    out->version = digits(word), out->numbered = p->version;
    if (s->row->dated) out->handed_in = local_time(word);
    out->predictions = strcmp(path + strlen(path) - 4, ".txt") == 0 && p->rank <= RANK_DEEP;
    if (!p->lab) snprintf(out->lab, sizeof out->lab, "%s", lab);
    shape_student(s, prefix, out->student);
    return true;
}
