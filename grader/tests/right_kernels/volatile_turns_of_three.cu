// launch: grid=1 block=96
// arg: i32[30]:out
// result: 0[0] = 0
// result: 0[29] = 29
// Three warps take turns by a volatile counter in shared memory, which each of them increments.
__global__ void kernel(int *out) {
    __shared__ volatile int turn; __shared__ int count;
    if (threadIdx.x == 0) { turn = 0; count = 0; }
    __syncthreads();
    int w = threadIdx.x / 32;
    if (threadIdx.x % 32) return;
    for (int r = 0; r < 10; r++) {
        while (turn % 3 != w) { }
        __threadfence_block();
        out[count] = count; count++;
        __threadfence_block();
        turn = turn + 1;
    }
}
