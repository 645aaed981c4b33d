// launch: grid=4 block=64
// arg: double[1]:zero
// arg: double[256]:ones
// result: 0[0] = 256
// The programming guide's atomicAdd for double: a plain read, then compare-and-swap until no other thread has intervened.
__device__ double add(double *address, double value) {
    unsigned long long *place = (unsigned long long *)address, old = *place, assumed;
    do {
        assumed = old;
        old = atomicCAS(place, assumed, (unsigned long long)__double_as_longlong(value + __longlong_as_double((long long)assumed)));
    } while (assumed != old);
    return __longlong_as_double((long long)old);
}
__global__ void kernel(double *out, const double *in) {
    __shared__ double sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    add(&sum, in[blockIdx.x * 64 + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) add(out, sum);
}
