// Copies of tiles by tensor maps: transposing a padded matrix, all ranks, swizzles, edges, sums, and invalid maps. //> 90
#include <cstdint>
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>
#define AT(p) (unsigned)__cvta_generic_to_shared(p)
__device__ void begin(uint64_t *full, unsigned bytes) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(AT(full)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(AT(full)), "r"(bytes) : "memory");
}
__device__ void wait(uint64_t *full) {
    unsigned over = 0;
    while (!over)
        asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p;}"
                     : "=r"(over) : "r"(AT(full)) : "memory");
}
#define LOAD(d, at, ...)                                                                                                \
    asm volatile("cp.async.bulk.tensor." d ".shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, " at   \
                 "], [%2];" ::"r"(AT(s)), "l"(&map), "r"(AT(&full)), __VA_ARGS__ : "memory")
__device__ void end_store() {
    asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
}
// A block copies a tile of any rank to `out`, with the layout of shared memory. The first coordinate is 4 * at; the others are `at`.
__global__ void show(const __grid_constant__ CUtensorMap map, int rank, int at, unsigned bytes, float *out) {
    __shared__ __align__(1024) float s[1024];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        begin(&full, bytes);
        const int x = 4 * at; // a multiple of 16 bytes, as the first coordinate must be
        if (rank == 1) LOAD("1d", "{%3}", "r"(x));
        if (rank == 2) LOAD("2d", "{%3, %4}", "r"(x), "r"(at));
        if (rank == 3) LOAD("3d", "{%3, %4, %4}", "r"(x), "r"(at));
        if (rank == 4) LOAD("4d", "{%3, %4, %4, %4}", "r"(x), "r"(at));
        if (rank == 5) LOAD("5d", "{%3, %4, %4, %4, %4}", "r"(x), "r"(at));
    }
    __syncthreads();
    wait(&full);
    for (unsigned k = threadIdx.x; k < bytes / 4; k += blockDim.x) out[k] = s[k];
}
// Each block moves a tile of 32x32 to its transposed place. Elements outside the tensor are not copied.
__global__ void transpose(const __grid_constant__ CUtensorMap map, const __grid_constant__ CUtensorMap to) {
    __shared__ __align__(128) float s[32 * 32], turned[32 * 32];
    __shared__ uint64_t full;
    const int t = threadIdx.x, x = 32 * blockIdx.x, y = 32 * blockIdx.y;
    if (t == 0) {
        begin(&full, sizeof s);
        LOAD("2d", "{%3, %4}", "r"(x), "r"(y));
    }
    __syncthreads();
    wait(&full);
    for (int r = 0; r < 32; r++) turned[32 * r + t] = s[32 * t + r];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0) {
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&to),
                     "r"(y), "r"(x), "r"(AT(turned)) : "memory");
        end_store();
    }
}
// Each block adds its 16 numbers to the same tile.
__global__ void add(const __grid_constant__ CUtensorMap map) {
    __shared__ __align__(128) float s[16];
    s[threadIdx.x] = blockIdx.x + 1;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group [%0, {%1}], [%2];" ::"l"(&map),
                     "r"(4), "r"(AT(s)) : "memory");
        end_store();
    }
}
// Without the fence, the copy might read old values instead of those that the threads stored.
__global__ void unfenced(const __grid_constant__ CUtensorMap map) {
    __shared__ __align__(128) float s[16];
    s[threadIdx.x] = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [%0, {%1}], [%2];" ::"l"(&map),
                     "r"(0), "r"(AT(s)) : "memory"); //! proxy-fence
        end_store();
    }
}
typedef CUresult (*encoder)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *,
                            const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle,
                            CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
