/* Writes docs/what-a-gpu-hides.md to standard output, from the output of hides.sh in a folder: hides FOLDER. Each
 * row is a wrong kernel, with the simulator's findings, the messages of each tool of compute-sanitizer, and the
 * results of RUNS runs on the GPU alone. These results are compared with those of the fixed kernel on the simulator. */
#include "probes/finding.h"
#include <glob.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 3, TOOLS = 4, MAX_KINDS = 40 };
static const char *const tools[TOOLS] = {"memcheck", "racecheck", "synccheck", "initcheck"};
static const char *folder;

static json_t *load_record(const char *name, const char *what) {
    char path[500];
    snprintf(path, sizeof path, "%s/%s.%s", folder, name, what);
    return json_load_file(path, 0, NULL);
}
static const char *text(const json_t *o, const char *key) {
    const char *s = json_string_value(json_object_get(o, key));
    return s ? s : "";
}
static long long integer_at(const json_t *o, const char *key) {
    return (long long)json_integer_value(json_object_get(o, key));
}
/* Returns the first line of a file in the folder. */
static const char *first_line_of(const char *name, char *out, size_t size) {
    char path[500];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "r");
    if (!f || !fgets(out, (int)size, f)) snprintf(out, size, "unknown");
    if (f) fclose(f);
    out[strcspn(out, "\n")] = 0;
    return out;
}

/* ---- the GPU alone -------------------------------------------------------------------------- */
enum alone { RIGHT, WRONG, NO_RIGHT_ONE /* the kernel has no defined result */, ERROR, HANG, ALONES };
static const char *const alone_words[ALONES] = {"right", "**wrong**", "no defined result", "**error**", "**hang**"};

/* Classifies a run on the GPU alone. `mended` is the record of the fixed kernel, or NULL. Without a record of the
 * run, its output says why, unless the run was killed because it did not end. */
static enum alone alone_of(const char *name, unsigned run, const json_t *mended) {
    char file[200], said[400];
    snprintf(file, sizeof file, "alone.%u.json", run);
    json_t *r = load_record(name, file), *v;
    const json_t *meant = json_object_get(mended, "arguments");
    enum alone is = mended ? RIGHT : NO_RIGHT_ONE;
    size_t k;
    snprintf(file, sizeof file, "%s.alone.%u.out", name, run);
    if (!r)
        is = !strncmp(first_line_of(file, said, sizeof said), "grade run: ", 11) ? ERROR : HANG;
    else if (!strcmp(text(r, "end"), "fault"))
        is = strstr(text(r, "message"), "does not end") ? HANG : ERROR;
    else if (mended)
        json_array_foreach(json_object_get(r, "arguments"), k, v) {
            const json_t *digest = json_object_get(v, "digest");
            if (digest && !json_equal(digest, json_object_get(json_array_get(meant, k), "digest"))) is = WRONG;
        }
    json_decref(r);
    return is;
}
/* Returns whether the driver rejected the PTX because its target lacks an instruction. This is a mistake in the wrong
 * kernel's file: it needs a later `arch`. */
static bool was_built_for_less(const char *name) {
    char file[200], said[400];
    snprintf(file, sizeof file, "%s.alone.1.out", name);
    const bool less = strstr(first_line_of(file, said, sizeof said), "requires .target") != NULL;
    if (less) fprintf(stderr, "hides: %s: its launch needs an arch: %s\n", name, said);
    return less;
}
/* Writes a description of all results to `out`. Returns whether one of them shows an error. */
static bool alone_text(const enum alone is[RUNS], char *out, size_t size) {
    unsigned count[ALONES] = {0}, kinds = 0;
    size_t used = 0;
    for (unsigned k = 0; k < RUNS; k++) kinds += !count[is[k]]++;
    out[0] = 0;
    for (unsigned k = 0; k < ALONES; k++)
        if (count[k] && kinds == 1)
            snprintf(out, size, "%s", alone_words[k]);
        else if (count[k])
            used += (size_t)snprintf(out + used, size - used, "%s%s %u of %d", used ? ", " : "", alone_words[k],
                                     count[k], RUNS);
    return count[WRONG] + count[ERROR] + count[HANG] > 0;
}

