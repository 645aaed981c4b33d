// launch: grid=4 block=32
// arg: float[128]:random
// arg: float[1]:zero
// arg: i32[1]:zero
// expect: race-blocks line 10
// The lock is acquired and released without fences, so the next owner might not see the sum that it protects.
__global__ void kernel(const float *in, float *sum, int *lock) {
    if (threadIdx.x) return;
    while (atomicCAS(lock, 0, 1) != 0) {}
    sum[0] += in[blockIdx.x * 32];
    atomicExch(lock, 0);
}
