// launch: block=64 shared=768
// arg: float[64]:ones
// arg: float[64]:out
// result: 1[0] = 15
// result: 1[63] = 15
// Pointers into multiple variables: selected, exchanged, in an array, through a function, into parts of the dynamic memory.
struct Both {
    float left[64], right[64];
};
__device__ __noinline__ float sum(const float *from, unsigned at) { return from[at] + from[63 - at]; }
__global__ void kernel(const float *in, float *out) {
    __shared__ float a[64], b[64];
    __shared__ Both both;
    extern __shared__ float parts[];
    float *first = parts, *second = parts + 64, *third = second + 64;
    float *arrays[4] = {a, b, both.left, both.right};
    unsigned t = threadIdx.x;
    for (unsigned k = 0; k < 4; k++) arrays[(k + t) % 4][t] = in[t];
    first[t] = second[t] = third[t] = in[t];
    __syncthreads();
    float *from = a, *to = b, v = 0;
    for (unsigned k = 0; k < 3; k++) {
        v += from[t];
        float *other = from;
        from = to, to = other;
    }
    float *chosen = in[t] > 2 ? a : parts;
    long way = &both.right[t] - &both.left[0];
    v += chosen[t] + both.left[t] + (&both.left[0])[way - 64] + *(third + t) + sum(second, t) + sum(a, t) + sum(both.left, t) + sum(third, t);
    out[t] = v;
}
