// launch: grid=1 block=64
// arg: i32[320]:ones
// arg: i32[320]:out
// result: 1[0] = 2
// result: 1[319] = 2
// Two warps take turns by a volatile flag in shared memory, which both of them set.
__global__ void kernel(const int *in, int *out) {
    __shared__ int buf[32]; __shared__ volatile int full;
    int l = threadIdx.x % 32;
    if (threadIdx.x == 0) full = 0;
    __syncthreads();
    for (int r = 0; r < 10; r++) {
        if (threadIdx.x < 32) {
            while (full != 2 * r) { }
            __threadfence_block();
            buf[l] = in[r * 32 + l];
            __threadfence_block();
            __syncwarp();
            if (l == 0) full = 2 * r + 1;
        } else {
            while (full != 2 * r + 1) { }
            __threadfence_block();
            out[r * 32 + l] = buf[l] + 1;
            __threadfence_block();
            __syncwarp();
            if (l == 0) full = 2 * r + 2;
        }
    }
}
