/* See own.h. */
#include "judge/own.h"
#include "judge/judge.h"
#include "compile/source.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kernel { SIZE, ELEMENTS, PREFIXES, FOLD, EQUAL, PRINT, LAWS };
static const char *const kernel_names[OWN_KERNELS] = {
    [SIZE] = "own_size",   [ELEMENTS] = "own_elements", [PREFIXES] = "own_prefixes", [FOLD] = "own_fold",
    [EQUAL] = "own_equal", [PRINT] = "own_print",       [LAWS] = "own_laws"};
/* The definition in the student's file that each of the kit's kernels needs. */
static const char *const calls[OWN_KERNELS] = {
    [SIZE] = "value_t", [ELEMENTS] = "element", [PREFIXES] = "combine", [FOLD] = "combine",
    [EQUAL] = "same",   [PRINT] = "print",      [LAWS] = "combine"};
enum { MAX_SOURCE = 64 << 10, MAX_BUFFERS = 3, BLOCK = 256, TRIALS = 1024, POOL = 256, SIDES = 9 };

/* ---- the text of the file ---------------------------------------------------------------------- */
/* Returns a copy of the text, with spaces in place of comments; free() it. */
static char *without_comments(const char *text) {
    char *out = strdup(text);
    for (char *s = out; s && *s;) {
        const bool line = !strncmp(s, "//", 2), block = !strncmp(s, "/*", 2);
        const char *end = line ? strchr(s, '\n') : block ? strstr(s + 2, "*/") : s;
        if (line || block) {
            const size_t n = end ? (size_t)(end - s) + (block ? 2 : 0) : strlen(s);
            memset(s, ' ', n), s += n;
        } else
            s++;
    }
    return out;
}
static const char *find_word(const char *text, const char *word) {
    const size_t n = strlen(word);
    for (const char *s = text; (s = strstr(s, word)); s++) {
        const bool begins = s == text || !(isalnum((unsigned char)s[-1]) || s[-1] == '_');
        if (begins && !isalnum((unsigned char)s[n]) && s[n] != '_') return s;
    }
    return NULL;
}
/* Returns the number of the first line with the name outside comments, or 0. */
static unsigned line_of(const struct own *own, const char *name) {
    char *text = without_comments(own->text);
    const char *at = text ? find_word(text, name) : NULL;
    unsigned line = at != NULL;
    for (const char *c = text; c && c < at; c++) line += *c == '\n';
    free(text);
    return line;
}

/* ---- a launch of one of the kit's kernels ------------------------------------------------------ */
struct buffer {
    void *host;
    size_t bytes;
    bool out;
};
struct printed {
    char *text;
    size_t size;
};
static void one_line(const struct printed *p) {
    for (char *c = p->text; *c; c++) *c = isprint((unsigned char)*c) ? *c : *c == '\n' ? ' ' : '?';
}
static void plan_call(struct plan *p, const struct own *own, enum kernel kernel, uint32_t threads,
                      const struct buffer *buffers, unsigned count, const uint32_t numbers[2]) {
    for (unsigned k = 0; k < count; k++)
        plan_add_buffer(p, (struct plan_buffer){.name = "a buffer of the grader",
                                                .element = 1,
                                                .length = buffers[k].bytes,
                                                .fill = buffers[k].out ? PLAN_UNWRITTEN : PLAN_INPUT,
                                                .input = k,
                                                .read_only = !buffers[k].out});
    plan_add_launch(p, 0, own->symbol[kernel], (threads + BLOCK - 1) / BLOCK, threads < BLOCK ? 32 : BLOCK);
    for (unsigned k = 0; k < count; k++) plan_pass_address(p, k, 0);
    plan_pass_u32(p, numbers[0]), plan_pass_u32(p, numbers[1]);
    for (unsigned k = 0; k < count; k++)
        if (buffers[k].out) plan_add_read(p, k, 0, buffers[k].bytes, PLAN_ARRAY);
}
static void take_outputs(const struct plan *p, const char *outputs, const struct buffer *buffers) {
    for (unsigned k = 0; k < p->reads; k++)
        memcpy(buffers[p->read[k].buffer].host, outputs + plan_read_at(p, k), plan_read_bytes(p, k));
}
/* Launches a kernel with `threads` threads. On failure, returns false, and `why` says what the operator's code did
 * wrong. */
