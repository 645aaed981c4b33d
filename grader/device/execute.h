/* The only interpreter of plans, written against a device's memory operations. */
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
    bool queued; /* asynchronous: its faults may show later */
};
/* `self` is the memory of one run. The last three are for devices that time kernels, else NULL; `make` is for those
 * that need not hold a whole buffer. */
struct device_hands {
    enum device_status (*alloc)(void *self, const char *name, uint64_t bytes, unsigned flags /* SIM_... */,
                                uint64_t *address, struct device_error *e);
    enum device_status (*write)(void *self, uint64_t address, const void *from, uint64_t bytes, struct device_error *e);
    enum device_status (*read)(void *self, uint64_t address, void *to, uint64_t bytes, struct device_error *e);
    /* Repeats `pattern`, of `period` bytes, over `bytes` bytes. */
    enum device_status (*fill)(void *self, uint64_t address, uint64_t bytes, const void *pattern, uint64_t period,
                               struct device_error *e);
    enum device_status (*launch)(void *self, const struct device_launch *l, struct device_error *e);
    /* A variable of module 0, by its PTX name. */
    enum device_status (*variable)(void *self, const char *name, uint64_t *address, uint64_t *bytes,
                                   struct device_error *e);
    enum device_status (*make)(void *self, uint64_t address, struct sim_maker maker, struct device_error *e);
    /* Resets persisting L2 lines of earlier launches to normal, and sets no part of the cache aside. */
    enum device_status (*reset)(void *self, struct device_error *e);
    /* Times from the end of all launches before start() to the end of all launches before stop(), which waits until the
     * whole device is idle. Faults of queued launches show up in stop(). */
    enum device_status (*start)(void *self, struct device_error *e);
    enum device_status (*stop)(void *self, double *nanoseconds, struct device_error *e);
};
/* Fills in the results of r, except for printed output and the measurement. */
void device_execute(struct device_run *r, const struct device_hands *hands, void *self);

#endif
