// Coordinates for which an H100 ends the launch with an illegal instruction: a first coordinate that is not a multiple of 16 bytes, and a negative first coordinate in a store. //> 90 //$ 1
#include <cstdint>
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>
#define AT(p) (unsigned)__cvta_generic_to_shared(p)
__global__ void load(const __grid_constant__ CUtensorMap map, int x, float *out) {
    __shared__ __align__(128) float tile[8];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(AT(&full)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(AT(&full)), "r"(x % 4 ? 0 : 32) : "memory");
        asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];" ::"r"(AT(tile)),
                     "l"(&map), "r"(x), "r"(AT(&full)) : "memory"); //! mbarrier
    }
    __syncthreads();
    unsigned over = 0;
    while (!over)
        asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p;}"
                     : "=r"(over) : "r"(AT(&full)) : "memory");
    if (threadIdx.x < 8) out[threadIdx.x] = x % 4 ? 0 : tile[threadIdx.x];
}
__global__ void store(const __grid_constant__ CUtensorMap map, int x) {
    __shared__ __align__(128) float tile[8];
    if (threadIdx.x < 8) tile[threadIdx.x] = 7;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0)
        asm volatile("cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [%0, {%1}], [%2];" ::"l"(&map), "r"(x), "r"(AT(tile)) : "memory"); //! mbarrier
    asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
}
int main() {
    float h[64], back[8], *d, *out;
    CUtensorMap map;
    const cuuint64_t size[1] = {64}, unused[1] = {256};
    const cuuint32_t box[1] = {8}, one[1] = {1};
    for (int k = 0; k < 64; k++) h[k] = k;
    cudaMalloc(&d, sizeof h), cudaMalloc(&out, sizeof back);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    for (const cuuint64_t *strides : {(const cuuint64_t *)nullptr, unused})
        printf("%d\n", cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 1, d, size, strides, box, one, //= 1 //! failed-call
                                              CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, //= 0
                                              CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
    load<<<1, 32>>>(map, 12, out);
    cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost);
    printf("%g %g\n", back[0], back[7]); //= 12 19
    store<<<1, 32>>>(map, 56);
    cudaMemcpy(back, d + 56, sizeof back, cudaMemcpyDeviceToHost);
    printf("%g %g\n", back[0], back[7]); //= 7 7
    store<<<1, 32>>>(map, -4);
    load<<<1, 32>>>(map, 13, out);
    cudaDeviceSynchronize();
    cudaFree(d), cudaFree(out);
}
