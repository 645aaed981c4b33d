// launch: grid=1 block=64
// arg: float[64]:ones
// arg: float[64]:out
// arg: texture 0 float 64
// expect: texture-after-write line 10 and 8
// says: argument 0[32] is read through a texture or surface object after line 8 wrote it in the same launch
__global__ void kernel(float *in, float *out, cudaTextureObject_t texels) {
    in[threadIdx.x] += 1;
    __syncthreads();
    out[threadIdx.x] = tex1Dfetch<float>(texels, 63 - threadIdx.x);
}
