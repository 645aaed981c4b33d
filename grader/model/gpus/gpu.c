#include "model/gpus/gpu.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
#define GPU(id, full, capability) static const struct gpu id = {.name = #id, .title = full, .compute_capability = capability,
#define VALUE(constant, is, from, cited) .constant = is, .value[GPU_##constant] = {is, from, cited},
#define GPCS(...) .gpc = {__VA_ARGS__},
#define END(id) };
#include "model/gpus/gpus.def"
#undef GPU
#undef VALUE
#undef GPCS
#undef END

/* A table that lacks a constant does not compile, and neither does a duplicate value (-Woverride-init). */
#define GPU(id, full, capability) enum { values_of_##id = 0
#define VALUE(constant, is, from, cited) + 1
#define GPCS(...)
#define END(id) }; _Static_assert(values_of_##id == (int)GPU_CONSTANTS, "gpus.def: " #id " lacks a constant");
#include "model/gpus/gpus.def"
#undef GPU
#undef VALUE
#undef GPCS
#undef END
/* clang-format on */

#define GPU(id, full, capability) &id,
#define VALUE(constant, is, from, cited)
#define GPCS(...)
#define END(id)
const struct gpu *const gpu_rows[] = {
#include "model/gpus/gpus.def"
};
#undef GPU
#undef VALUE
#undef GPCS
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
/* Returns the number of clusters that are resident at once if an SM holds `each` of their blocks. */
static uint32_t resident_clusters(const uint8_t gpc[GPU_GPCS], uint32_t sms, uint32_t each, uint32_t cluster) {
    uint32_t clusters = 0;
    for (unsigned k = 0; k < GPU_GPCS && gpc[0]; k++)
        if (gpc[k] >= cluster) clusters += gpc[k] * each / cluster;
    return gpc[0] ? clusters : sms * each / cluster;
}
uint32_t gpu_resident(const struct gpu *gpu, uint32_t threads, uint32_t shared_bytes, uint32_t cluster) {
    const uint32_t warps = (threads + 31) / 32, reserved = gpu->reserved_shared_bytes;
    const uint32_t by_shared = (gpu->shared_bytes + reserved) / (shared_bytes + reserved);
    uint32_t each = gpu->max_threads / (32 * (warps ? warps : 1));
    if (each > by_shared) each = by_shared;
    if (each > gpu->max_blocks) each = gpu->max_blocks;
    if (cluster > 1 && each > gpu->cluster_blocks) each = gpu->cluster_blocks;
    if (!each) each = 1;
    if (cluster < 2) return each * gpu->sms;
    const uint32_t clusters = resident_clusters(gpu->gpc, gpu->sms, each, cluster);
    return clusters ? clusters * cluster : cluster;
}
/* Prints the name and description of each GPU, one per line. */
static void list(FILE *out) {
    for (unsigned k = 0; k < gpu_count; k++)
        fprintf(out, "  %-10s %s, compute capability %s%s\n", gpu_rows[k]->name, gpu_rows[k]->title,
                gpu_rows[k]->compute_capability,
                gpu_rows[k] == gpu_default ? " (default; speed points depend on this GPU)" : "");
}

const struct gpu *gpu_argument(const char *word, int status) {
    const struct gpu *gpu = gpu_find(word);
    const bool help = !strcmp(word, "help");
    if (gpu) return gpu;
    if (!help) fprintf(stderr, "grade: the cost model has no GPU `%s`; the GPUs are:\n", word);
    list(help ? stdout : stderr);
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
    [MEASURED] = {"measured", "our measurement of this constant alone, with small kernels"},
    [FITTED] = {"fitted",
                "chosen so that modeled times of the ladder's rows and the solutions come close to measured times"},
    [PUBLISHED] = {"published", "measured and published by others"},
    [DERIVED] = {"derived", "computed from other values of the same GPU"},
    [BORROWED] = {"borrowed", "taken from the default GPU, because the GPU's own value is unknown"},
};
void gpu_document(FILE *out) {
    fputs("# The GPUs of the cost model\n\n`make docs` generates this page from `grader/model/gpus/gpus.def`, the "
          "only source of these constants.\n[metrics.md](metrics.md#modeled-time-gradermodel) explains how the model "
          "uses "
          "them. Points depend only on the first GPU.\n\n| basis | meaning |\n|---|---|\n",
          out);
    for (unsigned k = 0; k < sizeof bases / sizeof *bases; k++)
        fprintf(out, "| %s | %s |\n", bases[k].name, bases[k].what);
    for (unsigned g = 0; g < gpu_count; g++) {
        fprintf(out,
                "\n## `--gpu %s`: %s, compute capability %s\n\n| constant | value | unit | meaning | basis | source "
                "|\n|---|--:|---|---|---|---|\n",
                gpu_rows[g]->name, gpu_rows[g]->title, gpu_rows[g]->compute_capability);
        for (unsigned k = 0; k < GPU_CONSTANTS; k++) {
            const struct gpu_value *v = &gpu_rows[g]->value[k];
            fprintf(out, "| `%s` | %.10g | %s | %s | %s | %s |\n", constants[k].name, v->value, constants[k].unit,
                    constants[k].what, bases[v->basis].name, v->source);
        }
        if (!gpu_rows[g]->gpc[0]) continue;
        fputs("\nAll blocks of a cluster run in one group of SMs, which is a GPC or a part of one. We inferred the "
              "groups "
              "from the SMs that ran blocks of the same cluster. The groups contain this many SMs:",
              out);
        for (unsigned k = 0; k < GPU_GPCS && gpu_rows[g]->gpc[k]; k++)
            fprintf(out, "%s %u", k ? "," : "", gpu_rows[g]->gpc[k]);
        fputs(".\n", out);
    }
}
