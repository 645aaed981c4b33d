/* State that all labs of a command share: the options, the course, the tools, and the seeds. */
#ifndef SESSION_H
#define SESSION_H

#include "course/course.h"
#include "course/secret.h"
#include "device/device.h"
#include "compile/compiler.h"
#include "options.h"
#include <limits.h>
#include <stdio.h>

struct session {
    struct options options;
    char root[PATH_MAX], cache[PATH_MAX + 16];
    const struct device *device, *gpu;
    unsigned gpu_arch; /* compute capability of the GPU; 0 if unknown */
    const struct compiler *compiler;
    struct course course;
    struct secret secret;
    uint64_t seed[COURSE_MAX_LABS]; /* seed of each lab */
    uint64_t draw[COURSE_MAX_LABS]; /* selects M in predictions for --student; does not depend on a random seed */
    char chosen[16];                /* compiler of the last `make labN` */
    bool color, sandbox;
    FILE *screen; /* where a turn of --watch shows its progress, or NULL */
    bool live;    /* whether --watch serves a page */
};

/* Each of these functions finds its part of the session, or prints the reason and exits. session_discover() finds
 * everything that grading needs. */
void session_root(struct session *s);
void session_course(struct session *s);
void session_compiler(struct session *s);
void session_seeds(struct session *s);
void session_discover(struct session *s);

/* Returns the compiler that the user named: with --compiler, else with the variable CUDA, else in the last `make labN`.
 * Without any of these, returns "auto". */
const char *session_wanted_compiler(struct session *s);
/* Writes the path of the file to grade. */
void session_file(const struct session *s, const struct lab *lab, char *path, size_t size);

#endif
