/* See choose.h. */
#include "choose.h"
#include "base/file.h"
#include <errno.h>
#include <limits.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char list_of_digests[] = "labs/handed-out.sha256";

/* ---- by name ---------------------------------------------------------------------------------------------------- */
const char *choose_name(const struct course *course, const char *root, const char *word) {
    char folder[PATH_MAX], path[2 * PATH_MAX], real[PATH_MAX];
    if (course_find(course, word)) return word;
    const bool there = realpath(word, real) != NULL;
    for (unsigned k = 0; k < course->count; k++) {
        const struct lab *lab = &course->labs[k].lab;
        const int n = snprintf(folder, sizeof folder, "%s_%s", lab->id, lab->name);
        if (!strcmp(word, folder)) return lab->id;
        snprintf(path, sizeof path, "%s/labs/%s", root, folder);
        const size_t length = strlen(root) + strlen("/labs/") + (size_t)n;
        if (there && !strncmp(real, path, length) && (!real[length] || real[length] == '/')) return lab->id;
    }
    return word;
}

/* ---- by changes since the handout ------------------------------------------------------------------------------ */
/* Computes the digest of a file, 64 hexadecimal digits. Ignores carriage returns, which a checkout on Windows adds. */
static bool digest_of(const char *path, char out[2 * SHA256_DIGEST_SIZE + 1]) {
    struct sha256_ctx context;
    uint8_t digest[SHA256_DIGEST_SIZE];
    size_t length, kept = 0;
    char *text = file_read(path, 0, 1 << 20, &length);
    if (!text) return false;
    for (size_t k = 0; k < length; k++)
        if (text[k] != '\r') text[kept++] = text[k];
    sha256_init(&context);
    sha256_update(&context, kept, (const uint8_t *)text);
    sha256_digest(&context, sizeof digest, digest);
    for (unsigned k = 0; k < sizeof digest; k++) sprintf(out + 2 * k, "%02x", digest[k]);
    free(text);
    return true;
}
/* Returns whether the file has the digest that `list` contains for it. Lines have the format of sha256sum(1):
 * DIGEST, two spaces, NAME. A file that is not in the list was not handed out. */
static bool is_handed_out(const char *list, const char *root, const char *name) {
    char path[2 * PATH_MAX], line[2 * PATH_MAX], digest[2 * SHA256_DIGEST_SIZE + 1];
    snprintf(path, sizeof path, "%s/%s", root, name);
    if (!digest_of(path, digest)) return false;
    const int n = snprintf(line, sizeof line, "%s  %s", digest, name);
    const char *hit = strstr(list, line);
    return hit && (hit == list || hit[-1] == '\n') && (hit[n] == '\n' || hit[n] == '\r' || !hit[n]);
}
static bool is_changed(const char *list, const char *root, const struct lab *lab) {
    static const char *const files[] = {"reduce.cu", "predictions.txt"};
    char name[300];
    for (unsigned k = 0; k < sizeof files / sizeof *files; k++) {
        snprintf(name, sizeof name, "labs/%s_%s/%s", lab->id, lab->name, files[k]);
        if (!is_handed_out(list, root, name)) return true;
    }
    return false;
}

enum exit_status choose_labs(const struct options *o, const struct course *course, const char *root,
                             struct chosen *out) {
    const bool all = !strcmp(o->lab, "all");
    const struct course_lab *first = all ? course->labs : course_find(course, o->lab);
    char path[PATH_MAX + 64], *list = NULL;
    *out = (struct chosen){.count = 0};
    if (!first) {
        fprintf(stderr, "grade: no lab `%s`%s; ./grade --list prints the labs\n", o->lab,
                lab_find(o->lab) ? " in this course (labs/course.conf)" : "");
        return EXIT_USAGE;
    }
    snprintf(path, sizeof path, "%s/%s", root, list_of_digests);
    if (o->changed && !(list = file_read(path, 0, 1 << 20, NULL))) {
        fprintf(stderr, "grade: --changed: %s: %s: only a handout (make handout) records which files were handed out\n",
                list_of_digests, file_why(errno));
        return EXIT_SETUP;
    }
    for (unsigned k = 0; k < (all ? course->count : 1); k++)
        if (!list || is_changed(list, root, &first[k].lab)) out->lab[out->count++] = &first[k];
    free(list);
    return EXIT_FULL;
}
