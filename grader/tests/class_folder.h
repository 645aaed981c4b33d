/* Creates the folder of an artificial class, with its submissions and the kit's files. */
#ifndef TESTS_CLASS_FOLDER_H
#define TESTS_CLASS_FOLDER_H

#include "base/file.h"
#include "class/class.h"
#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static const struct class_place place = {.root = "."};
static char folder[64], in[80], out[80];
static void begin_class(void) {
    struct statvfs memory; /* Thousands of files take a third of the time in memory. The largest rows need 2 GiB. */
    const bool room = !statvfs("/dev/shm", &memory) && memory.f_bavail * memory.f_frsize > 2ull << 30;
    snprintf(folder, sizeof folder, "%s/check-class-XXXXXX", room && !access("/dev/shm", W_OK) ? "/dev/shm" : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(in, sizeof in, "%s/in", folder);
    snprintf(out, sizeof out, "%s/out", folder);
    mkdir(in, 0777);
}
static void end(void) {
    file_remove_folder(folder);
    ck_assert_msg(access(folder, F_OK), "%s: cannot be removed", folder);
}
static void put_file(const char *where, const char *path, const char *text) {
    char full[PATH_MAX];
    snprintf(full, sizeof full, "%s/%s", where, path);
    ck_assert_msg(file_replace(full, text, strlen(text), 0644), "%s: %s", full, strerror(errno));
}
static char *get(const char *where, const char *path) {
    char full[PATH_MAX];
    size_t length;
    snprintf(full, sizeof full, "%s/%s", where, path);
    return file_read(full, FILE_NO_LINK | FILE_CUT, 1 << 22, &length);
}
static inline bool there(const char *where, const char *path) {
    char *text = get(where, path);
    free(text);
    return text != NULL;
}
static inline int import(const char *lab, const char *roster) {
    return class_import(&(struct class_options){.from = in, .out = out, .lab = lab, .roster = roster, .seed = "7"},
                        &place);
}
/* Reads a JSON file of golden/. */
static inline json_t *golden(const char *name) {
    char path[200];
    snprintf(path, sizeof path, "grader/tests/golden/%s", name);
    json_error_t error;
    json_t *value = json_load_file(path, 0, &error);
    ck_assert_msg(value != NULL, "%s: %s", path, error.text);
    return value;
}

#endif
