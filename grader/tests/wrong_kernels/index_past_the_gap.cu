// launch: block=32
// arg: float[64]:random
// arg: float[64]:random
// arg: float[32]:out
// expect: out-of-bounds line 9
// The pointer points to the first buffer, but the index is so large that the address is in the next buffer.
__global__ void kernel(const float *first, const float *second, float *out) {
    unsigned long long far = 0x800004040ull; // elements from one buffer to the next
    out[threadIdx.x] = first[far + threadIdx.x] + second[threadIdx.x];
}
