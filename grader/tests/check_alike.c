/* Similarity detection: a class of 300 with individual versions of lab 3, of which 12 copied. All of them must be
 * reported, except for at most one in six classes; at most two pairs per class may be false. */
/* run: sanitized */
/* reads: grader/tests/alike.txt labs solutions */
#include "base/file.h"
#include "base/random.h"
#include "class/class.h"
#include "class/facts.h"

#include <check.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HONEST = 288, COPIES = 12, STUDENTS = HONEST + COPIES, SIZE = 1 << 14 };

/* ---- a student --------------------------------------------------------------------------------- */
static uint64_t state;
static unsigned draw(unsigned below) { return (unsigned)(random_next(&state) >> 33) % below; }
/* The text between @( and @) has alternatives separated by @|; they nest. Returns the end of what was read. */
static const char *expand(const char *s, bool wanted, FILE *out) {
    while (*s && strncmp(s, "@|", 2) && strncmp(s, "@)", 2)) {
        if (strncmp(s, "@(", 2)) {
            if (wanted) fputc(*s, out);
            s++;
            continue;
        }
        unsigned count = 1, depth = 0;
        for (const char *t = s + 2; depth || strncmp(t, "@)", 2); t++) {
            depth += !strncmp(t, "@(", 2);
            depth -= depth && !strncmp(t, "@)", 2);
            count += !depth && !strncmp(t, "@|", 2);
        }
        const unsigned chosen = draw(count);
        s += 2;
        for (unsigned k = 0; k < count; k++) s = expand(s, wanted && k == chosen, out) + 2;
    }
    return s;
}
/* Names that a student chooses, and alternatives. */
static const char *const names[][7] = {{"t", "tid", "tx", "thread", "me", "lane_id"},
                                       {"start", "base", "first", "begin", "offset", "seg"},
                                       {"i", "idx", "p", "left", "e"},
                                       {"j", "q", "right", "other"},
                                       {"k", "pos", "r", "z2"},
                                       {"stride", "dist", "gap", "active"},
                                       {"h", "w", "width"},
                                       {"d", "delta"},
                                       {"step", "jump"},
                                       {"sum", "total", "mine"},
                                       {"x", "v", "value"},
                                       {"acc", "result", "own"},
                                       {"half", "rest"},
                                       {"lo", "v0"},
                                       {"hi", "v1"}};
enum { NAMES = sizeof names / sizeof *names };
static const char *const words[] = {
    "each",   "thread", "loads",     "two",     "elements",  "wait",  "until",    "all",     "have",  "written",
    "now",    "the",    "tree",      "halves",  "stride",    "first", "writes",   "result",  "guard", "end",
    "of",     "input",  "neighbors", "read",    "coalesced", "loop",  "identity", "so",      "that",  "no",
    "race",   "here",   "because",   "warp",    "barrier",   "must",  "be",       "reached", "by",    "everyone",
    "check",  "bounds", "careful",   "off",     "one",       "sum",   "left",     "half",    "right", "shared",
    "memory", "faster", "than",      "global",  "why",       "does",  "this",     "work",    "see",   "lecture",
    "slide",  "TODO",   "done",      "partial", "block",     "own",   "segment"};
static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }
static void put_word(const char *word, size_t length, const unsigned *chosen, FILE *out) {
    for (unsigned k = 0; k < NAMES; k++)
        for (unsigned n = 0; n < 7 && names[k][n]; n++)
            if (strlen(names[k][n]) == length && !memcmp(names[k][n], word, length)) {
                fputs(names[k][chosen[k]], out);
                return;
            }
    fwrite(word, 1, length, out);
}
static char *renamed(const char *text) {
    unsigned chosen[NAMES];
    for (unsigned k = 0; k < NAMES; k++) {
        unsigned count = 0;
        while (count < 7 && names[k][count]) count++;
        chosen[k] = draw(count);
    }
    char *data = NULL;
    size_t size;
    FILE *out = open_memstream(&data, &size);
    for (const char *s = text; *s;) {
        size_t n = 1;
        if (is_word(*s)) {
            while (is_word(s[n])) n++;
            put_word(s, s > text && s[-1] == '.' ? 0 : n, chosen, out);
            if (s > text && s[-1] == '.') fwrite(s, 1, n, out);
        } else
            fputc(*s, out);
        s += n;
    }
    fclose(out);
    return data;
}
/* Adds a comment after about every fifth line. */
static char *commented(const char *text) {
    char *data = NULL;
    size_t size;
    FILE *out = open_memstream(&data, &size);
    for (const char *s = text; *s; s++) {
        if (*s == '\n' && !draw(5))
            for (unsigned k = draw(7) + 2, first = 1; k; k--, first = 0)
                fprintf(out, "%s%s", first ? " // " : " ", words[draw(sizeof words / sizeof *words)]);
        fputc(*s, out);
    }
    fclose(out);
    return data;
}
static char *honest(const char *grammar) {
    char *data = NULL;
    size_t size;
    FILE *out = open_memstream(&data, &size);
    expand(grammar, true, out);
    fclose(out);
    char *own = renamed(data), *said = commented(own);
    free(data);
    free(own);
    return said;
}

