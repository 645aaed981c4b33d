/* The GPUs that time is modeled for. Each constant of a GPU stands once in the project: in gpus.def. */
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
/* Where a value comes from; gpus.def says what each means. */
enum gpu_basis { DATA_SHEET, MEASURED, FITTED, PUBLISHED, DERIVED, BORROWED };

struct gpu {
    const char *name, *title, *compute_capability; /* as --gpu takes it; in full; such as "9.0" */
#define CONSTANT(type, name, unit, what) type name;
#include "model/gpus/constants.def"
#undef CONSTANT
    struct gpu_value { /* the same values, for documents */
        double value;
        enum gpu_basis basis;
        const char *source; /* "" where the basis says all */
    } value[GPU_CONSTANTS];
};
extern const struct gpu *const gpu_rows[];
extern const unsigned gpu_count;
/* The first one: points are given by it, and the simulator has its limits. */
#define gpu_default (gpu_rows[0])

/* NULL: there is none of that name. */
const struct gpu *gpu_find(const char *name);
/* The argument of --gpu: a name; `help` lists the GPUs and ends the process with status 0, any other word with `status`
 * after a message. */
const struct gpu *gpu_argument(const char *word, int status);
/* Its place in gpu_rows[]. */
unsigned gpu_index(const struct gpu *gpu);
/* A line each: the name and what it is. */
void gpu_list(FILE *out);
/* docs/gpus.md: every constant of every GPU, and where it comes from, as Markdown. */
void gpu_document(FILE *out);

#endif
