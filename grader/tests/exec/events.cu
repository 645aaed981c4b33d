// Elapsed time is modeled time: more work takes longer, and the same work always takes the same time.
#include <cstdio>
__global__ void work(float *p, int turns) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = p[i];
    for (int k = 0; k < turns; k++) x = x * 0.5f + 1;
    p[i] = x;
}
float time_of(float *p, int turns) {
    cudaEvent_t a, b;
    float ms;
    cudaEventCreate(&a), cudaEventCreate(&b);
    cudaEventRecord(a);
    work<<<32, 128>>>(p, turns);
    cudaEventRecord(b);
    cudaEventSynchronize(b);
    cudaEventElapsedTime(&ms, a, b);
    cudaEventDestroy(a), cudaEventDestroy(b);
    return ms;
}
int main() {
    float *p;
    cudaMalloc(&p, 32 * 128 * sizeof *p);
    cudaMemset(p, 0, 32 * 128 * sizeof *p);
    time_of(p, 10);
    float few = time_of(p, 10), many = time_of(p, 2000), again = time_of(p, 2000);
    printf("%d %d %d\n", few > 0, many > few, many == again); //= 1 1 1
    cudaFree(p);
}
