/* See session.h. */
#include "session.h"
#include "base/hash.h"
#include "choose.h"
#include "compile/nvrtc.h"
#include "root.h"
#include "sandbox/sandbox.h"
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

void session_root(struct session *s) {
    if (!root_find(s->root, sizeof s->root))
        exit_saying(EXIT_SETUP, "common/reduce.h is not in this command's folder, the current folder, or their parent "
                                "folders: run the command from the kit's folder");
    root_cache(s->root, s->cache, sizeof s->cache);
    nvrtc_kit(s->root);
}
void session_course(struct session *s) {
    char path[PATH_MAX + 32], message[700];
    snprintf(path, sizeof path, "%s/labs/course.conf", s->root);
    if (!course_read(path, &s->course, message, sizeof message))
        exit_saying(EXIT_SETUP, "%s", message + (strncmp(message, s->root, strlen(s->root)) ? 0 : strlen(s->root) + 1));
}
/* Selects the devices. The simulator counts and explains; a GPU, if there is one, also checks the results. */
static void find_device(struct session *s) {
    struct device_error e = {""};
    const bool automatic = !strcmp(s->options.device, "auto");
    const struct device *wanted = device_find(automatic ? "cuda" : s->options.device);
    if (!wanted) {
        fprintf(stderr, "grade: no device `%s`: %s\n", s->options.device, device_names);
        exit(EXIT_USAGE);
    }
    s->device = wanted->measures ? wanted : device_find("sim");
    if (wanted->measures) return;
    const enum device_status status = device_probe(wanted, &s->gpu_arch, &e);
    if (status == DEVICE_OK)
        s->gpu = wanted;
    else if (!automatic)
        exit_saying(EXIT_SETUP, "%s", e.message);
    else if (status != DEVICE_ABSENT)
        fprintf(stderr, "grade: grading only on the simulator: %s\n", e.message);
}
const char *session_wanted_compiler(struct session *s) {
    const char *set = getenv("CUDA");
    char path[PATH_MAX + 32];
    if (s->options.compiler) return s->options.compiler;
    if (set && *set) return set;
    snprintf(path, sizeof path, "%s/../compiler", s->cache);
    FILE *f = fopen(path, "r");
    const bool read = f && fscanf(f, "%15s", s->chosen) == 1;
    if (f) fclose(f);
    return read ? s->chosen : "auto";
}
void session_compiler(struct session *s) {
    char message[500] = "";
    const char *wanted = session_wanted_compiler(s);
    if (!compiler_known(wanted)) {
        fprintf(stderr, "grade: no compiler `%s`: use auto, " COMPILER_NAMES "\n", wanted);
        exit(EXIT_USAGE);
    }
    s->compiler = compiler_find(wanted, message, sizeof message);
    if (!s->compiler) exit_saying(EXIT_SETUP, "%s", message);
}
/* Decides whether to grade in a sandbox. By default, only a file named with --submission is untrusted. Exits if a
 * sandbox is required but not available. */
static void find_sandbox(struct session *s) {
    char message[500];
    const struct options *o = &s->options;
    s->sandbox = o->sandbox == SANDBOX_ALWAYS || (o->submission && o->sandbox != SANDBOX_NEVER);
    if (s->sandbox && !sandbox_present(message, sizeof message)) exit_saying(EXIT_SETUP, "%s", message);
}
void session_file(const struct session *s, const struct lab *lab, char *path, size_t size) {
    const struct options *o = &s->options;
    if (o->submission)
        snprintf(path, size, "%s", o->submission);
    else
        snprintf(path, size, "%s/%s/%s_%s/reduce.cu", s->root, o->solution ? "solutions" : "labs", lab->id, lab->name);
}
/* Sets the seeds. --seed sets all of them. Without this option, a course with a secret derives a seed from each file,
 * and any other course draws one seed for all labs. */
void session_seeds(struct session *s) {
    char path[PATH_MAX + 300];
    if (!s->options.seeded && getrandom(&s->options.seed, sizeof s->options.seed, 0) != sizeof s->options.seed)
        exit_saying(EXIT_SETUP, "the system returns no random numbers");
    if (!s->options.seeded) s->options.seed %= UINT64_C(1000000000); /* keeps the seed short enough to type */
    for (unsigned k = 0; k < s->course.count; k++) {
        const struct lab *lab = &s->course.labs[k].lab;
        const bool wanted =
            !strcmp(s->options.lab, "all") || course_find(&s->course, s->options.lab) == &s->course.labs[k];
        session_file(s, lab, path, sizeof path);
        const bool secret = wanted && s->secret.text[0] && !s->options.seeded;
        s->seed[k] = secret ? secret_seed(&s->secret, lab->id, path) : s->options.seed;
    }
    for (unsigned k = 0; s->options.student && k < s->course.count; k++) {
        const char *id = s->course.labs[k].lab.id, *student = s->options.student;
        s->draw[k] = s->secret.text[0] ? secret_of_student(&s->secret, id, student)
                                       : hash_text(hash_text(s->options.seeded ? s->seed[k] : HASH_START, id), student);
    }
    secret_forget(&s->secret);
}
void session_discover(struct session *s) {
    session_root(s);
    session_course(s);
    s->options.lab = choose_name(&s->course, s->root, s->options.lab);
    if (root_is_installed(s->root) && !s->options.submission)
        exit_saying(EXIT_USAGE,
                    "this folder contains no labs: run the command in the folder of your labs, or name a file with "
                    "--submission");
    find_sandbox(s);
    find_device(s);
    session_compiler(s);
    session_seeds(s);
    const char *no_color = getenv("NO_COLOR");
    s->color = isatty(STDOUT_FILENO) && !s->options.no_color && !(no_color && *no_color);
}
