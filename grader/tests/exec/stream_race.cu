// Two streams access a buffer without order, and then in the order that the default stream enforces.
#include <cstdio>
__global__ void fill(int *p, int v) { p[threadIdx.x] = v; }
__global__ void copy(const int *a, int *b) { b[threadIdx.x] = a[threadIdx.x]; }
int main() {
    int *a, *b, h[32];
    cudaStream_t s, t;
    cudaMalloc(&a, sizeof h), cudaMalloc(&b, sizeof h);
    cudaStreamCreate(&s), cudaStreamCreate(&t);
    fill<<<1, 32, 0, s>>>(a, 1);
    copy<<<1, 32, 0, t>>>(a, b); //! stream-race
    cudaDeviceSynchronize();
    fill<<<1, 32, 0, s>>>(a, 2);
    copy<<<1, 32>>>(a, b);
    fill<<<1, 32, 0, t>>>(b, 3);
    cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h[0]); //= 3
    cudaStreamDestroy(s), cudaStreamDestroy(t), cudaFree(a), cudaFree(b);
} //$ 1
