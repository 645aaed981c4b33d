/* Grades many texts of a lab quickly, such as deliberately broken solutions. Up to PART_TEXTS texts are compiled
 * together, each in its own namespace, and each is graded like a submission. Needs only labs/, solutions/ and
 * common/. */
#ifndef TESTS_BROKEN_H
#define TESTS_BROKEN_H

#include "base/arena.h"
#include "base/hash.h"
#include "fix/fix.h"
#include "judge/judge.h"
#include "tests/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* The text of a broken solution, and its namespace. Namespace m contains the unmodified solution. */
struct broken_text {
    char space[16], *source;
};
enum { PART_TEXTS = 40, PARTS = 24 }; /* 40 texts compile within a submission's time limit, even those of lab 9 */
/* The compiled and loaded texts of a lab. */
struct broken_unit {
    const struct lab *lab;
    const struct compiler *compiler;
    uint32_t variants; /* variants to compile; those that the lab lacks are ignored */
    struct broken_part {
        struct compiled text;
        struct device_module *module;
    } part[PARTS];
    unsigned parts;
    char predictions[300];
};

/* Uses the middle one of each `every` consecutive rows. broken_rows() returns the number of rows used, and
 * broken_row() the index of the k-th of them. */
static inline int broken_rows(unsigned rows, unsigned every) { return (int)((rows + every - 1 - every / 2) / every); }
static inline unsigned broken_row(int k, unsigned every) { return (unsigned)k * every + every / 2; }
/* Returns whether to use a row. LAB=lab3 selects the rows of lab 3, and ROW=fence the rows whose names contain
 * "fence". PARTS=N PART=K selects the rows K, K+N, K+2N, ..., so that N processes can share the work. */
static inline bool broken_is_taken(unsigned row, unsigned every, const char *lab, const char *name) {
    const char *wanted = getenv("LAB"), *words = getenv("ROW"), *parts = getenv("PARTS"), *part = getenv("PART");
    const unsigned shares = parts && atoi(parts) > 0 ? (unsigned)atoi(parts) : 1;
    return row % every == every / 2 && (!wanted || !*wanted || !strcmp(wanted, lab)) &&
           (!words || strstr(name, words)) && row / every % shares == (part ? (unsigned)atoi(part) : 0);
}
/* What makes a row of a table unique. */
struct broken_key {
    const char *lab, *name;
    uint64_t text; /* hash of the text to grade */
};
/* Returns whether the rows of each lab have different names and texts. A name selects a row and seeds its grade. A
 * repeated text tests nothing new. If two rows are equal, sets `why` to their names. */
static inline bool broken_are_unique(const struct broken_key *rows, unsigned count, char *why, size_t size) {
    for (unsigned k = 0; k < count; k++)
        for (unsigned n = 0; n < k; n++)
            if (!strcmp(rows[k].lab, rows[n].lab) &&
                (rows[k].text == rows[n].text || !strcmp(rows[k].name, rows[n].name)))
                return snprintf(why, size, "%s: two equal rows: `%s` and `%s`", rows[k].lab, rows[n].name,
                                rows[k].name),
                       false;
    return true;
}
static inline char *broken_solution(const struct lab *lab) {
    char path[300];
    snprintf(path, sizeof path, "solutions/%s_%s/reduce.cu", lab->id, lab->name);
    return read_file(path);
}
/* Returns `text`, in which `to` replaces `from`, everywhere or only once; free() it. Returns NULL if `from` does not
 * occur. */
static inline char *broken_replaced(const char *text, const char *from, const char *to, bool everywhere) {
    const size_t n = strlen(from);
    char *out = NULL;
    size_t size;
    unsigned changed = 0;
    FILE *f = open_memstream(&out, &size);
    for (const char *hit; (everywhere || !changed) && (hit = strstr(text, from)); text = hit + n, changed++)
        fwrite(text, 1, (size_t)(hit - text), f), fputs(to, f);
    fputs(text, f);
    fclose(f);
    if (!changed) free(out), out = NULL;
    return out;
}
/* Compiles and loads texts into the next part of the unit. */
static inline bool broken_load_part(struct broken_unit *u, const struct broken_text *texts, unsigned count, char *why,
                                    size_t size) {
    struct broken_part *part = &u->part[u->parts++];
    struct device_error e;
    char *all = NULL;
    size_t length;
    FILE *f = open_memstream(&all, &length);
    for (unsigned k = 0; k < count; k++) /* each text has its own line numbers */
        fprintf(f, "namespace %s {\n#line 1\n%s}\n", texts[k].space, texts[k].source);
    fclose(f);
    const char *cache = getenv("GRADE_CACHE");
    const struct compile_request r = {.shown = "reduce.cu",
                                      .root = ".",
                                      .cache = cache ? cache : "build/cache",
                                      .variants = u->variants,
                                      .solution = true,
                                      .text = all};
    part->text = compile(u->compiler, &r);
    free(all);
    const struct compiled *c = &part->text;
    bool ok = c->status == COMPILE_OK && c->count == 1;
    if (!ok) snprintf(why, size, "%s: %.1500s", u->lab->id, c->log ? c->log : "");
    if (ok && device_find("sim")->load(c->ptx[0], c->length[0], "reduce.cu", &part->module, &e) != DEVICE_OK)
        ok = false, snprintf(why, size, "%s: %s", u->lab->id, e.message);
    return ok;
}
/* Compiles and loads the texts. On failure, returns false and sets `why` to the reason. Call broken_free() in either
 * case. */
