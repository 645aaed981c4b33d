#include "model/gpus/gpu.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
#define GPU(id, full, capability) static const struct gpu id = {.name = #id, .title = full, .compute_capability = capability,
#define VALUE(constant, is, from, cited) .constant = is, .value[GPU_##constant] = {is, from, cited},
#define END(id) };
#include "model/gpus/gpus.def"
#undef GPU
#undef VALUE
#undef END

/* Every table has every constant; a duplicate value is also a compile error (-Woverride-init). */
#define GPU(id, full, capability) enum { values_of_##id = 0
#define VALUE(constant, is, from, cited) + 1
#define END(id) }; _Static_assert(values_of_##id == (int)GPU_CONSTANTS, "gpus.def: " #id " misses a constant");
#include "model/gpus/gpus.def"
#undef GPU
#undef VALUE
#undef END
/* clang-format on */

#define GPU(id, full, capability) &id,
#define VALUE(constant, is, from, cited)
#define END(id)
const struct gpu *const gpu_rows[] = {
#include "model/gpus/gpus.def"
};
#undef GPU
#undef VALUE
#undef END
const unsigned gpu_count = sizeof gpu_rows / sizeof *gpu_rows;

const struct gpu *gpu_find(const char *name) {
    for (unsigned k = 0; k < gpu_count; k++)
        if (!strcmp(gpu_rows[k]->name, name)) return gpu_rows[k];
    return NULL;
}
unsigned gpu_index(const struct gpu *gpu) {
    unsigned k = 0;
    while (k + 1 < gpu_count && gpu_rows[k] != gpu) k++;
    return k;
}
void gpu_list(FILE *out) {
    for (unsigned k = 0; k < gpu_count; k++)
        fprintf(out, "  %-10s %s, compute capability %s%s\n", gpu_rows[k]->name, gpu_rows[k]->title,
                gpu_rows[k]->compute_capability,
                gpu_rows[k] == gpu_default ? " (default; speed points depend on this one)" : "");
}

const struct gpu *gpu_argument(const char *word, int status) {
    const struct gpu *gpu = gpu_find(word);
    const bool help = !strcmp(word, "help");
    if (gpu) return gpu;
    if (!help) fprintf(stderr, "grade: the cost model has no GPU `%s`; it has:\n", word);
    gpu_list(help ? stdout : stderr);
    exit(help ? 0 : status);
}

/* ---- the document -------------------------------------------------------------------------------------------- */
static const struct {
    const char *name, *what, *unit;
} constants[] = {
#define CONSTANT(type, name, unit, what) {#name, what, unit},
#include "model/gpus/constants.def"
#undef CONSTANT
};
static const struct {
    const char *name, *what;
} bases[] = {
    [DATA_SHEET] = {"data sheet", "the vendor's figure"},
    [MEASURED] = {"measured", "by us, in isolation, with small kernels"},
    [FITTED] = {"fitted",
                "by us, to the times of all rows of the ladder and all solutions, close to what was measured"},
    [PUBLISHED] = {"published", "measured by others"},
    [DERIVED] = {"derived", "from other values of the same GPU"},
    [BORROWED] = {"borrowed", "unknown: the value of the default GPU"},
};
void gpu_document(FILE *out) {
    fputs("# The GPUs of the cost model\n\nMade by `make docs` from `grader/model/gpus/gpus.def`, the only source of "
          "these constants.\n[metrics.md](metrics.md#modeled-time-gradermodel) says what the model does with them. "
          "Points depend on the first GPU.\n\n| basis | meaning |\n|---|---|\n",
          out);
    for (unsigned k = 0; k < sizeof bases / sizeof *bases; k++)
        fprintf(out, "| %s | %s |\n", bases[k].name, bases[k].what);
    for (unsigned g = 0; g < gpu_count; g++) {
        fprintf(out,
                "\n## `--gpu %s`: %s, compute capability %s\n\n| constant | value | unit | what | basis | source "
                "|\n|---|--:|---|---|---|---|\n",
                gpu_rows[g]->name, gpu_rows[g]->title, gpu_rows[g]->compute_capability);
        for (unsigned k = 0; k < GPU_CONSTANTS; k++) {
            const struct gpu_value *v = &gpu_rows[g]->value[k];
            fprintf(out, "| `%s` | %.10g | %s | %s | %s | %s |\n", constants[k].name, v->value, constants[k].unit,
                    constants[k].what, bases[v->basis].name, v->source);
        }
    }
}
