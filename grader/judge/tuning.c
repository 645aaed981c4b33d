/* Reads a file's tuning choices: variables in its module that set the launch configuration. See judge.h. */
#include "judge/judge.h"
#include "model/gpus/gpu.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK, BLOCKS, CHOICES };
static const struct {
    const char *name;
    uint32_t least, most; /* range of the choice; most = 0: up to an SM's capacity */
    bool power_of_two;
} choices[CHOICES] = {[BLOCK] = {"block_size", 32, 1024, true}, [BLOCKS] = {"blocks_per_multiprocessor", 1, 0, false}};

/* Prints the symbol of a variable in the same namespaces as a kernel. For example, the kernel's symbol
 * "_ZN7sum_i326reduceEPKi..." gives the variable's symbol "_ZN7sum_i3210block_sizeE". Without namespaces, the symbol is
 * the variable's name. */
static void symbol_beside(const char *kernel_symbol, const char *kernel, const char *name, char *out, size_t size) {
    char own[160];
    snprintf(own, sizeof own, "%zu%sE", strlen(kernel), kernel);
    const char *at = strncmp(kernel_symbol, "_ZN", 3) ? NULL : strstr(kernel_symbol, own);
    if (at)
        snprintf(out, size, "%.*s%zu%sE", (int)(at - kernel_symbol), kernel_symbol, strlen(name), name);
    else
        snprintf(out, size, "%s", name);
}
/* Reads the variable's value. Returns false with a message if there is no such variable, if it is not 4 bytes long, or
 * if the device fails. */
static bool read_choice(const struct device *d, struct device_module *m, const char *symbol, const char *name,
                        uint32_t *value, char *message, size_t size) {
    struct device_error e;
    uint64_t bytes = 0;
    enum device_status s = d->variable(m, symbol, value, sizeof *value, &bytes, &e);
    if (s != DEVICE_OK) s = d->variable(m, name, value, sizeof *value, &bytes, &e);
    if (s == DEVICE_SETUP) return snprintf(message, size, "%s", e.message), false;
    if (s != DEVICE_OK)
        return snprintf(
                   message, size,
                   "the file has no variable `%s`: keep the line `__constant__ unsigned %s = ...;` of the skeleton",
                   name, name),
               false;
    if (bytes == sizeof *value) return true;
    return snprintf(message, size, "`%s` is %llu bytes long: declare it as `__constant__ unsigned`", name,
                    (unsigned long long)bytes),
           false;
}
static bool fits(unsigned choice, uint32_t value, char *message, size_t size) {
    const bool odd = choices[choice].power_of_two && value & (value - 1);
    const uint32_t most = choices[choice].most ? choices[choice].most : gpu_default->max_blocks;
    if (value >= choices[choice].least && value <= most && !odd) return true;
    return snprintf(message, size, "%s is %u: choose %s from %u to %u", choices[choice].name, value,
                    choices[choice].power_of_two ? "a power of two" : "a number", choices[choice].least, most),
           false;
}
bool tuning_beside(const struct device *d, struct device_module *module, const char *kernel_symbol, const char *kernel,
                   struct tuning *t, char *message, size_t size) {
    uint32_t value[CHOICES] = {0};
    bool ok = kernel_symbol && module;
    if (!ok) snprintf(message, size, "the file has no kernel `%s`", kernel);
    for (unsigned c = 0; ok && c < CHOICES; c++) {
        char symbol[400];
        symbol_beside(kernel_symbol, kernel, choices[c].name, symbol, sizeof symbol);
        ok = read_choice(d, module, symbol, choices[c].name, &value[c], message, size) &&
             fits(c, value[c], message, size);
    }
    if (ok && value[BLOCK] * value[BLOCKS] > gpu_default->max_threads)
        ok = false, snprintf(message, size, "%u blocks of %u threads are %u threads, but an SM holds only %u",
                             value[BLOCKS], value[BLOCK], value[BLOCKS] * value[BLOCK], gpu_default->max_threads);
    *t = (struct tuning){value[BLOCK], value[BLOCKS]};
    return ok;
}
bool tuning_read(const struct judge *j, const struct program *p, const struct lab_kernel *k, struct variant v,
                 struct tuning *t, char *message, size_t size) {
    const unsigned variant = variant_index(v);
    const char *symbol = p->symbol ? p->symbol[(unsigned)(k - j->lab->kernels) * VARIANT_COUNT + variant] : NULL;
    return tuning_beside(p->device, p->module[p->text.of_variant[variant]], symbol, k->name, t, message, size);
}
void tuning_launch(const struct tuning *t, struct variant v, uint32_t n, uint32_t multiprocessors, uint32_t *block,
                   uint32_t *grid) {
    const uint64_t threads = ((uint64_t)n * variant_size(v) + 15) / 16, blocks = (threads + t->block - 1) / t->block,
                   most = (uint64_t)t->blocks * multiprocessors;
    *grid = (uint32_t)(blocks < 1 ? 1 : blocks > most ? most : blocks);
    *block = *grid > 1 ? t->block : t->block > 4 * choices[BLOCK].least ? t->block / 4 : choices[BLOCK].least;
}

void judge_tuning(struct judge *j, json_t *result) {
    struct tuning t = {0};
    char message[400];
    result_skip(result, "this lab has no tuning choices");
    for (unsigned k = 0; k < j->lab->kernel_count; k++)
        for (unsigned v = 0; v < VARIANT_COUNT; v++) {
            const struct lab_kernel *kernel = &j->lab->kernels[k];
            if (!kernel->tuned || !case_kernel_takes(j->lab, kernel, variant_at(v))) continue;
            if (!tuning_read(j, &j->student, kernel, variant_at(v), &t, message, sizeof message)) {
                result_fail(result, "%s: %s", variant_words(variant_at(v)), message);
                return;
            }
            result_pass(result, "%u threads per block, %u block%s per SM", t.block, t.blocks, t.blocks == 1 ? "" : "s");
        }
}
