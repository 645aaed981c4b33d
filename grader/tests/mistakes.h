/* The rows of mistakes.def, mistakes_*.def and styles.def. */
#ifndef TESTS_MISTAKES_H
#define TESTS_MISTAKES_H

#include "base/hash.h"
#include "tests/broken.h"

static const struct mistake {
    const char *lab, *name;
    const char *from, *to; /* text to replace, and its replacement; if `from` is NULL, part `style` of
                              tests/styles/LAB.cu is the row's text */
    int points;
    const char *kind; /* kind of finding to expect; NULL for none */
    const char *text; /* part of a check's message; NULL for any message */
    unsigned style;
} mistakes[] = {
#define MISTAKE(lab, name, from, to, points, kind, text) {#lab, name, from, to, points, kind, text, 0},
#include "mistakes.def"
#include "mistakes_cases.def"
#include "mistakes_order.def"
#include "mistakes_launches.def"
#include "mistakes_memory.def"
#include "mistakes_values.def"
#include "mistakes_clusters.def"
#include "mistakes_tensor.def"
#define STYLE(lab, number, name, points, text) {#lab, name, NULL, NULL, points, NULL, text, number},
#include "styles.def"
};
enum { MISTAKES = sizeof mistakes / sizeof *mistakes };
/* The variants to grade: sum_f32, whose results are rounded; min_f32, whose identity is not 0. If a lab has them:
 * affine_u32, affine_u16 and matrix_u16, which do not commute; argmin_i32; and argmax_f64. */
static const uint32_t variants = 1u << 3 | 1u << 13 | 1u << SCALAR_VARIANTS | 1u << (SCALAR_VARIANTS + 2) |
                                 1u << (SCALAR_VARIANTS + 7) | VARIANTS_IN_ORDER;
/* The variants for tests of pages: a sum. If a lab has them: structs, and operators that do not commute. */
#define LIVE_VARIANTS (1u << 3 | 1u << (SCALAR_VARIANTS + 2) | 1u << (SCALAR_VARIANTS + 7) | VARIANTS_IN_ORDER)

/* Returns the text of a row: the solution with the row's change or, for a row with a STYLE, the lab's styles with
 * this one selected. Returns NULL if there is no such text. */
static inline char *text_of(const struct mistake *m, const char *solution) {
    char path[100], line[100], *out = NULL;
    if (m->from) return broken_replaced(solution, m->from, m->to, true);
    snprintf(path, sizeof path, "grader/tests/styles/%s.cu", m->lab);
    snprintf(line, sizeof line, "#undef STYLE\n#define STYLE %u\n", m->style);
    char *text = read_file(path);
    if (text && (out = calloc(1, strlen(line) + strlen(text) + 1))) strcat(strcpy(out, line), text);
    free(text);
    return out;
}

/* Returns a row's seed, which depends only on the row's name, so that new rows do not change other rows' seeds. */
static inline uint64_t seed_of(const struct mistake *m) { return hash_text(HASH_START, m->name) >> 32; }

#endif
