// Functions of CUDA that read textures, and that read and write surfaces.
#include <cuda_runtime.h>

__global__ void textures(cudaTextureObject_t t, float4 *out, int layer, float x, float y, float z) {
    const float2 dx = make_float2(x, y), dy = make_float2(y, z);
    const float4 ex = make_float4(x, y, z, 0), ey = make_float4(y, z, x, 0);
    *out++ = tex1Dfetch<float4>(t, layer);
    *out++ = tex1D<float4>(t, x);
    *out++ = tex2D<float4>(t, x, y);
    *out++ = tex3D<float4>(t, x, y, z);
    *out++ = tex1DLayered<float4>(t, x, layer);
    *out++ = tex2DLayered<float4>(t, x, y, layer);
    *out++ = texCubemap<float4>(t, x, y, z);
    *out++ = texCubemapLayered<float4>(t, x, y, z, layer);
    *out++ = tex1DLod<float4>(t, x, z);
    *out++ = tex2DLod<float4>(t, x, y, z);
    *out++ = tex3DLod<float4>(t, x, y, z, x);
    *out++ = tex1DLayeredLod<float4>(t, x, layer, z);
    *out++ = tex2DLayeredLod<float4>(t, x, y, layer, z);
    *out++ = texCubemapLod<float4>(t, x, y, z, x);
    *out++ = texCubemapLayeredLod<float4>(t, x, y, z, layer, x);
    *out++ = tex1DGrad<float4>(t, x, y, z);
    *out++ = tex2DGrad<float4>(t, x, y, dx, dy);
    *out++ = tex3DGrad<float4>(t, x, y, z, ex, ey);
    *out++ = tex1DLayeredGrad<float4>(t, x, layer, y, z);
    *out++ = tex2DLayeredGrad<float4>(t, x, y, layer, dx, dy);
    *out++ = texCubemapGrad<float4>(t, x, y, z, ex, ey);
    *out++ = texCubemapLayeredGrad<float4>(t, x, y, z, layer, ex, ey);
    *out++ = tex2Dgather<float4>(t, x, y, 0);
    *out++ = tex2Dgather<float4>(t, x, y, 3);
    *(int4 *)out++ = tex2D<int4>(t, 0.5f, y);
    *(uint2 *)out++ = tex2D<uint2>(t, x, 2);
    *(uchar4 *)out++ = tex1Dfetch<uchar4>(t, 7);
    *(short *)out++ = tex3D<short>(t, x, y, z);
    bool resident;
    *out++ = tex2D<float4>(t, x, y, &resident);
    if (resident) *out = make_float4(1, 2, 3, 4);
}
__global__ void surfaces(cudaSurfaceObject_t s, char *bytes, int x, int y, int z) {
    uchar4 four = surf2Dread<uchar4>(s, x, y);
    short2 two = surf2Dread<short2>(s, x, y, cudaBoundaryModeClamp);
    float4 wide = surf2Dread<float4>(s, x, y, cudaBoundaryModeZero);
    long long longs = surf1Dread<long long>(s, x);
    unsigned char one = surf3Dread<unsigned char>(s, x, y, z);
    one += surf1DLayeredread<unsigned char>(s, x, z) + surf2DLayeredread<unsigned char>(s, x, y, z);
    one += surfCubemapread<unsigned char>(s, x, y, z) + surfCubemapLayeredread<unsigned char>(s, x, y, z);
    surf2Dwrite(four, s, x, y);
    surf2Dwrite(two, s, x, y, cudaBoundaryModeClamp);
    surf2Dwrite(wide, s, x, y, cudaBoundaryModeZero);
    surf1Dwrite(longs, s, x);
    surf3Dwrite(one, s, x, y, z);
    surf1DLayeredwrite(one, s, x, z);
    surf2DLayeredwrite(one, s, 0, y, z);
    surfCubemapwrite(one, s, x, y, 5);
    surfCubemapLayeredwrite(one, s, x, y, z);
    *bytes = one;
}
