// Copies whose direction does not match their arguments.
#include <cstdio>
int main() {
    int h[4] = {1, 2, 3, 4}, *d;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyHostToDevice); //! copy-direction
    cudaMemcpy(d, h, sizeof h, cudaMemcpyDeviceToHost); //! copy-direction
    cudaMemcpy(d, h, sizeof h, cudaMemcpyDeviceToDevice); //! copy-direction
    printf("%s\n", cudaGetErrorName(cudaGetLastError())); //= cudaErrorInvalidValue
    cudaFree(d);
} //$ 1
