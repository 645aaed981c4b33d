/* Tests that the simulator in a sandboxed process gives the same results as in this process. Tests that the parent
 * process reports how the sandboxed process ended, and is safe from arbitrary bytes that it sends. For these tests,
 * this program is also the worker. */
/* run: 12 s */
/* reads: grader/tests/run */
#include "tests/files.h"
#include "device/worker.h"
#include "effort.h"
#include "sandbox/process.h"
#include "model/model.h"
#include "probes/wire.h"
#include "sandbox/sandbox.h"
#include <arpa/inet.h>
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    N = 100,
    BLOCK = 64,
    BLOCKS = 2,
    EVERYTHING = MEASURE_ALL | MEASURE_BLOCK_TIME | MEASURE_MOVES | MEASURE_ACCESSES
};
static char *ptx;

/* ---- one run, on any device ----------------------------------------------------------------- */
struct told {
    enum device_status status;
    char message[512], printed[400];
    float result[BLOCKS];
    struct measurement m;
};
/* Fills a plan that launches kernel(in, out, n). `bytes` is the size of n. */
static void plan_sum(struct plan *p, const char *kernel, uint64_t n, uint32_t bytes) {
    plan_add_buffer(p, (struct plan_buffer){
                           .name = "in", .element = sizeof(float), .length = N, .fill = PLAN_INPUT, .read_only = true});
    plan_add_buffer(p, (struct plan_buffer){.name = "partial", .element = sizeof(float), .length = BLOCKS});
    plan_add_launch(p, 0, kernel, BLOCKS, BLOCK);
    plan_pass_address(p, 0, 0), plan_pass_address(p, 1, 0), plan_pass_scalar(p, &n, bytes);
    plan_add_read(p, 1, 0, BLOCKS, PLAN_ONE_A_BLOCK);
}
static struct told run(const struct device *d, struct device_module *module, const char *kernel, uint32_t n,
                       uint32_t bytes, bool print) {
    struct told t = {.status = DEVICE_OK};
    float data[N];
    struct plan p = {0};
    for (unsigned k = 0; k < N; k++) data[k] = (float)k;
    plan_sum(&p, kernel, n, bytes);
    struct device_run r = {.plan = &p,
                           .module = {module},
                           .options = {.seed = 3, .shuffle = true, .budget = 1 << 16, .cores = 1},
                           .inputs = (const void *const[]){data},
                           .what = EVERYTHING,
                           .measured = &t.m,
                           .outputs = t.result,
                           .printed = print ? t.printed : NULL,
                           .printed_room = sizeof t.printed};
    d->run(&r, 1);
    plan_free(&p);
    t.status = r.status;
    snprintf(t.message, sizeof t.message, "%s", r.error.message);
    return t;
}
static struct device_module *loaded(const struct device *d, const char *text) {
    struct device_error e = {""};
    struct device_module *m;
    ck_assert_msg(d->load(text, strlen(text), "kernels.cu", &m, &e) == DEVICE_OK, "%s", e.message);
    return m;
}

