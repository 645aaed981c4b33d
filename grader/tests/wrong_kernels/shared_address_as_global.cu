// launch: grid=1 block=32 shared=0
// arg: float[32]:random
// arg: float[32]:out
// expect: wrong-space line 11
// The address of a shared variable is used in a load from global memory.
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[32];
    s[threadIdx.x] = in[threadIdx.x];
    __syncwarp();
    float v;
    asm volatile("ld.global.f32 %0, [%1];" : "=f"(v) : "l"(&s[threadIdx.x]));
    out[threadIdx.x] = v;
}
