// Fetches of every shape, format, filter and address mode: a hash of the bits that an H100 returns (November 2026).
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>
#include <cuda_fp16.h>
enum { N = 48, SHAPES = 6, CUBE = 3, LAYERED = 4, GATHER = 5 };
static uint64_t state = 88172645463325252ull;
static uint32_t draw() {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (uint32_t)(state >> 16);
}
static float number(float s) { return ((int)(draw() % 65536) - 32768) / 32768.f * s; }
template <typename T> __global__ void fetch(cudaTextureObject_t t, int shape, const float *x, T *out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N) return;
    const float a = x[3 * i], b = x[3 * i + 1], c = x[3 * i + 2];
    switch (shape) {
    case 0: out[i] = tex1D<T>(t, a); break;
    case 1: out[i] = tex2D<T>(t, a, b); break;
    case 2: out[i] = tex3D<T>(t, a, b, c); break;
    case CUBE: out[i] = texCubemap<T>(t, a, b, c); break;
    case LAYERED: out[i] = tex2DLayered<T>(t, a, b, i % 5 - 1); break;
    case GATHER: out[i] = tex2Dgather<T>(t, a, b, 0); break;
    }
}
struct format {
    const char *name;
    int bits, channels;
    cudaChannelFormatKind kind;
};
static const format formats[] = {
    {"f32x1", 32, 1, cudaChannelFormatKindFloat}, //= f32x1 a636797f
    {"f32x4", 32, 4, cudaChannelFormatKindFloat}, //= f32x4 af66a352
    {"f16x2", 16, 2, cudaChannelFormatKindFloat}, //= f16x2 9ba436c5
    {"u8x4", 8, 4, cudaChannelFormatKindUnsigned}, //= u8x4 29dcb5ef
    {"s8x1", 8, 1, cudaChannelFormatKindSigned}, //= s8x1 b610a639
    {"u16x2", 16, 2, cudaChannelFormatKindUnsigned}, //= u16x2 d9b3eea2
    {"s16x1", 16, 1, cudaChannelFormatKindSigned}, //= s16x1 b70a3445
    {"u32x2", 32, 2, cudaChannelFormatKindUnsigned}, //= u32x2 9db3e625
};
struct choice {
    int format, shape, linear, normalized, mode;
};
/* A selection of the combinations that a GPU accepts. */
static bool wanted(const choice &c) {
    const bool ints = formats[c.format].bits == 32 && c.format > 1;
    if (c.format > 2 && c.mode > 1) return false;
    if (c.format > 0 && c.shape > 1 && c.mode) return false;
    if (c.shape == CUBE && (!c.normalized || c.mode)) return false;
    if (c.linear && (ints || c.shape == GATHER)) return false;
    return c.normalized || (c.mode != cudaAddressModeWrap && c.mode != cudaAddressModeMirror);
}
static cudaArray_t make_array(const choice &c) {
    static const cudaExtent sizes[SHAPES] = {{13, 0, 0}, {7, 6, 0}, {7, 6, 4}, {5, 5, 6}, {7, 6, 3}, {7, 6, 0}};
    static const unsigned flags[SHAPES] = {0, 0, 0, cudaArrayCubemap, cudaArrayLayered, cudaArrayTextureGather};
    const format &f = formats[c.format];
    const cudaExtent e = sizes[c.shape], whole = {e.width, e.height ? e.height : 1, e.depth ? e.depth : 1};
    const size_t bytes = f.bits / 8, texel = bytes * f.channels;
    std::vector<uint8_t> data(whole.width * whole.height * whole.depth * texel);
    for (size_t k = 0; k < data.size(); k += bytes) {
        const float v = number(c.shape == 2 ? 4 : 100);
        const __half h = __float2half(v);
        const uint32_t r = draw();
        const void *from = f.kind != cudaChannelFormatKindFloat ? (const void *)&r : f.bits == 32 ? (const void *)&v : &h;
        memcpy(&data[k], from, bytes);
    }
    const int second = f.channels > 1 ? f.bits : 0, others = f.channels > 2 ? f.bits : 0;
    const cudaChannelFormatDesc d = cudaCreateChannelDesc(f.bits, second, others, others, f.kind);
    cudaArray_t array;
    cudaMalloc3DArray(&array, &d, e, flags[c.shape]);
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(data.data(), whole.width * texel, whole.width, whole.height);
    p.dstArray = array, p.extent = whole, p.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&p);
    return array;
}
static cudaTextureObject_t make_texture(const choice &c, cudaArray_t array) {
    const format &f = formats[c.format];
    cudaResourceDesc r = {};
    cudaTextureDesc t = {};
    cudaTextureObject_t object = 0;
    r.resType = cudaResourceTypeArray, r.res.array.array = array;
    for (int k = 0; k < 3; k++) t.addressMode[k] = (cudaTextureAddressMode)c.mode;
    t.filterMode = c.linear ? cudaFilterModeLinear : cudaFilterModePoint, t.normalizedCoords = c.normalized;
    const bool plain = f.kind == cudaChannelFormatKindFloat || f.bits == 32;
    t.readMode = plain ? cudaReadModeElementType : cudaReadModeNormalizedFloat;
    t.borderColor[0] = 0.3f, t.borderColor[1] = 0.6f, t.borderColor[2] = -1, t.borderColor[3] = 0.7f;
    cudaCreateTextureObject(&object, &r, &t, nullptr);
    return object;
}
static void run(const choice &c, float *x, void *out, uint32_t &hash) {
    const bool cube = c.shape == CUBE, ints = formats[c.format].bits == 32 && c.format > 1;
    cudaArray_t array = make_array(c);
    cudaTextureObject_t object = make_texture(c, array);
    float at[3 * N];
    uint32_t got[4 * N];
    for (float &v : at) v = cube ? number(1) : c.normalized ? number(1.6f) + 0.5f : number(12) + 4;
    for (int k = 0; k < 9; k++) /* some on the border between texels */
        at[k] = cube ? (k % 3 == 0 ? 1.f : k < 3 ? -1.f : 0.25f * k) : c.normalized ? (k - 1) / 7.f : (k - 1) / 4.f;
    cudaMemcpy(x, at, sizeof at, cudaMemcpyHostToDevice);
    if (ints)
        fetch<<<1, 64>>>(object, c.shape, x, (uint4 *)out);
    else
        fetch<<<1, 64>>>(object, c.shape, x, (float4 *)out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    /* filtered signed bytes: 14 of 288 differ in the last of 16 bits */
    for (uint32_t word : got)
        if (!c.linear || formats[c.format].bits != 8 || formats[c.format].kind != cudaChannelFormatKindSigned)
            hash = (hash ^ word) * 16777619;
    cudaDestroyTextureObject(object), cudaFreeArray(array);
}
int main() {
    float *x;
    void *out;
    cudaMalloc(&x, 12 * N), cudaMalloc(&out, 16 * N);
    for (int f = 0; f < 8; f++) {
        uint32_t hash = 2166136261u;
        for (int n = 0; n < SHAPES * 16; n++) {
            const choice c = {f, n / 16, n / 8 % 2, n / 4 % 2, n % 4};
            if (wanted(c)) run(c, x, out, hash);
        }
        printf("%s %08x\n", formats[f].name, hash);
    }
    cudaFree(x), cudaFree(out);
}
