// launch: grid=1 block=32
// arg: i32[32]:out
// expect: same-value line 8
// Both halves of a warp set the same padding to the same value in one instruction, which is harmless.
__global__ void kernel(int *out) {
    __shared__ int s[48];
    unsigned lane = threadIdx.x;
    s[32 + lane % 16] = 0;
    s[lane] = (int)lane;
    __syncwarp();
    out[lane] = s[lane] + s[lane + 16];
}
