// launch: grid=1 block=64
// arg: float[64]:iota
// arg: texture 0 float 64
// expect: race-global line 7
// Half of the threads read texels that the other half writes, and nothing orders the accesses.
__global__ void kernel(float *data, cudaTextureObject_t texels) {
    data[threadIdx.x] = tex1Dfetch<float>(texels, threadIdx.x ^ 32);
}
