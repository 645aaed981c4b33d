// launch: grid=2 block=256 budget=200000
// arg: i32[2]:out
// result: 0[0] = 28
// result: 0[1] = 28
// Seven warps wait for the first one with acquire and release, and sleep in between, so that waiting costs almost nothing.
__device__ int seen(int *flag) {
    int v;
    asm volatile("ld.acquire.cta.u32 %0, [%1];" : "=r"(v) : "l"(flag) : "memory");
    return v;
}
__global__ void kernel(int *out) {
    __shared__ int flag, value, sum;
    unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x == 0) flag = sum = 0;
    __syncthreads();
    if (warp == 0) {
        int v = 0;
        for (int k = 0; k < 1000; k++) v = (v * 5 + k) % 1001;
        if (lane == 0) {
            value = v ? 1 : 1;
            asm volatile("st.release.cta.u32 [%0], %1;" ::"l"(&flag), "r"(1) : "memory");
        }
    } else if (lane == 0) {
        while (!seen(&flag)) __nanosleep(50);
        atomicAdd(&sum, value * warp);
    }
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
