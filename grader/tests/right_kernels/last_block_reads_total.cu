// launch: grid=6 block=64 times=2
// arg: i32[384]:ones
// arg: i32[1]:zero
// arg: u32[1]:zero
// arg: i32[1]:out
// result: 3[0] = 384
// All blocks add to one total; the last one reads it with a plain load and resets it.
__global__ void kernel(const int *in, int *total, unsigned *ticket, int *out) {
    __shared__ int s;
    unsigned t = threadIdx.x;
    if (t == 0) s = 0;
    __syncthreads();
    atomicAdd(&s, in[blockIdx.x * 64 + t]);
    __syncthreads();
    if (t) return;
    atomicAdd(total, s);
    __threadfence();
    if (atomicAdd(ticket, 1) == gridDim.x - 1) {
        __threadfence();
        *out = *total;
        *total = 0;
        *ticket = 0;
    }
}
