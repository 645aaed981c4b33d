// launch: block=32
// arg: float[32]:random
// arg: float[16]:out
// expect: race-warp line 8
// says: let each lane store to its own element, or let only one lane store, or combine the values with an atomic
// The two lanes of each pair store to the same location in one instruction.
__global__ void kernel(const float *in, float *out) {
    out[threadIdx.x / 2] = in[threadIdx.x];
}
