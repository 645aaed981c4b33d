/* See compile.h. */
#include "compile/compile.h"
#include "base/clock.h"
#include "base/cores.h"
#include "compile/compile_run.h"
#include "compile/source.h"
#include <ctype.h>
#include <pthread.h>
#include <string.h>

enum { MAX_SOURCE = 1 << 20, MAX_SECONDS = 300 /* wall-clock limit */ };

/* ---- text ----------------------------------------------------------------------------------- */
static char *read_submission(const struct compile_request *r, struct compiled *c) {
    char why[200];
    char *text = r->text ? strdup(r->text) : source_read(r->source, MAX_SOURCE, why, sizeof why);
    const unsigned line = text && !r->text ? source_renumbered(text) : 0;
    if (text && !line) return text;
    c->status = COMPILE_SUBMISSION;
    if (line)
        snprintf(why, sizeof why, "changes line numbers with a directive on line %u: remove that directive", line);
    if (asprintf(&c->log, "%s %s\n", r->shown, why) < 0) c->log = NULL;
    free(text);
    return NULL;
}

/* ---- the translation unit ------------------------------------------------------------------- */
/* Writes #include lines for all <...> headers that the source includes. These headers cannot be included inside a
 * namespace, so the translation unit includes them first. Because of their include guards, the source's own #include
 * lines then have no effect. */
static void hoist_includes(FILE *t, const char *source) {
    for (const char *line = source; *line;) {
        const size_t n = strcspn(line, "\n");
        const char *s = line;
        while (s < line + n && isblank((unsigned char)*s)) s++;
        if (*s == '#') {
            for (s++; s < line + n && isblank((unsigned char)*s); s++) continue;
            if (!strncmp(s, "include", 7)) {
                for (s += 7; s < line + n && isblank((unsigned char)*s); s++) continue;
                if (*s == '<') fwrite(line, 1, n, t), fputc('\n', t);
            }
        }
        line += n + (line[n] == '\n');
    }
}
char *compile_wrapper(const char *source_text, uint32_t variants) {
    struct text text = {0};
    FILE *t = open_text(&text);
    hoist_includes(t, source_text);
    fputs("#define REDUCE_OP 0\n#define REDUCE_TYPE 0\n", t); /* so that source_forget_macros() keeps them */
    source_note_macros(t, source_text);
    for (unsigned k = 0; k < VARIANT_COUNT; k++) {
        if (!(variants >> k & 1)) continue;
        const struct variant v = variant_at(k);
        fprintf(t, "#undef REDUCE_OP\n#undef REDUCE_TYPE\n#define REDUCE_OP %d\n#define REDUCE_TYPE %d\n", (int)v.op,
                (int)v.type);
        fprintf(t, "namespace %s {\n%s#include \"reduce.cu\"\n}\n", variant_name(v),
                variant_is_own(v) ? "#include \"" COMPILE_OWN "\"\n#include \"own.h\"\n" : "");
        source_forget_macros(t, source_text);
    }
    close_text(t);
    return text.data;
}

/* ---- newer instructions ---------------------------------------------------------------------- */
/* Replaces our explanation of the message at `hit` with `sentence`. */
static void explain(struct compiled *p, const char *hit, const char *sentence) {
    const char *note = strstr(hit, "\n  = "), *next = strstr(hit, ": error: ");
    char *log = NULL;
    const size_t old = note && (!next || note < next) ? strcspn(note + 1, "\n") + 1 : 0,
                 at = (size_t)((old ? note : hit + strcspn(hit, "\n")) - p->log);
    if (asprintf(&log, "%.*s\n  = %s%s", (int)at, p->log, sentence, p->log + at + old) < 0) return;
    free(p->log);
    p->log = log;
}
/* If the compiler does not declare a function for the given compute capability, tries higher capabilities in ascending
 * order. Explains the message with the first one that has the function. */
static void name_capability(const struct job *j, struct compiled *p) {
    static const unsigned later[] = {80, 86, 90};
    static const char before[] = "identifier \"";
    const char *hit = p->log ? strstr(p->log, "identifier \"__") : NULL;
    char message[80], sentence[300];
    const int name = hit ? (int)strcspn(hit + sizeof before - 1, "\"") : 0;
    if (!hit || strncmp(hit + sizeof before - 1 + name, "\" is undefined", 14) != 0) return;
    snprintf(message, sizeof message, "%.*s", name + (int)sizeof before, hit);
    for (unsigned k = 0; k < sizeof later / sizeof *later; k++) {
        if (later[k] <= j->compiler->arch) continue;
        const struct compiler compiler = compiler_for(j->compiler, later[k]);
        struct job again = *j;
        again.compiler = &compiler;
        struct product q = compile_run(&again, true);
        const bool declared =
            q.status == COMPILE_OK || (q.status == COMPILE_SUBMISSION && q.log && !strstr(q.log, message));
        free(q.ptx), free(q.log);
        if (!declared) continue;
        snprintf(
            sentence, sizeof sentence,
            "`%.*s` needs compute capability %u.%u, but the lab is compiled for %u.%u (the course can set `arch` in "
            "labs/course.conf; to try it, pass --arch %u)",
            name, hit + sizeof before - 1, later[k] / 10, later[k] % 10, j->compiler->arch / 10, j->compiler->arch % 10,
            later[k]);
        return explain(p, hit, sentence);
    }
}