/* Asserts that two runs have the same findings and, unless the launch failed, the same results of each probe. */
static void same_measurement(enum device_status status, const struct measurement *a, const struct measurement *b) {
    size_t of_a, of_b;
    ck_assert_uint_eq(a->findings.count, b->findings.count);
    if (status != DEVICE_OK) return;
    uint8_t *bytes_a = wire_pack(a, &of_a), *bytes_b = wire_pack(b, &of_b);
    ck_assert_uint_eq(of_a, of_b);
    ck_assert_mem_eq(bytes_a, bytes_b, of_a);
    free(bytes_a);
    free(bytes_b);
}
static const struct {
    const char *kernel;
    uint32_t n, bytes;
    enum device_status status;
    const char *message; /* part of the message */
    bool print;
} rows[] = {
    {"_Z3sumPKfPfi", N, 4, DEVICE_OK, ""},
    {"_Z3sumPKfPfi", N, 4, DEVICE_OK, "", true},
    {"_Z3sumPKfPfi", 2 * N, 4, DEVICE_OK, ""}, /* reads past the end of `in`, which is a finding */
    {"_Z6racingPKfPfi", N, 4, DEVICE_OK, ""},
    {"_Z3sumPKfPfi", N, 8, DEVICE_SUBMISSION, "is 4 bytes long, but the launch passes 8"},
    {"_Z9not_therePKfPfi", N, 4, DEVICE_SUBMISSION, "no kernel"},
    {"_Z7endlessPi", N, 4, DEVICE_SUBMISSION, "takes 1 parameter, but 3 were given"},
};
START_TEST(worker_runs_match_local_runs) {
    const struct device *sim = device_find("sim");
    struct device_module *far = loaded(&device_worker, ptx), *near = loaded(sim, ptx);
    for (unsigned again = 0; again < 3; again++) /* later runs use the same connection */
        for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
            struct told a = run(sim, near, rows[k].kernel, rows[k].n, rows[k].bytes, rows[k].print),
                        b = run(&device_worker, far, rows[k].kernel, rows[k].n, rows[k].bytes, rows[k].print);
            ck_assert_msg(a.status == b.status, "row %u: status %d in this process, %d in the worker: %s", k, a.status,
                          b.status, b.message);
            ck_assert_msg(b.status == rows[k].status && strstr(b.message, rows[k].message), "row %u: %s", k, b.message);
            ck_assert_str_eq(a.message, b.message);
            ck_assert_str_eq(a.printed, b.printed);
            if (b.status == DEVICE_OK) ck_assert_mem_eq(a.result, b.result, sizeof a.result);
            same_measurement(b.status, &a.m, &b.m);
            measure_free(&a.m);
            measure_free(&b.m);
        }
    device_worker.unload(far);
    sim->unload(near);
}
END_TEST

static void *many_runs(void *module) {
    for (unsigned k = 0; k < 50; k++) {
        struct told t = run(&device_worker, module, "_Z3sumPKfPfi", N, 4, k & 1);
        if (t.status != DEVICE_OK || t.result[0] != 63 * 32 || t.result[1] != 4950 - 63 * 32) return module;
        measure_free(&t.m);
    }
    return NULL;
}
START_TEST(threads_have_separate_connections) {
    struct device_module *m = loaded(&device_worker, ptx);
    pthread_t thread[4];
    void *wrong;
    for (unsigned k = 0; k < 4; k++) ck_assert_int_eq(pthread_create(&thread[k], NULL, many_runs, m), 0);
    for (unsigned k = 0; k < 4; k++) ck_assert(!pthread_join(thread[k], &wrong) && !wrong);
    device_worker.unload(m);
}
END_TEST

