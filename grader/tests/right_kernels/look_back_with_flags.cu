// launch: grid=6 block=32 times=1
// arg: i32[192]:ones
// arg: i32[192]:out
// arg: i32[6]:out
// arg: i32[7]:zero
// result: 1[0] = 1
// result: 1[191] = 192
// Decoupled look-back: blocks take their numbers from a ticket, publish their sums, and wait for their predecessors.
__global__ void kernel(const int *in, int *out, int *total, int *flag) {
    __shared__ int ticket, before, s[32];
    unsigned t = threadIdx.x;
    if (t == 0) ticket = atomicAdd(&flag[6], 1);
    __syncthreads();
    int b = ticket;
    int x = in[b * 32 + t];
    for (unsigned k = 1; k < 32; k *= 2) {
        int y = __shfl_up_sync(0xffffffff, x, k);
        if (t >= k) x += y;
    }
    s[t] = x;
    __syncthreads();
    if (t == 0) {
        int sum = 0;
        if (b > 0) {
            while (atomicAdd(&flag[b - 1], 0) == 0) {}
            __threadfence();
            sum = total[b - 1];
        }
        total[b] = sum + s[31];
        __threadfence();
        atomicExch(&flag[b], 1);
        before = sum;
    }
    __syncthreads();
    out[b * 32 + t] = before + x;
}
