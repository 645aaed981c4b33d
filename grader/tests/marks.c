/* Tests whether points are fair. Grades every row of mistakes.def, mistakes_*.def and styles.def, every skeleton,
 * and pairs of independent mistakes in a lab. Compares the points with the rules of docs/grading.md:
 *
 *  a skeleton           0
 *  a single mistake     30 to 95
 *  two mistakes         no more than either alone
 *
 *  marks [LAB]
 *
 *  PAIRS=N             number of random pairs per lab (default 40; 0: none)
 *  SEED=N              the seed of all grades
 *  ROWS=fence,ticket   only rows whose names contain one of these words
 *  TEXTS=FOLDER        grade nothing, but write the rows to FOLDER/LAB.NAME.cu
 *
 * Prints a line per text: lab, kind (solution, skeleton, row, style, pair), points, the points of each check, name,
 * the work of its kernels as JSON and, with VERBOSE=1, messages and findings.
 *
 * Then prints the distribution of points, the violations of a rule (BAR), and the pairs in which one mistake hides
 * the other (HIDDEN). Exit status: 0 no violations, 1 violations, 3 it could not run. */
#include "tests/mistakes.h"
#include "base/random.h"

enum { MAX_PAIRS = 400, SEED = 7, AT_ONCE = 20 };
static const struct compiler *compiler;
enum { LOWEST = 30, HIGHEST = 95 };

/* ---- pairs ---------------------------------------------------------------------------------- */
static unsigned occurrences(const char *text, const char *what) {
    unsigned n = 0;
    for (const size_t length = strlen(what); (text = strstr(text, what)); text += length) n++;
    return n;
}
/* Makes both changes. Returns NULL if they overlap, so that the result would depend on their order. */
static char *both(const struct mistake *a, const struct mistake *b, const char *solution) {
    char *first = broken_replaced(solution, a->from, a->to, true),
         *second = broken_replaced(solution, b->from, b->to, true), *ab = NULL, *ba = NULL;
    if (first && second && occurrences(first, b->from) == occurrences(solution, b->from) &&
        occurrences(second, a->from) == occurrences(solution, a->from))
        ab = broken_replaced(first, b->from, b->to, true), ba = broken_replaced(second, a->from, a->to, true);
    if (ab && ba && strcmp(ab, ba) != 0) free(ab), ab = NULL;
    free(first), free(second), free(ba);
    return ab;
}
static bool is_taken(const struct mistake *m, const struct lab *lab) {
    const char *wanted = getenv("ROWS");
    char words[300], *rest = words;
    if (strcmp(m->lab, lab->id) != 0) return false;
    if (!wanted || !*wanted) return true;
    snprintf(words, sizeof words, "%s", wanted);
    for (const char *word; (word = strsep(&rest, ","));)
        if (strstr(m->name, word)) return true;
    return false;
}
/* Returns whether a row must cost points. A race between stores of the same value is reported, but costs none. */
static bool is_mistake(const struct mistake *m) {
    return m->from && m->points < 100 && (!m->kind || strcmp(m->kind, "same-value") != 0);
}

