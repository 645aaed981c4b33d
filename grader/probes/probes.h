/* The probes, and how to measure a run with them.
 *
 *   struct measurement m;
 *   measure_begin(&m, MEASURE_ALL);
 *   launch with m.listeners, m.listener_count          (several launches add up)
 *   measure_end(&m);                                   findings, lines, steps are filled in
 *   ... read ...
 *   measure_free(&m);
 *
 * File names in lines, steps and findings point into the module: keep it until measure_free(). The steps are those of
 * the observed block in the first launch that has it; everything else is summed over launches.
 *
 * Each probe is one file, listed in the table probes.def. To add one, add a file and a row: its findings, its figures
 * in the record, and how they are shown, sent and merged are all in its file. */
#ifndef PROBES_PROBES_H
#define PROBES_PROBES_H

#include "probes/finding.h"
#include "record/terms.h"

struct measurement;

/* ---- what is counted ------------------------------------------------------------------------------------- */

/* Totals over all measured blocks and launches. Units are in the names. */
struct counts {
    uint64_t launches, blocks, threads;
    uint64_t warp_instructions, lane_instructions; /* SIMD efficiency = lane / (32 * warp) */
    uint64_t barriers;                             /* completed, summed over blocks */
    uint64_t warp_syncs, shuffles, products;       /* warp-instructions; products: of matrices */
    uint64_t matrix_elements;                      /* that these multiplied */
    uint64_t opcodes[PTX_OP_COUNT]; /* executed warp-instructions by row of the table: evidence of the technique */
};
struct sectors {
    uint64_t atomics_global;                        /* lane-operations */
    uint64_t global_requests;                       /* warp-wide accesses */
    uint64_t global_sectors;                        /* distinct 32-byte sectors touched by them */
    uint64_t global_ideal_sectors;                  /* sectors that the bytes would need if contiguous */
    uint64_t global_load_bytes, global_store_bytes; /* requested by lanes */
    uint64_t global_loads;                          /* warp-wide, without atomics */
    uint64_t straddled;                             /* extra sectors of coalesced loads that start inside a sector */
};
struct banks {
    uint64_t atomics_shared;  /* lane-operations */
    uint64_t shared_requests; /* warp-wide accesses */
    uint64_t shared_passes;   /* wavefronts - requests = conflicts (a 64-bit access of 32 lanes needs at least 2) */
    uint64_t shared_ideal_passes;
    uint64_t shared_store_bytes; /* requested by lanes */
    uint64_t cluster_requests;   /* of these accesses, those to the memory of other blocks in the cluster */
};

/* One source line in the kernel's file (or in a file it includes). */
struct line_counts {
    const char *file;
    uint32_t line;
    uint64_t warp_instructions, lane_instructions;
    uint64_t divergent; /* warp-instructions executed with some but not all launched lanes */
    uint64_t splits;    /* divergent branches at this line */
    uint64_t global_requests, global_sectors, global_ideal_sectors;
    uint64_t shared_requests, shared_passes, shared_ideal_passes;
    uint64_t divergent_steps; /* steps of the observed block in which a warp diverged at this line */
};

/* A step of the observed block: its execution between two block-wide barriers, subdivided by warp-level
 * synchronizations: key (barriers passed, warp-level synchronizations since). docs/metrics.md defines the kinds. */
enum step_kind {
    STEP_OTHER, /* accesses no data */
    STEP_LOAD,  /* loads input into the working array or registers */
    STEP_TREE,  /* combines: reads and writes one array, or exchanges values between lanes */
    STEP_WRITE, /* only writes the result */
};
struct step {
    unsigned barrier, sync; /* the key */
    enum step_kind kind;
    bool divergent; /* some warp diverged */
    uint32_t busy_lanes, busy_warps, divergent_warps;
    uint32_t split_line;
    const char *split_file; /* where the first divergence in the step happened; 0: none */
    uint64_t warp_instructions, lane_instructions;
    /* A column of the lane map. */
    uint32_t present;             /* warps that executed something in this step */
    uint32_t split;               /* warps that executed an instruction with some but not all of their launched lanes */
    uint32_t busy[SIM_MAX_WARPS]; /* lanes that accessed data memory or took part in a shuffle in this step */
    /* What each warp executed, and the part of it with some but not all of its launched lanes. */
    uint32_t instructions[SIM_MAX_WARPS], split_instructions[SIM_MAX_WARPS];
};
extern const char *const step_kind_names[]; /* "other", "load", "tree", "write" */
struct work {
    uint64_t input_words;  /* 4-byte words in buffers filled by the host */
    uint64_t read_words;   /* of these, the words that some lane read and used */
    uint64_t most_words;   /* of these, the most that one block of a launch was the first to read */
    uint64_t loaded_words; /* the words read and used, each as often as a lane loaded it */
};
struct spread { /* bytes loaded from global and shared memory by the busiest thread of each block, summed over blocks */
    uint64_t busiest_bytes;
    uint64_t busiest_block; /* bytes that one block loads from global memory: the most of all blocks */
};
struct steps {
    uint64_t steps, divergent_steps; /* over all blocks */
    uint64_t tree_steps, divergent_tree_steps;
    uint64_t divergent_in_memory;  /* tree steps in which a divergent warp accessed data in memory, or shuffled */
    uint64_t tree_warps;           /* warps that accessed data, or exchanged it by shuffles, in a tree step, summed over
                                      tree steps */
    uint64_t tree_warps_in_memory; /* warps that accessed data in memory */
    struct step *item;             /* of the observed block */
    unsigned count;
    unsigned warps; /* per block */
    bool truncated; /* past 4096 steps */
};

