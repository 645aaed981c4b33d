/* See sealing.h. */
#include "course/sealing.h"
#include "base/file.h"
#include "judge/judge.h"
#include "judge/seal.h"
#include "compile/source.h"
#include "record/status.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_TEXT = 64 << 10 };

/* Returns the name of the first unanswered question, or "" if all are answered. */
static const char *first_open(const struct lab *lab, const char *text, char *out, size_t size) {
    double value;
    *out = 0;
    for (unsigned k = 0; lab->predictions && lab->predictions[k] && !*out; k++)
        for (unsigned b = 0; b < PREDICTION_BLOCKS && !*out; b++)
            if (prediction_find(text, lab->predictions[k], prediction_blocks[b], &value) != PREDICTION_GIVEN)
                snprintf(out, size, "%s@%u", lab->predictions[k], prediction_blocks[b]);
    return out;
}
static int put(const char *path, const char *shown, const char *text, struct seal *s) {
    char *sealed = NULL, words[120];
    size_t length = 0;
    FILE *f = open_memstream(&sealed, &length);
    if (!f) exit_saying(EXIT_SETUP, "out of memory");
    seal_write(f, text, s);
    const bool written = !fclose(f) && file_replace(path, sealed, length, 0644);
    const int error = errno;
    free(sealed);
    if (!written) exit_saying(EXIT_SETUP, "%s: cannot be written: %s", shown, strerror(error));
    printf("%s: %s. Its digest is %s.\n", shown, seal_words(s, words, sizeof words), s->digest);
    return EXIT_FULL;
}
int seal_predictions(const struct lab *lab, const char *path, const char *shown, unsigned grades) {
    char why[200], open[100], words[120];
    const time_t now = time(NULL);
    struct tm t;
    char *text = source_read(path, MAX_TEXT, why, sizeof why);
    if (!text) exit_saying(EXIT_SETUP, "%s %s", shown, why);
    struct seal s = seal_of(text);
    int status = EXIT_USAGE;
    if (*first_open(lab, text, open, sizeof open))
        fprintf(stderr, "grade: %s: %s is not a number yet, so nothing was sealed: fill it in first\n", shown, open);
    else if (s.state == SEAL_FIRST || s.state == SEAL_LATE) {
        printf("%s: %s already. Its digest is %s.\n", shown, seal_words(&s, words, sizeof words), s.digest);
        status = EXIT_FULL;
    } else {
        s = (struct seal){grades ? SEAL_LATE : SEAL_FIRST, "", grades, ""};
        strftime(s.time, sizeof s.time, "%Y-%m-%d %H:%M:%S UTC", gmtime_r(&now, &t));
        status = put(path, shown, text, &s);
    }
    free(text);
    return status;
}