/* ---- transformations by a copier ------------------------------------------------------------- */
static char *reformatted(const char *text) {
    char *data = NULL;
    size_t size;
    FILE *out = open_memstream(&data, &size);
    for (const char *s = text; *s; s++) {
        if (s[0] == '/' && s[1] == '/') s += strcspn(s, "\n");
        fputc(*s, out);
        if (*s == ';' || *s == '{') fputs(draw(2) ? "\n        " : "\n\n", out);
    }
    fclose(out);
    return data;
}
static bool is_plain(const char *line, size_t length) {
    while (length && isspace((unsigned char)line[length - 1])) length--;
    return length && line[length - 1] == ';' && !memmem(line, length, "for", 3);
}
/* Swaps about every fourth plain line with the next one. */
static char *reordered(const char *text) {
    char *data = NULL;
    size_t size;
    FILE *out = open_memstream(&data, &size);
    for (const char *s = text; *s;) {
        const size_t n = strcspn(s, "\n"), m = s[n] ? strcspn(s + n + 1, "\n") : 0;
        if (s[n] && s[n + 1 + m] && is_plain(s, n) && is_plain(s + n + 1, m) && !draw(4)) {
            fprintf(out, "%.*s\n%.*s\n", (int)m, s + n + 1, (int)n, s);
            s += n + m + 2;
        } else {
            fprintf(out, "%.*s\n", (int)n, s);
            s += n + (s[n] == '\n');
        }
    }
    fclose(out);
    return data;
}
/* The first kernel of one, the second of the other. */
static char *merged(const char *one, const char *other) {
    static const char second[] = "__global__ void reduce_one_block";
    char *data = NULL;
    ck_assert(asprintf(&data, "%.*s%s", (int)(strstr(one, second) - one), one, strstr(other, second)) > 0);
    return data;
}
static char *copied(unsigned how, char *const *class, const unsigned from[2]) {
    switch (how % 4) {
    case 0: return renamed(class[from[0]]);
    case 1: return reordered(class[from[0]]);
    case 2: return reformatted(class[from[0]]);
    default: return merged(class[from[0]], class[from[1]]);
    }
}

