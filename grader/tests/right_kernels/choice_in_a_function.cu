// launch: block=32
// arg: i32[32]:iota
// arg: i32[32]:out
// result: 1[2] = 2
// result: 1[5] = 100
// result: 1[31] = 93
// Some lanes call a function whose branch conditions are constant on some of its paths.
__device__ __noinline__ int lower(int a, int b) { return a < b || (a == b && a > 7) ? a : b; }
__global__ void kernel(const int *in, int *out) {
    int t = threadIdx.x, x = in[t];
    out[t] = x;
    if (t % 3 == 2) out[t] = lower(x, 2);
    if (t % 5 == 0 && t % 3) out[t] = lower(20 * x, 5000);
    if (t == 31) out[t] = lower(3 * x, 5000);
}
