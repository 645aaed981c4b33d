// Virtual memory management: a buffer that grows in place, and memory at two addresses.
#include <cstdio>
#include <cuda.h>
__global__ void fill(int *p, int from, int to) {
    const int i = from + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < to) p[i] = i; //! out-of-bounds
}
static CUmemAllocationProp on_device() {
    CUmemAllocationProp p = {};
    p.type = CU_MEM_ALLOCATION_TYPE_PINNED, p.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    return p;
}
static const CUmemAllocationProp where = on_device();
static CUmemGenericAllocationHandle add(CUdeviceptr p, size_t bytes) {
    CUmemGenericAllocationHandle memory;
    CUmemAccessDesc access = {where.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    cuMemCreate(&memory, bytes, &where, 0); //! leak
    cuMemMap(p, bytes, 0, memory, 0);
    cuMemSetAccess(p, bytes, &access, 1);
    return memory;
}
int main() {
    size_t page;
    CUdeviceptr p, q;
    int h[2];
    cudaFree(0);
    cuMemGetAllocationGranularity(&page, &where, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
    const int n = page / sizeof(int);
    cuMemAddressReserve(&p, 8 * page, 0, 0, 0), cuMemAddressReserve(&q, page, 0, 0, 0);
    const CUmemGenericAllocationHandle first = add(p, page);
    fill<<<2, 256>>>((int *)p, n - 256, n + 1);
    const CUmemGenericAllocationHandle second = add(p + page, page);
    fill<<<2, 256>>>((int *)p, n - 256, n + 1);
    cudaMemcpy(h, (int *)p + n - 1, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0] - n, h[1] - n); //= -1 0
    CUmemAccessDesc access = {where.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    cuMemMap(q, page, 0, second, 0), cuMemSetAccess(q, page, &access, 1);
    cudaMemcpy(h, (int *)q, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0] - n, cuMemAddressFree(q, page)); //= 0 1 //! failed-call
    printf("%d\n", cuMemUnmap(p + page, 2 * page)); //= 1 //! failed-call
    cuMemUnmap(p, page), cuMemUnmap(p + page, page), cuMemUnmap(q, page);
    cuMemRelease(second), cuMemAddressFree(p, 8 * page), cuMemAddressFree(q, page);
    (void)first;
} //$ 1
