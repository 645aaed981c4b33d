/* The probes, and how to measure a run with them:
 *
 *   struct measurement m;
 *   measure_begin(&m, MEASURE_ALL);
 *   launch with m.listeners, m.listener_count          (multiple launches are added up)
 *   measure_end(&m);                                   completes findings and results, and frees the probes
 *   ... read ...
 *   measure_free(&m);
 *
 * File names in lines, steps and findings point into the module, which must exist until measure_free(). Lists of steps,
 * moves and accesses cover only the observed block, in one launch.
 *
 * A probe is a row of probes.def and a file, which defines its findings, its figures in the record, and how its results
 * are sent and merged. */
#ifndef PROBES_PROBES_H
#define PROBES_PROBES_H

#include "probes/finding.h"
#include "record/terms.h"

struct measurement;

/* ---- counts --------------------------------------------------------------------------------------------- */

/* Totals over all measured blocks and launches. The names give the units. */
struct counts {
    uint64_t launches, blocks, threads;
    uint64_t warp_instructions, lane_instructions; /* SIMD efficiency = lane / (32 * warp) */
    uint64_t barriers;                             /* completed barriers; a cluster's barrier counts once per block */
    uint64_t warp_syncs, shuffles, products;       /* warp-instructions; products: matrix products */
    uint64_t matrix_elements;                      /* elements of each product's larger factor, added up */
    /* Warp-instructions by row of ops.def. They show a kernel's techniques. */
    uint64_t opcodes[PTX_OP_COUNT];
};
struct sectors {
    uint64_t atomics_global;                        /* operations, counted by lane */
    uint64_t plain_atomics;                         /* those of atomics_global that only read or only write */
    uint64_t global_requests;                       /* warp-wide accesses */
    uint64_t global_sectors;                        /* different 32-byte sectors per request, added up */
    uint64_t global_ideal_sectors;                  /* sectors for the same bytes if they were contiguous */
    uint64_t global_load_bytes, global_store_bytes; /* requested by lanes; an atomic loads and stores */
    uint64_t global_loads;                          /* warp-wide loads, without atomics */
    uint64_t straddled;                             /* extra sectors of contiguous loads that begin inside a sector */
};
struct banks {
    uint64_t atomics_shared;    /* operations, counted by lane */
    uint64_t counting_shared;   /* those of atomics_shared that only read, only write, or count a block's arrivals */
    uint64_t shared_requests;   /* warp-wide accesses */
    uint64_t shared_wavefronts; /* wavefronts; a 64-bit access by 32 lanes needs two even without conflicts */
    uint64_t shared_ideal_wavefronts;
    uint64_t shared_store_bytes; /* requested by lanes, without atomics */
    uint64_t cluster_requests;   /* those of shared_requests to other blocks of the cluster */
};

/* The counts of a source line, in the kernel's file or in one that it includes. */
struct line_counts {
    const char *file;
    uint32_t line;
    uint64_t warp_instructions, lane_instructions;
    uint64_t divergent; /* warp-instructions by only some of the launched lanes */
    uint64_t splits;    /* divergent branches at this line */
    uint64_t global_requests, global_sectors, global_ideal_sectors;
    uint64_t shared_requests, shared_wavefronts, shared_ideal_wavefronts;
    uint64_t divergent_steps; /* steps of the observed block in which a warp diverged here */
};

/* A step of the observed block: the work between two barriers of the block, divided at warp-level synchronizations. Its
 * key is the number of barriers passed and the number of warp-level synchronizations since. docs/metrics.md defines the
 * kinds of steps. */
