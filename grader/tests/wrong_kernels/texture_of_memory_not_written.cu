// launch: grid=1 block=64
// arg: float[64]:out
// arg: float[64]:out
// arg: texture 0 float 16x4
// expect: uninitialized-global line 8
// The memory of the texture was never written.
__global__ void kernel(const float *, float *out, cudaTextureObject_t image) {
    out[threadIdx.x] = tex2D<float>(image, threadIdx.x % 16, threadIdx.x / 16);
}
