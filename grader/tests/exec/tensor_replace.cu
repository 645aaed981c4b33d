// A kernel creates a tensor map from another tensor map in shared memory, and copies it to global memory. //> 90
#include <cstdint>
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>
#define AT(p) (unsigned)__cvta_generic_to_shared(p)
#define SET(field, type, c, value)                                                                                      \
    asm volatile("tensormap.replace.tile." field ".shared::cta.b1024." type " [%0], %1;" ::"l"(s), c(value) : "memory")
#define SET_AT(field, type, k, c, value)                                                                                \
    asm volatile("tensormap.replace.tile." field ".shared::cta.b1024." type " [%0], " #k ", %1;" ::"l"(s), c(value)     \
                 : "memory")
__global__ void change(const CUtensorMap *from, CUtensorMap *to, int *data, int width, int height) {
    __shared__ __align__(128) char map[128];
    ((int *)map)[threadIdx.x] = ((const int *)from)[threadIdx.x];
    __syncthreads();
    const uint64_t s = AT(map);
    if (threadIdx.x == 0) {
        SET("global_address", "b64", "l", (uint64_t)data);
        SET("rank", "b32", "n", 1);
        SET_AT("global_dim", "b32", 0, "r", width);
        SET_AT("global_dim", "b32", 1, "r", height);
        SET_AT("global_stride", "b64", 0, "l", (uint64_t)width * 4);
        SET_AT("box_dim", "b32", 0, "n", 4);
        SET_AT("box_dim", "b32", 1, "n", 2);
        SET_AT("element_stride", "b32", 1, "n", 1);
        SET("elemtype", "b32", "n", 3);
        SET("swizzle_mode", "b32", "n", 0);
        SET("interleave_layout", "b32", "n", 0);
        SET("fill_mode", "b32", "n", 0);
    }
    __syncwarp();
    asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], 128;" ::"l"(to),
                 "r"(AT(map)) : "memory");
}
__global__ void load(const CUtensorMap *map, int x, int y, int *out) {
    __shared__ __align__(128) int tile[8];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(map) : "memory");
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(AT(&full)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 32;" ::"r"(AT(&full)) : "memory");
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
                         AT(tile)), "l"(map), "r"(x), "r"(y), "r"(AT(&full)) : "memory");
    }
    __syncthreads();
    unsigned over = 0;
    while (!over)
        asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p;}"
                     : "=r"(over) : "r"(AT(&full)) : "memory");
    if (threadIdx.x < 8) out[threadIdx.x] = tile[threadIdx.x];
}
int main() {
    enum { W = 16, H = 6 };
    int h[W * H], back[8], *d, *out;
    CUtensorMap map, *maps;
    for (int k = 0; k < W * H; k++) h[k] = k;
    cudaMalloc(&d, sizeof h), cudaMalloc(&out, sizeof back), cudaMalloc(&maps, 2 * sizeof map);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    const cuuint64_t size[1] = {64}, unused[1] = {256};
    const cuuint32_t box[1] = {16}, one[1] = {1};
    printf("%d\n", cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 1, d, size, unused, box, one, //= 0
                                          CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                          CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
    cudaMemcpy(maps, &map, sizeof map, cudaMemcpyHostToDevice);
    change<<<1, 32>>>(maps, maps + 1, d, W, H);
    load<<<1, 32>>>(maps + 1, 4, 4, out);
    cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost);
    for (int k = 0; k < 8; k++) printf("%d%c", back[k], k < 7 ? ' ' : '\n'); //= 68 69 70 71 84 85 86 87
    cudaFree(d), cudaFree(out), cudaFree(maps);
    printf("%s\n", cudaGetErrorName(cudaGetLastError())); //= cudaSuccess
}
