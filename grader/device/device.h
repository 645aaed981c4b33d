/* Where kernels run. A device is a const struct of functions in the table device_rows[]: `sim` (always available) and
 * `cuda`; device_worker is `sim` in an untrusted process. Devices run plans (plan/plan.h). Calls return DEVICE_OK, or a
 * status that says whose fault it is, with a description in error->message. Threads may share a module. */
#ifndef DEVICE_DEVICE_H
#define DEVICE_DEVICE_H

#include "plan/plan.h"
#include "probes/probes.h"
#include "sim/sim.h"

enum device_status {
    DEVICE_OK,
    DEVICE_ABSENT,     /* no such hardware or driver on this machine */
    DEVICE_SETUP,      /* the machine's fault: driver too old, out of memory, ... */
    DEVICE_SUBMISSION, /* the kernel's fault: does not load, illegal address, endless loop, ... */
};
struct device_error {
    char message[512];
};

enum { DEVICE_AT_ONCE = 8 /* the best number of runs to submit together */, DEVICE_LISTENERS = 4 };
#define DEVICE_POISON 0xA5 /* value of buffer bytes that were never written */
bool device_is_poison(const void *data, size_t bytes);
struct device_module; /* a PTX module loaded by a device; immutable */

struct device_options {
    uint64_t seed;
    bool shuffle;
    struct sim_schedule schedule; /* sim: replaces the seed's order, if one is chosen */
    enum sim_products products;   /* sim: which terms matrix products have; all of them, except in tests of technique */
    uint64_t budget;              /* sim: warp-instructions per launch */
    unsigned cores;               /* sim: host cores that a launch may use; 0: 1. The result does not depend on it */
    bool bare; /* cuda: buffers have no guard zones and no poison, and code has line numbers, for tools that check
                  bounds and uninitialized memory themselves */
    bool cooperative; /* all blocks of a launch are resident, and may wait for each other */
    bool
        graph; /* cuda: the launches of a timed group run as one graph; all groups of the plan have the same launches */
    bool not_optimized; /* cuda: disables the driver compiler's optimizations */
};
/* Access to the memory of a run while it exists: the bytes at an address. */
struct device_memory {
    void *self;
    enum device_status (*read)(void *self, uint64_t address, void *to, uint64_t bytes, struct device_error *e);
};
/* One run of a plan: its inputs and results. Memory and the modules' variables are fresh. */
struct device_run {
    const struct plan *plan;
    struct device_module *module[PLAN_MODULES]; /* the modules with the plan's kernels; device_worker: only one */
    struct device_options options;
    const void *const *inputs;                /* [plan_inputs(plan)]; input k has plan_input_bytes(plan, k) bytes */
    const struct sim_maker *makers;           /* not device_worker: [plan->buffers], for PLAN_MADE buffers; or NULL */
    unsigned what;                            /* sim: what is measured, MEASURE_... bits */
    uint32_t observed_block, observed_launch; /* see struct measurement */
    struct measurement *measured; /* sim: the measurement, whatever the status; measure_free() it. NULL: none */
    void *outputs;                /* results of the reads: plan_read_at(plan, plan->reads) bytes */
    char *printed;                /* sim: the kernels' output, truncated, NUL-terminated; NULL: dropped */
    size_t printed_room;          /* size of `printed` in bytes */
    double *nanoseconds;          /* cuda: [plan_times(plan)], the measured times; NULL: not wanted */
    double seconds;               /* cuda: no further group of runs starts after this total time; 0: no limit */
    uint64_t
        *address; /* not device_worker: [plan->buffers], the buffers' addresses, set when they are known; may be NULL */
    /* Called after the last launch, or after a kernel failed; or NULL. Not device_worker. */
    void (*look)(void *context, const struct device_memory *memory);
    void *look_context;
    const struct sim_listener *listeners; /* sim only: other listeners, besides the probes */
    unsigned listener_count;              /* at most DEVICE_LISTENERS */
    /* Makes `listeners` forget what they heard since the start of the launch, which then runs again. With it, they may
     * hear several parts of a launch from several threads at once. NULL: they hear whole launches, on one core. */
    void (*forget)(void *context);
    void *forget_context;
    /* Results. */
    bool begun; /* the run's modules were loaded */
    enum device_status status;
    struct device_error error;
    unsigned launch; /* the index of the failed launch; else the number of launches */
    unsigned reads;  /* number of completed reads; fewer than in the plan after a failure, or if the time is used up */
    unsigned times;  /* likewise */
    uint64_t work;   /* sim: warp-instructions of all launches, plus one per 64 bytes of the module's variables */
    uint64_t effort; /* sim: work plus the approximate cost of the probes, in warp-instructions that take as long */
};
/* What determines how many blocks of a launch are resident at once. */
struct device_shape {
    const char *kernel;
    uint32_t block, dynamic_shared, cluster; /* threads; bytes; blocks in a cluster, or 0 */
};
/* Properties of a device that can time kernels. */
struct device_traits {
    char name[96];
    uint32_t multiprocessors;
    uint32_t threads;    /* maximum resident threads per SM */
    uint64_t free_bytes; /* free device memory, now */
    double peak;         /* peak memory bandwidth, bytes per nanosecond; 0: unknown */
};
struct device {
    const char *name, *summary;
    bool measures;                                         /* supports probes (sim) */
    bool times;                                            /* times PLAN_TIMED launches (cuda) */
    enum device_status (*present)(struct device_error *e); /* DEVICE_OK, or DEVICE_ABSENT with the reason */
    unsigned (*arch)(void); /* compute capability of the device, 80 is 8.0; 0: unknown. NULL: the device runs any */
    enum device_status (*load)(const char *ptx, size_t length, const char *name, struct device_module **m,
                               struct device_error *e);
    /* The same, but functions that cannot run do not make loading fail; launching one fails with the reason. NULL: use
     * load. */
    enum device_status (*load_usable)(const char *ptx, size_t length, const char *name, struct device_module **m,
                                      struct device_error *e);
    void (*unload)(struct device_module *m);
    /* Runs all plans, one after the other; each has its own status. */
    void (*run)(struct device_run *runs, unsigned count);
    /* Reads a variable of a freshly loaded module. *bytes becomes its size; at most `room` bytes are copied. */
    enum device_status (*variable)(struct device_module *m, const char *name, void *to, uint64_t room, uint64_t *bytes,
                                   struct device_error *e);
    enum device_status (*describe)(struct device_traits *t,
                                   struct device_error *e); /* NULL: the device cannot time kernels */
    /* The number of blocks, in whole clusters, that the whole device holds at once; 0 if not even one fits. NULL if
     * `describe` is NULL. */
    enum device_status (*resident)(struct device_module *m, const struct device_shape *shape, uint32_t *blocks,
                                   struct device_error *e);
};
extern const struct device device_worker; /* worker.h */
extern const struct device *const device_rows[];
extern const unsigned device_row_count;
extern const char device_help[],
    device_names[]; /* device_help: the values of --device, with descriptions; device_names: only the names */
const struct device *device_find(const char *name); /* NULL: no such device */
/* Calls present() and arch() in a child process, for callers that will fork: CUDA does not survive a fork. */
enum device_status device_probe(const struct device *d, unsigned *arch, struct device_error *e);

#endif