enum step_kind {
    STEP_OTHER, /* accesses no data */
    STEP_LOAD,  /* loads input into registers or into the working array */
    STEP_TREE,  /* combines values: reads and writes one array, or exchanges values between lanes */
    STEP_WRITE, /* only writes the result */
};
struct step {
    unsigned barrier, sync; /* the key */
    enum step_kind kind;
    bool divergent; /* whether at least one warp diverged */
    uint32_t active_lanes, active_warps, divergent_warps;
    /* The place where the lowest divergent warp diverged, in this step or an earlier one; line 0: none. */
    uint32_t split_line;
    const char *split_file;
    uint64_t warp_instructions, lane_instructions;
    /* The step's column in the lane map. */
    uint32_t present; /* mask of the warps that executed instructions in the step */
    uint32_t split;   /* mask of the warps that executed an instruction with only some launched lanes */
    /* By warp: lanes that accessed data in memory, or took part in a shuffle or a warp reduction. */
    uint32_t active[SIM_MAX_WARPS];
    /* By warp: executed instructions, and those with only some launched lanes. */
    uint32_t instructions[SIM_MAX_WARPS], split_instructions[SIM_MAX_WARPS];
};
extern const char *const step_kind_names[]; /* "other", "load", "tree", "write" */
struct work {
    uint64_t input_words; /* 4-byte words in buffers that the host filled */
    uint64_t read_words;  /* those of input_words that a lane read and used */
    /* Largest number of read_words that any one block of a launch was the first to read. */
    uint64_t most_words;
    /* Largest number of read_words that the lanes with any one lane index were the first to read. */
    uint64_t most_lane_words;
    uint64_t loaded_words; /* like read_words, but a word counts each time that a lane loads it */
};
/* How evenly the work is distributed, in bytes of global and shared memory, not counting atomics or polling. */
struct spread {
    uint64_t busiest_bytes;  /* loaded by the busiest thread of each block, added up */
    uint64_t busiest_thread; /* loaded by the busiest thread of all blocks */
    uint64_t busiest_block;  /* loaded by the busiest block, from global memory */
    uint64_t busiest_warp;   /* loaded by the busiest threads' warps, added up over blocks */
    uint64_t moved_bytes;    /* loaded or stored by all threads, including values that a lane discards */
    uint64_t farthest;       /* end of the farthest load from a buffer of 4 GiB or more, in bytes from its start */
};
struct steps {
    uint64_t steps, divergent_steps; /* summed over all blocks */
    uint64_t tree_steps, divergent_tree_steps;
    /* Tree steps in which a divergent warp accessed data in memory, or exchanged values between only some lanes. */
    uint64_t divergent_in_memory;
    uint64_t tree_warps;           /* warps that accessed or shuffled data in a tree step, added up over tree steps */
    uint64_t tree_warps_in_memory; /* those of tree_warps that accessed data in memory */
    struct step *item;             /* steps of the observed block */
    unsigned count;
    unsigned warps; /* per block */
    bool truncated; /* the list ended after 4096 steps */
};

/* ---- pictures of the observed block ------------------------------------------------------------------------ */

enum { MOVE_READS = 4, MOVE_ARRAYS = 16 };
struct move_array {
    char name[64];
    enum ptx_space space;
    uint64_t size; /* bytes */
};
/* Bytes of moves.array[array], with the value that was read or written there, if known. */
struct move_place {
    uint16_t array, bytes;
    bool valued;
    uint64_t offset, value;
};
enum { MOVE_OWN_WORD = 2, MOVE_WORDS = MOVE_OWN_WORD + 4 }; /* MOVE_OWN_WORD: the first 32-bit register */
/* What a thread read and then wrote in a step, or received from another lane. */
struct move {
    unsigned barrier, sync; /* the step's key */
    uint32_t thread, line;
    int32_t from; /* the source thread of a shuffle; -1 if not a shuffle */
    unsigned reads;
    struct move_place read[MOVE_READS], write;
    bool writes;
    /* The registers that a shuffle sent and received. A value of several words takes several shuffles. Words 0 and 1
     * are the first 64-bit register, words 2 and 3 the second. Registers of 32 bits are words 2, 3, ... in the order of
     * the shuffles. The masks show which words are known. In a move that only reads, `sent` is the value that the
     * thread sends next. */
    uint32_t sent[MOVE_WORDS], received[MOVE_WORDS], sent_mask, received_mask;
};
/* Moves in the order in which the simulator executed them. */
struct moves {
    struct move *item;
    unsigned count, arrays;
    struct move_array array[MOVE_ARRAYS];
};
struct access_row {
    uint32_t line, warp, mask;
    enum sim_access_kind kind;
    enum ptx_space space;
    char object[64];
    unsigned bytes, sectors, wavefronts,
        ideal;                 /* global memory: sectors; shared memory: wavefronts; ideal: the fewest */
    uint64_t offset[SIM_WARP]; /* each lane's offset in bytes: in the buffer or variable, or in all of shared memory */
};
/* The rows are sorted by line. */
struct accesses {
    struct access_row *item;
    unsigned count;
};

