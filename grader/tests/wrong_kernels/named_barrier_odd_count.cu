// launch: grid=1 block=64
// arg: float[64]:random
// arg: float[64]:out
// arg: u32 48
// expect: trap line 8
// The count of a barrier must be a multiple of 32.
__global__ void kernel(const float *in, float *out, unsigned count) {
    asm volatile("bar.sync 1, %0;" ::"r"(count) : "memory");
    out[threadIdx.x] = in[threadIdx.x];
}
