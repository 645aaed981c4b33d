/* Writes the students' reports as pages and text, as files that an LMS imports, and as a table for a mail
 * merge. The reports omit the seed and everything else that would reveal a hidden case. */
#include "base/file.h"
#include "base/hash.h"
#include "class/facts.h"
#include "report/hidden.h"
#include "report/sink.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- omitted parts -------------------------------------------------------------------------- */
enum { LONG_SEED = 6 /* minimum number of digits to remove; a shorter seed could match another number in a report */ };
/* Removes " --seed N" from the text. If N is long enough, removes N everywhere else, too. */
static json_t *without(const char *text, const char *seed) {
    char *out = strdup(text), option[60];
    snprintf(option, sizeof option, " --seed %.40s", seed);
    const char *const words[] = {option, strlen(seed) < LONG_SEED ? "" : seed};
    for (unsigned k = 0; out && k < sizeof words / sizeof *words; k++)
        for (char *at = out; *words[k] && (at = strstr(at, words[k]));)
            memmove(at, at + strlen(words[k]), strlen(at + strlen(words[k])) + 1);
    json_t *clean = text_json(out ? out : "");
    free(out);
    return clean;
}
static void scrub(json_t *value, const char *seed) {
    static const char *const secret[] = {"replay", "witness", "history", "fix_found"};
    const char *key;
    void *next;
    json_t *item;
    size_t k;
    for (k = 0; json_is_object(value) && k < sizeof secret / sizeof *secret; k++) json_object_del(value, secret[k]);
    json_object_foreach_safe(value, next, key, item) {
        if (json_is_string(item))
            json_object_set_new(value, key, without(json_string_value(item), seed)); /* `item` is freed here */
        else
            scrub(item, seed);
    }
    json_array_foreach(value, k, item) {
        if (json_is_string(item))
            json_array_set_new(value, k, without(json_string_value(item), seed));
        else
            scrub(item, seed);
    }
}

/* ---- one report -------------------------------------------------------------------------------- */
/* Writes a sentence about the points that count, such as "70 points count instead of 80: 2 h 0 min late, 10 points
 * off". If the mark is not late, not overridden, and not for one of several attempts, writes only the comment, or "".
 */
static void put_counts(const json_t *mark, char *out, size_t size) {
    const char *late = text_of(mark, "lateness"), *comment = text_of(mark, "comment"),
               *attempt = text_of(mark, "attempt");
    out[0] = 0;
    if (!*late && !*attempt && !json_object_get(mark, "override")) {
        if (*comment) snprintf(out, size, "comment: %s", comment);
        return;
    }
    const long long points = json_integer_value(json_object_get(mark, "score"));
    const json_t *graded = json_object_get(mark, "graded");
    char instead[40] = "";
    if (graded && json_integer_value(graded) != points)
        snprintf(instead, sizeof instead, " instead of %lld", (long long)json_integer_value(graded));
    snprintf(out, size, "%lld point%s%s%s%s%s%s%s%s%s", points, points == 1 ? " counts" : "s count", instead,
             *attempt ? ", of attempt " : "", attempt,
             json_object_get(mark, "override") ? ", set by the instructor" : "", *late ? ": " : "", late,
             *comment ? "; " : "", comment);
}
/* Writes the report to each path in the list, which ends with NULL. */
static bool write_report(const json_t *record, const char *sink, const char *const paths[]) {
    const struct sink_options options = {.explain = true};
    char *text = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&text, &length);
    bool ok = f && sink_write(sink_find(sink), record, f, &options);
    if (f) ok &= fclose(f) == 0;
    for (; ok && *paths; paths++) ok = file_replace(*paths, text, length, 0644);
    free(text);
    return ok;
}
enum { LONGEST_STEM = 200 }; /* leaves room for the rest of the name and for what file_replace() appends */
/* Shortens the stem of a file name to `most` bytes: its start, without a part of a character, and a hash. */
static void shorten(char *stem, size_t most) {
    char end[20];
    if (strlen(stem) <= most) return;
    most -= (size_t)snprintf(end, sizeof end, "_%016llx", (unsigned long long)hash_text(HASH_START, stem));
    while (most && (stem[most] & 0xc0) == 0x80) most--;
    strcpy(stem + most, end);
}
void feedback_name(const char *from, const char *lab, char out[PATH_MAX]) {
    const int top = (int)strcspn(from, "/");
    char stem[NAME_MAX + 1];
    snprintf(stem, sizeof stem, "%.*s", top, from);
    char *dot = from[top] ? NULL : strrchr(stem, '.');
    if (dot) *dot = 0;
    static const char moodle[] = "_assignsubmission_file";
    char *end = strstr(stem, moodle);
    if (end) {
        end += sizeof moodle - 1, end[*end == '_'] = 0; /* an export without folders has this part in file names */
        snprintf(out, PATH_MAX, "%s/%s.html", stem, lab);
        return;
    }
    shorten(stem, LONGEST_STEM);
    snprintf(out, PATH_MAX, "%s%s%s.html", stem, strstr(stem, lab) ? "" : "_", strstr(stem, lab) ? "" : lab);
}
struct feedback {
    const char *out, *seed;
    const json_t *roster;
    FILE *mails;
    unsigned reports, only_mailed; /* only_mailed: comments of students without a report */
    bool no_advice;                /* whether the advice of the last report was about a hidden check */
};
/* Returns the student with that folder. The folder is the student's key, shortened if it exceeds 120 bytes. */
static const json_t *roster_of(const json_t *roster, const char *folder) {
    json_t *students = json_object_get(roster, "students"), *student = json_object_get(students, folder);
    const char *key;
    if (student) return student;
    json_object_foreach(students, key, student) if (!strcmp(text_of(student, "folder"), folder)) return student;
    return NULL;
}
/* Returns the roster entry of the submission that the mark is for, which is the student's newest attempt or an earlier
 * attempt. */
