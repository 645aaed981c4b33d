// launch: grid=3 block=64
// arg: i32[192]:iota
// arg: i32[1]:zero
// expect: same-value line 12
// expect: same-value line 14
// Every thread that finds an element sets the flag to 1, which is harmless but wasteful.
__global__ void kernel(const int *in, int *found) {
    __shared__ int any;
    unsigned t = threadIdx.x;
    if (t == 0) any = 0;
    __syncthreads();
    if (in[blockIdx.x * 64 + t] % 2) any = 1;
    __syncthreads();
    if (any) found[0] = 1;
}
