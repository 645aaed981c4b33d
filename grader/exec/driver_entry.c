/* Looks up functions of the driver API (driver.def) by name, without the version suffix that cuda.h appends. */
#include "exec/driver.h"
#include <string.h>

static const struct {
    const char *name;
    void *function;
} functions[] = {
#define CALL(name) {#name, (void *)(uintptr_t)(name)},
#include "exec/driver.def"
};
/* Implements cudaGetDriverEntryPoint(). */
void *cudriver_find(const char *name);
void *cudriver_find(const char *name) {
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
        if (!strcmp(functions[k].name, name)) return functions[k].function;
    return NULL;
}
CUresult cuGetProcAddress(const char *name, void **function, int version, cuuint64_t flags,
                          CUdriverProcAddressQueryResult *status) {
    DRIVER_NEEDS("cuGetProcAddress", name && function);
    *function = cudriver_find(name);
    if (status) *status = *function ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    if (*function) return CUDA_SUCCESS;
    return driver_refuse("cuGetProcAddress", CUDA_ERROR_NOT_FOUND,
                         "The simulator's driver API has no function of this name.");
}
/* NVRTC asks for internal tables of the driver. Without them, it compiles without a cache. */
CUresult cuGetExportTable(const void **table, const CUuuid *id) { return CUDA_ERROR_NOT_FOUND; }