static const json_t *entry_of(const json_t *student, const char *lab, const json_t *mark) {
    const json_t *newest = json_object_get(json_object_get(student, "labs"), lab);
    const char *unit = text_of(mark, "unit");
    size_t k;
    json_t *one;
    json_array_foreach(json_object_get(newest, "attempts"), k,
                       one) if (!strcmp(text_of(one, "folder"), unit)) return one;
    return newest;
}
/* Returns which checks students may see now. Feedback reveals hidden checks only after the deadline. */
static enum visibility visible_now(const json_t *lab) {
    time_t deadline;
    const bool open = deadline_read(text_of(lab, "deadline"), &deadline) && time(NULL) < deadline;
    return open ? VISIBLE : VISIBLE_AFTER_PUBLISHED;
}
static void put_hidden(size_t hidden, char *out, size_t size) {
    const size_t n = strlen(out);
    if (hidden)
        snprintf(out + n, size - n, "%s%zu check%s hidden; you see only %s points", n ? "; " : "", hidden,
                 hidden == 1 ? " is" : "s are", hidden == 1 ? "its" : "their");
}
/* Sets the rules for submitting, which may have changed since the submission was graded, and the student's own
 * deadline. */
static void put_rules(json_t *course, json_t *now, json_t *extended) {
    static const char *const members[] = {"deadline", "late", "attempts"};
    for (unsigned k = 0; k < sizeof members / sizeof *members; k++) json_object_del(course, members[k]);
    if (now) json_object_update(course, now);
    if (extended) json_object_set(course, "deadline", extended);
}
static bool report_of(struct feedback *f, const json_t *student, const json_t *of_lab, const json_t *mark,
                      char name[PATH_MAX]) {
    const char *folder = text_of(student, "folder"), *lab = text_of(of_lab, "id");
    const json_t *entry = entry_of(roster_of(f->roster, folder), lab, mark);
    char path[PATH_MAX], page[PATH_MAX], upload[PATH_MAX], counts[600], server[PATH_MAX];
    snprintf(path, sizeof path, "%s/records/%s/%s.json", f->out, text_of(entry, "folder"), lab);
    json_t *record = json_load_file(path, 0, NULL);
    name[0] = 0;
    if (!record) return true; /* not submitted or not graded */
    scrub(record, f->seed);
    json_object_set_new(record, "seed", json_string("not shown"));
    put_counts(mark, counts, sizeof counts);
    const bool advised = *text_of(record, "advice");
    put_hidden(hidden_remove(record, visible_now(of_lab)), counts, sizeof counts);
    f->no_advice = advised && !*text_of(record, "advice");
    json_t *course = json_object_get(record, "course");
    if (!course) json_object_set_new(record, "course", course = json_object());
    put_rules(course, json_object_get(of_lab, "rules"), json_object_get(mark, "due"));
    if (*counts) json_object_set_new(course, "points", text_json(counts));
    snprintf(name, PATH_MAX, "%.200s/%s.html", folder, lab);
    snprintf(path, sizeof path, "%s/feedback/%.200s/%s.txt", f->out, folder, lab);
    snprintf(page, sizeof page, "%s/feedback/%.200s/%s.html", f->out, folder, lab);
    feedback_name(text_of(entry, "from"), lab, server);
    snprintf(upload, sizeof upload, "%s/feedback-upload/%.3000s", f->out, server);
    const bool ok = write_report(record, "text", (const char *const[]){path, NULL}) &&
                    write_report(record, "html", (const char *const[]){page, upload, NULL});
    json_decref(record);
    f->reports += ok;
    return ok;
}

