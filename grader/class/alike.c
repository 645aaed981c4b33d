/* Finds submissions that are identical or share rare passages, and those that equal the reference except for comments
 * and whitespace.
 *
 * Fingerprints (fingerprints.h) that also occur in the skeleton are removed. The weight of each remaining fingerprint
 * is the square of its inverse document frequency, log((N + 1) / number of the N files that contain it) (K. Spärck
 * Jones, Journal of Documentation 28, 1972). It is almost 0 for a fingerprint that all files contain, and larger for a
 * rarer one. The similarity of two files is the weight of their common fingerprints divided by the smaller of their
 * total weights or, where only nearly equal code is reported, by the larger one.
 *
 * Similarity is computed three times. Fingerprints that include the students' names for variables detect a copy despite
 * moved lines, changed whitespace and merged files. Fingerprints of the code alone detect a copy without its comments.
 * Fingerprints without names detect a copy with renamed variables. The last two comparisons report only nearly equal
 * code and, in a class of at least FEWEST files, only if chance does not explain it (chance.h). */
#include "base/array.h"
#include "class/chance.h"
#include "class/facts.h"
#include "class/fingerprints.h"
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FEWEST_SHARED = 3, /* minimum number of shared passages for which a pair with low similarity is reported */
    WHO = 400,         /* bytes of a student's id and name */
    TOTAL = 32,        /* bytes reserved for " (300 in total)" and a separator */
    MAX_PAIRS = 40,
    /* minimum number of files for `many` shared passages to suffice: among fewer files, no passage is rare enough */
    FEWEST_FOR_MANY = 100,
    FEWEST =
        20 /* minimum number of files to estimate what chance explains; frequencies of fewer files are too coarse */
};
static const struct {
    bool equal;  /* whether the code must be nearly equal: similarity is divided by the weight of the larger text */
    double line; /* minimum similarity of a reported pair */
    unsigned passages; /* minimum number of shared passages; a common passage counts less than 1 */
    unsigned many;     /* for long files: number of shared passages that suffices even if the similarity is low */
    const char *how;
} looks[LOOKS] = {[WITH_NAMES] = {false, 0.40, 4, 8, "including names"},
                  [CODE] = {true, 0.985, 2, UINT_MAX, "except for comments"},
                  [WITHOUT_NAMES] = {true, 0.985, 2, UINT_MAX, "except for names"}};

struct text {
    const json_t *student;
    char *bytes;
    size_t length;
    struct fingerprint_list prints[LOOKS];
    double weight[LOOKS];
};
struct alike {
    struct text *item, skeleton; /* skeleton: only its fingerprints are set */
    unsigned count, room;
};

/* ---- files ------------------------------------------------------------------------------------- */
/* Returns the text without comments, and without whitespace outside string and character literals. free() it. */
static char *bare(const char *s) {
    char *out = malloc(strlen(s) + 1), *end = out, quote = 0;
    while (out && *s) {
        if (!quote && s[0] == '/' && s[1] == '/')
            s += strcspn(s, "\n");
        else if (!quote && s[0] == '/' && s[1] == '*') {
            const char *close = strstr(s + 2, "*/");
            s = close ? close + 2 : s + strlen(s);
        } else {
            if (quote && *s == '\\' && s[1])
                *end++ = *s++;
            else if (quote ? *s == quote : *s == '"' || *s == '\'')
                quote = quote ? 0 : *s;
            if (quote && *s == '\n') quote = 0;
            if (quote || !isspace((unsigned char)*s)) *end++ = *s;
            s++;
        }
    }
    if (out) *end = 0;
    return out;
}
static bool same_bare(const char *text, const char *other) {
    char *a = text ? bare(text) : NULL, *b = other ? bare(other) : NULL;
    const bool same = a && b && !strcmp(a, b);
    free(a);
    free(b);
    return same;
}
static int by_hash(const void *a, const void *b) {
    const uint64_t x = ((const struct fingerprint *)a)->hash, y = ((const struct fingerprint *)b)->hash;
    return x < y ? -1 : x > y;
}
/* Removes the fingerprints that also occur in the skeleton. */
static void without(struct fingerprint_list *l, const struct fingerprint_list *skeleton) {
    unsigned kept = 0;
    for (unsigned k = 0; k < l->count; k++)
        if (!skeleton->count || !bsearch(&l->item[k], skeleton->item, skeleton->count, sizeof *l->item, by_hash))
            l->item[kept++] = l->item[k];
    l->count = kept;
}
static void fingerprint(struct text *t, const char *bytes, size_t length) {
    for (unsigned k = 0; bytes && k < LOOKS; k++)
        t->prints[k].item = fingerprints(bytes, length, k, &t->prints[k].count);
}
static struct alike *alike_new(const char *skeleton) {
    struct alike *all = calloc(1, sizeof *all);
    if (all && skeleton) fingerprint(&all->skeleton, skeleton, strlen(skeleton));
    return all;
}
static void text_free(struct text *t) {
    for (unsigned k = 0; k < LOOKS; k++) free(t->prints[k].item);
    free(t->bytes);
}
void alike_add(struct class_lab *l, const struct class_unit *u) {
    if (!l->alike) l->alike = alike_new(l->skeleton);
    if (!l->alike || !u->text || same_bare(u->text, l->skeleton)) return;
    const json_t *student = json_array_get(u->students, 0);
    if (same_bare(u->text, l->solution)) attend(l->attention, ATTENTION_REFERENCE, l->lab->lab.id, student, "");
    struct text *more = array_room(l->alike->item, l->alike->count + 1, &l->alike->room, sizeof *more);
    if (!more) return;
    l->alike->item = more;
    struct text *t = &more[l->alike->count];
    *t = (struct text){.student = student, .bytes = malloc(u->length + 1), .length = u->length};
    if (!t->bytes) return;
    memcpy(t->bytes, u->text, u->length + 1);
    fingerprint(t, t->bytes, t->length);
    for (unsigned k = 0; k < LOOKS; k++) without(&t->prints[k], &l->alike->skeleton.prints[k]);
    l->alike->count++;
}