/* ---- for pictures: the observed block, in the first launch that has it ------------------------------------- */

enum { MOVE_READS = 4, MOVE_ARRAYS = 8 };
struct move_array {
    char name[64];
    enum ptx_space space;
    uint64_t size; /* bytes */
};
struct move_place { /* bytes at an offset into an array of the list */
    uint16_t array, bytes;
    uint64_t offset;
};
/* What a thread read and then wrote in a step, or received from another lane. */
struct move {
    unsigned barrier, sync; /* the step's key */
    uint32_t thread, line;
    int32_t from; /* the source thread of a shuffle; -1: no shuffle */
    unsigned reads;
    struct move_place read[MOVE_READS], write;
    bool writes, valued;
    uint64_t value;   /* written, or received; if `valued` */
    uint64_t offered; /* of a shuffle: the value the thread itself sent */
};
struct moves { /* in the simulator's execution order */
    struct move *item;
    unsigned count, arrays;
    struct move_array array[MOVE_ARRAYS];
};
struct access_row {
    uint32_t line, warp, mask;
    enum sim_access_kind kind;
    enum ptx_space space;
    char object[64];
    unsigned bytes, sectors, passes, ideal; /* global: sectors; shared: wavefronts */
    uint64_t offset[SIM_WARP];              /* into the object; shared: into shared memory */
};
struct accesses { /* sorted by line */
    struct access_row *item;
    unsigned count;
};

/* ---- a measurement --------------------------------------------------------------------------------------- */

/* What to measure; each probe's row says to which of these it belongs. */
enum {
    MEASURE_COUNTS = 1, /* counts, lines */
    MEASURE_STEPS = 2,  /* steps and lane map of the observed block, step totals */
    MEASURE_RACES = 4,
    MEASURE_MEMORY = 8,    /* bounds, alignment, null, uninitialized */
    MEASURE_BARRIERS = 16, /* barrier and warp-synchronization faults */
    MEASURE_ALL = 31,
    MEASURE_PACE = 32,  /* follows some blocks instruction by instruction */
    MEASURE_MOVES = 64, /* for small blocks: follows every instruction */
    MEASURE_ACCESSES = 128,
    MEASURE_WORK = 256,  /* the input that was read */
    MEASURE_FAULTS = 512 /* the part of MEASURE_MEMORY and MEASURE_BARRIERS that the simulator reports by itself */
};
/* Also in `what`: restricts findings to the terms that this lab has taught (record/terms.h); without it, all terms. */
unsigned measure_in_words_of(unsigned taught);
unsigned measure_taught(const struct measurement *m);
enum probe_id {
#define PROBE(name) PROBE_##name,
#include "probes/probes.def"
    PROBE_COUNT
};
struct measurement {
    unsigned what;
    uint32_t observed_block,
        observed_launch; /* set before the launch; default 0: the first launch that has the block */
    struct sim_listener listeners[PROBE_COUNT];
    enum probe_id listening[PROBE_COUNT]; /* the probe of each listener */
    unsigned listener_count;
    struct measurement *part; /* of the current launch, if it runs in parts */
    unsigned parts;
    uint64_t looks; /* at earlier accesses, to compare them with a new one: a cost that instruction counts do not
                       show */
    /* filled in by measure_end */
    struct finding_list findings; /* sorted: kind's rank, then pc */
    struct line_counts *lines;
    unsigned line_count;       /* sorted by file, line */
    void *result[PROBE_COUNT]; /* of each probe; NULL: not measured. Read it with NAME_of(m). */
    char *names;               /* of files, if received from another process: probes/wire.h */
};
void measure_begin(struct measurement *m, unsigned what);
void measure_end(struct measurement *m);
void measure_free(struct measurement *m);
/* For sim_launch: a launch measured in parts, with the same result as the whole. */
struct sim_parts measure_parts(struct measurement *m);

/* A probe's result: `counts_of(m)->barriers`. If the probe did not listen: all 0. */
const void *measure_result(const struct measurement *m, enum probe_id probe);
#define PROBE(name)                                                                                                    \
    struct name;                                                                                                       \
    static inline const struct name *name##_of(const struct measurement *m) { return measure_result(m, PROBE_##name); }
#include "probes/probes.def"

/* The value of a figure (catalog.h): `count` if it is a FIGURE_COUNT, else `real`. False, and 0, if no probe that has
 * it listened. */
struct figure_value {
    uint64_t count;
    double real;
};
bool figure_value(const struct measurement *m, const struct figure *figure, struct figure_value *value);

#endif