static bool call(const struct own *own, enum kernel kernel, uint32_t threads, const struct buffer *buffers,
                 unsigned count, const uint32_t numbers[2], struct printed *printed, char *why, size_t size) {
    struct plan p = {0};
    struct measurement m = {0};
    const void *inputs[MAX_BUFFERS];
    for (unsigned k = 0; k < count; k++) inputs[k] = buffers[k].host;
    plan_call(&p, own, kernel, threads, buffers, count, numbers);
    char *outputs = p.failed ? NULL : calloc(1, plan_read_at(&p, p.reads) + 1);
    struct device_run r = {.plan = &p,
                           .module = {own->module},
                           .options = {.budget = UINT64_C(1) << (kernel == PRINT ? 16 : 25)},
                           .inputs = inputs,
                           .what = MEASURE_MEMORY | MEASURE_BARRIERS,
                           .measured = &m,
                           .outputs = outputs,
                           .printed = printed ? printed->text : NULL,
                           .printed_room = printed ? printed->size : 0,
                           .status = DEVICE_SETUP,
                           .error = {"out of memory"}};
    if (outputs) own->sim->run(&r, 1);
    const bool ok = r.status == DEVICE_OK;
    if (ok) take_outputs(&p, outputs, buffers);
    if (ok && printed) one_line(printed);
    const struct finding *f = finding_first_error(&m.findings);
    if (!ok)
        snprintf(why, size, "%s:%u: in `%s`: %s", own->shown, line_of(own, calls[kernel]), calls[kernel],
                 f ? f->kind->title : r.error.message);
    measure_free(&m);
    free(outputs);
    plan_free(&p);
    return ok;
}

/* ---- the file --------------------------------------------------------------------------------- */
/* The names that the file must define, and how messages describe them. */
static const struct {
    const char *name, *how;
} wanted[] = {
    {"value_t", "the type of an element, such as `struct value_t { float re, im; };`"},
    {"combine", "`__device__ value_t combine(value_t a, value_t b)`"},
    {"identity", "`__device__ value_t identity()`"},
    {"element", "`__device__ value_t element(unsigned random)`, which returns an element for any 32 random bits"},
    {"same", "`__device__ bool same(value_t a, value_t b)`, which returns whether two results are equal"},
    {"print", "`__device__ void print(value_t x)`, with printf()"},
};
static bool is_whole(const struct own *own, char *message, size_t size) {
    char *text = without_comments(own->text);
    bool whole = text;
    for (size_t k = 0; whole && k < sizeof wanted / sizeof *wanted; k++) {
        whole = find_word(text, wanted[k].name);
        if (!whole)
            snprintf(message, size, "%s: `%s` is missing: add %s (docs/own-operator.md)\n", own->shown, wanted[k].name,
                     wanted[k].how);
    }
    free(text);
    return whole;
}
/* Reports that the kit's kernels do not compile with the file. The message is about the first required function that
 * the compiler mentions. If it mentions none, the message contains the compiler's output. */
