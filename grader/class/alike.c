/* Finds submissions that are identical, or share what few others wrote; also similarity to the reference.
 *
 * Only fingerprints (fingerprints.h) that the skeleton does not have count. One that everybody has says nothing, one
 * that only two have says most: its weight is the square of log(N / number of texts that have it), the inverse document
 * frequency of information retrieval (K. Spärck Jones, Journal of Documentation 28, 1972). The similarity of two texts
 * is the weight that they share divided by the weight of one of them. It is computed twice: with the students' names,
 * which is robust against moved lines, changed blanks and merging two files; and without names, which is robust against
 * renaming. */
#include "base/array.h"
#include "base/map.h"
#include "class/facts.h"
#include "class/fingerprints.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_PAIRS = 40, /* that are reported */
    PASSAGES = 2     /* that no other text has: sharing fewer is no evidence */
};
static const struct {
    bool larger; /* relative to the larger of the two, else to the smaller */
    double line; /* pairs above this are reported */
    const char *how;
} looks[LOOKS] = {[WITH_NAMES] = {false, 0.40, "including names"}, [WITHOUT_NAMES] = {true, 0.97, "except for names"}};

struct text {
    const json_t *student;
    char *bytes;
    size_t length;
    struct {
        struct fingerprint *item;
        unsigned count;
        double weight;
    } prints[LOOKS];
};
struct alike {
    struct text *item, skeleton; /* the skeleton has fingerprints only */
    unsigned count, room;
};

/* ---- texts ------------------------------------------------------------------------------------- */
/* The text without comments and blanks; string literals keep theirs. free() it. */
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
/* Removes the fingerprints that the skeleton has, too. */
static void without(struct fingerprint *f, unsigned *count, const struct fingerprint *skeleton, unsigned of_skeleton) {
    unsigned kept = 0;
    for (unsigned k = 0; k < *count; k++)
        if (!of_skeleton || !bsearch(&f[k], skeleton, of_skeleton, sizeof *f, by_hash)) f[kept++] = f[k];
    *count = kept;
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
    for (unsigned k = 0; k < LOOKS; k++)
        without(t->prints[k].item, &t->prints[k].count, l->alike->skeleton.prints[k].item,
                l->alike->skeleton.prints[k].count);
    l->alike->count++;
}

