/* The only interpreter of plans. It uses a device's memory operations. */
#ifndef DEVICE_EXECUTE_H
#define DEVICE_EXECUTE_H

#include "device/device.h"

struct device_launch {
    unsigned module; /* index in the run's modules */
    const char *kernel;
    uint32_t grid[3], block[3], cluster[3], dynamic_shared; /* cluster: 0: as compiled */
    const void *const *params;                              /* one pointer per parameter, as for cuLaunchKernel */
    const uint32_t *param_bytes;
    unsigned param_count;
    const uint32_t *sample; /* see struct sim_launch; NULL: all blocks run alike */
    uint32_t sample_count;
    const void *const *idle_params;
    bool queued; /* asynchronous: faults may show later */
};
/* The operations of a device. `self` is the memory of one run. The last three are for devices that time kernels, else
 * NULL. `make` is for devices that need not store a whole buffer, else NULL. */
struct device_hands {
    enum device_status (*alloc)(void *self, const char *name, uint64_t bytes, unsigned flags /* SIM_... */,
                                uint64_t *address, struct device_error *e);
    enum device_status (*write)(void *self, uint64_t address, const void *from, uint64_t bytes, struct device_error *e);
    enum device_status (*read)(void *self, uint64_t address, void *to, uint64_t bytes, struct device_error *e);
    /* Repeats `pattern`, of `period` bytes, over `bytes` bytes. */
    enum device_status (*fill)(void *self, uint64_t address, uint64_t bytes, const void *pattern, uint64_t period,
                               struct device_error *e);
    enum device_status (*launch)(void *self, const struct device_launch *l, struct device_error *e);
    /* Finds a variable of module 0 by its PTX name. */
    enum device_status (*variable)(void *self, const char *name, uint64_t *address, uint64_t *bytes,
                                   struct device_error *e);
    enum device_status (*make)(void *self, uint64_t address, struct sim_maker maker, struct device_error *e);
    /* Resets persisting L2 lines of earlier launches to normal, and reserves no part of the cache for such lines. */
    enum device_status (*reset)(void *self, struct device_error *e);
    /* Measures the time from the end of all launches before start() to the end of all launches before stop(). stop()
     * waits until the whole device is idle, and returns faults of queued launches. */
    enum device_status (*start)(void *self, struct device_error *e);
    enum device_status (*stop)(void *self, double *nanoseconds, struct device_error *e);
};
/* Runs the plan of r, and sets all results except for the printed output and the measurement. */
void device_execute(struct device_run *r, const struct device_hands *hands, void *self);

#endif
