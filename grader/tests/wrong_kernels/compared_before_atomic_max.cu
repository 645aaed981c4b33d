// launch: grid=3 block=32
// arg: i32[96]:random
// arg: i32[1]:zero
// expect: race-blocks line 9 and 10
// A comparison that should avoid needless atomics uses a plain read.
__global__ void kernel(const int *in, int *most) {
    int x = in[blockIdx.x * 32 + threadIdx.x] + 20;
    if (threadIdx.x == 0)
        if (x > *most)
            atomicMax(most, x);
}
