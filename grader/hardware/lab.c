/* `./grade LAB --hardware`: the first launch of one case under NVIDIA's tools, as a launch of `./grade run`. */
#include "hardware/hardware.h"
#include "judge/judge.h"
#include "record/status.h"
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 1 << 16, BLOCK = 256, GRID = 16, MOST_ARGUMENT = 128 };

/* A case that was named, or the first kernel on a few blocks. */
static struct grade_case choose(const struct judge_options *j) {
    const struct lab_kernel *k = j->lab->kernels;
    struct grade_case c = {.kernel = k,
                           .variant = variant_at((unsigned)__builtin_ctz(j->lab->variants)),
                           .n = j->only_size == UINT32_MAX ? ELEMENTS : j->only_size,
                           .block = k->only_block   ? k->only_block
                                    : j->only_block ? j->only_block
                                                    : BLOCK,
                           .grid = !k->grid_stride ? 0
                                   : j->only_grid  ? j->only_grid
                                                   : GRID};
    if (j->only_case) case_parse(j->lab, j->only_case, &c);
    c.seed = j->seed;
    return c;
}

/* ---- its arguments -------------------------------------------------------------------------- */
struct launch {
    const struct grade_case *c;
    const char *folder;
    struct run_options options;
    char text[RUN_MOST_ARGUMENTS][MOST_ARGUMENT];
    const char *type; /* of words that make up an element, and how many do */
    uint32_t words;
};
static char *next_argument(struct launch *l) {
    const unsigned k = l->options.arguments++;
    l->options.argument[k] = l->text[k];
    return l->text[k];
}
static void scalar(struct launch *l, uint32_t n) { snprintf(next_argument(l), MOST_ARGUMENT, "u32:%u", n); }
static void output(struct launch *l, uint32_t values) {
    snprintf(next_argument(l), MOST_ARGUMENT, "%s[%u]:out", l->type, values * l->words);
}
/* A buffer that holds `values` elements of data, handed over in a file; behind `lead` elements for the case's start. */
static bool input(struct launch *l, const char *name, const void *data, uint32_t values, uint32_t lead, bool writable) {
    const size_t size = variant_size(l->c->variant);
    const union value before = case_lead(l->c);
    char path[100], shift[24] = "";
    snprintf(path, sizeof path, "%s/%s", l->folder, name);
    FILE *f = fopen(path, "w");
    bool ok = f != NULL;
    for (uint32_t k = 0; ok && k < lead; k++) ok = fwrite(&before, size, 1, f) == 1;
    if (ok) ok = fwrite(data, size, values, f) == values;
    if (f && fclose(f)) ok = false;
    if (lead) snprintf(shift, sizeof shift, "+%zu", lead * size);
    snprintf(next_argument(l), MOST_ARGUMENT, "%s%s[%u]%s:@%s", writable ? "" : "const ", l->type,
             (values + lead) * l->words, shift, path);
    return ok;
}
/* The pointers of the lab's launch plans (judge/run.c), and how many blocks it begins with. */
static bool arguments(struct launch *l, const void *data) {
    const struct grade_case *c = l->c;
    const struct lab_kernel *k = c->kernel;
    const size_t size = variant_size(c->variant);
    const uint32_t each = k->elements * c->block;
    const union value identity = reference_identity(c->variant);
    uint32_t blocks = k->grid_stride ? c->grid : k->one_block || c->n <= each ? 1 : (c->n + each - 1) / each;
    bool ok = true;
    if (k->finish == FINISH_LEVELS) { /* of stride 1 */
        const uint32_t pairs = c->n / 2;
        blocks = pairs ? (pairs + c->block - 1) / c->block : 1;
        ok = input(l, "in.bin", data, c->n, 0, true);
        scalar(l, c->n), scalar(l, 1);
    } else {
        void *first = calloc(c->n + 1, size), *second = calloc(c->n + 1, size);
        ok = first && second;
        if (ok && k->second) case_factors(c, data, first, second);
        ok = ok && input(l, "in.bin", k->second ? first : data, c->n, c->offset, k->in_place);
        if (k->second) ok = ok && input(l, "second.bin", second, c->n, c->offset, k->in_place);
        if (k->scratch) output(l, blocks);
        if (k->finish == FINISH_ATOMIC)
            ok = ok && input(l, "out.bin", &identity, 1, 0, true);
        else
            output(l, k->finish == FINISH_ITSELF ? 1 : blocks);
        scalar(l, c->n);
        free(first);
        free(second);
    }
    l->options.grid[0] = blocks;
    return ok;
}
static void types(struct launch *l) {
    static const char *const names[] = {"i32", "u32", "i64", "f32", "f64"};
    const struct variant v = l->c->variant;
    const bool scalar_value = v.op < REDUCE_OP_AFFINE;
    l->type = scalar_value ? names[v.type] : "u32"; /* a struct is so many words */
    l->words = scalar_value ? 1 : (uint32_t)variant_size(v) / 4;
}

