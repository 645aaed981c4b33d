/* Devices that run launch plans (plan/plan.h). A device is a constant struct of functions. The table devices.def lists
 * `sim`, which is always available, and `cuda`. device_worker is `sim` in an untrusted process. If a call does not
 * return DEVICE_OK, error->message contains the reason. Threads may share a module. */
#ifndef DEVICE_DEVICE_H
#define DEVICE_DEVICE_H

#include "plan/plan.h"
#include "probes/probes.h"
#include "sim/sim.h"

enum device_status {
    DEVICE_OK,
    DEVICE_ABSENT,     /* this machine lacks the hardware or the driver */
    DEVICE_SETUP,      /* the machine is at fault: old driver, out of memory, ... */
    DEVICE_SUBMISSION, /* the kernel is at fault: it does not load, accesses an illegal address, does not end, ... */
};
struct device_error {
    char message[512];
};

enum { DEVICE_AT_ONCE = 8 /* best number of runs to submit together */, DEVICE_LISTENERS = 4 };
#define DEVICE_POISON 0xA5                             /* value of bytes in a buffer before the first write */
bool device_is_poison(const void *data, size_t bytes); /* whether all bytes equal DEVICE_POISON */
struct device_module;                                  /* a PTX module that a device has loaded; immutable */

struct device_options {
    uint64_t seed;
    bool shuffle;
    struct sim_schedule schedule; /* sim: order of execution; replaces the seed's order if set */
    enum sim_products products; /* sim: the terms of matrix products to compute; all, except in runs that test how much
                                   matrix products contribute to a result */
    bool no_exchange;           /* sim: whether shuffles give each lane its own value, to test what they contribute */
    uint32_t advance;           /* sim: 0, or a code of advance.h that selects how to advance the module's variables */
    uint64_t budget;            /* sim: maximum number of warp-instructions per launch */
    unsigned cores;             /* sim: host cores per launch; 0 means 1. The results do not depend on it */
    bool bare; /* cuda: whether to generate line numbers and to allocate buffers without guard zones and poison, for
                  tools that check bounds and uninitialized memory themselves */
    bool cooperative; /* whether to make all blocks of a launch resident, so that they may wait for each other */
    bool graph; /* cuda: whether to run the launches of a timed group as one graph; all groups of the plan must have the
                   same launches */
    bool not_optimized; /* cuda: whether to disable the optimizations of the driver's compiler */
};
/* Reads the memory of a run, by device address, while the run exists. */
struct device_memory {
    void *self;
    enum device_status (*read)(void *self, uint64_t address, void *to, uint64_t bytes, struct device_error *e);
};
/* A run of a plan: its inputs and its results. Each run starts with fresh memory and freshly initialized module
 * variables. */
