/* Tests the probes with small kernels: some contain one known error, and the others are correct. Each file
 * grader/tests/{wrong,right}_kernels/NAME.cu contains a kernel, its launch and the expected findings. Its first
 * lines have these forms:
 *
 *  // launch: grid=2 block=64 shared=256 times=1 budget=100000 seeds=4 kernel=NAME     (all optional)
 *  // launch: debug=0                    do not run it with -G
 *  // launch: arch=80                    compute capability that its inline PTX needs; if it is 90 or more, the
 *                                        kernel is also compiled for it
 *  // launch: cluster=2                  blocks per cluster
 *  // launch: cooperative=1              all blocks are resident at once
 *  // arg: float[64]:random              a buffer: :random, :iota, :ones, :zero, :out (uninitialized), :const
 *                                        (random and read-only)
 *  // arg: float[64]:random+4            the kernel gets a pointer 4 bytes into the buffer
 *  // arg: u32 64                        a number: u32, i32, u64, i64, float, double
 *  // arg: null
 *  // arg: texture 0 float 16x4          a texture of that type and size on the buffer of argument 0, unfiltered,
 *                                        with coordinates that are not normalized; "texture 0 float 64": linear memory
 *  // arg: surface 0 u8 16x4             a surface, in the same format
 *  // expect: race-shared line 12        key and line of a finding; "line 12 and 9" if it has two places
 *  // debug: misaligned line 12          a finding expected with -G but not without
 *  // release: misaligned line 12        a finding expected without -G but not with it
 *  // says: around the barrier at line 8  text in the message of one of its findings
 *  // unsaid: around the barrier         text in no message of its findings
 *  // refused: the most is 1024          text in the message that rejects the launch
 *  // result: 1[0] = 2016                element 0 of argument 1 after the launches
 *
 * SEEDS=100 in the environment runs more seeds. SHOW_FINDINGS=1 prints the findings.
 *
 * nvcc compiles the files together, each in its own namespace: once with -G, once without. Each kernel runs with
 * several seeds. For every seed, the findings must be exactly the expected ones. Without nvcc, the tests are
 * skipped. */
/* run: 28 s */
/* reads: grader/tests/right_kernels grader/tests/wrong_kernels */
#include "base/hash.h"
#include "effort.h"
#include "probes/probes.h"
#include "sim/texture.h"
#include "tests/unit.h"
#include "tests/suite.h"

#include <check.h>
#include <dirent.h>
#include <limits.h>

enum { MAX_KERNELS = 300, MAX_ARGS = 8, MAX_EXPECTED = 6, MAX_RESULTS = 4 };

struct arg {
    char type[8];
    uint64_t count, shift;
    bool buffer, null, texture, surface;
    unsigned of, width, height; /* of a texture or surface: index of the argument with the texels, and size in texels;
                                   height is 0 for linear memory */
    char fill[8];
    double value;
};
struct expected {
    char key[40];
    unsigned line, other;
};
struct result {
    unsigned arg;
    uint64_t index;
    double value;
};
struct kernel {
    char name[64], entry[32];
    unsigned grid, block, cluster, shared, times, seeds, arch;
    uint64_t budget;
    bool cooperative;
    struct arg args[MAX_ARGS];
    unsigned arg_count;
    struct expected expected[MAX_EXPECTED];
    unsigned expected_count;
    bool debug; /* whether the kernel also runs with -G */
    bool has_headers;
    bool wrong; /* whether a finding is expected, with or without -G */
    struct result results[MAX_RESULTS];
    unsigned result_count;
    char refused[120], says[120], unsaid[120];
};
struct suite_of {
    const char *folder;
    struct kernel kernels[MAX_KERNELS];
    unsigned count;
    bool wrong, debug;
    const struct unit *unit; /* two units: for compute capability 7.5, and for 9.0 */
};
/* [0]: without -G; [1]: with -G. Each has a unit for compute capability 7.5 and one for 9.0. A unit contains the
 * kernels of both folders, because reading the headers takes longer than compiling the kernels. */
static struct unit units[2][2];
enum { CLUSTERS_ARCH = 90 };
static bool is_modern(const struct kernel *k) { return k->arch >= CLUSTERS_ARCH; }
/* The units for compute capability 9.0 and with -G take two seconds each to compile. They take turns by commit. The
 * unit with both is compiled only for EVERY=1. */