/* ---- the class ----------------------------------------------------------------------------------- */
struct document {
    const char *text;
    size_t length;
};
static json_t *summed_up(const struct document *of, unsigned count, json_t *attention) {
    const struct class_place place = {.root = "."};
    struct course course;
    char message[200];
    ck_assert(course_read("labs/course.conf", &course, message, sizeof message));
    const struct course_lab *lab = NULL;
    for (unsigned k = 0; k < course.count; k++)
        if (!strcmp(course.labs[k].lab.id, "lab3")) lab = &course.labs[k];
    struct class_lab l = class_lab_new(&place, lab, attention);
    json_t *students = json_array(), *none = json_object();
    for (unsigned k = 0; k < count; k++) {
        char id[16];
        snprintf(id, sizeof id, "s%u", k);
        json_t *student = json_pack("[{s:s, s:s, s:s}]", "id", id, "folder", id, "name", "");
        json_array_append_new(students, student);
        const struct class_unit u = {.name = id,
                                     .folder = id,
                                     .students = student,
                                     .entry = none,
                                     .text = (char *)(uintptr_t)of[k].text,
                                     .length = of[k].length};
        alike_add(&l, &u);
    }
    json_t *out = class_lab_end(&l);
    json_decref(students);
    json_decref(none);
    return out;
}
static unsigned student_of(const json_t *pair, unsigned k) {
    return (unsigned)atoi(text_of(json_array_get(json_object_get(pair, "students"), k), "id") + 1);
}
/* Summarizes one class, without grading, and counts what was missed and what was falsely reported. */
static void judge_class(const char *grammar, unsigned *missed, unsigned *wrong) {
    static char *class[STUDENTS];
    unsigned from[COPIES][2];
    bool found[COPIES] = {false};
    size_t k;
    for (unsigned s = 0; s < HONEST; s++) class[s] = honest(grammar);
    for (unsigned c = 0; c < COPIES; c++) {
        for (unsigned n = 0; n < 2; n++) from[c][n] = draw(HONEST);
        class[HONEST + c] = copied(c, class, from[c]);
        found[c] = !strcmp(class[HONEST + c], class[from[c][0]]); /* reported as identical files */
    }
    struct document of[STUDENTS];
    for (unsigned s = 0; s < STUDENTS; s++) of[s] = (struct document){class[s], strlen(class[s])};
    json_t *attention = json_array(), *lab = summed_up(of, STUDENTS, attention), *pair;
    json_array_foreach(json_object_get(json_object_get(lab, "similar"), "pairs"), k, pair) {
        const unsigned a = student_of(pair, 0), b = student_of(pair, 1);
        bool planted = a >= HONEST; /* from the same original */
        for (unsigned c = 0; c < COPIES; c++)
            if (b == HONEST + c && (a == from[c][0] || a == from[c][1])) found[c] = planted = true;
        *wrong += !planted;
    }
    for (unsigned c = 0; c < COPIES; c++) *missed += !found[c];
    json_decref(attention);
    json_decref(lab);
    for (unsigned s = 0; s < STUDENTS; s++) free(class[s]);
}
START_TEST(copies_are_told_and_honest_ones_are_not) {
    enum { CLASSES = 6 };
    unsigned missed = 0, wrong = 0;
    size_t length;
    char *grammar = file_read("grader/tests/alike.txt", 0, SIZE, &length);
    ck_assert(grammar != NULL);
    for (state = 1; state <= CLASSES; state++) {
        const uint64_t seed = state;
        judge_class(grammar, &missed, &wrong);
        state = seed;
    }
    ck_assert_uint_le(missed, 1);
    ck_assert_uint_le(wrong, 2 * CLASSES);
    free(grammar);
}
END_TEST
/* Two files in a class of five, and the report on them: whole files are compared, whatever bytes they contain. */
#define BODY(p, q, c)                                                                                                  \
    "(int *" p ") {\n    int " q " = " p "[threadIdx.x] * 17 + 4;" c "\n    " p "[" q " % 5] = " q ";\n    " p         \
    "[0] -= " q " * " p "[2];\n}\n"
#define MINE "__global__ void f" BODY("data", "mine", "")
static const struct {
    const char *what;
    struct document a, b;
    size_t same, similar;
} files[] = {
#define TEXT(text)                                                                                                     \
    { text, sizeof(text) - 1 }
    {"one file twice", TEXT(MINE), TEXT(MINE), 1, 0},
    {"another comment", TEXT(MINE), TEXT("__global__ void f" BODY("data", "mine", " // why not")), 0, 1},
    {"other names", TEXT(MINE), TEXT("__global__ void g" BODY("p", "value", "")), 0, 1},
    {"the same up to a byte 0", TEXT("// a\0" MINE), TEXT("// a\0__device__ char *nothing;\n"), 0, 0},
    {"the same up to a byte 0, copied behind it", TEXT("// a\0" MINE), TEXT("// b\0" MINE), 0, 1},
    {"nothing but a comment left open", TEXT(MINE), TEXT("/* " MINE), 0, 0},
};
START_TEST(whole_files_are_compared) {
    const struct document of[] = {
        files[_i].a, files[_i].b, TEXT("extern __global__ void g(float *x) { x[blockIdx.x] = 1; if (x) return; }"),
        TEXT("__device__ int h(int a) { return a > 0 ? a : -a; } // never called"),
        TEXT("template <class T> __device__ void swap(T &a, T &b) { T c = a; a = b; b = c; }")};
    json_t *attention = json_array(), *lab = summed_up(of, sizeof of / sizeof *of, attention);
    const size_t same = (size_t)json_integer_value(json_object_get(lab, "same_groups")),
                 similar = json_array_size(json_object_get(json_object_get(lab, "similar"), "pairs"));
    ck_assert_msg(same == files[_i].same && similar == files[_i].similar, "%s: %zu the same, %zu similar",
                  files[_i].what, same, similar);
    json_decref(attention);
    json_decref(lab);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("alike");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 60);
    tcase_add_test(all, copies_are_told_and_honest_ones_are_not);
    tcase_add_loop_test(all, whole_files_are_compared, 0, sizeof files / sizeof *files);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
