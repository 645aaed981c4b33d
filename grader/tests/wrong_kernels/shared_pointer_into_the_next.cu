// launch: block=32
// arg: i32[32]:iota
// arg: i32[2]:out
// expect: out-of-bounds line 7
// A function gets a pointer to the first array, and an index past the end of this array.
__device__ __noinline__ void put(int *to, int at, int value) {
    to[at] = value;
}
__global__ void kernel(const int *in, int *out) {
    __shared__ int first[31], second[32];
    unsigned t = threadIdx.x;
    second[t] = 0;
    __syncthreads();
    put(first, (int)t, in[t]);
    __syncthreads();
    if (t < 2) out[t] = first[t] + second[t];
}
