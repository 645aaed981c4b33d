/* The probes, and how to measure a run with them:
 *
 *   struct measurement m;
 *   measure_begin(&m, MEASURE_ALL);
 *   launch with m.listeners, m.listener_count          (several launches are added up)
 *   measure_end(&m);                                   fills in findings, lines, steps
 *   ... read ...
 *   measure_free(&m);
 *
 * File names in lines, steps and findings point into the module, which must exist until measure_free(). Steps are only
 * recorded for the observed block, in the first launch that has it; everything else is summed over launches.
 *
 * Each probe is one file and a row of probes.def. The file has everything about the probe: its findings, its figures in
 * the record, and how these are shown, sent and merged. */
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
    uint64_t barriers;                             /* completed block-wide barriers, summed over blocks */
    uint64_t warp_syncs, shuffles, products;       /* counted in warp-instructions; products are those of matrices */
    uint64_t matrix_elements;                      /* elements that these products multiplied */
    uint64_t opcodes[PTX_OP_COUNT]; /* executed warp-instructions by row of ops.def; they show which technique a kernel
                                       uses */
};
struct sectors {
    uint64_t atomics_global;                        /* lane-operations */
    uint64_t failed_swaps;                          /* of these, compare-and-swaps that found another value */
    uint64_t global_requests;                       /* warp-wide accesses */
    uint64_t global_sectors;                        /* distinct 32-byte sectors that each request touches, summed */
    uint64_t global_ideal_sectors;                  /* sectors that the same bytes would need if they were contiguous */
    uint64_t global_load_bytes, global_store_bytes; /* bytes that lanes asked for */
    uint64_t global_loads;                          /* warp-wide loads, without atomics */
    uint64_t straddled; /* additional sectors of coalesced loads that start inside a sector */
};
struct banks {
    uint64_t atomics_shared;  /* lane-operations */
    uint64_t shared_requests; /* warp-wide accesses */
    uint64_t shared_passes;   /* wavefronts; a 64-bit access by 32 lanes needs 2 even without conflicts */
    uint64_t shared_ideal_passes;
    uint64_t shared_store_bytes; /* bytes that lanes asked for */
    uint64_t cluster_requests;   /* of shared_requests, those to the shared memory of other blocks in the cluster */
};

/* One source line in the kernel's file (or in a file it includes). */
struct line_counts {
    const char *file;
    uint32_t line;
    uint64_t warp_instructions, lane_instructions;
    uint64_t divergent; /* warp-instructions that some but not all launched lanes executed */
    uint64_t splits;    /* divergent branches at this line */
    uint64_t global_requests, global_sectors, global_ideal_sectors;
    uint64_t shared_requests, shared_passes, shared_ideal_passes;
    uint64_t divergent_steps; /* steps of the observed block in which a warp diverged at this line */
};

/* A step of the observed block: what it executes between two block-wide barriers, subdivided by warp-level
 * synchronizations. A step's key is (barriers passed, warp-level synchronizations since). docs/metrics.md defines the
 * kinds. */
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
    const char *split_file; /* the branch at which a warp first diverged in this step; line 0: none */
    uint64_t warp_instructions, lane_instructions;
    /* The step's column of the lane map. */
    uint32_t present;             /* warps that executed something in this step */
    uint32_t split;               /* warps that executed an instruction with only a part of their launched lanes */
    uint32_t busy[SIM_MAX_WARPS]; /* lanes that accessed data memory or took part in a shuffle in this step */
    /* Instructions that each warp executed, and of these the ones with only a part of its launched lanes. */
    uint32_t instructions[SIM_MAX_WARPS], split_instructions[SIM_MAX_WARPS];
};
extern const char *const step_kind_names[]; /* "other", "load", "tree", "write" */
struct work {
    uint64_t input_words;     /* 4-byte words in buffers filled by the host */
    uint64_t read_words;      /* of input_words, those that some lane read and used */
    uint64_t most_words;      /* of read_words, the most that one block of a launch was the first to read */
    uint64_t most_lane_words; /* of read_words, the most that lanes of one number were the first to read */
    uint64_t loaded_words;    /* as read_words, but a word counts each time that a lane loads it */
};
struct spread { /* bytes that the busiest thread of each block loads from global and shared memory, summed over blocks
                 */
    uint64_t busiest_bytes;
    uint64_t busiest_block; /* bytes that the busiest of all blocks loads from global memory */
};
struct steps {
    uint64_t steps, divergent_steps; /* over all blocks */
    uint64_t tree_steps, divergent_tree_steps;
    uint64_t
        divergent_in_memory; /* tree steps in which a divergent warp accessed data in memory, or executed a shuffle */
    uint64_t tree_warps;     /* warps that accessed or shuffled data in a tree step, summed over tree steps */
    uint64_t tree_warps_in_memory; /* of tree_warps, those that accessed data in memory */
    struct step *item;             /* steps of the observed block */
    unsigned count;
    unsigned warps; /* per block */
    bool truncated; /* past 4096 steps */
};

