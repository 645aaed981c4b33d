/* Tests that random programs give identical bits on every instruction set of the host and, with GPU=1, on a GPU.
 *
 *  PROGRAMS=N    number of programs (default 200)
 *  SEED=N        seed of the first program (default 1)
 *  WORKERS=N     number of processes (default 1)
 *  LENGTH=N      maximum number of statements per program
 *  KEEP=FOLDER   writes the modules there, for other tools
 *
 * A failure reports the seed of its program. SEED=N PROGRAMS=1 repeats the program. To find the statement, reduce
 * LENGTH until the program no longer fails. */
/* reads: nothing */
#include "effort.h"
#include "tests/ops/random.h"
#include <limits.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BATCH = 16, PART = 320 }; /* programs per module, and programs per process */
static unsigned number_from(const char *name, unsigned otherwise) {
    const char *text = getenv(name);
    return text && *text ? (unsigned)strtoul(text, NULL, 0) : otherwise;
}

/* Compares two results of a program. If they differ, prints the seed and the program's text, and returns false. */
static bool same_outputs(const char *where, unsigned seed, unsigned number, const uint64_t *ours, const uint64_t *other,
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
    fflush(stdout);
    return false;
}
/* Runs kernel `number` of the module. Copies its results to `out`. */
static void simulate(const struct sim_program *program, unsigned number, uint64_t seed, bool shuffle, uint64_t *out) {
    static uint64_t in[RANDOM_THREADS * RANDOM_VALUES];
    const struct sim_options options = {.seed = seed, .shuffle = shuffle};
    struct sim *s = sim_new(program, &options);
    char kernel[16];
    struct sim_error error;
    snprintf(kernel, sizeof kernel, "k%u", number);
    random_input(in, seed);
    memset(out, 0, RANDOM_OUT * sizeof *out);
    const uint64_t to = sim_alloc(s, "to", RANDOM_OUT * sizeof *out, SIM_INITIALIZED),
                   from = sim_alloc(s, "from", sizeof in, SIM_INITIALIZED | SIM_READ_ONLY);
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
enum compiled { NOWHERE, OPTIMIZED, NOT_OPTIMIZED }; /* how the GPU's driver compiles a program */
static bool run_on_gpu(const struct device *gpu, struct device_module *m, enum compiled how, unsigned number,
                       uint64_t seed, uint64_t *out) {
    static uint64_t in[RANDOM_THREADS * RANDOM_VALUES];
    char kernel[16];
    snprintf(kernel, sizeof kernel, "k%u", number);
    random_input(in, seed);
    memset(out, 0, RANDOM_OUT * sizeof *out);
    struct plan p = {0};
    plan_add_buffer(&p, (struct plan_buffer){"to", RANDOM_OUT, sizeof *out, PLAN_REPEAT});
    plan_add_buffer(&p, (struct plan_buffer){"from", sizeof in / sizeof *in, sizeof *in, PLAN_INPUT});
    plan_add_launch(&p, 0, kernel, RANDOM_GRID, RANDOM_BLOCK);
    plan_pass_address(&p, 0, 0), plan_pass_address(&p, 1, 0);
    plan_add_read(&p, 0, 0, RANDOM_OUT, PLAN_ARRAY);
    struct device_run r = {.plan = &p,
                           .module = {m},
                           .options = {.not_optimized = how == NOT_OPTIMIZED},
                           .inputs = (const void *const[]){in},
                           .outputs = out};
    gpu->run(&r, 1);
    if (r.status != DEVICE_OK) printf("seed %llu: GPU: %s\n", (unsigned long long)seed, r.error.message);
    plan_free(&p);
    return r.status == DEVICE_OK;
}
/* Returns the number of the module's programs that have different results on the GPU. If there are any, compares
 * again with code that the driver has not optimized. */
static unsigned check_on_gpu(const struct text *text, unsigned first, unsigned count, enum compiled how,
                             const uint64_t ours[][RANDOM_OUT]) {
    static uint64_t theirs[RANDOM_OUT];
    const struct device *gpu = device_find("cuda");
    struct device_module *m = NULL;
    struct device_error e = {""};
    unsigned wrong = 0;
    if (gpu->load(text->data, text->length, "random.ptx", &m, &e) != DEVICE_OK)
        return printf("seeds from %u: %s\n", first, e.message), 1;
    for (unsigned k = 0; k < count; k++) {
        if (!run_on_gpu(gpu, m, how, k, first + k, theirs))
            wrong++;
        else if (random_difference(ours[k], theirs) < 0)
            continue;
        else if (how == OPTIMIZED && run_on_gpu(gpu, m, NOT_OPTIMIZED, k, first + k, theirs) &&
                 random_difference(ours[k], theirs) < 0)
            printf("seed %u: different bits with the driver's optimizer, identical bits without it\n", first + k);
        else
            wrong += !same_outputs("GPU", first + k, k, ours[k], theirs, text->data);
    }
    gpu->unload(m);
    return wrong;
}

/* Runs a module of `count` programs with seeds from `first` on. Returns the number of programs with different
 * results. */
static unsigned check_batch(unsigned first, unsigned count, enum compiled how) {
    static struct text text;
    static uint64_t ours[BATCH][RANDOM_OUT], other[RANDOM_OUT];
    unsigned wrong = 0;
    text.length = 0;
    text_add(&text, HEADER);
    for (unsigned k = 0; k < count; k++) random_kernel(&text, k, first + k, number_from("LENGTH", UINT_MAX));
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
            if (set) wrong += !same_outputs(instruction_sets[set], first + k, k, ours[k], other, text.data);
        }
        sim_program_free(program);
    }
    if (how != NOWHERE) wrong += check_on_gpu(&text, first, count, how, (const uint64_t(*)[RANDOM_OUT])ours);
    ptx_free(module);
    return wrong;
}