/* ---- the command ---------------------------------------------------------------------------- */
static int look(const struct judge_options *j, const struct grade_case *c, const struct compiled *text,
                const struct run_options *how, unsigned tools) {
    char folder[64], symbol[256], name[128], what[300];
    struct launch *l = calloc(1, sizeof *l);
    void *data = calloc(c->n + 1, variant_size(c->variant));
    const unsigned index = text->of_variant[variant_index(c->variant)];
    int status = EXIT_SETUP;
    if (!compiled_symbol(text->ptx[index], c->variant, c->kernel->name, symbol, sizeof symbol))
        fprintf(stderr, "grade: %s has no kernel `%s`\n", j->shown, c->kernel->name), status = EXIT_BUILD;
    else if (!l || !data || !hardware_folder(folder))
        fprintf(stderr, "grade: no memory, or no folder in /tmp\n");
    else {
        *l = (struct launch){.c = c, .folder = folder, .options = *how};
        case_data(c, data);
        types(l);
        l->options.kernel = symbol;
        l->options.shared = case_shared_bytes(c);
        l->options.block[0] = c->block;
        snprintf(what, sizeof what, "%s %s: the first launch", j->lab->id, case_name(c, name, sizeof name));
        if (arguments(l, data))
            status = hardware_report(&(struct hardware_job){.options = &l->options,
                                                            .shown = j->shown,
                                                            .what = what,
                                                            .ptx = text->ptx[index],
                                                            .length = text->length[index],
                                                            .tools = tools},
                                     folder);
        else
            fprintf(stderr, "grade: %s: the case's data cannot be written\n", folder);
        hardware_remove(folder);
    }
    free(data);
    free(l);
    return status;
}
int hardware_lab(const struct judge_options *j, const char *names, const char *json, bool colour) {
    const unsigned tools = hardware_tools(names);
    const struct grade_case c = choose(j);
    const struct compile_request r = {.source = j->submission,
                                      .shown = j->shown,
                                      .root = j->root,
                                      .cache = j->cache,
                                      .variants = j->lab->variants,
                                      .solution = j->solution,
                                      .sandbox = j->sandbox};
    const struct run_options how = {
        .grid = {1, 1, 1}, .block = {1, 1, 1}, .budget = UINT64_C(1) << 28, .json = json, .no_color = !colour};
    if (!tools) {
        fprintf(stderr, "grade: no tool `%s`: result, ncu, memcheck, racecheck, synccheck, initcheck\n", names);
        return EXIT_USAGE;
    }
    struct compiled text = compile(j->compiler, &r);
    int status = text.status == COMPILE_SUBMISSION ? EXIT_BUILD : EXIT_SETUP;
    if (text.status != COMPILE_OK)
        fprintf(stderr, "%s", text.log ? text.log : "");
    else
        status = look(j, &c, &text, &how, tools);
    compiled_free(&text);
    return status;
}
