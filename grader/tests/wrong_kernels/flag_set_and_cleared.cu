// launch: grid=1 block=64
// arg: i32[1]:zero
// expect: race-global line 8
// expect: race-warp line 8
// Threads store different values in the same location.
__global__ void kernel(int *found) {
    unsigned t = threadIdx.x;
    found[0] = t / 16 % 2;
}
