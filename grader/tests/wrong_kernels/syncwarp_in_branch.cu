// launch: grid=1 block=32 shared=0
// arg: float[32]:random
// arg: float[32]:out
// expect: sync-missing-lane line 9 and 12
// __syncwarp() names all lanes, but half of them wait at the barrier below.
__global__ void kernel(const float *in, float *out) {
    unsigned t = threadIdx.x;
    if (t < 16) {
        __syncwarp();
        out[t] = in[t];
    }
    __syncthreads();
    out[t] = 0;
}
