// launch: block=32
// arg: double[32]:iota
// arg: double[1]:out
// result: 1[0] = 496
// A double is shuffled in two halves.
__global__ void kernel(const double *in, double *out) {
    double v = in[threadIdx.x];
    for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(0xffffffff, v, o);
    if (threadIdx.x == 0) out[0] = v;
}
