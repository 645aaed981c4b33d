// A launch fails, and the program never checks the error.
#include <cstdio>
__global__ void add(int *p) { *p += 1; }
int main() {
    int *p, h = 0;
    cudaMalloc(&p, sizeof h);
    cudaMemset(p, 0, sizeof h);
    add<<<1, 2048>>>(p); //! bad-launch unseen-error
    cudaMemcpy(&h, p, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h); //= 0
    cudaFree(p);
} //$ 1