/* ---- identical files --------------------------------------------------------------------------- */
static bool same(const struct text *a, const struct text *b) {
    return a->length == b->length && !memcmp(a->bytes, b->bytes, a->length);
}
/* Writes the student's id and, if both fit, the name. The id is never cut, because two ids may differ only at their
 * ends. */
static void who(const json_t *student, char out[WHO]) {
    const char *id = text_of(student, "id"), *name = text_of(student, "name");
    const bool named = *name && strlen(id) + strlen(name) + sizeof " ()" <= WHO;
    snprintf(out, WHO, "%s%s%s%s", id, named ? " (" : "", named ? name : "", named ? ")" : "");
}
/* Adds an entry for each student of a group with identical files. The entry of `first`, the group's first text, names
 * the other students. The entries of the other students name only the first student, because a group may contain most
 * of the class. */
static void tell_same(struct class_lab *l, const struct text *first, size_t others) {
    const struct text *end = l->alike->item + l->alike->count;
    for (const struct text *t = first; t < end; t++) {
        char text[400] = "";
        size_t named = 0;
        if (!same(t, first)) continue;
        for (const struct text *other = first; other < end; other++) {
            char one[WHO];
            const size_t length = strlen(text);
            if (other == t || (t != first && other != first) || !same(other, first)) continue;
            who(other->student, one);
            if (length + strlen(one) + TOTAL > sizeof text) continue;
            snprintf(text + length, sizeof text - length, "%s%s", named++ ? ", " : "as ", one);
        }
        if (named < others) snprintf(text + strlen(text), sizeof text - strlen(text), " (%zu in total)", others + 1);
        attend(l->attention, ATTENTION_SAME, l->lab->lab.id, t->student, text);
    }
}
static size_t same_groups(struct class_lab *l) {
    const struct alike *all = l->alike;
    size_t groups = 0;
    for (unsigned k = 0; k < all->count; k++) {
        size_t before = 0, behind = 0;
        for (unsigned n = 0; n < all->count; n++)
            if (n != k && same(&all->item[n], &all->item[k])) *(n < k ? &before : &behind) += 1;
        if (before || !behind) continue;
        groups++;
        tell_same(l, &all->item[k], behind);
    }
    return groups;
}

