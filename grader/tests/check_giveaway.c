/* Checks that the handout reveals no answers: no text of the archive that is pasted into a reduce.cu may get more
 * than MAX points. These attempts are made:
 *
 * - Each CUDA file and each code block of a document, with its kernels renamed to the lab's: alone, and after the
 * definitions in the skeleton.
 * - Each code block in place of each TODO.
 * - Each skeleton, completed with functions and loops of the other CUDA files.
 * - An #include of the solution's path.
 *
 * No file may contain the PTX of a kernel. HANDOUT=FOLDER tests all labs of an unpacked archive, in which ./grade
 * has been built. Without HANDOUT, the test builds a handout, pastes every 20th text for lab3, and completes lab7
 * from every fourth file. LAB=lab1 tests only this lab, with all texts. SITE=1 tests the texts of the course's
 * website for all labs instead of the archive.
 *
 * If NVRTC is installed, nvcc compiles only those texts that NVRTC rejects because of host code or a header file.
 * nvcc takes ten times as long, and would reject the others, too. With NVCC=1, nvcc compiles all texts that NVRTC
 * rejects. */
/* run: plain, 16 s */
#include "compile/compiler.h"
#include "judge/lab.h"
#include "tests/effort.h"
#include "tests/files.h"
#include "tests/shell.h"
#include "tests/suite.h"
#include <check.h>
#include <ctype.h>
#include <ftw.h>
#include <glob.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX = 20, MAX_TEXTS = 400, ENOUGH = 90, SAMPLE = 20 };
static char folder[] = "/tmp/check-giveaway-XXXXXX", kit[400];

/* ---- texts to paste -------------------------------------------------------------------------- */
static struct text { char *name, *text; } texts[MAX_TEXTS];
static unsigned text_count, files, kernels_in_ptx;
static char first_ptx[500];

static void add_text(const char *name, const char *text, size_t length) {
    if (text_count == MAX_TEXTS) fprintf(stderr, "more than %d texts\n", MAX_TEXTS), exit(1);
    texts[text_count++] = (struct text){strdup(name), strndup(text, length)};
}
static void add_blocks(const char *name, const char *text) {
    for (const char *open = strstr(text, "```"); open;) {
        const char *begin = open + strcspn(open, "\n"), *end = strstr(begin, "```");
        if (!end) return;
        if (memmem(begin, (size_t)(end - begin), ";", 1)) add_text(name, begin, (size_t)(end - begin));
        open = strstr(end + 3, "```");
    }
}
/* Returns whether the text contains a kernel in PTX: a line that begins with `.entry NAME(` or `.visible .entry
 * NAME(`. */
static bool holds_ptx(const char *text) {
    for (const char *s = text; s; s = strchr(s, '\n')) {
        s += strspn(s, "\n \t");
        if (!strncmp(s, ".visible ", 9)) s += 9;
        if (!strncmp(s, ".entry", 6) && strcspn(s, "(") < strcspn(s, "\n\"'`")) return true;
    }
    return false;
}
static int look_into(const char *path, const struct stat *s, int type, struct FTW *at) {
    (void)at;
    if (type != FTW_F || !S_ISREG(s->st_mode) || strstr(path, "/build/") || !strcmp(path + strlen(kit), "/grade"))
        return 0;
    char *text = read_file(path);
    const char *name = path + strlen(kit) + 1, *dot = strrchr(name, '.');
    files++;
    if (holds_ptx(text) && !kernels_in_ptx++) snprintf(first_ptx, sizeof first_ptx, "%s", name);
    if (getenv("SITE") && strncmp(name, "site/", 5) != 0) dot = NULL;
    if (dot && !strcmp(dot, ".md")) add_blocks(name, text);
    if (dot && (!strcmp(dot, ".cu") || !strcmp(dot, ".cuh"))) add_text(name, text, strlen(text));
    free(text);
    return 0;
}

/* ---- attempts --------------------------------------------------------------------------------- */
static const struct lab *lab;
static unsigned attempts, built, with_nvcc, most;
static char best[500];

