/* See chance.h. One decision of a student shows in several fingerprints, so they are not independent. A common
 * fingerprint f therefore counts as -log P(f | g), where g is the shared fingerprint that predicts f best. This is a
 * dependence tree: C. Chow and C. Liu, "Approximating Discrete Probability Distributions with Dependence Trees",
 * IEEE Transactions on Information Theory 14, 1968. Too few texts have a rare fingerprint to know what predicts it:
 * the k-th rare one counts as -log P / k. */
#include "class/chance.h"
#include "base/array.h"
#include "base/map.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { SHARE = 20, FEWEST = 4 }; /* common: in at least a 20th of the texts besides the pair, and in at least 4 */

struct chance {
    unsigned texts, common;
    struct map count, index; /* by hash: how many texts have it; its number among the common ones, from 1 */
    unsigned *both;          /* [g * common + k]: how many texts have both g and k */
};
static unsigned value_of(const struct map *m, uint64_t hash) {
    const uint64_t *value = map_find(m, hash);
    return value ? (unsigned)*value : 0;
}
static bool is_common(const struct chance *c, unsigned holders) {
    return holders >= 2 + FEWEST && (holders - 2) * SHARE >= c->texts;
}
/* `index`: room for the numbers of a text's common fingerprints. */
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
/* P(k | g) among the texts besides the pair. The fewer of them have g, the closer it is to P(k), `alone`. */
static double given(const struct chance *c, unsigned g, unsigned k, unsigned holders_of_g, double alone, unsigned own) {
    const unsigned both = c->both[(size_t)g * c->common + k];
    return (both - own + alone) / (holders_of_g - own + 1.0);
}
/* The evidence of the shared fingerprints, which are sorted with the rarest first. `index`: room for as many
 * numbers. */
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
/* A text of evidence e is expected to have (N - 1) exp(-e) equals among N. The rarest texts, which have FEW pairs of
 * equals in total, are beyond the reach of chance. Where many pairs are expected, as in a lab of a few lines, the
 * estimate is too low for rare texts: then no pair of a class is expected to reach the bound. */
double chance_reach(const struct chance *c, const struct fingerprint_list *const *texts) {
    static const double FEW = 0.5, MANY = 2, SURE = 2.5; /* exp(-SURE): a 12th of a pair */
    const double others = c->texts - 1.0;
    double *evidence = calloc(c->texts + 1, sizeof *evidence), pairs = 0, reach = 0;
    for (unsigned k = 0; evidence && k < c->texts; k++) evidence[k] = chance_evidence(c, texts[k], texts[k]);
    if (evidence) qsort(evidence, c->texts, sizeof *evidence, array_by_double);
    for (unsigned k = c->texts; evidence && k--;) {
        pairs += others * exp(-evidence[k]) / 2;
        if (pairs > FEW && reach == 0) reach = evidence[k] + 1e-9;
    }
    free(evidence);
    return pairs < MANY ? reach : log(c->texts * others / 2) + SURE;
}