/* ---- rows ----------------------------------------------------------------------------------- */
struct kind {
    char name[40];
    unsigned kernels, by_tool[TOOLS], by_any, alone;
};
static struct {
    unsigned kernels, ours, by_tool[TOOLS], by_any, alone, hidden, without;
    struct kind kind[MAX_KINDS];
    unsigned kinds;
    char version[40];
} sum;
static struct kind *kind_of(const char *name) {
    for (unsigned k = 0; k < sum.kinds; k++)
        if (!strcmp(sum.kind[k].name, name)) return &sum.kind[k];
    struct kind *new = &sum.kind[sum.kinds < MAX_KINDS - 1 ? sum.kinds++ : MAX_KINDS - 1];
    snprintf(new->name, sizeof new->name, "%s", name);
    return new;
}
/* Writes what a tool said about the kernel. Returns whether it reported anything. */
static bool tool_text(const json_t *tool, char *out, size_t size) {
    const json_t *first = json_array_get(json_object_get(tool, "findings"), 0);
    const char *status = text(tool, "status");
    const bool refused = !strcmp(status, "not-launched");
    snprintf(out, size, "%s",
             !strcmp(status, "hung") ? "hangs"
             : refused               ? "not launched"
             : strcmp(status, "ran") ? status
                                     : "");
    if (!first) return false;
    const char *title = text(first, "title");
    const char *words = strstr(title, "Warning") ? "warning" : strstr(title, "refused") ? "refused" : "";
    if (integer_at(first, "line"))
        snprintf(out, size, "%s%sline %lld", words, *words ? ", " : "", integer_at(first, "line"));
    else
        snprintf(out, size, "%.60s", title);
    return true;
}
static bool write_row(const char *name, FILE *out) {
    json_t *r = load_record(name, "json"), *mended = load_record(name, "mended.json"), *tool;
    const json_t *ours = json_object_get(json_object_get(r, "simulator"), "findings"), *first = json_array_get(ours, 0);
    const char *end = text(json_object_get(r, "simulator"), "end");
    char said[TOOLS][80] = {""}, shown[120];
    bool spoke[TOOLS] = {false}, any = false;
    enum alone is[RUNS];
    size_t k;
    if (!r) return fprintf(stderr, "hides: %s/%s.json does not exist\n", folder, name), false;
    if (was_built_for_less(name)) return false;
    struct kind *kind = kind_of(first ? text(first, "kind") : !strcmp(end, "fault") ? "refused" : "nothing");
    json_array_foreach(json_object_get(r, "tools"), k, tool) for (unsigned t = 0; t < TOOLS; t++) {
        if (strcmp(text(tool, "tool"), tools[t])) continue;
        spoke[t] = tool_text(tool, said[t], sizeof said[t]);
        if (*text(tool, "version")) snprintf(sum.version, sizeof sum.version, "%s", text(tool, "version"));
    }
    for (unsigned run = 0; run < RUNS; run++) is[run] = alone_of(name, run + 1, mended);
    const bool alone = alone_text(is, shown, sizeof shown);
    sum.kernels++, kind->kernels++;
    sum.ours += first || !strcmp(end, "fault");
    for (unsigned t = 0; t < TOOLS; t++) sum.by_tool[t] += spoke[t], kind->by_tool[t] += spoke[t], any |= spoke[t];
    sum.by_any += any, kind->by_any += any;
    sum.alone += alone, kind->alone += alone;
    sum.hidden += !any && !alone;
    sum.without += !mended;
    fprintf(out, "| `%s` | %s", name, kind->name);
    if (first) fprintf(out, ", line %lld", integer_at(json_object_get(first, "at"), "line"));
    if (json_array_size(ours) > 1) fprintf(out, ", and %zu more", json_array_size(ours) - 1);
    for (unsigned t = 0; t < TOOLS; t++) fprintf(out, " | %s", said[t]);
    fprintf(out, " | %s |\n", shown);
    json_decref(r);
    json_decref(mended);
    return true;
}