static bool has_nvrtc;
static char *grade_with(const char *compiler) {
    return shell(SHELL_ANY,
                 "cd %s && CUDA=%s ./grade %s --submission %s/try/reduce.cu --no-sandbox --device sim --no-pictures "
                 "--no-fix --seed 3 --quiet 2>&1",
                 kit, compiler, lab->id, folder);
}
/* Returns whether nvcc may accept a text that NVRTC rejected with the message `said`. This is so if at least
 * one error is about a host function or a header file, and all others are undefined names, which a header file may
 * define. */
static bool may_build_elsewhere(const char *said) {
    bool host = getenv("NVCC") != NULL, only = true;
    if (!strstr(said, "does not build")) return false;
    for (const char *s = said; (s = strstr(s, "error: ")); s++) {
        char line[400];
        snprintf(line, sizeof line, "%.*s", (int)strcspn(s, "\n"), s);
        const bool of_host = strstr(line, "in JIT mode") || strstr(line, "source file");
        host |= of_host;
        only &= of_host || strstr(line, "is undefined");
    }
    return host && (only || getenv("NVCC"));
}
static int points_of(const char *text) {
    char path[500];
    snprintf(path, sizeof path, "%s/try/reduce.cu", folder);
    write_file(path, text, strlen(text));
    char *said = grade_with(has_nvrtc ? "nvrtc" : "auto");
    if (has_nvrtc && may_build_elsewhere(said)) free(said), said = grade_with("auto"), with_nvcc++;
    const char *at = strstr(said, ": "); /* a line such as "lab3: 0 of 100 points" */
    int points = -1;
    if (!at || strncmp(said, lab->id, strlen(lab->id)) != 0 || sscanf(at, ": %d of 100", &points) != 1) points = -1;
    ck_assert_msg(points >= 0 || strstr(said, "does not build"), "%s", said);
    free(said);
    return points;
}
static void attempt(const char *name, const char *how, const char *text) {
    const int points = points_of(text);
    attempts++, built += points >= 0;
    if (points <= (int)most) return;
    most = (unsigned)points;
    snprintf(best, sizeof best, "%s, %s: %d points", name, how, points);
}
/* Renames the kernels of the text to those of the lab, in order. */
static char *renamed(const char *text) {
    char *out = NULL;
    size_t size;
    FILE *f = open_memstream(&out, &size);
    unsigned k = 0;
    for (const char *s = text; (s = strstr(s, "__global__ void ")); s++) {
        char name[64] = "";
        sscanf(s + 16, "%63[A-Za-z0-9_]", name);
        while (k && k < lab->kernel_count && !strcmp(lab->kernels[k].name, lab->kernels[k - 1].name)) k++;
        if (k < lab->kernel_count && name[0]) fprintf(f, "#define %s %s\n", name, lab->kernels[k++].name);
    }
    if (!strstr(text, "reduce.h")) fputs("#include \"reduce.h\"\n", f);
    fputs(text, f);
    fclose(f);
    return out;
}
/* Returns the skeleton with `text` in place of each TODO. */
static char *filled(const char *skeleton, const char *text) {
    char *out = NULL;
    size_t size;
    FILE *f = open_memstream(&out, &size);
    for (const char *s = skeleton; *s;) {
        const size_t n = strcspn(s, "\n"), whole = n + (s[n] == '\n');
        if (memmem(s, n, "// TODO", 7))
            fprintf(f, "%s\n", text);
        else
            fwrite(s, 1, whole, f);
        s += whole;
    }
    fclose(f);
    return out;
}
/* Inserts the text between the skeleton's definitions, which the text may use, and its first kernel. Returns NULL if
 * the skeleton has no kernel. */
