// launch: grid=1 block=64
// arg: i32[320]:ones
// arg: i32[320]:out
// result: 1[0] = 2
// result: 1[319] = 2
// Two warps take turns by a flag in shared memory: one sets it with an atomic, the other with a volatile store.
__global__ void kernel(const int *in, int *out) {
    __shared__ int buf[32]; __shared__ int full;
    int l = threadIdx.x % 32;
    if (threadIdx.x == 0) full = 0;
    __syncthreads();
    for (int r = 0; r < 10; r++) {
        if (threadIdx.x < 32) {
            if (l == 0) while (*(volatile int *)&full != 2 * r) { }
            __syncwarp(); __threadfence_block();
            buf[l] = in[r * 32 + l];
            __threadfence_block(); __syncwarp();
            if (l == 0) atomicExch(&full, 2 * r + 1);
        } else {
            if (l == 0) while (atomicAdd(&full, 0) != 2 * r + 1) { }
            __syncwarp(); __threadfence_block();
            out[r * 32 + l] = buf[l] + 1;
            __threadfence_block(); __syncwarp();
            if (l == 0) *(volatile int *)&full = 2 * r + 2;
        }
    }
}
