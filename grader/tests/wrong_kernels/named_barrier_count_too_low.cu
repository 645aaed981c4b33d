// launch: grid=1 block=128
// arg: float[128]:random
// arg: float[128]:out
// expect: race-shared line 11 and 9
// Four warps use a barrier with a count of 64 threads, which releases two warps before the others have written.
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[128];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[t] = s[(t + 32) % 128];
}
