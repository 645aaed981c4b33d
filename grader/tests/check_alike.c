/* Tests the detection of similar submissions in classes of 300 students. A grammar generates each student's version
 * of a lab, and ten students copy from others. At most two reported pairs per class may be false, and 95% of the
 * copies must be reported. In short labs, the 95% apply only to copies that keep names and comments.
 *
 * `make test` draws classes for every fourth lab, EVERY=1 for all labs. LAB=lab1 selects a lab, CLASSES=20 the
 * number of classes, FIRST=1 the seed of the first class, and HONEST=90 the number of honest students. LIMIT=1
 * prints the largest share of renamed copies that any search can find. The thresholds were chosen with seeds 1 to 20,
 * 101 to 120, 3001 to 3025, 7001 to 7020, 8001 to 8040 and, for smaller classes, 991001 to 992008. Published figures
 * must therefore come from other seeds. */
/* run: plain, 7 s */
/* reads: grader/tests/alike labs solutions */
#include "base/file.h"
#include "base/hash.h"
#include "base/random.h"
#include "class/class.h"
#include "class/facts.h"
#include "tests/effort.h"
#include "tests/suite.h"

#include <check.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COPIES = 10, HONEST = 290, STUDENTS = HONEST + COPIES, SIZE = 1 << 15 };
/* second: where a copy of two sources continues with the second one. short_one: the solutions are so short that more
 * than two honest pairs of a class have the same structure, so only copies that keep names and comments must be
 * detected. */
static const struct class_row {
    const char *id, *folder, *second;
    bool short_one;
} class_rows[] = {{"lab0", "labs/lab0_one_thread", "__global__ void whole_tree", false},
                  {"lab1", "labs/lab1_interleaved_tree", "__syncthreads", true},
                  {"lab2", "labs/lab2_compacted_tree", "__syncthreads", true},
                  {"lab3", "labs/lab3_shared_block", "__global__ void reduce_one_block", false},
                  {"lab4", "labs/lab4_multi_block", "static __device__ value_t grid_stride", false},
                  {"lab5", "labs/lab5_warp_level", "__global__ void reduce_one_guard", false},
                  {"lab6", "labs/lab6_shuffle", "__global__ void reduce(", false},
                  {"lab7", "labs/lab7_last_block", "__global__ void reduce(", false},
                  {"lab8", "labs/lab8_ordered", "__global__ void reduce(", false},
                  {"lab9", "labs/lab9_bandwidth", "const vector *body", false},
                  {"lab10", "labs/lab10_argmax", "static __device__ value_t block_reduce", false},
                  {"lab11", "labs/lab11_cluster", "__global__ void reduce(", false},
                  {"lab12", "labs/lab12_tensor", "matrix_multiply(c", true}};
static const struct class_row *row;

/* ---- a student --------------------------------------------------------------------------------- */
static uint64_t state;
static unsigned draw(unsigned below) { return (unsigned)(random_next(&state) >> 33) % below; }
/* Expands alternatives such as @(a@|b@), which may be nested. Returns the end of the text read. */
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
/* Names that students choose, each with its alternatives. */
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
static bool has_word(const char *text, const char *word) {
    const size_t n = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at++)
        if ((at == text || !is_word(at[-1])) && !is_word(at[n])) return true;
    return false;
}
static char *with_names(const char *text, const unsigned *chosen) {
    char *data = NULL;
    size_t size;
    FILE *out = open_memstream(&data, &size);
    for (const char *s = text; *s;) {
        size_t n = *s == '"' ? strcspn(s + 1, "\"") + 2 : 1; /* copy a string unchanged */
        if (n == 1 && is_word(*s)) {
            while (is_word(s[n])) n++;
            put_word(s, s > text && s[-1] == '.' ? 0 : n, chosen, out);
            if (s > text && s[-1] == '.') fwrite(s, 1, n, out);
        } else
            fwrite(s, 1, n, out);
        s += n;
    }
    fclose(out);
    return data;
}
/* Returns the text with randomly chosen names. Keeps a name that the skeleton contains, as an honest student would.
 * `skeleton` may be NULL. */
