// launch: block=32 arch=80
// arg: float[32]:iota
// arg: float[32]:out
// expect: copy-in-flight line 12 and 9
// wait_group waits for groups, but the copy is in none, because no group was closed.
#define COPY(to, from) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from) : "memory")
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[32];
    COPY(&s[threadIdx.x], &in[threadIdx.x]);
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    out[threadIdx.x] = s[31 - threadIdx.x];
}
