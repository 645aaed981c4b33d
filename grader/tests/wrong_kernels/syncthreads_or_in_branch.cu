// launch: grid=1 block=64
// arg: i32[64]:random
// arg: i32[64]:out
// expect: barrier-after-exit line 9
// A barrier that also reduces is still a barrier, and this one is in a branch.
__global__ void kernel(const int *in, int *out) {
    unsigned t = threadIdx.x;
    out[t] = 0;
    if (in[t] > 4) out[t] = __syncthreads_or(in[t] == 9);
}
