// In each step, a thread takes the long or the short path of a branch. `who` chooses the threads on the long path.
// Nothing is summed.
extern "C" __global__ void waits(int *out, int who, int length, int barrier) {
    const int t = threadIdx.x;
    int bits = t;
#pragma unroll 1
    for (int step = 0; step < 3; step++) {
        bool is_long = t == 0;
        if (who == 0) is_long = t % (2 << step) == 0;
        if (who == 1) is_long = t < blockDim.x >> (step + 1);
        if (who == 2) is_long = (t / 32 + step) % 2 == 0;
        if (is_long) {
#pragma unroll 1
            for (int k = 0; k < length; k++) bits = bits * 5 ^ k;
        } else {
#pragma unroll 1
            for (int k = 0; k < 2; k++) bits = bits * 3 ^ k;
        }
        if (barrier) __syncthreads();
    }
    out[t] = bits;
}
