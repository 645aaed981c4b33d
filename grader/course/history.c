/* Keeps the earlier runs of a lab in a JSON file per lab. Ignores entries in an unexpected format. */
#include "course/history.h"
#include "base/file.h"
#include "base/hash.h"
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MAX_RUNS = 100 };

/* Returns the run of a record: {"time", "score", "divergent", "cycles"}, the last two only if they were counted. */
static json_t *run_of(const json_t *record) {
    json_t *run = json_pack("{s:I, s:I}", "time", (json_int_t)time(NULL), "score",
                            json_integer_value(json_object_get(record, "score"))),
           *test;
    size_t k;
    json_array_foreach(json_object_get(record, "tests"), k, test) {
        json_t *counts = json_object_get(json_object_get(test, "student"), "counts"),
               *modeled = json_object_get(test, "modeled");
        if (counts) json_object_set(run, "divergent", json_object_get(counts, "divergent_tree_steps"));
        if (modeled) json_object_set(run, "cycles", json_object_get(modeled, "cycles"));
    }
    return run;
}
static bool is_run(const json_t *run) {
    static const char *const optional[] = {"divergent", "cycles"};
    bool good = json_is_integer(json_object_get(run, "time")) && json_is_integer(json_object_get(run, "score"));
    size_t fields = 2;
    for (unsigned k = 0; k < 2; k++) {
        const json_t *value = json_object_get(run, optional[k]);
        good &= !value || json_is_number(value);
        fields += value != NULL;
    }
    return good && json_object_size(run) == fields;
}

void history_add(json_t *record, const char *folder) {
    char path[4096], part[4200];
    const char *id = json_string_value(json_object_get(json_object_get(record, "lab"), "id"));
    json_t *runs = json_array(), *run;
    size_t k;
    mkdir(folder, 0777);
    snprintf(path, sizeof path, "%s/%s.json", folder, id ? id : "");
    json_t *had = json_load_file(path, 0, NULL);
    json_array_foreach(had, k, run) if (is_run(run)) json_array_append(runs, run);
    json_decref(had);
    json_array_append_new(runs, run_of(record));
    while (json_array_size(runs) > MAX_RUNS) json_array_remove(runs, 0);
    snprintf(part, sizeof part, "%s.%d", path, (int)getpid());
    if (json_dump_file(runs, part, JSON_COMPACT) || rename(part, path)) unlink(part);
    json_object_set_new(record, "history", runs);
}

unsigned history_hints(json_t *record, const char *folder, const char *submission, unsigned more) {
    char path[4096], of[24] = "", whole[PATH_MAX];
    const char *id = json_string_value(json_object_get(json_object_get(record, "lab"), "id")),
               *text = json_string_value(json_object_get(record, "text"));
    const json_int_t now = (json_int_t)(hash_text(HASH_START, text ? text : "") >> 2);
    if (submission)
        snprintf(of, sizeof of, "-%016llx",
                 (unsigned long long)hash_text(HASH_START, realpath(submission, whole) ? whole : submission));
    snprintf(path, sizeof path, "%s/%s%s.hint", folder, id ? id : "", of);
    json_t *had = json_load_file(path, 0, NULL);
    json_int_t asked = json_integer_value(json_object_get(had, "asked")),
               here = json_integer_value(json_object_get(had, "file")) == now
                          ? json_integer_value(json_object_get(had, "here"))
                          : 0;
    json_decref(had);
    asked += more, here += more;
    json_t *count = json_pack("{s:I, s:I, s:I}", "asked", asked, "here", here, "file", now);
    if (more) mkdir(folder, 0777), json_dump_file(count, path, JSON_COMPACT);
    json_decref(count);
    if (asked) json_object_set_new(record, "hints_asked", json_integer(asked));
    return here > 3 ? 3 : here < 0 ? 0 : (unsigned)here;
}

unsigned history_grades(const char *lab, const char *folder, bool one_more) {
    char path[4096];
    unsigned grades = 0;
    snprintf(path, sizeof path, "%s/%s.grades", folder, lab);
    FILE *f = fopen(path, "re");
    if (f && fscanf(f, "%u", &grades) != 1) grades = 0;
    if (f) fclose(f);
    if (!one_more || grades == UINT_MAX) return grades;
    file_make_folders(path, 0777); /* the folder may not exist before the first grade */
    if ((f = fopen(path, "we"))) fprintf(f, "%u\n", grades + 1), fclose(f);
    return grades + 1;
}
