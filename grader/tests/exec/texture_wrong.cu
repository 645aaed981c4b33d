// Arrays and objects that the host misuses, and a kernel that uses a destroyed object.
#include <cstdio>
__global__ void fetch(cudaTextureObject_t t, float *out) {
    out[threadIdx.x] = tex2D<float>(t, threadIdx.x + 0.5f, 0.5f); //! texture-use
}
__global__ void write(cudaSurfaceObject_t s) {
    surf2Dwrite(1.0f, s, threadIdx.x * 4, 8); //! surface-bounds
}
int main() {
    float h[8] = {0}, *d;
    int *p;
    cudaArray_t a, b, none;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>(), three = cudaCreateChannelDesc<float3>(),
                          whole = cudaCreateChannelDesc<int>();
    cudaMalloc(&d, sizeof h), cudaMallocArray(&a, &format, 8, 8), cudaMalloc(&p, 1024);
    cudaMallocArray(&b, &whole, 8, 8, cudaArraySurfaceLoadStore);
    printf("%d\n", cudaMallocArray(&none, &three, 8, 8)); //! failed-call
    //= 1
    printf("%d\n", cudaMemcpy2DToArray(a, 0, 8, h, 4, 4, 1, cudaMemcpyHostToDevice)); //! failed-call
    //= 1
    printf("%d\n", cudaMemcpy(a, h, 4, cudaMemcpyHostToDevice)); //! wrong-array
    //= 1
    printf("%d\n", cudaMemcpy2DToArray((cudaArray_t)d, 0, 0, h, 4, 4, 1, cudaMemcpyHostToDevice)); //! wrong-array
    //= 400
    cudaResourceDesc r = {};
    cudaTextureDesc how = {};
    cudaTextureObject_t t = 0;
    cudaSurfaceObject_t s;
    r.resType = cudaResourceTypeArray, r.res.array.array = a;
    printf("%d\n", cudaCreateSurfaceObject(&s, &r)); //! failed-call
    //= 1
    cudaCreateTextureObject(&t, &r, &how, nullptr);
    cudaDestroyTextureObject(t);
    fetch<<<1, 8>>>(t, d);
    printf("%d\n", cudaDestroyTextureObject(t)); //! bad-handle
    //= 1
    r.res.array.array = b, how.filterMode = cudaFilterModeLinear;
    printf("%d\n", cudaCreateTextureObject(&t, &r, &how, nullptr)); //! failed-call
    //= 1
    cudaCreateSurfaceObject(&s, &r);
    write<<<1, 8>>>(s);
    r.resType = cudaResourceTypeLinear, r.res.linear.devPtr = p, r.res.linear.sizeInBytes = 4096;
    r.res.linear.desc = whole;
    printf("%d\n", cudaCreateTextureObject(&t, &r, &how, nullptr)); //! copy-size
    //= 1
    r.res.linear.devPtr = p + 1, r.res.linear.sizeInBytes = 512;
    printf("%d\n", cudaCreateTextureObject(&t, &r, &how, nullptr)); //! failed-call
    //= 1
    cudaFree(b); //! wrong-free
    cudaFreeArray(a), cudaFreeArray(b), cudaFree(d), cudaFree(p), cudaDestroySurfaceObject(s);
    printf("%d\n", cudaGetLastError()); //= 1
} //$ 1
