/* Tests the cache of compiled kernels, including keys that resemble each other and damaged entries. */
/* run: sanitized, 5 s */
/* reads: nothing */
#include "base/file.h"
#include "compile/cache.h"
#include "tests/suite.h"

#include <check.h>
#include <dirent.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char folder[] = "/tmp/check-cache-XXXXXX";
static struct cache_key key_of(const char *data) {
    return (struct cache_key){.folder = folder, .data = data, .length = strlen(data)};
}
static void keep(const char *key, const char *ptx) {
    const struct cache_key k = key_of(key);
    cache_keep(&k, ptx, strlen(ptx), key);
}
static char *find(const char *key) {
    size_t length = 0;
    const struct cache_key k = key_of(key);
    char *said = NULL, *ptx = cache_find(&k, &length, &said);
    if (ptx) {
        ck_assert_uint_eq(length, strlen(ptx));
        ck_assert_str_eq(said, key);
    }
    free(said);
    return ptx;
}
static void expect(const char *key, const char *ptx) {
    char *found = find(key);
    ck_assert_msg(ptx ? found && !strcmp(found, ptx) : !found, "%s: %s", key, found ? found : "(not there)");
    free(found);
}
/* Returns the path of the only entry. */
static const char *only(void) {
    static char path[PATH_MAX];
    DIR *d = opendir(folder);
    unsigned count = 0;
    for (struct dirent *e; d && (e = readdir(d));)
        if (*e->d_name != '.') snprintf(path, sizeof path, "%s/%s", folder, e->d_name), count++;
    if (d) closedir(d);
    ck_assert_uint_eq(count, 1);
    return path;
}
static int remove_one(const char *path, const struct stat *s, int type, struct FTW *at) {
    (void)s, (void)type, (void)at;
    return remove(path);
}
static void begin(void) {
    memcpy(folder + strlen(folder) - 6, "XXXXXX", 6);
    ck_assert(mkdtemp(folder));
}
static void end(void) { nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS); }

START_TEST(stored_entries_are_found) {
    expect("key", NULL);
    keep("key", ".version 8.0\n");
    keep("key and more", "other\n");
    expect("key", ".version 8.0\n");
    expect("key and more", "other\n");
    expect("ke", NULL);
    keep("key", "");
    expect("key", "");
}
END_TEST

/* A cache entry must contain its whole key. A hash collision must not return the PTX of another key, such as a
 * prefix. */
START_TEST(entries_match_only_their_own_key) {
    keep("the key of one submission", "PTX of one");
    char *mine = strdup(only()), *theirs = NULL;
    keep("the key", "submission PTX of another");
    DIR *d = opendir(folder);
    for (struct dirent *e; (e = readdir(d));)
        if (*e->d_name != '.' && !strstr(mine, e->d_name)) ck_assert(asprintf(&theirs, "%s/%s", folder, e->d_name) > 0);
    closedir(d);
    ck_assert(!rename(mine, theirs));
    expect("the key", NULL);
    expect("the key of one submission", NULL);
    free(mine), free(theirs);
}
END_TEST

/* The cache must reject an entry that is truncated or has a changed byte. */
START_TEST(damaged_entries_are_rejected) {
    static const char ptx[] = ".version 8.0\n.target sm_75\n";
    keep("key", ptx);
    size_t length;
    char *whole = file_read(only(), 0, 1 << 20, &length);
    ck_assert(whole);
    for (size_t k = 0; k < length; k++) {
        whole[k] ^= 1;
        ck_assert(file_write(only(), whole, length));
        expect("key", NULL);
        whole[k] ^= 1;
        ck_assert(file_write(only(), whole, k));
        expect("key", NULL);
    }
    ck_assert(file_write(only(), whole, length + 1)); /* `length + 1`: with the NUL that file_read() appends */
    expect("key", NULL);
    ck_assert(file_write(only(), whole, length));
    expect("key", ptx);
    free(whole);
}
END_TEST
START_TEST(special_files_do_not_block) {
    keep("key", "PTX");
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s", only());
    ck_assert(!unlink(path) && !mkfifo(path, 0600));
    expect("key", NULL);
    ck_assert(!unlink(path) && !symlink("/dev/zero", path));
    expect("key", NULL);
    keep("key", "PTX");
    expect("key", "PTX");
}
END_TEST

static void usage(unsigned *files, off_t *bytes) {
    DIR *d = opendir(folder);
    *files = 0, *bytes = 0;
    for (struct dirent *e; (e = readdir(d));) {
        struct stat s;
        if (*e->d_name != '.' && !fstatat(dirfd(d), e->d_name, &s, 0)) ++*files, *bytes += s.st_size;
    }
    closedir(d);
}
static void move_ahead(time_t seconds) {
    const struct timespec then = {.tv_sec = time(NULL) + seconds}, times[2] = {then, then};
    DIR *d = opendir(folder);
    for (struct dirent *e; (e = readdir(d));)
        if (*e->d_name != '.') ck_assert_int_eq(utimensat(dirfd(d), e->d_name, times, 0), 0);
    closedir(d);
}
START_TEST(oldest_entries_are_removed) {
    enum { LARGE = 40 << 20 };
    unsigned files;
    off_t bytes;
    char name[32], *large = malloc(LARGE);
    for (unsigned k = 0; k < 600; k++) {
        snprintf(name, sizeof name, "key %u", k);
        keep(name, name);
    }
    usage(&files, &bytes);
    ck_assert_uint_eq(files, 512);
    expect("key 0", NULL);
    expect("key 599", "key 599");
    move_ahead(7200);
    keep("after the clock was set back", "PTX");
    expect("after the clock was set back", "PTX");
    memset(large, 'x', LARGE);
    for (unsigned k = 0; k < 8; k++) {
        snprintf(name, sizeof name, "large %u", k);
        const struct cache_key key = key_of(name);
        cache_keep(&key, large, LARGE, name);
    }
    usage(&files, &bytes);
    ck_assert_int_le(bytes, 256 << 20);
    expect("key 599", NULL);
    expect("large 0", NULL);
    char *last = find("large 7");
    ck_assert(last);
    free(last);
    free(large);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("cache");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 60);
    tcase_add_checked_fixture(all, begin, end);
    tcase_add_test(all, stored_entries_are_found);
    tcase_add_test(all, entries_match_only_their_own_key);
    tcase_add_test(all, damaged_entries_are_rejected);
    tcase_add_test(all, special_files_do_not_block);
    tcase_add_test(all, oldest_entries_are_removed);
    suite_add_tcase(suite, all);
    return suite_failures(suite) != 0;
}
