// launch: block=32
// arg: float[32]:random
// arg: float[4]:out
// expect: race-warp line 8
// In each iteration, another group of lanes writes the elements, but iterations are not ordered.
__global__ void kernel(const float *in, float *out) {
    for (unsigned k = 0; k < 4; k++)
        if (threadIdx.x / 8 == k) out[threadIdx.x % 4] = in[k];
}
