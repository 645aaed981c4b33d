// The properties that the device reports.
#include <cstdio>
int main() {
    int n, d, v, w;
    cudaDeviceProp p;
    cudaGetDeviceCount(&n), cudaSetDevice(0), cudaGetDevice(&d);
    cudaGetDeviceProperties(&p, d);
    cudaDeviceGetAttribute(&v, cudaDevAttrMultiProcessorCount, d);
    cudaDeviceGetAttribute(&w, cudaDevAttrWarpSize, d);
    printf("%d %d %d %d %d\n", n, d, v == p.multiProcessorCount, w, p.major); //= 1 0 1 32 9
    size_t left, all;
    cudaMemGetInfo(&left, &all);
    printf("%d %d\n", left == all, all == p.totalGlobalMem); //= 1 1
    int driver, runtime;
    cudaDriverGetVersion(&driver), cudaRuntimeGetVersion(&runtime);
    printf("%d %d\n", driver == runtime, runtime == CUDART_VERSION); //= 1 1
    printf("%s\n", cudaGetErrorName(cudaSetDevice(1))); //= cudaErrorInvalidDevice //! failed-call
    cudaGetLastError();
}
