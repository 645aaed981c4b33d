// A volume and layered images: cudaMemcpy3D(), and fetches from a volume, from a layer and from a cube.
#include <cstdio>
enum { X = 6, Y = 5, Z = 4 };
__global__ void sum(cudaTextureObject_t volume, cudaTextureObject_t layers, float *out) {
    const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    out[(z * Y + y) * X + x] = tex3D<float4>(volume, x + 0.5f, y + 0.5f, z + 0.5f).y * 1000 +
                               tex2DLayered<short>(layers, x + 0.5f, y + 0.5f, z);
}
__global__ void between(cudaTextureObject_t volume, float *out) {
    *out = tex3D<float4>(volume, 2.5f, 2, 1.25f).x;
}
__global__ void faces(cudaTextureObject_t cube, float *out) {
    const float side = threadIdx.x % 2 ? -1 : 1;
    const int axis = threadIdx.x / 2;
    out[threadIdx.x] = texCubemap<float>(cube, axis == 0 ? side : 0.25f, axis == 1 ? side : 0.25f, axis == 2 ? side : 0.25f);
}
static cudaTextureObject_t texture_of(cudaArray_t array, cudaTextureFilterMode filter, bool normalized = false) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray, resource.res.array.array = array;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = cudaAddressModeClamp;
    how.filterMode = filter, how.readMode = cudaReadModeElementType, how.normalizedCoords = normalized;
    cudaTextureObject_t texture = 0;
    cudaCreateTextureObject(&texture, &resource, &how, nullptr);
    return texture;
}
template <class T> static cudaArray_t array_of(T *data, cudaExtent e, unsigned flags) {
    cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    cudaArray_t array;
    cudaMalloc3DArray(&array, &format, e, flags);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(data, e.width * sizeof(T), e.width, e.height);
    copy.dstArray = array, copy.extent = e, copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);
    return array;
}
int main() {
    static float4 values[Z][Y][X], back[Z][Y][X];
    static short numbers[Z][Y][X];
    static float cube[6][4][4], out[Z][Y][X], *d;
    for (int z = 0; z < Z; z++)
        for (int y = 0; y < Y; y++)
            for (int x = 0; x < X; x++)
                values[z][y][x] = make_float4(100 * z + 10 * y + x, x + y * z, 7, 8), numbers[z][y][x] = (short)(x - 3 * y + z);
    for (int k = 0; k < 6 * 16; k++) cube[k / 16][k / 4 % 4][k % 4] = k / 16 + (k % 16 == 0 ? 0.5f : 0);
    cudaArray_t volume = array_of(&values[0][0][0], make_cudaExtent(X, Y, Z), 0),
                layers = array_of(&numbers[0][0][0], make_cudaExtent(X, Y, Z), cudaArrayLayered),
                faced = array_of(&cube[0][0][0], make_cudaExtent(4, 4, 6), cudaArrayCubemap);
    cudaTextureObject_t t = texture_of(volume, cudaFilterModePoint), l = texture_of(layers, cudaFilterModePoint),
                        f = texture_of(volume, cudaFilterModeLinear), c = texture_of(faced, cudaFilterModePoint, true);
    cudaMalloc(&d, sizeof out);
    sum<<<1, dim3(X, Y, Z)>>>(t, l, d);
    cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int z = 0; z < Z; z++)
        for (int y = 0; y < Y; y++)
            for (int x = 0; x < X; x++) wrong += out[z][y][x] != (x + y * z) * 1000 + (x - 3 * y + z);
    printf("%d wrong\n", wrong); //= 0 wrong
    between<<<1, 1>>>(f, d);
    cudaMemcpy(out, d, sizeof(float), cudaMemcpyDeviceToHost);
    printf("%g\n", out[0][0][0]); //= 92
    faces<<<1, 6>>>(c, d);
    cudaMemcpy(out, d, 6 * sizeof(float), cudaMemcpyDeviceToHost);
    for (int k = 0; k < 6; k++) printf("%g%c", (&out[0][0][0])[k], k < 5 ? ' ' : '\n'); //= 0 1 2 3 4 5
    cudaMemcpy3DParms copy = {};
    copy.srcArray = volume, copy.srcPos = make_cudaPos(1, 2, 3);
    copy.dstPtr = make_cudaPitchedPtr(back, X * sizeof(float4), X, Y);
    copy.extent = make_cudaExtent(2, 1, 1), copy.kind = cudaMemcpyDeviceToHost;
    cudaMemcpy3D(&copy);
    printf("%g %g\n", back[0][0][0].x, back[0][0][1].x); //= 321 322
    for (cudaTextureObject_t object : {t, l, f, c}) cudaDestroyTextureObject(object);
    cudaFreeArray(volume), cudaFreeArray(layers), cudaFreeArray(faced), cudaFree(d);
    printf("%s\n", cudaGetErrorName(cudaGetLastError())); //= cudaSuccess
}
