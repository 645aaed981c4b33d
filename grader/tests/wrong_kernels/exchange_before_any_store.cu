// The old value of the first exchange is used, but nobody has written it.
// launch: grid=1 block=32
// arg: u32[1]:out
// arg: u32[1]:out
// expect: uninitialized-global line 8

__global__ void kernel(unsigned *flag, unsigned *before) {
    if (threadIdx.x == 0) *before = atomicExch(flag, 1);
}