static void does_not_fit(const struct own *own, const char *log, char *message, size_t size) {
    size_t best = strlen(log), row = 0;
    for (size_t k = 1; k < sizeof wanted / sizeof *wanted; k++) {
        const char *hit = find_word(log, wanted[k].name);
        if (hit && (size_t)(hit - log) < best) best = (size_t)(hit - log), row = k;
    }
    if (row)
        snprintf(message, size, "%s:%u: the grader's call does not compile: `%s` must be %s\n", own->shown,
                 line_of(own, wanted[row].name), wanted[row].name, wanted[row].how);
    else
        snprintf(message, size, "%s does not meet the grader's requirements (docs/own-operator.md):\n%s", own->shown,
                 log);
}
/* Returns whether the compiler reports an error in the file itself. */
static bool is_at_fault(const struct own *own, const char *log) {
    const size_t n = strlen(own->shown);
    for (const char *line = log; *line; line += strcspn(line, "\n"), line += *line == '\n')
        if (!strncmp(line, own->shown, n) && memmem(line + n, strcspn(line, "\n") - n, "error", 5)) return true;
    return false;
}
static enum compile_status build(struct own *own, const struct own_request *r, char *message, size_t size) {
    char kernels[4096];
    struct device_error e = {""};
    const struct variant v = {.op = REDUCE_OP_OWN};
    snprintf(kernels, sizeof kernels, "%s/common/own.cu", r->root);
    own->compiled = compile(r->compiler, &(struct compile_request){.source = kernels,
                                                                   .shown = "common/own.cu",
                                                                   .root = r->root,
                                                                   .cache = r->cache,
                                                                   .variants = 1u << OWN_VARIANT,
                                                                   .own = own->text,
                                                                   .own_shown = own->shown,
                                                                   .sandbox = r->sandbox});
    const char *log = own->compiled.log ? own->compiled.log : "";
    if (own->compiled.status == COMPILE_SUBMISSION && !is_at_fault(own, log))
        does_not_fit(own, log, message, size);
    else
        snprintf(message, size, "%s", log);
    if (own->compiled.status != COMPILE_OK) return own->compiled.status;
    const enum device_status s =
        r->sim->load(own->compiled.ptx[0], own->compiled.length[0], own->shown, &own->module, &e);
    if (s != DEVICE_OK)
        return snprintf(message, size, "%s: %s\n", own->shown, e.message),
               s == DEVICE_SUBMISSION ? COMPILE_SUBMISSION : COMPILE_SETUP;
    for (unsigned k = 0; k < OWN_KERNELS; k++)
        if (!compiled_symbol(own->compiled.ptx[0], v, kernel_names[k], own->symbol[k], sizeof own->symbol[k]))
            return snprintf(message, size, "common/own.cu has no kernel %s\n", kernel_names[k]), COMPILE_SETUP;
    return COMPILE_OK;
}

/* ---- the laws --------------------------------------------------------------------------------- */
/* The laws, numbered as in the kernel own_laws. Each row names the two sides of a law. If the operator violates the
 * law, they differ. */
enum own_law { SELF, ASSOCIATIVE, FIRST, LAST, COMMUTES, ALL_SAME, LAWS_COUNT };
static const struct {
    const char *what;
    unsigned values, side[2];
    const char *side_name[2];
} laws[LAWS_COUNT] = {
    [SELF] = {"same(a, a) is false", 1, {0, 0}, {NULL, NULL}},
    [FIRST] = {"identity() is not an identity: combine(identity(), a) differs from a",
               1,
               {3, 0},
               {"combine(identity(), a)", NULL}},
    [LAST] = {"identity() is not an identity: combine(a, identity()) differs from a",
              1,
              {4, 0},
              {"combine(a, identity())", NULL}},
    [ASSOCIATIVE] = {"combine is not associative: the grouping of operands matters",
                     3,
                     {5, 6},
                     {"combine(combine(a, b), c)", "combine(a, combine(b, c))"}},
    [COMMUTES] = {"combine is not commutative", 2, {7, 8}, {"combine(a, b)", "combine(b, a)"}},
};
/* Tests all laws with TRIALS triples of values. Bit `law` of broken[k] is set if triple k violates the law. `sides`
 * receives the values of triple `only` and the sides of all laws for it. */
