// launch: grid=2 block=32
// arg: i32[64]:const
// arg: i32[1]:zero
// expect: read-only line 8
// The sum goes into the first element of the input, which the caller still needs.
__global__ void kernel(const int *in, int *out) {
    int x = in[blockIdx.x * 32 + threadIdx.x];
    atomicAdd((int *)in, x);
    if (threadIdx.x == 0) atomicMax(out, x);
}
