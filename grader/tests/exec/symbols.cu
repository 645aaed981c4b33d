// Copies to and from module variables.
#include <cstdio>
__constant__ float factor[4];
__device__ int counter = 5;
__device__ double table[8];
__global__ void use(float *out) {
    out[threadIdx.x] = factor[threadIdx.x % 4];
    if (threadIdx.x < 8) table[threadIdx.x] = 0.5;
    atomicAdd(&counter, 1);
}
int main() {
    float f[4] = {1, 2, 3, 4}, *out, back[32];
    double d;
    int c;
    size_t bytes;
    void *at;
    cudaMalloc(&out, sizeof back);
    cudaMemcpyToSymbol(factor, f, sizeof f);
    cudaMemcpyToSymbol(factor, f, 4, 12);
    use<<<1, 32>>>(out);
    cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&c, counter, sizeof c);
    cudaMemcpyFromSymbol(&d, table, sizeof d, 8 * 7);
    cudaGetSymbolSize(&bytes, table);
    cudaGetSymbolAddress(&at, counter);
    cudaMemset(at, 0, sizeof c);
    int zero = 1;
    cudaMemcpy(&zero, at, sizeof zero, cudaMemcpyDeviceToHost);
    printf("%g %g %d %g %zu %d\n", back[1], back[3], c, d, bytes, zero); //= 2 1 37 0.5 64 0
    cudaFree(out);
}
