/* Where kernels run. A device is one const struct of functions in the table device_rows[]: `sim` (always there) and
 * `cuda`; device_worker is `sim` in a process that is not trusted. What is run is a plan (plan/plan.h). Calls return
 * DEVICE_OK, or say in error->message whose fault it is and what to do. Threads may share a module. */
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

enum { DEVICE_AT_ONCE = 8 /* runs that are best handed over together */ };
#define DEVICE_POISON 0xA5 /* bytes of a buffer that nobody has written */
bool device_is_poison(const void *data, size_t bytes);
struct device_module; /* a loaded PTX module, of the device that loaded it; immutable */

struct device_options {
    uint64_t seed;
    bool shuffle;
    struct sim_schedule schedule; /* sim: where it is chosen, the seed decides no order */
    uint64_t budget;              /* sim: warp-instructions of a launch */
    unsigned cores;               /* sim: host cores that a launch may use; 0: 1. The result is the same */
    bool bare; /* cuda: buffers without guard zones and poison, and code with line numbers, for tools that look for the
                  ends of buffers and for what was not written themselves */
    bool cooperative;   /* all blocks of a launch are resident, and may wait for each other */
    bool not_optimized; /* cuda: by the driver's compiler */
};
/* The memory of a run while it is there: bytes at an address in it. */
struct device_memory {
    void *self;
    enum device_status (*read)(void *self, uint64_t address, void *to, uint64_t bytes, struct device_error *e);
};
/* One run of a plan: all that it is given, and all that comes of it. Memory and the modules' variables are new. */
struct device_run {
    const struct plan *plan;
    struct device_module *module[PLAN_MODULES]; /* of its kernels; device_worker: one */
    struct device_options options;
    const void *const *inputs;      /* [plan_inputs(plan)], each of plan_input_bytes() */
    const struct sim_maker *makers; /* not of device_worker: [plan->buffers], of those that are PLAN_MADE; or NULL */
    unsigned what;                  /* sim: is measured, MEASURE_... bits */
    uint32_t observed_block, observed_launch; /* of struct measurement */
    struct measurement *measured; /* sim: what was, whatever the status; measure_free() it. NULL: nothing is */
    void *outputs;                /* what was read: plan_read_at(plan, plan->reads) bytes */
    char *printed;                /* sim: by kernels, cut, with a NUL behind it; NULL: dropped */
    size_t printed_room;          /* bytes of `printed` */
    double *nanoseconds;          /* cuda: [plan_times(plan)]; NULL: not wanted */
    double seconds;               /* cuda: no further group of runs starts after this total time; 0: no limit */
    uint64_t *address;            /* not of device_worker: [plan->buffers], as soon as they are known; may be NULL */
    /* Not of device_worker: is called when the last launch has ended, or a kernel has failed; or NULL. */
    void (*look)(void *context, const struct device_memory *memory);
    void *look_context;
    const struct sim_listener *listeners; /* sim alone: who else listens */
    unsigned listener_count;
    /* They may listen to several parts of a launch from as many threads at once, and this makes them forget what they
     * heard since it began. NULL: they listen to whole launches, which run on one core. */
    void (*forget)(void *context);
    void *forget_context;
    /* What came of it. */
    bool begun; /* its modules were loaded */
    enum device_status status;
    struct device_error error;
    unsigned launch; /* the one that failed; else how many there were */
    unsigned reads;  /* that there are; less than the plan's after a failure, or when seconds are over */
    unsigned times;  /* likewise */
    uint64_t work;   /* sim: warp-instructions of all launches, and one for each 64 bytes of the module's variables */
};
/* What a device that times says of itself. */
struct device_traits {
    char name[96];
    uint32_t multiprocessors;
    uint32_t threads;    /* resident on a multiprocessor at once, at most */
    uint64_t free_bytes; /* of its memory, now */
    double peak;         /* bytes a nanosecond that its memory can move at most; 0: not known */
};
struct device {
    const char *name, *summary;
    bool measures;                                         /* runs probes (sim) */
    bool times;                                            /* PLAN_TIMED launches are on a clock (cuda) */
    enum device_status (*present)(struct device_error *e); /* DEVICE_OK or DEVICE_ABSENT with the reason */
    enum device_status (*load)(const char *ptx, size_t length, const char *name, struct device_module **m,
                               struct device_error *e);
    /* The same, but functions that cannot run do not make it fail: to launch one does, and says why. NULL: load does
     * so. */
    enum device_status (*load_usable)(const char *ptx, size_t length, const char *name, struct device_module **m,
                                      struct device_error *e);
    void (*unload)(struct device_module *m);
    /* Runs them all, one after the other; each has its own status. */
    void (*run)(struct device_run *runs, unsigned count);
    /* Reads a variable of a freshly loaded module: *bytes is its size, and at most `room` of them come. */
    enum device_status (*variable)(struct device_module *m, const char *name, void *to, uint64_t room, uint64_t *bytes,
                                   struct device_error *e);
    enum device_status (*describe)(struct device_traits *t, struct device_error *e); /* NULL: it does not time */
};
extern const struct device device_worker; /* worker.h */
extern const struct device *const device_rows[];
extern const unsigned device_row_count;
extern const char device_help[], device_names[];    /* what --device takes, with a word on each; names alone */
const struct device *device_find(const char *name); /* NULL if there is none */
/* Asks present() in a child, for a process that will fork: CUDA does not survive that. */
enum device_status device_probe(const struct device *d, struct device_error *e);

#endif
