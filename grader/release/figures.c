/* Writes the costs of the reference solutions, which a handout contains instead of the solutions. */
#include "judge/figures.h"
#include "release/release.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Writes the file folder/name with one value per line and prints its path. */
static bool write_figures(const char *folder, const char *name, const json_t *figures) {
    char path[PATH_MAX + 300];
    snprintf(path, sizeof path, "%s/grader/figures", folder);
    mkdir(path, 0755);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (json_dump_file(figures, path, JSON_INDENT(1) | JSON_REAL_PRECISION(17)))
        return fprintf(stderr, "grade: %s: cannot be written\n", path), false;
    puts(path);
    return true;
}
static bool one(const struct release_place *place, const struct lab *lab, const struct compiler *compiler,
                const char *folder) {
    const struct judge_options o = {
        .lab = lab, .device = device_find("sim"), .compiler = compiler, .root = place->root, .cache = place->cache};
    char message[8 << 10] = "", name[PATH_MAX];
    json_t *figures = figures_record(&o, message, sizeof message);
    figures_path(lab->id, compiler_name(compiler), name, sizeof name);
    const bool ok = figures && write_figures(folder, name, figures);
    if (!figures)
        fprintf(stderr, "grade: solutions/%s_%s/reduce.cu cannot be measured with %s: %s\n", lab->id, lab->name,
                compiler_name(compiler), message);
    json_decref(figures);
    return ok;
}
int release_figures(const struct release_place *place, const char *id, const char *folder) {
    static const char *const names[] = {"nvcc", "nvrtc", "clang"};
    const struct course_lab *lab = course_find(place->course, id);
    char why[300];
    if (!lab)
        return fprintf(stderr, "grade: no lab `%s` in this course; ./grade --list prints the labs\n", id),
               RELEASE_USAGE;
    for (unsigned k = 0; k < sizeof names / sizeof *names; k++) {
        const struct compiler *compiler = compiler_find(names[k], why, sizeof why);
        if (compiler && !one(place, &lab->lab, compiler, folder)) return RELEASE_SETUP;
    }
    return RELEASE_GOOD;
}