static bool is_compiled(bool debug, bool modern) {
    return debug && modern ? getenv("EVERY") != NULL : (!debug && !modern) || in_turn(debug, 2);
}
/* With -G, `make test` runs a part of the kernels that include no headers, and EVERY=1 runs all kernels. */
static bool is_sampled(const struct suite_of *s, unsigned k) {
    return !s->debug || getenv("EVERY") || (in_turn(2 * k + 1, 12) && !s->kernels[k].has_headers);
}
/* The _DEBUG folders are compiled with -G: the compiler inlines nothing and keeps some variables in memory instead
 * of registers. */
enum folder { WRONG, RIGHT, WRONG_DEBUG, RIGHT_DEBUG, FOLDERS };
static struct suite_of folders[FOLDERS] = {
    [WRONG] = {.folder = "grader/tests/wrong_kernels", .wrong = true, .unit = units[0]},
    [RIGHT] = {.folder = "grader/tests/right_kernels", .unit = units[0]},
    [WRONG_DEBUG] = {.folder = "grader/tests/wrong_kernels", .wrong = true, .debug = true, .unit = units[1]},
    [RIGHT_DEBUG] = {.folder = "grader/tests/right_kernels", .debug = true, .unit = units[1]},
};

/* ---- the header of a kernel ------------------------------------------------------------------------------ */

static void parse_launch(struct kernel *k, const char *line) {
    char word[64];
    for (int used; sscanf(line, " %63s%n", word, &used) == 1; line += used) {
        char *equals = strchr(word, '=');
        if (!equals) unit_die("not name=value in", k->name);
        *equals = 0;
        unsigned long value = strtoul(equals + 1, NULL, 10);
        if (!strcmp(word, "grid"))
            k->grid = (unsigned)value;
        else if (!strcmp(word, "block"))
            k->block = (unsigned)value;
        else if (!strcmp(word, "shared"))
            k->shared = (unsigned)value;
        else if (!strcmp(word, "times"))
            k->times = (unsigned)value;
        else if (!strcmp(word, "seeds"))
            k->seeds = (unsigned)value;
        else if (!strcmp(word, "budget"))
            k->budget = value;
        else if (!strcmp(word, "cooperative"))
            k->cooperative = value;
        else if (!strcmp(word, "cluster"))
            k->cluster = (unsigned)value;
        else if (!strcmp(word, "arch"))
            k->arch = (unsigned)value;
        else if (!strcmp(word, "debug"))
            k->debug = value;
        else if (!strcmp(word, "kernel"))
            snprintf(k->entry, sizeof k->entry, "%s", equals + 1);
        else
            unit_die("unknown word in the launch line of", k->name);
    }
}
static void parse_arg(struct kernel *k, const char *line) {
    if (k->arg_count == MAX_ARGS) unit_die("too many arguments in", k->name);
    struct arg *a = &k->args[k->arg_count++];
    unsigned long long count = 0, shift = 0;
    if (sscanf(line, " %7[a-z0-9][%llu]:%7[a-z]+%llu", a->type, &count, a->fill, &shift) >= 3) {
        a->buffer = true, a->count = count, a->shift = shift;
        return;
    }
    char kind[8];
    if (sscanf(line, " %7s %u %7[a-z0-9] %ux%u", kind, &a->of, a->type, &a->width, &a->height) >= 4) {
        a->texture = !strcmp(kind, "texture"), a->surface = !strcmp(kind, "surface");
        if ((!a->texture && !a->surface) || a->of + 1 >= k->arg_count) unit_die("bad object in", k->name);
        return;
    }
    if (sscanf(line, " %7s %lf", a->type, &a->value) < 1) unit_die("bad argument in", k->name);
    a->null = !strcmp(a->type, "null");
}
static void parse_header(struct kernel *k, const char *text, bool debug) {
    k->grid = k->times = k->debug = 1, k->block = 32, k->seeds = 4, k->budget = 1 << 22;
    snprintf(k->entry, sizeof k->entry, "kernel");
    for (const char *line = text; !strncmp(line, "//", 2);) {
        char copy[256];
        const char *end = strchr(line, '\n');
        snprintf(copy, sizeof copy, "%.*s", (int)(end - line), line);
        char *colon = strchr(copy, ':');
        if (!strncmp(copy, "// launch:", 10))
            parse_launch(k, colon + 1);
        else if (!strncmp(copy, "// arg:", 7))
            parse_arg(k, colon + 1);
        else if (!strncmp(copy, "// expect:", 10) || !strncmp(copy, "// debug:", 9) ||
                 !strncmp(copy, "// release:", 11)) {
            struct expected *e = &k->expected[k->expected_count];
            if (k->expected_count == MAX_EXPECTED ||
                sscanf(colon + 1, " %39s line %u and %u", e->key, &e->line, &e->other) < 2)
                unit_die("bad expect line in", k->name);
            k->wrong = true;
            k->expected_count += copy[3] == 'e' || (copy[3] == 'd') == debug;
        } else if (!strncmp(copy, "// refused: ", 12)) {
            snprintf(k->refused, sizeof k->refused, "%s", colon + 2);
        } else if (!strncmp(copy, "// says: ", 9)) {
            snprintf(k->says, sizeof k->says, "%s", colon + 2);
        } else if (!strncmp(copy, "// unsaid: ", 11)) {
            snprintf(k->unsaid, sizeof k->unsaid, "%s", colon + 2);
        } else if (!strncmp(copy, "// result:", 10)) {
            struct result *r = &k->results[k->result_count++];
            unsigned long long index;
            if (k->result_count > MAX_RESULTS || sscanf(colon + 1, " %u[%llu] = %lf", &r->arg, &index, &r->value) != 3)
                unit_die("bad result line in", k->name);
            r->index = index;
        }
        line = end + 1;
    }
}

