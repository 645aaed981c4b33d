/* Checks that a folder of submissions contains students' folders or files in one layout. A folder at another depth
 * would otherwise be graded as a student's. */
#include "class/class.h"
#include "course/course.h"
#include "record/status.h"
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void layout_prefix(const struct listing *l, char prefix[NAME_MAX + 1]) {
    char real[PATH_MAX];
    const char *name = realpath(l->root, real) ? strrchr(real, '/') : NULL;
    const size_t n = name ? shape_repositories(name + 1) : 0;
    if (n) snprintf(prefix, NAME_MAX + 1, "%.*s-", (int)n, name + 1);
}
/* Returns the only top-level folder if it is probably the class's folder, because several folders in it contain
 * candidates. Returns NULL otherwise. */
static const char *class_below(const struct listing *l, const struct class_shape *s) {
    const char *top = NULL, *before = "";
    unsigned folders = 0;
    for (size_t k = 0; k < l->count; k++) {
        const char *path = l->path[k], *inside = strchr(path, '/'), *below = inside ? strchr(++inside, '/') : NULL;
        if (!inside && l->kind[k] == FTS_D && top && strcmp(top, path) != 0)
            return NULL; /* a folder with archives is listed twice */
        if (!inside && l->kind[k] == FTS_D) top = path;
        if (!inside || !shape_knows(s, path, RANK_ANY)) continue;
        if (!below) return NULL;
        folders += strncmp(before, path, (size_t)(below + 1 - path)) != 0, before = path;
    }
    return folders > 1 ? top : NULL;
}
/* Writes how to use a folder that is one level deeper. The folder may come from an archive. */
static void put_deeper(const struct listing *l, const char *from, const char *folder, char *out, size_t size) {
    const char *archive = text_of(l->archives, folder);
    if (unpack_knows(from))
        snprintf(out, size, "unpack %s, then use its folder %s as SUBMISSIONS", from, *archive ? archive : folder);
    else
        snprintf(out, size, "use SUBMISSIONS='%s/%s'", from, *archive ? archive : folder);
}
int layout_check_depth(const struct listing *l, const struct class_shape *s, const char *from) {
    const char *top = class_below(l, s);
    char deeper[3 * PATH_MAX];
    if (!top) return 0;
    put_deeper(l, from, top, deeper, sizeof deeper);
    return status_saying(EXIT_USAGE, "class",
                         "%s contains a single folder, %s, with several candidates for a lab: if it is the class's "
                         "folder, %s; if it is a student's, keep one candidate",
                         from, top, deeper);
}
/* Returns the first file that fits the shape `other` better than the class's own shape, or NULL if there is none. */
static const char *stray(const struct listing *l, const struct class_shape *s, const struct class_shape *other) {
    for (size_t k = 0; k < l->count; k++)
        if (l->kind[k] != FTS_D && shape_knows(other, l->path[k], RANK_NAME) &&
            (shape_marked(other) > shape_marked(s) || !shape_knows(s, l->path[k], RANK_ANY)))
            return l->path[k];
    return NULL;
}
/* Rejects a folder with submissions in two shapes, because those in one of the shapes would be silently ignored. */
static int one_shape(const struct listing *l, const struct class_shape *s, const char *from) {
    const struct class_shape *other;
    int status = 0;
    for (unsigned k = 0; !status && (other = shape_at(k)); k++) {
        const char *path = stray(l, s, other);
        if (path)
            status = status_saying(EXIT_USAGE, "class",
                                   "%s: the name of %s has the %s layout, but the other names have the %s layout: put "
                                   "each layout into its own folder, or choose one with SHAPE=",
                                   from, path, shape_name(other), shape_name(s));
    }
    return status;
}
/* Returns the lab of the course that the folder is named after, such as lab3, "Lab 03" or lab3_shared_block, or NULL if
 * there is none. */
static const struct course_lab *lab_of_folder(const struct course *course, const char *folder) {
    char id[16];
    if (strncasecmp(folder, "lab", 3)) return NULL;
    folder += 3, folder += strspn(folder, " _.-"), folder += strspn(folder, "0");
    const size_t n = strspn(folder, "0123456789");
    snprintf(id, sizeof id, "lab%.*s", n ? (int)n : 1, n ? folder : "0");
    const struct course_lab *lab = course_find(course, id);
    return lab && (!folder[n] || (folder[n] == '_' && !strcmp(folder + n + 1, lab->lab.name))) ? lab : NULL;
}
/* Rejects a folder that contains folders of labs instead of students. */
static int of_students(const struct listing *l, const struct course *course, const char *from, const char *wanted) {
    const struct course_lab *lab = NULL;
    const char *first = NULL;
    for (size_t k = 0; k < l->count; k++) {
        if (l->kind[k] != FTS_D) continue;
        const struct course_lab *of = lab_of_folder(course, l->path[k]);
        if (!of) return 0;
        if (!first || (wanted && !strcmp(of->lab.id, wanted))) first = l->path[k], lab = of;
    }
    if (!first) return 0;
    char deeper[3 * PATH_MAX];
    put_deeper(l, from, first, deeper, sizeof deeper);
    return status_saying(EXIT_USAGE, "class",
                         "%s contains folders named after labs, such as %s: for each lab, %s, with LAB=%s; if these "
                         "are names of students, add SHAPE=plain",
                         from, first, deeper, lab->lab.id);
}
int layout_check(const struct listing *l, const struct class_shape *s, const struct class_options *o,
                 const struct course *course) {
    if (o->shape) return 0;
    const int status = one_shape(l, s, o->from);
    return status || !shape_folders_are_students(s) ? status : of_students(l, course, o->from, o->lab);
}