static encoder encode;
static CUtensorMap map_of(float *at, unsigned rank, const cuuint64_t *size, const cuuint64_t *stride, const cuuint32_t *box,
                          const cuuint32_t *step, CUtensorMapSwizzle swizzle) {
    CUtensorMap m;
    CUresult e = encode(&m, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, rank, at, size, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE, //! failed-call
                        swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (e) printf("error %d\n", e);
    return m;
}
int main() {
    enum { N = 4096, W = 48, H = 40 };
    float h[N], back[N], *d, *out;
    cudaDriverEntryPointQueryResult found;
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", (void **)&encode, 12000, cudaEnableDefault, &found);
    printf("%d\n", found); //= 0
    for (int k = 0; k < N; k++) h[k] = k;
    cudaMalloc(&d, sizeof h), cudaMalloc(&out, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    cuuint64_t sizes[5] = {20, 5, 4, 3, 2}, strides[4] = {96, 480, 1920, 5760};
    cuuint32_t boxes[5] = {8, 2, 2, 2, 2}, ones[5] = {1, 1, 1, 1, 1}, steps[5] = {1, 2, 1, 1, 1};
    const cuuint32_t all[5] = {8, 4, 2, 2, 2};
    for (unsigned rank = 1; rank <= 5; rank++) {
        CUtensorMap m = map_of(d, rank, sizes, strides, boxes, ones, CU_TENSOR_MAP_SWIZZLE_NONE);
        const unsigned bytes = 32 << (rank - 1);
        show<<<1, 32>>>(m, rank, 1, bytes, out);
        cudaMemcpy(back, out, bytes, cudaMemcpyDeviceToHost);
        double sum = 0;
        for (unsigned k = 0; k < bytes / 4; k++) sum += (k + 1) * back[k];
        printf("%u: %g %g %g\n", rank, back[0], back[bytes / 4 - 1], sum);
    } //= 1: 4 11 312
    //= 2: 28 59 6768
    //= 3: 148 299 135072
    //= 4: 628 1259 2.24237e+06
    //= 5: 2068 0 5.23757e+06
    CUtensorMap m = map_of(d, 2, sizes, strides, all, steps, CU_TENSOR_MAP_SWIZZLE_NONE); // every other row
    show<<<1, 32>>>(m, 2, 2, 64, out);
    cudaMemcpy(back, out, 64, cudaMemcpyDeviceToHost);
    printf("%g %g %g\n", back[0], back[7], back[8]); //= 56 63 104
    m = map_of(d, 2, sizes, strides, all, ones, CU_TENSOR_MAP_SWIZZLE_NONE); // partly outside, on two sides
    show<<<1, 32>>>(m, 2, -1, 128, out);
    cudaMemcpy(back, out, 128, cudaMemcpyDeviceToHost);
    printf("%g %g %g %g %g\n", back[0], back[8], back[12], back[15], back[31]); //= 0 0 0 3 51
    for (int s = 1; s <= 3; s++) { // rows of 32, 64 and 128 bytes
        const cuuint64_t size[2] = {64, 64}, stride[1] = {256};
        const cuuint32_t box[2] = {4u << s, 8};
        m = map_of(d, 2, size, stride, box, ones, (CUtensorMapSwizzle)s);
        show<<<1, 32>>>(m, 2, 0, 128 << s, out);
        cudaMemcpy(back, out, 128 << s, cudaMemcpyDeviceToHost);
        double sum = 0;
        for (int k = 0; k < 32 << s; k++) sum += (k + 1) * back[k];
        printf("%g %g %g %g\n", back[(32 << s) - 4], back[(32 << s) / 2], back[12], sum);
    } //= 448 260 68 645312
    //= 448 264 12 2.59955e+06
    //= 448 272 12 1.06314e+07
    const cuuint64_t size[2] = {W, H}, stride[1] = {4 * W}, turned[2] = {H, W}, across[1] = {4 * H};
    const cuuint32_t box[2] = {32, 32};
    cudaMemset(out, 0xff, sizeof h);
    transpose<<<dim3(2, 2), 32>>>(map_of(d, 2, size, stride, box, ones, CU_TENSOR_MAP_SWIZZLE_NONE),
                                  map_of(out, 2, turned, across, box, ones, CU_TENSOR_MAP_SWIZZLE_NONE));
    cudaMemcpy(back, out, sizeof h, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) wrong += back[x * H + y] != h[y * W + x];
    printf("%d %d\n", wrong, back[W * H] != back[W * H]); //= 0 1
    const cuuint64_t n[1] = {18};
    const cuuint32_t sixteen[1] = {16};
    cudaMemset(out, 0, 128);
    add<<<10, 16>>>(map_of(out, 1, n, strides, sixteen, ones, CU_TENSOR_MAP_SWIZZLE_NONE));
    cudaMemcpy(back, out, 128, cudaMemcpyDeviceToHost);
    printf("%g %g %g %g %g\n", back[3], back[4], back[17], back[19], back[20]); //= 0 55 55 55 0
    unfenced<<<1, 16>>>(map_of(out, 1, n, strides, sixteen, ones, CU_TENSOR_MAP_SWIZZLE_NONE));
    printf("%d\n", cudaDeviceSynchronize()); //= 0
    map_of(d + 1, 2, size, stride, box, ones, CU_TENSOR_MAP_SWIZZLE_NONE); //= error 1
    map_of(d, 2, size, stride, box, ones, CU_TENSOR_MAP_SWIZZLE_64B); //= error 1
    cudaFree(d), cudaFree(out);
} //$ 1
