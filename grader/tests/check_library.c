/* Tests unmodified kernels that use cooperative_groups and CUB. For every seed, each line of
 * library_kernels/cases.def must give the correct result. Only the findings in the table `exceptions` are allowed.
 * Without nvcc, the tests are skipped. SEEDS=100 runs more seeds, and also compiles the kernels for a second
 * architecture, on which the libraries use other instructions. SHOW_FINDINGS=1 prints the findings. */
/* run: plain, 16 s */
/* reads: grader/tests/library_kernels */
#include "base/hash.h"
#include "probes/probes.h"
#include "tests/effort.h"
#include "tests/unit.h"

#include <check.h>

/* ---- values and operators, as in library.cu --------------------------------------------------------- */

typedef struct {
    unsigned scale, offset;
} affine;
typedef struct {
    float value;
    int index;
} pair;

#define sum(a, b) ((a) + (b))
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) < (b) ? (b) : (a))
static affine compose(affine a, affine b) { return (affine){a.scale * b.scale, a.offset * b.scale + b.offset}; }
static pair best(pair a, pair b) { return a.value < b.value || (a.value == b.value && a.index < b.index) ? a : b; }

/* `r` is below 1000, so sums of floats are exact in any order. */
static void fill_int(int *x, unsigned r) { *x = (int)r; }
static void fill_float(float *x, unsigned r) { *x = (float)r; }
static void fill_double(double *x, unsigned r) { *x = r; }
static void fill_affine(affine *x, unsigned r) { *x = (affine){2 * r + 1, r * 2654435761u}; }
static void fill_pair(pair *x, unsigned r) { *x = (pair){(float)(r % 7), (int)r}; }

/* ---- a case ------------------------------------------------------------------------------------------------ */

enum { MAX_THREADS = 1024, ALL = 1024 };
struct library_case {
    const char *name;
    unsigned threads, bytes;
    void (*fill)(void *in, unsigned seed);
    int (*wrong)(const void *in, const void *out); /* returns the first thread with a wrong result, or -1 */
};

#define REDUCE(name, type, op, threads, group, valid, ...)                                                             \
    static int group_##name(int t) { return (void)t, (group); }                                                        \
    static void fill_##name(void *in, unsigned seed) {                                                                 \
        for (unsigned t = 0; t < (threads); t++)                                                                       \
            fill_##type((type *)in + t, ((seed * 7919 + t) * 2654435761u >> 13) % 1000);                               \
    }                                                                                                                  \
    static int wrong_##name(const void *in, const void *out) {                                                         \
        const type *from = in, *to = out;                                                                              \
        for (int first = 0; first < (threads); first++) {                                                              \
            bool leads = group_##name(first) >= 0;                                                                     \
            for (int t = 0; t < first; t++) leads &= group_##name(t) != group_##name(first);                           \
            if (!leads) continue;                                                                                      \
            type expected = from[first];                                                                               \
            for (int t = first + 1, members = 1; t < (threads); t++)                                                   \
                if (group_##name(t) == group_##name(first) && members++ < (valid)) expected = op(expected, from[t]);   \
            if (memcmp(&expected, to + first, sizeof expected)) return first;                                          \
        }                                                                                                              \
        return -1;                                                                                                     \
    }
#include "tests/library_kernels/cases.def"
#include "tests/suite.h"

static const struct library_case cases[] = {
#define REDUCE(name, type, op, threads, group, valid, ...) {#name, threads, sizeof(type), fill_##name, wrong_##name},
#include "tests/library_kernels/cases.def"
};
enum { CASES = sizeof cases / sizeof *cases };

/* Findings in the libraries that are justified. docs/metrics.md ("Libraries") gives the reasons. */
#define ONE_MASK                                                                                                       \
    "CUB's WarpMask() returns the first logical warp's mask if the size is not a power of two: only one logical warp " \
    "is allowed"
#define SAME_VALUE "all lanes of a warp store the same result to the same location"
#define SHUFFLED                                                                                                       \
    "sync_warps_last_releases() relies on a shuffle to extend lane 0's acquire to the other lanes, but a shuffle "     \
    "does not order memory accesses"
static const struct exception {
    const char *name, *key, *why;
    bool before_80; /* does not occur for sm_80 and later, where a tile uses reserved memory, which has no races */
} exceptions[] = {
    {"warp_12_twice", "sync-mask", ONE_MASK, false}, {"tile_128", "same-value", SAME_VALUE, true},
    {"tile_128", "race-shared", SHUFFLED, true},     {"tile_64", "same-value", SAME_VALUE, true},
    {"tile_64", "race-shared", SHUFFLED, true},      {"tile_64_own", "same-value", SAME_VALUE, true},
    {"tile_64_own", "race-shared", SHUFFLED, true},
};
static struct unit units[2]; /* for sm_75 and sm_90 */
static bool is_exception(const struct unit *u, const char *name, const struct finding_kind *kind) {
    for (unsigned k = 0; k < sizeof exceptions / sizeof *exceptions; k++) {
        const struct exception *e = &exceptions[k];
        if (!strcmp(e->name, name) && !strcmp(e->key, kind->key)) return u == units || !e->before_80;
    }
    return false;
}