/* ---- one lab -------------------------------------------------------------------------------- */
struct graded {
    const struct mistake *row, *other; /* rows of the text: two for a pair, none for a skeleton or a solution */
    char *source;
    int points;
    char checks[400]; /* "one-block=8/15 many-blocks=11/20 ..." */
};
static unsigned histogram[21], violations, singles, pairs_graded, hidden;
static void set_checks(struct graded *g, const json_t *record) {
    const json_t *t;
    size_t k, used = 0;
    json_array_foreach(json_object_get(record, "tests"), k, t) used += (size_t)snprintf(
        g->checks + used, sizeof g->checks - used, "%s%s=%d/%d", k ? " " : "",
        json_string_value(json_object_get(t, "id")), (int)json_integer_value(json_object_get(t, "points")),
        (int)json_integer_value(json_object_get(t, "max_points")));
}
static void print_line(const struct lab *lab, const char *kind, const struct graded *g, json_t *record) {
    json_t *t, *f;
    size_t k, n;
    printf("%s\t%s\t%d\t%s", lab->id, kind, g->points, g->checks);
    printf("\t%s%s%s\t", g->row ? g->row->name : "", g->other ? " + " : "", g->other ? g->other->name : "");
    char *work = json_dumps(json_object_get(record, "work"), JSON_COMPACT | JSON_REAL_PRECISION(3));
    printf("%s\t", work ? work : "");
    free(work);
    if (getenv("VERBOSE")) json_array_foreach(json_object_get(record, "tests"), k, t) {
            printf("[%s: %s]", json_string_value(json_object_get(t, "id")),
                   json_string_value(json_object_get(t, "message")));
            json_array_foreach(json_object_get(t, "findings"), n, f)
                printf("{%s}", json_string_value(json_object_get(f, "kind")));
        }
    puts("");
    fflush(stdout);
}
static void tell(const struct lab *lab, const struct graded *g, const char *what, const char *bar) {
    printf("%s\t%s\t%d\t%s\t%s%s%s\n", lab->id, what, g->points, bar, g->row ? g->row->name : "", g->other ? " + " : "",
           g->other ? g->other->name : "");
}
static void violated(const struct lab *lab, const struct graded *g, const char *bar) {
    tell(lab, g, "BAR", bar);
    violations++;
}
static int grade_points(const struct broken_unit *u, const char *space, const char *kind, struct graded *g) {
    json_t *record = broken_grade(u, space, NULL, getenv("SEED") ? strtoull(getenv("SEED"), NULL, 0) : SEED);
    g->points = (int)json_integer_value(json_object_get(record, "score"));
    set_checks(g, record);
    print_line(u->lab, kind, g, record);
    json_decref(record);
    return g->points;
}
/* Returns the grade of the row alone, or NULL. */
static const struct graded *alone(const struct graded *all, unsigned count, const struct mistake *row) {
    for (unsigned k = 2; k < count; k++)
        if (!all[k].other && all[k].row == row) return &all[k];
    return NULL;
}
/* Returns whether, after each check, the pair has at most as many points as this mistake alone. */
static bool never_above(const struct graded *pair, const struct graded *alone) {
    int sum = 0, of_alone = 0, got, most;
    for (const char *a = pair->checks, *b = alone->checks; (a = strchr(a, '=')) && (b = strchr(b, '='));) {
        if (sscanf(++a, "%d/%d", &got, &most) == 2) sum += got;
        if (sscanf(++b, "%d/%d", &got, &most) == 2) of_alone += got;
        if (sum > of_alone) return false;
    }
    return true;
}
/* A kernel with two mistakes must have at most as many points as the worse one alone. Exceptions are counted as
 * hidden: one mistake may keep the other's code from running, or from affecting the result, in nearly all launches.
 * Such a pair may have as many points as the better one alone, but not more after any check. */
