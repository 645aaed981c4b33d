/* See chance.h.
 *
 * One decision of a student affects several fingerprints, so fingerprints are not independent. Therefore a common
 * fingerprint f contributes -log P(f | g) to the evidence, where g is the shared fingerprint that predicts f best. This
 * is a dependence tree: C. Chow and C. Liu, "Approximating Discrete Probability Distributions with Dependence Trees",
 * IEEE Transactions on Information Theory 14, 1968. A rare fingerprint occurs in too few files to estimate what
 * predicts it. The k-th rare fingerprint contributes -log P / k. */
#include "class/chance.h"
#include "base/array.h"
#include "base/map.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* A fingerprint is common if at least 4 files, and at least a 20th of all files, contain it besides the pair. */
enum { SHARE = 20, FEWEST = 4 };

struct chance {
    unsigned texts, common;
    struct map count, index; /* both indexed by hash: number of files that contain the fingerprint; its index among the
                                common fingerprints, from 1 */
    unsigned *both;          /* number of files that contain both g and k, at [g * common + k] */
};
static unsigned value_of(const struct map *m, uint64_t hash) {
    const uint64_t *value = map_find(m, hash);
    return value ? (unsigned)*value : 0;
}
static bool is_common(const struct chance *c, unsigned holders) {
    return holders >= 2 + FEWEST && (holders - 2) * SHARE >= c->texts;
}
/* Counts each pair of common fingerprints of the file. `index` is a scratch array. */
static void count_both(struct chance *c, const struct fingerprint_list *text, unsigned *index) {
    unsigned some = 0;
    for (unsigned k = 0; k < text->count; k++) {
        const unsigned number = value_of(&c->index, text->item[k].hash);
        if (number) index[some++] = number - 1;
    }
    for (unsigned g = 0; g < some; g++)
        for (unsigned k = 0; k < some; k++) c->both[(size_t)index[g] * c->common + index[k]]++;
}
static bool count_holders(struct chance *c, const struct fingerprint_list *const *texts) {
    for (unsigned t = 0; t < c->texts; t++)
        for (unsigned k = 0; k < texts[t]->count; k++) {
            uint64_t *value = map_make(&c->count, texts[t]->item[k].hash);
            if (!value) return false;
            ++*value;
        }
    for (unsigned t = 0; t < c->texts; t++)
        for (unsigned k = 0; k < texts[t]->count; k++) {
            struct fingerprint *f = &texts[t]->item[k];
            f->holders = value_of(&c->count, f->hash);
            if (!is_common(c, f->holders)) continue;
            uint64_t *index = map_make(&c->index, f->hash);
            if (!index) return false;
            if (!*index) *index = ++c->common;
        }
    return true;
}
struct chance *chance_new(const struct fingerprint_list *const *texts, unsigned count) {
    struct chance *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    c->texts = count;
    bool ok = count_holders(c, texts);
    c->both = ok ? calloc((size_t)c->common * c->common + 1, sizeof *c->both) : NULL;
    unsigned *index = calloc(c->common + 1, sizeof *index);
    ok = c->both && index;
    for (unsigned t = 0; ok && t < count; t++) count_both(c, texts[t], index);
    free(index);
    if (!ok) chance_free(c), c = NULL;
    return c;
}
void chance_free(struct chance *c) {
    if (!c) return;
    map_free(&c->count), map_free(&c->index);
    free(c->both), free(c);
}
static int rarest_first(const void *a, const void *b) {
    const struct fingerprint *x = *(struct fingerprint *const *)a, *y = *(struct fingerprint *const *)b;
    if (x->holders != y->holders) return x->holders < y->holders ? -1 : 1;
    return x->hash < y->hash ? -1 : x->hash > y->hash;
}
/* Estimates P(k | g) from the files other than the pair. The fewer of these files contain g, the closer the estimate
 * is to `alone`, which is P(k). */
static double given(const struct chance *c, unsigned g, unsigned k, unsigned holders_of_g, double alone, unsigned own) {
    const unsigned both = c->both[(size_t)g * c->common + k];
    return (both - own + alone) / (holders_of_g - own + 1.0);
}
/* Returns the evidence of the shared fingerprints, which are sorted by the number of files, rarest first. `index` is
 * a scratch array of `count` elements. `own` is the number of files of the pair (1 or 2), which the estimates
 * exclude. */
