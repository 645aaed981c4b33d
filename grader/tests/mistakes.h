/* The rows of mistakes.def, mistakes_*.def and styles.def. */
#ifndef TESTS_MISTAKES_H
#define TESTS_MISTAKES_H

#include "base/hash.h"
#include "tests/broken.h"

static const struct mistake {
    const char *lab, *name;
    const char *from, *to; /* text to replace, and its replacement. If `from` is NULL, the row's text is part `style` of
                              tests/styles/LAB.cu */
    int points;
    const char *kind; /* the kind of finding to expect; NULL for none */
    const char *text; /* a text that the message of a check must contain; NULL for any text */
    unsigned style;
} mistakes[] = {
#define MISTAKE(lab, name, from, to, points, kind, text) {#lab, name, from, to, points, kind, text, 0},
#include "mistakes.def"
#include "mistakes_cases.def"
#include "mistakes_order.def"
#include "mistakes_memory.def"
#include "mistakes_values.def"
#include "mistakes_clusters.def"
#include "mistakes_tensor.def"
#define STYLE(lab, number, name, points, text) {#lab, name, NULL, NULL, points, NULL, text, number},
#include "styles.def"
};
enum { MISTAKES = sizeof mistakes / sizeof *mistakes };
/* The variants to grade: sum_f32, because its results are rounded; min_f32, because its identity is not 0; and, if a
 * lab has them, affine_u32, affine_u16 and matrix_u16, which do not commute, argmin_i32, and argmax_f64. */
static const uint32_t variants = 1u << 3 | 1u << 13 | 1u << SCALAR_VARIANTS | 1u << (SCALAR_VARIANTS + 2) |
                                 1u << (SCALAR_VARIANTS + 7) | VARIANTS_IN_ORDER;
/* The variants for tests of pages: a sum and, if a lab has them, structs and operators that do not commute. */
#define LIVE_VARIANTS (1u << 3 | 1u << (SCALAR_VARIANTS + 2) | 1u << (SCALAR_VARIANTS + 7) | VARIANTS_IN_ORDER)

/* Returns the text of a row: the solution with the row's change, or the lab's styles with the row's STYLE selected.
 * Returns NULL if there is no such text. */
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

/* Returns a row's seed. It depends only on the row's name, so new rows do not change the seeds of others. */
static inline uint64_t seed_of(const struct mistake *m) { return hash_text(HASH_START, m->name) >> 32; }

#endif
