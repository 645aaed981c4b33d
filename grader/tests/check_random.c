/* Random programs on every instruction set of the host, and with GPU=1 on a GPU: the same bits.
 *
 *   PROGRAMS=N   so many (default 200); SEED=N the first one's seed (default 1); WORKERS=N processes (default 1)
 *   LENGTH=N     statements of each at most; KEEP=FOLDER writes the modules there, for other tools
 *
 * A failure names the seed of its program. SEED=that PROGRAMS=1 repeats it; the least LENGTH at which it still fails
 * tells which statement it is about. */
#include "effort.h"
#include "tests/ops/random.h"
#include <limits.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BATCH = 16, PART = 320 }; /* programs of a module; of a process */
static unsigned number_of(const char *name, unsigned otherwise) {
    const char *text = getenv(name);
    return text && *text ? (unsigned)strtoul(text, NULL, 0) : otherwise;
}

/* The seed of a program whose results differ is printed with its text; false. */
static bool same(const char *where, unsigned seed, unsigned number, const uint64_t *ours, const uint64_t *other,
                 const char *text) {
    const int at = random_difference(ours, other);
    if (at < 0) return true;
    char entry[32];
    snprintf(entry, sizeof entry, ".entry k%u(", number);
    const char *begin = strstr(text, entry), *end = begin ? strstr(begin, "\n}\n") : NULL;
    const bool counter = at >= RANDOM_THREADS * (RANDOM_VALUES + 1);
    printf("seed %u, %s: %s %d, word %d: %016llx, not %016llx\n%.*s\n", seed, where, counter ? "counter" : "thread",
           counter ? at - RANDOM_THREADS * (RANDOM_VALUES + 1) : at / (RANDOM_VALUES + 1), at % (RANDOM_VALUES + 1),
           (unsigned long long)other[at], (unsigned long long)ours[at], begin ? (int)(end - begin) : 0,
           begin ? begin : "");
    return false;
}
/* Runs kernel `number` of the module; its results in `out`. */
static void simulate(const struct sim_program *program, unsigned number, uint64_t seed, bool shuffle, uint64_t *out) {
    static uint64_t in[RANDOM_THREADS * RANDOM_VALUES];
    const struct sim_options options = {.seed = seed, .shuffle = shuffle};
    struct sim *s = sim_new(program, &options);
    char kernel[16];
    struct sim_error error;
    snprintf(kernel, sizeof kernel, "k%u", number);
    random_input(in, seed);
    memset(out, 0, RANDOM_OUT * sizeof *out);
    const uint64_t to = sim_alloc(s, "to", RANDOM_OUT * sizeof *out, SIM_INITIALISED),
                   from = sim_alloc(s, "from", sizeof in, SIM_INITIALISED | SIM_READ_ONLY);
    memcpy(sim_host(s, to), out, RANDOM_OUT * sizeof *out);
    memcpy(sim_host(s, from), in, sizeof in);
    const struct sim_launch l = {.kernel = kernel,
                                 .grid = {RANDOM_GRID, 1, 1},
                                 .block = {RANDOM_BLOCK, 1, 1},
                                 .params = (const void *const[]){&to, &from},
                                 .param_count = 2};
    const enum sim_status status = sim_launch(s, &l, NULL, &error);
    ck_assert_msg(status == SIM_DONE, "seed %llu was stopped: %s", (unsigned long long)seed, error.message);
    memcpy(out, sim_host(s, to), RANDOM_OUT * sizeof *out);
    sim_free(s);
}
static bool run_on_gpu(const struct device *gpu, struct device_module *m, unsigned number, uint64_t seed,
                       uint64_t *out) {
    static uint64_t in[RANDOM_THREADS * RANDOM_VALUES];
    struct device_session *s = NULL;
    struct device_error e = {""};
    uint64_t to = 0, from = 0;
    char kernel[16];
    const struct device_options options = {.seed = 0};
    snprintf(kernel, sizeof kernel, "k%u", number);
    random_input(in, seed);
    memset(out, 0, RANDOM_OUT * sizeof *out);
    const struct device_launch l = {.kernel = kernel,
                                    .grid = RANDOM_GRID,
                                    .block = RANDOM_BLOCK,
                                    .params = (const void *const[]){&to, &from},
                                    .param_count = 2};
    const bool ok = gpu->open(m, &options, &s, &e) == DEVICE_OK &&
                    gpu->alloc(s, "to", RANDOM_OUT * sizeof *out, 0, &to, &e) == DEVICE_OK &&
                    gpu->alloc(s, "from", sizeof in, 0, &from, &e) == DEVICE_OK &&
                    gpu->write(s, to, out, RANDOM_OUT * sizeof *out, &e) == DEVICE_OK &&
                    gpu->write(s, from, in, sizeof in, &e) == DEVICE_OK && gpu->launch(s, &l, NULL, &e) == DEVICE_OK &&
                    gpu->read(s, to, out, RANDOM_OUT * sizeof *out, &e) == DEVICE_OK;
    if (!ok) printf("seed %llu: GPU: %s\n", (unsigned long long)seed, e.message);
    if (s) gpu->close(s);
    return ok;
}

