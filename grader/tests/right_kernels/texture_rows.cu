// launch: grid=2 block=64
// arg: float[128]:iota
// arg: float[128]:out
// arg: texture 0 float 16x8
// arg: texture 0 float 128
// result: 1[0] = 0
// result: 1[37] = 88
// result: 1[127] = 254
// Coordinates outside are clamped to the border; a fetch past the end of linear memory returns 0.
__global__ void kernel(const float *, float *out, cudaTextureObject_t image, cudaTextureObject_t texels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % 16, y = i / 16;
    const float beside = tex1Dfetch<float>(texels, i - 128), center = tex2D<float>(image, x + 0.5f, y + 0.5f);
    const float corner = tex2D<float>(image, x == 15 ? 99 : x - 99.f, y == 7 ? 99 : y + 0.5f);
    out[i] = beside + center + (x == 15 && y == 7 ? corner : center) - (i == 37 ? -14 : 0);
}
