// launch: block=64 arch=80
// arg: float[128]:iota
// arg: float[64]:out
// expect: race-shared line 14 and 11
// The next tile is copied into the stage that other warps still read, without a barrier in between.
#define COPY(to, from) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from) : "memory")
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[64];
    float sum = 0;
    for (unsigned k = 0; k < 2; k++) {
        COPY(&s[threadIdx.x], &in[64 * k + threadIdx.x]);
        asm volatile("cp.async.wait_all;" ::: "memory");
        __syncthreads();
        sum += s[63 - threadIdx.x];
    }
    out[threadIdx.x] = sum;
}
