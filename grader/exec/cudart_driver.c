/* Looks up functions of the driver API by name. */
#include "exec/cudart.h"
#include <dlfcn.h>
#include <string.h>

static cudaError_t entry_point(const char *call, const char *symbol, void **function,
                               enum cudaDriverEntryPointQueryResult *status) {
    void *(*find)(const char *) = NULL;
    if (!symbol || !function) return cudart_refuse(call, cudaErrorInvalidValue, NULL);
    *(void **)(&find) = dlsym(RTLD_DEFAULT, "cudriver_find");
    *function = find ? find(symbol) : NULL;
    if (status) *status = *function ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
    if (*function) return cudaSuccess;
    return cudart_refuse(call, cudaErrorSymbolNotFound, "The simulator's driver API has no function of this name.");
}
cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags,
                                    enum cudaDriverEntryPointQueryResult *status) {
    return entry_point("cudaGetDriverEntryPoint", symbol, function, status);
}
cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned version,
                                             unsigned long long flags, enum cudaDriverEntryPointQueryResult *status) {
    return entry_point("cudaGetDriverEntryPointByVersion", symbol, function, status);
}