/* ---- translation units ----------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct kernel *)a)->name, ((const struct kernel *)b)->name);
}

static void find_kernels(struct suite_of *s) {
    DIR *d = opendir(s->folder);
    if (!d) unit_die("no such folder (run from the top of the tree)", s->folder);
    for (struct dirent *e; (e = readdir(d));) {
        size_t n = strlen(e->d_name);
        if (n < 4 || n > 60 || strcmp(e->d_name + n - 3, ".cu") != 0) continue;
        if (s->count == MAX_KERNELS) unit_die("too many kernels in", s->folder);
        snprintf(s->kernels[s->count++].name, sizeof s->kernels[0].name, "%.*s", (int)(n - 3), e->d_name);
    }
    closedir(d);
    qsort(s->kernels, s->count, sizeof s->kernels[0], by_name);
}
/* Writes a folder's part of a unit. If `headers`, writes the #include lines of its kernels, which must be outside
 * the namespaces; otherwise, writes the kernels. */
static uint64_t add_kernels(FILE *out, const struct suite_of *s, bool modern, bool headers, uint64_t hash) {
    char path[512], folder[PATH_MAX];
    /* The path is absolute, because tests with and without sanitizers run in different folders but share the unit. */
    if (!realpath(s->folder, folder)) unit_die("no such folder", s->folder);
    for (unsigned k = 0; k < s->count; k++) {
        const struct kernel *kernel = &s->kernels[k];
        if (is_modern(kernel) != modern || !is_sampled(s, k)) continue;
        snprintf(path, sizeof path, "%s/%s.cu", s->folder, kernel->name);
        if (!headers) {
            fprintf(out, "namespace %s {\n#include \"%s/%s.cu\"\n}\n", kernel->name, folder, kernel->name);
            continue;
        }
        char *text = read_file(path);
        hash = hash_text(hash, text);
        for (const char *line = text; (line = strstr(line, "\n#include <")); line++)
            fprintf(out, "%.*s\n", (int)strcspn(line + 1, "\n"), line + 1);
        free(text);
    }
    return hash;
}
static void begin_unit(const char *program, bool debug, bool modern) {
    const struct suite_of *both = &folders[debug ? WRONG_DEBUG : WRONG];
    char *unit = NULL;
    size_t size = 0;
    uint64_t hash = 0;
    FILE *out = open_memstream(&unit, &size);
    if (!out) unit_die("out of memory", both->folder);
    for (unsigned k = 0; k < 4; k++) hash = add_kernels(out, &both[k % 2], modern, k < 2, hash);
    fclose(out);
    const char *flags[] = {modern ? "-arch=compute_90a" : "-arch=compute_75", debug ? "-G" : "-lineinfo", NULL};
    unit_begin(&units[debug][modern], program, unit, hash, flags);
    free(unit);
}
static void read_headers(struct suite_of *s) {
    char path[512];
    for (unsigned k = 0; k < s->count; k++) {
        snprintf(path, sizeof path, "%s/%s.cu", s->folder, s->kernels[k].name);
        char *text = read_file(path);
        parse_header(&s->kernels[k], text, s->debug);
        s->kernels[k].has_headers = strstr(text, "\n#include <") != NULL;
        free(text);
    }
}

