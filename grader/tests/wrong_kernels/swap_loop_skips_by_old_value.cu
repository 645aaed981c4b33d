// launch: grid=2 block=64
// arg: float[1]:ones
// arg: float[128]:random
// expect: race-global line 9 and 11
// expect: race-blocks line 9 and 11
// expect: race-warp line 9 and 11
// The plain read decides whether a compare-and-swap is executed at all.
__global__ void kernel(float *out, const float *in) {
    int *place = (int *)out, old = *place, mine = __float_as_int(in[blockIdx.x * 64 + threadIdx.x]);
    while (__int_as_float(mine) < __int_as_float(old)) {
        int assumed = old, now = atomicCAS(place, assumed, mine);
        if (now == assumed) break;
        old = now;
    }
}
