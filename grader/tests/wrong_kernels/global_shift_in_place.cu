// launch: block=64
// arg: float[65]:random
// expect: race-global line 8
// expect: race-warp line 8
// Every thread overwrites the element that its neighbor reads.
__global__ void kernel(float *data) {
    unsigned t = threadIdx.x;
    data[t] = data[t + 1];
}
