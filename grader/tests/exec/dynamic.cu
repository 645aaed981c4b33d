// More than 48 KiB of dynamic shared memory, with and without the attribute that permits it.
#include <cstdio>
__global__ void reverse(int *p, int n) {
    extern __shared__ int s[];
    for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = p[i];
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) p[i] = s[n - 1 - i];
}
int main() {
    const int n = 16384;
    static int h[n];
    int *d;
    for (int i = 0; i < n; i++) h[i] = i;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    reverse<<<1, 256, sizeof h>>>(d, n); //! bad-launch
    printf("%s\n", cudaGetErrorName(cudaGetLastError())); //= cudaErrorInvalidValue
    cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof h);
    reverse<<<1, 256, sizeof h>>>(d, n);
    printf("%s\n", cudaGetErrorName(cudaGetLastError())); //= cudaSuccess
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[n - 1]); //= 16383 0
    cudaFree(d);
} //$ 1