static char *renamed(const char *text, const char *skeleton) {
    unsigned chosen[NAMES];
    for (unsigned k = 0; k < NAMES; k++) {
        unsigned count = 0;
        while (count < 7 && names[k][count]) count++;
        chosen[k] = skeleton && has_word(skeleton, names[k][0]) ? 0 : draw(count);
    }
    return with_names(text, chosen);
}
/* Returns the text without comments and whitespace, and with the first alternative of each name. */
static char *structure_of(const char *text) {
    static const unsigned first[NAMES];
    char *out = with_names(text, first), *end = out;
    for (const char *s = out; *s; s++) {
        if (s[0] == '/' && s[1] == '/') s += strcspn(s, "\n");
        if (!isspace((unsigned char)*s)) *end++ = *s;
    }
    *end = 0;
    return out;
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
static char *honest(const char *grammar, const char *skeleton) {
    char *data = NULL;
    size_t size;
    FILE *out = open_memstream(&data, &size);
    expand(grammar, true, out);
    fclose(out);
    char *own = renamed(data, skeleton), *said = commented(own);
    free(data);
    free(own);
    return said;
}

/* ---- ways of hiding a copy ------------------------------------------------------------------- */
static char *reformatted(const char *text) {
    char *data = NULL;
    size_t size;
    bool quoted = false;
    FILE *out = open_memstream(&data, &size);
    for (const char *s = text; *s; s++) {
        if (s[0] == '/' && s[1] == '/') s += strcspn(s, "\n");
        quoted ^= *s == '"';
        fputc(*s, out);
        if (!quoted && (*s == ';' || *s == '{')) fputs(draw(2) ? "\n        " : "\n\n", out);
    }
    fclose(out);
    return data;
}
static bool is_plain(const char *line, size_t length) {
    while (length && isspace((unsigned char)line[length - 1])) length--;
    return length && line[length - 1] == ';' && !memmem(line, length, "for", 3);
}
/* Swaps about one in four simple lines with the next line. */
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
static char *merged(const char *one, const char *other) {
    char *data = NULL;
    ck_assert(asprintf(&data, "%.*s%s", (int)(strstr(one, row->second) - one), one, strstr(other, row->second)) > 0);
    return data;
}
/* Replaces words according to a table {from, to, from, to, ..., NULL}, and inserts `first` at the start. */
static char *with_words(const char *text, const char *first, const char *const *table) {
    char *data = NULL;
    size_t size;
    FILE *out = open_memstream(&data, &size);
    fputs(first, out);
    for (const char *s = text; *s;) {
        const char *const *word = table;
        while (*word && strncmp(s, word[0], strlen(word[0]))) word += 2;
        const bool inside = s > text && is_word(s[-1]), cut = *word && is_word(s[strlen(word[0])]);
        if (*word && !inside && !cut)
            fputs(word[1], out), s += strlen(word[0]);
        else
            fputc(*s++, out);
    }
    fclose(out);
    return data;
}
static char *with_macros(const char *text) {
    static const char *const table[] = {
        "threadIdx.x", "TX",      "blockDim.x", "BD",       "blockIdx.x", "BX", "__syncthreads",
        "SYNC",        "combine", "OP",         "unsigned", "uint",       NULL};
    return with_words(text,
                      "#define TX threadIdx.x\n#define BD blockDim.x\n#define BX blockIdx.x\n"
                      "#define SYNC __syncthreads\n#define OP combine\ntypedef unsigned uint;\n",
                      table);
}
static char *with_constants(const char *text) {
    static const char *const table[] = {"0", "ZERO", "1", "ONE", "2", "TWO", "16", "HALF_WARP", "32", "WARP", NULL};
    return with_words(text, "enum { ZERO, ONE, TWO, HALF_WARP = 16, WARP = 32 };\n", table);
}
/* Converts `for (A; B; C) X` to `A; while (B) { X C; }`. X is a block, or a statement that ends at its semicolon. */
static char *with_while(const char *text) {
    char *data = NULL;
    size_t size;
    FILE *out = open_memstream(&data, &size);
    for (const char *s = text; *s;) {
        if (strncmp(s, "for (", 5)) {
            fputc(*s++, out);
            continue;
        }
        const char *a = s + 5, *b = strchr(a, ';') + 1, *c = strchr(b, ';') + 1, *x = c, *end;
        for (unsigned depth = 1; depth; x++) depth += (*x == '(') - (*x == ')');
        const int n = (int)(x - 1 - c);
        x += strspn(x, " \n");
        if (*x == '{') {
            end = x + 1;
            for (unsigned depth = 1; depth; end++) depth += (*end == '{') - (*end == '}');
            fprintf(out, "%.*s\n    while (%.*s) {%.*s %.*s; }", (int)(b - a), a, (int)(c - 1 - b), b,
                    (int)(end - x - 2), x + 1, n, c);
        } else {
            end = strchr(x, ';') + 1;
            fprintf(out, "%.*s\n    while (%.*s) { %.*s %.*s; }", (int)(b - a), a, (int)(c - 1 - b), b, (int)(end - x),
                    x, n, c);
        }
        s = end;
    }
    fclose(out);
    return data;
}
/* Returns the code of `one` with the comments of `other`. */
static char *with_comments_of(const char *one, const char *other) {
    char *data = NULL;
    size_t size;
    FILE *out = open_memstream(&data, &size);
    const char *comment = strstr(other, "//");
    for (const char *s = one; *s; s++) {
        if (s[0] == '/' && s[1] == '/') {
            if (comment)
                fprintf(out, "%.*s", (int)strcspn(comment, "\n"), comment), comment = strstr(comment + 2, "//");
            s += strcspn(s, "\n");
        }
        fputc(*s, out);
    }
    fclose(out);
    return data;
}
static char *twice(char *(*second)(const char *), char *text) {
    char *out = second(text);
    free(text);
    return out;
}
/* leaves_names[k]: copies of kind k keep names and comments, so they must be detected even in a short lab. */
enum { KINDS = 10 };
static const bool leaves_names[KINDS] = {false, true, false, true, true, true, true, false, false, true};
static char *copied(unsigned how, char *const *class, const unsigned from[2]) {
    char *one = class[from[0]], *other = class[from[1]];
    switch (how) {
    case 0: return renamed(one, NULL);
    case 1: return reordered(one);
    case 2: return reformatted(one);
    case 3: return merged(one, other);
    case 4: return with_macros(one);
    case 5: return with_constants(one);
    case 6: return with_while(one);
    case 7: return with_comments_of(one, other);
    case 8: return twice(with_macros, twice(reformatted, renamed(one, NULL)));
    default: return twice(with_macros, with_while(one));
    }
}

/* ---- the class ----------------------------------------------------------------------------------- */
struct document {
    const char *text;
    size_t length;
};
static const char *id_begins = "s" /* followed by a number */, *full_name = "";
static json_t *summed_up(const char *id, const struct document *of, unsigned count, json_t *attention) {
    const struct class_place place = {.root = "."};
    struct course course;
    char message[200];
    ck_assert(course_read("labs/course.conf", &course, message, sizeof message));
    const struct course_lab *lab = NULL;
    for (unsigned k = 0; k < course.count; k++)
        if (!strcmp(course.labs[k].lab.id, id)) lab = &course.labs[k];
    struct class_lab l = class_lab_new(&place, lab, attention);
    json_t *students = json_array(), *none = json_object();
    for (unsigned k = 0; k < count; k++) {
        char name[200];
        snprintf(name, sizeof name, "%s%u", id_begins, k);
        json_t *student = json_pack("[{s:s, s:s, s:s}]", "id", name, "folder", name, "name", full_name);
        json_array_append_new(students, student);
        const struct class_unit u = {.name = name,
                                     .folder = name,
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
static unsigned honest_count = HONEST; /* at most HONEST */
/* Returns the number of pairs of honest students whose files have the same structure. */
static unsigned count_equal(char *const *class) {
    char *structure[HONEST];
    unsigned equal = 0;
    for (unsigned s = 0; s < honest_count; s++) structure[s] = structure_of(class[s]);
    for (unsigned s = 0; s < honest_count; s++)
        for (unsigned n = 0; n < s; n++) equal += !strcmp(structure[s], structure[n]);
    for (unsigned s = 0; s < honest_count; s++) free(structure[s]);
    return equal;
}
/* Generates a class and searches it for similar files, without grading. Returns the number of reported pairs that
 * are false. Adds the number of honest pairs with the same structure to *equal. */
static unsigned judge_class(const char *grammar, const char *skeleton, bool found[COPIES], unsigned *equal) {
    static char *class[STUDENTS];
    unsigned from[COPIES][2], wrong = 0;
    size_t k;
    for (unsigned s = 0; s < honest_count; s++) class[s] = honest(grammar, skeleton);
    for (unsigned c = 0; c < COPIES; c++) {
        for (unsigned n = 0; n < 2; n++) from[c][n] = draw(honest_count);
        class[honest_count + c] = copied(c, class, from[c]);
        found[c] = !strcmp(class[honest_count + c], class[from[c][0]]); /* reported as identical files */
    }
    *equal += count_equal(class);
    struct document of[STUDENTS];
    for (unsigned s = 0; s < honest_count + COPIES; s++) of[s] = (struct document){class[s], strlen(class[s])};
    json_t *attention = json_array(), *lab = summed_up(row->id, of, honest_count + COPIES, attention), *pair;
    json_t *similar = json_object_get(lab, "similar");
    ck_assert_msg(honest_count < HONEST || json_is_false(json_object_get(similar, "renamed")) == row->short_one,
                  "%s: the page %s that renamed copies cannot be detected", row->id,
                  row->short_one ? "does not say" : "says");
    json_array_foreach(json_object_get(similar, "pairs"), k, pair) {
        const unsigned a = student_of(pair, 0), b = student_of(pair, 1);
        ck_assert_int_gt(json_integer_value(json_object_get(pair, "percent")), 0);
        bool planted = a >= honest_count; /* both texts are copies, or one is a copy of the other */
        for (unsigned c = 0; c < COPIES; c++)
            if (b == honest_count + c && (a == from[c][0] || a == from[c][1])) found[c] = planted = true;
        wrong += !planted;
    }
    json_decref(attention);
    json_decref(lab);
    for (unsigned s = 0; s < honest_count + COPIES; s++) free(class[s]);
    return wrong;
}
static int by_value(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}
/* Returns the largest share of renamed copies without comments that any search can find with at most two expected
 * false pairs per class. Only the structure of such a copy is evidence, so the best search reports the structures that
 * students write most rarely. Their frequencies are estimated from a sample, so the result is too large. */
static double limit_of(const char *grammar) {
    enum { DRAWS = 100000 };
    static uint64_t hash[DRAWS];
    static unsigned written[DRAWS + 1]; /* [n]: number of structures that occur in n draws */
    memset(written, 0, sizeof written);
    for (unsigned k = 0; k < DRAWS; k++) {
        char *text = honest(grammar, NULL), *structure = structure_of(text);
        hash[k] = hash_bytes(HASH_START, structure, strlen(structure));
        free(text), free(structure);
    }
    qsort(hash, DRAWS, sizeof *hash, by_value);
    for (unsigned k = 0, n; k < DRAWS; k += n, written[n]++)
        for (n = 1; k + n < DRAWS && hash[k + n] == hash[k];) n++;
    double found = 0, wrong = 0;
    for (double n = 1; n <= DRAWS && wrong <= 2; n++) {
        const double pairs = written[(unsigned)n] * n * (n - 1) / DRAWS / DRAWS * HONEST * (HONEST - 1) / 2;
        const double part = wrong + pairs > 2 ? (2 - wrong) / pairs : 1;
        found += part * written[(unsigned)n] * n / DRAWS, wrong += pairs;
    }
    return found;
}
static unsigned number_of(const char *name, unsigned otherwise) {
    return getenv(name) ? (unsigned)atoi(getenv(name)) : otherwise;
}
static bool is_selected(const struct class_row *r) {
    const unsigned k = (unsigned)(r - class_rows); /* every fourth lab, half of them per commit; one is short (lab12) */
    return getenv("LAB") ? !strcmp(getenv("LAB"), r->id) : getenv("EVERY") || (k % 4 == 0 && in_turn(k / 4, 2));
}
START_TEST(copies_are_reported_and_honest_files_are_not) {
    enum { CLASSES = 1 };
    const unsigned classes = number_of("CLASSES", CLASSES), first = number_of("FIRST", 1);
    unsigned of_kind[KINDS] = {0}, seen = 0, wanted = 0, false_pairs = 0, equal = 0;
    char path[200], said[200] = "";
    size_t length;
    if (!is_selected(row = &class_rows[_i])) return;
    honest_count = number_of("HONEST", HONEST);
    snprintf(path, sizeof path, "grader/tests/alike/%s.txt", row->id);
    char *grammar = file_read(path, 0, SIZE, &length);
    snprintf(path, sizeof path, "%s/reduce.cu", row->folder);
    char *skeleton = file_read(path, 0, SIZE, &length);
    ck_assert(grammar && skeleton && honest_count <= HONEST);
    for (unsigned class = first; class < first + classes; class ++) {
        bool found[COPIES];
        state = class;
        const unsigned wrong = judge_class(grammar, skeleton, found, &equal);
        ck_assert_msg(wrong <= 2, "%s, class %u: %u false pairs", row->id, class, wrong);
        false_pairs += wrong;
        for (unsigned c = 0; c < COPIES; c++) of_kind[c] += found[c];
    }
    for (unsigned c = 0; c < COPIES; c++) {
        const bool wants = !row->short_one || leaves_names[c];
        wanted += wants * classes, seen += wants ? of_kind[c] : 0;
        snprintf(said + strlen(said), sizeof said - strlen(said), " %u", of_kind[c]);
    }
    printf("%s, %u classes: %u honest pairs with the same structure, %u false pairs, found of each kind:%s\n", row->id,
           classes, equal, false_pairs, said);
    ck_assert_msg(honest_count < HONEST || (equal > 2 * classes) == row->short_one,
                  "%s: %u honest pairs with the same structure", row->id, equal);
    ck_assert_msg(100 * seen >= 95 * wanted, "%s: found of each kind, in %u classes:%s", row->id, classes, said);
    if (getenv("LIMIT")) printf("%s: no search can find more than %.0f%%\n", row->id, 100 * limit_of(grammar));
    free(grammar), free(skeleton);
}
END_TEST
/* Small classes in which the thresholds for larger classes reported more than two false pairs. */
static const struct {
    unsigned lab, honest, seed;
} small_classes[] = {{1, 90, 991002}, {1, 90, 991003}, {10, 20, 992002}, {10, 20, 992003}, {5, 40, 992006}};
START_TEST(small_classes_have_few_false_pairs) {
    char path[200];
    bool found[COPIES];
    size_t length;
    unsigned equal = 0;
    row = &class_rows[small_classes[_i].lab];
    snprintf(path, sizeof path, "grader/tests/alike/%s.txt", row->id);
    char *grammar = file_read(path, 0, SIZE, &length);
    snprintf(path, sizeof path, "%s/reduce.cu", row->folder);
    char *skeleton = file_read(path, 0, SIZE, &length);
    ck_assert(grammar && skeleton);
    honest_count = small_classes[_i].honest;
    state = small_classes[_i].seed;
    const unsigned wrong = judge_class(grammar, skeleton, found, &equal);
    ck_assert_msg(wrong <= 2, "%s, class %u: %u false pairs", row->id, small_classes[_i].seed, wrong);
    honest_count = HONEST;
    free(grammar), free(skeleton);
}
END_TEST
/* Twenty students submit the same text. Nineteen of them add comments and move a few lines. At least 16 of the
 * twenty must be reported. */
START_TEST(rings_of_copies_are_reported) {
    enum { RING = 20, LONGEST = 200 };
    char path[LONGEST], *class[STUDENTS];
    struct document of[STUDENTS];
    size_t length;
    if (!is_selected(row = &class_rows[_i])) return;
    state = 1;
    snprintf(path, sizeof path, "grader/tests/alike/%s.txt", row->id);
    char *grammar = file_read(path, 0, SIZE, &length);
    snprintf(path, sizeof path, "%s/reduce.cu", row->folder);
    char *skeleton = file_read(path, 0, SIZE, &length);
    for (unsigned s = 0; s < STUDENTS; s++) {
        char *own = s && s < RING ? commented(class[0]) : NULL;
        class[s] = own ? reordered(own) : honest(grammar, skeleton);
        of[s] = (struct document){class[s], strlen(class[s])};
        free(own);
    }
    json_t *attention = json_array(), *lab = summed_up(row->id, of, STUDENTS, attention), *pair;
    bool told[STUDENTS] = {false};
    size_t k;
    json_array_foreach(json_object_get(json_object_get(lab, "similar"), "pairs"), k,
                       pair) for (unsigned n = 0; n < 2; n++) told[student_of(pair, n)] = true;
    /* A pair with a small share is listed only for passages that few students share. */
    json_array_foreach(json_object_get(json_object_get(lab, "similar"), "pairs"), k, pair)
        ck_assert_msg(json_integer_value(json_object_get(pair, "percent")) >= 40 ||
                          strstr(text_of(pair, "how"), "in passages that few"),
                      "%s: %s", row->id, text_of(pair, "how"));
    unsigned some = 0;
    for (unsigned s = 0; s < RING; s++) some += told[s];
    ck_assert_msg(some >= RING * 4 / 5, "%s: only %u copies of the ring are reported", row->id, some);
    for (unsigned s = 0; s < STUDENTS; s++) free(class[s]);
    json_decref(attention), json_decref(lab);
    free(grammar), free(skeleton);
}
END_TEST
/* Compares two files in a class of five. The comparison covers whole files, which may contain any bytes. */
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
    {"identical up to a NUL byte", TEXT("// a\0" MINE), TEXT("// a\0__device__ char *nothing;\n"), 0, 0},
    {"identical up to a NUL byte, and copied after it", TEXT("// a\0" MINE), TEXT("// b\0" MINE), 0, 1},
    {"only an unterminated comment", TEXT(MINE), TEXT("/* " MINE), 0, 0},
};
START_TEST(whole_files_are_compared) {
    const struct document of[] = {
        files[_i].a, files[_i].b, TEXT("extern __global__ void g(float *x) { x[blockIdx.x] = 1; if (x) return; }"),
        TEXT("__device__ int h(int a) { return a > 0 ? a : -a; } // never called"),
        TEXT("template <class T> __device__ void swap(T &a, T &b) { T c = a; a = b; b = c; }")};
    json_t *attention = json_array(), *lab = summed_up("lab3", of, sizeof of / sizeof *of, attention);
    const size_t same = (size_t)json_integer_value(json_object_get(lab, "same_groups")),
                 similar = json_array_size(json_object_get(json_object_get(lab, "similar"), "pairs"));
    ck_assert_msg(same == files[_i].same && similar == files[_i].similar, "%s: %zu the same, %zu similar",
                  files[_i].what, same, similar);
    json_decref(attention);
    json_decref(lab);
}
END_TEST

/* Long ids are not shortened: these differ only at their ends, after more than 60 bytes. */
START_TEST(long_ids_appear_in_full) {
    static const char begins[] =
        "averylongnameofastudentwhosefamilynameisaslongasthegivennameis.family@campus.example-";
    const struct document of[] = {TEXT(MINE), TEXT(MINE), TEXT("__global__ void g" BODY("p", "value", "") "// mine")};
    json_t *attention = json_array(), *entry;
    char id[200];
    size_t n;
    id_begins = begins, full_name = "Doe, Jane";
    json_t *lab = summed_up("lab3", of, sizeof of / sizeof *of, attention);
    ck_assert_uint_ge(json_array_size(attention), 4); /* each of the two identical files is similar to the third */
    json_array_foreach(attention, n, entry) {
        const char *text = json_string_value(json_object_get(entry, "text")), *at = strstr(text, begins);
        ck_assert_msg(at && strchr("012", at[strlen(begins)]), "%s", text);
        ck_assert_msg(strstr(at, " (Doe, Jane)"), "%s", text);
        snprintf(id, sizeof id, "%s%c", begins, at[strlen(begins)]);
        ck_assert_str_ne(id, json_string_value(json_object_get(entry, "id")));
    }
    id_begins = "s", full_name = "";
    json_decref(attention);
    json_decref(lab);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("alike");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 300);
    tcase_add_loop_test(all, copies_are_reported_and_honest_files_are_not, 0, sizeof class_rows / sizeof *class_rows);
    tcase_add_loop_test(all, small_classes_have_few_false_pairs, 0, sizeof small_classes / sizeof *small_classes);
    tcase_add_loop_test(all, rings_of_copies_are_reported, 0, sizeof class_rows / sizeof *class_rows);
    tcase_add_loop_test(all, whole_files_are_compared, 0, sizeof files / sizeof *files);
    tcase_add_test(all, long_ids_appear_in_full);
    suite_add_tcase(suite, all);
    return suite_failures(suite) != 0;
}
