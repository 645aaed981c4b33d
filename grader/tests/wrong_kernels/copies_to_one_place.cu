// launch: block=32 arch=80
// arg: float[64]:iota
// arg: float[32]:out
// expect: copy-in-flight line 10 and 9
// Nothing determines which of two copies in flight completes last.
#define COPY(to, from) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from) : "memory")
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[32];
    COPY(&s[threadIdx.x], &in[threadIdx.x]);
    COPY(&s[threadIdx.x], &in[32 + threadIdx.x]);
    asm volatile("cp.async.wait_all;" ::: "memory");
    out[threadIdx.x] = s[threadIdx.x];
}
