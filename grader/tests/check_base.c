/* Tests the modules of base/. */
/* reads: nothing */
#include "base/arena.h"
#include "base/array.h"
#include "base/clock.h"
#include "base/cores.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/random.h"
#include "tests/suite.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- cores; random: the authors' reference output -------------------------------------------------------------- */
static const struct {
    uint64_t seed, numbers[3];
} random_rows[] = {
    {0, {0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f}},
    {1234567, {6457827717110365317u, 3203168211198807973u, 9817491932198370423u}},
};
START_TEST(workers_share_the_cores) {
    unsetenv("GRADE_CORES");
    const unsigned all = cores_allowed();
    setenv("GRADE_CORES", "1", 1);
    ck_assert_uint_eq(cores_allowed(), 1);
    setenv("GRADE_CORES", "0", 1);
    ck_assert_uint_eq(cores_allowed(), all);
    unsetenv("GRADE_CORES");
}
END_TEST
START_TEST(random_numbers_are_splitmix64) {
    uint64_t state = random_rows[_i].seed;
    for (unsigned k = 0; k < 3; k++) ck_assert_uint_eq(random_next(&state), random_rows[_i].numbers[k]);
}
END_TEST

/* ---- clock ------------------------------------------------------------------------------------- */
START_TEST(the_clock_counts_seconds) {
    const double start = clock_seconds();
    for (double before = start, now; (now = clock_seconds()) < start + 0.002; before = now)
        ck_assert_double_ge(now, before);
    usleep(20000);
    ck_assert_double_ge(clock_seconds() - start, 0.022);
}
END_TEST

/* ---- hash: the authors' test vectors ----------------------------------------------------------- */
static const struct {
    const char *text;
    uint64_t hash;
} hash_rows[] = {
    {"", 0xcbf29ce484222325},
    {"a", 0xaf63dc4c8601ec8c},
    {"foobar", 0x85944171f73967e8},
    {"chongo was here!\n", 0x46810940eff5f915},
};
START_TEST(hashes_are_fnv_1a) {
    const char *text = hash_rows[_i].text;
    const size_t length = strlen(text), half = length / 2;
    ck_assert_uint_eq(hash_text(HASH_START, text), hash_rows[_i].hash);
    ck_assert_uint_eq(hash_bytes(HASH_START, text, length), hash_rows[_i].hash);
    ck_assert_uint_eq(hash_text(hash_bytes(HASH_START, text, half), text + half), hash_rows[_i].hash);
}
END_TEST

/* ---- files ------------------------------------------------------------------------------------- */
static char folder[] = "/tmp/check-base-XXXXXX";
static const char *at(const char *name) {
    static char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}
/* Creates "whole", 10,000 bytes with a NUL at byte 5; "empty"; "link", a symbolic link to "whole"; and "pipe", a FIFO
 * without a writer. */