/* ---- identical files --------------------------------------------------------------------------- */
static bool same(const struct text *a, const struct text *b) {
    return a->length == b->length && !memcmp(a->bytes, b->bytes, a->length);
}
/* One line for each student of the group that starts at `first`, naming the others. */
static void tell_same(struct class_lab *l, const struct text *first, size_t others) {
    const struct text *end = l->alike->item + l->alike->count;
    for (const struct text *t = first; t < end; t++) {
        char text[400] = "";
        if (!same(t, first)) continue;
        for (const struct text *other = first; other < end; other++) {
            const size_t length = strlen(text);
            if (other == t || !same(other, first) || length > sizeof text - 80) continue;
            snprintf(text + length, sizeof text - length, "%s%.60s", length ? ", " : "as ",
                     text_of(other->student, "id"));
        }
        if (others > 7) snprintf(text + strlen(text), sizeof text - strlen(text), " (%zu in total)", others + 1);
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
    double share;
};
/* The number of texts that have each fingerprint. */
static struct map holders(const struct alike *all, enum look look) {
    struct map m = {0};
    for (unsigned k = 0; k < all->count; k++)
        for (unsigned n = 0; n < all->item[k].prints[look].count; n++) {
            uint64_t *value = map_make(&m, all->item[k].prints[look].item[n].hash);
            if (value) ++*value;
        }
    return m;
}
static double weight_of(const struct map *holders, uint64_t hash, unsigned texts) {
    const uint64_t *have = map_find(holders, hash);
    const double rarity = have ? log((texts + 1.0) / (double)*have) : 0;
    return rarity * rarity;
}
/* Called for each fingerprint that both have. */
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
static double share_of(const struct text *a, const struct text *b, enum look look, unsigned texts) {
    const double x = a->prints[look].weight, y = b->prints[look].weight, of = looks[look].larger == (x > y) ? x : y;
    double sum = 0;
    each_shared(a, b, look, add_weight, &sum);
    const double rarest = log((texts + 1.0) / 2);
    return sum < PASSAGES * rarest * rarest || of <= 0 ? 0 : sum / of;
}
static int by_texts(const void *a, const void *b) {
    const struct pair *x = a, *y = b;
    return x->a != y->a ? (x->a < y->a ? -1 : 1) : (x->b > y->b) - (x->b < y->b);
}
static int most_first(const void *a, const void *b) {
    const struct pair *x = a, *y = b;
    if (x->share != y->share) return x->share > y->share ? -1 : 1;
    return by_texts(a, b);
}
struct pairs {
    struct pair *item;
    unsigned count, room;
    unsigned known;  /* the first ones, which earlier looks have found, are in order of a and b */
    double *nearest; /* the largest share of each text with any other, including names */
};
static void add_pair(struct pairs *p, struct pair pair) {
    struct pair *found = p->known ? bsearch(&pair, p->item, p->known, sizeof pair, by_texts) : NULL;
    if (found) { /* with or without names: the larger share counts */
        if (found->share < pair.share) *found = pair;
        return;
    }
    struct pair *more = array_room(p->item, p->count + 1, &p->room, sizeof *more);
    if (more) p->item = more, p->item[p->count++] = pair;
}
static void compare(const struct alike *all, enum look look, struct pairs *p) {
    struct map m = holders(all, look);
    for (unsigned k = 0; k < all->count; k++)
        for (unsigned n = 0; n < all->item[k].prints[look].count; n++) {
            struct fingerprint *f = &all->item[k].prints[look].item[n];
            all->item[k].prints[look].weight += f->weight = weight_of(&m, f->hash, all->count);
        }
    if (p->count) qsort(p->item, p->count, sizeof *p->item, by_texts);
    p->known = p->count;
    for (unsigned k = 0; k < all->count; k++)
        for (unsigned n = k + 1; n < all->count; n++) {
            const struct text *a = &all->item[k], *b = &all->item[n];
            const double share = share_of(a, b, look, all->count);
            if (look == WITH_NAMES && p->nearest) {
                if (p->nearest[k] < share) p->nearest[k] = share;
                if (p->nearest[n] < share) p->nearest[n] = share;
            }
            if (share > looks[look].line && !same(a, b)) add_pair(p, (struct pair){a, b, look, share});
        }
    map_free(&m);
}

/* ---- told ------------------------------------------------------------------------------------------ */
struct lines {
    json_t *a, *b; /* [first, last] of each passage */
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
static void tell_pair(struct class_lab *l, const struct pair *p, int middle, json_t *out) {
    const int percent = (int)(100 * p->share);
    struct lines lines = {json_array(), json_array()};
    each_shared(p->a, p->b, p->look, add_lines, &lines);
    json_array_append_new(out, json_pack("{s:i, s:s, s:[o, o]}", "percent", percent, "how", looks[p->look].how,
                                         "students", side_json(p->a, lines.a), side_json(p->b, lines.b)));
    for (unsigned k = 0; k < 2; k++) {
        char text[200];
        snprintf(text, sizeof text, "%d %% as %.60s, %s (half of the class: below %d %%)", percent,
                 text_of((k ? p->a : p->b)->student, "id"), looks[p->look].how, middle + 1);
        attend(l->attention, ATTENTION_ALIKE, l->lab->lab.id, (k ? p->b : p->a)->student, text);
    }
}
static int by_number(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
static void tell_similar(struct class_lab *l) {
    struct pairs p = {.nearest = calloc(l->alike->count + 1, sizeof *p.nearest)};
    json_t *out = json_array();
    for (unsigned k = 0; k < LOOKS; k++) compare(l->alike, k, &p);
    if (p.nearest) qsort(p.nearest, l->alike->count, sizeof *p.nearest, by_number);
    if (p.count) qsort(p.item, p.count, sizeof *p.item, most_first);
    const int middle = p.nearest ? (int)(100 * p.nearest[l->alike->count / 2]) : 0;
    for (unsigned k = 0; k < p.count && k < MOST_PAIRS; k++) tell_pair(l, &p.item[k], middle, out);
    json_object_set_new(l->out, "similar",
                        json_pack("{s:i, s:i, s:o}", "middle", middle, "count", (int)p.count, "pairs", out));
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