/* ---- two halves ------------------------------------------------------------------------------ */
enum { HALVES = 2, FEW_VARIANTS = 6 /* for fewer variants, two compilers are no faster than one */ };
struct half {
    struct compile_request request;
    struct job job;
    bool compiles;
    struct product product;
};
/* Divides the variants into halves that take about the same time by assigning them alternately. Returns the number of
 * halves, which is 1 on a single core, for few variants, and for compilers that start slowly. Each half has a separate
 * compiler and later a separate worker. */
static unsigned halve(uint32_t variants, const struct compiler *c, uint32_t half[HALVES]) {
    half[0] = variants, half[1] = 0;
    if (!compiler_is_light(c) || __builtin_popcount(variants) < FEW_VARIANTS || cores_allowed() < HALVES) return 1;
    unsigned to = 0;
    for (unsigned k = half[0] = 0; k < VARIANT_COUNT; k++)
        if (variants >> k & 1) half[to] |= 1u << k, to ^= 1;
    return HALVES;
}
static void *compile_half(void *context) {
    struct half *h = context;
    h->product = compile_run(&h->job, h->compiles);
    return NULL;
}
/* Joins the messages of both halves. Most warnings are in both; only those that depend on a type differ. */
static char *join_logs(char *a, char *b) {
    char *both = NULL;
    if (!a || !b || strstr(a, b)) return free(b), a;
    if (strstr(b, a)) return free(a), b;
    if (asprintf(&both, "%s%s", a, b) < 0) both = NULL;
    return free(a), free(b), both;
}
/* Compiles all variants of the request. If `compiles` is false, only takes them from the cache. If one variant is
 * missing or fails, the result contains none. */
static void compile_halves(const struct job *j, bool compiles, struct compiled *out) {
    uint32_t variants[HALVES];
    struct half half[HALVES];
    pthread_t other;
    const unsigned count = halve(j->request->variants, j->compiler, variants);
    for (unsigned k = 0; k < count; k++) {
        half[k] = (struct half){.request = *j->request, .job = *j, .compiles = compiles};
        half[k].request.variants = variants[k], half[k].job.request = &half[k].request;
        half[k].job.unit = compile_wrapper(j->source, variants[k]);
        if (k) half[k].request.ahead = NULL;
    }
    const bool two = count == HALVES && !pthread_create(&other, NULL, compile_half, &half[1]);
    for (unsigned k = 0; k < (two ? 1 : count); k++) compile_half(&half[k]);
    if (two) pthread_join(other, NULL);
    out->status = COMPILE_OK, out->log = NULL;
    for (unsigned k = 0; k < count; k++) {
        struct product *p = &half[k].product;
        if (out->status == COMPILE_OK && p->status != COMPILE_OK)
            free(out->log), out->log = p->log, out->status = p->status, out->stopped = p->stopped;
        else if (out->status == COMPILE_OK && k)
            out->log = join_logs(out->log, p->log);
        else if (out->status == COMPILE_OK)
            out->log = p->log;
        else
            free(p->log);
        free((char *)(uintptr_t)half[k].job.unit);
    }
    for (unsigned k = 0; k < count; k++) {
        if (out->status != COMPILE_OK) {
            free(half[k].product.ptx);
            continue;
        }
        for (unsigned v = 0; v < VARIANT_COUNT; v++)
            if (variants[k] >> v & 1) out->of_variant[v] = out->count;
        out->ptx[out->count] = half[k].product.ptx, out->length[out->count++] = half[k].product.length;
    }
}

/* ---- the whole request ------------------------------------------------------------------------ */
/* Compiles every variant separately, to find the first one that fails or to get a PTX text for each. Compiles the first
 * variant alone, because most errors are in all variants. Then compiles two variants at a time. */