static void lay_out(void) {
    char whole[10000], target[PATH_MAX];
    ck_assert(mkdtemp(folder));
    for (unsigned k = 0; k < sizeof whole; k++) whole[k] = (char)(k % 251);
    whole[5] = 0;
    ck_assert(file_write(at("whole"), whole, sizeof whole) && file_write(at("empty"), "", 0));
    snprintf(target, sizeof target, "%s", at("whole"));
    ck_assert(!symlink(target, at("link")) && !mkfifo(at("pipe"), 0600));
}
static void clear(void) {
    char command[PATH_MAX];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    ck_assert_int_eq(system(command), 0);
}
static const struct {
    const char *name; /* name of a file in the folder, or a path */
    unsigned how;
    size_t most, length;
    int error;
} read_rows[] = {
    {"whole", 0, SIZE_MAX - 1, 10000, 0},
    {"whole", 0, 10000, 10000, 0},
    {"whole", FILE_CUT, 10000, 10000, 0},
    {"whole", 0, 9999, 0, EFBIG},
    {"whole", FILE_CUT, 9999, 9999, 0},
    {"whole", FILE_CUT, 0, 0, 0},
    {"whole", 0, 0, 0, EFBIG},
    {"empty", 0, 0, 0, 0},
    {"empty", 0, 1 << 20, 0, 0},
    {"link", 0, 1 << 20, 10000, 0},
    {"link", FILE_NO_LINK, 1 << 20, 0, ELOOP},
    {"none", 0, 1 << 20, 0, ENOENT},
    {"pipe", 0, 1 << 20, 0, EINVAL},
    {".", 0, 1 << 20, 0, EINVAL},
    {"/dev/zero", FILE_CUT, 1 << 20, 0, EINVAL},
};
START_TEST(files_are_read_whole_or_not) {
    const char *name = read_rows[_i].name;
    size_t length = 7;
    errno = 0;
    char *data = file_read(*name == '/' ? name : at(name), read_rows[_i].how, read_rows[_i].most, &length);
    if (!data) ck_assert_int_eq(errno, read_rows[_i].error);
    ck_assert_int_eq(!data, read_rows[_i].error != 0);
    ck_assert_uint_eq(length, read_rows[_i].length);
    for (size_t k = 0; k < length; k++) ck_assert_int_eq(data[k], k == 5 ? 0 : (char)(k % 251));
    ck_assert(!data || !data[length]);
    free(data);
}
END_TEST
/* Files in /proc report a size of 0. */
START_TEST(files_of_unknown_size_are_read) {
    size_t length;
    char *data = file_read("/proc/self/maps", 0, 1 << 20, &length);
    ck_assert(data && length > 100 && data[length - 1] == '\n' && strlen(data) == length);
    free(data);
}
END_TEST
START_TEST(files_are_replaced_whole) {
    struct stat first, second;
    ck_assert(file_replace(at("a/b/c"), "one", 3, 0640) && !stat(at("a/b/c"), &first));
    ck_assert_uint_eq(first.st_mode & 0777, 0640);
    ck_assert(file_replace(at("a/b/c"), "one", 3, 0600) && !stat(at("a/b/c"), &second));
    ck_assert_uint_eq(first.st_ino, second.st_ino); /* the same contents do not replace the file */
    for (unsigned k = 0; k < 2; k++) {              /* longer contents, then empty contents */
        const char *text = k ? "" : "another";
        ck_assert(file_replace(at("a/b/c"), text, strlen(text), 0600));
        char *now = file_read(at("a/b/c"), 0, 100, NULL);
        ck_assert_str_eq(now, text);
        free(now);
    }
    ck_assert(!file_replace(at("whole/c"), "one", 3, 0600)); /* no folder */
    ck_assert_int_eq(errno, ENOTDIR);
    ck_assert(!chmod(at("."), 0711) && !mkdir(at("closed"), 0555));
    ck_assert(geteuid() || !seteuid(65534));
    ck_assert(!file_replace(at("closed/folder/below/c"), "one", 3, 0600));
    ck_assert_int_eq(errno, EACCES); /* the cause, not the missing folder that results from it */
    ck_assert(getuid() || !seteuid(0));
    ck_assert(!file_write(at("none/c"), "one", 3) && !file_write("/dev/full", "one", 3));
    ck_assert_int_eq(errno, ENOSPC);
}
END_TEST

/* Folders that killed grades left behind are removed after an hour; other folders remain. If the system clock has
 * been set forward, even the folder of a running grade looks old, but it must remain. */
