// launch: grid=1 block=32
// arg: i32[32]:iota
// arg: double[32]:out
// result: 1[6] = 57
// result: 1[7] = 49
// Lanes of a warp wait for each other inside two functions, each with values in its registers.
__device__ __noinline__ double cubes(double x) {
    double a = x + 1, b = a * x, c = b * x;
    __syncwarp();
    return c > 100 ? a + 50 : c - b + x;
}
__device__ __noinline__ int squares(int x, int n) {
    int square = 0;
    for (int k = 0; k < n; k++) square += x;
    __syncwarp();
    return n > 3 && square > 9 ? square : -square;
}
__global__ void kernel(const int *in, double *out) {
    int t = threadIdx.x;
    out[t] = t & 1 ? squares(in[t], in[t]) : cubes(in[t]);
}
