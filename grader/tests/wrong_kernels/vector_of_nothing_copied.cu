// launch: grid=1 block=32
// arg: float[32]:random
// arg: float[128]:out
// expect: uninitialized-shared line 11
// The kernel copies four floats at a time from an array of which only a quarter was filled.
__global__ void kernel(const float *in, float4 *out) {
    __shared__ float4 s[32];
    unsigned t = threadIdx.x;
    ((float *)s)[t] = in[t];
    __syncthreads();
    out[t] = s[t];
}
