/* See secret.h. Reports show seeds, so it must be infeasible to derive the secret or the seed of another file from
 * them. Therefore a seed is a chain of crypt(3)'s SHA-512 hashes over the text. */
#include "base/hash.h"
#include "course/secret.h"
#include "compile/source.h"
#include <crypt.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 400, MAX_SOURCE = 1 << 20 }; /* crypt(3) accepts 512 bytes at a time */

static bool secret_wrong(struct secret *s, char *message, size_t size, const char *where, const char *what) {
    secret_forget(s);
    snprintf(message, size, "%s: %s", where, what);
    return false;
}
/* Overwrites a variable's value in place, because /proc shows it. */
static void wipe(const char *name) {
    char *value = getenv(name);
    if (value) explicit_bzero(value, strlen(value));
    unsetenv(name);
}
static bool read_secret(struct secret *s, const char *path, char *message, size_t size) {
    struct stat st;
    char line[SECRET_MAX + 2] = "";
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return snprintf(message, size, "GRADE_SECRET_FILE: %s: %s", path, strerror(errno)), false;
    const bool plain = !fstat(fd, &st) && S_ISREG(st.st_mode);
    const ssize_t n = plain ? read(fd, line, sizeof line - 1) : -1;
    close(fd);
    if (n < 0) return secret_wrong(s, message, size, "GRADE_SECRET_FILE", "is not a regular file that can be read");
    line[strcspn(line, "\r\n")] = 0;
    const size_t length = strlen(line);
    if (length <= SECRET_MAX) memcpy(s->text, line, length + 1);
    explicit_bzero(line, sizeof line);
    if (length > SECRET_MAX)
        return secret_wrong(s, message, size, "GRADE_SECRET_FILE", "the secret is longer than 200 bytes");
    return true;
}
bool secret_take(struct secret *s, char *message, size_t size) {
    const char *value = getenv("GRADE_SECRET"), *file = getenv("GRADE_SECRET_FILE");
    const char *where = value ? "GRADE_SECRET" : "GRADE_SECRET_FILE";
    char path[4096];
    const bool both = value && file, any = value || file, fits = !value || strlen(value) <= SECRET_MAX;
    bool ok = true;
    *s = (struct secret){""};
    if (value && fits) strcpy(s->text, value);
    snprintf(path, sizeof path, "%s", file ? file : "");
    wipe("GRADE_SECRET");
    wipe("GRADE_SECRET_FILE");
    if (both)
        return secret_wrong(s, message, size, "GRADE_SECRET",
                            "and GRADE_SECRET_FILE are both set: set only one of them");
    if (!fits) return secret_wrong(s, message, size, where, "the secret is longer than 200 bytes");
    if (file) ok = read_secret(s, path, message, size);
    if (ok && any && strlen(s->text) < SECRET_LEAST)
        return secret_wrong(
            s, message, size, where,
            "the secret is shorter than 8 bytes: use a longer one, for example from `openssl rand -hex 16`");
    return ok;
}
/* Derives a number from the secret and the text. `salt` separates different uses. */
static uint64_t number_of(const struct secret *s, const char *salt, const char *text) {
    char phrase[512], setting[40], link[130] = "";
    struct crypt_data *data = calloc(1, sizeof *data);
    const char *at = text;
    snprintf(setting, sizeof setting, "$6$rounds=1000$%.16s", salt);
    bool first = true;
    do { /* hash the secret, then each piece of the text together with the previous hash */
        const size_t n = first ? 0 : strnlen(at, PIECE);
        snprintf(phrase, sizeof phrase, "%s:%.*s", first ? s->text : link, (int)n, at);
        const char *hash = data ? crypt_r(phrase, setting, data) : NULL;
        snprintf(link, sizeof link, "%.100s", hash && strrchr(hash, '$') ? strrchr(hash, '$') + 1 : "");
        at += n;
        first = false;
    } while (*at);
    explicit_bzero(phrase, sizeof phrase);
    if (data) explicit_bzero(data, sizeof *data);
    free(data);
    return hash_text(0, link) % UINT64_C(1000000000);
}
uint64_t secret_seed(const struct secret *s, const char *lab, const char *submission) {
    char why[200];
    char *text = source_read(submission, MAX_SOURCE, why, sizeof why); /* an unreadable file is rejected later */
    const uint64_t seed = number_of(s, lab, text ? text : "");
    free(text);
    return seed;
}
uint64_t secret_of_student(const struct secret *s, const char *lab, const char *student) {
    char salt[40];
    snprintf(salt, sizeof salt, "id.%s", lab);
    return number_of(s, salt, student);
}
void secret_forget(struct secret *s) { explicit_bzero(s->text, sizeof s->text); }
