// launch: grid=4 block=32
// arg: float[128]:random
// arg: float[1]:out
// expect: race-blocks line 8
// says: let only one block store, or combine the values with an atomic
// The first thread of each block stores a value of its own, all in the same place.
__global__ void kernel(const float *in, float *out) {
    if (threadIdx.x == 0) out[0] = in[blockIdx.x * 32] + 1;
}
