// launch: grid=1 block=64
// arg: float[64]:random
// arg: float[64]:out
// expect: uninitialized-shared line 11
// A stencil whose two border cells are never loaded.
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[66];
    unsigned t = threadIdx.x;
    s[t + 1] = in[t];
    __syncthreads();
    out[t] = s[t] + s[t + 1] + s[t + 2];
}
