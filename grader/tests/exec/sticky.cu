// A failed assertion ends all work of the device: every later call returns the error.
#include <cassert>
#include <cstdio>
__global__ void check(const int *p) { assert(p[threadIdx.x] < 3); } //! trap
int main() {
    int *p, h[4] = {0, 1, 2, 3};
    cudaMalloc(&p, sizeof h);
    cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice);
    check<<<1, 4>>>(p); //! kernel-stopped
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));      //= cudaSuccess
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize())); //= cudaErrorAssert
    printf("%s\n", cudaGetErrorName(cudaFree(p)));             //= cudaErrorAssert
    cudaGetLastError();
    cudaFree(p); /* fails with the error that the program has already seen */
} //$ 1