struct singles {
    struct job job;
    struct product product[VARIANT_COUNT];
    atomic_uint next;
    atomic_bool failed;
};
static void compile_one(struct singles *all, unsigned k) {
    struct job j = all->job;
    j.variant = variant_at(k);
    all->product[k] = compile_run(&j, true);
    if (all->product[k].status != COMPILE_OK) all->failed = true;
}
static void *compile_next(void *context) {
    struct singles *all = context;
    for (unsigned k; !all->failed && (k = atomic_fetch_add(&all->next, 1)) < VARIANT_COUNT;)
        if (all->job.request->variants >> k & 1) compile_one(all, k);
    return NULL;
}
static void compile_singly(struct job job, struct compiled *out) {
    const unsigned first = (unsigned)__builtin_ctz(job.request->variants);
    struct singles all = {.job = job, .next = first + 1};
    pthread_t other;
    all.job.unit = NULL;
    compile_one(&all, first);
    const bool two = !all.failed && !pthread_create(&other, NULL, compile_next, &all);
    compile_next(&all);
    if (two) pthread_join(other, NULL);
    free(out->log);
    out->log = NULL, out->status = COMPILE_OK;
    struct text said = {0};
    FILE *log = open_text(&said);
    for (unsigned k = 0; k < VARIANT_COUNT; k++) {
        struct product *p = &all.product[k];
        if (p->ptx) {
            fputs(p->log, log);
            out->ptx[out->count] = p->ptx, out->length[out->count] = p->length;
            out->of_variant[k] = out->count++;
        } else if (p->log && out->status == COMPILE_OK) {
            out->status = p->status, out->log = p->log, p->log = NULL;
            if (k != first) /* an error in the first variant is probably in all variants */
                snprintf(out->variant, sizeof out->variant, "%s", variant_words(variant_at(k)));
        }
        free(p->log);
    }
    close_text(log);
    if (out->status == COMPILE_OK)
        out->log = said.data;
    else
        free(said.data);
}
static struct compiled compile_by(const struct compiler *c, const struct compile_request *r, double deadline,
                                  atomic_uint *used) {
    struct compiled out = {.status = COMPILE_OK, .by = *c};
    out.source_text = read_submission(r, &out);
    if (!out.source_text) return out;
    char *source = source_to_compile(out.source_text), *unit = compile_wrapper(source, r->variants);
    struct compile_request few = *r;
    struct job job = {
        .compiler = c, .used = used, .request = &few, .source = source, .unit = unit, .deadline = deadline};
    if (r->once) {
        const struct product once = compile_run_once(&job);
        out.status = once.status, out.log = once.log;
        if (once.ptx) out.ptx[0] = once.ptx, out.length[0] = once.length, out.count = 1;
        free(unit), free(source);
        return out;
    }
    compile_halves(&job, !r->needed, &out);
    if (!out.count && r->needed) {
        free(unit), free(out.log);
        few.variants = r->needed;
        job.unit = unit = compile_wrapper(source, few.variants);
        compile_halves(&job, true, &out);
    }
    const bool stopped = out.stopped;
    if (out.status == COMPILE_SUBMISSION && !stopped && !r->own) compile_singly(job, &out);
    if (out.status == COMPILE_SUBMISSION && !stopped) name_capability(&job, &out);
    free(unit), free(source);
    return out;
}
/* Compiles the request. If a compiler fails without exceeding a limit, tries the next compiler, whose result is
 * final. */
struct compiled compile(const struct compiler *c, const struct compile_request *r) {
    const double deadline = clock_seconds() + MAX_SECONDS;
    atomic_uint used = 0;
    struct compiled out = compile_by(c, r, deadline, &used);
    if (out.status == COMPILE_OK || out.stopped || !out.source_text || r->once || !c->otherwise) return out;
    const struct compiler next = compiler_for(c->otherwise, c->arch);
    compiled_free(&out);
    return compile_by(&next, r, deadline, &used);
}
void compiled_free(struct compiled *c) {
    for (unsigned k = 0; k < c->count; k++) free(c->ptx[k]);
    free(c->source_text);
    free(c->log);
    *c = (struct compiled){0};
}

/* The PTX name of a kernel is either mangled according to the C++ ABI, as _ZN7sum_i326reduceE... or _Z6reduce..., or
 * plain (extern "C"). */
bool compiled_symbol(const char *ptx, struct variant v, const char *name, char *out, size_t size) {
    char prefixes[3][160];
    const char *space = variant_name(v);
    snprintf(prefixes[0], sizeof prefixes[0], "_ZN%zu%s%zu%sE", strlen(space), space, strlen(name), name);
    snprintf(prefixes[1], sizeof prefixes[1], "_Z%zu%s", strlen(name), name);
    snprintf(prefixes[2], sizeof prefixes[2], "%s", name);
    for (unsigned k = 0; k < 3; k++)
        for (const char *at = strstr(ptx, ".entry "); at; at = strstr(at + 1, ".entry ")) {
            const char *symbol = at + 7;
            const size_t n = strcspn(symbol, "( \t\n");
            const bool whole = k < 2 ? n >= strlen(prefixes[k]) : n == strlen(prefixes[k]);
            if (!whole || strncmp(symbol, prefixes[k], strlen(prefixes[k])) || n >= size) continue;
            memcpy(out, symbol, n);
            out[n] = 0;
            return true;
        }
    return false;
}