/* ---- all reports ------------------------------------------------------------------------------- */
/* Returns what the student should know first: the advice of the report, or why no file was graded. */
static char *first_thing(const struct feedback *f, const json_t *student, const char *lab, const json_t *mark) {
    if (f->no_advice) return strdup("");
    if (strcmp(text_of(mark, "status"), class_mark_word(MARK_REFUSED)) != 0) return strdup(text_of(mark, "advice"));
    const json_t *entry = entry_of(roster_of(f->roster, text_of(student, "folder")), lab, mark);
    char *text = NULL;
    size_t length = 0, k;
    json_t *note;
    FILE *out = open_memstream(&text, &length);
    json_array_foreach(json_object_get(entry, "notes"), k, note) if (out)
        fprintf(out, "%s%s", k ? "; " : "not graded: ", json_string_value(note));
    if (out) fclose(out);
    return text;
}
/* Returns the student's address. Canvas exports none, but many schools use it as the login. */
static const char *address_of(const json_t *student) {
    static const char *const members[] = {"email", "sis_login_id", "login", "id"};
    for (unsigned k = 0; k < sizeof members / sizeof *members; k++)
        if (strchr(text_of(student, members[k]), '@')) return text_of(student, members[k]);
    return "";
}
static void put_mail(struct feedback *f, const json_t *student, const char *lab, const json_t *mark, const char *name) {
    const char *const person[] = {address_of(student), text_of(student, "name"), text_of(student, "id")};
    for (unsigned k = 0; k < sizeof person / sizeof *person; k++) csv_cell(person[k], f->mails), fputc(',', f->mails);
    csv_cell(lab, f->mails);
    fputc(',', f->mails);
    if (json_object_get(mark, "score"))
        fprintf(f->mails, "%lld", (long long)json_integer_value(json_object_get(mark, "score")));
    fputc(',', f->mails);
    csv_cell(*text_of(mark, "status") ? text_of(mark, "status") : class_mark_word(MARK_MISSING), f->mails);
    char *first = first_thing(f, student, lab, mark);
    const char *const words[] = {text_of(mark, "lateness"), text_of(mark, "comment"), first ? first : ""};
    for (unsigned k = 0; k < sizeof words / sizeof *words; k++) {
        json_t *clean = without(words[k], f->seed);
        fputc(',', f->mails);
        csv_cell(json_string_value(clean), f->mails);
        json_decref(clean);
    }
    free(first);
    fputc(',', f->mails);
    csv_cell(name, f->mails);
    fputs("\r\n", f->mails);
    f->only_mailed += !*name && *text_of(mark, "comment");
}
static void remove_old(const char *out) {
    static const char *const made[] = {"feedback", "feedback-upload"};
    char path[PATH_MAX];
    for (unsigned k = 0; k < sizeof made / sizeof *made; k++)
        snprintf(path, sizeof path, "%s/%s", out, made[k]), file_remove_folder(path);
}
static bool write_all(struct feedback *f, const json_t *facts) {
    size_t k, n;
    json_t *student, *lab;
    bool ok = true;
    fputs("email,name,id,lab,points,status,lateness,comment,advice,report\r\n", f->mails);
    json_array_foreach(json_object_get(facts, "students"), k, student)
        json_array_foreach(json_object_get(facts, "labs"), n, lab) {
        char name[PATH_MAX];
        const char *id = text_of(lab, "id");
        const json_t *mark = json_object_get(json_object_get(student, "labs"), id);
        f->no_advice = false;
        ok = ok && report_of(f, student, lab, mark, name);
        if (ok) put_mail(f, student, id, mark, name);
    }
    return ok;
}
int class_feedback(const struct class_options *o) {
    char path[PATH_MAX], *mails = NULL;
    static const char *const names[] = {"class.json", "roster.json", "settings.json"};
    json_t *read[3];
    size_t length = 0;
    for (unsigned k = 0; k < 3; k++) {
        snprintf(path, sizeof path, "%s/%s", o->out, names[k]);
        read[k] = json_load_file(path, 0, NULL);
    }
    struct feedback f = {.out = o->out, .seed = text_of(read[2], "seed"), .roster = read[1]};
    const bool graded = read[0] && read[1] && *f.seed;
    if (graded) remove_old(o->out);
    bool ok = graded && (f.mails = open_memstream(&mails, &length)) && write_all(&f, read[0]);
    if (f.mails) ok &= fclose(f.mails) == 0;
    snprintf(path, sizeof path, "%s/feedback.csv", o->out);
    ok = ok && file_replace(path, mails, length, 0600);
    free(mails);
    for (unsigned k = 0; k < 3; k++) json_decref(read[k]);
    if (!graded)
        return status_saying(EXIT_USAGE, "class", "cannot read the grades in %s: run make gradebook first", o->out);
    if (!ok) return status_saying(EXIT_SETUP, "class", "cannot write %s: %s", o->out, strerror(errno));
    printf("reports written: %u, in %s/feedback (a folder for each student) and feedback-upload (with the names "
           "that Canvas and Moodle expect); see feedback.csv\n",
           f.reports, o->out);
    if (f.only_mailed)
        printf("%u comment%s not in any report, because no file of the student was graded: see feedback.csv\n",
               f.only_mailed, f.only_mailed == 1 ? " is" : "s are");
    return EXIT_FULL;
}
