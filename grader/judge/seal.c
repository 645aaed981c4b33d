/* See seal.h. The digest covers the text and the seal's time and number of earlier grades. It does not cover trailing
 * whitespace, because a server or an editor may change it. */
#include "judge/seal.h"
#include <ctype.h>
#include <nettle/sha2.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char head[] = "# sealed ";

static bool is_seal(const char *line) { return !strncmp(line, head, sizeof head - 1); }
/* Finds the next line that is neither empty nor a seal. Stores the line without trailing whitespace, and the number of
 * empty lines before it. Returns the text after the line, or NULL if there is no such line. */
static const char *next_line(const char *s, const char **line, size_t *length, unsigned *empty) {
    for (*empty = 0; *s;) {
        const char *end = s + strcspn(s, "\n");
        size_t n = (size_t)(end - s);
        *line = s;
        s = end + (*end == '\n');
        while (n && isspace((unsigned char)(*line)[n - 1])) n--;
        if (n && !is_seal(*line)) return *length = n, s;
        *empty += !n;
    }
    return NULL;
}
static void digest_of(const char *text, const struct seal *s, char digest[SEAL_DIGEST + 1]) {
    struct sha256_ctx sha;
    uint8_t bytes[SEAL_DIGEST / 2];
    const char *line;
    char words[80];
    size_t length;
    unsigned empty;
    sha256_init(&sha);
    while ((text = next_line(text, &line, &length, &empty))) {
        for (; empty; empty--) sha256_update(&sha, 1, (const uint8_t *)"\n");
        sha256_update(&sha, length, (const uint8_t *)line);
        sha256_update(&sha, 1, (const uint8_t *)"\n");
    }
    snprintf(words, sizeof words, "%s %u", s->time, s->grades);
    sha256_update(&sha, strlen(words), (const uint8_t *)words);
    sha256_digest(&sha, sizeof bytes, bytes);
    for (unsigned k = 0; k < sizeof bytes; k++) snprintf(digest + 2 * k, 3, "%02x", bytes[k]);
}
static void words_of(const struct seal *s, char *out, size_t size) {
    if (s->grades)
        snprintf(out, size, "after %u grade%s", s->grades, s->grades == 1 ? "" : "s");
    else
        snprintf(out, size, "before the first grade");
}
/* Reads a line such as `# sealed 2027-02-01 18:00:00 UTC before the first grade: 0123456789abcdef`. */
static bool read_line(const char *line, struct seal *s) {
    char after[24] = "", words[48];
    int end = 0;
    if (sscanf(line, "# sealed %10[0-9-] %8[0-9:] UTC", s->time, after) != 2) return false;
    snprintf(s->time + strlen(s->time), sizeof s->time - strlen(s->time), " %.8s UTC", after);
    const char *rest = line + sizeof head - 1 + strlen(s->time);
    s->grades = 0;
    if (!strncmp(rest, " after ", 7)) s->grades = (unsigned)strtoul(rest + 7, NULL, 10);
    words_of(s, words, sizeof words);
    if (*rest != ' ' || strncmp(rest + 1, words, strlen(words)) != 0) return false;
    return sscanf(rest + 1 + strlen(words), ": %16[0-9a-f]%n", s->digest, &end) == 1 && end == SEAL_DIGEST + 2;
}
struct seal seal_of(const char *text) {
    struct seal s = {SEAL_NONE, "", 0, ""};
    char digest[SEAL_DIGEST + 1];
    const char *last = NULL;
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n')
        if (is_seal(line)) last = line;
    if (!last) return s;
    if (!read_line(last, &s)) return (struct seal){SEAL_CHANGED, "", 0, ""};
    digest_of(text, &s, digest);
    s.state = strcmp(digest, s.digest) ? SEAL_CHANGED : s.grades ? SEAL_LATE : SEAL_FIRST;
    return s;
}
void seal_write(FILE *out, const char *text, struct seal *s) {
    char words[48];
    digest_of(text, s, s->digest);
    for (const char *line = text; *line;) {
        const size_t n = strcspn(line, "\n") + (line[strcspn(line, "\n")] == '\n');
        if (!is_seal(line)) fwrite(line, 1, n, out);
        if (line[n - 1] != '\n') fputc('\n', out);
        line += n;
    }
    words_of(s, words, sizeof words);
    fprintf(out, "%s%s %s: %s\n", head, s->time, words, s->digest);
}
const char *seal_words(const struct seal *s, char *out, size_t size) {
    char words[48];
    words_of(s, words, sizeof words);
    if (s->state == SEAL_CHANGED)
        snprintf(out, size, "changed after %s %s", s->time[0] ? "the seal of" : "it was sealed", s->time);
    else
        snprintf(out, size, "sealed %s, %s", s->time, words);
    return out;
}
json_t *seal_json(const struct seal *s) {
    static const char *const states[] = {[SEAL_FIRST] = "first", [SEAL_LATE] = "late", [SEAL_CHANGED] = "changed"};
    char words[120];
    if (s->state == SEAL_NONE) return NULL;
    return json_pack("{s:s, s:s, s:s, s:i, s:s}", "state", states[s->state], "time", s->time, "digest", s->digest,
                     "grades", (int)s->grades, "words", seal_words(s, words, sizeof words));
}
