/* A GPU through the CUDA driver: not in this version of the kit. The row is here so that `--device cuda` can say so. */
#include "device/device.h"
#include <stdio.h>

static enum device_status cuda_present(struct device_error *e) {
    snprintf(e->message, sizeof e->message,
             "device cuda is not in this version of the kit: kernels run on the simulator, with the same verdict on "
             "every machine");
    return DEVICE_ABSENT;
}
extern const struct device device_cuda;
const struct device device_cuda = {
    .name = "cuda", .summary = "a GPU, through the CUDA driver", .times = true, .present = cuda_present};
