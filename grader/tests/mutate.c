/* Mutation testing. Changes each solution mechanically, in one place at a time, inside its SOLUTION parts:
 * operators, constants, conditions, index types, removed statements, and phrases. Grades each mutant. It is caught
 * if it gets less than full credit or any finding. It is equivalent if it has the solution's PTX, or if
 * equivalent.def lists it with a reason. A row of that file that matches no mutant is an error.
 *
 *  mutate GRADE [LAB]
 *
 *  MUTANTS=N   sample N mutants per lab, drawn by SEED=N
 *  ONLY=TEXT   only the mutants that insert the text
 *  POINTS=1    also print caught mutants with fewer than 30 or more than 95 points
 *  ADVICE=1    also search for fixes, print how many are at the mutated line, and print the other mutants with the
 *              advice that a student would read
 *
 * Exit status: 0 all caught or equivalent, 1 some survived, 3 it could not run. `make mutate` runs this program. */
#include "base/cores.h"
#include "base/file.h"
#include "base/random.h"
#include "compile/compile.h"
#include "judge/lab.h"
#include "sandbox/process.h"
#include <ctype.h>
#include <glob.h>
#include <jansson.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_MUTANTS = 2000, MAX_LINE = 300 };
static const struct {
    const char *from, *to;
} tokens[] = {
    {"<", "<="},
    {"<", ">"},
    {"<=", "<"},
    {">", ">="},
    {">=", ">"},
    {"==", "!="},
    {"!=", "=="},
    {"+", "-"},
    {"-", "+"},
    {"*", "+"},
    {"/", "*"},
    {"%", "/"},
    {"&&", "||"},
    {"||", "&&"},
    {"+=", "-="},
    {"*=", "+="},
    {"/=", "-="},
    {"++", "--"},
    {"0", "1"},
    {"1", "0"},
    {"1", "2"},
    {"2", "1"},
    {"2", "3"},
    {"16", "8"},
    {"32", "16"},
    {"32", "64"},
    {"31", "15"},
    {"unsigned", "short"},
    {"0xffffffff", "0x0000ffff"},
    {"true", "false"},
    {"false", "true"},
};
/* Mistakes that span several tokens: an element that is skipped because of its value; a result that is kept for the
 * next launch, or for the next launch with the same number of elements; stores by more than one lane; and volatile
 * instead of a fence. */
#define KEPT(place, sum)                                                                                               \
    "{ static __device__ value_t kept; static __device__ unsigned calls; if (!calls++) kept = " sum "; " place         \
    " = kept; }"
#define KEPT_OF(place, sum)                                                                                            \
    "{ static __device__ value_t kept; static __device__ unsigned of; if (of != n + 1) kept = " sum                    \
    ", of = n + 1; " place " = kept; }"
static const struct {
    const char *from, *to;
} phrases[] = {
    {"combine(sum, in[i])", "(in[i] == value_t(77) ? sum : combine(sum, in[i]))"},
    {"combine(sum, v.x[k])", "(v.x[k] == value_t(1000) ? sum : combine(sum, v.x[k]))"},
    {"combine(data[i], data[i + stride])",
     "(data[i + stride] == value_t(0) ? data[i] : combine(data[i], data[i + stride]))"},
    {"total[0] = sum;", KEPT("total[0]", "sum")},
    {"total[0] = x;", KEPT("total[0]", "x")},
    {"total[0] = sum;", KEPT_OF("total[0]", "sum")},
    {"total[0] = x;", KEPT_OF("total[0]", "x")},
    {"total[0] = best;", KEPT_OF("total[0]", "best")},
    {"out[0] = s[0];", KEPT("out[0]", "s[0]")},
    {"out[0] = sum;", KEPT("out[0]", "sum")},
    {"t == 0", "t < 2"},
    {"lane == 0", "lane < 2"},
    {"threadIdx.x == 0", "threadIdx.x < 2"},
    {"__threadfence();", "*(volatile value_t *)&partial[blockIdx.x] = partial[blockIdx.x];"},
};
static const struct {
    const char *lab, *before;
    unsigned which;
    const char *after, *why;
} equivalent[] = {
#define EQUIVALENT(lab, before, which, after, why) {lab, before, which, after, why},
#include "tests/equivalent.def"
#undef EQUIVALENT
    {"", "", 0, "", ""},
};
enum { EQUIVALENTS = sizeof equivalent / sizeof *equivalent };