static const char *const bad[] = {"", "nonsense", ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k(",
                                  ".version 7.0\n.target sm_75\n.address_size 64\n.global .b8 big[100000000];\n"};
/* In the sandbox, which has no /proc, the sanitizer cannot find the stack and reports the parser's longjmp(). So
 * under sanitizers, only one text is tested. */
#ifdef __SANITIZE_ADDRESS__
enum { BAD = 1 };
#else
enum { BAD = sizeof bad / sizeof *bad };
#endif
START_TEST(load_failures_have_the_same_message) {
    struct device_error near = {""}, far = {""};
    struct device_module *m;
    char *text = strdup(bad[_i]); /* the sanitizer detects reads past the end */
    const enum device_status status = device_find("sim")->load(text, strlen(text), "bad.cu", &m, &near);
    free(text);
    ck_assert_int_eq(device_worker.load(bad[_i], strlen(bad[_i]), "bad.cu", &m, &far), status);
    ck_assert_str_eq(near.message, far.message);
    if (status == DEVICE_OK) device_worker.unload(m);
}
END_TEST

/* ---- a worker that ends --------------------------------------------------------------------- */
/* Returns a child process of `parent`, or 0 if it has none. */
static int child_of(int parent) {
    char path[64];
    int child = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", parent, parent);
    FILE *f = fopen(path, "r");
    if (f && fscanf(f, "%d", &child) != 1) child = 0;
    if (f) fclose(f);
    return child;
}
/* Depths of processes below this one: bubblewrap, the sandbox's first process, the worker, and the process that
 * serves the connection. */
enum { BWRAP = 1, INIT, WORKER, SERVER };
static const struct {
    int depth, signal;
    enum device_status status;
    const char *said;
} ends[] = {
    {SERVER, SIGKILL, DEVICE_SETUP, "killed by the out-of-memory killer"},
    {SERVER, SIGTERM, DEVICE_SETUP, "killed by the out-of-memory killer"},
    {WORKER, SIGKILL, DEVICE_SETUP, "killed by the out-of-memory killer"},
    {INIT, SIGKILL, DEVICE_SETUP, "killed by the out-of-memory killer"},
    {BWRAP, SIGKILL, DEVICE_SETUP, "killed by the out-of-memory killer"},
    {SERVER, SIGSEGV, DEVICE_SUBMISSION, "crashed while it ran"},
    {SERVER, SIGXCPU, DEVICE_SUBMISSION, "took too much time"},
    {SERVER, SIGPROF, DEVICE_SUBMISSION, "took too much time"},
    {SERVER, SIGALRM, DEVICE_SETUP, "killed by the out-of-memory killer"},
};
static enum device_status try_run(struct device_module *m, char message[512]) {
    struct told t = run(&device_worker, m, "_Z3sumPKfPfi", N, 4, false);
    measure_free(&t.m);
    memcpy(message, t.message, sizeof t.message);
    return t.status;
}
START_TEST(end_of_the_worker_is_reported) {
    struct device_module *m = loaded(&device_worker, ptx);
    char message[512];
    int victim = getpid();
    ck_assert_int_eq(try_run(m, message), DEVICE_OK);
    for (int k = 0; k < ends[_i].depth; k++) victim = child_of(victim);
    ck_assert(victim > 1 && !kill(victim, ends[_i].signal));
    enum device_status last = DEVICE_OK;
    for (unsigned k = 0; k < 500 && last == DEVICE_OK;
         k++, usleep(10000)) /* the operating system needs time to kill a process */
        last = try_run(m, message);
    ck_assert_int_eq(last, ends[_i].status);
    ck_assert_msg(strstr(message, ends[_i].said), "%s", message);
    ck_assert_int_eq(worker_interruptions() > 0, last == DEVICE_SETUP);
    const bool goes_on = try_run(m, message) == DEVICE_OK;
    ck_assert_int_eq(goes_on, ends[_i].depth == SERVER); /* if only a server was killed, the worker continues */
    device_worker.unload(m);
}
END_TEST

/* Several runs are submitted together, and each gets a reply. A request and a reply have 400 KiB each, more than the
 * buffer of a socket (208 KiB on Linux). */
START_TEST(runs_go_together) {
    enum { RUNS = DEVICE_AT_ONCE + 2, WORDS = 100 << 10 };
    struct device_module *m = loaded(&device_worker, ptx);
    struct device_run runs[RUNS];
    struct plan plans[RUNS] = {{0}};
    const void *inputs[RUNS][1];
    uint32_t *data[RUNS], *got[RUNS];
    for (unsigned k = 0; k < RUNS; k++) {
        data[k] = malloc(WORDS * sizeof **data), got[k] = calloc(WORDS, sizeof **got);
        for (unsigned n = 0; n < WORDS; n++) data[k][n] = n * (k + 1);
        plan_add_buffer(&plans[k], (struct plan_buffer){"in", WORDS, sizeof **data, PLAN_INPUT, .lead = k});
        plan_add_read(&plans[k], 0, 0, WORDS - k, PLAN_ARRAY);
        if (k == 3) plan_add_launch(&plans[k], 0, "none", 1, 32);
        inputs[k][0] = data[k];
        runs[k] = (struct device_run){.plan = &plans[k], .module = {m}, .inputs = inputs[k], .outputs = got[k]};
    }
    device_worker.run(runs, RUNS);
    for (unsigned k = 0; k < RUNS; k++) {
        ck_assert_msg(runs[k].status == (k == 3 ? DEVICE_SUBMISSION : DEVICE_OK), "%u: %s", k, runs[k].error.message);
        ck_assert_uint_eq(runs[k].reads, 1); /* results from before the failure are kept */
        ck_assert_mem_eq(got[k], data[k], (WORDS - k) * sizeof **got);
        free(data[k]), free(got[k]);
        plan_free(&plans[k]);
    }
    device_worker.unload(m);
}
END_TEST
START_TEST(worker_variables_match_local_ones) {
    static const char text[] = ".version 7.0\n.target sm_70\n.address_size 64\n.const .align 4 .u32 size = 7;\n"
                               ".global .align 4 .b8 many[4096];\n";
    const struct device *const devices[] = {device_find("sim"), &device_worker};
    for (unsigned k = 0; k < 2; k++) {
        struct device_module *m = loaded(devices[k], text);
        struct device_error e = {""};
        uint64_t bytes = 0, value = 0;
        ck_assert_int_eq(devices[k]->variable(m, "size", &value, sizeof value, &bytes, &e), DEVICE_OK);
        ck_assert(value == 7 && bytes == 4);
        ck_assert_int_eq(devices[k]->variable(m, "many", &value, sizeof value, &bytes, &e), DEVICE_OK);
        ck_assert(value == 0 && bytes == 4096);
        ck_assert_int_eq(devices[k]->variable(m, "none", &value, sizeof value, &bytes, &e), DEVICE_SUBMISSION);
        ck_assert_str_eq(e.message, "the module has no variable `none`");
        devices[k]->unload(m);
    }
}
END_TEST

/* ---- data that leave the process ------------------------------------------------------------- */
/* A tap on a socket of this process: a thread forwards the outgoing data and keeps a copy. */
struct tap {
    /* inside: the thread's end of a pair, whose other end replaces the socket in this process; outside: the socket */
    int inside, outside;
    uint8_t *sent;
    size_t count;
};
static void *pass_on(void *context) {
    static _Thread_local uint8_t bytes[1 << 16];
    struct tap *t = context;
    struct pollfd p[2] = {{t->inside, POLLIN, 0}, {t->outside, POLLIN, 0}};
    while (poll(p, 2, -1) > 0)
        for (unsigned k = 0; k < 2; k++) {
            if (!p[k].revents) continue;
            const ssize_t n = read(p[k].fd, bytes, sizeof bytes);
            if (n <= 0) return NULL;
            for (ssize_t done = 0, w; done < n; done += w)
                if ((w = write(p[!k].fd, bytes + done, (size_t)(n - done))) <= 0) return NULL;
            if (k) continue;
            t->sent = realloc(t->sent, t->count + (size_t)n);
            memcpy(t->sent + t->count, bytes, (size_t)n);
            t->count += (size_t)n;
        }
    return NULL;
}
static unsigned tap_sockets(struct tap *taps, unsigned most) {
    unsigned count = 0;
    for (int fd = 3; fd < 100; fd++) {
        struct stat s;
        int pair[2];
        pthread_t thread;
        if (fstat(fd, &s) || !S_ISSOCK(s.st_mode)) continue;
        ck_assert_uint_lt(count, most);
        struct tap *t = &taps[count++];
        t->outside = fcntl(fd, F_DUPFD_CLOEXEC, 200);
        ck_assert(t->outside >= 0 && !socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair));
        t->inside = fcntl(pair[1], F_DUPFD_CLOEXEC, 200);
        ck_assert(t->inside >= 0 && dup2(pair[0], fd) == fd);
        close(pair[0]), close(pair[1]);
        ck_assert_int_eq(pthread_create(&thread, NULL, pass_on, t), 0);
        pthread_detach(thread);
    }
    return count;
}
/* Returns the first offset at which 8 bytes are an address of this process, or SIZE_MAX. */
static size_t find_address(const uint8_t *bytes, size_t count) {
    enum { MAX = 4096 };
    static uint64_t from[MAX], to[MAX];
    unsigned maps = 0;
    char line[512];
    FILE *f = fopen("/proc/self/maps", "r");
    while (maps < MAX && fgets(line, sizeof line, f))
        if (sscanf(line, "%" SCNx64 "-%" SCNx64, &from[maps], &to[maps]) == 2) maps++;
    fclose(f);
    for (size_t k = 0; k + 8 <= count; k++) {
        uint64_t word;
        memcpy(&word, bytes + k, sizeof word);
        for (unsigned m = 0; m < maps; m++)
            if (word >= from[m] && word < to[m]) return k;
    }
    return SIZE_MAX;
}
#ifdef __SANITIZE_ADDRESS__ /* with the sanitizer, nearly every number is an address */
enum { LOOKED_FOR = 0 };
#else
enum { LOOKED_FOR = 1 };
#endif
START_TEST(no_address_of_the_judge_crosses) {
    struct device_module *m = loaded(&device_worker, ptx);
    static struct tap taps[8];
    char message[512];
    ck_assert_int_eq(try_run(m, message), DEVICE_OK); /* opens the connection */
    const unsigned count = tap_sockets(taps, 8);
    size_t bytes = 0;
    ck_assert_uint_ge(count, 2);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct told t = run(&device_worker, m, rows[k].kernel, rows[k].n, rows[k].bytes, rows[k].print);
        ck_assert_int_eq(t.status, rows[k].status);
        measure_free(&t.m);
    }
    uint64_t value, size;
    struct device_error e;
    device_worker.variable(m, "none", &value, sizeof value, &size, &e);
    for (unsigned k = 0; k < count; k++) {
        const size_t at = find_address(taps[k].sent, taps[k].count);
        ck_assert_msg(at == SIZE_MAX, "byte %zu of %zu is part of an address", at, taps[k].count);
        bytes += taps[k].count;
    }
    ck_assert_uint_gt(bytes, 4000);
    /* The search must find a planted address. */
    const void *const here = taps;
    uint8_t shown[20] = {0};
    memcpy(shown + 7, &here, sizeof here);
    ck_assert_uint_eq(find_address(shown, sizeof shown), 7);
    device_worker.unload(m);
}
END_TEST

