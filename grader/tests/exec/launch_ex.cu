// Launches as current toolkits compile them, and a launch through cudaLaunchKernelExC().
#include <cstdio>
__global__ void put(int *p, int a, char b) {
    if (threadIdx.x == 0) p[blockIdx.x] = a + b + blockDim.x;
}
int main() {
    int *p, h[2], a = 100;
    char b = 1;
    cudaMalloc(&p, sizeof h);
    cudaLaunchConfig_t c = {};
    c.gridDim = 2, c.blockDim = 32;
    printf("%d\n", cudaLaunchKernelEx(&c, put, p, a, b)); //= 0
    cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[1]); //= 133 133
    void *arguments[] = {&p, &a, &b};
    printf("%d\n", cudaLaunchKernel((void *)put, 1, 64, arguments, 0, 0)); //= 0
    cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[1]); //= 165 133
    cudaFree(p);
}
