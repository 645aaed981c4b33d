// launch: block=32 arch=80
// arg: float[32]:iota
// arg: float[32]:out
// expect: copy-in-flight line 10 and 9
// The tail is set to 0 while a copy to it is in flight, so the final value is undefined.
#define COPY(to, from) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from) : "memory")
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[32];
    COPY(&s[threadIdx.x], &in[threadIdx.x]);
    if (threadIdx.x > 29) s[threadIdx.x] = 0;
    asm volatile("cp.async.wait_all;" ::: "memory");
    out[threadIdx.x] = s[threadIdx.x];
}
