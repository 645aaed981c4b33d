// launch: block=64 debug=0
// arg: i32[64]:iota
// arg: i32[1]:out
// expect: out-of-bounds line 12
// Increments bin 16 of an array of 16 bins.
__global__ void kernel(const int *in, int *out) {
    __shared__ int total, bins[16], rest[16];
    unsigned t = threadIdx.x;
    if (t < 16) bins[t] = 0, rest[t] = 0;
    if (t == 0) total = 0;
    __syncthreads();
    atomicAdd(&bins[in[t] % 17], 1);
    if (t < 16) atomicAdd(&total, rest[t]);
    __syncthreads();
    if (t < 1) out[t] = bins[t] + total;
}
