/* `./grade ladder`: runs every reduction of the course on the same input, for comparison.
 *
 *   options.c  the command line                     command.c   compiles and runs all rows
 *   rows.def   the rows                             kernels.cu, newer.cu   their kernels
 *   cpu.c      rows on the host's cores             gpu.c       rows on a device, as launch plans
 *   labs.c     rows of the labs' solutions          pairs.c     16-bit elements, for rows that read them
 *   table.c    the record as a table and as CSV     svg.c       the record as a picture
 *
 * The record (schema reduction-labs/ladder/2, docs/ladder.md) holds all figures. table.c and svg.c read nothing
 * else. */
#ifndef LADDER_LADDER_H
#define LADDER_LADDER_H

#include "judge/lab.h"
#include "model/gpus/gpu.h"
#include <argp.h>
#include <stdio.h>

/* Format of the elements that a row reads, or to which it rounds them. */
enum ladder_format { LADDER_AS_THEY_ARE, LADDER_TF32, LADDER_F16, LADDER_BF16 };
struct ladder_how {
    unsigned arch;    /* compute capability that the kernel needs, such as 80 for 8.0; 0 for any */
    const char *only; /* message about the operators and types that the kernel supports; NULL if all */
    enum ladder_format format;
    bool cooperative; /* whether all blocks must be resident at once */
    bool graph;       /* whether to run the launches as one graph */
};
struct ladder_row {
    const char *id, *name;
    struct lab_kernel kernel; /* launch interface, as in a lab's declaration; its name is NULL for a CPU row */
    unsigned threads, waves;  /* threads per block; blocks per SM if the kernel accepts any number, otherwise 0 */
    struct ladder_how how;
    union value (*on_cpu)(struct variant v, const void *data, uint64_t n);
};

/* Result of a row. A negative time is unknown. */
struct ladder_result {
    const char *skipped; /* why the row was skipped, or NULL */
    char message[400];   /* error message, or "" */
    union value total;
    unsigned launches, blocks, findings;
    bool steps_seen;
    unsigned tree_steps, divergent_steps; /* steps of block 0 in the first launch */
    double simd_efficiency, modeled_us, measured_us;
    uint64_t sectors;
};

/* cpu.c */
union value ladder_serial(struct variant v, const void *data, uint64_t n);
union value ladder_threads(struct variant v, const void *data, uint64_t n);
union value ladder_vectors(struct variant v, const void *data, uint64_t n);
void ladder_cpu(const struct ladder_row *row, struct variant v, const void *data, uint64_t n, struct ladder_result *r);
/* Measures the read bandwidth of all CPU cores together. Returns the best of several passes over 512 MiB, in bytes per
 * second. Returns 0 if out of memory. */
double ladder_read_bandwidth(void);

/* Packs two elements into each word, the first one in the lower half, rounded to LADDER_F16 or LADDER_BF16. Pads an
 * odd number of elements with a zero. Returns NULL if out of memory; free() the result (pairs.c). */
uint32_t *ladder_pairs(enum ladder_format format, const float *data, uint32_t n);

/* gpu.c: a program, compiled for a variant and loaded on a device. */
struct ladder_program {
    const struct device *device;
    struct device_module *module;
    struct variant v;
    const char *ptx;
    uint64_t seed;
    const struct gpu *gpu;              /* GPU for the modeled time; its number of SMs determines the grid */
    const struct ladder_program *reads; /* the program of kernels.cu in any variant; only for timing */
};
/* Runs a row. `blocks` is the number of blocks if the kernel accepts any number, or 0 for the number in the row. On
 * failure, sets r->message; if the row cannot run, r->skipped. */
void ladder_gpu(const struct ladder_program *p, const struct ladder_row *row, const void *data, uint32_t n,
                uint32_t blocks, struct ladder_result *r);

/* Measures the read bandwidth of p's device. Returns the best of several passes, in bytes per second, or 0 on failure.
 */
double ladder_device_bandwidth(const struct ladder_program *p);

/* ladder_lab_row() creates a row for the lab's first kernel. Returns false if the kernel does not support v, has a
 * second input, or returns arrays. If the lab's file defines the launch configuration (lab 9), ladder_lab_tuning()
 * reads it from the loaded program. It stores the block size in the row, and the number of blocks for n elements in
 * *blocks. On failure, it returns false with a message (labs.c). */
bool ladder_lab_row(const struct lab *lab, struct variant v, const struct gpu *gpu, struct ladder_row *row);
bool ladder_lab_tuning(const struct lab *lab, const struct ladder_program *p, uint32_t n, struct ladder_row *row,
                       uint32_t *blocks, char *message, size_t size);

/* Write the record as a table, as CSV and as a picture (table.c, svg.c). */
void ladder_table(const json_t *record, FILE *out);
bool ladder_csv(const json_t *record, FILE *out);
bool ladder_svg(const json_t *record, FILE *out);

/* options.c */
struct ladder_options {
    const char *device, *compiler, *rows, *csv, *json, *svg, *op;
    uint64_t seed;
    uint32_t n; /* number of elements, or 0 for the default */
    bool cpu, sweep, near, modeled, solutions;
    const struct gpu *gpu; /* GPU for the modeled time */
};
void ladder_options_parse(int argc, char **argv, struct ladder_options *o);
extern const struct argp_option ladder_option_rows[]; /* all options, terminated by a row without a name */

struct ladder_place {
    const char *root, *cache, *compiler;
};
/* argv[0] is "ladder". Returns the exit status: 0, or 1 if a row is wrong. Exits with 2 on a usage error and with 3 if
 * the setup fails. */
int ladder_command(int argc, char **argv, const struct ladder_place *place);

#endif
