// A launch that may start before the stream's previous kernel has ended.
//> 90
#include <cstdio>
__global__ void fill(int *p, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = i;
    cudaTriggerProgrammaticLaunchCompletion();
}
__global__ void waits(const int *from, int *to, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    cudaGridDependencySynchronize();
    if (i < n) to[i] = from[n - 1 - i];
}
__global__ void waits_late(const int *from, int *to, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int value = i < n ? from[n - 1 - i] : 0;
    cudaGridDependencySynchronize();
    if (i < n) to[i] = value;
}
template <typename K>
void launch(K kernel, cudaStream_t s, const int *from, int *to, int n) {
    cudaLaunchAttribute overlap = {};
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t c = {};
    c.gridDim = 4, c.blockDim = 256, c.stream = s, c.attrs = &overlap, c.numAttrs = 1;
    if (cudaLaunchKernelEx(&c, kernel, from, to, n)) puts("failed");
}
int main() {
    int *a, *b, h[1000];
    cudaStream_t s;
    cudaMalloc(&a, sizeof h), cudaMalloc(&b, sizeof h);
    cudaStreamCreate(&s);
    fill<<<4, 256, 0, s>>>(a, 1000);
    launch(waits, s, a, b, 1000);
    cudaMemcpyAsync(h, b, sizeof h, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s);
    printf("%d\n", h[0]); //= 999
    fill<<<4, 256, 0, s>>>(a, 1000);
    launch(waits_late, s, a, b, 1000); //! overlap-race
    cudaStreamSynchronize(s);
    cudaStreamDestroy(s);
    cudaFree(a), cudaFree(b);
} //$ 1
