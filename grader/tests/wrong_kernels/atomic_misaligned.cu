// launch: grid=1 block=32
// arg: u32[4]:zero+2
// expect: misaligned line 6
// An atomic accesses an address that is not a multiple of 4.
__global__ void kernel(unsigned *count) {
    atomicAdd(count, threadIdx.x);
}
