// Tests the levels of a mipmapped array: point and linear filters, explicit levels, clamps, bias, gradients, and sRGB.
// All sums and values are those of an H100 and an H200, except that levels from gradients differ there by up to 1/256, and that txq returned 0 levels.
#include <cmath>
#include <cstdio>
const int width = 32, height = 16, levels = 5, count = 200;
__global__ void fetch(cudaTextureObject_t t, float *out, bool plain) {
    const int i = threadIdx.x;
    const float u = fmod(0.185 * i, 1.0), v = fmod(0.305 * i, 1.0) / 0.95, level = (i % 50) / 11.0;
    out[i] = plain ? tex2D<float>(t, u, v) : tex2DLod<float>(t, u, v, level);
}
__global__ void slope(cudaTextureObject_t t, float *out) {
    const float length = exp2f(threadIdx.x / 64.0f) / width;
    out[threadIdx.x] = tex2DGrad<float>(t, 0.5f, 0.5f, make_float2(length, 0), make_float2(0, 0));
}
__global__ void bytes(cudaTextureObject_t t, float4 *out) { out[threadIdx.x] = tex1D<float4>(t, threadIdx.x + 0.5f); }
__global__ void ask(cudaTextureObject_t t, int *levels) {
    asm("txq.num_mipmap_levels.b32 %0, [%1];" : "=r"(*levels) : "l"(t));
}
static cudaMipmappedArray_t pyramid(float (*value)(int level, int x, int y)) {
    cudaMipmappedArray_t a;
    const cudaChannelFormatDesc d = cudaCreateChannelDesc<float>();
    cudaMallocMipmappedArray(&a, &d, make_cudaExtent(width, height, 0), levels);
    for (int l = 0, w = width, h = height; l<levels; l++, w = w> 1 ? w / 2 : 1, h = h > 1 ? h / 2 : 1) {
        static float texels[width * height];
        cudaArray_t level;
        for (int k = 0; k < w * h; k++) texels[k] = value(l, k % w, k / w);
        cudaGetMipmappedArrayLevel(&level, a, l);
        cudaMemcpy2DToArray(level, 0, 0, texels, w * sizeof(float), w * sizeof(float), h, cudaMemcpyHostToDevice);
    }
    return a;
}
static cudaTextureObject_t texture(cudaMipmappedArray_t a, int filter, int between, int clamp) {
    cudaResourceDesc r = {};
    cudaTextureDesc t = {};
    cudaTextureObject_t object;
    r.resType = cudaResourceTypeMipmappedArray, r.res.mipmap.mipmap = a;
    t.addressMode[0] = t.addressMode[1] = cudaAddressModeClamp, t.normalizedCoords = 1;
    t.filterMode = filter ? cudaFilterModeLinear : cudaFilterModePoint;
    t.mipmapFilterMode = between ? cudaFilterModeLinear : cudaFilterModePoint;
    t.minMipmapLevelClamp = clamp == 1 ? 0.75f : 0, t.maxMipmapLevelClamp = clamp == 1 ? 2.5f : 9;
    t.mipmapLevelBias = clamp == 2 ? 0.3125f : 0;
    cudaCreateTextureObject(&object, &r, &t, NULL);
    return object;
}
static void srgb(float4 *out) {
    static uchar4 host[256];
    cudaArray_t a;
    cudaResourceDesc r = {};
    cudaTextureDesc t = {};
    cudaTextureObject_t object;
    const cudaChannelFormatDesc d = cudaCreateChannelDesc<uchar4>();
    for (int k = 0; k < 256; k++) host[k] = make_uchar4(k, 255 - k, 0, k);
    cudaMallocArray(&a, &d, 256, 0);
    cudaMemcpy2DToArray(a, 0, 0, host, sizeof host, sizeof host, 1, cudaMemcpyHostToDevice);
    r.resType = cudaResourceTypeArray, r.res.array.array = a;
    t.readMode = cudaReadModeNormalizedFloat, t.sRGB = 1;
    cudaCreateTextureObject(&object, &r, &t, NULL);
    bytes<<<1, 256>>>(object, out);
    cudaDeviceSynchronize();
    for (int k = 100; k < 256; k += 77) printf("%a %a %a\n", out[k].x, out[k].y, out[k].w);
    cudaDestroyTextureObject(object), cudaFreeArray(a);
}
int main() {
    float *out;
    float4 *texels;
    cudaMallocManaged(&out, 256 * sizeof *out), cudaMallocManaged(&texels, 256 * sizeof *texels);
    cudaMipmappedArray_t a = pyramid([](int l, int x, int y) { return l * 1000.0f + y * 40 + x; });
    for (int k = 0; k < 24; k++) {
        cudaTextureObject_t t = texture(a, k / 12, k / 6 % 2, k / 2 % 3);
        double sum = 0;
        fetch<<<1, count>>>(t, out, k % 2);
        cudaDeviceSynchronize();
        for (int i = 0; i < count; i++) sum += (i + 1.0) * out[i] * 256;
        printf("%.0f%c", sum, k % 6 == 5 ? '\n' : ' ');
        cudaDestroyTextureObject(t);
    }
    //= 12686248960 1700036608 11766530560 5943762944 13786145792 1700036608
    //= 12666027974 1700036608 10491776922 4882831360 13894807088 1700036608
    //= 12685783112 1697915908 11764183247 5939428774 13785661186 1697915908
    //= 12665441578 1697915908 10490361893 4879052634 13893956100 1697915908
    cudaFreeMipmappedArray(a);
    a = pyramid([](int l, int, int) { return l * 16.0f; });
    cudaTextureObject_t t = texture(a, 0, 1, 0);
    ask<<<1, 1>>>(t, (int *)texels);
    slope<<<1, 256>>>(t, out);
    cudaDeviceSynchronize();
    int close = 0;
    for (int k = 0; k < 256; k++) close += fabs(16 * out[k] - 4 * k) <= 1; // in 256ths of a level
    printf("%d of %d levels\n", close, *(int *)texels);                    //= 256 of 5 levels
    cudaArray_t none;
    cudaGetMipmappedArrayLevel(&none, a, levels);         //! failed-call
    printf("%s\n", cudaGetErrorName(cudaGetLastError())); //= cudaErrorInvalidValue
    cudaDestroyTextureObject(t), cudaFreeMipmappedArray(a);
    srgb(texels);
    //= 0x1.04p-3 0x1.5p-2 0x1.919192p-2
    //= 0x1.c2p-2 0x1.38p-4 0x1.636364p-1
    //= 0x1.fcp-1 0x1.4p-12 0x1.fdfdfep-1
    cudaFree(out), cudaFree(texels);
    printf("%s\n", cudaGetErrorName(cudaGetLastError())); //= cudaSuccess
}