static inline bool broken_load(struct broken_unit *u, const struct lab *lab, uint32_t variants,
                               const struct compiler *compiler, const struct broken_text *texts, unsigned count,
                               char *why, size_t size) {
    bool ok = count <= PART_TEXTS * PARTS;
    *u = (struct broken_unit){.lab = lab, .compiler = compiler, .variants = variants & lab->variants};
    snprintf(u->predictions, sizeof u->predictions, "solutions/%s_%s/predictions.txt", lab->id, lab->name);
    if (!ok) snprintf(why, size, "%s: increase PARTS for %u texts", lab->id, count);
    for (unsigned k = 0; ok && k < count; k += PART_TEXTS)
        ok = broken_load_part(u, texts + k, count - k < PART_TEXTS ? count - k : PART_TEXTS, why, size);
    return ok;
}
static inline void broken_free(struct broken_unit *u) {
    for (unsigned k = 0; k < u->parts; k++) {
        if (u->part[k].module) device_find("sim")->unload(u->part[k].module);
        compiled_free(&u->part[k].text);
    }
}
/* Returns the name in PTX of a kernel's variant in the namespace, or NULL if the part lacks it. free() it. */
static inline char *broken_symbol(const struct broken_part *part, const char *variant, const char *space,
                                  const char *kernel) {
    char prefix[200];
    snprintf(prefix, sizeof prefix, ".entry _ZN%zu%s%zu%s%zu%sE", strlen(variant), variant, strlen(space), space,
             strlen(kernel), kernel);
    const char *at = strstr(part->text.ptx[0], prefix);
    return at ? strndup(at + 7, strcspn(at + 7, "( \t\n")) : NULL;
}
/* Returns the submission in the namespace, with the symbols of the part that contains it. */
static inline struct program broken_program(const struct broken_unit *u, const char *space) {
    struct program p = {.device = device_find("sim"),
                        .symbol = calloc(u->lab->kernel_count * VARIANT_COUNT, sizeof(char *))};
    for (unsigned part = 0; p.symbol && part < u->parts && !p.text.count; part++)
        for (unsigned at = 0; at < u->lab->kernel_count * VARIANT_COUNT; at++) {
            const unsigned k = at / VARIANT_COUNT, v = at % VARIANT_COUNT;
            if (u->variants >> v & 1)
                p.symbol[at] =
                    broken_symbol(&u->part[part], variant_name(variant_at(v)), space, u->lab->kernels[k].name);
            if (!p.symbol[at]) continue;
            p.text = u->part[part].text;
            for (unsigned m = 0; m < VARIANT_COUNT; m++) p.module[m] = u->part[part].module;
        }
    return p;
}
static inline void broken_free_symbols(const struct broken_unit *u, struct program *p) {
    for (unsigned k = 0; k < u->lab->kernel_count * VARIANT_COUNT; k++) free(p->symbol[k]);
    free(p->symbol), free(p->named);
}
/* Returns the CPU time of this process and of its children that have ended, in seconds. Elapsed time would depend on
 * the machine's load. */
static inline double broken_processor_seconds(void) {
    double seconds = 0;
    for (unsigned k = 0; k < 2; k++) {
        struct rusage used;
        getrusage(k ? RUSAGE_CHILDREN : RUSAGE_SELF, &used);
        seconds += (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                   1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    }
    return seconds;
}
static double broken_search_seconds; /* CPU time of the last search for a fix */
/* Runs the lab's checks on a namespace and returns the record. If `source` is not NULL, it is the text to search for
 * a fix. `work` limits the work of a check; 0 selects the default. */
static inline json_t *broken_grade_within(const struct broken_unit *u, const char *space, char *source, uint64_t seed,
                                          uint64_t work) {
    struct lab lab = *u->lab;
    const char *cache = getenv("GRADE_CACHE");
    lab.variants &= u->variants;
    const struct judge_options o = {.lab = &lab,
                                    .device = device_find("sim"),
                                    .compiler = u->compiler,
                                    .root = ".",
                                    .cache = cache ? cache : "build/cache",
                                    .shown = "reduce.cu",
                                    .submission = "reduce.cu",
                                    .predictions = u->predictions,
                                    .replay_options = "",
                                    .solution = true,
                                    .seed = seed,
                                    .case_work = work,
                                    .only_size = UINT32_MAX};
    struct arena drawn = {0};
    struct judge j = {.options = &o,
                      .lab = &lab,
                      .student = broken_program(u, space),
                      .reference = broken_program(u, "m"),
                      .drawn = &drawn};
    if (source) j.student.text.source_text = source;
    json_t *record = program_find_named(&j, &j.student) ? json_object() : NULL;
    if (record) judge_checks(&j, record);
    const double start = broken_processor_seconds();
    if (record && source) fix_search(&j, record);
    broken_search_seconds = broken_processor_seconds() - start;
    broken_free_symbols(u, &j.student);
    broken_free_symbols(u, &j.reference);
    arena_free(&drawn);
    return record;
}
static inline json_t *broken_grade(const struct broken_unit *u, const char *space, char *source, uint64_t seed) {
    return broken_grade_within(u, space, source, seed, 0);
}
/* The compiled texts of all labs in a test. */
struct broken_units {
    struct broken_unit item[16];
    unsigned count;
};
static inline const struct broken_unit *broken_find(const struct broken_units *all, const char *lab) {
    for (unsigned k = 0; k < all->count; k++)
        if (!strcmp(all->item[k].lab->id, lab)) return &all->item[k];
    return NULL;
}
#endif
