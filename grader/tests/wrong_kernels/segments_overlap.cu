// launch: grid=2 block=32
// arg: float[65]:random
// expect: race-blocks line 7 and 9
// The block reads one element past its segment, which the next block changes in place.
__global__ void kernel(float *data) {
    unsigned i = blockIdx.x * 32 + threadIdx.x;
    float next = data[i + 1];
    __syncwarp();
    data[i] += next;
}
