// launch: grid=1 block=32
// arg: float[32]:random
// arg: float[32]:out
// expect: uninitialized-shared line 14
// Copies a record of which only one member was set.
struct record {
    float value, weight;
};
__global__ void kernel(const float *in, float *out) {
    __shared__ record s[32];
    unsigned t = threadIdx.x;
    s[t].value = in[t];
    __syncthreads();
    out[t] = s[31 - t].value * s[31 - t].weight;
}