/* A module of `count` programs, seeds first .. first+count-1: how many of them differ. */
static unsigned check_batch(unsigned first, unsigned count, bool with_gpu) {
    static struct text text;
    static uint64_t ours[BATCH][RANDOM_OUT], other[RANDOM_OUT];
    unsigned wrong = 0;
    text.length = 0;
    add(&text, HEADER);
    for (unsigned k = 0; k < count; k++) random_kernel(&text, k, first + k, number_of("LENGTH", UINT_MAX));
    const char *keep = getenv("KEEP");
    if (keep) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%u.ptx", keep, first);
        FILE *f = fopen(path, "w");
        if (f) fwrite(text.data, 1, text.length, f), fclose(f);
    }
    struct ptx_module *module = parsed(text.data);
    for (unsigned set = 0; set < SETS; set++) {
        struct sim_error error;
        if (!host_has(instruction_sets[set])) continue;
        struct sim_program *program = sim_program_new_isa(module, instruction_sets[set], &error);
        ck_assert_msg(program != NULL, "%s in\n%s", error.message, text.data);
        for (unsigned k = 0; k < count; k++) {
            simulate(program, k, first + k, set > 0, set ? other : ours[k]);
            if (set) wrong += !same(instruction_sets[set], first + k, k, ours[k], other, text.data);
        }
        sim_program_free(program);
    }
    if (with_gpu) {
        const struct device *gpu = device_find("cuda");
        struct device_module *m = NULL;
        struct device_error e = {""};
        const bool loaded = gpu->load(text.data, text.length, "random.ptx", &m, &e) == DEVICE_OK;
        if (!loaded) printf("seeds from %u: %s\n", first, e.message), wrong++;
        for (unsigned k = 0; loaded && k < count; k++)
            wrong += !run_on_gpu(gpu, m, k, first + k, other) || !same("GPU", first + k, k, ours[k], other, text.data);
        if (m) gpu->unload(m);
    }
    ptx_free(module);
    return wrong;
}
/* In a process of its own, which has a part of them: drivers do not free all that a module took. */
static pid_t begin_part(unsigned first, unsigned count, bool with_gpu) {
    fflush(stdout);
    const pid_t child = fork();
    if (child) return child;
    unsigned wrong = 0;
    for (unsigned k = 0; k < count; k += BATCH)
        wrong += check_batch(first + k, count - k < BATCH ? count - k : BATCH, with_gpu);
    fflush(stdout);
    _exit(wrong > 0);
}
static bool end_part(void) {
    int status;
    if (wait(&status) < 0) return true;
    if (WIFSIGNALED(status)) printf("a process was ended by signal %d\n", WTERMSIG(status));
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
START_TEST(programs_come_to_the_same) {
    const unsigned programs = number_of("PROGRAMS", effort(200, 50)), seed = number_of("SEED", 1),
                   workers = number_of("WORKERS", 1);
    const bool with_gpu = number_of("GPU", 0);
    unsigned wrong = 0, running = 0;
    for (unsigned k = 0; k < programs; k += PART) {
        if (running == workers) running--, wrong += !end_part();
        running += begin_part(seed + k, programs - k < PART ? programs - k : PART, with_gpu) > 0;
    }
    while (running) running--, wrong += !end_part();
    printf("%u random programs on each instruction set%s: %s\n", programs, with_gpu ? " and on the GPU" : "",
           wrong ? "some differ" : "the same bits");
    ck_assert_uint_eq(wrong, 0);
}
END_TEST

int main(void) {
    TCase *t = tcase_create("random");
    tcase_add_test(t, programs_come_to_the_same);
    return run_suite("random", t);
}
