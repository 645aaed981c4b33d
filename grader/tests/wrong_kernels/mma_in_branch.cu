// launch: block=32 arch=80
// arg: float[128]:out
// expect: sync-missing-lane line 9
// Only lanes 0 to 15 execute the matrix product, which needs the fragments of all lanes.
__global__ void kernel(float *out) {
    const unsigned t = threadIdx.x, one = 0x3c003c00;
    float d[4] = {0, 0, 0, 0};
    if (t < 16)
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%4, %4}, {%0, %1, %2, %3};" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(one));
    for (int k = 0; k < 4; k++) out[4 * t + k] = d[k];
}
