/* See cache.h. */
#include "base/file.h"
#include "compile/cache.h"
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    MAX_PTX = 64 << 20,
    MAX_FILES = 512,
    MAX_BYTES = 256 << 20,
    DIGEST = 2 * SHA256_DIGEST_SIZE + 1, /* size of a digest in hexadecimal, with its NUL */
    HEAD = 3 * DIGEST + 140
};

/* ---- an entry: a header line, the compiler's messages, and the PTX ------------------------------------- */
static void sha256_hex(const char *data, size_t length, char out[DIGEST]) {
    struct sha256_ctx context;
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_init(&context);
    sha256_update(&context, length, (const uint8_t *)data);
    sha256_digest(&context, sizeof digest, digest);
    for (unsigned k = 0; k < sizeof digest; k++) sprintf(out + 2 * k, "%02x", digest[k]);
}
/* Prints an entry's header line. `body` has `length` bytes: `said` bytes of compiler messages, followed by the PTX. */
static int head_of(const struct cache_key *key, const char *body, size_t length, size_t said, char out[HEAD]) {
    char of_key[DIGEST], of_said[DIGEST], of_ptx[DIGEST];
    sha256_hex(key->data, key->length, of_key);
    sha256_hex(body, said, of_said);
    sha256_hex(body + said, length - said, of_ptx);
    return snprintf(out, HEAD, "compiled 2: said %zu %s, key %s %zu, PTX %s %zu\n", said, of_said, of_key, key->length,
                    of_ptx, length - said);
}
static void path_of(const struct cache_key *key, char out[PATH_MAX]) {
    char digest[DIGEST];
    sha256_hex(key->data, key->length, digest);
    snprintf(out, PATH_MAX, "%s/%s.ptx", key->folder, digest);
}
char *cache_find(const struct cache_key *key, size_t *length, char **said) {
    char path[PATH_MAX], head[HEAD];
    size_t whole, of_said = 0;
    path_of(key, path);
    char *data = file_read(path, FILE_NO_LINK, MAX_PTX + HEAD, &whole);
    const char *line = data ? memchr(data, '\n', whole) : NULL;
    if (line && sscanf(data, "compiled 2: said %zu ", &of_said) == 1) {
        const size_t begin = (size_t)(line + 1 - data), body = whole - begin;
        if (of_said <= body && (size_t)head_of(key, line + 1, body, of_said, head) == begin &&
            !memcmp(head, data, begin) && (*said = strndup(line + 1, of_said))) {
            *length = body - of_said;
            return memmove(data, line + 1 + of_said, *length + 1);
        }
    }
    free(data);
    return NULL;
}

/* ---- the folder -------------------------------------------------------------------------------- */
struct entry {
    char name[NAME_MAX + 1];
    struct timespec kept;
    off_t bytes;
};
static int by_age(const void *a, const void *b) {
    const struct timespec x = ((const struct entry *)a)->kept, y = ((const struct entry *)b)->kept;
    if (x.tv_sec != y.tv_sec) return x.tv_sec < y.tv_sec ? -1 : 1;
    return (x.tv_nsec > y.tv_nsec) - (x.tv_nsec < y.tv_nsec);
}
/* Lists the entries. An entry with a time in the future was stored before the clock was set back. It is sorted as the
 * oldest, because it would otherwise outlive every new entry. */
static unsigned list(DIR *folder, struct entry **entries) {
    unsigned count = 0, room = 0;
    const time_t soon = time(NULL) + 60; /* allows for a file server whose clock is fast */
    for (struct dirent *e; (e = readdir(folder));) {
        struct stat s;
        if (!strstr(e->d_name, ".ptx") || fstatat(dirfd(folder), e->d_name, &s, AT_SYMLINK_NOFOLLOW)) continue;
        if (count == room) {
            struct entry *more = realloc(*entries, (room = 2 * room + 64) * sizeof **entries);
            if (!more) break;
            *entries = more;
        }
        struct entry *one = &(*entries)[count++];
        *one = (struct entry){.kept = s.st_mtim, .bytes = s.st_size};
        if (s.st_mtim.tv_sec > soon) one->kept = (struct timespec){0};
        strcpy(one->name, e->d_name);
    }
    return count;
}
/* Removes the oldest entries if there are too many. Each saved change of a reduce.cu adds an entry. */
static void prune(const char *path) {
    DIR *folder = opendir(path);
    if (!folder) return;
    struct entry *entries = NULL;
    unsigned files = list(folder, &entries);
    off_t bytes = 0;
    if (files) qsort(entries, files, sizeof *entries, by_age);
    for (unsigned k = 0; k < files; k++) bytes += entries[k].bytes;
    for (struct entry *oldest = entries; files > MAX_FILES || bytes > MAX_BYTES; oldest++) {
        unlinkat(dirfd(folder), oldest->name, 0);
        bytes -= oldest->bytes, files--;
    }
    free(entries);
    closedir(folder);
}
/* Writes the entry to a temporary file and renames it, so that no reader sees an incomplete entry. */
void cache_keep(const struct cache_key *key, const char *ptx, size_t length, const char *said) {
    const size_t of_said = strlen(said);
    char path[PATH_MAX], head[HEAD], *body = malloc(of_said + length), *entry = NULL;
    if (!body) return;
    memcpy(body, said, of_said);
    memcpy(body + of_said, ptx, length);
    const int begin = head_of(key, body, of_said + length, of_said, head);
    const size_t whole = (size_t)begin + of_said + length;
    path_of(key, path);
    if ((entry = malloc(whole))) {
        memcpy(entry, head, (size_t)begin);
        memcpy(entry + begin, body, of_said + length);
        if (file_replace(path, entry, whole, 0644)) prune(key->folder);
    }
    free(body), free(entry);
}
