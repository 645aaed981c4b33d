/* `./grade ladder`: every reduction of the course side by side on one input.
 *
 *   options.c  the command line            rows.def    the rows         kernels.cu, newer.cu  their kernels
 *   cpu.c      rows on the host's cores     gpu.c       rows on a device, as launch plans
 *   labs.c     rows of the solutions        command.c  compiles, runs all rows
 *   pairs.c    16-bit elements for rows that want them
 *   table.c    the record as a table, as CSV           svg.c       as a picture
 *
 * The record (schema reduction-labs/ladder/2, docs/ladder.md) holds all figures; table.c and svg.c are pure functions
 * of it. */
#ifndef LADDER_LADDER_H
#define LADDER_LADDER_H

#include "judge/lab.h"
#include "model/gpus/gpu.h"
#include <argp.h>
#include <stdio.h>

/* The format in which a row gets its elements, or to which it rounds them. */
enum ladder_format { LADDER_AS_THEY_ARE, LADDER_TF32, LADDER_F16, LADDER_BF16 };
struct ladder_how {
    unsigned arch;    /* the compute capability that the kernel needs, such as 80 for 8.0; 0: any */
    const char *only; /* why the kernel takes no other operators and types */
    enum ladder_format format;
    bool cooperative; /* all blocks are resident at once */
    bool graph;       /* its launches run as one graph */
};
struct ladder_row {
    const char *id, *name;
    struct lab_kernel kernel; /* its launch interface, as a lab declares it; in a CPU row, the name is NULL */
    unsigned threads, waves;  /* threads per block; blocks per SM, for a kernel that accepts any number */
    struct ladder_how how;
    union value (*on_cpu)(struct variant v, const void *data, uint64_t n);
};
extern const struct ladder_row ladder_rows[];
extern const unsigned ladder_row_count;

enum { LADDER_MOST_ROWS = 64 };
/* The result of a row. Units are in the names; negative: unknown. */
struct ladder_result {
    const char *skipped; /* why there is no result, or NULL */
    char message[400];   /* an error message, or "" */
    union value total;
    unsigned launches, blocks, findings;
    bool steps_seen;
    unsigned tree_steps, divergent_steps; /* counts of the first block in the first launch */
    double simd_efficiency, modeled_us, measured_us;
    uint64_t sectors;
};

/* cpu.c */
union value ladder_serial(struct variant v, const void *data, uint64_t n);
union value ladder_threads(struct variant v, const void *data, uint64_t n);
union value ladder_vectors(struct variant v, const void *data, uint64_t n);
void ladder_cpu(const struct ladder_row *row, struct variant v, const void *data, uint64_t n, struct ladder_result *r);
/* Read bandwidth of all CPU cores together in bytes per second: the best of several passes over 512 MiB. 0 if out of
 * memory. */
double ladder_read_bandwidth(void);

/* pairs.c: packs two elements into each word, rounded to LADDER_F16 or LADDER_BF16, the first in the lower half. An
 * odd number is padded with a zero. free() the result; NULL if out of memory. */
uint32_t *ladder_pairs(enum ladder_format format, const float *data, uint32_t n);

/* gpu.c: runs one row of a program for one variant. */
struct ladder_program {
    const struct device *device;
    struct device_module *module;
    struct variant v;
    const char *ptx;
    uint64_t seed;
    const struct gpu *gpu;              /* the GPU for modeled time; its number of SMs determines the grid */
    const struct ladder_program *reads; /* for timing: the program of kernels.cu, for any variant */
};
/* `blocks` is for a plan that accepts any number; 0: the row's own. */
void ladder_gpu(const struct ladder_program *p, const struct ladder_row *row, const void *data, uint32_t n,
                uint32_t blocks, struct ladder_result *r);

/* Read bandwidth of p's device in bytes per second, the best of several passes; 0 if it failed. */
double ladder_device_bandwidth(const struct ladder_program *p);

/* labs.c: makes a row of the lab's first kernel; false if the kernel does not support v. If its file defines the
 * launch configuration (lab 9), this is read after loading: the block size goes into the row, the number of blocks
 * for n elements into *blocks. */
bool ladder_lab_row(const struct lab *lab, struct variant v, const struct gpu *gpu, struct ladder_row *row);
bool ladder_lab_tuning(const struct lab *lab, const struct ladder_program *p, uint32_t n, struct ladder_row *row,
                       uint32_t *blocks, char *message, size_t size);

/* table.c, svg.c: write the record. */
void ladder_table(const json_t *record, FILE *out);
bool ladder_csv(const json_t *record, FILE *out);
bool ladder_svg(const json_t *record, FILE *out);

/* options.c */
struct ladder_options {
    const char *device, *compiler, *rows, *csv, *json, *svg, *op;
    uint64_t seed;
    uint32_t n;
    bool cpu, sweep, near, modeled, solutions;
    const struct gpu *gpu; /* the GPU for modeled time */
};
void ladder_options_parse(int argc, char **argv, struct ladder_options *o);
extern const struct argp_option ladder_option_rows[]; /* all rows; a row without a name terminates them */

/* argv[0] is "ladder". Returns the exit status: 0, 1 (a row is wrong), 2 (usage error), 3 (the setup failed). */
struct ladder_place {
    const char *root, *cache, *compiler;
};
int ladder_command(int argc, char **argv, const struct ladder_place *place);

#endif