/* ---- the worker's view ---------------------------------------------------------------------------- */
/* Conditions, and whether they hold in the sandbox. Outside the sandbox, all of them hold. */
static const struct {
    const char *script;
    bool inside;
} views[] = {
    {"test -r /etc/passwd", false},
    {"test -e /proc/self", false},
    {"test -e /home", false},
    {"test -d /usr/bin", true},
    {"test -w /dev/null", true},
    {"test -c /dev/zero", false},
    {"test -e $FILE", false},
    {"test -e . && echo > /tmp/of-its-own", true},
    {"test -n \"$OF_THE_JUDGE\"", false},
    {"kill -0 $PID", false},
    {"unshare -U true", false},
    {"unshare -r true", false},
    {"dd if=/dev/zero of=/tmp/of-its-own bs=1M count=300 2>/dev/null; test $(stat -c %s /tmp/of-its-own) = 314572800",
     false},
    {"exec bash -c \"exec 3<>/dev/tcp/127.0.0.1/$PORT\"", false},
};
static bool output_holds(const char *const *command) {
    struct process_result r = process_run(command, &(struct process_limits){.wall_seconds = 20});
    free(r.output);
    return r.end == PROCESS_EXITED && r.status == 0;
}
START_TEST(sandbox_shows_only_requested_files) {
    char script[400], path[] = "/tmp/check-worker-XXXXXX";
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    const int fd = mkstemp(path), server = socket(AF_INET, SOCK_STREAM, 0);
    ck_assert(!bind(server, (struct sockaddr *)&address, size) && !listen(server, 4) &&
              !getsockname(server, (struct sockaddr *)&address, &size));
    setenv("OF_THE_JUDGE", "1", 1);
    snprintf(script, sizeof script, "FILE=%s PID=%d PORT=%d; %s", path, (int)getpid(), ntohs(address.sin_port),
             views[_i].script);
    const char *const command[] = {"/bin/sh", "-c", script, NULL};
    char **words = sandbox_words(&(struct sandbox){.compiler = true, .shown = {{path, "/shown"}}, .command = command});
    ck_assert_msg(output_holds(command), "outside: %s", script);
    ck_assert_msg(output_holds((const char *const *)words) == views[_i].inside, "inside: %s", script);
    sandbox_free(words);
    close(fd);
    close(server);
    unlink(path);
    unlink("/tmp/of-its-own");
}
END_TEST

