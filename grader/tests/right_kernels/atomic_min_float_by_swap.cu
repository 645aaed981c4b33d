// launch: grid=4 block=64
// arg: float[1]:ones
// arg: float[256]:random
// result: 0[0] = 0
// A minimum by compare-and-swap of the floats' bits.
__global__ void kernel(float *out, const float *in) {
    int *place = (int *)out, old = *place, assumed;
    float mine = in[blockIdx.x * 64 + threadIdx.x];
    do {
        assumed = old;
        old = atomicCAS(place, assumed, __float_as_int(fminf(mine, __int_as_float(assumed))));
    } while (assumed != old);
}