/* ---- a run ----------------------------------------------------------------------------------------------- */

static unsigned type_bytes(const char *type) {
    if (!strcmp(type, "u8")) return 1;
    if (!strcmp(type, "u16")) return 2;
    return !strcmp(type, "double") || !strcmp(type, "u64") || !strcmp(type, "i64") ? 8 : 4;
}
static void put_number(const char *type, void *to, double value) {
    if (!strcmp(type, "float"))
        *(float *)to = (float)value;
    else if (!strcmp(type, "double"))
        *(double *)to = value;
    else {
        int64_t whole = (int64_t)value;
        memcpy(to, &whole, type_bytes(type));
    }
}
static double get_number(const char *type, const void *from) {
    int32_t i32;
    uint64_t bits = 0;
    memcpy(&bits, from, type_bytes(type));
    memcpy(&i32, from, type_bytes(type) >= 4 ? 4 : 0);
    if (!strcmp(type, "float")) return *(const float *)from;
    if (!strcmp(type, "double")) return *(const double *)from;
    return !strcmp(type, "i32") ? (double)i32 : !strcmp(type, "i64") ? (double)(int64_t)bits : (double)bits;
}
static uint64_t make_buffer(struct sim *s, const struct arg *a, unsigned number) {
    static const char *const names[MAX_ARGS] = {"argument 0", "argument 1", "argument 2", "argument 3",
                                                "argument 4", "argument 5", "argument 6", "argument 7"};
    unsigned each = type_bytes(a->type);
    bool out = !strcmp(a->fill, "out"), constant = !strcmp(a->fill, "const");
    uint64_t address = sim_alloc(s, names[number], a->count * each,
                                 out        ? SIM_UNINITIALIZED
                                 : constant ? SIM_INITIALIZED | SIM_READ_ONLY
                                            : SIM_INITIALIZED);
    uint8_t *to = sim_host(s, address);
    for (uint64_t k = 0; !out && k < a->count; k++) {
        double value = !strcmp(a->fill, "iota")   ? (double)k
                       : !strcmp(a->fill, "ones") ? 1
                       : !strcmp(a->fill, "zero") ? 0
                                                  : (double)((k * 2654435761u >> 13) % 17);
        put_number(a->type, to + k * each, value);
    }
    return address;
}
static uint64_t make_object(struct sim *s, const struct arg *a, uint64_t address) {
    const unsigned bytes = type_bytes(a->type);
    const struct sim_texels t = {.shape = a->height ? SIM_2D : SIM_LINEAR,
                                 .numbers = *a->type == 'f'   ? SIM_FLOATS
                                            : *a->type == 'i' ? SIM_SIGNED
                                                              : SIM_UNSIGNED,
                                 .bits = (uint8_t)(8 * bytes),
                                 .channels = 1,
                                 .width = a->width,
                                 .height = a->height ? a->height : 1,
                                 .depth = 1,
                                 .layers = 1,
                                 .address = address,
                                 .pitch = a->width * bytes};
    const struct sim_sampling sampling = {.outside = {SIM_CLAMP, SIM_CLAMP, SIM_CLAMP}};
    return a->texture ? sim_texture_new(s, &t, &sampling) : sim_surface_new(s, &t);
}
static const struct ptx_function *entry_of(const struct suite_of *s, const struct kernel *k) {
    char prefix[160];
    int n = snprintf(prefix, sizeof prefix, "_ZN%zu%s%zu%sE", strlen(k->name), k->name, strlen(k->entry), k->entry);
    const struct ptx_module *m = s->unit[is_modern(k)].module;
    for (unsigned f = 0; f < m->function_count; f++)
        if (m->functions[f]->entry && !strncmp(m->functions[f]->name, prefix, (size_t)n)) return m->functions[f];
    return NULL;
}