static bool try_all(const struct own *own, uint32_t only, uint32_t broken[TRIALS], uint8_t *sides, char *why,
                    size_t size) {
    const struct buffer b[] = {{own->element, POOL * own->bytes, false},
                               {broken, TRIALS * sizeof *broken, true},
                               {sides, SIDES * own->bytes, true}};
    const uint32_t numbers[2] = {POOL, only};
    return call(own, LAWS, TRIALS, b, 3, numbers, NULL, why, size);
}
static void show(const struct own *own, enum own_law law, const uint8_t *sides, char *out, size_t size) {
    static const char *const names[] = {"a", "b", "c"};
    char text[100];
    size_t n = (size_t)snprintf(out, size, "%s; for", laws[law].what);
    for (unsigned k = 0; k < laws[law].values && n < size; k++)
        n += (size_t)snprintf(out + n, size - n, "%s %s = %s", k ? "," : "", names[k],
                              own_print(own, sides + k * own->bytes, text, sizeof text));
    for (unsigned k = 0; k < 2 && laws[law].side_name[k] && n < size; k++)
        n += (size_t)snprintf(out + n, size - n, "%s %s is %s", k ? ", but" : ":", laws[law].side_name[k],
                              own_print(own, sides + laws[law].side[k] * own->bytes, text, sizeof text));
}
static bool judge_laws(struct own *own, char *why, size_t size) {
    uint32_t broken[TRIALS], alike = 0;
    uint8_t sides[SIDES * OWN_BYTES];
    if (!try_all(own, 0, broken, sides, why, size)) return false;
    for (unsigned k = 0; k < TRIALS; k++) alike += !(broken[k] >> ALL_SAME & 1);
    own->commutes = true;
    for (enum own_law law = SELF; law <= COMMUTES; law++) {
        uint32_t k = 0;
        while (k < TRIALS && !(broken[k] >> law & 1)) k++;
        if (k == TRIALS) continue;
        if (!try_all(own, k, broken, sides, why, size)) return false;
        if (law == COMMUTES)
            own->commutes = false, show(own, law, sides, own->swapped, sizeof own->swapped);
        else if (!own->broken[0])
            show(own, law, sides, own->broken, sizeof own->broken);
    }
    if (alike == TRIALS && !own->broken[0])
        snprintf(
            own->broken, sizeof own->broken,
            "same(a, b) is true for all %d pairs: either element() always returns the same value, or same() does not "
            "compare its arguments",
            TRIALS);
    return true;
}

/* Returns the offset of the first byte of an element that no member covers, or -1. Creating an element leaves the old
 * value in such a byte. A kernel that copies the byte could not be distinguished from one that forgets to write a
 * member, so the operator is rejected. */
static int gap_at(const struct own *own) {
    for (uint32_t at = 0; at < own->bytes; at++) {
        bool never = true;
        for (uint32_t k = 0; never && k < POOL; k++) never = own->element[k * own->bytes + at] == DEVICE_POISON;
        if (never) return (int)at;
    }
    return -1;
}

/* ---- operators ---------------------------------------------------------------------------------- */
const void *own_elements(const struct own *own, unsigned set) {
    return own->element + (size_t)(set % OWN_SETS) * OWN_ELEMENTS * own->bytes;
}
const void *own_total(const struct own *own, unsigned set, uint32_t n) {
    return own->prefix + ((size_t)(set % OWN_SETS) * (OWN_ELEMENTS + 1) + n) * own->bytes;
}
static bool add_up(struct own *own, unsigned set, char *why, size_t size) {
    const uint32_t numbers[2] = {OWN_ELEMENTS, 0};
    const struct buffer fold[] = {{(void *)own_elements(own, set), OWN_ELEMENTS * own->bytes, false},
                                  {(void *)own_total(own, set, 0), (OWN_ELEMENTS + 1) * own->bytes, true}};
    return call(own, PREFIXES, 1, fold, 2, numbers, NULL, why, size);
}
static bool prepare(struct own *own, uint64_t seed, char *why, size_t size) {
    const uint32_t all = OWN_SETS * OWN_ELEMENTS, numbers[2] = {all, (uint32_t)(seed ^ seed >> 32)};
    const struct buffer bytes = {&own->bytes, sizeof own->bytes, true};
    if (!call(own, SIZE, 1, &bytes, 1, numbers, NULL, why, size)) return false;
    if (own->bytes % 4 || own->bytes > OWN_BYTES) {
        snprintf(why, size, "%s: value_t is %u bytes, but its size must be a multiple of 4 and at most %d", own->shown,
                 own->bytes, OWN_BYTES);
        return false;
    }
    own->element = calloc(all, own->bytes), own->prefix = calloc(all + OWN_SETS, own->bytes);
    if (!own->element || !own->prefix) return snprintf(why, size, "%s: out of memory", own->shown), false;
    const struct buffer made = {own->element, all * own->bytes, true};
    if (!call(own, ELEMENTS, all, &made, 1, numbers, NULL, why, size)) return false;
    if (gap_at(own) >= 0) {
        snprintf(why, size,
                 "%s: value_t has a gap: no member covers the byte at offset %d of its %u bytes; put the widest "
                 "members first, or make one member wider",
                 own->shown, gap_at(own), own->bytes);
        return false;
    }
    for (unsigned set = 0; set < OWN_SETS; set++)
        if (!add_up(own, set, why, size)) return false;
    return judge_laws(own, why, size);
}
enum compile_status own_open(struct own *own, const struct own_request *r, char *message, size_t size) {
    char why[600] = "";
    *own = (struct own){.shown = r->shown, .sim = r->sim};
    own->text = source_read(r->path, MAX_SOURCE, why, sizeof why);
    if (!own->text) return snprintf(message, size, "%s %s\n", r->shown, why), COMPILE_SUBMISSION;
    if (!is_whole(own, message, size)) return COMPILE_SUBMISSION;
    const enum compile_status s = build(own, r, message, size);
    if (s != COMPILE_OK) return s;
    if (prepare(own, r->seed, why, sizeof why)) return COMPILE_OK;
    snprintf(message, size, "%s\n", why);
    return COMPILE_SUBMISSION;
}
void own_renew(struct own *own) {
    struct device_error e;
    if (own->module) own->sim->unload(own->module);
    own->module = NULL;
    own->sim->load(own->compiled.ptx[0], own->compiled.length[0], own->shown, &own->module,
                   &e); /* opening the worker reports errors */
}
void own_close(struct own *own) {
    if (own->module) own->sim->unload(own->module);
    compiled_free(&own->compiled);
    free(own->text), free(own->element), free(own->prefix);
    *own = (struct own){0};
}

