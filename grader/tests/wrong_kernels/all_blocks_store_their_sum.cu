// launch: grid=4 block=32
// arg: float[128]:random
// arg: float[1]:out
// expect: race-blocks line 8
// says: let only one block store, or combine the values with an atomic
// The first thread of each block stores a different value in the same location.
__global__ void kernel(const float *in, float *out) {
    if (threadIdx.x == 0) out[0] = in[blockIdx.x * 32] + 1;
}