static void hold_pair(const struct lab *lab, const struct graded *pair, const struct graded *a,
                      const struct graded *b) {
    const struct graded *less = a->points < b->points ? a : b, *more = less == a ? b : a;
    char bar[100];
    pairs_graded++;
    if (pair->points <= less->points) return;
    snprintf(bar, sizeof bar, "more than the %d of `%.60s` alone", less->points, less->row->name);
    if (never_above(pair, more))
        tell(lab, pair, "HIDDEN", bar), hidden++;
    else
        violated(lab, pair, bar);
}
static void hold_against_bars(const struct lab *lab, struct graded *all, unsigned count, unsigned k) {
    const struct graded *g = &all[k];
    if (!k && g->points != 100) violated(lab, g, "a solution has 100");
    if (k == 1 && g->points) violated(lab, g, "a skeleton has 0");
    if (k < 2) return;
    if (g->other) return hold_pair(lab, g, alone(all, count, g->row), alone(all, count, g->other));
    if (!is_mistake(g->row)) return;
    singles++, histogram[g->points / 5]++;
    if (g->points < LOWEST || g->points > HIGHEST) violated(lab, g, "a mistake has 30 to 95");
}
/* Grades a unit. It contains the solution, for comparison, and `count` texts from `first` on. */
static bool grade_some(const struct lab *lab, struct graded *all, unsigned first, unsigned count) {
    char why[2000] = "";
    struct broken_text texts[AT_ONCE + 1] = {{"m", all[0].source}};
    struct broken_unit u;
    for (unsigned k = 0; k < count; k++) {
        texts[k + 1].source = all[first + k].source;
        snprintf(texts[k + 1].space, sizeof texts[k].space, "m%u", first + k);
    }
    if (!broken_load(&u, lab, variants, compiler, texts, count + 1, why, sizeof why))
        return fprintf(stderr, "marks: %s\n", why), false;
    for (unsigned k = 0; k < count; k++) {
        struct graded *g = &all[first + k];
        const char *kind = first + k == 0   ? "solution"
                           : first + k == 1 ? "skeleton"
                           : g->other       ? "pair"
                           : !g->row->from  ? "style"
                                            : "row";
        grade_points(&u, texts[k + 1].space, kind, g);
    }
    broken_free(&u);
    return true;
}
static bool grade_all(const struct lab *lab, struct graded *all, unsigned count) {
    for (unsigned k = 0; k < count; k += AT_ONCE)
        if (!grade_some(lab, all, k, count - k < AT_ONCE ? count - k : AT_ONCE)) return false;
    for (unsigned k = 0; k < count; k++) hold_against_bars(lab, all, count, k);
    return true;
}
/* Adds up to `wanted` random pairs of the lab's mistakes. Returns the new number of texts. */
static unsigned add_pairs(const struct lab *lab, const char *solution, struct graded *all, unsigned count,
                          unsigned wanted) {
    const struct mistake *of[MISTAKES];
    unsigned rows = 0, pairs = 0;
    for (unsigned k = 0; k < MISTAKES; k++)
        if (is_mistake(&mistakes[k]) && is_taken(&mistakes[k], lab)) of[rows++] = &mistakes[k];
    uint64_t random = hash_text(HASH_START, lab->id);
    for (unsigned trial = 0; rows > 1 && pairs < wanted && trial < 50 * wanted; trial++) {
        const unsigned a = random_below(&random, rows), b = random_below(&random, rows);
        if (a >= b) continue;
        bool known = false;
        for (unsigned k = 0; k < count; k++) known |= all[k].row == of[a] && all[k].other == of[b];
        char *source = known ? NULL : both(of[a], of[b], solution);
        if (source) all[count++] = (struct graded){of[a], of[b], source, 0}, pairs++;
    }
    return count;
}
static bool write_texts(const struct lab *lab, const char *folder) {
    char *solution = broken_solution(lab), path[500];
    bool ok = true;
    for (unsigned k = 0; k < MISTAKES; k++) {
        if (!is_taken(&mistakes[k], lab)) continue;
        char *row = text_of(&mistakes[k], solution), *text = NULL;
        snprintf(path, sizeof path, "%s/%s.%s.cu", folder, lab->id, mistakes[k].name);
        const int length = row ? asprintf(&text, "#define SOLUTION\n%s", row) : -1;
        ok = length > 0 && file_write(path, text, (size_t)length) && ok;
        free(row), free(text);
    }
    free(solution);
    return ok;
}
static bool mark_lab(const struct lab *lab, unsigned pairs) {
    static struct graded all[MISTAKES + MAX_PAIRS + 2];
    char path[300], *solution = broken_solution(lab);
    unsigned count = 2;
    snprintf(path, sizeof path, "labs/%s_%s/reduce.cu", lab->id, lab->name);
    all[0] = (struct graded){.source = solution}, all[1] = (struct graded){.source = read_file(path)};
    for (unsigned k = 0; k < MISTAKES; k++)
        if (is_taken(&mistakes[k], lab))
            all[count++] = (struct graded){&mistakes[k], NULL, text_of(&mistakes[k], solution), 0};
    count = add_pairs(lab, solution, all, count, pairs);
    const bool ok = grade_all(lab, all, count);
    for (unsigned k = 0; k < count; k++) free(all[k].source);
    return ok;
}
int main(int argc, char **argv) {
    char why[300] = "";
    setvbuf(stdout, NULL, _IOLBF, 0);
    const char *wanted = getenv("CUDA"), *pairs = getenv("PAIRS");
    compiler = compiler_find(wanted && *wanted ? wanted : "auto", why, sizeof why);
    if (!compiler) return fprintf(stderr, "marks: %s\n", why), 3;
    const unsigned most = pairs ? (unsigned)atoi(pairs) : 40;
    const char *folder = getenv("TEXTS");
    for (unsigned k = 0; k < lab_row_count; k++) {
        const struct lab *lab = lab_rows[k];
        if (argc > 1 && strcmp(argv[1], lab->id) != 0) continue;
        if (!(folder ? write_texts(lab, folder) : mark_lab(lab, most < MAX_PAIRS ? most : MAX_PAIRS))) return 3;
    }
    if (folder) return 0;
    for (unsigned k = 0; k < 21; k++) printf("HISTOGRAM\t%u\t%u\n", 5 * k, histogram[k]);
    printf("%u mistakes, %u pairs, in %u of them one mistake hides the other; %u rules violated\n", singles,
           pairs_graded, hidden, violations);
    return violations > 0;
}
