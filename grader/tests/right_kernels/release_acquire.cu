// launch: cooperative=1 grid=2 block=32
// arg: float[1]:out
// arg: i32[1]:zero
// arg: float[1]:out
// result: 2[0] = 7
// Order by st.release and ld.acquire, without fences.
__global__ void kernel(float *data, int *flag, float *out) {
    if (threadIdx.x) return;
    if (blockIdx.x == 0) {
        data[0] = 7;
        asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(__cvta_generic_to_global(flag)), "r"(1) : "memory");
    } else {
        int seen;
        do asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(__cvta_generic_to_global(flag)) : "memory");
        while (!seen);
        out[0] = data[0];
    }
}
