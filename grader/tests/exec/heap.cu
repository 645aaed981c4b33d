// Memory that kernels allocate persists between launches. It must be freed before the program ends.
#include <cstdio>
__device__ int *kept;
__global__ void take(int n) {
    kept = new int[n];
    for (int i = 0; i < n; i++) kept[i] = i;
}
__global__ void give(int *out, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += kept[i];
    *out = s;
    delete[] kept;
}
__global__ void leaks(int **p) {
    *p = new int(3); //! heap-leak
}
int main() {
    int *out, **pointer, h;
    cudaMalloc(&out, sizeof *out), cudaMalloc(&pointer, sizeof *pointer); // each buffer has its own name
    take<<<1, 1>>>(10);
    give<<<1, 1>>>(out, 10);
    cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h); //= 45
    leaks<<<1, 1>>>(pointer);
    cudaFree(out), cudaFree(pointer);
}
