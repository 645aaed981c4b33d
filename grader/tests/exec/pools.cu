// Memory pools: the default pool and a new pool, their attributes, and allocations from both.
#include <cstdio>
__global__ void number(int *p) { p[threadIdx.x] = threadIdx.x; }
int main() {
    cudaMemPool_t usual, own, now;
    unsigned long long most = 1 << 20, read = 0;
    int reuse = 0, *p, *q, h[64];
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaDeviceGetDefaultMemPool(&usual, 0);
    cudaMemPoolSetAttribute(usual, cudaMemPoolAttrReleaseThreshold, &most);
    cudaMemPoolGetAttribute(usual, cudaMemPoolAttrReleaseThreshold, &read);
    cudaMemPoolGetAttribute(usual, cudaMemPoolReuseAllowOpportunistic, &reuse);
    cudaMemPoolProps made = {};
    made.allocType = cudaMemAllocationTypePinned, made.location.type = cudaMemLocationTypeDevice;
    cudaMemPoolCreate(&own, &made);
    cudaDeviceSetMemPool(0, own);
    cudaDeviceGetMemPool(&now, 0);
    printf("%llu %d %d\n", read, reuse, now == own); //= 1048576 1 1
    cudaMallocFromPoolAsync((void **)&p, sizeof h, own, s);
    cudaMallocAsync((void **)&q, sizeof h, s); //! leak
    number<<<1, 64, 0, s>>>(p);
    number<<<1, 64, 0, s>>>(q);
    cudaMemcpyAsync(h, p, sizeof h, cudaMemcpyDeviceToHost, s);
    cudaFreeAsync(p, s);
    cudaStreamSynchronize(s);
    printf("%d\n", h[63]); //= 63
    cudaMemPoolTrimTo(own, 0), cudaMemPoolDestroy(own), cudaStreamDestroy(s);
}