/* ---- for pictures of the observed block, in the first launch that has it ----------------------------------- */

enum { MOVE_READS = 4, MOVE_ARRAYS = 8 };
struct move_array {
    char name[64];
    enum ptx_space space;
    uint64_t size; /* bytes */
};
struct move_place { /* bytes of an array in the list */
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
    uint64_t value;   /* the value written or received, if `valued` */
    uint64_t offered; /* of a shuffle: the value that the thread itself sent */
};
struct moves { /* the moves, in the simulator's execution order */
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
    uint64_t offset[SIM_WARP];              /* each lane's offset into the object, or into all shared memory */
};
struct accesses { /* sorted by line */
    struct access_row *item;
    unsigned count;
};

/* ---- a measurement --------------------------------------------------------------------------------------- */

/* What to measure: bits of measure_begin()'s `what`. Each probe's row names the bits that select it. */
enum {
    MEASURE_COUNTS = 1, /* counts, lines */
    MEASURE_STEPS = 2,  /* steps and lane map of the observed block, step totals */
    MEASURE_RACES = 4,
    MEASURE_MEMORY = 8,    /* bounds, alignment, null, uninitialized */
    MEASURE_BARRIERS = 16, /* barrier and warp-synchronization faults */
    MEASURE_ALL = 31,
    MEASURE_PACE = 32,  /* follows a sample of blocks instruction by instruction */
    MEASURE_MOVES = 64, /* for small blocks, because it follows every instruction */
    MEASURE_ACCESSES = 128,
    MEASURE_WORK = 256, /* the input that was read */
    MEASURE_FAULTS =
        512 /* only those faults of MEASURE_MEMORY and MEASURE_BARRIERS that the simulator reports without probes */
};
/* Bits for `what` that restrict findings to the terms that a lab has taught (record/terms.h). Without them, findings
 * use all terms. */
unsigned measure_in_words_of(unsigned taught);
unsigned measure_taught(const struct measurement *m);
enum probe_id {
#define PROBE(name) PROBE_##name,
#include "probes/probes.def"
    PROBE_COUNT
};
struct measurement {
    unsigned what;
    uint32_t observed_block, observed_launch; /* set before the launch; 0: the first launch that has the block */
    struct sim_listener listeners[PROBE_COUNT];
    enum probe_id listening[PROBE_COUNT]; /* the probe of each listener */
    unsigned listener_count;
    struct measurement *part; /* measurements of the parts of the current launch, if it runs in parts */
    unsigned parts;
    uint64_t looks; /* comparisons of a new access with earlier ones: a cost that instruction counts do not show */
    /* filled in by measure_end() */
    struct finding_list findings; /* sorted by rank of the kind, then pc */
    struct line_counts *lines;
    unsigned line_count;       /* sorted by file, line */
    void *result[PROBE_COUNT]; /* the result of each probe; NULL: not measured. NAME_of(m) reads it. */
    char *names;               /* memory for file names, if the measurement came from another process (probes/wire.h) */
};
void measure_begin(struct measurement *m, unsigned what);
void measure_end(struct measurement *m);
void measure_free(struct measurement *m);
/* Call it after a run, before measure_end(). Returns whether a probe needs a second run of the same launches; `second`
 * is then the measurement for that run. measure_replace() puts the results of the second run into the first
 * measurement, and frees the second. */
bool measure_again(struct measurement *second, const struct measurement *first);
void measure_replace(struct measurement *first, struct measurement *second);
/* For sim_launch(): measures a launch in parts, with the same result as for the whole launch. */
struct sim_parts measure_parts(struct measurement *m);

/* A probe's result, all 0 if the probe did not listen. Used as in `counts_of(m)->barriers`. */
const void *measure_result(const struct measurement *m, enum probe_id probe);
#define PROBE(name)                                                                                                    \
    struct name;                                                                                                       \
    static inline const struct name *name##_of(const struct measurement *m) { return measure_result(m, PROBE_##name); }
#include "probes/probes.def"

/* The value of a figure (catalog.h): `count` if it is a FIGURE_COUNT, else `real`. If no probe with this figure
 * listened, returns false and sets 0. */
struct figure_value {
    uint64_t count;
    double real;
};
bool figure_value(const struct measurement *m, const struct figure *figure, struct figure_value *value);

#endif
