// launch: grid=4 block=32
// arg: i32[4]:zero
// arg: i32[4]:out
// release: residency line 13
// debug: residency line 12
// Each block waits, sleeping in between, for a flag that its neighbor sets.
__global__ void kernel(int *flags, int *out) {
    if (threadIdx.x) return;
    unsigned other = blockIdx.x ^ 1;
    atomicExch(&flags[blockIdx.x], 1);
    int seen = 0;
    while (!seen) {
        __nanosleep(100);
        seen = ((volatile int *)flags)[other];
    }
    out[blockIdx.x] = seen;
}
