// Copies past the end: with a wrong count, with a wrong offset, and of a symbol.
#include <cstdio>
__device__ float table[4];
int main() {
    static float h[400];
    float *d;
    cudaMalloc(&d, 100);
    cudaMemcpy(d, h, 100 * sizeof *d, cudaMemcpyHostToDevice); //! copy-size
    cudaMemcpy(d + 20, h, 24, cudaMemcpyHostToDevice); //! copy-size
    cudaMemset(d, 0, 101); //! copy-size
    cudaMemcpyToSymbol(table, h, 20); //! copy-size
    cudaMemcpy(d, h, 100, cudaMemcpyHostToDevice);
    printf("%s\n", cudaGetErrorName(cudaGetLastError())); //= cudaErrorInvalidValue
    cudaFree(d);
} //$ 1
