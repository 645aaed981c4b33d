// launch: block=256
// arg: float[256]:ones
// expect: race-global line 9
// expect: race-warp line 9
// Each level of the tree reads values that other threads wrote on the previous level. They are volatile, but there is no barrier.
__global__ void kernel(volatile float *v) {
    unsigned t = threadIdx.x;
    for (unsigned k = 1; k < 256; k *= 2)
        if (t % (2 * k) == 0) v[t] = v[t] + v[t + k];
}
