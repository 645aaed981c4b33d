/* `./grade LAB --hardware`: converts the first launch of a case to a launch of `./grade run`, and runs it under
 * NVIDIA's tools. */
#include "base/arena.h"
#include "base/file.h"
#include "base/narrow.h"
#include "hardware/hardware.h"
#include "judge/case_large.h"
#include "judge/case_plan.h"
#include "judge/special.h"
#include "judge/values.h"
#include "record/status.h"
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 1 << 16, BLOCK = 256, GRID = 16, MAX_ARGUMENT = 128 };

/* Returns the case that the user named or, if there is none, a case of the lab's first kernel with the user's size,
 * block and grid. Their defaults give few blocks. */
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
/* Adds the elements of a case that are not drawn from its seed and name: those of --values, and special values that are
 * derived from the kernel's PTX. Returns false on failure. The caller frees *values and `drawn`. */
static bool complete(const struct judge_options *o, const struct compiled *text, struct grade_case *c,
                     struct arena *drawn, void **values) {
    char message[200];
    uint32_t count;
    struct judge j = {.options = o, .lab = o->lab, .student.text = *text, .drawn = drawn};
    if (o->values && o->only_case)
        c->values = *values = values_parse(c->variant, o->values, &count, message, sizeof message);
    if (!c->special || c->values) return true;
    const bool ok = program_find_symbols(&j, &j.student) && special_complete(&j, c);
    j.student.text = (struct compiled){.count = 0}; /* the caller owns the text */
    program_free(&j, &j.student);
    return ok;
}

/* ---- the launch ----------------------------------------------------------------------------- */
struct launch {
    const struct grade_case *c;
    const char *folder;
    struct plan plan;
    struct case_arrays arrays;
    const void *const *inputs;
    struct run_options options;
    char text[RUN_MAX_ARGUMENTS][MAX_ARGUMENT];
    const char *type; /* type of a word, and number of words per element */
    uint32_t words;
};
/* Writes `count` elements from `data`, or `count` copies of `value` if `data` is NULL. Converts floats to halves for
 * a buffer of halves. */
static bool write_elements(FILE *f, const struct plan_buffer *b, const void *data, const uint8_t *value,
                           uint64_t count) {
    bool ok = !data || b->halves || fwrite(data, b->element, count, f) == count;
    for (uint64_t k = 0; ok && data && b->halves && k < count; k++) {
        const uint16_t half = narrowed_f16((double)((const float *)data)[k]);
        ok = fwrite(&half, sizeof half, 1, f) == 1;
    }
    for (uint64_t k = 0; ok && !data && k < count; k++) ok = fwrite(value, b->element, 1, f) == 1;
    return ok;
}
/* Returns the type of a buffer's words: value_t, a half, or otherwise `unsigned`. */
static const char *type_of(const struct launch *l, const struct plan_buffer *b) {
    return b->halves ? "f16" : b->element == variant_size(l->c->variant) ? l->type : "u32";
}
static uint64_t buffer_words(const struct launch *l, const struct plan_buffer *b) {
    return b->element == variant_size(l->c->variant) ? l->words : 1;
}
/* Writes the period as often as it fits, followed by the separate last elements (PLAN_PERIOD). */
static bool write_periods(FILE *f, const struct plan_buffer *b, const char *data) {
    bool ok = true;
    for (uint64_t k = 0; ok && k < b->length / b->period; k++) ok = write_elements(f, b, data, NULL, b->period);
    return ok && write_elements(f, b, data + (size_t)b->period * plan_given_size(b), NULL, b->length % b->period);
}
/* Writes a buffer's contents to a file, and describes it as an argument of `./grade run`. */
static bool filled_argument(struct launch *l, const struct plan_buffer *b, uint64_t shift, const char *path, char *to) {
    const void *data = plan_given(b) ? l->inputs[b->input] : NULL;
    char text[24] = "";
    FILE *f = fopen(path, "w");
    bool ok = f && write_elements(f, b, NULL, b->before, b->lead) &&
              (b->fill == PLAN_PERIOD ? write_periods(f, b, data) : write_elements(f, b, data, b->value, b->length));
    if (f && fclose(f)) ok = false;
    if (shift) snprintf(text, sizeof text, "+%llu", (unsigned long long)shift);
    snprintf(to, MAX_ARGUMENT, "%s%s[%llu]%s:@%s", b->read_only ? "const " : "", type_of(l, b),
             (unsigned long long)((b->length + b->lead) * buffer_words(l, b)), text, path);
    return ok;
}
static bool argument(struct launch *l, const struct plan_argument *a) {
    char *to = l->text[l->options.arguments], path[100];
    uint32_t n = 0;
    l->options.argument[l->options.arguments++] = to;
    if (a->buffer == PLAN_NO_BUFFER) {
        memcpy(&n, l->plan.bytes + a->offset, sizeof n);
        return snprintf(to, MAX_ARGUMENT, "u32:%u", n) > 0;
    }
    const struct plan_buffer *b = &l->plan.buffer[a->buffer];
    snprintf(path, sizeof path, "%s/%u.bin", l->folder, a->buffer);
    if (b->fill != PLAN_UNWRITTEN) return filled_argument(l, b, plan_lead_bytes(b) + a->offset, path, to);
    return snprintf(to, MAX_ARGUMENT, "%s[%llu]:out", type_of(l, b),
                    (unsigned long long)(b->length * buffer_words(l, b))) > 0;
}
/* Converts the first launch of the case's plan to options of `./grade run`. */
static bool first_launch(struct launch *l, const char *symbol) {
    const char *symbols[LAB_STEPS];
    for (unsigned k = 0; k < LAB_STEPS; k++) symbols[k] = symbol; /* only the first launch's symbol is used */
    plan_of_case(&l->plan, l->c, symbols, 1);
    if (l->plan.failed || !l->plan.launches) return false;
    const struct plan_launch *first = &l->plan.launch[0];
    bool ok = true;
    for (uint32_t k = 0; k < first->arguments && k < RUN_MAX_ARGUMENTS; k++)
        ok = argument(l, &l->plan.argument[first->argument + k]) && ok;
    l->options.kernel = symbol, l->options.shared = first->dynamic_shared;
    memcpy(l->options.grid, first->grid, sizeof first->grid),
        memcpy(l->options.block, first->block, sizeof first->block);
    return ok;
}
static void types(struct launch *l) {
    static const char *const names[] = {"i32", "u32", "i64", "f32", "f64"};
    const struct variant v = l->c->variant;
    const bool scalar_value = v.op < REDUCE_OP_AFFINE;
    l->type = scalar_value ? names[v.type] : "u32"; /* the words of a struct are passed as u32 */
    l->words = scalar_value ? 1 : (uint32_t)variant_size(v) / 4;
}

