// launch: grid=4 block=32
// arg: float[128]:random
// arg: float[4]:out
// expect: race-blocks line 8
// says: let each block store to its own element, or let only one block store
// Each block must store at its own index, not at that of a thread.
__global__ void kernel(const float *in, float *out) {
    if (threadIdx.x == 0) out[threadIdx.x] = in[blockIdx.x * 32] + 1;
}
