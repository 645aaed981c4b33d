/* The GPUs for which time is modeled. gpus.def is the only file with their constants. */
#ifndef MODEL_GPUS_GPU_H
#define MODEL_GPUS_GPU_H

#include <stdint.h>
#include <stdio.h>

enum gpu_constant {
#define CONSTANT(type, name, unit, what) GPU_##name,
#include "model/gpus/constants.def"
#undef CONSTANT
    GPU_CONSTANTS
};
/* Sources of values (explained in gpus.def). */
enum gpu_basis { DATA_SHEET, MEASURED, FITTED, PUBLISHED, DERIVED, BORROWED };

enum { GPU_GPCS = 16 };
struct gpu {
    const char *name, *title, *compute_capability; /* name for --gpu; full name; compute capability, such as "9.0" */
#define CONSTANT(type, name, unit, what) type name;
#include "model/gpus/constants.def"
#undef CONSTANT
    uint8_t gpc[GPU_GPCS]; /* number of SMs in each group that holds whole clusters; all 0 if all SMs form one group */
    struct gpu_value {     /* one of the constants, with its source */
        double value;
        enum gpu_basis basis;
        const char *source; /* details; "" if the basis suffices */
    } value[GPU_CONSTANTS];
};
extern const struct gpu *const gpu_rows[];
extern const unsigned gpu_count;
/* The default GPU. Points depend on times modeled for this GPU, and the simulator enforces this GPU's limits. */
#define gpu_default (gpu_rows[0])

/* Returns the GPU with this name, or NULL if there is none. */
const struct gpu *gpu_find(const char *name);
/* Parses the argument of --gpu, a name. For `help`, lists the GPUs and exits with status 0. For any other word, prints
 * a message and exits with `status`. */
const struct gpu *gpu_argument(const char *word, int status);
/* Returns how many blocks of a launch can be resident at once, in whole clusters if cluster > 1: at least one block or
 * cluster. */
uint32_t gpu_resident(const struct gpu *gpu, uint32_t threads, uint32_t shared_bytes, uint32_t cluster);
/* Returns the GPU's index in gpu_rows[]. */
unsigned gpu_index(const struct gpu *gpu);
/* Writes docs/gpus.md: every constant of every GPU and its source, as Markdown. */
void gpu_document(FILE *out);

#endif
