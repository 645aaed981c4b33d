/* The rows of mistakes.def, mistakes_cases.def and styles.def, and what grades them: many texts of a lab are compiled
 * in one run, each in a namespace of its own, for a few variants. Of check_mistakes and marks. */
#ifndef TESTS_MISTAKES_H
#define TESTS_MISTAKES_H

#include "base/hash.h"
#include "judge/judge.h"
#include "tests/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct mistake {
    const char *lab, *name;
    const char *from, *to; /* from NULL: the whole text is part `style` of tests/styles/LAB.cu */
    int points;
    const char *kind; /* a finding; NULL: none at all */
    const char *text; /* in the message of some check; NULL: any */
    unsigned style;
} mistakes[] = {
#define MISTAKE(lab, name, from, to, points, kind, text) {#lab, name, from, to, points, kind, text, 0},
#include "mistakes.def"
#include "mistakes_cases.def"
#include "mistakes_order.def"
#include "mistakes_memory.def"
#define STYLE(lab, number, name, points, text) {#lab, name, NULL, NULL, points, NULL, text, number},
#include "styles.def"
};
enum { MISTAKES = sizeof mistakes / sizeof *mistakes, MOST_TEXT = 1 << 18 };
/* sum_f32: it rounds; min_f32: its identity is not 0; where a lab has them, affine_u32, affine_u16 and matrix_u16,
 * which do not commute, argmin_i32 and argmax_f64. */
static const uint32_t variants = 1u << 3 | 1u << 13 | 1u << SCALAR_VARIANTS | 1u << (SCALAR_VARIANTS + 2) |
                                 1u << (SCALAR_VARIANTS + 7) | VARIANTS_IN_ORDER;

/* `text` with every `from` replaced; nothing, if there is none. */
static inline char *replaced(const char *text, const char *from, const char *to) {
    char *out = calloc(1, MOST_TEXT), *end = out;
    unsigned changed = 0;
    for (const size_t n = strlen(from); out && *text;) {
        if (!strncmp(text, from, n))
            end += sprintf(end, "%s", to), text += n, changed++;
        else
            *end++ = *text++;
    }
    if (!changed) free(out), out = NULL;
    return out;
}

/* The text of a row, with a first line of its own; NULL: there is none. */
static inline char *text_of(const struct mistake *m, const char *solution) {
    char path[100], line[100], *out = NULL;
    if (m->from) return replaced(solution, m->from, m->to);
    snprintf(path, sizeof path, "grader/tests/styles/%s.cu", m->lab);
    snprintf(line, sizeof line, "#undef STYLE\n#define STYLE %u\n", m->style);
    char *text = read_file(path);
    if (text && (out = calloc(1, strlen(line) + strlen(text) + 1))) strcat(strcpy(out, line), text);
    free(text);
    return out;
}

/* A text of a lab, and the namespace that it is compiled in. */
struct text {
    char space[32], *source;
};
/* Texts of a lab, compiled and loaded. */
struct unit {
    const struct lab *lab;
    struct compiled text;
    struct device_module *module;
    char predictions[300];
};
static const struct compiler *compiler;

static inline char *solution_of(const struct lab *lab) {
    char path[300];
    snprintf(path, sizeof path, "solutions/%s_%s/reduce.cu", lab->id, lab->name);
    return read_file(path);
}
static inline bool load_unit(const struct lab *lab, const struct text *texts, unsigned count, struct unit *u, char *why,
                             size_t size) {
    char path[] = "/tmp/check-mistakes-XXXXXX";
    struct device_error e;
    const int fd = mkstemp(path);
    u->lab = lab;
    snprintf(u->predictions, sizeof u->predictions, "solutions/%s_%s/predictions.txt", lab->id, lab->name);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
    if (!f) return snprintf(why, size, "%s cannot be written", path), false;
    for (unsigned k = 0; k < count; k++) fprintf(f, "namespace %s {\n%s}\n", texts[k].space, texts[k].source);
    bool ok = fclose(f) == 0;
    const char *cache = getenv("GRADE_CACHE");
    const struct compile_request r = {.source = path,
                                      .shown = "reduce.cu",
                                      .root = ".",
                                      .cache = cache ? cache : "build/cache",
                                      .variants = variants & lab->variants,
                                      .solution = true};
    if (ok) {
        u->text = compile(compiler, &r);
        ok = u->text.status == COMPILE_OK && u->text.count == 1;
        if (!ok) snprintf(why, size, "%s: %.1500s", lab->id, u->text.log ? u->text.log : "");
    }
    if (ok && device_find("sim")->load(u->text.ptx[0], u->text.length[0], "reduce.cu", &u->module, &e) != DEVICE_OK)
        ok = false, snprintf(why, size, "%s: %s", lab->id, e.message);
    unlink(path);
    return ok;
}
static inline void free_unit(struct unit *u) {
    if (u->module) device_find("sim")->unload(u->module);
    compiled_free(&u->text);
}
static inline struct program program_of(const struct unit *u, const char *space) {
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
            const char *at = (variants & u->lab->variants) >> v & 1 ? strstr(u->text.ptx[0], prefix) : NULL;
            if (at) p.symbol[k * VARIANT_COUNT + v] = strndup(at + 7, strcspn(at + 7, "( \t\n"));
        }
    return p;
}
static inline void free_symbols(const struct unit *u, struct program *p) {
    for (unsigned k = 0; k < u->lab->kernel_count * VARIANT_COUNT; k++) free(p->symbol[k]);
    free(p->symbol);
}
/* The record of the lab's checks on what stands in a namespace. */
static inline json_t *grade(const struct unit *u, const char *space, uint64_t seed) {
    struct lab lab = *u->lab;
    lab.variants &= variants;
    const struct judge_options o = {.lab = &lab,
                                    .device = device_find("sim"),
                                    .compiler = compiler,
                                    .root = ".",
                                    .shown = "reduce.cu",
                                    .submission = "reduce.cu",
                                    .predictions = u->predictions,
                                    .replay_options = "",
                                    .solution = true,
                                    .seed = seed,
                                    .only_size = UINT32_MAX};
    struct judge j = {.options = &o, .lab = &lab, .student = program_of(u, space), .reference = program_of(u, "m")};
    json_t *record = json_object();
    judge_checks(&j, record);
    free_symbols(u, &j.student);
    free_symbols(u, &j.reference);
    return record;
}
/* A row's own seed, of its name, which rows before it do not change. */
static inline uint64_t seed_of(const struct mistake *m) { return hash_text(HASH_START, m->name) >> 32; }

#endif
