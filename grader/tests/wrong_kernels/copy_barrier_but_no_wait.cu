// launch: block=64 arch=80
// arg: float[64]:iota
// arg: float[64]:out
// expect: copy-in-flight line 11 and 9
// __syncthreads() waits for threads, not for copies.
#define COPY(to, from) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from) : "memory")
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[64];
    COPY(&s[threadIdx.x], &in[threadIdx.x]);
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
}
