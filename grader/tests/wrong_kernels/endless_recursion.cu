// launch: block=32
// arg: i32[32]:ones
// arg: i32[32]:out
// expect: stack-overflow line 7
// The recursion has no end.
__device__ __noinline__ int sum(const int *in, int k) {
    return in[k & 31] + sum(in, k + in[0]) * 3;
}
__global__ void kernel(const int *in, int *out) {
    out[threadIdx.x] = sum(in, threadIdx.x);
}