/* ---- the command ---------------------------------------------------------------------------- */
static int report_launch(const struct judge_options *j, struct launch *l, const struct compiled *text, unsigned index,
                         unsigned tools) {
    char name[128], what[300];
    snprintf(what, sizeof what, "%s %s: the first launch", j->lab->id, case_name(l->c, name, sizeof name));
    return hardware_report(&(struct hardware_job){.options = &l->options,
                                                  .shown = j->shown,
                                                  .what = what,
                                                  .ptx = text->ptx[index],
                                                  .length = text->length[index],
                                                  .tools = tools},
                           l->folder);
}
static int look(const struct judge_options *j, const struct grade_case *c, const struct compiled *text,
                const struct run_options *how, unsigned tools) {
    char folder[FILE_TEMPORARY], symbol[256];
    const char *names[LAB_STEPS];
    const size_t size = variant_size(c->variant);
    const uint32_t given = case_given(c);
    struct launch *l = calloc(1, sizeof *l);
    void *data = calloc((size_t)given + 1, size), *first = calloc((size_t)given + 1, size),
         *second = calloc((size_t)given + 1, size);
    const unsigned index = text->of_variant[variant_index(c->variant)];
    int status = EXIT_SETUP;
    case_kernels(c->kernel, names);
    if (!compiled_symbol(text->ptx[index], c->variant, names[0], symbol, sizeof symbol))
        fprintf(stderr, "grade: %s has no kernel `%s`\n", j->shown, names[0]), status = EXIT_BUILD;
    else if (!l || !data || !first || !second || !file_temporary(folder))
        fprintf(stderr, "grade: out of memory, or cannot create a folder in /tmp\n");
    else {
        const bool arrays = c->kernel->finish == FINISH_ARRAYS;
        const void *const inputs[] = {c->kernel->second ? first : data, second};
        *l = (struct launch){.c = c, .folder = folder, .options = *how};
        l->inputs = arrays ? l->arrays.inputs : inputs;
        const bool drawn = !arrays || case_arrays_draw(&l->arrays, c);
        if (!arrays) case_draw(c, data, given);
        if (c->kernel->second) case_factors(c, given, data, first, second);
        types(l);
        if (drawn && first_launch(l, symbol))
            status = report_launch(j, l, text, index, tools);
        else
            fprintf(stderr, "grade: %s: the case launches nothing, or the command cannot write its data\n", folder);
        file_remove_folder(folder);
        plan_free(&l->plan);
        case_arrays_free(&l->arrays);
    }
    free(data), free(first), free(second);
    free(l);
    return status;
}
static int look_at_case(const struct judge_options *j, const struct compiled *text, const struct run_options *how,
                        unsigned tools) {
    enum { MAX_BYTES = 256 << 20 /* limit of a file argument of `./grade run` */ };
    struct grade_case c = choose(j);
    struct arena drawn = {NULL};
    void *values = NULL;
    char name[128];
    int status = EXIT_USAGE;
    case_name(&c, name, sizeof name);
    if (c.n > MAX_BYTES / variant_size(c.variant))
        fprintf(stderr, "grade: %s: --hardware takes cases of at most %d MiB: choose a smaller one with --size\n", name,
                MAX_BYTES >> 20);
    else if (!complete(j, text, &c, &drawn, &values))
        fprintf(stderr,
                "grade: %s: this case uses a constant that the kernel's PTX does not contain: name a case from a "
                "report on this file\n",
                name);
    else
        status = look(j, &c, text, how, tools);
    free(values);
    arena_free(&drawn);
    return status;
}
int hardware_lab(const struct judge_options *j, const char *names, const char *json, bool color) {
    const unsigned tools = hardware_tools(names);
    const struct compile_request r = {.source = j->submission,
                                      .shown = j->shown,
                                      .root = j->root,
                                      .cache = j->cache,
                                      .variants = j->lab->variants,
                                      .solution = j->solution,
                                      .sandbox = j->sandbox};
    const struct run_options how = {
        .grid = {1, 1, 1}, .block = {1, 1, 1}, .budget = UINT64_C(1) << 28, .json = json, .no_color = !color};
    if (!tools) {
        fprintf(stderr, "grade: no tool `%s`: the tools are result, ncu, memcheck, racecheck, synccheck, initcheck\n",
                names);
        return EXIT_USAGE;
    }
    struct compiled text = compile(j->compiler, &r);
    int status = text.status == COMPILE_SUBMISSION ? EXIT_BUILD : EXIT_SETUP;
    if (text.status != COMPILE_OK)
        fprintf(stderr, "%s", text.log ? text.log : "");
    else
        status = look_at_case(j, &text, &how, tools);
    compiled_free(&text);
    return status;
}
