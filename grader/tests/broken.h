/* Solutions broken on purpose, many at a time: all rows of a lab are compiled in one run, each in a namespace of its
 * own, and each is graded like a submission. Needs no files but labs/, solutions/ and common/. */
#ifndef TESTS_BROKEN_H
#define TESTS_BROKEN_H

#include "fix/fix.h"
#include "judge/judge.h"
#include "tests/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A lab's solution as it is (namespace m), and broken by row k (namespace mk). */
struct broken_unit {
    const struct lab *lab;
    uint32_t variants; /* those that are compiled, as far as the lab has them */
    struct compiled text;
    struct device_module *module;
    char predictions[300];
};
struct broken_rows {
    unsigned count;
    bool (*is_of)(unsigned row, const char *lab);      /* the row is that lab's, and is wanted */
    char *(*text)(unsigned row, const char *solution); /* the broken file; NULL: there is nothing to break */
};

/* `text` with `from` replaced, everywhere or at its first place; NULL: there is none. free() it. */
static inline char *broken_text(const char *text, const char *from, const char *to, bool everywhere) {
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
/* All texts in one; NULL: `why` says which row breaks nothing. Lines keep their numbers. */
static inline char *broken_texts(const struct lab *lab, const struct broken_rows *rows, char *why, size_t size) {
    char source[300], *all = NULL;
    size_t length;
    snprintf(source, sizeof source, "solutions/%s_%s/reduce.cu", lab->id, lab->name);
    char *solution = read_file(source);
    FILE *f = open_memstream(&all, &length);
    bool ok = true;
    fprintf(f, "namespace m {\n#line 1\n%s}\n", solution);
    for (unsigned k = 0; k < rows->count; k++) {
        if (!rows->is_of(k, lab->id)) continue;
        char *broken = rows->text(k, solution);
        if (!broken) ok = false, snprintf(why, size, "%s, row %u: nothing to break", lab->id, k);
        if (broken) fprintf(f, "namespace m%u {\n#line 1\n%s}\n", k, broken);
        free(broken);
    }
    fclose(f);
    free(solution);
    if (!ok) free(all), all = NULL;
    return all;
}
/* False: `why` says what is wrong. broken_free() it either way. */
static inline bool broken_load(struct broken_unit *u, const struct lab *lab, uint32_t variants,
                               const struct compiler *compiler, const struct broken_rows *rows, char *why,
                               size_t size) {
    struct device_error e;
    u->lab = lab, u->variants = variants & lab->variants;
    snprintf(u->predictions, sizeof u->predictions, "solutions/%s_%s/predictions.txt", lab->id, lab->name);
    char *text = broken_texts(lab, rows, why, size);
    if (!text) return false;
    const char *cache = getenv("GRADE_CACHE");
    const struct compile_request r = {.shown = "reduce.cu",
                                      .root = ".",
                                      .cache = cache ? cache : "build/cache",
                                      .variants = u->variants,
                                      .solution = true,
                                      .text = text};
    u->text = compile(compiler, &r);
    free(text);
    bool ok = u->text.status == COMPILE_OK && u->text.count == 1;
    if (!ok) snprintf(why, size, "%s: %.1500s", lab->id, u->text.log ? u->text.log : "");
    if (ok && device_find("sim")->load(u->text.ptx[0], u->text.length[0], "reduce.cu", &u->module, &e) != DEVICE_OK)
        ok = false, snprintf(why, size, "%s: %s", lab->id, e.message);
    return ok;
}
static inline void broken_free(struct broken_unit *u) {
    if (u->module) device_find("sim")->unload(u->module);
    compiled_free(&u->text);
}
static inline struct program broken_program(const struct broken_unit *u, const char *space) {
    struct program p = {.text = u->text,
                        .device = device_find("sim"),
                        .symbol = calloc(u->lab->kernel_count * VARIANT_COUNT, sizeof(char *))};
    for (unsigned k = 0; k < VARIANT_COUNT; k++) p.module[k] = u->module;
    for (unsigned k = 0; p.symbol && k < u->lab->kernel_count; k++)
        for (unsigned v = 0; v < VARIANT_COUNT; v++) {
            char prefix[200];
            const char *name = u->lab->kernels[k].name, *variant = variant_name(variant_at(v));
            snprintf(prefix, sizeof prefix, ".entry _ZN%zu%s%zu%s%zu%sE", strlen(variant), variant, strlen(space),
                     space, strlen(name), name);
            const char *at = u->variants >> v & 1 ? strstr(u->text.ptx[0], prefix) : NULL;
            if (at) p.symbol[k * VARIANT_COUNT + v] = strndup(at + 7, strcspn(at + 7, "( \t\n"));
        }
    return p;
}
static inline void broken_free_symbols(const struct broken_unit *u, struct program *p) {
    for (unsigned k = 0; k < u->lab->kernel_count * VARIANT_COUNT; k++) free(p->symbol[k]);
    free(p->symbol);
}
/* The record of the lab's checks on what stands in a namespace. `source`: its own text, for which a fix is looked for;
 * or NULL. */
static inline json_t *broken_grade(const struct broken_unit *u, const char *space, char *source, uint64_t seed,
                                   const struct compiler *compiler) {
    struct lab lab = *u->lab;
    const char *cache = getenv("GRADE_CACHE");
    lab.variants &= u->variants;
    const struct judge_options o = {.lab = &lab,
                                    .device = device_find("sim"),
                                    .compiler = compiler,
                                    .root = ".",
                                    .cache = cache ? cache : "build/cache",
                                    .shown = "reduce.cu",
                                    .submission = "reduce.cu",
                                    .predictions = u->predictions,
                                    .replay_options = "",
                                    .solution = true,
                                    .seed = seed,
                                    .only_size = UINT32_MAX};
    struct judge j = {
        .options = &o, .lab = &lab, .student = broken_program(u, space), .reference = broken_program(u, "m")};
    if (source) j.student.text.source_text = source;
    json_t *record = json_object();
    judge_checks(&j, record);
    if (source) fix_search(&j, record);
    broken_free_symbols(u, &j.student);
    broken_free_symbols(u, &j.reference);
    return record;
}
#endif
