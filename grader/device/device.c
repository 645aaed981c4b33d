/* The table of devices. */
#include "device/device.h"
#include <string.h>

extern const struct device device_sim, device_cuda;
const struct device *const device_rows[] = {&device_sim, &device_cuda};
const unsigned device_row_count = sizeof device_rows / sizeof *device_rows;

const struct device *device_find(const char *name) {
    for (unsigned k = 0; k < device_row_count; k++)
        if (!strcmp(device_rows[k]->name, name)) return device_rows[k];
    return NULL;
}