START_TEST(abandoned_folders_are_removed) {
    static const struct {
        const char *name;
        time_t seconds; /* age of the folder */
        bool running;   /* whether the name contains this process's id instead of the id of a process that has ended */
        bool stays;
    } rows[] = {{"grade-%d-aB3xYz", 7200, false, false},
                {"grade-%d-young1", 60, false, true},
                {"grade-%d-clock1", 7200, true, true},
                {"grade-exec-%d-aB3xYz", 7200, false, true},
                {"other-%d-aB3xYz", 7200, false, true}};
    enum { ROWS = sizeof rows / sizeof *rows };
    char where[FILE_TEMPORARY], path[ROWS][100], inside[120], pattern[60];
    struct stat s;
    const pid_t gone = fork();
    if (!gone) _exit(0);
    ck_assert_int_eq(waitpid(gone, NULL, 0), gone);
    ck_assert(file_temporary(where));
    snprintf(pattern, sizeof pattern, "/tmp/grade-%d-??????", (int)getpid());
    ck_assert_msg(!fnmatch(pattern, where, 0), "%s", where); /* real folders have names like those of the rows */
    for (unsigned k = 0; k < ROWS; k++) {
        const int n = snprintf(path[k], sizeof path[k], "%s/", where);
        snprintf(path[k] + n, sizeof path[k] - (size_t)n, rows[k].name, rows[k].running ? (int)getpid() : (int)gone);
        snprintf(inside, sizeof inside, "%s/unit.cu", path[k]);
        ck_assert_int_eq(mkdir(path[k], 0700), 0);
        ck_assert(file_write(inside, "x", 1));
        const struct timespec then = {.tv_sec = time(NULL) - rows[k].seconds}, times[2] = {then, then};
        ck_assert_int_eq(utimensat(AT_FDCWD, path[k], times, 0), 0);
    }
    file_remove_abandoned(where);
    for (unsigned k = 0; k < ROWS; k++) ck_assert_msg((stat(path[k], &s) == 0) == rows[k].stays, "%s", path[k]);
    file_remove_folder(where);
}
END_TEST
/* ---- arrays ------------------------------------------------------------------------------------ */
static const struct {
    /* room: number of items that fit, after the call; had: before the call, 0 if `items` is NULL */
    unsigned had, least, room;
} array_rows[] = {{0, 0, 8}, {0, 1, 8}, {0, 9, 9}, {8, 8, 8}, {8, 9, 16}, {8, 100, 100}, {100, 101, 200}};
START_TEST(arrays_double) {
    unsigned room = 0;
    int *items = array_rows[_i].had ? array_room(NULL, array_rows[_i].had, &room, sizeof *items) : NULL;
    for (unsigned k = 0; k < room; k++) items[k] = (int)k;
    const unsigned before = room;
    items = array_room(items, array_rows[_i].least, &room, sizeof *items);
    ck_assert(items && room == array_rows[_i].room);
    for (unsigned k = 0; k < before; k++) ck_assert_int_eq(items[k], k);
    memset(items, 0, room * sizeof *items);
    free(items);
}
END_TEST
START_TEST(arrays_report_lack_of_memory) {
    unsigned room = 0;
    char *items = array_room(NULL, 20, &room, 1);
    ck_assert_ptr_null(array_room(items, (size_t)UINT_MAX + 1, &room, 1));
    ck_assert_ptr_null(array_room(items, 100, &room, SIZE_MAX / 50));
    ck_assert_uint_eq(room, 20);
    memset(items, 0, room);
    free(items);
}
END_TEST

/* ---- maps -------------------------------------------------------------------------------------- */
/* Compares maps with an array. The keys collide, are consecutive, or are random. */
static uint64_t dense(uint64_t k) { return k + 1; }
static uint64_t far_apart(uint64_t k) { return (k + 1) << 40; }
static uint64_t any(uint64_t k) { return random_next(&k); }
static uint64_t highest(uint64_t k) { return UINT64_MAX - k; }
static const struct { uint64_t (*key)(uint64_t k); } map_rows[] = {{dense}, {far_apart}, {any}, {highest}};
START_TEST(maps_return_stored_values) {
    enum { KEYS = 3000 };
    static uint64_t kept[KEYS];
    struct map m = {0};
    uint64_t random = 1;
    ck_assert_ptr_null(map_find(&m, 1));
    for (unsigned round = 0; round < 2; round++) {
        memset(kept, 0, sizeof kept);
        for (unsigned k = 0; k < 3 * KEYS; k++) {
            const uint64_t number = random_next(&random) % (KEYS / 2) * 2; /* odd keys are never inserted */
            uint64_t *value = map_make(&m, map_rows[_i].key(number));
            ck_assert(value && *value == kept[number]);
            kept[number] = *value = k + 1;
        }
        unsigned count = 0, seen = 0;
        for (unsigned k = 0; k < KEYS; k++) {
            const uint64_t *value = map_find(&m, map_rows[_i].key(k));
            ck_assert_uint_eq(value ? *value : 0, kept[k]);
            count += value != NULL;
        }
        for (unsigned k = 0; k < m.room; k++) seen += m.item[k].key != 0;
        ck_assert_uint_eq(m.count, count);
        ck_assert_uint_eq(seen, count);
        ck_assert_uint_le(2 * m.count, m.room);
        map_clear(&m);
        ck_assert(!m.count && !map_find(&m, map_rows[_i].key(0)));
        map_make(&m, map_rows[_i].key(0)), map_clear(&m); /* the room for earlier keys must have been released */
        ck_assert(!m.count && m.room <= 16 && !map_find(&m, map_rows[_i].key(0)));
    }
    map_free(&m);
    ck_assert_ptr_null(map_find(&m, 1));
}
END_TEST

