// Memory that is allocated and freed in stream order, and its use in another stream.
#include <cstdio>
__global__ void set(int *p, int n) {
    if (threadIdx.x < n) p[threadIdx.x] = threadIdx.x;
}
int main() {
    int *p, h[64];
    size_t before, after, all;
    cudaStream_t s, t;
    cudaStreamCreate(&s), cudaStreamCreate(&t);
    cudaMemGetInfo(&before, &all);
    for (int k = 0; k < 3; k++) {
        cudaMallocAsync(&p, sizeof h, s);
        set<<<1, 64, 0, s>>>(p, 64);
        cudaMemcpyAsync(h, p, sizeof h, cudaMemcpyDeviceToHost, s);
        cudaFreeAsync(p, s);
    }
    cudaStreamSynchronize(s);
    cudaMemGetInfo(&after, &all);
    printf("%d %d\n", h[63], before == after); //= 63 1
    cudaMallocAsync(&p, sizeof h, s);
    set<<<1, 64, 0, t>>>(p, 64); //! stream-race
    cudaFreeAsync(p, s);         //! stream-race
    cudaDeviceSynchronize();
    cudaStreamDestroy(s), cudaStreamDestroy(t);
} //$ 1
