// Two streams share a buffer without conflicts: atomics, alternating elements, columns. One pair of accesses conflicts.
#include <cstdio>
__global__ void count(int *p) { atomicAdd(p, 1); }
__global__ void every_second(int *p, int first, int v) { p[2 * threadIdx.x + first] = v; }
int main() {
    int *p, *h;
    cudaStream_t s, t;
    cudaMalloc(&p, 64 * sizeof *p), cudaMallocHost(&h, 64 * sizeof *h);
    cudaMemset(p, 0, 64 * sizeof *p);
    cudaStreamCreate(&s), cudaStreamCreate(&t);
    count<<<1, 32, 0, s>>>(p);
    count<<<1, 32, 0, t>>>(p);
    cudaDeviceSynchronize();
    every_second<<<1, 32, 0, s>>>(p, 0, 1);
    every_second<<<1, 32, 0, t>>>(p, 1, 2);
    cudaDeviceSynchronize();
    cudaMemcpy2DAsync(h, 32, p, 32, 16, 8, cudaMemcpyDeviceToHost, s);
    cudaMemcpy2DAsync(h + 4, 32, p + 4, 32, 16, 8, cudaMemcpyDeviceToHost, t);
    cudaDeviceSynchronize();
    printf("%d %d\n", h[0] + h[1], h[62] + h[63]); //= 3 3
    every_second<<<1, 32, 0, s>>>(p, 0, 3);
    every_second<<<1, 32, 0, t>>>(p, 0, 4); //! stream-race
    cudaDeviceSynchronize();
    cudaStreamDestroy(s), cudaStreamDestroy(t), cudaFree(p), cudaFreeHost(h);
} //$ 1
