// launch: grid=2 block=64 arch=80
// arg: float[1024]:iota
// arg: float[2]:out
// result: 1[0] = 130816
// result: 1[1] = 392960
// Tiles are copied into two stages in turn: the next copy is in flight while the current tile is added up.
#define COPY(to, from) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from) : "memory")
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[2][64];
    const unsigned t = threadIdx.x, rounds = 8;
    float sum = 0;
    in += 512 * blockIdx.x;
    COPY(&s[0][t], &in[t]);
    asm volatile("cp.async.commit_group;" ::: "memory");
    for (unsigned k = 0; k < rounds; k++) {
        if (k + 1 < rounds) COPY(&s[(k + 1) % 2][t], &in[64 * (k + 1) + t]);
        asm volatile("cp.async.commit_group;" ::: "memory");
        asm volatile("cp.async.wait_group 1;" ::: "memory");
        __syncthreads();
        sum += s[k % 2][63 - t];
        __syncthreads();
    }
    s[0][t] = sum;
    __syncthreads();
    for (unsigned half = 32; half; half /= 2) {
        if (t < half) s[0][t] += s[0][t + half];
        __syncthreads();
    }
    if (!t) out[blockIdx.x] = s[0][0];
}
