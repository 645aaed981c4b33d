// launch: grid=1 block=64 shared=256
// arg: float[64]:random
// arg: float[64]:out
// expect: out-of-bounds line 11
// There are two arrays in dynamic shared memory, but the launch provides memory for only one of them.
__global__ void kernel(const float *in, float *out) {
    extern __shared__ float first[];
    float *second = first + 64;
    unsigned t = threadIdx.x;
    first[t] = in[t];
    second[t] = -in[t];
    out[t] = first[t];
}