static double sum_up(const struct chance *c, struct fingerprint *const *shared, unsigned count, unsigned *index,
                     unsigned own) {
    double sum = 0;
    unsigned rare = 0;
    for (unsigned k = 0; k < count; k++) {
        const double alone = (shared[k]->holders - own + 1.0) / (c->texts - own + 1.0);
        double most = alone;
        if (!is_common(c, shared[k]->holders)) {
            sum -= log(alone) / ++rare;
            continue;
        }
        index[k] = value_of(&c->index, shared[k]->hash) - 1;
        for (unsigned g = rare; g < k; g++)
            most = fmax(most, given(c, index[g], index[k], shared[g]->holders, alone, own));
        sum -= log(most);
    }
    return sum;
}
double chance_evidence(const struct chance *c, const struct fingerprint_list *a, const struct fingerprint_list *b) {
    const unsigned least = a->count < b->count ? a->count : b->count;
    struct fingerprint **shared = calloc(least + 1, sizeof(struct fingerprint *));
    unsigned *index = calloc(least + 1, sizeof *index), count = 0;
    for (unsigned x = 0, y = 0; shared && x < a->count && y < b->count;) {
        const uint64_t one = a->item[x].hash, other = b->item[y].hash;
        if (one == other) shared[count++] = &a->item[x];
        x += one <= other, y += one >= other;
    }
    if (shared) qsort(shared, count, sizeof *shared, rarest_first);
    const double sum = shared && index ? sum_up(c, shared, count, index, a == b ? 1 : 2) : 0;
    free(shared), free(index);
    return sum;
}
/* Returns the limit on the expected number of chance pairs. At or above the limit, equal files are no evidence. Fewer
 * files show fewer of the possible solutions, so the expected number is underestimated: for 100 simulated files, by a
 * factor of up to 16. Therefore, the limit is lower for fewer files. */
static double few_pairs(unsigned texts) {
    static const double FEW = 0.5, FEWEST_PAIRS = 0.02, WHOLE = 300;
    const double part = fmin(1, texts / WHOLE);
    return fmax(FEWEST_PAIRS, FEW * part * part);
}
/* Let e be the evidence that a file has if it is compared with itself. By chance, (N - 1) exp(-e) of the other N - 1
 * files are expected to equal the file. If the class has too many expected pairs, the lab is so short that equal files
 * are no evidence. Many copies of one file look like a common solution. Therefore, ignores the share COPIED of all
 * files that has the least evidence. */
double chance_reach(const struct chance *c, const struct fingerprint_list *const *texts) {
    static const double COPIED = 0.1;
    const double others = c->texts - 1.0;
    double *evidence = calloc(c->texts + 1, sizeof *evidence), pairs = 0;
    if (!evidence) return INFINITY;
    for (unsigned k = 0; k < c->texts; k++) evidence[k] = chance_evidence(c, texts[k], texts[k]);
    qsort(evidence, c->texts, sizeof *evidence, array_by_double);
    for (unsigned k = (unsigned)(COPIED * c->texts); k < c->texts; k++) pairs += others * exp(-evidence[k]) / 2;
    free(evidence);
    return pairs < few_pairs(c->texts) ? log(c->texts * others / 2) : INFINITY;
}
/* Fits an exponential to the evidence of the class's own pairs: e1 is the evidence that the share OFTEN of the pairs
 * exceeds, and e2 that of the share SELDOM. The tail of honest pairs falls faster than the fit, so fewer than EXPECTED
 * honest pairs exceed the returned evidence. */
double chance_tail(const struct chance *c, const struct fingerprint_list *const *texts) {
    static const double OFTEN = 0.05, SELDOM = 0.005, EXPECTED = 2;
    enum { SAMPLE = 10000 }; /* maximum number of pairs, approximately */
    const unsigned n = c->texts, half = n / 2, most = SAMPLE / n + 1, reach = half < most ? half : most;
    const unsigned count = n * reach;
    double *evidence = calloc(count + 1, sizeof *evidence);
    if (!evidence) return INFINITY;
    for (unsigned k = 0; k < count; k++) evidence[k] = chance_evidence(c, texts[k % n], texts[(k % n + k / n + 1) % n]);
    qsort(evidence, count, sizeof *evidence, array_by_double);
    const double e1 = evidence[count - 1 - (unsigned)(OFTEN * count)],
                 e2 = evidence[count - 1 - (unsigned)(SELDOM * count)];
    free(evidence);
    return e2 + (e2 - e1) / log(OFTEN / SELDOM) * log(SELDOM * n * (n - 1.0) / 2 / EXPECTED);
}