static bool is_expected(const struct expected *e, const struct finding *f) {
    unsigned line = f->at.line, other = f->other.pc == UINT32_MAX || f->other.line == line ? 0 : f->other.line;
    return !strcmp(e->key, f->kind->key) &&
           ((e->line == line && e->other == other) || (other && e->line == other && e->other == line));
}
/* Writes to `out` how the findings differ from the expected ones, or "" if they do not. */
static void compare(const struct kernel *k, const struct measurement *m, char *out, size_t size) {
    size_t used = 0;
    bool seen[MAX_EXPECTED] = {false};
    out[0] = 0;
    for (unsigned n = 0; n < m->findings.count; n++) {
        const struct finding *f = &m->findings.item[n];
        bool known = false;
        for (unsigned x = 0; x < k->expected_count; x++)
            if (is_expected(&k->expected[x], f)) known = seen[x] = true;
        if (!known && used < size)
            used += (size_t)snprintf(out + used, size - used, "\n  not expected: %s line %u (and %u): %s", f->kind->key,
                                     f->at.line, f->other.line, f->message);
    }
    for (unsigned x = 0; x < k->expected_count; x++)
        if (!seen[x] && used < size)
            used += (size_t)snprintf(out + used, size - used, "\n  missed: %s line %u and %u", k->expected[x].key,
                                     k->expected[x].line, k->expected[x].other);
}

static void check_results(const struct kernel *k, struct sim *s, const uint64_t address[MAX_ARGS], uint64_t seed) {
    for (unsigned n = 0; n < k->result_count; n++) {
        const struct result *r = &k->results[n];
        const struct arg *a = &k->args[r->arg];
        const uint8_t *data = sim_host(s, address[r->arg]);
        double got = get_number(a->type, data + r->index * type_bytes(a->type));
        if (got != r->value)
            ck_abort_msg("%s, seed %llu: argument %u [%llu] is %g, not %g", k->name, (unsigned long long)seed, r->arg,
                         (unsigned long long)r->index, got, r->value);
    }
}
/* Returns a hash of the final contents of all buffers. If `checked`, verifies findings and results; otherwise,
 * launches only once. */
static uint64_t run_once(const struct suite_of *f, const struct kernel *k, uint64_t seed, struct sim_schedule schedule,
                         bool checked) {
    const struct ptx_function *entry = entry_of(f, k);
    if (!entry) ck_abort_msg("%s: no kernel `%s`", k->name, k->entry);
    struct sim_options options = {
        .seed = seed, .shuffle = seed != 0, .budget = k->budget, .cores = 1 + seed % 2, .schedule = schedule};
    struct sim *s = sim_new(f->unit[is_modern(k)].program, &options);
    uint64_t address[MAX_ARGS] = {0}, value[MAX_ARGS] = {0};
    const void *params[MAX_ARGS];
    for (unsigned n = 0; n < k->arg_count; n++) {
        const struct arg *a = &k->args[n];
        params[n] = &value[n];
        if (a->buffer)
            value[n] = (address[n] = make_buffer(s, a, n)) + a->shift;
        else if (a->texture || a->surface)
            value[n] = make_object(s, a, address[a->of]);
        else if (!a->null)
            put_number(a->type, &value[n], a->value);
    }
    struct measurement m;
    measure_begin(&m, MEASURE_ALL);
    const struct sim_parts parts = measure_parts(&m);
    struct sim_launch launch = {.kernel = entry->name,
                                .grid = {k->grid, 1, 1},
                                .block = {k->block, 1, 1},
                                .cluster = {k->cluster, k->cluster > 0, k->cluster > 0},
                                .dynamic_shared = k->shared,
                                .cooperative = k->cooperative,
                                .params = params,
                                .param_count = k->arg_count,
                                .listeners = m.listeners,
                                .listener_count = m.listener_count,
                                .parts = &parts};
    struct sim_error error;
    for (unsigned n = 0; n < (checked ? k->times : 1); n++) {
        const bool bad = sim_launch(s, &launch, NULL, &error) == SIM_BAD_LAUNCH;
        if (bad && (!k->refused[0] || !strstr(error.message, k->refused)))
            ck_abort_msg("%s: %s", k->name, error.message);
        ck_assert_msg(bad || !k->refused[0], "%s: launched, although it requests too much", k->name);
    }
    measure_end(&m);
    char text[2000];
    bool said = !k->says[0];
    compare(k, &m, text, sizeof text);
    for (unsigned n = 0; n < m.findings.count; n++) {
        const char *message = m.findings.item[n].message;
        said |= strstr(message, k->says) != NULL;
        if (k->unsaid[0] && strstr(message, k->unsaid))
            ck_abort_msg("%s: a finding contains a text that `unsaid` rules out: %s", k->name, message);
    }
    if (checked && !said) ck_abort_msg("%s: no finding says `%s`", k->name, k->says);
    if (checked && text[0]) ck_abort_msg("%s, seed %llu:%s", k->name, (unsigned long long)seed, text);
    if (getenv("SHOW_FINDINGS") && seed == 0)
        for (unsigned n = 0; n < m.findings.count; n++)
            printf("%s:%u %s: %s\n", k->name, m.findings.item[n].at.line, m.findings.item[n].kind->key,
                   m.findings.item[n].message);
    if (checked) check_results(k, s, address, seed);
    uint64_t hash = HASH_START;
    for (unsigned n = 0; n < k->arg_count; n++)
        if (k->args[n].buffer)
            hash = hash_bytes(hash, sim_host(s, address[n]), k->args[n].count * type_bytes(k->args[n].type));
    measure_free(&m);
    sim_free(s);
    return hash;
}

