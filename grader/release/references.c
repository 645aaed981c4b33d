/* The references as PTX: what a handout holds in place of the solutions. */
#include "judge/ready.h"
#include "release/release.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* All folders above a file. */
static void make_folders(char *path) {
    for (char *s = path + 1; *s; s++)
        if (*s == '/') *s = 0, mkdir(path, 0755), *s = '/';
}
static bool write_reference(char *path, const char *text, size_t length) {
    make_folders(path);
    FILE *f = fopen(path, "we");
    const bool ok = f && fwrite(text, 1, length, f) == length;
    if ((f && fclose(f)) || !ok)
        return fprintf(stderr, "grade: %s: cannot be written: %s\n", path, strerror(errno)), false;
    puts(path);
    return true;
}
/* `source`, a path in the kit, in all `variants`, with one compiler. */
static bool one(const struct release_place *place, const char *source, uint32_t variants, bool solution,
                const struct compiler *compiler, const char *folder) {
    char from[PATH_MAX + 300], to[PATH_MAX + 300], name[PATH_MAX];
    snprintf(from, sizeof from, "%s/%s", place->root, source);
    compiled_ready_path(source, compiler_name(compiler), name, sizeof name);
    snprintf(to, sizeof to, "%s/%s", folder, name);
    const struct compile_request r = {.source = from,
                                      .shown = source,
                                      .root = place->root,
                                      .cache = place->cache,
                                      .variants = variants,
                                      .solution = solution};
    struct compiled c = compile(compiler, &r);
    bool ok = c.status == COMPILE_OK && c.count == 1;
    if (!ok)
        fprintf(stderr, "grade: %s does not become one PTX text with %s: %s\n", source, compiler_name(compiler),
                c.log ? c.log : "");
    else
        ok = write_reference(to, c.ptx[0], compiled_strip(c.ptx[0]));
    compiled_free(&c);
    return ok;
}
int release_references(const struct release_place *place, const char *folder) {
    static const char *const names[] = {"nvcc", "nvrtc", "clang"};
    char why[300], source[300];
    for (unsigned k = 0; k < sizeof names / sizeof *names; k++) {
        const struct compiler *compiler = compiler_find(names[k], why, sizeof why);
        if (!compiler) continue;
        for (unsigned n = 0; n < place->course->count; n++) {
            const struct lab *lab = &place->course->labs[n].lab;
            snprintf(source, sizeof source, "solutions/%s_%s/reduce.cu", lab->id, lab->name);
            if (!one(place, source, lab->variants, true, compiler, folder)) return RELEASE_SETUP;
        }
        if (!one(place, "grader/ladder/kernels.cu", VARIANTS_SCALAR, false, compiler, folder)) return RELEASE_SETUP;
    }
    return RELEASE_GOOD;
}