struct device_run {
    const struct plan *plan;
    /* The modules that contain the plan's kernels. device_worker supports only one. */
    struct device_module *module[PLAN_MODULES];
    struct device_options options;
    const void *const *inputs; /* array of plan_inputs(plan) inputs; input k has plan_input_bytes(plan, k) bytes */
    /* One maker per buffer of the plan, used for PLAN_MADE buffers; NULL if there are none. Not supported by
     * device_worker. */
    const struct sim_maker *makers;
    unsigned what;                            /* sim: MEASURE_... bits that select what to measure */
    uint32_t observed_block, observed_launch; /* see struct measurement */
    /* sim: the measurement, which is set for any status; measure_free() it. If NULL, nothing is measured. */
    struct measurement *measured;
    void *outputs;       /* results of the reads, plan_read_at(plan, plan->reads) bytes */
    char *printed;       /* sim: the kernels' output, NUL-terminated and possibly truncated; NULL to discard it */
    size_t printed_room; /* size of `printed` in bytes */
    double *nanoseconds; /* cuda: the plan_times(plan) measured times; NULL to discard them */
    double seconds;      /* cuda: start no further timed group after this total time; 0 for no limit */
    /* [plan->buffers], receives the buffers' addresses; may be NULL. Not supported by device_worker. */
    uint64_t *address;
    /* Called after the last launch or after a kernel failed; may be NULL. Not supported by device_worker. */
    void (*look)(void *context, const struct device_memory *memory);
    void *look_context;
    const struct sim_listener *listeners; /* sim: listeners in addition to the probes. Not supported by device_worker */
    unsigned listener_count;              /* at most DEVICE_LISTENERS */
    /* Discards what `listeners` recorded since the start of the launch, because the launch runs again. If forget()
     * is set, multiple threads may call the listeners at the same time, each for a part of a launch. If it is NULL, a
     * single thread runs the launch. */
    void (*forget)(void *context);
    void *forget_context;
    /* Results. */
    bool begun; /* sim, cuda: whether the run's modules have been loaded */
    enum device_status status;
    struct device_error error;
    unsigned launch; /* index of the launch that failed or was skipped first; otherwise, the number of launches */
    unsigned reads;  /* number of completed reads; less than in the plan after a failure or at the time limit */
    unsigned times;  /* number of measured times; less than in the plan after a failure or at the time limit */
    uint64_t work;   /* sim: warp-instructions of all launches, plus one per 64 bytes of module variables that the run
                        copies */
    uint64_t effort; /* sim: `work` plus the cost of the probes, converted to warp-instructions */
};
/* Properties of a launch that determine how many of its blocks can be resident at once. */
struct device_shape {
    const char *kernel;
    uint32_t block, dynamic_shared,
        cluster; /* threads per block; dynamic shared memory in bytes; blocks per cluster, or 0 without clusters */
};
/* Properties of a device that can time kernels. */
struct device_traits {
    char name[96];
    uint32_t multiprocessors;
    uint32_t threads;    /* maximum number of resident threads per SM */
    uint64_t free_bytes; /* free device memory at the time of the call */
    double peak;         /* peak memory bandwidth in bytes per nanosecond; 0 if unknown */
};
struct device {
    const char *name, *summary;
    bool measures; /* whether the device has probes (sim) */
    bool times;    /* whether the device measures the time of PLAN_TIMED launches (cuda) */
    enum device_status (*present)(struct device_error *e); /* returns DEVICE_OK if the device can be used */
    unsigned (*arch)(void); /* Returns the compute capability, such as 80 for 8.0, or 0 if it is unknown. The pointer is
                               NULL if the device runs PTX for any GPU. */
    /* Loads a PTX module. `name` is for messages. On failure, sets *m to NULL or leaves it unchanged. */
    enum device_status (*load)(const char *ptx, size_t length, const char *name, struct device_module **m,
                               struct device_error *e);
    /* Same as load(), but also loads a module with functions that the device cannot run. Launching such a function
     * fails with the reason. If the pointer is NULL, use load(). */
    enum device_status (*load_usable)(const char *ptx, size_t length, const char *name, struct device_module **m,
                                      struct device_error *e);
    void (*unload)(struct device_module *m);
    /* Performs all runs, one after the other. Each has a separate status. */
    void (*run)(struct device_run *runs, unsigned count);
    /* Reads the initial value of a module variable. Copies at most `room` bytes and sets *bytes to the variable's
     * size. */
    enum device_status (*variable)(struct device_module *m, const char *name, void *to, uint64_t room, uint64_t *bytes,
                                   struct device_error *e);
    /* Gets the device's properties. The pointer is NULL if the device cannot time kernels. */
    enum device_status (*describe)(struct device_traits *t, struct device_error *e);
    /* Computes how many blocks, in whole clusters, the device can hold at once; 0 if not even one fits. The pointer is
     * NULL if `describe` is NULL. */
    enum device_status (*resident)(struct device_module *m, const struct device_shape *shape, uint32_t *blocks,
                                   struct device_error *e);
};
extern const struct device device_worker; /* worker.h */
/* `device_help`: the values of --device with descriptions; `device_names`: the values alone. */
extern const char device_help[], device_names[];
/* Returns the device with that name, or NULL. */
const struct device *device_find(const char *name);
/* Calls present() and arch() in a child process, so that this process can still fork: CUDA does not survive a fork.
 * Sets *arch to 0 if it is unknown. If the child does not answer, returns DEVICE_SETUP and leaves *arch unchanged. */
enum device_status device_probe(const struct device *d, unsigned *arch, struct device_error *e);

#endif
