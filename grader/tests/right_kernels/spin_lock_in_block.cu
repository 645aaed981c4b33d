// launch: grid=1 block=64
// arg: float[64]:ones
// arg: float[1]:out
// result: 1[0] = 64
// Every thread of the block acquires the lock once. The lock and the sum that it protects are in shared memory.
__global__ void kernel(const float *in, float *out) {
    __shared__ int lock;
    __shared__ float sum;
    if (threadIdx.x == 0) lock = 0, sum = 0;
    __syncthreads();
    for (bool done = false; !done;) {
        if (atomicCAS(&lock, 0, 1) == 0) {
            __threadfence_block();
            sum += in[threadIdx.x];
            __threadfence_block();
            atomicExch(&lock, 0);
            done = true;
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) out[0] = sum;
}
