// launch: grid=1 block=64
// arg: i32[64]:iota
// arg: i32[64]:out
// expect: barrier-divergence line 12 and 16
// Each case of a switch has its own barrier.
__global__ void kernel(const int *in, int *out) {
    __shared__ int s[64];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    switch (in[t] & 1) {
    case 0:
        __syncthreads();
        out[t] = s[t ^ 1];
        break;
    default:
        __syncthreads();
        out[t] = -s[t ^ 1];
    }
}
