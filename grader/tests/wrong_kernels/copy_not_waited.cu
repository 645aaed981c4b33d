// launch: block=64 arch=80
// arg: float[64]:iota
// arg: float[64]:out
// expect: copy-in-flight line 11 and 9
// The kernel reads the destination as if the copy were complete when its line has been executed.
#define COPY(to, from) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from) : "memory")
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[64];
    COPY(&s[threadIdx.x], &in[threadIdx.x]);
    asm volatile("cp.async.commit_group;" ::: "memory");
    out[threadIdx.x] = s[threadIdx.x];
}
