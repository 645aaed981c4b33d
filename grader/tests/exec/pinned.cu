// Page-locked memory: asynchronous copies, and kernels that access it directly.
#include <cstdio>
__global__ void twice(int *p, int n) {
    int i = threadIdx.x;
    if (i < n) p[i] *= 2;
}
int main() {
    int *h, *m, *dm, *d;
    cudaMallocHost(&h, 64 * sizeof *h);
    cudaHostAlloc(&m, 64 * sizeof *m, cudaHostAllocMapped);
    cudaMalloc(&d, 64 * sizeof *d);
    for (int i = 0; i < 64; i++) h[i] = m[i] = i;
    cudaMemcpyAsync(d, h, 64 * sizeof *d, cudaMemcpyHostToDevice);
    twice<<<1, 64>>>(d, 64);
    cudaMemcpyAsync(h, d, 64 * sizeof *d, cudaMemcpyDeviceToHost);
    cudaHostGetDevicePointer(&dm, m, 0);
    twice<<<1, 64>>>(dm, 64);
    cudaDeviceSynchronize();
    printf("%d %d\n", h[63], m[32]); //= 126 64
    unsigned flags;
    printf("%d\n", cudaHostGetFlags(&flags, h)); //= 0
    cudaFreeHost(h), cudaFreeHost(m), cudaFree(d);
}