/* Writes 96 MiB to /tmp in the sandbox. With a limit of 32 MiB per process, all processes of a sandbox together may
 * use 64 MiB. */
START_TEST(memory_limits_apply_to_the_whole_sandbox) {
    static const char *const command[] = {"/bin/sh", "-c", "yes | head -c 100663296 >/tmp/whole", NULL};
    char **words = sandbox_words(&(struct sandbox){.compiler = true, .command = command});
    const struct process_limits limits[] = {{.wall_seconds = 60, .memory_bytes = 32 << 20}, {.wall_seconds = 60}};
    for (unsigned k = 0; k < 2; k++) {
        const bool over = !k && sandbox_groups();
        struct process_result r = process_run((const char *const *)words, &limits[k]);
        ck_assert_msg(over ? r.end == PROCESS_KILLED : r.end == PROCESS_EXITED && !r.status, "%s", r.output);
        if (over) ck_assert_uint_eq(r.resident_bytes, 2 * limits[k].memory_bytes);
        free(r.output);
    }
    sandbox_free(words);
}
END_TEST

/* ---- arbitrary bytes ------------------------------------------------------------------------- */
/* Reads all memory that a measurement points to, so that the sanitizer detects invalid pointers. */
static uint64_t look_at(const struct measurement *m) {
    uint64_t sum = 0;
    for (unsigned k = 0; k < m->findings.count; k++)
        sum += strlen(m->findings.item[k].kind->key) + strlen(m->findings.item[k].message) +
               (m->findings.item[k].at.file ? strlen(m->findings.item[k].at.file) : 0);
    for (unsigned k = 0; k < m->line_count; k++) sum += m->lines[k].file ? strlen(m->lines[k].file) : 0;
    for (unsigned k = 0; k < steps_of(m)->count; k++)
        for (unsigned w = 0; w < steps_of(m)->warps; w++) sum += steps_of(m)->item[k].active[w];
    for (unsigned k = 0; k < moves_of(m)->count; k++)
        for (unsigned n = 0; n < moves_of(m)->item[k].reads; n++)
            sum += strlen(moves_of(m)->array[moves_of(m)->item[k].read[n].array].name);
    return sum;
}
static bool takes(const uint8_t *bytes, size_t length) {
    struct measurement m;
    uint8_t *copy = malloc(length + 1); /* the sanitizer detects reads past the end */
    memcpy(copy, bytes, length);
    measure_begin(&m, 0);
    const bool good = wire_unpack(&m, copy, length);
    free(copy);
    ck_assert(look_at(&m) < UINT64_MAX);
    measure_free(&m);
    return good;
}
START_TEST(random_bytes_are_rejected_or_within_bounds) {
    const struct device *sim = device_find("sim");
    struct device_module *near = loaded(sim, ptx);
    struct told t = run(sim, near, "_Z6racingPKfPfi", N, 4, false);
    size_t length, once_more;
    uint8_t *bytes = wire_pack(&t.m, &length);
    ck_assert(bytes && takes(bytes, length) && length > 4000);
    struct measurement m;
    measure_begin(&m, 0);
    ck_assert(wire_unpack(&m, bytes, length));
    uint8_t *again = wire_pack(&m, &once_more);
    ck_assert_uint_eq(length, once_more);
    ck_assert_mem_eq(bytes, again, length);
    for (size_t k = 0; k < length; k += 7) ck_assert(!takes(bytes, k));
    const unsigned tries = effort(20000, 2000);
    unsigned refused = 0;
    uint64_t x = 88172645463325252u;
    for (unsigned k = 0; k < tries; k++) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        memcpy(again, bytes, length);
        const size_t at = x % length;
        again[at] = (uint8_t)(x >> 40);
        if (x >> 63) memset(again + at, 0xff, length - at < 8 ? length - at : 8);
        refused += !takes(again, length);
    }
    ck_assert_uint_gt(refused, tries / 4);
    measure_free(&m);
    measure_free(&t.m);
    free(bytes);
    free(again);
    sim->unload(near);
}
END_TEST

