/* An example of a device: the simulator, which also prints the number of launches of each plan to standard error.
 * check_additions adds it to a copy of the kit. */
#include "device/device.h"

#include <stdio.h>

extern const struct device device_sim, device_mirror;

static enum device_status mirror_present(struct device_error *e) { return device_sim.present(e); }
static enum device_status mirror_load(const char *ptx, size_t length, const char *name, struct device_module **m,
                                      struct device_error *e) {
    return device_sim.load(ptx, length, name, m, e);
}
static void mirror_unload(struct device_module *m) { device_sim.unload(m); }
static void mirror_run(struct device_run *runs, unsigned count) {
    device_sim.run(runs, count);
    for (unsigned k = 0; k < count; k++) fprintf(stderr, "mirror: %u launches\n", runs[k].launch);
}
static enum device_status mirror_variable(struct device_module *m, const char *name, void *to, uint64_t room,
                                          uint64_t *bytes, struct device_error *e) {
    return device_sim.variable(m, name, to, room, bytes, e);
}
const struct device device_mirror = {.name = "mirror",
                                     .summary = "the simulator, counting launches",
                                     .measures = true,
                                     .present = mirror_present,
                                     .load = mirror_load,
                                     .unload = mirror_unload,
                                     .run = mirror_run,
                                     .variable = mirror_variable};
