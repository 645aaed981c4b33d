// launch: block=32 arch=80
// arg: float[128]:iota
// arg: float[32]:out
// expect: copy-in-flight line 17 and 10
// There are two stages. The last iteration waits for all groups but the newest, whose data it then reads.
#define COPY(to, from) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from) : "memory")
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[2][32];
    for (unsigned k = 0; k < 2; k++) {
        COPY(&s[k][threadIdx.x], &in[32 * k + threadIdx.x]);
        asm volatile("cp.async.commit_group;" ::: "memory");
    }
    float sum = 0;
    for (unsigned k = 0; k < 2; k++) {
        asm volatile("cp.async.wait_group 1;" ::: "memory");
        __syncthreads();
        sum += s[k][31 - threadIdx.x];
    }
    out[threadIdx.x] = sum;
}