START_TEST(a_process_that_cannot_start_says_why) {
    struct rlimit files;
    ck_assert(!getrlimit(RLIMIT_NOFILE, &files));
    struct rlimit none = files;
    none.rlim_cur = 3; /* too few file descriptors for a pipe */
    ck_assert(!setrlimit(RLIMIT_NOFILE, &none));
    struct process_result r = process_run((const char *const[]){"true", NULL}, &(struct process_limits){0});
    ck_assert(!setrlimit(RLIMIT_NOFILE, &files));
    ck_assert_int_eq(r.end, PROCESS_NOT_STARTED);
    ck_assert_str_eq(r.output, strerror(EMFILE));
    free(r.output);
}
END_TEST

int main(int argc, char **argv) {
    char why[500];
    if (argc == 3 && !strcmp(argv[1], WORKER_WORD)) return worker_main(atoi(argv[2]));
    Suite *suite = suite_create("worker");
    TCase *tcase = tcase_create("worker");
    tcase_set_timeout(tcase, 300);
    ptx = read_file("grader/tests/run/kernels.ptx");
    tcase_add_test(tcase, random_bytes_are_rejected_or_within_bounds);
    tcase_add_test(tcase, a_process_that_cannot_start_says_why);
    if (sandbox_present(why, sizeof why)) {
        tcase_add_test(tcase, worker_runs_match_local_runs);
        tcase_add_test(tcase, threads_have_separate_connections);
        tcase_add_loop_test(tcase, load_failures_have_the_same_message, 0, BAD);
        tcase_add_loop_test(tcase, end_of_the_worker_is_reported, 0, sizeof ends / sizeof *ends);
        tcase_add_test(tcase, runs_go_together);
        tcase_add_test(tcase, worker_variables_match_local_ones);
        tcase_add_loop_test(tcase, no_address_of_the_judge_crosses, 0, LOOKED_FOR);
        if (!sandbox_groups())
            printf("SKIP the limits of a whole sandbox: no control group (cgroup v2) is delegated to this process\n");
        TCase *limits = tcase_create("limits");
        tcase_set_timeout(limits, 100);
        tcase_add_test(limits, memory_limits_apply_to_the_whole_sandbox);
        suite_add_tcase(suite, limits);
        tcase_add_loop_test(tcase, sandbox_shows_only_requested_files, 0, sizeof views / sizeof *views);
    } else
        printf("SKIP the sandbox: %s\n", why);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_FORK); /* tests kill processes */
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    free(ptx);
    return failed != 0;
}