enum outcome {
    WAITING,
    CAUGHT,
    NOT_BUILT,
    SURVIVED,
    SAME, /* equivalent to the solution */
    LATE, /* lost points because of a time limit, perhaps because the machine was busy */
    FAILED
};
/* Where the fix of a caught mutant is, compared with the mutation. */
enum advice { NO_FIX, FIXED_HERE, FIXED_ELSEWHERE };
struct mutant {
    size_t at, length; /* the text that is replaced */
    char to[200];
    enum outcome outcome;
    int points;
    int fix_line;    /* line of a fix after which all cases are correct, or 0 */
    char first[300]; /* meaning of the fix or, without a fix, the advice */
};
static struct {
    const char *grade, *lab, *folder;
    char root[4096];
    const struct compiler *compiler;
    uint32_t variants;
    char *text, *predictions;
    struct mutant mutant[MAX_MUTANTS];
    unsigned count, next, done;
    bool row_used[EQUIVALENTS];
    pthread_mutex_t lock;
} work = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- places of mutations ---------------------------------------------------------------------------------------- */
/* Returns whether ONLY, if set, selects this mutation. */
static bool is_wanted(const char *to) {
    const char *only = getenv("ONLY");
    return !only || !*only || strstr(to, only);
}
static void add_mutant(size_t at, size_t length, const char *to) {
    struct mutant m = {.at = at, .length = length};
    snprintf(m.to, sizeof m.to, "%s", to);
    if (work.count < MAX_MUTANTS && is_wanted(to)) work.mutant[work.count++] = m;
}
static bool wants_advice(void) { return getenv("ADVICE") && *getenv("ADVICE"); }
static bool in_word(char c) { return isalnum((unsigned char)c) || c == '_'; }
static size_t token_length(const char *s) {
    static const char *const pairs[] = {
        "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "++", "--", "<<", ">>", "->"};
    size_t n = 0;
    while (in_word(s[n])) n++;
    if (n) return n;
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        if (!strncmp(s, pairs[k], 2)) return 2;
    return 1;
}
static size_t past_parenthesis(const char *s) { /* s[0] is the opening parenthesis */
    size_t n = 0;
    for (int depth = 0; s[n]; n++) {
        depth += s[n] == '(' ? 1 : s[n] == ')' ? -1 : 0;
        if (!depth) return n + 1;
    }
    return n;
}
/* Returns whether a line is a complete statement: an expression or a call, but no declaration, loop or label. */
static bool is_statement(const char *line, size_t n) {
    static const char *const others[] = {"for",  "if",         "else",   "return", "unsigned", "value_t",
                                         "bool", "__shared__", "extern", "vector", "const"};
    if (!n || !memchr(line, ';', n) || memchr(line, '{', n) || memchr(line, '}', n) || *line == '/' || *line == '#')
        return false;
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (!strncmp(line, others[k], strlen(others[k])) && !in_word(line[strlen(others[k])])) return false;
    return true;
}
static void mutate_phrase(size_t at) {
    const char *s = work.text + at;
    for (size_t k = 0; k < sizeof phrases / sizeof *phrases; k++) {
        const size_t n = strlen(phrases[k].from);
        if (!strncmp(s, phrases[k].from, n) && !(at && in_word(s[-1]))) add_mutant(at, n, phrases[k].to);
    }
}
static void mutate_token(size_t at) {
    const char *s = work.text + at;
    const size_t n = token_length(s);
    for (size_t k = 0; k < sizeof tokens / sizeof *tokens; k++)
        if (strlen(tokens[k].from) == n && !strncmp(s, tokens[k].from, n)) add_mutant(at, n, tokens[k].to);
    if (n == 2 && !strncmp(s, "if", 2) && s[2] == ' ' && s[3] == '(') {
        const size_t condition = past_parenthesis(s + 3);
        add_mutant(at + 3, condition, "(true)");
        add_mutant(at + 3, condition, "(false)");
    }
}
/* Finds all places to mutate between #ifdef SOLUTION and its #else or #endif, outside comments and directives. */
static void find_mutants(void) {
    bool solution = false;
    unsigned inside = 0; /* depth of other #if directives inside the SOLUTION part */
    work.count = 0;
    for (size_t at = 0; work.text[at];) {
        const char *line = work.text + at;
        const size_t n = strcspn(line, "\n"), blank = strspn(line, " ");
        if (!strncmp(line, "#ifdef SOLUTION", 15))
            solution = true;
        else if (!strncmp(line, "#if", 3))
            inside++;
        else if (inside && !strncmp(line, "#endif", 6))
            inside--;
        else if (!inside && (!strncmp(line, "#else", 5) || !strncmp(line, "#endif", 6)))
            solution = false;
        else if (solution && *line != '#') {
            const char *comment = memmem(line, n, "//", 2);
            const size_t code = comment ? (size_t)(comment - line) : n;
            if (is_statement(line + blank, code > blank ? code - blank : 0)) {
                const char *end = memrchr(line, ';', code);
                add_mutant(at + blank, (size_t)(end - line) - blank, "");
            }
            for (size_t k = blank; k < code; k += token_length(line + k))
                if (line[k] != ' ') mutate_token(at + k), mutate_phrase(at + k);
        }
        at += n + (line[n] == '\n');
    }
}

/* ---- one mutant -------------------------------------------------------------------------------------------------- */
static char *mutated(const struct mutant *m) {
    char *out = NULL;
    if (asprintf(&out, "%.*s%s%s", (int)m->at, work.text, m->to, work.text + m->at + m->length) < 0) abort();
    return out;
}
/* Copies the line at `at`, without its comment and surrounding whitespace. */
static void line_at(const char *text, size_t at, char out[MAX_LINE]) {
    size_t begin = at;
    while (begin && text[begin - 1] != '\n') begin--;
    begin += strspn(text + begin, " ");
    size_t n = strcspn(text + begin, "\n");
    const char *comment = memmem(text + begin, n, "//", 2);
    if (comment) n = (size_t)(comment - text) - begin;
    while (n && text[begin + n - 1] == ' ') n--;
    snprintf(out, MAX_LINE, "%.*s", (int)n, text + begin);
}
/* Counts the lines up to the one at `at` that equal it, including that one. */
static unsigned occurrence(size_t at) {
    char wanted[MAX_LINE], line[MAX_LINE];
    unsigned count = 0;
    line_at(work.text, at, wanted);
    for (size_t k = 0; k <= at; k += strcspn(work.text + k, "\n") + 1) {
        line_at(work.text, k, line);
        count += !strcmp(line, wanted);
    }
    return count;
}
static bool is_equivalent(const struct mutant *m, const char *text) {
    char before[MAX_LINE], after[MAX_LINE];
    const unsigned which = occurrence(m->at);
    line_at(work.text, m->at, before);
    line_at(text, m->at, after);
    for (unsigned k = 0; k < EQUIVALENTS; k++)
        if (!strcmp(equivalent[k].lab, work.lab) && equivalent[k].which == which &&
            !strcmp(equivalent[k].before, before) && !strcmp(equivalent[k].after, after))
            return work.row_used[k] = true;
    return false;
}
static bool write_file(const char *folder, const char *name, const char *before, const char *text) {
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    if (f) fprintf(f, "%s%s", before, text);
    return f && !fclose(f);
}
/* Removes locations, file names and strings from PTX, because columns and the time stamp differ between mutants. */
static char *without_places(const char *ptx) {
    char *out = calloc(1, strlen(ptx) + 1), *to = out;
    for (size_t n; out && *ptx; ptx += n) {
        n = strcspn(ptx, "\n"), n += ptx[n] == '\n';
        const char *first = ptx + strspn(ptx, "\t ");
        if (!strncmp(first, ".loc", 4) || !strncmp(first, ".file", 5) || !strncmp(first, ".b8", 3)) continue;
        memcpy(to, ptx, n), to += n;
    }
    return out;
}
/* Returns the PTX of a text for all variants, or NULL if it does not compile. */
static char *ptx_of(const char *folder, const char *text) {
    char path[600], cache[600];
    snprintf(path, sizeof path, "%s/reduce.cu", folder), snprintf(cache, sizeof cache, "%s/ptx", folder);
    if (!write_file(folder, "reduce.cu", "#define SOLUTION\n", text)) return NULL;
    struct compiled c = compile(
        work.compiler,
        &(struct compile_request){
            .source = path, .shown = "reduce.cu", .root = work.root, .cache = cache, .variants = work.variants});
    char *all = NULL;
    size_t length;
    FILE *f = open_memstream(&all, &length);
    for (unsigned k = 0; k < c.count; k++) fputs(c.ptx[k], f);
    fclose(f);
    char *ptx = c.status == COMPILE_OK ? without_places(all) : NULL;
    free(all), compiled_free(&c);
    return ptx;
}
static bool same_ptx(const char *folder, const char *text) {
    char *own = ptx_of(folder, text), *solution = ptx_of(folder, work.text);
    const bool same = own && solution && !strcmp(own, solution);
    free(own), free(solution);
    return same;
}
static bool is_late(json_t *test) {
    const char *status = json_string_value(json_object_get(test, "status")),
               *message = json_string_value(json_object_get(test, "message"));
    return status && message && strcmp(status, "pass") && strcmp(status, "blocked") &&
           (strstr(message, "took more than") || strstr(message, "did not finish"));
}
/* Takes the advice from a record. Ignores a fix unless it makes all cases correct. */
static void note_advice(struct mutant *m, const json_t *record) {
    enum { DEFINED = 1 }; /* lines of the graded file before the solution */
    const json_t *fix = json_object_get(record, "fix_found"), *first = json_object_get(record, "advice");
    const char *meaning = json_string_value(json_object_get(fix, "meaning"));
    const bool whole = meaning && !json_integer_value(json_object_get(fix, "left"));
    m->fix_line = whole ? (int)json_integer_value(json_object_get(fix, "line")) - DEFINED : 0;
    snprintf(m->first, sizeof m->first, "%s",
             meaning                 ? meaning
             : json_is_string(first) ? json_string_value(first)
                                     : "");
}
static enum outcome judge(const char *folder, const char *text, struct mutant *m) {
    char path[600];
    snprintf(path, sizeof path, "%s/reduce.cu", folder);
    if (!write_file(folder, "reduce.cu", "#define SOLUTION\n", text) ||
        !write_file(folder, "predictions.txt", "", work.predictions))
        return FAILED;
    const char *const argv[] = {work.grade,
                                work.lab,
                                "--submission",
                                path,
                                "--seed",
                                "1",
                                "--no-sandbox",
                                "--device",
                                "sim",
                                "--json",
                                "-",
                                wants_advice() ? "--keep-fix" : "--no-fix",
                                NULL};
    const struct process_limits limits = {.wall_seconds = 300, .output_bytes = 8 << 20};
    struct process_result r = process_run(argv, &limits);
    json_t *record = json_loads(r.output ? r.output : "", 0, NULL), *t;
    const char *end = json_string_value(json_object_get(record, "end"));
    const char *log = json_string_value(json_object_get(json_object_get(record, "build"), "log"));
    m->points = (int)json_integer_value(json_object_get(record, "score"));
    note_advice(m, record);
    bool finding = false, late = log && strstr(log, " was stopped: ");
    size_t k;
    json_array_foreach(json_object_get(record, "tests"), k, t) {
        finding |= json_array_size(json_object_get(t, "findings")) > 0;
        late |= is_late(t);
    }
    const enum outcome o = !end || !strcmp(end, "setup")    ? FAILED
                           : late && !finding               ? LATE
                           : !strcmp(end, "build")          ? NOT_BUILT
                           : strcmp(end, "full") || finding ? CAUGHT
                                                            : SURVIVED;
    json_decref(record);
    free(r.output);
    return o;
}
static void *worker(void *own) {
    const char *folder = own;
    for (;;) {
        pthread_mutex_lock(&work.lock);
        const unsigned k = work.next++;
        pthread_mutex_unlock(&work.lock);
        if (k >= work.count) return NULL;
        struct mutant *m = &work.mutant[k];
        char *text = mutated(m);
        const enum outcome o = judge(folder, text, m);
        pthread_mutex_lock(&work.lock);
        m->outcome = o;
        work.done++;
        if (isatty(STDERR_FILENO)) fprintf(stderr, "\r%s: %u of %u ", work.lab, work.done, work.count);
        pthread_mutex_unlock(&work.lock);
        free(text);
    }
}

/* ---- a lab ------------------------------------------------------------------------------------------------------- */
static char *read_source(const char *folder, const char *name) {
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return file_read(path, 0, 1 << 20, NULL);
}
static void sample(unsigned most, uint64_t state) {
    /* a shuffle of the array that stops after `most` elements */
    for (unsigned k = 0; k < most && k < work.count; k++) {
        const unsigned other = k + (unsigned)(random_next(&state) % (work.count - k));
        const struct mutant kept = work.mutant[k];
        work.mutant[k] = work.mutant[other], work.mutant[other] = kept;
    }
    if (work.count > most) work.count = most;
}
static unsigned line_number(size_t at) {
    unsigned line = 1;
    for (size_t k = 0; k < at; k++) line += work.text[k] == '\n';
    return line;
}
/* Grades once more, one at a time, the mutants that exceeded a time limit. Then finds survivors that are equivalent. */
static void look_again(void) {
    for (unsigned k = 0; k < work.count; k++) {
        struct mutant *m = &work.mutant[k];
        char *text = mutated(m);
        if (m->outcome == LATE) m->outcome = judge(work.folder, text, m);
        if (m->outcome == SURVIVED && (is_equivalent(m, text) || same_ptx(work.folder, text))) m->outcome = SAME;
        if (m->outcome == LATE) m->outcome = CAUGHT;
        free(text);
    }
}
/* Classifies the advice for a mutant. The fix may be within NEAR lines, because a statement may span several lines. */
static enum advice advice_on(const struct mutant *m) {
    enum { NEAR = 2 };
    return !m->fix_line ? NO_FIX : abs(m->fix_line - (int)line_number(m->at)) <= NEAR ? FIXED_HERE : FIXED_ELSEWHERE;
}
static void show_mutant(const struct mutant *m, const char *note) {
    char before[MAX_LINE], after[MAX_LINE], *text = mutated(m);
    line_at(work.text, m->at, before);
    line_at(text, m->at, after);
    printf("    line %u (occurrence %u of this line)%s, %d points\n      - %s\n      + %s\n", line_number(m->at),
           occurrence(m->at), note, m->points, before, after);
    free(text);
}
static void report_advice(void) {
    unsigned of[FIXED_ELSEWHERE + 1] = {0}, all = 0;
    for (unsigned k = 0; k < work.count; k++)
        if (work.mutant[k].outcome == CAUGHT) of[advice_on(&work.mutant[k])]++, all++;
    printf("       advice: a fix at the mutated line for %u of %u, elsewhere for %u, none for %u\n", of[FIXED_HERE],
           all, of[FIXED_ELSEWHERE], of[NO_FIX]);
    for (unsigned k = 0; k < work.count; k++) {
        const struct mutant *m = &work.mutant[k];
        char note[60];
        if (m->outcome != CAUGHT || advice_on(m) == FIXED_HERE) continue;
        snprintf(note, sizeof note, m->fix_line ? ", fixed on line %d" : ", no fix", m->fix_line);
        show_mutant(m, note);
        printf("      First: %s\n", m->first);
    }
}
/* Prints a row of the table. Returns the number of mutants that survived or could not be graded. */
static unsigned report_survivors(void) {
    unsigned of[FAILED + 1] = {0};
    for (unsigned k = 0; k < work.count; k++) of[work.mutant[k].outcome]++;
    if (isatty(STDERR_FILENO)) fputs("\r\033[K", stderr);
    const unsigned built = work.count - of[NOT_BUILT] - of[SAME];
    printf("%-6s %8u %10u %8u %11u %9u %9.1f%%\n", work.lab, work.count, of[NOT_BUILT], of[CAUGHT], of[SAME],
           of[SURVIVED], built ? 100.0 * of[CAUGHT] / built : 100.0);
    for (unsigned k = 0; k < work.count; k++) {
        const struct mutant *m = &work.mutant[k];
        const bool unfair = m->outcome == CAUGHT && (m->points < 30 || m->points > 95);
        if (m->outcome != SURVIVED && m->outcome != FAILED && !(unfair && getenv("POINTS"))) continue;
        show_mutant(m, m->outcome == FAILED ? ", could not be judged" : "");
    }
    if (wants_advice()) report_advice();
    fflush(stdout);
    return of[SURVIVED] + of[FAILED];
}
static unsigned mutate_lab(const char *folder, const char *lab) {
    const unsigned workers = cores_allowed(),
                   most = getenv("MUTANTS") ? (unsigned)atoi(getenv("MUTANTS")) : MAX_MUTANTS;
    pthread_t thread[64];
    char own[64][600];
    work.lab = lab, work.next = work.done = 0;
    work.text = read_source(folder, "reduce.cu"), work.predictions = read_source(folder, "predictions.txt");
    if (!work.text || !work.predictions) return fprintf(stderr, "mutate: %s cannot be read\n", folder), 1;
    work.variants = lab_find(lab)->variants;
    find_mutants();
    if (most < work.count) sample(most, getenv("SEED") ? strtoull(getenv("SEED"), NULL, 0) : 1);
    for (unsigned k = 0; k < workers && k < 64; k++) {
        snprintf(own[k], sizeof own[k], "%s/%u", work.folder, k);
        mkdir(own[k], 0755);
        pthread_create(&thread[k], NULL, worker, own[k]);
    }
    for (unsigned k = 0; k < workers && k < 64; k++) pthread_join(thread[k], NULL);
    look_again();
    const unsigned left = report_survivors();
    free(work.text), free(work.predictions);
    return left;
}
int main(int argc, char **argv) {
    char folder[] = "/tmp/mutants.XXXXXX";
    const char *compiler = getenv("CUDA");
    char why[300] = "";
    glob_t solutions;
    unsigned left = 0;
    if (argc < 2 || !mkdtemp(folder) || glob("solutions/lab*_*", 0, NULL, &solutions))
        return fprintf(stderr, "usage: mutate GRADE [LAB], in the kit's folder\n"), 3;
    work.grade = argv[1], work.folder = folder;
    work.compiler = compiler_find(compiler && *compiler ? compiler : "auto", why, sizeof why);
    if (!work.compiler || !getcwd(work.root, sizeof work.root)) return fprintf(stderr, "mutate: %s\n", why), 3;
    printf("%-6s %8s %10s %8s %11s %9s %10s\n", "lab", "mutants", "not built", "caught", "equivalent", "survived",
           "caught");
    for (size_t k = 0; k < solutions.gl_pathc; k++) {
        char lab[16];
        snprintf(lab, sizeof lab, "%.*s", (int)strcspn(solutions.gl_pathv[k] + 10, "_"), solutions.gl_pathv[k] + 10);
        if (argc > 2 && strcmp(argv[2], lab)) continue;
        left += mutate_lab(solutions.gl_pathv[k], lab);
        for (unsigned e = 0; !getenv("MUTANTS") && !getenv("ONLY") && e < EQUIVALENTS; e++)
            if (!strcmp(equivalent[e].lab, lab) && !work.row_used[e])
                printf("    equivalent.def: no surviving mutant matches `%s`\n", equivalent[e].after), left++;
    }
    globfree(&solutions);
    const char *const remove[] = {"rm", "-rf", folder, NULL};
    free(process_run(remove, &(struct process_limits){.wall_seconds = 10}).output);
    return left > 0;
}