/* ---- the page ------------------------------------------------------------------------------- */
static void write_head(void) {
    char gpu[200], date[40];
    printf(
        "# What a GPU hides\n\n"
        "`make what-a-gpu-hides` generated this page on %s with this GPU and driver: %s, and compute-sanitizer %s.\n\n",
        first_line_of("date", date, sizeof date), first_line_of("gpu", gpu, sizeof gpu), sum.version);
    printf("Each of the %u kernels of `grader/tests/wrong_kernels/`, except those with textures and surfaces, "
           "contains one known mistake.\n"
           "We ran each kernel once on the simulator, once on the GPU under each tool of compute-sanitizer, and %d "
           "times on the GPU alone,\n"
           "where only the result can show the mistake. All runs used the same PTX, launch and data.\n\n",
           sum.kernels, RUNS);
    printf("| detected by | kernels, of %u |\n|---|---|\n| the simulator | %u |\n", sum.kernels, sum.ours);
    for (unsigned t = 0; t < TOOLS; t++) printf("| %s | %u |\n", tools[t], sum.by_tool[t]);
    printf("| at least one of these tools | %u |\n| the GPU alone: a wrong result, an error or a hang in at least "
           "one of %d runs | %u |\n"
           "| neither these tools nor the GPU alone | %u |\n\n",
           sum.by_any, RUNS, sum.alone, sum.hidden);
    printf(
        "The kernels were written to test the simulator, so the simulator's row proves little. The other rows show "
        "how many mistakes\n"
        "each of the other methods finds. Each tool has a limited scope: racecheck checks only shared memory, "
        "and initcheck only global\n"
        "memory. The table counts everything that a tool reports about a kernel, but not errors of later host calls. "
        "`hangs` means that\n"
        "the kernel did not end under the tool.\n\n"
        "\"The GPU alone\" means `./grade run --device cuda`, which poisons buffers that the host does not fill and "
        "surrounds all\n"
        "buffers with guard zones. A write past the end of a buffer is therefore an error here (`output_too_small`), "
        "but would go\n"
        "unnoticed in your own program. A result is right if every buffer equals the same buffer of the fixed kernel "
        "(`mended.txt` next to the\n"
        "wrong kernels) on the simulator. %u kernels have no defined result to compare with.\n\n",
        sum.without);
    printf("## By kind\n\nThe table groups kernels by the kind of the simulator's first finding "
           "([metrics.md](metrics.md)).\n\n"
           "| kind | kernels | memcheck | racecheck | synccheck | initcheck | any tool | the GPU alone |\n"
           "|---|---|---|---|---|---|---|---|\n");
    for (unsigned k = 0; k < sum.kinds; k++) {
        const struct kind *i = &sum.kind[k];
        if (!i->kernels) continue;
        printf("| `%s` | %u", i->name, i->kernels);
        for (unsigned t = 0; t < TOOLS; t++) printf(i->by_tool[t] ? " | %u" : " | ", i->by_tool[t]);
        printf(" | %u | %u |\n", i->by_any, i->alone);
    }
    printf(
        "\n`nothing`: the simulator detects the mistake only with `-G`, because the optimizing compiler chose a value "
        "for "
        "the uninitialized variable.\n");
    printf("\n## Kernel by kernel\n\nAn empty cell means that the tool reported nothing.\n\n"
           "| kernel | simulator | memcheck | racecheck | synccheck | initcheck | the GPU alone |\n"
           "|---|---|---|---|---|---|---|\n");
}
int main(int argc, char **argv) {
    glob_t kernels;
    char *rows = NULL;
    size_t size;
    FILE *out = open_memstream(&rows, &size);
    char launches[300];
    /* one file for each kernel that hides.sh ran */
    snprintf(launches, sizeof launches, "%s/*.launch", argc == 2 ? argv[1] : "");
    if (argc != 2 || !out || glob(launches, 0, NULL, &kernels))
        return fprintf(stderr, "usage: hides FOLDER, from the top of the tree, after hides.sh run\n"), 2;
    folder = argv[1];
    /* so that rows have the catalog's order */
    for (unsigned k = 0; catalog_finding_at(k); k++) kind_of(catalog_finding_at(k)->key);
    for (size_t k = 0; k < kernels.gl_pathc; k++) {
        const char *base = strrchr(kernels.gl_pathv[k], '/') + 1;
        char name[100];
        snprintf(name, sizeof name, "%.*s", (int)(strlen(base) - strlen(".launch")), base);
        if (!write_row(name, out)) return 1;
    }
    fclose(out);
    write_head();
    fputs(rows, stdout);
    free(rows);
    globfree(&kernels);
    return 0;
}