static char *behind(const char *skeleton, const char *text) {
    const char *kernel = strstr(skeleton, "__global__ void");
    const size_t length = kernel ? (size_t)(kernel - skeleton) : 0;
    char *out = NULL;
    if (!memchr(skeleton, '{', length)) return NULL;
    ck_assert(asprintf(&out, "%.*s%s", (int)length, skeleton, text) > 0);
    for (char *again = out + length; (again = strstr(again, "#include \"reduce.h\""));) memcpy(again, "//", 2);
    return out;
}
/* ---- assembling ------------------------------------------------------------------------------- */
/* A function of a CUDA file, including the line of its closing brace. */
struct part {
    const char *begin, *name;
    size_t length, name_length;
    bool kernel, has_todo;
};
static bool next_part(const char *s, struct part *out) {
    for (; *s; s += strcspn(s, "\n"), s += *s == '\n') {
        const char *line_end = s + strcspn(s, "\n"), *end = strstr(s, "\n}\n"), *open = s + strcspn(s, "(\n");
        const bool kernel = !strncmp(s, "__global__ ", 11);
        if ((!kernel && strncmp(s, "static ", 7) != 0) || line_end[-1] != '{' || !end || *open != '(') continue;
        *out = (struct part){.begin = s, .name = open, .length = (size_t)(end + 3 - s), .kernel = kernel};
        while (isalnum((unsigned char)out->name[-1]) || out->name[-1] == '_') out->name--;
        out->name_length = (size_t)(open - out->name);
        out->has_todo = memmem(s, out->length, "// TODO", 7) != NULL;
        return true;
    }
    return false;
}
/* Finds the function of the same name in the text. Returns false if the text has none, or if the function has a TODO.
 */
static bool same_part(const char *text, const struct part *wanted, struct part *out) {
    for (const char *s = text; next_part(s, out); s = out->begin + out->length)
        if (out->name_length == wanted->name_length && !memcmp(out->name, wanted->name, wanted->name_length))
            return !out->has_todo;
    return false;
}
/* Writes the kernel up to its first TODO, followed by the statements of `from` after its first call of
 * block_reduce(). */
static void write_with_end_of(const struct part *kernel, const struct part *from, FILE *f) {
    const char *todo = memmem(kernel->begin, kernel->length, "// TODO", 7);
    const char *call = memmem(from->begin, from->length, "block_reduce(", 13), *end = from->begin + from->length;
    fwrite(kernel->begin, 1, (size_t)(todo - kernel->begin), f);
    if (call) call += strcspn(call, "\n");
    call ? (void)fwrite(call, 1, (size_t)(end - call), f) : (void)fputs("\n}\n", f);
}
/* Returns the skeleton, in which functions with a TODO are replaced by functions of the other file. */
static char *assembled(const char *skeleton, const char *other) {
    struct part p, found;
    char *out = NULL;
    size_t size;
    FILE *f = open_memstream(&out, &size);
    const char *s = skeleton;
    if (next_part(s, &p)) fwrite(s, 1, (size_t)(p.begin - s), f), s = p.begin;
    for (const char *t = other; next_part(t, &p); t = p.begin + p.length)
        if (!p.kernel && !p.has_todo && !same_part(skeleton, &p, &found) &&
            !memmem(skeleton, strlen(skeleton), p.name, p.name_length + 1))
            fwrite(p.begin, 1, p.length, f);
    for (; next_part(s, &p); s = p.begin + p.length) {
        fwrite(s, 1, (size_t)(p.begin - s), f);
        if (!p.has_todo || !same_part(other, &p, &found))
            fwrite(p.begin, 1, p.length, f);
        else if (p.kernel)
            write_with_end_of(&p, &found, f);
        else
            fwrite(found.begin, 1, found.length, f);
    }
    fputs(s, f);
    fclose(f);
    return out;
}
/* Returns a copy of the text in which `loop` replaces the first TODO of each function that declares `sum`. */
static char *with_loop(const char *text, const char *loop) {
    char *out = NULL;
    size_t size;
    FILE *f = open_memstream(&out, &size);
    bool wanted = false;
    for (const char *s = text; *s;) {
        const size_t n = strcspn(s, "\n"), whole = n + (s[n] == '\n');
        wanted = (wanted || memmem(s, n, " sum = identity();", 18)) && *s != '}';
        if (wanted && memmem(s, n, "// TODO", 7))
            fprintf(f, "    { unsigned t = threadIdx.x; %s }\n", loop), wanted = false;
        else
            fwrite(s, 1, whole, f);
        s += whole;
    }
    fclose(f);
    return out;
}
/* Loops in the archive's CUDA files that combine elements on one line. */
enum { MAX_LOOPS = 20 };
static char *loops[MAX_LOOPS];
static unsigned loop_count;
static void find_loops(const char *text) {
    for (const char *s = text; (s = strstr(s, " for (unsigned i = ")); s++) {
        const size_t n = strcspn(s, "\n");
        bool known = !memmem(s, n, "combine(sum, in[i]);", 20) || loop_count == MAX_LOOPS;
        for (unsigned k = 0; k < loop_count; k++) known |= strlen(loops[k]) == n && !memcmp(loops[k], s, n);
        if (!known) loops[loop_count++] = strndup(s, n);
    }
}

