// launch: grid=2 block=64 shared=256
// arg: float[100]:random
// arg: float[2]:out
// arg: u32 100
// expect: uninitialized-shared line 13
// The last block has fewer elements than threads, but does not store identity() for the others.
__global__ void kernel(const float *in, float *partial, unsigned n) {
    extern __shared__ float s[];
    unsigned t = threadIdx.x, i = blockIdx.x * 64 + t;
    if (i < n) s[t] = in[i];
    for (unsigned k = 32; k > 0; k /= 2) {
        __syncthreads();
        if (t < k) s[t] += s[t + k];
    }
    if (t == 0) partial[blockIdx.x] = s[0];
}
