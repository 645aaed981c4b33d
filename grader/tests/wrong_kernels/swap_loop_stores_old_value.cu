// launch: grid=2 block=32
// arg: i32[1]:zero
// arg: i32[2]:out
// expect: race-blocks line 8 and 12
// The value read before the loop is also stored.
__global__ void kernel(int *p, int *first) {
    if (threadIdx.x) return;
    int old = *p, assumed;
    first[blockIdx.x] = old;
    do {
        assumed = old;
        old = atomicCAS(p, assumed, assumed + 1);
    } while (old != assumed);
}
