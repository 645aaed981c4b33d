/* Kernels of check_run_launch.c, which names their lines. */
__device__ int flags[64], turn, ticket;
// Each block waits for the block before it. In ascending order, that block has already ended.
__global__ void chain(int *out) {
    if (threadIdx.x) return;
    int before = 0;
    if (blockIdx.x) {
        while (*(volatile int *)&flags[blockIdx.x - 1] == 0) {}
        __threadfence();
        before = out[blockIdx.x - 1];
    }
    out[blockIdx.x] = before + 1;
    __threadfence();
    *(volatile int *)&flags[blockIdx.x] = 1;
}
// The same with atomics, and numbers from a ticket: a block waits only for a block that has started.
__global__ void tickets(int *out) {
    if (threadIdx.x) return;
    int own = atomicAdd(&ticket, 1), before = 0;
    if (own) {
        while (atomicAdd(&flags[own - 1], 0) == 0) {}
        __threadfence();
        before = out[own - 1];
    }
    out[own] = before + 1;
    __threadfence();
    atomicExch(&flags[own], 1);
}
// The blocks take turns in ascending order.
__global__ void turns(int *out) {
    if (threadIdx.x) return;
    while (atomicAdd(&turn, 0) != blockIdx.x) {}
    __threadfence();
    *out += 1;
    __threadfence();
    atomicAdd(&turn, 1);
}
__constant__ int table[32];
// The compiler replaces the undefined store by a trap.
__global__ void stores(int *out) {
    ((int *)table)[threadIdx.x] = 2;
    out[threadIdx.x] = table[threadIdx.x];
}
// The file uses no instance.
template <int N, class T> __global__ void fill(T *a) {
    a[threadIdx.x] = N;
}
// Threads take tasks from a queue, and read the result of the task before without a fence. In long turns, the first
// block and the first warp take all tasks.
__global__ void queue_of_blocks(int *out) {
    for (int n; threadIdx.x == 0 && (n = atomicAdd(&ticket, 1)) < 40;) {
        while (n && atomicAdd(&flags[n - 1], 0) == 0) {}
        out[n] = n ? out[n - 1] + 1 : 1;
        atomicExch(&flags[n], 1);
    }
}
__global__ void queue_of_warps(int *out, int fence) {
    __shared__ int next, done[40];
    for (int k = threadIdx.x; k < 40; k += blockDim.x) done[k] = 0;
    if (threadIdx.x == 0) next = 0;
    __syncthreads();
    for (int n; threadIdx.x % 32 == 0 && (n = atomicAdd(&next, 1)) < 40;) {
        while (n && atomicAdd(&done[n - 1], 0) == 0) {}
        if (fence) __threadfence_block();
        out[n] = n ? out[n - 1] + 1 : 1;
        if (fence) __threadfence_block();
        atomicExch(&done[n], 1);
    }
}
// A lock, and an addition by compare-and-swap.
__global__ void locked(int *out, float *sum) {
    if (threadIdx.x) return;
    while (atomicCAS(&turn, 0, 1)) {}
    __threadfence();
    *out += 1;
    __threadfence();
    atomicExch(&turn, 0);
    int old = *(int *)sum, seen;
    while ((seen = atomicCAS((int *)sum, old, __float_as_int(__int_as_float(old) + 1))) != old) old = seen;
}