/* If none of LAB, HANDOUT and SITE is set, a commit tests one of two labs: `without` (texts are pasted into it) or
 * `joined` (it is completed from other files). */
static const char without[] = "lab3", joined[] = "lab7";
static bool is_the_only(const char *id, const struct lab *l) {
    const char *only = getenv("LAB");
    if (only) return !strcmp(only, l->id);
    return getenv("HANDOUT") || getenv("SITE") || (!strcmp(id, l->id) && in_turn(id == joined, 2));
}
static bool is_wanted(const struct lab *l) { return is_the_only(without, l); }
static bool takes_all(void) { return getenv("HANDOUT") || getenv("SITE") || getenv("LAB"); }
START_TEST(pasted_texts_get_few_points) {
    char path[600];
    lab = lab_rows[_i];
    if (!is_wanted(lab)) return;
    attempts = built = with_nvcc = most = 0;
    snprintf(path, sizeof path, "%s/labs/%s_%s/reduce.cu", kit, lab->id, lab->name);
    char *skeleton = read_file(path), *include;
    const unsigned every = takes_all() ? 1 : SAMPLE;
    for (unsigned k = 0; k < text_count; k += every) {
        const size_t n = strlen(texts[k].name);
        char *as_lab = renamed(texts[k].text), *in_skeleton = filled(skeleton, texts[k].text),
             *with_its_own = behind(skeleton, as_lab);
        attempt(texts[k].name, "pasted", as_lab);
        if (with_its_own) attempt(texts[k].name, "behind the skeleton's definitions", with_its_own);
        if (n > 3 && !strcmp(texts[k].name + n - 3, ".md")) attempt(texts[k].name, "for each TODO", in_skeleton);
        free(as_lab), free(in_skeleton), free(with_its_own);
    }
    ck_assert(asprintf(&include, "#include \"%s/solutions/%s_%s/reduce.cu\"\n", kit, lab->id, lab->name) > 0);
    attempt("solutions/", "included", include);
    free(include), free(skeleton);
    printf("%s: %u attempts, %u of them build, %u with nvcc, at most %u points\n", lab->id, attempts, built, with_nvcc,
           most);
    ck_assert_uint_gt(attempts, 20 / every);
    /* the test proves nothing if fewer attempts compile */
    ck_assert_uint_gt(built, getenv("SITE") ? 0 : every == 1 ? 9 : 0);
    ck_assert_msg(most <= MAX, "%s: %s", lab->id, best);
}
END_TEST
/* Returns whether the text has a kernel with the name and parameters of the skeleton's first kernel. */
static bool has_kernel(const char *text, const char *skeleton) {
    const char *kernel = strstr(skeleton, "__global__ void ");
    return kernel && memmem(text, strlen(text), kernel, strcspn(kernel, "\n"));
}
static void assemble(const char *skeleton) {
    unsigned tried = 0;
    attempts = built = with_nvcc = most = 0;
    for (unsigned k = 0; k < text_count; k++) {
        const size_t n = strlen(texts[k].name);
        if (strcmp(texts[k].name + n - 3, ".cu") != 0 || (tried++ % 4 && !takes_all())) continue;
        char *text = assembled(skeleton, texts[k].text);
        if (strcmp(text, skeleton) != 0) attempt(texts[k].name, "its functions in the skeleton", text);
        free(text);
        for (unsigned l = 0; l < (takes_all() ? loop_count : 1) && has_kernel(texts[k].text, skeleton); l++) {
            text = with_loop(texts[k].text, loops[l]);
            attempt(texts[k].name, loops[l], text);
            free(text);
        }
    }
}
START_TEST(assembled_texts_get_few_points) {
    char path[600];
    lab = lab_rows[_i];
    if (!is_the_only(joined, lab)) return;
    snprintf(path, sizeof path, "%s/labs/%s_%s/reduce.cu", kit, lab->id, lab->name);
    char *skeleton = read_file(path);
    assemble(skeleton);
    free(skeleton);
    printf("%s: %u texts assembled, %u of them build, at most %u points\n", lab->id, attempts, built, most);
    ck_assert_msg(most <= MAX, "%s: %s", lab->id, best);
}
END_TEST
/* The attempts must find a planted leak: the solution with a renamed kernel. */
START_TEST(planted_leaks_get_points) {
    char path[300];
    lab = lab_find("lab3");
    snprintf(path, sizeof path, "solutions/%s_%s/reduce.cu", lab->id, lab->name);
    char *solution = read_file(path), *text;
    ck_assert(asprintf(&text, "#define SOLUTION\n%s", solution) > 0);
    char *other = strstr(text, "__global__ void "), *as_lab;
    ck_assert(other != NULL);
    memcpy(other + 16, "ReducE", 6);
    as_lab = renamed(text);
    ck_assert_int_ge(points_of(as_lab), ENOUGH - 10); /* 10 points are for predictions */
    free(text), free(as_lab), free(solution);
}
END_TEST
START_TEST(no_file_holds_ptx) {
    ck_assert_uint_gt(files, 150);
    ck_assert_msg(!kernels_in_ptx, "%s", first_ptx);
    ck_assert(holds_ptx(".version 7.0\n.visible .entry _Z6reducePf(\n\t.param .u64 a\n)\n{\n\tret;\n}"));
    ck_assert(holds_ptx("x\n  .entry k(.param .u64 a) { ret; }") && !holds_ptx("  \".entry k(\"\n.entry, a word"));
}
END_TEST