/* ---- arenas ------------------------------------------------------------------------------------ */
/* Each row has the sizes of allocations, which are repeated up to a total of about 8 MiB. Allocations must be
 * disjoint, zeroed and aligned. */
static const size_t arena_rows[][4] = {
    {1, 1, 1, 1}, {0, 1, 16, 17}, {4096, 1, 4097, 1}, {65536, 65520, 8, 100000}, {40000, 40000, 3, 1 << 20}};
START_TEST(arena_allocations_are_disjoint) {
    enum { MAX = 4000, TOTAL = 8 << 20 };
    static unsigned char *taken[MAX];
    const size_t *sizes = arena_rows[_i];
    struct arena a = {0};
    size_t total = 0;
    unsigned count = 0;
    for (; count < MAX && total < TOTAL; total += sizes[count++ % 4]) {
        unsigned char *p = taken[count] = arena_take(&a, sizes[count % 4]);
        ck_assert(p && (uintptr_t)p % _Alignof(max_align_t) == 0);
        for (size_t k = 0; k < sizes[count % 4]; k++)
            if (p[k]) ck_abort_msg("byte %zu of %u is not zero", k, count);
        memset(p, (int)(count % 255 + 1), sizes[count % 4]);
    }
    for (unsigned n = 0; n < count; n++)
        for (size_t k = 0; k < sizes[n % 4]; k++)
            if (taken[n][k] != n % 255 + 1) ck_abort_msg("byte %zu of %u was overwritten", k, n);
    ck_assert_uint_ge(a.bytes, total);
    ck_assert_uint_le(a.bytes, 2 * total + MAX * 16 + (1 << 17));
    ck_assert_ptr_null(arena_take(&a, SIZE_MAX));
    arena_free(&a);
    ck_assert(!a.bytes && !a.blocks);
    arena_free(&a);
}
END_TEST

#define ROWS(table) (int)(sizeof(table) / sizeof *(table))
int main(void) {
    Suite *suite = suite_create("base");
    TCase *all = tcase_create("base");
    tcase_add_loop_test(all, random_numbers_are_splitmix64, 0, ROWS(random_rows));
    tcase_add_unchecked_fixture(all, lay_out, clear);
    tcase_add_loop_test(all, files_are_read_whole_or_not, 0, ROWS(read_rows));
    tcase_add_test(all, workers_share_the_cores);
    tcase_add_test(all, files_of_unknown_size_are_read);
    tcase_add_test(all, files_are_replaced_whole);
    tcase_add_test(all, abandoned_folders_are_removed);
    tcase_add_loop_test(all, arrays_double, 0, ROWS(array_rows));
    tcase_add_test(all, arrays_report_lack_of_memory);
    tcase_add_loop_test(all, maps_return_stored_values, 0, ROWS(map_rows));
    tcase_add_loop_test(all, arena_allocations_are_disjoint, 0, ROWS(arena_rows));
    tcase_add_loop_test(all, hashes_are_fnv_1a, 0, ROWS(hash_rows));
    tcase_add_test(all, the_clock_counts_seconds);
    suite_add_tcase(suite, all);
    return suite_failures(suite) != 0;
}
