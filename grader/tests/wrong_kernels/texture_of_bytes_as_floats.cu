// launch: grid=1 block=64
// arg: u8[64]:random
// arg: float[64]:out
// arg: texture 0 u8 16x4
// expect: texture-use line 8
// says: read floats from a texture that returns integers
__global__ void kernel(const unsigned char *, float *out, cudaTextureObject_t image) {
    out[threadIdx.x] = tex2D<float>(image, threadIdx.x % 16, threadIdx.x / 16);
}
