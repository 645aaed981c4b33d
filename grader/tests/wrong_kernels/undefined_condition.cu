// launch: grid=1 block=32
// arg: i32[32]:iota
// arg: i32[32]:zero
// debug: uninitialized-local line 9
// Branches on a maximum from a loop that lane 0 never enters.
__global__ void kernel(const int *in, int *out) {
    int most;
    for (unsigned k = 0; k < threadIdx.x; k++) most = in[k] * 3;
    if (most > 20) atomicAdd(&out[threadIdx.x], 1);
}
