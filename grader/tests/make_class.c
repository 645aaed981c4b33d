/* Writes the submissions of an artificial class. make_class LAB SOLUTION SKELETON COUNT FOLDER writes
 * FOLDER/sNNN/LAB.cu. Most of them are the solution with one of the mistakes of mistakes.def and mistakes_*.def; the
 * others are described at submission(). Each begins with a comment that names the student, except that identical
 * ones have the same comment. */
#include "base/file.h"
#include "class/class.h"
#include <stdlib.h>
#include <string.h>

static const struct mistake {
    const char *lab, *from, *to;
} mistakes[] = {
#define MISTAKE(lab, name, from, to, points, kind, text) {#lab, from, to},
#include "mistakes.def"
#include "mistakes_cases.def"
#include "mistakes_order.def"
#include "mistakes_launches.def"
#include "mistakes_memory.def"
#include "mistakes_values.def"
#include "mistakes_clusters.def"
#include "mistakes_tensor.def"
};
enum { MISTAKES = sizeof mistakes / sizeof *mistakes, MAX = 1 << 20 };

/* Returns a comment and then the text, in which `to` replaces every `from`; free() it. */
static char *changed(const char *text, const char *from, const char *to, unsigned number) {
    char *out = NULL;
    size_t size;
    FILE *f = open_memstream(&out, &size);
    if (!f) abort();
    fprintf(f, "// handed in by student %u\n", number);
    for (const size_t n = strlen(from); *text;)
        if (n && !strncmp(text, from, n))
            fputs(to, f), text += n;
        else
            fputc(*text++, f);
    fclose(f);
    return out;
}
static const struct mistake *nth_mistake(const char *lab, unsigned n) {
    unsigned count = 0;
    for (unsigned k = 0; k < MISTAKES; k++) count += !strcmp(mistakes[k].lab, lab);
    for (unsigned k = 0; count && k < MISTAKES; k++)
        if (!strcmp(mistakes[k].lab, lab) && n-- % count == 0) return &mistakes[k];
    return NULL;
}
/* Of ten submissions, one is a skeleton, two are correct solutions, and seven contain mistakes. Every 25th submission
 * does not build, and every 40th is identical to the one before it. */
static char *submission(const char *lab, const char *solution, const char *skeleton, unsigned k) {
    if (k % 40 == 39) k--;
    if (k % 25 == 24) return changed(solution, ";\n}", "\n}", k);
    if (k % 10 == 0) return changed(skeleton, "", "", k);
    if (k % 5 == 2) return changed(solution, "", "", k);
    const struct mistake *m = nth_mistake(lab, k - k / 10 - k / 5);
    return changed(solution, m ? m->from : "", m ? m->to : "", k);
}
int main(int argc, char **argv) {
    size_t length;
    if (argc != 6) return fprintf(stderr, "make_class LAB SOLUTION SKELETON COUNT FOLDER\n"), 2;
    char *solution = file_read(argv[2], FILE_NO_LINK | FILE_CUT, MAX, &length),
         *skeleton = file_read(argv[3], FILE_NO_LINK | FILE_CUT, MAX, &length);
    for (unsigned k = 0; solution && skeleton && k < (unsigned)atoi(argv[4]); k++) {
        char path[PATH_MAX];
        char *text = submission(argv[1], solution, skeleton, k);
        snprintf(path, sizeof path, "%s/s%05u/%s.cu", argv[5], k, argv[1]);
        if (!file_replace(path, text, strlen(text), 0644)) return perror(path), 1;
        free(text);
    }
    return free(solution), free(skeleton), 0;
}
