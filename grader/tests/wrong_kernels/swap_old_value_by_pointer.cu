// launch: grid=2 block=32
// arg: i32[1]:zero
// arg: i32[2]:out
// expect: race-blocks line 11 and 17
// The value read before the loop goes to a variable of the caller, which stores it.
__device__ __noinline__ void note(int *to, int value) { *to = value; }
__device__ int next(int x) { return x + 1; }
__global__ void kernel(int *p, int *first) {
    if (threadIdx.x) return;
    int mine = 0, assumed;
    int old = *p;
    note(&mine, old);
    first[blockIdx.x] = mine;
    do {
        assumed = old;
        // the swap itself is right
        old = atomicCAS(p, assumed, next(assumed));
    } while (old != assumed);
}
