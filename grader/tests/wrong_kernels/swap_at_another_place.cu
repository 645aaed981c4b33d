// launch: grid=2 block=32
// arg: i32[2]:zero
// expect: race-blocks line 7 and 8
// The comparand is read from a different location than the compare-and-swap accesses.
__global__ void kernel(int *p) {
    if (threadIdx.x) return;
    int seen = p[1];
    if (blockIdx.x) atomicCAS(p, seen, 1); else p[1] = 2;
}
