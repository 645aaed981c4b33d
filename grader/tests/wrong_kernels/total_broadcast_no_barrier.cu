// launch: grid=1 block=64 shared=0
// arg: float[64]:random
// arg: float[64]:out
// expect: race-shared line 11 and 10
// expect: race-warp line 11 and 10
// Thread 0 stores the total in shared memory, and the other threads read it without a barrier.
__global__ void kernel(const float *in, float *out) {
    __shared__ float total;
    unsigned t = threadIdx.x;
    if (t == 0) total = in[0] + in[1];
    out[t] = in[t] / total;
}