/* ---- similar ------------------------------------------------------------------------------------- */
struct pair {
    const struct text *a, *b;
    enum look look;
    double share;    /* similarity from 0 to 1 */
    double passages; /* number of shared passages, as in looks[] */
    bool joins;      /* whether the pair joins two groups of similar files */
};
static double weight_of(unsigned holders, unsigned texts) {
    const double rarity = log((texts + 1.0) / holders);
    return rarity * rarity;
}
/* Called for each fingerprint that two files share. */
typedef void (*shared_fn)(void *context, const struct fingerprint *a, const struct fingerprint *b);
static void each_shared(const struct text *a, const struct text *b, enum look look, shared_fn visit, void *context) {
    const struct fingerprint *x = a->prints[look].item, *y = b->prints[look].item;
    const struct fingerprint *const x_end = x + a->prints[look].count, *const y_end = y + b->prints[look].count;
    while (x < x_end && y < y_end)
        if (x->hash == y->hash)
            visit(context, x++, y++);
        else
            x->hash < y->hash ? (void)x++ : (void)y++;
}
static void add_weight(void *context, const struct fingerprint *a, const struct fingerprint *b) {
    double *sum = context;
    (void)b;
    *sum += a->weight;
}
/* Sets `share` and `passages` of the pair, unless the weights alone show that the files are not nearly equal. */
static void set_share(struct pair *p, unsigned texts) {
    const double x = p->a->weight[p->look], y = p->b->weight[p->look], of = looks[p->look].equal == (x > y) ? x : y,
                 rarest = log((texts + 1.0) / 2);
    double sum = 0;
    if (looks[p->look].equal && fmin(x, y) < looks[p->look].line * of) return;
    each_shared(p->a, p->b, p->look, add_weight, &sum);
    p->passages = sum / (rarest * rarest);
    p->share = of <= 0 ? 0 : sum / of;
}
static int by_texts(const void *a, const void *b) {
    const struct pair *x = a, *y = b;
    return x->a != y->a ? (x->a < y->a ? -1 : 1) : (x->b > y->b) - (x->b < y->b);
}
static int most_first(const void *a, const void *b) {
    const struct pair *x = a, *y = b;
    if (x->share != y->share) return x->share > y->share ? -1 : 1;
    return x->look != y->look ? (int)x->look - (int)y->look : by_texts(a, b);
}
static int joining_first(const void *a, const void *b) {
    const struct pair *x = a, *y = b;
    return x->joins != y->joins ? (int)y->joins - (int)x->joins : most_first(a, b);
}
struct pairs {
    struct pair *item;
    unsigned count, room;
    unsigned known;  /* item[0] to item[known - 1] are pairs from earlier comparisons, sorted by a and b */
    double *nearest; /* each file's largest similarity WITH_NAMES to a file that shares enough passages, or 0 */
};
static void add_pair(struct pairs *p, struct pair pair) {
    struct pair *found = p->known ? bsearch(&pair, p->item, p->known, sizeof pair, by_texts) : NULL;
    if (found) { /* several comparisons found the pair: keep the larger similarity */
        if (found->share < pair.share) *found = pair;
        return;
    }
    struct pair *more = array_room(p->item, p->count + 1, &p->room, sizeof *more);
    if (more) p->item = more, p->item[p->count++] = pair;
}
/* The evidence against chance (chance.h) that a reported pair of one comparison needs. */
struct evidence {
    struct chance *chance;
    double similar, any; /* minimum evidence for reporting a similar pair (0: none is needed), and any other pair */
};
/* Sets the weights of all fingerprints and returns the evidence that a pair needs. */
static struct evidence weigh(const struct alike *all, enum look look) {
    const struct fingerprint_list **texts = calloc(all->count + 1, sizeof(struct fingerprint_list *));
    for (unsigned k = 0; texts && k < all->count; k++) texts[k] = &all->item[k].prints[look];
    struct evidence e = {.chance = texts ? chance_new(texts, all->count) : NULL, .any = INFINITY};
    for (unsigned k = 0; e.chance && k < all->count; k++)
        for (unsigned n = 0; n < texts[k]->count; n++) {
            struct fingerprint *f = &texts[k]->item[n];
            all->item[k].weight[look] += f->weight = weight_of(f->holders, all->count);
        }
    const bool enough = e.chance && all->count >= FEWEST;
    if (enough && looks[look].equal) e.similar = chance_reach(e.chance, texts);
    if (enough && !looks[look].equal) e.any = chance_tail(e.chance, texts);
    free(texts);
    return e;
}
/* Adds the pairs that are similar and that chance does not explain, and those that share much more than the class's
 * other pairs. */
static void compare(const struct alike *all, enum look look, const struct evidence *e, struct pairs *p) {
    if (p->count) qsort(p->item, p->count, sizeof *p->item, by_texts);
    p->known = p->count;
    const bool none = !e->chance || (isinf(e->similar) && isinf(e->any));
    for (unsigned k = 0; !none && k < all->count; k++)
        for (unsigned n = k + 1; n < all->count; n++) {
            struct pair pair = {.a = &all->item[k], .b = &all->item[n], .look = look};
            set_share(&pair, all->count);
            const bool enough = pair.passages >= looks[look].passages;
            if (look == WITH_NAMES && p->nearest && enough) {
                p->nearest[k] = fmax(p->nearest[k], pair.share);
                p->nearest[n] = fmax(p->nearest[n], pair.share);
            }
            const bool similar = (enough && pair.share > looks[look].line) ||
                                 (pair.passages >= looks[look].many && all->count >= FEWEST_FOR_MANY);
            const double least = similar ? e->similar : e->any;
            if (isinf(least) || (!similar && pair.passages < FEWEST_SHARED) || same(pair.a, pair.b)) continue;
            if (least > 0 && chance_evidence(e->chance, &pair.a->prints[look], &pair.b->prints[look]) < least) continue;
            add_pair(p, pair);
        }
}