static void run_kernel(enum folder which, int index) {
    const struct suite_of *f = &folders[which];
    const struct kernel *k = &f->kernels[index];
    const char *more = getenv("SEEDS");
    uint64_t seeds = more ? strtoull(more, NULL, 10) : which >= WRONG_DEBUG ? 1 : k->seeds;
    if (f->wrong)
        ck_assert_msg(k->wrong || k->refused[0], "%s: no expect line", k->name);
    else
        ck_assert_msg(!k->wrong && k->result_count, "%s: must have a result line and no expect line", k->name);
    if (!is_compiled(f->debug, is_modern(k)) || !is_sampled(f, (unsigned)index)) return;
    for (uint64_t seed = 0; seed < seeds && (k->debug || !f->debug); seed++)
        run_once(f, k, seed, (struct sim_schedule){0}, true);
}
/* Orders of execution. A right kernel must be right in each, even if every load that is not ordered after a store
 * returns a stale value. */
static const char *const orders[] = {"rising", "falling",         "warp=1",        "falling,warp=0", "block=1",
                                     "lane=0", "falling,lane=31", "lane=5,warp=1", "turn=1"};
START_TEST(right_kernel_is_right_in_any_order) {
    const struct kernel *k = &folders[RIGHT].kernels[_i];
    if (!is_compiled(false, is_modern(k))) return;
    for (unsigned n = 0; n < sizeof orders / sizeof *orders; n++) {
        struct sim_schedule s;
        ck_assert(sim_schedule_parse(&s, orders[n]));
        s.stale = SIM_ANY_LINE;
        run_once(&folders[RIGHT], k, 0, s, true);
    }
    for (uint64_t seed = 1; seed < 4; seed++)
        run_once(&folders[RIGHT], k, seed, (struct sim_schedule){.stale = SIM_ANY_LINE}, true);
}
END_TEST
START_TEST(wrong_kernel_gives_its_finding) { run_kernel(WRONG, _i); }
END_TEST
START_TEST(right_kernel_gives_none) { run_kernel(RIGHT, _i); }
END_TEST
START_TEST(wrong_kernel_with_debug_gives_its_finding) { run_kernel(WRONG_DEBUG, _i); }
END_TEST
START_TEST(right_kernel_with_debug_gives_none) { run_kernel(RIGHT_DEBUG, _i); }
END_TEST
/* Races that change the result in none of the orders. */
static const char *const hidden[] = {
    "atomic_of_block_scope",      /* the simulator executes atomics one at a time, regardless of their scope */
    "cluster_adds_block_wide",    /* the same */
    "ballot_orders_no_memory",    /* the result does not depend on the value, because of rounding */
    "compared_before_atomic_max", /* after a stale value, the kernel executes an atomic that changes nothing */
    "flag_set_and_cleared",       /* after a stale value, the loop polls again */
    "fragment_stored_then_read",  /* a warp stores a matrix with one instruction; stale=LINE does not apply to such
                                     stores */
    "stmatrix_read_by_lanes",     /* the same */
    "swap_loop_skips_by_old_value",
    "lanes_take_turns_without_sync", /* the race would show only if several lanes ran ahead together */
    "max_without_atomic",            /* all values are equal */
    "syncwarp_half_mask",            /* the sums are not used */
    "warp_synchronous_volatile",     /* the stale value is 0, which does not change the result */
};
START_TEST(races_change_results) {
    const struct kernel *k = &folders[WRONG].kernels[_i];
    const struct finding_kind *kind = k->expected_count ? catalog_finding(k->expected[0].key) : NULL;
    if (!kind || !kind->is_race || !is_compiled(false, is_modern(k))) return;
    const uint64_t first = run_once(&folders[WRONG], k, 0, (struct sim_schedule){0}, false);
    bool differs = false;
    for (unsigned n = 0; n < 2 * sizeof orders / sizeof *orders && !differs; n++) {
        struct sim_schedule s;
        ck_assert(sim_schedule_parse(&s, orders[n / 2]));
        if (n % 2) s.stale = SIM_ANY_LINE;
        differs = run_once(&folders[WRONG], k, 0, s, false) != first;
    }
    for (unsigned n = 0; n < sizeof hidden / sizeof *hidden; n++)
        if (!strcmp(hidden[n], k->name)) {
            ck_assert_msg(!differs, "%s: an order demonstrates the race", k->name);
            return;
        }
    ck_assert_msg(differs, "%s: no order demonstrates the race", k->name);
}
END_TEST
/* Each kind of finding must be expected by a wrong kernel. The exceptions are race-grids and nested-launch: a kernel
 * that launches kernels must be compiled with -rdc=true, so check_exec.c tests it (exec/children_race.cu). */