static void make_kit(void) {
    free(shell(SHELL_ANY,
               "sh grader/release/handout.sh stage %s \"$GRADE\" && cp \"$GRADE\" %s/grade && mkdir %s/grader/figures",
               kit, kit, kit));
    for (unsigned k = 0; k < lab_row_count; k++)
        if (is_wanted(lab_rows[k]) || is_the_only(joined, lab_rows[k]))
            free(shell(SHELL_ANY, "\"$GRADE\" release figures %s %s", lab_rows[k]->id, kit));
    if (getenv("SITE")) free(shell(SHELL_ANY, "sh grader/site/site.sh sources %s/site", kit));
}
int main(void) {
    const char *given = getenv("HANDOUT");
    if (!getenv("GRADE") || access("solutions", R_OK))
        return printf("SKIP check_giveaway: no solutions in this tree, or no GRADE\n"), 0;
    char why[400];
    has_nvrtc = compiler_find("nvrtc", why, sizeof why) != NULL;
    if (!mkdtemp(folder)) return perror(folder), 1;
    snprintf(kit, sizeof kit, "%s/kit", folder);
    free(shell(SHELL_ANY, "mkdir %s/try", folder));
    if (given)
        snprintf(kit, sizeof kit, "%s", given);
    else
        make_kit();
    nftw(kit, look_into, 16, FTW_PHYS);
    for (unsigned k = 0; k < text_count; k++) find_loops(texts[k].text);
    Suite *suite = suite_create("giveaway");
    TCase *tcase = tcase_create("pasted");
    tcase_set_timeout(tcase, 900);
    tcase_add_test(tcase, no_file_holds_ptx);
    if (is_wanted(lab_find("lab3"))) tcase_add_test(tcase, planted_leaks_get_points);
    tcase_add_loop_test(tcase, pasted_texts_get_few_points, 0, (int)lab_row_count);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("assembled");
    tcase_set_timeout(tcase, 900);
    tcase_add_loop_test(tcase, assembled_texts_get_few_points, 0, (int)lab_row_count);
    suite_add_tcase(suite, tcase);
    const int failed = suite_failures(suite);
    free(shell(SHELL_ANY, "rm -rf %s", folder));
    for (unsigned k = 0; k < text_count; k++) free(texts[k].name), free(texts[k].text);
    for (unsigned k = 0; k < loop_count; k++) free(loops[k]);
    return failed != 0;
}