bool own_same(const struct own *own, const void *a, const void *b, bool *same, char *why, size_t size) {
    uint32_t yes = 0;
    const struct buffer buffers[] = {
        {(void *)a, own->bytes, false}, {(void *)b, own->bytes, false}, {&yes, sizeof yes, true}};
    const uint32_t none[2] = {0};
    const bool ok = call(own, EQUAL, 1, buffers, 3, none, NULL, why, size);
    *same = yes;
    return ok;
}
bool own_fold(const struct own *own, const void *in, uint32_t n, void *to, char *why, size_t size) {
    const struct buffer buffers[] = {{(void *)in, n * own->bytes, false}, {to, own->bytes, true}};
    const uint32_t numbers[2] = {n, 0};
    return call(own, FOLD, 1, buffers, 2, numbers, NULL, why, size);
}
char *own_print(const struct own *own, const void *x, char *out, size_t size) {
    struct printed printed = {.text = out, .size = size};
    const struct buffer value = {(void *)x, own->bytes, false};
    const uint32_t none[2] = {0};
    char why[200];
    out[0] = 0;
    if (!call(own, PRINT, 1, &value, 1, none, &printed, why, sizeof why)) snprintf(out, size, "(print() failed)");
    return out;
}

/* ---- the lab with an operator ------------------------------------------------------------------- */
static void judge_operator(struct judge *j, json_t *result) {
    const struct own *own = j->own;
    if (own->broken[0])
        result_fail(result, "%s: %s", own->shown, own->broken);
    else if (!own->commutes && j->lab->own != OWN_IN_ORDER)
        result_fail(result, "%s: %s, but this lab reorders operands; labs 1 and 8 do not", own->shown, own->swapped);
    else
        result_pass(
            result,
            "value_t is %u bytes long; combine() is associative and %s; identity() changes nothing: tested on %d "
            "triples of values",
            own->bytes, own->commutes ? "commutes" : "does not commute", TRIALS);
}
static const struct check_kind check_operator[1] = {{.run = judge_operator, .gate = true}};
static const struct lab_check checks[] = {
    {"operator", "the operator obeys the laws of a reduction", 10, NULL, check_operator},
    {"results", "correct for every n: equal to the left-to-right result", 50, "operator", check_any_n},
    {"findings", "no race, no barrier fault, no invalid or uninitialized access", 25, "results", check_findings,
     .explains = true},
    {"steps", "no more divergent steps than the reference", 15, "findings", check_steps},
};
struct lab own_lab(const struct lab *lab) {
    struct lab own = *lab;
    own.variants = 1u << OWN_VARIANT;
    own.checks = checks, own.check_count = sizeof checks / sizeof *checks;
    own.predictions = NULL;
    /* the lab's last kernels may need an atomic, which exists only for built-in operators */
    while (!case_kernel_takes(&own, &own.kernels[own.kernel_count - 1], variant_at(OWN_VARIANT))) own.kernel_count--;
    return own;
}
