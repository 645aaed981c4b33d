// Reads back attributes of streams, limits, texture descriptors and the memory that a pool has in use.
#include <cstdio>
__global__ void nothing() {}
int main() {
    cudaStream_t a, b;
    int least, greatest, priority;
    unsigned flags;
    unsigned long long first, second;
    cudaDeviceGetStreamPriorityRange(&least, &greatest);
    cudaStreamCreateWithPriority(&a, cudaStreamNonBlocking, greatest), cudaStreamCreate(&b);
    cudaStreamGetPriority(a, &priority), cudaStreamGetFlags(a, &flags);
    cudaStreamGetId(a, &first), cudaStreamGetId(b, &second);
    printf("%d %d %d\n", priority == greatest, flags == cudaStreamNonBlocking, first != second); //= 1 1 1
    cudaStreamAttrValue value = {}, back = {};
    value.accessPolicyWindow.num_bytes = 4096, value.accessPolicyWindow.hitRatio = .5f;
    cudaStreamSetAttribute(a, cudaStreamAttributeAccessPolicyWindow, &value);
    cudaStreamCopyAttributes(b, a);
    cudaStreamGetAttribute(b, cudaStreamAttributeAccessPolicyWindow, &back);
    printf("%zu %g\n", back.accessPolicyWindow.num_bytes, back.accessPolicyWindow.hitRatio); //= 4096 0.5

    size_t limit, texels;
    cudaDeviceGetLimit(&limit, cudaLimitPrintfFifoSize);
    printf("%zu\n", limit); //= 8650752
    cudaDeviceSetLimit(cudaLimitMallocHeapSize, 12345678);
    cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize);
    printf("%zu\n", limit); //= 12386304

    cudaArray_t array;
    cudaTextureObject_t texture;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaResourceDesc resource = {}, of = {};
    cudaTextureDesc how = {}, read = {};
    cudaMallocArray(&array, &format, 8, 8);
    resource.resType = cudaResourceTypeArray, resource.res.array.array = array, how.filterMode = cudaFilterModeLinear;
    cudaCreateTextureObject(&texture, &resource, &how, nullptr);
    cudaGetTextureObjectResourceDesc(&of, texture), cudaGetTextureObjectTextureDesc(&read, texture);
    cudaDeviceGetTexture1DLinearMaxWidth(&texels, &format, 0);
    printf("%d %d %d\n", of.res.array.array == array, read.filterMode == cudaFilterModeLinear, texels >= 1 << 27); //= 1 1 1
    cudaDestroyTextureObject(texture), cudaFreeArray(array);

    cudaMemPool_t pool;
    void *p;
    unsigned long long used, high;
    cudaDeviceGetDefaultMemPool(&pool, 0);
    cudaMallocAsync(&p, 1000, a);
    cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used);
    cudaFreeAsync(p, a);
    cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &high);
    printf("%llu %llu\n", used, high); //= 1000 1000

    // An event that was created without timing has no time.
    cudaEvent_t start, end;
    float ms;
    cudaEventCreateWithFlags(&start, cudaEventDisableTiming), cudaEventCreate(&end);
    cudaEventRecord(start, a), cudaEventRecord(end, a), cudaEventSynchronize(end);
    printf("%d\n", cudaEventElapsedTime(&ms, start, end) == cudaErrorInvalidResourceHandle); //= 1
    const bool odd = cudaMemcpy(p, p, 4, (cudaMemcpyKind)77) == cudaErrorInvalidMemcpyDirection; //! failed-call
    printf("%d\n", odd); //= 1
    cudaStreamDestroy(a), cudaStreamDestroy(b), cudaEventDestroy(start), cudaEventDestroy(end);
}
