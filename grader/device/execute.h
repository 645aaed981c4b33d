/* The one interpreter of plans, over what a device can do with its memory. */
#ifndef DEVICE_EXECUTE_H
#define DEVICE_EXECUTE_H

#include "device/device.h"

struct device_launch {
    unsigned module; /* number among the run's */
    const char *kernel;
    uint32_t grid[3], block[3], cluster[3], dynamic_shared; /* cluster: 0: as the kernel was compiled */
    const void *const *params;                              /* one pointer a parameter, as cuLaunchKernel takes them */
    const uint32_t *param_bytes;
    unsigned param_count;
    const uint32_t *sample; /* as in struct sim_launch; NULL: all blocks run alike */
    uint32_t sample_count;
    const void *const *idle_params;
    bool queued; /* it is not waited for: its faults may show later */
};
/* `self` is the memory of one run. The last three are of devices that time, and NULL elsewhere; `make` of those that
 * need not hold all of a buffer. */
struct device_hands {
    enum device_status (*alloc)(void *self, const char *name, uint64_t bytes, unsigned flags /* SIM_... */,
                                uint64_t *address, struct device_error *e);
    enum device_status (*write)(void *self, uint64_t address, const void *from, uint64_t bytes, struct device_error *e);
    enum device_status (*read)(void *self, uint64_t address, void *to, uint64_t bytes, struct device_error *e);
    /* `pattern`, `period` bytes, again and again over `bytes` bytes. */
    enum device_status (*fill)(void *self, uint64_t address, uint64_t bytes, const void *pattern, uint64_t period,
                               struct device_error *e);
    enum device_status (*launch)(void *self, const struct device_launch *l, struct device_error *e);
    /* A variable of module 0, by its PTX name. */
    enum device_status (*variable)(void *self, const char *name, uint64_t *address, uint64_t *bytes,
                                   struct device_error *e);
    enum device_status (*make)(void *self, uint64_t address, struct sim_maker maker, struct device_error *e);
    /* Cache lines that earlier launches have marked to stay go like all others, and no part of the cache is set aside.
     */
    enum device_status (*reset)(void *self, struct device_error *e);
    /* The clock runs from the end of all that was launched before start() to the end of all that was launched before
     * stop(), which waits until the whole device is idle. Faults of queued launches show in stop(). */
    enum device_status (*start)(void *self, struct device_error *e);
    enum device_status (*stop)(void *self, double *nanoseconds, struct device_error *e);
};
/* Fills in what came of r, except for what is printed and measured. */
void device_execute(struct device_run *r, const struct device_hands *hands, void *self);

#endif
