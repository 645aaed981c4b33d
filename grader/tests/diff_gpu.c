/* Evaluates the output of diff_gpu.sh in a folder: diff_gpu FOLDER DOC. Compares records from the simulator and from a
 * GPU. Their bits differ if any buffer differs. Their counts differ if accesses to global memory or sectors differ in
 * number, or if the wavefronts of shared memory differ by more than 2%. DOC must list all differences under the heading
 * "What differs", in rows "| `NAME` | what | why |", where NAME may be a shell pattern. */
#include <fnmatch.h>
#include <glob.h>
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double wavefronts_off = 0.02;
enum { MAX_LISTED = 200 };
static struct listed {
    char name[120], what[20];
    bool used;
} listed[MAX_LISTED];
static unsigned listed_count, same, listed_differ, differ, not_run;

static void read_list(const char *path) {
    char line[1000];
    bool here = false;
    FILE *f = fopen(path, "r");
    while (f && listed_count < MAX_LISTED && fgets(line, sizeof line, f)) {
        struct listed *l = &listed[listed_count];
        if (line[0] == '#') here = strstr(line, "What differs") != NULL;
        if (!here) continue;
        if (sscanf(line, "| `%119[^`]` | %19[a-z] |", l->name, l->what) == 2) listed_count++;
    }
    if (f) fclose(f);
}
static void judged(const char *name, const char *what, bool equal, const char *how) {
    bool known = false;
    if (equal) {
        same++;
        return;
    }
    for (unsigned k = 0; k < listed_count; k++)
        if (!strcmp(listed[k].what, what) && !fnmatch(listed[k].name, name, 0)) known = listed[k].used = true;
    if (known)
        listed_differ++;
    else
        differ++;
    printf("%s: %s differ%s: %s\n", name, what, known ? ", as listed" : "", how);
}
static const char *text(const json_t *o, const char *key) {
    const char *s = json_string_value(json_object_get(o, key));
    return s ? s : "";
}
static double number_at(const json_t *o, const char *key) { return json_number_value(json_object_get(o, key)); }
static void judge_counts(const char *name, const json_t *ours, const json_t *chip) {
    char how[100];
    const struct {
        const char *what;
        double ours, chip, off;
    } rows[] = {
        {"requests", number_at(ours, "global_requests"),
         number_at(chip, "load_requests") + number_at(chip, "store_requests") + number_at(chip, "atomic_requests"), 0},
        {"sectors", number_at(ours, "global_sectors"),
         number_at(chip, "load_sectors") + number_at(chip, "store_sectors") + number_at(chip, "atomic_sectors"), 0},
        {"wavefronts", number_at(ours, "shared_wavefronts"), number_at(chip, "shared_wavefronts"), wavefronts_off},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        snprintf(how, sizeof how, "%.0f on the simulator, %.0f by ncu", rows[k].ours, rows[k].chip);
        judged(name, rows[k].what, fabs(rows[k].ours - rows[k].chip) <= rows[k].off * rows[k].ours, how);
    }
}
static void judge_record(const char *name, const json_t *record) {
    const json_t *tool = json_array_get(json_object_get(record, "tools"), 0);
    const json_t *finding = json_array_get(json_object_get(tool, "findings"), 0);
    const bool ran = !strcmp(text(tool, "status"), "ran");
    if (ran && !strcmp(text(tool, "tool"), "ncu"))
        judge_counts(name, json_object_get(json_object_get(record, "simulator"), "counts"),
                     json_object_get(tool, "counters"));
    else if (ran || !strcmp(text(tool, "status"), "hung"))
        judged(name, "bits", ran && !finding, ran ? text(finding, "title") : text(tool, "message"));
    else
        not_run++, printf("%s: not run: %s\n", name, text(tool, "message"));
}
/* Compares a ladder from the simulator with the ladder of the same operator from the GPU, row by row. */
static void judge_ladder(const char *path) {
    char other[1000], name[100], how[200];
    size_t k;
    json_t *row;
    const char *at = strstr(path, ".sim.json");
    snprintf(other, sizeof other, "%.*s.cuda.json", (int)(at - path), path);
    json_t *sim = json_load_file(path, 0, NULL), *cuda = json_load_file(other, 0, NULL);
    const json_t *rows = json_object_get(cuda, "rows");
    if (!sim || !rows) not_run++, printf("%s: not run\n", path);
    json_array_foreach(json_object_get(sim, "rows"), k, row) {
        const json_t *beside = json_array_get(rows, k);
        if (!rows || json_object_get(row, "skipped") || json_is_true(json_object_get(row, "cpu"))) continue;
        snprintf(name, sizeof name, "ladder.%s.%s", text(sim, "op"), text(row, "id"));
        snprintf(how, sizeof how, "%s on the simulator, %s on the GPU", text(row, "total"), text(beside, "total"));
        const char *ours = text(row, "total");
        judged(name, "bits", *ours && !strcmp(ours, text(beside, "total")), how);
    }
    json_decref(sim);
    json_decref(cuda);
}
int main(int argc, char **argv) {
    char pattern[500], name[200];
    glob_t records;
    if (argc != 3) return fprintf(stderr, "usage: diff_gpu FOLDER DOC\n"), 2;
    read_list(argv[2]);
    snprintf(pattern, sizeof pattern, "%s/launch/*.*", argv[1]);
    if (glob(pattern, 0, NULL, &records)) return fprintf(stderr, "diff_gpu: nothing in %s\n", argv[1]), 2;
    for (size_t k = 0; k < records.gl_pathc; k++) {
        snprintf(name, sizeof name, "%s", strrchr(records.gl_pathv[k], '/') + 1);
        snprintf(pattern, sizeof pattern, "%s/%s.json", argv[1], name);
        const char *end = strrchr(name, '.');
        if (!strcmp(end, ".sim"))
            judge_ladder(pattern);
        else if (strcmp(end, ".cuda") != 0) {
            json_t *record = json_load_file(pattern, 0, NULL);
            if (!record) not_run++, printf("%s: not run: see %s/%s.out\n", name, argv[1], name);
            name[end - name] = 0;
            if (record) judge_record(name, record);
            json_decref(record);
        }
    }
    for (unsigned k = 0; k < listed_count; k++)
        if (!listed[k].used) printf("%s: %s are listed as different, but are equal\n", listed[k].name, listed[k].what);
    printf("simulator and GPU: %u agree, %u differ as listed in %s, %u differ otherwise, %u were not run\n", same,
           listed_differ, argv[2], differ, not_run);
    globfree(&records);
    return differ || not_run;
}