/* Programs that run in one child process, because a driver may crash, and does not free everything that a module
 * allocates. */
struct part {
    unsigned first, count;
    pid_t process;
};
static void begin_part(struct part *p, enum compiled how) {
    fflush(stdout);
    if ((p->process = fork())) return;
    unsigned wrong = 0;
    for (unsigned k = 0; k < p->count; k += BATCH)
        wrong += check_batch(p->first + k, p->count - k < BATCH ? p->count - k : BATCH, how);
    fflush(stdout);
    _exit(wrong > 0);
}
/* Runs the parts, `workers` at a time. Moves parts whose process crashed to the front of the array, and sets
 * *crashed to their number. Returns whether results of a program differ. */
static bool run_parts(struct part *part, unsigned count, enum compiled how, unsigned workers, unsigned *crashed) {
    unsigned begun = 0;
    bool wrong = false;
    *crashed = 0;
    for (unsigned ended = 0; ended < count; ended++) {
        int status = 0;
        while (begun < count && begun - ended < workers) begin_part(&part[begun++], how);
        const pid_t process = wait(&status);
        for (unsigned k = 0; k < begun && WIFSIGNALED(status); k++) {
            if (part[k].process != process) continue;
            const struct part crash = part[k];
            part[k] = part[*crashed], part[(*crashed)++] = crash;
            break;
        }
        wrong |= WIFEXITED(status) && WEXITSTATUS(status);
    }
    return wrong;
}
/* Splits each part into parts of at most `size` programs and stores them in `to`. Returns their number. */
static unsigned divide(const struct part *from, unsigned count, unsigned size, struct part *to) {
    unsigned parts = 0;
    for (unsigned p = 0; p < count; p++)
        for (unsigned k = 0; k < from[p].count; k += size)
            to[parts++] = (struct part){from[p].first + k, from[p].count - k < size ? from[p].count - k : size, 0};
    return parts;
}
START_TEST(programs_give_the_same_results) {
    static const unsigned sizes[] = {PART, BATCH,
                                     1}; /* sizes of parts; after a crash, the part is split to find the program */
    const unsigned programs = number_from("PROGRAMS", effort(200, 50)), workers = number_from("WORKERS", 1);
    const enum compiled how = number_from("GPU", 0) ? OPTIMIZED : NOWHERE;
    struct part *part = calloc(programs + 1, sizeof *part), *smaller = calloc(programs + 1, sizeof *part);
    unsigned crashed = 1, still = 0;
    bool wrong = false;
    *part = (struct part){number_from("SEED", 1), programs, 0};
    for (unsigned k = 0; k < sizeof sizes / sizeof *sizes && crashed; k++) {
        const unsigned parts = divide(part, crashed, sizes[k], smaller);
        struct part *swap = part;
        part = smaller, smaller = swap;
        wrong |= run_parts(part, parts, how, workers, &crashed);
    }
    const unsigned alone = crashed;
    wrong |= run_parts(part, alone, how == OPTIMIZED ? NOT_OPTIMIZED : how, workers, &still);
    for (unsigned k = 0; k < alone; k++)
        printf("seed %u: %s\n", part[k].first,
               k < still ? "its process crashed" : "the driver's compiler crashes, but only when it optimizes");
    wrong |= still > 0;
    printf("%u random programs on each instruction set%s: %s\n", programs, how == NOWHERE ? "" : " and on the GPU",
           wrong ? "some differ" : "the same bits");
    free(part), free(smaller);
    ck_assert(!wrong);
}
END_TEST

int main(void) {
    /* a buffer for a whole report: processes that run in parallel must not mix their output */
    static char whole[1 << 16];
    setvbuf(stdout, whole, _IOFBF, sizeof whole);
    TCase *t = tcase_create("random");
    tcase_add_test(t, programs_give_the_same_results);
    return run_suite("random", t);
}
