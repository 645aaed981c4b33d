/* Executes plans for all devices by calling a device's memory operations. */
#ifndef DEVICE_EXECUTE_H
#define DEVICE_EXECUTE_H

#include "device/device.h"

struct device_launch {
    unsigned module; /* index of the module in the run */
    const char *kernel;
    uint32_t grid[3], block[3], cluster[3], dynamic_shared; /* cluster: 0 keeps the compiled size */
    const void *const *params;                              /* a pointer to each parameter, as for cuLaunchKernel */
    const uint32_t *param_bytes;
    unsigned param_count;
    const uint32_t *sample; /* see struct sim_launch; if NULL, all blocks run with the same parameters */
    uint32_t sample_count;
    const void *const *idle_params;
    bool queued; /* whether the launch is asynchronous, so that faults may be reported later */
};
/* Operations of a device. `self` is the memory of a run. reset, start and stop are NULL unless the device times
 * kernels. `make` is NULL unless the device can compute a buffer's contents on demand. */
struct device_hands {
    enum device_status (*alloc)(void *self, const char *name, uint64_t bytes, unsigned flags /* SIM_... */,
                                uint64_t *address, struct device_error *e);
    enum device_status (*write)(void *self, uint64_t address, const void *from, uint64_t bytes, struct device_error *e);
    enum device_status (*read)(void *self, uint64_t address, void *to, uint64_t bytes, struct device_error *e);
    /* Fills `bytes` bytes with repetitions of `pattern`, which has `period` bytes. */
    enum device_status (*fill)(void *self, uint64_t address, uint64_t bytes, const void *pattern, uint64_t period,
                               struct device_error *e);
    enum device_status (*launch)(void *self, const struct device_launch *l, struct device_error *e);
    /* Looks up a variable of module 0 by its PTX name. */
    enum device_status (*variable)(void *self, const char *name, uint64_t *address, uint64_t *bytes,
                                   struct device_error *e);
    enum device_status (*make)(void *self, uint64_t address, struct sim_maker maker, struct device_error *e);
    /* Resets persisting L2 lines to normal and removes the L2 set-aside for persisting accesses. */
    enum device_status (*reset)(void *self, struct device_error *e);
    /* Measure the time from the end of all launches before start() to the end of all launches before stop(). stop()
     * waits until the device is idle, and returns the faults of queued launches. */
    enum device_status (*start)(void *self, struct device_error *e);
    enum device_status (*stop)(void *self, double *nanoseconds, struct device_error *e);
};
/* Executes the plan of r. Sets all results except the printed output, the measurement, `work` and `effort`. */
void device_execute(struct device_run *r, const struct device_hands *hands, void *self);

#endif
