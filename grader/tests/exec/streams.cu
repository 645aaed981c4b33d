// Two streams that an event orders, and two that access different halves of a buffer.
#include <cstdio>
__global__ void fill(int *p, int value, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = value;
}
__global__ void add(const int *from, int *to, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] += from[i];
}
int main() {
    const int n = 512;
    int *a, *b, *h;
    cudaStream_t s, t;
    cudaEvent_t filled;
    cudaMalloc(&a, n * sizeof *a), cudaMalloc(&b, n * sizeof *b);
    cudaMallocHost(&h, n * sizeof *h);
    cudaStreamCreate(&s), cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&filled, cudaEventDisableTiming);
    fill<<<1, n, 0, s>>>(a, 3, n);
    cudaEventRecord(filled, s);
    fill<<<1, n, 0, t>>>(b, 4, n);
    cudaStreamWaitEvent(t, filled, 0);
    add<<<1, n, 0, t>>>(a, b, n);
    cudaMemcpyAsync(h, b, n * sizeof *h, cudaMemcpyDeviceToHost, t);
    cudaStreamSynchronize(t);
    printf("%d %d\n", h[0], h[n - 1]); //= 7 7
    fill<<<1, n / 2, 0, s>>>(a, 1, n / 2);
    fill<<<1, n / 2, 0, t>>>(a + n / 2, 2, n / 2);
    cudaDeviceSynchronize();
    cudaMemcpy(h, a, n * sizeof *h, cudaMemcpyDeviceToHost);
    printf("%d %d %d\n", h[255], h[256], cudaStreamQuery(s)); //= 1 2 0
    cudaStreamDestroy(s), cudaStreamDestroy(t), cudaEventDestroy(filled);
    cudaFree(a), cudaFree(b), cudaFreeHost(h);
}