/* ---- runs -------------------------------------------------------------------------------------------------- */

/* With SEEDS (make test-seeds), also tests an architecture with warp-level reduction instructions. */
static unsigned architectures(void) { return getenv("SEEDS") ? 2 : 1; }
static const char *const flags[2][4] = {{"-arch=compute_75", "-lineinfo", "-Igrader/tests/library_kernels"},
                                        {"-arch=compute_90", "-lineinfo", "-Igrader/tests/library_kernels"}};

/* Asserts that each finding is a known exception. If warps run in order, each exception that is an error must occur.
 * In a different order, an error may be missing, because the warp that should have waited may run last. */
static void check_findings(const struct measurement *m, const struct unit *u, const struct library_case *c,
                           unsigned seed) {
    for (unsigned k = 0; k < m->findings.count; k++) {
        const struct finding *f = &m->findings.item[k];
        if (getenv("SHOW_FINDINGS"))
            printf("%s, %s, seed %u: %s: %s\n", c->name, flags[u - units][0], seed, f->kind->key, f->message);
        else if (!is_exception(u, c->name, f->kind))
            ck_abort_msg("%s, %s, seed %u: %s at %s:%u: %s", c->name, flags[u - units][0], seed, f->kind->key,
                         f->at.file ? f->at.file : "?", f->at.line, f->message);
    }
    for (unsigned k = 0; !seed && k < sizeof exceptions / sizeof *exceptions; k++) {
        const struct exception *e = &exceptions[k];
        if (strcmp(e->name, c->name) || (e->before_80 && u != units)) continue;
        bool found = catalog_finding(e->key)->severity != FINDING_ERROR; /* a race replaces this finding */
        for (unsigned n = 0; n < m->findings.count; n++) found |= !strcmp(m->findings.item[n].kind->key, e->key);
        ck_assert_msg(found, "%s: no %s, though %s", c->name, e->key, e->why);
    }
}
static void run_once(const struct unit *u, const struct library_case *c, unsigned seed) {
    struct sim_options options = {.seed = seed, .shuffle = seed != 0, .budget = 1 << 22};
    struct sim *s = sim_new(u->program, &options);
    uint64_t in = sim_alloc(s, "in", c->threads * c->bytes, SIM_INITIALIZED),
             out = sim_alloc(s, "out", c->threads * c->bytes, SIM_UNINITIALIZED);
    c->fill(sim_host(s, in), seed);
    const void *params[] = {&in, &out};
    struct measurement m;
    measure_begin(&m, MEASURE_ALL);
    struct sim_launch launch = {.kernel = c->name,
                                .grid = {1, 1, 1},
                                .block = {c->threads, 1, 1},
                                .params = params,
                                .param_count = 2,
                                .listeners = m.listeners,
                                .listener_count = m.listener_count};
    struct sim_error error;
    enum sim_status status = sim_launch(s, &launch, NULL, &error);
    measure_end(&m);
    if (status == SIM_BAD_LAUNCH) ck_abort_msg("%s: %s", c->name, error.message);
    check_findings(&m, u, c, seed);
    int wrong = c->wrong(sim_host(s, in), sim_host(s, out));
    ck_assert_msg(wrong < 0, "%s, %s, seed %u: the result of thread %d is wrong", c->name, flags[u - units][0], seed,
                  wrong);
    measure_free(&m);
    sim_free(s);
}
START_TEST(library_kernel_is_right_and_clean) {
    const char *more = getenv("SEEDS");
    for (unsigned seed = 0; seed < (more ? (unsigned)strtoul(more, NULL, 10) : 3); seed++)
        for (unsigned u = 0; u < architectures(); u++) run_once(&units[u], &cases[_i], seed);
}
END_TEST

int main(int argc, char **argv) {
    (void)argc;
    if (!unit_nvcc()) {
        puts("SKIP check_library: kernels that use cooperative_groups and CUB: no nvcc in PATH or /usr/local/cuda/bin");
        return 0;
    }
    char *text = read_file("grader/tests/library_kernels/library.cu"),
         *table = read_file("grader/tests/library_kernels/cases.def");
    for (unsigned u = 0; u < architectures(); u++) unit_begin(&units[u], argv[0], text, hash_text(0, table), flags[u]);
    for (unsigned u = 0; u < architectures(); u++) unit_load(&units[u], "grader/tests/library_kernels/library.cu");
    free(text);
    free(table);
    Suite *suite = suite_create("library");
    TCase *right = tcase_create("right");
    tcase_set_timeout(right, 300);
    add_rows(right, library_kernel_is_right_and_clean, CASES, 3);
    suite_add_tcase(suite, right);
    const int failed = suite_failures(suite);
    for (unsigned u = 0; u < architectures(); u++) unit_free(&units[u]);
    return failed ? 1 : 0;
}