/* ---- the report ---- */
struct lines {
    json_t *a, *b; /* [first, last] line of each passage */
};
static void add_lines(void *context, const struct fingerprint *a, const struct fingerprint *b) {
    struct lines *l = context;
    json_array_append_new(l->a, json_pack("[i, i]", (int)a->first, (int)a->last));
    json_array_append_new(l->b, json_pack("[i, i]", (int)b->first, (int)b->last));
}
static json_t *side_json(const struct text *t, json_t *lines) {
    return json_pack("{s:s, s:s, s:o, s:o}", "id", text_of(t->student, "id"), "name", text_of(t->student, "name"),
                     "source", text_json(t->bytes), "lines", lines);
}
static void print_pair(struct class_lab *l, const struct pair *p, int middle, json_t *out) {
    const int percent = (int)(100 * p->share);
    const char *how =
        p->share > looks[p->look].line ? looks[p->look].how : "in passages that few other submissions contain";
    struct lines lines = {json_array(), json_array()};
    each_shared(p->a, p->b, p->look, add_lines, &lines);
    json_array_append_new(out, json_pack("{s:i, s:s, s:[o, o]}", "percent", percent, "how", how, "students",
                                         side_json(p->a, lines.a), side_json(p->b, lines.b)));
    for (unsigned k = 0; k < 2; k++) {
        char text[WHO + 200], other[WHO];
        who((k ? p->a : p->b)->student, other);
        snprintf(text, sizeof text, "%d%% similar to %s, %s (class median: %d%%)", percent, other, how, middle);
        attend(l->attention, ATTENTION_ALIKE, l->lab->lab.id, (k ? p->b : p->a)->student, text);
    }
}
/* Selects at most MAX_PAIRS pairs to report, sorted by similarity, and returns their number. A pair that joins two
 * groups takes precedence over pairs within a group, so that every member of a large group is named. A nearly equal
 * pair within a group is removed: it follows from the group's other pairs. */
static unsigned select_pairs(const struct alike *all, struct pairs *p) {
    unsigned *group = calloc(all->count + 1, sizeof *group), kept = 0;
    if (p->count) qsort(p->item, p->count, sizeof *p->item, most_first);
    for (unsigned k = 0; group && k < all->count; k++) group[k] = k;
    for (unsigned k = 0; group && k < p->count; k++) {
        struct pair pair = p->item[k];
        const unsigned a = group[pair.a - all->item], b = group[pair.b - all->item];
        pair.joins = a != b;
        for (unsigned n = 0; n < all->count && pair.joins; n++)
            if (group[n] == b) group[n] = a;
        if (pair.joins || !looks[pair.look].equal) p->item[kept++] = pair;
    }
    free(group);
    if (kept) qsort(p->item, p->count = kept, sizeof *p->item, joining_first);
    const unsigned listed = p->count < MAX_PAIRS ? p->count : MAX_PAIRS;
    if (listed) qsort(p->item, listed, sizeof *p->item, most_first);
    return listed;
}
static void tell_similar(struct class_lab *l) {
    struct pairs p = {.nearest = calloc(l->alike->count + 1, sizeof *p.nearest)};
    json_t *out = json_array();
    struct evidence e[LOOKS];
    for (unsigned k = 0; k < LOOKS; k++) e[k] = weigh(l->alike, k);
    /* If the lab is so short that equal structures are no evidence, equal code is no evidence either, because students
     * also choose equal names by chance. */
    const bool distinct = !isinf(e[WITHOUT_NAMES].similar);
    if (!distinct) e[CODE].similar = INFINITY;
    for (unsigned k = 0; k < LOOKS; k++) compare(l->alike, k, &e[k], &p), chance_free(e[k].chance);
    if (p.nearest) qsort(p.nearest, l->alike->count, sizeof *p.nearest, array_by_double);
    const unsigned listed = select_pairs(l->alike, &p);
    const int middle = p.nearest ? (int)ceil(100 * p.nearest[l->alike->count / 2]) : 0;
    for (unsigned k = 0; k < listed; k++) print_pair(l, &p.item[k], middle, out);
    json_object_set_new(
        l->out, "similar",
        json_pack("{s:i, s:i, s:o, s:b}", "middle", middle, "count", (int)p.count, "pairs", out, "renamed", distinct));
    free(p.item);
    free(p.nearest);
}
void alike_end(struct class_lab *l) {
    if (!l->alike) l->alike = alike_new(NULL);
    if (!l->alike) return;
    json_object_set_new(l->out, "same_groups", json_integer((json_int_t)same_groups(l)));
    tell_similar(l);
    for (unsigned k = 0; k < l->alike->count; k++) text_free(&l->alike->item[k]);
    text_free(&l->alike->skeleton);
    free(l->alike->item);
    free(l->alike);
}