START_TEST(every_finding_has_its_kernel) {
    const struct finding_kind *kind;
    for (unsigned at = 0; (kind = catalog_finding_at(at)); at++) {
        bool found = !strcmp(kind->key, "race-grids") || !strcmp(kind->key, "nested-launch");
        for (unsigned k = 0; k < folders[WRONG].count; k++)
            for (unsigned n = 0; n < folders[WRONG].kernels[k].expected_count; n++)
                found |= !strcmp(folders[WRONG].kernels[k].expected[n].key, kind->key);
        ck_assert_msg(found, "no wrong kernel expects %s", kind->key);
    }
}
END_TEST

int main(int argc, char **argv) {
    (void)argc;
    if (!unit_nvcc()) {
        puts("SKIP check_kernels: every test of the probes on real kernels: no nvcc in PATH or /usr/local/cuda/bin");
        return 0;
    }
    const int loaded = (int)effort(FOLDERS, WRONG_DEBUG); /* the tests with -G come last */
    for (int k = 0; k < loaded; k++) find_kernels(&folders[k]), read_headers(&folders[k]);
    for (int k = 0; k < loaded; k++)
        if (is_compiled(k / 2, k % 2)) begin_unit(argv[0], k / 2, k % 2);
    for (int k = 0; k < loaded; k++)
        if (is_compiled(k / 2, k % 2)) unit_load(&units[k / 2][k % 2], "check_kernels");
    Suite *suite = suite_create("kernels");
    TCase *tests = tcase_create("kernels");
    tcase_set_timeout(tests, 300);
    add_rows(tests, wrong_kernel_gives_its_finding, folders[WRONG].count, effort(1, 8));
    add_rows(tests, right_kernel_gives_none, folders[RIGHT].count, effort(1, 8));
    add_rows(tests, right_kernel_is_right_in_any_order, folders[RIGHT].count, effort(3, 24));
    add_rows(tests, races_change_results, folders[WRONG].count, effort(3, 16));
    tcase_add_loop_test(tests, wrong_kernel_with_debug_gives_its_finding, 0, (int)folders[WRONG_DEBUG].count);
    tcase_add_loop_test(tests, right_kernel_with_debug_gives_none, 0, (int)folders[RIGHT_DEBUG].count);
    tcase_add_test(tests, every_finding_has_its_kernel);
    suite_add_tcase(suite, tests);
    const int failed = suite_failures(suite);
    for (int k = 0; k < loaded; k++)
        if (is_compiled(k / 2, k % 2)) unit_free(&units[k / 2][k % 2]);
    return failed ? 1 : 0;
}
