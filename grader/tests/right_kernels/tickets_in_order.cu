// launch: grid=40 block=32
// arg: i32[2]:zero
// arg: i32[1]:zero
// result: 1[0] = 780
// A block waits only for blocks with lower tickets, which have started. No other block needs to be resident.
__global__ void kernel(int *tickets, int *sum) {
    if (threadIdx.x) return;
    int mine = atomicAdd(&tickets[0], 1);
    while (((volatile int *)tickets)[1] != mine) {}
    __threadfence();
    *sum += mine;
    __threadfence();
    atomicAdd(&tickets[1], 1);
}
