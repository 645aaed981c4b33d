// The resources of a kernel, and the number of resident blocks.
#include <cstdio>
__global__ void plain(float *p) { p[threadIdx.x] = 0; }
__global__ void __launch_bounds__(256) large(float *p) {
    __shared__ float s[8192];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = s[255 - threadIdx.x];
}
int main() {
    int few, many, grid, block;
    cudaFuncAttributes a;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&many, plain, 128, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&few, large, 256, 0);
    cudaOccupancyMaxPotentialBlockSize(&grid, &block, plain);
    cudaFuncGetAttributes(&a, large);
    printf("%d %d\n", many, few); //= 16 6
    printf("%d %d\n", grid > 0, block); //= 1 1024
    printf("%zu %d\n", a.sharedSizeBytes, a.maxThreadsPerBlock); //= 32768 256
}
