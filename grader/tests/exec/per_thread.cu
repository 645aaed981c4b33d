// Per-thread default streams.
//+ --default-stream=per-thread
#include <cstdio>
#include <thread>
__global__ void add(int *p, int x) { p[threadIdx.x] += x; }
static void work(int x, int *result) {
    int *d, h[32];
    cudaMalloc(&d, sizeof h), cudaMemset(d, 0, sizeof h);
    for (int k = 0; k < 3; k++) add<<<1, 32>>>(d, x);
    cudaMemcpyAsync(h, d, sizeof h, cudaMemcpyDeviceToHost), cudaStreamSynchronize(0);
    *result = h[31], cudaFree(d);
}
int main() {
    int result[2];
    std::thread a(work, 1, &result[0]), b(work, 2, &result[1]);
    a.join(), b.join();
    printf("%d %d\n", result[0], result[1]); //= 3 6
}
