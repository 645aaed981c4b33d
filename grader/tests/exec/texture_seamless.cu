// Linear filtering of cubes, with and without combining the texels of adjacent faces, in 6,534 directions, including along edges and to corners.
// The sums are those of an H100.
#include <cstdio>
#include <cstring>
#include <vector>
enum { STEPS = 33, DIRECTIONS = 6 * STEPS * STEPS };
__global__ void look(cudaTextureObject_t cube, float *out) {
    int k = blockIdx.x * blockDim.x + threadIdx.x, face = k / (STEPS * STEPS);
    if (k >= DIRECTIONS) return;
    float s = (k / STEPS % STEPS - 16) / 16.f, t = (k % STEPS - 16) / 16.f, sign = face % 2 ? -1.f : 1.f;
    out[k] = face < 2   ? texCubemap<float>(cube, sign, -t, -sign * s)
             : face < 4 ? texCubemap<float>(cube, s, sign, sign * t)
                        : texCubemap<float>(cube, sign * s, -t, sign);
}
static unsigned sum(int size, bool seamless) {
    std::vector<float> texels(6 * size * size), values(DIRECTIONS);
    unsigned random = 7, result = 0, bits;
    for (float &x : texels) random = random * 1664525u + 1013904223u, x = (random >> 8) / 16777216.f;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    cudaMalloc3DArray(&array, &format, make_cudaExtent(size, size, 6), cudaArrayCubemap);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(texels.data(), size * sizeof(float), size, size);
    copy.dstArray = array, copy.extent = make_cudaExtent(size, size, 6), copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray, resource.res.array.array = array;
    cudaTextureDesc how = {};
    for (cudaTextureAddressMode &mode : how.addressMode) mode = cudaAddressModeClamp;
    how.filterMode = cudaFilterModeLinear, how.normalizedCoords = 1, how.seamlessCubemap = seamless;
    cudaTextureObject_t cube;
    float *out;
    cudaCreateTextureObject(&cube, &resource, &how, nullptr), cudaMalloc(&out, DIRECTIONS * sizeof *out);
    look<<<(DIRECTIONS + 255) / 256, 256>>>(cube, out);
    cudaMemcpy(values.data(), out, DIRECTIONS * sizeof *out, cudaMemcpyDeviceToHost);
    for (float x : values) memcpy(&bits, &x, sizeof bits), result = result * 31 + bits;
    cudaDestroyTextureObject(cube), cudaFreeArray(array), cudaFree(out);
    return result;
}
int main() {
    printf("%08x %08x %08x\n", sum(2, true), sum(4, true), sum(13, true));    //= 3b8a03a1 65f91df5 39c273eb
    printf("%08x %08x %08x\n", sum(2, false), sum(4, false), sum(13, false)); //= f8b62360 c7bdd3d7 1ae33199
}