/* ---- a measurement --------------------------------------------------------------------------------------- */

/* Bits of measure_begin()'s `what`, which select the measurements. A probe's row names its bits. */
enum {
    MEASURE_COUNTS = 1, /* counts and lines */
    MEASURE_STEPS = 2,  /* steps and lane map of the observed block, totals over all steps, and spread of the work */
    MEASURE_RACES = 4,  /* races between threads or grids, asynchronous copies, the read-only data path */
    MEASURE_MEMORY = 8, /* invalid accesses, uninitialized memory, the device heap, textures and surfaces */
    /* Wrong barriers and warp-level synchronization, deadlocks, and launches that the simulator stops. */
    MEASURE_BARRIERS = 16,
    MEASURE_ALL = 31,
    MEASURE_BLOCK_TIME = 32, /* time of blocks; follows some blocks instruction by instruction */
    MEASURE_MOVES = 64,      /* moves of threads; follows each instruction, so use it for small blocks */
    MEASURE_ACCESSES = 128,
    MEASURE_WORK = 256, /* how much of the input was read and used */
    /* The fast probes of MEASURE_MEMORY and MEASURE_BARRIERS: all but `uninitialized` and `activemask`. */
    MEASURE_FAULTS = 512
};
/* Returns bits for `what` that limit findings to the terms that a lab has taught (record/terms.h). Without them,
 * findings use all terms. */
unsigned measure_in_words_of(unsigned taught);
unsigned measure_taught(const struct measurement *m);
enum probe_id {
#define PROBE(name) PROBE_##name,
#include "probes/probes.def"
    PROBE_COUNT
};
struct measurement {
    unsigned what;
    uint32_t observed_block, observed_launch; /* set before the first launch; steps and moves are recorded in the first
                                                 launch with the block, from launch `observed_launch` (from 0) */
    struct sim_listener listeners[PROBE_COUNT];
    enum probe_id listening[PROBE_COUNT]; /* the probe of each listener */
    unsigned listener_count;
    struct measurement *part; /* measurements of the launch's parts, if it runs in parts */
    unsigned parts;
    bool heap_lasts; /* set before the first launch: a later launch may free a launch's heap memory, so only
                      * measure_end() reports leaks */
    uint64_t looks;  /* cost of checks beyond the instruction counts; comparing an access with an earlier one costs 1 */
    /* Complete after measure_end(): */
    struct finding_list findings; /* sorted by rank of the kind, then by pc */
    struct line_counts *lines;
    unsigned line_count;       /* sorted by file, then line */
    void *result[PROBE_COUNT]; /* by probe; NULL if not measured; NAME_of(m) returns one */
    char *names;               /* memory of file names, if another process sent the measurement (probes/wire.h) */
};
void measure_begin(struct measurement *m, unsigned what);
void measure_end(struct measurement *m);
void measure_free(struct measurement *m);
/* measure_again() returns whether a probe needs a second run of the same launches. Call it after a run and before
 * measure_end(). If it returns true, `second` is the measurement for the second run. measure_replace() ends both
 * measurements, moves the second run's results (not its findings) into the first, and frees the second. */
bool measure_again(struct measurement *second, const struct measurement *first);
void measure_replace(struct measurement *first, struct measurement *second);
/* Returns callbacks for sim_launch() that measure a launch in parts. The results equal those of the whole launch,
 * except those of MEASURE_MOVES, MEASURE_ACCESSES and MEASURE_WORK, which need a launch in one part. */
struct sim_parts measure_parts(struct measurement *m);

/* Returns a probe's result. All members are 0 if the probe did not listen. Example: `counts_of(m)->barriers`. */
const void *measure_result(const struct measurement *m, enum probe_id probe);
#define PROBE(name)                                                                                                    \
    struct name;                                                                                                       \
    static inline const struct name *name##_of(const struct measurement *m) { return measure_result(m, PROBE_##name); }
#include "probes/probes.def"

/* Gets a figure's value (catalog.h): `count` for FIGURE_COUNT, otherwise `real`. Returns false, with value 0, if no
 * probe with this figure listened. */
struct figure_value {
    uint64_t count;
    double real;
};
bool figure_value(const struct measurement *m, const struct figure *figure, struct figure_value *value);

#endif
