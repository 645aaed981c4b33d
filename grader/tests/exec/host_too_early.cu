// Managed and page-locked memory that the host accesses while the GPU may still use it.
#include <cstdio>
__global__ void fill(int *p, int n) {
    if (threadIdx.x < n) p[threadIdx.x] = threadIdx.x;
}
__global__ void copy(const int *p, int *q) { q[threadIdx.x] = p[threadIdx.x]; }
int main() {
    int *m, *h, *d;
    cudaMallocManaged(&m, 4096 * sizeof *m), cudaMallocHost(&h, 64 * sizeof *h), cudaMalloc(&d, 64 * sizeof *d);
    fill<<<1, 64>>>(m, 64);
    int a = m[5]; //! host-too-early
    cudaDeviceSynchronize();
    int b = m[5];
    fill<<<1, 64>>>(m, 64);
    m[100] = 1; /* not written by the kernel */
    cudaDeviceSynchronize();
    fill<<<1, 64>>>(m, 64);
    copy<<<1, 64>>>(m, d); /* only reads what the earlier kernel writes */
    a += m[5]; //! host-too-early
    cudaDeviceSynchronize();
    fill<<<1, 64>>>(d, 64);
    cudaMemcpyAsync(h, d, 64 * sizeof *h, cudaMemcpyDeviceToHost);
    int c = h[7]; //! host-too-early
    cudaDeviceSynchronize();
    cudaMemcpyAsync(d, h, 64 * sizeof *h, cudaMemcpyHostToDevice);
    int e = h[8];
    h[9] = 1; //! host-too-early
    cudaDeviceSynchronize();
    cudaEvent_t begin, end;
    float time;
    cudaEventCreate(&begin), cudaEventCreate(&end), cudaEventRecord(begin);
    fill<<<1, 64>>>(d, 64);
    cudaEventRecord(end);
    cudaEventElapsedTime(&time, begin, end); //! event-too-early
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&time, begin, end);
    cudaEventDestroy(begin), cudaEventDestroy(end);
    printf("%d %d %d %d\n", a, b, c, e); //= 10 5 7 8
    cudaFree(m), cudaFreeHost(h), cudaFree(d);
} //$ 1
