/* See secret.h. Reports show seeds, so it must be infeasible to derive the secret or the seed of another file from
 * them. Therefore a seed is derived with PBKDF2 (RFC 8018), which makes each guess at the secret slow. */
#include "course/secret.h"
#include "compile/source.h"
#include <errno.h>
#include <fcntl.h>
#include <nettle/pbkdf2.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROUNDS = 10000, MAX_SOURCE = 1 << 20 };

static bool secret_wrong(struct secret *s, char *message, size_t size, const char *where, const char *what) {
    secret_forget(s);
    snprintf(message, size, "%s: %s", where, what);
    return false;
}
/* Overwrites the value before removing the variable, because /proc/PID/environ shows its memory even afterward. */
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
    if (n < 0)
        return secret_wrong(s, message, size, "GRADE_SECRET_FILE", "the path does not name a readable regular file");
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
/* Derives a number from the secret and the text. `use` separates different uses. */
static uint64_t number_of(const struct secret *s, const char *use, const char *text) {
    struct sha256_ctx hash;
    uint8_t salt[SHA256_DIGEST_SIZE], digest[8];
    sha256_init(&hash);
    sha256_update(&hash, strlen(use) + 1, (const uint8_t *)use); /* + 1: the NUL byte separates it from the text */
    sha256_update(&hash, strlen(text), (const uint8_t *)text);
    sha256_digest(&hash, sizeof salt, salt);
    pbkdf2_hmac_sha256(strlen(s->text), (const uint8_t *)s->text, ROUNDS, sizeof salt, salt, sizeof digest, digest);
    uint64_t number = 0;
    for (unsigned k = 0; k < sizeof digest; k++) number = number << 8 | digest[k];
    return number % UINT64_C(1000000000);
}
uint64_t secret_seed(const struct secret *s, const char *lab, const char *submission) {
    char why[200];
    char *text = source_read(submission, MAX_SOURCE, why, sizeof why); /* an unreadable file is rejected later */
    const uint64_t seed = number_of(s, lab, text ? text : "");
    free(text);
    return seed;
}
uint64_t secret_of_student(const struct secret *s, const char *lab, const char *student) {
    char use[40];
    snprintf(use, sizeof use, "id.%s", lab);
    return number_of(s, use, student);
}
void secret_forget(struct secret *s) { explicit_bzero(s->text, sizeof s->text); }
