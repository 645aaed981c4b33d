// launch: grid=1 block=64
// arg: float[64]:ones
// arg: float[64]:out
// arg: texture 0 float 64
// expect: texture-use line 8
// says: of linear memory (for tex1Dfetch() with an index)
__global__ void kernel(const float *, float *out, cudaTextureObject_t texels) {
    out[threadIdx.x] = tex1D<float>(texels, threadIdx.x + 0.5f);
}
