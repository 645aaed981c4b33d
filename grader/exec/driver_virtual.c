/* Virtual memory management: reserved addresses, physical memory, and mappings (virtual.c). */
#include "exec/driver.h"
#include <string.h>

static CUresult ask(const char *call, enum exec_virtual what, const uint64_t a[4], uint64_t *answer) {
    struct ask q = {.call = call, .op = EXEC_VIRTUAL, .a = {what, a[0], a[1], a[2], a[3]}};
    DRIVER_ENTER(call);
    const CUresult error = driver_result(cudart_ask(&q));
    if (!error && answer) *answer = q.answer[0];
    return error;
}
#define ASK(what, answer, ...) ask(__func__, what, (const uint64_t[4]){__VA_ARGS__}, answer)
static bool is_usual(const CUmemAllocationProp *p) {
    return p && p->type == CU_MEM_ALLOCATION_TYPE_PINNED && p->location.type == CU_MEM_LOCATION_TYPE_DEVICE &&
           !p->location.id;
}
CUresult cuMemGetAllocationGranularity(size_t *bytes, const CUmemAllocationProp *p,
                                       CUmemAllocationGranularity_flags which) {
    DRIVER_NEEDS(__func__, bytes && is_usual(p));
    *bytes = EXEC_PAGE;
    return CUDA_SUCCESS;
}
CUresult cuMemAddressReserve(CUdeviceptr *p, size_t bytes, size_t align, CUdeviceptr wanted, unsigned long long flags) {
    uint64_t address;
    DRIVER_NEEDS(__func__, p && !(align & (align - 1)));
    const CUresult error = ASK(EXEC_RESERVE, &address, bytes);
    if (!error) *p = address;
    return error;
}
CUresult cuMemAddressFree(CUdeviceptr p, size_t bytes) { return ASK(EXEC_UNRESERVE, NULL, p, bytes); }
CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t bytes, const CUmemAllocationProp *p,
                     unsigned long long flags) {
    uint64_t made;
    DRIVER_NEEDS(__func__, handle && is_usual(p));
    const CUresult error = ASK(EXEC_CREATE, &made, bytes);
    if (!error) *handle = made;
    return error;
}
CUresult cuMemRelease(CUmemGenericAllocationHandle handle) { return ASK(EXEC_DROP, NULL, handle); }
CUresult cuMemMap(CUdeviceptr p, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long flags) {
    return ASK(EXEC_MAP, NULL, p, bytes, offset, handle);
}
CUresult cuMemUnmap(CUdeviceptr p, size_t bytes) { return ASK(EXEC_UNMAP, NULL, p, bytes); }
CUresult cuMemSetAccess(CUdeviceptr p, size_t bytes, const CUmemAccessDesc *d, size_t count) {
    DRIVER_NEEDS(__func__, d && count);
    return ASK(EXEC_ACCESS, NULL, p, bytes);
}
