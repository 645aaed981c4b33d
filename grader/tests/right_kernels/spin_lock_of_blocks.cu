// launch: grid=16 block=32
// arg: float[512]:ones
// arg: float[1]:zero
// arg: i32[1]:zero
// result: 1[0] = 16
// A lock with atomicCAS and atomicExch, and a fence on either side of the critical section.
__global__ void kernel(const float *in, float *sum, int *lock) {
    if (threadIdx.x) return;
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    sum[0] += in[blockIdx.x * 32];
    __threadfence();
    atomicExch(lock, 0);
}
